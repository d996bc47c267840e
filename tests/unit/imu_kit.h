// An IMU without a world: a model, its state and a stream of samples.

#ifndef DEEPSIM_TESTS_IMU_KIT_H
#define DEEPSIM_TESTS_IMU_KIT_H

#include "world_kit.h"

#include "sensors/imu_model.h"

typedef struct kit_imu
{
	ds_imu_model *model;
	ds_imu_state state;
	uint64_t seed;
	uint64_t sequence;
	ds_imu_truth truth; // of the next sample
	ds_vec3 rate, force; // at the instant
} kit_imu;

static inline kit_imu kit_imu_make( const ds_imu_config *config, double rate, uint64_t seed )
{
	kit_imu imu;
	memset( &imu, 0, sizeof( imu ) );
	imu.seed = seed;
	OK( ds_imu_create( NULL, config, &imu.model ) );
	imu.truth.interval = 1 / rate;
	imu.truth.temperature = 25;
	ds_random stream = ds_random_stream( seed, "imu", DS_RANDOM_RESET, 0 );
	ds_imu_reset( imu.model, &imu.state, &stream, imu.truth.temperature );
	return imu;
}

static inline ds_imu kit_imu_next( kit_imu *imu )
{
	ds_imu reading;
	memset( &reading, 0xA5, sizeof( reading ) ); // nothing may be left as it was
	ds_random stream = ds_random_stream( imu->seed, "imu", DS_RANDOM_SAMPLE, imu->sequence++ );
	imu->truth.time += imu->truth.interval;
	ds_imu_measure( imu->model, &imu->state, &imu->truth, imu->rate, imu->force, &stream, &reading );
	return reading;
}

// Truth of a constant rate and specific force.
static inline void kit_imu_hold( kit_imu *imu, ds_vec3 rate, ds_vec3 force )
{
	imu->rate = rate;
	imu->force = force;
	imu->truth.delta_angle = ds_scale( imu->truth.interval, rate );
	imu->truth.delta_velocity = ds_scale( imu->truth.interval, force );
}

// Channel 0 to 5: gyroscopes x, y, z, accelerometers x, y, z.
static inline double kit_imu_channel( const ds_imu *reading, int channel )
{
	return channel < 3 ? reading->angular_velocity[channel] : reading->linear_acceleration[channel - 3];
}

static inline ds_inertial_config *kit_imu_triad( ds_imu_config *config, int channel )
{
	return channel < 3 ? &config->gyro : &config->accel;
}

#endif
