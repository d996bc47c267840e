// Changing single values of a tree by their paths.

#include "io/scenario_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One step of a path: a key or name, or an index in brackets.
typedef struct step
{
	char name[DS_JSON_MAX_KEY + 1];
	int64_t index; // -1: a name
} step;

// Takes the next step off *path; false if it is malformed.
static bool next_step( const char **path, bool first, step *s )
{
	const char *p = *path;
	s->index = -1;
	if ( *p == '[' )
	{
		char *end;
		s->index = strtoll( p + 1, &end, 10 );
		snprintf( s->name, sizeof( s->name ), "[%lld]", (long long)s->index );
		*path = end + 1;
		return p[1] >= '0' && p[1] <= '9' && *end == ']';
	}
	if ( !first )
	{
		if ( *p != '.' )
		{
			return false;
		}
		++p;
	}
	size_t length = strcspn( p, ".[" );
	if ( length == 0 || length > DS_JSON_MAX_KEY )
	{
		return false;
	}
	memcpy( s->name, p, length );
	s->name[length] = 0;
	*path = p + length;
	return true;
}

static ds_json *find_named( const ds_json *array, const char *name )
{
	for ( ds_json *p = array->first; p; p = p->next )
	{
		const ds_json *member = ds_json_find( p, "name" );
		if ( member && member->type == DS_JSON_STRING && strcmp( member->string, name ) == 0 )
		{
			return p;
		}
	}
	return NULL;
}

// The error of an array's element that is not there.
static ds_status missing_element( const ds_json *at, const step *s, const ds_json *place )
{
	char path[256];
	ds_json_path( at, path, sizeof( path ) );
	if ( s->index >= 0 )
	{
		return ds_json_error( DS_ERROR_NOT_FOUND, place, "\"%s\" has %lld elements, so there is no [%lld]", path,
			(long long)at->count, (long long)s->index );
	}
	const char *names[256];
	size_t count = 0;
	for ( const ds_json *p = at->first; p && count < 256; p = p->next )
	{
		const ds_json *name = ds_json_find( p, "name" );
		if ( name && name->type == DS_JSON_STRING )
		{
			names[count++] = name->string;
		}
	}
	const char *nearest = ds_nearest_name( s->name, names, count );
	return ds_json_error( DS_ERROR_NOT_FOUND, place, "nothing in \"%s\" is named \"%s\"%s%s%s", path, s->name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "" );
}

// The child that a step leads to. *child is NULL where an object has no such member yet.
static ds_status descend( const ds_json *at, const step *s, const ds_json *place, ds_json **child )
{
	*child = NULL;
	if ( at->type == DS_JSON_ARRAY )
	{
		*child = s->index >= 0 ? ds_json_at( at, s->index ) : find_named( at, s->name );
		return *child ? DS_OK : missing_element( at, s, place );
	}
	char path[256], words[96];
	if ( at->type != DS_JSON_OBJECT || s->index >= 0 )
	{
		ds_json_path( at, path, sizeof( path ) );
		ds_json_describe( at, words, sizeof( words ) );
		return ds_json_error( DS_ERROR_TYPE, place, "\"%s\" is %s: there is no %s in it", path, words, s->name );
	}
	*child = ds_json_find( at, s->name );
	return DS_OK;
}

ds_status ds_tree_set( ds_arena *arena, ds_json *tree, const char *path, ds_json *value, const ds_json *place )
{
	ds_json *at = tree;
	const char *rest = path;
	for ( int depth = 0;; ++depth )
	{
		step s;
		if ( !next_step( &rest, depth == 0, &s ) || depth > DS_JSON_MAX_DEPTH / 2 )
		{
			return ds_json_error( DS_ERROR_FORMAT, place,
				"\"%.200s\" is not a path: names parted by dots, and [index], as in sensors.imu.rate or bodies[0].mass",
				path );
		}
		ds_json *child;
		DS_TRY( descend( at, &s, place, &child ) );
		if ( *rest == 0 )
		{
			if ( child )
			{
				ds_json_replace( child, value );
				return DS_OK;
			}
			return ds_json_add( arena, at, s.name, value );
		}
		if ( child == NULL )
		{
			DS_TRY( ds_json_new( arena, DS_JSON_OBJECT, place, &child ) );
			DS_TRY( ds_json_add( arena, at, s.name, child ) );
		}
		at = child;
	}
}

ds_status ds_tree_override( ds_arena *arena, ds_json *tree, const char *text )
{
	// messages call the override by itself, on one line
	ds_text label = { 0 };
	ds_text_format( &label, "--set %.*s", 200, text );
	char *file = NULL;
	ds_status status =
		label.status == DS_OK ? ds_arena_copy_string( arena, ds_text_get( &label ), &file ) : label.status;
	ds_text_clear( &label );
	DS_TRY( status );
	for ( char *p = file; *p; ++p )
	{
		*p = (unsigned char)*p < 0x20 ? '?' : *p;
	}

	ds_json *place, *value;
	DS_TRY( ds_json_new( arena, DS_JSON_STRING, NULL, &place ) );
	place->file = file;
	const char *equals = strchr( text, '=' );
	if ( equals == NULL || equals == text )
	{
		return ds_json_error( DS_ERROR_FORMAT, place, "an override is path=value, as in sensors.imu.rate=50" );
	}
	if ( !ds_utf8_valid( text ) )
	{
		return ds_json_error( DS_ERROR_FORMAT, place, "not valid UTF-8" );
	}
	status = ds_json_parse( arena, file, 0, equals + 1, strlen( equals + 1 ), &value );
	if ( status == DS_ERROR_MEMORY )
	{
		return status;
	}
	if ( status != DS_OK )
	{
		char *string;
		DS_TRY( ds_json_new( arena, DS_JSON_STRING, place, &value ) );
		DS_TRY( ds_arena_copy_string( arena, equals + 1, &string ) );
		value->string = string;
	}
	char *path;
	DS_TRY( ds_arena_copy_string( arena, text, &path ) );
	path[equals - text] = 0;
	return ds_tree_set( arena, tree, path, value, place );
}
