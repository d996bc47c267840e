// Water whose density and flow change with depth: pressure and drag on faces.

#include "hydro_shapes.h"

#define GRADIENT  2.5 // [kg/m4], a strong halocline, so that its terms show
#define CURVATURE 0.8 // [kg/m5]

static ds_flow layered( ds_quat attitude, double depth )
{
	ds_flow flow = still_water( attitude, depth );
	flow.density_gradient = GRADIENT;
	flow.density_curvature = CURVATURE;
	return flow;
}

static double density_at( const ds_flow *flow, double z )
{
	double h = z - flow->depth;
	return flow->density + h * flow->density_gradient + 0.5 * h * h * flow->density_curvature;
}

// ---- pressure ----------------------------------------------------------------------------------------------------

// Gauss-Legendre nodes of 4 points on [-1, 1] (Abramowitz and Stegun, table 25.4).
static const double node[4] = { -0.861136311594053, -0.339981043584856, 0.339981043584856, 0.861136311594053 };
static const double weight[4] = { 0.347854845137454, 0.652145154862546, 0.652145154862546, 0.347854845137454 };

// -g rho down over the wet part of a box, by quadrature over x, y and the part of each column along body z that is wet.
// Columns are wet between limits that are straight in pieces of y: the box is only rolled and so x does not matter.
static ds_wrench weight_of_water( const ds_flow *flow, ds_vec3 low, ds_vec3 high )
{
	ds_vec3 down = ds_unrotate( flow->attitude, ds_v3( 0, 0, 1 ) );
	ds_wrench sum = { { 0, 0, 0 }, { 0, 0, 0 } };
	double cuts[4] = { low.y, high.y, high.y, high.y };
	int count = 1;
	for ( int k = 0; k < 2 && fabs( down.y ) > 1e-9; ++k )
	{
		// where the surface leaves the box
		double y = -( flow->depth + down.z * ( k == ( down.y / down.z > 0 ) ? low.z : high.z ) ) / down.y;
		if ( y > low.y && y < high.y )
		{
			cuts[count++] = y;
		}
	}
	if ( count == 3 && cuts[1] > cuts[2] )
	{
		double t = cuts[1];
		cuts[1] = cuts[2];
		cuts[2] = t;
	}
	cuts[count] = high.y;
	for ( int piece = 0; piece < count; ++piece )
	{
		double a = cuts[piece], b = cuts[piece + 1];
		for ( int n = 0; n < 64; ++n )
		{
			int i = n / 16, j = n / 4 % 4, k = n % 4;
			double x = 0.5 * ( low.x + high.x ) + 0.5 * ( high.x - low.x ) * node[i];
			double y = 0.5 * ( a + b ) + 0.5 * ( b - a ) * node[j];
			double top = fmin( fmax( low.z, -( flow->depth + down.y * y ) / down.z ), high.z );
			double z = 0.5 * ( top + high.z ) + 0.5 * ( high.z - top ) * node[k];
			double dv = weight[i] * weight[j] * weight[k] / 8 * ( high.x - low.x ) * ( b - a ) * ( high.z - top );
			ds_vec3 r = ds_v3( x, y, z );
			ds_vec3 f = ds_scale( -G * dv * density_at( flow, flow->depth + ds_dot( down, r ) ), down );
			sum.force = ds_add( sum.force, f );
			sum.torque = ds_add( sum.torque, ds_cross( r, f ) );
		}
	}
	return sum;
}

// 12 faces, whatever the attitude: the pressure's first moments over each of them are exact.
static void test_pressure_on_a_box( void **state )
{
	(void)state;
	ds_vec3 low = ds_v3( -0.6, -0.5, -0.4 ), high = ds_v3( 1.0, 0.7, 0.5 );
	ds_faces *faces = faces_with_drag( shape_box( low, high ), 0, 0 );
	const double depths[] = { 30, 2, 0.9, 0.3, 0.1, -0.1, -0.3 };
	for ( size_t k = 0; k < sizeof( depths ) / sizeof( depths[0] ); ++k )
	{
		for ( double roll = -1.2; roll < 1.3; roll += 0.2 )
		{
			ds_flow flow = layered( ds_quat_from_rpy( ds_v3( roll, 0, 0.7 ) ), depths[k] );
			flow.density = 1000 + GRADIENT * flow.depth;
			ds_wrench exact = weight_of_water( &flow, low, high );
			ds_face_forces out;
			ds_faces_evaluate( faces, &flow, &out );
			ASSERT_NEAR3( out.hydrostatic.force, exact.force, 1e-9 * RHO * G );
			ASSERT_NEAR3( out.hydrostatic.torque, exact.torque, 1e-9 * RHO * G );
			// and it matters: the uniform density of the reference point is far off
			flow.density_gradient = flow.density_curvature = 0;
			ds_faces_evaluate( faces, &flow, &out );
			assert_true( ds_length( ds_sub( out.hydrostatic.force, exact.force ) ) +
							 ds_length( ds_sub( out.hydrostatic.torque, exact.torque ) ) >
						 0.1 );
		}
	}
	ds_faces_destroy( faces );
}

// Buoyancy of a ball in rho0 + rho'' h^2/2: g V ( rho0 + rho'' R^2/10 ); its torque about the centre in a gradient is that of
// its second moments, zero.
static void test_pressure_on_a_sphere( void **state )
{
	(void)state;
	const double r = 0.8;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( r, r, r ), 5 ), 0, 0 );
	ds_flow flow = layered( ds_quat_from_rpy( ds_v3( 0.4, -0.7, 2 ) ), 40 );
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	double mean = RHO + CURVATURE * r * r / 10;
	ASSERT_NEAR( ds_length( out.hydrostatic.force ) / ( G * ds_faces_volume( faces ) ) - RHO, mean - RHO,
		2e-3 * ( mean - RHO ) );
	ASSERT_NEAR3( out.hydrostatic.torque, ds_v3( 0, 0, 0 ), 1e-6 );
	ds_faces_destroy( faces );
}

// The loop through the surface and the moments of the volume give the same for what is wholly under water, in any attitude.
static void test_surface_loop_agrees_with_moments( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 2, 0.2, 0.3 ), 3 ), 0.5, 0.01 );
	// by its box the body reaches above the surface, by its faces it does not
	ds_flow near = layered( ds_quat_from_rpy( ds_v3( 0.5, 0.8, 0.3 ) ), 1.49 ), far = near;
	near.velocity = far.velocity = ds_v3( 1, 0.4, -0.2 );
	near.rate = far.rate = ds_v3( 0.1, 0.2, 0.3 );
	near.shear = far.shear = ds_v3( 0.2, -0.1, 0.3 );
	near.shear_curvature = far.shear_curvature = ds_v3( -0.1, 0.1, 0.2 );
	far.depth = 100;
	ds_face_forces a, b;
	ds_faces_evaluate( faces, &near, &a );
	ds_faces_evaluate( faces, &far, &b );
	ASSERT_NEAR( a.wet_fraction, 1, 1e-12 );
	assert_true( a.wet_fraction != 1 || a.displaced_volume != b.displaced_volume );
	ASSERT_NEAR3( a.hydrostatic.force, b.hydrostatic.force, 1e-11 * ds_length( b.hydrostatic.force ) );
	ASSERT_NEAR3( a.hydrostatic.torque, b.hydrostatic.torque, 1e-10 * ds_length( b.hydrostatic.force ) );
	ASSERT_NEAR3( a.drag.force, b.drag.force, 1e-11 * ds_length( b.drag.force ) );
	ASSERT_NEAR3( a.drag.torque, b.drag.torque, 1e-11 * ds_length( b.drag.force ) );
	ds_faces_destroy( faces );
}

// A sphere of neutral density in the linear pycnocline rho = 1025 + 3.075 z / 1000 that is put 1 m too deep bobs at
// N sqrt( rho V / ( m + m_a ) ), N^2 = g rho' / rho; with m_a = rho V / 2 its period is 1418 s.
static void test_float_at_its_isopycnal( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 3 ), 0, 0 );
	const double z0 = 300, slope = 3.075e-3, v = ds_faces_volume( faces );
	const double mass = ( 1025 + slope * z0 ) * v, total = 1.5 * mass, dt = 1;
	double z = z0 + 1, w = 0, last = 1, crossings[2] = { 0, 0 };
	int count = 0;
	for ( int i = 0; i < 4000 && count < 2; ++i )
	{
		ds_flow flow = still_water( ds_quat_identity(), z );
		flow.density = 1025 + slope * z;
		flow.density_gradient = slope;
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );
		w += dt * ( mass * G + out.hydrostatic.force.z ) / total;
		z += dt * w;
		if ( ( z - z0 ) * last < 0 )
		{
			crossings[count++] = i + 1 - ( z - z0 ) / ( z - z0 - last );
		}
		last = z - z0;
	}
	ASSERT_NEAR( 2 * ( crossings[1] - crossings[0] ), 1418, 0.005 * 1418 );
	ds_faces_destroy( faces );
}

// ---- drag in shear -----------------------------------------------------------------------------------------------

// A wall 2 m high, 0.5 m wide and 0.1 m thick, of `strips` layers of triangles on the sides.
static shape wall( int strips )
{
	shape s = shape_new( 8 * strips + 4 );
	const double x = 0.05, y = 0.25;
	const ds_vec3 ring[4] = { { -x, -y, 0 }, { x, -y, 0 }, { x, y, 0 }, { -x, y, 0 } };
	for ( int i = 0; i < strips; ++i )
	{
		double a = -1 + 2.0 * i / strips, b = -1 + 2.0 * ( i + 1 ) / strips;
		for ( int k = 0; k < 4; ++k )
		{
			ds_vec3 p = ring[k], q = ring[( k + 1 ) % 4];
			ds_vec3 pa = ds_v3( p.x, p.y, a ), pb = ds_v3( p.x, p.y, b ), qa = ds_v3( q.x, q.y, a ),
					qb = ds_v3( q.x, q.y, b );
			shape_add( &s, pa, qa, qb );
			shape_add( &s, pa, qb, pb );
		}
	}
	for ( int end = -1; end <= 1; end += 2 )
	{
		ds_vec3 p[4];
		for ( int k = 0; k < 4; ++k )
		{
			p[k] = ds_v3( ring[k].x, ring[k].y, end );
		}
		shape_add( &s, p[0], p[end > 0 ? 1 : 2], p[end > 0 ? 2 : 1] );
		shape_add( &s, p[0], p[end > 0 ? 2 : 3], p[end > 0 ? 3 : 2] );
	}
	return s;
}

// A wall that stands still in a current that grows and turns about with depth, u = 0.3 + 0.5 h + 0.2 h^2, in layered water:
// 1/2 rho(h) C b |u| u over its height, to the second order in the size of its faces.
static void test_drag_in_shear( void **state )
{
	(void)state;
	double force = 0, torque = 0;
	const int fine = 20000;
	for ( int i = 0; i < fine; ++i )
	{
		double h = -1 + ( i + 0.5 ) * 2 / fine, u = 0.3 + 0.5 * h + 0.2 * h * h;
		double f = 0.5 * ( RHO + GRADIENT * h + 0.5 * CURVATURE * h * h ) * 1.2 * 0.5 * fabs( u ) * u * 2 / fine;
		force += f;
		torque += h * f;
	}
	double last = 1;
	for ( int strips = 4; strips <= 64; strips *= 2 )
	{
		ds_faces *faces = faces_with_drag( wall( strips ), 1.2, 0 );
		ds_flow flow = layered( ds_quat_identity(), 20 );
		flow.velocity = ds_v3( -0.3, 0, 0 );
		flow.shear = ds_v3( -0.5, 0, 0 );
		flow.shear_curvature = ds_v3( -0.4, 0, 0 );
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );
		double error = fabs( out.drag.force.x - force ) + fabs( out.drag.torque.y - torque );
		assert_true( error < 0.35 * last || strips == 4 );
		last = error;
		if ( strips == 64 )
		{
			ASSERT_NEAR( out.drag.force.x, force, 1e-3 * force );
			ASSERT_NEAR( out.drag.torque.y, torque, 1e-3 * torque );
		}
		ds_faces_destroy( faces );
	}
}

// Where the flow is given about does not matter: the same profile about two reference points.
static void test_profiles_move_with_the_reference( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 0.8, 0.3, 0.5 ), 2 );
	ds_faces_def def = shape_def( &s );
	def.form_drag = ds_v3( 0.8, 0.8, 0.8 );
	def.skin_drag = 0.01;
	def.lift = 0.4;
	def.magnus = 0.6;
	for ( int k = 0; k < 2; ++k )
	{
		ds_quat q = ds_quat_from_rpy( ds_v3( 0.3, -0.5, 1 ) );
		ds_vec3 arm = ds_v3( 0.4, -0.7, 0.9 );
		def.pose.position = ds_v3( 0, 0, 0 );
		ds_faces *here = faces_of( &def );
		def.pose.position = arm;
		ds_faces *there = faces_of( &def );
		ds_flow a = layered( q, k ? 0.1 : 30 ), b;
		a.velocity = ds_v3( 0.5, 0.2, -0.3 );
		a.rate = ds_v3( 0.3, -0.2, 0.5 );
		a.shear = ds_v3( 0.4, 0.3, -0.1 );
		a.shear_curvature = ds_v3( -0.2, 0.1, 0.3 );
		a.lift = true;
		b = a;
		double h = -ds_dot( ds_unrotate( q, ds_v3( 0, 0, 1 ) ), arm );
		b.depth = a.depth + h;
		b.density = density_at( &a, b.depth );
		b.density_gradient = a.density_gradient + h * a.density_curvature;
		b.velocity = ds_sub( a.velocity, ds_cross( a.rate, arm ) );
		b.velocity = ds_mad( b.velocity, h, ds_mad( a.shear, 0.5 * h, a.shear_curvature ) );
		b.shear = ds_mad( a.shear, h, a.shear_curvature );
		ds_face_forces x, y;
		ds_faces_evaluate( here, &a, &x );
		ds_faces_evaluate( there, &b, &y );
		const ds_wrench *p[4] = { &x.hydrostatic, &x.drag, &x.lift, &x.magnus },
						*r[4] = { &y.hydrostatic, &y.drag, &y.lift, &y.magnus };
		for ( int i = 0; i < 4; ++i )
		{
			assert_true( ds_length( p[i]->force ) > 0.1 );
			ASSERT_NEAR3( r[i]->force, p[i]->force, 1e-11 * RHO * G );
			ASSERT_NEAR3( r[i]->torque, ds_add( p[i]->torque, ds_cross( arm, p[i]->force ) ), 1e-11 * RHO * G );
		}
		ds_faces_destroy( here );
		ds_faces_destroy( there );
	}
	shape_free( &s );
}

// drag = -D ( nu - water ), D symmetric and positive semidefinite, whatever the flow.
static void test_secant_in_shear( void **state )
{
	(void)state;
	uint64_t seed = 17;
	for ( int k = 0; k < 400; ++k )
	{
		ds_faces *faces = faces_with_drag( k % 2 ? shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), 2 )
												 : shape_box( ds_v3( -0.4, -0.1, -1 ), ds_v3( 0.4, 0.1, 1 ) ),
			k % 5 ? 1 : 0, k % 3 ? 0.01 : 0 );
		ds_flow flow = still_water( noise_attitude( &seed ), k % 4 ? 20 : 0.1 * noise( &seed ) );
		flow.velocity = ds_scale( k % 7 ? 1 : 0, noise3( &seed ) );
		flow.rate = ds_scale( k % 11 ? 1 : 0, noise3( &seed ) );
		flow.shear = noise3( &seed );
		flow.shear_curvature = noise3( &seed );
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );
		const double nu[6] = { flow.velocity.x - out.water.linear.x, flow.velocity.y - out.water.linear.y,
			flow.velocity.z - out.water.linear.z, flow.rate.x - out.water.angular.x, flow.rate.y - out.water.angular.y,
			flow.rate.z - out.water.angular.z };
		const double f[6] = { out.drag.force.x, out.drag.force.y, out.drag.force.z, out.drag.torque.x,
			out.drag.torque.y, out.drag.torque.z };
		double size = ds_length( out.drag.force ) + ds_length( out.drag.torque );
		for ( int i = 0; i < 6; ++i )
		{
			double row = 0;
			for ( int j = 0; j < 6; ++j )
			{
				row += out.drag_secant.m[i][j] * nu[j];
				ASSERT_NEAR( out.drag_secant.m[i][j], out.drag_secant.m[j][i], 0 );
			}
			ASSERT_NEAR( row, -f[i], 1e-6 * ( size + 1 ) );
		}
		for ( int t = 0; t < 50; ++t )
		{
			ds_vec3 a = noise3( &seed ), b = noise3( &seed );
			const double x[6] = { a.x, a.y, a.z, b.x, b.y, b.z };
			double form = 0, scale = 0;
			for ( int i = 0; i < 36; ++i )
			{
				form += x[i / 6] * out.drag_secant.m[i / 6][i % 6] * x[i % 6];
				scale += fabs( x[i / 6] * out.drag_secant.m[i / 6][i % 6] * x[i % 6] );
			}
			assert_true( form >= -1e-12 * scale );
		}
		ds_faces_destroy( faces );
	}
}

// Shear that is no shear: the water twist is zero without one, and drag has the value of the plain loop.
static void test_no_layers( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), 3 ), 0.8, 0.02 );
	for ( int k = 0; k < 2; ++k )
	{
		ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.1, 0.2, 0.3 ) ), k ? 0.1 : 30 );
		flow.velocity = ds_v3( 1, -0.5, 0.2 );
		flow.rate = ds_v3( 0.2, 0.4, -0.3 );
		ds_face_forces plain, full;
		ds_faces_evaluate( faces, &flow, &plain );
		assert_true( ds_length( plain.water.linear ) == 0 && ds_length( plain.water.angular ) == 0 );
		flow.density_gradient = 1e-30;
		flow.shear = ds_v3( 1e-30, 0, 0 );
		ds_faces_evaluate( faces, &flow, &full );
		ASSERT_NEAR3( full.hydrostatic.force, plain.hydrostatic.force, 1e-10 );
		ASSERT_NEAR3( full.hydrostatic.torque, plain.hydrostatic.torque, 1e-10 );
		ASSERT_NEAR3( full.drag.force, plain.drag.force, 1e-10 );
		ASSERT_NEAR3( full.drag.torque, plain.drag.torque, 1e-10 );
		ASSERT_NEAR3( full.centre_of_buoyancy, plain.centre_of_buoyancy, 1e-12 );
		for ( int i = 0; i < 36; ++i )
		{
			ASSERT_NEAR( full.drag_secant.m[i / 6][i % 6], plain.drag_secant.m[i / 6][i % 6], 1e-9 );
		}
	}
	ds_faces_destroy( faces );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_pressure_on_a_box ),
		cmocka_unit_test( test_pressure_on_a_sphere ),
		cmocka_unit_test( test_surface_loop_agrees_with_moments ),
		cmocka_unit_test( test_float_at_its_isopycnal ),
		cmocka_unit_test( test_drag_in_shear ),
		cmocka_unit_test( test_profiles_move_with_the_reference ),
		cmocka_unit_test( test_secant_in_shear ),
		cmocka_unit_test( test_no_layers ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
