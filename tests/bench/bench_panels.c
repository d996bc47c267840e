// Added mass by source panels of a sphere of 1280 faces.

#include "tests/bench/bench.h"

#include "deepsim/mesh.h"
#include "hydro/panels.h"

#include <math.h>

#define REPEATS 5

// Bench added_mass_panels_1280 [s]; NaN when it cannot be run.
double bench_added_mass_panels_1280( void );

double bench_added_mass_panels_1280( void )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.faces = 1280;
	ds_mesh *mesh;
	if ( ds_mesh_make( &shape, NULL, &mesh ) != DS_OK )
	{
		return NAN;
	}
	int64_t vertex_count, face_count;
	const ds_vec3 *vertices = ds_mesh_vertices( mesh, &vertex_count );
	const int32_t *triangles = ds_mesh_triangles( mesh, &face_count );
	double seconds[REPEATS];
	ds_status status = DS_OK;
	for ( int i = 0; i < REPEATS && status == DS_OK; ++i )
	{
		ds_mat6 m;
		double begin = bench_clock();
		status = ds_added_mass_panels( vertices, vertex_count, triangles, face_count, NULL, NULL, &m );
		seconds[i] = bench_clock() - begin;
	}
	ds_mesh_release( mesh );
	return status == DS_OK ? bench_median( seconds, REPEATS ) : NAN;
}
