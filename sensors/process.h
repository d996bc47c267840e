// Random processes and the last steps of a reading, shared by the sensor models.

#ifndef DEEPSIM_SENSORS_PROCESS_H
#define DEEPSIM_SENSORS_PROCESS_H

#include "deepsim/math.h"

// Random walk of density `walk` [U/sqrt(s)] over an interval dt [s]: x += walk sqrt(dt) n.
static inline double ds_walk_step( double x, double walk, double dt, double normal )
{
	return x + walk * sqrt( dt ) * normal;
}

// First-order Gauss-Markov process of standard deviation sigma and correlation time tau [s], over dt: exact for any dt. Start it
// from sigma n. (Source paper 1, eq. 3, with phi = exp( -dt / tau ).)
static inline double ds_markov_step( double x, double sigma, double tau, double dt, double normal )
{
	if ( !( tau > 0 ) )
	{
		return sigma * normal;
	}
	double phi = exp( -dt / tau );
	return phi * x + sigma * sqrt( -expm1( -2 * dt / tau ) ) * normal;
}

// The nearest multiple of a resolution; 0: exact.
static inline double ds_quantise( double x, double resolution )
{
	return resolution > 0 ? round( x / resolution ) * resolution : x;
}

// Whether numbers are such as a vehicle can meet, by the sum of their sizes: products of a few of them are finite. False for NAN.
static inline bool ds_is_truth( double sizes )
{
	return sizes <= 1e30;
}

static inline double ds_size3( ds_vec3 v )
{
	return fabs( v.x ) + fabs( v.y ) + fabs( v.z );
}

static inline double ds_clip( double x, double low, double high )
{
	return x < low ? low : x > high ? high : x;
}

// Last steps of a reading: clipped to its range, then the nearest multiple of the resolution that lies in it. (A billionth is
// forgiven: 0.3 is a multiple of 0.1.)
static inline double ds_clip_quantise( double x, double low, double high, double resolution )
{
	x = ds_clip( x, low, high );
	if ( !( resolution > 0 ) )
	{
		return x;
	}
	double most = high / resolution, least = low / resolution;
	most = floor( most + 1e-9 * fabs( most ) );
	least = ceil( least - 1e-9 * fabs( least ) );
	return ds_clip( round( x / resolution ), least, most ) * resolution;
}

#endif
