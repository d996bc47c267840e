// Millions of random rays against brute force over all triangles: smooth and rough ground, holes, 1000 km off.

#include "../unit/rays_kit.h"

#define RAYS  1000000
#define BATCH 64

static void agree( const ds_terrain *terrain, ds_vec3 place, double size )
{
	ds_ray_scene *scene = kit_scene( terrain );
	kit_soup soup = kit_soup_of( terrain );
	uint64_t s = 2026;
	int64_t hits = 0, doubtful_rays = 0;
	for ( int64_t k = 0; k < RAYS; k += BATCH )
	{
		ds_ray ray[BATCH];
		ds_ray_found found[BATCH];
		for ( int i = 0; i < BATCH; ++i )
		{
			ray[i] = kit_random_ray( &s, place, size );
		}
		ds_ray_scene_cast( scene, ray, BATCH, found );
		for ( int i = 0; i < BATCH; ++i )
		{
			bool doubtful;
			int64_t number;
			double t = kit_brute( &soup, ray + i, &number, &doubtful );
			doubtful_rays += doubtful;
			hits += t >= 0;
			bool same = t < 0 ? found[i].distance < 0 : fabs( found[i].distance - t ) <= 1e-5 * ( 1e-3 * size + t );
			if ( !same && !doubtful )
			{
				fail_msg( "ray %lld: %.17g, by brute force %.17g", (long long)( k + i ), found[i].distance, t );
			}
		}
	}
	assert_true( hits > RAYS / 4 );
	assert_true( doubtful_rays < RAYS / 10000 );
	kit_soup_free( &soup );
	ds_ray_scene_destroy( scene );
}

static void check( int64_t rows, int64_t columns, double spacing, ds_vec3 place, bool holes )
{
	ds_terrain *terrain = kit_hills( rows, columns, spacing, place, holes );
	agree( terrain, place, 0.4 * spacing * (double)rows );
	ds_terrain_release( terrain );
}

static void test_smooth( void **state )
{
	(void)state;
	check( 41, 41, 0.1, ds_v3( 0, 0, 10 ), false );
}

static void test_rough( void **state )
{
	(void)state;
	check( 47, 33, 3.7, ds_v3( 100, -30, 2000 ), false );
}

static void test_holes( void **state )
{
	(void)state;
	check( 39, 50, 1.3, ds_v3( 0, 0, 0 ), true );
}

static void test_far( void **state )
{
	(void)state;
	check( 41, 41, 1, ds_v3( -1e6, 1e6, 5000 ), false );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_smooth ),
		cmocka_unit_test( test_rough ),
		cmocka_unit_test( test_holes ),
		cmocka_unit_test( test_far ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
