// Refractive indices against published tables, and against formulas of others where there are any.

#include "world_kit.h"

#include "deepsim/math.h"

#define FIXTURES DEEPSIM_SOURCE_DIR "/tests/fixtures/optics/"

// Reads rows of four numbers.
static int read_rows( const char *path, double rows[][4], int most )
{
	FILE *file = fopen( path, "r" );
	assert_non_null( file );
	char line[256];
	int count = 0;
	while ( fgets( line, sizeof( line ), file ) )
	{
		double *r = rows[count];
		if ( line[0] != '#' )
		{
			assert_int_equal( sscanf( line, "%lf,%lf,%lf,%lf", r, r + 1, r + 2, r + 3 ), 4 );
			assert_true( ++count < most );
		}
	}
	fclose( file );
	return count;
}

static void test_quan_and_fry( void **state )
{
	(void)state;
	static double rows[128][4];
	int count = read_rows( FIXTURES "quan_fry_1995.csv", rows, 128 );
	assert_int_equal( count, 80 );
	for ( int i = 0; i < count; ++i )
	{
		NEAR( ds_refractive_index_seawater( rows[i][0], rows[i][1], rows[i][2] ), rows[i][3], 0.6e-7 );
	}
}

// Another fit to other measurements: at 1 atm they agree to 4e-5.
static void test_millard_and_seaver( void **state )
{
	(void)state;
	static double rows[64][4];
	int count = read_rows( FIXTURES "millard_seaver_1990.csv", rows, 64 ), deep = 0;
	assert_int_equal( count, 35 );
	for ( int i = 0; i < count; ++i )
	{
		double t = rows[i][0], s = rows[i][1], p = rows[i][2];
		if ( p == 0 )
		{
			NEAR( ds_refractive_index_seawater( s, t, 589.26 ), rows[i][3], 4e-5 );
		}
		for ( int k = 0; k < count; ++k )
		{
			// what pressure adds, to the digits of the table
			if ( p > 0 && rows[k][0] == t && rows[k][1] == s && rows[k][2] == 0 )
			{
				NEAR( ds_refractive_index_pressure( s, t, 589.26, 1e4 * p ), rows[i][3] - rows[k][3], 1.2e-6 );
				++deep;
			}
		}
	}
	assert_int_equal( deep, 12 );
	NEAR( ds_refractive_index_pressure( 35, 4, 530, 0 ), 0, 0 );
}

// Wavelengths in dry air at 15 degC and 1 atm, by those in vacuum, as the documentation of the Python package ref_index prints them.
static void test_air( void **state )
{
	(void)state;
	const double known[][2] = { { 633, 632.82500476826874 }, { 550, 549.84723175 }, { 400, 399.88692724 } };
	for ( int i = 0; i < 3; ++i )
	{
		NEAR( known[i][0] / ds_refractive_index_air( known[i][0] ), known[i][1], 6e-9 );
	}
}

// Lines d, F, C.
#define LINE_D 587.5618
#define LINE_F 486.1327
#define LINE_C 656.2725

static double index_of( ds_glass glass, double wavelength )
{
	return ds_refractive_index_glass( glass, wavelength );
}

static void test_glass( void **state )
{
	(void)state;
	// Schott's data sheet of N-BK7: n_d, and Abbe's number
	NEAR( index_of( DS_GLASS_BK7, LINE_D ), 1.51680, 5e-6 );
	NEAR( ( index_of( DS_GLASS_BK7, LINE_D ) - 1 ) /
			  ( index_of( DS_GLASS_BK7, LINE_F ) - index_of( DS_GLASS_BK7, LINE_C ) ),
		64.17, 5e-3 );
	// Crystran's handbook of optical materials, 5th edition: fused silica
	const double silica[][2] = { { 400, 1.47012 }, { 450, 1.46557 }, { 500, 1.46233 }, { 600, 1.45804 },
		{ 650, 1.45653 }, { 700, 1.45529 } };
	for ( int i = 0; i < 6; ++i )
	{
		NEAR( index_of( DS_GLASS_SILICA, silica[i][0] ), silica[i][1], 1.5e-5 );
	}
	NEAR( index_of( DS_GLASS_SILICA, LINE_D ), 1.45846, 6e-6 );
	for ( double wavelength = 400; wavelength <= 700; wavelength += 50 )
	{
		// sapphire by the later formula of Malitson and Dodge 1972, for 20 degC
		double l2 = 1e-6 * wavelength * wavelength;
		double square = 1 + 1.4313493 * l2 / ( l2 - 0.0726631 * 0.0726631 ) +
						0.65054713 * l2 / ( l2 - 0.1193242 * 0.1193242 ) +
						5.3414021 * l2 / ( l2 - 18.028251 * 18.028251 );
		NEAR( index_of( DS_GLASS_SAPPHIRE, wavelength ), sqrt( square ), 1.5e-4 );
		// PMMA by Beadie et al., Applied Optics 54 (2015) F139-F143: another make
		square = 2.1778 + 6.1209e-3 * l2 - 1.5004e-3 * l2 * l2 + 2.3678e-2 / l2 - 4.2137e-3 / ( l2 * l2 ) +
				 7.3417e-4 / ( l2 * l2 * l2 ) - 4.5042e-5 / ( l2 * l2 * l2 * l2 );
		NEAR( index_of( DS_GLASS_ACRYLIC, wavelength ), sqrt( square ), 3e-3 );
	}
	assert_true( isnan( index_of( DS_GLASS_GIVEN, LINE_D ) ) );
	assert_true( isnan( index_of( (ds_glass)-1, LINE_D ) ) );
}

// Beyond 200 and 900 nm formulas are not followed.
static void test_ends( void **state )
{
	(void)state;
	NEAR( ds_refractive_index_seawater( 35, 4, 10 ), ds_refractive_index_seawater( 35, 4, 200 ), 0 );
	NEAR( ds_refractive_index_seawater( 35, 4, 1e9 ), ds_refractive_index_seawater( 35, 4, 900 ), 0 );
	NEAR( ds_refractive_index_air( 0 ), ds_refractive_index_air( 200 ), 0 );
	for ( int32_t glass = 0; glass < DS_GLASS_GIVEN; ++glass )
	{
		NEAR( index_of( (ds_glass)glass, 0 ), index_of( (ds_glass)glass, 200 ), 0 );
		assert_true( index_of( (ds_glass)glass, 200 ) > index_of( (ds_glass)glass, 900 ) );
	}
	assert_true( isnan( ds_refractive_index_seawater( NAN, 4, 500 ) ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_quan_and_fry ),
		cmocka_unit_test( test_millard_and_seaver ),
		cmocka_unit_test( test_air ),
		cmocka_unit_test( test_glass ),
		cmocka_unit_test( test_ends ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
