// The image sensor: a frame of a camera from electrons to numbers, with all its noise.

#include "tests/bench/bench.h"

#include "deepsim/image_sensor.h"

#include <stdio.h>

// Bench name and its function: image_sensor_640x480 [ms/frame].
double bench_image_sensor( char *detail, size_t size );

#define PIXELS  ( 640 * 480 )
#define REPEATS 15

double bench_image_sensor( char *detail, size_t size )
{
	static float rates[3][PIXELS];
	static uint8_t color[3 * PIXELS];
	ds_image_sensor_config config = ds_image_sensor_config_default();
	ds_image_exposure exposure = ds_image_sensor_first( &config );
	// as of a lit seabed: bright in the middle, next to nothing in the corners; red dies first
	for ( int i = 0; i < PIXELS; ++i )
	{
		float x = (float)( i % 640 - 320 ) / 320, y = (float)( i / 640 - 240 ) / 320;
		float light = 1 / ( 1 + 40 * ( x * x + y * y ) * ( x * x + y * y ) );
		rates[0][i] = 2e4f * light * light;
		rates[1][i] = 4e5f * light;
		rates[2][i] = 2e5f * light;
	}
	double seconds[REPEATS], sum = 0;
	for ( int k = 0; k < REPEATS; ++k )
	{
		ds_random stream = ds_random_stream( 1, "bench", DS_RANDOM_SAMPLE, (uint64_t)k );
		double start = bench_clock();
		ds_image_sensor_expose( &config, &exposure, &stream, 0, PIXELS, rates[0], rates[1], rates[2], color, NULL );
		seconds[k] = bench_clock() - start;
		sum += color[3 * ( PIXELS / 2 + 320 ) + 1];
	}
	snprintf(
		detail, size, "640 x 480 RGB, shot and read noise, sRGB of 8 bits; green in the middle %.0f", sum / REPEATS );
	return 1e3 * bench_median( seconds, REPEATS );
}
