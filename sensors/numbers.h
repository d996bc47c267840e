// Checks of a config's numbers against its table, for models that are called without a world.

#ifndef DEEPSIM_SENSORS_NUMBERS_H
#define DEEPSIM_SENSORS_NUMBERS_H

#include "deepsim/field.h"

// Every number of a struct, and of the structs in it, lies in its field's range; then the table's own check. DS_ERROR_NOT_FINITE and
// DS_ERROR_RANGE name the table and the field.
ds_status ds_numbers_check( const ds_table *table, const void *value );

// A field of 9 numbers, in JSON three rows of three.
#define DS_MATRIX3( struct_, member, unit_, initial_, minimum_, maximum_, doc_ )                                       \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( struct_, member ), 9, 0, unit_, initial_, minimum_,          \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
#define DS_IDENTITY3 "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"

#endif
