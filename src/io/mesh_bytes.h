// Inside the mesh part: a growing buffer of bytes.

#ifndef DEEPSIM_SRC_MESH_BYTES_H
#define DEEPSIM_SRC_MESH_BYTES_H

#include "base/base.h"

typedef struct ds_bytes
{
	const ds_allocator *allocator;
	uint8_t *data;
	int64_t size, capacity;
} ds_bytes;

// Makes room for `more` bytes after the present ones.
ds_status ds_bytes_reserve( ds_bytes *bytes, int64_t more );
ds_status ds_bytes_add( ds_bytes *bytes, const void *data, int64_t size );
ds_status ds_bytes_add_little32( ds_bytes *bytes, uint32_t word );
void ds_bytes_free( ds_bytes *bytes );

#endif
