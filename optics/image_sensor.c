#include "deepsim/image_sensor.h"

#include "deepsim/math.h"
#include "optics/image_sensor_kernel.h"

#include <math.h>
#include <string.h>

// CODATA 2018, exact by definition.
#define PLANCK      6.62607015e-34 // [J s]
#define LIGHT_SPEED 299792458.0 // [m/s]

#define PIECES 64 // of a band, for its mean

// ---- from light to electrons ---------------------------------------------------------------------------------------

double ds_image_sensor_response( int32_t channel, double wavelength )
{
	static const double centre[3] = { 605, 535, 460 }, deviation[3] = { 30, 32, 30 };
	double x = ( wavelength - centre[channel] ) / deviation[channel];
	return exp( -0.5 * x * x );
}

void ds_image_sensor_factors(
	const ds_image_sensor_config *config, const ds_bands *bands, double factors[3 * DS_MAX_BANDS] )
{
	double pitch = config->pixel_pitch, n = config->f_number;
	double light = DS_PI / 4 / ( n * n ) * config->transmittance * pitch * pitch * config->quantum_efficiency;
	memset( factors, 0, 3 * DS_MAX_BANDS * sizeof( factors[0] ) );
	for ( int32_t c = 0; c < 3; ++c )
	{
		for ( int32_t b = 0; b < bands->count; ++b )
		{
			double sum = 0;
			for ( int i = 0; i < PIECES; ++i )
			{
				double nm = bands->wavelength[b] + bands->width[b] * ( ( i + 0.5 ) / PIECES - 0.5 );
				sum += ds_image_sensor_response( c, nm ) * nm * 1e-9 / ( PLANCK * LIGHT_SPEED );
			}
			factors[c * DS_MAX_BANDS + b] = light * sum / PIECES;
		}
	}
}

// Gains that make these three equal. The least is 1.
static void equalize( const double values[3], double gains[3] )
{
	double most = fmax( values[0], fmax( values[1], values[2] ) );
	for ( int c = 0; c < 3; ++c )
	{
		double gain = most > 0 && values[c] > 0 ? most / values[c] : most > 0 ? DS_IMAGE_MAX_GAIN : 1;
		gains[c] = fmin( gain, DS_IMAGE_MAX_GAIN );
	}
}

void ds_image_sensor_white_gains(
	const ds_image_sensor_config *config, const ds_bands *bands, const double *radiance, double gains[3] )
{
	double factors[3 * DS_MAX_BANDS], electrons[3] = { 0, 0, 0 };
	ds_image_sensor_factors( config, bands, factors );
	for ( int32_t i = 0; i < 3 * bands->count; ++i )
	{
		int32_t c = i / bands->count, b = i % bands->count;
		electrons[c] += factors[c * DS_MAX_BANDS + b] * radiance[b];
	}
	equalize( electrons, gains );
}

// ---- exposure of frames --------------------------------------------------------------------------------------------

ds_image_exposure ds_image_sensor_first( const ds_image_sensor_config *config )
{
	ds_image_exposure exposure = { config->exposure, { 1, 1, 1 } };
	if ( config->auto_exposure )
	{
		exposure.time = fmin( fmax( config->exposure, config->auto_limits[0] ), config->auto_limits[1] );
	}
	if ( config->white == DS_WHITE_GIVEN )
	{
		memcpy( exposure.white, config->white_gains, sizeof( exposure.white ) );
	}
	return exposure;
}

void ds_image_sensor_mean( const ds_image_sensor_config *config, const ds_image_exposure *exposure, int64_t count,
	const float *red, const float *green, const float *blue, double mean[3] )
{
	const float *planes[3] = { red, green, blue };
	double scale = config->gain / config->full_well, full = fmin( config->full_well, config->full_well / config->gain );
	for ( int c = 0; c < 3; ++c )
	{
		double sum = 0;
		for ( int64_t i = 0; i < count; ++i )
		{
			double rate = planes[c][i] > 0 ? (double)planes[c][i] : 0;
			double electrons = ( rate + config->dark_current ) * exposure->time;
			sum += electrons < full ? electrons : full;
		}
		mean[c] = count > 0 ? sum * scale / (double)count : 0;
	}
}

void ds_image_sensor_next( const ds_image_sensor_config *config, const double mean[3], ds_image_exposure *exposure )
{
	if ( config->white == DS_WHITE_GREY_WORLD )
	{
		double gains[3];
		equalize( mean, gains );
		for ( int c = 0; c < 3; ++c )
		{
			exposure->white[c] *= exp2( config->auto_speed * log2( gains[c] / exposure->white[c] ) );
		}
	}
	if ( config->auto_exposure )
	{
		double level = 0;
		for ( int c = 0; c < 3; ++c )
		{
			level += fmin( 1, mean[c] * exposure->white[c] ) / 3;
		}
		double stops = level > 0 ? log2( config->auto_target / level ) : DS_IMAGE_MAX_STOPS;
		stops = fmin( fmax( stops, -DS_IMAGE_MAX_STOPS ), DS_IMAGE_MAX_STOPS );
		double time = exposure->time * exp2( config->auto_speed * stops );
		exposure->time = fmin( fmax( time, config->auto_limits[0] ), config->auto_limits[1] );
	}
}

// ---- from electrons to numbers -------------------------------------------------------------------------------------

static double encode( const ds_image_sensor_config *config, double v )
{
	if ( config->transfer == DS_TRANSFER_GAMMA )
	{
		return pow( v, 1 / config->gamma );
	}
	return v <= 0.0031308 ? 12.92 * v : 1.055 * pow( v, 1 / 2.4 ) - 0.055; // IEC 61966-2-1
}

// The table of a transfer, kept for the next part of the frame: made of the config alone, one a thread.
static const float *transfer_of( const ds_image_sensor_config *config )
{
	static _Thread_local struct
	{
		bool made;
		int32_t transfer;
		double gamma;
		float table[DS_TRANSFER_SIZE + 1];
	} kept;
	if ( config->transfer == DS_TRANSFER_LINEAR )
	{
		return NULL;
	}
	if ( !kept.made || kept.transfer != config->transfer || kept.gamma != config->gamma )
	{
		for ( int i = 0; i <= DS_TRANSFER_SIZE; ++i )
		{
			double root = (double)i / DS_TRANSFER_SIZE;
			kept.table[i] = (float)encode( config, root * root );
		}
		kept.made = true;
		kept.transfer = config->transfer;
		kept.gamma = config->gamma;
	}
	return kept.table;
}

// Slots of the stream's normal numbers: those of a channel's photons and of its reading, a number for each pixel of the largest frame.
static uint32_t slot_of( int channel, bool read, int64_t pixel )
{
	return (uint32_t)( ( (int64_t)( 2 * channel + read ) * DS_IMAGE_MAX_PIXELS ) + pixel );
}

typedef struct part
{
	const ds_sensor_kernel *kernel;
	const ds_random *stream;
	ds_sensor_channel channels[3];
	const float *planes[3];
} part;

// Pixels [pixel, pixel + count) of the frame, from `at` in the planes.
static void expose_block( const part *p, int64_t pixel, int64_t at, int count, uint16_t out[3][DS_SENSOR_BLOCK] )
{
	double shot[DS_SENSOR_BLOCK], read[DS_SENSOR_BLOCK];
	for ( int c = 0; c < 3; ++c )
	{
		const ds_sensor_channel *channel = p->channels + c;
		if ( channel->shot )
		{
			ds_random_normals( p->stream, slot_of( c, false, pixel ), (uint32_t)count, shot );
		}
		if ( channel->read > 0 )
		{
			ds_random_normals( p->stream, slot_of( c, true, pixel ), (uint32_t)count, read );
		}
		p->kernel->expose( channel, count, p->planes[c] + at, shot, read, out[c] );
	}
}

void ds_image_sensor_expose( const ds_image_sensor_config *config, const ds_image_exposure *exposure,
	const ds_random *stream, int64_t first, int64_t count, const float *red, const float *green, const float *blue,
	uint8_t *color8, uint16_t *color16 )
{
	const ds_sensor_kernel *kernels[2];
	(void)ds_sensor_kernels( kernels );
	part p = { .kernel = kernels[0], .stream = stream, .planes = { red, green, blue } };
	for ( int c = 0; c < 3; ++c )
	{
		p.channels[c] = ( ds_sensor_channel ){ .time = (float)exposure->time,
			.dark = (float)config->dark_current,
			.well = (float)config->full_well,
			.read = (float)config->read_noise,
			.scale = (float)( config->gain / config->full_well ),
			.white = (float)exposure->white[c],
			.black = (float)config->black_level,
			.top = (float)( ( 1 << config->bits ) - 1 ),
			.shot = config->shot_noise,
			.transfer = transfer_of( config ) };
	}
	for ( int64_t at = 0; at < count; )
	{
		// blocks end where those of the frame do: random numbers cost least there
		int64_t left = DS_SENSOR_BLOCK - ( first + at ) % DS_SENSOR_BLOCK;
		int some = (int)( left < count - at ? left : count - at );
		uint16_t out[3][DS_SENSOR_BLOCK];
		expose_block( &p, first + at, at, some, out );
		for ( int i = 0; i < some && color8; ++i )
		{
			uint8_t *to = color8 + 3 * ( at + i );
			to[0] = (uint8_t)out[0][i];
			to[1] = (uint8_t)out[1][i];
			to[2] = (uint8_t)out[2][i];
		}
		for ( int i = 0; i < some && color16; ++i )
		{
			uint16_t *to = color16 + 3 * ( at + i );
			to[0] = out[0][i];
			to[1] = out[1][i];
			to[2] = out[2][i];
		}
		at += some;
	}
}
