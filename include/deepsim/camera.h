// libdeepsim: the sensor "camera": images as light makes them, by rays, without a GPU or a display.
//
// It looks along x of its mount; y is to the right, z down, so that optical axes (x right, y down, z ahead) are (y, z, x) of the mount.
// The stamp of a frame is the middle of its exposure.

#ifndef DEEPSIM_CAMERA_H
#define DEEPSIM_CAMERA_H

#include "deepsim/image_sensor.h"
#include "deepsim/lens.h"
#include "deepsim/port.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Particles in the water that catch the lamps' light.
typedef struct ds_snow_config
{
	double density; // particles larger than `minimum` in a cubic metre; 0: none
	double minimum, maximum; // diameters [m]
	double slope; // of Junge's size distribution: number larger than d ~ d^-slope
	double reflectance; // of a particle
	double sinking; // [m/s]
	double range; // drawn up to here [m]
	int64_t seed; // where they are: cameras of the same seed and options see the same particles
} ds_snow_config;

typedef struct ds_camera_config
{
	ds_lens_config lens;
	ds_port_config port;
	ds_image_sensor_config sensor;
	// frames
	bool color, radiance, depth, normals, segmentation, flow;
	// light
	int64_t bands; // that light is reckoned in: 3, or up to 16 from 400 to 700 nm
	bool
		lit; // false: colours of surfaces as they are (reflectance as share of full scale), without light, water and noise
	bool shadows; // of lamps and of the sun on what is seen
	bool beam_shadows; // of things in the lamps' beams: the water behind them is dark
	int64_t backscatter_steps; // of the integral along each ray, for each lamp; 0: no backscatter
	bool forward_scatter; // blur by small angles
	bool own_body; // the body that it is mounted on is seen
	double range; // nothing is seen beyond [m]
	int64_t motion_samples; // moments in the exposure whose mean is the frame; 1: no motion blur
	int64_t supersampling; // rays for each pixel along each of its sides, each at moments of its own
	ds_snow_config snow;
} ds_camera_config;

// A frame. Images are row by row from the top left; what was not asked for is empty. Colour is interleaved RGB.
typedef struct ds_camera
{
	int64_t width, height; // [px]
	double exposure; // time [s]
	double gains[3]; // of white balance in use
	double mean; // of the frame, with the gains, linear, share of full scale: what automatic exposure aims at
	ds_span color8; // u8 x 3, where the sensor has 8 bits
	ds_span color16; // u16 x 3, else
	ds_span
		radiance; // f32 x 3: red, green, blue [W/(m2 sr)], of the scene: before port, lens and sensor; more bands are summed up
	// f32: along the ray in the water, from the port's outer face (without a port from the centre of projection) [m]; inf: nothing
	ds_span depth;
	ds_span z_depth; // f32: along the optical axis from the centre of projection [m]; inf: nothing
	ds_span normals; // f32 x 3: unit, optical axes; 0: nothing
	// i32: instance; 0: nothing, 1: seabed, 2 + index: bodies in their order, 2^23 and more: nodules
	ds_span segmentation;
	ds_span flow; // f32 x 2: velocity of the image of what is seen [px/s]: right, down; 0: nothing
} ds_camera;

DS_API const ds_table *ds_camera_config_table( void );
DS_API const ds_table *ds_camera_table( void );
DS_API ds_camera_config ds_camera_config_default( void );

#ifdef __cplusplus
}
#endif

#endif
