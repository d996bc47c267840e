// Descriptor tables: every field type read from JSON with exact messages, defaults, checks of tables, writing, columns,
// schema and description.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/field_io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- a table with everything -------------------------------------------------------------------------------------

typedef struct point
{
	double x, y;
} point;

typedef struct everything
{
	double rate, positive, free_number;
	double position[3], rpy[3], heading;
	double matrix[9];
	int64_t faces, seed, triple[3];
	bool on, bits[2];
	int32_t mode;
	char name[8];
	point inner;
	int32_t mass_kind;
	double mass_diagonal[3], mass_full[9], mass_value;
	char mass_file[16];
	bool mass_flag;
	double sphere_radius, box_side;
	ds_array points, numbers, bytes;
	double low, high;
} everything;

static const ds_field point_fields[] = {
	{ "x", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( point, x ), 1, 0, "m", NULL, 0, 0, "east", NULL, NULL, 0,
		DS_ELEMENT_NONE },
	DS_F64( point, y, "m", "2.5", -100, 100, "north" ),
};
static const ds_table point_table = DS_TABLE( "point", "a point", point, point_fields );

// every member has a default, so that the struct as a whole may be left out
static const ds_field inner_fields[] = {
	DS_F64( point, x, "m", "1.5", -100, 100, "east" ),
	DS_F64( point, y, "m", "2.5", -100, 100, "north" ),
};
static const ds_table inner_table = DS_TABLE( "inner", "a place", point, inner_fields );

static const ds_choice modes[] = {
	{ 3, DS_FORM_NAME, "normal", NULL, NULL, "as usual" },
	{ 5, DS_FORM_NAME, "printed", NULL, NULL, "as printed" },
};

static const ds_field diagonal_fields[] = { DS_F64(
	everything, mass_diagonal, "kg m2", "[0, 0, 0]", 0, 1e6, "diagonal" ) };
static const ds_field full_fields[] = { { "mass_full", DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( everything, mass_full ),
	9, 0, "kg m2", "[[0,0,0],[0,0,0],[0,0,0]]", 0, 0, "matrix", NULL, NULL, 0, DS_ELEMENT_NONE } };
static const ds_field value_fields[] = { DS_F64( everything, mass_value, "kg", "7", 0, 10, "value" ) };
static const ds_field file_fields[] = { DS_STRING( everything, mass_file, "\"\"", "file" ) };
static const ds_field flag_fields[] = { DS_BOOL( everything, mass_flag, "false", "flag" ) };
static const ds_field sphere_fields[] = { { "radius", DS_FIELD_F64, DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM,
	offsetof( everything, sphere_radius ), 1, 0, "m", NULL, 0, 50, "radius", NULL, NULL, 0, DS_ELEMENT_NONE } };
static const ds_field box_fields[] = { { "side", DS_FIELD_F64, 0, offsetof( everything, box_side ), 1, 0, "m", "4", 0,
	50, "side", NULL, NULL, 0, DS_ELEMENT_NONE } };
static const ds_field about_fields[] = {
	{ "matrix", DS_FIELD_F64, DS_FIELD_MATRIX | DS_FIELD_REQUIRED, offsetof( everything, mass_full ), 9, 0, "kg", NULL,
		0, 0, "matrix", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "about", DS_FIELD_F64, 0, offsetof( everything, mass_diagonal ), 3, 0, "m", "[0, 0, 1]", 0, 0, "point", NULL,
		NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table diagonal_table = DS_TABLE( "diagonal", "", everything, diagonal_fields );
static const ds_table full_table = DS_TABLE( "full", "", everything, full_fields );
static const ds_table value_table = DS_TABLE( "value", "", everything, value_fields );
static const ds_table file_table = DS_TABLE( "file", "", everything, file_fields );
static const ds_table flag_table = DS_TABLE( "flag", "", everything, flag_fields );
static const ds_table sphere_table = DS_TABLE( "sphere", "", everything, sphere_fields );
static const ds_table box_table = DS_TABLE( "box", "", everything, box_fields );
static const ds_table about_table = DS_TABLE( "about", "", everything, about_fields );

static const ds_choice masses[] = {
	{ 0, DS_FORM_NAME, "none", NULL, NULL, "nothing" },
	{ 1, DS_FORM_NULL, "null", NULL, NULL, "null" },
	{ 2, DS_FORM_ARRAY, "diagonal", NULL, &diagonal_table, "3 numbers" },
	{ 3, DS_FORM_ARRAY, "full", NULL, &full_table, "3x3" },
	{ 4, DS_FORM_NUMBER, "value", NULL, &value_table, "a number" },
	{ 5, DS_FORM_STRING, "file", NULL, &file_table, "a file" },
	{ 6, DS_FORM_BOOL, "flag", NULL, &flag_table, "a flag" },
	{ 7, DS_FORM_OBJECT, "sphere", "make", &sphere_table, "a sphere" },
	{ 8, DS_FORM_OBJECT, "box", "make", &box_table, "a box" },
	{ 9, DS_FORM_OBJECT, "about", NULL, &about_table, "about a point" },
};

static ds_status check_everything( const void *value )
{
	const everything *e = value;
	return e->low < e->high ? DS_OK : ds_error( DS_ERROR_RANGE, "low %g must be below high %g", e->low, e->high );
}

static const ds_field everything_fields[] = {
	DS_F64( everything, rate, "Hz", "100", 0.001, 10000, "how often" ),
	{ "positive", DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( everything, positive ), 1, 0, "", "1", 0,
		INFINITY, "above zero", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( everything, free_number, "m", "-1e3", 0, 0, "anything" ),
	DS_F64( everything, position, "m", "[1, 2, 3]", -10, 10, "where" ),
	DS_ANGLE( everything, rpy, "[0, 90, -180]", -360, 360, "attitude" ),
	DS_ANGLE( everything, heading, "45", -360, 360, "heading" ),
	{ "matrix", DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( everything, matrix ), 9, 0, "", "[[1,0,0],[0,1,0],[0,0,1]]", 0,
		0, "matrix", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_I64( everything, faces, "", "1280", 8, 10000000, "faces" ),
	DS_I64( everything, seed, "", "0", 0, 9.3e18, "seed" ),
	DS_I64( everything, triple, "", "[1, 2, 3]", -5, 5, "three integers" ),
	DS_BOOL( everything, on, "true", "switch" ),
	{ "bits", DS_FIELD_BOOL, 0, offsetof( everything, bits ), 2, 0, "", "[true, false]", 0, 1, "bits", NULL, NULL, 0,
		DS_ELEMENT_NONE },
	DS_ENUM( everything, mode, modes, "\"printed\"", "mode" ),
	DS_STRING( everything, name, "\"abc\"", "name" ),
	DS_STRUCT( everything, inner, &inner_table, "a place" ),
	{ "mass", DS_FIELD_VARIANT, 0, offsetof( everything, mass_kind ), 1, 0, "", "{\"make\": \"box\"}", 0, 0, "mass",
		NULL, masses, DS_COUNT( masses ), DS_ELEMENT_NONE },
	{ "points", DS_FIELD_ARRAY, 0, offsetof( everything, points ), 1, sizeof( point ), "", "[]", 0, 0, "points",
		&point_table, NULL, 0, DS_ELEMENT_NONE },
	{ "numbers", DS_FIELD_ARRAY, 0, offsetof( everything, numbers ), 1, sizeof( double ), "m", "[]", 0, 100, "numbers",
		NULL, NULL, 0, DS_ELEMENT_F64 },
	{ "bytes", DS_FIELD_ARRAY, 0, offsetof( everything, bytes ), 1, 1, "", "[]", 0, 0, "bytes", NULL, NULL, 0,
		DS_ELEMENT_U8 },
	DS_F64( everything, low, "", "0", 0, 0, "low" ),
	DS_F64( everything, high, "", "1", 0, 0, "high" ),
};
static const ds_table everything_table = { "everything", "all kinds of fields", sizeof( everything ), everything_fields,
	DS_COUNT( everything_fields ), check_everything, NULL, 0 };

static ds_status read_into( const char *text, ds_arena *arena, everything *out )
{
	ds_json *root;
	ds_arena_init( arena, NULL );
	ds_status status = ds_json_parse( arena, "a.json", 1, text, strlen( text ), &root );
	return status == DS_OK ? ds_table_read( &everything_table, root, arena, out ) : status;
}

// ---- tests -------------------------------------------------------------------------------------------------------

static void test_check( void **state )
{
	(void)state;
	ds_status status = ds_table_check( &everything_table );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	assert_int_equal( ds_table_check( &point_table ), DS_OK );
}

static void test_defaults( void **state )
{
	(void)state;
	everything e;
	memset( &e, 0xA5, sizeof( e ) );
	assert_int_equal( ds_table_defaults( &everything_table, &e ), DS_OK );
	assert_true( e.rate == 100 && e.positive == 1 && e.free_number == -1000 );
	assert_true( e.position[0] == 1 && e.position[2] == 3 );
	assert_float_equal( e.rpy[1], PI / 2, 1e-15 );
	assert_float_equal( e.rpy[2], -PI, 1e-15 );
	assert_float_equal( e.heading, PI / 4, 1e-15 );
	assert_true( e.matrix[0] == 1 && e.matrix[1] == 0 && e.matrix[8] == 1 );
	assert_true( e.faces == 1280 && e.seed == 0 && e.triple[2] == 3 );
	assert_true( e.on && e.bits[0] && !e.bits[1] );
	assert_int_equal( e.mode, 5 );
	assert_string_equal( e.name, "abc" );
	assert_true( e.inner.x == 1.5 && e.inner.y == 2.5 );
	assert_int_equal( e.mass_kind, 8 );
	assert_true( e.box_side == 4 && e.sphere_radius == 0 && e.mass_value == 7 );
	assert_true( e.points.count == 0 && e.points.data == NULL );
	assert_ptr_equal( ds_table_find( &everything_table, "faces" ), &everything_fields[7] );
	assert_null( ds_table_find( &everything_table, "face" ) );
	assert_null( ds_table_find( &everything_table, "rpy_deg" ) );
}

static void test_read( void **state )
{
	(void)state;
	everything e;
	ds_arena arena;
	assert_int_equal(
		read_into( "{ \"rate\": 0.001, \"rpy_deg\": [180, -90, 30], \"heading_deg\": 60,"
				   "\"matrix\": [[1,2,3],[4,5,6],[7,8,9]], \"seed\": \"9007199254740993\", \"faces\": 8e0,"
				   "\"on\": false, \"bits\": [false, true], \"mode\": \"normal\", \"name\": \"1234567\","
				   "\"inner\": {\"y\": -3}, \"points\": [{\"x\": 1}, {\"x\": 2, \"y\": 3}],"
				   "\"numbers\": [0, 100, 0.5], \"bytes\": [0, 255], \"mass\": null }",
			&arena, &e ),
		DS_OK );
	assert_true( e.rate == 0.001 && e.faces == 8 && e.seed == INT64_C( 9007199254740993 ) );
	assert_float_equal( e.rpy[0], PI, 1e-15 );
	assert_float_equal( e.rpy[1], -PI / 2, 1e-15 );
	assert_float_equal( e.rpy[2], PI / 6, 1e-15 );
	assert_float_equal( e.heading, PI / 3, 1e-15 );
	for ( int i = 0; i < 9; ++i )
	{
		assert_true( e.matrix[i] == i + 1 );
	}
	assert_true( !e.on && !e.bits[0] && e.bits[1] && e.mode == 3 );
	assert_string_equal( e.name, "1234567" );
	assert_true( e.inner.x == 1.5 && e.inner.y == -3 );
	const point *points = e.points.data;
	assert_true( e.points.count == 2 && points[0].x == 1 && points[0].y == 2.5 && points[1].y == 3 );
	assert_true( e.numbers.count == 3 && ( (const double *)e.numbers.data )[2] == 0.5 );
	assert_true( e.bytes.count == 2 && ( (const uint8_t *)e.bytes.data )[1] == 255 );
	assert_int_equal( e.mass_kind, 1 );
	ds_arena_free( &arena );
}

static void test_variants( void **state )
{
	(void)state;
	static const struct
	{
		const char *text;
		int32_t kind;
	} cases[] = { { "\"none\"", 0 }, { "null", 1 }, { "[1, 2, 3]", 2 }, { "[[1,2,3],[4,5,6],[7,8,9]]", 3 }, { "5", 4 },
		{ "\"other.obj\"", 5 }, { "true", 6 }, { "{\"make\": \"sphere\", \"radius\": 2}", 7 },
		{ "{\"side\": 9, \"make\": \"box\"}", 8 }, { "{\"matrix\": [[1,0,0],[0,1,0],[0,0,1]]}", 9 } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		everything e;
		ds_arena arena;
		char text[256];
		snprintf( text, sizeof( text ), "{\"mass\": %s}", cases[i].text );
		assert_int_equal( read_into( text, &arena, &e ), DS_OK );
		assert_int_equal( e.mass_kind, cases[i].kind );
		switch ( e.mass_kind )
		{
			case 2:
				assert_true( e.mass_diagonal[2] == 3 );
				break;
			case 3:
				assert_true( e.mass_full[5] == 6 );
				break;
			case 4:
				assert_true( e.mass_value == 5 );
				break;
			case 5:
				assert_string_equal( e.mass_file, "other.obj" );
				break;
			case 6:
				assert_true( e.mass_flag );
				break;
			case 7:
				assert_true( e.sphere_radius == 2 );
				break;
			case 8:
				assert_true( e.box_side == 9 );
				break;
			case 9:
				// an alternative's own default, where another alternative has its too
				assert_true( e.mass_full[4] == 1 && e.mass_diagonal[2] == 1 );
				break;
			default:
				break;
		}
		ds_arena_free( &arena );
	}
}

static void test_errors( void **state )
{
	(void)state;
#define MASSES                                                                                                         \
	"\"none\", null, an array of 3 numbers, 3 rows of 3 numbers, a number in [0, 10] kg, a string (file), true or "    \
	"false, {\"make\": \"sphere\", ...}, {\"make\": \"box\", ...} or {\"matrix\": ...}"
	static const struct
	{
		const char *text;
		ds_status status;
		const char *message;
	} cases[] = {
		{ "[]", DS_ERROR_TYPE, "a.json:1: expected an object, got an array of 0" },
		{ "{\"rate\":\n\"fast\"}", DS_ERROR_TYPE,
			"a.json:2: rate: expected a number in [0.001, 10000] Hz, got \"fast\"" },
		{ "{\"rate\": 0}", DS_ERROR_RANGE, "a.json:1: rate: expected a number in [0.001, 10000] Hz, got 0" },
		{ "{\"rate\": 10000.5}", DS_ERROR_RANGE,
			"a.json:1: rate: expected a number in [0.001, 10000] Hz, got 10000.5" },
		{ "{\"rate\": true}", DS_ERROR_TYPE, "a.json:1: rate: expected a number in [0.001, 10000] Hz, got true" },
		{ "{\"rate\": null}", DS_ERROR_TYPE, "a.json:1: rate: expected a number in [0.001, 10000] Hz, got null" },
		{ "{\"positive\": 0}", DS_ERROR_RANGE, "a.json:1: positive: expected a number > 0, got 0" },
		{ "{\"free_number\": []}", DS_ERROR_TYPE, "a.json:1: free_number: expected a number of m, got an array of 0" },
		{ "{\"position\": [1, 2]}", DS_ERROR_TYPE,
			"a.json:1: position: expected an array of 3 numbers in [-10, 10] m, got an array of 2" },
		{ "{\"position\": 1}", DS_ERROR_TYPE,
			"a.json:1: position: expected an array of 3 numbers in [-10, 10] m, got 1" },
		{ "{\"position\":\n[1,\n11, 2]}", DS_ERROR_RANGE,
			"a.json:3: position[1]: expected a number in [-10, 10] m, got 11" },
		{ "{\"rpy\": [0, 0, 0]}", DS_ERROR_UNKNOWN_KEY,
			"a.json:1: rpy: unknown key \"rpy\": an angle is given in degrees, as \"rpy_deg\"" },
		{ "{\"heading_deg\": 361}", DS_ERROR_RANGE,
			"a.json:1: heading_deg: expected a number in [-360, 360] deg, got 361" },
		{ "{\"matrix\": [1,2,3,4,5,6,7,8,9]}", DS_ERROR_TYPE,
			"a.json:1: matrix: expected an array of 3 rows of 3 numbers, got an array of 9" },
		{ "{\"matrix\": [[1,2,3],[4,5],[7,8,9]]}", DS_ERROR_TYPE,
			"a.json:1: matrix[1]: expected an array of 3 numbers, got an array of 2" },
		{ "{\"faces\": 8.5}", DS_ERROR_TYPE, "a.json:1: faces: expected an integer in [8, 10000000], got 8.5" },
		{ "{\"faces\": 7}", DS_ERROR_RANGE, "a.json:1: faces: expected an integer in [8, 10000000], got 7" },
		{ "{\"faces\": \"9\"}", DS_ERROR_TYPE, "a.json:1: faces: expected an integer in [8, 10000000], got \"9\"" },
		{ "{\"faces\": 1e300}", DS_ERROR_RANGE, "a.json:1: faces: expected an integer in [8, 10000000], got 1e+300" },
		{ "{\"seed\": 9007199254740993}", DS_ERROR_RANGE,
			"a.json:1: seed: integers from 2^53 on lose digits as JSON numbers: write it as a string of decimal "
			"digits" },
		{ "{\"seed\": \"12x\"}", DS_ERROR_TYPE, "a.json:1: seed: expected an integer in [0, 9.3e+18], got \"12x\"" },
		{ "{\"seed\": \"9223372036854775808\"}", DS_ERROR_TYPE,
			"a.json:1: seed: expected an integer in [0, 9.3e+18], got \"9223372036854775808\"" },
		{ "{\"seed\": \"-1\"}", DS_ERROR_RANGE, "a.json:1: seed: expected an integer in [0, 9.3e+18], got \"-1\"" },
		{ "{\"seed\": \"\"}", DS_ERROR_TYPE, "a.json:1: seed: expected an integer in [0, 9.3e+18], got \"\"" },
		{ "{\"triple\": [1, 2, 6]}", DS_ERROR_RANGE, "a.json:1: triple[2]: expected an integer in [-5, 5], got 6" },
		{ "{\"on\": 1}", DS_ERROR_TYPE, "a.json:1: on: expected true or false, got 1" },
		{ "{\"bits\": [true]}", DS_ERROR_TYPE, "a.json:1: bits: expected an array of 2 booleans, got an array of 1" },
		{ "{\"mode\": \"normel\"}", DS_ERROR_NOT_FOUND,
			"a.json:1: mode: expected \"normal\" or \"printed\", got \"normel\"; did you mean \"normal\"?" },
		{ "{\"mode\": 3}", DS_ERROR_TYPE, "a.json:1: mode: expected \"normal\" or \"printed\", got 3" },
		{ "{\"name\": \"12345678\"}", DS_ERROR_LIMIT,
			"a.json:1: name: expected a string of at most 7 bytes, got \"12345678\"" },
		{ "{\"name\": 1}", DS_ERROR_TYPE, "a.json:1: name: expected a string of at most 7 bytes, got 1" },
		{ "{\"inner\": null}", DS_ERROR_TYPE, "a.json:1: inner: expected an object, got null" },
		{ "{\"inner\": {\"z\": 1}}", DS_ERROR_UNKNOWN_KEY,
			"a.json:1: inner.z: unknown key \"z\"; known here: \"x\", \"y\"" },
		{ "{\"points\": [{\"x\": 1},\n{\"y\": 1}]}", DS_ERROR_NOT_FOUND,
			"a.json:2: points[1]: the key \"x\" is missing: east" },
		{ "{\"points\": {}}", DS_ERROR_TYPE, "a.json:1: points: expected an array of objects, got an object" },
		{ "{\"numbers\": [1, -1]}", DS_ERROR_RANGE, "a.json:1: numbers[1]: expected a number in [0, 100] m, got -1" },
		{ "{\"bytes\": [1, 256]}", DS_ERROR_RANGE, "a.json:1: bytes[1]: expected an integer in [0, 255], got 256" },
		{ "{\"mass\": [1, 2]}", DS_ERROR_TYPE, "a.json:1: mass: expected " MASSES ", got an array of 2" },
		{ "{\"mass\": [[1, 2, 3]]}", DS_ERROR_TYPE, "a.json:1: mass: expected " MASSES ", got an array of 1" },
		{ "{\"mass\": [1, 2, -3]}", DS_ERROR_RANGE,
			"a.json:1: mass[2]: expected a number in [0, 1000000] kg m2, got -3" },
		{ "{\"mass\": 11}", DS_ERROR_RANGE, "a.json:1: mass: expected a number in [0, 10] kg, got 11" },
		{ "{\"mass\": {\"make\": \"sphre\"}}", DS_ERROR_NOT_FOUND,
			"a.json:1: mass.make: expected \"sphere\" or \"box\", got \"sphre\"; did you mean \"sphere\"?" },
		{ "{\"mass\": {\"make\": 1}}", DS_ERROR_TYPE, "a.json:1: mass.make: expected \"sphere\" or \"box\", got 1" },
		{ "{\"mass\": {\"make\": \"sphere\"}}", DS_ERROR_NOT_FOUND,
			"a.json:1: mass: the key \"radius\" is missing: radius" },
		{ "{\"mass\": {\"make\": \"sphere\", \"radius\": 0}}", DS_ERROR_RANGE,
			"a.json:1: mass.radius: expected a number in (0, 50] m, got 0" },
		{ "{\"mass\": {\"make\": \"box\", \"radius\": 1}}", DS_ERROR_UNKNOWN_KEY,
			"a.json:1: mass.radius: unknown key \"radius\"; known here: \"make\", \"side\"" },
		{ "{\"mass\": {}}", DS_ERROR_NOT_FOUND, "a.json:1: mass: the key \"matrix\" is missing: matrix" },
		{ "{\"rte\": 1}", DS_ERROR_UNKNOWN_KEY, "a.json:1: rte: unknown key \"rte\"; did you mean \"rate\"?" },
		{ "{\n\"low\": 2}", DS_ERROR_RANGE, "a.json:1: low 2 must be below high 1" },
		{ "{\"inner\": {\"completely_else\": 1}}", DS_ERROR_UNKNOWN_KEY,
			"a.json:1: inner.completely_else: unknown key \"completely_else\"; known here: \"x\", \"y\"" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		everything e;
		ds_arena arena;
		ds_status status = read_into( cases[i].text, &arena, &e );
		ds_arena_free( &arena );
		assert_string_equal( status == DS_OK ? cases[i].text : ds_last_error(), cases[i].message );
		assert_int_equal( status, cases[i].status );
	}
}

static void test_parse_text( void **state )
{
	(void)state;
	point p;
	assert_int_equal( ds_table_parse( &point_table, "{\"x\": 4}", &p ), DS_OK );
	assert_true( p.x == 4 && p.y == 2.5 );
	assert_int_equal( ds_table_parse( &point_table, "{\"x\": 4,\n\"y\": 101}", &p ), DS_ERROR_RANGE );
	assert_string_equal( ds_last_error(), "point:2: y: expected a number in [-100, 100] m, got 101" );
	assert_int_equal( ds_table_parse( &point_table, "{\"x\": 4", &p ), DS_ERROR_FORMAT );
	assert_int_equal( ds_table_parse( NULL, "{}", &p ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_table_parse( &point_table, NULL, &p ), DS_ERROR_ARGUMENT );
	// arrays need memory that lives on
	everything e;
	assert_int_equal( ds_table_parse( &everything_table, "{\"numbers\": [1]}", &e ), DS_ERROR_UNSUPPORTED );
}

static void expect_fault( const ds_field *fields, int32_t count, ds_status status, const char *message )
{
	const ds_table table = { "t", "", sizeof( everything ), fields, count, NULL, NULL, 0 };
	assert_int_equal( ds_table_check( &table ), status );
	assert_string_equal( ds_last_error(), message );
}

static void test_faulty_tables( void **state )
{
	(void)state;
	static const ds_field good = DS_F64( everything, rate, "Hz", "100", 0.001, 10000, "doc" );
	ds_field f = good;
	f.name = "2nd";
	expect_fault( &f, 1, DS_ERROR_ARGUMENT,
		"table t, field 0: a name must be a letter and then letters, digits and _, at most 63" );
	f = good;
	f.initial = "0";
	expect_fault( &f, 1, DS_ERROR_RANGE, "table t: \"rate\": default: expected a number in [0.001, 10000] Hz, got 0" );
	f.initial = "fast";
	expect_fault( &f, 1, DS_ERROR_FORMAT,
		"table t: \"rate\": default: expected a value, got the word fast (a string needs quotes; NaN and Infinity are "
		"not "
		"JSON)" );
	f = good;
	f.offset = sizeof( everything ) - 4;
	char message[160];
	snprintf( message, sizeof( message ), "table t, field rate: it reaches beyond its struct of %zu bytes",
		sizeof( everything ) );
	expect_fault( &f, 1, DS_ERROR_ARGUMENT, message );
	f = good;
	f.minimum = 1e5;
	expect_fault( &f, 1, DS_ERROR_ARGUMENT, "table t, field rate: its minimum 100000 is above its maximum 10000" );
	f = good;
	f.flags = DS_FIELD_REQUIRED;
	expect_fault( &f, 1, DS_ERROR_ARGUMENT, "table t, field rate: it is required and has a default too" );
	f = good;
	f.flags = DS_FIELD_MATRIX;
	f.count = 8;
	expect_fault(
		&f, 1, DS_ERROR_ARGUMENT, "table t, field rate: a matrix must be of doubles, and its count 8 a square" );
	f = good;
	f.type = DS_FIELD_TYPE_END;
	expect_fault( &f, 1, DS_ERROR_ARGUMENT, "table t, field rate: its type 10 is unknown" );
	f = good;
	f.doc = "";
	expect_fault( &f, 1, DS_ERROR_ARGUMENT, "table t, field rate: it needs a doc, and a unit that may be \"\"" );
	const ds_field twice[] = { good, good };
	expect_fault( twice, 2, DS_ERROR_DUPLICATE, "table t, field rate: the name is there twice" );
	f = good;
	f.name = "other";
	f.initial = NULL;
	const ds_field mixed[] = { good, f };
	expect_fault( mixed, 2, DS_ERROR_ARGUMENT, "table t, field other: it is not required, so it needs a default" );
	static const ds_choice same[] = { { 0, DS_FORM_NAME, "a", NULL, NULL, "" },
		{ 0, DS_FORM_NAME, "b", NULL, NULL, "" } };
	const ds_field choice = DS_ENUM( everything, mode, same, "\"a\"", "doc" );
	expect_fault( &choice, 1, DS_ERROR_DUPLICATE, "table t, field mode: choice \"b\" is there twice" );
	// a reading's fields have no defaults at all
	f = good;
	f.initial = NULL;
	const ds_table reading = { "r", "", sizeof( everything ), &f, 1, NULL, NULL, 0 };
	assert_int_equal( ds_table_check( &reading ), DS_OK );
}

// What is written is read back bit for bit, but for angles, which pass through degrees.
static void test_write( void **state )
{
	(void)state;
	everything e, back;
	ds_arena arena;
	assert_int_equal( read_into( "{\"free_number\": 0.1, \"position\": [1e-7, 2, 3], \"mass\": {\"make\": \"sphere\", "
								 "\"radius\": 0.3333333333333333}, \"points\": [{\"x\": 1}], \"bytes\": [7],"
								 "\"mode\": \"normal\", \"heading_deg\": 30}",
						  &arena, &e ),
		DS_OK );
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_write( &everything_table, &e, DS_WRITE_CONFIG, &w ), DS_OK );
	ds_arena second;
	ds_status status = read_into( ds_text_get( &text ), &second, &back );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	assert_true( back.free_number == e.free_number && back.position[0] == e.position[0] );
	assert_true( back.mass_kind == 7 && back.sphere_radius == e.sphere_radius && back.mode == 3 );
	assert_true( back.points.count == 1 && ( (const uint8_t *)back.bytes.data )[0] == 7 );
	assert_float_equal( back.heading, e.heading, 1e-15 );
	ds_text_clear( &text );
	ds_arena_free( &second );
	ds_arena_free( &arena );

	// SI: plain names, radians, null for what is not finite
	point p = { NAN, 0.1 };
	ds_json_writer si = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_write( &point_table, &p, DS_WRITE_SI, &si ), DS_OK );
	assert_string_equal( ds_text_get( &text ), "{\"x\": null, \"y\": 0.1}" );
	ds_text_clear( &text );
}

typedef struct reading
{
	double velocity[3], attitude[4], beams[4], temperature, covariance[4], many[5];
	int64_t counts[3];
	bool valid;
	int32_t mode;
	char label[16];
	point inner;
	ds_span image;
	double hidden;
} reading;

static void test_columns( void **state )
{
	(void)state;
	ds_field fields[] = {
		DS_F64( reading, velocity, "m/s", NULL, 0, 0, "v" ),
		DS_F64( reading, attitude, "", NULL, 0, 0, "q" ),
		DS_F64( reading, beams, "m", NULL, 0, 0, "ranges" ),
		DS_F64( reading, temperature, "degC", NULL, 0, 0, "t" ),
		DS_F64( reading, covariance, "", NULL, 0, 0, "p" ),
		DS_F64( reading, many, "", NULL, 0, 0, "m" ),
		DS_I64( reading, counts, "", NULL, 0, 0, "n" ),
		DS_BOOL( reading, valid, NULL, "ok" ),
		DS_ENUM( reading, mode, modes, NULL, "mode" ),
		DS_STRING( reading, label, NULL, "label" ),
		DS_STRUCT( reading, inner, &inner_table, "inner" ),
		DS_SPAN( reading, image, DS_ELEMENT_U8, "", "image" ),
		DS_F64( reading, hidden, "", NULL, 0, 0, "hidden" ),
	};
	fields[2].flags = DS_FIELD_NUMBERED;
	fields[4].flags = DS_FIELD_MATRIX;
	fields[12].flags = DS_FIELD_HIDDEN;
	const ds_table table = DS_TABLE( "reading", "", reading, fields );
	assert_int_equal( ds_table_check( &table ), DS_OK );
	static const char *const names[] = { "velocity_x", "velocity_y", "velocity_z", "attitude_w", "attitude_x",
		"attitude_y", "attitude_z", "beams_0", "beams_1", "beams_2", "beams_3", "temperature", "covariance_0_0",
		"covariance_0_1", "covariance_1_0", "covariance_1_1", "many_0", "many_1", "many_2", "many_3", "many_4",
		"counts_0", "counts_1", "counts_2", "valid", "mode", "label", "inner.x", "inner.y", "image" };
	static const char *const cells[] = { "1", "0.10000000000000001", "3", "1", "0", "0", "0", "4", "0", "0", "0", "nan",
		"0", "0.5", "0", "0", "0", "0", "0", "0", "0", "-7", "0", "9", "1", "printed", "\"a,\"\"b\"", "0", "2", "12" };
	ds_column columns[64];
	int32_t count = ds_columns( &table, columns, 64 );
	assert_int_equal( count, DS_COUNT( names ) );
	assert_int_equal( ds_columns( &table, columns, 5 ), count );
	reading r = { .velocity = { 1, 0.1, 3 },
		.attitude = { 1, 0, 0, 0 },
		.beams = { 4 },
		.temperature = NAN,
		.covariance = { 0, 0.5 },
		.counts = { -7, 0, 9 },
		.valid = true,
		.mode = 5,
		.label = "a,\"b",
		.inner = { 0, 2 },
		.image = { 0, 12 } };
	for ( int32_t i = 0; i < count; ++i )
	{
		char cell[64];
		assert_string_equal( columns[i].name, names[i] );
		assert_int_equal( ds_column_print( &columns[i], &r, cell, sizeof( cell ) ), strlen( cells[i] ) );
		assert_string_equal( cell, cells[i] );
		assert_int_equal( ds_column_print( &columns[i], &r, cell, 1 ), -1 );
	}
	assert_string_equal( columns[0].unit, "m/s" );
	assert_string_equal( columns[28].unit, "m" );
}

static void test_schema( void **state )
{
	(void)state;
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_schema( &point_table, &w ), DS_OK );
	assert_string_equal( ds_text_get( &text ),
		"{\n\t\"description\": \"a point\",\n\t\"type\": \"object\",\n\t\"properties\": {\n\t\t\"x\": {\n"
		"\t\t\t\"description\": \"east [m]\",\n\t\t\t\"type\": \"number\"\n\t\t},\n\t\t\"y\": {\n"
		"\t\t\t\"description\": \"north [m]\",\n\t\t\t\"type\": \"number\",\n\t\t\t\"minimum\": -100,\n"
		"\t\t\t\"maximum\": 100,\n\t\t\t\"default\": 2.5\n\t\t}\n\t},\n\t\"required\": [\"x\"],\n"
		"\t\"additionalProperties\": false\n}" );
	ds_text_clear( &text );

	// the largest one is at least JSON that our own strict reader takes, and has the keys of JSON
	ds_json_writer all = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_schema( &everything_table, &all ), DS_OK );
	ds_arena arena;
	ds_json *root;
	ds_arena_init( &arena, NULL );
	assert_int_equal( ds_json_parse( &arena, "schema", 1, ds_text_get( &text ), text.length, &root ), DS_OK );
	const ds_json *properties = ds_json_find( root, "properties" );
	assert_int_equal( properties->count, DS_COUNT( everything_fields ) );
	assert_non_null( ds_json_find( properties, "rpy_deg" ) );
	assert_null( ds_json_find( properties, "rpy" ) );
	assert_int_equal( ds_json_find( ds_json_find( properties, "mass" ), "anyOf" )->count, DS_COUNT( masses ) );
	ds_arena_free( &arena );
	ds_text_clear( &text );
}

static void test_describe( void **state )
{
	(void)state;
	ds_text text = { 0 };
	assert_int_equal( ds_table_describe( &point_table, DS_DESCRIBE_CONFIG, "config.", 2, &text ), DS_OK );
	assert_string_equal( ds_text_get( &text ), "  config.x  number  m  (required)               east\n"
											   "  config.y  number  m  2.5         [-100, 100]  north\n" );
	ds_text_clear( &text );
	assert_int_equal( ds_table_describe( &everything_table, DS_DESCRIBE_CONFIG, "", 0, &text ), DS_OK );
	static const char *const parts[] = { "rpy_deg", "deg", "[0.001, 10000]", "  = \"normal\"", "{\"make\": \"sphere\"}",
		"mass.radius", "points[].x", "number[3x3]", "as printed" };
	for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
	{
		assert_non_null( strstr( ds_text_get( &text ), parts[i] ) );
	}
	ds_text_clear( &text );
}

// ---- arrays of alternatives ----------------------------------------------------------------------------------------

typedef struct shape_item
{
	int32_t kind;
	double radius, side;
} shape_item;

typedef struct item_list
{
	ds_array items;
} item_list;

static const ds_field item_round_fields[] = {
	{ "radius", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( shape_item, radius ), 1, 0, "m", NULL, 0, 10, "of it", NULL,
		NULL, 0, DS_ELEMENT_NONE },
};
static const ds_field item_box_fields[] = { DS_F64( shape_item, side, "m", "2", 0, 10, "of it" ) };
static const ds_table item_round_table = DS_TABLE( "round", "", shape_item, item_round_fields );
static const ds_table item_box_table = DS_TABLE( "box", "", shape_item, item_box_fields );
static const ds_choice item_kinds[] = {
	{ 5, DS_FORM_OBJECT, "round", "make", &item_round_table, "a ball" },
	{ 6, DS_FORM_OBJECT, "box", "make", &item_box_table, "a cube" },
};
static const ds_field item_fields[] = { { "", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, offsetof( shape_item, kind ), 1, 0,
	"", NULL, 0, 0, "kind of item", NULL, item_kinds, 2, DS_ELEMENT_NONE } };
static const ds_table item_table = DS_TABLE( "item", "an item", shape_item, item_fields );
static const ds_field list_fields[] = { { "items", DS_FIELD_ARRAY, 0, offsetof( item_list, items ), 1,
	sizeof( shape_item ), "", "[]", 0, 0, "things", &item_table, NULL, 0, DS_ELEMENT_NONE } };
static const ds_table list_table = DS_TABLE( "list", "a list", item_list, list_fields );

static ds_status read_list( ds_arena *arena, const char *json, item_list *list )
{
	ds_json *root;
	DS_TRY( ds_json_parse( arena, "f", 1, json, strlen( json ), &root ) );
	return ds_table_read( &list_table, root, arena, list );
}

static void test_array_of_alternatives( void **state )
{
	(void)state;
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	item_list list;
	assert_int_equal( ds_table_check( &list_table ), DS_OK );
	assert_int_equal( read_list( &arena,
						  "{\"items\": [{\"make\": \"box\"}, {\"radius\": 3, \"make\": \"round\"}, "
						  "{\"make\": \"box\", \"side\": 1}]}",
						  &list ),
		DS_OK );
	const shape_item *items = list.items.data;
	assert_true( list.items.count == 3 && items[0].kind == 6 && items[1].kind == 5 && items[2].kind == 6 );
	assert_true( items[0].side == 2 && items[1].radius == 3 && items[2].side == 1 );

	// written as it is read
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	assert_int_equal( ds_table_write( &list_table, &list, DS_WRITE_CONFIG, &w ), DS_OK );
	item_list again;
	assert_int_equal( read_list( &arena, ds_text_get( &text ), &again ), DS_OK );
	assert_memory_equal( list.items.data, again.items.data, 3 * sizeof( shape_item ) );
	ds_text_clear( &text );

	// every fault is told where it is
	static const struct
	{
		const char *json, *message;
	} faults[] = { { "[{}]", "items[0]" }, { "[{\"make\": \"bax\"}]", "did you mean \"box\"" },
		{ "[{\"make\": \"round\"}]", "the key \"radius\" is missing" },
		{ "[{\"make\": \"box\", \"radius\": 1}]", "unknown key \"radius\"" },
		{ "[{\"make\": \"box\", \"side\": 99}]", "items[0].side" }, { "[7]", "items[0]" } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		char json[128];
		snprintf( json, sizeof( json ), "{\"items\": %s}", faults[i].json );
		assert_int_not_equal( read_list( &arena, json, &list ), DS_OK );
		if ( strstr( ds_last_error(), faults[i].message ) == NULL )
		{
			print_error( "%s: %s\n", json, ds_last_error() );
			fail();
		}
	}
	ds_arena_free( &arena );

	// in the schema each is an alternative of its own; in descriptions each has its options
	ds_text_init( &text, NULL );
	w = ( ds_json_writer ){ &text, 0, 0, false, false };
	assert_int_equal( ds_table_schema( &list_table, &w ), DS_OK );
	assert_non_null( strstr( ds_text_get( &text ), "anyOf" ) );
	assert_non_null( strstr( ds_text_get( &text ), "\"const\": \"round\"" ) );
	ds_text_clear( &text );
	assert_int_equal( ds_table_describe( &list_table, DS_DESCRIBE_CONFIG, "", 0, &text ), DS_OK );
	assert_non_null( strstr( ds_text_get( &text ), "items[].radius" ) );
	assert_non_null( strstr( ds_text_get( &text ), "= {\"make\": \"box\"}" ) );
	ds_text_clear( &text );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_check ),
		cmocka_unit_test( test_defaults ),
		cmocka_unit_test( test_read ),
		cmocka_unit_test( test_variants ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_parse_text ),
		cmocka_unit_test( test_faulty_tables ),
		cmocka_unit_test( test_write ),
		cmocka_unit_test( test_columns ),
		cmocka_unit_test( test_schema ),
		cmocka_unit_test( test_describe ),
		cmocka_unit_test( test_array_of_alternatives ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
