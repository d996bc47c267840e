// A sample of the IMU: the same few loops over all axes, without a branch on what is switched on, so that compilers make
// vectors of them. Terms that are off have coefficients of 0.

#include "deepsim/math.h"
#include "sensors/imu_model.h"
#include "sensors/lowpass.h"

#include <math.h>
#include <string.h>

#define AXES  DS_IMU_AXES
#define LANES DS_IMU_LANES
#define LINES DS_IMU_MAX_VIBRATIONS

// The nearest integer, ties to even; what is beyond 2^51 is one already.
static inline double nearest( double x )
{
	const double shift = 0x1.8p52;
	double rounded = ( x + shift ) - shift;
	return fabs( x ) < 0x1p51 ? rounded : x;
}

// sin( 2 pi x ): x less whole turns, folded at the quarters, by the Taylor series to x^21 (3e-16 at the quarter).
static inline double sine_of_turns( double x )
{
	x -= nearest( x );
	double folded = copysign( 0.5, x ) - x;
	x = fabs( x ) > 0.25 ? folded : x;
	// sin y = y - y^3 (1/3! - y^2/5! + y^4/7! - ...)
	static const double inverse[] = { 1.0 / 121645100408832000.0, -1.0 / 355687428096000.0, 1.0 / 1307674368000.0,
		-1.0 / 6227020800.0, 1.0 / 39916800.0, -1.0 / 362880.0, 1.0 / 5040.0, -1.0 / 120.0, 1.0 / 6.0 };
	double y = 2 * DS_PI * x, z = y * y, p = -1.0 / 51090942171709440000.0;
	for ( int i = 0; i < 9; ++i )
	{
		p = p * z + inverse[i];
	}
	return y - y * z * p;
}

// ---- terms -------------------------------------------------------------------------------------------------------

// Adds true motion, biases and temperature to `u`.
static inline void add_truth(
	const ds_imu_model *m, const ds_imu_state *s, const double truth[AXES], double warmth, double u[LANES] )
{
	for ( int axis = 0; axis < LANES; ++axis )
	{
		u[axis] = s->offset[axis] + warmth * m->thermal[axis];
	}
	for ( int column = 0; column < AXES; ++column )
	{
		for ( int axis = 0; axis < LANES; ++axis )
		{
			u[axis] += m->truth[column][axis] * truth[column];
		}
	}
}

// Moves all processes to the end of the interval and adds their means, two rows at a time.
static inline void add_processes( ds_imu_state *s, const ds_imu_step *step, const double *normals, double u[LANES] )
{
	double mean[DS_IMU_PROCESSES], sum[2 * AXES] = { 0 };
	for ( int i = 0; i < DS_IMU_PROCESSES; ++i )
	{
		double x0 = s->process[i], x1 = step->decay[i] * x0 + step->kick[i] * normals[i];
		s->process[i] = x1;
		mean[i] = step->share[i] * ( x0 + x1 );
	}
	for ( int rows = 0; rows < DS_IMU_ROWS; rows += 2 )
	{
		for ( int i = 0; i < 2 * AXES; ++i )
		{
			sum[i] += mean[rows * AXES + i];
		}
	}
	for ( int axis = 0; axis < AXES; ++axis )
	{
		u[axis] += sum[axis] + sum[AXES + axis];
	}
}

// Processes as they are at this instant.
static void add_processes_now( const ds_imu_state *s, double u[LANES] )
{
	for ( int i = 0; i < DS_IMU_PROCESSES; ++i )
	{
		u[i % AXES] += s->process[i];
	}
}

// Lines of vibration: their mean over the interval is sin( 2 pi (phase + turns / 2) ) sinc( pi turns ), exact for a constant frequency.
static inline void add_vibration( const ds_imu_model *m, ds_imu_state *s, double dt, double speed, double u[LANES] )
{
	double turns[LINES], swing[LINES], growth = 0.01 * speed * speed, changed = 0;
	for ( int i = 0; i < LINES; ++i )
	{
		turns[i] = ( m->frequency[i] + m->order[i] * speed ) * dt;
		changed += fabs( turns[i] - s->turns[i] );
	}
	if ( changed > 0 )
	{
		for ( int i = 0; i < LINES; ++i )
		{
			s->turns[i] = turns[i];
			s->mean[i] = turns[i] > 0 ? sine_of_turns( 0.5 * turns[i] ) / ( DS_PI * turns[i] ) : 1;
		}
	}
	for ( int i = 0; i < LINES; ++i )
	{
		double end = s->phase[i] + turns[i];
		double amplitude = m->constant[i] + ( 1 - m->constant[i] ) * growth;
		swing[i] = amplitude * s->mean[i] * sine_of_turns( s->phase[i] + 0.5 * turns[i] );
		s->phase[i] = end - nearest( end );
	}
	for ( int i = 0; i < m->lines; ++i )
	{
		for ( int axis = 0; axis < LANES; ++axis )
		{
			u[axis] += m->amplitude[i][axis] * swing[i];
		}
	}
}

static inline void filter( ds_imu_state *s, const ds_imu_step *step, double u[LANES] )
{
	for ( int axis = 0; axis < LANES; ++axis )
	{
		double low = ds_lowpass_step(
			step->a1[axis], step->a2[axis], step->a3[axis], u[axis], &s->slope[axis], &s->level[axis] );
		u[axis] = step->a3[axis] < 1 ? low : u[axis];
	}
}

// ---- the end of a reading ----------------------------------------------------------------------------------------

static inline bool clip( const ds_imu_model *m, double u[LANES] )
{
	double over = 0;
	for ( int axis = 0; axis < LANES; ++axis )
	{
		double range = m->range[axis];
		over += fabs( u[axis] ) >= range ? 1 : 0;
		u[axis] = u[axis] > range ? range : u[axis] < -range ? -range : u[axis];
	}
	return over > 0;
}

// The nearest whole number of steps, within the range.
static inline double whole_steps( double x, double unit, double most )
{
	double n = nearest( x / unit );
	return n > most ? most : n < -most ? -most : n;
}

static inline void quantise_rates( const ds_imu_model *m, const double *most, double u[LANES] )
{
	for ( int axis = 0; axis < AXES; ++axis )
	{
		double r = m->resolution[axis], unit = r > 0 ? r : 1;
		double q = whole_steps( u[axis], unit, most[axis] ) * unit;
		q = q > m->range[axis] ? m->range[axis] : q < -m->range[axis] ? -m->range[axis] : q;
		u[axis] = r > 0 ? q : u[axis];
	}
}

// Increments `d` of rates `u`. What a saturated counter could not report is lost, but for half a step.
static inline void quantise_increments(
	const ds_imu_model *m, ds_imu_state *s, const ds_imu_step *step, double u[LANES], double d[LANES] )
{
	for ( int axis = 0; axis < AXES; ++axis )
	{
		double unit = step->unit[axis], total = u[axis] * step->dt + s->carry[axis];
		double q = whole_steps( total, unit, step->steps[axis] ) * unit;
		double carry = total - q, half = 0.5 * unit;
		bool on = m->resolution[axis] > 0;
		s->carry[axis] = on ? ( carry > half ? half : carry < -half ? -half : carry ) : 0;
		d[axis] = on ? q : u[axis] * step->dt;
		u[axis] = on ? q / step->dt : u[axis];
	}
}

static void put( double *out, const double *in )
{
	out[0] = in[0];
	out[1] = in[1];
	out[2] = in[2];
}

// ---- samples -----------------------------------------------------------------------------------------------------

// Zero times a number that is not finite is not a number.
static bool all_finite( const ds_imu_truth *t )
{
	double sum = t->delta_angle.x * 0 + t->delta_angle.y * 0 + t->delta_angle.z * 0 + t->delta_velocity.x * 0 +
				 t->delta_velocity.y * 0 + t->delta_velocity.z * 0 + t->interval * 0 + t->time * 0 +
				 t->temperature * 0 + t->speed * 0;
	return sum == 0;
}

static void refuse( ds_imu *reading )
{
	const double nan3[3] = { NAN, NAN, NAN };
	memset( reading, 0, sizeof( *reading ) );
	put( reading->angular_velocity, nan3 );
	put( reading->linear_acceleration, nan3 );
	put( reading->delta_angle, nan3 );
	put( reading->delta_velocity, nan3 );
	put( reading->angular_velocity_variance, nan3 );
	put( reading->linear_acceleration_variance, nan3 );
	reading->interval = reading->stamp = reading->temperature = NAN;
}

static double speed_of( const ds_imu_truth *truth )
{
	double speed = fabs( truth->speed );
	return speed < 1e4 ? speed : 1e4;
}

// The mean of the unit's distance to the reference temperature; moves its temperature to the end of the interval.
static inline double warm_up( const ds_imu_model *m, ds_imu_state *s, const ds_imu_step *step, double surroundings )
{
	double last = surroundings + m->config.self_heating, distance = s->temperature - last;
	s->temperature = last + distance * step->heat_decay;
	return last + distance * step->heat_share - m->config.reference_temperature;
}

// The first sample of a run.
static void measure_now(
	const ds_imu_model *m, ds_imu_state *s, const ds_imu_truth *t, ds_vec3 rate, ds_vec3 force, ds_imu *reading )
{
	const double truth[AXES] = { rate.x, rate.y, rate.z, force.x, force.y, force.z };
	double u[LANES], most[LANES] = { 0 }, variance[LANES] = { 0 };
	add_truth( m, s, truth, s->temperature - m->config.reference_temperature, u );
	add_processes_now( s, u );
	double growth = 0.01 * speed_of( t ) * speed_of( t );
	for ( int i = 0; i < m->lines; ++i )
	{
		double swing = ( m->constant[i] > 0 ? 1 : growth ) * sine_of_turns( s->phase[i] );
		for ( int axis = 0; axis < LANES; ++axis )
		{
			u[axis] += m->amplitude[i][axis] * swing;
		}
	}
	memset( s->slope, 0, sizeof( s->slope ) );
	memcpy( s->level, u, sizeof( s->level ) );
	s->started = 1;
	reading->saturated = clip( m, u );
	if ( m->config.output == DS_IMU_RATES )
	{
		for ( int axis = 0; axis < AXES; ++axis )
		{
			double r = m->resolution[axis];
			most[axis] = r > 0 ? floor( m->range[axis] / r * ( 1 + 1e-12 ) ) : 0;
			variance[axis] = r * r / 12;
		}
		quantise_rates( m, most, u );
	}
	put( reading->angular_velocity, u );
	put( reading->linear_acceleration, u + 3 );
	put( reading->angular_velocity_variance, variance );
	put( reading->linear_acceleration_variance, variance + 3 );
}

static void measure_mean(
	const ds_imu_model *m, ds_imu_state *s, const ds_imu_truth *t, const double *normals, ds_imu *reading )
{
	const ds_imu_step *step = ds_imu_step_of( m, s, t->interval );
	const double dt = step->dt;
	const double truth[AXES] = { t->delta_angle.x / dt, t->delta_angle.y / dt, t->delta_angle.z / dt,
		t->delta_velocity.x / dt, t->delta_velocity.y / dt, t->delta_velocity.z / dt };
	double u[LANES], d[LANES];
	add_truth( m, s, truth, warm_up( m, s, step, t->temperature ), u );
	if ( m->rows > 0 )
	{
		add_processes( s, step, normals + DS_IMU_SLOT_PROCESS, u );
	}
	if ( m->lines > 0 )
	{
		add_vibration( m, s, dt, speed_of( t ), u );
	}
	if ( !s->started )
	{
		memcpy( s->level, u, sizeof( s->level ) ); // settled
		s->started = 1;
	}
	for ( int axis = 0; axis < AXES; ++axis )
	{
		u[axis] += step->white[axis] * normals[axis];
	}
	if ( m->filtered )
	{
		filter( s, step, u );
	}
	reading->saturated = clip( m, u );
	if ( m->quantised && m->config.output == DS_IMU_INCREMENTS )
	{
		quantise_increments( m, s, step, u, d );
	}
	else
	{
		if ( m->quantised )
		{
			quantise_rates( m, step->steps, u );
		}
		for ( int axis = 0; axis < AXES; ++axis )
		{
			d[axis] = u[axis] * dt;
		}
	}
	put( reading->angular_velocity, u );
	put( reading->linear_acceleration, u + 3 );
	put( reading->delta_angle, d );
	put( reading->delta_velocity, d + 3 );
	put( reading->angular_velocity_variance, step->variance );
	put( reading->linear_acceleration_variance, step->variance + 3 );
}

void ds_imu_measure( const ds_imu_model *model, void *state, const ds_imu_truth *truth, ds_vec3 rate, ds_vec3 force,
	const ds_random *stream, ds_imu *reading )
{
	ds_imu_state *s = state;
	bool now = truth->interval == 0;
	if ( !all_finite( truth ) || truth->interval < 0 || ( now && !( ds_finite( rate ) && ds_finite( force ) ) ) )
	{
		refuse( reading );
		return;
	}
	memset( reading, 0, sizeof( *reading ) );
	reading->valid = true;
	if ( now )
	{
		measure_now( model, s, truth, rate, force, reading );
	}
	else
	{
		double normals[DS_IMU_SLOTS];
		int32_t drawn = model->normals;
		ds_random_normals( stream, 0, (uint32_t)drawn, normals );
		if ( drawn < DS_IMU_SLOT_STAMP )
		{
			memset( normals + drawn, 0, sizeof( *normals ) * (size_t)( DS_IMU_SLOT_STAMP - drawn ) );
		}
		measure_mean( model, s, truth, normals, reading );
	}
	reading->interval = truth->interval;
	reading->temperature = s->temperature;
	reading->stamp = truth->time;
	if ( model->config.stamp_jitter > 0 )
	{
		double normal;
		ds_random_normals( stream, DS_IMU_SLOT_STAMP, 1, &normal );
		reading->stamp += model->config.stamp_jitter * normal;
	}
}
