// Making a sea: dispersion, spectra, and the draw of components.

#include "base/base.h"
#include "base/random.h"
#include "hydro/waves_internal.h"

#include <string.h>

// Frequencies of an irregular sea, over that of the peak.
#define LOWEST  0.5
#define HIGHEST 4.0

// Steps of the directions, as shares of the spreading: the golden ratio, whose multiples fill the circle most evenly.
#define GOLDEN 0.61803398874989485

// Steepest waves: Miche's limit of regular waves H = 0.142 L tanh( k h ) (Miche 1944), and a round number above all that is
// observed for Hs at the peak.
#define BREAKING_REGULAR   0.142
#define BREAKING_IRREGULAR 0.1

ds_waves_def ds_waves_def_default( void )
{
	ds_waves_def def = { .kind = DS_WAVES_NONE,
		.height = 0,
		.period = 8,
		.peak_enhancement = 3.3,
		.spreading = 10,
		.components = 128,
		.gravity = 9.81 };
	return def;
}

// ---- dispersion --------------------------------------------------------------------------------------------------

double ds_wave_number( double omega, double depth, double gravity )
{
	double deep = omega * omega / gravity;
	if ( !( depth > 0 ) || !( depth < INFINITY ) )
	{
		return deep;
	}

	// x tanh x = y, x = k h, from Eckart's approximation; the function is convex above its root, so that Newton's steps
	// come down to it after the first
	double y = deep * depth, x = y / sqrt( tanh( y ) );
	if ( !( y > 0 ) )
	{
		return 0;
	}
	for ( int i = 0; i < 20; ++i )
	{
		double t = tanh( x ), step = ( x * t - y ) / ( t + x * ( 1 - t * t ) );
		x -= step;
		if ( fabs( step ) <= 1e-15 * x )
		{
			break;
		}
	}
	return x / depth;
}

// ---- distributions -----------------------------------------------------------------------------------------------

#define CELLS 2048

// A distribution as a table: density at equal steps of a variable, and its integral up to there, 1 at the end.
typedef struct distribution
{
	double low, step;
	double cumulative[CELLS + 1];
} distribution;

static double distribution_finish( distribution *d )
{
	double total = d->cumulative[CELLS];
	for ( int i = 0; i <= CELLS; ++i )
	{
		d->cumulative[i] /= total;
	}
	return total;
}

// The variable below which the share `p` lies.
static double distribution_quantile( const distribution *d, double p )
{
	int low = 0, high = CELLS;
	while ( high - low > 1 )
	{
		int middle = ( low + high ) / 2;
		if ( d->cumulative[middle] <= p )
		{
			low = middle;
		}
		else
		{
			high = middle;
		}
	}
	double size = d->cumulative[high] - d->cumulative[low];
	double part = size > 0 ? ( p - d->cumulative[low] ) / size : 0.5;
	return d->low + d->step * ( low + part );
}

// The spectrum without its scale, over x = w / wp.
static double spectrum_shape( const ds_waves_def *def, double x )
{
	double x4 = x * x * x * x, value = exp( -1.25 / x4 ) / ( x4 * x );
	if ( def->kind == DS_WAVES_JONSWAP )
	{
		double offset = ( x - 1 ) / ( x > 1 ? 0.09 : 0.07 );
		value *= pow( def->peak_enhancement, exp( -0.5 * offset * offset ) );
	}
	return value;
}

// Energy over the logarithm of frequency; returns its integral.
static double tabulate_spectrum( const ds_waves_def *def, distribution *d )
{
	d->low = log( LOWEST );
	d->step = log( HIGHEST / LOWEST ) / CELLS;
	d->cumulative[0] = 0;
	double before = LOWEST * spectrum_shape( def, LOWEST );
	for ( int i = 1; i <= CELLS; ++i )
	{
		double x = exp( d->low + d->step * i ), now = x * spectrum_shape( def, x );
		d->cumulative[i] = d->cumulative[i - 1] + 0.5 * d->step * ( before + now );
		before = now;
	}
	return distribution_finish( d );
}

static void tabulate_spreading( const ds_waves_def *def, distribution *d )
{
	d->low = -DS_PI;
	d->step = 2 * DS_PI / CELLS;
	d->cumulative[0] = 0;
	double before = 0;
	for ( int i = 1; i <= CELLS; ++i )
	{
		double now = pow( fabs( cos( 0.5 * ( d->low + d->step * i ) ) ), 2 * def->spreading );
		d->cumulative[i] = d->cumulative[i - 1] + 0.5 * d->step * ( before + now );
		before = now;
	}
	distribution_finish( d );
}

double ds_waves_spectrum( const ds_waves *waves, double omega )
{
	double x = waves->peak > 0 ? omega / waves->peak : 0;
	return x > 0 ? waves->spectrum_scale * spectrum_shape( &waves->def, x ) : 0;
}

// ---- components --------------------------------------------------------------------------------------------------

static void set_component( ds_waves *w, int32_t i, const ds_wave_component *c )
{
	double k = ds_wave_number( c->omega, w->depth, w->def.gravity ), turn = 1 / ( 2 * DS_PI );
	w->height[i] = c->amplitude;
	w->omega[i] = c->omega;
	w->wavenumber[i] = k;
	w->direction[i] = c->direction;
	w->phase[i] = c->phase;
	w->north[i] = cos( c->direction );
	w->east[i] = sin( c->direction );
	w->cycles_north[i] = turn * k * w->north[i];
	w->cycles_east[i] = turn * k * w->east[i];
	w->cycles_time[i] = turn * c->omega;
	w->cycles_phase[i] = turn * c->phase;
	w->speed[i] = w->def.gravity * k / c->omega;
	w->grow[i] = 1 / ( 1 + exp( -2 * k * w->depth ) );
}

static void draw_components( ds_waves *w )
{
	const ds_waves_def *def = &w->def;
	distribution spectrum, spreading;
	double integral = tabulate_spectrum( def, &spectrum );
	tabulate_spreading( def, &spreading );
	double variance = def->height * def->height / 16;
	w->peak = 2 * DS_PI / def->period;
	w->spectrum_scale = variance / ( integral * w->peak );

	uint32_t key[2];
	ds_random_key( (uint64_t)def->seed, "waves", key );
	ds_random start;
	ds_random_start( &start, key, 1, 0 );
	const double first = ds_random_uniform( &start );
	for ( int32_t i = 0; i < w->count; ++i )
	{
		ds_random random;
		ds_random_start( &random, key, 0, (uint64_t)i );
		double frequency = ds_random_uniform( &random ), side = ds_random_uniform( &random );
		ds_wave_component c = { .amplitude = sqrt( 2 * variance / w->count ), .direction = def->direction };
		c.omega = w->peak * exp( distribution_quantile( &spectrum, ( i + frequency ) / w->count ) );
		if ( def->spreading > 0 )
		{
			double share = first + i * GOLDEN + side / w->count;
			c.direction += distribution_quantile( &spreading, share - floor( share ) );
		}
		c.phase = 2 * DS_PI * ds_random_uniform( &random );
		set_component( w, i, &c );
	}
}

// ---- checks ------------------------------------------------------------------------------------------------------

static ds_status check_finite( const ds_waves_def *d )
{
	const struct
	{
		const char *name;
		double value;
	} numbers[] = { { "height", d->height }, { "period", d->period }, { "direction", d->direction },
		{ "phase", d->phase }, { "peak_enhancement", d->peak_enhancement }, { "spreading", d->spreading },
		{ "depth", d->depth }, { "gravity", d->gravity } };
	for ( size_t i = 0; i < sizeof( numbers ) / sizeof( numbers[0] ); ++i )
	{
		if ( !isfinite( numbers[i].value ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "waves: %s must be finite", numbers[i].name );
		}
	}
	return DS_OK;
}

static ds_status check_range( const char *name, double value, double low, double high, const char *unit )
{
	if ( !( value >= low && value <= high ) )
	{
		return ds_error( DS_ERROR_RANGE, "waves: %s must be in [%g, %g]%s, got %g", name, low, high, unit, value );
	}
	return DS_OK;
}

static ds_status check( const ds_waves_def *d )
{
	if ( d->kind < DS_WAVES_NONE || d->kind > DS_WAVES_PIERSON_MOSKOWITZ )
	{
		return ds_error( DS_ERROR_RANGE, "waves: there is no kind %d", (int)d->kind );
	}
	DS_TRY( check_finite( d ) );
	DS_TRY( check_range( "height", d->height, 0, 50, " m" ) );
	DS_TRY( check_range( "period", d->period, 0.1, 100, " s" ) );
	DS_TRY( check_range( "direction", d->direction, -1000, 1000, " rad" ) );
	DS_TRY( check_range( "phase", d->phase, -1000, 1000, " rad" ) );
	DS_TRY( check_range( "peak_enhancement", d->peak_enhancement, 1, 10, "" ) );
	DS_TRY( check_range( "spreading", d->spreading, 0, 1000, "" ) );
	DS_TRY( check_range( "components", (double)d->components, 1, DS_WAVES_MAX_COMPONENTS, "" ) );
	DS_TRY( check_range( "depth", d->depth, 0, 12000, " m" ) );
	DS_TRY( check_range( "gravity", d->gravity, 1e-3, 1e3, " m/s2" ) );

	double k = ds_wave_number( 2 * DS_PI / d->period, d->depth, d->gravity );
	double steepest = d->kind == DS_WAVES_REGULAR ? BREAKING_REGULAR : BREAKING_IRREGULAR;
	double highest = steepest * 2 * DS_PI / k * ( d->depth > 0 ? tanh( k * d->depth ) : 1 );
	if ( d->kind != DS_WAVES_NONE && d->height > highest )
	{
		return ds_error( DS_ERROR_RANGE, "waves: %g m at a period of %g s would break: height must be at most %.3g m",
			d->height, d->period, highest );
	}
	return DS_OK;
}

// ---- the sea -----------------------------------------------------------------------------------------------------

static void place_arrays( ds_waves *w )
{
	double **arrays[DS_WAVES_ARRAYS] = { &w->height, &w->omega, &w->wavenumber, &w->direction, &w->phase, &w->north,
		&w->east, &w->cycles_north, &w->cycles_east, &w->cycles_time, &w->cycles_phase, &w->speed, &w->grow };
	for ( int i = 0; i < DS_WAVES_ARRAYS; ++i )
	{
		*arrays[i] = w->memory ? w->memory + (size_t)i * (size_t)w->count : NULL;
	}
}

ds_status ds_waves_create( const ds_allocator *allocator, const ds_waves_def *def, ds_waves **waves )
{
	*waves = NULL;
	DS_TRY( check( def ) );
	ds_waves *w = NULL;
	DS_TRY( DS_NEW( allocator, 1, &w ) );
	if ( allocator )
	{
		w->allocator = *allocator;
	}
	w->def = *def;
	w->depth = def->depth > 0 ? def->depth : INFINITY;
	if ( def->kind != DS_WAVES_NONE && def->height > 0 )
	{
		w->count = def->kind == DS_WAVES_REGULAR ? 1 : (int32_t)def->components;
	}
	ds_status status = DS_NEW( allocator, DS_WAVES_ARRAYS * w->count, &w->memory );
	if ( status != DS_OK )
	{
		ds_waves_destroy( w );
		return status;
	}
	place_arrays( w );
	if ( w->count > 0 && def->kind == DS_WAVES_REGULAR )
	{
		ds_wave_component c = { .amplitude = 0.5 * def->height,
			.omega = 2 * DS_PI / def->period,
			.direction = def->direction,
			.phase = def->phase };
		set_component( w, 0, &c );
	}
	else if ( w->count > 0 )
	{
		draw_components( w );
	}
	double most = 0; // no trough is deeper
	for ( int32_t i = 0; i < w->count; ++i )
	{
		w->variance += 0.5 * w->height[i] * w->height[i];
		most += w->height[i];
	}
	w->amplitude = sqrt( 2 * w->variance );
	w->layer = fmin( w->depth, fmax( fmin( 1.5 * most, 3.5 * w->amplitude ), 1e-9 ) );
	*waves = w;
	return DS_OK;
}

void ds_waves_destroy( ds_waves *waves )
{
	if ( waves )
	{
		ds_allocator allocator = waves->allocator;
		DS_FREE( &allocator, waves->memory, DS_WAVES_ARRAYS * waves->count );
		DS_FREE( &allocator, waves, 1 );
	}
}
