// First-order response of a sensing element, for inputs that change linearly between samples: exact for steps and ramps at any
// sample rate.

#ifndef DEEPSIM_SENSORS_LAG_H
#define DEEPSIM_SENSORS_LAG_H

#include <math.h>

// Response x of tau dx/dt = u - x [s] after an interval dt [s] in which the input went from u0 to u1 in a straight line.
static inline double ds_lag_step( double x, double u0, double u1, double tau, double dt )
{
	if ( !( tau > 0 ) )
	{
		return u1;
	}
	if ( !( dt > 0 ) )
	{
		return x;
	}
	double behind = tau * ( u1 - u0 ) / dt; // of a steady ramp
	return u1 - behind + ( x - u0 + behind ) * exp( -dt / tau );
}

#endif
