// Inside the library: files that logs are written to. Every write is checked, lines reach the file whole, and an error names
// the file and what helps. Nothing is allocated after a file is opened.

#ifndef DEEPSIM_SRC_LOG_FILE_H
#define DEEPSIM_SRC_LOG_FILE_H

#include "base/base.h"

#include <stdio.h>

// A file that is written line by line through a buffer of its own. A zeroed struct is a closed one.
typedef struct ds_log_file
{
	ds_allocator allocator;
	char *path;
	size_t path_size; // of `path`, with its NUL
	int descriptor; // -1: closed
	char *buffer;
	size_t capacity, line_size; // of the buffer, and of the longest line
	size_t used; // bytes in the buffer
	bool failed; // a write failed: what comes after is dropped, and the error was reported
} ds_log_file;

// Makes (or empties) a file whose lines are at most `line_size` bytes long.
ds_status ds_log_file_open( ds_log_file *file, const ds_allocator *allocator, const char *path, size_t line_size );

// Room for a line, `line_size` bytes, which ds_log_file_end gives to the file with the length it got. A failed file has no
// room: NULL.
ds_status ds_log_file_begin( ds_log_file *file, char **line );
void ds_log_file_end( ds_log_file *file, size_t length );

// Writes what is in the buffer.
ds_status ds_log_file_flush( ds_log_file *file );

// Flushes and closes; reports the first error that was not reported yet. Frees the buffer in any case.
ds_status ds_log_file_close( ds_log_file *file );

// Writes a whole file at once, under a temporary name that is renamed at the end: a reader sees the old one or the new one.
ds_status ds_log_file_replace( const char *path, const void *bytes, size_t size );

// Writes a whole file at once, in place.
ds_status ds_log_file_write( const char *path, const void *bytes, size_t size );

// An empty file to write in as a stream; a pipe without a reader is an error (ENXIO). NULL and errno where there is none.
FILE *ds_log_file_stream( const char *path );

// Makes a folder and those above it, where they do not exist.
ds_status ds_log_folder( const char *path );

// Makes the folder that `path` lies in.
ds_status ds_log_folder_of( const char *path );

// Takes a folder for one writer until the lock is given back (or its process ends): DS_ERROR_STATE when another one has it.
// -1 is no lock.
ds_status ds_log_folder_lock( const char *path, int *lock );
void ds_log_folder_unlock( int *lock );

// Reports what the system said (`code`, an errno) about a file: "PATH: cannot ACTION: REASON; REMEDY".
ds_status ds_log_file_error( const char *path, const char *action, int code );

#endif
