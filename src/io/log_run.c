#include "base/json.h"
#include "io/log_csv.h"

#include <inttypes.h>
#include <stdio.h>

// Seeds that a double cannot hold are decimal strings, as in scenarios.
static void put_seed( ds_json_writer *json, uint64_t seed )
{
	if ( seed <= ( UINT64_C( 1 ) << 53 ) )
	{
		ds_json_put_integer( json, (int64_t)seed );
		return;
	}
	char digits[32];
	snprintf( digits, sizeof( digits ), "%" PRIu64, seed );
	ds_json_put_string( json, digits );
}

static const char *column_type( const ds_field *field )
{
	switch ( field->type )
	{
		case DS_FIELD_F64:
			return "f64";
		case DS_FIELD_I64:
			return "i64";
		case DS_FIELD_BOOL:
			return "bool";
		case DS_FIELD_ENUM:
		case DS_FIELD_VARIANT:
			return "enum";
		case DS_FIELD_SPAN:
			return "span";
		default:
			return "string";
	}
}

static void put_numbers( ds_json_writer *json, const double *numbers, int count )
{
	ds_json_begin_flat( json, '[' );
	for ( int i = 0; i < count; ++i )
	{
		ds_json_put_number( json, numbers[i] );
	}
	ds_json_end( json, ']' );
}

static void put_column( ds_json_writer *json, const ds_column *column )
{
	const ds_field *field = column->field;
	ds_json_begin_flat( json, '{' );
	ds_json_key( json, "name" );
	ds_json_put_string( json, column->name );
	ds_json_key( json, "type" );
	ds_json_put_string( json, column_type( field ) );
	if ( field->type == DS_FIELD_SPAN )
	{
		ds_json_key( json, "dtype" );
		ds_json_put_string( json, ds_csv_dtype( field->element ) );
		if ( ds_csv_image( field ) )
		{
			ds_json_key( json, "image" );
			ds_json_put_string( json, ds_csv_image( field ) );
		}
	}
	ds_json_key( json, "unit" );
	ds_json_put_string( json, column->unit );
	ds_json_key( json, "doc" );
	ds_json_put_string( json, field->doc ? field->doc : "" );
	ds_json_end( json, '}' );
}

// Where the frame of a channel lies: its id is the channel's name.
static void put_frame( ds_json_writer *json, const ds_csv_channel *channel )
{
	const ds_vec3 *p = &channel->mount.position;
	const ds_quat *q = &channel->mount.attitude;
	const double position[] = { p->x, p->y, p->z }, attitude[] = { q->w, q->x, q->y, q->z };
	ds_json_key( json, "frame" );
	ds_json_put_string( json, channel->name );
	ds_json_key( json, "body" );
	ds_json_put_string( json, channel->body );
	ds_json_key( json, "mount" );
	ds_json_begin_flat( json, '{' );
	ds_json_key( json, "position" );
	put_numbers( json, position, 3 );
	ds_json_key( json, "quaternion" );
	put_numbers( json, attitude, 4 );
	ds_json_end( json, '}' );
}

static void put_channel( ds_json_writer *json, const ds_csv_channel *channel )
{
	char file[DS_CSV_PATH];
	snprintf( file, sizeof( file ), "%s.csv", channel->name );
	ds_json_begin( json, '{' );
	ds_json_key( json, "name" );
	ds_json_put_string( json, channel->name );
	ds_json_key( json, "type" );
	ds_json_put_string( json, channel->type );
	if ( channel->body )
	{
		put_frame( json, channel );
	}
	ds_json_key( json, "file" );
	ds_json_put_string( json, file );
	ds_json_key( json, "samples" );
	ds_json_put_integer( json, channel->samples );
	ds_json_key( json, "fields" );
	ds_json_begin( json, '[' );
	for ( int32_t i = 0; i < channel->column_count; i++ )
	{
		put_column( json, &channel->columns[i] );
	}
	ds_json_end( json, ']' );
	ds_json_end( json, '}' );
}

// What was run, by which version, and how it ended.
static void put_run( ds_json_writer *json, const ds_csv_log *log, const ds_log_end *end )
{
	ds_scenario_info info = { 0 };
	if ( log->scenario )
	{
		info = ds_scenario_describe( log->scenario );
	}
	ds_json_key( json, "name" );
	ds_json_put_string( json, info.name ? info.name : "" );
	ds_json_key( json, "path" );
	ds_json_put_string( json, info.path ? info.path : "" );
	ds_json_key( json, "version" );
	ds_json_put_string( json, ds_version() );
	ds_json_key( json, "seed" );
	put_seed( json, log->seed );
	ds_json_key( json, "rate" );
	ds_json_put_number( json, log->rate );
	ds_json_key( json, "status" );
	ds_json_put_string( json, end ? ds_status_name( end->status ) : "running" );
	ds_json_key( json, "error" );
	ds_json_put_string( json, end && end->error ? end->error : "" );
	ds_json_key( json, "sim_time" );
	ds_json_put_number( json, end ? (double)end->time / 1e9 : 0 );
	ds_json_key( json, "ticks" );
	ds_json_put_integer( json, end ? end->ticks : 0 );
}

// Which number of images of instances is what. Nodules have none: their numbers are above 2^23.
static void put_instances( ds_json_writer *json, const ds_csv_log *log )
{
	ds_json_key( json, "instances" );
	ds_json_begin( json, '{' );
	for ( int32_t i = 0; i < log->instance_count; i++ )
	{
		char number[16];
		snprintf( number, sizeof( number ), "%" PRId32, i );
		if ( log->instances[i] )
		{
			ds_json_key( json, number );
			ds_json_put_string( json, log->instances[i] );
		}
	}
	ds_json_end( json, '}' );
}

ds_status ds_csv_write_run( const ds_csv_log *log, const ds_log_end *end )
{
	char path[DS_CSV_PATH];
	DS_TRY( ds_csv_path( path, sizeof( path ), log->directory, "run.json", "" ) );

	ds_text text;
	ds_text_init( &text, &log->hooks.allocator );
	ds_json_writer json = { 0 };
	json.text = &text;
	ds_json_begin( &json, '{' );
	ds_json_key( &json, DS_CSV_MARK );
	ds_json_put_integer( &json, 1 );
	put_run( &json, log, end );
	ds_json_key( &json, "channels" );
	ds_json_begin( &json, '[' );
	for ( int32_t i = 0; i < log->channel_count; i++ )
	{
		put_channel( &json, &log->channels[i] );
	}
	ds_json_end( &json, ']' );
	if ( log->instances )
	{
		put_instances( &json, log );
	}
	ds_json_key( &json, "scenario" );
	const char *scenario = log->scenario ? ds_scenario_describe( log->scenario ).json : NULL;
	ds_json_put_raw( &json, scenario ? scenario : "null" );
	ds_json_end( &json, '}' );
	ds_text_string( &text, "\n" );

	ds_status status = text.status;
	if ( status == DS_OK )
	{
		status = ds_log_file_replace( path, ds_text_get( &text ), text.length );
	}
	ds_text_clear( &text );
	return status;
}
