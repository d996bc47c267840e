// deepsim allan: the files that it writes, and whether it may.

#include "base/text.h"
#include "cli/allan.h"
#include "cli/run.h"
#include "io/log_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- before anything is read for long ------------------------------------------------------------------------------

// Whether writing would destroy what is read, or another file that is written.
static bool is_same( const char *path, const char *other )
{
	struct stat a, b;
	bool standard = strcmp( other, "-" ) == 0;
	return strcmp( path, other ) == 0 ||
		   ( stat( path, &a ) == 0 && ( standard ? fstat( STDIN_FILENO, &b ) : stat( other, &b ) ) == 0 &&
			   a.st_dev == b.st_dev && a.st_ino == b.st_ino && S_ISREG( a.st_mode ) );
}

int allan_check_outputs( const char *input, const char *const *outputs, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( outputs[i] == NULL || outputs[i][0] == '\0' )
		{
			continue;
		}
		if ( strcmp( outputs[i], "-" ) == 0 )
		{
			cli_error( "-: the standard output has the table; name a file for what is written beside it" );
			return CLI_FAILURE;
		}
		if ( is_same( outputs[i], input ) )
		{
			cli_error( "%s: is the file that is read; name another one for what is written", outputs[i] );
			return CLI_FAILURE;
		}
		for ( int k = 0; k < i; ++k )
		{
			if ( outputs[k] && is_same( outputs[i], outputs[k] ) )
			{
				cli_error( "%s: two files of this name would be written; name another one", outputs[i] );
				return CLI_FAILURE;
			}
		}
		struct stat status;
		if ( stat( outputs[i], &status ) == 0 && S_ISDIR( status.st_mode ) )
		{
			cli_error( "%s: is a folder; name a file in it", outputs[i] );
			return CLI_FAILURE;
		}
		if ( run_summary_check( outputs[i] ) != DS_OK )
		{
			return cli_fail();
		}
	}
	return CLI_OK;
}

// ---- curves ------------------------------------------------------------------------------------------------------

// A heading, in quotes where it has what would part it.
static void put_heading( ds_text *text, const char *name, const char *ending, const char *unit )
{
	char heading[4 * DS_NAME_SIZE];
	snprintf( heading, sizeof( heading ), "%s%s[%s]", name, ending, unit );
	bool quoted = strpbrk( heading, ",;\"" ) != NULL;
	ds_text_string( text, quoted ? ",\"" : "," );
	for ( const char *p = heading; *p; ++p )
	{
		ds_text_format( text, *p == '"' ? "\"%c" : "%c", *p );
	}
	ds_text_string( text, quoted ? "\"" : "" );
}

int allan_write_csv( const allan_result *r, const char *path )
{
	ds_text text = { 0 };
	ds_text_string( &text, "tau[s]" );
	for ( int k = 0; k < r->column_count; ++k )
	{
		const allan_column *c = &r->columns[k];
		char unit[DS_NAME_SIZE + 8];
		allan_kind_unit( r->kind, c->unit, unit, sizeof( unit ) );
		put_heading( &text, c->name, "", unit );
		put_heading( &text, c->name, "_low", unit );
		put_heading( &text, c->name, "_high", unit );
	}
	for ( int64_t i = 0; i < r->columns[0].count; ++i )
	{
		char number[32];
		ds_print_number( number, sizeof( number ), r->columns[0].points[i].tau );
		ds_text_format( &text, "\n%s", number );
		for ( int k = 0; k < 3 * r->column_count; ++k )
		{
			const ds_allan_point *p = &r->columns[k / 3].points[i];
			ds_print_number( number, sizeof( number ), k % 3 == 0 ? p->deviation : k % 3 == 1 ? p->low : p->high );
			ds_text_format( &text, ",%s", number );
		}
	}
	ds_text_string( &text, "\n" );
	// a reader sees all of it or none
	ds_status status =
		text.status == DS_OK ? ds_log_file_replace( path, ds_text_get( &text ), text.length ) : text.status;
	ds_text_clear( &text );
	return status == DS_OK ? CLI_OK : cli_fail();
}
