// Bodies on soil for the tests of contact: elements of plates, and a body that moves by itself in six dimensions, without a world.

#ifndef DEEPSIM_TESTS_CONTACT_KIT_H
#define DEEPSIM_TESTS_CONTACT_KIT_H

#include "deepsim/math.h"
#include "terrain/contact.h"
#include "terrain/soil_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

static inline void less_at( double value, double bound, int line )
{
	if ( !( value <= bound ) )
	{
		print_error( "line %d: %.17g is more than %.17g\n", line, value, bound );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )
#define assert_less( value, bound )               less_at( value, bound, __LINE__ )
#define assert_ok( status )                                                                                            \
	do                                                                                                                 \
	{                                                                                                                  \
		if ( ( status ) != DS_OK )                                                                                     \
		{                                                                                                              \
			print_error( "line %d: %s\n", __LINE__, ds_last_error() );                                                 \
			fail();                                                                                                    \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

// ---- ground ------------------------------------------------------------------------------------------------------

typedef struct site
{
	ds_terrain *terrain;
	ds_soil_map *soils;
	ds_ground ground;
} site;

static inline site site_on( ds_terrain *terrain, const ds_soil *soil )
{
	site s = { .terrain = terrain };
	ds_soil_map_def def = { .soil = *soil };
	assert_ok( ds_soil_map_create( NULL, &def, &s.soils ) );
	s.ground = ( ds_ground ){ terrain, s.soils, NULL, 9.81 };
	return s;
}

// A plane that falls by `slope` towards north.
static inline site site_plane( double slope, const ds_soil *soil )
{
	ds_terrain *terrain = NULL;
	assert_ok( ds_terrain_plane( 0, slope, 0, NULL, &terrain ) );
	return site_on( terrain, soil );
}

static inline void site_free( site *s )
{
	ds_soil_map_destroy( s->soils );
	ds_terrain_release( s->terrain );
}

// A soil of a set without damping.
static inline ds_soil soil_named( const char *name )
{
	const ds_soil_set *set = ds_soil_find( name );
	assert_non_null( set );
	return set->soil;
}

// ---- elements ----------------------------------------------------------------------------------------------------

// A flat plate of nx * ny elements, length along x, width along y, that faces along `normal` (in the plane of x and z).
typedef struct plate
{
	ds_elements elements;
	ds_element_block *state;
	double *room;
} plate;

static inline plate plate_make( double length, double width, int nx, int ny, double z, double tilt )
{
	plate p;
	const int count = nx * ny;
	p.room = calloc( (size_t)count * 12, sizeof( double ) );
	p.state = calloc( (size_t)ds_element_blocks( count ), sizeof( *p.state ) );
	assert_true( p.room != NULL && p.state != NULL );
	double *a[12];
	for ( int i = 0; i < 12; ++i )
	{
		a[i] = p.room + i * count;
	}
	const double c = cos( tilt ), s = sin( tilt );
	ds_vec3 lower = { INFINITY, INFINITY, INFINITY }, upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( int i = 0; i < count; ++i )
	{
		double along = ( ( i % nx + 0.5 ) / nx - 0.5 ) * length;
		a[0][i] = along * c;
		a[1][i] = ( ( i / nx + 0.5 ) / ny - 0.5 ) * width;
		a[2][i] = z - along * s;
		a[3][i] = s;
		a[5][i] = c;
		a[6][i] = length * width / count;
		a[10][i] = width < length ? width : length;
		a[11][i] = a[6][i];
		lower = ds_v3( fmin( lower.x, a[0][i] ), fmin( lower.y, a[1][i] ), fmin( lower.z, a[2][i] ) );
		upper = ds_v3( fmax( upper.x, a[0][i] ), fmax( upper.y, a[1][i] ), fmax( upper.z, a[2][i] ) );
	}
	p.elements = ( ds_elements ){ .count = count,
		.x = a[0],
		.y = a[1],
		.z = a[2],
		.nx = a[3],
		.ny = a[4],
		.nz = a[5],
		.area = a[6],
		.vx = a[7],
		.vy = a[8],
		.vz = a[9],
		.width = a[10],
		.face_area = a[11],
		.lower = lower,
		.upper = upper };
	return p;
}

static inline void plate_free( plate *p )
{
	free( p->room );
	free( p->state );
}

// Moves a plate by `way` in world axes (attitude: level) in one step; what the path did to it is in `sums`.
static inline void lead( plate *p, const site *s, ds_vec3 *place, ds_vec3 way, double dt, ds_contact_sums *sums )
{
	ds_contact_step step = { { *place, { 1, 0, 0, 0 } }, { ds_scale( 1 / dt, way ), { 0, 0, 0 } }, dt, 0, 1 };
	ds_contact_commit( &s->ground, &p->elements, p->state, &step, &step.velocity, sums );
	*place = ds_add( *place, way );
}

// ---- a body ------------------------------------------------------------------------------------------------------

typedef struct body
{
	ds_pose pose;
	ds_twist velocity; // body axes
	double mass;
	ds_vec3 inertia; // about the reference point, which is the centre of mass
	ds_vec3 force; // world axes, besides what the soil does
	ds_contact_mesh *mesh; // NULL: `elements` stays as it is
	void *scratch;
	ds_elements elements;
	ds_element_block *state;

	// results
	int64_t tick;
	double work; // done on the soil by the force that was applied [J]
	double least_work;
	double soil_work; // by the soil's own account [J]
	double least_soil_work;
	double greatest_depth;
	ds_contact_forces forces;
	ds_contact_sums sums;
} body;

// Solves a x = b, a symmetric positive definite; both are spoiled.
static inline void solve6( double a[6][6], double b[6] )
{
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = i + 1; j < 6; ++j )
		{
			double f = a[j][i] / a[i][i];
			for ( int k = i; k < 6; ++k )
			{
				a[j][k] -= f * a[i][k];
			}
			b[j] -= f * b[i];
		}
	}
	for ( int i = 5; i >= 0; --i )
	{
		for ( int k = i + 1; k < 6; ++k )
		{
			b[i] -= a[i][k] * b[k];
		}
		b[i] /= a[i][i];
	}
}

// A step: M ( nu1 - nu0 ) / h = W + wrench - G ( nu1 - nu0 ), the pose by the mean of both. Gyroscopic terms are left out.
static inline void body_step( body *b, const ds_ground *ground, double dt )
{
	ds_contact_step step = { b->pose, b->velocity, dt, b->tick++, 1 };
	if ( b->mesh != NULL )
	{
		ds_contact_mesh_see( b->mesh, ground, &step, b->scratch, &b->elements );
	}
	memset( &b->forces, 0, sizeof( b->forces ) );
	bool near = ds_contact_near( ground, &b->elements, &step );
	if ( near )
	{
		ds_contact_press( ground, &b->elements, b->state, &step, &b->forces );
	}
	ds_vec3 w = ds_unrotate( b->pose.attitude, b->force );
	const ds_wrench *c = &b->forces.wrench;
	double rhs[6] = { w.x + c->force.x, w.y + c->force.y, w.z + c->force.z, c->torque.x, c->torque.y, c->torque.z };
	const double m[6] = { b->mass, b->mass, b->mass, b->inertia.x, b->inertia.y, b->inertia.z };
	double a[6][6];
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			a[i][j] = b->forces.give.m[i][j] + ( i == j ? m[i] / dt : 0 );
		}
	}
	solve6( a, rhs );
	const ds_vec3 dv = { rhs[0], rhs[1], rhs[2] }, dw = { rhs[3], rhs[4], rhs[5] };
	ds_twist mean = { ds_mad( b->velocity.linear, 0.5, dv ), ds_mad( b->velocity.angular, 0.5, dw ) };
	const double nu[6] = { mean.linear.x, mean.linear.y, mean.linear.z, mean.angular.x, mean.angular.y,
		mean.angular.z };
	const double wrench[6] = { c->force.x, c->force.y, c->force.z, c->torque.x, c->torque.y, c->torque.z };
	for ( int i = 0; i < 6; ++i )
	{
		double f = wrench[i];
		for ( int j = 0; j < 6; ++j )
		{
			f -= b->forces.give.m[i][j] * rhs[j];
		}
		b->work -= f * nu[i] * dt;
	}
	b->least_work = fmin( b->least_work, b->work );
	if ( near )
	{
		ds_contact_commit( ground, &b->elements, b->state, &step, &mean, &b->sums );
		b->soil_work += b->sums.work;
		b->least_soil_work = fmin( b->least_soil_work, b->soil_work );
	}
	b->pose.position = ds_mad( b->pose.position, dt, ds_rotate( b->pose.attitude, mean.linear ) );
	ds_quat turn = ds_quat_exp( ds_scale( dt, mean.angular ) );
	ds_vec3 linear = ds_rotate( b->pose.attitude, ds_add( b->velocity.linear, dv ) );
	b->pose.attitude = ds_quat_normalize( ds_quat_mul( b->pose.attitude, turn ) );
	b->velocity.linear = ds_unrotate( b->pose.attitude, linear );
	b->velocity.angular = ds_add( b->velocity.angular, dw );
	b->greatest_depth = fmax( b->greatest_depth, b->pose.position.z );
}

static inline void body_run( body *b, const ds_ground *ground, double dt, double seconds )
{
	for ( int i = 0, n = (int)( seconds / dt + 0.5 ); i < n; ++i )
	{
		body_step( b, ground, dt );
	}
}

// A closed mesh with the reference point at its origin; `spacing` and `width` as in ds_contact_mesh_def. The mesh is released.
static inline body body_of( ds_mesh *mesh, double spacing, double mass, double weight )
{
	body b = { .pose = ds_pose_identity(), .mass = mass, .force = { 0, 0, weight } };
	ds_contact_mesh_def def = { .pose = ds_pose_identity(), .spacing = spacing };
	def.vertices = ds_mesh_vertices( mesh, &def.vertex_count );
	def.triangles = ds_mesh_triangles( mesh, &def.face_count );
	assert_ok( ds_contact_mesh_create( NULL, &def, &b.mesh ) );
	ds_mesh_properties properties = ds_mesh_measure( mesh );
	double density = mass / properties.volume;
	b.inertia = ds_v3( density * properties.inertia.m[0][0], density * properties.inertia.m[1][1],
		density * properties.inertia.m[2][2] );
	ds_mesh_release( mesh );
	b.scratch = calloc( 1, ds_contact_scratch_size( b.mesh ) );
	b.state = calloc( (size_t)ds_element_blocks( ds_contact_mesh_count( b.mesh ) ), sizeof( *b.state ) );
	assert_true( b.scratch != NULL && b.state != NULL );
	return b;
}

static inline void body_free( body *b )
{
	ds_contact_mesh_destroy( b->mesh );
	free( b->scratch );
	free( b->state );
}

static inline ds_mesh *mesh_box( double x, double y, double z, int64_t faces )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( x, y, z );
	shape.faces = faces;
	ds_mesh *mesh = NULL;
	assert_ok( ds_mesh_make( &shape, NULL, &mesh ) );
	return mesh;
}

static inline ds_mesh *mesh_sphere( double radius, int64_t faces )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = radius;
	shape.faces = faces;
	ds_mesh *mesh = NULL;
	assert_ok( ds_mesh_make( &shape, NULL, &mesh ) );
	return mesh;
}

// Lets a body down slowly: the load rises over 3 s, then it waits until nothing moves.
static inline void body_settle_by( body *b, const ds_ground *ground, double load, double dt )
{
	const double rise = 3, slow = 1 - 40 * dt;
	ds_vec3 direction = b->force;
	double size = ds_length( direction );
	direction = size > 0 ? ds_scale( 1 / size, direction ) : ds_v3( 0, 0, 1 );
	for ( int i = 0; i * dt < 60; ++i )
	{
		b->force = ds_scale( load * fmin( i * dt / rise, 1 ), direction );
		b->velocity.linear = ds_scale( slow, b->velocity.linear );
		b->velocity.angular = ds_scale( slow, b->velocity.angular );
		body_step( b, ground, dt );
		if ( i * dt > rise && ds_length( b->velocity.linear ) < 1e-7 )
		{
			return;
		}
	}
}

static inline void body_settle( body *b, const ds_ground *ground, double load )
{
	body_settle_by( b, ground, load, 0.001 );
}

static inline body body_on( const plate *p, double mass, double weight )
{
	body b = { .pose = ds_pose_identity(),
		.mass = mass,
		.inertia = { mass, mass, mass },
		.force = { 0, 0, weight },
		.elements = p->elements,
		.state = p->state };
	return b;
}

#endif
