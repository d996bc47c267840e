// The sea over minutes and hours, over many seeds, and at random corners of what scenarios may say.

#include "../unit/sea_kit.h"

#define RHO 1025.0
#define G   9.81

// Variance of the heave of a small float is that of the sea, Hs^2 / 16, within 3 % over seeds.
static void test_float_measures_the_sea( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 0.6, 0.6, 0.2 );
	double heave = 0, surface = 0, speed = 0, wanted = 0;
	const int seeds = 60, seconds = 1200;
	for ( int seed = 0; seed < seeds; ++seed )
	{
		ds_environment_def e = ds_environment_def_default();
		e.waves.kind = seed % 2 ? DS_WAVES_JONSWAP : DS_WAVES_PIERSON_MOSKOWITZ;
		e.waves.height = 0.6;
		e.waves.period = 5;
		e.waves.seed = seed;
		e.waves.components = 128;
		ds_world *world = kit_world( 25, &e );
		ds_body_def def = kit_hull( "float", mesh, 0.5 * RHO * 0.072 );
		def.hydrodynamics.drag = true;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, 25 * 30 ) );
		double sum[4] = { 0 };
		int64_t count = 0;
		for ( int n = 0; n < 25 * seconds; n += 10, ++count )
		{
			OK( ds_world_step( world, 10 ) );
			ds_body_motion m = kit_motion( world, id );
			sum[0] += m.depth;
			sum[1] += m.depth * m.depth;
			sum[2] += m.velocity_world.linear.z * m.velocity_world.linear.z;
			// the surface where it floats: where the water begins
			double low = -4, high = 4;
			for ( int k = 0; k < 24; ++k )
			{
				double middle = 0.5 * ( low + high );
				*( sea_at( world, m.pose.position.x, m.pose.position.y, middle ).present ? &high : &low ) = middle;
			}
			sum[3] += low * low;
		}
		double n = (double)count;
		heave += ( sum[1] - sum[0] * sum[0] / n ) / n / seeds;
		speed += sum[2] / n / seeds;
		surface += sum[3] / n / seeds;
		wanted += 0.6 * 0.6 / 16 / seeds;
		ds_world_destroy( world );
	}
	print_message(
		"float in %d seas: heave variance %.5f m2, of the surface over it %.5f m2, Hs^2/16 %.5f m2; %.4f m2/s2\n",
		seeds, heave, surface, wanted, speed );
	NEAR( heave, surface, 0.03 * surface );
	NEAR( heave, wanted, 0.03 * wanted );
	ds_mesh_release( mesh );
}

// Nothing fades and nothing grows in a day of bobbing without drag.
static void test_bobbing_for_a_day( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.density_kind = DS_DENSITY_PYCNOCLINE;
	ds_mesh *ball = kit_sphere( 0.5, 320 );
	ds_world *world = kit_world( 5, &e );
	ds_body_def def = kit_hull( "float", ball, ( 1025 + 3.075 * 0.5 ) * ds_mesh_measure( ball ).volume );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.pose.position.z = 600;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double last = 100, first = -1, up = -1, late = 0;
	int count = 0;
	for ( int n = 0; n < 5 * 86400; ++n )
	{
		OK( ds_world_step( world, 1 ) );
		double z = kit_motion( world, id ).depth - 500, t = sea_seconds( world );
		if ( last < 0 && z >= 0 )
		{
			up = t - 0.2 * z / ( z - last );
			first = first < 0 ? up : first;
			++count;
		}
		late = n > 5 * 84900 ? fmax( late, fabs( z ) ) : 0;
		last = z;
	}
	double period = 2 * DS_PI / sqrt( G / 1026.5375 * 3.075e-3 / 1.5 );
	print_message( "bob for a day: %d periods of %.3f s, analytic %.3f s; 100 m have become %.4f m\n", count - 1,
		( up - first ) / ( count - 1 ), period, late );
	NEAR( ( up - first ) / ( count - 1 ), period, 1e-3 * period );
	NEAR( late, 100, 0.1 );
	ds_world_destroy( world );
	ds_mesh_release( ball );
}

// A box left to itself for ten minutes in still water, without drag: its energy is that of the start.
static void test_energy_for_ten_minutes( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 1, 0.7, 0.5 );
	ds_world *world = kit_world( 200, NULL );
	ds_body_def def = kit_hull( "box", mesh, 0.45 * 0.35 * RHO );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.pose.position.z = -0.2;
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, 0.2, 0.2 ) );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double first = 0, low = 1e300, high = -1e300, growth = 0;
	for ( int minute = 0; minute < 10; ++minute )
	{
		double mean = 0;
		for ( int n = 0; n < 200 * 60; ++n )
		{
			ds_body_motion m = kit_motion( world, id );
			double before, after;
			OK( ds_body_kinetic_energy( world, id, &before ) );
			OK( ds_world_step( world, 1 ) );
			OK( ds_body_kinetic_energy( world, id, &after ) );
			ds_body_forces f;
			OK( ds_body_forces_get( world, id, &f ) );
			ds_pose half = m.pose;
			half.position = ds_mad( half.position, 0.0025, m.velocity_world.linear );
			half.attitude = ds_quat_normalize(
				ds_quat_mul( half.attitude, ds_quat_exp( ds_scale( 0.0025, m.velocity_body.angular ) ) ) );
			double cb = ds_pose_point( half, f.centre_of_buoyancy ).z;
			double energy =
				0.5 * ( before + after ) - def.mass * G * half.position.z + RHO * G * f.displaced_volume * cb;
			mean += energy / ( 200 * 60 );
		}
		first = minute ? first : mean;
		growth = mean - first;
		low = fmin( low, mean );
		high = fmax( high, mean );
	}
	double draught = def.mass / ( RHO * 0.7 );
	double rest = -def.mass * G * ( draught - 0.25 ) + 0.5 * RHO * G * 0.7 * draught * draught;
	print_message( "energy over rest: %.4f J in the first minute, %+.4f J after ten, between %+.4f and %+.4f\n",
		first - rest, growth, low - first, high - first );
	assert_true( high - low < 0.02 * ( first - rest ) );
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

// ---- corners ----------------------------------------------------------------------------------------------------------------

static double uniform( uint64_t *seed, double low, double high )
{
	*seed = *seed * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return low + ( high - low ) * (double)( *seed >> 11 ) / 9007199254740992.0;
}

static int pick( uint64_t *seed, int count )
{
	return (int)uniform( seed, 0, count );
}

// Ends of a range oftener than its middle.
static double end( uint64_t *seed, double low, double high )
{
	int which = pick( seed, 4 );
	return which == 0 ? low : which == 1 ? high : uniform( seed, low, high );
}

typedef struct text
{
	char bytes[8192];
	size_t size;
} text;

static void put( text *t, const char *format, ... )
{
	va_list list;
	va_start( list, format );
	int n = vsnprintf( t->bytes + t->size, sizeof( t->bytes ) - t->size, format, list );
	va_end( list );
	assert_true( n >= 0 && (size_t)n < sizeof( t->bytes ) - t->size );
	t->size += (size_t)n;
}

static void put_current( text *t, uint64_t *s )
{
	double v = end( s, -3, 3 ), w = end( s, -3, 3 );
	switch ( pick( s, 9 ) )
	{
		case 0:
			put( t, "{ 'model': 'uniform', 'velocity': [%g, %g, %g] }", v, w, end( s, -1, 1 ) );
			break;
		case 1:
			put( t, "{ 'model': 'exponential', 'velocity': [%g, %g, 0], 'depth': %g }", v, w, end( s, 1e-3, 1e6 ) );
			break;
		case 2:
			put( t, "{ 'model': 'power', 'velocity': [%g, %g, 0], 'exponent': %g, 'bed': %g }", v, w,
				end( s, 0.01, 10 ), end( s, 0.1, 12000 ) );
			break;
		case 3:
			put( t,
				"{ 'model': 'ekman', 'surface_layer': %g, 'bed_layer': %g, 'interior': [%g, %g], 'stress': { "
				"'wind_speed': "
				"%g, 'wind_direction_deg': %g } }",
				end( s, 0.1, 1e5 ), end( s, 0.1, 1e5 ), v, w, end( s, 0, 40 ), end( s, -360, 360 ) );
			break;
		case 4:
			put( t,
				"{ 'model': 'profile', 'levels': [ { 'depth': 0, 'velocity': [%g, 0, 0] }, { 'depth': %g, 'velocity': "
				"[0, "
				"%g, 0] } ] }",
				v, end( s, 1e-3, 12000 ), w );
			break;
		case 5:
			put( t, "{ 'model': 'tidal', 'constituents': [ { 'period': %g, 'major': %g, 'minor': %g } ] }",
				end( s, 0.5, 1e9 ), fabs( v ), w );
			break;
		case 6:
			put( t, "{ 'model': 'gauss_markov', 'deviation': [%g, %g, %g], 'correlation_time': %g }", fabs( v ),
				fabs( w ), end( s, 0, 1 ), end( s, 0.01, 1e9 ) );
			break;
		case 7:
			put( t, "{ 'model': 'jet', 'position': [%g, 0, %g], 'direction': [1, %g, 0], 'radius': %g, 'speed': %g }",
				end( s, -3, 3 ), end( s, 0, 9 ), end( s, -1, 1 ), end( s, 1e-3, 50 ), v );
			break;
		default:
			put( t,
				"{ 'model': 'pipe', 'position': [-9, 0, %g], 'direction': [1, 0, %g], 'radius': %g, 'length': %g, "
				"'speed': "
				"%g }",
				end( s, 0, 9 ), end( s, -1, 1 ), end( s, 0.1, 50 ), end( s, 1, 100 ), v );
			break;
	}
}

static void put_environment( text *t, uint64_t *s )
{
	static const char *const densities[] = { "1025", "{ 'model': 'pycnocline', 'increase': 1000, 'depth': 1 }",
		"{ 'model': 'pycnocline' }", "{ 'model': 'eos80' }", "{ 'model': 'teos10' }",
		"{ 'model': 'table', 'levels': [ { 'depth': 0, 'density': 1 }, { 'depth': 10, 'density': 1025 }, { 'depth': "
		"11, "
		"'density': 20000 } ] }" };
	static const char *const waves[] = { "regular", "jonswap", "pierson_moskowitz" };
	put( t,
		"{ 'gravity': %s, 'earth_rotation': %s, 'surface_pressure': %g, 'water': { 'density': %s, 'temperature': %g, "
		"'salinity': %g }",
		pick( s, 2 ) ? "'latitude'" : "9.81", pick( s, 2 ) ? "true" : "false", end( s, 0, 1e8 ),
		densities[pick( s, 6 )], end( s, -5, 50 ), end( s, 0, 50 ) );
	put( t, ", 'currents': [ " );
	int count = pick( s, 4 );
	for ( int i = 0; i < count; ++i )
	{
		put( t, "%s", i ? ", " : "" );
		put_current( t, s );
	}
	put( t, " ]" );
	if ( pick( s, 2 ) )
	{
		int kind = pick( s, 3 );
		double period = end( s, 0.5, 60 );
		put( t, ", 'waves': { 'model': '%s', 'period': %g, 'height': %g, 'direction_deg': %g", waves[kind], period,
			end( s, 0, fmin( 30, 0.04 * period * period ) ), end( s, -360, 360 ) );
		if ( kind )
		{
			put( t, ", 'components': %d, 'spreading': %g", 1 + pick( s, 64 ), end( s, 0, 200 ) );
		}
		put( t, " }" );
	}
	if ( pick( s, 2 ) )
	{
		put( t, ", 'wind': { 'model': '%s', 'velocity': [%g, %g, 0], 'gust': [%g, %g, %g], 'gust_time': %g }",
			pick( s, 2 ) ? "uniform" : "logarithmic", end( s, -100, 100 ), end( s, -100, 100 ), end( s, 0, 50 ),
			end( s, 0, 50 ), end( s, 0, 50 ), end( s, 0.01, 1e5 ) );
	}
	if ( pick( s, 2 ) )
	{
		put( t, ", 'seabed': { 'elevation': { 'model': 'flat', 'depth': %g } }", end( s, -20, 12000 ) );
	}
	put( t, " }" );
}

static void check_finite( const ds_world *world, const char *name )
{
	ds_body_motion m = kit_motion( world, sea_body( world, name ) );
	assert_true( ds_finite( m.pose.position ) && ds_finite( m.velocity_world.linear ) );
	for ( int i = 0; i < 5; ++i )
	{
		ds_water w = sea_at( world, 3 * i, -2 * i, m.depth + 2.5 * i * i - 3 );
		assert_true(
			ds_finite( w.velocity ) && isfinite( w.density ) && isfinite( w.pressure ) && isfinite( w.sound_speed ) );
		assert_true( w.present == ( w.density > 0 ) );
	}
}

// Whatever a scenario may say is refused in words, or runs and stays finite and repeats.
static void test_wild_seas( void **state )
{
	(void)state;
	uint64_t seed = 11;
	int made = 0, refused = 0, stopped = 0;
	for ( int i = 0; i < 600; ++i )
	{
		text t = { { 0 }, 0 };
		put_environment( &t, &seed );
		char rest[2048];
		static const char *const models[] = { "mesh", "fossen", "fossen_simplified" };
		snprintf( rest, sizeof( rest ),
			", 'rate': %g, 'origin': { 'latitude_deg': %g }, 'bodies': [ { 'name': 'a', 'mesh': { 'make': 'box', "
			"'size': [1, "
			"0.6, 0.3] }, 'mass': %g, 'pose': { 'position': [0, 0, %g], 'rpy_deg': [5, 10, 40] }, 'hydrodynamics': { "
			"'model': "
			"'%s', 'lift': 0.3, 'magnus': 0.3, 'damping': { 'quadratic': [50, 50, 50, 9, 9, 9] } } } ]",
			pick( &seed, 2 ) ? 100.0 : 20.0, end( &seed, -90, 90 ), end( &seed, 50, 400 ), end( &seed, -2, 3 ),
			models[pick( &seed, 3 )] );
		ds_world *world;
		ds_status status = sea_try( t.bytes, rest, &world );
		if ( status != DS_OK )
		{
			assert_true( status == DS_ERROR_RANGE || status == DS_ERROR_ARGUMENT );
			assert_non_null( strstr( ds_last_error(), "sea.json:" ) );
			++refused;
			continue;
		}
		++made;
		status = ds_world_step( world, 200 );
		if ( status != DS_OK )
		{
			print_message( "%d: %s\n", i, ds_last_error() );
			++stopped;
		}
		else
		{
			check_finite( world, "a" );
		}
		ds_world_destroy( world );
	}
	print_message( "wild seas: %d ran, of them %d stopped, %d refused\n", made, stopped, refused );
	assert_int_equal( stopped, 0 );
	assert_true( made > 400 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_wild_seas ),
		cmocka_unit_test( test_float_measures_the_sea ),
		cmocka_unit_test( test_bobbing_for_a_day ),
		cmocka_unit_test( test_energy_for_ten_minutes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
