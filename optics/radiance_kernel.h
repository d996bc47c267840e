// Inside optics: the kernel that lights a tile, in variants of different vector width with the same bits.

#ifndef DEEPSIM_RADIANCE_KERNEL_H
#define DEEPSIM_RADIANCE_KERNEL_H

#include "optics/radiance.h"

#define DS_LIGHT_CLIPS 64

// A lamp as the kernel needs it.
typedef struct ds_light_source
{
	float position[3], axis[3];
	float radius2; // [m2]
	float limit; // no light where the cosine is below
	// For a ray whose greatest cosine is at an entry, evenly over the profile: the cosine below which it gets next to no light.
	float clip[DS_LIGHT_CLIPS + 1];
	float scale; // of places in the profile
	const float *profile;
	float power[DS_MAX_BANDS]; // [W]
} ds_light_source;

// What is worked out once for a tile.
typedef struct ds_light_setup
{
	const ds_light_scene *scene;
	const ds_phase_table *phase;
	int32_t bands, lamps, steps;
	float c[DS_MAX_BANDS], bp[DS_MAX_BANDS], bw[DS_MAX_BANDS], kd[DS_MAX_BANDS];
	float forward[DS_MAX_BANDS]; // scattering by less than 90 degrees [1/m]
	float fall[DS_MAX_BANDS]; // -c log2( e )
	float far; // 4.5 over the least c: where single scattering ends [m]
	float f0; // of a dielectric's face
	float sun[DS_MAX_BANDS]; // across its direction
	float sky[DS_MAX_BANDS];
	bool is_sunny, is_light; // is there sun, daylight
	float node[DS_MAX_STEPS], weight[DS_MAX_STEPS]; // Gauss-Legendre, on [-1, 1]
	ds_light_source source[DS_MAX_LAMPS];
} ds_light_setup;

typedef struct ds_light_kernel
{
	const char *name;
	void ( *light )( const ds_light_setup *setup, ds_tile *tile );
	void ( *nodes )( const ds_light_setup *setup, const ds_tile *tile, int lamp, float *distance );
	// the approximations, for tests: `count` a multiple of 16
	void ( *exponentials )( const float *x, float *result, int count );
	void ( *fades )( const float *x, float *result, int count ); // 2^x, x not above 0
	void ( *logarithms )( const float *x, float *result, int count );
} ds_light_kernel;

extern const ds_light_kernel ds_light_kernel_plain;
#if defined( __x86_64__ )
extern const ds_light_kernel ds_light_kernel_avx2, ds_light_kernel_avx512;
#endif

#define DS_LIGHT_KERNELS 3

// Those which this processor runs, the widest first. Returns how many.
int ds_light_kernels( const ds_light_kernel *kernels[DS_LIGHT_KERNELS] );

void ds_light_setup_make( const ds_light_scene *scene, ds_light_setup *setup );

#endif
