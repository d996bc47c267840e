// libFuzzer target over the readers of PNG and JPEG. Built by hand:
//
//   cmake -S . -B build -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DDEEPSIM_BUILD_FUZZERS=ON
//     -DDEEPSIM_SANITIZE=address,undefined -DDEEPSIM_SHARED=OFF
//   build/tests/fuzz_image -timeout=10 -max_len=65536 CORPUS
//
// The check sums of a PNG are set right, else hardly a change would be read.

#include "io/image.h"

#include <stdlib.h>
#include <string.h>

#define MOST ( INT64_C( 1 ) << 20 ) // pixels

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

// Cyclic redundancy check of PNG (ISO/IEC 15948, annex D).
static uint32_t check_sum( const uint8_t *bytes, size_t size )
{
	uint32_t sum = 0xffffffff;
	for ( size_t i = 0; i < size; ++i )
	{
		sum ^= bytes[i];
		for ( int bit = 0; bit < 8; ++bit )
		{
			sum = sum & 1 ? 0xedb88320 ^ sum >> 1 : sum >> 1;
		}
	}
	return ~sum;
}

static void put_check_sums( uint8_t *bytes, size_t size )
{
	for ( size_t at = 8; size >= 20 && bytes[0] == 0x89 && at + 12 <= size; )
	{
		uint8_t *chunk = bytes + at;
		size_t length = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3];
		if ( length > size - at - 12 )
		{
			return;
		}
		uint32_t sum = check_sum( chunk + 4, length + 4 );
		for ( int i = 0; i < 4; ++i )
		{
			chunk[8 + length + (size_t)i] = (uint8_t)( sum >> ( 24 - 8 * i ) );
		}
		at += length + 12;
	}
}

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
