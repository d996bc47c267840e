#include "io/current_table.h"

#include "io/scenario_fields.h"

#define VELOCITY( doc_ )                                                                                               \
	F64_FLAGS( "velocity", DS_FIELD_REQUIRED, ds_current_def, velocity, 3, "m/s", NULL, -100, 100, doc_ )

// ---- what several models share -------------------------------------------------------------------------------------

static const ds_field bed_fields[] = { F64_FLAGS(
	"depth", DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, bed_depth, 1, "m", "100", 0, 12000, "z of the bed" ) };
static const ds_table bed_table = TABLE_OF( "bed", "", ds_current_def, bed_fields, NULL );
static const ds_choice beds[] = {
	{ DS_CURRENT_OF_WORLD, DS_FORM_NULL, "world", NULL, NULL, "the world's seabed" },
	{ DS_CURRENT_OF_DEF, DS_FORM_NUMBER, "depth", NULL, &bed_table, "z of a level bed" },
};
#define BED VARIANT_AT( "bed", ds_current_def, bed_source, beds, "null", "the bed that the flow is bounded by" )

// ---- decaying flows ------------------------------------------------------------------------------------------------

static const ds_field uniform_fields[] = { VELOCITY( "of the water, north, east, down: where it flows to" ) };
static const ds_field exponential_fields[] = {
	VELOCITY( "at the surface: north, east, down" ),
	F64_FLAGS( "depth", DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, depth, 1, "m", NULL, 0, 1e6,
		"over which it falls by e" ),
};
static const ds_field power_fields[] = {
	VELOCITY( "at the height: north, east, down" ),
	F64_AT( "height", ds_current_def, height, 1, "m", "0", 0, 12000, "of the velocity, above the bed; 0: all water" ),
	F64_FLAGS( "exponent", DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, exponent, 1, "", "0.14285714285714285", 0, 10,
		"of the height above the bed" ),
	BED,
};
static const ds_table uniform_table = TABLE_OF( "uniform", "", ds_current_def, uniform_fields, NULL );
static const ds_table exponential_table = TABLE_OF( "exponential", "", ds_current_def, exponential_fields, NULL );
static const ds_table power_table = TABLE_OF( "power", "", ds_current_def, power_fields, NULL );

// ---- Ekman ---------------------------------------------------------------------------------------------------------

static const ds_field latitude_fields[] = { F64_FLAGS(
	"latitude", DS_FIELD_ANGLE, ds_current_def, latitude, 1, "rad", "0", -90, 90, "north" ) };
static const ds_table latitude_table = TABLE_OF( "latitude", "", ds_current_def, latitude_fields, NULL );
static const ds_choice latitudes[] = {
	{ DS_CURRENT_OF_WORLD, DS_FORM_NULL, "world", NULL, NULL, "that of the origin" },
	{ DS_CURRENT_OF_DEF, DS_FORM_NUMBER, "latitude", NULL, &latitude_table, "north" },
};

static const ds_field drag_fields[] = { F64_AT(
	"drag", ds_current_def, drag_coefficient, 1, "", "0.0013", 0, 0.1, "of the sea on the wind at 10 m" ) };
static const ds_table drag_table = TABLE_OF( "drag", "", ds_current_def, drag_fields, NULL );
static const ds_choice drags[] = {
	{ DS_DRAG_TABLE, DS_FORM_NAME, "table", NULL, NULL, "measured; 2.6e-3 from 25 m/s on (Curcic and Haus 2020)" },
	{ DS_DRAG_LINEAR, DS_FORM_NAME, "linear", NULL, NULL, "0.79e-3 + 0.08e-3 U, 2.423e-3 from 20.2 m/s on (Xdyn)" },
	{ DS_DRAG_CONSTANT, DS_FORM_NUMBER, "drag", NULL, &drag_table, "a coefficient" },
};
static const ds_field wind_fields[] = {
	F64_FLAGS( "wind_speed", DS_FIELD_REQUIRED, ds_current_def, wind_speed, 1, "m/s", NULL, 0, 150, "at 10 m" ),
	F64_FLAGS( "wind_direction", DS_FIELD_ANGLE, ds_current_def, wind_direction, 1, "rad", "0", -360, 360,
		"where it blows to, from north over east" ),
	VARIANT_AT( "drag", ds_current_def, drag_law, drags, "\"table\"", "drag coefficient of the sea" ),
	F64_FLAGS( "air_density", DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, air_density, 1, "kg/m3", "1.225", 0, 1000,
		"density of the air" ),
};
static const ds_field stress_fields[] = { F64_AT(
	"stress", ds_current_def, stress, 2, "Pa", "[0, 0]", -1000, 1000, "on the surface: north, east" ) };
static const ds_table wind_table = TABLE_OF( "wind", "", ds_current_def, wind_fields, NULL );
static const ds_table stress_table = TABLE_OF( "stress", "", ds_current_def, stress_fields, NULL );
static const ds_choice stresses[] = {
	{ DS_STRESS_GIVEN, DS_FORM_ARRAY, "stress", NULL, &stress_table, "on the surface: north, east" },
	{ DS_STRESS_WIND, DS_FORM_OBJECT, "wind", NULL, &wind_table, "of a wind" },
};

static const ds_field ekman_fields[] = {
	F64_AT( "interior", ds_current_def, velocity, 2, "m/s", "[0, 0]", -100, 100,
		"geostrophic flow between the layers: north, east" ),
	F64_FLAGS( "surface_layer", DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, surface_layer, 1, "m",
		NULL, 0, 1e5, "depth D over which the wind's spiral falls by e^-pi" ),
	F64_FLAGS( "bed_layer", DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, bed_layer, 1, "m", NULL, 0,
		1e5, "the same above the bed" ),
	CHOICE_AT(
		"stress", DS_FIELD_VARIANT, 0, ds_current_def, stress_kind, stresses, "[0, 0]", "of the wind on the surface" ),
	VARIANT_AT( "latitude_deg", ds_current_def, latitude_source, latitudes, "null", "of the spiral" ),
	BED,
	F64_FLAGS( "water_density", DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, water_density, 1, "kg/m3", "1026", 0, 20000,
		"that turns stress into flow" ),
};
static const ds_table ekman_table = TABLE_OF( "ekman", "", ds_current_def, ekman_fields, NULL );

// ---- tables and harmonics ------------------------------------------------------------------------------------------

static const ds_field level_fields[] = {
	F64_FLAGS( "depth", DS_FIELD_REQUIRED, ds_current_level, depth, 1, "m", NULL, 0, 12000, "increasing" ),
	F64_FLAGS(
		"velocity", DS_FIELD_REQUIRED, ds_current_level, velocity, 3, "m/s", NULL, -100, 100, "north, east, down" ),
};
static const ds_table level_table = TABLE_OF( "level", "", ds_current_level, level_fields, NULL );
static const ds_field profile_fields[] = {
	{ "levels", DS_FIELD_ARRAY, DS_FIELD_REQUIRED, offsetof( ds_current_def, levels ), 1, sizeof( ds_current_level ),
		"", NULL, 0, 0, "by depth; monotone cubics between, constant outside", &level_table, NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table profile_table = TABLE_OF( "profile", "", ds_current_def, profile_fields, NULL );

static const ds_field period_fields[] = { F64_FLAGS( "period", DS_FIELD_EXCLUSIVE_MINIMUM, ds_tidal_constituent, period,
	1, "s", "44714.165", 0, 1e9, "of the harmonic" ) };
static const ds_table period_table = TABLE_OF( "period", "", ds_tidal_constituent, period_fields, NULL );
#define TIDE( name_, doc_ )                                                                                            \
	{                                                                                                                  \
		DS_TIDE_##name_, DS_FORM_NAME, #name_, NULL, NULL, doc_                                                        \
	}
static const ds_choice tides[] = {
	{ DS_TIDE_OTHER, DS_FORM_NUMBER, "period", NULL, &period_table, "a period" },
	TIDE( M2, "principal lunar, 12.42 h" ),
	TIDE( S2, "principal solar, 12 h" ),
	TIDE( N2, "larger lunar elliptic, 12.66 h" ),
	TIDE( K2, "lunisolar, 11.97 h" ),
	TIDE( K1, "lunar diurnal, 23.93 h" ),
	TIDE( O1, "lunar diurnal, 25.82 h" ),
	TIDE( P1, "solar diurnal, 24.07 h" ),
	TIDE( Q1, "larger lunar elliptic diurnal, 26.87 h" ),
	TIDE( M4, "shallow-water, 6.21 h" ),
};
static const ds_field constituent_fields[] = {
	CHOICE_AT( "period", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_tidal_constituent, tide, tides, NULL, "of the tide" ),
	F64_FLAGS( "major", DS_FIELD_REQUIRED, ds_tidal_constituent, major, 1, "m/s", NULL, 0, 100, "amplitude" ),
	F64_AT( "minor", ds_tidal_constituent, minor, 1, "m/s", "0", -100, 100,
		"across the axis; positive turns clockwise from above" ),
	F64_FLAGS( "axis", DS_FIELD_ANGLE, ds_tidal_constituent, axis, 1, "rad", "0", -360, 360, "from north over east" ),
	F64_FLAGS( "phase", DS_FIELD_ANGLE, ds_tidal_constituent, phase, 1, "rad", "0", -360, 360,
		"the greatest flow along the axis comes this late" ),
};
static const ds_table constituent_table = TABLE_OF( "constituent", "", ds_tidal_constituent, constituent_fields, NULL );
static const ds_field tidal_fields[] = {
	{ "constituents", DS_FIELD_ARRAY, DS_FIELD_REQUIRED, offsetof( ds_current_def, constituents ), 1,
		sizeof( ds_tidal_constituent ), "", NULL, 0, 0, "harmonics, which are summed", &constituent_table, NULL, 0,
		DS_ELEMENT_NONE },
};
static const ds_table tidal_table = TABLE_OF( "tidal", "", ds_current_def, tidal_fields, NULL );

static const ds_field random_fields[] = {
	F64_FLAGS( "deviation", DS_FIELD_REQUIRED, ds_current_def, deviation, 3, "m/s", NULL, 0, 100,
		"standard deviations: north, east, down" ),
	F64_FLAGS( "correlation_time", DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, correlation_time, 1, "s", "600", 0, 1e9,
		"over which correlation falls by e" ),
};
static const ds_table random_table = TABLE_OF( "gauss_markov", "", ds_current_def, random_fields, NULL );

// ---- jet and pipe --------------------------------------------------------------------------------------------------

#define POSITION( doc_ )                                                                                               \
	F64_FLAGS( "position", DS_FIELD_REQUIRED, ds_current_def, position, 3, "m", NULL, -1e7, 1e7, doc_ )
#define DIRECTION                                                                                                      \
	F64_FLAGS( "direction", DS_FIELD_REQUIRED, ds_current_def, direction, 3, "", NULL, -1e6, 1e6,                      \
		"of the flow: north, east, down, of any length" )
#define RADIUS( doc_ )                                                                                                 \
	F64_FLAGS(                                                                                                         \
		"radius", DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, radius, 1, "m", NULL, 0, 1e4, doc_ )
#define SPEED( doc_ ) F64_FLAGS( "speed", DS_FIELD_REQUIRED, ds_current_def, speed, 1, "m/s", NULL, -100, 100, doc_ )

static const ds_field jet_fields[] = {
	POSITION( "of the nozzle's centre" ),
	DIRECTION,
	RADIUS( "of the nozzle" ),
	SPEED( "at the nozzle" ),
};
static const ds_field pipe_fields[] = {
	POSITION( "of the centre of its mouth" ),
	DIRECTION,
	RADIUS( "inside" ),
	F64_FLAGS( "length", DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, ds_current_def, length, 1, "m", NULL, 0, 1e6,
		"from the mouth on" ),
	SPEED( "on the axis" ),
};
static const ds_table jet_table = TABLE_OF( "jet", "", ds_current_def, jet_fields, NULL );
static const ds_table pipe_table = TABLE_OF( "pipe", "", ds_current_def, pipe_fields, NULL );

// ---- all -----------------------------------------------------------------------------------------------------------

#define MODEL( kind_, name_, table_, doc_ )                                                                            \
	{                                                                                                                  \
		DS_CURRENT_##kind_, DS_FORM_OBJECT, name_, "model", &table_, doc_                                              \
	}
static const ds_choice models[] = {
	MODEL( UNIFORM, "uniform", uniform_table, "the same everywhere, always" ),
	MODEL( EXPONENTIAL, "exponential", exponential_table, "falls exponentially with depth" ),
	MODEL( POWER, "power", power_table, "a power of the height above the bed" ),
	MODEL( EKMAN, "ekman", ekman_table, "the wind's spiral, geostrophic interior, bed layer" ),
	MODEL( PROFILE, "profile", profile_table, "tabulated over depth" ),
	MODEL( TIDAL, "tidal", tidal_table, "harmonics of the tide" ),
	MODEL( GAUSS_MARKOV, "gauss_markov", random_table, "random in time, the same everywhere" ),
	MODEL( JET, "jet", jet_table, "a round turbulent jet from a nozzle" ),
	MODEL( PIPE, "pipe", pipe_table, "laminar flow in a straight pipe" ),
};
static const ds_field current_fields[] = { CHOICE_AT(
	"", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_current_def, kind, models, NULL, "kind of current" ) };
const ds_table ds_current_table =
	TABLE_OF( "current", "a current; several are summed", ds_current_def, current_fields, NULL );
