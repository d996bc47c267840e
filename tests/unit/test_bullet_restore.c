// The Bullet shim keeps nothing from step to step: a fresh world with the poses and velocities of another goes on bit for
// bit; worlds in parallel threads do as in one; and everything is given back.

#include "test_bullet_sim.h"

#include <pthread.h>

// A rough ground of triangles, deterministic.
static dsb_shape *rough_ground( void )
{
	enum
	{
		N = 17
	};
	ds_vec3 vertices[N * N];
	int32_t triangles[6 * ( N - 1 ) * ( N - 1 )];
	int n = 0;
	for ( int i = 0; i < N; ++i )
	{
		for ( int j = 0; j < N; ++j )
		{
			double z = 0.08 * sin( 3.1 * i + 1.7 * j ) + 0.05 * cos( 2.3 * i * j );
			vertices[N * i + j] = ds_v3( 0.5 * ( i - 8 ), 0.5 * ( j - 8 ), z );
			if ( i < N - 1 && j < N - 1 )
			{
				// Wound so that the normals point up, to -z.
				int32_t a = N * i + j, t[6] = { a, a + 1, a + N, a + N, a + 1, a + N + 1 };
				memcpy( triangles + n, t, sizeof t );
				n += 6;
			}
		}
	}
	dsb_shape *shape;
	assert_int_equal( dsb_shape_mesh( vertices, N * N, triangles, n / 3, &shape ), DS_OK );
	return shape;
}

static dsb_shape *compound_shape( void )
{
	dsb_shape *parts[3], *shape;
	parts[0] = sim_box( ds_v3( 0.3, 0.2, 0.1 ) );
	assert_int_equal( dsb_shape_cylinder( 0.1, 0.8, &parts[1] ), DS_OK );
	assert_int_equal( dsb_shape_sphere( 0.15, &parts[2] ), DS_OK );
	ds_pose poses[3] = { sim_at( 0, 0, 0 ), sim_at( 0, 0.3, 0.1 ), sim_at( -0.4, -0.2, 0 ) };
	poses[1].attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.3 ) );
	assert_int_equal( dsb_shape_compound( parts, poses, 3, &shape ), DS_OK );
	for ( int i = 0; i < 3; ++i )
	{
		dsb_shape_release( parts[i] );
	}
	return shape;
}

static dsb_shape *some_shape( int i )
{
	ds_vec3 points[8] = { { 0.3, 0, 0.1 }, { -0.3, 0.05, 0 }, { 0, 0.3, 0 }, { 0.1, -0.3, 0 }, { 0, 0, 0.3 },
		{ 0, 0, -0.3 }, { 0.2, 0.2, 0.1 }, { -0.2, -0.2, 0.15 } };
	dsb_shape *shape;
	switch ( i % 5 )
	{
		case 0:
			return compound_shape();
		case 1:
			assert_int_equal( dsb_shape_hull( points, 8, &shape ), DS_OK );
			return shape;
		case 2:
			assert_int_equal( dsb_shape_capsule( 0.15, 0.4, &shape ), DS_OK );
			return shape;
		case 3:
			assert_int_equal( dsb_shape_cylinder( 0.2, 0.3, &shape ), DS_OK );
			return shape;
		default:
			return sim_box( ds_v3( 0.2, 0.25, 0.15 ) );
	}
}

// Ten bodies of all kinds falling on each other and on rough ground, the last two hinged, with a motor; one welded on.
static void heap_start( sim *s, int variant )
{
	sim_start( s, 1.0 / 200 );
	sim_add( s, rough_ground(), ds_pose_identity(), NULL, 0.8, 0 );
	for ( int i = 0; i < 10; ++i )
	{
		ds_mat6 mass = sim_mass( 10 + i, 15, 30 - i, 1, 1.2, 0.9 );
		ds_pose pose = sim_at( 0.3 * ( i % 3 ) - 0.3, 0.35 * ( i % 2 ) + 0.01 * variant, -0.45 - 0.28 * i );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0.3 * i, 0.2 * i, 0.5 * i + 0.1 * variant ) );
		sim_body *b = sim_add( s, some_shape( i ), pose, &mass, 0.6, 0.1 * ( i % 3 ) );
		b->weight = 120;
	}
	int32_t joint;
	dsb_joint_def def = dsb_joint_def_default();
	def.kind = DSB_JOINT_HINGE;
	def.body_a = s->body[9].index;
	def.body_b = s->body[10].index;
	def.frame_a.position = ds_v3( 0.3, 0, 0 );
	def.frame_b = def.frame_a;
	def.limited = true;
	def.lower = -0.5;
	def.upper = 1;
	assert_int_equal( dsb_joint_create( s->world, &def, &joint ), DS_OK );
	dsb_motor motor = { DSB_MOTOR_VELOCITY, 1, 4, 0, 0 };
	dsb_joint_set_motor( s->world, joint, &motor );
	def.kind = DSB_JOINT_FIXED;
	def.id = 1;
	def.body_a = s->body[7].index;
	def.body_b = s->body[8].index;
	assert_int_equal( dsb_joint_create( s->world, &def, &joint ), DS_OK );
}

static bool same_state( const sim *p, const sim *q )
{
	for ( int i = 0; i < p->count; ++i )
	{
		if ( memcmp( &p->body[i].pose, &q->body[i].pose, sizeof( ds_pose ) ) != 0 ||
			 memcmp( &p->body[i].v, &q->body[i].v, sizeof( ds_twist ) ) != 0 )
		{
			return false;
		}
	}
	return true;
}

static void copy_state( sim *to, const sim *from )
{
	for ( int i = 0; i < from->count; ++i )
	{
		to->body[i].pose = from->body[i].pose;
		to->body[i].v = from->body[i].v;
	}
}

// From every fifth step of a heap that falls and settles, a fresh world goes on for 20 steps as the first did.
static void fresh_world_goes_on( void **state )
{
	(void)state;
	sim s;
	heap_start( &s, 0 );
	int touching = 0, restores = 0;
	for ( int k = 0; k < 44; ++k )
	{
		sim_run( &s, 5 * s.dt );
		sim t;
		heap_start( &t, 0 );
		copy_state( &t, &s );
		sim ahead = s; // the same Bullet world, other memory of the bodies
		for ( int i = 0; i < 20; ++i )
		{
			sim_step( &ahead );
			sim_step( &t );
			assert_true( same_state( &ahead, &t ) );
			assert_int_equal( dsb_contact_count( s.world ), dsb_contact_count( t.world ) );
			touching += dsb_contact_count( t.world ) > 12;
		}
		assert_memory_equal( dsb_contacts( s.world ), dsb_contacts( t.world ),
			sizeof( dsb_contact ) * (size_t)dsb_contact_count( t.world ) );
		sim_end( &t );
		++restores;
	}
	assert_int_equal( restores, 44 );
	assert_true( touching > 400 );

	// The heap has come to rest on the ground: all above it, and the ground carries all.
	sim_run( &s, 6 );
	double load = 0;
	for ( int i = 1; i < s.count; ++i )
	{
		load += s.body[i].contact.force.z;
		assert_true( s.body[i].pose.position.z < 0.1 && s.body[i].pose.position.z > -2 );
	}
	assert_true( fabs( load + 10 * 120 ) < 0.05 * 10 * 120 );
	sim_end( &s );
}

typedef struct job
{
	int variant;
	sim end;
} job;

static void *run_heap( void *argument )
{
	job *j = argument;
	heap_start( &j->end, j->variant );
	sim_run( &j->end, 0.6 );
	sim_end( &j->end );
	return NULL;
}

static void threads_change_nothing( void **state )
{
	(void)state;
	static job serial[8], parallel[8];
	pthread_t threads[8];
	for ( int i = 0; i < 8; ++i )
	{
		serial[i].variant = parallel[i].variant = i;
		run_heap( &serial[i] );
	}
	for ( int i = 0; i < 8; ++i )
	{
		assert_int_equal( pthread_create( &threads[i], NULL, run_heap, &parallel[i] ), 0 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		pthread_join( threads[i], NULL );
		assert_true( same_state( &serial[i].end, &parallel[i].end ) );
	}
	assert_false( same_state( &serial[0].end, &serial[1].end ) );
}

// The order in which bodies are made does not matter, only their ids do.
static void order_of_creation_is_nothing( void **state )
{
	(void)state;
	ds_twist end[2][3];
	for ( int turn = 0; turn < 2; ++turn )
	{
		dsb_world *world;
		int32_t body[3], ground;
		assert_int_equal( dsb_world_create( &world ), DS_OK );
		dsb_shape *shape = sim_box( ds_v3( 0.5, 0.5, 0.5 ) ), *plane = sim_floor();
		dsb_body_def def = dsb_body_def_default();
		def.is_static = true;
		def.id = 5;
		if ( turn )
		{
			assert_int_equal( dsb_body_create( world, plane, &def, &ground ), DS_OK );
		}
		def.is_static = false;
		for ( int k = 0; k < 3; ++k )
		{
			int i = turn ? 2 - k : k;
			def.id = 10 + i;
			assert_int_equal( dsb_body_create( world, shape, &def, &body[i] ), DS_OK );
		}
		def.is_static = true;
		def.id = 5;
		if ( !turn )
		{
			assert_int_equal( dsb_body_create( world, plane, &def, &ground ), DS_OK );
		}
		for ( int i = 0; i < 3; ++i )
		{
			ds_pose pose = sim_at( 0.3 * i, 0.2 * i, -0.499 - 0.998 * i );
			ds_twist v = { { 0.1, -0.2 * i, 0.5 }, { 0.1 * i, 0, 0.2 } };
			ds_mat6 mass = sim_mass( 3, 4, 5 + i, 1, 2, 3 );
			dsb_body_reset_pose_velocity( world, body[i], &pose, &v );
			dsb_body_set_prediction( world, body[i], &v, &mass );
		}
		assert_int_equal( dsb_step( world, 0.01 ), DS_OK );
		assert_int_equal( dsb_contact_count( world ), 12 );
		for ( int i = 0; i < 3; ++i )
		{
			dsb_body_get( world, body[i], &end[turn][i], NULL );
		}
		dsb_shape_release( shape );
		dsb_shape_release( plane );
		dsb_world_destroy( world );
	}
	assert_memory_equal( end[0], end[1], sizeof end[0] );
}

// A thousand bodies made, and some destroyed, joined and stepped; the world goes with what is left. (Leaks: sanitizers.)
static void thousand_bodies( void **state )
{
	(void)state;
	dsb_world *world;
	static int32_t body[1000];
	assert_int_equal( dsb_world_create( &world ), DS_OK );
	dsb_shape *shape = compound_shape();
	for ( int i = 0; i < 1000; ++i )
	{
		dsb_body_def def = dsb_body_def_default();
		def.id = i;
		def.pose.position = ds_v3( 2 * ( i % 10 ), 2 * ( i / 10 % 10 ), 2 * ( i / 100 ) );
		assert_int_equal( dsb_body_create( world, shape, &def, &body[i] ), DS_OK );
		assert_int_equal( body[i], i );
	}
	dsb_shape_release( shape );
	for ( int i = 0; i + 1 < 1000; i += 10 )
	{
		int32_t joint;
		dsb_joint_def def = dsb_joint_def_default();
		def.id = i;
		def.body_a = body[i];
		def.body_b = body[i + 1];
		assert_int_equal( dsb_joint_create( world, &def, &joint ), DS_OK );
	}
	assert_int_equal( dsb_step( world, 0.01 ), DS_OK );
	for ( int i = 0; i < 1000; i += 3 )
	{
		dsb_body_destroy( world, body[i] );
		dsb_body_destroy( world, body[i] ); // nothing more happens
	}
	assert_int_equal( dsb_step( world, 0.01 ), DS_OK );
	dsb_body_def def = dsb_body_def_default();
	assert_int_equal( dsb_body_create( world, NULL, &def, &body[0] ), DS_OK );
	assert_int_equal( body[0], 0 ); // the lowest free one
	dsb_world_destroy( world );
	dsb_world_destroy( NULL );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( fresh_world_goes_on ),
		cmocka_unit_test( threads_change_nothing ),
		cmocka_unit_test( order_of_creation_is_nothing ),
		cmocka_unit_test( thousand_bodies ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
