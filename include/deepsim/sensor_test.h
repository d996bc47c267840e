// libdeepsim: a test kit for sensors, to be called from a user's own tests, whatever their framework. Records what a sensor says at rest
// (a sensor of a world, a model of the user's, a file), and holds it against an Allan fixture: a list of averaging times with
// deviations, or a noise model.
//
//   ds_sensor_record record;
//   ds_sensor_fixture fixture;
//   ds_sensor_report report;
//   ds_sensor_fixture_load( "gyro.json", &fixture );
//   ds_sensor_record_csv( "static.csv", ( const char *[] ){ "gx" }, 1, 0, &record );
//   assert( ds_sensor_test_allan( record.data, record.count, record.rate, &fixture, &report ) == DS_OK ); // report.message says why not
//
// examples/embed/sensor_test.c is a whole one. What a deviation may be off is a tolerance, which says how like the sensors shall be,
// and beyond that what chance does to a record of that length: so a short record fails no good sensor, and a long one
// finds small faults.

#ifndef DEEPSIM_SENSOR_TEST_H
#define DEEPSIM_SENSOR_TEST_H

#include "deepsim/allan.h"
#include "deepsim/sensor.h"
#include "deepsim/world.h"

#ifdef __cplusplus
extern "C"
{
#endif

// ---- records -----------------------------------------------------------------------------------------------------

// Samples of one or more channels, evenly in time. Channel k is data[k * count] and what follows.
typedef struct ds_sensor_record
{
	double *data;
	int64_t count; // of each channel
	int32_t channels;
	double rate; // [Hz]
} ds_sensor_record;

// Gives the memory of a record back. A zeroed one is nothing.
DS_API void ds_sensor_record_free( ds_sensor_record *record );

// A model of the user's: writes what its channels say at sample `index`, at `time` = ( index + 1 ) / rate [s].
typedef ds_status ds_sensor_source( void *user, int64_t index, double time, double *values );

// `count` samples of a source. Ends with what the source returns if that is not DS_OK, or with NOT_FINITE, RANGE, MEMORY.
DS_API ds_status ds_sensor_record_source(
	ds_sensor_source *source, void *user, double rate, int32_t channels, int64_t count, ds_sensor_record *record );

// Steps a world until `count` readings of a sensor have come, and keeps the columns of these names, as its CSV log calls them
// ("angular_velocity_x"). The first reading is left out: an inertial sensor has no interval before it. NOT_FOUND names the nearest
// column; TYPE: it is no number; NOT_FINITE: a reading had none.
DS_API ds_status ds_sensor_record_world( ds_world *world, ds_id sensor, const char *const *columns, int32_t channels,
	int64_t count, ds_sensor_record *record );

// Columns of a file of comma-separated values, this library's or others' (`deepsim allan --help`). `rate` 0: by its column of
// time, whose steps must be even within a half. Errors name file, line and column.
DS_API ds_status ds_sensor_record_csv(
	const char *path, const char *const *columns, int32_t channels, double rate, ds_sensor_record *record );

// ---- fixtures ----------------------------------------------------------------------------------------------------

// What a deviation should be at an averaging time.
typedef struct ds_sensor_fixture_point
{
	double tau; // [s]
	double deviation;
	double tolerance; // relative: 0.1 is 10 %; 0: the fixture's
} ds_sensor_fixture_point;

// Start from ds_sensor_fixture_default().
typedef struct ds_sensor_fixture
{
	uint32_t struct_size;
	int32_t kind; // ds_allan_kind; DS_ALLAN_OADEV
	double tolerance; // relative; 0.05
	double
		confidence; // with which a sensor that is as it should be passes, by all points together; 0.999. 0: chance is not allowed for
	double tau_minimum, tau_maximum; // [s]; 0: all points; of a model from a sample to a tenth of the record
	ds_array points; // of ds_sensor_fixture_point, tau rising; empty: the model, at two averaging times an octave
	ds_allan_model model;
} ds_sensor_fixture;

DS_API ds_sensor_fixture ds_sensor_fixture_default( void );

// Reads a fixture from a file; to be given back by ds_sensor_fixture_free.
//   JSON: { "kind": "oadev", "tolerance": 0.1, "confidence": 0.999, "points": [ { "tau": 1, "deviation": 2e-4 }, ... ] }
//      or { "model": { "N": 2e-4, "B": 1e-5, "K": 1e-6, "bandwidth": 40 } }
//   CSV: columns tau, deviation, and tolerance if it is there, in any order; without these names the first two or three. What
//      `deepsim allan --csv` writes is one.
DS_API ds_status ds_sensor_fixture_load( const char *path, ds_sensor_fixture *fixture );
DS_API void ds_sensor_fixture_free( ds_sensor_fixture *fixture );

// ---- tests -------------------------------------------------------------------------------------------------------

typedef struct ds_sensor_report
{
	bool passed;
	double mean, deviation; // of the samples
	int64_t points, failed; // averaging times compared, and out of bounds
	double tau, measured, expected, low, high; // where it is farthest off, of its bounds
	double slope; // of log deviation over log tau (white)
	double autocorrelation; // of samples next to each other (white)
	char message[512]; // one sentence: what holds, or what does not
} ds_sensor_report;

// All tests return DS_OK if the sensor passes, RANGE if it does not, and ARGUMENT, NOT_FINITE or MEMORY if it could not be tested.
// `report` may be NULL; ds_last_error() has its message too.

// Deviations at every point of the fixture, or at those of its model: measured / expected lies within the tolerance and beyond
// that within what chance does: for points by the interval of the measured deviation, for a model by the exact distribution of the
// estimate. An averaging time that is no whole number of samples is read off between the points of the fixture. ARGUMENT: the record
// is too short for a point.
DS_API ds_status ds_sensor_test_allan(
	const double *data, int64_t count, double rate, const ds_sensor_fixture *fixture, ds_sensor_report *report );

// White noise of density N [U/sqrt(Hz)], and nothing else: standard deviation N sqrt( rate ), no correlation of neighbours, Allan
// deviation falling with slope -1/2 up to a hundredth of the record. `tolerance` as above, of N; of correlation and slope it is
// taken as it is.
DS_API ds_status ds_sensor_test_white( const double *data, int64_t count, double rate, double N, double tolerance,
	double confidence, ds_sensor_report *report );

#ifdef __cplusplus
}
#endif

#endif
