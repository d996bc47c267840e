// A sample of the IMU, two lanes at a time, and what comes before and after the lanes.

#define WIDTH 2
// Twelve lanes, two rows of six, to one row and two zeros.
#define FOLD( sum, noise )                                                                                             \
	( noise[0] = sum[0] + sum[3], noise[1] = sum[1] + sum[4], noise[2] = sum[2] + sum[5], noise[3] = splat( 0 ) )
#if defined( __x86_64__ )
#include <emmintrin.h>
#define MINIMUM( a, b ) _mm_min_pd( a, b )
#define MAXIMUM( a, b ) _mm_max_pd( a, b )
#else
#define MINIMUM( a, b ) select_from( (mask)( ( a ) < ( b ) ), a, b )
#define MAXIMUM( a, b ) select_from( (mask)( ( a ) > ( b ) ), a, b )
#endif
#include "sensors/imu_loop.h"
#include "sensors/process.h"

#include <math.h>

ds_imu_kernel *const ds_imu_kernel_plain = measure_mean;

int ds_imu_kernels( ds_imu_kernel *kernels[2] )
{
	int count = 0;
#if defined( __x86_64__ )
	__builtin_cpu_init();
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = ds_imu_kernel_avx2;
	}
#endif
	kernels[count++] = ds_imu_kernel_plain;
	return count;
}

// Of all axes: two arrays of a reading that follow each other.
_Static_assert(
	offsetof( ds_imu, linear_acceleration ) == offsetof( ds_imu, angular_velocity ) + 3 * sizeof( double ) &&
		offsetof( ds_imu, delta_velocity ) == offsetof( ds_imu, delta_angle ) + 3 * sizeof( double ) &&
		offsetof( ds_imu, linear_acceleration_variance ) ==
			offsetof( ds_imu, angular_velocity_variance ) + 3 * sizeof( double ),
	"accelerometers follow gyroscopes" );

static void put( ds_imu *reading, size_t offset, const double axes[AXES] )
{
	memcpy( (char *)reading + offset, axes, AXES * sizeof( double ) );
}

static void put_all( ds_imu *reading, const double *rate, const double *increment, const double *variance )
{
	put( reading, offsetof( ds_imu, angular_velocity ), rate );
	put( reading, offsetof( ds_imu, delta_angle ), increment );
	put( reading, offsetof( ds_imu, angular_velocity_variance ), variance );
}

#define SHORTEST 1e-12 // interval [s]

// Whether there is something to measure. At an instant that is what `rate` and `force` are.
static bool is_good( const ds_imu_truth *t, ds_vec3 rate, ds_vec3 force )
{
	bool now = t->interval == 0;
	return ds_is_truth( ds_size3( t->delta_angle ) + ds_size3( t->delta_velocity ) + t->interval + fabs( t->time ) +
						fabs( t->temperature ) + fabs( t->speed ) ) &&
		   ( t->interval >= SHORTEST || ( now && ds_is_truth( ds_size3( rate ) + ds_size3( force ) ) ) );
}

static void refuse( ds_imu *reading )
{
	const double none[AXES] = { NAN, NAN, NAN, NAN, NAN, NAN };
	memset( reading, 0, sizeof( *reading ) );
	put_all( reading, none, none, none );
	reading->interval = reading->stamp = reading->temperature = NAN;
}

// What lines of vibration follow; beyond 10000 rev/s nothing turns.
static double speed_of( const ds_imu_truth *truth )
{
	double speed = fabs( truth->speed );
	return speed < 1e4 ? speed : 1e4;
}

// The mean of the unit's distance to the reference temperature; moves its temperature to the end of the interval:
// dT/dt = (T_end - T) / tau, with T_end = surroundings + self-heating.
static double warm_up( const ds_imu_model *m, ds_imu_state *s, const ds_imu_step *step, double surroundings )
{
	double last = surroundings + m->config.self_heating, distance = s->temperature - last;
	s->temperature = last + distance * step->heat_decay;
	return last + distance * step->heat_share - m->config.reference_temperature;
}

// ---- the first sample of a run -----------------------------------------------------------------------------------

// All but white noise and the low-pass, at this instant.
static void add_all_now(
	const ds_imu_model *m, const ds_imu_state *s, const double truth[AXES], double speed, double u[LANES] )
{
	const ds_imu_step *last = s->steps + s->current;
	double warmth = s->temperature - m->config.reference_temperature;
	for ( int axis = 0; axis < AXES; ++axis )
	{
		u[axis] = s->offset[axis] + warmth * m->thermal[axis];
		for ( int column = 0; column < AXES; ++column )
		{
			u[axis] += m->truth[column][axis] * truth[column];
		}
		for ( int row = 0; row < DS_IMU_ROWS; ++row )
		{
			int i = row * AXES + axis;
			u[axis] += last->dt > 0 ? s->process[i] / last->share[i] : s->process[i];
		}
		for ( int line = 0; line < m->lines; ++line )
		{
			double amplitude = m->constant[line] > 0 ? 1 : 0.01 * speed * speed;
			u[axis] += m->amplitude[line][axis] * amplitude * s->sine[line];
		}
	}
}

static void measure_now(
	const ds_imu_model *m, ds_imu_state *s, const ds_imu_truth *t, ds_vec3 rate, ds_vec3 force, ds_imu *reading )
{
	const double truth[AXES] = { rate.x, rate.y, rate.z, force.x, force.y, force.z };
	double u[LANES] = { 0 }, variance[AXES] = { 0 };
	add_all_now( m, s, truth, speed_of( t ), u );
	memset( s->slope, 0, sizeof( s->slope ) );
	memcpy( s->level, u, sizeof( s->level ) );
	s->started = 1;
	for ( int axis = 0; axis < AXES; ++axis )
	{
		double r = m->resolution[axis], range = m->range[axis];
		reading->saturated |= fabs( u[axis] ) >= range;
		u[axis] = fmin( fmax( u[axis], -range ), range );
		if ( r > 0 && m->config.output == DS_IMU_RATES )
		{
			double most = ds_imu_whole_steps( range, r );
			u[axis] = fmin( fmax( r * fmin( fmax( nearbyint( u[axis] / r ), -most ), most ), -range ), range );
			variance[axis] = r * r / 12;
		}
	}
	const double none[AXES] = { 0, 0, 0, 0, 0, 0 };
	put_all( reading, u, none, variance );
	reading->stamp = t->time;
}

// ---- every sample ------------------------------------------------------------------------------------------------

static void measure_interval(
	const ds_imu_model *m, ds_imu_state *s, const ds_imu_truth *t, const ds_random *stream, ds_imu *reading )
{
	double normals[DS_IMU_SLOTS];
	int32_t drawn = m->normals;
	ds_random_normals( stream, 0, (uint32_t)drawn, normals );
	if ( drawn < DS_IMU_SLOTS )
	{
		memset( normals + drawn, 0, sizeof( *normals ) * (size_t)( DS_IMU_SLOTS - drawn ) );
	}
	if ( m->config.stamp_jitter > 0 && drawn <= DS_IMU_SLOT_STAMP )
	{
		ds_random_normals( stream, DS_IMU_SLOT_STAMP, 1, normals + DS_IMU_SLOT_STAMP );
	}
	const ds_imu_step *step = ds_imu_step_of( m, s, t->interval );
	ds_imu_means means;
	m->kernel( m, s, step, t, warm_up( m, s, step, t->temperature ), speed_of( t ), normals, &means );
	reading->saturated = means.saturated;
	put_all( reading, means.rate, means.increment, step->variance );
	reading->stamp = t->time + m->config.stamp_jitter * normals[DS_IMU_SLOT_STAMP];
}

void ds_imu_measure( const ds_imu_model *model, void *state, const ds_imu_truth *truth, ds_vec3 rate, ds_vec3 force,
	const ds_random *stream, ds_imu *reading )
{
	ds_imu_state *s = state;
	bool now = truth->interval == 0;
	if ( !is_good( truth, rate, force ) )
	{
		refuse( reading );
		return;
	}
	memset( reading, 0, offsetof( ds_imu, angular_velocity ) );
	reading->valid = true;
	reading->interval = truth->interval;
	if ( now )
	{
		measure_now( model, s, truth, rate, force, reading );
	}
	else
	{
		measure_interval( model, s, truth, stream, reading );
	}
	reading->temperature = s->temperature;
}
