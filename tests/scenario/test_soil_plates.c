// Plates and spheres of few faces and of many, on planes and grids of many spacings: what sinks, sinks as Bekker says, however it is
// cut up. Reference case P12 and its kind.

#include "../unit/soil_kit.h"

// Pressure on a plate of least width b that sinks by z (Bekker 1969): (kc/b + kphi) z^n.
static double bekker( const ds_soil *s, double b, double pressure )
{
	return pow( pressure / ( s->kc / b + s->kphi ), 1 / s->n );
}

// Damping at which a plate settles without swinging past: twelve times what rests on the soil at its sinkage needs, and so much that no
// tick takes it through a hundredth of that [Pa s/m].
static double calm( const ds_soil *s, double pressure, double sinkage, double rate )
{
	double swing = 12 * sqrt( s->n * pressure / sinkage * pressure / 9.81 );
	return fmax( swing, pressure / ( rate * 0.01 * sinkage ) );
}

// Steps until a body sinks no faster than `speed`, or for two minutes.
static void settle( ds_world *world, ds_id body, double speed )
{
	for ( int i = 0; i < 240; ++i )
	{
		OK( ds_world_step( world, ds_world_ticks( world, 0.25 ) ) );
		if ( ds_length( kit_motion( world, body ).velocity_world.linear ) < speed )
		{
			return;
		}
	}
}

// How deep the lowest point of a settled body lies below the plane z = tan( slope ) north, along the plane's normal.
static double depth_below( const ds_world *world, ds_id body, const ds_mesh *mesh, double slope )
{
	int64_t count;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &count );
	ds_pose pose = kit_motion( world, body ).pose;
	double deepest = -INFINITY;
	for ( int64_t i = 0; i < count; ++i )
	{
		ds_vec3 p = ds_pose_point( pose, v[i] );
		deepest = fmax( deepest, cos( slope ) * p.z - sin( slope ) * p.x );
	}
	return deepest;
}

typedef struct trial
{
	ds_soil soil;
	double length, width, pressure, slope, spacing;
	ds_terrain *terrain; // NULL: the plane
} trial;

// Sinkage of a plate that is let go on the ground.
static double sinkage_of( const trial *t, int n )
{
	double expected = bekker( &t->soil, fmin( t->length, t->width ), t->pressure );
	double rate = expected < 0.005 ? 400 : 100;
	ds_environment_def e = soil_ground( &t->soil );
	e.soil.damping = calm( &t->soil, t->pressure, expected, rate );
	ds_world *world = soil_world_on( rate, e, t->terrain ? ds_terrain_retain( t->terrain ) : soil_plane( t->slope ) );
	const double height = 0.4;
	ds_mesh *mesh =
		n > 1 ? soil_box( ds_v3( t->length, t->width, height ), n ) : kit_box( t->length, t->width, height );
	double mass = t->pressure * t->length * t->width / ( 9.81 * cos( t->slope ) );
	ds_body_def def = kit_hull( "plate", mesh, mass );
	// a narrow one on soft clay, its centre of gravity above its base, falls over; and slowly, if it does
	def.cg[2] = 0.5 * height;
	def.soil_spacing = t->spacing;
	def.inertia_kind = DS_INERTIA_DIAGONAL;
	def.inertia_diagonal[0] = def.inertia_diagonal[1] = def.inertia_diagonal[2] = 1000;
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0, -t->slope, 0 ) );
	def.pose.position = ds_scale( -0.5 * height, ds_v3( -sin( t->slope ), 0, cos( t->slope ) ) );
	ds_id plate;
	OK( ds_body_create( world, &def, &plate ) );
	// what is left of its way goes with a time constant of damping / stiffness
	settle( world, plate, 1e-3 * t->soil.n * t->pressure / e.soil.damping );
	double sinkage = depth_below( world, plate, mesh, t->slope );
	ds_mesh_release( mesh );
	ds_world_destroy( world );
	return sinkage;
}

static const double SIZES[][2] = { { 0.5, 0.2 }, { 0.3, 0.3 }, { 1.2, 0.1 } };

// A pressure at which a plate stays shallower than 0.15 m.
static double pressure_for( const ds_soil *s, double b )
{
	return fmin( 20e3, ( s->kc / b + s->kphi ) * pow( 0.15, s->n ) );
}

// Every named soil, plates of three aspects: within 1 % of Bekker's sinkage, where that is half a millimetre or more.
static void test_every_soil_bears_as_bekker_says( void **state )
{
	(void)state;
	int tried = 0;
	double worst = 0;
	for ( int32_t s = 0; s < ds_soil_count(); ++s )
	{
		for ( size_t k = 0; k < 3; ++k )
		{
			trial t = { .soil = ds_soil_at( s )->soil, .length = SIZES[k][0], .width = SIZES[k][1], .spacing = 0.1 };
			t.pressure = pressure_for( &t.soil, t.width );
			double expected = bekker( &t.soil, t.width, t.pressure );
			if ( expected >= 0.5e-3 )
			{
				double got = sinkage_of( &t, 1 );
				worst = fmax( worst, fabs( got / expected - 1 ) );
				++tried;
				if ( !( fabs( got - expected ) <= 0.01 * expected ) )
				{
					print_error( "%s, %g x %g m, %g Pa: %g m, expected %g m\n", ds_soil_at( s )->name, t.length,
						t.width, t.pressure, got, expected );
				}
			}
		}
	}
	print_message( "%d plates; worst %g %%\n", tried, 100 * worst );
	assert_true( tried >= 60 );
	assert_true( worst <= 0.01 );
}

// Boxes of 12, 1200 and 20172 faces sink alike.
static void test_faces_do_not_matter( void **state )
{
	(void)state;
	static const char *const soils[] = { "dry_sand", "deep_sea_clay", "snow" };
	for ( size_t s = 0; s < 3; ++s )
	{
		for ( size_t k = 0; k < 3; k += 3 )
		{
			trial t = { .soil = soil_named( soils[s] ), .length = SIZES[k][0], .width = SIZES[k][1] };
			t.pressure = pressure_for( &t.soil, t.width );
			double expected = bekker( &t.soil, t.width, t.pressure );
			const int parts[] = { 1, 10, 41 };
			for ( size_t n = 0; n < 3; ++n )
			{
				double got = sinkage_of( &t, parts[n] );
				print_message( "%s %g x %g m, %d faces: %.5f m (%+.3f %%)\n", soils[s], t.length, t.width,
					12 * parts[n] * parts[n], got, 100 * ( got / expected - 1 ) );
				NEAR( got, expected, 0.01 * expected );
			}
		}
	}
}

static double sphere_sinkage( const char *soil, double radius, double mass, int64_t faces )
{
	ds_soil s = soil_named( soil );
	ds_environment_def e = soil_ground( &s );
	e.soil.damping = 1e6;
	ds_world *world = kit_world( 100, &e );
	ds_mesh *mesh = kit_sphere( radius, faces );
	ds_id ball = soil_body( world, "ball", ds_mesh_retain( mesh ), mass, soil_level( 0, 0, -radius ) );
	settle( world, ball, 1e-5 );
	double sinkage = depth_below( world, ball, mesh, 0 );
	ds_mesh_release( mesh );
	ds_world_destroy( world );
	return sinkage;
}

// Lowest points of spheres of 1280 and of 20480 faces.
static void test_spheres_of_few_faces_and_of_many( void **state )
{
	(void)state;
	static const char *const soils[] = { "dry_sand", "deep_sea_clay" };
	const double masses[] = { 1500, 550 };
	for ( size_t s = 0; s < 2; ++s )
	{
		double few = sphere_sinkage( soils[s], 0.3, masses[s], 1280 ),
			   many = sphere_sinkage( soils[s], 0.3, masses[s], 20480 );
		print_message( "sphere on %s: %.5f m of 1280 faces, %.5f m of 20480\n", soils[s], few, many );
		assert_true( many > 0.1 );
		NEAR( few, many, 0.01 * many );
	}
}

// Grids of fine and of coarse cells, level and inclined, are the plane.
static void test_grids_are_the_plane( void **state )
{
	(void)state;
	const double spacings[] = { 0.05, 0.3, 2 }, slopes[] = { 0, 12 * DEGREE };
	for ( size_t s = 0; s < 2; ++s )
	{
		trial t = { .soil = soil_named( "dry_sand" ), .length = 0.5, .width = 0.2, .slope = slopes[s] };
		t.pressure = 20e3;
		double plane = sinkage_of( &t, 1 );
		for ( size_t k = 0; k < 3; ++k )
		{
			t.terrain = soil_grid( slopes[s], spacings[k], 2, 0.013, 0.007 );
			// the grid passes through z = 0 at its middle
			double got = sinkage_of( &t, 1 ) + sin( slopes[s] ) * 0.013;
			print_message(
				"slope %g, cells of %g m: %.6f m, plane %.6f m\n", slopes[s] / DEGREE, spacings[k], got, plane );
			NEAR( got, plane, 0.02 * plane );
			ds_terrain_release( t.terrain );
		}
	}
}

// As the source paper prints it, b is the side of a face: the sinkage of one plate hangs on how many faces it has. Numbers for
// docs/printed_bekker.png go to DEEPSIM_TEST_TMP/printed_bekker.csv.
static void test_printed_pressure_depends_on_the_mesh( void **state )
{
	(void)state;
	FILE *file = fopen( DEEPSIM_TEST_TMP "/printed_bekker.csv", "w" );
	assert_non_null( file );
	fprintf( file, "faces,printed_m,default_m,predicted_m\n" );
	const int parts[] = { 1, 2, 4, 8, 16, 32 };
	double last = INFINITY;
	for ( size_t i = 0; i < 6; ++i )
	{
		trial t = { .soil = soil_named( "sandy_loam_michigan_11" ),
			.length = 0.4,
			.width = 0.4,
			.pressure = 20e3,
			.spacing = 0.1 };
		double ours = sinkage_of( &t, parts[i] );
		t.soil.printed_pressure = true;
		double got = sinkage_of( &t, parts[i] );
		double side = sqrt( 0.5 ) * 0.4 / parts[i]; // square root of the area of a triangle
		double predicted = bekker( &t.soil, side, t.pressure );
		fprintf( file, "%d,%.9g,%.9g,%.9g\n", 12 * parts[i] * parts[i], got, ours, predicted );
		print_message( "%d faces: printed %.6f m, predicted %.6f m, default %.6f m\n", 12 * parts[i] * parts[i], got,
			predicted, ours );
		NEAR( got, predicted, 0.01 * predicted );
		assert_true( got < 0.9 * last );
		last = got;
	}
	fclose( file );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_every_soil_bears_as_bekker_says ),
		cmocka_unit_test( test_faces_do_not_matter ),
		cmocka_unit_test( test_spheres_of_few_faces_and_of_many ),
		cmocka_unit_test( test_grids_are_the_plane ),
		cmocka_unit_test( test_printed_pressure_depends_on_the_mesh ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
