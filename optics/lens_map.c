// The maps of a lens: direction to pixel, pixel to direction, derivative.

#include "deepsim/math.h"
#include "optics/lens_internal.h"

// ---- directions ------------------------------------------------------------------------------------------------------

// Scales a direction so that its largest component is 1, by 1 / *size.
static ds_status scale_direction( ds_vec3 *d, double *size )
{
	*size = fmax( fmax( fabs( d->x ), fabs( d->y ) ), fabs( d->z ) );
	if ( !ds_finite( *d ) || *size == 0 )
	{
		return ds_error( ds_finite( *d ) ? DS_ERROR_RANGE : DS_ERROR_NOT_FINITE,
			"a lens needs a direction of finite numbers, not all 0, got (%g, %g, %g)", d->x, d->y, d->z );
	}
	*d = ds_v3( d->x / *size, d->y / *size, d->z / *size );
	return DS_OK;
}

static ds_status no_pixel( const ds_lens *lens, ds_vec3 d )
{
	double angle = atan2( hypot( d.x, d.y ), d.z ) * 180 / DS_PI;
	if ( lens->model == DS_LENS_EQUIRECTANGULAR )
	{
		return ds_error( DS_ERROR_RANGE, "straight up and down have no single pixel in an equirectangular image" );
	}
	return ds_error( DS_ERROR_RANGE,
		"the lens has no pixel for a direction %g degrees from its axis (it reaches to %g)", angle,
		lens->limit * 180 / DS_PI );
}

static ds_status no_ray( const ds_lens *lens, double u, double v )
{
	if ( lens->model == DS_LENS_EQUIRECTANGULAR )
	{
		return ds_error( DS_ERROR_RANGE,
			"no direction belongs to the pixel (%g, %g): it is more than 180 degrees across or 90 up or down", u, v );
	}
	return ds_error( DS_ERROR_RANGE,
		"no direction belongs to the pixel (%g, %g): it is farther out than the lens's map is one-to-one", u, v );
}

// ---- rectilinear: source paper (30, 31) --------------------------------------------------------------------------------

// The distorted point and its derivative [xd by a, by b, yd by b]; the matrix is symmetric.
static void distort( const ds_lens *lens, double a, double b, double out[2], double j[3] )
{
	const double *k = lens->k, *p = lens->p;
	double s = a * a + b * b;
	double d = 1 + s * ( k[0] + s * ( k[1] + s * k[2] ) );
	double slope = 2 * ( k[0] + s * ( 2 * k[1] + s * ( 3 * k[2] ) ) ); // of d by s, twice
	out[0] = a * d + 2 * p[0] * a * b + p[1] * ( s + 2 * a * a );
	out[1] = b * d + p[0] * ( s + 2 * b * b ) + 2 * p[1] * a * b;
	j[0] = d + slope * a * a + 2 * p[0] * b + 6 * p[1] * a;
	j[1] = slope * a * b + 2 * p[0] * a + 2 * p[1] * b;
	j[2] = d + slope * b * b + 6 * p[0] * b + 2 * p[1] * a;
}

static bool positive_definite( const double j[3] )
{
	return j[0] + j[2] > 0 && j[0] * j[2] - j[1] * j[1] > 0;
}

// The radius whose image under the radial map is `image`, at most lens->radius: Newton's method within a bracket.
static double radial_inverse( const ds_lens *lens, double most, double image )
{
	double terms[DS_LENS_TERMS];
	ds_lens_terms( lens, terms );
	double low = 0, high = most;
	if ( !( high < INFINITY ) )
	{
		for ( high = fmax( image, 1e-3 ); ds_lens_radial( terms, high ) < image; high *= 2 )
		{
			low = high;
		}
	}
	double r = fmin( fmax( image, low ), high );
	for ( int i = 0; i < 100 && high > low; ++i )
	{
		double error = ds_lens_radial( terms, r ) - image, slope = ds_lens_radial_slope( terms, r );
		*( error > 0 ? &high : &low ) = r;
		double next = r - error / slope;
		if ( !( next > low && next < high ) )
		{
			next = error == 0 || fabs( next - r ) <= 1e-16 * r ? r : 0.5 * ( low + high );
		}
		if ( fabs( next - r ) <= 2e-16 * r )
		{
			return next;
		}
		r = next;
	}
	return r;
}

// Newton's method towards a distorted point, with steps short enough to stay where the derivative is positive definite and to come
// nearer. From a start where it is.
static bool approach( const ds_lens *lens, double xd, double yd, double *a, double *b )
{
	double at[2], j[3], scale = 1 + hypot( xd, yd );
	distort( lens, *a, *b, at, j );
	double error = hypot( xd - at[0], yd - at[1] );
	for ( int i = 0; i < 100 && error > 1e-16 * scale; ++i )
	{
		double ex = xd - at[0], ey = yd - at[1], determinant = j[0] * j[2] - j[1] * j[1];
		double da = ( j[2] * ex - j[1] * ey ) / determinant, db = ( j[0] * ey - j[1] * ex ) / determinant;
		bool nearer = false;
		for ( double share = 1; share > 1e-6 && !nearer; share *= 0.5 )
		{
			double na = *a + share * da, nb = *b + share * db, there[2], k[3];
			distort( lens, na, nb, there, k );
			double left = hypot( xd - there[0], yd - there[1] );
			nearer = left < error && positive_definite( k );
			if ( nearer )
			{
				*a = na;
				*b = nb;
				error = left;
				at[0] = there[0];
				at[1] = there[1];
				j[0] = k[0];
				j[1] = k[1];
				j[2] = k[2];
			}
		}
		if ( !nearer )
		{
			break;
		}
	}
	return error <= 1e-13 * scale;
}

// From the radial solution; if that fails, from the axis in small steps.
static bool undistort( const ds_lens *lens, double xd, double yd, double *a, double *b )
{
	double image = hypot( xd, yd ), p = hypot( lens->p[0], lens->p[1] ), terms[DS_LENS_TERMS];
	bool bounded = lens->bound < INFINITY;
	if ( p == 0 )
	{
		bool good = image <= lens->radius;
		double share = good && image > 0 ? radial_inverse( lens, lens->sure, image ) / image : 1;
		*a = share * xd;
		*b = share * yd;
		return good;
	}
	ds_lens_terms( lens, terms );
	if ( bounded && image > 1.01 * ( fmax( lens->radius, ds_lens_radial( terms, lens->bound ) ) +
									   3 * p * lens->bound * lens->bound ) )
	{
		return false;
	}
	double most = tan( lens->limit ), radius = fmin( image, lens->radius );
	most = lens->radius < INFINITY ? most : INFINITY;
	double share = image > 0 ? radial_inverse( lens, most, radius ) / image : 1;
	double at[2], j[3];
	for ( int i = 0; i < 200; ++i )
	{
		*a = share * xd;
		*b = share * yd;
		distort( lens, *a, *b, at, j );
		if ( positive_definite( j ) )
		{
			break;
		}
		share *= 0.97;
	}
	if ( approach( lens, xd, yd, a, b ) && ds_lens_one_to_one( lens, *a, *b ) )
	{
		return true;
	}
	*a = *b = 0;
	for ( int i = 1; i <= 32; ++i )
	{
		if ( !approach( lens, xd * i / 32, yd * i / 32, a, b ) )
		{
			return false;
		}
	}
	return ds_lens_one_to_one( lens, *a, *b );
}

static bool project_rectilinear( const ds_lens *lens, ds_vec3 d, double image[2], double by[6] )
{
	if ( !( d.z > 0 ) )
	{
		return false;
	}
	double a = d.x / d.z, b = d.y / d.z, j[3];
	if ( !ds_lens_one_to_one( lens, a, b ) )
	{
		return false;
	}
	distort( lens, a, b, image, j );
	if ( by )
	{
		for ( int i = 0; i < 2; ++i )
		{
			by[3 * i] = j[i] / d.z;
			by[3 * i + 1] = j[i + 1] / d.z;
			by[3 * i + 2] = -( j[i] * a + j[i + 1] * b ) / d.z;
		}
	}
	return true;
}

// ---- fisheye -----------------------------------------------------------------------------------------------------------

// Kannala and Brandt 2006, eq. (6) as OpenCV has it.
static bool project_fisheye( const ds_lens *lens, ds_vec3 d, double image[2], double by[6] )
{
	double rho = hypot( d.x, d.y ), theta = atan2( rho, d.z ), terms[DS_LENS_TERMS];
	if ( theta > lens->limit || ( rho == 0 && d.z < 0 ) )
	{
		return false;
	}
	ds_lens_terms( lens, terms );
	double share = rho > 0 ? ds_lens_radial( terms, theta ) / rho : 1 / d.z;
	image[0] = share * d.x;
	image[1] = share * d.y;
	if ( by )
	{
		double slope = ds_lens_radial_slope( terms, theta ), square = ds_dot( d, d );
		double c = rho > 0 ? d.x / rho : 1, s = rho > 0 ? d.y / rho : 0;
		double radial = slope * d.z / square - share;
		by[0] = share + c * c * radial;
		by[1] = by[3] = c * s * radial;
		by[4] = share + s * s * radial;
		by[2] = -slope * d.x / square;
		by[5] = -slope * d.y / square;
	}
	return true;
}

// ---- wide angles -------------------------------------------------------------------------------------------------------

static bool project_equirectangular( ds_vec3 d, double image[2], double by[6] )
{
	double level = hypot( d.x, d.z ), square = ds_dot( d, d );
	if ( level == 0 )
	{
		return false;
	}
	image[0] = atan2( d.x, d.z );
	image[1] = atan2( d.y, level );
	if ( by )
	{
		by[0] = d.z / ( level * level );
		by[1] = 0;
		by[2] = -d.x / ( level * level );
		by[3] = -d.x * d.y / ( level * square );
		by[4] = level / square;
		by[5] = -d.z * d.y / ( level * square );
	}
	return true;
}

// r = 2 tan( theta / 2 ): image = 2 ( x, y ) / ( |d| + z ).
static bool project_stereographic( ds_vec3 d, double image[2], double by[6] )
{
	double rho = hypot( d.x, d.y ), length = hypot( rho, d.z );
	double sum = d.z >= 0 ? length + d.z : rho * rho / ( length - d.z );
	if ( sum == 0 )
	{
		return false;
	}
	image[0] = 2 * d.x / sum;
	image[1] = 2 * d.y / sum;
	if ( by )
	{
		double factor = 2 / ( length * sum * sum );
		by[0] = 2 / sum - factor * d.x * d.x;
		by[1] = by[3] = -factor * d.x * d.y;
		by[4] = 2 / sum - factor * d.y * d.y;
		by[2] = -factor * d.x * sum;
		by[5] = -factor * d.y * sum;
	}
	return true;
}

// ---- all models --------------------------------------------------------------------------------------------------------

// The image in focal lengths, and, unless `by` is NULL, its derivative by the direction.
static bool project( const ds_lens *lens, ds_vec3 d, double image[2], double by[6] )
{
	switch ( lens->model )
	{
		case DS_LENS_FISHEYE:
			return project_fisheye( lens, d, image, by );
		case DS_LENS_EQUIRECTANGULAR:
			return project_equirectangular( d, image, by );
		case DS_LENS_STEREOGRAPHIC:
			return project_stereographic( d, image, by );
		default:
			return project_rectilinear( lens, d, image, by );
	}
}

ds_status ds_lens_project( const ds_lens *lens, ds_vec3 direction, double pixel[2] )
{
	double size, image[2];
	ds_vec3 d = direction;
	ds_status status = scale_direction( &d, &size );
	if ( status != DS_OK )
	{
		return status;
	}
	if ( !project( lens, d, image, NULL ) || !isfinite( image[0] ) || !isfinite( image[1] ) )
	{
		return no_pixel( lens, d );
	}
	pixel[0] = lens->fx * image[0] + lens->cx;
	pixel[1] = lens->fy * image[1] + lens->cy;
	return DS_OK;
}

ds_status ds_lens_jacobian( const ds_lens *lens, ds_vec3 direction, double jacobian[6] )
{
	double size, image[2], by[6] = { 0 };
	ds_vec3 d = direction;
	ds_status status = scale_direction( &d, &size );
	if ( status != DS_OK )
	{
		return status;
	}
	if ( !project( lens, d, image, by ) || !isfinite( image[0] ) || !isfinite( image[1] ) )
	{
		return no_pixel( lens, d );
	}
	for ( int i = 0; i < 6; ++i )
	{
		jacobian[i] = ( i < 3 ? lens->fx : lens->fy ) * by[i] / size;
	}
	return DS_OK;
}

static bool ray_of_angle( double x, double y, double r, double theta, ds_vec3 *direction )
{
	double share = r > 0 ? sin( theta ) / r : 1;
	*direction = ds_v3( share * x, share * y, cos( theta ) );
	return true;
}

static bool ray_fisheye( const ds_lens *lens, double x, double y, ds_vec3 *direction )
{
	double r = hypot( x, y );
	if ( !( r <= lens->radius ) || ( r == lens->radius && lens->limit >= DS_PI ) )
	{
		return false;
	}
	return ray_of_angle( x, y, r, radial_inverse( lens, lens->limit, r ), direction );
}

static bool ray( const ds_lens *lens, double x, double y, ds_vec3 *direction )
{
	double a, b;
	switch ( lens->model )
	{
		case DS_LENS_FISHEYE:
			return ray_fisheye( lens, x, y, direction );
		case DS_LENS_EQUIRECTANGULAR:
			*direction = ds_v3( sin( x ) * cos( y ), sin( y ), cos( x ) * cos( y ) );
			// a hair more than half a turn is rounding of the image's edge
			return fabs( x ) <= DS_PI * ( 1 + 1e-12 ) && fabs( y ) <= 0.5 * DS_PI * ( 1 + 1e-12 );
		case DS_LENS_STEREOGRAPHIC:
			return ray_of_angle( x, y, hypot( x, y ), 2 * atan( 0.5 * hypot( x, y ) ), direction );
		default:
			if ( !undistort( lens, x, y, &a, &b ) )
			{
				return false;
			}
			*direction = ds_v3( a, b, 1 );
			return true;
	}
}

ds_status ds_lens_ray( const ds_lens *lens, double u, double v, ds_vec3 *direction )
{
	if ( !isfinite( u ) || !isfinite( v ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "a pixel's place must be finite, got (%g, %g)", u, v );
	}
	ds_vec3 d;
	if ( !ray( lens, ( u - lens->cx ) / lens->fx, ( v - lens->cy ) / lens->fy, &d ) )
	{
		return no_ray( lens, u, v );
	}
	*direction = ds_scale( 1 / ds_length( d ), d );
	return DS_OK;
}

double ds_lens_light( const ds_lens *lens, ds_vec3 direction )
{
	double length = hypot( hypot( direction.x, direction.y ), direction.z );
	if ( lens->vignetting == 0 )
	{
		return 1;
	}
	return direction.z > 0 ? pow( direction.z / length, lens->vignetting ) : 0;
}
