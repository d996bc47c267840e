// Inside the mesh part: a glTF file that is being checked (mesh_gltf.c) and its buffers (mesh_gltf_buffer.c).

#ifndef DEEPSIM_SRC_MESH_GLTF_H
#define DEEPSIM_SRC_MESH_GLTF_H

#include "base/json.h"
#include "io/mesh_bytes.h"
#include "io/mesh_internal.h"

// `bytes` is NULL until it is needed.
typedef struct ds_gltf_buffer
{
	const ds_json *json;
	const uint8_t *bytes;
	int64_t size;
	uint8_t *owned; // NULL if the bytes are the GLB's own
	int64_t owned_size;
} ds_gltf_buffer;

// A top-level array of the file, by index.
typedef struct ds_gltf_list
{
	const char *key;
	ds_json **items;
	int64_t count;
} ds_gltf_list;

typedef struct ds_gltf
{
	ds_soup *soup;
	ds_arena arena;
	ds_json *root;
	const uint8_t *binary; // BIN chunk of a GLB, or NULL
	int64_t binary_size;
	ds_gltf_list accessors, views, meshes, nodes;
	ds_gltf_buffer *buffers;
	int64_t buffer_count, bytes_left;
} ds_gltf;

// `count` elements of `size` bytes, `stride` bytes apart.
typedef struct ds_gltf_data
{
	const uint8_t *bytes;
	int64_t count, stride;
	int component; // 5120 i8, 5121 u8, 5122 i16, 5123 u16, 5125 u32, 5126 f32
	bool normalized; // integers stand for [-1, 1] or [0, 1]
} ds_gltf_data;

// A mesh where a node puts it; the matrix is column major, as in the file.
typedef struct ds_gltf_instance
{
	int64_t mesh;
	double matrix[16];
} ds_gltf_instance;

// Reads the container, the JSON and the lists of a file whose bytes stay valid until ds_gltf_close, which is due after an error too.
ds_status ds_gltf_open( ds_gltf *gltf, ds_soup *soup, const uint8_t *bytes, int64_t size, bool binary );
void ds_gltf_close( ds_gltf *gltf );

// The mesh instances of the scene (or of all nodes where there is no scene), in the arena.
ds_status ds_gltf_walk( ds_gltf *gltf, ds_gltf_instance **instances, int64_t *count );

// The array `key` of the root; empty if there is none.
ds_status ds_gltf_list_read( ds_gltf *gltf, const char *key, ds_gltf_list *list );

// An integer member in [0, most]; `missing` where it is not given, or an error if that is negative.
ds_status ds_gltf_integer( const ds_json *object, const char *key, int64_t missing, int64_t most, int64_t *out );

// Notes the buffers: the BIN chunk, data URIs, files beside the glTF file. ds_gltf_accessor reads or decodes them.
ds_status ds_gltf_list_buffers( ds_gltf *gltf );
void ds_gltf_free_buffers( ds_gltf *gltf );

// The bytes that a data URI holds or a file in the glTF file's folder, at most `most`; free `owned` of `owned_size`. `what`: "a buffer".
ds_status ds_gltf_read_uri( ds_gltf *gltf, const ds_json *uri, const char *what, int64_t most, ds_gltf_buffer *buffer );

// The bytes of a buffer view, which live as long as the buffers.
ds_status ds_gltf_view( ds_gltf *gltf, int64_t index, const uint8_t **bytes, int64_t *size );

// The data of an accessor of the given type ("VEC3") and the given component types (0-terminated), inside its buffer.
ds_status ds_gltf_accessor(
	ds_gltf *gltf, int64_t index, const char *type, int width, const int *components, ds_gltf_data *data );

#endif
