// Measured Allan curves of three IMUs (tests/fixtures/allan), and configs fitted to them.

#ifndef DEEPSIM_TESTS_ALLAN_MEASURED_H
#define DEEPSIM_TESTS_ALLAN_MEASURED_H

#include "deepsim/allan.h"
#include "deepsim/imu.h"
#include "deepsim/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	MEASURED_DEVICES = 3,
	MEASURED_POINTS = 128
};

typedef struct measured_device
{
	const char *name;
	double rate; // of the data: the shortest averaging time is one sample [Hz]
	double
		bandwidth; // of both triads: what leaves the least misfit of 10, 20 ... Hz; the BMI160's is also its data sheet's at 200 Hz
} measured_device;

static const measured_device measured_devices[MEASURED_DEVICES] = {
	{ "adis16448", 200, 80 },
	{ "bmi160", 196.4, 80 },
	{ "xsens_mti100", 100, 0 },
};

typedef struct measured_curves
{
	int count;
	double rate;
	ds_allan_point points[6][MEASURED_POINTS]; // rad/s, m/s2
} measured_curves;

static inline bool measured_read( const measured_device *device, measured_curves *curves )
{
	char path[1024], line[512];
	snprintf( path, sizeof path, DEEPSIM_SOURCE_DIR "/tests/fixtures/allan/%s.csv", device->name );
	FILE *file = fopen( path, "r" );
	if ( file == NULL )
	{
		return false;
	}
	*curves = ( measured_curves ){ .count = 0 };
	while ( fgets( line, sizeof line, file ) && curves->count < MEASURED_POINTS )
	{
		double v[7];
		char *at = line, *end = line;
		int n = 0;
		for ( ; n < 7; ++n, at = end + ( *end == ',' ) )
		{
			v[n] = strtod( at, &end );
			if ( end == at )
			{
				break;
			}
		}
		if ( n < 7 )
		{
			continue; // a comment, or the names
		}
		curves->rate = curves->count == 0 ? 1 / v[0] : curves->rate;
		for ( int c = 0; c < 6; ++c )
		{
			double unit = c < 3 ? DS_PI / 180 / 3600 : 1;
			curves->points[c][curves->count] = ( ds_allan_point ){
				.tau = v[0], .m = (int64_t)( v[0] * curves->rate + 0.5 ), .deviation = v[1 + c] * unit
			};
		}
		++curves->count;
	}
	fclose( file );
	return curves->count > 50;
}

// Fits every axis, all terms, up to 300 s. Sets the config of the IMU model.
static inline ds_status measured_fit(
	const measured_device *device, const measured_curves *curves, ds_allan_model models[6], ds_imu_config *config )
{
	*config = ds_imu_config_default();
	config->gyro.bandwidth = config->accel.bandwidth = device->bandwidth;
	for ( int c = 0; c < 6; ++c )
	{
		ds_allan_fit_options options = ds_allan_fit_options_default();
		options.markov = true;
		options.bandwidth = device->bandwidth;
		options.tau_maximum = 300;
		ds_allan_fit fit;
		ds_status status = ds_allan_fit_curve( curves->points[c], curves->count, curves->rate, 0, &options, &fit );
		if ( status != DS_OK )
		{
			return status;
		}
		models[c] = fit.model;
		ds_inertial_config *triad = c < 3 ? &config->gyro : &config->accel;
		triad->N[c % 3] = fit.model.N;
		triad->B[c % 3] = fit.model.B;
		triad->K[c % 3] = fit.model.K;
		triad->markov_sigma[c % 3] = fit.model.markov_sigma;
		triad->markov_tau[c % 3] = fit.model.markov_sigma > 0 ? fit.model.markov_tau : triad->markov_tau[c % 3];
	}
	return DS_OK;
}

#endif
