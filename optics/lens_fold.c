// Where a lens's map stops being one-to-one.
//
// The rectilinear map (a, b) -> (xd, yd) of source paper (30, 31) is the gradient of a potential,
//   phi = r^2/2 + k1 r^4/4 + k2 r^6/6 + k3 r^8/8 + ( p . (a, b) ) r^2,   p = (p2, p1),
// so that its derivative is symmetric, and the map is one-to-one on a convex set around the axis on which that is positive definite.
// On the line at an angle from the axis, with alpha and beta the parts of p along and across it, the derivative is
//   [ q(r^2) + 6 alpha r, 2 beta r; 2 beta r, D(r^2) + 2 alpha r ],   D = 1 + k1 s + k2 s^2 + k3 s^3,   q = D + 2 s D',
// whose determinant is a polynomial of r.
//
// Zeros of polynomials on (0, infinity): with t = x / ( 1 - x ), the coefficients divided by binomials are those of Bernstein's form
// on 0 < x < 1; an interval whose coefficients are all positive holds none, one whose coefficients change sign once holds one
// (Descartes' rule), others are halved by de Casteljau's scheme.

#include "deepsim/math.h"
#include "optics/lens_internal.h"

#include <string.h>

// ---- first zeros -----------------------------------------------------------------------------------------------------

typedef struct bernstein
{
	const double *power; // coefficients of the powers of t
	int degree;
} bernstein;

// The value at t = x / ( 1 - x ), times ( 1 - x )^degree.
static double homogeneous( const bernstein *p, double x )
{
	double sum = 0, y = 1;
	for ( int i = p->degree; i >= 0; --i )
	{
		sum = sum * x + p->power[i] * y;
		y *= 1 - x;
	}
	return sum;
}

// The single sign change between two places.
static double bisect( const bernstein *p, double low, double high )
{
	for ( int i = 0; i < 200; ++i )
	{
		double middle = 0.5 * ( low + high );
		if ( middle <= low || middle >= high )
		{
			break;
		}
		*( homogeneous( p, middle ) > 0 ? &low : &high ) = middle;
	}
	return low;
}

// Splits Bernstein's form at the share `at` of its interval.
static void split( const double *b, int degree, double at, double *left, double *right )
{
	double work[DS_POLYNOMIAL_MAX + 1];
	memcpy( work, b, (size_t)( degree + 1 ) * sizeof( *b ) );
	for ( int k = 0; k <= degree; ++k )
	{
		left[k] = work[0];
		right[degree - k] = work[degree - k];
		for ( int i = 0; i < degree - k; ++i )
		{
			work[i] += at * ( work[i + 1] - work[i] );
		}
	}
}

// The first x in an interval at which the form is not positive; 2 if there is none.
static double search( const bernstein *p, const double *b, double low, double high )
{
	int changes = 0, least = 1;
	for ( int i = 0; i <= p->degree; ++i )
	{
		int sign = b[i] > 0 ? 1 : b[i] < 0 ? -1 : 0;
		least = sign < least ? sign : least;
		changes += i > 0 && ( b[i] > 0 ) != ( b[i - 1] > 0 );
	}
	if ( least > 0 )
	{
		return 2;
	}
	if ( !( b[0] > 0 ) || high - low < 1e-15 )
	{
		return low;
	}
	if ( changes == 1 && b[p->degree] < 0 )
	{
		return bisect( p, low, high );
	}
	double left[DS_POLYNOMIAL_MAX + 1], right[DS_POLYNOMIAL_MAX + 1], middle = 0.5 * ( low + high );
	split( b, p->degree, 0.5, left, right );
	double x = search( p, left, low, middle );
	return x <= 1 ? x : search( p, right, middle, high );
}

static bernstein bernstein_of( const double *coefficient, int degree, double *b )
{
	while ( degree > 0 && coefficient[degree] == 0 )
	{
		--degree;
	}
	double binomial = 1;
	for ( int i = 0; i <= degree; ++i )
	{
		b[i] = coefficient[i] / binomial;
		binomial = binomial * ( degree - i ) / ( i + 1 );
	}
	return ( bernstein ){ coefficient, degree };
}

double ds_polynomial_first_zero( const double *coefficient, int degree )
{
	double b[DS_POLYNOMIAL_MAX + 1];
	bernstein p = bernstein_of( coefficient, degree, b );
	double x = search( &p, b, 0, 1 );
	if ( x >= 1 )
	{
		return INFINITY;
	}
	// x is rough where t is large
	double t = x / ( 1 - x );
	for ( int k = 0; k < 3; ++k )
	{
		double value = 0, slope = 0;
		for ( int i = p.degree; i >= 0; --i )
		{
			slope = slope * t + value;
			value = value * t + coefficient[i];
		}
		double step = slope < 0 ? value / slope : 0;
		t -= fabs( step ) < 1e-6 * t ? step : 0;
	}
	return t;
}

// Whether a polynomial is positive from 0 to t.
static bool positive_until( const double *coefficient, int degree, double t )
{
	double b[DS_POLYNOMIAL_MAX + 1], left[DS_POLYNOMIAL_MAX + 1], right[DS_POLYNOMIAL_MAX + 1];
	bernstein p = bernstein_of( coefficient, degree, b );
	double x = t / ( 1 + t );
	split( b, p.degree, x, left, right );
	return search( &p, left, 0, x ) > 1;
}

// ---- limits ----------------------------------------------------------------------------------------------------------

void ds_lens_terms( const ds_lens *lens, double terms[DS_LENS_TERMS] )
{
	memset( terms, 0, DS_LENS_TERMS * sizeof( *terms ) );
	terms[0] = 1;
	int count = lens->model == DS_LENS_RECTILINEAR ? 3 : lens->model == DS_LENS_FISHEYE ? 4 : 0;
	memcpy( terms + 1, lens->k, (size_t)count * sizeof( *terms ) );
}

double ds_lens_radial( const double terms[DS_LENS_TERMS], double r )
{
	double s = r * r;
	return r * ( terms[0] + s * ( terms[1] + s * ( terms[2] + s * ( terms[3] + s * terms[4] ) ) ) );
}

double ds_lens_radial_slope( const double terms[DS_LENS_TERMS], double r )
{
	double s = r * r;
	return terms[0] + s * ( 3 * terms[1] + s * ( 5 * terms[2] + s * ( 7 * terms[3] + s * ( 9 * terms[4] ) ) ) );
}

// The first zero of D(r^2) or of its slope q(r^2), with `linear` times r added.
static double first_radius( const double terms[DS_LENS_TERMS], bool slope, double linear )
{
	double c[2 * DS_LENS_TERMS - 1] = { 0 };
	for ( int i = 0; i < DS_LENS_TERMS; ++i )
	{
		c[2 * i] = ( slope ? 2 * i + 1 : 1 ) * terms[i];
	}
	c[1] = linear;
	return ds_polynomial_first_zero( c, 2 * DS_LENS_TERMS - 2 );
}

// The radius at which the radial map stops to grow.
static double first_stationary( const double terms[DS_LENS_TERMS] )
{
	double c[DS_LENS_TERMS];
	for ( int i = 0; i < DS_LENS_TERMS; ++i )
	{
		c[i] = ( 2 * i + 1 ) * terms[i];
	}
	return sqrt( ds_polynomial_first_zero( c, DS_LENS_TERMS - 1 ) );
}

void ds_lens_find_limits( ds_lens *lens )
{
	double terms[DS_LENS_TERMS];
	ds_lens_terms( lens, terms );
	lens->limit = DS_PI;
	lens->radius = lens->sure = lens->bound = INFINITY;
	if ( lens->model == DS_LENS_FISHEYE )
	{
		lens->limit = fmin( first_stationary( terms ), DS_PI );
		lens->radius = ds_lens_radial( terms, lens->limit );
	}
	if ( lens->model == DS_LENS_RECTILINEAR )
	{
		double r = first_stationary( terms );
		lens->limit = atan( r );
		lens->radius = r < INFINITY ? ds_lens_radial( terms, r ) : INFINITY;
		lens->sure = lens->bound = r;
		// the tangential part of the derivative has eigenvalues of at most 6 |p| r
		double p = 6 * hypot( lens->p[0], lens->p[1] );
		if ( p > 0 )
		{
			lens->sure = fmin( first_radius( terms, true, -p ), first_radius( terms, false, -p ) );
			lens->bound = first_radius( terms, true, p );
		}
	}
}

bool ds_lens_one_to_one( const ds_lens *lens, double a, double b )
{
	double r = hypot( a, b );
	bool radial = lens->p[0] == 0 && lens->p[1] == 0;
	if ( r <= lens->sure || !( r <= lens->bound ) || radial )
	{
		return r <= lens->sure;
	}
	double terms[DS_LENS_TERMS];
	ds_lens_terms( lens, terms );
	double along = ( lens->p[1] * a + lens->p[0] * b ) / r, across = ( lens->p[0] * a - lens->p[1] * b ) / r;

	double first[7] = { 0 }, second[7] = { 0 }, determinant[13] = { 0 };
	for ( int i = 0; i < 4; ++i )
	{
		first[2 * i] = ( 2 * i + 1 ) * terms[i];
		second[2 * i] = terms[i];
	}
	first[1] = 6 * along;
	second[1] = 2 * along;
	for ( int i = 0; i < 7; ++i )
	{
		for ( int k = 0; k < 7; ++k )
		{
			determinant[i + k] += first[i] * second[k];
		}
	}
	determinant[2] -= 4 * across * across;
	return positive_until( determinant, 12, r );
}
