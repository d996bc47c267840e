// A single wheel (or belt) on soil, as test benches hold it: carried at a given speed and slip angle, its surface driven at a given
// speed, free to sink under a load. No world.

#ifndef DEEPSIM_TESTS_WHEEL_RIG_H
#define DEEPSIM_TESTS_WHEEL_RIG_H

#include "deepsim/math.h"
#include "terrain/gear.h"
#include "terrain/soil_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RIG_OK( status )                                                                                               \
	do                                                                                                                 \
	{                                                                                                                  \
		if ( ( status ) != DS_OK )                                                                                     \
		{                                                                                                              \
			print_error( "line %d: %s\n", __LINE__, ds_last_error() );                                                 \
			fail();                                                                                                    \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

typedef struct rig
{
	ds_gear gear;
	ds_terrain *terrain;
	ds_soil_map *soils;
	ds_ground ground;
	double *room;
	ds_element_block *elements;
	ds_gear_state state;

	double load; // on the axle, down [N]
	double damper; // that it sinks against [N s/m]: only how fast it settles, as nothing here has a mass
	ds_vec3 velocity; // over the ground, axes of the gear; z: sinking, to be given when it is held [m/s]
	bool held; // does not sink by itself
	ds_pose pose; // the gear's origin; the ground is the plane z = 0

	ds_contact_sums sums; // of the last step
	ds_gear_reading reading; // since rig_read_start
	double time;
	int64_t tick;
	double motor_work, carriage_work, soil_work, load_work; // since the start [J]
} rig;

static inline void rig_make( rig *r, const ds_gear *gear, const ds_soil *soil )
{
	memset( r, 0, sizeof( *r ) );
	r->gear = *gear;
	RIG_OK( ds_gear_check( gear ) );
	RIG_OK( ds_soil_check( soil ) );
	RIG_OK( ds_terrain_plane( 0, 0, 0, NULL, &r->terrain ) );
	const ds_soil_map_def def = { .soil = *soil };
	RIG_OK( ds_soil_map_create( NULL, &def, &r->soils ) );
	r->ground = ( ds_ground ){ r->terrain, r->soils, NULL, 9.81 };
	r->room = calloc( ds_gear_room( gear ), sizeof( double ) );
	r->elements = calloc( (size_t)ds_element_blocks( ds_gear_elements( gear ) ), sizeof( *r->elements ) );
	assert_true( r->room != NULL && r->elements != NULL );
	r->pose = ds_pose_identity();
	r->pose.position.z = -( gear->radius + gear->grouser_height );
}

static inline void rig_free( rig *r )
{
	free( r->room );
	free( r->elements );
	ds_soil_map_destroy( r->soils );
	ds_terrain_release( r->terrain );
}

// A step of `dt` under a drive. The carriage keeps velocity.x and y, whatever it takes.
static inline void rig_step( rig *r, const ds_drive *drive, double dt )
{
	const ds_pose mount = ds_pose_identity();
	const ds_gear_state before = r->state;
	ds_contact_step step = { r->pose, { r->velocity, { 0, 0, 0 } }, dt, r->tick++, 1 };
	ds_elements elements;
	ds_contact_forces forces;
	ds_gear_place( &r->gear, &r->state, &mount, true, r->room, &elements );
	ds_contact_press( &r->ground, &elements, r->elements, &step, &forces );
	ds_gear_turn( &r->gear, drive, ds_gear_load( &r->gear, &forces ), dt, &r->state );

	ds_twist mean = { r->velocity, { 0, 0, 0 } };
	if ( !r->held )
	{
		// the wrench is for the last step's rate; how it changes is given for the velocity at the end, half as much as with the mean
		double give = 2 * forces.give.m[2][2];
		mean.linear.z = ( r->load + forces.wrench.force.z + give * r->velocity.z ) / ( r->damper + give );
		r->velocity.z = mean.linear.z;
	}
	elements.speed = 0.5 * ( before.speed + r->state.speed );
	ds_contact_commit( &r->ground, &elements, r->elements, &step, &mean, &r->sums );
	ds_gear_carry( &r->gear, &before, &mount, mean.linear, dt, &r->state, r->elements );
	ds_gear_reading_add( &r->gear, &r->state, &r->sums, &r->pose, mean.linear, dt, &r->reading );
	r->pose.position = ds_mad( r->pose.position, dt, mean.linear );
	r->time += dt;

	const ds_vec3 f = ds_add( r->sums.normal, r->sums.shear );
	r->motor_work += r->state.torque * r->state.turn;
	r->carriage_work -= ( f.x * mean.linear.x + f.y * mean.linear.y ) * dt;
	r->load_work += r->load * mean.linear.z * dt;
	r->soil_work += r->sums.work;
}

// Runs until `way` [m] is behind it, by steps no longer than `step` [m] on the ground and along the surface; the reading is that of the
// last `read` metres of it.
static inline void rig_run( rig *r, double surface, double way, double read, double step )
{
	const double over = hypot( r->velocity.x, r->velocity.y ), fastest = fmax( fmax( over, fabs( surface ) ), 1e-9 );
	const double dt = step / fastest, whole = way / ( over > 0 ? over : fastest );
	const ds_drive drive = { .mode = DS_DRIVE_SPEED, .speed = surface, .torque = INFINITY };
	const int64_t steps = (int64_t)( whole / dt + 0.5 ), from = (int64_t)( (double)steps * ( 1 - read / way ) );
	r->state.speed = surface;
	double start = r->time;
	for ( int64_t i = 0; i < steps; ++i )
	{
		if ( i == from )
		{
			memset( &r->reading, 0, sizeof( r->reading ) );
			start = r->time;
		}
		rig_step( r, &drive, dt );
	}
	ds_gear_reading_finish( &r->state, r->time - start, &r->reading );
}

#endif
