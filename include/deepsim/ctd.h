// libdeepsim: the sensor "ctd": conductivity, temperature and pressure with the errors of real elements, and what an
// instrument derives of them: practical salinity, density, speed of sound. A plain model, which runs with or without a world.
//
// Elements lag: the thermometer follows the water with a time constant, and so does what flows through the conductivity cell.
// The wall of the cell keeps heat: water in the cell differs from that outside by
//     dT = -alpha (T - T_lagged by tau)
// (Lueck, J. Atmos. Oceanic Technol. 7 (1990) 741; Lueck and Picklo, ibid. 756), which is why salinity spikes and drags behind at a
// step of temperature. Morison et al. (ibid. 11 (1994) 1151) found alpha = 0.0264 / V + 0.0135 and tau = 2.7858 / sqrt(V) + 7.1499
// for Sea-Bird cells flushed at V [m/s].

#ifndef DEEPSIM_CTD_H
#define DEEPSIM_CTD_H

#include "deepsim/pressure.h"

#ifdef __cplusplus
extern "C"
{
#endif

// ---- practical salinity ------------------------------------------------------------------------------------------

// Conductivity of water of practical salinity 35 at 15 degC (IPTS-68) and the surface's pressure [S/m]: 42.914 mS/cm, Culkin and
// Smith, IEEE J. Oceanic Eng. 5 (1980) 22.
#define DS_CONDUCTIVITY_35_15_0 4.2914

// Practical salinity (PSS-78) of a conductivity ratio to that water, temperature on the IPTS-68 (1.00024 times that on the ITS-90)
// [degC], pressure above the air's [Pa]. Perkin and Lewis, IEEE J. Oceanic Eng. 5 (1980) 9, as in UNESCO technical paper 44
// (Fofonoff and Millard 1983). For salinities 2 to 42, -2 to 35 degC, up to 100 MPa; continued to fresh water, where it means little,
// and never below 0.
DS_API double ds_pss78_salinity( double ratio, double t68, double gauge_pressure );

// The conductivity ratio of a salinity: the inverse, to 1e-12.
DS_API double ds_pss78_ratio( double salinity, double t68, double gauge_pressure );

// ---- the sensor --------------------------------------------------------------------------------------------------

// Errors of an element in its unit U: S/m or degC.
typedef struct ds_ctd_element
{
	double noise; // standard deviation of white noise per sample [U]
	double bias; // constant: what calibration left [U]
	double turn_on; // standard deviation of a bias drawn once a run [U]
	double scale; // error of the slope: 0.001 is 0.1 %
	double drift; // steady drift of the calibration since the start of the run [U/s]; 0.0002 a month is 7.7e-11
	double walk; // random walk [U/sqrt(s)]
	double tau; // response time [s]
	double minimum, maximum; // range: readings are clipped to it [U]
	double resolution; // [U]; 0: exact
} ds_ctd_element;

typedef enum ds_ctd_equation
{
	DS_CTD_EOS80, // density by EOS-80, sound by Chen and Millero: UNESCO 44
	DS_CTD_TEOS10 // both by TEOS-10, composition of the reference sea water
} ds_ctd_equation;

typedef struct ds_ctd_config
{
	ds_ctd_element conductivity, temperature;
	ds_pressure_config pressure; // its temperature is that of the water
	double cell_alpha; // of the cell's heat; 0: none
	double cell_tau; // [s]; 10
	int32_t equation; // ds_ctd_equation
	double air_pressure; // taken off an absolute reading before anything is derived [Pa]; 101325
} ds_ctd_config;

// The reading. What is derived is derived from what was measured.
typedef struct ds_ctd
{
	double conductivity; // [S/m]
	double temperature; // in situ, ITS-90 [degC]
	double pressure; // gauge or absolute as the gauge's reference says [Pa]
	double salinity; // practical
	double density; // [kg/m3]
	double sound_speed; // [m/s]
	double conductivity_variance, temperature_variance, pressure_variance; // of white noise and of the resolution
	double salinity_variance; // of those
	bool valid; // the cell is in water, and all three are in their ranges; else nothing is derived
} ds_ctd;

// What is there.
typedef struct ds_ctd_truth
{
	bool wet; // false: in the air; conductivity is 0
	double salinity; // practical
	double temperature; // in situ, ITS-90 [degC]
	double gauge_pressure; // above the air's [Pa]
	double pressure; // as the gauge's reference says [Pa]
	double time; // now; samples go forward in time [s]
	double period; // between samples, as of ds_pressure_truth [s]
} ds_ctd_truth;

// All that changes: plain bytes, which may be copied.
typedef struct ds_ctd_state
{
	ds_pressure_state gauge;
	double turn_on[2], walk[2]; // conductivity, temperature
	double outside; // temperature of the water at the last sample [degC]
	double inside; // conductivity in the cell at the last sample [S/m]
	double thermometer, wall; // lagged temperatures [degC]
	double cell; // lagged conductivity [S/m]
	double start, last; // [s]
} ds_ctd_state;

// The tables of config and reading. The functions below take a config to be right: ds_table_check_value( ds_ctd_config_table(), &config )
// says whether one that was made in C is.
DS_API const ds_table *ds_ctd_config_table( void );
DS_API const ds_table *ds_ctd_table( void );

// A perfect instrument. With the values of one of its table's presets: DS_ERROR_NOT_FOUND names the nearest.
DS_API ds_ctd_config ds_ctd_config_default( void );
DS_API ds_status ds_ctd_config_preset( const char *name, ds_ctd_config *config );

// Starts a run: the elements have come to rest at this truth. `stream` is that of DS_RANDOM_RESET.
DS_API void ds_ctd_reset(
	const ds_ctd_config *config, const ds_ctd_truth *truth, const ds_random *stream, ds_ctd_state *state );

// One sample: `stream` is that of the sample. Truth that is not finite or beyond 1e30 gives a reading of zeros that is not valid, and
// changes no state.
DS_API void ds_ctd_measure( const ds_ctd_config *config, const ds_ctd_truth *truth, const ds_random *stream,
	ds_ctd_state *state, ds_ctd *reading );

#ifdef __cplusplus
}
#endif

#endif
