// Contact with soil, within a tick: which bodies may touch it, their wrenches step by step, the readings of running gear.

#include "core/world.h"

#include <math.h>
#include <string.h>

// A body steps on the ground by its mesh; running gear by itself. Numbers of their own for the ruts.
#define TOUCHER_OF_PART 1000000

// A step of contact with soil is to bring a body no further than this [m], as far as soil_step permits.
#define TRAVEL 1e-3

// Steps last this long against the soil's springs: angle of a swing [rad].
#define SWING 0.7

static ds_contact_step step_of( const ds_world *world, const ds_body *body, int32_t toucher )
{
	const ds_body_state *s = &body->state;
	ds_contact_step step;
	step.pose = ( ds_pose ){ s->x, s->q };
	step.velocity = ( ds_twist ){ ds_unrotate( s->q, s->v ), s->w };
	step.dt = world->step;
	step.tick = world->state.tick;
	step.toucher = toucher;
	return step;
}

// ---- who may touch -----------------------------------------------------------------------------------------------

// Whether a box in body axes, about the reference point, may come to the ground in this tick.
static bool ground_is_near( const ds_world *world, const ds_body *body, ds_vec3 lower, ds_vec3 upper )
{
	const ds_body_state *s = &body->state;
	// what the velocity may change by in the tick: twice what gravity does, and what it changed by in the last one
	double more = world->dt * ( 2 * world->environment.gravity * world->dt + ds_length( ds_sub( s->v, s->v0 ) ) );
	ds_vec3 margin = ds_v3( more, more, more );
	ds_elements box;
	memset( &box, 0, sizeof( box ) );
	box.count = 1;
	box.lower = ds_sub( lower, margin );
	box.upper = ds_add( upper, margin );
	ds_contact_step step = step_of( world, body, 0 );
	step.dt = world->dt;
	return ds_contact_near( &world->ground.model, &box, &step );
}

// Marks what of a body may touch in this tick. What left the ground touches nothing.
static bool may_touch( ds_world *world, ds_body *body )
{
	bool any = false;
	if ( body->contact && !body->def.fixed )
	{
		bool near = ground_is_near( world, body, body->contact->lower, body->contact->upper );
		if ( body->near && !near )
		{
			ds_body_lift_off( body );
		}
		body->near = near;
		any = near;
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part *part = actuators->order[i];
		if ( part->body == body && part->gear && !body->def.fixed )
		{
			bool near = ground_is_near( world, body, part->gear_lower, part->gear_upper );
			if ( part->near && !near )
			{
				ds_part_lift_off( part );
			}
			part->near = near;
			any = any || near;
		}
	}
	return any;
}

// ---- running gear ------------------------------------------------------------------------------------------------

// The gear's frame, steered, about the body's reference point.
static ds_pose gear_mount( const ds_part *part )
{
	ds_pose mount = part->mount_c;
	double half = 0.5 * part->state->effort.drive.steer;
	mount.attitude = ds_quat_mul( mount.attitude, ( ds_quat ){ cos( half ), 0, 0, sin( half ) } );
	return mount;
}

static void add_forces( ds_contact_forces *sum, const ds_contact_forces *f )
{
	sum->wrench.force = ds_add( sum->wrench.force, f->wrench.force );
	sum->wrench.torque = ds_add( sum->wrench.torque, f->wrench.torque );
	sum->give = ds_mat6_add( &sum->give, &f->give );
	sum->touching += f->touching;
}

static void press_gear( const ds_world *world, ds_part *part, int32_t index, const ds_twist *velocity )
{
	ds_body *body = part->body;
	const ds_gear *gear = part->model->layout.gear;
	ds_contact_step step = step_of( world, body, TOUCHER_OF_PART + index );
	step.velocity = *velocity;
	ds_pose mount = gear_mount( part );
	ds_gear_place(
		gear, &part->gear->state, &mount, world->ground.soils->bulldozing, part->gear_room, &part->gear_placed );
	ds_contact_forces forces;
	ds_contact_press( &world->ground.model, &part->gear_placed, part->gear_elements, &step, &forces );
	part->gear_load = ds_gear_load( gear, &forces );
	add_forces( &body->scratch.soil, &forces );
}

// The gear turns by the load of the step; pads go with it.
static void commit_gear( const ds_world *world, ds_part *part, int32_t index, const ds_twist *mean )
{
	const ds_body *body = part->body;
	const ds_gear *gear = part->model->layout.gear;
	ds_gear_state *state = &part->gear->state, before = *state;
	ds_gear_turn( gear, &part->state->effort.drive, part->gear_load, world->step, state );
	part->gear_placed.speed = 0.5 * ( before.speed + state->speed );
	ds_contact_step step = step_of( world, body, TOUCHER_OF_PART + index );
	ds_contact_sums sums;
	memset( &sums, 0, sizeof( sums ) );
	ds_contact_commit( &world->ground.model, &part->gear_placed, part->gear_elements, &step, mean, &sums );

	ds_pose mount = gear_mount( part ), in_world = ds_pose_mul( step.pose, mount );
	ds_vec3 velocity = ds_add( mean->linear, ds_cross( mean->angular, mount.position ) ); // body axes
	ds_gear_carry(
		gear, &before, &mount, ds_unrotate( mount.attitude, velocity ), world->step, state, part->gear_elements );
	velocity = ds_rotate( step.pose.attitude, velocity );
	ds_gear_reading_add( gear, state, &sums, &in_world, velocity, world->step, &part->gear->reading );
}

// Gear that touches nothing in this tick.
static void turn_freely( const ds_world *world, ds_part *part )
{
	const ds_gear *gear = part->model->layout.gear;
	const ds_body_state *s = &part->body->state;
	ds_pose mount = gear_mount( part ), in_world = ds_pose_mul( ( ds_pose ){ s->x, s->q }, mount );
	ds_vec3 velocity = ds_add( s->v, ds_rotate( s->q, ds_cross( s->w, mount.position ) ) );
	ds_contact_sums nothing;
	memset( &nothing, 0, sizeof( nothing ) );
	ds_gear_turn( gear, &part->state->effort.drive, 0, world->dt, &part->gear->state );
	ds_gear_reading_add( gear, &part->gear->state, &nothing, &in_world, velocity, world->dt, &part->gear->reading );
	ds_gear_reading_finish( &part->gear->state, world->dt, &part->gear->reading );
}

// The fastest that a body may move into the ground or out of it [m/s], not along it: what only drives on does not swing.
static double plunge_of( const ds_world *world, const ds_body *body, double reach )
{
	const ds_body_state *s = &body->state;
	ds_terrain_point ground;
	if ( !ds_terrain_at( world->ground.terrain, s->x.x, s->x.y, &ground ) )
	{
		return ds_length( s->v ) + reach * ds_length( s->w );
	}
	ds_vec3 w = ds_rotate( s->q, s->w );
	return fabs( ds_dot( s->v, ground.normal ) ) + reach * ds_length( ds_cross( w, ground.normal ) );
}

// Steps that a body on soil needs in this tick: none brings it further than TRAVEL, by its speed and what that changed by in the last
// tick; and where it moves too fast to be held by the soil's springs, none is longer than they take to swing.
static double steps_of( const ds_world *world, const ds_body *body )
{
	const ds_body_state *s = &body->state;
	if ( s->soil_rate == 0 )
	{
		return INFINITY; // it comes to the ground, from a height or let go on it: nothing tells how fast the soil will take it
	}
	double reach = body->contact ? body->contact->reach : 0;
	double change = ds_length( ds_sub( s->v, s->v0 ) ) + reach * ds_length( ds_sub( s->w, s->w0 ) );
	double speed = ds_length( s->v ) + reach * ds_length( s->w ) + change;
	double steps = ceil( world->dt * speed / TRAVEL ), plunge = plunge_of( world, body, reach ) + change;
	bool held = plunge * s->soil_rate < 0.1 * world->environment.gravity;
	return fmax( steps, held ? 1 : ceil( world->dt * s->soil_rate / SWING ) );
}

int32_t ds_soil_steps( ds_world *world )
{
	bool any = false;
	double steps = 1;
	for ( int32_t i = 0; i < world->bodies.count && world->ground.soils; ++i )
	{
		ds_body *body = world->bodies.order[i];
		body->scratch.soiled = may_touch( world, body );
		any = any || body->scratch.soiled;
		steps = body->scratch.soiled ? fmax( steps, steps_of( world, body ) ) : steps;
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part *part = actuators->order[i];
		if ( part->gear )
		{
			memset( &part->gear->reading, 0, sizeof( part->gear->reading ) );
			if ( !part->near )
			{
				turn_freely( world, part );
			}
		}
	}
	double most = fmax( 1, ceil( world->dt / world->environment.soil_step - 1e-9 ) );
	return any ? (int32_t)fmin( steps, most ) : 0;
}

// ---- steps -------------------------------------------------------------------------------------------------------

// The wrench of a step if it keeps a velocity, and how that changes with the velocity at the end.
static void press_at( ds_world *world, ds_body *body, const ds_twist *velocity )
{
	ds_contact_forces *sum = &body->scratch.soil;
	memset( sum, 0, sizeof( *sum ) );
	const int32_t index = ds_body_index( world, body );
	if ( body->contact && body->near )
	{
		ds_contact_step step = step_of( world, body, index );
		ds_contact_mesh_see( body->contact->mesh, &world->ground.model, &step, body->contact_scratch, &body->seen );
		step.velocity = *velocity;
		ds_contact_press( &world->ground.model, &body->seen, body->elements, &step, sum );
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part *part = actuators->order[i];
		if ( part->body == body && part->gear && part->near )
		{
			press_gear( world, part, i, velocity );
		}
	}
}

void ds_soil_press( ds_world *world, ds_body *body )
{
	ds_twist velocity = { ds_unrotate( body->state.q, body->state.v ), body->state.w };
	press_at( world, body, &velocity );
}

// What the soil's give takes from its wrench, by the velocity at the end.
static ds_wrench given_by( const ds_body *body )
{
	const ds_body_scratch *k = &body->scratch;
	ds_vec3 v1 = ds_unrotate( k->q1, ds_sub( k->v1, k->sea.velocity ) );
	const double change[6] = { v1.x - k->nu[0], v1.y - k->nu[1], v1.z - k->nu[2], k->w1.x - k->nu[3],
		k->w1.y - k->nu[4], k->w1.z - k->nu[5] };
	double given[6] = { 0 };
	for ( int i = 0; i < 36; ++i )
	{
		given[i / 6] += k->soil.give.m[i / 6][i % 6] * change[i % 6];
	}
	return ( ds_wrench ){ ds_v3( given[0], given[1], given[2] ), ds_v3( given[3], given[4], given[5] ) };
}

bool ds_soil_press_again( ds_world *world, ds_body *body )
{
	const ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	ds_terrain_point ground;
	if ( !ds_terrain_at( world->ground.terrain, s->x.x, s->x.y, &ground ) )
	{
		return false;
	}
	ds_vec3 force = ds_sub( k->soil.wrench.force, given_by( body ).force ), up = ds_unrotate( s->q, ground.normal );
	if ( !( ds_dot( force, up ) < -1e-6 * ds_length( k->soil.wrench.force ) ) )
	{
		return false;
	}
	ds_twist mean = { ds_scale( 0.5, ds_add( ds_unrotate( s->q, s->v ), ds_unrotate( k->q1, k->v1 ) ) ),
		ds_scale( 0.5, ds_add( s->w, k->w1 ) ) };
	press_at( world, body, &mean );
	ds_wrench given = given_by( body );
	k->soil.wrench.force = ds_add( k->soil.wrench.force, given.force );
	k->soil.wrench.torque = ds_add( k->soil.wrench.torque, given.torque );
	return true;
}

void ds_soil_commit( ds_world *world, ds_body *body )
{
	const ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;

	// the wrench as it was, now that the velocity at the end is known
	ds_wrench given = given_by( body );
	k->soil.wrench.force = ds_sub( k->soil.wrench.force, given.force );
	k->soil.wrench.torque = ds_sub( k->soil.wrench.torque, given.torque );

	// how fast the body swings on the soil: the mean force over a step changes by K dt / 4 for each m/s at its end
	double swing = 0;
	for ( int i = 0; i < 6; ++i )
	{
		swing = fmax( swing, 4 * k->soil.give.m[i][i] / ( world->step * k->mass.m[i][i] ) );
	}
	k->soil_rate = fmax( k->soil_rate, sqrt( swing ) );

	const double rate = 1 / world->step;
	ds_twist mean = { ds_unrotate( s->q, ds_scale( rate, ds_sub( k->x1, s->x ) ) ), ds_scale( rate, k->turn ) };
	const int32_t index = ds_body_index( world, body );
	if ( body->contact && body->near )
	{
		ds_contact_step step = step_of( world, body, index );
		ds_contact_sums sums;
		memset( &sums, 0, sizeof( sums ) );
		ds_contact_commit( &world->ground.model, &body->seen, body->elements, &step, &mean, &sums );
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part *part = actuators->order[i];
		if ( part->body == body && part->gear && part->near )
		{
			commit_gear( world, part, i, &mean );
		}
	}
}

void ds_soil_finish( ds_world *world )
{
	if ( world->ground.rut )
	{
		ds_rut_settle( world->ground.rut, world->state.tick );
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part *part = actuators->order[i];
		if ( part->gear && part->near )
		{
			ds_gear_reading_finish( &part->gear->state, world->dt, &part->gear->reading );
		}
	}
}

// ---- readings ----------------------------------------------------------------------------------------------------

// Adds what a set of elements feels within `radius` of a place.
static void add_touch( const ds_world *world, const ds_elements *elements, const ds_element_block *state,
	const ds_contact_step *step, ds_vec3 centre, double radius, ds_touch *touch )
{
	ds_contact_sums sums;
	memset( &sums, 0, sizeof( sums ) );
	ds_contact_read( &world->ground.model, elements, state, step, centre, radius, &sums );
	touch->elements += sums.touching;
	touch->normal = ds_add( touch->normal, sums.normal );
	touch->shear = ds_add( touch->shear, sums.shear );
	double force = touch->normal_force + sums.normal_force, area = touch->area + sums.area;
	if ( force > 0 )
	{
		touch->slip_speed = ( touch->normal_force * touch->slip_speed + sums.normal_force * sums.slip_speed ) / force;
	}
	if ( area > 0 )
	{
		touch->mean_sinkage = ( touch->area * touch->mean_sinkage + sums.area * sums.mean_sinkage ) / area;
	}
	touch->normal_force = force;
	touch->area = area;
	touch->sinkage = fmax( touch->sinkage, sums.sinkage );
}

void ds_soil_touch( ds_world *world, ds_body *body, ds_vec3 centre, double radius, ds_touch *touch )
{
	if ( world->ground.soils == NULL )
	{
		return;
	}
	double all = radius > 0 ? radius : INFINITY;
	ds_contact_step step = step_of( world, body, -1 );
	if ( body->contact )
	{
		ds_contact_mesh_see( body->contact->mesh, &world->ground.model, &step, body->contact_scratch, &body->seen );
		add_touch( world, &body->seen, body->elements, &step, centre, all, touch );
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part *part = actuators->order[i];
		if ( part->body == body && part->gear )
		{
			ds_pose mount = gear_mount( part );
			ds_gear_place( part->model->layout.gear, &part->gear->state, &mount, world->ground.soils->bulldozing,
				part->gear_room, &part->gear_placed );
			add_touch( world, &part->gear_placed, part->gear_elements, &step, centre, all, touch );
		}
	}
}
