// deepsim mesh board

#include "cli/mesh_options.h"

#include "base/base.h"
#include "deepsim/visual.h"

#include <string.h>

#define MOST_FIELDS 12

// The options of a kind, from its descriptors: one a field, as in JSON.
typedef struct board_options
{
	cli_option options[MOST_FIELDS + 1];
	char names[MOST_FIELDS][80], docs[MOST_FIELDS][240];
	int count;
} board_options;

static void list_options( const ds_table *table, board_options *out )
{
	const cli_option output = { "-o", "FILE",
		"what to write: .glb, in metres, facing -x, columns along y, rows along z" };
	out->count = 0;
	out->options[out->count++] = output;
	for ( int i = 0; i < table->field_count && i < MOST_FIELDS; i++ )
	{
		const ds_field *f = &table->fields[i];
		snprintf( out->names[i], sizeof( out->names[i] ), "--%s", f->name );
		snprintf( out->docs[i], sizeof( out->docs[i] ), "%s%s%s%s (%s)", f->doc, f->unit[0] ? " [" : "", f->unit,
			f->unit[0] ? "]" : "", f->initial );
		const cli_option option = { out->names[i], "X", out->docs[i] };
		out->options[out->count++] = option;
	}
}

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

static int make( const cli_command *command, ds_board_kind kind, const char *json, const char *output )
{
	ds_board board;
	if ( ds_table_parse( ds_board_table( kind ), json, &board ) != DS_OK )
	{
		return cli_usage( command, "%s", ds_last_error() );
	}
	board.kind = kind;
	return write_board( &board, output );
}

static int parse_board( ds_board_kind kind, int argc, char **argv )
{
	const ds_table *table = ds_board_table( kind );
	board_options list;
	list_options( table, &list );
	char name[64];
	snprintf( name, sizeof( name ), "mesh board %s", table->name );
	cli_command command = { name, "-o FILE", table->doc, list.options, list.count, NULL };
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value, *output = NULL;
	ds_text json;
	ds_text_init( &json, NULL );
	ds_text_string( &json, "{" );
	int code = -1;
	for ( int found; code < 0 && ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			code = parser.exit_code;
		}
		else if ( found == CLI_ARGUMENT )
		{
			code = cli_usage( &command, "unexpected argument %s", value );
		}
		else if ( found == 0 )
		{
			output = value;
		}
		else if ( value[0] == '\0' || strspn( value, "0123456789+-.eE" ) != strlen( value ) )
		{
			code = cli_usage( &command, "%s cannot be \"%s\": expected a number", list.options[found].name, value );
		}
		else
		{
			ds_text_format( &json, "%s\"%s\": %s", json.length > 1 ? ", " : "", table->fields[found - 1].name, value );
		}
	}
	ds_text_string( &json, "}" );
	if ( code < 0 )
	{
		code =
			output ? make( &command, kind, ds_text_get( &json ), output ) : cli_usage( &command, "-o FILE is missing" );
	}
	ds_text_clear( &json );
	return code;
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
			return parse_board( (ds_board_kind)kind, argc - 1, argv + 1 );
		}
	}
	return cli_usage( &command, "unknown kind %s: expected checkerboard or tags", argv[1] );
}
