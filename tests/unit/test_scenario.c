// Scenarios from text: what a good one gives, and each rule of a bad one by its exact message.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/scenario.h"
#include "io/scenario_tables.h"
#include "scenario_text.h"

#include <math.h>

#define PI 3.14159265358979323846

static void test_good( void **state )
{
	(void)state;
	ds_scenario *s;
	ds_status status = parse_with( NULL, NULL, &s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	ds_scenario_info info = ds_scenario_describe( s );
	assert_string_equal( info.name, "test" );
	assert_string_equal( info.path, "a.json" );
	assert_true( info.duration == 10 && info.rate == 100 && info.seed == 5 );
	assert_true(
		info.bodies == 2 && info.joints == 1 && info.actuators == 1 && info.sensors == 2 && info.commands == 2 );
	assert_true( info.forces == 0 && info.controllers == 0 );
	assert_non_null( strstr( info.json, "\"radius\": 0.5" ) );

	const ds_environment_def *e = &s->environment;
	assert_true( e->gravity == 9.81 && e->density == 1000 && e->water == DS_WATER_PRESENT && e->temperature == 4 );
	assert_true( e->seabed == DS_SEABED_FLAT && e->seabed_depth == 50 && e->surface_pressure == 101325 );
	assert_string_equal( e->date, "2026-01-01T00:00:00Z" );
	assert_true( e->struct_size == sizeof( *e ) );

	const ds_body_def *hull = &s->bodies[0], *weight = &s->bodies[1];
	assert_non_null( hull->mesh );
	assert_int_equal( ds_mesh_measure( hull->mesh ).faces, 80 );
	assert_null( weight->mesh );
	assert_true(
		hull->mass == 500 && hull->inertia_kind == DS_INERTIA_MESH && weight->inertia_kind == DS_INERTIA_DIAGONAL );
	assert_true( hull->struct_size == sizeof( *hull ) && hull->pose.attitude.w == 1 );

	assert_true( s->joints[0].body_a == 0 && s->joints[0].body_b == 1 && s->joints[0].def.kind == DS_JOINT_BALL );
	assert_int_equal( s->actuators[0].body, 0 );
	const ds_thruster_config *thruster = s->actuators[0].def.config;
	assert_true( thruster->forward == 40 && thruster->reverse > 0 );
	assert_string_equal( s->sensors[0].def.type, "pressure" );
	assert_true( s->sensors[0].def.rate == 10 && s->sensors[1].def.rate == 0 && s->sensors[0].def.queue == 16 );
	assert_non_null( s->sensors[1].def.config );

	// the timeline is sorted
	assert_true( s->commands[0].t == 1 && s->commands[0].values[0] == 0.5 && s->commands[1].t == 5 );
	assert_true( s->commands[0].count == 1 && s->commands[0].actuator == 0 );

	// references are counted
	assert_ptr_equal( ds_scenario_retain( s ), s );
	ds_scenario_release( s );
	assert_string_equal( ds_scenario_describe( s ).name, "test" );
	assert_non_null( ds_registry_find( ds_scenario_registry( s ), DS_SENSOR, "odometry" ) );
	ds_scenario_release( s );
	ds_scenario_release( NULL );
}

// The tables are usable, and what they give by default is what the definitions of the C API give.
static void test_tables( void **state )
{
	(void)state;
	ds_arena arena;
	ds_file_tables *t;
	ds_arena_init( &arena, NULL );
	assert_int_equal( ds_file_tables_make( &arena, &t ), DS_OK );
	const ds_table *tables[] = { &t->body, &t->joint, &t->command, &ds_file_pose_table,
		ds_table_find( &t->file, "environment" )->table, ds_table_find( &t->file, "origin" )->table };
	for ( size_t i = 0; i < sizeof( tables ) / sizeof( tables[0] ); ++i )
	{
		ds_status status = ds_table_check( tables[i] );
		assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	}
	ds_arena_free( &arena );

	ds_scenario *s;
	assert_int_equal(
		parse_with( "{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"\\u0062\", \"mass\": 1, \"inertia\": [1, 1, 1] } ],"
					"\"sensors\": [ { \"name\": \"o\", \"type\": \"odometry\", \"body\": \"b\" } ] }",
			NULL, &s ),
		DS_OK );
	const ds_environment_def e = ds_environment_def_default(), *f = &s->environment;
	assert_true(
		e.gravity == f->gravity && e.water == f->water && e.density == f->density && e.temperature == f->temperature );
	assert_true( e.surface_pressure == f->surface_pressure && e.seabed == f->seabed );
	assert_true( e.seabed_friction == f->seabed_friction && e.seabed_restitution == f->seabed_restitution );
	assert_true( e.has_soil == f->has_soil && e.soil_step == f->soil_step && e.soil.kphi == f->soil.kphi );
	assert_true( e.deformable == f->deformable && e.rut_cell == f->rut_cell && e.rut_memory == f->rut_memory );
	assert_true( e.rut_erosion == f->rut_erosion && e.terrain == f->terrain && e.soil_mask == f->soil_mask );
	assert_true( e.latitude == f->latitude && e.longitude == f->longitude );
	assert_string_equal( e.date, f->date );
	const ds_body_def b = ds_body_def_default(), *c = &s->bodies[0];
	assert_true( b.fixed == c->fixed && b.collision == c->collision && b.friction == c->friction );
	assert_true( b.restitution == c->restitution && b.cg[2] == c->cg[2] );
	assert_true( b.soil == c->soil && b.soil_width == c->soil_width && b.soil_spacing == c->soil_spacing );
	const ds_hydrodynamics_def *g = &b.hydrodynamics, *h = &c->hydrodynamics;
	assert_true( g->model == h->model && g->buoyancy == h->buoyancy && g->drag == h->drag && g->has_cb == h->has_cb );
	assert_memory_equal( g->form_drag, h->form_drag, sizeof( g->form_drag ) );
	assert_true( g->skin_drag == h->skin_drag && g->volume_kind == h->volume_kind );
	assert_true( g->added_mass_kind == h->added_mass_kind && g->entrained_mass == h->entrained_mass );
	const ds_sensor_def d = ds_sensor_def_default();
	assert_true( d.queue == s->sensors[0].def.queue && d.rate == s->sensors[0].def.rate );
	ds_scenario_release( s );
}

// What a body may say of itself, beyond the plain numbers.
static void test_body_options( void **state )
{
	(void)state;
	ds_scenario *s;
	const char *text =
		"{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"b\", \"mass\": 10, \"inertia\": [[1,0,0],[0,2,0.5],[0,0.5,3]],"
		"\"mesh\": { \"make\": \"box\", \"size\": [1, 2, 3], \"position\": [1, 0, 0], \"rpy_deg\": [0, 0, 90] },"
		"\"cg\": [0, 0, 0.1], \"pose\": { \"position\": [1, 2, 3], \"rpy_deg\": [90, 0, 0] },"
		"\"velocity\": { \"linear\": [1, 0, 0], \"angular\": [0, 0, 0.5] },"
		"\"hydrodynamics\": { \"form_drag\": [0.1, 0.2, 0.3], \"volume\": 0.5, \"cb\": [0, 0, -0.1],"
		"  \"entrained_mass\": 4, \"entrained_cg\": [0, 1, 0], \"buoyancy\": false,"
		"  \"added_mass\": { \"diagonal\": [1, 2, 3, 4, 5, 6], \"about\": [0.1, 0, 0] } },"
		"\"collision\": [ { \"make\": \"sphere\", \"radius\": 0.4, \"rpy_deg\": [0, 0, 180] },"
		"  { \"make\": \"capsule\", \"radius\": 0.1, \"length\": 1 } ] },"
		"{ \"name\": \"wall\", \"fixed\": true, \"collision\": \"mesh\", \"hydrodynamics\": { \"model\": \"none\","
		"  \"volume\": \"neutral\", \"added_mass\": \"none\", \"form_drag\": 0.7 } } ] }";
	ds_status status = parse_with( text, NULL, &s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	const ds_body_def *b = &s->bodies[0];
	assert_true( b->inertia_kind == DS_INERTIA_FULL && b->inertia_full[5] == 0.5 && b->cg[2] == 0.1 );
	assert_float_equal( b->mesh_pose.attitude.z, sqrt( 0.5 ), 1e-15 );
	assert_float_equal( b->pose.attitude.x, sqrt( 0.5 ), 1e-15 );
	assert_true( b->mesh_pose.position.x == 1 && b->pose.position.y == 2 );
	assert_true( b->velocity.linear.x == 1 && b->velocity.angular.z == 0.5 );
	const ds_hydrodynamics_def *h = &b->hydrodynamics;
	assert_true(
		h->form_drag[2] == 0.3 && h->volume_kind == DS_VOLUME_GIVEN && h->volume == 0.5 && !h->buoyancy && h->drag );
	assert_true(
		h->has_cb && h->cb[2] == -0.1 && h->has_entrained_cg && h->entrained_cg[1] == 1 && h->entrained_mass == 4 );
	assert_true(
		h->added_mass_kind == DS_ADDED_MASS_DIAGONAL && h->added_mass[5] == 6 && h->added_mass_about[0] == 0.1 );
	assert_true( b->collision == DS_COLLISION_SHAPES && b->shape_count == 2 && b->shapes[0].kind == DS_SHAPE_SPHERE );
	assert_float_equal( b->shapes[0].rpy[2], PI, 1e-15 );
	assert_true( b->shapes[1].length == 1 );
	const ds_body_def *wall = &s->bodies[1];
	assert_true( wall->fixed && wall->collision == DS_COLLISION_MESH && wall->hydrodynamics.form_drag[1] == 0.7 );
	assert_true( !wall->hydrodynamics.has_cb && wall->hydrodynamics.added_mass_kind == DS_ADDED_MASS_NONE );
	assert_true( wall->hydrodynamics.volume_kind == DS_VOLUME_NEUTRAL && wall->hydrodynamics.model == DS_HYDRO_NONE );
	ds_scenario_release( s );
}

static void test_added_mass_forms( void **state )
{
	(void)state;
	static const struct
	{
		const char *set;
		int32_t kind;
	} cases[] = { { "bodies.hull.hydrodynamics.added_mass=none", DS_ADDED_MASS_NONE },
		{ "bodies.hull.hydrodynamics.added_mass=ellipsoid", DS_ADDED_MASS_ELLIPSOID },
		{ "bodies.hull.hydrodynamics.added_mass=[1,2,3,4,5,6]", DS_ADDED_MASS_DIAGONAL },
		{ "bodies.hull.hydrodynamics.added_mass={\"matrix\":[[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],"
		  "[0,0,0,0,1,0],[0,0,0,0,0,7]],\"about\":[1,2,3]}",
			DS_ADDED_MASS_MATRIX } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_scenario *s;
		assert_int_equal( parse_with( NULL, cases[i].set, &s ), DS_OK );
		const ds_hydrodynamics_def *h = &s->bodies[0].hydrodynamics;
		assert_int_equal( h->added_mass_kind, cases[i].kind );
		if ( cases[i].kind == DS_ADDED_MASS_MATRIX )
		{
			assert_true( h->added_mass_matrix[35] == 7 && h->added_mass_about[2] == 3 );
		}
		ds_scenario_release( s );
	}
}

static void test_environment( void **state )
{
	(void)state;
	ds_scenario *s;
	const char *text =
		"{ \"deepsim\": 1, \"origin\": { \"latitude_deg\": 45, \"longitude_deg\": -90, \"date\": "
		"\"2024-02-29T23:59:60Z\" }, \"environment\": { \"water\": null, \"waves\": null, \"wind\": null, "
		"\"currents\": [ { \"model\": \"uniform\", \"velocity\": [1, 2, 3] } ], \"earth_rotation\": false } }";
	ds_status status = parse_with( text, NULL, &s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	assert_float_equal( s->environment.latitude, PI / 4, 1e-15 );
	assert_float_equal( s->environment.longitude, -PI / 2, 1e-15 );
	assert_true( s->environment.water == DS_WATER_NONE && s->environment.seabed == DS_SEABED_NONE );
	assert_true( s->environment.currents.count == 1 );
	assert_true( ( (const ds_current_def *)s->environment.currents.data )[0].velocity[2] == 3 );
	ds_scenario_release( s );
	assert_int_equal(
		parse_with( NULL, "environment.water.density={\"model\": \"uniform\", \"value\": 1030}", &s ), DS_OK );
	assert_true( s->environment.density == 1030 );
	ds_scenario_release( s );
}

// Joints: angles of hinges are degrees, limits of sliders metres.
static void test_joints( void **state )
{
	(void)state;
	ds_scenario *s;
	assert_int_equal(
		parse_with( NULL,
			"joints.rope={\"name\": \"h\", \"type\": \"hinge\", \"body_b\": \"hull\", \"limits_deg\": [-90, 180], "
			"\"motor\": {\"velocity\": 2, \"force\": 3}, \"frame\": {\"position\": [1, 2, 3]}}",
			&s ),
		DS_OK );
	const ds_joint_def *j = &s->joints[0].def;
	assert_true( s->joints[0].body_a == -1 && j->limited && j->motor_velocity == 2 && j->motor_force == 3 );
	assert_float_equal( j->lower, -PI / 2, 1e-15 );
	assert_float_equal( j->upper, PI, 1e-15 );
	assert_true( j->frame.position.z == 3 );
	ds_scenario_release( s );
	assert_int_equal( parse_with( NULL,
						  "joints.rope={\"name\": \"h\", \"type\": \"slider\", \"body_a\": null, \"body_b\": \"hull\", "
						  "\"limits\": [0, 2]}",
						  &s ),
		DS_OK );
	assert_true( s->joints[0].def.upper == 2 );
	ds_scenario_release( s );
}

// Each override spoils the good scenario in one way.
static void test_bad_values( void **state )
{
	(void)state;
	static const struct
	{
		const char *set;
		ds_status status;
		const char *message;
	} cases[] = {
		{ "sensors[0].rate=fast", DS_ERROR_NOT_FOUND,
			"--set sensors[0].rate=fast: sensors[0].rate: expected null or a number in [0.001, 10000] Hz, got "
			"\"fast\"" },
		{ "sensors.depth.rate=0", DS_ERROR_RANGE,
			"--set sensors.depth.rate=0: sensors[0].rate: expected a number in [0.001, 10000] Hz, got 0" },
		{ "sensors.depth.rate=101", DS_ERROR_RANGE,
			"--set sensors.depth.rate=101: sensors[0].rate: 101 Hz is above the world's rate of 100 Hz" },
		{ "sensors.depth.config.noise=-1", DS_ERROR_RANGE, NULL },
		{ "sensors.depth.config={\"nois\": 1}", DS_ERROR_UNKNOWN_KEY,
			"--set sensors.depth.config={\"nois\": 1}: sensors[0].config.nois: unknown key \"nois\"; did you mean "
			"\"noise\"?" },
		{ "sensors.depth.type=presure", DS_ERROR_NOT_FOUND,
			"--set sensors.depth.type=presure: sensors[0].type: there is no sensor type \"presure\"; did you mean "
			"\"pressure\"?" },
		{ "sensors.depth.type=thruster", DS_ERROR_NOT_FOUND,
			"--set sensors.depth.type=thruster: sensors[0].type: there is no sensor type \"thruster\"; there is "
			"\"adcp\", \"ahrs\", \"altimeter\", \"camera\", \"contact\", \"ctd\", \"depth\", \"dvl\", \"gnss\", "
			"\"imu\", \"lbl\", "
			"\"magnetometer\", \"odometry\", \"pressure\", \"usbl\"" },
		{ "sensors.depth.body=hul", DS_ERROR_NOT_FOUND,
			"--set sensors.depth.body=hul: sensors[0].body: there is no body \"hul\"; did you mean \"hull\"?" },
		{ "sensors.depth.inputs={\"imu\": \"odx\"}", DS_ERROR_NOT_FOUND,
			"--set sensors.depth.inputs={\"imu\": \"odx\"}: sensors[0].inputs.imu: there is no part "
			"\"odx\"; did "
			"you mean \"odo\"?" },
		{ "sensors.depth.inputs={\"a\": \"depth\"}", DS_ERROR_CYCLE,
			"--set sensors.depth.inputs={\"a\": \"depth\"}: sensors[0].inputs.a: \"depth\" depends on itself through "
			"its "
			"inputs" },
		{ "sensors.depth.inputs=[]", DS_ERROR_TYPE,
			"--set sensors.depth.inputs=[]: sensors[0].inputs: expected an object { name: part } of at most 8 inputs, "
			"got an "
			"array of 0" },
		{ "sensors.depth.mount.rpy=[0,0,0]", DS_ERROR_UNKNOWN_KEY,
			"--set sensors.depth.mount.rpy=[0,0,0]: sensors[0].mount.rpy: unknown key \"rpy\": an angle is given in "
			"degrees, as "
			"\"rpy_deg\"" },
		{ "sensors.depth.name=odo", DS_ERROR_DUPLICATE,
			"a.json:8: sensors[1].name: there are two sensors named \"odo\" (the first in --set "
			"sensors.depth.name=odo, line 0)" },
		{ "sensors.depth.name=2nd", DS_ERROR_FORMAT,
			"--set sensors.depth.name=2nd: sensors[0].name: expected a name: a letter, then letters, digits and _, got "
			"\"2nd\"" },
		{ "sensors.depth.name=", DS_ERROR_FORMAT,
			"--set sensors.depth.name=: sensors[0].name: expected a name: a letter, then letters, digits and _, got "
			"\"\"" },
		{ "joints.rope.body_b=hull", DS_ERROR_ARGUMENT,
			"a.json:5: joints[0]: a joint needs two different bodies, not \"hull\" twice" },
		{ "joints.rope.limits=[0,1]", DS_ERROR_TYPE, "a.json:5: joints[0]: \"limits\" [m] are for sliders" },
		{ "joints.rope.motor={\"force\": 1}", DS_ERROR_TYPE,
			"a.json:5: joints[0]: only hinges and sliders have motors" },
		{ "commands[0].actuator=t2", DS_ERROR_NOT_FOUND,
			"--set commands[0].actuator=t2: commands[0].actuator: there is no actuator \"t2\"; did you mean \"t1\"?" },
		{ "commands[0].t=-1", DS_ERROR_RANGE,
			"--set commands[0].t=-1: commands[0].t: expected a number in [0, 1000000000] s, got -1" },
		{ "commands[1].value=[]", DS_ERROR_LIMIT,
			"--set commands[1].value=[]: commands[1].value: expected 1 to 16 numbers, got an array of 0" },
		{ "commands[1].value=[0.1, 0.2]", DS_ERROR_ARGUMENT,
			"--set commands[1].value=[0.1, 0.2]: commands[1].value: actuator \"t1\" takes 1 number, got 2" },
		{ "commands[0].value=1.5", DS_ERROR_RANGE,
			"--set commands[0].value=1.5: commands[0].value: actuator \"t1\" takes a number in [-1, 1], got 1.5" },
		{ "commands[1].value=[-2]", DS_ERROR_RANGE,
			"--set commands[1].value=[-2]: commands[1].value[0]: actuator \"t1\" takes a number in [-1, 1], got -2" },
		{ "bodies.hull.mass=0", DS_ERROR_RANGE,
			"a.json:3: bodies[0]: \"mass\" must be given, and be above 0 kg, for a body that is not fixed" },
		{ "bodies.weight.inertia=mesh", DS_ERROR_NOT_FOUND,
			"a.json:4: bodies[1]: \"inertia\" is to be the mesh's, but the body has no mesh: give [ixx, iyy, izz]" },
		{ "bodies.hull.mesh={\"make\": \"sphere\", \"radius\": -1}", DS_ERROR_RANGE,
			"--set bodies.hull.mesh={\"make\": \"sphere\", \"radius\": -1}: bodies[0].mesh.radius: expected a number "
			"in (0, "
			"1000000] m, got -1" },
		{ "bodies.hull.mesh={\"make\": \"spere\"}", DS_ERROR_NOT_FOUND, NULL },
		{ "bodies.hull.mesh={\"file\": \"none.obj\"}", DS_ERROR_IO, NULL },
		{ "bodies.hull.hydrodynamics.added_mass=strips", DS_ERROR_NOT_FOUND, NULL },
		{ "bodies.hull.collision=[{\"make\": \"sphere\", \"size\": [1, 1, 1]}]", DS_ERROR_RANGE,
			"--set bodies.hull.collision=[{\"make\": \"sphere\", \"size\": [1, 1, 1]}]: bodies[0].collision[0]: a "
			"sphere needs "
			"\"radius\" above 0, and neither size nor length" },
		{ "bodies.hull.quaternion=[1,0,0,0]", DS_ERROR_UNKNOWN_KEY, NULL },
		{ "environment.waves={}", DS_ERROR_TYPE,
			"--set environment.waves={}: environment.waves: expected null, {\"model\": \"regular\", ...}, {\"model\": "
			"\"jonswap\", ...} or {\"model\": \"pierson_moskowitz\", ...}, got an object" },
		{ "environment.wind={\"model\": \"uniform\", \"air_density\": -1}", DS_ERROR_RANGE, NULL },
		{ "environment.seabed.soil=deep_sea_cley", DS_ERROR_NOT_FOUND,
			"--set environment.seabed.soil=deep_sea_cley: environment.seabed.soil: expected null, one of 26 names or "
			"an object, got \"deep_sea_cley\"; did you mean \"deep_sea_clay\"?" },
		{ "environment.water.density={\"model\": \"halocline\"}", DS_ERROR_NOT_FOUND, NULL },
		{ "environment.water.density={\"model\": \"pycnocline\", \"depth\": 0}", DS_ERROR_RANGE, NULL },
		{ "environment.water.profile=none.csv", DS_ERROR_IO, NULL },
		{ "environment.earth_rotation=1", DS_ERROR_TYPE, NULL },
		{ "bodies.hull.hydrodynamics.compression={\"model\": \"hull\"}", DS_ERROR_NOT_FOUND, NULL },
		{ "origin.date=2026-13-01T00:00:00Z", DS_ERROR_FORMAT,
			"--set origin.date=2026-13-01T00:00:00Z: origin: \"date\" must be UTC as in \"2026-06-01T00:00:00Z\" (ISO "
			"8601), got "
			"\"2026-13-01T00:00:00Z\"" },
		{ "origin.date=2023-02-29T00:00:00Z", DS_ERROR_FORMAT, NULL },
		{ "origin.date=2026-6-01T00:00:00Z", DS_ERROR_FORMAT, NULL },
		{ "origin.date=2026-06-01 00:00:00Z", DS_ERROR_FORMAT, NULL },
		{ "deepsim=2", DS_ERROR_UNSUPPORTED,
			"--set deepsim=2: deepsim: expected 1, the version of the file format that is read here, got 2" },
		{ "rate=0", DS_ERROR_RANGE, "--set rate=0: rate: expected a number in [1, 100000] Hz, got 0" },
		{ "seed=-1", DS_ERROR_RANGE,
			"--set seed=-1: seed: expected an integer in [0, 1.8446744073709552e+19], got -1" },
		{ "seed=9007199254740993", DS_ERROR_RANGE,
			"--set seed=9007199254740993: seed: integers from 2^53 on lose digits as JSON numbers: write it as a "
			"string "
			"of decimal "
			"digits" },
		{ "seed=\"18446744073709551616\"", DS_ERROR_TYPE, NULL },
		{ "durations=5", DS_ERROR_UNKNOWN_KEY,
			"--set durations=5: durations: unknown key \"durations\"; did you mean \"duration\"?" },
		{ "plugins=[\"libnowhere.so\"]", DS_ERROR_NOT_FOUND, NULL },
		{ "plugins=libx.so", DS_ERROR_TYPE,
			"--set plugins=libx.so: plugins: expected an array of paths, got \"libx.so\"" },
		{ "actuators.t1.config=null", DS_ERROR_TYPE,
			"--set actuators.t1.config=null: actuators[0].config: expected an object, got null" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_scenario *s;
		ds_status status = parse_with( NULL, cases[i].set, &s );
		assert_null( s );
		if ( cases[i].message )
		{
			assert_string_equal( status == DS_OK ? cases[i].set : ds_last_error(), cases[i].message );
		}
		else
		{
			assert_true( status != DS_OK && strstr( ds_last_error(), "--set " ) == ds_last_error() );
		}
		assert_int_equal( status, cases[i].status );
	}
}

// Paths of overrides.
static void test_override_paths( void **state )
{
	(void)state;
	static const struct
	{
		const char *set;
		ds_status status;
		const char *message;
	} bad[] = {
		{ "rate", DS_ERROR_FORMAT, "--set rate: an override is path=value, as in sensors.imu.rate=50" },
		{ "=5", DS_ERROR_FORMAT, "--set =5: an override is path=value, as in sensors.imu.rate=50" },
		{ "bodies..mass=1", DS_ERROR_FORMAT,
			"--set bodies..mass=1: \"bodies..mass\" is not a path: names parted by dots, and [index], as in "
			"sensors.imu.rate or "
			"bodies[0].mass" },
		{ "bodies[x].mass=1", DS_ERROR_FORMAT, NULL },
		{ "bodies[-1].mass=1", DS_ERROR_FORMAT, NULL },
		{ "bodies[0=1", DS_ERROR_FORMAT, NULL },
		{ "bodies[0]mass=1", DS_ERROR_FORMAT, NULL },
		{ "bodies[2].mass=1", DS_ERROR_NOT_FOUND,
			"--set bodies[2].mass=1: \"bodies\" has 2 elements, so there is no [2]" },
		{ "bodies.hul.mass=1", DS_ERROR_NOT_FOUND,
			"--set bodies.hul.mass=1: nothing in \"bodies\" is named \"hul\"; did you mean \"hull\"?" },
		{ "bodies.hull.mass.x=1", DS_ERROR_TYPE,
			"--set bodies.hull.mass.x=1: \"bodies[0].mass\" is 500: there is no x in it" },
		{ "environment[0]=1", DS_ERROR_TYPE,
			"--set environment[0]=1: \"environment\" is an object: there is no [0] in it" },
		{ "name=\xFF", DS_ERROR_FORMAT, NULL },
		{ "rate\n\n=5", DS_ERROR_UNKNOWN_KEY,
			"--set rate\?\?=5: rate\?\?: unknown key \"rate\?\?\"; did you mean \"rate\"?" },
	};
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		ds_scenario *s;
		ds_status status = parse_with( NULL, bad[i].set, &s );
		assert_null( s );
		assert_string_equal( bad[i].message ? ds_last_error() : "", bad[i].message ? bad[i].message : "" );
		assert_int_equal( status, bad[i].status );
	}
	ds_scenario *s;
	const char *good[] = { "bodies.weight.cg[2]=0.25", "origin.latitude_deg=10", "name=two words", "bodies[0].mass=600",
		"sensors.odo.config.position_noise=0.5", "seed=\"18446744073709551615\"" };
	assert_int_equal( ds_scenario_parse( good_scenario, "a.json", NULL, good, 6, NULL, &s ), DS_ERROR_TYPE );
	assert_null( s );
	good[0] = "bodies.weight.cg=[0, 0, 0.25]";
	assert_int_equal( ds_scenario_parse( good_scenario, "a.json", NULL, good, 6, NULL, &s ), DS_OK );
	assert_true( s->bodies[1].cg[2] == 0.25 && s->bodies[0].mass == 600 && s->seed == UINT64_MAX );
	assert_string_equal( s->name, "two words" );
	assert_true( ( (const ds_odometry_config *)s->sensors[1].def.config )->position_noise == 0.5 );
	assert_non_null( strstr( s->json, "\"position_noise\": 0.5" ) );
	assert_non_null( strstr( s->json, "\"18446744073709551615\"" ) );

	// what ran is kept as text, and gives the same again
	ds_scenario *again;
	assert_int_equal( ds_scenario_parse( s->json, "a.json", NULL, NULL, 0, NULL, &again ), DS_OK );
	assert_string_equal( again->json, s->json );
	assert_true( again->seed == s->seed );
	ds_scenario_release( again );
	ds_scenario_release( s );

	// an array's number can be set where the array is
	good[0] = "joints.rope.frame={\"position\": [1, 2, 3]}";
	good[1] = "joints.rope.frame.position[1]=7";
	assert_int_equal( ds_scenario_parse( good_scenario, "a.json", NULL, good, 2, NULL, &s ), DS_OK );
	assert_true( s->joints[0].def.frame.position.y == 7 && s->joints[0].def.frame.position.z == 3 );
	ds_scenario_release( s );
}

static void test_arguments( void **state )
{
	(void)state;
	ds_scenario *s;
	const char *nothing = NULL;
	assert_int_equal( ds_scenario_load( NULL, NULL, 0, NULL, &s ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_scenario_load( "x", NULL, 0, NULL, NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_scenario_load( "x", NULL, 1, NULL, &s ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_scenario_parse( NULL, "a", NULL, NULL, 0, NULL, &s ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_scenario_parse( good_scenario, NULL, NULL, &nothing, 1, NULL, &s ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_scenario_load( "/nonexistent.json", NULL, 0, NULL, &s ), DS_ERROR_IO );
	assert_string_equal( ds_last_error(), "/nonexistent.json: cannot open the file: No such file or directory" );
	assert_int_equal( parse_with( "[]", NULL, &s ), DS_ERROR_TYPE );
	assert_string_equal( ds_last_error(), "a.json:1: expected an object: a scenario, got an array of 0" );
	assert_int_equal( parse_with( "\n{}", NULL, &s ), DS_ERROR_NOT_FOUND );
	assert_string_equal( ds_last_error(), "a.json:2: the key \"deepsim\" is missing: a scenario says \"deepsim\": 1" );
	assert_int_equal( parse_with( "{\"deepsim\": 1,\n\"rate\": 1e999}", NULL, &s ), DS_ERROR_NOT_FINITE );
	assert_string_equal(
		ds_last_error(), "a.json:2: rate: the number is too large for a double (at most about 1.8e308)" );
}

// ---- allocation --------------------------------------------------------------------------------------------------

typedef struct counting
{
	int64_t live; // blocks
	int64_t made;
	int64_t fail_at; // -1: never
} counting;

static void *count_allocate( void *user, size_t size, size_t alignment )
{
	counting *c = user;
	if ( c->fail_at >= 0 && c->made >= c->fail_at )
	{
		return NULL;
	}
	++c->made;
	++c->live;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void count_release( void *user, void *memory, size_t size )
{
	(void)size;
	--( (counting *)user )->live;
	free( memory );
}

// When memory ends at any point, the error is told and nothing is left behind.
static void test_memory_ends( void **state )
{
	(void)state;
	counting c = { 0, 0, -1 };
	ds_hooks hooks;
	memset( &hooks, 0, sizeof( hooks ) );
	hooks.allocator.allocate = count_allocate;
	hooks.allocator.release = count_release;
	hooks.allocator.user = &c;
	ds_registry *registry;
	ds_scenario *s;
	assert_int_equal( ds_registry_create( &hooks, &registry ), DS_OK );
	int64_t before = c.live, made = c.made;
	assert_int_equal( ds_scenario_parse( good_scenario, "a.json", NULL, NULL, 0, registry, &s ), DS_OK );
	int64_t needed = c.made - made;
	ds_scenario_release( s );
	assert_int_equal( c.live, before );
	assert_true( needed > 3 );
	for ( int64_t i = 0; i < needed; ++i )
	{
		c.fail_at = c.made + i;
		assert_int_equal( ds_scenario_parse( good_scenario, "a.json", NULL, NULL, 0, registry, &s ), DS_ERROR_MEMORY );
		assert_null( s );
		assert_int_equal( c.live, before );
	}
	c.fail_at = -1;
	ds_registry_release( registry );
	assert_int_equal( c.live, 0 );
}

// ---- mutations ---------------------------------------------------------------------------------------------------

static uint32_t next_random( uint64_t *seed )
{
	// SplitMix64 (Steele, Lea, Flood 2014)
	uint64_t z = ( *seed += UINT64_C( 0x9E3779B97F4A7C15 ) );
	z = ( z ^ ( z >> 30 ) ) * UINT64_C( 0xBF58476D1CE4E5B9 );
	z = ( z ^ ( z >> 27 ) ) * UINT64_C( 0x94D049BB133111EB );
	return (uint32_t)( ( z ^ ( z >> 31 ) ) >> 32 );
}

// Bytes changed, cut out, doubled, and pieces of JSON put in: never a crash, and an error always says something.
static void test_mutations( void **state )
{
	(void)state;
	static const char *const pieces[] = { "null", "-1", "1e308", "[]", "{}", "\"x\"", ",", "\"name\": 3,", "[[[",
		"true", "0.0001", "\\u0041", "}", "\"rate\": \"\",", "99999999999999999999", "\"\"" };
	uint64_t seed = 20260601;
	size_t length = strlen( good_scenario );
	int refused = 0;
	for ( int round = 0; round < 2000; ++round )
	{
		char *text = malloc( length + 512 );
		memcpy( text, good_scenario, length + 1 );
		int changes = 1 + (int)( next_random( &seed ) % 3 );
		for ( int i = 0; i < changes; ++i )
		{
			size_t size = strlen( text ), at = next_random( &seed ) % size, span = 1 + next_random( &seed ) % 12;
			const char *piece = pieces[next_random( &seed ) % ( sizeof( pieces ) / sizeof( pieces[0] ) )];
			span = at + span > size ? size - at : span;
			switch ( next_random( &seed ) % 4 )
			{
				case 0:
					text[at] = (char)( 1 + next_random( &seed ) % 255 );
					break;
				case 1:
					memmove( text + at, text + at + span, size - at - span + 1 );
					break;
				case 2:
					memmove( text + at + span, text + at, size - at + 1 );
					break;
				default:
					memmove( text + at + strlen( piece ), text + at, size - at + 1 );
					memcpy( text + at, piece, strlen( piece ) );
					break;
			}
			if ( text[0] == 0 )
			{
				strcpy( text, "{" );
			}
		}
		ds_scenario *s = NULL;
		ds_error( DS_OK, "%s", "" );
		// a mutated mesh could have very many faces
		const char *small = "bodies[0].mesh.faces=20";
		ds_status status = ds_scenario_parse( text, "a.json", DEEPSIM_TEST_TMP, &small, 1, NULL, &s );
		assert_true( ( status == DS_OK ) == ( s != NULL ) );
		assert_true( status == DS_OK || ds_last_error()[0] != 0 );
		assert_true( strchr( ds_last_error(), '\n' ) == NULL );
		refused += status != DS_OK;
		ds_scenario_release( s );
		free( text );
	}
	assert_true( refused > 1000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_good ),
		cmocka_unit_test( test_tables ),
		cmocka_unit_test( test_body_options ),
		cmocka_unit_test( test_added_mass_forms ),
		cmocka_unit_test( test_environment ),
		cmocka_unit_test( test_joints ),
		cmocka_unit_test( test_bad_values ),
		cmocka_unit_test( test_override_paths ),
		cmocka_unit_test( test_arguments ),
		cmocka_unit_test( test_memory_ends ),
		cmocka_unit_test( test_mutations ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
