// Benchmarks: a registry, and what they share. `deepsim bench` runs them.

#ifndef DEEPSIM_BENCH_H
#define DEEPSIM_BENCH_H

#include <stddef.h>

typedef struct ds_bench
{
	const char *name; // once given, it stays
	const char *unit; // of the value: "us/tick"; less is better, but of a rate ("Mray/s")
	const char *doc; // one line
	int threads; // that it uses
	// Measures: the median of repeats. NaN when it cannot; `detail` then says why, otherwise what was measured.
	double ( *run )( char *detail, size_t size );
} ds_bench;

// All benchmarks, in the order they are listed.
extern const ds_bench ds_benches[];
extern const int ds_bench_count;

// Seconds of a steady clock.
double bench_clock( void );

// The median; sorts the values.
double bench_median( double *values, int count );

// Sets `detail` to the library's last error and returns NaN.
double bench_fail( char *detail, size_t size );

// bench_world.c
double bench_step_free_body( char *detail, size_t size ); // [us/tick]
double bench_step_lander( char *detail, size_t size ); // [us/tick]
double bench_worlds_parallel_2t( char *detail, size_t size ); // [us/tick]

// bench_contact.c
double bench_contact_face( char *detail, size_t size ); // [ns/face]
double bench_contact_none( char *detail, size_t size ); // [ns/face]

// bench_imu.c
double bench_imu_model( char *detail, size_t size ); // [Msample/s]
double bench_imu_world( char *detail, size_t size ); // [ns/sample]

#endif
