// Step 5 of a tick: contacts and joints, by Bullet. No Bullet world exists until something can collide or is joined.

#include "core/world.h"
#include "terrain/terrain.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Contacts are looked for up to this distance [m], for each of two bodies.
#define CONTACT_MARGIN 0.02
// Beyond so many bodies Bullet's broad phase is the faster one.
#define NEAR_LIMIT 32

// ---- shapes ------------------------------------------------------------------------------------------------------

static ds_status primitive( const ds_shape_def *def, dsb_shape **shape )
{
	switch ( def->kind )
	{
		case DS_SHAPE_BOX:
			return dsb_shape_box( ds_v3( 0.5 * def->size[0], 0.5 * def->size[1], 0.5 * def->size[2] ), shape );
		case DS_SHAPE_SPHERE:
			return dsb_shape_sphere( def->radius, shape );
		case DS_SHAPE_CAPSULE:
			return dsb_shape_capsule( def->radius, def->length, shape );
		case DS_SHAPE_CYLINDER:
			return dsb_shape_cylinder( def->radius, def->length, shape );
		default:
			return ds_error( DS_ERROR_RANGE, "unknown kind %d of a collision shape", def->kind );
	}
}

// Wraps a shape with a pose; takes the reference to `child`.
static ds_status posed( dsb_shape *child, ds_pose pose, dsb_shape **shape )
{
	ds_status status = dsb_shape_compound( &child, &pose, 1, shape );
	dsb_shape_release( child );
	return status;
}

static ds_status shapes_of( const ds_world *world, const ds_body *body, dsb_shape **shape )
{
	int64_t count = body->def.shape_count, made = 0;
	if ( count == 0 )
	{
		return DS_OK;
	}
	dsb_shape **children;
	ds_pose *poses;
	DS_TRY( DS_NEW( &world->hooks.allocator, count, &children ) );
	ds_status status = DS_NEW( &world->hooks.allocator, count, &poses );
	for ( ; status == DS_OK && made < count; ++made )
	{
		const ds_shape_def *def = body->shapes + made;
		poses[made].position = ds_sub( ds_v3( def->position[0], def->position[1], def->position[2] ), body->c );
		poses[made].attitude = ds_quat_from_rpy( ds_v3( def->rpy[0], def->rpy[1], def->rpy[2] ) );
		status = primitive( def, children + made );
		if ( status != DS_OK )
		{
			status = ds_error_prefix( status, "body \"%s\": shape %lld: ", body->name, (long long)made );
			break;
		}
	}
	if ( status == DS_OK )
	{
		status = dsb_shape_compound( children, poses, count, shape );
	}
	for ( int64_t i = 0; i < made; ++i )
	{
		dsb_shape_release( children[i] );
	}
	DS_FREE( &world->hooks.allocator, children, count );
	DS_FREE( &world->hooks.allocator, poses, count );
	return status;
}

ds_status ds_collide_shape( const ds_world *world, const ds_body *body, dsb_shape **shape )
{
	const ds_body_def *def = &body->def;
	*shape = NULL;
	if ( def->collision == DS_COLLISION_SHAPES )
	{
		return shapes_of( world, body, shape );
	}
	if ( def->collision == DS_COLLISION_NONE || def->mesh == NULL )
	{
		return DS_OK;
	}
	int64_t vertices, faces;
	const ds_vec3 *points = ds_mesh_vertices( def->mesh, &vertices );
	const int32_t *triangles = ds_mesh_triangles( def->mesh, &faces );
	dsb_shape *bare;
	ds_status status = def->collision == DS_COLLISION_MESH ? dsb_shape_mesh( points, vertices, triangles, faces, &bare )
														   : dsb_shape_hull( points, vertices, &bare );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "body \"%s\": collision: ", def->name );
	}
	ds_pose pose = { ds_sub( def->mesh_pose.position, body->c ), ds_quat_normalize( def->mesh_pose.attitude ) };
	return posed( bare, pose, shape );
}

// ---- the Bullet world --------------------------------------------------------------------------------------------

void ds_collide_free( ds_world *world )
{
	dsb_world_destroy( world->bullet );
	world->bullet = NULL;
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		( (ds_body *)world->bodies.order[i] )->bullet = DSB_NONE;
	}
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		( (ds_joint *)world->joints.order[i] )->bullet = DSB_NONE;
	}
}

// Rays meet shapes, and terrain where they are Bullet's, even where nothing can touch; steps are made only where something can.
static bool needed( ds_world *world )
{
	int32_t shapes = 0, moving = 0, grounded = 0;
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		const ds_body *body = world->bodies.order[i];
		shapes += body->shape != NULL;
		moving += body->shape != NULL && !body->def.fixed;
		grounded += body->shape != NULL && !body->def.fixed && !ds_ground_carries( world, body );
	}
	bool seabed = world->environment.seabed != DS_SEABED_NONE;
	world->collides = world->joints.count > 0 || ( seabed && grounded > 0 ) || ( moving > 0 && shapes > 1 );
	const ds_terrain *terrain = world->ground.terrain;
	bool seen = terrain && ds_terrain_see( terrain )->kind != DS_GROUND_PLANE && world->ground.rays == NULL;
	return world->collides || shapes > 0 || seen;
}

// ---- the ground --------------------------------------------------------------------------------------------------

// The group of the ground; all else is in the group 1.
#define GROUND_GROUP 2u

static ds_rectangle rectangle_of( ds_vec3 lower, ds_vec3 upper )
{
	return ( ds_rectangle ){ .south = lower.x, .west = lower.y, .north = upper.x, .east = upper.y };
}

static void visit_terrain( void *user, ds_vec3 lower, ds_vec3 upper, dsb_triangle_fn *fn, void *context )
{
	ds_rectangle where = rectangle_of( lower, upper );
	ds_terrain_visit( user, &where, fn, context );
}

static bool reaches_terrain( void *user, ds_vec3 lower, ds_vec3 upper )
{
	double top, bottom;
	ds_rectangle where = rectangle_of( lower, upper );
	return ds_terrain_bounds( user, &where, &top, &bottom ) && upper.z >= top && lower.z <= bottom;
}

static void retain_terrain( void *user )
{
	ds_terrain_retain( user );
}

static void release_terrain( void *user )
{
	ds_terrain_release( user );
}

// Under planes and grids all is ground. Under a mesh there may be water again: it pushes out what lies less than the size of
// the largest body below its uppermost triangle.
static double thickness_of( const ds_world *world, const ds_terrain_view *view )
{
	double largest = 0;
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		const ds_body *body = world->bodies.order[i];
		largest = fmax( largest, 2 * body->reach );
	}
	return view->kind == DS_GROUND_MESH ? largest : INFINITY;
}

static ds_status terrain_shape( const ds_world *world, const ds_terrain *terrain, dsb_shape **shape )
{
	const ds_terrain_view *view = ds_terrain_see( terrain );
	if ( view->kind == DS_GROUND_PLANE )
	{
		return dsb_shape_plane( ds_v3( view->slope_north, view->slope_east, -1 ), -view->base, shape );
	}
	ds_terrain_properties p = ds_terrain_measure( terrain );
	double area = ( p.north - p.south ) * ( p.east - p.west );
	dsb_surface surface = { .user = (void *)terrain,
		.visit = visit_terrain,
		.reaches = reaches_terrain,
		.retain = retain_terrain,
		.release = release_terrain,
		.lower = { p.south, p.west, p.top },
		.upper = { p.north, p.east, p.bottom },
		.cell = fmax( 1e-3, sqrt( 2 * area / (double)p.triangles ) ),
		.thickness = thickness_of( world, view ) };
	if ( view->kind == DS_GROUND_GRID )
	{
		// Heights are floats about their mean: as exact as the greatest of them.
		surface.cell = fmax( view->spacing_north, view->spacing_east );
		surface.resolution = FLT_EPSILON * fmax( p.bottom - view->base, view->base - p.top );
	}
	return dsb_shape_surface( &surface, shape );
}

static ds_status add_seabed( ds_world *world )
{
	const ds_environment_def *e = &world->environment;
	dsb_shape *shape;
	if ( world->ground.terrain == NULL )
	{
		return DS_OK;
	}
	DS_TRY( terrain_shape( world, world->ground.terrain, &shape ) );
	dsb_body_def def = dsb_body_def_default();
	def.id = -1;
	def.is_static = true;
	def.friction = e->seabed_friction;
	def.restitution = e->seabed_restitution;
	def.group = GROUND_GROUP;
	def.pose = def.shape_pose = ds_pose_identity();
	int32_t index;
	ds_status status = dsb_body_create( world->bullet, shape, &def, &index );
	dsb_shape_release( shape );
	return status;
}

// True if a body that reaches so far [m] may touch the ground; below it, it does.
static bool ground_is_near( const ds_world *world, ds_vec3 position, double reach )
{
	double top, bottom;
	ds_vec3 far = ds_v3( reach, reach, reach );
	ds_rectangle where = rectangle_of( ds_sub( position, far ), ds_add( position, far ) );
	return world->ground.terrain && ds_terrain_bounds( world->ground.terrain, &where, &top, &bottom ) &&
		   !( position.z + reach < top );
}

static ds_status add_body( ds_world *world, ds_body *body, int64_t id )
{
	dsb_body_def def = dsb_body_def_default();
	def.id = id;
	def.shape_pose = ds_pose_identity();
	def.pose = ( ds_pose ){ body->state.x, body->state.q };
	def.is_static = body->def.fixed;
	def.friction = body->def.friction;
	def.restitution = body->def.restitution;
	def.mask = ds_ground_carries( world, body ) ? ~GROUND_GROUP : def.mask;
	return dsb_body_create( world->bullet, body->shape, &def, &body->bullet );
}

static ds_status add_joint( ds_world *world, ds_joint *joint, int64_t id )
{
	static const dsb_joint_kind kinds[] = { DSB_JOINT_FIXED, DSB_JOINT_HINGE, DSB_JOINT_SLIDER, DSB_JOINT_BALL };
	dsb_joint_def def = dsb_joint_def_default();
	def.kind = kinds[joint->def.kind];
	def.id = id;
	def.body_a = joint->a ? joint->a->bullet : DSB_NONE;
	def.body_b = joint->b ? joint->b->bullet : DSB_NONE;
	def.frame_a = joint->frame_a;
	def.frame_b = joint->frame_b;
	def.limited = joint->def.limited;
	def.lower = joint->def.lower;
	def.upper = joint->def.upper;
	DS_TRY( dsb_joint_create( world->bullet, &def, &joint->bullet ) );
	ds_joint_motor_update( world, joint );
	return DS_OK;
}

static ds_status fill( ds_world *world )
{
	DS_TRY( dsb_world_create( &world->bullet ) );
	DS_TRY( add_seabed( world ) );
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		DS_TRY( add_body( world, world->bodies.order[i], i ) );
		ds_collide_place( world, world->bodies.order[i] );
	}
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		DS_TRY( add_joint( world, world->joints.order[i], i ) );
	}
	return DS_OK;
}

ds_status ds_collide_prepare( ds_world *world )
{
	ds_collide_free( world );
	if ( !needed( world ) )
	{
		return DS_OK;
	}
	ds_status status = fill( world );
	if ( status != DS_OK )
	{
		ds_collide_free( world );
	}
	return status;
}

void ds_collide_place( ds_world *world, const ds_body *body )
{
	if ( world->bullet && body->bullet != DSB_NONE )
	{
		const ds_body_state *s = &body->state;
		ds_pose pose = { s->x, s->q };
		ds_twist now = { s->v, ds_rotate( s->q, s->w ) };
		dsb_body_reset_pose_velocity( world->bullet, body->bullet, &pose, &now );
	}
}

// ---- the step ----------------------------------------------------------------------------------------------------

static void predict( ds_world *world, const ds_body *body )
{
	const ds_body_scratch *k = &body->scratch;
	ds_twist predicted = { k->v1, ds_rotate( k->q1, k->w1 ) };
	ds_mat6 mass = k->mass;
	if ( k->soiled )
	{
		// what the soil gives way to a push in this step counts as mass
		for ( int i = 0; i < 36; ++i )
		{
			mass.m[i / 6][i % 6] += world->step * k->soil.give.m[i / 6][i % 6];
		}
	}
	mass = ds_mat6_rotate( &mass, body->state.q );
	dsb_body_set_prediction( world->bullet, body->bullet, &predicted, &mass );
}

// How far a body reaches within a tick: its shape, its way, and the distance at which contacts are looked for.
static double reach_of( const ds_world *world, const ds_body *body )
{
	const ds_body_scratch *k = &body->scratch;
	double way = body->def.fixed ? 0 : fmax( ds_length( body->state.v ), ds_length( k->v1 ) );
	return body->reach + 2 * world->dt * way + CONTACT_MARGIN;
}

bool ds_collide_near( const ds_world *world )
{
	if ( world->bullet == NULL || !world->collides )
	{
		return false;
	}
	if ( world->joints.count > 0 || world->bodies.count > NEAR_LIMIT )
	{
		return true;
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		const ds_body *a = world->bodies.order[i];
		if ( a->shape == NULL )
		{
			continue;
		}
		double reach = reach_of( world, a );
		if ( !a->def.fixed && !ds_ground_carries( world, a ) && ground_is_near( world, a->state.x, reach ) )
		{
			return true;
		}
		for ( int32_t j = 0; j < i; ++j )
		{
			const ds_body *b = world->bodies.order[j];
			bool moving = !a->def.fixed || !b->def.fixed;
			if ( b->shape && moving &&
				 !( ds_length( ds_sub( a->state.x, b->state.x ) ) > reach + reach_of( world, b ) ) )
			{
				return true;
			}
		}
	}
	return false;
}

// What contacts and joints changed: the new velocity, and the pose by the mean of old and new rates.
static void correct( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	ds_twist after, push;
	ds_wrench contact;
	dsb_body_get( world->bullet, body->bullet, &after, &contact );
	dsb_body_correction( world->bullet, body->bullet, &push );
	bool pushed = ds_length( push.linear ) + ds_length( push.angular ) != 0;
	k->touched = pushed || ds_length( contact.force ) + ds_length( contact.torque ) != 0;
	if ( !k->touched )
	{
		return;
	}
	s->forces.contact.force = ds_unrotate( s->q, contact.force );
	s->forces.contact.torque = ds_unrotate( s->q, contact.torque );
	ds_vec3 mean = ds_mad( push.linear, 0.5, ds_add( s->v, after.linear ) );
	ds_vec3 rate = ds_mad( push.angular, 0.5, ds_add( ds_rotate( s->q, s->w ), after.angular ) );
	ds_vec3 turn = ds_scale( world->step, rate );
	k->x1 = ds_mad( s->x, world->step, mean );
	k->q1 = ds_quat_normalize( ds_quat_mul( ds_quat_exp( turn ), s->q ) );
	k->turn = ds_unrotate( s->q, turn );
	k->v1 = after.linear;
	k->w1 = ds_unrotate( k->q1, after.angular );
}

ds_status ds_collide_step( ds_world *world )
{
	if ( !ds_collide_near( world ) )
	{
		return DS_OK;
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		const ds_body *body = world->bodies.order[i];
		if ( !body->def.fixed )
		{
			predict( world, body );
		}
	}
	ds_status status = dsb_step( world->bullet, world->step );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "contacts and joints, tick %lld: ", (long long)world->state.tick );
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body *body = world->bodies.order[i];
		if ( !body->def.fixed )
		{
			correct( world, body );
		}
	}
	return DS_OK;
}
