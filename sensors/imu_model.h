// Inside the IMU model: its fixed numbers, its state, and what is prepared for an interval.

#ifndef DEEPSIM_SENSORS_IMU_MODEL_H
#define DEEPSIM_SENSORS_IMU_MODEL_H

#include "deepsim/imu.h"
#include "sensors/flicker.h"

// Axes: gyroscopes x, y, z, accelerometers x, y, z, and two that make whole vectors.
#define DS_IMU_AXES  6
#define DS_IMU_LANES 8

// Processes with memory, a row of six axes each: random walk, Gauss-Markov, decades of bias instability.
#define DS_IMU_WALK      0
#define DS_IMU_MARKOV    1
#define DS_IMU_FLICKER   2
#define DS_IMU_ROWS      ( DS_IMU_FLICKER + DS_FLICKER_COUNT )
#define DS_IMU_PROCESSES ( DS_IMU_ROWS * DS_IMU_AXES )

// Normal slots of a sample's stream: white noise of each axis, the processes, the time stamp. Of the reset's stream: turn-on
// biases, where the processes start. Uniform slots of the reset's stream: phases of the lines.
#define DS_IMU_SLOT_PROCESS DS_IMU_AXES
#define DS_IMU_SLOT_STAMP   ( DS_IMU_SLOT_PROCESS + DS_IMU_PROCESSES )
#define DS_IMU_DRAW         16 // numbers are drawn by so many at once
#define DS_IMU_SLOTS        ( ( DS_IMU_SLOT_STAMP + DS_IMU_DRAW ) / DS_IMU_DRAW * DS_IMU_DRAW )

// What ds_imu_config_table and ds_imu_table return.
extern const ds_table ds_imu_options;
extern const ds_table ds_imu_readings;

typedef struct ds_imu_step ds_imu_step;
typedef struct ds_imu_state ds_imu_state;

// Mean rates of all axes, and increments.
typedef struct ds_imu_means
{
	double rate[DS_IMU_LANES], increment[DS_IMU_LANES];
	bool saturated;
} ds_imu_means;

// One sample: `warmth` the mean distance to the reference temperature [K], `speed` [rev/s], normals by slots.
typedef void ds_imu_kernel( const ds_imu_model *model, ds_imu_state *state, const ds_imu_step *step,
	const ds_imu_truth *truth, double warmth, double speed, const double *normals, ds_imu_means *means );

extern ds_imu_kernel *const ds_imu_kernel_avx2;
extern ds_imu_kernel *const ds_imu_kernel_plain;

// The kernels that this machine runs, fastest first; returns how many. All give the same bits.
int ds_imu_kernels( ds_imu_kernel *kernels[2] );

struct ds_imu_model
{
	ds_allocator allocator;
	ds_imu_kernel *kernel;
	ds_imu_config config; // without its array
	double truth[DS_IMU_AXES][DS_IMU_LANES]; // column by column: M (I + S) of both, and g-sensitivity
	double bias[DS_IMU_LANES], turn_on[DS_IMU_LANES];
	double thermal[DS_IMU_LANES]; // temperature coefficient
	double white[DS_IMU_LANES]; // N
	double sigma[DS_IMU_ROWS][DS_IMU_AXES]; // of a process; K of a walk
	double tau[DS_IMU_ROWS][DS_IMU_AXES]; // 0: a walk
	double range[DS_IMU_LANES]; // infinite: none
	double resolution[DS_IMU_LANES]; // 0: none

	int32_t rows; // processes in use: all rows below this
	int32_t normals; // slots drawn for a sample
	int32_t lines;
	bool filtered, quantised;
	double frequency[DS_IMU_MAX_VIBRATIONS], order[DS_IMU_MAX_VIBRATIONS];
	double constant[DS_IMU_MAX_VIBRATIONS]; // 1: of fixed amplitude; 0: grows with speed squared
	double amplitude[DS_IMU_MAX_VIBRATIONS][DS_IMU_LANES];
};

// What depends on the interval alone.
struct ds_imu_step
{
	double dt; // [s]; 0: not prepared
	double rate; // 1 / dt
	double share[DS_IMU_PROCESSES]; // the mean of a process x is share (x0 + x1), and a residual
	double decay[DS_IMU_PROCESSES], kick[DS_IMU_PROCESSES]; // of share x: y1 = decay y0 + kick n
	double white[DS_IMU_LANES]; // standard deviation: white noise and all residuals
	double variance[DS_IMU_LANES]; // reported
	double a1[DS_IMU_LANES], a2[DS_IMU_LANES], a3[DS_IMU_LANES]; // low-pass
	double steps[DS_IMU_LANES]; // most steps of resolution of a reading
	double unit[DS_IMU_LANES]; // a step of resolution; 1 where there is none
	double per_unit[DS_IMU_LANES]; // steps in 1
	double heat_decay, heat_share; // of the unit's distance to its final temperature: at the end, in the mean
};

struct ds_imu_state
{
	double process[DS_IMU_PROCESSES]; // share x, of the step used last; before the first step x itself
	double ends[2 * DS_IMU_AXES]; // their sums over rows of even and of odd number
	double offset[DS_IMU_LANES]; // bias and turn-on bias
	double slope[DS_IMU_LANES], level[DS_IMU_LANES]; // of the low-pass
	double carry[DS_IMU_LANES]; // increment that was not reported yet
	double temperature; // of the unit [degC]
	// lines of vibration: where they are; turns of the last interval; sine, cosine and sinc of pi times these
	double sine[DS_IMU_MAX_VIBRATIONS], cosine[DS_IMU_MAX_VIBRATIONS];
	double turns[DS_IMU_MAX_VIBRATIONS];
	double turn_sine[DS_IMU_MAX_VIBRATIONS], turn_cosine[DS_IMU_MAX_VIBRATIONS], sinc[DS_IMU_MAX_VIBRATIONS];
	int64_t started; // 1: the low-pass has a state
	int64_t current; // the step to be used
	ds_imu_step steps[2];
};

// The step of an interval, from the state's two, prepared anew if it is neither.
const ds_imu_step *ds_imu_step_of( const ds_imu_model *model, ds_imu_state *state, double dt );

// Variance of the residual of a mean over u correlation times, over that of the process.
double ds_imu_bridge( double u );

// How many whole steps of `unit` fit into a range.
double ds_imu_whole_steps( double range, double unit );

#endif
