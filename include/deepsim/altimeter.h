// libdeepsim: the sensor "altimeter": an echo sounder. It looks along the z axis of its mount, and reports the nearest return in its
// beam: of the seabed or of another body.

#ifndef DEEPSIM_ALTIMETER_H
#define DEEPSIM_ALTIMETER_H

#include <stdbool.h>
#include <stdint.h>

// The reading.
typedef struct ds_altimeter
{
	bool valid; // false: no return within range; range is then 0
	double range; // along the beam [m]
} ds_altimeter;

typedef struct ds_altimeter_config
{
	double minimum, maximum; // range: what is nearer or farther gives no return [m]
	double beam; // full width of the cone [rad]; 0: a single ray
	int64_t rays; // in the cone: one along its axis, the others on rings about it
	double noise; // standard deviation of white noise per reading [m]
	double resolution; // of the output; 0: exact [m]
	double sound_speed; // that the instrument takes for granted [m/s]; 0: the water's own at the mount
} ds_altimeter_config;

#endif
