// Units of inertial datasheets: every kind of quantity in every spelling, against numbers worked out by hand from the definitions
// of the units (a degree is pi/180, an hour 3600 s, g 9.80665 m/s2, a foot 0.3048 m); there and back; and bad text.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/imu.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
static const struct
{
	const char *text;
	double value;
	const char *unit, *term;
} rows[] = {
	{ "0.66 deg/sqrt(h)", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66deg/rt-h", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 deg/√hr", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 °/√h", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 deg/rthr", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 deg per root hour", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 deg/h^0.5", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 deg h^-1/2", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 degrees / sqrt ( hours )", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 DEG/SQRT(HR)", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.66 deg/sqrt(hour) (1σ)", 0.0001919862177194, "rad/s/sqrt(Hz)", "N" }, // 0.66 pi/180/60
	{ "0.0135 deg/s/√Hz", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "0.0135 dps/rtHz", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "0.0135 °/sec/√Hz rms", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "13.5 mdps/√Hz", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "1.35e-2 (deg/s)/sqrt(Hz)", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "0.0135 deg/√s", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "0.0135 deg/(s √Hz)", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "1.35 x 10^-2 °/s/√Hz", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "1.35×10⁻² °/s/√Hz", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "0.0135 º/s/rt(Hz)", 0.0002356194490192, "rad/s/sqrt(Hz)", "N" }, // 0.0135 pi/180
	{ "3e-4 rad/s/√Hz", 0.0003, "rad/s/sqrt(Hz)", "N" }, // 3e-4
	{ "3e-4 rad/√s", 0.0003, "rad/s/sqrt(Hz)", "N" }, // 3e-4
	{ "300 µrad/s/√Hz", 0.0003, "rad/s/sqrt(Hz)", "N" }, // 300e-6
	{ "9 deg/h/√Hz", 4.363323129986e-05, "rad/s/sqrt(Hz)", "N" }, // 9 pi/180/3600
	{ "9 dph/sqrt(hz)", 4.363323129986e-05, "rad/s/sqrt(Hz)", "N" }, // 9 pi/180/3600
	{ "1e-4 (deg/s)²/Hz", 0.0001745329251994, "rad/s/sqrt(Hz)", "N" }, // 0.01 pi/180: the root of a density of power
	{ "0.11 m/s/√h", 0.001833333333333, "m/s2/sqrt(Hz)", "N" }, // 0.11/60
	{ "0.11 m/s/sqrt(hr)", 0.001833333333333, "m/s2/sqrt(Hz)", "N" }, // 0.11/60
	{ "0.11 m s^-1 h^-1/2", 0.001833333333333, "m/s2/sqrt(Hz)", "N" }, // 0.11/60
	{ "0.11 (m/s)/rt hr", 0.001833333333333, "m/s2/sqrt(Hz)", "N" }, // 0.11/60
	{ "0.02 m/s/√s", 0.02, "m/s2/sqrt(Hz)", "N" }, // 0.02
	{ "0.23 mg/√Hz", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "230 ug/√Hz", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "230 µg/rtHz", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "230 μg/sqrt(Hz)", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "230 micro-g/root-Hz", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "0.23 mg / √ Hz", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "0.23 milli-g/√Hz", 0.0022555295, "m/s2/sqrt(Hz)", "N" }, // 0.23e-3 x 9.80665
	{ "2.2e-3 m/s²/√Hz", 0.0022, "m/s2/sqrt(Hz)", "N" }, // 2.2e-3
	{ "2.2e-3 m/s^2/√Hz", 0.0022, "m/s2/sqrt(Hz)", "N" }, // 2.2e-3
	{ "2.2e-3 m/s2/sqrt(Hz)", 0.0022, "m/s2/sqrt(Hz)", "N" }, // 2.2e-3
	{ "2.2e-3 m/s**2/sqrt(Hz)", 0.0022, "m/s2/sqrt(Hz)", "N" }, // 2.2e-3
	{ "0.2 ft/s/√h", 0.001016, "m/s2/sqrt(Hz)", "N" }, // 0.2 x 0.3048/60
	{ "4e-8 g²/Hz", 0.00196133, "m/s2/sqrt(Hz)", "N" }, // 2e-4 x 9.80665
	{ "8 deg/h", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "8 °/hr", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "8 dph", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "8 deg/hour (typ)", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "<= 8 deg/h", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "≤8 °/h", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "~8 degrees/hour", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "8 °/h, 1σ", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "480 arcmin/h", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "28800 arcsec/hr", 3.878509448876e-05, "rad/s", "B" }, // 8 pi/180/3600
	{ "0.002 deg/s", 3.490658503989e-05, "rad/s", "B" }, // 0.002 pi/180
	{ "2 mdps", 3.490658503989e-05, "rad/s", "B" }, // 0.002 pi/180
	{ "3e-5 rad/s", 3e-05, "rad/s", "B" }, // 3e-5
	{ "13 µg", 0.00012748645, "m/s2", "B" }, // 13e-6 x 9.80665
	{ "0.05 mg", 0.0004903325, "m/s2", "B" }, // 0.05e-3 x 9.80665
	{ "5e-4 m/s²", 0.0005, "m/s2", "B" }, // 5e-4
	{ "40 mGal", 0.0004, "m/s2", "B" }, // 40e-5
	{ "2 deg/h/√h", 1.616045603698e-07, "rad/s2/sqrt(Hz)", "K" }, // 2 pi/180/3600/60
	{ "2 (°/h)/√h", 1.616045603698e-07, "rad/s2/sqrt(Hz)", "K" }, // 2 pi/180/3600/60
	{ "2 deg/h^1.5", 1.616045603698e-07, "rad/s2/sqrt(Hz)", "K" }, // 2 pi/180/3600/60
	{ "2 deg/h^(3/2)", 1.616045603698e-07, "rad/s2/sqrt(Hz)", "K" }, // 2 pi/180/3600/60
	{ "2 deg/hr/rt-hr", 1.616045603698e-07, "rad/s2/sqrt(Hz)", "K" }, // 2 pi/180/3600/60
	{ "0.001 deg/s/√s", 1.745329251994e-05, "rad/s2/sqrt(Hz)", "K" }, // 0.001 pi/180
	{ "3.9e-5 rad/s²/√Hz", 3.9e-05, "rad/s2/sqrt(Hz)", "K" }, // 3.9e-5
	{ "3.9e-5 rad/s/√s", 3.9e-05, "rad/s2/sqrt(Hz)", "K" }, // 3.9e-5
	{ "2e-4 m/s²/√s", 0.0002, "m/s3/sqrt(Hz)", "K" }, // 2e-4
	{ "0.03 m/s²/√h", 0.0005, "m/s3/sqrt(Hz)", "K" }, // 0.03/60
	{ "6 µg/√h", 9.80665e-07, "m/s3/sqrt(Hz)", "K" }, // 6e-6 x 9.80665/60
	{ "6e-3 m/s³/√Hz", 0.006, "m/s3/sqrt(Hz)", "K" }, // 6e-3
	{ "0.3 arcsec", 1.454441043329e-06, "rad", "resolution" }, // 0.3 pi/180/3600
	{ "2 µrad", 2e-06, "rad", "resolution" }, // 2e-6
	{ "2 urad/LSB", 2e-06, "rad", "resolution" }, // 2e-6
	{ "0.001 m/s", 0.001, "m/s", "resolution" }, // 0.001
	{ "0.05 deg/s/LSB", 0.0008726646259972, "rad/s", "resolution" }, // 0.05 pi/180
	{ "16.4 LSB/(deg/s)", 0.001064225153655, "rad/s", "resolution" }, // pi/180/16.4
	{ "16.4 LSB/dps", 0.001064225153655, "rad/s", "resolution" }, // pi/180/16.4
	{ "3.33 mg/LSB", 0.0326561445, "m/s2", "resolution" }, // 3.33e-3 x 9.80665
	{ "16384 LSB/g", 0.0005985504150391, "m/s2", "resolution" }, // 9.80665/16384
	{ "500 ppm", 0.0005, "1", "scale" }, // 500e-6
	{ "±0.3 %", 0.003, "1", "scale" }, // 0.3/100
	{ "0.3%", 0.003, "1", "scale" }, // 0.3/100
	{ "-200 ppm", -0.0002, "1", "scale" }, // -200e-6
	{ "±0.05°", 0.0008726646259972, "rad", "misalignment" }, // 0.05 pi/180
	{ "1 mrad", 0.001, "rad", "misalignment" }, // 1e-3
	{ "-0.1 deg", -0.001745329251994, "rad", "misalignment" }, // -0.1 pi/180
	{ "1 deg/h/g", 4.943723709009e-07, "rad/s/(m/s2)", "g_sensitivity" }, // pi/180/3600/9.80665
	{ "1 °/hr/g", 4.943723709009e-07, "rad/s/(m/s2)", "g_sensitivity" }, // pi/180/3600/9.80665
	{ "1 (deg/h)/g", 4.943723709009e-07, "rad/s/(m/s2)", "g_sensitivity" }, // pi/180/3600/9.80665
	{ "0.009 °/s/g", 1.601766481719e-05, "rad/s/(m/s2)", "g_sensitivity" }, // 0.009 pi/180/9.80665
	{ "0.015 rad/s/(m/s²)", 0.015, "rad/s/(m/s2)", "g_sensitivity" }, // 0.015
	{ "5 deg/h/K", 2.424068405548e-05, "rad/s/K", "temperature_coefficient" }, // 5 pi/180/3600
	{ "5 deg/h/°C", 2.424068405548e-05, "rad/s/K", "temperature_coefficient" }, // 5 pi/180/3600
	{ "5 °/h/C", 2.424068405548e-05, "rad/s/K", "temperature_coefficient" }, // 5 pi/180/3600
	{ "5 deg/hr/degC", 2.424068405548e-05, "rad/s/K", "temperature_coefficient" }, // 5 pi/180/3600
	{ "5 deg/h/℃", 2.424068405548e-05, "rad/s/K", "temperature_coefficient" }, // 5 pi/180/3600
	{ "0.03 deg/s/°C", 0.0005235987755983, "rad/s/K", "temperature_coefficient" }, // 0.03 pi/180
	{ "-0.15 mg/K", -0.0014709975, "m/s2/K", "temperature_coefficient" }, // -0.15e-3 x 9.80665
	{ "0.9 deg/h/degF", 7.853981633974e-06, "rad/s/K", "temperature_coefficient" }, // 0.9 x 1.8 pi/180/3600
	{ "±2000 °/s", 34.90658503989, "rad/s", "range" }, // 2000 pi/180
	{ "450 deg/s", 7.853981633974, "rad/s", "range" }, // 450 pi/180
	{ "+/-8 g", 78.4532, "m/s2", "range" }, // 8 x 9.80665
	{ "16 G", 156.9064, "m/s2", "range" }, // 16 x 9.80665
	{ "±0.75 mg", 0.0073549875, "m/s2", "turn_on" }, // 0.75e-3 x 9.80665
	{ "+-250 deg/h", 0.001212034202774, "rad/s", "turn_on" }, // 250 pi/180/3600
	{ "-3 deg/h", -1.454441043329e-05, "rad/s", "bias" }, // -3 pi/180/3600
	{ "330 Hz", 330, "Hz", "bandwidth" }, // 330
	{ "0.33 kHz", 330, "Hz", "bandwidth" }, // 330
	{ "300 s", 300, "s", "markov_tau" }, // 300
	{ "1 h", 3600, "s", "markov_tau" }, // 3600
	{ "5 min", 300, "s", "markov_tau" }, // 300
};
// clang-format on

#define COUNT( array ) ( sizeof( array ) / sizeof( ( array )[0] ) )

static void expect_close( double got, double want, double tolerance )
{
	if ( !( fabs( got - want ) <= tolerance ) )
	{
		print_error( "got %.17g, want %.17g within %g\n", got, want, tolerance );
		fail();
	}
}

static void expect_near( const char *text, double got, double want, double tolerance )
{
	if ( !( fabs( got - want ) <= tolerance * fabs( want ) ) )
	{
		print_error( "%s: got %.15g, want %.15g\n", text, got, want );
		fail();
	}
}

static void test_rows( void **state )
{
	(void)state;
	for ( size_t i = 0; i < COUNT( rows ); ++i )
	{
		ds_imu_quantity q;
		ds_status status = ds_imu_parse( rows[i].text, &q );
		if ( status != DS_OK )
		{
			print_error( "%s\n", ds_last_error() );
			fail();
		}
		expect_near( rows[i].text, q.value, rows[i].value, 1e-12 );
		assert_string_equal( q.unit, rows[i].unit );
		if ( strcmp( q.term, rows[i].term ) != 0 )
		{
			print_error( "%s: got %s, want %s\n", rows[i].text, q.term, rows[i].term );
			fail();
		}
		// angles are a gyroscope's, lengths an accelerometer's, plain numbers both's
		bool angle = strstr( rows[i].unit, "rad" ) != NULL, length = rows[i].unit[0] == 'm';
		bool mount = strcmp( rows[i].term, "misalignment" ) == 0;
		assert_int_equal( q.gyro, !length );
		assert_int_equal( q.accel, !angle || mount );
	}
}

// The figures of the issue, to the digits it prints.
static void test_published( void **state )
{
	(void)state;
	ds_imu_quantity q;
	assert_int_equal( ds_imu_parse( "0.66 deg/√h", &q ), DS_OK );
	expect_close( q.value, 1.91986e-4, 5e-10 );
	assert_int_equal( ds_imu_parse( "0.11 m/s/√h", &q ), DS_OK );
	expect_close( q.value, 1.83333e-3, 5e-9 );
	assert_int_equal( ds_imu_parse( "0.23 mg/√Hz", &q ), DS_OK );
	expect_close( q.value, 2.25553e-3, 5e-9 );
}

static const char *const families[][12] = {
	{ "rad/s/sqrt(Hz)", "rad/sqrt(s)", "deg/sqrt(h)", "deg/√s", "deg/s/√Hz", "mdps/√Hz", "deg/h/√Hz", "(deg/s)²/Hz",
		"arcsec/√s", "urad/√s" },
	{ "m/s2/sqrt(Hz)", "m/s/√h", "m/s/√s", "ug/√Hz", "mg/√Hz", "ft/s/√h", "g²/Hz" },
	{ "rad/s", "deg/h", "deg/s", "mdps", "dph", "rpm", "deg/s/LSB", "LSB/(deg/s)", "LSB/dps" },
	{ "m/s2", "ug", "mg", "g", "ft/s²", "mGal", "mg/LSB", "LSB/g" },
	{ "rad/s2/sqrt(Hz)", "deg/h/√h", "deg/s/√s", "rad/s/√s", "deg/h^1.5" },
	{ "m/s3/sqrt(Hz)", "m/s²/√s", "m/s²/√h", "ug/√h", "mg/√h" },
	{ "rad", "deg", "arcsec", "arcmin", "mrad", "urad", "rev" },
	{ "m/s", "ft/s", "mm/s", "um/s" },
	{ "1", "ppm", "%", "ppb" },
	{ "rad/s/(m/s2)", "deg/h/g", "deg/s/g" },
	{ "rad/s/K", "deg/h/K", "deg/s/°C", "deg/h/degF" },
	{ "m/s2/K", "mg/K", "ug/°C" },
	{ "Hz", "kHz", "mHz", "MHz", "1/s" },
	{ "s", "h", "min", "ms", "day" },
};

// From each unit into each other of its kind and back, and never into one of another kind.
static void test_there_and_back( void **state )
{
	(void)state;
	double there, back;
	for ( size_t f = 0; f < COUNT( families ); ++f )
	{
		for ( int i = 0; i < 12 && families[f][i]; ++i )
		{
			for ( int k = 0; k < 12 && families[f][k]; ++k )
			{
				const char *from = families[f][i], *to = families[f][k];
				ds_status status = ds_imu_convert( 0.37, from, to, &there );
				assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
				assert_int_equal( ds_imu_convert( there, to, from, &back ), DS_OK );
				expect_near( from, back, 0.37, 1e-12 );
			}
			const char *other = families[( f + 1 ) % COUNT( families )][0];
			assert_int_equal( ds_imu_convert( 1, families[f][i], other, &there ), DS_ERROR_FORMAT );
		}
	}
	// what is parsed is what converting gives
	for ( size_t i = 0; i < COUNT( rows ); ++i )
	{
		ds_imu_quantity q;
		char text[96];
		assert_int_equal( ds_imu_parse( rows[i].text, &q ), DS_OK );
		snprintf( text, sizeof( text ), "%.17g %s", q.value, q.unit );
		ds_imu_quantity again;
		assert_int_equal( ds_imu_parse( text, &again ), DS_OK );
		expect_near( text, again.value, q.value, 1e-15 );
		assert_string_equal( again.unit, q.unit );
	}
	assert_int_equal( ds_imu_convert( 1.9198621771937624e-4, "rad/s/sqrt(Hz)", "deg/√h", &there ), DS_OK );
	expect_close( there, 0.66, 1e-14 );
	assert_int_equal( ds_imu_convert( 0, "m/s2", "LSB/g", &there ), DS_ERROR_FORMAT );
	assert_int_equal( ds_imu_convert( NAN, "m/s2", "mg", &there ), DS_ERROR_FORMAT );
	assert_string_equal( ds_last_error(), "nan m/s2 cannot be written in \"mg\"" );
	assert_int_equal( ds_imu_convert( 1, "rad/s", "mg", &there ), DS_ERROR_FORMAT );
	assert_string_equal( ds_last_error(), "\"mg\" is another kind of unit than \"rad/s\", which is one of rad/s" );
}

static void test_bad_text( void **state )
{
	(void)state;
	static const struct
	{
		const char *text, *message;
	} faults[] = {
		{ "", "\"\": expected a number and a unit, as in \"0.66 deg/sqrt(h)\"" },
		{ "deg/h", "\"deg/h\": expected a number and a unit, as in \"0.66 deg/sqrt(h)\"" },
		{ "0.66", "\"0.66\": a unit is missing, as in \"0.66 deg/sqrt(h)\"" },
		{ "0.66 deg/sqrt(x)", "\"0.66 deg/sqrt(x)\": there is no unit \"x\"" },
		{ "0.66 dge/h", "\"0.66 dge/h\": did you mean \"deg\"? There is no unit \"dge\"" },
		{ "0.66 deg/sqrt(h", "\"0.66 deg/sqrt(h\": a parenthesis is not closed" },
		{ "0.66 deg/", "\"0.66 deg/\": it ends where a unit must follow" },
		{ "0.66 deg//h", "\"0.66 deg//h\": expected a unit at \"/h\"" },
		{ "0.66 deg/h]", "\"0.66 deg/h]\": expected nothing more at \"]\"" },
		{ "0,66 deg/h", "\"0,66 deg/h\": expected one number, with a point and not a comma, and a unit" },
		{ "10-15 ug", "\"10-15 ug\": expected one number, with a point and not a comma, and a unit" },
		{ "10 to 15 ug", "\"10 to 15 ug\": expected one number, with a point and not a comma, and a unit" },
		{ "1 deg/h^0.3", "\"1 deg/h^0.3\": an exponent must be a multiple of a half, up to 6, not \"^0.3\"" },
		{ "1 deg/h^x", "\"1 deg/h^x\": there is no exponent in \"^x\"" },
		{ "1 √√Hz", "\"1 √√Hz\": expected a unit at \"√Hz\"" },
		{ "1 √(√Hz)", "\"1 √(√Hz)\": no unit of an inertial sensor has such powers" },
		{ "1 m", "\"1 m\": no error of an inertial sensor that is modelled here has this unit" },
		{ "5 ppm/K", "\"5 ppm/K\": no error of an inertial sensor that is modelled here has this unit" },
		{ "5 deg/h/g²", "\"5 deg/h/g²\": no error of an inertial sensor that is modelled here has this unit" },
		{ "5 LSB/s", "\"5 LSB/s\": no error of an inertial sensor that is modelled here has this unit" },
		{ "-0.66 deg/√h", "\"-0.66 deg/√h\": expected a finite number that is not negative" },
		{ "1e999 deg/h", "\"1e999 deg/h\": expected a finite number that is not negative" },
		{ "0 LSB/g", "\"0 LSB/g\": expected a finite number that is not negative" },
		{ "0.5 %FS", "\"0.5 %FS\": there is no unit \"%FS\"" },
		{ "9 mg p-p", "\"9 mg p-p\": there is no unit \"p\"" },
		{ "nan deg/h", "\"nan deg/h\": expected a number and a unit, as in \"0.66 deg/sqrt(h)\"" },
		{ "0x10 deg/h", "\"0x10 deg/h\": there is no unit \"x\"" },
		{ "1.2.3 deg/h", "\"1.2.3 deg/h\": expected a number and a unit, as in \"0.66 deg/sqrt(h)\"" },
		{ "1 x 10^0.5 deg/h", "\"1 x 10^0.5 deg/h\": expected a number and a unit, as in \"0.66 deg/sqrt(h)\"" },
		{ "1 deg/\xff", "byte 7 of a quantity is no sign that a unit has" },
		{ "1 deg\xc2", "byte 6 of a quantity is no sign that a unit has" },
		{ "1 \xe2\x9c\x93", "byte 3 of a quantity is no sign that a unit has" },
		{ "1 deg\n/h", "byte 6 of a quantity is no sign that a unit has" },
	};
	for ( size_t i = 0; i < COUNT( faults ); ++i )
	{
		ds_imu_quantity q = { 7, "x", "y", true, true };
		if ( ds_imu_parse( faults[i].text, &q ) != DS_ERROR_FORMAT )
		{
			print_error( "%s: not refused\n", faults[i].text );
			fail();
		}
		assert_string_equal( ds_last_error(), faults[i].message );
		assert_true( q.value == 0 && q.unit == NULL && q.term == NULL );
	}
	char text[600];
	memset( text, '(', sizeof( text ) );
	memcpy( text, "1 ", 2 );
	ds_imu_quantity q;
	text[60] = 0;
	assert_int_equal( ds_imu_parse( text, &q ), DS_ERROR_FORMAT );
	assert_non_null( strstr( ds_last_error(), "too many parentheses" ) );
	text[60] = '(';
	text[599] = 0;
	assert_int_equal( ds_imu_parse( text, &q ), DS_ERROR_FORMAT );
	assert_string_equal( ds_last_error(), "a quantity must be shorter than 256 characters" );
	double number;
	assert_int_equal( ds_imu_parse( NULL, &q ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_imu_parse( "1 g", NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_imu_convert( 1, NULL, "g", &number ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_imu_convert( 1, "g", NULL, &number ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_imu_convert( 1, "g", "g", NULL ), DS_ERROR_ARGUMENT );
}

// Spoiled text is refused or gives a finite number; it never does anything else.
static void test_spoiled( void **state )
{
	(void)state;
	static const char pieces[][8] = { "deg", "/", "√", "h", "(", ")", "^", "2", "-", ".", "Hz", "m", "g", " ", "*", "e",
		"rt", "µ", "1", "%", "LSB", "²", "±", "per", "\xc2", "0", "<" };
	uint64_t random = 88172645463325252u;
	int accepted = 0;
	for ( int i = 0; i < 200000; ++i )
	{
		char text[160];
		size_t n = (size_t)snprintf( text, 64, "%s", rows[(size_t)i % COUNT( rows )].text );
		int edits = 1 + i % 5;
		for ( int k = 0; k < edits; ++k )
		{
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			const char *piece = pieces[random % COUNT( pieces )];
			size_t at = ( random >> 20 ) % ( n + 1 ), cut = ( random >> 40 ) % 3;
			cut = cut > n - at ? n - at : cut;
			size_t length = strlen( piece );
			memmove( text + at + length, text + at + cut, n - at - cut + 1 );
			memcpy( text + at, piece, length );
			n += length - cut;
		}
		ds_imu_quantity q;
		if ( ds_imu_parse( text, &q ) == DS_OK )
		{
			++accepted;
			assert_true( isfinite( q.value ) && q.unit && q.term && ( q.gyro || q.accel ) );
		}
		else
		{
			assert_true( ds_last_error()[0] != 0 && q.unit == NULL );
		}
	}
	assert_true( accepted > 1000 );
}

// Numbers have a point, whatever the program's language is.
static void test_locale( void **state )
{
	(void)state;
	ds_imu_quantity q;
	const char *used = setlocale( LC_NUMERIC, "de_DE.UTF-8" );
	if ( used )
	{
		assert_int_equal( ds_imu_parse( "0.5 deg/s", &q ), DS_OK );
		expect_near( "0.5 deg/s", q.value, 0.5 * 3.14159265358979323846 / 180, 1e-15 );
	}
	setlocale( LC_NUMERIC, "C" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rows ),
		cmocka_unit_test( test_published ),
		cmocka_unit_test( test_there_and_back ),
		cmocka_unit_test( test_bad_text ),
		cmocka_unit_test( test_spoiled ),
		cmocka_unit_test( test_locale ),
	};
	return cmocka_run_group_tests_name( "imu_units", tests, NULL, NULL );
}
