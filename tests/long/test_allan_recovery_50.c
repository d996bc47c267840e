// What the Allan fit recovers from 9 hours of simulated IMU data at 50 Hz.

#include "tests/long/allan_recovery_cases.h"

static void test_recovery( void **state )
{
	(void)state;
	recover_all( 50, 0, 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_recovery ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}
