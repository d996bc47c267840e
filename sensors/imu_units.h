// Inside the library: text of units as datasheets print it.

#ifndef DEEPSIM_SENSORS_IMU_UNITS_H
#define DEEPSIM_SENSORS_IMU_UNITS_H

#include "deepsim/base.h"

#include <stdbool.h>
#include <stddef.h>

// Standard acceleration of free fall [m/s2]: exact by the 3rd CGPM (1901); ISO 80000-3.
#define DS_STANDARD_GRAVITY 9.80665

// Signs that have no plain letter of their own.
#define DS_IMU_ROOT       '\1'
#define DS_IMU_BOTH_SIGNS '\2'

#define DS_IMU_TEXT_SIZE 256

// Replaces what is not ASCII: degree signs by "deg", the micro sign by "u", superscripts by "^2", dots by "*", root signs by
// DS_IMU_ROOT, and so on. DS_ERROR_FORMAT for what has no meaning here, for control characters and for text that is too long.
ds_status ds_imu_plain_text( const char *text, char *plain, size_t size );

// A product of units. Exponents are counted in halves: that of 1/sqrt(h) is -1.
typedef struct ds_imu_unit
{
	double factor; // to SI
	int half[5]; // angle, length, time, temperature, counts of least steps
} ds_imu_unit;

// Where the reading of a text is.
typedef struct ds_imu_reader
{
	const char *text; // as given, for messages
	const char *p; // plain letters, from here on
	int depth; // of parentheses
} ds_imu_reader;

// The number before the unit, and the signs before that ("<= 8", "+-300"), up to the unit.
ds_status ds_imu_read_value( ds_imu_reader *r, double *value, bool *both_signs );

// A unit up to the end of the text, but for words such as "rms" behind it.
ds_status ds_imu_read_unit( ds_imu_reader *r, ds_imu_unit *value );

// Reports DS_ERROR_FORMAT: the text, what is wrong, and the word that is.
ds_status ds_imu_wrong( const ds_imu_reader *r, const char *what, const char *word, size_t length );

#endif
