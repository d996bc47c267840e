// Added mass by source panels against closed forms and published values; what it must keep, and what it refuses.

#include "panel_shapes.h"

#include "hydro/added_mass.h"
#include "hydro/mass.h"
#include "hydro/panels_internal.h"

static double ellipsoid_volume( ds_vec3 a )
{
	return 4 * DS_PI / 3 * a.x * a.y * a.z;
}

// ---- one panel -----------------------------------------------------------------------------------------------------

// Solid angle and potential against sums over 4^7 pieces; on the panel's own plane and edges, against closed forms.
static void test_panel( void **state )
{
	(void)state;
	uint64_t seed = 21;
	for ( int k = 0; k < 20; ++k )
	{
		ds_vec3 a = noise3( &seed ), u = noise3( &seed ), v = noise3( &seed ), p = ds_scale( 2, noise3( &seed ) );
		ds_panel panel;
		assert_true( ds_panel_set( &panel, a, ds_add( a, u ), ds_add( a, v ) ) );
		double angle = 0, potential = 0;
		int n = 128;
		for ( int i = 0; i < n * n; ++i )
		{
			// two triangles of each cell of the lattice, the second one where it is inside
			for ( int half = 0; half < 2; ++half )
			{
				double s = ( i / n + ( half ? 2.0 : 1.0 ) / 3 ) / n, t = ( i % n + ( half ? 2.0 : 1.0 ) / 3 ) / n;
				if ( s + t < 1 )
				{
					ds_vec3 r = ds_sub( ds_mad( ds_mad( a, s, u ), t, v ), p );
					double length = ds_length( r ), piece = panel.area / ( n * n );
					angle += piece * ds_dot( panel.normal, r ) / ( length * length * length );
					potential += piece / length;
				}
			}
		}
		ASSERT_NEAR( ds_panel_solid_angle( &panel, p ), angle, 2e-3 * ( fabs( angle ) + 0.01 ) );
		ASSERT_NEAR( ds_panel_potential( &panel, p ), potential, 2e-3 * potential );
	}

	// equilateral triangle of side 1: three times height/3 of its centre times 2 asinh( sqrt 3 )
	ds_panel panel;
	assert_true( ds_panel_set( &panel, ds_v3( 0, 0, 0 ), ds_v3( 1, 0, 0 ), ds_v3( 0.5, 0.5 * sqrt( 3.0 ), 0 ) ) );
	ASSERT_NEAR( ds_panel_potential( &panel, panel.centroid ), sqrt( 3.0 ) * asinh( sqrt( 3.0 ) ), 1e-14 );
	// from a corner: height times the integral of 1/cos over 60 degrees
	ASSERT_NEAR( ds_panel_potential( &panel, panel.corner[0] ), 0.5 * sqrt( 3.0 ) * log( 3 ), 1e-14 );
	// from the middle of a side: distance sqrt(3)/4 to the other two, whose ends lie 1/2 and sqrt(3)/2 away
	double corner = 0.25 * sqrt( 3.0 ) * log( ( 1.5 + 0.5 * sqrt( 3.0 ) ) / ( 0.5 * sqrt( 3.0 ) - 0.5 ) );
	ASSERT_NEAR( ds_panel_potential( &panel, ds_v3( 0.5, 0, 0 ) ), 2 * corner, 1e-13 );
	assert_false( ds_panel_set( &panel, ds_v3( 0, 0, 0 ), ds_v3( 1, 1, 1 ), ds_v3( 2, 2, 2 ) ) );
}

// ---- ellipsoids ----------------------------------------------------------------------------------------------------

static void test_sphere( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 0.7, 0.7, 0.7 ), 3 );
	assert_int_equal( s.face_count, 1280 );
	double half = 0.5 * shape_volume( &s );
	ds_mat6 m = unit_panels_of( &s );
	for ( int i = 0; i < 36; ++i )
	{
		int row = i / 6, column = i % 6;
		ASSERT_NEAR( m.m[row][column], row == column && row < 3 ? half : 0, ( row < 3 ? 0.005 : 1e-4 ) * half );
	}
	shape_free( &s );
}

// Against the true ellipsoid, whose volume is 0.9 % more than the mesh's: 2 % for every entry that is not 0.
static void assert_ellipsoid( ds_vec3 a, const double expected[6] )
{
	shape s = shape_ellipsoid( a, 3 );
	ds_mat6 m = unit_panels_of( &s );
	double size = fmax( a.x, fmax( a.y, a.z ) ), scale = expected[0] + expected[1] + expected[2];
	for ( int i = 0; i < 36; ++i )
	{
		int row = i / 6, column = i % 6;
		if ( row == column && expected[row] > 0 )
		{
			ASSERT_NEAR( m.m[row][row] / expected[row], 1, 0.02 );
		}
		else
		{
			ASSERT_NEAR( m.m[row][column], 0, 1e-4 * scale * ( row < 3 ? 1 : size ) * ( column < 3 ? 1 : size ) );
		}
	}
	shape_free( &s );
}

// Lamb's coefficients of prolate spheroids, closed form: Fossen (2021) section 8.4.2; the rotational one is a share of the
// fluid's own moment of inertia.
static void test_prolate_spheroids( void **state )
{
	(void)state;
	static const double rows[][4] = { // a / b, k1, k2, k'
		{ 1.5, 0.3037494, 0.6220844, 0.0951243 }, { 3, 0.1219686, 0.8038991, 0.4656782 },
		{ 7, 0.0358493, 0.9330982, 0.8066942 }, { 20, 0.0067949, 0.9865924, 0.9601414 }
	};
	for ( int i = 0; i < 4; ++i )
	{
		ds_vec3 a = ds_v3( rows[i][0], 1, 1 );
		double v = ellipsoid_volume( a ), turning = rows[i][3] * v * ( a.x * a.x + 1 ) / 5;
		const double expected[6] = { rows[i][1] * v, rows[i][2] * v, rows[i][2] * v, 0, turning, turning };
		assert_ellipsoid( a, expected );
	}
}

// Double-exponential quadrature of Lamb's integrals (art. 114), nine digits; moments per unit density [m5].
static void test_triaxial_ellipsoids( void **state )
{
	(void)state;
	static const double rows[][9] = { // a, b, c, k1, k2, k3, A44, A55, A66
		{ 2, 1, 1, 0.210015049, 0.704210426, 0.704210426, 0, 2.00579292, 2.00579292 },
		{ 3, 2, 1, 0.185256404, 0.36454324, 1.36152747, 9.63255763, 35.5998305, 3.91419147 },
		{ 2, 1.5, 1, 0.267853927, 0.438861877, 0.936963974, 1.04884569, 3.76320749, 0.619791813 },
		{ 5, 1, 1, 0.0591211709, 0.89426054, 0.89426054, 0, 76.2197561, 76.2197561 },
		{ 1, 1, 0.5, 0.309585928, 0.309585928, 1.11506049, 0.17727899, 0.17727899, 0 },
		{ 1, 1, 0.1, 0.0748040647, 0.0748040647, 6.18412876, 0.340341499, 0.340341499, 0 }
	};
	for ( int i = 0; i < 6; ++i )
	{
		const double *r = rows[i];
		ds_vec3 a = ds_v3( r[0], r[1], r[2] );
		double v = ellipsoid_volume( a );
		const double expected[6] = { r[3] * v, r[4] * v, r[5] * v, r[6], r[7], r[8] };
		assert_ellipsoid( a, expected );
	}
}

// ---- bodies with edges ---------------------------------------------------------------------------------------------

// The polarizability of a cube that does not conduct is -1.6383 times its volume (Sihvola, Yla-Oijala, Jarvenpaa & Avelin,
// Polarizabilities of Platonic solids, IEEE Trans. Antennas Propag. 52, 2004), and its size is displaced plus added volume
// (Taylor, Proc. R. Soc. A 120, 1928). Rougher values in use: 0.67 (Brennen, NCEL CR 82.010, 1982), 0.68 (DNV-RP-C205).
static void test_cube( void **state )
{
	(void)state;
	const int count[3] = { 14, 14, 14 };
	shape s = shape_grid_box( ds_v3( 2, 2, 2 ), count );
	ds_mat6 m = unit_panels_of( &s );
	shape_free( &s );
	ASSERT_NEAR( m.m[0][0] / 8 / 0.6383, 1, 0.01 );
	for ( int row = 1; row < 3; ++row )
	{
		ASSERT_NEAR( m.m[row][row], m.m[0][0], 1e-10 );
		ASSERT_NEAR( m.m[3 + row][3 + row], m.m[3][3], 1e-10 );
	}
}

// A cylinder across itself. What a piece in the middle of a long one adds is that of the plane: rho pi a^2 (Lamb art. 68).
// With its ends: 0.90 of that at length / diameter 5 (DNV-RP-C205, appendix D, table of three-dimensional bodies).
static void test_cylinder( void **state )
{
	(void)state;
	double across[2], lengths[2] = { 10, 14 };
	for ( int i = 0; i < 2; ++i )
	{
		shape s = shape_cylinder( 1, lengths[i], 24, 20 + 6 * i, 4 );
		ASSERT_NEAR( shape_volume( &s ), DS_PI * lengths[i], 1e-9 );
		ds_mat6 m = unit_panels_of( &s );
		shape_free( &s );
		across[i] = m.m[1][1];
		ASSERT_NEAR( m.m[2][2] / m.m[1][1], 1, 1e-3 );
		assert_true( m.m[3][3] < 0.02 && m.m[0][0] < 4.5 );
	}
	ASSERT_NEAR( across[0] / ( DS_PI * 10 ), 0.90, 0.02 );
	ASSERT_NEAR( ( across[1] - across[0] ) / ( DS_PI * 4 ), 1, 0.015 );
}

// ---- near a plane --------------------------------------------------------------------------------------------------

// Towards a plane at distance h: doublets at the images of images (Hicks), each ( a / d )^3 of the one before; `sign` 1 for a
// wall, -1 for a free surface. Lamb's 1 + 3/8 (a/h)^3 (art. 137) is its start. Relative to unbounded water.
static double doublets( double a, double h, double sign )
{
	double strength = 1, position = 0, sum = 0;
	for ( int i = 0; i < 60; ++i )
	{
		sum += strength;
		double d = 2 * h - position;
		strength *= sign * pow( a / d, 3 );
		position = a * a / d;
	}
	return ( 1.5 * sum - 1 ) / 0.5;
}

static void test_sphere_near_a_plane( void **state )
{
	(void)state;
	ASSERT_NEAR( doublets( 1, 10, 1 ), 1 + 3.0 / 8 / 1000, 1e-6 );
	shape s = shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 );
	double free = unit_panels_of( &s ).m[0][0], a = cbrt( 3 * shape_volume( &s ) / ( 4 * DS_PI ) );
	const double heights[] = { 1.2, 1.5, 2, 4 };
	for ( int i = 0; i < 8; ++i )
	{
		double h = heights[i / 2], sign = i % 2 ? 1 : -1;
		ds_panel_options options = plain_options();
		options.density = 1;
		options.boundary = i % 2 ? DS_PANELS_SEABED : DS_PANELS_SURFACE;
		options.distance = h;
		ds_mat6 m = panels_of( &s, &options );
		ASSERT_NEAR( m.m[2][2] / free, doublets( a, h, sign ), h < 1.3 ? 0.01 : 0.001 );
		// along the plane, for h far enough: 1 + 3/16 (a/h)^3, Lamb art. 138
		if ( h >= 2 )
		{
			ASSERT_NEAR( m.m[0][0] / free, 1 + sign * 3.0 / 16 * pow( a / h, 3 ), 0.001 );
			ASSERT_NEAR( m.m[1][1], m.m[0][0], 1e-3 );
		}
	}
	shape_free( &s );
}

// A plane given by another "up", and one that is far away.
static void test_plane_direction( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 1, 0.6, 0.4 ), 2 );
	uint64_t seed = 22;
	ds_quat turn = noise_attitude( &seed );
	ds_vec3 by = ds_v3( 3, -2, 1 );
	ds_panel_options options = plain_options();
	options.boundary = DS_PANELS_SURFACE;
	options.distance = 0.6;
	ds_mat6 m = panels_of( &s, &options );

	ds_panel_options far = options;
	far.distance = 1e5;
	ds_panel_options open = plain_options();
	ds_mat6 unbounded = panels_of( &s, &open ), remote = panels_of( &s, &far );
	ASSERT_NEAR( remote.m[2][2], unbounded.m[2][2], 1e-9 * unbounded.m[2][2] );
	assert_true( m.m[2][2] < 0.95 * unbounded.m[2][2] );

	shape_move( &s, turn, by );
	options.up = ds_scale( 7, ds_rotate( turn, ds_v3( 0, 0, -1 ) ) );
	options.distance = 0.6 + ds_dot( ds_rotate( turn, ds_v3( 0, 0, -1 ) ), by );
	options.about = by;
	ds_mat6 moved = panels_of( &s, &options ), expected = ds_mat6_rotate( &m, turn );
	for ( int i = 0; i < 36; ++i )
	{
		ASSERT_NEAR( moved.m[i / 6][i % 6], expected.m[i / 6][i % 6], 1e-9 * m.m[2][2] );
	}
	shape_free( &s );
}

// ---- what must hold always -----------------------------------------------------------------------------------------

// Star-shaped bodies with bumps.
static shape random_body( uint64_t *seed, int level )
{
	shape s = shape_ellipsoid( ds_v3( 1, 1, 1 ), level );
	ds_vec3 wave[4];
	for ( int k = 0; k < 4; ++k )
	{
		wave[k] = ds_scale( 3, noise3( seed ) );
	}
	ds_vec3 stretch = ds_v3( exp( noise( seed ) ), exp( noise( seed ) ), exp( 2 * noise( seed ) - 0.5 ) );
	for ( int i = 0; i < s.vertex_count; ++i )
	{
		ds_vec3 p = s.vertices[i];
		double r = 1;
		for ( int k = 0; k < 4; ++k )
		{
			r += 0.15 * sin( ds_dot( wave[k], p ) + k );
		}
		s.vertices[i] = ds_v3( r * stretch.x * p.x, r * stretch.y * p.y, r * stretch.z * p.z );
	}
	return s;
}

static void test_positive_definite( void **state )
{
	(void)state;
	uint64_t seed = 23;
	for ( int k = 0; k < 40; ++k )
	{
		shape s = random_body( &seed, 1 + k % 2 );
		ds_panel_options options = plain_options();
		options.boundary = (ds_panel_boundary)( k % 3 );
		options.distance = 12;
		ds_mat6 m = panels_of( &s, &options );
		assert_int_equal( ds_mat6_check_spd( &m, true, "random body" ), DS_OK );
		for ( int i = 0; i < 36; ++i )
		{
			ASSERT_NEAR( m.m[i / 6][i % 6], m.m[i % 6][i / 6], 0 );
		}
		shape_free( &s );
	}

	// a sphere, whose turning moves next to nothing, and thin plates in faces wider than they are thick
	const double thickness[] = { 0.2, 0.05, 0.02, 0.005 };
	const int count[3] = { 7, 8, 1 };
	for ( int k = 0; k < 5; ++k )
	{
		shape s = k < 4 ? shape_grid_box( ds_v3( 1, 1, thickness[k] ), count ) : shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 );
		ds_mat6 m = unit_panels_of( &s );
		assert_int_equal( ds_mat6_check_spd( &m, true, "plate" ), DS_OK );
		shape_free( &s );
	}
}

// Turning and moving the mesh is turning and moving the matrix; far from the mesh's origin too.
static void test_covariance( void **state )
{
	(void)state;
	uint64_t seed = 24;
	for ( int k = 0; k < 8; ++k )
	{
		shape s = random_body( &seed, 2 );
		ds_mat6 m = unit_panels_of( &s );
		ds_quat turn = noise_attitude( &seed );
		ds_vec3 by = ds_scale( k < 6 ? 3 : 300, noise3( &seed ) );
		shape_move( &s, turn, by );
		ds_panel_options options = plain_options();
		options.density = 1;
		options.about = by;
		ds_mat6 turned = ds_mat6_rotate( &m, turn ), found = panels_of( &s, &options );
		options.about = ds_v3( 0, 0, 0 );
		ds_mat6 shifted = ds_mat6_shift( &turned, by ), origin = panels_of( &s, &options );
		double scale = m.m[0][0] + m.m[1][1] + m.m[2][2] + m.m[3][3] + m.m[4][4] + m.m[5][5];
		double arm = 1 + ds_dot( by, by );
		for ( int i = 0; i < 36; ++i )
		{
			ASSERT_NEAR( found.m[i / 6][i % 6], turned.m[i / 6][i % 6], 1e-9 * scale );
			ASSERT_NEAR( origin.m[i / 6][i % 6], shifted.m[i / 6][i % 6], 1e-9 * scale * arm );
		}
		shape_free( &s );
	}
}

// Density and size: rho L^3, rho L^4, rho L^5.
static void test_scale( void **state )
{
	(void)state;
	uint64_t seed = 25;
	shape s = random_body( &seed, 2 );
	ds_mat6 m = unit_panels_of( &s ), again = unit_panels_of( &s );
	assert_memory_equal( &m, &again, sizeof( m ) );
	for ( int i = 0; i < s.vertex_count; ++i )
	{
		s.vertices[i] = ds_scale( 1e-3, s.vertices[i] );
	}
	ds_panel_options sea = plain_options();
	ds_mat6 small = panels_of( &s, &sea );
	double scale = 1025e-9 * ( m.m[0][0] + m.m[3][3] );
	for ( int i = 0; i < 36; ++i )
	{
		double arms = pow( 1e-3, ( i / 6 > 2 ) + ( i % 6 > 2 ) );
		ASSERT_NEAR( small.m[i / 6][i % 6], 1025e-9 * arms * m.m[i / 6][i % 6], 1e-10 * scale * arms );
	}
	shape_free( &s );
}

// Few large faces are split: a cube of 12 faces, a long box whose sides are two faces each, which can take up no turning; and
// a turned mesh is split alike.
static void test_splitting( void **state )
{
	(void)state;
	ds_panel_options split = ds_panel_options_default(), plain = plain_options();
	split.density = plain.density = 1;
	split.least = 600;
	shape s = shape_box( ds_v3( -1, -1, -1 ), ds_v3( 1, 1, 1 ) );
	ds_mat6 m = panels_of( &s, &split );
	for ( int i = 0; i < 3; ++i )
	{
		ASSERT_NEAR( m.m[i][i] / 8 / 0.6383, 1, 0.04 );
		ASSERT_NEAR( m.m[i][i], m.m[0][0], 0.005 * m.m[0][0] );
	}
	uint64_t seed = 26;
	ds_quat turn = noise_attitude( &seed );
	shape_move( &s, turn, ds_v3( 0, 0, 0 ) );
	ds_mat6 turned = panels_of( &s, &split ), expected = ds_mat6_rotate( &m, turn );
	for ( int i = 0; i < 36; ++i )
	{
		ASSERT_NEAR( turned.m[i / 6][i % 6], expected.m[i / 6][i % 6], 1e-9 * m.m[0][0] );
	}
	shape_free( &s );

	split.least = 1280;
	const int count[3] = { 24, 6, 6 };
	shape fine = shape_grid_box( ds_v3( 10, 1, 1 ), count ),
		  coarse = shape_box( ds_v3( -5, -0.5, -0.5 ), ds_v3( 5, 0.5, 0.5 ) );
	ds_mat6 reference = panels_of( &fine, &plain ), found = panels_of( &coarse, &split );
	ASSERT_NEAR( found.m[1][1] / reference.m[1][1], 1, 0.03 );
	ASSERT_NEAR( found.m[5][5] / reference.m[5][5], 1, 0.03 );
	assert_true( panels_of( &coarse, &plain ).m[5][5] < 0.8 * reference.m[5][5] );
	shape_free( &fine );
	shape_free( &coarse );
}

// ---- several parts -------------------------------------------------------------------------------------------------

// Two spheres far apart add up; near each other, side by side and moving along their line, one is the other's wall:
// moving apart by mirror would be a wall's value, moving together is a free surface's.
static void test_two_parts( void **state )
{
	(void)state;
	shape one = shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 );
	double single = unit_panels_of( &one ).m[0][0];
	shape_free( &one );
	const double heights[] = { 1.5, 100 };
	for ( int i = 0; i < 2; ++i )
	{
		double h = heights[i];
		shape a = shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 ), b = shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 );
		ds_quat none = { 1, 0, 0, 0 };
		shape_move( &a, none, ds_v3( 0, 0, -h ) );
		shape_move( &b, none, ds_v3( 0, 0, h ) );
		shape both = shape_join( a, b );
		ds_mat6 m = unit_panels_of( &both );
		ASSERT_NEAR( m.m[2][2] / ( 2 * single ), doublets( 1, h, -1 ), 0.01 );
		ASSERT_NEAR( m.m[4][4] / ( 2 * single * h * h ), m.m[0][0] / ( 2 * single ), i == 1 ? 1e-3 : 0.2 );
		shape_free( &both );
	}
}

// A flooded hollow carries its water along.
static void test_hollow( void **state )
{
	(void)state;
	shape outer = shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 ), inner = shape_ellipsoid( ds_v3( 0.6, 0.5, 0.4 ), 2 );
	double alone = unit_panels_of( &outer ).m[1][1], water = shape_volume( &inner );
	shape_flip( &inner );
	shape both = shape_join( outer, inner );
	ds_mat6 m = unit_panels_of( &both );
	ASSERT_NEAR( m.m[1][1], alone + water, 0.04 * water );
	ASSERT_NEAR( m.m[2][2], alone + water, 0.04 * water );
	shape_free( &both );
}

// ---- errors --------------------------------------------------------------------------------------------------------

static ds_status status_of( const shape *s, const ds_panel_options *options )
{
	ds_mat6 m;
	return ds_added_mass_panels( s->vertices, s->vertex_count, s->triangles, s->face_count, options, NULL, &m );
}

static void test_bad_meshes( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 1, 1, 1 ), 1 );
	s.face_count -= 1;
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_MESH_OPEN );
	s.face_count += 1;
	int32_t swapped = s.triangles[6];
	s.triangles[6] = s.triangles[7];
	s.triangles[7] = swapped;
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_MESH_OPEN );
	s.triangles[7] = s.triangles[6];
	s.triangles[6] = swapped;
	shape_flip( &s );
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_MESH_WINDING );
	shape_flip( &s );
	assert_int_equal( status_of( &s, NULL ), DS_OK );

	double x = s.vertices[4].x;
	s.vertices[4].x = NAN;
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_NOT_FINITE );
	s.vertices[4].x = x;
	s.triangles[5] += 100000;
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_ARGUMENT );
	s.triangles[5] = s.triangles[4];
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_RANGE );
	s.face_count = 0;
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_MESH_EMPTY );
	shape_free( &s );

	// parts that overlap, and boxes that share a side
	const int count[3] = { 2, 2, 2 };
	const double gaps[] = { 0.5, 1 };
	for ( int i = 0; i < 2; ++i )
	{
		shape a = shape_grid_box( ds_v3( 1, 1, 1 ), count ), b = shape_grid_box( ds_v3( 1, 1, 1 ), count );
		ds_quat none = { 1, 0, 0, 0 };
		shape_move( &b, none, ds_v3( gaps[i], 0, 0 ) );
		s = shape_join( a, b );
		assert_int_equal( status_of( &s, NULL ), DS_ERROR_MESH_WINDING );
		shape_free( &s );
	}

	s = shape_ellipsoid( ds_v3( 1, 1, 1 ), 5 );
	assert_int_equal( status_of( &s, NULL ), DS_ERROR_LIMIT );
	assert_non_null( strstr( ds_last_error(), "coarser mesh" ) );
	shape_free( &s );
}

static bool cancel_at_third( void *user )
{
	return ++*(int *)user > 3;
}

static void keep_share( void *user, double share )
{
	double *last = user;
	assert_true( share >= *last && share <= 1 );
	*last = share;
}

static void test_options( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 1, 1, 1 ), 2 );
	ds_mat6 m;
	assert_int_equal( ds_added_mass_panels( NULL, 0, s.triangles, 1, NULL, NULL, &m ), DS_ERROR_ARGUMENT );
	ds_panel_options o = plain_options();
	o.density = 0;
	assert_int_equal( status_of( &s, &o ), DS_ERROR_RANGE );
	o.density = NAN;
	assert_int_equal( status_of( &s, &o ), DS_ERROR_NOT_FINITE );
	o = plain_options();
	o.boundary = DS_PANELS_SURFACE;
	o.distance = 0.9;
	assert_int_equal( status_of( &s, &o ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "surface" ) );
	o.distance = 2;
	o.up = ds_v3( 0, 0, 0 );
	assert_int_equal( status_of( &s, &o ), DS_ERROR_RANGE );
	o.boundary = (ds_panel_boundary)9;
	assert_int_equal( status_of( &s, &o ), DS_ERROR_ARGUMENT );
	o = plain_options();
	o.least = DS_PANELS_MOST;
	assert_int_equal( status_of( &s, &o ), DS_ERROR_RANGE );

	o = plain_options();
	double last = 0;
	o.progress = keep_share;
	o.user = &last;
	assert_int_equal( status_of( &s, &o ), DS_OK );
	ASSERT_NEAR( last, 1, 0 );
	o.progress = NULL;
	int asked = 0;
	o.cancel = cancel_at_third;
	o.user = &asked;
	assert_int_equal( status_of( &s, &o ), DS_ERROR_CANCELLED );
	shape_free( &s );
}

static void keep_log( void *user, ds_log_level level, const char *message )
{
	*(bool *)user = level == DS_LOG_WARNING && strstr( message, "thin" ) != NULL;
}

// Faces much wider than the plate is thick are told of.
static void test_thin_warning( void **state )
{
	(void)state;
	bool told = false;
	ds_hooks hooks = { { NULL, NULL, NULL }, keep_log, &told };
	ds_panel_options plain = plain_options();
	const int count[3] = { 6, 6, 1 };
	for ( int i = 0; i < 2; ++i )
	{
		shape s = shape_grid_box( ds_v3( 1, 1, i ? 0.01 : 1 ), count );
		ds_mat6 m;
		assert_int_equal(
			ds_added_mass_panels( s.vertices, s.vertex_count, s.triangles, s.face_count, &plain, &hooks, &m ), DS_OK );
		assert_int_equal( told, i == 1 );
		shape_free( &s );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_panel ),
		cmocka_unit_test( test_sphere ),
		cmocka_unit_test( test_prolate_spheroids ),
		cmocka_unit_test( test_triaxial_ellipsoids ),
		cmocka_unit_test( test_cube ),
		cmocka_unit_test( test_cylinder ),
		cmocka_unit_test( test_sphere_near_a_plane ),
		cmocka_unit_test( test_plane_direction ),
		cmocka_unit_test( test_positive_definite ),
		cmocka_unit_test( test_covariance ),
		cmocka_unit_test( test_scale ),
		cmocka_unit_test( test_splitting ),
		cmocka_unit_test( test_two_parts ),
		cmocka_unit_test( test_hollow ),
		cmocka_unit_test( test_bad_meshes ),
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_thin_warning ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
