// What quantities of inertial datasheets are: by their dimensions.

#include "deepsim/imu.h"

#include "base/base.h"
#include "sensors/imu_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct kind
{
	int half[4]; // angle, length, time, temperature, in halves
	const char *unit, *term;
	bool gyro, accel;
	bool squared; // a power spectral density, of which the root is meant
} kind;

static const kind kinds[] = {
	{ { 2, 0, -1, 0 }, "rad/s/sqrt(Hz)", "N", true, false, false },
	{ { 0, 2, -3, 0 }, "m/s2/sqrt(Hz)", "N", false, true, false },
	{ { 4, 0, -2, 0 }, "rad/s/sqrt(Hz)", "N", true, false, true },
	{ { 0, 4, -6, 0 }, "m/s2/sqrt(Hz)", "N", false, true, true },
	{ { 2, 0, -2, 0 }, "rad/s", "B", true, false, false },
	{ { 0, 2, -4, 0 }, "m/s2", "B", false, true, false },
	{ { 2, 0, -3, 0 }, "rad/s2/sqrt(Hz)", "K", true, false, false },
	{ { 0, 2, -5, 0 }, "m/s3/sqrt(Hz)", "K", false, true, false },
	{ { 2, 0, 0, 0 }, "rad", "misalignment", true, true, false },
	{ { 0, 2, -2, 0 }, "m/s", "resolution", false, true, false },
	{ { 0, 0, 0, 0 }, "1", "scale", true, true, false },
	{ { 2, -2, 2, 0 }, "rad/s/(m/s2)", "g_sensitivity", true, false, false },
	{ { 2, 0, -2, -2 }, "rad/s/K", "temperature_coefficient", true, false, false },
	{ { 0, 2, -4, -2 }, "m/s2/K", "temperature_coefficient", false, true, false },
	{ { 0, 0, -2, 0 }, "Hz", "bandwidth", true, true, false },
	{ { 0, 0, 2, 0 }, "s", "markov_tau", true, true, false },
};

static const kind *find_kind( const ds_imu_unit *u, int sign )
{
	for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
	{
		bool same = true;
		for ( int k = 0; k < 4; ++k )
		{
			same = same && kinds[i].half[k] == sign * u->half[k];
		}
		if ( same )
		{
			return &kinds[i];
		}
	}
	return NULL;
}

static bool is_rate( const kind *k )
{
	return strcmp( k->term, "B" ) == 0;
}

// A rate or an acceleration may be several things: what it is follows from its size and sign. No gyroscope has a range below
// 1 deg/s, no accelerometer one below half a g, and none a bias as large as that.
static const char *term_of( const kind *k, const ds_imu_unit *u, double value, bool both_signs )
{
	double large = k->gyro ? PI / 180 : 0.5 * DS_STANDARD_GRAVITY;
	if ( is_rate( k ) )
	{
		return u->half[4]              ? "resolution"
			   : fabs( value ) > large ? "range"
			   : both_signs            ? "turn_on"
			   : value < 0             ? "bias"
									   : "B";
	}
	// increments are counted in small angles, mounts are off by larger ones
	bool fine = strcmp( k->unit, "rad" ) == 0 && u->factor < 1e-5;
	return fine || u->half[4] ? "resolution" : k->term;
}

static bool may_be_negative( const char *term )
{
	static const char *const terms[] = { "bias", "scale", "misalignment", "g_sensitivity", "temperature_coefficient" };
	for ( size_t i = 0; i < sizeof( terms ) / sizeof( terms[0] ); ++i )
	{
		if ( strcmp( terms[i], term ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Whether a number of least steps may be part of it: only increments and readings have them.
static bool counts_fit( const kind *k, const ds_imu_unit *u )
{
	bool steps = is_rate( k ) || strcmp( k->unit, "rad" ) == 0 || strcmp( k->unit, "m/s" ) == 0;
	return u->half[4] == 0 || ( steps && abs( u->half[4] ) == 2 );
}

// "16.4 LSB/(deg/s)" is 1/16.4 deg/s a step.
static const kind *classify( const ds_imu_unit *u, bool *inverse )
{
	*inverse = u->half[4] == 2;
	const kind *k = find_kind( u, *inverse ? -1 : 1 );
	return k && counts_fit( k, u ) && !( *inverse && k->squared ) ? k : NULL;
}

ds_status ds_imu_parse( const char *text, ds_imu_quantity *quantity )
{
	if ( text == NULL || quantity == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_imu_parse: text and quantity must not be NULL" );
	}
	*quantity = ( ds_imu_quantity ){ 0 };
	char plain[DS_IMU_TEXT_SIZE];
	DS_TRY( ds_imu_plain_text( text, plain, sizeof( plain ) ) );
	ds_imu_reader r = { text, plain, 0 };
	double value;
	bool both_signs, inverse;
	ds_imu_unit u;
	DS_TRY( ds_imu_read_value( &r, &value, &both_signs ) );
	if ( *r.p == 0 )
	{
		return ds_imu_wrong( &r, "a unit is missing, as in \"0.66 deg/sqrt(h)\"", "", 0 );
	}
	DS_TRY( ds_imu_read_unit( &r, &u ) );
	const kind *k = classify( &u, &inverse );
	if ( k == NULL )
	{
		return ds_imu_wrong( &r, "no error of an inertial sensor that is modelled here has this unit", "", 0 );
	}
	value = inverse ? 1 / ( value * u.factor ) : value * u.factor;
	value = k->squared ? sqrt( value ) : value;
	const char *term = term_of( k, &u, value, both_signs );
	if ( !isfinite( value ) || ( value < 0 && !may_be_negative( term ) ) )
	{
		return ds_imu_wrong( &r, "expected a finite number that is not negative", "", 0 );
	}
	*quantity = ( ds_imu_quantity ){ value, k->unit, term, k->gyro, k->accel };
	// a mount is off, and a scale, in both triads; increments of angles are a gyroscope's
	quantity->accel = k->accel && !( strcmp( term, "resolution" ) == 0 && strcmp( k->unit, "rad" ) == 0 );
	return DS_OK;
}

static ds_status parse_unit( const char *text, ds_imu_unit *u, const kind **k, bool *inverse )
{
	char plain[DS_IMU_TEXT_SIZE];
	DS_TRY( ds_imu_plain_text( text, plain, sizeof( plain ) ) );
	ds_imu_reader r = { text, plain, 0 };
	DS_TRY( ds_imu_read_unit( &r, u ) );
	*k = classify( u, inverse );
	return *k ? DS_OK : ds_imu_wrong( &r, "no error of an inertial sensor that is modelled here has this unit", "", 0 );
}

ds_status ds_imu_convert( double value, const char *si_unit, const char *unit, double *converted )
{
	if ( si_unit == NULL || unit == NULL || converted == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_imu_convert: si_unit, unit and converted must not be NULL" );
	}
	ds_imu_unit from, to;
	const kind *from_kind, *to_kind;
	bool from_inverse, to_inverse;
	DS_TRY( parse_unit( si_unit, &from, &from_kind, &from_inverse ) );
	DS_TRY( parse_unit( unit, &to, &to_kind, &to_inverse ) );
	if ( strcmp( from_kind->unit, to_kind->unit ) != 0 )
	{
		return ds_error( DS_ERROR_FORMAT, "\"%s\" is another kind of unit than \"%s\", which is one of %s", unit,
			si_unit, from_kind->unit );
	}
	double si = from_inverse ? 1 / ( value * from.factor ) : value * from.factor;
	si = from_kind->squared ? sqrt( si ) : si;
	si = to_kind->squared ? si * si : si;
	double result = to_inverse ? 1 / ( si * to.factor ) : si / to.factor;
	if ( !isfinite( result ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%g %s cannot be written in \"%s\"", value, si_unit, unit );
	}
	*converted = result;
	return DS_OK;
}
