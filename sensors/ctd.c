#include "sensors/ctd.h"

#include "hydro/seawater.h"
#include "sensors/lag.h"
#include "sensors/presets.h"
#include "sensors/pressure.h"
#include "sensors/process.h"
#include "sensors/tables.h"

#include <math.h>
#include <string.h>

// Elements by number.
enum
{
	CONDUCTIVITY,
	TEMPERATURE
};

// Slots of a sample's stream, after those of the pressure gauge.
enum
{
	WHITE = DS_PRESSURE_NORMALS, // conductivity, temperature
	WALK = WHITE + 2,
	NORMALS = WALK + 2
};

#define RESET_NORMALS 2 // of the gauge: the elements' own come after them

// ---- tables ------------------------------------------------------------------------------------------------------

#define ELEMENT_FIELDS( name, unit, low, high )                                                                        \
	static const ds_field name[] = {                                                                                   \
		DS_F64( ds_ctd_element, noise, unit, "0", 0, 100, "standard deviation of white noise of each reading" ),       \
		DS_F64( ds_ctd_element, bias, unit, "0", -100, 100, "constant: what calibration left" ),                       \
		DS_F64( ds_ctd_element, turn_on, unit, "0", 0, 100, "standard deviation of a bias drawn once a run" ),         \
		DS_F64( ds_ctd_element, scale, "", "0", -0.5, 0.5, "error of the slope; 0.001 is 0.1 %" ),                     \
		DS_F64( ds_ctd_element, drift, unit "/s", "0", -1, 1, "steady drift; 0.0002 a month is 7.7e-11" ),             \
		DS_F64( ds_ctd_element, walk, unit "/sqrt(s)", "0", 0, 100, "random walk" ),                                   \
		DS_F64( ds_ctd_element, tau, "s", "0", 0, 1e4, "response time" ),                                              \
		DS_F64( ds_ctd_element, minimum, unit, low, -100, 100, "least reading; lower ones are clipped" ),              \
		DS_F64( ds_ctd_element, maximum, unit, high, -100, 100, "greatest reading; higher ones are clipped" ),         \
		DS_F64( ds_ctd_element, resolution, unit, "0", 0, 100, "readings are multiples of it; 0: exact" ),             \
	}

ELEMENT_FIELDS( conductivity_fields, "S/m", "0", "20" );
ELEMENT_FIELDS( temperature_fields, "degC", "-10", "60" );

static ds_status check_element( const void *value )
{
	const ds_ctd_element *e = value;
	return e->minimum < e->maximum
			   ? DS_OK
			   : ds_error( DS_ERROR_RANGE, "minimum must be below maximum, got %g and %g", e->minimum, e->maximum );
}

static const ds_table conductivity_table = { "ctd_conductivity", "Errors of the conductivity cell",
	sizeof( ds_ctd_element ), conductivity_fields, DS_COUNT( conductivity_fields ), check_element, NULL, 0 };
static const ds_table temperature_table = { "ctd_temperature", "Errors of the thermometer", sizeof( ds_ctd_element ),
	temperature_fields, DS_COUNT( temperature_fields ), check_element, NULL, 0 };

static const ds_choice equations[] = {
	{ DS_CTD_EOS80, DS_FORM_NAME, "eos80", NULL, NULL, "EOS-80 and Chen and Millero: UNESCO 44" },
	{ DS_CTD_TEOS10, DS_FORM_NAME, "teos10", NULL, NULL, "TEOS-10, composition of the reference sea water" },
};

static const ds_field config_fields[] = {
	DS_STRUCT( ds_ctd_config, conductivity, &conductivity_table, "the conductivity cell" ),
	DS_STRUCT( ds_ctd_config, temperature, &temperature_table, "the thermometer, ITS-90" ),
	DS_STRUCT( ds_ctd_config, pressure, &ds_pressure_options, "the pressure gauge: options of the sensor pressure" ),
	DS_F64( ds_ctd_config, cell_alpha, "", "0", 0, 1, "amplitude of the heat kept by the cell's wall (Lueck 1990)" ),
	DS_F64( ds_ctd_config, cell_tau, "s", "10", 0.01, 1e4, "its time constant" ),
	DS_ENUM( ds_ctd_config, equation, equations, "\"eos80\"", "for density and the speed of sound" ),
	DS_F64( ds_ctd_config, air_pressure, "Pa", "101325", 0, 1e6, "taken off the reading of an absolute gauge" ),
};

const ds_table ds_ctd_options = { "ctd_config", "Options of the sensor ctd", sizeof( ds_ctd_config ), config_fields,
	DS_COUNT( config_fields ), NULL, ds_ctd_presets, DS_CTD_PRESETS };

static const ds_field reading_fields[] = {
	DS_F64( ds_ctd, conductivity, "S/m", NULL, 0, 0, "0 in the air" ),
	DS_F64( ds_ctd, temperature, "degC", NULL, 0, 0, "in situ, ITS-90" ),
	DS_F64( ds_ctd, pressure, "Pa", NULL, 0, 0, "gauge or absolute as the gauge's reference says" ),
	DS_F64( ds_ctd, salinity, "", NULL, 0, 0, "practical (PSS-78), derived" ),
	DS_F64( ds_ctd, density, "kg/m3", NULL, 0, 0, "derived" ),
	DS_F64( ds_ctd, sound_speed, "m/s", NULL, 0, 0, "derived" ),
	DS_F64( ds_ctd, conductivity_variance, "S2/m2", NULL, 0, 0, "of white noise and of the resolution" ),
	DS_F64( ds_ctd, temperature_variance, "K2", NULL, 0, 0, "of white noise and of the resolution" ),
	DS_F64( ds_ctd, pressure_variance, "Pa2", NULL, 0, 0, "of white noise and of the resolution" ),
	DS_F64( ds_ctd, salinity_variance, "", NULL, 0, 0, "of those three" ),
	DS_BOOL( ds_ctd, valid, NULL, "false: in the air, or beyond a range; nothing is derived then" ),
};

const ds_table ds_ctd_readings =
	DS_TABLE( "ctd", "Conductivity, temperature, pressure, and what is derived of them", ds_ctd, reading_fields );

DS_SENSOR_TABLES( ctd )
DS_SENSOR_PRESETS( ctd )

// ---- a sample ----------------------------------------------------------------------------------------------------

// Conductivity [S/m] of the water in the cell, which is warmer than that outside by `warmer` [K].
static double true_conductivity( const ds_ctd_truth *truth, double warmer )
{
	if ( !truth->wet )
	{
		return 0;
	}
	double t68 = ds_t68_of_t90( truth->temperature + warmer );
	return DS_CONDUCTIVITY_35_15_0 * ds_pss78_ratio( truth->salinity, t68, truth->gauge_pressure );
}

static ds_pressure_truth gauge_truth( const ds_ctd_truth *truth )
{
	return ( ds_pressure_truth ){ truth->pressure, truth->temperature, truth->time, truth->period };
}

void ds_ctd_reset(
	const ds_ctd_config *config, const ds_ctd_truth *truth, const ds_random *stream, ds_ctd_state *state )
{
	memset( state, 0, sizeof( *state ) );
	ds_pressure_truth gauge = gauge_truth( truth );
	ds_pressure_reset( &config->pressure, &gauge, stream, &state->gauge );
	double normal[2];
	ds_random_normals( stream, RESET_NORMALS, 2, normal );
	state->turn_on[CONDUCTIVITY] = config->conductivity.turn_on * normal[CONDUCTIVITY];
	state->turn_on[TEMPERATURE] = config->temperature.turn_on * normal[TEMPERATURE];
	state->outside = state->thermometer = state->wall = truth->temperature;
	state->inside = state->cell = true_conductivity( truth, 0 );
	state->start = state->last = truth->time;
}

// A reading of an element of what it has come to; false if it was clipped.
static bool read_element( const ds_ctd_element *e, double value, double slow, double age, double normal, double *out )
{
	double x = value + e->scale * value + e->bias + slow + e->drift * age + e->noise * normal;
	*out = ds_clip_quantise( x, e->minimum, e->maximum, e->resolution );
	return x >= e->minimum && x <= e->maximum;
}

static double element_variance( const ds_ctd_element *e )
{
	return e->noise * e->noise + e->resolution * e->resolution / 12;
}

static double derived_salinity( double conductivity, double temperature, double pressure )
{
	return ds_pss78_salinity( conductivity / DS_CONDUCTIVITY_35_15_0, ds_t68_of_t90( temperature ), pressure );
}

// As the instrument's own software does it: from the numbers that it reports.
static void derive( const ds_ctd_config *config, ds_ctd *r )
{
	double c = r->conductivity, t = r->temperature, p = r->pressure;
	if ( config->pressure.reference == DS_PRESSURE_ABSOLUTE )
	{
		p -= config->air_pressure;
	}
	r->salinity = derived_salinity( c, t, p );
	if ( config->equation == DS_CTD_TEOS10 )
	{
		double sa = ds_teos10_absolute_salinity( r->salinity );
		double ct = ds_teos10_conservative_temperature( sa, t, p );
		r->density = ds_teos10_density( sa, ct, p );
		r->sound_speed = ds_teos10_sound( sa, ct, p );
	}
	else
	{
		r->density = ds_eos80_density( r->salinity, ds_t68_of_t90( t ), p );
		r->sound_speed = ds_sound_chen_millero( r->salinity, ds_t68_of_t90( t ), p );
	}
	const double dc = 1e-3, dt = 1e-2, dp = 1e4;
	double by_c = ( derived_salinity( c + dc, t, p ) - derived_salinity( c - dc, t, p ) ) / ( 2 * dc );
	double by_t = ( derived_salinity( c, t + dt, p ) - derived_salinity( c, t - dt, p ) ) / ( 2 * dt );
	double by_p = ( derived_salinity( c, t, p + dp ) - derived_salinity( c, t, p - dp ) ) / ( 2 * dp );
	r->salinity_variance = by_c * by_c * r->conductivity_variance + by_t * by_t * r->temperature_variance +
						   by_p * by_p * r->pressure_variance;
}

void ds_ctd_measure( const ds_ctd_config *config, const ds_ctd_truth *truth, const ds_random *stream,
	ds_ctd_state *state, ds_ctd *reading )
{
	double normal[NORMALS];
	if ( !ds_is_truth( fabs( truth->salinity ) + fabs( truth->temperature ) + fabs( truth->gauge_pressure ) +
					   fabs( truth->pressure ) + fabs( truth->time ) + fabs( truth->period ) ) )
	{
		memset( reading, 0, sizeof( *reading ) );
		return;
	}
	ds_random_normals( stream, WHITE, NORMALS - WHITE, normal + WHITE );
	const double dt = truth->time - state->last, age = truth->time - state->start;
	const ds_ctd_element *elements[2] = { &config->conductivity, &config->temperature };
	for ( int i = 0; i < 2 && dt > 0; ++i )
	{
		state->walk[i] = ds_walk_step( state->walk[i], elements[i]->walk, dt, normal[WALK + i] );
	}
	// the wall lags, and draws the water in the cell after it
	const double t = truth->temperature;
	state->wall = ds_lag_step( state->wall, state->outside, t, config->cell_tau, dt );
	state->thermometer = ds_lag_step( state->thermometer, state->outside, t, config->temperature.tau, dt );
	double inside = true_conductivity( truth, -config->cell_alpha * ( t - state->wall ) );
	state->cell = ds_lag_step( state->cell, state->inside, inside, config->conductivity.tau, dt );
	state->outside = t;
	state->inside = inside;
	state->last = truth->time;

	ds_pressure_truth gauge = gauge_truth( truth );
	ds_pressure p;
	ds_pressure_measure( &config->pressure, &gauge, stream, &state->gauge, &p );
	bool good = read_element( &config->conductivity, state->cell, state->turn_on[0] + state->walk[0], age,
		normal[WHITE + CONDUCTIVITY], &reading->conductivity );
	good = read_element( &config->temperature, state->thermometer, state->turn_on[1] + state->walk[1], age,
			   normal[WHITE + TEMPERATURE], &reading->temperature ) &&
		   good;
	reading->pressure = p.pressure;
	reading->conductivity_variance = element_variance( &config->conductivity );
	reading->temperature_variance = element_variance( &config->temperature );
	reading->pressure_variance = p.variance;
	reading->valid = good && p.valid && truth->wet;
	reading->salinity = reading->density = reading->sound_speed = reading->salinity_variance = 0;
	if ( reading->valid )
	{
		derive( config, reading );
	}
}
