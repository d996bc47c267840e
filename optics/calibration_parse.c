// Calibration files to trees: YAML by libyaml, XML by Expat.
//
// OpenCV's FileStorage begins YAML with "%YAML:1.0", which is no YAML; that line is left out. Aliases of YAML and document types
// of XML, which let a short file stand for a long one, are refused.

#include "base/text.h"
#include "optics/calibration.h"

#include <expat.h>
#include <string.h>
#include <yaml.h>

// ---- the tree ----------------------------------------------------------------------------------------------------------

static ds_status check_place(
	const ds_calibration_tree *tree, const ds_calibration_node *parent, const char *key, int line )
{
	int depth = 0;
	for ( const ds_calibration_node *n = parent; n; n = n->parent )
	{
		++depth;
	}
	if ( depth >= DS_CALIBRATION_MAX_DEPTH )
	{
		return ds_error( DS_ERROR_LIMIT, "%s:%d: more than %d levels", tree->name, line, DS_CALIBRATION_MAX_DEPTH );
	}
	if ( tree->count >= DS_CALIBRATION_MAX_NODES )
	{
		return ds_error( DS_ERROR_LIMIT, "%s:%d: more than %d values", tree->name, line, DS_CALIBRATION_MAX_NODES );
	}
	// members of maps are few in what is read, and lists have no keys
	int64_t members = 0;
	for ( const ds_calibration_node *n = parent && key ? parent->first : NULL; n; n = n->next )
	{
		if ( strcmp( n->key, key ) == 0 )
		{
			return ds_error(
				DS_ERROR_FORMAT, "%s:%d: %.64s stands there twice (line %d)", tree->name, line, key, n->line );
		}
		if ( ++members >= 1000 )
		{
			return ds_error( DS_ERROR_LIMIT, "%s:%d: more than 1000 members", tree->name, line );
		}
	}
	return DS_OK;
}

ds_status ds_calibration_add( ds_calibration_tree *tree, ds_calibration_node *parent, ds_calibration_kind kind,
	const char *key, const char *text, int line, ds_calibration_node **node )
{
	DS_TRY( check_place( tree, parent, key, line ) );
	char *copy = NULL;
	ds_calibration_node *n;
	DS_TRY( ds_arena_new( &tree->arena, sizeof( *n ), (void **)&n ) );
	if ( key )
	{
		DS_TRY( ds_arena_copy_string( &tree->arena, key, &copy ) );
		n->key = copy;
	}
	DS_TRY( ds_arena_copy_string( &tree->arena, text ? text : "", &copy ) );
	n->text = copy;
	n->kind = kind;
	n->line = line;
	n->parent = parent;
	++tree->count;
	if ( parent == NULL )
	{
		tree->root = n;
	}
	else
	{
		*( parent->last ? &parent->last->next : &parent->first ) = n;
		parent->last = n;
	}
	*node = n;
	return DS_OK;
}

// ---- YAML --------------------------------------------------------------------------------------------------------------

typedef struct yaml_reader
{
	ds_calibration_tree *tree;
	ds_calibration_node *at; // the list or map that is open
	char *key; // of the member that comes next, in the arena
	int skipped; // lines before what libyaml sees
	int documents;
	bool ended;
} yaml_reader;

static ds_status yaml_value( yaml_reader *r, ds_calibration_kind kind, const char *text, size_t length, int line )
{
	ds_calibration_tree *tree = r->tree;
	if ( strlen( text ) != length )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: a text with a NUL in it", tree->name, line );
	}
	bool in_map = r->at && r->at->kind == DS_CALIBRATION_MAP;
	if ( in_map && r->key == NULL )
	{
		if ( kind != DS_CALIBRATION_TEXT )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%d: a member's name must be a text", tree->name, line );
		}
		return ds_arena_copy_string( &tree->arena, text, &r->key );
	}
	ds_calibration_node *node;
	DS_TRY( ds_calibration_add( tree, r->at, kind, in_map ? r->key : NULL, text, line, &node ) );
	r->key = NULL;
	r->at = kind == DS_CALIBRATION_TEXT ? r->at : node;
	return DS_OK;
}

static ds_status yaml_event( yaml_reader *r, const yaml_event_t *event )
{
	int line = (int)event->start_mark.line + 1 + r->skipped;
	switch ( event->type )
	{
		case YAML_DOCUMENT_START_EVENT:
			return ++r->documents <= 1
					   ? DS_OK
					   : ds_error( DS_ERROR_FORMAT, "%s:%d: a second document begins: expected one calibration",
							 r->tree->name, line );
		case YAML_ALIAS_EVENT:
			return ds_error( DS_ERROR_FORMAT, "%s:%d: an alias (*%.64s): calibration files have none", r->tree->name,
				line, (const char *)event->data.alias.anchor );
		case YAML_SCALAR_EVENT:
			return yaml_value(
				r, DS_CALIBRATION_TEXT, (const char *)event->data.scalar.value, event->data.scalar.length, line );
		case YAML_SEQUENCE_START_EVENT:
			return yaml_value( r, DS_CALIBRATION_LIST, "", 0, line );
		case YAML_MAPPING_START_EVENT:
			return yaml_value( r, DS_CALIBRATION_MAP, "", 0, line );
		case YAML_SEQUENCE_END_EVENT:
		case YAML_MAPPING_END_EVENT:
			r->at = r->at->parent;
			return DS_OK;
		case YAML_STREAM_END_EVENT:
			r->ended = true;
			return DS_OK;
		default:
			return DS_OK;
	}
}

static ds_status yaml_problem( const yaml_reader *r, const yaml_parser_t *parser )
{
	if ( parser->error == YAML_MEMORY_ERROR )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory: reading %s", r->tree->name );
	}
	int line = (int)parser->problem_mark.line + 1 + r->skipped;
	return ds_error( DS_ERROR_FORMAT, "%s:%d: no YAML: %s%s%s", r->tree->name, line,
		parser->problem ? parser->problem : "malformed", parser->context ? " " : "",
		parser->context ? parser->context : "" );
}

ds_status ds_calibration_parse_yaml( ds_calibration_tree *tree, const char *bytes, size_t size )
{
	yaml_reader r = { .tree = tree };
	if ( size >= 6 && memcmp( bytes, "%YAML:", 6 ) == 0 )
	{
		const char *feed = memchr( bytes, '\n', size );
		size_t used = feed ? (size_t)( feed + 1 - bytes ) : size;
		bytes += used;
		size -= used;
		r.skipped = 1;
	}
	yaml_parser_t parser;
	if ( !yaml_parser_initialize( &parser ) )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory: reading %s", tree->name );
	}
	yaml_parser_set_input_string( &parser, (const unsigned char *)bytes, size );
	ds_status status = DS_OK;
	while ( status == DS_OK && !r.ended )
	{
		yaml_event_t event;
		if ( !yaml_parser_parse( &parser, &event ) )
		{
			status = yaml_problem( &r, &parser );
			break;
		}
		status = yaml_event( &r, &event );
		yaml_event_delete( &event );
	}
	yaml_parser_delete( &parser );
	return status;
}

// ---- XML ---------------------------------------------------------------------------------------------------------------

typedef struct xml_reader
{
	ds_calibration_tree *tree;
	ds_calibration_node *at; // the element that is open
	ds_text text; // of it, so far
	XML_Parser parser;
	ds_status status;
} xml_reader;

static void xml_stop( xml_reader *r, ds_status status )
{
	r->status = status;
	XML_StopParser( r->parser, XML_FALSE );
}

static int xml_line( const xml_reader *r )
{
	return (int)XML_GetCurrentLineNumber( r->parser );
}

static const char *blanks = " \t\r\n";

static void XMLCALL xml_start( void *user, const char *name, const char **attributes )
{
	(void)attributes;
	xml_reader *r = user;
	if ( r->status != DS_OK )
	{
		return;
	}
	const char *text = ds_text_get( &r->text );
	if ( text[strspn( text, blanks )] != 0 )
	{
		xml_stop( r,
			ds_error( DS_ERROR_FORMAT, "%s:%d: text beside the element %.64s", r->tree->name, xml_line( r ), name ) );
		return;
	}
	bool item = strcmp( name, "_" ) == 0;
	if ( r->at )
	{
		ds_calibration_kind kind = item ? DS_CALIBRATION_LIST : DS_CALIBRATION_MAP;
		if ( r->at->first && r->at->kind != kind )
		{
			xml_stop( r, ds_error( DS_ERROR_FORMAT, "%s:%d: elements <_> and <%.64s> side by side", r->tree->name,
							 xml_line( r ), name ) );
			return;
		}
		r->at->kind = kind;
	}
	ds_text_clear( &r->text );
	ds_status status =
		ds_calibration_add( r->tree, r->at, DS_CALIBRATION_TEXT, item ? NULL : name, NULL, xml_line( r ), &r->at );
	if ( status != DS_OK )
	{
		xml_stop( r, status );
	}
}

static void XMLCALL xml_end( void *user, const char *name )
{
	(void)name;
	xml_reader *r = user;
	if ( r->status != DS_OK )
	{
		return;
	}
	char *copy = NULL;
	ds_status status = r->text.status;
	if ( status == DS_OK && r->at->kind == DS_CALIBRATION_TEXT )
	{
		status = ds_arena_copy_string( &r->tree->arena, ds_text_get( &r->text ), &copy );
		r->at->text = copy;
	}
	ds_text_clear( &r->text );
	r->at = r->at->parent;
	if ( status != DS_OK )
	{
		xml_stop( r, status );
	}
}

static void XMLCALL xml_text( void *user, const char *text, int length )
{
	xml_reader *r = user;
	if ( r->status == DS_OK )
	{
		ds_text_add( &r->text, text, (size_t)length );
	}
}

static void XMLCALL xml_doctype( void *user, const char *name, const char *system, const char *public_id, int internal )
{
	(void)name;
	(void)system;
	(void)public_id;
	(void)internal;
	xml_reader *r = user;
	xml_stop( r, ds_error( DS_ERROR_FORMAT, "%s:%d: a document type (<!DOCTYPE): calibration files have none",
					 r->tree->name, xml_line( r ) ) );
}

ds_status ds_calibration_parse_xml( ds_calibration_tree *tree, const char *bytes, size_t size )
{
	xml_reader r = { .tree = tree };
	r.parser = XML_ParserCreate( NULL );
	if ( r.parser == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory: reading %s", tree->name );
	}
	XML_SetUserData( r.parser, &r );
	XML_SetElementHandler( r.parser, xml_start, xml_end );
	XML_SetCharacterDataHandler( r.parser, xml_text );
	XML_SetStartDoctypeDeclHandler( r.parser, xml_doctype );
	if ( XML_Parse( r.parser, bytes, (int)size, XML_TRUE ) != XML_STATUS_OK && r.status == DS_OK )
	{
		enum XML_Error code = XML_GetErrorCode( r.parser );
		r.status = ds_error( code == XML_ERROR_NO_MEMORY ? DS_ERROR_MEMORY : DS_ERROR_FORMAT, "%s:%d: no XML: %s",
			tree->name, xml_line( &r ), XML_ErrorString( code ) );
	}
	ds_text_clear( &r.text );
	XML_ParserFree( r.parser );
	if ( r.status == DS_OK && ( tree->root->key == NULL || strcmp( tree->root->key, "opencv_storage" ) != 0 ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: the outermost element is <%.64s>: expected <opencv_storage>",
			tree->name, tree->root->line, tree->root->key ? tree->root->key : "_" );
	}
	return r.status;
}
