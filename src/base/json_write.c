#include "base/json.h"

#include <math.h>
#include <string.h>

// What stands between the last thing and the next: a comma, and a new line unless the container is flat.
static void separate( ds_json_writer *w )
{
	if ( w->keyed )
	{
		w->keyed = false;
		return;
	}
	if ( w->depth == 0 )
	{
		return;
	}
	if ( w->begun )
	{
		ds_text_string( w->text, "," );
	}
	if ( w->flat )
	{
		ds_text_string( w->text, w->begun ? " " : "" );
	}
	else
	{
		ds_text_string( w->text, "\n" );
		for ( int32_t i = 0; i < w->depth; ++i )
		{
			ds_text_string( w->text, "\t" );
		}
	}
	w->begun = true;
}

void ds_json_begin( ds_json_writer *w, char bracket )
{
	separate( w );
	ds_text_add( w->text, &bracket, 1 );
	++w->depth;
	w->flat += w->flat > 0;
	w->begun = false;
}

void ds_json_begin_flat( ds_json_writer *w, char bracket )
{
	ds_json_begin( w, bracket );
	w->flat += w->flat == 0;
}

void ds_json_end( ds_json_writer *w, char bracket )
{
	--w->depth;
	if ( w->begun && !w->flat )
	{
		ds_text_string( w->text, "\n" );
		for ( int32_t i = 0; i < w->depth; ++i )
		{
			ds_text_string( w->text, "\t" );
		}
	}
	w->flat -= w->flat > 0;
	ds_text_add( w->text, &bracket, 1 );
	w->begun = true;
}

static void quote( ds_text *text, const char *string )
{
	ds_text_string( text, "\"" );
	const char *run = string;
	for ( const char *p = string;; ++p )
	{
		unsigned char c = (unsigned char)*p;
		if ( c >= 0x20 && c != '"' && c != '\\' )
		{
			continue;
		}
		ds_text_add( text, run, (size_t)( p - run ) );
		run = p + 1;
		if ( c == 0 )
		{
			break;
		}
		if ( c == '"' || c == '\\' )
		{
			ds_text_format( text, "\\%c", c );
		}
		else
		{
			ds_text_format( text, "\\u%04x", c );
		}
	}
	ds_text_string( text, "\"" );
}

void ds_json_key( ds_json_writer *w, const char *key )
{
	separate( w );
	quote( w->text, key );
	ds_text_string( w->text, ": " );
	w->keyed = true;
}

void ds_json_put_string( ds_json_writer *w, const char *string )
{
	separate( w );
	quote( w->text, string );
}

void ds_json_put_raw( ds_json_writer *w, const char *json )
{
	separate( w );
	ds_text_string( w->text, json );
}

void ds_json_put_number( ds_json_writer *w, double number )
{
	char buffer[32];
	ds_print_number( buffer, sizeof( buffer ), number );
	ds_json_put_raw( w, isfinite( number ) ? buffer : "null" );
}

void ds_json_put_integer( ds_json_writer *w, int64_t number )
{
	separate( w );
	ds_text_format( w->text, "%lld", (long long)number );
}

void ds_json_put_bool( ds_json_writer *w, bool value )
{
	ds_json_put_raw( w, value ? "true" : "false" );
}

void ds_json_put( ds_json_writer *w, const ds_json *value )
{
	switch ( value->type )
	{
		case DS_JSON_NULL:
			ds_json_put_raw( w, "null" );
			break;
		case DS_JSON_BOOL:
			ds_json_put_bool( w, value->number != 0 );
			break;
		case DS_JSON_NUMBER:
			ds_json_put_number( w, value->number );
			break;
		case DS_JSON_STRING:
			ds_json_put_string( w, value->string );
			break;
		case DS_JSON_ARRAY:
		case DS_JSON_OBJECT:
			ds_json_begin_flat( w, value->type == DS_JSON_ARRAY ? '[' : '{' );
			for ( const ds_json *p = value->first; p; p = p->next )
			{
				if ( p->key )
				{
					ds_json_key( w, p->key );
				}
				ds_json_put( w, p );
			}
			ds_json_end( w, value->type == DS_JSON_ARRAY ? ']' : '}' );
			break;
	}
}
