// libdeepsim: the sensor "adcp": an acoustic Doppler current profiler. Four beams, as a DVL's, hear the water in cells one behind the
// other, and each cell's velocity is the least-squares solution of what the beams hear there. The water differs between the beams.
//
// Velocities are of the water relative to the transducer, v_water - v: the opposite sign of a DVL's water track. Add the
// instrument's own velocity (from a DVL's bottom track, say) to get the current over ground.

#ifndef DEEPSIM_ADCP_H
#define DEEPSIM_ADCP_H

#include "deepsim/dvl.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define DS_ADCP_MAX_CELLS 256

typedef enum ds_adcp_axes
{
	DS_ADCP_INSTRUMENT, // cells at distances along the array's axis, velocities in mount axes
	DS_ADCP_EARTH // cells at vertical distances, velocities north, east, down: tilt and heading are taken to be exact
} ds_adcp_axes;

typedef struct ds_adcp_config
{
	ds_beams beams;
	int32_t array; // ds_array_kind
	double array_sound_speed; // phased: at which the beams look as `beams` says [m/s]
	int64_t cells; // at most DS_ADCP_MAX_CELLS
	double cell_size; // [m]
	double blanking; // what is nearer is not heard; the first cell's middle is at blanking + cell_size [m]
	double maximum_range; // of the middle of a cell, along the array's axis [m]
	int32_t axes; // ds_adcp_axes
	double noise; // standard deviation of a beam's velocity in a cell, of one ping [m/s]
	int64_t pings; // averaged in a sample
	double resolution; // of a beam's velocity [m/s]; 0: exact
	double dropout; // probability that a beam hears nothing in a cell
	bool side_lobe; // whether cells that the echo of a boundary reaches through a side lobe are invalid
	double sound_speed; // that the instrument takes for granted [m/s]; 0: the water's own at the transducer
} ds_adcp_config;

// The tables of config and reading.
DS_API const ds_table *ds_adcp_config_table( void );
DS_API const ds_table *ds_adcp_table( void );

// A config without errors.
DS_API ds_adcp_config ds_adcp_config_default( void );

// The reading; the spans follow in the same block. What is not valid is 0.
typedef struct ds_adcp
{
	bool wet; // the transducer is in the water
	int64_t n_valid; // cells with a velocity
	double
		boundary; // distance to the nearest boundary, bottom or surface, that the beams look at, by the speed that it takes [m]; 0: none met
	double
		usable; // distance of the last cell's middle that no side lobe spoils [m], as `distance`; 0: no boundary, all are
	double sound_speed; // that the instrument reckoned with [m/s]
	ds_span distance; // f64 a cell: of its middle from the transducer, along the array's axis or vertical [m]
	ds_span valid; // u8 a cell: 1: three beams or more heard it
	ds_span good; // u8 a cell: beams that heard it
	ds_span velocity; // 3 f64 a cell: v_water - v, mount axes or north, east, down [m/s]
	ds_span variance; // 3 f64 a cell: of velocity, from the beams' white noise [(m/s)2]
	ds_span error_velocity; // f64 a cell: what four beams disagree by [m/s]; 0 with three
	ds_span beam_velocity; // 4 f64 a cell: along each beam, positive away from the transducer [m/s]; 0 where not heard
} ds_adcp;

// What the beams meet.
typedef struct ds_adcp_truth
{
	bool wet;
	ds_quat attitude; // mount to world
	ds_vec3 velocity; // of the transducer, mount axes [m/s]
	double sound_speed; // at the transducer [m/s]; 0: as the instrument takes for granted
	double range[DS_BEAMS]; // to a boundary, along the beam [m]; negative: none
	double boundary; // shortest distance to a boundary that the beams look at [m]; negative: none
	const ds_vec3 *water; // of each cell its four beams: weighted mean velocity of the water there, mount axes [m/s]
	const bool *present; // of each cell its four beams: there is water all over it
} ds_adcp_truth;

// Prepared: fixed. Plain data, made by ds_adcp_prepare().
typedef struct ds_adcp_model
{
	ds_adcp_config config;
	ds_vec3 direction[DS_BEAMS]; // unit
	ds_vec3 axis; // mean direction of the beams
	double cosine[DS_BEAMS]; // of the angle between beam and axis
} ds_adcp_model;

// Checks every number (DS_ERROR_RANGE, DS_ERROR_NOT_FINITE name the field) and the beams.
DS_API ds_status ds_adcp_prepare( const ds_adcp_config *config, ds_adcp_model *model );

// The beams' unit directions, mount axes, in water of a speed of sound [m/s] at the transducer (0: as configured).
DS_API void ds_adcp_beams( const ds_adcp_model *model, double sound_speed, ds_vec3 beams[DS_BEAMS] );

// Where along a beam the middle of a cell lies in water of a speed of sound [m/s] at the transducer (0: as the instrument takes it), and
// half the length that it hears, weighed by a triangle: a whole cell to either side [m]. A cell is a time of the echo: where the
// instrument takes a wrong speed for granted it is not as far as `distance` says. False: the beam does not look to the array's side of the
// horizon, or is too near to it to have such a cell (earth axes).
DS_API bool ds_adcp_cell( const ds_adcp_model *model, ds_quat attitude, double sound_speed, int beam, int64_t cell,
	double *middle, double *half );

// Bytes of a whole reading, spans included.
DS_API size_t ds_adcp_size( const ds_adcp_model *model );

// One sample into `reading`, ds_adcp_size() bytes aligned to 8. `stream` is that of the sample (DS_RANDOM_SAMPLE).
DS_API void ds_adcp_measure(
	const ds_adcp_model *model, const ds_adcp_truth *truth, const ds_random *stream, ds_adcp *reading );

#ifdef __cplusplus
}
#endif

#endif
