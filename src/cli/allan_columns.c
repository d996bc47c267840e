// Which columns of a file are analysed, and what they measure.

#include "base/base.h"
#include "cli/allan.h"
#include "deepsim/imu.h"

#include <string.h>

// The unit in SI, and what the column measures by it.
void allan_set_unit( allan_column *column, const char *unit )
{
	char one[DS_NAME_SIZE + 4];
	ds_imu_quantity quantity;
	snprintf( one, sizeof( one ), "1 %s", unit );
	snprintf( column->unit, sizeof( column->unit ), "%.63s", unit );
	column->scale = 1;
	column->triad = ALLAN_OTHER;
	if ( unit[0] && ds_imu_parse( one, &quantity ) == DS_OK )
	{
		bool rate = strcmp( quantity.unit, "rad/s" ) == 0, force = strcmp( quantity.unit, "m/s2" ) == 0;
		if ( rate || force )
		{
			column->triad = rate ? ALLAN_GYRO : ALLAN_ACCEL;
			column->scale = quantity.value;
			snprintf( column->unit, sizeof( column->unit ), "%.63s", quantity.unit );
		}
	}
}

// Short names for the columns of this library's own logs of an IMU.
static const char *alias( const char *name )
{
	static const char *const names[][2] = { { "gx", "angular_velocity_x" }, { "gy", "angular_velocity_y" },
		{ "gz", "angular_velocity_z" }, { "ax", "linear_acceleration_x" }, { "ay", "linear_acceleration_y" },
		{ "az", "linear_acceleration_z" } };
	for ( int i = 0; i < CLI_COUNT( names ); ++i )
	{
		if ( strcmp( name, names[i][0] ) == 0 )
		{
			return names[i][1];
		}
	}
	return name;
}

// Whether a later column has the same name.
static bool has_twin( const ds_series *series, int32_t i )
{
	const ds_series_column *columns = ds_series_columns( series );
	for ( int32_t k = i + 1; k < ds_series_count( series ); ++k )
	{
		if ( strcmp( columns[k].name, columns[i].name ) == 0 )
		{
			return true;
		}
	}
	return false;
}

enum
{
	NO_COLUMN = -1,
	TWO_COLUMNS = -2
};

// A column by its name, or by its number from 1.
static int32_t find_column( const ds_series *series, const char *name )
{
	const ds_series_column *columns = ds_series_columns( series );
	int32_t count = ds_series_count( series );
	uint64_t number;
	for ( int pass = 0; pass < 2; ++pass )
	{
		const char *wanted = pass ? alias( name ) : name;
		for ( int32_t i = 0; i < count; ++i )
		{
			if ( strcmp( columns[i].name, wanted ) == 0 )
			{
				return has_twin( series, i ) ? TWO_COLUMNS : i;
			}
		}
	}
	return cli_unsigned( name, &number ) && number >= 1 && number <= (uint64_t)count ? (int32_t)number - 1 : NO_COLUMN;
}

static int no_column( const ds_series *series, const char *file, const char *name )
{
	const char *names[DS_SERIES_MOST_COLUMNS];
	char list[512] = "";
	size_t used = 0;
	for ( int32_t i = 0; i < ds_series_count( series ); ++i )
	{
		names[i] = ds_series_columns( series )[i].name;
		if ( used + strlen( names[i] ) + 4 < sizeof( list ) )
		{
			used += (size_t)snprintf( list + used, sizeof( list ) - used, "%s%s", i ? ", " : "", names[i] );
		}
	}
	const char *near = ds_nearest_name( name, names, (size_t)ds_series_count( series ) );
	cli_error( "%s: there is no column %s%s%s%s; it has %s", file, name, near ? "; did you mean " : "",
		near ? near : "", near ? "?" : "", list );
	return CLI_FAILURE;
}

// The columns to analyse: those that were named; else those in units of rate or acceleration; else all numbers but time.
int allan_choose_columns( const allan_options *o, const ds_series *series, int32_t *chosen, int *count )
{
	const ds_series_column *columns = ds_series_columns( series );
	double scale;
	int32_t time = ds_series_time( series, &scale );
	*count = 0;
	for ( int i = 0; i < o->column_count; ++i )
	{
		int32_t found = find_column( series, o->column_names[i] );
		if ( found == TWO_COLUMNS )
		{
			cli_error( "%s: more than one column is called %s; name it by its number from the left, which starts at 1",
				o->file, o->column_names[i] );
			return CLI_FAILURE;
		}
		if ( found < 0 )
		{
			return no_column( series, o->file, o->column_names[i] );
		}
		bool twice = false;
		for ( int k = 0; k < *count; ++k )
		{
			twice = twice || chosen[k] == found;
		}
		chosen[*count] = found;
		*count += twice ? 0 : 1;
	}
	for ( int pass = 0; pass < 2 && *count == 0; ++pass )
	{
		for ( int32_t i = 0; i < ds_series_count( series ) && *count < ALLAN_MOST_COLUMNS; ++i )
		{
			allan_column column;
			allan_set_unit( &column, columns[i].unit );
			if ( i != time && columns[i].number && ( pass == 1 || column.triad != ALLAN_OTHER ) )
			{
				chosen[( *count )++] = i;
			}
		}
	}
	if ( *count == 0 )
	{
		cli_error( "%s: it has no column of numbers beside time; name columns by --column", o->file );
		return CLI_FAILURE;
	}
	return CLI_OK;
}
