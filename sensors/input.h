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

// At least `count` numbers of an input's field; *numbers is NULL before the first reading. DS_ERROR_NOT_FOUND: its type has no such field.
static inline ds_status ds_input_numbers(
	const ds_context *context, const ds_input *input, const char *name, int32_t count, const double **numbers )
{
	*numbers = NULL;
	for ( int32_t i = 0; i < input->table->field_count; ++i )
	{
		const ds_field *f = &input->table->fields[i];
		if ( f->type == DS_FIELD_F64 && f->count >= count && strcmp( f->name, name ) == 0 )
		{
			*numbers = input->header ? (const double *)(const void *)( (const char *)input->data + f->offset ) : NULL;
			return DS_OK;
		}
	}
	return context->host->error( DS_ERROR_NOT_FOUND, "the input \"%s\" (%s) has no reading \"%s\" of %d numbers",
		input->name, input->table->name, name, count );
}

#endif
