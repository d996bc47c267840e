// Inside the water column: what a column holds, and the closed forms that creation and queries share.

#ifndef DEEPSIM_HYDRO_COLUMN_INTERNAL_H
#define DEEPSIM_HYDRO_COLUMN_INTERNAL_H

#include "base/base.h"
#include "hydro/column.h"

// One step of the grid: cubics in u, the depth below its upper node.
typedef struct ds_column_cell
{
	double density[4];
	double sound[4];
	double temperature[4];
	double salinity[4];
	double pressure; // gauge, at the upper node
} ds_column_cell;

struct ds_water_column
{
	ds_allocator allocator;
	ds_column_kind kind;
	double density, gradient, break_depth; // of UNIFORM and PYCNOCLINE: rho0, drho/zp, zp
	double gravity, gravity_gradient, surface_pressure;
	double step, per_step, depth; // of the grid
	double end_density, end_pressure; // at its lower end
	int64_t cell_count;
	ds_column_cell *cells;
};

// Is density a closed form, and not tabulated?
bool ds_column_is_closed( ds_column_kind kind );

// Gravity at a depth, and its integral from the surface.
double ds_column_gravity_at( const ds_water_column *column, double z );
double ds_column_gravity_integral( const ds_water_column *column, double z );

// Integral of density times gravity from the upper node of a cell, where gravity is g, over the depth u.
double ds_column_cell_pressure( const double density[4], double g, double gradient, double u );

// rho0 + drho min( z, zp ) / zp (14), at or below the surface, and its integral with gravity (15). A uniform column has a
// gradient of 0.
double ds_column_closed_density( const ds_water_column *column, double z );
double ds_column_closed_pressure( const ds_water_column *column, double z );

#endif
