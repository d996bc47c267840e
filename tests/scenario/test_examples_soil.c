// The examples on soil against numbers that do not come from the library: the pressing-in of a lander's feet, integrated in one
// dimension; the forces on a rigid wheel, integrated over its rim after Wong; the balance of a crawler's forces; soundings of a
// mountain against its formula.

#include "examples_kit.h"

static void read_latest( const ds_world *world, ds_kind kind, const char *name, void *out, size_t size )
{
	ds_id id;
	ds_sample_header header;
	OK( ds_world_find( world, kind, name, &id ) );
	OK( ds_sensor_latest( world, id, &header, out, size ) );
}

static ds_track track_of( const ds_world *world, const char *name )
{
	ds_track track;
	read_latest( world, DS_ACTUATOR, name, &track, sizeof( track ) );
	return track;
}

static ds_contact contact_of( const ds_world *world, const char *name )
{
	ds_contact contact;
	read_latest( world, DS_SENSOR, name, &contact, sizeof( contact ) );
	return contact;
}

// ---- landing -----------------------------------------------------------------------------------------------------

#define LANDING EXAMPLES "landing/landing.json"

static const char *const feet[] = { "fore_starboard", "fore_port", "aft_starboard", "aft_port" };

// ( m + m_a ) dv/dt = weight - 4 A ( ( kc/b + kphi ) z^n + c_d v ) - drag, from 1 cm above the mud until it stands: sinkage and time.
static double sinkage_by_hand( double *time )
{
	const double area = 4 * 0.3 * 0.3, k = 327 / 0.3 + 16300, n = 0.148, damping = 4900;
	const double weight = ( 460 - 0.401738 * 1028.075 ) * 9.81, mass = 460 + 257.4, dt = 1e-5;
	const double drag = 0.5 * 1028.075 * 0.738 * 2.193;
	double z = -0.01, v = 0.5, t = 0;
	while ( v > 0 )
	{
		double soil = z > 0 ? area * ( k * pow( z, n ) + damping * v ) : 0;
		v += dt * ( weight - soil - drag * v * v ) / mass;
		z += dt * v;
		t += dt;
	}
	*time = t;
	return z;
}

static void lander_sinks_as_its_energy_says( void **state )
{
	(void)state;
	double time, right = sinkage_by_hand( &time ), deepest = 0, when = 0;
	ds_world *world = world_of( LANDING, NULL, 0 );
	for ( int tick = 1; tick <= 60; ++tick )
	{
		OK( ds_world_step( world, 1 ) );
		double sinkage = motion_of( world, "lander" ).pose.position.z + 1.235 - 3000;
		when = sinkage > deepest ? tick / 200.0 : when;
		deepest = fmax( deepest, sinkage );
	}
	assert_near( deepest, right, 0.02 );
	assert_small( when - time, 0.008 );

	// at rest the feet bear its weight, each a quarter
	run_to( world, 8 );
	for ( int i = 0; i < 4; ++i )
	{
		ds_contact foot = contact_of( world, feet[i] );
		assert_near( -foot.normal[2] - foot.shear[2], ( 460 - 0.401738 * 1028.075 ) * 9.81 / 4, 0.01 );
		assert_near( foot.area, 0.09, 0.02 );
	}
	assert_small( ds_length( motion_of( world, "lander" ).velocity_world.linear ), 1e-3 );
	ds_world_destroy( world );
}

// ---- drawbar pull ------------------------------------------------------------------------------------------------

#define DRAWBAR EXAMPLES "drawbar/drawbar.json"

typedef struct wheel_forces
{
	double load, pull, torque, sinkage;
} wheel_forces;

// A rigid wheel that enters the sand at the angle `entry` and leaves it at its lowest point: Wong 2008, section 2.5.
static wheel_forces wheel_at( double slip, double entry )
{
	const double r = 0.25, b = 0.2, k = 990 / b + 1528430, n = 1.1, c = 1040, tan_phi = tan( 28 * DEGREE ), K = 0.02;
	const int parts = 2000;
	wheel_forces f = { 0, 0, 0, r * ( 1 - cos( entry ) ) };
	for ( int i = 0; i < parts; ++i )
	{
		double a = entry * ( i + 0.5 ) / parts, piece = b * r * entry / parts;
		double p = k * pow( r * ( cos( a ) - cos( entry ) ), n );
		double j = r * ( entry - a - ( 1 - slip ) * ( sin( entry ) - sin( a ) ) );
		double tau = ( c + p * tan_phi ) * ( 1 - exp( -j / K ) );
		f.load += piece * ( p * cos( a ) + tau * sin( a ) );
		f.pull += piece * ( tau * cos( a ) - p * sin( a ) );
		f.torque += piece * r * tau;
	}
	return f;
}

static wheel_forces wheel_by_hand( double slip )
{
	double low = 0.05, high = 1.5;
	for ( int i = 0; i < 50; ++i )
	{
		double middle = 0.5 * ( low + high );
		*( wheel_at( slip, middle ).load > 100 * 9.80665 ? &high : &low ) = middle;
	}
	return wheel_at( slip, low );
}

// Means of 2 seconds.
static wheel_forces wheel_measured( ds_world *world )
{
	wheel_forces sum = { 0, 0, 0, 0 };
	for ( int i = 0; i < 40; ++i )
	{
		OK( ds_world_step( world, 10 ) );
		ds_track wheel = track_of( world, "wheel" );
		sum.pull += wheel.drawbar_pull / 40;
		sum.torque += wheel.torque / 40;
		sum.sinkage += wheel.sinkage / 40;
	}
	return sum;
}

// The formulas know of no rebound behind the axle, no rate, no slip sinkage.
static void wheel_pulls_as_the_sum_over_its_rim( void **state )
{
	(void)state;
	const double slips[] = { 0, 0.1, 0.3, 0.6 };
	const char *overrides[] = {
		"environment.seabed.soil={\"set\":\"dry_sand\",\"rebound\":0.001,\"damping\":0}",
		"commands=[{\"t\":0,\"actuator\":\"wheel\",\"value\":0.1},{\"t\":5,\"actuator\":\"wheel\",\"value\":0."
		"111111111},"
		"{\"t\":10,\"actuator\":\"wheel\",\"value\":0.142857143},{\"t\":15,\"actuator\":\"wheel\",\"value\":0.25}]",
	};
	ds_world *world = world_of( DRAWBAR, overrides, 2 );
	for ( int i = 0; i < 4; ++i )
	{
		run_to( world, 5 * i + 3 );
		wheel_forces is = wheel_measured( world ), right = wheel_by_hand( slips[i] );
		assert_small( is.pull - right.pull, 10 ); // 1 % of the load
		assert_near( is.torque, right.torque, 0.03 );
		assert_near( is.sinkage, right.sinkage, 0.02 );
	}
	ds_world_destroy( world );
}

// ---- crawler -----------------------------------------------------------------------------------------------------

#define CRAWLER        EXAMPLES "crawler/crawler.json"
#define CRAWLER_WEIGHT ( ( 6100 - 3.2 * 1.2 * 0.9 * 1028 ) * 9.80665 ) // in the water [N]

// Drag of the box along x: form drag on its front, skin drag on its four sides [N].
static double crawler_drag( double v )
{
	const double front = 1.2 * 0.9, sides = 2 * 3.2 * ( 1.2 + 0.9 );
	return 0.5 * 1028 * ( 1.1 * front + 0.004 * sides ) * v * v;
}

// At a steady speed on the level traction is the resistance of soil and water, and what of the weight its pitch turns along it.
static void traction_is_resistance( void **state )
{
	(void)state;
	ds_world *world = world_of( CRAWLER, NULL, 0 );
	double traction = 0, resistance = 0, side = 0;
	for ( int i = 1; i <= 70; ++i )
	{
		run_to( world, 15 + 0.1 * i );
		ds_track port = track_of( world, "port" ), starboard = track_of( world, "starboard" );
		ds_body_motion m = motion_of( world, "crawler" );
		traction += ( port.traction + starboard.traction ) / 70;
		resistance += ( port.resistance + starboard.resistance + CRAWLER_WEIGHT * sin( m.rpy.y ) +
						  crawler_drag( m.velocity_body.linear.x ) ) /
					  70;
		side += ( port.side_force + starboard.side_force ) / 70;
		assert_small( port.sinkage - starboard.sinkage, 1e-4 );
		assert_true( port.sinkage > 0.02 && port.sinkage < 0.04 );
	}
	assert_near( traction, resistance, 0.02 );
	assert_small( side, 1e-3 * traction );
	assert_near( motion_of( world, "crawler" ).velocity_body.linear.x, 0.5, 0.01 );
	ds_world_destroy( world );
}

// Let down on the slope of 10 degrees with its brakes on, it stays: the ground's force is upright and bears it.
static void crawler_stands_on_the_slope( void **state )
{
	(void)state;
	const char *overrides[] = { "bodies.crawler.pose.position=[28,0,4195.953]", "bodies.crawler.pose.rpy_deg=[0,10,0]",
		"commands=[]", "sensors.contact.rate=200" };
	ds_world *world = world_of( CRAWLER, overrides, 4 );
	run_to( world, 2 );
	ds_vec3 start = motion_of( world, "crawler" ).pose.position;
	run_to( world, 12 );
	assert_small( ds_length( ds_sub( motion_of( world, "crawler" ).pose.position, start ) ), 1e-3 );
	// it still trembles by less than can be seen: means of two seconds
	double along = 0, up = 0, shear = 0;
	for ( int i = 0; i < 400; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		ds_contact ground = contact_of( world, "contact" );
		along += ( ground.normal[0] + ground.shear[0] ) / 400;
		up -= ( ground.normal[2] + ground.shear[2] ) / 400;
		shear += ground.shear_force / 400;
	}
	assert_small( along, 0.002 * CRAWLER_WEIGHT );
	assert_near( up, CRAWLER_WEIGHT, 0.002 );
	assert_near( shear, CRAWLER_WEIGHT * sin( 10 * DEGREE ), 0.01 );
	ds_world_destroy( world );
}

// ---- seamount ----------------------------------------------------------------------------------------------------

#define SEAMOUNT EXAMPLES "seamount/seamount.json"

// Soundings are the ground's depth, with the altimeter's noise; the ground is the formula and its roughness.
static void soundings_are_the_mountain( void **state )
{
	(void)state;
	const char *overrides[] = { "bodies.auv.mesh.faces=400", "bodies.auv.pose.position=[-800,0,1350]" };
	ds_world *world = world_of( SEAMOUNT, overrides, 2 );
	double squares = 0, rough = 0;
	for ( int i = 1; i <= 300; ++i )
	{
		run_to( world, 20 + i );
		ds_altimeter sounding;
		ds_ground_point ground;
		read_latest( world, DS_SENSOR, "altimeter", &sounding, sizeof( sounding ) );
		ds_vec3 at = ds_pose_point( motion_of( world, "auv" ).pose, ds_v3( 0, 0, 0.1 + sounding.range ) ); // its echo
		OK( ds_ground_at( world, at.x, at.y, &ground ) );
		assert_true( sounding.valid );
		double error = at.z - ground.z;
		double formula = 2000 - 500 * exp( -( at.x * at.x + at.y * at.y ) / ( 1500.0 * 1500.0 ) );
		squares += error * error / 300;
		rough += pow( ground.z - formula, 2 ) / 300;
	}
	assert_near( sqrt( squares ), 0.5, 0.15 ); // the altimeter's noise; of 300 readings 0.5 +- 0.02
	assert_true( sqrt( rough ) > 2 && sqrt( rough ) < 12 ); // 6 m, of one short line
	ds_world_destroy( world );
}

// It stands on its feet, as steep as the ground under it.
static void probe_stands_on_the_flank( void **state )
{
	(void)state;
	const char *overrides[] = { "bodies.auv.mesh.faces=400", "bodies.probe/lander.pose.position=[3,503,1557]" };
	ds_world *world = world_of( SEAMOUNT, overrides, 2 );
	run_to( world, 24 );
	ds_vec3 start = motion_of( world, "probe/lander" ).pose.position;
	run_to( world, 25 );
	ds_body_motion m = motion_of( world, "probe/lander" );
	ds_ground_point ground;
	OK( ds_ground_at( world, m.pose.position.x, m.pose.position.y, &ground ) );
	ds_vec3 up = ds_rotate( m.pose.attitude, ds_v3( 0, 0, -1 ) );
	assert_small( ds_length( ds_sub( m.pose.position, start ) ), 2e-3 );
	assert_true( ground.normal.z > -cos( 5 * DEGREE ) ); // steep
	assert_small( ds_length( ds_sub( up, ground.normal ) ), 1 * DEGREE );
	ds_contact feet_of_it = contact_of( world, "probe/contact" );
	assert_near( -feet_of_it.normal[2] - feet_of_it.shear[2], ( 460 - 0.401738 * 1030 ) * 9.80665, 0.03 );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( lander_sinks_as_its_energy_says ),
		cmocka_unit_test( wheel_pulls_as_the_sum_over_its_rim ),
		cmocka_unit_test( traction_is_resistance ),
		cmocka_unit_test( crawler_stands_on_the_slope ),
		cmocka_unit_test( soundings_are_the_mountain ),
		cmocka_unit_test( probe_stands_on_the_flank ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
