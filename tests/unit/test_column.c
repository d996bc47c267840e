// The water column: closed forms, hydrostatic balance, equations of state, interpolation, errors.

#include "base/base.h"
#include "hydro/column.h"
#include "hydro/gravity.h"
#include "hydro/seawater.h"
#include "hydro_shapes.h"

#define RAD  ( 3.14159265358979323846 / 180 )
#define DBAR 1e4 // [Pa]

// A made-up cast with a mixed layer, a thermocline and a minimum of salinity.
static const double cast_depth[] = { 0, 50, 100, 200, 500, 1000, 2000, 4000 };
static const double cast_temperature[] = { 20, 19, 15, 12, 8, 4, 2.5, 1.5 };
static const double cast_salinity[] = { 35.5, 35.4, 35.2, 35, 34.6, 34.5, 34.7, 34.7 };

static const double table_depth[] = { 0, 10, 200, 1000, 4000 };
static const double table_density[] = { 1024, 1025, 1027, 1029, 1031 };

static ds_column_def column_def( ds_column_kind kind )
{
	ds_column_def def = ds_column_def_default();
	def.kind = kind;
	def.profile = ( ds_column_profile ){ cast_depth, cast_temperature, cast_salinity, 8 };
	def.table_depth = table_depth;
	def.table_density = table_density;
	def.table_count = 5;
	return def;
}

static ds_water_column *create( const ds_column_def *def )
{
	ds_water_column *column = NULL;
	if ( ds_column_create( NULL, def, &column ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return column;
}

static ds_water query( const ds_water_column *column, double z )
{
	ds_water water = { 0 };
	ds_column_query( column, z, &water );
	return water;
}

// ---- closed forms ----------------------------------------------------------------------------------------------------

static void test_uniform( void **state )
{
	(void)state;
	ds_column_def def = ds_column_def_default();
	ds_water_column *column = create( &def );
	ds_water water = { .present = true, .velocity = { 1, 2, 3 } };
	ds_column_query( column, 3000, &water );
	ASSERT_NEAR( water.density, 1025, 0 );
	ASSERT_NEAR( water.gauge_pressure, 1025 * 9.81 * 3000, 1e-8 );
	ASSERT_NEAR( water.pressure, 101325 + 1025 * 9.81 * 3000, 1e-8 );
	ASSERT_NEAR( water.temperature, 10, 0 );
	ASSERT_NEAR( water.salinity, 35, 0 );
	ASSERT_NEAR( water.sound_speed, ds_sound_chen_millero( 35, ds_t68_of_t90( 10 ), 1025 * 9.81 * 3000 ), 1e-6 );
	ASSERT_NEAR( ds_column_density_gradient( column, 3000 ), 0, 0 );
	assert_true( water.present && water.velocity.z == 3 );
	ds_column_destroy( column );
}

// Reference case of the source paper's (14) and (15): rho0 1025, drho 3.075, zp 1000 m, g 9.81.
static void test_pycnocline( void **state )
{
	(void)state;
	ds_column_def def = ds_column_def_default();
	def.kind = DS_COLUMN_PYCNOCLINE; // drho: 0.3 % of 1025 is 3.075
	ds_water_column *column = create( &def );
	ASSERT_NEAR( query( column, 3000 ).gauge_pressure, 30.2412e6, 50 );
	ASSERT_NEAR( query( column, 3000 ).gauge_pressure, 9.81 * ( 1025 * 3000 + 3.075 * 500 + 3.075 * 2000 ), 1e-7 );
	ASSERT_NEAR( query( column, 500 ).gauge_pressure, 9.81 * ( 1025 * 500 + 3.075 * 0.5 * 250 ), 1e-8 );
	ASSERT_NEAR( query( column, 500 ).density, 1026.5375, 1e-9 );
	ASSERT_NEAR( query( column, 1000 ).density, 1028.075, 1e-9 );
	ASSERT_NEAR( query( column, 5000 ).density, 1028.075, 1e-9 );
	ASSERT_NEAR( ds_column_density( column, 500 ), 1026.5375, 1e-9 );
	ASSERT_NEAR( ds_column_density_gradient( column, 500 ), 3.075e-3, 1e-15 );
	ASSERT_NEAR( ds_column_density_gradient( column, 1000 ), 0, 0 );

	// clamped at the surface, where the pressure goes on as a line
	ASSERT_NEAR( query( column, -4 ).density, 1025, 0 );
	ASSERT_NEAR( query( column, -4 ).gauge_pressure, -4 * 9.81 * 1025, 1e-9 );
	ASSERT_NEAR( ds_column_density_gradient( column, -4 ), 0, 0 );
	ds_column_destroy( column );
}

static void test_gravity_gradient( void **state )
{
	(void)state;
	ds_column_def def = ds_column_def_default();
	def.kind = DS_COLUMN_PYCNOCLINE;
	def.gravity_gradient = 2e-6;
	ds_water_column *column = create( &def );
	// integrals of ( 1025 + 3.075e-3 z ) ( 9.81 + 2e-6 z ) to 1000 m and of 1028.075 ( 9.81 + 2e-6 z ) from there
	double upper = 1025 * ( 9810 + 1 ) + 3.075e-3 * ( 9.81 * 5e5 + 2e-6 * 1e9 / 3 );
	double lower = 1028.075 * ( 9.81 * 2000 + 1e-6 * ( 9e6 - 1e6 ) );
	ASSERT_NEAR( query( column, 3000 ).gauge_pressure, upper + lower, 1e-7 );
	ASSERT_NEAR( ds_column_gravity( column, 3000 ), 9.816, 1e-12 );
	ASSERT_NEAR( ds_column_gravity( column, -3 ), 9.81, 0 );
	ds_column_destroy( column );
}

// ---- balance and smoothness --------------------------------------------------------------------------------------------

// dp/dz = rho g by a difference of fourth order, within steps of the grid and across their ends, and below the grid.
static void test_hydrostatic( void **state )
{
	(void)state;
	for ( int kind = 0; kind < DS_COLUMN_KIND_COUNT; ++kind )
	{
		for ( int variant = 0; variant < 2; ++variant )
		{
			ds_column_def def = column_def( (ds_column_kind)kind );
			def.interpolation = variant ? DS_COLUMN_LINEAR : DS_COLUMN_MONOTONE;
			def.gravity_gradient = variant ? DS_GRAVITY_GRADIENT : 0;
			def.depth = 6000;
			ds_water_column *column = create( &def );
			for ( double z = 3; z < 7000; z *= 1.0137 )
			{
				const double h = 0.03;
				double slope =
					( 8 * ( query( column, z + h ).gauge_pressure - query( column, z - h ).gauge_pressure ) -
						query( column, z + 2 * h ).gauge_pressure + query( column, z - 2 * h ).gauge_pressure ) /
					( 12 * h );
				double weight = query( column, z ).density * ds_column_gravity( column, z );
				ASSERT_NEAR( slope / weight, 1, 1e-9 );
			}
			ds_column_destroy( column );
		}
	}
}

// Density, its gradient, temperature and sound do not step at the nodes, and the gradient is the density's.
static void test_smooth( void **state )
{
	(void)state;
	static const ds_column_kind kinds[] = { DS_COLUMN_EOS80, DS_COLUMN_TEOS10, DS_COLUMN_TABLE };
	for ( size_t k = 0; k < 3; ++k )
	{
		ds_column_def def = column_def( kinds[k] );
		ds_water_column *column = create( &def );
		for ( double z = 5; z < 3000; z += 5 )
		{
			const double h = 1e-7;
			ds_water above = query( column, z - h ), below = query( column, z + h );
			ASSERT_NEAR( above.density, below.density, 1e-7 );
			ASSERT_NEAR( above.temperature, below.temperature, 1e-7 );
			ASSERT_NEAR( above.sound_speed, below.sound_speed, 1e-6 );
			ASSERT_NEAR( above.gauge_pressure, below.gauge_pressure, 1e4 * 3 * h );
			ASSERT_NEAR(
				ds_column_density_gradient( column, z - h ), ds_column_density_gradient( column, z + h ), 1e-8 );
			double u = z + 1.7, d = 1e-3;
			double slope = ( ds_column_density( column, u + d ) - ds_column_density( column, u - d ) ) / ( 2 * d );
			ASSERT_NEAR( ds_column_density_gradient( column, u ), slope, 1e-9 );
			ASSERT_NEAR( ds_column_density( column, u ), query( column, u ).density, 0 );
		}
		ds_column_destroy( column );
	}
}

// ---- equations of state --------------------------------------------------------------------------------------------------

static double state_density( ds_column_kind kind, const ds_water *w )
{
	if ( kind == DS_COLUMN_EOS80 )
	{
		return ds_eos80_density( w->salinity, ds_t68_of_t90( w->temperature ), w->gauge_pressure );
	}
	double sa = ds_teos10_absolute_salinity( w->salinity );
	double ct = ds_teos10_conservative_temperature( sa, w->temperature, w->gauge_pressure );
	return ds_teos10_density( sa, ct, w->gauge_pressure );
}

// Density is the equation's for the temperature, salinity and pressure of the same answer: to solver tolerance at nodes, and to
// the error of a cubic over 5 m between them.
static void test_state_consistent( void **state )
{
	(void)state;
	static const ds_column_kind kinds[] = { DS_COLUMN_EOS80, DS_COLUMN_TEOS10 };
	for ( size_t k = 0; k < 2; ++k )
	{
		ds_column_def def = column_def( kinds[k] );
		ds_water_column *column = create( &def );
		for ( double z = 0; z <= 11000; z += 250 )
		{
			ds_water at = query( column, z ), between = query( column, z + 2.3 );
			ASSERT_NEAR( at.density, state_density( kinds[k], &at ), 1e-8 );
			ASSERT_NEAR( between.density, state_density( kinds[k], &between ), 2e-5 );
			double sound = ds_sound_chen_millero( at.salinity, ds_t68_of_t90( at.temperature ), at.gauge_pressure );
			ASSERT_NEAR( at.sound_speed, sound, 1e-6 );
		}
		ds_column_destroy( column );
	}
}

// Depth of 10000 dbar in the standard ocean (salinity 35, 0 degC) at 30 degrees: UNESCO 44 gives 9712.653 m by a fit to the
// integral of EOS-80 with an older gravity.
static void test_standard_ocean( void **state )
{
	(void)state;
	ds_column_def def = ds_column_def_default();
	def.kind = DS_COLUMN_EOS80;
	def.temperature = 0;
	def.gravity = ds_gravity_normal( 30 * RAD );
	def.gravity_gradient = DS_GRAVITY_GRADIENT;
	ds_water_column *column = create( &def );
	ASSERT_NEAR( query( column, 9712.653 ).gauge_pressure, 10000 * DBAR, 2e-5 * 1e8 );
	ds_column_destroy( column );
}

// A cast of the world ocean circulation experiment (WOCE P10, station 26, 2.0 N 146.7 E, October 1993; CCHDO): pressure [dbar],
// temperature, salinity, with depth, density and sound by the Gibbs SeaWater toolbox, which knows the regional anomaly of
// salinity (up to 0.015 g/kg here, 0.012 kg/m3). Its depths are those of the standard ocean; this water is lighter, and has the
// same pressure up to 3.5 m deeper.
static const struct
{
	double p, t, s, depth, density, sound;
} woce[] = {
	{ 1, 29.3158, 34.0076, 0.994, 1021.21818, 1542.8913 },
	{ 301, 10.2832, 34.7402, 299.127, 1028.06145, 1495.4157 },
	{ 601, 6.5930, 34.5432, 596.828, 1029.86587, 1486.2277 },
	{ 901, 4.8827, 34.5488, 894.103, 1031.47774, 1484.2749 },
	{ 1201, 3.7640, 34.5756, 1190.955, 1033.01440, 1484.5864 },
	{ 1501, 3.0988, 34.5994, 1487.388, 1034.48398, 1486.7440 },
	{ 1801, 2.5797, 34.6212, 1783.406, 1035.92816, 1489.5147 },
	{ 2101, 2.1861, 34.6404, 2079.013, 1037.34918, 1492.8322 },
	{ 2401, 1.9546, 34.6536, 2374.213, 1038.73809, 1496.8670 },
	{ 2701, 1.7255, 34.6661, 2669.008, 1040.12006, 1500.9339 },
	{ 3001, 1.6304, 34.6729, 2963.404, 1041.47139, 1505.6062 },
	{ 3301, 1.5984, 34.6769, 3257.404, 1042.80321, 1510.5765 },
	{ 3601, 1.5632, 34.6813, 3551.011, 1044.12781, 1515.5568 },
	{ 3901, 1.5399, 34.6853, 3844.229, 1045.44208, 1520.6112 },
	{ 4201, 1.5286, 34.6884, 4137.061, 1046.74545, 1525.7384 },
	{ 4493, 1.5542, 34.6888, 4421.718, 1047.99744, 1530.9032 },
};
#define WOCE_COUNT ( sizeof( woce ) / sizeof( woce[0] ) )

static void test_measured_cast( void **state )
{
	(void)state;
	double depth[WOCE_COUNT], temperature[WOCE_COUNT], salinity[WOCE_COUNT];
	for ( size_t i = 0; i < WOCE_COUNT; ++i )
	{
		depth[i] = ds_depth_of_pressure( woce[i].p * DBAR, 2 * RAD );
		ASSERT_NEAR( depth[i], woce[i].depth, 2.5 ); // the real water is lighter than the standard ocean
		depth[i] = woce[i].depth;
		temperature[i] = woce[i].t;
		salinity[i] = woce[i].s;
	}
	static const ds_column_kind kinds[] = { DS_COLUMN_EOS80, DS_COLUMN_TEOS10 };
	static const ds_sound_kind sounds[] = { DS_SOUND_CHEN_MILLERO, DS_SOUND_TEOS10 };
	for ( size_t k = 0; k < 2; ++k )
	{
		ds_column_def def = ds_column_def_default();
		def.kind = kinds[k];
		def.sound = sounds[k];
		def.profile = ( ds_column_profile ){ depth, temperature, salinity, WOCE_COUNT };
		def.gravity = ds_gravity_normal( 2 * RAD );
		def.gravity_gradient = DS_GRAVITY_GRADIENT;
		def.step = 1;
		ds_water_column *column = create( &def );
		for ( size_t i = 0; i < WOCE_COUNT; ++i )
		{
			ds_water w = query( column, woce[i].depth );
			ASSERT_NEAR( w.temperature, woce[i].t, 1e-3 );
			double deeper = ( woce[i].p * DBAR - w.gauge_pressure ) / ( w.density * 9.8 );
			ASSERT_NEAR( deeper, 0, 3.6 );
			w = query( column, woce[i].depth + deeper );
			ASSERT_NEAR( w.gauge_pressure, woce[i].p * DBAR, 50 );
			ASSERT_NEAR( w.density, woce[i].density, k == 0 ? 0.025 : 0.013 );
			ASSERT_NEAR( w.sound_speed, woce[i].sound, k == 0 ? 0.7 : 0.1 );
		}
		ds_column_destroy( column );
	}
}

// ---- profiles and tables -------------------------------------------------------------------------------------------------

// PCHIP values by scipy 1.10 (scipy.interpolate.PchipInterpolator) at depths that are nodes of the grid.
static void test_monotone( void **state )
{
	(void)state;
	static const struct
	{
		double z, temperature, salinity;
	} rows[] = {
		{ 0, 20, 35.5 }, { 20, 19.8016, 35.4704 }, { 75, 17.08723404255319, 35.30064102564103 },
		{ 150, 13.17210725735937, 35.08607427055703 }, { 300, 10.313200988805768, 34.8309698861423 },
		{ 750, 5.532588203608943, 34.52683397683398 }, { 1500, 3.0074925539836186, 34.6 },
		{ 3000, 1.8014705882352944, 34.7 }, { 4000, 1.5, 34.7 }, { 9000, 1.5, 34.7 }, // constant below the last level
	};
	for ( int kind = 0; kind < DS_COLUMN_KIND_COUNT; ++kind )
	{
		ds_column_def def = column_def( (ds_column_kind)kind );
		ds_water_column *column = create( &def );
		for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
		{
			ds_water w = query( column, rows[i].z );
			ASSERT_NEAR( w.temperature, rows[i].temperature, 1e-11 );
			ASSERT_NEAR( w.salinity, rows[i].salinity, 1e-11 );
		}
		ds_column_destroy( column );
	}
}

static void test_linear( void **state )
{
	(void)state;
	ds_column_def def = column_def( DS_COLUMN_TABLE );
	def.interpolation = DS_COLUMN_LINEAR;
	ds_water_column *column = create( &def );
	ASSERT_NEAR( query( column, 100 ).density, 1025 + 2 * 90 / 190.0, 1e-10 );
	ASSERT_NEAR( query( column, 2500 ).density, 1030, 1e-10 );
	ASSERT_NEAR( query( column, 2501.3 ).density, 1030 + 1.3 * 2 / 3000, 1e-10 );
	ASSERT_NEAR( query( column, 350 ).temperature, 10, 1e-11 );
	ASSERT_NEAR( ds_column_density_gradient( column, 2500 ), 2.0 / 3000, 1e-12 );
	ds_column_destroy( column );
}

// Levels that are evenly spaced are met exactly; between them values stay between theirs, though it jumps.
static void test_table( void **state )
{
	(void)state;
	double depth[8], density[8] = { 1020, 1020, 1020, 1026, 1026, 1026.1, 1030, 1030 };
	for ( int i = 0; i < 8; ++i )
	{
		depth[i] = 12.0 * i;
	}
	for ( int interpolation = 0; interpolation < DS_COLUMN_INTERPOLATION_COUNT; ++interpolation )
	{
		ds_column_def def = ds_column_def_default();
		def.kind = DS_COLUMN_TABLE;
		def.interpolation = (ds_column_interpolation)interpolation;
		def.table_depth = depth;
		def.table_density = density;
		def.table_count = 8;
		ds_water_column *column = create( &def );
		for ( int i = 0; i < 8; ++i )
		{
			ASSERT_NEAR( ds_column_density( column, depth[i] ), density[i], 1e-9 );
		}
		double before = 1020;
		for ( double z = 0; z < 100; z += 0.05 )
		{
			double now = ds_column_density( column, z );
			assert_true( now >= before - 1e-9 && now <= 1030 + 1e-9 );
			before = now;
		}
		ds_column_destroy( column );
	}
}

// A table of one level is a uniform column, one of two is a pycnocline: tabulated and closed forms agree, also below the grid.
static void test_table_and_closed_forms( void **state )
{
	(void)state;
	static const double depth[] = { 0, 1000 }, density[] = { 1025, 1028.075 };
	ds_column_def closed = ds_column_def_default(), table = closed;
	table.kind = DS_COLUMN_TABLE;
	table.table_depth = depth;
	table.table_density = density;
	for ( int levels = 1; levels <= 2; ++levels )
	{
		closed.kind = levels == 1 ? DS_COLUMN_UNIFORM : DS_COLUMN_PYCNOCLINE;
		closed.gravity_gradient = table.gravity_gradient = 2e-6;
		table.table_count = levels;
		table.depth = 4000;
		ds_water_column *a = create( &closed ), *b = create( &table );
		for ( double z = -10; z < 6000; z += 47 )
		{
			ds_water wa = query( a, z ), wb = query( b, z );
			// the corner at 1000 m is rounded off over one step: 5e-4 kg/m3
			ASSERT_NEAR( wa.density, wb.density, 2e-3 );
			ASSERT_NEAR( wa.gauge_pressure, wb.gauge_pressure, 1e-8 + ( z > 990 ? 0.1 : 1e-7 ) );
		}
		ds_column_destroy( a );
		ds_column_destroy( b );
	}
}

static void test_sound_kinds( void **state )
{
	(void)state;
	for ( int kind = 0; kind < DS_SOUND_KIND_COUNT; ++kind )
	{
		ds_column_def def = ds_column_def_default();
		def.kind = DS_COLUMN_PYCNOCLINE;
		def.sound = (ds_sound_kind)kind;
		def.temperature = 4;
		ds_water_column *column = create( &def );
		ds_water w = query( column, 2000 );
		double sa = ds_teos10_absolute_salinity( 35 );
		double ct = ds_teos10_conservative_temperature( sa, 4, w.gauge_pressure );
		const double expected[] = { ds_sound_chen_millero( 35, ds_t68_of_t90( 4 ), w.gauge_pressure ),
			ds_sound_mackenzie( 35, ds_t68_of_t90( 4 ), 2000 ), ds_teos10_sound( sa, ct, w.gauge_pressure ) };
		ASSERT_NEAR( w.sound_speed, expected[kind], 1e-9 );
		ASSERT_NEAR( query( column, 2002.5 ).sound_speed, expected[kind] + 2.5 * 0.0168, 2e-3 );
		ds_column_destroy( column );
	}
}

// ---- errors --------------------------------------------------------------------------------------------------------------

static void refused( ds_column_def def, ds_status status, const char *words )
{
	ds_water_column *column = NULL;
	assert_int_equal( ds_column_create( NULL, &def, &column ), status );
	assert_null( column );
	if ( strstr( ds_last_error(), words ) == NULL )
	{
		fail_msg( "\"%s\" does not say \"%s\"", ds_last_error(), words );
	}
}

#define REFUSED( kind_, change, status, words )                                                                        \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_column_def def = column_def( kind_ );                                                                       \
		change;                                                                                                        \
		refused( def, status, words );                                                                                 \
	}                                                                                                                  \
	while ( 0 )

static void test_errors( void **state )
{
	(void)state;
	static const double falling[] = { 0, 50, 40, 200, 500, 1000, 2000, 4000 };
	static const double hot[] = { 20, 19, 150, 12, 8, 4, 2.5, 1.5 };
	static const double holed[] = { 35, 35, 35, NAN, 35, 35, 35, 35 };
	REFUSED( DS_COLUMN_UNIFORM, def.density = 0, DS_ERROR_RANGE, "density" );
	REFUSED( DS_COLUMN_UNIFORM, def.density = NAN, DS_ERROR_NOT_FINITE, "density" );
	REFUSED( DS_COLUMN_PYCNOCLINE, def.density_increase = -1, DS_ERROR_RANGE, "increase" );
	REFUSED( DS_COLUMN_PYCNOCLINE, def.density_depth = 0, DS_ERROR_RANGE, "pycnocline" );
	REFUSED( DS_COLUMN_EOS80, def.profile.depth = falling, DS_ERROR_RANGE, "level 3 of temperature, at 40 m" );
	REFUSED( DS_COLUMN_EOS80, def.profile.temperature = hot, DS_ERROR_RANGE, "temperature is 150 degC at 100 m" );
	REFUSED( DS_COLUMN_TEOS10, def.profile.salinity = holed, DS_ERROR_NOT_FINITE, "level 4 of salinity" );
	REFUSED( DS_COLUMN_TEOS10, def.profile.salinity = NULL, DS_ERROR_ARGUMENT, "salinity" );
	REFUSED( DS_COLUMN_TABLE, def.table_count = 0, DS_ERROR_ARGUMENT, "table" );
	REFUSED( DS_COLUMN_TABLE, def.table_density = NULL, DS_ERROR_ARGUMENT, "density" );
	REFUSED( DS_COLUMN_UNIFORM, def.gravity = INFINITY, DS_ERROR_NOT_FINITE, "gravity" );
	REFUSED( DS_COLUMN_UNIFORM, def.surface_pressure = -1, DS_ERROR_RANGE, "surface pressure" );
	REFUSED( DS_COLUMN_UNIFORM, def.depth = 0, DS_ERROR_RANGE, "depth of the grid" );
	REFUSED( DS_COLUMN_UNIFORM, def.sound = DS_SOUND_KIND_COUNT, DS_ERROR_RANGE, "kind" );
	REFUSED( DS_COLUMN_EOS80, def.gravity = 100, DS_ERROR_RANGE, "equations of state" );
	ds_column_destroy( NULL );
}

// No gravity is a column without pressure, and a depth that is no number does no harm.
static void test_odd( void **state )
{
	(void)state;
	ds_column_def def = column_def( DS_COLUMN_TEOS10 );
	def.gravity = 0;
	ds_water_column *column = create( &def );
	ASSERT_NEAR( query( column, 3000 ).gauge_pressure, 0, 0 );
	query( column, NAN );
	query( column, INFINITY );
	query( column, -INFINITY );
	assert_true( isfinite( query( column, 1e6 ).sound_speed ) );
	ds_column_destroy( column );
}

// An allocator that fails at its n-th call, and counts what is out.
typedef struct meter
{
	int left, out;
} meter;

static void *meter_allocate( void *user, size_t size, size_t alignment )
{
	meter *m = user;
	void *memory = NULL;
	if ( m->left-- <= 0 ||
		 posix_memalign( &memory, alignment < sizeof( void * ) ? sizeof( void * ) : alignment, size ) )
	{
		return NULL;
	}
	m->out++;
	return memory;
}

static void meter_release( void *user, void *memory, size_t size )
{
	(void)size;
	( (meter *)user )->out -= memory != NULL;
	free( memory );
}

static void test_memory( void **state )
{
	(void)state;
	ds_column_def def = column_def( DS_COLUMN_TABLE );
	for ( int calls = 0; calls < 20; ++calls )
	{
		meter m = { calls, 0 };
		ds_allocator allocator = { meter_allocate, meter_release, &m };
		ds_water_column *column = NULL;
		ds_status status = ds_column_create( &allocator, &def, &column );
		assert_true( status == DS_OK || ( status == DS_ERROR_MEMORY && m.out == 0 ) );
		ds_column_destroy( column );
		assert_int_equal( m.out, 0 );
		assert_true( calls < 2 ? status == DS_ERROR_MEMORY : calls < 10 || status == DS_OK );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_uniform ),
		cmocka_unit_test( test_pycnocline ),
		cmocka_unit_test( test_gravity_gradient ),
		cmocka_unit_test( test_hydrostatic ),
		cmocka_unit_test( test_smooth ),
		cmocka_unit_test( test_state_consistent ),
		cmocka_unit_test( test_standard_ocean ),
		cmocka_unit_test( test_measured_cast ),
		cmocka_unit_test( test_monotone ),
		cmocka_unit_test( test_linear ),
		cmocka_unit_test( test_table ),
		cmocka_unit_test( test_table_and_closed_forms ),
		cmocka_unit_test( test_sound_kinds ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_odd ),
		cmocka_unit_test( test_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
