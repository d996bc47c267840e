// Small worlds for tests of core: comparisons, bodies, sensors in a line or two.

#ifndef DEEPSIM_TESTS_WORLD_KIT_H
#define DEEPSIM_TESTS_WORLD_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/deepsim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Fails with the library's own words unless a call succeeds.
#define OK( call )                                                                                                     \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_status ok_ = ( call );                                                                                      \
		if ( ok_ != DS_OK )                                                                                            \
		{                                                                                                              \
			fail_msg( "%s: %s: %s", #call, ds_status_name( ok_ ), ds_last_error() );                                   \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

// Fails unless a call gives this error and its message has this text.
#define FAILS( call, status, text )                                                                                    \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_status got_ = ( call );                                                                                     \
		if ( got_ != ( status ) || strstr( ds_last_error(), text ) == NULL )                                           \
		{                                                                                                              \
			fail_msg( "%s: expected \"%s\" with \"%s\", got \"%s\": %s", #call, ds_status_name( status ), text,        \
				ds_status_name( got_ ), ds_last_error() );                                                             \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

#define NEAR( a, b, tolerance )                                                                                        \
	do                                                                                                                 \
	{                                                                                                                  \
		double near_a_ = ( a ), near_b_ = ( b ), near_t_ = ( tolerance );                                              \
		if ( !( fabs( near_a_ - near_b_ ) <= near_t_ ) )                                                               \
		{                                                                                                              \
			fail_msg( "%s = %.17g, expected %s = %.17g within %g (off by %g)", #a, near_a_, #b, near_b_, near_t_,      \
				near_a_ - near_b_ );                                                                                   \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

#define NEAR3( a, b, tolerance ) NEAR( ds_length( ds_sub( ( a ), ( b ) ) ), 0, tolerance )

// A world of a rate and an environment (NULL: still sea water, no seabed).
static inline ds_world *kit_world( double rate, const ds_environment_def *environment )
{
	ds_world_def def = ds_world_def_default();
	def.rate = rate;
	def.environment = environment;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	return world;
}

static inline ds_environment_def kit_vacuum( double gravity )
{
	ds_environment_def e = ds_environment_def_default();
	e.water = DS_WATER_NONE;
	e.gravity = gravity;
	return e;
}

// A body without mesh, shapes, drag or added mass.
static inline ds_body_def kit_point( const char *name, double mass, double ixx, double iyy, double izz )
{
	ds_body_def def = ds_body_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	def.mass = mass;
	def.inertia_kind = DS_INERTIA_DIAGONAL;
	def.inertia_diagonal[0] = ixx;
	def.inertia_diagonal[1] = iyy;
	def.inertia_diagonal[2] = izz;
	def.collision = DS_COLLISION_NONE;
	return def;
}

static inline ds_mesh *kit_box( double x, double y, double z )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( x, y, z );
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	return mesh;
}

static inline ds_mesh *kit_sphere( double radius, int64_t faces )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = radius;
	shape.faces = faces;
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	return mesh;
}

// A body with a mesh and nothing but its buoyancy: no drag, no added mass, no shape.
static inline ds_body_def kit_hull( const char *name, const ds_mesh *mesh, double mass )
{
	ds_body_def def = ds_body_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	def.mesh = mesh;
	def.mass = mass;
	def.hydrodynamics.drag = false;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_NONE;
	def.collision = DS_COLLISION_NONE;
	return def;
}

static inline ds_body_motion kit_motion( const ds_world *world, ds_id body )
{
	ds_body_motion motion;
	OK( ds_body_motion_get( world, body, &motion ) );
	return motion;
}

#endif
