// libFuzzer target over the readers of visuals. The first byte chooses the format and whether a material is given; the rest is the file,
// which is as if in an empty folder. Built by -DDEEPSIM_BUILD_FUZZERS=ON.
//
//   ./fuzz_visual -timeout=10 -max_len=65536 CORPUS
//
// A file of a corpus is a file after its first byte; 0 to 4 stand for GLB, glTF, OBJ, STL and PLY.

#include "io/visual_internal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

// What a visual promises to those who use it.
static void check_visual( const ds_visual *visual )
{
	int64_t vertices, faces;
	const ds_vec3 *v = ds_visual_vertices( visual, &vertices );
	const int32_t *t = ds_visual_triangles( visual, &faces );
	if ( faces == 0 )
	{
		abort();
	}
	for ( int64_t i = 0; i < 3 * faces; ++i )
	{
		ds_surface s;
		if ( t[i] < 0 || t[i] >= vertices || !ds_finite( v[t[i]] ) )
		{
			abort();
		}
		ds_visual_at( visual, i / 3, v[t[i]], i % 2 ? 0 : 0.1, &s );
		float square = s.normal[0] * s.normal[0] + s.normal[1] * s.normal[1] + s.normal[2] * s.normal[2];
		for ( int k = 0; k < 3; ++k )
		{
			if ( !( s.color[k] >= 0 && s.color[k] <= 1.0001f ) )
			{
				abort();
			}
		}
		if ( !( square > 0.99f && square < 1.01f ) || !( s.roughness >= 0 && s.roughness <= 1.0001f ) )
		{
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	static const char *const names[] = { "/nonexistent/f.glb", "/nonexistent/f.gltf", "/nonexistent/f.obj",
		"/nonexistent/f.stl", "/nonexistent/f.ply" };
	if ( size == 0 )
	{
		return 0;
	}
	ds_material material = ds_material_default();
	ds_visual_options options = ds_visual_options_default();
	options.max_faces = 100000;
	options.max_pixels = 1000000;
	options.material = data[0] & 8 ? &material : NULL;
	options.axes = data[0] & 16 ? DS_AXES_Y_UP : DS_AXES_XYZ;
	ds_visual *visual = NULL;
	ds_status status =
		ds_visual_parse( names[( data[0] & 7 ) % 5], data + 1, (int64_t)size - 1, &options, NULL, &visual );
	if ( ( status == DS_OK ) != ( visual != NULL ) )
	{
		abort();
	}
	if ( visual )
	{
		check_visual( visual );
		ds_visual_release( visual );
	}
	return 0;
}
