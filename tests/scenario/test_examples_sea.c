// The examples of the sea against numbers that do not come from the library: the offset of a coasting body on a turning Earth,
// the fall of a lander through stratified water and its spin under lift, drift in the Ekman spiral, a float in a sea, speeds
// and speed steps of one vehicle under three models of the water.

#include "examples_kit.h"

#include <complex.h>
#include <stdlib.h>

// Motion of a body at a time of a run.
static ds_body_motion motion_at(
	const char *path, const char *const *overrides, int32_t count, const char *name, double time )
{
	ds_world *world = world_of( path, overrides, count );
	run_to( world, time );
	ds_body_motion motion = motion_of( world, name );
	ds_world_destroy( world );
	return motion;
}

// ---- coriolis ----------------------------------------------------------------------------------------------------

#define CORIOLIS EXAMPLES "coriolis/coriolis.json"
#define OMEGA    7.292115e-5 // [rad/s], WGS-84 (NIMA TR8350.2)

// Where a free body is after t: seen from the Earth its velocity turns about the Earth's axis at -2 Omega, so that of a body
// that sets out northward at v the part across the axis, v sin( latitude ), runs on a circle.
static double offset_by_hand( double v, double latitude, double t )
{
	return v * sin( latitude ) / ( 2 * OMEGA ) * ( 1 - cos( 2 * OMEGA * t ) );
}

static void coasting_bodies_turn_aside( void **state )
{
	(void)state;
	ds_world *world = world_of( CORIOLIS, NULL, 0 );
	const char *names[] = { "fast", "body", "slow" };
	const double speeds[] = { 2, 1, 0.5 };
	double f = 2 * OMEGA * sin( 45 * DEGREE );
	for ( int i = 0; i < 3; ++i )
	{
		double t = 1000 / speeds[i];
		run_to( world, t );
		ds_body_motion m = motion_of( world, names[i] );
		double x = m.pose.position.x;
		assert_near( m.pose.position.y, offset_by_hand( speeds[i], 45 * DEGREE, t ), 1e-6 );
		assert_near( m.pose.position.y, 0.5 * f * x * x / speeds[i], 0.01 ); // as long as the offset is small
		assert_near( ds_length( m.velocity_world.linear ), speeds[i], 1e-9 ); // no work
	}
	ds_world_destroy( world );
}

// 51.6 m after 1 km at 1 m/s and 45 degrees north; to the other side in the south; straight on when the Earth stands still.
static void offset_after_a_kilometre( void **state )
{
	(void)state;
	const char *south[] = { "origin.latitude_deg=-45" }, *still[] = { "environment.earth_rotation=false" };
	ds_body_motion north = motion_at( CORIOLIS, NULL, 0, "body", 1001.8 );
	assert_small( north.pose.position.x - 1000, 0.2 );
	assert_small( north.pose.position.y - 51.6, 0.1 );
	ds_body_motion mirrored = motion_at( CORIOLIS, south, 1, "body", 1001.8 );
	assert_small( mirrored.pose.position.y + north.pose.position.y, 1e-9 );
	assert_small( motion_at( CORIOLIS, still, 1, "body", 1001.8 ).pose.position.y, 1e-9 );
}

// A neutral body without drag, in water that turns with the Earth.
static void offset_in_water_is_that_in_vacuum( void **state )
{
	(void)state;
	const char *overrides[] = { "environment.water={}", "sensors=[]",
		"bodies=[{\"name\":\"body\",\"mesh\":{\"make\":\"sphere\",\"radius\":0.2,\"faces\":320},\"mass\":34,"
		"\"pose\":{\"position\":[0,0,100]},\"velocity\":{\"linear\":[1,0,0]},\"collision\":\"none\","
		"\"hydrodynamics\":{\"volume\":\"neutral\",\"drag\":false}}]" };
	ds_body_motion m = motion_at( CORIOLIS, overrides, 3, "body", 1000 );
	assert_near( m.pose.position.y, offset_by_hand( 1, 45 * DEGREE, 1000 ), 1e-6 );
}

// ---- lander ------------------------------------------------------------------------------------------------------

#define LANDER         EXAMPLES "lander/lander.json"
#define LANDER_PLAIN   EXAMPLES "lander/lander-plain.json"
#define LANDER_PRINTED EXAMPLES "lander/lander-printed.json"
#define LANDER_MASS    460.0
#define LANDER_FORM    0.738

typedef struct shape
{
	int64_t faces;
	ds_vec3 area[4096], center[4096]; // area: times the outward normal
	double volume;
} shape;

static void load_lander( shape *s )
{
	ds_mesh *mesh = NULL;
	OK( ds_mesh_load( EXAMPLES "vehicles/lander.obj", NULL, NULL, &mesh, NULL ) );
	const ds_vec3 *v = ds_mesh_vertices( mesh, NULL );
	const int32_t *t = ds_mesh_triangles( mesh, &s->faces );
	assert_true( s->faces <= 4096 );
	for ( int64_t i = 0; i < s->faces; ++i, t += 3 )
	{
		s->area[i] = ds_scale( 0.5, ds_cross( ds_sub( v[t[1]], v[t[0]] ), ds_sub( v[t[2]], v[t[0]] ) ) );
		s->center[i] = ds_scale( 1.0 / 3, ds_add( v[t[0]], ds_add( v[t[1]], v[t[2]] ) ) );
	}
	s->volume = ds_mesh_measure( mesh ).volume;
	ds_mesh_release( mesh );
}

// (14) of the source paper with the example's numbers.
static double density_by_hand( double z )
{
	return 1025 + 3.075 * fmin( z, 1000 ) / 1000;
}

// In stratified water weight and drag change with depth, and the lander with them.
static void lander_slows_with_depth( void **state )
{
	(void)state;
	static shape s;
	load_lander( &s );
	double down = 0;
	for ( int64_t i = 0; i < s.faces; ++i )
	{
		down += fmax( 0, s.area[i].z );
	}
	const char *starts[] = { "bodies.lander.pose.position=[0,0,100]", "bodies.lander.pose.position=[0,0,2000]" };
	double speeds[2];
	for ( int i = 0; i < 2; ++i )
	{
		const char *overrides[] = { starts[i], "bodies.lander.cg=[0,0,0.585]", "environment.currents=[]" };
		ds_body_motion m = motion_at( LANDER_PLAIN, overrides, 3, "lander", 30 );
		// buoyancy is that of the water at the centre of volume, drag that at the faces: both near the origin's
		double rho = density_by_hand( m.pose.position.z );
		double weight = ( LANDER_MASS - rho * s.volume ) * 9.81;
		speeds[i] = m.velocity_world.linear.z;
		assert_near( speeds[i], sqrt( 2 * weight / ( rho * LANDER_FORM * down ) ), 3e-4 );
	}
	assert_true( speeds[1] < 0.99 * speeds[0] );
}

// Torque about the vertical on the upright lander that falls at v and turns at w: drag and lift of hydro's definition.
static double torque_by_hand( const shape *s, double v, double w )
{
	double sum = 0;
	for ( int64_t i = 0; i < s->faces; ++i )
	{
		ds_vec3 c = s->center[i], u = ds_v3( -w * c.y, w * c.x, v );
		double area = ds_length( s->area[i] ), speed = ds_length( u );
		ds_vec3 n = ds_scale( 1 / area, s->area[i] ), e = ds_scale( 1 / speed, u );
		double windward = fmax( 0, ds_dot( n, e ) );
		ds_vec3 drag = ds_scale( -LANDER_FORM * area * speed * windward, u );
		ds_vec3 lift = ds_scale( -area * speed * speed * windward, ds_sub( n, ds_scale( ds_dot( n, e ), e ) ) );
		sum += ds_cross( c, ds_add( drag, lift ) ).z;
	}
	return sum;
}

// Its feet are 0.3 degrees out of level, like the blades of a propeller.
static void lander_turns_by_the_lift_of_its_feet( void **state )
{
	(void)state;
	static shape s;
	load_lander( &s );
	const char *overrides[] = { "bodies.lander.pose.position=[0,0,2000]", "bodies.lander.cg=[0,0,0.585]",
		"environment.currents=[]" };
	ds_body_motion with = motion_at( LANDER, overrides, 3, "lander", 120 );
	double v = with.velocity_world.linear.z, low = 0, high = 0.1;
	assert_true( torque_by_hand( &s, v, low ) > 0 && torque_by_hand( &s, v, high ) < 0 );
	for ( int i = 0; i < 60; ++i )
	{
		double middle = 0.5 * ( low + high );
		*( torque_by_hand( &s, v, middle ) > 0 ? &low : &high ) = middle;
	}
	assert_near( with.velocity_body.angular.z, low, 2e-3 );

	// drag alone pushes along the flow and turns nothing; the printed form turns it a hundred times as fast
	ds_body_motion plain = motion_at( LANDER_PLAIN, overrides, 3, "lander", 120 );
	assert_small( plain.velocity_body.angular.z, 1e-5 );
	ds_body_motion printed = motion_at( LANDER_PRINTED, overrides, 3, "lander", 120 );
	assert_true( fabs( printed.velocity_body.angular.z ) > 50 * low );
}

// ---- Ekman transit -----------------------------------------------------------------------------------------------

// The field in deep water, in the form of design and textbooks (Cushman-Roisin and Beckers 2011, chapter 8), NED.
static double complex ekman_by_hand( double z )
{
	const double rho = 1026, surface_layer = 50, bed_layer = 20, bed = 400, wind = 10, direction = 20 * DEGREE;
	double f = 2 * OMEGA * sin( 45 * DEGREE ), stress = ( 0.79e-3 + 0.08e-3 * wind ) * 1.225 * wind * wind;
	double v0 = sqrt( 2 ) * DS_PI * stress / ( rho * f * surface_layer );
	double complex interior = 0.2 * cexp( I * 30 * DEGREE );
	double complex spiral = v0 * cexp( I * ( direction + DS_PI / 4 ) - ( 1 - I ) * DS_PI * z / surface_layer );
	return interior * ( 1 - cexp( -( 1 - I ) * DS_PI * ( bed - z ) / bed_layer ) ) + spiral;
}

static void auvs_drift_with_the_spiral( void **state )
{
	(void)state;
	const char *overrides[] = { "bodies.shallow/auv.mesh.faces=800", "bodies.middle/auv.mesh.faces=800",
		"bodies.deep/auv.mesh.faces=800", "bodies.interior/auv.mesh.faces=800", "bodies.bed/auv.mesh.faces=800" };
	const char *names[] = { "shallow/auv", "middle/auv", "deep/auv", "interior/auv", "bed/auv" };
	ds_world *world = world_of( EXAMPLES "ekman_transit/ekman_transit.json", overrides, 5 );
	run_to( world, 180 );
	for ( int i = 0; i < 5; ++i )
	{
		ds_body_motion m = motion_of( world, names[i] );
		double complex flow = ekman_by_hand( m.pose.position.z );
		assert_small( m.rpy.z, 0.2 * DEGREE );
		assert_small( m.velocity_world.linear.y - cimag( flow ), 1e-3 );
		assert_small( m.pose.position.y - 180 * cimag( flow ), 0.1 );
		// thrust is drag at 0.5 m/s through the water: X_uu of 1.62 kg/m at 1030 kg/m3
		assert_near( m.velocity_world.linear.x - creal( flow ), sqrt( 0.405 / ( 1.62 * 1026 / 1030 ) ), 0.01 );
	}
	ds_world_destroy( world );
}

// ---- buoy --------------------------------------------------------------------------------------------------------

#define BUOY_RATE  4
#define BUOY_COUNT ( 300 * BUOY_RATE )

// Height of the surface over a place: where water begins, by bisection.
static double surface_at( const ds_world *world, ds_vec3 place )
{
	double low = -4, high = 4; // heights
	for ( int i = 0; i < 30; ++i )
	{
		ds_water water;
		double middle = 0.5 * ( low + high );
		OK( ds_water_at( world, ds_v3( place.x, place.y, -middle ), &water ) );
		*( water.present ? &low : &high ) = middle;
	}
	return 0.5 * ( low + high );
}

// Amplitude of a record at a frequency [Hz], in a Hann window.
static double complex harmonic( const double *x, double frequency )
{
	double complex sum = 0;
	for ( int i = 0; i < BUOY_COUNT; ++i )
	{
		double window = 1 - cos( 2 * DS_PI * ( i + 0.5 ) / BUOY_COUNT );
		sum += window * x[i] * cexp( -2 * DS_PI * I * frequency * i / BUOY_RATE );
	}
	return 2 * sum / BUOY_COUNT;
}

// Long waves lift a float as they lift the surface, without a lag. Between the harmonics of a band: H = <a b*> / <b b*>.
static void buoy_follows_long_waves( void **state )
{
	(void)state;
	static double heave[BUOY_COUNT], surface[BUOY_COUNT];
	const char *overrides[] = { "bodies.buoy.mesh.faces=320", "rate=40", "sensors=[]" };
	ds_world *world = world_of( EXAMPLES "buoy/buoy.json", overrides, 3 );
	double variance = 0;
	for ( int i = 0; i < BUOY_COUNT; ++i )
	{
		run_to( world, 10 + (double)i / BUOY_RATE );
		ds_vec3 place = motion_of( world, "buoy" ).pose.position;
		heave[i] = -place.z;
		surface[i] = surface_at( world, place );
		variance += surface[i] * surface[i] / BUOY_COUNT;
	}
	ds_world_destroy( world );

	// 6 to 14 s: waves of 56 to 306 m, and half of the sea's energy at least
	double complex cross = 0;
	double both = 0, own = 0;
	for ( double f = 1 / 14.0; f <= 1 / 6.0; f += 1.0 / 300 )
	{
		double complex a = harmonic( heave, f ), b = harmonic( surface, f );
		cross += a * conj( b );
		both += creal( a * conj( a ) );
		own += creal( b * conj( b ) );
	}
	assert_true( own > 0.5 * variance );
	assert_small( cabs( cross / own - 1 ), 0.03 );
	assert_near( both / own, 1, 0.05 ); // variance of heave over that of the surface
	assert_true( variance > 0.5 * 1.5 * 1.5 / 16 && variance < 2 * 1.5 * 1.5 / 16 ); // Hs of 1.5 m, in five minutes
}

// ---- one vehicle, three models -----------------------------------------------------------------------------------

#define ROV_MESH       EXAMPLES "fossen_vs_mesh/fossen_vs_mesh.json"
#define ROV_FOSSEN     EXAMPLES "fossen_vs_mesh/fossen_vs_mesh-fossen.json"
#define ROV_SIMPLIFIED EXAMPLES "fossen_vs_mesh/fossen_vs_mesh-fossen_simplified.json"

// Surge a second after 12/sqrt( 2 ) N set in: mass u' = thrust - linear u - quadratic u^2, by Runge and Kutta's fourth order.
static double surge_by_hand( double mass, double linear, double quadratic, double time )
{
	const int steps = 1000;
	double u = 0, h = time / steps;
	for ( int i = 0; i < steps; ++i )
	{
		double k[4], at = u;
		for ( int j = 0; j < 4; ++j )
		{
			k[j] = ( 12 * sqrt( 0.5 ) - linear * at - quadratic * at * at ) / mass;
			at = u + ( j < 2 ? 0.5 : 1 ) * h * k[j];
		}
		u += h * ( k[0] + 2 * k[1] + 2 * k[2] + k[3] ) / 6;
	}
	return u;
}

static void three_models_make_three_steps( void **state )
{
	(void)state;
	const char *paths[] = { ROV_MESH, ROV_FOSSEN, ROV_SIMPLIFIED };
	// X_u and X_uu of von Benzon et al. 2022; the mesh has no linear drag, the simplified model no added mass
	const double mass[] = { 13.5 + 6.3567, 13.5 + 6.3567, 13.5 }, linear[] = { 0, 13.7, 13.7 };
	for ( int i = 0; i < 3; ++i )
	{
		ds_world *world = world_of( paths[i], NULL, 0 );
		run_to( world, 2.5 );
		double early = motion_of( world, "frame" ).velocity_body.linear.x;
		run_to( world, 20 );
		double late = motion_of( world, "frame" ).velocity_body.linear.x;
		ds_world_destroy( world );
		assert_near( early, surge_by_hand( mass[i], linear[i], 141, 0.5 ), 0.02 );
		assert_near( late, ( sqrt( linear[i] * linear[i] + 4 * 141 * 12 * sqrt( 0.5 ) ) - linear[i] ) / 282, 0.002 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( coasting_bodies_turn_aside ),
		cmocka_unit_test( offset_after_a_kilometre ),
		cmocka_unit_test( offset_in_water_is_that_in_vacuum ),
		cmocka_unit_test( lander_slows_with_depth ),
		cmocka_unit_test( lander_turns_by_the_lift_of_its_feet ),
		cmocka_unit_test( auvs_drift_with_the_spiral ),
		cmocka_unit_test( buoy_follows_long_waves ),
		cmocka_unit_test( three_models_make_three_steps ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
