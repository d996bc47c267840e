// Inside optics: marine snow. Particles lie in an endless field of cubic cells, each a function of the seed and the cell alone; a
// displacement, which the camera's state keeps, moves them all with the water and sinks them. Their number in any volume is Poisson's;
// their diameters follow Junge's law: the number larger than d falls as d^-slope, from `minimum` to `maximum` (Junge 1963; in the sea
// Bader, "The hyperbolic distribution of particle sizes", J. Geophys. Res. 75, 1970).
//
// A camera calls, for each moment of an exposure and each piece of its particles:
//   ds_snow_visit     which particles it sees, in its axes
//   ds_snow_tile      lays up to DS_TILE of them as surfaces into a tile, which ds_tile_light lights
//   (the lens)        projects them: pixel, diameter in pixels
//   ds_snow_splat     draws them into the planes of a frame
// Nothing is allocated, and all is a function of the arguments.

#ifndef DEEPSIM_OPTICS_SNOW_H
#define DEEPSIM_OPTICS_SNOW_H

#include "deepsim/camera.h"
#include "optics/radiance.h"

// Ready for use: plain data.
typedef struct ds_snow
{
	uint32_t key[2];
	double cell; // edge of a cell [m]
	double chance[32]; // that a cell has n particles or fewer
	double density; // [1/m3]
	double minimum, slope; // [m], 1
	double low, span; // maximum^-slope, minimum^-slope - maximum^-slope, or by logarithms where the slope is 0
	double reflectance;
	double range; // [m]
} ds_snow;

// `config` is as its table permits; of density 0 there are no particles. Cameras that shall see the same particles (a stereo pair)
// have the same seed and config.
void ds_snow_make( const ds_snow_config *config, uint64_t seed, ds_snow *snow );

typedef struct ds_snow_view
{
	ds_vec3 eye; // world axes [m]
	ds_vec3 right, down, ahead; // the camera's axes in the world's, unit
	ds_vec3 moved; // displacement of the field: of the water since the start, and sinking [m]
	double half_angle; // of the cone about `ahead` that is looked into, up to pi [rad]
	double nearest; // what is nearer is left out [m]
} ds_snow_view;

typedef struct ds_snow_particle
{
	float position[3]; // right, down, ahead [m]
	float range; // from the eye [m]
	float diameter; // [m]
	float reflectance;
} ds_snow_particle;

// How far out particles are visited: the snow's range, or less, so that their expected number in the cone plus six standard deviations
// is no more than `capacity`, and that no more than 16 `capacity` + 4096 cells are gone through. It does not depend on where the eye is.
double ds_snow_reach( const ds_snow *snow, const ds_snow_view *view, int64_t capacity );

// All particles from `nearest` to the reach inside the cone, in a fixed order (of cells, then within them). Returns their number, at most
// `capacity`: what a one in 10^9 chance brings beyond it is left out.
int64_t ds_snow_visit( const ds_snow *snow, const ds_snow_view *view, int64_t capacity, ds_snow_particle *particles );

// A tile of up to DS_TILE particles: grey Lambert discs that face the eye, seen by rays that end on them. All lamps and the sun shine on
// them until the caller says otherwise. After ds_tile_light, ds_snow_take gives what each looks like.
void ds_snow_tile( const ds_snow_particle *particles, int32_t count, ds_tile *tile );

// A particle as it is drawn.
typedef struct ds_snow_spot
{
	float u, v; // pixel of its centre (0, 0: centre of the top left one)
	float diameter; // of its image [px], before blur
	float range; // along the ray, as the frame's ranges [m]
	float
		radiance[DS_MAX_BANDS]; // where it fills a pixel: its own, dimmed, and what is scattered before it [W/(m2 sr)]
} ds_snow_spot;

// The radiance of particle i of the tile: its surface's, dimmed by exp( -c range ), and what is scattered into the ray.
void ds_snow_take( const ds_light_scene *scene, const ds_tile *tile, int32_t i, ds_snow_spot *spot );

typedef struct ds_snow_frame
{
	int32_t width, height, bands;
	float *planes[DS_MAX_BANDS]; // radiance, row by row
	const float *range; // of what is seen at each pixel [m]; INFINITY: nothing. NULL: nothing anywhere
	float blur; // least diameter of a spot [px], of the lens; about 1.4 for a good one
} ds_snow_frame;

// Draws spots in their order: discs of their diameter, or of the blur where that is larger, with edges one pixel soft. The light of a
// spot on all pixels, those outside the frame too, is its radiance times the area of its image; what is behind is covered by as much.
// Pixels whose range is less than the spot's are left alone. Spots wider than 128 px, and those that are not finite, are left out.
void ds_snow_splat( const ds_snow_frame *frame, const ds_snow_spot *spots, int64_t count );

#endif
