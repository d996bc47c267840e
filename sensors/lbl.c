#include "sensors/acoustic.h"
#include "sensors/tables.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

static const ds_field beacon_fields[] = {
	{ "position", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( ds_lbl_beacon, position ), 3, 0, "m", NULL, -1e7, 1e7,
		"of the beacon, world", NULL, NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table beacon_table = DS_TABLE( "lbl_beacon", "A beacon", ds_lbl_beacon, beacon_fields );

static const ds_field config_fields[] = {
	{ "beacons", DS_FIELD_ARRAY, DS_FIELD_REQUIRED, offsetof( ds_lbl_config, beacons ), 1, sizeof( ds_lbl_beacon ), "",
		NULL, 0, 0, "3 to 8 of them", &beacon_table, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_lbl_config, survey, "m", "[0, 0, 0]", 0, 1e4,
		"standard deviations of where the beacons are believed to be: north, east, down; drawn once a run" ),
	DS_F64( ds_lbl_config, sound_speed, "m/s", "0", 0, 2000,
		"that the instrument takes for granted; 0: it knows the profile, and corrects ranges" ),
	DS_F64( ds_lbl_config, range_noise, "m", "0.1", 0, 1000, "standard deviation of white noise of a range" ),
	DS_F64( ds_lbl_config, outlier_rate, "", "0", 0, 1, "share of ranges that are outliers" ),
	DS_F64( ds_lbl_config, outlier, "m", "50", 0, 1e5, "standard deviation of an outlier" ),
	DS_F64( ds_lbl_config, dropout, "", "0", 0, 1, "share of replies that are lost" ),
	DS_F64( ds_lbl_config, maximum, "m", "10000", 1, 1e5, "what is farther is not heard" ),
	DS_F64( ds_lbl_config, depth_noise, "m", "0", 0, 1000,
		"standard deviation of a depth that the solution takes too; 0: it takes none" ),
	DS_F64( ds_lbl_config, gate, "", "0", 0, 1000,
		"a range that is farther off the solution than this many standard deviations is left out; 0: none is" ),
	DS_F64( ds_lbl_config, delay, "s", "0", 0, 60, "from the arrival of the last reply to the position" ),
};

static ds_status check_config( const void *value )
{
	int64_t count = ( (const ds_lbl_config *)value )->beacons.count;
	return count >= 3 && count <= DS_LBL_MAX_BEACONS ? DS_OK
													 : ds_error( DS_ERROR_RANGE, "beacons: expected 3 to %d, got %lld",
														   DS_LBL_MAX_BEACONS, (long long)count );
}

const ds_table ds_lbl_options = { "lbl_config", "Options of the sensor lbl", sizeof( ds_lbl_config ), config_fields,
	DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_BOOL( ds_lbl, valid, NULL, "a position arrived since the last reading" ),
	DS_F64( ds_lbl, time, "s", NULL, 0, 0, "of validity: when the beacons replied" ),
	DS_F64( ds_lbl, age, "s", NULL, 0, 0, "of the position" ),
	DS_I64( ds_lbl, count, "", NULL, 0, 0, "ranges that the position is from" ),
	{ "heard", DS_FIELD_BOOL, DS_FIELD_NUMBERED, offsetof( ds_lbl, heard ), DS_LBL_MAX_BEACONS, 0, "", NULL, 0, 0,
		"beacons that replied", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "ranges", DS_FIELD_F64, DS_FIELD_NUMBERED, offsetof( ds_lbl, ranges ), DS_LBL_MAX_BEACONS, 0, "m", NULL, 0, 0,
		"to the beacons; 0: not heard", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_lbl, position, "m", NULL, 0, 0, "of the mount, world" ),
	{ "covariance", DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( ds_lbl, covariance ), 9, 0, "m2", NULL, 0, 0,
		"of the position", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_lbl, residual, "m", NULL, 0, 0, "root mean square of the ranges' residuals" ),
};
const ds_table ds_lbl_readings = DS_TABLE( "lbl", "A vehicle's position by ranges to beacons", ds_lbl, reading_fields );

DS_SENSOR_TABLES( lbl )

// Slots of a ping: of beacon i range 2 i and outlier 2 i + 1, then the depth; uniform: outlier 2 i, dropout 2 i + 1.
#define DEPTH   ( 2 * DS_LBL_MAX_BEACONS )
#define NORMALS ( DEPTH + 1 )

// Standard deviation of a range, as far as the instrument knows: noise, and where the beacons are.
static double range_sigma( const ds_lbl_config *config )
{
	const double *s = config->survey;
	return sqrt( config->range_noise * config->range_noise + ( s[0] * s[0] + s[1] * s[1] + s[2] * s[2] ) / 3 );
}

// The used range that fits worst; -1 if all lie within the gate.
static int32_t worst( const ds_lbl_ranges *r, ds_vec3 position, double gate )
{
	int32_t at = -1;
	double farthest = gate * r->range_sigma;
	for ( int32_t i = 0; i < r->count; ++i )
	{
		double miss = r->used[i] ? fabs( r->ranges[i] - ds_length( ds_sub( position, r->beacons[i] ) ) ) : 0;
		if ( miss > farthest )
		{
			farthest = miss;
			at = i;
		}
	}
	return at;
}

// The position, without the ranges that do not fit as long as one is to spare.
static void locate( const ds_lbl_config *config, ds_lbl_ranges *ranges, bool used[DS_LBL_MAX_BEACONS], ds_lbl *fix )
{
	int32_t count = 0, spare = config->depth_noise > 0 ? 3 : 4;
	for ( int32_t i = 0; i < ranges->count; ++i )
	{
		count += used[i];
	}
	ds_vec3 position;
	while ( ds_lbl_solve( ranges, &position, fix->covariance, &fix->residual ) )
	{
		int32_t out = config->gate > 0 && count > spare ? worst( ranges, position, config->gate ) : -1;
		if ( out < 0 )
		{
			fix->valid = true;
			fix->count = count;
			fix->position[0] = position.x;
			fix->position[1] = position.y;
			fix->position[2] = position.z;
			return;
		}
		used[out] = false;
		--count;
	}
	memset( fix->covariance, 0, sizeof( fix->covariance ) );
	fix->residual = 0;
}

void ds_lbl_measure( const ds_lbl_config *config, const ds_vec3 *believed, const ds_acoustic_truth *truth, double time,
	double depth, const ds_random *stream, ds_lbl *fix )
{
	memset( fix, 0, sizeof( *fix ) );
	double normal[NORMALS], uniform[2 * DS_LBL_MAX_BEACONS], longest = 0;
	ds_random_normals( stream, 0, NORMALS, normal );
	ds_random_uniforms( stream, 0, 2 * DS_LBL_MAX_BEACONS, uniform );
	bool used[DS_LBL_MAX_BEACONS] = { false };
	int32_t count = (int32_t)config->beacons.count;
	for ( int32_t i = 0; i < count; ++i )
	{
		const ds_sound_path *path = &truth[i].path;
		used[i] = fix->heard[i] =
			truth[i].clear && path->distance <= config->maximum && !( uniform[2 * i + 1] < config->dropout );
		if ( used[i] )
		{
			fix->ranges[i] = ds_acoustic_range( path, config->sound_speed, config->range_noise, config->outlier_rate,
				config->outlier, normal + 2 * i, uniform[2 * i] );
			longest = fmax( longest, path->time );
		}
	}
	fix->time = time;
	fix->age = longest + config->delay;
	ds_lbl_ranges ranges = { believed, fix->ranges, used, count, fmax( range_sigma( config ), 1e-6 ),
		depth + config->depth_noise * normal[DEPTH], config->depth_noise };
	locate( config, &ranges, used, fix );
}
