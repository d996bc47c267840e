// A controller from outside the library: holds a depth by a pressure gauge (its input "pressure") and a thruster that
// looks down (its first output), with proportional, integral and derivative terms.

#include "deepsim/plugin.h"

#include <string.h>

typedef struct depth_hold_config
{
	double depth;
	double kp, ki, kd;
	double limit;
	double surface_pressure;
	double density, gravity;
} depth_hold_config;

typedef struct depth_hold_reading
{
	double depth;
	double error;
	double command;
	bool valid;
} depth_hold_reading;

static const ds_field config_fields[] = {
	DS_F64( depth_hold_config, depth, "m", "10", 0, 12000, "to hold" ),
	DS_F64( depth_hold_config, kp, "1/m", "0.2", 0, 1e6, "command of a metre of error" ),
	DS_F64( depth_hold_config, ki, "1/(m s)", "0", 0, 1e6, "command that a metre of error adds each second" ),
	DS_F64( depth_hold_config, kd, "s/m", "0.5", 0, 1e6, "command of a metre a second of sinking" ),
	DS_F64( depth_hold_config, limit, "", "1", 0, 1e6, "greatest command either way" ),
	DS_F64( depth_hold_config, surface_pressure, "Pa", "0", 0, 1e6, "what the gauge reads at the surface" ),
	DS_F64( depth_hold_config, density, "kg/m3", "1025", 1, 2000, "of the water above" ),
	DS_F64( depth_hold_config, gravity, "m/s2", "9.81", 0.1, 100, "that goes with it" ),
};
static const ds_table config_table =
	DS_TABLE( "depth_hold_config", "Options of the controller depth_hold", depth_hold_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( depth_hold_reading, depth, "m", NULL, 0, 0, "by the pressure gauge" ),
	DS_F64( depth_hold_reading, error, "m", NULL, 0, 0, "wanted minus measured" ),
	DS_F64( depth_hold_reading, command, "", NULL, 0, 0, "given to the thruster; positive is down" ),
	DS_BOOL( depth_hold_reading, valid, NULL, "false until there is a pressure" ),
};
static const ds_table reading_table =
	DS_TABLE( "depth_hold", "What a depth controller does", depth_hold_reading, reading_fields );

typedef struct depth_hold
{
	const ds_host *host;
	depth_hold_config config;
} depth_hold;

typedef struct hold_state
{
	double integral; // of the error [m s]
	double depth; // at the last run [m]
	int64_t runs;
} hold_state;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	depth_hold *hold = host->allocate( host, sizeof( *hold ) );
	if ( hold == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "depth_hold: out of memory" );
	}
	hold->host = host;
	hold->config = *(const depth_hold_config *)config;
	layout->state_size = sizeof( hold_state );
	*model = hold;
	return DS_OK;
}

static void destroy( void *model )
{
	depth_hold *hold = model;
	hold->host->release( hold->host, hold, sizeof( *hold ) );
}

static const ds_input *find_input( const ds_context *context, const char *name )
{
	for ( int32_t i = 0; i < context->input_count; ++i )
	{
		if ( strcmp( context->inputs[i].name, name ) == 0 )
		{
			return &context->inputs[i];
		}
	}
	return NULL;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const depth_hold_config *c = &( (const depth_hold *)model )->config;
	hold_state *s = state;
	depth_hold_reading *reading = output;
	const ds_input *input = find_input( context, "pressure" );
	if ( input == NULL || context->output_count < 1 )
	{
		return context->host->error( DS_ERROR_ARGUMENT,
			"it needs the input \"pressure\" and one output: \"inputs\": { \"pressure\": NAME }, \"outputs\": [NAME]" );
	}
	if ( input->header == NULL )
	{
		return DS_OK;
	}

	// the pressure is the first field of the library's own sensor
	double pressure, dt = context->period;
	memcpy( &pressure, input->data, sizeof( pressure ) );
	double depth = ( pressure - c->surface_pressure ) / ( c->density * c->gravity );
	double sinking = s->runs > 0 ? ( depth - s->depth ) / dt : 0;
	double error = c->depth - depth;
	double wanted = c->kp * error + c->ki * s->integral - c->kd * sinking;
	double command = wanted > c->limit ? c->limit : wanted < -c->limit ? -c->limit : wanted;

	// no winding up while the command is at its limit
	s->integral += command == wanted ? error * dt : 0;
	s->depth = depth;
	s->runs += 1;
	*reading = ( depth_hold_reading ){ depth, error, command, true };
	return context->host->command_set( context, 0, &command, 1 );
}

static const ds_type depth_hold_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_CONTROLLER,
	.name = "depth_hold",
	.doc = "holds a depth by a pressure gauge and a thruster that looks down",
	.config = &config_table,
	.output = &reading_table,
	.create = create,
	.destroy = destroy,
	.sample = sample,
};

DS_PLUGIN_EXPORT ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );

ds_status ds_plugin_register( ds_registry *registry, const ds_host *host )
{
	return host->registry_add( registry, &depth_hold_type );
}
