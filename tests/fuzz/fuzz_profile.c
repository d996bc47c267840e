// libFuzzer target over profiles of the water in CSV, and over the columns made from them. The first byte chooses what the
// profile needs and which kind of column it becomes; the rest is the file. Built by hand:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -ffp-contract=off -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC
//     -Iinclude -I. -Isrc tests/fuzz/fuzz_profile.c src/base/*.c src/io/mesh*.c src/io/profile_csv.c hydro/*.c -lassimp -lcjson
//     -lm -o fuzz_profile
//   ./fuzz_profile -timeout=10 -max_len=4096 CORPUS

#include "hydro/column.h"
#include "io/profile_csv.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

// What was read makes a column, and that has sensible water at every depth.
static void check_column( const ds_profile *p, bool density )
{
	ds_column_def def = ds_column_def_default();
	def.kind = density ? DS_COLUMN_TABLE : DS_COLUMN_EOS80;
	if ( density )
	{
		def.table_depth = p->depth;
		def.table_density = p->density;
		def.table_count = p->count;
	}
	else
	{
		def.profile = ( ds_column_profile ){ p->depth, p->temperature, p->salinity, p->count };
	}
	def.depth = 1000;
	def.step = 100;
	ds_water_column *column;
	ds_status status = ds_column_create( NULL, &def, &column );
	if ( status != DS_OK )
	{
		// levels were checked when they were read; only a column deeper than equations of state reach is left
		if ( status != DS_ERROR_RANGE || p->depth[p->count - 1] < 15000 )
		{
			abort();
		}
		return;
	}
	double before = -1;
	for ( double z = 0; z < 21000; z += 333 )
	{
		ds_water water = { 0 };
		ds_column_query( column, z, &water );
		if ( !( water.density > 0 ) || !( water.gauge_pressure > before ) || !isfinite( water.sound_speed ) )
		{
			abort();
		}
		before = water.gauge_pressure;
	}
	ds_column_destroy( column );
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	if ( size < 1 )
	{
		return 0;
	}
	bool density = data[0] & 1;
	unsigned needs = density ? DS_PROFILE_DENSITY : DS_PROFILE_TEMPERATURE | DS_PROFILE_SALINITY;
	ds_profile profile;
	if ( ds_profile_parse( NULL, "fuzz.csv", data + 1, (int64_t)size - 1, 0.5, needs, &profile ) == DS_OK )
	{
		check_column( &profile, density );
	}
	ds_profile_free( &profile );
	return 0;
}
