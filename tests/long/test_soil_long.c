// Soil over longer times: ten minutes on a slope, every soil with boxes of many faces, a kilometre of ruts.

#include "../unit/soil_kit.h"

// A crawler, its belts held, goes less than a millimetre in ten minutes on 15 degrees once it has settled for 10 s.
static void test_ten_minutes_on_a_slope( void **state )
{
	(void)state;
	static const char *const soils[] = { "deep_sea_clay", "dry_sand" };
	const double slope = 15 * DEGREE;
	for ( size_t s = 0; s < 2; ++s )
	{
		ds_soil soil = soil_named( soils[s] );
		ds_world *world = soil_world_on( 100, soil_ground( &soil ), soil_plane( slope ) );
		ds_pose pose = { ds_scale( -SOIL_CRAWLER_BASE, ds_v3( -sin( slope ), 0, cos( slope ) ) ),
			ds_quat_from_rpy( ds_v3( 0, -slope, 0 ) ) };
		ds_id body = soil_crawler( world, "", pose );
		soil_drive( world, "", 0, 0 );
		OK( ds_world_step( world, 1000 ) );
		ds_vec3 start = kit_motion( world, body ).pose.position;
		double most = 0;
		for ( int i = 0; i < 590; ++i )
		{
			OK( ds_world_step( world, 100 ) );
			most = fmax( most, ds_length( ds_sub( kit_motion( world, body ).pose.position, start ) ) );
		}
		print_message( "%s: %.3g mm in 590 s\n", soils[s], 1e3 * most );
		assert_true( most < 1e-3 );
		ds_world_destroy( world );
	}
}

// Every soil, boxes of 12, 1200 and 20172 faces: the same sinkage within 1 %.
static void test_faces_do_not_matter( void **state )
{
	(void)state;
	const int parts[] = { 1, 10, 41 };
	int tried = 0;
	for ( int32_t s = 0; s < ds_soil_count(); ++s )
	{
		ds_soil soil = ds_soil_at( s )->soil;
		double modulus = soil.kc / 0.2 + soil.kphi, pressure = fmin( 20e3, modulus * pow( 0.1, soil.n ) );
		double expected = pow( pressure / modulus, 1 / soil.n );
		if ( expected < 0.5e-3 )
		{
			continue;
		}
		for ( size_t n = 0; n < 3; ++n )
		{
			ds_environment_def e = soil_ground( &soil );
			double rate = expected < 0.005 ? 400 : 100;
			e.soil.damping = fmax(
				12 * sqrt( soil.n * pressure / expected * pressure / 9.81 ), pressure / ( rate * 0.01 * expected ) );
			ds_world *world = kit_world( rate, &e );
			ds_mesh *mesh = soil_box( ds_v3( 0.5, 0.2, 0.4 ), parts[n] );
			ds_body_def def = kit_hull( "plate", mesh, pressure * 0.1 / 9.81 );
			def.cg[2] = 0.2;
			def.soil_spacing = 0.1;
			def.inertia_kind = DS_INERTIA_DIAGONAL;
			def.inertia_diagonal[0] = def.inertia_diagonal[1] = def.inertia_diagonal[2] = 1000;
			def.pose.position.z = -0.2;
			ds_id plate;
			OK( ds_body_create( world, &def, &plate ) );
			ds_mesh_release( mesh );
			double speed = 1e-3 * soil.n * pressure / e.soil.damping;
			ds_body_motion m;
			int quarters = 0;
			do
			{
				OK( ds_world_step( world, ds_world_ticks( world, 0.25 ) ) );
				m = kit_motion( world, plate );
			}
			while ( ++quarters < 240 && ds_length( m.velocity_world.linear ) > speed );
			double got = m.pose.position.z + 0.2;
			print_message( "%s, %d faces: %.6f m (%+.3f %%)\n", ds_soil_at( s )->name, 12 * parts[n] * parts[n], got,
				100 * ( got / expected - 1 ) );
			NEAR( got, expected, 0.01 * expected );
			++tried;
			ds_world_destroy( world );
		}
	}
	assert_true( tried >= 45 );
}

// A crawler drives a kilometre and leaves ruts all the way: what they take, by what is saved of them, is less than 64 MB.
static void test_a_kilometre_of_ruts( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "deep_sea_clay" );
	ds_environment_def e = soil_ground( &soil );
	e.deformable = true;
	ds_world *world = kit_world( 100, &e );
	ds_id body = soil_crawler( world, "", soil_level( 0, 0, -SOIL_CRAWLER_BASE ) );
	OK( ds_world_step( world, 100 ) );
	size_t before = ds_world_save_size( world );
	soil_drive( world, "", 1, 1 );
	ds_body_motion m;
	do
	{
		OK( ds_world_step( world, 1000 ) );
		m = kit_motion( world, body );
		assert_true( ds_world_tick( world ) < 150000 );
	}
	while ( m.pose.position.x < 1000 );
	double bytes = (double)( ds_world_save_size( world ) - before );
	ds_ground_point start, end;
	double side = 0.45;
	OK( ds_ground_at( world, 2, side, &start ) );
	OK( ds_ground_at( world, 990, m.pose.position.y + side * cos( m.rpy.z ), &end ) );
	print_message( "%.4g m: %.4g MB of ruts; %.4g mm deep at the start, %.4g mm at the end\n", m.pose.position.x,
		1e-6 * bytes, 1e3 * start.rut, 1e3 * end.rut );
	assert_true( bytes < 64e6 );
	assert_true( start.rut > 0 && end.rut > 0 ); // none of it was given up
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_ten_minutes_on_a_slope ),
		cmocka_unit_test( test_faces_do_not_matter ),
		cmocka_unit_test( test_a_kilometre_of_ruts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
