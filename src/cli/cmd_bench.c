#include "base/base.h"
#include "base/json.h"
#include "cli/cli.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <string.h>

#define DETAIL_SIZE 512
#define MAX_BENCHES 64

enum
{
	OPTION_JSON,
	OPTION_LIST
};

static const cli_option options[] = {
	[OPTION_JSON] = { "--json", NULL, "one JSON object a line: name, value, unit, threads, detail" },
	[OPTION_LIST] = { "--list", NULL, "list the benchmarks without running them" },
};

static const cli_command command = { "bench", "[NAME...]",
	"Runs the benchmarks that are named, or all, and prints the median of each one's repeats. Less is better.", options,
	CLI_COUNT( options ), "  deepsim bench\n  deepsim bench step_free_body faces_submerged_5120 --json\n" };

static int find_bench( const char *name )
{
	const char *names[MAX_BENCHES];
	for ( int i = 0; i < ds_bench_count; i++ )
	{
		if ( strcmp( ds_benches[i].name, name ) == 0 )
		{
			return i;
		}
		names[i] = ds_benches[i].name;
	}
	const char *nearest = ds_nearest_name( name, names, (size_t)ds_bench_count );
	(void)( nearest ? cli_usage( &command, "no benchmark is called %s; did you mean %s?", name, nearest )
					: cli_usage( &command, "no benchmark is called %s; --list shows them", name ) );
	return -1;
}

static void print_list( void )
{
	for ( int i = 0; i < ds_bench_count; i++ )
	{
		printf( "%-22s %-8s  %s\n", ds_benches[i].name, ds_benches[i].unit, ds_benches[i].doc );
	}
}

static ds_status print_json( const ds_bench *bench, double value, const char *detail )
{
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer json = { 0 };
	json.text = &text;
	ds_json_begin_flat( &json, '{' );
	ds_json_key( &json, "name" );
	ds_json_put_string( &json, bench->name );
	ds_json_key( &json, "value" );
	ds_json_put_number( &json, value );
	ds_json_key( &json, "unit" );
	ds_json_put_string( &json, bench->unit );
	ds_json_key( &json, "threads" );
	ds_json_put_integer( &json, bench->threads );
	ds_json_key( &json, "detail" );
	ds_json_put_string( &json, detail );
	ds_json_end( &json, '}' );
	ds_status status = text.status;
	printf( "%s\n", ds_text_get( &text ) );
	ds_text_clear( &text );
	return status;
}

static int run_bench( const ds_bench *bench, bool as_json )
{
	char detail[DETAIL_SIZE] = "";
	double value = bench->run( detail, sizeof( detail ) );
	if ( isnan( value ) )
	{
		cli_error( "%s: %s", bench->name, detail[0] != '\0' ? detail : "could not be measured" );
		return CLI_FAILURE;
	}
	if ( as_json && print_json( bench, value, detail ) != DS_OK )
	{
		return cli_fail();
	}
	if ( !as_json )
	{
		printf( "%-22s %10.4g %-8s %7d  %s\n", bench->name, value, bench->unit, bench->threads, detail );
	}
	// they take long: whoever waits sees each when it is done
	fflush( stdout );
	return CLI_OK;
}

static int run_benches( const bool *wanted, bool as_json )
{
	if ( !as_json )
	{
		printf( "%s%-22s %10s %-8s %s  %s%s\n", cli_bold( stdout ), "benchmark", "median", "unit", "threads", "detail",
			cli_plain( stdout ) );
	}
	int code = CLI_OK;
	for ( int i = 0; i < ds_bench_count; i++ )
	{
		if ( wanted[i] && run_bench( &ds_benches[i], as_json ) != CLI_OK )
		{
			code = CLI_FAILURE;
		}
	}
	return code;
}

int cmd_bench( int argc, char **argv )
{
	bool wanted[MAX_BENCHES] = { false };
	bool as_json = false, some = false;
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == OPTION_LIST )
		{
			print_list();
			return CLI_OK;
		}
		if ( found == OPTION_JSON )
		{
			as_json = true;
			continue;
		}
		int bench = find_bench( value );
		if ( bench < 0 )
		{
			return CLI_USAGE;
		}
		wanted[bench] = some = true;
	}
	for ( int i = 0; i < ds_bench_count && !some; i++ )
	{
		wanted[i] = true;
	}
	return run_benches( wanted, as_json );
}
