// Inside optics: a camera ready for use: its lens behind its port as a table of rays, and where its frames lie in a reading.

#ifndef DEEPSIM_OPTICS_CAMERA_H
#define DEEPSIM_OPTICS_CAMERA_H

#include "deepsim/camera.h"
#include "deepsim/plugin.h"

#include "optics/radiance.h"
#include "optics/snow.h"

#define DS_CAMERA_PIXELS    ( 64 * 1024 * 1024 ) // in a frame, at most
#define DS_CAMERA_MEMORY    16.0 // of a camera's rays and a frame in the making, at most [GiB]
#define DS_CAMERA_SIDE      16 // of a tile [px]
#define DS_CAMERA_BLOCK     4 // of the blocks that its rays are ordered by [px]
#define DS_CAMERA_PARTICLES 32768 // of marine snow in a frame, at most
#define DS_CAMERA_SUBPIXELS 4 // supersampling, at most

extern const ds_table ds_camera_options;
extern const ds_table ds_camera_readings;

// ---- rays --------------------------------------------------------------------------------------------------------

// The rays of a tile of 16 x 16 pixels, for those pixels that the lens reaches; blocks of 4 x 4 pixels follow each other row by row,
// and in each the pixels do. Optical axes, from the centre of projection.
typedef struct ds_ray_tile
{
	int32_t count;
	int32_t pixel[DS_TILE]; // number in the frame, row by row
	float direction[3][DS_TILE]; // unit
} ds_ray_tile;

typedef struct ds_ray_origins
{
	float at[3][DS_TILE]; // [m]
} ds_ray_origins;

// One ray for each pixel.
typedef struct ds_ray_table
{
	ds_ray_tile *tiles;
	ds_ray_origins *origins; // NULL: all at the centre of projection
} ds_ray_table;

// What is seen through a port on one side of the water's surface.
typedef struct ds_camera_side
{
	ds_port port;
	bool bends; // false: there is no port
	ds_ray_table center; // through the pixels' middles
	ds_ray_table
		sub[DS_CAMERA_SUBPIXELS * DS_CAMERA_SUBPIXELS]; // of the light; sub[0] is `center` without supersampling
	bool whole; // every pixel has a ray in each table
	float *light; // of each pixel: share of the light that passes port and lens; 0: nothing reaches it
	double focal; // pixels per radian about the middle, outside of the port
	double half_angle; // of the cone about the axis that holds all rays [rad]
} ds_camera_side;

// Makes the rays through pixels shifted by (du, dv) [px]; `light` may be NULL.
void ds_ray_table_fill(
	const ds_lens *lens, const ds_port *port, double du, double dv, ds_ray_table *table, float *light );
double ds_camera_focal( const ds_lens *lens, const ds_port *port );

// ---- the model ---------------------------------------------------------------------------------------------------

// Memory that a frame needs while it is made. It holds nothing from one frame to the next but tables that follow from what they are of.
typedef struct ds_camera_scratch
{
	size_t size; // of all
	float *total[DS_MAX_BANDS]; // of each band: mean radiance; of what is not lit: red, green, blue
	float *surface[DS_MAX_BANDS], *out[DS_MAX_BANDS], *forward[DS_MAX_BANDS]; // with forward scatter
	float *image[DS_MAX_BANDS]; // with snow: radiance of one pass
	float *range; // with either
	ds_snow_particle *particles;
	ds_snow_spot *spots;
	float *channel[3]; // electrons a second
	double *means; // 3 of each row
	ds_phase_config phase; // that `phases` is of
	bool has_phases;
	ds_phase_table phases;
} ds_camera_scratch;

#define DS_CAMERA_SPARE 16 // blocks of scratch that are kept for worlds that make frames at once

typedef struct ds_camera_model
{
	const ds_host *host;
	ds_camera_config config;
	ds_lens lens;
	int32_t width, height, columns, rows; // [px]; tiles
	ds_bands bands;
	float reflect[DS_MAX_BANDS][3]; // weights of a colour's red, green, blue in each band
	double factors[3 * DS_MAX_BANDS]; // of the image sensor
	int32_t sides; // 1: rays are the same in air and in water
	ds_camera_side side[2]; // wet, dry
	bool pictures; // colour or radiance is wanted
	bool geometry; // any of the others
	int32_t subpixels; // rays for each pixel in a moment
	ds_image_sensor_config flat; // of what is not lit: colours are shares of full scale, without noise
	bool blurred, snowy; // forward scatter, marine snow
	ds_snow snow;
	ds_camera spans; // where frames lie
	size_t output_size;
	void *spare; // blocks of scratch: see camera_model.c
} ds_camera_model;

// Errors: RANGE, MEMORY, and those of lens and port. The model is freed by ds_camera_model_destroy.
ds_status ds_camera_model_create( const ds_host *host, const ds_camera_config *config, ds_camera_model **model );
void ds_camera_model_destroy( ds_camera_model *model );

// A block of scratch for one frame; NULL: out of memory. The first is there from the start: more are made when clones of a world, which
// share a model, make frames at the same time.
ds_camera_scratch *ds_camera_scratch_take( const ds_camera_model *model );
void ds_camera_scratch_give( const ds_camera_model *model, ds_camera_scratch *scratch );

// From the stamp to the end of a frame: half of the longest exposure and half of the readout [s].
double ds_camera_delay( const ds_camera_config *config );

#endif
