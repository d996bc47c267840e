// What every sensor offers of its tables, ds_NAME_options and ds_NAME_readings: the functions of its public header.

#ifndef DEEPSIM_SENSORS_TABLES_H
#define DEEPSIM_SENSORS_TABLES_H

#include "deepsim/field.h"

// Defines ds_NAME_config_table, ds_NAME_table and ds_NAME_config_default.
#define DS_SENSOR_TABLES( name )                                                                                       \
	const ds_table *ds_##name##_config_table( void )                                                                   \
	{                                                                                                                  \
		return &ds_##name##_options;                                                                                   \
	}                                                                                                                  \
	const ds_table *ds_##name##_table( void )                                                                          \
	{                                                                                                                  \
		return &ds_##name##_readings;                                                                                  \
	}                                                                                                                  \
	ds_##name##_config ds_##name##_config_default( void )                                                              \
	{                                                                                                                  \
		ds_##name##_config config;                                                                                     \
		ds_table_defaults( &ds_##name##_options, &config );                                                            \
		return config;                                                                                                 \
	}

// Defines ds_NAME_config_preset.
#define DS_SENSOR_PRESETS( name )                                                                                      \
	ds_status ds_##name##_config_preset( const char *preset, ds_##name##_config *config )                              \
	{                                                                                                                  \
		return ds_table_preset( &ds_##name##_options, preset, config );                                                \
	}

#endif
