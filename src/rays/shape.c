#include "rays/shape.h"

#include "deepsim/math.h"

// ---- boxes ---------------------------------------------------------------------------------------------------------

static ds_vec3 axis_of( const ds_ray_shape *shape )
{
	return ds_rotate( shape->pose.attitude, ds_v3( 1, 0, 0 ) );
}

// Half size along a world axis, of which `a` is the component of the shape's own x axis.
static double half_size( const ds_ray_shape *shape, double a )
{
	double half = 0.5 * shape->length * fabs( a ), across = 1 - a * a;
	switch ( shape->kind )
	{
		case DS_RAY_SPHERE:
			return shape->radius;
		case DS_RAY_CAPSULE:
			return half + shape->radius;
		default:
			return half + shape->radius * sqrt( across > 0 ? across : 0 );
	}
}

void ds_ray_shape_box( const ds_ray_shape *shape, ds_vec3 *lower, ds_vec3 *upper )
{
	ds_vec3 a = axis_of( shape );
	ds_vec3 h = ds_v3( half_size( shape, a.x ), half_size( shape, a.y ), half_size( shape, a.z ) );
	if ( shape->kind == DS_RAY_BOX )
	{
		ds_mat3 r = ds_mat3_from_quat( shape->pose.attitude );
		double size[3];
		for ( int k = 0; k < 3; ++k )
		{
			size[k] = fabs( r.m[k][0] ) * shape->half.x + fabs( r.m[k][1] ) * shape->half.y +
					  fabs( r.m[k][2] ) * shape->half.z;
		}
		h = ds_v3( size[0], size[1], size[2] );
	}
	*lower = ds_sub( shape->pose.position, h );
	*upper = ds_add( shape->pose.position, h );
}

// ---- solids, about their own origin --------------------------------------------------------------------------------

// The part of a ray within a slab |x| <= h, cut from [*enter, *leave]; `side` is the face that it enters by.
static bool within( double o, double d, double h, int axis, double *enter, double *leave, int *side )
{
	if ( fabs( d ) < 1e-200 )
	{
		return fabs( o ) <= h;
	}
	double in = ( d > 0 ? -h - o : h - o ) / d, out = ( d > 0 ? h - o : -h - o ) / d;
	if ( in > *enter )
	{
		*enter = in;
		*side = axis;
	}
	*leave = out < *leave ? out : *leave;
	return *enter <= *leave;
}

static bool meet_box( ds_vec3 half, ds_vec3 o, ds_vec3 d, double *t, ds_vec3 *normal )
{
	double enter = -INFINITY, leave = INFINITY;
	int side = -1;
	if ( !within( o.x, d.x, half.x, 0, &enter, &leave, &side ) ||
		 !within( o.y, d.y, half.y, 1, &enter, &leave, &side ) ||
		 !within( o.z, d.z, half.z, 2, &enter, &leave, &side ) || !( enter >= 0 ) )
	{
		return false;
	}
	*t = enter;
	*normal = ds_v3( side == 0 ? ( d.x > 0 ? -1 : 1 ) : 0, side == 1 ? ( d.y > 0 ? -1 : 1 ) : 0,
		side == 2 ? ( d.z > 0 ? -1 : 1 ) : 0 );
	return true;
}

// Where a ray enters a sphere about the origin, or with no x component an endless cylinder: from outside only.
static bool enter_round( ds_vec3 o, ds_vec3 d, double radius, double *t )
{
	double a = ds_dot( d, d ), b = ds_dot( o, d );
	if ( !( a > 0 ) || b >= 0 )
	{
		return false;
	}
	// the point of the line nearest to the centre keeps the digits that b^2 - a c would lose
	ds_vec3 nearest = ds_mad( o, -b / a, d );
	double rest = radius * radius - ds_dot( nearest, nearest ), c = ds_dot( o, o ) - radius * radius;
	if ( rest < 0 || c < 0 )
	{
		return false;
	}
	*t = c / ( sqrt( a * rest ) - b );
	return true;
}

static ds_vec3 across( ds_vec3 v )
{
	return ds_v3( 0, v.y, v.z );
}

static bool meet_sphere( double radius, ds_vec3 o, ds_vec3 d, double *t, ds_vec3 *normal )
{
	if ( !enter_round( o, d, radius, t ) )
	{
		return false;
	}
	*normal = ds_scale( 1 / radius, ds_mad( o, *t, d ) );
	return true;
}

static bool meet_capsule( double radius, double length, ds_vec3 o, ds_vec3 d, double *t, ds_vec3 *normal )
{
	double h = 0.5 * length, on_axis = fmax( -h, fmin( h, o.x ) ), at = 0;
	ds_vec3 beside = ds_sub( o, ds_v3( on_axis, 0, 0 ) ), n;
	if ( ds_dot( beside, beside ) < radius * radius )
	{
		return false;
	}
	*t = INFINITY;
	if ( enter_round( across( o ), across( d ), radius, &at ) && fabs( o.x + at * d.x ) <= h )
	{
		*t = at;
		*normal = ds_scale( 1 / radius, across( ds_mad( o, at, d ) ) );
	}
	for ( int side = -1; side <= 1; side += 2 )
	{
		if ( meet_sphere( radius, ds_sub( o, ds_v3( side * h, 0, 0 ) ), d, &at, &n ) && at < *t )
		{
			*t = at;
			*normal = n;
		}
	}
	return *t < INFINITY;
}

static bool meet_cylinder( double radius, double length, ds_vec3 o, ds_vec3 d, double *t, ds_vec3 *normal )
{
	double enter = -INFINITY, leave = INFINITY, at = 0;
	int side = -1;
	if ( !within( o.x, d.x, 0.5 * length, 0, &enter, &leave, &side ) )
	{
		return false;
	}
	ds_vec3 m = across( o ), e = across( d ), end = ds_v3( d.x > 0 ? -1 : 1, 0, 0 );
	double a = ds_dot( e, e );
	if ( ds_dot( m, m ) < radius * radius || !( a > 0 ) )
	{
		// within the endless cylinder: only an end can be entered
		ds_vec3 p = ds_mad( m, enter, e );
		*t = enter;
		*normal = end;
		return enter >= 0 && ds_dot( p, p ) <= radius * radius;
	}
	if ( !enter_round( m, e, radius, &at ) )
	{
		return false;
	}
	if ( at > enter )
	{
		*t = at;
		*normal = ds_scale( 1 / radius, ds_mad( m, at, e ) );
		return at <= leave;
	}
	*t = enter;
	*normal = end;
	return enter >= 0 && enter <= -2 * ds_dot( m, e ) / a - at;
}

bool ds_ray_shape_meet( const ds_ray_shape *shape, ds_vec3 origin, ds_vec3 direction, double *t, ds_vec3 *normal )
{
	ds_quat q = shape->pose.attitude;
	ds_vec3 o = ds_unrotate( q, ds_sub( origin, shape->pose.position ) ), d = ds_unrotate( q, direction );
	bool met = false;
	switch ( shape->kind )
	{
		case DS_RAY_BOX:
			met = meet_box( shape->half, o, d, t, normal );
			break;
		case DS_RAY_SPHERE:
			met = meet_sphere( shape->radius, o, d, t, normal );
			break;
		case DS_RAY_CAPSULE:
			met = meet_capsule( shape->radius, shape->length, o, d, t, normal );
			break;
		default:
			met = meet_cylinder( shape->radius, shape->length, o, d, t, normal );
	}
	if ( met )
	{
		*normal = ds_rotate( q, *normal );
	}
	return met;
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// Six times the volume of the tetrahedron of the ray's unit length and an edge: its sign is the side on which the ray passes
// (Pluecker). Swapping a and b changes the sign and not one bit more.
static double passes( ds_vec3 a, ds_vec3 b, ds_vec3 d )
{
	return ds_dot( d, ds_cross( a, b ) );
}

bool ds_ray_triangle_meet(
	const ds_vec3 corners[3], bool front, ds_vec3 origin, ds_vec3 direction, double *t, ds_vec3 *normal )
{
	ds_vec3 a = ds_sub( corners[0], origin ), b = ds_sub( corners[1], origin ), c = ds_sub( corners[2], origin );
	double e0 = passes( a, b, direction ), e1 = passes( b, c, direction ), e2 = passes( c, a, direction );
	if ( !( ( e0 >= 0 && e1 >= 0 && e2 >= 0 && !front ) || ( e0 <= 0 && e1 <= 0 && e2 <= 0 ) ) )
	{
		return false;
	}
	ds_vec3 n = ds_cross( ds_sub( corners[1], corners[0] ), ds_sub( corners[2], corners[0] ) );
	double fall = ds_dot( n, direction ), at = ds_dot( n, a ) / fall;
	if ( !( fall != 0 && at >= 0 && at < INFINITY ) || ( front && fall > 0 ) )
	{
		return false;
	}
	*t = at;
	*normal = ds_scale( 1 / ds_length( n ), n );
	return true;
}
