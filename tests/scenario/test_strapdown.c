// Navigation closes: a strapdown mechanisation fed with what a perfect inertial unit sees at 200 Hz follows ten violent minutes,
// on the turning Earth with gravity by latitude, in vacuum and in water.
//
// The mechanisation is a navigator's, and shares no code with the library: quaternions as four numbers, local north-east-down
// axes that turn with the Earth. Savage, "Strapdown inertial navigation integration algorithm design", parts 1 and 2, J. Guidance
// Control Dynamics 21 (1998); Groves, "Principles of GNSS, inertial, and multisensor integrated navigation systems", 2nd ed., ch. 5.

#include "../unit/world_kit.h"

#include <math.h>

#define MINUTES    10
#define RATE       200.0 // of the unit [Hz]
#define EARTH_RATE 7.292115e-5 // [rad/s], WGS-84
#define LATITUDE   0.75 // [rad]

// ---- a perfect inertial unit, and what throws it about ----------------------------------------------------------------

typedef struct record
{
	double angle[3], push[3], interval;
	double position[3], velocity[3], attitude[4]; // truth
} record;

static const ds_field record_fields[] = {
	DS_F64( record, angle, "rad", NULL, 0, 0, "delta angle" ),
	DS_F64( record, push, "m/s", NULL, 0, 0, "delta velocity" ),
	DS_F64( record, interval, "s", NULL, 0, 0, "since the last sample" ),
	DS_F64( record, position, "m", NULL, 0, 0, "of the mount" ),
	DS_F64( record, velocity, "m/s", NULL, 0, 0, "of the mount" ),
	DS_F64( record, attitude, "", NULL, 0, 0, "of the mount" ),
};
static const ds_table record_table = DS_TABLE( "perfect", "What a perfect unit sees", record, record_fields );

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	*model = NULL;
	return DS_OK;
}

static void put( double out[3], ds_vec3 v )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	record *r = output;
	put( r->angle, context->delta_angle );
	put( r->push, context->delta_velocity );
	r->interval = context->interval;
	put( r->position, context->pose.position );
	put( r->velocity, context->velocity );
	const double q[4] = { context->pose.attitude.w, context->pose.attitude.x, context->pose.attitude.y,
		context->pose.attitude.z };
	memcpy( r->attitude, q, sizeof( q ) );
	return DS_OK;
}

static const ds_type perfect = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "perfect",
	.doc = "a perfect inertial unit",
	.output = &record_table,
	.create = create,
	.sample = sample,
};

#define MASS 200.0

// Turns it about all axes at rad/s, pushes it with several g along its own axes, and keeps it near 1000 m.
static ds_status thrash( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	double t = 1e-9 * (double)context->time;
	ds_vec3 wanted = ds_v3( 2.5 * sin( 1.7 * t ) + 1.5 * sin( 9.1 * t ), 2 * cos( 1.3 * t + 1 ) + sin( 13 * t ),
		1.5 + 2 * sin( 0.9 * t + 2 ) );
	ds_vec3 error = ds_sub( wanted, context->rate );
	effort->wrench.torque = ds_v3( 600 * error.x, 900 * error.y, 1200 * error.z );
	ds_vec3 own = ds_v3( 40 * sin( 3.1 * t ), 30 * cos( 5.3 * t ), 35 * sin( 2.3 * t + 1 ) ); // [m/s2]
	ds_vec3 home = ds_sub( ds_v3( 0, 0, 1000 ), context->pose.position );
	ds_vec3 hold = ds_sub( ds_scale( 0.01, home ), ds_scale( 0.05, context->velocity ) );
	if ( !context->water.present )
	{
		hold.z -= context->gravity;
	}
	effort->wrench.force = ds_scale( MASS, ds_add( own, ds_unrotate( context->pose.attitude, hold ) ) );
	return DS_OK;
}

static const ds_type thrasher = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_FORCE,
	.name = "thrash",
	.doc = "throws a body about",
	.create = create,
	.effort = thrash,
};

static ds_world *make_world( bool water, double rate, ds_id *unit )
{
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &perfect ) );
	OK( ds_registry_add( registry, &thrasher ) );
	ds_environment_def e = ds_environment_def_default();
	e.water = water ? e.water : DS_WATER_NONE;
	e.earth_rotation = true;
	e.gravity_by_latitude = true;
	e.latitude = LATITUDE;
	ds_world_def def = ds_world_def_default();
	def.rate = rate;
	def.environment = &e;
	def.registry = registry;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_registry_release( registry );

	ds_mesh *mesh = kit_box( 0.8, 0.6, 0.4 );
	ds_body_def body = water ? kit_hull( "body", mesh, MASS ) : kit_point( "body", MASS, 10, 16, 21 );
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = 10;
	body.inertia_diagonal[1] = 16;
	body.inertia_diagonal[2] = 21;
	body.hydrodynamics.drag = water;
	body.hydrodynamics.added_mass_kind = water ? DS_ADDED_MASS_ELLIPSOID : DS_ADDED_MASS_NONE;
	body.cg[0] = 0.05;
	body.cg[2] = 0.02;
	body.pose = ( ds_pose ){ ds_v3( 0, 0, 1000 ), ds_quat_from_rpy( ds_v3( 0.3, -0.5, 2 ) ) };
	ds_id id, force;
	OK( ds_body_create( world, &body, &id ) );
	ds_mesh_release( mesh );
	ds_actuator_def a = ds_actuator_def_default();
	snprintf( a.name, sizeof( a.name ), "thrash" );
	snprintf( a.type, sizeof( a.type ), "thrash" );
	a.body = id;
	OK( ds_force_create( world, &a, &force ) );
	ds_sensor_def s = ds_sensor_def_default();
	snprintf( s.name, sizeof( s.name ), "unit" );
	snprintf( s.type, sizeof( s.type ), "perfect" );
	s.body = id;
	s.rate = RATE;
	s.mount = ( ds_pose ){ ds_v3( 0.3, -0.2, 0.15 ), ds_quat_from_rpy( ds_v3( 0.7, 0.4, -1.1 ) ) };
	OK( ds_sensor_create( world, &s, unit ) );
	return world;
}

// ---- the navigator ---------------------------------------------------------------------------------------------------

typedef struct navigator
{
	double q[4], v[3], p[3]; // mount to NED; velocity over the Earth; position
	double omega[3], g; // what it believes of the Earth
	bool coriolis;
} navigator;

static void cross( const double a[3], const double b[3], double c[3] )
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

static void multiply( const double a[4], const double b[4], double c[4] )
{
	c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
	c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
	c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
	c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// Quaternion of a rotation vector.
static void turn_by( const double r[3], double q[4] )
{
	double a = sqrt( r[0] * r[0] + r[1] * r[1] + r[2] * r[2] ), k = a > 1e-8 ? sin( 0.5 * a ) / a : 0.5;
	q[0] = cos( 0.5 * a );
	for ( int i = 0; i < 3; ++i )
	{
		q[i + 1] = k * r[i];
	}
}

// q v q*
static void to_ned( const double q[4], const double v[3], double out[3] )
{
	const double pure[4] = { 0, v[0], v[1], v[2] }, back[4] = { q[0], -q[1], -q[2], -q[3] };
	double half[4], whole[4];
	multiply( q, pure, half );
	multiply( half, back, whole );
	memcpy( out, whole + 1, 3 * sizeof( double ) );
}

static void begin( navigator *n, const record *r )
{
	memset( n, 0, sizeof( *n ) );
	memcpy( n->q, r->attitude, sizeof( n->q ) );
	memcpy( n->v, r->velocity, sizeof( n->v ) );
	memcpy( n->p, r->position, sizeof( n->p ) );
	n->omega[0] = EARTH_RATE * cos( LATITUDE );
	n->omega[2] = -EARTH_RATE * sin( LATITUDE );
	double s = sin( LATITUDE ) * sin( LATITUDE );
	n->g = 9.7803253359 * ( 1 + 0.00193185265241 * s ) / sqrt( 1 - 0.00669437999014 * s ); // WGS-84
	n->coriolis = true;
}

static void update( navigator *n, const record *r )
{
	const double *a = r->angle, *d = r->push, t = r->interval;
	double x2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], x = sqrt( x2 );
	double k1 = x > 1e-4 ? ( 1 - cos( x ) ) / x2 : 0.5, k2 = x > 1e-3 ? ( x - sin( x ) ) / ( x * x2 ) : 1.0 / 6;

	// the velocity change in the axes at the start: Groves (5.84)
	double once[3], twice[3], mean[3], push[3], turned[3];
	cross( a, d, once );
	cross( a, once, twice );
	for ( int i = 0; i < 3; ++i )
	{
		mean[i] = d[i] + k1 * once[i] + k2 * twice[i];
	}
	to_ned( n->q, mean, push );

	// the NED axes turn beneath it: half of their turn in the interval
	const double earth[3] = { n->omega[0] * t, n->omega[1] * t, n->omega[2] * t };
	cross( earth, push, turned );
	double v[3] = { n->v[0], n->v[1], n->v[2] };
	for ( int pass = 0; pass < 3; ++pass )
	{
		// Coriolis acceleration of the mean velocity
		const double middle[3] = { 0.5 * ( n->v[0] + v[0] ), 0.5 * ( n->v[1] + v[1] ), 0.5 * ( n->v[2] + v[2] ) };
		double sideways[3];
		cross( n->omega, middle, sideways );
		for ( int i = 0; i < 3; ++i )
		{
			v[i] = n->v[i] + push[i] - 0.5 * turned[i] + ( i == 2 ? n->g * t : 0 ) -
				   ( n->coriolis ? 2 * t * sideways[i] : 0 );
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		n->p[i] += 0.5 * t * ( n->v[i] + v[i] );
		n->v[i] = v[i];
	}

	// attitude: the Earth's turn off the left, the unit's onto the right
	const double back[3] = { -earth[0], -earth[1], -earth[2] };
	double own[4], ned[4], half[4];
	turn_by( a, own );
	turn_by( back, ned );
	multiply( n->q, own, half );
	multiply( ned, half, n->q );
}

static double distance( const double a[3], const double b[3] )
{
	return sqrt(
		( a[0] - b[0] ) * ( a[0] - b[0] ) + ( a[1] - b[1] ) * ( a[1] - b[1] ) + ( a[2] - b[2] ) * ( a[2] - b[2] ) );
}

// ---- missions ----------------------------------------------------------------------------------------------------

enum
{
	TRUE_NAVIGATOR, // and those that leave something out:
	NO_EARTH_RATE, // in the attitude
	NO_CORIOLIS,
	WRONG_GRAVITY,
	NAVIGATORS
};

static void mission( bool water, double rate )
{
	ds_id unit;
	ds_world *world = make_world( water, rate, &unit );
	navigator n[NAVIGATORS];
	record r;
	OK( ds_world_step( world, 0 ) );
	OK( ds_sensor_next( world, unit, NULL, &r, sizeof( r ) ) );
	for ( int i = 0; i < NAVIGATORS; ++i )
	{
		begin( n + i, &r );
	}
	n[NO_CORIOLIS].coriolis = false;
	n[WRONG_GRAVITY].g = 9.81;
	double farthest = 0, force = 0, turn[3] = { 0, 0, 0 }, worst = 0, fastest = 0;
	const int count = (int)( MINUTES * 60 * RATE );
	for ( int k = 0; k < count; ++k )
	{
		OK( ds_world_step( world, (int64_t)( rate / RATE ) ) );
		OK( ds_sensor_next( world, unit, NULL, &r, sizeof( r ) ) );
		for ( int i = 0; i < NAVIGATORS; ++i )
		{
			update( n + i, &r );
		}
		// a navigator that takes the gyroscopes' turn for one over the Earth
		const double earth[3] = { EARTH_RATE * cos( LATITUDE ) / RATE, 0, -EARTH_RATE * sin( LATITUDE ) / RATE };
		double extra[4], attitude[4];
		turn_by( earth, extra );
		multiply( extra, n[NO_EARTH_RATE].q, attitude );
		memcpy( n[NO_EARTH_RATE].q, attitude, sizeof( attitude ) );

		worst = fmax( worst, distance( n[0].p, r.position ) );
		const double zero[3] = { 0, 0, 0 };
		farthest = fmax( farthest, fabs( r.position[0] ) );
		fastest = fmax( fastest, distance( r.velocity, zero ) );
		force = fmax( force, RATE * distance( r.push, zero ) );
		for ( int i = 0; i < 3; ++i )
		{
			turn[i] = fmax( turn[i], RATE * fabs( r.angle[i] ) );
		}
	}
	ds_world_destroy( world );
	const double back[4] = { r.attitude[0], -r.attitude[1], -r.attitude[2], -r.attitude[3] }, none[3] = { 0, 0, 0 };
	double error[4];
	multiply( back, n[0].q, error );
	double angle = 2 * distance( error + 1, none );
	print_message(
		"[   INFO   ] %s, %g Hz: %.2g m off at most, %.1g rad; up to %.0f m/s2, %.1f %.1f %.1f rad/s, %.0f m/s, "
		"%.0f m; without Earth rate %.0f m, without Coriolis %.0f m, at 9.81 m/s2 %.0f m\n",
		water ? "water" : "vacuum", rate, worst, angle, force, turn[0], turn[1], turn[2], fastest, farthest,
		distance( n[NO_EARTH_RATE].p, r.position ), distance( n[NO_CORIOLIS].p, r.position ),
		distance( n[WRONG_GRAVITY].p, r.position ) );

	// violent enough to mean something
	assert_true( force > 30 && turn[0] > 1 && turn[1] > 1 && turn[2] > 1 );
	assert_true( worst < 0.1 );
	assert_true( distance( n[0].v, r.velocity ) < 1e-3 );
	assert_true( angle < 1e-9 );
	// and a navigator that leaves something out is lost
	assert_true( distance( n[NO_EARTH_RATE].p, r.position ) > 10 );
	assert_true( distance( n[NO_CORIOLIS].p, r.position ) > 0.5 );
	assert_true( distance( n[WRONG_GRAVITY].p, r.position ) > 10 );
}

static void test_vacuum( void **state )
{
	(void)state;
	mission( false, 200 );
}

static void test_vacuum_fine( void **state )
{
	(void)state;
	mission( false, 1000 );
}

static void test_water( void **state )
{
	(void)state;
	mission( true, 200 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_vacuum ),
		cmocka_unit_test( test_vacuum_fine ),
		cmocka_unit_test( test_water ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
