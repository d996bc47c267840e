// Phase functions as tables for the kernel of radiance.

#include "deepsim/math.h"
#include "optics/radiance.h"

#include <math.h>

// Under water the light of the sky goes down within Snell's cone, which waves and scattering blur: its radiance is taken as mu^4, mu the cosine of
// the direction of propagation with down, and none goes up. Its mean cosine, 5/6, is that of an even sky's refracted light. For an
// irradiance of 1 on a level plane the radiance is SKY mu^4.
#define SKY ( 3 / DS_PI )

// Mean of that over the ring at an angle about a direction of propagation; `mu`: cosine of that direction with down. Along the ring
// the cosine is a + b cos t.
static double ring_of_sky( double angle, double mu )
{
	double a = cos( angle ) * mu, b = sin( angle ) * sqrt( fmax( 0, 1 - mu * mu ) );
	if ( b <= -a )
	{
		return 0;
	}
	double c = b <= a ? -1 : -a / b, s = sqrt( fmax( 0, 1 - c * c ) ), t = acos( c ); // it goes down up to t
	double s2 = 2 * s * c, s4 = 2 * s2 * ( 2 * c * c - 1 ), a2 = a * a, b2 = b * b; // sin 2t, sin 4t
	double whole = a2 * a2 * t + 4 * a2 * a * b * s + 3 * a2 * b2 * ( t + 0.5 * s2 ) +
				   4 * a * b2 * b * ( s - s * s * s / 3 ) + b2 * b2 * ( 0.375 * t + 0.25 * s2 + s4 / 32 );
	return SKY * whole / DS_PI;
}

void ds_phase_table_make( const ds_phase_config *phase, ds_phase_table *table )
{
	const double step = ( DS_PHASE_HIGH - DS_PHASE_LOW ) / DS_PHASE_SIZE;
	double sky[2][DS_PHASE_SKY + 1] = { { 0 } }, total[2] = { 0 }, backward, cosine;
	ds_phase_moments( phase, &backward, &cosine );
	table->forward = (float)( 1 - backward );
	for ( int i = 0; i <= DS_PHASE_SIZE; ++i )
	{
		double angle = 2 * atan( exp( DS_PHASE_LOW + step * i ) );
		double p = ds_phase_at( phase, angle ), water = ds_phase_water_at( angle );
		table->particles[i] = (float)p;

		// the trapezoidal rule in v = ln tan( angle / 2 ): solid angle 2 pi sin^2 dv
		double s = sin( angle ), weight = 2 * DS_PI * s * s * step * ( i % DS_PHASE_SIZE == 0 ? 0.5 : 1 );
		total[0] += weight * p;
		total[1] += weight * water;
		for ( int k = 0; k <= DS_PHASE_SKY; ++k )
		{
			double share = weight * ring_of_sky( angle, -1 + 2.0 * k / DS_PHASE_SKY );
			sky[0][k] += share * p;
			sky[1][k] += share * water;
		}
	}
	for ( int k = 0; k <= DS_PHASE_SKY; ++k )
	{
		table->particles_sky[k] = (float)( sky[0][k] / total[0] );
		table->water_sky[k] = (float)( sky[1][k] / total[1] );
	}
	double across = ds_phase_water_at( 0.5 * DS_PI );
	table->water[0] = (float)across;
	table->water[1] = (float)( ds_phase_water_at( 0 ) - across );
}
