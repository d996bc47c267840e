// Two-pole Butterworth low-pass of samples, in steps of any length.
//
// The bilinear transform of 1 / (s^2 + sqrt(2) s + 1), its cut-off at the wanted frequency (prewarped), as trapezoidal
// integrators (Zavalishin, The Art of VA Filter Design, rev. 2.1, ch. 4): their state is a signal and its slope, so that a change
// of the interval disturbs nothing, and a constant passes unchanged. |H|^2 at a frequency f is 1 / (1 + (tan( pi f dt ) / g)^4)
// with g = tan( pi bandwidth dt ). A bandwidth at or above half the sample rate passes everything.

#ifndef DEEPSIM_SENSORS_LOWPASS_H
#define DEEPSIM_SENSORS_LOWPASS_H

#include "deepsim/math.h"

typedef struct ds_lowpass
{
	double a1, a2, a3;
	double g; // tan( pi bandwidth dt ); 0: passes everything
} ds_lowpass;

static inline ds_lowpass ds_lowpass_make( double bandwidth, double dt )
{
	ds_lowpass f = { 0, 0, 1, 0 };
	if ( bandwidth > 0 && bandwidth * dt < 0.5 )
	{
		f.g = tan( DS_PI * bandwidth * dt );
		f.a1 = 1 / ( 1 + f.g * ( f.g + sqrt( 2 ) ) );
		f.a2 = f.g * f.a1;
		f.a3 = f.g * f.a2;
	}
	return f;
}

// The next output; `slope` and `level` are the state: settled at u they are 0 and u.
static inline double ds_lowpass_step( double a1, double a2, double a3, double u, double *slope, double *level )
{
	double e = u - *level;
	double band = a1 * *slope + a2 * e, low = *level + ( a2 * *slope + a3 * e );
	*slope = 2 * band - *slope;
	*level = 2 * low - *level;
	return low;
}

// Share of the power of white noise that passes: the mean of |H|^2 over all frequencies. With x = tan( pi f dt ) / g it is
//   1/pi Int g / (1 + g^2 x^2) / (1 + x^4) dx,
// a mean of 1 / (1 + x^4) over a Cauchy distribution of width 1/g, by residues:
static inline double ds_lowpass_power( double g )
{
	const double s = sqrt( 0.5 );
	return g > 0 ? s * g * ( 1 + 2 * s * g ) / ( s * s * g * g + ( 1 + s * g ) * ( 1 + s * g ) ) : 1;
}

#endif
