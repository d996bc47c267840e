// Logarithm, exponential and power for vectors, from additions, multiplications and divisions alone: the same bits everywhere. A part
// of contact_loop.h, which says what the including source defines. Right to about 1e-15 of the value.

// a > b ? b : a and a > b ? a : b, NaN and zeros included.
static inline vec least( vec a, vec b )
{
	return LEAST( a, b );
}

static inline vec most( vec a, vec b )
{
	return MOST( a, b );
}

// Natural logarithm of a normal, positive number: 2 artanh( ( m - 1 ) / ( m + 1 ) ), m in [1/sqrt 2, sqrt 2], by its series.
static inline vec logarithm( vec x )
{
	vec m = MANTISSA( x ), e = EXPONENT( x );
	mask high = GREATER( m, SPLAT( 1.4142135623730951 ) );
	m = SELECT( high, SPLAT( 0.5 ) * m, m );
	e = SELECT( high, e + SPLAT( 1 ), e );
	vec s = ( m - SPLAT( 1 ) ) / ( m + SPLAT( 1 ) ), q = s * s;
	// in pairs, so that few steps wait for one another
	vec q2 = q * q, q4 = q2 * q2;
	vec a0 = SPLAT( 2.0 / 3 ) + SPLAT( 2.0 / 5 ) * q, a1 = SPLAT( 2.0 / 7 ) + SPLAT( 2.0 / 9 ) * q;
	vec a2 = SPLAT( 2.0 / 11 ) + SPLAT( 2.0 / 13 ) * q, a3 = SPLAT( 2.0 / 15 ) + SPLAT( 2.0 / 17 ) * q;
	vec a4 = SPLAT( 2.0 / 19 ) + SPLAT( 2.0 / 21 ) * q;
	vec b0 = a0 + a1 * q2, b1 = a2 + a3 * q2;
	vec r = b0 + q4 * ( b1 + a4 * q4 );
	r = r * q * s + SPLAT( 2 ) * s;
	return e * SPLAT( 0.69314718055994530942 ) + r;
}

// e^x, x in [-700, 700]: 2^k e^r, |r| at most half of ln 2, by its series. ln 2 is taken in two parts (its upper 32 bits, and the rest).
static inline vec exponential( vec x )
{
	x = most( least( x, SPLAT( 700 ) ), SPLAT( -700 ) );
	const vec round = SPLAT( 6755399441055744.0 ); // 3 2^51
	vec k = ( x * SPLAT( 1.4426950408889634 ) + round ) - round;
	vec r = ( x - k * SPLAT( 0.693147180369123816490 ) ) - k * SPLAT( 1.90821492927058770002e-10 );
	vec r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
	vec a0 = SPLAT( 1 ) + r, a1 = SPLAT( 0.5 ) + SPLAT( 1.0 / 6 ) * r;
	vec a2 = SPLAT( 1.0 / 24 ) + SPLAT( 1.0 / 120 ) * r, a3 = SPLAT( 1.0 / 720 ) + SPLAT( 1.0 / 5040 ) * r;
	vec a4 = SPLAT( 1.0 / 40320 ) + SPLAT( 1.0 / 362880 ) * r,
		a5 = SPLAT( 1.0 / 3628800 ) + SPLAT( 1.0 / 39916800 ) * r;
	vec a6 = SPLAT( 1.0 / 479001600 ) + SPLAT( 1.0 / 6227020800 ) * r;
	vec b0 = a0 + a1 * r2, b1 = a2 + a3 * r2, b2 = a4 + a5 * r2;
	vec s = ( b0 + b1 * r4 ) + r8 * ( b2 + a6 * r4 );
	return s * POWER_OF_TWO( k );
}

// x^n, n > 0; 0 where x is not above 1e-300.
static inline vec power( vec x, vec n )
{
	mask positive = GREATER( x, SPLAT( 1e-300 ) );
	vec y = exponential( n * logarithm( SELECT( positive, x, SPLAT( 1 ) ) ) );
	return SELECT( positive, y, SPLAT( 0 ) );
}
