// Ports: rays through them and back, against Snell's law worked by hand, Fermat's principle, Fresnel's equations.

#include "sensor_kit.h"

#include "deepsim/math.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )
#define FOCAL  800.0 // of the pinhole that angles are told in pixels of [px]

static ds_port_config flat_config( double distance, double thickness )
{
	ds_port_config c = ds_port_config_default();
	c.kind = DS_PORT_FLAT;
	c.distance = distance;
	c.thickness = thickness;
	return c;
}

static ds_port_config dome_config( double x, double y, double z )
{
	ds_port_config c = ds_port_config_default();
	c.kind = DS_PORT_DOME;
	c.decentring[0] = x;
	c.decentring[1] = y;
	c.decentring[2] = z;
	return c;
}

static ds_port make( ds_port_config c )
{
	ds_port port;
	OK( ds_port_make( &c, true, &port ) );
	return port;
}

// A flat port square to the axis with indices of one's own.
static ds_port pane( double air, double glass, double water, double distance, double thickness )
{
	return ( ds_port ){ .kind = DS_PORT_FLAT,
		.air = air,
		.glass = glass,
		.water = water,
		.normal = { 0, 0, 1 },
		.distance = distance,
		.thickness = thickness };
}

static ds_vec3 at_angle( double from_axis )
{
	return ds_v3( sin( from_axis ), 0, cos( from_axis ) );
}

static double uniform( double low, double high )
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return low + ( high - low ) * (double)( state >> 11 ) * 0x1p-53;
}

static ds_vec3 any_direction( void )
{
	ds_vec3 d;
	do
	{
		d = ds_v3( uniform( -1, 1 ), uniform( -1, 1 ), uniform( -1, 1 ) );
	}
	while ( ds_length( d ) > 1 || ds_length( d ) < 0.1 );
	return ds_scale( 1 / ds_length( d ), d );
}

// ---- by hand -------------------------------------------------------------------------------------------------------

// Sines that Snell's law turns into Pythagorean ones, so that all tangents are fractions.
static void test_by_hand( void **state )
{
	(void)state;
	// air to water of 4/3: sin 4/5 becomes 3/5, tan 4/3 becomes 3/4; 60 mm and 4 m ahead: 80 mm and 3 m aside
	ds_port p = pane( 1, 1.5, 4.0 / 3, 0.06, 0 );
	ds_vec3 origin, direction, inside;
	OK( ds_port_ray( &p, ds_v3( 8, 0, 6 ), &origin, &direction, NULL ) );
	NEAR3( origin, ds_v3( 0.08, 0, 0.06 ), 1e-16 );
	NEAR3( direction, ds_v3( 0.6, 0, 0.8 ), 1e-15 );
	OK( ds_port_see( &p, ds_v3( 3.08, 0, 4.06 ), &inside ) );
	NEAR3( inside, ds_v3( 0.8, 0, 0.6 ), 1e-15 );
	// air, glass of 20/13, water of 51/26: sines 12/13, 3/5, 8/17; tangents 12/5, 3/4, 8/15
	p = pane( 1, 20.0 / 13, 51.0 / 26, 0.05, 0.04 );
	OK( ds_port_ray( &p, ds_v3( 0, 12, 5 ), &origin, &direction, NULL ) );
	NEAR3( origin, ds_v3( 0, 0.12 + 0.03, 0.09 ), 1e-16 );
	NEAR3( direction, ds_v3( 0, 8.0 / 17, 15.0 / 17 ), 1e-15 );
	OK( ds_port_see( &p, ds_v3( 0, 0.15 + 8, 0.09 + 15 ), &inside ) );
	NEAR3( inside, ds_v3( 0, 12.0 / 13, 5.0 / 13 ), 1e-14 );
	// tilted by atan 3/4 about y: the first case, turned
	ds_port_config c = flat_config( 0.06, 0 );
	c.tilt[1] = asin( 0.6 );
	p = make( c );
	p.air = 1;
	p.water = 4.0 / 3;
	NEAR3( p.normal, ds_v3( 0.6, 0, 0.8 ), 1e-15 );
	OK( ds_port_see( &p, ds_v3( 0.8 * 3.08 + 0.6 * 4.06, 0, 0.8 * 4.06 - 0.6 * 3.08 ), &inside ) );
	NEAR3( inside, ds_v3( 0.8 * 0.8 + 0.6 * 0.6, 0, 0.8 * 0.6 - 0.6 * 0.8 ), 1e-15 );
	c = flat_config( 0.06, 0 );
	c.tilt[0] = 30 * DEGREE;
	NEAR3( make( c ).normal, ds_v3( 0, -0.5, sqrt( 0.75 ) ), 1e-15 );
}

// ---- Fermat --------------------------------------------------------------------------------------------------------

// The optical path from the centre of projection over a point of each face to a point in the water. `x`: places of the two points
// on their faces.
typedef struct path
{
	const ds_port *port;
	ds_vec3 along, across; // axes of the faces; flat: in it; dome: angles turn the ray `middle` to them
	ds_vec3 middle, end;
	ds_vec3 at[2];
} path;

static double optical_length( path *p, const double x[4] )
{
	const ds_port *port = p->port;
	for ( int i = 0; i < 2; ++i )
	{
		ds_vec3 aside = ds_mad( ds_scale( x[2 * i], p->along ), x[2 * i + 1], p->across );
		if ( port->kind == DS_PORT_FLAT )
		{
			p->at[i] = ds_mad( aside, port->distance + i * port->thickness, port->normal );
		}
		else
		{
			ds_vec3 d = ds_add( p->middle, aside );
			p->at[i] = ds_mad( port->center, ( i ? port->outer : port->inner ) / ds_length( d ), d );
		}
	}
	return port->air * ds_length( p->at[0] ) + port->glass * ds_length( ds_sub( p->at[1], p->at[0] ) ) +
		   port->water * ds_length( ds_sub( p->end, p->at[1] ) );
}

// The least of a function along a direction, by golden sections.
static double least_along( path *p, double x[4], const double step[4] )
{
	const double golden = 0.61803398874989485;
	double low = -1, high = 1, moved[4];
	for ( int i = 0; i < 60; ++i )
	{
		double t[2] = { high - golden * ( high - low ), low + golden * ( high - low ) }, value[2];
		for ( int k = 0; k < 2; ++k )
		{
			for ( int j = 0; j < 4; ++j )
			{
				moved[j] = x[j] + t[k] * step[j];
			}
			value[k] = optical_length( p, moved );
		}
		*( value[0] < value[1] ? &high : &low ) = value[0] < value[1] ? t[1] : t[0];
	}
	for ( int j = 0; j < 4; ++j )
	{
		x[j] += 0.5 * ( low + high ) * step[j];
	}
	return fabs( low + high );
}

// Where a point is seen, by the least optical path, searched for by Powell's method of directions: no law of refraction in it.
static ds_vec3 see_by_fermat( const ds_port *port, ds_vec3 end )
{
	path p = { .port = port, .end = end };
	ds_vec3 normal = port->normal;
	if ( port->kind == DS_PORT_DOME )
	{
		normal = ds_scale( 1 / ds_length( end ), end );
	}
	p.middle = normal;
	p.along = ds_cross( normal, fabs( normal.x ) < 0.7 ? ds_v3( 1, 0, 0 ) : ds_v3( 0, 1, 0 ) );
	p.along = ds_scale( 1 / ds_length( p.along ), p.along );
	p.across = ds_cross( normal, p.along );
	double reach = port->kind == DS_PORT_DOME ? 1 : ds_length( end );
	double x[4] = { 0 }, steps[4][4] = { { 0 } };
	for ( int i = 0; i < 4; ++i )
	{
		steps[i][i] = reach;
	}
	for ( int round = 0; round < 150; ++round )
	{
		double before[4], whole[4], size = 0;
		memcpy( before, x, sizeof( x ) );
		for ( int i = 0; i < 4; ++i )
		{
			least_along( &p, x, steps[i] );
		}
		for ( int i = 0; i < 4; ++i )
		{
			whole[i] = 10 * ( x[i] - before[i] );
			size = fmax( size, fabs( whole[i] ) );
		}
		if ( size > 1e-9 )
		{
			least_along( &p, x, whole );
		}
	}
	optical_length( &p, x );
	return ds_scale( 1 / ds_length( p.at[0] ), p.at[0] );
}

static void check_fermat( const ds_port *port, ds_vec3 point )
{
	ds_vec3 inside;
	OK( ds_port_see( port, point, &inside ) );
	NEAR3( inside, see_by_fermat( port, point ), 1e-2 / FOCAL ); // a hundredth of a pixel
}

static void test_fermat( void **state )
{
	(void)state;
	const double distances[] = { 0.15, 0.5, 2, 10 }, angles[] = { 1, 15, 30, 42 };
	ds_port_config flat = flat_config( 0.03, 0.012 ), dome = dome_config( 0.004, -0.003, 0.01 );
	for ( int i = 0; i < 4; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			ds_vec3 point = ds_scale( distances[i], at_angle( angles[k] * DEGREE ) );
			flat.tilt[0] = flat.tilt[1] = 0;
			ds_port port = make( flat );
			check_fermat( &port, point );
			flat.tilt[0] = 5 * DEGREE;
			flat.tilt[1] = -3 * DEGREE;
			port = make( flat );
			check_fermat( &port, point );
			port = make( dome );
			check_fermat( &port, point );
			check_fermat( &port, ds_scale( distances[i], ds_v3( 0.6, -0.77, -0.2 ) ) );
		}
	}
}

// Snell's law by tables: a camera of 800 px focal length, 5 mm behind 10 mm of glass. Apparent places of points at several ranges and
// angles, found by halving the angle in air with the sines of the angles alone.
static void test_apparent_places( void **state )
{
	(void)state;
	ds_port port = make( flat_config( 0.005, 0.01 ) );
	for ( double range = 0.1; range < 30; range *= 2.5 )
	{
		for ( double angle = 2; angle < 45; angle += 7 )
		{
			ds_vec3 point = ds_scale( range, at_angle( angle * DEGREE ) ), inside;
			double low = 0, high = 90 * DEGREE;
			for ( int i = 0; i < 60; ++i )
			{
				double air = 0.5 * ( low + high ), s = port.air * sin( air );
				double aside = 0.005 * tan( air ) + 0.01 * tan( asin( s / port.glass ) ) +
							   ( point.z - 0.015 ) * tan( asin( s / port.water ) );
				*( aside < point.x ? &low : &high ) = air;
			}
			OK( ds_port_see( &port, point, &inside ) );
			NEAR( FOCAL * inside.x / inside.z, FOCAL * tan( low ), 1e-8 );
			// which is far from where it would be seen without a port
			assert_true( FOCAL * inside.x / inside.z > 1.25 * FOCAL * point.x / point.z );
		}
	}
}

// ---- domes ---------------------------------------------------------------------------------------------------------

static void test_concentric_dome( void **state )
{
	(void)state;
	ds_port port = make( dome_config( 0, 0, 0 ) );
	for ( int i = 0; i < 1000; ++i )
	{
		ds_vec3 d = any_direction(), origin, direction, inside;
		OK( ds_port_ray( &port, d, &origin, &direction, NULL ) );
		NEAR3( direction, d, 1e-12 );
		NEAR3( origin, ds_scale( port.outer, d ), 1e-12 );
		OK( ds_port_see( &port, ds_scale( uniform( 0.07, 5 ), d ), &inside ) );
		NEAR3( inside, d, 1e-12 );
	}
}

// A shell of no thickness, radius R, whose centre lies `e` ahead of the camera. A ray at a small angle t from the axis meets it at the
// height (R + e) t, where its normal is at the angle (R + e) t / R. It comes at i = t - (R + e) t / R = -e t / R and leaves at i / n, so that
// it goes on at the angle t (1 + (e/R) (1 - 1/n)): away from the axis if the camera is behind the centre, towards it if it is before it. For
// a centre aside by e, a ray straight ahead comes at i = e/R and turns by -(e/R) (1 - 1/n), away from the centre's side.
static void test_decentred_dome( void **state )
{
	(void)state;
	const double t = 1e-4;
	for ( double share = -0.99; share < 1; share += 0.18 )
	{
		ds_port_config c = dome_config( 0, 0, share * 0.05 );
		c.thickness = 0;
		ds_port port = make( c );
		double n = port.water / port.air, turned = t * ( 1 + share * ( 1 - 1 / n ) );
		ds_vec3 origin, direction, inside;
		OK( ds_port_ray( &port, at_angle( t ), &origin, &direction, NULL ) );
		NEAR( atan2( direction.x, direction.z ), turned, 2e-7 * t );
		// and backwards
		OK( ds_port_see( &port, ds_mad( origin, 3, at_angle( turned ) ), &inside ) );
		NEAR( atan2( inside.x, inside.z ), t, 3e-7 * t );

		c = dome_config( share * 1e-5, 0, 0 );
		c.thickness = 0;
		port = make( c );
		turned = -share * 1e-5 / 0.05 * ( 1 - 1 / n );
		OK( ds_port_ray( &port, ds_v3( 0, 0, 1 ), &origin, &direction, NULL ) );
		NEAR( direction.x, turned, 1e-6 * fabs( turned ) );
		// what is straight ahead and far away is seen to the centre's side
		OK( ds_port_see( &port, ds_v3( 0, 0, 1e6 ), &inside ) );
		NEAR( inside.x, -turned, 1e-6 * fabs( turned ) );
	}
	// large angles: a camera 15 mm behind the centre sees more than without a port, one before it less
	for ( double angle = 5; angle < 85; angle += 10 )
	{
		for ( int sign = -1; sign <= 1; sign += 2 )
		{
			ds_port port = make( dome_config( 0, 0, sign * 0.015 ) );
			ds_vec3 origin, direction, inside;
			OK( ds_port_ray( &port, at_angle( angle * DEGREE ), &origin, &direction, NULL ) );
			assert_true( sign * ( atan2( direction.x, direction.z ) - angle * DEGREE ) > 0.002 );
			OK( ds_port_see( &port, ds_scale( 100, at_angle( angle * DEGREE ) ), &inside ) );
			assert_true( sign * ( atan2( inside.x, inside.z ) - angle * DEGREE ) < -0.002 );
		}
	}
}

// On the axis of a decentred dome rays stay straight; beside it, however little, they are told as elsewhere.
static void test_dome_axis( void **state )
{
	(void)state;
	ds_port port = make( dome_config( 0.01, 0.02, -0.02 ) );
	ds_vec3 across = ds_v3( 2 / sqrt( 5 ), -1 / sqrt( 5 ), 0 );
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		ds_vec3 axis = ds_scale( sign / ds_length( port.center ), port.center ), origin, direction, inside;
		OK( ds_port_ray( &port, axis, &origin, &direction, NULL ) );
		NEAR3( direction, axis, 1e-15 );
		OK( ds_port_see( &port, ds_scale( 2, axis ), &inside ) );
		NEAR3( inside, axis, 1e-15 );
		for ( double aside = 1e-3; aside > 1e-20; aside *= 0.1 )
		{
			ds_vec3 d = ds_mad( axis, aside, across );
			d = ds_scale( 1 / ds_length( d ), d );
			OK( ds_port_ray( &port, d, &origin, &direction, NULL ) );
			OK( ds_port_see( &port, ds_mad( origin, 2, direction ), &inside ) );
			NEAR3( inside, d, 1e-12 );
		}
	}
}

// ---- round trips ---------------------------------------------------------------------------------------------------

static ds_port any_port( int i )
{
	ds_port_config c = i % 2 ? flat_config( i % 11 ? pow( 10, uniform( -7, 0 ) ) : 0, i % 7 ? uniform( 0, 0.05 ) : 0 )
							 : dome_config( 0, 0, 0 );
	double off = uniform( 0, 0.998 ) * c.radius / sqrt( 3 );
	c.glass = i / 2 % DS_GLASS_COUNT;
	c.thickness = i % 2 == 0 && i % 7 ? uniform( 0, 0.05 ) : c.thickness;
	for ( int k = 0; k < 3; ++k )
	{
		c.decentring[k] = uniform( -off, off );
	}
	c.tilt[0] = uniform( -1, 1 );
	c.tilt[1] = uniform( -1, 1 );
	c.pressure = uniform( 0, 1e8 );
	ds_port port;
	c.salinity = uniform( 0, 40 );
	c.temperature = uniform( 0, 30 );
	OK( ds_port_make( &c, i % 5 != 0, &port ) );
	return port;
}

static void test_round_trips( void **state )
{
	(void)state;
	int seen = 0;
	for ( int i = 0; i < 100000; ++i )
	{
		ds_port port = any_port( i );
		ds_vec3 d = any_direction(), origin, direction, inside;
		double light, range = pow( 10, uniform( -5, 3 ) );
		// nearly level rays are told apart by less than rounding
		double cosine = ds_dot( d, port.normal );
		if ( port.kind == DS_PORT_FLAT && cosine < 0.01 )
		{
			continue;
		}
		++seen;
		OK( ds_port_ray( &port, d, &origin, &direction, &light ) );
		NEAR( ds_length( direction ), 1, 1e-15 );
		assert_true( light > 0 && light <= 1 );
		ds_vec3 point = ds_mad( origin, range, direction );
		OK( ds_port_see( &port, point, &inside ) );
		NEAR3( inside, d, 1e-10 );
		// the ray of that direction goes through the point
		OK( ds_port_ray( &port, inside, &origin, &direction, NULL ) );
		NEAR3(
			ds_mad( origin, ds_dot( ds_sub( point, origin ), direction ), direction ), point, 1e-12 * ( 1 + range ) );
	}
	assert_true( seen > 70000 );
}

// Level rays: every point outside of a flat port that has air behind it is seen, however far aside.
static void test_grazing( void **state )
{
	(void)state;
	ds_port port = make( flat_config( 0.02, 0.01 ) );
	for ( double aside = 0.01; aside < 1e9; aside *= 3 )
	{
		for ( double ahead = 0.0301; ahead < 1e3; ahead = ahead * 4 )
		{
			ds_vec3 inside, origin, direction, point = ds_v3( aside, 0, ahead );
			OK( ds_port_see( &port, point, &inside ) );
			NEAR( ds_length( inside ), 1, 1e-15 );
			if ( inside.z > 1e-4 )
			{
				OK( ds_port_ray( &port, inside, &origin, &direction, NULL ) );
				ds_vec3 nearest = ds_mad( origin, ds_dot( ds_sub( point, origin ), direction ), direction );
				NEAR3( nearest, point, 1e-9 * aside );
			}
		}
	}
}

// ---- what cannot be seen -------------------------------------------------------------------------------------------

static void test_errors( void **state )
{
	(void)state;
	ds_port flat = make( flat_config( 0.02, 0.01 ) ), dome = make( dome_config( 0, 0, 0.01 ) );
	ds_vec3 origin, direction, inside;
	FAILS( ds_port_ray( &flat, ds_v3( 1, 0, 0 ), &origin, &direction, NULL ), DS_ERROR_RANGE, "flat port" );
	FAILS( ds_port_ray( &flat, ds_v3( 0.3, 0, -1 ), &origin, &direction, NULL ), DS_ERROR_RANGE, "flat port" );
	FAILS( ds_port_ray( &flat, ds_v3( 0, 0, 0 ), &origin, &direction, NULL ), DS_ERROR_RANGE, "longer than 0" );
	FAILS( ds_port_ray( &dome, ds_v3( 0, NAN, 1 ), &origin, &direction, NULL ), DS_ERROR_RANGE, "finite" );
	FAILS( ds_port_see( &flat, ds_v3( 1, 0, 0.0299 ), &inside ), DS_ERROR_RANGE, "not outside of the flat port" );
	FAILS( ds_port_see( &flat, ds_v3( 0, 0, -1 ), &inside ), DS_ERROR_RANGE, "not outside of the flat port" );
	FAILS( ds_port_see( &dome, ds_v3( 0, 0, 0.0699 ), &inside ), DS_ERROR_RANGE, "not outside of the dome" );
	FAILS( ds_port_see( &dome, ds_v3( 0, 0, 0 ), &inside ), DS_ERROR_RANGE, "centre of projection" );
	FAILS( ds_port_see( &flat, ds_v3( 0, INFINITY, 1 ), &inside ), DS_ERROR_RANGE, "finite" );
	// without a gap rays in the water keep within the critical angle, 48.2 degrees
	ds_port near = make( flat_config( 0, 0 ) );
	double critical = asin( near.air / near.water );
	OK( ds_port_see( &near, at_angle( 0.999999 * critical ), &inside ) );
	FAILS( ds_port_see( &near, at_angle( 1.000001 * critical ), &inside ), DS_ERROR_RANGE, "totally reflected" );
	// a housing full of oil
	ds_port oil = pane( 1.6, 1.5, 1.34, 0.02, 0.01 );
	FAILS(
		ds_port_ray( &oil, at_angle( 80 * DEGREE ), &origin, &direction, NULL ), DS_ERROR_RANGE, "totally reflected" );
	FAILS(
		ds_port_ray( &oil, at_angle( 60 * DEGREE ), &origin, &direction, NULL ), DS_ERROR_RANGE, "totally reflected" );
	OK( ds_port_ray( &oil, at_angle( 50 * DEGREE ), &origin, &direction, NULL ) );
	OK( ds_port_see( &oil, ds_mad( origin, 7, direction ), &inside ) );
	NEAR3( inside, at_angle( 50 * DEGREE ), 1e-12 );
	dome.air = 1.6;
	FAILS( ds_port_see( &dome, ds_v3( 0, 1, 1 ), &inside ), DS_ERROR_RANGE, "least refractive index" );
}

// ---- light ---------------------------------------------------------------------------------------------------------

// Share of the energy that passes a face, by amplitudes: n2 cos2 / ( n1 cos1 ) t^2.
static double passes( double n1, double n2, double sine, bool in_plane )
{
	double c1 = sqrt( 1 - sine * sine / ( n1 * n1 ) ), c2 = sqrt( 1 - sine * sine / ( n2 * n2 ) );
	double t = 2 * n1 * c1 / ( in_plane ? n2 * c1 + n1 * c2 : n1 * c1 + n2 * c2 );
	return n2 * c2 / ( n1 * c1 ) * t * t;
}

static double light_at( const ds_port *port, ds_vec3 inside )
{
	ds_vec3 origin, direction;
	double light;
	OK( ds_port_ray( port, inside, &origin, &direction, &light ) );
	return light;
}

static double normal_loss( double a, double b )
{
	return ( a - b ) * ( a - b ) / ( ( a + b ) * ( a + b ) );
}

static void test_light( void **state )
{
	(void)state;
	ds_port port = make( flat_config( 0.02, 0.01 ) ), dome = make( dome_config( 0, 0, 0 ) );
	double expected = ( 1 - normal_loss( port.air, port.glass ) ) * ( 1 - normal_loss( port.glass, port.water ) );
	NEAR( light_at( &port, ds_v3( 0, 0, 1 ) ), expected, 1e-15 );
	NEAR( light_at( &dome, ds_v3( 1, 2, -3 ) ), expected, 1e-14 );
	NEAR( expected, 0.9539, 1e-4 ); // 4.2 % at air and glass, 0.4 % at glass and water
	// Brewster's angle: all that is polarised in the plane of incidence passes, of the rest 1 - cos^2( 2 angle )
	ds_port matched = pane( 1, 1.5, 1.5, 0.02, 0.01 );
	double brewster = atan( 1.5 ), lost = cos( 2 * brewster ) * cos( 2 * brewster );
	NEAR( light_at( &matched, at_angle( brewster ) ), 1 - 0.5 * lost, 1e-15 );
	// the same from water to air as from air to water
	ds_port back = pane( port.water, port.glass, port.air, 0.02, 0.01 );
	for ( double angle = 0; angle < 89.9; angle += 3.7 )
	{
		double sine = port.air * sin( angle * DEGREE ), light = light_at( &port, at_angle( angle * DEGREE ) );
		double by_hand = 0;
		for ( int k = 0; k < 2; ++k )
		{
			by_hand += 0.5 * passes( port.air, port.glass, sine, k ) * passes( port.glass, port.water, sine, k );
		}
		NEAR( light, by_hand, 1e-13 );
		NEAR( light_at( &back, at_angle( asin( sine / port.water ) ) ), light, 1e-12 );
	}
	assert_true( light_at( &port, at_angle( 89.999 * DEGREE ) ) < 1e-3 );
	port.kind = DS_PORT_NONE;
	NEAR( light_at( &port, ds_v3( 0, 1, 1 ) ), 1, 0 );
}

// ---- the rest ------------------------------------------------------------------------------------------------------

// In air a pane shifts rays and turns none.
static void test_in_air( void **state )
{
	(void)state;
	ds_port_config c = flat_config( 0.02, 0.01 );
	ds_port port;
	OK( ds_port_make( &c, false, &port ) );
	ds_vec3 d = at_angle( 40 * DEGREE ), origin, direction, inside;
	OK( ds_port_ray( &port, d, &origin, &direction, NULL ) );
	NEAR3( direction, d, 1e-15 );
	double glass = asin( sin( 40 * DEGREE ) * port.air / port.glass );
	NEAR3( origin, ds_v3( 0.02 * tan( 40 * DEGREE ) + 0.01 * tan( glass ), 0, 0.03 ), 1e-16 );
	OK( ds_port_see( &port, ds_mad( origin, 3, d ), &inside ) );
	NEAR3( inside, d, 1e-14 );
	// no port: nothing bends anywhere
	c.kind = DS_PORT_NONE;
	port = make( c );
	OK( ds_port_ray( &port, ds_v3( 3, 0, 4 ), &origin, &direction, NULL ) );
	NEAR3( origin, ds_v3( 0, 0, 0 ), 0 );
	NEAR3( direction, ds_v3( 0.6, 0, 0.8 ), 1e-15 );
	OK( ds_port_see( &port, ds_v3( 3, 0, -4 ), &inside ) );
	NEAR3( inside, ds_v3( 0.6, 0, -0.8 ), 1e-15 );
}

static void test_indices( void **state )
{
	(void)state;
	ds_port_config c = flat_config( 0.02, 0.01 );
	c.wavelength = 500;
	ds_port port = make( c );
	NEAR( port.air, ds_refractive_index_air( 500 ), 0 );
	// formulas are relative to air
	NEAR( port.water / port.air, ds_refractive_index_seawater( 35, 4, 500 ), 1e-15 );
	NEAR( port.glass / port.air, ds_refractive_index_glass( DS_GLASS_BK7, 500 ), 1e-15 );
	c.pressure = 40.6e6;
	c.glass = DS_GLASS_GIVEN;
	c.glass_index = 1.6;
	double shallow = port.water;
	port = make( c );
	NEAR( port.glass / port.air, 1.6, 1e-15 );
	NEAR( ( port.water - shallow ) / port.air, ds_refractive_index_pressure( 35, 4, 500, 40.6e6 ), 1e-15 );
	NEAR( port.water - shallow, 0.0059, 2e-4 );
}

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( ds_port_config_table(), "" );
	ds_port_config c = dome_config( 0, 0.03, 0.04 );
	ds_port port;
	FAILS( ds_port_make( &c, true, &port ), DS_ERROR_RANGE, "decentring must be shorter" );
	c.decentring[2] = NAN;
	FAILS( ds_port_make( &c, true, &port ), DS_ERROR_NOT_FINITE, "decentring" );
	c = flat_config( 0.02, -1 );
	FAILS( ds_port_make( &c, true, &port ), DS_ERROR_RANGE, "thickness" );
	c = flat_config( 0.02, 0.01 );
	c.kind = 17;
	FAILS( ds_port_make( &c, true, &port ), DS_ERROR_RANGE, "kind" );
	c.kind = DS_PORT_FLAT;
	c.salinity = NAN;
	FAILS( ds_port_make( &c, true, &port ), DS_ERROR_NOT_FINITE, "salinity" );
	c.salinity = 0;
	c.temperature = 1e5;
	FAILS( ds_port_make( &c, true, &port ), DS_ERROR_RANGE, "temperature" );
	c.temperature = 20;
	OK( ds_port_make( &c, true, &port ) );
	// Quan and Fry's literature value for 589.3 nm is relative to air; so is the ratio here
	c.wavelength = 589.3;
	OK( ds_port_make( &c, true, &port ) );
	assert_true( fabs( port.water / port.air - 1.333004 ) < 1e-6 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_by_hand ),
		cmocka_unit_test( test_fermat ),
		cmocka_unit_test( test_apparent_places ),
		cmocka_unit_test( test_concentric_dome ),
		cmocka_unit_test( test_decentred_dome ),
		cmocka_unit_test( test_dome_axis ),
		cmocka_unit_test( test_round_trips ),
		cmocka_unit_test( test_grazing ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_light ),
		cmocka_unit_test( test_in_air ),
		cmocka_unit_test( test_indices ),
		cmocka_unit_test( test_options ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
