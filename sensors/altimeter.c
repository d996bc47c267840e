#include "sensors/altimeter.h"

#include "deepsim/math.h"
#include "sensors/process.h"
#include "sensors/tables.h"

#include <math.h>

static const ds_field config_fields[] = {
	DS_F64( ds_altimeter_config, minimum, "m", "0.3", 0, 1e5, "what is nearer gives no return" ),
	DS_F64( ds_altimeter_config, maximum, "m", "100", 0, 1e5, "what is farther gives no return" ),
	DS_ANGLE(
		ds_altimeter_config, beam, "0", 0, 170, "full width of the cone, whose nearest return counts; 0: one ray" ),
	DS_I64( ds_altimeter_config, rays, "", "19", 1, DS_ALTIMETER_MAX_RAYS, "in the cone" ),
	DS_F64( ds_altimeter_config, noise, "m", "0", 0, 1000, "standard deviation of white noise of each reading" ),
	DS_F64( ds_altimeter_config, resolution, "m", "0", 0, 1000, "readings are multiples of it; 0: exact" ),
	DS_F64( ds_altimeter_config, sound_speed, "m/s", "0", 0, 2000,
		"that the instrument takes for granted; 0: the water's own at the mount" ),
	DS_F64( ds_altimeter_config, noise_ratio, "", "0", 0, 1, "more white noise: standard deviation over range" ),
	DS_F64( ds_altimeter_config, bias, "m", "0", -1000, 1000, "constant bias" ),
	DS_ANGLE( ds_altimeter_config, incidence, "90", 0, 90,
		"from the normal of a surface, beyond which it sends no echo back; 90: any does" ),
	DS_F64( ds_altimeter_config, dropout_rate, "", "0", 0, 1, "probability that a return is missed" ),
	DS_F64( ds_altimeter_config, outlier_rate, "", "0", 0, 1,
		"probability that a reading is an outlier: any range from minimum to maximum" ),
};

static ds_status check_config( const void *value )
{
	const ds_altimeter_config *config = value;
	if ( !( config->minimum < config->maximum ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "minimum must be below maximum, got %g and %g m", config->minimum, config->maximum );
	}
	return DS_OK;
}

const ds_table ds_altimeter_options = { "altimeter_config", "Options of the sensor altimeter",
	sizeof( ds_altimeter_config ), config_fields, DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_BOOL( ds_altimeter, valid, NULL, "false: no return within range; range is then 0" ),
	DS_F64( ds_altimeter, range, "m", NULL, 0, 0, "along the beam, to the nearest return" ),
	DS_F64( ds_altimeter, variance, "m2", NULL, 0, 0,
		"of noise and of the resolution, outliers left out; 0 where not valid" ),
};

const ds_table ds_altimeter_readings = DS_TABLE(
	"altimeter", "Distance to the seabed, or to another body, along z of the mount", ds_altimeter, reading_fields );

DS_SENSOR_TABLES( altimeter )

void ds_altimeter_rays( double beam, int64_t count, ds_vec3 *directions )
{
	directions[0] = ds_v3( 0, 0, 1 );
	int64_t left = count - 1, at = 1;

	// rings of 6, 12, 18, ...; the last one takes what is left
	int64_t rings = 0;
	for ( int64_t room = 0; room < left; room += 6 * rings )
	{
		++rings;
	}
	for ( int64_t ring = 1; ring <= rings; ++ring )
	{
		int64_t here = ring < rings ? 6 * ring : left;
		double from_axis = 0.5 * beam * (double)ring / (double)rings;
		for ( int64_t i = 0; i < here; ++i )
		{
			double around = 2 * DS_PI * (double)i / (double)here;
			directions[at++] =
				ds_v3( sin( from_axis ) * cos( around ), sin( from_axis ) * sin( around ), cos( from_axis ) );
		}
		left -= here;
	}
}

// Puts a range into a reading, if it is one.
static void report( const ds_altimeter_config *config, double range, double true_range, ds_altimeter *reading )
{
	range = ds_quantise( range, config->resolution );
	double ratio = config->noise_ratio * true_range;
	reading->valid = range >= config->minimum && range <= config->maximum;
	reading->range = reading->valid ? range : 0;
	reading->variance = config->noise * config->noise + ratio * ratio + config->resolution * config->resolution / 12;
	if ( !reading->valid )
	{
		reading->variance = 0;
	}
}

void ds_altimeter_step(
	const ds_altimeter_config *config, double distance, double sound_speed, double normal, ds_altimeter *reading )
{
	double range = distance;
	if ( config->sound_speed > 0 && sound_speed > 0 )
	{
		range *= config->sound_speed / sound_speed; // what it times is the way there and back
	}
	double timed = range;
	range += config->bias + hypot( config->noise, config->noise_ratio * timed ) * normal;
	report( config, range, timed, reading );
	if ( !( distance >= 0 ) )
	{
		*reading = ( ds_altimeter ){ false, 0, 0 };
	}
}

void ds_altimeter_measure(
	const ds_altimeter_config *config, const ds_altimeter_truth *truth, const ds_random *stream, ds_altimeter *reading )
{
	double normal[DS_ALTIMETER_NORMALS] = { 0 }, uniform[DS_ALTIMETER_UNIFORMS] = { 1, 1, 0 };
	if ( config->noise > 0 || config->noise_ratio > 0 )
	{
		ds_random_normals( stream, 0, DS_ALTIMETER_NORMALS, normal );
	}
	if ( config->dropout_rate > 0 || config->outlier_rate > 0 )
	{
		ds_random_uniforms( stream, 0, DS_ALTIMETER_UNIFORMS, uniform );
	}
	bool missed = uniform[DS_ALTIMETER_DROPOUT] < config->dropout_rate;
	ds_altimeter_step( config, missed ? -1 : truth->distance, truth->sound_speed, normal[DS_ALTIMETER_WHITE], reading );
	if ( uniform[DS_ALTIMETER_OUTLIER] < config->outlier_rate )
	{
		double range = config->minimum + uniform[DS_ALTIMETER_ANYWHERE] * ( config->maximum - config->minimum );
		report( config, range, range, reading );
	}
}
