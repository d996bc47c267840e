// Values that were made in C: checks against their table, and presets by name.

#include "world_kit.h"

#include "deepsim/field.h"

#include <math.h>

typedef struct coil
{
	double moment[3];
	char label[8];
} coil;

typedef struct device
{
	int32_t kind; // a variant: with `angle`, or with `coil` alone
	double angle;
	int32_t order;
	int64_t count;
	bool on;
	coil coil;
	ds_array coils;
	ds_array levels; // of uint16_t
	double scale; // no limits
} device;

static ds_status check_coil( const void *value )
{
	const coil *c = value;
	if ( c->label[0] == '!' )
	{
		return ds_error( DS_ERROR_RANGE, "label: expected no exclamation mark" );
	}
	return c->moment[0] <= c->moment[1] ? DS_OK : ds_error( DS_ERROR_RANGE, "moments must not fall" );
}

static const ds_field coil_fields[] = {
	DS_F64( coil, moment, "A m2", "[0, 0, 0]", -10, 10, "moment" ),
	DS_STRING( coil, label, "\"\"", "label" ),
};
static const ds_table coil_table = { "coil", "a coil", sizeof( coil ), coil_fields, DS_COUNT( coil_fields ), check_coil,
	NULL, 0 };

static const ds_field tilted_fields[] = { DS_ANGLE( device, angle, "30", 5, 60, "tilt" ) };
static const ds_table tilted_table = DS_TABLE( "tilted", "tilted", device, tilted_fields );
static const ds_choice kinds[] = {
	{ 1, DS_FORM_OBJECT, "tilted", NULL, &tilted_table, "tilted" },
	{ 4, DS_FORM_NAME, "level", NULL, NULL, "level" },
};
static const ds_choice orders[] = {
	{ 0, DS_FORM_NAME, "first", NULL, NULL, "first" },
	{ 2, DS_FORM_NAME, "second", NULL, NULL, "second" },
};
static const ds_field device_fields[] = {
	DS_VARIANT( device, kind, kinds, "\"level\"", "kind" ),
	DS_ENUM( device, order, orders, "\"first\"", "order" ),
	DS_I64( device, count, "", "1", 0, 20, "count" ),
	DS_BOOL( device, on, "false", "on" ),
	DS_STRUCT( device, coil, &coil_table, "coil" ),
	{ "coils", DS_FIELD_ARRAY, 0, offsetof( device, coils ), 1, sizeof( coil ), "", "[]", 0, 0, "coils", &coil_table,
		NULL, 0, DS_ELEMENT_NONE },
	{ "levels", DS_FIELD_ARRAY, 0, offsetof( device, levels ), 1, 0, "m", "[]", 0, 100, "levels", NULL, NULL, 0,
		DS_ELEMENT_U16 },
	{ "scale", DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( device, scale ), 1, 0, "", "1", 0, 1e301, "scale",
		NULL, NULL, 0, DS_ELEMENT_NONE },
};
static const ds_preset presets[] = {
	{ "strong", "{ \"kind\": { \"angle_deg\": 45 }, \"coil\": { \"moment\": [1, 2, 3] } }", "a strong one" },
	{ "odd", "{ \"coil\": { \"moment\": [2, 1, 3] } }", "one that its own check refuses" },
	{ "long", "{ \"coils\": [ {} ] }", "one with an array" },
};
static const ds_table device_table = { "device", "a device", sizeof( device ), device_fields, DS_COUNT( device_fields ),
	NULL, presets, DS_COUNT( presets ) };

static void refuses( const device *d, ds_status status, const char *message )
{
	assert_int_equal( ds_table_check_value( &device_table, d ), status );
	assert_string_equal( ds_last_error(), message );
}

static void test_numbers( void **state )
{
	(void)state;
	device d;
	OK( ds_table_defaults( &device_table, &d ) );
	OK( ds_table_check_value( &device_table, &d ) );
	d.count = 21;
	refuses( &d, DS_ERROR_RANGE, "count: expected an integer in [0, 20], got 21" );
	d.count = 20;
	d.scale = 0;
	refuses( &d, DS_ERROR_RANGE, "scale: expected a number > 0, got 0" );
	d.scale = INFINITY;
	refuses( &d, DS_ERROR_NOT_FINITE, "scale: expected a number > 0, got inf" );
	d.scale = 1e-300;
	d.order = 1;
	refuses( &d, DS_ERROR_RANGE, "order: expected 0 (first) or 2 (second), got 1" );
	d.order = 2;
	memset( &d.on, 7, 1 );
	refuses( &d, DS_ERROR_RANGE, "on: expected true or false, got a byte of 7" );
	d.on = true;
	OK( ds_table_check_value( &device_table, &d ) );
}

static void test_variants( void **state )
{
	(void)state;
	device d;
	OK( ds_table_defaults( &device_table, &d ) );
	d.angle = NAN; // of the alternative that is not chosen
	OK( ds_table_check_value( &device_table, &d ) );
	d.kind = 1;
	refuses( &d, DS_ERROR_NOT_FINITE, "angle: expected a number in [5, 60] deg, got nan" );
	d.angle = 1.5;
	assert_int_equal( ds_table_check_value( &device_table, &d ), DS_ERROR_RANGE );
	for ( int i = 5; i <= 60; i += 55 )
	{
		d.angle = i * ( 3.14159265358979323846 / 180 ); // limits lie inside, whatever degrees are rounded to
		OK( ds_table_check_value( &device_table, &d ) );
	}
	d.kind = 2;
	refuses( &d, DS_ERROR_RANGE, "kind: expected 1 (tilted) or 4 (level), got 2" );
}

static void test_inner_values( void **state )
{
	(void)state;
	device d;
	coil coils[3] = { 0 };
	const uint16_t levels[] = { 0, 100, 101 };
	OK( ds_table_defaults( &device_table, &d ) );
	d.coils = ( ds_array ){ coils, 3 };
	d.levels = ( ds_array ){ (void *)(uintptr_t)levels, 2 };
	OK( ds_table_check_value( &device_table, &d ) );
	d.levels.count = 3;
	refuses( &d, DS_ERROR_RANGE, "levels[2]: expected an integer in [0, 100] m, got 101" );
	d.levels.count = 0;
	coils[1].moment[2] = -11;
	refuses( &d, DS_ERROR_RANGE, "coils[1].moment[2]: expected a number in [-10, 10] A m2, got -11" );
	coils[1].moment[2] = 0;
	coils[2].moment[0] = 1;
	refuses( &d, DS_ERROR_RANGE, "coils[2]: moments must not fall" );
	coils[2].moment[0] = 0;
	coils[2].label[0] = '!';
	refuses( &d, DS_ERROR_RANGE, "coils[2].label: expected no exclamation mark" );
	memset( coils[2].label, 'x', sizeof( coils[2].label ) );
	refuses( &d, DS_ERROR_RANGE, "coils[2].label: expected at most 7 bytes and a NUL, got no NUL" );
	d.coils.data = NULL;
	refuses( &d, DS_ERROR_ARGUMENT, "coils: expected data of 3 elements, got NULL" );
	d.coils = ( ds_array ){ coils, -1 };
	assert_int_equal( ds_table_check_value( &device_table, &d ), DS_ERROR_ARGUMENT );
	d.coils = ( ds_array ){ NULL, 0 };
	d.coil.moment[1] = NAN;
	refuses( &d, DS_ERROR_NOT_FINITE, "coil.moment[1]: expected a number in [-10, 10] A m2, got nan" );
	FAILS( ds_table_check_value( NULL, &d ), DS_ERROR_ARGUMENT, "must not be NULL" );
	FAILS( ds_table_check_value( &device_table, NULL ), DS_ERROR_ARGUMENT, "must not be NULL" );
}

static void test_presets( void **state )
{
	(void)state;
	device d, plain;
	OK( ds_table_defaults( &device_table, &plain ) );
	OK( ds_table_preset( &device_table, "strong", &d ) );
	assert_true( d.kind == 1 && fabs( d.angle - 0.25 * 3.14159265358979323846 ) < 1e-15 );
	assert_true( d.coil.moment[2] == 3 && d.count == 1 && d.scale == 1 );
	memset( &d, 0x5A, sizeof( d ) );
	FAILS( ds_table_preset( &device_table, "strnog", &d ), DS_ERROR_NOT_FOUND,
		"device: expected a preset, got \"strnog\"; did you mean \"strong\"?; there are \"strong\", \"odd\" or "
		"\"long\"" );
	assert_memory_equal( &d, &plain, sizeof( d ) );
	FAILS( ds_table_preset( &device_table, "odd", &d ), DS_ERROR_RANGE, "moments must not fall" );
	FAILS( ds_table_preset( &device_table, "long", &d ), DS_ERROR_UNSUPPORTED, "no memory of its own" );
	FAILS( ds_table_preset( &coil_table, "strong", &d.coil ), DS_ERROR_NOT_FOUND, "there are none" );
	FAILS( ds_table_preset( &device_table, NULL, &d ), DS_ERROR_ARGUMENT, "must not be NULL" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_numbers ),
		cmocka_unit_test( test_variants ),
		cmocka_unit_test( test_inner_values ),
		cmocka_unit_test( test_presets ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
