// Pressure on meshes: wholly under water and through the free surface.

#include "hydro_shapes.h"

// Box of reference case P01, its reference point at the box's centre.
static ds_faces *p01_box( void )
{
	return faces_with_drag( shape_box( ds_v3( -0.5, -0.5, -0.2 ), ds_v3( 0.5, 0.5, 0.2 ) ), 1, 0.01 );
}

static ds_vec3 world_force( const ds_flow *flow, const ds_face_forces *out )
{
	return ds_rotate( flow->attitude, out->hydrostatic.force );
}

static ds_vec3 world_torque( const ds_flow *flow, const ds_face_forces *out )
{
	return ds_rotate( flow->attitude, out->hydrostatic.torque );
}

// ---- reference case P01 ------------------------------------------------------------------------------------------

static void test_box_draft( void **state )
{
	(void)state;
	ds_faces *faces = p01_box();
	ds_flow flow = still_water( ds_quat_identity(), -0.1 );
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	ASSERT_NEAR( -out.hydrostatic.force.z, 1005.525, 1e-9 );
	ASSERT_NEAR( out.displaced_volume, 0.1, 1e-14 );
	ASSERT_NEAR( out.wet_area, 1.4, 1e-14 );
	ASSERT_NEAR( out.wet_fraction, 0.25, 1e-14 );
	ASSERT_NEAR3( out.centre_of_buoyancy, ds_v3( 0, 0, 0.15 ), 1e-14 );

	// at the draft of 200 kg the weight is carried
	flow.depth = 200 / RHO - 0.2;
	ds_faces_evaluate( faces, &flow, &out );
	ASSERT_NEAR( -out.hydrostatic.force.z, 200 * G, 1e-9 );
	ds_faces_destroy( faces );
}

static void test_box_righting_moment( void **state )
{
	(void)state;
	ds_faces *faces = p01_box();
	const double draft = 200 / RHO, heel = 5 * DS_PI / 180;

	// turned about the centre of the waterline
	ds_quat attitude = ds_quat_from_rpy( ds_v3( heel, 0, 0 ) );
	ds_vec3 centre = ds_rotate( attitude, ds_v3( 0, 0, draft - 0.2 ) );
	ds_flow flow = still_water( attitude, centre.z );
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	ASSERT_NEAR( -world_force( &flow, &out ).z, 200 * G, 1e-9 );

	// GZ of a wall-sided body, exact here; the centre of gravity is the reference point
	double bm = 1.0 / 12 / draft, gm = draft / 2 + bm - 0.2;
	double gz = sin( heel ) * ( gm + 0.5 * bm * tan( heel ) * tan( heel ) );
	ASSERT_NEAR( -out.hydrostatic.torque.x, 200 * G * gz, 1e-9 );
	ASSERT_NEAR( -out.hydrostatic.torque.x, 55.79, 0.005 );
	ds_faces_destroy( faces );
}

// ---- wholly under water ------------------------------------------------------------------------------------------

static void test_submerged_buoyancy( void **state )
{
	(void)state;
	uint64_t seed = 1;
	const double depths[] = { 10, 3000, 11000 };
	for ( int k = 0; k < 30; ++k )
	{
		shape s = shape_ellipsoid( ds_v3( 1.5, 0.8, 0.4 ), 3 );
		ds_faces_def def = shape_def( &s );
		def.pose.attitude = noise_attitude( &seed );
		def.pose.position = ds_scale( 3, noise3( &seed ) );
		ds_faces *faces = faces_of( &def );
		ds_flow flow = still_water( noise_attitude( &seed ), depths[k % 3] );
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );

		double weight = RHO * G * ds_faces_volume( faces );
		ASSERT_NEAR3( world_force( &flow, &out ), ds_v3( 0, 0, -weight ), 1e-12 * weight );
		ds_vec3 arm = ds_rotate( flow.attitude, def.pose.position );
		ASSERT_NEAR3( world_torque( &flow, &out ), ds_cross( arm, ds_v3( 0, 0, -weight ) ), 3e-12 * weight );
		ASSERT_NEAR3( ds_faces_cb( faces ), def.pose.position, 1e-12 );
		ASSERT_NEAR( out.wet_fraction, 1, 0 );
		ds_faces_destroy( faces );
		shape_free( &s );
	}
}

// A mesh about its own centre of volume has no torque, in any attitude, however rough its faces.
static void test_submerged_torque_free( void **state )
{
	(void)state;
	uint64_t seed = 2;
	shape s = shape_box( ds_v3( -0.5, -0.7, -0.2 ), ds_v3( 0.5, 0.7, 0.2 ) );
	ds_faces_def def = shape_def( &s );
	ds_faces *faces = faces_of( &def );
	for ( int k = 0; k < 100; ++k )
	{
		ds_flow flow = still_water( noise_attitude( &seed ), 3000 );
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );
		ASSERT_NEAR3( out.hydrostatic.torque, ds_v3( 0, 0, 0 ), 1e-12 * RHO * G * ds_faces_volume( faces ) );
	}
	ds_faces_destroy( faces );
	shape_free( &s );
}

static void test_given_volume_and_centre( void **state )
{
	(void)state;
	shape s = shape_box( ds_v3( -0.5, -0.5, -0.2 ), ds_v3( 0.5, 0.5, 0.2 ) );
	ds_faces_def def = shape_def( &s );
	def.volume = 0.1;
	def.has_cb = true;
	def.cb = ds_v3( 0.2, -0.1, 0.05 );
	ds_faces *faces = faces_of( &def );
	ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.3, -0.5, 1 ) ), 50 );
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	ds_vec3 up = ds_unrotate( flow.attitude, ds_v3( 0, 0, -RHO * G * 0.1 ) );
	ASSERT_NEAR3( out.hydrostatic.force, up, 1e-9 );
	ASSERT_NEAR3( out.hydrostatic.torque, ds_cross( def.cb, up ), 1e-9 );
	ASSERT_NEAR3( out.centre_of_buoyancy, def.cb, 0 );
	ASSERT_NEAR( out.displaced_volume, 0.1, 0 );

	// a quarter of the mesh is wet: a quarter of the volume acts, at a centre moved as the mesh's is
	flow = still_water( ds_quat_identity(), -0.1 );
	ds_faces_evaluate( faces, &flow, &out );
	ASSERT_NEAR( -out.hydrostatic.force.z, RHO * G * 0.025, 1e-10 );
	ASSERT_NEAR3( out.centre_of_buoyancy, ds_v3( 0.2, -0.1, 0.2 ), 1e-12 );
	ASSERT_NEAR3( out.hydrostatic.torque, ds_cross( out.centre_of_buoyancy, out.hydrostatic.force ), 1e-10 );
	ds_faces_destroy( faces );
	shape_free( &s );
}

// Moving the mesh in its body, and the body the other way, changes nothing.
static void test_any_offset( void **state )
{
	(void)state;
	uint64_t seed = 3;
	for ( int k = 0; k < 60; ++k )
	{
		shape s = k % 2 ? shape_ellipsoid( ds_v3( 0.9, 0.5, 0.3 ), 2 )
						: shape_box( ds_v3( -0.4, -0.1, -0.3 ), ds_v3( 0.8, 0.6, 0.2 ) );
		ds_faces_def def = shape_def( &s );
		def.form_drag = ds_v3( 0.4, 0.9, 1.2 );
		def.skin_drag = 0.01;
		ds_vec3 offset = ds_scale( 5, noise3( &seed ) );
		ds_faces *here = faces_of( &def );
		def.pose.position = offset;
		ds_faces *there = faces_of( &def );

		ds_flow flow = still_water( noise_attitude( &seed ), 0.3 * noise( &seed ) + ( k % 5 == 0 ? 20 : 0 ) );
		flow.velocity = noise3( &seed );
		flow.rate = noise3( &seed );
		ds_flow moved = flow;
		moved.depth -= ds_rotate( flow.attitude, offset ).z;
		moved.velocity = ds_sub( flow.velocity, ds_cross( flow.rate, offset ) );

		ds_face_forces a, b;
		ds_faces_evaluate( here, &flow, &a );
		ds_faces_evaluate( there, &moved, &b );
		double scale = RHO * G * ds_faces_volume( here );
		ASSERT_NEAR3( b.hydrostatic.force, a.hydrostatic.force, 1e-11 * scale );
		ASSERT_NEAR3( b.hydrostatic.torque, ds_add( a.hydrostatic.torque, ds_cross( offset, a.hydrostatic.force ) ),
			1e-10 * scale );
		ASSERT_NEAR3( b.centre_of_buoyancy, ds_add( a.centre_of_buoyancy, offset ), 1e-9 );
		ASSERT_NEAR3( b.drag.force, a.drag.force, 1e-9 * RHO );
		ASSERT_NEAR3( b.drag.torque, ds_add( a.drag.torque, ds_cross( offset, a.drag.force ) ), 1e-9 * RHO );
		ASSERT_NEAR( b.wet_area, a.wet_area, 1e-11 );
		ds_faces_destroy( here );
		ds_faces_destroy( there );
		shape_free( &s );
	}
}

// ---- through the surface -----------------------------------------------------------------------------------------

// Wet volume, its first moment and the wet area of a closed mesh, by another way: the polygon of each face above the
// surface is cut off vertex by vertex (Sutherland-Hodgman), and cones from a point of the surface are added.
typedef struct reference
{
	double volume, area;
	double level; // area of faces that lie in the surface: neither wet nor dry
	ds_vec3 moment; // volume times centre, world axes about the reference point
} reference;

static reference cut_reference( const shape *s, const ds_flow *flow )
{
	reference r = { 0, 0, 0, { 0, 0, 0 } };
	ds_vec3 apex = ds_v3( 0.123, -0.2, -flow->depth ); // on the surface
	for ( int i = 0; i < s->face_count; ++i )
	{
		ds_vec3 wet[4], corner[3];
		double farthest = 0;
		int n = 0;
		for ( int k = 0; k < 3; ++k )
		{
			ds_vec3 p = ds_rotate( flow->attitude, s->vertices[s->triangles[3 * i + k]] );
			ds_vec3 q = ds_rotate( flow->attitude, s->vertices[s->triangles[3 * i + ( k + 1 ) % 3]] );
			double dp = p.z + flow->depth, dq = q.z + flow->depth;
			corner[k] = p;
			farthest = fmax( farthest, fabs( dp ) );
			if ( dp > 0 )
			{
				wet[n++] = p;
			}
			if ( ( dp > 0 ) != ( dq > 0 ) )
			{
				wet[n++] = ds_mad( p, dp / ( dp - dq ), ds_sub( q, p ) );
			}
		}
		if ( farthest < 1e-14 )
		{
			r.level += 0.5 * ds_length( ds_cross( ds_sub( corner[1], corner[0] ), ds_sub( corner[2], corner[0] ) ) );
			continue;
		}
		for ( int k = 2; k < n; ++k )
		{
			ds_vec3 a = ds_sub( wet[0], apex ), b = ds_sub( wet[k - 1], apex ), c = ds_sub( wet[k], apex );
			double volume = ds_dot( a, ds_cross( b, c ) ) / 6;
			ds_vec3 mean = ds_scale( 0.25, ds_add( ds_add( a, b ), c ) );
			r.volume += volume;
			r.moment = ds_mad( r.moment, volume, ds_add( apex, mean ) );
			r.area += 0.5 * ds_length( ds_cross( ds_sub( b, a ), ds_sub( c, a ) ) );
		}
	}
	return r;
}

static void check_piercing( const shape *s, const ds_faces *faces, const ds_flow *flow )
{
	ds_face_forces out;
	ds_faces_evaluate( faces, flow, &out );
	reference r = cut_reference( s, flow );
	double whole = ds_faces_volume( faces ), weight = RHO * G * whole;
	ASSERT_NEAR( out.displaced_volume, r.volume, 1e-13 * whole );
	ASSERT_NEAR( out.wet_area, r.area + 0.5 * r.level, 0.5 * r.level + 1e-12 * ( 1 + r.area ) );
	ASSERT_NEAR3( world_force( flow, &out ), ds_v3( 0, 0, -RHO * G * r.volume ), 1e-12 * weight );
	ds_vec3 torque = ds_cross( r.moment, ds_v3( 0, 0, -RHO * G ) );
	ASSERT_NEAR3( world_torque( flow, &out ), torque, 1e-12 * weight );
	ASSERT_NEAR( world_torque( flow, &out ).z, 0, 1e-12 * weight );
	if ( out.wet_fraction > 1e-3 )
	{
		ds_vec3 centre = ds_rotate( flow->attitude, out.centre_of_buoyancy );
		ASSERT_NEAR3( centre, ds_scale( 1 / r.volume, r.moment ), 1e-11 );
	}
}

static void test_piercing_sweep( void **state )
{
	(void)state;
	uint64_t seed = 4;
	for ( int k = 0; k < 12; ++k )
	{
		shape s = k % 3 == 0 ? shape_box( ds_v3( -0.5, -0.4, -0.2 ), ds_v3( 0.5, 0.4, 0.2 ) )
							 : shape_ellipsoid( ds_v3( 0.8, 0.4, 0.3 ), k % 3 );
		ds_faces_def def = shape_def( &s );
		ds_faces *faces = faces_of( &def );
		ds_quat attitude = k == 0 ? ds_quat_identity() : noise_attitude( &seed );
		double last = 0, weight = RHO * G * ds_faces_volume( faces );
		for ( int i = -1000; i <= 1000; ++i )
		{
			ds_flow flow = still_water( attitude, 0.001 * i );
			check_piercing( &s, faces, &flow );
			ds_face_forces out;
			ds_faces_evaluate( faces, &flow, &out );

			// 1 mm deeper adds no more than 1 mm of the largest waterplane, and never takes away
			double up = -world_force( &flow, &out ).z;
			assert_true( up >= last - 1e-12 * weight );
			assert_true( up - last <= RHO * G * 0.001 * 1.4 );
			last = up;
		}
		ASSERT_NEAR( last, weight, 1e-12 * weight );
		ds_faces_destroy( faces );
		shape_free( &s );
	}
}

// A vertex, an edge or a face lies exactly in the surface.
static void test_piercing_degenerate( void **state )
{
	(void)state;
	shape s = shape_box( ds_v3( -0.5, -0.5, -0.5 ), ds_v3( 0.5, 0.5, 0.5 ) );
	ds_faces_def def = shape_def( &s );
	ds_faces *faces = faces_of( &def );
	const double depths[] = { -0.5, 0.5, -0.70710678118654752, 0.70710678118654752, 0, -0.8660254037844386, 1e-300 };
	const ds_vec3 turns[] = { { 0, 0, 0 }, { DS_PI / 4, 0, 0 }, { DS_PI / 4, 0.61547970867038734, 0 },
		{ DS_PI / 2, 0, 0 }, { 0, DS_PI / 4, 0.3 } };
	for ( int i = 0; i < 7; ++i )
	{
		for ( int k = 0; k < 5; ++k )
		{
			ds_flow flow = still_water( ds_quat_from_rpy( turns[k] ), depths[i] );
			check_piercing( &s, faces, &flow );
			flow.velocity = ds_v3( 1, 2, 3 );
			ds_face_forces out;
			ds_faces_evaluate( faces, &flow, &out );
			assert_true( ds_finite( out.drag.force ) && ds_finite( out.drag.torque ) );
		}
	}
	ds_faces_destroy( faces );
	shape_free( &s );
}

// Cap of a sphere: pi h^2 (3 r - h) / 3, wet area 2 pi r h.
static void test_sphere_cap( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 1, 1, 1 ), 5 ), 0, 0 );
	for ( int i = 1; i < 20; ++i )
	{
		double h = 0.1 * i;
		ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.1 * i, 1, 2 ) ), h - 1 );
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );
		ASSERT_NEAR( out.displaced_volume, DS_PI * h * h * ( 3 - h ) / 3, 4e-3 );
		ASSERT_NEAR( out.wet_area, 2 * DS_PI * h, 1e-2 );
		double mean = 3 * ( 2 - h ) * ( 2 - h ) / ( 4 * ( 3 - h ) ); // centre of the cap below the sphere's
		ASSERT_NEAR( ds_rotate( flow.attitude, out.centre_of_buoyancy ).z, mean, 2e-3 );
	}
	ds_faces_destroy( faces );
}

static void test_dry( void **state )
{
	(void)state;
	ds_faces *faces = p01_box();
	for ( int k = 0; k < 2; ++k )
	{
		// far above, and inside its sphere and box but out of the water by a hair
		ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( k * 0.7, k * 0.4, 0 ) ), k ? -0.7 : -100 );
		flow.velocity = ds_v3( 3, 2, 1 );
		flow.rate = ds_v3( 1, 1, 1 );
		ds_face_forces out, zero;
		memset( &zero, 0, sizeof( zero ) );
		ds_faces_evaluate( faces, &flow, &out );
		assert_memory_equal( &out, &zero, sizeof( out ) );
	}
	ds_faces_destroy( faces );
}

// The two ways of computing agree where they meet: a body touching the surface from below.
static void test_surface_meets_submerged( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 3 ), 0.5, 0.01 );
	ds_flow flow = still_water( ds_quat_identity(), 0.49999 );
	flow.velocity = ds_v3( 1, -0.5, 0.2 );
	flow.rate = ds_v3( 0.3, 0.2, 0.1 );
	ds_face_forces a, b;
	ds_faces_evaluate( faces, &flow, &a );
	flow.depth = 0.50001;
	ds_faces_evaluate( faces, &flow, &b );
	double weight = RHO * G * ds_faces_volume( faces );
	ASSERT_NEAR3( a.hydrostatic.force, b.hydrostatic.force, 1e-9 * weight );
	ASSERT_NEAR3( a.drag.force, b.drag.force, 1e-6 * ds_length( b.drag.force ) );
	ASSERT_NEAR3( a.drag.torque, b.drag.torque, 1e-6 * ds_length( b.drag.force ) );
	ds_faces_destroy( faces );
}

// ---- errors ------------------------------------------------------------------------------------------------------

static void expect_error( const ds_faces_def *def, ds_status expected )
{
	ds_faces *faces = (ds_faces *)&faces;
	assert_int_equal( ds_faces_create( NULL, def, &faces ), expected );
	assert_null( faces );
}

static void test_refused( void **state )
{
	(void)state;
	shape s = shape_box( ds_v3( -1, -1, -1 ), ds_v3( 1, 1, 1 ) );
	ds_faces_def good = shape_def( &s ), def = good;
	def.face_count = 0;
	expect_error( &def, DS_ERROR_MESH_EMPTY );
	def.face_count = 11;
	expect_error( &def, DS_ERROR_MESH_OPEN );
	def = good;
	def.skin_drag = -1;
	expect_error( &def, DS_ERROR_RANGE );
	def = good;
	def.form_drag.y = NAN;
	expect_error( &def, DS_ERROR_RANGE );
	def = good;
	def.pose.attitude.w = 0.5;
	expect_error( &def, DS_ERROR_NOT_FINITE );
	def = good;
	s.triangles[7] = s.vertex_count;
	expect_error( &def, DS_ERROR_RANGE );
	s.triangles[7] = 7;
	s.vertices[5].x = INFINITY;
	expect_error( &def, DS_ERROR_NOT_FINITE );
	shape_free( &s );

	// turned inside out, and flat
	s = shape_box( ds_v3( 1, -1, -1 ), ds_v3( -1, 1, 1 ) );
	def = shape_def( &s );
	expect_error( &def, DS_ERROR_MESH_VOLUME );
	shape_free( &s );
	s = shape_box( ds_v3( -1, -1, 0 ), ds_v3( 1, 1, 0 ) );
	def = shape_def( &s );
	expect_error( &def, DS_ERROR_MESH_VOLUME );
	shape_free( &s );
}

static void *failing_allocate( void *user, size_t size, size_t alignment )
{
	int *left = user;
	return ( *left )-- > 0 ? aligned_alloc( alignment, size ) : NULL;
}

static void plain_release( void *user, void *memory, size_t size )
{
	(void)user;
	(void)size;
	free( memory );
}

static void test_out_of_memory( void **state )
{
	(void)state;
	shape s = shape_box( ds_v3( -1, -1, -1 ), ds_v3( 1, 1, 1 ) );
	ds_faces_def def = shape_def( &s );
	ds_status status = DS_ERROR_MEMORY;
	for ( int allowed = 0; status != DS_OK; ++allowed )
	{
		int left = allowed;
		ds_allocator allocator = { failing_allocate, plain_release, &left };
		ds_faces *faces;
		status = ds_faces_create( &allocator, &def, &faces );
		assert_true( allowed < 20 && ( status == DS_OK || status == DS_ERROR_MEMORY ) );
		ds_faces_destroy( faces );
	}
	shape_free( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_box_draft ),
		cmocka_unit_test( test_box_righting_moment ),
		cmocka_unit_test( test_submerged_buoyancy ),
		cmocka_unit_test( test_submerged_torque_free ),
		cmocka_unit_test( test_given_volume_and_centre ),
		cmocka_unit_test( test_any_offset ),
		cmocka_unit_test( test_piercing_sweep ),
		cmocka_unit_test( test_piercing_degenerate ),
		cmocka_unit_test( test_sphere_cap ),
		cmocka_unit_test( test_dry ),
		cmocka_unit_test( test_surface_meets_submerged ),
		cmocka_unit_test( test_refused ),
		cmocka_unit_test( test_out_of_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
