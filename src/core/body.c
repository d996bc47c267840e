#include "core/world.h"

#include <math.h>
#include <string.h>

ds_body_def ds_body_def_default( void )
{
	ds_body_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	def.mass = 1;
	def.inertia_kind = DS_INERTIA_MESH;
	def.mesh_pose = ds_pose_identity();
	def.visual_pose = ds_pose_identity();
	def.material = ds_material_default();
	def.pose = ds_pose_identity();
	def.hydrodynamics.model = DS_HYDRO_MESH;
	def.hydrodynamics.buoyancy = true;
	def.hydrodynamics.drag = true;
	for ( int i = 0; i < 3; ++i )
	{
		def.hydrodynamics.form_drag[i] = 1.0;
	}
	def.hydrodynamics.skin_drag = 0.004;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.collision = DS_COLLISION_HULL;
	def.friction = 0.5;
	def.soil = true;
	return def;
}

// ---- frames ------------------------------------------------------------------------------------------------------

ds_pose ds_body_pose_c( const ds_body *body, ds_pose origin )
{
	ds_pose p = { ds_pose_point( origin, body->c ), origin.attitude };
	return p;
}

ds_pose ds_body_pose_origin( const ds_body *body, ds_pose c )
{
	ds_pose p = { ds_sub( c.position, ds_rotate( c.attitude, body->c ) ), c.attitude };
	return p;
}

// Velocity of the reference point from that of the body's origin, and back, world axes.
static ds_vec3 velocity_c( const ds_body *body, ds_quat q, ds_twist origin )
{
	return ds_add( origin.linear, ds_cross( origin.angular, ds_rotate( q, body->c ) ) );
}

static ds_vec3 velocity_origin( const ds_body *body, ds_quat q, ds_vec3 v, ds_vec3 w_world )
{
	return ds_sub( v, ds_cross( w_world, ds_rotate( q, body->c ) ) );
}

static void set_motion( const ds_body *body, ds_body_state *state, ds_pose pose, ds_twist velocity )
{
	pose.attitude = ds_quat_normalize( pose.attitude );
	if ( body->def.fixed )
	{
		memset( &velocity, 0, sizeof( velocity ) );
	}
	ds_pose c = ds_body_pose_c( body, pose );
	state->x = state->x0 = c.position;
	state->q = state->q0 = c.attitude;
	state->v = state->v0 = velocity_c( body, c.attitude, velocity );
	state->w = state->w0 = ds_unrotate( c.attitude, velocity.angular );
	state->turn = ds_v3( 0, 0, 0 );
}

double ds_body_given_share( const ds_body *body, double wet_fraction )
{
	double x = fmin( 1, wet_fraction / body->whole_share );
	return body->whole_share < 1 ? x * x * ( 3 - 2 * x ) : x;
}

double ds_body_wet_share( const ds_body *body, double wet_fraction )
{
	return body->has_added ? ds_body_given_share( body, wet_fraction ) : 0;
}

double ds_body_volume_share( const ds_body *body, ds_pose c, double elevation )
{
	double depth = ds_pose_point( c, body->volume_cb ).z + elevation;
	return body->volume > 0 ? ds_wet_share_of_sphere( body->volume, depth ) : depth > 0 ? 1 : 0;
}

ds_compression ds_body_compression( const ds_world *world, const ds_body *body, double z )
{
	const ds_hydrodynamics_def *h = &body->def.hydrodynamics;
	ds_compression rigid = { 1, 1, 1, 1 };
	if ( world->sea->column == NULL )
	{
		return rigid;
	}
	if ( h->compression == DS_HULL_RIGID )
	{
		double ratio = ds_column_density( world->sea->column, z ) / world->environment.density;
		rigid.added_mass = rigid.added_cross = rigid.added_inertia = ratio;
		return rigid;
	}
	ds_water water;
	ds_column_query( world->sea->column, fmax( z, 0 ), &water );
	return ds_compression_at( h->compression == DS_HULL_PRINTED ? DS_COMPRESSION_PRINTED : DS_COMPRESSION_HULL,
		water.gauge_pressure, h->bulk_modulus, water.density, world->environment.density );
}

double ds_body_wetness( const ds_world *world, const ds_body *body, const ds_body_state *state )
{
	if ( world->environment.water == DS_WATER_NONE || !body->has_added )
	{
		return 0;
	}
	double time = 1e-9 * (double)ds_world_time( world );
	double elevation = ds_waves_elevation( world->sea->waves, state->x.x, state->x.y, time );
	double share = ds_body_volume_share( body, ( ds_pose ){ state->x, state->q }, elevation );
	if ( body->faces )
	{
		ds_flow flow;
		memset( &flow, 0, sizeof( flow ) );
		flow.attitude = state->q;
		flow.depth = state->x.z + elevation;
		flow.density = world->environment.density;
		flow.gravity = world->environment.gravity;
		flow.hydrostatics = true;
		ds_face_forces forces;
		ds_faces_evaluate( body->faces, &flow, &forces );
		share = forces.wet_fraction;
	}
	return ds_body_wet_share( body, share ) * ds_body_compression( world, body, state->x.z ).added_mass;
}

void ds_body_lift_off( ds_body *body )
{
	if ( body->elements )
	{
		memset( body->elements, 0, (size_t)ds_element_blocks( body->element_count ) * sizeof( *body->elements ) );
	}
}

void ds_body_start( const ds_world *world, ds_body *body )
{
	memset( &body->state, 0, sizeof( body->state ) );
	ds_body_lift_off( body );
	set_motion( body, &body->state, body->def.pose, body->def.velocity );
	body->state.wetness = ds_body_wetness( world, body, &body->state );
}

int32_t ds_body_index( const ds_world *world, const ds_body *body )
{
	for ( int32_t i = 0; body && i < world->bodies.count; ++i )
	{
		if ( world->bodies.order[i] == body )
		{
			return i;
		}
	}
	return -1;
}

// ---- life --------------------------------------------------------------------------------------------------------

void ds_body_free( ds_world *world, ds_body *body )
{
	if ( body == NULL )
	{
		return;
	}
	ds_body_release_faces( body->shared_faces );
	ds_body_press_release( body->contact );
	ds_ray_geometry_release( body->rays );
	ds_ray_geometry_release( body->seen_rays );
	ds_visual_release( body->visual );
	ds_visual_release( (ds_visual *)(uintptr_t)body->def.visual );
	DS_FREE( &world->hooks.allocator, body->elements, ds_element_blocks( body->element_count ) );
	ds_memory_free( &world->hooks.allocator, body->contact_scratch, body->contact_scratch_size, 1 );
	dsb_shape_release( body->shape );
	ds_mesh_release( (ds_mesh *)(uintptr_t)body->def.mesh );
	DS_FREE( &world->hooks.allocator, body->shapes, body->def.shape_count );
	DS_FREE( &world->hooks.allocator, body, 1 );
}

// A body with its own copies of what the definition points at.
static ds_status new_body( ds_world *world, const ds_body_def *def, ds_body **out )
{
	ds_body *body;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &body ) );
	body->def = *def;
	body->bullet = DSB_NONE;
	memcpy( body->name, def->name, sizeof( body->name ) );
	body->def.mesh = def->mesh ? ds_mesh_retain( (ds_mesh *)(uintptr_t)def->mesh ) : NULL;
	body->def.visual = def->visual ? ds_visual_retain( (ds_visual *)(uintptr_t)def->visual ) : NULL;
	ds_status status = DS_NEW( &world->hooks.allocator, def->shape_count, &body->shapes );
	if ( status != DS_OK )
	{
		body->def.shape_count = 0;
		ds_body_free( world, body );
		return status;
	}
	if ( def->shape_count )
	{
		memcpy( body->shapes, def->shapes, (size_t)def->shape_count * sizeof( *def->shapes ) );
	}
	body->def.shapes = body->shapes;
	*out = body;
	return DS_OK;
}

ds_status ds_body_create( ds_world *world, const ds_body_def *def, ds_id *id )
{
	if ( world == NULL || def == NULL || id == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_body_create needs a world, a definition from ds_body_def_default() and room for the id" );
	}
	*id = DS_NO_ID;
	DS_TRY( ds_world_may_change( world ) );
	DS_TRY( ds_world_check_name( world, DS_BODY, def->name ) );
	DS_TRY( ds_body_check( def ) );
	ds_body *body;
	DS_TRY( new_body( world, def, &body ) );
	ds_status status = ds_body_build( world, body );
	if ( status == DS_OK )
	{
		status = ds_slots_add( &world->bodies, body, &body->id );
	}
	if ( status != DS_OK )
	{
		ds_body_free( world, body );
		return status;
	}
	ds_body_start( world, body );
	world->prepared = false;
	*id = body->id;
	return DS_OK;
}

ds_status ds_body_copy( ds_world *world, const ds_body *from, ds_body **copy )
{
	ds_body *body;
	DS_TRY( new_body( world, &from->def, &body ) );
	ds_shape_def *shapes = body->shapes;
	ds_body_def def = body->def;
	*body = *from;
	body->shapes = shapes;
	body->def = def;
	body->bullet = DSB_NONE;
	body->shape = from->shape ? dsb_shape_retain( from->shape ) : NULL;
	if ( from->shared_faces )
	{
		atomic_fetch_add( &from->shared_faces->references, 1 );
	}
	if ( from->rays )
	{
		ds_ray_geometry_retain( from->rays );
	}
	if ( from->seen_rays )
	{
		ds_ray_geometry_retain( from->seen_rays );
	}
	if ( from->visual )
	{
		ds_visual_retain( from->visual );
	}
	if ( from->contact )
	{
		atomic_fetch_add( &from->contact->references, 1 );
	}
	ds_status status = ds_body_press_room( world, body );
	if ( status != DS_OK )
	{
		ds_body_free( world, body );
		return status;
	}
	if ( body->elements )
	{
		memcpy( body->elements, from->elements,
			(size_t)ds_element_blocks( body->element_count ) * sizeof( *body->elements ) );
	}
	*copy = body;
	return DS_OK;
}

ds_status ds_body_destroy( ds_world *world, ds_id id )
{
	ds_body *body;
	DS_TRY( ds_world_body( world, id, &body ) );
	DS_TRY( ds_world_may_change( world ) );
	for ( int32_t i = world->joints.count - 1; i >= 0; --i )
	{
		ds_joint *joint = world->joints.order[i];
		if ( joint->a == body || joint->b == body )
		{
			DS_TRY( ds_joint_destroy( world, joint->id ) );
		}
	}
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		ds_slots *parts = world->parts + kind;
		for ( int32_t i = parts->count - 1; i >= 0; --i )
		{
			ds_part *part = parts->order[i];
			if ( part->body == body )
			{
				ds_slots_remove( parts, part->id );
				ds_part_free( world, part );
			}
		}
	}
	world->prepared = false;
	ds_collide_free( world );
	ds_world_rays_free( world );
	ds_slots_remove( &world->bodies, id );
	ds_body_free( world, body );
	return DS_OK;
}

// ---- reading and pushing -----------------------------------------------------------------------------------------

ds_status ds_body_motion_get( const ds_world *world, ds_id id, ds_body_motion *motion )
{
	ds_body *body;
	DS_TRY( ds_world_body( world, id, &body ) );
	if ( motion == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_body_motion_get needs room for the motion" );
	}
	const ds_body_state *s = &body->state;
	ds_vec3 w = ds_rotate( s->q, s->w ), w0 = ds_rotate( s->q0, s->w0 );
	motion->pose = ds_body_pose_origin( body, ( ds_pose ){ s->x, s->q } );
	motion->velocity_world.linear = velocity_origin( body, s->q, s->v, w );
	motion->velocity_world.angular = w;
	motion->velocity_body.linear = ds_unrotate( s->q, motion->velocity_world.linear );
	motion->velocity_body.angular = s->w;
	ds_vec3 before = velocity_origin( body, s->q0, s->v0, w0 );
	motion->acceleration_world = ds_scale( world->rate, ds_sub( motion->velocity_world.linear, before ) );
	motion->rpy = ds_quat_to_rpy( s->q );
	motion->depth = motion->pose.position.z;
	return DS_OK;
}

ds_status ds_body_set( ds_world *world, ds_id id, ds_pose pose, ds_twist velocity )
{
	ds_body *body;
	DS_TRY( ds_world_body( world, id, &body ) );
	DS_TRY( ds_world_may_change( world ) );
	ds_vec3 turn = ds_v3( pose.attitude.x, pose.attitude.y, pose.attitude.z );
	if ( !ds_finite( pose.position ) || !ds_finite( turn ) || !isfinite( pose.attitude.w ) ||
		 !ds_finite( velocity.linear ) || !ds_finite( velocity.angular ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "ds_body_set: pose and velocity of body \"%s\" must be finite", body->name );
	}
	ds_quat q = pose.attitude;
	if ( q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z < 1e-12 )
	{
		return ds_error( DS_ERROR_RANGE, "ds_body_set: the attitude of body \"%s\" must not be zero", body->name );
	}
	set_motion( body, &body->state, pose, velocity );
	ds_body_lift_off( body );
	body->state.wetness = ds_body_wetness( world, body, &body->state );
	ds_collide_place( world, body );

	// a jump, which inertial sensors do not see
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			ds_part *part = world->parts[kind].order[i];
			if ( part->body == body )
			{
				ds_sample_restart( world, part );
				ds_part_lift_off( part );
			}
		}
	}
	ds_world_rays_moved( world );
	return ds_world_rays_place( world );
}

static ds_status apply( ds_world *world, ds_id id, ds_wrench wrench, ds_vec3 point, ds_body **body )
{
	DS_TRY( ds_world_body( world, id, body ) );
	DS_TRY( ds_world_may_change( world ) );
	if ( !ds_finite( wrench.force ) || !ds_finite( wrench.torque ) || !ds_finite( point ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "the wrench and its point on body \"%s\" must be finite", ( *body )->name );
	}
	return DS_OK;
}

static void add_at( ds_wrench *sum, ds_wrench wrench, ds_vec3 arm )
{
	sum->force = ds_add( sum->force, wrench.force );
	sum->torque = ds_add( sum->torque, ds_add( wrench.torque, ds_cross( arm, wrench.force ) ) );
}

ds_status ds_body_apply_wrench_world( ds_world *world, ds_id id, ds_wrench wrench, ds_vec3 point )
{
	ds_body *body;
	DS_TRY( apply( world, id, wrench, point, &body ) );
	add_at( &body->state.user_world, wrench, ds_sub( point, body->state.x ) );
	return DS_OK;
}

ds_status ds_body_apply_wrench_body( ds_world *world, ds_id id, ds_wrench wrench, ds_vec3 point )
{
	ds_body *body;
	DS_TRY( apply( world, id, wrench, point, &body ) );
	add_at( &body->state.user_body, wrench, ds_sub( point, body->c ) );
	return DS_OK;
}

// A wrench about c, seen about the body's origin.
static void to_origin( ds_wrench *w, ds_vec3 c )
{
	w->torque = ds_add( w->torque, ds_cross( c, w->force ) );
}

ds_status ds_body_forces_get( const ds_world *world, ds_id id, ds_body_forces *forces )
{
	ds_body *body;
	DS_TRY( ds_world_body( world, id, &body ) );
	if ( forces == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_body_forces_get needs room for the forces" );
	}
	*forces = body->state.forces;
	to_origin( &forces->gravity, body->c );
	to_origin( &forces->hydrostatic, body->c );
	to_origin( &forces->drag, body->c );
	to_origin( &forces->lift, body->c );
	to_origin( &forces->magnus, body->c );
	to_origin( &forces->effort, body->c );
	to_origin( &forces->user, body->c );
	to_origin( &forces->wind, body->c );
	to_origin( &forces->inertial, body->c );
	to_origin( &forces->contact, body->c );
	to_origin( &forces->soil, body->c );
	forces->centre_of_buoyancy = ds_add( forces->centre_of_buoyancy, body->c );
	return DS_OK;
}

ds_status ds_body_mass_get( const ds_world *world, ds_id id, ds_mass_properties *p )
{
	ds_body *body;
	DS_TRY( ds_world_body( world, id, &body ) );
	if ( p == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_body_mass_get needs room for the properties" );
	}
	memset( p, 0, sizeof( *p ) );
	p->dry_mass = body->mass;
	p->entrained_mass = body->entrained;
	p->cg = ds_add( body->cg, body->c );
	if ( body->entrained > 0 )
	{
		// the reference point is the centre of both masses
		p->entrained_cg = ds_mad( body->c, -body->mass / body->entrained, body->cg );
	}
	p->rigid = ds_mat6_shift( &body->rigid, body->c );
	p->added = ds_mat6_shift( &body->added, body->c );
	p->total = ds_mat6_add( &p->rigid, &p->added );
	p->volume = body->volume;
	p->centre_of_buoyancy = body->volume > 0 ? ds_add( body->volume_cb, body->c ) : ds_v3( 0, 0, 0 );
	if ( body->faces )
	{
		p->volume = ds_faces_volume( body->faces );
		p->centre_of_buoyancy = ds_add( ds_faces_cb( body->faces ), body->c );
	}
	return DS_OK;
}

ds_status ds_body_kinetic_energy( const ds_world *world, ds_id id, double *energy )
{
	ds_body *body;
	DS_TRY( ds_world_body( world, id, &body ) );
	if ( energy == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_body_kinetic_energy needs room for the energy" );
	}
	const ds_body_state *s = &body->state;
	ds_vec3 v = ds_unrotate( s->q, s->v );
	const double nu[6] = { v.x, v.y, v.z, s->w.x, s->w.y, s->w.z };
	ds_mat6 m = ds_body_total_mass( body, s->wetness );
	double sum = 0;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 6; ++k )
		{
			sum += nu[i] * m.m[i][k] * nu[k];
		}
	}
	*energy = 0.5 * sum;
	return DS_OK;
}
