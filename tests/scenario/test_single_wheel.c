// A single wheel on dry sand against 189 measured tests: slip from locked to spinning, slip angles from 0 to 90 degrees.
//
// The fixture names its source. The soil is that of the authors, from plate tests and the angle of repose: n = 1.46, k = 8e6 N/m^(n+2),
// c = 1 kPa, phi = 29 degrees, K = 21 mm, 1.33 g/cm3. Two numbers of the model were fitted to these tests: slip_sinkage, here, and where
// slip sinkage ends (terrain/contact_element.h). The fit was made on every other test; the rest is held apart.
// Writes DEEPSIM_TEST_TMP/single_wheel.csv and a gnuplot script that draws it.

#include "wheel_rig.h"

#define DEGREE       ( DS_PI / 180 )
#define MOST_TESTS   200
#define SLIP_SINKAGE 0.4

typedef struct wheel_test
{
	double slip_angle, speed, rim; // [rad, m/s, m/s]
	double load; // [N]
	double measured[3], predicted[3]; // pull [N], side force [N], sinkage [m]
} wheel_test;

static int read_tests( wheel_test *tests )
{
	FILE *file = fopen( DEEPSIM_SOURCE_DIR "/tests/fixtures/terramechanics/smooth_wheel.csv", "r" );
	assert_non_null( file );
	char line[256];
	int count = 0;
	while ( fgets( line, sizeof( line ), file ) != NULL )
	{
		double v[7];
		if ( sscanf( line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6 ) == 7 )
		{
			assert_true( count < MOST_TESTS );
			tests[count++] = ( wheel_test ){ v[0] * DEGREE, v[1] * 1e-3, v[2] * 1e-3, v[3], { v[4], v[5], v[6] * 1e-3 },
				{ 0, 0, 0 } };
		}
	}
	fclose( file );
	return count;
}

static ds_soil sand( double slip_sinkage )
{
	ds_soil soil = ds_soil_default();
	soil.n = 1.46;
	soil.kc = 0;
	soil.kphi = 8e6;
	soil.cohesion = 1000;
	soil.friction = soil.repose = 29 * DEGREE;
	soil.shear_displacement = 0.021;
	soil.rebound = 0.05;
	soil.elastic = 0;
	soil.damping = 0;
	soil.suction = 0;
	soil.lateral = 1;
	soil.unit_weight = 1330 * 9.81;
	soil.bulldozing = true;
	soil.slip_sinkage = slip_sinkage;
	return soil;
}

static void predict( wheel_test *test, const ds_soil *soil )
{
	const ds_gear wheel = {
		.kind = DS_GEAR_WHEEL, .radius = 0.058, .width = 0.05, .inertia = 1e-3, .pads = 64, .lanes = 1
	};
	rig r;
	rig_make( &r, &wheel, soil );
	r.load = test->load;
	r.damper = test->load / 0.01;
	// the wheel slides to starboard; at 90 degrees it has no way along its plane at all
	const double along = test->slip_angle < 89 * DEGREE ? cos( test->slip_angle ) : 0;
	r.velocity = ds_v3( test->speed * along, test->speed * sin( test->slip_angle ), 0 );
	rig_run( &r, test->rim, 0.4, 0.1, 1e-3 );
	test->predicted[0] = r.reading.drawbar_pull;
	test->predicted[1] = -r.reading.side_force;
	test->predicted[2] = r.reading.sinkage;
	rig_free( &r );
}

// RMS error of tests `first`, `first` + `every`, ... as a share of the standard deviation of what was measured in them.
static double error_of( const wheel_test *tests, int count, int first, int every, int what )
{
	double n = 0, sum = 0, square = 0, error = 0;
	for ( int i = first; i < count; i += every )
	{
		const double m = tests[i].measured[what], d = tests[i].predicted[what] - m;
		n += 1;
		sum += m;
		square += m * m;
		error += d * d;
	}
	return sqrt( error / n / ( square / n - sum / n * ( sum / n ) ) );
}

static void write_plot( const wheel_test *tests, int count )
{
	FILE *file = fopen( DEEPSIM_TEST_TMP "/single_wheel.csv", "w" );
	assert_non_null( file );
	for ( int i = 0; i < count; ++i )
	{
		const wheel_test *t = &tests[i];
		const double slip = ( t->rim - t->speed ) / fmax( t->rim, t->speed ), *m = t->measured, *p = t->predicted;
		const bool same = i > 0 && fabs( t->slip_angle - tests[i - 1].slip_angle ) < 1e-9;
		fprintf( file, "%s%.0f,%.4f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", same || i == 0 ? "" : "\n\n",
			t->slip_angle / DEGREE, slip, m[0], p[0], m[1], p[1], 1e3 * m[2], 1e3 * p[2] );
	}
	fclose( file );
	file = fopen( DEEPSIM_TEST_TMP "/single_wheel.gp", "w" );
	assert_non_null( file );
	fprintf( file, "set datafile separator ','\nset terminal pngcairo size 1400,1500 font ',10'\n"
				   "set output 'terrain_wheel.png'\nset multiplot layout 7,3 title 'A smooth wheel on dry sand, "
				   "against slip: 189 tests of Pavlov and Johnson'\nset grid\nset xrange [-1.05:1]\n"
				   "set lmargin 8\nset bmargin 2.5\nset tmargin 2.5\n" );
	const char *const titles[] = { "pull [N]", "side force [N]", "sinkage [mm]" };
	const char *const ranges[] = { "[-45:25]", "[-5:60]", "[0:80]" };
	for ( int a = 0; a < 7; ++a )
	{
		for ( int k = 0; k < 3; ++k )
		{
			fprintf( file, "set yrange %s\nset title '%s, slip angle %d degrees'\n", ranges[k], titles[k], 15 * a );
			fprintf( file, "set key %s\n", a + k == 0 ? "bottom right" : "off" );
			fprintf( file,
				"plot 'single_wheel.csv' index %d using 2:%d with points pt 7 ps 0.7 title 'measured', "
				"'' index %d using 2:%d with linespoints pt 1 lw 1.5 title 'predicted'\n",
				a, 3 + 2 * k, a, 4 + 2 * k );
		}
	}
	fclose( file );
}

static void test_measured( void **state )
{
	(void)state;
	wheel_test tests[MOST_TESTS];
	const int count = read_tests( tests );
	assert_int_equal( count, 189 );
	const ds_soil soil = sand( SLIP_SINKAGE );
	for ( int i = 0; i < count; ++i )
	{
		predict( &tests[i], &soil );
	}
	write_plot( tests, count );
	const char *const names[] = { "pull", "side force", "sinkage" };
	const double targets[] = { 0.5, 0.5, 0.7 };
	for ( int k = 0; k < 3; ++k )
	{
		const double all = error_of( tests, count, 0, 1, k );
		const double fitted = error_of( tests, count, 0, 2, k ), apart = error_of( tests, count, 1, 2, k );
		print_message(
			"%s: RMS error %.3f of the standard deviation; %.3f of the tests that were fitted, %.3f of the others\n",
			names[k], all, fitted, apart );
		assert_true( all < targets[k] );
		assert_true( apart < targets[k] );
	}
}

// What slip sinkage the even tests ask for: the least sum of squares lies inside the range tried, at the value used.
static void test_fit( void **state )
{
	(void)state;
	wheel_test tests[MOST_TESTS];
	const int count = read_tests( tests );
	const double tried[] = { 0.3, SLIP_SINKAGE, 0.5 };
	double errors[3];
	for ( int i = 0; i < 3; ++i )
	{
		const ds_soil soil = sand( tried[i] );
		errors[i] = 0;
		for ( int t = 0; t < count; t += 6 )
		{
			predict( &tests[t], &soil );
		}
		for ( int k = 0; k < 3; ++k )
		{
			errors[i] += pow( error_of( tests, count, 0, 6, k ), 2 );
		}
		print_message( "slip_sinkage %.2f: %.3f\n", tried[i], sqrt( errors[i] / 3 ) );
	}
	assert_true( errors[1] < errors[0] && errors[1] < errors[2] );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_measured ),
		cmocka_unit_test( test_fit ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
