// The Allan deviation that a noise model gives, and how far an estimate may fall from it.

#include "sensors/allan_moments.h"

#include "base/base.h"
#include "sensors/allan.h"

#include <math.h>

// Squared coefficients, and the terms that are there.
static uint32_t squares( const ds_allan_model *model, double theta[DS_ALLAN_TERMS] )
{
	const double coefficient[DS_ALLAN_TERMS] = { model->Q, model->N, model->B, model->K,
		model->markov_tau > 0 ? model->markov_sigma : 0 };
	uint32_t terms = 0;
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		theta[t] = coefficient[t] * coefficient[t];
		terms |= theta[t] > 0 ? 1u << t : 0;
	}
	return terms;
}

static double expectation( const ds_allan_basis *basis, const ds_allan_estimate *e, const double theta[] )
{
	double unit[DS_ALLAN_TERMS], sum = 0;
	ds_allan_expect( basis, e, unit );
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		sum += theta[t] * unit[t];
	}
	return sum;
}

// 0, or high enough that its low-pass ends within some samples.
static bool is_bandwidth( double bandwidth, double rate )
{
	return bandwidth == 0 || bandwidth >= DS_ALLAN_LEAST_BANDWIDTH * rate;
}

double ds_allan_theory( const ds_allan_model *model, ds_allan_kind kind, double rate, int64_t m )
{
	double theta[DS_ALLAN_TERMS];
	if ( model == NULL || (unsigned)kind >= DS_ALLAN_KIND_COUNT || !ds_allan_is_rate( rate ) || m < 1 ||
		 !is_bandwidth( model->bandwidth, rate ) )
	{
		return NAN;
	}
	uint32_t terms = squares( model, theta );
	ds_allan_basis basis = ds_allan_basis_make( 1 / rate, model->bandwidth, model->markov_tau, terms );
	ds_allan_estimate e = ds_allan_estimate_make( kind, 1 / rate, m, 0 );
	return sqrt( expectation( &basis, &e, theta ) );
}

ds_status ds_allan_theory_interval( const ds_allan_model *model, ds_allan_kind kind, double rate, int64_t m,
	int64_t count, double confidence, double *low, double *high )
{
	if ( model == NULL || low == NULL || high == NULL || (unsigned)kind >= DS_ALLAN_KIND_COUNT )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_allan_theory_interval needs a model, room for both ends, and a kind below %d", DS_ALLAN_KIND_COUNT );
	}
	*low = *high = 0;
	if ( !ds_allan_is_rate( rate ) )
	{
		return ds_error( DS_ERROR_RANGE, "rate: expected 1e-12 to 1e15 samples a second, got %g", rate );
	}
	if ( !is_bandwidth( model->bandwidth, rate ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"bandwidth: expected 0 (none) or at least a two-hundredth of the rate, %g Hz, got %g",
			DS_ALLAN_LEAST_BANDWIDTH * rate, model->bandwidth );
	}
	if ( !( confidence > 0 && confidence < 1 ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "confidence: expected a number between 0 and 1, such as 0.95, got %g", confidence );
	}
	// an m beyond the record is one that leaves nothing, without an overflow
	int64_t clusters_of = m < 1 ? 1 : m > count ? count : m;
	ds_allan_estimate e = ds_allan_estimate_make( kind, 1 / rate, clusters_of > 0 ? clusters_of : 1, count );
	if ( m < 1 || m > count || e.count < 1 )
	{
		int32_t clusters = e.order + ( e.averaged ? 1 : 0 );
		return ds_error( DS_ERROR_RANGE,
			"m: clusters of %lld samples leave no difference in %lld samples: expected 1 to %lld", (long long)m,
			(long long)count, (long long)( count / clusters ) );
	}
	double theta[DS_ALLAN_TERMS];
	uint32_t terms = squares( model, theta );
	ds_allan_basis basis = ds_allan_basis_make( 1 / rate, model->bandwidth, model->markov_tau, terms );
	double mean = expectation( &basis, &e, theta );
	if ( !( mean > 0 ) )
	{
		return isfinite( mean ) ? DS_OK
								: ds_error( DS_ERROR_NOT_FINITE, "model: a coefficient is not a finite number" );
	}
	double freedom = 2 * mean * mean / ds_allan_variance( &basis, &e, theta );
	*low = sqrt( mean * ds_chi_squared_quantile( 0.5 * ( 1 - confidence ), freedom ) / freedom );
	*high = sqrt( mean * ds_chi_squared_quantile( 0.5 * ( 1 + confidence ), freedom ) / freedom );
	return DS_OK;
}
