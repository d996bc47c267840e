#include "io/added_mass_cache.h"

#include "base/base.h"
#include "base/json.h"
#include "base/text.h"
#include "deepsim/math.h"
#include "hydro/mass.h"
#include "io/log_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Goes up whenever ds_added_mass_panels() gives other numbers.
#define CACHE_VERSION 1
#define CACHE_ENDING  ".added-mass"
#define PATH_SIZE     4096
#define HASH_SIZE     24

// ---- what a result belongs to --------------------------------------------------------------------------------------

static uint64_t hash_number( uint64_t hash, double number )
{
	double plain = number == 0 ? 0 : number; // -0 is 0
	return ds_hash_bytes( hash, &plain, sizeof( plain ) );
}

static uint64_t hash_vector( uint64_t hash, ds_vec3 v )
{
	return hash_number( hash_number( hash_number( hash, v.x ), v.y ), v.z );
}

static void write_hash( const ds_mesh *mesh, const ds_panel_options *options, char text[HASH_SIZE] )
{
	int64_t vertex_count, face_count;
	const ds_vec3 *vertices = ds_mesh_vertices( mesh, &vertex_count );
	const int32_t *triangles = ds_mesh_triangles( mesh, &face_count );
	uint64_t hash = ds_hash_bytes( DS_HASH_START, &vertex_count, sizeof( vertex_count ) );
	hash = ds_hash_bytes( hash, &face_count, sizeof( face_count ) );
	for ( int64_t i = 0; i < vertex_count; ++i )
	{
		hash = hash_vector( hash, vertices[i] );
	}
	hash = ds_hash_bytes( hash, triangles, 3 * (size_t)face_count * sizeof( *triangles ) );
	hash = hash_number( hash, (double)options->least );
	hash = hash_number( hash, options->boundary );
	if ( options->boundary != DS_PANELS_UNBOUNDED )
	{
		hash = hash_vector( hash_number( hash, options->distance ), options->up );
	}
	snprintf( text, HASH_SIZE, "%016llx", (unsigned long long)hash );
}

// ---- reading -------------------------------------------------------------------------------------------------------

static bool is_number( const ds_json *value, double number )
{
	return value && value->type == DS_JSON_NUMBER && value->number == number;
}

static ds_status read_matrix( const ds_json *matrix, ds_mat6 *m )
{
	for ( int i = 0; i < 36; ++i )
	{
		const ds_json *row = matrix && matrix->type == DS_JSON_ARRAY ? ds_json_at( matrix, i / 6 ) : NULL;
		const ds_json *entry = row && row->type == DS_JSON_ARRAY ? ds_json_at( row, i % 6 ) : NULL;
		if ( entry == NULL || entry->type != DS_JSON_NUMBER )
		{
			return ds_error( DS_ERROR_FORMAT, "\"matrix\" must be 6 rows of 6 numbers" );
		}
		m->m[i / 6][i % 6] = entry->number;
	}
	return ds_mat6_check_spd( m, true, "\"matrix\"" );
}

// DS_OK with *found false: the file is about another mesh, or of another version.
static ds_status read_cache( const char *path, const char *hash, ds_arena *arena, ds_mat6 *m, bool *found )
{
	ds_json *root;
	DS_TRY( ds_json_load( arena, path, &root ) );
	const ds_json *version = ds_json_find( root, "deepsim_added_mass" ), *key = ds_json_find( root, "hash" );
	if ( version == NULL || key == NULL || key->type != DS_JSON_STRING )
	{
		return ds_error( DS_ERROR_FORMAT, "\"deepsim_added_mass\" or \"hash\" is missing" );
	}
	if ( !is_number( version, CACHE_VERSION ) || strcmp( key->string, hash ) != 0 )
	{
		return DS_OK;
	}
	DS_TRY( read_matrix( ds_json_find( root, "matrix" ), m ) );
	*found = true;
	return DS_OK;
}

static bool look_up( const char *path, const char *hash, const ds_hooks *hooks, ds_mat6 *m )
{
	if ( access( path, F_OK ) != 0 )
	{
		return false;
	}
	bool found = false;
	ds_arena arena;
	ds_arena_init( &arena, hooks ? &hooks->allocator : NULL );
	if ( read_cache( path, hash, &arena, m, &found ) != DS_OK )
	{
		ds_logf( hooks, DS_LOG_WARNING, "%s: not used, added mass is computed again: %s", path, ds_last_error() );
		ds_error_clear();
	}
	else if ( !found )
	{
		ds_logf( hooks, DS_LOG_INFO,
			"%s: for another mesh, other options or another version; added mass is computed again", path );
	}
	ds_arena_free( &arena );
	return found;
}

// ---- writing -------------------------------------------------------------------------------------------------------

static void put_cache( ds_json_writer *w, const char *hash, const ds_mat6 *m )
{
	ds_json_begin( w, '{' );
	ds_json_key( w, "deepsim_added_mass" );
	ds_json_put_integer( w, CACHE_VERSION );
	ds_json_key( w, "hash" );
	ds_json_put_string( w, hash );
	ds_json_key( w, "doc" );
	ds_json_put_string( w, "added mass by panels at 1 kg/m3, about the mesh's origin; may be deleted at any time" );
	ds_json_key( w, "matrix" );
	ds_json_begin( w, '[' );
	for ( int i = 0; i < 6; ++i )
	{
		ds_json_begin_flat( w, '[' );
		for ( int j = 0; j < 6; ++j )
		{
			ds_json_put_number( w, m->m[i][j] );
		}
		ds_json_end( w, ']' );
	}
	ds_json_end( w, ']' );
	ds_json_end( w, '}' );
}

// The temporary name holds the process and the mesh's address, so that others who do the same do not meet.
static ds_status write_file( const char *path, const void *owner, const ds_text *text )
{
	char temporary[PATH_SIZE + 64];
	snprintf( temporary, sizeof( temporary ), "%s.%ld-%p.tmp", path, (long)getpid(), owner );
	ds_status status = ds_log_file_write( temporary, ds_text_get( text ), text->length );
	if ( status == DS_OK && rename( temporary, path ) != 0 )
	{
		status = ds_error( DS_ERROR_IO, "%s: cannot be replaced", path );
	}
	if ( status != DS_OK )
	{
		(void)remove( temporary );
	}
	return status;
}

static void keep( const char *path, const char *hash, const ds_mesh *mesh, const ds_hooks *hooks, const ds_mat6 *m )
{
	ds_text text;
	ds_text_init( &text, hooks ? &hooks->allocator : NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	put_cache( &w, hash, m );
	ds_text_string( &text, "\n" );
	ds_status status = text.status == DS_OK ? write_file( path, mesh, &text ) : text.status;
	if ( status != DS_OK )
	{
		ds_logf( hooks, DS_LOG_INFO, "added mass is not kept for the next time: %s", ds_last_error() );
		ds_error_clear();
	}
	ds_text_clear( &text );
}

// ---- all of it -----------------------------------------------------------------------------------------------------

ds_status ds_mesh_added_mass( const ds_mesh *mesh, const char *path, const ds_panel_options *options,
	const ds_hooks *hooks, ds_mat6 *added_mass, bool *kept )
{
	if ( mesh == NULL || added_mass == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "added mass needs a mesh and a place for the result" );
	}
	ds_panel_options wanted = options ? *options : ds_panel_options_default(), unit = wanted;
	unit.density = 1;
	unit.about = ds_v3( 0, 0, 0 );
	DS_TRY( ds_panel_options_check( &wanted ) );

	char file[PATH_SIZE], hash[HASH_SIZE];
	int length = snprintf( file, sizeof( file ), "%s" CACHE_ENDING, path ? path : "" );
	bool use_file = path && length > 0 && (size_t)length < sizeof( file );
	ds_mat6 m;
	write_hash( mesh, &unit, hash );
	bool found = use_file && look_up( file, hash, hooks, &m );
	if ( !found )
	{
		int64_t vertex_count, face_count;
		const ds_vec3 *vertices = ds_mesh_vertices( mesh, &vertex_count );
		const int32_t *triangles = ds_mesh_triangles( mesh, &face_count );
		DS_TRY( ds_added_mass_panels( vertices, vertex_count, triangles, face_count, &unit, hooks, &m ) );
		if ( use_file )
		{
			keep( file, hash, mesh, hooks, &m );
		}
	}
	if ( kept )
	{
		*kept = found;
	}
	ds_mat6 shifted = ds_mat6_shift( &m, ds_scale( -1, wanted.about ) );
	for ( int i = 0; i < 36; ++i )
	{
		added_mass->m[i / 6][i % 6] = wanted.density * shifted.m[i / 6][i % 6];
	}
	return DS_OK;
}
