// The columns of a reading: one a scalar.

#include "base/field_io.h"

#include <stdio.h>
#include <string.h>

typedef struct walk
{
	ds_column *columns;
	int32_t max, count;
} walk;

static void add( walk *w, const char *name, const char *suffix, const ds_field *field, size_t offset )
{
	if ( w->count < w->max )
	{
		ds_column *column = &w->columns[w->count];
		snprintf( column->name, sizeof( column->name ), "%s%s", name, suffix );
		column->unit = field->unit;
		column->field = field;
		column->offset = offset;
	}
	++w->count;
}

static void add_scalars( walk *w, const char *name, const ds_field *field, size_t offset, size_t size )
{
	static const char *const axes[] = { "_w", "_x", "_y", "_z" };
	bool numbered = ( field->flags & DS_FIELD_NUMBERED ) || field->type != DS_FIELD_F64;
	int32_t rows = ( field->flags & DS_FIELD_MATRIX ) ? ds_matrix_rows( field ) : 0;
	for ( int32_t i = 0; i < field->count; ++i )
	{
		char suffix[32] = "";
		if ( rows )
		{
			snprintf( suffix, sizeof( suffix ), "_%d_%d", i / rows, i % rows );
		}
		else if ( !numbered && ( field->count == 3 || field->count == 4 ) )
		{
			snprintf( suffix, sizeof( suffix ), "%s", axes[i + 4 - field->count] );
		}
		else if ( field->count > 1 )
		{
			snprintf( suffix, sizeof( suffix ), "_%d", i );
		}
		add( w, name, suffix, field, offset + (size_t)i * size );
	}
}

static void add_table( walk *w, const ds_table *table, const char *prefix, size_t base )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		if ( field->flags & DS_FIELD_HIDDEN )
		{
			continue;
		}
		char name[128];
		snprintf( name, sizeof( name ), "%s%s%s", prefix, prefix[0] ? "." : "", field->name );
		size_t offset = base + field->offset;
		switch ( field->type )
		{
			case DS_FIELD_F64:
				add_scalars( w, name, field, offset, sizeof( double ) );
				break;
			case DS_FIELD_I64:
				add_scalars( w, name, field, offset, sizeof( int64_t ) );
				break;
			case DS_FIELD_BOOL:
				add_scalars( w, name, field, offset, sizeof( bool ) );
				break;
			case DS_FIELD_STRUCT:
				add_table( w, field->table, name, offset );
				break;
			case DS_FIELD_ARRAY:
				break;
			default:
				add( w, name, "", field, offset );
				break;
		}
	}
}

int32_t ds_columns( const ds_table *table, ds_column *columns, int32_t max )
{
	walk w = { columns, max, 0 };
	add_table( &w, table, "", 0 );
	return w.count;
}

// A string as a CSV cell (RFC 4180): in quotes if it holds a comma, a quote or a line end.
static int print_cell( const char *string, char *buffer, size_t size )
{
	if ( strpbrk( string, ",\"\r\n" ) == NULL )
	{
		return snprintf( buffer, size, "%s", string );
	}
	size_t n = 0;
	for ( const char *p = string; *p; ++p )
	{
		n += *p == '"' ? 2 : 1;
	}
	if ( n + 3 > size )
	{
		return -1;
	}
	char *out = buffer;
	*out++ = '"';
	for ( const char *p = string; *p; ++p )
	{
		if ( *p == '"' )
		{
			*out++ = '"';
		}
		*out++ = *p;
	}
	*out++ = '"';
	*out = 0;
	return (int)( out - buffer );
}

static const char *choice_name( const ds_field *field, int32_t value )
{
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		if ( field->choices[i].value == value )
		{
			return field->choices[i].name;
		}
	}
	return "";
}

int ds_column_print( const ds_column *column, const void *reading, char *buffer, size_t size )
{
	const char *at = (const char *)reading + column->offset;
	int length = -1;
	char number[32];
	double f64;
	int64_t i64;
	int32_t i32;
	switch ( column->field->type )
	{
		case DS_FIELD_F64:
			memcpy( &f64, at, sizeof( f64 ) );
			ds_print_number_17( number, sizeof( number ), f64 );
			length = snprintf( buffer, size, "%s", number );
			break;
		case DS_FIELD_I64:
			memcpy( &i64, at, sizeof( i64 ) );
			length = snprintf( buffer, size, "%lld", (long long)i64 );
			break;
		case DS_FIELD_BOOL:
			length = snprintf( buffer, size, "%d", *(const unsigned char *)at != 0 );
			break;
		case DS_FIELD_ENUM:
		case DS_FIELD_VARIANT:
			memcpy( &i32, at, sizeof( i32 ) );
			length = print_cell( choice_name( column->field, i32 ), buffer, size );
			break;
		case DS_FIELD_STRING:
			length = print_cell( at, buffer, size );
			break;
		case DS_FIELD_SPAN:
			i64 = ( (const ds_span *)(const void *)at )->count;
			length = snprintf( buffer, size, "%lld", (long long)i64 );
			break;
		default:
			break;
	}
	return length < 0 || (size_t)length >= size ? -1 : length;
}
