// Spans of readings in files of their own.

#include "io/image.h"
#include "io/log_csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *ds_csv_image( const ds_field *field )
{
	if ( !( field->flags & DS_FIELD_IMAGE ) )
	{
		return NULL;
	}
	return field->element == DS_ELEMENT_I32 ? "png_ids" : field->element == DS_ELEMENT_F32 ? "npy" : "png";
}

// The member of an integer's name beside a span, in the same struct.
static int64_t beside( const ds_csv_channel *channel, const ds_column *column, const char *name, const void *data )
{
	int64_t value = 0;
	for ( int32_t i = 0; i < channel->column_count; ++i )
	{
		const ds_column *other = &channel->columns[i];
		if ( other->field->type == DS_FIELD_I64 && strcmp( other->field->name, name ) == 0 &&
			 other->offset - other->field->offset == column->offset - column->field->offset )
		{
			memcpy( &value, (const char *)data + other->offset, sizeof( value ) );
		}
	}
	return value;
}

// Writes `count` elements, which are not none, as an image.
static ds_status write_image( const ds_csv_log *log, const ds_csv_channel *channel, const ds_column *column,
	const void *data, const void *elements, int64_t count )
{
	int64_t width = beside( channel, column, "width", data ), height = beside( channel, column, "height", data );
	ds_element element = column->field->element;
	bool sized = width > 0 && height > 0 && width <= count / height && count % ( width * height ) == 0;
	int64_t channels = sized ? count / ( width * height ) : 0;
	bool good = element == DS_ELEMENT_F32   ? channels >= 1 && channels <= INT32_MAX
				: element == DS_ELEMENT_I32 ? channels == 1
											: channels == 1 || channels == 3;
	if ( !good )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"%s (type %s): %s: %" PRId64 " elements are no image of %" PRId64 " x %" PRId64 " pixels of %s",
			channel->name, channel->type, column->name, count, width, height,
			element == DS_ELEMENT_F32   ? "one or more numbers"
			: element == DS_ELEMENT_I32 ? "one number"
										: "1 or 3 numbers" );
	}
	switch ( element )
	{
		case DS_ELEMENT_F32:
			return ds_image_write_npy( log->path, width, height, (int32_t)channels, elements );
		case DS_ELEMENT_I32:
			return ds_image_write_ids( log->path, width, height, elements );
		default:
			return ds_image_write_png(
				log->path, width, height, (int32_t)channels, element == DS_ELEMENT_U8 ? 8 : 16, elements );
	}
}

ds_status ds_csv_write_span( ds_csv_log *log, const ds_csv_channel *channel, const ds_column *column, int64_t sequence,
	const void *data, char *cell, size_t size, int *length )
{
	ds_span span;
	memcpy( &span, (const char *)data + column->offset, sizeof( span ) );
	size_t element = ds_element_size( column->field->element );
	int64_t most = element > 0 ? (int64_t)( channel->size / element ) : 0;
	if ( span.count < 0 || span.count > most || span.offset < 0 ||
		 span.offset > (int64_t)channel->size - span.count * (int64_t)element )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"%s (type %s): %s: the span of %" PRId64 " elements at byte %" PRId64 " passes the reading's %zu bytes",
			channel->name, channel->type, column->name, span.count, span.offset, channel->size );
	}
	const char *image = ds_csv_image( column->field );
	if ( image && span.count == 0 )
	{
		*length = 0;
		return DS_OK;
	}

	bool alone = channel->span_count == 1;
	const char *end = image == NULL ? "bin" : column->field->element == DS_ELEMENT_F32 ? "npy" : "png";
	*length = snprintf( cell, size, "%s/%" PRId64 "%s%s.%s", channel->name, sequence, alone ? "" : ".",
		alone ? "" : column->name, end );
	if ( *length < 0 || (size_t)*length >= size )
	{
		return ds_error( DS_ERROR_INTERNAL, "log: %s: a row is longer than was reckoned", channel->name );
	}
	DS_TRY( ds_csv_path( log->path, sizeof( log->path ), log->directory, cell, "" ) );
	const char *elements = (const char *)data + span.offset;
	return image ? write_image( log, channel, column, data, elements, span.count )
				 : ds_log_file_write( log->path, elements, (size_t)span.count * element );
}
