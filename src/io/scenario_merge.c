// Includes: reading other files and merging their trees into one.

// realpath() comes with the X/Open part of POSIX 2008
#if !defined( _XOPEN_SOURCE )
#define _XOPEN_SOURCE 700
#endif

#include "deepsim/math.h"
#include "io/scenario_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_MEMBERS 10000 // of an object that is merged; no part has as many options

#define DEGREE ( 3.14159265358979323846 / 180.0 )

// Arrays whose elements have names or follow a timeline: an including file adds to them.
static const char *const appended[] = { "plugins", "bodies", "joints", "actuators", "sensors", "forces", "controllers",
	"commands" };

typedef struct include_options
{
	char file[DS_FILE_SIZE];
	char prefix[DS_NAME_SIZE];
	int32_t pose_kind;
	ds_file_pose pose;
	const ds_json *set;
} include_options;

static const ds_field include_fields[] = {
	{ "file", DS_FIELD_STRING, DS_FIELD_REQUIRED, offsetof( include_options, file ), 1, DS_FILE_SIZE, "", NULL, 0, 0,
		"the file to take in", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_STRING( include_options, prefix, "\"\"", "put before all its names, with a slash" ),
	DS_STRUCT( include_options, pose, &ds_file_pose_table, "moves its bodies" ),
	{ "set", DS_FIELD_RAW, 0, offsetof( include_options, set ), 1, 0, "", NULL, 0, 0, "{ path: value } changes in it",
		NULL, NULL, 0, DS_ELEMENT_NONE },
};
const ds_table ds_include_table = DS_TABLE( "include", "a file to take in", include_options, include_fields );

// ---- paths -------------------------------------------------------------------------------------------------------

ds_status ds_directory_of( ds_arena *arena, const char *path, const char **directory )
{
	const char *slash = strrchr( path, '/' );
	char *copy;
	DS_TRY( ds_arena_copy_string( arena, path, &copy ) );
	copy[slash == NULL ? 0 : slash == path ? 1 : slash - path] = 0;
	*directory = copy;
	return DS_OK;
}

ds_status ds_join_path( ds_arena *arena, const char *directory, const char *path, const char **joined )
{
	while ( strncmp( path, "./", 2 ) == 0 )
	{
		path += 2;
	}
	if ( path[0] == '/' || directory[0] == 0 )
	{
		char *copy;
		DS_TRY( ds_arena_copy_string( arena, path, &copy ) );
		*joined = copy;
		return DS_OK;
	}
	void *memory;
	size_t size = strlen( directory ) + strlen( path ) + 2;
	DS_TRY( ds_arena_new( arena, size, &memory ) );
	const char *slash = directory[strlen( directory ) - 1] == '/' ? "" : "/";
	snprintf( memory, size, "%s%s%s", directory, slash, path );
	*joined = memory;
	return DS_OK;
}

static ds_status move_path( ds_arena *arena, ds_json *value, const char *directory )
{
	return value && value->type == DS_JSON_STRING ? ds_join_path( arena, directory, value->string, &value->string )
												  : DS_OK;
}

// Makes the relative paths of an included tree start from where the including file is; `directory` leads from there to the
// included file.
static ds_status move_paths( ds_arena *arena, const ds_json *tree, const char *from, const char *directory )
{
	if ( directory[0] == 0 )
	{
		return DS_OK;
	}
	const ds_json *bodies = ds_json_find( tree, "bodies" ), *plugins = ds_json_find( tree, "plugins" );
	for ( const ds_json *body = bodies ? bodies->first : NULL; body; body = body->next )
	{
		DS_TRY( move_path( arena, ds_json_find( ds_json_find( body, "mesh" ), "file" ), directory ) );
		DS_TRY( move_path( arena, ds_json_find( ds_json_find( body, "visual" ), "file" ), directory ) );
	}
	const ds_json *water = ds_json_find( ds_json_find( tree, "environment" ), "water" );
	DS_TRY( move_path( arena, ds_json_find( water, "profile" ), directory ) );
	DS_TRY( move_path( arena, ds_json_find( ds_json_find( water, "density" ), "levels" ), directory ) );
	for ( ds_json *plugin = plugins ? plugins->first : NULL; plugin; plugin = plugin->next )
	{
		// a bare name that is not there is looked for on the plugin path
		const char *moved, *seen;
		if ( plugin->type == DS_JSON_STRING )
		{
			DS_TRY( ds_join_path( arena, directory, plugin->string, &moved ) );
			DS_TRY( ds_join_path( arena, from, moved, &seen ) );
			plugin->string = strchr( plugin->string, '/' ) || access( seen, F_OK ) == 0 ? moved : plugin->string;
		}
	}
	return DS_OK;
}

// ---- prefix ------------------------------------------------------------------------------------------------------

static ds_status prefix_string( ds_arena *arena, ds_json *value, const char *prefix )
{
	if ( value == NULL || value->type != DS_JSON_STRING || value->string[0] == 0 )
	{
		return DS_OK;
	}
	void *memory;
	size_t size = strlen( prefix ) + strlen( value->string ) + 2;
	DS_TRY( ds_arena_new( arena, size, &memory ) );
	snprintf( memory, size, "%s/%s", prefix, value->string );
	value->string = memory;
	return DS_OK;
}

static ds_status prefix_children( ds_arena *arena, const ds_json *parent, const char *prefix )
{
	for ( ds_json *p = parent ? parent->first : NULL; p; p = p->next )
	{
		DS_TRY( prefix_string( arena, p, prefix ) );
	}
	return DS_OK;
}

// Names, and what refers to names.
static ds_status prefix_tree( ds_arena *arena, const ds_json *tree, const char *prefix )
{
	static const char *const references[] = { "name", "body", "body_a", "body_b", "actuator" };
	for ( size_t i = 1; i < sizeof( appended ) / sizeof( appended[0] ); ++i )
	{
		const ds_json *array = ds_json_find( tree, appended[i] );
		for ( const ds_json *part = array ? array->first : NULL; part; part = part->next )
		{
			for ( size_t k = 0; k < sizeof( references ) / sizeof( references[0] ); ++k )
			{
				DS_TRY( prefix_string( arena, ds_json_find( part, references[k] ), prefix ) );
			}
			DS_TRY( prefix_children( arena, ds_json_find( part, "inputs" ), prefix ) );
			DS_TRY( prefix_children( arena, ds_json_find( part, "outputs" ), prefix ) );
		}
	}
	return DS_OK;
}

// ---- pose --------------------------------------------------------------------------------------------------------

static ds_status new_numbers( ds_arena *arena, const ds_json *place, const double *numbers, int n, ds_json **array )
{
	DS_TRY( ds_json_new( arena, DS_JSON_ARRAY, place, array ) );
	for ( int i = 0; i < n; ++i )
	{
		ds_json *number;
		DS_TRY( ds_json_new( arena, DS_JSON_NUMBER, place, &number ) );
		number->number = numbers[i];
		DS_TRY( ds_json_add( arena, *array, NULL, number ) );
	}
	return DS_OK;
}

// Gives a member a value, whether it was there or not.
static ds_status put_member( ds_arena *arena, ds_json *object, const char *key, ds_json *value )
{
	ds_json *old = ds_json_find( object, key );
	if ( old )
	{
		ds_json_replace( old, value );
		return DS_OK;
	}
	return ds_json_add( arena, object, key, value );
}

// Moves the pose under `key` of an object by `move`.
static ds_status move_pose( ds_arena *arena, ds_json *object, const char *key, const ds_json *place, ds_pose move )
{
	ds_file_pose inner;
	ds_json *old = ds_json_find( object, key ), *fresh, *position, *rpy;
	DS_TRY( old ? ds_table_read( &ds_file_pose_table, old, NULL, &inner )
				: ds_table_defaults( &ds_file_pose_table, &inner ) );
	ds_pose pose = ds_pose_mul( move, ds_file_pose_get( &inner ) );
	ds_vec3 angles = ds_scale( 1 / DEGREE, ds_quat_to_rpy( pose.attitude ) );
	const ds_json *where = old ? old : place;
	DS_TRY( ds_json_new( arena, DS_JSON_OBJECT, where, &fresh ) );
	DS_TRY( new_numbers( arena, where, &pose.position.x, 3, &position ) );
	DS_TRY( ds_json_add( arena, fresh, "position", position ) );
	DS_TRY( new_numbers( arena, where, &angles.x, 3, &rpy ) );
	DS_TRY( ds_json_add( arena, fresh, "rpy_deg", rpy ) );
	return put_member( arena, object, key, fresh );
}

static ds_status turn_vector( ds_arena *arena, ds_json *value, ds_quat turn )
{
	if ( value == NULL || value->type != DS_JSON_ARRAY || value->count != 3 )
	{
		return DS_OK;
	}
	double v[3];
	for ( int i = 0; i < 3; ++i )
	{
		const ds_json *number = ds_json_at( value, i );
		if ( number->type != DS_JSON_NUMBER )
		{
			return DS_OK; // the error comes with the other members' checks
		}
		v[i] = number->number;
	}
	ds_vec3 turned = ds_rotate( turn, ds_v3( v[0], v[1], v[2] ) );
	ds_json *fresh;
	DS_TRY( new_numbers( arena, value, &turned.x, 3, &fresh ) );
	ds_json_replace( value, fresh );
	return DS_OK;
}

// Moves bodies, their velocities, and joints that hang on the world.
static ds_status move_tree( ds_arena *arena, const ds_json *tree, const ds_json *place, const ds_file_pose *file_pose )
{
	ds_pose move = ds_file_pose_get( file_pose );
	const ds_json *bodies = ds_json_find( tree, "bodies" ), *joints = ds_json_find( tree, "joints" );
	for ( ds_json *body = bodies ? bodies->first : NULL; body; body = body->next )
	{
		if ( body->type == DS_JSON_OBJECT )
		{
			DS_TRY( move_pose( arena, body, "pose", place, move ) );
			const ds_json *velocity = ds_json_find( body, "velocity" );
			DS_TRY( turn_vector( arena, ds_json_find( velocity, "linear" ), move.attitude ) );
			DS_TRY( turn_vector( arena, ds_json_find( velocity, "angular" ), move.attitude ) );
		}
	}
	for ( ds_json *joint = joints ? joints->first : NULL; joint; joint = joint->next )
	{
		const ds_json *body_a = ds_json_find( joint, "body_a" );
		if ( joint->type == DS_JSON_OBJECT && ( body_a == NULL || body_a->type == DS_JSON_NULL ) )
		{
			DS_TRY( move_pose( arena, joint, "frame", place, move ) );
		}
	}
	return DS_OK;
}

// ---- merging -----------------------------------------------------------------------------------------------------

static bool is_appended( const char *key )
{
	for ( size_t i = 0; i < sizeof( appended ) / sizeof( appended[0] ); ++i )
	{
		if ( strcmp( key, appended[i] ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static const char *name_of( const ds_json *element )
{
	const ds_json *name = ds_json_find( element, "name" );
	return name && name->type == DS_JSON_STRING ? name->string : NULL;
}

// An including file adds to named arrays; it does not change what they hold.
static ds_status append_elements( ds_arena *arena, ds_json *base, ds_json *over )
{
	void *memory;
	DS_TRY( ds_new_array( arena, base->count, sizeof( char * ), &memory ) );
	const char **names = memory;
	int32_t count = 0, twice;
	for ( const ds_json *p = base->first; p; p = p->next )
	{
		const char *name = name_of( p );
		names[count] = name ? name : names[count];
		count += name != NULL;
	}
	ds_names held;
	DS_TRY( ds_sort_names( arena, names, count, &held, &twice ) );
	for ( ds_json *element; ( element = over->first ) != NULL; )
	{
		const char *name = name_of( element );
		int32_t other = name ? ds_index_of( &held, name ) : -1;
		for ( const ds_json *p = other >= 0 ? base->first : NULL; p; p = p->next )
		{
			const char *same = name_of( p );
			if ( same == names[other] )
			{
				return ds_json_error( DS_ERROR_DUPLICATE, ds_json_find( element, "name" ),
					"there are two %s named \"%s\" (the first in %s, line %d); an include takes \"prefix\", \"pose\" "
					"and "
					"\"set\"",
					base->key, name, p->file, ds_json_find( p, "name" )->line );
			}
		}
		ds_json_remove( element );
		DS_TRY( ds_json_add( arena, base, NULL, element ) );
	}
	return DS_OK;
}

// Moves the members of `over` into `base`: objects by key, named arrays one after the other; else `over` wins.
static ds_status merge( ds_arena *arena, ds_json *base, ds_json *over, bool top )
{
	if ( over->count > MAX_MEMBERS )
	{
		return ds_json_error(
			DS_ERROR_LIMIT, over, "an object of %lld keys, expected at most %d", (long long)over->count, MAX_MEMBERS );
	}
	for ( ds_json *member = over->first, *next; member; member = next )
	{
		next = member->next;
		ds_json *old = ds_json_find( base, member->key );
		bool objects = old && old->type == DS_JSON_OBJECT && member->type == DS_JSON_OBJECT;
		bool arrays = old && old->type == DS_JSON_ARRAY && member->type == DS_JSON_ARRAY;
		if ( objects )
		{
			DS_TRY( merge( arena, old, member, false ) );
		}
		else if ( arrays && top && is_appended( member->key ) )
		{
			DS_TRY( append_elements( arena, old, member ) );
		}
		else if ( old )
		{
			ds_json_remove( member );
			ds_json_replace( old, member );
		}
		else
		{
			ds_json_remove( member );
			DS_TRY( ds_json_add( arena, base, member->key, member ) );
		}
	}
	return DS_OK;
}

ds_status ds_check_version( const ds_json *tree )
{
	const ds_json *version = ds_json_find( tree, "deepsim" );
	if ( tree->type != DS_JSON_OBJECT )
	{
		return ds_wrong_value( DS_ERROR_TYPE, tree, "an object: a scenario" );
	}
	if ( version == NULL )
	{
		return ds_json_error(
			DS_ERROR_NOT_FOUND, tree, "the key \"deepsim\" is missing: a scenario says \"deepsim\": 1" );
	}
	return version->type == DS_JSON_NUMBER && version->number == 1
			   ? DS_OK
			   : ds_wrong_value( DS_ERROR_UNSUPPORTED, version, "1, the version of the file format that is read here" );
}

// ---- reading -----------------------------------------------------------------------------------------------------

// Reads what an entry of "include" says; a path alone is an object with nothing but a file.
static ds_status read_options( const ds_json *entry, include_options *options )
{
	if ( entry->type != DS_JSON_STRING && entry->type != DS_JSON_OBJECT )
	{
		return ds_wrong_value( DS_ERROR_TYPE, entry, "a path or an object {\"file\": ...}" );
	}
	if ( entry->type == DS_JSON_STRING )
	{
		DS_TRY( ds_table_defaults( &ds_include_table, options ) );
		return ds_field_read( &include_fields[0], entry, NULL, options );
	}
	DS_TRY( ds_table_read( &ds_include_table, entry, NULL, options ) );
	options->pose_kind = ds_json_find( entry, "pose" ) != NULL;
	// "left" and "left/" are the same
	size_t length = strlen( options->prefix );
	if ( length > 1 && options->prefix[length - 1] == '/' )
	{
		options->prefix[length - 1] = 0;
	}
	if ( options->prefix[0] && !ds_is_name( options->prefix ) )
	{
		return ds_wrong_value(
			DS_ERROR_FORMAT, ds_json_find( entry, "prefix" ), "a name: a letter, then letters, digits and _" );
	}
	if ( options->set && options->set->type != DS_JSON_OBJECT )
	{
		return ds_wrong_value( DS_ERROR_TYPE, options->set, "an object { path: value }" );
	}
	return DS_OK;
}

static ds_status apply_set( ds_arena *arena, ds_json *tree, const ds_json *set )
{
	for ( const ds_json *member = set ? set->first : NULL; member; member = member->next )
	{
		ds_json *copy;
		DS_TRY( ds_json_copy( arena, member, &copy ) );
		DS_TRY( ds_tree_set( arena, tree, member->key, copy, member ) );
	}
	return DS_OK;
}

// Remembers that a file is being read; one that is already is a cycle.
static ds_status push_file( ds_merger *m, const ds_json *entry, const char *path )
{
	if ( m->depth >= DS_MAX_INCLUDE_DEPTH || m->includes >= DS_MAX_INCLUDES )
	{
		return ds_json_error( DS_ERROR_LIMIT, entry, "more than %d includes, or more than %d inside each other",
			DS_MAX_INCLUDES, DS_MAX_INCLUDE_DEPTH );
	}
	char *canonical = realpath( path, NULL ), *copy = NULL;
	if ( canonical == NULL )
	{
		return ds_json_error( DS_ERROR_IO, entry, "cannot open the file \"%.500s\": %s", path, strerror( errno ) );
	}
	ds_status status = ds_arena_copy_string( m->arena, canonical, &copy );
	free( canonical );
	DS_TRY( status );
	for ( int32_t i = 0; i < m->depth; ++i )
	{
		if ( strcmp( m->open[i], copy ) == 0 )
		{
			return ds_json_error( DS_ERROR_CYCLE, entry, "\"%s\" includes itself", path );
		}
	}
	m->open[m->depth++] = copy;
	++m->includes;
	return DS_OK;
}

static ds_status take_in( ds_merger *m, const char *directory, const ds_json *entry, ds_json *base )
{
	include_options options;
	const char *path, *folder, *file, *inner;
	ds_json *tree;
	DS_TRY( read_options( entry, &options ) );
	DS_TRY( ds_join_path( m->arena, directory, options.file, &path ) );
	DS_TRY( ds_join_path( m->arena, "", options.file, &file ) );
	DS_TRY( ds_directory_of( m->arena, file, &inner ) );
	DS_TRY( ds_directory_of( m->arena, path, &folder ) );
	DS_TRY( push_file( m, entry, path ) );
	DS_TRY( ds_json_load( m->arena, path, &tree ) );
	DS_TRY( ds_check_version( tree ) );
	DS_TRY( ds_merge_includes( m, folder, &tree ) );
	--m->depth;

	DS_TRY( move_paths( m->arena, tree, directory, inner ) );
	DS_TRY( apply_set( m->arena, tree, options.set ) );
	if ( options.pose_kind )
	{
		DS_TRY( move_tree( m->arena, tree, entry, &options.pose ) );
	}
	if ( options.prefix[0] )
	{
		DS_TRY( prefix_tree( m->arena, tree, options.prefix ) );
	}
	return merge( m->arena, base, tree, true );
}

ds_status ds_merge_includes( ds_merger *m, const char *directory, ds_json **tree )
{
	ds_json *own = *tree, *include = ds_json_find( own, "include" ), *base;
	if ( include == NULL )
	{
		return DS_OK;
	}
	if ( include->type != DS_JSON_ARRAY )
	{
		return ds_wrong_value( DS_ERROR_TYPE, include, "an array of paths or objects {\"file\": ...}" );
	}
	DS_TRY( ds_json_new( m->arena, DS_JSON_OBJECT, own, &base ) );
	for ( const ds_json *entry = include->first; entry; entry = entry->next )
	{
		DS_TRY( take_in( m, directory, entry, base ) );
	}
	ds_json_remove( include );
	DS_TRY( merge( m->arena, base, own, true ) );
	*tree = base;
	return DS_OK;
}
