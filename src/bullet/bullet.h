// Bullet behind a plain C interface, in pybullet's vocabulary: shapes, bodies, joints, contacts, ray tests.
//
// Bullet finds the contacts and solves contacts and joints; free motion is the caller's. A step goes
//   dsb_body_reset_pose_velocity (where the body is, how it moves now), dsb_body_set_prediction (the velocity it would have
//   at the end of the step without contacts and joints, and its 6x6 mass), for every moving body;
//   dsb_step; then dsb_body_get for the velocity at the end of the step, and dsb_body_correction.
// The caller moves the pose, with the mean of old and new velocity plus the correction. Nothing but the poses, the
// velocities and the definitions enters a step: the same numbers give the same bits, whatever happened before.
//
// Units SI; world axes unless said otherwise. A body's frame has its origin at the reference point (the point about which
// its 6x6 mass is given). Worlds share nothing but immutable shapes. No C++ exception leaves these functions.

#ifndef DEEPSIM_SRC_BULLET_H
#define DEEPSIM_SRC_BULLET_H

#include "deepsim/base.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct dsb_world dsb_world;

// A collision shape: immutable, references counted atomically, shared by bodies, worlds and threads.
typedef struct dsb_shape dsb_shape;

#define DSB_NONE ( -1 )

// Shapes. Sizes must be positive and finite, else DS_ERROR_RANGE. The new shape has one reference.
ds_status dsb_shape_box( ds_vec3 half, dsb_shape **shape );
ds_status dsb_shape_sphere( double radius, dsb_shape **shape );
// Along x; `length` is between the centres of the caps.
ds_status dsb_shape_capsule( double radius, double length, dsb_shape **shape );
// Along x; `length` is the whole length.
ds_status dsb_shape_cylinder( double radius, double length, dsb_shape **shape );
// The convex hull of points; it must enclose a volume (DS_ERROR_MESH_VOLUME).
ds_status dsb_shape_hull( const ds_vec3 *points, int64_t count, dsb_shape **shape );
// Triangles, for static bodies only. Vertices and triangles (3 indices each) are copied.
ds_status dsb_shape_mesh( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles,
	int64_t triangle_count, dsb_shape **shape );
// The half space n.p <= offset is solid, for static bodies only. The normal need not be of unit length.
ds_status dsb_shape_plane( ds_vec3 normal, double offset, dsb_shape **shape );

// Called with each triangle of a surface, its corners wound so that the normal points up; false: no more are wanted. Must not
// be called when nobody asks.
typedef bool dsb_triangle_fn( void *context, int64_t index, const ds_vec3 corners[3] );

// A ground that is asked for its triangles by boxes, so that it may have very many. It is solid below them (z points down in
// its frame), uppermost triangles first: a body whose centre lies below the ground is pushed out along the normal of the
// triangle above its centre. Where there are no triangles there is no ground, at any depth. The functions are called by any
// thread that steps or casts rays, at the same time too, must always give the same for the same box, and keep to a fixed order.
typedef struct dsb_surface
{
	void *user;
	// All triangles that reach into a box, once each; others may come with them. A box may be infinitely high.
	void ( *visit )( void *user, ds_vec3 lower, ds_vec3 upper, dsb_triangle_fn *fn, void *context );
	// False: no triangle reaches into the box. Answers at once; a NULL function says true.
	bool ( *reaches )( void *user, ds_vec3 lower, ds_vec3 upper );
	// Of `user`, once when the shape is made and once when it goes; may be NULL.
	void ( *retain )( void *user );
	void ( *release )( void *user );
	ds_vec3 lower, upper; // of all triangles [m]
	double cell; // side of a common triangle [m]: rays ask by pieces of about this length
	double
		thickness; // bodies whose centre lies less below the surface are pushed out, deeper ones fall [m]; may be infinite
	double resolution; // of heights [m]: edges as low as this are not felt; 0
} dsb_surface;

// For static bodies only. DS_ERROR_RANGE: bounds, cell or thickness that cannot be.
ds_status dsb_shape_surface( const dsb_surface *surface, dsb_shape **shape );
// Children with their poses in the compound's frame; each is retained. A child may be a compound.
ds_status dsb_shape_compound( dsb_shape *const *children, const ds_pose *poses, int64_t count, dsb_shape **shape );

dsb_shape *dsb_shape_retain( dsb_shape *shape );
void dsb_shape_release( dsb_shape *shape );

// True if a moving body may have this shape (it holds no mesh, surface or plane).
bool dsb_shape_can_move( const dsb_shape *shape );

// Bounding box in the shape's frame [m]; infinite for a plane; of a surface, with the ground below it.
void dsb_shape_bounds( const dsb_shape *shape, ds_vec3 *lower, ds_vec3 *upper );

// The triangles of hulls and meshes, numbered from 0, in the shape's frame; those of hulls are counter-clockwise seen from outside.
void dsb_shape_triangles( const dsb_shape *shape, dsb_triangle_fn *fn, void *context );

ds_status dsb_world_create( dsb_world **world );
void dsb_world_destroy( dsb_world *world );

// Start from dsb_body_def_default().
typedef struct dsb_body_def
{
	int64_t id; // the order in which contacts are solved: give distinct ids
	ds_pose shape_pose; // of the shape's frame in the body's frame
	ds_pose pose; // of the body's frame in the world
	bool is_static; // never moves; its velocity is zero
	double friction; // Coulomb; the product of the two bodies' counts; 0.5
	double rolling_friction; // lever arm [m] of the rolling moment, added over the two bodies; 0
	double restitution; // the greater of the two bodies' counts; 0
	double margin; // contacts are looked for up to this distance [m], and as far as the bodies move in a step; 0.01
	uint32_t group, mask; // a and b may touch if ( a.group & b.mask ) && ( b.group & a.mask ); 1, all
} dsb_body_def;

dsb_body_def dsb_body_def_default( void );

// `body` is an index that stays until it is destroyed; indices are used again, the lowest first. The shape is retained; a
// NULL shape makes a body that touches nothing but can be joined.
ds_status dsb_body_create( dsb_world *world, dsb_shape *shape, const dsb_body_def *def, int32_t *body );

// Joints of the body go with it.
void dsb_body_destroy( dsb_world *world, int32_t body );

// An inactive body touches nothing, is hit by no ray, and its joints hold nothing. New bodies are active.
void dsb_body_set_active( dsb_world *world, int32_t body, bool active );

// Where the body is and how it moves now (velocity of the reference point). A moving body's prediction is set to the
// same velocity. pybullet: resetBasePositionAndOrientation, resetBaseVelocity. Static bodies ignore the velocity.
void dsb_body_reset_pose_velocity( dsb_world *world, int32_t body, const ds_pose *pose, const ds_twist *now );

// The velocity that the body would have at the end of the step by all forces but contacts and joints, and its symmetric
// positive definite mass matrix (rigid and added mass), about the reference point, in world axes. A matrix that is not
// positive definite makes the next dsb_step fail. Static bodies ignore it.
void dsb_body_set_prediction( dsb_world *world, int32_t body, const ds_twist *predicted, const ds_mat6 *mass_world );

// Collision, contacts and joints of one step of `dt` seconds. DS_ERROR_RANGE: dt, or a mass; DS_ERROR_NOT_FINITE: a pose or
// a velocity is not finite, or far beyond what can touch (the message has the body's id).
ds_status dsb_step( dsb_world *world, double dt );

// After a step: the velocity at its end, and the mean wrench of contacts and joints about the reference point. A body that
// nothing touched has exactly its predicted velocity and a zero wrench. Either pointer may be NULL.
void dsb_body_get(
	const dsb_world *world, int32_t body, ds_twist *velocity_after, ds_wrench *constraint_impulse_over_dt );

// After a step: a velocity to be added to the mean velocity when the pose is moved over this step, and nowhere else (it
// carries no momentum). It takes overlapping bodies apart; zero where nothing overlaps.
void dsb_body_correction( const dsb_world *world, int32_t body, ds_twist *correction );

// A contact point of the last step. Impulses are on body a; body b gets the opposite.
typedef struct dsb_contact
{
	int32_t body_a, body_b;
	int32_t child_a, child_b; // which primitive of each body's shape, compounds counted depth first
	ds_vec3 point_a, point_b; // on each surface
	ds_vec3 normal; // unit, from b to a
	double distance; // [m]; negative: overlap
	double normal_impulse; // [N s], never negative
	ds_vec3 friction_impulse; // [N s]
} dsb_contact;

// Valid until the next call that changes the world. Sorted by the bodies' ids and children.
int32_t dsb_contact_count( const dsb_world *world );
const dsb_contact *dsb_contacts( const dsb_world *world );

typedef struct dsb_hit
{
	double fraction; // of the way from `from` to `to`
	ds_vec3 point;
	ds_vec3 normal; // unit, of the surface, turned against the ray
	int32_t body, child;
} dsb_hit;

// The first surface on the way; DS_ERROR_NOT_FOUND (without a message) when there is none. Exact, not iterative. A ray
// that starts inside a solid does not hit that solid. Changes nothing, so threads may call it together between steps.
ds_status dsb_ray_test( const dsb_world *world, ds_vec3 from, ds_vec3 to, int32_t ignore_body, dsb_hit *hit );

typedef enum dsb_joint_kind
{
	DSB_JOINT_FIXED,
	DSB_JOINT_HINGE, // turns about the common x axis
	DSB_JOINT_SLIDER, // slides along the common x axis
	DSB_JOINT_BALL // the origins stay together
} dsb_joint_kind;

// Joins body b to body a; either may be DSB_NONE, the world. Start from dsb_joint_def_default().
typedef struct dsb_joint_def
{
	dsb_joint_kind kind;
	int64_t id; // the order in which joints are solved: give distinct ids
	int32_t body_a, body_b;
	ds_pose frame_a, frame_b; // the joint's frame in each body's frame (in the world for DSB_NONE)
	bool limited; // hinge and slider
	double lower, upper; // [rad] in (-pi, pi), or [m]
	bool collide; // the two bodies may touch each other; false
} dsb_joint_def;

dsb_joint_def dsb_joint_def_default( void );
ds_status dsb_joint_create( dsb_world *world, const dsb_joint_def *def, int32_t *joint );
void dsb_joint_destroy( dsb_world *world, int32_t joint );

typedef enum dsb_motor_mode
{
	DSB_MOTOR_OFF,
	DSB_MOTOR_VELOCITY, // reaches `target` [rad/s, m/s]
	DSB_MOTOR_POSITION // a servo: reaches `target` [rad, m], nearing it by `gain` [1/s], at most at `max_velocity`
} dsb_motor_mode;

typedef struct dsb_motor
{
	dsb_motor_mode mode;
	double target;
	double max_force; // [N] or [N m]
	double gain; // [1/s]; position mode
	double max_velocity; // position mode
} dsb_motor;

// Hinge and slider; ignored by others.
void dsb_joint_set_motor( dsb_world *world, int32_t joint, const dsb_motor *motor );

// Position of b against a [rad in (-pi, pi], m] and its rate from the poses and velocities last set; 0 for fixed and ball.
// `reaction`: the mean wrench of the last step on body b, about the origin of the joint's frame on b, motor and limits
// included. Pointers may be NULL.
void dsb_joint_state( const dsb_world *world, int32_t joint, double *position, double *velocity, ds_wrench *reaction );

#ifdef __cplusplus
}
#endif

#endif
