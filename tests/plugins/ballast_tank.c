// An actuator from outside the library: a tank outside the hull that takes in and pumps out water. The command is the fill
// that is wanted, 0 to 1; the pump follows it at its own rate. The full tank weighs what it displaces.

#include "deepsim/plugin.h"

typedef struct ballast_tank_config
{
	double volume;
	double rate;
	double initial;
	double density;
	double power;
} ballast_tank_config;

typedef struct ballast_tank_reading
{
	double fill;
	double mass;
	double power;
} ballast_tank_reading;

static const ds_field config_fields[] = {
	DS_F64( ballast_tank_config, volume, "m3", "0.01", 1e-6, 1000, "of the tank" ),
	DS_F64( ballast_tank_config, rate, "m3/s", "0.001", 1e-9, 100, "what the pump moves" ),
	DS_F64( ballast_tank_config, initial, "", "0", 0, 1, "fill at the start" ),
	DS_F64( ballast_tank_config, density, "kg/m3", "1025", 1, 2000, "of the water that is taken in" ),
	DS_F64( ballast_tank_config, power, "W", "100", 0, 1e6, "of the pump while it runs" ),
};
static const ds_table config_table =
	DS_TABLE( "ballast_tank_config", "Options of the actuator ballast_tank", ballast_tank_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( ballast_tank_reading, fill, "", NULL, 0, 0, "share of the volume that is full" ),
	DS_F64( ballast_tank_reading, mass, "kg", NULL, 0, 0, "of the water in the tank" ),
	DS_F64( ballast_tank_reading, power, "W", NULL, 0, 0, "of the pump" ),
};
static const ds_table reading_table =
	DS_TABLE( "ballast_tank", "State of a ballast tank", ballast_tank_reading, reading_fields );

typedef struct ballast_tank
{
	const ds_host *host;
	ballast_tank_config config;
} ballast_tank;

typedef struct tank_state
{
	double fill;
	double running; // 1 while the pump runs
} tank_state;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	ballast_tank *tank = host->allocate( host, sizeof( *tank ) );
	if ( tank == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "ballast_tank: out of memory" );
	}
	tank->host = host;
	tank->config = *(const ballast_tank_config *)config;
	layout->state_size = sizeof( tank_state );
	layout->command_count = 1;
	layout->command_minimum[0] = 0;
	layout->command_maximum[0] = 1;
	*model = tank;
	return DS_OK;
}

static void destroy( void *model )
{
	ballast_tank *tank = model;
	tank->host->release( tank->host, tank, sizeof( *tank ) );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	(void)context;
	( (tank_state *)state )->fill = ( (const ballast_tank *)model )->config.initial;
	return DS_OK;
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	const ballast_tank_config *c = &( (const ballast_tank *)model )->config;
	tank_state *s = state;
	double step = c->rate / c->volume * context->dt;
	double missing = context->commands[0] - s->fill;
	s->running = missing != 0;
	s->fill = missing > step ? s->fill + step : missing < -step ? s->fill - step : context->commands[0];
	out->mass = c->density * c->volume * s->fill;
	out->displaced_volume = c->volume;
	out->electric_power = c->power * s->running;
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)context;
	const ballast_tank_config *c = &( (const ballast_tank *)model )->config;
	const tank_state *s = state;
	ballast_tank_reading *reading = output;
	reading->fill = s->fill;
	reading->mass = c->density * c->volume * s->fill;
	reading->power = c->power * s->running;
	return DS_OK;
}

static const ds_type ballast_tank_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "ballast_tank",
	.doc = "a tank outside the hull that takes in and pumps out water",
	.config = &config_table,
	.output = &reading_table,
	.create = create,
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
	.effort = effort,
};

DS_PLUGIN_EXPORT ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );

ds_status ds_plugin_register( ds_registry *registry, const ds_host *host )
{
	return host->registry_add( registry, &ballast_tank_type );
}
