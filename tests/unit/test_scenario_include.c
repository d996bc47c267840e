// Includes: merging, prefixes, poses, set, relative paths, cycles and limits.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/scenario.h"
#include "scenario_text.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_folder( const char *name )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/%s", DEEPSIM_TEST_TMP, name );
	mkdir( path, 0777 );
}

static void expect_loaded( const char *name, ds_scenario **s )
{
	ds_status status = load_file( name, s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
}

static void expect_error( const char *name, ds_status status, const char *message )
{
	ds_scenario *s;
	assert_int_equal( load_file( name, &s ), status );
	assert_null( s );
	assert_string_equal( short_error(), message );
}

// A tetrahedron of edge 1 along the axes, wound outward.
static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void write_vehicle( void )
{
	make_folder( "vehicles" );
	make_folder( "vehicles/meshes" );
	write_file( "vehicles/meshes/hull.obj", tetrahedron );
	write_file( "vehicles/auv.json",
		"{ \"deepsim\": 1, \"rate\": 50, \"environment\": { \"gravity\": 9, \"water\": { \"density\": 900 } },\n"
		"\"bodies\": [ { \"name\": \"hull\", \"mesh\": { \"file\": \"meshes/hull.obj\" }, \"mass\": 100,\n"
		"  \"pose\": { \"position\": [1, 0, 0] }, \"velocity\": { \"linear\": [1, 0, 0] } },\n"
		"  { \"name\": \"fin\", \"mass\": 1, \"inertia\": [1, 1, 1] } ],\n"
		"\"joints\": [ { \"name\": \"hinge\", \"type\": \"hinge\", \"body_a\": \"hull\", \"body_b\": \"fin\" },\n"
		"  { \"name\": \"anchor\", \"type\": \"ball\", \"body_b\": \"hull\", \"frame\": { \"position\": [0, 0, 1] } } "
		"],\n"
		"\"actuators\": [ { \"name\": \"prop\", \"type\": \"thruster\", \"body\": \"hull\" } ],\n"
		"\"sensors\": [ { \"name\": \"depth\", \"type\": \"pressure\", \"body\": \"hull\", \"inputs\": { \"a\": "
		"\"odo\" } },\n"
		"  { \"name\": \"odo\", \"type\": \"odometry\", \"body\": \"fin\" } ],\n"
		"\"commands\": [ { \"t\": 1, \"actuator\": \"prop\", \"value\": 1 } ] }\n" );
}

static void test_merge( void **state )
{
	(void)state;
	write_vehicle();
	write_file( "main.json", "{ \"deepsim\": 1, \"include\": [\"vehicles/auv.json\"], \"duration\": 7,\n"
							 "\"environment\": { \"gravity\": 9.5 },\n"
							 "\"bodies\": [ { \"name\": \"buoy\", \"mass\": 2, \"inertia\": [1, 1, 1] } ] }\n" );
	ds_scenario *s;
	expect_loaded( "main.json", &s );
	assert_true( s->duration == 7 && s->rate == 50 );
	// objects are merged by key, and the including file wins
	assert_true( s->environment.gravity == 9.5 && s->environment.density == 900 );
	// arrays: what is included comes first
	assert_int_equal( s->body_count, 3 );
	assert_string_equal( s->bodies[0].name, "hull" );
	assert_string_equal( s->bodies[2].name, "buoy" );
	// the mesh was found from the file that names it, and can be found again from where the main file is
	assert_int_equal( ds_mesh_measure( s->bodies[0].mesh ).faces, 4 );
	assert_non_null( strstr( s->json, "\"vehicles/meshes/hull.obj\"" ) );
	ds_scenario_release( s );
}

static void test_prefix( void **state )
{
	(void)state;
	write_vehicle();
	make_folder( "runs" );
	write_file( "runs/two.json", "{ \"deepsim\": 1, \"include\": [\n"
								 "{ \"file\": \"../vehicles/auv.json\", \"prefix\": \"left\" },\n"
								 "{ \"file\": \"../vehicles/auv.json\", \"prefix\": \"right/\" } ],\n"
								 "\"commands\": [ { \"t\": 0, \"actuator\": \"right/prop\", \"value\": 0.5 } ] }\n" );
	ds_scenario *s;
	expect_loaded( "runs/two.json", &s );
	assert_true( s->body_count == 4 && s->sensor_count == 4 && s->command_count == 3 && s->joint_count == 4 );
	assert_string_equal( s->bodies[0].name, "left/hull" );
	assert_string_equal( s->bodies[3].name, "right/fin" );
	assert_string_equal( s->sensors[2].def.name, "right/depth" );
	assert_string_equal( s->sensors[2].def.inputs[0].name, "a" );
	assert_string_equal( s->sensors[2].def.inputs[0].source, "right/odo" );
	assert_true( s->sensors[2].body == 2 && s->sensors[3].body == 3 );
	assert_true( s->joints[2].body_a == 2 && s->joints[2].body_b == 3 && s->joints[3].body_a == -1 );
	assert_true( s->actuators[1].body == 2 );
	assert_true( s->commands[0].t == 0 && s->commands[0].actuator == 1 && s->commands[1].actuator == 0 );
	// one mesh for both
	assert_ptr_equal( s->bodies[0].mesh, s->bodies[2].mesh );
	ds_scenario_release( s );
}

// The pose moves bodies, turns velocities, and takes along joints to the world.
static void test_pose( void **state )
{
	(void)state;
	write_vehicle();
	write_file( "moved.json", "{ \"deepsim\": 1, \"include\": [ { \"file\": \"vehicles/auv.json\",\n"
							  "\"pose\": { \"position\": [10, 20, 30], \"rpy_deg\": [0, 0, 90] } } ] }\n" );
	ds_scenario *s;
	expect_loaded( "moved.json", &s );
	// 1 m north in the file, turned by 90 degrees about down: 1 m east
	ds_vec3 p = s->bodies[0].pose.position, v = s->bodies[0].velocity.linear, f = s->bodies[1].pose.position;
	assert_float_equal( p.x, 10, 1e-12 );
	assert_float_equal( p.y, 21, 1e-12 );
	assert_float_equal( p.z, 30, 1e-12 );
	assert_float_equal( v.x, 0, 1e-15 );
	assert_float_equal( v.y, 1, 1e-15 );
	assert_true( f.x == 10 && f.y == 20 && f.z == 30 );
	assert_float_equal( s->bodies[0].pose.attitude.z, sqrt( 0.5 ), 1e-12 );
	assert_float_equal( s->joints[1].def.frame.position.z, 31, 1e-12 );
	assert_true( s->joints[0].def.frame.position.z == 0 );
	ds_scenario_release( s );
}

// "set" changes the included file's own contents, by its own names; then comes the pose; --set is last.
static void test_set_and_order( void **state )
{
	(void)state;
	write_vehicle();
	write_file( "set.json", "{ \"deepsim\": 1, \"include\": [ { \"file\": \"vehicles/auv.json\", \"prefix\": \"a\",\n"
							"\"set\": { \"bodies.hull.mass\": 200, \"bodies.hull.pose.position[0]\": 5, "
							"\"sensors[1].config\": { \"position_noise\": "
							"2 },\n"
							"  \"environment.gravity\": 1, \"bodies.fin.mass\": 3 },\n"
							"\"pose\": { \"position\": [100, 0, 0] } } ], \"environment\": { \"gravity\": 2 } }\n" );
	char path[1024];
	snprintf( path, sizeof( path ), "%s/set.json", DEEPSIM_TEST_TMP );
	const char *overrides[] = { "bodies.a/fin.mass=4", "rate=99" };
	ds_scenario *s;
	ds_status status = ds_scenario_load( path, overrides, 2, NULL, &s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	assert_true( s->bodies[0].mass == 200 && s->bodies[1].mass == 4 && s->rate == 99 );
	assert_true( s->bodies[0].pose.position.x == 105 );
	assert_true( s->environment.gravity == 2 );
	assert_true( ( (const ds_odometry_config *)s->sensors[1].def.config )->position_noise == 2 );
	ds_scenario_release( s );
}

static void test_nested_paths( void **state )
{
	(void)state;
	write_vehicle();
	make_folder( "fleet" );
	write_file( "fleet/fleet.json",
		"{ \"deepsim\": 1, \"include\": [ { \"file\": \"../vehicles/auv.json\", \"prefix\": \"one\" } ] }" );
	write_file( "fleet/plan.json",
		"{ \"deepsim\": 1, \"commands\": [ { \"t\": 3, \"actuator\": \"f/one/prop\", \"value\": 0 } ] }" );
	write_file( "nested.json",
		"{ \"deepsim\": 1, \"include\": [ { \"file\": \"./fleet/fleet.json\", \"prefix\": \"f\" }, "
		"\"fleet/plan.json\" ] }" );
	ds_scenario *s;
	expect_loaded( "nested.json", &s );
	assert_string_equal( s->bodies[0].name, "f/one/hull" );
	assert_non_null( strstr( s->json, "\"fleet/../vehicles/meshes/hull.obj\"" ) );
	assert_int_equal( s->command_count, 2 );
	ds_scenario_release( s );

	// from another current folder, by a relative path
	char before[1024];
	assert_non_null( getcwd( before, sizeof( before ) ) );
	assert_int_equal( chdir( DEEPSIM_TEST_TMP "/fleet" ), 0 );
	ds_status status = ds_scenario_load( "../nested.json", NULL, 0, NULL, &s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	ds_scenario_release( s );
	assert_int_equal( ds_scenario_load( "fleet.json", NULL, 0, NULL, &s ), DS_OK );
	ds_scenario_release( s );
	assert_int_equal( chdir( before ), 0 );
}

// Errors name the file and the line where the fault is, not where it was taken in.
static void test_places( void **state )
{
	(void)state;
	write_file( "part.json", "{ \"deepsim\": 1,\n\"bodies\": [ { \"name\": \"b\",\n\"mass\": \"heavy\" } ] }" );
	write_file( "whole.json", "{ \"deepsim\": 1, \"include\": [\"part.json\"],\n"
							  "\"bodies\": [ { \"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1] } ] }" );
	expect_error( "whole.json", DS_ERROR_TYPE,
		"part.json:3: bodies[0].mass: expected a number in [0, 1000000000000] kg, got \"heavy\"" );
	write_file( "part.json", "{ \"deepsim\": 1,\n\"bodies\": [ { \"name\": \"a\",\n\"mass\": 1 } ] }" );
	expect_error( "whole.json", DS_ERROR_DUPLICATE,
		"whole.json:2: bodies[0].name: there are two bodies named \"a\" (the first in part.json, line 2); an include "
		"takes "
		"\"prefix\", \"pose\" and \"set\"" );
	write_file( "part.json", "{ \"deepsim\": 1,\n\"bodies\": [ }" );
	expect_error( "whole.json", DS_ERROR_FORMAT, "part.json:2: expected a value, got '}'" );
	write_file( "part.json", "{ \"bodies\": [] }" );
	expect_error( "whole.json", DS_ERROR_NOT_FOUND,
		"part.json:1: the key \"deepsim\" is missing: a scenario says \"deepsim\": 1" );
	write_file( "part.json",
		"{ \"deepsim\": 1,\n\"bodies\": [ { \"name\": \"m\", \"mass\": 1, \"mesh\": { \"file\": \"no.obj\" } } ] }" );
	ds_scenario *s;
	assert_int_equal( load_file( "whole.json", &s ), DS_ERROR_IO );
	assert_true( strncmp( short_error(), "part.json:2: bodies[0].mesh: ", 29 ) == 0 );
}

static void test_bad_includes( void **state )
{
	(void)state;
	static const struct
	{
		const char *include;
		ds_status status;
		const char *message;
	} cases[] = {
		{ "\"part.json\"", DS_ERROR_TYPE,
			"bad.json:2: include: expected an array of paths or objects {\"file\": ...}, got \"part.json\"" },
		{ "[1]", DS_ERROR_TYPE, "bad.json:2: include[0]: expected a path or an object {\"file\": ...}, got 1" },
		{ "[\"gone.json\"]", DS_ERROR_IO,
			"bad.json:2: include[0]: cannot open the file \"gone.json\": No such file or directory" },
		{ "[{}]", DS_ERROR_NOT_FOUND, "bad.json:2: include[0]: the key \"file\" is missing: the file to take in" },
		{ "[{\"file\": \"ok.json\", \"prefx\": \"a\"}]", DS_ERROR_UNKNOWN_KEY,
			"bad.json:2: include[0].prefx: unknown key \"prefx\"; did you mean \"prefix\"?" },
		{ "[{\"file\": \"ok.json\", \"prefix\": \"2\"}]", DS_ERROR_FORMAT,
			"bad.json:2: include[0].prefix: expected a name: a letter, then letters, digits and _, got \"2\"" },
		{ "[{\"file\": \"ok.json\", \"set\": []}]", DS_ERROR_TYPE,
			"bad.json:2: include[0].set: expected an object { path: value }, got an array of 0" },
		{ "[{\"file\": \"ok.json\", \"set\": {\"bodies.x.mass\": 1}}]", DS_ERROR_NOT_FOUND,
			"bad.json:2: include[0].set.bodies.x.mass: nothing in \"bodies\" is named \"x\"" },
		{ "[{\"file\": \"ok.json\", \"pose\": {\"position\": [1]}}]", DS_ERROR_TYPE,
			"bad.json:2: include[0].pose.position: expected an array of 3 numbers of m, got an array of 1" },
		{ "[\"bad.json\"]", DS_ERROR_CYCLE, "bad.json:2: include[0]: \"bad.json\" includes itself" },
		{ "[\"loop.json\"]", DS_ERROR_CYCLE, "loop.json:1: include[0]: \"./bad.json\" includes itself" },
		{ "[\"ok.json\", \"ok.json\"]", DS_ERROR_DUPLICATE,
			"ok.json:1: bodies[0].name: there are two bodies named \"b\" (the first in ok.json, line 1); an include "
			"takes "
			"\"prefix\", \"pose\" and \"set\"" },
	};
	write_file(
		"ok.json", "{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1] } ] }" );
	write_file( "loop.json", "{ \"deepsim\": 1, \"include\": [ \"./bad.json\" ] }" );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		char text[1024];
		snprintf( text, sizeof( text ), "{ \"deepsim\": 1,\n\"include\": %s }", cases[i].include );
		write_file( "bad.json", text );
		ds_scenario *s;
		ds_status status = load_file( "bad.json", &s );
		assert_null( s );
		// a path is joined to its folder before it is opened
		const char *message = short_error();
		if ( i == 10 )
		{
			assert_non_null( strstr( message, "includes itself" ) );
		}
		else
		{
			assert_string_equal( message, cases[i].message );
		}
		assert_int_equal( status, cases[i].status );
	}
}

// 17 files inside each other, and 3^7 includes in all.
static void test_include_limits( void **state )
{
	(void)state;
	char name[64], text[256];
	for ( int i = 0; i <= 17; ++i )
	{
		snprintf( name, sizeof( name ), "deep%d.json", i );
		snprintf( text, sizeof( text ), "{ \"deepsim\": 1, \"include\": [\"deep%d.json\"] }", i + 1 );
		write_file( name, i < 17 ? text : "{ \"deepsim\": 1 }" );
	}
	expect_error( "deep0.json", DS_ERROR_LIMIT,
		"deep15.json:1: include[0]: more than 1000 includes, or more than 16 inside each other" );
	for ( int i = 0; i <= 7; ++i )
	{
		snprintf( name, sizeof( name ), "wide%d.json", i );
		snprintf( text, sizeof( text ),
			"{ \"deepsim\": 1, \"include\": [\"wide%d.json\", \"wide%d.json\", \"wide%d.json\"] }", i + 1, i + 1,
			i + 1 );
		write_file( name, i < 7 ? text : "{ \"deepsim\": 1 }" );
	}
	ds_scenario *s;
	assert_int_equal( load_file( "wide0.json", &s ), DS_ERROR_LIMIT );
	assert_null( s );
}

// Plugins are found from the file that names them; what they bring can be configured, and stays as long as the scenario.
static void test_plugins( void **state )
{
	(void)state;
	char text[4096];
	make_folder( "plugged" );
	snprintf( text, sizeof( text ),
		"{ \"deepsim\": 1, \"plugins\": [\"%s/ballast_tank.so\"],\n"
		"\"bodies\": [ { \"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1] } ] }",
		DEEPSIM_TEST_PLUGINS );
	write_file( "plugged/tank.json", text );
	write_file( "plugin.json",
		"{ \"deepsim\": 1, \"include\": [\"plugged/tank.json\"],\n"
		"\"actuators\": [ { \"name\": \"t\", \"type\": \"no_such_thing\", \"body\": \"b\" } ] }" );
	ds_scenario *s;
	assert_int_equal( load_file( "plugin.json", &s ), DS_ERROR_NOT_FOUND );
	// the plugin's own types are among those that are named
	assert_non_null(
		strstr( short_error(), "plugin.json:2: actuators[0].type: there is no actuator type \"no_such_thing\"" ) );
	assert_non_null( strstr( short_error(), "ballast" ) );
	expect_loaded( "plugged/tank.json", &s );
	ds_registry *builtin;
	assert_int_equal( ds_registry_create( NULL, &builtin ), DS_OK );
	assert_int_equal( ds_registry_count( ds_scenario_registry( s ) ), ds_registry_count( builtin ) + 1 );
	ds_registry_release( builtin );
	ds_scenario_release( s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_merge ),
		cmocka_unit_test( test_prefix ),
		cmocka_unit_test( test_pose ),
		cmocka_unit_test( test_set_and_order ),
		cmocka_unit_test( test_nested_paths ),
		cmocka_unit_test( test_places ),
		cmocka_unit_test( test_bad_includes ),
		cmocka_unit_test( test_include_limits ),
		cmocka_unit_test( test_plugins ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
