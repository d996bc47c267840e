// Inside core: what a world is made of. What is fixed after creation is kept apart from what changes in a step: all that
// changes lies in plain blocks (ds_world_state, ds_body_state, ds_joint_live, a part's block), so that snapshot, restore
// and clone are copies.

#ifndef DEEPSIM_SRC_WORLD_H
#define DEEPSIM_SRC_WORLD_H

#include "base/base.h"
#include "base/random.h"
#include "base/tasks.h"
#include "bullet/bullet.h"
#include "core/host.h"
#include "core/scenario.h"
#include "core/sea.h"
#include "core/slots.h"
#include "deepsim/deepsim.h"
#include "hydro/compression.h"
#include "hydro/faces.h"
#include "hydro/faces_waves.h"
#include "hydro/fossen.h"
#include "hydro/mass.h"
#include "optics/seabed_look.h"
#include "rays/rays.h"
#include "terrain/contact.h"
#include "terrain/gear.h"
#include "terrain/rut.h"
#include "terrain/soil_map.h"

#include <pthread.h>

#define DS_MAX_SINKS 8

// ---- bodies ------------------------------------------------------------------------------------------------------

// All that changes of a body. The reference point c is the centre of gravity of dry mass and entrained water.
typedef struct ds_body_state
{
	ds_vec3 x; // of c, world [m]
	ds_quat q; // body to world
	ds_vec3 v; // of c, world axes [m/s]
	ds_vec3 w; // angular velocity, body axes [rad/s]
	double wetness; // share of the added mass that acts, 0 to 1
	double soil_rate; // at which it swings on soil [rad/s]
	ds_wrench user_world; // for the next tick: world axes, torque about c
	ds_wrench user_body; // for the next tick: body axes, torque about c

	// of the last tick
	ds_vec3 x0, v0; // at its start
	ds_quat q0;
	ds_vec3 w0;
	ds_vec3 turn; // rotation vector, body axes [rad]
	ds_body_forces forces; // about c; contact filled after collision
} ds_body_state;

// Work space of a tick; nothing in it outlives the tick.
typedef struct ds_body_scratch
{
	ds_wrench wrench; // sum, body axes, about c
	ds_mat6 drag; // secant, about c
	ds_mat6 mass; // M_RB + M_A + extra masses, about c
	ds_surroundings sea; // at the half-step pose
	ds_twist water; // of the water around the body, relative to it at c, body axes
	double nu[6]; // relative to the water at the start, body axes, about c
	ds_pose half; // half-step pose of c
	ds_vec3 x1, v1, w1; // the new state
	ds_quat q1;
	ds_vec3 turn;
	ds_vec3 water_acceleration; // with its Coriolis acceleration, body axes [m/s2]
	ds_vec3 coriolis; // acceleration of the body, body axes [m/s2]
	double damping_share; // of the damping by matrices, which acts as far as the body is wet
	bool has_drag;
	double drag_power; // nu D nu at the velocity that D is the secant at
	bool touched; // by a contact or a joint
	// contact with soil: steps within a tick
	bool soiled; // in this tick it may touch soil, and is stepped finely
	ds_vec3 x0, v0, w0; // at the start of the tick
	ds_quat q0;
	ds_contact_forces soil; // of a step, its running gear included
	double soil_rate; // greatest of the tick so far [rad/s]
	ds_wrench soil_sum, contact_sum; // impulses of the tick so far, body axes
} ds_body_scratch;

// Elements of a mesh, shared by a body and its clones.
typedef struct ds_shared_contact
{
	atomic_int references;
	ds_hooks hooks;
	ds_contact_mesh *mesh;
	double reach; // farthest point from the reference point [m]
	ds_vec3 lower, upper; // box about the mesh, about the reference point [m]
} ds_shared_contact;

typedef struct ds_body
{
	ds_id id;
	char name[DS_NAME_SIZE];
	ds_body_def def; // shapes copied into `shapes`; mesh retained
	ds_shape_def *shapes;
	ds_vec3 c; // reference point in the body frame [m]
	ds_vec3 cg; // dry, relative to c
	double mass; // dry [kg]
	double entrained;
	ds_mat6 rigid; // dry + entrained, about c
	ds_mat6 added; // M_A about c
	bool has_added;
	ds_mat3 spread; // second moments of the mesh's volume over that volume, body axes [m2]; 0 without a closed mesh
	double whole_share; // wet share of the volume from which the added mass acts wholly
	bool has_damping;
	ds_fossen damping; // about c
	double volume; // displaced without faces [m3]; 0: none
	ds_vec3 volume_cb; // its centre, relative to c
	ds_faces *faces; // shared; NULL: none
	struct ds_shared_faces *shared_faces;
	dsb_shape *shape; // retained; NULL: none
	double reach; // farthest point of the shape from c [m]
	int32_t bullet; // index in the Bullet world, -1
	ds_shared_contact *contact; // what presses on soil; NULL: nothing
	ds_element_block *elements; // all that changes of it
	int32_t element_count;
	void *contact_scratch;
	ds_elements seen; // in a step
	bool near; // in this tick the mesh may touch soil
	size_t contact_scratch_size;
	ds_ray_geometry *rays; // retained; NULL: not met
	ds_visual *visual; // retained; NULL: not seen, or nobody has looked yet
	ds_pose visual_pose; // about the reference point
	ds_ray_geometry *seen_rays; // of the visual; retained
	ds_body_state state;
	ds_body_scratch scratch;
} ds_body;

// Face data shared by a body and its clones.
typedef struct ds_shared_faces
{
	atomic_int references;
	ds_hooks hooks;
	ds_faces *faces;
} ds_shared_faces;

// ---- joints ------------------------------------------------------------------------------------------------------

typedef struct ds_joint_live
{
	double motor_velocity, motor_force;
} ds_joint_live;

typedef struct ds_joint
{
	ds_id id;
	char name[DS_NAME_SIZE];
	ds_joint_def def;
	ds_body *a, *b; // NULL: the world
	ds_pose frame_a, frame_b; // about the bodies' reference points (or in the world)
	int32_t bullet;
	ds_joint_live state;
} ds_joint;

// ---- parts: sensors, actuators, forces, controllers ----------------------------------------------------------------

// What create() made: shared by clones.
typedef struct ds_model
{
	atomic_int references;
	const ds_type *type;
	ds_registry *registry; // keeps the plugin loaded
	ds_hooks hooks;
	ds_host host;
	ds_layout layout;
	bool plain; // its readings need no check
	void *model;
} ds_model;

// The fixed part of what changes of a part; its own state and its queue of readings follow in the same block.
typedef struct ds_part_state
{
	int64_t sequence; // readings made
	int64_t next; // reading that ds_sensor_next gives
	int64_t dropped;
	double commands[DS_MAX_COMMANDS]; // latched
	double pending[DS_MAX_COMMANDS]; // from the next tick on
	ds_effort effort;
	// inertial truth at the mount
	ds_quat attitude; // of the mount at the last sample
	ds_vec3 pushed; // since the last sample, integral of the specific force, world axes [m/s]
	ds_vec3 pushed_axes; // the same in the turning mount axes
	ds_vec3 turned; // sum of the ticks' rotation vectors, which counts whole turns [rad]
	ds_vec3 specific_force; // of the last tick
	double interval; // since the last sample [s]
} ds_part_state;

// All that changes of running gear, but for its elements, which follow in the block.
typedef struct ds_gear_live
{
	ds_gear_state state;
	ds_gear_reading reading; // of the last tick
} ds_gear_live;

typedef struct ds_part
{
	ds_id id;
	char name[DS_NAME_SIZE];
	ds_kind kind;
	ds_model *model;
	ds_body *body; // NULL: none (controllers)
	ds_pose mount; // in the body frame
	ds_pose mount_c; // relative to the reference point
	double rate; // [Hz]
	ds_time spacing; // of samples, where that is whole nanoseconds; else 0
	ds_time offset, latency;
	ds_time delay; // of the type: an exposure
	int64_t depth; // readings kept for ds_sensor_next
	int64_t queue; // room for them, and for those on their way
	uint32_t key[2]; // of its random stream
	ds_input_def inputs[DS_MAX_INPUTS];
	int32_t input_count;
	struct ds_part *sources[DS_MAX_INPUTS];
	char outputs[DS_MAX_INPUTS][DS_NAME_SIZE];
	int32_t output_count;
	struct ds_part *targets[DS_MAX_INPUTS];
	int32_t channel; // of the log, -1
	int64_t due_sequence; // the sample that `due` is of; -1: none
	ds_time due; // when the next sample is due
	bool companion; // another sensor lies at the same place of the same body
	bool visited, visiting; // while sorting
	double *gear_room; // of the running gear's elements; nothing in it outlives a step
	size_t gear_room_count;
	ds_vec3 gear_lower, gear_upper; // box about it, however it is steered; body axes, about the reference point [m]
	ds_elements gear_placed; // in a step
	bool near; // in this tick the running gear may touch soil
	double gear_load; // torque that holds it back, in a step [N m]
	// all that changes
	size_t block_size;
	unsigned char *block; // ds_part_state, plugin state, running gear, queue of { ds_sample_header, reading }
	ds_gear_live *gear; // NULL: none
	ds_element_block *gear_elements;
	ds_part_state *state;
	void *plugin_state;
	unsigned char *readings;
	size_t stride;
} ds_part;

// ---- the magnetic field ------------------------------------------------------------------------------------------

// The Earth's, magnets and cables: fixed, shared by clones.
typedef struct ds_magnetic
{
	atomic_int references;
	ds_hooks hooks;
	int32_t earth; // ds_earth_field_kind
	ds_vec3 uniform;
	ds_magnetic_dipole *dipoles;
	ds_magnetic_cable *cables;
	int64_t dipole_count, cable_count;
} ds_magnetic;

// magnetic.c. Errors name the field of the environment.
ds_status ds_magnetic_create( const ds_hooks *hooks, const ds_magnetic_def *def, ds_magnetic **magnetic );
ds_magnetic *ds_magnetic_retain( ds_magnetic *magnetic );
void ds_magnetic_release( ds_magnetic *magnetic );
ds_status ds_magnetic_query( const ds_world *world, ds_vec3 position, ds_time time, bool earth_only, ds_vec3 *field );
void ds_magnetic_warn( ds_world *world ); // once, what the Earth's model says of the origin and the date

// ---- the ground --------------------------------------------------------------------------------------------------

// Which soil lies where: shared by clones.
typedef struct ds_shared_soils
{
	atomic_int references;
	ds_hooks hooks;
	ds_soil_map *map;
	bool bulldozing; // some soil is bulldozed
} ds_shared_soils;

typedef struct ds_world_ground
{
	ds_terrain *terrain; // retained; NULL: no seabed. A flat one is a plane
	ds_shared_soils *soils; // retained; NULL: rigid
	ds_rut *rut; // NULL: the ground forgets
	ds_ground model; // of the three
	ds_ray_scene *rays; // NULL: rays are Bullet's
	ds_pose *ray_poses; // of the bodies
	int32_t ray_pose_count;
	bool rays_stale; // bodies have moved since the scene was placed
} ds_world_ground;

// ---- what is seen ------------------------------------------------------------------------------------------------

typedef struct ds_world_looks
{
	pthread_mutex_t lock; // while it is made or placed
	atomic_bool ready; // the scene is there, and bodies are in it where they are
	ds_ray_scene *scene; // NULL: not made
	bool own; // it is not that of ground.rays
	int32_t count; // of bodies
	ds_pose *poses;
	ds_twist *twists;
	ds_seabed_plan seabed; // made with the scene
} ds_world_looks;

// ---- the world ---------------------------------------------------------------------------------------------------

typedef struct ds_world_state
{
	int64_t tick;
	uint64_t seed;
	int32_t next_command; // of the timeline
	int32_t started; // the samples of time 0 are made
	ds_sea_state sea;
} ds_world_state;

// The water that was asked for last, while nothing moves.
typedef struct ds_water_seen
{
	bool open, valid; // open: it may be kept
	ds_vec3 position;
	ds_water water;
} ds_water_seen;

struct ds_world
{
	ds_world_def def;
	ds_hooks hooks;
	ds_registry *registry; // retained
	ds_scenario *scenario; // retained, or NULL
	double rate, dt;
	ds_time spacing; // of ticks, where that is whole nanoseconds; else 0
	double step; // the time that is being stepped: dt, or a part of it while soil is touched [s]
	ds_environment_def environment;
	ds_sea *sea; // retained
	ds_magnetic *magnetic; // retained
	bool magnetic_warned; // of zones and dates, once
	ds_world_ground ground;
	ds_water_optics *optics; // retained; NULL: vacuum
	ds_world_looks *looks;
	ds_light *lights; // for light_view
	int32_t light_room;
	int32_t threads; // that work of parts is shared by
	ds_tasks *tasks; // NULL: one thread, or the user's
	ds_time epoch; // seconds since 1970 of time 0
	ds_slots bodies, joints, parts[DS_CONTROLLER + 1]; // parts by kind
	ds_world_state state;

	// made by ds_world_prepare after a change of structure
	bool prepared;
	ds_part **order; // sensors in order of evaluation
	int32_t order_count, order_capacity;
	ds_part **controller_order;
	int32_t controller_count, controller_capacity;
	dsb_world *bullet; // NULL until something can collide
	bool collides; // false: nothing can touch or is joined, rays only

	ds_part **command_targets; // of the scenario's timeline, by actuator index
	int32_t command_target_count;

	ds_log_sink sinks[DS_MAX_SINKS];
	int32_t sink_count;
	bool sinks_open, sinks_failed; // failed: not all could be opened
	ds_log_channel *channels;
	int32_t channel_count, channel_room;

	ds_time now; // at `now_tick`, which may be another than the state's
	int64_t now_tick;
	ds_water_seen water_seen;

	bool busy; // in a step, a reset, a plugin or a log sink: a hook of the user's may not change the world
	ds_status fault; // the world has failed; DS_OK otherwise
	char fault_text[512];
};

// Id look-ups with errors; body of a part of any kind.
ds_status ds_world_body( const ds_world *world, ds_id id, ds_body **body );
ds_status ds_world_joint( const ds_world *world, ds_id id, ds_joint **joint );
ds_status ds_world_part( const ds_world *world, ds_kind kind, ds_id id, ds_part **part );

// An empty world with the settings and the clock of another.
ds_status ds_world_create_bare( const ds_world *like, ds_world **world );

// Keeps an error, if it is one, as the world's fault: only reset and restore help.
void ds_world_fail( ds_world *world, ds_status status );

// Refuses changes of structure while stepping.
ds_status ds_world_may_change( const ds_world *world );

// Checks a name (syntax, and that no part of the world of this kind has it).
ds_status ds_world_check_name( const ds_world *world, ds_kind kind, const char *name );

// Makes what a step needs after a change of structure: input order, Bullet world.
ds_status ds_world_prepare( ds_world *world );

// body_build.c
ds_status ds_body_check( const ds_body_def *def );
ds_status ds_body_build( ds_world *world, ds_body *body );
void ds_body_release_faces( ds_shared_faces *shared );
ds_mat6 ds_body_total_mass( const ds_body *body, double wetness );

// body.c
void ds_body_free( ds_world *world, ds_body *body );
ds_status ds_body_copy( ds_world *world, const ds_body *from, ds_body **copy );
void ds_body_start( const ds_world *world, ds_body *body );
int32_t ds_body_index( const ds_world *world, const ds_body *body ); // in their order; -1: none of them
void ds_body_lift_off( ds_body *body ); // it touches no soil any more
double ds_body_wetness( const ds_world *world, const ds_body *body, const ds_body_state *state );
// Share of the added mass that acts: of the ellipsoid the wet share of the volume; given values are those of the floating or
// submerged body, and come in smoothly until it displaces half its mass.
double ds_body_wet_share( const ds_body *body, double wet_fraction );
double ds_body_given_share( const ds_body *body, double wet_fraction ); // of all that is given for the whole body

// Wet share of a body without faces, under a surface `elevation` above z = 0.
double ds_body_volume_share( const ds_body *body, ds_pose c, double elevation );

// How the hull has yielded to the pressure at a depth z; a rigid one's added mass goes with the density alone.
ds_compression ds_body_compression( const ds_world *world, const ds_body *body, double z );
ds_pose ds_body_pose_c( const ds_body *body, ds_pose origin ); // pose of c from that of the body frame
ds_pose ds_body_pose_origin( const ds_body *body, ds_pose c ); // the other way

// ground.c: terrain, soils, rut and rays of a world
ds_status ds_world_ground_create( ds_world *world, const ds_environment_def *environment );
ds_status ds_world_ground_copy( ds_world *world, const ds_world *from );
void ds_world_ground_free( ds_world *world );
void ds_ground_warn( const ds_world *world ); // of bodies that start below it
ds_status ds_ground_query( const ds_world *world, double north, double east, ds_ground_point *ground );
ds_status ds_body_press_create( ds_world *world, ds_body *body ); // elements of a body's mesh
void ds_body_press_release( ds_shared_contact *shared );
ds_status ds_body_press_room( ds_world *world, ds_body *body ); // room for their state
bool ds_ground_carries( const ds_world *world, const ds_body *body ); // by its mesh on soil, not rigidly
ds_status ds_part_gear_room( ds_world *world, ds_part *part );

// rays.c
ds_status ds_world_rays_prepare( ds_world *world );
ds_status ds_world_rays_place( ds_world *world ); // where the bodies are now, if they have moved
void ds_world_rays_free( ds_world *world );
void ds_world_rays_moved( ds_world *world ); // bodies are elsewhere now, for all kinds of rays

// looks.c: what cameras see. ds_looks_ready makes and places the scene, and may be called by several threads
ds_status ds_looks_create( ds_world *world );
void ds_looks_clear( ds_world *world );
void ds_looks_free( ds_world *world );
ds_status ds_looks_prepare( ds_world *world );
void ds_looks_moved( ds_world *world ); // bodies are elsewhere now
ds_status ds_looks_ready( const ds_world *world );
ds_status ds_looks_query( const ds_world *world, int64_t count, const ds_look_ray *rays, ds_look *looks );
ds_status ds_blocked_query( const ds_world *world, int64_t count, const ds_look_ray *rays, bool *blocked );

// lights.c
ds_status ds_lights_prepare( ds_world *world );
ds_status ds_lights_view( ds_world *world, ds_light_view *view );

// parallel.c
ds_status ds_parallel_create( ds_world *world, int32_t scenario_threads );
ds_status ds_parallel_run( ds_world *world, int32_t count, ds_parallel_fn *task, void *user );
// By the user's enqueue_task, which there must be; an error where it leaves parts out, or does them twice.
ds_status ds_parallel_enqueue( ds_world *world, int32_t count, ds_task_fn *task, void *context );

// soil.c: contact with soil, within a tick
int32_t ds_soil_steps(
	ds_world *world ); // marks the bodies that may touch soil: how many steps the tick takes; 0: none may
void ds_soil_press( ds_world *world, ds_body *body ); // wrench of a step
// After the motion was solved: if the soil would hold the body down by that, its wrench along the way the body goes; true: solve anew.
bool ds_soil_press_again( ds_world *world, ds_body *body );
void ds_soil_commit( ds_world *world, ds_body *body ); // after it
void ds_soil_finish( ds_world *world ); // readings of the tick, ruts
void ds_soil_touch( ds_world *world, ds_body *body, ds_vec3 centre, double radius, ds_touch *touch );

// collide.c: the Bullet world, if one is needed
ds_status ds_collide_prepare( ds_world *world );
void ds_joint_motor_update( ds_world *world, const ds_joint *joint ); // tells Bullet the motor of a joint
void ds_collide_free( ds_world *world );
ds_status ds_collide_step( ds_world *world );
bool ds_collide_near( const ds_world *world ); // false: nothing can touch in this tick, Bullet would change nothing
void ds_collide_place(
	ds_world *world, const ds_body *body ); // tells Bullet where a body is; nothing without a Bullet world
ds_status ds_collide_shape( const ds_world *world, const ds_body *body, dsb_shape **shape );

// What a body does in a tick, relative to the water.
typedef struct ds_motion
{
	double nu[6]; // velocity at the end, in the body axes of the end
	ds_quat turn; // body axes of the end to those of the start
	ds_vec3 way; // of the reference point, in the body axes of the start [m]
} ds_motion;

// What moves a body, about its reference point in body axes, as seen from the frame that goes with the water.
typedef struct ds_equation
{
	const ds_mat6 *mass; // M, symmetric positive definite
	const ds_mat6 *drag; // D: secant of quadratic drag at nu - water, symmetric positive semidefinite; NULL: none
	const ds_fossen *damping; // by matrices; NULL: none
	double water[6]; // twist of the water around the body; 0 where the flow is the same all over it
	double wrench[6]; // all other forces
	double sideways[6]; // of them those that turn with the velocity: lift, Magnus force
	double damping_share; // of `damping`, 0 to 1
	double drag_power; // nu D nu where D is the secant; 0: at the start
	const ds_mat6 *give; // G: the wrench is wrench - G ( nu1 - nu ), symmetric positive semidefinite; NULL: none
} ds_equation;

// forces.c: steps 2 and 3 of a tick for one body: its half-step pose and the water there; then all natural forces
void ds_forces_place( ds_world *world, ds_body *body );
void ds_forces_natural( ds_world *world, ds_body *body );

// motion.c: step 4 of a tick for one body. DS_ERROR_NOT_FINITE if there is no solution.
ds_status ds_motion_solve( const ds_equation *equation, double dt, const double nu[6], ds_motion *motion );
// Factor s that makes the Cayley map of dt s w the exact rotation by dt w; part of the scheme of motion.c.
double ds_motion_turn_factor( double angle_half );

// What context->internal points to.
typedef struct ds_context_inner
{
	ds_world *world;
	ds_part *part;
	ds_random random;
	ds_input inputs[DS_MAX_INPUTS];
} ds_context_inner;

// part.c
void ds_part_free( ds_world *world, ds_part *part );
ds_status ds_part_copy( ds_world *world, const ds_part *from, ds_part **copy );
void ds_part_lift_off( ds_part *part ); // its running gear touches no soil any more
void ds_part_lay( ds_part *part ); // sets the pointers into the block
ds_status ds_part_start( ds_world *world, ds_part *part );
ds_status ds_part_command( ds_part *part, const double *values, int32_t n ); // checks and stores a pending command
ds_status ds_part_fault( ds_world *world, const ds_part *part, const char *call, ds_status status );

// context.c: what the part may see now; `place`: of its body's reference point, NULL: where it is.
void ds_part_context(
	ds_world *world, ds_part *part, const ds_pose *place, ds_context *context, ds_context_inner *inner );

// Domains of a part's random stream.
#define DS_DOMAIN_SAMPLE DS_RANDOM_SAMPLE
#define DS_DOMAIN_TICK   DS_RANDOM_TICK
#define DS_DOMAIN_EFFORT DS_RANDOM_EFFORT
#define DS_DOMAIN_RESET  DS_RANDOM_RESET

// sample.c: step 7 of a tick, and inertial truth at mounts
ds_status ds_sample_sensors( ds_world *world );
ds_status ds_sample_part( ds_world *world, ds_part *part );
void ds_sample_mount_truth( const ds_world *world, ds_part *part );
void ds_sample_restart( const ds_world *world, ds_part *part );
bool ds_sample_due( ds_part *part, ds_time now );
const ds_sample_header *ds_part_reading( const ds_part *part, int64_t sequence ); // data follow the header
int64_t ds_part_available( const ds_part *part, ds_time now ); // readings that can be seen

// logging.c
ds_status ds_logging_open( ds_world *world );
ds_status ds_logging_write( ds_world *world, const ds_part *part, const ds_sample_header *header, const void *data );

// query.c
void ds_water_query( const ds_world *world, ds_vec3 position, ds_time time, ds_water *water );
ds_status ds_geodetic_query( const ds_world *world, ds_vec3 position, ds_geodetic *geodetic );
ds_status ds_rays_query( const ds_world *world, int64_t count, const ds_vec3 *origins, const ds_vec3 *directions,
	double range, const ds_body *ignore, ds_ray_hit *hits );
ds_status ds_ray_query(
	const ds_world *world, ds_vec3 origin, ds_vec3 direction, double range, const ds_body *ignore, ds_ray_hit *hit );

// clock: tick k and sample k
#define DS_CLOCK_END 7e9 // longest run [s]; nanoseconds of it and of offsets and latencies (1e9 s) add up below 2^63
ds_time ds_clock_time( int64_t k, double rate ); // round( k * 1e9 / rate )
ds_time ds_clock_spacing( double rate ); // if ds_clock_time( k, rate ) is k times this for every k: this; else 0
int64_t ds_clock_last( double rate ); // the last tick that a run may reach
ds_status ds_date_parse( const char *text, ds_time *seconds );

#endif
