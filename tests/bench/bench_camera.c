// Cameras: frames a second over ground of 2 million triangles; how soon a large visual is seen.

#include "deepsim/deepsim.h"
#include "deepsim/math.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double bench_camera_deepsea( char *detail, size_t size );
double bench_camera_plain( char *detail, size_t size );
double bench_scene_1m( char *detail, size_t size );

#define SIDE    1001 // samples, a metre apart
#define THREADS 2
#define FRAMES  15
#define DEPTH   3000

#define DEGREE ( DS_PI / 180 )

// Hills of 5 m with slopes up to 45 degrees on them, as those of the benchmarks of rays.
static ds_status make_ground( ds_terrain **terrain )
{
	double *heights = malloc( (size_t)SIDE * SIDE * sizeof( *heights ) );
	ds_status status = heights ? DS_OK : ds_error( DS_ERROR_MEMORY, "out of memory for the ground" );
	for ( int64_t k = 0; status == DS_OK && k < (int64_t)SIDE * SIDE; ++k )
	{
		double i = (double)( k / SIDE ), j = (double)( k % SIDE );
		heights[k] = DEPTH + 5 * sin( 0.05 * i ) * cos( 0.07 * j ) + 0.8 * sin( 0.9 * i ) * cos( 0.8 * j );
	}
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.north = def.east = -0.5 * ( SIDE - 1 );
	def.spacing_north = def.spacing_east = 1;
	def.rows = def.columns = SIDE;
	def.z = heights;
	status = status == DS_OK ? ds_terrain_grid( &def, NULL, terrain ) : status;
	free( heights );
	return status;
}

static ds_status add_body( ds_world *world, ds_pose pose, ds_visual *visual, ds_id *id )
{
	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), visual ? "thing" : "rov" );
	body.mass = 100;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = body.inertia_diagonal[1] = body.inertia_diagonal[2] = 10;
	body.hydrodynamics.model = DS_HYDRO_NONE;
	body.collision = DS_COLLISION_NONE;
	body.fixed = true;
	body.pose = pose;
	if ( visual )
	{
		body.visual_kind = DS_VISUAL_GIVEN;
		body.visual = visual;
	}
	return ds_body_create( world, &body, id );
}

static ds_status add_lamp( ds_world *world, ds_id body, double side )
{
	ds_actuator_def def = ds_actuator_def_default();
	ds_lamp_config config = ds_lamp_config_default();
	config.level = 1;
	config.flux = 40;
	snprintf( def.name, sizeof( def.name ), side < 0 ? "left" : "right" );
	snprintf( def.type, sizeof( def.type ), "lamp" );
	def.body = body;
	def.mount.position = ds_v3( 0, side, -0.4 );
	def.mount.attitude = ds_quat_from_rpy( ds_v3( 0, 0, -side * 10 * DEGREE ) );
	def.config = &config;
	ds_id id;
	return ds_actuator_create( world, &def, &id );
}

static ds_status add_camera( ds_world *world, ds_id body, const ds_camera_config *config )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "camera" );
	snprintf( def.type, sizeof( def.type ), "camera" );
	def.body = body;
	def.queue = 1;
	def.config = config;
	ds_id id;
	return ds_sensor_create( world, &def, &id );
}

// A world with ground, a camera 6 m above it that looks 35 degrees down, and two lamps. Ticks are frames.
static ds_status make_world( const ds_camera_config *config, ds_world **world )
{
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *terrain = NULL;
	ds_status status = make_ground( &terrain );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world_def def = ds_world_def_default();
	def.rate = 20;
	def.environment = &e;
	def.threads = THREADS;
	status = status == DS_OK ? ds_world_create( &def, world ) : status;
	ds_terrain_release( terrain );
	ds_id body;
	const ds_pose pose = { { 5, 0, DEPTH - 6 }, ds_quat_from_rpy( ds_v3( 0, -35 * DEGREE, 0 ) ) };
	status = status == DS_OK ? add_body( *world, pose, NULL, &body ) : status;
	status = status == DS_OK ? add_lamp( *world, body, -0.8 ) : status;
	status = status == DS_OK ? add_lamp( *world, body, 0.8 ) : status;
	return status == DS_OK ? add_camera( *world, body, config ) : status;
}

// Frames a second.
static double frame_rate( const ds_camera_config *config, const char *what, char *detail, size_t size )
{
	ds_world *world = NULL;
	double times[FRAMES], result = NAN;
	ds_status status = make_world( config, &world );
	status = status == DS_OK ? ds_world_step( world, 2 ) : status; // warms up
	for ( int i = 0; i < FRAMES && status == DS_OK; ++i )
	{
		double start = bench_clock();
		status = ds_world_step( world, 1 );
		times[i] = bench_clock() - start;
	}
	if ( status == DS_OK )
	{
		double median = bench_median( times, FRAMES );
		result = 1 / median;
		snprintf( detail, size, "640 x 480 pixels over 2 million triangles, %s; %.0f ns a pixel and thread", what,
			1e9 * median * THREADS / ( 640 * 480 ) );
	}
	else
	{
		bench_fail( detail, size );
	}
	ds_world_destroy( world );
	return result;
}

double bench_camera_deepsea( char *detail, size_t size )
{
	ds_camera_config c = ds_camera_config_default();
	c.lens.k[0] = -0.25;
	c.lens.k[1] = 0.08;
	c.range = 30;
	return frame_rate( &c, "two lamps with shadows, backscatter, forward scatter, distortion, noise", detail, size );
}

double bench_camera_plain( char *detail, size_t size )
{
	ds_camera_config c = ds_camera_config_default();
	c.lit = false;
	c.depth = true;
	c.range = 100;
	return frame_rate( &c, "colour as it is, and depth", detail, size );
}

// From a mesh in memory to its first frame.
double bench_scene_1m( char *detail, size_t size )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = 1;
	shape.faces = 1000000;
	ds_mesh *mesh = NULL;
	ds_status status = ds_mesh_make( &shape, NULL, &mesh );
	double times[3], result = NAN;
	int64_t faces = 0;
	for ( int i = 0; i < 3 && status == DS_OK; ++i )
	{
		ds_world *world = NULL;
		ds_visual *visual = NULL;
		ds_id body;
		ds_camera_config c = ds_camera_config_default();
		c.lit = false;
		ds_mesh_triangles( mesh, &faces );
		double start = bench_clock();
		ds_world_def def = ds_world_def_default();
		def.rate = 20;
		status = ds_visual_from_mesh( mesh, ds_pose_identity(), NULL, NULL, &visual );
		status = status == DS_OK ? ds_world_create( &def, &world ) : status;
		const ds_pose at = { { 3, 0, 10 }, ds_quat_identity() }, here = { { 0, 0, 10 }, ds_quat_identity() };
		status = status == DS_OK ? add_body( world, at, visual, &body ) : status;
		status = status == DS_OK ? add_body( world, here, NULL, &body ) : status;
		status = status == DS_OK ? add_camera( world, body, &c ) : status;
		status = status == DS_OK ? ds_world_step( world, 0 ) : status;
		times[i] = bench_clock() - start;
		ds_world_destroy( world );
		ds_visual_release( visual );
	}
	ds_mesh_release( mesh );
	if ( status == DS_OK )
	{
		result = bench_median( times, 3 );
		snprintf( detail, size, "a sphere of %lld triangles: visual, rays, camera, one frame", (long long)faces );
	}
	else
	{
		bench_fail( detail, size );
	}
	return result;
}
