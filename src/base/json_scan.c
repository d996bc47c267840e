// The strict scan: RFC 8259's grammar by recursive descent, recording lines; no values are made here.

#include "base/json.h"

#include <stdio.h>
#include <string.h>

typedef struct scanner
{
	const char *file;
	const unsigned char *at, *end;
	int32_t line; // 0: not counted
	int32_t depth;
	const ds_allocator *allocator;
	int32_t *lines;
	size_t capacity, count;
} scanner;

static ds_status scan_value( scanner *s );

// "file:line: ", or "file: " where lines are not counted.
#define FAIL( s, status, ... )                                                                                         \
	( ds_error( status, __VA_ARGS__ ), ( s )->line > 0                                                                 \
										   ? ds_error_prefix( status, "%s:%d: ", ( s )->file, ( s )->line )            \
										   : ds_error_prefix( status, "%s: ", ( s )->file ) )

// What stands at the scanner, for a message.
static const char *here( const scanner *s, char buffer[16] )
{
	if ( s->at >= s->end )
	{
		return "the end of the text";
	}
	unsigned c = *s->at;
	if ( c > 0x20 && c < 0x7F )
	{
		snprintf( buffer, 16, "'%c'", (int)c );
	}
	else
	{
		snprintf( buffer, 16, "byte 0x%02X", c );
	}
	return buffer;
}

static void skip_space( scanner *s )
{
	while ( s->at < s->end && ( *s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r' ) )
	{
		s->line += *s->at == '\n' && s->line > 0;
		++s->at;
	}
}

static ds_status record_line( scanner *s )
{
	if ( s->count >= DS_JSON_MAX_VALUES )
	{
		return FAIL( s, DS_ERROR_LIMIT, "more than %zu values", DS_JSON_MAX_VALUES );
	}
	if ( s->count == s->capacity )
	{
		size_t capacity = s->capacity ? 2 * s->capacity : 256;
		int32_t *fresh;
		DS_TRY( DS_NEW( s->allocator, capacity, &fresh ) );
		if ( s->lines )
		{
			memcpy( fresh, s->lines, s->count * sizeof( *fresh ) );
			DS_FREE( s->allocator, s->lines, s->capacity );
		}
		s->lines = fresh;
		s->capacity = capacity;
	}
	s->lines[s->count++] = s->line;
	return DS_OK;
}

// Length of the valid UTF-8 sequence at `p` (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF); 0 if invalid.
static int utf8_length( const unsigned char *p, const unsigned char *end )
{
	unsigned c = p[0];
	int length = c < 0x80                 ? 1
				 : c >= 0xC2 && c <= 0xDF ? 2
				 : c >= 0xE0 && c <= 0xEF ? 3
				 : c >= 0xF0 && c <= 0xF4 ? 4
										  : 0;
	if ( length == 0 || end - p < length )
	{
		return 0;
	}
	for ( int i = 1; i < length; ++i )
	{
		if ( ( p[i] & 0xC0u ) != 0x80u )
		{
			return 0;
		}
	}
	bool bad = ( c == 0xE0 && p[1] < 0xA0 ) || ( c == 0xED && p[1] > 0x9F ) || ( c == 0xF0 && p[1] < 0x90 ) ||
			   ( c == 0xF4 && p[1] > 0x8F );
	return bad ? 0 : length;
}

bool ds_utf8_valid( const char *string )
{
	const unsigned char *p = (const unsigned char *)string, *end = p + strlen( string );
	while ( p < end )
	{
		int length = utf8_length( p, end );
		if ( length == 0 )
		{
			return false;
		}
		p += length;
	}
	return true;
}

// Four hexadecimal digits, or -1.
static int hex4( const unsigned char *p, const unsigned char *end )
{
	if ( end - p < 4 )
	{
		return -1;
	}
	int value = 0;
	for ( int i = 0; i < 4; ++i )
	{
		int c = p[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
					: c >= 'a' && c <= 'f' ? c - 'a' + 10
					: c >= 'A' && c <= 'F' ? c - 'A' + 10
										   : -1;
		if ( digit < 0 )
		{
			return -1;
		}
		value = value * 16 + digit;
	}
	return value;
}

// At the character after a backslash and 'u'.
static ds_status scan_unicode( scanner *s )
{
	int code = hex4( s->at, s->end );
	if ( code < 0 )
	{
		return FAIL( s, DS_ERROR_FORMAT, "expected 4 hexadecimal digits after \\u" );
	}
	if ( code == 0 )
	{
		return FAIL( s, DS_ERROR_FORMAT, "\\u0000 is not permitted in strings" );
	}
	s->at += 4;
	if ( code >= 0xDC00 && code <= 0xDFFF )
	{
		return FAIL(
			s, DS_ERROR_FORMAT, "\\u%04x is the second half of a surrogate pair without its first", (unsigned)code );
	}
	if ( code >= 0xD800 && code <= 0xDBFF )
	{
		int low = s->end - s->at >= 6 && s->at[0] == '\\' && s->at[1] == 'u' ? hex4( s->at + 2, s->end ) : -1;
		if ( low < 0xDC00 || low > 0xDFFF )
		{
			return FAIL( s, DS_ERROR_FORMAT, "\\u%04x is the first half of a surrogate pair without its second",
				(unsigned)code );
		}
		s->at += 6;
	}
	return DS_OK;
}

static ds_status scan_string( scanner *s, bool is_key )
{
	const unsigned char *start = ++s->at;
	while ( s->at < s->end && *s->at != '"' )
	{
		unsigned c = *s->at;
		if ( c < 0x20 )
		{
			return c == '\n'
					   ? FAIL( s, DS_ERROR_FORMAT, "a string is not closed on its line" )
					   : FAIL( s, DS_ERROR_FORMAT, "control character 0x%02X in a string: write it as \\u%04x", c, c );
		}
		if ( c != '\\' )
		{
			int length = utf8_length( s->at, s->end );
			if ( length == 0 )
			{
				return FAIL( s, DS_ERROR_FORMAT, "byte 0x%02X is not valid UTF-8", c );
			}
			s->at += length;
			continue;
		}
		++s->at;
		if ( s->at >= s->end )
		{
			break;
		}
		c = *s->at++;
		if ( c == 'u' )
		{
			DS_TRY( scan_unicode( s ) );
		}
		else if ( strchr( "\"\\/bfnrt", (int)c ) == NULL || c == 0 )
		{
			--s->at;
			char buffer[16];
			return FAIL( s, DS_ERROR_FORMAT, "unknown escape: %s after a backslash", here( s, buffer ) );
		}
	}
	if ( s->at >= s->end )
	{
		return FAIL( s, DS_ERROR_FORMAT, "the text ends inside a string" );
	}
	if ( is_key && s->at - start > DS_JSON_MAX_KEY )
	{
		return FAIL( s, DS_ERROR_LIMIT, "a key of more than %d bytes", DS_JSON_MAX_KEY );
	}
	++s->at;
	return DS_OK;
}

static bool is_digit( const scanner *s )
{
	return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static ds_status scan_digits( scanner *s, const char *where )
{
	char buffer[16];
	if ( !is_digit( s ) )
	{
		return FAIL( s, DS_ERROR_FORMAT, "a number needs a digit %s, got %s", where, here( s, buffer ) );
	}
	while ( is_digit( s ) )
	{
		++s->at;
	}
	return DS_OK;
}

static ds_status scan_number( scanner *s )
{
	const unsigned char *start = s->at;
	if ( *s->at == '-' )
	{
		++s->at;
	}
	if ( s->at < s->end && *s->at == '0' )
	{
		++s->at;
		if ( is_digit( s ) )
		{
			return FAIL( s, DS_ERROR_FORMAT, "a number must not begin with 0 before other digits" );
		}
	}
	else
	{
		DS_TRY( scan_digits( s, start < s->at ? "after '-'" : "first" ) );
	}
	if ( s->at < s->end && *s->at == '.' )
	{
		++s->at;
		DS_TRY( scan_digits( s, "after '.'" ) );
	}
	if ( s->at < s->end && ( *s->at == 'e' || *s->at == 'E' ) )
	{
		++s->at;
		if ( s->at < s->end && ( *s->at == '+' || *s->at == '-' ) )
		{
			++s->at;
		}
		DS_TRY( scan_digits( s, "in its exponent" ) );
	}
	if ( s->at - start > DS_JSON_MAX_DIGITS )
	{
		return FAIL( s, DS_ERROR_LIMIT, "a number of more than %d characters", DS_JSON_MAX_DIGITS );
	}
	return DS_OK;
}

static ds_status scan_word( scanner *s )
{
	static const char *const words[] = { "true", "false", "null" };
	const unsigned char *start = s->at;
	while ( s->at < s->end && ( ( *s->at | 0x20u ) - 'a' < 26u || is_digit( s ) || *s->at == '_' ) )
	{
		++s->at;
	}
	size_t length = (size_t)( s->at - start );
	for ( int i = 0; i < 3; ++i )
	{
		if ( strlen( words[i] ) == length && memcmp( words[i], start, length ) == 0 )
		{
			return DS_OK;
		}
	}
	if ( length == 0 )
	{
		char buffer[16];
		return FAIL( s, DS_ERROR_FORMAT, "expected a value, got %s", here( s, buffer ) );
	}
	int shown = length < 24 ? (int)length : 24;
	return FAIL( s, DS_ERROR_FORMAT,
		"expected a value, got the word %.*s (a string needs quotes; NaN and Infinity are not JSON)", shown,
		(const char *)start );
}

// An array or an object.
static ds_status scan_container( scanner *s )
{
	char buffer[16];
	bool object = *s->at == '{';
	unsigned char close = object ? '}' : ']';
	if ( ++s->depth > DS_JSON_MAX_DEPTH )
	{
		return FAIL( s, DS_ERROR_LIMIT, "more than %d levels of arrays and objects", DS_JSON_MAX_DEPTH );
	}
	++s->at;
	skip_space( s );
	if ( s->at < s->end && *s->at == close )
	{
		++s->at;
		--s->depth;
		return DS_OK;
	}
	for ( ;; )
	{
		if ( object )
		{
			if ( s->at >= s->end || *s->at != '"' )
			{
				return FAIL( s, DS_ERROR_FORMAT, "expected a key in quotes, got %s", here( s, buffer ) );
			}
			DS_TRY( scan_string( s, true ) );
			skip_space( s );
			if ( s->at >= s->end || *s->at != ':' )
			{
				return FAIL( s, DS_ERROR_FORMAT, "expected ':' after a key, got %s", here( s, buffer ) );
			}
			++s->at;
			skip_space( s );
		}
		DS_TRY( scan_value( s ) );
		skip_space( s );
		if ( s->at < s->end && *s->at == close )
		{
			++s->at;
			--s->depth;
			return DS_OK;
		}
		if ( s->at >= s->end || *s->at != ',' )
		{
			return FAIL( s, DS_ERROR_FORMAT, "expected ',' or '%c', got %s", close, here( s, buffer ) );
		}
		++s->at;
		skip_space( s );
		if ( s->at < s->end && *s->at == close )
		{
			return FAIL( s, DS_ERROR_FORMAT, "a comma before '%c'", close );
		}
	}
}

static ds_status scan_value( scanner *s )
{
	DS_TRY( record_line( s ) );
	unsigned c = s->at < s->end ? *s->at : 0;
	if ( c == '{' || c == '[' )
	{
		return scan_container( s );
	}
	if ( c == '"' )
	{
		return scan_string( s, false );
	}
	if ( c == '-' || ( c >= '0' && c <= '9' ) )
	{
		return scan_number( s );
	}
	return scan_word( s );
}

static ds_status scan_text( scanner *s )
{
	if ( s->end - s->at >= 3 && memcmp( s->at, "\xEF\xBB\xBF", 3 ) == 0 )
	{
		return FAIL( s, DS_ERROR_FORMAT, "the text begins with a byte-order mark: save it as UTF-8 without one" );
	}
	skip_space( s );
	if ( s->at == s->end )
	{
		return FAIL( s, DS_ERROR_FORMAT, "the text is empty" );
	}
	DS_TRY( scan_value( s ) );
	skip_space( s );
	if ( s->at < s->end )
	{
		char buffer[16];
		return FAIL( s, DS_ERROR_FORMAT, "text after the end of the JSON value: %s", here( s, buffer ) );
	}
	return DS_OK;
}

ds_status ds_json_scan( const ds_allocator *allocator, const char *file, int32_t line, const char *text, size_t length,
	int32_t **lines, size_t *capacity, size_t *count )
{
	scanner s = { file, (const unsigned char *)text, (const unsigned char *)text + length, line, 0, allocator, NULL, 0,
		0 };
	*lines = NULL;
	*capacity = *count = 0;
	if ( length > DS_JSON_MAX_BYTES )
	{
		return ds_error(
			DS_ERROR_LIMIT, "%s: JSON text of %zu bytes; at most %zu are read", file, length, DS_JSON_MAX_BYTES );
	}
	ds_status status = scan_text( &s );
	if ( status != DS_OK )
	{
		DS_FREE( allocator, s.lines, s.capacity );
		return status;
	}
	*lines = s.lines;
	*capacity = s.capacity;
	*count = s.count;
	return DS_OK;
}
