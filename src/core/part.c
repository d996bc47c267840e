// Parts: sensors, actuators, forces and controllers, all by the one plugin interface.

#include "core/world.h"
#include "optics/lamp_table.h"

#include <math.h>
#include <string.h>

#define OUTPUT_LIMIT  ( (size_t)1 << 30 )
#define LEAST_RATE    0.001 // of readings [Hz]
#define ALIGN( size ) ( ( ( size ) + 15 ) / 16 * 16 )

// ---- definitions -------------------------------------------------------------------------------------------------

ds_sensor_def ds_sensor_def_default( void )
{
	ds_sensor_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	def.mount = ds_pose_identity();
	def.queue = 16;
	return def;
}

ds_actuator_def ds_actuator_def_default( void )
{
	ds_actuator_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	def.mount = ds_pose_identity();
	return def;
}

ds_controller_def ds_controller_def_default( void )
{
	ds_controller_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	return def;
}

// What the definitions of all kinds come down to.
typedef struct part_def
{
	ds_kind kind;
	const char *name, *type;
	ds_id body;
	ds_pose mount;
	double rate, offset, latency;
	int64_t queue;
	const void *config;
	const ds_input_def *inputs;
	int32_t input_count;
	const char ( *outputs )[DS_NAME_SIZE];
	int32_t output_count;
} part_def;

// ---- model -------------------------------------------------------------------------------------------------------

static void release_model( ds_model *model )
{
	if ( model == NULL || atomic_fetch_sub( &model->references, 1 ) != 1 )
	{
		return;
	}
	if ( model->model && model->type->destroy )
	{
		model->type->destroy( model->model );
	}
	ds_registry_release( model->registry );
	ds_allocator allocator = model->hooks.allocator;
	DS_FREE( &allocator, model, 1 );
}

static ds_status check_layout( const part_def *def, const ds_layout *layout )
{
	bool good = layout->command_count >= 0 && layout->command_count <= DS_MAX_COMMANDS &&
				layout->state_size <= OUTPUT_LIMIT && layout->output_size <= OUTPUT_LIMIT;
	for ( int32_t i = 0; good && i < layout->command_count; ++i )
	{
		double low = layout->command_minimum[i], high = layout->command_maximum[i];
		good = low <= high && low < INFINITY && high > -INFINITY && isfinite( layout->command_initial[i] );
	}
	if ( good && !( layout->delay >= 0 && layout->delay < 1e9 ) )
	{
		return ds_error( DS_ERROR_PLUGIN, "%s \"%s\": type \"%s\": the delay must lie in [0, 1e9) s, got %g",
			ds_kind_name( def->kind ), def->name, def->type, layout->delay );
	}
	if ( good && layout->lamp && def->kind != DS_ACTUATOR )
	{
		return ds_error( DS_ERROR_PLUGIN, "%s \"%s\": type \"%s\": only actuators have lamps",
			ds_kind_name( def->kind ), def->name, def->type );
	}
	if ( good && layout->lamp )
	{
		ds_status status = ds_lamp_check( layout->lamp );
		if ( status != DS_OK )
		{
			return ds_error_prefix(
				status, "%s \"%s\": type \"%s\": ", ds_kind_name( def->kind ), def->name, def->type );
		}
	}
	if ( good && layout->gear )
	{
		ds_status status = def->kind == DS_ACTUATOR ? ds_gear_check( layout->gear )
													: ds_error( DS_ERROR_PLUGIN, "only actuators have running gear" );
		return status == DS_OK
				   ? DS_OK
				   : ds_error_prefix( status, "%s \"%s\": running gear: ", ds_kind_name( def->kind ), def->name );
	}
	return good ? DS_OK
				: ds_error( DS_ERROR_PLUGIN,
					  "%s \"%s\": type \"%s\" asks for an impossible layout (%zu bytes of state, %zu of output, %d "
					  "commands)",
					  ds_kind_name( def->kind ), def->name, def->type, layout->state_size, layout->output_size,
					  layout->command_count );
}

// Whether readings of a table hold nothing that has to be checked.
static bool is_plain( const ds_table *table )
{
	bool plain = true;
	for ( int32_t i = 0; table && plain && i < table->field_count; ++i )
	{
		const ds_field *field = table->fields + i;
		plain = field->type != DS_FIELD_SPAN && field->type != DS_FIELD_STRING &&
				( field->type != DS_FIELD_STRUCT || is_plain( field->table ) );
	}
	return plain;
}

static ds_status run_create( const part_def *def, ds_model *model )
{
	const ds_type *type = model->type;
	const void *config = def->config;
	void *defaults = NULL;
	size_t size = type->config ? type->config->size : 0;
	if ( config == NULL && type->config )
	{
		DS_TRY( ds_memory_new( &model->hooks.allocator, size, 1, &defaults ) );
		ds_status status = ds_table_defaults( type->config, defaults );
		if ( status != DS_OK )
		{
			ds_memory_free( &model->hooks.allocator, defaults, size, 1 );
			return status;
		}
		config = defaults;
	}
	ds_layout *layout = &model->layout;
	size_t reading = type->output ? type->output->size : 0;
	layout->output_size = reading;
	layout->command_count = def->kind == DS_ACTUATOR ? 1 : 0;
	for ( int i = 0; i < DS_MAX_COMMANDS; ++i )
	{
		layout->command_minimum[i] = -1;
		layout->command_maximum[i] = 1;
	}
	ds_error_clear();
	ds_status status = type->config ? ds_table_check_value( type->config, config ) : DS_OK;
	if ( status == DS_OK && type->create )
	{
		status = type->create( config, &model->host, layout, &model->model );
	}
	ds_memory_free( &model->hooks.allocator, defaults, size, 1 );
	if ( status != DS_OK )
	{
		model->model = NULL; // a create that fails has freed what it took
		const char *text = ds_last_error();
		status = (unsigned)status < DS_STATUS_COUNT ? status : DS_ERROR_PLUGIN;
		return ds_error( status, "%s \"%s\": type \"%s\" cannot be created: %s", ds_kind_name( def->kind ), def->name,
			def->type, text[0] ? text : ds_status_name( status ) );
	}
	layout->output_size = layout->output_size < reading ? reading : layout->output_size;
	return check_layout( def, layout );
}

static ds_status make_model( ds_world *world, const part_def *def, ds_model **out )
{
	const ds_type *type = ds_registry_find( world->registry, def->kind, def->type );
	if ( type == NULL )
	{
		const char *names[256];
		size_t count = 0;
		for ( int32_t i = 0; i < ds_registry_count( world->registry ) && count < 256; ++i )
		{
			const ds_type *other = ds_registry_at( world->registry, i );
			if ( other->kind == def->kind )
			{
				names[count++] = other->name;
			}
		}
		const char *nearest = ds_nearest_name( def->type, names, count );
		return ds_error( DS_ERROR_NOT_FOUND, "%s \"%s\": there is no %s type \"%s\"%s%s%s", ds_kind_name( def->kind ),
			def->name, ds_kind_name( def->kind ), def->type, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
			nearest ? "\"?" : "" );
	}
	ds_model *model;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &model ) );
	atomic_init( &model->references, 1 );
	model->type = type;
	model->plain = is_plain( type->output );
	model->hooks = world->hooks;
	model->registry = ds_registry_retain( world->registry );
	ds_host_init( &model->host, &model->hooks );
	ds_status status = run_create( def, model );
	if ( status != DS_OK )
	{
		release_model( model );
		return status;
	}
	*out = model;
	return DS_OK;
}

// ---- life --------------------------------------------------------------------------------------------------------

// Of what changes of running gear.
static size_t gear_size( const ds_gear *gear )
{
	return ALIGN( sizeof( ds_gear_live ) ) +
		   ALIGN( (size_t)ds_element_blocks( ds_gear_elements( gear ) ) * sizeof( ds_element_block ) );
}

void ds_part_lift_off( ds_part *part )
{
	if ( part->gear )
	{
		size_t count = (size_t)ds_element_blocks( ds_gear_elements( part->model->layout.gear ) );
		memset( part->gear_elements, 0, count * sizeof( *part->gear_elements ) );
	}
}

void ds_part_lay( ds_part *part )
{
	const ds_layout *layout = &part->model->layout;
	part->state = (ds_part_state *)(void *)part->block;
	size_t at = ALIGN( sizeof( ds_part_state ) );
	part->plugin_state = part->block + at;
	at += ALIGN( layout->state_size );
	part->gear = NULL;
	part->gear_elements = NULL;
	if ( layout->gear )
	{
		part->gear = (ds_gear_live *)(void *)( part->block + at );
		part->gear_elements = (ds_element_block *)(void *)( part->block + at + ALIGN( sizeof( ds_gear_live ) ) );
		at += gear_size( layout->gear );
	}
	part->readings = part->block + at;
}

static ds_status make_block( ds_world *world, ds_part *part )
{
	const ds_layout *layout = &part->model->layout;
	part->stride = ALIGN( sizeof( ds_sample_header ) ) + ALIGN( layout->output_size );
	if ( (double)part->queue * (double)part->stride > (double)OUTPUT_LIMIT )
	{
		return ds_error( DS_ERROR_LIMIT,
			"%s \"%s\": %lld readings of %zu bytes wait in its queue or for its latency, more than %zu bytes in all; "
			"shorten the queue or the latency",
			ds_kind_name( part->kind ), part->name, (long long)part->queue, part->stride, OUTPUT_LIMIT );
	}
	part->block_size = ALIGN( sizeof( ds_part_state ) ) + ALIGN( layout->state_size ) +
					   ( layout->gear ? gear_size( layout->gear ) : 0 ) + (size_t)part->queue * part->stride;
	void *block;
	DS_TRY( ds_memory_new( &world->hooks.allocator, part->block_size, 1, &block ) );
	part->block = block;
	ds_part_lay( part );
	return ds_part_gear_room( world, part );
}

void ds_part_free( ds_world *world, ds_part *part )
{
	if ( part == NULL )
	{
		return;
	}
	release_model( part->model );
	DS_FREE( &world->hooks.allocator, part->gear_room, part->gear_room_count );
	ds_memory_free( &world->hooks.allocator, part->block, part->block_size, 1 );
	DS_FREE( &world->hooks.allocator, part, 1 );
}

ds_status ds_part_copy( ds_world *world, const ds_part *from, ds_part **copy )
{
	ds_part *part;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &part ) );
	*part = *from;
	part->block = NULL;
	part->channel = -1;
	void *block;
	ds_status status = ds_memory_new( &world->hooks.allocator, from->block_size, 1, &block );
	if ( status != DS_OK )
	{
		DS_FREE( &world->hooks.allocator, part, 1 );
		return status;
	}
	atomic_fetch_add( &from->model->references, 1 );
	part->block = block;
	memcpy( part->block, from->block, from->block_size );
	ds_part_lay( part );
	status = ds_part_gear_room( world, part );
	if ( status != DS_OK )
	{
		ds_part_free( world, part );
		return status;
	}
	*copy = part;
	return DS_OK;
}

static ds_status check_schedule( const ds_world *world, const part_def *def )
{
	const char *kind = ds_kind_name( def->kind );
	if ( def->rate != 0 && !( def->rate >= LEAST_RATE && def->rate <= world->rate * ( 1 + 1e-12 ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "%s \"%s\": the rate must lie in [%g, %g] Hz, up to the world's rate; got %g",
			kind, def->name, LEAST_RATE, world->rate, def->rate );
	}
	if ( !( def->offset >= 0 && def->offset < 1e9 ) || !( def->latency >= 0 && def->latency < 1e9 ) )
	{
		return ds_error( DS_ERROR_RANGE, "%s \"%s\": offset and latency must lie in [0, 1e9) s", kind, def->name );
	}
	if ( def->queue < 1 || def->queue > 1000000 )
	{
		return ds_error( DS_ERROR_RANGE, "%s \"%s\": the queue must hold 1 to 1000000 readings, got %lld", kind,
			def->name, (long long)def->queue );
	}
	return DS_OK;
}

static bool ends( const char *name )
{
	return memchr( name, 0, DS_NAME_SIZE ) != NULL;
}

// Names are arrays, which end in them.
static ds_status check_strings( const part_def *def )
{
	bool good = ends( def->type );
	for ( int32_t i = 0; i < def->input_count; ++i )
	{
		good = good && ends( def->inputs[i].name ) && ends( def->inputs[i].source );
	}
	for ( int32_t i = 0; i < def->output_count; ++i )
	{
		good = good && ends( def->outputs[i] );
	}
	return good ? DS_OK
				: ds_error( DS_ERROR_ARGUMENT,
					  "%s \"%s\": its type and the names of its inputs and outputs must end in a NUL, and be at most "
					  "%d long",
					  ds_kind_name( def->kind ), def->name, DS_NAME_SIZE - 1 );
}

static ds_status check_part( const ds_world *world, const part_def *def )
{
	const char *kind = ds_kind_name( def->kind );
	if ( !ds_finite( def->mount.position ) || !isfinite( def->mount.attitude.w ) ||
		 !ds_finite( ds_v3( def->mount.attitude.x, def->mount.attitude.y, def->mount.attitude.z ) ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "%s \"%s\": the mount must be finite", kind, def->name );
	}
	if ( def->input_count < 0 || def->input_count > DS_MAX_INPUTS || def->output_count < 0 ||
		 def->output_count > DS_MAX_INPUTS )
	{
		return ds_error( DS_ERROR_LIMIT, "%s \"%s\": at most %d inputs and outputs", kind, def->name, DS_MAX_INPUTS );
	}
	DS_TRY( check_strings( def ) );
	return check_schedule( world, def );
}

static void fill_part( ds_world *world, const part_def *def, ds_body *body, ds_part *part )
{
	ds_copy_string( part->name, sizeof( part->name ), def->name );
	part->kind = def->kind;
	part->body = body;
	part->mount = def->mount;
	part->mount.attitude = ds_quat_normalize( def->mount.attitude );
	part->mount_c = part->mount;
	part->mount_c.position = body ? ds_sub( part->mount.position, body->c ) : part->mount.position;
	part->rate = def->rate > 0                                          ? def->rate
				 : def->kind == DS_SENSOR || def->kind == DS_CONTROLLER ? world->rate
																		: fmin( 10, world->rate );
	part->spacing = ds_clock_spacing( part->rate );
	part->offset = (ds_time)llround( def->offset * 1e9 );
	part->latency = (ds_time)llround( def->latency * 1e9 );
	part->input_count = def->input_count;
	if ( def->input_count )
	{
		memcpy( part->inputs, def->inputs, (size_t)def->input_count * sizeof( *def->inputs ) );
	}
	part->output_count = def->output_count;
	if ( def->output_count )
	{
		memcpy( part->outputs, def->outputs, (size_t)def->output_count * sizeof( *def->outputs ) );
	}
	part->channel = -1;
	part->due_sequence = -1;
}

static ds_status create_part( ds_world *world, const part_def *def, ds_id *id )
{
	*id = DS_NO_ID;
	DS_TRY( ds_world_may_change( world ) );
	if ( world->sinks_open )
	{
		return ds_error( DS_ERROR_STATE, "%s \"%s\": the logs are open; add parts before the first step",
			ds_kind_name( def->kind ), def->name );
	}
	DS_TRY( ds_world_check_name( world, def->kind, def->name ) );
	ds_body *body = NULL;
	if ( def->body != DS_NO_ID || def->kind != DS_CONTROLLER )
	{
		ds_status found = ds_world_body( world, def->body, &body );
		if ( found != DS_OK )
		{
			return ds_error_prefix( found, "%s \"%s\": body: ", ds_kind_name( def->kind ), def->name );
		}
	}
	DS_TRY( check_part( world, def ) );
	ds_part *part;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &part ) );
	fill_part( world, def, body, part );
	world->busy = true; // the plugin's words go to the user's hooks
	ds_status status = make_model( world, def, &part->model );
	if ( status == DS_OK )
	{
		bool reads = part->model->type->sample != NULL;
		part->depth = reads ? def->queue : 0;
		const double wait = def->latency + part->model->layout.delay;
		part->queue = reads ? def->queue + (int64_t)ceil( wait * part->rate ) + 1 : 0;
		part->delay = (ds_time)llround( part->model->layout.delay * 1e9 );
		status = make_block( world, part );
	}
	const bool prepared = world->prepared;
	if ( status == DS_OK )
	{
		world->prepared = false; // its inputs are not resolved yet
		status = ds_part_start( world, part );
	}
	world->busy = false;
	if ( status == DS_OK )
	{
		status = ds_slots_add( world->parts + def->kind, part, &part->id );
	}
	if ( status != DS_OK )
	{
		world->prepared = prepared;
		ds_part_free( world, part );
		return status;
	}
	world->prepared = false;
	*id = part->id;
	return DS_OK;
}

static ds_status destroy_part( ds_world *world, ds_kind kind, ds_id id )
{
	ds_part *part;
	DS_TRY( ds_world_part( world, kind, id, &part ) );
	DS_TRY( ds_world_may_change( world ) );
	ds_slots_remove( world->parts + kind, id );
	ds_part_free( world, part );
	world->prepared = false;
	return DS_OK;
}

ds_status ds_sensor_create( ds_world *world, const ds_sensor_def *def, ds_id *id )
{
	if ( world == NULL || def == NULL || id == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_sensor_create needs a world, a definition from ds_sensor_def_default() and room for the id" );
	}
	part_def part = { DS_SENSOR, def->name, def->type, def->body, def->mount, def->rate, def->offset, def->latency,
		def->queue, def->config, def->inputs, def->input_count, NULL, 0 };
	return create_part( world, &part, id );
}

ds_status ds_sensor_destroy( ds_world *world, ds_id id )
{
	return destroy_part( world, DS_SENSOR, id );
}

static ds_status create_pusher( ds_world *world, ds_kind kind, const ds_actuator_def *def, ds_id *id )
{
	if ( world == NULL || def == NULL || id == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_%s_create needs a world, a definition from ds_actuator_def_default() and room for the id",
			ds_kind_name( kind ) );
	}
	part_def part = { kind, def->name, def->type, def->body, def->mount, def->rate, 0, 0, 16, def->config, def->inputs,
		def->input_count, NULL, 0 };
	return create_part( world, &part, id );
}

ds_status ds_actuator_create( ds_world *world, const ds_actuator_def *def, ds_id *id )
{
	return create_pusher( world, DS_ACTUATOR, def, id );
}

ds_status ds_actuator_destroy( ds_world *world, ds_id id )
{
	return destroy_part( world, DS_ACTUATOR, id );
}

ds_status ds_force_create( ds_world *world, const ds_actuator_def *def, ds_id *id )
{
	return create_pusher( world, DS_FORCE, def, id );
}

ds_status ds_force_destroy( ds_world *world, ds_id id )
{
	return destroy_part( world, DS_FORCE, id );
}

ds_status ds_controller_create( ds_world *world, const ds_controller_def *def, ds_id *id )
{
	if ( world == NULL || def == NULL || id == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_controller_create needs a world, a definition from ds_controller_def_default() and room for the id" );
	}
	part_def part = { DS_CONTROLLER, def->name, def->type, def->body, ds_pose_identity(), def->rate, def->offset, 0, 16,
		def->config, def->inputs, def->input_count, def->outputs, def->output_count };
	return create_part( world, &part, id );
}

ds_status ds_controller_destroy( ds_world *world, ds_id id )
{
	return destroy_part( world, DS_CONTROLLER, id );
}

// ---- start and faults ------------------------------------------------------------------------------------------------

ds_status ds_part_start( ds_world *world, ds_part *part )
{
	memset( part->block, 0, part->block_size );
	ds_random_key( world->state.seed, part->name, part->key );
	ds_part_state *state = part->state;
	for ( int32_t i = 0; i < part->model->layout.command_count; ++i )
	{
		// what the type says, or the nearest that is permitted
		double low = part->model->layout.command_minimum[i], high = part->model->layout.command_maximum[i];
		double initial = part->model->layout.command_initial[i];
		state->commands[i] = state->pending[i] = low > initial ? low : high < initial ? high : initial;
	}
	if ( part->model->layout.lamp && part->model->layout.command_count > 0 )
	{
		state->effort.light = fmin( fmax( state->commands[0], 0 ), 1 ); // until the first tick
	}
	ds_sample_restart( world, part );
	if ( part->model->type->reset )
	{
		ds_context context;
		ds_context_inner inner;
		ds_part_context( world, part, NULL, &context, &inner );
		ds_random_start( &inner.random, part->key, DS_DOMAIN_RESET, 0 );
		context.input_count = 0; // other parts may not have started yet
		ds_error_clear();
		ds_status status = part->model->type->reset( part->model->model, part->plugin_state, &context );
		return ds_part_fault( world, part, "reset", status );
	}
	return DS_OK;
}

ds_status ds_part_fault( ds_world *world, const ds_part *part, const char *call, ds_status status )
{
	if ( status == DS_OK )
	{
		return DS_OK;
	}
	const char *text = ds_last_error();
	return ds_error( (unsigned)status < DS_STATUS_COUNT ? status : DS_ERROR_PLUGIN,
		"%s \"%s\" (type \"%s\"), %s at tick %lld: %s", ds_kind_name( part->kind ), part->name, part->model->type->name,
		call, (long long)world->state.tick, text[0] ? text : ds_status_name( status ) );
}

// ---- commands and efforts ----------------------------------------------------------------------------------------

ds_status ds_part_command( ds_part *part, const double *values, int32_t n )
{
	const ds_layout *layout = &part->model->layout;
	if ( values == NULL || n != layout->command_count )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "actuator \"%s\" takes %d numbers, got %d", part->name, layout->command_count, n );
	}
	for ( int32_t i = 0; i < n; ++i )
	{
		if ( !isfinite( values[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "actuator \"%s\": command %d is not finite", part->name, i );
		}
		if ( values[i] < layout->command_minimum[i] || values[i] > layout->command_maximum[i] )
		{
			return ds_error( DS_ERROR_RANGE, "actuator \"%s\": expected command %d in [%g, %g], got %g", part->name, i,
				layout->command_minimum[i], layout->command_maximum[i], values[i] );
		}
	}
	memcpy( part->state->pending, values, (size_t)n * sizeof( *values ) );
	return DS_OK;
}

ds_status ds_actuator_set( ds_world *world, ds_id id, const double *values, int32_t n )
{
	ds_part *part;
	DS_TRY( ds_world_part( world, DS_ACTUATOR, id, &part ) );
	DS_TRY( ds_world_may_change( world ) );
	return ds_part_command( part, values, n );
}

ds_status ds_actuator_command( const ds_world *world, ds_id id, double *values, int32_t n )
{
	ds_part *part;
	DS_TRY( ds_world_part( world, DS_ACTUATOR, id, &part ) );
	if ( values == NULL || n < part->model->layout.command_count )
	{
		return ds_error( DS_ERROR_ARGUMENT, "actuator \"%s\" has %d numbers in its command", part->name,
			part->model->layout.command_count );
	}
	memcpy( values, part->state->pending, (size_t)part->model->layout.command_count * sizeof( *values ) );
	return DS_OK;
}

ds_status ds_actuator_effort( const ds_world *world, ds_id id, ds_effort *effort )
{
	ds_part *part;
	DS_TRY( ds_world_part( world, ds_id_kind( id ) == DS_FORCE ? DS_FORCE : DS_ACTUATOR, id, &part ) );
	if ( effort == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_actuator_effort needs room for the effort" );
	}
	*effort = part->state->effort;
	return DS_OK;
}
