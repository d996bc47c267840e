// Rays on surfaces of the Bullet shim against every triangle in long double, near the origin and 1000 km away; no gaps; and how
// little of a large surface is asked for.

#include "test_surface_grid.h"

// The nearest hit among all triangles, in long double; 2: none.
static double nearest_of_all( const grid *g, ds_vec3 from, ds_vec3 to )
{
	typedef long double real;
	real d[3] = { (real)to.x - from.x, (real)to.y - from.y, (real)to.z - from.z }, best = 2;
	for ( int64_t k = 0; k < 2 * (int64_t)g->n * g->n; ++k )
	{
		ds_vec3 c[3];
		if ( !grid_triangle( g, k, c ) )
		{
			continue;
		}
		// As a height over the plane: z of the triangle along the ray, then whether the place is inside.
		real ux = c[1].x - c[0].x, uy = c[1].y - c[0].y, uz = c[1].z - c[0].z;
		real vx = c[2].x - c[0].x, vy = c[2].y - c[0].y, vz = c[2].z - c[0].z, area = ux * vy - uy * vx;
		real sx = ( uz * vy - vz * uy ) / area, sy = ( ux * vz - vx * uz ) / area;
		real fx = (real)from.x - c[0].x, fy = (real)from.y - c[0].y, fz = (real)from.z - c[0].z;
		real slope = d[2] - sx * d[0] - sy * d[1];
		real t = slope != 0 ? -( fz - sx * fx - sy * fy ) / slope : -1;
		real x = fx + t * d[0], y = fy + t * d[1];
		real a = ( x * vy - y * vx ) / area, b = ( ux * y - uy * x ) / area;
		if ( t >= 0 && t <= 1 && a >= -1e-15L && b >= -1e-15L && a + b <= 1 + 1e-15L && t < best )
		{
			best = t;
		}
	}
	return (double)best;
}

static double uniform( uint64_t *seed )
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)( *seed >> 11 ) / 9007199254740992.0;
}

static void rays_as_by_all_triangles( void **state )
{
	(void)state;
	uint64_t seed = 7;
	for ( int far = 0; far < 2; ++far )
	{
		grid g = { 0 };
		g.cell = 0.5;
		g.n = 60;
		g.height = rough_height;
		g.roughness = 0.3;
		g.north = far ? 1e6 : 0;
		g.east = far ? -1e6 : 0;
		sim s;
		sim_start( &s, 0.01 );
		sim_add( &s, grid_shape( &g ), ds_pose_identity(), NULL, 0, 0 );
		int hits = 0, misses = 0;
		for ( int k = 0; k < 1500; ++k )
		{
			// Short ones, long ones, level ones that graze, vertical ones.
			double length = k % 3 ? 10 : 2000, height = k % 4 == 0 ? 0.3 : 5;
			ds_vec3 middle = ds_v3( g.north + 40 * ( uniform( &seed ) - 0.5 ), g.east + 40 * ( uniform( &seed ) - 0.5 ),
				height * ( 2 * uniform( &seed ) - 1 ) );
			ds_vec3 way = ds_v3( length * ( 2 * uniform( &seed ) - 1 ), length * ( 2 * uniform( &seed ) - 1 ),
				height * ( 2 * uniform( &seed ) - 1 ) );
			way = k % 5 == 0 ? ds_v3( 0, 0, k % 2 ? 8 : -8 ) : way;
			ds_vec3 from = ds_sub( middle, way ), to = ds_add( middle, way );
			double due = nearest_of_all( &g, from, to );
			dsb_hit hit;
			ds_status status = dsb_ray_test( s.world, from, to, DSB_NONE, &hit );
			double metres = ds_length( way ) * 2;
			if ( status == DS_OK ? !( fabs( hit.fraction - due ) * metres < 1e-9 * fmax( metres, 1 ) ) : due <= 1 )
			{
				fail_msg( "ray %d, far %d: %s at %.17g, due %.17g", k, far, status == DS_OK ? "hit" : "none",
					hit.fraction, due );
			}
			hits += status == DS_OK;
			misses += status != DS_OK;
			assert_true(
				status != DS_OK || ( ds_dot( hit.normal, way ) < 0 && fabs( ds_length( hit.normal ) - 1 ) < 1e-12 ) );
		}
		assert_true( hits > 500 && misses > 100 );
		sim_end( &s );
	}
}

// Rays at corners and along edges find no gap, from the surface turned about, too.
static void no_gaps( void **state )
{
	(void)state;
	uint64_t seed = 11;
	for ( int far = 0; far < 2; ++far )
	{
		grid g = { 0 };
		g.cell = 0.5;
		g.n = 20;
		g.height = rough_height;
		g.roughness = 0.3;
		sim s;
		sim_start( &s, 0.01 );
		ds_pose pose = far ? sim_at( 1e6, 2e5, -300 ) : sim_at( 3, 2, 1 );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, -0.5, 1.2 ) );
		sim_add( &s, grid_shape( &g ), pose, NULL, 0, 0 );
		for ( int i = 2; i < g.n - 1; ++i )
		{
			for ( int j = 2; j < g.n - 1; ++j )
			{
				ds_vec3 p = grid_corner( &g, i, j ), q = grid_corner( &g, i + 1, j );
				ds_vec3 at = ds_mad( p, ( i + j ) % 2 ? 0 : uniform( &seed ), ds_sub( q, p ) );
				ds_vec3 way = ds_v3( uniform( &seed ) - 0.5, uniform( &seed ) - 0.5, 5 );
				ds_vec3 from = ds_pose_point( pose, ds_mad( at, -1, way ) );
				dsb_hit hit;
				assert_int_equal(
					dsb_ray_test( s.world, from, ds_pose_point( pose, ds_mad( at, 1, way ) ), DSB_NONE, &hit ), DS_OK );
				assert_true( fabs( hit.fraction - 0.5 ) < 1e-2 );
			}
		}
		sim_end( &s );
	}
}

// Long rays over 33 million triangles ask for those on their way only.
static void long_rays_ask_little( void **state )
{
	(void)state;
	grid g = { 0 };
	g.cell = 1;
	g.n = 4096;
	g.height = rough_height;
	g.roughness = 2;
	sim s;
	sim_start( &s, 0.01 );
	sim_add( &s, grid_shape( &g ), ds_pose_identity(), NULL, 0, 0 );
	dsb_hit hit;
	assert_int_equal(
		dsb_ray_test( s.world, ds_v3( 10.3, 20.2, -5000 ), ds_v3( 10.3, 20.2, 5000 ), DSB_NONE, &hit ), DS_OK );
	assert_true( g.visited <= 8 );
	g.visited = 0;
	assert_int_equal(
		dsb_ray_test( s.world, ds_v3( -3000, -2900, -3000 ), ds_v3( 3000, 3100, 3000 ), DSB_NONE, &hit ), DS_OK );
	assert_true( g.visited < 200 && fabs( hit.point.z ) < 3.3 );
	g.visited = 0;
	// Level, above most of the ground's range, past the edge on both sides: no more than the cells along the diagonal.
	assert_int_equal(
		dsb_ray_test( s.world, ds_v3( -3000, -3000, -3.195 ), ds_v3( 3000, 3000.5, -3.195 ), DSB_NONE, &hit ),
		DS_ERROR_NOT_FOUND );
	assert_true( g.visited > 4096 && g.visited < 40 * 4096 );
	sim_end( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rays_as_by_all_triangles ),
		cmocka_unit_test( no_gaps ),
		cmocka_unit_test( long_rays_ask_little ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
