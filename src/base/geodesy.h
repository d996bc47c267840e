// Radii of curvature of the WGS-84 ellipsoid: the map between a local tangent frame and latitude and longitude.

#ifndef DEEPSIM_SRC_GEODESY_H
#define DEEPSIM_SRC_GEODESY_H

// Metres per radian at a latitude [rad]: northwards along the meridian, eastwards along the parallel.
void ds_earth_radii( double latitude, double *meridian, double *parallel );

#endif
