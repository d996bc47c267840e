// One tick of a world: the order of design section 4, a function a step.

#include "core/world.h"

#include <math.h>
#include <string.h>

// Faster than this [m/s, rad/s] nothing moves: a third of the speed of light.
#define SPEED_LIMIT 1e8

// What lifts off is let go in the step it does: the soil's wrench is found again along the way so many times at most.
#define MOST_AGAIN 4

// ---- 1. controllers and actuators take their commands ------------------------------------------------------------

static ds_status run_controllers( ds_world *world )
{
	ds_time now = ds_world_time( world );
	for ( int32_t i = 0; i < world->controller_count; ++i )
	{
		ds_part *part = world->controller_order[i];
		if ( ds_sample_due( part, now ) )
		{
			DS_TRY( ds_sample_part( world, part ) );
		}
	}
	return DS_OK;
}

// Commands of the scenario's timeline whose time has come.
static ds_status run_timeline( ds_world *world )
{
	const ds_scenario *scenario = world->scenario;
	if ( scenario == NULL )
	{
		return DS_OK;
	}
	ds_time now = ds_world_time( world );
	while ( world->state.next_command < scenario->command_count )
	{
		const ds_scenario_command *command = scenario->commands + world->state.next_command;
		if ( (ds_time)llround( command->t * 1e9 ) > now + 1 )
		{
			break;
		}
		ds_part *target = world->command_targets[command->actuator];
		if ( target )
		{
			DS_TRY( ds_part_command( target, command->values, command->count ) );
		}
		world->state.next_command++;
	}
	return DS_OK;
}

static void latch_commands( ds_world *world )
{
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		ds_part_state *state = ( (ds_part *)actuators->order[i] )->state;
		memcpy( state->commands, state->pending, sizeof( state->commands ) );
	}
}

// ---- 2. and 3. environment and wrenches, per body ----------------------------------------------------------------

static void add_wrench( ds_wrench *sum, const ds_wrench *w )
{
	sum->force = ds_add( sum->force, w->force );
	sum->torque = ds_add( sum->torque, w->torque );
}

// What the user asked for since the last tick, in body axes.
static void user_wrenches( ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_quat q = body->scratch.half.attitude;
	s->forces.user.force = ds_add( s->user_body.force, ds_unrotate( q, s->user_world.force ) );
	s->forces.user.torque = ds_add( s->user_body.torque, ds_unrotate( q, s->user_world.torque ) );
}

static void body_task( int32_t start, int32_t end, void *context )
{
	ds_world *world = context;
	for ( int32_t i = start; i < end; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( !body->def.fixed )
		{
			ds_forces_place( world, body );
			ds_forces_natural( world, body );
			user_wrenches( body );
		}
	}
}

static ds_status body_wrenches( ds_world *world )
{
	int32_t count = world->bodies.count;
	if ( world->def.enqueue_task && count > 1 )
	{
		return ds_parallel_enqueue( world, count, body_task, world );
	}
	body_task( 0, count, world );
	return DS_OK;
}

static bool wrench_finite( const ds_wrench *w )
{
	return ds_finite( w->force ) && ds_finite( w->torque );
}

static ds_status check_effort( const ds_effort *e )
{
	if ( !wrench_finite( &e->wrench ) || !isfinite( e->mass ) || !ds_finite( e->mass_position ) ||
		 !isfinite( e->displaced_volume ) || !isfinite( e->electric_power ) || !isfinite( e->light ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "the effort is not finite" );
	}
	if ( e->mass < 0 )
	{
		return ds_error( DS_ERROR_PLUGIN, "the extra mass is negative: %g kg", e->mass );
	}
	if ( e->light < 0 || e->light > 1 )
	{
		return ds_error( DS_ERROR_PLUGIN, "the level of the lamp must lie in [0, 1], got %g", e->light );
	}
	return DS_OK;
}

// Adds an effort at a mount to its body: wrench, weight and inertia of extra mass, push of extra volume; both in water that
// accelerates and on a turning Earth, as the body's own.
static void add_effort( const ds_world *world, const ds_part *part, const ds_effort *effort )
{
	ds_body *body = part->body;
	ds_body_scratch *k = &body->scratch;
	ds_quat mount = part->mount.attitude;
	ds_vec3 arm = part->mount_c.position;
	double g = world->environment.gravity;
	ds_vec3 down = ds_unrotate( k->half.attitude, ds_v3( 0, 0, 1 ) );

	ds_wrench w = { ds_rotate( mount, effort->wrench.force ), ds_rotate( mount, effort->wrench.torque ) };
	ds_vec3 at = ds_add( k->half.position, ds_rotate( k->half.attitude, arm ) );
	if ( effort->displaced_volume != 0 )
	{
		double depth = at.z + k->sea.waves.at.elevation;
		double wet = effort->displaced_volume * ds_wet_share_of_sphere( effort->displaced_volume, depth );
		w.force = ds_mad( w.force, k->sea.density * wet, ds_mad( k->water_acceleration, -g, down ) );
	}
	w.torque = ds_add( w.torque, ds_cross( arm, w.force ) );
	if ( effort->mass > 0 )
	{
		ds_vec3 place = ds_add( arm, ds_rotate( mount, effort->mass_position ) );
		ds_vec3 weight = ds_scale( effort->mass, ds_mad( ds_scale( -1, k->coriolis ), g, down ) );
		w.force = ds_add( w.force, weight );
		w.torque = ds_add( w.torque, ds_cross( place, weight ) );
		ds_mat3 none;
		memset( &none, 0, sizeof( none ) );
		ds_mat6 m = ds_mat6_rigid( effort->mass, place, &none );
		k->mass = ds_mat6_add( &k->mass, &m );
	}
	add_wrench( &body->state.forces.effort, &w );
}

static ds_status part_efforts( ds_world *world, ds_kind kind )
{
	const ds_slots *parts = world->parts + kind;
	for ( int32_t i = 0; i < parts->count; ++i )
	{
		ds_part *part = parts->order[i];
		const bool fixed = part->body->def.fixed;
		if ( fixed && part->model->layout.lamp == NULL )
		{
			continue; // nothing can push it
		}
		ds_context context;
		ds_context_inner inner;
		ds_part_context( world, part, fixed ? NULL : &part->body->scratch.half, &context, &inner );
		ds_random_start( &inner.random, part->key, DS_DOMAIN_EFFORT, (uint64_t)world->state.tick );
		ds_effort *effort = &part->state->effort;
		memset( effort, 0, sizeof( *effort ) );
		ds_error_clear();
		ds_status status = part->model->type->effort( part->model->model, part->plugin_state, &context, effort );
		if ( status == DS_OK )
		{
			status = check_effort( effort );
		}
		if ( status != DS_OK )
		{
			return ds_error_prefix( ds_part_fault( world, part, "effort", status ), "body \"%s\": ", part->body->name );
		}
		if ( !fixed )
		{
			add_effort( world, part, effort );
		}
	}
	return DS_OK;
}

// ---- 4. and 5. equation of motion, contacts, joints, soil ---------------------------------------------------------------------------------------

// The force that threw a body out of all bounds: the largest, or the first that is not finite.
static ds_status not_finite( const ds_world *world, const ds_body *body )
{
	const ds_body_forces *f = &body->state.forces;
	const struct
	{
		const char *name;
		const ds_wrench *wrench;
	} forces[] = { { "the user's wrench", &f->user }, { "actuators and force models", &f->effort },
		{ "drag", &f->drag }, { "lift", &f->lift }, { "the Magnus force", &f->magnus },
		{ "hydrostatic pressure", &f->hydrostatic }, { "gravity", &f->gravity }, { "contacts and joints", &f->contact },
		{ "wind", &f->wind }, { "the water's acceleration", &f->inertial }, { "soil", &f->soil } };
	const size_t count = sizeof( forces ) / sizeof( forces[0] );
	size_t cause = 0;
	double largest = -1;
	for ( size_t i = 0; i < count; ++i )
	{
		double size = ds_length( forces[i].wrench->force ) + ds_length( forces[i].wrench->torque );
		size = isfinite( size ) ? size : INFINITY;
		if ( size > largest )
		{
			cause = i;
			largest = size;
		}
	}
	const ds_wrench *w = forces[cause].wrench;
	return ds_error( DS_ERROR_NOT_FINITE,
		"body \"%s\", tick %lld: the motion is out of all bounds (over %g m/s or rad/s, not finite, or too fast a turn "
		"for "
		"the rate); it began the tick at %g m/s and %g rad/s; the largest force is that of %s (%g %g %g N, %g %g %g N "
		"m); reduce "
		"it, or raise the rate",
		body->name, (long long)world->state.tick, SPEED_LIMIT, ds_length( body->state.v ), ds_length( body->state.w ),
		forces[cause].name, w->force.x, w->force.y, w->force.z, w->torque.x, w->torque.y, w->torque.z );
}

static bool state_bounded( const ds_body_scratch *k )
{
	double place = ds_dot( k->x1, k->x1 ) + k->q1.w + k->q1.x + k->q1.y + k->q1.z;
	double speed = ds_dot( k->v1, k->v1 ) + ds_dot( k->w1, k->w1 );
	return isfinite( place ) && speed < SPEED_LIMIT * SPEED_LIMIT;
}

static ds_status solve_motion( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	ds_wrench *sum = &k->wrench;
	*sum = s->forces.gravity;
	add_wrench( sum, &s->forces.hydrostatic );
	add_wrench( sum, &s->forces.effort );
	add_wrench( sum, &s->forces.user );
	add_wrench( sum, &s->forces.wind );
	add_wrench( sum, &s->forces.inertial );
	if ( k->soiled )
	{
		add_wrench( sum, &k->soil.wrench );
	}
	const ds_wrench sideways = { ds_add( s->forces.lift.force, s->forces.magnus.force ),
		ds_add( s->forces.lift.torque, s->forces.magnus.torque ) };
	ds_equation equation = { &k->mass, k->has_drag ? &k->drag : NULL, body->has_damping ? &body->damping : NULL,
		{ k->water.linear.x, k->water.linear.y, k->water.linear.z, k->water.angular.x, k->water.angular.y,
			k->water.angular.z },
		{ sum->force.x, sum->force.y, sum->force.z, sum->torque.x, sum->torque.y, sum->torque.z },
		{ sideways.force.x, sideways.force.y, sideways.force.z, sideways.torque.x, sideways.torque.y,
			sideways.torque.z },
		k->damping_share, k->drag_power, k->soiled ? &k->soil.give : NULL };
	ds_motion motion;
	if ( ds_motion_solve( &equation, world->step, k->nu, &motion ) != DS_OK )
	{
		return not_finite( world, body );
	}
	k->q1 = ds_quat_normalize( ds_quat_mul( s->q, motion.turn ) );
	k->turn = ds_quat_log( motion.turn );
	k->v1 = ds_add( k->sea.velocity, ds_rotate( k->q1, ds_v3( motion.nu[0], motion.nu[1], motion.nu[2] ) ) );
	k->w1 = ds_v3( motion.nu[3], motion.nu[4], motion.nu[5] );
	k->x1 = ds_add( s->x, ds_mad( ds_rotate( s->q, motion.way ), world->step, k->sea.velocity ) );
	k->touched = false;
	return state_bounded( k ) ? DS_OK : not_finite( world, body );
}

// Equations of motion: of bodies that touch no soil, of those that may, or of both.
static ds_status solve_bodies( ds_world *world, bool free, bool soiled )
{
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( body->def.fixed || !( body->scratch.soiled ? soiled : free ) )
		{
			continue;
		}
		if ( body->scratch.soiled )
		{
			ds_soil_press( world, body );
		}
		DS_TRY( solve_motion( world, body ) );
		for ( int again = 0; body->scratch.soiled && again < MOST_AGAIN && ds_soil_press_again( world, body ); ++again )
		{
			DS_TRY( solve_motion( world, body ) );
		}
	}
	return DS_OK;
}

// Between two steps of a tick: the end of one is the start of the next.
static void go_on( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	s->x = k->x1;
	s->q = k->q1;
	s->v = k->v1;
	s->w = k->w1;
	ds_vec3 v = ds_unrotate( s->q, ds_sub( s->v, k->sea.velocity ) );
	const double nu[6] = { v.x, v.y, v.z, s->w.x, s->w.y, s->w.z };
	memcpy( k->nu, nu, sizeof( nu ) );
	ds_collide_place( world, body );
}

// Where the tick began; the drag's secant is that of this speed.
static void remember_start( ds_body *body )
{
	const ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	k->x0 = s->x;
	k->v0 = s->v;
	k->q0 = s->q;
	k->w0 = s->w;
	k->soil_rate = 0;
	memset( &k->soil_sum, 0, sizeof( k->soil_sum ) );
	memset( &k->contact_sum, 0, sizeof( k->contact_sum ) );
	const double water[6] = { k->water.linear.x, k->water.linear.y, k->water.linear.z, k->water.angular.x,
		k->water.angular.y, k->water.angular.z };
	k->drag_power = 0;
	for ( int i = 0; k->has_drag && i < 36; ++i )
	{
		k->drag_power += ( k->nu[i / 6] - water[i / 6] ) * k->drag.m[i / 6][i % 6] * ( k->nu[i % 6] - water[i % 6] );
	}
}

// A wrench over a step, added up over the tick.
static void add_share( ds_wrench *sum, const ds_wrench *w, double share )
{
	sum->force = ds_mad( sum->force, share, w->force );
	sum->torque = ds_mad( sum->torque, share, w->torque );
}

static bool is_stepped( const ds_body *body, bool tied )
{
	return !body->def.fixed && ( tied || body->scratch.soiled );
}

// What a step did to a body, added to the tick; then on to the next step.
static ds_status end_step( ds_world *world, ds_body *body, double share, bool last )
{
	ds_body_scratch *k = &body->scratch;
	if ( k->soiled )
	{
		ds_soil_commit( world, body );
		add_share( &k->soil_sum, &k->soil.wrench, share );
	}
	add_share( &k->contact_sum, &body->state.forces.contact, k->touched ? share : 0 );
	if ( !state_bounded( k ) )
	{
		body->state.forces.soil = k->soil.wrench;
		return not_finite( world, body );
	}
	if ( !last )
	{
		go_on( world, body );
	}
	return DS_OK;
}

// One of the steps of a tick.
static ds_status step_on_soil( ds_world *world, bool tied, double share, bool last )
{
	DS_TRY( solve_bodies( world, tied, true ) );
	if ( tied )
	{
		DS_TRY( ds_collide_step( world ) );
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( is_stepped( body, tied ) )
		{
			DS_TRY( end_step( world, body, share, last ) );
		}
	}
	return DS_OK;
}

// What the steps of a tick come to: the state at its start is that of the tick, forces are means.
static void join_steps( ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	s->x = k->x0;
	s->v = k->v0;
	s->q = k->q0;
	s->w = k->w0;
	k->turn = ds_quat_log( ds_quat_mul( ds_quat_conjugate( k->q0 ), k->q1 ) );
	s->forces.contact = k->contact_sum;
	s->forces.soil = k->soil_sum;
	s->soil_rate = k->soil_rate;
}

// A tick in which soil may be touched, in `steps` steps. Where no contact and no joint can tie bodies to those on soil, the others make
// the tick in one.
static ds_status move_on_soil( ds_world *world, int32_t steps )
{
	bool tied = ds_collide_near( world );
	if ( !tied )
	{
		DS_TRY( solve_bodies( world, true, false ) );
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		remember_start( world->bodies.order[i] );
	}
	world->step = world->dt / steps;
	ds_status status = DS_OK;
	for ( int32_t step = 0; step < steps && status == DS_OK; ++step )
	{
		status = step_on_soil( world, tied, 1.0 / steps, step + 1 == steps );
	}
	world->step = world->dt;
	for ( int32_t i = 0; i < world->bodies.count && status == DS_OK; ++i )
	{
		if ( is_stepped( world->bodies.order[i], tied ) )
		{
			join_steps( world->bodies.order[i] );
		}
	}
	ds_soil_finish( world );
	return status;
}

// Steps 4 and 5.
static ds_status move( ds_world *world )
{
	world->step = world->dt;
	int32_t steps = ds_soil_steps( world );
	if ( steps > 0 )
	{
		return move_on_soil( world, steps );
	}
	DS_TRY( solve_bodies( world, true, true ) );
	ds_soil_finish( world );
	return ds_collide_step( world );
}

// ---- 6. the new state --------------------------------------------------------------------------------------------

static ds_status advance( ds_world *world )
{
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( !body->def.fixed && !state_bounded( &body->scratch ) )
		{
			return not_finite( world, body );
		}
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( body->def.fixed )
		{
			continue;
		}
		ds_body_state *s = &body->state;
		const ds_body_scratch *k = &body->scratch;
		s->x0 = s->x;
		s->v0 = s->v;
		s->q0 = s->q;
		s->w0 = s->w;
		s->x = k->x1;
		s->v = k->v1;
		s->q = k->q1;
		s->w = k->w1;
		s->turn = k->turn;
		memset( &s->user_world, 0, sizeof( s->user_world ) );
		memset( &s->user_body, 0, sizeof( s->user_body ) );
		ds_collide_place( world, body );
	}
	ds_sea_advance( world->sea, world->dt, &world->state.sea );
	ds_world_rays_moved( world );
	world->state.tick++;
	return DS_OK;
}

// ---- 7. parts see the new state ----------------------------------------------------------------------------------

static ds_status tick_parts( ds_world *world )
{
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			ds_part *part = world->parts[kind].order[i];
			if ( kind == DS_SENSOR || part->model->type->tick )
			{
				ds_sample_mount_truth( world, part );
			}
			if ( part->model->type->tick )
			{
				ds_context context;
				ds_context_inner inner;
				ds_part_context( world, part, NULL, &context, &inner );
				ds_error_clear();
				DS_TRY( ds_part_fault( world, part, "tick",
					part->model->type->tick( part->model->model, part->plugin_state, &context ) ) );
			}
		}
	}
	return DS_OK;
}

// ---- the tick ----------------------------------------------------------------------------------------------------

static ds_status tick( ds_world *world )
{
	DS_TRY( run_timeline( world ) );
	DS_TRY( run_controllers( world ) );
	latch_commands( world );
	DS_TRY( body_wrenches( world ) );
	DS_TRY( part_efforts( world, DS_ACTUATOR ) );
	DS_TRY( part_efforts( world, DS_FORCE ) );
	DS_TRY( move( world ) );
	DS_TRY( advance( world ) );
	DS_TRY( tick_parts( world ) );
	return ds_sample_sensors( world );
}

// Before the first tick of a run: logs open, and what is due at time 0 samples.
static ds_status start( ds_world *world )
{
	DS_TRY( ds_world_prepare( world ) );
	DS_TRY( ds_logging_open( world ) );
	if ( !world->state.started )
	{
		world->state.started = 1;
		ds_ground_warn( world );
		DS_TRY( ds_sample_sensors( world ) );
	}
	return DS_OK;
}

static ds_status run( ds_world *world, int64_t ticks )
{
	DS_TRY( start( world ) );
	int64_t last = ds_clock_last( world->rate );
	for ( int64_t i = 0; i < ticks; ++i )
	{
		if ( world->state.tick >= last )
		{
			return ds_error( DS_ERROR_LIMIT, "tick %lld: a run has at most %g s", (long long)last, DS_CLOCK_END );
		}
		if ( world->def.cancel && world->def.cancel( world->def.user ) )
		{
			return ds_error( DS_ERROR_CANCELLED, "cancelled at tick %lld", (long long)world->state.tick );
		}
		DS_TRY( tick( world ) );
		if ( world->def.progress && world->def.progress_ticks > 0 && ( i + 1 ) % world->def.progress_ticks == 0 )
		{
			world->def.progress( world->def.user, i + 1, ticks );
		}
	}
	return DS_OK;
}

ds_status ds_world_step( ds_world *world, int64_t ticks )
{
	if ( world == NULL || ticks < 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_world_step needs a world and a number of ticks that is not negative" );
	}
	DS_TRY( ds_world_may_change( world ) );
	if ( world->fault != DS_OK )
	{
		return ds_error( DS_ERROR_STATE, "the world has failed (%s); reset or restore it", world->fault_text );
	}
	world->busy = true;
	ds_status status = run( world, ticks );
	world->busy = false;
	if ( status == DS_OK || status == DS_ERROR_CANCELLED )
	{
		// const calls may follow, from several threads
		ds_status placed = ds_world_rays_place( world );
		status = status == DS_OK ? placed : status;
	}
	if ( status != DS_ERROR_CANCELLED && world->state.started )
	{
		ds_world_fail( world, status );
	}
	return status;
}
