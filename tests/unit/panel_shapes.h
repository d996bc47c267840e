// Shapes in many faces, and what panels make of them, for the tests of hydro/panels.c.

#ifndef DEEPSIM_TESTS_PANEL_SHAPES_H
#define DEEPSIM_TESTS_PANEL_SHAPES_H

#include "hydro_shapes.h"

#include "hydro/panels.h"

// Options that take the faces as they are.
static inline ds_panel_options plain_options( void )
{
	ds_panel_options options = ds_panel_options_default();
	options.least = 0;
	return options;
}

static inline ds_mat6 panels_of( const shape *s, const ds_panel_options *options )
{
	ds_mat6 m;
	if ( ds_added_mass_panels( s->vertices, s->vertex_count, s->triangles, s->face_count, options, NULL, &m ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return m;
}

// At 1 kg/m3 about the mesh's origin, in unbounded water.
static inline ds_mat6 unit_panels_of( const shape *s )
{
	ds_panel_options options = plain_options();
	options.density = 1;
	return panels_of( s, &options );
}

static inline double shape_volume( const shape *s )
{
	double six = 0;
	for ( int i = 0; i < s->face_count; ++i )
	{
		const int32_t *t = s->triangles + 3 * i;
		six += ds_dot( s->vertices[t[0]], ds_cross( s->vertices[t[1]], s->vertices[t[2]] ) );
	}
	return six / 6;
}

static inline void shape_move( shape *s, ds_quat turn, ds_vec3 by )
{
	for ( int i = 0; i < s->vertex_count; ++i )
	{
		s->vertices[i] = ds_add( ds_rotate( turn, s->vertices[i] ), by );
	}
}

// Turns a shape inside out.
static inline void shape_flip( shape *s )
{
	for ( int i = 0; i < s->face_count; ++i )
	{
		int32_t swapped = s->triangles[3 * i];
		s->triangles[3 * i] = s->triangles[3 * i + 1];
		s->triangles[3 * i + 1] = swapped;
	}
}

// The faces of two shapes, which are freed.
static inline shape shape_join( shape a, shape b )
{
	shape s = shape_new( a.face_count + b.face_count );
	shape *both[2] = { &a, &b };
	for ( int k = 0; k < 2; ++k )
	{
		for ( int i = 0; i < both[k]->face_count; ++i )
		{
			const int32_t *t = both[k]->triangles + 3 * i;
			shape_add( &s, both[k]->vertices[t[0]], both[k]->vertices[t[1]], both[k]->vertices[t[2]] );
		}
		shape_free( both[k] );
	}
	return s;
}

// A number in [0, 1] that runs with the cosine: steps are small at both ends, where flow turns around edges.
static inline double crowded( int i, int n )
{
	return 0.5 - 0.5 * cos( DS_PI * i / n );
}

static inline ds_vec3 box_point( ds_vec3 corner, ds_vec3 u, ds_vec3 v, double a, double b )
{
	return ds_mad( ds_mad( corner, a, u ), b, v );
}

// Box about the origin whose edges are cut into count[0], count[1], count[2] pieces.
static inline shape shape_grid_box( ds_vec3 size, const int count[3] )
{
	shape s = shape_new( 4 * ( count[0] * count[1] + count[1] * count[2] + count[2] * count[0] ) );
	const double full[3] = { size.x, size.y, size.z };
	for ( int side = 0; side < 6; ++side )
	{
		int w = side % 3, a = ( w + 1 ) % 3, b = ( w + 2 ) % 3, far = side < 3;
		double corner[3] = { -0.5 * size.x, -0.5 * size.y, -0.5 * size.z }, u[3] = { 0, 0, 0 }, v[3] = { 0, 0, 0 };
		corner[w] *= far ? -1 : 1;
		u[a] = full[a];
		v[b] = full[b];
		ds_vec3 c = ds_v3( corner[0], corner[1], corner[2] ), du = ds_v3( u[0], u[1], u[2] ),
				dv = ds_v3( v[0], v[1], v[2] );
		for ( int k = 0; k < count[a] * count[b]; ++k )
		{
			int i = k / count[b], j = k % count[b];
			double a0 = crowded( i, count[a] ), a1 = crowded( i + 1, count[a] );
			double b0 = crowded( j, count[b] ), b1 = crowded( j + 1, count[b] );
			ds_vec3 p[4] = { box_point( c, du, dv, a0, b0 ), box_point( c, du, dv, a1, b0 ),
				box_point( c, du, dv, a1, b1 ), box_point( c, du, dv, a0, b1 ) };
			int turned = ( i + j ) % 2; // diagonals alternate, so that the mesh has no hand
			shape_add(
				&s, p[turned], p[far ? turned + 1 : ( turned + 2 ) % 4], p[far ? ( turned + 2 ) % 4 : turned + 1] );
			shape_add( &s, p[turned], p[far ? ( turned + 2 ) % 4 : ( turned + 3 ) % 4],
				p[far ? ( turned + 3 ) % 4 : ( turned + 2 ) % 4] );
		}
	}
	return s;
}

// Ring `k` of a cylinder: `around` points in all.
static inline ds_vec3 ring_point( double x, double radius, int k, int around )
{
	double angle = 2 * DS_PI * k / around;
	return ds_v3( x, radius * cos( angle ), radius * sin( angle ) );
}

// Cylinder along x about the origin, of 2 around (along + 2 rings - 1) faces; its cross-section has the area of the circle.
static inline shape shape_cylinder( double radius, double length, int around, int along, int rings )
{
	shape s = shape_new( 2 * around * ( along + 2 * rings - 1 ) );
	double step = 2 * DS_PI / around, r = radius * sqrt( step / sin( step ) );
	int count = along + 2 * rings;
	for ( int i = 0; i < count; ++i )
	{
		// stations: out over the near end, along the side, in over the far end
		double x[2], rad[2];
		for ( int e = 0; e < 2; ++e )
		{
			int station = i + e;
			int in = station < rings ? rings - station : station > rings + along ? station - rings - along : 0;
			int past = station < rings ? 0 : station > rings + along ? along : station - rings;
			rad[e] = in == rings ? 0 : r * sin( 0.5 * DS_PI * ( rings - in ) / rings );
			x[e] = length * ( crowded( past, along ) - 0.5 );
		}
		for ( int k = 0; k < around; ++k )
		{
			ds_vec3 a = ring_point( x[0], rad[0], k, around ), b = ring_point( x[0], rad[0], k + 1, around );
			ds_vec3 c = ring_point( x[1], rad[1], k + 1, around ), d = ring_point( x[1], rad[1], k, around );
			if ( rad[0] > 0 )
			{
				shape_add( &s, a, b, c );
			}
			if ( rad[1] > 0 )
			{
				shape_add( &s, a, c, d );
			}
		}
	}
	return s;
}

#endif
