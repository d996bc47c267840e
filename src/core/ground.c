// The ground of a world: terrain, soils, ruts, and what of bodies and running gear presses on them.

#include "core/world.h"

#include <math.h>
#include <string.h>

// ---- soils -------------------------------------------------------------------------------------------------------

static void release_soils( ds_shared_soils *soils )
{
	if ( soils && atomic_fetch_sub( &soils->references, 1 ) == 1 )
	{
		ds_allocator allocator = soils->hooks.allocator;
		ds_soil_map_destroy( soils->map );
		DS_FREE( &allocator, soils, 1 );
	}
}

static bool bulldozes( const ds_soil_map_def *def )
{
	bool any = def->soil.bulldozing;
	for ( int64_t i = 0; i < def->patch_count; ++i )
	{
		any = any || def->patches[i].soil.bulldozing;
	}
	for ( int64_t i = 0; i < def->soil_count; ++i )
	{
		any = any || def->soils[i].bulldozing;
	}
	return any;
}

static ds_status make_soils( ds_world *world, const ds_environment_def *e )
{
	ds_shared_soils *soils;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &soils ) );
	atomic_init( &soils->references, 1 );
	soils->hooks = world->hooks;
	ds_soil_map_def def;
	memset( &def, 0, sizeof( def ) );
	def.soil = e->soil;
	def.patches = e->soil_patches.data;
	def.patch_count = e->soil_patches.count;
	def.soils = e->mask_soils.data;
	def.soil_count = e->mask_soils.count;
	def.mask = e->soil_mask;
	ds_status status = ds_soil_map_create( &world->hooks.allocator, &def, &soils->map );
	if ( status != DS_OK )
	{
		DS_FREE( &world->hooks.allocator, soils, 1 );
		return ds_error_prefix( status, "environment: seabed: " );
	}
	soils->bulldozing = bulldozes( &def );
	world->ground.soils = soils;
	return DS_OK;
}

static ds_status make_rut( ds_world *world )
{
	const ds_environment_def *e = &world->environment;
	ds_rut_def def;
	memset( &def, 0, sizeof( def ) );
	def.cell = e->rut_cell;
	def.memory = (size_t)e->rut_memory;
	def.repose = e->soil.repose;
	def.erosion = e->rut_erosion;
	ds_status status = ds_rut_create( &world->hooks.allocator, &def, &world->ground.rut );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "environment: seabed: deformable: " );
}

static void join( ds_world *world )
{
	ds_world_ground *g = &world->ground;
	g->model.terrain = g->terrain;
	g->model.soils = g->soils ? g->soils->map : NULL;
	g->model.rut = g->rut;
	g->model.gravity = world->environment.gravity;
}

// ---- life --------------------------------------------------------------------------------------------------------

static ds_status make_terrain( ds_world *world, const ds_environment_def *e )
{
	if ( e->seabed == DS_SEABED_FLAT )
	{
		return ds_terrain_plane( e->seabed_depth, 0, 0, &world->hooks, &world->ground.terrain );
	}
	if ( e->terrain == NULL )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "environment: seabed: a terrain is missing (ds_terrain_load and its like)" );
	}
	world->ground.terrain = ds_terrain_retain( (ds_terrain *)(uintptr_t)e->terrain );
	return DS_OK;
}

ds_status ds_world_ground_create( ds_world *world, const ds_environment_def *e )
{
	if ( e->seabed == DS_SEABED_NONE )
	{
		return DS_OK;
	}
	DS_TRY( make_terrain( world, e ) );
	if ( e->has_soil )
	{
		DS_TRY( make_soils( world, e ) );
		if ( e->deformable )
		{
			DS_TRY( make_rut( world ) );
		}
	}
	join( world );
	return DS_OK;
}

// The rut's own state follows: ds_rut_save.
static ds_status copy_rut( ds_world *world, const ds_rut *from )
{
	DS_TRY( make_rut( world ) );
	size_t size = ds_rut_save_size( from );
	void *bytes;
	DS_TRY( ds_memory_new( &world->hooks.allocator, size, 1, &bytes ) );
	ds_rut_save( from, bytes );
	ds_status status = ds_rut_load( world->ground.rut, bytes, size );
	ds_memory_free( &world->hooks.allocator, bytes, size, 1 );
	return status;
}

ds_status ds_world_ground_copy( ds_world *world, const ds_world *from )
{
	const ds_world_ground *g = &from->ground;
	world->ground.terrain = ds_terrain_retain( g->terrain );
	world->ground.soils = g->soils;
	if ( g->soils )
	{
		atomic_fetch_add( &g->soils->references, 1 );
	}
	if ( g->rut )
	{
		DS_TRY( copy_rut( world, g->rut ) );
	}
	join( world );
	return DS_OK;
}

void ds_world_ground_free( ds_world *world )
{
	ds_world_ground *g = &world->ground;
	ds_world_rays_free( world );
	ds_rut_destroy( g->rut );
	release_soils( g->soils );
	ds_terrain_release( g->terrain );
	memset( g, 0, sizeof( *g ) );
}

// ---- queries -----------------------------------------------------------------------------------------------------

ds_status ds_ground_query( const ds_world *world, double north, double east, ds_ground_point *ground )
{
	memset( ground, 0, sizeof( *ground ) );
	if ( !isfinite( north ) || !isfinite( east ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "the ground: north and east must be finite" );
	}
	ds_terrain_point point;
	if ( world->ground.terrain == NULL || !ds_terrain_at( world->ground.terrain, north, east, &point ) )
	{
		return ds_error( DS_ERROR_NOT_FOUND, "there is no ground at north %g m, east %g m", north, east );
	}
	ground->z = point.z;
	ground->normal = point.normal;
	ground->has_soil = world->ground.soils != NULL;
	if ( world->ground.rut )
	{
		ground->rut = ds_rut_at( world->ground.rut, north, east, world->state.tick, -1 ).surface;
		ground->z += ground->rut;
	}
	return DS_OK;
}

ds_status ds_ground_at( const ds_world *world, double north, double east, ds_ground_point *ground )
{
	if ( world == NULL || ground == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_ground_at needs a world and room for the answer" );
	}
	return ds_ground_query( world, north, east, ground );
}

// What is most likely a mistake at the start of a run: a body wholly below the ground, or beside it.
static void warn_of_body( const ds_world *world, const ds_body *body )
{
	const ds_terrain *terrain = world->ground.terrain;
	ds_vec3 x = body->state.x;
	ds_terrain_point point;
	double reach = body->contact ? body->contact->reach : body->reach;
	if ( terrain == NULL || body->def.fixed || !( body->contact || body->shape ) )
	{
		return;
	}
	if ( !ds_terrain_at( terrain, x.x, x.y, &point ) )
	{
		ds_terrain_properties p = ds_terrain_measure( terrain );
		ds_logf( &world->hooks, DS_LOG_WARNING,
			"body \"%s\" starts where there is no ground (the seabed lies north %g to %g m, east %g to %g m)",
			body->name, p.south, p.north, p.west, p.east );
	}
	else if ( x.z - reach > point.z )
	{
		ds_logf( &world->hooks, DS_LOG_WARNING,
			"body \"%s\" starts %g m below the ground (z = %g m there); raise its pose", body->name, x.z - point.z,
			point.z );
	}
}

void ds_ground_warn( const ds_world *world )
{
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		warn_of_body( world, world->bodies.order[i] );
	}
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	for ( int32_t i = 0; i < actuators->count && world->ground.soils == NULL; ++i )
	{
		const ds_part *part = actuators->order[i];
		if ( part->gear )
		{
			ds_logf( &world->hooks, DS_LOG_WARNING,
				"actuator \"%s\" (%s) pushes nothing: the seabed has no soil; name one in environment.seabed.soil",
				part->name, part->model->type->name );
		}
	}
}

// ---- what presses ------------------------------------------------------------------------------------------------

bool ds_ground_carries( const ds_world *world, const ds_body *body )
{
	return world->ground.soils && body->contact;
}

void ds_body_press_release( ds_shared_contact *shared )
{
	if ( shared && atomic_fetch_sub( &shared->references, 1 ) == 1 )
	{
		ds_allocator allocator = shared->hooks.allocator;
		ds_contact_mesh_destroy( shared->mesh );
		DS_FREE( &allocator, shared, 1 );
	}
}

ds_status ds_body_press_room( ds_world *world, ds_body *body )
{
	const ds_allocator *allocator = &world->hooks.allocator;
	body->elements = NULL;
	body->contact_scratch = NULL;
	if ( body->contact == NULL )
	{
		return DS_OK;
	}
	body->element_count = ds_contact_mesh_count( body->contact->mesh );
	body->contact_scratch_size = ds_contact_scratch_size( body->contact->mesh );
	DS_TRY( DS_NEW( allocator, ds_element_blocks( body->element_count ), &body->elements ) );
	return ds_memory_new( allocator, body->contact_scratch_size, 1, &body->contact_scratch );
}

ds_status ds_body_press_create( ds_world *world, ds_body *body )
{
	const ds_body_def *def = &body->def;
	if ( world->ground.soils == NULL || !def->soil || def->mesh == NULL || def->fixed )
	{
		return DS_OK;
	}
	ds_contact_mesh_def mesh;
	memset( &mesh, 0, sizeof( mesh ) );
	mesh.vertices = ds_mesh_vertices( def->mesh, &mesh.vertex_count );
	mesh.triangles = ds_mesh_triangles( def->mesh, &mesh.face_count );
	mesh.pose = def->mesh_pose;
	mesh.pose.attitude = ds_quat_normalize( def->mesh_pose.attitude );
	mesh.pose.position = ds_sub( def->mesh_pose.position, body->c );
	mesh.spacing = def->soil_spacing;
	mesh.width = def->soil_width;
	ds_shared_contact *shared;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &shared ) );
	atomic_init( &shared->references, 1 );
	shared->hooks = world->hooks;
	shared->lower = ds_v3( INFINITY, INFINITY, INFINITY );
	shared->upper = ds_scale( -1, shared->lower );
	for ( int64_t i = 0; i < mesh.vertex_count; ++i )
	{
		ds_vec3 p = ds_pose_point( mesh.pose, mesh.vertices[i] ), *l = &shared->lower, *u = &shared->upper;
		shared->reach = fmax( shared->reach, ds_length( p ) );
		*l = ds_v3( fmin( l->x, p.x ), fmin( l->y, p.y ), fmin( l->z, p.z ) );
		*u = ds_v3( fmax( u->x, p.x ), fmax( u->y, p.y ), fmax( u->z, p.z ) );
	}
	ds_status status = ds_contact_mesh_create( &world->hooks.allocator, &mesh, &shared->mesh );
	if ( status != DS_OK )
	{
		DS_FREE( &world->hooks.allocator, shared, 1 );
		return ds_error_prefix( status, "body \"%s\": soil: ", def->name );
	}
	body->contact = shared;
	return ds_body_press_room( world, body );
}

// Work space and reach of a part's running gear.
ds_status ds_part_gear_room( ds_world *world, ds_part *part )
{
	const ds_gear *gear = part->model->layout.gear;
	part->gear_room = NULL;
	if ( gear == NULL )
	{
		return DS_OK;
	}
	part->gear_room_count = ds_gear_room( gear );
	double outer = gear->radius + gear->grouser_height;
	double across = hypot( 0.5 * gear->length + outer, 0.5 * gear->width );
	const ds_pose *mount = &part->mount_c;
	ds_vec3 up = ds_rotate( mount->attitude, ds_v3( 0, 0, 1 ) );
	// of a disc that turns about the mount's z axis, `outer` thick either way
	ds_vec3 half = ds_v3( across * sqrt( fmax( 0, 1 - up.x * up.x ) ) + outer * fabs( up.x ),
		across * sqrt( fmax( 0, 1 - up.y * up.y ) ) + outer * fabs( up.y ),
		across * sqrt( fmax( 0, 1 - up.z * up.z ) ) + outer * fabs( up.z ) );
	part->gear_lower = ds_sub( mount->position, half );
	part->gear_upper = ds_add( mount->position, half );
	return DS_NEW( &world->hooks.allocator, part->gear_room_count, &part->gear_room );
}
