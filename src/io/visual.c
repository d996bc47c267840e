// The way of a visual from a file to what is drawn: reader, draft, axes and metres, normals.

#include "io/image.h"
#include "io/mesh_scan.h"
#include "io/visual_internal.h"

#include <string.h>

ds_visual_options ds_visual_options_default( void )
{
	ds_visual_options options;
	memset( &options, 0, sizeof( options ) );
	options.struct_size = sizeof( options );
	options.scale = 1;
	options.axes = DS_AXES_XYZ;
	options.max_bytes = INT64_C( 4 ) << 30;
	options.max_faces = 50000000;
	options.max_pixels = INT64_C( 1 ) << 28;
	return options;
}

static ds_status check_options( const ds_visual_options *o )
{
	if ( o->struct_size != sizeof( *o ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "visual options must come from ds_visual_options_default()" );
	}
	if ( !( o->scale > 0 && isfinite( o->scale ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "visual scale is %g: it must be positive", o->scale );
	}
	if ( (uint32_t)o->axes >= DS_AXES_COUNT )
	{
		return ds_error( DS_ERROR_RANGE, "visual axes are %d: there is no such value", (int)o->axes );
	}
	if ( o->max_bytes < 0 || o->max_faces < 0 || o->max_pixels < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "visual limits max_bytes, max_faces and max_pixels must not be negative" );
	}
	ds_status status = o->material ? ds_table_check_value( ds_material_table(), o->material ) : DS_OK;
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "material of a visual: " );
}

// ---- the draft -----------------------------------------------------------------------------------------------------

ds_visual_corner ds_visual_corner_none( void )
{
	ds_visual_corner corner = { { NAN, NAN, NAN }, { 0, 0 }, { 0, 0 }, { 1, 1, 1 } };
	return corner;
}

// Has a face any area? Others cannot be seen.
static bool has_area( const ds_soup *soup, const int32_t vertices[3] )
{
	ds_vec3 a = soup->vertices[vertices[0]];
	ds_vec3 n = ds_cross( ds_sub( soup->vertices[vertices[1]], a ), ds_sub( soup->vertices[vertices[2]], a ) );
	return n.x != 0 || n.y != 0 || n.z != 0;
}

ds_status ds_visual_draft_face(
	ds_visual_draft *draft, const int32_t vertices[3], const ds_visual_corner corners[3], int32_t material )
{
	if ( !has_area( &draft->soup, vertices ) )
	{
		++draft->report.faces_degenerate;
		return DS_OK;
	}
	DS_TRY( ds_soup_reserve( &draft->soup, 0, 1 ) );
	memcpy( draft->soup.triangles + 3 * draft->soup.face_count++, vertices, 3 * sizeof( *vertices ) );
	for ( int k = 0; k < 3; ++k )
	{
		const ds_visual_corner *c = corners + k;
		DS_TRY( ds_bytes_add( &draft->normals, c->normal, sizeof( c->normal ) ) );
		DS_TRY( ds_bytes_add( &draft->uv, c->uv, sizeof( c->uv ) ) );
		DS_TRY( ds_bytes_add( &draft->surface_uv, c->surface_uv, sizeof( c->surface_uv ) ) );
		DS_TRY( ds_bytes_add( &draft->colors, c->color, sizeof( c->color ) ) );
	}
	return ds_bytes_add( &draft->face_materials, &material, sizeof( material ) );
}

ds_status ds_visual_draft_material( ds_visual_draft *draft, const ds_visual_material *material, int32_t *number )
{
	*number = (int32_t)( draft->materials.size / (int64_t)sizeof( *material ) );
	return ds_bytes_add( &draft->materials, material, sizeof( *material ) );
}

ds_status ds_visual_draft_texture(
	ds_visual_draft *draft, const char *what, const uint8_t *bytes, int64_t size, bool srgb, int32_t *number )
{
	ds_image image;
	const ds_allocator *allocator = draft->soup.allocator;
	DS_TRY( ds_image_decode( what, bytes, size, draft->pixels_left, allocator, &image ) );
	draft->pixels_left -= image.width * image.height;
	ds_texture texture;
	ds_status status = ds_texture_make(
		allocator, image.width, image.height, image.channels, image.bits, image.pixels, srgb, &texture );
	ds_image_free( allocator, &image );
	DS_TRY( status );
	*number = (int32_t)( draft->textures.size / (int64_t)sizeof( texture ) );
	status = ds_bytes_add( &draft->textures, &texture, sizeof( texture ) );
	if ( status != DS_OK )
	{
		ds_texture_free( allocator, &texture );
		return status;
	}
	return ds_soup_check_time( &draft->soup );
}

static void start( ds_visual_draft *draft, const char *name, const ds_visual_options *options, const ds_hooks *hooks )
{
	memset( draft, 0, sizeof( *draft ) );
	draft->options = options;
	draft->mesh_options = ds_mesh_options_default();
	draft->mesh_options.max_bytes = options->max_bytes;
	draft->mesh_options.max_faces = options->max_faces;
	draft->pixels_left = options->max_pixels;
	ds_soup *soup = &draft->soup;
	soup->name = name;
	soup->options = &draft->mesh_options;
	soup->hooks = hooks;
	soup->allocator = hooks ? &hooks->allocator : NULL;
	soup->report = &draft->report;
	soup->deadline = ds_mesh_clock() + draft->mesh_options.max_seconds;
	soup->want_colors = options->material == NULL;
	ds_bytes *bytes[] = { &draft->normals, &draft->uv, &draft->surface_uv, &draft->colors, &draft->face_materials,
		&draft->materials, &draft->textures };
	for ( size_t i = 0; i < sizeof( bytes ) / sizeof( bytes[0] ); ++i )
	{
		bytes[i]->allocator = soup->allocator;
	}
}

static void clear( ds_visual_draft *draft )
{
	for ( int64_t i = 0; i < draft->textures.size / (int64_t)sizeof( ds_texture ); ++i )
	{
		ds_texture_free( draft->soup.allocator, (ds_texture *)(void *)draft->textures.data + i );
	}
	ds_bytes *bytes[] = { &draft->normals, &draft->uv, &draft->surface_uv, &draft->colors, &draft->face_materials,
		&draft->materials, &draft->textures };
	for ( size_t i = 0; i < sizeof( bytes ) / sizeof( bytes[0] ); ++i )
	{
		ds_bytes_free( bytes[i] );
	}
	ds_soup_free( &draft->soup );
}

// ---- STL, PLY ------------------------------------------------------------------------------------------------------

// The readers of meshes do it; faces without area go.
static ds_status read_plain( ds_visual_draft *draft, const uint8_t *bytes, int64_t size )
{
	ds_soup *soup = &draft->soup;
	DS_TRY( ds_mesh_read( soup, bytes, size ) );
	int64_t count = soup->face_count;
	soup->face_count = 0;
	for ( int64_t f = 0; f < count; ++f )
	{
		int32_t vertices[3];
		memcpy( vertices, soup->triangles + 3 * f, sizeof( vertices ) );
		ds_visual_corner corners[3];
		for ( int k = 0; k < 3; ++k )
		{
			corners[k] = ds_visual_corner_none();
			for ( int c = 0; c < 3 && soup->colors; ++c )
			{
				corners[k].color[c] = (float)ds_srgb_decode( soup->colors[3 * vertices[k] + c] );
			}
		}
		DS_TRY( ds_visual_draft_face( draft, vertices, corners, 0 ) );
	}
	draft->any_colors = soup->colors != NULL;
	return DS_OK;
}

// ---- finishing -----------------------------------------------------------------------------------------------------

// From the file's axes to the body's: rotations.
static ds_vec3 in_body_axes( int32_t axes, ds_vec3 p )
{
	return axes == DS_AXES_FLU ? ds_v3( p.x, -p.y, -p.z ) : axes == DS_AXES_Y_UP ? ds_v3( p.z, -p.x, -p.y ) : p;
}

static ds_status place( const ds_visual_draft *draft, ds_visual *visual )
{
	for ( int64_t i = 0; i < visual->vertex_count; ++i )
	{
		ds_vec3 p = ds_scale( draft->options->scale, draft->soup.vertices[i] );
		if ( !( fabs( p.x ) < 1e9 && fabs( p.y ) < 1e9 && fabs( p.z ) < 1e9 ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s: vertex %lld lies at (%g, %g, %g) m: coordinates must be below 1e9 m",
				draft->soup.name, (long long)i + 1, p.x, p.y, p.z );
		}
		visual->vertices[i] = in_body_axes( draft->options->axes, p );
	}
	memcpy( visual->triangles, draft->soup.triangles, (size_t)( 3 * visual->face_count ) * sizeof( int32_t ) );
	return DS_OK;
}

// The file's normals where it gives them, smooth ones elsewhere.
static ds_status put_normals( const ds_visual_draft *draft, ds_visual *visual )
{
	const float( *given )[3] = ( const float( * )[3] )(const void *)draft->normals.data;
	bool missing = false;
	for ( int64_t c = 0; c < 3 * visual->face_count && !missing; ++c )
	{
		missing = !isfinite( given[c][0] + given[c][1] + given[c][2] );
	}
	if ( missing )
	{
		DS_TRY( ds_visual_compute_normals( visual, false ) );
	}
	for ( int64_t c = 0; c < 3 * visual->face_count && draft->any_normals; ++c )
	{
		if ( isfinite( given[c][0] + given[c][1] + given[c][2] ) )
		{
			ds_vec3 n = in_body_axes( draft->options->axes, ds_v3( given[c][0], given[c][1], given[c][2] ) );
			visual->normals[c][0] = (float)n.x;
			visual->normals[c][1] = (float)n.y;
			visual->normals[c][2] = (float)n.z;
		}
	}
	if ( draft->any_normals )
	{
		ds_visual_mend_normals( visual );
	}
	return DS_OK;
}

static ds_status put_corners( ds_visual_draft *draft, ds_visual *visual )
{
	const ds_allocator *a = &visual->allocator;
	int64_t corners = 3 * visual->face_count;
	if ( draft->any_uv )
	{
		DS_TRY( DS_NEW( a, corners, &visual->uv ) );
		memcpy( visual->uv, draft->uv.data, (size_t)draft->uv.size );
	}
	if ( draft->any_surface_uv )
	{
		DS_TRY( DS_NEW( a, corners, &visual->surface_uv ) );
		memcpy( visual->surface_uv, draft->surface_uv.data, (size_t)draft->surface_uv.size );
	}
	if ( draft->any_colors )
	{
		DS_TRY( DS_NEW( a, corners, &visual->colors ) );
		memcpy( visual->colors, draft->colors.data, (size_t)draft->colors.size );
	}
	if ( visual->material_count > 1 )
	{
		DS_TRY( DS_NEW( a, visual->face_count, &visual->face_materials ) );
		memcpy( visual->face_materials, draft->face_materials.data, (size_t)draft->face_materials.size );
	}
	return DS_OK;
}

static ds_status fill( ds_visual_draft *draft, ds_visual *visual )
{
	memcpy( visual->materials, draft->materials.data, (size_t)draft->materials.size );
	int64_t textures = draft->textures.size / (int64_t)sizeof( ds_texture );
	if ( textures > 0 )
	{
		DS_TRY( DS_NEW( &visual->allocator, textures, &visual->textures ) );
		visual->texture_count = (int32_t)textures;
		memcpy( visual->textures, draft->textures.data, (size_t)draft->textures.size );
		draft->textures.size = 0; // their texels are the visual's now
	}
	DS_TRY( place( draft, visual ) );
	DS_TRY( put_corners( draft, visual ) );
	return put_normals( draft, visual );
}

static void tell_warnings( const ds_visual_draft *draft )
{
	const ds_soup *soup = &draft->soup;
	if ( soup->skipped > 0 )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: %lld points, lines or curves were not read", soup->name,
			(long long)soup->skipped );
	}
	if ( draft->report.faces_degenerate > 0 )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: %lld faces without area were dropped", soup->name,
			(long long)draft->report.faces_degenerate );
	}
	if ( draft->told_alpha )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: materials that let light through are drawn opaque", soup->name );
	}
	if ( draft->told_morph )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: morph targets and skins are not applied", soup->name );
	}
}

static ds_status finish( ds_visual_draft *draft, ds_visual **out )
{
	ds_soup *soup = &draft->soup;
	if ( soup->face_count == 0 )
	{
		return ds_error( DS_ERROR_MESH_EMPTY, "%s: there is nothing to be seen in it: it shows no triangles%s",
			soup->name, draft->report.faces_degenerate > 0 ? " that have an area" : "" );
	}
	if ( draft->materials.size == 0 || draft->options->material )
	{
		ds_visual_material material = ds_visual_material_of( draft->options->material );
		int32_t number;
		draft->materials.size = 0;
		if ( draft->any_colors && draft->options->material == NULL )
		{
			// the colours themselves
			material.color[0] = material.color[1] = material.color[2] = 1;
		}
		DS_TRY( ds_visual_draft_material( draft, &material, &number ) );
	}
	int32_t materials = (int32_t)( draft->materials.size / (int64_t)sizeof( ds_visual_material ) );
	ds_visual *visual;
	DS_TRY( ds_visual_new( soup->hooks, soup->vertex_count, soup->face_count, materials, &visual ) );
	ds_status status = fill( draft, visual );
	if ( status != DS_OK )
	{
		ds_visual_release( visual );
		return status;
	}
	tell_warnings( draft );
	*out = visual;
	return DS_OK;
}

ds_status ds_visual_parse( const char *name, const uint8_t *bytes, int64_t size, const ds_visual_options *options,
	const ds_hooks *hooks, ds_visual **visual )
{
	ds_visual_draft draft;
	start( &draft, name, options, hooks );
	const char *dot = strrchr( name, '.' );
	ds_token ending = { dot ? dot + 1 : "", dot ? strlen( dot + 1 ) : 0 };
	bool gltf = ds_token_is( ending, "gltf" ), glb = ds_token_is( ending, "glb" );
	ds_status status = gltf || glb                    ? ds_visual_read_gltf( &draft, bytes, size, glb )
					   : ds_token_is( ending, "obj" ) ? ds_visual_read_obj( &draft, bytes, size )
													  : read_plain( &draft, bytes, size );
	status = status == DS_OK ? finish( &draft, visual ) : status;
	clear( &draft );
	return status;
}

ds_status ds_visual_load(
	const char *path, const ds_visual_options *options, const ds_hooks *hooks, ds_visual **visual )
{
	if ( path == NULL || visual == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "reading a visual needs a path and a place for the visual" );
	}
	*visual = NULL;
	ds_visual_options standard = ds_visual_options_default();
	options = options ? options : &standard;
	DS_TRY( check_options( options ) );
	uint8_t *bytes;
	int64_t size;
	const ds_allocator *allocator = hooks ? &hooks->allocator : NULL;
	DS_TRY( ds_mesh_file_read( path, options->max_bytes, allocator, &bytes, &size ) );
	ds_status status = ds_visual_parse( path, bytes, size, options, hooks, visual );
	DS_FREE( allocator, bytes, size + 1 );
	return status;
}
