// Making a water column.

#include "hydro/column_internal.h"
#include "hydro/column_levels.h"
#include "hydro/seawater.h"

#include <math.h>

#define MOST_STEPS       16384
#define USUAL_STEP       5.0 // [m]
#define TOLERANCE        1e-4 // of the pressure [Pa]
#define MOST_PASSES      40
#define HIGHEST_PRESSURE 2e8 // for equations of state, whose data end at 1e8 [Pa]
#define NODE_ARRAYS      7

// What is at the nodes, while a column is made.
typedef struct column_nodes
{
	int64_t count;
	double *memory; // of all
	double *temperature, *salinity, *conservative, *density, *pressure, *sound, *slope;
} column_nodes;

ds_column_def ds_column_def_default( void )
{
	return ( ds_column_def ){
		.kind = DS_COLUMN_UNIFORM,
		.density = 1025,
		.density_increase = NAN,
		.density_depth = 1000,
		.temperature = 10,
		.salinity = 35,
		.gravity = 9.81,
		.surface_pressure = 101325,
		.depth = 12000,
	};
}

// ---- checks ----------------------------------------------------------------------------------------------------------

static ds_status check_number( const char *name, double value, double minimum, double maximum, const char *unit )
{
	if ( !isfinite( value ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "water column: %s must be a finite number", name );
	}
	if ( value < minimum || value > maximum )
	{
		return ds_error( DS_ERROR_RANGE, "water column: %s is %g %s, and must lie in [%g, %g]", name, value, unit,
			minimum, maximum );
	}
	return DS_OK;
}

// Depths that rise, and values within limits; the error names the level, counted from 1.
static ds_status check_levels( const char *what, const double *depth, const double *value, int64_t count,
	double minimum, double maximum, const char *unit )
{
	if ( depth == NULL || value == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "water column: the levels of %s need arrays of depth and value", what );
	}
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( !isfinite( depth[i] ) || !isfinite( value[i] ) )
		{
			return ds_error(
				DS_ERROR_NOT_FINITE, "water column: level %lld of %s is not finite", (long long)i + 1, what );
		}
		if ( depth[i] < 0 || depth[i] > DS_COLUMN_DEEPEST )
		{
			return ds_error( DS_ERROR_RANGE,
				"water column: level %lld of %s is at a depth of %g m; depths lie in [0, %g]", (long long)i + 1, what,
				depth[i], DS_COLUMN_DEEPEST );
		}
		if ( i > 0 && !( depth[i] > depth[i - 1] ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"water column: level %lld of %s, at %g m, must lie deeper than the one before, at %g m",
				(long long)i + 1, what, depth[i], depth[i - 1] );
		}
		if ( value[i] < minimum || value[i] > maximum )
		{
			return ds_error( DS_ERROR_RANGE, "water column: %s is %g %s at %g m, and must lie in [%g, %g]", what,
				value[i], unit, depth[i], minimum, maximum );
		}
	}
	return DS_OK;
}

static ds_status check_kinds( const ds_column_def *d )
{
	if ( (int)d->kind < 0 || d->kind >= DS_COLUMN_KIND_COUNT || (int)d->interpolation < 0 ||
		 d->interpolation >= DS_COLUMN_INTERPOLATION_COUNT || (int)d->sound < 0 || d->sound >= DS_SOUND_KIND_COUNT )
	{
		return ds_error(
			DS_ERROR_RANGE, "water column: there is no such kind of density, interpolation or speed of sound" );
	}
	if ( d->profile.count < 0 || d->table_count < 0 || ( d->kind == DS_COLUMN_TABLE && d->table_count < 1 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "water column: a table of density needs one level or more" );
	}
	return DS_OK;
}

static ds_status check( const ds_column_def *d )
{
	DS_TRY( check_kinds( d ) );
	DS_TRY( check_number( "gravity", d->gravity, 0, 100, "m/s2" ) );
	DS_TRY( check_number( "the gradient of gravity", d->gravity_gradient, -1e-4, 1e-4, "1/s2" ) );
	DS_TRY( check_number( "surface pressure", d->surface_pressure, 0, 1e9, "Pa" ) );
	DS_TRY( check_number( "the depth of the grid", d->depth, 1, DS_COLUMN_DEEPEST, "m" ) );
	DS_TRY( check_number( "the step of the grid", d->step, 0, 1000, "m" ) );
	if ( ds_column_is_closed( d->kind ) )
	{
		DS_TRY( check_number( "density at the surface", d->density, 1, 20000, "kg/m3" ) );
	}
	if ( d->kind == DS_COLUMN_PYCNOCLINE )
	{
		double increase = isnan( d->density_increase ) ? 0 : d->density_increase;
		DS_TRY( check_number( "increase of density", increase, 0, 20000, "kg/m3" ) );
		DS_TRY( check_number( "depth of the pycnocline", d->density_depth, 1e-3, DS_COLUMN_DEEPEST, "m" ) );
	}
	if ( d->kind == DS_COLUMN_TABLE )
	{
		DS_TRY( check_levels( "density", d->table_depth, d->table_density, d->table_count, 1, 20000, "kg/m3" ) );
	}
	const ds_column_profile *p = &d->profile;
	if ( p->count > 0 )
	{
		DS_TRY( check_levels(
			"temperature", p->depth, p->temperature, p->count, DS_COLUMN_COLDEST, DS_COLUMN_HOTTEST, "degC" ) );
		return check_levels( "salinity", p->depth, p->salinity, p->count, 0, DS_COLUMN_SALTIEST, "PSU" );
	}
	DS_TRY( check_number( "temperature", d->temperature, DS_COLUMN_COLDEST, DS_COLUMN_HOTTEST, "degC" ) );
	return check_number( "salinity", d->salinity, 0, DS_COLUMN_SALTIEST, "PSU" );
}

// ---- the grid ----------------------------------------------------------------------------------------------------------

static double least_distance( const double *depth, int64_t count, double least )
{
	for ( int64_t i = 1; i < count; ++i )
	{
		least = fmin( least, depth[i] - depth[i - 1] );
	}
	return least;
}

// Depth and step. Evenly spaced levels fall on nodes.
static void choose_grid( ds_water_column *column, const ds_column_def *d )
{
	const ds_column_profile *p = &d->profile;
	double depth = d->depth, distance = 2 * USUAL_STEP;
	if ( p->count > 0 )
	{
		depth = fmax( depth, p->depth[p->count - 1] );
		distance = least_distance( p->depth, p->count, INFINITY );
	}
	if ( d->kind == DS_COLUMN_TABLE )
	{
		depth = fmax( depth, d->table_depth[d->table_count - 1] );
		distance =
			fmin( p->count > 0 ? distance : INFINITY, least_distance( d->table_depth, d->table_count, INFINITY ) );
	}
	distance = isfinite( distance ) ? distance : 2 * USUAL_STEP;
	double step = d->step > 0 ? d->step : distance / fmax( ceil( distance / USUAL_STEP ), 2 );
	step = fmin( fmax( step, depth / MOST_STEPS ), depth );
	column->cell_count = (int64_t)fmin( ceil( depth / step * ( 1 - 1e-12 ) ), MOST_STEPS );
	column->step = step;
	column->per_step = 1 / step;
	column->depth = step * (double)column->cell_count;
}

static ds_status create_nodes( const ds_allocator *allocator, int64_t count, column_nodes *nodes )
{
	DS_TRY( DS_NEW( allocator, NODE_ARRAYS * count, &nodes->memory ) );
	double **arrays[] = { &nodes->temperature, &nodes->salinity, &nodes->conservative, &nodes->density,
		&nodes->pressure, &nodes->sound, &nodes->slope };
	for ( int i = 0; i < NODE_ARRAYS; ++i )
	{
		*arrays[i] = nodes->memory + i * count;
	}
	nodes->count = count;
	return DS_OK;
}

// Values at the nodes from those at levels.
static ds_status fill_nodes( const ds_water_column *column, const ds_column_def *d, const double *depth,
	const double *value, int64_t count, double *node_values )
{
	ds_levels levels = { depth, value, NULL, count };
	double *slope = NULL;
	if ( d->interpolation == DS_COLUMN_MONOTONE )
	{
		DS_TRY( DS_NEW( &column->allocator, count, &slope ) );
		ds_levels_slopes( depth, value, count, slope );
		levels.slope = slope;
	}
	int64_t at = 0;
	for ( int64_t i = 0; i <= column->cell_count; ++i )
	{
		node_values[i] = ds_levels_at( &levels, column->step * (double)i, &at );
	}
	DS_FREE( &column->allocator, slope, count );
	return DS_OK;
}

static ds_status fill_water( const ds_water_column *column, const ds_column_def *d, column_nodes *n )
{
	const ds_column_profile *p = &d->profile;
	if ( p->count > 0 )
	{
		DS_TRY( fill_nodes( column, d, p->depth, p->temperature, p->count, n->temperature ) );
		return fill_nodes( column, d, p->depth, p->salinity, p->count, n->salinity );
	}
	for ( int64_t i = 0; i < n->count; ++i )
	{
		n->temperature[i] = d->temperature;
		n->salinity[i] = d->salinity;
	}
	return DS_OK;
}

// ---- pressure (15) -----------------------------------------------------------------------------------------------------

// Cubics of the density from its nodes, and the pressure at the nodes from those; returns the largest change of a pressure.
static double integrate( ds_water_column *column, column_nodes *n )
{
	ds_grid_slopes( n->density, n->count, column->step, n->slope );
	double pressure = 0, change = 0;
	for ( int64_t i = 0; i < column->cell_count; ++i )
	{
		ds_column_cell *cell = &column->cells[i];
		ds_cubic( n->density[i], n->slope[i], n->density[i + 1], n->slope[i + 1], column->step, cell->density );
		cell->pressure = pressure;
		double g = ds_column_gravity_at( column, column->step * (double)i );
		pressure += ds_column_cell_pressure( cell->density, g, column->gravity_gradient, column->step );
		change = fmax( change, fabs( pressure - n->pressure[i + 1] ) );
		n->pressure[i + 1] = pressure;
	}
	column->end_density = n->density[column->cell_count];
	column->end_pressure = pressure;
	return change;
}

// Density at the nodes from the pressure there. Conservative temperature is worked out anew where that has changed by more
// than 1 Pa, which is 1e-8 K.
static void fill_density( ds_column_kind kind, column_nodes *n, double moved )
{
	for ( int64_t i = 0; i < n->count; ++i )
	{
		double salinity = n->salinity[i], temperature = n->temperature[i], pressure = n->pressure[i];
		if ( kind == DS_COLUMN_EOS80 )
		{
			n->density[i] = ds_eos80_density( salinity, ds_t68_of_t90( temperature ), pressure );
			continue;
		}
		double absolute = ds_teos10_absolute_salinity( salinity );
		if ( moved > 1 )
		{
			n->conservative[i] = ds_teos10_conservative_temperature( absolute, temperature, pressure );
		}
		n->density[i] = ds_teos10_density( absolute, n->conservative[i], pressure );
	}
}

// Density from pressure and pressure from density in turn. Every pass gains a factor of g z / c^2, 20 or more.
static ds_status settle( ds_water_column *column, ds_column_kind kind, column_nodes *n )
{
	double moved = INFINITY;
	for ( int pass = 0; pass < MOST_PASSES && moved > TOLERANCE; ++pass )
	{
		fill_density( kind, n, moved );
		moved = integrate( column, n );
	}
	if ( !( moved <= TOLERANCE ) )
	{
		return ds_error( DS_ERROR_INTERNAL, "water column: density and pressure do not settle" );
	}
	return DS_OK;
}

// TEOS-10 starts from the solution of EOS-80, which is much cheaper and some 100 Pa off.
static ds_status solve_state( ds_water_column *column, column_nodes *n )
{
	for ( int64_t i = 0; i < n->count; ++i )
	{
		double z = column->step * (double)i;
		n->pressure[i] = 1028 * ds_column_gravity_integral( column, z ) * ( 1 + 2.3e-6 * z );
	}
	if ( n->pressure[n->count - 1] > HIGHEST_PRESSURE )
	{
		return ds_error( DS_ERROR_RANGE,
			"water column: some %.3g Pa at %g m, and equations of state are of no use above %g; make depth or gravity "
			"smaller",
			n->pressure[n->count - 1], column->depth, HIGHEST_PRESSURE );
	}
	DS_TRY( settle( column, DS_COLUMN_EOS80, n ) );
	return column->kind == DS_COLUMN_TEOS10 ? settle( column, DS_COLUMN_TEOS10, n ) : DS_OK;
}

// ---- making ------------------------------------------------------------------------------------------------------------

static double sound_at( ds_sound_kind kind, double salinity, double temperature, double pressure, double z )
{
	if ( kind == DS_SOUND_MACKENZIE )
	{
		return ds_sound_mackenzie( salinity, ds_t68_of_t90( temperature ), z );
	}
	if ( kind == DS_SOUND_TEOS10 )
	{
		double absolute = ds_teos10_absolute_salinity( salinity );
		double conservative = ds_teos10_conservative_temperature( absolute, temperature, pressure );
		return ds_teos10_sound( absolute, conservative, pressure );
	}
	return ds_sound_chen_millero( salinity, ds_t68_of_t90( temperature ), pressure );
}

// Cubics of one quantity into the cells, `offset` bytes into each.
static void fit_cells( ds_water_column *column, column_nodes *n, const double *value, size_t offset )
{
	ds_grid_slopes( value, n->count, column->step, n->slope );
	for ( int64_t i = 0; i < column->cell_count; ++i )
	{
		double *c = (double *)( (char *)&column->cells[i] + offset );
		ds_cubic( value[i], n->slope[i], value[i + 1], n->slope[i + 1], column->step, c );
	}
}

static ds_status fill( ds_water_column *column, const ds_column_def *d, column_nodes *n )
{
	DS_TRY( fill_water( column, d, n ) );
	if ( d->kind == DS_COLUMN_TABLE )
	{
		DS_TRY( fill_nodes( column, d, d->table_depth, d->table_density, d->table_count, n->density ) );
		integrate( column, n );
	}
	else if ( !ds_column_is_closed( d->kind ) )
	{
		DS_TRY( solve_state( column, n ) );
	}
	for ( int64_t i = 0; i < n->count; ++i )
	{
		double z = column->step * (double)i;
		double pressure = ds_column_is_closed( d->kind ) ? ds_column_closed_pressure( column, z ) : n->pressure[i];
		n->sound[i] = sound_at( d->sound, n->salinity[i], n->temperature[i], pressure, z );
	}
	fit_cells( column, n, n->sound, offsetof( ds_column_cell, sound ) );
	fit_cells( column, n, n->temperature, offsetof( ds_column_cell, temperature ) );
	fit_cells( column, n, n->salinity, offsetof( ds_column_cell, salinity ) );
	return DS_OK;
}

static void set_constants( ds_water_column *column, const ds_column_def *d )
{
	column->kind = d->kind;
	column->density = d->density;
	column->break_depth = 1;
	if ( d->kind == DS_COLUMN_PYCNOCLINE )
	{
		column->break_depth = d->density_depth;
		double increase = isnan( d->density_increase ) ? 0.003 * d->density : d->density_increase;
		column->gradient = increase / d->density_depth;
	}
	column->gravity = d->gravity;
	column->gravity_gradient = d->gravity_gradient;
	column->surface_pressure = d->surface_pressure;
	choose_grid( column, d );
}

ds_status ds_column_create( const ds_allocator *allocator, const ds_column_def *def, ds_water_column **column )
{
	if ( column == NULL || def == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_column_create needs a definition and room for the column" );
	}
	*column = NULL;
	DS_TRY( check( def ) );
	ds_water_column *made = NULL;
	DS_TRY( DS_NEW( allocator, 1, &made ) );
	made->allocator = allocator ? *allocator : ( ds_allocator ){ 0 };
	set_constants( made, def );
	column_nodes nodes = { 0 };
	ds_status status = DS_NEW( allocator, made->cell_count, &made->cells );
	if ( status == DS_OK )
	{
		status = create_nodes( allocator, made->cell_count + 1, &nodes );
	}
	if ( status == DS_OK )
	{
		status = fill( made, def, &nodes );
	}
	DS_FREE( allocator, nodes.memory, NODE_ARRAYS * nodes.count );
	if ( status != DS_OK )
	{
		ds_column_destroy( made );
		return status;
	}
	*column = made;
	return DS_OK;
}

void ds_column_destroy( ds_water_column *column )
{
	if ( column )
	{
		ds_allocator allocator = column->allocator;
		DS_FREE( &allocator, column->cells, column->cell_count );
		DS_FREE( &allocator, column, 1 );
	}
}
