// Inside optics: what the sources of a frame share: where the camera is at a moment, and the light there.

#ifndef DEEPSIM_OPTICS_FRAME_H
#define DEEPSIM_OPTICS_FRAME_H

#include "optics/camera.h"

#include <cglm/mat3.h>

// What a camera keeps from frame to frame.
typedef struct ds_camera_state
{
	ds_image_exposure exposure; // of the next frame
	ds_vec3 drift; // of marine snow with the water since the start of the run [m]
} ds_camera_state;

void ds_camera_reset( const ds_camera_model *model, ds_camera_state *state );

// Makes a frame: `reading` has room for the model's output_size, zeroed. `light` is NULL where the frame is not lit.
ds_status ds_camera_frame(
	const ds_camera_model *model, ds_camera_state *state, ds_context *context, ds_camera *reading );

// ---- inside ------------------------------------------------------------------------------------------------------

// The camera at a moment: moved on from the stamp at its velocity and rate.
typedef struct ds_camera_moment
{
	double time; // from the stamp [s]
	ds_vec3 position;
	double axes[3][3]; // right, down, ahead in world axes
} ds_camera_moment;

// A lamp as it was at the stamp, and how far it reaches.
typedef struct ds_frame_lamp
{
	ds_light light;
	float power[DS_MAX_BANDS]; // [W]
	float reach; // [m]: beyond, less than a hundredth of an electron comes of it; INFINITY where radiance is asked for
} ds_frame_lamp;

// A frame in the making.
typedef struct ds_frame
{
	const ds_camera_model *model;
	const ds_camera_side *side;
	ds_context *context;
	ds_camera *reading;
	ds_camera_scratch *scratch;
	const ds_image_sensor_config *sensor; // of the camera, or one that takes colours as they are
	ds_image_exposure exposure;
	ds_random stream;
	ds_id ignored; // the camera's own body, where it is not seen
	// light, in world axes at the stamp; `scene` has what does not move
	ds_light_scene scene;
	ds_daylight sun;
	bool has_sun;
	float sun_reach; // [m]: depth below which nothing of the sun is left
	int32_t lamp_count;
	ds_frame_lamp lamps[DS_MAX_LAMPS];
	// the pass at hand
	const ds_ray_table *rays;
	double offset; // of its moment from the middle of the exposure [s]
	float weight; // in the mean of all passes
	bool picture, geometry; // what it is for
	bool first; // of all passes: the mean starts with it
	ds_vec3 snow_moved; // displacement of marine snow at the stamp [m]
	int64_t particle_count;
} ds_frame;

ds_camera_moment ds_frame_moment( const ds_frame *frame, double time );

// World vectors into the camera's axes, in the single precision that light is reckoned in.
static inline void ds_frame_view( const ds_camera_moment *moment, mat3 view )
{
	for ( int i = 0; i < 9; ++i )
	{
		view[i % 3][i / 3] = (float)moment->axes[i / 3][i % 3];
	}
}

// Time of a row's moment from the stamp: a rolling shutter reads from the first to the last.
double ds_frame_row_time( const ds_frame *frame, int32_t row );

// frame_light.c: light and water at the stamp, then as they are seen at a moment.
ds_status ds_frame_light( ds_frame *frame );
void ds_frame_scene( const ds_frame *frame, const ds_camera_moment *moment, ds_light_scene *scene );

// A tile in the making: rays, what they met, light.
typedef struct ds_tile_work
{
	const ds_ray_tile *rays;
	const ds_ray_origins *origins; // NULL: none
	bool rolling; // rows have moments of their own
	ds_camera_moment middle; // of the tile
	ds_camera_moment rows[DS_CAMERA_SIDE];
	int32_t first_row;
	ds_look_ray look[DS_TILE];
	ds_look seen[DS_TILE];
	ds_look_ray shadow[DS_TILE];
	ds_vec3 point[DS_TILE]; // world: of what is seen, a little off its surface
	float facet[3][DS_TILE]; // its face's normal, tile axes; 0 where nothing is seen
	int32_t of[DS_TILE]; // whose shadow ray it is
	bool blocked[DS_TILE];
	ds_light_scene scene;
	ds_tile tile;
} ds_tile_work;

static inline const ds_camera_moment *ds_tile_moment( const ds_tile_work *work, int32_t row )
{
	return work->rolling ? work->rows + ( row - work->first_row ) : &work->middle;
}

// frame_tile.c: tiles [start, end) of the pass at hand; `user` is the frame.
ds_status ds_frame_tiles( int32_t start, int32_t end, void *user );

// frame_shadow.c: fills `visible` and `sunny` of the tile.
ds_status ds_frame_shadows( const ds_frame *frame, ds_tile_work *work );
// Fills `lit` of the tile: which lamps shine on the water along its rays.
ds_status ds_frame_beams( const ds_frame *frame, ds_tile_work *work, float *lit );

// frame_snow.c: draws marine snow into the images of the pass at hand.
ds_status ds_frame_snow( ds_frame *frame );

// frame_geometry.c: depth, normals, instances and flow of a tile whose rays have been cast.
void ds_frame_geometry( const ds_frame *frame, const ds_tile_work *work );
// What they are where nothing is seen.
void ds_frame_clear( const ds_frame *frame );

static inline void *ds_frame_span( const ds_frame *frame, ds_span span )
{
	return (unsigned char *)frame->reading + span.offset;
}

#endif
