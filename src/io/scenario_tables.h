// Inside io: what a scenario file says, as structs and their tables, before names are resolved and units of the core are
// made of it. Angles are radians in these structs.

#ifndef DEEPSIM_SRC_SCENARIO_TABLES_H
#define DEEPSIM_SRC_SCENARIO_TABLES_H

#include "base/field_io.h"
#include "core/scenario.h"
#include "deepsim/mesh.h"
#include "deepsim/soil.h"
#include "deepsim/terrain.h"

#define DS_FILE_SIZE 1024

typedef struct ds_file_pose
{
	double position[3], rpy[3]; // [m, rad]
} ds_file_pose;

// "mesh": what it is made of. Shapes have the values of ds_mesh_shape_kind.
enum
{
	DS_MESH_SOURCE_NONE = -2,
	DS_MESH_SOURCE_FILE = -1
};

// "visual": what is seen.
enum
{
	DS_FILE_VISUAL_MESH,
	DS_FILE_VISUAL_NONE,
	DS_FILE_VISUAL_FILE,
	DS_FILE_VISUAL_BOARD // + ds_board_kind
};

typedef struct ds_file_visual
{
	int32_t kind; // DS_FILE_VISUAL_...
	int32_t axes, material_kind; // material: 1: given
	char file[DS_FILE_SIZE];
	double scale;
	ds_material material;
	ds_board board;
	ds_file_pose pose;
} ds_file_visual;

typedef struct ds_file_body
{
	char name[DS_NAME_SIZE];
	int32_t mesh; // DS_MESH_SOURCE_... or ds_mesh_shape_kind
	char mesh_file[DS_FILE_SIZE];
	double mesh_scale, mesh_weld;
	int32_t mesh_axes, soil_kind; // of soil: 1: width and spacing are given
	ds_mesh_shape shape;
	ds_file_pose mesh_pose, pose;
	double linear[3], angular[3];
	ds_body_def def; // the members that need no conversion
	int32_t form_drag_kind, cb_kind, entrained_cg_kind, collision_kind;
	double form_drag;
	int32_t linear_kind, quadratic_kind, forward_kind; // of damping: 0: `..._six`, 1: a matrix
	double linear_six[6], quadratic_six[6], forward_six[6];
	int32_t lift_kind, magnus_kind; // 1: printed
	ds_array shapes; // of ds_shape_def
	ds_file_visual visual;
} ds_file_body;

typedef struct ds_file_joint
{
	char name[DS_NAME_SIZE];
	int32_t kind, limits_kind, limits_deg_kind, motor_kind, body_a_kind;
	char body_a[DS_NAME_SIZE], body_b[DS_NAME_SIZE];
	ds_file_pose frame;
	double limits[2], angles[2]; // [m], [rad]
	double motor_velocity, motor_force;
} ds_file_joint;

// Sensors, actuators, forces and controllers.
typedef struct ds_file_part
{
	char name[DS_NAME_SIZE], type[DS_NAME_SIZE], body[DS_NAME_SIZE];
	ds_file_pose mount;
	int32_t rate_kind; // 0: the world's
	double rate, offset, latency;
	int64_t queue;
	const ds_json *config, *inputs, *outputs;
} ds_file_part;

typedef struct ds_file_command
{
	double t;
	char actuator[DS_NAME_SIZE];
	int32_t value_kind; // 0: `value`, 1: `values`
	double value;
	ds_array values; // of double
} ds_file_command;

// ---- seabed ------------------------------------------------------------------------------------------------------

// "model" of the elevation.
enum
{
	DS_ELEVATION_FLAT,
	DS_ELEVATION_SLOPE,
	DS_ELEVATION_SINUSOID,
	DS_ELEVATION_FRACTAL,
	DS_ELEVATION_SEAMOUNT,
	DS_ELEVATION_RASTER,
	DS_ELEVATION_MESH
};

// A number, or an array of a few, that may be null.
typedef struct ds_file_maybe
{
	int32_t given;
	double number[4];
} ds_file_maybe;

// A file of a grid of numbers.
typedef struct ds_file_raster
{
	char file[DS_FILE_SIZE];
	ds_file_maybe position, scale, nodata, window;
	int32_t crs; // ds_raster_crs
	int32_t depths; // 1: positive is down
	double cell, offset;
	int64_t band;
	char variable[64];
} ds_file_raster;

enum
{
	DS_FILE_SOIL_NONE = -2,
	DS_FILE_SOIL_CUSTOM = -1
};

typedef struct ds_file_soil
{
	int32_t kind; // DS_FILE_SOIL_..., or the number of a named set
	int32_t set; // custom: the set that gives what is not said
	ds_soil soil;
} ds_file_soil;

typedef struct ds_file_patch
{
	ds_file_soil soil;
	ds_array polygon; // of ds_file_point
} ds_file_patch;

typedef struct ds_file_point
{
	double place[2]; // north, east [m]
	int32_t form;
} ds_file_point;

typedef struct ds_file_seabed
{
	int32_t elevation; // DS_ELEVATION_...
	double slope, towards; // [rad]
	ds_terrain_shape shape;
	ds_file_raster raster, mask;
	char mesh_file[DS_FILE_SIZE];
	double mesh_scale;
	int32_t mesh_axes;
	ds_file_pose mesh_pose;
	ds_file_soil soil;
	ds_array patches; // of ds_file_patch
	ds_array mask_soils; // of ds_file_soil
	int32_t has_mask;
	int32_t deformable_kind; // 0: true or false, 1: with options
} ds_file_seabed;

typedef struct ds_file
{
	int64_t deepsim;
	char name[DS_NAME_SIZE];
	double duration, rate;
	int64_t seed, threads;
	const ds_json *include, *plugins;
	ds_environment_def environment; // the origin too
	ds_file_seabed seabed;
	int32_t gravity; // 0: given, 1: by latitude
	int32_t increase; // 0: the usual one
	int32_t interpolation; // 1: linear
	int32_t profile; // 0: none, 1: levels, 2: `profile_path`
	int32_t magnetic; // 0: null
	int32_t density_source; // 0: levels, 1: `density_path`
	char profile_path[1024], density_path[1024];
	ds_array bodies, joints, actuators, sensors, forces, controllers, commands;
} ds_file;

// The tables of a scenario. The mesh alternatives are those of ds_mesh_shape_table(), so the body's table is made at run
// time, in an arena.
typedef struct ds_file_tables
{
	ds_table file, environment, seabed, body, joint, actuator, sensor, force, controller, command;
} ds_file_tables;

ds_status ds_file_body_table( ds_arena *arena, ds_table *table );
ds_status ds_file_visual_choices( ds_arena *arena, ds_field *visual ); // of a body's field "visual"
// The environment, with the tables of optics that are had by calls; `seabed` is the one in it.
ds_status ds_file_environment_make( ds_arena *arena, ds_table *environment, ds_table *seabed );
ds_status ds_file_tables_make( ds_arena *arena, ds_file_tables **tables );

extern const ds_table ds_file_environment_table, ds_file_seabed_table, ds_file_custom_soil_table;

// Which way the axes of a mesh file point: xyz, flu, y_up.
#define DS_FILE_AXES 3
extern const ds_choice ds_file_axes[DS_FILE_AXES];

// "pose" and "frame": position and rpy.
extern const ds_table ds_file_pose_table;

// The pose of position and roll-pitch-yaw.
ds_pose ds_file_pose_get( const ds_file_pose *pose );

#endif
