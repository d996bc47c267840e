// Inside optics: a water at one wavelength, from which all depths follow.

#ifndef DEEPSIM_OPTICS_WATER_OPTICS_H
#define DEEPSIM_OPTICS_WATER_OPTICS_H

#include "deepsim/water_optics.h"

#include <stdatomic.h>

struct ds_water_optics
{
	atomic_int references;
	ds_allocator allocator;
	ds_water_optics_def def; // its arrays are copies
	double backward, forward; // of the particles' phase function: backscattered share, mean cosine
};

// Where the factor of turbidity is 1.
typedef struct ds_spectral
{
	double a, b; // of pure water, or less where less was measured [1/m]
	double a_more, b_more; // of what is in it [1/m]
} ds_spectral;

ds_spectral ds_water_spectral( const ds_water_optics *optics, double wavelength );

// The factor at a depth.
double ds_water_factor( const ds_water_optics *optics, double depth );

// What a factor makes of it.
ds_iop ds_water_iop( const ds_water_optics *optics, const ds_spectral *spectral, double factor );

// Bands are sampled in the middle of equal parts of at most this width [nm].
#define DS_BAND_STEP 5.0

// Samples of a band; at least 1.
int32_t ds_band_samples( double width );

#endif
