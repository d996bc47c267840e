// The magnetometer in worlds: every mount, along a track past a magnet and over a cable, by place and date, warnings, life.

#include "sensor_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static const ds_vec3 p10_field = { 17510.2e-9, -3045.2e-9, -13553.1e-9 };

static ds_vec3 vec( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static ds_quat rpy( double roll, double pitch, double yaw )
{
	return ds_quat_from_rpy( ds_v3( roll * DEGREE, pitch * DEGREE, yaw * DEGREE ) );
}

static ds_environment_def space( ds_vec3 field )
{
	ds_environment_def e = kit_vacuum( 0 );
	e.magnetic.earth = DS_EARTH_FIELD_UNIFORM;
	e.magnetic.field[0] = field.x;
	e.magnetic.field[1] = field.y;
	e.magnetic.field[2] = field.z;
	return e;
}

static ds_id add_sensor( ds_world *world, const char *name, ds_id body, ds_pose mount, const ds_magnetometer_config *c )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "magnetometer" );
	def.body = body;
	def.mount = mount;
	def.config = c;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static ds_magnetometer latest( const ds_world *world, ds_id sensor )
{
	ds_sample_header header;
	ds_magnetometer reading;
	OK( ds_sensor_latest( world, sensor, &header, &reading, sizeof( reading ) ) );
	return reading;
}

// All 24 mounts along the axes on a tilted body that turns.
static void test_mounts( void **state )
{
	(void)state;
	ds_environment_def e = space( p10_field );
	ds_world *world = kit_world( 100, &e );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	def.pose.attitude = rpy( 30, 20, 120 );
	ds_id body, sensors[24];
	OK( ds_body_create( world, &def, &body ) );
	ds_quat mounts[24];
	int count = 0;
	for ( int roll = 0; roll < 4; ++roll )
	{
		for ( int pitch = -1; pitch < 2; ++pitch )
		{
			for ( int yaw = 0; yaw < 4; ++yaw )
			{
				if ( pitch == 0 || roll == 0 ) // at a pitch of +-90 degrees roll and yaw are one
				{
					mounts[count++] = rpy( 90 * roll, 90 * pitch, 90 * yaw );
				}
			}
		}
	}
	assert_int_equal( count, 24 );
	for ( int i = 0; i < 24; ++i )
	{
		char name[16];
		snprintf( name, sizeof( name ), "m%d", i );
		sensors[i] = add_sensor( world, name, body, ( ds_pose ){ { 0.1 * i, 0, 1 }, mounts[i] }, NULL );
	}
	OK( ds_world_step( world, 1 ) );
	for ( int i = 0; i < 24; ++i )
	{
		ds_vec3 b = ds_rotate( mounts[i], vec( latest( world, sensors[i] ).field ) );
		NEAR3( b, ds_unrotate( rpy( 30, 20, 120 ), p10_field ), 1e-12 * ds_length( p10_field ) );
		for ( int k = 0; k < i; ++k )
		{
			assert_true( ds_length( ds_sub( vec( latest( world, sensors[i] ).field ),
							 vec( latest( world, sensors[k] ).field ) ) ) > 1e-6 );
		}
	}
	ds_world_destroy( world );
}

// The field is that of the mount's place: along a track past a magnet and over a cable, and by latitude and date.
static void test_track( void **state )
{
	(void)state;
	ds_magnetic_dipole dipole = { { 50, 5, 10 }, { 0, 0, 2000 }, 0.5 };
	ds_magnetic_cable cable = { { 80, -1000, 20 }, { 80, 1000, 20 }, 300, 0, 0, 0.1, true };
	ds_environment_def e = space( p10_field );
	e.magnetic.dipoles = ( ds_array ){ &dipole, 1 };
	e.magnetic.cables = ( ds_array ){ &cable, 1 };
	ds_world *world = kit_world( 10, &e );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	def.velocity.linear = ds_v3( 2, 0, 0 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id sensor = add_sensor( world, "m", body, ( ds_pose ){ { 1, 0.5, 0 }, { 1, 0, 0, 0 } }, NULL );
	dipole.moment[2] = cable.current = 0; // the world has copies
	for ( int i = 0; i < 500; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		ds_vec3 at = ds_v3( 1 + 0.2 * ( i + 1 ), 0.5, 0 );
		ds_vec3 r = ds_sub( at, ds_v3( 50, 5, 10 ) );
		double d = ds_length( r );
		ds_vec3 magnet =
			ds_scale( 1e-7 * 2000 / ( d * d * d ), ds_sub( ds_scale( 3 * r.z / ( d * d ), r ), ds_v3( 0, 0, 1 ) ) );
		double n = at.x - 80, z = -20, square = n * n + z * z; // east x (n, 0, z) = (z, 0, -n)
		ds_vec3 line = ds_scale( 2e-7 * 300 / square, ds_v3( z, 0, -n ) );
		ds_vec3 right = ds_add( p10_field, ds_add( magnet, line ) ), field;
		NEAR3( vec( latest( world, sensor ).field ), right, 1e-15 );
		OK( ds_magnetic_field_at( world, at, &field ) );
		NEAR3( field, right, 1e-15 );
		OK( ds_earth_field_at( world, at, &field ) );
		NEAR3( field, p10_field, 0 );
	}
	ds_world_destroy( world );
}

static void test_earth( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.latitude = 45 * DEGREE;
	e.longitude = -30 * DEGREE;
	snprintf( e.date, sizeof( e.date ), "2026-07-02T12:00:00Z" );
	for ( int igrf = 0; igrf < 2; ++igrf )
	{
		e.magnetic.earth = igrf ? DS_EARTH_FIELD_IGRF14 : DS_EARTH_FIELD_WMM2025;
		ds_world *world = kit_world( 1, &e ), *clone;
		OK( ds_world_clone( world, &clone ) );
		ds_vec3 place = ds_v3( 30000, -20000, 3000 ), field, same;
		ds_geodetic g;
		OK( ds_geodetic_at( world, place, &g ) );
		ds_geomagnetic right;
		const ds_geomagnetic_model *model = igrf ? ds_geomagnetic_igrf14() : ds_geomagnetic_wmm2025();
		OK( ds_geomagnetic_at( model, g.latitude, g.longitude, -3000, 2026.5, &right ) );
		OK( ds_magnetic_field_at( world, place, &field ) );
		NEAR3( field, right.field, 1e-18 );
		OK( ds_world_step( clone, 86400 ) ); // a day on
		ds_world_destroy( world );
		OK( ds_magnetic_field_at( clone, place, &same ) );
		NEAR3( ds_sub( same, field ), ds_scale( 1 / 365.0, right.field_rate ), 1e-16 );
		assert_true( ds_length( ds_sub( same, field ) ) > 1e-11 );
		FAILS( ds_magnetic_field_at( clone, ds_v3( 0, NAN, 0 ), &field ), DS_ERROR_NOT_FINITE, "not finite" );
		ds_world_destroy( clone );
	}
	// at a pole the origin stands for the place
	e.magnetic.earth = DS_EARTH_FIELD_WMM2025;
	e.latitude = 0.5 * DS_PI;
	ds_world *pole = kit_world( 1, &e );
	ds_vec3 field;
	OK( ds_magnetic_field_at( pole, ds_v3( 100, 100, 0 ), &field ) );
	assert_true( ds_finite( field ) && ds_length( field ) > 5e-5 );
	ds_world_destroy( pole );
}

// The default: every world has a field, of a strength that the Earth has.
static void test_default( void **state )
{
	(void)state;
	ds_world *world = kit_world( 10, NULL );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id sensor = add_sensor( world, "m", body, ds_pose_identity(), NULL );
	OK( ds_world_step( world, 1 ) );
	double f = ds_length( vec( latest( world, sensor ).field ) );
	assert_true( f > 2.2e-5 && f < 6.7e-5 );
	ds_world_destroy( world );
}

static int warnings;
static char warning[512];

static void count_warnings( void *user, ds_log_level level, const char *message )
{
	(void)user;
	warnings += level == DS_LOG_WARNING;
	snprintf( warning, sizeof( warning ), "%s", message );
}

// Dates and zones are warned of once, when something asks; a world without a field says so.
static void test_warnings( void **state )
{
	(void)state;
	ds_world_def def = ds_world_def_default();
	ds_environment_def e = ds_environment_def_default();
	def.environment = &e;
	def.hooks.log = count_warnings;
	e.latitude = 86 * DEGREE;
	e.longitude = 140 * DEGREE; // near the magnetic pole
	snprintf( e.date, sizeof( e.date ), "2031-01-01T00:00:00Z" );
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	assert_int_equal( warnings, 0 );
	ds_body_def point = kit_point( "body", 1, 1, 1, 1 );
	ds_id body;
	OK( ds_body_create( world, &point, &body ) );
	ds_id sensor = add_sensor( world, "a", body, ds_pose_identity(), NULL );
	add_sensor( world, "b", body, ds_pose_identity(), NULL );
	assert_int_equal( warnings, 1 );
	assert_non_null( strstr( warning, "2025 to 2030" ) );
	assert_non_null( strstr( warning, "blackout zone" ) );
	OK( ds_world_step( world, 100 ) );
	OK( ds_world_reset( world, 2 ) );
	OK( ds_world_step( world, 10 ) );
	assert_int_equal( warnings, 1 );
	assert_true( latest( world, sensor ).heading_unreliable );
	ds_world_destroy( world );

	e.magnetic.earth = DS_EARTH_FIELD_ABSENT;
	world = kit_world( 10, &e );
	OK( ds_body_create( world, &point, &body ) );
	ds_sensor_def missing = ds_sensor_def_default();
	snprintf( missing.name, sizeof( missing.name ), "m" );
	snprintf( missing.type, sizeof( missing.type ), "magnetometer" );
	missing.body = body;
	FAILS( ds_sensor_create( world, &missing, &sensor ), DS_ERROR_UNSUPPORTED, "environment.magnetic is null" );
	ds_world_destroy( world );
}

static void test_environment_errors( void **state )
{
	(void)state;
	ds_world_def def = ds_world_def_default();
	ds_world *world;
	ds_magnetic_dipole dipole = { { 0, 0, 0 }, { 0, 0, 1 }, 0 };
	ds_magnetic_cable cable = { { 1, 1, 1 }, { 1, 1, 1 }, 1, 0, 0, 0.1, false };
	ds_environment_def e = ds_environment_def_default();
	def.environment = &e;
	e.magnetic.earth = 9;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "unknown kind" );
	e.magnetic.earth = DS_EARTH_FIELD_UNIFORM;
	e.magnetic.field[1] = NAN;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "at most 1 T" );
	e.magnetic.field[1] = 0;
	e.magnetic.dipoles = ( ds_array ){ &dipole, 1 };
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE,
		"magnetic: dipoles[0]: radius: expected a number in [0.001, 10000] m" );
	dipole.radius = 0.1;
	dipole.moment[0] = INFINITY;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_NOT_FINITE, "moment[0]: expected a number" );
	e.magnetic.dipoles.data = NULL;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_ARGUMENT, "must have data" );
	e.magnetic.dipoles.count = 0;
	e.magnetic.cables = ( ds_array ){ &cable, 1 };
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "cables[0]: \"from\" and \"to\" must be two points" );
}

// Repeats, restores, clones; leaves others alone; allocates nothing in a step.
static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "magnetometer",
		.config = "{ \"N\": 1e-9, \"K\": 1e-10, \"markov_sigma\": 1e-8, \"turn_on\": 1e-8 }" };
	kit_sensor_life( &life, true );
	life.config = "{}";
	kit_sensor_life( &life, false );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_mounts ),
		cmocka_unit_test( test_track ),
		cmocka_unit_test( test_earth ),
		cmocka_unit_test( test_default ),
		cmocka_unit_test( test_warnings ),
		cmocka_unit_test( test_environment_errors ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
