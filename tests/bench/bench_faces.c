// Time of the face model on a sphere of 5120 faces: nanoseconds a face, one thread, the median of repeats.

#include "deepsim/math.h"
#include "hydro/faces.h"
#include "tests/bench/bench.h"

#include <stdlib.h>

double bench_faces_submerged_5120( void );
double bench_faces_surface_5120( void );
double bench_faces_full_5120( void );
ds_faces *bench_sphere_5120( void );

#define REPEATS 61
#define CALLS   20
#define FACES   5120

// An icosahedron whose faces are divided into four, four times. Corners are not shared: the model does not need it.
typedef struct sphere
{
	ds_vec3 vertices[3 * FACES];
	int32_t triangles[3 * FACES];
	int32_t count;
} sphere;

static ds_vec3 middle( ds_vec3 a, ds_vec3 b )
{
	ds_vec3 m = ds_add( a, b );
	return ds_scale( 1 / ds_length( m ), m );
}

static void add_face( sphere *s, ds_vec3 a, ds_vec3 b, ds_vec3 c, int depth )
{
	if ( depth == 0 )
	{
		const ds_vec3 corners[3] = { a, b, c };
		for ( int i = 0; i < 3; ++i, ++s->count )
		{
			s->vertices[s->count] = corners[i];
			s->triangles[s->count] = s->count;
		}
		return;
	}
	ds_vec3 ab = middle( a, b ), bc = middle( b, c ), ca = middle( c, a );
	add_face( s, a, ab, ca, depth - 1 );
	add_face( s, ab, b, bc, depth - 1 );
	add_face( s, ca, bc, c, depth - 1 );
	add_face( s, ab, bc, ca, depth - 1 );
}

ds_faces *bench_sphere_5120( void )
{
	static const int triangles[20][3] = { { 0, 11, 5 }, { 0, 5, 1 }, { 0, 1, 7 }, { 0, 7, 10 }, { 0, 10, 11 },
		{ 1, 5, 9 }, { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 }, { 3, 9, 4 }, { 3, 4, 2 }, { 3, 2, 6 },
		{ 3, 6, 8 }, { 3, 8, 9 }, { 4, 9, 5 }, { 2, 4, 11 }, { 6, 2, 10 }, { 8, 6, 7 }, { 9, 8, 1 } };
	const double g = 0.5 * ( 1 + sqrt( 5.0 ) ), n = 1 / sqrt( 1 + g * g );
	const ds_vec3 corners[12] = { { -n, n * g, 0 }, { n, n * g, 0 }, { -n, -n * g, 0 }, { n, -n * g, 0 },
		{ 0, -n, n * g }, { 0, n, n * g }, { 0, -n, -n * g }, { 0, n, -n * g }, { n * g, 0, -n }, { n * g, 0, n },
		{ -n * g, 0, -n }, { -n * g, 0, n } };

	sphere *s = calloc( 1, sizeof( *s ) );
	if ( s == NULL )
	{
		return NULL;
	}
	for ( int i = 0; i < 20; ++i )
	{
		add_face( s, corners[triangles[i][0]], corners[triangles[i][1]], corners[triangles[i][2]], 4 );
	}
	ds_faces_def def = { .vertices = s->vertices,
		.vertex_count = s->count,
		.triangles = s->triangles,
		.face_count = FACES,
		.pose = ds_pose_identity(),
		.form_drag = { 0.5, 0.5, 0.5 },
		.skin_drag = 0.004,
		.lift = 0.5,
		.magnus = 0.75 };
	ds_faces *faces = NULL;
	ds_faces_create( NULL, &def, &faces );
	free( s );
	return faces;
}

// The sphere moves, turns and has a new pose at each call. NaN when it cannot be made.
static double time_faces( double depth, bool full )
{
	ds_faces *faces = bench_sphere_5120();
	if ( faces == NULL )
	{
		return NAN;
	}
	ds_flow flow = { .attitude = { 1, 0, 0, 0 },
		.depth = depth,
		.velocity = { 1, 0.2, -0.1 },
		.rate = { 0.1, -0.2, 0.3 },
		.density = 1025,
		.gravity = 9.81,
		.hydrostatics = true,
		.drag = true };
	if ( full )
	{
		flow.lift = true;
		flow.density_gradient = 0.003;
		flow.density_curvature = -1e-5;
		flow.shear = ds_v3( 0.02, -0.01, 0 );
		flow.shear_curvature = ds_v3( 1e-3, 2e-3, 0 );
	}
	ds_quat turn = ds_quat_exp( ds_v3( 0.01, 0.02, 0.03 ) );
	double times[REPEATS];
	for ( int i = 0; i < REPEATS; ++i )
	{
		double start = bench_clock();
		for ( int k = 0; k < CALLS; ++k )
		{
			ds_face_forces forces;
			ds_faces_evaluate( faces, &flow, &forces );
			flow.attitude = ds_quat_normalize( ds_quat_mul( flow.attitude, turn ) );
			flow.velocity.z += 1e-9 * forces.drag.force.z;
		}
		times[i] = 1e9 * ( bench_clock() - start ) / CALLS / FACES;
	}
	ds_faces_destroy( faces );
	return bench_median( times, REPEATS );
}

double bench_faces_submerged_5120( void )
{
	return time_faces( 10, false );
}

double bench_faces_surface_5120( void )
{
	return time_faces( 0, false );
}

double bench_faces_full_5120( void )
{
	return time_faces( 10, true );
}
