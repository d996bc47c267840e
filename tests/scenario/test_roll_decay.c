// A measured ship: free decay of roll from -8.42 degrees, with mass, added mass and damping as they were published with the
// experiment, and nothing fitted.
//
// Source: tests of a 1:11 model at Ecole Centrale de Nantes, scaled to full size, and the parameters of the ship, published with
// the simulator xdyn (validation/reference_data_for_validation, EPL-2.0). The hull itself is not part of this project: with
// DEEPSIM_REFERENCE_DATA naming the folder that holds hydro/roll_decay_ECN/test_ship.stl the test repairs and releases it. Without,
// a barge of the same displacement and metacentric height (0.734 m, by the righting moment of that hull at 4 degrees) takes its place.
// Both write DEEPSIM_TEST_TMP/roll_*.csv, with a gnuplot script that draws them and the experiment together.

#include "../unit/world_kit.h"

#define DEGREE      ( DS_PI / 180 )
#define METACENTRIC 0.734 // height above the centre of gravity [m]

// The experiment: times of the first zero crossings [s], and peaks of roll [degrees] before, between and after them.
static const double measured_zeros[] = { 1.676, 4.878, 8.068, 11.273, 14.444, 17.654, 20.817, 24.023, 27.177, 30.383,
	33.541 };
static const double measured_times[] = { 0, 3.23, 6.43, 9.63, 12.83, 16.01, 19.21, 22.39, 25.58, 28.75, 31.95 };
static const double measured_peaks[] = { -8.419, 7.599, -6.607, 5.940, -5.268, 4.850, -4.330, 4.067, -3.647, 3.473,
	-3.147 };

static ds_body_def ship( const ds_mesh *mesh )
{
	ds_body_def def = kit_point( "ship", 253310, 1.522e6, 8.279e6, 7.676e6 );
	def.mesh = mesh;
	def.pose.position.z = -0.099;
	def.pose.attitude = ds_quat_from_rpy( ds_v3( -8.4192 * DEGREE, -0.334 * DEGREE, 0 ) );
	const double cg[3] = { 0.258, 0, 0.432 };
	const double added[6] = { 3.519e4, 3.023e5, 1.980e5, 3.189e5, 8.866e6, 6.676e6 };
	ds_hydrodynamics_def *h = &def.hydrodynamics;
	h->model = DS_HYDRO_FOSSEN;
	h->added_mass_kind = DS_ADDED_MASS_DIAGONAL;
	memcpy( def.cg, cg, sizeof( cg ) );
	memcpy( h->added_mass, added, sizeof( added ) );
	memcpy( h->added_mass_about, cg, sizeof( cg ) );
	memcpy( h->damping_about, cg, sizeof( cg ) );
	h->linear_damping[7 * 2] = 1.9e5;
	h->linear_damping[7 * 3] = 1.74e4;
	h->linear_damping[7 * 4] = 4.67e6;
	h->quadratic_damping[7 * 3] = 1.45e6;
	return def;
}

static FILE *open_data( const char *name, const char *ending )
{
	char path[1024];
	snprintf( path, sizeof( path ), DEEPSIM_TEST_TMP "/roll_%s.%s", name, ending );
	FILE *file = fopen( path, "w" );
	assert_non_null( file );
	return file;
}

static void write_plot( const char *name )
{
	FILE *file = open_data( name, "gp" );
	fprintf( file, "set datafile separator ','\nset xlabel 'time [s]'\nset ylabel 'roll [deg]'\nset grid\n" );
	fprintf( file, "set terminal pngcairo size 1000,500\nset output 'roll_%s.png'\n$measured << END\n", name );
	for ( size_t i = 0; i < sizeof( measured_times ) / sizeof( measured_times[0] ); ++i )
	{
		fprintf( file, "%.2f,%.3f\n", measured_times[i], measured_peaks[i] );
	}
	fprintf( file,
		"END\nplot 'roll_%s.csv' using 1:2 with lines title 'simulated', $measured using 1:2 with points pt 7 title "
		"'measured peaks'\n",
		name );
	fclose( file );
}

// Releases the ship, and holds period and peaks of its first five swings against the experiment.
static void decay( const char *name, const ds_body_def *def, double period_tolerance, double peak_tolerance )
{
	const double rate = 100;
	ds_world *world = kit_world( rate, NULL );
	ds_id id;
	OK( ds_body_create( world, def, &id ) );
	FILE *file = open_data( name, "csv" );
	double zeros[11], peaks[11] = { 0 }, last = -8.4192;
	int count = 0;
	for ( int tick = 1; count < 11 && tick < 40 * rate; ++tick )
	{
		OK( ds_world_step( world, 1 ) );
		double roll = kit_motion( world, id ).rpy.x / DEGREE;
		fprintf( file, "%.3f,%.6f\n", tick / rate, roll );
		if ( roll * last < 0 )
		{
			zeros[count++] = ( tick - roll / ( roll - last ) ) / rate;
		}
		if ( count < 11 && fabs( roll ) > fabs( peaks[count] ) )
		{
			peaks[count] = roll;
		}
		last = roll;
	}
	fclose( file );
	write_plot( name );
	assert_int_equal( count, 11 );
	for ( int i = 0; i < 5; ++i )
	{
		double period = zeros[2 * i + 2] - zeros[2 * i];
		double measured = measured_zeros[2 * i + 2] - measured_zeros[2 * i];
		print_message(
			"%s, swing %d: period %.3f s, measured %.3f; peaks %.2f and %.2f degrees, measured %.2f and %.2f\n", name,
			i + 1, period, measured, peaks[2 * i + 1], peaks[2 * i + 2], measured_peaks[2 * i + 1],
			measured_peaks[2 * i + 2] );
		NEAR( period, measured, period_tolerance * measured );
		for ( int k = 2 * i + 1; k <= 2 * i + 2 && k < 11; ++k )
		{
			assert_true(
				k == 10 || fabs( peaks[k] - measured_peaks[k] ) <= peak_tolerance * fabs( measured_peaks[k] ) );
		}
	}
	ds_world_destroy( world );
}

// From the righting moments about the centre of gravity at 4 degrees of heel to either side: the hull is not quite symmetric.
static double metacentric_height( const ds_body_def *ship_def )
{
	double sum = 0;
	for ( int side = -1; side <= 1; side += 2 )
	{
		ds_body_def def = *ship_def;
		ds_vec3 rpy = ds_quat_to_rpy( def.pose.attitude );
		def.pose.attitude = ds_quat_from_rpy( ds_v3( side * 4 * DEGREE, rpy.y, 0 ) );
		ds_world *world = kit_world( 10000, NULL );
		ds_id id;
		ds_body_forces forces;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, 1 ) );
		OK( ds_body_forces_get( world, id, &forces ) );
		ds_world_destroy( world );
		ds_vec3 cg = ds_v3( def.cg[0], def.cg[1], def.cg[2] );
		ds_vec3 moment = ds_sub( forces.hydrostatic.torque, ds_cross( cg, forces.hydrostatic.force ) );
		sum -= side * moment.x / ( def.mass * 9.81 * sin( 4 * DEGREE ) );
	}
	return 0.5 * sum;
}

// A box with the displacement of the ship (247.1 m3 of sea water), 20 m by 6 m, whose centre of gravity lies where the
// metacentric height is the hull's: B^2 / ( 12 T ) + T / 2 - KG = 0.734 m.
static void test_barge( void **state )
{
	(void)state;
	const double length = 20, breadth = 6, height = 5;
	double draft = 253310 / ( 1025 * length * breadth );
	double kg = breadth * breadth / ( 12 * draft ) + 0.5 * draft - METACENTRIC;
	ds_mesh *mesh = kit_box( length, breadth, height );
	ds_body_def def = ship( mesh );
	def.pose.attitude = ds_quat_from_rpy( ds_v3( -8.4192 * DEGREE, 0, 0 ) );
	def.pose.position.z = 0;
	def.mesh_pose.position = ds_v3( def.cg[0], 0, def.cg[2] + kg - 0.5 * height );
	// afloat on an even keel the body's origin is at draft - kg - cg below the surface
	def.pose.position.z = draft - kg - def.cg[2];
	NEAR( metacentric_height( &def ), METACENTRIC, 0.01 );
	decay( "barge", &def, 0.04, 0.15 );
	ds_mesh_release( mesh );
}

static void test_hull( void **state )
{
	(void)state;
	const char *data = getenv( "DEEPSIM_REFERENCE_DATA" );
	if ( data == NULL )
	{
		print_message( "skipped: DEEPSIM_REFERENCE_DATA does not say where the hull is\n" );
		skip();
		return;
	}
	char path[2048];
	snprintf( path, sizeof( path ), "%s/hydro/roll_decay_ECN/test_ship.stl", data );
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_load( path, NULL, NULL, &mesh, NULL ), DS_ERROR_MESH_OPEN );
	assert_non_null( strstr( ds_last_error(), "3 of the mesh's edges are open" ) );
	ds_mesh_report report;
	OK( ds_mesh_repair( path, NULL, 64, NULL, &mesh, &report ) );
	assert_int_equal( report.holes_closed, 1 );
	assert_int_equal( report.faces_turned, report.faces_read ); // inward, all of them
	ds_body_def def = ship( mesh );
	def.mesh_pose.position = ds_v3( -9.355, 0, 3.21 );
	NEAR( metacentric_height( &def ), METACENTRIC, 0.01 );
	decay( "hull", &def, 0.04, 0.15 );
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_barge ),
		cmocka_unit_test( test_hull ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
