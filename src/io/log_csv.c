#include "io/log_csv.h"

#include "deepsim/query.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define CELL_SIZE      32 // of a number, with its comma
#define FLUSH_INTERVAL 1 // longest time that rows stay in a buffer while others come [s]

// ---- names and paths ---------------------------------------------------------------------------------------------

ds_status ds_csv_check_name( const char *name )
{
	const char *part = name;
	for ( const char *c = name;; c++ )
	{
		if ( *c == '/' || *c == '\0' )
		{
			size_t length = (size_t)( c - part );
			bool dots = ( length == 1 && part[0] == '.' ) || ( length == 2 && part[0] == '.' && part[1] == '.' );
			if ( length == 0 || dots )
			{
				return ds_error( DS_ERROR_ARGUMENT,
					"log: channel \"%s\": a file cannot have this name; use letters, digits, _ and single slashes",
					name );
			}
			part = c + 1;
		}
		else if ( (unsigned char)*c < 0x20 || *c == '\\' )
		{
			return ds_error( DS_ERROR_ARGUMENT, "log: channel \"%s\": a file cannot have this name", name );
		}
		if ( *c == '\0' )
		{
			return DS_OK;
		}
	}
}

ds_status ds_csv_path( char *path, size_t size, const char *directory, const char *name, const char *rest )
{
	int length = snprintf( path, size, "%s/%s%s", directory, name, rest );
	if ( length < 0 || (size_t)length >= size )
	{
		return ds_error( DS_ERROR_LIMIT, "log: the path %s/%s%s is too long", directory, name, rest );
	}
	return DS_OK;
}

const char *ds_csv_dtype( ds_element element )
{
	static const char *const names[2][DS_ELEMENT_U8 + 1] = { { "", "<f8", "<f4", "<i8", "<i4", "<u2", "|u1" },
		{ "", ">f8", ">f4", ">i8", ">i4", ">u2", "|u1" } };
	const uint16_t one = 1;
	unsigned char first;
	memcpy( &first, &one, 1 );
	return (unsigned)element <= DS_ELEMENT_U8 ? names[first == 1 ? 0 : 1][element] : "";
}

// ---- open --------------------------------------------------------------------------------------------------------

// Bytes that a row takes at most.
static size_t row_size( const ds_csv_channel *channel )
{
	size_t size = CELL_SIZE;
	for ( int32_t i = 0; i < channel->column_count; i++ )
	{
		const ds_field *field = channel->columns[i].field;
		size += CELL_SIZE;
		if ( field->type == DS_FIELD_STRING )
		{
			size += 2 * field->size; // every quote doubled
		}
		else if ( field->type == DS_FIELD_SPAN )
		{
			size += strlen( channel->name ) + strlen( channel->columns[i].name );
		}
		else if ( field->type == DS_FIELD_ENUM || field->type == DS_FIELD_VARIANT )
		{
			size_t longest = 0;
			for ( int32_t k = 0; k < field->choice_count; k++ )
			{
				size_t length = strlen( field->choices[k].name );
				longest = length > longest ? length : longest;
			}
			size += longest;
		}
		size += strlen( channel->columns[i].name ) + strlen( channel->columns[i].unit ) + 2; // of the header
	}
	return size;
}

static ds_status set_channel( ds_csv_log *log, ds_csv_channel *channel, const ds_log_channel *source )
{
	channel->file.descriptor = -1;
	DS_TRY( ds_csv_check_name( source->name ) );
	char *text = NULL;
	DS_TRY( ds_arena_copy_string( &log->arena, source->name, &text ) );
	channel->name = text;
	DS_TRY( ds_arena_copy_string( &log->arena, source->type ? source->type : "", &text ) );
	channel->type = text;
	if ( source->body )
	{
		DS_TRY( ds_arena_copy_string( &log->arena, source->body, &text ) );
		channel->body = text;
		channel->mount = source->mount;
	}
	channel->table = source->table;
	channel->size = source->size;
	if ( channel->table == NULL )
	{
		return DS_OK;
	}
	int32_t count = ds_columns( channel->table, NULL, 0 );
	void *columns = NULL;
	DS_TRY( ds_arena_new( &log->arena, (size_t)count * sizeof( ds_column ), &columns ) );
	channel->columns = columns;
	channel->column_count = ds_columns( channel->table, channel->columns, count );
	for ( int32_t i = 0; i < channel->column_count; i++ )
	{
		channel->span_count += channel->columns[i].field->type == DS_FIELD_SPAN;
	}
	return DS_OK;
}

static ds_status set_channels( ds_csv_log *log, const ds_log_info *info )
{
	void *channels = NULL;
	DS_TRY( ds_arena_new( &log->arena, (size_t)info->channel_count * sizeof( ds_csv_channel ), &channels ) );
	log->channels = channels;
	log->channel_count = 0;
	for ( int32_t i = 0; i < info->channel_count; i++ )
	{
		DS_TRY( set_channel( log, &log->channels[i], &info->channels[i] ) );
		log->channel_count = i + 1;
		for ( int32_t k = 0; k < i; k++ )
		{
			if ( strcmp( log->channels[k].name, log->channels[i].name ) == 0 )
			{
				return ds_error( DS_ERROR_DUPLICATE, "log: two channels are called \"%s\"", log->channels[i].name );
			}
		}
	}
	return DS_OK;
}

static ds_status write_header( ds_csv_channel *channel )
{
	char *line = NULL;
	DS_TRY( ds_log_file_begin( &channel->file, &line ) );
	size_t room = channel->file.line_size;
	int length = snprintf( line, room, "t[s]" );
	for ( int32_t i = 0; i < channel->column_count; i++ )
	{
		const ds_column *column = &channel->columns[i];
		const char *format = column->unit[0] != '\0' ? ",%s[%s]" : ",%s";
		length += snprintf( line + length, room - (size_t)length, format, column->name, column->unit );
	}
	line[length++] = '\n';
	ds_log_file_end( &channel->file, (size_t)length );
	return DS_OK;
}

static ds_status open_channel( ds_csv_log *log, ds_csv_channel *channel )
{
	DS_TRY( ds_csv_path( log->path, sizeof( log->path ), log->directory, channel->name, ".csv" ) );
	DS_TRY( ds_log_folder_of( log->path ) );
	DS_TRY( ds_log_file_open( &channel->file, &log->hooks.allocator, log->path, row_size( channel ) ) );
	DS_TRY( write_header( channel ) );
	DS_TRY( ds_log_file_flush( &channel->file ) );
	if ( channel->span_count > 0 )
	{
		DS_TRY( ds_csv_path( log->path, sizeof( log->path ), log->directory, channel->name, "" ) );
		DS_TRY( ds_log_folder( log->path ) );
	}
	return DS_OK;
}

static ds_status close_channels( ds_csv_log *log )
{
	ds_status status = DS_OK;
	char message[2048] = "";
	for ( int32_t i = 0; i < log->channel_count; i++ )
	{
		ds_status closed = ds_log_file_close( &log->channels[i].file );
		if ( closed != DS_OK && status == DS_OK )
		{
			status = closed;
			(void)ds_copy_string( message, sizeof( message ), ds_last_error() );
		}
	}
	return status == DS_OK ? DS_OK : ds_error( status, "%s", message );
}

static int64_t steady_seconds( void )
{
	struct timespec now = { 0, 0 };
	(void)clock_gettime( CLOCK_MONOTONIC, &now );
	return (int64_t)now.tv_sec;
}

// Names of the numbers that images of instances hold.
static ds_status name_instances( ds_csv_log *log, const ds_world *world )
{
	bool wanted = false;
	for ( int32_t i = 0; i < log->channel_count; i++ )
	{
		for ( int32_t k = 0; k < log->channels[i].column_count; k++ )
		{
			const ds_field *field = log->channels[i].columns[k].field;
			wanted = wanted || ( ( field->flags & DS_FIELD_IMAGE ) && field->element == DS_ELEMENT_I32 );
		}
	}
	if ( !wanted || world == NULL )
	{
		return DS_OK;
	}
	const int32_t count = 2 + ds_world_count( world, DS_BODY ); // water, seabed, bodies
	void *names;
	DS_TRY( ds_arena_new( &log->arena, (size_t)count * sizeof( char * ), &names ) );
	log->instances = names;
	for ( int32_t i = 0; i < count; i++ )
	{
		const char *name = ds_instance_name( world, i );
		char *copy = NULL;
		if ( name )
		{
			DS_TRY( ds_arena_copy_string( &log->arena, name, &copy ) );
		}
		log->instances[i] = copy;
	}
	log->instance_count = count;
	return DS_OK;
}

static ds_status open_all( ds_csv_log *log, const ds_log_info *info )
{
	DS_TRY( ds_log_folder( log->directory ) );
	DS_TRY( ds_log_folder_lock( log->directory, &log->lock ) );
	DS_TRY( ds_csv_remove_earlier( log->directory, &log->hooks ) );
	log->folder_is_ours = true;
	DS_TRY( set_channels( log, info ) );
	DS_TRY( name_instances( log, info->world ) );

	// before the first row, so that a run that is killed leaves a word of what it was
	DS_TRY( ds_csv_write_run( log, NULL ) );
	for ( int32_t i = 0; i < log->channel_count; i++ )
	{
		DS_TRY( open_channel( log, &log->channels[i] ) );
	}
	return DS_OK;
}

static ds_status csv_open( void *user, const ds_log_info *info )
{
	ds_csv_log *log = user;
	if ( log->open )
	{
		return ds_error( DS_ERROR_STATE, "log: %s is open already", log->directory );
	}
	if ( info->scenario && log->scenario == NULL )
	{
		log->scenario = ds_scenario_retain( (ds_scenario *)info->scenario );
	}
	log->seed = info->seed;
	log->rate = info->rate;
	log->flushed = steady_seconds();
	ds_status status = open_all( log, info );
	log->open = status == DS_OK;
	if ( status != DS_OK )
	{
		char message[2048];
		(void)ds_copy_string( message, sizeof( message ), ds_last_error() );
		(void)close_channels( log );
		ds_log_end end = { status, message, 0, 0 };
		if ( log->folder_is_ours )
		{
			(void)ds_csv_write_run( log, &end );
		}
		ds_log_folder_unlock( &log->lock );
		return ds_error( status, "%s", message );
	}
	return DS_OK;
}

// ---- write -------------------------------------------------------------------------------------------------------

static ds_status write_row(
	ds_csv_log *log, ds_csv_channel *channel, const ds_sample_header *header, const void *data, char *line )
{
	size_t room = channel->file.line_size;
	int used = snprintf( line, room, "%" PRId64 ".%09" PRId64, header->time / 1000000000, header->time % 1000000000 );
	for ( int32_t i = 0; i < channel->column_count; i++ )
	{
		const ds_column *column = &channel->columns[i];
		line[used++] = ',';
		int length = 0;
		if ( column->field->type == DS_FIELD_SPAN )
		{
			DS_TRY( ds_csv_write_span(
				log, channel, column, header->sequence, data, line + used, room - (size_t)used, &length ) );
		}
		else
		{
			length = ds_column_print( column, data, line + used, room - (size_t)used );
		}
		used += length;
		if ( length < 0 || (size_t)used + 2 > room )
		{
			return ds_error( DS_ERROR_INTERNAL, "log: %s: a row is longer than was reckoned", channel->name );
		}
	}
	line[used++] = '\n';
	ds_log_file_end( &channel->file, (size_t)used );
	channel->samples++;
	return DS_OK;
}

// Now and then all buffers are written, so that a run that is killed loses little.
static ds_status flush_sometimes( ds_csv_log *log )
{
	int64_t now = steady_seconds();
	if ( now - log->flushed < FLUSH_INTERVAL )
	{
		return DS_OK;
	}
	log->flushed = now;
	for ( int32_t i = 0; i < log->channel_count; i++ )
	{
		DS_TRY( ds_log_file_flush( &log->channels[i].file ) );
	}
	return DS_OK;
}

static ds_status csv_write( void *user, int32_t index, const ds_sample_header *header, const void *data )
{
	ds_csv_log *log = user;
	if ( !log->open || index < 0 || index >= log->channel_count )
	{
		return ds_error( DS_ERROR_ARGUMENT, "log: %s: channel %d of %d cannot be written", log->directory, (int)index,
			log->open ? (int)log->channel_count : 0 );
	}
	ds_csv_channel *channel = &log->channels[index];
	char *line = NULL;
	DS_TRY( ds_log_file_begin( &channel->file, &line ) );
	DS_TRY( write_row( log, channel, header, data, line ) );
	return flush_sometimes( log );
}

// ---- close -------------------------------------------------------------------------------------------------------

static ds_status csv_close( void *user, const ds_log_end *end )
{
	ds_csv_log *log = user;
	if ( !log->open )
	{
		return DS_OK;
	}
	log->open = false;

	// a log that could not be written is not a good run, and run.json says so where it still can
	ds_status status = close_channels( log );
	char message[2048] = "";
	ds_log_end worst = *end;
	if ( status != DS_OK )
	{
		(void)ds_copy_string( message, sizeof( message ), ds_last_error() );
		if ( end->status == DS_OK )
		{
			worst.status = status;
			worst.error = message;
		}
	}
	ds_status written = ds_csv_write_run( log, &worst );
	ds_log_folder_unlock( &log->lock );
	return status == DS_OK ? written : ds_error( status, "%s", message );
}

static void csv_destroy( void *user )
{
	ds_csv_log *log = user;
	(void)close_channels( log );
	ds_log_folder_unlock( &log->lock );
	ds_scenario_release( log->scenario );
	ds_arena_free( &log->arena );
	ds_allocator allocator = log->hooks.allocator;
	DS_FREE( &allocator, log->directory, log->directory_size );
	DS_FREE( &allocator, log, 1 );
}

ds_status ds_log_csv( const char *directory, const ds_hooks *hooks, ds_log_sink *sink )
{
	if ( directory == NULL || directory[0] == '\0' || sink == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_log_csv: needs the name of a folder and a sink to fill" );
	}
	const ds_allocator *allocator = hooks ? &hooks->allocator : NULL;
	ds_csv_log *log = NULL;
	DS_TRY( DS_NEW( allocator, 1, &log ) );
	if ( hooks )
	{
		log->hooks = *hooks;
	}
	ds_arena_init( &log->arena, allocator );
	log->lock = -1;
	log->directory_size = strlen( directory ) + 1;
	ds_status status = DS_NEW( allocator, log->directory_size, &log->directory );
	if ( status != DS_OK )
	{
		csv_destroy( log );
		return status;
	}
	memcpy( log->directory, directory, log->directory_size );

	// "logs/" is the folder "logs"; "/" stays
	for ( size_t n = strlen( log->directory ); n > 1 && log->directory[n - 1] == '/'; n-- )
	{
		log->directory[n - 1] = '\0';
	}
	ds_log_sink made = { log, csv_open, csv_write, csv_close, csv_destroy };
	*sink = made;
	return DS_OK;
}
