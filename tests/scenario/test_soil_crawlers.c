// Crawlers in worlds: still on a slope, straight ahead, in their own ruts and in another's; rigs with joints on soil.

#include "../unit/soil_kit.h"

static ds_pose on_slope( double slope, double height )
{
	ds_pose pose;
	pose.attitude = ds_quat_from_rpy( ds_v3( 0, -slope, 0 ) );
	pose.position = ds_scale( -height, ds_v3( -sin( slope ), 0, cos( slope ) ) );
	return pose;
}

static void hold( ds_world *world, const char *prefix )
{
	soil_drive( world, prefix, 0, 0 );
}

// How far a crawler goes after a while, its belts held, on a slope.
static double creep( const ds_soil *soil, double slope, double rate, double wait, double seconds )
{
	ds_environment_def e = soil_ground( soil );
	ds_world *world = soil_world_on( rate, e, soil_plane( slope ) );
	ds_id body = soil_crawler( world, "", on_slope( slope, SOIL_CRAWLER_BASE ) );
	hold( world, "" );
	OK( ds_world_step( world, ds_world_ticks( world, wait ) ) );
	ds_vec3 start = kit_motion( world, body ).pose.position;
	OK( ds_world_step( world, ds_world_ticks( world, seconds ) ) );
	double way = ds_length( ds_sub( kit_motion( world, body ).pose.position, start ) );
	ds_world_destroy( world );
	return way;
}

// How a crawler gains speed where the soil does not hold it, between 0.5 and 2.5 s [m/s2].
static double acceleration( const ds_soil *soil, double slope )
{
	ds_environment_def e = soil_ground( soil );
	ds_world *world = soil_world_on( 200, e, soil_plane( slope ) );
	ds_id body = soil_crawler( world, "", on_slope( slope, SOIL_CRAWLER_BASE ) );
	hold( world, "" );
	OK( ds_world_step( world, 100 ) );
	double before = ds_length( kit_motion( world, body ).velocity_world.linear );
	OK( ds_world_step( world, 400 ) );
	double after = ds_length( kit_motion( world, body ).velocity_world.linear );
	ds_world_destroy( world );
	return ( after - before ) / 2;
}

// A tenth of the millimetre in ten minutes (tests/long/test_soil_long.c), for a minute.
static void test_a_crawler_stands_on_a_slope( void **state )
{
	(void)state;
	static const char *const soils[] = { "deep_sea_clay", "dry_sand" };
	for ( size_t s = 0; s < 2; ++s )
	{
		ds_soil soil = soil_named( soils[s] );
		double way = creep( &soil, 15 * DEGREE, 100, 10, 50 );
		print_message( "%s: %.3g mm in 50 s\n", soils[s], 1e3 * way );
		assert_true( way < 1e-4 );
	}
	ds_soil loose = soil_named( "dry_sand" );
	loose.cohesion = 0;
	loose.friction = 20 * DEGREE;
	double below = creep( &loose, 17 * DEGREE, 100, 10, 20 ), gained = acceleration( &loose, 23 * DEGREE );
	double expected = 9.81 * ( sin( 23 * DEGREE ) - cos( 23 * DEGREE ) * tan( 20 * DEGREE ) );
	print_message( "friction of 20 degrees: %.3g m in 20 s on 17 degrees; %.4g m/s2 on 23, a rigid one %.4g m/s2\n",
		below, gained, expected );
	assert_true( below < 1e-3 );
	NEAR( gained, expected, 0.1 * expected );
}

// Straight ahead, towed back by a steady force: no side force, and the ground's pull balances it.
static void test_straight_ahead( void **state )
{
	(void)state;
	static const char *const soils[] = { "dry_sand", "deep_sea_clay" };
	for ( size_t s = 0; s < 2; ++s )
	{
		ds_soil soil = soil_named( soils[s] );
		ds_environment_def e = soil_ground( &soil );
		ds_world *world = kit_world( 200, &e );
		ds_id body = soil_crawler( world, "", soil_level( 0, 0, -SOIL_CRAWLER_BASE ) );
		hold( world, "" );
		OK( ds_world_step( world, 400 ) );
		soil_drive( world, "", 0.3, 0.3 );
		const double tow = 200, weight = 200 * 9.81;
		double side_sum = 0, pull = 0, net = 0, resistance = 0, traction = 0;
		const int settle = 2000, steady = 2000;
		for ( int i = 0; i < settle + steady; ++i )
		{
			ds_wrench w = { { -tow, 0, 0 }, { 0, 0, 0 } };
			OK( ds_body_apply_wrench_body( world, body, w, ds_v3( 0, 0, SOIL_CRAWLER_BASE ) ) );
			OK( ds_world_step( world, 1 ) );
			if ( i >= settle )
			{
				ds_track p = soil_track_reading( world, "port" ), q = soil_track_reading( world, "starboard" );
				side_sum += ( p.side_force + q.side_force ) / steady;
				pull += ( p.drawbar_pull + q.drawbar_pull ) / steady;
				traction += ( p.traction + q.traction ) / steady;
				resistance += ( p.resistance + q.resistance ) / steady;
				ds_body_forces f;
				OK( ds_body_forces_get( world, body, &f ) );
				net += ( f.soil.force.x + f.user.force.x + f.gravity.force.x ) / steady;
			}
		}
		ds_body_motion m = kit_motion( world, body );
		print_message( "%s: pull %.4f N against %g N, traction %.4g N, resistance %.4g N, side %.3g N, y %.3g m\n",
			soils[s], pull, tow, traction, resistance, side_sum, m.pose.position.y );
		// rounding grows along the way
		NEAR( side_sum, 0, 1e-4 * weight );
		NEAR( m.pose.position.y, 0, 1e-3 );
		NEAR( m.rpy.z, 0, 1e-3 );
		NEAR( traction, resistance + tow, 0.02 * traction );
		NEAR( net, 0, 0.02 * tow );
		assert_true( m.velocity_body.linear.x > 0.2 );
		ds_world_destroy( world );
	}
}

// ---- ruts --------------------------------------------------------------------------------------------------------

static ds_id add_wheel( ds_world *world, const char *name, ds_id body, ds_vec3 at, bool driven )
{
	ds_wheel_config config = { .radius = 0.25,
		.width = 0.15,
		.speed = 1,
		.torque = 300,
		.command = driven ? DS_TRACK_SPEED : DS_TRACK_FREE,
		.efficiency = 0.7,
		.inertia = 0.3,
		.pads = 96,
		.lanes = 5 };
	ds_actuator_def def = ds_actuator_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "wheel" );
	def.body = body;
	def.mount.position = at;
	def.config = &config;
	ds_id id;
	OK( ds_actuator_create( world, &def, &id ) );
	return id;
}

// A towed wheel on a sled that the world holds: free to move along x (towed at 0.2 m/s) and up and down.
typedef struct pass
{
	double sinkage, resistance;
} pass;

static ds_id add_rig( ds_world *world, const char *name, double x, double y )
{
	char part[48];
	ds_body_def sled = kit_point( name, 50, 5, 5, 5 ), hub;
	sled.pose.position = ds_v3( x, y, -1.2 );
	ds_id a, b, joint;
	OK( ds_body_create( world, &sled, &a ) );
	snprintf( part, sizeof( part ), "%shub", name );
	hub = kit_point( part, 60, 2, 2, 2 );
	hub.pose.position = ds_v3( x, y, -0.3 );
	OK( ds_body_create( world, &hub, &b ) );
	ds_joint_def def = ds_joint_def_default();
	snprintf( def.name, sizeof( def.name ), "%srail", name );
	def.kind = DS_JOINT_SLIDER;
	def.body_b = a;
	def.frame.position = sled.pose.position;
	def.motor_velocity = 0;
	def.motor_force = 5000;
	OK( ds_joint_create( world, &def, &joint ) );
	def = ds_joint_def_default();
	snprintf( def.name, sizeof( def.name ), "%sguide", name );
	def.kind = DS_JOINT_SLIDER;
	def.body_a = a;
	def.body_b = b;
	def.frame.attitude = ds_quat_from_rpy( ds_v3( 0, DS_PI / 2, 0 ) ); // slides along z
	OK( ds_joint_create( world, &def, &joint ) );
	snprintf( part, sizeof( part ), "%swheel", name );
	add_wheel( world, part, b, ds_v3( 0, 0, 0 ), false );
	return b;
}

static pass tow_along( ds_world *world, const char *name, double velocity, double seconds )
{
	char part[48];
	ds_id joint, wheel;
	snprintf( part, sizeof( part ), "%srail", name );
	joint = DS_NO_ID;
	for ( int32_t i = 0; joint == DS_NO_ID; ++i )
	{
		ds_id id = ds_world_at( world, DS_JOINT, i );
		joint = strcmp( ds_world_name( world, id ), part ) == 0 ? id : DS_NO_ID;
	}
	snprintf( part, sizeof( part ), "%swheel", name );
	OK( ds_world_find( world, DS_ACTUATOR, part, &wheel ) );
	OK( ds_joint_set_motor( world, joint, velocity, 5000 ) );
	pass p = { 0, 0 };
	int64_t ticks = ds_world_ticks( world, seconds );
	int counted = 0;
	for ( int64_t i = 0; i < ticks; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		if ( i > ticks / 4 && i < 3 * ticks / 4 )
		{
			ds_sample_header header;
			ds_track reading;
			OK( ds_sensor_latest( world, wheel, &header, &reading, sizeof( reading ) ) );
			p.sinkage += reading.sinkage;
			p.resistance -= reading.drawbar_pull * ( velocity > 0 ? 1 : -1 );
			++counted;
		}
	}
	p.sinkage /= counted;
	p.resistance /= counted;
	OK( ds_joint_set_motor( world, joint, 0, 5000 ) );
	OK( ds_world_step( world, ds_world_ticks( world, 1 ) ) );
	return p;
}

// Through a rut a wheel sinks little further than it is, and rolls easier; another vehicle's wheel too, but not beside the rut.
static void test_a_second_pass_is_easier( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	ds_environment_def e = soil_ground( &soil );
	e.deformable = true;
	e.rut_memory = 16e6;
	ds_world *world = kit_world( 200, &e );
	ds_id one = add_rig( world, "one", 0, 0 ), two = add_rig( world, "two", -1.5, 0 ),
		  beside = add_rig( world, "off", -1.5, 2 );
	OK( ds_world_step( world, 400 ) );
	pass first = tow_along( world, "one", 0.2, 10 );
	double rutted = kit_motion( world, one ).pose.position.z;
	ds_ground_point ground;
	OK( ds_ground_at( world, 1, 0, &ground ) );
	// the reading's sinkage is that below the ground as it is found; the depth below what was level says more
	pass back = tow_along( world, "one", -0.2, 10 );
	pass again = tow_along( world, "one", 0.2, 10 );
	double rutted_again = kit_motion( world, one ).pose.position.z;
	pass fresh = tow_along( world, "off", 0.2, 17 );
	pass other = tow_along( world, "two", 0.2, 17 );
	print_message(
		"rut %.4f m; first pass %.4f m %.2f N; back %.4f m %.2f N; again %.4f m %.2f N; another's %.4f m %.2f N, "
		"beside %.4f m %.2f N\n",
		ground.rut, first.sinkage, first.resistance, back.sinkage, back.resistance, again.sinkage, again.resistance,
		other.sinkage, other.resistance, fresh.sinkage, fresh.resistance );
	print_message( "hub %.4f m after the first, %.4f m after the third\n", rutted, rutted_again );
	assert_true( ground.rut > 0.5 * first.sinkage );
	assert_true( back.resistance < 0.7 * first.resistance && again.resistance < 0.7 * first.resistance );
	assert_true( other.resistance < 0.8 * fresh.resistance );
	NEAR( fresh.resistance, first.resistance, 0.05 * first.resistance );
	(void)two;
	(void)beside;
	ds_world_destroy( world );
}

// ---- joints ------------------------------------------------------------------------------------------------------

// A wheel on a guide sinks at rest as it does on a body of the same weight without joints; stable from 50 to 500 Hz.
static void test_rigs_with_joints_stand( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.damping = 1e6;
	ds_environment_def e = soil_ground( &soil );
	const double rates[] = { 50, 200, 500 };
	for ( size_t r = 0; r < 3; ++r )
	{
		ds_world *world = kit_world( rates[r], &e );
		ds_id hub = add_rig( world, "rig", 0, 0 );
		ds_body_def bare = kit_point( "bare", 60, 200, 200, 200 ); // slow to fall over
		bare.pose.position = ds_v3( 0, 3, -0.3 );
		ds_id body;
		OK( ds_body_create( world, &bare, &body ) );
		add_wheel( world, "barewheel", body, ds_v3( 0, 0, 0 ), false );
		OK( ds_world_step( world, ds_world_ticks( world, 8 ) ) );
		double a = kit_motion( world, hub ).pose.position.z + 0.25,
			   b = kit_motion( world, body ).pose.position.z + 0.25;
		print_message( "%g Hz: wheel on a guide %.5f m, without %.5f m\n", rates[r], a, b );
		assert_true( b > 0.01 );
		NEAR( a, b, 0.02 * b );
		assert_true( ds_length( kit_motion( world, hub ).velocity_world.linear ) < 1e-4 );
		ds_world_destroy( world );
	}
}

// Two plates, their bodies hinged in the middle with a load between: each bears half, and the whole sinks as Bekker says.
static void test_a_hinged_vehicle_stands( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.damping = 1e6;
	ds_environment_def e = soil_ground( &soil );
	const double rates[] = { 50, 100, 500 };
	double expected = pow( 20000 / ( soil.kc / 0.2 + soil.kphi ), 1 / soil.n );
	for ( size_t r = 0; r < 3; ++r )
	{
		ds_world *world = kit_world( rates[r], &e );
		double mass = 20000 * 0.1 / 9.81;
		ds_id front = soil_body( world, "front", kit_box( 0.5, 0.2, 0.1 ), mass, soil_level( 0.4, 0, -0.05 ) ),
			  rear = soil_body( world, "rear", kit_box( 0.5, 0.2, 0.1 ), mass, soil_level( -0.4, 0, -0.05 ) );
		ds_joint_def def = ds_joint_def_default();
		snprintf( def.name, sizeof( def.name ), "hinge" );
		def.kind = DS_JOINT_HINGE;
		def.body_a = front;
		def.body_b = rear;
		def.frame.position.x = -0.4;
		def.frame.attitude = ds_quat_from_rpy( ds_v3( 0, 0, DS_PI / 2 ) ); // about y
		ds_id joint;
		OK( ds_joint_create( world, &def, &joint ) );
		OK( ds_world_step( world, ds_world_ticks( world, 15 ) ) );
		double a = kit_motion( world, front ).pose.position.z + 0.05,
			   b = kit_motion( world, rear ).pose.position.z + 0.05;
		print_message( "%g Hz: hinged plates %.6f m and %.6f m, expected %.6f m\n", rates[r], a, b, expected );
		NEAR( a, expected, 0.02 * expected );
		NEAR( b, expected, 0.02 * expected );
		ds_joint_state state_of;
		OK( ds_joint_state_get( world, joint, &state_of ) );
		NEAR( state_of.position, 0, 1e-3 );
		assert_true( ds_length( kit_motion( world, rear ).velocity_world.linear ) < 1e-4 );
		ds_world_destroy( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_a_crawler_stands_on_a_slope ),
		cmocka_unit_test( test_straight_ahead ),
		cmocka_unit_test( test_a_second_pass_is_easier ),
		cmocka_unit_test( test_rigs_with_joints_stand ),
		cmocka_unit_test( test_a_hinged_vehicle_stands ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
