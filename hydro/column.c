// Queries of a water column.

#include "hydro/column_internal.h"

#include <math.h>

bool ds_column_is_closed( ds_column_kind kind )
{
	return kind == DS_COLUMN_UNIFORM || kind == DS_COLUMN_PYCNOCLINE;
}

// ---- gravity and closed forms -----------------------------------------------------------------------------------------

double ds_column_gravity_at( const ds_water_column *column, double z )
{
	return column->gravity + column->gravity_gradient * z;
}

double ds_column_gravity_integral( const ds_water_column *column, double z )
{
	return z * ( column->gravity + 0.5 * column->gravity_gradient * z );
}

double ds_column_cell_pressure( const double density[4], double g, double gradient, double u )
{
	double c1 = density[0] * g, c2 = ( density[1] * g + density[0] * gradient ) / 2;
	double c3 = ( density[2] * g + density[1] * gradient ) / 3, c4 = ( density[3] * g + density[2] * gradient ) / 4;
	return u * ( c1 + u * ( c2 + u * ( c3 + u * ( c4 + u * ( density[3] * gradient / 5 ) ) ) ) );
}

double ds_column_closed_density( const ds_water_column *column, double z )
{
	return column->density + column->gradient * fmin( z, column->break_depth );
}

double ds_column_closed_pressure( const ds_water_column *column, double z )
{
	double within = fmin( z, column->break_depth ), square = within * within;
	double all = ds_column_gravity_integral( column, z );
	double below = all - ds_column_gravity_integral( column, within );
	return column->density * all +
		   column->gradient * ( square * ( column->gravity / 2 + column->gravity_gradient * within / 3 ) +
								  column->break_depth * ( z > column->break_depth ? below : 0 ) );
}

// ---- queries -----------------------------------------------------------------------------------------------------------

static double cubic_at( const double c[4], double u )
{
	return c[0] + u * ( c[1] + u * ( c[2] + u * c[3] ) );
}

// The cell of a depth, which is first brought onto the grid, and the depth within it.
static const ds_column_cell *find_cell( const ds_water_column *column, double z, double *node, double *u )
{
	double on_grid = z > 0 ? fmin( z, column->depth ) : 0;
	int64_t last = column->cell_count - 1, i = (int64_t)( on_grid * column->per_step );
	i = i < last ? i : last;
	*node = column->step * (double)i;
	*u = on_grid - *node;
	return &column->cells[i];
}

// Density and gauge pressure of what is tabulated, at or below the surface.
static void tabulated( const ds_water_column *column, const ds_column_cell *cell, double node, double u, double z,
	double *density, double *pressure )
{
	if ( z > column->depth )
	{
		*density = column->end_density;
		*pressure =
			column->end_pressure + column->end_density * ( ds_column_gravity_integral( column, z ) -
															 ds_column_gravity_integral( column, column->depth ) );
		return;
	}
	*density = cubic_at( cell->density, u );
	*pressure = cell->pressure + ds_column_cell_pressure(
									 cell->density, ds_column_gravity_at( column, node ), column->gravity_gradient, u );
}

void ds_column_query( const ds_water_column *column, double z, ds_water *water )
{
	double node, u, density, pressure, depth = z > 0 ? z : 0;
	const ds_column_cell *cell = find_cell( column, z, &node, &u );
	if ( ds_column_is_closed( column->kind ) )
	{
		density = ds_column_closed_density( column, depth );
		pressure = ds_column_closed_pressure( column, depth );
	}
	else
	{
		tabulated( column, cell, node, u, depth, &density, &pressure );
	}
	if ( z < 0 )
	{
		pressure = density * column->gravity * z;
	}
	water->density = density;
	water->gauge_pressure = pressure;
	water->pressure = column->surface_pressure + pressure;
	water->temperature = cubic_at( cell->temperature, u );
	water->salinity = cubic_at( cell->salinity, u );
	water->sound_speed = cubic_at( cell->sound, u );
}

double ds_column_density( const ds_water_column *column, double z )
{
	if ( ds_column_is_closed( column->kind ) )
	{
		return ds_column_closed_density( column, z > 0 ? z : 0 );
	}
	double node, u;
	const ds_column_cell *cell = find_cell( column, z, &node, &u );
	return z > column->depth ? column->end_density : cubic_at( cell->density, u );
}

double ds_column_density_gradient( const ds_water_column *column, double z )
{
	if ( z < 0 )
	{
		return 0;
	}
	if ( ds_column_is_closed( column->kind ) )
	{
		return z < column->break_depth ? column->gradient : 0;
	}
	if ( z > column->depth )
	{
		return 0;
	}
	double node, u;
	const double *c = find_cell( column, z, &node, &u )->density;
	return c[1] + u * ( 2 * c[2] + 3 * u * c[3] );
}

double ds_column_gravity( const ds_water_column *column, double z )
{
	return ds_column_gravity_at( column, z > 0 ? z : 0 );
}
