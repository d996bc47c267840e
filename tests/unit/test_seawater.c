// Properties of sea water, gravity and compression against published values.

#include "hydro/compression.h"
#include "hydro/gravity.h"
#include "hydro/seawater.h"
#include "hydro_shapes.h"

#define DBAR 1e4 // [Pa]
#define RAD  ( 3.14159265358979323846 / 180 )

// UNESCO technical papers 38 (Millero and Poisson 1981) and 44 (Fofonoff and Millard 1983), to their printed digits.
static void test_eos80_published( void **state )
{
	(void)state;
	static const struct
	{
		double salinity, t68, dbar, density;
	} rows[] = {
		{ 40, 40, 10000, 1059.82037 },
		{ 0, 5, 0, 999.96675 },
		{ 0, 5, 10000, 1044.12802 },
		{ 0, 25, 0, 997.04796 },
		{ 0, 25, 10000, 1037.90204 },
		{ 35, 5, 0, 1027.67547 },
		{ 35, 5, 10000, 1069.48914 },
		{ 35, 25, 0, 1023.34306 },
		{ 35, 25, 10000, 1062.53817 },
	};
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		double density = ds_eos80_density( rows[i].salinity, rows[i].t68, rows[i].dbar * DBAR );
		ASSERT_NEAR( density, rows[i].density, 1e-5 );
	}
	ASSERT_NEAR( ds_t68_of_t90( 25 ), 25.006, 1e-12 );
}

static void test_sound_published( void **state )
{
	(void)state;
	// UNESCO 44, page 48
	ASSERT_NEAR( ds_sound_chen_millero( 40, 40, 10000 * DBAR ), 1731.995, 5e-4 );
	// Mackenzie (1981)
	ASSERT_NEAR( ds_sound_mackenzie( 35, 25, 1000 ), 1550.744, 5e-4 );
	// pure water at 0 degC and the first coefficients of both equations
	ASSERT_NEAR( ds_sound_chen_millero( 0, 0, 0 ), 1402.388, 1e-12 );
	ASSERT_NEAR( ds_sound_mackenzie( 35, 0, 0 ), 1448.96, 1e-12 );
}

// Chen and Millero, Mackenzie and TEOS-10 were fitted to different measurements, and are known to part by some tenths of a metre
// a second: a slip in a coefficient would show as more.
static void test_sound_agrees( void **state )
{
	(void)state;
	for ( double t = 0; t <= 20; t += 2 )
	{
		for ( double z = 0; z <= 4000; z += 500 )
		{
			double p = ds_pressure_of_depth( z, 45 * RAD ), sa = ds_teos10_absolute_salinity( 35 );
			double chen = ds_sound_chen_millero( 35, ds_t68_of_t90( t ), p );
			double teos = ds_teos10_sound( sa, ds_teos10_conservative_temperature( sa, t, p ), p );
			ASSERT_NEAR( chen, teos, 0.8 );
			ASSERT_NEAR( chen, ds_sound_mackenzie( 35, ds_t68_of_t90( t ), z ), 1.2 );
		}
	}
}

static void test_depth_of_pressure( void **state )
{
	(void)state;
	// UNESCO 44, page 28, and Saunders (1981)
	ASSERT_NEAR( ds_depth_of_pressure( 10000 * DBAR, 30 * RAD ), 9712.653, 1e-3 );
	ASSERT_NEAR( ds_pressure_of_depth( 7321.45, 30 * RAD ), 7500.00 * DBAR, 0.01 * DBAR );
	for ( double depth = 10; depth < 9000; depth *= 1.5 )
	{
		double pressure = ds_pressure_of_depth( depth, -60 * RAD );
		ASSERT_NEAR( ds_depth_of_pressure( pressure, -60 * RAD ), depth, ( depth < 1000 ? 5e-4 : 2.5e-4 ) * depth );
	}
}

// NIMA TR8350.2, table 3.4: derived physical constants of the WGS-84 ellipsoid.
static void test_gravity( void **state )
{
	(void)state;
	ASSERT_NEAR( ds_gravity_normal( 0 ), 9.7803253359, 1e-10 );
	ASSERT_NEAR( ds_gravity_normal( 90 * RAD ), 9.8321849378, 2e-10 );
	ASSERT_NEAR( ds_gravity_normal( -90 * RAD ), ds_gravity_normal( 90 * RAD ), 1e-15 );
	// the mean over the sphere of latitudes
	double sum = 0, weight = 0;
	for ( double latitude = -89.5; latitude < 90; ++latitude )
	{
		sum += ds_gravity_normal( latitude * RAD ) * cos( latitude * RAD );
		weight += cos( latitude * RAD );
	}
	ASSERT_NEAR( sum / weight, 9.7976, 2e-4 );
}

// Check values of the Gibbs SeaWater toolbox (gsw_cv_v3_0): profiles of the Pacific and the Baltic. Salinity in g/kg, in situ
// temperature, pressure in dbar; conservative temperature; density and sound of the 75-term polynomial and of the Gibbs function.
static const struct
{
	double sa, t, p, ct, density, sound, exact_density, exact_sound;
} gsw[] = {
	{ 34.4682364304906, 27.962, 0, 27.9964364120582, 1021.88630445054, 1540.269859426, 1021.8866110446,
		1540.40985389613 },
	{ 35.1193160891779, 20.672, 151, 20.6384726785638, 1025.20903210529, 1525.66183867784, 1025.20957909859,
		1525.74552263048 },
	{ 34.6821446182078, 5.9079, 707, 5.84441764711822, 1030.42385463712, 1485.20620574254, 1030.4237858413,
		1485.19582352176 },
	{ 34.7895692820108, 2.439, 1771, 2.31504563328188, 1035.80421872053, 1488.39480738862, 1035.80420937208,
		1488.39709575406 },
	{ 34.8559616210908, 1.4601, 4069, 1.13444339921969, 1046.17834026559, 1523.14709460984, 1046.1783904566,
		1523.14566087016 },
	{ 34.5569779830374, 27.294, 0, 27.3228907363626, 1022.16899249796, 1538.88136879035, 1022.1693457277,
		1539.02163502437 },
	{ 34.7143566910787, 6.3144, 707, 6.24816194609269, 1030.39047746949, 1486.86325175924, 1030.39041323756,
		1486.85217902449 },
	{ 34.8707400004585, 1.3714, 4069, 1.04822142571406, 1046.20517187911, 1522.77913632297, 1046.20522753642,
		1522.77778174092 },
	{ 6.66990434092457, 10.046, 0, 10.5027677353022, 1004.88179015787, 1455.66715287589, 1004.88170372526,
		1455.68318119181 },
};

static void test_teos10_published( void **state )
{
	(void)state;
	for ( size_t i = 0; i < sizeof( gsw ) / sizeof( gsw[0] ); ++i )
	{
		double sa = gsw[i].sa, t = gsw[i].t, p = gsw[i].p * DBAR;
		double ct = ds_teos10_conservative_temperature( sa, t, p );
		ASSERT_NEAR( ct, gsw[i].ct, 1e-11 );
		ASSERT_NEAR( ds_teos10_density( sa, ct, p ), gsw[i].density, 1e-9 );
		ASSERT_NEAR( ds_teos10_sound( sa, ct, p ), gsw[i].sound, 1e-8 );
		ds_gibbs g = ds_teos10_gibbs( sa, t, p );
		ASSERT_NEAR( 1 / g.g_p, gsw[i].exact_density, 1e-9 );
		double sound = g.g_p * sqrt( g.g_tt / ( g.g_tp * g.g_tp - g.g_tt * g.g_pp ) );
		ASSERT_NEAR( sound, gsw[i].exact_sound, 1e-8 );
	}
	ASSERT_NEAR( ds_teos10_absolute_salinity( 35 ), 35.16504, 1e-12 );
}

// Two standards of density for the same water: within 0.01 kg/m3 in the open ocean once salinity is brought to the reference
// composition (TEOS-10 manual, appendix A.5, without its regional anomaly).
static void test_eos80_and_teos10( void **state )
{
	(void)state;
	for ( double t = 0; t <= 25; t += 5 )
	{
		for ( double p = 0; p <= 5e7; p += 1e7 )
		{
			double sa = ds_teos10_absolute_salinity( 35 ), ct = ds_teos10_conservative_temperature( sa, t, p );
			double teos = ds_teos10_density( sa, ct, p );
			ASSERT_NEAR( teos, ds_eos80_density( 35, ds_t68_of_t90( t ), p ), 0.02 );
		}
	}
	ASSERT_NEAR( ds_eos80_density( -1, 5, 0 ), ds_eos80_density( 0, 5, 0 ), 0 );
	assert_true( isfinite( ds_teos10_conservative_temperature( 0, 5, 0 ) ) );
}

static void test_compression( void **state )
{
	(void)state;
	const double water = 2.2e9; // [Pa]
	// 1 - 30.2412 MPa / 2.2 GPa
	ASSERT_NEAR( ds_compression_kappa( 30.2412e6, water ), 0.98625, 5e-6 );
	ASSERT_NEAR( ds_compressed_volume( 2, 30.2412e6, water ), 2 * 0.986254, 1e-6 );
	ASSERT_NEAR( ds_compression_kappa( 1e8, INFINITY ), 1, 0 );
	ASSERT_NEAR( ds_compression_kappa( 1e9, 1e6 ), DS_COMPRESSION_LEAST, 0 );

	ds_compression hull = ds_compression_at( DS_COMPRESSION_HULL, 30e6, 1e9, 1040, 1025 );
	double kappa = 0.97, length = pow( kappa, 1.0 / 3 );
	ASSERT_NEAR( hull.volume, kappa, 1e-15 );
	ASSERT_NEAR( hull.added_mass, kappa * 1040 / 1025, 1e-15 );
	ASSERT_NEAR( hull.added_cross, kappa * length * 1040 / 1025, 1e-14 );
	ASSERT_NEAR( hull.added_inertia, pow( kappa, 5.0 / 3 ) * 1040 / 1025, 1e-14 );

	// printed: kappa on added mass and added inertia alone
	ds_compression printed = ds_compression_at( DS_COMPRESSION_PRINTED, 30e6, 1e9, 1040, 1025 );
	ASSERT_NEAR( printed.volume, 1, 0 );
	ASSERT_NEAR( printed.added_mass, kappa, 1e-15 );
	ASSERT_NEAR( printed.added_inertia, kappa, 1e-15 );
	ds_compression none = ds_compression_at( DS_COMPRESSION_NONE, 30e6, 1e9, 1040, 1025 );
	assert_true( none.volume == 1 && none.added_mass == 1 && none.added_cross == 1 && none.added_inertia == 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_eos80_published ),
		cmocka_unit_test( test_sound_published ),
		cmocka_unit_test( test_sound_agrees ),
		cmocka_unit_test( test_depth_of_pressure ),
		cmocka_unit_test( test_gravity ),
		cmocka_unit_test( test_teos10_published ),
		cmocka_unit_test( test_eos80_and_teos10 ),
		cmocka_unit_test( test_compression ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
