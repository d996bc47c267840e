// libFuzzer target over the readers of ESRI ASCII grids and PNG. The first bytes choose the options; the rest is the file. Built by
// hand:
//
//   cmake -S . -B build -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DDEEPSIM_BUILD_FUZZERS=ON
//     -DDEEPSIM_SANITIZE=address,undefined -DDEEPSIM_SHARED=OFF
//   build/tests/fuzz_raster -timeout=10 -max_len=65536 CORPUS
//
// The file is put into memory, and found there by its path. The check sums of a PNG are set right, else hardly a change would be read.

#define _GNU_SOURCE // memfd_create

#include "deepsim/terrain.h"
#include "tests/fuzz/png_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

// What a loaded terrain promises.
static void check( const ds_terrain *terrain, const ds_raster_report *r )
{
	ds_terrain_properties p = ds_terrain_measure( terrain );
	if ( !p.bounded || p.rows != r->rows || p.columns != r->columns || r->holes >= r->rows * r->columns )
	{
		abort();
	}
	if ( !( r->top <= r->bottom ) || !( p.south < p.north ) || !( p.west < p.east ) || !isfinite( p.north - p.south ) ||
		 !( fabs( r->top ) <= 100e3 && fabs( r->bottom ) <= 100e3 ) )
	{
		abort();
	}
	for ( int i = 0; i < 25; ++i )
	{
		ds_terrain_point point;
		double north = p.south + ( p.north - p.south ) * 0.25 * ( i / 5 );
		double east = p.west + ( p.east - p.west ) * 0.25 * ( i % 5 );
		// depths are kept to 32 bits
		if ( ds_terrain_at( terrain, north, east, &point ) &&
			 !( point.z > r->top - 0.1 && point.z < r->bottom + 0.1 && point.normal.z < 0 ) )
		{
			abort();
		}
	}
}

static ds_raster_options choose( const uint8_t *data )
{
	ds_raster_options o = ds_raster_options_default();
	o.max_cells = 100000;
	o.crs = data[0] % 3;
	o.cell = data[0] & 4 ? 2.5 : 0;
	o.placed = data[0] & 8;
	o.depths = data[0] & 16;
	o.nodata = data[0] & 32 ? data[1] : (double)NAN;
	o.scale = data[0] & 64 ? 0.01 : (double)NAN;
	if ( data[0] & 128 )
	{
		o.window[0] = data[1] - 128;
		o.window[1] = data[2] - 128;
		o.window[2] = o.window[0] + data[3] % 16 + 1;
		o.window[3] = o.window[1] + data[3] / 16 + 1;
	}
	if ( data[2] & 1 )
	{
		o.latitude = data[2] * 0.006;
		o.longitude = data[3] * 0.02;
	}
	return o;
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	// GDAL's own readers are GDAL's affair
	setenv( "DEEPSIM_MODULE_PATH", "/nowhere", 1 );
	if ( size < 4 )
	{
		return 0;
	}
	char path[64];
	uint8_t *bytes = malloc( size );
	if ( bytes == NULL )
	{
		abort();
	}
	memcpy( bytes, data + 4, size - 4 );
	put_check_sums( bytes, size - 4 );
	int file = memfd_create( "raster", 0 );
	ssize_t written = file >= 0 ? write( file, bytes, size - 4 ) : -1;
	free( bytes );
	if ( written != (ssize_t)( size - 4 ) )
	{
		abort();
	}
	snprintf( path, sizeof( path ), "/proc/self/fd/%d", file );
	ds_raster_options options = choose( data );
	ds_terrain *terrain = NULL;
	ds_raster_report report;
	ds_status status = ds_terrain_load( path, &options, NULL, &terrain, &report );
	if ( ( status == DS_OK ) != ( terrain != NULL ) || ( status != DS_OK && ds_last_error()[0] == '\0' ) )
	{
		abort();
	}
	if ( terrain )
	{
		check( terrain, &report );
	}
	ds_terrain_release( terrain );
	close( file );
	return 0;
}
