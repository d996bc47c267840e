// MTL, the materials of OBJ: Kd and map_Kd, and of its extension for physically based materials Pr (roughness) and Pm (metallic). Kd is
// taken as a linear reflectance, as Blender writes it; pictures are sRGB.

#include "io/mesh_scan.h"
#include "io/visual_internal.h"

#include <string.h>
#include <unistd.h>

typedef struct mtl_reader
{
	ds_visual_draft *draft;
	ds_arena *arena;
	const char *path;
	ds_scan scan;
	ds_bytes *list;
	ds_bytes pictures; // char[1024] a texture of this file: its name; their numbers follow each other from `first`
	int32_t first;
} mtl_reader;

static ds_status malformed( const mtl_reader *r, const char *expected )
{
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: expected %s", r->path, (long long)r->scan.line, expected );
}

static ds_visual_material *current( const mtl_reader *r )
{
	const ds_mtl_material *list = (const ds_mtl_material *)(const void *)r->list->data;
	int64_t count = r->list->size / (int64_t)sizeof( *list );
	return (ds_visual_material *)(void *)r->draft->materials.data + list[count - 1].number;
}

static ds_status read_shares( mtl_reader *r, int count, float *out )
{
	for ( int k = 0; k < count; ++k )
	{
		ds_token token;
		double number;
		if ( !ds_scan_line_token( &r->scan, &token ) )
		{
			// one number stands for three
			for ( ; k > 0 && k < count; ++k )
			{
				out[k] = out[0];
			}
			return k == count ? DS_OK : malformed( r, "a number" );
		}
		if ( !ds_token_number( token, &number ) || !( number >= 0 && number <= 1 ) )
		{
			return malformed( r, "numbers in [0, 1]" );
		}
		out[k] = (float)number;
	}
	return DS_OK;
}

// The last word of the line, or all after the options: names with blanks are read where no options stand before them.
static bool read_file_name( mtl_reader *r, char *out, size_t size )
{
	const char *at = r->scan.at, *end = at;
	while ( end < r->scan.end && *end != '\n' && *end != '\r' )
	{
		++end;
	}
	for ( ; end > at && ( end[-1] == ' ' || end[-1] == '\t' ); --end )
	{
	}
	for ( ; at < end && ( *at == ' ' || *at == '\t' ); ++at )
	{
	}
	const char *last = end;
	for ( ; at < end && *at == '-' && last > at && last[-1] != ' ' && last[-1] != '\t'; --last )
	{
	}
	at = at < end && *at == '-' ? last : at;
	if ( at == end || (size_t)( end - at ) >= size )
	{
		return false;
	}
	memcpy( out, at, (size_t)( end - at ) );
	out[end - at] = '\0';
	return true;
}

#define NAME_SIZE 1024

static ds_status read_picture( mtl_reader *r )
{
	char name[NAME_SIZE], *path;
	memset( name, 0, sizeof( name ) );
	if ( !read_file_name( r, name, sizeof( name ) ) )
	{
		return malformed( r, "the name of a picture" );
	}
	int64_t known = r->pictures.size / NAME_SIZE;
	for ( int64_t i = 0; i < known; ++i )
	{
		if ( strcmp( (const char *)r->pictures.data + NAME_SIZE * i, name ) == 0 )
		{
			current( r )->color_texture = r->first + (int32_t)i;
			return DS_OK;
		}
	}
	for ( char *c = name; *c; ++c )
	{
		*c = *c == '\\' ? '/' : *c;
	}
	DS_TRY( ds_mesh_local_path( r->arena, r->path, name, false, &path ) );
	if ( path == NULL )
	{
		return malformed( r, "a picture in the folder of the MTL file" );
	}
	uint8_t *bytes;
	int64_t size;
	const ds_allocator *allocator = r->draft->soup.allocator;
	DS_TRY( ds_mesh_file_read( path, r->draft->options->max_bytes, allocator, &bytes, &size ) );
	int32_t number;
	ds_status status = ds_visual_draft_texture( r->draft, path, bytes, size, true, &number );
	DS_FREE( allocator, bytes, size + 1 );
	DS_TRY( status );
	r->first = known == 0 ? number : r->first;
	current( r )->color_texture = number;
	return ds_bytes_add( &r->pictures, name, sizeof( name ) );
}

static ds_status start_material( mtl_reader *r )
{
	ds_mtl_material entry;
	memset( &entry, 0, sizeof( entry ) );
	const char *at = r->scan.at, *end = at;
	while ( end < r->scan.end && *end != '\n' && *end != '\r' )
	{
		++end;
	}
	for ( ; end > at && ( end[-1] == ' ' || end[-1] == '\t' ); --end )
	{
	}
	for ( ; at < end && ( *at == ' ' || *at == '\t' ); ++at )
	{
	}
	size_t length = (size_t)( end - at ) < sizeof( entry.name ) - 1 ? (size_t)( end - at ) : sizeof( entry.name ) - 1;
	memcpy( entry.name, at, length );
	ds_visual_material material = ds_visual_material_of( NULL );
	DS_TRY( ds_visual_draft_material( r->draft, &material, &entry.number ) );
	return ds_bytes_add( r->list, &entry, sizeof( entry ) );
}

static ds_status read_line( mtl_reader *r, bool *begun )
{
	ds_token word;
	if ( !ds_scan_line_token( &r->scan, &word ) || word.at[0] == '#' )
	{
		return DS_OK;
	}
	if ( ds_token_is( word, "newmtl" ) )
	{
		*begun = true;
		return start_material( r );
	}
	bool kd = ds_token_is( word, "Kd" ), map = ds_token_is( word, "map_Kd" );
	bool pr = ds_token_is( word, "Pr" ), pm = ds_token_is( word, "Pm" );
	if ( ( kd || map || pr || pm ) && !*begun )
	{
		return malformed( r, "newmtl first" );
	}
	if ( map )
	{
		// a picture's colours are not dimmed by the Kd that most writers leave beside it
		DS_TRY( read_picture( r ) );
		ds_visual_material *m = current( r );
		m->color[0] = m->color[1] = m->color[2] = 1;
		return DS_OK;
	}
	float shares[3];
	if ( kd )
	{
		DS_TRY( read_shares( r, 3, shares ) );
		ds_visual_material *m = current( r );
		if ( m->color_texture < 0 )
		{
			memcpy( m->color, shares, sizeof( m->color ) );
		}
		return DS_OK;
	}
	return pr   ? read_shares( r, 1, &current( r )->roughness )
		   : pm ? read_shares( r, 1, &current( r )->metallic )
				: DS_OK;
}

static ds_status read_lines( mtl_reader *r )
{
	bool begun = false;
	while ( r->scan.at < r->scan.end )
	{
		DS_TRY( read_line( r, &begun ) );
		ds_scan_next_line( &r->scan );
	}
	return DS_OK;
}

ds_status ds_visual_read_mtl( ds_visual_draft *draft, ds_arena *arena, const char *file, ds_bytes *list )
{
	char *path;
	DS_TRY( ds_mesh_local_path( arena, draft->soup.name, file, false, &path ) );
	if ( path == NULL )
	{
		return ds_error(
			DS_ERROR_FORMAT, "%s: mtllib \"%s\" is not a file in the folder of the OBJ file", draft->soup.name, file );
	}
	uint8_t *bytes;
	int64_t size;
	const ds_allocator *allocator = draft->soup.allocator;
	// opened by the reader, which asks for its kind first: a pipe would block here
	if ( access( path, R_OK ) != 0 )
	{
		ds_logf( draft->soup.hooks, DS_LOG_WARNING, "%s: its materials, %s, cannot be opened", draft->soup.name, path );
		return DS_OK;
	}
	DS_TRY( ds_mesh_file_read( path, draft->options->max_bytes, allocator, &bytes, &size ) );
	mtl_reader r = { draft, arena, path, ds_scan_start( bytes, size ), list, { allocator, NULL, 0, 0 }, 0 };
	ds_status status = read_lines( &r );
	ds_bytes_free( &r.pictures );
	DS_FREE( allocator, bytes, size + 1 );
	return status;
}
