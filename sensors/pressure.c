#include "sensors/pressure.h"

#include "sensors/lag.h"
#include "sensors/presets.h"
#include "sensors/process.h"
#include "sensors/tables.h"

#include <math.h>

// Far beyond any ocean: 1e9 Pa is the pressure under 100 km of water.
#define LIMIT 1e9

static const ds_choice references[] = {
	{ DS_PRESSURE_ABSOLUTE, DS_FORM_NAME, "absolute", NULL, NULL, "above vacuum" },
	{ DS_PRESSURE_GAUGE, DS_FORM_NAME, "gauge", NULL, NULL, "above the surface's pressure: 0 at the surface" },
};

static const ds_field config_fields[] = {
	DS_ENUM( ds_pressure_config, reference, references, "\"absolute\"", "what a reading of 0 stands for" ),
	DS_F64( ds_pressure_config, noise, "Pa", "0", 0, LIMIT, "standard deviation of white noise of each reading" ),
	DS_F64( ds_pressure_config, minimum, "Pa", "-1e9", -LIMIT, LIMIT, "least reading; lower ones are clipped" ),
	DS_F64( ds_pressure_config, maximum, "Pa", "1e9", -LIMIT, LIMIT, "greatest reading; higher ones are clipped" ),
	DS_F64( ds_pressure_config, resolution, "Pa", "0", 0, LIMIT, "readings are multiples of it; 0: exact" ),
	DS_F64( ds_pressure_config, noise_density, "Pa/sqrt(Hz)", "0", 0, LIMIT,
		"white noise of means since the last sample: adds to noise, and does not depend on the rate" ),
	DS_F64( ds_pressure_config, bias, "Pa", "0", -LIMIT, LIMIT, "constant bias" ),
	DS_F64( ds_pressure_config, turn_on, "Pa", "0", 0, LIMIT, "standard deviation of a bias drawn once a run" ),
	DS_F64( ds_pressure_config, walk, "Pa/sqrt(s)", "0", 0, LIMIT, "random walk" ),
	DS_F64( ds_pressure_config, ageing, "Pa/s", "0", -LIMIT, LIMIT,
		"steady drift since the start; 1 kPa a year is 3.17e-5" ),
	DS_F64( ds_pressure_config, markov_sigma, "Pa", "0", 0, LIMIT, "standard deviation of a Gauss-Markov process" ),
	DS_F64( ds_pressure_config, markov_tau, "s", "3600", 0, 1e9, "its correlation time" ),
	DS_F64( ds_pressure_config, scale, "", "0", -0.5, 0.5, "error of the span; 0.0001 is 100 ppm" ),
	{ "full_scale", DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_pressure_config, full_scale ), 1, 0, "Pa",
		"6e7", 0, LIMIT, "of the gauge, for its hysteresis", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_pressure_config, hysteresis, "", "0", 0, 0.5,
		"distance of falling from rising readings at half scale in a full cycle, over the full scale" ),
	DS_F64( ds_pressure_config, offset_temperature, "Pa/K", "0", -1e6, 1e6, "change of the offset with temperature" ),
	DS_F64( ds_pressure_config, span_temperature, "1/K", "0", -0.01, 0.01, "change of the span with temperature" ),
	DS_F64( ds_pressure_config, reference_temperature, "degC", "20", -100, 200, "where both are zero" ),
	DS_F64( ds_pressure_config, thermal_tau, "s", "0", 0, 1e6,
		"time constant of the sensor's temperature; 0: that of the water at once" ),
	DS_F64( ds_pressure_config, air_temperature, "degC", "15", -100, 100, "of the surroundings out of the water" ),
};

static ds_status check_config( const void *value )
{
	const ds_pressure_config *config = value;
	if ( !( config->minimum < config->maximum ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "minimum must be below maximum, got %g and %g Pa", config->minimum, config->maximum );
	}
	return DS_OK;
}

const ds_table ds_pressure_options = { "pressure_config", "Options of the sensor pressure",
	sizeof( ds_pressure_config ), config_fields, DS_COUNT( config_fields ), check_config, ds_pressure_presets,
	DS_PRESSURE_PRESETS };

static const ds_field reading_fields[] = {
	DS_F64( ds_pressure, pressure, "Pa", NULL, 0, 0, "absolute or gauge pressure, as the config says" ),
	DS_F64( ds_pressure, variance, "Pa2", NULL, 0, 0, "of white noise and of the resolution" ),
	DS_F64( ds_pressure, bias_variance, "Pa2", NULL, 0, 0,
		"of what stays: turn-on bias, random walk so far, Gauss-Markov process" ),
	DS_F64( ds_pressure, temperature, "degC", NULL, 0, 0, "of the sensor" ),
	DS_BOOL( ds_pressure, valid, NULL, "false: beyond the range, and clipped to it" ),
};

const ds_table ds_pressure_readings =
	DS_TABLE( "pressure", "Pressure of the water, or of the air, at the mount", ds_pressure, reading_fields );

DS_SENSOR_TABLES( pressure )
DS_SENSOR_PRESETS( pressure )

ds_pressure_truth ds_pressure_truth_of( const ds_pressure_config *config, const ds_water *water, ds_time time )
{
	ds_pressure_truth truth = { water->pressure, water->temperature, 1e-9 * (double)time, 0 };
	if ( config->reference == DS_PRESSURE_GAUGE )
	{
		truth.pressure = water->gauge_pressure;
	}
	if ( !water->present )
	{
		truth.temperature = config->air_temperature;
	}
	return truth;
}

// ---- hysteresis --------------------------------------------------------------------------------------------------

// Half width of play operator k.
static double half_width( const ds_pressure_config *config, int k )
{
	return 0.5 * config->full_scale * ( k + 0.5 ) / DS_PRESSURE_PLAYS;
}

// Of the play operators at half scale the branches lie min( 2 r, full_scale - 2 r ) apart: in all full_scale
// DS_PRESSURE_PLAYS / 4 times their weight. From end to end each loses 2 r: in all full_scale DS_PRESSURE_PLAYS / 2 times it.
double ds_pressure_hysteresis( const ds_pressure_config *config, double pressure, double play[DS_PRESSURE_PLAYS] )
{
	const double full = config->full_scale, p = ds_clip( pressure, 0, full );
	double sum = 0;
	for ( int k = 0; k < DS_PRESSURE_PLAYS; ++k )
	{
		double r = half_width( config, k );
		play[k] = ds_clip( play[k], p - r, p + r );
		sum += play[k] - p;
	}
	return config->hysteresis * ( 4.0 / DS_PRESSURE_PLAYS * sum + 2 * p - full );
}

// ---- a sample ----------------------------------------------------------------------------------------------------

void ds_pressure_reset( const ds_pressure_config *config, const ds_pressure_truth *truth, const ds_random *stream,
	ds_pressure_state *state )
{
	double normal[2];
	ds_random_normals( stream, 0, 2, normal );
	*state = ( ds_pressure_state ){ 0 };
	state->turn_on = config->turn_on * normal[0];
	state->markov = config->markov_sigma * normal[1];
	state->temperature = state->outside = truth->temperature;
	state->start = state->last = truth->time;
	// down from full scale, where it had risen to
	double p = ds_clip( truth->pressure, 0, config->full_scale );
	for ( int k = 0; k < DS_PRESSURE_PLAYS; ++k )
	{
		double r = half_width( config, k );
		state->play[k] = fmin( config->full_scale - r, p + r );
	}
}

void ds_pressure_step( const ds_pressure_config *config, const ds_pressure_truth *truth,
	const double normal[DS_PRESSURE_NORMALS], ds_pressure_state *state, ds_pressure *reading )
{
	if ( !ds_is_truth(
			 fabs( truth->pressure ) + fabs( truth->temperature ) + fabs( truth->time ) + fabs( truth->period ) ) )
	{
		*reading = ( ds_pressure ){ .pressure = NAN, .temperature = NAN, .variance = NAN, .bias_variance = NAN };
		return;
	}
	const double dt = truth->time - state->last, age = truth->time - state->start;
	state->last = truth->time;
	if ( dt > 0 )
	{
		state->walk = ds_walk_step( state->walk, config->walk, dt, normal[DS_PRESSURE_WALK] );
		state->markov =
			ds_markov_step( state->markov, config->markov_sigma, config->markov_tau, dt, normal[DS_PRESSURE_MARKOV] );
	}
	state->temperature = ds_lag_step( state->temperature, state->outside, truth->temperature, config->thermal_tau, dt );
	state->outside = truth->temperature;

	double white = config->noise * config->noise;
	const double mean = dt > 0 ? dt : truth->period;
	if ( mean > 1e-12 )
	{
		white += config->noise_density * config->noise_density / mean;
	}
	const double warm = state->temperature - config->reference_temperature;
	double p = truth->pressure + ( config->scale + config->span_temperature * warm ) * truth->pressure;
	p += config->bias + state->turn_on + state->walk + state->markov + config->ageing * age;
	p += config->offset_temperature * warm;
	if ( config->hysteresis > 0 )
	{
		p += ds_pressure_hysteresis( config, truth->pressure, state->play );
	}
	p += sqrt( white ) * normal[DS_PRESSURE_WHITE];

	reading->valid = p >= config->minimum && p <= config->maximum;
	reading->pressure = ds_clip_quantise( p, config->minimum, config->maximum, config->resolution );
	reading->temperature = state->temperature;
	reading->variance = white + config->resolution * config->resolution / 12;
	reading->bias_variance = config->turn_on * config->turn_on + config->walk * config->walk * age +
							 config->markov_sigma * config->markov_sigma;
}

void ds_pressure_measure( const ds_pressure_config *config, const ds_pressure_truth *truth, const ds_random *stream,
	ds_pressure_state *state, ds_pressure *reading )
{
	double normal[DS_PRESSURE_NORMALS] = { 0 };
	if ( config->noise > 0 || config->noise_density > 0 || config->walk > 0 || config->markov_sigma > 0 )
	{
		ds_random_normals( stream, 0, DS_PRESSURE_NORMALS, normal );
	}
	ds_pressure_step( config, truth, normal, state, reading );
}
