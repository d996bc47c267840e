// "environment" of a scenario: its tables, and the profiles that it names by files.

#include "core/sea.h"
#include "io/current_table.h"
#include "io/profile_csv.h"
#include "io/scenario_fields.h"
#include "io/scenario_internal.h"
#include "optics/water_table.h"
#include "sensors/magnetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define I64_AT( key_, struct_, member, initial_, minimum_, maximum_, doc_ )                                            \
	{                                                                                                                  \
		key_, DS_FIELD_I64, 0, offsetof( struct_, member ), 1, 0, "", initial_, minimum_, maximum_, doc_, NULL, NULL,  \
			0, DS_ELEMENT_NONE                                                                                         \
	}

// ---- density -----------------------------------------------------------------------------------------------------

#define DENSITY( key_, initial_, doc_ )                                                                                \
	F64_AT( key_, ds_file, environment.density, 1, "kg/m3", initial_, 1, 20000, doc_ )

static const ds_field density_number_fields[] = { DENSITY( "density", "1025", "the same everywhere" ) };
static const ds_field density_uniform_fields[] = { DENSITY( "value", "1025", "the same everywhere" ) };
static const ds_table density_number_table = TABLE_OF( "density", "", ds_file, density_number_fields, NULL );
static const ds_table density_uniform_table = TABLE_OF( "uniform", "", ds_file, density_uniform_fields, NULL );

static const ds_field increase_fields[] = {
	F64_AT( "increase", ds_file, environment.density_increase, 1, "kg/m3", "0", 0, 1000, "down to `depth`" ),
};
static const ds_table increase_table = TABLE_OF( "increase", "", ds_file, increase_fields, NULL );
static const ds_choice increases[] = {
	{ 0, DS_FORM_NULL, "usual", NULL, NULL, "0.3 % of the surface's density" },
	{ 1, DS_FORM_NUMBER, "increase", NULL, &increase_table, "down to `depth`" },
};
static const ds_field pycnocline_fields[] = {
	DENSITY( "surface", "1025", "at the surface" ),
	VARIANT_AT( "increase", ds_file, increase, increases, "null", "of density from the surface to `depth`" ),
	F64_AT( "depth", ds_file, environment.density_depth, 1, "m", "1000", 1, 20000, "below it the density stays" ),
};
static const ds_table pycnocline_table = TABLE_OF( "pycnocline", "", ds_file, pycnocline_fields, NULL );

static const ds_field density_level_fields[] = {
	F64_AT( "depth", ds_density_level, depth, 1, "m", "0", 0, 20000, "deeper than the level before" ),
	F64_AT( "density", ds_density_level, density, 1, "kg/m3", "1025", 1, 20000, "there" ),
};
static const ds_table density_level_table = TABLE_OF( "level", "", ds_density_level, density_level_fields, NULL );
static const ds_field density_file_fields[] = {
	NAME_AT( "file", DS_FIELD_REQUIRED, ds_file, density_path, NULL, "CSV with depth[m] and density[kg/m3]" ),
};
static const ds_field density_levels_fields[] = {
	ARRAY_AT(
		"levels", ds_file, environment.density_table, ds_density_level, &density_level_table, "from the surface down" ),
};
static const ds_table density_file_table = TABLE_OF( "file", "", ds_file, density_file_fields, NULL );
static const ds_table density_levels_table = TABLE_OF( "levels", "", ds_file, density_levels_fields, NULL );
static const ds_choice density_sources[] = {
	{ 0, DS_FORM_ARRAY, "levels", NULL, &density_levels_table, "levels, from the surface down" },
	{ 1, DS_FORM_STRING, "file", NULL, &density_file_table, "a CSV file with depth[m] and density[kg/m3]" },
};
static const ds_field density_table_fields[] = {
	CHOICE_AT( "levels", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_file, density_source, density_sources, NULL,
		"density against depth" ),
};
static const ds_table density_table_table = TABLE_OF( "table", "", ds_file, density_table_fields, NULL );

static const ds_choice densities[] = {
	{ DS_DENSITY_UNIFORM, DS_FORM_NUMBER, "density", NULL, &density_number_table, "the same everywhere" },
	{ DS_DENSITY_UNIFORM, DS_FORM_OBJECT, "uniform", "model", &density_uniform_table, "the same everywhere" },
	{ DS_DENSITY_PYCNOCLINE, DS_FORM_OBJECT, "pycnocline", "model", &pycnocline_table,
		"linear down to a depth, then constant" },
	{ DS_DENSITY_EOS80, DS_FORM_OBJECT, "eos80", "model", NULL, "by temperature, salinity and pressure: EOS-80" },
	{ DS_DENSITY_TEOS10, DS_FORM_OBJECT, "teos10", "model", NULL, "by temperature, salinity and pressure: TEOS-10" },
	{ DS_DENSITY_TABLE, DS_FORM_OBJECT, "table", "model", &density_table_table, "tabulated against depth" },
};

// ---- water -------------------------------------------------------------------------------------------------------

static const ds_field water_level_fields[] = {
	F64_AT( "depth", ds_water_level, depth, 1, "m", "0", 0, 20000, "deeper than the level before" ),
	F64_AT( "temperature", ds_water_level, temperature, 1, "degC", "4", -5, 50, "in situ (ITS-90)" ),
	F64_AT( "salinity", ds_water_level, salinity, 1, "PSU", "35", 0, 50, "practical" ),
};
static const ds_table water_level_table = TABLE_OF( "level", "", ds_water_level, water_level_fields, NULL );
static const ds_field profile_levels_fields[] = {
	ARRAY_AT( "profile", ds_file, environment.profile, ds_water_level, &water_level_table, "from the surface down" ),
};
static const ds_field profile_file_fields[] = {
	NAME_AT( "profile", DS_FIELD_REQUIRED, ds_file, profile_path, NULL, "CSV" ),
};
static const ds_table profile_levels_table = TABLE_OF( "levels", "", ds_file, profile_levels_fields, NULL );
static const ds_table profile_file_table = TABLE_OF( "file", "", ds_file, profile_file_fields, NULL );
static const ds_choice profiles[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "temperature and salinity are the same at all depths" },
	{ 1, DS_FORM_ARRAY, "levels", NULL, &profile_levels_table, "levels, from the surface down" },
	{ 2, DS_FORM_STRING, "file", NULL, &profile_file_table,
		"a CSV file with depth[m] or pressure[dbar], temperature[degC] and salinity[PSU]" },
};
static const ds_choice interpolations[] = {
	{ 0, DS_FORM_NAME, "monotone", NULL, NULL, "smooth cubics that never overshoot (PCHIP)" },
	{ 1, DS_FORM_NAME, "linear", NULL, NULL, "straight lines" },
};
static const ds_choice sounds[] = {
	{ DS_SPEED_CHEN_MILLERO, DS_FORM_NAME, "chen_millero", NULL, NULL, "Chen and Millero 1977" },
	{ DS_SPEED_MACKENZIE, DS_FORM_NAME, "mackenzie", NULL, NULL, "Mackenzie 1981" },
};
static const ds_field water_fields[] = {
	VARIANT_AT( "density", ds_file, environment.density_kind, densities, "1025", "density of the water" ),
	F64_AT( "temperature", ds_file, environment.temperature, 1, "degC", "4", -5, 50, "without a profile" ),
	F64_AT( "salinity", ds_file, environment.salinity, 1, "PSU", "35", 0, 50, "practical, without a profile" ),
	VARIANT_AT( "profile", ds_file, profile, profiles, "null", "temperature and salinity against depth" ),
	CHOICE_AT(
		"interpolation", DS_FIELD_ENUM, 0, ds_file, interpolation, interpolations, "\"monotone\"", "between levels" ),
	CHOICE_AT( "sound", DS_FIELD_ENUM, 0, ds_file, environment.sound, sounds, "\"chen_millero\"",
		"formula of the speed of sound" ),
	{ "optics", DS_FIELD_STRUCT, 0, offsetof( ds_file, environment.optics ), 1, sizeof( ds_water_optics_def ), "",
		"{\"model\": \"jerlov\"}", 0, 0, "what it does to light", &ds_water_optics_options, NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table water_table = TABLE_OF( "water", "", ds_file, water_fields, NULL );
static const ds_choice waters[] = {
	{ DS_WATER_NONE, DS_FORM_NULL, "vacuum", NULL, NULL, "no water at all" },
	{ DS_WATER_PRESENT, DS_FORM_OBJECT, "water", NULL, &water_table, "water below the surface" },
};

// ---- waves and wind ----------------------------------------------------------------------------------------------

#define WAVES( key_, member_, unit_, initial_, minimum_, maximum_, doc_ )                                              \
	F64_AT( key_, ds_file, environment.waves.member_, 1, unit_, initial_, minimum_, maximum_, doc_ )
#define WAVES_DIRECTION                                                                                                \
	F64_FLAGS( "direction", DS_FIELD_ANGLE, ds_file, environment.waves.direction, 1, "rad", "0", -360, 360,            \
		"that waves go to, from north over east" )
#define WAVES_DEPTH                                                                                                    \
	WAVES( "depth", depth, "m", "0", 0, 20000, "of the water, for the dispersion; 0: the seabed's, or deep" )
#define WAVES_SEA                                                                                                      \
	WAVES( "height", height, "m", "1", 0, 30, "significant height Hs" ),                                               \
		WAVES( "period", period, "s", "8", 0.5, 60, "of the spectrum's peak, Tp" ), WAVES_DIRECTION,                   \
		WAVES( "spreading", spreading, "", "10", 0, 200, "s of cos^2s of half the angle; 0: long-crested" ),           \
		I64_AT(                                                                                                        \
			"components", ds_file, environment.waves.components, "128", 1, DS_WAVES_MAX_COMPONENTS, "of the sum" ),    \
		I64_AT( "seed", ds_file, environment.waves.seed, "0", 0, 9007199254740992.0, "of phases and directions" ),     \
		WAVES_DEPTH

static const ds_field regular_fields[] = {
	WAVES( "height", height, "m", "1", 0, 30, "from trough to crest" ),
	WAVES( "period", period, "s", "8", 0.5, 60, "of the wave" ),
	WAVES_DIRECTION,
	F64_FLAGS( "phase", DS_FIELD_ANGLE, ds_file, environment.waves.phase, 1, "rad", "0", -360, 360,
		"at the origin at time 0; 0: a crest" ),
	WAVES_DEPTH,
};
static const ds_field jonswap_fields[] = {
	WAVES_SEA,
	WAVES( "gamma", peak_enhancement, "", "3.3", 1, 10, "peak enhancement" ),
};
static const ds_field pierson_moskowitz_fields[] = { WAVES_SEA };
static const ds_table regular_table = TABLE_OF( "regular", "", ds_file, regular_fields, NULL );
static const ds_table jonswap_table = TABLE_OF( "jonswap", "", ds_file, jonswap_fields, NULL );
static const ds_table pierson_moskowitz_table =
	TABLE_OF( "pierson_moskowitz", "", ds_file, pierson_moskowitz_fields, NULL );
static const ds_choice waves[] = {
	{ DS_WAVES_NONE, DS_FORM_NULL, "none", NULL, NULL, "flat water" },
	{ DS_WAVES_REGULAR, DS_FORM_OBJECT, "regular", "model", &regular_table, "one long-crested wave" },
	{ DS_WAVES_JONSWAP, DS_FORM_OBJECT, "jonswap", "model", &jonswap_table, "a wind sea that grows" },
	{ DS_WAVES_PIERSON_MOSKOWITZ, DS_FORM_OBJECT, "pierson_moskowitz", "model", &pierson_moskowitz_table,
		"a fully grown sea" },
};

#define WIND_FIELDS                                                                                                    \
	F64_AT( "velocity", ds_file, environment.wind.velocity, 3, "m/s", "[0, 0, 0]", -100, 100,                          \
		"mean, north, east, down, towards; where it depends on height, at 10 m" ),                                     \
		F64_AT( "gust", ds_file, environment.wind.gust, 3, "m/s", "[0, 0, 0]", 0, 50,                                  \
			"standard deviation of gusts along the wind, across it and down" ),                                        \
		F64_AT( "gust_time", ds_file, environment.wind.gust_time, 1, "s", "10", 0.01, 100000,                          \
			"correlation time of gusts" ),                                                                             \
		I64_AT( "seed", ds_file, environment.wind.seed, "0", 0, 9007199254740992.0, "of the gusts" ),                  \
		F64_AT( "air_density", ds_file, environment.wind.air_density, 1, "kg/m3", "1.225", 0, 10, "ISO 2533" )

static const ds_field uniform_wind_fields[] = { WIND_FIELDS };
static const ds_field logarithmic_wind_fields[] = {
	WIND_FIELDS,
	F64_AT( "roughness", ds_file, environment.wind.roughness, 1, "m", "0.0002", 1e-7, 1, "z0" ),
};
static const ds_table uniform_wind_table = TABLE_OF( "uniform", "", ds_file, uniform_wind_fields, NULL );
static const ds_table logarithmic_wind_table = TABLE_OF( "logarithmic", "", ds_file, logarithmic_wind_fields, NULL );
static const ds_choice winds[] = {
	{ DS_WIND_NONE, DS_FORM_NULL, "none", NULL, NULL, "calm: what is dry feels nothing" },
	{ DS_WIND_UNIFORM, DS_FORM_OBJECT, "uniform", "model", &uniform_wind_table, "the same at all heights" },
	{ DS_WIND_LOGARITHMIC, DS_FORM_OBJECT, "logarithmic", "model", &logarithmic_wind_table, "grows with height" },
};

static const ds_choice seabeds[] = {
	{ DS_SEABED_NONE, DS_FORM_NULL, "none", NULL, NULL, "no seabed" },
	{ DS_SEABED_FLAT, DS_FORM_OBJECT, "seabed", NULL, &ds_file_seabed_table, "its shape, and what it is made of" },
};

// ---- the magnetic field ------------------------------------------------------------------------------------------

static const ds_field magnetic_uniform_fields[] = { F64_FLAGS( "uniform", DS_FIELD_REQUIRED, ds_file,
	environment.magnetic.field, 3, "T", NULL, -0.5, 0.5, "north, east, down, the same everywhere" ) };
static const ds_table magnetic_uniform_table = TABLE_OF( "uniform", "", ds_file, magnetic_uniform_fields, NULL );
static const ds_choice magnetic_models[] = {
	{ DS_EARTH_FIELD_NONE, DS_FORM_NULL, "none", NULL, NULL, "none: magnets and cables alone" },
	{ DS_EARTH_FIELD_WMM2025, DS_FORM_NAME, "wmm2025", NULL, NULL, "World Magnetic Model 2025" },
	{ DS_EARTH_FIELD_IGRF14, DS_FORM_NAME, "igrf14", NULL, NULL,
		"International Geomagnetic Reference Field 14, from 1900 on" },
	{ DS_EARTH_FIELD_UNIFORM, DS_FORM_OBJECT, "uniform", NULL, &magnetic_uniform_table, "the same everywhere" },
};
static const ds_field magnetic_fields[] = {
	VARIANT_AT( "model", ds_file, environment.magnetic.earth, magnetic_models, "\"wmm2025\"",
		"of the Earth's field, at the origin's place and date" ),
	ARRAY_AT( "dipoles", ds_file, environment.magnetic.dipoles, ds_magnetic_dipole, &ds_magnetic_dipole_table,
		"magnets, and things of steel" ),
	ARRAY_AT( "cables", ds_file, environment.magnetic.cables, ds_magnetic_cable, &ds_magnetic_cable_table,
		"straight cables that carry currents" ),
};
static const ds_table magnetic_table = TABLE_OF( "magnetic", "", ds_file, magnetic_fields, NULL );
static const ds_choice magnetics[] = {
	{ 0, DS_FORM_NULL, "absent", NULL, NULL, "no magnetic field: sensors of it are errors" },
	{ 1, DS_FORM_OBJECT, "magnetic", NULL, &magnetic_table, "the Earth's, of magnets and of cables" },
};

// ---- environment -------------------------------------------------------------------------------------------------

static const ds_field gravity_fields[] = {
	F64_AT( "gravity", ds_file, environment.gravity, 1, "m/s2", "9.81", 0, 100, "downward acceleration" ),
};
static const ds_table gravity_table = TABLE_OF( "gravity", "", ds_file, gravity_fields, NULL );
static const ds_choice gravities[] = {
	{ 0, DS_FORM_NUMBER, "gravity", NULL, &gravity_table, "the same everywhere" },
	{ 1, DS_FORM_NAME, "latitude", NULL, NULL, "normal gravity of WGS-84 at the origin's latitude" },
};
static const ds_field environment_fields[] = {
	VARIANT_AT( "gravity", ds_file, gravity, gravities, "9.81", "downward acceleration" ),
	BOOL_AT(
		"earth_rotation", ds_file, environment.earth_rotation, "false", "Coriolis acceleration of bodies and water" ),
	F64_AT( "surface_pressure", ds_file, environment.surface_pressure, 1, "Pa", "101325", 0, 1e8,
		"of the air at z = 0 (ISO 2533)" ),
	VARIANT_AT( "water", ds_file, environment.water, waters, "{}", "the water; null: vacuum" ),
	ARRAY_AT(
		"currents", ds_file, environment.currents, ds_current_def, &ds_current_table, "currents, which are summed" ),
	VARIANT_AT( "waves", ds_file, environment.waves.kind, waves, "null", "waves of the surface" ),
	VARIANT_AT( "wind", ds_file, environment.wind.kind, winds, "null", "wind over the surface" ),
	VARIANT_AT( "magnetic", ds_file, magnetic, magnetics, "{}", "the magnetic field" ),
	STRUCT_AT( "sky", 0, offsetof( ds_file, environment.sky ), &ds_sky_options, "daylight" ),
	VARIANT_AT( "seabed", ds_file, environment.seabed, seabeds, "null", "the ground" ),
};
const ds_table ds_file_environment_table =
	TABLE_OF( "environment", "what surrounds the bodies", ds_file, environment_fields, NULL );

// A copy of a table whose field `key` can be changed.
static ds_status copy_table( ds_arena *arena, const ds_table *from, const char *key, ds_table *copy, ds_field **field )
{
	void *memory;
	const size_t size = sizeof( ds_field ) * (size_t)from->field_count;
	DS_TRY( ds_arena_new( arena, size, &memory ) );
	ds_field *fields = memory;
	memcpy( fields, from->fields, size );
	*copy = *from;
	copy->fields = fields;
	*field = NULL;
	for ( int32_t i = 0; i < from->field_count && *field == NULL; ++i )
	{
		*field = strcmp( fields[i].name, key ) == 0 ? &fields[i] : NULL;
	}
	return *field ? DS_OK : ds_error( DS_ERROR_INTERNAL, "the table %s has no field \"%s\"", from->name, key );
}

ds_status ds_file_environment_make( ds_arena *arena, ds_table *environment, ds_table *seabed )
{
	ds_field *field;
	DS_TRY( copy_table( arena, &ds_file_seabed_table, "appearance", seabed, &field ) );
	field->table = ds_seabed_look_table();
	DS_TRY( copy_table( arena, &ds_file_environment_table, "seabed", environment, &field ) );
	void *memory;
	DS_TRY( ds_arena_new( arena, sizeof( seabeds ), &memory ) );
	ds_choice *choices = memory;
	memcpy( choices, seabeds, sizeof( seabeds ) );
	choices[1].table = seabed;
	field->choices = choices;
	return DS_OK;
}

// ---- profiles from files -----------------------------------------------------------------------------------------

// Reads a file that `node` names.
static ds_status read_csv(
	ds_loader *loader, const ds_json *node, const char *path, unsigned needs, ds_profile *profile )
{
	const char *joined;
	DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, path, &joined ) );
	double latitude = loader->scenario->environment.latitude;
	ds_status status = ds_profile_read( &loader->scenario->hooks.allocator, joined, latitude, needs, profile );
	return status == DS_OK ? DS_OK : ds_json_prefix( status, node );
}

static const ds_json *water_node( const ds_loader *loader )
{
	return ds_json_find( ds_json_find( loader->tree, "environment" ), "water" );
}

static ds_status load_profile( ds_loader *loader )
{
	ds_profile csv;
	DS_TRY( read_csv( loader, ds_json_find( water_node( loader ), "profile" ), loader->file.profile_path,
		DS_PROFILE_TEMPERATURE | DS_PROFILE_SALINITY, &csv ) );
	void *memory;
	ds_status status = ds_new_array( &loader->scenario->arena, csv.count, sizeof( ds_water_level ), &memory );
	if ( status == DS_OK )
	{
		ds_water_level *levels = memory;
		for ( int64_t i = 0; i < csv.count; ++i )
		{
			levels[i] = ( ds_water_level ){ csv.depth[i], csv.temperature[i], csv.salinity[i] };
		}
		loader->scenario->environment.profile = ( ds_array ){ levels, csv.count };
	}
	ds_profile_free( &csv );
	return status;
}

static ds_status load_densities( ds_loader *loader )
{
	ds_profile csv;
	DS_TRY( read_csv( loader, ds_json_find( ds_json_find( water_node( loader ), "density" ), "levels" ),
		loader->file.density_path, DS_PROFILE_DENSITY, &csv ) );
	void *memory;
	ds_status status = ds_new_array( &loader->scenario->arena, csv.count, sizeof( ds_density_level ), &memory );
	if ( status == DS_OK )
	{
		ds_density_level *levels = memory;
		for ( int64_t i = 0; i < csv.count; ++i )
		{
			levels[i] = ( ds_density_level ){ csv.depth[i], csv.density[i] };
		}
		loader->scenario->environment.density_table = ( ds_array ){ levels, csv.count };
	}
	ds_profile_free( &csv );
	return status;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

// The node that an error of the sea is about: it says "environment: water: ...", "environment: current 2 (jet): ...".
static const ds_json *blamed( const ds_loader *loader, const char **message )
{
	static const char start[] = "environment: ";
	const ds_json *node = ds_json_find( loader->tree, "environment" );
	if ( node == NULL || strncmp( *message, start, sizeof( start ) - 1 ) != 0 )
	{
		return node ? node : loader->tree;
	}
	*message += sizeof( start ) - 1;
	static const char *const members[] = { "water", "waves", "wind" };
	for ( size_t i = 0; i < sizeof( members ) / sizeof( members[0] ); ++i )
	{
		size_t length = strlen( members[i] );
		if ( strncmp( *message, members[i], length ) == 0 && strncmp( *message + length, ": ", 2 ) == 0 )
		{
			*message += length + 2;
			const ds_json *member = ds_json_find( node, members[i] );
			return member ? member : node;
		}
	}
	const ds_json *currents = ds_json_find( node, "currents" ), *current = NULL;
	if ( currents && strncmp( *message, "current ", 8 ) == 0 )
	{
		current = ds_json_at( currents, strtoll( *message + 8, NULL, 10 ) );
	}
	return current ? current : currents ? currents : node;
}

// What the tables cannot check (levels in order, waves that would break) is checked here, where file and line are known.
static ds_status check_sea( const ds_loader *loader )
{
	const ds_scenario *scenario = loader->scenario;
	ds_sea *sea;
	ds_status status = ds_sea_create( &scenario->hooks, &scenario->environment, scenario->seed, &sea );
	if ( status == DS_OK )
	{
		ds_sea_release( sea );
		return DS_OK;
	}
	char text[1024];
	snprintf( text, sizeof( text ), "%s", ds_last_error() );
	const char *message = text;
	const ds_json *node = blamed( loader, &message );
	return ds_json_error( status, node, "%s", message );
}

static ds_status check_optics( const ds_loader *loader )
{
	const ds_scenario *scenario = loader->scenario;
	if ( scenario->environment.water == DS_WATER_NONE )
	{
		return DS_OK;
	}
	ds_water_optics *optics;
	ds_status status = ds_water_optics_create( &scenario->environment.optics, &scenario->hooks, &optics );
	if ( status != DS_OK )
	{
		const ds_json *node = ds_json_find( water_node( loader ), "optics" );
		return ds_json_prefix( status, node ? node : loader->tree );
	}
	ds_water_optics_release( optics );
	return DS_OK;
}

// What asks for the latitude must not take the equator for it because nobody said where the sea is.
static ds_status check_latitude( const ds_loader *loader )
{
	const ds_environment_def *e = &loader->scenario->environment;
	const ds_json *node = ds_json_find( loader->tree, "environment" );
	if ( ds_json_find( ds_json_find( loader->tree, "origin" ), "latitude_deg" ) )
	{
		return DS_OK;
	}
	if ( e->gravity_by_latitude || e->earth_rotation )
	{
		const char *key = e->earth_rotation ? "earth_rotation" : "gravity";
		return ds_json_error(
			DS_ERROR_NOT_FOUND, ds_json_find( node, key ), "origin.latitude_deg is missing, which this goes by" );
	}
	const ds_json *model = ds_json_find( ds_json_find( node, "magnetic" ), "model" );
	if ( model && ( e->magnetic.earth == DS_EARTH_FIELD_WMM2025 || e->magnetic.earth == DS_EARTH_FIELD_IGRF14 ) )
	{
		return ds_json_error(
			DS_ERROR_NOT_FOUND, model, "origin.latitude_deg is missing, which the Earth's field goes by" );
	}
	const ds_current_def *currents = e->currents.data;
	for ( int64_t i = 0; i < e->currents.count; ++i )
	{
		if ( currents[i].kind == DS_CURRENT_EKMAN && currents[i].latitude_source == DS_CURRENT_OF_WORLD )
		{
			return ds_json_error( DS_ERROR_NOT_FOUND, ds_json_at( ds_json_find( node, "currents" ), i ),
				"origin.latitude_deg is missing, which the spiral goes by, or a latitude_deg of its own" );
		}
	}
	return DS_OK;
}

ds_status ds_load_environment( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_file *file = &loader->file;
	ds_environment_def *e = &scenario->environment;
	*e = file->environment;
	e->struct_size = sizeof( *e );
	e->gravity_by_latitude = file->gravity == 1;
	e->gravity = file->gravity == 1 ? 9.81 : e->gravity;
	e->linear_profile = file->interpolation == 1;
	e->magnetic.earth = file->magnetic == 0 ? DS_EARTH_FIELD_ABSENT : e->magnetic.earth;
	if ( e->density_kind != DS_DENSITY_PYCNOCLINE || file->increase == 0 )
	{
		e->density_increase = NAN;
	}
	if ( e->density_kind != DS_DENSITY_UNIFORM && e->density_kind != DS_DENSITY_PYCNOCLINE )
	{
		e->density = 1025;
	}
	if ( e->density_kind != DS_DENSITY_PYCNOCLINE )
	{
		e->density_depth = 1000;
	}
	if ( e->water == DS_WATER_PRESENT && file->profile == 2 )
	{
		DS_TRY( load_profile( loader ) );
	}
	if ( e->water == DS_WATER_PRESENT && e->density_kind == DS_DENSITY_TABLE && file->density_source == 1 )
	{
		DS_TRY( load_densities( loader ) );
	}
	DS_TRY( check_latitude( loader ) );
	DS_TRY( ds_load_seabed( loader ) );
	DS_TRY( check_optics( loader ) );
	return check_sea( loader );
}
