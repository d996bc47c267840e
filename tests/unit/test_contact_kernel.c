// Every variant of the contact loop gives the same bits; powers are right; results do not depend on what a scratch held.

#include "tests/unit/contact_kit.h"

#include "terrain/contact_kernel.h"

static double random_number( uint64_t *seed )
{
	*seed = *seed * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (double)( *seed >> 11 ) / 9007199254740992.0 * 2 - 1;
}

// Elements in any state, partly above the ground, on soils of all sorts side by side (batches), or on one (runs).
static void test_same_bits( void **state )
{
	(void)state;
	const ds_contact_kernel *kernels[4];
	int count = ds_contact_kernels( kernels );
	print_message( "%d variants, the fastest: %s\n", count, kernels[0]->name );
	uint64_t seed = 3;
	int touched = 0;
	for ( int k = 0; k < 60; ++k )
	{
		ds_soil soils[6];
		ds_soil_patch patches[6];
		double corners[6][4][2];
		for ( int i = 0; i < 6; ++i )
		{
			soils[i] = ds_soil_at( ( k + 5 * i ) % ds_soil_count() )->soil;
			soils[i].n = i == 1 ? 1 : soils[i].n;
			soils[i].printed_shear = i == 2;
			soils[i].printed_damping = i == 1;
			soils[i].printed_pressure = i == 3;
			soils[i].bulldozing = i == 4 && k % 2;
			soils[i].lateral = i == 5 && k % 3 == 0 ? 0.4 : 1;
			soils[i].slip_sinkage = 0.03 * i;
			soils[i].suction = 500 * i;
			soils[i].elastic = i == 0 && k % 4 == 1 ? 2e7 : 0;
			double x = -0.3 + 0.1 * i;
			const double square[4][2] = { { x, -1 }, { x + 0.1, -1 }, { x + 0.1, 1 }, { x, 1 } };
			memcpy( corners[i], square, sizeof( square ) );
			patches[i] = ( ds_soil_patch ){ soils[i], { corners[i], 4 } };
		}
		ds_terrain *terrain = NULL;
		assert_ok( ds_terrain_plane( 0, 0.1, 0.5, NULL, &terrain ) );
		site s = { .terrain = terrain };
		ds_soil_map_def def = { .soil = soils[0], .patches = patches, .patch_count = k % 2 ? 6 : 0 };
		assert_ok( ds_soil_map_create( NULL, &def, &s.soils ) );
		s.ground = ( ds_ground ){ terrain, s.soils, NULL, 9.81 };

		plate p = plate_make( 0.6, 0.2, 23, 3, 0, 0.4 * random_number( &seed ) );
		size_t bytes = (size_t)ds_element_blocks( p.elements.count ) * sizeof( *p.state );
		ds_element_block *first = calloc( 1, bytes );
		ds_contact_step step = { { { 0, 0, 0.02 }, ds_quat_from_rpy( ds_v3( 0.1, 0.05, 0.3 ) ) },
			{ { 0.3 * random_number( &seed ), 0.1, 0.5 * random_number( &seed ) },
				{ random_number( &seed ), random_number( &seed ), 0.2 } },
			0.01, k, 1 };
		for ( int i = 0; i < 12; ++i )
		{
			ds_contact_forces one, other;
			ds_contact_sums sums, others;
			ds_element_block *before = calloc( 1, bytes );
			memcpy( before, p.state, bytes );
			ds_contact_press_by( kernels[count - 1], &s.ground, &p.elements, p.state, &step, &one );
			ds_contact_commit_by( kernels[count - 1], &s.ground, &p.elements, p.state, &step, &step.velocity, &sums );
			for ( int j = 0; j < count; ++j )
			{
				memcpy( first, before, bytes );
				ds_contact_press_by( kernels[j], &s.ground, &p.elements, first, &step, &other );
				ds_contact_commit_by( kernels[j], &s.ground, &p.elements, first, &step, &step.velocity, &others );
				assert_memory_equal( &one, &other, sizeof( one ) );
				assert_memory_equal( &sums, &others, sizeof( sums ) );
				assert_memory_equal( p.state, first, bytes );
			}
			touched += one.touching;
			free( before );
			step.velocity.linear.z = 0.3 * random_number( &seed );
			step.velocity.linear.x = 0.3 * random_number( &seed );
		}
		free( first );
		plate_free( &p );
		site_free( &s );
	}
	assert_true( touched > 5000 );
}

// Vertices below, elements that face the ground, and outlines; `changed` tells of bits that change, and of those alone.
static void test_same_sight( void **state )
{
	(void)state;
	const ds_contact_kernel *kernels[4];
	int count = ds_contact_kernels( kernels );
	uint64_t seed = 5;
	enum
	{
		NUMBER = 200
	};
	double x[NUMBER], y[NUMBER], z[NUMBER];
	uint8_t last[4][NUMBER / 8] = { { 0 } }, facing[4][NUMBER / 8] = { { 0 } };
	for ( int k = 0; k < 20; ++k )
	{
		const ds_contact_sight sight = { .down = { 0.1, 0.2, 0.97 },
			.below = 0.1 * random_number( &seed ),
			.lever = { 0.01, 0.02, 0.03 },
			.sinks = 0.01 * random_number( &seed ) };
		for ( int i = 0; i < NUMBER; ++i )
		{
			x[i] = random_number( &seed );
			y[i] = random_number( &seed );
			z[i] = 0.1 * random_number( &seed );
		}
		double depth[2][NUMBER];
		ds_contact_outline outline[2];
		for ( int j = count - 1; j >= 0; --j )
		{
			const int at = j == count - 1 ? 0 : 1;
			assert_true( kernels[j]->vertices( &sight, NUMBER, x, y, z, depth[at], last[j] ) );
			assert_false( kernels[j]->vertices( &sight, NUMBER, x, y, z, depth[at], last[j] ) );
			assert_true( kernels[j]->faces( &sight, NUMBER, x, y, z, facing[j] ) );
			assert_false( kernels[j]->faces( &sight, NUMBER, x, y, z, facing[j] ) );
			for ( int i = 0; i < DS_OUTLINE_DIRECTIONS; ++i )
			{
				outline[at].far[i] = -INFINITY;
				outline[at].x[i] = outline[at].y[i] = 0;
			}
			kernels[j]->outline( NUMBER - 3, x, y, &outline[at] );
			assert_memory_equal( depth[at], depth[0], sizeof( depth[0] ) );
			assert_memory_equal( &outline[at], &outline[0], sizeof( outline[0] ) );
			assert_memory_equal( last[j], last[count - 1], sizeof( last[0] ) );
			assert_memory_equal( facing[j], facing[count - 1], sizeof( facing[0] ) );
		}
		for ( int i = 0; i < NUMBER; ++i )
		{
			double rises = 0.01 * x[i] + 0.02 * y[i] + 0.03 * z[i] + sight.sinks;
			double deep = 0.1 * x[i] + 0.2 * y[i] + 0.97 * z[i], c = deep;
			assert_near( depth[0][i], deep + sight.below + fmax( rises, 0 ), 1e-14 );
			assert_int_equal( last[0][i / 8] >> i % 8 & 1, depth[0][i] > 0 );
			assert_int_equal( facing[0][i / 8] >> i % 8 & 1, c > DS_CONTACT_LEAST_COSINE );
		}
	}
}

// Pressures against the C library's power, for exponents and depths of all sizes.
static void test_powers( void **state )
{
	(void)state;
	const double exponents[6] = { 0.11, 0.5, 1, 1.1, 1.6, 3 };
	for ( int k = 0; k < 6; ++k )
	{
		ds_soil soil = soil_named( "dry_sand" );
		soil.n = exponents[k];
		soil.rebound = 0.05;
		soil.damping = 0;
		site s = site_plane( 0, &soil );
		for ( double z = 0.001; z < 40; z *= 1.7 )
		{
			plate p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
			ds_vec3 place = { 0, 0, 0 };
			ds_contact_sums sums;
			lead( &p, &s, &place, ds_v3( 0, 0, z ), 0.01, &sums );
			double expected = ds_soil_pressure( &soil, 0.2, z );
			assert_near( ds_element_get( p.state, 0 ).pressure, fmin( expected, 1e9 * z ), 4e-15 * expected );
			plate_free( &p );
		}
		site_free( &s );
	}
}

// Two runs, one with a scratch full of rubbish of another step: the same bits.
static void test_scratch_only_saves_time( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	site s = site_plane( 0.05, &soil );
	body a = body_of( mesh_sphere( 0.3, 1280 ), 0, 200, 2000 ), b = body_of( mesh_sphere( 0.3, 1280 ), 0, 200, 2000 );
	a.pose.position.z = b.pose.position.z = -0.3;
	for ( int i = 0; i < 400; ++i )
	{
		body_step( &a, &s.ground, 0.0005 );
		ds_contact_step other = { a.pose, a.velocity, 0.001, 0, 2 };
		other.pose.position.z = -0.1 * ( i % 4 );
		ds_elements rubbish;
		ds_contact_mesh_see( b.mesh, &s.ground, &other, b.scratch, &rubbish );
		body_step( &b, &s.ground, 0.0005 );
		assert_memory_equal( &a.pose, &b.pose, sizeof( a.pose ) );
	}
	assert_true( a.sums.touching > 10 );
	body_free( &a );
	body_free( &b );
	site_free( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_same_bits ),
		cmocka_unit_test( test_same_sight ),
		cmocka_unit_test( test_powers ),
		cmocka_unit_test( test_scratch_only_saves_time ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
