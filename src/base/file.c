#include "base/file.h"

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

ds_status ds_file_read( const char *path, int64_t max_bytes, const char *before, const char *after,
	const ds_allocator *allocator, uint8_t **bytes, int64_t *size )
{
	*bytes = NULL;
	*size = 0;

	// a pipe or a device would block before it could be asked for its kind
	struct stat info;
	if ( stat( path, &info ) != 0 )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be opened: %s", path, strerror( errno ) );
	}
	if ( !S_ISREG( info.st_mode ) )
	{
		return ds_error( DS_ERROR_IO, "%s: is not a regular file", path );
	}
	if ( (int64_t)info.st_size > max_bytes )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: has %lld bytes, more than %s%lld%s", path, (long long)info.st_size,
			before, (long long)max_bytes, after );
	}
	FILE *file = fopen( path, "rb" );
	if ( file == NULL )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be opened: %s", path, strerror( errno ) );
	}
	*size = (int64_t)info.st_size;
	ds_status status = DS_NEW( allocator, *size + 1, bytes );
	if ( status == DS_OK && fread( *bytes, 1, (size_t)*size, file ) != (size_t)*size )
	{
		status = ds_error( DS_ERROR_IO, "%s: could not be read to its end", path );
		DS_FREE( allocator, *bytes, *size + 1 );
		*bytes = NULL;
	}
	fclose( file );
	return status;
}
