// Signs of datasheets in plain letters.

#include "base/base.h"
#include "sensors/imu_units.h"

#include <stdio.h>
#include <string.h>

typedef struct sign
{
	uint32_t code; // Unicode
	const char *plain;
} sign;

static const sign signs[] = {
	{ 0x00A0, " " }, // no-break space
	{ 0x00B0, "deg" }, // degree sign
	{ 0x00B1, "\2" }, // plus-minus
	{ 0x00B5, "u" }, // micro sign
	{ 0x00B7, "*" }, // middle dot
	{ 0x00BA, "deg" }, // ordinal indicator, often in place of a degree sign
	{ 0x00BD, "0.5" }, // one half
	{ 0x00D7, "*" }, // multiplication sign
	{ 0x02DA, "deg" }, // ring above
	{ 0x03BC, "u" }, // Greek mu
	{ 0x03C3, "sigma" }, // Greek sigma
	{ 0x2009, " " }, // thin space
	{ 0x200B, "" }, // zero width space
	{ 0x2010, "-" }, // hyphen
	{ 0x2011, "-" }, // non-breaking hyphen
	{ 0x2012, "-" }, // figure dash
	{ 0x2013, "-" }, // en dash
	{ 0x2022, "*" }, // bullet
	{ 0x202F, " " }, // narrow no-break space
	{ 0x2032, "arcmin" }, // prime
	{ 0x2033, "arcsec" }, // double prime
	{ 0x2044, "/" }, // fraction slash
	{ 0x2103, "degC" }, // degree Celsius
	{ 0x2212, "-" }, // minus sign
	{ 0x2215, "/" }, // division slash
	{ 0x2217, "*" }, // asterisk operator
	{ 0x2219, "*" }, // bullet operator
	{ 0x221A, "\1" }, // square root
	{ 0x2248, "~" }, // almost equal to
	{ 0x2264, "<" }, // less than or equal to
	{ 0x2265, ">" }, // greater than or equal to
	{ 0x22C5, "*" }, // dot operator
};

// Digits and signs that stand high; 0: it is none.
static char superscript( uint32_t code )
{
	switch ( code )
	{
		case 0x00B9:
			return '1';
		case 0x00B2:
			return '2';
		case 0x00B3:
			return '3';
		case 0x207A:
			return '+';
		case 0x207B:
			return '-';
		default:
			return code == 0x2070 || ( code >= 0x2074 && code <= 0x2079 ) ? (char)( '0' + ( code - 0x2070 ) ) : 0;
	}
}

// The next character of UTF-8, and its length; length 0: it is not valid.
static uint32_t next_code( const unsigned char *p, size_t *length )
{
	size_t more = p[0] < 0x80 ? 0 : p[0] >= 0xC2 && p[0] < 0xE0 ? 1 : p[0] >= 0xE0 && p[0] < 0xF0 ? 2 : 3;
	uint32_t code = more == 0 ? p[0] : more == 1 ? p[0] & 0x1Fu : p[0] & 0x0Fu;
	*length = more + 1;
	for ( size_t i = 1; i <= more && more < 3; ++i )
	{
		if ( ( p[i] & 0xC0u ) != 0x80u )
		{
			*length = 0;
			return 0;
		}
		code = code << 6 | ( p[i] & 0x3Fu );
	}
	*length = more < 3 ? *length : 0;
	return code;
}

static const char *plain_of( uint32_t code )
{
	for ( size_t i = 0; i < sizeof( signs ) / sizeof( signs[0] ); ++i )
	{
		if ( signs[i].code == code )
		{
			return signs[i].plain;
		}
	}
	return NULL;
}

ds_status ds_imu_plain_text( const char *text, char *plain, size_t size )
{
	size_t n = 0, length;
	bool high = false;
	for ( const unsigned char *p = (const unsigned char *)text; *p; p += length )
	{
		uint32_t code = next_code( p, &length );
		char letter[3] = { 0 };
		char digit = length ? superscript( code ) : 0;
		const char *add = length ? plain_of( code ) : NULL;
		if ( digit )
		{
			letter[0] = high ? digit : '^';
			letter[1] = high ? '\0' : digit;
			add = letter;
		}
		else if ( length == 1 && ( ( code >= ' ' && code < 0x7F ) || code == '\t' ) )
		{
			letter[0] = code == '\t' ? ' ' : (char)code;
			add = letter;
		}
		if ( add == NULL )
		{
			return ds_error( DS_ERROR_FORMAT, "byte %zu of a quantity is no sign that a unit has",
				(size_t)( p - (const unsigned char *)text ) + 1 );
		}
		high = digit != 0;
		if ( n + strlen( add ) + 1 > size )
		{
			return ds_error( DS_ERROR_FORMAT, "a quantity must be shorter than %zu characters", size );
		}
		n += (size_t)snprintf( plain + n, size - n, "%s", add );
	}
	plain[n] = 0;
	return DS_OK;
}
