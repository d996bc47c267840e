// GMRES for the dense matrix of the panels. Its eigenvalues cluster at 1/2, so that some twenty steps do for a round body.

#include "hydro/panels_internal.h"

#include <math.h>

#define MOST_STEPS 500

// Basis vectors, the triangle that Givens rotations make of Hessenberg's matrix, the rotations, the right-hand side.
typedef struct krylov
{
	int64_t n;
	int steps; // most of them
	double *basis; // (steps + 1) x n
	double *upper; // steps columns of steps + 1
	double *cosine, *sine, *right;
} krylov;

static void krylov_free( const ds_allocator *allocator, krylov *k )
{
	int64_t rows = k->steps + 1;
	DS_FREE( allocator, k->basis, rows * k->n );
	DS_FREE( allocator, k->upper, rows * k->steps );
	DS_FREE( allocator, k->cosine, k->steps );
	DS_FREE( allocator, k->sine, k->steps );
	DS_FREE( allocator, k->right, rows );
}

static ds_status krylov_new( const ds_allocator *allocator, int64_t n, krylov *k )
{
	krylov empty = { n, n < MOST_STEPS ? (int)n : MOST_STEPS, NULL, NULL, NULL, NULL, NULL };
	*k = empty;
	int64_t rows = k->steps + 1;
	DS_TRY( DS_NEW( allocator, rows * n, &k->basis ) );
	DS_TRY( DS_NEW( allocator, rows * k->steps, &k->upper ) );
	DS_TRY( DS_NEW( allocator, k->steps, &k->cosine ) );
	DS_TRY( DS_NEW( allocator, k->steps, &k->sine ) );
	return DS_NEW( allocator, rows, &k->right );
}

static double dot( const double *restrict a, const double *restrict b, int64_t n )
{
	double sum[4] = { 0, 0, 0, 0 };
	int64_t i = 0;
	for ( ; i + 4 <= n; i += 4 )
	{
		sum[0] += a[i] * b[i];
		sum[1] += a[i + 1] * b[i + 1];
		sum[2] += a[i + 2] * b[i + 2];
		sum[3] += a[i + 3] * b[i + 3];
	}
	for ( ; i < n; ++i )
	{
		sum[0] += a[i] * b[i];
	}
	return ( sum[0] + sum[1] ) + ( sum[2] + sum[3] );
}

static void add_scaled( double *restrict y, double s, const double *restrict x, int64_t n )
{
	for ( int64_t i = 0; i < n; ++i )
	{
		y[i] += s * x[i];
	}
}

static void scale( double *x, double s, int64_t n )
{
	for ( int64_t i = 0; i < n; ++i )
	{
		x[i] *= s;
	}
}

// y = A x.
static void multiply( const double *columns, int64_t n, const double *x, double *y )
{
	for ( int64_t i = 0; i < n; ++i )
	{
		y[i] = 0;
	}
	for ( int64_t j = 0; j < n; ++j )
	{
		add_scaled( y, x[j], columns + j * n, n );
	}
}

// The next basis vector and column of the triangle; returns what is left of the residual.
static double krylov_step( krylov *k, const double *columns, int step )
{
	int64_t n = k->n;
	double *next = k->basis + ( step + 1 ) * n, *h = k->upper + step * ( k->steps + 1 );
	multiply( columns, n, k->basis + step * n, next );

	// Gram-Schmidt, twice, which keeps the basis orthogonal to rounding
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i <= step; ++i )
		{
			double part = dot( next, k->basis + i * n, n );
			add_scaled( next, -part, k->basis + i * n, n );
			h[i] += part;
		}
	}
	double norm = sqrt( dot( next, next, n ) );
	if ( norm > 0 )
	{
		scale( next, 1 / norm, n );
	}

	for ( int i = 0; i < step; ++i )
	{
		double upper = h[i];
		h[i] = k->cosine[i] * upper + k->sine[i] * h[i + 1];
		h[i + 1] = k->cosine[i] * h[i + 1] - k->sine[i] * upper;
	}
	double root = sqrt( h[step] * h[step] + norm * norm );
	k->cosine[step] = root > 0 ? h[step] / root : 1;
	k->sine[step] = root > 0 ? norm / root : 0;
	h[step] = root;
	k->right[step + 1] = -k->sine[step] * k->right[step];
	k->right[step] *= k->cosine[step];
	return fabs( k->right[step + 1] );
}

// Back substitution: x is a sum of the first `steps` basis vectors.
static void krylov_solution( krylov *k, int steps, double *x )
{
	for ( int64_t i = 0; i < k->n; ++i )
	{
		x[i] = 0;
	}
	for ( int i = steps - 1; i >= 0; --i )
	{
		double pivot = k->upper[i * ( k->steps + 1 ) + i];
		double share = pivot > 0 ? k->right[i] / pivot : 0;
		for ( int row = 0; row < i; ++row )
		{
			k->right[row] -= share * k->upper[i * ( k->steps + 1 ) + row];
		}
		add_scaled( x, share, k->basis + i * k->n, k->n );
	}
}

static ds_status krylov_run(
	krylov *k, const double *columns, const double *b, double tolerance, ds_panel_pause *pause, void *user, double *x )
{
	int64_t n = k->n;
	double residual = sqrt( dot( b, b, n ) );
	k->right[0] = residual;
	if ( residual > tolerance )
	{
		add_scaled( k->basis, 1 / residual, b, n );
	}
	int step = 0;
	for ( ; residual > tolerance && step < k->steps; ++step )
	{
		DS_TRY( pause( user ) );
		residual = krylov_step( k, columns, step );
	}
	if ( !( residual <= tolerance ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"added mass: the panels' equations did not converge in %d steps (residual %.2g, wanted %.2g): the body has "
			"parts much thinner than its faces are wide, or slivers; give a mesh with smaller, rounder faces there",
			step, residual, tolerance );
	}
	krylov_solution( k, step, x );
	return DS_OK;
}

ds_status ds_panels_solve( const ds_allocator *allocator, const double *columns, int64_t n, const double *b,
	double tolerance, ds_panel_pause *pause, void *user, double *x )
{
	krylov k;
	ds_status status = krylov_new( allocator, n, &k );
	if ( status == DS_OK )
	{
		status = krylov_run( &k, columns, b, tolerance, pause, user, x );
	}
	krylov_free( allocator, &k );
	return status;
}
