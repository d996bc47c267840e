// The inner loop over elements, written once and compiled for several instruction sets: a source that includes this file defines
// WIDTH (lanes handled at a time), the types `vec` and `mask`, LOAD, STORE (LOADU, STOREU: anywhere), SPLAT, SQRT, ABS, GREATER, SELECT, MASK_AND, ANY,
// EXPONENT, MANTISSA and POWER_OF_TWO. Vectors add, subtract, multiply and divide by the plain operators. No operation may be
// contracted (-ffp-contract=off). What an element does over a step is the same for press and commit: contact_element.h.

#define ALWAYS static inline __attribute__( ( always_inline ) )

#include "terrain/contact_power.h"

#include "terrain/contact_element.h"

#define SUM( i )    ( sums->lane[i] + lane % DS_CONTACT_LANES )
#define ADD( i, x ) STORE( SUM( i ), LOAD( SUM( i ) ) + ( x ) )

// ---- what is known of elements -----------------------------------------------------------------------------------

ALWAYS given of_batch( const ds_contact_batch *batch, int lane )
{
	given g;
	g.r = load3( batch->in + DS_CONTACT_X, lane );
	g.n = load3( batch->in + DS_CONTACT_NX, lane );
	g.d = load3( batch->in + DS_CONTACT_DX, lane );
	g.belt = load3( batch->in + DS_CONTACT_VX, lane );
	g.u = load3( batch->in + DS_CONTACT_UX, lane );
	g.area = LOAD( batch->in[DS_CONTACT_AREA] + lane );
	g.depth = LOAD( batch->in[DS_CONTACT_DEPTH] + lane );
	g.width = LOAD( batch->in[DS_CONTACT_WIDTH] + lane );
	g.modulus = LOAD( batch->in[DS_CONTACT_MODULUS] + lane );
	g.packed = LOAD( batch->in[DS_CONTACT_PACKED] + lane );
	g.surface = LOAD( batch->in[DS_CONTACT_SURFACE] + lane );
	g.pressure = LOAD( batch->in[DS_CONTACT_PRESSURE] + lane );
	g.gap = LOAD( batch->in[DS_CONTACT_GAP] + lane );
	g.stiffness = LOAD( batch->in[DS_CONTACT_STIFFNESS] + lane );
	g.reached = LOAD( batch->in[DS_CONTACT_REACHED] + lane );
	g.slip = LOAD( batch->in[DS_CONTACT_SLIP] + lane );
	g.per_depth = LOAD( batch->in[DS_CONTACT_PER_DEPTH] + lane );
	g.power = LOAD( batch->in[DS_CONTACT_POWER] + lane );
	g.linear = batch->linear;
	g.marked = batch->marked;
	g.bulldozing = batch->bulldozing;
	g.soil = batch->in[0] + lane;
	return g;
}

ALWAYS vec3 loadu3( const double *x, const double *y, const double *z, int i )
{
	vec3 r = { LOADU( x + i ), LOADU( y + i ), LOADU( z + i ) };
	return r;
}

// Place and way into the ground. False: none of them may touch in the step; `live`: which may.
ALWAYS bool of_run_place( const ds_contact_run *run, const ds_contact_motion *motion, int lane, given *g, mask *live )
{
	const vec zero = SPLAT( 0 );
	const ds_elements *e = run->elements;
	const int at = run->first + lane;
	g->r = loadu3( e->x, e->y, e->z, at );
	g->n = loadu3( e->nx, e->ny, e->nz, at );
	if ( run->plane )
	{
		g->d = splat3( run->down );
		g->depth = dot( g->d, g->r ) + SPLAT( run->below );
	}
	else
	{
		g->d = loadu3( run->dx, run->dy, run->dz, lane );
		g->depth = LOADU( run->depth + lane );
	}
	g->belt.x = g->belt.y = g->belt.z = zero;
	vec3 v = add( splat3( motion->velocity ), cross( splat3( motion->rate ), g->r ) );
	if ( e->vx != NULL )
	{
		g->belt = loadu3( e->vx, e->vy, e->vz, at );
		v = add( v, scale( SPLAT( motion->speed ), g->belt ) );
	}
	vec deepest = g->depth + most( dot( v, g->d ) * SPLAT( motion->dt ), zero );
	*live = MASK_AND( GREATER( deepest, zero ), GREATER( dot( g->n, g->d ), SPLAT( DS_CONTACT_LEAST_COSINE ) ) );
	return ANY( *live );
}

ALWAYS void of_run( const ds_contact_run *run, const ds_element_block *block, int lane, mask live, given *g )
{
	const vec zero = SPLAT( 0 );
	const ds_elements *e = run->elements;
	const int at = run->first + lane, k = lane % DS_ELEMENT_LANES;
	g->area = SELECT( live, LOADU( e->area + at ), zero );
	g->depth = SELECT( live, g->depth, SPLAT( -1 ) );
	g->width = LOADU( e->width + at );
	g->modulus = SPLAT( run->kphi );
	if ( run->kc != 0 )
	{
		mask wide = GREATER( g->width, zero );
		g->modulus = SELECT( wide, SPLAT( run->kc ) / SELECT( wide, g->width, SPLAT( 1 ) ), zero ) + g->modulus;
	}
	g->packed = g->surface = zero;
	g->pressure = LOADU( block->pressure + k );
	g->gap = LOADU( block->gap + k );
	g->stiffness = LOADU( block->stiffness + k );
	g->u = loadu3( block->shear[0], block->shear[1], block->shear[2], k );
	g->reached = LOADU( block->reached + k );
	g->slip = LOADU( block->slip + k );
	g->per_depth = LOADU( block->per_depth + k );
	g->power = LOADU( block->power + k );
	g->linear = run->linear;
	g->marked = g->bulldozing = false;
	g->soil = run->soil;
}

// ---- sums of forces ----------------------------------------------------------------------------------------------

// a J J^T, J = ( e, r x e ).
ALWAYS void add_rank( ds_contact_lanes *sums, int lane, vec a, vec3 e, vec3 m )
{
	const vec j[6] = { e.x, e.y, e.z, m.x, m.y, m.z };
	int at = DS_PRESS_RANK;
	for ( int row = 0; row < 6; ++row )
	{
		vec s = a * j[row];
		for ( int column = 0; column <= row; ++column, ++at )
		{
			ADD( at, s * j[column] );
		}
	}
}

ALWAYS void add_force( ds_contact_lanes *sums, int lane, vec3 f, vec3 r, vec g )
{
	vec3 t = cross( r, f ), gr = scale( g, r );
	ADD( DS_PRESS_FORCE, f.x );
	ADD( DS_PRESS_FORCE + 1, f.y );
	ADD( DS_PRESS_FORCE + 2, f.z );
	ADD( DS_PRESS_TORQUE, t.x );
	ADD( DS_PRESS_TORQUE + 1, t.y );
	ADD( DS_PRESS_TORQUE + 2, t.z );
	ADD( DS_PRESS_ISOTROPIC, g );
	ADD( DS_PRESS_FIRST, gr.x );
	ADD( DS_PRESS_FIRST + 1, gr.y );
	ADD( DS_PRESS_FIRST + 2, gr.z );
	ADD( DS_PRESS_SECOND, gr.x * r.x );
	ADD( DS_PRESS_SECOND + 1, gr.y * r.y );
	ADD( DS_PRESS_SECOND + 2, gr.z * r.z );
	ADD( DS_PRESS_SECOND + 3, gr.x * r.y );
	ADD( DS_PRESS_SECOND + 4, gr.x * r.z );
	ADD( DS_PRESS_SECOND + 5, gr.y * r.z );
}

static void press( const ds_contact_batch *batch, const ds_contact_motion *motion, ds_contact_lanes *sums )
{
	const vec zero = SPLAT( 0 ), half_dt = SPLAT( 0.5 * motion->dt );
	for ( int lane = 0; lane < batch->count; lane += WIDTH )
	{
		element p;
		const given in = of_batch( batch, lane );
		element_place( &in, motion, false, &p );
		element_indent( &in, motion, false, &p );
		element_push( &in, motion, false, &p );
		element_shear( &in, motion, false, &p );

		vec3 f = scale( zero - p.area, add( add( scale( p.total, p.e ), p.tau ), scale( p.passive, p.push ) ) );
		ADD( DS_PRESS_ALONG, zero - dot( f, p.belt ) );
		ADD( DS_PRESS_TOUCHING, p.touches );

		// how the force changes with the velocity at the end: half of how it changes with the mean one
		vec g = half_dt * p.area * p.shear_slope;
		vec a = half_dt * p.area * p.slope;
		add_force( sums, lane, f, p.r, g );
		if ( batch->plain )
		{
			add_rank( sums, lane, a - g, p.n, cross( p.r, p.n ) );
		}
		else
		{
			add_rank( sums, lane, a, p.e, cross( p.r, p.e ) );
			add_rank( sums, lane, zero - g, p.n, cross( p.r, p.n ) );
			add_rank( sums, lane, half_dt * p.area * p.passive_slope, p.push, cross( p.r, p.push ) );
		}
	}
}

// What a run presses with: kept until its sums are taken, in loops short enough to hold them in registers.
typedef struct pressed
{
	_Alignas( 64 ) double f[3][DS_CONTACT_BATCH], g[DS_CONTACT_BATCH], a[DS_CONTACT_BATCH];
} pressed;

#define REPEAT_21( DO )                                                                                                \
	DO( 0, 0, 0 )                                                                                                      \
	DO( 1, 1, 0 )                                                                                                      \
	DO( 2, 1, 1 )                                                                                                      \
	DO( 3, 2, 0 )                                                                                                      \
	DO( 4, 2, 1 )                                                                                                      \
	DO( 5, 2, 2 )                                                                                                      \
	DO( 6, 3, 0 )                                                                                                      \
	DO( 7, 3, 1 )                                                                                                      \
	DO( 8, 3, 2 )                                                                                                      \
	DO( 9, 3, 3 )                                                                                                      \
	DO( 10, 4, 0 )                                                                                                     \
	DO( 11, 4, 1 )                                                                                                     \
	DO( 12, 4, 2 )                                                                                                     \
	DO( 13, 4, 3 )                                                                                                     \
	DO( 14, 4, 4 )                                                                                                     \
	DO( 15, 5, 0 )                                                                                                     \
	DO( 16, 5, 1 )                                                                                                     \
	DO( 17, 5, 2 )                                                                                                     \
	DO( 18, 5, 3 )                                                                                                     \
	DO( 19, 5, 4 )                                                                                                     \
	DO( 20, 5, 5 )

static void sum_ranks( const ds_contact_run *run, const pressed *q, ds_contact_lanes *sums )
{
	const ds_elements *e = run->elements;
	for ( int lane = 0; lane < DS_CONTACT_LANES; lane += WIDTH )
	{
#define START( at, row, column ) vec s##at = LOAD( SUM( DS_PRESS_RANK + at ) );
#define TAKE( at, row, column )  s##at = s##at + aj##row * j##column;
#define KEEP( at, row, column )  STORE( SUM( DS_PRESS_RANK + at ), s##at );
		REPEAT_21( START )
		for ( int i = lane; i < run->count; i += DS_CONTACT_LANES )
		{
			vec3 n = loadu3( e->nx, e->ny, e->nz, run->first + i );
			vec3 m = cross( loadu3( e->x, e->y, e->z, run->first + i ), n );
			const vec a = LOAD( q->a + i ), j0 = n.x, j1 = n.y, j2 = n.z, j3 = m.x, j4 = m.y, j5 = m.z;
			const vec aj0 = a * j0, aj1 = a * j1, aj2 = a * j2, aj3 = a * j3, aj4 = a * j4, aj5 = a * j5;
			REPEAT_21( TAKE )
		}
		REPEAT_21( KEEP )
	}
}

#define REPEAT_16( DO )                                                                                                \
	DO( 0, f.x )                                                                                                       \
	DO( 1, f.y )                                                                                                       \
	DO( 2, f.z )                                                                                                       \
	DO( 3, m.x )                                                                                                       \
	DO( 4, m.y )                                                                                                       \
	DO( 5, m.z )                                                                                                       \
	DO( 8, g )                                                                                                         \
	DO( 9, gr.x )                                                                                                      \
	DO( 10, gr.y )                                                                                                     \
	DO( 11, gr.z )                                                                                                     \
	DO( 12, gr.x *r.x )                                                                                                \
	DO( 13, gr.y *r.y )                                                                                                \
	DO( 14, gr.z *r.z )                                                                                                \
	DO( 15, gr.x *r.y )                                                                                                \
	DO( 16, gr.x *r.z )                                                                                                \
	DO( 17, gr.y *r.z )

static void sum_forces( const ds_contact_run *run, const pressed *q, ds_contact_lanes *sums )
{
	const ds_elements *e = run->elements;
	for ( int lane = 0; lane < DS_CONTACT_LANES; lane += WIDTH )
	{
#define START_SUM( at, x ) vec s##at = LOAD( SUM( at ) );
#define TAKE_SUM( at, x )  s##at = s##at + ( x );
#define KEEP_SUM( at, x )  STORE( SUM( at ), s##at );
		REPEAT_16( START_SUM )
		for ( int i = lane; i < run->count; i += DS_CONTACT_LANES )
		{
			const vec3 r = loadu3( e->x, e->y, e->z, run->first + i ), f = loadu3( q->f[0], q->f[1], q->f[2], i );
			const vec g = LOAD( q->g + i );
			const vec3 m = cross( r, f ), gr = scale( g, r );
			REPEAT_16( TAKE_SUM )
		}
		REPEAT_16( KEEP_SUM )
	}
}

static void press_run(
	const ds_contact_run *run, const ds_contact_motion *motion, const ds_element_block *state, ds_contact_lanes *sums )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), half_dt = SPLAT( 0.5 * motion->dt );
	pressed q;
	bool any = false;
	for ( int lane = 0; lane < run->count; lane += WIDTH )
	{
		element p;
		given in;
		mask live;
		if ( !of_run_place( run, motion, lane, &in, &live ) )
		{
			for ( int i = 0; i < 3; ++i )
			{
				STORE( q.f[i] + lane, zero );
			}
			STORE( q.g + lane, zero );
			STORE( q.a + lane, zero );
			continue;
		}
		any = true;
		of_run( run, state + lane / DS_ELEMENT_LANES, lane, live, &in );
		element_place( &in, motion, true, &p );
		element_indent( &in, motion, true, &p );
		element_push( &in, motion, true, &p );
		element_shear( &in, motion, true, &p );

		vec3 f = scale( zero - p.area, add( scale( p.total, p.e ), p.tau ) );
		vec share = half_dt * p.area, g = share * p.shear_slope;
		STORE( q.f[0] + lane, f.x );
		STORE( q.f[1] + lane, f.y );
		STORE( q.f[2] + lane, f.z );
		STORE( q.g + lane, g );
		STORE( q.a + lane, share * p.slope - g );
		if ( run->elements->vx != NULL )
		{
			ADD( DS_PRESS_ALONG, zero - dot( f, p.belt ) );
		}
		ADD( DS_PRESS_TOUCHING, SELECT( live, one, zero ) * p.touches );
	}
	if ( any )
	{
		sum_ranks( run, &q, sums );
		sum_forces( run, &q, sums );
	}
}

// ---- the step as it was ------------------------------------------------------------------------------------------

ALWAYS void add_sums( ds_contact_lanes *sums, int lane, vec dt, const element *p, vec3 normal, vec3 shear, vec touches )
{
	const vec zero = SPLAT( 0 );
	mask on = GREATER( touches, zero );
	vec touching = SELECT( on, p->area * p->c, zero );
	vec force = most( touching * p->total, zero );
	ADD( DS_COMMIT_NORMAL, normal.x );
	ADD( DS_COMMIT_NORMAL + 1, normal.y );
	ADD( DS_COMMIT_NORMAL + 2, normal.z );
	ADD( DS_COMMIT_SHEAR, shear.x );
	ADD( DS_COMMIT_SHEAR + 1, shear.y );
	ADD( DS_COMMIT_SHEAR + 2, shear.z );
	ADD( DS_COMMIT_NORMAL_FORCE, force );
	ADD( DS_COMMIT_AREA, touching );
	ADD( DS_COMMIT_AREA_SINKAGE, touching * p->z1 );
	ADD( DS_COMMIT_FORCE_SLIP, force * p->slip_speed );
	ADD( DS_COMMIT_WORK, zero - dt * dot( add( normal, shear ), p->v ) );
	ADD( DS_COMMIT_TOUCHING, touches );
	vec deepest = SELECT( on, p->z1, zero );
	STORE( SUM( DS_COMMIT_SINKAGE ), most( deepest, LOAD( SUM( DS_COMMIT_SINKAGE ) ) ) );
}

static void commit(
	const ds_contact_batch *batch, const ds_contact_motion *motion, ds_contact_after *after, ds_contact_lanes *sums )
{
	const vec zero = SPLAT( 0 ), dt = SPLAT( motion->dt );
	for ( int lane = 0; lane < batch->count; lane += WIDTH )
	{
		element p;
		const given in = of_batch( batch, lane );
		element_place( &in, motion, false, &p );
		element_indent( &in, motion, false, &p );
		element_push( &in, motion, false, &p );
		element_shear( &in, motion, false, &p );
		element_after( lane, &p, after );

		vec3 normal = scale( zero - p.area, add( scale( p.total, p.e ), scale( p.passive, p.push ) ) );
		vec3 shear = scale( zero - p.area, p.tau );
		add_sums( sums, lane, dt, &p, normal, shear, p.touches );
	}
}

// Forgets what elements held that are not near the ground.
ALWAYS void forget( ds_element_block *block, int k )
{
	const vec zero = SPLAT( 0 );
	vec held = most( most( ABS( LOADU( block->pressure + k ) ), ABS( LOADU( block->gap + k ) ) ),
		most( ABS( LOADU( block->slip + k ) ), ABS( LOADU( block->stiffness + k ) ) ) );
	if ( !ANY( GREATER( held, zero ) ) )
	{
		return;
	}
	double *const fields[] = { block->pressure, block->gap, block->stiffness, block->shear[0], block->shear[1],
		block->shear[2], block->reached, block->slip, block->side, block->per_depth, block->power };
	for ( size_t i = 0; i < sizeof( fields ) / sizeof( fields[0] ); ++i )
	{
		STOREU( fields[i] + k, zero );
	}
}

static void commit_run(
	const ds_contact_run *run, const ds_contact_motion *motion, ds_element_block *state, ds_contact_lanes *sums )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), dt = SPLAT( motion->dt );
	for ( int lane = 0; lane < run->count; lane += WIDTH )
	{
		element p;
		given in;
		mask live;
		ds_element_block *block = state + lane / DS_ELEMENT_LANES;
		const int k = lane % DS_ELEMENT_LANES;
		if ( !of_run_place( run, motion, lane, &in, &live ) )
		{
			forget( block, k );
			continue;
		}
		of_run( run, block, lane, live, &in );
		element_place( &in, motion, true, &p );
		element_indent( &in, motion, true, &p );
		element_push( &in, motion, true, &p );
		element_shear( &in, motion, true, &p );

		mask stays = MASK_AND( live, MASK_AND( GREATER( p.z1, zero ), GREATER( p.c, zero ) ) );
		STOREU( block->pressure + k, SELECT( stays, p.p1, zero ) );
		STOREU( block->gap + k, SELECT( stays, p.gap, zero ) );
		STOREU( block->stiffness + k, SELECT( stays, p.stiffness, zero ) );
		STOREU( block->shear[0] + k, SELECT( stays, p.u.x, zero ) );
		STOREU( block->shear[1] + k, SELECT( stays, p.u.y, zero ) );
		STOREU( block->shear[2] + k, SELECT( stays, p.u.z, zero ) );
		STOREU( block->reached + k, SELECT( stays, p.reached, zero ) );
		STOREU( block->slip + k, SELECT( stays, p.slip, zero ) );
		STOREU( block->per_depth + k, SELECT( stays, p.per_depth, zero ) );
		STOREU( block->power + k, SELECT( stays, p.power, zero ) );

		vec3 normal = scale( zero - p.area * p.total, p.e ), shear = scale( zero - p.area, p.tau );
		add_sums( sums, lane, dt, &p, normal, shear, SELECT( live, one, zero ) * p.touches );
	}
}

#include "terrain/contact_sight.h"
