// "seabed" of a scenario: its tables.

#include "io/scenario_fields.h"
#include "terrain/soil_fields.h"
#include "terrain/soil_sets.h"

// ---- numbers that may be null --------------------------------------------------------------------------------------

// A table that is a number, or an array of `count_` numbers, or null.
#define MAYBE_TABLE( id_, form_, count_, unit_, initial_, none_doc_, doc_ )                                            \
	static const ds_field id_##_number[] = { F64_AT(                                                                   \
		#id_, ds_file_maybe, number, count_, unit_, initial_, 0, 0, doc_ ) };                                          \
	static const ds_table id_##_number_table = TABLE_OF( #id_, "", ds_file_maybe, id_##_number, NULL );                \
	static const ds_choice id_##_choices[] = {                                                                         \
		{ 0, DS_FORM_NULL, "none", NULL, NULL, none_doc_ },                                                            \
		{ 1, form_, #id_, NULL, &id_##_number_table, doc_ },                                                           \
	};                                                                                                                 \
	static const ds_field id_##_fields[] = { VARIANT_AT( "", ds_file_maybe, given, id_##_choices, "null", doc_ ) };    \
	static const ds_table id_##_table = TABLE_OF( #id_, "", ds_file_maybe, id_##_fields, NULL )

MAYBE_TABLE( position, DS_FORM_ARRAY, 2, "m", "[0, 0]", "where its coordinates say", "north, east of its centre" );
MAYBE_TABLE( scale, DS_FORM_NUMBER, 1, "", "1", "what the file says, or 1", "metres for each unit of the file" );
MAYBE_TABLE( nodata, DS_FORM_NUMBER, 1, "", "0", "what the file says, if anything", "stands for no ground" );
MAYBE_TABLE( window, DS_FORM_ARRAY, 4, "m or deg", "[0, 0, 1, 1]", "all of it",
	"south, west, north, east, in the file's coordinates" );

#define MAYBE_AT( key_, member_, table_, doc_ )                                                                        \
	{                                                                                                                  \
		key_, DS_FIELD_STRUCT, 0, offsetof( ds_file, member_ ), 1, 0, "", "null", 0, 0, doc_, &table_, NULL, 0,        \
			DS_ELEMENT_NONE                                                                                            \
	}

// ---- soils ---------------------------------------------------------------------------------------------------------

#define SOIL_CHOICE( name_, title_, source_, assumed_, soil_ )                                                         \
	{ DS_SOIL_##name_, DS_FORM_NAME, #name_, NULL, NULL, title_ },
static const ds_choice soil_names[] = { DS_SOIL_LIST( SOIL_CHOICE ) };

static const ds_field custom_fields[] = {
	CHOICE_AT( "set", DS_FIELD_ENUM, 0, ds_file_soil, set, soil_names, "\"dry_sand\"",
		"a soil that gives what is not said here" ),
	DS_SOIL_FIELDS( offsetof( ds_file_soil, soil ) ),
};
const ds_table ds_file_custom_soil_table = TABLE_OF( "custom", "", ds_file_soil, custom_fields, NULL );

#define CUSTOM                                                                                                         \
	{                                                                                                                  \
		DS_FILE_SOIL_CUSTOM, DS_FORM_OBJECT, "custom", NULL, &ds_file_custom_soil_table, "with numbers of its own"     \
	}
static const ds_choice soils[] = { DS_SOIL_LIST( SOIL_CHOICE ) CUSTOM };
static const ds_choice soils_or_none[] = {
	{ DS_FILE_SOIL_NONE, DS_FORM_NULL, "none", NULL, NULL, "none: the seabed is rigid" },
	DS_SOIL_LIST( SOIL_CHOICE ) CUSTOM,
};
static const ds_field soil_fields[] = {
	CHOICE_AT( "", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_file_soil, kind, soils, NULL, "a name, or numbers" ),
};
static const ds_field soil_or_none_fields[] = {
	VARIANT_AT( "", ds_file_soil, kind, soils_or_none, "null", "a name, or numbers" ),
};
static const ds_table soil_table = TABLE_OF( "soil", "a soil", ds_file_soil, soil_fields, NULL );
static const ds_table soil_or_none_table = TABLE_OF( "soil", "a soil", ds_file_soil, soil_or_none_fields, NULL );

// ---- patches -------------------------------------------------------------------------------------------------------

static const ds_field place_fields[] = {
	F64_AT( "place", ds_file_point, place, 2, "m", "[0, 0]", -1e7, 1e7, "north, east" ),
};
static const ds_table place_table = TABLE_OF( "place", "", ds_file_point, place_fields, NULL );
static const ds_choice points[] = { { 0, DS_FORM_ARRAY, "point", NULL, &place_table, "north, east" } };
static const ds_field point_fields[] = {
	CHOICE_AT( "", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_file_point, form, points, NULL, "a corner" ),
};
static const ds_table point_table = TABLE_OF( "point", "", ds_file_point, point_fields, NULL );
static const ds_field patch_fields[] = {
	{ "soil", DS_FIELD_STRUCT, DS_FIELD_REQUIRED, offsetof( ds_file_patch, soil ), 1, 0, "", NULL, 0, 0,
		"what lies there", &soil_table, NULL, 0, DS_ELEMENT_NONE },
	{ "polygon", DS_FIELD_ARRAY, DS_FIELD_REQUIRED, offsetof( ds_file_patch, polygon ), 1, sizeof( ds_file_point ), "m",
		NULL, 0, 0, "3 corners or more, north, east, either way round", &point_table, NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table patch_table = TABLE_OF( "patch", "", ds_file_patch, patch_fields, NULL );

// ---- rasters -------------------------------------------------------------------------------------------------------

static const ds_choice systems[] = {
	{ DS_CRS_AUTO, DS_FORM_NAME, "auto", NULL, NULL,
		"what the file says; else degrees where all coordinates can be such and cells are below 5, else metres" },
	{ DS_CRS_LOCAL, DS_FORM_NAME, "local", NULL, NULL, "metres east and north of the origin" },
	{ DS_CRS_GEOGRAPHIC, DS_FORM_NAME, "geographic", NULL, NULL,
		"degrees, about the origin; without one, about the raster's centre" },
};
static const ds_choice senses[] = {
	{ 0, DS_FORM_NAME, "up", NULL, NULL, "values are heights" },
	{ 1, DS_FORM_NAME, "down", NULL, NULL, "values are depths" },
};

// What all rasters have, as members of ds_file.
#define RASTER_FIELDS( at_ )                                                                                           \
	NAME_AT( "file", DS_FIELD_REQUIRED, ds_file, at_.file, NULL,                                                       \
		"ESRI ASCII, PNG, or what GDAL reads; relative to the file that says so" ),                                    \
		CHOICE_AT( "crs", DS_FIELD_ENUM, 0, ds_file, at_.crs, systems, "\"auto\"", "what its coordinates are" ),       \
		MAYBE_AT( "position", at_.position, position_table, "puts the raster's centre there" ),                        \
		F64_AT(                                                                                                        \
			"cell", ds_file, at_.cell, 1, "m", "0", 0, 1e6, "spacing of a PNG's pixels, which has no coordinates" ),   \
		MAYBE_AT( "nodata", at_.nodata, nodata_table, "value where there is nothing" ),                                \
		{ "band", DS_FIELD_I64, 0, offsetof( ds_file, at_.band ), 1, 0, "", "1", 1, 100000, "of a file of several",    \
			NULL, NULL, 0, DS_ELEMENT_NONE },                                                                          \
		NAME_AT( "variable", 0, ds_file, at_.variable, "\"\"", "of a NetCDF file; \"\": the first" ),                  \
		MAYBE_AT( "window", at_.window, window_table, "part of it that is read" )

static const ds_field raster_fields[] = {
	RASTER_FIELDS( seabed.raster ),
	MAYBE_AT( "scale", seabed.raster.scale, scale_table, "height = scale * value + offset" ),
	F64_AT( "offset", ds_file, seabed.raster.offset, 1, "m", "0", -1e6, 1e6, "height = scale * value + offset" ),
	CHOICE_AT(
		"positive", DS_FIELD_ENUM, 0, ds_file, seabed.raster.depths, senses, "\"up\"", "which way heights grow" ),
};
static const ds_table raster_table = TABLE_OF( "raster", "", ds_file, raster_fields, NULL );

static const ds_field mask_fields[] = {
	RASTER_FIELDS( seabed.mask ),
	{ "soils", DS_FIELD_ARRAY, DS_FIELD_REQUIRED, offsetof( ds_file, seabed.mask_soils ), 1, sizeof( ds_file_soil ), "",
		NULL, 0, 0, "of the values 1, 2, ...; 0 and nothing: the soil of all other ground", &soil_table, NULL, 0,
		DS_ELEMENT_NONE },
};
static const ds_table mask_table = TABLE_OF( "mask", "", ds_file, mask_fields, NULL );
static const ds_choice masks[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "one soil, but for the patches" },
	{ 1, DS_FORM_OBJECT, "mask", NULL, &mask_table, "a raster of whole numbers" },
};

// ---- elevations ----------------------------------------------------------------------------------------------------

#define DEPTH( member_, doc_ )                                                                                         \
	F64_FLAGS( "depth", DS_FIELD_REQUIRED, ds_file, member_, 1, "m", NULL, -12000, 12000, doc_ )
#define SLOPE( member_, flags_, initial_ )                                                                             \
	F64_FLAGS( "slope", DS_FIELD_ANGLE | ( flags_ ), ds_file, member_, 1, "rad", initial_, 0, 80, "of the plane" )
#define TOWARDS( member_ )                                                                                             \
	F64_FLAGS( "towards", DS_FIELD_ANGLE, ds_file, member_, 1, "rad", "0", -360, 360,                                  \
		"bearing in which it falls, from north over east" )
#define SHAPE_FIELDS                                                                                                   \
	DEPTH( seabed.shape.depth, "mean z at the origin" ), SLOPE( seabed.shape.slope, 0, "0" ),                          \
		TOWARDS( seabed.shape.towards ),                                                                               \
		F64_FLAGS( "size", DS_FIELD_EXCLUSIVE_MINIMUM, ds_file, seabed.shape.size, 2, "m", "[1000, 1000]", 0, 1e7,     \
			"north, east; centred on the origin" ),                                                                    \
		F64_AT( "spacing", ds_file, seabed.shape.spacing, 1, "m", "1", 0.001, 1e6, "of its samples" )

#define ROUGHNESS( flags_, initial_, doc_ )                                                                            \
	F64_FLAGS( "roughness", flags_, ds_file, seabed.shape.roughness, 1, "m", initial_, 0, 1e4, doc_ )
#define ROUGH_FIELDS                                                                                                   \
	F64_AT( "hurst", ds_file, seabed.shape.hurst, 1, "", "0.8", 0, 1, "exponent: 0 rough, 1 smooth" ),                 \
		F64_AT( "longest", ds_file, seabed.shape.longest, 1, "m", "0", 0, 1e7, "longest wavelength; 0: the size" ),    \
	{                                                                                                                  \
		"seed", DS_FIELD_I64, 0, offsetof( ds_file, seabed.shape.seed ), 1, 0, "", "0", 0, 9007199254740992.0,         \
			"of the surface", NULL, NULL, 0, DS_ELEMENT_NONE                                                           \
	}

static const ds_field flat_fields[] = { DEPTH( environment.seabed_depth, "z of the seabed" ) };
static const ds_field slope_fields[] = {
	DEPTH( environment.seabed_depth, "z at the origin" ),
	SLOPE( seabed.slope, DS_FIELD_REQUIRED, NULL ),
	TOWARDS( seabed.towards ),
};
static const ds_field sinusoid_fields[] = {
	SHAPE_FIELDS,
	F64_FLAGS( "amplitude", DS_FIELD_REQUIRED, ds_file, seabed.shape.amplitude, 1, "m", NULL, 0, 1e4,
		"times cos( 2 pi north / wavelength ) cos( 2 pi east / wavelength )" ),
	F64_FLAGS( "wavelength", DS_FIELD_REQUIRED, ds_file, seabed.shape.wavelength, 2, "m", NULL, 0, 1e7,
		"north, east; 0: the same all that way" ),
};
static const ds_field fractal_fields[] = {
	SHAPE_FIELDS,
	ROUGHNESS( DS_FIELD_REQUIRED, NULL, "standard deviation of the depth" ),
	ROUGH_FIELDS,
};
static const ds_field seamount_fields[] = {
	SHAPE_FIELDS,
	F64_FLAGS( "height", DS_FIELD_REQUIRED, ds_file, seabed.shape.height, 1, "m", NULL, -12000, 12000,
		"of its top over the mean, at the origin" ),
	F64_FLAGS( "radius", DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, ds_file, seabed.shape.radius, 1, "m", NULL, 0,
		1e7, "where 1/e of the height is left" ),
	ROUGHNESS( 0, "0", "standard deviation of the depth about that" ),
	ROUGH_FIELDS,
};
static const ds_field mesh_fields[] = {
	NAME_AT( "file", DS_FIELD_REQUIRED, ds_file, seabed.mesh_file, NULL,
		"OBJ, glTF, GLB, STL or PLY; relative to the file that says so" ),
	F64_FLAGS( "scale", DS_FIELD_EXCLUSIVE_MINIMUM, ds_file, seabed.mesh_scale, 1, "m", "1", 0, 1e6,
		"metres per unit of the file" ),
	CHOICE_AT( "axes", DS_FIELD_ENUM, 0, ds_file, seabed.mesh_axes, ds_file_axes, "\"xyz\"",
		"which way the file's axes point" ),
	F64_AT( "position", ds_file, seabed.mesh_pose.position, 3, "m", "[0, 0, 0]", -1e7, 1e7,
		"of the mesh's origin in the world" ),
	F64_FLAGS( "rpy", DS_FIELD_ANGLE, ds_file, seabed.mesh_pose.rpy, 3, "rad", "[0, 0, 0]", 0, 0, "roll, pitch, yaw" ),
};
static const ds_table flat_table = TABLE_OF( "flat", "", ds_file, flat_fields, NULL );
static const ds_table slope_table = TABLE_OF( "slope", "", ds_file, slope_fields, NULL );
static const ds_table sinusoid_table = TABLE_OF( "sinusoid", "", ds_file, sinusoid_fields, NULL );
static const ds_table fractal_table = TABLE_OF( "fractal", "", ds_file, fractal_fields, NULL );
static const ds_table seamount_table = TABLE_OF( "seamount", "", ds_file, seamount_fields, NULL );
static const ds_table mesh_table = TABLE_OF( "mesh", "", ds_file, mesh_fields, NULL );
static const ds_choice elevations[] = {
	{ DS_ELEVATION_FLAT, DS_FORM_OBJECT, "flat", "model", &flat_table, "a level plane" },
	{ DS_ELEVATION_SLOPE, DS_FORM_OBJECT, "slope", "model", &slope_table, "a plane that falls" },
	{ DS_ELEVATION_SINUSOID, DS_FORM_OBJECT, "sinusoid", "model", &sinusoid_table, "waves of sand" },
	{ DS_ELEVATION_FRACTAL, DS_FORM_OBJECT, "fractal", "model", &fractal_table,
		"a random surface of a power spectrum k^-(2 hurst + 2)" },
	{ DS_ELEVATION_SEAMOUNT, DS_FORM_OBJECT, "seamount", "model", &seamount_table,
		"a mountain, height exp( -( r/radius )^2 ), on such a surface" },
	{ DS_ELEVATION_RASTER, DS_FORM_OBJECT, "raster", "model", &raster_table, "heights or depths from a file" },
	{ DS_ELEVATION_MESH, DS_FORM_OBJECT, "mesh", "model", &mesh_table, "triangles from a file" },
};

// ---- all of it -----------------------------------------------------------------------------------------------------

static const ds_field deformable_flag_fields[] = { BOOL_AT(
	"deformable", ds_file, environment.deformable, "false", "whether" ) };
static const ds_field deformable_fields[] = {
	F64_AT( "cell", ds_file, environment.rut_cell, 1, "m", "0.02", 0.001, 10, "of the grid that keeps ruts" ),
	F64_AT( "memory", ds_file, environment.rut_memory, 1, "MB", "64", 0.1, 1e5, "most that they take" ),
	BOOL_AT(
		"erosion", ds_file, environment.rut_erosion, "true", "walls steeper than the soil's angle of repose slide" ),
};
static const ds_table deformable_flag_table = TABLE_OF( "flag", "", ds_file, deformable_flag_fields, NULL );
static const ds_table deformable_table = TABLE_OF( "ruts", "", ds_file, deformable_fields, NULL );
static const ds_choice deformables[] = {
	{ 0, DS_FORM_BOOL, "flag", NULL, &deformable_flag_table, "whether the soil keeps ruts" },
	{ 1, DS_FORM_OBJECT, "ruts", NULL, &deformable_table, "it does, in this way" },
};

static const ds_field seabed_fields[] = {
	CHOICE_AT( "elevation", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_file, seabed.elevation, elevations, NULL,
		"shape of the seabed" ),
	{ "soil", DS_FIELD_STRUCT, 0, offsetof( ds_file, seabed.soil ), 1, 0, "", "null", 0, 0,
		"what it is made of; `deepsim describe soils` lists the names", &soil_or_none_table, NULL, 0, DS_ELEMENT_NONE },
	ARRAY_AT( "patches", ds_file, seabed.patches, ds_file_patch, &patch_table,
		"polygons of another soil, over the mask; of several at a place the last" ),
	VARIANT_AT( "mask", ds_file, seabed.has_mask, masks, "null", "a raster of soils" ),
	VARIANT_AT( "deformable", ds_file, seabed.deformable_kind, deformables, "false", "the soil keeps ruts" ),
	F64_AT( "soil_step", ds_file, environment.soil_step, 1, "s", "0.0005", 1e-6, 1,
		"contact with soil is stepped as finely as motion needs, but no finer" ),
	// its table is put in at run time
	{ "appearance", DS_FIELD_STRUCT, 0, offsetof( ds_file, environment.seabed_look ), 1, sizeof( ds_seabed_look ), "",
		"{}", 0, 0, "what cameras see of it", NULL, NULL, 0, DS_ELEMENT_NONE },
	F64_AT( "friction", ds_file, environment.seabed_friction, 1, "", "0.5", 0, 10,
		"coefficient, multiplied by the body's; of what touches rigidly" ),
	F64_AT( "restitution", ds_file, environment.seabed_restitution, 1, "", "0", 0, 1,
		"the greater of this and the body's" ),
};
const ds_table ds_file_seabed_table =
	TABLE_OF( "seabed", "shape and soil of the seabed", ds_file, seabed_fields, NULL );
