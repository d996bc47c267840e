#include "base/json.h"
#include "io/log_csv.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ds_status remove_file( const char *path )
{
	return unlink( path ) == 0 || errno == ENOENT ? DS_OK
												  : ds_log_file_error( path, "remove what an earlier run left", errno );
}

static bool ends( const char *name, const char *end )
{
	size_t length = strlen( name ), size = strlen( end );
	return length >= size && strcmp( name + length - size, end ) == 0;
}

// "12.bin", "12.color8.png", "12.depth.npy" (".part": of a run that was killed): what a span's file is called, and nothing else.
static bool is_span_file( const char *name )
{
	static const char *const kinds[] = { ".bin", ".png", ".npy", ".png.part", ".npy.part" };
	size_t digits = strspn( name, "0123456789" );
	for ( int i = 0; i < DS_COUNT( kinds ) && digits > 0; ++i )
	{
		if ( name[digits] == '.' && ends( name + digits, kinds[i] ) )
		{
			return true;
		}
	}
	return false;
}

// Removes the spans in a channel's folder, and the folder when nothing else is in it.
static ds_status remove_spans( const char *directory, const char *name )
{
	char folder[DS_CSV_PATH], path[DS_CSV_PATH];
	DS_TRY( ds_csv_path( folder, sizeof( folder ), directory, name, "" ) );
	DIR *entries = opendir( folder );
	if ( entries == NULL )
	{
		return DS_OK;
	}
	ds_status status = DS_OK;
	for ( struct dirent *entry = readdir( entries ); entry && status == DS_OK; entry = readdir( entries ) )
	{
		if ( is_span_file( entry->d_name ) )
		{
			status = ds_csv_path( path, sizeof( path ), folder, entry->d_name, "" );
			status = status == DS_OK ? remove_file( path ) : status;
		}
	}
	(void)closedir( entries );
	(void)rmdir( folder );
	return status;
}

static bool has_span( const ds_json *channel )
{
	const ds_json *fields = ds_json_find( channel, "fields" );
	for ( const ds_json *field = fields ? fields->first : NULL; field; field = field->next )
	{
		const ds_json *type = ds_json_find( field, "type" );
		if ( type && type->type == DS_JSON_STRING && strcmp( type->string, "span" ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static ds_status remove_channel( const char *directory, const ds_json *channel )
{
	// a name that this library would not write is left alone
	const ds_json *name = ds_json_find( channel, "name" );
	if ( name == NULL || name->type != DS_JSON_STRING || ds_csv_check_name( name->string ) != DS_OK )
	{
		return DS_OK;
	}
	char path[DS_CSV_PATH];
	DS_TRY( ds_csv_path( path, sizeof( path ), directory, name->string, ".csv" ) );
	DS_TRY( remove_file( path ) );
	return has_span( channel ) ? remove_spans( directory, name->string ) : DS_OK;
}

ds_status ds_csv_remove_earlier( const char *directory, const ds_hooks *hooks )
{
	char path[DS_CSV_PATH];
	DS_TRY( ds_csv_path( path, sizeof( path ), directory, "run.json", "" ) );
	struct stat info;
	if ( stat( path, &info ) != 0 || !S_ISREG( info.st_mode ) )
	{
		return DS_OK;
	}

	ds_arena arena;
	ds_arena_init( &arena, &hooks->allocator );
	ds_json *root = NULL;
	ds_status status = ds_json_load( &arena, path, &root );
	if ( status == DS_ERROR_MEMORY || status == DS_ERROR_IO )
	{
		ds_arena_free( &arena );
		return status;
	}
	if ( status != DS_OK || ds_json_find( root, DS_CSV_MARK ) == NULL )
	{
		ds_arena_free( &arena );
		return ds_error( DS_ERROR_IO,
			"%s: this is not the log of an earlier run, and would be overwritten; remove it or name another folder",
			path );
	}
	const ds_json *channels = ds_json_find( root, "channels" );
	for ( const ds_json *channel = channels ? channels->first : NULL; channel && status == DS_OK;
		  channel = channel->next )
	{
		status = remove_channel( directory, channel );
	}
	ds_arena_free( &arena );
	return status;
}
