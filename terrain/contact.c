#include "terrain/contact.h"

#include "deepsim/math.h"
#include "terrain/contact_kernel.h"
#include "terrain/rut.h"
#include "terrain/soil_map.h"
#include "terrain/terrain.h"

#include <string.h>

#define CHUNK DS_CONTACT_CHUNK

int ds_contact_kernels( const ds_contact_kernel *kernels[4] )
{
	int count = 0;
#if defined( __x86_64__ )
	__builtin_cpu_init();
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		kernels[count++] = &ds_contact_kernel_avx512;
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_contact_kernel_avx2;
	}
	kernels[count++] = &ds_contact_kernel_sse2;
#endif
	kernels[count++] = &ds_contact_kernel_scalar;
	return count;
}

const ds_contact_kernel *ds_contact_fastest( void )
{
	const ds_contact_kernel *kernels[4];
	ds_contact_kernels( kernels );
	return kernels[0];
}

// ---- bounds ------------------------------------------------------------------------------------------------------

// A box that may turn, in the world.
typedef struct box
{
	ds_vec3 center, half;
} box;

static box world_box( const ds_mat3 *r, ds_vec3 position, ds_vec3 lower, ds_vec3 upper )
{
	ds_vec3 center = ds_scale( 0.5, ds_add( lower, upper ) ), h = ds_scale( 0.5, ds_sub( upper, lower ) );
	box b;
	b.center = ds_add( position, ds_mat3_mul_vec( r, center ) );
	double half[3];
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = fabs( r->m[i][0] ) * h.x + fabs( r->m[i][1] ) * h.y + fabs( r->m[i][2] ) * h.z;
	}
	b.half = ds_v3( half[0], half[1], half[2] );
	return b;
}

// How far any point of the box may go in a step [m].
static double reach( const ds_elements *elements, const ds_contact_step *step )
{
	ds_vec3 far = ds_v3( fmax( fabs( elements->lower.x ), fabs( elements->upper.x ) ),
		fmax( fabs( elements->lower.y ), fabs( elements->upper.y ) ),
		fmax( fabs( elements->lower.z ), fabs( elements->upper.z ) ) );
	double speed = ds_length( step->velocity.linear ) + ds_length( step->velocity.angular ) * ds_length( far );
	return speed * step->dt;
}

static bool finite_step( const ds_contact_step *step )
{
	const ds_quat q = step->pose.attitude;
	return ds_finite( step->pose.position ) && isfinite( q.w ) && isfinite( q.x ) && isfinite( q.y ) &&
		   isfinite( q.z ) && ds_finite( step->velocity.linear ) && ds_finite( step->velocity.angular ) &&
		   isfinite( step->dt );
}

bool ds_contact_near( const ds_ground *ground, const ds_elements *elements, const ds_contact_step *step )
{
	if ( elements->count == 0 || !finite_step( step ) )
	{
		return elements->count != 0;
	}
	ds_mat3 r = ds_mat3_from_quat( step->pose.attitude );
	box b = world_box( &r, step->pose.position, elements->lower, elements->upper );
	double margin = reach( elements, step );
	ds_rectangle where = { b.center.x - b.half.x - margin, b.center.y - b.half.y - margin,
		b.center.x + b.half.x + margin, b.center.y + b.half.y + margin };
	double top, bottom;
	return ds_terrain_bounds( ground->terrain, &where, &top, &bottom ) && b.center.z + b.half.z + margin >= top;
}

// ---- gathering ---------------------------------------------------------------------------------------------------

// Elements that may touch, a chunk at a time.
typedef struct gatherer
{
	ds_contact_batch batch;
	int lanes; // filled
	int32_t index[DS_CONTACT_BATCH];
	ds_vec3 place[DS_CONTACT_BATCH]; // in the world
	double slant[DS_CONTACT_BATCH]; // vertical part of the way into the ground
	const ds_soil *soil; // of the last element, with its width and the modulus of both
	double width, modulus;

	const ds_ground *ground;
	const ds_soil *uniform; // the only soil, or NULL
	const ds_elements *elements;
	const ds_contact_step *step;
	ds_contact_motion motion;
	ds_mat3 r;
	bool plane;
	ds_terrain_point level; // of a plane
	ds_vec3 down; // of a plane: into the ground, body axes
	double far; // how far an element may go in the step, rounding included [m]
} gatherer;

// Ground under a chunk of elements.
typedef struct chunk
{
	int32_t first, count;
	double x[CHUNK], y[CHUNK], z[CHUNK]; // places in the world
	double ground_z[CHUNK], nx[CHUNK], ny[CHUNK], nz[CHUNK]; // world
	double dx[CHUNK], dy[CHUNK], dz[CHUNK]; // into the ground, body axes
	double depth[CHUNK];
	double deepest[CHUNK]; // the greatest of the step
	double cosine[CHUNK];
} chunk;

static void gather_start( gatherer *g, const ds_ground *ground, const ds_elements *elements,
	const ds_contact_step *step, const ds_twist *mean )
{
	// what not every element writes
	memset( g->batch.soil, 0, sizeof( g->batch.soil ) );
	memset( g->batch.in[DS_CONTACT_VX], 0, 3 * sizeof( g->batch.in[0] ) );
	memset( g->batch.in[DS_CONTACT_PACKED], 0, 2 * sizeof( g->batch.in[0] ) );
	g->lanes = 0;
	g->soil = NULL;
	g->width = g->modulus = 0;
	g->level = ( ds_terrain_point ){ 0, { 0, 0, -1 } };
	g->ground = ground;
	g->uniform = ds_soil_map_uniform( ground->soils );
	g->elements = elements;
	g->step = step;
	g->motion.velocity = mean->linear;
	g->motion.rate = mean->angular;
	g->motion.speed = elements->speed;
	g->motion.dt = step->dt;
	g->motion.per_dt = step->dt > 0 ? 1 / step->dt : 0;
	g->r = ds_mat3_from_quat( step->pose.attitude );
	g->plane = ds_terrain_see( ground->terrain )->kind == DS_GROUND_PLANE &&
			   ds_terrain_at( ground->terrain, step->pose.position.x, step->pose.position.y, &g->level );
	g->down = ds_mat3_tmul_vec( &g->r, ds_scale( -1, g->level.normal ) );
	g->far = reach( elements, step ) + 1e-6;
}

// Whether any element of a chunk may touch in the step, by its box. What is not asked keeps its state, which is forgotten once it comes
// from above.
static bool chunk_is_near( const gatherer *g, int32_t first )
{
	const ds_elements *e = g->elements;
	if ( e->boxes == NULL )
	{
		return true;
	}
	const ds_vec3 lower = e->boxes[2 * ( first / CHUNK )], upper = e->boxes[2 * ( first / CHUNK ) + 1];
	const ds_vec3 o = g->step->pose.position;
	if ( g->plane )
	{
		ds_vec3 center = ds_scale( 0.5, ds_add( lower, upper ) ), half = ds_scale( 0.5, ds_sub( upper, lower ) );
		double deepest = ds_dot( g->down, center ) + fabs( g->down.x ) * half.x + fabs( g->down.y ) * half.y +
						 fabs( g->down.z ) * half.z;
		return deepest + ( o.z - g->level.z ) * -g->level.normal.z + g->far > 0;
	}
	box b = world_box( &g->r, o, lower, upper );
	ds_rectangle where = { b.center.x - b.half.x - g->far, b.center.y - b.half.y - g->far,
		b.center.x + b.half.x + g->far, b.center.y + b.half.y + g->far };
	double top, bottom;
	return ds_terrain_bounds( g->ground->terrain, &where, &top, &bottom ) && b.center.z + b.half.z + g->far >= top;
}

// A soil's numbers, as `in` of a batch and `soil` of a run have them: each `stride` after the one before.
static void soil_numbers( const ds_soil *s, const ds_elements *e, double *in, int stride )
{
	const double sine = sin( s->friction ), passive = ( 1 + sine ) / ( 1 - sine ), n = s->n;
	in[DS_CONTACT_N * stride] = n;
	in[DS_CONTACT_N2 * stride] = n * ( n - 1 ) / 2;
	in[DS_CONTACT_N3 * stride] = n * ( n - 1 ) * ( n - 2 ) / 6;
	in[DS_CONTACT_N4 * stride] = n * ( n - 1 ) * ( n - 2 ) * ( n - 3 ) / 24;
	for ( int i = 0; i < 4; ++i )
	{
		in[( DS_CONTACT_M1 + i ) * stride] = in[( DS_CONTACT_N + i ) * stride] / ( 2 + i );
	}
	in[DS_CONTACT_COHESION * stride] = s->cohesion * ( 1 + e->more_cohesion );
	in[DS_CONTACT_TAN_FRICTION * stride] = tan( s->friction ) * ( 1 + e->more_friction );
	in[DS_CONTACT_K * stride] = s->shear_displacement;
	in[DS_CONTACT_PER_K * stride] = 1 / s->shear_displacement;
	in[DS_CONTACT_ELASTIC * stride] = s->elastic;
	in[DS_CONTACT_PER_REBOUND * stride] = 1 / fmax( s->rebound, 1e-9 );
	in[DS_CONTACT_DAMPING * stride] = s->printed_damping ? -s->damping : s->damping;
	in[DS_CONTACT_SUCTION * stride] = s->suction;
	in[DS_CONTACT_SLIP_SINKAGE * stride] = s->slip_sinkage;
	in[DS_CONTACT_LATERAL * stride] = s->lateral;
	in[DS_CONTACT_PASSIVE_WEIGHT * stride] = s->bulldozing ? s->unit_weight * passive : 0;
	in[DS_CONTACT_PASSIVE_COHESION * stride] = s->bulldozing ? 2 * s->cohesion * sqrt( passive ) : 0;
	in[DS_CONTACT_PRINTED_SHEAR * stride] = s->printed_shear ? 1 : 0;
}

static void put_soil( ds_contact_batch *b, int lane, const ds_soil *s, const ds_elements *e )
{
	if ( b->soil[lane] != s )
	{
		b->soil[lane] = s;
		soil_numbers( s, e, b->in[0] + lane, DS_CONTACT_BATCH );
	}
}

// Depths of a chunk below the ground, along its normals, and the ways into it.
static void sound( const gatherer *g, chunk *c )
{
	const ds_elements *e = g->elements;
	const ds_mat3 *r = &g->r;
	const ds_vec3 o = g->step->pose.position;
	const double *ex = e->x + c->first, *ey = e->y + c->first, *ez = e->z + c->first;
	for ( int i = 0; i < c->count; ++i )
	{
		c->x[i] = r->m[0][0] * ex[i] + r->m[0][1] * ey[i] + r->m[0][2] * ez[i] + o.x;
		c->y[i] = r->m[1][0] * ex[i] + r->m[1][1] * ey[i] + r->m[1][2] * ez[i] + o.y;
	}
	if ( g->plane )
	{
		const double below = ( o.z - g->level.z ) * -g->level.normal.z;
		for ( int i = 0; i < c->count; ++i )
		{
			c->depth[i] = g->down.x * ex[i] + g->down.y * ey[i] + g->down.z * ez[i] + below;
			c->dx[i] = g->down.x;
			c->dy[i] = g->down.y;
			c->dz[i] = g->down.z;
			c->nz[i] = g->level.normal.z;
		}
		return;
	}
	for ( int i = 0; i < c->count; ++i )
	{
		c->z[i] = r->m[2][0] * ex[i] + r->m[2][1] * ey[i] + r->m[2][2] * ez[i] + o.z;
	}
	ds_terrain_at_many( g->ground->terrain, c->count, c->x, c->y, c->ground_z, c->nx, c->ny, c->nz );
	for ( int i = 0; i < c->count; ++i )
	{
		c->depth[i] = ( c->z[i] - c->ground_z[i] ) * -c->nz[i];
		c->dx[i] = -( r->m[0][0] * c->nx[i] + r->m[1][0] * c->ny[i] + r->m[2][0] * c->nz[i] );
		c->dy[i] = -( r->m[0][1] * c->nx[i] + r->m[1][1] * c->ny[i] + r->m[2][1] * c->nz[i] );
		c->dz[i] = -( r->m[0][2] * c->nx[i] + r->m[1][2] * c->ny[i] + r->m[2][2] * c->nz[i] );
	}
}

// How deep a chunk may go in the step, and how it faces the ground.
static void look_ahead( const gatherer *g, chunk *c )
{
	const ds_elements *e = g->elements;
	const ds_vec3 v = g->motion.velocity, w = g->motion.rate;
	const double dt = g->motion.dt;
	const int32_t f = c->first;
	for ( int i = 0; i < c->count; ++i )
	{
		double vx = v.x + w.y * e->z[f + i] - w.z * e->y[f + i];
		double vy = v.y + w.z * e->x[f + i] - w.x * e->z[f + i];
		double vz = v.z + w.x * e->y[f + i] - w.y * e->x[f + i];
		double sinks = ( vx * c->dx[i] + vy * c->dy[i] + vz * c->dz[i] ) * dt;
		c->deepest[i] = c->depth[i] + ( sinks > 0 ? sinks : 0 );
		c->cosine[i] = e->nx[f + i] * c->dx[i] + e->ny[f + i] * c->dy[i] + e->nz[f + i] * c->dz[i];
	}
	for ( int i = 0; e->vx != NULL && i < c->count; ++i )
	{
		double belt = e->vx[f + i] * c->dx[i] + e->vy[f + i] * c->dy[i] + e->vz[f + i] * c->dz[i];
		belt *= e->speed;
		c->deepest[i] += belt > 0 ? belt * dt : 0;
	}
}

// kc / b + kphi; most elements have the width of the one before.
static double modulus( gatherer *g, const ds_soil *soil, double width )
{
	if ( soil != g->soil || width != g->width )
	{
		g->soil = soil;
		g->width = width;
		g->modulus = ( width > 0 ? soil->kc / width : 0 ) + soil->kphi;
	}
	return g->modulus;
}

// Whether an element may touch in the step; its place in the batch is filled then.
static bool gather( gatherer *g, const chunk *c, int i, const ds_element_block *state )
{
	if ( !( c->deepest[i] > 0 ) )
	{
		return false;
	}
	const ds_elements *e = g->elements;
	const int32_t k = c->first + i;
	const ds_soil *soil = g->uniform != NULL ? g->uniform : ds_soil_map_at( g->ground->soils, c->x[i], c->y[i] );
	if ( !( c->cosine[i] > DS_CONTACT_LEAST_COSINE ||
			 ( soil->bulldozing && c->cosine[i] > -DS_CONTACT_LEAST_COSINE ) ) )
	{
		return false;
	}
	const int lane = g->lanes;
	ds_contact_batch *b = &g->batch;
	if ( g->ground->rut != NULL )
	{
		ds_rut_point rut = ds_rut_at( g->ground->rut, c->x[i], c->y[i], g->step->tick, g->step->toucher );
		b->in[DS_CONTACT_PACKED][lane] = rut.packed * -c->nz[i];
		b->in[DS_CONTACT_SURFACE][lane] = rut.surface * -c->nz[i];
		g->place[lane] = ds_v3( c->x[i], c->y[i], 0 );
		g->slant[lane] = -c->nz[i];
	}
	b->in[DS_CONTACT_X][lane] = e->x[k];
	b->in[DS_CONTACT_Y][lane] = e->y[k];
	b->in[DS_CONTACT_Z][lane] = e->z[k];
	b->in[DS_CONTACT_NX][lane] = e->nx[k];
	b->in[DS_CONTACT_NY][lane] = e->ny[k];
	b->in[DS_CONTACT_NZ][lane] = e->nz[k];
	b->in[DS_CONTACT_AREA][lane] = e->area[k];
	if ( e->vx != NULL )
	{
		b->in[DS_CONTACT_VX][lane] = e->vx[k];
		b->in[DS_CONTACT_VY][lane] = e->vy[k];
		b->in[DS_CONTACT_VZ][lane] = e->vz[k];
	}
	b->in[DS_CONTACT_DX][lane] = c->dx[i];
	b->in[DS_CONTACT_DY][lane] = c->dy[i];
	b->in[DS_CONTACT_DZ][lane] = c->dz[i];
	b->in[DS_CONTACT_DEPTH][lane] = c->depth[i];
	const double width = soil->printed_pressure ? sqrt( e->face_area[k] ) : e->width[k];
	b->in[DS_CONTACT_WIDTH][lane] = width;
	b->in[DS_CONTACT_MODULUS][lane] = modulus( g, soil, width );
	const ds_element_state s = ds_element_get( state, k );
	b->in[DS_CONTACT_PRESSURE][lane] = s.pressure;
	b->in[DS_CONTACT_GAP][lane] = s.gap;
	b->in[DS_CONTACT_STIFFNESS][lane] = s.stiffness;
	b->in[DS_CONTACT_UX][lane] = s.shear[0];
	b->in[DS_CONTACT_UY][lane] = s.shear[1];
	b->in[DS_CONTACT_UZ][lane] = s.shear[2];
	b->in[DS_CONTACT_REACHED][lane] = s.reached;
	b->in[DS_CONTACT_SLIP][lane] = s.slip;
	// powers are of one soil alone
	b->in[DS_CONTACT_PER_DEPTH][lane] = g->uniform != NULL ? s.per_depth : 0;
	b->in[DS_CONTACT_POWER][lane] = g->uniform != NULL ? s.power : 0;
	put_soil( b, lane, soil, e );
	g->index[lane] = k;
	++g->lanes;
	return true;
}

// Completes a batch: lanes without an element lie above the ground.
static void gather_close( gatherer *g )
{
	ds_contact_batch *b = &g->batch;
	b->count = ( g->lanes + DS_CONTACT_LANES - 1 ) / DS_CONTACT_LANES * DS_CONTACT_LANES;
	for ( int lane = g->lanes; lane < b->count; ++lane )
	{
		for ( int j = 0; j < DS_CONTACT_N; ++j )
		{
			b->in[j][lane] = 0;
		}
		b->in[DS_CONTACT_DEPTH][lane] = -1;
		b->in[DS_CONTACT_WIDTH][lane] = 1;
		b->in[DS_CONTACT_MODULUS][lane] = 1;
		put_soil( b, lane, b->soil[0], g->elements );
	}
	b->linear = true;
	b->marked = false;
	b->bulldozing = false;
	b->plain = true;
	for ( int lane = 0; lane < ( g->uniform != NULL ? 1 : b->count ); ++lane )
	{
		const ds_soil *soil = b->soil[lane];
		b->linear = b->linear && soil->n == 1;
		b->bulldozing = b->bulldozing || soil->bulldozing;
		b->plain = b->plain && !soil->bulldozing && soil->lateral == 1;
	}
	for ( int lane = 0; g->ground->rut != NULL && lane < b->count; ++lane )
	{
		b->marked = b->marked || b->in[DS_CONTACT_PACKED][lane] > 0;
	}
}

// ---- sums --------------------------------------------------------------------------------------------------------

static double add_lanes( const double *l )
{
	return ( ( l[0] + l[4] ) + ( l[2] + l[6] ) ) + ( ( l[1] + l[5] ) + ( l[3] + l[7] ) );
}

static void fill_forces( const ds_contact_lanes *sums, ds_contact_forces *out )
{
	double t[DS_PRESS_SUMS];
	for ( int i = 0; i < DS_PRESS_SUMS; ++i )
	{
		t[i] = add_lanes( sums->lane[i] );
	}
	out->wrench.force = ds_v3( t[0], t[1], t[2] );
	out->wrench.torque = ds_v3( t[3], t[4], t[5] );
	out->along = t[DS_PRESS_ALONG];
	out->touching = (int32_t)t[DS_PRESS_TOUCHING];

	const double s = t[DS_PRESS_ISOTROPIC], *f = t + DS_PRESS_FIRST, *q = t + DS_PRESS_SECOND;
	const double full[6][6] = {
		{ s, 0, 0, 0, f[2], -f[1] },
		{ 0, s, 0, -f[2], 0, f[0] },
		{ 0, 0, s, f[1], -f[0], 0 },
		{ 0, -f[2], f[1], q[1] + q[2], -q[3], -q[4] },
		{ f[2], 0, -f[0], -q[3], q[0] + q[2], -q[5] },
		{ -f[1], f[0], 0, -q[4], -q[5], q[0] + q[1] },
	};
	int at = DS_PRESS_RANK;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j <= i; ++j, ++at )
		{
			out->give.m[i][j] = out->give.m[j][i] = full[i][j] + t[at];
		}
	}
}

static void fill_sums( const ds_contact_lanes *lanes, const ds_mat3 *r, ds_contact_sums *out )
{
	double t[DS_COMMIT_SUMS];
	for ( int i = 0; i < DS_COMMIT_SUMS; ++i )
	{
		t[i] = add_lanes( lanes->lane[i] );
	}
	memset( out, 0, sizeof( *out ) );
	out->steps = 1;
	out->touching = (int32_t)t[DS_COMMIT_TOUCHING];
	out->normal = ds_mat3_mul_vec( r, ds_v3( t[0], t[1], t[2] ) );
	out->shear = ds_mat3_mul_vec( r, ds_v3( t[3], t[4], t[5] ) );
	out->normal_force = t[DS_COMMIT_NORMAL_FORCE];
	out->area = t[DS_COMMIT_AREA];
	for ( int i = 0; i < DS_CONTACT_LANES; ++i )
	{
		out->sinkage = fmax( out->sinkage, lanes->lane[DS_COMMIT_SINKAGE][i] );
	}
	out->mean_sinkage = out->area > 0 ? t[DS_COMMIT_AREA_SINKAGE] / out->area : 0;
	out->slip_speed = out->normal_force > 0 ? t[DS_COMMIT_FORCE_SLIP] / out->normal_force : 0;
	out->work = t[DS_COMMIT_WORK];
}

// ---- runs --------------------------------------------------------------------------------------------------------

// Prepares whole blocks to be read where they lie; the number of elements of those, 0 where it cannot be.
static int32_t run_start( const gatherer *g, ds_contact_run *run )
{
	const ds_soil *s = g->uniform;
	if ( s == NULL || g->ground->rut != NULL || s->bulldozing || s->lateral != 1 || s->slip_sinkage != 0 ||
		 s->suction != 0 || s->printed_pressure || s->printed_shear || s->printed_damping )
	{
		return 0;
	}
	*run = ( ds_contact_run ){ .elements = g->elements,
		.plane = g->plane,
		.down = g->down,
		.below = ( g->step->pose.position.z - g->level.z ) * -g->level.normal.z,
		.kc = s->kc,
		.kphi = s->kphi,
		.linear = s->n == 1 };
	soil_numbers( s, g->elements, run->soil, 1 );
	return g->elements->count / DS_ELEMENT_LANES * DS_ELEMENT_LANES;
}

// The ground under the blocks from `first` on.
static void run_move( const gatherer *g, ds_contact_run *run, chunk *c, int32_t first, int32_t end )
{
	run->first = c->first = first;
	run->count = c->count = end - first < CHUNK ? end - first : CHUNK;
	if ( !run->plane )
	{
		sound( g, c );
		run->depth = c->depth;
		run->dx = c->dx;
		run->dy = c->dy;
		run->dz = c->dz;
	}
}

// ---- a step ------------------------------------------------------------------------------------------------------

// The elements from `first` on that are gathered next; false: none of them may touch.
static bool take_chunk( const gatherer *g, int32_t first, chunk *c )
{
	if ( !chunk_is_near( g, first ) )
	{
		return false;
	}
	const int32_t left = g->elements->count - first;
	c->first = first;
	c->count = left < CHUNK ? left : CHUNK;
	sound( g, c );
	look_ahead( g, c );
	return true;
}

void ds_contact_press_by( const ds_contact_kernel *kernel, const ds_ground *ground, const ds_elements *elements,
	const ds_element_block *state, const ds_contact_step *step, ds_contact_forces *forces )
{
	memset( forces, 0, sizeof( *forces ) );
	if ( !finite_step( step ) )
	{
		forces->wrench.force = ds_v3( NAN, NAN, NAN );
		return;
	}
	gatherer g;
	ds_contact_lanes sums;
	memset( &sums, 0, sizeof( sums ) );
	gather_start( &g, ground, elements, step, &step->velocity );
	chunk c;
	ds_contact_run run;
	const int32_t whole = run_start( &g, &run );
	for ( int32_t first = 0; first < whole; first += CHUNK )
	{
		run_move( &g, &run, &c, first, whole );
		kernel->press_run( &run, &g.motion, state + first / DS_ELEMENT_LANES, &sums );
	}
	for ( int32_t first = whole; first < elements->count; first += CHUNK )
	{
		if ( !take_chunk( &g, first, &c ) )
		{
			continue;
		}
		for ( int i = 0; i < c.count; ++i )
		{
			if ( gather( &g, &c, i, state ) && g.lanes == DS_CONTACT_BATCH )
			{
				gather_close( &g );
				kernel->press( &g.batch, &g.motion, &sums );
				g.lanes = 0;
			}
		}
	}
	if ( g.lanes > 0 )
	{
		gather_close( &g );
		kernel->press( &g.batch, &g.motion, &sums );
	}
	fill_forces( &sums, forces );
}

// The state after a batch, and its mark on the ground.
static void keep( const gatherer *g, const ds_contact_after *after, ds_element_block *state )
{
	for ( int lane = 0; lane < g->lanes; ++lane )
	{
		ds_element_state s = ds_element_get( state, g->index[lane] );
		s.pressure = after->out[DS_AFTER_PRESSURE][lane];
		s.gap = after->out[DS_AFTER_GAP][lane];
		s.stiffness = after->out[DS_AFTER_STIFFNESS][lane];
		s.shear[0] = after->out[DS_AFTER_UX][lane];
		s.shear[1] = after->out[DS_AFTER_UY][lane];
		s.shear[2] = after->out[DS_AFTER_UZ][lane];
		s.reached = after->out[DS_AFTER_REACHED][lane];
		s.slip = after->out[DS_AFTER_SLIP][lane];
		s.per_depth = g->uniform != NULL ? after->out[DS_AFTER_PER_DEPTH][lane] : 0;
		s.power = g->uniform != NULL ? after->out[DS_AFTER_POWER][lane] : 0;
		ds_element_put( state, g->index[lane], &s );
		double depth = after->out[DS_AFTER_DEPTH][lane];
		if ( g->ground->rut != NULL && depth > 0 )
		{
			ds_rut_touch( g->ground->rut, g->place[lane].x, g->place[lane].y, after->out[DS_AFTER_AREA][lane],
				depth / g->slant[lane], g->step->tick, g->step->toucher );
		}
	}
}

void ds_contact_commit_by( const ds_contact_kernel *kernel, const ds_ground *ground, const ds_elements *elements,
	ds_element_block *state, const ds_contact_step *step, const ds_twist *mean, ds_contact_sums *sums )
{
	ds_contact_step real = *step;
	real.velocity = *mean;
	gatherer g;
	ds_contact_lanes lanes;
	ds_contact_after after;
	memset( &lanes, 0, sizeof( lanes ) );
	gather_start( &g, ground, elements, &real, mean );
	chunk c;
	ds_contact_run run;
	const bool finite = finite_step( &real );
	const int32_t whole = finite ? run_start( &g, &run ) : 0;
	for ( int32_t first = 0; first < whole; first += CHUNK )
	{
		run_move( &g, &run, &c, first, whole );
		kernel->commit_run( &run, &g.motion, state + first / DS_ELEMENT_LANES, &lanes );
	}
	for ( int32_t first = whole; finite && first < elements->count; first += CHUNK )
	{
		if ( !take_chunk( &g, first, &c ) )
		{
			continue;
		}
		for ( int i = 0; i < c.count; ++i )
		{
			if ( !gather( &g, &c, i, state ) )
			{
				const ds_element_state s = ds_element_get( state, c.first + i ), nothing = { 0 };
				if ( s.pressure != 0 || s.gap != 0 || s.slip != 0 || s.stiffness != 0 )
				{
					ds_element_put( state, c.first + i, &nothing );
				}
			}
			else if ( g.lanes == DS_CONTACT_BATCH )
			{
				gather_close( &g );
				kernel->commit( &g.batch, &g.motion, &after, &lanes );
				keep( &g, &after, state );
				g.lanes = 0;
			}
		}
	}
	if ( g.lanes > 0 )
	{
		gather_close( &g );
		kernel->commit( &g.batch, &g.motion, &after, &lanes );
		keep( &g, &after, state );
	}
	fill_sums( &lanes, &g.r, sums );
}

void ds_contact_press( const ds_ground *ground, const ds_elements *elements, const ds_element_block *state,
	const ds_contact_step *step, ds_contact_forces *forces )
{
	ds_contact_press_by( ds_contact_fastest(), ground, elements, state, step, forces );
}

void ds_contact_commit( const ds_ground *ground, const ds_elements *elements, ds_element_block *state,
	const ds_contact_step *step, const ds_twist *mean, ds_contact_sums *sums )
{
	ds_contact_commit_by( ds_contact_fastest(), ground, elements, state, step, mean, sums );
}
