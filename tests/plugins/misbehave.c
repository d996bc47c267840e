// A plugin that breaks its contract. In a world, the option "mode" of each of its types says how; while it registers, the
// environment variable DEEPSIM_MISBEHAVE does.

#include "deepsim/plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum mode
{
	MODE_NONE,
	// in create
	MODE_CREATE_ERROR,
	MODE_CREATE_SILENT, // an error without a message
	MODE_HUGE_OUTPUT,
	MODE_SMALL_OUTPUT, // less than its table's struct
	MODE_HUGE_STATE,
	MODE_MANY_COMMANDS,
	MODE_CROSSED_LIMITS,
	MODE_DELAY_NAN,
	MODE_LAMP_EMPTY, // a lamp that nobody filled
	MODE_LAMP_NAN,
	MODE_LAMP_BRIGHT, // more light than its flux
	// in reset, tick, sample, effort
	MODE_RESET_ERROR,
	MODE_TICK_ERROR,
	MODE_ERROR,
	MODE_SILENT,
	MODE_STRANGE_STATUS, // a number that is no ds_status
	MODE_NAN,
	MODE_INFINITE,
	MODE_SPAN_OUTSIDE,
	MODE_SPAN_NEGATIVE,
	MODE_NEGATIVE_MASS,
	MODE_NEGATIVE_VOLUME,
	MODE_COMMAND_NAN,
	MODE_COMMAND_RANGE,
	MODE_COMMAND_OUTPUT,
	MODE_COMMAND_COUNT,
	MODE_LIGHT_NAN,
	MODE_LIGHT_RANGE,
	MODE_LOOK_NAN,
	MODE_LOOK_LATE, // beyond what is known of motion
	MODE_LOOK_NOWHERE, // no direction
	MODE_LOOK_STRANGER, // leaves out a body that there is not
	MODE_BLOCKED_NAN
} mode;

#define CHOICE( value_, name_ )                                                                                        \
	{                                                                                                                  \
		value_, DS_FORM_NAME, name_, NULL, NULL, "a way to misbehave"                                                  \
	}

static const ds_choice modes[] = {
	CHOICE( MODE_NONE, "none" ),
	CHOICE( MODE_CREATE_ERROR, "create_error" ),
	CHOICE( MODE_CREATE_SILENT, "create_silent" ),
	CHOICE( MODE_HUGE_OUTPUT, "huge_output" ),
	CHOICE( MODE_SMALL_OUTPUT, "small_output" ),
	CHOICE( MODE_HUGE_STATE, "huge_state" ),
	CHOICE( MODE_MANY_COMMANDS, "many_commands" ),
	CHOICE( MODE_CROSSED_LIMITS, "crossed_limits" ),
	CHOICE( MODE_DELAY_NAN, "delay_nan" ),
	CHOICE( MODE_LAMP_EMPTY, "lamp_empty" ),
	CHOICE( MODE_LAMP_NAN, "lamp_nan" ),
	CHOICE( MODE_LAMP_BRIGHT, "lamp_bright" ),
	CHOICE( MODE_RESET_ERROR, "reset_error" ),
	CHOICE( MODE_TICK_ERROR, "tick_error" ),
	CHOICE( MODE_ERROR, "error" ),
	CHOICE( MODE_SILENT, "silent" ),
	CHOICE( MODE_STRANGE_STATUS, "strange_status" ),
	CHOICE( MODE_NAN, "nan" ),
	CHOICE( MODE_INFINITE, "infinite" ),
	CHOICE( MODE_SPAN_OUTSIDE, "span_outside" ),
	CHOICE( MODE_SPAN_NEGATIVE, "span_negative" ),
	CHOICE( MODE_NEGATIVE_MASS, "negative_mass" ),
	CHOICE( MODE_NEGATIVE_VOLUME, "negative_volume" ),
	CHOICE( MODE_COMMAND_NAN, "command_nan" ),
	CHOICE( MODE_COMMAND_RANGE, "command_range" ),
	CHOICE( MODE_COMMAND_OUTPUT, "command_output" ),
	CHOICE( MODE_COMMAND_COUNT, "command_count" ),
	CHOICE( MODE_LIGHT_NAN, "light_nan" ),
	CHOICE( MODE_LIGHT_RANGE, "light_range" ),
	CHOICE( MODE_LOOK_NAN, "look_nan" ),
	CHOICE( MODE_LOOK_LATE, "look_late" ),
	CHOICE( MODE_LOOK_NOWHERE, "look_nowhere" ),
	CHOICE( MODE_LOOK_STRANGER, "look_stranger" ),
	CHOICE( MODE_BLOCKED_NAN, "blocked_nan" ),
};

typedef struct misbehave_config
{
	int32_t mode;
	int64_t after;
} misbehave_config;

static const ds_field config_fields[] = {
	DS_ENUM( misbehave_config, mode, modes, "\"none\"", "how it breaks its contract" ),
	DS_I64( misbehave_config, after, "", "0", 0, 1000000, "ticks that it behaves first" ),
};
static const ds_table config_table =
	DS_TABLE( "misbehave_config", "Options of the types of misbehave", misbehave_config, config_fields );

typedef struct misbehave_reading
{
	double value;
	ds_span values;
} misbehave_reading;

static const ds_field reading_fields[] = {
	DS_F64( misbehave_reading, value, "", NULL, 0, 0, "the tick" ),
	DS_SPAN( misbehave_reading, values, DS_ELEMENT_F64, "", "one number" ),
};
static const ds_table reading_table =
	DS_TABLE( "misbehave", "Readings of the types of misbehave", misbehave_reading, reading_fields );

typedef struct misbehave
{
	const ds_host *host;
	misbehave_config config;
	ds_lamp lamp;
} misbehave;

// A lamp that shines the same in all directions, 1 / ( 4 pi ) of its flux per steradian, but for its fault.
static void fill_lamp( ds_lamp *lamp, int32_t how )
{
	lamp->flux = 10;
	lamp->cos_limit = -1;
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		lamp->profile[i] = how == MODE_LAMP_BRIGHT ? 1 : 0.0795774715f;
	}
	lamp->profile[7] = how == MODE_LAMP_NAN ? NAN : lamp->profile[7];
}

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	const misbehave_config *c = config;
	if ( c->mode == MODE_CREATE_ERROR )
	{
		return host->error( DS_ERROR_RANGE, "misbehave: this is the message of create" );
	}
	if ( c->mode == MODE_CREATE_SILENT )
	{
		return DS_ERROR_PLUGIN;
	}
	misbehave *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "misbehave: out of memory" );
	}
	m->host = host;
	m->config = *c;
	layout->state_size = c->mode == MODE_HUGE_STATE ? SIZE_MAX / 2 : 8;
	layout->output_size = sizeof( misbehave_reading ) + sizeof( double );
	layout->output_size = c->mode == MODE_HUGE_OUTPUT ? SIZE_MAX - 8 : layout->output_size;
	layout->output_size = c->mode == MODE_SMALL_OUTPUT ? 4 : layout->output_size;
	layout->command_count = c->mode == MODE_MANY_COMMANDS ? DS_MAX_COMMANDS + 1 : 1;
	layout->command_minimum[0] = c->mode == MODE_CROSSED_LIMITS ? 2 : -1;
	layout->delay = c->mode == MODE_DELAY_NAN ? NAN : 0;
	const bool lamp = c->mode >= MODE_LAMP_EMPTY && c->mode <= MODE_LAMP_BRIGHT;
	const bool light = c->mode == MODE_LIGHT_NAN || c->mode == MODE_LIGHT_RANGE;
	if ( c->mode != MODE_LAMP_EMPTY )
	{
		fill_lamp( &m->lamp, c->mode );
	}
	layout->lamp = lamp || light ? &m->lamp : NULL;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	misbehave *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

// The mode that is due now.
static int32_t mode_now( const void *model, const ds_context *context )
{
	const misbehave_config *c = &( (const misbehave *)model )->config;
	return context->tick >= c->after ? c->mode : MODE_NONE;
}

// What the modes return that are the same in every function.
static ds_status common( int32_t now, const ds_context *context )
{
	switch ( now )
	{
		case MODE_ERROR:
			return context->host->error( DS_ERROR_STATE, "misbehave: this is the message of the plugin" );
		case MODE_SILENT:
			return DS_ERROR_STATE;
		case MODE_STRANGE_STATUS:
			return (ds_status)1000;
		default:
			return DS_OK;
	}
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	(void)state;
	return ( (const misbehave *)model )->config.mode == MODE_RESET_ERROR
			   ? context->host->error( DS_ERROR_STATE, "misbehave: this is the message of reset" )
			   : DS_OK;
}

static ds_status tick( const void *model, void *state, ds_context *context )
{
	(void)state;
	return mode_now( model, context ) == MODE_TICK_ERROR
			   ? context->host->error( DS_ERROR_STATE, "misbehave: this is the message of tick" )
			   : DS_OK;
}

// Looks as no camera should.
static ds_status look( int32_t now, const ds_context *context )
{
	ds_look_ray rays[2] = { { { 0, 0, 0 }, { 0, 0, 1 }, 10, 0, 0, DS_NO_ID },
		{ { 0, 0, 0 }, { 0, 0, 1 }, 10, 0, 0, DS_NO_ID } };
	ds_look looks[2];
	bool blocked[2];
	rays[1].origin.x = now == MODE_LOOK_NAN || now == MODE_BLOCKED_NAN ? NAN : 0;
	rays[1].time = now == MODE_LOOK_LATE ? 2 : 0;
	rays[1].direction.z = now == MODE_LOOK_NOWHERE ? 0 : 1;
	rays[1].ignore = now == MODE_LOOK_STRANGER ? (ds_id)0x7777777777 : DS_NO_ID;
	if ( now < MODE_LOOK_NAN )
	{
		return DS_OK;
	}
	return now == MODE_BLOCKED_NAN ? context->host->blocked_many( context, 2, rays, blocked )
								   : context->host->look_many( context, 2, rays, looks );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	int32_t now = mode_now( model, context );
	misbehave_reading *reading = output;
	reading->value = now == MODE_NAN ? NAN : now == MODE_INFINITE ? INFINITY : (double)context->tick;
	reading->values.offset = sizeof( misbehave_reading );
	reading->values.count = now == MODE_SPAN_OUTSIDE ? 1000000000 : now == MODE_SPAN_NEGATIVE ? -1 : 1;
	ds_status status = look( now, context );
	return status == DS_OK ? common( now, context ) : status;
}

static ds_status control( const void *model, void *state, ds_context *context, void *output )
{
	int32_t now = mode_now( model, context );
	double command[2] = { 0.5, 0.5 };
	command[0] = now == MODE_COMMAND_NAN ? NAN : now == MODE_COMMAND_RANGE ? 1e6 : command[0];
	int32_t to = now == MODE_COMMAND_OUTPUT ? 7 : 0, count = now == MODE_COMMAND_COUNT ? 2 : 1;
	ds_status status = sample( model, state, context, output );
	return status == DS_OK ? context->host->command_set( context, to, command, count ) : status;
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	(void)state;
	int32_t now = mode_now( model, context );
	out->wrench.force.x = now == MODE_NAN ? NAN : now == MODE_INFINITE ? INFINITY : 0;
	out->mass = now == MODE_NEGATIVE_MASS ? -1 : 0;
	out->light = now == MODE_LIGHT_NAN ? NAN : now == MODE_LIGHT_RANGE ? 1.5 : 0;
	out->displaced_volume = now == MODE_NEGATIVE_VOLUME ? -1 : 0;
	return common( now, context );
}

static const ds_type types[] = {
	{ DS_ABI_VERSION, sizeof( ds_type ), DS_SENSOR, "bad_sensor", "a sensor that breaks its contract", &config_table,
		&reading_table, create, destroy, reset, tick, sample, NULL },
	{ DS_ABI_VERSION, sizeof( ds_type ), DS_ACTUATOR, "bad_actuator", "an actuator that breaks its contract",
		&config_table, NULL, create, destroy, reset, tick, NULL, effort },
	{ DS_ABI_VERSION, sizeof( ds_type ), DS_FORCE, "bad_force", "a force that breaks its contract", &config_table, NULL,
		create, destroy, reset, tick, NULL, effort },
	{ DS_ABI_VERSION, sizeof( ds_type ), DS_CONTROLLER, "bad_controller", "a controller that breaks its contract",
		&config_table, &reading_table, create, destroy, reset, tick, control, NULL },
};

// A type with a fault in its table: a default out of its own range.
static const ds_field faulty_fields[] = { DS_I64( misbehave_config, after, "", "5", 10, 20, "a fault" ) };
static const ds_table faulty_table = DS_TABLE( "faulty_config", "A faulty table", misbehave_config, faulty_fields );

DS_PLUGIN_EXPORT ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );

ds_status ds_plugin_register( ds_registry *registry, const ds_host *host )
{
	const char *how = getenv( "DEEPSIM_MISBEHAVE" );
	static ds_type changed;
	changed = types[0];
	changed.name = "changed";
	changed.abi_version += how && strcmp( how, "abi" ) == 0;
	changed.struct_size += how && strcmp( how, "size" ) == 0;
	changed.config = how && strcmp( how, "table" ) == 0 ? &faulty_table : &config_table;
	if ( how && strcmp( how, "nothing" ) == 0 )
	{
		return DS_OK;
	}
	for ( size_t i = 0; i < sizeof( types ) / sizeof( types[0] ); ++i )
	{
		ds_status status = host->registry_add( registry, &types[i] );
		if ( status != DS_OK )
		{
			return status;
		}
	}
	if ( how && strcmp( how, "error" ) == 0 )
	{
		return host->error( DS_ERROR_UNSUPPORTED, "misbehave: this is the message of the registration" );
	}
	if ( how && strcmp( how, "silent" ) == 0 )
	{
		host->error( DS_OK, "%s", "" );
		return DS_ERROR_UNSUPPORTED;
	}
	if ( how && strcmp( how, "status" ) == 0 )
	{
		return (ds_status)-5;
	}
	return how ? host->registry_add( registry, &changed ) : DS_OK;
}
