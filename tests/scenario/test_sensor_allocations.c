// Every type of sensor that the library has, as it is by default, in one world: a step allocates nothing.

#include "../unit/world_kit.h"

#include <stdlib.h>

static int64_t allocations;

static void *counted_allocate( void *user, size_t size, size_t alignment )
{
	(void)user;
	++allocations;
	return aligned_alloc( alignment, size );
}

static void counted_release( void *user, void *memory, size_t size )
{
	(void)user;
	(void)size;
	free( memory );
}

// A body over a grid of ground, in layered water with a current and waves.
static ds_world *make_world( const ds_mesh *mesh, ds_registry *registry, ds_id *body )
{
	double z[20 * 20];
	for ( int k = 0; k < 20 * 20; ++k )
	{
		z[k] = 40 + 0.1 * ( k % 20 );
	}
	ds_terrain_grid_def grid = ds_terrain_grid_default();
	grid.north = grid.east = -95;
	grid.spacing_north = grid.spacing_east = 10;
	grid.rows = grid.columns = 20;
	grid.z = z;
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *terrain;
	OK( ds_terrain_grid( &grid, NULL, &terrain ) );
	e.terrain = terrain;
	ds_current_def current = { .kind = DS_CURRENT_UNIFORM, .velocity = { 0.2, -0.1, 0 } };
	e.currents = ( ds_array ){ &current, 1 };
	e.density_kind = DS_DENSITY_TEOS10;
	e.seabed = DS_SEABED_TERRAIN;
	e.earth_rotation = true;
	ds_world_def def = ds_world_def_default();
	def.rate = 100;
	def.environment = &e;
	def.registry = registry;
	def.hooks.allocator = ( ds_allocator ){ counted_allocate, counted_release, NULL };
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_terrain_release( terrain );
	ds_body_def b = ds_body_def_default();
	snprintf( b.name, sizeof( b.name ), "auv" );
	b.mesh = mesh;
	b.mass = 540;
	b.pose.position = ds_v3( 0, 0, 20 );
	b.velocity.linear = ds_v3( 0.5, 0.1, 0 );
	b.velocity.angular = ds_v3( 0.01, 0.02, 0.1 );
	OK( ds_body_create( world, &b, body ) );
	return world;
}

static void test_no_sensor_allocates_in_a_step( void **state )
{
	(void)state;
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	ds_mesh *mesh = kit_sphere( 0.5, 80 );
	ds_id body, sensors[64];
	ds_world *world = make_world( mesh, registry, &body );
	const ds_lbl_beacon beacons[3] = { { .position = { 50, 0, 35 } }, { .position = { -20, 40, 35 } },
		{ .position = { 0, -50, 35 } } };
	ds_lbl_config lbl;
	OK( ds_table_defaults( ds_lbl_config_table(), &lbl ) );
	lbl.beacons = ( ds_array ){ beacons, 3 };
	int count = 0;
	for ( int32_t i = 0; i < ds_registry_count( registry ); ++i )
	{
		const ds_type *type = ds_registry_at( registry, i );
		if ( type->kind == DS_SENSOR )
		{
			ds_sensor_def def = ds_sensor_def_default();
			snprintf( def.name, sizeof( def.name ), "%s", type->name );
			snprintf( def.type, sizeof( def.type ), "%s", type->name );
			def.body = body;
			def.mount.position = ds_v3( 0.1, 0, 0.4 );
			assert_true( count < 64 );
			def.config = strcmp( type->name, "lbl" ) == 0 ? &lbl : NULL; // it has no beacons by default
			OK( ds_sensor_create( world, &def, sensors + count++ ) );
		}
	}
	assert_true( count >= 14 );
	OK( ds_world_step( world, 1 ) );
	const int64_t before = allocations;
	assert_true( before > 0 );
	OK( ds_world_step( world, 100 ) );
	assert_int_equal( allocations, before );
	for ( int i = 0; i < count; ++i )
	{
		int64_t samples;
		OK( ds_sensor_counts( world, sensors[i], &samples, NULL ) );
		assert_int_equal( samples, 102 );
	}
	ds_world_destroy( world );
	ds_registry_release( registry );
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_no_sensor_allocates_in_a_step ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}
