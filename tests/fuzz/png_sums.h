// Check sums of a PNG set right, for fuzzers: else hardly a change would be read.

#ifndef DEEPSIM_TEST_PNG_SUMS_H
#define DEEPSIM_TEST_PNG_SUMS_H

#include <stddef.h>
#include <stdint.h>

// Cyclic redundancy check of PNG (ISO/IEC 15948, annex D).
static inline uint32_t check_sum( const uint8_t *bytes, size_t size )
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

static inline void put_check_sums( uint8_t *bytes, size_t size )
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

#endif
