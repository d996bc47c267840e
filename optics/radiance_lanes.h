// Vectors of WIDTH floats and the functions of them. Included by radiance_*.c, which define WIDTH, SQRT, MINIMUM and MAXIMUM (the second
// where either is NaN), and GATHER_PAIRS( table, index, vec *, vec * ): entries at index and after it.
//
// exp and log: relative (log: or absolute) error below 5e-7, the same bits in every width.

#include <stdint.h>
#include <string.h>

typedef float vec __attribute__( ( vector_size( 4 * WIDTH ) ) );
typedef int32_t mask __attribute__( ( vector_size( 4 * WIDTH ) ) );

typedef struct vec3
{
	vec x, y, z;
} vec3;

static inline vec load( const float *p )
{
	vec v;
	memcpy( &v, p, sizeof( v ) );
	return v;
}

static inline void store( float *p, vec v )
{
	memcpy( p, &v, sizeof( v ) );
}

static inline vec splat( float x )
{
	return x - ( vec ){ 0 }; // x + 0 would change -0
}

static inline vec3 splat3( const float *p )
{
	vec3 r = { splat( p[0] ), splat( p[1] ), splat( p[2] ) };
	return r;
}

static inline vec choose( mask m, vec yes, vec no )
{
	return (vec)( ( m & (mask)yes ) | ( ~m & (mask)no ) );
}

static inline vec zero_unless( mask m, vec v )
{
	return (vec)( m & (mask)v );
}

static inline bool any( mask m )
{
	int32_t lanes[WIDTH], all = 0;
	memcpy( lanes, &m, sizeof( m ) );
	for ( int i = 0; i < WIDTH; ++i )
	{
		all |= lanes[i];
	}
	return all != 0;
}

static inline vec clamp( vec x, float low, float high )
{
	return MINIMUM( MAXIMUM( x, splat( low ) ), splat( high ) );
}

static inline vec dot( vec3 a, vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 sub( vec3 a, vec3 b )
{
	vec3 r = { a.x - b.x, a.y - b.y, a.z - b.z };
	return r;
}

// a + k b
static inline vec3 along( vec3 a, vec k, vec3 b )
{
	vec3 r = { a.x + k * b.x, a.y + k * b.y, a.z + k * b.z };
	return r;
}

static inline vec3 times( vec k, vec3 a )
{
	vec3 r = { k * a.x, k * a.y, k * a.z };
	return r;
}

// e^x = 2^k e^f, |f| <= ln(2) / 2, by the polynomial of least relative error (7.5e-8), for |x| <= 87.
static inline vec exponential_within( vec x )
{
	const float shift = 12582912; // 1.5 * 2^23: rounds to an integer, which is in the low bits then
	vec t = x * 1.44269504f + shift;
	vec k = t - shift;
	vec f = ( x - k * 0.693359375f ) - k * -2.12194440e-4f; // ln 2 in two parts, the first of few bits
	vec p = f * 0.0082976479f + 0.0419154322f;
	p = p * f + 0.166675751f;
	p = p * f + 0.499988944f;
	p = p * f + 0.999999692f;
	p = p * f + 1.00000007f;
	return (vec)( (mask)p + ( (mask)t << 23 ) );
}

// Of any x; held at e^-87 and e^87.
static inline vec exponential( vec x )
{
	return exponential_within( clamp( x, -87, 87 ) );
}

// 2^x for x not above 0, down to 2^-125: error 8e-8 and what rounding of x gives, 4e-8 |x|.
static inline vec fade2( vec x )
{
	const float shift = 12582912;
	vec t = MAXIMUM( x, splat( -125 ) ) + shift;
	vec f = MAXIMUM( x, splat( -125 ) ) - ( t - shift );
	vec p = f * 0.00132764491f + 0.00967556435f;
	p = p * f + 0.0555071352f;
	p = p * f + 0.240221193f;
	p = p * f + 0.693146967f;
	p = p * f + 1.00000007f;
	return (vec)( (mask)p + ( (mask)t << 23 ) );
}

// ln x = e ln 2 + 2 atanh( ( m - 1 ) / ( m + 1 ) ), m in [sqrt(1/2), sqrt(2)); for normal numbers above 0.
static inline vec logarithm( vec x )
{
	mask e = ( (mask)x - 0x3F3504F3 ) >> 23;
	vec m = (vec)( (mask)x - ( e << 23 ) );
	vec f = ( m - 1 ) / ( m + 1 ), g = f * f;
	vec p = g * ( 1.f / 7 ) + 0.2f;
	p = p * g + 1.f / 3;
	p = p * g + 1;
	return __builtin_convertvector( e, vec ) * 0.693147181f + 2 * f * p;
}

static inline vec absolute( vec x )
{
	return (vec)( (mask)x & INT32_MAX );
}

static inline vec area_sinh( vec x )
{
	vec a = absolute( x );
	vec v = logarithm( a + SQRT( a * a + 1 ) );
	return (vec)( (mask)v | ( (mask)x & INT32_MIN ) );
}

// Between the entries of a table of `last` + 1; beyond its ends the outermost (to 1e-3 of the last step).
static inline vec look_up( const float *table, int last, vec at )
{
	at = clamp( at, 0, (float)last - 1e-3f );
	mask i = __builtin_convertvector( at, mask );
	vec low, high, share = at - __builtin_convertvector( i, vec );
	GATHER_PAIRS( table, i, &low, &high );
	return low + share * ( high - low );
}
