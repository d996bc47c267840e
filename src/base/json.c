// The tree: made from cJSON's and the scan's lines, then read, changed and named in messages.

#include "base/json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SHOWN 1000 // characters of a path in a message, so that what follows it is not cut

// ---- building ----------------------------------------------------------------------------------------------------

typedef struct builder
{
	ds_arena *arena;
	const char *file;
	const int32_t *lines;
	size_t count, at;
} builder;

static int compare_keys( const void *a, const void *b )
{
	const ds_json *const *x = a, *const *y = b;
	int order = strcmp( ( *x )->key, ( *y )->key );
	return order ? order : ( ( *x )->line > ( *y )->line ) - ( ( *x )->line < ( *y )->line );
}

// Few keys are compared each with each, many are sorted first.
static ds_status check_duplicates( const builder *b, const ds_json *object )
{
	if ( object->count <= 16 )
	{
		for ( const ds_json *p = object->first; p; p = p->next )
		{
			for ( const ds_json *q = object->first; q != p; q = q->next )
			{
				if ( strcmp( p->key, q->key ) == 0 )
				{
					return ds_json_error(
						DS_ERROR_DUPLICATE, p, "the key \"%s\" is given twice (first in line %d)", p->key, q->line );
				}
			}
		}
		return DS_OK;
	}
	const ds_json **sorted;
	DS_TRY( DS_NEW( &b->arena->allocator, object->count, &sorted ) );
	int64_t n = 0;
	for ( const ds_json *p = object->first; p; p = p->next )
	{
		sorted[n++] = p;
	}
	qsort( sorted, (size_t)n, sizeof( *sorted ), compare_keys );
	ds_status status = DS_OK;
	for ( int64_t i = 1; i < n && status == DS_OK; ++i )
	{
		if ( strcmp( sorted[i - 1]->key, sorted[i]->key ) == 0 )
		{
			status = ds_json_error( DS_ERROR_DUPLICATE, sorted[i], "the key \"%s\" is given twice (first in line %d)",
				sorted[i]->key, sorted[i - 1]->line );
		}
	}
	DS_FREE( &b->arena->allocator, sorted, object->count );
	return status;
}

static void append( ds_json *parent, ds_json *value )
{
	value->parent = parent;
	value->next = NULL;
	if ( parent->last )
	{
		parent->last->next = value;
	}
	else
	{
		parent->first = value;
	}
	parent->last = value;
	++parent->count;
}

// Converts `item` and all below it; recursion is bounded by the scan's depth limit.
static ds_status build( builder *b, const cJSON *item, ds_json *parent, ds_json **value )
{
	void *memory;
	DS_TRY( ds_arena_new( b->arena, sizeof( ds_json ), &memory ) );
	ds_json *node = memory;
	*value = node;
	node->file = b->file;
	if ( b->at >= b->count )
	{
		return ds_error(
			DS_ERROR_INTERNAL, "%s: the JSON scan and the parser disagree on the number of values", b->file );
	}
	node->line = b->lines[b->at++];
	if ( parent )
	{
		if ( item->string )
		{
			char *key;
			DS_TRY( ds_arena_copy_string( b->arena, item->string, &key ) );
			node->key = key;
		}
		append( parent, node );
	}
	switch ( item->type & 0xFF )
	{
		case cJSON_False:
		case cJSON_True:
			node->type = DS_JSON_BOOL;
			node->number = ( item->type & 0xFF ) == cJSON_True;
			return DS_OK;
		case cJSON_NULL:
			node->type = DS_JSON_NULL;
			return DS_OK;
		case cJSON_Number:
			node->type = DS_JSON_NUMBER;
			node->number = item->valuedouble;
			return isfinite( node->number ) ? DS_OK
											: ds_json_error( DS_ERROR_NOT_FINITE, node,
												  "the number is too large for a double (at most about 1.8e308)" );
		case cJSON_String:
		{
			char *string;
			node->type = DS_JSON_STRING;
			DS_TRY( ds_arena_copy_string( b->arena, item->valuestring, &string ) );
			node->string = string;
			return DS_OK;
		}
		default:
			node->type = ( item->type & 0xFF ) == cJSON_Array ? DS_JSON_ARRAY : DS_JSON_OBJECT;
			break;
	}
	for ( const cJSON *child = item->child; child; child = child->next )
	{
		ds_json *unused;
		DS_TRY( build( b, child, node, &unused ) );
	}
	return node->type == DS_JSON_OBJECT ? check_duplicates( b, node ) : DS_OK;
}

// cJSON keeps the place of its last error in a global variable: one thread at a time.
static cJSON *parse_tree( const char *text, size_t length )
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock( &lock );
	cJSON *tree = cJSON_ParseWithLength( text, length );
	pthread_mutex_unlock( &lock );
	return tree;
}

ds_status ds_json_parse(
	ds_arena *arena, const char *file, int32_t line, const char *text, size_t length, ds_json **root )
{
	*root = NULL;
	char *name;
	DS_TRY( ds_arena_copy_string( arena, file, &name ) );
	builder b = { arena, name, NULL, 0, 0 };
	int32_t *lines;
	size_t capacity;
	DS_TRY( ds_json_scan( &arena->allocator, name, line, text, length, &lines, &capacity, &b.count ) );
	b.lines = lines;
	cJSON *tree = parse_tree( text, length );
	ds_json *value = NULL;
	ds_status status = tree ? build( &b, tree, NULL, &value )
							: ds_error( DS_ERROR_MEMORY, "%s: out of memory while parsing JSON", file );
	cJSON_Delete( tree );
	DS_FREE( &arena->allocator, lines, capacity );
	*root = status == DS_OK ? value : NULL;
	return status;
}

static ds_status cannot_open( const char *path, const char *reason )
{
	return ds_error( DS_ERROR_IO, "%.*s: cannot open the file: %s", PATH_SHOWN, path, reason );
}

// Files and pipes. A pipe that nobody writes to is empty, where opening it would wait for a writer without end; what else has
// a path (folders, devices) is refused.
static ds_status open_file( const char *path, FILE **file )
{
	int descriptor = open( path, O_RDONLY | O_NONBLOCK | O_CLOEXEC );
	if ( descriptor < 0 )
	{
		return cannot_open( path, strerror( errno ) );
	}
	struct stat info;
	const char *reason = NULL;
	if ( fstat( descriptor, &info ) != 0 || !( S_ISREG( info.st_mode ) || S_ISFIFO( info.st_mode ) ) )
	{
		reason = "it is a folder or a device, expected a text file";
	}
	else if ( fcntl( descriptor, F_SETFL, 0 ) != 0 || ( *file = fdopen( descriptor, "rb" ) ) == NULL )
	{
		reason = strerror( errno );
	}
	if ( reason )
	{
		(void)close( descriptor );
		return cannot_open( path, reason );
	}
	return DS_OK;
}

ds_status ds_json_load( ds_arena *arena, const char *path, ds_json **root )
{
	*root = NULL;
	FILE *file;
	DS_TRY( open_file( path, &file ) );
	ds_text text;
	ds_text_init( &text, &arena->allocator );
	char block[16384];
	size_t got;
	while ( ( got = fread( block, 1, sizeof( block ), file ) ) > 0 && text.status == DS_OK &&
			text.length <= DS_JSON_MAX_BYTES )
	{
		ds_text_add( &text, block, got );
	}
	ds_status status = text.status;
	if ( status == DS_OK && ferror( file ) )
	{
		status = ds_error( DS_ERROR_IO, "%.*s: cannot be read to its end", PATH_SHOWN, path );
	}
	fclose( file );
	if ( status == DS_OK )
	{
		status = ds_json_parse( arena, path, 1, ds_text_get( &text ), text.length, root );
	}
	ds_text_clear( &text );
	return status;
}

// ---- reading and changing ----------------------------------------------------------------------------------------

ds_json *ds_json_find( const ds_json *object, const char *key )
{
	if ( object == NULL || object->type != DS_JSON_OBJECT )
	{
		return NULL;
	}
	for ( ds_json *p = object->first; p; p = p->next )
	{
		if ( strcmp( p->key, key ) == 0 )
		{
			return p;
		}
	}
	return NULL;
}

ds_json *ds_json_at( const ds_json *parent, int64_t index )
{
	ds_json *p = parent ? parent->first : NULL;
	for ( int64_t i = 0; p && i < index; ++i )
	{
		p = p->next;
	}
	return index < 0 ? NULL : p;
}

ds_status ds_json_new( ds_arena *arena, ds_json_type type, const ds_json *place, ds_json **value )
{
	void *memory;
	*value = NULL;
	DS_TRY( ds_arena_new( arena, sizeof( ds_json ), &memory ) );
	*value = memory;
	( *value )->type = type;
	if ( place )
	{
		( *value )->file = place->file;
		( *value )->line = place->line;
	}
	return DS_OK;
}

ds_status ds_json_copy( ds_arena *arena, const ds_json *value, ds_json **copy )
{
	ds_json *node;
	DS_TRY( ds_json_new( arena, value->type, value, &node ) );
	node->string = value->string;
	node->number = value->number;
	*copy = node;
	for ( const ds_json *p = value->first; p; p = p->next )
	{
		ds_json *child;
		DS_TRY( ds_json_copy( arena, p, &child ) );
		child->key = p->key;
		append( node, child );
	}
	return DS_OK;
}

ds_status ds_json_add( ds_arena *arena, ds_json *parent, const char *key, ds_json *value )
{
	char *copy = NULL;
	if ( key )
	{
		DS_TRY( ds_arena_copy_string( arena, key, &copy ) );
	}
	value->key = copy;
	append( parent, value );
	return DS_OK;
}

// The pointer that leads to `value` from its elder sibling or its parent.
static ds_json **link_to( ds_json *value, ds_json **before )
{
	*before = NULL;
	ds_json **link = &value->parent->first;
	while ( *link != value )
	{
		*before = *link;
		link = &( *link )->next;
	}
	return link;
}

void ds_json_replace( ds_json *old, ds_json *fresh )
{
	ds_json *before;
	fresh->key = old->key;
	fresh->parent = old->parent;
	fresh->next = old->next;
	*link_to( old, &before ) = fresh;
	if ( old->parent->last == old )
	{
		old->parent->last = fresh;
	}
	old->parent = old->next = NULL;
}

void ds_json_remove( ds_json *value )
{
	ds_json *before, *parent = value->parent;
	*link_to( value, &before ) = value->next;
	if ( parent->last == value )
	{
		parent->last = before;
	}
	--parent->count;
	value->parent = value->next = NULL;
}

// ---- messages ----------------------------------------------------------------------------------------------------

// Keys and strings of a file may hold control characters; a message is one line.
static void one_line( char *text )
{
	for ( char *p = text; *p; ++p )
	{
		*p = (unsigned char)*p < 0x20 ? '?' : *p;
	}
}

static int64_t index_of( const ds_json *value )
{
	int64_t index = 0;
	for ( const ds_json *p = value->parent->first; p != value; p = p->next )
	{
		++index;
	}
	return index;
}

void ds_json_path( const ds_json *value, char *buffer, size_t size )
{
	// built from the end, so that what is cut is the front
	char path[1024];
	size_t at = sizeof( path ) - 1;
	path[at] = 0;
	bool cut = false;
	for ( ; value->parent && !cut; value = value->parent )
	{
		char step[DS_JSON_MAX_KEY + 32];
		if ( value->key )
		{
			snprintf( step, sizeof( step ), "%s%s", value->parent->parent ? "." : "", value->key );
		}
		else
		{
			snprintf( step, sizeof( step ), "[%lld]", (long long)index_of( value ) );
		}
		size_t length = strlen( step );
		cut = length + 4 > at || length + ( sizeof( path ) - at ) + 4 > size;
		const char *piece = cut ? "..." : step;
		length = strlen( piece );
		at -= length;
		memcpy( path + at, piece, length );
	}
	one_line( path + at );
	ds_copy_string( buffer, size, path + at );
}

void ds_json_describe( const ds_json *value, char *buffer, size_t size )
{
	switch ( value->type )
	{
		case DS_JSON_NULL:
			ds_copy_string( buffer, size, "null" );
			break;
		case DS_JSON_BOOL:
			ds_copy_string( buffer, size, value->number != 0 ? "true" : "false" );
			break;
		case DS_JSON_NUMBER:
			ds_print_number( buffer, size, value->number );
			break;
		case DS_JSON_STRING:
		{
			// whole UTF-8 sequences only, and one line
			size_t length = strlen( value->string ), shown = length < 60 ? length : 57;
			while ( shown < length && ( (unsigned char)value->string[shown] & 0xC0u ) == 0x80u )
			{
				--shown;
			}
			snprintf( buffer, size, "\"%.*s%s\"", (int)shown, value->string, shown < length ? "..." : "" );
			one_line( buffer );
			break;
		}
		case DS_JSON_ARRAY:
			snprintf( buffer, size, "an array of %lld", (long long)value->count );
			break;
		case DS_JSON_OBJECT:
			ds_copy_string( buffer, size, "an object" );
			break;
	}
}

ds_status ds_json_prefix( ds_status status, const ds_json *value )
{
	char path[512];
	ds_json_path( value, path, sizeof( path ) );
	char line[16] = "";
	if ( value->line > 0 )
	{
		snprintf( line, sizeof( line ), ":%d", value->line );
	}
	return ds_error_prefix( status, "%s%s: %s%s", value->file ? value->file : "json", line, path, path[0] ? ": " : "" );
}

ds_status ds_json_error( ds_status status, const ds_json *value, const char *format, ... )
{
	char message[1024];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( message, sizeof( message ), format, arguments );
	va_end( arguments );
	one_line( message );
	ds_error( status, "%s", message );
	return ds_json_prefix( status, value );
}
