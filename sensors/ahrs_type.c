#include "sensors/ahrs.h"

#include "deepsim/math.h"
#include "sensors/input.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

typedef struct ahrs_model
{
	ds_plugin_model base;
	ds_ahrs_model model; // its dipoles are those below
	ds_magnetometer_dipole dipoles[DS_MAGNETOMETER_MAX_DIPOLES];
} ahrs_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	ahrs_model *m = ds_plugin_model_new( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	ds_status status = ds_ahrs_prepare( config, &m->model );
	ds_array *dipoles = &m->model.config.magnetometer.dipoles;
	for ( int64_t i = 0; i < dipoles->count && status == DS_OK; ++i )
	{
		m->dipoles[i] = ( (const ds_magnetometer_dipole *)dipoles->data )[i];
		if ( m->dipoles[i].input[0] )
		{
			status = host->error( DS_ERROR_UNSUPPORTED,
				"dipoles that follow an input need a sensor \"magnetometer\", which this one takes as its input" );
		}
	}
	if ( status != DS_OK )
	{
		ds_plugin_model_destroy( m );
		return status;
	}
	dipoles->data = m->dipoles;
	layout->state_size = sizeof( ds_ahrs_state );
	*model = m;
	return DS_OK;
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	ds_vec3 field;
	ds_status status = context->host->magnetic_field_at( context, context->pose.position, &field );
	ds_random stream = context->host->random_stream( context );
	ds_ahrs_reset( &( (const ahrs_model *)model )->model, state, &stream );
	return status;
}

static ds_status numbers_of( const ds_context *context, const ds_input *input, const char *name, double out[3] )
{
	const double *numbers;
	ds_status status = ds_input_numbers( context, input, name, 3, &numbers );
	for ( int i = 0; i < 3 && status == DS_OK; ++i )
	{
		out[i] = numbers ? numbers[i] : 0;
	}
	return status;
}

// An inertial unit in the place of accelerometers and gyroscopes. Its rate is taken for that since this sensor's last sample.
static ds_status take_imu( const ds_context *context, const ds_input *imu, ds_ahrs_signals *s )
{
	double rate[3], variance[3];
	ds_status status = numbers_of( context, imu, "linear_acceleration", s->specific_force );
	status = status == DS_OK ? numbers_of( context, imu, "linear_acceleration_variance", s->force_variance ) : status;
	status = status == DS_OK ? numbers_of( context, imu, "angular_velocity", rate ) : status;
	status = status == DS_OK ? numbers_of( context, imu, "angular_velocity_variance", variance ) : status;
	for ( int i = 0; i < 3 && status == DS_OK; ++i )
	{
		s->delta_angle[i] = rate[i] * s->interval;
		s->rate_density[i] = sqrt( variance[i] * s->interval );
	}
	return status;
}

// A flag of an input: false before its first reading, and as given if its type has none of the name.
static bool flag_of( const ds_input *input, const char *name, bool otherwise )
{
	const ds_field *field = ds_input_field( input, DS_FIELD_BOOL, name );
	return input->header && ( field ? *(const bool *)ds_input_value( input, field ) : otherwise );
}

static ds_status take_magnetometer( const ds_context *context, const ds_input *input, ds_ahrs_signals *s )
{
	ds_status status = numbers_of( context, input, "field", s->field );
	status = status == DS_OK ? numbers_of( context, input, "variance", s->field_variance ) : status;
	s->field_valid = flag_of( input, "valid", true );
	s->heading_unreliable = flag_of( input, "heading_unreliable", false );
	return status;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_ahrs_model *m = &( (const ahrs_model *)model )->model;
	const ds_host *host = context->host;
	ds_ahrs_truth truth = {
		.magnetic = { .attitude = context->pose.attitude, .interval = context->interval, .period = context->period },
		.delta_angle = context->delta_angle,
		.specific_force =
			context->interval > 0 ? ds_scale( 1 / context->interval, context->delta_velocity ) : context->specific_force
	};
	ds_vec3 earth = ds_v3( 1, 0, 0 );
	ds_status status = host->magnetic_field_at( context, context->pose.position, &truth.magnetic.field );
	if ( status == DS_OK && m->config.reference == DS_AHRS_MODEL )
	{
		status = host->earth_field_at( context, context->pose.position, &earth );
	}
	if ( status != DS_OK )
	{
		return status;
	}
	truth.magnetic.vehicle = ds_magnetometer_vehicle_field( &m->config.magnetometer, context->mount, NULL );
	ds_random stream = host->random_stream( context );
	ds_ahrs_signals signals;
	ds_ahrs_sense( m, state, &truth, &stream, &signals );
	const ds_input *imu = ds_input_find( context, "imu" ), *magnetometer = ds_input_find( context, "magnetometer" );
	status = imu ? take_imu( context, imu, &signals ) : DS_OK;
	status = status == DS_OK && magnetometer ? take_magnetometer( context, magnetometer, &signals ) : status;
	if ( status == DS_OK )
	{
		double declination = m->config.reference == DS_AHRS_MODEL ? atan2( earth.y, earth.x ) : m->config.declination;
		ds_ahrs_update( m, state, &signals, declination, output );
	}
	return status;
}

const ds_type ds_ahrs_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "ahrs",
	.doc = "roll, pitch and heading from accelerometers, magnetometers and gyroscopes: a tilt-compensated compass",
	.config = &ds_ahrs_options,
	.output = &ds_ahrs_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};
