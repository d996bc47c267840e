// Bodies in a sea at their first tick, bodies smaller than its waves, with faces and with a volume alone, and bodies that turn on a
// turning Earth.

#include "../unit/sea_kit.h"

static ds_body_motion motion_of( const ds_world *world )
{
	ds_body_motion motion;
	OK( ds_body_motion_get( world, sea_body( world, "b" ), &motion ) );
	return motion;
}

// A body "b" of a model without drag, at a depth, with a velocity.
static ds_world *world_of( const char *sea, const char *model, double depth, ds_vec3 v )
{
	char rest[2048];
	snprintf( rest, sizeof( rest ),
		", 'rate': 100, 'bodies': [ { 'name': 'b', %s, 'pose': { 'position': [0, 0, %.17g] }, "
		"'velocity': { 'linear': [%.17g, %.17g, %.17g] } } ]",
		model, depth, v.x, v.y, v.z );
	return sea_world( sea, rest );
}

#define FACES                                                                                                          \
	"'mesh': { 'make': 'sphere', 'radius': 0.2, 'faces': 320 }, 'mass': 1025, 'hydrodynamics': { 'model': 'mesh', "    \
	"'form_drag': 0, 'skin_drag': 0, 'volume': 1 }"
#define VOLUME                                                                                                         \
	"'mass': 1025, 'inertia': [100, 100, 100], 'hydrodynamics': { 'model': 'fossen', 'volume': 1, 'cb': [0, 0, 0], "   \
	"'added_mass': [512.5, 512.5, 512.5, 0, 0, 0] }"

#define FLOODED                                                                                                        \
	"'mesh': { 'make': 'sphere', 'radius': 0.2, 'faces': 320 }, 'mass': 1025, 'hydrodynamics': { 'model': 'mesh', "    \
	"'form_drag': 0, 'skin_drag': 0, 'volume': 1, 'entrained_mass': 2000 }"

// ---- the first tick --------------------------------------------------------------------------------------------------

// Added mass is that of the density around from the start: the first tick slows nothing down in denser water.
static void starts_as_it_goes_on( void **state )
{
	(void)state;
	const char *const seas[] = {
		"{ 'gravity': 0, 'water': { 'density': { 'model': 'pycnocline', 'increase': 50, 'depth': 1000 } } }",
		"{ 'gravity': 0, 'water': { 'density': { 'model': 'table', 'levels': [ { 'depth': 0, 'density': 1000 }, "
		"{ 'depth': 3000, 'density': 1100 } ] } } }"
	};
	const char *const models[] = { FACES, VOLUME };
	for ( int i = 0; i < 4; ++i )
	{
		ds_world *world = world_of( seas[i % 2], models[i / 2], 4000, ds_v3( 1, 0, 0 ) );
		OK( ds_world_step( world, 20 ) );
		NEAR3( motion_of( world ).velocity_world.linear, ds_v3( 1, 0, 0 ), 1e-12 );
		ds_world_destroy( world );
	}
}

// ---- waves -----------------------------------------------------------------------------------------------------------

// What is as heavy as the water it displaces, small and without drag goes to and fro with the water at its depth, whether the
// waves push its faces or its volume, and with or without water in it: ( m + a ) dv/dt = ( rho V + a ) du/dt. To first order in the steepness (0.03).
static void goes_with_the_water( void **state )
{
	(void)state;
	const double a = 0.5, period = 8, omega = 2 * DS_PI / period, k = omega * omega / 9.81, depth = 10;
	const double speed = a * omega * exp( -k * depth );
	const char *const models[] = { FACES, VOLUME, FLOODED };
	for ( int i = 0; i < 3; ++i )
	{
		ds_world *world = world_of(
			"{ 'waves': { 'model': 'regular', 'height': 1, 'period': 8 } }", models[i], depth, ds_v3( speed, 0, 0 ) );
		for ( int n = 1; n <= 16; ++n )
		{
			OK( ds_world_step( world, 50 ) );
			double t = sea_seconds( world );
			ds_vec3 v = ds_v3( speed * cos( omega * t ), 0, speed * sin( omega * t ) );
			NEAR3( motion_of( world ).velocity_world.linear, v, 0.12 * speed );
		}
		ds_world_destroy( world );
	}
}

// A volume floats on the instantaneous surface: half of it is under water in the crests and in the troughs of long waves.
static void volume_floats_on_waves( void **state )
{
	(void)state;
	ds_world *world = world_of( "{ 'waves': { 'model': 'regular', 'height': 4, 'period': 20 } }",
		"'mass': 512.5, 'inertia': [100, 100, 100], 'hydrodynamics': { 'model': 'fossen', 'volume': 1, 'cb': [0, 0, "
		"0], 'damping': { 'linear': [2000, 2000, 2000, 0, 0, 0] } }",
		-2, ds_v3( 0, 0, 0 ) );
	for ( int n = 0; n < 40; ++n )
	{
		OK( ds_world_step( world, 100 ) );
		ds_body_forces forces;
		OK( ds_body_forces_get( world, sea_body( world, "b" ), &forces ) );
		NEAR( forces.displaced_volume, 0.5, 0.05 );
	}
	ds_world_destroy( world );
}

// ---- the Earth's rotation ----------------------------------------------------------------------------------------------

// A free gyroscope keeps its direction in inertial space: seen from the Earth its axis turns by 15.04 degrees an hour the other
// way about the Earth's axis. What does not turn in inertial space does so seen from the Earth, whatever its inertia.
static void gyroscope_drifts( void **state )
{
	(void)state;
	const double rate = 7.292115e-5, latitude = 30 * DS_PI / 180, time = 3600;
	const char *earth = "{ 'gravity': 0, 'water': null, 'earth_rotation': true }";
	const char *rest = ", 'rate': 50, 'origin': { 'latitude_deg': 30, 'longitude_deg': 0 }, 'bodies': [ { 'name': 'b', "
					   "'mass': 1, 'inertia': %s, 'pose': { 'position': [0, 0, 0], 'rpy_deg': [%d, %d, 0] }, "
					   "'velocity': { 'angular': [%.17g, 0, %.17g] } } ]";
	ds_vec3 axis = ds_v3( cos( latitude ), 0, -sin( latitude ) );
	ds_quat turned = ds_quat_exp( ds_scale( -rate * time, axis ) );
	char text[1024];

	// spun about its axis of symmetry, which lies north
	snprintf( text, sizeof( text ), rest, "[2, 1.5, 1.5]", 0, 0, 2.0, 0.0 );
	ds_world *world = sea_world( earth, text );
	OK( ds_world_step( world, 180000 ) );
	ds_vec3 north = ds_rotate( turned, ds_v3( 1, 0, 0 ) );
	NEAR3( ds_rotate( motion_of( world ).pose.attitude, ds_v3( 1, 0, 0 ) ), north, 1e-4 );
	ds_world_destroy( world );

	// at rest among the stars
	snprintf( text, sizeof( text ), rest, "[1, 2, 2.5]", 10, 20, -rate * axis.x, -rate * axis.z );
	world = sea_world( earth, text );
	OK( ds_world_step( world, 180000 ) );
	NEAR3( motion_of( world ).velocity_world.angular, ds_scale( -rate, axis ), 1e-6 * rate );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( starts_as_it_goes_on ),
		cmocka_unit_test( goes_with_the_water ),
		cmocka_unit_test( volume_floats_on_waves ),
		cmocka_unit_test( gyroscope_drifts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
