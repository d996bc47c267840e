// Added mass of ellipsoids, principal axes, 6x6 inertia and Coriolis terms.

#include "hydro_shapes.h"

#include "hydro/added_mass.h"

static double volume_of( ds_vec3 a )
{
	return 4 * DS_PI / 3 * a.x * a.y * a.z;
}

static void test_sphere( void **state )
{
	(void)state;
	const double radii[] = { 1e-3, 0.2, 1, 50 };
	for ( int i = 0; i < 4; ++i )
	{
		double r = radii[i], m[6], half = 0.5 * RHO * volume_of( ds_v3( r, r, r ) );
		assert_int_equal( ds_added_mass_ellipsoid( ds_v3( r, r, r ), RHO, m ), DS_OK );
		for ( int k = 0; k < 3; ++k )
		{
			ASSERT_NEAR( m[k], half, 1e-12 * half );
			ASSERT_NEAR( m[3 + k], 0, 1e-12 * half * r * r );
		}
	}
}

// Lamb's coefficients of prolate spheroids, closed form: Fossen (2021) section 8.4.2; the rotational one is a share of
// the fluid's own moment of inertia.
static void test_prolate_spheroids( void **state )
{
	(void)state;
	static const double rows[][4] = { // a / b, k1, k2, k'
		{ 1.25, 0.3811995, 0.5674084, 0.0310455 }, { 1.5, 0.3037494, 0.6220844, 0.0951243 },
		{ 2, 0.2100150, 0.7042104, 0.2394239 }, { 5, 0.0591212, 0.8942605, 0.6998510 },
		{ 10, 0.0207059, 0.9602349, 0.8835384 }, { 20, 0.0067949, 0.9865924, 0.9601414 }
	};
	for ( int i = 0; i < 6; ++i )
	{
		ds_vec3 a = ds_v3( 0.3 * rows[i][0], 0.3, 0.3 );
		double m[6], mass = RHO * volume_of( a ), inertia = mass * ( a.x * a.x + a.y * a.y ) / 5;
		assert_int_equal( ds_added_mass_ellipsoid( a, RHO, m ), DS_OK );
		ASSERT_NEAR( m[0] / mass, rows[i][1], 6e-8 );
		ASSERT_NEAR( m[1] / mass, rows[i][2], 6e-8 );
		ASSERT_NEAR( m[2], m[1], 1e-12 * mass );
		ASSERT_NEAR( m[3] / inertia, 0, 1e-12 );
		ASSERT_NEAR( m[4] / inertia, rows[i][3], 6e-8 );
		ASSERT_NEAR( m[5], m[4], 1e-12 * inertia );
	}
}

// Triaxial ellipsoids: double-exponential quadrature of Lamb's integrals, nine digits; moments per unit density [m5].
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
	static const int orders[3][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 } };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			const int *o = orders[k];
			double m[6], mass = volume_of( ds_v3( rows[i][0], rows[i][1], rows[i][2] ) );
			assert_int_equal(
				ds_added_mass_ellipsoid( ds_v3( rows[i][o[0]], rows[i][o[1]], rows[i][o[2]] ), 1, m ), DS_OK );
			for ( int j = 0; j < 3; ++j )
			{
				ASSERT_NEAR( m[j] / mass, rows[i][3 + o[j]], 5e-9 * fmax( 1, rows[i][3 + o[j]] ) );
				ASSERT_NEAR( m[3 + j], rows[i][6 + o[j]], 5e-9 * fmax( 1, rows[i][6 + o[j]] ) );
			}
		}
	}
}

// Limits: a long ellipsoid across itself carries its own volume (rho pi b c a length); a thin disc 8/3 rho a^3, and
// 16/45 rho a^5 about a diameter (Lamb, art. 114).
static void test_limits( void **state )
{
	(void)state;
	double m[6];
	assert_int_equal( ds_added_mass_ellipsoid( ds_v3( 1000, 1, 1 ), 1, m ), DS_OK );
	ASSERT_NEAR( m[1] / volume_of( ds_v3( 1000, 1, 1 ) ), 1, 2e-5 );
	ASSERT_NEAR( m[0] / volume_of( ds_v3( 1000, 1, 1 ) ), 0, 1e-5 );
	assert_int_equal( ds_added_mass_ellipsoid( ds_v3( 2, 2, 2e-6 ), 1, m ), DS_OK );
	ASSERT_NEAR( m[2], 8.0 / 3 * 8, 1e-4 );
	ASSERT_NEAR( m[3], 16.0 / 45 * 32, 1e-4 );

	// an elliptic cylinder of half-width b moved along c carries rho pi b^2 a length, and turned about its axis
	// rho pi (b^2 - c^2)^2 / 8 a length (Newman, Marine Hydrodynamics, table 4.3); both go with the local size
	assert_int_equal( ds_added_mass_ellipsoid( ds_v3( 3000, 2, 1 ), 1, m ), DS_OK );
	ASSERT_NEAR( m[2] / ( DS_PI * 4 * 4000 ), 1, 1e-4 );
	ASSERT_NEAR( m[3] / ( DS_PI * 9 / 8 * 6000 * 8 / 15 ), 1, 1e-4 );
}

// Nearly equal axes give no jump.
static void test_near_equal_axes( void **state )
{
	(void)state;
	for ( double e = 1e-3; e > 1e-13; e *= 0.1 )
	{
		double m[6];
		assert_int_equal( ds_added_mass_ellipsoid( ds_v3( 1, 1 + e, 1 - e ), 1, m ), DS_OK );
		for ( int i = 0; i < 3; ++i )
		{
			ASSERT_NEAR( m[i], 0.5 * volume_of( ds_v3( 1, 1, 1 ) ), 10 * e + 1e-14 );
			assert_true( m[3 + i] >= 0 && m[3 + i] <= 10 * e * e );
		}
	}
}

static void test_ellipsoid_of_inertia( void **state )
{
	(void)state;
	uint64_t seed = 9;
	for ( int k = 0; k < 200; ++k )
	{
		ds_vec3 a = ds_v3( 1.5 + noise( &seed ), 1.5 + noise( &seed ), 1.5 + noise( &seed ) );
		a.y = k % 4 == 0 ? a.x : a.y;
		a.z = k % 8 == 0 ? a.x : a.z;
		ds_quat turn = noise_attitude( &seed );
		ds_mat3 r = ds_mat3_from_quat( turn ), inertia;
		double v = volume_of( a ), xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
		const double principal[3] = { v * ( yy + zz ) / 5, v * ( xx + zz ) / 5, v * ( xx + yy ) / 5 };
		for ( int i = 0; i < 9; ++i )
		{
			double sum = 0;
			for ( int j = 0; j < 3; ++j )
			{
				sum += r.m[i / 3][j] * principal[j] * r.m[i % 3][j];
			}
			inertia.m[i / 3][i % 3] = sum;
		}

		ds_vec3 found, values;
		ds_quat axes;
		assert_int_equal( ds_ellipsoid_of_inertia( v, &inertia, &found, &axes ), DS_OK );
		ASSERT_NEAR( volume_of( found ), v, 1e-12 * v );

		// axes and values give the inertia back; the semi-axes are those that went in, in some order
		ds_principal_axes( &inertia, &values, &axes );
		ds_mat3 e = ds_mat3_from_quat( axes );
		const double value[3] = { values.x, values.y, values.z };
		for ( int i = 0; i < 9; ++i )
		{
			double sum = 0;
			for ( int j = 0; j < 3; ++j )
			{
				sum += e.m[i / 3][j] * value[j] * e.m[i % 3][j];
			}
			ASSERT_NEAR( inertia.m[i / 3][i % 3], sum, 1e-12 * v );
		}
		ASSERT_NEAR( found.x + found.y + found.z, a.x + a.y + a.z, 1e-11 );
		ASSERT_NEAR( found.x * found.x + found.y * found.y + found.z * found.z, xx + yy + zz, 1e-10 );
	}
}

// A box becomes the ellipsoid of the same proportions; axes stay with the body's where they can.
static void test_ellipsoid_of_a_box( void **state )
{
	(void)state;
	ds_mat3 inertia = { { { 6.0 * ( 4 + 9 ) / 12, 0, 0 }, { 0, 6.0 * ( 1 + 9 ) / 12, 0 },
		{ 0, 0, 6.0 * ( 1 + 4 ) / 12 } } };
	ds_vec3 a;
	ds_quat q;
	assert_int_equal( ds_ellipsoid_of_inertia( 6, &inertia, &a, &q ), DS_OK );
	ASSERT_NEAR( a.y / a.x, 2, 1e-14 );
	ASSERT_NEAR( a.z / a.x, 3, 1e-14 );
	ASSERT_NEAR( volume_of( a ), 6, 1e-13 );
	ASSERT_NEAR( q.w, 1, 0 );

	inertia.m[2][2] = 20;
	assert_int_equal( ds_ellipsoid_of_inertia( 6, &inertia, &a, &q ), DS_ERROR_RANGE );
	inertia.m[2][2] = NAN;
	assert_int_equal( ds_ellipsoid_of_inertia( 6, &inertia, &a, &q ), DS_ERROR_NOT_FINITE );
	double m[6];
	assert_int_equal( ds_added_mass_ellipsoid( ds_v3( 1, 0, 1 ), 1, m ), DS_ERROR_RANGE );
	assert_int_equal( ds_added_mass_ellipsoid( ds_v3( 1, NAN, 1 ), 1, m ), DS_ERROR_NOT_FINITE );
}

// ---- 6x6 ---------------------------------------------------------------------------------------------------------

static ds_mat6 random_spd( uint64_t *seed )
{
	double a[6][6];
	for ( int i = 0; i < 36; ++i )
	{
		a[i / 6][i % 6] = noise( seed );
	}
	ds_mat6 m;
	for ( int i = 0; i < 36; ++i )
	{
		m.m[i / 6][i % 6] = 0;
		for ( int k = 0; k < 6; ++k )
		{
			m.m[i / 6][i % 6] += a[i / 6][k] * a[i % 6][k];
		}
	}
	return m;
}

static double energy( const ds_mat6 *m, ds_vec3 v, ds_vec3 w )
{
	const double nu[6] = { v.x, v.y, v.z, w.x, w.y, w.z };
	double sum = 0;
	for ( int i = 0; i < 36; ++i )
	{
		sum += 0.5 * nu[i / 6] * m->m[i / 6][i % 6] * nu[i % 6];
	}
	return sum;
}

// Energy does not care about which point or axes a matrix is written in.
static void test_shift_and_rotation_keep_energy( void **state )
{
	(void)state;
	uint64_t seed = 10;
	for ( int k = 0; k < 100; ++k )
	{
		ds_mat6 m = random_spd( &seed );
		ds_vec3 v = noise3( &seed ), w = noise3( &seed ), p = noise3( &seed );
		ds_mat6 shifted = ds_mat6_shift( &m, p );
		ASSERT_NEAR( energy( &shifted, v, w ), energy( &m, ds_add( v, ds_cross( w, p ) ), w ), 1e-13 * 100 );
		ds_quat q = noise_attitude( &seed );
		ds_mat6 turned = ds_mat6_rotate( &m, q );
		ASSERT_NEAR( energy( &turned, ds_rotate( q, v ), ds_rotate( q, w ) ), energy( &m, v, w ), 1e-13 * 100 );
		assert_int_equal( ds_mat6_check_spd( &shifted, true, "shifted" ), DS_OK );
		assert_int_equal( ds_mat6_check_spd( &turned, true, "turned" ), DS_OK );
	}
}

// Rigid body of point masses: energy is the sum of theirs.
static void test_rigid( void **state )
{
	(void)state;
	uint64_t seed = 11;
	ds_vec3 p[5];
	double mass[5], total = 0;
	ds_vec3 cg = { 0, 0, 0 };
	for ( int i = 0; i < 5; ++i )
	{
		p[i] = noise3( &seed );
		mass[i] = 2 + noise( &seed );
		total += mass[i];
		cg = ds_mad( cg, mass[i], p[i] );
	}
	cg = ds_scale( 1 / total, cg );
	ds_mat3 inertia = { { { 0 } } };
	for ( int i = 0; i < 5; ++i )
	{
		ds_vec3 d = ds_sub( p[i], cg );
		const double r[3] = { d.x, d.y, d.z };
		for ( int k = 0; k < 9; ++k )
		{
			inertia.m[k / 3][k % 3] += mass[i] * ( ( k / 3 == k % 3 ? ds_dot( d, d ) : 0 ) - r[k / 3] * r[k % 3] );
		}
	}
	ds_mat6 m = ds_mat6_rigid( total, cg, &inertia );
	for ( int k = 0; k < 20; ++k )
	{
		ds_vec3 v = noise3( &seed ), w = noise3( &seed );
		double sum = 0;
		for ( int i = 0; i < 5; ++i )
		{
			ds_vec3 u = ds_add( v, ds_cross( w, p[i] ) );
			sum += 0.5 * mass[i] * ds_dot( u, u );
		}
		ASSERT_NEAR( energy( &m, v, w ), sum, 1e-12 );
	}

	// Fossen's form: the coupling blocks are -m S(cg) and m S(cg)
	ASSERT_NEAR( m.m[0][4], total * cg.z, 1e-14 );
	ASSERT_NEAR( m.m[3][1], -total * cg.z, 1e-14 );
	ASSERT_NEAR( m.m[5][0], -total * cg.y, 1e-14 );
}

static void test_coriolis_does_no_work( void **state )
{
	(void)state;
	uint64_t seed = 12;
	for ( int k = 0; k < 200; ++k )
	{
		ds_mat6 m = random_spd( &seed );
		double nu[6], out[6], power = 0;
		for ( int i = 0; i < 6; ++i )
		{
			nu[i] = noise( &seed );
		}
		ds_coriolis( &m, nu, out );
		for ( int i = 0; i < 6; ++i )
		{
			power += nu[i] * out[i];
		}
		ASSERT_NEAR( power, 0, 1e-14 * 50 );
	}
}

// Munk's moment: on the right-hand side, -( A22 - A11 ) u v about z, which turns a long hull across the flow. And a
// rigid body about its centre of gravity: m w x v, w x I w.
static void test_coriolis_values( void **state )
{
	(void)state;
	ds_mat6 a;
	memset( &a, 0, sizeof( a ) );
	a.m[0][0] = 1;
	a.m[1][1] = 10;
	const double nu[6] = { 2, 0.5, 0, 0, 0, 0 };
	double out[6];
	ds_coriolis( &a, nu, out );
	ASSERT_NEAR( -out[5], -( 10 - 1 ) * 2 * 0.5, 1e-15 );

	ds_mat3 inertia = { { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 } } };
	ds_mat6 m = ds_mat6_rigid( 4, ds_v3( 0, 0, 0 ), &inertia );
	const double moving[6] = { 1, 2, 3, 0.5, -0.25, 0.75 };
	ds_coriolis( &m, moving, out );
	ds_vec3 v = ds_v3( 1, 2, 3 ), w = ds_v3( 0.5, -0.25, 0.75 );
	ASSERT_NEAR3( ds_v3( out[0], out[1], out[2] ), ds_scale( 4, ds_cross( w, v ) ), 1e-14 );
	ASSERT_NEAR3( ds_v3( out[3], out[4], out[5] ), ds_cross( w, ds_v3( 0.5, -0.5, 2.25 ) ), 1e-14 );
}

static void test_check( void **state )
{
	(void)state;
	ds_mat6 m;
	memset( &m, 0, sizeof( m ) );
	assert_int_equal( ds_mat6_check_spd( &m, false, "added mass" ), DS_OK );
	assert_int_equal( ds_mat6_check_spd( &m, true, "mass" ), DS_ERROR_RANGE );
	for ( int i = 0; i < 6; ++i )
	{
		m.m[i][i] = i < 3 ? 1e5 : 1e-3;
	}
	assert_int_equal( ds_mat6_check_spd( &m, true, "mass" ), DS_OK );
	ds_mat6 bad = m;
	bad.m[1][4] = 1;
	assert_int_equal( ds_mat6_check_spd( &bad, false, "added mass" ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "[1][4]" ) );
	bad.m[4][1] = 1;
	assert_int_equal( ds_mat6_check_spd( &bad, false, "added mass" ), DS_OK );
	bad.m[1][4] = bad.m[4][1] = 11;
	assert_int_equal( ds_mat6_check_spd( &bad, false, "added mass" ), DS_ERROR_RANGE );
	bad = m;
	bad.m[2][2] = -1;
	assert_int_equal( ds_mat6_check_spd( &bad, false, "added mass" ), DS_ERROR_RANGE );
	bad.m[2][2] = NAN;
	assert_int_equal( ds_mat6_check_spd( &bad, false, "added mass" ), DS_ERROR_NOT_FINITE );

	// every pair passes, the three together do not
	bad = m;
	bad.m[0][1] = bad.m[1][0] = bad.m[0][2] = bad.m[2][0] = bad.m[1][2] = bad.m[2][1] = -0.9e5;
	assert_int_equal( ds_mat6_check_spd( &bad, false, "added mass" ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "eigenvalue is -0.8" ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_sphere ),
		cmocka_unit_test( test_prolate_spheroids ),
		cmocka_unit_test( test_triaxial_ellipsoids ),
		cmocka_unit_test( test_limits ),
		cmocka_unit_test( test_near_equal_axes ),
		cmocka_unit_test( test_ellipsoid_of_inertia ),
		cmocka_unit_test( test_ellipsoid_of_a_box ),
		cmocka_unit_test( test_shift_and_rotation_keep_energy ),
		cmocka_unit_test( test_rigid ),
		cmocka_unit_test( test_coriolis_does_no_work ),
		cmocka_unit_test( test_coriolis_values ),
		cmocka_unit_test( test_check ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
