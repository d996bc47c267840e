// Inside the library: text that grows, for JSON, tables and messages that are built piece by piece.

#ifndef DEEPSIM_SRC_TEXT_H
#define DEEPSIM_SRC_TEXT_H

#include "base/base.h"

// A growing NUL-terminated text. A zeroed struct is an empty one that uses the C library's allocator. The first failure is
// kept in `status`, and later additions do nothing, so that a writer checks once, at its end.
typedef struct ds_text
{
	ds_allocator allocator;
	char *data; // NULL while nothing was added
	size_t length, capacity;
	ds_status status;
} ds_text;

void ds_text_init( ds_text *text, const ds_allocator *allocator );
void ds_text_clear( ds_text *text );

void ds_text_add( ds_text *text, const char *bytes, size_t length );
void ds_text_string( ds_text *text, const char *string );
void ds_text_format( ds_text *text, const char *format, ... ) DS_PRINTF( 2, 3 );

// Adds spaces until the line that was begun at `line_start` is `column` characters long (UTF-8 sequences count once).
void ds_text_pad( ds_text *text, size_t line_start, size_t column );

// The text, never NULL.
const char *ds_text_get( const ds_text *text );

// Prints a number with a decimal point whatever the locale: in 15 digits if they give it back when read, else in 17; or
// always in 17. `size` of 32 is enough.
void ds_print_number( char *buffer, size_t size, double number );
void ds_print_number_17( char *buffer, size_t size, double number );

// Nine significant digits of a number as printf's %.9g would have them, with a decimal point in every language, or "nan", "inf",
// "-inf". At most 16 bytes, without a NUL; the number of bytes.
int ds_print_number_9( char *out, double number );

#endif
