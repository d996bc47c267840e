// Allan deviations of a stream. Level k keeps phase at every 2^k-th sample, and for the modified deviation the means of 2^k phases,
// in a window that slides: when it is full, the differences that start in its first quarter are summed, and that quarter is dropped.
// The last three quarters hold whatever a difference reaches: three times the longest averaging time of the level.

#include "sensors/allan.h"

#include <math.h>
#include <string.h>

#define MOST_LEVELS   48
#define MOST_CHANNELS 4096

typedef struct sum
{
	double high, low;
} sum;

// Of one averaging time of one channel.
typedef struct tau_sums
{
	sum kinds[DS_ALLAN_KIND_COUNT]; // of squared differences; TDEV's are MDEV's
	ds_allan_lag lag;
} tau_sums;

typedef struct level
{
	int64_t *m; // averaging times, in strides
	int64_t m_count;
	int64_t base; // index of the first phase in the window, in strides
	int64_t phases, means; // in the window
	double *phase,
		*mean; // channel by channel; `mean` is NULL at level 0, where it is the phase, and if nobody asks for it
	tau_sums *sums; // channel by channel
} level;

struct ds_allan_stream
{
	ds_allocator allocator;
	ds_allan_stream_def def;
	int64_t window, quarter;
	int64_t samples;
	double *first; // sample of each channel, which the others are taken from
	sum *total; // of each channel: the phase
	level levels[MOST_LEVELS];
	int level_count;
	bool failed;
};

ds_allan_stream_def ds_allan_stream_def_default( void )
{
	return ( ds_allan_stream_def ){ .struct_size = sizeof( ds_allan_stream_def ),
		.channels = 1,
		.rate = 1,
		.per_decade = 20,
		.kinds = ( 1u << DS_ALLAN_KIND_COUNT ) - 1,
		.memory = 1 << 16 };
}

static bool asks( const ds_allan_stream *s, ds_allan_kind kind )
{
	return ( s->def.kinds >> kind & 1u ) != 0;
}

static bool asks_means( const ds_allan_stream *s )
{
	return asks( s, DS_ALLAN_MDEV ) || asks( s, DS_ALLAN_TDEV );
}

// ---- levels ------------------------------------------------------------------------------------------------------

// Averaging times of a level, in strides, each once: those that the level before does not have, up to a quarter of the window.
static int64_t level_taus( const ds_allan_stream *s, int k, int64_t *m )
{
	int64_t count = 0, least = k > 0 ? s->quarter << ( k - 1 ) : 0, last = least >> k;
	for ( int64_t i = 0, next; ( next = ds_allan_tau( i, s->def.per_decade ) ) <= s->quarter << k; ++i )
	{
		// rounded down, but for the first, which may not fall back to the level before
		int64_t strides = next > least && next >> k == least >> k ? ( next >> k ) + 1 : next >> k;
		if ( strides > last )
		{
			last = strides;
			if ( m )
			{
				m[count] = strides;
			}
			++count;
		}
	}
	return count;
}

static ds_status make_level( ds_allan_stream *s, int k )
{
	level *l = &s->levels[k];
	int64_t cells = s->def.channels * s->window;
	l->m_count = level_taus( s, k, NULL );
	s->level_count = k + 1;
	DS_TRY( DS_NEW( &s->allocator, l->m_count, &l->m ) );
	DS_TRY( DS_NEW( &s->allocator, cells, &l->phase ) );
	DS_TRY( DS_NEW( &s->allocator, k > 0 && asks_means( s ) ? cells : 0, &l->mean ) );
	DS_TRY( DS_NEW( &s->allocator, s->def.channels * l->m_count, &l->sums ) );
	(void)level_taus( s, k, l->m );
	return DS_OK;
}

static ds_status check_def( const ds_allan_stream_def *def )
{
	if ( def == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "Allan stream: start from ds_allan_stream_def_default()" );
	}
	if ( def->channels < 1 || def->channels > MOST_CHANNELS )
	{
		return ds_error(
			DS_ERROR_RANGE, "Allan stream: channels is %d and must lie in [1, %d]", def->channels, MOST_CHANNELS );
	}
	if ( !ds_allan_is_rate( def->rate ) )
	{
		return ds_error( DS_ERROR_RANGE, "Allan stream: rate is %g Hz and must lie in [1e-12, 1e15]", def->rate );
	}
	if ( def->per_decade < 1 || def->per_decade > 1000 )
	{
		return ds_error( DS_ERROR_RANGE, "Allan stream: per_decade is %d and must lie in [1, 1000]", def->per_decade );
	}
	if ( def->memory < 64 || def->memory > 1 << 26 )
	{
		return ds_error(
			DS_ERROR_RANGE, "Allan stream: memory is %lld samples and must lie in [64, 2^26]", (long long)def->memory );
	}
	if ( def->kinds == 0 || def->kinds >> DS_ALLAN_KIND_COUNT != 0 )
	{
		return ds_error( DS_ERROR_RANGE,
			"Allan stream: kinds is 0x%x and must have at least one of the bits 1 << ds_allan_kind, and no other",
			(unsigned)def->kinds );
	}
	return DS_OK;
}

ds_status ds_allan_stream_create( const ds_allan_stream_def *def, ds_allan_stream **stream )
{
	ds_allan_stream *s;
	if ( stream == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_allan_stream_create needs room for the stream" );
	}
	*stream = NULL;
	DS_TRY( check_def( def ) );
	DS_TRY( DS_NEW( def->allocator, 1, &s ) );
	s->allocator = def->allocator ? *def->allocator : ( ds_allocator ){ 0 };
	s->def = *def;
	s->quarter = def->memory / 4;
	s->window = 4 * s->quarter;
	ds_status status = DS_NEW( &s->allocator, def->channels, &s->first );
	status = status == DS_OK ? DS_NEW( &s->allocator, def->channels, &s->total ) : status;
	status = status == DS_OK ? make_level( s, 0 ) : status;
	if ( status != DS_OK )
	{
		ds_allan_stream_destroy( s );
		return status;
	}
	s->levels[0].phases = 1; // the first phase is 0
	*stream = s;
	return DS_OK;
}

void ds_allan_stream_destroy( ds_allan_stream *s )
{
	if ( s == NULL )
	{
		return;
	}
	ds_allocator allocator = s->allocator;
	for ( int k = 0; k < s->level_count; ++k )
	{
		level *l = &s->levels[k];
		DS_FREE( &allocator, l->m, l->m_count );
		DS_FREE( &allocator, l->phase, s->def.channels * s->window );
		DS_FREE( &allocator, l->mean, s->def.channels * s->window );
		DS_FREE( &allocator, l->sums, s->def.channels * l->m_count );
	}
	DS_FREE( &allocator, s->first, s->def.channels );
	DS_FREE( &allocator, s->total, s->def.channels );
	DS_FREE( &allocator, s, 1 );
}

int64_t ds_allan_stream_count( const ds_allan_stream *stream )
{
	return stream ? stream->samples : 0;
}

// ---- differences -------------------------------------------------------------------------------------------------

static const double *phase_of( const ds_allan_stream *s, const level *l, int32_t channel )
{
	return l->phase + channel * s->window;
}

static const double *means_of( const ds_allan_stream *s, const level *l, int32_t channel )
{
	return ( l->mean ? l->mean : l->phase ) + channel * s->window;
}

// Adds the differences at the first n starts of the window. For adjacent clusters only starts at multiples of m count.
static void add_differences(
	const ds_allan_stream *s, const level *l, int32_t channel, ds_allan_kind kind, int64_t m, int64_t n, sum *to )
{
	ds_allan_form form = ds_allan_form_of( kind );
	if ( n <= 0 )
	{
		return;
	}
	double squares = 0;
	if ( form.modified )
	{
		const double *x = means_of( s, l, channel );
		ds_allan_running running = ds_allan_running_start( x, m );
		squares = ds_allan_modified( x, n, m, 0, &running, false );
	}
	else
	{
		int64_t skip = form.overlapping ? 0 : ( m - l->base % m ) % m;
		const double *x = phase_of( s, l, channel ) + skip;
		int64_t step = form.overlapping ? 1 : m;
		squares = form.order == 2 ? ds_allan_second( x, n - skip, step, m, 0 ) : ds_allan_third( x, n - skip, step, m );
	}
	ds_allan_add( &to->high, &to->low, squares );
}

// Adds the means of the clusters that start at the first n phases of the window.
static void add_means(
	const ds_allan_stream *s, const level *l, int32_t channel, int64_t m, int64_t n, ds_allan_lag *lag )
{
	const double *x = phase_of( s, l, channel );
	double scale = 1 / ldexp( (double)m, (int)( l - s->levels ) );
	for ( int64_t i = ( m - l->base % m ) % m; i < n; i += m )
	{
		ds_allan_lag_add( lag, ( x[i + m] - x[i] ) * scale );
	}
}

// Sums what starts in the first quarter of a full window, and lets it go.
static void slide( const ds_allan_stream *s, level *l )
{
	for ( int32_t channel = 0; channel < s->def.channels; ++channel )
	{
		for ( int64_t i = 0; i < l->m_count; ++i )
		{
			tau_sums *sums = &l->sums[channel * l->m_count + i];
			for ( int kind = 0; kind < DS_ALLAN_TDEV; ++kind )
			{
				if ( kind == DS_ALLAN_MDEV ? asks_means( s ) : asks( s, (ds_allan_kind)kind ) )
				{
					add_differences( s, l, channel, (ds_allan_kind)kind, l->m[i], s->quarter, &sums->kinds[kind] );
				}
			}
			add_means( s, l, channel, l->m[i], s->quarter, &sums->lag );
		}
		double *x = l->phase + channel * s->window;
		memmove( x, x + s->quarter, (size_t)( l->phases - s->quarter ) * sizeof( double ) );
		if ( l->mean )
		{
			x = l->mean + channel * s->window;
			memmove( x, x + s->quarter, (size_t)( l->means - s->quarter ) * sizeof( double ) );
		}
	}
	l->base += s->quarter;
	l->phases -= s->quarter;
	l->means -= l->mean ? s->quarter : 0;
}

// ---- samples -----------------------------------------------------------------------------------------------------

static void copy_phase( const ds_allan_stream *s, const level *from, int64_t at, level *to )
{
	for ( int32_t channel = 0; channel < s->def.channels; ++channel )
	{
		to->phase[channel * s->window + to->phases] = from->phase[channel * s->window + at];
	}
	++to->phases;
}

static void join_means( const ds_allan_stream *s, const level *from, int64_t at, level *to )
{
	for ( int32_t channel = 0; to->mean && channel < s->def.channels; ++channel )
	{
		const double *x = means_of( s, from, channel ) + at;
		to->mean[channel * s->window + to->means] = 0.5 * ( x[0] + x[1] );
	}
	to->means += to->mean ? 1 : 0;
}

static int64_t mean_count( const level *l )
{
	return l->mean ? l->means : l->phases;
}

// The next level, with all that this one has kept so far, which is all there was.
static ds_status start_level( ds_allan_stream *s, int k )
{
	const level *from = &s->levels[k - 1];
	level *to = &s->levels[k];
	DS_TRY( make_level( s, k ) );
	for ( int64_t i = 0; i < from->phases; i += 2 )
	{
		copy_phase( s, from, i, to );
	}
	for ( int64_t i = 0; i + 1 < mean_count( from ); i += 2 )
	{
		join_means( s, from, i, to );
	}
	return DS_OK;
}

// Hands on what level 0 got, level by level.
static ds_status settle( ds_allan_stream *s )
{
	bool phase_new = true, mean_new = true;
	for ( int k = 0; k < s->level_count && ( phase_new || mean_new ); ++k )
	{
		level *l = &s->levels[k], *next = l + 1;
		int64_t at = l->phases - 1, mean_at = mean_count( l ) - 1;
		if ( k + 1 < s->level_count )
		{
			bool even = phase_new && ( l->base + at ) % 2 == 0, odd = mean_new && ( l->base + mean_at ) % 2 == 1;
			if ( even )
			{
				copy_phase( s, l, at, next );
			}
			if ( odd )
			{
				join_means( s, l, mean_at - 1, next );
			}
			phase_new = even;
			mean_new = odd;
		}
		else if ( l->base == 0 && l->phases == 2 * s->quarter && k + 1 < MOST_LEVELS )
		{
			DS_TRY( start_level( s, k + 1 ) );
			break;
		}
	}
	for ( int k = 0; k < s->level_count && s->levels[k].phases == s->window; ++k )
	{
		slide( s, &s->levels[k] );
	}
	return DS_OK;
}

ds_status ds_allan_stream_push( ds_allan_stream *s, const double *samples, int64_t count )
{
	if ( s == NULL || count < 0 || ( count > 0 && samples == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_allan_stream_push needs a stream and samples, none of them or more" );
	}
	int32_t channels = s->def.channels;
	if ( s->failed )
	{
		return ds_error( DS_ERROR_STATE, "Allan stream: it ran out of memory before, and can only be destroyed" );
	}
	for ( int64_t i = 0; i < count * channels; ++i )
	{
		if ( !isfinite( samples[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "Allan stream: sample %lld of channel %d is %g and must be finite",
				(long long)( s->samples + i / channels ), (int)( i % channels ), samples[i] );
		}
		if ( fabs( samples[i] ) > DS_ALLAN_MOST )
		{
			return ds_error( DS_ERROR_RANGE,
				"Allan stream: sample %lld of channel %d is %g and must lie within 1e100 of 0",
				(long long)( s->samples + i / channels ), (int)( i % channels ), samples[i] );
		}
	}
	level *l = &s->levels[0];
	for ( int64_t i = 0; i < count; ++i )
	{
		const double *sample = samples + i * channels;
		for ( int32_t channel = 0; channel < channels; ++channel )
		{
			s->first[channel] = s->samples == 0 ? sample[channel] : s->first[channel];
			sum *total = &s->total[channel];
			ds_allan_add( &total->high, &total->low, sample[channel] - s->first[channel] );
			l->phase[channel * s->window + l->phases] = total->high + total->low;
		}
		++l->phases;
		++s->samples;
		ds_status status = settle( s );
		if ( status != DS_OK )
		{
			s->failed = true;
			return status;
		}
	}
	return DS_OK;
}

// ---- curves ------------------------------------------------------------------------------------------------------

// Starts of differences in all of a level so far, one a stride.
static int64_t all_starts( const level *l, ds_allan_form form, int64_t m )
{
	form.overlapping = true;
	return ds_allan_differences( &form, l->base + ( form.modified ? mean_count( l ) : l->phases ), m );
}

static void make_point( const ds_allan_stream *s, int k, int64_t i, int32_t channel, ds_allan_kind kind,
	double confidence, int *noise, ds_allan_point *point )
{
	const level *l = &s->levels[k];
	const tau_sums *sums = &l->sums[channel * l->m_count + i];
	ds_allan_form form = ds_allan_form_of( kind );
	ds_allan_kind summed = kind == DS_ALLAN_TDEV ? DS_ALLAN_MDEV : kind;
	int64_t m = l->m[i], starts = all_starts( l, form, m );
	sum squares = sums->kinds[summed];
	add_differences( s, l, channel, summed, m, starts - l->base, &squares );

	*point = ( ds_allan_point ){ .m = m << k, .count = form.overlapping ? starts : ( starts - 1 ) / m + 1 };
	point->tau = (double)point->m / s->def.rate;
	point->deviation = ds_allan_scale( kind, squares.high + squares.low, point->count, point->m, s->def.rate );
	if ( confidence > 0 )
	{
		ds_allan_lag lag = sums->lag;
		add_means( s, l, channel, m, l->phases - m, &lag );
		(void)ds_allan_lag_noise( &lag, form.order, noise );
		point->noise = *noise;
		ds_allan_interval( &form, form.overlapping ? (int64_t)1 << k : point->m, s->samples + 1, confidence, point );
	}
}

ds_status ds_allan_stream_curve( const ds_allan_stream *s, int32_t channel, ds_allan_kind kind, double confidence,
	ds_allan_point *points, int64_t size, int64_t *count )
{
	if ( s == NULL || count == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_allan_stream_curve needs a stream and room for the number of points" );
	}
	*count = 0;
	if ( (unsigned)kind >= DS_ALLAN_KIND_COUNT || !asks( s, kind ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "Allan stream: kind %d is not among those it was made for", (int)kind );
	}
	if ( channel < 0 || channel >= s->def.channels || !( confidence >= 0 && confidence < 1 ) )
	{
		return ds_error( DS_ERROR_RANGE, "Allan stream: channel %d must lie in [0, %d], confidence %g in [0, 1)",
			channel, s->def.channels - 1, confidence );
	}
	int noise = 0;
	for ( int k = 0; k < s->level_count; ++k )
	{
		const level *l = &s->levels[k];
		for ( int64_t i = 0; i < l->m_count && all_starts( l, ds_allan_form_of( kind ), l->m[i] ) > 0; ++i, ++*count )
		{
			if ( points && *count >= size )
			{
				return ds_error( DS_ERROR_RANGE, "Allan stream: there are more than %lld points; make room for more",
					(long long)size );
			}
			if ( points )
			{
				make_point( s, k, i, channel, kind, confidence, &noise, &points[*count] );
			}
		}
	}
	return DS_OK;
}
