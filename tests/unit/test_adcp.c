// The current profiler: cells, side lobes, noise without a world; shear, Ekman's spiral, bottoms and the surface in worlds.

#include "dvl_kit.h"
#include "sea_kit.h"

static ds_adcp_model adcp_model( const char *json )
{
	ds_adcp_config config;
	ds_adcp_model model;
	OK( ds_table_parse( ds_adcp_config_table(), json, &config ) );
	OK( ds_adcp_prepare( &config, &model ) );
	return model;
}

// A reading with its spans, as they lie in memory.
typedef union block
{
	ds_adcp reading;
	char bytes[65536];
} block;

static const double *doubles( const block *b, ds_span span )
{
	return (const double *)(const void *)( b->bytes + span.offset );
}

static const uint8_t *bytes( const block *b, ds_span span )
{
	return (const uint8_t *)b->bytes + span.offset;
}

// Water of one velocity around a transducer at rest, no boundary.
static ds_adcp_truth open_water( ds_vec3 velocity )
{
	static ds_vec3 water[DS_BEAMS * DS_ADCP_MAX_CELLS];
	static bool present[DS_BEAMS * DS_ADCP_MAX_CELLS];
	for ( int i = 0; i < DS_BEAMS * DS_ADCP_MAX_CELLS; ++i )
	{
		water[i] = velocity;
		present[i] = true;
	}
	ds_adcp_truth t;
	memset( &t, 0, sizeof( t ) );
	t.wet = true;
	t.attitude = ds_quat_identity();
	t.boundary = -1;
	t.water = water;
	t.present = present;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		t.range[i] = -1;
	}
	return t;
}

static void measure( const ds_adcp_model *m, const ds_adcp_truth *t, uint64_t index, block *b )
{
	ds_random stream = ds_random_stream( 11, "adcp", DS_RANDOM_SAMPLE, index );
	memset( b, 0x5a, sizeof( *b ) );
	assert_true( ds_adcp_size( m ) <= sizeof( *b ) );
	ds_adcp_measure( m, t, &stream, &b->reading );
}

// ---- without a world -----------------------------------------------------------------------------------------------

static void test_cells( void **state )
{
	(void)state;
	static block b;
	ds_adcp_model m = adcp_model( "{ \"cells\": 30, \"cell_size\": 2, \"blanking\": 1, \"maximum_range\": 41 }" );
	ds_adcp_truth t = open_water( ds_v3( 0.3, -0.2, 0.05 ) );
	t.velocity = ds_v3( 1, 0.5, 0 );
	measure( &m, &t, 0, &b );
	assert_true( b.reading.wet && b.reading.boundary == 0 && b.reading.usable == 0 );
	assert_int_equal( b.reading.n_valid, 20 ); // 3, 5, ... 41 m
	for ( int k = 0; k < 30; ++k )
	{
		NEAR( doubles( &b, b.reading.distance )[k], 3 + 2 * k, 1e-12 );
		assert_int_equal( bytes( &b, b.reading.valid )[k], k < 20 );
		assert_int_equal( bytes( &b, b.reading.good )[k], k < 20 ? 4 : 0 );
		ds_vec3 v = kit_v3( doubles( &b, b.reading.velocity ) + 3 * k );
		NEAR3( v, k < 20 ? ds_v3( -0.7, -0.7, 0.05 ) : ds_v3( 0, 0, 0 ), 1e-14 ); // the water less the transducer
	}
	assert_int_equal( b.reading.velocity.count, 90 );
	assert_int_equal( b.reading.beam_velocity.count, 120 );
	double middle, half;
	assert_true( ds_adcp_cell( &m, t.attitude, 0, 0, 4, &middle, &half ) );
	NEAR( middle, 11 / cos( 30 * DEGREE ), 1e-12 );
	NEAR( half, 2 / cos( 30 * DEGREE ), 1e-12 );
	t.wet = false;
	measure( &m, &t, 0, &b );
	assert_true( !b.reading.wet && b.reading.n_valid == 0 && doubles( &b, b.reading.velocity )[0] == 0 );
}

// Earth axes: cells at vertical distances, velocities north, east, down, whatever the attitude.
static void test_earth( void **state )
{
	(void)state;
	static block b;
	ds_adcp_model m = adcp_model( "{ \"axes\": \"earth\", \"noise\": 0.1 }" ),
				  quiet = adcp_model( "{ \"axes\": \"earth\" }" );
	ds_quat q = ds_quat_from_rpy( ds_v3( 0.2, -0.15, 2 ) );
	ds_vec3 current = ds_v3( 0.3, -0.2, 0.05 );
	ds_adcp_truth t = open_water( ds_unrotate( q, current ) );
	t.attitude = q;
	measure( &quiet, &t, 0, &b );
	for ( int k = 0; k < 20; ++k )
	{
		NEAR3( kit_v3( doubles( &b, b.reading.velocity ) + 3 * k ), current, 1e-14 );
		double middle, half;
		assert_true( ds_adcp_cell( &m, q, 0, 1, k, &middle, &half ) );
		NEAR( middle * ds_rotate( q, m.direction[1] ).z, doubles( &b, b.reading.distance )[k], 1e-12 );
	}
	// the trace of the covariance does not turn
	measure( &m, &t, 0, &b );
	const double *v = doubles( &b, b.reading.variance );
	NEAR( v[0] + v[1] + v[2], 0.01 * ( 2 / ( 2 * 0.25 ) + 1 / ( 4 * 0.75 ) ), 1e-12 );
	assert_true( v[0] != v[1] );
}

// Single-ping noise, averaged pings: what is sampled is what is reported; cells have noise of their own.
static void test_noise( void **state )
{
	(void)state;
	static block b;
	ds_adcp_model m = adcp_model( "{ \"cells\": 2, \"noise\": 0.2, \"pings\": 4 }" );
	ds_adcp_truth t = open_water( ds_v3( 0, 0, 0 ) );
	const int count = 20000;
	double xx[2] = { 0 }, zz = 0, cross = 0, error = 0;
	for ( uint64_t k = 0; k < (uint64_t)count; ++k )
	{
		measure( &m, &t, k, &b );
		const double *v = doubles( &b, b.reading.velocity );
		xx[0] += v[0] * v[0] / count;
		xx[1] += v[3] * v[3] / count;
		zz += v[2] * v[2] / count;
		cross += v[0] * v[3] / count;
		double e = doubles( &b, b.reading.error_velocity )[0];
		error += e * e / count;
	}
	double x = 0.1 / ( sqrt( 2 ) * 0.5 ), z = 0.1 / ( 2 * cos( 30 * DEGREE ) );
	NEAR( sqrt( xx[0] ), x, 0.02 * x );
	NEAR( sqrt( xx[1] ), x, 0.02 * x );
	NEAR( sqrt( zz ), z, 0.02 * z );
	NEAR( sqrt( error ), x, 0.02 * x );
	NEAR( cross, 0, 4 * x * x / sqrt( count ) );
	NEAR( doubles( &b, b.reading.variance )[0], x * x, 1e-12 );
	NEAR( doubles( &b, b.reading.variance )[2], z * z, 1e-12 );
}

// Level, 30 m above the bottom: good as far as 30 cos(30), less one and a half cells.
static void test_side_lobe( void **state )
{
	(void)state;
	static block b;
	ds_adcp_model m = adcp_model( "{ \"cells\": 40, \"cell_size\": 1, \"blanking\": 0 }" );
	ds_adcp_model all = adcp_model( "{ \"cells\": 40, \"cell_size\": 1, \"blanking\": 0, \"side_lobe\": false }" );
	ds_adcp_truth t = open_water( ds_v3( 1, 0, 0 ) );
	t.boundary = 30;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		t.range[i] = 30 / cos( 30 * DEGREE );
	}
	measure( &m, &t, 0, &b );
	int last = (int)floor( 30 * cos( 30 * DEGREE ) - 1.5 ); // 24
	assert_int_equal( b.reading.n_valid, last );
	NEAR( b.reading.usable, last, 0 );
	NEAR( b.reading.boundary, 30, 0 );
	assert_true( bytes( &b, b.reading.valid )[last - 1] && !bytes( &b, b.reading.valid )[last] );
	measure( &all, &t, 0, &b );
	assert_int_equal( b.reading.n_valid, 29 ); // the cell about 29 m ends at the bottom
	t.range[2] = t.range[3] = 10; // something in two beams
	measure( &all, &t, 0, &b );
	assert_int_equal( b.reading.n_valid, 7 );
	assert_int_equal( bytes( &b, b.reading.good )[20], 2 );
}

static void test_sound( void **state )
{
	(void)state;
	static block b;
	ds_adcp_model piston = adcp_model( "{ \"sound_speed\": 1500 }" );
	ds_adcp_model phased = adcp_model( "{ \"sound_speed\": 1500, \"array\": \"phased\" }" );
	ds_adcp_truth t = open_water( ds_v3( 0.5, 0.2, 0.1 ) );
	t.sound_speed = 1460;
	measure( &piston, &t, 0, &b );
	NEAR3( kit_v3( doubles( &b, b.reading.velocity ) ), ds_scale( 1500.0 / 1460, ds_v3( 0.5, 0.2, 0.1 ) ), 1e-14 );
	measure( &phased, &t, 0, &b );
	NEAR( doubles( &b, b.reading.velocity )[0], 0.5, 1e-14 );
	NEAR( doubles( &b, b.reading.velocity )[1], 0.2, 1e-14 );
}

// On its side, earth axes: beams above and below the horizon do not hear the same cell.
static void test_both_sides( void **state )
{
	(void)state;
	static block b;
	ds_adcp_model m = adcp_model( "{ \"axes\": \"earth\" }" );
	ds_adcp_truth t = open_water( ds_v3( 1, 0, 0 ) );
	t.attitude = ds_quat_from_rpy( ds_v3( 0, 85 * DEGREE, 0 ) ); // z is 5 degrees below the horizon
	measure( &m, &t, 0, &b );
	assert_int_equal( bytes( &b, b.reading.good )[0], 2 );
	assert_int_equal( b.reading.n_valid, 0 );
}

static void test_options( void **state )
{
	(void)state;
	const ds_table *table = ds_adcp_config_table();
	OK( ds_table_check( table ) );
	OK( ds_table_check( ds_adcp_table() ) );
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *f = table->fields + i;
		if ( f->type == DS_FIELD_F64 )
		{
			ds_adcp_config c = ds_adcp_config_default();
			ds_adcp_model m;
			double *value = (double *)(void *)( (char *)&c + f->offset );
			*value = f->maximum * 1.01;
			FAILS( ds_adcp_prepare( &c, &m ), DS_ERROR_RANGE, f->name );
			*value = f->minimum - 1;
			FAILS( ds_adcp_prepare( &c, &m ), DS_ERROR_RANGE, f->name );
			*value = NAN;
			FAILS( ds_adcp_prepare( &c, &m ), DS_ERROR_NOT_FINITE, f->name );
		}
	}
	ds_adcp_config c = ds_adcp_config_default();
	ds_adcp_model m;
	c.cells = DS_ADCP_MAX_CELLS + 1;
	FAILS( ds_adcp_prepare( &c, &m ), DS_ERROR_RANGE, "cells" );
	FAILS( ds_table_parse( table, "{ \"maximum_range\": 1 }", &c ), DS_ERROR_RANGE, "maximum_range" );
	FAILS( ds_table_parse( table, "{ \"axes\": \"eart\" }", &c ), DS_ERROR_NOT_FOUND, "earth" );
}

// ---- in worlds -----------------------------------------------------------------------------------------------------

static ds_world *adcp_world( const char *environment, const char *pose, const char *config )
{
	char rest[2048];
	snprintf( rest, sizeof( rest ),
		", 'rate': 50, 'duration': 1, 'bodies': [ { 'name': 'b', 'mass': 10, 'inertia': [1, 1, 1], 'fixed': true, "
		"'pose': { %s } } ], "
		"'sensors': [ { 'name': 'adcp', 'type': 'adcp', 'body': 'b', 'rate': 10, 'config': %s } ]",
		pose, config );
	ds_world *world = sea_world( environment, rest );
	OK( ds_world_step( world, 5 ) );
	return world;
}

static void latest( const ds_world *world, block *b )
{
	ds_id id;
	ds_sample_header header;
	memset( b, 0, sizeof( *b ) );
	OK( ds_world_find( world, DS_SENSOR, "adcp", &id ) );
	OK( ds_sensor_latest( world, id, &header, b->bytes, sizeof( b->bytes ) ) );
}

// An instrument that takes 1500 m/s for granted times its cells by it: in water of 1540 m/s the cell called 10 m lies at 10.27 m, and a
// bottom at 30 m seems to be at 29.2 m.
static void test_cells_are_times( void **state )
{
	(void)state;
	static block b;
	const char *const kinds[2] = { "{ \"sound_speed\": 1500, \"cells\": 40 }",
		"{ \"sound_speed\": 1500, \"cells\": 40, \"array\": \"phased\" }" };
	for ( int kind = 0; kind < 2; ++kind )
	{
		ds_adcp_model m = adcp_model( kinds[kind] );
		double middle, half;
		assert_true( ds_adcp_cell( &m, ds_quat_identity(), 1540, 2, 8, &middle, &half ) );
		NEAR( middle, 9.5 / cos( 30 * DEGREE ) * 1540 / 1500, 1e-12 );
		NEAR( half, 1 / cos( 30 * DEGREE ) * 1540 / 1500, 1e-12 );
	}
	// in a world: the current is the depth over 100 s
	ds_world *world = adcp_world( "{ 'seabed': { 'elevation': { 'model': 'flat', 'depth': 60 } }, 'currents': [ { "
								  "'model': 'profile', 'levels': [ { 'depth': 0, 'velocity': [0, 0, 0] }, { 'depth': "
								  "1000, 'velocity': [10, 0, 0] } ] } ] }",
		"'position': [0, 0, 30]", "{ 'cells': 20, 'cell_size': 1, 'blanking': 1, 'sound_speed': 1400 }" );
	latest( world, &b );
	double true_speed = sea_at( world, 0, 0, 30 ).sound_speed, stretch = true_speed / 1400;
	assert_true( stretch > 1.04 && b.reading.n_valid > 10 );
	NEAR( b.reading.boundary, 30 / stretch, 1e-6 );
	for ( int k = 0; k < 10; ++k )
	{
		double expected = 0, depth = 30 + stretch * doubles( &b, b.reading.distance )[k];
		for ( int i = -50; i <= 50; ++i )
		{
			double off = i / 50.0, there = sea_at( world, 0, 0, depth + stretch * off ).velocity.x;
			expected += ( 1 - fabs( off ) ) / 50 * there;
		}
		NEAR( doubles( &b, b.reading.velocity )[3 * k], expected / stretch, 1e-5 ); // velocities by the speed too
	}
	ds_world_destroy( world );
}

// A mooring on the bottom looks up into Ekman's spiral; earth axes: each cell has the current of its depth, smoothed over the cell,
// up to where the surface's echo spoils it.
static void test_ekman( void **state )
{
	(void)state;
	static block b;
	ds_world *world = adcp_world( "{ 'seabed': { 'elevation': { 'model': 'flat', 'depth': 81 } }, 'currents': [ { "
								  "'model': 'ekman', 'latitude_deg': 45, 'interior': [0.2, 0.1], "
								  "'surface_layer': 50, 'bed_layer': 20, 'stress': { 'wind_speed': 10, "
								  "'wind_direction_deg': 20 } } ], 'water': { 'density': { "
								  "'model': 'uniform', 'value': 1026 } } }",
		"'position': [0, 0, 80], 'rpy_deg': [174, 5, 40]",
		"{ 'axes': 'earth', 'cells': 45, 'cell_size': 2, 'blanking': 1 }" );
	latest( world, &b );
	NEAR( b.reading.boundary, 80, 1e-9 );
	int seen = 0;
	for ( int k = 0; k < 45; ++k )
	{
		double distance = doubles( &b, b.reading.distance )[k];
		if ( bytes( &b, b.reading.valid )[k] )
		{
			ds_vec3 expected = ds_v3( 0, 0, 0 );
			for ( int i = -50; i <= 50; ++i )
			{
				double off = i / 50.0;
				expected = ds_mad(
					expected, ( 1 - fabs( off ) ) / 50, sea_at( world, 0, 0, 80 - distance + 2 * off ).velocity );
			}
			NEAR3( kit_v3( doubles( &b, b.reading.velocity ) + 3 * k ), expected, 2e-4 );
			++seen;
		}
	}
	assert_int_equal( seen, b.reading.n_valid );
	assert_true( seen > 25 && seen < 35 ); // 80 cos(30) is 69 m; three beams, by the tilt, a bit more or less
	ds_world_destroy( world );
}

// The water differs between the beams: a current that shears across is not what the least squares take for granted, but is what each
// beam hears. Instrument axes, pitched, over a slope.
static void test_beams_differ( void **state )
{
	(void)state;
	static block b;
	ds_world *world = adcp_world( "{ 'seabed': { 'elevation': { 'model': 'slope', 'depth': 50, 'slope_deg': 10, "
								  "'towards_deg': 90 } }, 'currents': [ { 'model': "
								  "'power', 'velocity': [0.5, 0.2, 0], 'exponent': 0.3, 'bed': 50 } ] }",
		"'position': [0, 0, 10], 'rpy_deg': [0, 15, 30]", "{ 'cells': 40, 'cell_size': 1, 'blanking': 0.5 }" );
	latest( world, &b );
	NEAR( b.reading.boundary, 40 * cos( 10 * DEGREE ), 1e-6 ); // square to the slope
	assert_true( b.reading.n_valid > 20 && b.reading.n_valid < 40 );
	ds_adcp_model m = adcp_model( "{ \"cells\": 40, \"cell_size\": 1, \"blanking\": 0.5 }" );
	ds_quat q = ds_quat_from_rpy( ds_v3( 0, 15 * DEGREE, 30 * DEGREE ) );
	double spread = 0;
	for ( int k = 0; k < (int)b.reading.n_valid; ++k )
	{
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			double middle, half, along = 0;
			assert_true( ds_adcp_cell( &m, q, 0, i, k, &middle, &half ) );
			ds_vec3 ray = ds_rotate( q, m.direction[i] );
			for ( int s = -50; s <= 50; ++s )
			{
				double off = s / 50.0;
				ds_vec3 at = ds_mad( ds_v3( 0, 0, 10 ), middle + off * half, ray );
				along += ( 1 - fabs( off ) ) / 50 * ds_dot( sea_at( world, at.x, at.y, at.z ).velocity, ray );
			}
			NEAR( doubles( &b, b.reading.beam_velocity )[4 * k + i], along, 2e-4 );
		}
		spread = fmax( spread, fabs( doubles( &b, b.reading.error_velocity )[k] ) );
	}
	assert_true( spread > 1e-4 ); // four beams disagree where the water differs
	ds_world_destroy( world );
}

static void test_snapshot( void **state )
{
	(void)state;
	static block a, b;
	ds_world *world = adcp_world(
		"{ 'currents': [ { 'model': 'gauss_markov', 'deviation': [0.1, 0.1, 0], 'correlation_time': 5 } ] }",
		"'position': [0, 0, 80]", "{ 'noise': 0.1, 'dropout': 0.2 }" );
	size_t size = ds_world_save_size( world );
	void *memory = malloc( size );
	OK( ds_world_save( world, memory, size ) );
	OK( ds_world_step( world, 20 ) );
	latest( world, &a );
	OK( ds_world_restore( world, memory, size ) );
	OK( ds_world_step( world, 20 ) );
	latest( world, &b );
	assert_memory_equal( &a, &b, sizeof( a ) );
	assert_true( a.reading.n_valid > 0 && a.reading.n_valid <= 20 );
	free( memory );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_cells ),
		cmocka_unit_test( test_earth ),
		cmocka_unit_test( test_noise ),
		cmocka_unit_test( test_side_lobe ),
		cmocka_unit_test( test_sound ),
		cmocka_unit_test( test_cells_are_times ),
		cmocka_unit_test( test_both_sides ),
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_ekman ),
		cmocka_unit_test( test_beams_differ ),
		cmocka_unit_test( test_snapshot ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
