// Pixels of points behind lens and port, and the pinhole image that comes nearest to a refracted one.

#include "world_kit.h"

#include "deepsim/math.h"

#include <math.h>

static ds_lens lens_of( int32_t model, double fov_deg, const double k[4], double p1 )
{
	ds_lens_config c = ds_lens_config_default();
	ds_lens lens;
	c.model = model;
	c.fov = fov_deg * DS_PI / 180;
	c.p[0] = p1;
	for ( int i = 0; i < 4 && k; ++i )
	{
		c.k[i] = k[i];
	}
	OK( ds_lens_make( &c, &lens ) );
	return lens;
}

static ds_port port_of( int32_t kind, double distance, double thickness, double back )
{
	ds_port_config c = ds_port_config_default();
	ds_port port;
	c.kind = kind;
	c.distance = distance;
	c.thickness = thickness;
	c.decentring[2] = back;
	OK( ds_port_make( &c, true, &port ) );
	return port;
}

static void test_project( void **state )
{
	(void)state;
	const double k[4] = { -0.2, 0.05, 0, 0 };
	ds_lens lens = lens_of( DS_LENS_RECTILINEAR, 80, k, 0.001 );
	ds_port ports[] = { port_of( DS_PORT_NONE, 0, 0, 0 ), port_of( DS_PORT_FLAT, 0.03, 0.01, 0 ),
		port_of( DS_PORT_DOME, 0, 0.01, 0.02 ) };
	for ( int i = 0; i < 3; ++i )
	{
		for ( double u = 0; u < 640; u += 53 )
		{
			for ( double v = 0; v < 480; v += 53 )
			{
				ds_vec3 inside, origin, direction;
				double pixel[2];
				OK( ds_lens_ray( &lens, u, v, &inside ) );
				OK( ds_port_ray( ports + i, inside, &origin, &direction, NULL ) );
				OK( ds_port_project( &lens, ports + i, ds_mad( origin, 1.5, direction ), pixel ) );
				NEAR( pixel[0], u, 1e-8 );
				NEAR( pixel[1], v, 1e-8 );
			}
		}
	}
	double pixel[2];
	assert_int_equal( ds_port_project( &lens, ports + 1, ds_v3( 0, 0, 0.01 ), pixel ), DS_ERROR_RANGE );
	assert_int_equal( ds_port_project( &lens, ports, ds_v3( 0, 0, -1 ), pixel ), DS_ERROR_RANGE );
}

// ---- fits ----------------------------------------------------------------------------------------------------------

// Without a port the lens itself fits.
static void test_no_port( void **state )
{
	(void)state;
	const double barrel[4] = { -0.28, 0.07, 0.001, 0 }, fish[4] = { -0.02, 0.003, -0.001, 0.0002 };
	const ds_lens lenses[] = { lens_of( DS_LENS_RECTILINEAR, 70, NULL, 0 ),
		lens_of( DS_LENS_RECTILINEAR, 70, barrel, 2e-3 ), lens_of( DS_LENS_FISHEYE, 140, fish, 0 ) };
	ds_port port = port_of( DS_PORT_NONE, 0, 0, 0 ), dome = port_of( DS_PORT_DOME, 0, 0.01, 0 );
	for ( int i = 0; i < 3; ++i )
	{
		const ds_lens *l = lenses + i;
		for ( int concentric = 0; concentric < 2; ++concentric )
		{
			ds_pinhole_fit fit;
			OK( ds_port_fit_pinhole( l, concentric ? &dome : &port, 2, &fit ) );
			assert_true( fit.rms < 1e-9 && fit.worst < 1e-9 && fit.near_worst < 1e-9 && fit.far_worst < 1e-9 );
			assert_int_equal( fit.lens.model, l->model );
			NEAR( fit.lens.fx, l->fx, 1e-7 );
			NEAR( fit.lens.fy, l->fy, 1e-7 );
			NEAR( fit.lens.cx, l->cx, 1e-7 );
			NEAR( fit.lens.cy, l->cy, 1e-7 );
			for ( int k = 0; k < 4; ++k )
			{
				NEAR( fit.lens.k[k], l->k[k], 1e-7 );
			}
			NEAR( fit.lens.p[0], l->p[0], 1e-7 );
			assert_true( fit.lens.width == 640 && fit.lens.height == 480 && fit.lens.limit > 0 );
		}
	}
	// a stereographic lens is nearly a fisheye of this series
	ds_lens wide = lens_of( DS_LENS_STEREOGRAPHIC, 120, NULL, 0 );
	ds_pinhole_fit fit;
	OK( ds_port_fit_pinhole( &wide, &port, 2, &fit ) );
	assert_int_equal( fit.lens.model, DS_LENS_FISHEYE );
	NEAR( fit.lens.fx, wide.fx, 1e-2 );
	NEAR( fit.lens.k[0], 1.0 / 12, 1e-3 );
	assert_true( fit.worst < 1e-2 );
}

// A thin port close to the lens, seen from afar, enlarges small angles by the ratio of the indices, and is like a lens with
// k1 = ( 1 - 1/n^2 ) n^2 / 2: tan( asin( n sin t ) ) = n tan t ( 1 + ( n^2 - 1 ) / 2 tan^2 t + ... ).
static void test_thin_flat_port( void **state )
{
	(void)state;
	ds_port port = port_of( DS_PORT_FLAT, 0, 0, 0 );
	double n = port.water / port.air;
	ds_lens narrow = lens_of( DS_LENS_RECTILINEAR, 10, NULL, 0 );
	ds_pinhole_fit fit;
	OK( ds_port_fit_pinhole( &narrow, &port, 1e6, &fit ) );
	NEAR( fit.lens.fx / narrow.fx, n, 1e-6 );
	NEAR( fit.lens.fy / narrow.fy, n, 1e-6 );
	NEAR( fit.lens.k[0], 0.5 * ( n * n - 1 ), 1e-3 );
	NEAR( fit.lens.cx, narrow.cx, 1e-6 );
	NEAR( fit.lens.p[0], 0, 1e-9 );
	// all rays come from one point: at every distance the same image, which a pinhole with distortion can show
	assert_true( fit.worst < 1e-6 && fit.near_worst < 1e-6 && fit.far_worst < 1e-6 );
	ds_lens wide = lens_of( DS_LENS_RECTILINEAR, 70, NULL, 0 );
	OK( ds_port_fit_pinhole( &wide, &port, 1e6, &fit ) );
	NEAR( fit.lens.fx / wide.fx, n, 2e-3 );
	NEAR( fit.far_worst, fit.worst, 1e-6 );
}

// A port that is apart from the lens: no pinhole shows what is near as it shows what is far.
static void test_flat_port( void **state )
{
	(void)state;
	ds_lens lens = lens_of( DS_LENS_RECTILINEAR, 70, NULL, 0 );
	ds_port port = port_of( DS_PORT_FLAT, 0.05, 0.015, 0 );
	ds_pinhole_fit near, far;
	OK( ds_port_fit_pinhole( &lens, &port, 1, &near ) );
	OK( ds_port_fit_pinhole( &lens, &port, 10, &far ) );
	NEAR( near.near_distance, 0.5, 0 );
	NEAR( near.far_distance, 4, 0 );
	assert_true( near.worst < 0.1 && near.near_worst > 5 && near.far_worst > 4 && near.near_worst > near.far_worst );
	assert_true( far.near_worst < 0.2 * near.near_worst );
	// a decentred dome, likewise
	port = port_of( DS_PORT_DOME, 0, 0.01, 0.02 );
	OK( ds_port_fit_pinhole( &lens, &port, 1, &near ) );
	assert_true( near.worst < 0.1 && near.near_worst > 0.3 );
	assert_true( near.lens.fx < lens.fx ); // the camera is behind the centre: it sees more
}

// The errors that a fit tells, reckoned again by the lens that it gives; and no lens close to it is better.
static double sum_of_squares(
	const ds_lens *lens, const ds_port *port, const ds_lens *fitted, double distance, double *worst )
{
	double sum = 0;
	*worst = 0;
	for ( int i = 0; i < 25 * 19; ++i )
	{
		double u = 639.0 * ( i % 25 ) / 24, v = 479.0 * ( i / 25 ) / 18, pixel[2];
		ds_vec3 inside, origin, direction;
		OK( ds_lens_ray( lens, u, v, &inside ) );
		OK( ds_port_ray( port, inside, &origin, &direction, NULL ) );
		OK( ds_lens_project( fitted, ds_mad( origin, distance, direction ), pixel ) );
		double off = hypot( pixel[0] - u, pixel[1] - v );
		sum += off * off;
		*worst = fmax( *worst, off );
	}
	return sum;
}

static void check_least( const ds_lens *lens, const ds_port *port )
{
	ds_pinhole_fit fit;
	double worst;
	OK( ds_port_fit_pinhole( lens, port, 1, &fit ) );
	double sum = sum_of_squares( lens, port, &fit.lens, 1, &worst );
	NEAR( sqrt( sum / ( 25 * 19 ) ), fit.rms, 1e-9 );
	NEAR( worst, fit.worst, 1e-9 );
	sum_of_squares( lens, port, &fit.lens, 0.5, &worst );
	NEAR( worst, fit.near_worst, 1e-9 );
	sum_of_squares( lens, port, &fit.lens, 4, &worst );
	NEAR( worst, fit.far_worst, 1e-9 );
	for ( int i = 0; i < 10; ++i )
	{
		for ( int sign = -1; sign <= 1; sign += 2 )
		{
			ds_lens other = fit.lens;
			double *numbers[10] = { &other.fx, &other.fy, &other.cx, &other.cy, other.k, other.k + 1, other.k + 2,
				other.k + 3, other.p, other.p + 1 };
			bool has = lens->model == DS_LENS_FISHEYE ? i < 8 : i != 7;
			*numbers[i] += sign * ( i < 4 ? 0.1 : 1e-3 );
			assert_true( !has || sum_of_squares( lens, port, &other, 1, &worst ) > sum );
		}
	}
}

static void test_least( void **state )
{
	(void)state;
	const double k[4] = { -0.1, 0.01, 0, 0 };
	const ds_lens lenses[] = { lens_of( DS_LENS_RECTILINEAR, 60, k, 0.001 ), lens_of( DS_LENS_FISHEYE, 110, NULL, 0 ) };
	for ( int i = 0; i < 2; ++i )
	{
		ds_port_config c = ds_port_config_default();
		ds_port port;
		c.kind = DS_PORT_FLAT;
		c.tilt[1] = 4 * DS_PI / 180;
		OK( ds_port_make( &c, true, &port ) );
		check_least( lenses + i, &port );
		c.kind = DS_PORT_DOME;
		c.decentring[0] = 0.003;
		c.decentring[2] = -0.01;
		OK( ds_port_make( &c, true, &port ) );
		check_least( lenses + i, &port );
	}
}

static void test_errors( void **state )
{
	(void)state;
	ds_lens lens = lens_of( DS_LENS_RECTILINEAR, 70, NULL, 0 ),
			panorama = lens_of( DS_LENS_EQUIRECTANGULAR, 360, NULL, 0 );
	ds_port port = port_of( DS_PORT_FLAT, 0.02, 0.01, 0 );
	ds_pinhole_fit fit;
	FAILS( ds_port_fit_pinhole( &lens, &port, 0, &fit ), DS_ERROR_RANGE, "distance must be positive" );
	FAILS( ds_port_fit_pinhole( &lens, &port, NAN, &fit ), DS_ERROR_RANGE, "distance must be positive" );
	FAILS( ds_port_fit_pinhole( &panorama, &port, 2, &fit ), DS_ERROR_UNSUPPORTED, "panorama" );
	port.normal = ds_v3( 0, 0, -1 );
	FAILS( ds_port_fit_pinhole( &lens, &port, 2, &fit ), DS_ERROR_RANGE, "only 0 of 475 pixels" );
	// a fisheye of 180 degrees behind a flat port: the pixels that see through it are enough
	lens = lens_of( DS_LENS_FISHEYE, 180, NULL, 0 );
	port = port_of( DS_PORT_FLAT, 0.02, 0.01, 0 );
	OK( ds_port_fit_pinhole( &lens, &port, 2, &fit ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_project ),
		cmocka_unit_test( test_no_port ),
		cmocka_unit_test( test_thin_flat_port ),
		cmocka_unit_test( test_flat_port ),
		cmocka_unit_test( test_least ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
