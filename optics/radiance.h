// Inside optics: the light on pixels. A tile of neighbouring pixels holds what their rays met; the radiance of each band follows:
//   direct       from lamps, sun and sky on what was met (Lambert and GGX), dimmed by exp( -c r ) on both ways
//   scattered    once, into the ray, along it: lamps (phase function, beam, distance) and daylight
// and over the whole frame the direct light that is scattered by small angles on its way (forward scatter).
//
// Single precision, SI, in the axes of the view: right, down, ahead of the camera at the moment of the tile, from its centre of
// projection. Everything here is a function of its arguments: the same bits for any number of threads and any vector width.

#ifndef DEEPSIM_OPTICS_RADIANCE_H
#define DEEPSIM_OPTICS_RADIANCE_H

#include "deepsim/lamp.h"
#include "deepsim/water_optics.h"

#include <stdalign.h>

#define DS_TILE       256 // pixels: 16 x 16
#define DS_MAX_LAMPS  16 // that light a frame
#define DS_MAX_STEPS  32 // of the integral along a ray
#define DS_PHASE_SIZE 2304 // a third of it from 90 degrees on
#define DS_PHASE_LOW  ( -12.0 ) // of ln tan( angle / 2 )
#define DS_PHASE_HIGH 6.0
#define DS_PHASE_SKY  128

// The phase functions as the kernel needs them, made once for a water.
typedef struct ds_phase_table
{
	float particles[DS_PHASE_SIZE + 1]; // [1/sr] over ln tan( angle / 2 ), evenly, from DS_PHASE_LOW to DS_PHASE_HIGH
	float water[2]; // [1/sr] p = water[0] + water[1] cos^2( angle )
	// What is scattered into a direction of propagation of the sky's light, for an irradiance of 1 on a level plane [1/sr], over the cosine
	// of that direction with down, evenly from -1 to 1: integral of p times the radiance of the sky under water (phase_table.c).
	float particles_sky[DS_PHASE_SKY + 1], water_sky[DS_PHASE_SKY + 1];
	float forward; // share that particles scatter by less than 90 degrees
} ds_phase_table;

void ds_phase_table_make( const ds_phase_config *phase, ds_phase_table *table );

// A lamp as a view sees it.
typedef struct ds_lit_lamp
{
	const ds_lamp *lamp;
	float position[3], axis[3]; // [m], unit
	float power[DS_MAX_BANDS]; // radiant flux in each band now [W]
} ds_lit_lamp;

// What is the same for all tiles of a view.
typedef struct ds_light_scene
{
	int32_t bands;
	float a[DS_MAX_BANDS], b_water[DS_MAX_BANDS], b_particles[DS_MAX_BANDS], c[DS_MAX_BANDS]; // [1/m]
	const ds_phase_table *phase;
	int32_t lamp_count;
	ds_lit_lamp lamps[DS_MAX_LAMPS];
	// daylight at the depth of the origin
	float sun_direction[3]; // in which it travels
	float down[3]; // unit
	float sun[DS_MAX_BANDS], sky[DS_MAX_BANDS]; // irradiance on a level plane [W/m2]
	float kd[DS_MAX_BANDS]; // with depth: exp( -kd z )
	float depth; // of the origin below the surface [m]; < 0: in the air, where nothing is scattered
	int32_t steps; // of the integral along a ray for each lamp, up to DS_MAX_STEPS; 0: nothing is scattered
	// albedo of a band from a colour: weights of red, green, blue
	float reflect[DS_MAX_BANDS][3];
} ds_light_scene;

typedef struct ds_tile
{
	int32_t count; // pixels in use
	// rays and what they met
	alignas( 64 ) float origin[3][DS_TILE], direction[3][DS_TILE]; // in the water, unit
	float range[DS_TILE]; // length of the ray in the water [m]; INFINITY: it met nothing
	float normal[3][DS_TILE]; // smooth, unit, towards the ray's origin
	float color[3][DS_TILE]; // linear reflectance
	float metallic[DS_TILE], roughness[DS_TILE];
	float visible[DS_MAX_LAMPS][DS_TILE]; // 1: the lamp shines on it, 0: something is between
	float sunny[DS_TILE];
	// Beams with shadows in them: [lamp][step][DS_TILE], 1 where the lamp shines on the water at the point of ds_tile_nodes, 0 where
	// something is between; NULL: nothing is.
	const float *lit;
	// results [W/(m2 sr)] in each band
	float surface[DS_MAX_BANDS][DS_TILE]; // leaving what was met, towards the camera; not dimmed on the way to it
	float scattered[DS_MAX_BANDS][DS_TILE]; // into the ray: not dimmed any more
} ds_tile;

// Fills `surface` and `scattered` of the first `count` pixels. The radiance at the camera is surface exp( -c range ) + scattered.
// Pixels after them, up to a multiple of 16, may be overwritten.
void ds_tile_light( const ds_light_scene *scene, ds_tile *tile );

// Where along its ray each pixel takes the light of a lamp that is scattered: distance[step][pixel] [m] from the ray's origin, ascending;
// -1: the lamp lights nothing of the ray. `distance`: steps x DS_TILE floats. Where a beam wider than a half space lights two pieces of
// a ray, these are of the first; the second is never shadowed.
void ds_tile_nodes( const ds_light_scene *scene, const ds_tile *tile, int32_t lamp, float *distance );

// Adds what small-angle scattering brings: `surface` is a frame's plane of one band, `range` its rays' lengths; the result [W/(m2 sr)], which
// is direct light dimmed and blurred, goes to `out`. `focal`: pixels per radian about the middle. `scratch`: ds_forward_scratch floats.
int64_t ds_forward_scratch( int32_t width, int32_t height );
void ds_forward_scatter( float a, float b, float c, const ds_phase_config *phase, int32_t width, int32_t height,
	double focal, const float *surface, const float *range, float *out, float *scratch );

#endif
