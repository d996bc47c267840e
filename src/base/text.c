#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ds_text_init( ds_text *text, const ds_allocator *allocator )
{
	memset( text, 0, sizeof( *text ) );
	if ( allocator )
	{
		text->allocator = *allocator;
	}
}

void ds_text_clear( ds_text *text )
{
	ds_memory_free( &text->allocator, text->data, text->capacity, 1 );
	text->data = NULL;
	text->length = text->capacity = 0;
	text->status = DS_OK;
}

// Makes room for `extra` bytes and the NUL.
static bool reserve( ds_text *text, size_t extra )
{
	if ( text->status != DS_OK )
	{
		return false;
	}
	if ( extra >= SIZE_MAX / 4 - text->length )
	{
		text->status = ds_error( DS_ERROR_MEMORY, "out of memory: a text of %zu bytes is too long", extra );
		return false;
	}
	size_t needed = text->length + extra + 1;
	if ( needed <= text->capacity )
	{
		return true;
	}
	size_t capacity = text->capacity ? text->capacity : 256;
	while ( capacity < needed )
	{
		capacity *= 2;
	}
	void *fresh;
	text->status = ds_memory_new( &text->allocator, capacity, 1, &fresh );
	if ( text->status != DS_OK )
	{
		return false;
	}
	if ( text->data )
	{
		memcpy( fresh, text->data, text->length + 1 );
		ds_memory_free( &text->allocator, text->data, text->capacity, 1 );
	}
	text->data = fresh;
	text->capacity = capacity;
	return true;
}

void ds_text_add( ds_text *text, const char *bytes, size_t length )
{
	if ( reserve( text, length ) )
	{
		memcpy( text->data + text->length, bytes, length );
		text->length += length;
		text->data[text->length] = 0;
	}
}

void ds_text_string( ds_text *text, const char *string )
{
	ds_text_add( text, string, strlen( string ) );
}

void ds_text_format( ds_text *text, const char *format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	int length = vsnprintf( NULL, 0, format, arguments );
	va_end( arguments );
	if ( length < 0 || !reserve( text, (size_t)length ) )
	{
		return;
	}
	va_start( arguments, format );
	vsnprintf( text->data + text->length, (size_t)length + 1, format, arguments );
	va_end( arguments );
	text->length += (size_t)length;
}

void ds_text_pad( ds_text *text, size_t line_start, size_t column )
{
	size_t width = 0;
	for ( size_t i = line_start; i < text->length; ++i )
	{
		width += ( (unsigned char)text->data[i] & 0xC0u ) != 0x80u;
	}
	for ( ; width < column; ++width )
	{
		ds_text_add( text, " ", 1 );
	}
}

const char *ds_text_get( const ds_text *text )
{
	return text->data ? text->data : "";
}

// The decimal point of a locale may be a comma.
static void force_point( char *buffer )
{
	char *comma = strchr( buffer, ',' );
	if ( comma )
	{
		*comma = '.';
	}
}

void ds_print_number( char *buffer, size_t size, double number )
{
	snprintf( buffer, size, "%.15g", number );
	if ( strtod( buffer, NULL ) != number )
	{
		snprintf( buffer, size, "%.17g", number );
	}
	force_point( buffer );
}

void ds_print_number_17( char *buffer, size_t size, double number )
{
	snprintf( buffer, size, "%.17g", number );
	force_point( buffer );
}
