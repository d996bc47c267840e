// Allan deviations of a record in memory: W. J. Riley, Handbook of Frequency Stability Analysis, NIST SP 1065, 2008, section 5.2.
//
// Mean and trend are taken out before the phase is summed, with the rounding of the sum kept, so that neither a bias nor the
// length of the record costs digits; what the trend gives in a second difference, its slope times m squared, is added again.

#include "sensors/allan.h"

#include <math.h>

#define BLOCK 4096 // differences at a time, of every averaging time in turn: what they share stays in the cache

#define MOST_PER_DECADE 1000

// Phase [U samples] of a record without its trend.
typedef struct phase
{
	double *x;
	int64_t count;
	bool sampled; // as in ds_allan_form
	double slope; // of the rate that was taken out [U/sample]
} phase;

int64_t ds_allan_tau( int64_t index, int32_t per_decade )
{
	double exact = pow( 10, (double)index / per_decade );
	return exact < 9e18 ? llround( exact ) : INT64_MAX;
}

int64_t ds_allan_taus( int64_t longest, int32_t per_decade, int64_t *m, int64_t size )
{
	int64_t count = 0, last = 0, next;
	for ( int64_t i = 0; per_decade > 0 && per_decade <= MOST_PER_DECADE &&
						 ( next = ds_allan_tau( i, per_decade ) ) <= longest && next < INT64_MAX;
		  ++i )
	{
		if ( next > last )
		{
			if ( m && count < size )
			{
				m[count] = next;
			}
			last = next;
			++count;
		}
	}
	return m && count > size ? size : count;
}

// ---- phase -------------------------------------------------------------------------------------------------------

static double mean_of( const double *data, int64_t count )
{
	double high = 0, low = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		ds_allan_add( &high, &low, data[i] );
	}
	return ( high + low ) / (double)count;
}

// The trend: the line through the means of both halves.
static void phase_of_rate( const double *data, int64_t count, phase *out )
{
	int64_t half = count / 2;
	double early = half > 0 ? mean_of( data, half ) : 0, late = half > 0 ? mean_of( data + count - half, half ) : 0;
	double mean = half > 0 ? early + 0.5 * ( late - early ) : data[0], high = 0, low = 0;
	out->slope = half > 0 ? ( late - early ) / (double)( count - half ) : 0;
	out->x[0] = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		double line = out->slope * ( (double)i - 0.5 * (double)( count - 1 ) );
		ds_allan_add( &high, &low, ( data[i] - mean ) - line );
		out->x[i + 1] = high + low;
	}
}

// The trend: the parabola through first, middle and last.
static void phase_of_phase( const double *data, int64_t count, double rate, phase *out )
{
	int64_t half = ( count - 1 ) / 2;
	double length = (double)half, bend = 0, tilt = 0;
	if ( half > 0 )
	{
		bend = ( ( data[2 * half] - data[half] ) - ( data[half] - data[0] ) ) / ( length * length );
		tilt = ( data[half] - data[0] ) / length - 0.5 * bend * length;
	}
	out->slope = bend * rate;
	for ( int64_t i = 0; i < count; ++i )
	{
		double at = (double)i;
		out->x[i] = ( ( data[i] - data[0] ) - at * ( tilt + 0.5 * bend * at ) ) * rate;
	}
}

// ---- deviations --------------------------------------------------------------------------------------------------

// Sums for one averaging time.
typedef struct partial
{
	int64_t m, starts;
	double add, high, low;
	ds_allan_running running;
} partial;

static void add_block( const phase *p, const ds_allan_form *form, int64_t from, partial *s )
{
	int64_t n = s->starts - from < BLOCK ? s->starts - from : BLOCK;
	const double *x = p->x + from;
	double sum;
	if ( form->modified )
	{
		s->running = from == 0 ? ds_allan_running_start( x, s->m ) : s->running;
		sum = ds_allan_modified( x, n, s->m, s->add, &s->running, from + n < s->starts );
	}
	else
	{
		sum = form->order == 2 ? ds_allan_second( x, n, 1, s->m, s->add ) : ds_allan_third( x, n, 1, s->m );
	}
	ds_allan_add( &s->high, &s->low, sum );
}

static void sum_overlapping( const phase *p, const ds_allan_form *form, partial *partials, int64_t m_count )
{
	int64_t active = m_count;
	for ( int64_t from = 0; active > 0; from += BLOCK )
	{
		// starts fall with m
		while ( active > 0 && partials[active - 1].starts <= from )
		{
			--active;
		}
		for ( int64_t k = 0; k < active; ++k )
		{
			add_block( p, form, from, &partials[k] );
		}
	}
}

static void sum_adjacent( const phase *p, const ds_allan_form *form, partial *s )
{
	int64_t end = ( s->starts - 1 ) * s->m + 1;
	s->high =
		form->order == 2 ? ds_allan_second( p->x, end, s->m, s->m, s->add ) : ds_allan_third( p->x, end, s->m, s->m );
}

static bool noise_at( const phase *p, int order, int64_t m, int *noise )
{
	ds_allan_lag lag = { 0 };
	double scale = 1 / (double)m;
	for ( int64_t i = 0; i + m < p->count; i += m )
	{
		ds_allan_lag_add( &lag, ( p->x[i + m] - p->x[i] ) * scale );
	}
	return ds_allan_lag_noise( &lag, order, noise );
}

static void make_points( const phase *p, ds_allan_kind kind, double rate, const partial *partials, int64_t m_count,
	double confidence, ds_allan_point *points )
{
	ds_allan_form form = ds_allan_form_of( kind );
	form.sampled = p->sampled;
	int noise = 0;
	for ( int64_t k = 0; k < m_count; ++k )
	{
		const partial *s = &partials[k];
		ds_allan_point *point = &points[k];
		*point = ( ds_allan_point ){ .m = s->m, .tau = (double)s->m / rate, .count = s->starts };
		point->deviation = ds_allan_scale( kind, s->high + s->low, s->starts, s->m, rate );
		if ( confidence > 0 )
		{
			// with few clusters, what prevailed at the last averaging time with enough
			(void)noise_at( p, form.order, s->m, &noise );
			point->noise = noise;
			ds_allan_interval( &form, form.overlapping ? 1 : s->m, p->count, confidence, point );
		}
	}
}

static ds_status deviations( const phase *p, ds_allan_kind kind, double rate, const int64_t *m, int64_t m_count,
	double confidence, ds_allan_point *points )
{
	ds_allan_form form = ds_allan_form_of( kind );
	partial *partials;
	DS_TRY( DS_NEW( NULL, m_count, &partials ) );
	for ( int64_t k = 0; k < m_count; ++k )
	{
		double length = (double)m[k];
		partials[k] = ( partial ){ .m = m[k],
			.starts = ds_allan_differences( &form, p->count, m[k] ),
			.add = form.order == 2 ? p->slope * length * length : 0 };
		if ( !form.overlapping )
		{
			sum_adjacent( p, &form, &partials[k] );
		}
	}
	if ( form.overlapping )
	{
		sum_overlapping( p, &form, partials, m_count );
	}
	make_points( p, kind, rate, partials, m_count, confidence, points );
	DS_FREE( NULL, partials, m_count );
	return DS_OK;
}

// ---- what is asked -----------------------------------------------------------------------------------------------

static ds_status check_data( const double *data, int64_t count, const char *what )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( !isfinite( data[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE,
				"Allan deviation: %s %lld is %g; every sample must be finite: leave bad ones out of the record or "
				"bridge them",
				what, (long long)i, data[i] );
		}
		if ( fabs( data[i] ) > DS_ALLAN_MOST )
		{
			return ds_error( DS_ERROR_RANGE, "Allan deviation: %s %lld is %g and must lie within 1e100 of 0", what,
				(long long)i, data[i] );
		}
	}
	return DS_OK;
}

static ds_status check_request( ds_allan_kind kind, const double *data, int64_t count, int64_t phases, double rate,
	const int64_t *m, int64_t m_count, double confidence, const ds_allan_point *points )
{
	if ( data == NULL || m_count < 0 || ( m_count > 0 && ( m == NULL || points == NULL ) ) ||
		 (unsigned)kind >= DS_ALLAN_KIND_COUNT || count < 1 )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"Allan deviation: data, averaging times and points must be given, and a kind below %d",
			DS_ALLAN_KIND_COUNT );
	}
	if ( !ds_allan_is_rate( rate ) )
	{
		return ds_error( DS_ERROR_RANGE, "Allan deviation: the rate is %g Hz and must lie in [1e-12, 1e15] Hz", rate );
	}
	if ( !( confidence >= 0 && confidence < 1 ) )
	{
		return ds_error( DS_ERROR_RANGE, "Allan deviation: the confidence is %g and must lie in [0, 1)", confidence );
	}
	ds_allan_form form = ds_allan_form_of( kind );
	for ( int64_t k = 0; k < m_count; ++k )
	{
		if ( m[k] < 1 || ( k > 0 && m[k] <= m[k - 1] ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"Allan deviation: averaging time %lld is %lld samples; they must rise, from 1 on", (long long)k,
				(long long)m[k] );
		}
		if ( ds_allan_differences( &form, phases, m[k] ) < 1 )
		{
			return ds_error( DS_ERROR_RANGE,
				"Allan deviation: %lld samples are too few for clusters of %lld; the longest is a %s of the record",
				(long long)count, (long long)m[k], form.order == 3 || form.modified ? "third" : "half" );
		}
	}
	return DS_OK;
}

ds_status ds_allan_deviation( ds_allan_kind kind, const double *data, int64_t count, double rate, const int64_t *m,
	int64_t m_count, double confidence, ds_allan_point *points )
{
	phase p = { .count = count + 1, .sampled = true };
	DS_TRY( check_request( kind, data, count, count + 1, rate, m, m_count, confidence, points ) );
	DS_TRY( check_data( data, count, "sample" ) );
	DS_TRY( DS_NEW( NULL, p.count, &p.x ) );
	phase_of_rate( data, count, &p );
	ds_status status = deviations( &p, kind, rate, m, m_count, confidence, points );
	DS_FREE( NULL, p.x, p.count );
	return status;
}

ds_status ds_allan_deviation_phase( ds_allan_kind kind, const double *data, int64_t count, double rate,
	const int64_t *m, int64_t m_count, double confidence, ds_allan_point *points )
{
	phase p = { .count = count };
	DS_TRY( check_request( kind, data, count, count, rate, m, m_count, confidence, points ) );
	DS_TRY( check_data( data, count, "phase" ) );
	DS_TRY( DS_NEW( NULL, p.count, &p.x ) );
	phase_of_phase( data, count, rate, &p );
	ds_status status = deviations( &p, kind, rate, m, m_count, confidence, points );
	DS_FREE( NULL, p.x, p.count );
	return status;
}
