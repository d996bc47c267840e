// Bodies and their meshes.

#include "io/added_mass_cache.h"
#include "io/scenario_internal.h"

#include <string.h>

// A mesh that was read or made already, with what it was made from.
typedef struct ds_loaded_mesh
{
	struct ds_loaded_mesh *next;
	const ds_file_body *from;
	bool open_allowed;
	ds_mesh *mesh;
} ds_loaded_mesh;

void ds_release_meshes( ds_loader *loader )
{
	for ( ds_loaded_mesh *m = loader->meshes; m; m = m->next )
	{
		ds_mesh_release( m->mesh );
	}
	loader->meshes = NULL;
}

static bool same_mesh( const ds_file_body *a, const ds_file_body *b )
{
	if ( a->mesh != b->mesh )
	{
		return false;
	}
	if ( a->mesh == DS_MESH_SOURCE_FILE )
	{
		return strcmp( a->mesh_file, b->mesh_file ) == 0 && a->mesh_scale == b->mesh_scale &&
			   a->mesh_axes == b->mesh_axes && a->mesh_weld == b->mesh_weld;
	}
	return memcmp( &a->shape, &b->shape, sizeof( a->shape ) ) == 0;
}

static ds_status make_mesh( ds_loader *loader, const ds_file_body *body, bool open_allowed, ds_mesh **mesh )
{
	const ds_hooks *hooks = &loader->scenario->hooks;
	if ( body->mesh != DS_MESH_SOURCE_FILE )
	{
		ds_mesh_shape shape = body->shape;
		shape.struct_size = sizeof( shape );
		shape.kind = (ds_mesh_shape_kind)body->mesh;
		return ds_mesh_make( &shape, hooks, mesh );
	}
	const char *path;
	ds_mesh_options options = ds_mesh_options_default();
	options.scale = body->mesh_scale;
	options.axes = (ds_mesh_axes)body->mesh_axes;
	options.weld_distance = body->mesh_weld;
	options.topology = open_allowed ? DS_MESH_OPEN_ALLOWED : DS_MESH_CLOSED;
	DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, body->mesh_file, &path ) );
	return ds_mesh_load( path, &options, hooks, mesh, NULL );
}

// The mesh of a body, read or made once however many bodies have it.
static ds_status find_mesh( ds_loader *loader, const ds_file_body *body, const ds_json *node, const ds_mesh **mesh )
{
	*mesh = NULL;
	if ( body->mesh == DS_MESH_SOURCE_NONE )
	{
		return DS_OK;
	}
	// a fixed thing that the water does not push need not be closed
	bool open_allowed = body->def.fixed && body->def.hydrodynamics.model == DS_HYDRO_NONE;
	for ( const ds_loaded_mesh *m = loader->meshes; m; m = m->next )
	{
		if ( m->open_allowed == open_allowed && same_mesh( m->from, body ) )
		{
			*mesh = ds_mesh_retain( m->mesh );
			return DS_OK;
		}
	}
	void *memory;
	DS_TRY( ds_arena_new( &loader->tree_arena, sizeof( ds_loaded_mesh ), &memory ) );
	ds_loaded_mesh *fresh = memory;
	ds_status status = make_mesh( loader, body, open_allowed, &fresh->mesh );
	if ( status != DS_OK )
	{
		return ds_json_prefix( status, ds_json_find( node, "mesh" ) );
	}
	fresh->from = body;
	fresh->open_allowed = open_allowed;
	fresh->next = loader->meshes;
	loader->meshes = fresh;
	*mesh = ds_mesh_retain( fresh->mesh );
	return DS_OK;
}

// Added mass by panels, from the file beside the mesh's if it is there.
static ds_status solve_added_mass( ds_loader *loader, const ds_file_body *body, ds_body_def *def )
{
	if ( def->hydrodynamics.added_mass_kind != DS_ADDED_MASS_PANELS || body->mesh != DS_MESH_SOURCE_FILE ||
		 def->fixed || loader->scenario->environment.water == DS_WATER_NONE )
	{
		return DS_OK;
	}
	const char *path;
	DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, body->mesh_file, &path ) );
	ds_panel_options options = ds_panel_options_default();
	options.density = 1;
	ds_mat6 m;
	DS_TRY( ds_mesh_added_mass( def->mesh, path, &options, &loader->scenario->hooks, &m, NULL ) );
	memcpy( def->hydrodynamics.added_mass_matrix, m.m, sizeof( m.m ) );
	def->hydrodynamics.added_mass_solved = true;
	return DS_OK;
}

// A matrix of its diagonal, where only that was given.
static void fill_diagonal( int32_t kind, const double six[6], double matrix[36] )
{
	for ( int i = 0; i < 6 && kind == 0; ++i )
	{
		matrix[7 * i] = six[i];
	}
}

// A body's definition from what the file says. Its mesh is retained.
static ds_status fill_body( ds_loader *loader, const ds_file_body *body, const ds_json *node, ds_body_def *def )
{
	*def = body->def;
	def->struct_size = sizeof( *def );
	ds_copy_string( def->name, sizeof( def->name ), body->name );
	DS_TRY( find_mesh( loader, body, node, &def->mesh ) );
	ds_status solved = solve_added_mass( loader, body, def );
	if ( solved != DS_OK )
	{
		return ds_json_prefix(
			solved, ds_json_find( node, "hydrodynamics" ) ? ds_json_find( node, "hydrodynamics" ) : node );
	}
	DS_TRY( ds_load_visual( loader, body, node, def ) );
	def->mesh_pose = ds_file_pose_get( &body->mesh_pose );
	def->pose = ds_file_pose_get( &body->pose );
	const double *v = body->linear, *w = body->angular;
	const ds_twist velocity = { { v[0], v[1], v[2] }, { w[0], w[1], w[2] } };
	def->velocity = velocity;
	for ( int i = 0; i < 3 && body->form_drag_kind == 0; ++i )
	{
		def->hydrodynamics.form_drag[i] = body->form_drag;
	}
	ds_hydrodynamics_def *h = &def->hydrodynamics;
	fill_diagonal( body->linear_kind, body->linear_six, h->linear_damping );
	fill_diagonal( body->quadratic_kind, body->quadratic_six, h->quadratic_damping );
	fill_diagonal( body->forward_kind, body->forward_six, h->forward_damping );
	h->printed_lift = body->lift_kind == 1;
	h->printed_magnus = body->magnus_kind == 1;
	def->hydrodynamics.has_cb = body->cb_kind == 1;
	def->hydrodynamics.has_entrained_cg = body->entrained_cg_kind == 1;
	def->soil = def->soil || body->soil_kind == 1;
	def->shapes = body->shapes.data;
	def->shape_count = body->shapes.count;
	return DS_OK;
}

ds_status ds_load_bodies( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_array *array = &loader->file.bodies;
	const ds_file_body *bodies = array->data;
	const ds_json *nodes = ds_json_find( loader->tree, "bodies" );
	void *memory;
	DS_TRY( ds_arena_new( &loader->tree_arena, sizeof( char * ) * (size_t)( array->count + 1 ), &memory ) );
	const char **names = memory;
	for ( int64_t i = 0; i < array->count; ++i )
	{
		names[i] = bodies[i].name;
	}
	DS_TRY( ds_check_names( &loader->tree_arena, nodes, "bodies", names, (int32_t)array->count, &loader->bodies ) );
	DS_TRY( ds_arena_new( &scenario->arena, sizeof( ds_body_def ) * (size_t)array->count, &memory ) );
	scenario->bodies = memory;
	for ( const ds_json *node = nodes ? nodes->first : NULL; node; node = node->next )
	{
		// counted first: a body that is filled half is released with the others
		int32_t i = scenario->body_count++;
		DS_TRY( fill_body( loader, &bodies[i], node, &scenario->bodies[i] ) );
	}
	return DS_OK;
}
