// The tables of the DVL: options, presets, readings.

#include "sensors/beams.h"
#include "sensors/tables.h"

static const ds_choice track_choices[] = {
	{ DS_DVL_BOTTOM, DS_FORM_NAME, "bottom", NULL, NULL, "of the bottom alone" },
	{ DS_DVL_WATER, DS_FORM_NAME, "water", NULL, NULL, "of the water alone" },
	{ DS_DVL_BOTH, DS_FORM_NAME, "both", NULL, NULL, "of both in every ping" },
};

static const ds_choice walk_choices[] = {
	{ DS_DVL_WALK_ROOT, DS_FORM_NAME, "root", NULL, NULL, "grows with the square root of time, whatever the rate" },
	{ DS_DVL_WALK_PRINTED, DS_FORM_NAME, "printed", NULL, NULL,
		"eq. 9 of the source paper as printed: a step of bias_walk times the interval" },
};

static const ds_choice water_choices[] = {
	{ DS_DVL_WATER_LAYER, DS_FORM_NAME, "layer", NULL, NULL,
		"each beam meets the water of the layer where it passes it" },
	{ DS_DVL_WATER_PRINTED, DS_FORM_NAME, "printed", NULL, NULL,
		"eq. 8 of the source paper as printed: one water velocity, that at the transducer" },
};

static const ds_field config_fields[] = {
	DS_STRUCT( ds_dvl_config, beams, &ds_beams_table,
		"where the beams look: { \"angle_deg\", \"azimuth_deg\" }, or x, y, z of each of the four" ),
	DS_ENUM( ds_dvl_config, array, ds_array_choices, "\"piston\"", "kind of transducer" ),
	DS_F64( ds_dvl_config, array_sound_speed, "m/s", "1500", 1300, 1700,
		"phased array: speed of sound at which the beams look as given" ),
	DS_ENUM( ds_dvl_config, track, track_choices, "\"bottom\"", "what the velocity is measured against" ),
	DS_F64( ds_dvl_config, minimum_altitude, "m", "0.2", 0, 1e4,
		"what is nearer, along the array's axis, gives no return" ),
	DS_F64( ds_dvl_config, maximum_altitude, "m", "100", 0.01, 1e4, "what is farther gives no return" ),
	DS_F64( ds_dvl_config, noise, "m/s", "0", 0, 100, "standard deviation of white noise of a beam's velocity" ),
	DS_F64( ds_dvl_config, noise_proportional, "", "0", 0, 1, "more of it, over the size of the beam's velocity" ),
	DS_F64( ds_dvl_config, bias, "m/s", "[0, 0, 0]", -10, 10, "constant bias, mount axes" ),
	DS_EACH( ds_dvl_config, bias_walk, "m/s/sqrt(s)", "[0, 0, 0]", 0, 10, "random walk of the bias, mount axes" ),
	DS_ENUM( ds_dvl_config, walk, walk_choices, "\"root\"", "how the bias walks" ),
	DS_F64( ds_dvl_config, scale, "", "0", -0.5, 0.5, "error of the scale of velocities: 0.002 reads 0.2 % too fast" ),
	DS_F64( ds_dvl_config, outlier_probability, "", "0", 0, 1, "of a beam and a ping" ),
	DS_F64( ds_dvl_config, outlier_size, "m/s", "1", 0, 100, "standard deviation of what an outlier adds" ),
	DS_F64(
		ds_dvl_config, dropout, "", "0", 0, 1, "probability that a beam hears nothing, besides range and incidence" ),
	DS_F64( ds_dvl_config, range_fade, "", "0", 0, 1,
		"share of the greatest range over which returns get lost, all at its end" ),
	DS_ANGLE( ds_dvl_config, incidence_limit, "90", 1, 90,
		"between beam and normal of the surface, from which nothing returns" ),
	DS_ANGLE( ds_dvl_config, incidence_fade, "0", 0, 90, "width of the angles below it over which returns get lost" ),
	DS_F64( ds_dvl_config, error_limit, "m/s", "0", 0, 100,
		"four beams that disagree by more give no velocity; 0: they always do" ),
	DS_F64( ds_dvl_config, resolution, "m/s", "0", 0, 10, "of a beam's velocity; 0: exact" ),
	DS_F64( ds_dvl_config, range_noise, "m", "0", 0, 1000, "standard deviation of white noise of a beam's range" ),
	DS_F64( ds_dvl_config, range_resolution, "m", "0", 0, 1000, "of a beam's range; 0: exact" ),
	DS_F64( ds_dvl_config, sound_speed, "m/s", "0", 0, 2000,
		"that the instrument takes for granted; 0: the water's own at the transducer" ),
	DS_F64( ds_dvl_config, layer_near, "m", "2", 0, 1e4, "water track: start of the layer, along the array's axis" ),
	DS_F64( ds_dvl_config, layer_far, "m", "6", 0.01, 1e4, "its end, or 80 % of the shortest distance to the bottom" ),
	DS_F64( ds_dvl_config, layer_minimum, "m", "1", 0, 1e4, "least thickness of the layer; less gives no water track" ),
	DS_ENUM( ds_dvl_config, water, water_choices, "\"layer\"", "which water is tracked" ),
	DS_F64( ds_dvl_config, water_noise, "m/s", "0", 0, 100,
		"standard deviation of white noise of a beam's velocity, water track" ),
	DS_BOOL( ds_dvl_config, adaptive, "false", "whether a ping waits until the last one has come back" ),
	DS_F64( ds_dvl_config, overhead, "s", "0", 0, 10, "time that a ping takes besides the way of the sound" ),
};

static ds_status check_config( const void *value )
{
	const ds_dvl_config *c = value;
	if ( !( c->minimum_altitude < c->maximum_altitude ) )
	{
		return ds_error( DS_ERROR_RANGE, "minimum_altitude must be below maximum_altitude, got %g and %g m",
			c->minimum_altitude, c->maximum_altitude );
	}
	if ( c->track != DS_DVL_BOTTOM && c->water == DS_DVL_WATER_LAYER &&
		 !( c->layer_far - c->layer_near >= c->layer_minimum && c->layer_far > c->layer_near ) )
	{
		return ds_error( DS_ERROR_RANGE, "layer_far must be layer_minimum or more beyond layer_near, got %g to %g m",
			c->layer_near, c->layer_far );
	}
	ds_beam_set set;
	return ds_beams_prepare( &c->beams, &set );
}

// Only what could be found in print. Single-ping deviations are seldom published: set `noise`.
static const ds_preset presets[] = {
	{ "workhorse_600", "{ \"beams\": { \"angle_deg\": 30 }, \"minimum_altitude\": 0.7, \"maximum_altitude\": 90 }",
		"Teledyne RDI Workhorse Navigator 600 kHz: 30 degrees (rdinstruments.com/nav_faq.html); 0.7 to 90 m "
		"(datasheet, by the "
		"DAVE project's teledyne_whn.xacro); 7 Hz" },
	{ "pathfinder_600", "{ \"beams\": { \"angle_deg\": 30 }, \"array\": \"phased\", \"array_sound_speed\": 1536 }",
		"Teledyne RDI Pathfinder 600 kHz: phased array, sin(angle) = c/(2 x 1536 m/s) (Pathfinder DVL Guide, April "
		"2018, p. 127); "
		"ranges and noise not set" },
	{ "dvl500", "{ \"beams\": { \"angle_deg\": 25 }, \"minimum_altitude\": 0.3, \"maximum_altitude\": 200 }",
		"Nortek DVL500, 300 m: 25 degrees, 0.3 to 200 m (datasheet, by the DAVE project's nortek_dvl500_300.xacro); at "
		"most 8 Hz (DVL "
		"user manual 2017, p. 19)" },
	{ "dvl1000", "{ \"beams\": { \"angle_deg\": 25 }, \"minimum_altitude\": 0.2, \"maximum_altitude\": 75 }",
		"Nortek DVL1000, 300 m: 25 degrees, 0.2 to 75 m (datasheet, by the DAVE project's nortek_dvl1000_300.xacro); "
		"at most 8 Hz "
		"(DVL user manual 2017, p. 19)" },
	{ "a50",
		"{ \"beams\": { \"angle_deg\": 22.5 }, \"minimum_altitude\": 0.05, \"maximum_altitude\": 50, \"sound_speed\": "
		"1500, "
		"\"layer_near\": 1.5, \"layer_far\": 4.5, \"adaptive\": true }",
		"Water Linked DVL A50: 0.05 to 50 m, takes 1500 m/s for granted (waterlinked.github.io/docs/dvl/dvl-a50), "
		"water track from 1.5 "
		"to 4.5 m (docs.waterlinked.com/dvl/water-tracking), 2 to 15 Hz by altitude (range-mode); 22.5 degrees (as "
		"OceanSim has it)" },
};

const ds_table ds_dvl_options = { "dvl_config", "Options of the sensor dvl", sizeof( ds_dvl_config ), config_fields,
	DS_COUNT( config_fields ), check_config, presets, DS_COUNT( presets ) };

// ---- readings ------------------------------------------------------------------------------------------------------

static const ds_choice mode_choices[] = {
	{ DS_DVL_NONE, DS_FORM_NAME, "none", NULL, NULL, "no velocity" },
	{ DS_DVL_MODE_BOTTOM, DS_FORM_NAME, "bottom", NULL, NULL, "velocity is valid" },
	{ DS_DVL_MODE_WATER, DS_FORM_NAME, "water", NULL, NULL, "water_velocity alone is valid" },
};

// One element for each beam, columns NAME_0 to NAME_3.
#define BEAMS_F64( member, unit, doc )                                                                                 \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_NUMBERED, offsetof( ds_dvl, member ), DS_BEAMS, 0, unit, NULL, 0, 0, doc,      \
			NULL, NULL, 0, DS_ELEMENT_NONE                                                                             \
	}
#define BEAMS_BOOL( member, doc )                                                                                      \
	{                                                                                                                  \
#member, DS_FIELD_BOOL, DS_FIELD_NUMBERED, offsetof( ds_dvl, member ), DS_BEAMS, 0, "", NULL, 0, 1, doc, NULL, \
			NULL, 0, DS_ELEMENT_NONE                                                                                   \
	}
#define MATRIX( member, doc )                                                                                          \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( ds_dvl, member ), 9, 0, "(m/s)2", NULL, 0, 0, doc, NULL,     \
			NULL, 0, DS_ELEMENT_NONE                                                                                   \
	}

static const ds_field reading_fields[] = {
	DS_BOOL(
		ds_dvl, fresh, NULL, "a ping was made for this sample; false: the last one is under way, and all else is 0" ),
	DS_ENUM( ds_dvl, mode, mode_choices, NULL, "the best reference of this ping" ),
	DS_BOOL( ds_dvl, bottom_valid, NULL, "three beams or more heard the bottom, and agree" ),
	DS_I64( ds_dvl, n_good, "", NULL, 0, 0, "beams that heard the bottom" ),
	DS_F64( ds_dvl, velocity, "m/s", NULL, 0, 0, "of the transducer over what is hit, mount axes" ),
	MATRIX( covariance, "of velocity, from the beams' white noise and resolution" ),
	DS_F64( ds_dvl, error_velocity, "m/s", NULL, 0, 0, "what four beams disagree by" ),
	DS_F64( ds_dvl, figure_of_merit, "m/s", NULL, 0, 0, "expected length of the velocity's error" ),
	DS_BOOL( ds_dvl, altitude_valid, NULL, "some beam heard the bottom" ),
	DS_F64( ds_dvl, altitude, "m", NULL, 0, 0, "world vertical to the plane through the beams' footprints" ),
	BEAMS_BOOL( beam_valid, "the beam heard the bottom" ),
	BEAMS_F64( beam_velocity, "m/s", "along the beam, positive towards the bottom" ),
	BEAMS_F64( beam_range, "m", "along the beam" ),
	BEAMS_F64( beam_quality, "", "chance that such a return is heard" ),
	DS_BOOL( ds_dvl, water_valid, NULL, "three beams or more heard the layer, and agree" ),
	DS_I64( ds_dvl, n_water, "", NULL, 0, 0, "beams that heard the layer" ),
	DS_F64(
		ds_dvl, water_velocity, "m/s", NULL, 0, 0, "of the transducer relative to the water, v - v_water, mount axes" ),
	MATRIX( water_covariance, "of water_velocity" ),
	DS_F64( ds_dvl, water_error_velocity, "m/s", NULL, 0, 0, "what four beams disagree by" ),
	BEAMS_BOOL( water_beam_valid, "the beam heard the layer" ),
	BEAMS_F64( water_beam_velocity, "m/s", "along the beam, relative to the water" ),
	DS_F64( ds_dvl, sound_speed, "m/s", NULL, 0, 0, "that the instrument reckoned with" ),
	DS_F64( ds_dvl, ping_time, "s", NULL, 0, 0, "from the ping to the last echo waited for" ),
};

const ds_table ds_dvl_readings =
	DS_TABLE( "dvl", "Velocity over the bottom and through the water, by four beams", ds_dvl, reading_fields );

DS_SENSOR_TABLES( dvl )
DS_SENSOR_PRESETS( dvl )
