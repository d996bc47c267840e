#include "sensors/imu_model.h"
#include "sensors/input.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include "deepsim/math.h"
#include "deepsim/thruster.h"

#include <string.h>

typedef struct imu_model
{
	ds_plugin_model base;
	ds_imu_model *model;
	double propeller_speed;
} imu_model;

// The host's memory, as an allocator of the model's.
static void *take( void *user, size_t size, size_t alignment )
{
	const ds_host *host = user;
	(void)alignment;
	return host->allocate( host, size );
}

static void give( void *user, void *memory, size_t size )
{
	const ds_host *host = user;
	host->release( host, memory, size );
}

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	imu_model *m = ds_plugin_model_new( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	m->propeller_speed = ( (const ds_imu_config *)config )->propeller_speed;
	const ds_allocator memory = { take, give, (void *)(uintptr_t)host };
	ds_status status = ds_imu_create( &memory, config, &m->model );
	if ( status != DS_OK )
	{
		ds_plugin_model_destroy( m );
		return status;
	}
	layout->state_size = ds_imu_state_size();
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	imu_model *m = model;
	ds_imu_destroy( m->model );
	ds_plugin_model_destroy( m );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	const imu_model *m = model;
	ds_random stream = context->host->random_stream( context );
	ds_imu_reset( m->model, state, &stream, context->water.temperature );
	return DS_OK;
}

// A field of one number in a unit, or NULL.
static const ds_field *number_in( const ds_input *input, const char *name, const char *unit )
{
	const ds_field *field = ds_input_field( input, DS_FIELD_F64, name );
	return field && field->count == 1 && strcmp( field->unit, unit ) == 0 ? field : NULL;
}

// Speed of what lines of vibration follow [rev/s]: what the input says, or what its thrust takes.
static ds_status followed_speed( const imu_model *m, const ds_context *context, double *speed )
{
	const ds_input *input = ds_input_find( context, "vibration" );
	*speed = 0;
	if ( input == NULL || input->table == NULL )
	{
		return DS_OK;
	}
	const ds_field *turns = number_in( input, "speed", "rev/s" ), *thrust = number_in( input, "thrust", "N" );
	if ( turns == NULL && thrust == NULL )
	{
		return context->host->error( DS_ERROR_NOT_FOUND,
			"the input \"vibration\" (%s) has neither a reading \"speed\" in rev/s nor a \"thrust\" in N",
			input->table->name );
	}
	if ( input->header )
	{
		const double *number = ds_input_value( input, turns ? turns : thrust );
		*speed = turns ? *number : m->propeller_speed * sqrt( fabs( *number ) );
	}
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const imu_model *m = model;
	double speed;
	ds_status status = followed_speed( m, context, &speed );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_imu_truth truth = {
		.delta_angle = context->delta_angle,
		.delta_velocity = context->delta_velocity,
		.interval = context->interval,
		.time = 1e-9 * (double)context->time,
		.temperature = context->water.temperature,
		.speed = speed,
	};
	// of the Earth too, where the world turns with it
	ds_vec3 rate = ds_add( context->rate, ds_unrotate( context->pose.attitude, context->earth_rate ) );
	ds_random stream = context->host->random_stream( context );
	ds_imu_measure( m->model, state, &truth, rate, context->specific_force, &stream, output );
	return DS_OK;
}

const ds_type ds_imu_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "imu",
	.doc = "gyroscopes and accelerometers with the errors of real ones",
	.config = &ds_imu_options,
	.output = &ds_imu_readings,
	.create = create,
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
};
