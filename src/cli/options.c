#include "cli/cli.h"

#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 32

cli_parser cli_parse( const cli_command *command, int argc, char **argv )
{
	cli_parser parser = { command, argc, argv, 1, false, CLI_OK };
	return parser;
}

static int done( cli_parser *parser, int exit_code )
{
	parser->exit_code = exit_code;
	return CLI_DONE;
}

static int unknown_option( cli_parser *parser, const char *name )
{
	const cli_command *command = parser->command;
	const char *names[MAX_OPTIONS + 1];
	size_t count = 0;
	for ( int i = 0; i < command->option_count && count < MAX_OPTIONS; i++ )
	{
		names[count++] = command->options[i].name;
	}
	names[count++] = "--help";
	const char *nearest = ds_nearest_name( name, names, count );
	int code = nearest ? cli_usage( command, "unknown option %s; did you mean %s?", name, nearest )
					   : cli_usage( command, "unknown option %s", name );
	return done( parser, code );
}

// "--name" or "--name=value" at the parser's place.
static int next_option( cli_parser *parser, const char *text, const char **value )
{
	const cli_command *command = parser->command;
	const char *equals = strchr( text, '=' );
	size_t length = equals ? (size_t)( equals - text ) : strlen( text );
	for ( int i = 0; i < command->option_count; i++ )
	{
		const cli_option *option = &command->options[i];
		if ( strncmp( option->name, text, length ) != 0 || option->name[length] != '\0' )
		{
			continue;
		}
		if ( option->value == NULL && equals )
		{
			return done( parser, cli_usage( command, "%s takes no value", option->name ) );
		}
		if ( option->value && equals == NULL && parser->index >= parser->argc )
		{
			return done(
				parser, cli_usage( command, "%s needs a value: %s %s", option->name, option->name, option->value ) );
		}
		*value = equals ? equals + 1 : option->value ? parser->argv[parser->index++] : NULL;
		return i;
	}
	char name[64];
	snprintf( name, sizeof( name ), "%.*s", (int)( length < 60 ? length : 60 ), text );
	return unknown_option( parser, name );
}

// "-30", "-.5": an argument, not an option.
static bool is_negative( const char *text )
{
	const char *digit = text[1] == '.' ? text + 2 : text + 1;
	return *digit >= '0' && *digit <= '9';
}

int cli_next( cli_parser *parser, const char **value )
{
	*value = NULL;
	if ( parser->index >= parser->argc )
	{
		return CLI_END;
	}
	const char *text = parser->argv[parser->index++];
	if ( parser->only_arguments || text[0] != '-' || text[1] == '\0' || is_negative( text ) )
	{
		*value = text;
		return CLI_ARGUMENT;
	}
	if ( strcmp( text, "--" ) == 0 )
	{
		parser->only_arguments = true;
		return cli_next( parser, value );
	}
	if ( strcmp( text, "--help" ) == 0 || strcmp( text, "-h" ) == 0 )
	{
		cli_help( parser->command, stdout );
		return done( parser, CLI_OK );
	}
	return next_option( parser, text, value );
}

void cli_help( const cli_command *command, FILE *out )
{
	fprintf( out, "usage: deepsim %s%s%s%s\n\n%s\n", command->name, command->arguments[0] != '\0' ? " " : "",
		command->arguments, command->option_count > 0 ? " [OPTION]..." : "", command->doc );
	fprintf( out, "\n%soptions%s\n", cli_bold( out ), cli_plain( out ) );
	int width = (int)strlen( "--help" );
	for ( int i = 0; i < command->option_count; i++ )
	{
		const cli_option *option = &command->options[i];
		int length = (int)( strlen( option->name ) + ( option->value ? 1 + strlen( option->value ) : 0 ) );
		width = length > width ? length : width;
	}
	for ( int i = 0; i < command->option_count; i++ )
	{
		const cli_option *option = &command->options[i];
		int length =
			fprintf( out, "  %s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "" );
		fprintf( out, "%*s  %s\n", width + 2 - length, "", option->doc );
	}
	fprintf( out, "  %-*s  %s\n", width, "--help", "print this" );
	if ( command->examples )
	{
		fprintf( out, "\n%sexamples%s\n%s", cli_bold( out ), cli_plain( out ), command->examples );
	}
}

int cli_usage( const cli_command *command, const char *format, ... )
{
	char message[1024];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( message, sizeof( message ), format, arguments );
	va_end( arguments );
	cli_error( "%s: %s", command->name, message );
	fprintf( stderr, "usage: deepsim %s%s%s (deepsim %s --help tells more)\n", command->name,
		command->arguments[0] != '\0' ? " " : "", command->arguments, command->name );
	return CLI_USAGE;
}

bool cli_number( const char *text, double *number )
{
	char *end = NULL;
	*number = strtod( text, &end );
	return end != text && *end == '\0' && isfinite( *number );
}

bool cli_unsigned( const char *text, uint64_t *number )
{
	// strtoull takes signs and spaces
	if ( text[0] == '\0' || strspn( text, "0123456789" ) != strlen( text ) )
	{
		return false;
	}
	errno = 0;
	unsigned long long value = strtoull( text, NULL, 10 );
	*number = value;
	return errno == 0;
}
