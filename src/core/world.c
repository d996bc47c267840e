#include "core/world.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

ds_world_def ds_world_def_default( void )
{
	ds_world_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	return def;
}

ds_environment_def ds_environment_def_default( void )
{
	ds_environment_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	def.gravity = 9.81;
	def.water = DS_WATER_PRESENT;
	def.density_kind = DS_DENSITY_UNIFORM;
	def.density = 1025;
	def.density_increase = NAN;
	def.density_depth = 1000;
	def.salinity = 35;
	def.waves = ds_waves_def_default();
	def.wind = ds_wind_def_default();
	def.temperature = 4;
	def.surface_pressure = 101325;
	def.seabed_friction = 0.5;
	def.soil = ds_soil_default();
	def.soil_step = 0.0005;
	def.rut_cell = 0.02;
	def.rut_memory = 64e6;
	def.rut_erosion = true;
	ds_copy_string( def.date, sizeof( def.date ), "2026-01-01T00:00:00Z" );
	def.magnetic.earth = DS_EARTH_FIELD_WMM2025;
	def.optics = ds_water_optics_def_default();
	def.sky = ds_sky_def_default();
	def.seabed_look = ds_seabed_look_default();
	return def;
}

// ---- look-ups ----------------------------------------------------------------------------------------------------

ds_status ds_world_may_change( const ds_world *world )
{
	return world->busy ? ds_error( DS_ERROR_STATE, "the world is in a step; change it between steps" ) : DS_OK;
}

ds_status ds_world_body( const ds_world *world, ds_id id, ds_body **body )
{
	void *part = NULL;
	ds_status status =
		world ? ds_slots_get( &world->bodies, id, &part ) : ds_error( DS_ERROR_ARGUMENT, "the world is NULL" );
	*body = part;
	return status;
}

ds_status ds_world_joint( const ds_world *world, ds_id id, ds_joint **joint )
{
	void *part = NULL;
	ds_status status =
		world ? ds_slots_get( &world->joints, id, &part ) : ds_error( DS_ERROR_ARGUMENT, "the world is NULL" );
	*joint = part;
	return status;
}

ds_status ds_world_part( const ds_world *world, ds_kind kind, ds_id id, ds_part **out )
{
	void *part = NULL;
	ds_status status =
		world ? ds_slots_get( world->parts + kind, id, &part ) : ds_error( DS_ERROR_ARGUMENT, "the world is NULL" );
	*out = part;
	return status;
}

static const ds_slots *slots_of( const ds_world *world, ds_kind kind )
{
	if ( world == NULL || kind < DS_SENSOR || kind >= DS_KIND_END )
	{
		return NULL;
	}
	return kind == DS_BODY ? &world->bodies : kind == DS_JOINT ? &world->joints : world->parts + kind;
}

_Static_assert( offsetof( ds_body, id ) == offsetof( ds_slot_head, id ) &&
					offsetof( ds_body, name ) == offsetof( ds_slot_head, name ) &&
					offsetof( ds_joint, id ) == offsetof( ds_slot_head, id ) &&
					offsetof( ds_joint, name ) == offsetof( ds_slot_head, name ) &&
					offsetof( ds_part, id ) == offsetof( ds_slot_head, id ) &&
					offsetof( ds_part, name ) == offsetof( ds_slot_head, name ),
	"bodies, joints and parts begin with id and name" );

ds_status ds_world_find( const ds_world *world, ds_kind kind, const char *name, ds_id *id )
{
	const ds_slots *slots = slots_of( world, kind );
	if ( slots == NULL || name == NULL || id == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_world_find needs a world, a kind, a name and room for the id" );
	}
	const ds_slot_head *found = ds_slots_find( slots, name );
	*id = found ? found->id : DS_NO_ID;
	if ( found )
	{
		return DS_OK;
	}
	const char *names[256];
	size_t count = 0;
	for ( int32_t i = 0; i < slots->count && count < sizeof( names ) / sizeof( names[0] ); ++i )
	{
		names[count++] = ( (const ds_slot_head *)slots->order[i] )->name;
	}
	const char *nearest = ds_nearest_name( name, names, count );
	return ds_error( DS_ERROR_NOT_FOUND, "there is no %s \"%s\"%s%s%s", ds_kind_name( kind ), name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "" );
}

int32_t ds_world_count( const ds_world *world, ds_kind kind )
{
	const ds_slots *slots = slots_of( world, kind );
	return slots ? slots->count : 0;
}

ds_id ds_world_at( const ds_world *world, ds_kind kind, int32_t index )
{
	const ds_slots *slots = slots_of( world, kind );
	bool there = slots && index >= 0 && index < slots->count;
	return there ? ( (const ds_slot_head *)slots->order[index] )->id : DS_NO_ID;
}

const char *ds_world_name( const ds_world *world, ds_id id )
{
	const ds_slots *slots = slots_of( world, ds_id_kind( id ) );
	void *part;
	if ( slots == NULL || ds_slots_get( slots, id, &part ) != DS_OK )
	{
		return NULL;
	}
	return ( (const ds_slot_head *)part )->name;
}

ds_status ds_world_check_name( const ds_world *world, ds_kind kind, const char *name )
{
	const char *word = ds_kind_name( kind );
	bool start = true, good = name[0] != 0 && memchr( name, 0, DS_NAME_SIZE ) != NULL;
	for ( const char *p = name; good && *p; ++p )
	{
		unsigned char c = (unsigned char)*p;
		good = start ? isalpha( c ) && c < 128 : ( ( isalnum( c ) && c < 128 ) || c == '_' || c == '/' );
		start = c == '/';
	}
	if ( !good || start )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"%s \"%.63s\": a name starts with a letter, goes on with letters, digits and _, has a / after each prefix, "
			"and is at most %d long",
			word, name, DS_NAME_SIZE - 1 );
	}
	// sensors, actuators, forces and controllers share one space of names: those of logs, inputs and random streams
	bool part = kind >= DS_SENSOR && kind <= DS_CONTROLLER;
	int first = part ? DS_SENSOR : (int)kind, last = part ? DS_CONTROLLER : (int)kind;
	for ( int other = first; other <= last; ++other )
	{
		if ( ds_slots_find( slots_of( world, (ds_kind)other ), name ) )
		{
			return ds_error( DS_ERROR_DUPLICATE, "%s \"%s\": there is a %s of this name already; names must be unique",
				word, name, ds_kind_name( (ds_kind)other ) );
		}
	}
	return DS_OK;
}

// ---- life --------------------------------------------------------------------------------------------------------

void ds_world_fail( ds_world *world, ds_status status )
{
	if ( status != DS_OK )
	{
		world->fault = status;
		ds_copy_string( world->fault_text, sizeof( world->fault_text ), ds_last_error() );
	}
}

static bool has_data( const ds_array *array )
{
	return array->count >= 0 && ( array->count == 0 || array->data );
}

static ds_status check_environment( const ds_environment_def *e )
{
	const struct
	{
		const char *what;
		bool good;
	} checks[] = { { "water, its density or the seabed is of an unknown kind",
					   ( e->water == DS_WATER_NONE || e->water == DS_WATER_PRESENT ) &&
						   e->density_kind >= DS_DENSITY_UNIFORM && e->density_kind <= DS_DENSITY_TABLE &&
						   e->seabed >= DS_SEABED_NONE && e->seabed <= DS_SEABED_TERRAIN },
		{ "gravity must lie in [0, 100] m/s2", e->gravity >= 0 && e->gravity <= 100 },
		{ "density must lie in [1, 20000] kg/m3",
			e->water == DS_WATER_NONE || ( e->density >= 1 && e->density <= 20000 ) },
		{ "surface_pressure must lie in [0, 1e8] Pa", e->surface_pressure >= 0 && e->surface_pressure <= 1e8 },
		{ "the seabed's depth must lie in [-12000, 12000] m",
			e->seabed != DS_SEABED_FLAT || ( e->seabed_depth >= -12000 && e->seabed_depth <= 12000 ) },
		{ "the seabed's friction must lie in [0, 10]", e->seabed_friction >= 0 && e->seabed_friction <= 10 },
		{ "the seabed's restitution must lie in [0, 1]", e->seabed_restitution >= 0 && e->seabed_restitution <= 1 },
		{ "soil_step must lie in [1e-6, 1] s", !e->has_soil || ( e->soil_step >= 1e-6 && e->soil_step <= 1 ) },
		{ "soil_patches must have data", has_data( &e->soil_patches ) },
		{ "mask_soils must have data", has_data( &e->mask_soils ) },
		{ "rut_cell must lie in [0.001, 10] m", !e->deformable || ( e->rut_cell >= 1e-3 && e->rut_cell <= 10 ) },
		{ "rut_memory must lie in [1e5, 1e11] bytes",
			!e->deformable || ( e->rut_memory >= 1e5 && e->rut_memory <= 1e11 ) },
		{ "latitude must lie in [-90, 90] degrees", fabs( e->latitude ) <= 0.5 * DS_PI + 1e-12 },
		{ "longitude must lie in [-180, 360] degrees",
			e->longitude >= -DS_PI - 1e-12 && e->longitude <= 2 * DS_PI + 1e-12 },
		{ "sound is of an unknown kind", e->sound == DS_SPEED_CHEN_MILLERO || e->sound == DS_SPEED_MACKENZIE },
		{ "currents must have data", has_data( &e->currents ) }, { "profile must have data", has_data( &e->profile ) },
		{ "density_table must have data", has_data( &e->density_table ) } };
	for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
	{
		if ( !checks[i].good )
		{
			return ds_error( DS_ERROR_RANGE, "environment: %s", checks[i].what );
		}
	}
	return DS_OK;
}

// What light meets: errors name the field.
static ds_status set_light( ds_world *world, const ds_environment_def *e )
{
	world->environment.optics.measured = world->environment.optics.profile = ( ds_array ){ NULL, 0 };
	// its table reads all of an int32_t where the struct has a bool: the bytes beside that are nobody's
	ds_sky_def sky;
	memset( &sky, 0, sizeof( sky ) );
	sky.dark = e->sky.dark;
	sky.irradiance = e->sky.irradiance;
	sky.diffuse = e->sky.diffuse;
	sky.elevation = e->sky.elevation;
	sky.azimuth = e->sky.azimuth;
	ds_status status = ds_table_check_value( ds_sky_table(), &sky );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "environment: sky: " );
	}
	status = ds_table_check_value( ds_seabed_look_table(), &e->seabed_look );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "environment: seabed: appearance: " );
	}
	if ( e->water == DS_WATER_PRESENT )
	{
		status = ds_water_optics_create( &e->optics, &world->hooks, &world->optics );
	}
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "environment: water: optics: " );
}

static ds_status set_environment( ds_world *world, const ds_environment_def *environment )
{
	if ( environment->struct_size != sizeof( *environment ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "the environment must come from ds_environment_def_default()" );
	}
	DS_TRY( check_environment( environment ) );
	world->environment = *environment;
	world->environment.date[sizeof( environment->date ) - 1] = 0;
	world->environment.currents = world->environment.profile = world->environment.density_table =
		( ds_array ){ NULL, 0 };
	world->environment.soil_patches = world->environment.mask_soils = ( ds_array ){ NULL, 0 };
	world->environment.magnetic.dipoles = world->environment.magnetic.cables = ( ds_array ){ NULL, 0 };
	world->environment.soil_mask = NULL;
	world->environment.terrain = NULL; // world->ground has it
	ds_status status = ds_date_parse( world->environment.date, &world->epoch );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "environment: date: " );
	}
	DS_TRY( ds_magnetic_create( &world->hooks, &environment->magnetic, &world->magnetic ) );
	DS_TRY( ds_sea_create( &world->hooks, environment, world->state.seed, &world->sea ) );
	world->environment.gravity = world->sea->gravity;
	world->environment.seabed_depth = ds_sea_bed_depth( environment );
	DS_TRY( ds_world_ground_create( world, environment ) );
	DS_TRY( set_light( world, environment ) );
	if ( world->sea->column )
	{
		world->environment.density = world->sea->surface_density; // of the surface, where it depends on depth
	}
	ds_sea_start( world->sea, &world->state.sea );
	return DS_OK;
}

static ds_status allocate( const ds_world_def *def, ds_world **out )
{
	ds_world *world;
	DS_TRY( DS_NEW( &def->hooks.allocator, 1, &world ) );
	world->def = *def;
	world->hooks = def->hooks;
	ds_slots_init( &world->bodies, DS_BODY, &world->hooks.allocator );
	ds_slots_init( &world->joints, DS_JOINT, &world->hooks.allocator );
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		ds_slots_init( world->parts + kind, (ds_kind)kind, &world->hooks.allocator );
	}
	ds_status status = ds_looks_create( world );
	if ( status != DS_OK )
	{
		ds_world_destroy( world );
		return status;
	}
	*out = world;
	return DS_OK;
}

static ds_status settings( ds_world *world, const ds_world_def *def )
{
	ds_scenario *scenario = def->scenario;
	if ( scenario && ( def->rate != 0 || def->environment ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"rate and environment come from the scenario; override them when it is loaded (\"rate=100\")" );
	}
	world->scenario = scenario ? ds_scenario_retain( scenario ) : NULL;
	world->rate = scenario ? scenario->rate : def->rate != 0 ? def->rate : 200;
	if ( !( world->rate >= 1 && world->rate <= 1e5 ) )
	{
		return ds_error( DS_ERROR_RANGE, "the world's rate must lie in [1, 100000] Hz, got %g", world->rate );
	}
	world->dt = world->step = 1 / world->rate;
	world->spacing = ds_clock_spacing( world->rate );
	world->state.seed = def->seed ? *def->seed : scenario ? scenario->seed : 0;
	world->def.seed = NULL;
	world->def.environment = NULL;
	if ( def->registry || scenario )
	{
		world->registry = ds_registry_retain( def->registry ? def->registry : scenario->registry );
	}
	else
	{
		DS_TRY( ds_registry_create( &world->hooks, &world->registry ) );
	}
	DS_TRY( ds_parallel_create( world, scenario ? scenario->threads : 0 ) );
	ds_environment_def standard = ds_environment_def_default();
	return set_environment( world, scenario           ? &scenario->environment
								   : def->environment ? def->environment
													  : &standard );
}

// ---- from a scenario -----------------------------------------------------------------------------------------------

// Bodies of a scenario are the first of its world, in order: their ids by index.
static ds_id body_id( const ds_world *world, int32_t index )
{
	return index >= 0 ? ds_world_at( world, DS_BODY, index ) : DS_NO_ID;
}

static ds_status add_pushers( ds_world *world, const ds_scenario_actuator *list, int32_t count, bool force )
{
	for ( int32_t i = 0; i < count; ++i )
	{
		ds_actuator_def def = list[i].def;
		def.body = body_id( world, list[i].body );
		ds_id id;
		DS_TRY( force ? ds_force_create( world, &def, &id ) : ds_actuator_create( world, &def, &id ) );
	}
	return DS_OK;
}

static ds_status fill( ds_world *world, const ds_scenario *scenario )
{
	ds_id id;
	for ( int32_t i = 0; i < scenario->body_count; ++i )
	{
		DS_TRY( ds_body_create( world, scenario->bodies + i, &id ) );
	}
	for ( int32_t i = 0; i < scenario->joint_count; ++i )
	{
		ds_joint_def def = scenario->joints[i].def;
		def.body_a = body_id( world, scenario->joints[i].body_a );
		def.body_b = body_id( world, scenario->joints[i].body_b );
		DS_TRY( ds_joint_create( world, &def, &id ) );
	}
	DS_TRY( add_pushers( world, scenario->actuators, scenario->actuator_count, false ) );
	for ( int32_t i = 0; i < scenario->sensor_count; ++i )
	{
		ds_sensor_def def = scenario->sensors[i].def;
		def.body = body_id( world, scenario->sensors[i].body );
		DS_TRY( ds_sensor_create( world, &def, &id ) );
	}
	DS_TRY( add_pushers( world, scenario->forces, scenario->force_count, true ) );
	for ( int32_t i = 0; i < scenario->controller_count; ++i )
	{
		ds_controller_def def = scenario->controllers[i].def;
		def.body = body_id( world, scenario->controllers[i].body );
		DS_TRY( ds_controller_create( world, &def, &id ) );
	}
	return ds_world_prepare( world );
}

ds_status ds_world_create( const ds_world_def *def, ds_world **out )
{
	if ( def == NULL || out == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_world_create needs a definition from ds_world_def_default() and room for the world" );
	}
	*out = NULL;
	if ( def->enqueue_task && def->finish_task == NULL )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "ds_world_create: enqueue_task needs finish_task, which waits for the work" );
	}
	ds_world *world;
	DS_TRY( allocate( def, &world ) );
	ds_status status = settings( world, def );
	if ( status == DS_OK && world->scenario )
	{
		status = fill( world, world->scenario );
	}
	if ( status != DS_OK )
	{
		ds_world_destroy( world );
		return status;
	}
	*out = world;
	return DS_OK;
}

ds_status ds_world_create_bare( const ds_world *like, ds_world **out )
{
	ds_world *world;
	DS_TRY( allocate( &like->def, &world ) );
	world->scenario = like->scenario ? ds_scenario_retain( like->scenario ) : NULL;
	world->registry = ds_registry_retain( like->registry );
	world->rate = like->rate;
	world->spacing = like->spacing;
	world->dt = world->step = like->dt;
	world->state = like->state;
	world->fault = like->fault;
	memcpy( world->fault_text, like->fault_text, sizeof( world->fault_text ) );
	world->environment = like->environment;
	world->epoch = like->epoch;
	world->sea = ds_sea_retain( like->sea );
	world->magnetic = ds_magnetic_retain( like->magnetic );
	world->magnetic_warned = like->magnetic_warned;
	world->optics = like->optics ? ds_water_optics_retain( like->optics ) : NULL;
	ds_status status = ds_world_ground_copy( world, like );
	status = status == DS_OK ? ds_parallel_create( world, like->threads ) : status;
	if ( status != DS_OK )
	{
		ds_world_destroy( world );
		return status;
	}
	*out = world;
	return DS_OK;
}

void ds_world_destroy( ds_world *world )
{
	if ( world == NULL )
	{
		return;
	}
	if ( ds_world_may_change( world ) != DS_OK )
	{
		ds_logf( &world->hooks, DS_LOG_ERROR, "ds_world_destroy: %s", ds_last_error() );
		return;
	}
	if ( world->sink_count )
	{
		ds_log_close( world, world->fault, world->fault_text );
	}
	ds_collide_free( world );
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			ds_part_free( world, world->parts[kind].order[i] );
		}
		ds_slots_free( world->parts + kind );
	}
	const ds_allocator allocator = world->hooks.allocator;
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		ds_joint *joint = world->joints.order[i];
		DS_FREE( &allocator, joint, 1 );
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body_free( world, world->bodies.order[i] );
	}
	ds_slots_free( &world->joints );
	ds_slots_free( &world->bodies );
	ds_world_ground_free( world );
	ds_sea_release( world->sea );
	ds_magnetic_release( world->magnetic );
	ds_water_optics_release( world->optics );
	ds_looks_free( world );
	ds_tasks_destroy( world->tasks );
	DS_FREE( &allocator, world->lights, world->light_room );
	DS_FREE( &allocator, world->order, world->order_capacity );
	DS_FREE( &allocator, world->controller_order, world->controller_capacity );
	DS_FREE( &allocator, world->command_targets, world->command_target_count );
	DS_FREE( &allocator, world->channels, world->channel_room );
	ds_registry_release( world->registry );
	ds_scenario_release( world->scenario );
	DS_FREE( &allocator, world, 1 );
}

// ---- clock -------------------------------------------------------------------------------------------------------

ds_time ds_world_time( const ds_world *world )
{
	if ( world == NULL )
	{
		return 0;
	}
	return world->spacing ? world->state.tick * world->spacing : ds_clock_time( world->state.tick, world->rate );
}

int64_t ds_world_tick( const ds_world *world )
{
	return world ? world->state.tick : 0;
}

double ds_world_rate( const ds_world *world )
{
	return world ? world->rate : 0;
}

uint64_t ds_world_seed( const ds_world *world )
{
	return world ? world->state.seed : 0;
}

int64_t ds_world_ticks( const ds_world *world, double duration )
{
	return world && duration > 0 && duration < 1e12 ? (int64_t)llround( duration * world->rate ) : 0;
}
