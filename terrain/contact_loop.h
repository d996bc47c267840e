// The inner loop over elements, written once and compiled for several instruction sets: a source that includes this file defines
// WIDTH (lanes handled at a time), the types `vec` and `mask`, LOAD, STORE, SPLAT, SQRT, ABS, GREATER, SELECT, MASK_AND, ANY,
// EXPONENT, MANTISSA and POWER_OF_TWO. Vectors add, subtract, multiply and divide by the plain operators. No operation may be
// contracted (-ffp-contract=off). What an element does over a step is the same for press and commit: contact_element.h.

#include "terrain/contact_power.h"

#include "terrain/contact_element.h"

#define SUM( i )    ( sums->lane[i] + lane % DS_CONTACT_LANES )
#define ADD( i, x ) STORE( SUM( i ), LOAD( SUM( i ) ) + ( x ) )

// a J J^T, J = ( e, r x e ).
static inline void add_rank( ds_contact_lanes *sums, int lane, vec a, vec3 e, vec3 m )
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

static void press( const ds_contact_batch *batch, const ds_contact_motion *motion, ds_contact_lanes *sums )
{
	const vec zero = SPLAT( 0 ), half_dt = SPLAT( 0.5 * motion->dt );
	for ( int lane = 0; lane < batch->count; lane += WIDTH )
	{
		element p;
		element_place( batch, motion, lane, &p );
		element_indent( batch, motion, lane, &p );
		element_push( batch, motion, lane, &p );
		element_shear( batch, motion, lane, &p );

		vec3 f = scale( zero - p.area, add( add( scale( p.total, p.e ), p.tau ), scale( p.passive, p.push ) ) );
		vec3 t = cross( p.r, f );
		ADD( DS_PRESS_FORCE, f.x );
		ADD( DS_PRESS_FORCE + 1, f.y );
		ADD( DS_PRESS_FORCE + 2, f.z );
		ADD( DS_PRESS_TORQUE, t.x );
		ADD( DS_PRESS_TORQUE + 1, t.y );
		ADD( DS_PRESS_TORQUE + 2, t.z );
		ADD( DS_PRESS_ALONG, zero - dot( f, p.belt ) );
		ADD( DS_PRESS_TOUCHING, p.touches );

		// how the force changes with the velocity at the end: half of how it changes with the mean one
		vec g = half_dt * p.area * p.shear_slope;
		vec a = half_dt * p.area * p.slope;
		vec3 gr = scale( g, p.r );
		ADD( DS_PRESS_ISOTROPIC, g );
		ADD( DS_PRESS_FIRST, gr.x );
		ADD( DS_PRESS_FIRST + 1, gr.y );
		ADD( DS_PRESS_FIRST + 2, gr.z );
		ADD( DS_PRESS_SECOND, gr.x * p.r.x );
		ADD( DS_PRESS_SECOND + 1, gr.y * p.r.y );
		ADD( DS_PRESS_SECOND + 2, gr.z * p.r.z );
		ADD( DS_PRESS_SECOND + 3, gr.x * p.r.y );
		ADD( DS_PRESS_SECOND + 4, gr.x * p.r.z );
		ADD( DS_PRESS_SECOND + 5, gr.y * p.r.z );
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

static void commit(
	const ds_contact_batch *batch, const ds_contact_motion *motion, ds_contact_after *after, ds_contact_lanes *sums )
{
	const vec zero = SPLAT( 0 ), dt = SPLAT( motion->dt );
	for ( int lane = 0; lane < batch->count; lane += WIDTH )
	{
		element p;
		element_place( batch, motion, lane, &p );
		element_indent( batch, motion, lane, &p );
		element_push( batch, motion, lane, &p );
		element_shear( batch, motion, lane, &p );
		element_after( lane, &p, after );

		vec3 normal = scale( zero - p.area, add( scale( p.total, p.e ), scale( p.passive, p.push ) ) );
		vec3 shear = scale( zero - p.area, p.tau );
		vec touching = SELECT( GREATER( p.touches, zero ), p.area * p.c, zero );
		vec force = most( touching * p.total, zero );
		ADD( DS_COMMIT_NORMAL, normal.x );
		ADD( DS_COMMIT_NORMAL + 1, normal.y );
		ADD( DS_COMMIT_NORMAL + 2, normal.z );
		ADD( DS_COMMIT_SHEAR, shear.x );
		ADD( DS_COMMIT_SHEAR + 1, shear.y );
		ADD( DS_COMMIT_SHEAR + 2, shear.z );
		ADD( DS_COMMIT_NORMAL_FORCE, force );
		ADD( DS_COMMIT_AREA, touching );
		ADD( DS_COMMIT_AREA_SINKAGE, touching * p.z1 );
		ADD( DS_COMMIT_FORCE_SLIP, force * p.slip_speed );
		ADD( DS_COMMIT_WORK, zero - dt * dot( add( normal, shear ), p.v ) );
		ADD( DS_COMMIT_TOUCHING, p.touches );
		vec deepest = SELECT( GREATER( p.touches, zero ), p.z1, zero );
		STORE( SUM( DS_COMMIT_SINKAGE ), most( deepest, LOAD( SUM( DS_COMMIT_SINKAGE ) ) ) );
	}
}
