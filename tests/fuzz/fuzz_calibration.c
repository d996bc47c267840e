// libFuzzer target over calibration files of cameras, and the lenses that they make. Built by hand, against a static library built
// with the same sanitizers:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC -Iinclude -Isrc -I.
//     tests/fuzz/fuzz_calibration.c libdeepsim.a -lassimp -lcjson -lpng -lyaml -lexpat -ljpeg -lBulletDynamics-float64
//     -lBulletCollision-float64 -lLinearMath-float64 -lstdc++ -lm -ldl -o fuzz_calibration
//   ./fuzz_calibration -timeout=10 -max_len=4096 CORPUS
//
// Whatever the bytes: an error says something; a lens that is read shows a pixel's direction in that pixel.

#include "optics/calibration.h"
#include "optics/lens_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

static void must( bool good )
{
	if ( !good )
	{
		abort();
	}
}

static void check_lens( const ds_lens *lens )
{
	for ( int i = 0; i < 9; ++i )
	{
		double u = 0.5 * ( i % 3 ) * (double)lens->width, v = 0.5 * ( i / 3 ) * (double)lens->height, pixel[2];
		ds_vec3 direction;
		if ( ds_lens_ray( lens, u, v, &direction ) != DS_OK )
		{
			must( ds_last_error()[0] != 0 );
			continue;
		}
		// on a fold a hair decides whether the direction has a pixel; of focal lengths far from those of lenses nothing is asked
		if ( ds_lens_project( lens, direction, pixel ) == DS_OK && fmax( lens->fx, lens->fy ) < 1e5 )
		{
			double far = 1 + hypot( ( u - lens->cx ) / lens->fx, ( v - lens->cy ) / lens->fy );
			must(
				hypot( pixel[0] - u, pixel[1] - v ) <= 1e-6 * far * far * fmax( 1, fmax( lens->fx, lens->fy ) / 1e3 ) );
		}
	}
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	ds_lens lens;
	memset( &lens, 0, sizeof( lens ) );
	if ( ds_calibration_parse( "input", (const char *)data, size, &lens ) != DS_OK )
	{
		must( ds_last_error()[0] != 0 );
		return 0;
	}
	lens.width = lens.width ? lens.width : 640;
	lens.height = lens.height ? lens.height : 480;
	must( ds_lens_finish( &lens, "input" ) == DS_OK );
	check_lens( &lens );
	return 0;
}
