// deepsim mesh info | repair | make; the table of all mesh verbs

#include "cli/mesh_options.h"
#include "cli/table_options.h"

#include "base/base.h"
#include "base/json.h"
#include "deepsim/math.h"
#include "deepsim/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- options that all readers have ---------------------------------------------------------------------------------

bool cli_take_read_option( int option, const char *value, ds_mesh_options *options )
{
	static const char *const axes[DS_AXES_COUNT] = { "xyz", "flu", "y_up" };
	if ( option == OPTION_SCALE )
	{
		return cli_number( value, &options->scale ) && options->scale > 0;
	}
	if ( option == OPTION_WELD )
	{
		return cli_number( value, &options->weld_distance ) && options->weld_distance >= 0;
	}
	for ( int i = 0; i < DS_AXES_COUNT; i++ )
	{
		if ( strcmp( value, axes[i] ) == 0 )
		{
			options->axes = (ds_mesh_axes)i;
			return true;
		}
	}
	return false;
}

int cli_wrong_read_option( const cli_command *command, int option, const char *value )
{
	return cli_usage( command, "%s cannot be \"%s\": expected %s", command->options[option].name, value,
		option == OPTION_AXES ? "xyz, flu or y_up" : "a positive number" );
}

// ---- output --------------------------------------------------------------------------------------------------------

static void print_row( const char *name, ds_vec3 v, const char *unit )
{
	// + 0 makes 0 of -0
	printf( "%-24s %.9g  %.9g  %.9g %s\n", name, v.x + 0, v.y + 0, v.z + 0, unit );
}

static void print_properties( const ds_mesh_properties *p )
{
	printf( "%-24s %lld\n%-24s %lld\n%-24s %s\n", "vertices", (long long)p->vertices, "faces", (long long)p->faces,
		"closed", p->closed ? "yes" : "no" );
	printf( "%-24s %.12g m2\n", "area", p->area );
	if ( p->closed )
	{
		printf( "%-24s %.12g m3\n", "volume", p->volume );
		print_row( "centroid", p->centroid, "m" );
		const double( *m )[3] = p->inertia.m;
		print_row( "inertia", ds_v3( m[0][0], m[1][1], m[2][2] ), "m5 (xx yy zz, at unit density)" );
		print_row( "", ds_v3( m[0][1], m[1][2], m[2][0] ), "m5 (xy yz zx)" );
	}
	print_row( "lower", p->lower, "m" );
	print_row( "upper", p->upper, "m" );
	print_row( "size", ds_sub( p->upper, p->lower ), "m" );
}

static void print_counts( const ds_mesh_report *r )
{
	const struct
	{
		const char *what;
		int64_t count;
	} rows[] = { { "parts", r->components }, { "vertices welded", r->vertices_welded },
		{ "degenerate faces dropped", r->faces_degenerate }, { "duplicate faces dropped", r->faces_duplicate },
		{ "faces turned", r->faces_turned }, { "holes closed", r->holes_closed }, { "faces added", r->faces_added },
		{ "open edges", r->edges_open }, { "non-manifold edges", r->edges_non_manifold } };
	printf( "read                     %lld vertices, %lld faces in %.3f s\n", (long long)r->vertices_read,
		(long long)r->faces_read, r->seconds );
	for ( int i = 0; i < CLI_COUNT( rows ); i++ )
	{
		if ( rows[i].count > 0 )
		{
			printf( "%-24s %lld\n", rows[i].what, (long long)rows[i].count );
		}
	}
}

static void put_flat( ds_json_writer *w, const double *numbers, int count )
{
	ds_json_begin_flat( w, '[' );
	for ( int i = 0; i < count; i++ )
	{
		ds_json_put_number( w, numbers[i] );
	}
	ds_json_end( w, ']' );
}

static void put_vector( ds_json_writer *w, const char *key, ds_vec3 v )
{
	double numbers[3] = { v.x, v.y, v.z };
	ds_json_key( w, key );
	put_flat( w, numbers, 3 );
}

static void put_matrix( ds_json_writer *w, const char *key, const ds_mat3 *m )
{
	ds_json_key( w, key );
	ds_json_begin_flat( w, '[' );
	for ( int row = 0; row < 3; row++ )
	{
		put_flat( w, m->m[row], 3 );
	}
	ds_json_end( w, ']' );
}

static void put_integer( ds_json_writer *w, const char *key, int64_t number )
{
	ds_json_key( w, key );
	ds_json_put_integer( w, number );
}

static void put_report( ds_json_writer *w, const ds_mesh_report *r )
{
	put_integer( w, "vertices_read", r->vertices_read );
	put_integer( w, "faces_read", r->faces_read );
	put_integer( w, "vertices_welded", r->vertices_welded );
	put_integer( w, "faces_degenerate", r->faces_degenerate );
	put_integer( w, "faces_duplicate", r->faces_duplicate );
	put_integer( w, "faces_turned", r->faces_turned );
	put_integer( w, "edges_open", r->edges_open );
	put_integer( w, "edges_non_manifold", r->edges_non_manifold );
	put_integer( w, "holes_closed", r->holes_closed );
	put_integer( w, "faces_added", r->faces_added );
	put_integer( w, "components", r->components );
}

static int print_json( const char *path, ds_status status, const ds_mesh_properties *p, const ds_mesh_report *r )
{
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "file" );
	ds_json_put_string( &w, path );
	ds_json_key( &w, "status" );
	ds_json_put_string( &w, ds_status_name( status ) );
	put_integer( &w, "vertices", p->vertices );
	put_integer( &w, "faces", p->faces );
	ds_json_key( &w, "closed" );
	ds_json_put_bool( &w, p->closed );
	ds_json_key( &w, "area" );
	ds_json_put_number( &w, p->area );
	ds_json_key( &w, "volume" );
	ds_json_put_number( &w, p->volume );
	put_vector( &w, "centroid", p->centroid );
	put_matrix( &w, "inertia", &p->inertia );
	put_vector( &w, "lower", p->lower );
	put_vector( &w, "upper", p->upper );
	put_report( &w, r );
	ds_json_end( &w, '}' );
	return cli_print_text( &text );
}

// ---- info ----------------------------------------------------------------------------------------------------------

static bool is_topology_error( ds_status status )
{
	return status == DS_ERROR_MESH_OPEN || status == DS_ERROR_MESH_NON_MANIFOLD || status == DS_ERROR_MESH_WINDING ||
		   status == DS_ERROR_MESH_VOLUME;
}

// A mesh that is not fit for hydrostatics is an error, but what it measures is shown all the same.
static int show_info( const char *path, ds_mesh_options *options, bool json )
{
	ds_hooks hooks = cli_hooks( false );
	ds_mesh *mesh = NULL;
	ds_mesh_report report;
	ds_status status = ds_mesh_load( path, options, &hooks, &mesh, &report );
	char message[1024];
	snprintf( message, sizeof( message ), "%s", status == DS_OK ? "" : ds_last_error() );
	if ( is_topology_error( status ) )
	{
		options->topology = DS_MESH_OPEN_ALLOWED;
		if ( ds_mesh_load( path, options, NULL, &mesh, &report ) != DS_OK )
		{
			mesh = NULL;
		}
	}
	if ( mesh )
	{
		ds_mesh_properties properties = ds_mesh_measure( mesh );
		if ( json )
		{
			print_json( path, status, &properties, &report );
		}
		else
		{
			print_properties( &properties );
			print_counts( &report );
		}
		ds_mesh_release( mesh );
	}
	if ( status != DS_OK )
	{
		cli_error( "%s", message );
		return CLI_FAILURE;
	}
	return CLI_OK;
}

static int cmd_info( int argc, char **argv )
{
	static const cli_option options[] = { READ_OPTIONS, { "--json", NULL, "print JSON" } };
	static const cli_command command = { "mesh info", "FILE",
		"Checks a mesh (.obj, .gltf, .glb, .stl, .ply) and prints its volume, area, centroid, inertia and bounds.",
		options, CLI_COUNT( options ), "  deepsim mesh info hull.stl --scale 0.001 --axes flu\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	ds_mesh_options read = ds_mesh_options_default();
	const char *value, *path = NULL;
	bool json = false;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			if ( path )
			{
				return cli_usage( &command, "one file at a time, got %s and %s", path, value );
			}
			path = value;
		}
		else if ( found == OPTION_OWN )
		{
			json = true;
		}
		else if ( !cli_take_read_option( found, value, &read ) )
		{
			return cli_wrong_read_option( &command, found, value );
		}
	}
	return path ? show_info( path, &read, json ) : cli_usage( &command, "a file is missing" );
}

// ---- repair --------------------------------------------------------------------------------------------------------

static int repair( const char *path, const char *output, const ds_mesh_options *options, uint64_t max_hole )
{
	ds_hooks hooks = cli_hooks( false );
	ds_mesh *mesh;
	ds_mesh_report report;
	if ( ds_mesh_repair( path, options, (int64_t)max_hole, &hooks, &mesh, &report ) != DS_OK )
	{
		return cli_fail();
	}
	ds_mesh_properties properties = ds_mesh_measure( mesh );
	int code = ds_mesh_save( mesh, output ) == DS_OK ? CLI_OK : cli_fail();
	if ( code == CLI_OK )
	{
		print_counts( &report );
		printf( "%-24s %s: %lld faces, %.9g m3\n", "written", output, (long long)properties.faces, properties.volume );
	}
	ds_mesh_release( mesh );
	return code;
}

static int cmd_repair( int argc, char **argv )
{
	static const cli_option options[] = { READ_OPTIONS,
		{ "-o", "FILE", "what to write: .obj, .stl or .ply, in metres" },
		{ "--max-hole", "N", "close holes of up to N edges (64)" } };
	static const cli_command command = { "mesh repair", "FILE -o FILE",
		"Makes a closed mesh of one that is not quite: merges vertices and faces, closes small holes, winds faces "
		"alike.",
		options, CLI_COUNT( options ), "  deepsim mesh repair hull.stl -o closed.obj --weld 0.0001\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	ds_mesh_options read = ds_mesh_options_default();
	const char *value, *path = NULL, *output = NULL;
	uint64_t max_hole = 64;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			if ( path )
			{
				return cli_usage( &command, "one file at a time, got %s and %s", path, value );
			}
			path = value;
		}
		else if ( found == OPTION_OWN )
		{
			output = value;
		}
		else if ( found == OPTION_OWN + 1 )
		{
			if ( !cli_unsigned( value, &max_hole ) || max_hole > INT32_MAX )
			{
				return cli_usage( &command, "--max-hole cannot be \"%s\": expected a number of edges", value );
			}
		}
		else if ( !cli_take_read_option( found, value, &read ) )
		{
			return cli_wrong_read_option( &command, found, value );
		}
	}
	if ( path == NULL || output == NULL )
	{
		return cli_usage( &command, path ? "-o FILE is missing" : "a file is missing" );
	}
	return repair( path, output, &read, max_hole );
}

// ---- make ----------------------------------------------------------------------------------------------------------

static int make( const cli_command *command, int number, const char *json, const char *output )
{
	const ds_mesh_shape_kind kind = (ds_mesh_shape_kind)number;
	ds_mesh_shape shape = ds_mesh_shape_default( kind );
	if ( ds_table_parse( ds_mesh_shape_table( kind ), json, &shape ) != DS_OK )
	{
		return cli_usage( command, "%s", ds_last_error() );
	}
	shape.struct_size = sizeof( shape );
	shape.kind = kind;
	ds_hooks hooks = cli_hooks( false );
	ds_mesh *mesh;
	ds_status status = ds_mesh_make( &shape, &hooks, &mesh );
	if ( status != DS_OK )
	{
		return status == DS_ERROR_RANGE ? cli_usage( command, "%s", ds_last_error() ) : cli_fail();
	}
	ds_mesh_properties p = ds_mesh_measure( mesh );
	int code = ds_mesh_save( mesh, output ) == DS_OK ? CLI_OK : cli_fail();
	if ( code == CLI_OK )
	{
		printf( "written %s: %lld faces, %.9g m3, %.9g m2\n", output, (long long)p.faces, p.volume, p.area );
	}
	ds_mesh_release( mesh );
	return code;
}

static const cli_command make_command = { "mesh make", "SHAPE -o FILE",
	"Makes a closed mesh of a shape. `deepsim mesh make SHAPE --help` lists its options.", NULL, 0,
	"  deepsim mesh make sphere --radius 0.5 --faces 1280 -o ball.obj\n" };

static int cmd_make( int argc, char **argv )
{
	if ( argc < 2 )
	{
		return cli_usage( &make_command, "a shape is missing" );
	}
	if ( strcmp( argv[1], "--help" ) == 0 || strcmp( argv[1], "-h" ) == 0 )
	{
		cli_help( &make_command, stdout );
		printf( "\n%sshapes%s\n", cli_bold( stdout ), cli_plain( stdout ) );
		for ( int kind = 0; kind < DS_MESH_SHAPE_COUNT; kind++ )
		{
			const ds_table *table = ds_mesh_shape_table( (ds_mesh_shape_kind)kind );
			printf( "  %-10s  %s\n", table->name, table->doc );
		}
		return CLI_OK;
	}
	const char *names[DS_MESH_SHAPE_COUNT];
	for ( int kind = 0; kind < DS_MESH_SHAPE_COUNT; kind++ )
	{
		names[kind] = ds_mesh_shape_table( (ds_mesh_shape_kind)kind )->name;
		if ( strcmp( argv[1], names[kind] ) == 0 )
		{
			// --tail-angle-deg is --tail_angle_deg
			for ( int i = 2; i < argc; i++ )
			{
				bool option = strncmp( argv[i], "--", 2 ) == 0;
				for ( char *c = argv[i] + ( option ? 2 : 0 ); option && *c && *c != '='; c++ )
				{
					*c = *c == '-' ? '_' : *c;
				}
			}
			return cli_table_run( "mesh make", ds_mesh_shape_table( (ds_mesh_shape_kind)kind ),
				"what to write: .obj, .stl or .ply", kind, make, argc - 1, argv + 1 );
		}
	}
	const char *nearest = ds_nearest_name( argv[1], names, DS_MESH_SHAPE_COUNT );
	return nearest ? cli_usage( &make_command, "unknown shape %s; did you mean %s?", argv[1], nearest )
				   : cli_usage( &make_command, "unknown shape %s", argv[1] );
}

// ---- mesh ----------------------------------------------------------------------------------------------------------

int cmd_mesh( int argc, char **argv )
{
	static const cli_command command = { "mesh", "info|repair|make|added-mass|board",
		"Measures, repairs and makes closed triangle meshes, computes their added mass, and makes calibration targets. "
		"`deepsim mesh VERB --help` "
		"tells more of each.",
		NULL, 0,
		"  deepsim mesh info hull.obj\n  deepsim mesh repair hull.stl -o closed.obj\n"
		"  deepsim mesh make sphere --radius 0.5 --faces 1280 -o ball.obj\n" };
	static const struct
	{
		const char *name;
		int ( *run )( int argc, char **argv );
	} verbs[] = { { "info", cmd_info }, { "repair", cmd_repair }, { "make", cmd_make },
		{ "added-mass", cmd_mesh_added_mass }, { "board", cmd_mesh_board } };
	if ( argc < 2 )
	{
		return cli_usage( &command, "a verb is missing: info, repair, make, added-mass or board" );
	}
	if ( strcmp( argv[1], "--help" ) == 0 || strcmp( argv[1], "-h" ) == 0 )
	{
		cli_help( &command, stdout );
		return CLI_OK;
	}
	for ( int i = 0; i < CLI_COUNT( verbs ); i++ )
	{
		if ( strcmp( argv[1], verbs[i].name ) == 0 )
		{
			return verbs[i].run( argc - 1, argv + 1 );
		}
	}
	return cli_usage( &command, "unknown verb %s: expected info, repair, make, added-mass or board", argv[1] );
}
