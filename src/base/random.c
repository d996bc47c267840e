#include "base/random.h"

#include "base/base.h"
#include "base/random_kernel.h"
#include "deepsim/math.h"

#include <math.h>
#include <string.h>

void ds_philox( const uint32_t counter[4], const uint32_t key[2], uint32_t out[4] )
{
	uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
	uint32_t k0 = key[0], k1 = key[1];
	for ( int i = 0; i < DS_PHILOX_ROUNDS; ++i )
	{
		uint64_t p0 = DS_PHILOX_M0 * c0, p1 = DS_PHILOX_M1 * c2;
		c0 = (uint32_t)( p1 >> 32 ) ^ c1 ^ k0;
		c1 = (uint32_t)p1;
		c2 = (uint32_t)( p0 >> 32 ) ^ c3 ^ k1;
		c3 = (uint32_t)p0;
		k0 += DS_PHILOX_W0;
		k1 += DS_PHILOX_W1;
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
}

// Spreads every input bit over all output bits: the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014; constants: Stafford's mix 13).
static uint64_t mix( uint64_t x )
{
	x = ( x ^ ( x >> 30 ) ) * UINT64_C( 0xBF58476D1CE4E5B9 );
	x = ( x ^ ( x >> 27 ) ) * UINT64_C( 0x94D049BB133111EB );
	return x ^ ( x >> 31 );
}

void ds_random_key( uint64_t seed, const char *name, uint32_t key[2] )
{
	// the seed is mixed before the name joins, so that no change of the one undoes a change of the other
	uint64_t mixed = mix( mix( seed + UINT64_C( 0x9E3779B97F4A7C15 ) ) ^ ds_hash_string( name ) );
	key[0] = (uint32_t)mixed;
	key[1] = (uint32_t)( mixed >> 32 );
}

void ds_random_start( ds_random *random, const uint32_t key[2], uint32_t domain, uint64_t index )
{
	*random = ( ds_random ){
		.key = { key[0], key[1] }, .counter = { 0, domain, (uint32_t)index, (uint32_t)( index >> 32 ) }, .used = 4
	};
}

double ds_random_uniform( ds_random *random )
{
	if ( random->used == 4 )
	{
		ds_philox( random->counter, random->key, random->block );
		random->counter[0] += 1;
		random->used = 0;
	}
	uint64_t high = random->block[random->used], low = random->block[random->used + 1];
	random->used += 2;
	return (double)( ( high << 32 | low ) >> 11 ) * 0x1p-53;
}

double ds_random_normal( ds_random *random )
{
	// 1 - u lies in (0, 1]: its logarithm is finite
	double u = 1 - ds_random_uniform( random );
	double v = ds_random_uniform( random );
	return sqrt( -2 * log( u ) ) * cos( 2 * DS_PI * v );
}

ds_random ds_random_stream( uint64_t seed, const char *name, uint32_t domain, uint64_t index )
{
	uint32_t key[2];
	ds_random random;
	ds_random_key( seed, name, key );
	ds_random_start( &random, key, domain, index );
	return random;
}

// ---- slots -------------------------------------------------------------------------------------------------------

// First draw numbers of the two kinds of slots; what is drawn in turn stays below.
#define NORMALS  UINT32_C( 0x80000000 )
#define UNIFORMS UINT32_C( 0xC0000000 )

int ds_random_kernels( const ds_random_kernel *kernels[4] )
{
	int count = 0;
#if defined( __x86_64__ )
	__builtin_cpu_init();
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		kernels[count++] = &ds_random_kernel_avx512;
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_random_kernel_avx2;
	}
	kernels[count++] = &ds_random_kernel_sse2;
#endif
	kernels[count++] = &ds_random_kernel_scalar;
	return count;
}

void ds_random_uniforms( const ds_random *stream, uint32_t first, uint32_t count, double *out )
{
	uint32_t counter[4] = { 0, stream->counter[1], stream->counter[2], stream->counter[3] }, block[4];
	for ( uint32_t i = 0; i < count; ++i )
	{
		// two numbers of a block
		uint32_t slot = first + i, half = slot % 2;
		if ( i == 0 || half == 0 )
		{
			counter[0] = UNIFORMS + slot / 2;
			ds_philox( counter, stream->key, block );
		}
		uint64_t high = block[2 * half], low = block[2 * half + 1];
		out[i] = (double)( ( high << 32 | low ) >> 11 ) * 0x1p-53;
	}
}

void ds_random_normals_by(
	const ds_random_kernel *kernel, const ds_random *stream, uint32_t first, uint32_t count, double *out )
{
	enum
	{
		B = DS_NORMALS_BLOCK,
		WIDEST = 8
	};
	const uint32_t together = B * kernel->width;
	ds_normals_source source = { { stream->key[0], stream->key[1] },
		{ 0, stream->counter[1], stream->counter[2], stream->counter[3] } };
	double group[B * WIDEST];
	uint32_t skip = first % B; // numbers of the first block that were not asked for
	for ( uint32_t done = 0; done < count; )
	{
		source.counter[0] = NORMALS + ( first + done ) / B;
		uint32_t left = count - done, whole = skip == 0 ? left / together * together : 0;
		if ( whole > 0 )
		{
			kernel->normals( &source, whole / B, out + done );
			done += whole;
			continue;
		}
		kernel->normals( &source, kernel->width, group );
		uint32_t some = together - skip < left ? together - skip : left;
		memcpy( out + done, group + skip, some * sizeof( double ) );
		done += some;
		skip = 0;
	}
}

void ds_random_normals( const ds_random *stream, uint32_t first, uint32_t count, double *out )
{
	const ds_random_kernel *kernel = &ds_random_kernel_scalar;
#if defined( __x86_64__ )
	kernel = __builtin_cpu_supports( "avx512f" ) ? &ds_random_kernel_avx512
			 : __builtin_cpu_supports( "avx2" )  ? &ds_random_kernel_avx2
												 : &ds_random_kernel_sse2;
#endif
	ds_random_normals_by( kernel, stream, first, count, out );
}
