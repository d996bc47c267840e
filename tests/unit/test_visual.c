// Visuals in memory: smooth normals, colours and textures at a point, and the way they are shared.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/math.h"
#include "optics/visual.h"

#include <string.h>

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.9g, expected %.9g", value, expected );
	}
}

static ds_visual *make_shape( ds_mesh_shape_kind kind, int64_t faces, ds_pose pose, const ds_material *material )
{
	ds_mesh_shape shape = ds_mesh_shape_default( kind );
	shape.faces = faces;
	ds_mesh *mesh;
	ds_visual *visual;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_OK );
	assert_int_equal( ds_visual_from_mesh( mesh, pose, material, NULL, &visual ), DS_OK );
	ds_mesh_release( mesh );
	return visual;
}

static ds_vec3 point_of( const ds_visual *v, int64_t f, double b, double c )
{
	const int32_t *t = v->triangles + 3 * f;
	return ds_add( ds_scale( 1 - b - c, v->vertices[t[0]] ),
		ds_add( ds_scale( b, v->vertices[t[1]] ), ds_scale( c, v->vertices[t[2]] ) ) );
}

static void test_box_keeps_its_edges( void **state )
{
	(void)state;
	ds_visual *v = make_shape( DS_MESH_BOX, 12, ds_pose_identity(), NULL );
	assert_int_equal( v->face_count, 12 );
	for ( int64_t f = 0; f < 12; ++f )
	{
		ds_surface s;
		ds_vec3 p = point_of( v, f, 0.98, 0.01 ); // near a corner of the box
		ds_visual_at( v, f, p, 0, &s );
		double along = fabs( p.x ) > 0.4999   ? s.normal[0] * p.x
					   : fabs( p.y ) > 0.4999 ? s.normal[1] * p.y
											  : s.normal[2] * p.z;
		assert_near( along, 0.5, 1e-7 );
		assert_near( s.color[1], 0.5, 1e-7 );
		assert_near( s.roughness, 0.9, 1e-7 );
	}
	ds_visual_release( v );
}

// Anywhere on a sphere of 1280 faces the normal points from the centre, much nearer than the faces' own (3.6 degrees).
static void test_sphere_is_smooth( void **state )
{
	(void)state;
	ds_pose pose = { { 3, -2, 1 }, ds_quat_from_rpy( ds_v3( 0.3, -0.2, 1 ) ) };
	ds_material red = { { 0.7, 0.1, 0.05 }, 1, 0.25 };
	ds_visual *v = make_shape( DS_MESH_SPHERE, 1280, pose, &red );
	for ( int64_t f = 0; f < v->face_count; ++f )
	{
		ds_surface s;
		ds_vec3 p = point_of( v, f, 0.2, 0.5 ), r = ds_sub( p, pose.position );
		ds_visual_at( v, f, p, 0.01, &s );
		ds_vec3 n = { s.normal[0], s.normal[1], s.normal[2] };
		assert_near( ds_length( n ), 1, 1e-6 );
		assert_true( ds_dot( n, r ) / ds_length( r ) > cos( 0.4 * DS_PI / 180 ) );
		assert_true( s.color[0] == 0.7f && s.metallic == 1 && s.roughness == 0.25f );
	}
	ds_visual_release( v );
}

// A cylinder: round about, with sharp rims.
static void test_cylinder_has_rims( void **state )
{
	(void)state;
	ds_visual *v = make_shape( DS_MESH_CYLINDER, 400, ds_pose_identity(), NULL );
	int64_t caps = 0, sides = 0;
	for ( int64_t f = 0; f < v->face_count; ++f )
	{
		ds_surface s;
		ds_vec3 p = point_of( v, f, 0.3, 0.3 );
		ds_visual_at( v, f, p, 0, &s );
		if ( fabs( p.x ) > 0.5 - 1e-9 )
		{
			++caps;
			assert_near( fabs( s.normal[0] ), 1, 1e-6 );
		}
		else
		{
			++sides;
			double r = sqrt( p.y * p.y + p.z * p.z );
			assert_near( s.normal[0], 0, 1e-6 );
			assert_true( ( s.normal[1] * p.y + s.normal[2] * p.z ) / r > cos( 1 * DS_PI / 180 ) );
		}
	}
	assert_true( caps > 10 && sides > 10 );
	ds_visual_release( v );
}

// One triangle of 2 m x 2 m with uv (0,0), (1,0), (0,1) and, optionally, colours.
static ds_visual *make_triangle( void )
{
	static const ds_vec3 corners[3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 2, 0 } };
	ds_visual *v;
	assert_int_equal( ds_visual_new( NULL, 3, 1, 1, &v ), DS_OK );
	memcpy( v->vertices, corners, sizeof( corners ) );
	v->triangles[1] = 1;
	v->triangles[2] = 2;
	v->materials[0] = ds_visual_material_of( NULL );
	assert_int_equal( ds_visual_compute_normals( v, true ), DS_OK );
	assert_int_equal( DS_NEW( &v->allocator, 3, &v->uv ), DS_OK );
	assert_int_equal( DS_NEW( &v->allocator, 3, &v->colors ), DS_OK );
	v->uv[1][0] = v->uv[2][1] = 1;
	for ( int k = 0; k < 3; ++k )
	{
		v->colors[0][k] = v->colors[1][k] = v->colors[2][k] = 1;
	}
	return v;
}

static void test_colors_are_mixed( void **state )
{
	(void)state;
	ds_visual *v = make_triangle();
	memset( v->colors, 0, 9 * sizeof( float ) );
	v->colors[0][0] = v->colors[1][1] = v->colors[2][2] = 1;
	ds_surface s;
	ds_visual_at( v, 0, ds_v3( 0.6, 0.2, 1e-4 ), 0, &s ); // weights 0.6, 0.3, 0.1; a little off the plane
	assert_near( s.color[0], 0.5 * 0.6, 1e-6 );
	assert_near( s.color[1], 0.5 * 0.3, 1e-6 );
	assert_near( s.color[2], 0.5 * 0.1, 1e-6 );

	// beyond the triangle, or nowhere: still a colour of it
	ds_visual_at( v, 0, ds_v3( 9, -3, 0 ), 0, &s );
	assert_near( s.color[1], 0.5, 1e-6 );
	ds_visual_at( v, 0, ds_v3( NAN, 0, INFINITY ), 0, &s );
	assert_true( s.color[0] >= 0 && s.color[0] <= 1 && s.normal[2] == 1 );
	ds_visual_release( v );
}

static void put_texture(
	ds_visual *v, int64_t width, int64_t height, int32_t channels, const uint8_t *pixels, bool srgb )
{
	assert_int_equal( DS_NEW( &v->allocator, 1, &v->textures ), DS_OK );
	v->texture_count = 1;
	assert_int_equal( ds_texture_make( &v->allocator, width, height, channels, 8, pixels, srgb, v->textures ), DS_OK );
}

static void test_texture( void **state )
{
	(void)state;
	ds_visual *v = make_triangle();
	static const uint8_t pixels[12] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 188, 188, 188 };
	put_texture( v, 2, 2, 3, pixels, true );
	v->materials[0].color_texture = 0;
	v->materials[0].color[0] = v->materials[0].color[1] = v->materials[0].color[2] = 1;

	// the centres of texels: u, v = 0.25, 0.75 lie at x, y = 2 u, 2 v; the middle is their mean. sRGB 188 is 0.5029 linear.
	ds_surface s;
	ds_visual_at( v, 0, ds_v3( 0.5, 0.5, 0 ), 0, &s );
	assert_true( s.color[0] == 1 && s.color[1] == 0 && s.color[2] == 0 );
	ds_visual_at( v, 0, ds_v3( 1.5, 0.5, 0 ), 0, &s );
	assert_near( s.color[1], 1, 1e-5 );
	ds_visual_at( v, 0, ds_v3( 1, 1, 0 ), 0, &s );
	double grey = pow( ( 188 / 255.0 + 0.055 ) / 1.055, 2.4 );
	assert_near( s.color[0], ( 1 + grey ) / 4, 1e-4 );

	// a footprint as wide as the picture: the mean everywhere
	ds_visual_at( v, 0, ds_v3( 0.5, 0.5, 0 ), 4, &s );
	assert_near( s.color[0], ( 1 + grey ) / 4, 1e-4 );
	assert_near( s.color[2], ( 1 + grey ) / 4, 1e-4 );

	// of one texel, 1 m: none of the next level
	ds_visual_at( v, 0, ds_v3( 0.5, 0.5, 0 ), 1, &s );
	assert_near( s.color[0], 1, 1e-5 );
	// a geometric mean between the levels half way
	ds_visual_at( v, 0, ds_v3( 0.5, 0.5, 0 ), sqrt( 2 ), &s );
	assert_near( s.color[0], ( 1 + ( 1 + grey ) / 4 ) / 2, 2e-3 );
	ds_visual_release( v );
}

// Repeated, clamped, mirrored: texels of a 4 x 1 picture at any u.
static void test_wrap( void **state )
{
	(void)state;
	static const uint8_t pixels[4] = { 0, 51, 102, 255 };
	ds_texture t;
	assert_int_equal( ds_texture_make( NULL, 4, 1, 1, 8, pixels, false, &t ), DS_OK );
	static const struct
	{
		uint8_t wrap;
		float u, expected;
	} cases[] = { { DS_WRAP_REPEAT, 0.375f, 0.2f }, { DS_WRAP_REPEAT, 7.375f, 0.2f }, { DS_WRAP_REPEAT, -0.625f, 0.2f },
		{ DS_WRAP_REPEAT, 0, 0.5f }, { DS_WRAP_CLAMP, -3, 0 }, { DS_WRAP_CLAMP, 0.03f, 0 }, { DS_WRAP_CLAMP, 2, 1 },
		{ DS_WRAP_MIRROR, 1.125f, 1 }, { DS_WRAP_MIRROR, 1.625f, 0.2f }, { DS_WRAP_MIRROR, -0.375f, 0.2f },
		{ DS_WRAP_MIRROR, 2, 0 }, { DS_WRAP_REPEAT, NAN, 0.5f }, { DS_WRAP_MIRROR, INFINITY, 0 } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		uint8_t wrap[2] = { cases[i].wrap, cases[i].wrap };
		float color[3];
		ds_texture_sample( &t, wrap, cases[i].u, 0.5f, 0, color );
		assert_near( color[0], cases[i].expected, 1e-5 );
	}
	ds_texture_free( NULL, &t );
}

// Levels of pictures of any size keep the mean.
static void test_levels_keep_the_mean( void **state )
{
	(void)state;
	for ( int64_t width = 1; width < 40; width += 3 )
	{
		for ( int64_t height = 1; height < 40; height += 5 )
		{
			uint8_t pixels[40 * 40 * 4];
			double sum = 0;
			uint32_t seed = 7;
			for ( int64_t i = 0; i < width * height; ++i )
			{
				for ( int k = 0; k < 4; ++k )
				{
					seed = seed * 1664525 + 1013904223;
					pixels[4 * i + k] = (uint8_t)( seed >> 24 );
				}
				sum += pixels[4 * i + 1] / 255.0;
			}
			ds_texture t;
			assert_int_equal( ds_texture_make( NULL, width, height, 4, 8, pixels, false, &t ), DS_OK );
			assert_near(
				t.texels[t.starts[t.levels - 1]][1] / 65535.0, sum / (double)( width * height ), t.levels / 65535.0 );
			ds_texture_free( NULL, &t );
		}
	}
}

static void test_metallic_roughness( void **state )
{
	(void)state;
	ds_visual *v = make_triangle();
	static const uint8_t pixel[3] = { 9, 102, 204 };
	put_texture( v, 1, 1, 3, pixel, false );
	v->materials[0].surface_texture = 0;
	v->materials[0].metallic = 0.5f;
	v->materials[0].roughness = 1;
	ds_surface s;
	ds_visual_at( v, 0, ds_v3( 0.5, 0.5, 0 ), 0.1, &s );
	assert_near( s.roughness, 0.4, 1e-5 );
	assert_near( s.metallic, 0.4, 1e-5 );
	assert_near( s.color[0], 0.5, 1e-6 );
	ds_visual_release( v );
}

static void test_given_normals_are_mended( void **state )
{
	(void)state;
	ds_visual *v = make_triangle();
	static const float given[3][3] = { { 0, 0, -2 }, { NAN, 0, 1 }, { 3, 0, 4 } };
	memcpy( v->normals, given, sizeof( given ) );
	ds_visual_mend_normals( v );
	assert_true( v->normals[0][2] == 1 && v->normals[1][2] == 1 );
	assert_near( v->normals[2][0], 0.6, 1e-6 );
	ds_visual_release( v );
}

// Faces that meet in thousands at one vertex, and ones without area.
static void test_fan_and_slivers( void **state )
{
	(void)state;
	const int32_t n = 20000;
	ds_visual *v;
	assert_int_equal( ds_visual_new( NULL, n + 1, n + 1, 1, &v ), DS_OK );
	v->materials[0] = ds_visual_material_of( NULL );
	for ( int32_t i = 0; i < n; ++i )
	{
		double a = 2 * DS_PI * i / n;
		v->vertices[i + 1] = ds_v3( cos( a ), sin( a ), 0.1 );
		v->triangles[3 * i + 1] = i + 1;
		v->triangles[3 * i + 2] = ( i + 1 ) % n + 1;
	}
	assert_int_equal( ds_visual_compute_normals( v, false ), DS_OK );
	assert_near( v->normals[0][2], 1, 1e-6 ); // the tip of a flat cone
	ds_surface s;
	ds_visual_at( v, n, ds_v3( 0, 0, 0 ), 1, &s ); // the last face is three times vertex 0
	assert_true( s.color[0] == 0.5f );
	ds_visual_release( v );
}

static void test_arguments( void **state )
{
	(void)state;
	ds_visual *v;
	assert_int_equal( ds_visual_from_mesh( NULL, ds_pose_identity(), NULL, NULL, &v ), DS_ERROR_ARGUMENT );
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_OK );
	ds_pose pose = ds_pose_identity();
	pose.position.y = NAN;
	assert_int_equal( ds_visual_from_mesh( mesh, pose, NULL, NULL, &v ), DS_ERROR_NOT_FINITE );
	ds_material bright = { { 2, 0, 0 }, 0, 1 };
	assert_int_equal( ds_visual_from_mesh( mesh, ds_pose_identity(), &bright, NULL, &v ), DS_ERROR_RANGE );
	assert_null( v );
	assert_int_equal( ds_visual_from_mesh( mesh, ds_pose_identity(), NULL, NULL, &v ), DS_OK );
	assert_ptr_equal( ds_visual_retain( v ), v );
	ds_visual_release( v );
	int64_t count;
	assert_non_null( ds_visual_vertices( v, &count ) );
	assert_int_equal( count, 8 );
	assert_non_null( ds_visual_triangles( v, NULL ) );
	ds_visual_release( v );
	ds_visual_release( NULL );
	ds_mesh_release( mesh );
	assert_int_equal( ds_table_check( ds_material_table() ), DS_OK );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_box_keeps_its_edges ),
		cmocka_unit_test( test_sphere_is_smooth ), cmocka_unit_test( test_cylinder_has_rims ),
		cmocka_unit_test( test_colors_are_mixed ), cmocka_unit_test( test_texture ), cmocka_unit_test( test_wrap ),
		cmocka_unit_test( test_levels_keep_the_mean ), cmocka_unit_test( test_metallic_roughness ),
		cmocka_unit_test( test_given_normals_are_mended ), cmocka_unit_test( test_fan_and_slivers ),
		cmocka_unit_test( test_arguments ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}
