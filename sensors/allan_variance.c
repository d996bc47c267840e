// Expectation, variance and covariance of Allan variances: sums over the lags between their differences.

#include "sensors/allan_moments.h"

#include "deepsim/math.h"

#include <string.h>

// Gauss-Legendre, 8 points in [-1, 1].
static const double gauss_x[8] = { -0.9602898564975363, -0.7966664774136267, -0.5255324099163290, -0.1834346424956498,
	0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363 };
static const double gauss_w[8] = { 0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
	0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763 };

// ---- sums over lags ----------------------------------------------------------------------------------------------

typedef void lag_function( const void *context, double k, double *out );

// Adds the integral of f over [a, b], where it is smooth. One value alone is integrated on a mesh that is finer towards the ends,
// where exponentials of short time constants live; products of two averaging times need no more than 1 %.
static void integrate( lag_function *f, const void *context, double a, double b, double sum[], int32_t size )
{
	const double mesh[] = { 0, 0.04, 0.5, 0.96, 1 };
	double value[DS_ALLAN_PRODUCTS], width = b - a;
	int32_t pieces = width > 200 && size < DS_ALLAN_PRODUCTS ? 4 : 1;
	for ( int32_t p = 0; p < pieces; ++p )
	{
		double from = pieces == 1 ? a : a + width * mesh[p], to = pieces == 1 ? b : a + width * mesh[p + 1];
		for ( int32_t i = 0; i < 8; ++i )
		{
			f( context, from + ( to - from ) * 0.5 * ( 1 + gauss_x[i] ), value );
			for ( int32_t t = 0; t < size; ++t )
			{
				sum[t] += 0.5 * ( to - from ) * gauss_w[i] * value[t];
			}
		}
	}
}

// Adds the sum of f over the lags a to b, whole numbers, those at the two ends counted half. Long stretches are integrated.
static void sum_lags( lag_function *f, const void *context, double a, double b, double sum[], int32_t size )
{
	double value[DS_ALLAN_PRODUCTS];
	if ( b - a > 16 )
	{
		integrate( f, context, a, b, sum, size );
		return;
	}
	for ( double k = a; k <= b; ++k )
	{
		f( context, k, value );
		for ( int32_t t = 0; t < size; ++t )
		{
			sum[t] += ( k == a || k == b ? 0.5 : 1 ) * value[t];
		}
	}
}

// The same where f decays: steps that double, from `step` on.
static void sum_tail(
	lag_function *f, const void *context, double a, double b, double step, double sum[], int32_t size )
{
	double sign = b > a ? 1 : -1;
	for ( double from = a; sign * ( b - from ) > 0; step *= 2 )
	{
		double to = sign * ( b - from ) > 1.5 * step ? from + sign * step : b;
		sum_lags( f, context, fmin( from, to ), fmax( from, to ), sum, size );
		from = to;
	}
}

// ---- one estimate ------------------------------------------------------------------------------------------------

typedef struct single
{
	ds_allan_pairing pair;
	const ds_allan_estimate *e;
	const double *theta;
	double lag; // of what is averaged
} single;

// Covariance at lag `lag` + i, weighed as averages of m phases do.
static void averaged_part( const void *context, double i, double *out )
{
	const single *s = context;
	double m = (double)s->e->m, weight = ( m - fabs( i ) ) / ( m * m );
	ds_allan_difference_covariances( &s->pair, s->lag + i, out );
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		out[t] *= weight;
	}
}

static double triangle( double x )
{
	return fmax( 0, 1 - fabs( x ) );
}

// Covariances of the estimate's own differences, k samples apart.
static void own_covariances( const single *given, double k, double out[] )
{
	const ds_allan_estimate *e = given->e;
	double m = (double)e->m;
	if ( !e->averaged )
	{
		ds_allan_difference_covariances( &given->pair, k, out );
		return;
	}
	// averaged over lags from k - m to k + m, in pieces that end where the covariance or the weights have a kink
	memset( out, 0, DS_ALLAN_TERMS * sizeof *out );
	single s = *given;
	s.lag = k;
	double from = -m;
	while ( from < m )
	{
		double to = m * ( floor( ( from + k ) / m + 1e-9 ) + 1 ) - k;
		to = from < -1e-9 * m ? fmin( to, 0 ) : fmin( to, m );
		if ( to == floor( to ) && from == floor( from ) && m <= 256 )
		{
			for ( double a = from; a < to; a += 16 )
			{
				sum_lags( averaged_part, &s, a, fmin( a + 16, to ), out, DS_ALLAN_TERMS );
			}
		}
		else
		{
			integrate( averaged_part, &s, from, to, out, DS_ALLAN_TERMS );
		}
		from = to;
	}
	double x = k / m; // independent errors of the phase: m times less, and correlated
	double q =
		6 * triangle( x ) - 4 * ( triangle( x - 1 ) + triangle( x + 1 ) ) + triangle( x - 2 ) + triangle( x + 2 );
	out[DS_ALLAN_Q] = s.pair.basis->terms >> DS_ALLAN_Q & 1 ? q / m : 0;
}

void ds_allan_expect( const ds_allan_basis *basis, const ds_allan_estimate *e, double out[DS_ALLAN_TERMS] )
{
	single s = { .pair = ds_allan_pairing_make( basis, e->order, e->m, e->m ), .e = e };
	own_covariances( &s, 0, out );
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		out[t] *= e->norm;
	}
}

// Square of the covariance at lag k (in strides), times the number of pairs.
static void square_part( const void *context, double k, double *out )
{
	const single *s = context;
	double c[DS_ALLAN_TERMS], sum = 0;
	own_covariances( s, k * (double)s->e->stride, c );
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		sum += s->theta[t] * c[t];
	}
	*out = ( (double)s->e->count - k ) * sum * sum;
}

double ds_allan_variance( const ds_allan_basis *basis, const ds_allan_estimate *e, const double theta[DS_ALLAN_TERMS] )
{
	ds_allan_basis b = *basis;
	bool each = e->stride > 1 || e->averaged; // quantisation is summed with the rest, or apart, at its few lags
	b.terms &= each ? ~0u : ~( 1u << DS_ALLAN_Q );
	single s = { .pair = ds_allan_pairing_make( &b, e->order, e->m, e->m ), .e = e, .theta = theta };
	double zone = (double)( e->order + ( e->averaged ? 1 : 0 ) ), step = (double)( e->m / e->stride );
	double end = (double)e->count, own = 0, sum = 0, from = 0;
	square_part( &s, 0, &own );
	for ( ; from < zone * step && from < end; from += step )
	{
		sum_lags( square_part, &s, from, fmin( from + step, end ), &sum, 1 );
	}
	if ( from < end )
	{
		sum_tail( square_part, &s, from, end, fmax( 1, step / 4 ), &sum, 1 );
	}
	double total = own + 2 * ( sum - 0.5 * own ); // lag 0 was counted half
	if ( !each && basis->terms >> DS_ALLAN_Q & 1 )
	{
		b.terms |= 1u << DS_ALLAN_Q;
		for ( int32_t i = 0; i <= e->order && i * step < end; ++i )
		{
			double c[DS_ALLAN_TERMS], rest = 0;
			own_covariances( &s, i * step, c );
			for ( int32_t t = DS_ALLAN_N; t < DS_ALLAN_TERMS; ++t )
			{
				rest += theta[t] * c[t];
			}
			double q = theta[DS_ALLAN_Q] * c[DS_ALLAN_Q];
			total += ( i > 0 ? 2 : 1 ) * ( end - i * step ) * q * ( q + 2 * rest );
		}
	}
	return 2 * total * e->norm * e->norm / ( end * end );
}

// ---- two estimates -----------------------------------------------------------------------------------------------

typedef struct couple
{
	ds_allan_pairing pair;
	double n1, n2; // differences
} couple;

// How many pairs of differences are k samples apart.
static double pairs_at( const couple *p, double k )
{
	return fmax( 0, fmin( fmin( p->n1, p->n2 ), fmin( p->n2 - k, p->n1 + k ) ) );
}

static void product_part( const void *context, double k, double *out )
{
	const couple *p = context;
	double c[DS_ALLAN_TERMS], weight = pairs_at( p, k );
	ds_allan_difference_covariances( &p->pair, k, c );
	for ( int32_t s = 0; s < DS_ALLAN_TERMS; ++s )
	{
		for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
		{
			out[s * DS_ALLAN_TERMS + t] = weight * c[s] * c[t];
		}
	}
}

// Quantisation: lags of the kinks only, and its products with everything else there.
static void add_quantisation( const couple *p, const double kinks[], int32_t count, double products[] )
{
	for ( int32_t i = 0; i < count; ++i )
	{
		if ( i > 0 && kinks[i] == kinks[i - 1] )
		{
			continue;
		}
		double value[DS_ALLAN_PRODUCTS];
		product_part( p, kinks[i], value );
		for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
		{
			products[t] += value[t];
			products[t * DS_ALLAN_TERMS] += t > 0 ? value[t] : 0;
		}
	}
}

static void sort( double *x, int32_t count )
{
	for ( int32_t i = 1; i < count; ++i )
	{
		double y = x[i];
		int32_t j = i;
		for ( ; j > 0 && x[j - 1] > y; --j )
		{
			x[j] = x[j - 1];
		}
		x[j] = y;
	}
}

void ds_allan_covariance( const ds_allan_basis *basis, const ds_allan_estimate *a, const ds_allan_estimate *b,
	double products[DS_ALLAN_PRODUCTS] )
{
	memset( products, 0, DS_ALLAN_PRODUCTS * sizeof *products );
	ds_allan_basis smooth = *basis;
	smooth.terms &= ~( 1u << DS_ALLAN_Q );
	couple p = { ds_allan_pairing_make( &smooth, 2, a->m, b->m ), (double)a->count, (double)b->count };
	double m1 = p.pair.m1, m2 = p.pair.m2;
	double low = -p.n1, high = p.n2;

	// where the differences overlap, between the kinks of their covariance and those of the number of pairs
	double kinks[11];
	int32_t count = 0;
	for ( int32_t i = 0; i < 3; ++i )
	{
		for ( int32_t l = 0; l < 3; ++l )
		{
			kinks[count++] = i * m1 - l * m2;
		}
	}
	double edges[2] = { fmin( 0, p.n2 - p.n1 ), fmax( 0, p.n2 - p.n1 ) };
	sort( kinks, count );
	double at[11];
	memcpy( at, kinks, sizeof kinks );
	at[9] = fmax( -2 * m2, fmin( 2 * m1, edges[0] ) );
	at[10] = fmax( -2 * m2, fmin( 2 * m1, edges[1] ) );
	sort( at, 11 );
	for ( int32_t i = 0; i + 1 < 11; ++i )
	{
		double from = fmax( low, at[i] ), to = fmin( high, at[i + 1] );
		if ( to > from )
		{
			sum_lags( product_part, &p, from, to, products, DS_ALLAN_PRODUCTS );
		}
	}
	// apart, on both sides
	double step = fmax( 1, floor( fmin( m1, m2 ) / 4 ) );
	if ( high > 2 * m1 )
	{
		sum_tail( product_part, &p, 2 * m1, high, step, products, DS_ALLAN_PRODUCTS );
	}
	if ( low < -2 * m2 )
	{
		sum_tail( product_part, &p, -2 * m2, low, step, products, DS_ALLAN_PRODUCTS );
	}
	if ( basis->terms >> DS_ALLAN_Q & 1 )
	{
		p.pair.basis = basis;
		add_quantisation( &p, kinks, count, products );
	}
	double scale = 2 * a->norm * b->norm / ( p.n1 * p.n2 );
	for ( int32_t t = 0; t < DS_ALLAN_PRODUCTS; ++t )
	{
		products[t] *= scale;
	}
}
