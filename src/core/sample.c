// Step 7 of a tick: sensors that are due sample; inertial truth at mounts; queues of readings.

#include "core/world.h"

#include <math.h>
#include <string.h>

#define HEADER_SIZE ( ( sizeof( ds_sample_header ) + 15 ) / 16 * 16 )

static unsigned char *slot_at( const ds_part *part, int64_t sequence )
{
	return part->readings + (size_t)( sequence % part->queue ) * part->stride;
}

const ds_sample_header *ds_part_reading( const ds_part *part, int64_t sequence )
{
	return (const ds_sample_header *)(const void *)slot_at( part, sequence );
}

int64_t ds_part_available( const ds_part *part, ds_time now )
{
	int64_t n = part->state->sequence;
	while ( n > 0 && n > part->state->sequence - part->queue && ds_part_reading( part, n - 1 )->available > now )
	{
		--n;
	}
	return n > 0 && n <= part->state->sequence - part->queue ? 0 : n;
}

// Sample k is valid at the first tick at or after offset + k / rate; a nanosecond of rounding is forgiven.
bool ds_sample_due( ds_part *part, ds_time now )
{
	if ( part->due_sequence != part->state->sequence )
	{
		part->due_sequence = part->state->sequence;
		part->due = part->offset + ( part->spacing ? part->due_sequence * part->spacing
												   : ds_clock_time( part->due_sequence, part->rate ) );
	}
	return now + 1 >= part->due;
}

// Inverse of the mean of rotations exp(s theta), s in [0, 1], applied to v: turns a mean in the frame at the start of a turn
// into the mean in the turning frame. (Left Jacobian of SO(3), e.g. Barfoot 2017, State Estimation for Robotics, eq. 7.78.)
static inline ds_vec3 mean_in_turning_frame( ds_vec3 theta, ds_vec3 v )
{
	double a2 = ds_dot( theta, theta ), k = 1.0 / 12 + a2 / 720;
	if ( a2 > 1e-4 )
	{
		double half = 0.5 * sqrt( a2 );
		k = ( 1 - half / tan( half ) ) / a2;
	}
	ds_vec3 s = ds_cross( theta, v );
	return ds_add( ds_mad( v, -0.5, s ), ds_scale( k, ds_cross( theta, s ) ) );
}

// Adds the tick that was made to what an inertial sensor at this mount has seen since its last sample.
void ds_sample_mount_truth( const ds_world *world, ds_part *part )
{
	const ds_body *body = part->body;
	if ( body == NULL )
	{
		return;
	}
	const ds_body_state *s = &body->state;
	ds_part_state *p = part->state;
	ds_vec3 arm = part->mount_c.position;
	ds_vec3 v1 = ds_add( s->v, ds_rotate( s->q, ds_cross( s->w, arm ) ) );
	ds_vec3 v0 = ds_add( s->v0, ds_rotate( s->q0, ds_cross( s->w0, arm ) ) );
	ds_vec3 force = ds_scale( world->rate, ds_sub( v1, v0 ) );
	force.z -= world->environment.gravity;
	force = ds_add( force, ds_cross( world->sea->earth_rate, ds_add( v0, v1 ) ) ); // 2 Omega x v
	ds_quat mount0 = ds_quat_mul( s->q0, part->mount.attitude );
	ds_vec3 theta = ds_unrotate( part->mount.attitude, s->turn );
	p->specific_force = mean_in_turning_frame( theta, ds_unrotate( mount0, force ) );
	p->pushed = ds_mad( p->pushed, world->dt, force );
	p->pushed_axes = ds_mad( p->pushed_axes, world->dt, p->specific_force );
	p->turned = ds_add( p->turned, theta );
	p->interval += world->dt;
}

// Starts anew what inertial sensors integrate: from the body's attitude now, as if it had always moved as it does now.
void ds_sample_restart( const ds_world *world, ds_part *part )
{
	ds_part_state *p = part->state;
	p->attitude = ds_quat_identity();
	p->pushed = p->pushed_axes = p->turned = ds_v3( 0, 0, 0 );
	p->interval = 0;
	if ( part->body )
	{
		p->attitude = ds_quat_mul( part->body->state.q, part->mount.attitude );
		p->specific_force = ds_unrotate( p->attitude, ds_v3( 0, 0, -world->environment.gravity ) );
	}
}

// Rotation vector from one attitude to another, with the whole turns that the ticks' sum counts.
static inline ds_vec3 counted_turn( ds_quat from, ds_quat to, ds_vec3 sum )
{
	ds_vec3 theta = ds_quat_log( ds_quat_mul( ds_quat_conjugate( from ), to ) );
	if ( ds_dot( sum, sum ) < DS_PI * DS_PI )
	{
		return theta;
	}
	double angle = ds_length( theta );
	ds_vec3 axis = angle > 1e-6 ? ds_scale( 1 / angle, theta ) : ds_scale( 1 / ds_length( sum ), sum );
	return ds_mad( theta, 2 * DS_PI * round( ( ds_dot( sum, axis ) - angle ) / ( 2 * DS_PI ) ), axis );
}

// What gyroscopes and accelerometers integrated since the last sample. Both are compensated for coning and sculling: with
// one rotation vector and one velocity change an interval, taken as if rates were constant in it, navigation is exact.
static inline void take_increments( ds_part_state *p, ds_context *context )
{
	ds_quat now = context->pose.attitude;
	ds_vec3 turn = counted_turn( p->attitude, now, p->turned );
	context->delta_velocity = ds_dot( turn, turn ) > DS_PI * DS_PI
								  ? p->pushed_axes
								  : mean_in_turning_frame( turn, ds_unrotate( p->attitude, p->pushed ) );
	context->delta_angle = turn;
	if ( ds_dot( context->earth_rate, context->earth_rate ) > 0 )
	{
		// as seen from what does not turn with the Earth
		ds_quat earth = ds_quat_exp( ds_scale( p->interval, context->earth_rate ) );
		context->delta_angle = counted_turn( p->attitude, ds_quat_mul( earth, now ), turn );
	}
	context->interval = p->interval;
	p->attitude = now;
	p->pushed = p->pushed_axes = p->turned = ds_v3( 0, 0, 0 );
	p->interval = 0;
}

static size_t element_size( ds_element element )
{
	static const size_t sizes[] = { 0, 8, 4, 8, 4, 2, 1 };
	return (unsigned)element < sizeof( sizes ) / sizeof( sizes[0] ) ? sizes[element] : 0;
}

// Spans of a reading must lie behind its table's struct and inside the reading; strings must end in it.
static ds_status check_reading(
	const ds_part *part, const ds_table *table, size_t offset, const unsigned char *reading )
{
	const size_t behind = part->model->type->output->size;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = table->fields + i;
		if ( field->type == DS_FIELD_STRUCT )
		{
			DS_TRY( check_reading( part, field->table, offset + field->offset, reading ) );
		}
		if ( field->type == DS_FIELD_STRING && memchr( reading + offset + field->offset, 0, field->size ) == NULL )
		{
			return ds_error( DS_ERROR_PLUGIN, "string \"%s\" has no NUL in its %zu bytes", field->name, field->size );
		}
		if ( field->type != DS_FIELD_SPAN )
		{
			continue;
		}
		ds_span span;
		memcpy( &span, reading + offset + field->offset, sizeof( span ) );
		size_t size = element_size( field->element ), room = part->model->layout.output_size;
		bool good =
			span.count == 0 || ( span.count > 0 && span.offset >= (int64_t)behind && (size_t)span.offset <= room &&
								   (size_t)span.count <= ( room - (size_t)span.offset ) / size );
		if ( !good )
		{
			return ds_error( DS_ERROR_PLUGIN,
				"span \"%s\" (offset %lld, count %lld) lies outside the reading's bytes %zu to %zu", field->name,
				(long long)span.offset, (long long)span.count, behind, room );
		}
	}
	return DS_OK;
}

// Calls `sample` and puts the reading into the queue.
ds_status ds_sample_part( ds_world *world, ds_part *part )
{
	ds_part_state *state = part->state;
	ds_context context;
	ds_context_inner inner;
	ds_part_context( world, part, NULL, &context, &inner );
	ds_random_start( &inner.random, part->key, DS_DOMAIN_SAMPLE, (uint64_t)state->sequence );
	context.sequence = state->sequence;
	if ( part->body )
	{
		take_increments( state, &context );
	}

	unsigned char *slot = slot_at( part, state->sequence );
	memset( slot, 0, part->stride );
	ds_sample_header *header = (ds_sample_header *)(void *)slot;
	*header =
		( ds_sample_header ){ part->id, state->sequence, context.time, context.time + part->latency + part->delay };
	ds_error_clear();
	ds_status status =
		part->model->type->sample( part->model->model, part->plugin_state, &context, slot + HEADER_SIZE );
	const ds_table *table = part->model->type->output;
	if ( status == DS_OK && !part->model->plain )
	{
		status = check_reading( part, table, 0, slot + HEADER_SIZE );
	}
	if ( status != DS_OK )
	{
		return ds_part_fault( world, part, "sample", status );
	}
	state->sequence++;
	return ds_logging_write( world, part, header, slot + HEADER_SIZE );
}

// What actuators and forces report of themselves, after the sensors.
static ds_status sample_pushers( ds_world *world, const ds_slots *parts, ds_time now )
{
	for ( int32_t i = 0; i < parts->count; ++i )
	{
		ds_part *part = parts->order[i];
		if ( part->queue > 0 && ds_sample_due( part, now ) )
		{
			DS_TRY( ds_sample_part( world, part ) );
		}
	}
	return DS_OK;
}

static ds_status sample_all( ds_world *world )
{
	ds_time now = ds_world_time( world );
	for ( int32_t i = 0; i < world->order_count; ++i )
	{
		ds_part *part = world->order[i];
		if ( ds_sample_due( part, now ) )
		{
			DS_TRY( ds_sample_part( world, part ) );
		}
	}
	DS_TRY( sample_pushers( world, world->parts + DS_ACTUATOR, now ) );
	return sample_pushers( world, world->parts + DS_FORCE, now );
}

ds_status ds_sample_sensors( ds_world *world )
{
	// nothing moves while sensors sample: the water at a place is asked once
	world->water_seen.valid = false;
	world->water_seen.open = true;
	ds_status status = sample_all( world );
	world->water_seen.valid = world->water_seen.open = false;
	return status;
}

// ---- readers -----------------------------------------------------------------------------------------------------

// Readings of every kind of part are read the same way.
static ds_status reader( const ds_world *world, ds_id id, ds_part **part )
{
	ds_kind kind = ds_id_kind( id );
	return ds_world_part( world, kind >= DS_SENSOR && kind <= DS_CONTROLLER ? kind : DS_SENSOR, id, part );
}

ds_status ds_sensor_output( const ds_world *world, ds_id id, const ds_table **table, size_t *size )
{
	ds_part *part;
	DS_TRY( reader( world, id, &part ) );
	if ( table )
	{
		*table = part->model->type->output;
	}
	if ( size )
	{
		*size = part->model->layout.output_size;
	}
	return DS_OK;
}

ds_status ds_sensor_frame( const ds_world *world, ds_id id, ds_id *body, ds_pose *mount )
{
	ds_part *part;
	DS_TRY( reader( world, id, &part ) );
	if ( body )
	{
		*body = part->body ? part->body->id : DS_NO_ID;
	}
	if ( mount )
	{
		*mount = part->mount;
	}
	return DS_OK;
}

static ds_status copy_reading( const ds_part *part, int64_t sequence, ds_sample_header *header, void *out, size_t size )
{
	size_t need = part->model->layout.output_size;
	if ( out == NULL || size < need )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a reading of \"%s\" has %zu bytes, there is room for %zu", part->name,
			need, out ? size : 0 );
	}
	const ds_sample_header *from = ds_part_reading( part, sequence );
	if ( header )
	{
		*header = *from;
	}
	memcpy( out, (const unsigned char *)from + HEADER_SIZE, need );
	return DS_OK;
}

ds_status ds_sensor_latest( const ds_world *world, ds_id id, ds_sample_header *header, void *out, size_t size )
{
	ds_part *part;
	DS_TRY( reader( world, id, &part ) );
	int64_t available = ds_part_available( part, ds_world_time( world ) );
	if ( available == 0 )
	{
		return ds_error( DS_ERROR_EMPTY, "\"%s\" has no reading yet", part->name );
	}
	return copy_reading( part, available - 1, header, out, size );
}

ds_status ds_sensor_next( ds_world *world, ds_id id, ds_sample_header *header, void *out, size_t size )
{
	ds_part *part;
	DS_TRY( reader( world, id, &part ) );
	ds_part_state *state = part->state;
	int64_t available = ds_part_available( part, ds_world_time( world ) );
	if ( state->next >= available )
	{
		return ds_error( DS_ERROR_EMPTY, "\"%s\" has no reading that was not taken", part->name );
	}
	int64_t oldest = available - part->depth;
	int64_t next = state->next < oldest ? oldest : state->next;
	DS_TRY( copy_reading( part, next, header, out, size ) );
	state->dropped += next - state->next;
	state->next = next + 1;
	return DS_OK;
}

ds_status ds_sensor_counts( const ds_world *world, ds_id id, int64_t *samples, int64_t *dropped )
{
	ds_part *part;
	DS_TRY( reader( world, id, &part ) );
	const ds_part_state *state = part->state;
	int64_t oldest = ds_part_available( part, ds_world_time( world ) ) - part->depth;
	if ( samples )
	{
		*samples = state->sequence;
	}
	if ( dropped )
	{
		*dropped = state->dropped + ( state->next < oldest ? oldest - state->next : 0 );
	}
	return DS_OK;
}
