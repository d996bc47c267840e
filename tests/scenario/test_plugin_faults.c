// Plugins that break their contract: every fault is an error that names the part, its type and the tick, nothing crashes,
// and the world stays readable.

#include "plugin_world.h"

typedef struct fault
{
	const char *mode;
	ds_status status;
	const char *message;
} fault;

// A world with one part of the type, which behaves for three ticks.
static ds_status make_faulty( const char *kind, const char *type, const char *mode, ds_world **world )
{
	char parts[1024];
	bool controls = strcmp( kind, "controllers" ) == 0, pushes = strcmp( kind, "actuators" ) == 0;
	snprintf( parts, sizeof( parts ),
		"'%s': [ { 'name': 'culprit', 'type': '%s', 'body': 'box', 'config': { 'mode': '%s', 'after': 3 }%s } ]%s",
		kind, type, mode, controls ? ", 'outputs': ['down']" : "",
		pushes ? "" : ", 'actuators': [ { 'name': 'down', 'type': 'thruster', 'body': 'box' } ]" );
	return try_world( STILL_BOX, parts, world );
}

// What goes wrong while the part is made is an error of the world's creation.
static void test_create( void **state )
{
	(void)state;
	static const char *const kinds[][2] = { { "sensors", "bad_sensor" }, { "actuators", "bad_actuator" },
		{ "forces", "bad_force" }, { "controllers", "bad_controller" } };
	static const fault faults[] = {
		{ "create_error", DS_ERROR_RANGE, "misbehave: this is the message of create" },
		{ "create_silent", DS_ERROR_PLUGIN, "plugin error" },
		{ "huge_state", DS_ERROR_PLUGIN, "layout" },
		{ "huge_output", DS_ERROR_PLUGIN, "layout" },
		{ "many_commands", DS_ERROR_PLUGIN, "layout" },
		{ "crossed_limits", DS_ERROR_PLUGIN, "layout" },
		{ "delay_nan", DS_ERROR_PLUGIN, "delay" },
		{ "reset_error", DS_ERROR_STATE, "misbehave: this is the message of reset" },
	};
	for ( int k = 0; k < 4; ++k )
	{
		for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
		{
			ds_world *world;
			ds_status status = make_faulty( kinds[k][0], kinds[k][1], faults[i].mode, &world );
			assert_message( status, faults[i].status, faults[i].message );
			assert_non_null( strstr( ds_last_error(), "\"culprit\"" ) );
			assert_non_null( strstr( ds_last_error(), kinds[k][1] ) );
			assert_null( world );
		}
	}
}

// Lamps that plugins fill themselves are looked at before any camera uses them.
static void test_create_lamps( void **state )
{
	(void)state;
	static const fault faults[] = { { "lamp_empty", DS_ERROR_RANGE, "lamp: the integral of profile" },
		{ "lamp_nan", DS_ERROR_NOT_FINITE, "lamp: profile" },
		{ "lamp_bright", DS_ERROR_RANGE, "lamp: the integral of profile" } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		ds_world *world;
		ds_status status = make_faulty( "actuators", "bad_actuator", faults[i].mode, &world );
		assert_message( status, faults[i].status, faults[i].message );
		assert_non_null( strstr( ds_last_error(), "\"culprit\"" ) );
		assert_null( world );
		status = make_faulty( "sensors", "bad_sensor", faults[i].mode, &world );
		assert_message( status, DS_ERROR_PLUGIN, "only actuators have lamps" );
		assert_null( world );
	}
}

// Steps to the fault: three good ticks, then an error with part, type and tick; the world stays readable, refuses to go on,
// and runs again after a reset.
static void run_fault( const char *kind, const char *type, const fault *f )
{
	ds_world *world;
	assert_ok( make_faulty( kind, type, f->mode, &world ) );
	ds_status status = ds_world_step( world, 10 );
	assert_message( status, f->status, f->message );
	assert_non_null( strstr( ds_last_error(), "\"culprit\"" ) );
	assert_non_null( strstr( ds_last_error(), type ) );
	assert_non_null( strstr( ds_last_error(), "at tick 3" ) );

	assert_near( motion_of( world, "box" ).pose.position.z, 10, 1e-9 );
	assert_true( ds_world_tick( world ) >= 2 && ds_world_tick( world ) <= 3 );
	assert_message( ds_world_step( world, 1 ), DS_ERROR_STATE, "culprit" );
	assert_ok( ds_world_reset( world, 1 ) );
	assert_ok( ds_world_step( world, 2 ) );
	ds_world_destroy( world );
}

#define COMMON                                                                                                         \
	{ "tick_error", DS_ERROR_STATE, "misbehave: this is the message of tick" },                                        \
		{ "error", DS_ERROR_STATE, "misbehave: this is the message of the plugin" },                                   \
		{ "silent", DS_ERROR_STATE, "not possible now" },                                                              \
	{                                                                                                                  \
		"strange_status", DS_ERROR_PLUGIN, ""                                                                          \
	}
#define SPANS                                                                                                          \
	{ "span_outside", DS_ERROR_PLUGIN, "span \"values\"" },                                                            \
	{                                                                                                                  \
		"span_negative", DS_ERROR_PLUGIN, "span \"values\""                                                            \
	}

static void test_sensor_faults( void **state )
{
	(void)state;
	static const fault faults[] = { COMMON, SPANS, { "look_nan", DS_ERROR_NOT_FINITE, "ray 1: look: " },
		{ "look_late", DS_ERROR_RANGE, "expected the time of a ray in [-1, 1] s, got 2" },
		{ "look_nowhere", DS_ERROR_RANGE, "ray 1: look: " },
		{ "look_stranger", DS_ERROR_TYPE, "ray 1: expected the id of a body" },
		{ "blocked_nan", DS_ERROR_NOT_FINITE, "ray 1: look: " } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		run_fault( "sensors", "bad_sensor", &faults[i] );
	}
}

static void test_effort_faults( void **state )
{
	(void)state;
	static const fault faults[] = { COMMON, { "nan", DS_ERROR_NOT_FINITE, "not finite" },
		{ "infinite", DS_ERROR_NOT_FINITE, "not finite" }, { "negative_mass", DS_ERROR_PLUGIN, "mass is negative" } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		run_fault( "actuators", "bad_actuator", &faults[i] );
		run_fault( "forces", "bad_force", &faults[i] );
	}
	static const fault lights[] = { { "light_nan", DS_ERROR_NOT_FINITE, "not finite" },
		{ "light_range", DS_ERROR_PLUGIN, "the level of the lamp must lie in [0, 1], got 1.5" } };
	for ( size_t i = 0; i < sizeof( lights ) / sizeof( lights[0] ); ++i )
	{
		run_fault( "actuators", "bad_actuator", &lights[i] );
	}
}

static void test_controller_faults( void **state )
{
	(void)state;
	static const fault faults[] = { COMMON, SPANS, { "command_nan", DS_ERROR_NOT_FINITE, "\"down\"" },
		{ "command_range", DS_ERROR_RANGE, "\"down\"" }, { "command_output", DS_ERROR_RANGE, "no output 7" },
		{ "command_count", DS_ERROR_ARGUMENT, "\"down\"" } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		run_fault( "controllers", "bad_controller", &faults[i] );
	}
}

// A table that is larger than what the part asked for still finds room: readings are never cut.
static void test_small_output( void **state )
{
	(void)state;
	ds_world *world;
	ds_status status = make_faulty( "sensors", "bad_sensor", "small_output", &world );
	assert_message( status, DS_ERROR_PLUGIN, "\"culprit\"" );
	ds_world_destroy( world );
}

// A reading that is not a number is a reading: what to make of it is its reader's affair.
static void test_reading_that_is_no_number( void **state )
{
	(void)state;
	ds_world *world;
	assert_ok( make_faulty( "sensors", "bad_sensor", "nan", &world ) );
	assert_ok( ds_world_step( world, 5 ) );
	double reading[4];
	assert_ok( ds_sensor_latest( world, find( world, DS_SENSOR, "culprit" ), NULL, reading, sizeof( reading ) ) );
	assert_true( reading[0] != reading[0] );
	ds_world_destroy( world );
}

// Worlds made in code meet the same checks.
static void test_in_code( void **state )
{
	(void)state;
	ds_registry *registry;
	assert_ok( ds_registry_create( NULL, &registry ) );
	assert_ok( ds_registry_load_plugin( registry, "misbehave.so", DEEPSIM_TEST_PLUGINS ) );
	ds_world_def def = ds_world_def_default();
	def.registry = registry;
	ds_world *world;
	assert_ok( ds_world_create( &def, &world ) );
	ds_registry_release( registry );

	ds_body_def body = ds_body_def_default();
	strcpy( body.name, "box" );
	body.mass = 1;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = body.inertia_diagonal[1] = body.inertia_diagonal[2] = 1;
	ds_id box, id;
	assert_ok( ds_body_create( world, &body, &box ) );
	ds_sensor_def sensor = ds_sensor_def_default();
	strcpy( sensor.name, "culprit" );
	strcpy( sensor.type, "bad_sensor" );
	sensor.body = box;
	struct
	{
		int32_t mode;
		int64_t after;
	} config = { 1, 0 };
	sensor.config = &config;
	assert_message( ds_sensor_create( world, &sensor, &id ), DS_ERROR_RANGE, "this is the message of create" );
	assert_int_equal( ds_world_count( world, DS_SENSOR ), 0 );
	sensor.config = NULL;
	assert_ok( ds_sensor_create( world, &sensor, &id ) );
	assert_ok( ds_world_step( world, 5 ) );
	strcpy( sensor.type, "bad_sensr" );
	strcpy( sensor.name, "other" );
	assert_message( ds_sensor_create( world, &sensor, &id ), DS_ERROR_NOT_FOUND, "did you mean \"bad_sensor\"?" );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_create ),
		cmocka_unit_test( test_create_lamps ),
		cmocka_unit_test( test_sensor_faults ),
		cmocka_unit_test( test_effort_faults ),
		cmocka_unit_test( test_controller_faults ),
		cmocka_unit_test( test_small_output ),
		cmocka_unit_test( test_reading_that_is_no_number ),
		cmocka_unit_test( test_in_code ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
