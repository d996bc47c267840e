// A sample of the IMU as loops over vectors of WIDTH doubles; the including file defines it, MINIMUM, MAXIMUM and FOLD. No branch depends on numbers, and
// terms that are off have coefficients of 0. Every width gives the same bits.

#include "deepsim/math.h"
#include "sensors/imu_model.h"

#include <string.h>

#define AXES  DS_IMU_AXES
#define LANES DS_IMU_LANES
#define LINES DS_IMU_MAX_VIBRATIONS

#if defined( __clang__ )
#define UNROLL _Pragma( "clang loop unroll(full)" )
#else
#define UNROLL _Pragma( "GCC unroll 4" )
#endif

typedef double vec __attribute__( ( vector_size( 8 * WIDTH ) ) );
typedef int64_t mask __attribute__( ( vector_size( 8 * WIDTH ) ) );

static inline vec load( const double *p )
{
	vec v;
	memcpy( &v, p, sizeof( v ) );
	return v;
}

static inline void store( double *p, vec v )
{
	memcpy( p, &v, sizeof( v ) );
}

static inline vec splat( double x )
{
	return x - ( vec ){ 0 }; // x + 0 would change -0
}

static inline vec select_from( mask m, vec a, vec b )
{
	return (vec)( ( m & (mask)a ) | ( ~m & (mask)b ) );
}

static inline vec absolute( vec x )
{
	return (vec)( (mask)x & INT64_MAX );
}

static inline vec limit( vec x, vec most )
{
	return MAXIMUM( MINIMUM( x, most ), -most );
}

static inline bool any_of( mask m )
{
	int64_t lanes[WIDTH], any = 0;
	memcpy( lanes, &m, sizeof( m ) );
	for ( int i = 0; i < WIDTH; ++i )
	{
		any |= lanes[i];
	}
	return any != 0;
}

// The nearest integer, ties to even. From 2^51 on, where it may be one or two off, nothing here depends on it.
static inline vec nearest( vec x )
{
	const double shift = 0x1.8p52;
	return ( x + shift ) - shift;
}

// sin( 2 pi x ): x less whole turns, folded at the quarters, by the Taylor series to the power 21 (3e-16 at the quarter).
static inline vec sine_of_turns( vec x )
{
	x -= nearest( x );
	vec half = (vec)( ( (mask)x & INT64_MIN ) | (mask)splat( 0.5 ) ), folded = half - x;
	x = select_from( (mask)( absolute( x ) > splat( 0.25 ) ), folded, x );
	// sin y = y - y^3 (1/3! - y^2/5! + y^4/7! - ...)
	vec y = 2 * DS_PI * x, z = y * y, z2 = z * z, z4 = z2 * z2;
	vec a = 1.0 / 6.0 - z * ( 1.0 / 120.0 ), b = 1.0 / 5040.0 - z * ( 1.0 / 362880.0 );
	vec c = 1.0 / 39916800.0 - z * ( 1.0 / 6227020800.0 ), d = 1.0 / 1307674368000.0 - z * ( 1.0 / 355687428096000.0 );
	vec e = 1.0 / 121645100408832000.0 - z * ( 1.0 / 51090942171709440000.0 );
	vec p = ( a + z2 * b ) + z4 * ( ( c + z2 * d ) + z4 * e );
	return y - y * z * p;
}

// Moves all processes to the end of the interval; `noise` is the sum of their means, share (x0 + x1). The state is share x: the means
// are the sum of what the last interval left of its ends, and of the new ends. Rows are taken two at a time, as whole vectors.
static inline void step_processes(
	ds_imu_state *s, const ds_imu_step *step, const double *normals, vec noise[LANES / WIDTH] )
{
	vec ends[2 * AXES / WIDTH] = { { 0 } }, sum[2 * AXES / WIDTH];
	for ( int first = 0; first < DS_IMU_PROCESSES; first += 2 * AXES )
	{
		for ( int k = 0; k < 2 * AXES / WIDTH; ++k )
		{
			int i = first + k * WIDTH;
			vec x = load( step->decay + i ) * load( s->process + i ) + load( step->kick + i ) * load( normals + i );
			store( s->process + i, x );
			ends[k] += x;
		}
	}
	for ( int k = 0; k < 2 * AXES / WIDTH; ++k )
	{
		sum[k] = load( s->ends + k * WIDTH ) + ends[k];
		store( s->ends + k * WIDTH, ends[k] );
	}
	FOLD( sum, noise );
}

// Lines of vibration: their mean over the interval is sin( 2 pi (phase + turns / 2) ) sinc( pi turns ), exact for a constant
// frequency, above half the sample rate too. A line is a pointer, turned by half the interval twice; sines are taken only where
// the turns of an interval change.
static inline void step_vibration(
	const ds_imu_model *m, ds_imu_state *s, double dt, double speed, double swing[LINES] )
{
	vec growth = splat( 0.01 * speed * speed );
	for ( int i = 0; i < m->lines; i += WIDTH )
	{
		vec turns = ( load( m->frequency + i ) + load( m->order + i ) * speed ) * dt;
		if ( any_of( (mask)( turns != load( s->turns + i ) ) ) )
		{
			vec sine = sine_of_turns( 0.5 * turns );
			store( s->turns + i, turns );
			store( s->turn_sine + i, sine );
			store( s->turn_cosine + i, sine_of_turns( 0.5 * turns + 0.25 ) );
			store( s->sinc + i, select_from( (mask)( turns > 0 ), sine / ( DS_PI * turns ), splat( 1 ) ) );
		}
		vec sine = load( s->sine + i ), cosine = load( s->cosine + i );
		vec ts = load( s->turn_sine + i ), tc = load( s->turn_cosine + i );
		vec middle = sine * tc + cosine * ts, across = cosine * tc - sine * ts;
		sine = middle * tc + across * ts;
		cosine = across * tc - middle * ts;
		vec stretch = 1.5 - 0.5 * ( sine * sine + cosine * cosine ); // back to length 1
		store( s->sine + i, sine * stretch );
		store( s->cosine + i, cosine * stretch );
		vec constant = load( m->constant + i ), amplitude = constant + ( 1 - constant ) * growth;
		store( swing + i, amplitude * load( s->sinc + i ) * middle );
	}
}

// Low-pass (lowpass.h) of the axes from `i` on; those without one pass unchanged.
static inline vec step_filter( const ds_imu_step *step, ds_imu_state *s, int i, vec u )
{
	vec a1 = load( step->a1 + i ), a2 = load( step->a2 + i ), a3 = load( step->a3 + i );
	vec slope = load( s->slope + i ), level = load( s->level + i ), e = u - level;
	vec band = a1 * slope + a2 * e, low = level + ( a2 * slope + a3 * e );
	store( s->slope + i, 2 * band - slope );
	store( s->level + i, 2 * low - level );
	return select_from( (mask)( a3 < splat( 1 ) ), low, u );
}

// Rates to multiples of the resolution.
static inline vec quantise_rates( const ds_imu_model *m, const ds_imu_step *step, int i, vec u )
{
	vec unit = load( step->unit + i ), range = load( m->range + i );
	vec q = limit( limit( nearest( u * load( step->per_unit + i ) ), load( step->steps + i ) ) * unit, range );
	return select_from( (mask)( load( m->resolution + i ) > splat( 0 ) ), q, u );
}

// Increments of rates `u` to multiples of the resolution; what a saturated counter could not report is lost, but for half a step.
static inline vec quantise_increments( const ds_imu_model *m, const ds_imu_step *step, ds_imu_state *s, int i, vec u )
{
	vec unit = load( step->unit + i ), total = u * step->dt + load( s->carry + i );
	vec q = limit( nearest( total * load( step->per_unit + i ) ), load( step->steps + i ) ) * unit;
	mask on = (mask)( load( m->resolution + i ) > splat( 0 ) );
	store( s->carry + i, select_from( on, limit( total - q, 0.5 * unit ), splat( 0 ) ) );
	return select_from( on, q, u * step->dt );
}

static void measure_mean( const ds_imu_model *m, ds_imu_state *s, const ds_imu_step *step, const ds_imu_truth *truth,
	double warmth, double speed, const double *normals, ds_imu_means *out )
{
	const double dt = step->dt;
	const vec zero = splat( 0 );
	double mean[LANES], swing[LINES];
	vec noise[LANES / WIDTH];
	for ( int i = 0; i < LANES; i += WIDTH )
	{
		store( mean + i, load( (const double *)truth + i ) / dt ); // the six increments come first
	}
	step_vibration( m, s, dt, speed, swing );
	step_processes( s, step, normals + DS_IMU_SLOT_PROCESS, noise );
	mask over = { 0 };
	UNROLL for ( int i = 0; i < LANES; i += WIDTH )
	{
		vec u = load( s->offset + i ) + warmth * load( m->thermal + i );
		for ( int column = 0; column < AXES; ++column )
		{
			u += load( m->truth[column] + i ) * mean[column];
		}
		u += noise[i / WIDTH];
		for ( int line = 0; line < m->lines; ++line )
		{
			u += load( m->amplitude[line] + i ) * swing[line];
		}
		if ( !s->started )
		{
			store( s->level + i, u ); // settled
		}
		u += load( step->white + i ) * load( normals + i );
		u = m->filtered ? step_filter( step, s, i, u ) : u;
		vec range = load( m->range + i );
		over |= (mask)( absolute( u ) >= range );
		u = limit( u, range );
		vec d;
		if ( m->quantised && m->config.output == DS_IMU_INCREMENTS )
		{
			d = quantise_increments( m, step, s, i, u );
			u = select_from( (mask)( load( m->resolution + i ) > zero ), limit( d * step->rate, range ), u );
		}
		else
		{
			u = m->quantised ? quantise_rates( m, step, i, u ) : u;
			d = u * dt;
		}
		store( out->rate + i, u );
		store( out->increment + i, d );
	}
	s->started = 1;
	out->saturated = any_of( over );
}
