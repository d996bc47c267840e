// The timeline of commands.

#include "core/registry.h"
#include "io/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

// By time, and where times are equal in the order of the file: `order` holds that while sorting.
typedef struct sorted_command
{
	ds_scenario_command command;
	int64_t order;
} sorted_command;

static int compare_commands( const void *a, const void *b )
{
	const sorted_command *x = a, *y = b;
	int by_time = ( x->command.t > y->command.t ) - ( x->command.t < y->command.t );
	return by_time ? by_time : ( x->order > y->order ) - ( x->order < y->order );
}

static ds_status fill_command(
	const ds_loader *loader, const ds_file_command *from, const ds_json *node, ds_scenario_command *out )
{
	out->t = from->t;
	DS_TRY( ds_find_name( node, "actuator", "actuator", from->actuator, &loader->actuators, &out->actuator ) );
	if ( from->value_kind == 0 )
	{
		out->count = 1;
		out->values[0] = from->value;
		return DS_OK;
	}
	if ( from->values.count < 1 || from->values.count > DS_MAX_COMMANDS )
	{
		return ds_wrong_value( DS_ERROR_LIMIT, ds_json_find( node, "value" ), "1 to 16 numbers" );
	}
	out->count = (int32_t)from->values.count;
	memcpy( out->values, from->values.data, sizeof( double ) * (size_t)out->count );
	return DS_OK;
}

// What an actuator takes is known once its model is made: made here for a moment, once for each that is commanded.
typedef struct takes
{
	bool known;
	int32_t count;
	double minimum[DS_MAX_COMMANDS], maximum[DS_MAX_COMMANDS];
} takes;

static ds_status ask_actuator( const ds_loader *loader, int32_t actuator, takes *t )
{
	const ds_scenario *scenario = loader->scenario;
	const ds_actuator_def *def = &scenario->actuators[actuator].def;
	const ds_type *type = ds_registry_find( scenario->registry, DS_ACTUATOR, def->type );
	ds_layout layout;
	memset( &layout, 0, sizeof( layout ) );
	layout.output_size = type->output ? type->output->size : 0;
	layout.command_count = 1;
	for ( int i = 0; i < DS_MAX_COMMANDS; ++i )
	{
		layout.command_minimum[i] = -1;
		layout.command_maximum[i] = 1;
	}
	void *model = NULL;
	ds_status status = type->create ? type->create( def->config, &scenario->registry->host, &layout, &model ) : DS_OK;
	if ( status != DS_OK )
	{
		return ds_json_prefix( status, ds_json_at( ds_json_find( loader->tree, "actuators" ), actuator ) );
	}
	if ( type->destroy && model )
	{
		type->destroy( model );
	}
	t->known = true;
	t->count = layout.command_count < DS_MAX_COMMANDS ? layout.command_count : DS_MAX_COMMANDS;
	memcpy( t->minimum, layout.command_minimum, sizeof( t->minimum ) );
	memcpy( t->maximum, layout.command_maximum, sizeof( t->maximum ) );
	return DS_OK;
}

static ds_status check_command(
	const ds_loader *loader, const ds_json *node, const ds_scenario_command *command, takes *all )
{
	takes *t = &all[command->actuator];
	if ( !t->known )
	{
		DS_TRY( ask_actuator( loader, command->actuator, t ) );
	}
	const ds_json *value = ds_json_find( node, "value" );
	if ( command->count != t->count )
	{
		return ds_json_error( DS_ERROR_ARGUMENT, value, "actuator \"%s\" takes %d number%s, got %d",
			loader->actuators.names[command->actuator], t->count, t->count == 1 ? "" : "s", command->count );
	}
	for ( int32_t i = 0; i < command->count; ++i )
	{
		if ( command->values[i] < t->minimum[i] || command->values[i] > t->maximum[i] )
		{
			return ds_json_error( DS_ERROR_RANGE, value->type == DS_JSON_ARRAY ? ds_json_at( value, i ) : value,
				"actuator \"%s\" takes a number in [%.15g, %.15g], got %.15g",
				loader->actuators.names[command->actuator], t->minimum[i], t->maximum[i], command->values[i] );
		}
	}
	return DS_OK;
}

ds_status ds_load_commands( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_array *array = &loader->file.commands;
	const ds_file_command *commands = array->data;
	const ds_json *nodes = ds_json_find( loader->tree, "commands" );
	void *memory, *work, *limits;
	DS_TRY( ds_new_array( &scenario->arena, array->count, sizeof( ds_scenario_command ), &memory ) );
	DS_TRY( ds_new_array( &loader->tree_arena, array->count, sizeof( sorted_command ), &work ) );
	DS_TRY( ds_new_array( &loader->tree_arena, scenario->actuator_count, sizeof( takes ), &limits ) );
	scenario->commands = memory;
	sorted_command *sorted = work;
	int64_t i = 0;
	for ( const ds_json *node = nodes ? nodes->first : NULL; node; node = node->next, ++i )
	{
		sorted[i].order = i;
		DS_TRY( fill_command( loader, &commands[i], node, &sorted[i].command ) );
		DS_TRY( check_command( loader, node, &sorted[i].command, limits ) );
	}
	qsort( sorted, (size_t)array->count, sizeof( *sorted ), compare_commands );
	for ( i = 0; i < array->count; ++i )
	{
		scenario->commands[i] = sorted[i].command;
	}
	scenario->command_count = (int32_t)array->count;
	return DS_OK;
}
