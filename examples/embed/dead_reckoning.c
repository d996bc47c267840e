// Dead reckoning: an AUV steers itself along a transect of 10 km by what its own sensors say, and this program tells how far it
// went astray. Three navigators run side by side on the same readings:
//   inertial  gyroscopes and accelerometers alone
//   dvl       gyroscopes for attitude, Doppler log for velocity, pressure for depth; heading from the gyroscopes alone
//   aided     the same, its heading drawn to the magnetometer, its tilt to gravity; the vehicle is steered by this one
// cc dead_reckoning.c $(pkg-config --cflags --libs deepsim) -lm
// ./a.out examples/dead_reckoning/dead_reckoning.json out/dead_reckoning [LENGTH]

#include <deepsim/deepsim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

#define DEGREE     ( DS_PI / 180 )
#define EARTH_RATE 7.292115e-5 // [rad/s], WGS-84
#define NAVIGATORS 3
#define ALIGNMENT  300.0 // time that the vehicle cruises before its position is set and the transect starts [s]

typedef struct navigator
{
	const char *name;
	bool uses_dvl, uses_magnetometer;
	ds_quat attitude; // body to north-east-down
	ds_vec3 velocity, position;
	ds_vec3 gyro_bias; // estimated [rad/s]
	double heading_error; // of the last magnetometer reading against the attitude [rad]
} navigator;

// What the navigators know of the place.
typedef struct place
{
	ds_vec3 earth; // rate of the Earth, north-east-down [rad/s]
	double gravity; // [m/s2]
	double declination; // of the magnetic field, WMM2025 [rad]
	double density; // of the water, for depth [kg/m3]
	ds_vec3 dvl_arm; // from the vehicle's origin to the transducer [m]
} place;

static double wrap( double angle )
{
	return remainder( angle, 2 * DS_PI );
}

// ---- navigation --------------------------------------------------------------------------------------------------

// Heading from the field and the tilt that the attitude has.
static double magnetic_heading( ds_quat attitude, const double field[3], double declination )
{
	ds_vec3 rpy = ds_quat_to_rpy( attitude );
	ds_quat tilt = ds_quat_from_rpy( ds_v3( rpy.x, rpy.y, 0 ) );
	ds_vec3 level = ds_rotate( tilt, ds_v3( field[0], field[1], field[2] ) );
	return atan2( -level.y, level.x ) + declination;
}

// Coarse alignment at the start: tilt from gravity, heading from the field. The vehicle cruises straight and level.
static ds_quat align( const ds_imu *imu, const ds_magnetometer *magnetometer, const place *here )
{
	const double *f = imu->linear_acceleration;
	double roll = atan2( -f[1], -f[2] ), pitch = atan2( f[0], hypot( f[1], f[2] ) );
	ds_quat tilt = ds_quat_from_rpy( ds_v3( roll, pitch, 0 ) );
	double heading = magnetic_heading( tilt, magnetometer->field, here->declination );
	return ds_quat_from_rpy( ds_v3( roll, pitch, heading ) );
}

// Attitude and velocity over one IMU sample.
static void integrate( navigator *n, const ds_imu *imu, const place *here )
{
	double dt = imu->interval;
	ds_vec3 turn = ds_v3( imu->delta_angle[0], imu->delta_angle[1], imu->delta_angle[2] );
	ds_vec3 push = ds_v3( imu->delta_velocity[0], imu->delta_velocity[1], imu->delta_velocity[2] );
	turn = ds_mad( turn, -dt, n->gyro_bias );
	turn = ds_mad( turn, -dt, ds_unrotate( n->attitude, here->earth ) );

	// the push is given in axes that turn: taken at the middle of the interval
	ds_vec3 world_push = ds_rotate( ds_quat_mul( n->attitude, ds_quat_exp( ds_scale( 0.5, turn ) ) ), push );
	ds_vec3 before = n->velocity;
	n->velocity = ds_add( n->velocity, world_push );
	n->velocity.z += here->gravity * dt;
	n->velocity = ds_mad( n->velocity, -2 * dt, ds_cross( here->earth, before ) );
	n->position = ds_mad( n->position, 0.5 * dt, ds_add( before, n->velocity ) );
	n->attitude = ds_quat_normalize( ds_quat_mul( n->attitude, ds_quat_exp( turn ) ) );
}

// Draws tilt to gravity and heading to the magnetometer, and learns the gyroscopes' bias from what it draws (Mahony, Hamel, Pflimlin
// 2008, IEEE Trans. Automatic Control 53, 1203). The vehicle hardly accelerates, so specific force is gravity. While it aligns itself
// `haste` is above 1.
static void correct( navigator *n, const ds_imu *imu, const place *here, double haste, bool heading )
{
	const double tilt_gain = 0.02, heading_gain = 0.01, bias_gain = 1e-5; // [1/s], [1/s], [1/s2]
	const double *f = imu->linear_acceleration;
	ds_vec3 up = ds_unrotate( n->attitude, ds_v3( 0, 0, -1 ) ), down = ds_scale( -1, up );
	ds_vec3 error = ds_scale( 1 / here->gravity, ds_cross( ds_v3( f[0], f[1], f[2] ), up ) );
	ds_vec3 turn = ds_scale( haste * tilt_gain, error );
	ds_vec3 learned = ds_scale( bias_gain * haste, error );
	if ( heading )
	{
		turn = ds_mad( turn, haste * heading_gain * n->heading_error, down );
		learned = ds_mad( learned, bias_gain * haste * n->heading_error, down );
	}
	n->gyro_bias = ds_mad( n->gyro_bias, -imu->interval, learned );
	n->attitude = ds_quat_mul( n->attitude, ds_quat_exp( ds_scale( imu->interval, turn ) ) );
}

// Velocity by the Doppler log, whose transducer swings about the vehicle's origin.
static void take_dvl( navigator *n, const ds_dvl *dvl, const ds_imu *imu, const place *here )
{
	ds_vec3 rate = ds_v3( imu->angular_velocity[0], imu->angular_velocity[1], imu->angular_velocity[2] );
	ds_vec3 velocity = ds_v3( dvl->velocity[0], dvl->velocity[1], dvl->velocity[2] );
	velocity = ds_sub( velocity, ds_cross( rate, here->dvl_arm ) );
	ds_vec3 world = ds_rotate( n->attitude, velocity );

	// the accelerometers carry it from ping to ping; each ping takes away a part of what they drifted
	n->velocity = ds_mad( n->velocity, 0.1, ds_sub( world, n->velocity ) );
}

// ---- steering ----------------------------------------------------------------------------------------------------

// Fins of a REMUS 100 at its tail: lift 9.64 N s2/(m2 rad), at most 13.6 degrees (Prestero 2001, MIT).
static ds_wrench steer( const navigator *n, const ds_imu *imu, ds_vec3 from, double course, double depth )
{
	const double lift = 9.64, most = 13.6 * DEGREE;
	ds_vec3 rpy = ds_quat_to_rpy( n->attitude ), body = ds_unrotate( n->attitude, n->velocity );
	ds_vec3 way = ds_sub( n->position, from );
	double across = way.y * cos( course ) - way.x * sin( course );
	double wanted_yaw = course - atan( across / 30 );
	double wanted_pitch = fmax( -0.2, fmin( 0.2, -0.05 * ( depth - n->position.z ) ) );
	double yaw = 1.5 * wrap( wanted_yaw - rpy.z ) - 1.5 * imu->angular_velocity[2];
	double pitch = 1.5 * ( wanted_pitch - rpy.y ) - 1.5 * imu->angular_velocity[1];
	double u2 = body.x * fabs( body.x );
	ds_wrench fins = { { 0, 0, 0 }, { 0, 0, 0 } };
	fins.force.y = -lift * u2 * fmax( -most, fmin( most, yaw ) );
	fins.force.z = lift * u2 * fmax( -most, fmin( most, pitch ) );
	return fins;
}

// ---- the mission -------------------------------------------------------------------------------------------------

typedef struct vehicle
{
	ds_world *world;
	ds_id body, imu, dvl, pressure, magnetometer;
} vehicle;

static int find( vehicle *v )
{
	TRY( ds_world_find( v->world, DS_BODY, "auv", &v->body ) );
	TRY( ds_world_find( v->world, DS_SENSOR, "imu", &v->imu ) );
	TRY( ds_world_find( v->world, DS_SENSOR, "dvl", &v->dvl ) );
	TRY( ds_world_find( v->world, DS_SENSOR, "pressure", &v->pressure ) );
	TRY( ds_world_find( v->world, DS_SENSOR, "magnetometer", &v->magnetometer ) );
	return 0;
}

static void know_the_place( const vehicle *v, place *here )
{
	ds_geodetic geodetic = { 0 };
	ds_geomagnetic field = { 0 };
	double year = 2026.5;
	char date[32];
	ds_geodetic_at( v->world, ds_v3( 0, 0, 0 ), &geodetic );
	if ( ds_world_date( v->world, date, sizeof date ) == DS_OK )
	{
		date[10] = 0; // the day will do
		ds_decimal_year( date, &year );
	}
	ds_geomagnetic_at( ds_geomagnetic_wmm2025(), geodetic.latitude, geodetic.longitude, 0, year, &field );
	here->declination = field.declination;
	here->earth = ds_v3( EARTH_RATE * cos( geodetic.latitude ), 0, -EARTH_RATE * sin( geodetic.latitude ) );
	here->gravity = 9.81;
	here->density = 1030;
	here->dvl_arm = ds_v3( 0.3, 0, 0.08 );
}

// Takes whatever is new of the aiding sensors.
static void take_aids( const vehicle *v, navigator *all, const ds_imu *imu, const place *here, bool aligning )
{
	ds_dvl dvl;
	while ( ds_sensor_next( v->world, v->dvl, NULL, &dvl, sizeof dvl ) == DS_OK )
	{
		for ( int i = 0; i < NAVIGATORS && dvl.fresh && dvl.bottom_valid; i++ )
		{
			if ( aligning || all[i].uses_dvl )
			{
				take_dvl( all + i, &dvl, imu, here );
			}
		}
	}
	ds_pressure pressure;
	while ( ds_sensor_next( v->world, v->pressure, NULL, &pressure, sizeof pressure ) == DS_OK )
	{
		double depth = ( pressure.pressure - 101325 ) / ( here->density * here->gravity );
		for ( int i = 0; i < NAVIGATORS; i++ )
		{
			all[i].position.z += aligning || all[i].uses_dvl ? 0.1 * ( depth - all[i].position.z ) : 0;
		}
	}
	ds_magnetometer magnetometer;
	while ( ds_sensor_next( v->world, v->magnetometer, NULL, &magnetometer, sizeof magnetometer ) == DS_OK )
	{
		for ( int i = 0; i < NAVIGATORS; i++ )
		{
			double heading = magnetic_heading( all[i].attitude, magnetometer.field, here->declination );
			all[i].heading_error = wrap( heading - ds_quat_to_rpy( all[i].attitude ).z );
		}
	}
}

static int start( const vehicle *v, navigator *all, const place *here )
{
	ds_imu imu;
	ds_magnetometer magnetometer;
	TRY( ds_world_step( v->world, ds_world_ticks( v->world, 0.2 ) ) );
	TRY( ds_sensor_latest( v->world, v->imu, NULL, &imu, sizeof imu ) );
	TRY( ds_sensor_latest( v->world, v->magnetometer, NULL, &magnetometer, sizeof magnetometer ) );
	for ( int i = 0; i < NAVIGATORS; i++ )
	{
		all[i].attitude = align( &imu, &magnetometer, here );
	}
	return 0;
}

static double error_of( const navigator *n, const ds_body_motion *truth )
{
	ds_vec3 error = ds_sub( n->position, truth->pose.position );
	return hypot( error.x, error.y );
}

static int mission( vehicle *v, double length, FILE *log )
{
	navigator all[NAVIGATORS] = { { .name = "inertial" }, { .name = "dvl", .uses_dvl = true },
		{ .name = "aided", .uses_dvl = true, .uses_magnetometer = true } };
	const navigator *pilot = all + NAVIGATORS - 1;
	place here;
	ds_body_motion truth;
	know_the_place( v, &here );
	if ( start( v, all, &here ) != 0 )
	{
		return 1;
	}
	const double course = 30 * DEGREE, depth = 100;
	double gone = 0, told = 0, logged = -1;
	fprintf( log, "t[s],distance[m],north[m],east[m],down[m],north_aided[m],east_aided[m],down_aided[m],"
				  "error_inertial[m],error_dvl[m],error_aided[m],heading_dvl[deg],heading_aided[deg]\n" );
	ds_imu imu = { 0 };
	ds_vec3 start_at = { 0, 0, 0 }, last = { 0, 0, 0 };
	bool aligning = true;
	printf( "%10s %12s %12s %12s   horizontal error [m]\n", "way [m]", all[0].name, all[1].name, all[2].name );
	while ( gone < length )
	{
		TRY( ds_world_step( v->world, 1 ) );
		while ( ds_sensor_next( v->world, v->imu, NULL, &imu, sizeof imu ) == DS_OK )
		{
			for ( int i = 0; i < NAVIGATORS; i++ )
			{
				integrate( all + i, &imu, &here );
				if ( aligning || all[i].uses_dvl )
				{
					correct( all + i, &imu, &here, aligning ? 10 : 1, aligning || all[i].uses_magnetometer );
				}
			}
		}
		take_aids( v, all, &imu, &here, aligning );
		ds_wrench fins = steer( pilot, &imu, start_at, course, depth );
		TRY( ds_body_apply_wrench_body( v->world, v->body, fins, ds_v3( -0.638, 0, 0 ) ) );

		TRY( ds_body_motion_get( v->world, v->body, &truth ) );
		double t = 1e-9 * (double)ds_world_time( v->world );
		if ( aligning )
		{
			// a fix ends the alignment
			aligning = t < ALIGNMENT;
			for ( int i = 0; i < NAVIGATORS; i++ )
			{
				all[i].position = truth.pose.position;
			}
			start_at = last = truth.pose.position;
			continue;
		}
		gone += ds_length( ds_sub( truth.pose.position, last ) );
		last = truth.pose.position;
		if ( t >= logged + 10 || gone >= length )
		{
			logged = t;
			ds_vec3 p = truth.pose.position, q = pilot->position;
			fprintf( log, "%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.4f,%.4f,%.4f,%.5f,%.5f\n", t, gone, p.x, p.y, p.z,
				q.x, q.y, q.z, error_of( all, &truth ), error_of( all + 1, &truth ), error_of( all + 2, &truth ),
				wrap( ds_quat_to_rpy( all[1].attitude ).z - truth.rpy.z ) / DEGREE,
				wrap( ds_quat_to_rpy( all[2].attitude ).z - truth.rpy.z ) / DEGREE );
		}
		if ( gone >= told || gone >= length )
		{
			told += fmax( 1000, length / 10 );
			printf( "%10.0f %12.2f %12.2f %12.2f\n", gone, error_of( all, &truth ), error_of( all + 1, &truth ),
				error_of( all + 2, &truth ) );
			fflush( stdout );
		}
	}
	double astray = error_of( pilot, &truth );
	printf( "aided: %.1f m astray after %.0f m: %.2f %%\n", astray, gone, 100 * astray / gone );
	if ( astray > 0.02 * gone )
	{
		return fprintf( stderr, "more than 2 %% of the way: something is wrong\n" ), 1;
	}
	return 0;
}

int main( int argc, char **argv )
{
	if ( argc < 3 || argc > 4 || ( argc == 4 && !( atof( argv[3] ) > 0 ) ) )
	{
		fprintf( stderr, "usage: dead_reckoning SCENARIO.json FOLDER [LENGTH in metres, 10000]\n" );
		return 2;
	}
	ds_world_def def = ds_world_def_default();
	vehicle v = { 0 };
	TRY( ds_scenario_load( argv[1], NULL, 0, NULL, &def.scenario ) );
	TRY( ds_world_create( &def, &v.world ) );
	ds_scenario_release( def.scenario );
	char path[4096];
	snprintf( path, sizeof path, "%s/track.csv", argv[2] );
	FILE *log = fopen( path, "w" );
	if ( log == NULL )
	{
		return perror( path ), 1;
	}
	int code = find( &v );
	code = code ? code : mission( &v, argc == 4 ? atof( argv[3] ) : 10000, log );
	if ( ferror( log ) | fclose( log ) )
	{
		fprintf( stderr, "%s: could not be written whole\n", path );
		code = 1;
	}
	ds_world_destroy( v.world );
	return code;
}
