// Parametric meshes and what meshes measure, against closed forms and sums of this file's own.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/math.h"
#include "deepsim/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.17g is not %.17g within %g", value, expected, tolerance );
	}
}

static ds_mesh *make( ds_mesh_shape shape )
{
	ds_mesh *mesh = NULL;
	if ( ds_mesh_make( &shape, NULL, &mesh ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return mesh;
}

// Volume about the origin in extended precision: an independent sum.
static double sum_volume( const ds_mesh *mesh )
{
	int64_t count;
	const ds_vec3 *v = ds_mesh_vertices( mesh, NULL );
	const int32_t *t = ds_mesh_triangles( mesh, &count );
	long double sum = 0;
	for ( int64_t f = 0; f < count; ++f, t += 3 )
	{
		long double ax = v[t[0]].x, ay = v[t[0]].y, az = v[t[0]].z, bx = v[t[1]].x, by = v[t[1]].y, bz = v[t[1]].z;
		long double cx = v[t[2]].x, cy = v[t[2]].y, cz = v[t[2]].z;
		sum += ax * ( by * cz - bz * cy ) + ay * ( bz * cx - bx * cz ) + az * ( bx * cy - by * cx );
	}
	return (double)( sum / 6 );
}

static void test_box( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( 1, 2, 3 );
	ds_mesh *mesh = make( shape );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	assert_int_equal( p.vertices, 8 );
	assert_int_equal( p.faces, 12 );
	assert_true( p.closed );
	assert_near( p.volume, 6, 1e-14 );
	assert_near( p.area, 22, 1e-13 );
	assert_near( ds_length( p.centroid ), 0, 1e-15 );
	assert_near( p.inertia.m[0][0], 6.0 / 12 * ( 4 + 9 ), 1e-14 );
	assert_near( p.inertia.m[1][1], 6.0 / 12 * ( 1 + 9 ), 1e-14 );
	assert_near( p.inertia.m[2][2], 6.0 / 12 * ( 1 + 4 ), 1e-14 );
	assert_near( p.lower.x, -0.5, 0 );
	assert_near( p.upper.z, 1.5, 0 );
	ds_mesh_release( mesh );
}

// A box that is turned and 100 km away has the inertia R I R' and loses no digits to the distance.
static void test_box_far_away( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( 1, 2, 3 );
	ds_mesh *box = make( shape );
	ds_mat3 r = ds_mat3_from_quat( ds_quat_from_rpy( ds_v3( 0.3, -0.7, 1.9 ) ) );
	ds_vec3 away = { 1e5, -2e5, 4e3 }, corners[8];
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = ds_add( away, ds_mat3_mul_vec( &r, ds_mesh_vertices( box, NULL )[i] ) );
	}
	ds_mesh *mesh;
	assert_int_equal(
		ds_mesh_create( corners, 8, ds_mesh_triangles( box, NULL ), 12, NULL, NULL, &mesh, NULL ), DS_OK );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	assert_near( p.volume, 6, 1e-9 );
	assert_near( ds_length( ds_sub( p.centroid, away ) ), 0, 1e-9 );
	const double inertia[3] = { 6.5, 5, 2.5 };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double expected = 0;
			for ( int n = 0; n < 3; ++n )
			{
				expected += r.m[i][n] * inertia[n] * r.m[k][n];
			}
			assert_near( p.inertia.m[i][k], expected, 1e-9 );
		}
	}
	ds_mesh_release( mesh );
	ds_mesh_release( box );
}

static ds_mesh *make_sphere( double radius, int64_t faces )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = radius;
	shape.faces = faces;
	return make( shape );
}

static void test_sphere_counts( void **state )
{
	(void)state;
	static const int64_t counts[] = { 20, 80, 320, 1280, 5120, 180, 500, 18000 };
	for ( size_t i = 0; i < sizeof( counts ) / sizeof( counts[0] ); ++i )
	{
		ds_mesh *mesh = make_sphere( 2, counts[i] );
		ds_mesh_properties p = ds_mesh_measure( mesh );
		assert_int_equal( p.faces, counts[i] );
		assert_int_equal( p.vertices, counts[i] / 2 + 2 ); // Euler
		assert_near( p.volume, sum_volume( mesh ), 1e-13 * p.volume );
		ds_mesh_release( mesh );
	}
	ds_mesh *icosahedron = make_sphere( 1, 8 );
	// Regular icosahedron of circumradius 1: edge 1/sin(2 pi/5), V = 5/12 (3 + sqrt 5) edge^3
	double edge = 1 / sin( 2 * DS_PI / 5 );
	assert_near( ds_mesh_measure( icosahedron ).volume, 5.0 / 12 * ( 3 + sqrt( 5 ) ) * edge * edge * edge, 1e-14 );
	assert_near( ds_mesh_measure( icosahedron ).area, 5 * sqrt( 3 ) * edge * edge, 1e-13 );
	ds_mesh_release( icosahedron );
}

// Vertices on the sphere, faces of like size, mirror images in three planes, isotropic inertia.
static void test_sphere_is_even( void **state )
{
	(void)state;
	ds_mesh *mesh = make_sphere( 0.5, 1280 );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	const ds_vec3 *v = ds_mesh_vertices( mesh, NULL );
	const int32_t *t = ds_mesh_triangles( mesh, NULL );
	for ( int64_t i = 0; i < p.vertices; ++i )
	{
		assert_near( ds_length( v[i] ), 0.5, 1e-15 );
		bool mirrored[3] = { false, false, false };
		for ( int64_t k = 0; k < p.vertices; ++k )
		{
			mirrored[0] |= ds_length( ds_sub( v[k], ds_v3( -v[i].x, v[i].y, v[i].z ) ) ) < 1e-15;
			mirrored[1] |= ds_length( ds_sub( v[k], ds_v3( v[i].x, -v[i].y, v[i].z ) ) ) < 1e-15;
			mirrored[2] |= ds_length( ds_sub( v[k], ds_v3( v[i].x, v[i].y, -v[i].z ) ) ) < 1e-15;
		}
		assert_true( mirrored[0] && mirrored[1] && mirrored[2] );
	}
	double least = 1e9, most = 0;
	for ( int64_t f = 0; f < p.faces; ++f, t += 3 )
	{
		ds_vec3 normal = ds_cross( ds_sub( v[t[1]], v[t[0]] ), ds_sub( v[t[2]], v[t[0]] ) );
		assert_true( ds_dot( normal, v[t[0]] ) > 0 );
		least = fmin( least, ds_length( normal ) );
		most = fmax( most, ds_length( normal ) );
	}
	assert_true( most < 1.35 * least );
	assert_near( ds_length( p.centroid ), 0, 1e-15 );
	for ( int i = 0; i < 3; ++i )
	{
		assert_near( p.inertia.m[i][i], p.inertia.m[0][0], 1e-15 );
		assert_near( p.inertia.m[i][( i + 1 ) % 3], 0, 1e-15 );
	}
	ds_mesh_release( mesh );
}

// Volume, area and inertia approach 4/3 pi r^3, 4 pi r^2 and 2/5 V r^2 with the square of the edge: four times the faces,
// a quarter of the error.
static void test_sphere_converges( void **state )
{
	(void)state;
	double errors[2][3];
	for ( int i = 0; i < 2; ++i )
	{
		ds_mesh *mesh = make_sphere( 1, i == 0 ? 5120 : 20480 );
		ds_mesh_properties p = ds_mesh_measure( mesh );
		errors[i][0] = 1 - p.volume / ( 4.0 / 3 * DS_PI );
		errors[i][1] = 1 - p.area / ( 4 * DS_PI );
		errors[i][2] = 1 - p.inertia.m[1][1] / ( 0.4 * 4.0 / 3 * DS_PI );
		ds_mesh_release( mesh );
	}
	for ( int k = 0; k < 3; ++k )
	{
		assert_true( errors[0][k] > 0 && errors[0][k] < 0.005 );
		assert_near( errors[0][k] / errors[1][k], 4, 0.02 );
	}
}

// An ellipsoid is a stretched sphere, so that volume and second moments scale exactly.
static void test_ellipsoid( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_ELLIPSOID );
	shape.semi_axes = ds_v3( 2, 0.7, 0.4 );
	shape.faces = 5120;
	ds_mesh *mesh = make( shape ), *sphere = make_sphere( 1, 5120 );
	ds_mesh_properties p = ds_mesh_measure( mesh ), s = ds_mesh_measure( sphere );
	double stretch = 2 * 0.7 * 0.4;
	assert_near( p.volume, s.volume * stretch, 1e-13 );
	assert_near( p.volume, 4.0 / 3 * DS_PI * stretch, 0.003 * p.volume );
	double second = 0.5 * s.inertia.m[0][0] * stretch; // int x^2 over the unit sphere's mesh, stretched
	assert_near( p.inertia.m[0][0], second * ( 0.49 + 0.16 ), 1e-13 );
	assert_near( p.inertia.m[1][1], second * ( 4 + 0.16 ), 1e-13 );
	assert_near( p.inertia.m[2][2], second * ( 4 + 0.49 ), 1e-13 );
	assert_near( p.inertia.m[0][0], p.volume / 5 * ( 0.49 + 0.16 ), 0.005 * p.inertia.m[0][0] );
	ds_mesh_release( mesh );
	ds_mesh_release( sphere );
}

// Vertices of greatest x that lie on the rim: the corners of the polygon that the cylinder is in truth.
static int rim_count( const ds_mesh *mesh, double x, double radius )
{
	int64_t count;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &count );
	int found = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		found += fabs( v[i].x - x ) < 1e-12 && fabs( sqrt( v[i].y * v[i].y + v[i].z * v[i].z ) - radius ) < 1e-12;
	}
	return found;
}

// A prism over a regular n-gon: A = n/2 R^2 sin(2 pi/n), polar moment A R^2 (2 + cos(2 pi/n)) / 6.
static void test_cylinder( void **state )
{
	(void)state;
	static const int64_t faces[] = { 8, 200, 1280, 30000 };
	for ( int i = 0; i < 4; ++i )
	{
		ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_CYLINDER );
		shape.radius = 0.3;
		shape.length = 2;
		shape.faces = faces[i];
		ds_mesh *mesh = make( shape );
		ds_mesh_properties p = ds_mesh_measure( mesh );
		int n = rim_count( mesh, 1, 0.3 );
		assert_true( n >= 4 && n % 4 == 0 );
		double a = 0.5 * n * 0.09 * sin( 2 * DS_PI / n ), polar = a * 0.09 * ( 2 + cos( 2 * DS_PI / n ) ) / 6;
		double side = 2 * 0.3 * sin( DS_PI / n );
		assert_near( p.volume, 2 * a, 1e-14 );
		assert_near( p.area, 2 * a + n * side * 2, 1e-12 );
		assert_near( p.inertia.m[0][0], 2 * polar, 1e-14 );
		assert_near( p.inertia.m[1][1], 2 * ( polar / 2 + a * 4 / 12 ), 1e-13 );
		assert_near( ds_length( p.centroid ), 0, 1e-14 );
		if ( i > 0 )
		{
			assert_near( (double)p.faces, (double)faces[i], ( i < 3 ? 0.3 : 0.05 ) * (double)faces[i] );
		}
		ds_mesh_release( mesh );
	}
}

static void test_capsule( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_CAPSULE );
	shape.radius = 0.3;
	shape.length = 1.2;
	shape.faces = 60000;
	ds_mesh *mesh = make( shape );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	double r = 0.3, side = DS_PI * r * r * 1.2, ball = 4.0 / 3 * DS_PI * r * r * r;
	assert_near( p.volume, side + ball, 1e-3 * p.volume );
	assert_true( p.volume < side + ball );
	assert_near( p.area, 2 * DS_PI * r * 1.2 + 4 * DS_PI * r * r, 1e-3 * p.area );
	assert_near( p.inertia.m[0][0], side * r * r / 2 + 0.4 * ball * r * r, 2e-3 * p.inertia.m[0][0] );
	assert_near( p.upper.x, 0.9, 1e-12 );
	assert_near( p.lower.x, -0.9, 1e-12 );
	ds_mesh_release( mesh );

	// without a cylindrical part it is a sphere
	shape.length = 0;
	mesh = make( shape );
	assert_near( ds_mesh_measure( mesh ).volume, ball, 1e-3 * ball );
	ds_mesh_release( mesh );
}

// ---- Myring: the hull of the REMUS 100, Prestero 2001

typedef struct hull
{
	double a, a_offset, b, c, c_offset, n, theta, d;
} hull;

static const hull remus = { 0.191, 0.0165, 0.654, 0.541, 0.0368, 2, 25 * DS_PI / 180, 0.191 };

static double hull_length( hull h )
{
	return h.a + h.b + h.c - h.a_offset - h.c_offset;
}

// The radius at the distance xi from the cut tip of the nose.
static double hull_radius( hull h, double xi )
{
	double forward = h.a - h.a_offset, aft = xi - forward - h.b;
	if ( xi < forward )
	{
		return 0.5 * h.d * pow( 1 - pow( ( forward - xi ) / h.a, 2 ), 1 / h.n );
	}
	if ( aft < 0 )
	{
		return 0.5 * h.d;
	}
	double t = tan( h.theta );
	return 0.5 * h.d - ( 1.5 * h.d / ( h.c * h.c ) - t / h.c ) * pow( aft, 2 ) +
		   ( h.d / pow( h.c, 3 ) - t / pow( h.c, 2 ) ) * pow( aft, 3 );
}

// int pi r^2 xi^power by the midpoint rule.
static double hull_moment( hull h, int power )
{
	const int steps = 200000;
	double length = hull_length( h ), sum = 0;
	for ( int i = 0; i < steps; ++i )
	{
		double xi = length * ( i + 0.5 ) / steps, r = hull_radius( h, xi );
		sum += DS_PI * r * r * pow( xi, power );
	}
	return sum * length / steps;
}

static ds_mesh *make_hull( hull h, int64_t faces )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_MYRING );
	shape.diameter = h.d;
	shape.nose = h.a;
	shape.middle = h.b;
	shape.tail = h.c;
	shape.exponent = h.n;
	shape.tail_angle = h.theta;
	shape.nose_offset = h.a_offset;
	shape.tail_offset = h.c_offset;
	shape.faces = faces;
	return make( shape );
}

static void test_myring_remus( void **state )
{
	(void)state;
	ds_mesh *mesh = make_hull( remus, 200000 );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	double volume = hull_moment( remus, 0 ), centre = hull_moment( remus, 1 ) / volume;
	double second = hull_moment( remus, 2 ) - volume * centre * centre;
	assert_near( p.volume, volume, 2e-4 * volume );
	assert_near( p.centroid.x, 0.5 * hull_length( remus ) - centre, 1e-4 );
	assert_near( p.inertia.m[2][2] - 0.5 * p.inertia.m[0][0], second, 5e-4 * second );
	assert_near( p.upper.x - p.lower.x, 1.3327, 1e-12 );
	assert_near( p.upper.x, 1.3327 / 2, 1e-12 );
	assert_near( p.upper.y, 0.0955, 1e-12 );

	// Prestero 2001: the vehicle displaces 3.15e-2 m3
	assert_near( p.volume, 3.15e-2, 0.01 * 3.15e-2 );
	ds_mesh_release( mesh );

	// every vertex of the side lies on the profile
	mesh = make_hull( remus, 2000 );
	int64_t count;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &count );
	for ( int64_t i = 0; i < count; ++i )
	{
		double xi = 0.5 * hull_length( remus ) - v[i].x, r = sqrt( v[i].y * v[i].y + v[i].z * v[i].z );
		if ( xi > 1e-9 && xi < hull_length( remus ) - 1e-9 )
		{
			assert_near( r, hull_radius( remus, xi ), 1e-12 );
		}
	}
	p = ds_mesh_measure( mesh );
	assert_near( (double)p.faces, 2000, 300 );
	assert_true( p.volume < volume && p.volume > 0.98 * volume );
	ds_mesh_release( mesh );
}

static void test_myring_kinds( void **state )
{
	(void)state;
	hull h = remus;
	h.n = 3.5;
	h.theta = 0.2;
	h.a_offset = h.c_offset = 0;
	h.b = 0;
	ds_mesh *mesh = make_hull( h, 100000 );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	assert_near( p.volume, hull_moment( h, 0 ), 1e-3 * p.volume );
	assert_near( p.upper.x - p.lower.x, h.a + h.c, 1e-12 );
	ds_mesh_release( mesh );
}

// ---- errors and tables

static void expect_range( ds_mesh_shape shape, const char *word )
{
	ds_mesh *mesh = NULL;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_ERROR_RANGE );
	assert_null( mesh );
	if ( strstr( ds_last_error(), word ) == NULL )
	{
		fail_msg( "\"%s\" does not name %s", ds_last_error(), word );
	}
}

static void test_ranges( void **state )
{
	(void)state;
	ds_mesh_shape sphere = ds_mesh_shape_default( DS_MESH_SPHERE ), bad = sphere;
	bad.radius = 0;
	expect_range( bad, "radius" );
	bad.radius = NAN;
	expect_range( bad, "radius" );
	bad = sphere;
	bad.faces = 7;
	expect_range( bad, "faces" );
	bad.faces = 10000001;
	expect_range( bad, "faces" );
	ds_mesh_shape box = ds_mesh_shape_default( DS_MESH_BOX );
	box.size.z = -1;
	expect_range( box, "size" );
	ds_mesh_shape hull_shape = ds_mesh_shape_default( DS_MESH_MYRING );
	hull_shape.tail_angle = 1.57;
	expect_range( hull_shape, "tail_angle_deg" );
	hull_shape = ds_mesh_shape_default( DS_MESH_MYRING );
	hull_shape.nose_offset = hull_shape.nose;
	expect_range( hull_shape, "nose_offset" );
	hull_shape = ds_mesh_shape_default( DS_MESH_MYRING );
	hull_shape.tail_angle = 0;
	hull_shape.diameter = 1e-300;
	ds_mesh *mesh;
	assert_int_not_equal( ds_mesh_make( &hull_shape, NULL, &mesh ), DS_OK );
	sphere.struct_size = 0;
	assert_int_equal( ds_mesh_make( &sphere, NULL, &mesh ), DS_ERROR_ARGUMENT );
	sphere = ds_mesh_shape_default( DS_MESH_SPHERE );
	sphere.kind = DS_MESH_SHAPE_COUNT;
	assert_int_equal( ds_mesh_make( &sphere, NULL, &mesh ), DS_ERROR_ARGUMENT );
}

static void test_tables( void **state )
{
	(void)state;
	static const char *const names[] = { "box", "sphere", "cylinder", "capsule", "ellipsoid", "myring" };
	for ( int kind = 0; kind < DS_MESH_SHAPE_COUNT; ++kind )
	{
		const ds_table *table = ds_mesh_shape_table( (ds_mesh_shape_kind)kind );
		assert_string_equal( table->name, names[kind] );
		if ( ds_table_check( table ) != DS_OK )
		{
			fail_msg( "%s", ds_last_error() );
		}
		ds_mesh *mesh = make( ds_mesh_shape_default( (ds_mesh_shape_kind)kind ) );
		assert_true( ds_mesh_measure( mesh ).closed );
		ds_mesh_release( mesh );
	}
	assert_null( ds_mesh_shape_table( DS_MESH_SHAPE_COUNT ) );
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_MYRING );
	assert_near( shape.tail_angle, 25 * DS_PI / 180, 1e-15 );
	assert_null( ds_table_find( ds_mesh_shape_table( DS_MESH_SPHERE ), "length" ) );
}

// The same shape twice is the same bytes.
static void test_repeats( void **state )
{
	(void)state;
	ds_mesh *a = make_hull( remus, 3000 ), *b = make_hull( remus, 3000 );
	ds_mesh_properties p = ds_mesh_measure( a ), q = ds_mesh_measure( b );
	assert_memory_equal( &p, &q, sizeof( p ) );
	assert_memory_equal(
		ds_mesh_vertices( a, NULL ), ds_mesh_vertices( b, NULL ), (size_t)p.vertices * sizeof( ds_vec3 ) );
	assert_memory_equal( ds_mesh_triangles( a, NULL ), ds_mesh_triangles( b, NULL ), (size_t)p.faces * 12 );
	ds_mesh_release( a );
	ds_mesh_release( b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_box ),
		cmocka_unit_test( test_box_far_away ),
		cmocka_unit_test( test_sphere_counts ),
		cmocka_unit_test( test_sphere_is_even ),
		cmocka_unit_test( test_sphere_converges ),
		cmocka_unit_test( test_ellipsoid ),
		cmocka_unit_test( test_cylinder ),
		cmocka_unit_test( test_capsule ),
		cmocka_unit_test( test_myring_remus ),
		cmocka_unit_test( test_myring_kinds ),
		cmocka_unit_test( test_ranges ),
		cmocka_unit_test( test_tables ),
		cmocka_unit_test( test_repeats ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
