// Whole worlds in a sea: repeatable to the bit with all of it moving; floats that bob, drift and are blown along as closed forms
// say; and scenarios that are wrong say where.

#include "../unit/sea_kit.h"
#include "sea_storm.h"

#define RHO 1025.0
#define G   9.81

// ---- repeatable -------------------------------------------------------------------------------------------------------

#define TICKS 500

static void same_water( ds_water a, ds_water b )
{
	assert_true( a.present == b.present && a.density == b.density && a.pressure == b.pressure );
	assert_true( a.velocity.x == b.velocity.x && a.velocity.y == b.velocity.y && a.velocity.z == b.velocity.z );
	assert_true( a.gauge_pressure == b.gauge_pressure && a.temperature == b.temperature );
	assert_true( a.salinity == b.salinity && a.sound_speed == b.sound_speed );
}

static void test_repeats_to_the_bit( void **state )
{
	(void)state;
	ds_world *world = sea_world( STORM, FLEET );
	OK( ds_world_step( world, TICKS ) );
	saved middle = save( world );
	OK( ds_world_step( world, TICKS ) );
	saved end = save( world );
	ds_water water = sea_at( world, 2, 3, 4 );

	// another world of the same scenario
	ds_world *other = sea_world( STORM, FLEET );
	OK( ds_world_step( other, 2 * TICKS ) );
	same( end, save( other ) );

	// back to the middle, in both
	OK( ds_world_restore( world, middle.bytes, middle.size ) );
	same( middle, save( world ) );
	OK( ds_world_step( world, TICKS ) );
	same( end, save( world ) );
	same_water( water, sea_at( world, 2, 3, 4 ) );
	ds_world *fresh = sea_world( STORM, FLEET );
	OK( ds_world_restore( fresh, middle.bytes, middle.size ) );
	OK( ds_world_step( fresh, TICKS ) );
	same( end, save( fresh ) );

	// a clone of the middle, which outlives what it was made from
	OK( ds_world_restore( other, middle.bytes, middle.size ) );
	ds_world *clone;
	OK( ds_world_clone( other, &clone ) );
	ds_world_destroy( other );
	OK( ds_world_step( clone, TICKS ) );
	same( end, save( clone ) );
	same_water( water, sea_at( clone, 2, 3, 4 ) );

	// from the start, and with another seed
	OK( ds_world_reset( clone, 42 ) );
	OK( ds_world_step( clone, 2 * TICKS ) );
	same( end, save( clone ) );
	OK( ds_world_reset( clone, 43 ) );
	OK( ds_world_step( clone, 2 * TICKS ) );
	saved unlike = save( clone );
	assert_true( memcmp( unlike.bytes, end.bytes, end.size ) != 0 );

	// a snapshot brings its seed's waves and gusts along, into a world of another seed; and others do not notice
	OK( ds_world_restore( fresh, unlike.bytes, unlike.size ) );
	same_water( sea_at( clone, 2, 3, 4 ), sea_at( fresh, 2, 3, 4 ) );
	OK( ds_world_step( fresh, TICKS ) );
	OK( ds_world_step( clone, TICKS ) );
	free( unlike.bytes );
	unlike = save( clone );
	same( unlike, save( fresh ) );
	free( unlike.bytes );
	same( end, save( world ) );
	ds_world_destroy( clone );
	ds_world_destroy( fresh );
	ds_world_destroy( world );
	free( middle.bytes );
	free( end.bytes );
}

// ---- bobbing ------------------------------------------------------------------------------------------------------------

// A sphere that is neutral half way down the pycnocline bobs at N sqrt( rho V / ( m + m_a ) ).
static void test_float_bobs_at_its_isopycnal( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.density_kind = DS_DENSITY_PYCNOCLINE;
	ds_mesh *ball = kit_sphere( 0.5, 320 );
	double volume = ds_mesh_measure( ball ).volume, neutral = 1025 + 3.075 * 0.5;
	for ( int i = 0; i < 2; ++i )
	{
		ds_world *world = kit_world( 5, &e );
		ds_body_def def = kit_hull( "float", ball, neutral * volume );
		def.hydrodynamics.added_mass_kind = i ? DS_ADDED_MASS_ELLIPSOID : DS_ADDED_MASS_NONE;
		def.pose.position.z = 520;
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		double last = 20, up[8] = { 0 }, lowest = 0, highest = 0;
		int count = 0;
		for ( int n = 0; n < 5 * 6000; ++n )
		{
			OK( ds_world_step( world, 1 ) );
			double z = kit_motion( world, id ).depth - 500, t = sea_seconds( world );
			if ( last < 0 && z >= 0 && count < 8 )
			{
				up[count++] = t - 0.2 * z / ( z - last );
			}
			highest = fmin( highest, z );
			lowest = n > 5 * 4500 ? fmax( lowest, z ) : 0;
			last = z;
		}
		double n = sqrt( G / neutral * 3.075e-3 ), period = 2 * DS_PI / n * sqrt( i ? 1.5 : 1 );
		print_message( "bob%s: %.2f s, analytic %.2f s, amplitude %.4f m above, %.4f m below after 4500 s\n",
			i ? ", added mass" : "", ( up[count - 1] - up[0] ) / ( count - 1 ), period, -highest, lowest );
		assert_true( count >= 3 );
		NEAR( ( up[count - 1] - up[0] ) / ( count - 1 ), period, 0.001 * period );
		if ( i )
		{
			NEAR( period, 1418, 0.01 * 1418 );
		}
		NEAR( -highest, 20, 0.02 );
		NEAR( lowest, 20, 0.02 );
		ds_world_destroy( world );
	}
	ds_mesh_release( ball );
}

// ---- drifting -------------------------------------------------------------------------------------------------------------

// Where the drag of the air is that of the water: a box as deep in one as high in the other goes at W r / ( 1 + r ), r the root of
// the densities.
static void test_wind_blows_a_box_along( void **state )
{
	(void)state;
	static const char *const winds[] = { "{ 'wind': { 'model': 'uniform', 'velocity': [12, 0, 0] } }",
		"{ 'wind': { 'model': 'uniform', 'velocity': [0, -12, 0] }, 'currents': [ { 'model': 'uniform', 'velocity': "
		"[0.3, "
		"0.2, 0] } ] }",
		"{ 'wind': { 'model': 'uniform', 'velocity': [12, 0, 0] }, 'waves': { 'model': 'regular', 'height': 1e-9, "
		"'period': "
		"10 } }",
		"{ 'wind': { 'model': 'logarithmic', 'velocity': [12, 0, 0] } }" };
	for ( int i = 0; i < 4; ++i )
	{
		ds_world *world = sea_world( winds[i],
			", 'rate': 50, 'bodies': [ { 'name': 'box', 'mesh': { 'make': 'box', 'size': [1, 1, 0.4] }, 'mass': 205, "
			"'cg': "
			"[0, 0, 0.15], 'inertia': [60, 60, 60], 'hydrodynamics': { 'added_mass': 'none', 'skin_drag': 0 } } ]" );
		OK( ds_world_step( world, 50 * 400 ) );
		ds_body_motion m = kit_motion( world, sea_body( world, "box" ) );
		double r = sqrt( 1.225 / RHO );
		ds_vec3 current = i == 1 ? ds_v3( 0.3, 0.2, 0 ) : ds_v3( 0, 0, 0 );
		ds_vec3 wind = i == 1 ? ds_v3( 0, -12, 0 ) : ds_v3( 12, 0, 0 );
		double tolerance = 0.01;
		if ( i == 3 )
		{
			// the face's middle is 0.1 m over the water
			wind = ds_scale( log( 0.1 / 0.0002 ) / log( 10 / 0.0002 ), wind );
			tolerance = 0.05;
		}
		// (W - v)^2 rho_a = (v - u)^2 rho along the difference of wind and current
		ds_vec3 v = ds_mad( current, r / ( 1 + r ), ds_sub( wind, current ) );
		if ( i != 1 )
		{
			print_message( "wind %d: drift %.5f m/s, expected %.5f\n", i, m.velocity_world.linear.x, v.x );
			NEAR( m.velocity_world.linear.x, v.x, tolerance * v.x );
			NEAR( m.velocity_world.linear.y, 0, 1e-4 );
		}
		else
		{
			// the flows are not quite opposed to the same faces: form drag is by the face
			print_message( "wind and current: drift %.5f %.5f m/s, expected %.5f %.5f\n", m.velocity_world.linear.x,
				m.velocity_world.linear.y, v.x, v.y );
			NEAR3( m.velocity_world.linear, v, 0.03 );
		}
		NEAR( m.velocity_world.linear.z, 0, 1e-6 );
		ds_world_destroy( world );
	}
}

// Neutral balls at some depths go with the current that is there.
static void drift_with( const char *environment, double latitude, const double *depths, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		char rest[1024];
		snprintf( rest, sizeof( rest ),
			", 'rate': 20, 'origin': { 'latitude_deg': %g }, 'bodies': [ { 'name': 'ball', 'mesh': { 'make': 'sphere', "
			"'radius': 0.1, 'faces': 80 }, 'mass': 4, 'pose': { 'position': [0, 0, %g] }, 'hydrodynamics': { 'volume': "
			"'neutral', 'form_drag': 2 } } ]",
			latitude, depths[i] );
		ds_world *world = sea_world( environment, rest );
		ds_vec3 u = sea_at( world, 0, 0, depths[i] ).velocity;
		OK( ds_world_step( world, 20 * 600 ) );
		ds_body_motion m = kit_motion( world, sea_body( world, "ball" ) );
		print_message( "drift at %g m: %.5f %.5f m/s in %.5f %.5f\n", depths[i], m.velocity_world.linear.x,
			m.velocity_world.linear.y, u.x, u.y );
		assert_true( ds_length( u ) > 0.01 );
		NEAR( m.depth, depths[i], 0.3 ); // while it was slower than the water it spun in the shear, which drags it down
		u = sea_at( world, 0, 0, m.depth ).velocity;
		// quadratic drag: what it has yet to make up falls as 1/t
		double rate = 2 * 0.5 * 1025 * DS_PI * 0.01 / 6; // of the difference, times itself [1/m]
		NEAR3( m.velocity_world.linear, u, 1.2 / ( rate * 600 ) + 1e-4 );
		ds_world_destroy( world );
	}
}

static void test_bodies_drift_with_the_current_at_their_depth( void **state )
{
	(void)state;
	static const double shallow[] = { 5, 20, 45 };
	drift_with(
		"{ 'currents': [ { 'model': 'exponential', 'velocity': [0.6, -0.3, 0], 'depth': 30 } ] }", 0, shallow, 3 );
	static const char ekman[] =
		"{ 'earth_rotation': true, 'currents': [ { 'model': 'ekman', 'interior': [0.05, 0.02], "
		"'surface_layer': 50, 'bed_layer': 20, 'stress': { 'wind_speed': 12, 'wind_direction_deg': "
		"20 } } ], 'seabed': { 'elevation': { 'model': 'flat', 'depth': 200 } } }";
	drift_with( ekman, 48, shallow, 3 );
	drift_with( ekman, -48, shallow, 2 );
}

// The wind's spiral: a float under the surface goes to the right of the wind in the north, to the left in the south, and the more
// the deeper.
static void test_spiral( void **state )
{
	(void)state;
	for ( int south = 0; south < 2; ++south )
	{
		char rest[256];
		snprintf( rest, sizeof( rest ), ", 'origin': { 'latitude_deg': %d }", south ? -48 : 48 );
		ds_world *world =
			sea_world( "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 50, 'bed_layer': 20, 'bed': 1000, "
					   "'stress': [0.1, 0] } ] }",
				rest );
		double side = south ? -1 : 1;
		for ( int i = 0; i <= 3; ++i )
		{
			ds_vec3 u = sea_at( world, 0, 0, 12.5 * i ).velocity;
			NEAR(
				side * atan2( u.y, u.x ), 0.25 * DS_PI * ( 1 + i ) > DS_PI ? -DS_PI : 0.25 * DS_PI * ( 1 + i ), 2e-3 );
		}
		ds_world_destroy( world );
	}
}

// A box with lift falls flat into the water without spin: the torque of the lift starts one, at any rate of ticks.
static void test_lift_starts_a_spin( void **state )
{
	(void)state;
	double turned[2];
	for ( int i = 0; i < 2; ++i )
	{
		ds_world *world = sea_world( "{}",
			i ? ", 'rate': 1000, 'bodies': [ { 'name': 'box', 'mesh': { 'make': 'box', 'size': [1, 0.6, 0.3] }, "
				"'mass': 117, "
				"'pose': { 'position': [0, 0, -2], 'rpy_deg': [5, 10, 40] }, 'hydrodynamics': { 'lift': 0.3 } } ]"
			  : ", 'rate': 200, 'bodies': [ { 'name': 'box', 'mesh': { 'make': 'box', 'size': [1, 0.6, 0.3] }, 'mass': "
				"117, "
				"'pose': { 'position': [0, 0, -2], 'rpy_deg': [5, 10, 40] }, 'hydrodynamics': { 'lift': 0.3 } } ]" );
		OK( ds_world_step( world, ds_world_ticks( world, 0.7 ) ) );
		ds_body_motion m = kit_motion( world, sea_body( world, "box" ) );
		turned[i] = ds_length( m.velocity_body.angular );
		assert_true( m.depth > 0 && turned[i] > 0.1 );
		ds_world_destroy( world );
	}
	NEAR( turned[0], turned[1], 0.05 * turned[1] );
}

// ---- what is wrong ----------------------------------------------------------------------------------------------------------

static void refuse( const char *environment, const char *where, const char *what )
{
	ds_world *world;
	ds_status status = sea_try( environment, "", &world );
	if ( status == DS_OK )
	{
		fail_msg( "%s: was taken", environment );
	}
	const char *error = ds_last_error();
	if ( strstr( error, where ) == NULL || strstr( error, what ) == NULL )
	{
		fail_msg( "%s\n  expected \"%s\" and \"%s\"\n  got %s", environment, where, what, error );
	}
	assert_null( world );
}

static void test_wrong_keys( void **state )
{
	(void)state;
	// every number just outside its range; the environment starts on line 3
	static const struct
	{
		const char *text, *key, *what;
	} bad[] = {
		{ "{ 'gravity': 101 }", "environment.gravity", "100" },
		{ "{ 'gravity': 'moon' }", "environment.gravity", "latitude" },
		{ "{ 'earth_rotation': 1 }", "environment.earth_rotation", "true" },
		{ "{ 'water': { 'density': 0.5 } }", "water.density", "1" },
		{ "{ 'water': { 'density': { 'model': 'soup' } } }", "density", "soup" },
		{ "{ 'water': { 'density': { 'model': 'pycnocline', 'surface': 0 } } }", "density.surface", "1" },
		{ "{ 'water': { 'density': { 'model': 'pycnocline', 'increase': -1 } } }", "density.increase", "0" },
		{ "{ 'water': { 'density': { 'model': 'pycnocline', 'depth': 0 } } }", "density.depth", "1" },
		{ "{ 'water': { 'density': { 'model': 'table' } } }", "density", "levels" },
		{ "{ 'water': { 'density': { 'model': 'table', 'levels': [] } } }", "environment.water: ", "table" },
		{ "{ 'water': { 'density': { 'model': 'table', 'levels': [ { 'depth': 5 }, { 'depth': 5 } ] } } }", "",
			"level" },
		{ "{ 'water': { 'temperature': 51 } }", "water.temperature", "50" },
		{ "{ 'water': { 'salinity': -1 } }", "water.salinity", "0" },
		{ "{ 'water': { 'sound': 'quick' } }", "water.sound", "mackenzie" },
		{ "{ 'water': { 'interpolation': 'spline' } }", "water.interpolation", "monotone" },
		{ "{ 'water': { 'profile': [ { 'depth': 10 }, { 'depth': 5 } ] } }", "environment.water: ", "deeper" },
		{ "{ 'water': { 'profile': [ { 'depth': 10, 'temperature': 60 } ] } }", "profile[0].temperature", "50" },
		{ "{ 'waves': { 'model': 'tsunami' } }", "waves", "tsunami" },
		{ "{ 'waves': { 'model': 'regular', 'height': 31 } }", "waves.height", "30" },
		{ "{ 'waves': { 'model': 'regular', 'period': 0.4 } }", "waves.period", "0.5" },
		{ "{ 'waves': { 'model': 'regular', 'gamma': 3 } }", "waves.gamma", "unknown key" },
		{ "{ 'waves': { 'model': 'regular', 'height': 8, 'period': 4 } }", "environment.waves: ", "break" },
		{ "{ 'waves': { 'model': 'jonswap', 'gamma': 11 } }", "waves.gamma", "10" },
		{ "{ 'waves': { 'model': 'jonswap', 'components': 0 } }", "waves.components", "512" },
		{ "{ 'waves': { 'model': 'jonswap', 'components': 513 } }", "waves.components", "512" },
		{ "{ 'waves': { 'model': 'jonswap', 'spreading': -1 } }", "waves.spreading", "200" },
		{ "{ 'waves': { 'model': 'pierson_moskowitz', 'depth': -1 } }", "waves.depth", "20000" },
		{ "{ 'wind': { 'model': 'uniform', 'velocity': [1, 2] } }", "wind.velocity", "3" },
		{ "{ 'wind': { 'model': 'uniform', 'velocity': [101, 0, 0] } }", "wind.velocity", "100" },
		{ "{ 'wind': { 'model': 'uniform', 'gust': [-1, 0, 0] } }", "wind.gust", "50" },
		{ "{ 'wind': { 'model': 'uniform', 'gust_time': 0 } }", "wind.gust_time", "0.01" },
		{ "{ 'wind': { 'model': 'uniform', 'air_density': 11 } }", "wind.air_density", "10" },
		{ "{ 'wind': { 'model': 'uniform', 'roughness': 0.1 } }", "wind.roughness", "unknown key" },
		{ "{ 'wind': { 'model': 'logarithmic', 'roughness': 2 } }", "wind.roughness", "1" },
		{ "{ 'currents': { 'model': 'uniform' } }", "currents", "array" },
		{ "{ 'currents': [ {} ] }", "currents[0]", "model" },
		{ "{ 'currents': [ { 'model': 'uniform' } ] }", "currents[0]", "velocity" },
		{ "{ 'currents': [ { 'model': 'uniform', 'velocity': [1, 1, 101] } ] }", "currents[0].velocity", "100" },
		{ "{ 'currents': [ { 'model': 'exponential', 'velocity': [1, 1, 1], 'depth': 0 } ] }", "currents[0].depth",
			"0" },
		{ "{ 'currents': [ { 'model': 'power', 'velocity': [1, 1, 1] } ] }", "environment.currents[0]: current 0",
			"bed" },
		{ "{ 'currents': [ { 'model': 'power', 'velocity': [1, 1, 1], 'bed': 0 } ] }", "currents[0].bed", "0" },
		{ "{ 'currents': [ { 'model': 'power', 'velocity': [1, 1, 1], 'bed': 9, 'exponent': 0 } ] }", "exponent",
			"10" },
		{ "{ 'currents': [ { 'model': 'ekman', 'bed_layer': 9 } ] }", "currents[0]", "surface_layer" },
		{ "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 9, 'bed_layer': 0 } ] }", "currents[0].bed_layer",
			"0" },
		{ "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 9, 'bed_layer': 9, 'stress': [1] } ] }", "stress",
			"2" },
		{ "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 9, 'bed_layer': 9, 'latitude_deg': 91 } ] }",
			"latitude", "90" },
		{ "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 9, 'bed_layer': 9, 'stress': { 'wind_speed': 151 } } ] "
		  "}",
			"wind_speed", "150" },
		{ "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 9, 'bed_layer': 9, 'stress': { 'wind_speed': 9, "
		  "'drag': 'big' "
		  "} } ] }",
			"drag", "table" },
		{ "{ 'currents': [ { 'model': 'profile', 'levels': [] } ] }", "environment.currents[0]: current 0", "level" },
		{ "{ 'currents': [ { 'model': 'profile', 'levels': [ { 'depth': 3, 'velocity': [0, 0, 0] }, { 'depth': 2, "
		  "'velocity': "
		  "[0, 0, 0] } ] } ] }",
			"environment.currents[0]: current 0", "depth" },
		{ "{ 'currents': [ { 'model': 'tidal', 'constituents': [ { 'period': 'M9', 'major': 1 } ] } ] }", "period",
			"M9" },
		{ "{ 'currents': [ { 'model': 'tidal', 'constituents': [ { 'period': 0, 'major': 1 } ] } ] }", "period", "0" },
		{ "{ 'currents': [ { 'model': 'gauss_markov', 'deviation': [1, 1, -1] } ] }", "deviation", "100" },
		{ "{ 'currents': [ { 'model': 'gauss_markov', 'deviation': [1, 1, 1], 'correlation_time': 0 } ] }",
			"correlation_time", "0" },
		{ "{ 'currents': [ { 'model': 'jet', 'position': [0, 0, 0], 'direction': [0, 0, 0], 'radius': 1, 'speed': 1 } "
		  "] }",
			"environment.currents[0]: current 0", "direction" },
		{ "{ 'currents': [ { 'model': 'jet', 'position': [0, 0, 0], 'direction': [1, 0, 0], 'radius': 0, 'speed': 1 } "
		  "] }",
			"radius", "0" },
		{ "{ 'currents': [ { 'model': 'pipe', 'position': [0, 0, 0], 'direction': [1, 0, 0], 'radius': 1, 'speed': 1 } "
		  "] }",
			"currents[0]", "length" },
		{ "{ 'earth_rotation': true }", "environment.earth_rotation", "origin.latitude_deg is missing" },
		{ "{ 'gravity': 'latitude' }", "environment.gravity", "origin.latitude_deg is missing" },
		{ "{ 'currents': [ { 'model': 'ekman', 'surface_layer': 9, 'bed_layer': 9 } ] }", "environment.currents[0]",
			"origin.latitude_deg is missing" },
	};
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		refuse( bad[i].text, bad[i].key, bad[i].what );
		refuse( bad[i].text, "sea.json:3:", bad[i].what );
	}
}

static void test_wrong_files( void **state )
{
	(void)state;
	static const struct
	{
		const char *csv, *where, *what;
	} bad[] = {
		{ "", "bad.csv", "header" },
		{ "depth[m],temperature[degC],salinity[PSU]\n", "bad.csv", "level" },
		{ "depth[m],temperature[degC]\n0,5\n", "bad.csv:1", "salinity" },
		{ "depth[m],temperature[F],salinity[PSU]\n0,5,35\n", "bad.csv:1", "unit" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,5,35\n0,5,35\n", "bad.csv:3", "deeper" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,5,35\n9,five,35\n", "bad.csv:3", "five" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,5,35\n9,5\n", "bad.csv:3", "" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,5,nan\n", "bad.csv:2", "" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,5,70\n", "bad.csv:2", "50" },
		{ "depth[m],depth[m],temperature[degC],salinity[PSU]\n0,0,5,7\n", "bad.csv:1", "depth" },
	};
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		sea_file( "bad.csv", bad[i].csv );
		refuse( "{\n'water': { 'profile': 'bad.csv' } }", bad[i].where, bad[i].what );
		refuse( "{\n'water': { 'profile': 'bad.csv' } }", "sea.json:4:", "environment.water.profile" );
	}
	refuse( "{\n'water': { 'profile': 'none.csv' } }", "sea.json:4:", "none.csv" );
	refuse( "{ 'water': {\n\n'density': { 'model': 'table', 'levels': 'none.csv' } } }", "sea.json:5:", "none.csv" );
	sea_file( "bad.csv", "depth[m],density[kg/m3]\n0,1025\n5,-3\n" );
	refuse( "{ 'water': { 'density': { 'model': 'table', 'levels': 'bad.csv' } } }", "bad.csv:3", "density" );
	refuse( "{ 'water': { 'density': { 'model': 'table', 'levels': 'bad.csv' } } }", "sea.json:3:", "density.levels" );
}

// The same by C: nothing is taken that a scenario would not take.
static void test_wrong_definitions( void **state )
{
	(void)state;
	for ( int i = 0; i < 12; ++i )
	{
		ds_environment_def e = ds_environment_def_default();
		const char *what = "";
		ds_current_def current = ds_current_def_default( DS_CURRENT_UNIFORM );
		e.currents = ( ds_array ){ &current, 1 };
		switch ( i )
		{
			case 0:
				e.density_kind = 77;
				what = "kind";
				break;
			case 1:
				e.sound = 9;
				what = "sound";
				break;
			case 2:
				e.waves.kind = 9;
				what = "waves";
				break;
			case 3:
				e.wind.kind = -1;
				what = "wind";
				break;
			case 4:
				current.kind = 99;
				what = "current 0";
				break;
			case 5:
				current.velocity[1] = NAN;
				what = "current 0";
				break;
			case 6:
				e.waves.kind = DS_WAVES_REGULAR;
				e.waves.height = INFINITY;
				what = "waves";
				break;
			case 7:
				e.wind.kind = DS_WIND_UNIFORM;
				e.wind.gust[0] = -1;
				what = "gust";
				break;
			case 8:
				e.density_kind = DS_DENSITY_TABLE;
				what = "table";
				break;
			case 9:
				e.profile = ( ds_array ){ NULL, 3 };
				what = "profile";
				break;
			case 10:
				e.density_kind = DS_DENSITY_PYCNOCLINE;
				e.density_depth = 0;
				what = "depth";
				break;
			default:
				e.temperature = 400;
				what = "temperature";
				break;
		}
		ds_world_def def = ds_world_def_default();
		def.environment = &e;
		ds_world *world = NULL;
		ds_status status = ds_world_create( &def, &world );
		if ( status == DS_OK || strstr( ds_last_error(), what ) == NULL )
		{
			fail_msg( "definition %d: \"%s\": %s", i, what, status == DS_OK ? "was taken" : ds_last_error() );
		}
		assert_null( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_repeats_to_the_bit ),
		cmocka_unit_test( test_float_bobs_at_its_isopycnal ),
		cmocka_unit_test( test_wind_blows_a_box_along ),
		cmocka_unit_test( test_bodies_drift_with_the_current_at_their_depth ),
		cmocka_unit_test( test_spiral ),
		cmocka_unit_test( test_lift_starts_a_spin ),
		cmocka_unit_test( test_wrong_keys ),
		cmocka_unit_test( test_wrong_files ),
		cmocka_unit_test( test_wrong_definitions ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
