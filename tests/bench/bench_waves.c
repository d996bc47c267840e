// Time of the face model in waves: a sphere of 5120 faces and 1 m radius, about half of it out of the water, in a JONSWAP
// sea of 128 components (Hs 2.5 m, Tp 8 s, spread): the expansion of the sea, then elevation, head, pressure, velocity and
// drag on the faces. Nanoseconds a face, one thread, the median of repeats.

#include "deepsim/math.h"
#include "hydro/faces_waves.h"
#include "tests/bench/bench.h"

double bench_faces_waves_5120_128( void );
ds_faces *bench_sphere_5120( void );

#define REPEATS 41
#define CALLS   20
#define FACES   5120

// The sphere floats: it keeps its depth under the moving surface, and turns, so that every call is another.
static double time_calls( const ds_faces *faces, const ds_waves *waves )
{
	ds_flow flow = { .attitude = { 1, 0, 0, 0 },
		.velocity = { 1, 0.2, -0.1 },
		.rate = { 0.1, -0.2, 0.3 },
		.density = 1025,
		.gravity = 9.81,
		.hydrostatics = true,
		.drag = true };
	ds_quat turn = ds_quat_exp( ds_v3( 0.01, 0.02, 0.03 ) );
	double times[REPEATS], time = 0;
	for ( int i = 0; i < REPEATS; ++i )
	{
		double start = bench_clock();
		for ( int k = 0; k < CALLS; ++k, time += 0.005 )
		{
			ds_wave_patch patch;
			ds_face_forces forces;
			flow.depth = -ds_waves_elevation( waves, 100, 200, time );
			ds_waves_patch( waves, ds_v3( 100, 200, flow.depth ), time, &patch );
			ds_faces_evaluate_waves( faces, &flow, &patch, &forces );
			flow.attitude = ds_quat_normalize( ds_quat_mul( flow.attitude, turn ) );
			flow.velocity.z += 1e-9 * forces.drag.force.z;
		}
		times[i] = 1e9 * ( bench_clock() - start ) / CALLS / FACES;
	}
	return bench_median( times, REPEATS );
}

double bench_faces_waves_5120_128( void )
{
	ds_waves_def def = ds_waves_def_default();
	def.kind = DS_WAVES_JONSWAP;
	def.height = 2.5;
	def.period = 8;
	ds_faces *faces = bench_sphere_5120();
	ds_waves *waves = NULL;
	double result = NAN;
	if ( faces && ds_waves_create( NULL, &def, &waves ) == DS_OK )
	{
		result = time_calls( faces, waves );
	}
	ds_waves_destroy( waves );
	ds_faces_destroy( faces );
	return result;
}
