// Inside the library: the tables of the magnetometer.

#ifndef DEEPSIM_SENSORS_MAGNETOMETER_H
#define DEEPSIM_SENSORS_MAGNETOMETER_H

#include "deepsim/magnetometer.h"

// A field of 9 numbers, in JSON three rows of three.
#define DS_MATRIX3( struct_, member, unit_, initial_, minimum_, maximum_, doc_ )                                       \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( struct_, member ), 9, 0, unit_, initial_, minimum_,          \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
#define DS_IDENTITY3 "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"

extern const ds_table ds_magnetometer_options, ds_magnetometer_readings;

#endif
