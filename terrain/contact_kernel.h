// Inside terrain/: elements that may touch, in batches, and the inner loop over a batch.
//
// Two forms: a batch, into which elements that may touch are gathered, for ground and soil of all sorts; and a run of whole blocks, read
// where they lie, for one soil without extras. What an element does is written once for both.
//
// Element i of a batch or run belongs to lane i mod 8. Each lane has its own running sums, and the lanes are added in one fixed order at the end. A variant of the
// loop handles 1, 2, 4 or 8 lanes at a time with the same operations on each, so that all give the same bits. Powers, logarithms and
// exponentials are our own, for the same reason: those of a C library depend on the processor.

#ifndef DEEPSIM_TERRAIN_CONTACT_KERNEL_H
#define DEEPSIM_TERRAIN_CONTACT_KERNEL_H

#include "terrain/contact.h"

#define DS_CONTACT_LANES 8
#define DS_CONTACT_BATCH 64 // elements of a batch: so many that what was written is there when the loop reads it

// What the loop reads of an element; body axes. Lanes without an element have area 0 and lie above the ground.
enum
{
	DS_CONTACT_X, // place about the reference point
	DS_CONTACT_Y,
	DS_CONTACT_Z,
	DS_CONTACT_NX, // outward normal
	DS_CONTACT_NY,
	DS_CONTACT_NZ,
	DS_CONTACT_AREA,
	DS_CONTACT_VX, // velocity of the surface against the body, for each m/s of its speed
	DS_CONTACT_VY,
	DS_CONTACT_VZ,
	DS_CONTACT_DX, // into the ground
	DS_CONTACT_DY,
	DS_CONTACT_DZ,
	DS_CONTACT_DEPTH, // below the terrain's surface, along that [m]
	DS_CONTACT_PACKED, // of a rut, along that [m]
	DS_CONTACT_SURFACE,
	DS_CONTACT_WIDTH, // b
	DS_CONTACT_MODULUS, // kc / b + kphi

	// the state
	DS_CONTACT_PRESSURE,
	DS_CONTACT_GAP,
	DS_CONTACT_STIFFNESS,
	DS_CONTACT_UX,
	DS_CONTACT_UY,
	DS_CONTACT_UZ,
	DS_CONTACT_REACHED,
	DS_CONTACT_SLIP,
	DS_CONTACT_PER_DEPTH,
	DS_CONTACT_POWER,

	// the soil
	DS_CONTACT_N,
	DS_CONTACT_N2, // n ( n - 1 ) / 2, and so on: binomial coefficients
	DS_CONTACT_N3,
	DS_CONTACT_N4,
	DS_CONTACT_COHESION,
	DS_CONTACT_TAN_FRICTION,
	DS_CONTACT_K,
	DS_CONTACT_PER_K, // 1 / K
	DS_CONTACT_ELASTIC,
	DS_CONTACT_PER_REBOUND, // 1 / rebound
	DS_CONTACT_DAMPING,
	DS_CONTACT_SUCTION,
	DS_CONTACT_SLIP_SINKAGE,
	DS_CONTACT_LATERAL,
	DS_CONTACT_PASSIVE_WEIGHT, // unit weight Kp; 0 without bulldozing
	DS_CONTACT_PASSIVE_COHESION, // 2 c sqrt( Kp )
	DS_CONTACT_PRINTED_SHEAR, // 0 or 1
	DS_CONTACT_INPUTS
};

typedef struct ds_contact_batch
{
	_Alignas( 64 ) double in[DS_CONTACT_INPUTS][DS_CONTACT_BATCH];
	const ds_soil *soil[DS_CONTACT_BATCH]; // whose numbers `in` has
	int count; // of elements, a multiple of 8
	bool linear; // n = 1 in all lanes
	bool marked; // a lane lies in a rut
	bool bulldozing; // in a lane
	bool plain; // pressure acts along the normal in all lanes, and nothing is bulldozed
} ds_contact_batch;

// Blocks side by side, on one soil that is `lean`: pressure along the normal, nothing bulldozed, no slip sinkage, suction, or rule of the
// paper's; no ruts.
typedef struct ds_contact_run
{
	const ds_elements *elements;
	int32_t first, count; // multiples of 8; at most DS_CONTACT_BATCH
	bool plane;
	ds_vec3 down; // plane: into the ground, body axes
	double below; // plane: depth of the reference point along that [m]
	const double *depth, *dx, *dy, *dz; // else: of each
	double kc, kphi;
	double soil[DS_CONTACT_INPUTS];
	bool linear; // n = 1
} ds_contact_run;

typedef struct ds_contact_motion
{
	ds_vec3 velocity, rate; // of the reference point over the step, body axes
	double speed; // of the surface [m/s]
	double dt, per_dt; // per_dt: 1 / dt; 0: dt is 0
} ds_contact_motion;

// Running sums. A lane's force f acts on the body; e is the way the pressure acts, n the normal, g what shear has in G.
enum
{
	DS_PRESS_FORCE = 0, // 3
	DS_PRESS_TORQUE = 3, // 3
	DS_PRESS_ALONG = 6,
	DS_PRESS_TOUCHING = 7,
	DS_PRESS_ISOTROPIC = 8, // g
	DS_PRESS_FIRST = 9, // 3: g r
	DS_PRESS_SECOND = 12, // 6: g r r^T: xx yy zz xy xz yz
	DS_PRESS_RANK = 18, // 21: the lower triangle of the sum of a J J^T, row by row, J = ( e, r x e )
	DS_PRESS_SUMS = 39
};

enum
{
	DS_COMMIT_NORMAL = 0, // 3: body axes
	DS_COMMIT_SHEAR = 3, // 3
	DS_COMMIT_NORMAL_FORCE = 6,
	DS_COMMIT_AREA = 7,
	DS_COMMIT_AREA_SINKAGE = 8,
	DS_COMMIT_FORCE_SLIP = 9,
	DS_COMMIT_WORK = 10,
	DS_COMMIT_TOUCHING = 11,
	DS_COMMIT_SINKAGE = 12, // the greatest, not a sum
	DS_COMMIT_SUMS = 13
};

typedef struct ds_contact_lanes
{
	_Alignas( 64 ) double lane[DS_PRESS_SUMS][DS_CONTACT_LANES];
} ds_contact_lanes;

// What a commit leaves of a batch.
enum
{
	DS_AFTER_PRESSURE,
	DS_AFTER_GAP,
	DS_AFTER_STIFFNESS,
	DS_AFTER_UX,
	DS_AFTER_UY,
	DS_AFTER_UZ,
	DS_AFTER_REACHED,
	DS_AFTER_SLIP,
	DS_AFTER_PER_DEPTH,
	DS_AFTER_POWER,
	DS_AFTER_DEPTH, // where it presses; 0: it does not
	DS_AFTER_AREA, // projected
	DS_AFTER_COUNT
};

typedef struct ds_contact_after
{
	_Alignas( 64 ) double out[DS_AFTER_COUNT][DS_CONTACT_BATCH];
} ds_contact_after;

// A plane ground below a mesh, body axes.
typedef struct ds_contact_sight
{
	ds_vec3 down; // into it
	double below; // depth of the reference point along that [m]
	ds_vec3 lever; // what a step may add to the depth of a place: lever.r + sinks, where that is above 0
	double sinks;
} ds_contact_sight;

// The points of an outline that are farthest in each direction, on a plane.
#define DS_OUTLINE_DIRECTIONS 32
typedef struct ds_contact_outline
{
	double far[DS_OUTLINE_DIRECTIONS], x[DS_OUTLINE_DIRECTIONS], y[DS_OUTLINE_DIRECTIONS];
} ds_contact_outline;

extern const double ds_contact_compass[2][DS_OUTLINE_DIRECTIONS]; // cos and sin of i pi / 16

typedef struct ds_contact_kernel
{
	const char *name;
	void ( *press )( const ds_contact_batch *batch, const ds_contact_motion *motion, ds_contact_lanes *sums );
	void ( *commit )( const ds_contact_batch *batch, const ds_contact_motion *motion, ds_contact_after *after,
		ds_contact_lanes *sums );
	// `state`: of the run's first block
	void ( *press_run )( const ds_contact_run *run, const ds_contact_motion *motion, const ds_element_block *state,
		ds_contact_lanes *sums );
	void ( *commit_run )(
		const ds_contact_run *run, const ds_contact_motion *motion, ds_element_block *state, ds_contact_lanes *sums );

	// Patches (contact_sight.h). Arrays have room for, and hold numbers in, a multiple of 8.
	bool ( *vertices )( const ds_contact_sight *sight, int32_t count, const double *x, const double *y, const double *z,
		double *depth, uint8_t *bits );
	bool ( *faces )( const ds_contact_sight *sight, int32_t count, const double *nx, const double *ny, const double *nz,
		uint8_t *bits );
	void ( *outline )( int32_t count, const double *x, const double *y, ds_contact_outline *outline );
} ds_contact_kernel;

extern const ds_contact_kernel ds_contact_kernel_scalar;
#if defined( __x86_64__ )
extern const ds_contact_kernel ds_contact_kernel_sse2;
extern const ds_contact_kernel ds_contact_kernel_avx2;
extern const ds_contact_kernel ds_contact_kernel_avx512;
#endif

// The kernels this processor can run, the fastest first; returns their number (at most 4).
int ds_contact_kernels( const ds_contact_kernel *kernels[4] );
const ds_contact_kernel *ds_contact_fastest( void );

// As ds_contact_press and ds_contact_commit, by a given kernel.
void ds_contact_press_by( const ds_contact_kernel *kernel, const ds_ground *ground, const ds_elements *elements,
	const ds_element_block *state, const ds_contact_step *step, ds_contact_forces *forces );
void ds_contact_commit_by( const ds_contact_kernel *kernel, const ds_ground *ground, const ds_elements *elements,
	ds_element_block *state, const ds_contact_step *step, const ds_twist *mean, ds_contact_sums *sums );

#endif
