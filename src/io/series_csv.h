// Inside the library: tables of numbers over time, from text files of any length, row by row in bounded memory.
//
// What is read: this library's logs (`t[s],gx[rad/s],...`), and what others write: cells separated by comma, semicolon, tab or
// blanks (by whichever the first row has, in that order of preference: semicolon, comma, tab, blank), with or without a row of
// headings, units in headings in [] or (), quotes around cells, blank lines, and lines that start with #, % or //. If there are no headings,
// the last comment before the numbers gives them where it has as many words as there are columns; else columns are called 1, 2, 3.

#ifndef DEEPSIM_SRC_SERIES_CSV_H
#define DEEPSIM_SRC_SERIES_CSV_H

#include "base/base.h"
#include "deepsim/body.h"

#define DS_SERIES_MOST_COLUMNS 256

typedef struct ds_series_column
{
	char name[DS_NAME_SIZE], unit[DS_NAME_SIZE]; // "gx", "rad/s"; unit "": the heading has none
	bool number; // its first cell is one
} ds_series_column;

typedef struct ds_series ds_series;

// Opens a file, "-" for the standard input, and reads its headings. Errors: IO, FORMAT (not text, no row of numbers), LIMIT (columns).
ds_status ds_series_open( const char *path, ds_series **series );
void ds_series_close( ds_series *series );

int32_t ds_series_count( const ds_series *series );
const ds_series_column *ds_series_columns( const ds_series *series );

// The column of time, -1 if there is none: called t, time, timestamp or stamp, or without headings the first one if it rises in even
// steps. `scale` becomes what makes seconds of it.
int32_t ds_series_time( const ds_series *series, double *scale );

// The next rows, at most `most`, of the columns asked for; *got is 0 at the end. Errors begin with "file:line: " and say what to do: FORMAT
// (a cell that is no number, a row of another length), NOT_FINITE, LIMIT (a line beyond a megabyte), IO, CANCELLED (a signal came while
// it waited for more; *got rows are good, and it may be called again).
ds_status ds_series_read(
	ds_series *series, const int32_t *columns, int32_t count, double *rows, int64_t most, int64_t *got );

// Line of the row read last, and the part of the file that was read, in [0, 1]; 0 if its size is not known.
int64_t ds_series_line( const ds_series *series );
double ds_series_done( const ds_series *series );

#endif
