// Presets of tables, and one number that stands for each element of an array.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/field_io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct triad
{
	double N[3], range;
	int64_t taps[2];
} triad;

typedef struct line
{
	double frequency;
} line;

typedef struct unit
{
	triad gyro, accel;
	double heating, mount[2];
	ds_array lines;
	char label[8];
} unit;

static ds_status check_triad( const void *value )
{
	const triad *t = value;
	return t->N[0] <= t->range ? DS_OK : ds_error( DS_ERROR_RANGE, "N %g is above the range %g", t->N[0], t->range );
}

static const ds_field triad_fields[] = {
	DS_EACH( triad, N, "rad/s/sqrt(Hz)", "0.5", 0, 10, "white noise" ),
	DS_F64( triad, range, "rad/s", "20", 0, 100, "range" ),
	{ "taps", DS_FIELD_I64, DS_FIELD_EACH, offsetof( triad, taps ), 2, 0, "", "3", 0, 1e19, "taps", NULL, NULL, 0,
		DS_ELEMENT_NONE },
};
static const ds_table triad_table = { "triad", "", sizeof( triad ), triad_fields, DS_COUNT( triad_fields ), check_triad,
	NULL, 0 };
static const ds_field line_fields[] = { DS_F64( line, frequency, "Hz", "1", 0, 1000, "frequency" ) };
static const ds_table line_table = DS_TABLE( "line", "", line, line_fields );
static const ds_field unit_fields[] = {
	DS_STRUCT( unit, gyro, &triad_table, "gyroscopes" ),
	DS_STRUCT( unit, accel, &triad_table, "accelerometers" ),
	DS_F64( unit, heating, "K", "0", -100, 100, "self-heating" ),
	{ "mount", DS_FIELD_F64, DS_FIELD_ANGLE | DS_FIELD_EACH, offsetof( unit, mount ), 2, 0, "rad", "0", -180, 180,
		"angles", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "lines", DS_FIELD_ARRAY, 0, offsetof( unit, lines ), 1, sizeof( line ), "", "[]", 0, 0, "lines", &line_table,
		NULL, 0, DS_ELEMENT_NONE },
	DS_STRING( unit, label, "\"none\"", "label" ),
};
static const ds_preset unit_presets[] = {
	{ "cheap", "{\"gyro\": {\"N\": 5, \"taps\": [7, 8]}, \"heating\": 12, \"lines\": [{\"frequency\": 50}, {}]}",
		"a cheap one" },
	{ "good", "{\"gyro\": {\"N\": [0.1, 0.2, 0.3]}, \"accel\": {\"range\": 2}, \"label\": \"good\"}", "a good one" },
};
static const ds_table unit_table = { "unit", "an inertial unit", sizeof( unit ), unit_fields, DS_COUNT( unit_fields ),
	NULL, unit_presets, DS_COUNT( unit_presets ) };

static void expect_close( double got, double want, double tolerance )
{
	if ( !( fabs( got - want ) <= tolerance ) )
	{
		print_error( "got %.17g, want %.17g within %g\n", got, want, tolerance );
		fail();
	}
}

static ds_status read_into( const ds_table *table, const char *text, ds_arena *arena, void *out )
{
	ds_json *root;
	ds_arena_init( arena, NULL );
	ds_status status = ds_json_parse( arena, "a.json", 1, text, strlen( text ), &root );
	return status == DS_OK ? ds_table_read( table, root, arena, out ) : status;
}

static void expect( const char *text, unit *u, ds_arena *arena )
{
	ds_status status = read_into( &unit_table, text, arena, u );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
}

static void expect_error( const ds_table *table, const char *text, ds_status status, const char *message )
{
	char memory[1024];
	ds_arena arena;
	assert_true( table->size <= sizeof( memory ) );
	assert_int_equal( read_into( table, text, &arena, memory ), status );
	assert_string_equal( ds_last_error(), message );
	ds_arena_free( &arena );
}

static void test_each( void **state )
{
	(void)state;
	assert_int_equal( ds_table_check( &triad_table ), DS_OK );
	triad t;
	assert_int_equal( ds_table_defaults( &triad_table, &t ), DS_OK );
	assert_true( t.N[0] == 0.5 && t.N[1] == 0.5 && t.N[2] == 0.5 && t.taps[0] == 3 && t.taps[1] == 3 );
	assert_int_equal( ds_table_parse( &triad_table, "{\"N\": 7, \"taps\": \"9007199254740993\"}", &t ), DS_OK );
	assert_true( t.N[0] == 7 && t.N[1] == 7 && t.N[2] == 7 );
	assert_true( t.taps[0] == INT64_C( 9007199254740993 ) && t.taps[1] == t.taps[0] );
	assert_int_equal( ds_table_parse( &triad_table, "{\"N\": [1, 2, 3], \"taps\": [4, 5]}", &t ), DS_OK );
	assert_true( t.N[0] == 1 && t.N[1] == 2 && t.N[2] == 3 && t.taps[0] == 4 && t.taps[1] == 5 );
	unit u;
	assert_int_equal( ds_table_parse( &unit_table, "{\"mount_deg\": 180}", &u ), DS_OK );
	expect_close( u.mount[1], 3.14159265358979323846, 1e-15 );

	static const char range[] = "one number or an array of 3 numbers in [0, 10] rad/s/sqrt(Hz)";
	static const struct
	{
		const char *json, *got;
	} faults[] = { { "[1, 2]", "an array of 2" }, { "[]", "an array of 0" }, { "\"big\"", "\"big\"" },
		{ "null", "null" }, { "true", "true" }, { "{}", "an object" }, { "[1, 2, 3, 4]", "an array of 4" } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		char text[64], message[256];
		snprintf( text, sizeof( text ), "{\"N\": %s}", faults[i].json );
		snprintf( message, sizeof( message ), "a.json:1: N: expected %s, got %s", range, faults[i].got );
		expect_error( &triad_table, text, DS_ERROR_TYPE, message );
	}
	expect_error( &triad_table, "{\"N\": 11}", DS_ERROR_RANGE,
		"a.json:1: N: expected a number in [0, 10] rad/s/sqrt(Hz), got 11" );
	expect_error( &triad_table, "{\"N\": [1, 2, -1]}", DS_ERROR_RANGE,
		"a.json:1: N[2]: expected a number in [0, 10] rad/s/sqrt(Hz), got -1" );
}

static void test_presets( void **state )
{
	(void)state;
	assert_int_equal( ds_table_check( &unit_table ), DS_OK );
	unit u;
	ds_arena arena;
	expect( "{}", &u, &arena );
	assert_true( u.gyro.N[0] == 0.5 && u.heating == 0 && u.lines.count == 0 && strcmp( u.label, "none" ) == 0 );
	ds_arena_free( &arena );

	expect( "{\"preset\": \"cheap\"}", &u, &arena );
	assert_true( u.gyro.N[0] == 5 && u.gyro.N[2] == 5 && u.gyro.taps[1] == 8 && u.gyro.range == 20 );
	assert_true( u.accel.N[0] == 0.5 && u.heating == 12 && u.lines.count == 2 );
	assert_true(
		( (const line *)u.lines.data )[0].frequency == 50 && ( (const line *)u.lines.data )[1].frequency == 1 );
	ds_arena_free( &arena );

	// single values change, wherever the preset is named
	expect( "{\"gyro\": {\"N\": 1e-4}, \"preset\": \"cheap\", \"heating\": 0}", &u, &arena );
	assert_true( u.gyro.N[0] == 1e-4 && u.gyro.N[2] == 1e-4 && u.gyro.taps[0] == 7 && u.heating == 0 );
	assert_int_equal( u.lines.count, 2 );
	ds_arena_free( &arena );
	expect( "{\"preset\": \"good\", \"gyro\": {\"taps\": 1}, \"accel\": {}, \"label\": \"x\"}", &u, &arena );
	assert_true( u.gyro.N[1] == 0.2 && u.gyro.taps[0] == 1 && u.accel.range == 2 && strcmp( u.label, "x" ) == 0 );
	ds_arena_free( &arena );
	// an array is given anew
	expect( "{\"preset\": \"cheap\", \"lines\": [{}]}", &u, &arena );
	assert_true( u.lines.count == 1 && ( (const line *)u.lines.data )[0].frequency == 1 );
	ds_arena_free( &arena );

	// without memory for arrays
	assert_int_equal( ds_table_parse( &unit_table, "{\"preset\": \"good\", \"heating\": 3}", &u ), DS_OK );
	assert_true( u.gyro.N[2] == 0.3 && u.heating == 3 && strcmp( u.label, "good" ) == 0 );
	assert_int_equal( ds_table_parse( &unit_table, "{\"preset\": \"cheap\"}", &u ), DS_ERROR_UNSUPPORTED );
	assert_string_equal( ds_last_error(),
		"unit:1: preset: preset cheap of unit: lines: an array cannot be read here: this config has no memory of its "
		"own" );
}

static void test_bad_presets( void **state )
{
	(void)state;
	expect_error( &unit_table, "{\"preset\": \"chap\"}", DS_ERROR_NOT_FOUND,
		"a.json:1: preset: expected a preset, got \"chap\"; did you mean \"cheap\"?; there are \"cheap\" or \"good\"" );
	expect_error( &unit_table, "{\"preset\": \"\"}", DS_ERROR_NOT_FOUND,
		"a.json:1: preset: expected a preset, got \"\"; there are \"cheap\" or \"good\"" );
	expect_error( &unit_table, "{\"preset\": 3}", DS_ERROR_TYPE,
		"a.json:1: preset: expected a preset, got 3; there are \"cheap\" or \"good\"" );
	expect_error( &unit_table, "{\"preset\": null}", DS_ERROR_TYPE,
		"a.json:1: preset: expected a preset, got null; there are \"cheap\" or \"good\"" );
	expect_error( &unit_table, "{\"prset\": \"cheap\"}", DS_ERROR_UNKNOWN_KEY,
		"a.json:1: prset: unknown key \"prset\"; did you mean \"preset\"?" );
	// a table without presets knows no such member
	expect_error( &triad_table, "{\"preset\": \"cheap\"}", DS_ERROR_UNKNOWN_KEY,
		"a.json:1: preset: unknown key \"preset\"; known here: \"N\", \"range\", \"taps\"" );
	// checks see what comes out in the end
	expect_error( &unit_table, "{\"preset\": \"cheap\", \"gyro\": {\"range\": 4}}", DS_ERROR_RANGE,
		"a.json:1: gyro: N 5 is above the range 4" );
	expect_error( &unit_table, "{\"preset\": \"cheap\", \"gyro\": {\"N\": [1, 2]}}", DS_ERROR_TYPE,
		"a.json:1: gyro.N: expected one number or an array of 3 numbers in [0, 10] rad/s/sqrt(Hz), got an array of 2" );
}

// ---- what is required ----------------------------------------------------------------------------------------------

static const ds_field needy_fields[] = {
	{ "range", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( triad, range ), 1, 0, "m", NULL, 0, 50, "how far", NULL, NULL,
		0, DS_ELEMENT_NONE },
	DS_EACH( triad, N, "", "1", 0, 10, "noise" ),
};
static const ds_preset needy_presets[] = { { "far", "{\"range\": 40}", "far" }, { "loud", "{\"N\": 9}", "loud" } };
static const ds_table needy_table = { "needy", "", sizeof( triad ), needy_fields, 2, check_triad, needy_presets, 2 };

static void test_required( void **state )
{
	(void)state;
	// "loud" is not whole by itself: its range is the user's matter
	assert_int_equal( ds_table_check( &needy_table ), DS_OK );
	triad t;
	assert_int_equal( ds_table_parse( &needy_table, "{\"preset\": \"far\"}", &t ), DS_OK );
	assert_true( t.range == 40 && t.N[1] == 1 );
	assert_int_equal( ds_table_parse( &needy_table, "{\"preset\": \"loud\", \"range\": 10}", &t ), DS_OK );
	assert_true( t.range == 10 && t.N[1] == 9 );
	expect_error(
		&needy_table, "{\"preset\": \"loud\"}", DS_ERROR_NOT_FOUND, "a.json:1: the key \"range\" is missing: how far" );
}

// A struct inside may have presets too; what the outer one said of it is then forgotten.
typedef struct pair
{
	unit first, second;
} pair;

static void test_nested( void **state )
{
	(void)state;
	static const ds_field fields[] = {
		DS_STRUCT( pair, first, &unit_table, "first" ),
		DS_STRUCT( pair, second, &unit_table, "second" ),
	};
	static const ds_preset presets[] = { { "both",
		"{\"first\": {\"preset\": \"good\", \"heating\": 1}, \"second\": {\"heating\": 2}}", "both" } };
	static const ds_table table = { "pair", "", sizeof( pair ), fields, 2, NULL, presets, 1 };
	assert_int_equal( ds_table_check( &table ), DS_OK );
	pair p;
	assert_int_equal( ds_table_parse( &table, "{\"preset\": \"both\", \"second\": {\"label\": \"b\"}}", &p ), DS_OK );
	assert_true( p.first.accel.range == 2 && p.first.heating == 1 && p.second.heating == 2 );
	assert_string_equal( p.second.label, "b" );
	assert_int_equal(
		ds_table_parse( &table, "{\"preset\": \"both\", \"second\": {\"preset\": \"good\"}}", &p ), DS_OK );
	assert_true( p.second.accel.range == 2 && p.second.heating == 0 );
}

// ---- faulty tables -------------------------------------------------------------------------------------------------

static void expect_fault( const ds_table *table, ds_status status, const char *message )
{
	assert_int_equal( ds_table_check( table ), status );
	assert_string_equal( ds_last_error(), message );
}

static void test_faulty_tables( void **state )
{
	(void)state;
	static const struct
	{
		ds_preset preset;
		ds_status status;
		const char *message;
	} faults[] = {
		{ { "x", "{\"heating\": 101}", "doc" }, DS_ERROR_RANGE,
			"preset x of unit: heating: expected a number in [-100, 100] K, got 101" },
		{ { "x", "{\"heting\": 1}", "doc" }, DS_ERROR_UNKNOWN_KEY,
			"preset x of unit: heting: unknown key \"heting\"; did you mean \"heating\"?" },
		{ { "x", "{\"gyro\": {\"range\": 0}}", "doc" }, DS_ERROR_RANGE,
			"preset x of unit: gyro: N 0.5 is above the range 0" },
		{ { "x", "{\"preset\": \"y\"}", "doc" }, DS_ERROR_UNSUPPORTED,
			"preset x of unit: preset: a preset cannot start from another one" },
		{ { "x", "[]", "doc" }, DS_ERROR_TYPE, "preset x of unit: expected an object, got an array of 0" },
		{ { "x", NULL, "doc" }, DS_ERROR_ARGUMENT, "table unit, preset 0: it needs a name, a text and a doc" },
		{ { NULL, "{}", "doc" }, DS_ERROR_ARGUMENT, "table unit, preset 0: it needs a name, a text and a doc" },
		{ { "x", "{}", "" }, DS_ERROR_ARGUMENT, "table unit, preset 0: it needs a name, a text and a doc" },
	};
	ds_table table = unit_table;
	table.preset_count = 1;
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		table.presets = &faults[i].preset;
		expect_fault( &table, faults[i].status, faults[i].message );
	}
	static const ds_preset broken = { "x", "{\"heating\": }", "doc" };
	table.presets = &broken;
	assert_int_equal( ds_table_check( &table ), DS_ERROR_FORMAT );

	static const ds_preset twice[] = { { "x", "{}", "doc" }, { "x", "{}", "doc" } };
	table.presets = twice;
	table.preset_count = 2;
	expect_fault( &table, DS_ERROR_DUPLICATE, "table unit: the preset \"x\" is there twice" );
	table.presets = NULL;
	expect_fault( &table, DS_ERROR_ARGUMENT, "table unit: presets need fields of their own and an array of them" );

	ds_field f = (ds_field)DS_F64( line, frequency, "Hz", "1", 0, 1000, "frequency" );
	ds_table small = { "small", "", sizeof( line ), &f, 1, NULL, twice, 1 };
	f.name = "preset";
	expect_fault( &small, DS_ERROR_DUPLICATE, "table small: a table with presets cannot have a field \"preset\"" );
	f.name = "frequency";
	f.flags = DS_FIELD_EACH;
	expect_fault( &small, DS_ERROR_ARGUMENT,
		"table small, field frequency: one number for each needs an array of at least 2 that is no matrix" );
	f.type = DS_FIELD_BOOL;
	expect_fault( &small, DS_ERROR_ARGUMENT,
		"table small, field frequency: only arrays of numbers can be given as one number for each" );
}

// ---- writing, schema, description ----------------------------------------------------------------------------------

static void test_written( void **state )
{
	(void)state;
	triad t = { { 1, 1, 1 }, 20, { 4, 5 } };
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_write( &triad_table, &t, DS_WRITE_CONFIG, &w ), DS_OK );
	assert_string_equal( ds_text_get( &text ), "{\"N\": 1, \"range\": 20, \"taps\": [4, 5]}" );
	ds_text_clear( &text );
	// logs keep their shape
	w = ( ds_json_writer ){ &text, 0, 0, false, false };
	assert_int_equal( ds_table_write( &triad_table, &t, DS_WRITE_SI, &w ), DS_OK );
	assert_string_equal( ds_text_get( &text ), "{\"N\": [1, 1, 1], \"range\": 20, \"taps\": [4, 5]}" );
	ds_text_clear( &text );
}

static void test_schema( void **state )
{
	(void)state;
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_schema( &needy_table, &w ), DS_OK );
	static const char *const parts[] = { "\"enum\": [\"far\", \"loud\"]", "\"required\": [\"range\"]",
		"{\"required\": [\"preset\"]}", "\"minItems\": 3", "\"additionalProperties\": false" };
	for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
	{
		assert_non_null( strstr( ds_text_get( &text ), parts[i] ) );
	}
	ds_arena arena;
	ds_json *root;
	ds_arena_init( &arena, NULL );
	assert_int_equal( ds_json_parse( &arena, "schema", 1, ds_text_get( &text ), text.length, &root ), DS_OK );
	const ds_json *noise = ds_json_find( ds_json_find( root, "properties" ), "N" );
	assert_int_equal( ds_json_find( noise, "anyOf" )->count, 2 );
	assert_null( ds_json_find( noise, "type" ) );
	assert_int_equal( ds_json_find( root, "anyOf" )->count, 2 );
	ds_arena_free( &arena );
	ds_text_clear( &text );
}

static void test_describe( void **state )
{
	(void)state;
	ds_text text = { 0 };
	assert_int_equal( ds_table_describe( &needy_table, DS_DESCRIBE_CONFIG, "config.", 2, &text ), DS_OK );
	assert_string_equal( ds_text_get( &text ),
		"  config.preset  name           -                       values to start from; what is given beside it changes "
		"single ones\n"
		"    = \"far\"                                             far\n"
		"    = \"loud\"                                            loud\n"
		"  config.range   number         m  (required)  [0, 50]  how far\n"
		"  config.N       number or [3]  -  1           [0, 10]  noise\n" );
	ds_text_clear( &text );
	// a reading's table has none to choose
	assert_int_equal( ds_table_describe( &needy_table, DS_DESCRIBE_READING, "", 0, &text ), DS_OK );
	assert_null( strstr( ds_text_get( &text ), "preset" ) );
	ds_text_clear( &text );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_each ),
		cmocka_unit_test( test_presets ),
		cmocka_unit_test( test_bad_presets ),
		cmocka_unit_test( test_required ),
		cmocka_unit_test( test_nested ),
		cmocka_unit_test( test_faulty_tables ),
		cmocka_unit_test( test_written ),
		cmocka_unit_test( test_schema ),
		cmocka_unit_test( test_describe ),
	};
	return cmocka_run_group_tests_name( "field_preset", tests, NULL, NULL );
}
