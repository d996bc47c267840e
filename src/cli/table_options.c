// Options of a command from a table of fields.

#include "cli/table_options.h"

#include "base/text.h"

#include <string.h>

#define MOST_FIELDS 16

typedef struct table_options
{
	cli_option options[MOST_FIELDS + 1];
	char names[MOST_FIELDS][80], values[MOST_FIELDS][16], docs[MOST_FIELDS][240];
	int count;
} table_options;

static void list_options( const ds_table *table, const char *output_doc, table_options *out )
{
	const cli_option output = { "-o", "FILE", output_doc };
	out->count = 0;
	out->options[out->count++] = output;
	for ( int i = 0; i < table->field_count && i < MOST_FIELDS; i++ )
	{
		const ds_field *f = &table->fields[i];
		bool angle = f->flags & DS_FIELD_ANGLE;
		const char *unit = angle ? "degrees" : f->unit;
		snprintf( out->names[i], sizeof( out->names[i] ), "--%s%s", f->name, angle ? "_deg" : "" );
		snprintf( out->values[i], sizeof( out->values[i] ), "%s", f->count == 3 ? "X,Y,Z" : "X" );
		snprintf( out->docs[i], sizeof( out->docs[i] ), "%s%s%s%s (%s)", f->doc, unit[0] ? " [" : "", unit,
			unit[0] ? "]" : "", f->initial );
		const cli_option option = { out->names[i], out->values[i], out->docs[i] };
		out->options[out->count++] = option;
	}
}

// A JSON object of the options that were given, "X,Y,Z" as an array; the descriptors check the rest.
static bool put_option( ds_text *json, const ds_field *field, const char *value )
{
	if ( value[0] == '\0' || strspn( value, "0123456789+-.eE," ) != strlen( value ) )
	{
		return false;
	}
	bool array = field->count > 1;
	ds_text_format( json, "%s\"%s%s\": %s%s%s", json->length > 1 ? ", " : "", field->name,
		field->flags & DS_FIELD_ANGLE ? "_deg" : "", array ? "[" : "", value, array ? "]" : "" );
	return true;
}

int cli_table_run( const char *name, const ds_table *table, const char *output_doc, int kind, cli_table_make *make,
	int argc, char **argv )
{
	table_options list;
	list_options( table, output_doc, &list );
	char full_name[64];
	snprintf( full_name, sizeof( full_name ), "%s %s", name, table->name );
	cli_command command = { full_name, "-o FILE", table->doc, list.options, list.count, NULL };
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
		else if ( !put_option( &json, &table->fields[found - 1], value ) )
		{
			code = cli_usage( &command, "%s cannot be \"%s\": expected a number%s", list.options[found].name, value,
				table->fields[found - 1].count > 1 ? " or numbers with commas between them" : "" );
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
