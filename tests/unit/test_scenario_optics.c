// Keys of a scenario for cameras: visual, material, optics of water, sky, appearance of the seabed, threads; paths in configs.

#include "core/scenario.h"
#include "looks_kit.h"
#include "scenario_text.h"

#include <math.h>
#include <sys/stat.h>

static void make_folder( const char *name )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/%s", DEEPSIM_TEST_TMP, name );
	mkdir( path, 0777 );
}

// A tetrahedron of edge 1 along the axes, wound outward.
static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static ds_scenario *parse( const char *text, const char *set )
{
	ds_scenario *s;
	ds_status status = parse_with( text, set, &s );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	return s;
}

static void refuse( const char *set, ds_status status, const char *message )
{
	ds_scenario *s;
	ds_status got = parse_with( NULL, set, &s );
	if ( got != status || strstr( short_error(), message ) == NULL )
	{
		fail_msg( "%s: expected \"%s\", got %s: %s", set, message, ds_status_name( got ), short_error() );
	}
	assert_null( s );
}

static void test_defaults( void **state )
{
	(void)state;
	ds_scenario *s = parse( NULL, NULL );
	assert_int_equal( s->threads, 1 );
	assert_int_equal( s->bodies[0].visual_kind, DS_VISUAL_MESH );
	assert_null( s->bodies[0].visual );
	NEAR( s->bodies[0].material.color[1], ds_material_default().color[1], 0 );
	const ds_environment_def usual = ds_environment_def_default();
	assert_int_equal( s->environment.optics.kind, usual.optics.kind );
	assert_int_equal( s->environment.optics.jerlov, DS_JERLOV_IB );
	assert_memory_equal( &s->environment.sky, &usual.sky, sizeof( usual.sky ) );
	assert_memory_equal( &s->environment.seabed_look, &usual.seabed_look, sizeof( usual.seabed_look ) );
	ds_scenario_release( s );
	// without a seabed or water
	s = parse( "{ \"deepsim\": 1, \"environment\": { \"water\": null } }", NULL );
	assert_memory_equal( &s->environment.seabed_look, &usual.seabed_look, sizeof( usual.seabed_look ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = s;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_world_destroy( world );
	ds_scenario_release( s );
}

static void test_environment( void **state )
{
	(void)state;
	ds_scenario *s =
		parse( NULL, "environment.water.optics={\"model\": \"jerlov\", \"type\": \"3C\", \"turbidity\": 2}" );
	assert_int_equal( s->environment.optics.jerlov, DS_JERLOV_3C );
	NEAR( s->environment.optics.turbidity, 2, 0 );
	ds_scenario_release( s );
	s = parse( NULL, "environment.water.optics=pure" );
	assert_int_equal( s->environment.optics.kind, DS_WATER_OPTICS_PURE );
	ds_scenario_release( s );
	s = parse( NULL,
		"environment.water.optics={\"model\": \"measured\", \"levels\": [ {\"wavelength\": 450, \"absorption\": 0.1, "
		"\"scattering\": 0.2}, {\"wavelength\": 650, \"absorption\": 0.4, \"scattering\": 0.2} ]}" );
	assert_int_equal( s->environment.optics.measured.count, 2 );
	ds_world_def def = ds_world_def_default();
	def.scenario = s;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_world_destroy( world );
	ds_scenario_release( s );
	s = parse( NULL, "environment.sky.elevation_deg=30" );
	NEAR( s->environment.sky.elevation, DS_PI / 6, 1e-15 );
	ds_scenario_release( s );
	s = parse( NULL, "environment.sky=null" );
	assert_true( s->environment.sky.dark );
	ds_scenario_release( s );
	s = parse( NULL, "environment.seabed.appearance.nodule_cover=0.25" );
	NEAR( s->environment.seabed_look.nodule_cover, 0.25, 0 );
	ds_scenario_release( s );
	s = parse( NULL, "threads=8" );
	assert_int_equal( s->threads, 8 );
	ds_scenario_release( s );

	refuse( "threads=0", DS_ERROR_RANGE, "--set threads=0: threads: expected an integer in [1, 64], got 0" );
	refuse( "threads=65", DS_ERROR_RANGE, "[1, 64]" );
	refuse( "threads=1.5", DS_ERROR_TYPE, "threads: expected an integer" );
	refuse( "environment.water.optics=tea", DS_ERROR_NOT_FOUND, "environment.water.optics" );
	refuse( "environment.water.optics={\"model\": \"jerlov\", \"turbidity\": -1}", DS_ERROR_RANGE,
		"environment.water.optics.turbidity" );
	refuse( "environment.water.optics={\"model\": \"jerlov\", \"type\": \"4C\"}", DS_ERROR_NOT_FOUND,
		"environment.water.optics.type" );
	refuse( "environment.sky.elevation_deg=100", DS_ERROR_RANGE, "environment.sky.elevation_deg" );
	refuse( "environment.seabed.appearance.nodule_cover=0.9", DS_ERROR_RANGE,
		"environment.seabed.appearance.nodule_cover: expected a number in [0, 0.6], got 0.9" );
	refuse( "environment.seabed.appearence.seed=1", DS_ERROR_UNKNOWN_KEY, "did you mean \"appearance\"?" );
}

static void test_visuals( void **state )
{
	(void)state;
	write_file( "a.obj", tetrahedron );
	ds_scenario *s = parse( NULL, "bodies.hull.visual=null" );
	assert_int_equal( s->bodies[0].visual_kind, DS_VISUAL_NONE );
	ds_scenario_release( s );
	s = parse( NULL, "bodies.hull.visual=mesh" );
	assert_int_equal( s->bodies[0].visual_kind, DS_VISUAL_MESH );
	ds_scenario_release( s );
	s = parse( NULL, "bodies.hull.material={\"color\": [0.9, 0.5, 0], \"metallic\": 1, \"roughness\": 0.2}" );
	NEAR( s->bodies[0].material.color[0], 0.9, 0 );
	NEAR( s->bodies[0].material.metallic, 1, 0 );
	ds_scenario_release( s );

	s = parse( NULL, "bodies.hull.visual={\"file\": \"a.obj\", \"scale\": 2, \"axes\": \"flu\", \"material\": "
					 "{\"color\": [1, 0, 0]}, "
					 "\"pose\": {\"position\": [1, 2, 3], \"rpy_deg\": [0, 0, 90]}}" );
	const ds_body_def *b = &s->bodies[0];
	assert_int_equal( b->visual_kind, DS_VISUAL_GIVEN );
	NEAR3( b->visual_pose.position, ds_v3( 1, 2, 3 ), 0 );
	NEAR( ds_quat_to_rpy( b->visual_pose.attitude ).z, DS_PI / 2, 1e-12 );
	int64_t faces, vertices;
	ds_visual_triangles( b->visual, &faces );
	const ds_vec3 *v = ds_visual_vertices( b->visual, &vertices );
	assert_int_equal( faces, 4 );
	double lowest = 0;
	for ( int64_t i = 0; i < vertices; ++i )
	{
		lowest = fmin( lowest, v[i].z ); // z up in the file
	}
	NEAR( lowest, -2, 1e-12 );
	ds_surface surface;
	ds_visual_at( b->visual, 0, ds_v3( 0.1, -0.1, 0 ), 0, &surface );
	NEAR( surface.color[0], 1, 1e-6 );
	NEAR( surface.color[1], 0, 1e-6 );
	ds_scenario_release( s );

	s = parse( NULL, "bodies.hull.visual={\"make\": \"checkerboard\", \"rows\": 5, \"columns\": 8, \"square\": 0.1, "
					 "\"pose\": {\"position\": [2, 0, 0]}}" );
	assert_int_equal( s->bodies[0].visual_kind, DS_VISUAL_GIVEN );
	NEAR3( s->bodies[0].visual_pose.position, ds_v3( 2, 0, 0 ), 0 );
	ds_scenario_release( s );
	s = parse( NULL, "bodies.hull.visual={\"make\": \"tags\"}" );
	assert_non_null( s->bodies[0].visual );
	ds_scenario_release( s );

	refuse( "bodies.hull.visual={\"file\": \"none.obj\"}", DS_ERROR_IO, "bodies[0].visual: none.obj" );
	refuse( "bodies.hull.visual={\"make\": \"chessboard\"}", DS_ERROR_NOT_FOUND, "bodies[0].visual" );
	refuse( "bodies.hull.visual={\"make\": \"checkerboard\", \"rows\": 0}", DS_ERROR_RANGE, "bodies[0].visual.rows" );
	refuse( "bodies.hull.visual={\"file\": \"a.obj\", \"scale\": 0}", DS_ERROR_RANGE, "bodies[0].visual.scale" );
	refuse( "bodies.hull.visual={\"file\": \"a.obj\", \"material\": {\"color\": [2, 0, 0]}}", DS_ERROR_RANGE,
		"bodies[0].visual.material.color[0]" );
	refuse( "bodies.hull.material.roughness=-1", DS_ERROR_RANGE, "bodies[0].material.roughness" );
}

// One visual for all bodies that say the same.
static void test_shared_visuals( void **state )
{
	(void)state;
	write_file( "a.obj", tetrahedron );
	ds_scenario *s =
		parse( "{ \"deepsim\": 1, \"bodies\": [\n"
			   "{ \"name\": \"a\", \"fixed\": true, \"visual\": { \"file\": \"a.obj\" } },\n"
			   "{ \"name\": \"b\", \"fixed\": true, \"visual\": { \"file\": \"a.obj\", \"pose\": { \"position\": [1, "
			   "0, 0] } } },\n"
			   "{ \"name\": \"c\", \"fixed\": true, \"visual\": { \"file\": \"a.obj\", \"scale\": 2 } },\n"
			   "{ \"name\": \"d\", \"fixed\": true, \"visual\": { \"file\": \"a.obj\", \"material\": {} } } ] }",
			NULL );
	assert_ptr_equal( s->bodies[0].visual, s->bodies[1].visual );
	assert_ptr_not_equal( s->bodies[0].visual, s->bodies[2].visual );
	assert_ptr_not_equal( s->bodies[0].visual, s->bodies[3].visual );
	ds_scenario_release( s );
}

// ---- paths -----------------------------------------------------------------------------------------------------------

typedef struct film_inner
{
	char file[256];
} film_inner;

typedef struct film_config
{
	char file[256], name[64];
	int32_t lens;
	char map[256];
	film_inner inner;
} film_config;

static const ds_field inner_fields[] = {
	{ "file", DS_FIELD_STRING, DS_FIELD_PATH, offsetof( film_inner, file ), 1, 256, "", "\"\"", 0, 0, "a file", NULL,
		NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table inner_table = DS_TABLE( "inner", "more", film_inner, inner_fields );
static const ds_field map_fields[] = {
	{ "map", DS_FIELD_STRING, DS_FIELD_PATH, offsetof( film_config, map ), 1, 256, "", "\"\"", 0, 0, "a file", NULL,
		NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table map_table = DS_TABLE( "map", "a map", film_config, map_fields );
static const ds_choice lenses[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "none" },
	{ 1, DS_FORM_STRING, "map", NULL, &map_table, "a map" },
	{ 2, DS_FORM_OBJECT, "mapped", "model", &map_table, "a map, too" },
};
static const ds_field film_fields[] = {
	{ "file", DS_FIELD_STRING, DS_FIELD_PATH, offsetof( film_config, file ), 1, 256, "", "\"\"", 0, 0, "a file", NULL,
		NULL, 0, DS_ELEMENT_NONE },
	DS_STRING( film_config, name, "\"\"", "no path" ),
	DS_VARIANT( film_config, lens, lenses, "null", "a lens" ),
	DS_STRUCT( film_config, inner, &inner_table, "more" ),
};
static const ds_table film_table = DS_TABLE( "film", "paths", film_config, film_fields );
static ds_status film_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	(void)model;
	return DS_OK;
}

static const ds_type film = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "film",
	.doc = "has paths",
	.config = &film_table,
	.create = film_create,
	.output = &looker_table,
	.sample = looker_sample,
};

static const film_config *config_of( const ds_scenario *s, int i )
{
	return s->sensors[i].def.config;
}

static void expect_path( const char *path, const char *rest )
{
	char expected[1200];
	snprintf( expected, sizeof( expected ), "%s/%s", DEEPSIM_TEST_TMP, rest );
	assert_string_equal( path, expected );
}

static void test_paths( void **state )
{
	(void)state;
	make_folder( "parts" );
	make_folder( "parts/deep" );
	write_file( "parts/deep/low.json",
		"{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"low\", \"fixed\": true } ], \"sensors\": [ { \"name\": \"s\", "
		"\"type\": "
		"\"film\", \"body\": \"low\", \"config\": { \"file\": \"l.yaml\", \"name\": \"l.yaml\", \"lens\": \"m.map\", "
		"\"inner\": { \"file\": \"../i.txt\" } } } ] }" );
	write_file( "parts/mid.json",
		"{ \"deepsim\": 1, \"include\": [ \"deep/low.json\" ], \"bodies\": [ { \"name\": \"mid\", \"fixed\": true } ], "
		"\"sensors\": [ { \"name\": \"t\", \"type\": \"film\", \"body\": \"mid\", \"config\": { \"file\": "
		"\"/abs/l.yaml\", "
		"\"lens\": { \"model\": \"mapped\", \"map\": \"m.map\" } } } ] }" );
	write_file( "main.json",
		"{ \"deepsim\": 1, \"include\": [ { \"file\": \"parts/mid.json\", \"set\": { \"sensors.t.config.inner.file\": "
		"\"main.txt\" } } ], \"bodies\": [ { \"name\": \"main\", \"fixed\": true } ], \"sensors\": [ { \"name\": "
		"\"u\", "
		"\"type\": \"film\", \"body\": \"main\", \"config\": { \"file\": \"l.yaml\" } } ] }" );
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &film ) );
	char path[1100];
	snprintf( path, sizeof( path ), "%s/main.json", DEEPSIM_TEST_TMP );
	const char *set = "sensors.u.config.lens=other.map";
	ds_scenario *s;
	OK( ds_scenario_load( path, &set, 1, registry, &s ) );
	assert_int_equal( s->sensor_count, 3 );
	expect_path( config_of( s, 0 )->file, "parts/deep/l.yaml" );
	assert_string_equal( config_of( s, 0 )->name, "l.yaml" );
	expect_path( config_of( s, 0 )->map, "parts/deep/m.map" );
	expect_path( config_of( s, 0 )->inner.file, "parts/deep/../i.txt" );
	assert_string_equal( config_of( s, 1 )->file, "/abs/l.yaml" );
	expect_path( config_of( s, 1 )->map, "parts/m.map" );
	expect_path( config_of( s, 1 )->inner.file, "main.txt" );
	expect_path( config_of( s, 2 )->file, "l.yaml" );
	expect_path( config_of( s, 2 )->map, "other.map" );
	assert_string_equal( config_of( s, 2 )->inner.file, "" );

	// the merged text can be read again beside the main file
	char *again = strdup( s->json );
	ds_scenario *t;
	OK( ds_scenario_parse( again, "again", DEEPSIM_TEST_TMP, NULL, 0, registry, &t ) );
	for ( int i = 0; i < 3; ++i )
	{
		assert_memory_equal( config_of( t, i ), config_of( s, i ), sizeof( film_config ) );
	}
	free( again );
	ds_scenario_release( t );
	ds_scenario_release( s );
	ds_registry_release( registry );
}

static void test_flags_of_tables( void **state )
{
	(void)state;
	typedef struct shot
	{
		int64_t width, height;
		ds_span image;
		double number;
	} shot;
	ds_field fields[] = {
		DS_I64( shot, width, "px", NULL, 0, 0, "width" ),
		DS_I64( shot, height, "px", NULL, 0, 0, "height" ),
		DS_SPAN( shot, image, DS_ELEMENT_U8, "", "image" ),
		DS_F64( shot, number, "", NULL, 0, 0, "number" ),
	};
	ds_table table = DS_TABLE( "shot", "shot", shot, fields );
	fields[2].flags = DS_FIELD_IMAGE;
	OK( ds_table_check( &table ) );
	fields[2].element = DS_ELEMENT_F64;
	FAILS( ds_table_check( &table ), DS_ERROR_ARGUMENT, "only spans of u8, u16, i32 or f32 can be images" );
	fields[2].element = DS_ELEMENT_F32;
	fields[1].name = "hight";
	FAILS( ds_table_check( &table ), DS_ERROR_ARGUMENT, "an image needs the field \"height\" of type i64" );
	fields[1].name = "height";
	fields[3].flags = DS_FIELD_PATH;
	FAILS( ds_table_check( &table ), DS_ERROR_ARGUMENT, "only strings can be paths" );
	fields[3].flags = DS_FIELD_IMAGE;
	FAILS( ds_table_check( &table ), DS_ERROR_ARGUMENT, "can be images" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_defaults ),
		cmocka_unit_test( test_environment ),
		cmocka_unit_test( test_visuals ),
		cmocka_unit_test( test_shared_visuals ),
		cmocka_unit_test( test_paths ),
		cmocka_unit_test( test_flags_of_tables ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
