// Ground that is made: sinusoids against their formula, fractals against their spectrum, the Fourier transform against its sum.

#include "terrain/terrain_fractal.h"
#include "tests/unit/terrain_kit.h"

static ds_terrain *make( const ds_terrain_shape *shape )
{
	ds_terrain *t = NULL;
	assert_ok( ds_terrain_make( shape, NULL, &t ) );
	return t;
}

// ---- sinusoids -----------------------------------------------------------------------------------------------------

static void test_sinusoid( void **state )
{
	(void)state;
	ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_SINUSOID );
	s.depth = 2500;
	s.size[0] = 60;
	s.size[1] = 33;
	s.spacing = 0.5;
	s.amplitude = 1.5;
	s.wavelength[0] = 20;
	s.wavelength[1] = 12;
	s.slope = 0.1;
	s.towards = 2;
	ds_terrain *t = make( &s );
	ds_terrain_properties m = ds_terrain_measure( t );
	assert_true( m.south == -30 && m.north == 30 && m.west == -16.5 && m.east == 16.5 );
	assert_true( m.rows == 121 && m.columns == 67 );
	for ( int i = 0; i < 121; ++i )
	{
		for ( int j = 0; j < 67; ++j )
		{
			double north = -30 + 0.5 * i, east = -16.5 + 0.5 * j;
			double z = 2500 + 1.5 * cos( 2 * DS_PI * north / 20 ) * cos( 2 * DS_PI * east / 12 ) +
					   tan( 0.1 ) * ( north * cos( 2 ) + east * sin( 2 ) );
			ds_terrain_point p;
			assert_true( ds_terrain_at( t, north, east, &p ) );
			assert_near( p.z, z, 1e-6 );
		}
	}
	// between samples the error is at most an eighth of the spacing squared times the curvature, and the diagonal's
	ds_random random = numbers( 1 );
	for ( int k = 0; k < 1000; ++k )
	{
		double north = between( &random, -30, 30 ), east = between( &random, -16.5, 16.5 );
		double z = 2500 + 1.5 * cos( 2 * DS_PI * north / 20 ) * cos( 2 * DS_PI * east / 12 ) +
				   tan( 0.1 ) * ( north * cos( 2 ) + east * sin( 2 ) );
		ds_terrain_point p;
		assert_true( ds_terrain_at( t, north, east, &p ) );
		assert_near( p.z, z, 0.5 * 0.5 / 4 * 1.5 * ( pow( 2 * DS_PI / 20, 2 ) + pow( 2 * DS_PI / 12, 2 ) ) );
	}
	ds_terrain_release( t );
}

static void test_ridges( void **state )
{
	(void)state;
	const double none[] = { 0, INFINITY };
	for ( int k = 0; k < 2; ++k )
	{
		ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_SINUSOID );
		s.size[0] = s.size[1] = 40;
		s.wavelength[0] = 10;
		s.wavelength[1] = none[k];
		ds_terrain *t = make( &s );
		for ( int n = -20; n <= 20; ++n )
		{
			ds_terrain_point p, q;
			assert_true( ds_terrain_at( t, n, 3.3, &p ) && ds_terrain_at( t, n, -17.9, &q ) );
			assert_near( p.z, cos( 2 * DS_PI * n / 10 ), 1e-7 );
			assert_near( q.z, p.z, 1e-15 );
		}
		ds_terrain_release( t );
	}
}

// A size that is no whole number of cells is covered.
static void test_size_is_covered( void **state )
{
	(void)state;
	ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_SINUSOID );
	s.size[0] = 10.3;
	s.size[1] = 0.2;
	s.spacing = 0.5;
	ds_terrain *t = make( &s );
	ds_terrain_properties m = ds_terrain_measure( t );
	assert_true( m.rows == 22 && m.columns == 2 );
	assert_near( m.north, 5.25, 1e-12 );
	assert_near( m.south, -5.25, 1e-12 );
	assert_near( m.east, 0.25, 1e-12 );
	ds_terrain_release( t );
}

// ---- the Fourier transform -----------------------------------------------------------------------------------------

static void test_fourier( void **state )
{
	(void)state;
	const int32_t lengths[] = { 1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 27, 36, 48, 54, 64, 72, 96 };
	for ( int n = 0; n < DS_COUNT( lengths ); ++n )
	{
		int32_t length = lengths[n];
		float re[96 * DS_FOURIER_LANES], im[96 * DS_FOURIER_LANES];
		double x[96 * DS_FOURIER_LANES], y[96 * DS_FOURIER_LANES];
		ds_random random = numbers( 2 );
		for ( int k = 0; k < length * DS_FOURIER_LANES; ++k )
		{
			re[k] = (float)between( &random, -1, 1 );
			im[k] = (float)between( &random, -1, 1 );
			x[k] = (double)re[k];
			y[k] = (double)im[k];
		}
		ds_fourier plan;
		assert_ok( ds_fourier_create( NULL, length, &plan ) );
		ds_fourier_run( &plan, re, im );
		for ( int m = 0; m < length; ++m )
		{
			for ( int lane = 0; lane < DS_FOURIER_LANES; ++lane )
			{
				double a = 0, b = 0;
				for ( int k = 0; k < length; ++k )
				{
					double c = cos( 2 * DS_PI * k * m / length ), s = sin( 2 * DS_PI * k * m / length );
					double p = x[k * DS_FOURIER_LANES + lane], q = y[k * DS_FOURIER_LANES + lane];
					a += p * c - q * s;
					b += p * s + q * c;
				}
				assert_near( (double)re[m * DS_FOURIER_LANES + lane], a, 5e-6 );
				assert_near( (double)im[m * DS_FOURIER_LANES + lane], b, 5e-6 );
			}
		}
		ds_fourier_destroy( NULL, &plan );
	}
}

static void test_fourier_numbers( void **state )
{
	(void)state;
	const int32_t lengths[][2] = { { 1, 1 }, { 2, 2 }, { 5, 6 }, { 7, 8 }, { 25, 27 }, { 1000, 1024 }, { 4097, 4374 },
		{ 1 << 30, 1 << 30 } };
	for ( int k = 0; k < DS_COUNT( lengths ); ++k )
	{
		assert_int_equal( ds_fourier_length( lengths[k][0] ), lengths[k][1] );
	}
	ds_random random = numbers( 4 );
	for ( int k = 0; k <= 1000; ++k )
	{
		double c, s, turn = k < 9 ? k / 8.0 : ds_random_uniform( &random );
		ds_fourier_turn( turn, &c, &s );
		assert_near( c, cos( 2 * DS_PI * turn ), 3e-14 );
		assert_near( s, sin( 2 * DS_PI * turn ), 3e-14 );
		double x = exp( between( &random, -20, 2 ) ), e = between( &random, -1, 1 );
		assert_near( ds_fourier_power( x, e ) / pow( x, e ), 1, 1e-9 );
	}
}

// ---- fractals ------------------------------------------------------------------------------------------------------

// Power of the wave of n periods north, e periods east over a square of `size` samples, from its sum.
static double power( const float *z, int size, int n, int e )
{
	double re = 0, im = 0;
	for ( int i = 0; i < size; ++i )
	{
		double row_re = 0, row_im = 0;
		for ( int j = 0; j < size; ++j )
		{
			row_re += (double)z[i * size + j] * cos( 2 * DS_PI * e * j / size );
			row_im -= (double)z[i * size + j] * sin( 2 * DS_PI * e * j / size );
		}
		double c = cos( 2 * DS_PI * n * i / size ), s = -sin( 2 * DS_PI * n * i / size );
		re += row_re * c - row_im * s;
		im += row_re * s + row_im * c;
	}
	return ( re * re + im * im ) / pow( size, 4 );
}

// 128 x 128 samples are one period: every wave has its power, k^-(2H + 2), and waves longer than the longest have none.
static void test_spectrum( void **state )
{
	(void)state;
	const double hursts[] = { 0, 0.5, 0.8, 1 };
	for ( int h = 0; h < 4; ++h )
	{
		ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
		s.size[0] = s.size[1] = 127 * 0.25;
		s.spacing = 0.25;
		s.roughness = 2;
		s.hurst = hursts[h];
		s.longest = 32 * 0.25; // 4 periods
		s.seed = 5;
		ds_terrain *t = make( &s );
		const float *z = ds_terrain_see( t )->z;
		double first = power( z, 128, 4, 0 ) * pow( 4, 2 * hursts[h] + 2 );
		const int waves[][2] = { { 0, 4 }, { 3, 3 }, { -3, 3 }, { -4, 0 }, { 5, -2 }, { 0, 17 }, { 20, 1 }, { -9, 31 },
			{ 40, 40 }, { -63, 5 } };
		for ( int k = 0; k < DS_COUNT( waves ); ++k )
		{
			int n = waves[k][0], e = waves[k][1];
			double scaled = power( z, 128, n, e ) * pow( n * n + e * e, hursts[h] + 1 );
			assert_near( scaled / first, 1, 1e-3 );
		}
		assert_true( power( z, 128, 0, 0 ) < 1e-12 );
		assert_true( power( z, 128, 2, 1 ) < 1e-12 );
		assert_true( power( z, 128, 2, -3 ) < 1e-12 ); // 3.6 periods
		assert_true( power( z, 128, 64, 3 ) < 1e-12 );
		ds_terrain_release( t );
	}
}

// Mean and standard deviation are those of the definition; heights are near a normal distribution.
static void test_deviation( void **state )
{
	(void)state;
	const double sizes[][2] = { { 200, 300 }, { 77, 31 }, { 500, 5 } };
	for ( int k = 0; k < 3; ++k )
	{
		ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
		s.depth = 1234;
		s.size[0] = sizes[k][0];
		s.size[1] = sizes[k][1];
		s.roughness = 3;
		s.seed = 9;
		ds_terrain *t = make( &s );
		const ds_terrain_view *v = ds_terrain_see( t );
		double sum = 0, squares = 0, count = (double)( v->rows * v->columns );
		for ( int64_t i = 0; i < v->rows * v->columns; ++i )
		{
			double d = v->base + (double)v->z[i] - 1234;
			sum += d;
			squares += d * d;
		}
		assert_near( sum / count, 0, 1e-6 );
		assert_near( sqrt( squares / count ), 3, 1e-6 );
		ds_terrain_properties m = ds_terrain_measure( t );
		assert_true( m.top < 1234 - 3 && m.top > 1234 - 18 && m.bottom > 1234 + 3 && m.bottom < 1234 + 18 );
		ds_terrain_release( t );
	}
}

// The mean plane is the slope's: what is left without it is the same surface.
static void test_tilted( void **state )
{
	(void)state;
	ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
	s.size[0] = s.size[1] = 50;
	ds_terrain *level = make( &s );
	s.slope = 0.2;
	s.towards = -1;
	ds_terrain *tilted = make( &s );
	for ( int k = 0; k < 51 * 51; ++k )
	{
		double north = k / 51 - 25, east = k % 51 - 25;
		ds_terrain_point p, q;
		assert_true( ds_terrain_at( level, north, east, &p ) && ds_terrain_at( tilted, north, east, &q ) );
		assert_near( q.z - p.z, tan( 0.2 ) * ( north * cos( -1 ) + east * sin( -1 ) ), 2e-6 );
	}
	ds_terrain_release( level );
	ds_terrain_release( tilted );
}

// A seed gives its surface, bit by bit; another one another, that goes with it no more than chance has it.
static void test_seeds( void **state )
{
	(void)state;
	ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
	s.size[0] = s.size[1] = 255;
	s.hurst = 0;
	s.longest = 16;
	s.seed = UINT64_C( 1 ) << 40;
	ds_terrain *a = make( &s ), *b = make( &s );
	s.seed += 1;
	ds_terrain *c = make( &s );
	const float *x = ds_terrain_see( a )->z, *y = ds_terrain_see( c )->z;
	assert_memory_equal( x, ds_terrain_see( b )->z, 256 * 256 * sizeof( float ) );
	double product = 0;
	for ( int k = 0; k < 256 * 256; ++k )
	{
		product += (double)x[k] * (double)y[k];
	}
	// some hundreds of independent patches: five times 1 / sqrt of their number
	assert_near( product / ( 256 * 256 ), 0, 0.2 );
	ds_terrain_release( a );
	ds_terrain_release( b );
	ds_terrain_release( c );
}

// The bits of one surface: they must not change with processor, compiler or options.
static void test_bits( void **state )
{
	(void)state;
	ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
	s.size[0] = 90;
	s.size[1] = 70;
	s.seed = 42;
	ds_terrain *t = make( &s );
	const ds_terrain_view *v = ds_terrain_see( t );
	uint64_t hash = ds_hash_bytes( DS_HASH_START, v->z, (size_t)( v->rows * v->columns ) * sizeof( float ) );
	if ( hash != UINT64_C( 0x8EEC7636BC1C7701 ) )
	{
		fail_msg( "0x%llX", (unsigned long long)hash );
	}
	ds_terrain_release( t );
}

// ---- errors --------------------------------------------------------------------------------------------------------

// A mountain of the formula, and the same on a fractal: their difference is that fractal.
static void test_seamount( void **state )
{
	(void)state;
	ds_terrain_shape s = ds_terrain_shape_default( DS_TERRAIN_SEAMOUNT );
	s.depth = 3000;
	s.size[0] = 2000;
	s.size[1] = 1500;
	s.spacing = 20;
	s.height = 700;
	s.radius = 300;
	s.slope = 0.02;
	s.towards = 1;
	s.seed = 4;
	s.roughness = 0;
	ds_terrain *smooth = make( &s );
	s.roughness = 5;
	ds_terrain *rough = make( &s );
	s.kind = DS_TERRAIN_FRACTAL;
	ds_terrain *floor = make( &s );
	for ( double north = -1000; north <= 1000; north += 20 )
	{
		for ( double east = -750; east <= 750; east += 20 )
		{
			double plane = 3000 + tan( 0.02 ) * ( north * cos( 1 ) + east * sin( 1 ) );
			double mountain = 700 * exp( -( north * north + east * east ) / ( 300.0 * 300.0 ) );
			ds_terrain_point p, q, r;
			assert_true( ds_terrain_at( smooth, north, east, &p ) );
			assert_true( ds_terrain_at( rough, north, east, &q ) );
			assert_true( ds_terrain_at( floor, north, east, &r ) );
			assert_near( p.z, plane - mountain, 1e-4 );
			assert_near( q.z, r.z - mountain, 2e-4 );
		}
	}
	ds_terrain_release( smooth );
	ds_terrain_release( rough );
	ds_terrain_release( floor );
}

static void test_bad_shapes( void **state )
{
	(void)state;
	ds_terrain *t = NULL;
#define REFUSED( kind_, field, value, status )                                                                         \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_terrain_shape bad = ds_terrain_shape_default( (ds_terrain_shape_kind)( kind_ ) );                           \
		bad.field = value;                                                                                             \
		assert_int_equal( ds_terrain_make( &bad, NULL, &t ), status );                                                 \
		assert_null( t );                                                                                              \
	}                                                                                                                  \
	while ( 0 )
	for ( int kind = 0; kind < DS_TERRAIN_SHAPE_COUNT; ++kind )
	{
		REFUSED( kind, struct_size, 0, DS_ERROR_ARGUMENT );
		REFUSED( kind, kind, -1, DS_ERROR_ARGUMENT );
		REFUSED( kind, kind, DS_TERRAIN_SHAPE_COUNT, DS_ERROR_ARGUMENT );
		REFUSED( kind, depth, NAN, DS_ERROR_NOT_FINITE );
		REFUSED( kind, depth, 1e7, DS_ERROR_RANGE );
		REFUSED( kind, slope, 1.5, DS_ERROR_RANGE );
		REFUSED( kind, towards, INFINITY, DS_ERROR_NOT_FINITE );
		REFUSED( kind, size[0], 0, DS_ERROR_RANGE );
		REFUSED( kind, size[1], -1, DS_ERROR_RANGE );
		REFUSED( kind, size[1], 1e12, DS_ERROR_LIMIT );
		REFUSED( kind, spacing, 0, DS_ERROR_RANGE );
		REFUSED( kind, spacing, 1e-300, DS_ERROR_LIMIT );
		REFUSED( kind, spacing, 1e-3, DS_ERROR_LIMIT );
		REFUSED( kind, spacing, 1000.0 / 16386, DS_ERROR_LIMIT ); // a little over a gigabyte
		REFUSED( kind, spacing, NAN, DS_ERROR_NOT_FINITE );
	}
	REFUSED( DS_TERRAIN_SINUSOID, amplitude, INFINITY, DS_ERROR_NOT_FINITE );
	REFUSED( DS_TERRAIN_SINUSOID, amplitude, 1e30, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SINUSOID, wavelength[1], 1.5, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SINUSOID, wavelength[0], -INFINITY, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SINUSOID, wavelength[0], NAN, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_FRACTAL, roughness, -1, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_FRACTAL, hurst, 1.1, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_FRACTAL, hurst, NAN, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_FRACTAL, longest, 1.5, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_FRACTAL, longest, 2000, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SEAMOUNT, hurst, NAN, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SEAMOUNT, height, INFINITY, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SEAMOUNT, height, 2e6, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SEAMOUNT, radius, 0, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_SEAMOUNT, radius, NAN, DS_ERROR_RANGE );
	REFUSED( DS_TERRAIN_FRACTAL, spacing, 1000, DS_ERROR_RANGE ); // two by two samples hold no wave
	assert_int_equal( ds_terrain_make( NULL, NULL, &t ), DS_ERROR_ARGUMENT );
}

static ds_status make_shape( const void *user, const ds_hooks *hooks, ds_terrain **terrain )
{
	return ds_terrain_make( user, hooks, terrain );
}

static void test_no_memory( void **state )
{
	(void)state;
	for ( int kind = 0; kind < DS_TERRAIN_SHAPE_COUNT; ++kind )
	{
		ds_terrain_shape s = ds_terrain_shape_default( (ds_terrain_shape_kind)kind );
		s.size[0] = s.size[1] = 30;
		assert_true( survives_failures( make_shape, &s ) >= 3 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_sinusoid ),
		cmocka_unit_test( test_ridges ),
		cmocka_unit_test( test_size_is_covered ),
		cmocka_unit_test( test_fourier ),
		cmocka_unit_test( test_fourier_numbers ),
		cmocka_unit_test( test_spectrum ),
		cmocka_unit_test( test_deviation ),
		cmocka_unit_test( test_tilted ),
		cmocka_unit_test( test_seamount ),
		cmocka_unit_test( test_seeds ),
		cmocka_unit_test( test_bits ),
		cmocka_unit_test( test_bad_shapes ),
		cmocka_unit_test( test_no_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
