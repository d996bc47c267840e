// libdeepsim: vectors, poses, ids, time. Plain structs, SI units, radians.
//
// World frame: local North-East-Down (x north, y east, z down), z = 0 at mean sea level, depth is z.
// Body frame: forward-right-down. Quaternions: Hamilton, order w x y z, rotating body vectors into the world.

#ifndef DEEPSIM_TYPES_H
#define DEEPSIM_TYPES_H

#include "deepsim/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_vec3
{
	double x, y, z;
} ds_vec3;

// Hamilton quaternion; of unit length where it stands for a rotation.
typedef struct ds_quat
{
	double w, x, y, z;
} ds_quat;

// Row major: m[row][column].
typedef struct ds_mat3
{
	double m[3][3];
} ds_mat3;

// Row major 6x6; rows and columns in the order of ds_twist and ds_wrench: 3 linear, then 3 angular (Fossen's nu, tau).
typedef struct ds_mat6
{
	double m[6][6];
} ds_mat6;

// Position [m] and attitude of a frame in its parent frame.
typedef struct ds_pose
{
	ds_vec3 position;
	ds_quat attitude;
} ds_pose;

// Linear [m/s] and angular [rad/s] velocity.
typedef struct ds_twist
{
	ds_vec3 linear, angular;
} ds_twist;

// Force [N] and torque [N m].
typedef struct ds_wrench
{
	ds_vec3 force, torque;
} ds_wrench;

// Simulation time in integer nanoseconds since the start of the run.
typedef int64_t ds_time;

// Handle of a part of a world: kind, index and generation. Stale or foreign ids are errors (DS_ERROR_STALE), not crashes.
typedef uint64_t ds_id;
#define DS_NO_ID ( (ds_id)0 )

// What an id stands for, and what ds_world_find looks for. The first four are the kinds of plugin types.
typedef enum ds_kind
{
	DS_SENSOR = 1,
	DS_ACTUATOR,
	DS_FORCE,
	DS_CONTROLLER,
	DS_BODY,
	DS_JOINT,
	DS_KIND_END
} ds_kind;

// An array of a config: `count` elements, in memory of the scenario that holds the config.
typedef struct ds_array
{
	const void *data;
	int64_t count;
} ds_array;

// An array of a reading: `count` elements that start `offset` bytes after the start of the reading.
typedef struct ds_span
{
	int64_t offset;
	int64_t count;
} ds_span;

// The water (or what is there instead) at a point and a time.
typedef struct ds_water
{
	bool present; // false above the surface and in a world without water: the rest is 0, or the air's
	ds_vec3 velocity; // of the water, world axes [m/s]
	double density; // [kg/m3]
	double pressure; // absolute [Pa]
	double gauge_pressure; // above the pressure at the surface [Pa]
	double temperature; // [degC]
	double salinity; // practical [PSU]
	double sound_speed; // [m/s]
} ds_water;

// A place on the Earth: WGS-84 latitude and longitude [rad], height above mean sea level [m].
typedef struct ds_geodetic
{
	double latitude, longitude, height;
} ds_geodetic;

// What a ray met.
typedef struct ds_ray_hit
{
	bool hit; // false: nothing within range; the rest is 0
	double distance; // [m]
	ds_vec3 point; // world [m]
	ds_vec3 normal; // of the surface, unit, towards the ray's origin
	ds_id body; // DS_NO_ID: the seabed
} ds_ray_hit;

// Goes before every reading. Times are simulation time.
typedef struct ds_sample_header
{
	ds_id sensor;
	int64_t sequence; // 0, 1, 2, ... since the start of the run
	ds_time time; // when the measurement is valid
	ds_time available; // when readers can see it: time + latency
} ds_sample_header;

#ifdef __cplusplus
}
#endif

#endif
