// Looks up other parts' readings by the names of their fields, so that a part of any type may be an input.

#ifndef DEEPSIM_SENSORS_INPUT_H
#define DEEPSIM_SENSORS_INPUT_H

#include "deepsim/plugin.h"

#include <string.h>

// The input of a name, or NULL.
static inline const ds_input *ds_input_find( const ds_context *context, const char *name )
{
	for ( int32_t i = 0; i < context->input_count; ++i )
	{
		if ( strcmp( context->inputs[i].name, name ) == 0 )
		{
			return &context->inputs[i];
		}
	}
	return NULL;
}

// The field of a name and a type of an input's readings, or NULL.
static inline const ds_field *ds_input_field( const ds_input *input, ds_field_type type, const char *name )
{
	for ( int32_t i = 0; input->table && i < input->table->field_count; ++i )
	{
		const ds_field *f = &input->table->fields[i];
		if ( f->type == type && strcmp( f->name, name ) == 0 )
		{
			return f;
		}
	}
	return NULL;
}

// A field's value in the input's last reading.
static inline const void *ds_input_value( const ds_input *input, const ds_field *field )
{
	return (const char *)input->data + field->offset;
}

// At least `count` numbers of an input's field; *numbers is NULL before the first reading. DS_ERROR_NOT_FOUND: its type has no such
// field.
static inline ds_status ds_input_numbers(
	const ds_context *context, const ds_input *input, const char *name, int32_t count, const double **numbers )
{
	const ds_field *field = ds_input_field( input, DS_FIELD_F64, name );
	*numbers = field && input->header ? ds_input_value( input, field ) : NULL;
	return field && field->count >= count
			   ? DS_OK
			   : context->host->error( DS_ERROR_NOT_FOUND, "the input \"%s\" (%s) has no reading \"%s\" of %d numbers",
					 input->name, input->table ? input->table->name : "no readings", name, count );
}

#endif
