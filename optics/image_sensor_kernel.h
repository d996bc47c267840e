// Inside optics: the loop of the image sensor over a block of pixels of one channel, compiled for several instruction sets
// (image_sensor_loop.h). All make the same bits: sums, products, quotients and roots, each rounded once.

#ifndef DEEPSIM_OPTICS_IMAGE_SENSOR_KERNEL_H
#define DEEPSIM_OPTICS_IMAGE_SENSOR_KERNEL_H

#include "deepsim/field.h"

#include <stdbool.h>
#include <stdint.h>

extern const ds_table ds_image_sensor_options; // of ds_image_sensor_config

#define DS_SENSOR_BLOCK  256 // pixels
#define DS_TRANSFER_SIZE 4096 // intervals of a transfer's table

// One channel of a frame.
typedef struct ds_sensor_channel
{
	float time, dark; // [s], [electrons/s]
	float well, read; // [electrons]
	float scale; // gain / full_well
	float white, black;
	float top; // the largest number
	bool shot;
	const float *transfer; // over the root of the share, evenly, DS_TRANSFER_SIZE + 1; NULL: linear
} ds_sensor_channel;

typedef struct ds_sensor_kernel
{
	const char *name;
	// `shot`, `read`: standard normal numbers of each pixel; not looked at where there is no such noise.
	void ( *expose )( const ds_sensor_channel *channel, int count, const float *rate, const double *shot,
		const double *read, uint16_t *out );
} ds_sensor_kernel;

extern const ds_sensor_kernel ds_sensor_kernel_plain;
#if defined( __x86_64__ )
extern const ds_sensor_kernel ds_sensor_kernel_avx2;
#endif

// Those that run on this processor, the fastest first. Returns their number.
int ds_sensor_kernels( const ds_sensor_kernel *kernels[2] );

#endif
