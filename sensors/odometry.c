#include "sensors/odometry.h"

#include "sensors/process.h"
#include "sensors/tables.h"

#include <string.h>

static const ds_field config_fields[] = {
	DS_F64( ds_odometry_config, position_noise, "m", "0", 0, 1e6,
		"standard deviation of white noise on each axis of position" ),
	DS_ANGLE( ds_odometry_config, attitude_noise, "0", 0, 180,
		"standard deviation of white noise on each axis of attitude, as a small rotation vector" ),
	DS_F64( ds_odometry_config, linear_velocity_noise, "m/s", "0", 0, 1e6,
		"standard deviation of white noise on each axis of linear velocity" ),
	DS_F64( ds_odometry_config, angular_velocity_noise, "rad/s", "0", 0, 1e6,
		"standard deviation of white noise on each axis of angular velocity" ),
	DS_F64( ds_odometry_config, position_walk, "m/sqrt(s)", "0", 0, 1e6, "random walk of each axis of position" ),
	{ "attitude_walk", DS_FIELD_F64, DS_FIELD_ANGLE, offsetof( ds_odometry_config, attitude_walk ), 1, 0, "rad/sqrt(s)",
		"0", 0, 180, "random walk of each axis of attitude", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_odometry_config, position_sigma, "m", "0", 0, 1e6,
		"standard deviation of a Gauss-Markov process on each axis of position" ),
	DS_F64( ds_odometry_config, position_tau, "s", "0", 0, 1e9, "its correlation time" ),
	DS_ANGLE( ds_odometry_config, attitude_sigma, "0", 0, 180, "the same, attitude" ),
	DS_F64( ds_odometry_config, attitude_tau, "s", "0", 0, 1e9, "its correlation time" ),
	DS_F64( ds_odometry_config, linear_velocity_sigma, "m/s", "0", 0, 1e6, "the same, linear velocity" ),
	DS_F64( ds_odometry_config, linear_velocity_tau, "s", "0", 0, 1e9, "its correlation time" ),
	DS_F64( ds_odometry_config, angular_velocity_sigma, "rad/s", "0", 0, 1e6, "the same, angular velocity" ),
	DS_F64( ds_odometry_config, angular_velocity_tau, "s", "0", 0, 1e9, "its correlation time" ),
};

const ds_table ds_odometry_options =
	DS_TABLE( "odometry_config", "Options of the sensor odometry", ds_odometry_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( ds_odometry, position, "m", NULL, 0, 0, "position of the mount, world (north, east, down)" ),
	DS_F64( ds_odometry, attitude, "", NULL, 0, 0, "quaternion w, x, y, z, mount to world" ),
	DS_F64( ds_odometry, linear_velocity, "m/s", NULL, 0, 0, "velocity of the mount, mount axes" ),
	DS_F64( ds_odometry, angular_velocity, "rad/s", NULL, 0, 0, "angular velocity, mount axes" ),
	DS_F64( ds_odometry, position_variance, "m2", NULL, 0, 0, "of each axis" ),
	DS_F64( ds_odometry, attitude_variance, "rad2", NULL, 0, 0, "of each axis of a small rotation vector, mount axes" ),
	DS_F64( ds_odometry, linear_velocity_variance, "m2/s2", NULL, 0, 0, "of each axis" ),
	DS_F64( ds_odometry, angular_velocity_variance, "rad2/s2", NULL, 0, 0, "of each axis" ),
	DS_BOOL( ds_odometry, valid, NULL, "always true" ),
};

const ds_table ds_odometry_readings = DS_TABLE(
	"odometry", "Pose and velocity of the mount: the truth, with optional noise", ds_odometry, reading_fields );

DS_SENSOR_TABLES( odometry )

// Of the channels position, attitude, linear and angular velocity.
typedef struct channel
{
	double noise, walk, sigma, tau;
} channel;

static channel channel_of( const ds_odometry_config *c, int i )
{
	const channel all[4] = {
		{ c->position_noise, c->position_walk, c->position_sigma, c->position_tau },
		{ c->attitude_noise, c->attitude_walk, c->attitude_sigma, c->attitude_tau },
		{ c->linear_velocity_noise, 0, c->linear_velocity_sigma, c->linear_velocity_tau },
		{ c->angular_velocity_noise, 0, c->angular_velocity_sigma, c->angular_velocity_tau },
	};
	return all[i];
}

bool ds_odometry_is_exact( const ds_odometry_config *config )
{
	bool exact = true;
	for ( int i = 0; i < 4; ++i )
	{
		channel c = channel_of( config, i );
		exact = exact && c.noise == 0 && c.walk == 0 && c.sigma == 0;
	}
	return exact;
}

void ds_odometry_step( const ds_odometry_config *config, const ds_odometry_truth *truth,
	const double normal[DS_ODOMETRY_NORMALS], const double slow[12], ds_odometry *reading )
{
	ds_vec3 position = truth->pose.position, rate = truth->rate;
	ds_vec3 velocity = ds_unrotate( truth->pose.attitude, truth->velocity );
	ds_quat attitude = truth->pose.attitude;
	if ( normal && !ds_odometry_is_exact( config ) )
	{
		double e[12];
		for ( int i = 0; i < 12; ++i )
		{
			e[i] = channel_of( config, i / 3 ).noise * normal[i] + ( slow ? slow[i] : 0 );
		}
		position = ds_add( position, ds_v3( e[0], e[1], e[2] ) );
		attitude = ds_quat_mul( attitude, ds_quat_exp( ds_v3( e[3], e[4], e[5] ) ) );
		velocity = ds_add( velocity, ds_v3( e[6], e[7], e[8] ) );
		rate = ds_add( rate, ds_v3( e[9], e[10], e[11] ) );
	}
	memcpy( reading->position, &position, sizeof( reading->position ) );
	memcpy( reading->attitude, &attitude, sizeof( reading->attitude ) );
	memcpy( reading->linear_velocity, &velocity, sizeof( reading->linear_velocity ) );
	memcpy( reading->angular_velocity, &rate, sizeof( reading->angular_velocity ) );
	reading->valid = true;
}

void ds_odometry_reset(
	const ds_odometry_config *config, double time, const ds_random *stream, ds_odometry_state *state )
{
	memset( state, 0, sizeof( *state ) );
	double normal[12];
	ds_random_normals( stream, 0, 12, normal );
	for ( int i = 0; i < 12; ++i )
	{
		state->markov[i] = channel_of( config, i / 3 ).sigma * normal[i];
	}
	state->start = state->last = time;
}

static double variance_of( const ds_odometry_config *config, int i, double age )
{
	channel c = channel_of( config, i );
	return c.noise * c.noise + c.sigma * c.sigma + c.walk * c.walk * age;
}

void ds_odometry_measure( const ds_odometry_config *config, const ds_odometry_truth *truth, const ds_random *stream,
	ds_odometry_state *state, ds_odometry *reading )
{
	const ds_pose *pose = &truth->pose;
	ds_quat q = pose->attitude;
	if ( !ds_is_truth( ds_size3( pose->position ) + ds_size3( truth->velocity ) + ds_size3( truth->rate ) +
					   fabs( truth->time ) + fabs( q.w ) + ds_size3( ds_v3( q.x, q.y, q.z ) ) ) )
	{
		*reading = ( ds_odometry ){ 0 };
		return;
	}
	if ( ds_odometry_is_exact( config ) )
	{
		*reading = ( ds_odometry ){ 0 };
		ds_odometry_step( config, truth, NULL, NULL, reading );
		return;
	}
	double normal[DS_ODOMETRY_NORMALS + 18], slow[12];
	ds_random_normals( stream, 0, DS_ODOMETRY_NORMALS + 18, normal );
	const double *step = normal + DS_ODOMETRY_NORMALS, dt = truth->time - state->last;
	for ( int i = 0; i < 12; ++i )
	{
		channel c = channel_of( config, i / 3 );
		if ( dt > 0 && c.sigma > 0 )
		{
			state->markov[i] = ds_markov_step( state->markov[i], c.sigma, c.tau, dt, step[i] );
		}
		if ( dt > 0 && i < 6 )
		{
			state->walk[i] = ds_walk_step( state->walk[i], c.walk, dt, step[12 + i] );
		}
		slow[i] = state->markov[i] + ( i < 6 ? state->walk[i] : 0 );
	}
	state->last = truth->time;
	const double age = truth->time - state->start;
	ds_odometry_step( config, truth, normal, slow, reading );
	reading->position_variance = variance_of( config, 0, age );
	reading->attitude_variance = variance_of( config, 1, age );
	reading->linear_velocity_variance = variance_of( config, 2, age );
	reading->angular_velocity_variance = variance_of( config, 3, age );
}
