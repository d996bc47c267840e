// Wind: profile, gusts, and drag of dry faces.

#include "hydro_shapes.h"

#include "hydro/wind.h"

static ds_wind wind_of( ds_wind_def def )
{
	ds_wind wind;
	if ( ds_wind_create( &def, &wind ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return wind;
}

static ds_wind_def blow( int32_t kind, double north, double east )
{
	ds_wind_def def = ds_wind_def_default();
	def.kind = kind;
	def.velocity[0] = north;
	def.velocity[1] = east;
	return def;
}

static void test_profiles( void **state )
{
	(void)state;
	ds_wind_state calm = { { 0, 0, 0 }, 0 };
	ds_wind wind = wind_of( blow( DS_WIND_UNIFORM, 3, -4 ) );
	ASSERT_NEAR3( ds_wind_at( &wind, &calm, ds_v3( 7, 8, -0.1 ) ), ds_v3( 3, -4, 0 ), 0 );
	ASSERT_NEAR3( ds_wind_at( &wind, &calm, ds_v3( 7, 8, 0.1 ) ), ds_v3( 0, 0, 0 ), 0 );

	// the logarithm's slope is u* / kappa: equal ratios of height add equal speeds; u* by the reference
	ds_wind_def def = blow( DS_WIND_LOGARITHMIC, 12, 5 );
	def.roughness = 1e-3;
	wind = wind_of( def );
	ASSERT_NEAR3( ds_wind_at( &wind, &calm, ds_v3( 0, 0, -10 ) ), ds_v3( 12, 5, 0 ), 1e-12 );
	double step = 13 * log( 2.0 ) / log( 1e4 );
	for ( double h = 0.01; h < 100; h *= 2 )
	{
		double low = ds_length( ds_wind_velocity( &wind, &calm, h ) );
		double high = ds_length( ds_wind_velocity( &wind, &calm, 2 * h ) );
		ASSERT_NEAR( high - low, step, 1e-12 );
	}
	ASSERT_NEAR3( ds_wind_velocity( &wind, &calm, 1e-3 ), ds_v3( 0, 0, 0 ), 1e-12 );
	ASSERT_NEAR3( ds_wind_velocity( &wind, &calm, 5e-4 ), ds_v3( 0, 0, 0 ), 0 );
	wind = wind_of( ds_wind_def_default() );
	ASSERT_NEAR3( ds_wind_velocity( &wind, &calm, 10 ), ds_v3( 0, 0, 0 ), 0 );
}

// Variance and autocorrelation of gusts, whatever the step; the start is stationary.
static void test_gusts( void **state )
{
	(void)state;
	ds_wind_def def = blow( DS_WIND_UNIFORM, 10, 0 );
	def.gust[0] = 1.5;
	def.gust[1] = 1;
	def.gust[2] = 0.5;
	def.gust_time = 8;
	const double steps[] = { 0.8, 8 };
	for ( int k = 0; k < 2; ++k )
	{
		enum
		{
			SEEDS = 400,
			COUNT = 250
		};
		double start[3] = { 0 }, power[3] = { 0 }, lag[3] = { 0 }, cross = 0, sum = 0;
		for ( int seed = 0; seed < SEEDS; ++seed )
		{
			def.seed = seed;
			ds_wind wind = wind_of( def );
			ds_wind_state s, before;
			ds_wind_start( &wind, &s );
			for ( int i = 0; i < 3; ++i )
			{
				start[i] += s.gust[i] * s.gust[i] / SEEDS;
			}
			for ( int n = 0; n < COUNT; ++n )
			{
				before = s;
				ds_wind_advance( &wind, steps[k], &s );
				for ( int i = 0; i < 3; ++i )
				{
					power[i] += s.gust[i] * s.gust[i] / ( SEEDS * COUNT );
					lag[i] += s.gust[i] * before.gust[i] / ( SEEDS * COUNT );
				}
				cross += s.gust[0] * s.gust[1] / ( SEEDS * COUNT );
				sum += s.gust[0] / ( SEEDS * COUNT );
			}
		}

		// effective samples: 400 * 250 / ( 1 + 2 T / dt ) or more; 4 standard errors
		double effective = SEEDS * COUNT / ( 1 + 8 / steps[k] );
		for ( int i = 0; i < 3; ++i )
		{
			double v = def.gust[i] * def.gust[i];
			ASSERT_NEAR( start[i] / v, 1, 4 * sqrt( 2.0 / SEEDS ) );
			ASSERT_NEAR( power[i] / v, 1, 4 * sqrt( 2 / effective ) );
			ASSERT_NEAR( lag[i] / power[i], exp( -steps[k] / 8 ), 0.02 );
		}
		ASSERT_NEAR( sum, 0, 4 * 1.5 * sqrt( 2 / effective ) );
		ASSERT_NEAR( cross, 0, 4 * 1.5 * sqrt( 2 / effective ) );
	}
}

// Gusts are along and across the mean wind, and a function of the seed and the number of the draw alone.
static void test_gust_axes( void **state )
{
	(void)state;
	ds_wind_def def = blow( DS_WIND_UNIFORM, 0, 10 );
	ds_wind wind = wind_of( def );
	ds_wind_state s = { { 2, 3, 4 }, 0 };
	ASSERT_NEAR3( ds_wind_velocity( &wind, &s, 5 ), ds_v3( -3, 12, 4 ), 1e-12 );
	def.gust[0] = 1;
	wind = wind_of( def );
	ds_wind_state a, b;
	ds_wind_start( &wind, &a );
	ds_wind_advance( &wind, 0.1, &a );
	b = a;
	ds_wind_advance( &wind, 0.1, &a );
	ds_wind_advance( &wind, 0.1, &b );
	assert_memory_equal( &a, &b, sizeof( a ) );
	assert_true( a.gust[1] == 0 && a.gust[0] != 0 );
}

// A box in the air: drag on the projected area; half in the water: half of it, and of the skin.
static void test_drag_of_a_box( void **state )
{
	(void)state;
	const double rho = 1.225, c = 0.8;
	ds_faces *faces = faces_with_drag( shape_box( ds_v3( -1, -0.5, -0.25 ), ds_v3( 1, 0.5, 0.25 ) ), c, 0 );
	ds_wind wind = wind_of( blow( DS_WIND_UNIFORM, 10, 0 ) );
	ds_wind_state calm = { { 0, 0, 0 }, 0 };
	ds_flow flow = still_water( ds_quat_identity(), -5 );
	ds_wind_forces out;
	ds_faces_evaluate_wind( faces, &flow, ds_v3( 0, 0, 0 ), &wind, &calm, NULL, &out );
	ASSERT_NEAR3( out.drag.force, ds_v3( 0.5 * rho * c * 0.5 * 100, 0, 0 ), 1e-10 );
	ASSERT_NEAR3( out.drag.torque, ds_v3( 0, 0, 0 ), 1e-10 );
	ASSERT_NEAR( out.dry_area, 2 * ( 2 + 1 + 0.5 ), 1e-12 );

	// with the wind it feels none; against it four times
	ds_faces_evaluate_wind( faces, &flow, ds_v3( 10, 0, 0 ), &wind, &calm, NULL, &out );
	ASSERT_NEAR3( out.drag.force, ds_v3( 0, 0, 0 ), 1e-12 );
	ds_faces_evaluate_wind( faces, &flow, ds_v3( -10, 0, 0 ), &wind, &calm, NULL, &out );
	ASSERT_NEAR3( out.drag.force, ds_v3( 0.5 * rho * c * 0.5 * 400, 0, 0 ), 1e-10 );

	// half wet: the dry half's centre is 0.125 m above the reference point, so that the wind pitches it down astern
	flow.depth = 0;
	ds_faces_evaluate_wind( faces, &flow, ds_v3( 0, 0, 0 ), &wind, &calm, NULL, &out );
	double half = 0.5 * rho * c * 0.25 * 100;
	ASSERT_NEAR3( out.drag.force, ds_v3( half, 0, 0 ), 1e-10 );
	ASSERT_NEAR3( out.drag.torque, ds_v3( 0, -0.125 * half, 0 ), 1e-10 );
	ASSERT_NEAR( out.dry_area, 2 + 2 * 0.25 * 3, 1e-12 );

	// turned and drifting, the same in body axes
	flow.attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.7 ) );
	wind = wind_of( blow( DS_WIND_UNIFORM, 10 * cos( 0.7 ), 10 * sin( 0.7 ) ) );
	ds_faces_evaluate_wind( faces, &flow, ds_v3( 0, 0, 0 ), &wind, &calm, NULL, &out );
	ASSERT_NEAR3( out.drag.force, ds_v3( half, 0, 0 ), 1e-10 );

	// under water: nothing
	flow.depth = 3;
	ds_faces_evaluate_wind( faces, &flow, ds_v3( 0, 0, 0 ), &wind, &calm, NULL, &out );
	assert_true( out.dry_area == 0 && out.drag.force.x == 0 );
	ds_faces_destroy( faces );
}

// The law is that of faces.h: a body wholly in a uniform wind feels what it feels in water of that density.
static void test_same_law_as_water( void **state )
{
	(void)state;
	uint64_t seed = 9;
	for ( int k = 0; k < 20; ++k )
	{
		shape s = shape_ellipsoid( ds_v3( 1, 0.6, 0.3 ), 2 );
		ds_faces_def d = shape_def( &s );
		d.form_drag = k % 2 ? ds_v3( 0.4, 0.7, 1.1 ) : ds_v3( 0.5, 0.5, 0.5 );
		d.skin_drag = 0.01;
		d.pose.position = ds_v3( 0.1, -0.2, 0.3 );
		ds_faces *faces = faces_of( &d );
		shape_free( &s );
		ds_wind wind = wind_of( blow( DS_WIND_UNIFORM, 8 * noise( &seed ), 8 * noise( &seed ) ) );
		ds_wind_state gust = { { noise( &seed ), noise( &seed ), noise( &seed ) }, 0 };
		ds_flow flow = still_water( noise_attitude( &seed ), -20 );
		flow.rate = noise3( &seed );
		ds_vec3 velocity = noise3( &seed );
		ds_wind_forces dry;
		ds_faces_evaluate_wind( faces, &flow, velocity, &wind, &gust, NULL, &dry );

		ds_face_forces wet;
		flow.velocity = ds_sub( velocity, ds_unrotate( flow.attitude, ds_wind_velocity( &wind, &gust, 20 ) ) );
		flow.depth = 20;
		flow.density = 1.225;
		ds_faces_evaluate( faces, &flow, &wet );
		ASSERT_NEAR3( dry.drag.force, wet.drag.force, 1e-11 );
		ASSERT_NEAR3( dry.drag.torque, wet.drag.torque, 1e-11 );
		ASSERT_NEAR( dry.dry_area, wet.wet_area, 1e-11 );
		ds_faces_destroy( faces );
	}
}

// In waves, what is dry and what is wet make the whole: the surface of a long wave is a plane.
static void test_dry_and_wet_make_the_whole( void **state )
{
	(void)state;
	ds_waves_def sea = ds_waves_def_default();
	sea.kind = DS_WAVES_REGULAR;
	sea.height = 4;
	sea.period = 12;
	ds_waves *waves = NULL;
	assert_int_equal( ds_waves_create( NULL, &sea, &waves ), DS_OK );
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 3 ), 0.5, 0.01 );
	ds_flow deep = still_water( ds_quat_identity(), 20 );
	ds_face_forces whole;
	ds_faces_evaluate( faces, &deep, &whole );
	ds_wind wind = wind_of( blow( DS_WIND_UNIFORM, 10, 0 ) );
	ds_wind_state calm = { { 0, 0, 0 }, 0 };
	for ( int i = 0; i < 24; ++i )
	{
		ds_wave_patch patch;
		ds_waves_patch( waves, ds_v3( 0, 0, 0 ), 0.5 * i, &patch );
		ds_flow flow = still_water( ds_quat_identity(), 0.1 - patch.at.elevation );
		ds_wind_forces out;
		ds_faces_evaluate_wind( faces, &flow, ds_v3( 0, 0, 0 ), &wind, &calm, &patch, &out );

		// the cap of a sphere above a plane at the distance 0.1 cos( slope ) above its centre
		double distance = 0.1 / sqrt( 1 + patch.at.slope_north * patch.at.slope_north );
		double cap = whole.wet_area * 0.5 * ( 0.5 - distance ) / 0.5;
		ASSERT_NEAR( out.dry_area, cap, 0.01 * whole.wet_area );
	}
	ds_waves_destroy( waves );
	ds_faces_destroy( faces );
}

static void refuse( ds_wind_def def, ds_status status, const char *part )
{
	ds_wind wind;
	assert_int_equal( ds_wind_create( &def, &wind ), status );
	assert_non_null( strstr( ds_last_error(), part ) );
}

static void test_errors( void **state )
{
	(void)state;
	refuse( blow( 7, 1, 0 ), DS_ERROR_RANGE, "kind" );
	refuse( blow( DS_WIND_UNIFORM, NAN, 0 ), DS_ERROR_NOT_FINITE, "velocity" );
	refuse( blow( DS_WIND_UNIFORM, 300, 0 ), DS_ERROR_RANGE, "velocity" );
	ds_wind_def def = blow( DS_WIND_LOGARITHMIC, 1, 0 );
	def.roughness = 0;
	refuse( def, DS_ERROR_RANGE, "roughness" );
	def = blow( DS_WIND_UNIFORM, 1, 0 );
	def.gust_time = 0;
	refuse( def, DS_ERROR_RANGE, "gust_time" );
	def.gust_time = 1;
	def.gust[1] = -1;
	refuse( def, DS_ERROR_RANGE, "gust" );
	def.gust[1] = 0;
	def.air_density = -1;
	refuse( def, DS_ERROR_RANGE, "air_density" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_profiles ),
		cmocka_unit_test( test_gusts ),
		cmocka_unit_test( test_gust_axes ),
		cmocka_unit_test( test_drag_of_a_box ),
		cmocka_unit_test( test_same_law_as_water ),
		cmocka_unit_test( test_dry_and_wet_make_the_whole ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
