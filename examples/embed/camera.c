// A camera and a lamp look at a ball in the dark. Writes the frame to the file that is named, and returns 0 if the ball is where it
// should be.
// cc camera.c $(pkg-config --cflags --libs deepsim) -lm && ./a.out ball.ppm

#include <deepsim/deepsim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

int main( int argc, char **argv )
{
	// The clearest water, no daylight; two threads make the frames.
	ds_environment_def sea = ds_environment_def_default();
	sea.optics.jerlov = DS_JERLOV_I;
	sea.sky.dark = 1;
	ds_world_def world_def = ds_world_def_default();
	world_def.environment = &sea;
	world_def.threads = 2;
	ds_world *world;
	TRY( ds_world_create( &world_def, &world ) );

	// A yellow ball of 0.25 m, its middle 2 m ahead of the camera. The vehicle is a body without a mesh, which nobody sees.
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = 0.25;
	shape.faces = 5120;
	ds_mesh *mesh;
	TRY( ds_mesh_make( &shape, NULL, &mesh ) );
	ds_body_def vehicle = ds_body_def_default(), ball = ds_body_def_default();
	snprintf( vehicle.name, sizeof vehicle.name, "vehicle" );
	snprintf( ball.name, sizeof ball.name, "ball" );
	vehicle.fixed = ball.fixed = true;
	vehicle.pose.position = ( ds_vec3 ){ 0, 0, 4000 };
	ball.pose.position = ( ds_vec3 ){ 2, 0, 4000 };
	ball.mesh = mesh;
	ball.material.color[2] = 0.05; // red and green stay 0.5
	ds_id body, target;
	TRY( ds_body_create( world, &vehicle, &body ) );
	TRY( ds_body_create( world, &ball, &target ) );
	ds_mesh_release( mesh );

	// A lamp 0.5 m to the right of the camera, as its type makes it; the camera, with changes of its config.
	ds_actuator_def lamp = ds_actuator_def_default();
	snprintf( lamp.name, sizeof lamp.name, "lamp" );
	snprintf( lamp.type, sizeof lamp.type, "lamp" );
	lamp.body = body;
	lamp.mount.position.y = 0.5;
	ds_camera_config config = ds_camera_config_default();
	config.lens.width = 321; // odd: there is a pixel in the middle
	config.lens.height = 241;
	config.depth = config.segmentation = true;
	ds_sensor_def camera = ds_sensor_def_default();
	snprintf( camera.name, sizeof camera.name, "camera" );
	snprintf( camera.type, sizeof camera.type, "camera" );
	camera.body = body;
	camera.rate = 10;
	camera.queue = 2; // frames are large
	camera.config = &config;
	ds_id light, sensor;
	TRY( ds_actuator_create( world, &lamp, &light ) );
	TRY( ds_sensor_create( world, &camera, &sensor ) );

	// A frame is there when its exposure is over, so some ticks after its stamp.
	TRY( ds_world_step( world, ds_world_ticks( world, 0.1 ) ) );
	size_t size;
	TRY( ds_sensor_output( world, sensor, NULL, &size ) ); // the struct and the images behind it
	ds_camera *frame = malloc( size );
	ds_sample_header header;
	TRY( ds_sensor_latest( world, sensor, &header, frame, size ) );

	// Images lie where their spans say, in bytes from the reading's start: row by row from the top left.
	const uint8_t *rgb = (const uint8_t *)frame + frame->color8.offset;
	const float *depth = (const float *)(const void *)( (const char *)frame + frame->depth.offset );
	const int32_t *instances = (const int32_t *)(const void *)( (const char *)frame + frame->segmentation.offset );
	int64_t middle = frame->height / 2 * frame->width + frame->width / 2;
	printf( "%d x %d pixels at %.1f s; in the middle (%d, %d, %d), %.4f m away: %s\n", (int)frame->width,
		(int)frame->height, (double)header.time / 1e9, rgb[3 * middle], rgb[3 * middle + 1], rgb[3 * middle + 2],
		(double)depth[middle], ds_instance_name( world, instances[middle] ) );

	bool right = fabs( (double)depth[middle] - 1.75 ) < 1e-3 && instances[middle] == 3;
	FILE *file = argc > 1 ? fopen( argv[1], "wb" ) : NULL;
	if ( file )
	{
		fprintf( file, "P6\n%d %d\n255\n", (int)frame->width, (int)frame->height );
		fwrite( rgb, 3, (size_t)( frame->width * frame->height ), file );
		fclose( file );
	}
	free( frame );
	ds_world_destroy( world );
	return right ? 0 : 1;
}
