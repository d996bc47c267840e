// Acoustic positioning in worlds: fixes come as late as sound is slow, are of where the vehicle was, are not had through walls, go on
// after a restore, and hold a lander's position on its way to 4000 m.

#include "../unit/world_kit.h"

#include <math.h>

static ds_world *load( const char *text, const char *const *overrides, int count )
{
	ds_scenario *scenario;
	OK( ds_scenario_parse( text, "acoustic", NULL, overrides, count, NULL, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_scenario_release( scenario );
	return world;
}

static ds_id find( const ds_world *world, ds_kind kind, const char *name )
{
	ds_id id;
	OK( ds_world_find( world, kind, name, &id ) );
	return id;
}

static ds_vec3 get( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

// A lander that drifts with a current while it falls at about 1.4 m/s.
static const char descent[] =
	"{ \"deepsim\": 1, \"name\": \"descent\", \"duration\": 3000, \"rate\": 20, \"seed\": 11,"
	"  \"environment\": { \"water\": { \"density\": { \"model\": \"teos10\" } },"
	"    \"currents\": [ { \"model\": \"uniform\", \"velocity\": [0.12, -0.05, 0] } ],"
	"    \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 4000 } } },"
	"  \"bodies\": [ { \"name\": \"lander\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.5, \"faces\": 320 },"
	"    \"mass\": 640, \"cg\": [0, 0, 0.1], \"pose\": { \"position\": [0, 0, 5] },"
	"    \"hydrodynamics\": { \"form_drag\": 0.9, \"added_mass\": \"ellipsoid\" } } ],"
	"  \"sensors\": ["
	"    { \"name\": \"fix\", \"type\": \"usbl\", \"body\": \"lander\", \"rate\": 0.5, \"mount\": { \"position\": [0, "
	"0, -0.5] },"
	"      \"config\": { \"position\": [150, 80, 3], \"range_noise\": 0.3, \"angle_noise_deg\": 0.1 } },"
	"    { \"name\": \"net\", \"type\": \"lbl\", \"body\": \"lander\", \"rate\": 0.5, \"mount\": { \"position\": [0, "
	"0, -0.5] },"
	"      \"config\": { \"beacons\": [ { \"position\": [1500, 1200, 3990] }, { \"position\": [-1400, 1300, 3990] },"
	"        { \"position\": [-1200, -1500, 3990] }, { \"position\": [1600, -1100, 3990] } ], \"range_noise\": 0.2,"
	"        \"depth_noise\": 0.5 } },"
	"    { \"name\": \"truth\", \"type\": \"odometry\", \"body\": \"lander\", \"rate\": 0.5, \"mount\": { "
	"\"position\": [0, 0, -0.5] },"
	"      \"queue\": 5000 } ] }";

// Without noise a fix is where the mount was at its time; it comes at the first sample after sound has gone up and come down, once.
static void test_latency( void **state )
{
	(void)state;
	static const char *const quiet[] = { "sensors.fix.config.range_noise=0", "sensors.fix.config.angle_noise_deg=0",
		"sensors.fix.rate=4", "sensors.truth.rate=4", "sensors.net.config.range_noise=0",
		"sensors.net.config.depth_noise=0", "sensors.net.rate=4", "bodies.lander.pose.position=[0,0,2000]",
		"sensors.fix.queue=400", "sensors.net.queue=400" };
	ds_world *world = load( descent, quiet, 10 );
	ds_id fix = find( world, DS_SENSOR, "fix" ), net = find( world, DS_SENSOR, "net" );
	ds_id truth = find( world, DS_SENSOR, "truth" );
	OK( ds_world_step( world, 20 * 60 ) );
	static ds_odometry was[400];
	for ( int i = 0; i < 240; ++i )
	{
		OK( ds_sensor_next( world, truth, NULL, was + i, sizeof( *was ) ) );
	}
	int fixes = 0, positions = 0;
	double last = -1, last_net = -1;
	for ( int i = 0; i < 240; ++i )
	{
		ds_usbl u;
		ds_lbl l;
		ds_sample_header header;
		OK( ds_sensor_next( world, fix, &header, &u, sizeof( u ) ) );
		OK( ds_sensor_next( world, net, NULL, &l, sizeof( l ) ) );
		double now = 1e-9 * (double)header.time;
		if ( u.valid )
		{
			NEAR3( get( u.position ), get( was[(int)lround( 4 * u.time )].position ), 1e-6 );
			NEAR( u.age, now - u.time, 1e-9 );
			assert_true( u.age >= u.travel_time - 1e-6 && u.age < u.travel_time + 0.25 );
			NEAR( u.travel_time, 2 * u.range / 1490, 0.03 );
			assert_true( u.time > last );
			last = u.time;
			++fixes;
		}
		else
		{
			NEAR( u.range, 0, 0 );
			NEAR( u.time, 0, 0 );
		}
		if ( l.valid )
		{
			NEAR3( get( l.position ), get( was[(int)lround( 4 * l.time )].position ), 1e-5 );
			assert_true( l.count == 4 && l.age > 1.2 && l.age < 2.5 && l.time > last_net );
			last_net = l.time;
			++positions;
		}
	}
	// all but those on their way: 2.7 s there and back, 1.9 s from the farthest beacon
	assert_in_range( fixes, 225, 230 );
	assert_in_range( positions, 230, 236 );
	ds_world_destroy( world );
}

// A vehicle that comes up from 3000 m: fixes are on their way for 4 s below and for no time above, and none waits behind older ones.
static void test_ascent( void **state )
{
	(void)state;
	static const char *const rise[] = {
		"bodies.lander.pose.position=[0,0,3000]", "bodies.lander.mass=330",
		"bodies.lander.hydrodynamics.form_drag=0.02", "sensors.fix.rate=4", "sensors.net.rate=4",
		"sensors.fix.config.position=[0,0,1]", "sensors.net.config.maximum=3500",
		"sensors.net.config.beacons=[{\"position\":[300,0,5]},{\"position\":[-150,260,5]},{\"position\":[-150,-260,5]}]"
	};
	ds_world *world = load( descent, rise, 8 );
	ds_id fix = find( world, DS_SENSOR, "fix" ), net = find( world, DS_SENSOR, "net" ),
		  truth = find( world, DS_SENSOR, "truth" );
	ds_odometry o = { .position = { 0, 0, 3000 } };
	int fixes = 0, positions = 0;
	for ( int i = 0; i < 20 * 1000 && o.position[2] > 60; ++i )
	{
		ds_usbl u;
		ds_lbl l;
		OK( ds_world_step( world, 1 ) );
		ds_status status = ds_sensor_next( world, fix, NULL, &u, sizeof( u ) );
		if ( status == DS_OK && u.valid )
		{
			assert_true( u.age >= u.travel_time - 0.005 && u.age < u.travel_time + 0.256 ); // noise of the range
			++fixes;
		}
		status = ds_sensor_next( world, net, NULL, &l, sizeof( l ) );
		if ( status == DS_OK && l.valid )
		{
			double farthest = fmax( l.ranges[0], fmax( l.ranges[1], l.ranges[2] ) ) / 1400;
			assert_true( l.age < farthest + 0.251 );
			++positions;
		}
		ds_sensor_latest( world, truth, NULL, &o, sizeof( o ) );
	}
	assert_true( o.position[2] <= 60 && fixes > 100 && positions > 100 );
	ds_world_destroy( world );
}

// What stands between transceiver and vehicle, and what is out of the water, is not heard through.
static const char blocked[] =
	"{ \"deepsim\": 1, \"name\": \"blocked\", \"duration\": 100, \"rate\": 10, \"seed\": 1,"
	"  \"environment\": { \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 200 } } },"
	"  \"bodies\": [ { \"name\": \"auv\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.5 }, \"mass\": 500, "
	"\"fixed\": true,"
	"      \"pose\": { \"position\": [0, 0, 100] } },"
	"    { \"name\": \"wall\", \"mesh\": { \"make\": \"box\", \"size\": [10, 10, 1] }, \"mass\": 500, \"fixed\": true,"
	"      \"pose\": { \"position\": [0, 0, 50] } } ],"
	"  \"sensors\": [ { \"name\": \"fix\", \"type\": \"usbl\", \"body\": \"auv\", \"rate\": 1, \"config\": { "
	"\"maximum\": 150 } },"
	"    { \"name\": \"net\", \"type\": \"lbl\", \"body\": \"auv\", \"rate\": 1, \"config\": { \"beacons\": ["
	"      { \"position\": [0, 0, 1] }, { \"position\": [80, 0, 199.5] }, { \"position\": [-50, 70, 199.5] },"
	"      { \"position\": [-50, -70, 199.5] } ] } } ] }";

static void look( const char *const *overrides, int count, bool fixed, int64_t ranges )
{
	ds_world *world = load( blocked, overrides, count );
	OK( ds_world_step( world, 50 ) );
	ds_usbl u;
	ds_lbl l;
	OK( ds_sensor_latest( world, find( world, DS_SENSOR, "fix" ), NULL, &u, sizeof( u ) ) );
	OK( ds_sensor_latest( world, find( world, DS_SENSOR, "net" ), NULL, &l, sizeof( l ) ) );
	assert_int_equal( u.valid, fixed );
	assert_int_equal( l.count, ranges );
	assert_int_equal( l.valid, ranges >= 3 );
	ds_world_destroy( world );
}

static void test_line_of_sight( void **state )
{
	(void)state;
	static const char *const aside[] = { "bodies.wall.pose.position=[40,0,50]" };
	static const char *const far[] = { "bodies.wall.pose.position=[40,0,50]", "bodies.auv.pose.position=[149,0,30]" };
	static const char *const dry[] = { "bodies.wall.pose.position=[40,0,50]", "bodies.auv.pose.position=[0,0,-1]" };
	static const char *const aloft[] = { "bodies.wall.pose.position=[40,0,50]",
		"sensors.fix.config.position=[0,0,-3]" };
	static const char *const below[] = { "bodies.wall.pose.position=[40,0,50]", "sensors.fix.config.position=[0,0,230]",
		"sensors.net.config.beacons=[{\"position\":[0,0,230]},{\"position\":[9,0,230]},{\"position\":[0,9,230]}]" };
	look( NULL, 0, false, 3 );
	look( aside, 1, true, 4 );
	look( far, 2, false, 4 );
	look( dry, 2, false, 0 );
	look( aloft, 2, false, 4 );
	look( below, 3, false, 0 ); // under the seabed
}

// Fixes that are on their way go with a snapshot, and arrive as they would have.
static void test_snapshot( void **state )
{
	(void)state;
	static const char *const rough[] = { "bodies.lander.pose.position=[0,0,3000]", "sensors.fix.rate=3",
		"sensors.fix.config.outlier_rate=0.2", "sensors.fix.config.dropout=0.2", "sensors.net.config.survey=[3,3,2]",
		"sensors.net.rate=4", "sensors.net.config.gate=5" };
	ds_world *world = load( descent, rough, 7 );
	ds_id sensors[2] = { find( world, DS_SENSOR, "fix" ), find( world, DS_SENSOR, "net" ) };
	OK( ds_world_step( world, 20 * 15 ) );
	size_t size = ds_world_save_size( world );
	void *bytes = malloc( size );
	OK( ds_world_save( world, bytes, size ) );
	ds_world *copy;
	OK( ds_world_clone( world, &copy ) );
	static ds_usbl u[3][200];
	static ds_lbl l[3][200];
	int valid = 0;
	for ( int run = 0; run < 3; ++run )
	{
		ds_world *w = run == 1 ? copy : world;
		if ( run == 2 )
		{
			OK( ds_world_restore( world, bytes, size ) );
		}
		for ( int i = 0; i < 200; ++i )
		{
			OK( ds_world_step( w, 3 ) );
			memset( &u[run][i], 0, sizeof( ds_usbl ) );
			memset( &l[run][i], 0, sizeof( ds_lbl ) );
			OK( ds_sensor_latest( w, sensors[0], NULL, &u[run][i], sizeof( ds_usbl ) ) );
			OK( ds_sensor_latest( w, sensors[1], NULL, &l[run][i], sizeof( ds_lbl ) ) );
			valid += u[run][i].valid && l[run][i].valid;
		}
	}
	assert_true( valid > 100 );
	for ( int run = 1; run < 3; ++run )
	{
		assert_memory_equal( u[run], u[0], sizeof( u[0] ) );
		assert_memory_equal( l[run], l[0], sizeof( l[0] ) );
	}
	free( bytes );
	ds_world_destroy( world );
	ds_world_destroy( copy );
}

// ---- a descent -------------------------------------------------------------------------------------------------------

// A filter for one axis: position and velocity, which wanders by `walk` [m/s/sqrt(s)].
typedef struct filter
{
	double time, x, v, p[3]; // p: variances of x, of both, of v
} filter;

static void predict( filter *f, double time, double walk )
{
	double t = time - f->time, q = walk * walk;
	f->x += f->v * t;
	f->p[0] += t * ( 2 * f->p[1] + t * f->p[2] ) + q * t * t * t / 3;
	f->p[1] += t * f->p[2] + q * t * t / 2;
	f->p[2] += q * t;
	f->time = time;
}

static void correct( filter *f, double z, double variance )
{
	double s = f->p[0] + variance, k0 = f->p[0] / s, k1 = f->p[1] / s, miss = z - f->x;
	f->x += k0 * miss;
	f->v += k1 * miss;
	f->p[2] -= k1 * f->p[1];
	f->p[1] *= 1 - k0;
	f->p[0] *= 1 - k0;
}

// A lander that believes in a straight fall ends hundreds of metres off. Fixes, taken at their time of validity with their own
// covariance, hold it to metres all the way down, as far as they say themselves.
static void test_descent( void **state )
{
	(void)state;
	ds_world *world = load( descent, NULL, 0 );
	ds_id fix = find( world, DS_SENSOR, "fix" ), net = find( world, DS_SENSOR, "net" );
	ds_id body = find( world, DS_BODY, "lander" );
	filter usbl[2] = { { 0, 0, 0, { 100, 0, 0.25 } }, { 0, 0, 0, { 100, 0, 0.25 } } };
	filter lbl[2] = { usbl[0], usbl[1] };
	double worst[2] = { 0, 0 }, chi[2] = { 0, 0 }, drift = 0, depth = 0;
	int64_t count[2] = { 0, 0 }, seconds = 0;
	while ( depth < 3990 && seconds < 3600 )
	{
		OK( ds_world_step( world, 40 ) );
		seconds += 2;
		ds_usbl u;
		ds_lbl l;
		OK( ds_sensor_latest( world, fix, NULL, &u, sizeof( u ) ) );
		OK( ds_sensor_latest( world, net, NULL, &l, sizeof( l ) ) );
		ds_body_motion m = kit_motion( world, body );
		depth = m.depth;
		drift = hypot( m.pose.position.x, m.pose.position.y );
		double aided[2] = { 0, 0 };
		for ( int a = 0; a < 2; ++a )
		{
			double true_x = a == 0 ? m.pose.position.x : m.pose.position.y;
			if ( u.valid && u.time > usbl[a].time )
			{
				predict( usbl + a, u.time, 0.002 );
				correct( usbl + a, u.position[a], u.covariance[4 * a] );
			}
			if ( l.valid && l.time > lbl[a].time )
			{
				predict( lbl + a, l.time, 0.002 );
				correct( lbl + a, l.position[a], l.covariance[4 * a] );
			}
			// now: where the last fix and the velocity lead to
			filter now = usbl[a], net_now = lbl[a];
			predict( &now, (double)seconds, 0.002 );
			predict( &net_now, (double)seconds, 0.002 );
			aided[0] = hypot( aided[0], now.x - true_x );
			aided[1] = hypot( aided[1], net_now.x - true_x );
			if ( seconds > 300 && seconds % 60 == 0 )
			{
				chi[0] += ( now.x - true_x ) * ( now.x - true_x ) / now.p[0];
				chi[1] += ( net_now.x - true_x ) * ( net_now.x - true_x ) / net_now.p[0];
				++count[0];
				++count[1];
			}
		}
		if ( seconds > 300 )
		{
			worst[0] = fmax( worst[0], aided[0] );
			worst[1] = fmax( worst[1], aided[1] );
		}
	}
	print_message(
		"[   INFO   ] %.0f m after %d s: drifted %.0f m; held to %.1f m by usbl, %.2f m by lbl; chi2 %.2f, %.2f\n",
		depth, (int)seconds, drift, worst[0], worst[1], chi[0] / (double)count[0], chi[1] / (double)count[1] );
	assert_true( depth > 3900 && drift > 200 );
	assert_true( worst[0] < 8 && worst[1] < 1 );
	// errors are as large as the filters believe
	assert_true( chi[0] / (double)count[0] < 3 && chi[1] / (double)count[1] < 3 );
	ds_world_destroy( world );
}

// One that takes 1520 m/s for granted is off by what the profile makes of it: known beforehand from the column.
static void test_wrong_sound_speed( void **state )
{
	(void)state;
	static const char *const taken[] = { "bodies.lander.pose.position=[0,0,3900]",
		"sensors.fix.config.sound_speed=1520", "sensors.fix.config.range_noise=0",
		"sensors.fix.config.angle_noise_deg=0", "sensors.fix.config.position=[0,0,3]", "environment.currents=[]" };
	ds_world *world = load( descent, taken, 6 );
	OK( ds_world_step( world, 20 * 20 ) );
	ds_usbl u;
	OK( ds_sensor_latest( world, find( world, DS_SENSOR, "fix" ), NULL, &u, sizeof( u ) ) );
	assert_true( u.valid );
	// straight up: the integral of slowness, by Simpson's rule over a thousand layers
	double bottom = 0, slowness = 0;
	ds_body_motion m = kit_motion( world, find( world, DS_BODY, "lander" ) );
	bottom = m.depth - 0.5 - u.age * m.velocity_world.linear.z;
	for ( int i = 0; i <= 1000; ++i )
	{
		ds_water water;
		OK( ds_water_at( world, ds_v3( 0, 0, 3 + ( bottom - 3 ) * i / 1000 ), &water ) );
		slowness += ( i == 0 || i == 1000 ? 1 : i % 2 ? 4 : 2 ) / water.sound_speed * ( bottom - 3 ) / 3000;
	}
	NEAR( u.travel_time, 2 * slowness, 1e-4 );
	NEAR( u.range, 1520 * slowness, 0.1 );
	assert_true( fabs( u.range - ( bottom - 3 ) ) > 20 );
	ds_world_destroy( world );
}

static void test_bad_options( void **state )
{
	(void)state;
	static const char *const few[] = { "sensors.net.config.beacons=[{\"position\":[0,0,5]}]" };
	static const char *const negative[] = { "sensors.fix.config.range_noise=-1" };
	ds_scenario *scenario;
	FAILS( ds_scenario_parse( descent, "acoustic", NULL, few, 1, NULL, &scenario ), DS_ERROR_RANGE,
		"beacons: expected 3 to 8, got 1" );
	FAILS(
		ds_scenario_parse( descent, "acoustic", NULL, negative, 1, NULL, &scenario ), DS_ERROR_RANGE, "range_noise" );
	ds_world *world = kit_world( 10, NULL );
	ds_body_def def = kit_point( "b", 1, 1, 1, 1 );
	ds_id body, id;
	OK( ds_body_create( world, &def, &body ) );
	ds_sensor_def sensor = ds_sensor_def_default();
	snprintf( sensor.name, sizeof( sensor.name ), "net" );
	snprintf( sensor.type, sizeof( sensor.type ), "lbl" );
	sensor.body = body;
	FAILS( ds_sensor_create( world, &sensor, &id ), DS_ERROR_RANGE, "expected 3 to 8, got 0" );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_latency ),
		cmocka_unit_test( test_ascent ),
		cmocka_unit_test( test_line_of_sight ),
		cmocka_unit_test( test_snapshot ),
		cmocka_unit_test( test_descent ),
		cmocka_unit_test( test_wrong_sound_speed ),
		cmocka_unit_test( test_bad_options ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
