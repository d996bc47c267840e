// Soils: Bekker's and Janosi-Hanamoto's laws against worked cases, and the named sets against what they come from.

#include "deepsim/field.h"
#include "deepsim/math.h"
#include "deepsim/soil.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

static ds_soil named( const char *name )
{
	const ds_soil_set *set = ds_soil_find( name );
	assert_non_null( set );
	return set->soil;
}

// ---- laws ----------------------------------------------------------------------------------------------------------

// A plate of 0.5 x 0.2 m under 2000 N on dry sand, and on clayey soil: worked by hand from the table's numbers.
static void test_plate( void **state )
{
	(void)state;
	ds_soil sand = named( "dry_sand" ), clay = named( "clayey_soil" );
	double z = ds_soil_sinkage( &sand, 0.2, 20e3 );
	assert_near( z, 0.019351, 5e-7 );
	assert_near( ds_soil_sinkage( &clay, 0.2, 20e3 ), 6.960e-4, 5e-8 );
	// work of sinking by Simpson's rule in s, z = s^2, which is smooth: 184.30 J/m2
	const int steps = 2000;
	double work = 0, end = sqrt( z ), h = end / steps;
	for ( int i = 0; i <= steps; ++i )
	{
		double s = i * h, weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
		work += weight * h / 3 * 2 * s * ds_soil_pressure( &sand, 0.2, s * s );
	}
	assert_near( work, 184.30, 0.005 );
	// cohesion bears a narrow plate better; one of no width is as one without end
	assert_true( ds_soil_sinkage( &clay, 0.05, 20e3 ) < ds_soil_sinkage( &clay, 0.2, 20e3 ) );
	assert_near( ds_soil_pressure( &clay, 0, 0.01 ), 692150 * 0.1, 1e-6 );
	assert_near( ds_soil_pressure( &clay, 0.2, -0.1 ), 0, 0 );
	assert_near( ds_soil_sinkage( &clay, 0.2, -5 ), 0, 0 );
}

static void test_inverse( void **state )
{
	(void)state;
	static const double widths[] = { 0.02, 0.1, 0.4, 2 }, sinkages[] = { 1e-6, 1e-4, 0.003, 0.05, 0.3, 1 };
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		const ds_soil *soil = &ds_soil_at( i )->soil;
		for ( int b = 0; b < 4; ++b )
		{
			for ( int k = 0; k < 6; ++k )
			{
				double z = sinkages[k], p = ds_soil_pressure( soil, widths[b], z );
				assert_near( p, ( soil->kc / widths[b] + soil->kphi ) * exp( soil->n * log( z ) ), 1e-12 * p );
				assert_near( ds_soil_sinkage( soil, widths[b], p ), z, 1e-12 * z );
			}
		}
	}
}

static void test_shear( void **state )
{
	(void)state;
	ds_soil soil = named( "dry_sand" );
	double most = 1040 + 20e3 * 0.53170943166147877; // tan 28 degrees
	assert_near( ds_soil_shear( &soil, 20e3, 0.02 ), most * 0.63212055882855768, 1e-8 );
	assert_near( ds_soil_shear( &soil, 20e3, -0.04 ), -most * 0.86466471676338731, 1e-8 );
	assert_near( ds_soil_shear( &soil, 20e3, 10 ), most, 1e-8 );
	// at first as a spring of tau_max / K
	assert_near( ds_soil_shear( &soil, 20e3, 1e-9 ), most / 0.02 * 1e-9, 1e-6 * most / 0.02 * 1e-9 );
	// tension takes from the cohesion until nothing is left
	assert_near( ds_soil_shear( &soil, -1000, 10 ), 1040 - 531.70943166147877, 1e-8 );
	assert_near( ds_soil_shear( &soil, -3000, 10 ), 0, 0 );
	soil.printed_shear = true;
	assert_near( ds_soil_shear( &soil, 20e3, -1e-9 ), -most, 1e-8 );
	assert_near( ds_soil_shear( &soil, 20e3, 0 ), 0, 0 );
}

// ---- named sets ----------------------------------------------------------------------------------------------------

static void test_sets( void **state )
{
	(void)state;
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		const ds_soil_set *set = ds_soil_at( i );
		assert_ptr_equal( ds_soil_find( set->name ), set );
		if ( ds_soil_check( &set->soil ) != DS_OK )
		{
			fail_msg( "%s: %s", set->name, ds_last_error() );
		}
		assert_true( strlen( set->title ) > 0 && strlen( set->source ) > 0 );
		// what is derived says so in its source too
		assert_int_equal( set->assumed, strstr( set->source, "Derived, not measured" ) != NULL );
	}
	assert_null( ds_soil_at( -1 ) );
	assert_null( ds_soil_at( ds_soil_count() ) );
	static const char *const plain[] = { "dry_sand", "sandy_loam", "clayey_soil", "snow", "lunar_regolith",
		"deep_sea_clay" };
	for ( size_t i = 0; i < sizeof( plain ) / sizeof( plain[0] ); ++i )
	{
		assert_non_null( ds_soil_find( plain[i] ) );
	}
	assert_null( ds_soil_find( "dry_sandd" ) );
	assert_string_equal( ds_last_error(), "there is no soil \"dry_sandd\"; did you mean \"dry_sand\"?" );
	assert_null( ds_soil_find( "custard" ) );
	assert_non_null( strstr( ds_last_error(), "deepsim describe soils" ) );
	assert_null( ds_soil_find( NULL ) );
}

// Numbers of one set, in the units of the library, from the printed ones.
static void test_units( void **state )
{
	(void)state;
	ds_soil soil = named( "lete_sand" );
	assert_near( soil.n, 0.79, 0 );
	assert_near( soil.kc, 102e3, 1e-6 );
	assert_near( soil.kphi, 5301e3, 1e-6 );
	assert_near( soil.cohesion, 1300, 1e-9 );
	assert_near( soil.friction, 31.1 * DS_PI / 180, 1e-15 );
	assert_near( soil.shear_displacement, 0.012, 0 );
}

// An independent check on table and derivation: the wet clays of the table are loaded, at 0.1 m, to about the N_c = 5 to 7.5 of
// Skempton times their own cohesion, and so are the deep-sea clays, whose exponents lie among theirs.
static void test_clays_bear_what_theory_says( void **state )
{
	(void)state;
	static const char *const names[] = { "heavy_clay_40", "lean_clay_32", "deep_sea_clay", "deep_sea_clay_soft",
		"deep_sea_clay_firm" };
	for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
	{
		ds_soil clay = named( names[i] );
		double factor = ds_soil_pressure( &clay, 0.3, 0.1 ) / clay.cohesion;
		if ( !( factor > 4 && factor < 7.6 && clay.n >= 0.11 && clay.n <= 0.15 ) )
		{
			fail_msg( "%s: N_c %g, n %g", names[i], factor, clay.n );
		}
	}
}

// ---- deep-sea clay: the derivation -----------------------------------------------------------------------------------

#define PSI   6894.757
#define TOP   ( 0.5 * PSI ) // vane strength at the top, and below 4.5 in [Pa]
#define DEEP  ( 1.0 * PSI )
#define REACH ( 4.5 * 0.0254 )

// Integral of the strength from the top down to z.
static double strength_to( double z )
{
	double rise = ( DEEP - TOP ) / REACH;
	return z < REACH ? TOP * z + rise * z * z / 2 : TOP * REACH + rise * REACH * REACH / 2 + DEEP * ( z - REACH );
}

static double bearing( double b, double z, double share, double weight )
{
	double depth = 2 * b / 3, strength = share * ( strength_to( z + depth ) - strength_to( z ) ) / depth;
	return 5 * strength * fmin( 1 + 0.2 * z / b, 1.5 ) + weight * z;
}

// Sum of squared relative errors with the best kc and kphi for an exponent.
static double fit( double n, double share, double weight, double *kc, double *kphi )
{
	static const double widths[] = { 0.1, 0.2, 0.5, 1 };
	double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0, error = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < 120; ++i )
		{
			double b = widths[i / 30], z = 0.01 * ( i % 30 + 1 ), q = bearing( b, z, share, weight );
			double u = pow( z, n ) / b / q, v = pow( z, n ) / q;
			if ( pass == 0 )
			{
				uu += u * u;
				uv += u * v;
				vv += v * v;
				u1 += u;
				v1 += v;
				continue;
			}
			double off = *kc * u + *kphi * v - 1;
			error += off * off;
		}
		if ( pass == 0 )
		{
			*kc = ( u1 * vv - v1 * uv ) / ( uu * vv - uv * uv );
			*kphi = ( v1 * uu - u1 * uv ) / ( uu * vv - uv * uv );
		}
	}
	return error;
}

static void test_deep_sea_clay_is_derived( void **state )
{
	(void)state;
	static const struct
	{
		const char *name;
		double share;
	} sets[] = { { "deep_sea_clay", 0.6 }, { "deep_sea_clay_soft", 1.0 / 3 }, { "deep_sea_clay_firm", 1 } };
	for ( int i = 0; i < 3; ++i )
	{
		ds_soil soil = named( sets[i].name );
		double best = INFINITY, n = 0, kc = 0, kphi = 0;
		for ( int k = 50; k < 400; ++k )
		{
			double c = 0, phi = 0, error = fit( 0.001 * k, sets[i].share, soil.unit_weight, &c, &phi );
			if ( error < best )
			{
				best = error, n = 0.001 * k, kc = c, kphi = phi;
			}
		}
		assert_near( soil.n, n, 0.002 );
		assert_near( soil.kc, kc, 0.02 * kc );
		assert_near( soil.kphi, kphi, 0.005 * kphi );
		assert_true( sqrt( best / 120 ) < 0.08 );
		assert_near( soil.cohesion, sets[i].share * strength_to( 0.1 ) / 0.1, 10 );
		assert_near( soil.friction, 0, 0 );
		assert_near( soil.damping, 0.4 * ds_soil_pressure( &soil, 0.3, 0.1 ), 0.05 * soil.damping );
	}
}

// What is known of deep-sea ground apart from vane strengths, as ranges.
static void test_deep_sea_clay_is_plausible( void **state )
{
	(void)state;
	ds_soil clay = named( "deep_sea_clay" ), soft = named( "deep_sea_clay_soft" ), firm = named( "deep_sea_clay_firm" );
	// beds that imitate a nodule field have 1 to 3 kPa (Reshma et al. 2015); cores of three oceans 0.41 to 22.9 (Richards 1961)
	assert_true( soft.cohesion > 1000 && clay.cohesion < 3000 && firm.cohesion > 410 && firm.cohesion < 22900 );
	// collectors sink 0.15 to 0.20 m at worst (Grupe et al. 2001): their belts, a metre wide, press with about 10 kPa
	double least = ds_soil_pressure( &soft, 1, 0.15 ), most = ds_soil_pressure( &soft, 1, 0.2 );
	assert_true( least > 7e3 && most < 15e3 );
	assert_true( ds_soil_sinkage( &clay, 1, 10e3 ) < 0.15 );
	// a drill rig, let go 5 m above the ground, sank 0.347 m (Appl. Sci. 2023 13(16) 9178): with 1 t of moving mass and 4 kPa of
	// weight in water on each square metre of its base, it came down at 1 to 4 m/s
	for ( int i = 0; i < 2; ++i )
	{
		const ds_soil *soil = i ? &clay : &soft;
		double work = ds_soil_pressure( soil, 0.8, 0.347 ) * 0.347 / ( soil->n + 1 ) - 4e3 * 0.347;
		double speed = sqrt( 2 * work / 1000 );
		assert_true( speed > 1 && speed < 4 );
	}
}

// ---- descriptors and checks ------------------------------------------------------------------------------------------

static void test_table( void **state )
{
	(void)state;
	const ds_table *table = ds_soil_table();
	if ( ds_table_check( table ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	// the table's defaults are dry sand, to the bit
	ds_soil written, sand = ds_soil_default();
	assert_int_equal( ds_table_defaults( table, &written ), DS_OK );
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *f = &table->fields[i];
		size_t size = f->type == DS_FIELD_BOOL ? sizeof( bool ) : sizeof( double );
		if ( memcmp( (char *)&written + f->offset, (char *)&sand + f->offset, size ) != 0 )
		{
			fail_msg( "%s differs from that of dry_sand", f->name );
		}
	}
	ds_soil soil;
	assert_int_equal(
		ds_table_parse( table, "{ \"n\": 0.5, \"friction_deg\": 30, \"repose_deg\": 12 }", &soil ), DS_OK );
	assert_near( soil.friction, DS_PI / 6, 1e-15 );
	assert_near( soil.repose, DS_PI / 15, 1e-15 );
	assert_near( soil.n, 0.5, 0 );
	assert_int_equal( ds_table_parse( table, "{ \"n\": 0 }", &soil ), DS_ERROR_RANGE );
	assert_int_equal( ds_table_parse( table, "{ \"kc\": 0, \"kphi\": 0 }", &soil ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "kphi" ) );
	assert_int_equal( ds_table_parse( table, "{ \"friction\": 0.5 }", &soil ), DS_ERROR_UNKNOWN_KEY );
}

static void test_check( void **state )
{
	(void)state;
	const ds_table *table = ds_soil_table();
	assert_int_equal( ds_soil_check( NULL ), DS_ERROR_ARGUMENT );
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *f = &table->fields[i];
		if ( f->type != DS_FIELD_F64 )
		{
			continue;
		}
		double unit = f->flags & DS_FIELD_ANGLE ? DS_PI / 180 : 1, wide = f->maximum - f->minimum;
		double bad[] = { NAN, INFINITY, -INFINITY, ( f->minimum - 0.01 * wide ) * unit,
			( f->maximum + 0.01 * wide ) * unit };
		for ( int k = 0; k < 5; ++k )
		{
			ds_soil soil = ds_soil_default();
			memcpy( (char *)&soil + f->offset, &bad[k], sizeof( double ) );
			assert_int_equal( ds_soil_check( &soil ), k < 3 ? DS_ERROR_NOT_FINITE : DS_ERROR_RANGE );
			assert_non_null( strstr( ds_last_error(), f->name ) );
		}
		// the limits themselves, as JSON in degrees gives them
		ds_soil soil = ds_soil_default();
		double edge = f->maximum * unit;
		soil.elastic = 1; // so that rebound and n do not limit one another
		memcpy( (char *)&soil + f->offset, &edge, sizeof( double ) );
		assert_int_equal( ds_soil_check( &soil ), DS_OK );
	}
	ds_soil soil = ds_soil_default();
	soil.n = 0;
	assert_int_equal( ds_soil_check( &soil ), DS_ERROR_RANGE );
	soil.n = 2;
	soil.rebound = 0.5;
	assert_int_equal( ds_soil_check( &soil ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "1/n" ) );
	soil.elastic = 1e7;
	assert_int_equal( ds_soil_check( &soil ), DS_OK );
	soil.kc = soil.kphi = 0;
	assert_int_equal( ds_soil_check( &soil ), DS_ERROR_RANGE );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_plate ),
		cmocka_unit_test( test_inverse ),
		cmocka_unit_test( test_shear ),
		cmocka_unit_test( test_sets ),
		cmocka_unit_test( test_units ),
		cmocka_unit_test( test_clays_bear_what_theory_says ),
		cmocka_unit_test( test_deep_sea_clay_is_derived ),
		cmocka_unit_test( test_deep_sea_clay_is_plausible ),
		cmocka_unit_test( test_table ),
		cmocka_unit_test( test_check ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
