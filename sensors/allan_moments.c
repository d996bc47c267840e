// Second moments of the differences of which Allan deviations are made: sensors/allan_moments.h says what of.

#include "sensors/allan_moments.h"

#include "deepsim/math.h"

#include <string.h>

static const double binomial[4][4] = { { 1 }, { 1, -1 }, { 1, -2, 1 }, { 1, -3, 3, -1 } };

// ---- generalised covariances ----------------------------------------------------------------------------------------

// e^-u - 1 + u - u^2 / 2 (near: accurate for small u) or e^-u + u: alike but for t^0 and t^2.
static double markov_g( double u, bool near )
{
	if ( !near )
	{
		return u < 50 ? exp( -u ) + u : u;
	}
	if ( u > 0.7 )
	{
		return exp( -u ) - 1 + u - 0.5 * u * u;
	}
	double sum = 1;
	for ( int32_t j = 14; j > 3; --j )
	{
		sum = 1 - sum * u / j;
	}
	return -u * u * u / 6 * sum;
}

// Generalised covariances as functions of |t|, over a power of dt.
typedef double lag_value( const ds_allan_process *a, double t );

static double white_at( const ds_allan_process *a, double t )
{
	(void)a;
	return t;
}

static double walk_at( const ds_allan_process *a, double t )
{
	(void)a;
	return t * t * t;
}

static double markov_far( const ds_allan_process *a, double t )
{
	return markov_g( t * a->x, false );
}

// cosh( z ) - 1 - z^2 / 2
static double cosh_rest( const ds_allan_process *a, double t )
{
	double z = t * a->x;
	return z < 0.1 ? z * z * z * z / 24 * ( 1 + z * z / 30 * ( 1 + z * z / 56 ) ) : cosh( z ) - 1 - 0.5 * z * z;
}

// sinh( z ) - z
static double sinh_rest( const ds_allan_process *a, double t )
{
	double z = t * a->x;
	return z < 0.5 ? z * z * z / 6 * ( 1 + z * z / 20 * ( 1 + z * z / 42 * ( 1 + z * z / 72 * ( 1 + z * z / 110 ) ) ) )
				   : sinh( z ) - z;
}

// Sum rho_j g( |t + j| ): the low-pass.
static double smoothed( const ds_allan_basis *basis, lag_value *g, const ds_allan_process *a, double t )
{
	double sum = basis->rho[0] * g( a, t ), rho1 = 0, rho2 = 0;
	for ( int64_t j = 1; j < basis->reach; ++j )
	{
		double rho = j < 3 ? basis->rho[j] : basis->recursion[0] * rho1 + basis->recursion[1] * rho2;
		double after = g( a, t + (double)j );
		sum += rho * ( after + ( t > 0 ? g( a, fabs( t - (double)j ) ) : after ) );
		rho2 = rho1;
		rho1 = rho;
	}
	return sum;
}

// ---- set-up ------------------------------------------------------------------------------------------------------

// Remainder of values at lags 0 and 1.
static ds_allan_remainder remainder_through( const ds_allan_basis *basis, double at0, double at1 )
{
	return ( ds_allan_remainder ){ at0, ( at1 * exp( basis->decay ) - at0 * cos( basis->turn ) ) / sin( basis->turn ) };
}

// Factor Sum rho_(t+j) odd(j) over j > 0, from its values at t = 0 and 1.
static ds_allan_remainder remainder_of(
	const ds_allan_basis *basis, lag_value *odd, const ds_allan_process *a, double factor )
{
	double rho1 = 0, rho2 = 0, at0 = 0, at1 = 0;
	for ( int64_t j = 1; j < basis->reach; ++j )
	{
		double rho = j < 3 ? basis->rho[j] : basis->recursion[0] * rho1 + basis->recursion[1] * rho2;
		at0 += factor * rho * odd( a, (double)j );
		at1 += j > 1 ? factor * rho * odd( a, (double)( j - 1 ) ) : 0;
		rho2 = rho1;
		rho1 = rho;
	}
	return remainder_through( basis, at0, at1 );
}

// Autocorrelation of the low-pass of the IMU model (sensors/lowpass.h): bilinear transform of a two-pole Butterworth filter,
// prewarped. H = b (1 + 1/z)^2 / (1 - r0 / z - r1 / z^2). It follows the recursion of the poles from lag 3 on.
static void low_pass( ds_allan_basis *basis, double bandwidth )
{
	double g = tan( DS_PI * bandwidth * basis->dt ), d = 1 + g * ( g + sqrt( 2 ) );
	double b = g * g / d, r0 = 2 * ( 1 - g * g ) / d, r1 = -( 1 - sqrt( 2 ) * g + g * g ) / d;
	double decay = 0.5 * -log( -r1 ); // of the impulse response a sample
	basis->recursion[0] = r0;
	basis->recursion[1] = r1;
	basis->reach = 3 + (int64_t)ceil( 36 / decay );
	double h[3] = { b, b * ( 2 + r0 ), 0 };
	h[2] = b + r0 * h[1] + r1 * h[0];
	double sum[3] = { 0, 0, 0 };
	for ( int64_t i = 0; i < basis->reach; ++i )
	{
		sum[0] += h[0] * h[0];
		sum[1] += h[0] * h[1];
		sum[2] += h[0] * h[2];
		double next = r0 * h[2] + r1 * h[1];
		h[0] = h[1];
		h[1] = h[2];
		h[2] = next;
	}
	// of sum 1: what lies beyond the reach is shared out
	double total = sum[0] + 2 * ( sum[1] + sum[2] ), moment = 2 * ( sum[1] + 4 * sum[2] ), rho1 = sum[2], rho2 = sum[1];
	for ( int64_t j = 3; j < basis->reach; ++j )
	{
		double rho = r0 * rho1 + r1 * rho2;
		total += 2 * rho;
		moment += 2 * rho * (double)( j * j );
		rho2 = rho1;
		rho1 = rho;
	}
	for ( int32_t j = 0; j < 3; ++j )
	{
		basis->rho[j] = sum[j] / total;
	}
	basis->width = moment / total;
	basis->decay = decay;
	basis->turn = acos( fmax( -1, fmin( 1, 0.5 * r0 / sqrt( -r1 ) ) ) );
	basis->white = remainder_of( basis, white_at, NULL, 2 );
	basis->walk = remainder_of( basis, walk_at, NULL, 2 );
}

// The spectrum of the low-pass at z = e^x, over that at 1: |H|^2 is H(z) H(1/z), b^2 (z + 2 + 1/z)^2 over the poles' part.
static double gain_at( const ds_allan_basis *basis, double x )
{
	double r0 = basis->recursion[0], r1 = basis->recursion[1], z = exp( -x ), rest = 1 - r0 - r1;
	double zeros = 0.25 * ( 1 + z ) * ( 1 + z ), here = 1 - z * ( r0 + r1 * z ), there = z * z - r0 * z - r1;
	return zeros * zeros * rest * rest / ( here * there );
}

static void add_process( ds_allan_basis *basis, int32_t term, double sigma, double tau )
{
	double x = basis->dt / tau;
	ds_allan_process *a = &basis->processes[basis->count++];
	*a = ( ds_allan_process ){ .term = term, .x = x, .scale = sigma * sigma * tau * tau, .gain = 1 };
	if ( basis->reach == 0 )
	{
		return;
	}
	if ( x < 0.5 * basis->decay )
	{
		a->excess = smoothed( basis, cosh_rest, a, 0 );
		a->gain = 1 + 0.5 * basis->width * x * x + a->excess;
		a->remainder = remainder_of( basis, sinh_rest, a, -2 );
		return;
	}
	a->gain = gain_at( basis, x );
	a->excess = a->gain - 1 - 0.5 * basis->width * x * x;
	a->remainder = remainder_through( basis, smoothed( basis, markov_far, a, 0 ) - a->gain,
		smoothed( basis, markov_far, a, 1 ) - a->gain * exp( -x ) - x );
}

ds_allan_basis ds_allan_basis_make( double dt, double bandwidth, double markov_tau, uint32_t terms )
{
	ds_allan_basis basis = { .dt = dt, .markov_tau = markov_tau, .terms = terms };
	// Next to half the sample rate the filter passes everything but a line there, and rings for ever; far below what records of
	// 1e5 samples show, it would be long.
	if ( bandwidth > 0 && bandwidth * dt < 0.499 )
	{
		low_pass( &basis, fmax( bandwidth, 1e-5 / dt ) );
	}
	for ( int32_t i = 0; terms >> DS_ALLAN_B & 1 && i < DS_FLICKER_COUNT; ++i )
	{
		add_process( &basis, DS_ALLAN_B, DS_FLICKER_SIGMA, ds_flicker_taus[i] );
	}
	if ( terms >> DS_ALLAN_MARKOV & 1 && markov_tau > 0 )
	{
		add_process( &basis, DS_ALLAN_MARKOV, 1, markov_tau );
	}
	return basis;
}

ds_allan_estimate ds_allan_estimate_make( ds_allan_kind kind, double dt, int64_t m, int64_t length )
{
	bool hadamard = kind == DS_ALLAN_HDEV || kind == DS_ALLAN_OHDEV;
	bool apart = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_HDEV;
	double tau = (double)m * dt;
	ds_allan_estimate e = { .order = hadamard ? 3 : 2,
		.averaged = kind == DS_ALLAN_MDEV || kind == DS_ALLAN_TDEV,
		.m = m,
		.stride = apart ? m : 1 };
	e.norm = ( hadamard ? 1.0 / 6 : 0.5 ) / ( tau * tau );
	if ( kind == DS_ALLAN_TDEV )
	{
		e.norm *= tau * tau / 3;
	}
	// first phase of the last difference
	int64_t last = m > length ? -1 : length - e.order * m - ( e.averaged ? m - 1 : 0 );
	e.count = last >= 0 ? last / e.stride + 1 : 0;
	return e;
}

// ---- covariance of two differences -------------------------------------------------------------------------------

ds_allan_pairing ds_allan_pairing_make( const ds_allan_basis *basis, int32_t order, int64_t m1, int64_t m2 )
{
	ds_allan_pairing p = { .basis = basis, .order = order, .m1 = (double)m1, .m2 = (double)m2 };
	for ( int32_t i = 0; i < basis->count; ++i )
	{
		double x = basis->processes[i].x, decay = expm1( -p.m1 * x ) * expm1( -p.m2 * x );
		p.apart[i] = order == 3 ? decay * decay * decay : -decay * decay;
		p.near[i] = ( order * ( p.m1 + p.m2 ) + 2 * (double)basis->reach ) * x < 2;
	}
	return p;
}

// Behind the low-pass: t, t^3 and the Gauss-Markov covariance. `wave` is e^(-decay t) cos wt, sin wt.
static double remainder_at( const ds_allan_remainder *r, const double wave[2] )
{
	return r->c * wave[0] + r->s * wave[1];
}

static double markov_value(
	const ds_allan_basis *basis, const ds_allan_process *a, bool near, double t, const double wave[2] )
{
	double u = t * a->x;
	if ( basis->reach == 0 )
	{
		return markov_g( u, near );
	}
	double e = u < 80 ? exp( -u ) : 0;
	double far =
		near ? markov_g( u, true ) + 0.5 * basis->width * a->x * a->x * expm1( -u ) + a->excess * e : a->gain * e + u;
	return far + remainder_at( &a->remainder, wave );
}

// Lags between the points of two differences, k apart, each once, and the products of their coefficients. Returns how many.
static int32_t collect_lags( const ds_allan_pairing *p, double k, double lags[16], double weights[16] )
{
	int32_t count = 0;
	for ( int32_t i = 0; i <= p->order; ++i )
	{
		for ( int32_t l = 0; l <= p->order; ++l )
		{
			double t = fabs( k + l * p->m2 - i * p->m1 ), c = binomial[p->order][i] * binomial[p->order][l];
			int32_t at = 0;
			while ( at < count && lags[at] != t )
			{
				++at;
			}
			lags[at] = t;
			weights[at] = at < count ? weights[at] + c : c;
			count += at == count;
		}
	}
	return count;
}

void ds_allan_difference_covariances( const ds_allan_pairing *p, double k, double out[DS_ALLAN_TERMS] )
{
	memset( out, 0, DS_ALLAN_TERMS * sizeof *out );
	double gap = k - p->order * p->m1 >= 0 ? k - p->order * p->m1 : -k - p->order * p->m2;
	const ds_allan_basis *basis = p->basis;
	double reach = (double)basis->reach, dt = basis->dt, q = 0, n = 0, walk = 0;
	bool white = basis->terms >> DS_ALLAN_N & 1, walks = basis->terms >> DS_ALLAN_K & 1;
	for ( int32_t i = 0; i < basis->count; ++i )
	{
		const ds_allan_process *a = &basis->processes[i];
		double u = gap * a->x;
		out[a->term] += gap >= reach && u < 80 ? a->scale * p->apart[i] * a->gain * exp( -u ) : 0;
	}
	// apart, polynomials drop out; what touches has a quantisation error in common
	if ( gap >= reach && gap > 0 )
	{
		return;
	}
	double lags[16], weights[16];
	for ( int32_t i = collect_lags( p, k, lags, weights ) - 1; i >= 0; --i )
	{
		double t = lags[i], c = weights[i], wave[2] = { 0, 0 };
		if ( t < reach )
		{
			double e = exp( -basis->decay * t );
			wave[0] = e * cos( basis->turn * t );
			wave[1] = e * sin( basis->turn * t );
		}
		q += t == 0 ? c : 0;
		if ( gap < reach )
		{
			n -= white ? c * ( t + remainder_at( &basis->white, wave ) ) : 0;
			walk += walks ? c * ( t * t * t + 3 * basis->width * t + remainder_at( &basis->walk, wave ) ) : 0;
		}
		for ( int32_t j = 0; gap < reach && j < basis->count; ++j )
		{
			const ds_allan_process *a = &basis->processes[j];
			out[a->term] -= a->scale * c * markov_value( basis, a, p->near[j], t, wave );
		}
	}
	out[DS_ALLAN_Q] = basis->terms >> DS_ALLAN_Q & 1 ? q : 0;
	out[DS_ALLAN_N] = n / 2 * dt;
	out[DS_ALLAN_K] = walk / 12 * dt * dt * dt;
}
