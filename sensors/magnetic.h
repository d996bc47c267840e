// Inside the library: checks of magnets and cables, and their tables for scenario files.

#ifndef DEEPSIM_SENSORS_MAGNETIC_H
#define DEEPSIM_SENSORS_MAGNETIC_H

#include "deepsim/field.h"
#include "deepsim/magnetic.h"

extern const ds_table ds_magnetic_dipole_table, ds_magnetic_cable_table;

// DS_ERROR_RANGE or _NOT_FINITE say which number is wrong.
ds_status ds_magnetic_dipole_check( const ds_magnetic_dipole *dipole );
ds_status ds_magnetic_cable_check( const ds_magnetic_cable *cable );

#endif
