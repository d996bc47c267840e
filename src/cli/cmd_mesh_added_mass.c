// deepsim mesh added-mass

#include "cli/mesh_options.h"

#include "base/json.h"
#include "deepsim/math.h"
#include "hydro/added_mass.h"
#include "hydro/mass.h"
#include "io/added_mass_cache.h"

#include <math.h>
#include <string.h>

enum
{
	OPTION_DENSITY = OPTION_OWN,
	OPTION_ABOUT,
	OPTION_SURFACE,
	OPTION_SEABED,
	OPTION_PANELS,
	OPTION_NO_CACHE,
	OPTION_JSON
};

typedef struct added_mass_job
{
	const char *path;
	ds_mesh_options read;
	ds_panel_options panels;
	bool cache, json;

	// found
	ds_mesh_properties mesh;
	ds_mat6 matrix;
	bool kept; // it came from the cache
	bool has_ellipsoid;
	ds_vec3 semi_axes;
	ds_mat6 ellipsoid; // in the mesh's axes, about the same point, unbounded
	double seconds;
} added_mass_job;

// ---- work ----------------------------------------------------------------------------------------------------------

// Lamb's values for the ellipsoid with the mesh's volume and second moments; false where there is none.
static bool find_ellipsoid( added_mass_job *job )
{
	ds_quat axes;
	double diagonal[6];
	if ( ds_ellipsoid_of_inertia( job->mesh.volume, &job->mesh.inertia, &job->semi_axes, &axes ) != DS_OK ||
		 ds_added_mass_ellipsoid( job->semi_axes, job->panels.density, diagonal ) != DS_OK )
	{
		return false;
	}
	ds_mat6 m;
	memset( &m, 0, sizeof( m ) );
	for ( int i = 0; i < 6; i++ )
	{
		m.m[i][i] = diagonal[i];
	}
	ds_mat6 turned = ds_mat6_rotate( &m, axes );
	job->ellipsoid = ds_mat6_shift( &turned, ds_sub( job->mesh.centroid, job->panels.about ) );
	return true;
}

static ds_status find( added_mass_job *job )
{
	ds_hooks hooks = cli_hooks( false );
	ds_mesh *mesh;
	ds_status status = ds_mesh_load( job->path, &job->read, &hooks, &mesh, NULL );
	if ( status != DS_OK )
	{
		return status;
	}
	job->mesh = ds_mesh_measure( mesh );
	double begin = cli_clock();
	status = ds_mesh_added_mass( mesh, job->cache ? job->path : NULL, &job->panels, &hooks, &job->matrix, &job->kept );
	job->seconds = cli_clock() - begin;
	job->has_ellipsoid = status == DS_OK && find_ellipsoid( job );
	ds_mesh_release( mesh );
	return status;
}

// ---- output --------------------------------------------------------------------------------------------------------

static const char *boundary_name( const added_mass_job *job )
{
	static const char *const names[] = { "none", "surface", "seabed" };
	return names[job->panels.boundary];
}

// The greatest diagonal entry of the motions along or about the axes, to tell what is as good as 0.
static double greatest( const ds_mat6 *m, bool about )
{
	int first = about ? 3 : 0;
	return fmax( m->m[first][first], fmax( m->m[first + 1][first + 1], m->m[first + 2][first + 2] ) );
}

// Entries that rounding leaves of zeros are shown as 0.
static void print_matrix( const char *title, const ds_mat6 *m )
{
	printf( "\n%s%s%s\n", cli_bold( stdout ), title, cli_plain( stdout ) );
	for ( int i = 0; i < 36; i++ )
	{
		int row = i / 6, column = i % 6;
		double entry = m->m[row][column], scale = sqrt( greatest( m, row > 2 ) * greatest( m, column > 2 ) );
		printf( "%12.6g%s", fabs( entry ) < 1e-9 * scale ? 0 : entry, column == 5 ? "\n" : " " );
	}
}

static void print_diagonal( const added_mass_job *job )
{
	static const char *const rows[] = { "along x [kg]", "along y [kg]", "along z [kg]", "about x [kg m2]",
		"about y [kg m2]", "about z [kg m2]" };
	printf( "\n%s%-24s %12s %12s%s\n", cli_bold( stdout ), "", "panels", job->has_ellipsoid ? "ellipsoid" : "",
		cli_plain( stdout ) );
	for ( int i = 0; i < 6; i++ )
	{
		printf( "%-24s %12.6g", rows[i], job->matrix.m[i][i] );
		if ( job->has_ellipsoid )
		{
			double found = job->ellipsoid.m[i][i];
			printf( " %12.6g", found < 1e-9 * greatest( &job->ellipsoid, i > 2 ) ? 0 : found );
		}
		printf( "\n" );
	}
}

static void print_text( const added_mass_job *job )
{
	ds_vec3 p = job->panels.about, a = job->semi_axes;
	printf( "%-24s %lld\n%-24s %.9g m3\n%-24s %.9g kg/m3\n", "faces", (long long)job->mesh.faces, "volume",
		job->mesh.volume, "density", job->panels.density );
	printf( "%-24s %.9g kg\n", "displaced water", job->panels.density * job->mesh.volume );
	printf( "%-24s %.9g  %.9g  %.9g m\n", "about", p.x, p.y, p.z );
	if ( job->panels.boundary != DS_PANELS_UNBOUNDED )
	{
		printf( "%-24s %.9g m from the mesh's origin\n", boundary_name( job ), job->panels.distance );
	}
	if ( job->has_ellipsoid )
	{
		printf( "%-24s %.6g  %.6g  %.6g m, unbounded (Lamb)\n", "equivalent ellipsoid", a.x, a.y, a.z );
	}
	printf( "%-24s %.3f s%s\n", "found in", job->seconds, job->kept ? ", kept from an earlier time" : "" );
	print_diagonal( job );
	print_matrix( "panels: kg, kg m, kg m2", &job->matrix );
	if ( job->has_ellipsoid )
	{
		print_matrix( "ellipsoid", &job->ellipsoid );
	}
}

static void put_matrix( ds_json_writer *w, const char *key, const ds_mat6 *m )
{
	ds_json_key( w, key );
	ds_json_begin( w, '[' );
	for ( int i = 0; i < 6; i++ )
	{
		ds_json_begin_flat( w, '[' );
		for ( int j = 0; j < 6; j++ )
		{
			ds_json_put_number( w, m->m[i][j] );
		}
		ds_json_end( w, ']' );
	}
	ds_json_end( w, ']' );
}

static void put_vector( ds_json_writer *w, const char *key, ds_vec3 v )
{
	ds_json_key( w, key );
	ds_json_begin_flat( w, '[' );
	ds_json_put_number( w, v.x );
	ds_json_put_number( w, v.y );
	ds_json_put_number( w, v.z );
	ds_json_end( w, ']' );
}

static void put_number( ds_json_writer *w, const char *key, double number )
{
	ds_json_key( w, key );
	ds_json_put_number( w, number );
}

static int print_json( const added_mass_job *job )
{
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "file" );
	ds_json_put_string( &w, job->path );
	ds_json_key( &w, "faces" );
	ds_json_put_integer( &w, job->mesh.faces );
	put_number( &w, "volume", job->mesh.volume );
	put_number( &w, "density", job->panels.density );
	put_vector( &w, "about", job->panels.about );
	ds_json_key( &w, "boundary" );
	ds_json_put_string( &w, boundary_name( job ) );
	if ( job->panels.boundary != DS_PANELS_UNBOUNDED )
	{
		put_number( &w, "distance", job->panels.distance );
	}
	ds_json_key( &w, "kept" );
	ds_json_put_bool( &w, job->kept );
	put_matrix( &w, "matrix", &job->matrix );
	if ( job->has_ellipsoid )
	{
		ds_json_key( &w, "ellipsoid" );
		ds_json_begin( &w, '{' );
		put_vector( &w, "semi_axes", job->semi_axes );
		put_matrix( &w, "matrix", &job->ellipsoid );
		ds_json_end( &w, '}' );
	}
	ds_json_end( &w, '}' );
	return cli_print_text( &text );
}

// ---- the command line ----------------------------------------------------------------------------------------------

// "X,Y,Z"
static bool take_point( const char *text, ds_vec3 *point )
{
	char part[3][64];
	double number[3];
	for ( int i = 0; i < 3; i++ )
	{
		size_t length = strcspn( text, "," );
		if ( length >= sizeof( part[i] ) || ( text[length] == ',' ) != ( i < 2 ) )
		{
			return false;
		}
		memcpy( part[i], text, length );
		part[i][length] = '\0';
		if ( !cli_number( part[i], &number[i] ) )
		{
			return false;
		}
		text += length + ( i < 2 );
	}
	*point = ds_v3( number[0], number[1], number[2] );
	return true;
}

// Takes an option of this verb; false if its value is wrong.
static bool take_option( added_mass_job *job, int option, const char *value )
{
	uint64_t panels;
	switch ( option )
	{
		case OPTION_DENSITY:
			return cli_number( value, &job->panels.density ) && job->panels.density > 0;
		case OPTION_ABOUT:
			return take_point( value, &job->panels.about );
		case OPTION_SURFACE:
			job->panels.boundary = DS_PANELS_SURFACE;
			return cli_number( value, &job->panels.distance );
		case OPTION_SEABED:
			job->panels.boundary = DS_PANELS_SEABED;
			return cli_number( value, &job->panels.distance );
		case OPTION_PANELS:
			if ( !cli_unsigned( value, &panels ) || panels > DS_PANELS_MOST / 2 )
			{
				return false;
			}
			job->panels.least = (int64_t)panels;
			return true;
		case OPTION_NO_CACHE:
			job->cache = false;
			return true;
		default:
			job->json = true;
			return true;
	}
}

int cmd_mesh_added_mass( int argc, char **argv )
{
	static const cli_option options[] = { READ_OPTIONS, { "--density", "X", "of the water [kg/m3] (1025)" },
		{ "--about", "X,Y,Z", "point that the matrix is about [m] (0,0,0)" },
		{ "--surface", "D", "under a free surface, D metres above the mesh's origin (-z is up)" },
		{ "--seabed", "D", "over a flat seabed, D metres below the mesh's origin" },
		{ "--panels", "N", "split large faces into at least so many panels; 0: faces as they are (1280)" },
		{ "--no-cache", NULL, "neither read nor write FILE.added-mass" }, { "--json", NULL, "print JSON" } };
	static const cli_command command = { "mesh added-mass", "FILE",
		"Computes the added mass of a closed mesh by source panels, and prints that of the equivalent ellipsoid beside "
		"it. The result is kept in FILE.added-mass.",
		options, CLI_COUNT( options ), "  deepsim mesh added-mass hull.stl --scale 0.001 --about 0.1,0,0.02\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	added_mass_job job = { 0 };
	job.read = ds_mesh_options_default();
	job.panels = ds_panel_options_default();
	job.cache = true;
	int boundaries = 0;
	const char *value;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		boundaries += found == OPTION_SURFACE || found == OPTION_SEABED;
		if ( found == CLI_ARGUMENT )
		{
			if ( job.path )
			{
				return cli_usage( &command, "one file at a time, got %s and %s", job.path, value );
			}
			job.path = value;
		}
		else if ( found < OPTION_OWN && !cli_take_read_option( found, value, &job.read ) )
		{
			return cli_wrong_read_option( &command, found, value );
		}
		else if ( found >= OPTION_OWN && !take_option( &job, found, value ) )
		{
			return cli_usage( &command, "%s cannot be \"%s\": expected %s", options[found].name, value,
				found == OPTION_DENSITY  ? "a positive number"
				: found == OPTION_PANELS ? "a whole number in [0, 3000]"
				: found == OPTION_ABOUT  ? "three numbers with commas between them"
										 : "a number" );
		}
	}
	if ( job.path == NULL || boundaries > 1 )
	{
		return cli_usage( &command, job.path ? "one of --surface and --seabed, and once" : "a file is missing" );
	}
	if ( find( &job ) != DS_OK )
	{
		return cli_fail();
	}
	if ( job.json )
	{
		return print_json( &job );
	}
	print_text( &job );
	return CLI_OK;
}
