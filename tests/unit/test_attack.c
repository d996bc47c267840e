// Bad input to the C API: random sequences of calls with stale, foreign and invented ids, numbers that are not finite or out of
// all bounds, kinds and names that are none. Nothing may crash or hang; a call that fails says why, in one line.

#include "world_kit.h"

#include <math.h>

#if !defined( ATTACK_GAMES )
#define ATTACK_GAMES 40
#endif

// ---- chance ------------------------------------------------------------------------------------------------------

static uint64_t chance;

static uint32_t roll( uint32_t sides )
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return (uint32_t)( ( chance >> 11 ) % sides );
}

// Mostly numbers that a user would give, sometimes the others.
static double number( void )
{
	static const double strange[] = { NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e154, 1e30, -1e12, 1e9, 5e-324, 1e-160,
		-0.0 };
	if ( roll( 5 ) == 0 )
	{
		return strange[roll( sizeof( strange ) / sizeof( strange[0] ) )];
	}
	return (double)roll( 4001 ) / 1000 - ( roll( 3 ) == 0 ? 2 : 0 );
}

static ds_vec3 vector( void )
{
	return ds_v3( number(), number(), number() );
}

static ds_pose pose( void )
{
	ds_pose p = { vector(), { 1, 0, 0, 0 } };
	if ( roll( 2 ) == 0 )
	{
		p.attitude = ( ds_quat ){ number(), number(), number(), number() };
	}
	return p;
}

// ---- what is attacked --------------------------------------------------------------------------------------------

#define WORLDS 3
#define IDS    64

typedef struct game
{
	ds_world *worlds[WORLDS];
	ds_id ids[IDS]; // of any world, alive or not
	uint32_t id_count;
	ds_mesh *meshes[3];
	ds_terrain *terrains[3];
	unsigned char *snapshots[2];
	size_t sizes[2];
	int names;
} game;

static game g;

// A failure has words, in one line.
static ds_status told( ds_status status )
{
	assert_in_range( status, 0, DS_STATUS_COUNT - 1 );
	if ( status != DS_OK )
	{
		assert_int_not_equal( ds_last_error()[0], 0 );
		assert_null( strchr( ds_last_error(), '\n' ) );
	}
	return status;
}

static ds_world *some_world( void )
{
	return roll( 200 ) == 0 ? NULL : g.worlds[roll( WORLDS )];
}

static ds_id some_id( void )
{
	uint32_t kind = roll( 40 );
	if ( kind == 0 )
	{
		return (ds_id)chance;
	}
	if ( kind == 1 || g.id_count == 0 )
	{
		return DS_NO_ID;
	}
	return g.ids[roll( g.id_count < IDS ? g.id_count : IDS )];
}

// An id of this kind that lives, if the world has one.
static ds_id living( const ds_world *world, ds_kind kind )
{
	int32_t count = ds_world_count( world, kind );
	return count == 0 || roll( 8 ) == 0 ? some_id() : ds_world_at( world, kind, (int32_t)roll( (uint32_t)count ) );
}

// What a creation must do with the id.
static void keep( ds_status status, ds_id id )
{
	told( status );
	assert_true( ( status == DS_OK ) == ( id != DS_NO_ID ) );
	if ( status == DS_OK )
	{
		g.ids[g.id_count++ % IDS] = id;
	}
}

static void name( char *text )
{
	switch ( roll( 12 ) )
	{
		case 0:
			memset( text, 'a', DS_NAME_SIZE ); // without an end
			return;
		case 1:
			snprintf( text, DS_NAME_SIZE, "%s", roll( 2 ) ? "" : "a b\n../%s%n" );
			return;
		default:
			snprintf( text, DS_NAME_SIZE, "n%d", roll( 4 ) ? ++g.names : (int)roll( 20 ) );
	}
}

// Replaces a few numbers of a definition; `offsets` of doubles.
static void spoil( void *def, const size_t *offsets, size_t count )
{
	for ( uint32_t n = roll( 3 ) == 0 ? roll( 3 ) : 0; n > 0; --n )
	{
		double value = number();
		memcpy( (char *)def + offsets[roll( (uint32_t)count )], &value, sizeof( value ) );
	}
}

static void spoil_kind( int32_t *kind, int32_t count )
{
	if ( roll( 4 ) == 0 )
	{
		*kind = roll( 6 ) == 0 ? (int32_t)roll( 1000 ) - 500 : (int32_t)roll( (uint32_t)count );
	}
}

// ---- creations ---------------------------------------------------------------------------------------------------

static void create_body( ds_world *world )
{
#define AT( member ) offsetof( ds_body_def, member )
	static const size_t doubles[] = { AT( mass ), AT( inertia_diagonal[1] ), AT( inertia_full[2] ), AT( cg[0] ),
		AT( cg[2] ), AT( mesh_pose.position.x ), AT( mesh_pose.attitude.w ), AT( pose.position.z ),
		AT( pose.position.x ), AT( pose.attitude.w ), AT( velocity.linear.x ), AT( velocity.angular.y ),
		AT( hydrodynamics.form_drag[0] ), AT( hydrodynamics.skin_drag ), AT( hydrodynamics.volume ),
		AT( hydrodynamics.cb[1] ), AT( hydrodynamics.entrained_mass ), AT( hydrodynamics.entrained_cg[0] ),
		AT( hydrodynamics.added_mass[0] ), AT( hydrodynamics.added_mass[5] ), AT( hydrodynamics.added_mass_matrix[7] ),
		AT( hydrodynamics.added_mass_about[0] ), AT( friction ), AT( restitution ), AT( soil_width ),
		AT( soil_spacing ) };
#undef AT
	ds_body_def def = ds_body_def_default();
	name( def.name );
	def.mass = 0.5 + roll( 1000 );
	def.mesh = g.meshes[roll( 3 )];
	def.inertia_kind = def.mesh ? DS_INERTIA_MESH : DS_INERTIA_DIAGONAL;
	for ( int i = 0; i < 3; ++i )
	{
		def.inertia_diagonal[i] = def.inertia_full[4 * i] = def.hydrodynamics.added_mass[i] = 1;
	}
	def.pose.position = ds_v3( roll( 3 ), roll( 3 ), roll( 9 ) );
	def.fixed = roll( 8 ) == 0;
	def.soil = roll( 4 ) > 0;
	def.soil_spacing = roll( 4 ) ? 0.3 : 0;
	def.hydrodynamics.has_cb = roll( 8 ) == 0;
	def.hydrodynamics.entrained_mass = roll( 8 ) == 0 ? 10 : 0;
	spoil( &def, doubles, sizeof( doubles ) / sizeof( doubles[0] ) );
	spoil_kind( &def.inertia_kind, 3 );
	spoil_kind( &def.collision, 4 );
	spoil_kind( &def.hydrodynamics.model, 2 );
	spoil_kind( &def.hydrodynamics.volume_kind, 3 );
	spoil_kind( &def.hydrodynamics.added_mass_kind, 4 );
	ds_shape_def shapes[2];
	memset( shapes, 0, sizeof( shapes ) );
	for ( int i = 0; i < 2; ++i )
	{
		shapes[i].kind = (int32_t)roll( 5 );
		shapes[i].radius = shapes[i].length = shapes[i].size[0] = shapes[i].size[1] = shapes[i].size[2] = 1;
		*( roll( 2 ) ? &shapes[i].radius : &shapes[i].size[1] ) = roll( 3 ) ? 1 : number();
		shapes[i].position[0] = roll( 3 ) ? 0 : number();
	}
	def.shapes = roll( 20 ) ? shapes : NULL;
	def.shape_count = roll( 20 ) ? (int64_t)roll( 3 ) : -1;
	def.struct_size -= roll( 50 ) == 0;
	ds_id id = DS_NO_ID;
	ds_status status = ds_body_create( world, &def, &id );
	keep( status, id );
}

static void create_joint( ds_world *world )
{
	static const size_t doubles[] = { offsetof( ds_joint_def, frame.position.x ),
		offsetof( ds_joint_def, frame.attitude.w ), offsetof( ds_joint_def, lower ), offsetof( ds_joint_def, upper ),
		offsetof( ds_joint_def, motor_velocity ), offsetof( ds_joint_def, motor_force ) };
	ds_joint_def def = ds_joint_def_default();
	name( def.name );
	spoil_kind( &def.kind, 4 );
	def.body_a = roll( 3 ) ? DS_NO_ID : living( world, DS_BODY );
	def.body_b = living( world, DS_BODY );
	def.limited = roll( 2 ) == 0;
	spoil( &def, doubles, sizeof( doubles ) / sizeof( doubles[0] ) );
	def.struct_size += roll( 50 ) == 0;
	ds_id id = DS_NO_ID;
	ds_status status = ds_joint_create( world, &def, &id );
	keep( status, id );
}

// A type of any kind, or none.
static const char *type_name( void )
{
	static const char *names[64] = { "nosuch", "" };
	static uint32_t count = 2;
	if ( count == 2 )
	{
		ds_registry *registry;
		OK( ds_registry_create( NULL, &registry ) );
		for ( int32_t i = 0; i < ds_registry_count( registry ); ++i )
		{
			assert_true( count < 64 );
			names[count++] = ds_registry_at( registry, i )->name;
		}
		ds_registry_release( registry );
	}
	return names[roll( count )];
}

static void some_inputs( ds_input_def *inputs, int32_t *count )
{
	*count = roll( 6 ) ? 0 : (int32_t)roll( DS_MAX_INPUTS + 3 ) - 1;
	for ( int i = 0; i < DS_MAX_INPUTS; ++i )
	{
		name( inputs[i].name );
		name( inputs[i].source );
	}
}

static void create_sensor( ds_world *world )
{
	static const size_t doubles[] = { offsetof( ds_sensor_def, mount.position.x ),
		offsetof( ds_sensor_def, mount.attitude.w ), offsetof( ds_sensor_def, rate ), offsetof( ds_sensor_def, offset ),
		offsetof( ds_sensor_def, latency ) };
	static const int64_t queues[] = { -1, 0, 1, 2, 1000, INT64_MAX };
	ds_sensor_def def = ds_sensor_def_default();
	name( def.name );
	snprintf( def.type, sizeof( def.type ), "%s", type_name() );
	def.body = living( world, DS_BODY );
	def.queue = roll( 2 ) ? 16 : queues[roll( 6 )];
	some_inputs( def.inputs, &def.input_count );
	spoil( &def, doubles, sizeof( doubles ) / sizeof( doubles[0] ) );
	ds_id id = DS_NO_ID;
	ds_status status = ds_sensor_create( world, &def, &id );
	keep( status, id );
}

static void create_pusher( ds_world *world )
{
	ds_actuator_def def = ds_actuator_def_default();
	name( def.name );
	snprintf( def.type, sizeof( def.type ), "%s", type_name() );
	def.body = living( world, DS_BODY );
	def.mount = pose();
	def.rate = roll( 2 ) ? 0 : number();
	some_inputs( def.inputs, &def.input_count );
	ds_id id = DS_NO_ID;
	ds_status status = roll( 4 ) ? ds_actuator_create( world, &def, &id ) : ds_force_create( world, &def, &id );
	keep( status, id );
}

static void create_controller( ds_world *world )
{
	ds_controller_def def = ds_controller_def_default();
	name( def.name );
	snprintf( def.type, sizeof( def.type ), "%s", type_name() );
	some_inputs( def.inputs, &def.input_count );
	def.output_count = (int32_t)roll( DS_MAX_INPUTS + 3 ) - 1;
	for ( int i = 0; i < DS_MAX_INPUTS; ++i )
	{
		name( def.outputs[i] );
	}
	ds_id id = DS_NO_ID;
	ds_status status = ds_controller_create( world, &def, &id );
	keep( status, id );
}

static void create( ds_world *world )
{
	switch ( roll( 6 ) )
	{
		case 0:
			create_joint( world );
			break;
		case 1:
			create_sensor( world );
			break;
		case 2:
			create_pusher( world );
			break;
		case 3:
			create_controller( world );
			break;
		default:
			create_body( world );
	}
}

static void destroy( ds_world *world )
{
	static ds_status ( *const calls[] )( ds_world *, ds_id ) = { ds_body_destroy, ds_joint_destroy, ds_sensor_destroy,
		ds_actuator_destroy, ds_force_destroy, ds_controller_destroy };
	static const ds_kind kinds[] = { DS_BODY, DS_JOINT, DS_SENSOR, DS_ACTUATOR, DS_FORCE, DS_CONTROLLER };
	uint32_t i = roll( 6 );
	told( calls[i]( world, living( world, kinds[i] ) ) );
}

// ---- the rest of the API -------------------------------------------------------------------------------------------

static void push( ds_world *world )
{
	double values[DS_MAX_COMMANDS + 1] = { number(), number() };
	ds_wrench wrench = { vector(), vector() };
	ds_twist twist = { vector(), vector() };
	switch ( roll( 5 ) )
	{
		case 0:
			told( ds_actuator_set(
				world, living( world, DS_ACTUATOR ), roll( 9 ) ? values : NULL, (int32_t)roll( 4 ) - 1 ) );
			break;
		case 1:
			told( ds_body_apply_wrench_world( world, living( world, DS_BODY ), wrench, vector() ) );
			break;
		case 2:
			told( ds_body_apply_wrench_body( world, living( world, DS_BODY ), wrench, vector() ) );
			break;
		case 3:
			told( ds_body_set( world, living( world, DS_BODY ), pose(), twist ) );
			break;
		default:
			told( ds_joint_set_motor( world, living( world, DS_JOINT ), number(), number() ) );
	}
}

static void ask_bodies( const ds_world *world )
{
	ds_body_motion motion;
	ds_body_forces forces;
	ds_mass_properties mass;
	ds_joint_state joint;
	double energy;
	ds_id id = living( world, DS_BODY );
	told( ds_body_motion_get( world, id, roll( 20 ) ? &motion : NULL ) );
	told( ds_body_forces_get( world, id, roll( 20 ) ? &forces : NULL ) );
	told( ds_body_mass_get( world, id, roll( 20 ) ? &mass : NULL ) );
	told( ds_body_kinetic_energy( world, id, roll( 20 ) ? &energy : NULL ) );
	told( ds_joint_state_get( world, living( world, DS_JOINT ), roll( 20 ) ? &joint : NULL ) );
}

static void ask_parts( ds_world *world )
{
	unsigned char reading[512];
	ds_sample_header header;
	double values[DS_MAX_COMMANDS];
	ds_effort effort;
	int64_t samples, dropped;
	size_t size, room = roll( 4 ) ? sizeof( reading ) : roll( 64 );
	const ds_table *table;
	ds_id id = living( world, (ds_kind)( DS_SENSOR + (int)roll( 4 ) ) );
	told( ds_sensor_output( world, id, roll( 9 ) ? &table : NULL, &size ) );
	told( ds_sensor_latest( world, id, &header, roll( 20 ) ? reading : NULL, room ) );
	told( ds_sensor_next( world, id, roll( 2 ) ? &header : NULL, reading, room ) );
	told( ds_sensor_counts( world, id, &samples, &dropped ) );
	told( ds_actuator_command( world, id, roll( 20 ) ? values : NULL, (int32_t)roll( DS_MAX_COMMANDS + 1 ) ) );
	told( ds_actuator_effort( world, id, roll( 20 ) ? &effort : NULL ) );
}

static void ask_world( ds_world *world )
{
	ds_id id;
	ds_water water;
	ds_ray_hit hit;
	ds_geodetic geodetic;
	char text[DS_NAME_SIZE + 1] = "";
	name( text );
	told( ds_world_find( world, (ds_kind)( (int)roll( 9 ) - 1 ), roll( 20 ) ? text : NULL, &id ) );
	(void)ds_world_at( world, (ds_kind)( (int)roll( 9 ) - 1 ), (int32_t)roll( 10 ) - 2 );
	(void)ds_world_name( world, some_id() );
	told( ds_water_at( world, vector(), roll( 20 ) ? &water : NULL ) );
	told( ds_ray_cast( world, vector(), vector(), number(), roll( 3 ) ? DS_NO_ID : some_id(), &hit ) );
	ds_ground_point ground;
	told( ds_ground_at( world, number(), number(), roll( 20 ) ? &ground : NULL ) );
	ds_vec3 origins[9], directions[9];
	ds_ray_hit hits[9];
	for ( int i = 0; i < 9; ++i )
	{
		origins[i] = ds_v3( roll( 9 ), roll( 9 ), roll( 9 ) );
		directions[i] = roll( 40 ) ? ds_v3( 0.1, -0.2, 1 ) : vector();
	}
	told( ds_ray_cast_many( world, (int64_t)roll( 11 ) - 1 > 9 ? 9 : (int64_t)roll( 9 ), roll( 30 ) ? origins : NULL,
		directions, 50, DS_NO_ID, hits ) );
	told( ds_geodetic_at( world, vector(), &geodetic ) );
	told( ds_world_date( world, text, roll( 64 ) ) );
	assert_true( ds_world_ticks( world, number() ) >= 0 );
}

static void step( ds_world *world )
{
	ds_status status = told( ds_world_step( world, (int64_t)roll( 6 ) - ( roll( 30 ) == 0 ) ) );
	if ( status == DS_ERROR_NOT_FINITE )
	{
		// a world that cannot start says so again; one that has failed waits for a reset
		ds_status again = ds_world_step( world, 1 );
		assert_true( again == DS_ERROR_STATE || again == DS_ERROR_NOT_FINITE );
		told( ds_world_reset( world, chance ) );
	}
	if ( roll( 20 ) == 0 )
	{
		told( ds_world_reset( world, chance ) );
	}
}

static void save( const ds_world *world )
{
	uint32_t i = roll( 2 );
	free( g.snapshots[i] );
	g.sizes[i] = ds_world_save_size( world );
	g.snapshots[i] = calloc( 1, g.sizes[i] + 1 );
	told( ds_world_save( world, g.snapshots[i], roll( 20 ) ? g.sizes[i] : roll( 700 ) ) );
}

static void restore( ds_world *world )
{
	uint32_t i = roll( 2 );
	if ( g.snapshots[i] )
	{
		told( ds_world_restore( world, g.snapshots[i], roll( 20 ) ? g.sizes[i] : roll( (uint32_t)g.sizes[i] + 1 ) ) );
	}
}

static void clone_over( ds_world *world )
{
	ds_world *copy = NULL;
	if ( told( ds_world_clone( world, roll( 50 ) ? &copy : NULL ) ) == DS_OK )
	{
		uint32_t i = roll( WORLDS );
		ds_world_destroy( g.worlds[i] );
		g.worlds[i] = copy;
	}
	assert_true( copy == NULL || copy == g.worlds[0] || copy == g.worlds[1] || copy == g.worlds[2] );
}

static void play( void )
{
	ds_world *world = some_world();
	switch ( roll( 16 ) )
	{
		case 0:
		case 1:
		case 2:
		case 3:
			create( world );
			break;
		case 4:
			if ( roll( 2 ) )
			{
				destroy( world );
			}
			break;
		case 5:
		case 6:
			push( world );
			break;
		case 7:
			ask_bodies( world );
			break;
		case 8:
			ask_parts( world );
			break;
		case 9:
			ask_world( world );
			break;
		case 10:
			save( world );
			break;
		case 11:
			restore( world );
			break;
		case 12:
			if ( roll( 4 ) == 0 )
			{
				clone_over( world );
			}
			break;
		default:
			step( world );
	}
}

// Soil of a set, at times with strange numbers; places of other soils; ruts.
static void some_soil( ds_environment_def *e, ds_soil_patch *patch, ds_soil_mask *mask )
{
	static const double corners[5][2] = { { -1, -1 }, { 3, -2 }, { 4, 5 }, { 0, 2 }, { -3, 4 } };
	static const int16_t index[9] = { 0, 1, 2, -1, 2, 1, 2, 1, 0 };
	static ds_soil soils[2];
	static const size_t doubles[] = { offsetof( ds_environment_def, soil.n ), offsetof( ds_environment_def, soil.kc ),
		offsetof( ds_environment_def, soil.kphi ), offsetof( ds_environment_def, soil.cohesion ),
		offsetof( ds_environment_def, soil.friction ), offsetof( ds_environment_def, soil.shear_displacement ),
		offsetof( ds_environment_def, soil.elastic ), offsetof( ds_environment_def, soil.rebound ),
		offsetof( ds_environment_def, soil.damping ), offsetof( ds_environment_def, soil.suction ),
		offsetof( ds_environment_def, soil.slip_sinkage ), offsetof( ds_environment_def, soil.repose ),
		offsetof( ds_environment_def, soil_step ), offsetof( ds_environment_def, rut_cell ) };
	static const double memories[] = { 65536, 1e6, 64e6, 1, -1, 1e18, NAN };
	e->has_soil = roll( 4 ) > 0;
	e->soil = ds_soil_at( (int32_t)roll( (uint32_t)ds_soil_count() ) )->soil;
	e->soil.bulldozing = roll( 2 );
	e->soil.printed_pressure = roll( 4 ) == 0;
	e->soil.printed_shear = roll( 4 ) == 0;
	e->deformable = roll( 2 );
	e->rut_memory = memories[roll( roll( 8 ) ? 2 : 7 )];
	e->rut_cell = roll( 4 ) ? 0.1 : e->rut_cell;
	e->soil_step = 0.002;
	spoil( e, doubles, sizeof( doubles ) / sizeof( doubles[0] ) );
	soils[0] = soils[1] = ds_soil_default();
	soils[roll( 2 )].n = roll( 8 ) ? 0.9 : number();
	patch->soil = ds_soil_at( 0 )->soil;
	patch->polygon = ( ds_array ){ roll( 40 ) ? corners : NULL, roll( 8 ) ? 5 : (int64_t)roll( 7 ) - 1 };
	patch->polygon.count = patch->polygon.count > 5 ? 5 : patch->polygon.count;
	e->soil_patches = ( ds_array ){ patch, (int64_t)( roll( 3 ) == 0 ) };
	*mask = ( ds_soil_mask ){ -1, -1, 1, roll( 30 ) ? 1.5 : number(), 3, 3, index };
	e->soil_mask = roll( 3 ) ? NULL : mask;
	e->mask_soils = ( ds_array ){ soils, roll( 8 ) ? 2 : (int64_t)roll( 3 ) };
}

// A world of few or of strange settings, which are refused until one is not.
static ds_world *new_world( void )
{
	for ( ;; )
	{
		ds_environment_def e = ds_environment_def_default();
		e.seabed = (int32_t)roll( 3 );
		e.seabed_depth = 5;
		e.terrain = roll( 30 ) ? g.terrains[roll( 3 )] : NULL;
		ds_soil_patch patch;
		ds_soil_mask mask;
		some_soil( &e, &patch, &mask );
		static const size_t doubles[] = { offsetof( ds_environment_def, gravity ),
			offsetof( ds_environment_def, density ), offsetof( ds_environment_def, seabed_depth ),
			offsetof( ds_environment_def, latitude ), offsetof( ds_environment_def, seabed_friction ) };
		spoil( &e, doubles, 5 );
		spoil_kind( &e.water, 2 );
		spoil_kind( &e.seabed, 3 );
		ds_current_def current = ds_current_def_default( (int32_t)roll( DS_CURRENT_KIND_END ) );
		current.velocity[0] = number();
		current.velocity[1] = number();
		current.depth = number();
		e.currents = ( ds_array ){ &current, (int64_t)roll( 2 ) - ( roll( 9 ) == 0 ) };
		ds_world_def def = ds_world_def_default();
		def.environment = roll( 9 ) ? &e : NULL;
		def.rate = roll( 3 ) ? 100 : number();
		ds_world *world = NULL;
		if ( told( ds_world_create( &def, &world ) ) == DS_OK )
		{
			return world;
		}
		assert_null( world );
	}
}

// A slope, waves of sand with an end nearby, a mesh.
static void new_terrains( void )
{
	ds_terrain_shape shape = ds_terrain_shape_default( DS_TERRAIN_SINUSOID );
	shape.depth = 6;
	shape.size[0] = shape.size[1] = 12;
	shape.spacing = 0.5;
	shape.amplitude = 0.5;
	shape.wavelength[0] = 5;
	OK( ds_terrain_plane( 5, 0.3, 1, NULL, &g.terrains[0] ) );
	OK( ds_terrain_make( &shape, NULL, &g.terrains[1] ) );
	OK( ds_terrain_mesh( g.meshes[0], ( ds_pose ){ { 1, 1, 7 }, { 1, 0, 0, 0 } }, NULL, &g.terrains[2] ) );
}

static void sequences_of_calls( void **state )
{
	(void)state;
	for ( uint64_t seed = 1; seed <= ATTACK_GAMES; ++seed )
	{
		chance = seed * UINT64_C( 0x9E3779B97F4A7C15 );
		memset( &g, 0, sizeof( g ) );
		g.meshes[0] = kit_box( 1, 2, 0.5 );
		g.meshes[1] = kit_sphere( 0.5, 80 );
		new_terrains();
		for ( int i = 0; i < WORLDS; ++i )
		{
			g.worlds[i] = new_world();
		}
		for ( int i = 0; i < 300; ++i )
		{
			play();
		}
		for ( int i = 0; i < WORLDS; ++i )
		{
			ds_world_destroy( g.worlds[i] );
			ds_mesh_release( g.meshes[i] );
			ds_terrain_release( g.terrains[i] );
		}
		free( g.snapshots[0] );
		free( g.snapshots[1] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( sequences_of_calls ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
