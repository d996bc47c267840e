// Ground for tests of ruts: made, left alone, summed.

#ifndef DEEPSIM_TESTS_RUT_KIT_H
#define DEEPSIM_TESTS_RUT_KIT_H

#include "terrain/rut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUT_REPOSE ( 30 * 3.14159265358979323846 / 180 )
#define RUT_UNIT   1.2e-7 // depths are whole numbers of 2^-23 m

#define NEAR( a, b, tolerance )                                                                                        \
	do                                                                                                                 \
	{                                                                                                                  \
		double near_a_ = ( a ), near_b_ = ( b ), near_t_ = ( tolerance );                                              \
		if ( !( fabs( near_a_ - near_b_ ) <= near_t_ ) )                                                               \
		{                                                                                                              \
			fail_msg( "%s = %.17g, expected %s = %.17g within %g", #a, near_a_, #b, near_b_, near_t_ );                \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

static inline ds_rut *rut_make( double cell, size_t memory, bool erosion )
{
	ds_rut_def def = { cell, memory, RUT_REPOSE, erosion };
	ds_rut *rut = NULL;
	if ( ds_rut_create( NULL, &def, &rut ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return rut;
}

// Ends the ticks from `tick` on.
static inline void rut_rest( ds_rut *rut, int64_t tick, int64_t count )
{
	for ( int64_t t = 0; t < count; ++t )
	{
		ds_rut_settle( rut, tick + t );
	}
}

// Of what is below the terrain's own surface, in cells of 2 cm, from `from` to `to` on both axes [m3].
static inline double rut_volume( const ds_rut *rut, double from, double to )
{
	int64_t first = (int64_t)floor( from / 0.02 ), last = (int64_t)ceil( to / 0.02 );
	double sum = 0;
	for ( int64_t i = first; i < last; ++i )
	{
		for ( int64_t j = first; j < last; ++j )
		{
			sum += ds_rut_at( rut, 0.02 * ( (double)i + 0.5 ), 0.02 * ( (double)j + 0.5 ), 0, 0 ).surface;
		}
	}
	return sum * 0.0004;
}

#endif
