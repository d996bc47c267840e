// What is fixed of a body, from its definition: checks, rigid and added mass, face data, collision shape.

#include "core/world.h"
#include "hydro/added_mass.h"
#include "hydro/panels.h"

#include <math.h>
#include <string.h>

#define MAX_SHAPES 10000 // of a body
#define FARTHEST   1e6 // of what belongs to a body from its origin [m]

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
		{ "visual_pose", pose_finite( def->visual_pose ) },
		{ "velocity", ds_finite( def->velocity.linear ) && ds_finite( def->velocity.angular ) },
		{ "inertia", all_finite( def->inertia_diagonal, 3 ) && all_finite( def->inertia_full, 9 ) },
		{ "friction", isfinite( def->friction ) }, { "restitution", isfinite( def->restitution ) },
		{ "form_drag", all_finite( h->form_drag, 3 ) }, { "skin_drag", isfinite( h->skin_drag ) },
		{ "soil_width", isfinite( def->soil_width ) }, { "soil_spacing", isfinite( def->soil_spacing ) },
		{ "lift", isfinite( h->lift ) }, { "magnus", isfinite( h->magnus ) }, { "volume", isfinite( h->volume ) },
		{ "cb", all_finite( h->cb, 3 ) },
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

// Places in a body beyond all bodies: their moments would drown every other number.
static ds_status check_places( const ds_body_def *def )
{
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	const struct
	{
		const char *field;
		ds_vec3 place;
	} checks[] = { { "cg", vec( def->cg ) }, { "mesh_pose", def->mesh_pose.position },
		{ "visual_pose", def->visual_pose.position }, { "cb", vec( h->cb ) },
		{ "entrained_cg", vec( h->entrained_cg ) }, { "added_mass_about", vec( h->added_mass_about ) } };
	for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
	{
		if ( !( ds_length( checks[i].place ) <= FARTHEST ) )
		{
			return ds_error( DS_ERROR_RANGE, "body \"%s\": %s lies farther than %g m from the body's origin", def->name,
				checks[i].field, FARTHEST );
		}
	}
	return DS_OK;
}

static bool of_kind( int32_t kind, int32_t first, int32_t last )
{
	return kind >= first && kind <= last;
}

static ds_status check_kinds( const ds_body_def *def )
{
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	struct
	{
		const char *field;
		bool known;
		int32_t value;
	} checks[] = { { "inertia_kind", of_kind( def->inertia_kind, DS_INERTIA_MESH, DS_INERTIA_FULL ),
					   def->inertia_kind },
		{ "visual_kind", of_kind( def->visual_kind, DS_VISUAL_MESH, DS_VISUAL_NONE ), def->visual_kind },
		{ "collision", of_kind( def->collision, DS_COLLISION_NONE, DS_COLLISION_SHAPES ), def->collision },
		{ "hydrodynamics.model", of_kind( h->model, DS_HYDRO_NONE, DS_HYDRO_FOSSEN_SIMPLIFIED ), h->model },
		{ "volume_kind", of_kind( h->volume_kind, DS_VOLUME_MESH, DS_VOLUME_NEUTRAL ), h->volume_kind },
		{ "compression", of_kind( h->compression, DS_HULL_RIGID, DS_HULL_PRINTED ), h->compression },
		{ "added_mass_kind", of_kind( h->added_mass_kind, DS_ADDED_MASS_NONE, DS_ADDED_MASS_PANELS ),
			h->added_mass_kind } };
	for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
	{
		if ( !checks[i].known )
		{
			return ds_error(
				DS_ERROR_RANGE, "body \"%s\": %s has no kind %d", def->name, checks[i].field, checks[i].value );
		}
	}
	return DS_OK;
}

static ds_status check_shapes( const ds_body_def *def )
{
	if ( def->shape_count < 0 || def->shape_count > MAX_SHAPES || ( def->shape_count > 0 && def->shapes == NULL ) )
	{
		return ds_error( DS_ERROR_RANGE, "body \"%s\": shape_count is %lld, expected 0 to %d, and as many shapes",
			def->name, (long long)def->shape_count, MAX_SHAPES );
	}
	for ( int64_t i = 0; i < def->shape_count; ++i )
	{
		const ds_shape_def *s = &def->shapes[i];
		if ( !all_finite( s->position, 3 ) || !all_finite( s->rpy, 3 ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "body \"%s\": position and rpy of shape %lld must be finite",
				def->name, (long long)i );
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
		{ "bulk_modulus must be positive", h->compression == DS_HULL_RIGID || h->bulk_modulus > 0 },
		{ "a given visual is missing (ds_visual_load and its like)",
			def->visual_kind != DS_VISUAL_GIVEN || def->visual },
		{ "friction must not be negative", def->friction >= 0 },
		{ "restitution must lie in [0, 1]", def->restitution >= 0 && def->restitution <= 1 },
		{ "form_drag must not be negative", h->form_drag[0] >= 0 && h->form_drag[1] >= 0 && h->form_drag[2] >= 0 },
		{ "skin_drag must not be negative", h->skin_drag >= 0 }, { "lift must not be negative", h->lift >= 0 },
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
				1e-6 } };
	for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
	{
		if ( !checks[i].good )
		{
			return ds_error( DS_ERROR_RANGE, "body \"%s\": %s", def->name, checks[i].what );
		}
	}
	return DS_OK;
}

ds_status ds_body_check( const ds_body_def *def )
{
	DS_TRY( check_numbers( def ) );
	DS_TRY( check_places( def ) );
	DS_TRY( check_kinds( def ) );
	DS_TRY( check_shapes( def ) );
	DS_TRY( check_ranges( def ) );
	ds_status status = ds_table_check_value( ds_material_table(), &def->material );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "body \"%s\": material: ", def->name );
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

// Added mass of the mesh by panels, body axes, about the mesh's origin.
static ds_status solve_panels( const ds_world *world, const ds_body_def *def, ds_mat6 *m )
{
	if ( def->mesh == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "body \"%s\": added mass by panels needs a mesh", def->name );
	}
	ds_panel_options options = ds_panel_options_default();
	options.density = world->environment.density;
	if ( def->hydrodynamics.added_mass_solved )
	{
		for ( int i = 0; i < 36; ++i )
		{
			m->m[i / 6][i % 6] = options.density * def->hydrodynamics.added_mass_matrix[i];
		}
	}
	else
	{
		int64_t vertices, faces;
		const ds_vec3 *points = ds_mesh_vertices( def->mesh, &vertices );
		const int32_t *triangles = ds_mesh_triangles( def->mesh, &faces );
		ds_status status = ds_added_mass_panels( points, vertices, triangles, faces, &options, &world->hooks, m );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "body \"%s\": added mass: ", def->name );
		}
	}
	*m = ds_mat6_rotate( m, ds_quat_normalize( def->mesh_pose.attitude ) );
	return DS_OK;
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
		 h->model == DS_HYDRO_FOSSEN_SIMPLIFIED || ( kind == DS_ADDED_MASS_ELLIPSOID && !( mesh->volume > 0 ) ) )
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
			break;
		}
		case DS_ADDED_MASS_DIAGONAL:
			for ( int i = 0; i < 6; ++i )
			{
				m.m[i][i] = h->added_mass[i];
			}
			break;
		case DS_ADDED_MASS_PANELS:
			DS_TRY( solve_panels( world, def, &m ) );
			about = def->mesh_pose.position;
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

// ---- Fossen's models ---------------------------------------------------------------------------------------------

static bool is_fossen( int32_t model )
{
	return model == DS_HYDRO_FOSSEN || model == DS_HYDRO_FOSSEN_SIMPLIFIED;
}

// Damping about the reference point; what is given is checked in other models too, so that a word changes the model.
static ds_status make_damping( const ds_world *world, ds_body *body )
{
	const ds_hydrodynamics_def *h = &body->def.hydrodynamics;
	ds_fossen *f = &body->damping;
	memcpy( f->linear.m, h->linear_damping, sizeof( f->linear.m ) );
	memcpy( f->quadratic.m, h->quadratic_damping, sizeof( f->quadratic.m ) );
	memcpy( f->forward.m, h->forward_damping, sizeof( f->forward.m ) );
	f->about = ds_sub( vec( h->damping_about ), body->c );
	ds_status status = ds_fossen_check( f );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "body \"%s\": ", body->def.name );
	}
	body->has_damping =
		is_fossen( h->model ) && h->drag && world->environment.water != DS_WATER_NONE && !ds_fossen_is_none( f );
	return DS_OK;
}

// The displaced volume of a body without faces.
static ds_status make_volume( const ds_world *world, ds_body *body )
{
	const ds_body_def *def = &body->def;
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	if ( !is_fossen( h->model ) || body->faces || world->environment.water == DS_WATER_NONE || !h->buoyancy )
	{
		return DS_OK;
	}
	if ( h->volume_kind == DS_VOLUME_MESH || !h->has_cb )
	{
		return ds_error( DS_ERROR_NOT_FOUND,
			"body \"%s\": hydrodynamics \"fossen\" without a mesh needs %s (or buoyancy false)", def->name,
			h->has_cb ? "volume: a number, or \"neutral\"" : "volume and cb, the centre of buoyancy" );
	}
	body->volume = h->volume_kind == DS_VOLUME_GIVEN ? h->volume : def->mass / world->environment.density;
	body->volume_cb = ds_sub( vec( h->cb ), body->c );
	return DS_OK;
}

// ---- faces -------------------------------------------------------------------------------------------------------

static ds_status make_faces( ds_world *world, ds_body *body, const ds_mesh_properties *mesh )
{
	const ds_body_def *def = &body->def;
	const ds_hydrodynamics_def *h = &def->hydrodynamics;
	bool fossen = is_fossen( h->model );
	if ( ( !fossen && h->model != DS_HYDRO_MESH ) || def->mesh == NULL || world->environment.water == DS_WATER_NONE )
	{
		return DS_OK;
	}
	if ( !mesh->closed )
	{
		return fossen && h->volume_kind != DS_VOLUME_MESH && h->has_cb
				   ? DS_OK
				   : ds_error( DS_ERROR_MESH_OPEN,
						 "body \"%s\": hydrodynamics \"%s\" needs a closed mesh (see `deepsim mesh repair`)%s",
						 def->name, fossen ? "fossen" : "mesh", fossen ? ", or volume and cb" : "" );
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
	faces.lift = h->lift;
	faces.magnus = h->magnus;
	faces.printed_lift = h->printed_lift;
	faces.printed_magnus = h->printed_magnus;
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

void ds_body_release_faces( ds_shared_faces *shared )
{
	if ( shared && atomic_fetch_sub( &shared->references, 1 ) == 1 )
	{
		ds_allocator allocator = shared->hooks.allocator;
		ds_faces_destroy( shared->faces );
		DS_FREE( &allocator, shared, 1 );
	}
}

// How far the volume reaches, for means over it.
static void measure_spread( ds_body *body, const ds_mesh_properties *mesh )
{
	memset( &body->spread, 0, sizeof( body->spread ) );
	if ( mesh->volume > 0 )
	{
		ds_mat3 inertia = mesh_inertia( &body->def, mesh, 1 );
		double half = 0.5 * ( inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2] );
		for ( int i = 0; i < 9; ++i )
		{
			body->spread.m[i / 3][i % 3] = ( i % 4 == 0 ? half : 0 ) - inertia.m[i / 3][i % 3];
		}
	}
}

// ---- all of it -----------------------------------------------------------------------------------------------------

ds_status ds_body_build( ds_world *world, ds_body *body )
{
	ds_mesh_properties mesh;
	memset( &mesh, 0, sizeof( mesh ) );
	if ( body->def.mesh )
	{
		mesh = ds_mesh_measure( body->def.mesh );
	}
	if ( !body->def.fixed )
	{
		measure_spread( body, &mesh );
		DS_TRY( rigid_mass( body, &mesh ) );
		DS_TRY( added_mass( world, body, &mesh ) );
		DS_TRY( make_faces( world, body, &mesh ) );
		DS_TRY( make_damping( world, body ) );
		DS_TRY( make_volume( world, body ) );
	}
	body->whole_share = 1;
	double volume = body->faces ? ds_faces_volume( body->faces ) : body->volume;
	if ( volume > 0 && body->def.hydrodynamics.added_mass_kind != DS_ADDED_MASS_ELLIPSOID &&
		 body->def.hydrodynamics.added_mass_kind != DS_ADDED_MASS_PANELS )
	{
		body->whole_share = fmin( 1, 0.5 * body->mass / ( world->environment.density * volume ) );
	}
	DS_TRY( ds_body_press_create( world, body ) );
	DS_TRY( ds_collide_shape( world, body, &body->shape ) );
	if ( body->shape )
	{
		ds_vec3 low, high;
		dsb_shape_bounds( body->shape, &low, &high );
		body->reach = ds_length( ds_v3( fmax( -low.x, high.x ), fmax( -low.y, high.y ), fmax( -low.z, high.z ) ) );
	}
	return DS_OK;
}
