// The table of a body.

#include "io/scenario_fields.h"

#include <string.h>

// ---- hydrodynamics -----------------------------------------------------------------------------------------------

static const ds_choice hydro_models[] = {
	{ DS_HYDRO_MESH, DS_FORM_NAME, "mesh", NULL, NULL,
		"pressure, drag, lift and Magnus force on the faces of the mesh; added mass" },
	{ DS_HYDRO_FOSSEN, DS_FORM_NAME, "fossen", NULL, NULL,
		"buoyancy of the mesh, or of volume and cb; damping by matrices; added mass" },
	{ DS_HYDRO_FOSSEN_SIMPLIFIED, DS_FORM_NAME, "fossen_simplified", NULL, NULL, "the same without added mass" },
	{ DS_HYDRO_NONE, DS_FORM_NAME, "none", NULL, NULL, "no force from the water" },
};
static const ds_field form_one_fields[] = { F64_AT(
	"form_drag", ds_file_body, form_drag, 1, "", "1", 0, 1000, "the same in all directions" ) };
static const ds_field form_three_fields[] = { F64_AT(
	"form_drag", ds_file_body, def.hydrodynamics.form_drag, 3, "", "[1, 1, 1]", 0, 1000, "for flow along x, y, z" ) };
static const ds_table form_one_table = TABLE_OF( "one", "", ds_file_body, form_one_fields, NULL );
static const ds_table form_three_table = TABLE_OF( "axes", "", ds_file_body, form_three_fields, NULL );
static const ds_choice form_drags[] = {
	{ 0, DS_FORM_NUMBER, "one", NULL, &form_one_table, "the same in all directions" },
	{ 1, DS_FORM_ARRAY, "axes", NULL, &form_three_table, "for flow along x, y, z" },
};

static const ds_field volume_fields[] = { F64_FLAGS( "volume", DS_FIELD_EXCLUSIVE_MINIMUM, ds_file_body,
	def.hydrodynamics.volume, 1, "m3", "1", 0, 1e12, "displaced volume" ) };
static const ds_table volume_table = TABLE_OF( "volume", "", ds_file_body, volume_fields, NULL );
static const ds_choice volumes[] = {
	{ DS_VOLUME_MESH, DS_FORM_NAME, "mesh", NULL, NULL, "what the mesh encloses" },
	{ DS_VOLUME_NEUTRAL, DS_FORM_NAME, "neutral", NULL, NULL, "weight and buoyancy are equal" },
	{ DS_VOLUME_GIVEN, DS_FORM_NUMBER, "volume", NULL, &volume_table, "given" },
};

#define POINT_CHOICE( id_, member_, doc_none_, doc_ )                                                                  \
	static const ds_field id_##_fields[] = { F64_AT( #id_, ds_file_body, member_, 3, "m", "[0, 0, 0]", 0, 0, doc_ ) }; \
	static const ds_table id_##_table = TABLE_OF( #id_, "", ds_file_body, id_##_fields, NULL );                        \
	static const ds_choice id_##_choices[] = {                                                                         \
		{ 0, DS_FORM_NULL, "mesh", NULL, NULL, doc_none_ },                                                            \
		{ 1, DS_FORM_ARRAY, #id_, NULL, &id_##_table, doc_ },                                                          \
	}
POINT_CHOICE( cb, def.hydrodynamics.cb, "that of the mesh", "in the body frame" );
POINT_CHOICE( entrained_cg, def.hydrodynamics.entrained_cg, "centroid of the mesh", "in the body frame" );

#define ADDED_ABOUT                                                                                                    \
	F64_AT( "about", ds_file_body, def.hydrodynamics.added_mass_about, 3, "m", "[0, 0, 0]", 0, 0,                      \
		"the point it is about, body frame" )
#define ADDED_DIAGONAL( key_, flags_, initial_ )                                                                       \
	F64_FLAGS( key_, flags_, ds_file_body, def.hydrodynamics.added_mass, 6, "kg, kg m2", initial_, 0, 1e12,            \
		"diagonal: surge, sway, heave, roll, pitch, yaw" )
static const ds_field added_six_fields[] = { ADDED_DIAGONAL( "added_mass", 0, "[0, 0, 0, 0, 0, 0]" ) };
static const ds_field added_diagonal_fields[] = { ADDED_DIAGONAL( "diagonal", DS_FIELD_REQUIRED, NULL ), ADDED_ABOUT };
static const ds_field added_matrix_fields[] = {
	F64_FLAGS( "matrix", DS_FIELD_REQUIRED | DS_FIELD_MATRIX, ds_file_body, def.hydrodynamics.added_mass_matrix, 36,
		"kg, kg m, kg m2", NULL, 0, 0, "symmetric, positive semidefinite" ),
	ADDED_ABOUT,
};
static const ds_table added_six_table = TABLE_OF( "six", "", ds_file_body, added_six_fields, NULL );
static const ds_table added_diagonal_table = TABLE_OF( "diagonal", "", ds_file_body, added_diagonal_fields, NULL );
static const ds_table added_matrix_table = TABLE_OF( "matrix", "", ds_file_body, added_matrix_fields, NULL );
static const ds_choice added_masses[] = {
	{ DS_ADDED_MASS_NONE, DS_FORM_NAME, "none", NULL, NULL, "no added mass" },
	{ DS_ADDED_MASS_ELLIPSOID, DS_FORM_NAME, "ellipsoid", NULL, NULL,
		"of the ellipsoid with the mesh's volume and second moments" },
	{ DS_ADDED_MASS_PANELS, DS_FORM_NAME, "panels", NULL, NULL, "of the mesh, by source panels; kept beside its file" },
	{ DS_ADDED_MASS_DIAGONAL, DS_FORM_ARRAY, "six", NULL, &added_six_table, "about the body's origin" },
	{ DS_ADDED_MASS_MATRIX, DS_FORM_OBJECT, "matrix", NULL, &added_matrix_table, "6x6 about a point" },
	{ DS_ADDED_MASS_DIAGONAL, DS_FORM_OBJECT, "diagonal", NULL, &added_diagonal_table, "6 numbers about a point" },
};

static const ds_field compression_fields[] = {
	F64_FLAGS( "bulk_modulus", DS_FIELD_REQUIRED, ds_file_body, def.hydrodynamics.bulk_modulus, 1, "Pa", NULL, 1e5,
		1e15, "K of the hull" ),
};
static const ds_table compression_table = TABLE_OF( "hull", "", ds_file_body, compression_fields, NULL );
static const ds_choice compressions[] = {
	{ DS_HULL_RIGID, DS_FORM_NULL, "rigid", NULL, NULL, "the hull does not yield" },
	{ DS_HULL_COMPRESSED, DS_FORM_OBJECT, "hull", "model", &compression_table,
		"volume V0 (1 - p/K); added mass follows volume and density" },
	{ DS_HULL_PRINTED, DS_FORM_OBJECT, "printed", "model", &compression_table,
		"as the source paper prints it (16, 17): 1 - p/K on the added mass alone" },
};

// Lift and Magnus force: a number, or { "printed": number }.
#define SIDEWAYS( id_, minimum_, unit_, doc_, printed_doc_ )                                                           \
	static const ds_field id_##_fields[] = { F64_AT(                                                                   \
		#id_, ds_file_body, def.hydrodynamics.id_, 1, "", "0", minimum_, 1000, doc_ ) };                               \
	static const ds_field id_##_printed_fields[] = { F64_FLAGS( "printed", DS_FIELD_REQUIRED, ds_file_body,            \
		def.hydrodynamics.id_, 1, unit_, NULL, minimum_, 1000, printed_doc_ ) };                                       \
	static const ds_table id_##_table = TABLE_OF( #id_, "", ds_file_body, id_##_fields, NULL );                        \
	static const ds_table id_##_printed_table = TABLE_OF( "printed", "", ds_file_body, id_##_printed_fields, NULL );   \
	static const ds_choice id_##_choices[] = {                                                                         \
		{ 0, DS_FORM_NUMBER, #id_, NULL, &id_##_table, doc_ },                                                         \
		{ 1, DS_FORM_OBJECT, "printed", NULL, &id_##_printed_table, printed_doc_ },                                    \
	}
SIDEWAYS( lift, 0, "", "lift coefficient, square to the flow on windward faces",
	"lift as the source paper prints it (19-21), which twists even a sphere" );
SIDEWAYS( magnus, -1000, "s", "Magnus coefficient: C_M rho V (w x v)",
	"Magnus force as the source paper prints it (22, 23), C_M in seconds" );

// A matrix of damping: its diagonal, or all of it.
#define DAMPING( id_, unit_, doc_ )                                                                                    \
	static const ds_field id_##_six_fields[] = { F64_AT(                                                               \
		#id_, ds_file_body, id_##_six, 6, unit_, "[0, 0, 0, 0, 0, 0]", 0, 1e15, doc_ ) };                              \
	static const ds_field id_##_matrix_fields[] = { F64_FLAGS( #id_, DS_FIELD_MATRIX, ds_file_body,                    \
		def.hydrodynamics.id_##_damping, 36, unit_,                                                                    \
		"[[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, " \
		"0, 0, 0, 0]]",                                                                                                \
		0, 0, doc_ ) };                                                                                                \
	static const ds_table id_##_six_table = TABLE_OF( "six", "", ds_file_body, id_##_six_fields, NULL );               \
	static const ds_table id_##_matrix_table = TABLE_OF( "matrix", "", ds_file_body, id_##_matrix_fields, NULL );      \
	static const ds_choice id_##_choices[] = {                                                                         \
		{ 0, DS_FORM_ARRAY, "six", NULL, &id_##_six_table, "diagonal: surge, sway, heave, roll, pitch, yaw" },         \
		{ 1, DS_FORM_ARRAY, "matrix", NULL, &id_##_matrix_table, "6x6" },                                              \
	}
DAMPING( linear, "N s/m, N s, N m s", "times nu" );
DAMPING( quadratic, "N s2/m2, N s2, N m s2", "times |nu_j| nu_j" );
DAMPING( forward, "N s2/m2, N s2, N m s2", "times |u| nu: body lift" );
static const ds_field damping_fields[] = {
	VARIANT_AT( "linear", ds_file_body, linear_kind, linear_choices, "[0, 0, 0, 0, 0, 0]",
		"times nu, the velocity relative to the water; positive resists" ),
	VARIANT_AT( "quadratic", ds_file_body, quadratic_kind, quadratic_choices, "[0, 0, 0, 0, 0, 0]",
		"times |nu_j| nu_j, element by element" ),
	VARIANT_AT( "forward", ds_file_body, forward_kind, forward_choices, "[0, 0, 0, 0, 0, 0]",
		"times |u| nu, u the forward speed: lift of the hull and of fixed fins" ),
	F64_AT( "about", ds_file_body, def.hydrodynamics.damping_about, 3, "m", "[0, 0, 0]", 0, 0,
		"the point they are about, body frame" ),
};
static const ds_table damping_table =
	TABLE_OF( "damping", "damping by matrices, of the fossen models", ds_file_body, damping_fields, NULL );

static const ds_field hydro_fields[] = {
	CHOICE_AT( "model", DS_FIELD_ENUM, 0, ds_file_body, def.hydrodynamics.model, hydro_models, "\"mesh\"",
		"how the water acts" ),
	BOOL_AT( "buoyancy", ds_file_body, def.hydrodynamics.buoyancy, "true", "hydrostatic pressure acts" ),
	BOOL_AT( "drag", ds_file_body, def.hydrodynamics.drag, "true", "form and skin drag act" ),
	VARIANT_AT( "form_drag", ds_file_body, form_drag_kind, form_drags, "1",
		"form drag coefficient, on the projected area of a convex body" ),
	F64_AT( "skin_drag", ds_file_body, def.hydrodynamics.skin_drag, 1, "", "0.004", 0, 1000, "skin drag coefficient" ),
	VARIANT_AT( "lift", ds_file_body, lift_kind, lift_choices, "0", "lift coefficient" ),
	VARIANT_AT( "magnus", ds_file_body, magnus_kind, magnus_choices, "0", "Magnus coefficient" ),
	STRUCT_AT( "damping", 0, 0, &damping_table, "of the fossen models" ),
	VARIANT_AT( "volume", ds_file_body, def.hydrodynamics.volume_kind, volumes, "\"mesh\"", "displaced volume" ),
	VARIANT_AT( "cb", ds_file_body, cb_kind, cb_choices, "null", "centre of buoyancy" ),
	F64_AT( "entrained_mass", ds_file_body, def.hydrodynamics.entrained_mass, 1, "kg", "0", 0, 1e12,
		"flooded water: adds to inertia, neither to weight nor to buoyancy" ),
	VARIANT_AT(
		"entrained_cg", ds_file_body, entrained_cg_kind, entrained_cg_choices, "null", "centre of flooded water" ),
	VARIANT_AT( "compression", ds_file_body, def.hydrodynamics.compression, compressions, "null",
		"how the hull yields to pressure" ),
	VARIANT_AT( "added_mass", ds_file_body, def.hydrodynamics.added_mass_kind, added_masses, "\"ellipsoid\"",
		"added mass of the whole body" ),
};
static const ds_table hydro_table = TABLE_OF( "hydrodynamics", "how water acts", ds_file_body, hydro_fields, NULL );

// ---- meshes ------------------------------------------------------------------------------------------------------

const ds_choice ds_file_axes[DS_FILE_AXES] = {
	{ DS_AXES_XYZ, DS_FORM_NAME, "xyz", NULL, NULL, "as they are: x forward, y right, z down" },
	{ DS_AXES_FLU, DS_FORM_NAME, "flu", NULL, NULL, "file: x forward, y left, z up (ROS)" },
	{ DS_AXES_Y_UP, DS_FORM_NAME, "y_up", NULL, NULL, "file: y up, z forward (glTF)" },
};

// where a mesh lies in its body: members of every kind of mesh
#define MESH_PLACE                                                                                                     \
	F64_AT( "position", ds_file_body, mesh_pose.position, 3, "m", "[0, 0, 0]", 0, 0,                                   \
		"of the mesh's origin in the body frame" ),                                                                    \
		F64_FLAGS( "rpy", DS_FIELD_ANGLE, ds_file_body, mesh_pose.rpy, 3, "rad", "[0, 0, 0]", 0, 0,                    \
			"roll, pitch, yaw of the mesh in the body frame" )

static const ds_field mesh_file_fields[] = {
	NAME_AT( "file", DS_FIELD_REQUIRED, ds_file_body, mesh_file, NULL,
		"OBJ, glTF, GLB, STL or PLY; relative to the file that says so" ),
	F64_FLAGS( "scale", DS_FIELD_EXCLUSIVE_MINIMUM, ds_file_body, mesh_scale, 1, "m", "1", 0, 1e6,
		"metres per unit of the file" ),
	CHOICE_AT(
		"axes", DS_FIELD_ENUM, 0, ds_file_body, mesh_axes, ds_file_axes, "\"xyz\"", "which way the file's axes point" ),
	F64_AT( "weld_distance", ds_file_body, mesh_weld, 1, "m", "0", 0, 1000,
		"vertices nearer than this become one; 0: equal ones" ),
	MESH_PLACE,
};
static const ds_table mesh_file_table = TABLE_OF( "file", "", ds_file_body, mesh_file_fields, NULL );
static const ds_field mesh_place_fields[] = { MESH_PLACE };

// ---- collision ---------------------------------------------------------------------------------------------------

static const ds_choice shape_kinds[] = {
	{ DS_SHAPE_BOX, DS_FORM_NAME, "box", NULL, NULL, "size" },
	{ DS_SHAPE_SPHERE, DS_FORM_NAME, "sphere", NULL, NULL, "radius" },
	{ DS_SHAPE_CAPSULE, DS_FORM_NAME, "capsule", NULL, NULL, "radius, length" },
	{ DS_SHAPE_CYLINDER, DS_FORM_NAME, "cylinder", NULL, NULL, "radius, length" },
};

// Every kind of shape needs its own dimensions, and only those.
static ds_status check_shape( const void *value )
{
	const ds_shape_def *s = value;
	const char *name = shape_kinds[s->kind].name;
	bool box = s->kind == DS_SHAPE_BOX, sphere = s->kind == DS_SHAPE_SPHERE;
	bool size = s->size[0] > 0 && s->size[1] > 0 && s->size[2] > 0;
	bool any_size = s->size[0] > 0 || s->size[1] > 0 || s->size[2] > 0;
	if ( box && ( !size || s->radius > 0 || s->length > 0 ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "a %s needs \"size\", three numbers above 0, and neither radius nor length", name );
	}
	if ( sphere && ( s->radius <= 0 || s->length > 0 || any_size ) )
	{
		return ds_error( DS_ERROR_RANGE, "a %s needs \"radius\" above 0, and neither size nor length", name );
	}
	if ( !box && !sphere && ( s->radius <= 0 || s->length <= 0 || any_size ) )
	{
		return ds_error( DS_ERROR_RANGE, "a %s needs \"radius\" and \"length\" above 0, and no size", name );
	}
	return DS_OK;
}

static const ds_field shape_fields[] = {
	CHOICE_AT( "make", DS_FIELD_ENUM, DS_FIELD_REQUIRED, ds_shape_def, kind, shape_kinds, NULL, "kind of shape" ),
	F64_AT( "size", ds_shape_def, size, 3, "m", "[0, 0, 0]", 0, 1e6, "box: full lengths" ),
	F64_AT( "radius", ds_shape_def, radius, 1, "m", "0", 0, 1e6, "sphere, capsule, cylinder" ),
	F64_AT( "length", ds_shape_def, length, 1, "m", "0", 0, 1e6,
		"cylinder: whole; capsule: between the caps' centres; along x" ),
	F64_AT( "position", ds_shape_def, position, 3, "m", "[0, 0, 0]", 0, 0, "of its centre in the body frame" ),
	F64_FLAGS(
		"rpy", DS_FIELD_ANGLE, ds_shape_def, rpy, 3, "rad", "[0, 0, 0]", 0, 0, "roll, pitch, yaw in the body frame" ),
};
static const ds_table shape_table =
	TABLE_OF( "shape", "a convex piece of a body", ds_shape_def, shape_fields, check_shape );
static const ds_field shapes_fields[] = { ARRAY_AT(
	"shapes", ds_file_body, shapes, ds_shape_def, &shape_table, "convex pieces" ) };
static const ds_table shapes_table = TABLE_OF( "shapes", "", ds_file_body, shapes_fields, NULL );
static const ds_choice collisions[] = {
	{ DS_COLLISION_HULL, DS_FORM_NAME, "hull", NULL, NULL, "the convex hull of the mesh" },
	{ DS_COLLISION_MESH, DS_FORM_NAME, "mesh", NULL, NULL, "the triangles themselves: fixed bodies only" },
	{ DS_COLLISION_NONE, DS_FORM_NAME, "none", NULL, NULL, "passes through everything" },
	{ DS_COLLISION_SHAPES, DS_FORM_ARRAY, "shapes", NULL, &shapes_table, "convex pieces" },
};

// ---- bodies ------------------------------------------------------------------------------------------------------

static const ds_field diagonal_fields[] = { F64_FLAGS( "inertia", DS_FIELD_EXCLUSIVE_MINIMUM, ds_file_body,
	def.inertia_diagonal, 3, "kg m2", "[1, 1, 1]", 0, 1e15, "ixx, iyy, izz about the centre of gravity" ) };
static const ds_field full_fields[] = { F64_FLAGS( "inertia", DS_FIELD_MATRIX, ds_file_body, def.inertia_full, 9,
	"kg m2", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", -1e15, 1e15, "3x3 about the centre of gravity" ) };
static const ds_table diagonal_table = TABLE_OF( "diagonal", "", ds_file_body, diagonal_fields, NULL );
static const ds_table full_table = TABLE_OF( "full", "", ds_file_body, full_fields, NULL );
static const ds_choice inertias[] = {
	{ DS_INERTIA_MESH, DS_FORM_NAME, "mesh", NULL, NULL, "of the mesh, filled uniformly with the mass" },
	{ DS_INERTIA_DIAGONAL, DS_FORM_ARRAY, "diagonal", NULL, &diagonal_table, "ixx, iyy, izz about the CG" },
	{ DS_INERTIA_FULL, DS_FORM_ARRAY, "full", NULL, &full_table, "3x3 about the CG" },
};

static const ds_field soil_flag_fields[] = { BOOL_AT( "soil", ds_file_body, def.soil, "true", "whether" ) };
static const ds_field soil_fields[] = {
	F64_AT( "width", ds_file_body, def.soil_width, 1, "m", "0", 0, 1000,
		"b of Bekker's pressure; 0: the least width of each patch that touches" ),
	F64_AT( "spacing", ds_file_body, def.soil_spacing, 1, "m", "0", 0, 1000,
		"faces are parted into pieces no longer than this; 0: a 32nd of the mesh's diagonal" ),
};
static const ds_table soil_flag_table = TABLE_OF( "flag", "", ds_file_body, soil_flag_fields, NULL );
static const ds_table soil_table = TABLE_OF( "soil", "", ds_file_body, soil_fields, NULL );
static const ds_choice soils[] = {
	{ 0, DS_FORM_BOOL, "flag", NULL, &soil_flag_table, "whether; without a mesh, or false: the ground is rigid to it" },
	{ 1, DS_FORM_OBJECT, "soil", NULL, &soil_table, "it does, in this way" },
};

static const ds_field velocity_fields[] = {
	F64_AT( "linear", ds_file_body, linear, 3, "m/s", "[0, 0, 0]", 0, 0, "of the body's origin, world axes" ),
	F64_AT( "angular", ds_file_body, angular, 3, "rad/s", "[0, 0, 0]", 0, 0, "world axes" ),
};
static const ds_table velocity_table = TABLE_OF( "velocity", "at time 0", ds_file_body, velocity_fields, NULL );

static ds_status check_body( const void *value )
{
	const ds_file_body *b = value;
	if ( !b->def.fixed && b->def.mass <= 0 )
	{
		return ds_error( DS_ERROR_RANGE, "\"mass\" must be given, and be above 0 kg, for a body that is not fixed" );
	}
	if ( b->mesh != DS_MESH_SOURCE_NONE )
	{
		return DS_OK;
	}
	if ( !b->def.fixed && b->def.inertia_kind == DS_INERTIA_MESH )
	{
		return ds_error(
			DS_ERROR_NOT_FOUND, "\"inertia\" is to be the mesh's, but the body has no mesh: give [ixx, iyy, izz]" );
	}
	return DS_OK;
}

// `mesh`, `visual` and `material` have their choices and tables filled in at run time.
static const ds_field body_fields[] = {
	NAME_AT( "name", DS_FIELD_REQUIRED, ds_file_body, name, NULL, "unique among bodies" ),
	{ "mesh", DS_FIELD_VARIANT, 0, offsetof( ds_file_body, mesh ), 1, 0, "", "null", 0, 0,
		"closed triangle mesh that the water acts on", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "visual", DS_FIELD_VARIANT, 0, offsetof( ds_file_body, visual.kind ), 1, 0, "", "\"mesh\"", 0, 0,
		"what cameras see of it", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "material", DS_FIELD_STRUCT, 0, offsetof( ds_file_body, def.material ), 1, sizeof( ds_material ), "", "{}", 0, 0,
		"of its mesh, where that is seen", NULL, NULL, 0, DS_ELEMENT_NONE },
	F64_AT( "mass", ds_file_body, def.mass, 1, "kg", "0", 0, 1e12, "dry mass with all that is inside" ),
	VARIANT_AT(
		"inertia", ds_file_body, def.inertia_kind, inertias, "\"mesh\"", "inertia about the centre of gravity" ),
	F64_AT( "cg", ds_file_body, def.cg, 3, "m", "[0, 0, 0]", 0, 0, "centre of gravity in the body frame" ),
	BOOL_AT( "fixed", ds_file_body, def.fixed, "false", "never moves" ),
	STRUCT_AT(
		"pose", 0, offsetof( ds_file_body, pose ), &ds_file_pose_table, "of the body frame in the world at time 0" ),
	STRUCT_AT( "velocity", 0, 0, &velocity_table, "at time 0" ),
	STRUCT_AT( "hydrodynamics", 0, 0, &hydro_table, "how water acts on it" ),
	VARIANT_AT( "collision", ds_file_body, def.collision, collisions, "\"hull\"", "what touches other things" ),
	VARIANT_AT( "soil", ds_file_body, soil_kind, soils, "true",
		"its mesh presses on the soil of the seabed, if that has some" ),
	F64_AT( "friction", ds_file_body, def.friction, 1, "", "0.5", 0, 10, "coefficient, multiplied by the other's" ),
	F64_AT( "restitution", ds_file_body, def.restitution, 1, "", "0", 0, 1, "multiplied by the other's" ),
};

// The options of a shape, moved to where the shape lies in a body, and where it lies.
static ds_status make_shape_table( ds_arena *arena, const ds_table *shape, const ds_table **table )
{
	void *memory;
	int32_t place = DS_COUNT( mesh_place_fields );
	DS_TRY( ds_arena_new(
		arena, sizeof( ds_table ) + sizeof( ds_field ) * (size_t)( shape->field_count + place ), &memory ) );
	ds_table *copy = memory;
	ds_field *fields = (ds_field *)(void *)( copy + 1 );
	for ( int32_t i = 0; i < shape->field_count; ++i )
	{
		fields[i] = shape->fields[i];
		fields[i].offset += offsetof( ds_file_body, shape );
	}
	memcpy( fields + shape->field_count, mesh_place_fields, sizeof( mesh_place_fields ) );
	*copy = *shape;
	copy->size = sizeof( ds_file_body );
	copy->fields = fields;
	copy->field_count = shape->field_count + place;
	copy->check = NULL;
	*table = copy;
	return DS_OK;
}

ds_status ds_file_body_table( ds_arena *arena, ds_table *table )
{
	void *memory;
	DS_TRY( ds_arena_new( arena, sizeof( body_fields ) + sizeof( ds_choice ) * ( DS_MESH_SHAPE_COUNT + 2 ), &memory ) );
	ds_field *fields = memory;
	ds_choice *choices = (ds_choice *)(void *)( fields + DS_COUNT( body_fields ) );
	memcpy( fields, body_fields, sizeof( body_fields ) );
	const ds_choice none = { DS_MESH_SOURCE_NONE, DS_FORM_NULL, "none", NULL, NULL, "no mesh" };
	const ds_choice file = { DS_MESH_SOURCE_FILE, DS_FORM_OBJECT, "file", NULL, &mesh_file_table, "from a file" };
	choices[0] = none;
	choices[1] = file;
	int32_t count = 2;
	for ( int32_t kind = 0; kind < DS_MESH_SHAPE_COUNT; ++kind )
	{
		const ds_table *shape = ds_mesh_shape_table( (ds_mesh_shape_kind)kind );
		if ( shape )
		{
			const ds_choice make = { kind, DS_FORM_OBJECT, shape->name, "make", NULL, shape->doc };
			choices[count] = make;
			DS_TRY( make_shape_table( arena, shape, &choices[count].table ) );
			++count;
		}
	}
	fields[1].choices = choices;
	fields[1].choice_count = count;
	DS_TRY( ds_file_visual_choices( arena, &fields[2] ) );
	fields[3].table = ds_material_table();
	const ds_table body = { "body", "a rigid body", sizeof( ds_file_body ), fields, DS_COUNT( body_fields ), check_body,
		NULL, 0 };
	*table = body;
	return DS_OK;
}
