// Inside the library: what the files of the lens share.

#ifndef DEEPSIM_OPTICS_LENS_INTERNAL_H
#define DEEPSIM_OPTICS_LENS_INTERNAL_H

#include "deepsim/lens.h"

extern const ds_table ds_lens_options; // of ds_lens_config

// The radial maps are r ( 1 + k1 r^2 + k2 r^4 + ... ): of r = tan( angle ) for a rectilinear lens (k1 k2 k3), of the angle for a
// fisheye (k1 to k4).
#define DS_LENS_TERMS 5

// The coefficients 1, k1, k2, ... of a lens; 0 where its model has none.
void ds_lens_terms( const ds_lens *lens, double terms[DS_LENS_TERMS] );
double ds_lens_radial( const double terms[DS_LENS_TERMS], double r );
double ds_lens_radial_slope( const double terms[DS_LENS_TERMS], double r );

// Fills limit, radius, sure and bound from the rest.
void ds_lens_find_limits( ds_lens *lens );

// Whether the rectilinear map is one-to-one from the axis out to the point (x/z, y/z): whether its derivative, a symmetric matrix,
// is positive definite all the way.
bool ds_lens_one_to_one( const ds_lens *lens, double a, double b );

// Checks numbers that did not come through the table (of a file), and fills limits. Messages begin with `where`.
ds_status ds_lens_finish( ds_lens *lens, const char *where );

// The smallest t > 0 at which a polynomial with coefficient[0] > 0 is not positive; INFINITY if there is none.
double ds_polynomial_first_zero( const double *coefficient, int degree );
#define DS_POLYNOMIAL_MAX 12

// Reads a calibration file; a size that it does not tell is 0. Limits are not filled yet.
ds_status ds_calibration_read( const char *path, ds_lens *lens );

#endif
