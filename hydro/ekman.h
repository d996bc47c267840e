// The Ekman flow: wind-driven surface layer, geostrophic interior, bed layer, over any depth of water.
//
// North-East-Down, W = north + i east, s = sgn f. Eddy viscosity is A = |f| D^2 / ( 2 pi^2 ) above the depth
// H D / ( D + D_b ) and A_b = |f| D_b^2 / ( 2 pi^2 ) below it. The field is the exact solution of
//
//     ( A W' )' = -i f ( W - G ),   -rho A W'(0) = tau,   W(H) = 0,   W and A W' continuous,
//
// so that there is no step between layers, the bed is at rest for any H, and D = D_b is the textbook's one viscosity. In
// deep water it is G ( 1 - e^{-(1-is) pi (H-z)/D_b} ) + V0 e^{i theta} e^{i s pi/4} e^{-(1-is) pi z/D} with
// V0 = sqrt(2) pi |tau| / ( rho |f| D ). Ekman (1905); Cushman-Roisin and Beckers, Introduction to Geophysical Fluid
// Dynamics, 2nd ed. (2011), chapter 8.

#ifndef DEEPSIM_HYDRO_EKMAN_H
#define DEEPSIM_HYDRO_EKMAN_H

#include "base/base.h"
#include "deepsim/current.h"

typedef struct ds_complex
{
	double re, im; // north, east
} ds_complex;

typedef struct ds_ekman
{
	double sign; // of f
	double coriolis; // |f|, floored [1/s]
	double surface_layer, bed_layer; // D, D_b [m]
	ds_complex interior; // G [m/s]
	ds_complex surface; // V0 e^{i theta} e^{i s pi/4} [m/s]
} ds_ekman;

// The parts of a solution that depend on the depth of the water: W - G is a e^{-k z} + b e^{-k (m - z)} above m, and
// c e^{-k_b (z - m)} + d e^{-k_b (H - z)} below, k = (1 - is) pi / D.
typedef struct ds_ekman_column
{
	double depth; // H [m]; infinite: no bed
	double interface; // m [m]
	ds_complex a, b, c, d; // [m/s]
	ds_complex decay; // over either layer: e^{-k m} = e^{-k_b ( H - m )}
} ds_ekman_column;

// The Coriolis parameter 2 Omega sin(latitude) [1/s], its magnitude not below that at 2 degrees. 0 counts as north.
double ds_coriolis_parameter( double latitude );

// C_D at a wind speed at 10 m [m/s].
double ds_wind_drag( int32_t law, double constant, double wind_speed );

// The stress on the surface of an ekman current, north and east [Pa].
void ds_ekman_stress( const ds_current_def *def, double stress[2] );

// From a checked definition whose latitude [rad] is known.
ds_ekman ds_ekman_make( const ds_current_def *def, double latitude );

// Solves for water of a depth [m]; INFINITY is permitted, 0 or less is no flow.
ds_ekman_column ds_ekman_solve( const ds_ekman *ekman, double depth );

// North and east flow at z [m], which is taken into [0, H]; gradient (may be NULL) is d/dz.
ds_complex ds_ekman_at( const ds_ekman *ekman, const ds_ekman_column *column, double z, ds_complex *gradient );

#endif
