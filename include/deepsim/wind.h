// libdeepsim: wind over the sea, which pushes what is out of the water.
//
// World axes north-east-down. A wind's velocity is where the air goes to. SI units.

#ifndef DEEPSIM_WIND_H
#define DEEPSIM_WIND_H

#include "deepsim/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_wind_kind
{
	DS_WIND_NONE, // calm: dry faces feel nothing
	DS_WIND_UNIFORM, // the same at all heights
	DS_WIND_LOGARITHMIC // grows with height as ln( height / roughness )
} ds_wind_kind;

// Start from ds_wind_def_default(): calm.
typedef struct ds_wind_def
{
	int32_t kind; // ds_wind_kind
	double velocity[3]; // mean velocity, at 10 m where it depends on height; world axes, towards [m/s]
	double roughness; // logarithmic: z0 [m]
	double gust[3]; // standard deviation of gusts along the mean wind, across it (level) and along down [m/s]
	double gust_time; // their correlation time [s]
	int64_t seed; // of the gusts
	double air_density; // [kg/m3]
} ds_wind_def;

DS_API ds_wind_def ds_wind_def_default( void );

#ifdef __cplusplus
}
#endif

#endif
