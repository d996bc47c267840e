// Inside the library: the log of CSV files, as its sources share it.
//
// DIR/run.json says what was run and how it ended. DIR/<channel>.csv has a row a reading; a name with slashes lies in
// subfolders. A span's elements lie in DIR/<channel>/<sequence>.bin, or in <sequence>.<field>.bin when a reading has several
// spans: nothing but the elements, in the byte order that "dtype" of run.json tells (numpy.fromfile( path, dtype )). Spans that are
// images (DS_FIELD_IMAGE) are .png or .npy instead, as "image" of run.json tells; an empty one has no file. The cell has the file's path
// in DIR, or nothing.

#ifndef DEEPSIM_SRC_LOG_CSV_H
#define DEEPSIM_SRC_LOG_CSV_H

#include "base/base.h"
#include "base/field_io.h"
#include "deepsim/log.h"
#include "io/log_file.h"

#define DS_CSV_PATH 4096
#define DS_CSV_MARK "deepsim_log" // the key of run.json that tells a log from other files

typedef struct ds_csv_channel
{
	const char *name, *type;
	const char *body; // what it is mounted on; NULL: nothing
	ds_pose mount;
	const ds_table *table; // NULL: readings without fields
	size_t size; // of a reading
	ds_column *columns;
	int32_t column_count, span_count;
	ds_log_file file;
	int64_t samples;
} ds_csv_channel;

typedef struct ds_csv_log
{
	ds_hooks hooks;
	ds_arena arena; // names, columns, channels
	char *directory;
	size_t directory_size;
	ds_csv_channel *channels;
	int32_t channel_count;
	ds_scenario *scenario; // retained; NULL: a world made in code
	uint64_t seed;
	double rate;
	const char **instances; // names by number, where a channel has images of instances; else NULL
	int32_t instance_count;
	int lock; // of the folder
	bool open;
	bool folder_is_ours; // nothing in it belongs to somebody else
	int64_t flushed; // when buffers were last written [s of a steady clock]
	char path[DS_CSV_PATH]; // of the file of a span
} ds_csv_log;

// DS_ERROR_ARGUMENT when a channel's name cannot be a path below the log's folder.
ds_status ds_csv_check_name( const char *name );

// "DIR/NAME" and the rest, DS_ERROR_LIMIT when it is too long.
ds_status ds_csv_path( char *path, size_t size, const char *directory, const char *name, const char *rest );

// Writes the elements of a span to their file, and the file's path in the log's folder to the cell.
ds_status ds_csv_write_span( ds_csv_log *log, const ds_csv_channel *channel, const ds_column *column, int64_t sequence,
	const void *data, char *cell, size_t size, int *length );

// How a span that is an image is written: "png", "png_ids" (red, green, blue are a number's lowest bytes) or "npy"; NULL: it is none.
const char *ds_csv_image( const ds_field *field );

// Writes DIR/run.json; `end` is NULL while the run goes on.
ds_status ds_csv_write_run( const ds_csv_log *log, const ds_log_end *end );

// How numpy calls the elements of a span on this machine ("<f8").
const char *ds_csv_dtype( ds_element element );

// Removes what an earlier log left in the folder. Only files that its run.json tells of are touched; a run.json that is not of
// a log is DS_ERROR_IO, so that nobody's file is overwritten.
ds_status ds_csv_remove_earlier( const char *directory, const ds_hooks *hooks );

#endif
