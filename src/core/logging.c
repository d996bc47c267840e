// Where readings go: the world's side of log sinks.

#include "core/world.h"

#include <string.h>

ds_status ds_log_attach( ds_world *world, const ds_log_sink *sink )
{
	if ( world == NULL || sink == NULL || sink->write == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_log_attach needs a world and a sink with a write function" );
	}
	DS_TRY( ds_world_may_change( world ) );
	if ( world->sinks_open )
	{
		return ds_error(
			DS_ERROR_STATE, "ds_log_attach: the logs of this world are open; attach sinks before its first step" );
	}
	if ( world->sink_count == DS_MAX_SINKS )
	{
		return ds_error( DS_ERROR_LIMIT, "a world has at most %d log sinks", DS_MAX_SINKS );
	}
	world->sinks[world->sink_count++] = *sink;
	return DS_OK;
}

static void add_channel( ds_world *world, ds_part *part )
{
	const ds_type *type = part->model->type;
	part->channel = -1;
	if ( type->output && type->sample )
	{
		ds_log_channel *channel = world->channels + world->channel_count;
		part->channel = world->channel_count++;
		*channel = ( ds_log_channel ){ part->id, part->name, type->name, type->output, part->model->layout.output_size,
			part->body ? part->body->name : NULL, part->mount };
	}
}

ds_status ds_logging_open( ds_world *world )
{
	if ( world->sinks_failed )
	{
		return ds_error(
			DS_ERROR_STATE, "the logs could not be opened; close them with ds_log_close, or attach others" );
	}
	if ( world->sinks_open || world->sink_count == 0 )
	{
		return DS_OK;
	}
	world->sinks_open = world->sinks_failed = true; // each sink is opened once, even if that fails
	DS_FREE( &world->hooks.allocator, world->channels, world->channel_room );
	world->channels = NULL;
	world->channel_count = world->channel_room = 0;
	int32_t room = 0;
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		room += world->parts[kind].count;
	}
	DS_TRY( DS_NEW( &world->hooks.allocator, room, &world->channels ) );
	world->channel_room = room;
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			add_channel( world, world->parts[kind].order[i] );
		}
	}
	ds_log_info info = { world->channels, world->channel_count, world->scenario, world->state.seed, world->rate,
		world };
	for ( int32_t i = 0; i < world->sink_count; ++i )
	{
		if ( world->sinks[i].open )
		{
			DS_TRY( world->sinks[i].open( world->sinks[i].user, &info ) );
		}
	}
	world->sinks_failed = false;
	return DS_OK;
}

ds_status ds_logging_write( ds_world *world, const ds_part *part, const ds_sample_header *header, const void *data )
{
	if ( part->channel < 0 )
	{
		return DS_OK;
	}
	for ( int32_t i = 0; i < world->sink_count; ++i )
	{
		DS_TRY( world->sinks[i].write( world->sinks[i].user, part->channel, header, data ) );
	}
	return DS_OK;
}

// The first error and its words.
static ds_status keep_first( ds_status first, ds_status next, char *message, size_t size )
{
	if ( first == DS_OK && next != DS_OK )
	{
		ds_copy_string( message, size, ds_last_error() );
	}
	return first == DS_OK ? next : first;
}

ds_status ds_log_close( ds_world *world, ds_status status, const char *error )
{
	if ( world == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_log_close needs a world" );
	}
	DS_TRY( ds_world_may_change( world ) );
	world->busy = true;
	// `error` may be the last error, which sinks replace
	char reason[1024], message[1024] = "";
	ds_copy_string( reason, sizeof( reason ), error ? error : "" );
	// a world without a step has logs too: empty ones
	ds_status first = world->sinks_open ? DS_OK : ds_logging_open( world );
	keep_first( DS_OK, first, message, sizeof( message ) );
	ds_log_end end = { status, reason, ds_world_time( world ), world->state.tick };
	for ( int32_t i = 0; i < world->sink_count; ++i )
	{
		ds_log_sink *sink = world->sinks + i;
		ds_status closed = sink->close ? sink->close( sink->user, &end ) : DS_OK;
		first = keep_first( first, closed, message, sizeof( message ) );
		if ( sink->destroy )
		{
			sink->destroy( sink->user );
		}
	}
	world->sink_count = 0;
	world->sinks_open = world->sinks_failed = world->busy = false;
	for ( int32_t kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			( (ds_part *)world->parts[kind].order[i] )->channel = -1;
		}
	}
	return first == DS_OK ? DS_OK : ds_error( first, "%s", message );
}
