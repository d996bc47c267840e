#include "sensors/magnetometer.h"

#include "sensors/input.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

typedef struct magnetometer_model
{
	ds_plugin_model base;
	ds_magnetometer_config config; // its dipoles are those below
	ds_magnetometer_dipole dipoles[DS_MAGNETOMETER_MAX_DIPOLES];
} magnetometer_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	const ds_magnetometer_config *c = config;
	magnetometer_model *m = ds_plugin_model_new( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	m->config = *c;
	for ( int64_t i = 0; i < c->dipoles.count; ++i )
	{
		m->dipoles[i] = ( (const ds_magnetometer_dipole *)c->dipoles.data )[i];
	}
	m->config.dipoles.data = m->dipoles;
	layout->state_size = sizeof( ds_magnetometer_state );
	*model = m;
	return DS_OK;
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	// what the world says of its field is said here, before the first step
	ds_vec3 field;
	ds_status status = context->host->magnetic_field_at( context, context->pose.position, &field );
	ds_random stream = context->host->random_stream( context );
	ds_magnetometer_reset( &( (const magnetometer_model *)model )->config, state, &stream );
	return status;
}

// What the moment of each dipole is multiplied by: 0 before the input has a reading.
static ds_status follow_inputs( const magnetometer_model *m, const ds_context *context, double *factors )
{
	for ( int64_t i = 0; i < m->config.dipoles.count; ++i )
	{
		const ds_magnetometer_dipole *d = &m->dipoles[i];
		factors[i] = 1;
		if ( d->input[0] == 0 )
		{
			continue;
		}
		const ds_input *input = ds_input_find( context, d->input );
		if ( input == NULL )
		{
			return context->host->error( DS_ERROR_NOT_FOUND,
				"dipole %d follows the input \"%s\", which is missing: \"inputs\": { \"%s\": PART }", (int)i, d->input,
				d->input );
		}
		const double *number;
		ds_status status = ds_input_numbers( context, input, d->reading, 1, &number );
		if ( status != DS_OK )
		{
			return status;
		}
		factors[i] = number ? number[0] : 0;
	}
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const magnetometer_model *m = model;
	double factors[DS_MAGNETOMETER_MAX_DIPOLES];
	ds_magnetometer_truth truth = { { 0, 0, 0 }, { 0, 0, 0 }, context->pose.attitude, context->interval,
		context->period };
	ds_status status = context->host->magnetic_field_at( context, context->pose.position, &truth.field );
	if ( status == DS_OK )
	{
		status = follow_inputs( m, context, factors );
	}
	if ( status == DS_OK )
	{
		truth.vehicle = ds_magnetometer_vehicle_field( &m->config, context->mount, factors );
		ds_random stream = context->host->random_stream( context );
		ds_magnetometer_measure( &m->config, state, &truth, &stream, output );
	}
	return status;
}

const ds_type ds_magnetometer_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "magnetometer",
	.doc = "the magnetic field: the Earth's, of magnets and cables, and of the vehicle's own iron",
	.config = &ds_magnetometer_options,
	.output = &ds_magnetometer_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};
