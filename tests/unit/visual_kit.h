// For tests of visuals from files: what reading gives, and GLB files of a quad.

#ifndef DEEPSIM_TESTS_VISUAL_KIT_H
#define DEEPSIM_TESTS_VISUAL_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/image.h"
#include "io/visual_internal.h"
#include "tests/unit/file_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT DEEPSIM_TEST_TMP "/"

static inline void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.9g is not %.9g within %g", value, expected, tolerance );
	}
}

typedef struct messages
{
	int count;
	char last[512];
} messages;

static inline void note( void *user, ds_log_level level, const char *message )
{
	messages *m = user;
	m->count += level == DS_LOG_WARNING;
	snprintf( m->last, sizeof( m->last ), "%s", message );
}

static inline ds_status parse( const char *name, const char *text, ds_visual **visual )
{
	ds_visual_options options = ds_visual_options_default();
	*visual = NULL;
	return ds_visual_parse( name, (const uint8_t *)text, (int64_t)strlen( text ), &options, NULL, visual );
}

static inline void expect_error( const char *name, const char *text, ds_status expected, const char *words )
{
	ds_visual *v;
	ds_status status = parse( name, text, &v );
	if ( status != expected || strstr( ds_last_error(), words ) == NULL )
	{
		fail_msg( "%s gives \"%s\" (%s), not %s with \"%s\"", text, ds_last_error(), ds_status_name( status ),
			ds_status_name( expected ), words );
	}
	assert_null( v );
}

static inline ds_surface surface_at( const ds_visual *v, int64_t f, double b, double c )
{
	const int32_t *t = v->triangles + 3 * f;
	ds_surface s;
	ds_vec3 p = ds_add( ds_scale( 1 - b - c, v->vertices[t[0]] ),
		ds_add( ds_scale( b, v->vertices[t[1]] ), ds_scale( c, v->vertices[t[2]] ) ) );
	ds_visual_at( v, f, p, 0, &s );
	return s;
}

// ---- GLB files of this test ----------------------------------------------------------------------------------------

// What a quad of 2 m x 1 m has: at 0 positions (4 VEC3 f32), 48 normals (VEC3 f32), 96 uv (VEC2 u16, normalised), 112 colours (VEC4 u8,
// normalised), 128 indices (6 u16), 140 a picture.
typedef struct glb
{
	uint8_t bytes[8192];
	size_t size;
} glb;

static inline void put32( glb *g, size_t at, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		g->bytes[at + (size_t)i] = (uint8_t)( word >> 8 * i );
	}
}

static inline void put_data( uint8_t *data )
{
	static const float positions[12] = { 0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0 };
	static const float normals[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0.6f, 0, 0.8f };
	static const uint16_t uv[8] = { 0, 65535, 65535, 65535, 65535, 0, 0, 0 };
	static const uint8_t colors[16] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 51, 102, 153, 0 };
	static const uint16_t indices[6] = { 0, 1, 2, 0, 2, 3 };
	memcpy( data, positions, 48 );
	memcpy( data + 48, normals, 48 );
	memcpy( data + 96, uv, 16 );
	memcpy( data + 112, colors, 16 );
	memcpy( data + 128, indices, 12 );
}

static inline size_t read_picture( uint8_t *out, size_t room )
{
	static const uint8_t pixels[12] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255 };
	assert_int_equal( ds_image_write_png( ROOT "two.png", 2, 2, 3, 8, pixels ), DS_OK );
	FILE *file = fopen( ROOT "two.png", "rb" );
	assert_non_null( file );
	size_t size = fread( out, 1, room, file );
	assert_true( size > 0 && size < room );
	fclose( file );
	return size;
}

#define VIEWS                                                                                                          \
	"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48},"            \
	"{\"buffer\":0,\"byteOffset\":96,\"byteLength\":16},{\"buffer\":0,\"byteOffset\":112,\"byteLength\":16},"          \
	"{\"buffer\":0,\"byteOffset\":128,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":140,\"byteLength\":%d}],"
#define ACCESSORS                                                                                                      \
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":["  \
	"2,1,0]},"                                                                                                         \
	"{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                                         \
	"{\"bufferView\":2,\"componentType\":5123,\"normalized\":true,\"count\":4,\"type\":\"VEC2\"},"                     \
	"{\"bufferView\":3,\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":\"VEC4\"},"                     \
	"{\"bufferView\":4,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],"

// A GLB of that quad; `primitive`, `node` and `rest` are JSON that goes with it.
static inline void make_glb( glb *g, const char *primitive, const char *node, const char *rest )
{
	uint8_t data[1024];
	put_data( data );
	size_t picture = read_picture( data + 140, sizeof( data ) - 140 ), total = 140 + picture;
	char json[4096];
	int length = snprintf( json, sizeof( json ),
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{"
		"\"primitives\":[{%s}]}]"
		"," ACCESSORS VIEWS "%s\"buffers\":[{\"byteLength\":%d}]}",
		node, primitive, (int)picture, rest, (int)total );
	assert_true( length > 0 && length < (int)sizeof( json ) - 4 );
	while ( length % 4 != 0 )
	{
		json[length++] = ' ';
	}
	size_t padded = ( total + 3 ) / 4 * 4;
	memset( g, 0, sizeof( *g ) );
	g->size = 12 + 8 + (size_t)length + 8 + padded;
	assert_true( g->size <= sizeof( g->bytes ) );
	put32( g, 0, 0x46546C67 );
	put32( g, 4, 2 );
	put32( g, 8, (uint32_t)g->size );
	put32( g, 12, (uint32_t)length );
	put32( g, 16, 0x4E4F534A );
	memcpy( g->bytes + 20, json, (size_t)length );
	put32( g, 20 + (size_t)length, (uint32_t)padded );
	put32( g, 24 + (size_t)length, 0x004E4942 );
	memcpy( g->bytes + 28 + length, data, total );
}

static inline ds_status load( const glb *g, const ds_visual_options *options, messages *told, ds_visual **v )
{
	ds_visual_options standard = ds_visual_options_default();
	ds_hooks hooks;
	memset( &hooks, 0, sizeof( hooks ) );
	hooks.log = told ? note : NULL;
	hooks.log_user = told;
	*v = NULL;
	return ds_visual_parse( "a.glb", g->bytes, (int64_t)g->size, options ? options : &standard, &hooks, v );
}

#define QUAD     "\"attributes\":{\"POSITION\":0},\"indices\":4"
#define TEXTURES "\"textures\":[{\"source\":0}],\"images\":[{\"bufferView\":5,\"mimeType\":\"image/png\"}],"

#endif
