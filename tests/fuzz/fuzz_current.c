// libFuzzer target over profiles of currents in CSV, and the Ekman flow fitted to them. Built by hand, against a static library
// built with the same sanitizers:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC -Iinclude -Isrc -I.
//     tests/fuzz/fuzz_current.c libdeepsim.a -lassimp -lcjson -lBulletDynamics-float64 -lBulletCollision-float64
//     -lLinearMath-float64 -lstdc++ -lm -ldl -o fuzz_current
//   ./fuzz_current -timeout=10 -max_len=2048 CORPUS
//
// Whatever the bytes: an error says something; a fit is finite, and no worse than no flow at all.

#include "deepsim/math.h"
#include "io/current_file.h"
#include "io/current_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

static void must( bool good )
{
	if ( !good )
	{
		abort();
	}
}

static void check_fit( const ds_current_level *levels, int64_t count )
{
	ds_current_fit_setting setting = { 0.5, 0, 1026, NULL };
	ds_current_fit fit;
	if ( count > 50 || ds_current_fit_levels( levels, count, &setting, &fit ) != DS_OK )
	{
		return;
	}
	const ds_current_def *d = &fit.current;
	must( d->surface_layer > 0 && d->bed_layer > 0 && fit.all.levels == count );
	double most = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		most = fmax( most, hypot( levels[i].velocity[0], levels[i].velocity[1] ) );
	}
	if ( most < 1e100 && levels[count - 1].depth < 1e6 )
	{
		must( isfinite( d->velocity[0] ) && isfinite( d->velocity[1] ) && isfinite( fit.stress[0] ) );
		must( fit.all.rmse <= most * ( 1 + 1e-6 ) ); // no flow at all would do as well
	}
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	static char path[] = "/tmp/fuzz_current_XXXXXX";
	static int file = -1;
	if ( file < 0 )
	{
		file = mkstemp( path );
		must( file >= 0 );
	}
	must( ftruncate( file, 0 ) == 0 && pwrite( file, data, size, 0 ) == (ssize_t)size );
	ds_current_level *levels;
	int64_t capacity, count;
	if ( ds_current_levels_load( NULL, path, &levels, &capacity, &count ) == DS_OK )
	{
		check_fit( levels, count );
		DS_FREE( NULL, levels, capacity );
	}
	else
	{
		must( levels == NULL && ds_last_error()[0] != 0 );
	}
	return 0;
}
