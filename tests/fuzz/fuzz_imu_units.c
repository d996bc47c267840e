// libFuzzer target over text of datasheets. The text is a quantity up to the first NUL, and a unit to convert it to after that.
// Built by hand:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -ffp-contract=off -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC
//     -Iinclude -I. -Isrc tests/fuzz/fuzz_imu_units.c sensors/imu_unit*.c sensors/imu_plain.c src/base/base.c src/base/text.c
//     -lm -o fuzz_imu_units
//   ./fuzz_imu_units -timeout=10 -max_len=300 CORPUS

#include "deepsim/imu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	char text[1024] = { 0 };
	memcpy( text, data, size < 1000 ? size : 1000 );
	const char *unit = text + strlen( text ) + 1;
	ds_imu_quantity q;
	if ( ds_imu_parse( text, &q ) != DS_OK )
	{
		if ( q.unit || q.term || ds_last_error()[0] == 0 )
		{
			abort();
		}
		return 0;
	}
	double there, back;
	if ( !isfinite( q.value ) || q.unit == NULL || q.term == NULL || !( q.gyro || q.accel ) )
	{
		abort();
	}
	// what comes out can be read again, and is the same
	if ( ds_imu_convert( q.value, q.unit, q.unit, &there ) != DS_OK || there != q.value )
	{
		abort();
	}
	if ( ds_imu_convert( q.value, q.unit, unit, &there ) == DS_OK &&
		 ds_imu_convert( there, unit, q.unit, &back ) == DS_OK && !isfinite( back ) )
	{
		abort();
	}
	return 0;
}
