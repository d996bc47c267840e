#include "io/describe.h"

#include "deepsim/math.h"
#include "deepsim/soil.h"
#include "io/scenario_internal.h"

#include <string.h>

// A section of the scenario file that has a table.
typedef struct section
{
	const char *name, *key, *doc;
	const ds_table *table;
} section;

#define MAX_SECTIONS 16
#define SOILS        "soils"

static void add_section( section *sections, int32_t *count, const char *name, const char *key, const ds_table *table )
{
	const section s = { name, key, table->doc, table };
	sections[( *count )++] = s;
}

static const ds_table *table_of( const ds_file_tables *tables, const char *key )
{
	const ds_field *field = ds_table_find( &tables->file, key );
	return field ? field->table : NULL;
}

static int32_t list_sections( const ds_file_tables *tables, section sections[MAX_SECTIONS] )
{
	int32_t count = 0;
	add_section( sections, &count, "scenario", "", &tables->file );
	add_section( sections, &count, "include", "include[]", &ds_include_table );
	add_section( sections, &count, "origin", "origin", table_of( tables, "origin" ) );
	add_section( sections, &count, "environment", "environment", table_of( tables, "environment" ) );
	add_section( sections, &count, "seabed", "environment.seabed", &tables->seabed );
	add_section( sections, &count, "body", "bodies[]", &tables->body );
	add_section( sections, &count, "joint", "joints[]", &tables->joint );
	add_section( sections, &count, "actuator", "actuators[]", &tables->actuator );
	add_section( sections, &count, "sensor", "sensors[]", &tables->sensor );
	add_section( sections, &count, "force", "forces[]", &tables->force );
	add_section( sections, &count, "controller", "controllers[]", &tables->controller );
	add_section( sections, &count, "command", "commands[]", &tables->command );
	return count;
}

// ---- list --------------------------------------------------------------------------------------------------------

static void list_line( ds_text *text, const char *name, const char *kind, const char *doc )
{
	size_t start = text->length;
	ds_text_format( text, "  %s", name );
	ds_text_pad( text, start, 24 );
	ds_text_string( text, kind );
	ds_text_pad( text, start, 44 );
	ds_text_format( text, "%s\n", doc );
}

ds_status ds_describe_list( const ds_registry *registry, ds_text *text )
{
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_file_tables *tables;
	ds_status status = ds_file_tables_make( &arena, &tables );
	if ( status == DS_OK )
	{
		section sections[MAX_SECTIONS];
		int32_t count = list_sections( tables, sections );
		ds_text_string( text, "sections of a scenario\n" );
		for ( int32_t i = 0; i < count; ++i )
		{
			list_line( text, sections[i].name, sections[i].key, sections[i].doc );
		}
		ds_text_string( text, "\ntypes of parts\n" );
		for ( int32_t i = 0; i < ds_registry_count( registry ); ++i )
		{
			const ds_type *type = ds_registry_at( registry, i );
			list_line( text, type->name, ds_kind_name( type->kind ), type->doc );
		}
		ds_text_string( text, "\nlists\n" );
		list_line( text, SOILS, "", "named soils, with their numbers and sources" );
		status = text->status;
	}
	ds_arena_free( &arena );
	return status;
}

// ---- one ---------------------------------------------------------------------------------------------------------

static void describe_type( const ds_type *type, ds_text *text )
{
	ds_text_format( text, "%s (%s): %s\n\n", type->name, ds_kind_name( type->kind ), type->doc );
	if ( type->config == NULL || type->config->field_count == 0 )
	{
		ds_text_string( text, "config: no options\n" );
	}
	else
	{
		ds_text_string( text, "config: key, type, unit, default, range\n" );
		(void)ds_table_describe( type->config, DS_DESCRIBE_CONFIG, "", 2, text );
	}
	if ( type->output && type->output->field_count > 0 )
	{
		ds_text_string( text, "\nreadings: name, type, unit\n" );
		(void)ds_table_describe( type->output, DS_DESCRIBE_READING, "", 2, text );
	}
}

static void describe_section( const section *s, ds_text *text )
{
	ds_text_format( text, "%s%s%s%s: %s\n\nkey, type, unit, default, range\n", s->name, s->key[0] ? " (" : "", s->key,
		s->key[0] ? ")" : "", s->doc );
	// the whole file shows its own keys only: its parts are sections of their own
	ds_field fields[64];
	ds_table shallow = *s->table;
	if ( s->key[0] == 0 )
	{
		shallow.fields = fields;
		shallow.field_count = 0;
		for ( int32_t i = 0; i < s->table->field_count && i < DS_COUNT( fields ); ++i )
		{
			ds_field *field = &fields[shallow.field_count++];
			*field = s->table->fields[i];
			field->table = NULL;
			field->element = DS_ELEMENT_NONE;
			field->type = field->type == DS_FIELD_STRUCT || field->type == DS_FIELD_ARRAY ? DS_FIELD_RAW : field->type;
		}
	}
	(void)ds_table_describe( &shallow, DS_DESCRIBE_CONFIG, "", 2, text );
}

// ---- soils -------------------------------------------------------------------------------------------------------

// A text in lines of at most `width` characters, indented by `indent`.
static void wrap( ds_text *text, const char *words, size_t indent, size_t width )
{
	size_t start = text->length, at = indent;
	ds_text_pad( text, start, indent );
	for ( const char *p = words; *p; )
	{
		size_t length = strcspn( p, " " );
		if ( at + length > width && at > indent )
		{
			ds_text_string( text, "\n" );
			start = text->length;
			ds_text_pad( text, start, indent );
			at = indent;
		}
		ds_text_format( text, "%.*s", (int)length, p );
		at += length;
		p += length;
		if ( *p == ' ' )
		{
			++p;
			ds_text_string( text, *p && at + 1 + strcspn( p, " " ) <= width ? " " : "" );
			++at;
		}
	}
	ds_text_string( text, "\n" );
}

// Every number of a soil that says something, in the units of a scenario.
static void describe_soil( const ds_soil_set *set, ds_text *text )
{
	ds_text_format( text, "\n%s: %s%s\n", set->name, set->title, set->assumed ? " (assumption)" : "" );
	const ds_table *table = ds_soil_table();
	size_t start = text->length;
	int32_t shown = 0;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		if ( field->type != DS_FIELD_F64 )
		{
			continue;
		}
		double value = *(const double *)(const void *)( (const char *)&set->soil + field->offset );
		bool angle = ( field->flags & DS_FIELD_ANGLE ) != 0;
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( field, key, sizeof( key ) );
		if ( shown % 3 == 0 )
		{
			ds_text_string( text, shown ? "\n" : "" );
			start = text->length;
		}
		ds_text_pad( text, start, 2 + 38 * (size_t)( shown % 3 ) );
		const char *unit = angle ? "" : field->unit;
		ds_text_format( text, unit[0] ? "%s %.7g %s" : "%s %.7g", key, angle ? value * ( 180 / DS_PI ) : value, unit );
		++shown;
	}
	ds_text_string( text, "\n" );
	wrap( text, set->source, 2, 118 );
}

static void describe_soils( ds_text *text )
{
	ds_text_string( text,
		"soils: what \"soil\" of the seabed may name. p = ( kc/b + kphi ) z^n; tau = ( cohesion + p tan friction ) "
		"( 1 - exp( -j / shear_displacement ) )\n" );
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		describe_soil( ds_soil_at( i ), text );
	}
}

// Whether a table, or what lies in it, has a field of that name.
static bool has_key( const ds_table *table, const char *name, int32_t depth )
{
	if ( ds_table_find( table, name ) )
	{
		return true;
	}
	for ( int32_t i = 0; table && depth > 0 && i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		if ( has_key( field->table, name, depth - 1 ) )
		{
			return true;
		}
		for ( int32_t k = 0; k < field->choice_count; ++k )
		{
			if ( has_key( field->choices[k].table, name, depth - 1 ) )
			{
				return true;
			}
		}
	}
	return false;
}

static ds_status unknown( const ds_registry *registry, const section *sections, int32_t count, const char *name )
{
	const char *names[256] = { SOILS };
	size_t n = 1;
	for ( int32_t i = 0; i < count; ++i )
	{
		names[n++] = sections[i].name;
	}
	for ( int32_t i = 0; i < ds_registry_count( registry ) && n < 256; ++i )
	{
		names[n++] = ds_registry_at( registry, i )->name;
	}
	const char *nearest = ds_nearest_name( name, names, n );
	// first the section that has it at its top
	for ( int32_t i = 1; i < 2 * count; ++i )
	{
		const section *s = &sections[i % count];
		if ( i != count && has_key( s->table, name, i < count ? 0 : 4 ) )
		{
			return ds_error(
				DS_ERROR_NOT_FOUND, "\"%s\" is a key in the section \"%s\": describe that", name, s->name );
		}
	}
	const char *owner = NULL;
	int32_t owners = 0;
	for ( int32_t i = 0; i < ds_registry_count( registry ); ++i )
	{
		const ds_type *type = ds_registry_at( registry, i );
		if ( has_key( type->config, name, 4 ) )
		{
			owner = type->name;
			++owners;
		}
	}
	if ( owners == 1 )
	{
		return ds_error( DS_ERROR_NOT_FOUND, "\"%s\" is a key of the type \"%s\": describe that", name, owner );
	}
	return ds_error( DS_ERROR_NOT_FOUND, "there is no type, section or list \"%s\"%s%s%s", name,
		nearest ? "; did you mean \"" : "; `deepsim describe` lists them", nearest ? nearest : "",
		nearest ? "\"?" : "" );
}

ds_status ds_describe( const ds_registry *registry, const char *name, ds_text *text )
{
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_file_tables *tables;
	ds_status status = ds_file_tables_make( &arena, &tables );
	if ( status == DS_OK )
	{
		section sections[MAX_SECTIONS];
		int32_t count = list_sections( tables, sections ), found = 0;
		if ( strcmp( name, SOILS ) == 0 )
		{
			++found;
			describe_soils( text );
		}
		for ( int32_t i = 0; i < ds_registry_count( registry ); ++i )
		{
			const ds_type *type = ds_registry_at( registry, i );
			if ( strcmp( type->name, name ) == 0 )
			{
				ds_text_string( text, found++ ? "\n" : "" );
				describe_type( type, text );
			}
		}
		for ( int32_t i = 0; i < count; ++i )
		{
			if ( strcmp( sections[i].name, name ) == 0 )
			{
				ds_text_string( text, found++ ? "\n" : "" );
				describe_section( &sections[i], text );
			}
		}
		status = found ? text->status : unknown( registry, sections, count, name );
	}
	ds_arena_free( &arena );
	return status;
}
