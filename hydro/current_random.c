// Random currents: see ds_current_random in current_internal.h.

#include "base/random.h"
#include "deepsim/math.h"
#include "hydro/current_internal.h"

#include <math.h>

#define LEVELS       12 // of halving: 64 T to T/64
#define COARSE_TIMES 64.0

// Standard normal values of a knot, numbered at its own level.
static ds_vec3 draw( const uint32_t key[2], uint32_t level, uint64_t knot )
{
	ds_random random;
	ds_random_start( &random, key, level, knot );
	ds_vec3 v;
	v.x = ds_random_normal( &random );
	v.y = ds_random_normal( &random );
	v.z = ds_random_normal( &random );
	return v;
}

void ds_current_random( const ds_current_model *model, uint64_t seed, double time, ds_vec3 *velocity, ds_vec3 *rate )
{
	uint32_t key[2];
	ds_random_key( seed, model->name, key );
	// in units of the coarsest interval; beyond 2^40 of them a double no longer tells the knots apart
	double t = time / ( COARSE_TIMES * model->def.correlation_time );
	t = t > 0 ? fmin( t, 0x1p40 ) : 0;
	uint64_t knot = (uint64_t)t;
	double within = t - (double)knot, h = 0.5 * COARSE_TIMES;
	ds_vec3 a = draw( key, 0, knot ), b = draw( key, 0, knot + 1 );
	for ( uint32_t level = 1; level <= LEVELS; ++level, h *= 0.5 )
	{
		ds_vec3 middle = ds_scale( 0.5 / cosh( h ), ds_add( a, b ) );
		middle = ds_mad( middle, sqrt( tanh( h ) ), draw( key, level, knot ) );
		bool right = within >= 0.5;
		a = right ? middle : a;
		b = right ? b : middle;
		within = 2 * within - right;
		knot = 2 * knot + right;
	}
	const double *s = model->def.deviation;
	ds_vec3 slope = ds_sub( b, a ), value = ds_mad( a, within, slope );
	double step = 2 * h * model->def.correlation_time;
	bool moves = time >= 0 && isfinite( step ) && step > 0;
	*velocity = ds_v3( s[0] * value.x, s[1] * value.y, s[2] * value.z );
	*rate = moves ? ds_scale( 1 / step, ds_v3( s[0] * slope.x, s[1] * slope.y, s[2] * slope.z ) ) : ds_v3( 0, 0, 0 );
}
