// Simulated static data of an IMU config, and whether the Allan fit finds the config again: 9 hours, 20 seeds, six channels.
//
// Everything is counted over the seeds x channels of a triad's terms: intervals that hold the truth, the mean against the truth,
// points of the measured curve whose band holds the theoretical one.

#ifndef DEEPSIM_TESTS_ALLAN_RECOVERY_H
#define DEEPSIM_TESTS_ALLAN_RECOVERY_H

#include "deepsim/allan.h"
#include "deepsim/imu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
	RECOVER_N,
	RECOVER_B,
	RECOVER_K,
	RECOVER_SIGMA,
	RECOVER_TAU,
	RECOVER_TERMS,
	RECOVER_CHANNELS = 6,
	RECOVER_TAUS = 256
};

static const char *const recover_names[RECOVER_TERMS] = { "N", "B", "K", "sigma", "tau" };

// Of one term, over seeds and the channels of both triads.
typedef struct recover_tally
{
	int count, covered, identifiable;
	double sum, squares; // of value / truth
	double worst; // of | value / truth - 1 |
	int hidden, hidden_named; // channels whose term lies well below the others; those reported as not identifiable
} recover_tally;

typedef struct recover_run
{
	recover_tally term[RECOVER_TERMS];
	int points, in_band, in_interval; // theory in the band of the measured point; point in the interval of the theory
	int fits;
} recover_run;

// The theory of a channel. Quantised rates carry white noise of their own: step^2 / 12 a sample.
static inline ds_allan_model recover_model( const ds_inertial_config *c, int axis, double rate )
{
	return ( ds_allan_model ){ .N = sqrt( c->N[axis] * c->N[axis] + c->resolution * c->resolution / ( 12 * rate ) ),
		.B = c->B[axis],
		.K = c->K[axis],
		.markov_sigma = c->markov_sigma[axis],
		.markov_tau = c->markov_sigma[axis] > 0 ? c->markov_tau[axis] : 0,
		.bandwidth = c->bandwidth };
}

// How far each term rises above the largest of the others, at best, up to a tenth of the record: ratio of variances.
static inline void recover_prominence(
	const ds_allan_model *model, double rate, double hours, double best[RECOVER_TERMS] )
{
	for ( int t = 0; t < RECOVER_TERMS; ++t )
	{
		best[t] = 0;
	}
	ds_allan_model one[4] = { *model, *model, *model, *model };
	for ( int t = 0; t < 4; ++t )
	{
		one[t].N *= t == RECOVER_N;
		one[t].B *= t == RECOVER_B;
		one[t].K *= t == RECOVER_K;
		one[t].markov_sigma *= t == RECOVER_SIGMA;
	}
	int64_t last = 0, end = (int64_t)( hours * 360 * rate );
	for ( double x = 1; x <= (double)end; x *= 1.2 )
	{
		int64_t m = (int64_t)x;
		if ( m == last )
		{
			continue;
		}
		last = m;
		double v[4];
		for ( int t = 0; t < 4; ++t )
		{
			v[t] = pow( ds_allan_theory( &one[t], DS_ALLAN_OADEV, rate, m ), 2 );
		}
		for ( int t = 0; t < 4; ++t )
		{
			double other = 0;
			for ( int u = 0; u < 4; ++u )
			{
				other = u == t ? other : fmax( other, v[u] );
			}
			best[t] = fmax( best[t], v[t] > 0 ? v[t] / fmax( other, 1e-300 ) : 0 );
		}
	}
	best[RECOVER_TAU] = best[RECOVER_SIGMA];
}

// Static data of all six channels, into a stream of Allan deviations.
static inline void recover_simulate(
	const ds_imu_config *config, double rate, int64_t count, uint64_t seed, ds_allan_stream *stream )
{
	ds_imu_model *model;
	if ( ds_imu_create( NULL, config, &model ) != DS_OK )
	{
		print_error( "%s\n", ds_last_error() );
		fail();
	}
	void *state = aligned_alloc( 64, ( ds_imu_state_size() + 63 ) / 64 * 64 );
	assert_non_null( state );
	ds_random random = ds_random_stream( seed, "recovery", DS_RANDOM_RESET, 0 );
	ds_imu_reset( model, state, &random, config->reference_temperature );
	ds_imu_truth truth = { .interval = 1 / rate, .temperature = config->reference_temperature };
	const ds_vec3 zero = { 0, 0, 0 };
	static double block[1024][RECOVER_CHANNELS];
	int64_t filled = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		random = ds_random_stream( seed, "recovery", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_imu reading;
		truth.time = (double)( i + 1 ) / rate;
		ds_imu_measure( model, state, &truth, zero, zero, &random, &reading );
		memcpy( block[filled], reading.angular_velocity, sizeof reading.angular_velocity );
		memcpy( block[filled] + 3, reading.linear_acceleration, sizeof reading.linear_acceleration );
		if ( ++filled == 1024 || i + 1 == count )
		{
			assert_int_equal( ds_allan_stream_push( stream, block[0], filled ), DS_OK );
			filled = 0;
		}
	}
	free( state );
	ds_imu_destroy( model );
}

static inline ds_allan_stream *recover_stream( double rate )
{
	ds_allan_stream_def def = ds_allan_stream_def_default();
	def.channels = RECOVER_CHANNELS;
	def.rate = rate;
	def.kinds = 1u << DS_ALLAN_OADEV;
	def.memory = 2048; // above 512 samples, differences start 256 times in a cluster or oftener
	ds_allan_stream *stream;
	assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_OK );
	return stream;
}

static inline void recover_count( recover_tally *tally, const ds_allan_term *term, double truth, double prominence )
{
	if ( truth <= 0 || prominence < 0.5 )
	{
		++tally->hidden;
		tally->hidden_named += !term->identifiable;
	}
	if ( truth <= 0 || prominence < 2 )
	{
		return;
	}
	++tally->count;
	tally->covered += truth >= term->low && truth <= term->high;
	tally->identifiable += term->identifiable;
	tally->sum += term->value / truth;
	tally->squares += pow( term->value / truth, 2 );
	tally->worst = fmax( tally->worst, fabs( term->value / truth - 1 ) );
}

// The theory of a channel at every averaging time, made once for all seeds.
typedef struct recover_theory
{
	ds_allan_model model;
	double prominence[RECOVER_TERMS];
	int64_t taus;
	double deviation[RECOVER_TAUS], low[RECOVER_TAUS], high[RECOVER_TAUS];
} recover_theory;

static inline void recover_predict(
	const ds_allan_model *model, const ds_allan_point *points, int64_t count, double rate, recover_theory *t )
{
	t->model = *model;
	recover_prominence( model, rate, (double)count / rate / 3600, t->prominence );
	for ( int64_t i = 0; i < t->taus; ++i )
	{
		t->deviation[i] = ds_allan_theory( model, DS_ALLAN_OADEV, rate, points[i].m );
		assert_int_equal(
			ds_allan_theory_interval( model, DS_ALLAN_OADEV, rate, points[i].m, count, 0.95, &t->low[i], &t->high[i] ),
			DS_OK );
	}
}

static inline void recover_channel(
	const ds_allan_point *points, int64_t count, double rate, const recover_theory *theory, recover_run *run )
{
	const ds_allan_model *model = &theory->model;
	for ( int64_t i = 0; i < theory->taus; ++i )
	{
		++run->points;
		run->in_band += theory->deviation[i] >= points[i].low && theory->deviation[i] <= points[i].high;
		run->in_interval += points[i].deviation >= theory->low[i] && points[i].deviation <= theory->high[i];
	}
	ds_allan_fit_options options = ds_allan_fit_options_default();
	options.markov = model->markov_sigma > 0;
	options.bandwidth = model->bandwidth;
	ds_allan_fit fit;
	assert_int_equal( ds_allan_fit_curve( points, theory->taus, rate, count, &options, &fit ), DS_OK );
	const ds_allan_term *term[] = { &fit.N, &fit.B, &fit.K, &fit.markov_sigma, &fit.markov_tau };
	const double truth[] = { model->N, model->B, model->K, model->markov_sigma, model->markov_tau };
	for ( int t = 0; t < RECOVER_TERMS; ++t )
	{
		recover_count( &run->term[t], term[t], truth[t], theory->prominence[t] );
	}
	++run->fits;
}

static inline recover_run recover( const ds_imu_config *config, double rate, double hours, int seeds )
{
	recover_run run = { .fits = 0 };
	int64_t count = (int64_t)( hours * 3600 * rate );
	static recover_theory theory[RECOVER_CHANNELS];
	static ds_allan_point points[RECOVER_TAUS];
	for ( int seed = 1; seed <= seeds; ++seed )
	{
		ds_allan_stream *stream = recover_stream( rate );
		recover_simulate( config, rate, count, (uint64_t)seed, stream );
		for ( int c = 0; c < RECOVER_CHANNELS; ++c )
		{
			ds_allan_model model = recover_model( c < 3 ? &config->gyro : &config->accel, c % 3, rate );
			if ( !( model.N > 0 || model.B > 0 || model.K > 0 || model.markov_sigma > 0 ) )
			{
				continue;
			}
			int64_t taus;
			assert_int_equal(
				ds_allan_stream_curve( stream, c, DS_ALLAN_OADEV, 0.95, points, RECOVER_TAUS, &taus ), DS_OK );
			if ( seed == 1 && c % 3 > 0 && memcmp( &model, &theory[c - 1].model, sizeof model ) == 0 )
			{
				theory[c] = theory[c - 1];
			}
			else if ( seed == 1 )
			{
				theory[c].taus = taus;
				recover_predict( &model, points, count, rate, &theory[c] );
			}
			recover_channel( points, count, rate, &theory[c], &run );
		}
		ds_allan_stream_destroy( stream );
	}
	return run;
}

static inline void recover_print( const char *name, double rate, const recover_run *run )
{
	print_message( "%-24s %4g Hz  theory in band %.1f %%, points in interval %.1f %% of %d\n", name, rate,
		100.0 * run->in_band / run->points, 100.0 * run->in_interval / run->points, run->points );
	for ( int t = 0; t < RECOVER_TERMS; ++t )
	{
		const recover_tally *a = &run->term[t];
		if ( a->count > 0 )
		{
			double mean = a->sum / a->count, sd = sqrt( fmax( 0, a->squares / a->count - mean * mean ) );
			print_message(
				"    %-6s covered %5.1f %% of %d, mean %.4f +- %.4f, sd %.4f, worst %.4f, identifiable %.1f %%\n",
				recover_names[t], 100.0 * a->covered / a->count, a->count, mean, sd / sqrt( a->count ), sd, a->worst,
				100.0 * a->identifiable / a->count );
		}
		if ( a->hidden > 0 )
		{
			print_message( "    %-6s hidden or absent: not identifiable in %d of %d\n", recover_names[t],
				a->hidden_named, a->hidden );
		}
	}
}

// What the numbers must be, to the nearest count. `chance` widens the shares, where there are few fits.
static inline bool recover_holds( const recover_run *run, double chance )
{
	bool good = true;
	for ( int t = 0; t < RECOVER_TERMS; ++t )
	{
		const recover_tally *a = &run->term[t];
		if ( a->count > 0 )
		{
			double n = a->count, mean = a->sum / n, sd = sqrt( fmax( 0, a->squares / n - mean * mean ) );
			double within = t == RECOVER_N ? 0.02 : t == RECOVER_TAU ? 0.1 : 0.05;
			bool here = fabs( mean - 1 ) <= within + ( t == RECOVER_N ? 0 : 3 * sd / sqrt( n ) );
			bool covered = a->covered + 1 >= ( 0.9 - chance ) * n && a->covered - 1 <= ( 0.99 + chance ) * n;
			if ( !here || !( t == RECOVER_N ? a->worst <= 0.02 : covered ) )
			{
				print_error( "    %s: not recovered\n", recover_names[t] );
				good = false;
			}
		}
		if ( a->hidden_named < 0.95 * a->hidden )
		{
			print_error( "    %s: identified though it lies below the others\n", recover_names[t] );
			good = false;
		}
	}
	double band = (double)run->in_band / run->points, interval = (double)run->in_interval / run->points;
	if ( fmin( band, interval ) < 0.9 - chance || fmax( band, interval ) > 0.99 + chance )
	{
		print_error( "    bands: theory in band %.3f, points in interval %.3f\n", band, interval );
		good = false;
	}
	return good;
}

// Adds what was counted for another config.
static inline void recover_add( recover_run *total, const recover_run *run )
{
	for ( int t = 0; t < RECOVER_TERMS; ++t )
	{
		const recover_tally *a = &run->term[t];
		recover_tally *to = &total->term[t];
		to->count += a->count;
		to->covered += a->covered;
		to->identifiable += a->identifiable;
		to->sum += a->sum;
		to->squares += a->squares;
		to->worst = fmax( to->worst, a->worst );
		to->hidden += a->hidden;
		to->hidden_named += a->hidden_named;
	}
	total->points += run->points;
	total->in_band += run->in_band;
	total->in_interval += run->in_interval;
	total->fits += run->fits;
}

// The same values for three axes.
static inline void recover_triad( ds_inertial_config *c, double n, double b, double k, double sigma, double tau )
{
	for ( int i = 0; i < 3; ++i )
	{
		c->N[i] = n;
		c->B[i] = b;
		c->K[i] = k;
		c->markov_sigma[i] = sigma;
		c->markov_tau[i] = sigma > 0 ? tau : c->markov_tau[i];
	}
}

#endif
