// The model that an Allan curve comes from: N, B, K, Q and a Gauss-Markov process, with confidence intervals.

#include "sensors/allan_fit.h"

#include "base/base.h"
#include "sensors/allan.h"

#include <math.h>
#include <string.h>

ds_allan_fit_options ds_allan_fit_options_default( void )
{
	return ( ds_allan_fit_options ){ .N = true, .B = true, .K = true, .confidence = 0.95 };
}

// ---- input -------------------------------------------------------------------------------------------------------

static ds_status check(
	const ds_allan_point *points, int64_t count, double rate, int64_t length, const ds_allan_fit_options *options )
{
	if ( !ds_allan_is_rate( rate ) )
	{
		return ds_error( DS_ERROR_RANGE, "rate: expected 1e-12 to 1e15 samples a second, got %g", rate );
	}
	if ( length < 0 || count < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: expected a number of samples that is not negative, got %lld",
			length < 0 ? "length" : "count", (long long)( length < 0 ? length : count ) );
	}
	if ( !( options->confidence > 0 && options->confidence < 1 ) )
	{
		return ds_error( DS_ERROR_RANGE, "confidence: expected a number between 0 and 1, such as 0.95, got %g",
			options->confidence );
	}
	if ( !( options->bandwidth >= 0 ) || !( options->tau_minimum >= 0 ) || !( options->tau_maximum >= 0 ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "bandwidth, tau_minimum, tau_maximum: expected numbers that are not negative" );
	}
	if ( options->bandwidth > 0 && options->bandwidth < DS_ALLAN_LEAST_BANDWIDTH * rate )
	{
		return ds_error( DS_ERROR_RANGE,
			"bandwidth: expected 0 (none) or at least a two-hundredth of the rate, %g Hz, got %g",
			DS_ALLAN_LEAST_BANDWIDTH * rate, options->bandwidth );
	}
	if ( !options->Q && !options->N && !options->B && !options->K && !options->markov )
	{
		return ds_error( DS_ERROR_RANGE, "options: no term is to be fitted; set one of Q, N, B, K, markov" );
	}
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( !isfinite( points[i].tau ) || !( fabs( points[i].deviation ) <= DS_ALLAN_MOST ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE,
				"points[%lld]: tau %g, deviation %g: expected finite numbers, deviations up to 1e100", (long long)i,
				points[i].tau, points[i].deviation );
		}
		if ( !( points[i].tau > 0 ) || points[i].deviation < 0 || ( i > 0 && !( points[i].tau > points[i - 1].tau ) ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"points[%lld]: tau %g, deviation %g: expected rising averaging times and no negative deviation",
				(long long)i, points[i].tau, points[i].deviation );
		}
	}
	return DS_OK;
}

// The points that are fitted, from the longest down: of a record, two an octave (more say little: they overlap), up to a tenth of its length; of a
// published curve all, or as many as there is room for.
static ds_status choose( const ds_allan_point *points, int64_t count, double rate, int64_t length,
	const ds_allan_fit_options *options, ds_allan_problem *problem )
{
	problem->dt = 1 / rate;
	problem->bandwidth = options->bandwidth;
	problem->known_length = length > 0;
	double most = options->tau_maximum > 0 ? options->tau_maximum * ( 1 + 1e-9 ) : INFINITY;
	if ( length > 0 )
	{
		most = options->tau_maximum > 0 ? fmin( most, (double)length / rate / 3 ) : (double)length / rate / 10;
	}
	double ratio = length > 0 ? sqrt( 2.0 ) : 1;
	for ( bool room = false; !room; ratio *= 1.03 )
	{
		double next = INFINITY;
		int64_t last = INT64_MAX;
		problem->points = 0;
		room = true;
		for ( int64_t i = count - 1; i >= 0 && room; --i )
		{
			int64_t m = points[i].m > 0 ? points[i].m : (int64_t)fmin( 1e15, round( points[i].tau * rate ) );
			if ( points[i].tau < options->tau_minimum * ( 1 - 1e-9 ) || points[i].tau > most || m >= last || m < 1 ||
				 points[i].tau > next * ( 1 + 1e-6 ) || !( points[i].deviation > 0 ) )
			{
				continue;
			}
			int32_t j = problem->points;
			room = j < DS_FIT_POINTS;
			if ( room )
			{
				problem->m[j] = last = m;
				problem->variance[j] = points[i].deviation * points[i].deviation;
				problem->estimate[j] = ds_allan_estimate_make( DS_ALLAN_OADEV, problem->dt, m, length );
				next = points[i].tau / ratio;
				++problem->points;
			}
		}
	}
	for ( int32_t i = 0, j = problem->points - 1; i < j; ++i, --j )
	{
		int64_t m = problem->m[i];
		double variance = problem->variance[i];
		ds_allan_estimate estimate = problem->estimate[i];
		problem->m[i] = problem->m[j];
		problem->variance[i] = problem->variance[j];
		problem->estimate[i] = problem->estimate[j];
		problem->m[j] = m;
		problem->variance[j] = variance;
		problem->estimate[j] = estimate;
	}
	int32_t parameters = options->Q + options->N + options->B + options->K + 2 * options->markov;
	if ( problem->points <= parameters )
	{
		return ds_error( DS_ERROR_RANGE,
			"points: %d of them can be used (deviation above 0, averaging time up to a tenth of the record); "
			"a fit of %d numbers needs %d",
			(int)problem->points, (int)parameters, (int)parameters + 1 );
	}
	return DS_OK;
}

// ---- output ------------------------------------------------------------------------------------------------------

// How far F may grow: the square of Student's t of a two-sided confidence (not the normal quantile: correlations and degrees of
// freedom are known from the fit alone). By the Cornish-Fisher expansion, Abramowitz and Stegun 26.7.5.
static double growth_of( double confidence, int32_t freedom )
{
	double z = sqrt( ds_chi_squared_quantile( confidence, 1 ) ), z2 = z * z, n = (double)freedom;
	double t = z * ( 1 + ( z2 + 1 ) / ( 4 * n ) + ( 5 * z2 * z2 + 16 * z2 + 3 ) / ( 96 * n * n ) );
	return t * t;
}

// Standard errors of the parameters, from the information of those that are not at a bound.
static void errors( const ds_allan_problem *problem, const ds_allan_solution *s, double error[DS_FIT_SIZE] )
{
	// Gauss-Jordan on the scaled matrix
	double a[DS_FIT_SIZE][2 * DS_FIT_SIZE];
	bool free[DS_FIT_SIZE];
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		double own = s->information[t * DS_FIT_SIZE + t];
		free[t] = problem->asked[t] && own > 0 && ( t == DS_FIT_TAU || s->p[t] > 0 );
	}
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		for ( int32_t u = 0; u < DS_FIT_SIZE; ++u )
		{
			double scale = sqrt( s->information[t * DS_FIT_SIZE + t] * s->information[u * DS_FIT_SIZE + u] );
			a[t][u] = free[t] && free[u] ? s->information[t * DS_FIT_SIZE + u] / scale : t == u;
			a[t][DS_FIT_SIZE + u] = t == u;
		}
	}
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		double pivot = fmax( a[t][t], 1e-14 );
		for ( int32_t u = 0; u < 2 * DS_FIT_SIZE; ++u )
		{
			a[t][u] /= pivot;
		}
		for ( int32_t i = 0; i < DS_FIT_SIZE; ++i )
		{
			double c = a[i][t];
			for ( int32_t u = 0; i != t && u < 2 * DS_FIT_SIZE; ++u )
			{
				a[i][u] -= c * a[t][u];
			}
		}
	}
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		error[t] = free[t] ? sqrt( fabs( a[t][DS_FIT_SIZE + t] ) / s->information[t * DS_FIT_SIZE + t] ) : 0;
	}
}

static void fill_terms(
	ds_allan_problem *problem, const ds_allan_solution *s, double growth, ds_allan_term out[DS_FIT_SIZE] )
{
	double error[DS_FIT_SIZE];
	errors( problem, s, error );
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		out[t] = ( ds_allan_term ){ .present = false };
		if ( !problem->asked[t] )
		{
			continue;
		}
		double low = ds_allan_profile( problem, s, t, -1, growth ), high = ds_allan_profile( problem, s, t, 1, growth );
		if ( t == DS_FIT_TAU )
		{
			out[t].value = exp( s->p[t] );
			out[t].error = error[t] * out[t].value;
			out[t].low = exp( low );
			out[t].high = exp( high );
			out[t].present = s->p[DS_ALLAN_MARKOV] > 0;
			continue;
		}
		out[t].value = sqrt( s->p[t] * problem->scale[t] );
		out[t].error = s->p[t] > 0 ? 0.5 * error[t] / s->p[t] * out[t].value : 0;
		out[t].low = sqrt( low * problem->scale[t] );
		out[t].high = sqrt( high * problem->scale[t] );
		out[t].present = s->p[t] > 0;
		out[t].error = fmin( out[t].error, out[t].high );
	}
}

static ds_allan_model model_of( const ds_allan_problem *problem, const ds_allan_solution *s, double bandwidth )
{
	double c[DS_ALLAN_TERMS];
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		c[t] = problem->asked[t] ? sqrt( s->p[t] * problem->scale[t] ) : 0;
	}
	return ( ds_allan_model ){ .Q = c[DS_ALLAN_Q],
		.N = c[DS_ALLAN_N],
		.B = c[DS_ALLAN_B],
		.K = c[DS_ALLAN_K],
		.markov_sigma = c[DS_ALLAN_MARKOV],
		.markov_tau = c[DS_ALLAN_MARKOV] > 0 ? exp( s->p[DS_FIT_TAU] ) : 0,
		.bandwidth = bandwidth };
}

// Which terms are the largest of all at some averaging time of the points used: 16 an octave.
static void find_largest( const ds_allan_problem *problem, const ds_allan_solution *s, bool largest[DS_ALLAN_TERMS] )
{
	ds_allan_basis basis = ds_allan_basis_make( problem->dt, problem->bandwidth, exp( s->p[DS_FIT_TAU] ), ~0u );
	int64_t last = 0;
	for ( double x = (double)problem->m[0]; x <= (double)problem->m[problem->points - 1]; x *= 1.044 )
	{
		int64_t m = (int64_t)round( x );
		if ( m == last )
		{
			continue;
		}
		last = m;
		ds_allan_estimate e = ds_allan_estimate_make( DS_ALLAN_OADEV, problem->dt, m, 0 );
		double unit[DS_ALLAN_TERMS], most = 0;
		int32_t which = -1;
		ds_allan_expect( &basis, &e, unit );
		for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
		{
			double v = problem->asked[t] ? s->p[t] * problem->scale[t] * unit[t] : 0;
			which = v > most ? t : which;
			most = fmax( most, v );
		}
		if ( which >= 0 )
		{
			largest[which] = true;
		}
	}
}

// The lowest of all points in the range of those used.
static void find_minimum(
	const ds_allan_problem *problem, const ds_allan_point *points, int64_t count, ds_allan_fit *fit )
{
	double first = (double)problem->m[0] * problem->dt, last = (double)problem->m[problem->points - 1] * problem->dt;
	fit->minimum = INFINITY;
	for ( int64_t i = 0; i < count; ++i )
	{
		bool used = points[i].tau >= 0.999 * first && points[i].tau <= 1.001 * last && points[i].deviation > 0;
		if ( used && points[i].deviation < fit->minimum )
		{
			fit->minimum = points[i].deviation;
			fit->minimum_tau = points[i].tau;
		}
	}
}

// Slope of the model's deviation at the last averaging time.
static double last_slope( const ds_allan_model *model, const ds_allan_problem *problem, double rate )
{
	int64_t m = problem->m[problem->points - 1], before = m - m / 16 - 1;
	if ( before < 1 )
	{
		return 0;
	}
	return log( ds_allan_theory( model, DS_ALLAN_OADEV, rate, m ) /
				ds_allan_theory( model, DS_ALLAN_OADEV, rate, before ) ) /
		   log( (double)m / (double)before );
}

// Whether a Gauss-Markov process is missed: at some correlation time one fits better by chance in nearly every record, and would
// take its share of B and K. F must grow by the 99 % quantile of chi squared with two degrees of freedom without it.
static bool misses_markov( ds_allan_problem *problem, const ds_allan_solution *s )
{
	bool fixed[DS_FIT_SIZE] = { [DS_ALLAN_MARKOV] = true };
	ds_allan_solution without = *s;
	without.p[DS_ALLAN_MARKOV] = 0;
	ds_allan_minimise( problem, fixed, &without );
	ds_allan_problem_markov( problem, exp( s->p[DS_FIT_TAU] ) );
	return without.f - s->f > 2 * log( 100 );
}

// Widens the intervals of a fit without a Gauss-Markov process to hold those of the fit `with` it, which bounds it.
static void allow_for_markov( ds_allan_term term[DS_FIT_SIZE], const ds_allan_term with[DS_FIT_SIZE] )
{
	for ( int32_t t = 0; t < DS_ALLAN_MARKOV; ++t )
	{
		term[t].low = fmin( term[t].low, with[t].low );
		term[t].high = fmax( term[t].high, with[t].high );
	}
	term[DS_ALLAN_MARKOV] = with[DS_ALLAN_MARKOV];
	term[DS_FIT_TAU] = with[DS_FIT_TAU];
	term[DS_ALLAN_MARKOV].low = term[DS_FIT_TAU].low = 0;
}

static void report( ds_allan_problem *problem, const ds_allan_fit_options *options, ds_allan_fit *fit )
{
	ds_allan_solution s;
	ds_allan_solve( problem, &s );
	int32_t parameters = 0;
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		parameters += problem->asked[t];
	}
	fit->misfit = s.square / ( problem->points - parameters );
	ds_allan_term term[DS_FIT_SIZE], with[DS_FIT_SIZE] = { { .present = false } };
	bool missed = true;
	double growth = growth_of( options->confidence, problem->points - parameters );
	// without a length, the scatter about the curve says how much a misfit means
	fill_terms( problem, &s, problem->known_length ? growth : growth * fmax( fit->misfit, 1e-12 ), term );
	if ( problem->known_length && options->markov && !misses_markov( problem, &s ) )
	{
		// the simplest model that is not contradicted; its intervals will allow for the process
		memcpy( with, term, sizeof with );
		problem->asked[DS_ALLAN_MARKOV] = problem->asked[DS_FIT_TAU] = false;
		ds_allan_solve( problem, &s );
		fill_terms( problem, &s, growth, term );
		fit->misfit = s.square / ( problem->points - parameters + 2 );
		missed = false;
	}
	for ( int32_t t = 0; !problem->known_length && t < DS_FIT_SIZE; ++t )
	{
		term[t].error *= sqrt( fit->misfit );
	}
	bool largest[DS_ALLAN_TERMS] = { false }, dropped = false;
	find_largest( problem, &s, largest );
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		term[t].identifiable = term[t].present && largest[t] && term[t].low > 0;
		if ( !term[t].identifiable )
		{
			term[t].low = 0;
			// of a published curve, nothing says how much of it is chance: all its terms are kept
			dropped |= problem->known_length && problem->asked[t] && term[t].present;
			problem->asked[t] = problem->asked[t] && !problem->known_length;
		}
	}
	term[DS_FIT_TAU].identifiable = term[DS_ALLAN_MARKOV].identifiable;
	term[DS_FIT_TAU].low *= term[DS_FIT_TAU].identifiable;
	problem->asked[DS_FIT_TAU] = problem->asked[DS_ALLAN_MARKOV];
	if ( !missed )
	{
		allow_for_markov( term, with );
	}
	if ( dropped )
	{
		ds_allan_solve( problem, &s );
	}
	fit->model = model_of( problem, &s, options->bandwidth );
	fit->Q = term[DS_ALLAN_Q];
	fit->N = term[DS_ALLAN_N];
	fit->B = term[DS_ALLAN_B];
	fit->K = term[DS_ALLAN_K];
	fit->markov_sigma = term[DS_ALLAN_MARKOV];
	fit->markov_tau = term[DS_FIT_TAU];
}

ds_status ds_allan_fit_curve( const ds_allan_point *points, int64_t count, double rate, int64_t length,
	const ds_allan_fit_options *options, ds_allan_fit *fit )
{
	if ( fit == NULL || ( points == NULL && count > 0 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_allan_fit_curve needs points and room for the fit" );
	}
	*fit = ( ds_allan_fit ){ .falling = false };
	ds_allan_fit_options defaults = ds_allan_fit_options_default();
	options = options ? options : &defaults;
	DS_TRY( check( points, count, rate, length, options ) );
	ds_allan_problem *problem;
	DS_TRY( DS_NEW( NULL, 1, &problem ) );
	ds_status status = choose( points, count, rate, length, options, problem );
	if ( status == DS_OK )
	{
		problem->asked[DS_ALLAN_Q] = options->Q;
		problem->asked[DS_ALLAN_N] = options->N;
		problem->asked[DS_ALLAN_B] = options->B;
		problem->asked[DS_ALLAN_K] = options->K;
		problem->asked[DS_ALLAN_MARKOV] = problem->asked[DS_FIT_TAU] = options->markov;
		int64_t last = problem->m[problem->points - 1];
		problem->products_tau = -1;
		problem->tau_low = 2 * problem->dt;
		problem->tau_high = 2 * (double)last * problem->dt;
		find_minimum( problem, points, count, fit );
		report( problem, options, fit );
		fit->falling = !fit->B.identifiable && last_slope( &fit->model, problem, rate ) < -0.25;
		if ( !isfinite( fit->misfit ) )
		{
			*fit = ( ds_allan_fit ){ .falling = false };
			status = ds_error( DS_ERROR_RANGE, "no noise of these terms%s comes near the curve; ask for other terms%s",
				options->bandwidth > 0 ? " behind this low-pass" : "",
				options->bandwidth > 0 ? ", or another bandwidth" : "" );
		}
	}
	DS_FREE( NULL, problem, 1 );
	return status;
}
