#include "sensors/odometry.h"

#include "deepsim/math.h"

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
};

const ds_table ds_odometry_config_table =
	DS_TABLE( "odometry_config", "Options of the sensor odometry", ds_odometry_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( ds_odometry, position, "m", NULL, 0, 0, "position of the mount, world (north, east, down)" ),
	DS_F64( ds_odometry, attitude, "", NULL, 0, 0, "quaternion w, x, y, z, mount to world" ),
	DS_F64( ds_odometry, linear_velocity, "m/s", NULL, 0, 0, "velocity of the mount, mount axes" ),
	DS_F64( ds_odometry, angular_velocity, "rad/s", NULL, 0, 0, "angular velocity, mount axes" ),
};

const ds_table ds_odometry_table = DS_TABLE(
	"odometry", "Pose and velocity of the mount: the truth, with optional noise", ds_odometry, reading_fields );

bool ds_odometry_is_exact( const ds_odometry_config *config )
{
	return config->position_noise == 0 && config->attitude_noise == 0 && config->linear_velocity_noise == 0 &&
		   config->angular_velocity_noise == 0;
}

void ds_odometry_measure( const ds_odometry_config *config, const ds_odometry_truth *truth,
	const double normal[DS_ODOMETRY_NORMALS], ds_odometry *reading )
{
	ds_vec3 position = truth->pose.position, rate = truth->rate;
	ds_vec3 velocity = ds_unrotate( truth->pose.attitude, truth->velocity );
	ds_quat attitude = truth->pose.attitude;
	if ( normal && !ds_odometry_is_exact( config ) )
	{
		const double *n = normal;
		position = ds_mad( position, config->position_noise, ds_v3( n[0], n[1], n[2] ) );
		ds_vec3 turn = ds_scale( config->attitude_noise, ds_v3( n[3], n[4], n[5] ) );
		attitude = ds_quat_mul( attitude, ds_quat_exp( turn ) );
		velocity = ds_mad( velocity, config->linear_velocity_noise, ds_v3( n[6], n[7], n[8] ) );
		rate = ds_mad( rate, config->angular_velocity_noise, ds_v3( n[9], n[10], n[11] ) );
	}
	memcpy( reading->position, &position, sizeof( reading->position ) );
	memcpy( reading->attitude, &attitude, sizeof( reading->attitude ) );
	memcpy( reading->linear_velocity, &velocity, sizeof( reading->linear_velocity ) );
	memcpy( reading->angular_velocity, &rate, sizeof( reading->angular_velocity ) );
}
