// What every sensor must hold, checked in one call each: ranges of its options; worlds that repeat, restore and clone its
// readings bit for bit, leave other sensors alone and allocate nothing in a step.

#ifndef DEEPSIM_TESTS_SENSOR_KIT_H
#define DEEPSIM_TESTS_SENSOR_KIT_H

#include "world_kit.h"

#include <math.h>

// ---- ranges of options -------------------------------------------------------------------------------------------

// Where a field lies in JSON: the text before and after its value.
typedef struct kit_place
{
	char before[512], after[128];
} kit_place;

// snprintf that fails the test where the text does not fit.
static inline void kit_text( char *out, size_t size, const char *format, ... ) DS_PRINTF( 3, 4 );

static inline void kit_text( char *out, size_t size, const char *format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	int n = vsnprintf( out, size, format, arguments );
	va_end( arguments );
	assert_true( n >= 0 && (size_t)n < size );
}

static inline void kit_key( char *key, size_t size, const ds_field *field )
{
	kit_text( key, size, "%s%s", field->name, ( field->flags & DS_FIELD_ANGLE ) ? "_deg" : "" );
}

// JSON of a field's elements: `value` at `at`, elsewhere what is in range.
static inline void kit_elements( char *text, size_t size, const ds_field *field, int32_t at, const char *value )
{
	const bool limited = field->minimum != field->maximum;
	double fill = limited ? fmin( fmax( 0, field->minimum ), field->maximum ) : 0;
	if ( ( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) && fill <= field->minimum )
	{
		fill = 0.5 * ( field->minimum + field->maximum );
	}
	if ( field->count == 1 )
	{
		snprintf( text, size, "%s", value );
		return;
	}
	const int32_t row =
		( field->flags & DS_FIELD_MATRIX ) ? (int32_t)lround( sqrt( (double)field->count ) ) : field->count;
	size_t n = (size_t)snprintf( text, size, "%s", row < field->count ? "[" : "" );
	for ( int32_t i = 0; i < field->count && n < size; ++i )
	{
		const char *open = i % row == 0 ? ( i > 0 ? ", [" : "[" ) : ", ", *close = i % row == row - 1 ? "]" : "";
		n += i == at ? (size_t)snprintf( text + n, size - n, "%s%s%s", open, value, close )
					 : (size_t)snprintf( text + n, size - n, "%s%.17g%s", open, fill, close );
	}
	if ( n < size )
	{
		snprintf( text + n, size - n, "%s", row < field->count ? "]" : "" );
	}
}

// Gives a field a value: if `good` it must not be refused for its range, else it must be, by its name.
static inline void kit_try(
	const ds_table *root, const kit_place *place, const ds_field *field, int32_t at, const char *value, bool good )
{
	char key[96], elements[2048], json[4096];
	kit_key( key, sizeof( key ), field );
	kit_elements( elements, sizeof( elements ), field, at, value );
	kit_text( json, sizeof( json ), "%s\"%s\": %s%s", place->before, key, elements, place->after );
	void *config = calloc( 1, root->size + 1 );
	assert_non_null( config );
	ds_status status = ds_table_parse( root, json, config );
	free( config );
	if ( good && status != DS_OK && strstr( ds_last_error(), "expected a" ) )
	{
		fail_msg( "%s: %s was refused: %s", root->name, json, ds_last_error() );
	}
	if ( !good && status == DS_OK )
	{
		fail_msg( "%s: %s was taken", root->name, json );
	}
	if ( !good && strstr( ds_last_error(), field->name ) == NULL && strstr( ds_last_error(), "NaN" ) == NULL &&
		 status == DS_ERROR_RANGE )
	{
		fail_msg( "%s: the error of %s does not name \"%s\": %s", root->name, json, field->name, ds_last_error() );
	}
}

static inline void kit_check_number( const ds_table *root, const kit_place *place, const ds_field *field )
{
	if ( !( field->minimum < field->maximum ) )
	{
		fail_msg( "%s.%s has no range", root->name, field->name );
	}
	static const char *const never[] = { "NaN", "nan", "Infinity", "-Infinity", "1e999", "null", "\"1\"", "true",
		"{}" };
	const double low = field->minimum, high = field->maximum;
	const bool whole = field->type == DS_FIELD_I64;
	// the next number outside, as far as JSON can tell it
	char below[64], above[64], least[64], most[64];
	snprintf( below, sizeof( below ), "%.17g", whole ? low - 1 : nextafter( low, -INFINITY ) );
	snprintf( above, sizeof( above ), "%.17g", whole ? high + 1 : nextafter( high, INFINITY ) );
	snprintf( least, sizeof( least ), "%.17g", low );
	snprintf( most, sizeof( most ), "%.17g", high );
	for ( int32_t at = 0; at < field->count; ++at )
	{
		if ( isfinite( low ) )
		{
			kit_try( root, place, field, at, below, false );
			kit_try( root, place, field, at, least, !( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) );
		}
		if ( isfinite( high ) )
		{
			kit_try( root, place, field, at, above, false );
			kit_try( root, place, field, at, most, true );
		}
		for ( size_t i = 0; i < sizeof( never ) / sizeof( never[0] ); ++i )
		{
			kit_try( root, place, field, at, never[i], false );
		}
	}
	kit_try( root, place, field, 0, "1e308", high >= 1e308 );
}

static inline void kit_check_fields( const ds_table *root, const ds_table *table, const kit_place *place )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = table->fields + i;
		kit_place inner;
		if ( field->type == DS_FIELD_F64 || field->type == DS_FIELD_I64 )
		{
			kit_check_number( root, place, field );
		}
		else if ( field->type == DS_FIELD_STRUCT )
		{
			kit_text( inner.before, sizeof( inner.before ), "%s\"%s\": {", place->before, field->name );
			kit_text( inner.after, sizeof( inner.after ), "}%s", place->after );
			kit_check_fields( root, field->table, &inner );
		}
		else if ( field->type == DS_FIELD_ARRAY && field->table )
		{
			const kit_place own = { "{", "}" }; // ds_table_parse reads no arrays
			kit_check_fields( field->table, field->table, &own );
		}
		for ( int32_t k = 0; field->type == DS_FIELD_VARIANT && k < field->choice_count; ++k )
		{
			const ds_choice *choice = field->choices + k;
			if ( choice->table == NULL || choice->form != DS_FORM_OBJECT )
			{
				continue;
			}
			char select[128] = "";
			if ( choice->key )
			{
				kit_text( select, sizeof( select ), "\"%s\": \"%s\", ", choice->key, choice->name );
			}
			kit_text( inner.before, sizeof( inner.before ), "%s\"%s\": { %s", place->before, field->name, select );
			kit_text( inner.after, sizeof( inner.after ), "}%s", place->after );
			kit_check_fields( root, choice->table, &inner );
		}
	}
}

// Every numeric option has a range, both ends of which it takes, and refuses what lies outside, NaN, infinities and what is no
// number. `base` are members that the JSON needs besides (required ones), ending in a comma; or "".
static inline void kit_check_ranges( const ds_table *table, const char *base )
{
	OK( ds_table_check( table ) );
	kit_place place = { "", "}" };
	kit_text( place.before, sizeof( place.before ), "{ %s", base );
	kit_check_fields( table, table, &place );
}

// ---- life in a world ---------------------------------------------------------------------------------------------

typedef struct kit_memory
{
	int64_t made, out;
} kit_memory;

static inline void *kit_allocate( void *user, size_t size, size_t alignment )
{
	kit_memory *m = user;
	m->made++;
	m->out++;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static inline void kit_release( void *user, void *memory, size_t size )
{
	(void)size;
	kit_memory *m = user;
	m->out--;
	free( memory );
}

#define KIT_READING 4096 // bytes of a reading that the functions below can hold

// What kit_sensor_life makes: a world with a body that falls and turns, and a sensor on it.
typedef struct kit_life
{
	const char *type, *config; // JSON of the options
	const ds_environment_def *environment; // NULL: the default, with a flat seabed at 200 m
	ds_vec3 start; // of the body
	double rate; // of world and sensor [Hz]; 0: 50
	int64_t ticks; // of the whole run; 0: 200
	ds_pose mount; // zeros: the identity
} kit_life;

static inline ds_id kit_add_sensor( ds_world *world, const kit_life *life, const char *name )
{
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	const ds_type *type = ds_registry_find( registry, DS_SENSOR, life->type );
	assert_non_null( type );
	void *config = calloc( 1, type->config->size + 1 );
	OK( ds_table_parse( type->config, life->config, config ) );
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "%s", life->type );
	def.config = config;
	def.body = ds_world_at( world, DS_BODY, 0 );
	if ( life->mount.attitude.w != 0 || life->mount.attitude.x != 0 || life->mount.attitude.y != 0 ||
		 life->mount.attitude.z != 0 )
	{
		def.mount = life->mount;
	}
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	size_t size;
	OK( ds_sensor_output( world, id, NULL, &size ) );
	assert_true( size <= KIT_READING );
	free( config );
	ds_registry_release( registry );
	return id;
}

static inline ds_world *kit_life_world( const kit_life *life, kit_memory *memory, uint64_t seed )
{
	ds_environment_def e = life->environment ? *life->environment : ds_environment_def_default();
	if ( life->environment == NULL )
	{
		e.seabed = DS_SEABED_FLAT;
		e.seabed_depth = 200;
	}
	ds_world_def def = ds_world_def_default();
	def.rate = life->rate > 0 ? life->rate : 50;
	def.environment = &e;
	def.seed = &seed;
	def.hooks.allocator = ( ds_allocator ){ kit_allocate, kit_release, memory };
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_body_def body = kit_point( "body", 10, 1, 1.3, 0.8 );
	body.hydrodynamics.model = DS_HYDRO_NONE;
	body.pose.position = life->start;
	body.velocity.angular = ds_v3( 0.1, -0.05, 0.2 );
	body.velocity.linear = ds_v3( 0.5, 0.1, -0.2 );
	ds_id id;
	OK( ds_body_create( world, &body, &id ) );
	return world;
}

// Steps a world tick by tick; the sensor's reading after each, KIT_READING bytes apart.
static inline void kit_record( ds_world *world, const char *name, int64_t ticks, unsigned char *out )
{
	ds_id id;
	OK( ds_world_find( world, DS_SENSOR, name, &id ) );
	for ( int64_t i = 0; i < ticks; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		OK( ds_sensor_latest( world, id, NULL, out + i * KIT_READING, KIT_READING ) );
	}
}

static inline int64_t kit_differ( const unsigned char *a, const unsigned char *b, int64_t ticks )
{
	for ( int64_t i = 0; i < ticks; ++i )
	{
		if ( memcmp( a + i * KIT_READING, b + i * KIT_READING, KIT_READING ) != 0 )
		{
			return i;
		}
	}
	return -1;
}

// The same seed gives the same bytes: again, after a reset, from a snapshot and in a clone made half-way, and beside other sensors
// of its type. Another seed gives others if `random`. No allocation is made in a step, and none is left.
static inline void kit_sensor_life( const kit_life *life, bool random )
{
	const int64_t ticks = life->ticks > 0 ? life->ticks : 200, half = ticks / 2;
	kit_memory memory = { 0, 0 };
	unsigned char *first = calloc( (size_t)ticks, KIT_READING ), *other = calloc( (size_t)ticks, KIT_READING );
	assert_true( first && other );
	ds_world *world = kit_life_world( life, &memory, 7 );
	kit_add_sensor( world, life, "one" );
	OK( ds_world_step( world, 0 ) );
	kit_record( world, "one", 1, first );
	int64_t made = memory.made;
	kit_record( world, "one", half - 1, first + KIT_READING );
	assert_int_equal( memory.made, made );

	size_t size = ds_world_save_size( world );
	void *bytes = calloc( 1, size );
	assert_non_null( bytes );
	OK( ds_world_save( world, bytes, size ) );
	ds_world *clone;
	OK( ds_world_clone( world, &clone ) );
	kit_record( world, "one", ticks - half, first + half * KIT_READING );
	kit_record( clone, "one", ticks - half, other + half * KIT_READING );
	assert_int_equal( kit_differ( first + half * KIT_READING, other + half * KIT_READING, ticks - half ), -1 );
	ds_world_destroy( clone );
	OK( ds_world_restore( world, bytes, size ) );
	kit_record( world, "one", ticks - half, other + half * KIT_READING );
	assert_int_equal( kit_differ( first + half * KIT_READING, other + half * KIT_READING, ticks - half ), -1 );
	free( bytes );

	OK( ds_world_reset( world, 7 ) );
	kit_record( world, "one", ticks, other );
	assert_int_equal( kit_differ( first, other, ticks ), -1 );
	OK( ds_world_reset( world, 8 ) );
	kit_record( world, "one", ticks, other );
	assert_true( ( kit_differ( first, other, ticks ) >= 0 ) == random );
	ds_world_destroy( world );

	// beside others, and after them
	world = kit_life_world( life, &memory, 7 );
	kit_add_sensor( world, life, "before" );
	kit_add_sensor( world, life, "one" );
	kit_add_sensor( world, life, "after" );
	OK( ds_world_step( world, 0 ) );
	kit_record( world, "one", ticks, other );
	assert_int_equal( kit_differ( first, other, ticks ), -1 );
	ds_world_destroy( world );
	assert_int_equal( memory.out, 0 );
	free( first );
	free( other );
}

// ---- statistics --------------------------------------------------------------------------------------------------

// Mean and standard deviation; BOUND standard errors never fail by chance, as streams are fixed.
typedef struct kit_moments
{
	double n, mean, square;
} kit_moments;

static inline void kit_take( kit_moments *m, double x )
{
	double d = x - m->mean;
	m->n += 1;
	m->mean += d / m->n;
	m->square += d * ( x - m->mean );
}

static inline double kit_deviation( const kit_moments *m )
{
	return m->n > 1 ? sqrt( m->square / ( m->n - 1 ) ) : 0;
}

// Fails unless the mean and the standard deviation of independent normal numbers are those expected, within 4.5 standard errors.
#define KIT_NORMAL( moments, mean_, deviation_ )                                                                       \
	do                                                                                                                 \
	{                                                                                                                  \
		NEAR( ( moments ).mean, mean_, 4.5 * ( deviation_ ) / sqrt( ( moments ).n ) );                                 \
		NEAR( kit_deviation( &( moments ) ), deviation_, 4.5 * ( deviation_ ) / sqrt( 2 * ( moments ).n ) );           \
	}                                                                                                                  \
	while ( 0 )

#endif
