// Allan fixtures from files.

#include "base/field_io.h"
#include "deepsim/sensor_test.h"
#include "io/series_csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 100000

static const ds_choice kinds[] = {
	{ DS_ALLAN_ADEV, DS_FORM_NAME, "adev", NULL, NULL, "Allan deviation" },
	{ DS_ALLAN_OADEV, DS_FORM_NAME, "oadev", NULL, NULL, "overlapping Allan deviation" },
	{ DS_ALLAN_MDEV, DS_FORM_NAME, "mdev", NULL, NULL, "modified Allan deviation" },
	{ DS_ALLAN_HDEV, DS_FORM_NAME, "hdev", NULL, NULL, "Hadamard deviation" },
	{ DS_ALLAN_OHDEV, DS_FORM_NAME, "ohdev", NULL, NULL, "overlapping Hadamard deviation" },
	{ DS_ALLAN_TDEV, DS_FORM_NAME, "tdev", NULL, NULL, "time deviation" },
};

static const ds_field point_fields[] = {
	{ "tau", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( ds_sensor_fixture_point, tau ), 1, 0, "s", NULL, 1e-9, 1e9,
		"averaging time", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "deviation", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( ds_sensor_fixture_point, deviation ), 1, 0, "", NULL,
		1e-300, 1e300, "what it should be", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_sensor_fixture_point, tolerance, "", "0", 0, 10, "relative; 0: the fixture's" ),
};
static const ds_table point_table = DS_TABLE( "fixture_point", "", ds_sensor_fixture_point, point_fields );

static const ds_field model_fields[] = {
	DS_F64( ds_allan_model, Q, "U s", "0", 0, 1e300, "quantisation" ),
	DS_F64( ds_allan_model, N, "U/sqrt(Hz)", "0", 0, 1e300, "white noise" ),
	DS_F64( ds_allan_model, B, "U", "0", 0, 1e300, "bias instability" ),
	DS_F64( ds_allan_model, K, "U/s/sqrt(Hz)", "0", 0, 1e300, "rate random walk" ),
	DS_F64( ds_allan_model, markov_sigma, "U", "0", 0, 1e300, "standard deviation of a Gauss-Markov process" ),
	DS_F64( ds_allan_model, markov_tau, "s", "0", 0, 1e9, "its correlation time" ),
	DS_F64( ds_allan_model, bandwidth, "Hz", "0", 0, 1e9, "of the low-pass; 0: none" ),
};
static const ds_table model_table = DS_TABLE( "fixture_model", "", ds_allan_model, model_fields );

static const ds_field fixture_fields[] = {
	DS_ENUM( ds_sensor_fixture, kind, kinds, "\"oadev\"", "which deviation" ),
	DS_F64( ds_sensor_fixture, tolerance, "", "0.05", 0, 10, "relative" ),
	DS_F64( ds_sensor_fixture, confidence, "", "0.999", 0, 0.999999,
		"of all points together; 0: chance is not allowed for" ),
	DS_F64( ds_sensor_fixture, tau_minimum, "s", "0", 0, 1e9, "shortest averaging time; 0: all" ),
	DS_F64( ds_sensor_fixture, tau_maximum, "s", "0", 0, 1e9, "longest averaging time; 0: all" ),
	{ "points", DS_FIELD_ARRAY, 0, offsetof( ds_sensor_fixture, points ), 1, sizeof( ds_sensor_fixture_point ), "",
		"[]", 0, 0, "the curve", &point_table, NULL, 0, DS_ELEMENT_NONE },
	DS_STRUCT( ds_sensor_fixture, model, &model_table, "noise, if there are no points" ),
};
static const ds_table fixture_table =
	DS_TABLE( "sensor_fixture", "What a sensor's Allan deviations should be", ds_sensor_fixture, fixture_fields );

ds_sensor_fixture ds_sensor_fixture_default( void )
{
	return ( ds_sensor_fixture ){
		.struct_size = sizeof( ds_sensor_fixture ), .kind = DS_ALLAN_OADEV, .tolerance = 0.05, .confidence = 0.999
	};
}

void ds_sensor_fixture_free( ds_sensor_fixture *fixture )
{
	free( (void *)fixture->points.data );
	fixture->points = ( ds_array ){ 0 };
}

static ds_status set_points(
	ds_sensor_fixture *fixture, const ds_sensor_fixture_point *points, int64_t count, const char *path )
{
	ds_sensor_fixture_point *copy = malloc( (size_t)( count > 0 ? count : 1 ) * sizeof( *copy ) );
	fixture->points = ( ds_array ){ 0 };
	if ( copy == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "%s: no memory for %lld points", path, (long long)count );
	}
	for ( int64_t i = 0; i < count; ++i )
	{
		copy[i] = points[i];
		if ( !( points[i].tau > 0 ) || !( points[i].deviation > 0 ) || !( points[i].tolerance >= 0 ) ||
			 ( i > 0 && !( points[i].tau > points[i - 1].tau ) ) )
		{
			free( copy );
			return ds_error( DS_ERROR_RANGE,
				"%s: point %lld: tau %g, deviation %g, tolerance %g; expected rising averaging times and positive "
				"deviations",
				path, (long long)i, points[i].tau, points[i].deviation, points[i].tolerance );
		}
	}
	fixture->points.data = copy;
	fixture->points.count = count;
	return DS_OK;
}

// ---- JSON --------------------------------------------------------------------------------------------------------

static bool has_noise( const ds_allan_model *model )
{
	return model->Q > 0 || model->N > 0 || model->B > 0 || model->K > 0 || model->markov_sigma > 0;
}

static ds_status read_json( const char *path, ds_arena *arena, ds_sensor_fixture *fixture )
{
	ds_json *root;
	ds_sensor_fixture read;
	DS_TRY( ds_json_load( arena, path, &root ) );
	DS_TRY( ds_table_read( &fixture_table, root, arena, &read ) );
	if ( read.points.count == 0 && !has_noise( &read.model ) )
	{
		return ds_json_error(
			DS_ERROR_FORMAT, root, "expected points, or a model with one of Q, N, B, K, markov_sigma" );
	}
	*fixture = read;
	fixture->struct_size = sizeof( *fixture );
	return set_points( fixture, read.points.data, read.points.count, path );
}

// ---- CSV ---------------------------------------------------------------------------------------------------------

// Columns by name, else by place: tau, deviation, tolerance; -1: not there.
static void find_columns( const ds_series *series, int32_t places[3] )
{
	static const char *const names[] = { "tau", "deviation", "tolerance" };
	int32_t count = ds_series_count( series );
	for ( int k = 0; k < 3; ++k )
	{
		places[k] = -1;
		for ( int32_t i = 0; i < count; ++i )
		{
			places[k] = strcmp( ds_series_columns( series )[i].name, names[k] ) == 0 ? i : places[k];
		}
	}
	if ( places[0] < 0 || places[1] < 0 )
	{
		// a third column is a tolerance only where nothing has a name
		bool nameless = ds_series_columns( series )[0].name[0] == '1';
		places[0] = places[0] < 0 ? 0 : places[0];
		places[1] = places[0] == 0 ? 1 : 0;
		places[2] = places[2] >= 0 ? places[2] : nameless && count == 3 ? 2 : -1;
	}
}

static ds_status read_points(
	const char *path, ds_series *series, ds_sensor_fixture *fixture, ds_sensor_fixture_point *points )
{
	int32_t places[3];
	int64_t count = 0, got = 1;
	if ( ds_series_count( series ) < 2 )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: expected columns tau and deviation, there is one column", path );
	}
	find_columns( series, places );
	while ( got > 0 )
	{
		double row[3] = { 0 };
		DS_TRY( ds_series_read( series, places, places[2] >= 0 ? 3 : 2, row, 1, &got ) );
		if ( got > 0 && count == MOST_POINTS )
		{
			return ds_error( DS_ERROR_LIMIT, "%s: there are more than %d points", path, MOST_POINTS );
		}
		if ( got > 0 )
		{
			points[count++] = ( ds_sensor_fixture_point ){ row[0], row[1], row[2] };
		}
	}
	return set_points( fixture, points, count, path );
}

static ds_status read_csv( const char *path, ds_sensor_fixture *fixture )
{
	ds_series *series;
	DS_TRY( ds_series_open( path, &series ) );
	ds_sensor_fixture_point *points = malloc( MOST_POINTS * sizeof( *points ) );
	ds_status status = points ? read_points( path, series, fixture, points )
							  : ds_error( DS_ERROR_MEMORY, "%s: no memory for its points", path );
	free( points );
	ds_series_close( series );
	return status;
}

ds_status ds_sensor_fixture_load( const char *path, ds_sensor_fixture *fixture )
{
	*fixture = ds_sensor_fixture_default();
	const char *ending = strrchr( path, '.' );
	if ( ending == NULL || strcmp( ending, ".json" ) != 0 )
	{
		return read_csv( path, fixture );
	}
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_status status = read_json( path, &arena, fixture );
	ds_arena_free( &arena );
	return status;
}
