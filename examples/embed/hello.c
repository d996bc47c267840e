// Hello, deep sea: makes a world in code, steps it and reads a sensor. Returns 0 if the physics is right.
// cc hello.c $(pkg-config --cflags --libs deepsim) -lm

#include <deepsim/deepsim.h>

#include <math.h>
#include <stdio.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

int main( void )
{
	// A world without water.
	ds_environment_def environment = ds_environment_def_default();
	environment.water = DS_WATER_NONE;
	ds_world_def world_def = ds_world_def_default();
	world_def.environment = &environment;
	world_def.rate = 200;
	ds_world *world;
	TRY( ds_world_create( &world_def, &world ) );

	// A box, and a sensor on it.
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ( ds_vec3 ){ 0.4, 0.4, 0.2 };
	ds_mesh *mesh;
	TRY( ds_mesh_make( &shape, NULL, &mesh ) );

	ds_body_def body_def = ds_body_def_default();
	snprintf( body_def.name, sizeof body_def.name, "box" );
	body_def.mass = 35;
	body_def.mesh = mesh;
	ds_sensor_def sensor_def = ds_sensor_def_default();
	snprintf( sensor_def.name, sizeof sensor_def.name, "odometry" );
	snprintf( sensor_def.type, sizeof sensor_def.type, "odometry" );
	ds_id sensor;
	TRY( ds_body_create( world, &body_def, &sensor_def.body ) );
	TRY( ds_sensor_create( world, &sensor_def, &sensor ) );
	ds_mesh_release( mesh );

	// One second of free fall: the implicit midpoint rule is exact for it.
	ds_odometry odometry;
	for ( int i = 1; i <= 4; i++ )
	{
		ds_sample_header header;
		TRY( ds_world_step( world, 50 ) );
		TRY( ds_sensor_latest( world, sensor, &header, &odometry, sizeof odometry ) );
		printf( "t %.2f s: depth %.6f m, speed %.6f m/s\n", (double)header.time * 1e-9, odometry.position[2],
			odometry.linear_velocity[2] );
	}
	ds_world_destroy( world );

	bool right = fabs( odometry.position[2] - 4.905 ) < 1e-12 && fabs( odometry.linear_velocity[2] - 9.81 ) < 1e-12;
	printf( "%s\n", right ? "as Galileo said" : "that is not free fall" );
	return right ? 0 : 1;
}
