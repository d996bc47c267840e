// For tests of mesh topology: meshes that are put together from boxes, and what checking them gives.

#ifndef DEEPSIM_TESTS_MESH_KIT_H
#define DEEPSIM_TESTS_MESH_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/mesh_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.17g is not %.17g within %g", value, expected, tolerance );
	}
}

// ---- meshes that are put together from boxes

#define MOST 600

typedef struct parts
{
	ds_vec3 v[MOST];
	int32_t t[3 * MOST];
	int vertices, faces;
} parts;

static const int32_t box_faces[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
	{ 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };

static inline void turn( parts *p, int face )
{
	int32_t keep = p->t[3 * face];
	p->t[3 * face] = p->t[3 * face + 1];
	p->t[3 * face + 1] = keep;
}

static inline void add_box( parts *p, ds_vec3 lower, ds_vec3 upper, bool inward )
{
	for ( int f = 0; f < 12; ++f, ++p->faces )
	{
		for ( int k = 0; k < 3; ++k )
		{
			p->t[3 * p->faces + k] = p->vertices + box_faces[f][k];
		}
		if ( inward )
		{
			turn( p, p->faces );
		}
	}
	for ( int i = 0; i < 8; ++i )
	{
		p->v[p->vertices++] = ds_v3( i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z );
	}
}

static inline void remove_face( parts *p, int face )
{
	--p->faces;
	memcpy( p->t + 3 * face, p->t + 3 * p->faces, 3 * sizeof( int32_t ) );
}

static inline parts cube( void )
{
	parts p;
	memset( &p, 0, sizeof( p ) );
	add_box( &p, ds_v3( 0, 0, 0 ), ds_v3( 1, 1, 1 ), false );
	return p;
}

typedef struct result
{
	ds_status status;
	ds_mesh_report report;
	ds_mesh_properties is;
	int warnings;
} result;

static inline void count_warnings( void *user, ds_log_level level, const char *message )
{
	(void)message;
	*(int *)user += level == DS_LOG_WARNING;
}

static inline result check( const parts *p, const ds_mesh_options *options )
{
	result r;
	memset( &r, 0, sizeof( r ) );
	ds_hooks hooks = { { NULL, NULL, NULL }, count_warnings, &r.warnings };
	ds_mesh *mesh;
	r.status = ds_mesh_create( p->v, p->vertices, p->t, p->faces, options, &hooks, &mesh, &r.report );
	assert_true( ( mesh != NULL ) == ( r.status == DS_OK ) );
	r.is = ds_mesh_measure( mesh );
	ds_mesh_release( mesh );
	return r;
}

static inline void assert_said( const char *words )
{
	if ( strstr( ds_last_error(), words ) == NULL )
	{
		fail_msg( "\"%s\" does not say \"%s\"", ds_last_error(), words );
	}
}

#endif
