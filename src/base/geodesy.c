#include "base/geodesy.h"

#include <math.h>

// WGS-84 (NIMA TR8350.2): semi-major axis [m] and flattening.
#define WGS84_A 6378137.0
#define WGS84_F ( 1 / 298.257223563 )

void ds_earth_radii( double latitude, double *meridian, double *parallel )
{
	double s = sin( latitude );
	double e2 = WGS84_F * ( 2 - WGS84_F ), w = sqrt( 1 - e2 * s * s );
	*meridian = WGS84_A * ( 1 - e2 ) / ( w * w * w );
	*parallel = WGS84_A / w * cos( latitude );
}
