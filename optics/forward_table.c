// The point spread of small-angle scattering as a sum of the blurs of a pyramid.
//
// A point at the range R is seen with the modulation transfer, at f cycles per radian (Wells, "Theory of small angle scattering", in AGARD
// Lecture Series 61, 1973; Mertens and Replogle, J. Opt. Soc. Am. 67, 1105, 1977):
//   H = exp( -c R + b R Q( f ) ),  Q( f ) = integral over the way of the phase function's transform,
//   Q( f ) = 2 pi integral of p( theta ) K( 2 pi f theta ) sin theta dtheta,  K( z ) = 1/z integral of J0 from 0 to z:
// light that is turned by theta at the share u of the way from the point appears u theta aside. Angles up to 90 degrees count; what goes
// back is lost.
//
// exp( b R Q ) - 1, what was scattered at least once, is fitted by blurs of non-negative weight.

#include "deepsim/math.h"
#include "optics/forward_scatter.h"

#include <math.h>
#include <string.h>

#define LEAST       1e-5 // angle [rad]; what is turned by less counts as not turned
#define ANGLES      200 // from LEAST to 90 degrees, evenly in the logarithm
#define STRIDE      3 // of frequencies, in steps of angles
#define FREQUENCIES 44
#define SWEEPS      40

int32_t ds_forward_levels( int32_t width, int32_t height )
{
	int32_t levels = 1, side = width < height ? width : height;
	while ( levels < DS_FORWARD_LEVELS && side >= 4 )
	{
		side = ( side + 1 ) / 2;
		++levels;
	}
	return levels;
}

// Down and up again by [1 3 3 1] / 8 at each level: cos^3( pi f ) each.
double ds_forward_level_transfer( int32_t level, double frequency )
{
	double h = 1;
	for ( int32_t i = 0; i < level; ++i )
	{
		double c = cos( DS_PI * frequency * (double)( (int64_t)1 << i ) );
		h *= c * c * c * c * c * c;
	}
	return h;
}

// K( z ) = 2/pi integral from 0 to pi/2 of sin( z sin t ) / ( z sin t ) dt; for large z its mean 1/z.
static double mean_bessel( double z )
{
	enum
	{
		PARTS = 24
	};
	if ( z > 12 )
	{
		return 1 / z;
	}
	double sum = 0;
	for ( int i = 0; i < PARTS; ++i )
	{
		double x = z * sin( 0.5 * DS_PI * ( i + 0.5 ) / PARTS );
		sum += x < 1e-4 ? 1 : sin( x ) / x;
	}
	return sum / PARTS;
}

// Q at frequencies [cycles/rad] `highest` e^( -STRIDE step k ), and the share that goes forwards.
static double transform( const ds_phase_config *phase, double highest, double *q )
{
	const double step = log( 0.5 * DS_PI / LEAST ) / ANGLES;
	double weight[ANGLES + 1], kernel[ANGLES + 1 + STRIDE * FREQUENCIES], forward = 0, backward = 0;
	for ( int i = 0; i <= ANGLES; ++i )
	{
		double angle = LEAST * exp( step * i ), end = i % ANGLES == 0 ? 0.5 : 1;
		weight[i] = 2 * DS_PI * ds_phase_at( phase, angle ) * sin( angle ) * angle * step * end;
		forward += weight[i];
	}
	for ( int i = 0; i < 90; ++i )
	{
		double angle = 0.5 * DS_PI * ( 1 + ( i + 0.5 ) / 90 );
		backward += 2 * DS_PI * ds_phase_at( phase, angle ) * sin( angle ) * 0.5 * DS_PI / 90;
	}
	double core = fmax( 1 - forward - backward, 0 ), scale = ( 1 - backward ) / fmax( forward + core, 1e-9 );
	// z = 2 pi f theta on the same grid
	const double lowest = 2 * DS_PI * highest * LEAST * exp( -step * STRIDE * ( FREQUENCIES - 1 ) );
	for ( int i = 0; i < ANGLES + 1 + STRIDE * FREQUENCIES; ++i )
	{
		kernel[i] = mean_bessel( lowest * exp( step * i ) );
	}
	for ( int k = 0; k < FREQUENCIES; ++k )
	{
		const double *along = kernel + STRIDE * ( FREQUENCIES - 1 - k );
		double sum = core;
		for ( int i = 0; i <= ANGLES; ++i )
		{
			sum += weight[i] * along[i];
		}
		q[k] = scale * sum;
	}
	return 1 - backward;
}

// Non-negative least squares by descent along the coordinates, from where `w` is.
static void fit( int n, double normal[][DS_FORWARD_LEVELS], const double *right, double *w )
{
	for ( int sweep = 0; sweep < SWEEPS; ++sweep )
	{
		for ( int i = 0; i < n; ++i )
		{
			double rest = right[i];
			for ( int j = 0; j < n; ++j )
			{
				rest -= j == i ? 0 : normal[i][j] * w[j];
			}
			w[i] = normal[i][i] > 0 ? fmax( rest / normal[i][i], 0 ) : 0;
		}
	}
}

void ds_forward_table_make(
	double b, double c, const ds_phase_config *phase, int32_t levels, double focal, ds_forward_table *table )
{
	const double step = STRIDE * log( 0.5 * DS_PI / LEAST ) / ANGLES;
	double q[FREQUENCIES], transfer[FREQUENCIES][DS_FORWARD_LEVELS], w[DS_FORWARD_LEVELS] = { 0 };
	memset( table, 0, sizeof( *table ) );
	table->levels = levels;
	table->forward = transform( phase, 0.5 * focal, q );
	for ( int k = 0; k < FREQUENCIES; ++k )
	{
		for ( int i = 0; i < levels; ++i )
		{
			transfer[k][i] = ds_forward_level_transfer( i, 0.5 * exp( -step * k ) );
		}
	}
	const double lowest = exp2( -levels - 0.5 ); // of the fit: some cycle in the image's shorter side [cycles/pixel]
	double fall = fmax( c - b * table->forward, 1e-6 ), most = fmin( 14 / fall, 40 / fmax( b, 1e-6 ) );
	table->range = (float)most;
	for ( int r = 0; r <= DS_FORWARD_RANGES; ++r )
	{
		double share = fmax( r, 0.5 ) / DS_FORWARD_RANGES, way = b * most * share * share;
		double normal[DS_FORWARD_LEVELS][DS_FORWARD_LEVELS] = { { 0 } }, right[DS_FORWARD_LEVELS] = { 0 };
		for ( int k = 0; k < FREQUENCIES && 0.5 * exp( -step * k ) > lowest; ++k )
		{
			// relative to all that is seen at the frequency
			double target = expm1( way * q[k] ), weight = 1 / ( 1 + target );
			weight *= weight;
			for ( int i = 0; i < levels; ++i )
			{
				right[i] += weight * transfer[k][i] * target;
				for ( int j = 0; j < levels; ++j )
				{
					normal[i][j] += weight * transfer[k][i] * transfer[k][j];
				}
			}
		}
		fit( levels, normal, right, w );
		// what is spread wider than the image goes to the last
		double rest = expm1( way * table->forward );
		for ( int i = 0; i < levels; ++i )
		{
			double part = i == levels - 1 ? 1 : rest > 0 ? fmin( w[i] / rest, 1 ) : 0;
			table->take[i][r] = (float)part;
			rest *= 1 - part;
		}
	}
}
