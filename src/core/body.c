#include "core/world.h"
#include "hydro/added_mass.h"

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
	return def;
}

static ds_vec3 vec( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static bool all_finite( const double *v, int n )
{
	for ( int i = 0; i < n; ++i )
	{
		if ( !isfinite( v[i] ) )
		{
			return false;
		}
	}
	return true;
}

static bool pose_finite( ds_pose p )
{
	return ds_finite( p.position ) && all_finite( &p.attitude.w, 4 );
}

// ---- checks ------------------------------------------------------------------------------------------------------

static ds_status check_numbers( const ds_body_def *def )
{
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	struct
	{
		const char *field;
		bool finite;
	} checks[] = { { "mass", isfinite( def->mass ) }, { "cg", all_finite( def->cg, 3 ) },
		{ "pose", pose_finite( def->pose ) }, { "mesh_pose", pose_finite( def->mesh_pose ) },
		{ "velocity", ds_finite( def->velocity.linear ) && ds_finite( def->velocity.angular ) },
		{ "inertia", all_finite( def->inertia_diagonal, 3 ) && all_finite( def->inertia_full, 9 ) },
		{ "friction", isfinite( def->friction ) }, { "restitution", isfinite( def->restitution ) },
		{ "form_drag", all_finite( h->form_drag, 3 ) }, { "skin_drag", isfinite( h->skin_drag ) },
		{ "volume", isfinite( h->volume ) }, { "cb", all_finite( h->cb, 3 ) },
		{ "entrained_mass", isfinite( h->entrained_mass ) && all_finite( h->entrained_cg, 3 ) },
		{ "added_mass", all_finite( h->added_mass, 6 ) && all_finite( h->added_mass_matrix, 36 ) &&
							all_finite( h->added_mass_about, 3 ) } };
	for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
	{
		if ( !checks[i].finite )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "body \"%s\": %s must be finite", def->name, checks[i].field );
		}
	}
	return DS_OK;
}

static ds_status check_ranges( const ds_body_def *def )
{
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	struct
	{
		const char *what;
		bool good;
	} checks[] = { { "mass must be positive", def->fixed || def->mass > 0 },
		{ "friction must not be negative", def->friction >= 0 },
		{ "restitution must lie in [0, 1]", def->restitution >= 0 && def->restitution <= 1 },
		{ "form_drag must not be negative", h->form_drag[0] >= 0 && h->form_drag[1] >= 0 && h->form_drag[2] >= 0 },
		{ "skin_drag must not be negative", h->skin_drag >= 0 },
		{ "volume must be positive", h->volume_kind != DS_VOLUME_GIVEN || h->volume > 0 },
		{ "entrained_mass must not be negative", h->entrained_mass >= 0 },
		{ "entrained water needs a mesh or entrained_cg", h->entrained_mass == 0 || def->mesh || h->has_entrained_cg },
		{ "inertia \"mesh\" needs a mesh; give [ixx, iyy, izz]",
			def->fixed || def->inertia_kind != DS_INERTIA_MESH || def->mesh },
		{ "collision \"mesh\" is for fixed bodies with a mesh; use \"hull\" or shapes",
			def->collision != DS_COLLISION_MESH || ( def->fixed && def->mesh ) },
		{ "the attitude of pose must not be zero",
			ds_length( ds_v3( def->pose.attitude.x, def->pose.attitude.y, def->pose.attitude.z ) ) +
					fabs( def->pose.attitude.w ) >
				1e-6 },
		{ "shapes is NULL but shape_count is not 0", def->shape_count == 0 || def->shapes } };
	for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
	{
		if ( !checks[i].good )
		{
			return ds_error( DS_ERROR_RANGE, "body \"%s\": %s", def->name, checks[i].what );
		}
	}
	return DS_OK;
}

// Symmetric, positive definite, and possible: no principal moment may exceed the sum of the other two.
static ds_status check_inertia( const char *name, const ds_mat3 *inertia )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			double scale = fabs( inertia->m[i][i] ) + fabs( inertia->m[k][k] );
			if ( fabs( inertia->m[i][k] - inertia->m[k][i] ) > 1e-9 * scale )
			{
				return ds_error( DS_ERROR_RANGE,
					"body \"%s\": inertia is not symmetric: [%d][%d] is %g but [%d][%d] is %g", name, i, k,
					inertia->m[i][k], k, i, inertia->m[k][i] );
			}
		}
	}
	ds_vec3 moments;
	ds_quat axes;
	ds_principal_axes( inertia, &moments, &axes );
	const double p[3] = { moments.x, moments.y, moments.z };
	for ( int i = 0; i < 3; ++i )
	{
		if ( !( p[i] > 0 ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"body \"%s\": inertia must be positive definite, a principal moment is %g kg m2", name, p[i] );
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		double others = p[( i + 1 ) % 3] + p[( i + 2 ) % 3];
		if ( p[i] > others * ( 1 + 1e-9 ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"body \"%s\": inertia is impossible: the principal moment %g kg m2 is larger than the sum %g of the "
				"others",
				name, p[i], others );
		}
	}
	return DS_OK;
}

// ---- mass --------------------------------------------------------------------------------------------------------

static ds_mat3 mesh_inertia( const ds_body_def *def, const ds_mesh_properties *mesh, double mass )
{
	// of the uniformly filled mesh, about its centroid, in body axes: R I R^T
	ds_mat3 r = ds_mat3_from_quat( ds_quat_normalize( def->mesh_pose.attitude ) ), out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double sum = 0;
			for ( int a = 0; a < 3; ++a )
			{
				for ( int b = 0; b < 3; ++b )
				{
					sum += r.m[i][a] * mesh->inertia.m[a][b] * r.m[k][b];
				}
			}
			out.m[i][k] = sum * mass / mesh->volume;
		}
	}
	return out;
}

static ds_status dry_inertia( const ds_body_def *def, const ds_mesh_properties *mesh, ds_mat3 *inertia )
{
	memset( inertia, 0, sizeof( *inertia ) );
	if ( def->inertia_kind == DS_INERTIA_MESH )
	{
		if ( !( mesh->volume > 0 ) )
		{
			return ds_error( DS_ERROR_MESH_OPEN,
				"body \"%s\": inertia \"mesh\" needs a closed mesh; give [ixx, iyy, izz]", def->name );
		}
		*inertia = mesh_inertia( def, mesh, def->mass );
	}
	else if ( def->inertia_kind == DS_INERTIA_DIAGONAL )
	{
		for ( int i = 0; i < 3; ++i )
		{
			inertia->m[i][i] = def->inertia_diagonal[i];
		}
	}
	else
	{
		for ( int i = 0; i < 9; ++i )
		{
			inertia->m[i / 3][i % 3] = def->inertia_full[i];
		}
	}
	return check_inertia( def->name, inertia );
}

// Reference point and M_RB of dry mass and entrained water.
static ds_status rigid_mass( ds_body *body, const ds_mesh_properties *mesh )
{
	const ds_body_def *def = &body->def;
	ds_mat3 inertia;
	DS_TRY( dry_inertia( def, mesh, &inertia ) );
	double water = def->hydrodynamics.entrained_mass;
	ds_vec3 cg = vec( def->cg );
	ds_vec3 water_cg = def->hydrodynamics.has_entrained_cg ? vec( def->hydrodynamics.entrained_cg )
														   : ds_pose_point( def->mesh_pose, mesh->centroid );
	body->mass = def->mass;
	body->entrained = water;
	body->c = water > 0 ? ds_scale( 1 / ( def->mass + water ),
							  ds_add( ds_scale( def->mass, cg ), ds_scale( water, water_cg ) ) )
						: cg;
	body->cg = ds_sub( cg, body->c );
	body->rigid = ds_mat6_rigid( def->mass, body->cg, &inertia );
	if ( water > 0 )
	{
		// spread as the mesh is, or a point without one
		ds_mat3 spread;
		memset( &spread, 0, sizeof( spread ) );
		if ( mesh->volume > 0 )
		{
			spread = mesh_inertia( def, mesh, water );
		}
		ds_mat6 part = ds_mat6_rigid( water, ds_sub( water_cg, body->c ), &spread );
		body->rigid = ds_mat6_add( &body->rigid, &part );
	}
	return ds_mat6_check_spd( &body->rigid, true, "the rigid-body mass matrix" );
}

static ds_status added_mass( const ds_world *world, ds_body *body, const ds_mesh_properties *mesh )
{
	const ds_body_def *def = &body->def;
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	double density = world->environment.density;
	memset( &body->added, 0, sizeof( body->added ) );
	body->has_added = false;
	int32_t kind = h->added_mass_kind;
	if ( world->environment.water == DS_WATER_NONE || h->model == DS_HYDRO_NONE ||
		 ( kind == DS_ADDED_MASS_ELLIPSOID && !( mesh->volume > 0 ) ) )
	{
		return DS_OK;
	}
	ds_mat6 m;
	memset( &m, 0, sizeof( m ) );
	ds_vec3 about = vec( h->added_mass_about );
	switch ( kind )
	{
		case DS_ADDED_MASS_ELLIPSOID:
		{
			ds_vec3 semi_axes;
			ds_quat axes;
			double diagonal[6];
			DS_TRY( ds_ellipsoid_of_inertia( mesh->volume, &mesh->inertia, &semi_axes, &axes ) );
			DS_TRY( ds_added_mass_ellipsoid( semi_axes, density, diagonal ) );
			for ( int i = 0; i < 6; ++i )
			{
				m.m[i][i] = diagonal[i];
			}
			m = ds_mat6_rotate( &m, ds_quat_mul( ds_quat_normalize( def->mesh_pose.attitude ), axes ) );
			about = ds_pose_point( def->mesh_pose, mesh->centroid );
			body->scale_added = true;
			break;
		}
		case DS_ADDED_MASS_DIAGONAL:
			for ( int i = 0; i < 6; ++i )
			{
				m.m[i][i] = h->added_mass[i];
			}
			break;
		case DS_ADDED_MASS_MATRIX:
			memcpy( m.m, h->added_mass_matrix, sizeof( m.m ) );
			break;
		default:
			return DS_OK;
	}
	ds_status status = ds_mat6_check_spd( &m, false, "added_mass" );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "body \"%s\": ", def->name );
	}
	body->added = ds_mat6_shift( &m, ds_sub( about, body->c ) );
	body->has_added = true;
	return DS_OK;
}

ds_mat6 ds_body_total_mass( const ds_body *body, double wetness )
{
	ds_mat6 m = body->rigid;
	if ( body->has_added && wetness > 0 )
	{
		for ( int i = 0; i < 6; ++i )
		{
			for ( int k = 0; k < 6; ++k )
			{
				m.m[i][k] += wetness * body->added.m[i][k];
			}
		}
	}
	return m;
}

// ---- faces -------------------------------------------------------------------------------------------------------

static ds_status make_faces( ds_world *world, ds_body *body, const ds_mesh_properties *mesh )
{
	const ds_body_def *def = &body->def;
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	if ( h->model != DS_HYDRO_MESH || def->mesh == NULL || world->environment.water == DS_WATER_NONE )
	{
		return DS_OK;
	}
	if ( !mesh->closed )
	{
		return ds_error( DS_ERROR_MESH_OPEN,
			"body \"%s\": hydrodynamics \"mesh\" needs a closed mesh (see `deepsim mesh repair`)", def->name );
	}
	ds_faces_def faces;
	memset( &faces, 0, sizeof( faces ) );
	faces.vertices = ds_mesh_vertices( def->mesh, &faces.vertex_count );
	faces.triangles = ds_mesh_triangles( def->mesh, &faces.face_count );
	faces.pose = def->mesh_pose;
	faces.pose.attitude = ds_quat_normalize( def->mesh_pose.attitude );
	faces.pose.position = ds_sub( def->mesh_pose.position, body->c );
	faces.form_drag = vec( h->form_drag );
	faces.skin_drag = h->skin_drag;
	faces.volume = h->volume_kind == DS_VOLUME_GIVEN ? h->volume : 0;
	if ( h->volume_kind == DS_VOLUME_NEUTRAL )
	{
		faces.volume = def->mass / world->environment.density;
	}
	faces.has_cb = h->has_cb;
	faces.cb = ds_sub( vec( h->cb ), body->c );
	ds_shared_faces *shared;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &shared ) );
	atomic_init( &shared->references, 1 );
	shared->hooks = world->hooks;
	ds_status status = ds_faces_create( &world->hooks.allocator, &faces, &shared->faces );
	if ( status != DS_OK )
	{
		DS_FREE( &world->hooks.allocator, shared, 1 );
		return ds_error_prefix( status, "body \"%s\": ", def->name );
	}
	body->shared_faces = shared;
	body->faces = shared->faces;
	return DS_OK;
}

static void release_faces( ds_shared_faces *shared )
{
	if ( shared && atomic_fetch_sub( &shared->references, 1 ) == 1 )
	{
		ds_allocator allocator = shared->hooks.allocator;
		ds_faces_destroy( shared->faces );
		DS_FREE( &allocator, shared, 1 );
	}
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

// Share of the added mass that acts: of the ellipsoid the wet share of the volume, of given values all once it is wet.
ds_status ds_body_wetness( const ds_world *world, const ds_body *body, const ds_body_state *state, double *wetness )
{
	*wetness = 0;
	if ( world->environment.water == DS_WATER_NONE || !body->has_added )
	{
		return DS_OK;
	}
	double share = state->x.z > 0 ? 1 : 0;
	if ( body->faces )
	{
		ds_flow flow;
		memset( &flow, 0, sizeof( flow ) );
		flow.attitude = state->q;
		flow.depth = state->x.z;
		flow.density = world->environment.density;
		flow.gravity = world->environment.gravity;
		flow.hydrostatics = true;
		ds_face_forces forces;
		ds_faces_evaluate( body->faces, &flow, &forces );
		share = forces.wet_fraction;
	}
	*wetness = body->scale_added ? share : share > 0;
	return DS_OK;
}

void ds_body_start( const ds_world *world, ds_body *body )
{
	memset( &body->state, 0, sizeof( body->state ) );
	set_motion( body, &body->state, body->def.pose, body->def.velocity );
	ds_body_wetness( world, body, &body->state, &body->state.wetness );
}

// ---- life --------------------------------------------------------------------------------------------------------

static ds_status build( ds_world *world, ds_body *body )
{
	ds_mesh_properties mesh;
	memset( &mesh, 0, sizeof( mesh ) );
	if ( body->def.mesh )
	{
		mesh = ds_mesh_measure( body->def.mesh );
	}
	if ( !body->def.fixed )
	{
		DS_TRY( rigid_mass( body, &mesh ) );
		DS_TRY( added_mass( world, body, &mesh ) );
		DS_TRY( make_faces( world, body, &mesh ) );
	}
	return ds_collide_shape( world, body, &body->shape );
}

void ds_body_free( ds_world *world, ds_body *body )
{
	if ( body == NULL )
	{
		return;
	}
	release_faces( body->shared_faces );
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
	DS_TRY( check_numbers( def ) );
	DS_TRY( check_ranges( def ) );
	ds_body *body;
	DS_TRY( new_body( world, def, &body ) );
	ds_status status = build( world, body );
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
	if ( !pose_finite( pose ) || !ds_finite( velocity.linear ) || !ds_finite( velocity.angular ) )
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
	DS_TRY( ds_body_wetness( world, body, &body->state, &body->state.wetness ) );
	ds_collide_place( world, body );
	return DS_OK;
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
	to_origin( &forces->effort, body->c );
	to_origin( &forces->user, body->c );
	to_origin( &forces->contact, body->c );
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
