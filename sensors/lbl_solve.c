// Position from ranges: weighted least squares by Gauss and Newton, damped as by Levenberg and Marquardt (Nocedal, Wright,
// "Numerical optimization", 2nd ed., 2006, section 10.3).

#include "deepsim/acoustic.h"
#include "deepsim/math.h"

#include <math.h>

#define MOST_STEPS 100

// Sum of squares at a position, its gradient and normal matrix.
typedef struct fit
{
	double cost, gradient[3], normal[3][3];
} fit;

static fit evaluate( const ds_lbl_ranges *r, ds_vec3 position )
{
	fit f = { 0 };
	for ( int32_t i = 0; i < r->count; ++i )
	{
		ds_vec3 way = ds_sub( position, r->beacons[i] );
		double length = ds_length( way );
		if ( !r->used[i] || !( length > 0 ) )
		{
			continue;
		}
		double miss = ( length - r->ranges[i] ) / r->range_sigma, k = 1 / ( length * r->range_sigma );
		const double j[3] = { k * way.x, k * way.y, k * way.z };
		f.cost += miss * miss;
		for ( int a = 0; a < 9; ++a )
		{
			f.normal[a / 3][a % 3] += j[a / 3] * j[a % 3];
		}
		for ( int a = 0; a < 3; ++a )
		{
			f.gradient[a] += j[a] * miss;
		}
	}
	if ( r->depth_sigma > 0 )
	{
		double miss = ( position.z - r->depth ) / r->depth_sigma;
		f.cost += miss * miss;
		f.gradient[2] += miss / r->depth_sigma;
		f.normal[2][2] += 1 / ( r->depth_sigma * r->depth_sigma );
	}
	return f;
}

// Inverse of a symmetric, positive definite matrix; false if it is singular, or close to it.
static bool invert( double m[3][3], double out[3][3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			// cofactor of the transposed entry
			int a = ( k + 1 ) % 3, b = ( k + 2 ) % 3, c = ( i + 1 ) % 3, d = ( i + 2 ) % 3;
			out[i][k] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
		}
	}
	double determinant = m[0][0] * out[0][0] + m[0][1] * out[1][0] + m[0][2] * out[2][0];
	double trace = ( m[0][0] + m[1][1] + m[2][2] ) / 3;
	if ( !( determinant > 1e-12 * trace * trace * trace ) )
	{
		return false;
	}
	for ( int i = 0; i < 9; ++i )
	{
		out[i / 3][i % 3] /= determinant;
	}
	return true;
}

// Above the middle of the beacons, as high as the ranges reach.
static ds_vec3 guess( const ds_lbl_ranges *r, int32_t count )
{
	ds_vec3 middle = ds_v3( 0, 0, 0 );
	double squares = 0;
	for ( int32_t i = 0; i < r->count; ++i )
	{
		middle = r->used[i] ? ds_mad( middle, 1.0 / count, r->beacons[i] ) : middle;
	}
	for ( int32_t i = 0; i < r->count; ++i )
	{
		ds_vec3 off = ds_sub( r->beacons[i], middle );
		squares += r->used[i] ? ( r->ranges[i] * r->ranges[i] - ds_dot( off, off ) ) / count : 0;
	}
	middle.z = r->depth_sigma > 0 ? r->depth : middle.z - sqrt( fmax( squares, 1 ) );
	return middle;
}

// A step that lessens the cost, with as much damping as that takes. False: none does.
static bool step( const ds_lbl_ranges *r, fit *f, ds_vec3 *position, double *damping, double *size )
{
	for ( int tries = 0; tries < 40; ++tries )
	{
		double m[3][3], inverse[3][3], d[3] = { 0, 0, 0 };
		double trace = f->normal[0][0] + f->normal[1][1] + f->normal[2][2];
		for ( int i = 0; i < 9; ++i )
		{
			m[i / 3][i % 3] = f->normal[i / 3][i % 3] + ( i % 4 == 0 ? *damping * trace : 0 );
		}
		if ( invert( m, inverse ) )
		{
			for ( int i = 0; i < 9; ++i )
			{
				d[i / 3] -= inverse[i / 3][i % 3] * f->gradient[i % 3];
			}
			ds_vec3 next = ds_add( *position, ds_v3( d[0], d[1], d[2] ) );
			fit there = evaluate( r, next );
			if ( there.cost <= f->cost )
			{
				*size = ds_length( ds_sub( next, *position ) );
				*position = next;
				*f = there;
				*damping *= 0.1;
				return true;
			}
		}
		*damping = fmax( 10 * *damping, 1e-12 );
	}
	return false;
}

bool ds_lbl_solve( const ds_lbl_ranges *r, ds_vec3 *position, double covariance[9], double *residual )
{
	int32_t count = 0;
	for ( int32_t i = 0; i < r->count; ++i )
	{
		count += r->used[i];
	}
	if ( count < 3 || !( r->range_sigma > 0 ) )
	{
		return false;
	}
	ds_vec3 p = guess( r, count );
	fit f = evaluate( r, p );
	double damping = 1e-3, size = INFINITY;
	for ( int i = 0; i < MOST_STEPS && size > 1e-9 * ( 1 + ds_length( p ) ); ++i )
	{
		if ( !step( r, &f, &p, &damping, &size ) )
		{
			break;
		}
	}
	double inverse[3][3];
	if ( !ds_finite( p ) || !invert( f.normal, inverse ) )
	{
		return false;
	}
	double squares = 0;
	for ( int32_t i = 0; i < r->count; ++i )
	{
		double miss = r->used[i] ? ds_length( ds_sub( p, r->beacons[i] ) ) - r->ranges[i] : 0;
		squares += miss * miss / count;
	}
	for ( int i = 0; i < 9; ++i )
	{
		covariance[i] = inverse[i / 3][i % 3];
	}
	*residual = sqrt( squares );
	*position = p;
	return true;
}
