// libFuzzer target over tables of numbers in text, as `deepsim allan` reads them: headings, time, and every row of up to eight columns.
// Built by hand:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC -Iinclude -I. -Isrc
//     tests/fuzz/fuzz_series.c src/base/*.c src/io/mesh_scan.c src/io/series_csv.c -lcjson -ldl -lm -o fuzz_series
//   ./fuzz_series -timeout=10 -max_len=4096 CORPUS

#include "io/series_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

static void read_rows( ds_series *series )
{
	double rows[8 * 16], scale;
	int32_t columns[8], count = 0;
	int32_t time = ds_series_time( series, &scale );
	if ( time >= ds_series_count( series ) || !( scale > 0 ) )
	{
		abort();
	}
	for ( int32_t i = 0; i < ds_series_count( series ) && count < 8; ++i )
	{
		if ( ds_series_columns( series )[i].number )
		{
			columns[count++] = i;
		}
	}
	int64_t got = 1;
	while ( got > 0 && ds_series_read( series, columns, count, rows, 16, &got ) == DS_OK )
	{
		for ( int64_t i = 0; i < got * count; ++i )
		{
			if ( !isfinite( rows[i] ) )
			{
				abort();
			}
		}
	}
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	char path[] = "/tmp/fuzz_series_XXXXXX";
	int file = mkstemp( path );
	if ( file < 0 )
	{
		return 0;
	}
	bool written = write( file, data, size ) == (ssize_t)size;
	(void)close( file );
	ds_series *series;
	if ( written && ds_series_open( path, &series ) == DS_OK )
	{
		read_rows( series );
		ds_series_close( series );
	}
	(void)unlink( path );
	return 0;
}
