// Contact of a body with soil, element by element: Bekker pressure, Janosi-Hanamoto shear, damping, elastic unloading over plastic
// sinkage. Sources: "Beyond Shallow-Water Photorealism", eq. 25-29; Bekker 1969; Wong 2008, chapter 2; Janosi and Hanamoto 1961.
//
// A plain model, without a world. Elements are small flat pieces of a surface with a place, an outward normal and an area in the
// axes of their body; a mesh gives those of its faces (parted where they are large), running gear its own (gear.h). A step goes
//   ds_contact_press   the wrench over the step if the body kept its velocity, and how it changes with the velocity at the end;
//   (the caller moves the body)
//   ds_contact_commit  moves the elements' state along the way that the body really went.
//
// Physics. At an element's place, N is the ground's unit normal (out of the ground), d = -N, n the element's outward normal, v its
// velocity (with that of a belt), z its depth below the ground along N, c = n.d. Faces with c < DS_CONTACT_LEAST_COSINE press nothing.
//   pressure   p acts on the face's area: -A p e, e = n, or with `lateral` < 1 e = c d + lateral ( n - c d ); its part along N is
//              A c p, the projected area's. Rate of indentation: z' = v.e / c (conjugate to p: the power is A c p z'), so that a bow
//              that goes on at a constant depth is loaded, a flat bottom is not, and a stern gives its load up.
//              Loading: dp = k_e dz, at most the virgin curve p_v(z) = ( kc / b + kphi ) z^n; unloading along k_e to 0, then a gap
//              opens, which has to close before p rises again. Pressures are means over the path of a step, so that a step of any
//              length takes the work of the path.
//              k_e is the soil's `elastic`, or p_v / ( rebound z ), at least the tangent n p_v / z (n >= 1), at most 1e9 Pa/m: where
//              the virgin curve is steeper (n < 1 near z = 0), p rises along k_e. It stays what it was when the soil last yielded.
//              A gap is the ground's memory, not the element's: an element that slides on by w while it has one is over other ground,
//              and the gap shrinks by 1 / ( 1 + w/b ). That gives no energy: p rises only while it is pressed in.
//   slip       with c_s = slip_sinkage the soil bears as at the depth z - c_s J ( 1 - exp( -j/J ) ), j the slip since it touched, J = 6.5
//              K, at least at z/50. In proportion to slip it is Reece's (1965); its end is from tests (docs/terrain-wheel.md).
//   shear      on the way out tau' = ( tau_max v_s - tau |v_s| ) / K, v_s the velocity in the face's plane, against it: from rest along
//              a line Janosi-Hanamoto's tau_max ( 1 - exp( -j/K ) ). Within the greatest share of tau_max that it had since it
//              touched it unloads and reloads elastically, tau' = tau_max v_s / K, a little damped, so that what stands on a slope
//              does not creep when it trembles.
//              tau_max = c + p tan phi. The state is u = tau / tau_max. Where nothing presses there is no shear, and the history
//              starts anew. As tau_max grows u stays, which is what Wong and Reece (1967) take under a wheel, tau_max(x) ( 1 -
//              exp( -j(x)/K ) ), as far as the energy that it holds more, 1/2 K tau_max u^2 a unit of area, is paid for by what the
//              step loses in shear and in plastic sinkage: always on fresh soil; where soil only springs (a second pass in a rut)
//              tau is a little less. As tau_max falls u stays.
//   damping    - c_d A c z' along e, while sinking or rising, never so much that the whole pulls, but for `suction`: up to that,
//              fading while the gap opens to a tenth of b. Without damping there is no suction.
//   bulldozing the passive pressure of Rankine, gamma' z Kp + 2 c sqrt( Kp ), less lateral p, on the area across the ground's normal of
//              faces that push into the soil (vertical ones too), along their normal, so that it takes energy however a belt runs: full
//              at any speed, a dashpot below 1e-6 m/s. Where the face is pressed anyway it adds to p in shear.
//   printed    pressure: b = sqrt( area of the face ); shear: (28), full tau_max at any slip, a dashpot below 1e-6 m/s; damping:
//              (29) with the velocity of (18), - v in still water: it gives energy, and may pull.
//
// Nothing of it gives back more energy than it took: by the soil's own account (ds_contact_sums.work) of any path. The force that a
// caller applies, wrench - G ( nu1 - nu0 ), is that of the path but for the second order of the step: where k_e A dt^2 is above the
// body's mass an undamped bounce may gain some 1e-4 of the energy at play.

#ifndef DEEPSIM_TERRAIN_CONTACT_H
#define DEEPSIM_TERRAIN_CONTACT_H

#include "deepsim/base.h"
#include "deepsim/mesh.h"
#include "deepsim/soil.h"
#include "deepsim/terrain.h"
#include "deepsim/types.h"

#define DS_CONTACT_LEAST_COSINE 0.05
#define DS_CONTACT_CHUNK        64 // elements that are looked at together

typedef struct ds_rut ds_rut; // rut.h
typedef struct ds_soil_map ds_soil_map; // soil_map.h

// The ground that elements press on. All pointers stay valid while it is used.
typedef struct ds_ground
{
	const ds_terrain *terrain;
	const ds_soil_map *soils;
	ds_rut *rut; // NULL: the ground forgets what left it
	double gravity; // [m/s2]
} ds_ground;

// A set of elements: arrays of `count` numbers, body axes, about the body's reference point.
typedef struct ds_elements
{
	int32_t count;
	const double *x, *y, *z; // [m]
	const double *nx, *ny, *nz; // unit, outward
	const double *area; // [m2]
	const double *vx, *vy,
		*vz; // velocity of the surface against the body, a belt's, for each m/s of `speed`; NULL: none
	double speed; // [m/s]
	double more_cohesion, more_friction; // of the surface's grousers: shares to add to c and to tan phi in shear
	const double *width; // b of each [m]
	const double *face_area; // of the whole face that each is part of [m2] (printed_pressure)
	ds_vec3 lower, upper; // bounding box
	const ds_vec3 *
		boxes; // lower and upper corner of the places of each DS_CONTACT_CHUNK elements, so that most need not be asked; NULL
} ds_elements;

// What changes of an element. Zeroed: it touches nothing. What an element held when it left the ground is forgotten once it comes
// from above, so that the state need not be touched while ds_contact_near is false; zero it when a body is put elsewhere.
typedef struct ds_element_state
{
	double pressure; // [Pa]
	double gap; // to be closed before it presses again [m]
	double stiffness; // of unloading, as it was when the soil last yielded [Pa/m]
	double shear[3]; // tau / tau_max as a vector in body axes, at most 1 long
	double reached; // greatest of its length since it touched: within it shear is elastic
	double slip; // way of the surface over the ground since it touched [m]
	double side; // of running gear: way of the ground to the side since it came under the gear [m]
	double per_depth, power; // 1 / z and z^n of a depth z near by, so that none has to be raised to n anew; 0: none
} ds_element_state;

// Eight of them side by side, as vectors take them: element i is number i % 8 of block i / 8.
#define DS_ELEMENT_LANES 8
typedef struct ds_element_block
{
	double pressure[DS_ELEMENT_LANES], gap[DS_ELEMENT_LANES], stiffness[DS_ELEMENT_LANES], shear[3][DS_ELEMENT_LANES],
		reached[DS_ELEMENT_LANES], slip[DS_ELEMENT_LANES], side[DS_ELEMENT_LANES], per_depth[DS_ELEMENT_LANES],
		power[DS_ELEMENT_LANES];
} ds_element_block;

// Blocks that hold `count` elements.
static inline int64_t ds_element_blocks( int64_t count )
{
	return ( count + DS_ELEMENT_LANES - 1 ) / DS_ELEMENT_LANES;
}

static inline ds_element_state ds_element_get( const ds_element_block *blocks, int64_t i )
{
	const ds_element_block *b = blocks + i / DS_ELEMENT_LANES;
	const int64_t k = i % DS_ELEMENT_LANES;
	ds_element_state s = { b->pressure[k], b->gap[k], b->stiffness[k],
		{ b->shear[0][k], b->shear[1][k], b->shear[2][k] }, b->reached[k], b->slip[k], b->side[k], b->per_depth[k],
		b->power[k] };
	return s;
}

static inline void ds_element_put( ds_element_block *blocks, int64_t i, const ds_element_state *s )
{
	ds_element_block *b = blocks + i / DS_ELEMENT_LANES;
	const int64_t k = i % DS_ELEMENT_LANES;
	b->pressure[k] = s->pressure;
	b->gap[k] = s->gap;
	b->stiffness[k] = s->stiffness;
	b->shear[0][k] = s->shear[0];
	b->shear[1][k] = s->shear[1];
	b->shear[2][k] = s->shear[2];
	b->reached[k] = s->reached;
	b->slip[k] = s->slip;
	b->side[k] = s->side;
	b->per_depth[k] = s->per_depth;
	b->power[k] = s->power;
}

// One step of a body.
typedef struct ds_contact_step
{
	ds_pose pose; // of the reference point, at the start
	ds_twist velocity; // of it at the start, body axes
	double dt; // [s]
	int64_t tick; // of the rut: what was touched in the tick before is touched still
	int32_t toucher; // a number of its own for each body and gear
} ds_contact_step;

typedef struct ds_contact_forces
{
	ds_wrench wrench; // mean over the step if the body keeps its velocity; body axes, about the reference point
	// G, symmetric positive semidefinite: the wrench is wrench - G ( nu1 - nu0 ) [N s/m ...], for a body that moves over the step by
	// the mean of nu0 and nu1
	ds_mat6 give;
	double along; // minus the power of the surface's own velocity for each m/s of `speed` [N]: what holds a belt back
	int32_t touching; // elements that touch
} ds_contact_forces;

// Sums over the elements that touch, of one commit, which overwrites them; who adds them up over a tick counts `steps`.
typedef struct ds_contact_sums
{
	int32_t steps; // commits that were added
	int32_t touching; // elements, greatest of the steps
	ds_vec3 normal; // sum of pressures and damping, world axes [N]
	ds_vec3 shear; // sum of shear, world axes [N]
	double normal_force; // along the ground's normals, at least 0 [N]
	double area; // projected [m2]
	double sinkage; // greatest [m]
	double mean_sinkage; // by area [m]
	double slip_speed; // of what touches, by normal force [m/s]
	double work; // done on the soil [J]
} ds_contact_sums;

// Whether any element may touch in a step: bounding boxes alone.
bool ds_contact_near( const ds_ground *ground, const ds_elements *elements, const ds_contact_step *step );

// `state`: ds_element_blocks( count ) of them.
void ds_contact_press( const ds_ground *ground, const ds_elements *elements, const ds_element_block *state,
	const ds_contact_step *step, ds_contact_forces *forces );

// `mean`: the mean twist of the reference point over the step, body axes (of the start).
void ds_contact_commit( const ds_ground *ground, const ds_elements *elements, ds_element_block *state,
	const ds_contact_step *step, const ds_twist *mean, ds_contact_sums *sums );

// What the elements within `radius` [m] of `centre` (body axes, about the reference point) feel now, by their state: no damping, and no
// work. `step`: pose and velocity.
void ds_contact_read( const ds_ground *ground, const ds_elements *elements, const ds_element_block *state,
	const ds_contact_step *step, ds_vec3 centre, double radius, ds_contact_sums *sums );

// ---- elements of a mesh --------------------------------------------------------------------------------------------

// Immutable; may be shared by threads.
typedef struct ds_contact_mesh ds_contact_mesh;

typedef struct ds_contact_mesh_def
{
	const ds_vec3 *vertices; // [m], in the frame of the mesh
	int64_t vertex_count;
	const int32_t *triangles;
	int64_t face_count;
	ds_pose pose; // of the mesh in body axes about the reference point
	double spacing; // faces are parted until elements are no longer than this [m]; 0: a 32nd of the mesh's diagonal
	double width; // b of all [m]; 0: the least width of each connected patch
} ds_contact_mesh_def;

// Errors: ARGUMENT, RANGE, NOT_FINITE, LIMIT (over 2^24 elements), MEMORY.
ds_status ds_contact_mesh_create(
	const ds_allocator *allocator, const ds_contact_mesh_def *def, ds_contact_mesh **mesh );
void ds_contact_mesh_destroy( ds_contact_mesh *mesh );
int32_t ds_contact_mesh_count( const ds_contact_mesh *mesh ); // of elements

// Work space for the widths of patches: one a body, of ds_contact_scratch_size bytes, zeroed at first. It only saves time: results do
// not depend on what was in it.
size_t ds_contact_scratch_size( const ds_contact_mesh *mesh );

// The elements with the least width of the patch that each belongs to, for a step: connected faces that are below the ground, its
// outline clipped at the ground. `elements` points into mesh and scratch.
void ds_contact_mesh_see( const ds_contact_mesh *mesh, const ds_ground *ground, const ds_contact_step *step,
	void *scratch, ds_elements *elements );

// Patches of the last ds_contact_mesh_see with this scratch: a number for every element, 0 on, or -1 where it does not touch.
const int32_t *ds_contact_mesh_patches( const ds_contact_mesh *mesh, const void *scratch, int32_t *count );

#endif
