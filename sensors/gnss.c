#include "sensors/gnss.h"

#include "base/geodesy.h"
#include "deepsim/math.h"
#include "sensors/presets.h"
#include "sensors/process.h"
#include "sensors/tables.h"

#include <string.h>

// Slots of a sample's stream.
enum
{
	WHITE, // north, east, down
	MARKOV = WHITE + 3,
	VELOCITY = MARKOV + 3,
	OUTLIER = VELOCITY + 3, // north, east
	NORMALS = OUTLIER + 2
};

static const ds_field config_fields[] = {
	DS_F64( ds_gnss_config, horizontal_noise, "m", "0", 0, 1e4, "standard deviation of white noise, north and east" ),
	DS_F64( ds_gnss_config, vertical_noise, "m", "0", 0, 1e4, "the same, down" ),
	DS_F64( ds_gnss_config, horizontal_sigma, "m", "0", 0, 1e4,
		"standard deviation of a Gauss-Markov process, north and east" ),
	DS_F64( ds_gnss_config, vertical_sigma, "m", "0", 0, 1e4, "the same, down" ),
	DS_F64( ds_gnss_config, horizontal_tau, "s", "300", 0, 1e9, "correlation time, north and east" ),
	DS_F64( ds_gnss_config, vertical_tau, "s", "300", 0, 1e9, "correlation time, down" ),
	DS_F64( ds_gnss_config, horizontal_velocity_noise, "m/s", "0", 0, 1e3, "white noise of velocity, north and east" ),
	DS_F64( ds_gnss_config, vertical_velocity_noise, "m/s", "0", 0, 1e3, "the same, down" ),
	DS_F64( ds_gnss_config, outlier_rate, "", "0", 0, 1, "probability that a fix is an outlier" ),
	DS_F64( ds_gnss_config, outlier_sigma, "m", "50", 0, 1e6, "standard deviation of its jump, north and east" ),
	DS_F64( ds_gnss_config, mask_depth, "m", "0.03", 0, 10, "water over the antenna that takes the signal away" ),
	DS_F64( ds_gnss_config, cold_start, "s", "0", 0, 1e5, "in sight of the sky until the first fix of a run" ),
	DS_F64( ds_gnss_config, warm_start, "s", "0", 0, 1e5, "until a fix after longer than ephemeris_life under water" ),
	DS_F64( ds_gnss_config, reacquisition, "s", "0", 0, 1e5, "until a fix after less" ),
	DS_F64( ds_gnss_config, ephemeris_life, "s", "14400", 0, 1e9, "how long a receiver knows its satellites" ),
	DS_F64( ds_gnss_config, undulation, "m", "0", -200, 200, "height of mean sea level above the ellipsoid" ),
	DS_I64( ds_gnss_config, satellites, "", "12", 0, 200, "that a fix is said to use" ),
};

const ds_table ds_gnss_options = { "gnss_config", "Options of the sensor gnss", sizeof( ds_gnss_config ), config_fields,
	DS_COUNT( config_fields ), NULL, ds_gnss_presets, DS_GNSS_PRESETS };

static const ds_field reading_fields[] = {
	DS_BOOL( ds_gnss, valid, NULL, "there is a fix; without one all is 0 but age" ),
	DS_I64( ds_gnss, fix, "", NULL, 0, 0, "0: none, 3: in three dimensions" ),
	DS_I64( ds_gnss, satellites, "", NULL, 0, 0, "that the fix uses" ),
	DS_F64( ds_gnss, latitude, "rad", NULL, 0, 0, "WGS-84" ),
	DS_F64( ds_gnss, longitude, "rad", NULL, 0, 0, "WGS-84, in (-pi, pi]" ),
	DS_F64( ds_gnss, height, "m", NULL, 0, 0, "above the ellipsoid" ),
	DS_F64( ds_gnss, altitude, "m", NULL, 0, 0, "above mean sea level" ),
	DS_F64( ds_gnss, velocity, "m/s", NULL, 0, 0, "north, east, down" ),
	DS_F64( ds_gnss, position_variance, "m2", NULL, 0, 0, "north, east, down, outliers left out" ),
	DS_F64( ds_gnss, velocity_variance, "m2/s2", NULL, 0, 0, "north, east, down" ),
	DS_F64( ds_gnss, age, "s", NULL, 0, 0, "of the last fix; -1: there was none" ),
};

const ds_table ds_gnss_readings = DS_TABLE( "gnss", "Position and velocity by satellites", ds_gnss, reading_fields );

DS_SENSOR_TABLES( gnss )
DS_SENSOR_PRESETS( gnss )

static double sigma_of( const ds_gnss_config *c, int axis )
{
	return axis < 2 ? c->horizontal_sigma : c->vertical_sigma;
}

static double noise_of( const ds_gnss_config *c, int axis )
{
	return axis < 2 ? c->horizontal_noise : c->vertical_noise;
}

static double velocity_noise_of( const ds_gnss_config *c, int axis )
{
	return axis < 2 ? c->horizontal_velocity_noise : c->vertical_velocity_noise;
}

void ds_gnss_reset( const ds_gnss_config *config, double time, const ds_random *stream, ds_gnss_state *state )
{
	memset( state, 0, sizeof( *state ) );
	double normal[3];
	ds_random_normals( stream, 0, 3, normal );
	for ( int i = 0; i < 3; ++i )
	{
		state->markov[i] = sigma_of( config, i ) * normal[i];
	}
	state->seen_since = state->fixed_last = state->last = time;
}

// Whether there is a fix now.
static bool track( const ds_gnss_config *c, const ds_gnss_truth *truth, ds_gnss_state *state )
{
	if ( truth->masked )
	{
		state->seen = false;
		return false;
	}
	if ( !state->seen )
	{
		state->seen = true;
		state->seen_since = truth->time;
	}
	double delay = c->cold_start;
	if ( state->fixed_once )
	{
		delay = state->seen_since - state->fixed_last > c->ephemeris_life ? c->warm_start : c->reacquisition;
		// what counts is the sight before this one, as long as this one has had no fix
		delay = state->fixed_last >= state->seen_since ? 0 : delay;
	}
	// times are sums of ticks: a nanosecond of rounding is forgiven
	if ( truth->time - state->seen_since + 1e-9 < delay )
	{
		return false;
	}
	state->fixed_once = true;
	state->fixed_last = truth->time;
	return true;
}

// Adds an error in metres to a place.
static void displace( ds_geodetic *place, const double error[3] )
{
	double meridian, parallel;
	ds_earth_radii( place->latitude, &meridian, &parallel );
	place->latitude = ds_clip( place->latitude + error[0] / meridian, -0.5 * DS_PI, 0.5 * DS_PI );
	place->longitude += parallel > 1 ? error[1] / parallel : 0;
	place->longitude -= 2 * DS_PI * ceil( ( place->longitude - DS_PI ) / ( 2 * DS_PI ) );
	place->height -= error[2];
}

void ds_gnss_measure( const ds_gnss_config *config, const ds_gnss_truth *truth, const ds_random *stream,
	ds_gnss_state *state, ds_gnss *reading )
{
	double normal[NORMALS], error[3];
	const ds_geodetic *at = &truth->place;
	if ( !ds_is_truth( fabs( at->latitude ) + fabs( at->longitude ) + fabs( at->height ) + fabs( truth->time ) +
					   ds_size3( truth->velocity ) ) )
	{
		*reading = ( ds_gnss ){ .age = state->fixed_once ? state->last - state->fixed_last : -1 };
		return;
	}
	ds_random_normals( stream, 0, NORMALS, normal );
	const double dt = truth->time - state->last;
	for ( int i = 0; i < 3 && dt > 0; ++i )
	{
		double tau = i < 2 ? config->horizontal_tau : config->vertical_tau;
		state->markov[i] = ds_markov_step( state->markov[i], sigma_of( config, i ), tau, dt, normal[MARKOV + i] );
	}
	state->last = truth->time;
	memset( reading, 0, sizeof( *reading ) );
	reading->valid = track( config, truth, state );
	reading->age = state->fixed_once ? truth->time - state->fixed_last : -1;
	if ( !reading->valid )
	{
		return;
	}
	const double velocity[3] = { truth->velocity.x, truth->velocity.y, truth->velocity.z };
	for ( int i = 0; i < 3; ++i )
	{
		double noise = noise_of( config, i ), sigma = sigma_of( config, i ), swift = velocity_noise_of( config, i );
		error[i] = state->markov[i] + noise * normal[WHITE + i];
		reading->velocity[i] = velocity[i] + swift * normal[VELOCITY + i];
		reading->position_variance[i] = noise * noise + sigma * sigma;
		reading->velocity_variance[i] = swift * swift;
	}
	double chance = 1;
	if ( config->outlier_rate > 0 )
	{
		ds_random_uniforms( stream, 0, 1, &chance );
	}
	if ( chance < config->outlier_rate )
	{
		error[0] += config->outlier_sigma * normal[OUTLIER];
		error[1] += config->outlier_sigma * normal[OUTLIER + 1];
	}
	ds_geodetic place = truth->place;
	displace( &place, error );
	reading->latitude = place.latitude;
	reading->longitude = place.longitude;
	reading->altitude = place.height;
	reading->height = place.height + config->undulation;
	reading->fix = DS_GNSS_3D;
	reading->satellites = config->satellites;
}
