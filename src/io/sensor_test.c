// Holds records of sensors against what they should be.

#include "deepsim/sensor_test.h"
#include "base/base.h"
#include "sensors/allan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OCTAVE_POINTS 128
#define UNEVEN             0.01 // how far a single point may lie from a whole number of samples, of its tau

static void say( ds_sensor_report *report, const char *format, ... ) DS_PRINTF( 2, 3 );

static void say( ds_sensor_report *report, const char *format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	(void)vsnprintf( report->message, sizeof( report->message ), format, arguments );
	va_end( arguments );
}

// The status of a test that was carried out: its message is the last error's too.
static ds_status conclude( const ds_sensor_report *result, ds_sensor_report *report )
{
	if ( report )
	{
		*report = *result;
	}
	return result->passed ? DS_OK : ds_error( DS_ERROR_RANGE, "%s", result->message );
}

// A test that cannot be carried out: RANGE is for sensors alone.
static ds_status refuse( ds_status status )
{
	return status == DS_ERROR_RANGE
			   ? ds_error_prefix( ds_error( DS_ERROR_ARGUMENT, "%s", ds_last_error() ), "sensor test: " )
			   : status;
}

static ds_status begin(
	const double *data, int64_t count, double rate, double tolerance, double confidence, ds_sensor_report *result )
{
	*result = ( ds_sensor_report ){ .passed = true };
	if ( data == NULL || count < 3 || !( rate > 0 ) || isinf( rate ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"sensor test: %lld samples at %g Hz; expected three at least, and a positive rate", (long long)count,
			rate );
	}
	if ( !( tolerance >= 0 ) || isinf( tolerance ) || !( confidence >= 0 && confidence < 1 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"sensor test: tolerance %g and confidence %g; expected one that is not negative, and one in [0, 1)",
			tolerance, confidence );
	}
	double high = 0, low = 0, squares = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( !isfinite( data[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "sensor test: sample %lld is %g; expected a finite number",
				(long long)i, data[i] );
		}
		ds_allan_add( &high, &low, data[i] - data[0] );
	}
	double mean = ( high + low ) / (double)count;
	for ( int64_t i = 0; i < count; ++i )
	{
		double d = data[i] - data[0] - mean;
		squares += d * d;
	}
	result->mean = data[0] + mean;
	result->deviation = sqrt( squares / (double)( count - 1 ) );
	return DS_OK;
}

// ---- Allan deviations --------------------------------------------------------------------------------------------

// What is compared at an averaging time.
typedef struct check
{
	int64_t m;
	double expected, tolerance;
} check;

// The fixture's curve at tau, along straight lines in the logarithms.
static double read_off( const ds_sensor_fixture_point *points, int64_t count, int64_t index, double tau )
{
	int64_t other = tau > points[index].tau ? index + 1 : index - 1;
	other = other < 0 ? 1 : other >= count ? count - 2 : other;
	if ( other < 0 || other >= count )
	{
		return points[index].deviation;
	}
	const ds_sensor_fixture_point *a = &points[index], *b = &points[other];
	double slope = log( b->deviation / a->deviation ) / log( b->tau / a->tau );
	return a->deviation * pow( tau / a->tau, slope );
}

static ds_status checks_of_points( const ds_sensor_fixture *f, double rate, check *checks, int64_t *count )
{
	const ds_sensor_fixture_point *points = f->points.data;
	*count = 0;
	for ( int64_t i = 0; i < f->points.count; ++i )
	{
		const ds_sensor_fixture_point *p = &points[i];
		bool good = p->tau > 0 && p->deviation > 0 && p->tolerance >= 0 && isfinite( p->tau * p->deviation );
		if ( !good || ( i > 0 && !( p->tau > points[i - 1].tau ) ) )
		{
			return ds_error( DS_ERROR_ARGUMENT,
				"sensor test: point %lld of the fixture: tau %g, deviation %g; expected rising averaging times and "
				"positive "
				"deviations",
				(long long)i, p->tau, p->deviation );
		}
		bool used = p->tau >= f->tau_minimum && ( f->tau_maximum == 0 || p->tau <= f->tau_maximum );
		double samples = p->tau * rate;
		int64_t m = samples < 1e15 ? llround( samples ) : INT64_MAX / 4;
		if ( used && ( m < 1 || ( f->points.count == 1 && fabs( (double)m - samples ) > UNEVEN * samples ) ) )
		{
			return ds_error( DS_ERROR_ARGUMENT,
				"sensor test: tau = %g s is %.3g samples at %g Hz; expected a whole number, from one on", p->tau,
				samples, rate );
		}
		// of points that fall on the same m the first counts
		if ( used && ( *count == 0 || m > checks[*count - 1].m ) )
		{
			double expected = read_off( points, f->points.count, i, (double)m / rate );
			checks[( *count )++] = ( check ){ m, expected, p->tolerance > 0 ? p->tolerance : f->tolerance };
		}
	}
	return DS_OK;
}

// Two an octave, up to a tenth of the record.
static void checks_of_model( const ds_sensor_fixture *f, int64_t length, double rate, check *checks, int64_t *count )
{
	*count = 0;
	for ( int i = 0; i < MOST_OCTAVE_POINTS; ++i )
	{
		int64_t m = llround( pow( 2, 0.5 * i ) );
		double tau = (double)m / rate;
		double longest = f->tau_maximum > 0 ? f->tau_maximum : 0.1 * (double)length / rate;
		if ( tau > longest || 3 * m > length )
		{
			break;
		}
		if ( tau >= f->tau_minimum && ( *count == 0 || m > checks[*count - 1].m ) )
		{
			double expected = ds_allan_theory( &f->model, (ds_allan_kind)f->kind, rate, m );
			checks[( *count )++] = ( check ){ m, expected, f->tolerance };
		}
	}
}

// Bounds of the measured deviation: what chance allows, widened by the tolerance.
static ds_status bounds( const ds_sensor_fixture *f, const check *c, const ds_allan_point *p, int64_t length,
	double rate, double confidence, double *low, double *high )
{
	*low = *high = c->expected;
	if ( confidence > 0 && f->points.count > 0 )
	{
		// the interval of the measured one, turned around
		*low = p->high > 0 ? c->expected * p->deviation / p->high : c->expected;
		*high = p->low > 0 ? c->expected * p->deviation / p->low : c->expected;
	}
	else if ( confidence > 0 )
	{
		DS_TRY(
			ds_allan_theory_interval( &f->model, (ds_allan_kind)f->kind, rate, c->m, length, confidence, low, high ) );
	}
	*low /= 1 + c->tolerance;
	*high *= 1 + c->tolerance;
	return DS_OK;
}

// 0 at what is expected, 1 at a bound, more beyond it.
static double how_far( double measured, double expected, double low, double high )
{
	if ( !( measured > 0 ) )
	{
		return INFINITY;
	}
	double off = log( measured / expected ) / log( ( measured > expected ? high : low ) / expected );
	if ( measured >= low && measured <= high )
	{
		return isfinite( off ) ? off : 0;
	}
	// with bounds that are the expected value itself there is no measure of how far
	return off > 1 ? off : INFINITY;
}

static ds_status compare( const ds_sensor_fixture *f, const check *checks, const ds_allan_point *points, int64_t count,
	int64_t length, double rate, double confidence, ds_sensor_report *result )
{
	double worst = -1;
	for ( int64_t i = 0; i < count; ++i )
	{
		double low, high, measured = points[i].deviation;
		DS_TRY( bounds( f, &checks[i], &points[i], length, rate, confidence, &low, &high ) );
		if ( !( checks[i].expected > 0 && isfinite( checks[i].expected ) ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"the fixture's model has no deviation at %g s: its coefficients are too small, or its "
				"bandwidth is below a two-hundredth of the rate, %g Hz",
				points[i].tau, rate );
		}
		double off = how_far( measured, checks[i].expected, low, high );
		result->failed += off > 1;
		if ( off > worst )
		{
			worst = off;
			result->tau = points[i].tau;
			result->measured = measured;
			result->expected = checks[i].expected;
			result->low = low;
			result->high = high;
		}
	}
	result->points = count;
	result->passed = result->failed == 0;
	if ( result->passed )
	{
		say( result,
			"the deviation holds at all %lld averaging times; nearest to its bounds at tau = %g s: %g, expected %g (%g "
			"to %g)",
			(long long)count, result->tau, result->measured, result->expected, result->low, result->high );
	}
	else
	{
		say( result,
			"at tau = %g s the deviation is %g, expected %g (%g to %g): %lld of %lld averaging times are out of bounds",
			result->tau, result->measured, result->expected, result->low, result->high, (long long)result->failed,
			(long long)count );
	}
	return DS_OK;
}

static ds_status measure( const double *data, int64_t length, double rate, const ds_sensor_fixture *f, check *checks,
	int64_t count, ds_sensor_report *result )
{
	int64_t *m = malloc( (size_t)count * sizeof( *m ) );
	ds_allan_point *points = malloc( (size_t)count * sizeof( *points ) );
	ds_status status =
		m && points ? DS_OK : ds_error( DS_ERROR_MEMORY, "sensor test: no memory for %lld points", (long long)count );
	// each point's, so that all hold together
	double confidence = f->confidence > 0 ? pow( f->confidence, 1.0 / (double)count ) : 0;
	for ( int64_t i = 0; status == DS_OK && i < count; ++i )
	{
		m[i] = checks[i].m;
	}
	if ( status == DS_OK )
	{
		status = refuse( ds_allan_deviation(
			(ds_allan_kind)f->kind, data, length, rate, m, count, f->points.count > 0 ? confidence : 0, points ) );
	}
	if ( status == DS_OK )
	{
		status = refuse( compare( f, checks, points, count, length, rate, confidence, result ) );
	}
	free( m );
	free( points );
	return status;
}

ds_status ds_sensor_test_allan(
	const double *data, int64_t count, double rate, const ds_sensor_fixture *fixture, ds_sensor_report *report )
{
	ds_sensor_report result;
	if ( fixture == NULL || fixture->struct_size != sizeof( *fixture ) ||
		 (unsigned)fixture->kind >= DS_ALLAN_KIND_COUNT )
	{
		return ds_error( DS_ERROR_ARGUMENT, "sensor test: start the fixture from ds_sensor_fixture_default()" );
	}
	DS_TRY( begin( data, count, rate, fixture->tolerance, fixture->confidence, &result ) );
	int64_t room = fixture->points.count > 0 ? fixture->points.count : MOST_OCTAVE_POINTS, used = 0;
	check *checks = malloc( (size_t)room * sizeof( *checks ) );
	ds_status status =
		checks ? DS_OK : ds_error( DS_ERROR_MEMORY, "sensor test: no memory for %lld points", (long long)room );
	if ( status == DS_OK && fixture->points.count > 0 )
	{
		status = checks_of_points( fixture, rate, checks, &used );
	}
	else if ( status == DS_OK )
	{
		checks_of_model( fixture, count, rate, checks, &used );
	}
	if ( status == DS_OK && used == 0 )
	{
		status = ds_error( DS_ERROR_ARGUMENT,
			"sensor test: no averaging time lies between the fixture's bounds and in the record of %g s",
			(double)count / rate );
	}
	status = status == DS_OK ? measure( data, count, rate, fixture, checks, used, &result ) : status;
	free( checks );
	return status == DS_OK ? conclude( &result, report ) : status;
}

// ---- white noise -------------------------------------------------------------------------------------------------

// Two-sided quantile of the standard normal distribution.
static double normal_bound( double confidence )
{
	return confidence > 0 ? sqrt( ds_chi_squared_quantile( confidence, 1 ) ) : 0;
}

static double lag_one( const double *data, int64_t count, double mean )
{
	double cross = 0, squares = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		double d = data[i] - mean;
		squares += d * d;
		cross += i + 1 < count ? d * ( data[i + 1] - mean ) : 0;
	}
	return squares > 0 ? cross / squares : 0;
}

ds_status ds_sensor_test_white( const double *data, int64_t count, double rate, double N, double tolerance,
	double confidence, ds_sensor_report *report )
{
	ds_sensor_report r;
	DS_TRY( begin( data, count, rate, tolerance, confidence, &r ) );
	if ( count < 1000 || !( N > 0 ) || isinf( N ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"sensor test: N = %g and %lld samples; expected a positive density, and a thousand samples at least", N,
			(long long)count );
	}
	// three questions share the confidence; for the slope the ends of the curve do
	double each = confidence > 0 ? pow( confidence, 1 / 3.0 ) : 0, z = normal_bound( each );
	const int64_t m[2] = { 1, count / 100 };
	ds_allan_point ends[2];
	DS_TRY( refuse( ds_allan_deviation( DS_ALLAN_OADEV, data, count, rate, m, 2, 0.9, ends ) ) );
	ds_allan_form form = ds_allan_form_of( DS_ALLAN_OADEV );
	double variance = 0;
	for ( int i = 0; i < 2; ++i )
	{
		// of the logarithm of a deviation of white noise
		variance += 0.5 / ds_allan_freedom( &form, 0, m[i], 1, count + 1 );
	}
	double freedom = (double)( count - 1 ), tail = 0.5 * ( 1 - each );
	r.expected = N * sqrt( rate );
	r.measured = r.deviation;
	r.low =
		r.expected * ( each > 0 ? sqrt( ds_chi_squared_quantile( tail, freedom ) / freedom ) : 1 ) / ( 1 + tolerance );
	r.high = r.expected * ( each > 0 ? sqrt( ds_chi_squared_quantile( 1 - tail, freedom ) / freedom ) : 1 ) *
			 ( 1 + tolerance );
	r.autocorrelation = lag_one( data, count, r.mean );
	r.slope = ends[1].deviation > 0 ? log( ends[1].deviation / ends[0].deviation ) / log( (double)m[1] ) : -INFINITY;
	double most_correlation = z / sqrt( (double)count ) + tolerance;
	double most_slope = z * sqrt( variance ) / log( (double)m[1] ) + tolerance;
	bool wide = r.measured >= r.low && r.measured <= r.high;
	bool apart = fabs( r.autocorrelation ) <= most_correlation, falling = fabs( r.slope + 0.5 ) <= most_slope;
	r.points = 3;
	r.failed = !wide + !apart + !falling;
	r.passed = r.failed == 0;
	if ( !wide )
	{
		say( &r, "the standard deviation is %g, expected N sqrt( rate ) = %g (%g to %g)", r.measured, r.expected, r.low,
			r.high );
	}
	else if ( !apart )
	{
		say( &r, "neighbours correlate by %g, expected 0 within %g: the noise is not white", r.autocorrelation,
			most_correlation );
	}
	else if ( !falling )
	{
		say( &r, "the Allan deviation falls with slope %g, expected -0.5 within %g: the noise is not white", r.slope,
			most_slope );
	}
	else
	{
		say( &r, "white noise: standard deviation %g of %g, correlation %g, slope %g", r.measured, r.expected,
			r.autocorrelation, r.slope );
	}
	return conclude( &r, report );
}
