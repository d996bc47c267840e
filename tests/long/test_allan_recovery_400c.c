// What the Allan fit recovers from 9 hours of simulated IMU data at 400 Hz: every third config, from the third on.

#include "tests/long/allan_recovery_cases.h"

static void test_recovery( void **state )
{
	(void)state;
	recover_all( 400, 2, 3 );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_recovery ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}
