// Worlds with a camera for tests: a fixed or moving body that carries it, things to look at, frames taken out of readings.

#ifndef DEEPSIM_TESTS_CAMERA_KIT_H
#define DEEPSIM_TESTS_CAMERA_KIT_H

#include "world_kit.h"

#include "deepsim/math.h"

#define DEGREE ( DS_PI / 180 )

// A small camera that sees geometry and flat colours.
static inline ds_camera_config kit_camera( int64_t width, int64_t height )
{
	ds_camera_config c = ds_camera_config_default();
	c.lens.width = width;
	c.lens.height = height;
	c.lit = false;
	c.depth = c.normals = c.segmentation = c.flow = true;
	return c;
}

// Darkness at 3000 m over a flat seabed 10 m below that.
static inline ds_environment_def kit_deep( void )
{
	ds_environment_def e = ds_environment_def_default();
	e.gravity = 0;
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 3010;
	e.sky.dark = true;
	e.seabed_look.ripple = e.seabed_look.mottling = 0; // its normals are those of the plane
	return e;
}

static inline ds_world *kit_camera_world( const ds_environment_def *e, double rate, int32_t threads )
{
	ds_world_def def = ds_world_def_default();
	def.rate = rate;
	def.environment = e;
	def.threads = threads;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	return world;
}

// A body that nothing pushes, seen as `visual` (NULL: not at all).
static inline ds_id kit_thing(
	ds_world *world, const char *name, ds_pose pose, ds_twist velocity, const ds_visual *visual )
{
	ds_body_def def = kit_point( name, 10, 1, 1, 1 );
	def.hydrodynamics.model = DS_HYDRO_NONE;
	def.pose = pose;
	def.velocity = velocity;
	def.visual_kind = visual ? DS_VISUAL_GIVEN : DS_VISUAL_NONE;
	def.visual = visual;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	return id;
}

static inline ds_visual *kit_ball( double radius, int64_t faces, double red, double green, double blue )
{
	ds_material material = ds_material_default();
	material.color[0] = red;
	material.color[1] = green;
	material.color[2] = blue;
	ds_mesh *mesh = kit_sphere( radius, faces );
	ds_visual *visual;
	OK( ds_visual_from_mesh( mesh, ds_pose_identity(), &material, NULL, &visual ) );
	ds_mesh_release( mesh );
	return visual;
}

static inline ds_visual *kit_block( double x, double y, double z, double grey )
{
	ds_material material = ds_material_default();
	material.color[0] = material.color[1] = material.color[2] = grey;
	ds_mesh *mesh = kit_box( x, y, z );
	ds_visual *visual;
	OK( ds_visual_from_mesh( mesh, ds_pose_identity(), &material, NULL, &visual ) );
	ds_mesh_release( mesh );
	return visual;
}

static inline ds_id kit_add_camera(
	ds_world *world, const char *name, ds_id body, ds_pose mount, const ds_camera_config *config, double rate )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "camera" );
	def.body = body;
	def.mount = mount;
	def.rate = rate;
	def.queue = 2;
	def.config = config;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static inline ds_id kit_add_lamp( ds_world *world, const char *name, ds_id body, ds_pose mount, double flux )
{
	ds_actuator_def def = ds_actuator_def_default();
	ds_lamp_config config = ds_lamp_config_default();
	config.level = 1;
	config.flux = flux;
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "lamp" );
	def.body = body;
	def.mount = mount;
	def.config = &config;
	ds_id id;
	OK( ds_actuator_create( world, &def, &id ) );
	return id;
}

// The newest frame, to be freed; steps on until there is one.
static inline ds_camera *kit_frame( ds_world *world, ds_id camera, ds_sample_header *header )
{
	size_t size;
	OK( ds_world_step( world, 0 ) );
	OK( ds_sensor_output( world, camera, NULL, &size ) );
	ds_camera *frame = calloc( 1, size );
	assert_non_null( frame );
	ds_status status;
	for ( int i = 0; ( status = ds_sensor_latest( world, camera, header, frame, size ) ) == DS_ERROR_EMPTY && i < 1000;
		  ++i )
	{
		OK( ds_world_step( world, 1 ) );
	}
	OK( status );
	return frame;
}

#define KIT_SPAN( frame, member ) ( (const void *)( (const unsigned char *)( frame ) + ( frame )->member.offset ) )

// The ray of a pixel in the world, for a mount at `pose`: from the lens and the port themselves.
static inline bool kit_ray( const ds_lens *lens, const ds_port *port, ds_pose pose, double u, double v, ds_vec3 *origin,
	ds_vec3 *direction, ds_vec3 *inside )
{
	ds_vec3 d, o = ds_v3( 0, 0, 0 );
	*origin = *direction = *inside = o;
	if ( ds_lens_ray( lens, u, v, inside ) != DS_OK )
	{
		return false;
	}
	d = *inside;
	if ( port && ds_port_ray( port, *inside, &o, &d, NULL ) != DS_OK )
	{
		return false;
	}
	*origin = ds_pose_point( pose, ds_v3( o.z, o.x, o.y ) );
	*direction = ds_rotate( pose.attitude, ds_v3( d.z, d.x, d.y ) );
	return true;
}

// A world point in optical axes of a mount.
static inline ds_vec3 kit_optical( ds_pose pose, ds_vec3 point )
{
	ds_vec3 p = ds_unrotate( pose.attitude, ds_sub( point, pose.position ) );
	return ds_v3( p.y, p.z, p.x );
}

#endif
