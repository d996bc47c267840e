#include "io/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ( 32 * 1024 )
#define PATH_SIZE   4096

// ---- errors ------------------------------------------------------------------------------------------------------

static const char *remedy( int code )
{
	switch ( code )
	{
		case ENOSPC:
#if defined( EDQUOT )
		case EDQUOT:
#endif
			return "; free some space, or write to another disk";
		case EFBIG:
			return "; raise the limit on the size of a file (ulimit -f)";
		case EMFILE:
			return "; raise the limit on open files (ulimit -n)";
		case EACCES:
		case EPERM:
			return "; check the permissions, or name a folder of your own";
		case EROFS:
			return "; name a folder on a disk that can be written";
		case ENOTDIR:
			return "; a part of this path is a file: name another folder";
		case EISDIR:
			return "; a folder has this name: remove it, or name another place";
		case ENOENT:
			return "; make the folder first";
		case ENXIO:
			return "; a pipe without a reader has this name: start the reader first";
		default:
			return "";
	}
}

ds_status ds_log_file_error( const char *path, const char *action, int code )
{
	char reason[128];
	if ( strerror_r( code, reason, sizeof( reason ) ) != 0 )
	{
		snprintf( reason, sizeof( reason ), "system error %d", code );
	}
	return ds_error( DS_ERROR_IO, "%s: cannot %s: %s%s", path, action, reason, remedy( code ) );
}

// ---- system calls, complete or failed ----------------------------------------------------------------------------

// A pipe without a reader is an error, where opening it would wait for one without end.
static int open_empty( const char *path )
{
	int descriptor;
	do
	{
		descriptor = open( path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666 );
	}
	while ( descriptor < 0 && errno == EINTR );
	if ( descriptor >= 0 )
	{
		(void)fcntl( descriptor, F_SETFL, 0 );
	}
	return descriptor;
}

FILE *ds_log_file_stream( const char *path )
{
	int descriptor = open_empty( path );
	FILE *file = descriptor >= 0 ? fdopen( descriptor, "wb" ) : NULL;
	if ( file == NULL && descriptor >= 0 )
	{
		int code = errno;
		(void)close( descriptor );
		errno = code;
	}
	return file;
}

static bool write_all( int descriptor, const char *bytes, size_t size, size_t *done )
{
	*done = 0;
	while ( size > 0 )
	{
		ssize_t written = write( descriptor, bytes, size );
		if ( written < 0 && errno == EINTR )
		{
			continue;
		}
		if ( written <= 0 )
		{
			errno = written == 0 ? ENOSPC : errno;
			return false;
		}
		bytes += written;
		size -= (size_t)written;
		*done += (size_t)written;
	}
	return true;
}

// A descriptor is gone after close() even when it was interrupted.
static bool close_checked( int descriptor )
{
	return close( descriptor ) == 0 || errno == EINTR;
}

// ---- files written line by line ----------------------------------------------------------------------------------

ds_status ds_log_file_open( ds_log_file *file, const ds_allocator *allocator, const char *path, size_t line_size )
{
	memset( file, 0, sizeof( *file ) );
	file->descriptor = -1;
	if ( allocator )
	{
		file->allocator = *allocator;
	}
	file->line_size = line_size;
	file->capacity = BUFFER_SIZE + line_size;
	file->path_size = strlen( path ) + 1;
	ds_status status = DS_NEW( &file->allocator, file->path_size, &file->path );
	if ( status == DS_OK )
	{
		memcpy( file->path, path, file->path_size );
		status = DS_NEW( &file->allocator, file->capacity, &file->buffer );
	}
	if ( status == DS_OK )
	{
		file->descriptor = open_empty( path );
		status = file->descriptor < 0 ? ds_log_file_error( path, "open for writing", errno ) : DS_OK;
	}
	if ( status != DS_OK )
	{
		(void)ds_log_file_close( file );
	}
	return status;
}

// Takes back the part of a line that a failed write left: of `done` bytes of the buffer, those behind the last line end.
static void cut_to_lines( ds_log_file *file, size_t done )
{
	size_t whole = done;
	while ( whole > 0 && file->buffer[whole - 1] != '\n' )
	{
		--whole;
	}
	off_t end = lseek( file->descriptor, 0, SEEK_CUR );
	if ( end >= (off_t)done && ftruncate( file->descriptor, end - (off_t)( done - whole ) ) != 0 )
	{
		return; // a pipe or a device has nothing to take back
	}
}

ds_status ds_log_file_flush( ds_log_file *file )
{
	if ( file->failed || file->descriptor < 0 || file->used == 0 )
	{
		return DS_OK;
	}
	size_t done;
	if ( !write_all( file->descriptor, file->buffer, file->used, &done ) )
	{
		int code = errno;
		file->failed = true;
		cut_to_lines( file, done );
		return ds_log_file_error( file->path, "write", code );
	}
	file->used = 0;
	return DS_OK;
}

ds_status ds_log_file_begin( ds_log_file *file, char **line )
{
	*line = NULL;
	if ( file->capacity - file->used < file->line_size )
	{
		DS_TRY( ds_log_file_flush( file ) );
	}
	if ( file->failed || file->descriptor < 0 )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot write: an earlier write failed", file->path ? file->path : "log" );
	}
	*line = file->buffer + file->used;
	return DS_OK;
}

void ds_log_file_end( ds_log_file *file, size_t length )
{
	file->used += length;
}

ds_status ds_log_file_close( ds_log_file *file )
{
	ds_status status = ds_log_file_flush( file );
	if ( file->descriptor >= 0 && !close_checked( file->descriptor ) && status == DS_OK && !file->failed )
	{
		status = ds_log_file_error( file->path, "write", errno );
	}
	DS_FREE( &file->allocator, file->buffer, file->capacity );
	DS_FREE( &file->allocator, file->path, file->path_size );
	memset( file, 0, sizeof( *file ) );
	file->descriptor = -1;
	return status;
}

// ---- whole files -------------------------------------------------------------------------------------------------

ds_status ds_log_file_write( const char *path, const void *bytes, size_t size )
{
	int descriptor = open_empty( path );
	if ( descriptor < 0 )
	{
		return ds_log_file_error( path, "open for writing", errno );
	}
	size_t done;
	bool good = write_all( descriptor, bytes, size, &done );
	int code = errno;
	if ( !close_checked( descriptor ) && good )
	{
		good = false;
		code = errno;
	}
	return good ? DS_OK : ds_log_file_error( path, "write", code );
}

// Writes over a file within the room that it has on the disk already.
static bool write_over( const char *path, const char *bytes, size_t size )
{
	struct stat info;
	size_t done;
	int descriptor = open( path, O_WRONLY | O_CLOEXEC );
	if ( descriptor < 0 )
	{
		return false;
	}
	bool good = fstat( descriptor, &info ) == 0 && (uint64_t)size <= (uint64_t)info.st_blocks * 512 &&
				write_all( descriptor, bytes, size, &done ) && ftruncate( descriptor, (off_t)size ) == 0;
	return close_checked( descriptor ) && good;
}

ds_status ds_log_file_replace( const char *path, const void *bytes, size_t size )
{
	// what is no plain file (a device, a pipe) cannot be renamed over
	struct stat info;
	if ( stat( path, &info ) == 0 && !S_ISREG( info.st_mode ) )
	{
		return ds_log_file_write( path, bytes, size );
	}

	char temporary[PATH_SIZE];
	int length = snprintf( temporary, sizeof( temporary ), "%s.tmp", path );
	if ( length < 0 || (size_t)length >= sizeof( temporary ) )
	{
		return ds_log_file_error( path, "write", ENAMETOOLONG );
	}
	ds_status status = ds_log_file_write( temporary, bytes, size );
	if ( status == DS_OK && rename( temporary, path ) != 0 )
	{
		status = ds_log_file_error( path, "replace", errno );
	}
	if ( status != DS_OK )
	{
		// a full disk has no room for a second file
		(void)unlink( temporary );
		status = write_over( path, bytes, size ) ? DS_OK : status;
	}
	return status;
}

// ---- one writer a folder -------------------------------------------------------------------------------------------

ds_status ds_log_folder_lock( const char *path, int *lock )
{
	*lock = open( path, O_RDONLY | O_DIRECTORY | O_CLOEXEC );
	if ( *lock >= 0 && flock( *lock, LOCK_EX | LOCK_NB ) != 0 && errno == EWOULDBLOCK )
	{
		ds_log_folder_unlock( lock );
		return ds_error( DS_ERROR_STATE, "%s: another run is writing its log here; name another folder", path );
	}
	return DS_OK; // where there are no locks, or the folder cannot be read, none is held
}

void ds_log_folder_unlock( int *lock )
{
	if ( *lock >= 0 )
	{
		(void)close( *lock );
	}
	*lock = -1;
}

// ---- folders -----------------------------------------------------------------------------------------------------

static ds_status make_folder( const char *path )
{
	struct stat info;
	if ( mkdir( path, 0777 ) == 0 || ( errno == EEXIST && stat( path, &info ) == 0 && S_ISDIR( info.st_mode ) ) )
	{
		return DS_OK;
	}
	return ds_log_file_error( path, "make this folder", errno == EEXIST ? ENOTDIR : errno );
}

ds_status ds_log_folder( const char *path )
{
	char partial[PATH_SIZE];
	if ( !ds_copy_string( partial, sizeof( partial ), path ) )
	{
		return ds_log_file_error( path, "make this folder", ENAMETOOLONG );
	}
	struct stat info;
	for ( char *slash = strchr( partial, '/' ); slash; slash = strchr( slash + 1, '/' ) )
	{
		*slash = '\0';
		if ( partial[0] != '\0' && stat( partial, &info ) != 0 )
		{
			DS_TRY( make_folder( partial ) );
		}
		*slash = '/';
	}
	return make_folder( partial );
}

ds_status ds_log_folder_of( const char *path )
{
	char folder[PATH_SIZE];
	if ( !ds_copy_string( folder, sizeof( folder ), path ) )
	{
		return ds_log_file_error( path, "make a folder for this file", ENAMETOOLONG );
	}
	char *slash = strrchr( folder, '/' );
	if ( slash == NULL || slash == folder )
	{
		return DS_OK;
	}
	*slash = '\0';
	return ds_log_folder( folder );
}
