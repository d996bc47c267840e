// libdeepsim: the sensor "depth": a pressure gauge whose reading is converted to depth, positive down, by a conversion that is
// named. No instrument knows the water above it: at 3000 m a constant density of 1025 kg/m3 is 7.5 m off in this library's
// default pycnocline (eq. 14 of "Beyond Shallow-Water Photorealism"), and some 29 m in the ocean.

#ifndef DEEPSIM_DEPTH_H
#define DEEPSIM_DEPTH_H

#include "deepsim/pressure.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_depth_formula
{
	DS_DEPTH_CONSTANT_DENSITY, // p / (rho g)
	DS_DEPTH_UNESCO44, // Saunders and Fofonoff's formula, as in UNESCO technical paper 44
	DS_DEPTH_TEOS10 // of the standard ocean of TEOS-10
} ds_depth_formula;

// From pressure above that of the air at the surface [Pa]; latitude [rad].
// UNESCO technical papers in marine science 44 (Fofonoff and Millard 1983): salinity 35, 0 degC, with its own gravity.
DS_API double ds_depth_unesco44( double gauge_pressure, double latitude );

// TEOS-10 (IOC, SCOR, IAPSO 2010), z_from_p: absolute salinity 35.16504 g/kg, conservative temperature 0 degC, gravity of
// latitude and depth.
DS_API double ds_depth_teos10( double gauge_pressure, double latitude );

typedef struct ds_depth_config
{
	ds_pressure_config gauge;
	int32_t formula; // ds_depth_formula; UNESCO44
	double density; // of CONSTANT_DENSITY [kg/m3]; 1025
	double gravity; // of CONSTANT_DENSITY [m/s2]; 9.80665
	double latitude; // that the instrument was told [rad]; not used where latitude_known
	bool latitude_known; // the latitude is that of the place; true
	double air_pressure; // that is taken off an absolute reading [Pa]; 101325
	double offset; // added to the depth [m]: where zero is
} ds_depth_config;

// The reading.
typedef struct ds_depth
{
	double depth; // [m], positive down
	double variance; // of white noise and of the resolution [m2]
	double bias_variance; // of the gauge's slow errors [m2]
	double pressure; // that it was made of, above the air's [Pa]
	bool valid; // false: the gauge is beyond its range
} ds_depth;

// The tables of config and reading. The functions below take a config to be right: ds_table_check_value( ds_depth_config_table(), &config )
// says whether one that was made in C is.
DS_API const ds_table *ds_depth_config_table( void );
DS_API const ds_table *ds_depth_table( void );

// A perfect gauge and the formula of UNESCO 44. For a real gauge: ds_pressure_config_preset( name, &config.gauge ).
DS_API ds_depth_config ds_depth_config_default( void );

// The depth [m] of a pressure above the air's [Pa] by the config's conversion, at the latitude of the place [rad].
DS_API double ds_depth_of( const ds_depth_config *config, double gauge_pressure, double latitude );

// A depth from a gauge's reading, whose config is that in `config`.
DS_API void ds_depth_measure(
	const ds_depth_config *config, const ds_pressure *gauge, double latitude, ds_depth *reading );

#ifdef __cplusplus
}
#endif

#endif
