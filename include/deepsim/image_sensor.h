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
	double transmittance; // of the optics
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
	int64_t bits; // of a pixel in the image: 8, or 10, 12, 14, 16 in 16-bit frames
	int32_t transfer; // ds_transfer
	double gamma;
	double black_level; // share of full scale
	int32_t white; // ds_white_balance
	double white_gains[3];
	double readout; // rolling shutter: time from the first row's exposure to the last one's [s]; 0: global
} ds_image_sensor_config;

DS_API const ds_table *ds_image_sensor_config_table( void );
DS_API ds_image_sensor_config ds_image_sensor_config_default( void );

// Electrons that a radiance of 1 W/(m2 sr) in each band gives in channel c (red, green, blue) in 1 s: factors[c * DS_MAX_BANDS + band].
// pi/4 / N^2 times pixel area, quantum efficiency, photon's energy; the channels' spectral response.
DS_API void ds_image_sensor_factors(
	const ds_image_sensor_config *config, const ds_bands *bands, double factors[3 * DS_MAX_BANDS] );

// One frame from expected electrons a second (3 planes of `pixels`: red, green, blue) to numbers: exposure, dark current, shot noise, read
// noise, full well, gain, white balance, black level, transfer, bits. The noise of pixel i, channel c is drawn from the slots of the
// stream that belong to it, so that parts of a frame may be made in any order: [first, first + count) of the frame, written to
// color8 or color16 (interleaved RGB; the other NULL). `white`: gains in use.
typedef struct ds_image_exposure
{
	double time; // [s]
	double white[3];
} ds_image_exposure;

DS_API void ds_image_sensor_expose( const ds_image_sensor_config *config, const ds_image_exposure *exposure,
	const ds_random *stream, int64_t first, int64_t count, const float *red, const float *green, const float *blue,
	uint8_t *color8, uint16_t *color16 );

// The exposure of the next frame from the means (linear, share of full scale, before white balance) of this one.
DS_API void ds_image_sensor_next(
	const ds_image_sensor_config *config, const double mean[3], ds_image_exposure *exposure );

#ifdef __cplusplus
}
#endif

#endif
