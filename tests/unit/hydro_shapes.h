// Closed meshes, random numbers and comparisons for the tests of hydro/.

#ifndef DEEPSIM_TESTS_HYDRO_SHAPES_H
#define DEEPSIM_TESTS_HYDRO_SHAPES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/math.h"
#include "hydro/faces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RHO 1025.0
#define G   9.81

// Fails unless |a - b| <= tolerance, and says by how much.
#define ASSERT_NEAR( a, b, tolerance )                                                                                 \
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

#define ASSERT_NEAR3( a, b, tolerance )                                                                                \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_vec3 near3_a_ = ( a ), near3_b_ = ( b );                                                                    \
		double near3_d_ = ds_length( ds_sub( near3_a_, near3_b_ ) ), near3_t_ = ( tolerance );                         \
		if ( !( near3_d_ <= near3_t_ ) )                                                                               \
		{                                                                                                              \
			fail_msg( "%s = (%.17g %.17g %.17g), expected %s = (%.17g %.17g %.17g) within %g (off by %g)", #a,         \
				near3_a_.x, near3_a_.y, near3_a_.z, #b, near3_b_.x, near3_b_.y, near3_b_.z, near3_t_, near3_d_ );      \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

typedef struct shape
{
	ds_vec3 *vertices;
	int32_t *triangles;
	int32_t vertex_count, face_count, capacity;
} shape;

static inline shape shape_new( int32_t faces )
{
	shape s = { calloc( 3 * (size_t)faces, sizeof( ds_vec3 ) ), calloc( 3 * (size_t)faces, sizeof( int32_t ) ), 0, 0,
		faces };
	assert_non_null( s.vertices );
	assert_non_null( s.triangles );
	return s;
}

static inline void shape_free( shape *s )
{
	free( s->vertices );
	free( s->triangles );
}

static inline void shape_add( shape *s, ds_vec3 a, ds_vec3 b, ds_vec3 c )
{
	const ds_vec3 corners[3] = { a, b, c };
	assert_true( s->face_count < s->capacity );
	for ( int i = 0; i < 3; ++i )
	{
		s->triangles[3 * s->face_count + i] = s->vertex_count;
		s->vertices[s->vertex_count++] = corners[i];
	}
	++s->face_count;
}

static inline ds_vec3 on_sphere( ds_vec3 p )
{
	return ds_scale( 1 / ds_length( p ), p );
}

static inline void shape_add_patch( shape *s, ds_vec3 a, ds_vec3 b, ds_vec3 c, int level )
{
	if ( level == 0 )
	{
		shape_add( s, a, b, c );
		return;
	}
	ds_vec3 ab = on_sphere( ds_add( a, b ) ), bc = on_sphere( ds_add( b, c ) ), ca = on_sphere( ds_add( c, a ) );
	shape_add_patch( s, a, ab, ca, level - 1 );
	shape_add_patch( s, ab, b, bc, level - 1 );
	shape_add_patch( s, ca, bc, c, level - 1 );
	shape_add_patch( s, ab, bc, ca, level - 1 );
}

// Ellipsoid of 20 * 4^level faces, from an icosahedron.
static inline shape shape_ellipsoid( ds_vec3 semi_axes, int level )
{
	static const int t[20][3] = { { 0, 11, 5 }, { 0, 5, 1 }, { 0, 1, 7 }, { 0, 7, 10 }, { 0, 10, 11 }, { 1, 5, 9 },
		{ 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 }, { 3, 9, 4 }, { 3, 4, 2 }, { 3, 2, 6 }, { 3, 6, 8 },
		{ 3, 8, 9 }, { 4, 9, 5 }, { 2, 4, 11 }, { 6, 2, 10 }, { 8, 6, 7 }, { 9, 8, 1 } };
	const double g = 0.5 * ( 1 + sqrt( 5.0 ) );
	const ds_vec3 v[12] = { { -1, g, 0 }, { 1, g, 0 }, { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g }, { 0, 1, g },
		{ 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 }, { g, 0, 1 }, { -g, 0, -1 }, { -g, 0, 1 } };
	shape s = shape_new( 20 << ( 2 * level ) );
	for ( int i = 0; i < 20; ++i )
	{
		shape_add_patch( &s, on_sphere( v[t[i][0]] ), on_sphere( v[t[i][1]] ), on_sphere( v[t[i][2]] ), level );
	}
	for ( int i = 0; i < s.vertex_count; ++i )
	{
		ds_vec3 *p = s.vertices + i;
		*p = ds_v3( semi_axes.x * p->x, semi_axes.y * p->y, semi_axes.z * p->z );
	}
	return s;
}

// Box of 12 faces between two corners.
static inline shape shape_box( ds_vec3 low, ds_vec3 high )
{
	shape s = shape_new( 12 );
	ds_vec3 p[8];
	for ( int i = 0; i < 8; ++i )
	{
		p[i] = ds_v3( i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z );
	}
	static const int quads[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 2, 3, 1 },
		{ 4, 5, 7, 6 } };
	for ( int i = 0; i < 6; ++i )
	{
		const int *q = quads[i];
		shape_add( &s, p[q[0]], p[q[1]], p[q[2]] );
		shape_add( &s, p[q[0]], p[q[2]], p[q[3]] );
	}
	return s;
}

static inline ds_faces_def shape_def( const shape *s )
{
	ds_faces_def def = { .vertices = s->vertices,
		.vertex_count = s->vertex_count,
		.triangles = s->triangles,
		.face_count = s->face_count,
		.pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
	return def;
}

static inline ds_faces *faces_of( const ds_faces_def *def )
{
	ds_faces *faces = NULL;
	ds_status status = ds_faces_create( NULL, def, &faces );
	if ( status != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return faces;
}

// Faces of a shape with drag coefficients, isotropic; frees the shape.
static inline ds_faces *faces_with_drag( shape s, double form, double skin )
{
	ds_faces_def def = shape_def( &s );
	def.form_drag = ds_v3( form, form, form );
	def.skin_drag = skin;
	ds_faces *faces = faces_of( &def );
	shape_free( &s );
	return faces;
}

static inline ds_flow still_water( ds_quat attitude, double depth )
{
	ds_flow flow = {
		.attitude = attitude, .depth = depth, .density = RHO, .gravity = G, .hydrostatics = true, .drag = true
	};
	return flow;
}

// Uniform in [-1, 1), from a linear congruential generator (constants of Knuth's MMIX).
static inline double noise( uint64_t *state )
{
	*state = *state * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (double)( *state >> 11 ) / 4503599627370496.0 - 1;
}

static inline ds_vec3 noise3( uint64_t *state )
{
	double x = noise( state ), y = noise( state ), z = noise( state );
	return ds_v3( x, y, z );
}

static inline ds_quat noise_attitude( uint64_t *state )
{
	ds_quat q = { noise( state ), noise( state ), noise( state ), noise( state ) };
	return ds_quat_normalize( q );
}

#endif
