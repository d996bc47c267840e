// Earth rotation, and water that moves: what a body does relative to the water does not depend on how fast the water flows, nor,
// for a neutral body, on how it is sped up.

#include "../unit/sea_kit.h"

#define OMEGA 7.292115e-5 // rad/s (WGS-84, NIMA TR8350.2)
#define RHO   1025.0

// ---- Earth rotation ------------------------------------------------------------------------------------------------

// A sensor of what an accelerometer would be told.
typedef struct felt
{
	double specific_force[3], delta_velocity[3], interval;
} felt;

static ds_status feel( const void *model, void *state, ds_context *c, void *output )
{
	(void)model;
	(void)state;
	*(felt *)output = ( felt ){ { c->specific_force.x, c->specific_force.y, c->specific_force.z },
		{ c->delta_velocity.x, c->delta_velocity.y, c->delta_velocity.z }, c->interval };
	return DS_OK;
}

static ds_status make_nothing( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	*model = NULL;
	return DS_OK;
}

static void destroy_nothing( void *model )
{
	(void)model;
}

#define FELT( member_, count_, doc_ )                                                                                  \
	{                                                                                                                  \
#member_, DS_FIELD_F64, 0, offsetof( felt, member_ ), count_, 0, "", NULL, 0, 0, doc_, NULL, NULL, 0,          \
			DS_ELEMENT_NONE                                                                                            \
	}
static const ds_field felt_fields[] = { FELT( specific_force, 3, "m/s2" ), FELT( delta_velocity, 3, "m/s" ),
	FELT( interval, 1, "s" ) };
static const ds_table felt_table = { "felt", "what it felt", sizeof( felt ), felt_fields, 3, NULL, NULL, 0 };
static const ds_type feeler = { DS_ABI_VERSION, sizeof( ds_type ), DS_SENSOR, "feeler", "feels forces", NULL,
	&felt_table, make_nothing, destroy_nothing, NULL, NULL, feel, NULL };

static ds_world *vacuum_world( double latitude, double rate, ds_registry *registry )
{
	ds_environment_def e = kit_vacuum( 0 );
	e.earth_rotation = true;
	e.latitude = latitude * DS_PI / 180;
	ds_world_def def = ds_world_def_default();
	def.environment = &e;
	def.rate = rate;
	def.registry = registry;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	return world;
}

// Where a free body is after a time: its velocity turns about the Earth's axis at -2 Omega.
static ds_vec3 free_path( double latitude, ds_vec3 v, double t )
{
	double a = latitude * DS_PI / 180, w = 2 * OMEGA;
	ds_vec3 axis = ds_v3( cos( a ), 0, -sin( a ) );
	ds_vec3 along = ds_scale( ds_dot( axis, v ), axis ), across = ds_sub( v, along ), third = ds_cross( axis, across );
	return ds_add( ds_scale( t, along ),
		ds_add( ds_scale( sin( w * t ) / w, across ), ds_scale( -( 1 - cos( w * t ) ) / w, third ) ) );
}

static void test_free_drift( void **state )
{
	(void)state;
	static const double latitudes[] = { 45, -45, 0, 90, 20 };
	double aside[5];
	for ( int i = 0; i < 5; ++i )
	{
		ds_world *world = vacuum_world( latitudes[i], 20, NULL );
		ds_body_def def = kit_point( "stone", 3, 1, 2, 3 );
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, -0.4, 2 ) );
		def.velocity.linear = ds_v3( 1, 0, 0 );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, 20000 ) );
		ds_body_motion m = kit_motion( world, id );
		NEAR3( m.pose.position, free_path( latitudes[i], def.velocity.linear, 1000 ), 1e-4 );
		NEAR( ds_length( m.velocity_world.linear ), 1, 1e-9 ); // it does no work
		aside[i] = m.pose.position.y;
		ds_world_destroy( world );
	}
	NEAR( aside[0], 51.6, 0.15 ); // to the right in the north; Omega sin( 45 degrees ) v t^2 while it turns little
	NEAR( aside[1], -aside[0], 1e-9 );
	NEAR( aside[2], 0, 1e-9 );
	NEAR( aside[3], OMEGA * 1e6, 0.3 );
}

// An inertial circle at the pole, half a pendulum day: back at the start.
static void test_inertial_circle( void **state )
{
	(void)state;
	ds_world *world = vacuum_world( 90, 2, NULL );
	ds_body_def def = kit_point( "stone", 3, 1, 2, 3 );
	def.velocity.linear = ds_v3( 0, 0.1, 0 );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double radius = 0.1 / ( 2 * OMEGA ), period = DS_PI / OMEGA;
	OK( ds_world_step( world, ds_world_ticks( world, 0.5 * period ) ) );
	NEAR3( kit_motion( world, id ).pose.position, ds_v3( -2 * radius, 0, 0 ), 1e-3 * radius );
	OK( ds_world_step( world, ds_world_ticks( world, 0.5 * period ) ) );
	NEAR3( kit_motion( world, id ).pose.position, ds_v3( 0, 0, 0 ), 1e-3 * radius );
	NEAR( ds_length( kit_motion( world, id ).velocity_world.linear ), 0.1, 1e-9 );
	ds_world_destroy( world );
}

// What falls free feels nothing; what is held to its course feels 2 Omega x v; a push is felt as it is.
static void test_what_is_felt( void **state )
{
	(void)state;
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &feeler ) );
	ds_vec3 v = ds_v3( 300, -200, 40 ), push = ds_v3( 0.3, 0.1, -0.2 );
	double a = 50 * DS_PI / 180;
	ds_vec3 earth = ds_v3( OMEGA * cos( a ), 0, -OMEGA * sin( a ) );
	for ( int held = 0; held < 3; ++held )
	{
		ds_world *world = vacuum_world( 50, 100, registry );
		ds_body_def def = kit_point( "craft", 2, 1, 1, 1 );
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, -0.4, 2 ) );
		def.velocity.linear = v;
		ds_id id, sensor;
		OK( ds_body_create( world, &def, &id ) );
		ds_sensor_def sd = ds_sensor_def_default();
		snprintf( sd.name, sizeof( sd.name ), "feeler" );
		snprintf( sd.type, sizeof( sd.type ), "feeler" );
		sd.body = id;
		sd.mount.position = ds_v3( 0.3, 0.2, 0.1 );
		OK( ds_sensor_create( world, &sd, &sensor ) );
		ds_vec3 coriolis = ds_scale( 2, ds_cross( earth, v ) );
		ds_vec3 force = held == 1 ? ds_scale( 2, coriolis ) : held == 2 ? ds_scale( 2, push ) : ds_v3( 0, 0, 0 );
		ds_vec3 expected = ds_unrotate( def.pose.attitude, held == 1 ? coriolis : held == 2 ? push : ds_v3( 0, 0, 0 ) );
		felt f;
		for ( int i = 0; i < 50; ++i )
		{
			OK( ds_body_apply_wrench_world(
				world, id, ( ds_wrench ){ force, { 0, 0, 0 } }, kit_motion( world, id ).pose.position ) );
			OK( ds_world_step( world, 1 ) );
			OK( ds_sensor_latest( world, sensor, NULL, &f, sizeof( f ) ) );
			ds_vec3 s = ds_v3( f.specific_force[0], f.specific_force[1], f.specific_force[2] );
			ds_vec3 d = ds_v3( f.delta_velocity[0], f.delta_velocity[1], f.delta_velocity[2] );
			// to Omega a dt: the rotation is taken at the half step of what moves free
			NEAR3( s, expected, 3e-7 );
			NEAR3( d, ds_scale( f.interval, expected ), 3e-9 );
		}
		if ( held == 1 )
		{
			NEAR3( kit_motion( world, id ).velocity_world.linear, v, 3e-8 );
		}
		ds_world_destroy( world );
	}
	ds_registry_release( registry );
}

// ---- a uniform current -----------------------------------------------------------------------------------------------

typedef struct craft
{
	const ds_mesh *mesh;
	bool fossen, rotation;
	double extra; // mass above neutral, as a share
} craft;

// A hull that is driven, turning, oblique to the current, in water that moves with `current`.
static ds_world *craft_world( const craft *c, ds_vec3 current, ds_id *id )
{
	ds_environment_def e = ds_environment_def_default();
	ds_current_def flow = ds_current_def_default( DS_CURRENT_UNIFORM );
	flow.velocity[0] = current.x;
	flow.velocity[1] = current.y;
	flow.velocity[2] = current.z;
	e.currents = ( ds_array ){ &flow, 1 };
	e.earth_rotation = c->rotation;
	e.latitude = 0.7;
	ds_world *world = kit_world( 100, &e );
	ds_mesh_properties p = ds_mesh_measure( c->mesh );
	ds_body_def def = ds_body_def_default();
	snprintf( def.name, sizeof( def.name ), "craft" );
	def.mesh = c->mesh;
	def.mass = RHO * p.volume * ( 1 + c->extra );
	// where the water's surface leans (it does in a current on a turning Earth), a centre of buoyancy over that of gravity leans too
	def.cg[2] = c->rotation ? 0 : 0.03;
	def.cg[0] = c->rotation ? 0 : 0.02;
	def.collision = DS_COLLISION_NONE;
	def.hydrodynamics.form_drag[1] = def.hydrodynamics.form_drag[2] = 1.4;
	def.hydrodynamics.lift = 0.5;
	def.hydrodynamics.magnus = 0.3;
	if ( c->extra == 0 )
	{
		def.hydrodynamics.volume_kind = DS_VOLUME_NEUTRAL;
	}
	if ( c->fossen )
	{
		def.hydrodynamics.model = DS_HYDRO_FOSSEN;
		for ( int i = 0; i < 6; ++i )
		{
			def.hydrodynamics.linear_damping[7 * i] = 5 + i;
			def.hydrodynamics.quadratic_damping[7 * i] = 20 + 3 * i;
		}
	}
	def.pose.position = ds_v3( 0, 0, 400 );
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.2, 0.3, 0.9 ) );
	def.velocity.linear = ds_add( current, ds_v3( 0.7, 0.2, -0.1 ) );
	def.velocity.angular = ds_v3( 0.2, 0.3, -0.4 );
	OK( ds_body_create( world, &def, id ) );
	return world;
}

static void compare_with_still_water( const craft *c, double *place, double *attitude )
{
	ds_vec3 current = ds_v3( 0.8, -1.1, 0.2 );
	ds_id a, b;
	ds_world *still = craft_world( c, ds_v3( 0, 0, 0 ), &a ), *flowing = craft_world( c, current, &b );
	*place = *attitude = 0;
	double turned = 0;
	for ( int i = 0; i < 6000; ++i )
	{
		double s = i < 3000 ? 1 : -0.6;
		ds_wrench drive = { { 60 * s, 3, 0 }, { 0, 1, 6 * s } };
		OK( ds_body_apply_wrench_body( still, a, drive, ds_v3( -0.5, 0, 0 ) ) );
		OK( ds_body_apply_wrench_body( flowing, b, drive, ds_v3( -0.5, 0, 0 ) ) );
		OK( ds_world_step( still, 1 ) );
		OK( ds_world_step( flowing, 1 ) );
		ds_body_motion p = kit_motion( still, a ), q = kit_motion( flowing, b );
		ds_vec3 drifted = ds_sub( q.pose.position, ds_scale( sea_seconds( flowing ), current ) );
		*place = fmax( *place, ds_length( ds_sub( drifted, p.pose.position ) ) );
		*place =
			fmax( *place, ds_length( ds_sub( ds_sub( q.velocity_world.linear, current ), p.velocity_world.linear ) ) );
		*attitude = fmax( *attitude,
			ds_length( ds_quat_log( ds_quat_mul( ds_quat_conjugate( p.pose.attitude ), q.pose.attitude ) ) ) );
		turned += 0.01 * ds_length( p.velocity_world.angular );
	}
	assert_true( turned > 3 );
	ds_world_destroy( still );
	ds_world_destroy( flowing );
}

static void test_uniform_current_is_not_felt( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_CAPSULE );
	shape.radius = 0.2;
	shape.length = 1;
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	for ( int i = 0; i < 6; ++i )
	{
		// neutral with and without Earth rotation, by faces and by matrices; heavy without
		craft c = { mesh, i % 2 == 1, i < 2, i >= 4 ? 0.02 : 0 };
		double place, attitude;
		compare_with_still_water( &c, &place, &attitude );
		print_message( "%s, Earth rotation %s, %g heavier: %.2e m, %.2e rad\n", c.fossen ? "fossen" : "mesh",
			c.rotation ? "on" : "off", c.extra, place, attitude );
		NEAR( place, 0, 1e-9 );
		NEAR( attitude, 0, 1e-9 );
	}
	ds_mesh_release( mesh );
}

static void test_equal_relative_flow_gives_equal_acceleration( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 1.2, 0.5, 0.3 );
	for ( int rotation = 0; rotation < 2; ++rotation )
	{
		ds_vec3 first = ds_v3( 0, 0, 0 );
		ds_vec3 turn = first;
		for ( int i = 0; i < 8; ++i )
		{
			craft c = { mesh, false, rotation, 0 };
			ds_id id;
			ds_vec3 current = ds_v3( 2 * sin( i ), 1.5 * cos( 2 * i ), 0.3 * sin( 3 * i ) );
			ds_world *world = craft_world( &c, current, &id );
			OK( ds_world_step( world, 1 ) );
			ds_body_motion m = kit_motion( world, id );
			ds_vec3 change = ds_sub( m.velocity_world.linear, ds_add( current, ds_v3( 0.7, 0.2, -0.1 ) ) );
			if ( i == 0 )
			{
				first = change;
				turn = m.velocity_world.angular;
				assert_true( ds_length( change ) > 1e-4 );
			}
			NEAR3( change, first, 1e-13 );
			NEAR3( m.velocity_world.angular, turn, 1e-13 );
			ds_world_destroy( world );
		}
	}
	ds_mesh_release( mesh );
}

// ---- water that speeds up ----------------------------------------------------------------------------------------------

// A bag of 20 kg that displaces as much.
static ds_status hang( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	(void)context;
	effort->mass = 20;
	effort->displaced_volume = 20 / RHO;
	return DS_OK;
}

static const ds_type bag = { DS_ABI_VERSION, sizeof( ds_type ), DS_FORCE, "bag", "hangs on a body", NULL, NULL,
	make_nothing, destroy_nothing, NULL, NULL, NULL, hang };

static ds_world *tide_world( bool rotation, ds_registry *registry )
{
	ds_environment_def e = ds_environment_def_default();
	ds_tidal_constituent tide = { DS_TIDE_OTHER, 300, 1, 0.4, 0.3, 0.8 };
	ds_current_def flow = ds_current_def_default( DS_CURRENT_TIDAL );
	flow.constituents = ( ds_array ){ &tide, 1 };
	e.currents = ( ds_array ){ &flow, 1 };
	e.earth_rotation = rotation;
	e.latitude = 0.8;
	ds_world_def def = ds_world_def_default();
	def.environment = &e;
	def.rate = 100;
	def.registry = registry;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	return world;
}

// A sphere in a tide without drag takes the share ( rho V + m_a ) / ( m + m_a ) of the water's acceleration (Morison).
static void test_tide_carries_what_is_in_it( void **state )
{
	(void)state;
	ds_mesh *ball = kit_sphere( 0.3, 320 );
	double water = RHO * ds_mesh_measure( ball ).volume;
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &bag ) );
	for ( int i = 0; i < 5; ++i )
	{
		double heavy = i == 1 ? 1.5 : i == 2 ? 0.5 : 1;
		ds_world *world = tide_world( i >= 3, registry );
		ds_body_def def = kit_hull( "ball", ball, heavy * water );
		const double added[6] = { 0.5 * water, 0.5 * water, 0.5 * water, 0, 0, 0 };
		memcpy( def.hydrodynamics.added_mass, added, sizeof( added ) );
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
		def.pose.position = ds_v3( 0, 0, 100 );
		double share = 1.5 / ( heavy + 0.5 );
		ds_vec3 start = sea_at( world, 0, 0, 100 ).velocity;
		def.velocity.linear = ds_scale( share, start );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		if ( i == 4 )
		{
			ds_actuator_def force = ds_actuator_def_default();
			snprintf( force.name, sizeof( force.name ), "bag" );
			snprintf( force.type, sizeof( force.type ), "bag" );
			force.body = id;
			force.mount.position = ds_v3( 0.1, 0.05, 0.02 );
			ds_id unused;
			OK( ds_force_create( world, &force, &unused ) );
		}
		double worst = 0;
		ds_wrench hold = { { 0, 0, ( 1 - heavy ) * water * 9.81 }, { 0, 0, 0 } };
		for ( int k = 0; k < 30000; ++k )
		{
			OK( ds_body_apply_wrench_world( world, id, hold, kit_motion( world, id ).pose.position ) );
			OK( ds_world_step( world, 1 ) );
			ds_body_motion m = kit_motion( world, id );
			ds_vec3 u = sea_at( world, 0, 0, 100 ).velocity;
			worst = fmax( worst, ds_length( ds_sub( m.velocity_world.linear, ds_scale( share, u ) ) ) );
		}
		print_message( "tide, m = %g rho V%s: %.2e m/s off\n", heavy,
			i == 3   ? ", Earth rotation"
			: i == 4 ? ", Earth rotation, with a bag"
					 : "",
			worst );
		NEAR( worst, 0, 1e-6 );
		// the tide of whole periods brings it back
		NEAR( ds_length( kit_motion( world, id ).velocity_world.linear ), share * ds_length( start ), 1e-6 );
		ds_world_destroy( world );
	}
	ds_registry_release( registry );
	ds_mesh_release( ball );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_free_drift ),
		cmocka_unit_test( test_inertial_circle ),
		cmocka_unit_test( test_what_is_felt ),
		cmocka_unit_test( test_uniform_current_is_not_felt ),
		cmocka_unit_test( test_equal_relative_flow_gives_equal_acceleration ),
		cmocka_unit_test( test_tide_carries_what_is_in_it ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
