// Where a point outside of a port is seen: the way of a ray, backwards.

#include "deepsim/port.h"

#include "optics/port_trace.h"

#include <math.h>

#define MOST_STEPS 200

static ds_status hidden( ds_vec3 point, const char *why )
{
	return ds_error(
		DS_ERROR_RANGE, "port: the point (%g, %g, %g) cannot be seen: %s", point.x, point.y, point.z, why );
}

// ---- flat ----------------------------------------------------------------------------------------------------------

// Three layers that a ray crosses: air, glass, water. Everything is told by u, the tangent of the ray's angle to the normal in the layer
// of the least refractive index, which may be any number: no other layer's ray gets level before. In layer i, by Snell's law,
//   tan = u k / sqrt( 1 + u2 ( 1 - k2 ) ),  k = least index / index of i.
typedef struct layers
{
	double length[3]; // along the normal [m]
	double k[3];
} layers;

static double tangent( const layers *l, int i, double u )
{
	return u * l->k[i] / sqrt( 1 + u * u * ( 1 - l->k[i] ) * ( 1 + l->k[i] ) );
}

// How far to the side of the normal the ray gets, and its derivative by u.
static double aside( const layers *l, double u, double *slope )
{
	double sum = 0;
	*slope = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double root = sqrt( 1 + u * u * ( 1 - l->k[i] ) * ( 1 + l->k[i] ) );
		sum += l->length[i] * l->k[i] * u / root;
		*slope += l->length[i] * l->k[i] / ( root * root * root );
	}
	return sum;
}

// Whether a ray gets `wanted` to the side at all: it does in a layer of the least index, and comes near a limit in the others.
static bool within_reach( const layers *l, double wanted )
{
	double limit = 0;
	for ( int i = 0; i < 3; ++i )
	{
		if ( l->length[i] > 0 )
		{
			limit += l->length[i] * l->k[i] / sqrt( ( 1 - l->k[i] ) * ( 1 + l->k[i] ) ); // INFINITY for k = 1
		}
	}
	return wanted < limit;
}

static ds_status see_flat( const ds_port *port, ds_vec3 point, ds_vec3 *inside )
{
	double height = ds_dot( point, port->normal ), water = height - port->distance - port->thickness;
	if ( !( water >= 0 ) )
	{
		return hidden( point, "it is not outside of the flat port" );
	}
	double least = fmin( fmin( port->air, port->glass ), port->water );
	const layers l = { { port->distance, port->thickness, water },
		{ least / port->air, least / port->glass, least / port->water } };
	ds_vec3 side = ds_mad( point, -height, port->normal );
	double wanted = ds_length( side );
	if ( wanted == 0 )
	{
		*inside = port->normal;
		return DS_OK;
	}
	if ( !within_reach( &l, wanted ) )
	{
		return hidden( point, "the rays from there that reach the camera are totally reflected" );
	}
	// `aside` is concave: Newton's steps from 0 grow towards the root and never pass it
	double u = 0;
	for ( int i = 0; i < MOST_STEPS; ++i )
	{
		double slope, missing = wanted - aside( &l, u, &slope ), step = missing / slope;
		if ( !( step > 1e-17 * u ) )
		{
			break;
		}
		u += step;
	}
	*inside = ds_mad( port->normal, tangent( &l, 0, u ) / wanted, side );
	return DS_OK;
}

// ---- dome ----------------------------------------------------------------------------------------------------------

// The plane of the centre of projection, the dome's centre and the point, in which the ray stays.
typedef struct dome_plane
{
	const ds_port *port;
	ds_vec3 axis, side; // unit: towards the dome's centre; across, to the side where the point is
	ds_vec3 point;
} dome_plane;

static ds_vec3 direction_at( const dome_plane *d, double angle )
{
	return ds_mad( ds_scale( cos( angle ), d->axis ), sin( angle ), d->side );
}

// How far the point lies from the ray that leaves at `angle` from the axis: > 0 where the ray must turn farther from it [m].
static bool off_ray( const dome_plane *d, double angle, double *off )
{
	ds_vec3 origin, along;
	if ( ds_port_trace( d->port, direction_at( d, angle ), &origin, &along, NULL ) != DS_TRACE_OUT )
	{
		return false;
	}
	ds_vec3 to = ds_sub( d->point, origin );
	*off = ds_dot( along, d->axis ) * ds_dot( to, d->side ) - ds_dot( along, d->side ) * ds_dot( to, d->axis );
	return true;
}

// Values at the ends of the interval that a root lies in.
typedef struct bracket
{
	double low, high;
	double at_low, at_high; // > 0, < 0; NaN: not known
	int last; // the end that moved last: 1 low, -1 high
} bracket;

// An end moves to x. The other one counts for less if it stays for a second time (Anderson and Bjorck 1973).
static void narrow( bracket *b, double x, double at )
{
	int which = at > 0 ? 1 : -1;
	double *moved = at > 0 ? &b->at_low : &b->at_high, *other = at > 0 ? &b->at_high : &b->at_low;
	if ( which == b->last )
	{
		double share = 1 - at / *moved;
		*other *= share > 0 ? share : 0.5;
	}
	b->last = which;
	*moved = at;
	*( at > 0 ? &b->low : &b->high ) = x;
}

// The root in [0, pi]. There is one: where the air inside is the thinnest of the three, the rays outside of a dome diverge, so that each
// point is on one of them. From the direction of the point itself on: steps until the root is passed, then the rule of false position, and
// halving where that is slow.
static bool solve_dome( const dome_plane *d, double start, double *angle )
{
	bracket b = { 0, DS_PI, NAN, NAN, 0 };
	double x = start, at, distance = ds_length( d->point ), eager = 1.25;
	for ( int i = 0; i < MOST_STEPS; ++i )
	{
		if ( !off_ray( d, x, &at ) )
		{
			return false;
		}
		if ( at == 0 || b.high - b.low <= 4e-16 * b.high )
		{
			break;
		}
		narrow( &b, x, at );
		double last = x;
		if ( isnan( b.at_low ) || isnan( b.at_high ) )
		{
			x += eager * at / distance;
			eager *= 2;
			x = x > b.low && x < b.high ? x : 0.5 * ( b.low + b.high );
		}
		else
		{
			x = i % 8 == 7 ? 0.5 * ( b.low + b.high )
						   : b.low + ( b.high - b.low ) * ( b.at_low / ( b.at_low - b.at_high ) );
		}
		if ( !( x > b.low && x < b.high ) || fabs( x - last ) <= 4e-16 * x ) // the root, but for rounding
		{
			break;
		}
	}
	*angle = x;
	return true;
}

static ds_status see_dome( const ds_port *port, ds_vec3 point, ds_vec3 *inside )
{
	if ( !( ds_length( ds_sub( point, port->center ) ) >= port->outer ) )
	{
		return hidden( point, "it is not outside of the dome" );
	}
	if ( port->air > port->glass || port->air > port->water )
	{
		return ds_error( DS_ERROR_RANGE,
			"port: a dome's air must have the least refractive index, got %g, of glass %g, of what is outside %g",
			port->air, port->glass, port->water );
	}
	*inside = point;
	double off_center = ds_length( port->center );
	if ( off_center == 0 )
	{
		return DS_OK;
	}
	dome_plane d = { .port = port, .axis = ds_scale( 1 / off_center, port->center ), .point = point };
	ds_vec3 side = ds_mad( point, -ds_dot( point, d.axis ), d.axis );
	double across = ds_length( side );
	if ( across < 1e-13 * ds_length( point ) ) // on the axis, but for rounding
	{
		return DS_OK;
	}
	d.side = ds_scale( 1 / across, side );
	double angle;
	if ( !solve_dome( &d, atan2( across, ds_dot( point, d.axis ) ), &angle ) )
	{
		return hidden( point, "its rays are totally reflected" );
	}
	*inside = direction_at( &d, angle );
	return DS_OK;
}

// ---- all -----------------------------------------------------------------------------------------------------------

ds_status ds_port_see( const ds_port *port, ds_vec3 point, ds_vec3 *inside )
{
	double distance = ds_length( point );
	if ( !( distance > 0 && isfinite( distance ) ) )
	{
		return hidden( point, "it must be finite, and not the centre of projection" );
	}
	ds_vec3 seen = point;
	ds_status status = port->kind == DS_PORT_FLAT   ? see_flat( port, point, &seen )
					   : port->kind == DS_PORT_DOME ? see_dome( port, point, &seen )
													: DS_OK;
	if ( status == DS_OK )
	{
		*inside = ds_scale( 1 / ds_length( seen ), seen );
	}
	return status;
}
