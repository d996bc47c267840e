// One tick of a world: the order of design section 4, a function a step.

#include "core/world.h"

#include <math.h>
#include <string.h>

// Faster than this [m/s, rad/s] nothing moves: a third of the speed of light.
#define SPEED_LIMIT 1e8

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

// Pose at the half step, with the velocity of the tick's start; the water there.
static void place_half_step( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	k->half.position = ds_mad( s->x, 0.5 * world->dt, s->v );
	k->half.attitude = ds_quat_normalize( ds_quat_mul( s->q, ds_quat_exp( ds_scale( 0.5 * world->dt, s->w ) ) ) );
	double reach = body->faces ? ds_faces_radius( body->faces ) : 1;
	double time = 1e-9 * (double)ds_world_time( world ) + 0.5 * world->dt;
	ds_sea_surround( world->sea, world->state.seed, k->half.position, reach, time, &k->sea );
	ds_vec3 v = ds_unrotate( s->q, ds_sub( s->v, k->sea.velocity ) );
	const double nu[6] = { v.x, v.y, v.z, s->w.x, s->w.y, s->w.z };
	memcpy( k->nu, nu, sizeof( nu ) );
}

// The flow around a body: the water at its reference point, and how it changes along the vertical.
static ds_flow flow_around( const ds_world *world, const ds_body *body )
{
	const ds_hydrodynamics_def *h = &body->def.hydrodynamics;
	const ds_body_scratch *k = &body->scratch;
	ds_flow flow;
	memset( &flow, 0, sizeof( flow ) );
	flow.attitude = k->half.attitude;
	flow.depth = k->half.position.z;
	flow.velocity = ds_v3( k->nu[0], k->nu[1], k->nu[2] );
	flow.rate = body->state.w;
	flow.density = k->sea.density;
	flow.gravity = world->environment.gravity;
	flow.hydrostatics = true;
	flow.drag = flow.lift = h->drag && h->model == DS_HYDRO_MESH;
	flow.density_gradient = k->sea.density_gradient;
	flow.density_curvature = k->sea.density_curvature;
	flow.shear = ds_scale( -1, ds_unrotate( k->half.attitude, k->sea.current.gradient ) );
	flow.shear_curvature = ds_scale( -1, ds_unrotate( k->half.attitude, k->sea.current.curvature ) );
	return flow;
}

// Forces on the faces of the mesh. Returns the wet share of the volume.
static double face_wrenches( ds_world *world, ds_body *body )
{
	const ds_hydrodynamics_def *h = &body->def.hydrodynamics;
	ds_body_scratch *k = &body->scratch;
	ds_body_forces *f = &body->state.forces;
	ds_flow flow = flow_around( world, body );
	ds_face_forces faces;
	if ( world->sea->waves )
	{
		ds_faces_evaluate_waves( body->faces, &flow, &k->sea.waves, &faces );
	}
	else
	{
		ds_faces_evaluate( body->faces, &flow, &faces );
	}
	k->water = faces.water;
	if ( h->buoyancy )
	{
		f->hydrostatic = faces.hydrostatic;
	}
	f->drag = faces.drag;
	f->wet_area = faces.wet_area;
	f->displaced_volume = faces.displaced_volume;
	f->centre_of_buoyancy = faces.centre_of_buoyancy;
	k->drag = faces.drag_secant;
	k->has_drag = flow.drag;
	f->lift = faces.lift;
	f->magnus = faces.magnus;
	if ( world->sea->has_wind && h->drag && faces.wet_fraction < 1 )
	{
		ds_wind_forces air;
		ds_vec3 v = ds_unrotate( k->half.attitude, body->state.v );
		ds_faces_evaluate_wind( body->faces, &flow, v, &world->sea->wind, &world->state.sea.wind,
			world->sea->waves ? &k->sea.waves : NULL, &air );
		f->wind = air.drag;
	}
	return faces.wet_fraction;
}

// Buoyancy of a body without faces, if it has a volume. Returns the wet share.
static double volume_wrench( const ds_world *world, ds_body *body, ds_vec3 down )
{
	const ds_body_scratch *k = &body->scratch;
	ds_body_forces *f = &body->state.forces;
	double share = ds_body_volume_share( body, k->half, k->sea.waves.at.elevation );
	f->displaced_volume = share * body->volume;
	f->centre_of_buoyancy = body->volume_cb;
	f->hydrostatic =
		ds_buoyancy( f->displaced_volume, body->volume_cb, down, k->sea.density, world->environment.gravity );
	return share;
}

// Damping by matrices at the start of the tick, for the record: the equation of motion evaluates its own.
static void damping_wrench( ds_body *body )
{
	const ds_body_scratch *k = &body->scratch;
	double r[6];
	ds_fossen_resistance( &body->damping, k->nu, r, NULL );
	ds_wrench *w = &body->state.forces.drag;
	w->force = ds_scale( -k->damping_share, ds_v3( r[0], r[1], r[2] ) );
	w->torque = ds_scale( -k->damping_share, ds_v3( r[3], r[4], r[5] ) );
}

// What a turning body feels on a turning Earth, W in body axes: minus r x ( 2 W x ( w x r ) + W x ( W x r ) ) over its mass, J its
// inertia about the centre of mass. With it a free body keeps its angular momentum in inertial space: a gyroscope drifts.
static ds_vec3 drift_torque( const ds_mat3 *j, ds_vec3 w, ds_vec3 earth )
{
	double trace = j->m[0][0] + j->m[1][1] + j->m[2][2];
	ds_vec3 turn = ds_mat3_mul_vec( j, earth );
	ds_vec3 torque = ds_mad( ds_scale( trace, ds_cross( w, earth ) ), -2, ds_cross( w, turn ) );
	return ds_sub( torque, ds_cross( earth, turn ) );
}

// What follows from the water's own acceleration, and from the Earth's rotation. Water that accelerates has a gradient of
// pressure, which pushes what it displaces as it would push the water (waves: in the pressure on faces already, if any), and
// drags the added mass with it. On a turning Earth both body and water have the Coriolis acceleration 2 Omega x v besides.
static void inertial_wrenches( const ds_world *world, ds_body *body, double share, double wetness )
{
	const ds_sea *sea = world->sea;
	ds_body_scratch *k = &body->scratch;
	ds_body_state *s = &body->state;
	k->water_acceleration = k->coriolis = ds_v3( 0, 0, 0 );
	if ( !sea->unsteady && !sea->waves && !sea->earth_rotation )
	{
		return;
	}
	// the velocity of the half step, as far as the water's acceleration and the Earth's rotation change it: second order, and
	// no energy from the rotation (taken at the tick's start it would feed a body 2 (Omega dt)^2 of its energy a tick)
	ds_vec3 slip = ds_mad( ds_sub( s->v, k->sea.velocity ), 0.5 * world->dt, k->sea.acceleration );
	slip = ds_mad( slip, -world->dt, ds_cross( sea->earth_rate, slip ) );
	ds_vec3 water_coriolis = ds_scale( 2, ds_cross( sea->earth_rate, k->sea.velocity ) );
	ds_vec3 body_coriolis = ds_mad( water_coriolis, 2, ds_cross( sea->earth_rate, slip ) );
	ds_vec3 water = ds_unrotate( k->half.attitude, ds_add( k->sea.acceleration, water_coriolis ) );
	ds_vec3 gradient = body->faces ? k->sea.current_acceleration : k->sea.acceleration;
	ds_vec3 pushed = ds_unrotate( k->half.attitude, ds_add( gradient, water_coriolis ) );
	ds_vec3 own = ds_unrotate( k->half.attitude, body_coriolis );
	k->water_acceleration = water;
	k->coriolis = own;
	const double a[3] = { water.x - own.x, water.y - own.y, water.z - own.z }, c[3] = { own.x, own.y, own.z };
	double sum[6] = { 0 };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			sum[i] += wetness * body->added.m[i][j] * a[j] - body->rigid.m[i][j] * c[j];
		}
	}
	ds_wrench *w = &s->forces.inertial;
	w->force = ds_v3( sum[0], sum[1], sum[2] );
	w->torque = ds_v3( sum[3], sum[4], sum[5] );
	if ( sea->earth_rotation )
	{
		ds_mat3 inertia;
		for ( int i = 0; i < 9; ++i )
		{
			inertia.m[i / 3][i % 3] = body->rigid.m[3 + i / 3][3 + i % 3];
		}
		ds_vec3 earth = ds_unrotate( k->half.attitude, sea->earth_rate );
		w->torque = ds_add( w->torque, drift_torque( &inertia, s->w, earth ) );
	}
	if ( body->def.hydrodynamics.buoyancy )
	{
		ds_vec3 push = ds_scale( k->sea.density * s->forces.displaced_volume, pushed );
		w->force = ds_add( w->force, push );
		w->torque = ds_add( w->torque, ds_cross( s->forces.centre_of_buoyancy, push ) );
	}
	if ( body->entrained > 0 )
	{
		// water in the hull is pushed as the water around; the reference point is the centre of mass of both
		ds_vec3 push = ds_scale( share * body->entrained, water );
		w->force = ds_add( w->force, push );
		w->torque = ds_mad( w->torque, -body->mass / body->entrained, ds_cross( body->cg, push ) );
	}
}

// Gravity, and all that the water does.
static void natural_wrenches( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	ds_body_forces *f = &s->forces;
	memset( f, 0, sizeof( *f ) );
	ds_vec3 down = ds_unrotate( k->half.attitude, ds_v3( 0, 0, 1 ) );
	f->gravity.force = ds_scale( body->mass * world->environment.gravity, down );
	f->gravity.torque = ds_cross( body->cg, f->gravity.force );
	k->has_drag = false;
	k->water = ( ds_twist ){ { 0, 0, 0 }, { 0, 0, 0 } };
	double share = body->faces ? face_wrenches( world, body ) : volume_wrench( world, body, down );

	ds_compression yield = ds_body_compression( world, body, k->half.position.z );
	if ( yield.volume != 1 )
	{
		f->hydrostatic.force = ds_scale( yield.volume, f->hydrostatic.force );
		f->hydrostatic.torque = ds_scale( yield.volume, f->hydrostatic.torque );
		f->displaced_volume *= yield.volume;
	}

	// Added mass comes and goes with the wet share. The body keeps its kinetic energy when it does, as in an ideal fluid
	// (Lamb 1932, art. 135-136: the kinetic energy of body and fluid is a function of position and velocity alone).
	double wetness = ds_body_wet_share( body, share );
	if ( wetness > 0 )
	{
		wetness *= yield.added_mass; // given at the surface
	}
	if ( wetness != s->wetness )
	{
		ds_mat6 before = ds_body_total_mass( body, s->wetness ), after = ds_body_total_mass( body, wetness );
		double e0 = 0, e1 = 0;
		for ( int i = 0; i < 6; ++i )
		{
			for ( int j = 0; j < 6; ++j )
			{
				e0 += k->nu[i] * before.m[i][j] * k->nu[j];
				e1 += k->nu[i] * after.m[i][j] * k->nu[j];
			}
		}
		double factor = e1 > 0 ? sqrt( e0 / e1 ) : 1;
		for ( int i = 0; i < 6; ++i )
		{
			k->nu[i] *= factor;
		}
		s->wetness = wetness;
	}
	k->mass = ds_body_total_mass( body, s->wetness );
	k->damping_share = ds_body_given_share( body, share ) * ( k->sea.density / world->environment.density );
	if ( body->has_damping )
	{
		damping_wrench( body );
	}
	inertial_wrenches( world, body, share, s->wetness );
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
	start = start < 0 ? 0 : start;
	end = end > world->bodies.count ? world->bodies.count : end;
	for ( int32_t i = start; i < end; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( !body->def.fixed )
		{
			place_half_step( world, body );
			natural_wrenches( world, body );
			user_wrenches( body );
		}
	}
}

static void body_wrenches( ds_world *world )
{
	int32_t count = world->bodies.count;
	if ( world->def.enqueue_task && count > 1 )
	{
		void *task = world->def.enqueue_task( body_task, count, 1, world, world->def.user );
		if ( task )
		{
			world->def.finish_task( task, world->def.user );
		}
		return;
	}
	body_task( 0, count, world );
}

static bool wrench_finite( const ds_wrench *w )
{
	return ds_finite( w->force ) && ds_finite( w->torque );
}

static ds_status check_effort( const ds_effort *e )
{
	if ( !wrench_finite( &e->wrench ) || !isfinite( e->mass ) || !ds_finite( e->mass_position ) ||
		 !isfinite( e->displaced_volume ) || !isfinite( e->electric_power ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "the effort is not finite" );
	}
	if ( e->mass < 0 )
	{
		return ds_error( DS_ERROR_PLUGIN, "the extra mass is negative: %g kg", e->mass );
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
		if ( part->body->def.fixed )
		{
			continue;
		}
		ds_context context;
		ds_context_inner inner;
		ds_part_context( world, part, &context, &inner );
		ds_random_start( &inner.random, part->key, DS_DOMAIN_EFFORT, (uint64_t)world->state.tick );
		context.pose = ds_pose_mul( part->body->scratch.half, part->mount_c );
		ds_water_query( world, context.pose.position, context.time, &context.water );
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
		add_effort( world, part, effort );
	}
	return DS_OK;
}

// ---- 4. equation of motion ---------------------------------------------------------------------------------------

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
		{ "wind", &f->wind }, { "the water's acceleration", &f->inertial } };
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
	const ds_wrench sideways = { ds_add( s->forces.lift.force, s->forces.magnus.force ),
		ds_add( s->forces.lift.torque, s->forces.magnus.torque ) };
	ds_equation equation = { &k->mass, k->has_drag ? &k->drag : NULL, body->has_damping ? &body->damping : NULL,
		{ k->water.linear.x, k->water.linear.y, k->water.linear.z, k->water.angular.x, k->water.angular.y,
			k->water.angular.z },
		{ sum->force.x, sum->force.y, sum->force.z, sum->torque.x, sum->torque.y, sum->torque.z },
		{ sideways.force.x, sideways.force.y, sideways.force.z, sideways.torque.x, sideways.torque.y,
			sideways.torque.z },
		k->damping_share };
	ds_motion motion;
	if ( ds_motion_solve( &equation, world->dt, k->nu, &motion ) != DS_OK )
	{
		return not_finite( world, body );
	}
	k->q1 = ds_quat_normalize( ds_quat_mul( s->q, motion.turn ) );
	k->turn = ds_quat_log( motion.turn );
	k->v1 = ds_add( k->sea.velocity, ds_rotate( k->q1, ds_v3( motion.nu[0], motion.nu[1], motion.nu[2] ) ) );
	k->w1 = ds_v3( motion.nu[3], motion.nu[4], motion.nu[5] );
	k->x1 = ds_add( s->x, ds_mad( ds_rotate( s->q, motion.way ), world->dt, k->sea.velocity ) );
	k->touched = false;
	return state_bounded( k ) ? DS_OK : not_finite( world, body );
}

static ds_status equations_of_motion( ds_world *world )
{
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( !body->def.fixed )
		{
			DS_TRY( solve_motion( world, body ) );
		}
	}
	return DS_OK;
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
				ds_part_context( world, part, &context, &inner );
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
	body_wrenches( world );
	DS_TRY( part_efforts( world, DS_ACTUATOR ) );
	DS_TRY( part_efforts( world, DS_FORCE ) );
	DS_TRY( equations_of_motion( world ) );
	DS_TRY( ds_collide_step( world ) );
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
	if ( status != DS_ERROR_CANCELLED && world->state.started )
	{
		ds_world_fail( world, status );
	}
	return status;
}
