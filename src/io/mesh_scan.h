// Inside the mesh part: tokens and numbers of text files, the same in every locale. Nothing reads past `end`.

#ifndef DEEPSIM_SRC_MESH_SCAN_H
#define DEEPSIM_SRC_MESH_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ds_scan
{
	const char *at, *end;
	int64_t line; // of `at`, from 1
} ds_scan;

typedef struct ds_token
{
	const char *at;
	size_t size;
} ds_token;

ds_scan ds_scan_start( const uint8_t *bytes, int64_t size );

// The next run of characters that are not blank; false at the end of the text.
bool ds_scan_token( ds_scan *scan, ds_token *token );

// The same within the present line; false at its end.
bool ds_scan_line_token( ds_scan *scan, ds_token *token );

// The same in OBJ: a backslash at a line's end joins the next line to it, a # ends it. `continued`: the last token had such a backslash;
// false at the start of a line.
bool ds_scan_joined_token( ds_scan *scan, bool *continued, ds_token *token );

// Goes to the start of the next line.
void ds_scan_next_line( ds_scan *scan );

// Compares without regard to case.
bool ds_token_is( ds_token token, const char *word );

// A decimal number; "nan", "inf" and "infinity" are numbers too. False if the token is anything else.
bool ds_token_number( ds_token token, double *number );

// Is it a decimal number (without its value: much cheaper)? "nan" and "inf" are not.
bool ds_token_is_decimal( ds_token token );

// A decimal integer of at most 18 digits.
bool ds_token_integer( ds_token token, int64_t *number );

#endif
