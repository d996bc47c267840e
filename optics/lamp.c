// Lamps: how their light is spread over angles and wavelengths.

#include "optics/lamp_table.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <string.h>

#define LOW  400.0 // the flux is of light between these wavelengths [nm]
#define HIGH 700.0

// ---- over angles -------------------------------------------------------------------------------------------------

// A spot ends where it is this much dimmer than on its axis.
#define SPOT_END 1e-5

// The exponent with which a power of the cosine is one half at half of the width.
static double spot_power( double width )
{
	return log( 0.5 ) / log( cos( 0.5 * width ) );
}

static double cone_at( double half, double edge, double angle )
{
	double inner = half * ( 1 - 0.5 * edge ), outer = half * ( 1 + 0.5 * edge );
	double t = outer > inner ? fmin( fmax( ( outer - angle ) / ( outer - inner ), 0 ), 1 ) : 1;
	return t * t * ( 3 - 2 * t );
}

static double table_at( const ds_array *profile, double angle )
{
	const ds_beam_level *levels = profile->data;
	const int64_t last = profile->count - 1;
	if ( !( angle > levels[0].angle ) )
	{
		return levels[0].intensity;
	}
	for ( int64_t i = 0; i < last; ++i )
	{
		if ( angle < levels[i + 1].angle )
		{
			double t = ( angle - levels[i].angle ) / ( levels[i + 1].angle - levels[i].angle );
			return ( 1 - t ) * levels[i].intensity + t * levels[i + 1].intensity;
		}
	}
	return levels[last].intensity;
}

static double beam_at( const ds_lamp_config *config, double cosine )
{
	switch ( config->beam )
	{
		case DS_BEAM_SPOT:
			return pow( fmax( cosine, 0 ), spot_power( config->width ) );
		case DS_BEAM_CONE:
			return cone_at( 0.5 * config->width, config->edge, acos( cosine ) );
		case DS_BEAM_LAMBERT:
			return fmax( cosine, 0 );
		case DS_BEAM_TABLE:
			return table_at( &config->profile, acos( cosine ) );
		default:
			return 1;
	}
}

// Where the light ends.
static double beam_limit( const ds_lamp_config *config )
{
	const ds_beam_level *levels = config->profile.data;
	switch ( config->beam )
	{
		case DS_BEAM_SPOT:
			return exp( log( SPOT_END ) / spot_power( config->width ) );
		case DS_BEAM_CONE:
			return cos( fmin( 0.5 * config->width * ( 1 + 0.5 * config->edge ), DS_PI ) );
		case DS_BEAM_LAMBERT:
			return 0;
		case DS_BEAM_TABLE:
			return cos( levels[config->profile.count - 1].angle );
		default:
			return -1;
	}
}

ds_status ds_lamp_make( const ds_lamp_config *config, ds_lamp *lamp )
{
	if ( config == NULL || lamp == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_lamp_make: config and lamp must not be NULL" );
	}
	memset( lamp, 0, sizeof( *lamp ) );
	if ( config->profile.count < 0 || ( config->profile.count > 0 && config->profile.data == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_lamp_make: profile: expected levels, got no data" );
	}
	DS_TRY( ds_table_check_value( &ds_lamp_options, config ) );
	const double limit = beam_limit( config ), step = ( 1 - limit ) / ( DS_LAMP_PROFILE - 1 );
	if ( !( step > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "profile: expected a last angle above 0" );
	}
	double values[DS_LAMP_PROFILE], sum = 0;
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		double cosine = i < DS_LAMP_PROFILE - 1 ? limit + step * i : 1;
		values[i] = beam_at( config, cosine );
		sum += i == 0 || i == DS_LAMP_PROFILE - 1 ? 0.5 * values[i] : values[i];
	}
	// linear between its values, over the cosine: the trapezoidal rule is exact
	const double integral = 2 * DS_PI * step * sum;
	if ( !( integral > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "profile: expected light, but the levels are too narrow to give any" );
	}
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		lamp->profile[i] = (float)( values[i] / integral );
	}
	lamp->flux = config->flux;
	lamp->radius = config->radius;
	lamp->own_shadow = config->own_shadow;
	lamp->cos_limit = limit;
	lamp->config = *config;
	lamp->config.profile = ( ds_array ){ NULL, 0 };
	return DS_OK;
}

static ds_status check_number( const char *name, double value, double low, double high )
{
	if ( !isfinite( value ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "lamp: %s is not finite", name );
	}
	return value >= low && value <= high
			   ? DS_OK
			   : ds_error( DS_ERROR_RANGE, "lamp: %s is %g, and must lie in [%g, %g]", name, value, low, high );
}

ds_status ds_lamp_check( const ds_lamp *lamp )
{
	const ds_lamp_config *c = &lamp->config;
	DS_TRY( check_number( "flux", lamp->flux, 0, 1e5 ) );
	DS_TRY( check_number( "radius", lamp->radius, 0, 10 ) );
	DS_TRY( check_number( "cos_limit", lamp->cos_limit, -1, 1 - 1e-16 ) );
	double sum = 0;
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		DS_TRY( check_number( "profile", lamp->profile[i], 0, 1e18 ) );
		sum += ( i == 0 || i == DS_LAMP_PROFILE - 1 ? 0.5 : 1 ) * (double)lamp->profile[i];
	}
	const double integral = 2 * DS_PI * ( 1 - lamp->cos_limit ) / ( DS_LAMP_PROFILE - 1 ) * sum;
	if ( !( fabs( integral - 1 ) < 0.01 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"lamp: the integral of profile over the sphere is %g, and must be 1 (ds_lamp_make makes it so)", integral );
	}
	DS_TRY( check_number( "config.spectrum", c->spectrum, 0, DS_SPECTRUM_KIND_COUNT - 1 ) );
	if ( c->spectrum == DS_SPECTRUM_LINE )
	{
		DS_TRY( check_number( "config.wavelength", c->wavelength, LOW, HIGH ) );
		return check_number( "config.linewidth", c->linewidth, 0.1, 300 );
	}
	return c->spectrum == DS_SPECTRUM_BLACKBODY ? check_number( "config.temperature", c->temperature, 1000, 20000 )
												: DS_OK;
}

double ds_lamp_intensity( const ds_lamp *lamp, double angle, double wavelength, double width )
{
	double cosine = cos( angle );
	if ( !( cosine >= lamp->cos_limit ) )
	{
		return 0;
	}
	double at = ( cosine - lamp->cos_limit ) / ( 1 - lamp->cos_limit ) * ( DS_LAMP_PROFILE - 1 );
	int i = (int)at;
	i = i < DS_LAMP_PROFILE - 2 ? i : DS_LAMP_PROFILE - 2;
	double share = lamp->profile[i] + ( at - i ) * ( (double)lamp->profile[i + 1] - lamp->profile[i] );
	return lamp->flux * share * ds_lamp_spectrum( lamp, wavelength, width );
}

// ---- over wavelengths --------------------------------------------------------------------------------------------

// A bell over wavelengths: middle and full width at half of its height [nm], and its area.
typedef struct bell
{
	double middle, width, area;
} bell;

// Blue chip and yellow phosphor, each a bell: typical, after the sum of 445 nm, 25 nm and 560 nm, 125 nm by which Gaussian models of
// phosphor LEDs go; the areas are such that the light has the correlated colour temperatures that the names say.
static const bell cool[2] = { { 450, 22, 0.245 }, { 560, 125, 0.755 } };
static const bell warm[2] = { { 450, 22, 0.10 }, { 595, 130, 0.90 } };

// Area of a bell between two wavelengths.
static double bell_between( const bell *b, double low, double high )
{
	double scale = 2 * sqrt( log( 2 ) ) / b->width;
	return 0.5 * b->area * ( erf( scale * ( high - b->middle ) ) - erf( scale * ( low - b->middle ) ) );
}

static double bells_share( const bell *bells, int count, double low, double high )
{
	double part = 0, all = 0;
	for ( int i = 0; i < count; ++i )
	{
		part += bell_between( bells + i, low, high );
		all += bell_between( bells + i, LOW, HIGH );
	}
	return part / all;
}

// Integral of Planck's law over wavelengths [nm], in a unit of its own: Simpson's rule.
static double planck_between( double temperature, double low, double high )
{
	enum
	{
		STEPS = 64
	};
	const double c2 = 1.438776877e7; // h c / k [nm K]
	double sum = 0;
	for ( int i = 0; i <= STEPS; ++i )
	{
		double w = low + ( high - low ) * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
		// over its value at 550 nm, which keeps cold bodies from underflow
		double x = c2 / temperature;
		sum += weight * pow( 550 / w, 5 ) * expm1( x / 550 ) / expm1( x / w );
	}
	return sum * ( high - low ) / ( 3 * STEPS );
}

double ds_lamp_spectrum( const ds_lamp *lamp, double wavelength, double width )
{
	double low = fmax( wavelength - 0.5 * width, LOW ), high = fmin( wavelength + 0.5 * width, HIGH );
	if ( !( low < high ) || isnan( wavelength + width ) )
	{
		return 0;
	}
	const ds_lamp_config *c = &lamp->config;
	const bell line = { c->wavelength, c->linewidth, 1 };
	switch ( c->spectrum )
	{
		case DS_SPECTRUM_LED_COOL:
			return bells_share( cool, 2, low, high );
		case DS_SPECTRUM_LED_WARM:
			return bells_share( warm, 2, low, high );
		case DS_SPECTRUM_LINE:
			return bells_share( &line, 1, low, high );
		case DS_SPECTRUM_BLACKBODY:
			return planck_between( c->temperature, low, high ) / planck_between( c->temperature, LOW, HIGH );
		default:
			return ( high - low ) / ( HIGH - LOW );
	}
}
