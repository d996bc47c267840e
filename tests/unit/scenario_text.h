// Helpers of the scenario tests: a small good scenario, files in the test's own folder, and checks of messages.

#ifndef DEEPSIM_TEST_SCENARIO_TEXT_H
#define DEEPSIM_TEST_SCENARIO_TEXT_H

#include "base/base.h"
#include "deepsim/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A body without a mesh file, a thruster, two sensors and a timeline, on lines that messages can name.
static const char good_scenario[] =
	"{ \"deepsim\": 1, \"name\": \"test\", \"duration\": 10, \"rate\": 100, \"seed\": 5,\n"
	"\"environment\": { \"water\": { \"density\": 1000 }, \"seabed\": { \"elevation\": { \"model\": \"flat\", "
	"\"depth\": 50 } } },\n"
	"\"bodies\": [ { \"name\": \"hull\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.5, \"faces\": 80 }, \"mass\": "
	"500 },\n"
	"  { \"name\": \"weight\", \"mass\": 10, \"inertia\": [1, 1, 1] } ],\n"
	"\"joints\": [ { \"name\": \"rope\", \"type\": \"ball\", \"body_a\": \"hull\", \"body_b\": \"weight\" } ],\n"
	"\"actuators\": [ { \"name\": \"t1\", \"type\": \"thruster\", \"body\": \"hull\", \"config\": { \"forward\": 40 } "
	"} ],\n"
	"\"sensors\": [ { \"name\": \"depth\", \"type\": \"pressure\", \"body\": \"hull\", \"rate\": 10 },\n"
	"  { \"name\": \"odo\", \"type\": \"odometry\", \"body\": \"hull\" } ],\n"
	"\"commands\": [ { \"t\": 5, \"actuator\": \"t1\", \"value\": 1 }, { \"t\": 1, \"actuator\": \"t1\", \"value\": "
	"[0.5] } ]\n"
	"}\n";

static inline void write_file( const char *name, const char *text )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/%s", DEEPSIM_TEST_TMP, name );
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( text, file );
	assert_int_equal( fclose( file ), 0 );
}

static inline ds_status load_file( const char *name, ds_scenario **scenario )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/%s", DEEPSIM_TEST_TMP, name );
	return ds_scenario_load( path, NULL, 0, NULL, scenario );
}

// The good scenario with one override, or other text with none.
static inline ds_status parse_with( const char *text, const char *set, ds_scenario **scenario )
{
	return ds_scenario_parse(
		text ? text : good_scenario, "a.json", DEEPSIM_TEST_TMP, &set, set ? 1 : 0, NULL, scenario );
}

// The last error without the folder of the tests.
static inline const char *short_error( void )
{
	static char message[2048];
	char *out = message;
	const char *from = ds_last_error(), *found;
	while ( ( found = strstr( from, DEEPSIM_TEST_TMP "/" ) ) != NULL )
	{
		memcpy( out, from, (size_t)( found - from ) );
		out += found - from;
		from = found + strlen( DEEPSIM_TEST_TMP "/" );
	}
	strcpy( out, from );
	return message;
}

#endif
