// Benchmarks of the light that a camera sees.

#include "deepsim/math.h"
#include "optics/radiance.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH   640
#define HEIGHT  480
#define TILES   ( WIDTH * HEIGHT / DS_TILE )
#define STEPS   12
#define REPEATS 5

typedef struct stage
{
	ds_phase_table phase;
	ds_lamp lamp;
	ds_light_scene scene;
	ds_tile tile;
} stage;

// A spot whose half intensity is 40 degrees from its axis: cos^n, made by hand.
static void make_lamp( ds_lamp *lamp )
{
	const double n = log( 0.5 ) / log( cos( 40 * DS_PI / 180 ) );
	*lamp = ( ds_lamp ){ .flux = 50, .radius = 0.03 };
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		lamp->profile[i] = (float)( ( n + 1 ) / ( 2 * DS_PI ) * pow( (double)i / ( DS_LAMP_PROFILE - 1 ), n ) );
	}
}

// Two lamps beside a camera, turbid water, three bands.
static void make_scene( stage *s )
{
	const ds_phase_config phase = { .kind = DS_PHASE_PETZOLD };
	ds_phase_table_make( &phase, &s->phase );
	make_lamp( &s->lamp );
	s->scene = ( ds_light_scene ){ .bands = 3,
		.phase = &s->phase,
		.lamp_count = 2,
		.down = { 0, 1, 0 },
		.sun_direction = { 0, 1, 0 },
		.depth = 2000,
		.steps = STEPS };
	for ( int k = 0; k < 3; ++k )
	{
		s->scene.a[k] = 0.03f + 0.12f * (float)k;
		s->scene.b_water[k] = 0.003f;
		s->scene.b_particles[k] = 0.1f;
		s->scene.c[k] = s->scene.a[k] + 0.103f;
		s->scene.kd[k] = s->scene.a[k];
		s->scene.reflect[k][k] = 1;
		s->scene.lamps[0].power[k] = s->scene.lamps[1].power[k] = 15;
	}
	s->scene.lamps[0].lamp = s->scene.lamps[1].lamp = &s->lamp;
	s->scene.lamps[0].position[0] = -0.6f;
	s->scene.lamps[1].position[0] = 0.6f;
	s->scene.lamps[0].axis[2] = s->scene.lamps[1].axis[2] = 1;
}

// The pixels of a tile at a place in the image: rays to a seabed 4 m ahead that leans back.
static void look( ds_tile *t, int tile )
{
	int column = 16 * ( tile % ( WIDTH / 16 ) ), row = 16 * ( tile / ( WIDTH / 16 ) );
	t->count = DS_TILE;
	for ( int i = 0; i < DS_TILE; ++i )
	{
		double x = ( column + i % 16 - 0.5 * WIDTH ) / 450, y = ( row + i / 16 - 0.5 * HEIGHT ) / 450;
		double n = 1 / sqrt( 1 + x * x + y * y ), range = 4 / ( n * ( 1 + 0.5 * y ) );
		double d[3] = { x * n, y * n, n }, normal[3] = { 0, -0.447213595, -0.894427191 };
		for ( int k = 0; k < 3; ++k )
		{
			t->origin[k][i] = 0;
			t->direction[k][i] = (float)d[k];
			t->normal[k][i] = (float)normal[k];
			t->color[k][i] = 0.3f;
		}
		t->range[i] = (float)range;
		t->metallic[i] = 0;
		t->roughness[i] = 0.8f;
		t->visible[0][i] = t->visible[1][i] = t->sunny[i] = 1;
	}
}

double bench_light_tile( char *detail, size_t size )
{
	stage *s = aligned_alloc( 64, ( sizeof( stage ) + 63 ) / 64 * 64 );
	if ( s == NULL )
	{
		snprintf( detail, size, "no memory" );
		return NAN;
	}
	make_scene( s );
	s->tile.lit = NULL;
	double times[REPEATS], sum = 0;
	for ( int r = 0; r < REPEATS; ++r )
	{
		times[r] = 0;
		for ( int i = 0; i < TILES; ++i )
		{
			look( &s->tile, i );
			double start = bench_clock();
			ds_tile_light( &s->scene, &s->tile );
			times[r] += bench_clock() - start;
			sum += s->tile.scattered[0][0];
		}
	}
	free( s );
	double time = bench_median( times, REPEATS );
	snprintf( detail, size, "%d x %d pixels, 3 bands, 2 lamps, %d steps: %.0f ns a pixel (%.3g)", WIDTH, HEIGHT, STEPS,
		1e9 * time / ( WIDTH * HEIGHT ), sum );
	return 1e-6 * WIDTH * HEIGHT / time;
}

// A band of a frame: a seabed that leans back.
double bench_forward_scatter( char *detail, size_t size )
{
	const ds_phase_config phase = { .kind = DS_PHASE_PETZOLD };
	const size_t pixels = (size_t)WIDTH * HEIGHT;
	float *frame = calloc( 3 * pixels, sizeof( float ) );
	float *scratch = calloc( (size_t)ds_forward_scratch( WIDTH, HEIGHT ), sizeof( float ) );
	double result = NAN;
	if ( frame && scratch )
	{
		double times[REPEATS];
		for ( size_t i = 0; i < pixels; ++i )
		{
			frame[i] = (float)( i % 97 );
			frame[pixels + i] = 8 - 5 * (float)i / (float)pixels;
		}
		for ( int r = 0; r < REPEATS; ++r )
		{
			double start = bench_clock();
			ds_forward_scatter(
				0.05f, 0.2f, 0.25f, &phase, WIDTH, HEIGHT, 450, frame, frame + pixels, frame + 2 * pixels, scratch );
			times[r] = bench_clock() - start;
		}
		result = 1e9 * bench_median( times, REPEATS ) / (double)pixels;
		snprintf( detail, size, "%d x %d pixels, one band", WIDTH, HEIGHT );
	}
	else
	{
		snprintf( detail, size, "no memory" );
	}
	free( scratch );
	free( frame );
	return result;
}
