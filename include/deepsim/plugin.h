// libdeepsim: the plugin interface. One table, ds_type, describes every kind of part: sensors, actuators, forces and
// controllers. Built-in parts use it and no other door.
//
// A plugin includes this header alone and links nothing: all it may call is in ds_host. A shared object exports
//     ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );
// and calls host->registry_add for each of its types, whose tables must live as long as the shared object is loaded.

#ifndef DEEPSIM_PLUGIN_H
#define DEEPSIM_PLUGIN_H

#include "deepsim/base.h"
#include "deepsim/field.h"
#include "deepsim/gear.h"
#include "deepsim/lamp.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_registry ds_registry;
typedef struct ds_host ds_host;
typedef struct ds_context ds_context;
typedef struct ds_type ds_type;

#define DS_MAX_COMMANDS 16

// What a part needs, filled by its create().
typedef struct ds_layout
{
	size_t state_size; // bytes of `state`: plain data without pointers; 0 is fine
	size_t output_size; // bytes of a whole reading, spans included; preset to output->size
	int32_t command_count; // actuators: numbers in a command, at most DS_MAX_COMMANDS; preset to 1
	double command_minimum[DS_MAX_COMMANDS], command_maximum[DS_MAX_COMMANDS]; // permitted range; preset to -1, 1
	const ds_gear *gear; // actuators: running gear at the mount, kept by the model; NULL: none
	const ds_lamp *lamp; // actuators: a lamp at the mount, kept by the model; NULL: none
	double command_initial[DS_MAX_COMMANDS]; // latched until the first command; preset to 0
	double delay; // sensors: from valid to available, beyond the latency [s]: half an exposure
	bool looks; // calls look_many or blocked_many: what they need is made before the run, not at the first call
} ds_layout;

// Another part's latest available reading, under the name that this part's "inputs" gave it.
typedef struct ds_input
{
	const char *name;
	const ds_table *table;
	const ds_sample_header *header; // NULL until there is a reading
	const void *data;
} ds_input;

// What an actuator or a force does to its body in this tick.
typedef struct ds_effort
{
	ds_wrench wrench; // mount axes, at the mount's origin [N, N m]
	double mass; // extra mass [kg], at least 0: has weight and inertia
	ds_vec3 mass_position; // of the extra mass, mount frame [m]
	double displaced_volume; // extra displaced volume at the mount's origin [m3]: a ball, pushed up as far as it is wet
	double electric_power; // taken from the battery [W]
	ds_drive drive; // of the running gear, if the layout has some
	double light; // level of the lamp, if the layout has one, 0 to 1
} ds_effort;

// A lamp that shines now.
typedef struct ds_light
{
	const ds_lamp *lamp;
	ds_pose pose; // of its mount in the world; it shines along x
	ds_twist velocity; // of the mount's origin, world axes
	double level; // 0 to 1
	ds_id body; // that it is mounted on
} ds_light;

// What there is of light and water.
typedef struct ds_light_view
{
	const ds_light *lights; // those whose level is not 0, in the order of actuators; valid until the part returns
	int32_t light_count;
	const ds_water_optics *water; // NULL: vacuum
	const ds_sky_def *sky;
} ds_light_view;

// A ray to see along: visual meshes are met, not collision shapes. `time`: everything that moves is met where it will be, by its velocity
// now, so long after the present [s] (within +- 1 s).
typedef struct ds_look_ray
{
	ds_vec3 origin, direction; // world; any length but 0
	double range; // [m]
	double time; // [s]
	double footprint; // width of what is seen at 1 m, for textures [rad]; 0: none
	ds_id ignore; // a body that is not met; DS_NO_ID: none
} ds_look_ray;

// What is seen.
typedef struct ds_look
{
	double distance; // along the ray [m]; < 0: nothing, and the rest is 0
	ds_id body; // DS_NO_ID: the seabed
	int32_t instance; // 1: seabed, 2 + index: bodies in their order, 2^23 + number: nodules
	float normal[3], facet[3]; // of the smooth surface, of the triangle: unit, world axes, towards the ray's origin
	float color[3]; // linear reflectance: red, green, blue
	float metallic, roughness;
	float velocity[3]; // of what is there, world axes [m/s]
} ds_look;

// The ground below or above a place.
typedef struct ds_ground_point
{
	double z; // of the surface [m]; of the rut's ground where the soil is deformed
	ds_vec3 normal; // unit, out of the ground
	bool has_soil; // false: rigid
	double rut; // how far the surface lies straight below the terrain [m]; 0: no rut
} ds_ground_point;

// What the soil does to a body, or to a part of it, at the end of the last tick.
typedef struct ds_touch
{
	int32_t elements; // pieces that touch; 0: nothing does
	ds_vec3 normal; // by pressure, world axes [N]
	ds_vec3 shear; // world axes [N]
	double normal_force; // along the ground's normals [N]
	double area; // projected on the ground [m2]
	double sinkage, mean_sinkage; // greatest, and by area [m]
	double slip_speed; // of what touches over the ground, by normal force [m/s]
} ds_touch;

// A read-only view of the world, as this part may see it. In tick() and sample() the truth is that of the end of the
// tick; in effort() it is that of the half-step pose with the velocity of the tick's start.
struct ds_context
{
	uint32_t struct_size;
	const ds_host *host;
	ds_time time; // now
	int64_t tick; // number of ticks made
	double dt; // of a tick: 1 / rate [s]
	int64_t sequence; // of this sample; 0 in tick() and effort()
	double period; // nominal time between samples [s]; 0 for parts without a rate

	// truth at the mount
	ds_pose pose; // mount frame in the world
	ds_pose mount; // mount frame in the body frame
	ds_vec3 velocity; // of the mount's origin, world axes [m/s]
	ds_vec3 rate; // angular velocity, mount axes [rad/s]
	ds_vec3 specific_force; // mean of the last tick, mount axes: R^T (a - g) [m/s2]; at rest g upwards
	ds_vec3
		delta_angle; // rotation vector since the last sample as a gyroscope sees it, mount axes [rad]: of the mount against
	// the world, and of the world with the Earth where `earth_rate` is not zero
	ds_vec3 delta_velocity; // integral of the specific force since the last sample, in the turning mount axes [m/s]
	double interval; // since the last sample [s]; 0 at the first one
	ds_vec3 earth_rate; // of the Earth, world axes [rad/s]; zero unless the world turns with it
	double gravity; // [m/s2], along z
	ds_id body; // that the part is mounted on; DS_NO_ID: none

	ds_water water; // at the mount's origin

	const ds_gear_reading *gear; // actuators with running gear: what it did in the last tick; else NULL
	const double *commands; // actuators: latched commands
	int32_t command_count;
	const ds_input *inputs;
	int32_t input_count;
	int32_t output_count; // controllers: actuators this part commands, in the order of its "outputs"
	void *internal; // of the host
};

// A part of work that is done in parallel.
typedef ds_status ds_parallel_fn( int32_t start, int32_t end, void *user );

// Everything a plugin may call. Functions that take a context may be used in reset, tick, sample and effort only.
struct ds_host
{
	uint32_t struct_size, abi_version;

	// Adds a type; the table is checked, and a name that is taken is DS_ERROR_DUPLICATE.
	ds_status ( *registry_add )( ds_registry *registry, const ds_type *type );

	// ds_error and ds_last_error.
	ds_status ( *error )( ds_status status, const char *format, ... ) DS_PRINTF( 2, 3 );
	const char *( *last_error )( void );

	// Memory of the world's allocator, zeroed, for create() and destroy(): NULL if there is none.
	void *( *allocate )( const ds_host *host, size_t size );
	void ( *release )( const ds_host *host, void *memory, size_t size );

	// A line for the log hook.
	void ( *log )( const ds_host *host, ds_log_level level, const char *message );

	// The part's own random stream, a function of the world's seed, the part's name and the sample (or tick) alone:
	// uniform in [0, 1), and standard normal.
	double ( *random_uniform )( ds_context *context );
	double ( *random_normal )( ds_context *context );

	// The same stream as a value, for models that draw by slots, and its slots (ds_random_normals, ds_random_uniforms).
	ds_random ( *random_stream )( const ds_context *context );
	void ( *random_normals )( const ds_random *stream, uint32_t first, uint32_t count, double *out );
	void ( *random_uniforms )( const ds_random *stream, uint32_t first, uint32_t count, double *out );

	// The nearest thing on a ray, but for the part's own body. `direction` need not be of unit length.
	ds_status ( *ray_cast )( ds_context *context, ds_vec3 origin, ds_vec3 direction, double range, ds_ray_hit *hit );

	// Many rays at once, `hits` one each: the same answers, faster.
	ds_status ( *ray_cast_many )( ds_context *context, int64_t count, const ds_vec3 *origins, const ds_vec3 *directions,
		double range, ds_ray_hit *hits );

	// The water at a point of the world, now.
	ds_status ( *water_at )( ds_context *context, ds_vec3 position, ds_water *water );

	// The ground at a place of the world: DS_ERROR_NOT_FOUND where there is none.
	ds_status ( *ground_at )( ds_context *context, double north, double east, ds_ground_point *ground );

	// What the soil does to the part's body within `radius` [m] of the mount (0: to all of it, running gear included).
	ds_status ( *touch )( ds_context *context, double radius, ds_touch *touch );

	// The magnetic field at a point now [T], world axes: the Earth's, of magnets and of cables. DS_ERROR_UNSUPPORTED in a world without
	// one.
	ds_status ( *magnetic_field_at )( ds_context *context, ds_vec3 position, ds_vec3 *field );

	// The Earth's part of it alone, by the world's model: what an instrument with that model aboard takes for the field.
	ds_status ( *earth_field_at )( ds_context *context, ds_vec3 position, ds_vec3 *field );

	// Latitude, longitude and height of a point of the world. DS_ERROR_RANGE for a world whose origin is a pole: latitude and height
	// are given all the same.
	ds_status ( *geodetic_at )( ds_context *context, ds_vec3 position, ds_geodetic *geodetic );

	// The velocity of a body, its id as in ds_ray_hit, at a point of the world, world axes [m/s]; zero for DS_NO_ID.
	ds_status ( *velocity_at )( ds_context *context, ds_id body, ds_vec3 position, ds_vec3 *velocity );

	// What is seen along many rays. May be called from several threads inside `parallel`.
	ds_status ( *look_many )( const ds_context *context, int64_t count, const ds_look_ray *rays, ds_look *looks );

	// Whether anything lies on rays (within their range): `blocked`, one each. The same rays, in less time. May be called from several
	// threads inside `parallel`.
	ds_status ( *blocked_many )( const ds_context *context, int64_t count, const ds_look_ray *rays, bool *blocked );

	// Lamps, water and daylight now.
	ds_status ( *light_view )( ds_context *context, ds_light_view *view );

	// Calls `task( start, end, user )` over parts of [0, count), in as many threads as the scenario asks for. Tasks may call look_many,
	// blocked_many, random_normals, random_uniforms and error (whose first message by `start` is the result's).
	ds_status ( *parallel )( ds_context *context, int32_t count, ds_parallel_fn *task, void *user );

	// Controllers: commands the actuator `output` (an index into the part's "outputs") from this tick on.
	ds_status ( *command_set )( ds_context *context, int32_t output, const double *values, int32_t count );

	void *internal;
};

struct ds_type
{
	uint32_t abi_version, struct_size; // DS_ABI_VERSION, sizeof( ds_type )
	ds_kind kind; // DS_SENSOR, DS_ACTUATOR, DS_FORCE, DS_CONTROLLER
	const char *name, *doc; // what "type" says in a scenario; one line of help
	const ds_table *config, *output; // either may be NULL

	// Makes what is fixed from a checked config: `model` is shared by clones and threads and never changes.
	ds_status ( *create )( const void *config, const ds_host *host, ds_layout *layout, void **model );
	void ( *destroy )( void *model );

	// Sets the state (zeroed before) at the start of a run. Optional.
	ds_status ( *reset )( const void *model, void *state, ds_context *context );

	// Every tick, after the bodies have moved. Optional.
	ds_status ( *tick )( const void *model, void *state, ds_context *context );

	// Sensors and controllers: fills a reading (zeroed before) at the part's rate. Controllers run at the start of a tick.
	// Actuators and forces: optional; reports what the part does now, at the part's rate, after sensors have sampled.
	ds_status ( *sample )( const void *model, void *state, ds_context *context, void *output );

	// Actuators and forces: every tick; `effort` is zeroed before. What it changes of the state is kept.
	ds_status ( *effort )( const void *model, void *state, ds_context *context, ds_effort *effort );
};

typedef ds_status ds_plugin_register_fn( ds_registry *registry, const ds_host *host );

// Marks the function that a shared object exports.
#if defined( _WIN32 )
#define DS_PLUGIN_EXPORT __declspec( dllexport )
#else
#define DS_PLUGIN_EXPORT __attribute__( ( visibility( "default" ) ) )
#endif

#ifdef __cplusplus
}
#endif

#endif
