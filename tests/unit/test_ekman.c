// The Ekman flow against tables, Ekman's own laws and the equation that it solves.

#include "deepsim/math.h"
#include "hydro/ekman.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DEGREE ( DS_PI / 180 )

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

// The case of the table: 10 m/s of wind by the linear law, D 50, D_b 20, interior flow 0.2 m/s at 30 degrees.
static ds_current_def table_def( double wind_deg )
{
	ds_current_def d = ds_current_def_default( DS_CURRENT_EKMAN );
	d.velocity[0] = 0.2 * cos( 30 * DEGREE );
	d.velocity[1] = 0.2 * sin( 30 * DEGREE );
	d.surface_layer = 50;
	d.bed_layer = 20;
	d.wind_speed = 10;
	d.wind_direction = wind_deg * DEGREE;
	d.drag_law = DS_DRAG_LINEAR;
	return d;
}

static ds_complex flow_at( const ds_current_def *def, double latitude_deg, double depth, double z )
{
	ds_ekman ekman = ds_ekman_make( def, latitude_deg * DEGREE );
	ds_ekman_column column = ds_ekman_solve( &ekman, depth );
	return ds_ekman_at( &ekman, &column, z, NULL );
}

// Values computed apart from this library, by finite differences and by the closed form, to 5 decimals; both hemispheres.
static void test_table( void **state )
{
	(void)state;
	static const struct
	{
		double latitude, wind, z, north, east;
	} rows[] = { { 45, 0, 0.5, 0.28172, 0.21555 }, { 45, 20, 0.5, 0.23565, 0.24570 },
		{ -45, 20, 0.5, 0.31469, 0.02853 }, { 45, 20, 5, 0.18777, 0.21858 }, { -45, 20, 5, 0.26058, 0.01852 },
		{ 45, 20, 25, 0.14239, 0.11437 }, { -45, 20, 25, 0.15883, 0.06918 }, { 45, 20, 50, 0.17022, 0.09359 },
		{ -45, 20, 50, 0.16680, 0.10299 }, { 45, 20, 150, 0.17320, 0.09999 }, { -45, 20, 150, 0.17319, 0.10001 },
		{ 45, 20, 380, 0.18069, 0.10432 }, { -45, 20, 380, 0.18069, 0.10432 }, { 45, 20, 390, 0.19399, 0.06399 },
		{ -45, 20, 390, 0.15242, 0.13601 }, { 45, 20, 395, 0.14960, 0.01192 }, { -45, 20, 395, 0.08512, 0.12360 } };
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		ds_current_def d = table_def( rows[i].wind );
		ds_complex w = flow_at( &d, rows[i].latitude, 400, rows[i].z );
		assert_near( w.re, rows[i].north, 1e-5 );
		assert_near( w.im, rows[i].east, 1e-5 );
	}
}

static void test_table_constants( void **state )
{
	(void)state;
	ds_current_def d = table_def( 0 );
	double stress[2];
	ds_ekman_stress( &d, stress );
	ds_ekman e = ds_ekman_make( &d, 45 * DEGREE );
	assert_near( ds_wind_drag( DS_DRAG_LINEAR, 0, 10 ), 1.59e-3, 1e-15 );
	assert_near( stress[0], 0.194775, 1e-9 );
	assert_near( stress[1], 0, 1e-15 );
	assert_near( e.coriolis, 1.03126e-4, 1e-9 );
	assert_near( sqrt( e.surface.re * e.surface.re + e.surface.im * e.surface.im ), 0.163574, 1e-6 );
	d.velocity[0] = 0;
	d.velocity[1] = 0;
	// the shipped set of a small vehicle: 43 degrees, D 5, 1 m/s of wind
	d.surface_layer = 5;
	d.wind_speed = 1;
	e = ds_ekman_make( &d, 43 * DEGREE );
	assert_near( sqrt( e.surface.re * e.surface.re + e.surface.im * e.surface.im ), 0.00928, 5e-6 );
}

// 0.1 Pa towards east at 45 degrees north, A_z 0.05 m2/s: the textbook's spiral.
static void test_textbook( void **state )
{
	(void)state;
	double f = 2 * 7.292115e-5 * sin( 45 * DEGREE ), layer = DS_PI * sqrt( 2 * 0.05 / f );
	assert_near( layer, 97.83, 5e-3 );
	ds_current_def d = ds_current_def_default( DS_CURRENT_EKMAN );
	d.stress_kind = DS_STRESS_GIVEN;
	d.stress[1] = 0.1;
	d.surface_layer = layer;
	d.water_density = 1025;
	static const double rows[][3] = { { 0, 0.030380, -0.030380 }, { 0.25, 0, -0.019589 }, { 0.5, -0.006315, -0.006315 },
		{ 1, -0.001313, 0.001313 } };
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		ds_complex w = flow_at( &d, 45, INFINITY, rows[i][0] * layer );
		assert_near( w.im, rows[i][1], 0.001 * 0.042964 );
		assert_near( w.re, rows[i][2], 0.001 * 0.042964 );
	}
}

// Integral of W - G over depth, by Simpson's rule on each side of the interface.
static ds_complex transport( const ds_ekman *e, const ds_ekman_column *c )
{
	ds_complex sum = { 0, 0 };
	double edges[3] = { 0, c->interface, c->depth };
	const int n = 20000;
	for ( int part = 0; part < 2; ++part )
	{
		double h = ( edges[part + 1] - edges[part] ) / n;
		for ( int i = 0; i <= n; ++i )
		{
			ds_complex w = ds_ekman_at( e, c, edges[part] + i * h, NULL );
			double weight = ( i == 0 || i == n ? 1 : i % 2 ? 4 : 2 ) * h / 3;
			sum.re += weight * ( w.re - e->interior.re );
			sum.im += weight * ( w.im - e->interior.im );
		}
	}
	return sum;
}

// tau/( rho |f| ), 90 degrees right of the wind in the north, left in the south; the textbook's value too.
static void test_transport( void **state )
{
	(void)state;
	static const double latitudes[] = { 75, 45, 10, -10, -45, -75 }, depths[] = { 3, 4, 10 }, bed_layers[] = { 50, 20 };
	for ( int k = 0; k < 36; ++k )
	{
		double latitude = latitudes[k % 6] * DEGREE, wind = 20 + 70 * ( k % 5 );
		ds_current_def d = table_def( wind );
		d.velocity[0] = d.velocity[1] = 0;
		d.bed_layer = bed_layers[k / 18];
		ds_ekman e = ds_ekman_make( &d, latitude );
		ds_ekman_column c = ds_ekman_solve( &e, depths[k / 6 % 3] * d.surface_layer );
		ds_complex sum = transport( &e, &c );
		double expected = 0.194775 / ( 1026 * fabs( 2 * 7.292115e-5 * sin( latitude ) ) );
		double towards = wind * DEGREE + ( latitude > 0 ? 0.5 : -0.5 ) * DS_PI;
		assert_near( sum.re, expected * cos( towards ), 0.01 * expected );
		assert_near( sum.im, expected * sin( towards ), 0.01 * expected );
	}
	ds_current_def d = table_def( 90 );
	d.stress_kind = DS_STRESS_GIVEN;
	d.stress[1] = 0.1;
	d.velocity[0] = d.velocity[1] = 0;
	d.water_density = 1025;
	d.surface_layer = 97.83;
	ds_ekman e = ds_ekman_make( &d, 45 * DEGREE );
	ds_ekman_column c = ds_ekman_solve( &e, 1000 );
	ds_complex sum = transport( &e, &c );
	assert_near( sum.re, -0.94604, 1e-3 );
	assert_near( sum.im, 0, 1e-3 );
}

// Turning wind and interior flow together turns the field, at every depth.
static void test_rotation( void **state )
{
	(void)state;
	for ( int k = 0; k < 200; ++k )
	{
		double turn = 0.7 + 1.3 * k, z = 2 * ( k % 50 ), latitude = k % 2 ? 50 : -20;
		ds_current_def d = table_def( 20 ), r = d;
		r.wind_direction += turn;
		r.velocity[0] = cos( turn ) * d.velocity[0] - sin( turn ) * d.velocity[1];
		r.velocity[1] = sin( turn ) * d.velocity[0] + cos( turn ) * d.velocity[1];
		ds_complex a = flow_at( &d, latitude, 100, z ), b = flow_at( &r, latitude, 100, z );
		assert_near( b.re, cos( turn ) * a.re - sin( turn ) * a.im, 1e-14 );
		assert_near( b.im, sin( turn ) * a.re + cos( turn ) * a.im, 1e-14 );
	}
}

// The southern field is the mirror image of the northern one.
static void test_mirror( void **state )
{
	(void)state;
	ds_current_def d = table_def( 20 ), m = d;
	m.wind_direction = -d.wind_direction;
	m.velocity[1] = -d.velocity[1];
	for ( int k = 0; k <= 100; ++k )
	{
		ds_complex north = flow_at( &d, 33, 70, 0.7 * k ), south = flow_at( &m, -33, 70, 0.7 * k );
		assert_near( north.re, south.re, 1e-15 );
		assert_near( north.im, -south.im, 1e-15 );
	}
}

static void test_bed_is_at_rest( void **state )
{
	(void)state;
	static const double bed_layers[] = { 5, 20, 50, 120 };
	for ( int k = 0; k <= 120; ++k )
	{
		ds_current_def d = table_def( 3.0 * k );
		d.bed_layer = bed_layers[k % 4];
		double depth = d.surface_layer * 0.1 * pow( 200, k / 120.0 );
		ds_complex bed = flow_at( &d, k % 2 ? 45 : -5, depth, depth ), below = flow_at( &d, 45, depth, 2 * depth ),
				   near = flow_at( &d, 45, depth, depth * ( 1 - 1e-9 ) );
		assert_near( bed.re, 0, 1e-15 );
		assert_near( bed.im, 0, 1e-15 );
		assert_near( below.re, 0, 1e-15 );
		assert_near( near.re, 0, 1e-6 );
		assert_near( near.im, 0, 1e-6 );
	}
}

// No latitude, depth or wind makes it infinite; at the equator f has its value at 2 degrees.
static void test_equator( void **state )
{
	(void)state;
	assert_near( ds_coriolis_parameter( 0 ), 2 * 7.292115e-5 * sin( 2 * DEGREE ), 1e-18 );
	assert_near( ds_coriolis_parameter( -1e-9 ), -2 * 7.292115e-5 * sin( 2 * DEGREE ), 1e-18 );
	assert_near( ds_coriolis_parameter( -30 * DEGREE ), -7.292115e-5, 1e-18 );
	ds_current_def d = table_def( 70 );
	for ( int k = -100; k <= 100; ++k )
	{
		ds_complex w = flow_at( &d, 0.02 * k, k % 3 ? 400 : INFINITY, 3.0 * ( k + 100 ) );
		assert_true( isfinite( w.re ) && isfinite( w.im ) );
		assert_true( fabs( w.re ) < 5 && fabs( w.im ) < 5 );
	}
	ds_complex none = flow_at( &d, 45, 0, 0 ), tiny = flow_at( &d, 45, 1e-6, 0 ), far = flow_at( &d, 45, 1e7, 5e6 );
	assert_true( none.re == 0 && none.im == 0 );
	assert_true( fabs( tiny.re ) < 1e-6 && fabs( tiny.im ) < 1e-6 );
	assert_true( far.re == d.velocity[0] && far.im == d.velocity[1] );
}

// | W - G | falls by e^-pi over every D, and W - G turns by half a circle: to the right in the north.
static void test_decay( void **state )
{
	(void)state;
	ds_current_def d = table_def( 20 );
	for ( int k = 0; k < 40; ++k )
	{
		double latitude = k % 2 ? 60 : -60, z = 1.7 * k;
		ds_complex a = flow_at( &d, latitude, 400, z ), b = flow_at( &d, latitude, 400, z + 50 ),
				   c = flow_at( &d, latitude, 400, z + 5 );
		a.re -= d.velocity[0];
		a.im -= d.velocity[1];
		assert_near( b.re - d.velocity[0], -exp( -DS_PI ) * a.re, 1e-7 );
		assert_near( b.im - d.velocity[1], -exp( -DS_PI ) * a.im, 1e-7 );
		double cross = a.re * ( c.im - d.velocity[1] ) - a.im * ( c.re - d.velocity[0] );
		assert_true( latitude > 0 ? cross > 0 : cross < 0 );
	}
}

// The surface flows 45 degrees right (left) of the wind when it is deep, and along the wind when it is shallow.
static void test_surface_angle( void **state )
{
	(void)state;
	ds_current_def d = table_def( 0 );
	d.velocity[0] = d.velocity[1] = 0;
	d.bed_layer = 50;
	ds_complex north = flow_at( &d, 45, 1000, 0 ), south = flow_at( &d, -45, 1000, 0 ), flat = flow_at( &d, 45, 2, 0 );
	assert_near( atan2( north.im, north.re ), 45 * DEGREE, 1e-9 );
	assert_near( atan2( south.im, south.re ), -45 * DEGREE, 1e-9 );
	assert_true( fabs( atan2( flat.im, flat.re ) ) < 1 * DEGREE );
	// and grows linearly, as between plates: tau H/( rho A )
	double viscosity = 1.03126e-4 * 2500 / ( 2 * DS_PI * DS_PI );
	assert_near( flat.re, 0.194775 * 2 / ( 1026 * viscosity ), 2e-4 * flat.re );
}

// The equation itself, by differences; stress on the surface; velocity and stress across the interface; the gradient.
static void test_equation( void **state )
{
	(void)state;
	static const double depths[] = { 5, 17, 60, 150, 400 };
	for ( int k = 0; k < 20; ++k )
	{
		double latitude = k % 2 ? 45 : -30, depth = depths[k % 5];
		ds_current_def d = table_def( 20 + 40 * k );
		d.bed_layer = k < 10 ? 20 : 90;
		ds_ekman e = ds_ekman_make( &d, latitude * DEGREE );
		ds_ekman_column c = ds_ekman_solve( &e, depth );
		double f = e.sign * e.coriolis, scale = 2 * DS_PI * DS_PI;
		double above = e.coriolis * d.surface_layer * d.surface_layer / scale;
		double below = e.coriolis * d.bed_layer * d.bed_layer / scale;
		for ( int i = 1; i < 20; ++i )
		{
			double z = i * depth / 20 + 1e-3, h = 1e-3 * fmin( depth, 20 );
			if ( fabs( z - c.interface ) < 2 * h )
			{
				continue;
			}
			ds_complex s0, s1, w = ds_ekman_at( &e, &c, z, NULL );
			ds_complex u0 = ds_ekman_at( &e, &c, z - h, &s0 ), u1 = ds_ekman_at( &e, &c, z + h, &s1 );
			double a = z < c.interface ? above : below;
			// A W'' = -i f ( W - G )
			assert_near( a * ( s1.re - s0.re ) / ( 2 * h ), f * ( w.im - d.velocity[1] ), 1e-6 * e.coriolis );
			assert_near( a * ( s1.im - s0.im ) / ( 2 * h ), -f * ( w.re - d.velocity[0] ), 1e-6 * e.coriolis );
			ds_complex slope;
			ds_ekman_at( &e, &c, z, &slope );
			assert_near( slope.re, ( u1.re - u0.re ) / ( 2 * h ), 2e-6 );
			assert_near( slope.im, ( u1.im - u0.im ) / ( 2 * h ), 2e-6 );
		}
		double stress[2];
		ds_complex slope, left, right;
		ds_ekman_stress( &d, stress );
		ds_ekman_at( &e, &c, 0, &slope );
		assert_near( -1026 * above * slope.re, stress[0], 1e-12 );
		assert_near( -1026 * above * slope.im, stress[1], 1e-12 );
		ds_complex w0 = ds_ekman_at( &e, &c, c.interface, &left );
		ds_complex w1 = ds_ekman_at( &e, &c, nextafter( c.interface, INFINITY ), &right );
		assert_near( w0.re, w1.re, 1e-13 );
		assert_near( w0.im, w1.im, 1e-13 );
		assert_near( above * left.re, below * right.re, 1e-15 );
		assert_near( above * left.im, below * right.im, 1e-15 );
	}
}

// The drag of the wind: the published end of its growth, and no steps in the table.
static void test_wind_drag( void **state )
{
	(void)state;
	assert_near( ds_wind_drag( DS_DRAG_TABLE, 0, 25 ), 2.6e-3, 1e-15 );
	assert_near( ds_wind_drag( DS_DRAG_TABLE, 0, 60 ), 2.6e-3, 1e-15 );
	// Edson et al. (2013), as tabulated by Curcic and Haus: 9.4730 m/s and 1.2884e-3
	assert_near( ds_wind_drag( DS_DRAG_TABLE, 0, 9.4730 ), 1.2884e-3, 1e-9 );
	assert_near( ds_wind_drag( DS_DRAG_TABLE, 0, 0 ), 0.9069e-3, 1e-9 );
	for ( int i = 0; i < 4000; ++i )
	{
		double a = ds_wind_drag( DS_DRAG_TABLE, 0, 0.01 * i ), b = ds_wind_drag( DS_DRAG_TABLE, 0, 0.01 * ( i + 1 ) );
		assert_true( fabs( b - a ) < 3e-6 && a <= 2.6e-3 + 1e-15 && a >= 0.9e-3 );
	}
	assert_near( ds_wind_drag( DS_DRAG_LINEAR, 0, 20.1 ), 2.398e-3, 1e-15 );
	assert_near( ds_wind_drag( DS_DRAG_LINEAR, 0, 30 ), 2.423e-3, 1e-15 );
	assert_near( ds_wind_drag( DS_DRAG_CONSTANT, 1.1e-3, 30 ), 1.1e-3, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_table ),
		cmocka_unit_test( test_table_constants ),
		cmocka_unit_test( test_textbook ),
		cmocka_unit_test( test_transport ),
		cmocka_unit_test( test_rotation ),
		cmocka_unit_test( test_mirror ),
		cmocka_unit_test( test_bed_is_at_rest ),
		cmocka_unit_test( test_equator ),
		cmocka_unit_test( test_decay ),
		cmocka_unit_test( test_surface_angle ),
		cmocka_unit_test( test_equation ),
		cmocka_unit_test( test_wind_drag ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
