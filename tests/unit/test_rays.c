// Rays against the ground: planes, grids of heights and meshes, by analytic values and by brute force over all triangles.

#include "rays_kit.h"

#include "rays/ground.h"

#include <dirent.h>

static void same_found( const ds_ray_found *a, const ds_ray_found *b, int64_t i )
{
	if ( memcmp( &a->distance, &b->distance, sizeof( double ) ) != 0 ||
		 memcmp( &a->normal, &b->normal, sizeof( ds_vec3 ) ) != 0 || a->body != b->body ||
		 a->primitive != b->primitive )
	{
		fail_msg( "ray %lld: %.17g, triangle %lld and %.17g, triangle %lld", (long long)i, a->distance,
			(long long)a->primitive, b->distance, (long long)b->primitive );
	}
}

// ---- planes --------------------------------------------------------------------------------------------------------

static void test_plane( void **state )
{
	(void)state;
	const double far[2] = { 0, 1e6 };
	for ( int i = 0; i < 2; ++i )
	{
		ds_terrain *terrain;
		OK( ds_terrain_plane( 100, 0.3, 0.5, NULL, &terrain ) );
		ds_ray_scene *scene = kit_scene( terrain );
		// the plane through (0, 0, 100) with this normal
		ds_vec3 n = ds_v3( sin( 0.3 ) * cos( 0.5 ), sin( 0.3 ) * sin( 0.5 ), -cos( 0.3 ) );
		uint64_t s = 3;
		for ( int k = 0; k < 1000; ++k )
		{
			ds_vec3 d = kit_direction( &s ), o = ds_scale( 80, kit_direction( &s ) );
			o.x += far[i];
			ds_ray_found f = kit_one( scene, kit_ray( o, d, 1e9 ) );
			double expected = ds_dot( ds_sub( ds_v3( 0, 0, 100 ), o ), n ) / ds_dot( d, n );
			if ( !( expected > 0 && expected < 1e9 ) )
			{
				assert_true( f.distance < 0 );
				continue;
			}
			NEAR( f.distance, expected, 1e-9 * expected );
			assert_int_equal( f.body, -1 );
			NEAR3( f.normal, ds_dot( n, d ) > 0 ? ds_scale( -1, n ) : n, 1e-14 );
		}
		ds_ray_scene_destroy( scene );
		ds_terrain_release( terrain );
	}
}

static void test_plane_range( void **state )
{
	(void)state;
	ds_terrain *terrain;
	OK( ds_terrain_plane( 100, 0, 0, NULL, &terrain ) );
	ds_ray_scene *scene = kit_scene( terrain );
	ds_vec3 down = ds_v3( 0, 0, 1 );
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 90 ), down, 10 ) ).distance == 10 );
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 90 ), down, 9.999 ) ).distance < 0 );
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 100 ), down, 10 ) ).distance < 0 ); // lies in it
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 103 ), ds_v3( 0, 0, -1 ), 10 ) ).distance == 3 ); // from below
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 90 ), ds_v3( 1, 0, 0 ), 1e9 ) ).distance < 0 ); // level
	ds_ray_scene_destroy( scene );
	ds_terrain_release( terrain );
}

// ---- against brute force -------------------------------------------------------------------------------------------

static void agree( const ds_terrain *terrain, ds_vec3 place, double size, int rays, double tolerance )
{
	ds_ray_scene *scene = kit_scene( terrain );
	kit_soup soup = kit_soup_of( terrain );
	uint64_t s = 11;
	int hits = 0, doubtful_rays = 0;
	enum
	{
		BATCH = 48
	};
	for ( int k = 0; k < rays; k += BATCH )
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
			if ( doubtful )
			{
				++doubtful_rays;
				continue;
			}
			hits += t >= 0;
			bool same =
				t < 0 ? found[i].distance < 0 : fabs( found[i].distance - t ) <= tolerance * ( 1e-3 * size + t );
			if ( !same || found[i].primitive != number )
			{
				fail_msg( "ray %d from (%.17g, %.17g, %.17g) along (%.17g, %.17g, %.17g) up to %g: %.17g at triangle "
						  "%lld, by brute force %.17g at triangle %lld",
					k + i, ray[i].origin.x, ray[i].origin.y, ray[i].origin.z, ray[i].direction.x, ray[i].direction.y,
					ray[i].direction.z, ray[i].range, found[i].distance, (long long)found[i].primitive, t,
					(long long)number );
			}
		}
	}
	assert_true( hits > rays / 4 );
	assert_true( doubtful_rays <= 2 + rays / 10000 );
	kit_soup_free( &soup );
	ds_ray_scene_destroy( scene );
}

static void test_grid_brute( void **state )
{
	(void)state;
	ds_terrain *terrain = kit_hills( 45, 38, 1.5, ds_v3( 0, 0, 3000 ), false );
	agree( terrain, ds_v3( 0, 0, 3000 ), 30, 200000, 1e-9 );
	ds_terrain_release( terrain );
}

static void test_grid_holes( void **state )
{
	(void)state;
	ds_terrain *terrain = kit_hills( 30, 41, 1.5, ds_v3( 5, -7, 20 ), true );
	agree( terrain, ds_v3( 5, -7, 20 ), 25, 100000, 1e-9 );
	ds_terrain_release( terrain );
}

static void test_grid_far( void **state )
{
	(void)state;
	ds_vec3 place = ds_v3( 1e6, -7e5, 4000 );
	ds_terrain *terrain = kit_hills( 45, 38, 0.5, place, false );
	agree( terrain, place, 10, 100000, 1e-7 ); // 1e6 m has digits down to 1e-10 m
	ds_terrain_release( terrain );
}

// A sphere-like mesh of ground with overhangs.
static ds_terrain *mesh_ground( ds_vec3 place )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_ELLIPSOID );
	shape.semi_axes = ds_v3( 20, 12, 5 );
	shape.faces = 2000;
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	uint64_t s = 1;
	ds_pose pose = { place, kit_attitude( &s ) };
	ds_terrain *terrain;
	OK( ds_terrain_mesh( mesh, pose, NULL, &terrain ) );
	ds_mesh_release( mesh );
	return terrain;
}

static void test_mesh_brute( void **state )
{
	(void)state;
	const ds_vec3 places[2] = { { 0, 0, 50 }, { -1e6, 3e5, 50 } };
	for ( int i = 0; i < 2; ++i )
	{
		ds_terrain *terrain = mesh_ground( places[i] );
		agree( terrain, places[i], 15, i ? 20000 : 100000, i ? 1e-7 : 1e-9 );
		ds_terrain_release( terrain );
	}
}

// ---- edges and corners ---------------------------------------------------------------------------------------------

// Rays aimed at samples, edges and diagonals, straight down and at an angle: nothing slips through, and nothing is met but the ground.
static void test_edges( void **state )
{
	(void)state;
	enum
	{
		ROWS = 26,
		COLUMNS = 19
	};
	ds_vec3 place = ds_v3( 0.3, -0.7, 60 );
	ds_terrain *terrain = kit_hills( ROWS, COLUMNS, 0.1, place, false );
	ds_ray_scene *scene = kit_scene( terrain );
	const double south = place.x - 0.05 * ( ROWS - 1 ), west = place.y - 0.05 * ( COLUMNS - 1 );
	for ( int i = 0; i <= 2 * ( ROWS - 1 ); ++i )
	{
		for ( int j = 0; j <= 2 * ( COLUMNS - 1 ); ++j )
		{
			ds_terrain_point p;
			double north = south + 0.05 * i, east = west + 0.05 * j;
			north = i == 2 * ( ROWS - 1 ) ? ds_terrain_measure( terrain ).north : north;
			east = j == 2 * ( COLUMNS - 1 ) ? ds_terrain_measure( terrain ).east : east;
			assert_true( ds_terrain_at( terrain, north, east, &p ) );
			ds_vec3 at = ds_v3( north, east, p.z );
			// straight down, and up
			NEAR(
				kit_one( scene, kit_ray( ds_v3( north, east, 10 ), ds_v3( 0, 0, 1 ), 100 ) ).distance, p.z - 10, 1e-9 );
			NEAR( kit_one( scene, kit_ray( ds_v3( north, east, 90 ), ds_v3( 0, 0, -1 ), 100 ) ).distance, 90 - p.z,
				1e-9 );
			// steeply along rows, columns, diagonals: hits within the rounding of the aim, unless it is at the rim
			if ( i == 0 || j == 0 || i == 2 * ( ROWS - 1 ) || j == 2 * ( COLUMNS - 1 ) )
			{
				continue;
			}
			const ds_vec3 ways[] = { { 1, 0, 20 }, { 0, -1, 20 }, { -1, 1, 30 }, { 1, 1, 30 } };
			for ( int k = 0; k < 4; ++k )
			{
				ds_ray ray = kit_ray( ds_mad( at, -0.01, ways[k] ), ways[k], 1e3 );
				NEAR( kit_one( scene, ray ).distance, 0.01 * ds_length( ways[k] ), 1e-9 );
			}
		}
	}
	ds_ray_scene_destroy( scene );
	ds_terrain_release( terrain );
}

// No ray from above to below a closed surface passes: also not along grid lines of level ground.
static void test_level_lines( void **state )
{
	(void)state;
	double z[33 * 33];
	for ( int i = 0; i < 33 * 33; ++i )
	{
		z[i] = 10;
	}
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.north = def.east = -16;
	def.spacing_north = def.spacing_east = 1;
	def.rows = def.columns = 33;
	def.z = z;
	ds_terrain *terrain;
	OK( ds_terrain_grid( &def, NULL, &terrain ) );
	ds_ray_scene *scene = kit_scene( terrain );
	for ( int a = -12; a <= 12; ++a )
	{
		for ( int b = -12; b <= 12; ++b )
		{
			for ( int c = -4; c <= 4; ++c )
			{
				for ( int e = -4; e <= 4; ++e )
				{
					ds_vec3 way = ds_v3( c, e, 10 );
					ds_ray ray = kit_ray( ds_v3( a - c, b - e, 0 ), way, 1e3 );
					NEAR( kit_one( scene, ray ).distance, ds_length( way ), 1e-12 * ds_length( way ) );
				}
			}
		}
	}
	// starts on the ground: met at once; passes over it: never
	assert_true( kit_one( scene, kit_ray( ds_v3( 0.3, 0.2, 10 ), ds_v3( 0, 0, 1 ), 5 ) ).distance == 0 );
	assert_true( kit_one( scene, kit_ray( ds_v3( -100, 0.2, 9.999 ), ds_v3( 1, 0, 0 ), 1e5 ) ).distance < 0 );
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 9 ), ds_v3( 0, 0, 0 ), 1e5 ) ).distance < 0 );
	ds_ray_scene_destroy( scene );
	ds_terrain_release( terrain );
}

// Rays of which nothing can be said meet nothing and do no harm.
static void test_strange_rays( void **state )
{
	(void)state;
	ds_terrain *terrain = kit_hills( 45, 38, 1.5, ds_v3( 0, 0, 30 ), true );
	ds_ray_scene *scene = kit_scene( terrain );
	const double odd[] = { NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e-310, 0 };
	for ( int i = 0; i < 7 * 7 * 7 * 2; ++i )
	{
		double a = odd[i % 7], b = odd[i / 7 % 7], c = odd[i / 49 % 7];
		ds_ray ray = { { 1, 2, 3 }, { a, b, c }, INFINITY, -1 };
		ds_ray moved = { { a, b, c }, { 0, 0.6, 0.8 }, 1e9, -1 };
		kit_one( scene, i < 343 ? ray : moved );
	}
	ds_ray nan = { { 1, 2, 3 }, { 0, NAN, 0 }, 100, -1 };
	assert_true( kit_one( scene, nan ).distance < 0 );
	ds_ray endless = { { 1, 2, 0 }, { 0, 0, 1 }, INFINITY, -1 };
	assert_true( kit_one( scene, endless ).distance > 20 );
	endless.range = -1;
	assert_true( kit_one( scene, endless ).distance < 0 );
	ds_ray_scene_destroy( scene );
	ds_terrain_release( terrain );
}

// ---- normals, and what the surface itself says ------------------------------------------------------------------------

static void test_normals( void **state )
{
	(void)state;
	ds_terrain *terrain = kit_hills( 60, 60, 1, ds_v3( 0, 0, 40 ), false );
	ds_ray_scene *scene = kit_scene( terrain );
	uint64_t s = 2;
	for ( int k = 0; k < 2000; ++k )
	{
		double north = 25 * kit_uniform( &s ), east = 25 * kit_uniform( &s );
		ds_terrain_point p;
		assert_true( ds_terrain_at( terrain, north, east, &p ) );
		ds_ray_found above = kit_one( scene, kit_ray( ds_v3( north, east, 0 ), ds_v3( 0, 0, 1 ), 1e3 ) );
		ds_ray_found below = kit_one( scene, kit_ray( ds_v3( north, east, 90 ), ds_v3( 0, 0, -1 ), 1e3 ) );
		NEAR( above.distance, p.z, 1e-10 );
		NEAR( below.distance, 90 - p.z, 1e-10 );
		NEAR3( above.normal, p.normal, 1e-12 );
		NEAR3( below.normal, ds_scale( -1, p.normal ), 1e-12 );
		assert_true( above.primitive == below.primitive );
	}
	ds_ray_scene_destroy( scene );
	ds_terrain_release( terrain );
}

// ---- the same bits -------------------------------------------------------------------------------------------------

static void test_packets( void **state )
{
	(void)state;
	for ( int kind = 0; kind < 2; ++kind )
	{
		ds_vec3 place = ds_v3( 0, 0, 30 );
		ds_terrain *terrain = kind ? mesh_ground( place ) : kit_hills( 101, 90, 0.7, place, true );
		ds_ray_scene *scene = kit_scene( terrain ), *other = kit_scene( terrain );
		enum
		{
			COUNT = 20011
		};
		ds_ray *ray = malloc( COUNT * sizeof( *ray ) );
		ds_ray_found *found = malloc( COUNT * sizeof( *found ) ), *again = malloc( COUNT * sizeof( *again ) );
		uint64_t s = 77;
		for ( int i = 0; i < COUNT; ++i )
		{
			ray[i] = kit_random_ray( &s, place, 15 );
		}
		ds_ray_scene_cast( scene, ray, COUNT, found );
		ds_ray_scene_cast( other, ray + 5, COUNT - 5, again + 5 ); // in other packets
		for ( int i = 0; i < COUNT; ++i )
		{
			ds_ray_found one = kit_one( scene, ray[i] );
			same_found( &one, found + i, i );
			if ( i >= 5 )
			{
				same_found( again + i, found + i, i );
			}
		}
		free( ray );
		free( found );
		free( again );
		ds_ray_scene_destroy( scene );
		ds_ray_scene_destroy( other );
		ds_terrain_release( terrain );
	}
}

// A ray about a corner of blocks of cells: through it, along the lines between them, or beside it by little.
static ds_ray ray_at_lines( uint64_t *s, double north, double east, double spacing )
{
	static const double beside[] = { 0, 0, 1e-13, -1e-13, 1e-7, -1e-7, 2e-5, -2e-5 };
	static const double ways[] = { 0, 0, 1, -1, 0.5, 1e-9, -3e-3, 0.3 };
	int pick[6];
	for ( int i = 0; i < 6; ++i )
	{
		pick[i] = (int)( 3.9999 * ( 1 + kit_uniform( s ) ) );
	}
	ds_vec3 corner = ds_v3( north + spacing * ( DS_RAY_BLOCK * ( 2 + pick[0] ) + beside[pick[2]] ),
		east + spacing * ( DS_RAY_BLOCK * ( 2 + pick[1] ) + beside[pick[3]] ), 30 + 4 * kit_uniform( s ) );
	ds_vec3 d = ds_v3( ways[pick[4]], ways[pick[5]], kit_uniform( s ) > 0 ? 1 : -0.2 );
	return kit_ray( ds_mad( corner, -12 * ( 1 + kit_uniform( s ) ), d ), d, kit_uniform( s ) > -0.5 ? 1000 : 20 );
}

// A few rays with a short way go without the tree, many with it: the same bits.
static void test_short_ways( void **state )
{
	(void)state;
	for ( int kind = 0; kind < 3; ++kind )
	{
		// lines at exact numbers; far off; spacing that is no exact number
		ds_vec3 place = kind == 1 ? ds_v3( 4e5, -1e6, 30 ) : ds_v3( 0, 0, 30 );
		double spacing = kind == 2 ? 0.7 : 0.5;
		ds_terrain *terrain = kit_hills( 101, 97, spacing, place, kind == 0 );
		ds_ray_scene *scene = kit_scene( terrain );
		uint64_t s = 79;
		int hits = 0;
		for ( int i = 0; i < 3000; ++i )
		{
			ds_ray ray[DS_RAY_LANES];
			ds_ray_found found[DS_RAY_LANES], few[DS_RAY_LANES];
			for ( int k = 0; k < DS_RAY_LANES; ++k )
			{
				ray[k] = ray_at_lines( &s, place.x - 50 * spacing, place.y - 48 * spacing, spacing );
			}
			ds_ray_scene_cast( scene, ray, DS_RAY_LANES, found );
			for ( int k = 0; k < DS_RAY_LANES; k += 4 )
			{
				ds_ray_scene_cast( scene, ray + k, 1 + ( i + k / 4 ) % 4, few + k );
				for ( int j = k; j <= k + ( i + k / 4 ) % 4; ++j )
				{
					same_found( few + j, found + j, i );
					hits += few[j].distance >= 0;
				}
			}
		}
		assert_true( hits > 10000 );
		ds_ray_scene_destroy( scene );
		ds_terrain_release( terrain );
	}
}

static void test_variants( void **state )
{
	(void)state;
	const ds_ray_kernel *kernels[3] = { &ds_ray_kernel_scalar };
	int count = 1;
#if defined( __x86_64__ )
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_ray_kernel_avx2;
	}
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		kernels[count++] = &ds_ray_kernel_avx512;
	}
#endif
	assert_ptr_equal( ds_ray_kernel_best(), kernels[count - 1] );
	ds_terrain *terrain = kit_hills( 101, 90, 0.7, ds_v3( 0, 0, 30 ), true );
	ds_ray_scene *scene = kit_scene( terrain );
	const ds_ray_ground *ground;
	OK( ds_ray_ground_of( terrain, &ground ) );
	uint64_t s = 78;
	for ( int i = 0; i < 3000; ++i )
	{
		ds_ray_packet start = { .lanes = (uint32_t)( 0x8000 * ( 1 + kit_uniform( &s ) ) ) | 1, .origin = { { 0 } } };
		start.lanes &= i % 3 == 0 ? 0x1111 : 0xffff;
		for ( int k = 0; k < DS_RAY_LANES; ++k )
		{
			ds_ray r = kit_random_ray( &s, ds_v3( 0, 0, 30 ), 30 );
			r.direction = i % 10 == 0 ? ds_v3( 0, k & 1, k & 1 ? 0 : 1 ) : r.direction;
			const double o[3] = { r.origin.x, r.origin.y, r.origin.z };
			const double d[3] = { r.direction.x, r.direction.y, r.direction.z };
			for ( int x = 0; x < 3; ++x )
			{
				start.origin[x][k] = start.lanes >> k & 1 ? o[x] : 0;
				start.direction[x][k] = start.lanes >> k & 1 ? d[x] : 0;
			}
			start.far[k] = r.range;
			start.item[k] = -1;
		}
		ds_ray_packet first = start;
		ds_ray_ground_cast( ground, kernels[0], &first );
		for ( int v = 1; v < count; ++v )
		{
			ds_ray_packet p = start;
			ds_ray_ground_cast( ground, kernels[v], &p );
			assert_memory_equal( p.far, first.far, sizeof( p.far ) );
			assert_memory_equal( p.item, first.item, sizeof( p.item ) );
			assert_memory_equal( p.normal, first.normal, sizeof( p.normal ) );
		}
	}
	ds_ray_scene_destroy( scene );
	ds_terrain_release( terrain );
}

// ---- life ----------------------------------------------------------------------------------------------------------

static int threads_of_process( void )
{
	DIR *folder = opendir( "/proc/self/task" );
	int count = 0;
	for ( struct dirent *e; folder && ( e = readdir( folder ) ) != NULL; )
	{
		count += e->d_name[0] != '.';
	}
	if ( folder )
	{
		closedir( folder );
	}
	return count;
}

static void test_no_threads( void **state )
{
	(void)state;
	int before = threads_of_process();
	ds_terrain *terrain = kit_hills( 700, 700, 1, ds_v3( 0, 0, 30 ), false ), *mesh = mesh_ground( ds_v3( 0, 0, 9 ) );
	ds_ray_scene *scene = kit_scene( terrain ), *other = kit_scene( mesh );
	assert_true( kit_one( scene, kit_ray( ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 1 ), 1e3 ) ).distance > 0 );
	assert_int_equal( threads_of_process(), before );
	ds_ray_scene_destroy( scene );
	ds_ray_scene_destroy( other );
	ds_terrain_release( terrain );
	ds_terrain_release( mesh );
}

// Scenes share what is built of a terrain, and it outlives them.
static void test_shared( void **state )
{
	(void)state;
	ds_terrain *terrain = kit_hills( 20, 20, 1, ds_v3( 0, 0, 30 ), false );
	ds_ray_scene *a = kit_scene( terrain );
	void *kept = ds_terrain_kept( terrain );
	assert_non_null( kept );
	ds_ray_scene_destroy( a );
	ds_ray_scene *b = kit_scene( terrain );
	assert_ptr_equal( ds_terrain_kept( terrain ), kept );
	ds_terrain_release( terrain ); // the scene holds it
	assert_true( kit_one( b, kit_ray( ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 1 ), 1e3 ) ).distance > 0 );
	ds_ray_scene_destroy( b );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_no_threads ), // first: nothing else has started any
		cmocka_unit_test( test_plane ),
		cmocka_unit_test( test_plane_range ),
		cmocka_unit_test( test_grid_brute ),
		cmocka_unit_test( test_grid_holes ),
		cmocka_unit_test( test_grid_far ),
		cmocka_unit_test( test_mesh_brute ),
		cmocka_unit_test( test_edges ),
		cmocka_unit_test( test_level_lines ),
		cmocka_unit_test( test_strange_rays ),
		cmocka_unit_test( test_normals ),
		cmocka_unit_test( test_packets ),
		cmocka_unit_test( test_short_ways ),
		cmocka_unit_test( test_variants ),
		cmocka_unit_test( test_shared ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
