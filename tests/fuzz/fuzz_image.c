// libFuzzer target over the readers of PNG and JPEG. Built by hand:
//
//   cmake -S . -B build -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DDEEPSIM_BUILD_FUZZERS=ON
//     -DDEEPSIM_SANITIZE=address,undefined -DDEEPSIM_SHARED=OFF
//   build/tests/fuzz_image -timeout=10 -max_len=65536 CORPUS
//
// The check sums of a PNG are set right, else hardly a change would be read.

#include "io/image.h"
#include "tests/fuzz/png_sums.h"

#include <stdlib.h>
#include <string.h>

#define MOST ( INT64_C( 1 ) << 20 ) // pixels

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	uint8_t *bytes = malloc( size > 0 ? size : 1 );
	if ( bytes == NULL )
	{
		abort();
	}
	memcpy( bytes, data, size );
	put_check_sums( bytes, size );
	ds_image image;
	ds_status status = ds_image_decode( "fuzz", bytes, (int64_t)size, MOST, NULL, &image );
	free( bytes );
	if ( status != DS_OK )
	{
		if ( image.pixels || ds_last_error()[0] == '\0' )
		{
			abort();
		}
		return 0;
	}
	// what a picture promises; every byte of it was written
	size_t expected = (size_t)image.width * (size_t)image.height * (size_t)image.channels * (size_t)image.bits / 8;
	if ( image.width < 1 || image.height < 1 || image.width * image.height > MOST || image.size != expected ||
		 image.channels < 1 || image.channels > 4 || ( image.bits != 8 && image.bits != 16 ) )
	{
		abort();
	}
	unsigned sum = 0;
	for ( size_t i = 0; i < image.size; ++i )
	{
		sum += ( (const uint8_t *)image.pixels )[i];
	}
	ds_image_free( NULL, &image );
	return sum == ~0u ? -1 : 0;
}
