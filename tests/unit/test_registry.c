// The registry: built-in types, the checks of a type that is added, and plugins loaded from shared objects.

#include "deepsim/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// Allocations that are not given back, and a log.
typedef struct surroundings
{
	int64_t blocks, bytes;
	int64_t fail_after; // allocations that succeed; -1: all
	char log[512];
} surroundings;

static void *count_allocate( void *user, size_t size, size_t alignment )
{
	surroundings *s = user;
	if ( s->fail_after == 0 )
	{
		return NULL;
	}
	s->fail_after -= s->fail_after > 0;
	s->blocks += 1;
	s->bytes += (int64_t)size;
	return aligned_alloc( alignment, size );
}

static void count_release( void *user, void *memory, size_t size )
{
	surroundings *s = user;
	s->blocks -= 1;
	s->bytes -= (int64_t)size;
	free( memory );
}

static void keep_log( void *user, ds_log_level level, const char *message )
{
	surroundings *s = user;
	snprintf( s->log, sizeof( s->log ), "%d %s", (int)level, message );
}

static ds_hooks hooks_of( surroundings *s )
{
	memset( s, 0, sizeof( *s ) );
	s->fail_after = -1;
	return ( ds_hooks ){ { count_allocate, count_release, s }, keep_log, s };
}

static void assert_ok( ds_status status )
{
	if ( status != DS_OK )
	{
		fail_msg( "%s: %s", ds_status_name( status ), ds_last_error() );
	}
}

static void assert_error( ds_status status, ds_status expected, const char *message )
{
	if ( status != expected || strstr( ds_last_error(), message ) == NULL )
	{
		fail_msg( "expected %s with \"%s\", got %s: %s", ds_status_name( expected ), message, ds_status_name( status ),
			ds_last_error() );
	}
}

static ds_registry *new_registry( void )
{
	ds_registry *registry;
	assert_ok( ds_registry_create( NULL, &registry ) );
	return registry;
}

// ---- built-in types and life -------------------------------------------------------------------------------------

static void test_builtin_types( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	static const struct
	{
		ds_kind kind;
		const char *name;
	} builtin[] = { { DS_SENSOR, "adcp" }, { DS_SENSOR, "ahrs" }, { DS_SENSOR, "altimeter" }, { DS_SENSOR, "camera" },
		{ DS_SENSOR, "contact" }, { DS_SENSOR, "ctd" }, { DS_SENSOR, "depth" }, { DS_SENSOR, "dvl" },
		{ DS_SENSOR, "gnss" }, { DS_SENSOR, "imu" }, { DS_SENSOR, "lbl" }, { DS_SENSOR, "magnetometer" },
		{ DS_SENSOR, "odometry" }, { DS_SENSOR, "pressure" }, { DS_SENSOR, "usbl" }, { DS_ACTUATOR, "lamp" },
		{ DS_ACTUATOR, "thruster" }, { DS_ACTUATOR, "track" }, { DS_ACTUATOR, "wheel" } };
	const int32_t count = (int32_t)( sizeof( builtin ) / sizeof( builtin[0] ) );
	assert_int_equal( ds_registry_count( registry ), count );
	for ( int32_t i = 0; i < count; ++i )
	{
		const ds_type *type = ds_registry_find( registry, builtin[i].kind, builtin[i].name );
		assert_non_null( type );
		assert_string_equal( type->name, builtin[i].name );
		assert_ptr_equal( ds_registry_at( registry, i ), type );
	}
	assert_null( ds_registry_find( registry, DS_ACTUATOR, "odometry" ) );
	assert_null( ds_registry_find( registry, DS_SENSOR, "Odometry" ) );
	assert_null( ds_registry_find( registry, DS_SENSOR, NULL ) );
	assert_null( ds_registry_at( registry, -1 ) );
	assert_null( ds_registry_at( registry, ds_registry_count( registry ) ) );
	ds_registry_release( registry );
}

static void test_kind_names( void **state )
{
	(void)state;
	static const char *const names[] = { "sensor", "actuator", "force", "controller", "body", "joint" };
	for ( int i = 0; i < 6; ++i )
	{
		assert_string_equal( ds_kind_name( (ds_kind)( DS_SENSOR + i ) ), names[i] );
	}
	assert_string_equal( ds_kind_name( (ds_kind)0 ), "unknown kind" );
	assert_string_equal( ds_kind_name( (ds_kind)-7 ), "unknown kind" );
}

static void test_references_and_memory( void **state )
{
	(void)state;
	surroundings s;
	ds_hooks hooks = hooks_of( &s );
	ds_registry *registry;
	assert_ok( ds_registry_create( &hooks, &registry ) );
	assert_ok( ds_registry_load_plugin( registry, DEEPSIM_TEST_PLUGINS "/tether.so", NULL ) );
	assert_non_null( strstr( s.log, "loaded the plugin " DEEPSIM_TEST_PLUGINS "/tether.so" ) );
	assert_ptr_equal( ds_registry_retain( registry ), registry );
	ds_registry_release( registry );
	assert_string_equal( ds_registry_find( registry, DS_FORCE, "tether" )->name, "tether" );
	assert_true( s.blocks > 0 );
	ds_registry_release( registry );
	assert_int_equal( s.blocks, 0 );
	assert_int_equal( s.bytes, 0 );
	assert_null( ds_registry_retain( NULL ) );
	ds_registry_release( NULL );
	assert_error( ds_registry_create( NULL, NULL ), DS_ERROR_ARGUMENT, "registry" );
}

// Memory that ends anywhere is an error, and nothing is lost.
static void test_out_of_memory( void **state )
{
	(void)state;
	surroundings s;
	ds_hooks hooks = hooks_of( &s );
	bool made = false;
	for ( int64_t n = 0; n < 20 && !made; ++n )
	{
		hooks_of( &s );
		s.fail_after = n;
		ds_registry *registry;
		ds_status status = ds_registry_create( &hooks, &registry );
		if ( status == DS_OK )
		{
			status = ds_registry_load_plugin( registry, DEEPSIM_TEST_PLUGINS "/range_fan.so", NULL );
			made = status == DS_OK;
			assert_true( made == ( ds_registry_find( registry, DS_SENSOR, "range_fan" ) != NULL ) );
			ds_registry_release( registry );
		}
		assert_true( made || status == DS_ERROR_MEMORY );
		assert_int_equal( s.blocks, 0 );
	}
	assert_true( made );
}

// ---- checks of a type --------------------------------------------------------------------------------------------

static ds_status any_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	(void)model;
	return DS_OK;
}

static ds_status any_sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	(void)context;
	(void)output;
	return DS_OK;
}

static ds_status any_effort( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	(void)context;
	(void)effort;
	return DS_OK;
}

typedef struct plain
{
	double value;
	ds_span span;
	ds_array array;
} plain;

static const ds_field plain_fields[] = { DS_F64( plain, value, "m", "1", 0, 10, "a number" ) };
static const ds_table plain_table = DS_TABLE( "plain", "a table", plain, plain_fields );

static ds_type good_type( ds_kind kind )
{
	bool pushes = kind == DS_ACTUATOR || kind == DS_FORCE;
	return ( ds_type ){ .abi_version = DS_ABI_VERSION,
		.struct_size = sizeof( ds_type ),
		.kind = kind,
		.name = "mine",
		.doc = "a type of the test",
		.config = &plain_table,
		.create = any_create,
		.sample = pushes ? NULL : any_sample,
		.effort = pushes ? any_effort : NULL };
}

// Adds a type that must be refused; the registry stays as it was.
static void refuse( ds_registry *registry, const ds_type *type, ds_status expected, const char *message )
{
	int32_t count = ds_registry_count( registry );
	assert_error( ds_registry_add( registry, type ), expected, message );
	assert_int_equal( ds_registry_count( registry ), count );
}

static void test_good_types_are_added( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	ds_type types[4];
	int32_t count = ds_registry_count( registry );
	for ( int i = 0; i < 4; ++i )
	{
		// a name is taken within its kind alone
		types[i] = good_type( (ds_kind)( DS_SENSOR + i ) );
		assert_ok( ds_registry_add( registry, &types[i] ) );
		assert_ptr_equal( ds_registry_find( registry, types[i].kind, "mine" ), &types[i] );
		assert_ptr_equal( ds_registry_at( registry, count + i ), &types[i] );
	}
	refuse( registry, &types[2], DS_ERROR_DUPLICATE, "force type \"mine\": there is one of this name already" );
	ds_type pressure = good_type( DS_SENSOR );
	pressure.name = "pressure";
	refuse( registry, &pressure, DS_ERROR_DUPLICATE, "sensor type \"pressure\"" );
	refuse( registry, NULL, DS_ERROR_ARGUMENT, "type must not be NULL" );
	assert_error( ds_registry_add( NULL, &pressure ), DS_ERROR_ARGUMENT, "registry" );
	ds_registry_release( registry );
}

static void test_interface_is_checked( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	ds_type type = good_type( DS_SENSOR );
	type.abi_version = DS_ABI_VERSION + 1;
	type.name = (const char *)16; // of another version's table nothing may be read
	refuse(
		registry, &type, DS_ERROR_PLUGIN, "a type was built for version 5 of the plugin interface, this library has" );
	type = good_type( DS_SENSOR );
	type.struct_size -= 8;
	type.name = (const char *)16;
	refuse( registry, &type, DS_ERROR_PLUGIN, "struct_size" );

	static const int kinds[] = { 0, -1, DS_BODY, DS_JOINT, 100 };
	for ( int i = 0; i < 5; ++i )
	{
		type = good_type( DS_SENSOR );
		type.kind = (ds_kind)kinds[i];
		refuse( registry, &type, DS_ERROR_PLUGIN, "expected DS_SENSOR, DS_ACTUATOR, DS_FORCE or DS_CONTROLLER" );
	}

	static const char long_name[] = "a123456789012345678901234567890123456789012345678901234567890123";
	const char *names[] = { NULL, "", "1a", "_a", "a-b", "a b", "a/b", "\xc3\xa4", "a.", long_name };
	for ( int i = 0; i < 10; ++i )
	{
		type = good_type( DS_SENSOR );
		type.name = names[i];
		refuse( registry, &type, DS_ERROR_PLUGIN, "expected a letter, then letters, digits and _, at most 63 in all" );
	}
	type.name = long_name + 1;
	refuse( registry, &type, DS_ERROR_PLUGIN, "expected a letter" );
	static const char *const good[] = { "a", "Z9_", "a12345678901234567890123456789012345678901234567890123456789012" };
	ds_type named[3];
	for ( int i = 0; i < 3; ++i )
	{
		named[i] = good_type( DS_SENSOR );
		named[i].name = good[i];
		assert_ok( ds_registry_add( registry, &named[i] ) );
	}
	type = good_type( DS_SENSOR );
	type.doc = NULL;
	refuse( registry, &type, DS_ERROR_PLUGIN, "sensor type \"mine\": it has no doc" );
	ds_registry_release( registry );
}

static void test_functions_are_checked( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	ds_type type = good_type( DS_SENSOR );
	type.sample = NULL;
	refuse( registry, &type, DS_ERROR_PLUGIN, "sensor type \"mine\": it has no sample function, which every sensor" );
	type = good_type( DS_CONTROLLER );
	type.sample = NULL;
	refuse( registry, &type, DS_ERROR_PLUGIN, "it has no sample function, which every controller needs" );
	type = good_type( DS_ACTUATOR );
	type.effort = NULL;
	refuse( registry, &type, DS_ERROR_PLUGIN, "it has no effort function, which every actuator needs" );
	type = good_type( DS_FORCE );
	type.effort = NULL;
	refuse( registry, &type, DS_ERROR_PLUGIN, "it has no effort function, which every force needs" );
	type = good_type( DS_SENSOR );
	type.effort = any_effort;
	refuse( registry, &type, DS_ERROR_PLUGIN, "only actuators and forces push" );
	type = good_type( DS_FORCE );
	type.create = NULL;
	refuse( registry, &type, DS_ERROR_PLUGIN, "it has no create function" );
	type = good_type( DS_FORCE );
	type.output = &plain_table;
	refuse( registry, &type, DS_ERROR_PLUGIN, "it has an output table, but no sample function" );
	ds_registry_release( registry );
}

static void test_tables_are_checked( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	static const ds_field outside[] = { { "value", DS_FIELD_F64, 0, sizeof( plain ), 1, 0, "m", "1", 0, 10,
		"beyond the struct", NULL, NULL, 0, DS_ELEMENT_NONE } };
	static const ds_field bad_default[] = { DS_F64( plain, value, "m", "11", 0, 10, "a number" ) };
	static const ds_field twice[] = { DS_F64( plain, value, "m", "1", 0, 10, "a number" ),
		DS_F64( plain, value, "m", "1", 0, 10, "a number" ) };
	static const ds_field span[] = { DS_SPAN( plain, span, DS_ELEMENT_F64, "m", "numbers" ) };
	static const ds_field array[] = { { "array", DS_FIELD_ARRAY, 0, offsetof( plain, array ), 1, sizeof( double ), "m",
		NULL, 0, 0, "numbers", NULL, NULL, 0, DS_ELEMENT_F64 } };
	static const ds_table tables[] = { DS_TABLE( "outside", "t", plain, outside ),
		DS_TABLE( "bad_default", "t", plain, bad_default ), DS_TABLE( "twice", "t", plain, twice ),
		DS_TABLE( "span", "t", plain, span ), DS_TABLE( "array", "t", plain, array ) };

	// a span in a struct in a config is found too
	static const ds_field nested[] = { { "inner", DS_FIELD_STRUCT, 0, 0, 1, sizeof( plain ), "", "{}", 0, 0, "a struct",
		&tables[3], NULL, 0, DS_ELEMENT_NONE } };
	static const ds_table nested_table = DS_TABLE( "nested", "t", plain, nested );

	ds_type type = good_type( DS_SENSOR );
	static const char *const messages[] = { "value", "value", "value" };
	for ( int i = 0; i < 3; ++i )
	{
		type.config = &tables[i];
		int32_t count = ds_registry_count( registry );
		assert_int_not_equal( ds_registry_add( registry, &type ), DS_OK );
		assert_non_null( strstr( ds_last_error(), "sensor type \"mine\": config: " ) );
		assert_non_null( strstr( ds_last_error(), messages[i] ) );
		assert_int_equal( ds_registry_count( registry ), count );
	}
	type.config = &tables[3];
	refuse( registry, &type, DS_ERROR_TYPE, "config: field \"span\": spans belong to readings" );
	type.config = &nested_table;
	refuse( registry, &type, DS_ERROR_TYPE, "config: field \"span\": spans belong to readings" );
	type.config = NULL;
	type.output = &tables[4];
	refuse( registry, &type, DS_ERROR_TYPE, "output: field \"array\": a reading is one flat block" );
	type.output = &tables[0];
	assert_int_not_equal( ds_registry_add( registry, &type ), DS_OK );
	assert_non_null( strstr( ds_last_error(), "sensor type \"mine\": output: " ) );
	type.output = &tables[3];
	assert_ok( ds_registry_add( registry, &type ) );
	ds_registry_release( registry );
}

// ---- plugins -----------------------------------------------------------------------------------------------------

static const struct
{
	const char *file;
	ds_kind kind;
	const char *name;
} plugins[] = { { "range_fan.so", DS_SENSOR, "range_fan" }, { "ballast_tank.so", DS_ACTUATOR, "ballast_tank" },
	{ "tether.so", DS_FORCE, "tether" }, { "depth_hold.so", DS_CONTROLLER, "depth_hold" } };

static void test_plugins_of_each_kind( void **state )
{
	(void)state;
	ds_registry *registry = new_registry(), *other = new_registry();
	int32_t count = ds_registry_count( registry );
	for ( int i = 0; i < 4; ++i )
	{
		assert_ok( ds_registry_load_plugin( registry, plugins[i].file, DEEPSIM_TEST_PLUGINS ) );
		assert_int_equal( ds_registry_count( registry ), count + i + 1 );
		const ds_type *type = ds_registry_find( registry, plugins[i].kind, plugins[i].name );
		assert_non_null( type );
		assert_ptr_equal( type, ds_registry_at( registry, count + i ) );
		assert_non_null( type->config );
		assert_non_null( type->output );
	}

	// another registry has its own types; the shared object stays as long as one of the two needs it
	assert_int_equal( ds_registry_count( other ), count );
	assert_ok( ds_registry_load_plugin( other, "tether.so", DEEPSIM_TEST_PLUGINS ) );
	ds_registry_release( registry );
	assert_string_equal( ds_registry_find( other, DS_FORCE, "tether" )->config->fields[0].name, "anchor" );
	ds_registry_release( other );
}

static void test_loading_twice( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	assert_ok( ds_registry_load_plugin( registry, "tether.so", DEEPSIM_TEST_PLUGINS ) );
	int32_t count = ds_registry_count( registry );
	assert_ok( ds_registry_load_plugin( registry, "tether.so", DEEPSIM_TEST_PLUGINS ) );
	assert_ok( ds_registry_load_plugin( registry, DEEPSIM_TEST_PLUGINS "/../plugins/tether.so", NULL ) );
	unlink( "same.so" );
	assert_int_equal( symlink( DEEPSIM_TEST_PLUGINS "/tether.so", "same.so" ), 0 );
	assert_ok( ds_registry_load_plugin( registry, "./same.so", NULL ) );
	assert_int_equal( ds_registry_count( registry ), count );
	ds_registry_release( registry );
}

// Where a plugin is looked for, and what is said when it is nowhere.
static void test_search( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	unsetenv( "DEEPSIM_PLUGIN_PATH" );
	assert_error( ds_registry_load_plugin( registry, "tether.so", "/nowhere" ), DS_ERROR_NOT_FOUND,
		"cannot find the plugin \"tether.so\"; looked for /nowhere/tether.so, DEEPSIM_PLUGIN_PATH (not set), the "
		"system's libraries (" );
	setenv( "DEEPSIM_PLUGIN_PATH", "/first:/second/", 1 );
	assert_error( ds_registry_load_plugin( registry, "tether.so", "dir/" ), DS_ERROR_NOT_FOUND,
		"looked for dir/tether.so, /first/tether.so, /second/tether.so, the system's libraries (" );
	setenv( "DEEPSIM_PLUGIN_PATH", "/first::" DEEPSIM_TEST_PLUGINS ":/last", 1 );
	assert_ok( ds_registry_load_plugin( registry, "tether.so", NULL ) );
	unsetenv( "DEEPSIM_PLUGIN_PATH" );

	// with a slash: from the directory, then from the current one, and not along the path
	setenv( "DEEPSIM_PLUGIN_PATH", DEEPSIM_TEST_PLUGINS, 1 );
	assert_error( ds_registry_load_plugin( registry, "./depth_hold.so", "/nowhere" ), DS_ERROR_NOT_FOUND,
		"cannot find the plugin \"./depth_hold.so\"; looked for /nowhere/depth_hold.so, ./depth_hold.so" );
	unsetenv( "DEEPSIM_PLUGIN_PATH" );
	assert_ok( ds_registry_load_plugin( registry, "../plugins/depth_hold.so", DEEPSIM_TEST_PLUGINS ) );
	assert_error( ds_registry_load_plugin( registry, "/nowhere/x.so", DEEPSIM_TEST_PLUGINS ), DS_ERROR_NOT_FOUND,
		"looked for /nowhere/x.so" );

	// a bare name in the current directory, given as a directory
	unlink( "local.so" );
	assert_int_equal( symlink( DEEPSIM_TEST_PLUGINS "/range_fan.so", "local.so" ), 0 );
	assert_ok( ds_registry_load_plugin( registry, "local.so", "." ) );
	assert_non_null( ds_registry_find( registry, DS_SENSOR, "range_fan" ) );

	// a search path that is too long for the message
	char path[6000];
	memset( path, 'd', sizeof( path ) );
	for ( size_t i = 0; i < sizeof( path ); i += 40 )
	{
		path[i] = ':';
	}
	path[sizeof( path ) - 1] = 0;
	setenv( "DEEPSIM_PLUGIN_PATH", path, 1 );
	assert_error( ds_registry_load_plugin( registry, "absent.so", NULL ), DS_ERROR_NOT_FOUND, "..., the system's" );
	unsetenv( "DEEPSIM_PLUGIN_PATH" );
	assert_error( ds_registry_load_plugin( registry, "", NULL ), DS_ERROR_ARGUMENT, "path" );
	assert_error( ds_registry_load_plugin( NULL, "x.so", NULL ), DS_ERROR_ARGUMENT, "registry" );
	ds_registry_release( registry );
}

static void test_files_that_are_no_plugins( void **state )
{
	(void)state;
	ds_registry *registry = new_registry();
	FILE *file = fopen( "text.so", "w" );
	assert_non_null( file );
	fputs( "this is no shared object\n", file );
	fclose( file );
	assert_error( ds_registry_load_plugin( registry, "text.so", "." ), DS_ERROR_PLUGIN,
		"cannot load the plugin \"./text.so\": " );
	mkdir( "folder.so", 0777 );
	assert_error( ds_registry_load_plugin( registry, "folder.so", "." ), DS_ERROR_PLUGIN,
		"cannot load the plugin \"./folder.so\": " );
	assert_error( ds_registry_load_plugin( registry, "no_symbol.so", DEEPSIM_TEST_PLUGINS ), DS_ERROR_PLUGIN,
		"does not export ds_plugin_register" );
	ds_registry_release( registry );
}

// A registration that fails takes back what it added, and the registry works on.
static void test_failed_registrations( void **state )
{
	(void)state;
	static const struct
	{
		const char *how;
		ds_status status;
		const char *message;
	} cases[] = {
		{ "abi", DS_ERROR_PLUGIN, "misbehave.so\": a type was built for version 5 of the plugin interface" },
		{ "size", DS_ERROR_PLUGIN, "struct_size" },
		{ "table", DS_ERROR_RANGE, "sensor type \"changed\": config: table faulty_config" },
		{ "nothing", DS_ERROR_PLUGIN, "it registered no type" },
		{ "error", DS_ERROR_UNSUPPORTED, "misbehave.so\": misbehave: this is the message of the registration" },
		{ "silent", DS_ERROR_UNSUPPORTED, "ds_plugin_register failed without a message (not supported)" },
		{ "status", DS_ERROR_PLUGIN, "ds_plugin_register returned -5, which is no status" },
	};
	ds_registry *registry = new_registry();
	int32_t count = ds_registry_count( registry );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		setenv( "DEEPSIM_MISBEHAVE", cases[i].how, 1 );
		assert_error( ds_registry_load_plugin( registry, "misbehave.so", DEEPSIM_TEST_PLUGINS ), cases[i].status,
			cases[i].message );
		assert_int_equal( ds_registry_count( registry ), count );
		assert_null( ds_registry_find( registry, DS_SENSOR, "bad_sensor" ) );
	}
	unsetenv( "DEEPSIM_MISBEHAVE" );
	assert_ok( ds_registry_load_plugin( registry, "misbehave.so", DEEPSIM_TEST_PLUGINS ) );
	assert_int_equal( ds_registry_count( registry ), count + 4 );
	ds_registry_release( registry );
}

int main( void )
{
	if ( chdir( DEEPSIM_TEST_TMP ) != 0 )
	{
		return 1;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_builtin_types ),
		cmocka_unit_test( test_kind_names ),
		cmocka_unit_test( test_references_and_memory ),
		cmocka_unit_test( test_out_of_memory ),
		cmocka_unit_test( test_good_types_are_added ),
		cmocka_unit_test( test_interface_is_checked ),
		cmocka_unit_test( test_functions_are_checked ),
		cmocka_unit_test( test_tables_are_checked ),
		cmocka_unit_test( test_plugins_of_each_kind ),
		cmocka_unit_test( test_loading_twice ),
		cmocka_unit_test( test_search ),
		cmocka_unit_test( test_files_that_are_no_plugins ),
		cmocka_unit_test( test_failed_registrations ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
