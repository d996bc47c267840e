// Writing OBJ, binary STL and binary PLY: into a file of another name, which takes the wanted name when all is written.

#include "base/text.h"
#include "io/mesh_bytes.h"
#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Bytes are gathered in pieces of about this size.
#define PIECE 65536

typedef struct mesh_writer
{
	const ds_mesh *mesh;
	const char *path;
	FILE *file;
	ds_bytes bytes;
} mesh_writer;

static ds_status flush( mesh_writer *w, int64_t least )
{
	if ( w->bytes.size < least )
	{
		return DS_OK;
	}
	if ( w->bytes.size > 0 && fwrite( w->bytes.data, 1, (size_t)w->bytes.size, w->file ) != (size_t)w->bytes.size )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be written: %s", w->path, strerror( errno ) );
	}
	w->bytes.size = 0;
	return DS_OK;
}

static ds_status put_text( mesh_writer *w, const char *text )
{
	return ds_bytes_add( &w->bytes, text, (int64_t)strlen( text ) );
}

static ds_status put_number( mesh_writer *w, double number )
{
	char text[40] = " ";
	ds_print_number( text + 1, sizeof( text ) - 1, number );
	return put_text( w, text );
}

static ds_status put_double( mesh_writer *w, double number )
{
	uint64_t bits;
	memcpy( &bits, &number, 8 );
	DS_TRY( ds_bytes_add_little32( &w->bytes, (uint32_t)bits ) );
	return ds_bytes_add_little32( &w->bytes, (uint32_t)( bits >> 32 ) );
}

static ds_status put_float( mesh_writer *w, double number )
{
	uint32_t bits;
	float narrow = (float)number;
	memcpy( &bits, &narrow, 4 );
	return ds_bytes_add_little32( &w->bytes, bits );
}

static ds_status write_obj( mesh_writer *w )
{
	DS_TRY( put_text( w, "# libdeepsim " ) );
	DS_TRY( put_text( w, ds_version() ) );
	DS_TRY( put_text( w, "\n" ) );
	for ( int64_t i = 0; i < w->mesh->vertex_count; ++i )
	{
		ds_vec3 p = w->mesh->vertices[i];
		DS_TRY( put_text( w, "v" ) );
		DS_TRY( put_number( w, p.x ) );
		DS_TRY( put_number( w, p.y ) );
		DS_TRY( put_number( w, p.z ) );
		DS_TRY( put_text( w, "\n" ) );
		DS_TRY( flush( w, PIECE ) );
	}
	for ( int64_t f = 0; f < w->mesh->face_count; ++f )
	{
		const int32_t *t = w->mesh->triangles + 3 * f;
		char line[64];
		snprintf( line, sizeof( line ), "f %lld %lld %lld\n", t[0] + 1LL, t[1] + 1LL, t[2] + 1LL );
		DS_TRY( put_text( w, line ) );
		DS_TRY( flush( w, PIECE ) );
	}
	return DS_OK;
}

static ds_status write_stl( mesh_writer *w )
{
	char header[80] = "binary STL, libdeepsim";
	DS_TRY( ds_bytes_add( &w->bytes, header, sizeof( header ) ) );
	DS_TRY( ds_bytes_add_little32( &w->bytes, (uint32_t)w->mesh->face_count ) );
	for ( int64_t f = 0; f < w->mesh->face_count; ++f )
	{
		const int32_t *t = w->mesh->triangles + 3 * f;
		const ds_vec3 *v = w->mesh->vertices;
		ds_vec3 normal = ds_cross( ds_sub( v[t[1]], v[t[0]] ), ds_sub( v[t[2]], v[t[0]] ) );
		double length = ds_length( normal );
		ds_vec3 rows[4] = { length > 0 ? ds_scale( 1 / length, normal ) : normal, v[t[0]], v[t[1]], v[t[2]] };
		for ( int k = 0; k < 4; ++k )
		{
			DS_TRY( put_float( w, rows[k].x ) );
			DS_TRY( put_float( w, rows[k].y ) );
			DS_TRY( put_float( w, rows[k].z ) );
		}
		DS_TRY( ds_bytes_add( &w->bytes, "\0\0", 2 ) );
		DS_TRY( flush( w, PIECE ) );
	}
	return DS_OK;
}

static ds_status write_ply( mesh_writer *w )
{
	char header[320];
	snprintf( header, sizeof( header ),
		"ply\nformat binary_little_endian 1.0\ncomment libdeepsim %s\nelement vertex %lld\nproperty double x\n"
		"property double y\nproperty double z\nelement face %lld\nproperty list uchar int vertex_indices\nend_header\n",
		ds_version(), (long long)w->mesh->vertex_count, (long long)w->mesh->face_count );
	DS_TRY( put_text( w, header ) );
	for ( int64_t i = 0; i < w->mesh->vertex_count; ++i )
	{
		DS_TRY( put_double( w, w->mesh->vertices[i].x ) );
		DS_TRY( put_double( w, w->mesh->vertices[i].y ) );
		DS_TRY( put_double( w, w->mesh->vertices[i].z ) );
		DS_TRY( flush( w, PIECE ) );
	}
	for ( int64_t f = 0; f < w->mesh->face_count; ++f )
	{
		DS_TRY( ds_bytes_add( &w->bytes, "\3", 1 ) );
		for ( int k = 0; k < 3; ++k )
		{
			DS_TRY( ds_bytes_add_little32( &w->bytes, (uint32_t)w->mesh->triangles[3 * f + k] ) );
		}
		DS_TRY( flush( w, PIECE ) );
	}
	return DS_OK;
}

typedef ds_status write_fn( mesh_writer *w );

static write_fn *format_of( const char *path )
{
	const char *dot = strrchr( path, '.' );
	ds_token ending = { dot ? dot + 1 : "", dot ? strlen( dot + 1 ) : 0 };
	return ds_token_is( ending, "obj" )   ? write_obj
		   : ds_token_is( ending, "stl" ) ? write_stl
		   : ds_token_is( ending, "ply" ) ? write_ply
										  : NULL;
}

static ds_status write_file( mesh_writer *w, write_fn *write, const char *temporary )
{
	struct stat info;
	if ( stat( w->path, &info ) == 0 && !S_ISREG( info.st_mode ) )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be written: it is no file, and would be replaced", w->path );
	}
	w->file = fopen( temporary, "wb" );
	if ( w->file == NULL )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be written: %s", w->path, strerror( errno ) );
	}
	ds_status status = write( w );
	status = status == DS_OK ? flush( w, 0 ) : status;
	if ( fclose( w->file ) != 0 && status == DS_OK )
	{
		status = ds_error( DS_ERROR_IO, "%s: cannot be written: %s", w->path, strerror( errno ) );
	}
	if ( status == DS_OK && rename( temporary, w->path ) != 0 )
	{
		status = ds_error( DS_ERROR_IO, "%s: cannot be written: %s", w->path, strerror( errno ) );
	}
	if ( status != DS_OK )
	{
		remove( temporary );
	}
	return status;
}

ds_status ds_mesh_save( const ds_mesh *mesh, const char *path )
{
	if ( mesh == NULL || path == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "saving a mesh needs a mesh and a path" );
	}
	write_fn *write = format_of( path );
	if ( write == NULL )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the ending must be .obj, .stl or .ply", path );
	}
	const ds_allocator *allocator = &mesh->allocator;
	char *temporary;
	size_t length = strlen( path );
	DS_TRY( DS_NEW( allocator, length + 6, &temporary ) );
	memcpy( temporary, path, length );
	memcpy( temporary + length, ".part", 6 );
	mesh_writer w = { mesh, path, NULL, { allocator, NULL, 0, 0 } };
	ds_status status = write_file( &w, write, temporary );
	ds_bytes_free( &w.bytes );
	DS_FREE( allocator, temporary, length + 6 );
	return status;
}
