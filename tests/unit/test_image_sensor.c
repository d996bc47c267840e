// The image sensor: photons and noise against their laws, transfers, automatic exposure, parts of frames. Streams are fixed, so bounds of
// some standard errors never fail by chance.

#include "deepsim/image_sensor.h"
#include "optics/image_sensor_kernel.h"
#include "sensor_kit.h"

#include <math.h>

#define PIXELS 100000
#define BOUND  4.5 // standard errors

static float plane[3][PIXELS];
static uint16_t wide[3 * PIXELS], other[3 * PIXELS];
static uint8_t narrow[3 * PIXELS];

// Numbers are electrons: linear, 16 bits, a full well of 65535, a second, no noise yet.
static ds_image_sensor_config electrons( void )
{
	ds_image_sensor_config c = ds_image_sensor_config_default();
	c.exposure = 1;
	c.full_well = 65535;
	c.read_noise = c.dark_current = 0;
	c.shot_noise = false;
	c.bits = 16;
	c.transfer = DS_TRANSFER_LINEAR;
	c.white = DS_WHITE_NONE;
	return c;
}

static void fill( double rate )
{
	for ( int i = 0; i < PIXELS; ++i )
	{
		plane[0][i] = plane[1][i] = plane[2][i] = (float)rate;
	}
}

static void expose( const ds_image_sensor_config *c, uint64_t index, uint8_t *color8, uint16_t *color16 )
{
	ds_random stream = ds_random_stream( 5, "camera", DS_RANDOM_SAMPLE, index );
	ds_image_exposure e = ds_image_sensor_first( c );
	ds_image_sensor_expose( c, &e, &stream, 0, PIXELS, plane[0], plane[1], plane[2], color8, color16 );
}

static void moments( const uint16_t *numbers, double *mean, double *variance )
{
	double sum = 0, squares = 0, n = 3 * PIXELS;
	for ( int i = 0; i < 3 * PIXELS; ++i )
	{
		sum += numbers[i];
	}
	*mean = sum / n;
	for ( int i = 0; i < 3 * PIXELS; ++i )
	{
		squares += ( numbers[i] - *mean ) * ( numbers[i] - *mean );
	}
	*variance = squares / n;
}

static void test_options( void **state )
{
	(void)state;
	const ds_table *table = ds_image_sensor_config_table();
	kit_check_ranges( table, "" );
	ds_image_sensor_config c;
	FAILS(
		ds_table_parse( table, "{ \"bits\": 9 }", &c ), DS_ERROR_RANGE, "bits: expected 8, 10, 12, 14 or 16, got 9" );
	FAILS( ds_table_parse( table, "{ \"auto_limits\": [0.1, 0.01] }", &c ), DS_ERROR_RANGE, "the least time first" );
	FAILS( ds_table_parse( table, "{ \"transfer\": \"log\" }", &c ), DS_ERROR_NOT_FOUND, "srgb" );
}

// ---- noise ---------------------------------------------------------------------------------------------------------

// Poisson: the variance is the mean.
static void test_shot_noise( void **state )
{
	(void)state;
	const double means[] = { 0.5, 1, 3, 8, 9.9, 10.1, 20, 50, 300, 2000, 20000 };
	ds_image_sensor_config c = electrons();
	c.shot_noise = true;
	for ( int i = 0; i < DS_COUNT( means ); ++i )
	{
		double mean, variance, n = 3 * PIXELS;
		fill( means[i] );
		expose( &c, (uint64_t)i, NULL, wide );
		moments( wide, &mean, &variance );
		NEAR( mean, means[i], BOUND * sqrt( means[i] / n ) );
		NEAR( variance / means[i], 1, BOUND * sqrt( ( 2 + 1 / means[i] ) / n ) );
		NEAR( variance / means[i], 1, 0.02 );
	}
}

// The whole law, by chi square of numbers that are expected 20 times or more.
static void test_poisson( void **state )
{
	(void)state;
	const double means[] = { 0.02, 0.7, 4, 9.9, 10.1, 40 };
	ds_image_sensor_config c = electrons();
	c.shot_noise = true;
	for ( int i = 0; i < DS_COUNT( means ); ++i )
	{
		static int64_t counts[200];
		memset( counts, 0, sizeof( counts ) );
		fill( means[i] );
		for ( uint64_t frame = 0; frame < 5; ++frame )
		{
			expose( &c, 100 + frame, NULL, wide );
			for ( int k = 0; k < 3 * PIXELS; ++k )
			{
				assert_true( wide[k] < 200 );
				++counts[wide[k]];
			}
		}
		double chance = exp( -means[i] ), chi = 0, n = 15.0 * PIXELS, freedom = -1;
		for ( int k = 0; k < 200; ++k )
		{
			double expected = n * chance;
			if ( expected >= 20 )
			{
				double off = (double)counts[k] - expected;
				chi += off * off / expected;
				++freedom;
			}
			chance *= means[i] / ( k + 1 );
		}
		assert_true( chi < freedom + BOUND * sqrt( 2 * fmax( freedom, 1 ) ) );
	}
}

// Read noise on a black level, and dark current, whose electrons are counted too; together their variances add.
static void test_read_and_dark( void **state )
{
	(void)state;
	double mean, variance, n = 3 * PIXELS;
	ds_image_sensor_config c = electrons();
	c.read_noise = 7;
	c.black_level = 0.01;
	fill( 0 );
	expose( &c, 1, NULL, wide );
	moments( wide, &mean, &variance );
	NEAR( mean, 655.35, BOUND * 7 / sqrt( n ) );
	NEAR( variance, 49 + 1.0 / 12, BOUND * 49 * sqrt( 2 / n ) );
	c.dark_current = 30;
	expose( &c, 2, NULL, wide );
	moments( wide, &mean, &variance );
	NEAR( mean, 655.35 + 30, BOUND * 7 / sqrt( n ) );
	NEAR( variance, 49 + 1.0 / 12, BOUND * 49 * sqrt( 2 / n ) );
	c.shot_noise = true;
	c.exposure = 2;
	fill( 100 );
	expose( &c, 3, NULL, wide );
	moments( wide, &mean, &variance );
	NEAR( mean, 655.35 + 260, BOUND * sqrt( 309 / n ) );
	NEAR( variance, 260 + 49 + 1.0 / 12, BOUND * 309 * sqrt( 2 / n ) );
	// photons fall on the same pixels whatever the reading adds
	c.read_noise = 0;
	expose( &c, 3, NULL, other );
	double product = 0;
	for ( int i = 0; i < 3 * PIXELS; ++i )
	{
		product += ( wide[i] - 915.35 ) * ( other[i] - 915.35 ) / n;
	}
	NEAR( product, 260, BOUND * 280 / sqrt( n ) );
}

// Of noise, neighbours, channels, frames and the two kinds have nothing in common.
static void test_independent( void **state )
{
	(void)state;
	ds_image_sensor_config c = electrons();
	c.shot_noise = true;
	fill( 1000 );
	expose( &c, 1, NULL, wide );
	expose( &c, 2, NULL, other );
	double next = 0, channel = 0, frame = 0, n = 3 * PIXELS;
	for ( int i = 0; i < 3 * PIXELS - 3; ++i )
	{
		double off = wide[i] - 1000.0;
		next += off * ( wide[i + 3] - 1000.0 );
		channel += off * ( wide[i + 1] - 1000.0 );
		frame += off * ( other[i] - 1000.0 );
	}
	NEAR( next / ( 1000 * n ), 0, BOUND / sqrt( n ) );
	NEAR( channel / ( 1000 * n ), 0, BOUND / sqrt( n ) );
	NEAR( frame / ( 1000 * n ), 0, BOUND / sqrt( n ) );
}

// ---- numbers -------------------------------------------------------------------------------------------------------

static void test_full_well( void **state )
{
	(void)state;
	ds_image_sensor_config c = electrons();
	c.full_well = 10000;
	fill( 2e4 );
	expose( &c, 0, NULL, wide );
	assert_int_equal( wide[0], 65535 );
	// electrons that do not fit are lost, whatever the gain
	c.gain = 0.25;
	expose( &c, 0, NULL, wide );
	assert_int_equal( wide[0], 16384 );
	// full scale is full_well / gain
	c.gain = 4;
	fill( 2499 );
	expose( &c, 0, NULL, wide );
	assert_int_equal( wide[0], 65509 );
	fill( 2501 );
	expose( &c, 0, NULL, wide );
	assert_int_equal( wide[0], 65535 );
	// of each channel by its gain; what was full stays at the top
	c.white = DS_WHITE_GIVEN;
	c.white_gains[0] = 2;
	c.white_gains[1] = 1;
	c.white_gains[2] = 0.5;
	fill( 1000 );
	expose( &c, 0, NULL, wide );
	assert_int_equal( wide[0], 52428 );
	assert_int_equal( wide[1], 26214 );
	assert_int_equal( wide[2], 13107 );
}

static double srgb( double v )
{
	return v <= 0.0031308 ? 12.92 * v : 1.055 * pow( v, 1 / 2.4 ) - 0.055;
}

static void test_transfer( void **state )
{
	(void)state;
	ds_image_sensor_config c = electrons();
	c.full_well = 1e6;
	for ( int i = 0; i < PIXELS; ++i )
	{
		plane[0][i] = plane[1][i] = plane[2][i] = (float)( 1e6 * i / ( PIXELS - 1.0 ) );
	}
	// points of IEC 61966-2-1: 12.92 V at the foot, 0.04045 where the curve begins, middle grey
	c.transfer = DS_TRANSFER_SRGB;
	c.bits = 8;
	expose( &c, 0, narrow, NULL );
	assert_int_equal( narrow[3 * 18000], 118 );
	assert_int_equal( narrow[3 * 50000], 188 );
	assert_int_equal( narrow[3 * 100], 3 );
	assert_int_equal( narrow[3 * 313], 10 );
	assert_int_equal( narrow[0], 0 );
	assert_int_equal( narrow[3 * ( PIXELS - 1 )], 255 );
	for ( int gamma = 0; gamma < 2; ++gamma )
	{
		c.transfer = gamma ? DS_TRANSFER_GAMMA : DS_TRANSFER_SRGB;
		for ( c.bits = 8; c.bits <= 16; c.bits += 2 )
		{
			double top = pow( 2, (double)c.bits ) - 1;
			expose( &c, 0, narrow, wide );
			for ( int i = 0; i < PIXELS; ++i )
			{
				double v = i / ( PIXELS - 1.0 ), expected = top * ( gamma ? pow( v, 1 / 2.2 ) : srgb( v ) );
				assert_true( fabs( wide[3 * i + 1] - expected ) < 0.5 + 1e-5 * top );
				assert_true( c.bits > 8 || narrow[3 * i] == wide[3 * i] );
			}
			assert_int_equal( wide[3 * ( PIXELS - 1 )], (int)top );
		}
	}
	c.transfer = DS_TRANSFER_LINEAR;
	c.bits = 12;
	expose( &c, 0, NULL, wide );
	for ( int i = 0; i < PIXELS; ++i )
	{
		assert_true( fabs( wide[3 * i + 2] - 4095.0 * i / ( PIXELS - 1 ) ) < 0.501 );
	}
}

// ---- parts ---------------------------------------------------------------------------------------------------------

static void uneven( void )
{
	for ( int i = 0; i < PIXELS; ++i )
	{
		for ( int c = 0; c < 3; ++c )
		{
			plane[c][i] = (float)fabs( 40 * sin( 0.001 * i * ( c + 1 ) ) * ( i % 7 ) * ( i % 11 ) );
		}
	}
}

static void test_parts( void **state )
{
	(void)state;
	uneven();
	ds_image_sensor_config c = ds_image_sensor_config_default();
	c.bits = 16;
	c.exposure = 0.3;
	expose( &c, 9, NULL, wide );
	ds_random stream = ds_random_stream( 5, "camera", DS_RANDOM_SAMPLE, 9 );
	ds_image_exposure e = ds_image_sensor_first( &c );
	int64_t sizes[] = { 1, 7, 256, 255, 640, 4096, 13 }, done = PIXELS;
	memset( other, 0, sizeof( other ) );
	for ( int k = 0; done > 0; ++k )
	{
		int64_t count = sizes[k % 7] < done ? sizes[k % 7] : done;
		done -= count;
		ds_image_sensor_expose(
			&c, &e, &stream, done, count, plane[0] + done, plane[1] + done, plane[2] + done, NULL, other + 3 * done );
	}
	assert_memory_equal( wide, other, sizeof( wide ) );
	// each frame has its own noise
	expose( &c, 10, NULL, other );
	assert_memory_not_equal( wide, other, sizeof( wide ) );
}

static void test_kernels( void **state )
{
	(void)state;
	uneven();
	const ds_sensor_kernel *kernels[2];
	int count = ds_sensor_kernels( kernels );
	static double shot[PIXELS], read[PIXELS];
	ds_random stream = ds_random_stream( 5, "camera", DS_RANDOM_SAMPLE, 9 );
	ds_random_normals( &stream, 0, PIXELS, shot );
	ds_random_normals( &stream, PIXELS, PIXELS, read );
	float table[DS_TRANSFER_SIZE + 1];
	for ( int i = 0; i <= DS_TRANSFER_SIZE; ++i )
	{
		table[i] = (float)pow( (double)i / DS_TRANSFER_SIZE, 0.8 );
	}
	ds_sensor_channel c = { 0.3f, 5, 3000, 7, 1 / 3000.0f, 1.3f, 0.01f, 65535, true, table };
	for ( int k = 1; k < count; ++k )
	{
		for ( int at = 0; at < PIXELS - DS_SENSOR_BLOCK; at += DS_SENSOR_BLOCK )
		{
			int some = at % 3 == 0 ? DS_SENSOR_BLOCK : at % DS_SENSOR_BLOCK + 1;
			kernels[0]->expose( &c, some, plane[0] + at, shot + at, read + at, wide + at );
			kernels[k]->expose( &c, some, plane[0] + at, shot + at, read + at, other + at );
			assert_memory_equal( wide + at, other + at, (size_t)some * sizeof( wide[0] ) );
		}
	}
}

static void test_of_no_sense( void **state )
{
	(void)state;
	ds_image_sensor_config c = electrons();
	c.shot_noise = true;
	c.read_noise = 1;
	const float odd[] = { NAN, -5, INFINITY, -INFINITY, 1e38f, 1e-38f };
	for ( int i = 0; i < PIXELS; ++i )
	{
		plane[0][i] = plane[1][i] = plane[2][i] = odd[i % 6];
	}
	expose( &c, 0, NULL, wide );
	for ( int i = 0; i < 3 * PIXELS; ++i )
	{
		int kind = i / 3 % 6;
		assert_true( kind == 2 || kind == 4 ? wide[i] > 65000 : wide[i] < 10 );
	}
}

// ---- light ---------------------------------------------------------------------------------------------------------

// A narrow band at the best wavelength: photons of 535 nm on a pixel behind a lens, by hand.
static void test_factors( void **state )
{
	(void)state;
	ds_image_sensor_config c = ds_image_sensor_config_default();
	c.f_number = 4;
	c.transmittance = 0.8;
	c.pixel_pitch = 5e-6;
	c.quantum_efficiency = 0.5;
	ds_bands bands = { 1, { 535 }, { 0.01 } };
	double factors[3 * DS_MAX_BANDS];
	ds_image_sensor_factors( &c, &bands, factors );
	// 1 W/(m2 sr): pi/4/16 * 0.8 W/m2; 25e-12 m2; photons of 3.71299e-19 J
	NEAR( factors[DS_MAX_BANDS] / ( DS_PI / 64 * 0.8 * 25e-12 * 0.5 / 3.712986e-19 ), 1, 1e-6 );
	NEAR( ds_image_sensor_response( 1, 535 ), 1, 0 );
	NEAR( ds_image_sensor_response( 0, 605 + 30 ), exp( -0.5 ), 1e-15 );
	// a broad band gives the mean of its pieces
	ds_bands broad = { 1, { 550 }, { 100 } }, pieces;
	OK( ds_bands_even( 16, 500, 600, &pieces ) );
	double whole[3 * DS_MAX_BANDS], sum = 0;
	ds_image_sensor_factors( &c, &broad, whole );
	ds_image_sensor_factors( &c, &pieces, factors );
	for ( int b = 0; b < 16; ++b )
	{
		sum += factors[b] / 16;
	}
	NEAR( whole[0] / sum, 1, 1e-4 );
	assert_true( factors[2 * DS_MAX_BANDS + 15] < factors[2 * DS_MAX_BANDS] );
}

// Radiance in each band of light whose spectrum is even, of a white LED (blue die and phosphor), or of a black body.
static void spectrum_of( int light, const ds_bands *bands, double *radiance )
{
	for ( int b = 0; b < bands->count; ++b )
	{
		double sum = 0;
		for ( int i = 0; i < 100; ++i )
		{
			double nm = bands->wavelength[b] + bands->width[b] * ( ( i + 0.5 ) / 100 - 0.5 );
			double die = ( nm - 450 ) / 10, phosphor = ( nm - 560 ) / 55;
			double sun = pow( 500 / nm, 5 ) / ( exp( 1.4388e7 / ( nm * 5800 ) ) - 1 );
			sum += light == 0   ? 1
				   : light == 1 ? exp( -0.5 * die * die ) + 0.6 * exp( -0.5 * phosphor * phosphor )
								: sun;
		}
		radiance[b] = sum / 100 * bands->width[b];
	}
}

static void test_white( void **state )
{
	(void)state;
	ds_image_sensor_config c = ds_image_sensor_config_default();
	ds_bands bands[2] = { ds_bands_rgb() };
	OK( ds_bands_even( 16, 400, 700, bands + 1 ) );
	for ( int light = 0; light < 3; ++light )
	{
		double gains[2][3];
		for ( int k = 0; k < 2; ++k )
		{
			double radiance[DS_MAX_BANDS], factors[3 * DS_MAX_BANDS], grey[3] = { 0, 0, 0 };
			spectrum_of( light, bands + k, radiance );
			ds_image_sensor_white_gains( &c, bands + k, radiance, gains[k] );
			ds_image_sensor_factors( &c, bands + k, factors );
			for ( int i = 0; i < 3 * bands[k].count; ++i )
			{
				int channel = i / bands[k].count, b = i % bands[k].count;
				grey[channel] += gains[k][channel] * factors[channel * DS_MAX_BANDS + b] * radiance[b];
			}
			NEAR( grey[0] / grey[1], 1, 1e-12 );
			NEAR( grey[2] / grey[1], 1, 1e-12 );
			NEAR( fmin( gains[k][0], fmin( gains[k][1], gains[k][2] ) ), 1, 1e-12 );
		}
		// three bands see much the same light as sixteen
		NEAR( gains[0][0] / gains[0][1] / ( gains[1][0] / gains[1][1] ), 1, 0.2 );
		NEAR( gains[0][2] / gains[0][1] / ( gains[1][2] / gains[1][1] ), 1, 0.2 );
		// gains by default are of even light
		NEAR( light > 0 ? c.white_gains[1] : gains[0][1], c.white_gains[1], 0.01 );
		NEAR( light > 0 ? c.white_gains[2] : gains[0][2], c.white_gains[2], 0.01 );
	}
	const double blue[3] = { 1, 0, 0 }, none[3] = { 0, 0, 0 };
	double gains[3];
	ds_image_sensor_white_gains( &c, bands, blue, gains );
	NEAR( gains[0], DS_IMAGE_MAX_GAIN, 0 );
	ds_image_sensor_white_gains( &c, bands, none, gains );
	NEAR( gains[0], 1, 0 );
}

// ---- automatic -----------------------------------------------------------------------------------------------------

// A scene of different brightness in each channel, from too dark, too bright, in one or many steps: the level nears its target from one
// side, and stays.
static void test_auto_exposure( void **state )
{
	(void)state;
	for ( int i = 0; i < PIXELS; ++i )
	{
		plane[0][i] = (float)( i % 100 );
		plane[1][i] = (float)( i % 100 ) * 30;
		plane[2][i] = (float)( i % 100 ) * 20;
	}
	const double speeds[3] = { 0.3, 0.7, 1 }, starts[3] = { 1e-5, 10, 0.01 };
	for ( int k = 0; k < 18; ++k )
	{
		ds_image_sensor_config c = ds_image_sensor_config_default();
		c.auto_exposure = true;
		c.auto_speed = speeds[k % 3];
		c.exposure = starts[k / 3 % 3];
		c.auto_limits[0] = 1e-6;
		c.auto_limits[1] = 20;
		c.dark_current = 0;
		c.white = k >= 9 ? DS_WHITE_GREY_WORLD : DS_WHITE_NONE;
		ds_image_exposure e = ds_image_sensor_first( &c );
		double level = 0, mean[3], before = 0;
		for ( int frame = 0; frame < 60; ++frame )
		{
			ds_image_sensor_mean( &c, &e, PIXELS, plane[0], plane[1], plane[2], mean );
			level = ( fmin( 1, mean[0] * e.white[0] ) + fmin( 1, mean[1] * e.white[1] ) +
						fmin( 1, mean[2] * e.white[2] ) ) /
					3;
			// once it is near, it never goes to the other side
			double off = log2( level / c.auto_target );
			assert_true( frame < 12 || fabs( off ) <= fabs( before ) + 1e-6 );
			assert_true( frame < 12 || off * before >= -1e-6 );
			before = off;
			ds_image_sensor_next( &c, mean, &e );
		}
		NEAR( level, 0.18, 1e-3 );
		if ( c.white == DS_WHITE_GREY_WORLD )
		{
			NEAR( mean[2] * e.white[2] / ( mean[1] * e.white[1] ), 1, 1e-3 );
			NEAR( e.white[0], DS_IMAGE_MAX_GAIN, 1e-3 ); // 30 times would be needed
		}
	}
}

static void test_auto_limits( void **state )
{
	(void)state;
	ds_image_sensor_config c = ds_image_sensor_config_default();
	c.auto_exposure = true;
	const double dark[3] = { 0, 0, 0 }, bright[3] = { 1, 1, 1 };
	ds_image_exposure e = ds_image_sensor_first( &c );
	ds_image_sensor_next( &c, dark, &e );
	NEAR( e.time, 0.02 * exp2( 1.5 ), 1e-12 ); // half of three stops
	for ( int i = 0; i < 50; ++i )
	{
		ds_image_sensor_next( &c, dark, &e );
	}
	NEAR( e.time, c.auto_limits[1], 0 );
	for ( int i = 0; i < 50; ++i )
	{
		ds_image_sensor_next( &c, bright, &e );
	}
	NEAR( e.time, c.auto_limits[0], 0 );
	c.exposure = 5;
	NEAR( ds_image_sensor_first( &c ).time, c.auto_limits[1], 0 );
	c.auto_exposure = false;
	e = ds_image_sensor_first( &c );
	ds_image_sensor_next( &c, bright, &e );
	NEAR( e.time, 5, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_shot_noise ),
		cmocka_unit_test( test_poisson ),
		cmocka_unit_test( test_read_and_dark ),
		cmocka_unit_test( test_independent ),
		cmocka_unit_test( test_full_well ),
		cmocka_unit_test( test_transfer ),
		cmocka_unit_test( test_parts ),
		cmocka_unit_test( test_kernels ),
		cmocka_unit_test( test_of_no_sense ),
		cmocka_unit_test( test_factors ),
		cmocka_unit_test( test_white ),
		cmocka_unit_test( test_auto_exposure ),
		cmocka_unit_test( test_auto_limits ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
