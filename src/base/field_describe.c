// Options of tables as text for people, in aligned columns.

#include "base/field_io.h"

#include <stdio.h>
#include <string.h>

enum
{
	KEY,
	TYPE,
	UNIT,
	INITIAL,
	RANGE,
	CELLS
};

typedef struct describer
{
	ds_text *text;
	ds_describe_style style;
	int32_t indent;
	size_t width[CELLS];
	bool measuring; // first pass: widths only
	// long tables of alternatives, and where their keys stand
	struct
	{
		const ds_table *table;
		char path[200];
	} seen[8];
	int32_t seen_count;
} describer;

static void describe_table( describer *d, const ds_table *table, const char *prefix );

static size_t characters( const char *text )
{
	size_t n = 0;
	for ( const char *p = text; *p; ++p )
	{
		n += ( (unsigned char)*p & 0xC0u ) != 0x80u;
	}
	return n;
}

static void line( describer *d, const char *const cells[CELLS], const char *doc )
{
	if ( d->measuring )
	{
		for ( int i = 0; i < CELLS; ++i )
		{
			size_t width = characters( cells[i] );
			d->width[i] = width > d->width[i] ? width : d->width[i];
		}
		return;
	}
	size_t start = d->text->length, column = (size_t)d->indent;
	for ( int i = 0; i < CELLS; ++i )
	{
		ds_text_pad( d->text, start, column );
		ds_text_string( d->text, cells[i] );
		column += d->width[i] ? d->width[i] + 2 : 0;
	}
	ds_text_pad( d->text, start, column );
	ds_text_format( d->text, "%s\n", doc );
}

static void type_name( const ds_field *field, char *buffer, size_t size )
{
	static const char *const names[] = { "", "number", "integer", "bool", "name", "string", "object", "choice", "array",
		"span", "json" };
	static const char *const elements[] = { "", "f64", "f32", "i64", "i32", "u16", "u8" };
	const char *name = ( field->flags & DS_FIELD_PATH ) ? "path" : names[field->type];
	if ( field->type == DS_FIELD_SPAN || ( field->type == DS_FIELD_ARRAY && field->table == NULL ) )
	{
		snprintf( buffer, size, "%s[]", elements[field->element] );
	}
	else if ( field->type == DS_FIELD_ARRAY )
	{
		snprintf( buffer, size, "object[]" );
	}
	else if ( field->flags & DS_FIELD_MATRIX )
	{
		int32_t n = ds_matrix_rows( field );
		snprintf( buffer, size, "%s[%dx%d]", name, n, n );
	}
	else if ( field->count > 1 )
	{
		const char *each = ( field->flags & DS_FIELD_EACH ) ? " or " : "";
		snprintf( buffer, size, "%s%s[%d]", name, each, field->count );
	}
	else
	{
		snprintf( buffer, size, "%s", name );
	}
}

static void range_text( const ds_field *field, char *buffer, size_t size )
{
	ds_field bare = *field;
	bare.unit = "";
	bare.flags &= ~(uint32_t)DS_FIELD_ANGLE;
	buffer[0] = 0;
	if ( field->type == DS_FIELD_F64 || field->type == DS_FIELD_I64 || field->type == DS_FIELD_ARRAY )
	{
		ds_field_expected( &bare, "", buffer, size );
		char *text = buffer;
		text += strspn( text, " " );
		text += strncmp( text, "in ", 3 ) == 0 ? 3 : 0;
		memmove( buffer, text, strlen( text ) + 1 );
	}
	if ( field->type == DS_FIELD_STRING )
	{
		snprintf( buffer, size, "<= %zu bytes", field->size - 1 );
	}
}

// How an object alternative looks: by its selecting member, or by the first it requires.
static void show_object( const ds_choice *c, char *shown, size_t size )
{
	char key[DS_FIELD_KEY_SIZE];
	ds_choice_key( c, key, sizeof( key ) );
	if ( c->key )
	{
		snprintf( shown, size, "  = {\"%s\": \"%s\"}", c->key, c->name );
	}
	else if ( key[0] )
	{
		snprintf( shown, size, "  = {\"%s\": ...}", key );
	}
	else
	{
		snprintf( shown, size, "  = {...}" );
	}
}

static void choice_line( describer *d, const ds_choice *c, const ds_field *only )
{
	char shown[160], type[64], range[160] = "";
	const char *unit = "", *doc = c->doc ? c->doc : "";
	switch ( c->form )
	{
		case DS_FORM_NAME:
			snprintf( shown, sizeof( shown ), "  = \"%s\"", c->name );
			break;
		case DS_FORM_NULL:
			snprintf( shown, sizeof( shown ), "  = null" );
			break;
		case DS_FORM_OBJECT:
			show_object( c, shown, sizeof( shown ) );
			break;
		default:
			type_name( only, type, sizeof( type ) );
			range_text( only, range, sizeof( range ) );
			snprintf( shown, sizeof( shown ), "  = %s", c->form == DS_FORM_STRING ? "\"...\"" : type );
			unit = d->style == DS_DESCRIBE_CONFIG && ( only->flags & DS_FIELD_ANGLE ) ? "deg" : only->unit;
			doc = doc[0] ? doc : only->doc;
			break;
	}
	const char *const cells[CELLS] = { shown, "", unit, "", range };
	line( d, cells, doc );
}

// Of many plain names the first few are shown, and how many more there are.
static bool is_left_out( describer *d, const ds_field *field, int32_t index, int32_t *names )
{
	enum
	{
		MANY = 12,
		SHOWN = 3
	};
	const ds_choice *c = &field->choices[index];
	if ( field->choice_count <= MANY || c->form != DS_FORM_NAME || c->table || ++*names <= SHOWN )
	{
		return false;
	}
	if ( *names == SHOWN + 1 )
	{
		int32_t more = 0;
		for ( int32_t i = index; i < field->choice_count; ++i )
		{
			more += field->choices[i].form == DS_FORM_NAME && field->choices[i].table == NULL;
		}
		char text[64];
		snprintf( text, sizeof( text ), "  and %d more names", more );
		const char *const cells[CELLS] = { text, "", "", "", "" };
		line( d, cells, "" );
	}
	return true;
}

// The options of an alternative; a long table that was shown already is referred to.
static void describe_options( describer *d, const ds_table *table, const char *path )
{
	char inner[208];
	for ( int32_t i = 0; i < d->seen_count; ++i )
	{
		if ( d->seen[i].table == table )
		{
			snprintf( inner, sizeof( inner ), "%s.*", path );
			const char *const cells[CELLS] = { inner, "", "", "", "" };
			char doc[256];
			snprintf( doc, sizeof( doc ), "as %s.*", d->seen[i].path );
			line( d, cells, doc );
			return;
		}
	}
	if ( table->field_count > 8 && d->seen_count < DS_COUNT( d->seen ) )
	{
		d->seen[d->seen_count].table = table;
		snprintf( d->seen[d->seen_count++].path, sizeof( d->seen[0].path ), "%s", path );
	}
	snprintf( inner, sizeof( inner ), "%s.", path );
	describe_table( d, table, inner );
}

// Every alternative of a choice, and the options that come with it.
static void describe_choices( describer *d, const ds_field *field, const char *path )
{
	int32_t names = 0;
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		const ds_choice *c = &field->choices[i];
		if ( is_left_out( d, field, i, &names ) )
		{
			continue;
		}
		const ds_field *only = c->table && c->table->field_count ? &c->table->fields[0] : NULL;
		char inner[200];
		choice_line( d, c, only );
		if ( c->table && ( c->form == DS_FORM_OBJECT || c->form == DS_FORM_NAME ) )
		{
			describe_options( d, c->table, path );
		}
		else if ( only && only->type == DS_FIELD_ARRAY && only->table )
		{
			snprintf( inner, sizeof( inner ), "%s[].", path );
			describe_table( d, only->table, inner );
		}
	}
}

static void describe_field( describer *d, const ds_field *field, const char *prefix )
{
	bool config = d->style == DS_DESCRIBE_CONFIG;
	char name[DS_FIELD_KEY_SIZE], key[192], type[64], range[160] = "";
	ds_field_key( field, name, sizeof( name ) );
	snprintf( key, sizeof( key ), "%s%s", prefix, config ? name : field->name );
	type_name( field, type, sizeof( type ) );
	const char *unit = config && ( field->flags & DS_FIELD_ANGLE ) ? "deg" : field->unit;
	const char *initial = "";
	if ( config )
	{
		initial = field->initial ? field->initial : ( field->flags & DS_FIELD_REQUIRED ) ? "(required)" : "";
		range_text( field, range, sizeof( range ) );
	}
	const char *const cells[CELLS] = { key, type, unit[0] ? unit : "-", initial, range };
	line( d, cells, field->doc );
	char inner[200];
	if ( field->type == DS_FIELD_STRUCT )
	{
		snprintf( inner, sizeof( inner ), "%s.", key );
		describe_table( d, field->table, inner );
	}
	else if ( field->type == DS_FIELD_ARRAY && field->table )
	{
		snprintf( inner, sizeof( inner ), "%s[].", key );
		describe_table( d, field->table, inner );
	}
	else if ( field->type == DS_FIELD_ENUM || field->type == DS_FIELD_VARIANT )
	{
		describe_choices( d, field, key );
	}
}

// The member that names a preset, and all of them.
static void describe_presets( describer *d, const ds_table *table, const char *prefix )
{
	char key[192];
	snprintf( key, sizeof( key ), "%s" DS_PRESET_KEY, prefix );
	const char *const head[CELLS] = { key, "name", "-", "", "" };
	line( d, head, "values to start from; what is given beside it changes single ones" );
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		char shown[160];
		snprintf( shown, sizeof( shown ), "  = \"%s\"", table->presets[i].name );
		const char *const cells[CELLS] = { shown, "", "", "", "" };
		line( d, cells, table->presets[i].doc );
	}
}

static void describe_table( describer *d, const ds_table *table, const char *prefix )
{
	const ds_field *variant = ds_table_variant( table );
	if ( variant )
	{
		// its options stand where the table's would, after what it is a part of
		char path[200];
		snprintf( path, sizeof( path ), "%s", prefix );
		size_t length = strlen( path );
		path[length - ( length > 0 && path[length - 1] == '.' )] = 0;
		describe_choices( d, variant, path );
		return;
	}
	if ( table->preset_count > 0 && d->style == DS_DESCRIBE_CONFIG )
	{
		describe_presets( d, table, prefix );
	}
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		if ( !( table->fields[i].flags & DS_FIELD_HIDDEN ) )
		{
			describe_field( d, &table->fields[i], prefix );
		}
	}
}

ds_status ds_table_describe(
	const ds_table *table, ds_describe_style style, const char *prefix, int32_t indent, ds_text *text )
{
	describer d;
	memset( &d, 0, sizeof( d ) );
	d.text = text;
	d.style = style;
	d.indent = indent;
	d.measuring = true;
	describe_table( &d, table, prefix );
	d.measuring = false;
	d.seen_count = 0;
	describe_table( &d, table, prefix );
	return text->status;
}
