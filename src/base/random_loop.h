// The loop over blocks of normal numbers. A file that includes it has defined WIDTH, vec (doubles) and bits (unsigned 64-bit
// integers) of so many lanes, and the operations below that are not operators of C.
//
// A block of Philox has 128 bits: two pairs of numbers, 64 bits each, by the transform of Box and Muller ("A note on the
// generation of random normal deviates", Annals of Mathematical Statistics 29, 1958):
//     bits 63..24  u = ( j + 1/2 ) 2^-40, in (0, 1): radius sqrt( -2 ln u ), at most 7.54
//     bits 23, 0   signs of x and y: the quadrant
//     bits 22..1   angle a = ( 2 i + 1 - 2^22 ) 2^-23 pi/2, from the middle of the quadrant:
//         x = +- r cos( pi/4 + a ) = +- sqrt( -ln u ) ( cos a - sin a ),  y = +- sqrt( -ln u ) ( cos a + sin a )
// Sums, products, quotients and roots of IEEE 754 alone, each rounded once: the same bits on every machine. The polynomials
// are minimax fits by Remez' algorithm; relative errors: ln 3e-14, sin 5e-15, cos 7e-14.

#ifndef WIDTH
#error "random_loop.h is a part of random_scalar.c and its like"
#endif

// Ten rounds; words are the low halves of the lanes, what is in the high halves counts for nothing.
static inline void philox( const bits *keys, const bits counter[4], bits out[4] )
{
	const bits m0 = SPLAT_BITS( (int64_t)DS_PHILOX_M0 ), m1 = SPLAT_BITS( (int64_t)DS_PHILOX_M1 );
	bits c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
	for ( int i = 0; i < DS_PHILOX_ROUNDS; ++i )
	{
		bits p0 = PRODUCT( m0, c0 ), p1 = PRODUCT( m1, c2 );
		c0 = XOR( RIGHT( p1, 32 ), XOR( c1, keys[2 * i] ) );
		c1 = p1;
		c2 = XOR( RIGHT( p0, 32 ), XOR( c3, keys[2 * i + 1] ) );
		c3 = p0;
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
}

#define TWO_52 4503599627370496.0

// The difference of a whole number below 2^52 and a number that is exact when added to 2^52.
static inline vec whole_minus( bits x, double less )
{
	return NUMBER( OR( x, BITS( SPLAT( TWO_52 ) ) ) ) - SPLAT( TWO_52 + less );
}

// Two of each, side by side: a processor works on both at once.
#define BOTH for ( int i = 0; i < 2; ++i )

// -ln( ( j + 1/2 ) 2^-40 )
static inline void minus_log( const bits j[2], vec out[2] )
{
	// the number is 2^k m, m in [sqrt(1/2), sqrt(2)), and ln m = 2 artanh s, s = ( m - 1 ) / ( m + 1 )
	const int64_t root = INT64_C( 0x3FE6A09E667F3BCD ), one = INT64_C( 0x3FF0000000000000 );
	bits b[2];
	vec k[2], m[2], s[2], t[2], t2[2], p[2], q[2];
	BOTH b[i] = ADD( BITS( whole_minus( j[i], -0.5 ) ), SPLAT_BITS( one - root ) );
	BOTH m[i] = NUMBER( ADD( AND( b[i], SPLAT_BITS( INT64_C( 0x000FFFFFFFFFFFFF ) ) ), SPLAT_BITS( root ) ) );
	BOTH s[i] = ( m[i] - SPLAT( 1.0 ) ) / ( m[i] + SPLAT( 1.0 ) );
	BOTH k[i] = whole_minus( RIGHT( b[i], 52 ), 1023 + 40 ) * SPLAT( -0x1.62e42fefa39efp-1 );
	BOTH t[i] = s[i] * s[i];
	BOTH t2[i] = t[i] * t[i];
	BOTH p[i] = SPLAT( 0x1.9198132e3a7cap-3 ) * t[i] + SPLAT( 0x1.c6208cd9f2979p-3 );
	BOTH q[i] = SPLAT( 0x1.249439605e1c0p-2 ) * t[i] + SPLAT( 0x1.99999628a5addp-2 );
	BOTH p[i] = p[i] * t2[i] + q[i];
	BOTH q[i] = SPLAT( 0x1.5555555672df4p-1 ) * t[i] + SPLAT( 0x1.fffffffffff10p+0 );
	BOTH p[i] = p[i] * t2[i] + q[i];
	BOTH out[i] = k[i] - s[i] * p[i];
}

static inline void sine_cosine( const vec a[2], vec sine[2], vec cosine[2] )
{
	vec t[2], s[2], c[2];
	BOTH t[i] = a[i] * a[i];
	BOTH s[i] = SPLAT( -0x1.a94afee72f16fp-26 ) * t[i] + SPLAT( 0x1.71d7207af5d12p-19 );
	BOTH c[i] = SPLAT( -0x1.23b6c5c35ef29p-22 ) * t[i] + SPLAT( 0x1.a00e399575f20p-16 );
	BOTH s[i] = s[i] * t[i] + SPLAT( -0x1.a019f87d399b3p-13 );
	BOTH c[i] = c[i] * t[i] + SPLAT( -0x1.6c16b209cce0bp-10 );
	BOTH s[i] = s[i] * t[i] + SPLAT( 0x1.1111110bbdd1ap-7 );
	BOTH c[i] = c[i] * t[i] + SPLAT( 0x1.555555430ea7ep-5 );
	BOTH s[i] = s[i] * t[i] + SPLAT( -0x1.5555555550c78p-3 );
	BOTH c[i] = c[i] * t[i] + SPLAT( -0x1.ffffffffdff30p-2 );
	BOTH sine[i] = ( s[i] * t[i] + SPLAT( 0x1.fffffffffffd7p-1 ) ) * a[i];
	BOTH cosine[i] = c[i] * t[i] + SPLAT( 0x1.ffffffffffdb1p-1 );
}

// The numbers of a block's words, of which the low halves count.
static inline void transform( const bits c[4], vec x[2], vec y[2] )
{
	bits w[2], j[2];
	vec r[2], a[2], sine[2], cosine[2];
	BOTH w[i] = MERGE( LEFT( c[2 * i], 32 ), c[2 * i + 1] );
	BOTH j[i] = RIGHT( w[i], 24 );
	BOTH a[i] = whole_minus( OR( AND( w[i], SPLAT_BITS( 0x7FFFFE ) ), SPLAT_BITS( 1 ) ), 4194304 );
	BOTH a[i] = a[i] * SPLAT( 0x1.921fb54442d18p-23 );
	minus_log( j, r );
	sine_cosine( a, sine, cosine );
	BOTH r[i] = SQRT( r[i] );
	BOTH x[i] = r[i] * ( cosine[i] - sine[i] );
	BOTH y[i] = r[i] * ( cosine[i] + sine[i] );
	BOTH x[i] = NUMBER( XOR( BITS( x[i] ), AND( LEFT( w[i], 40 ), SPLAT_BITS( INT64_MIN ) ) ) );
	BOTH y[i] = NUMBER( XOR( BITS( y[i] ), LEFT( w[i], 63 ) ) );
}

static void normals( const ds_normals_source *source, uint32_t count, double *out )
{
	bits keys[2 * DS_PHILOX_ROUNDS], start[4], next[4];
	uint32_t k0 = source->key[0], k1 = source->key[1];
	for ( int i = 0; i < DS_PHILOX_ROUNDS; ++i )
	{
		keys[2 * i] = SPLAT_BITS( (int64_t)k0 );
		keys[2 * i + 1] = SPLAT_BITS( (int64_t)k1 );
		k0 += DS_PHILOX_W0;
		k1 += DS_PHILOX_W1;
	}
	for ( int i = 0; i < 4; ++i )
	{
		start[i] = SPLAT_BITS( (int64_t)source->counter[i] );
	}
	start[0] = ADD( start[0], LANES );
	philox( keys, start, next );
	for ( uint32_t block = 0; block < count; block += WIDTH )
	{
		// the next blocks' words are made beside these blocks' numbers: neither waits for the other
		const bits words[4] = { next[0], next[1], next[2], next[3] };
		if ( count - block > WIDTH )
		{
			start[0] = ADD( start[0], SPLAT_BITS( WIDTH ) );
			philox( keys, start, next );
		}
		vec x[2], y[2];
		transform( words, x, y );
		store_blocks( out + DS_NORMALS_BLOCK * block, x[0], y[0], x[1], y[1] );
	}
}
