#include "io/mesh_scan.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ds_scan ds_scan_start( const uint8_t *bytes, int64_t size )
{
	ds_scan scan = { (const char *)bytes, (const char *)bytes + size, 1 };
	return scan;
}

static bool is_blank( char c )
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

bool ds_scan_line_token( ds_scan *scan, ds_token *token )
{
	const char *p = scan->at;
	while ( p < scan->end && is_blank( *p ) )
	{
		++p;
	}
	token->at = p;
	while ( p < scan->end && !is_blank( *p ) && *p != '\n' )
	{
		++p;
	}
	token->size = (size_t)( p - token->at );
	scan->at = p;
	return token->size > 0;
}

void ds_scan_next_line( ds_scan *scan )
{
	const char *feed = memchr( scan->at, '\n', (size_t)( scan->end - scan->at ) );
	scan->at = feed ? feed + 1 : scan->end;
	scan->line += feed != NULL;
}

bool ds_scan_joined_token( ds_scan *scan, bool *continued, ds_token *token )
{
	for ( ;; )
	{
		if ( !ds_scan_line_token( scan, token ) )
		{
			if ( !*continued || scan->at == scan->end )
			{
				return false;
			}
			ds_scan_next_line( scan );
			*continued = false;
			continue;
		}
		if ( token->at[0] == '#' )
		{
			return false;
		}
		*continued = token->at[token->size - 1] == '\\';
		token->size -= *continued;
		if ( token->size > 0 )
		{
			return true;
		}
	}
}

bool ds_scan_token( ds_scan *scan, ds_token *token )
{
	while ( !ds_scan_line_token( scan, token ) )
	{
		if ( scan->at == scan->end )
		{
			return false;
		}
		ds_scan_next_line( scan );
	}
	return true;
}

static char lower( char c )
{
	return c >= 'A' && c <= 'Z' ? (char)( c - 'A' + 'a' ) : c;
}

bool ds_token_is( ds_token token, const char *word )
{
	for ( size_t i = 0; i < token.size; ++i )
	{
		// a token may hold any byte, NUL too, and may be longer than the word
		if ( word[i] == '\0' || lower( token.at[i] ) != lower( word[i] ) )
		{
			return false;
		}
	}
	return word[token.size] == '\0';
}

static bool is_digit( char c )
{
	return c >= '0' && c <= '9';
}

bool ds_token_integer( ds_token token, int64_t *number )
{
	size_t i = token.size > 0 && ( token.at[0] == '-' || token.at[0] == '+' );
	if ( i == token.size || token.size - i > 18 )
	{
		return false;
	}
	int64_t value = 0;
	for ( size_t k = i; k < token.size; ++k )
	{
		if ( !is_digit( token.at[k] ) )
		{
			return false;
		}
		value = value * 10 + ( token.at[k] - '0' );
	}
	*number = token.at[0] == '-' ? -value : value;
	return true;
}

// The library's strtod reads the point of the present locale.
static bool parse_slowly( ds_token token, double *number )
{
	char text[256];
	if ( token.size >= sizeof( text ) - 8 )
	{
		return false;
	}
	const char *point = localeconv()->decimal_point;
	size_t used = 0;
	for ( size_t i = 0; i < token.size; ++i )
	{
		if ( token.at[i] == '.' )
		{
			for ( size_t k = 0; point[k] && k < 7; ++k )
			{
				text[used++] = point[k];
			}
		}
		else
		{
			text[used++] = token.at[i];
		}
	}
	text[used] = '\0';
	char *end;
	*number = strtod( text, &end );
	return end == text + used;
}

static bool parse_word( ds_token token, bool negative, double *number )
{
	if ( ds_token_is( token, "nan" ) )
	{
		*number = NAN;
		return true;
	}
	if ( ds_token_is( token, "inf" ) || ds_token_is( token, "infinity" ) )
	{
		*number = negative ? -INFINITY : INFINITY;
		return true;
	}
	return false;
}

bool ds_token_is_decimal( ds_token token )
{
	const char *p = token.at, *end = token.at + token.size;
	p += p < end && ( *p == '-' || *p == '+' );
	const char *start = p;
	while ( p < end && is_digit( *p ) )
	{
		++p;
	}
	bool point = p < end && *p == '.';
	p += point;
	while ( p < end && is_digit( *p ) )
	{
		++p;
	}
	if ( p - start == point )
	{
		return false;
	}
	if ( p < end && ( *p == 'e' || *p == 'E' ) )
	{
		++p;
		p += p < end && ( *p == '-' || *p == '+' );
		start = p;
		while ( p < end && is_digit( *p ) )
		{
			++p;
		}
		return p == end && p > start && p - start <= 4;
	}
	return p == end;
}

bool ds_token_number( ds_token token, double *number )
{
	const char *p = token.at, *end = token.at + token.size;
	bool negative = p < end && *p == '-';
	p += p < end && ( *p == '-' || *p == '+' );

	// digits and point: the mantissa as an integer, while it fits
	uint64_t mantissa = 0;
	int digits = 0, significant = 0, exponent = 0;
	bool point = false;
	for ( ; p < end && ( is_digit( *p ) || ( *p == '.' && !point ) ); ++p )
	{
		if ( *p == '.' )
		{
			point = true;
			continue;
		}
		++digits;
		exponent -= point;
		significant += mantissa > 0 || *p != '0';
		if ( significant <= 18 )
		{
			mantissa = mantissa * 10 + (uint64_t)( *p - '0' );
		}
	}
	if ( digits == 0 )
	{
		ds_token rest = { p, (size_t)( end - p ) };
		return !point && parse_word( rest, negative, number );
	}

	// exponent
	if ( p < end && ( *p == 'e' || *p == 'E' ) )
	{
		++p;
		bool minus = p < end && *p == '-';
		p += p < end && ( *p == '-' || *p == '+' );
		int value = 0, count = 0;
		for ( ; p < end && is_digit( *p ); ++p, ++count )
		{
			value = value < 100000 ? value * 10 + ( *p - '0' ) : value;
		}
		if ( count == 0 )
		{
			return false;
		}
		exponent += minus ? -value : value;
	}
	if ( p != end )
	{
		return false;
	}

	// an integer below 2^53 times or by a power of ten up to 22 is rounded once, so it is exact (Clinger 1990)
	static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	if ( significant <= 18 && mantissa <= ( UINT64_C( 1 ) << 53 ) && exponent >= -22 && exponent <= 22 )
	{
		double value = (double)mantissa;
		value = exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
		*number = negative ? -value : value;
		return true;
	}
	return parse_slowly( token, number );
}
