// Names and what refers to them.

#include "io/scenario_internal.h"

#include <stdlib.h>
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

typedef struct ds_sorted_name
{
	const char *name;
	int32_t index;
} ds_sorted_name;

// By name; equal ones in the order that they came in.
static int compare_names( const void *a, const void *b )
{
	const ds_sorted_name *x = a, *y = b;
	int by_name = strcmp( x->name, y->name );
	return by_name ? by_name : ( x->index > y->index ) - ( x->index < y->index );
}

ds_status ds_sort_names( ds_arena *arena, const char **names, int32_t count, ds_names *out, int32_t *twice )
{
	void *memory;
	DS_TRY( ds_new_array( arena, count, sizeof( ds_sorted_name ), &memory ) );
	ds_sorted_name *sorted = memory;
	for ( int32_t i = 0; i < count; ++i )
	{
		sorted[i] = ( ds_sorted_name ){ names[i], i };
	}
	qsort( sorted, (size_t)count, sizeof( *sorted ), compare_names );
	*out = ( ds_names ){ names, count, sorted };
	*twice = -1;
	for ( int32_t i = 1; i < count; ++i )
	{
		bool equal = strcmp( sorted[i].name, sorted[i - 1].name ) == 0;
		*twice = equal && ( *twice < 0 || sorted[i].index < *twice ) ? sorted[i].index : *twice;
	}
	return DS_OK;
}

int32_t ds_index_of( const ds_names *names, const char *name )
{
	// the first that is not before it
	int32_t low = 0, high = names->count;
	while ( low < high )
	{
		int32_t middle = low + ( high - low ) / 2;
		bool before = strcmp( names->sorted[middle].name, name ) < 0;
		low = before ? middle + 1 : low;
		high = before ? high : middle;
	}
	return low < names->count && strcmp( names->sorted[low].name, name ) == 0 ? names->sorted[low].index : -1;
}

ds_status ds_check_names(
	ds_arena *arena, const ds_json *array, const char *what, const char **names, int32_t count, ds_names *out )
{
	int32_t i = 0, twice;
	for ( const ds_json *node = array ? array->first : NULL; node && i < count; node = node->next, ++i )
	{
		if ( !ds_is_name( names[i] ) )
		{
			return ds_wrong_value(
				DS_ERROR_FORMAT, ds_json_find( node, "name" ), "a name: a letter, then letters, digits and _" );
		}
	}
	DS_TRY( ds_sort_names( arena, names, count, out, &twice ) );
	if ( twice < 0 )
	{
		return DS_OK;
	}
	const ds_json *name = ds_json_find( ds_json_at( array, twice ), "name" );
	const ds_json *first = ds_json_find( ds_json_at( array, ds_index_of( out, names[twice] ) ), "name" );
	return ds_json_error( DS_ERROR_DUPLICATE, name, "there are two %s named \"%s\" (the first in %s, line %d)", what,
		names[twice], first->file, first->line );
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

ds_status ds_find_name(
	const ds_json *object, const char *key, const char *what, const char *name, const ds_names *names, int32_t *index )
{
	*index = ds_index_of( names, name );
	return *index >= 0 ? DS_OK : ds_unknown_name( ds_json_find( object, key ), what, name, names->names, names->count );
}
