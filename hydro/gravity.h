// Gravity by latitude, and the relation of pressure and depth in a standard ocean.

#ifndef DEEPSIM_HYDRO_GRAVITY_H
#define DEEPSIM_HYDRO_GRAVITY_H

// Increase of gravity with depth in sea water [1/s2]: the free-air gradient less the water's own attraction. TEOS-10
// manual (IOC, SCOR, IAPSO 2010), appendix D.3: 2.26e-7 of g a metre.
#define DS_GRAVITY_GRADIENT 2.217e-6

// Normal gravity on the WGS-84 ellipsoid [m/s2] at a geodetic latitude [rad]: Somigliana's closed form with the constants of
// NIMA TR8350.2 (3rd ed., 2000), table 3.4. 9.7803253359 at the equator, 9.8321849379 at the poles.
double ds_gravity_normal( double latitude );

// Depth [m] of a gauge pressure [Pa] in the standard ocean (salinity 35, 0 degC, no geopotential anomaly) at a latitude [rad].
// UNESCO technical paper 44 (Fofonoff and Millard 1983), with its own gravity; within 0.2 m of the integral of EOS-80. For
// 0 to 110 MPa; it is how a cast over pressure becomes a profile over depth.
double ds_depth_of_pressure( double gauge_pressure, double latitude );

// Gauge pressure [Pa] at a depth [m] in the standard ocean at a latitude [rad]: Saunders, J. Phys. Oceanogr. 11 (1981) 573,
// the inverse of the above to 0.05 % above 100 m, 0.02 % below 1000 m.
double ds_pressure_of_depth( double depth, double latitude );

#endif
