// Parts of numbers for vectors, from integer operations on their bits: BITS, NUMBER, SPLAT_BITS, BITS_AND, BITS_OR, RIGHT, LEFT.

// Exponent and mantissa in [1, 2) of a normal, positive number.
static inline vec EXPONENT( vec x )
{
	// the exponent's bits under those of 2^52
	vec shifted = NUMBER( BITS_OR( RIGHT( BITS( x ), 52 ), SPLAT_BITS( INT64_C( 0x4330000000000000 ) ) ) );
	return shifted - SPLAT( 4503599627371519.0 ); // 2^52 + 1023
}

static inline vec MANTISSA( vec x )
{
	return NUMBER( BITS_OR( BITS_AND( BITS( x ), SPLAT_BITS( INT64_C( 0x000fffffffffffff ) ) ),
		SPLAT_BITS( INT64_C( 0x3ff0000000000000 ) ) ) );
}

// 2^k of a whole number k in [-1022, 1023].
static inline vec POWER_OF_TWO( vec k )
{
	return NUMBER( LEFT( BITS( k + SPLAT( 4503599627371519.0 ) ), 52 ) );
}
