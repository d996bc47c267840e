#include "cli/run.h"

#include "base/field_io.h"
#include "deepsim/math.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 64
#define MAX_VALUES  90 // characters of a sensor's last values in a line

// The longest name of a kind, at least that of the heading.
static int name_width( const ds_world *world, ds_kind kind, const char *heading )
{
	size_t width = strlen( heading );
	for ( int32_t i = 0; i < ds_world_count( world, kind ); i++ )
	{
		size_t length = strlen( ds_world_name( world, ds_world_at( world, kind, i ) ) );
		width = length > width ? length : width;
	}
	return (int)width;
}

// What rounds to zero at `digits` digits after the point is printed without a sign.
static double tidy( double number, int digits )
{
	return fabs( number ) < 0.5 * pow( 10, -digits ) ? 0 : number;
}

static ds_status print_bodies( const ds_world *world, FILE *out )
{
	int32_t count = ds_world_count( world, DS_BODY );
	if ( count == 0 )
	{
		return DS_OK;
	}
	int width = name_width( world, DS_BODY, "body" );
	fprintf( out, "\n%s%-*s  %10s %10s %10s  %8s %8s %8s  %9s  %10s%s\n", cli_bold( out ), width, "body", "north[m]",
		"east[m]", "down[m]", "roll[deg]", "pitch", "yaw", "v[m/s]", "depth[m]", cli_plain( out ) );
	for ( int32_t i = 0; i < count; i++ )
	{
		ds_id body = ds_world_at( world, DS_BODY, i );
		ds_body_motion motion;
		DS_TRY( ds_body_motion_get( world, body, &motion ) );
		ds_vec3 p = motion.pose.position, rpy = ds_scale( 180 / DS_PI, motion.rpy );
		fprintf( out, "%-*s  %10.3f %10.3f %10.3f  %9.2f %8.2f %8.2f  %9.4f  %10.3f\n", width,
			ds_world_name( world, body ), tidy( p.x, 3 ), tidy( p.y, 3 ), tidy( p.z, 3 ), tidy( rpy.x, 2 ),
			tidy( rpy.y, 2 ), tidy( rpy.z, 2 ), ds_length( motion.velocity_world.linear ), tidy( motion.depth, 3 ) );
	}
	return DS_OK;
}

static int print_value( const ds_column *column, const void *reading, char *text, size_t size )
{
	const char *place = (const char *)reading + column->offset;
	const char *gap = column->unit[0] != '\0' ? " " : "";
	char value[64];
	if ( column->field->type == DS_FIELD_F64 )
	{
		double number;
		memcpy( &number, place, sizeof( number ) );
		snprintf( value, sizeof( value ), "%.6g", number );
	}
	else if ( column->field->type == DS_FIELD_SPAN )
	{
		ds_span span;
		memcpy( &span, place, sizeof( span ) );
		snprintf( value, sizeof( value ), "%lld values", (long long)span.count );
		gap = "";
	}
	else if ( ds_column_print( column, reading, value, sizeof( value ) ) < 0 )
	{
		snprintf( value, sizeof( value ), "..." );
	}
	return snprintf( text, size, "%s %s%s%s", column->name, value, gap, *gap ? column->unit : "" );
}

// As many of a reading's values as a line holds.
static void print_values( const ds_table *table, const void *reading, FILE *out )
{
	static ds_column columns[MAX_COLUMNS];
	int32_t count = ds_columns( table, columns, MAX_COLUMNS ), shown = 0;
	int used = 0;
	while ( shown < count && shown < MAX_COLUMNS )
	{
		char text[256];
		int length = print_value( &columns[shown], reading, text, sizeof( text ) );
		if ( shown > 0 && used + length > MAX_VALUES )
		{
			break;
		}
		used += fprintf( out, "%s%s", shown > 0 ? ", " : "", text );
		shown++;
	}
	if ( shown < count )
	{
		fprintf( out, ", %d more", (int)( count - shown ) );
	}
}

static ds_status print_sensor( const run_result *result, ds_id sensor, int width, FILE *out )
{
	const char *name = ds_world_name( result->world, sensor );
	int64_t samples = 0, dropped = 0;
	DS_TRY( ds_sensor_counts( result->world, sensor, &samples, &dropped ) );
	fprintf( out, "%-*s  %-12s  %9lld  ", width, name, run_sensor_type( result->scenario, name ), (long long)samples );

	const ds_table *table = NULL;
	void *reading = NULL;
	ds_status status = run_last_reading( result->world, sensor, &table, &reading );
	if ( status == DS_OK && table )
	{
		print_values( table, reading, out );
	}
	fprintf( out, "%s\n", status == DS_ERROR_EMPTY ? "none" : "" );
	free( reading );
	return status == DS_ERROR_EMPTY ? DS_OK : status;
}

static ds_status print_sensors( const run_result *result, FILE *out )
{
	int32_t count = ds_world_count( result->world, DS_SENSOR );
	if ( count == 0 )
	{
		return DS_OK;
	}
	int width = name_width( result->world, DS_SENSOR, "sensor" );
	fprintf( out, "\n%s%-*s  %-12s  %9s  %s%s\n", cli_bold( out ), width, "sensor", "type", "samples", "last reading",
		cli_plain( out ) );
	for ( int32_t i = 0; i < count; i++ )
	{
		DS_TRY( print_sensor( result, ds_world_at( result->world, DS_SENSOR, i ), width, out ) );
	}
	return DS_OK;
}

ds_status run_summary_print( const run_result *result, FILE *out )
{
	ds_scenario_info info = ds_scenario_describe( result->scenario );
	char wall[32], factor[32];
	cli_print_amount( wall, sizeof( wall ), result->wall_time );
	cli_print_amount( factor, sizeof( factor ), run_real_time_factor( result ) );
	fprintf( out, "%s%s%s: %s after %.9g s (%lld ticks), %s s on the clock, %s x real time\n", cli_bold( out ),
		info.name, cli_plain( out ), ds_status_name( result->status ), (double)ds_world_time( result->world ) / 1e9,
		(long long)ds_world_tick( result->world ), wall, factor );
	DS_TRY( print_bodies( result->world, out ) );
	return print_sensors( result, out );
}
