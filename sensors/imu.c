// The IMU: what is made once, and what is made once for an interval.

#include "base/base.h"
#include "deepsim/math.h"
#include "sensors/imu_model.h"
#include "sensors/lowpass.h"

#include <math.h>
#include <string.h>

// ---- the model ---------------------------------------------------------------------------------------------------

// M (I + S), of one triad, into its rows and columns of the matrix.
static void set_truth( ds_imu_model *m, const ds_inertial_config *c, int first )
{
	for ( int row = 0; row < 3; ++row )
	{
		for ( int column = 0; column < 3; ++column )
		{
			m->truth[first + column][first + row] = c->misalignment[3 * row + column] * ( 1 + c->scale[column] );
			m->truth[3 + column][row] += first == 0 ? c->g_sensitivity[3 * row + column] : 0;
		}
	}
}

static void set_triad( ds_imu_model *m, const ds_inertial_config *c, int first )
{
	set_truth( m, c, first );
	for ( int i = 0; i < 3; ++i )
	{
		int axis = first + i;
		m->bias[axis] = c->bias[i];
		m->turn_on[axis] = c->turn_on[i];
		m->thermal[axis] = c->temperature_coefficient[i];
		m->white[axis] = c->N[i];
		m->range[axis] = c->range > 0 ? c->range : INFINITY;
		m->resolution[axis] = c->resolution;
		m->sigma[DS_IMU_WALK][axis] = c->K[i];
		m->sigma[DS_IMU_MARKOV][axis] = c->markov_sigma[i];
		m->tau[DS_IMU_MARKOV][axis] = c->markov_tau[i];
		for ( int k = 0; k < DS_FLICKER_COUNT; ++k )
		{
			m->sigma[DS_IMU_FLICKER + k][axis] = DS_FLICKER_SIGMA * c->B[i];
			m->tau[DS_IMU_FLICKER + k][axis] = ds_flicker_taus[k];
		}
	}
	m->filtered |= c->bandwidth > 0;
	m->quantised |= c->resolution > 0;
}

static void set_vibration( ds_imu_model *m, const ds_array *lines )
{
	const ds_imu_vibration *line = lines->data;
	m->lines = (int32_t)lines->count;
	for ( int32_t i = 0; i < m->lines; ++i, ++line )
	{
		m->frequency[i] = line->frequency;
		m->order[i] = line->order;
		m->constant[i] = line->order > 0 ? 0 : 1;
		for ( int k = 0; k < 3; ++k )
		{
			m->amplitude[i][k] = line->rotation[k];
			m->amplitude[i][3 + k] = line->acceleration[k];
		}
	}
}

// How many random numbers a sample takes at once: slots up to the last that is in use.
static void count_numbers( ds_imu_model *m )
{
	for ( int axis = 0; axis < DS_IMU_AXES; ++axis )
	{
		m->normals = m->white[axis] > 0 ? DS_IMU_SLOT_PROCESS : m->normals;
	}
	for ( int row = 0; row < DS_IMU_ROWS; ++row )
	{
		for ( int axis = 0; axis < DS_IMU_AXES; ++axis )
		{
			if ( m->sigma[row][axis] > 0 )
			{
				m->rows = row + 1;
				m->normals = DS_IMU_SLOT_PROCESS + m->rows * DS_IMU_AXES;
			}
		}
	}
	m->normals = ( m->normals + DS_IMU_DRAW - 1 ) / DS_IMU_DRAW * DS_IMU_DRAW;
}

ds_status ds_imu_create( const ds_allocator *allocator, const ds_imu_config *config, ds_imu_model **model )
{
	if ( config == NULL || model == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_imu_create needs a config and room for the model" );
	}
	*model = NULL;
	DS_TRY( ds_table_check_value( &ds_imu_options, config ) );
	ds_imu_model *m;
	DS_TRY( DS_NEW( allocator, 1, &m ) );
	m->allocator = allocator ? *allocator : ( ds_allocator ){ 0 };
	m->config = *config;
	m->config.vibration = ( ds_array ){ NULL, 0 };
	for ( int axis = DS_IMU_AXES; axis < DS_IMU_LANES; ++axis )
	{
		m->range[axis] = INFINITY;
	}
	set_triad( m, &config->gyro, 0 );
	set_triad( m, &config->accel, 3 );
	set_vibration( m, &config->vibration );
	count_numbers( m );
	ds_imu_kernel *kernels[2];
	ds_imu_kernels( kernels );
	m->kernel = kernels[0];
	*model = m;
	return DS_OK;
}

void ds_imu_destroy( ds_imu_model *model )
{
	if ( model )
	{
		ds_allocator allocator = model->allocator;
		DS_FREE( &allocator, model, 1 );
	}
}

// ---- the start of a run ------------------------------------------------------------------------------------------

size_t ds_imu_state_size( void )
{
	return sizeof( ds_imu_state );
}

void ds_imu_reset( const ds_imu_model *model, void *state, const ds_random *stream, double temperature )
{
	ds_imu_state *s = state;
	double normals[DS_IMU_SLOTS], phases[DS_IMU_MAX_VIBRATIONS];
	memset( s, 0, sizeof( *s ) );
	ds_random_normals( stream, 0, DS_IMU_SLOTS, normals );
	ds_random_uniforms( stream, 0, DS_IMU_MAX_VIBRATIONS, phases );
	for ( int i = 0; i < DS_IMU_MAX_VIBRATIONS; ++i )
	{
		s->sine[i] = sin( 2 * DS_PI * phases[i] );
		s->cosine[i] = cos( 2 * DS_PI * phases[i] );
		s->turn_cosine[i] = s->sinc[i] = 1;
	}
	for ( int axis = 0; axis < DS_IMU_AXES; ++axis )
	{
		s->offset[axis] = model->bias[axis] + model->turn_on[axis] * normals[axis];
		for ( int row = DS_IMU_WALK + 1; row < DS_IMU_ROWS; ++row )
		{
			int i = row * DS_IMU_AXES + axis;
			s->process[i] = model->sigma[row][axis] * normals[DS_IMU_SLOT_PROCESS + i];
		}
	}
	s->temperature = isfinite( temperature ) ? temperature : model->config.reference_temperature;
}

// ---- the step of an interval -------------------------------------------------------------------------------------

// The mean m of a Gauss-Markov process x (standard deviation s, correlation time T) over an interval h = u T, given its ends.
// With f = exp( -u ), and the autocovariance s^2 exp( -|t| / T ) integrated once and twice,
//   Cov( m, x0 ) = Cov( m, x1 ) = s^2 (1 - f) / u,      Var( m ) = 2 s^2 (u - 1 + f) / u^2.
// Regression of m on (x0, x1), whose covariance is s^2 [1 f; f 1], gives the weight of each end and what is left over:
//   share = (1 - f) / (u (1 + f)) = tanh( u / 2 ) / u,
//   Var( m | x0, x1 ) = Var( m ) - 2 share Cov( m, x0 ) = 2 s^2 / u^2 (u - 2 tanh( u / 2 )).
// What is left over depends on what the process does between its ends alone (it is Markov), so that residuals of different
// intervals are independent of each other and of all ends: they are white, and join the white noise. A random walk of density K is
// the limit s^2 = K^2 T / 2, T to infinity: share 1/2, residual K^2 h / 12.
double ds_imu_bridge( double u )
{
	if ( u < 0.05 )
	{
		// u - 2 tanh( u / 2 ), by the series of tanh y = y - y^3/3 + 2 y^5/15 - 17 y^7/315 + 62 y^9/2835 - ...
		double y = 0.5 * u, y2 = y * y;
		return y * ( 1.0 / 3 - y2 * ( 2.0 / 15 - y2 * ( 17.0 / 315 - y2 * 62 / 2835 ) ) );
	}
	return 2 / ( u * u ) * ( u - 2 * tanh( 0.5 * u ) );
}

// One process of one axis; the variance that its residual adds to the white noise.
static double prepare_process( ds_imu_step *step, int i, double sigma, double tau )
{
	double dt = step->dt;
	if ( tau == 0 )
	{
		step->share[i] = 0.5;
		step->decay[i] = 1;
		step->kick[i] = 0.5 * sigma * sqrt( dt );
		return sigma * sigma * dt / 12;
	}
	double u = dt / tau;
	step->share[i] = tanh( 0.5 * u ) / u;
	step->decay[i] = exp( -u );
	step->kick[i] = step->share[i] * sigma * sqrt( -expm1( -2 * u ) );
	return sigma * sigma * ds_imu_bridge( u );
}

double ds_imu_whole_steps( double range, double unit )
{
	return floor( range / unit * ( 1 + 1e-12 ) );
}

static void prepare_axis( const ds_imu_model *model, ds_imu_step *step, int axis )
{
	double dt = step->dt, white = model->white[axis] * model->white[axis] / dt, residual = 0;
	for ( int row = 0; row < model->rows; ++row )
	{
		double sigma = model->sigma[row][axis];
		residual += sigma > 0 ? prepare_process( step, row * DS_IMU_AXES + axis, sigma, model->tau[row][axis] ) : 0;
	}
	step->white[axis] = sqrt( white + residual );

	const ds_imu_config *c = &model->config;
	ds_lowpass f = ds_lowpass_make( axis < 3 ? c->gyro.bandwidth : c->accel.bandwidth, dt );
	step->a1[axis] = f.a1;
	step->a2[axis] = f.a2;
	step->a3[axis] = f.a3;

	double r = model->resolution[axis], range = model->range[axis];
	bool increments = c->output == DS_IMU_INCREMENTS;
	step->unit[axis] = r > 0 ? r : 1;
	step->per_unit[axis] = 1 / step->unit[axis];
	// whole steps of a reading inside the range; a counter of increments makes one at least
	step->steps[axis] = ds_imu_whole_steps( range * ( increments ? dt : 1 ), step->unit[axis] );
	step->steps[axis] = increments ? fmax( step->steps[axis], 1 ) : step->steps[axis];
	step->variance[axis] = white * ds_lowpass_power( f.g ) + ( increments ? r * r / ( 6 * dt * dt ) : r * r / 12 );
}

static void prepare_step( const ds_imu_model *model, ds_imu_step *step, double dt )
{
	memset( step, 0, sizeof( *step ) );
	step->dt = dt;
	for ( int i = 0; i < DS_IMU_PROCESSES; ++i )
	{
		step->share[i] = 1; // of those that are not in use
	}
	step->rate = 1 / dt;
	for ( int axis = 0; axis < DS_IMU_LANES; ++axis )
	{
		step->unit[axis] = step->per_unit[axis] = step->a3[axis] = 1;
	}
	for ( int axis = 0; axis < DS_IMU_AXES; ++axis )
	{
		prepare_axis( model, step, axis );
	}
	double u = dt / model->config.heating_tau;
	step->heat_decay = exp( -u );
	step->heat_share = u > 0 ? -expm1( -u ) / u : 1;
}

const ds_imu_step *ds_imu_step_of( const ds_imu_model *model, ds_imu_state *state, double dt )
{
	ds_imu_step *step = state->steps + state->current, *last = step;
	if ( step->dt == dt )
	{
		return step;
	}
	state->current ^= 1;
	step = state->steps + state->current;
	if ( step->dt != dt )
	{
		prepare_step( model, step, dt );
	}
	memset( state->ends, 0, sizeof( state->ends ) );
	for ( int i = 0; i < DS_IMU_PROCESSES; ++i )
	{
		state->process[i] *= last->dt > 0 ? step->share[i] / last->share[i] : step->share[i];
		state->ends[i % ( 2 * DS_IMU_AXES )] += state->process[i];
	}
	return step;
}
