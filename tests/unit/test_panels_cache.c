// Added mass kept beside a mesh's file: found again, never stale, and no harm in what goes wrong with the file.

#include "panel_shapes.h"

#include "hydro/mass.h"
#include "io/added_mass_cache.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESH_FILE DEEPSIM_TEST_TMP "/ball.ply"
#define KEPT_FILE MESH_FILE ".added-mass"

// What the log hook was told last.
static char told[1024];

static void keep_log( void *user, ds_log_level level, const char *message )
{
	(void)user;
	(void)level;
	snprintf( told, sizeof( told ), "%s", message );
}

static const ds_hooks hooks = { { NULL, NULL, NULL }, keep_log, NULL };

static ds_mesh *ball( double radius )
{
	ds_mesh_shape sphere = ds_mesh_shape_default( DS_MESH_SPHERE );
	sphere.radius = radius;
	sphere.faces = 80;
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_make( &sphere, NULL, &mesh ), DS_OK );
	return mesh;
}

static ds_mat6 added_mass( const ds_mesh *mesh, const char *path, const ds_panel_options *options, bool expect_kept )
{
	ds_panel_options plain = plain_options();
	options = options ? options : &plain;
	ds_mat6 m;
	bool kept;
	told[0] = '\0';
	if ( ds_mesh_added_mass( mesh, path, options, &hooks, &m, &kept ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	assert_int_equal( kept, expect_kept );
	return m;
}

static int start( void **state )
{
	(void)remove( KEPT_FILE );
	*state = ball( 1 );
	return 0;
}

static int finish( void **state )
{
	ds_mesh_release( *state );
	return 0;
}

static void test_found_again( void **state )
{
	ds_mesh *mesh = *state;
	ds_mat6 first = added_mass( mesh, MESH_FILE, NULL, false );
	ds_mat6 again = added_mass( mesh, MESH_FILE, NULL, true );
	assert_memory_equal( &first, &again, sizeof( first ) );
	assert_string_equal( told, "" );
	added_mass( mesh, NULL, NULL, false );

	// density and reference point need no new solution, and are those of one
	ds_panel_options options = plain_options();
	options.density = 700;
	options.about = ds_v3( 0.3, -1, 2 );
	ds_mat6 kept = added_mass( mesh, MESH_FILE, &options, true ), direct;
	int64_t vertex_count, face_count;
	const ds_vec3 *vertices = ds_mesh_vertices( mesh, &vertex_count );
	const int32_t *triangles = ds_mesh_triangles( mesh, &face_count );
	assert_int_equal(
		ds_added_mass_panels( vertices, vertex_count, triangles, face_count, &options, NULL, &direct ), DS_OK );
	for ( int i = 0; i < 36; ++i )
	{
		ASSERT_NEAR( kept.m[i / 6][i % 6], direct.m[i / 6][i % 6], 1e-11 * direct.m[3][3] );
	}

	// no temporary file is left
	DIR *folder = opendir( DEEPSIM_TEST_TMP );
	assert_non_null( folder );
	for ( struct dirent *entry; ( entry = readdir( folder ) ) != NULL; )
	{
		assert_null( strstr( entry->d_name, ".tmp" ) );
	}
	closedir( folder );
}

static void test_never_stale( void **state )
{
	ds_mesh *mesh = *state, *other = ball( 1 + 1e-15 );
	ds_mat6 first = added_mass( mesh, MESH_FILE, NULL, false );
	added_mass( other, MESH_FILE, NULL, false );
	assert_non_null( strstr( told, "another mesh" ) );
	ds_mesh_release( other );
	added_mass( mesh, MESH_FILE, NULL, false );

	ds_panel_options options = plain_options();
	options.boundary = DS_PANELS_SEABED;
	options.distance = 1.5;
	ds_mat6 near = added_mass( mesh, MESH_FILE, &options, false );
	assert_true( near.m[2][2] > 1.05 * first.m[2][2] );
	added_mass( mesh, MESH_FILE, &options, true );
	options.distance = 1.6;
	added_mass( mesh, MESH_FILE, &options, false );
	options.boundary = DS_PANELS_SURFACE;
	added_mass( mesh, MESH_FILE, &options, false );
	options.up = ds_v3( 0, 1, 0 );
	added_mass( mesh, MESH_FILE, &options, false );
	options.least = 200;
	added_mass( mesh, MESH_FILE, &options, false );
	added_mass( mesh, MESH_FILE, NULL, false );
}

static char *read_kept( void )
{
	FILE *file = fopen( KEPT_FILE, "rb" );
	assert_non_null( file );
	char *text = calloc( 1, 8192 );
	assert_true( fread( text, 1, 8191, file ) > 100 );
	fclose( file );
	return text;
}

static void write_kept( const char *text, size_t length )
{
	FILE *file = fopen( KEPT_FILE, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( text, 1, length, file ), length );
	assert_int_equal( fclose( file ), 0 );
}

// Cut short at any place, or with a wrong value: computed again, said, and mended.
static void test_damaged( void **state )
{
	ds_mesh *mesh = *state;
	ds_mat6 first = added_mass( mesh, MESH_FILE, NULL, false );
	char *text = read_kept();
	size_t whole = strlen( text );
	for ( size_t length = 0; length + 2 < whole; length += 97 )
	{
		write_kept( text, length );
		ds_mat6 m = added_mass( mesh, MESH_FILE, NULL, false );
		assert_memory_equal( &first, &m, sizeof( m ) );
		assert_non_null( strstr( told, "computed again" ) );
		assert_string_equal( ds_last_error(), "" );
	}
	added_mass( mesh, MESH_FILE, NULL, true );

	static const char *const changes[][2] = { { "[[", "[[-" }, { "\"matrix\"", "\"matrices\"" },
		{ "\"deepsim_added_mass\": 1", "\"deepsim_added_mass\": 2" }, { "\"hash\": \"", "\"hash\": \"0" } };
	for ( size_t i = 0; i < sizeof( changes ) / sizeof( changes[0] ); ++i )
	{
		char changed[9000];
		const char *from = i == 0 ? strchr( strchr( text, '[' ) + 1, '[' ) + 1 : strstr( text, changes[i][0] );
		const char *with = i == 0 ? "-" : changes[i][1];
		assert_non_null( from );
		int length = snprintf( changed, sizeof( changed ), "%.*s%s%s", (int)( from - text ), text, with,
			from + ( i == 0 ? 0 : strlen( changes[i][0] ) ) );
		write_kept( changed, (size_t)length );
		ds_mat6 m = added_mass( mesh, MESH_FILE, NULL, false );
		assert_memory_equal( &first, &m, sizeof( m ) );
		assert_non_null( strstr( told, "computed again" ) );
	}
	free( text );
}

static void test_unwritable( void **state )
{
	ds_mat6 m = added_mass( *state, DEEPSIM_TEST_TMP "/no/such/folder/ball.ply", NULL, false );
	assert_non_null( strstr( told, "not kept" ) );
	assert_string_equal( ds_last_error(), "" );
	assert_true( m.m[0][0] > 1000 );

	// a folder where the file should be
	assert_int_equal( mkdir( DEEPSIM_TEST_TMP "/folder.ply.added-mass", 0777 ), 0 );
	added_mass( *state, DEEPSIM_TEST_TMP "/folder.ply", NULL, false );
	assert_int_equal( rmdir( DEEPSIM_TEST_TMP "/folder.ply.added-mass" ), 0 );
}

static void test_errors( void **state )
{
	ds_mat6 m;
	assert_int_equal( ds_mesh_added_mass( NULL, NULL, NULL, NULL, &m, NULL ), DS_ERROR_ARGUMENT );
	ds_panel_options options = plain_options();
	options.density = -1;
	assert_int_equal( ds_mesh_added_mass( *state, MESH_FILE, &options, NULL, &m, NULL ), DS_ERROR_RANGE );
	options = plain_options();
	options.boundary = DS_PANELS_SURFACE;
	options.distance = 0.5;
	assert_int_equal( ds_mesh_added_mass( *state, MESH_FILE, &options, NULL, &m, NULL ), DS_ERROR_RANGE );
	assert_int_equal( access( KEPT_FILE, F_OK ), -1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( test_found_again, start, finish ),
		cmocka_unit_test_setup_teardown( test_never_stale, start, finish ),
		cmocka_unit_test_setup_teardown( test_damaged, start, finish ),
		cmocka_unit_test_setup_teardown( test_unwritable, start, finish ),
		cmocka_unit_test_setup_teardown( test_errors, start, finish ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
