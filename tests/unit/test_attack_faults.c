// What may go wrong around a world: snapshots that are damaged, hooks that call back, log sinks that fail, memory that ends
// anywhere. The world refuses, stays as it was or says why it cannot go on, and gives all memory back.

#include "core/world.h"
#include "world_kit.h"

#include <math.h>

static uint32_t roll( uint64_t *chance, uint32_t sides )
{
	*chance = *chance * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (uint32_t)( *chance >> 33 ) % sides;
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

// Something of everything: a hull with a thruster and sensors over a seabed, hinged to another, which stands on soil that keeps ruts,
// and a sledge on belts.
static const char scenario_text[] =
	"{ \"deepsim\": 1, \"name\": \"all\", \"duration\": 1, \"rate\": 100,\n"
	"  \"environment\": { \"seabed\": { \"elevation\": { \"model\": \"sinusoid\", \"depth\": 2.55, \"size\": [12, "
	"12],\n"
	"    \"spacing\": 0.5, \"amplitude\": 0.01, \"wavelength\": [6, 0] }, \"soil\": \"dry_sand\",\n"
	"    \"deformable\": { \"cell\": 0.1, \"memory\": 1 },\n"
	"    \"patches\": [ { \"soil\": \"snow\", \"polygon\": [[3, 3], [3, 5], [5, 4]] } ] } },\n"
	"  \"bodies\": [\n"
	"    { \"name\": \"a\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.5, \"faces\": 80 }, \"mass\": 600 },\n"
	"    { \"name\": \"b\", \"mesh\": { \"make\": \"box\", \"size\": [1, 1, 1] }, \"mass\": 1100,\n"
	"      \"pose\": { \"position\": [0, 0, 2] }, \"soil\": { \"spacing\": 0.5 } },\n"
	"    { \"name\": \"c\", \"mesh\": { \"make\": \"box\", \"size\": [1, 0.5, 0.3] }, \"mass\": 400,\n"
	"      \"pose\": { \"position\": [-3, 0, 2.2] } } ],\n"
	"  \"joints\": [ { \"name\": \"j\", \"type\": \"hinge\", \"body_a\": \"a\", \"body_b\": \"b\" } ],\n"
	"  \"actuators\": [ { \"name\": \"t\", \"type\": \"thruster\", \"body\": \"a\" },\n"
	"    { \"name\": \"l\", \"type\": \"track\", \"body\": \"c\", \"mount\": { \"position\": [0, -0.4, 0.15] },\n"
	"      \"config\": { \"length\": 0.8, \"radius\": 0.2, \"width\": 0.2, \"pads\": 16 } },\n"
	"    { \"name\": \"r\", \"type\": \"wheel\", \"body\": \"c\", \"mount\": { \"position\": [0, 0.4, 0.15] },\n"
	"      \"config\": { \"radius\": 0.2 } },\n"
	"    { \"name\": \"e\", \"type\": \"lamp\", \"body\": \"c\" } ],\n"
	"  \"sensors\": [ { \"name\": \"o\", \"type\": \"odometry\", \"body\": \"a\", \"rate\": 20 },\n"
	"    { \"name\": \"p\", \"type\": \"pressure\", \"body\": \"b\", \"latency\": 0.05, \"config\": { \"noise\": 9 } "
	"},\n"
	"    { \"name\": \"f\", \"type\": \"contact\", \"body\": \"b\" }, { \"name\": \"h\", \"type\": \"altimeter\", "
	"\"body\": \"a\" },\n"
	"    { \"name\": \"i\", \"type\": \"imu\", \"body\": \"a\", \"config\": { \"preset\": \"adis16460\" } },\n"
	"    { \"name\": \"v\", \"type\": \"dvl\", \"body\": \"a\", \"rate\": 10, \"config\": { \"track\": \"both\" } },\n"
	"    { \"name\": \"w\", \"type\": \"adcp\", \"body\": \"a\", \"rate\": 5, \"config\": { \"cells\": 3 } },\n"
	"    { \"name\": \"m\", \"type\": \"magnetometer\", \"body\": \"a\",\n"
	"      \"config\": { \"dipoles\": [ { \"moment\": [0, 0, 2] } ] } },\n"
	"    { \"name\": \"n\", \"type\": \"ahrs\", \"body\": \"a\", \"inputs\": { \"imu\": \"i\", \"magnetometer\": \"m\" "
	"} },\n"
	"    { \"name\": \"s\", \"type\": \"camera\", \"body\": \"a\", \"rate\": 10,\n"
	"      \"config\": { \"lens\": { \"width\": 16, \"height\": 12 } } },\n"
	"    { \"name\": \"q\", \"type\": \"ctd\", \"body\": \"a\" }, { \"name\": \"d\", \"type\": \"depth\", \"body\": "
	"\"a\" },\n"
	"    { \"name\": \"g\", \"type\": \"gnss\", \"body\": \"a\" }, { \"name\": \"u\", \"type\": \"usbl\", \"body\": "
	"\"a\", "
	"\"rate\": 5 },\n"
	"    { \"name\": \"k\", \"type\": \"lbl\", \"body\": \"a\", \"rate\": 5, \"config\": { \"beacons\": [\n"
	"      { \"position\": [9, 0, 1] }, { \"position\": [0, 9, 1] }, { \"position\": [-9, 0, 1] } ] } } ],\n"
	"  \"commands\": [ { \"t\": 0.1, \"actuator\": \"t\", \"value\": 0.5 },\n"
	"    { \"t\": 0.1, \"actuator\": \"l\", \"value\": 0.1 } ] }";

static ds_status load( const ds_hooks *hooks, ds_scenario **scenario )
{
	ds_registry *registry;
	*scenario = NULL;
	DS_TRY( ds_registry_create( hooks, &registry ) );
	ds_status status = ds_scenario_parse( scenario_text, "all.json", "", NULL, 0, registry, scenario );
	ds_registry_release( registry );
	return status;
}

static ds_world *whole_world( void )
{
	ds_scenario *scenario;
	ds_world *world;
	OK( load( NULL, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	OK( ds_world_create( &def, &world ) );
	ds_scenario_release( scenario );
	return world;
}

// The scenario has a part of every type, so that a new one is attacked too.
static void every_type_is_there( void **state )
{
	(void)state;
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	for ( int32_t i = 0; i < ds_registry_count( registry ); ++i )
	{
		const ds_type *type = ds_registry_at( registry, i );
		char text[96];
		snprintf( text, sizeof( text ), "\"type\": \"%s\"", type->name );
		if ( strstr( scenario_text, text ) == NULL )
		{
			fail_msg( "no part of the type \"%s\"", type->name );
		}
	}
	ds_registry_release( registry );
}

static unsigned char *save_new( const ds_world *world, size_t *size )
{
	*size = ds_world_save_size( world );
	unsigned char *bytes = calloc( 1, *size );
	assert_non_null( bytes );
	OK( ds_world_save( world, bytes, *size ) );
	return bytes;
}

static void damaged_snapshots( void **state )
{
	(void)state;
	uint64_t chance = 7;
	ds_world *world = whole_world();
	OK( ds_world_step( world, 20 ) );
	size_t size, later_size;
	unsigned char *good = save_new( world, &size ), *bad = calloc( 1, size );
	OK( ds_world_step( world, 5 ) );
	unsigned char *later = save_new( world, &later_size );
	for ( uint32_t i = 0; i < 3000; ++i )
	{
		// every byte of the head, then some of the others; one bit or many
		memcpy( bad, good, size );
		size_t at = i < 640 ? i : roll( &chance, (uint32_t)size );
		bad[at] =
			(unsigned char)( bad[at] ^ ( roll( &chance, 2 ) ? 1u << roll( &chance, 8 ) : 1 + roll( &chance, 255 ) ) );
		ds_status status = ds_world_restore( world, bad, size );
		assert_true( status == DS_ERROR_FORMAT || status == DS_ERROR_STRUCTURE );
	}
	for ( size_t cut = 0; cut < size; cut += 97 )
	{
		assert_int_equal( ds_world_restore( world, good, cut ), DS_ERROR_FORMAT );
	}

	// none of them changed anything, and the good one is still good
	OK( ds_world_save( world, bad, size ) );
	assert_memory_equal( bad, later, size );
	OK( ds_world_restore( world, good, size ) );
	OK( ds_world_step( world, 5 ) );
	OK( ds_world_save( world, bad, size ) );
	assert_memory_equal( bad, later, size );
	free( good );
	free( bad );
	free( later );
	ds_world_destroy( world );
}

// Counters that index memory or time are refused even where the sum of bytes is right.
static void absurd_counters( void **state )
{
	(void)state;
	ds_world *world = whole_world();
	OK( ds_world_step( world, 20 ) );
	ds_part_state *part = ( (ds_part *)world->parts[DS_SENSOR].order[1] )->state;
	int64_t *const counters[] = { &world->state.tick, &part->sequence, &part->next, &part->dropped };
	const int64_t values[] = { -1, INT64_MIN, INT64_MAX, INT64_C( 1 ) << 60 };
	size_t size;
	unsigned char *good = save_new( world, &size ), *bad = calloc( 1, size );
	for ( size_t i = 0; i < 16; ++i )
	{
		int64_t kept = *counters[i / 4];
		*counters[i / 4] = values[i % 4];
		OK( ds_world_save( world, bad, size ) );
		*counters[i / 4] = kept;
		FAILS( ds_world_restore( world, bad, size ), DS_ERROR_FORMAT, "damaged" );
	}
	const int32_t commands[] = { -1, 3, INT32_MAX };
	for ( int i = 0; i < 3; ++i )
	{
		int32_t kept = world->state.next_command;
		world->state.next_command = commands[i];
		OK( ds_world_save( world, bad, size ) );
		world->state.next_command = kept;
		FAILS( ds_world_restore( world, bad, size ), DS_ERROR_FORMAT, "damaged" );
	}

	// the last tick of the clock is the end of a run, and no overflow
	world->state.tick = ds_clock_last( world->rate );
	FAILS( ds_world_step( world, 1 ), DS_ERROR_LIMIT, "a run has at most 7e+09 s" );
	free( good );
	free( bad );
	ds_world_destroy( world );
}

// ---- hooks that call back ------------------------------------------------------------------------------------------

typedef struct caller
{
	ds_world *world;
	int ticks, opened, written, closed; // hooks called
} caller;

static ds_status sink_write( void *user, int32_t channel, const ds_sample_header *header, const void *data );

// Everything that changes a world is refused inside of its step.
static void call_back( caller *c )
{
	ds_world *world = c->world;
	ds_id body = ds_world_at( world, DS_BODY, 0 ), other;
	ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
	ds_wrench wrench = { { 1, 0, 0 }, { 0, 0, 0 } };
	ds_body_def body_def = kit_point( "late", 1, 1, 1, 1 );
	ds_joint_def joint = ds_joint_def_default();
	ds_sensor_def sensor = ds_sensor_def_default();
	ds_actuator_def actuator = ds_actuator_def_default();
	ds_controller_def controller = ds_controller_def_default();
	ds_log_sink sink = { NULL, NULL, sink_write, NULL, NULL };
	ds_world *copy;
	unsigned char bytes[8] = { 0 };
	const double value = 0;
	FAILS( ds_world_step( world, 1 ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_world_reset( world, 1 ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_world_restore( world, bytes, sizeof( bytes ) ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_world_clone( world, &copy ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_body_create( world, &body_def, &other ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_body_destroy( world, body ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_body_set( world, body, ds_pose_identity(), still ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_body_apply_wrench_world( world, body, wrench, ds_v3( 0, 0, 0 ) ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_body_apply_wrench_body( world, body, wrench, ds_v3( 0, 0, 0 ) ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_joint_create( world, &joint, &other ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_joint_destroy( world, ds_world_at( world, DS_JOINT, 0 ) ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_joint_set_motor( world, ds_world_at( world, DS_JOINT, 0 ), 0, 0 ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_sensor_create( world, &sensor, &other ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_sensor_destroy( world, ds_world_at( world, DS_SENSOR, 0 ) ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_actuator_create( world, &actuator, &other ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_actuator_set( world, ds_world_at( world, DS_ACTUATOR, 0 ), &value, 1 ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_actuator_destroy( world, ds_world_at( world, DS_ACTUATOR, 0 ) ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_controller_create( world, &controller, &other ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_log_attach( world, &sink ), DS_ERROR_STATE, "in a step" );
	FAILS( ds_log_close( world, DS_OK, "" ), DS_ERROR_STATE, "in a step" );
	ds_world_destroy( world );
	assert_string_equal( ds_world_name( world, body ), "a" );
}

static bool cancel( void *user )
{
	( (caller *)user )->ticks++;
	call_back( user );
	return false;
}

static void progress( void *user, int64_t done, int64_t wanted )
{
	(void)done;
	(void)wanted;
	( (caller *)user )->ticks++;
	call_back( user );
}

static ds_status sink_open( void *user, const ds_log_info *info )
{
	( (caller *)user )->opened += info->channel_count > 0;
	call_back( user );
	return DS_OK;
}

static ds_status sink_write( void *user, int32_t channel, const ds_sample_header *header, const void *data )
{
	(void)channel;
	(void)header;
	(void)data;
	( (caller *)user )->written++;
	call_back( user );
	return DS_OK;
}

static ds_status sink_close( void *user, const ds_log_end *end )
{
	(void)end;
	( (caller *)user )->closed++;
	call_back( user );
	return DS_OK;
}

static void hooks_that_call_back( void **state )
{
	(void)state;
	ds_scenario *scenario;
	OK( load( NULL, &scenario ) );
	caller c = { 0 };
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	def.cancel = cancel;
	def.progress = progress;
	def.progress_ticks = 1;
	def.user = &c;
	OK( ds_world_create( &def, &c.world ) );
	ds_log_sink sink = { &c, sink_open, sink_write, sink_close, NULL };
	OK( ds_log_attach( c.world, &sink ) );
	OK( ds_world_step( c.world, 3 ) );
	OK( ds_log_close( c.world, DS_OK, NULL ) );
	assert_int_equal( c.ticks, 6 );
	assert_int_equal( c.opened, 1 );
	assert_int_equal( c.closed, 1 );
	assert_true( c.written >= 5 ); // the faster sensor's, and the slower one's first
	ds_world_destroy( c.world );
	ds_scenario_release( scenario );
}

// ---- sinks that fail -----------------------------------------------------------------------------------------------

typedef struct failing
{
	int fail_at; // call that fails
	int calls, writes, closes, destroys;
} failing;

static ds_status count_call( failing *f, const char *what )
{
	return ++f->calls == f->fail_at ? ds_error( DS_ERROR_IO, "no room to %s", what ) : DS_OK;
}

static ds_status failing_open( void *user, const ds_log_info *info )
{
	(void)info;
	return count_call( user, "open" );
}

static ds_status failing_write( void *user, int32_t channel, const ds_sample_header *header, const void *data )
{
	(void)channel;
	(void)header;
	(void)data;
	( (failing *)user )->writes++;
	return count_call( user, "write" );
}

static ds_status failing_close( void *user, const ds_log_end *end )
{
	( (failing *)user )->closes++;
	ds_status status = count_call( user, "close" );
	// what is said of the run is not what a sink has said since
	assert_true( end->error[0] == 0 || strncmp( end->error, "the run: no room to", 19 ) == 0 );
	return status;
}

static void failing_destroy( void *user )
{
	( (failing *)user )->destroys++;
}

static void sinks_that_fail( void **state )
{
	(void)state;
	for ( int at = 1; at < 20; ++at )
	{
		failing first = { 0 }, second = { .fail_at = at };
		ds_world *world = whole_world();
		ds_log_sink sinks[] = { { &first, failing_open, failing_write, failing_close, failing_destroy },
			{ &second, failing_open, failing_write, failing_close, failing_destroy } };
		OK( ds_log_attach( world, &sinks[0] ) );
		OK( ds_log_attach( world, &sinks[1] ) );
		ds_status status = ds_world_step( world, 10 );
		assert_int_equal( status, second.calls >= at ? DS_ERROR_IO : DS_OK );
		if ( status != DS_OK )
		{
			// no step passes what failed, and nothing is written to a log that did not open
			int written = first.writes + second.writes;
			assert_int_equal( ds_world_step( world, 1 ), DS_ERROR_STATE );
			assert_int_equal( first.writes + second.writes, written );
			assert_true( at > 1 || written == 0 );
			ds_error( status, "the run: no room to go on" );
		}
		ds_status closed = ds_log_close( world, status, status == DS_OK ? "" : ds_last_error() );
		assert_int_equal( closed, status == DS_OK && second.calls >= at ? DS_ERROR_IO : DS_OK );
		assert_true( closed == DS_OK || strcmp( ds_last_error(), "no room to close" ) == 0 );
		ds_world_destroy( world );
		assert_int_equal( first.closes + second.closes + first.destroys + second.destroys, 4 );
	}
}

// ---- memory that ends ----------------------------------------------------------------------------------------------

typedef struct meter
{
	int64_t left; // allocations before the end
	int64_t held;
} meter;

static void *meter_allocate( void *user, size_t size, size_t alignment )
{
	meter *m = user;
	if ( m->left-- <= 0 )
	{
		return NULL;
	}
	m->held += (int64_t)size;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void meter_release( void *user, void *memory, size_t size )
{
	( (meter *)user )->held -= (int64_t)size;
	free( memory );
}

// All that allocates, in a row; what was made is destroyed on all ways out.
static ds_status use_everything( const ds_hooks *hooks )
{
	ds_scenario *scenario = NULL;
	ds_world *world = NULL, *copy = NULL;
	ds_log_sink sink;
	ds_body_def body = kit_point( "more", 1, 1, 1, 1 );
	ds_id id;
	DS_TRY( load( hooks, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	def.hooks = *hooks;
	ds_status status = ds_world_create( &def, &world );
	assert_true( ( status == DS_OK ) == ( world != NULL ) );
	if ( status == DS_OK )
	{
		status = ds_log_csv( DEEPSIM_TEST_TMP "/memory", hooks, &sink );
		if ( status == DS_OK )
		{
			OK( ds_log_attach( world, &sink ) );
		}
	}
	status = status == DS_OK ? ds_body_create( world, &body, &id ) : status;
	status = status == DS_OK ? ds_world_step( world, 3 ) : status;
	status = status == DS_OK ? ds_world_clone( world, &copy ) : status;
	status = status == DS_OK ? ds_world_step( copy, 1 ) : status;
	if ( world )
	{
		ds_status closed = ds_log_close( world, status, "" );
		status = status == DS_OK ? closed : status;
	}
	ds_world_destroy( copy );
	ds_world_destroy( world );
	ds_scenario_release( scenario );
	return status;
}

static void memory_that_ends( void **state )
{
	(void)state;
	meter m = { INT64_MAX, 0 };
	ds_hooks hooks = { { meter_allocate, meter_release, &m }, NULL, NULL };
	OK( use_everything( &hooks ) );
	assert_int_equal( m.held, 0 );
	int64_t all = INT64_MAX - m.left, failed = 0;
	for ( int64_t n = 0; n < all; ++n )
	{
		m.left = n;
		ds_status status = use_everything( &hooks );
		if ( status != DS_ERROR_MEMORY )
		{
			fail_msg( "with %lld of %lld allocations: %s: %s", (long long)n, (long long)all, ds_status_name( status ),
				ds_last_error() );
		}
		assert_int_equal( m.held, 0 );
		++failed;
	}
	assert_true( failed > 50 );

	// half an allocator is none
	hooks.allocator.release = NULL;
	ds_scenario *scenario;
	FAILS( load( &hooks, &scenario ), DS_ERROR_ARGUMENT, "allocate and release" );
}

// ---- plugins that break their contract in memory ---------------------------------------------------------------------

typedef enum breach
{
	BREACH_NONE,
	BREACH_STRING, // without its end
	BREACH_SPAN, // outside, in a struct in the reading
	BREACH_COMMANDS, // fewer than none
	BREACH_RANGE, // that holds nothing finite
	BREACH_NO_RANGE // that is no number
} breach;

static breach breach_now;

typedef struct odd_inner
{
	ds_span values;
} odd_inner;

typedef struct odd_reading
{
	char text[8];
	odd_inner inner;
} odd_reading;

static const ds_field odd_inner_fields[] = { DS_SPAN( odd_inner, values, DS_ELEMENT_F64, "", "numbers" ) };
static const ds_table odd_inner_table = DS_TABLE( "odd_inner", "A struct in a reading", odd_inner, odd_inner_fields );
static const ds_field odd_fields[] = { DS_STRING( odd_reading, text, NULL, "a text" ),
	DS_STRUCT( odd_reading, inner, &odd_inner_table, "a struct" ) };
static const ds_table odd_table = DS_TABLE( "odd", "Readings of an odd sensor", odd_reading, odd_fields );

static ds_status odd_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)model;
	host->log( host, DS_LOG_WARNING, "odd" );
	layout->output_size = sizeof( odd_reading ) + sizeof( double );
	layout->command_count = breach_now == BREACH_COMMANDS ? -1 : 1;
	layout->command_minimum[0] = breach_now == BREACH_RANGE ? INFINITY : breach_now == BREACH_NO_RANGE ? NAN : 0;
	layout->command_maximum[0] = INFINITY;
	return DS_OK;
}

static ds_status odd_sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	(void)context;
	odd_reading *reading = output;
	memset( reading->text, 'x', sizeof( reading->text ) - ( breach_now != BREACH_STRING ) );
	reading->inner.values.offset = sizeof( odd_reading );
	reading->inner.values.count = breach_now == BREACH_SPAN ? 1000 : 1;
	return DS_OK;
}

static const ds_type odd_type = { DS_ABI_VERSION, sizeof( ds_type ), DS_SENSOR, "odd", "an odd sensor", NULL,
	&odd_table, odd_create, NULL, NULL, NULL, odd_sample, NULL };

// The words of a plugin that is being created may not change the world that it will be a part of.
static void destroy_bodies( void *user, ds_log_level level, const char *message )
{
	ds_world *world = *(ds_world **)user;
	if ( level == DS_LOG_WARNING && strcmp( message, "odd" ) == 0 )
	{
		FAILS( ds_body_destroy( world, ds_world_at( world, DS_BODY, 0 ) ), DS_ERROR_STATE, "in a step" );
	}
}

static void plugins_that_break_memory( void **state )
{
	(void)state;
	static const char *const words[] = { "", "string \"text\" has no NUL", "span \"values\"", "impossible layout",
		"impossible layout", "impossible layout" };
	for ( breach_now = BREACH_NONE; breach_now <= BREACH_NO_RANGE; ++breach_now )
	{
		ds_world *world = NULL;
		ds_registry *registry;
		OK( ds_registry_create( NULL, &registry ) );
		OK( ds_registry_add( registry, &odd_type ) );
		ds_world_def def = ds_world_def_default();
		def.registry = registry;
		def.hooks.log = destroy_bodies;
		def.hooks.log_user = &world;
		OK( ds_world_create( &def, &world ) );
		ds_id body, sensor;
		ds_body_def body_def = kit_point( "body", 1, 1, 1, 1 );
		OK( ds_body_create( world, &body_def, &body ) );
		ds_sensor_def sensor_def = ds_sensor_def_default();
		strcpy( sensor_def.name, "odd" );
		strcpy( sensor_def.type, "odd" );
		sensor_def.body = body;
		ds_status status = ds_sensor_create( world, &sensor_def, &sensor );
		status = status == DS_OK ? ds_world_step( world, 2 ) : status;
		assert_int_equal( status, breach_now == BREACH_NONE ? DS_OK : DS_ERROR_PLUGIN );
		assert_true( status == DS_OK || strstr( ds_last_error(), words[breach_now] ) != NULL );
		ds_world_destroy( world );
		ds_registry_release( registry );
	}
}

// What waits for a long latency is more than memory holds: no product of sizes overflows.
static void queues_beyond_memory( void **state )
{
	(void)state;
	ds_world *world = whole_world();
	ds_sensor_def def = ds_sensor_def_default();
	strcpy( def.name, "late" );
	strcpy( def.type, "odometry" );
	def.body = ds_world_at( world, DS_BODY, 0 );
	const double latencies[] = { 1e5, 1e7, 1e8, 9.99e8 };
	for ( int i = 0; i < 4; ++i )
	{
		ds_id id;
		def.latency = latencies[i];
		FAILS( ds_sensor_create( world, &def, &id ), DS_ERROR_LIMIT, "shorten the queue or the latency" );
		assert_true( id == DS_NO_ID );
	}
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( every_type_is_there ),
		cmocka_unit_test( damaged_snapshots ),
		cmocka_unit_test( absurd_counters ),
		cmocka_unit_test( hooks_that_call_back ),
		cmocka_unit_test( sinks_that_fail ),
		cmocka_unit_test( memory_that_ends ),
		cmocka_unit_test( plugins_that_break_memory ),
		cmocka_unit_test( queues_beyond_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
