// How added mass by panels approaches its limit as faces shrink: 320, 1280, 5120. Prints what it finds.

#include "../unit/panel_shapes.h"

// Errors relative to the mesh's own volume at three sizes: each step to faces of half the width divides them by `least` or
// more.
static void assert_falls( const char *what, const double error[3], double least )
{
	print_message( "%-28s %9.3f %%  %9.3f %%  %9.3f %%\n", what, 100 * error[0], 100 * error[1], 100 * error[2] );
	for ( int i = 1; i < 3; ++i )
	{
		assert_true( fabs( error[i] ) < fabs( error[i - 1] ) / least );
	}
}

// Smooth bodies: the error goes with the square of the faces' width, about 0.1 % at 5120. Sphere: 1/2. The ellipsoid 3:2:1:
// quadrature of Lamb's integrals (art. 114).
static void test_smooth( void **state )
{
	(void)state;
	static const ds_vec3 axes[2] = { { 1, 1, 1 }, { 3, 2, 1 } };
	static const double expected[2][3] = { { 0.5, 0.5, 0.5 }, { 0.185256404, 0.36454324, 1.36152747 } };
	static const char *const names[2][3] = { { "sphere x", "sphere y", "sphere z" },
		{ "ellipsoid 3:2:1 x", "ellipsoid 3:2:1 y", "ellipsoid 3:2:1 z" } };
	for ( int k = 0; k < 2; ++k )
	{
		double error[3][3];
		for ( int level = 2; level < 5; ++level )
		{
			shape s = shape_ellipsoid( axes[k], level );
			ds_mat6 m = unit_panels_of( &s );
			for ( int i = 0; i < 3; ++i )
			{
				error[i][level - 2] = m.m[i][i] / shape_volume( &s ) / expected[k][i] - 1;
			}
			shape_free( &s );
		}
		for ( int i = 0; i < 3; ++i )
		{
			assert_falls( names[k][i], error[i], 3.5 );
			assert_true( fabs( error[i][2] ) < 1.5e-3 );
		}
	}
}

// The turning of the ellipsoid 3:2:1, against the body itself: the mesh's lack of volume is in the error too.
static void test_turning( void **state )
{
	(void)state;
	static const double expected[3] = { 9.63255763, 35.5998305, 3.91419147 };
	static const char *const names[3] = { "ellipsoid 3:2:1 about x", "ellipsoid 3:2:1 about y",
		"ellipsoid 3:2:1 about z" };
	double error[3][3];
	for ( int level = 2; level < 5; ++level )
	{
		shape s = shape_ellipsoid( ds_v3( 3, 2, 1 ), level );
		ds_mat6 m = unit_panels_of( &s );
		for ( int i = 0; i < 3; ++i )
		{
			error[i][level - 2] = m.m[3 + i][3 + i] / expected[i] - 1;
		}
		shape_free( &s );
	}
	for ( int i = 0; i < 3; ++i )
	{
		assert_falls( names[i], error[i], 3.5 );
	}
}

// A body with edges: slower, but to the same limit, 0.6383 (see tests/unit/test_panels.c), which three meshes give by
// Aitken's formula.
static void test_edges( void **state )
{
	(void)state;
	double k[3], error[3];
	for ( int i = 0; i < 3; ++i )
	{
		int n = 5 << i;
		const int count[3] = { n, n, n };
		shape s = shape_grid_box( ds_v3( 1, 1, 1 ), count );
		k[i] = unit_panels_of( &s ).m[0][0];
		error[i] = k[i] / 0.6383 - 1;
		shape_free( &s );
	}
	double limit = k[2] - ( k[2] - k[1] ) * ( k[2] - k[1] ) / ( k[2] - 2 * k[1] + k[0] );
	assert_falls( "cube (300, 1200, 4800)", error, 2.5 );
	print_message( "cube, limit %.5f\n", limit );
	ASSERT_NEAR( limit, 0.6383, 0.001 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_smooth ),
		cmocka_unit_test( test_turning ),
		cmocka_unit_test( test_edges ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
