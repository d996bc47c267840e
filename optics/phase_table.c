// Phase functions as tables for the kernel of radiance.

#include "deepsim/math.h"
#include "optics/radiance.h"

#include <math.h>

// Share of the ring at an angle about a direction of propagation whose members go down; `mu`: cosine of the direction with down.
static double share_down( double angle, double mu )
{
	double a = cos( angle ) * mu, b = sin( angle ) * sqrt( fmax( 0, 1 - mu * mu ) );
	if ( b <= fabs( a ) )
	{
		return a > 0 ? 1 : a < 0 ? 0 : 0.5;
	}
	return acos( -a / b ) / DS_PI;
}

void ds_phase_table_make( const ds_phase_config *phase, ds_phase_table *table )
{
	const double step = ( DS_PHASE_HIGH - DS_PHASE_LOW ) / DS_PHASE_SIZE;
	double sky[2][DS_PHASE_SKY + 1] = { { 0 } }, total[2] = { 0 };
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
			double share = weight * share_down( angle, -1 + 2.0 * k / DS_PHASE_SKY );
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
