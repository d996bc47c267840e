// libdeepsim: the image sensor of a camera: from the light on a pixel to a number.

#ifndef DEEPSIM_IMAGE_SENSOR_H
#define DEEPSIM_IMAGE_SENSOR_H

#include "deepsim/field.h"
#include "deepsim/random.h"
#include "deepsim/water_optics.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_white_balance
{
	DS_WHITE_NONE, // gains of 1
	DS_WHITE_GIVEN, // `white_gains`
	DS_WHITE_GREY_WORLD // gains that make the frame's means equal
} ds_white_balance;

typedef enum ds_transfer
{
	DS_TRANSFER_SRGB, // IEC 61966-2-1
	DS_TRANSFER_GAMMA, // a power, `gamma`
	DS_TRANSFER_LINEAR
} ds_transfer;

// "sensor" of a camera. Start from ds_image_sensor_config_default().
typedef struct ds_image_sensor_config
{
	double f_number; // focal length over aperture
	double transmittance; // of the lens
	double pixel_pitch; // [m]
	double quantum_efficiency; // electrons a photon, at the best wavelength of each channel
	double exposure; // time [s]; the first one where it is automatic
	bool auto_exposure;
	double auto_target; // mean of the frame that it aims at, share of full scale (linear)
	double auto_limits[2]; // least and greatest time [s]
	double auto_speed; // share of the way, in stops, that is made from frame to frame, 0 to 1
	double gain; // full scale is full_well / gain
	double full_well; // [electrons]
	double read_noise; // standard deviation [electrons]
	double dark_current; // [electrons/s]
	bool shot_noise; // photons are counted; false: as many as expected
	int64_t bits; // of a pixel in the image: 8, or 10, 12, 14, 16 in 16-bit frames, whose full scale is 2^bits - 1
	int32_t transfer; // ds_transfer
	double gamma;
	double black_level; // share of full scale
	int32_t white; // ds_white_balance
	double white_gains[3];
	double readout; // rolling shutter: time from the first row's exposure to the last one's [s]; 0: global
} ds_image_sensor_config;

DS_API const ds_table *ds_image_sensor_config_table( void );
DS_API ds_image_sensor_config ds_image_sensor_config_default( void );

// ---- from light to electrons ---------------------------------------------------------------------------------------

// What the channels make of light, relative to their best: Gaussians about 605, 535 and 460 nm (red, green, blue) with standard
// deviations of 30, 32 and 30 nm, typical of CMOS sensors' filters behind a filter against infrared.
DS_API double ds_image_sensor_response( int32_t channel, double wavelength );

// Electrons that a radiance of 1 W/(m2 sr) in each band gives in channel c (red, green, blue) in 1 s: factors[c * DS_MAX_BANDS + band].
// pi/4 / N^2 times pixel area, transmittance, quantum efficiency and the mean over the band of response / photon's energy (of light
// that is spread evenly over the band). N: of a lens that is focused far away.
DS_API void ds_image_sensor_factors(
	const ds_image_sensor_config *config, const ds_bands *bands, double factors[3 * DS_MAX_BANDS] );

// The gains that make a grey surface grey under this light: radiance in each band, in any unit. The least of them is 1. A channel that
// sees nothing of it gets the most that automatic white balance gives.
DS_API void ds_image_sensor_white_gains(
	const ds_image_sensor_config *config, const ds_bands *bands, const double *radiance, double gains[3] );

// ---- frames --------------------------------------------------------------------------------------------------------

#define DS_IMAGE_MAX_GAIN   8.0 // of automatic white balance
#define DS_IMAGE_MAX_STOPS  3.0 // of automatic exposure in a frame
#define DS_IMAGE_MAX_PIXELS ( INT64_C( 1 ) << 26 ) // of a frame

// Of one frame. Plain data, as a camera's state keeps it.
typedef struct ds_image_exposure
{
	double time; // [s]
	double white[3]; // gains in use
} ds_image_exposure;

// That of the first frame.
DS_API ds_image_exposure ds_image_sensor_first( const ds_image_sensor_config *config );

// One frame from expected electrons a second (3 planes: red, green, blue) to numbers:
//   n = Poisson( ( rate + dark current ) time ), at most full_well        (the mean itself without shot noise)
//   v = ( n + read noise ) gain / full_well, at most 1
//   v = v white + black level, in [0, 1]
//   number = round( transfer( v ) ( 2^bits - 1 ) )
// The noise of pixel i, channel c is drawn from the slots of the stream that belong to it, so that parts of a frame may be made in any
// order: pixels [first, first + count) of the frame, from planes that begin with the part's first pixel, to color8 or color16
// (interleaved RGB, from the part's first pixel; the other NULL). A frame has at most DS_IMAGE_MAX_PIXELS. Rates that are negative or
// NaN count as 0. The same bits on every processor, for any parts.
DS_API void ds_image_sensor_expose( const ds_image_sensor_config *config, const ds_image_exposure *exposure,
	const ds_random *stream, int64_t first, int64_t count, const float *red, const float *green, const float *blue,
	uint8_t *color8, uint16_t *color16 );

// Means of a frame without noise, linear, share of full scale, before white balance and black level: for ds_image_sensor_next. Summed in
// the order of pixels.
DS_API void ds_image_sensor_mean( const ds_image_sensor_config *config, const ds_image_exposure *exposure,
	int64_t count, const float *red, const float *green, const float *blue, double mean[3] );

// The exposure of the next frame from the means of this one.
// Grey world: the gain of each channel goes towards (largest mean) / (its mean), at most DS_IMAGE_MAX_GAIN, by auto_speed of the way in
// stops (log2). Exposure: the level is the mean of the three means times the next frame's gains, each at most 1; the time goes up by
// auto_speed log2( auto_target / level ) stops, the logarithm kept in +- DS_IMAGE_MAX_STOPS, and stays in auto_limits. In a steady scene
// the level comes nearer to the target by the same share with every frame, from one side.
DS_API void ds_image_sensor_next(
	const ds_image_sensor_config *config, const double mean[3], ds_image_exposure *exposure );

#ifdef __cplusplus
}
#endif

#endif
