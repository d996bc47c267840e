#include "cli/run.h"

#include "base/field_io.h"
#include "base/json.h"
#include "core/scenario.h"
#include "deepsim/math.h"
#include "io/log_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

double run_real_time_factor( const run_result *result )
{
	double simulated = result->world ? (double)ds_world_time( result->world ) / 1e9 : 0;
	return result->wall_time > 0 ? simulated / result->wall_time : 0;
}

const char *run_sensor_type( const ds_scenario *scenario, const char *name )
{
	for ( int32_t i = 0; scenario && i < scenario->sensor_count; i++ )
	{
		if ( strcmp( scenario->sensors[i].def.name, name ) == 0 )
		{
			return scenario->sensors[i].def.type;
		}
	}
	return "";
}

ds_status run_last_reading( const ds_world *world, ds_id sensor, const ds_table **table, void **reading )
{
	size_t size = 0;
	*reading = NULL;
	DS_TRY( ds_sensor_output( world, sensor, table, &size ) );
	void *data = calloc( 1, size > 0 ? size : 1 );
	if ( data == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory: cannot get %zu bytes for a reading", size );
	}
	ds_sample_header header;
	ds_status status = ds_sensor_latest( world, sensor, &header, data, size );
	if ( status != DS_OK )
	{
		free( data );
		return status;
	}
	*reading = data;
	return DS_OK;
}

// ---- bodies ------------------------------------------------------------------------------------------------------

static void put_numbers( ds_json_writer *json, const char *key, const double *numbers, int count )
{
	ds_json_key( json, key );
	ds_json_begin_flat( json, '[' );
	for ( int i = 0; i < count; i++ )
	{
		ds_json_put_number( json, numbers[i] );
	}
	ds_json_end( json, ']' );
}

static void put_vector( ds_json_writer *json, const char *key, ds_vec3 v )
{
	const double numbers[3] = { v.x, v.y, v.z };
	put_numbers( json, key, numbers, 3 );
}

static ds_status put_body( ds_json_writer *json, const ds_world *world, ds_id body )
{
	ds_body_motion motion;
	DS_TRY( ds_body_motion_get( world, body, &motion ) );
	ds_quat q = motion.pose.attitude;
	const double quaternion[4] = { q.w, q.x, q.y, q.z };
	ds_json_key( json, ds_world_name( world, body ) );
	ds_json_begin( json, '{' );
	put_vector( json, "position", motion.pose.position );
	put_vector( json, "rpy_deg", ds_scale( 180 / DS_PI, motion.rpy ) );
	put_numbers( json, "quaternion", quaternion, 4 );
	put_vector( json, "linear_velocity", motion.velocity_world.linear );
	put_vector( json, "angular_velocity", motion.velocity_world.angular );
	ds_json_key( json, "depth" );
	ds_json_put_number( json, motion.depth );
	ds_json_end( json, '}' );
	return DS_OK;
}

static ds_status put_bodies( ds_json_writer *json, const ds_world *world )
{
	ds_json_key( json, "bodies" );
	ds_json_begin( json, '{' );
	for ( int32_t i = 0; world && i < ds_world_count( world, DS_BODY ); i++ )
	{
		DS_TRY( put_body( json, world, ds_world_at( world, DS_BODY, i ) ) );
	}
	ds_json_end( json, '}' );
	return DS_OK;
}

// ---- sensors -----------------------------------------------------------------------------------------------------

static ds_status put_last( ds_json_writer *json, const ds_world *world, ds_id sensor )
{
	const ds_table *table = NULL;
	void *reading = NULL;
	ds_status status = run_last_reading( world, sensor, &table, &reading );
	ds_json_key( json, "last" );
	if ( status == DS_OK && table )
	{
		status = ds_table_write( table, reading, DS_WRITE_SI, json );
	}
	else
	{
		ds_json_begin_flat( json, '{' );
		ds_json_end( json, '}' );
	}
	free( reading );
	return status == DS_ERROR_EMPTY ? DS_OK : status;
}

static ds_status put_sensors( ds_json_writer *json, const run_result *result )
{
	const ds_world *world = result->world;
	ds_json_key( json, "sensors" );
	ds_json_begin( json, '{' );
	for ( int32_t i = 0; world && i < ds_world_count( world, DS_SENSOR ); i++ )
	{
		ds_id sensor = ds_world_at( world, DS_SENSOR, i );
		const char *name = ds_world_name( world, sensor );
		int64_t samples = 0, dropped = 0;
		DS_TRY( ds_sensor_counts( world, sensor, &samples, &dropped ) );
		ds_json_key( json, name );
		ds_json_begin( json, '{' );
		ds_json_key( json, "type" );
		ds_json_put_string( json, run_sensor_type( result->scenario, name ) );
		ds_json_key( json, "samples" );
		ds_json_put_integer( json, samples );
		DS_TRY( put_last( json, world, sensor ) );
		ds_json_end( json, '}' );
	}
	ds_json_end( json, '}' );
	return DS_OK;
}

// ---- the whole ---------------------------------------------------------------------------------------------------

static ds_status put_summary( ds_json_writer *json, const run_result *result )
{
	const ds_world *world = result->world;
	ds_json_begin( json, '{' );
	ds_json_key( json, "status" );
	ds_json_put_string( json, ds_status_name( result->status ) );
	ds_json_key( json, "error" );
	ds_json_put_string( json, result->error );
	ds_json_key( json, "sim_time" );
	ds_json_put_number( json, world ? (double)ds_world_time( world ) / 1e9 : 0 );
	ds_json_key( json, "ticks" );
	ds_json_put_integer( json, world ? ds_world_tick( world ) : 0 );
	ds_json_key( json, "wall_time" );
	ds_json_put_number( json, result->wall_time );
	ds_json_key( json, "real_time_factor" );
	ds_json_put_number( json, run_real_time_factor( result ) );
	DS_TRY( put_bodies( json, world ) );
	DS_TRY( put_sensors( json, result ) );
	ds_json_end( json, '}' );
	return DS_OK;
}

ds_status run_summary_check( const char *path )
{
	// a plain file is replaced, which its folder must allow
	struct stat info;
	if ( strcmp( path, "-" ) == 0 || ( stat( path, &info ) == 0 && !S_ISREG( info.st_mode ) ) )
	{
		return DS_OK;
	}
	const char *slash = strrchr( path, '/' );
	size_t length = slash == path ? 1 : slash ? (size_t)( slash - path ) : 0;
	char folder[4096] = ".";
	if ( length >= sizeof( folder ) )
	{
		return ds_log_file_error( path, "write", ENAMETOOLONG );
	}
	if ( length > 0 )
	{
		memcpy( folder, path, length );
		folder[length] = '\0';
	}
	return access( folder, W_OK | X_OK ) == 0 ? DS_OK : ds_log_file_error( path, "write", errno );
}

ds_status run_summary_write( const run_result *result, const char *path )
{
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer json = { 0 };
	json.text = &text;
	ds_status status = put_summary( &json, result );
	ds_text_string( &text, "\n" );
	status = status == DS_OK ? text.status : status;
	if ( status == DS_OK && strcmp( path, "-" ) == 0 )
	{
		// main() looks whether it could be written
		fwrite( ds_text_get( &text ), 1, text.length, stdout );
	}
	else if ( status == DS_OK )
	{
		status = ds_log_file_replace( path, ds_text_get( &text ), text.length );
	}
	ds_text_clear( &text );
	return status;
}
