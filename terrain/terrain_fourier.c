// A Fourier transform of mixed radix, many at a time. Stockham's form, which needs no reordering: Van Loan, "Computational Frameworks
// for the Fast Fourier Transform", SIAM 1992, section 1.7.

#include "deepsim/math.h"
#include "terrain/terrain_fractal.h"

#include <string.h>

#define LANES DS_FOURIER_LANES

void ds_fourier_turn( double turn, double *cosine, double *sine )
{
	int quarter = (int)( 4 * turn + 0.5 );
	double x = 2 * DS_PI * ( turn - 0.25 * quarter ), x2 = x * x;
	// Taylor, to 3e-14 at an eighth of a turn
	double s =
		x *
		( 1 + x2 * ( -1.0 / 6 +
					   x2 * ( 1.0 / 120 + x2 * ( -1.0 / 5040 +
												   x2 * ( 1.0 / 362880 + x2 * ( -1.0 / 39916800 +
																				  x2 * ( 1.0 / 6227020800 ) ) ) ) ) ) );
	double c =
		1 + x2 * ( -1.0 / 2 +
					 x2 * ( 1.0 / 24 +
							  x2 * ( -1.0 / 720 +
									   x2 * ( 1.0 / 40320 +
												x2 * ( -1.0 / 3628800 + x2 * ( 1.0 / 479001600 -
																				 x2 * ( 1.0 / 87178291200 ) ) ) ) ) ) );
	double odd = quarter % 2 == 1 ? s : c, even = quarter % 2 == 1 ? c : s;
	*cosine = quarter % 4 == 1 || quarter % 4 == 2 ? -odd : odd;
	*sine = quarter % 4 >= 2 ? -even : even;
}

double ds_fourier_power( double x, double exponent )
{
	// x = 2^e m, m in [1/sqrt 2, sqrt 2); log m = 2 artanh( ( m - 1 )/( m + 1 ) )
	uint64_t bits;
	memcpy( &bits, &x, sizeof( bits ) );
	int e = (int)( bits >> 52 ) - 1023;
	bits = ( bits & UINT64_C( 0xFFFFFFFFFFFFF ) ) | UINT64_C( 0x3FF0000000000000 );
	double m;
	memcpy( &m, &bits, sizeof( m ) );
	double half = m > 1.4142135623730951 ? 0.5 : 1;
	m *= half;
	double f = ( m - 1 ) / ( m + 1 ), f2 = f * f;
	double ln = 2 * f * ( 1 + f2 * ( 1.0 / 3 + f2 * ( 1.0 / 5 + f2 * ( 1.0 / 7 + f2 * ( 1.0 / 9 + f2 / 11 ) ) ) ) );
	double y = exponent * ( e + ( half < 1 ? 1 : 0 ) + ln * 1.4426950408889634 );
	// 2^y = 2^n e^g
	double n = floor( y + 0.5 ), g = ( y - n ) * 0.6931471805599453;
	double p =
		1 +
		g * ( 1 + g * ( 1.0 / 2 +
						  g * ( 1.0 / 6 +
								  g * ( 1.0 / 24 +
										  g * ( 1.0 / 120 + g * ( 1.0 / 720 + g * ( 1.0 / 5040 +
																					  g * ( 1.0 / 40320 ) ) ) ) ) ) ) );
	bits = (uint64_t)( (int64_t)n + 1023 ) << 52;
	double scale;
	memcpy( &scale, &bits, sizeof( scale ) );
	return scale * p;
}

int32_t ds_fourier_length( int32_t length )
{
	int64_t best = INT64_C( 1 ) << 31;
	for ( int64_t threes = 1; threes < best; threes *= 3 )
	{
		int64_t product = threes;
		while ( product < length )
		{
			product *= 2;
		}
		best = product < best ? product : best;
	}
	return (int32_t)best;
}

ds_status ds_fourier_create( const ds_allocator *allocator, int32_t length, ds_fourier *plan )
{
	*plan = ( ds_fourier ){ .length = length };
	int32_t rest = length;
	while ( rest > 1 )
	{
		int32_t radix = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : 3;
		plan->radix[plan->steps++] = radix;
		rest /= radix;
	}
	ds_status status = DS_NEW( allocator, length, &plan->cosines );
	status = status == DS_OK ? DS_NEW( allocator, length, &plan->sines ) : status;
	status = status == DS_OK ? DS_NEW( allocator, 2 * (int64_t)length * LANES, &plan->room ) : status;
	if ( status != DS_OK )
	{
		ds_fourier_destroy( allocator, plan );
		return status;
	}
	for ( int32_t k = 0; k < length; ++k )
	{
		double cosine, sine;
		ds_fourier_turn( (double)k / length, &cosine, &sine );
		plan->cosines[k] = (float)cosine;
		plan->sines[k] = (float)sine;
	}
	return DS_OK;
}

void ds_fourier_destroy( const ds_allocator *allocator, ds_fourier *plan )
{
	DS_FREE( allocator, plan->cosines, plan->length );
	DS_FREE( allocator, plan->sines, plan->length );
	DS_FREE( allocator, plan->room, 2 * (int64_t)plan->length * LANES );
	*plan = ( ds_fourier ){ .length = 0 };
}

// One butterfly's runs of numbers: `count` of each of its inputs (`from` apart) and outputs (`to` apart).
typedef struct run
{
	const float *restrict xr, *restrict xi;
	float *restrict yr, *restrict yi;
	int64_t count, from, to;
} run;

static void butterfly2( const run *b, const float *c, const float *s )
{
	const float *restrict xr = b->xr, *restrict xi = b->xi;
	float *restrict yr = b->yr, *restrict yi = b->yi;
	const int64_t from = b->from, to = b->to;
	for ( int64_t q = 0; q < b->count; ++q )
	{
		float dr = xr[q] - xr[q + from], di = xi[q] - xi[q + from];
		yr[q] = xr[q] + xr[q + from];
		yi[q] = xi[q] + xi[q + from];
		yr[q + to] = dr * c[1] - di * s[1];
		yi[q + to] = dr * s[1] + di * c[1];
	}
}

static void butterfly3( const run *b, const float *c, const float *s )
{
	const float *restrict xr = b->xr, *restrict xi = b->xi;
	float *restrict yr = b->yr, *restrict yi = b->yi;
	const int64_t from = b->from, to = b->to;
	const float h = 0.866025403784438647f; // sin 120 degrees
	for ( int64_t q = 0; q < b->count; ++q )
	{
		float sr = xr[q + from] + xr[q + 2 * from], si = xi[q + from] + xi[q + 2 * from];
		float dr = h * ( xr[q + from] - xr[q + 2 * from] ), di = h * ( xi[q + from] - xi[q + 2 * from] );
		float mr = xr[q] - 0.5f * sr, mi = xi[q] - 0.5f * si;
		float ar = mr - di, ai = mi + dr, er = mr + di, ei = mi - dr;
		yr[q] = xr[q] + sr;
		yi[q] = xi[q] + si;
		yr[q + to] = ar * c[1] - ai * s[1];
		yi[q + to] = ar * s[1] + ai * c[1];
		yr[q + 2 * to] = er * c[2] - ei * s[2];
		yi[q + 2 * to] = er * s[2] + ei * c[2];
	}
}

static void butterfly4( const run *b, const float *c, const float *s )
{
	const float *restrict xr = b->xr, *restrict xi = b->xi;
	float *restrict yr = b->yr, *restrict yi = b->yi;
	const int64_t from = b->from, to = b->to;
	for ( int64_t q = 0; q < b->count; ++q )
	{
		float ar = xr[q] + xr[q + 2 * from], ai = xi[q] + xi[q + 2 * from];
		float br = xr[q] - xr[q + 2 * from], bi = xi[q] - xi[q + 2 * from];
		float er = xr[q + from] + xr[q + 3 * from], ei = xi[q + from] + xi[q + 3 * from];
		float fr = xr[q + from] - xr[q + 3 * from], fi = xi[q + from] - xi[q + 3 * from];
		float gr = br - fi, gi = bi + fr, hr = ar - er, hi = ai - ei, kr = br + fi, ki = bi - fr;
		yr[q] = ar + er;
		yi[q] = ai + ei;
		yr[q + to] = gr * c[1] - gi * s[1];
		yi[q + to] = gr * s[1] + gi * c[1];
		yr[q + 2 * to] = hr * c[2] - hi * s[2];
		yi[q + 2 * to] = hr * s[2] + hi * c[2];
		yr[q + 3 * to] = kr * c[3] - ki * s[3];
		yi[q + 3 * to] = kr * s[3] + ki * c[3];
	}
}

void ds_fourier_run( const ds_fourier *plan, float *real, float *imaginary )
{
	int64_t size = (int64_t)plan->length * LANES;
	float *xr = real, *xi = imaginary, *yr = plan->room, *yi = plan->room + size;
	int64_t stride = 1, rest = plan->length;
	for ( int32_t step = 0; step < plan->steps; ++step )
	{
		int64_t radix = plan->radix[step], parts = rest / radix, width = stride * LANES;
		for ( int64_t p = 0; p < parts; ++p )
		{
			float c[4], s[4];
			for ( int64_t k = 0; k < radix; ++k )
			{
				c[k] = plan->cosines[p * k * stride];
				s[k] = plan->sines[p * k * stride];
			}
			run b = { xr + p * width, xi + p * width, yr + radix * p * width, yi + radix * p * width, width,
				parts * width, width };
			( radix == 4 ? butterfly4 : radix == 3 ? butterfly3 : butterfly2 )( &b, c, s );
		}
		float *swap = xr;
		xr = yr;
		yr = swap;
		swap = xi;
		xi = yi;
		yi = swap;
		stride *= radix;
		rest = parts;
	}
	if ( xr != real )
	{
		memcpy( real, xr, (size_t)size * sizeof( float ) );
		memcpy( imaginary, xi, (size_t)size * sizeof( float ) );
	}
}
