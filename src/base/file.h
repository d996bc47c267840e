// Inside the library: whole files.

#ifndef DEEPSIM_SRC_FILE_H
#define DEEPSIM_SRC_FILE_H

#include "deepsim/base.h"

// Reads a regular file of at most `max_bytes` with one byte of room behind it; free with DS_FREE( allocator, *bytes, *size + 1 ). The
// message of a larger one ends in "more than BEFORE max_bytes AFTER". Errors (IO, LIMIT, MEMORY) leave *bytes NULL.
ds_status ds_file_read( const char *path, int64_t max_bytes, const char *before, const char *after,
	const ds_allocator *allocator, uint8_t **bytes, int64_t *size );

#endif
