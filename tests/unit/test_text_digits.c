// Nine digits of a number, against printf.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int different;

static void expect( double number )
{
	char got[32], want[64];
	int n = ds_print_number_9( got, number );
	assert_in_range( n, 1, 16 );
	got[n] = 0;
	snprintf( want, sizeof( want ), "%.9g", number );
	if ( strcmp( got, want ) == 0 )
	{
		return;
	}
	// a number half way between two of nine digits may go either way
	++different;
	double back = strtod( got, NULL );
	if ( !( fabs( back - number ) <= 5.0001e-9 * fabs( number ) ) )
	{
		print_error( "%.17g: got %s, want %s\n", number, got, want );
		fail();
	}
}

static void test_chosen( void **state )
{
	(void)state;
	different = 0;
	static const double numbers[] = { 0, -0.0, 1, -1, 10, 0.1, 100000000, 999999999, 999999999.4, 999999999.6, 1e9,
		1e10, 1e-4, 9.99999999e-5, 9.999999996e-5, 1e-5, 123456789, 12345678.9, 0.000123456789, 1.5, 0.5, 9.80665,
		-9.80665, 1e22, 1e23, 1e100, -1e300, 1.7976931348623157e308, 2.2250738585072014e-308, 1e-100, INFINITY,
		-INFINITY, NAN };
	for ( size_t i = 0; i < sizeof( numbers ) / sizeof( numbers[0] ); ++i )
	{
		expect( numbers[i] );
	}
	// every power of ten, and its neighbours
	for ( int e = -300; e <= 308; ++e )
	{
		char text[16];
		snprintf( text, sizeof( text ), "1e%d", e );
		double power = strtod( text, NULL );
		expect( power );
		expect( nextafter( power, 0 ) );
		expect( -nextafter( power, INFINITY ) );
	}
	assert_int_equal( different, 0 );
}

static void test_many( void **state )
{
	(void)state;
	different = 0;
	uint64_t random = 88172645463325252u;
	for ( int i = 0; i < 1000000; ++i )
	{
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		double number;
		if ( i % 2 )
		{
			// any finite number
			memcpy( &number, &random, sizeof( number ) );
			number = isfinite( number ) && fabs( number ) > 1e-290 ? number : 1;
		}
		else
		{
			// those that sensors say
			number = ( (double)( random >> 11 ) * 0x1p-53 - 0.5 ) * pow( 10, i % 14 - 10 );
		}
		expect( number );
	}
	assert_in_range( different, 0, 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_chosen ),
		cmocka_unit_test( test_many ),
	};
	return cmocka_run_group_tests_name( "text_digits", tests, NULL, NULL );
}
