// Waves on the faces of a mesh: against closed forms, against sums made here over the components, and limits.

#include "hydro_shapes.h"

#include "hydro/faces_waves.h"
#include "hydro/faces_waves_kernel.h"

static ds_waves *sea( int32_t kind, double height, double period, double depth, double direction )
{
	ds_waves_def def = ds_waves_def_default();
	def.kind = kind;
	def.height = height;
	def.period = period;
	def.depth = depth;
	def.direction = direction;
	ds_waves *waves = NULL;
	if ( ds_waves_create( NULL, &def, &waves ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return waves;
}

static ds_face_forces evaluate( const ds_faces *faces, const ds_waves *waves, ds_vec3 at, double time, ds_flow *flow )
{
	ds_wave_patch patch;
	ds_face_forces out;
	flow->depth = at.z;
	ds_waves_patch( waves, at, time, &patch );
	ds_faces_evaluate_waves( faces, flow, &patch, &out );
	return out;
}

// Buoyancy without waves, in body axes.
static ds_face_forces still( const ds_faces *faces, ds_flow flow, double depth )
{
	ds_face_forces out;
	flow.depth = depth;
	ds_faces_evaluate( faces, &flow, &out );
	return out;
}

static ds_faces *ball( double radius, int level, double form, double skin )
{
	return faces_with_drag( shape_ellipsoid( ds_v3( radius, radius, radius ), level ), form, skin );
}

// ---- flat water --------------------------------------------------------------------------------------------------

// No waves and waves of no height give the bits of still water; waves of next to none nearly so.
static void test_flat_water( void **state )
{
	(void)state;
	ds_waves *none = sea( DS_WAVES_JONSWAP, 0, 8, 0, 0 ), *tiny = sea( DS_WAVES_JONSWAP, 1e-9, 8, 0, 0 );
	ds_faces *faces = ball( 0.7, 3, 0.5, 0.01 );
	uint64_t seed = 4;
	for ( int k = 0; k < 30; ++k )
	{
		double depth = k % 3 == 0 ? 3 : 0.6 * noise( &seed );
		ds_flow flow = still_water( noise_attitude( &seed ), depth );
		flow.velocity = noise3( &seed );
		flow.rate = noise3( &seed );
		ds_face_forces plain = still( faces, flow, depth );
		ds_face_forces a = evaluate( faces, none, ds_v3( 5, 6, depth ), 7, &flow );
		ds_face_forces b = evaluate( faces, NULL, ds_v3( 5, 6, depth ), 7, &flow );
		assert_memory_equal( &a, &plain, sizeof( a ) );
		assert_memory_equal( &b, &plain, sizeof( b ) );

		ds_face_forces c = evaluate( faces, tiny, ds_v3( 5, 6, depth ), 7, &flow );
		double weight = RHO * G * ds_faces_volume( faces );
		ASSERT_NEAR3( c.hydrostatic.force, plain.hydrostatic.force, 1e-7 * weight );
		ASSERT_NEAR3( c.hydrostatic.torque, plain.hydrostatic.torque, 1e-7 * weight );
		ASSERT_NEAR3( c.drag.force, plain.drag.force, 1e-7 * weight );
		ASSERT_NEAR3( c.drag.torque, plain.drag.torque, 1e-7 * weight );
		ASSERT_NEAR( c.displaced_volume, plain.displaced_volume, 1e-8 );
		ASSERT_NEAR( c.wet_area, plain.wet_area, 1e-7 );
		ASSERT_NEAR3( c.centre_of_buoyancy, plain.centre_of_buoyancy, 1e-7 );
		for ( int i = 0; i < 36; ++i )
		{
			ASSERT_NEAR( c.drag_secant.m[i / 6][i % 6], plain.drag_secant.m[i / 6][i % 6], 1e-4 );
		}
	}
	ds_waves_destroy( none );
	ds_waves_destroy( tiny );
	ds_faces_destroy( faces );
}

// All variants of the loop give the same bits.
static void test_kernels_agree( void **state )
{
	(void)state;
	const ds_faces_kernel *kernels[4];
	int count = ds_faces_kernels( kernels );
	ds_waves *seas[2] = { sea( DS_WAVES_JONSWAP, 2, 8, 0, 0.4 ), sea( DS_WAVES_JONSWAP, 1, 5, 6, 0.4 ) };
	ds_faces *faces[2] = { ball( 0.7, 3, 0.5, 0.01 ), ball( 4, 3, 0.5, 0.01 ) };
	uint64_t seed = 8;
	for ( int k = 0; k < 24; ++k )
	{
		ds_flow flow = still_water( noise_attitude( &seed ), 0 );
		flow.velocity = noise3( &seed );
		flow.rate = noise3( &seed );
		ds_vec3 at = ds_v3( 10 * noise( &seed ), 10 * noise( &seed ), k % 3 == 0 ? 5 : noise( &seed ) );
		flow.depth = at.z;
		ds_wave_patch patch;
		ds_waves_patch( seas[k % 2], at, 3.0 * k, &patch );
		ds_face_forces first, other;
		ds_faces_evaluate_waves_by( faces[k / 2 % 2], kernels[0], &flow, &patch, &first );
		for ( int i = 1; i < count; ++i )
		{
			ds_faces_evaluate_waves_by( faces[k / 2 % 2], kernels[i], &flow, &patch, &other );
			assert_memory_equal( &first, &other, sizeof( first ) );
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		ds_waves_destroy( seas[i] );
		ds_faces_destroy( faces[i] );
	}
}

// ---- Froude-Krylov force -----------------------------------------------------------------------------------------

// The gradient of the pressure is harmonic, so that its mean over a sphere is its value at the centre: the force on a
// submerged sphere of any size is rho V a exactly, beside its buoyancy, and has no moment about the centre. Here up to the
// mesh's roundness, which is its own volume, and faces of 1/10 radius.
static void test_submerged_sphere( void **state )
{
	(void)state;
	uint64_t seed = 21;
	for ( int k = 0; k < 24; ++k )
	{
		double depth = k % 2 ? 12 : 0, radius = k % 4 < 2 ? 0.1 : 1.5;
		ds_waves *waves = sea( DS_WAVES_REGULAR, 1e-5, 4, depth, 3 * noise( &seed ) );
		ds_faces *faces = ball( radius, 4, 0, 0 );
		ds_flow flow = still_water( noise_attitude( &seed ), 0 );
		ds_vec3 at = ds_v3( 100 * noise( &seed ), 100 * noise( &seed ), 4 );
		double time = 100 * noise( &seed );
		ds_wave_point water;
		ds_waves_at( waves, at, time, &water );
		ds_face_forces out = evaluate( faces, waves, at, time, &flow ), plain = still( faces, flow, at.z );
		ds_vec3 dynamic = ds_sub( out.hydrostatic.force, plain.hydrostatic.force );
		ds_vec3 expected = ds_scale( RHO * ds_faces_volume( faces ), ds_unrotate( flow.attitude, water.acceleration ) );
		ASSERT_NEAR3( dynamic, expected, ( k % 4 < 2 ? 2e-4 : 2e-3 ) * ds_length( expected ) );
		ASSERT_NEAR3( out.hydrostatic.torque, plain.hydrostatic.torque, 1e-4 * radius * ds_length( expected ) );
		assert_true( out.wet_fraction == 1 );
		ds_waves_destroy( waves );
		ds_faces_destroy( faces );
	}
}

// Far below the waves nothing is left of them, and 3 km down no digit of buoyancy is lost.
static void test_deep_body( void **state )
{
	(void)state;
	ds_waves *waves = sea( DS_WAVES_JONSWAP, 5, 12, 0, 0 );
	ds_faces *faces = ball( 1, 3, 0.5, 0 );
	ds_flow flow = still_water( ds_quat_identity(), 0 );
	ds_face_forces out = evaluate( faces, waves, ds_v3( 0, 0, 3000 ), 5, &flow ), plain = still( faces, flow, 3000 );
	assert_memory_equal( &out, &plain, sizeof( out ) );

	// where they are but weak the force goes over into that of still water without a step
	ds_face_forces before = evaluate( faces, waves, ds_v3( 0, 0, 60 ), 5, &flow );
	for ( double z = 61; z < 800; z += 1 )
	{
		ds_face_forces after = evaluate( faces, waves, ds_v3( 0, 0, z ), 5, &flow );
		double step = ds_length( ds_sub( after.hydrostatic.force, before.hydrostatic.force ) );
		double share = fmax( 3e-4 * exp( -0.02 * ( z - 60 ) ), 1e-8 );
		assert_true( step < share * RHO * G * ds_faces_volume( faces ) );
		before = after;
	}
	ds_waves_destroy( waves );
	ds_faces_destroy( faces );
}

// A sphere through the surface of a wave as long as four diameters: force, moment and volume by quadrature of the exact
// pressure over the exact sphere, made here.
static void test_floating_sphere( void **state )
{
	(void)state;
	const double radius = 1;
	ds_waves *waves = sea( DS_WAVES_REGULAR, 0.6, 2.3, 0, 0.6 );
	ds_faces *faces = ball( radius, 5, 0, 0 );
	double whole = 4 * DS_PI / 3 * radius * radius * radius;
	for ( int k = 0; k < 8; ++k )
	{
		ds_vec3 at = ds_v3( 3, -2, 0.15 * ( k - 4 ) );
		double time = 0.3 * k;
		ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.1 * k, 0.5, -0.2 * k ) ), 0 );
		ds_face_forces out = evaluate( faces, waves, at, time, &flow );

		// equal areas in cos( polar angle ) and azimuth
		const int n = 300;
		ds_vec3 force = { 0, 0, 0 };
		double volume = 0, area = 0;
		for ( int i = 0; i < n * 2 * n; ++i )
		{
			double z = 2 * ( i / ( 2 * n ) + 0.5 ) / n - 1, a = DS_PI * ( i % ( 2 * n ) + 0.5 ) / n;
			ds_vec3 normal = ds_v3( sqrt( 1 - z * z ) * cos( a ), sqrt( 1 - z * z ) * sin( a ), z );
			ds_wave_point w;
			ds_vec3 p = ds_mad( at, radius, normal );
			ds_waves_at( waves, p, time, &w );
			if ( w.depth > 0 )
			{
				double cell = 4 * DS_PI * radius * radius / ( 2 * n * n );
				force = ds_mad( force, -RHO * G * ( p.z + w.head ) * cell, normal );
				volume += w.depth * cell * normal.z;
				area += cell;
			}
		}
		ds_vec3 got = ds_rotate( flow.attitude, out.hydrostatic.force );
		ASSERT_NEAR3( got, force, 2e-3 * RHO * G * whole );
		ASSERT_NEAR( out.displaced_volume, volume, 2e-3 * whole );
		ASSERT_NEAR( out.wet_area, area, 5e-3 * 4 * DS_PI );
		// all pressures on a sphere point at its centre
		ASSERT_NEAR3( out.hydrostatic.torque, ds_v3( 0, 0, 0 ), 1e-3 * RHO * G * whole );
	}
	ds_waves_destroy( waves );
	ds_faces_destroy( faces );
}

// In a very long wave the body sees a level that rises and falls: still water as deep as that, at another weight.
static void test_long_wave( void **state )
{
	(void)state;
	ds_waves *waves = sea( DS_WAVES_REGULAR, 2, 60, 0, 0.3 );
	ds_faces *faces = faces_with_drag( shape_box( ds_v3( -1, -0.5, -0.5 ), ds_v3( 1, 0.5, 0.5 ) ), 0, 0 );
	double weight = RHO * G * 2;
	for ( int k = 0; k < 12; ++k )
	{
		double time = 5.0 * k, eta = ds_waves_elevation( waves, 0, 0, time );
		ds_flow flow = still_water( ds_quat_identity(), 0 );
		ds_vec3 at = ds_v3( 0, 0, 0.1 - eta );
		ds_face_forces out = evaluate( faces, waves, at, time, &flow ), plain = still( faces, flow, 0.1 );
		ASSERT_NEAR3( out.hydrostatic.force, plain.hydrostatic.force, 3e-3 * weight );
		ASSERT_NEAR( out.displaced_volume, 1.2, 3e-3 );
		ASSERT_NEAR3( out.centre_of_buoyancy, plain.centre_of_buoyancy, 3e-3 );
	}
	ds_waves_destroy( waves );
	ds_faces_destroy( faces );
}

// ---- drag --------------------------------------------------------------------------------------------------------

// Sum over the faces of a shape, wholly under water, with the flow of every component at each centroid.
static ds_wrench sum_drag(
	const shape *s, const ds_flow *flow, const ds_waves *waves, ds_vec3 at, double time, double form, double skin )
{
	ds_wave_point here;
	ds_waves_at( waves, at, time, &here );
	ds_wrench sum = { { 0, 0, 0 }, { 0, 0, 0 } };
	for ( int i = 0; i < s->face_count; ++i )
	{
		const ds_vec3 *p = s->vertices + 3 * i;
		ds_vec3 c = ds_scale( 1.0 / 3, ds_add( ds_add( p[0], p[1] ), p[2] ) );
		ds_vec3 area = ds_scale( 0.5, ds_cross( ds_sub( p[1], p[0] ), ds_sub( p[2], p[0] ) ) );
		double a = ds_length( area );
		ds_vec3 n = ds_scale( 1 / a, area );
		ds_wave_point w;
		ds_waves_at( waves, ds_add( at, ds_rotate( flow->attitude, c ) ), time, &w );
		ds_vec3 v = ds_add( flow->velocity, ds_cross( flow->rate, c ) );
		v = ds_sub( v, ds_unrotate( flow->attitude, ds_sub( w.velocity, here.velocity ) ) );
		ds_vec3 slip = ds_mad( v, -ds_dot( n, v ), n );
		ds_vec3 f = ds_scale( -0.5 * RHO * form * a * fmax( ds_dot( n, v ), 0 ), v );
		f = ds_mad( f, -0.5 * RHO * skin * a * ds_length( slip ), slip );
		sum.force = ds_add( sum.force, f );
		sum.torque = ds_add( sum.torque, ds_cross( c, f ) );
	}
	return sum;
}

static ds_vec3 times( const ds_mat6 *d, const double x[6], int row )
{
	double y[3];
	for ( int i = 0; i < 3; ++i )
	{
		y[i] = 0;
		for ( int j = 0; j < 6; ++j )
		{
			y[i] += d->m[row + i][j] * x[j];
		}
	}
	return ds_v3( y[0], y[1], y[2] );
}

// Small bodies by one field, large ones by many; D ( nu - water ) is the drag, and D takes energy.
static void test_drag_against_orbital_flow( void **state )
{
	(void)state;
	uint64_t seed = 31;
	const double sizes[] = { 0.3, 1, 4, 12 };
	for ( int k = 0; k < 16; ++k )
	{
		double size = sizes[k % 4];
		ds_waves *waves = sea( DS_WAVES_JONSWAP, 2, 6, k % 2 ? 40 : 0, 1 );
		shape s = shape_ellipsoid( ds_v3( size, 0.5 * size, 0.4 * size ), 3 );
		ds_faces_def def = shape_def( &s );
		def.form_drag = ds_v3( 0.6, 0.6, 0.6 );
		def.skin_drag = 0.02;
		ds_faces *faces = faces_of( &def );
		ds_flow flow = still_water( noise_attitude( &seed ), 0 );
		flow.velocity = ds_scale( 0.5, noise3( &seed ) );
		flow.rate = ds_scale( 0.1, noise3( &seed ) );
		ds_vec3 at = ds_v3( 50 * noise( &seed ), 50 * noise( &seed ), size + 3 );
		double time = 100 * ( 1 + noise( &seed ) );
		ds_face_forces out = evaluate( faces, waves, at, time, &flow );
		ds_wrench expected = sum_drag( &s, &flow, waves, at, time, 0.6, 0.02 );
		double scale = 0.5 * RHO * size * size;
		ASSERT_NEAR3( out.drag.force, expected.force, 2e-3 * scale );
		ASSERT_NEAR3( out.drag.torque, expected.torque, 2e-3 * scale * size );

		const double nu[6] = { flow.velocity.x - out.water.linear.x, flow.velocity.y - out.water.linear.y,
			flow.velocity.z - out.water.linear.z, flow.rate.x - out.water.angular.x, flow.rate.y - out.water.angular.y,
			flow.rate.z - out.water.angular.z };
		ASSERT_NEAR3( times( &out.drag_secant, nu, 0 ), ds_scale( -1, out.drag.force ), 1e-9 * scale );
		ASSERT_NEAR3( times( &out.drag_secant, nu, 3 ), ds_scale( -1, out.drag.torque ), 1e-9 * scale * size );
		for ( int i = 0; i < 20; ++i )
		{
			double x[6], form = 0;
			for ( int j = 0; j < 6; ++j )
			{
				x[j] = noise( &seed );
			}
			ds_vec3 f = times( &out.drag_secant, x, 0 ), m = times( &out.drag_secant, x, 3 );
			form = ds_dot( f, ds_v3( x[0], x[1], x[2] ) ) + ds_dot( m, ds_v3( x[3], x[4], x[5] ) );
			assert_true( form >= -1e-9 * scale * size * size );
		}
		ds_waves_destroy( waves );
		ds_faces_destroy( faces );
		shape_free( &s );
	}
}

// A small body that goes with the water feels no drag, and sees the water move as one.
static void test_small_body_goes_with_the_water( void **state )
{
	(void)state;
	ds_waves *waves = sea( DS_WAVES_REGULAR, 1, 6, 0, 0 );
	ds_faces *faces = ball( 0.05, 2, 0.5, 0.01 );
	ds_flow flow = still_water( ds_quat_identity(), 0 );
	for ( int k = 0; k < 12; ++k )
	{
		ds_vec3 at = ds_v3( 0, 0, 2 );
		ds_wave_patch patch;
		ds_waves_patch( waves, at, 0.5 * k, &patch );
		ds_face_forces out = evaluate( faces, waves, at, 0.5 * k, &flow );
		double drag = 0.5 * RHO * 0.5 * DS_PI * 0.05 * 0.05 * pow( ds_length( patch.at.velocity ), 2 );
		assert_true( ds_length( out.drag.force ) < 0.02 * drag );
		assert_true( ds_length( out.water.linear ) < 0.06 * ds_length( patch.at.velocity ) );
	}
	ds_waves_destroy( waves );
	ds_faces_destroy( faces );
}

// ---- floating ----------------------------------------------------------------------------------------------------

// Heave of a box that floats half deep, by semi-implicit steps: in a swell far longer than its natural period it follows the
// surface; and it comes to rest in flat water, its energy never growing.
static void test_float_follows_the_surface( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_box( ds_v3( -0.2, -0.2, -0.1 ), ds_v3( 0.2, 0.2, 0.1 ) ), 1, 0.01 );
	const double mass = 0.5 * RHO * 0.4 * 0.4 * 0.2, dt = 0.002, added = 0.5 * mass;
	for ( int k = 0; k < 2; ++k )
	{
		ds_waves *waves = k == 0 ? sea( DS_WAVES_REGULAR, 1, 9, 0, 0 ) : NULL;
		double z = k == 0 ? 0 : 0.08, v = 0, worst = 0, energy = INFINITY;
		ds_flow flow = still_water( ds_quat_identity(), 0 );
		for ( int i = 0; i < 15000; ++i )
		{
			ds_wave_patch patch;
			ds_face_forces out;
			double time = i * dt;
			ds_waves_patch( waves, ds_v3( 0, 0, z ), time, &patch );
			flow.depth = z;
			flow.velocity = ds_v3( -patch.at.velocity.x, 0, v - patch.at.velocity.z );
			ds_faces_evaluate_waves( faces, &flow, &patch, &out );
			double force = mass * G + out.hydrostatic.force.z + out.drag.force.z + added * patch.at.acceleration.z;
			v += dt * force / ( mass + added );
			z += dt * v;
			if ( i > 7500 )
			{
				worst = fmax( worst, fabs( z + ds_waves_elevation( waves, 0, 0, time + dt ) ) );
			}
			// of the box in flat water: kinetic, and rho g A z^2 / 2 about its depth of rest
			if ( k == 1 && i % 500 == 0 )
			{
				double now = 0.5 * ( mass + added ) * v * v + 0.5 * RHO * G * 0.16 * z * z;
				assert_true( now < energy );
				energy = now;
			}
		}

		assert_true( worst < ( k == 0 ? 0.02 * 0.5 : 0.02 ) );
		ds_waves_destroy( waves );
	}
	ds_faces_destroy( faces );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_flat_water ),
		cmocka_unit_test( test_kernels_agree ),
		cmocka_unit_test( test_submerged_sphere ),
		cmocka_unit_test( test_deep_body ),
		cmocka_unit_test( test_floating_sphere ),
		cmocka_unit_test( test_long_wave ),
		cmocka_unit_test( test_drag_against_orbital_flow ),
		cmocka_unit_test( test_small_body_goes_with_the_water ),
		cmocka_unit_test( test_float_follows_the_surface ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
