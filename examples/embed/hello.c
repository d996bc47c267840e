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
	// An empty sea: water of 1025 kg/m3 below z = 0, 200 ticks a second.
	ds_world_def world_def = ds_world_def_default();
	world_def.rate = 200;
	ds_world *world;
	TRY( ds_world_create( &world_def, &world ) );

	// A box of 35 kg that displaces 32.8 kg, at rest 1 m under the surface; drag coefficient 1 (the default).
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ( ds_vec3 ){ 0.4, 0.4, 0.2 };
	ds_mesh *mesh;
	TRY( ds_mesh_make( &shape, NULL, &mesh ) );
	ds_body_def box = ds_body_def_default();
	box.mesh = mesh;
	snprintf( box.name, sizeof box.name, "box" );
	box.mass = 35;
	box.pose.position.z = 1;
	box.hydrodynamics.skin_drag = 0;
	box.hydrodynamics.added_mass_kind = DS_ADDED_MASS_NONE;

	// A pressure sensor in its middle, read once a second.
	ds_sensor_def gauge = ds_sensor_def_default();
	snprintf( gauge.name, sizeof gauge.name, "gauge" );
	snprintf( gauge.type, sizeof gauge.type, "pressure" );
	ds_id sensor;
	TRY( ds_body_create( world, &box, &gauge.body ) );
	TRY( ds_sensor_create( world, &gauge, &sensor ) );
	ds_mesh_release( mesh );

	// It falls as z = 1 + m/k ln cosh( sqrt( W k ) t / m ), where W is its weight in water and k v^2 the drag.
	double weight = ( 35 - 1025 * 0.032 ) * 9.81, k = 0.5 * 1025 * 0.16, worst = 0;
	for ( int t = 1; t <= 5; t++ )
	{
		ds_sample_header header;
		ds_pressure reading;
		TRY( ds_world_step( world, 200 ) );
		TRY( ds_sensor_latest( world, sensor, &header, &reading, sizeof reading ) );
		double depth = ( reading.pressure - 101325 ) / ( 1025 * 9.81 );
		double right = 1 + 35 / k * log( cosh( sqrt( weight * k ) / 35 * t ) );
		printf( "%d s: %.1f Pa, depth %.4f m (by hand: %.4f m)\n", t, reading.pressure, depth, right );
		worst = fmax( worst, fabs( depth - right ) );
	}
	ds_world_destroy( world );
	return worst < 1e-4 ? 0 : 1;
}
