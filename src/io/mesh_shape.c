// The options of parametric meshes, as descriptor tables.

#include "deepsim/mesh.h"

#include <string.h>

// A length that must be positive [m].
#define LENGTH( member, count_, initial_, doc_ )                                                                       \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_mesh_shape, member ), count_, 0, "m",          \
			initial_, 0, 1e6, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                     \
	}
#define FACES( initial_ ) DS_I64( ds_mesh_shape, faces, "", initial_, 8, 10000000, "about how many faces to make" )

static const ds_field box_fields[] = {
	LENGTH( size, 3, "[1, 1, 1]", "full lengths along x, y, z" ),
};

static const ds_field sphere_fields[] = {
	LENGTH( radius, 1, "0.5", "radius, of the vertices" ),
	FACES( "1280" ),
};

static const ds_field cylinder_fields[] = {
	LENGTH( radius, 1, "0.5", "radius, of the vertices" ),
	LENGTH( length, 1, "1", "whole length, along x" ),
	FACES( "1280" ),
};

static const ds_field capsule_fields[] = {
	LENGTH( radius, 1, "0.5", "radius, of the vertices" ),
	DS_F64( ds_mesh_shape, length, "m", "1", 0, 1e6, "length between the centres of the caps, along x" ),
	FACES( "1280" ),
};

static const ds_field ellipsoid_fields[] = {
	LENGTH( semi_axes, 3, "[1, 0.5, 0.5]", "half lengths along x, y, z, of the vertices" ),
	FACES( "1280" ),
};

// The defaults are the hull of the REMUS 100: Prestero 2001, "Verification of a six-degree of freedom simulation model for
// the REMUS autonomous underwater vehicle" (MIT/WHOI), table 2.1.
static const ds_field myring_fields[] = {
	LENGTH( diameter, 1, "0.191", "greatest diameter d" ),
	LENGTH( nose, 1, "0.191", "length a of the whole nose" ),
	DS_F64( ds_mesh_shape, middle, "m", "0.654", 0, 1e6, "length b of the cylindrical middle" ),
	LENGTH( tail, 1, "0.541", "length c of the whole tail" ),
	{ "exponent", DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_mesh_shape, exponent ), 1, 0, "", "2", 0, 100,
		"n of the nose: 2 is an ellipse, more is blunter", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_ANGLE( ds_mesh_shape, tail_angle, "25", 0, 89, "half angle theta at the tip of the tail" ),
	DS_F64( ds_mesh_shape, nose_offset, "m", "0.0165", 0, 1e6, "length cut off at the tip of the nose" ),
	DS_F64( ds_mesh_shape, tail_offset, "m", "0.0368", 0, 1e6, "length cut off at the tip of the tail" ),
	FACES( "2000" ),
};

static ds_status check_myring( const void *value )
{
	const ds_mesh_shape *shape = value;
	if ( shape->nose_offset >= shape->nose || shape->tail_offset >= shape->tail )
	{
		return ds_error( DS_ERROR_RANGE,
			"nose_offset and tail_offset must be less than nose (%g m) and tail (%g m), got %g and %g", shape->nose,
			shape->tail, shape->nose_offset, shape->tail_offset );
	}
	return DS_OK;
}

static const ds_table tables[DS_MESH_SHAPE_COUNT] = {
	DS_TABLE( "box", "a cuboid of 12 faces", ds_mesh_shape, box_fields ),
	DS_TABLE(
		"sphere", "a subdivided icosahedron: 20 n^2 faces of nearly the same size", ds_mesh_shape, sphere_fields ),
	DS_TABLE( "cylinder", "a cylinder along x with flat ends", ds_mesh_shape, cylinder_fields ),
	DS_TABLE( "capsule", "a cylinder along x with half spheres at its ends", ds_mesh_shape, capsule_fields ),
	DS_TABLE( "ellipsoid", "a sphere stretched along x, y, z", ds_mesh_shape, ellipsoid_fields ),
	{ "myring", "a torpedo hull along x, nose at +x, after Myring 1976", sizeof( ds_mesh_shape ), myring_fields,
		DS_COUNT( myring_fields ), check_myring, NULL, 0 },
};

const ds_table *ds_mesh_shape_table( ds_mesh_shape_kind kind )
{
	return (unsigned)kind < DS_MESH_SHAPE_COUNT ? &tables[kind] : NULL;
}

ds_mesh_shape ds_mesh_shape_default( ds_mesh_shape_kind kind )
{
	ds_mesh_shape shape;
	memset( &shape, 0, sizeof( shape ) );
	const ds_table *table = ds_mesh_shape_table( kind );
	if ( table && ds_table_defaults( table, &shape ) == DS_OK )
	{
		shape.struct_size = sizeof( shape );
		shape.kind = kind;
	}
	return shape;
}
