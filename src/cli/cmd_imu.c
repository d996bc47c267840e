// deepsim imu presets, show; the table of all imu verbs

#include "cli/imu.h"

#include "base/base.h"
#include "base/field_io.h"

#include <math.h>
#include <string.h>

// ---- JSON ----------------------------------------------------------------------------------------------------------

void imu_put_tree( ds_json_writer *w, const ds_json *value, int levels )
{
	if ( value->type != DS_JSON_OBJECT || levels < 0 )
	{
		ds_json_put( w, value );
		return;
	}
	ds_json_begin( w, '{' );
	for ( const ds_json *p = value->first; p; p = p->next )
	{
		ds_json_key( w, p->key );
		imu_put_tree( w, p, levels - 1 );
	}
	ds_json_end( w, '}' );
}

// ---- presets -------------------------------------------------------------------------------------------------------

// A number in a unit of datasheets; "-" for 0.
static void print_cell( double value, const char *si, const char *unit, int width )
{
	double number;
	char text[32] = "-";
	if ( value > 0 && ds_imu_convert( value, si, unit, &number ) == DS_OK )
	{
		snprintf( text, sizeof( text ), "%.3g", number );
	}
	printf( "%*s", width, text );
}

static double mean( const double *v )
{
	return ( v[0] + v[1] + v[2] ) / 3;
}

static int print_presets( void )
{
	const ds_table *table = ds_imu_config_table();
	printf( "%s%-22s%10s%10s%10s%10s%s  means of three axes\n", cli_bold( stdout ), "preset", "gyro N", "gyro B",
		"accel N", "accel B", cli_plain( stdout ) );
	printf( "%-22s%10s%10s%10s%10s\n", "", "deg/rt-h", "deg/h", "ug/rt-Hz", "ug" );
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		ds_imu_config c;
		if ( ds_imu_config_preset( table->presets[i].name, &c ) != DS_OK )
		{
			return cli_fail();
		}
		printf( "%-22s", table->presets[i].name );
		print_cell( mean( c.gyro.N ), "rad/s/sqrt(Hz)", "deg/sqrt(h)", 10 );
		print_cell( mean( c.gyro.B ), "rad/s", "deg/h", 10 );
		print_cell( mean( c.accel.N ), "m/s2/sqrt(Hz)", "ug/sqrt(Hz)", 10 );
		print_cell( mean( c.accel.B ), "m/s2", "ug", 10 );
		printf( "  %s\n", table->presets[i].doc );
	}
	return CLI_OK;
}

static int print_text( ds_text *text )
{
	bool whole = text->status == DS_OK;
	printf( "%s\n", ds_text_get( text ) );
	ds_text_clear( text );
	return whole ? CLI_OK : CLI_FAILURE;
}

static int print_presets_json( void )
{
	const ds_table *table = ds_imu_config_table();
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '[' );
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		ds_json_begin( &w, '{' );
		ds_json_key( &w, "name" );
		ds_json_put_string( &w, table->presets[i].name );
		ds_json_key( &w, "doc" );
		ds_json_put_string( &w, table->presets[i].doc );
		ds_json_key( &w, "config" );
		ds_json_put_raw( &w, table->presets[i].json );
		ds_json_end( &w, '}' );
	}
	ds_json_end( &w, ']' );
	return print_text( &text );
}

static int cmd_presets( int argc, char **argv )
{
	static const cli_option options[] = { { "--json", NULL, "print JSON: names, docs and configs" } };
	static const cli_command command = { "imu presets", "",
		"Lists the IMUs that a config can start from, with their white noise N and bias instability B in units of "
		"datasheets.",
		options, CLI_COUNT( options ), "  deepsim imu presets\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	bool json = false;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			return cli_usage( &command, "it takes no argument, got %s", value );
		}
		json = true;
	}
	return json ? print_presets_json() : print_presets();
}

// ---- show ----------------------------------------------------------------------------------------------------------

static const ds_preset *find_preset( const char *name )
{
	const ds_table *table = ds_imu_config_table();
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		if ( strcmp( table->presets[i].name, name ) == 0 )
		{
			return &table->presets[i];
		}
	}
	ds_imu_config unused;
	(void)ds_imu_config_preset( name, &unused ); // for its error
	return NULL;
}

static int show( const ds_preset *preset, bool full )
{
	ds_arena arena;
	ds_json *tree = NULL;
	ds_text text = { 0 }, whole = { 0 };
	ds_arena_init( &arena, NULL );
	ds_imu_config config;
	ds_status status = ds_imu_config_preset( preset->name, &config );
	ds_json_writer w = { &whole, 0, 0, false, false };
	if ( status == DS_OK && full )
	{
		status = ds_table_write( ds_imu_config_table(), &config, DS_WRITE_CONFIG, &w );
	}
	const char *json = full ? ds_text_get( &whole ) : preset->json;
	status = status == DS_OK ? ds_json_parse( &arena, preset->name, 0, json, strlen( json ), &tree ) : status;
	int code = CLI_FAILURE;
	if ( status == DS_OK )
	{
		ds_json_writer out = { &text, 0, 0, false, false };
		imu_put_tree( &out, tree, 1 );
		code = print_text( &text );
	}
	else
	{
		code = cli_fail();
	}
	ds_text_clear( &whole );
	ds_arena_free( &arena );
	return code;
}

static int cmd_show( int argc, char **argv )
{
	static const cli_option options[] = { { "--full", NULL, "every option, not only what the preset sets" } };
	static const cli_command command = { "imu show", "PRESET",
		"Prints a preset as the \"config\" of a sensor of type imu, in SI. A scenario that names the preset gets the "
		"same: "
		"\"config\": {\"preset\": \"stim300\"}.",
		options, CLI_COUNT( options ), "  deepsim imu show stim300\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value, *name = NULL;
	bool full = false;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found != CLI_ARGUMENT )
		{
			full = true;
		}
		else if ( name )
		{
			return cli_usage( &command, "one preset at a time, got %s and %s", name, value );
		}
		else
		{
			name = value;
		}
	}
	if ( name == NULL )
	{
		return cli_usage( &command, "which preset? deepsim imu presets lists them" );
	}
	const ds_preset *preset = find_preset( name );
	return preset ? show( preset, full ) : cli_fail();
}

// ---- imu -----------------------------------------------------------------------------------------------------------

int cmd_imu( int argc, char **argv )
{
	static const cli_verb verbs[] = { { "convert", cmd_imu_convert,
										  "read figures of datasheets, print them in SI and as a config" },
		{ "presets", cmd_presets, "list the IMUs that a config can start from" },
		{ "show", cmd_show, "print a preset as a config" },
		{ "record", cmd_imu_record, "simulate an IMU at rest, without a world, into a CSV file" } };
	return cli_run_verb( "imu", "[ARGUMENT]...", verbs, CLI_COUNT( verbs ), argc, argv );
}
