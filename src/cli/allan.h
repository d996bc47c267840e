// deepsim allan: what its parts share.

#ifndef DEEPSIM_CLI_ALLAN_H
#define DEEPSIM_CLI_ALLAN_H

#include "cli/cli.h"
#include "deepsim/allan.h"
#include "deepsim/body.h"
#include "io/series_csv.h"

#define ALLAN_MOST_COLUMNS 64

typedef struct allan_options
{
	const char *file, *column_names[ALLAN_MOST_COLUMNS], *plot, *csv, *unit, *terms;
	int column_count;
	double rate, confidence, bandwidth;
	ds_allan_kind kind;
	int32_t per_decade;
	bool json, quiet;
} allan_options;

// What a column measures.
typedef enum allan_triad
{
	ALLAN_OTHER,
	ALLAN_GYRO, // rad/s
	ALLAN_ACCEL // m/s2
} allan_triad;

typedef struct allan_column
{
	char name[DS_NAME_SIZE], unit[DS_NAME_SIZE];
	allan_triad triad;
	double scale; // from the file's unit to `unit`
	double first, sum; // of the samples: sum is of those less the first
	bool changes; // not all samples are the same
	ds_allan_point *points; // of the kind that was asked for
	int64_t count;
	ds_allan_point *fitted; // overlapping Allan deviations
	int64_t fitted_count;
	bool has_fit;
	ds_allan_fit fit;
	char why_not[256];
} allan_column;

typedef struct allan_result
{
	const char *file;
	ds_allan_kind kind;
	double confidence, rate, bandwidth;
	bool rate_from_time;
	int64_t samples;
	int64_t gaps, missing; // steps of time that are too long, samples that should lie in them
	allan_column *columns;
	int column_count;
} allan_result;

// ---- reading -----------------------------------------------------------------------------------------------------

// Sets unit (SI where it is one of rate or acceleration), scale and triad of a column by the unit in the file.
void allan_set_unit( allan_column *column, const char *unit );

// The columns to analyse: those that were named; else those in units of rate or acceleration; else all numbers but time.
int allan_choose_columns( const allan_options *o, const ds_series *series, int32_t *chosen, int *count );

#define ALLAN_FIRST_STEPS 100 // of time, that tell the usual one

// The clock of the file: its usual step, and what is missing.
typedef struct allan_clock
{
	double scale, first, last, step; // [s]; step 0: not known yet
	double early[ALLAN_FIRST_STEPS], early_sum, early_steps;
	int64_t rows, gaps, missing;
} allan_clock;

// Takes the time of a row; false, with a message, if it does not rise.
bool allan_take_time( allan_clock *c, const char *file, int64_t line, double value );

// Sets rate and gaps of the result at the end of the file.
int allan_rate_of_clock( const allan_options *o, allan_clock *c, allan_result *r );

// ---- report ------------------------------------------------------------------------------------------------------

// Name of a kind ("oadev"), and its unit for data in `unit`.
const char *allan_kind_name( ds_allan_kind kind );
void allan_kind_unit( ds_allan_kind kind, const char *unit, char *text, size_t size );

// The coefficients, by the letters of ds_allan_model: Q, N, B, K, markov_sigma, markov_tau.
#define ALLAN_TERMS 6
const char *allan_term_name( int term );
const ds_allan_term *allan_term( const ds_allan_fit *fit, int term );
// Units for a column: SI and that of datasheets; the latter NULL where there is none.
void allan_term_units( const allan_column *column, int term, char *si, size_t size, const char **datasheet );

// Reports. They return an exit code.
void allan_print( const allan_result *result );
int allan_print_json( const allan_result *result );
int allan_write_csv( const allan_result *result, const char *path );

// Before anything is read for long: whether each of the files can be written, and is neither `input` ("-": the standard input) nor
// another one. NULL and "" are none.
int allan_check_outputs( const char *input, const char *const *outputs, int count );

// Draws the curves into a .png, .svg or .pdf by gnuplot: a panel for each unit. Without gnuplot it says so and is no failure: `data`
// is where the numbers are.
int allan_plot( const allan_result *result, const char *path, const char *data );

#endif
