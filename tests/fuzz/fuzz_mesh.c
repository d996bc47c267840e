// libFuzzer target over the mesh readers. The first byte chooses the format, what is allowed, and whether to repair; the rest
// is the file. Built by hand:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -ffp-contract=off -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC
//     -Iinclude -I. -Isrc tests/fuzz/fuzz_mesh.c src/base/*.c src/io/mesh*.c -lassimp -lcjson -lm -o fuzz_mesh
//   ./fuzz_mesh -timeout=10 -max_len=65536 CORPUS
//
// A file of a corpus is a mesh file after its first byte; 0 to 4 stand for OBJ, glTF, GLB, STL and PLY.

#include "io/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

// What a mesh promises to those who use it.
static void check_mesh( const ds_mesh *mesh )
{
	int64_t vertices, faces;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &vertices );
	const int32_t *t = ds_mesh_triangles( mesh, &faces );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	for ( int64_t i = 0; i < vertices; ++i )
	{
		if ( !ds_finite( v[i] ) )
		{
			abort();
		}
	}
	for ( int64_t i = 0; i < 3 * faces; ++i )
	{
		if ( t[i] < 0 || t[i] >= vertices )
		{
			abort();
		}
	}
	if ( faces == 0 || ( p.closed && !isfinite( p.volume ) ) || !isfinite( p.area ) )
	{
		abort();
	}
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	static const char *const names[] = { "fuzz.obj", "fuzz.gltf", "fuzz.glb", "fuzz.stl", "fuzz.ply" };
	if ( size == 0 )
	{
		return 0;
	}
	ds_mesh_options options = ds_mesh_options_default();
	ds_mesh_report report;
	memset( &report, 0, sizeof( report ) );
	options.max_faces = 100000;
	options.max_seconds = 2;
	options.topology = data[0] & 8 ? DS_MESH_OPEN_ALLOWED : DS_MESH_CLOSED;
	options.repair_winding = !( data[0] & 16 );
	options.weld_distance = data[0] & 32 ? 0.01 : 0;
	int64_t max_hole = data[0] & 64 ? 100 : -1;
	ds_mesh *mesh = NULL;
	ds_status status = ds_mesh_parse(
		names[( data[0] & 7 ) % 5], data + 1, (int64_t)size - 1, max_hole, &options, NULL, &mesh, &report );
	if ( ( status == DS_OK ) != ( mesh != NULL ) )
	{
		abort();
	}
	if ( mesh )
	{
		check_mesh( mesh );
		ds_mesh_release( mesh );
	}
	return 0;
}
