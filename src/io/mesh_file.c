// Reading whole files, and the choice of a reader by the file's ending.

#include "base/file.h"
#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <string.h>

ds_status ds_mesh_file_read(
	const char *path, int64_t max_bytes, const ds_allocator *allocator, uint8_t **bytes, int64_t *size )
{
	return ds_file_read( path, max_bytes, "max_bytes = ", "", allocator, bytes, size );
}

static int hex_value( char c )
{
	return c >= '0' && c <= '9'   ? c - '0'
		   : c >= 'a' && c <= 'f' ? c - 'a' + 10
		   : c >= 'A' && c <= 'F' ? c - 'A' + 10
								  : -1;
}

ds_status ds_mesh_local_path( ds_arena *arena, const char *name, const char *file, bool percent, char **out )
{
	const char *slash = strrchr( name, '/' );
	size_t folder = slash ? (size_t)( slash - name ) + 1 : 0;
	void *memory;
	*out = NULL;
	DS_TRY( ds_arena_new( arena, folder + strlen( file ) + 1, &memory ) );
	char *path = memory, *end = path + folder, *begin = end;
	memcpy( path, name, folder );
	for ( const char *s = file; *s; ++s )
	{
		int high = percent && *s == '%' ? hex_value( s[1] ) : -1, low = high >= 0 ? hex_value( s[2] ) : -1;
		*end++ = low >= 0 ? (char)( high * 16 + low ) : *s;
		s += low >= 0 ? 2 : 0;
	}
	*end = '\0';
	size_t length = (size_t)( end - begin );
	bool first = length >= 2 && memcmp( begin, "..", 2 ) == 0 && ( begin[2] == '/' || begin[2] == '\0' );
	bool up = first || strstr( begin, "/../" ) != NULL || ( length >= 3 && memcmp( end - 3, "/..", 3 ) == 0 );
	bool whole = length > 0 && strlen( begin ) == length;
	if ( whole && begin[0] != '/' && !up && strpbrk( begin, "\\:" ) == NULL )
	{
		*out = path;
	}
	return DS_OK;
}

ds_status ds_mesh_read( ds_soup *soup, const uint8_t *bytes, int64_t size )
{
	const char *dot = strrchr( soup->name, '.' );
	ds_token ending = { dot ? dot + 1 : "", dot ? strlen( dot + 1 ) : 0 };
	if ( ds_token_is( ending, "stl" ) )
	{
		return ds_mesh_read_stl( soup, bytes, size );
	}
	if ( ds_token_is( ending, "ply" ) )
	{
		return ds_mesh_read_ply( soup, bytes, size );
	}
	if ( ds_token_is( ending, "obj" ) )
	{
		return ds_mesh_read_obj( soup, bytes, size );
	}
	if ( ds_token_is( ending, "gltf" ) || ds_token_is( ending, "glb" ) )
	{
		return ds_mesh_read_gltf( soup, bytes, size, ds_token_is( ending, "glb" ) );
	}
	return ds_error( DS_ERROR_FORMAT, "%s: the ending must be .obj, .gltf, .glb, .stl or .ply", soup->name );
}
