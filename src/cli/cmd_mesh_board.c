// deepsim mesh board

#include "cli/mesh_options.h"
#include "cli/table_options.h"

#include "base/base.h"
#include "deepsim/visual.h"

#include <string.h>

static int write_board( const ds_board *board, const char *output )
{
	ds_hooks hooks = cli_hooks( false );
	ds_visual *visual;
	if ( ds_visual_board( board, &hooks, &visual ) != DS_OK )
	{
		return cli_fail();
	}
	int code = ds_visual_save( visual, output ) == DS_OK ? CLI_OK : cli_fail();
	int64_t vertices, faces;
	const ds_vec3 *v = ds_visual_vertices( visual, &vertices );
	ds_visual_triangles( visual, &faces );
	if ( code == CLI_OK )
	{
		// the first vertex is the top left corner of the front, and the middle is the origin
		printf( "written %s: %g m x %g m, %lld faces\n", output, -2 * v[0].y, -2 * v[0].z, (long long)faces );
	}
	ds_visual_release( visual );
	return code;
}

static int make( const cli_command *command, int number, const char *json, const char *output )
{
	const ds_board_kind kind = (ds_board_kind)number;
	ds_board board;
	if ( ds_table_parse( ds_board_table( kind ), json, &board ) != DS_OK )
	{
		return cli_usage( command, "%s", ds_last_error() );
	}
	board.kind = number;
	return write_board( &board, output );
}

int cmd_mesh_board( int argc, char **argv )
{
	static const cli_command command = { "mesh board", "checkerboard|tags -o FILE",
		"Makes a calibration target as a visual: a plate with a checkerboard or AprilTags (family 36h11) on its front. "
		"`deepsim mesh board KIND --help` lists its options.",
		NULL, 0,
		"  deepsim mesh board checkerboard --rows 7 --columns 10 --square 0.05 -o board.glb\n"
		"  deepsim mesh board tags --rows 4 --columns 6 -o tags.glb\n" };
	if ( argc < 2 )
	{
		return cli_usage( &command, "a kind is missing: checkerboard or tags" );
	}
	if ( strcmp( argv[1], "--help" ) == 0 || strcmp( argv[1], "-h" ) == 0 )
	{
		cli_help( &command, stdout );
		printf( "\n%skinds%s\n", cli_bold( stdout ), cli_plain( stdout ) );
		for ( int kind = 0; kind < DS_BOARD_KIND_COUNT; kind++ )
		{
			const ds_table *table = ds_board_table( (ds_board_kind)kind );
			printf( "  %-12s  %s\n", table->name, table->doc );
		}
		return CLI_OK;
	}
	for ( int kind = 0; kind < DS_BOARD_KIND_COUNT; kind++ )
	{
		if ( strcmp( argv[1], ds_board_table( (ds_board_kind)kind )->name ) == 0 )
		{
			return cli_table_run( "mesh board", ds_board_table( (ds_board_kind)kind ),
				"what to write: .glb, in metres, facing -x, columns along y, rows along z", kind, make, argc - 1,
				argv + 1 );
		}
	}
	return cli_usage( &command, "unknown kind %s: expected checkerboard or tags", argv[1] );
}
