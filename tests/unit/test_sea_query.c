// What a world says of its water: every model of density, currents and waves by scenario texts, against closed forms and
// published values; and that bodies and sensors see the same.

#include "sea_kit.h"

#include "deepsim/pressure.h"

#define G   9.81
#define AIR 101325.0

// ---- density, pressure, sound ------------------------------------------------------------------------------------

static void test_uniform_density( void **state )
{
	(void)state;
	static const char *const texts[] = { "{}", "{ 'water': { 'density': 1025 } }",
		"{ 'water': { 'density': { 'model': 'uniform', 'value': 1025 } } }" };
	for ( int i = 0; i < 3; ++i )
	{
		ds_world *world = sea_world( texts[i], "" );
		for ( double z = 0; z <= 11000; z += 550 )
		{
			ds_water w = sea_at( world, 3, -4, z );
			assert_true( w.present );
			NEAR( w.density, 1025, 0 );
			NEAR( w.gauge_pressure, 1025 * G * z, 1e-12 * 1.2e8 );
			NEAR( w.pressure - w.gauge_pressure, AIR, 1e-7 );
			NEAR( w.temperature, 4, 1e-12 );
			NEAR( w.salinity, 35, 1e-12 );
			NEAR3( w.velocity, ds_v3( 0, 0, 0 ), 0 );
		}
		ds_water air = sea_at( world, 0, 0, -0.001 );
		assert_false( air.present );
		NEAR( air.pressure, AIR, 0 );
		NEAR( air.density + air.gauge_pressure + air.sound_speed, 0, 0 );
		ds_world_destroy( world );
	}

	ds_world *vacuum = sea_world( "{ 'water': null }", "" );
	ds_water none = sea_at( vacuum, 0, 0, 100 );
	assert_false( none.present );
	NEAR( none.pressure + none.density, 0, 0 );
	ds_world_destroy( vacuum );
}

// (14, 15): 30.2412 MPa at 3000 m.
static void test_pycnocline( void **state )
{
	(void)state;
	ds_world *world = sea_world( "{ 'water': { 'density': { 'model': 'pycnocline' } }, 'surface_pressure': 0 }", "" );
	NEAR( sea_at( world, 0, 0, 0 ).density, 1025, 1e-12 );
	NEAR( sea_at( world, 0, 0, 400 ).density, 1025 + 0.4 * 3.075, 1e-9 );
	NEAR( sea_at( world, 0, 0, 1000 ).density, 1028.075, 1e-9 );
	ds_water deep = sea_at( world, 0, 0, 3000 );
	NEAR( deep.density, 1028.075, 1e-9 );
	NEAR( deep.gauge_pressure, 30.2412e6, 50 );
	NEAR( deep.gauge_pressure, G * ( 1025 * 3000 + 3.075 * 2500 ), 1e-6 );
	NEAR( deep.pressure, deep.gauge_pressure, 0 );
	ds_world_destroy( world );

	world = sea_world(
		"{ 'water': { 'density': { 'model': 'pycnocline', 'surface': 1000, 'increase': 20, 'depth': 50 } } }", "" );
	NEAR( sea_at( world, 0, 0, 25 ).density, 1010, 1e-9 );
	NEAR( sea_at( world, 0, 0, 80 ).density, 1020, 1e-9 );
	NEAR( sea_at( world, 0, 0, 80 ).gauge_pressure, G * ( 1010 * 50 + 1020 * 30 ), 1e-6 );
	ds_world_destroy( world );
}

// The depth of a gauge pressure.
static double depth_of( const ds_world *world, double pressure )
{
	double low = 0, high = 11990;
	for ( int i = 0; i < 60; ++i )
	{
		double middle = 0.5 * ( low + high );
		*( sea_at( world, 0, 0, middle ).gauge_pressure < pressure ? &low : &high ) = middle;
	}
	return low;
}

// UNESCO technical paper 44, whose temperatures are of IPTS-68: t68 = 1.00024 t90. TEOS-10 by gsw 3.6.16.
static void test_equations_of_state( void **state )
{
	(void)state;
	ds_world *world =
		sea_world( "{ 'water': { 'density': { 'model': 'eos80' }, 'temperature': 4.99880029, 'salinity': 35 } }", "" );
	NEAR( sea_at( world, 0, 0, 0 ).density, 1027.67547, 1e-5 );
	NEAR( sea_at( world, 0, 0, depth_of( world, 1e8 ) ).density, 1069.48914, 2e-5 );
	ds_world_destroy( world );

	world = sea_world( "{ 'water': { 'density': { 'model': 'teos10' }, 'temperature': 10, 'salinity': 35 } }", "" );
	NEAR( sea_at( world, 0, 0, 0 ).density, 1026.9541113308146, 1e-6 );
	NEAR( sea_at( world, 0, 0, depth_of( world, 5e7 ) ).density, 1048.4578709236953, 1e-5 );
	ds_world_destroy( world );

	// sound: Chen and Millero 1731.995 at S 40, 40 degC (IPTS-68), 1000 bar; Mackenzie 1550.744 at 25 degC (IPTS-68), 35, 1000 m
	world = sea_world( "{ 'water': { 'temperature': 39.99040230, 'salinity': 40 } }", "" );
	NEAR( sea_at( world, 0, 0, 1e8 / ( 1025 * G ) ).sound_speed, 1731.995, 2e-3 );
	ds_world_destroy( world );
	world = sea_world( "{ 'water': { 'temperature': 24.99400144, 'salinity': 35, 'sound': 'mackenzie' } }", "" );
	NEAR( sea_at( world, 0, 0, 1000 ).sound_speed, 1550.744, 1e-3 );
	ds_world_destroy( world );
}

// ---- profiles ----------------------------------------------------------------------------------------------------

static void same_water( const ds_world *a, const ds_world *b )
{
	for ( double z = 0; z < 2500; z += 7.3 )
	{
		ds_water p = sea_at( a, 0, 0, z ), q = sea_at( b, 0, 0, z );
		assert_true( p.density == q.density && p.pressure == q.pressure && p.gauge_pressure == q.gauge_pressure );
		assert_true( p.temperature == q.temperature && p.salinity == q.salinity && p.sound_speed == q.sound_speed );
	}
}

static void test_profiles_by_levels_and_files( void **state )
{
	(void)state;
	sea_file( "cast.csv", "depth[m],temperature[degC],salinity[PSU]\n0,18,36\n100,15,35.5\n800,6,35\n2000,3,34.9\n" );
	sea_file( "density.csv", "depth[m],density[kg/m3]\n0,1024\n100,1026\n1000,1028\n" );
	static const char levels[] = "'profile': [ { 'depth': 0, 'temperature': 18, 'salinity': 36 }, { 'depth': 100, "
								 "'temperature': 15, 'salinity': 35.5 }, { 'depth': 800, 'temperature': 6, "
								 "'salinity': 35 }, { 'depth': 2000, 'temperature': 3, 'salinity': 34.9 } ]";
	for ( int linear = 0; linear < 2; ++linear )
	{
		for ( int model = 0; model < 2; ++model )
		{
			char texts[2][1024];
			for ( int i = 0; i < 2; ++i )
			{
				snprintf( texts[i], sizeof( texts[i] ),
					"{ 'water': { 'density': { 'model': '%s' }, 'interpolation': '%s', %s } }",
					model ? "teos10" : "eos80", linear ? "linear" : "monotone", i ? "'profile': 'cast.csv'" : levels );
			}
			ds_world *a = sea_world( texts[0], "" ), *b = sea_world( texts[1], "" );
			same_water( a, b );
			NEAR( sea_at( a, 0, 0, 100 ).temperature, 15, linear ? 0.2 : 0.02 ); // linear: rounded off over a step
			NEAR( sea_at( a, 0, 0, 800 ).salinity, 35, 1e-2 );
			NEAR( sea_at( a, 0, 0, 5000 ).temperature, 3, 1e-9 );
			if ( linear )
			{
				NEAR( sea_at( a, 0, 0, 450 ).temperature, 10.5, 1e-6 );
			}

			// hydrostatic: the pressure is the integral of the density
			double sum = 0;
			for ( int i = 0; i < 3000; ++i )
			{
				sum += G * sea_at( a, 0, 0, i + 0.5 ).density;
			}
			NEAR( sea_at( a, 0, 0, 3000 ).gauge_pressure, sum, 1e-6 * sum );
			ds_world_destroy( a );
			ds_world_destroy( b );
		}
	}

	ds_world *a =
		sea_world( "{ 'water': { 'density': { 'model': 'table', 'levels': [ { 'depth': 0, 'density': 1024 }, { "
				   "'depth': 100, 'density': 1026 }, { 'depth': 1000, 'density': 1028 } ] }, 'interpolation': "
				   "'linear' } }",
			"" );
	ds_world *b = sea_world(
		"{ 'water': { 'density': { 'model': 'table', 'levels': 'density.csv' }, 'interpolation': 'linear' } }", "" );
	same_water( a, b );
	NEAR( sea_at( a, 0, 0, 50 ).density, 1025, 1e-6 );
	NEAR( sea_at( a, 0, 0, 550 ).density, 1027, 1e-6 );
	NEAR( sea_at( a, 0, 0, 4000 ).density, 1028, 1e-9 );
	ds_world_destroy( a );
	ds_world_destroy( b );
}

// Somigliana's formula at 0, 45 and 90 degrees (NIMA TR8350.2: 9.7803253359, 9.8321849379; 9.8061977695 by its own terms).
static void test_gravity_by_latitude( void **state )
{
	(void)state;
	static const double latitudes[] = { 0, 45, 90, -45 },
						gravities[] = { 9.7803253359, 9.8061977695, 9.8321849379, 9.8061977695 };
	for ( int i = 0; i < 4; ++i )
	{
		char rest[512];
		snprintf( rest, sizeof( rest ),
			", 'origin': { 'latitude_deg': %g }, 'bodies': [ { 'name': 'stone', 'mass': 2, 'inertia': [1, 1, 1], "
			"'hydrodynamics': { 'model': 'none' } } ]",
			latitudes[i] );
		ds_world *world = sea_world( "{ 'gravity': 'latitude' }", rest );
		NEAR( sea_at( world, 0, 0, 1000 ).gauge_pressure, 1025e3 * gravities[i], 0.2 );
		OK( ds_world_step( world, 1 ) );
		ds_body_forces f;
		OK( ds_body_forces_get( world, sea_body( world, "stone" ), &f ) );
		NEAR( f.gravity.force.z, 2 * gravities[i], 1e-6 );
		ds_world_destroy( world );
	}
}

// ---- waves -------------------------------------------------------------------------------------------------------

static void test_waves( void **state )
{
	(void)state;
	// towards east, 8 s, 2 m from trough to crest, crest over the origin at time 0
	ds_world *world = sea_world(
		"{ 'waves': { 'model': 'regular', 'height': 2, 'period': 8, 'direction_deg': 90 } }", ", 'rate': 10" );
	double w = 2 * DS_PI / 8, k = w * w / G;
	for ( int step = 0; step < 16; ++step )
	{
		double t = sea_seconds( world );
		for ( double east = 0; east < 100; east += 12.5 )
		{
			double psi = k * east - w * t, eta = cos( psi );
			assert_true( sea_at( world, 30, east, -eta + 1e-6 ).present );
			ds_water dry = sea_at( world, 30, east, -eta - 1e-6 );
			assert_false( dry.present );
			NEAR( dry.pressure, AIR, 0 );
			NEAR( sea_at( world, -7, east, -eta + 1e-9 ).gauge_pressure, 0, 1e-3 );

			// under the layer that stretches, the profile of its own depth
			ds_water deep = sea_at( world, 0, east, 10 );
			double f = exp( -k * 10 );
			NEAR( deep.velocity.y, w * f * cos( psi ), 1e-9 );
			NEAR( deep.velocity.z, -w * f * sin( psi ), 1e-9 ); // down
			NEAR( deep.velocity.x, 0, 1e-12 );
			NEAR( deep.gauge_pressure, 1025 * G * ( 10 + f * eta ), 1e-6 );
		}
		OK( ds_world_step( world, 5 ) );
	}
	ds_world_destroy( world );

	// the seabed's depth makes the waves shorter: w^2 = g k tanh( k h )
	world =
		sea_world( "{ 'waves': { 'model': 'regular', 'height': 1, 'period': 12 }, 'seabed': { 'elevation': { 'model': "
				   "'flat', 'depth': 10 } } }",
			"" );
	double omega = 2 * DS_PI / 12, kh = omega * omega / G;
	for ( int i = 0; i < 200; ++i )
	{
		kh = omega * omega / ( G * tanh( kh * 10 ) );
	}
	// at the bed the flow is level: a w / sinh( k h )
	NEAR( sea_at( world, 0, 0, 10 ).velocity.x, 0.5 * omega / sinh( kh * 10 ), 2e-4 );
	NEAR( sea_at( world, 0.5 * DS_PI / kh, 0, 10 ).velocity.z, 0, 1e-9 );
	ds_world_destroy( world );
}

// ---- currents ----------------------------------------------------------------------------------------------------

static ds_world *current_world( const char *current )
{
	char text[2048];
	snprintf( text, sizeof( text ),
		"{ 'currents': [ %s ], 'seabed': { 'elevation': { 'model': 'flat', 'depth': 100 } } }", current );
	return sea_world( text, ", 'rate': 1, 'origin': { 'latitude_deg': 45 }" );
}

static void test_every_current( void **state )
{
	(void)state;
	ds_world *w =
		current_world( "{ 'model': 'uniform', 'velocity': [0.3, -0.2, 0.1] }, { 'model': 'uniform', 'velocity': "
					   "[0, 0.5, 0] }" );
	NEAR3( sea_at( w, 9, 9, 70 ).velocity, ds_v3( 0.3, 0.3, 0.1 ), 1e-15 );
	ds_world_destroy( w );

	w = current_world( "{ 'model': 'exponential', 'velocity': [1, -2, 0], 'depth': 40 }" );
	NEAR3( sea_at( w, 0, 0, 20 ).velocity, ds_v3( exp( -0.5 ), -2 * exp( -0.5 ), 0 ), 1e-14 );
	ds_world_destroy( w );

	// of the world's bed at 100 m, and of its own
	w = current_world( "{ 'model': 'power', 'velocity': [1, 0, 0], 'height': 50 }" );
	NEAR( sea_at( w, 0, 0, 75 ).velocity.x, pow( 0.5, 1.0 / 7 ), 1e-12 );
	NEAR( sea_at( w, 0, 0, 100 ).velocity.x, 0, 1e-12 );
	ds_world_destroy( w );
	w = current_world( "{ 'model': 'power', 'velocity': [1, 0, 0], 'exponent': 0.5, 'bed': 36 }" );
	NEAR( sea_at( w, 0, 0, 27 ).velocity.x, 0.5, 1e-12 );
	ds_world_destroy( w );

	w = current_world(
		"{ 'model': 'profile', 'levels': [ { 'depth': 0, 'velocity': [1, 0, 0] }, { 'depth': 30, 'velocity': "
		"[0.5, 0.2, 0] }, { 'depth': 60, 'velocity': [0, 0, 0] } ] }" );
	NEAR3( sea_at( w, 0, 0, 30 ).velocity, ds_v3( 0.5, 0.2, 0 ), 1e-14 );
	NEAR3( sea_at( w, 0, 0, 90 ).velocity, ds_v3( 0, 0, 0 ), 1e-14 );
	NEAR( sea_at( w, 0, 0, 15 ).velocity.x, 0.75 + 30.0 / 8 / 60, 1e-12 ); // cubic: slope 0 at the end, -1/60 at 30 m
	ds_world_destroy( w );

	// flow of a pipe: parabola; of a jet: the nozzle's
	w = current_world(
		"{ 'model': 'pipe', 'position': [0, 0, 10], 'direction': [0, 2, 0], 'radius': 2, 'length': 20, 'speed': 3 }" );
	NEAR3( sea_at( w, 1, 10, 10 ).velocity, ds_v3( 0, 3 * 0.75, 0 ), 1e-12 );
	NEAR3( sea_at( w, 3, 10, 10 ).velocity, ds_v3( 0, 0, 0 ), 0 );
	ds_world_destroy( w );
	w = current_world(
		"{ 'model': 'jet', 'position': [0, 0, 10], 'direction': [1, 0, 0], 'radius': 0.1, 'speed': 3 }" );
	assert_true( sea_at( w, 5, 0, 10 ).velocity.x > sea_at( w, 10, 0, 10 ).velocity.x );
	NEAR( sea_at( w, 40, 0, 10 ).velocity.x, 0.5 * sea_at( w, 20, 0, 10 ).velocity.x, 0.02 ); // self-similar: as 1/x
	assert_true( sea_at( w, 5, 0, 10 ).velocity.x > 0.5 );
	ds_world_destroy( w );
}

// The table of `source-papers`: stress 0.1 Pa northward at 45 degrees over very deep water, D 50 m.
static void test_ekman( void **state )
{
	(void)state;
	double f = 2 * 7.292115e-5 * sin( 0.25 * DS_PI );
	double v0 = sqrt( 2 ) * DS_PI * 0.1 / ( 1026 * f * 50 );
	for ( int south = 0; south < 2; ++south )
	{
		char text[512];
		snprintf( text, sizeof( text ),
			"{ 'currents': [ { 'model': 'ekman', 'interior': [0.05, 0.02], 'surface_layer': 50, 'bed_layer': 20, "
			"'stress': "
			"[0.1, 0], 'latitude_deg': %d, 'bed': 2000 } ] }",
			south ? -45 : 45 );
		ds_world *w = sea_world( text, "" );
		double s = south ? -1 : 1;
		for ( double z = 0; z < 200; z += 12.5 )
		{
			double decay = v0 * exp( -DS_PI * z / 50 ), angle = s * ( 0.25 * DS_PI + DS_PI * z / 50 );
			NEAR3( sea_at( w, 0, 0, z ).velocity, ds_v3( 0.05 + decay * cos( angle ), 0.02 + decay * sin( angle ), 0 ),
				1e-4 );
		}
		NEAR3( sea_at( w, 0, 0, 2000 ).velocity, ds_v3( 0, 0, 0 ), 1e-9 );
		ds_world_destroy( w );
	}
	// latitude and bed of the world
	ds_world *a =
		current_world( "{ 'model': 'ekman', 'surface_layer': 50, 'bed_layer': 20, 'stress': { 'wind_speed': 10, "
					   "'wind_direction_deg': 90 } }" );
	ds_world *b =
		current_world( "{ 'model': 'ekman', 'surface_layer': 50, 'bed_layer': 20, 'stress': { 'wind_speed': 10, "
					   "'wind_direction_deg': 90 }, 'latitude_deg': 45, 'bed': 100 }" );
	for ( double z = 0; z <= 100; z += 5 )
	{
		NEAR3( sea_at( a, 0, 0, z ).velocity, sea_at( b, 0, 0, z ).velocity, 0 );
	}
	ds_vec3 top = sea_at( a, 0, 0, 0 ).velocity;
	assert_true( top.y > 0.05 && top.x < -0.05 ); // to the right of a wind that blows to the east
	ds_world_destroy( a );
	ds_world_destroy( b );
}

static void test_currents_in_time( void **state )
{
	(void)state;
	ds_world *w = current_world( "{ 'model': 'tidal', 'constituents': [ { 'period': 'M2', 'major': 1, 'minor': 0.3, "
								 "'axis_deg': 30, 'phase_deg': 40 }, { 'period': 7200, 'major': 0.2 } ] }" );
	double m2 = 44714.16, axis = DS_PI / 6, phase = 40 * DS_PI / 180;
	for ( int i = 0; i < 8; ++i )
	{
		double t = sea_seconds( w ), p = 2 * DS_PI * t / m2 - phase, c = cos( p ), s = 0.3 * sin( p );
		ds_vec3 expected = ds_v3( c * cos( axis ) - s * sin( axis ) + 0.2 * cos( 2 * DS_PI * t / 7200 ),
			c * sin( axis ) + s * cos( axis ), 0 );
		NEAR3( sea_at( w, 100, 3, 50 ).velocity, expected, 1e-5 );
		OK( ds_world_step( w, 5000 ) );
	}
	ds_world_destroy( w );

	// random: of the given deviation, correlated over the given time, another sea for another seed
	w = current_world( "{ 'model': 'gauss_markov', 'deviation': [0.1, 0.2, 0], 'correlation_time': 50 }" );
	enum
	{
		COUNT = 40000
	};
	static double n[COUNT], e[COUNT];
	double sum[4] = { 0 };
	for ( int i = 0; i < COUNT; ++i )
	{
		ds_vec3 v = sea_at( w, 0, 0, 10 ).velocity;
		n[i] = v.x;
		e[i] = v.y;
		NEAR( v.z, 0, 0 );
		sum[0] += v.x * v.x;
		sum[1] += v.y * v.y;
		sum[2] += i >= 50 ? n[i] * n[i - 50] : 0;
		sum[3] += n[i] * e[i];
		OK( ds_world_step( w, 1 ) );
	}
	// 400 independent values: 1/sqrt( 400 ) each
	NEAR( sqrt( sum[0] / COUNT ), 0.1, 0.01 );
	NEAR( sqrt( sum[1] / COUNT ), 0.2, 0.02 );
	NEAR( sum[2] / sum[0], exp( -1 ), 0.15 );
	NEAR( sum[3] / sqrt( sum[0] * sum[1] ), 0, 0.15 );
	ds_vec3 last = sea_at( w, 0, 0, 10 ).velocity;
	OK( ds_world_reset( w, 43 ) );
	assert_true( fabs( sea_at( w, 0, 0, 10 ).velocity.x - n[0] ) > 1e-6 );
	OK( ds_world_reset( w, 42 ) );
	NEAR( sea_at( w, 0, 0, 10 ).velocity.x, n[0], 0 );
	OK( ds_world_step( w, COUNT ) );
	NEAR3( sea_at( w, 0, 0, 10 ).velocity, last, 0 );
	ds_world_destroy( w );
}

// ---- one answer for all --------------------------------------------------------------------------------------------

#define ALL_OF_IT                                                                                                      \
	"{ 'water': { 'density': { 'model': 'eos80' }, 'profile': [ { 'depth': 0, 'temperature': 18, 'salinity': 36 }, { " \
	"'depth': 60, 'temperature': 8, 'salinity': 35 } ] },\n"                                                           \
	"'currents': [ { 'model': 'exponential', 'velocity': [0.5, 0.2, 0], 'depth': 30 }, { 'model': 'tidal', "           \
	"'constituents': [ { 'period': 60, 'major': 0.3, 'minor': 0.1 } ] }, { 'model': 'gauss_markov', 'deviation': "     \
	"[0.1, 0.1, 0.02], 'correlation_time': 20 } ],\n"                                                                  \
	"'waves': { 'model': 'jonswap', 'height': 2, 'period': 7, 'components': 32 } }"

// A sensor that hands out the water of its context, and asks the host for it too.
typedef struct seen
{
	double context[10], host[10];
} seen;

static void put( double *out, const ds_water *w )
{
	const double values[10] = { w->present, w->velocity.x, w->velocity.y, w->velocity.z, w->density, w->pressure,
		w->gauge_pressure, w->temperature, w->salinity, w->sound_speed };
	memcpy( out, values, sizeof( values ) );
}

static ds_status see( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	seen *s = output;
	ds_water w;
	put( s->context, &context->water );
	ds_status status = context->host->water_at( context, context->pose.position, &w );
	put( s->host, &w );
	return status;
}

static ds_status make_nothing( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	*model = NULL;
	return DS_OK;
}

static void destroy_nothing( void *model )
{
	(void)model;
}

static const ds_field seen_fields[] = {
	{ "context", DS_FIELD_F64, 0, offsetof( seen, context ), 10, 0, "", NULL, 0, 0, "of the context", NULL, NULL, 0,
		DS_ELEMENT_NONE },
	{ "host", DS_FIELD_F64, 0, offsetof( seen, host ), 10, 0, "", NULL, 0, 0, "of the host", NULL, NULL, 0,
		DS_ELEMENT_NONE },
};
static const ds_table seen_table = { "seen", "what it saw", sizeof( seen ), seen_fields, 2, NULL, NULL, 0 };
static const ds_type seer = { DS_ABI_VERSION, sizeof( ds_type ), DS_SENSOR, "seer", "sees the water", NULL, &seen_table,
	make_nothing, destroy_nothing, NULL, NULL, see, NULL };

static void test_sensors_see_what_the_query_says( void **state )
{
	(void)state;
	ds_world *world = sea_world( ALL_OF_IT,
		", 'rate': 50, 'bodies': [ { 'name': 'hull', 'mesh': { 'make': 'sphere', 'radius': 0.3, 'faces': 320 }, "
		"'mass': 110, "
		"'pose': { 'position': [3, 4, 1.5] } } ], 'sensors': [ { 'name': 'gauge', 'type': 'pressure', 'body': 'hull', "
		"'rate': 50, 'mount': { 'position': [0.1, -0.05, 0.2] }, 'config': { 'reference': 'gauge' } }, { 'name': "
		"'odo', "
		"'type': 'odometry', 'body': 'hull', 'rate': 50, 'mount': { 'position': [0.1, -0.05, 0.2] } } ]" );
	ds_id gauge, odo;
	OK( ds_world_find( world, DS_SENSOR, "gauge", &gauge ) );
	OK( ds_world_find( world, DS_SENSOR, "odo", &odo ) );
	int wet = 0;
	for ( int i = 0; i < 1500; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		ds_pressure p;
		ds_odometry o;
		OK( ds_sensor_latest( world, gauge, NULL, &p, sizeof( p ) ) );
		OK( ds_sensor_latest( world, odo, NULL, &o, sizeof( o ) ) );
		ds_water w = sea_at( world, o.position[0], o.position[1], o.position[2] );
		NEAR( p.pressure, w.gauge_pressure, 0 );
		wet += w.present;
	}
	assert_true( wet > 0 );
	ds_world_destroy( world );

	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &seer ) );
	ds_environment_def e = ds_environment_def_default();
	ds_current_def current = ds_current_def_default( DS_CURRENT_GAUSS_MARKOV );
	current.deviation[0] = current.deviation[1] = 0.2;
	current.correlation_time = 5;
	e.currents = ( ds_array ){ &current, 1 };
	e.density_kind = DS_DENSITY_PYCNOCLINE;
	e.waves.kind = DS_WAVES_JONSWAP;
	e.waves.height = 1.5;
	e.waves.period = 6;
	e.waves.components = 24;
	ds_world_def def = ds_world_def_default();
	def.environment = &e;
	def.registry = registry;
	def.rate = 100;
	OK( ds_world_create( &def, &world ) );
	ds_body_def point = kit_point( "point", 1, 1, 1, 1 );
	point.hydrodynamics.model = DS_HYDRO_NONE;
	point.pose.position = ds_v3( 5, 6, -20 );
	ds_id body, sensor;
	OK( ds_body_create( world, &point, &body ) );
	ds_sensor_def sd = ds_sensor_def_default();
	snprintf( sd.name, sizeof( sd.name ), "seer" );
	snprintf( sd.type, sizeof( sd.type ), "seer" );
	sd.body = body;
	OK( ds_sensor_create( world, &sd, &sensor ) );
	for ( int i = 0; i < 600; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		seen s;
		OK( ds_sensor_latest( world, sensor, NULL, &s, sizeof( s ) ) );
		ds_vec3 at = kit_motion( world, body ).pose.position;
		ds_water w = sea_at( world, at.x, at.y, at.z );
		double expected[10];
		put( expected, &w );
		assert_memory_equal( s.context, expected, sizeof( expected ) );
		assert_memory_equal( s.host, expected, sizeof( expected ) );
	}
	ds_world_destroy( world );
	ds_registry_release( registry );
}

// A body is pushed by the density and dragged by the velocity that the query gives at the middle of the tick.
static void test_bodies_feel_what_the_query_says( void **state )
{
	(void)state;
	static const char sea[] =
		"{ 'water': { 'density': { 'model': 'pycnocline', 'increase': 30, 'depth': 300 } }, 'currents': "
		"[ { 'model': 'exponential', 'velocity': [0.5, 0.2, 0], 'depth': 1e6 }, { 'model': 'tidal', "
		"'constituents': [ { 'period': 600, 'major': 0.3, 'minor': 0.1 } ] } ], 'surface_pressure': 0 }";
	for ( double z = 5; z < 300; z += 40 )
	{
		ds_world *world = sea_world( sea, ", 'rate': 1000" );
		OK( ds_world_step( world, 25000 ) );
		ds_water w = sea_at( world, 0, 0, z );
		ds_mesh *ball = kit_sphere( 0.2, 320 );
		ds_body_def def = kit_hull( "ball", ball, 34 );
		def.hydrodynamics.drag = true;
		def.pose.position = ds_v3( 0, 0, z );
		def.velocity.linear = w.velocity;
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, 1 ) );
		ds_body_forces f;
		OK( ds_body_forces_get( world, id, &f ) );
		double volume = ds_mesh_measure( ball ).volume;
		NEAR( -f.hydrostatic.force.z / ( G * volume ), w.density, 1e-4 );
		NEAR( ds_length( f.drag.force ), 0, 1e-6 ); // 1e-3 m/s would be 6e-5 N
		ds_world_destroy( world );
		ds_mesh_release( ball );
	}
}

static void test_bad_questions( void **state )
{
	(void)state;
	ds_world *world = sea_world( "{}", "" );
	ds_water w;
	FAILS( ds_water_at( NULL, ds_v3( 0, 0, 0 ), &w ), DS_ERROR_ARGUMENT, "needs a world" );
	FAILS( ds_water_at( world, ds_v3( 0, 0, 0 ), NULL ), DS_ERROR_ARGUMENT, "room" );
	FAILS( ds_water_at( world, ds_v3( 0, NAN, 0 ), &w ), DS_ERROR_NOT_FINITE, "position" );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_uniform_density ),
		cmocka_unit_test( test_pycnocline ),
		cmocka_unit_test( test_equations_of_state ),
		cmocka_unit_test( test_profiles_by_levels_and_files ),
		cmocka_unit_test( test_gravity_by_latitude ),
		cmocka_unit_test( test_waves ),
		cmocka_unit_test( test_every_current ),
		cmocka_unit_test( test_ekman ),
		cmocka_unit_test( test_currents_in_time ),
		cmocka_unit_test( test_sensors_see_what_the_query_says ),
		cmocka_unit_test( test_bodies_feel_what_the_query_says ),
		cmocka_unit_test( test_bad_questions ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
