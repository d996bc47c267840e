// What inertial sensors see of a motion: delta angles, delta velocities and specific forces at any mount of any body.
//
// The measure is navigation: a strapdown integration of a perfect sensor's increments gives back the trajectory. The
// integration below is its own (rotation matrices, Rodrigues' formula) and shares no code with the library.

#include "world_kit.h"

#define G 9.81

// ---- a perfect inertial unit -----------------------------------------------------------------------------------------

typedef struct record
{
	double delta_angle[3], delta_velocity[3], specific_force[3], rate[3], interval;
	double position[3], attitude[4], velocity[3]; // truth to compare with
} record;

static const ds_field record_fields[] = {
	DS_F64( record, delta_angle, "rad", NULL, 0, 0, "rotation since the last sample" ),
	DS_F64( record, delta_velocity, "m/s", NULL, 0, 0, "integral of the specific force since the last sample" ),
	DS_F64( record, specific_force, "m/s2", NULL, 0, 0, "of the last tick" ),
	DS_F64( record, rate, "rad/s", NULL, 0, 0, "now" ),
	DS_F64( record, interval, "s", NULL, 0, 0, "since the last sample" ),
	DS_F64( record, position, "m", NULL, 0, 0, "of the mount" ),
	DS_F64( record, attitude, "", NULL, 0, 0, "of the mount" ),
	DS_F64( record, velocity, "m/s", NULL, 0, 0, "of the mount" ),
};
static const ds_table record_table = DS_TABLE( "record", "What a perfect inertial unit sees", record, record_fields );

static void put( double out[3], ds_vec3 v )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static ds_vec3 get( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static ds_status recorder_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	*model = NULL;
	return DS_OK;
}

static ds_status recorder_sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	record *r = output;
	put( r->delta_angle, context->delta_angle );
	put( r->delta_velocity, context->delta_velocity );
	put( r->specific_force, context->specific_force );
	put( r->rate, context->rate );
	r->interval = context->interval;
	put( r->position, context->pose.position );
	put( r->velocity, context->velocity );
	const double q[4] = { context->pose.attitude.w, context->pose.attitude.x, context->pose.attitude.y,
		context->pose.attitude.z };
	memcpy( r->attitude, q, sizeof( q ) );
	return DS_OK;
}

static const ds_type recorder = { DS_ABI_VERSION, sizeof( ds_type ), DS_SENSOR, "recorder", "Records inertial truth.",
	NULL, &record_table, recorder_create, NULL, NULL, NULL, recorder_sample, NULL };

// A force with the same wrench always, in mount axes.
static const ds_wrench jet_wrench = { { 3, -5, 7 }, { 0.2, 0.4, -0.6 } };

static ds_status jet_effort( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	(void)context;
	effort->wrench = jet_wrench;
	return DS_OK;
}

static const ds_type jet = { DS_ABI_VERSION, sizeof( ds_type ), DS_FORCE, "jet", "A wrench in mount axes.", NULL, NULL,
	recorder_create, NULL, NULL, NULL, NULL, jet_effort };

static ds_world *recorder_world( double rate, const ds_environment_def *environment )
{
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &recorder ) );
	OK( ds_registry_add( registry, &jet ) );
	ds_world_def def = ds_world_def_default();
	def.rate = rate;
	def.environment = environment;
	def.registry = registry;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_registry_release( registry );
	return world;
}

static ds_id add_recorder( ds_world *world, ds_id body, const char *name, ds_pose mount, double rate )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "recorder" );
	def.body = body;
	def.mount = mount;
	def.rate = rate;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static record latest( const ds_world *world, ds_id sensor )
{
	record r;
	OK( ds_sensor_latest( world, sensor, NULL, &r, sizeof( r ) ) );
	return r;
}

// ---- all mounts along axes -------------------------------------------------------------------------------------------

// The 24 rotations that take axes to axes, as matrices: columns are signed unit vectors, determinant one.
static int axis_rotations( double m[24][3][3] )
{
	int count = 0;
	for ( int a = 0; a < 3; ++a )
	{
		for ( int b = 0; b < 3; ++b )
		{
			for ( int signs = 0; a != b && signs < 4; ++signs )
			{
				double x[3] = { 0, 0, 0 }, y[3] = { 0, 0, 0 };
				x[a] = signs & 1 ? -1 : 1;
				y[b] = signs & 2 ? -1 : 1;
				const double z[3] = { x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0] };
				for ( int i = 0; i < 3; ++i )
				{
					m[count][i][0] = x[i];
					m[count][i][1] = y[i];
					m[count][i][2] = z[i];
				}
				++count;
			}
		}
	}
	return count;
}

// Quaternion of a rotation matrix, by its trace or, at half turns, by its largest diagonal entry.
static ds_quat quat_of( double m[3][3] )
{
	ds_quat q;
	double t = m[0][0] + m[1][1] + m[2][2];
	if ( t > -0.5 )
	{
		q = ( ds_quat ){ 1 + t, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1] };
	}
	else
	{
		int i = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : m[1][1] >= m[2][2] ? 1 : 2;
		int j = ( i + 1 ) % 3, k = ( i + 2 ) % 3;
		double v[3];
		v[i] = 1 + m[i][i] - m[j][j] - m[k][k];
		v[j] = m[i][j] + m[j][i];
		v[k] = m[i][k] + m[k][i];
		q = ( ds_quat ){ m[k][j] - m[j][k], v[0], v[1], v[2] };
	}
	return ds_quat_normalize( q );
}

// M^T v
static ds_vec3 into( double m[3][3], ds_vec3 v )
{
	return ds_v3( m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z, m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
		m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z );
}

static void test_rest_in_every_mount( void **state )
{
	(void)state;
	double m[24][3][3];
	assert_int_equal( axis_rotations( m ), 24 );
	ds_world *world = recorder_world( 100, NULL );
	ds_body_def def = kit_point( "rig", 10, 1, 1, 1 );
	def.fixed = true;
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 10 * DS_PI / 180, 20 * DS_PI / 180, 30 * DS_PI / 180 ) );
	ds_id body, sensors[24];
	OK( ds_body_create( world, &def, &body ) );
	for ( int i = 0; i < 24; ++i )
	{
		char name[16];
		snprintf( name, sizeof( name ), "s%d", i );
		ds_pose mount = { ds_v3( 0.3, -0.2, 0.1 ), quat_of( m[i] ) };
		sensors[i] = add_recorder( world, body, name, mount, 25 );
	}
	OK( ds_world_step( world, 100 ) );
	const ds_vec3 up = ds_v3( 3.3552, -1.6008, -9.0783 ); // reference case P07 (c)
	for ( int i = 0; i < 24; ++i )
	{
		record r = latest( world, sensors[i] );
		NEAR3( get( r.specific_force ), into( m[i], up ), 1e-4 );
		NEAR( r.interval, 0.04, 1e-15 );
		NEAR3( get( r.delta_velocity ), ds_scale( 0.04, get( r.specific_force ) ), 1e-14 );
		NEAR3( get( r.delta_angle ), ds_v3( 0, 0, 0 ), 1e-15 );
	}
	ds_world_destroy( world );
}

// A body that spins freely: a lever arm feels w x (w x r) alone, at any rate of turn.
static void test_spin_in_every_mount( void **state )
{
	(void)state;
	double m[24][3][3];
	axis_rotations( m );
	const double dt = 0.01, turns[] = { 0.001, 0.1, 1.5, 2.5 }; // rotation in a tick [rad]
	for ( int t = 0; t < 4; ++t )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			ds_environment_def e = kit_vacuum( 0 );
			ds_world *world = recorder_world( 1 / dt, &e );
			ds_body_def def = kit_point( "top", 10, axis == 0 ? 4 : 2, axis == 1 ? 4 : 2.5, axis == 2 ? 4 : 3 );
			def.cg[0] = 0.5;
			def.cg[2] = -0.25;
			double spin[3] = { 0, 0, 0 };
			spin[axis] = turns[t] / dt;
			ds_vec3 w = get( spin ), cg = get( def.cg ), place = ds_v3( 0.3, -0.2, 0.1 );
			def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.4, -0.7, 2 ) );
			def.velocity.angular = ds_rotate( def.pose.attitude, w );
			def.velocity.linear = ds_scale( -1, ds_cross( def.velocity.angular, ds_rotate( def.pose.attitude, cg ) ) );
			ds_id body, sensors[24];
			OK( ds_body_create( world, &def, &body ) );
			for ( int i = 0; i < 24; ++i )
			{
				char name[16];
				snprintf( name, sizeof( name ), "s%d", i );
				sensors[i] = add_recorder( world, body, name, ( ds_pose ){ place, quat_of( m[i] ) }, 0 );
			}
			OK( ds_world_step( world, 20 ) );
			ds_vec3 arm = ds_sub( place, cg ), force = ds_cross( w, ds_cross( w, arm ) );
			double size = ds_dot( w, w );
			for ( int i = 0; i < 24; ++i )
			{
				record r = latest( world, sensors[i] );
				NEAR3( get( r.specific_force ), into( m[i], force ), 1e-9 * size );
				NEAR3( get( r.delta_velocity ), into( m[i], ds_scale( dt, force ) ), 1e-9 * size * dt );
				NEAR3( get( r.rate ), into( m[i], w ), 1e-9 * ds_length( w ) );
				NEAR3( get( r.delta_angle ), into( m[i], ds_scale( dt, w ) ), 1e-9 );
			}
			ds_world_destroy( world );
		}
	}
}

static void test_free_fall( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( G );
	ds_world *world = recorder_world( 100, &e );
	ds_body_def def = kit_point( "stone", 10, 2, 3, 4 );
	def.cg[1] = 0.1;
	def.velocity.linear = ds_v3( 3, 2, -30 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id centre = add_recorder( world, body, "centre", ( ds_pose ){ ds_v3( 0, 0.1, 0 ), { 0.5, 0.5, 0.5, 0.5 } }, 20 );
	for ( int i = 0; i < 300; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		if ( i >= 5 )
		{
			record r = latest( world, centre );
			NEAR3( get( r.specific_force ), ds_v3( 0, 0, 0 ), 1e-9 );
			NEAR3( get( r.delta_velocity ), ds_v3( 0, 0, 0 ), 1e-9 );
		}
	}
	ds_world_destroy( world );
}

// A slow sensor on a fast spin counts whole turns, so that mean rate times interval is the rotation.
static void test_whole_turns_are_counted( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = recorder_world( 200, &e );
	ds_body_def def = kit_point( "top", 10, 2, 2, 3 );
	const double spins[] = { 30, 20 * DS_PI, -80 * DS_PI, 100 };
	for ( int i = 0; i < 4; ++i )
	{
		snprintf( def.name, sizeof( def.name ), "top%d", i );
		def.velocity.angular = ds_v3( 0, 0, spins[i] );
		ds_id body;
		OK( ds_body_create( world, &def, &body ) );
		char name[16];
		snprintf( name, sizeof( name ), "s%d", i );
		ds_id sensor = add_recorder( world, body, name, ( ds_pose ){ ds_v3( 0.1, 0, 0 ), { 1, 0, 0, 0 } }, 10 );
		OK( ds_world_step( world, 200 ) );
		record r = latest( world, sensor );
		NEAR3( get( r.delta_angle ), ds_v3( 0, 0, 0.1 * spins[i] ), 1e-9 );
		NEAR3( get( r.delta_velocity ), ds_v3( -0.1 * 0.1 * spins[i] * spins[i], 0, 0 ), 1e-8 );
	}
	ds_world_destroy( world );
}

// Setting a body is a jump: it is in no increment, and what follows is seen from there.
static void test_a_set_is_not_seen( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = recorder_world( 100, &e );
	ds_body_def def = kit_point( "b", 10, 2, 2, 3 );
	def.velocity.linear = ds_v3( 1, 2, 3 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id sensor = add_recorder( world, body, "s", ds_pose_identity(), 10 );
	OK( ds_world_step( world, 105 ) );
	ds_pose pose = { ds_v3( 5, 5, 5 ), ds_quat_from_rpy( ds_v3( 1, -0.5, 2 ) ) };
	ds_twist velocity = { ds_v3( -9, 0, 4 ), ds_rotate( pose.attitude, ds_v3( 0, 0, 2 ) ) };
	OK( ds_body_set( world, body, pose, velocity ) );
	OK( ds_world_step( world, 5 ) );
	record r = latest( world, sensor );
	NEAR( r.interval, 0.05, 1e-12 );
	NEAR3( get( r.delta_angle ), ds_v3( 0, 0, 0.1 ), 1e-12 );
	NEAR3( get( r.delta_velocity ), ds_v3( 0, 0, 0 ), 1e-12 );
	ds_world_destroy( world );
}

// ---- efforts in all mounts -------------------------------------------------------------------------------------------

// M v
static ds_vec3 out_of( double m[3][3], ds_vec3 v )
{
	return ds_v3( m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
		m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z );
}

// A wrench in mount axes pushes its body with M F, and turns it about its origin with r x M F + M T, wherever the cg is.
static void test_effort_in_every_mount( void **state )
{
	(void)state;
	double m[24][3][3];
	axis_rotations( m );
	ds_environment_def e = kit_vacuum( 0 );
	const ds_vec3 place = ds_v3( -0.6, 0.3, 0.2 );
	for ( int i = 0; i < 24; ++i )
	{
		ds_world *world = recorder_world( 1000, &e );
		ds_body_def def = kit_point( "rig", 10, 2, 3, 4 );
		def.cg[0] = 0.2;
		def.cg[2] = -0.1;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 1, -0.5, 2 ) );
		ds_id body, force;
		OK( ds_body_create( world, &def, &body ) );
		ds_actuator_def mount = ds_actuator_def_default();
		snprintf( mount.name, sizeof( mount.name ), "jet" );
		snprintf( mount.type, sizeof( mount.type ), "jet" );
		mount.body = body;
		mount.mount = ( ds_pose ){ place, quat_of( m[i] ) };
		OK( ds_force_create( world, &mount, &force ) );
		OK( ds_world_step( world, 1 ) );
		ds_vec3 push = out_of( m[i], jet_wrench.force ), twist = out_of( m[i], jet_wrench.torque );
		ds_body_forces f;
		OK( ds_body_forces_get( world, body, &f ) );
		NEAR3( f.effort.force, push, 1e-12 );
		NEAR3( f.effort.torque, ds_add( twist, ds_cross( place, push ) ), 1e-12 );

		// and it moves by the laws of Newton and Euler about the cg
		ds_body_motion motion = kit_motion( world, body );
		ds_vec3 arm = ds_sub( place, get( def.cg ) ), torque = ds_add( twist, ds_cross( arm, push ) );
		NEAR3( motion.velocity_body.angular, ds_v3( 5e-4 * torque.x, 1e-3 / 3 * torque.y, 2.5e-4 * torque.z ), 1e-5 );
		ds_vec3 v = ds_add( motion.velocity_body.linear, ds_cross( motion.velocity_body.angular, get( def.cg ) ) );
		NEAR3( v, ds_scale( 1e-4, push ), 1e-6 );
		ds_world_destroy( world );
	}
}

// ---- strapdown navigation --------------------------------------------------------------------------------------------

typedef struct navigator
{
	double c[3][3]; // mount to world
	ds_vec3 velocity, position;
} navigator;

static ds_vec3 turn( double c[3][3], ds_vec3 v )
{
	return ds_v3( c[0][0] * v.x + c[0][1] * v.y + c[0][2] * v.z, c[1][0] * v.x + c[1][1] * v.y + c[1][2] * v.z,
		c[2][0] * v.x + c[2][1] * v.y + c[2][2] * v.z );
}

static void navigator_start( navigator *n, const record *r )
{
	double w = r->attitude[0], x = r->attitude[1], y = r->attitude[2], z = r->attitude[3];
	const double c[3][3] = { { w * w + x * x - y * y - z * z, 2 * ( x * y - w * z ), 2 * ( x * z + w * y ) },
		{ 2 * ( x * y + w * z ), w * w - x * x + y * y - z * z, 2 * ( y * z - w * x ) },
		{ 2 * ( x * z - w * y ), 2 * ( y * z + w * x ), w * w - x * x - y * y + z * z } };
	memcpy( n->c, c, sizeof( c ) );
	n->velocity = get( r->velocity );
	n->position = get( r->position );
}

// Savage 1998, "Strapdown inertial navigation integration algorithm design": rotation vector update of the attitude,
// velocity by the increment with the rotation compensated exactly for constant rates, position by the trapezoid.
static void navigator_update( navigator *n, const record *r )
{
	ds_vec3 a = get( r->delta_angle ), dv = get( r->delta_velocity );
	double x = ds_length( a ), s1 = 1, s2 = 0.5, s3 = 1.0 / 6;
	if ( x > 1e-4 )
	{
		s1 = sin( x ) / x;
		s2 = ( 1 - cos( x ) ) / ( x * x );
		s3 = ( x - sin( x ) ) / ( x * x * x );
	}
	ds_vec3 once = ds_cross( a, dv ), mean = ds_add( ds_mad( dv, s2, once ), ds_scale( s3, ds_cross( a, once ) ) );
	ds_vec3 before = n->velocity;
	n->velocity = ds_add( n->velocity, turn( n->c, mean ) );
	n->velocity.z += G * r->interval;
	n->position = ds_mad( n->position, 0.5 * r->interval, ds_add( before, n->velocity ) );

	// C exp( a x ), column by column of the identity
	double c[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		ds_vec3 e = ds_v3( k == 0, k == 1, k == 2 ), ae = ds_cross( a, e );
		ds_vec3 column = turn( n->c, ds_add( ds_mad( e, s1, ae ), ds_scale( s2, ds_cross( a, ae ) ) ) );
		c[0][k] = column.x;
		c[1][k] = column.y;
		c[2][k] = column.z;
	}
	memcpy( n->c, c, sizeof( c ) );
}

static double random_between( uint64_t *seed, double low, double high )
{
	*seed = *seed * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return low + ( high - low ) * (double)( *seed >> 11 ) / 9007199254740992.0;
}

// Shakes a body for ten minutes: new wrenches every 0.2 s that hold it near its place but let it tumble.
static void shake( ds_world *world, ds_id body, uint64_t *seed, ds_wrench *hold, int tick, int rate )
{
	if ( tick % ( rate / 5 ) == 0 )
	{
		ds_body_motion m = kit_motion( world, body );
		ds_vec3 push =
			ds_v3( random_between( seed, -1, 1 ), random_between( seed, -1, 1 ), random_between( seed, -1, 1 ) );
		ds_vec3 twist =
			ds_v3( random_between( seed, -1, 1 ), random_between( seed, -1, 1 ), random_between( seed, -1, 1 ) );
		hold->force = ds_sub( ds_scale( 300, push ), ds_scale( 4, m.velocity_world.linear ) );
		hold->force.z -= 20 * G;
		hold->torque = ds_sub( ds_scale( 12, twist ), ds_scale( 0.6, m.velocity_world.angular ) );
	}
	OK( ds_body_apply_wrench_world( world, body, *hold, kit_motion( world, body ).pose.position ) );
}

static void test_strapdown_gives_back_the_trajectory( void **state )
{
	(void)state;
	const int rate = 200;
	ds_world *world = recorder_world( rate, NULL );
	ds_mesh *mesh = kit_box( 0.6, 0.4, 0.2 );
	ds_body_def def = kit_hull( "rig", mesh, 20 );
	def.inertia_kind = DS_INERTIA_DIAGONAL;
	def.inertia_diagonal[0] = 0.4;
	def.inertia_diagonal[1] = 0.8;
	def.inertia_diagonal[2] = 0.9;
	def.hydrodynamics.drag = true;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.hydrodynamics.volume_kind = DS_VOLUME_GIVEN;
	def.hydrodynamics.volume = 1e-6;
	def.cg[0] = 0.02;
	def.cg[2] = 0.05;
	def.pose.position.z = 1000;
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	double m[24][3][3];
	axis_rotations( m );
	const double rates[3] = { rate, rate / 2.0, rate / 4.0 };
	ds_id sensors[3];
	navigator n[3];
	for ( int i = 0; i < 3; ++i )
	{
		char name[16];
		snprintf( name, sizeof( name ), "imu%d", i );
		ds_pose mount = { ds_v3( 0.7, -0.4, 0.3 ),
			ds_quat_mul( quat_of( m[5 * i + 3] ), ds_quat_exp( ds_v3( 0.1, 0.2, -0.3 ) ) ) };
		sensors[i] = add_recorder( world, body, name, mount, rates[i] );
	}
	OK( ds_world_step( world, 0 ) );
	for ( int i = 0; i < 3; ++i )
	{
		record r = latest( world, sensors[i] );
		navigator_start( n + i, &r );
	}
	uint64_t seed = 1;
	ds_wrench hold = { { 0, 0, 0 }, { 0, 0, 0 } };
	const double position_error[3] = { 0.002, 0.02, 0.1 }; // [m]
	double angle = 0, worst[3] = { 0, 0, 0 };
	for ( int tick = 0; tick < 600 * rate; ++tick )
	{
		shake( world, body, &seed, &hold, tick, rate );
		OK( ds_world_step( world, 1 ) );
		for ( int i = 0; i < 3; ++i )
		{
			record r;
			while ( ds_sensor_next( world, sensors[i], NULL, &r, sizeof( r ) ) == DS_OK )
			{
				if ( r.interval > 0 )
				{
					navigator_update( n + i, &r );
					worst[i] = fmax( worst[i], ds_length( ds_sub( n[i].velocity, get( r.velocity ) ) ) );
				}
			}
		}
		ds_body_motion motion = kit_motion( world, body );
		angle += ds_length( motion.velocity_world.angular ) / rate;
	}
	assert_true( angle > 1000 ); // it was violent
	for ( int i = 0; i < 3; ++i )
	{
		record r = latest( world, sensors[i] );
		navigator truth;
		navigator_start( &truth, &r );
		double tilt = 0;
		for ( int k = 0; k < 9; ++k )
		{
			tilt = fmax( tilt, fabs( truth.c[k / 3][k % 3] - n[i].c[k / 3][k % 3] ) );
		}
		// what is left of the position is the trapezoid's own error
		NEAR3( n[i].position, truth.position, position_error[i] );
		NEAR3( n[i].velocity, truth.velocity, 1e-9 );
		NEAR( tilt, 0, 1e-12 );
		NEAR( worst[i], 0, 1e-9 );
	}
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rest_in_every_mount ),
		cmocka_unit_test( test_spin_in_every_mount ),
		cmocka_unit_test( test_free_fall ),
		cmocka_unit_test( test_effort_in_every_mount ),
		cmocka_unit_test( test_whole_turns_are_counted ),
		cmocka_unit_test( test_a_set_is_not_seen ),
		cmocka_unit_test( test_strapdown_gives_back_the_trajectory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
