// Configs that the recovery programs simulate: mixtures in which the terms part, and every preset of the IMU.

#ifndef DEEPSIM_TESTS_ALLAN_RECOVERY_CASES_H
#define DEEPSIM_TESTS_ALLAN_RECOVERY_CASES_H

#include "tests/long/allan_recovery.h"

// Ours: tactical and consumer mixtures of N, B and K; N and a Gauss-Markov process with and without the others; a low-pass.
#define RECOVER_OWN 4

static ds_imu_config recover_own( int i, const char **name )
{
	static const char *const names[RECOVER_OWN] = { "N B K", "N Markov", "N Markov K, N B", "N B K, low-pass" };
	ds_imu_config c = ds_imu_config_default();
	*name = names[i];
	switch ( i )
	{
		case 0:
			recover_triad( &c.gyro, 1e-4, 1e-4, 7e-6, 0, 0 );
			recover_triad( &c.accel, 2e-3, 5e-4, 4e-5, 0, 0 );
			break;
		case 1:
			recover_triad( &c.gyro, 1e-3, 0, 0, 4e-4, 60 );
			recover_triad( &c.accel, 1e-3, 0, 0, 2e-3, 10 );
			break;
		case 2:
			recover_triad( &c.gyro, 2e-4, 0, 5e-6, 3e-4, 5 );
			recover_triad( &c.accel, 1e-3, 5e-4, 0, 0, 0 );
			break;
		default:
			recover_triad( &c.gyro, 1e-4, 6e-5, 4e-6, 0, 0 );
			recover_triad( &c.accel, 1e-3, 6e-4, 4e-5, 0, 0 );
			c.gyro.bandwidth = c.accel.bandwidth = 15;
			break;
	}
	return c;
}

// Every `parts`-th config at a rate, from number `part` on. The environment's DEEPSIM_RECOVER picks those whose name holds it.
static void recover_all( double rate, int part, int parts )
{
	const ds_table *table = ds_imu_config_table();
	const char *only = getenv( "DEEPSIM_RECOVER" );
	recover_run total = { .fits = 0 };
	int wrong = 0;
	for ( int i = part; i < RECOVER_OWN + table->preset_count; i += parts )
	{
		const char *name;
		ds_imu_config config;
		if ( i < RECOVER_OWN )
		{
			config = recover_own( i, &name );
		}
		else
		{
			name = table->presets[i - RECOVER_OWN].name;
			assert_int_equal( ds_imu_config_preset( name, &config ), DS_OK );
			config.self_heating = 0; // a warming unit is not at rest
			config.vibration.count = 0;
		}
		if ( only && !strstr( name, only ) )
		{
			continue;
		}
		recover_run run = recover( &config, rate, 9, 20 );
		recover_print( name, rate, &run );
		wrong += !recover_holds( &run, 0 );
		recover_add( &total, &run );
	}
	if ( total.fits > 0 )
	{
		recover_print( "all of these", rate, &total );
		wrong += !recover_holds( &total, 0 );
	}
	assert_int_equal( wrong, 0 );
}

#endif
