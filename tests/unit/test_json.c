// Strict JSON: each rule of RFC 8259 and of ours, with the exact message; lines; paths; changes to a tree.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ds_status parse_bytes( const char *text, size_t length, ds_arena *arena, ds_json **root )
{
	ds_arena_init( arena, NULL );
	// an exact copy, so that a sanitizer sees a read past the end
	char *copy = malloc( length + 1 );
	memcpy( copy, text, length );
	char *exact = realloc( copy, length ? length : 1 );
	ds_status status = ds_json_parse( arena, "a.json", 1, exact, length, root );
	free( exact );
	return status;
}

static void expect_error( const char *text, size_t length, ds_status status, const char *message )
{
	ds_arena arena;
	ds_json *root;
	assert_int_equal( parse_bytes( text, length, &arena, &root ), status );
	assert_null( root );
	assert_string_equal( ds_last_error(), message );
	ds_arena_free( &arena );
}

static void test_malformed( void **state )
{
	(void)state;
	static const struct
	{
		const char *text, *message;
	} cases[] = {
		{ "", "a.json:1: the text is empty" },
		{ " \n\t ", "a.json:2: the text is empty" },
		{ "\xEF\xBB\xBF{}", "a.json:1: the text begins with a byte-order mark: save it as UTF-8 without one" },
		{ "{} x", "a.json:1: text after the end of the JSON value: 'x'" },
		{ "1\n2", "a.json:2: text after the end of the JSON value: '2'" },
		{ "[1,]", "a.json:1: a comma before ']'" },
		{ "{\"a\":1,\n}", "a.json:2: a comma before '}'" },
		{ "[1 2]", "a.json:1: expected ',' or ']', got '2'" },
		{ "{\"a\" 1}", "a.json:1: expected ':' after a key, got '1'" },
		{ "{a:1}", "a.json:1: expected a key in quotes, got 'a'" },
		{ "{\"a\":}", "a.json:1: expected a value, got '}'" },
		{ "[", "a.json:1: expected a value, got the end of the text" },
		{ "{\"a\":1", "a.json:1: expected ',' or '}', got the end of the text" },
		{ "01", "a.json:1: a number must not begin with 0 before other digits" },
		{ "-", "a.json:1: a number needs a digit after '-', got the end of the text" },
		{ "-x", "a.json:1: a number needs a digit after '-', got 'x'" },
		{ "+1", "a.json:1: expected a value, got '+'" },
		{ ".5", "a.json:1: expected a value, got '.'" },
		{ "1.", "a.json:1: a number needs a digit after '.', got the end of the text" },
		{ "1.e3", "a.json:1: a number needs a digit after '.', got 'e'" },
		{ "1e", "a.json:1: a number needs a digit in its exponent, got the end of the text" },
		{ "1e+", "a.json:1: a number needs a digit in its exponent, got the end of the text" },
		{ "0x10", "a.json:1: text after the end of the JSON value: 'x'" },
		{ "NaN",
			"a.json:1: expected a value, got the word NaN (a string needs quotes; NaN and Infinity are not JSON)" },
		{ "-Infinity", "a.json:1: a number needs a digit after '-', got 'I'" },
		{ "True",
			"a.json:1: expected a value, got the word True (a string needs quotes; NaN and Infinity are not JSON)" },
		{ "nul",
			"a.json:1: expected a value, got the word nul (a string needs quotes; NaN and Infinity are not JSON)" },
		{ "'a'", "a.json:1: expected a value, got '''" },
		{ "[1, // one\n2]", "a.json:1: expected a value, got '/'" },
		{ "\"abc", "a.json:1: the text ends inside a string" },
		{ "\"abc\\", "a.json:1: the text ends inside a string" },
		{ "\"a\nb\"", "a.json:1: a string is not closed on its line" },
		{ "\"a\tb\"", "a.json:1: control character 0x09 in a string: write it as \\u0009" },
		{ "\"\\x41\"", "a.json:1: unknown escape: 'x' after a backslash" },
		{ "\"\\u12G4\"", "a.json:1: expected 4 hexadecimal digits after \\u" },
		{ "\"\\u12", "a.json:1: expected 4 hexadecimal digits after \\u" },
		{ "\"\\u0000\"", "a.json:1: \\u0000 is not permitted in strings" },
		{ "\"\\uD834\"", "a.json:1: \\ud834 is the first half of a surrogate pair without its second" },
		{ "\"\\uD834\\u0041\"", "a.json:1: \\ud834 is the first half of a surrogate pair without its second" },
		{ "\"\\uDD1E\"", "a.json:1: \\udd1e is the second half of a surrogate pair without its first" },
		{ "\"\x80\"", "a.json:1: byte 0x80 is not valid UTF-8" },
		{ "\"\xC0\xAF\"", "a.json:1: byte 0xC0 is not valid UTF-8" }, // overlong
		{ "\"\xE0\x80\xAF\"", "a.json:1: byte 0xE0 is not valid UTF-8" },
		{ "\"\xF0\x80\x80\x80\"", "a.json:1: byte 0xF0 is not valid UTF-8" },
		{ "\"\xED\xA0\x80\"", "a.json:1: byte 0xED is not valid UTF-8" }, // surrogate
		{ "\"\xF4\x90\x80\x80\"", "a.json:1: byte 0xF4 is not valid UTF-8" }, // above U+10FFFF
		{ "\"\xE2\x82\"", "a.json:1: byte 0xE2 is not valid UTF-8" }, // cut
		{ "[\xE2\x82\xAC]", "a.json:1: expected a value, got byte 0xE2" },
		{ "1234567890123456789012345678901234567890123456789012345678901",
			"a.json:1: a number of more than 60 characters" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_arena arena;
		ds_json *root;
		assert_int_not_equal( parse_bytes( cases[i].text, strlen( cases[i].text ), &arena, &root ), DS_OK );
		assert_null( root );
		assert_string_equal( ds_last_error(), cases[i].message );
		ds_arena_free( &arena );
	}
	// a NUL is a byte like others
	expect_error( "1\0", 2, DS_ERROR_FORMAT, "a.json:1: text after the end of the JSON value: byte 0x00" );
	expect_error( "\"\\\0\"", 4, DS_ERROR_FORMAT, "a.json:1: unknown escape: byte 0x00 after a backslash" );
	expect_error(
		"1e999", 5, DS_ERROR_NOT_FINITE, "a.json:1: the number is too large for a double (at most about 1.8e308)" );
	expect_error( "{\"a\":[0,\n-2e308]}", 17, DS_ERROR_NOT_FINITE,
		"a.json:2: a[1]: the number is too large for a double (at most about 1.8e308)" );
}

static void test_duplicate_keys( void **state )
{
	(void)state;
	const char *text = "{\n\"a\": 1,\n\"b\": {\"c\": 0,\n\"c\": 1}}";
	expect_error(
		text, strlen( text ), DS_ERROR_DUPLICATE, "a.json:4: b.c: the key \"c\" is given twice (first in line 3)" );

	// equal after escapes are resolved
	text = "{\"a\": 1, \"\\u0061\": 2}";
	expect_error(
		text, strlen( text ), DS_ERROR_DUPLICATE, "a.json:1: a: the key \"a\" is given twice (first in line 1)" );

	// many keys take the sorted path
	char many[4096] = "{";
	for ( int i = 0; i < 100; ++i )
	{
		snprintf( many + strlen( many ), 64, "\n\"k%d\": %d,", i, i );
	}
	strcat( many, "\n\"k7\": 1}" );
	expect_error(
		many, strlen( many ), DS_ERROR_DUPLICATE, "a.json:102: k7: the key \"k7\" is given twice (first in line 9)" );
}

static void test_limits( void **state )
{
	(void)state;
	char deep[200];
	memset( deep, '[', 65 );
	memset( deep + 65, ']', 65 );
	expect_error( deep, 130, DS_ERROR_LIMIT, "a.json:1: more than 64 levels of arrays and objects" );
	ds_arena arena;
	ds_json *root;
	assert_int_equal( parse_bytes( deep + 1, 128, &arena, &root ), DS_OK );
	ds_arena_free( &arena );

	char key[400] = "{\"";
	memset( key + 2, 'k', 257 );
	strcpy( key + 259, "\": 1}" );
	expect_error( key, strlen( key ), DS_ERROR_LIMIT, "a.json:1: a key of more than 256 bytes" );

	// size and number of values are refused before a tree is made
	size_t size = DS_JSON_MAX_BYTES + 1;
	char *big = malloc( size );
	memset( big, ' ', size );
	expect_error( big, size, DS_ERROR_LIMIT, "a.json: JSON text of 67108865 bytes; at most 67108864 are read" );
	size_t count = DS_JSON_MAX_VALUES;
	big[0] = '[';
	for ( size_t i = 0; i < count; ++i )
	{
		big[1 + 2 * i] = '0';
		big[2 + 2 * i] = ',';
	}
	big[2 * count] = ']';
	expect_error( big, 2 * count + 1, DS_ERROR_LIMIT, "a.json:1: more than 4000000 values" );
	free( big );
}

static void test_values_and_lines( void **state )
{
	(void)state;
	const char *text = "{\"n\": -12.5e-1,\n"
					   " \"s\": \"\\u00e9\\uD834\\uDD1E\\\"\\\\\\/\\b\\f\\n\\r\\t\xC3\xA9\",\r\n"
					   " \"list\": [true,\n"
					   "  false, null,\n"
					   "  {}, []],\n"
					   " \"o\":\n"
					   "   {\"x\": 9007199254740993}\n"
					   "}\n";
	ds_arena arena;
	ds_json *root;
	assert_int_equal( parse_bytes( text, strlen( text ), &arena, &root ), DS_OK );
	assert_int_equal( root->type, DS_JSON_OBJECT );
	assert_int_equal( root->count, 4 );
	assert_int_equal( root->line, 1 );
	const ds_json *n = ds_json_find( root, "n" );
	assert_true( n->type == DS_JSON_NUMBER && n->number == -1.25 && n->line == 1 );
	const ds_json *s = ds_json_find( root, "s" );
	assert_string_equal( s->string, "\xC3\xA9\xF0\x9D\x84\x9E\"\\/\b\f\n\r\t\xC3\xA9" );
	assert_int_equal( s->line, 2 );
	const ds_json *list = ds_json_find( root, "list" );
	static const int lines[] = { 3, 4, 4, 5, 5 };
	static const ds_json_type types[] = { DS_JSON_BOOL, DS_JSON_BOOL, DS_JSON_NULL, DS_JSON_OBJECT, DS_JSON_ARRAY };
	assert_int_equal( list->count, 5 );
	for ( int i = 0; i < 5; ++i )
	{
		assert_int_equal( ds_json_at( list, i )->line, lines[i] );
		assert_int_equal( ds_json_at( list, i )->type, types[i] );
		assert_null( ds_json_at( list, i )->key );
	}
	assert_null( ds_json_at( list, 5 ) );
	assert_null( ds_json_at( list, -1 ) );
	assert_null( ds_json_find( list, "x" ) );
	const ds_json *x = ds_json_find( ds_json_find( root, "o" ), "x" );
	assert_int_equal( x->line, 7 );
	char path[64];
	ds_json_path( x, path, sizeof( path ) );
	assert_string_equal( path, "o.x" );
	ds_json_path( ds_json_at( list, 3 ), path, sizeof( path ) );
	assert_string_equal( path, "list[3]" );
	ds_json_path( root, path, sizeof( path ) );
	assert_string_equal( path, "" );
	char tiny[8];
	ds_json_path( ds_json_at( list, 3 ), tiny, sizeof( tiny ) );
	assert_string_equal( tiny, "...[3]" );
	ds_json_error( DS_ERROR_RANGE, x, "too %s", "big" );
	assert_string_equal( ds_last_error(), "a.json:7: o.x: too big" );
	ds_arena_free( &arena );
}

// A control character in a key must not break the one-line message.
static void test_message_is_one_line( void **state )
{
	(void)state;
	const char *text = "{\"a\\nb\": 1, \"a\\nb\": 2}";
	ds_arena arena;
	ds_json *root;
	assert_int_equal( parse_bytes( text, strlen( text ), &arena, &root ), DS_ERROR_DUPLICATE );
	assert_null( strchr( ds_last_error(), '\n' ) );
	ds_arena_free( &arena );
}

static void test_describe( void **state )
{
	(void)state;
	static const struct
	{
		const char *text, *words;
	} cases[] = { { "\"fast\"", "\"fast\"" }, { "12.5", "12.5" }, { "1e30", "1e+30" }, { "0.1", "0.1" },
		{ "null", "null" }, { "true", "true" }, { "[1,2,3]", "an array of 3" }, { "{\"a\":1}", "an object" },
		{ "\"1234567890123456789012345678901234567890123456789012345678901234567890\"",
			"\"123456789012345678901234567890123456789012345678901234567...\"" },
		{ "\"a\\nb\"", "\"a?b\"" } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_arena arena;
		ds_json *root;
		char words[96];
		assert_int_equal( parse_bytes( cases[i].text, strlen( cases[i].text ), &arena, &root ), DS_OK );
		ds_json_describe( root, words, sizeof( words ) );
		assert_string_equal( words, cases[i].words );
		ds_arena_free( &arena );
	}
}

static void write_tree( const ds_json *root, const char *expected )
{
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_put( &w, root );
	assert_string_equal( ds_text_get( &text ), expected );
	ds_text_clear( &text );
}

static void test_changes( void **state )
{
	(void)state;
	const char *text = "{\"a\": [1, 2, 3], \"b\": {\"c\": \"x\\ty\\\"\"}}";
	ds_arena arena;
	ds_json *root, *fresh, *copy;
	assert_int_equal( parse_bytes( text, strlen( text ), &arena, &root ), DS_OK );
	assert_int_equal( ds_json_copy( &arena, root, &copy ), DS_OK );
	ds_json *a = ds_json_find( root, "a" );
	ds_json_remove( ds_json_at( a, 2 ) );
	ds_json_remove( ds_json_at( a, 0 ) );
	write_tree( root, "{\"a\": [2], \"b\": {\"c\": \"x\\u0009y\\\"\"}}" );
	assert_int_equal( ds_json_new( &arena, DS_JSON_NULL, a, &fresh ), DS_OK );
	assert_int_equal( ds_json_add( &arena, a, NULL, fresh ), DS_OK );
	assert_int_equal( ds_json_new( &arena, DS_JSON_BOOL, NULL, &fresh ), DS_OK );
	ds_json_replace( ds_json_find( root, "b" ), fresh );
	assert_int_equal( ds_json_new( &arena, DS_JSON_OBJECT, NULL, &fresh ), DS_OK );
	assert_int_equal( ds_json_add( &arena, root, "d", fresh ), DS_OK );
	write_tree( root, "{\"a\": [2, null], \"b\": false, \"d\": {}}" );
	ds_json_remove( ds_json_at( a, 0 ) );
	ds_json_remove( ds_json_at( a, 0 ) );
	assert_true( a->first == NULL && a->last == NULL && a->count == 0 );
	write_tree( copy, "{\"a\": [1, 2, 3], \"b\": {\"c\": \"x\\u0009y\\\"\"}}" );
	ds_arena_free( &arena );
}

// Indented output; numbers come back bit for bit.
static void test_writer( void **state )
{
	(void)state;
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "a" );
	ds_json_put_number( &w, 0.1 );
	ds_json_key( &w, "b" );
	ds_json_begin_flat( &w, '[' );
	ds_json_put_integer( &w, INT64_MIN );
	ds_json_begin( &w, '[' );
	ds_json_end( &w, ']' );
	ds_json_put_number( &w, NAN );
	ds_json_end( &w, ']' );
	ds_json_key( &w, "c" );
	ds_json_begin( &w, '[' );
	ds_json_put_bool( &w, true );
	ds_json_put_raw( &w, "{}" );
	ds_json_end( &w, ']' );
	ds_json_end( &w, '}' );
	assert_string_equal( ds_text_get( &text ),
		"{\n\t\"a\": 0.1,\n\t\"b\": [-9223372036854775808, [], null],\n\t\"c\": [\n\t\ttrue,\n\t\t{}\n\t]\n}" );
	ds_text_clear( &text );

	static const double numbers[] = { 1.0 / 3, 0.1, 1e-320, 1.7976931348623157e308, -0.0, 123456789.123456789 };
	for ( size_t i = 0; i < sizeof( numbers ) / sizeof( numbers[0] ); ++i )
	{
		char buffer[32];
		ds_print_number( buffer, sizeof( buffer ), numbers[i] );
		double back = strtod( buffer, NULL );
		assert_memory_equal( &back, &numbers[i], sizeof( back ) );
	}
}

static void test_load( void **state )
{
	(void)state;
	ds_arena arena;
	ds_json *root;
	ds_arena_init( &arena, NULL );
	assert_int_equal( ds_json_load( &arena, "/nonexistent/x.json", &root ), DS_ERROR_IO );
	assert_string_equal( ds_last_error(), "/nonexistent/x.json: cannot open the file: No such file or directory" );
	assert_int_equal( ds_json_load( &arena, ".", &root ), DS_ERROR_IO );
	char path[512];
	snprintf( path, sizeof( path ), "%s/loaded.json", DEEPSIM_TEST_TMP );
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( "{\n\"a\": [\n 1]}", file );
	fclose( file );
	assert_int_equal( ds_json_load( &arena, path, &root ), DS_OK );
	assert_int_equal( ds_json_at( ds_json_find( root, "a" ), 0 )->line, 3 );
	assert_string_equal( root->file, path );
	ds_arena_free( &arena );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_malformed ),
		cmocka_unit_test( test_duplicate_keys ),
		cmocka_unit_test( test_limits ),
		cmocka_unit_test( test_values_and_lines ),
		cmocka_unit_test( test_message_is_one_line ),
		cmocka_unit_test( test_describe ),
		cmocka_unit_test( test_changes ),
		cmocka_unit_test( test_writer ),
		cmocka_unit_test( test_load ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
