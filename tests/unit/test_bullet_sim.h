// A small integrator around the Bullet shim, as the core's: free motion by the 6x6 mass, poses by mean velocities.

#ifndef TEST_BULLET_SIM_H
#define TEST_BULLET_SIM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bullet/bullet.h"
#include "deepsim/math.h"

#include <string.h>

#define SIM_BODIES 24

typedef struct sim_body
{
	int32_t index;
	ds_mat6 mass; // about the reference point, body axes
	double weight; // [N], along +z
	ds_pose pose;
	ds_twist v;
	ds_wrench force; // constant, world axes
	ds_wrench contact; // of the last step
	bool moves;
} sim_body;

typedef struct sim
{
	dsb_world *world;
	sim_body body[SIM_BODIES];
	int count;
	double dt;
} sim;

static inline ds_mat6 sim_mass( double mx, double my, double mz, double ix, double iy, double iz )
{
	ds_mat6 m = { { { 0 } } };
	double d[6] = { mx, my, mz, ix, iy, iz };
	for ( int i = 0; i < 6; ++i )
	{
		m.m[i][i] = d[i];
	}
	return m;
}

static inline ds_mat6 sim_box_mass( double m, ds_vec3 h )
{
	return sim_mass( m, m, m, m * ( h.y * h.y + h.z * h.z ) / 3, m * ( h.x * h.x + h.z * h.z ) / 3,
		m * ( h.x * h.x + h.y * h.y ) / 3 );
}

// R M R^T on both halves: the mass in world axes.
static inline ds_mat6 sim_world_mass( const ds_mat6 *m, ds_quat q )
{
	ds_mat3 r = ds_mat3_from_quat( q );
	ds_mat6 t = { { { 0 } } }, w = { { { 0 } } };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			for ( int k = 0; k < 3; ++k )
			{
				t.m[i][j] += r.m[i % 3][k] * m->m[i / 3 * 3 + k][j];
			}
		}
	}
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			for ( int k = 0; k < 3; ++k )
			{
				w.m[i][j] += t.m[i][j / 3 * 3 + k] * r.m[j % 3][k];
			}
		}
	}
	return w;
}

// Solves m x = r by Gauss elimination with pivots.
static inline void sim_solve( const ds_mat6 *m, const double *r, double *x )
{
	double a[6][7];
	for ( int i = 0; i < 6; ++i )
	{
		memcpy( a[i], m->m[i], 6 * sizeof( double ) );
		a[i][6] = r[i];
	}
	for ( int c = 0; c < 6; ++c )
	{
		int p = c;
		for ( int i = c + 1; i < 6; ++i )
		{
			p = fabs( a[i][c] ) > fabs( a[p][c] ) ? i : p;
		}
		double row[7];
		memcpy( row, a[c], sizeof row );
		memcpy( a[c], a[p], sizeof row );
		memcpy( a[p], row, sizeof row );
		for ( int i = c + 1; i < 6; ++i )
		{
			double f = a[i][c] / a[c][c];
			for ( int j = c; j < 7; ++j )
			{
				a[i][j] -= f * a[c][j];
			}
		}
	}
	for ( int i = 5; i >= 0; --i )
	{
		x[i] = a[i][6];
		for ( int j = i + 1; j < 6; ++j )
		{
			x[i] -= a[i][j] * x[j];
		}
		x[i] /= a[i][i];
	}
}

static inline ds_wrench sim_momentum( const ds_mat6 *m, ds_twist v )
{
	double u[6] = { v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z }, p[6] = { 0 };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			p[i] += m->m[i][j] * u[j];
		}
	}
	ds_wrench w = { { p[0], p[1], p[2] }, { p[3], p[4], p[5] } };
	return w;
}

static inline void sim_start( sim *s, double dt )
{
	memset( s, 0, sizeof *s );
	s->dt = dt;
	assert_int_equal( dsb_world_create( &s->world ), DS_OK );
}

static inline void sim_end( sim *s )
{
	dsb_world_destroy( s->world );
	s->world = NULL;
}

// Adds a body and takes over the reference to its shape. `mass` NULL: static.
static inline sim_body *sim_add(
	sim *s, dsb_shape *shape, ds_pose pose, const ds_mat6 *mass, double friction, double restitution )
{
	dsb_body_def def = dsb_body_def_default();
	sim_body *b = &s->body[s->count];
	def.id = ++s->count;
	def.pose = pose;
	def.is_static = !mass;
	def.friction = friction;
	def.restitution = restitution;
	memset( b, 0, sizeof *b );
	b->pose = pose;
	b->moves = mass != NULL;
	if ( mass )
	{
		b->mass = *mass;
	}
	assert_int_equal( dsb_body_create( s->world, shape, &def, &b->index ), DS_OK );
	dsb_shape_release( shape );
	return b;
}

static inline ds_pose sim_at( double x, double y, double z )
{
	ds_pose p = ds_pose_identity();
	p.position = ds_v3( x, y, z );
	return p;
}

static inline dsb_shape *sim_box( ds_vec3 half )
{
	dsb_shape *shape;
	assert_int_equal( dsb_shape_box( half, &shape ), DS_OK );
	return shape;
}

// The half space below z = 0 (z points down).
static inline dsb_shape *sim_floor( void )
{
	dsb_shape *shape;
	assert_int_equal( dsb_shape_plane( ds_v3( 0, 0, -1 ), 0, &shape ), DS_OK );
	return shape;
}

// Free motion of a body in an ideal fluid (Kirchhoff's equations), explicitly. They give the rate of the body's own
// components; in the world, w x v comes on top of it.
static inline void sim_predict( sim *s, sim_body *b )
{
	ds_mat6 m = sim_world_mass( &b->mass, b->pose.attitude );
	ds_wrench p = sim_momentum( &m, b->v );
	ds_vec3 w = b->v.angular, v = b->v.linear;
	ds_vec3 f = ds_sub( b->force.force, ds_cross( w, p.force ) );
	ds_vec3 t = ds_sub( ds_sub( b->force.torque, ds_cross( w, p.torque ) ), ds_cross( v, p.force ) );
	double r[6] = { f.x, f.y, f.z + b->weight, t.x, t.y, t.z }, a[6];
	sim_solve( &m, r, a );
	ds_vec3 turn = ds_cross( w, v );
	ds_twist predicted = { ds_mad( v, s->dt, ds_add( turn, ds_v3( a[0], a[1], a[2] ) ) ),
		ds_v3( w.x + s->dt * a[3], w.y + s->dt * a[4], w.z + s->dt * a[5] ) };
	dsb_body_reset_pose_velocity( s->world, b->index, &b->pose, &b->v );
	dsb_body_set_prediction( s->world, b->index, &predicted, &m );
}

static inline void sim_step( sim *s )
{
	for ( int i = 0; i < s->count; ++i )
	{
		if ( s->body[i].moves )
		{
			sim_predict( s, &s->body[i] );
		}
	}
	assert_int_equal( dsb_step( s->world, s->dt ), DS_OK );
	for ( int i = 0; i < s->count; ++i )
	{
		sim_body *b = &s->body[i];
		if ( b->moves )
		{
			ds_twist after, fix;
			dsb_body_get( s->world, b->index, &after, &b->contact );
			dsb_body_correction( s->world, b->index, &fix );
			ds_vec3 v = ds_mad( fix.linear, 0.5, ds_add( b->v.linear, after.linear ) );
			ds_vec3 w = ds_mad( fix.angular, 0.5, ds_add( b->v.angular, after.angular ) );
			b->pose.position = ds_mad( b->pose.position, s->dt, v );
			b->pose.attitude =
				ds_quat_normalize( ds_quat_mul( ds_quat_exp( ds_scale( s->dt, w ) ), b->pose.attitude ) );
			b->v = after;
		}
	}
}

static inline void sim_run( sim *s, double seconds )
{
	int n = (int)( seconds / s->dt + 0.5 );
	for ( int i = 0; i < n; ++i )
	{
		sim_step( s );
	}
}

#endif
