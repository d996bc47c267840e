// The DVL in worlds: mounts and lever arms, slopes, grids and meshes, bodies below, water in layers, snapshots.

#include "dvl_kit.h"
#include "sea_kit.h"

#define DEPTH 60.0

static ds_id add_dvl( ds_world *world, ds_id body, const char *name, ds_pose mount, const ds_dvl_config *config )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "dvl" );
	def.body = body;
	def.mount = mount;
	def.config = config;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static ds_dvl latest( const ds_world *world, ds_id sensor )
{
	ds_sample_header header;
	ds_dvl reading;
	OK( ds_sensor_latest( world, sensor, &header, &reading, sizeof( reading ) ) );
	return reading;
}

// A body that nothing acts on.
static ds_id free_body( ds_world *world, const char *name, ds_pose pose, ds_twist velocity )
{
	ds_body_def def = kit_point( name, 10, 1, 2, 3 );
	def.hydrodynamics.model = DS_HYDRO_NONE;
	def.pose = pose;
	def.velocity = velocity;
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	return body;
}

static ds_world *plane_world( double slope, double towards )
{
	ds_environment_def e = ds_environment_def_default();
	e.gravity = 0;
	ds_terrain *terrain;
	OK( ds_terrain_plane( DEPTH, slope, towards, NULL, &terrain ) );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world *world = kit_world( 100, &e );
	ds_terrain_release( terrain );
	return world;
}

// The 24 rotations that map axes on axes.
static int axis_mounts( ds_quat mounts[24] )
{
	int count = 0;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			ds_quat tilt = i < 4 ? ds_quat_from_rpy( ds_v3( 0, 0.5 * DS_PI * i, 0 ) )
								 : ds_quat_from_rpy( ds_v3( i == 4 ? 0.5 * DS_PI : -0.5 * DS_PI, 0, 0 ) );
			mounts[count++] = ds_quat_mul( tilt, ds_quat_from_rpy( ds_v3( 0, 0, 0.5 * DS_PI * k ) ) );
		}
	}
	return count;
}

// 24 mounts on a turning body in several attitudes, with a lever arm: R^T(v + w x r) to 1e-9 wherever three beams or more hear the
// bottom; the ranges and the height are those of the plane.
static void test_mounts( void **state )
{
	(void)state;
	ds_quat mounts[24];
	assert_int_equal( axis_mounts( mounts ), 24 );
	uint64_t s = 2;
	int solved = 0;
	for ( int attitude = 0; attitude < 8; ++attitude )
	{
		double slope = 0.2 + 0.1 * kit_uniform( &s );
		double towards = 3 * kit_uniform( &s );
		ds_world *world = plane_world( slope, towards );
		ds_vec3 n = kit_plane_normal( slope, towards );
		ds_pose pose;
		pose.position = ds_add( ds_v3( 0, 0, 30 ), kit_random3( &s, 5, 5, 0 ) );
		pose.attitude = ds_quat_from_rpy( kit_random3( &s, 3, 1.5, 3 ) );
		ds_twist velocity;
		velocity.linear = kit_random3( &s, 2, 2, 1 );
		velocity.angular = kit_random3( &s, 1, 1, 1 );
		ds_id body = free_body( world, "body", pose, velocity ), sensors[24];
		ds_dvl_config config = ds_dvl_config_default();
		config.maximum_altitude = 1000;
		ds_pose mount[24];
		for ( int i = 0; i < 24; ++i )
		{
			char name[16];
			snprintf( name, sizeof( name ), "dvl%d", i );
			mount[i].position = kit_random3( &s, 1, 1, 1 );
			mount[i].attitude = mounts[i];
			sensors[i] = add_dvl( world, body, name, mount[i], &config );
		}
		OK( ds_world_step( world, 3 ) );
		ds_body_motion motion = kit_motion( world, body );
		for ( int i = 0; i < 24; ++i )
		{
			ds_dvl r = latest( world, sensors[i] );
			ds_pose at = ds_pose_mul( motion.pose, mount[i] );
			ds_vec3 arm = ds_sub( at.position, motion.pose.position );
			ds_vec3 v = ds_add( motion.velocity_world.linear, ds_cross( motion.velocity_world.angular, arm ) );
			double height = ds_dot( ds_sub( ds_v3( 0, 0, DEPTH ), at.position ), n ) / n.z;
			ds_dvl_model model;
			OK( ds_dvl_prepare( &config, &model ) );
			ds_dvl_truth t = kit_over_plane( &model, at.attitude, n, height );
			for ( int k = 0; k < DS_BEAMS; ++k )
			{
				// above the surface nothing is heard
				bool hit = t.range[k] >= 0 && t.range[k] * model.cosine[k] <= 1000 &&
						   at.position.z + t.range[k] * ds_rotate( at.attitude, model.direction[k] ).z >= 0;
				assert_int_equal( r.beam_valid[k], hit );
				NEAR( r.beam_range[k], hit ? t.range[k] : 0, 1e-8 * 1000 );
			}
			assert_int_equal( r.bottom_valid, r.n_good >= 3 );
			if ( r.bottom_valid )
			{
				NEAR3( kit_v3( r.velocity ), ds_unrotate( at.attitude, v ), 1e-9 );
				++solved;
			}
			if ( r.n_good == 4 )
			{
				NEAR( r.altitude, height, 1e-8 * 1000 );
			}
		}
		ds_world_destroy( world );
	}
	assert_true( solved > 20 );
}

// A grid and a mesh of the same ramp give the same ranges as the plane.
static void test_terrains( void **state )
{
	(void)state;
	double z[25];
	for ( int i = 0; i < 25; ++i )
	{
		z[i] = DEPTH + 0.2 * 20 * ( i / 5 - 2 ); // falls northward
	}
	ds_terrain_grid_def grid = ds_terrain_grid_default();
	grid.north = grid.east = -40;
	grid.spacing_north = grid.spacing_east = 20;
	grid.rows = grid.columns = 5;
	grid.z = z;
	ds_terrain *terrain;
	OK( ds_terrain_grid( &grid, NULL, &terrain ) );
	ds_environment_def e = ds_environment_def_default();
	e.gravity = 0;
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world *world = kit_world( 100, &e );
	ds_terrain_release( terrain );
	ds_pose pose = { ds_v3( 0, 0, DEPTH - 10 ), ds_quat_from_rpy( ds_v3( 0.1, -0.1, 0.4 ) ) };
	ds_twist still = { ds_v3( 0.5, 0, 0 ), ds_v3( 0, 0, 0 ) };
	ds_id body = free_body( world, "body", pose, still );
	ds_id dvl = add_dvl( world, body, "dvl", ds_pose_identity(), NULL );
	OK( ds_world_step( world, 1 ) );
	ds_dvl r = latest( world, dvl );
	ds_dvl_model model = kit_dvl_model( "{}" );
	ds_body_motion motion = kit_motion( world, body );
	double height = 10 + 0.2 * motion.pose.position.x;
	ds_dvl_truth t = kit_over_plane( &model, motion.pose.attitude, kit_plane_normal( atan( 0.2 ), 0 ), height );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		NEAR( r.beam_range[i], t.range[i], 1e-6 );
	}
	NEAR( r.altitude, height, 1e-6 );
	assert_true( r.bottom_valid );

	// off the grid there is nothing: zeros, and no earlier number
	pose.position.x = 500;
	OK( ds_body_set( world, body, pose, still ) );
	OK( ds_world_step( world, 1 ) );
	r = latest( world, dvl );
	assert_true( r.fresh && !r.bottom_valid && !r.altitude_valid && r.n_good == 0 && r.velocity[0] == 0 &&
				 r.altitude == 0 && r.beam_range[0] == 0 && r.mode == DS_DVL_NONE );
	ds_world_destroy( world );
}

// A slab turned about north and east, its upper side 10 m below: a terrain of triangles.
static void test_terrain_mesh( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 100, 100, 10 );
	ds_pose slab = { ds_v3( 0, 0, DEPTH ), ds_quat_from_rpy( ds_v3( 0.2, 0.1, 0.3 ) ) };
	ds_terrain *terrain;
	OK( ds_terrain_mesh( mesh, slab, NULL, &terrain ) );
	ds_environment_def e = ds_environment_def_default();
	e.gravity = 0;
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world *world = kit_world( 100, &e );
	ds_terrain_release( terrain );
	ds_mesh_release( mesh );
	ds_vec3 n = ds_rotate( slab.attitude, ds_v3( 0, 0, -1 ) ), top = ds_mad( slab.position, 5, n );
	ds_pose pose = { ds_v3( 1, 2, DEPTH - 15 ), ds_quat_from_rpy( ds_v3( -0.1, 0.1, 2 ) ) };
	ds_twist motion = { ds_v3( 0.5, 0, 0 ), ds_v3( 0, 0, 0 ) };
	ds_id body = free_body( world, "body", pose, motion );
	ds_id dvl = add_dvl( world, body, "dvl", ds_pose_identity(), NULL );
	OK( ds_world_step( world, 1 ) );
	pose = kit_motion( world, body ).pose;
	double height = ds_dot( ds_sub( top, pose.position ), n ) / n.z;
	ds_dvl_model model = kit_dvl_model( "{}" );
	ds_dvl_truth t = kit_over_plane( &model, pose.attitude, n, height );
	ds_dvl r = latest( world, dvl );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		NEAR( r.beam_range[i], t.range[i], 1e-6 );
	}
	NEAR( r.altitude, height, 1e-6 );
	NEAR3( kit_v3( r.velocity ), ds_unrotate( pose.attitude, motion.linear ), 1e-9 );
	ds_world_destroy( world );
}

// A moving raft below: the velocity is relative to it, and the altitude is to it.
static void test_body_below( void **state )
{
	(void)state;
	ds_world *world = plane_world( 0, 0 );
	ds_twist ahead = { ds_v3( 1, 0, 0 ), ds_v3( 0, 0, 0 ) }, raft = { ds_v3( 0.2, -0.3, 0 ), ds_v3( 0, 0, 0.1 ) };
	ds_pose pose = { ds_v3( 0, 0, 20 ), ds_quat_identity() };
	ds_id body = free_body( world, "body", pose, ahead );
	ds_shape_def shape = { .kind = DS_SHAPE_BOX, .size = { 40, 40, 1 } };
	ds_body_def def = kit_point( "raft", 1000, 100, 100, 100 );
	def.hydrodynamics.model = DS_HYDRO_NONE;
	def.pose.position = ds_v3( 0, 0, 30.5 );
	def.velocity = raft;
	def.collision = DS_COLLISION_SHAPES;
	def.shapes = &shape;
	def.shape_count = 1;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	ds_id dvl = add_dvl( world, body, "dvl", ds_pose_identity(), NULL );
	OK( ds_world_step( world, 1 ) );
	ds_dvl r = latest( world, dvl );
	assert_true( r.bottom_valid );
	NEAR( r.altitude, 10, 1e-4 );
	// a turning raft passes below each beam in its own way; the beams agree on the velocity over the place below
	ds_vec3 below = ds_cross( raft.angular, ds_v3( 0.01, 0, 0 ) );
	NEAR3( kit_v3( r.velocity ), ds_sub( ds_sub( ahead.linear, raft.linear ), below ), 5e-3 );
	ds_world_destroy( world );
}

static void test_in_air( void **state )
{
	(void)state;
	ds_world *world = plane_world( 0, 0 );
	ds_twist still = { ds_v3( 1, 0, 0 ), ds_v3( 0, 0, 0 ) };
	ds_pose pose = { ds_v3( 0, 0, -1 ), ds_quat_identity() };
	ds_id body = free_body( world, "body", pose, still );
	ds_dvl_config config = kit_dvl( "{ \"track\": \"both\" }" );
	ds_id dvl = add_dvl( world, body, "dvl", ds_pose_identity(), &config );
	OK( ds_world_step( world, 1 ) );
	ds_dvl r = latest( world, dvl );
	assert_true( r.fresh && !r.bottom_valid && !r.water_valid && r.n_good == 0 && r.n_water == 0 );
	ds_world_destroy( world );
}

// ---- water ---------------------------------------------------------------------------------------------------------

static ds_dvl scenario_dvl( const char *environment, const char *rest, ds_world **world )
{
	*world = sea_world( environment, rest );
	OK( ds_world_step( *world, 1 ) );
	ds_id dvl;
	OK( ds_world_find( *world, DS_SENSOR, "dvl", &dvl ) );
	return latest( *world, dvl );
}

// A shear current: level, all beams meet the same mean water of the layer; its sign is v - v_water. Pitched, each
// beam has its own layer, and the solution is that of the four.
static void test_water_track( void **state )
{
	(void)state;
	const char *environment =
		"{ 'gravity': 0, 'seabed': { 'elevation': { 'model': 'flat', 'depth': 300 } }, 'currents': [ { "
		"'model': 'profile', 'levels': [ { 'depth': 0, 'velocity': [1, 0, 0] }, { 'depth': 100, "
		"'velocity': [0, 0.5, 0] } ] } ] }";
	for ( int pitched = 0; pitched < 2; ++pitched )
	{
		char rest[1024];
		snprintf( rest, sizeof( rest ),
			", 'rate': 100, 'duration': 1, 'bodies': [ { 'name': 'b', 'mass': 10, 'inertia': [1, 1, 1], 'pose': { "
			"'position': [0, 0, "
			"20], 'rpy_deg': [0, %d, 0] }, 'hydrodynamics': { 'model': 'none' }, 'velocity': { 'linear': [0.5, 0.1, 0] "
			"} } ], 'sensors': [ { "
			"'name': 'dvl', 'type': 'dvl', 'body': 'b', 'config': { 'track': 'both', 'layer_near': 10, 'layer_far': 30 "
			"} } ]",
			pitched ? 20 : 0 );
		ds_world *world;
		ds_dvl r = scenario_dvl( environment, rest, &world );
		assert_true( r.water_valid && r.n_water == 4 && r.mode == DS_DVL_MODE_WATER && !r.bottom_valid );
		ds_id id;
		OK( ds_world_find( world, DS_BODY, "b", &id ) );
		ds_body_motion motion = kit_motion( world, id );
		ds_dvl_model m = kit_dvl_model( "{}" );
		double along[DS_BEAMS];
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			ds_vec3 ray = ds_rotate( motion.pose.attitude, m.direction[i] ), sum = ds_v3( 0, 0, 0 );
			for ( int k = 0; k < 200; ++k )
			{
				double range = ( 10 + 20 * ( k + 0.5 ) / 200 ) / m.cosine[i];
				ds_vec3 at = ds_mad( motion.pose.position, range, ray );
				sum = ds_mad( sum, 1.0 / 200, sea_at( world, at.x, at.y, at.z ).velocity );
			}
			along[i] = ds_dot( ds_sub( motion.velocity_world.linear, sum ), ray );
			NEAR( r.water_beam_velocity[i], along[i], 1e-4 );
		}
		if ( !pitched )
		{
			ds_vec3 mean = ds_v3( 0, 0, 0 );
			for ( int k = 0; k < 200; ++k )
			{
				mean = ds_mad( mean, 1.0 / 200, sea_at( world, 0, 0, 30 + 20 * ( k + 0.5 ) / 200 ).velocity );
			}
			NEAR3( kit_v3( r.water_velocity ), ds_sub( motion.velocity_world.linear, mean ), 1e-4 );
			assert_true( r.water_velocity[0] < -0.1 ); // overtaken by the water
		}
		ds_world_destroy( world );
	}
}

// Sound slower below: ranges come out by the mean of the column, velocities by the speed at the transducer.
static void test_sound_column( void **state )
{
	(void)state;
	ds_world *world;
	ds_dvl r =
		scenario_dvl( "{ 'gravity': 0, 'seabed': { 'elevation': { 'model': 'flat', 'depth': 80 } }, 'water': { "
					  "'profile': [ { 'depth': 0, "
					  "'temperature': 20, 'salinity': 35 }, { 'depth': 100, 'temperature': 4, 'salinity': 35 } ] } }",
			", 'rate': 100, 'duration': 1, 'bodies': [ { 'name': 'b', 'mass': 10, 'inertia': [1, 1, 1], 'pose': { "
			"'position': [0, 0, 10] }, "
			"'hydrodynamics': { 'model': 'none' }, 'velocity': { 'linear': [1, 0, 0] } } ], 'sensors': [ { 'name': "
			"'dvl', 'type': 'dvl', "
			"'body': 'b', 'config': { 'sound_speed': 1500 } } ]",
			&world );
	double here = sea_at( world, 0, 0, 10 ).sound_speed, slowness = 0;
	for ( int k = 0; k < 700; ++k )
	{
		slowness += 1 / sea_at( world, 0, 0, 10 + ( k + 0.5 ) * 0.1 ).sound_speed / 700;
	}
	assert_true( here > 1515 && 1 / slowness < 1500 );
	NEAR( r.velocity[0], 1500 / here, 1e-9 );
	NEAR( r.altitude, 70 * 1500 * slowness, 1e-3 );
	ds_world_destroy( world );
}

// ---- repeatability -------------------------------------------------------------------------------------------------

static const char noisy[] = ", 'rate': 100, 'duration': 10, 'bodies': [ { 'name': 'b', 'mass': 10, 'inertia': [1, 1, "
							"1], 'pose': { 'position': [0, 0, 20] }, "
							"'hydrodynamics': { 'model': 'none' }, 'velocity': { 'linear': [1, 0.2, 0.1], 'angular': "
							"[0.01, 0.02, 0.1] } } ], 'sensors': [ { 'name': "
							"'dvl', 'type': 'dvl', 'body': 'b', 'rate': 20, 'config': { 'track': 'both', 'noise': "
							"0.01, 'noise_proportional': 0.01, 'water_noise': 0.02, "
							"'bias_walk': [1e-3, 1e-3, 1e-3], 'outlier_probability': 0.05, 'dropout': 0.1, "
							"'range_noise': 0.1, 'adaptive': true, 'overhead': 0.03 } } ]";
static const char sea[] = "{ 'gravity': 0, 'seabed': { 'elevation': { 'model': 'flat', 'depth': 60 } }, 'currents': [ "
						  "{ 'model': 'uniform', 'velocity': [0.1, "
						  "0.2, 0] } ] }";

#define READINGS 100

static void collect( ds_world *world, ds_dvl *readings, int from, int to )
{
	ds_id dvl;
	OK( ds_world_find( world, DS_SENSOR, "dvl", &dvl ) );
	for ( int i = from; i < to; ++i )
	{
		OK( ds_world_step( world, 5 ) );
		readings[i] = latest( world, dvl );
	}
}

// Saved at 2.5 s, with a ping under way, and restored: bit for bit the same as the run that went on; so is a clone; another seed is not.
static void test_snapshot( void **state )
{
	(void)state;
	static ds_dvl first[READINGS], again[READINGS];
	ds_world *world = sea_world( sea, noisy ), *clone;
	collect( world, first, 0, READINGS / 2 );
	size_t size = ds_world_save_size( world );
	void *memory = malloc( size );
	OK( ds_world_save( world, memory, size ) );
	OK( ds_world_clone( world, &clone ) );
	collect( world, first, READINGS / 2, READINGS );
	memcpy( again, first, sizeof( first ) );
	OK( ds_world_restore( world, memory, size ) );
	collect( world, again, READINGS / 2, READINGS );
	assert_memory_equal( first, again, sizeof( first ) );
	collect( clone, again, READINGS / 2, READINGS );
	assert_memory_equal( first, again, sizeof( first ) );
	OK( ds_world_reset( world, 42 ) );
	collect( world, again, 0, READINGS );
	assert_memory_equal( first, again, sizeof( first ) );
	OK( ds_world_reset( world, 43 ) );
	collect( world, again, 0, READINGS );
	assert_memory_not_equal( first, again, sizeof( first ) );
	int fresh = 0;
	for ( int i = 0; i < READINGS; ++i )
	{
		fresh += first[i].fresh;
	}
	assert_true( fresh > 20 && fresh < READINGS );
	free( memory );
	ds_world_destroy( clone );
	ds_world_destroy( world );
}

// A config that a program fills is checked too.
static void test_bad_config( void **state )
{
	(void)state;
	ds_world *world = plane_world( 0, 0 );
	ds_pose pose = { ds_v3( 0, 0, 1 ), ds_quat_identity() };
	ds_twist still = { ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 0 ) };
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "dvl" );
	snprintf( def.type, sizeof( def.type ), "dvl" );
	def.body = free_body( world, "body", pose, still );
	ds_dvl_config config = ds_dvl_config_default();
	config.noise = NAN;
	def.config = &config;
	ds_id id;
	FAILS( ds_sensor_create( world, &def, &id ), DS_ERROR_NOT_FINITE,
		"noise: expected a number in [0, 100] m/s, got nan" );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_mounts ),
		cmocka_unit_test( test_terrains ),
		cmocka_unit_test( test_terrain_mesh ),
		cmocka_unit_test( test_body_below ),
		cmocka_unit_test( test_in_air ),
		cmocka_unit_test( test_water_track ),
		cmocka_unit_test( test_sound_column ),
		cmocka_unit_test( test_snapshot ),
		cmocka_unit_test( test_bad_config ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
