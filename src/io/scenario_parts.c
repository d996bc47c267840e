// Joints, sensors, actuators, forces and controllers.

#include "io/scenario_internal.h"

#include <string.h>

static ds_status find_body(
	const ds_loader *loader, const ds_json *node, const char *key, const char *name, int32_t *body )
{
	return ds_find_name( node, key, "body", name, &loader->bodies, body );
}

// ---- joints ------------------------------------------------------------------------------------------------------

static ds_status fill_joint(
	const ds_loader *loader, const ds_file_joint *joint, const ds_json *node, ds_scenario_joint *out )
{
	out->def = ds_joint_def_default();
	ds_copy_string( out->def.name, sizeof( out->def.name ), joint->name );
	out->def.kind = joint->kind;
	out->def.frame = ds_file_pose_get( &joint->frame );
	out->def.limited = joint->limits_kind || joint->limits_deg_kind;
	out->def.lower = joint->kind == DS_JOINT_HINGE ? joint->angles[0] : joint->limits[0];
	out->def.upper = joint->kind == DS_JOINT_HINGE ? joint->angles[1] : joint->limits[1];
	out->def.motor_velocity = joint->motor_kind ? joint->motor_velocity : 0;
	out->def.motor_force = joint->motor_kind ? joint->motor_force : 0;
	out->body_a = -1;
	if ( joint->body_a_kind )
	{
		DS_TRY( find_body( loader, node, "body_a", joint->body_a, &out->body_a ) );
	}
	DS_TRY( find_body( loader, node, "body_b", joint->body_b, &out->body_b ) );
	return out->body_a == out->body_b ? ds_json_error( DS_ERROR_ARGUMENT, node,
											"a joint needs two different bodies, not \"%s\" twice", joint->body_b )
									  : DS_OK;
}

static ds_status load_joints( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_array *array = &loader->file.joints;
	const ds_file_joint *joints = array->data;
	const ds_json *nodes = ds_json_find( loader->tree, "joints" );
	void *names, *memory;
	ds_names sorted;
	DS_TRY( ds_new_array( &loader->tree_arena, array->count, sizeof( char * ), &names ) );
	for ( int64_t i = 0; i < array->count; ++i )
	{
		( (const char **)names )[i] = joints[i].name;
	}
	DS_TRY( ds_check_names( &loader->tree_arena, nodes, "joints", names, (int32_t)array->count, &sorted ) );
	DS_TRY( ds_new_array( &scenario->arena, array->count, sizeof( ds_scenario_joint ), &memory ) );
	scenario->joints = memory;
	for ( const ds_json *node = nodes ? nodes->first : NULL; node; node = node->next )
	{
		int32_t i = scenario->joint_count++;
		DS_TRY( fill_joint( loader, &joints[i], node, &scenario->joints[i] ) );
	}
	return DS_OK;
}

// ---- what sensors, actuators, forces and controllers share ---------------------------------------------------------

static ds_status find_type(
	const ds_loader *loader, const ds_file_part *part, const ds_json *node, ds_kind kind, const ds_type **found )
{
	const ds_registry *registry = loader->scenario->registry;
	*found = ds_registry_find( registry, kind, part->type );
	if ( *found )
	{
		return DS_OK;
	}
	const char *names[256];
	int32_t count = 0;
	for ( int32_t i = 0; i < ds_registry_count( registry ) && count < 256; ++i )
	{
		const ds_type *type = ds_registry_at( registry, i );
		if ( type->kind == kind )
		{
			names[count++] = type->name;
		}
	}
	char what[64] = "";
	strcat( strcat( what, ds_kind_name( kind ) ), " type" );
	return ds_unknown_name( ds_json_find( node, "type" ), what, part->type, names, count );
}

// The config by the type's own table. What is not given is an empty object in the part's place.
static ds_status read_config(
	const ds_loader *loader, const ds_file_part *part, const ds_json *node, const ds_type *type, const void **config )
{
	static const ds_table empty = { "config", "", 1, NULL, 0, NULL, NULL, 0 };
	const ds_table *table = type->config ? type->config : &empty;
	ds_json none;
	memset( &none, 0, sizeof( none ) );
	none.type = DS_JSON_OBJECT;
	none.key = "config";
	none.file = node->file;
	none.line = node->line;
	none.parent = (ds_json *)node;
	void *memory;
	DS_TRY( ds_new_array( &loader->scenario->arena, 1, table->size, &memory ) );
	if ( part->config )
	{
		DS_TRY( ds_open_config_paths( loader, table, part->config ) );
	}
	DS_TRY( ds_table_read( table, part->config ? part->config : &none, &loader->scenario->arena, memory ) );
	*config = type->config ? memory : NULL;
	return DS_OK;
}

// "inputs": { "imu": "imu1" }
static ds_status read_inputs( const ds_loader *loader, const ds_json *node, ds_input_def *inputs, int32_t *count )
{
	*count = 0;
	if ( node == NULL )
	{
		return DS_OK;
	}
	if ( node->type != DS_JSON_OBJECT || node->count > DS_MAX_INPUTS )
	{
		return ds_wrong_value( DS_ERROR_TYPE, node, "an object { name: part } of at most 8 inputs" );
	}
	for ( const ds_json *p = node->first; p; p = p->next )
	{
		int32_t source;
		ds_input_def *input = &inputs[( *count )++];
		if ( p->type != DS_JSON_STRING )
		{
			return ds_wrong_value( DS_ERROR_TYPE, p, "the name of a part with readings" );
		}
		DS_TRY( ds_find_name( node, p->key, "part", p->string, &loader->sources, &source ) );
		if ( !ds_copy_string( input->name, sizeof( input->name ), p->key ) || p->key[0] == 0 )
		{
			return ds_json_error( DS_ERROR_LIMIT, p, "an input's name must have 1 to %d bytes", DS_NAME_SIZE - 1 );
		}
		ds_copy_string( input->source, sizeof( input->source ), p->string );
	}
	return DS_OK;
}

static ds_status check_rate( const ds_loader *loader, const ds_file_part *part, const ds_json *node )
{
	double world = loader->scenario->rate;
	return part->rate_kind && part->rate > world
			   ? ds_json_error( DS_ERROR_RANGE, ds_json_find( node, "rate" ),
					 "%.15g Hz is above the world's rate of %.15g Hz", part->rate, world )
			   : DS_OK;
}

// ---- each kind ---------------------------------------------------------------------------------------------------

static ds_status fill_sensor(
	const ds_loader *loader, const ds_file_part *part, const ds_json *node, ds_scenario_sensor *out )
{
	const ds_type *type;
	ds_sensor_def *def = &out->def;
	*def = ds_sensor_def_default();
	ds_copy_string( def->name, sizeof( def->name ), part->name );
	ds_copy_string( def->type, sizeof( def->type ), part->type );
	DS_TRY( find_type( loader, part, node, DS_SENSOR, &type ) );
	DS_TRY( find_body( loader, node, "body", part->body, &out->body ) );
	DS_TRY( check_rate( loader, part, node ) );
	def->mount = ds_file_pose_get( &part->mount );
	def->rate = part->rate_kind ? part->rate : 0;
	def->offset = part->offset;
	def->latency = part->latency;
	def->queue = part->queue;
	DS_TRY( read_inputs( loader, part->inputs, def->inputs, &def->input_count ) );
	return read_config( loader, part, node, type, &def->config );
}

static ds_status fill_actuator(
	const ds_loader *loader, const ds_file_part *part, const ds_json *node, ds_kind kind, ds_scenario_actuator *out )
{
	const ds_type *type;
	ds_actuator_def *def = &out->def;
	*def = ds_actuator_def_default();
	ds_copy_string( def->name, sizeof( def->name ), part->name );
	ds_copy_string( def->type, sizeof( def->type ), part->type );
	DS_TRY( find_type( loader, part, node, kind, &type ) );
	DS_TRY( find_body( loader, node, "body", part->body, &out->body ) );
	DS_TRY( check_rate( loader, part, node ) );
	def->mount = ds_file_pose_get( &part->mount );
	def->rate = part->rate_kind ? part->rate : 0;
	DS_TRY( read_inputs( loader, part->inputs, def->inputs, &def->input_count ) );
	return read_config( loader, part, node, type, &def->config );
}

static ds_status read_outputs( const ds_loader *loader, const ds_json *node, ds_controller_def *def )
{
	if ( node == NULL )
	{
		return DS_OK;
	}
	if ( node->type != DS_JSON_ARRAY || node->count > DS_MAX_INPUTS )
	{
		return ds_wrong_value( DS_ERROR_TYPE, node, "an array of the names of at most 8 actuators" );
	}
	for ( const ds_json *p = node->first; p; p = p->next )
	{
		if ( p->type != DS_JSON_STRING || ds_index_of( &loader->actuators, p->string ) < 0 )
		{
			return p->type == DS_JSON_STRING
					   ? ds_unknown_name( p, "actuator", p->string, loader->actuators.names, loader->actuators.count )
					   : ds_wrong_value( DS_ERROR_TYPE, p, "the name of an actuator" );
		}
		ds_copy_string( def->outputs[def->output_count++], DS_NAME_SIZE, p->string );
	}
	return DS_OK;
}

static ds_status fill_controller(
	const ds_loader *loader, const ds_file_part *part, const ds_json *node, ds_scenario_controller *out )
{
	const ds_type *type;
	ds_controller_def *def = &out->def;
	*def = ds_controller_def_default();
	ds_copy_string( def->name, sizeof( def->name ), part->name );
	ds_copy_string( def->type, sizeof( def->type ), part->type );
	DS_TRY( find_type( loader, part, node, DS_CONTROLLER, &type ) );
	out->body = -1;
	if ( part->body[0] )
	{
		DS_TRY( find_body( loader, node, "body", part->body, &out->body ) );
	}
	DS_TRY( check_rate( loader, part, node ) );
	def->rate = part->rate_kind ? part->rate : 0;
	def->offset = part->offset;
	DS_TRY( read_inputs( loader, part->inputs, def->inputs, &def->input_count ) );
	DS_TRY( read_outputs( loader, part->outputs, def ) );
	return read_config( loader, part, node, type, &def->config );
}

// ---- names and cycles --------------------------------------------------------------------------------------------

// Gathers names of parts behind `names` and checks those of this array.
static ds_status gather(
	ds_loader *loader, const char *key, const ds_array *array, const char **names, ds_names *sorted )
{
	const ds_file_part *parts = array->data;
	for ( int64_t i = 0; i < array->count; ++i )
	{
		names[i] = parts[i].name;
	}
	return ds_check_names(
		&loader->tree_arena, ds_json_find( loader->tree, key ), key, names, (int32_t)array->count, sorted );
}

// Parts share one space of names: those of inputs, logs and random streams. Sensors and controllers come first in it.
static ds_status gather_names( ds_loader *loader )
{
	const ds_file *file = &loader->file;
	const struct
	{
		const char *key, *word;
		const ds_array *array;
	} kinds[] = { { "sensors", "sensor", &file->sensors }, { "controllers", "controller", &file->controllers },
		{ "actuators", "actuator", &file->actuators }, { "forces", "force", &file->forces } };
	int64_t total = 0;
	for ( int i = 0; i < 4; ++i )
	{
		total += kinds[i].array->count;
	}
	void *memory;
	DS_TRY( ds_new_array( &loader->tree_arena, total, sizeof( char * ), &memory ) );
	const char **names = memory;
	int32_t count = 0, twice;
	for ( int i = 0; i < 4; ++i )
	{
		ds_names sorted;
		DS_TRY( gather( loader, kinds[i].key, kinds[i].array, names + count, &sorted ) );
		loader->actuators = i == 2 ? sorted : loader->actuators;
		count += (int32_t)kinds[i].array->count;
	}
	DS_TRY( ds_sort_names( &loader->tree_arena, names, count, &loader->sources, &twice ) );
	for ( int i = 0; i < 4 && twice >= 0; ++i )
	{
		if ( twice < kinds[i].array->count )
		{
			const ds_json *node = ds_json_at( ds_json_find( loader->tree, kinds[i].key ), twice );
			return ds_json_error( DS_ERROR_DUPLICATE, ds_json_find( node, "name" ),
				"the name \"%s\" of this %s is that of another part too", ds_json_find( node, "name" )->string,
				kinds[i].word );
		}
		twice -= (int32_t)kinds[i].array->count;
	}
	return DS_OK;
}

static const ds_input_def *inputs_of( const ds_loader *loader, int32_t source, int32_t *count )
{
	const ds_scenario *s = loader->scenario;
	bool sensor = source < s->sensor_count;
	*count = sensor ? s->sensors[source].def.input_count : s->controllers[source - s->sensor_count].def.input_count;
	return sensor ? s->sensors[source].def.inputs : s->controllers[source - s->sensor_count].def.inputs;
}

// Depth-first walk along inputs; `marks`: 0 not seen, 1 on the way, 2 done.
static ds_status walk_inputs( const ds_loader *loader, int32_t source, unsigned char *marks, int32_t depth )
{
	const ds_scenario *s = loader->scenario;
	int32_t count;
	const ds_input_def *inputs = inputs_of( loader, source, &count );
	marks[source] = 1;
	for ( int32_t i = 0; i < count; ++i )
	{
		bool sensor = source < s->sensor_count;
		int32_t next = ds_index_of( &loader->sources, inputs[i].source );
		if ( next >= s->sensor_count + s->controller_count )
		{
			continue; // the latest reading of what pushes: no order is needed
		}
		if ( marks[next] != 1 && depth <= 1000 )
		{
			DS_TRY( marks[next] == 0 ? walk_inputs( loader, next, marks, depth + 1 ) : DS_OK );
			continue;
		}
		const ds_json *array = ds_json_find( loader->tree, sensor ? "sensors" : "controllers" );
		const ds_json *node = ds_json_find( ds_json_at( array, sensor ? source : source - s->sensor_count ), "inputs" );
		if ( marks[next] == 1 )
		{
			return ds_json_error( DS_ERROR_CYCLE, ds_json_find( node, inputs[i].name ),
				"\"%s\" depends on itself through its inputs", loader->sources.names[next] );
		}
		return ds_json_error( DS_ERROR_LIMIT, node, "a chain of more than 1000 inputs" );
	}
	marks[source] = 2;
	return DS_OK;
}

static ds_status check_cycles( ds_loader *loader )
{
	void *marks;
	int32_t ordered = loader->scenario->sensor_count + loader->scenario->controller_count;
	DS_TRY( ds_new_array( &loader->tree_arena, ordered, 1, &marks ) );
	for ( int32_t i = 0; i < ordered; ++i )
	{
		if ( ( (unsigned char *)marks )[i] == 0 )
		{
			DS_TRY( walk_inputs( loader, i, marks, 0 ) );
		}
	}
	return DS_OK;
}

// ---- all ---------------------------------------------------------------------------------------------------------

// Actuators, or forces.
static ds_status load_actuators( ds_loader *loader, ds_kind kind, const char *key, const ds_array *array,
	ds_scenario_actuator **out, int32_t *count )
{
	void *memory;
	const ds_json *nodes = ds_json_find( loader->tree, key );
	const ds_file_part *parts = array->data;
	DS_TRY( ds_new_array( &loader->scenario->arena, array->count, sizeof( ds_scenario_actuator ), &memory ) );
	*out = memory;
	for ( const ds_json *node = nodes ? nodes->first : NULL; node; node = node->next )
	{
		DS_TRY( fill_actuator( loader, &parts[*count], node, kind, &( *out )[*count] ) );
		++*count;
	}
	return DS_OK;
}

static ds_status load_sources( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_file *file = &loader->file;
	const ds_file_part *sensors = file->sensors.data, *controllers = file->controllers.data;
	const ds_json *nodes = ds_json_find( loader->tree, "sensors" );
	void *memory;
	DS_TRY( ds_new_array( &scenario->arena, file->sensors.count, sizeof( ds_scenario_sensor ), &memory ) );
	scenario->sensors = memory;
	for ( const ds_json *node = nodes ? nodes->first : NULL; node; node = node->next )
	{
		int32_t i = scenario->sensor_count++;
		DS_TRY( fill_sensor( loader, &sensors[i], node, &scenario->sensors[i] ) );
	}
	nodes = ds_json_find( loader->tree, "controllers" );
	DS_TRY( ds_new_array( &scenario->arena, file->controllers.count, sizeof( ds_scenario_controller ), &memory ) );
	scenario->controllers = memory;
	for ( const ds_json *node = nodes ? nodes->first : NULL; node; node = node->next )
	{
		int32_t i = scenario->controller_count++;
		DS_TRY( fill_controller( loader, &controllers[i], node, &scenario->controllers[i] ) );
	}
	return check_cycles( loader );
}

ds_status ds_load_parts( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_file *file = &loader->file;
	DS_TRY( gather_names( loader ) );
	DS_TRY( load_joints( loader ) );
	DS_TRY( load_actuators(
		loader, DS_ACTUATOR, "actuators", &file->actuators, &scenario->actuators, &scenario->actuator_count ) );
	DS_TRY( load_actuators( loader, DS_FORCE, "forces", &file->forces, &scenario->forces, &scenario->force_count ) );
	DS_TRY( load_sources( loader ) );
	return ds_load_commands( loader );
}
