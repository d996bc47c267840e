// libdeepsim: currents of the water. A world's current is the sum of a list of these models.
//
// World axes: north, east, down. Velocities say where the water flows to; directions are towards, from north over east.
// Above z = 0 a current is that of the surface, below the bed that of the bed.

#ifndef DEEPSIM_CURRENT_H
#define DEEPSIM_CURRENT_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_current_kind
{
	DS_CURRENT_UNIFORM, // the same everywhere, always
	DS_CURRENT_EXPONENTIAL, // velocity exp( -z / depth )
	DS_CURRENT_POWER, // velocity ( h / height )^exponent, h above the bed
	DS_CURRENT_EKMAN, // wind-driven spiral, geostrophic interior, bed layer
	DS_CURRENT_PROFILE, // tabulated over depth
	DS_CURRENT_TIDAL, // sum of harmonics
	DS_CURRENT_GAUSS_MARKOV, // random in time, the same everywhere
	DS_CURRENT_JET, // round turbulent jet from a nozzle
	DS_CURRENT_PIPE, // parabolic flow in a straight pipe
	DS_CURRENT_KIND_END
} ds_current_kind;

// Where a value comes from that the world has too.
typedef enum ds_current_source
{
	DS_CURRENT_OF_WORLD, // latitude: of the origin; bed: the world's seabed
	DS_CURRENT_OF_DEF // the member of ds_current_def
} ds_current_source;

typedef enum ds_stress_kind
{
	DS_STRESS_WIND, // rho_air C_D U10^2, along the wind
	DS_STRESS_GIVEN
} ds_stress_kind;

typedef enum ds_drag_law
{
	DS_DRAG_TABLE, // tabulated from field and laboratory data, saturated at 2.6e-3 from 25 m/s on (Curcic and Haus 2020)
	DS_DRAG_LINEAR, // 0.79e-3 + 0.08e-3 U10 below 20.2 m/s, else 2.423e-3 (as Xdyn)
	DS_DRAG_CONSTANT // the member drag_coefficient
} ds_drag_law;

// Tidal constituents by name, for their periods.
typedef enum ds_tide
{
	DS_TIDE_OTHER, // ds_tidal_constituent.period
	DS_TIDE_M2,
	DS_TIDE_S2,
	DS_TIDE_N2,
	DS_TIDE_K2,
	DS_TIDE_K1,
	DS_TIDE_O1,
	DS_TIDE_P1,
	DS_TIDE_Q1,
	DS_TIDE_M4,
	DS_TIDE_END
} ds_tide;

// One harmonic: major cos( 2 pi t / period - phase ) along the axis, minor sin( 2 pi t / period - phase ) across it
// (90 degrees clockwise). minor > 0 turns clockwise seen from above, 0 goes to and fro.
typedef struct ds_tidal_constituent
{
	int32_t tide; // ds_tide
	double period; // of others [s]
	double major, minor; // semi-axes of the ellipse [m/s]
	double phase; // [rad]; the greatest flow along the axis is at t = phase period / ( 2 pi )
	double axis; // direction of the major axis, from north over east [rad]
} ds_tidal_constituent;

// One level of a tabulated profile. Between levels the flow is a monotone cubic (no over- or undershoot), outside them
// that of the nearest.
typedef struct ds_current_level
{
	double depth; // [m], increasing
	double velocity[3]; // [m/s]
} ds_current_level;

// One current. Members that a kind does not name are not read. Start from ds_current_def_default().
typedef struct ds_current_def
{
	int32_t kind; // ds_current_kind
	// uniform: everywhere; exponential: at the surface; power: at `height` above the bed; ekman: of the interior
	// (geostrophic) flow, whose z is not read
	double velocity[3]; // [m/s]
	double depth; // exponential: over which it falls by e [m]
	double exponent; // power: 1/7 of tidal and wind profiles
	double height; // power: of the velocity above the bed [m]; 0: the whole depth

	int32_t bed_source; // ds_current_source; power, ekman
	double bed_depth; // z of the bed [m]

	// ekman
	int32_t latitude_source; // ds_current_source
	double latitude; // [rad]; |f| is not taken below its value at 2 degrees
	double surface_layer, bed_layer; // depths of frictional influence D and D_b [m]: A_z = |f| D^2 / ( 2 pi^2 )
	int32_t stress_kind; // ds_stress_kind
	double stress[2]; // on the surface, given: north, east [Pa]
	double wind_speed; // at 10 m [m/s]
	double wind_direction; // towards [rad]
	int32_t drag_law; // ds_drag_law
	double drag_coefficient; // constant
	double air_density, water_density; // [kg/m3]; 1.225, 1026

	ds_array levels; // profile: of ds_current_level, at least one
	ds_array constituents; // tidal: of ds_tidal_constituent

	// gauss_markov: stationary, each component on its own
	double deviation[3]; // standard deviations, north, east, down [m/s]
	double correlation_time; // [s]

	// jet: centre of the nozzle; pipe: centre of its mouth, from which it is `length` long
	double position[3]; // [m]
	double direction[3]; // of the flow; of any length but 0
	double radius; // of the nozzle; of the pipe [m]
	double length; // pipe [m]
	double speed; // jet: at the nozzle; pipe: on the axis, twice the mean [m/s]
} ds_current_def;

// All of a kind's members at their defaults; no flow.
DS_API ds_current_def ds_current_def_default( int32_t kind );

#ifdef __cplusplus
}
#endif

#endif
