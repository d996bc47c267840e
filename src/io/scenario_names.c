// Names and what refers to them.

#include "io/scenario_internal.h"

#include <string.h>

ds_status ds_new_array( ds_arena *arena, int64_t count, size_t size, void **array )
{
	return ds_arena_new( arena, (size_t)( count > 0 ? count : 1 ) * size, array );
}

bool ds_is_name( const char *name )
{
	bool first = true;
	for ( const char *p = name; *p; ++p )
	{
		bool letter = ( *p | 0x20 ) >= 'a' && ( *p | 0x20 ) <= 'z';
		bool other = ( *p >= '0' && *p <= '9' ) || *p == '_';
		if ( !letter && ( first || ( !other && *p != '/' ) ) )
		{
			return false;
		}
		first = *p == '/';
	}
	return !first;
}

ds_status ds_check_names( const ds_json *array, const char *what, const char *const *names, int32_t count )
{
	for ( int32_t i = 0; i < count; ++i )
	{
		const ds_json *name = ds_json_find( ds_json_at( array, i ), "name" );
		if ( !ds_is_name( names[i] ) )
		{
			return ds_wrong_value( DS_ERROR_FORMAT, name, "a name: a letter, then letters, digits and _" );
		}
		for ( int32_t k = 0; k < i; ++k )
		{
			if ( strcmp( names[i], names[k] ) == 0 )
			{
				const ds_json *first = ds_json_find( ds_json_at( array, k ), "name" );
				return ds_json_error( DS_ERROR_DUPLICATE, name,
					"there are two %s named \"%s\" (the first in %s, line %d)", what, names[i], first->file,
					first->line );
			}
		}
	}
	return DS_OK;
}

ds_status ds_unknown_name(
	const ds_json *value, const char *what, const char *name, const char *const *names, int32_t count )
{
	const char *nearest = ds_nearest_name( name, names, (size_t)count );
	if ( nearest )
	{
		return ds_json_error(
			DS_ERROR_NOT_FOUND, value, "there is no %s \"%s\"; did you mean \"%s\"?", what, name, nearest );
	}
	ds_text text = { 0 };
	for ( int32_t i = 0; i < count && i < 20; ++i )
	{
		ds_text_format( &text, "%s\"%s\"", i ? ", " : "", names[i] );
	}
	ds_status status = ds_json_error( DS_ERROR_NOT_FOUND, value, "there is no %s \"%s\"; %s%s%s", what, name,
		count ? "there is " : "there is none at all", ds_text_get( &text ), count > 20 ? ", ..." : "" );
	ds_text_clear( &text );
	return status;
}

ds_status ds_find_name( const ds_json *object, const char *key, const char *what, const char *name,
	const char *const *names, int32_t count, int32_t *index )
{
	for ( int32_t i = 0; i < count; ++i )
	{
		if ( strcmp( names[i], name ) == 0 )
		{
			*index = i;
			return DS_OK;
		}
	}
	*index = -1;
	return ds_unknown_name( ds_json_find( object, key ), what, name, names, count );
}
