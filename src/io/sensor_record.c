// Records of sensors for tests: of a callback, of a sensor in a world, of a file.

#include "base/field_io.h"
#include "deepsim/sensor_test.h"
#include "io/series_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANNELS 64
#define ROWS          1024 // of a file, read at a time
#define EVEN          0.5 // of the usual step that a step of time may be off
#define PATIENCE      1000 // seconds of a world that may pass without a reading

void ds_sensor_record_free( ds_sensor_record *record )
{
	free( record->data );
	*record = ( ds_sensor_record ){ 0 };
}

static ds_status start( ds_sensor_record *record, int32_t channels, int64_t count )
{
	*record = ( ds_sensor_record ){ 0 };
	if ( channels < 1 || channels > MOST_CHANNELS || count < 1 )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"sensor record: %d channels of %lld samples; expected 1 to %d, of one at least", channels, (long long)count,
			MOST_CHANNELS );
	}
	record->channels = channels;
	record->count = count;
	bool fits = count <= INT64_MAX / 8 / channels;
	record->data = fits ? malloc( (size_t)count * (size_t)channels * sizeof( double ) ) : NULL;
	return record->data ? DS_OK
						: ds_error( DS_ERROR_MEMORY, "sensor record: no memory for %d channels of %lld samples",
							  channels, (long long)count );
}

static ds_status end( ds_sensor_record *record, ds_status status )
{
	if ( status != DS_OK )
	{
		ds_sensor_record_free( record );
	}
	return status;
}

static ds_status keep( ds_sensor_record *record, int64_t index, int32_t channel, double value, const char *name )
{
	record->data[channel * record->count + index] = value;
	return isfinite( value )
			   ? DS_OK
			   : ds_error( DS_ERROR_NOT_FINITE, "sensor record: sample %lld of %s is %g; expected a finite number",
					 (long long)index, name, value );
}

// ---- callbacks ---------------------------------------------------------------------------------------------------

static ds_status take_source( ds_sensor_source *source, void *user, ds_sensor_record *record )
{
	for ( int64_t i = 0; i < record->count; ++i )
	{
		double values[MOST_CHANNELS] = { 0 };
		DS_TRY( source( user, i, (double)( i + 1 ) / record->rate, values ) );
		for ( int32_t k = 0; k < record->channels; ++k )
		{
			char name[32];
			snprintf( name, sizeof( name ), "channel %d", k );
			DS_TRY( keep( record, i, k, values[k], name ) );
		}
	}
	return DS_OK;
}

ds_status ds_sensor_record_source(
	ds_sensor_source *source, void *user, double rate, int32_t channels, int64_t count, ds_sensor_record *record )
{
	*record = ( ds_sensor_record ){ 0 };
	if ( !( rate > 0 ) || isinf( rate ) )
	{
		return ds_error( DS_ERROR_RANGE, "sensor record: the rate is %g Hz and must be positive", rate );
	}
	DS_TRY( start( record, channels, count ) );
	record->rate = rate;
	return end( record, take_source( source, user, record ) );
}

// ---- worlds ------------------------------------------------------------------------------------------------------

typedef struct tap
{
	const char *const *names;
	ds_column columns[MOST_CHANNELS];
	void *reading;
	size_t size;

} tap;

static ds_status find_columns( const ds_table *table, int32_t channels, tap *t )
{
	enum
	{
		MOST = 512
	};
	int32_t count = ds_columns( table, NULL, 0 );
	count = count < MOST ? count : MOST;
	ds_column *all = malloc( MOST * sizeof( ds_column ) );
	const char *names[MOST];
	if ( all == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "sensor record: no memory for the columns of %s", table->name );
	}
	(void)ds_columns( table, all, count );
	ds_status status = DS_OK;
	for ( int32_t i = 0; i < count; ++i )
	{
		names[i] = all[i].name;
	}
	for ( int32_t k = 0; k < channels && status == DS_OK; ++k )
	{
		int32_t at = 0;
		while ( at < count && strcmp( all[at].name, t->names[k] ) != 0 )
		{
			++at;
		}
		if ( at == count )
		{
			const char *near = ds_nearest_name( t->names[k], names, (size_t)count );
			status = ds_error( DS_ERROR_NOT_FOUND, "sensor record: the readings of %s have no column %s%s%s",
				table->name, t->names[k], near ? "; did you mean " : "", near ? near : "" );
		}
		else if ( all[at].field->type != DS_FIELD_F64 )
		{
			status =
				ds_error( DS_ERROR_TYPE, "sensor record: the column %s is not of floating-point numbers", t->names[k] );
		}
		else
		{
			t->columns[k] = all[at];
		}
	}
	free( all );
	return status;
}

// Steps until the next reading.
static ds_status next_reading( ds_world *world, ds_id sensor, tap *t, ds_sample_header *header )
{
	int64_t start_time = ds_world_time( world );
	for ( ;; )
	{
		ds_status status = ds_sensor_next( world, sensor, header, t->reading, t->size );
		if ( status != DS_ERROR_EMPTY )
		{
			return status;
		}
		if ( ds_world_time( world ) - start_time > PATIENCE * INT64_C( 1000000000 ) )
		{
			return ds_error( DS_ERROR_EMPTY, "sensor record: the sensor said nothing for %d s", PATIENCE );
		}
		DS_TRY( ds_world_step( world, 1 ) );
	}
}

static ds_status take_world( ds_world *world, ds_id sensor, ds_sensor_record *record, tap *t )
{
	ds_sample_header header;
	DS_TRY( next_reading( world, sensor, t, &header ) );
	int64_t begin = header.time;
	for ( int64_t i = 0; i < record->count; ++i )
	{
		DS_TRY( next_reading( world, sensor, t, &header ) );
		for ( int32_t k = 0; k < record->channels; ++k )
		{
			double value;
			memcpy( &value, (const char *)t->reading + t->columns[k].offset, sizeof( value ) );
			DS_TRY( keep( record, i, k, value, t->names[k] ) );
		}
	}
	record->rate = (double)record->count / ( 1e-9 * (double)( header.time - begin ) );
	return DS_OK;
}

ds_status ds_sensor_record_world( ds_world *world, ds_id sensor, const char *const *columns, int32_t channels,
	int64_t count, ds_sensor_record *record )
{
	const ds_table *table;
	tap t = { .names = columns };
	*record = ( ds_sensor_record ){ 0 };
	DS_TRY( ds_sensor_output( world, sensor, &table, &t.size ) );
	DS_TRY( start( record, channels, count ) );
	ds_status status = find_columns( table, channels, &t );
	if ( status == DS_OK )
	{
		t.reading = malloc( t.size > 0 ? t.size : 1 );
		status = t.reading ? take_world( world, sensor, record, &t )
						   : ds_error( DS_ERROR_MEMORY, "sensor record: no memory for a reading of %zu bytes", t.size );
		free( t.reading );
	}
	return end( record, status );
}

// ---- files -------------------------------------------------------------------------------------------------------

typedef struct file_rows
{
	const char *path;
	ds_series *series;
	int32_t places[MOST_CHANNELS + 1], width;
	double scale; // of time; 0: there is none
	double *rows; // all of them, row by row
	int64_t count, room;
} file_rows;

static ds_status find_places( file_rows *f, const char *const *columns, int32_t channels )
{
	const char *names[DS_SERIES_MOST_COLUMNS];
	int32_t count = ds_series_count( f->series );
	for ( int32_t i = 0; i < count; ++i )
	{
		names[i] = ds_series_columns( f->series )[i].name;
	}
	for ( int32_t k = 0; k < channels; ++k )
	{
		int32_t at = 0;
		while ( at < count && strcmp( names[at], columns[k] ) != 0 )
		{
			++at;
		}
		for ( int32_t after = at + 1; after < count; ++after )
		{
			if ( strcmp( names[after], columns[k] ) == 0 )
			{
				return ds_error( DS_ERROR_DUPLICATE,
					"%s: more than one column is called %s; give each a heading of its own", f->path, columns[k] );
			}
		}
		for ( int32_t before = 0; before < k; ++before )
		{
			if ( strcmp( columns[before], columns[k] ) == 0 )
			{
				return ds_error( DS_ERROR_DUPLICATE, "%s: the column %s was asked for twice", f->path, columns[k] );
			}
		}
		if ( at == count )
		{
			const char *near = ds_nearest_name( columns[k], names, (size_t)count );
			return ds_error( DS_ERROR_NOT_FOUND, "%s: there is no column %s%s%s", f->path, columns[k],
				near ? "; did you mean " : "", near ? near : "" );
		}
		f->places[k] = at;
	}
	f->width = channels;
	int32_t time = ds_series_time( f->series, &f->scale );
	for ( int32_t k = 0; k < channels; ++k )
	{
		time = f->places[k] == time ? -1 : time;
	}
	f->scale = time < 0 ? 0 : f->scale;
	f->places[f->width] = time;
	f->width += time < 0 ? 0 : 1;
	return DS_OK;
}

static ds_status read_all( file_rows *f )
{
	for ( int64_t got = 1; got > 0; f->count += got )
	{
		if ( f->count + ROWS > f->room )
		{
			int64_t room = 2 * f->room + ROWS;
			double *more = realloc( f->rows, (size_t)room * (size_t)f->width * sizeof( double ) );
			if ( more == NULL )
			{
				return ds_error( DS_ERROR_MEMORY, "%s: no memory for %lld rows", f->path, (long long)room );
			}
			f->rows = more;
			f->room = room;
		}
		DS_TRY( ds_series_read( f->series, f->places, f->width, f->rows + f->count * f->width, ROWS, &got ) );
	}
	return f->count > 0 ? DS_OK : ds_error( DS_ERROR_FORMAT, "%s: there is no row", f->path );
}

// The rate by the column of time: its steps are even.
static ds_status rate_of_time( const file_rows *f, double *rate )
{
	if ( f->scale == 0 || f->count < 2 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s: it has no column of time with two rows; give the rate", f->path );
	}
	const double *time = f->rows + f->width - 1;
	double mean = ( time[( f->count - 1 ) * f->width] - time[0] ) / (double)( f->count - 1 );
	for ( int64_t i = 1; i < f->count; ++i )
	{
		double step = time[i * f->width] - time[( i - 1 ) * f->width];
		if ( !( fabs( step - mean ) <= EVEN * mean ) )
		{
			return ds_error( DS_ERROR_FORMAT,
				"%s: time steps by %g after row %lld, where %g is usual; a record must be even: cut it there", f->path,
				step, (long long)i, mean );
		}
	}
	*rate = 1 / ( mean * f->scale );
	return DS_OK;
}

static ds_status take_file(
	file_rows *f, const char *const *columns, int32_t channels, double rate, ds_sensor_record *record )
{
	DS_TRY( ds_series_open( f->path, &f->series ) );
	DS_TRY( find_places( f, columns, channels ) );
	DS_TRY( read_all( f ) );
	if ( rate == 0 )
	{
		DS_TRY( rate_of_time( f, &rate ) );
	}
	DS_TRY( start( record, channels, f->count ) );
	record->rate = rate;
	for ( int64_t i = 0; i < f->count; ++i )
	{
		for ( int32_t k = 0; k < channels; ++k )
		{
			record->data[k * f->count + i] = f->rows[i * f->width + k];
		}
	}
	return DS_OK;
}

ds_status ds_sensor_record_csv(
	const char *path, const char *const *columns, int32_t channels, double rate, ds_sensor_record *record )
{
	file_rows f = { .path = path };
	*record = ( ds_sensor_record ){ 0 };
	if ( channels < 1 || channels > MOST_CHANNELS || !( rate >= 0 ) || isinf( rate ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"%s: %d columns at %g Hz; expected 1 to %d, and a rate that is not negative", path, channels, rate,
			MOST_CHANNELS );
	}
	ds_status status = take_file( &f, columns, channels, rate, record );
	ds_series_close( f.series );
	free( f.rows );
	return end( record, status );
}
