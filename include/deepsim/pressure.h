// libdeepsim: the sensor "pressure": the pressure of the water (or of the air above it) at its mount.

#ifndef DEEPSIM_PRESSURE_H
#define DEEPSIM_PRESSURE_H

#include <stdint.h>

typedef enum ds_pressure_reference
{
	DS_PRESSURE_ABSOLUTE, // above vacuum
	DS_PRESSURE_GAUGE // above the pressure at the surface
} ds_pressure_reference;

// The reading.
typedef struct ds_pressure
{
	double pressure; // [Pa]; gauge or absolute as the config says
} ds_pressure;

typedef struct ds_pressure_config
{
	int32_t reference; // ds_pressure_reference
	double noise; // standard deviation of white noise per sample [Pa]
	double minimum, maximum; // range: readings are clipped to it [Pa]
	double resolution; // of the output; 0: exact [Pa]
} ds_pressure_config;

#endif
