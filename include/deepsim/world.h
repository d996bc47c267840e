// libdeepsim: worlds. A world owns everything that moves; worlds share nothing and may be stepped in parallel threads.
// One thread a world; functions that take a const world may run together between steps.

#ifndef DEEPSIM_WORLD_H
#define DEEPSIM_WORLD_H

#include "deepsim/body.h"
#include "deepsim/current.h"
#include "deepsim/magnetic.h"
#include "deepsim/scenario.h"
#include "deepsim/soil.h"
#include "deepsim/terrain.h"
#include "deepsim/visual.h"
#include "deepsim/water_optics.h"
#include "deepsim/waves.h"
#include "deepsim/wind.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_water_kind
{
	DS_WATER_NONE, // vacuum
	DS_WATER_PRESENT // below z = 0
} ds_water_kind;

// How density follows from depth. Source paper: "Beyond Shallow-Water Photorealism", eq. 14.
typedef enum ds_density_kind
{
	DS_DENSITY_UNIFORM,
	DS_DENSITY_PYCNOCLINE, // (14): density + density_increase min( z / density_depth, 1 )
	DS_DENSITY_EOS80, // of temperature, salinity and pressure: EOS-80 (UNESCO 44)
	DS_DENSITY_TEOS10, // the same: TEOS-10
	DS_DENSITY_TABLE // `density_table`
} ds_density_kind;

typedef enum ds_sound_formula
{
	DS_SPEED_CHEN_MILLERO, // Chen and Millero 1977
	DS_SPEED_MACKENZIE // Mackenzie 1981
} ds_sound_formula;

// A level of a profile of temperature (in situ, ITS-90) and practical salinity.
typedef struct ds_water_level
{
	double depth, temperature, salinity; // [m], [degC], [PSU]
} ds_water_level;

// A level of a table of density.
typedef struct ds_density_level
{
	double depth, density; // [m], [kg/m3]
} ds_density_level;

typedef enum ds_seabed_kind
{
	DS_SEABED_NONE,
	DS_SEABED_FLAT, // level at `seabed_depth`
	DS_SEABED_TERRAIN // `terrain`
} ds_seabed_kind;

// What surrounds the bodies. Start from ds_environment_def_default(): sea water of 1025 kg/m3, no current, no seabed.
typedef struct ds_environment_def
{
	uint32_t struct_size;
	double gravity; // [m/s2]; 9.81
	bool gravity_by_latitude; // normal gravity of WGS-84 at the origin instead
	bool earth_rotation; // Coriolis acceleration of bodies and water
	int32_t water; // ds_water_kind
	int32_t density_kind;
	double density; // uniform; pycnocline: at the surface [kg/m3]; 1025
	double density_increase; // pycnocline [kg/m3]; NaN: 0.3 % of `density`
	double density_depth; // pycnocline [m]; 1000
	ds_array density_table; // of ds_density_level
	ds_array profile; // of ds_water_level; empty: temperature and salinity below, at all depths
	bool linear_profile; // straight lines between levels; false: monotone cubics
	double temperature, salinity; // [degC], [PSU]; 4, 35
	int32_t sound; // ds_sound_formula
	double surface_pressure; // of the air at z = 0 [Pa]; 101325 (ISO 2533)
	ds_array currents; // of ds_current_def, which are summed
	ds_waves_def waves; // gravity is the environment's; depth 0: the seabed's, or deep
	ds_wind_def wind;
	int32_t seabed; // ds_seabed_kind
	double seabed_depth; // flat: z [m]
	const ds_terrain *terrain; // retained by the world
	double seabed_friction, seabed_restitution; // against what touches it rigidly
	bool has_soil; // false: the seabed is rigid
	ds_soil soil; // what the meshes of bodies and running gear press on
	ds_array soil_patches; // of ds_soil_patch: places of another soil
	const ds_soil_mask *soil_mask; // raster of soils: 1 is the first of `mask_soils`; NULL: none
	ds_array mask_soils; // of ds_soil
	double soil_step; // contact with soil is stepped as finely as motion needs, but no finer than this [s]; 0.0005
	bool deformable; // the soil keeps ruts
	double rut_cell; // of the grid that keeps them [m]; 0.02
	double rut_memory; // most that they take [bytes]; 64e6
	bool rut_erosion; // walls steeper than the soil's angle of repose slide; true
	// origin of the local frame, WGS-84
	double latitude, longitude; // [rad]
	char date[32]; // of time 0, "2026-06-01T00:00:00Z" (UTC, ISO 8601)
	ds_magnetic_def magnetic; // the magnetic field; WMM2025
	ds_water_optics_def optics; // of the water; Jerlov IB
	ds_sky_def sky; // daylight
	ds_seabed_look seabed_look; // what the seabed looks like
} ds_environment_def;

DS_API ds_environment_def ds_environment_def_default( void );

// Work for a thread pool of the user's: calls `task( start, end, context )` over parts of [0, count).
typedef void ds_task_fn( int32_t start, int32_t end, void *context );

// Start from ds_world_def_default().
typedef struct ds_world_def
{
	uint32_t struct_size;
	ds_scenario *scenario; // NULL: an empty world
	ds_registry *registry; // NULL: the scenario's, or the built-in types
	double rate; // ticks a second [Hz]; 0: the scenario's, or 200. With a scenario, must be 0
	const uint64_t *seed; // NULL: the scenario's, or 0
	const ds_environment_def *environment; // NULL: the scenario's, or the default. With a scenario, must be NULL
	ds_hooks hooks; // allocator and log
	// Called after every `progress_ticks` ticks of a long ds_world_step (0: never).
	void ( *progress )( void *user, int64_t ticks_done, int64_t ticks_wanted );
	int64_t progress_ticks;
	// Asked before every tick: true ends ds_world_step with DS_ERROR_CANCELLED between ticks.
	bool ( *cancel )( void *user );
	// Box2D-style tasks: enqueue_task starts work that finish_task waits for. Results do not depend on how it is split.
	// Both NULL: serial. enqueue_task may do the work at once and return NULL; then finish_task is not called. Work that is over
	// without each of [0, count) done once is an error of the step, DS_ERROR_STATE.
	void *( *enqueue_task )( ds_task_fn *task, int32_t count, int32_t minimum_range, void *context, void *user );
	void ( *finish_task )( void *task, void *user );
	// Threads of the world's own for work that can be parted (images), the caller's included; not used where enqueue_task is given.
	// 0: the scenario's, or 1. Results do not depend on it.
	int32_t threads;
	void *user; // of progress, cancel and tasks
} ds_world_def;

DS_API ds_world_def ds_world_def_default( void );

// Makes a world: from a scenario, or an empty one to fill by ds_body_create and its like.
DS_API ds_status ds_world_create( const ds_world_def *def, ds_world **world );
DS_API void ds_world_destroy( ds_world *world );

// Makes `ticks` ticks (0: only what is due at time 0 is sampled), up to 7e9 s in all (DS_ERROR_LIMIT). What the hooks of a
// step call may ask the world, not change it (DS_ERROR_STATE). A body whose state stops being finite ends it with
// DS_ERROR_NOT_FINITE, naming body, tick and force; the world stays readable, and only reset or restore help.
DS_API ds_status ds_world_step( ds_world *world, int64_t ticks );

// Back to the start of a run, with another seed if wanted. Bodies, sensors and commands are as they were created.
DS_API ds_status ds_world_reset( ds_world *world, uint64_t seed );

// Snapshots: all that changes in a run, as bytes. Restoring into a world of the same structure continues bit for bit;
// into another it is DS_ERROR_STRUCTURE, and bytes that are not those that were saved are DS_ERROR_FORMAT; both leave the world
// as it was. The bytes hold for one build of the library on one kind of machine.
DS_API size_t ds_world_save_size( const ds_world *world );
DS_API ds_status ds_world_save( const ds_world *world, void *bytes, size_t size );
DS_API ds_status ds_world_restore( ds_world *world, const void *bytes, size_t size );

// A second world, equal in everything, that shares only what never changes. Log sinks stay with the first.
DS_API ds_status ds_world_clone( const ds_world *world, ds_world **clone );

// The id of a part by kind and name. DS_ERROR_NOT_FOUND names the nearest.
DS_API ds_status ds_world_find( const ds_world *world, ds_kind kind, const char *name, ds_id *id );

// Parts of a kind, in order of creation: count, id by index, and an id's name (NULL: stale).
DS_API int32_t ds_world_count( const ds_world *world, ds_kind kind );
DS_API ds_id ds_world_at( const ds_world *world, ds_kind kind, int32_t index );
DS_API const char *ds_world_name( const ds_world *world, ds_id id );

DS_API ds_time ds_world_time( const ds_world *world );
DS_API int64_t ds_world_tick( const ds_world *world );
DS_API double ds_world_rate( const ds_world *world );
DS_API uint64_t ds_world_seed( const ds_world *world );

// Ticks that make `duration` seconds, rounded to the nearest.
DS_API int64_t ds_world_ticks( const ds_world *world, double duration );

#ifdef __cplusplus
}
#endif

#endif
