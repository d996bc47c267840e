// Surfaces that are asked for their triangles, in the Bullet shim: rest and sliding as on a plane, holes and edges, bodies that
// start below the ground, bit-exact restores.

#include "test_surface_grid.h"

static const double GRAVITY = 9.81;

enum
{
	SPHERE,
	CAPSULE,
	CYLINDER,
	BOX,
	HULL,
	SHAPES
};

static dsb_shape *shape_of( int kind )
{
	dsb_shape *shape = NULL;
	// A hull whose frame's origin is outside of it.
	ds_vec3 points[6] = { { 0.5, 0, 1 }, { -0.3, 0.2, 1 }, { 0, -0.4, 1 }, { 0.4, 0, 1.4 }, { -0.2, 0.2, 1.4 },
		{ 0, -0.3, 1.4 } };
	switch ( kind )
	{
		case SPHERE:
			assert_int_equal( dsb_shape_sphere( 0.2, &shape ), DS_OK );
			break;
		case CAPSULE:
			assert_int_equal( dsb_shape_capsule( 0.2, 1, &shape ), DS_OK );
			break;
		case CYLINDER:
			assert_int_equal( dsb_shape_cylinder( 0.2, 1, &shape ), DS_OK );
			break;
		case BOX:
			shape = sim_box( ds_v3( 0.4, 0.3, 0.2 ) );
			break;
		default:
			assert_int_equal( dsb_shape_hull( points, 6, &shape ), DS_OK );
			ds_pose pose = sim_at( 0, 0, -1.2 );
			dsb_shape *hull = shape;
			assert_int_equal( dsb_shape_compound( &hull, &pose, 1, &shape ), DS_OK );
			dsb_shape_release( hull );
	}
	return shape;
}

// A body of 30 kg over a ground; takes the ground's shape.
static sim_body *drop( sim *s, dsb_shape *ground, int kind, ds_pose pose, double friction )
{
	sim_start( s, 1.0 / 200 );
	sim_add( s, ground, ds_pose_identity(), NULL, friction, 0 );
	ds_mat6 mass = sim_mass( 30, 30, 30, 1, 2, 2 );
	sim_body *b = sim_add( s, shape_of( kind ), pose, &mass, 1, 0 );
	b->weight = 30 * GRAVITY;
	return b;
}

static dsb_shape *plane_of( const grid *g )
{
	dsb_shape *plane;
	assert_int_equal( dsb_shape_plane( ds_v3( g->slope_north, g->slope_east, -1 ), 0, &plane ), DS_OK );
	return plane;
}

static double distance_of( const sim_body *a, const sim_body *b )
{
	return ds_length( ds_sub( a->pose.position, b->pose.position ) );
}

// How far one attitude is turned from the other [rad], to first order.
static double turn_of( const sim_body *a, const sim_body *b )
{
	ds_quat p = a->pose.attitude, q = b->pose.attitude;
	ds_vec3 axis = ds_v3( p.x - q.x, p.y - q.y, p.z - q.z );
	return 2 * ( ds_length( axis ) + fabs( p.w - q.w ) );
}

// Every shape falls, settles and rests (or rolls down) on a level and on a sloping grid as on the plane.
static void rests_as_on_a_plane( void **state )
{
	(void)state;
	for ( int slope = 0; slope < 2; ++slope )
	{
		for ( int kind = 0; kind < SHAPES; ++kind )
		{
			grid g = plane_grid( slope ? 0.2 : 0, slope ? -0.13 : 0 );
			ds_pose pose = sim_at( 0.03, 0.07, -0.55 );
			pose.attitude = ds_quat_from_rpy( ds_v3( 0.05, 0.1, 0.3 ) );
			sim a, b;
			sim_body *on_plane = drop( &a, plane_of( &g ), kind, pose, 0.6 );
			sim_body *on_grid = drop( &b, grid_shape( &g ), kind, pose, 0.6 );
			double worst = 0, turned = 0;
			for ( int k = 0; k < ( slope ? 300 : 600 ); ++k )
			{
				sim_step( &a );
				sim_step( &b );
				worst = fmax( worst, distance_of( on_plane, on_grid ) );
				turned = fmax( turned, turn_of( on_plane, on_grid ) );
			}
			// Of points that hold alike others may be kept, which rub a little differently until the body rests.
			ds_vec3 up = ds_v3( g.slope_north, g.slope_east, -1 );
			double height = ds_dot( up, ds_sub( on_plane->pose.position, on_grid->pose.position ) );
			double force = ds_dot( up, ds_sub( on_plane->contact.force, on_grid->contact.force ) );
			double path = kind == SPHERE ? 1e-6 : 1e-3;
			if ( !( worst < path && turned < 10 * path && fabs( height ) < 1e-6 && force < 1e-5 * on_grid->weight ) )
			{
				fail_msg( "shape %d, slope %d: %g m and %g rad from the plane's, %g m high, force %g N off", kind,
					slope, worst, turned, height, force );
			}
			assert_true( on_grid->contact.force.z < -0.5 * on_grid->weight );
			sim_end( &a );
			sim_end( &b );
			assert_int_equal( g.references, 0 );
		}
	}
}

// Every shape slides over many cells as over the plane: straight on where there is no friction.
static void cells_are_smooth( void **state )
{
	(void)state;
	for ( int kind = 0; kind < SHAPES; ++kind )
	{
		grid g = plane_grid( 0, 0 );
		ds_pose pose = sim_at( -4, 0.1, -0.2 );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.3 ) );
		sim s;
		sim_body *b = drop( &s, grid_shape( &g ), kind, pose, 0 );
		b->v.linear = ds_v3( 1.5, 0.1, 0 );
		double worst = 0;
		for ( int k = 0; k < 1000; ++k )
		{
			sim_step( &s );
			ds_vec3 due = ds_v3( -4 + 1.5 * ( k + 1 ) * s.dt, 0.1 + 0.1 * ( k + 1 ) * s.dt, -0.2 );
			worst = fmax( worst, ds_length( ds_sub( b->pose.position, due ) ) );
		}
		if ( !( worst < 1e-8 ) )
		{
			fail_msg( "shape %d: %g m off its way", kind, worst );
		}
		sim_end( &s );
	}
}

// 1000 km away bodies touch rough ground where they do at the origin, and come to rest.
static void far_is_as_near( void **state )
{
	(void)state;
	int touching = 0;
	for ( int k = 0; k < 60; ++k )
	{
		grid g[2] = { plane_grid( 0, 0 ), plane_grid( 0, 0 ) };
		sim s[2];
		sim_body *b[2];
		for ( int far = 0; far < 2; ++far )
		{
			g[far].cell = 0.5;
			g[far].n = 20;
			g[far].height = rough_height;
			g[far].roughness = 0.0625;
			g[far].north = far ? 1048576 : 0;
			g[far].east = far ? -1048576 : 0;
			// Numbers that are exact at both places.
			ds_pose pose = sim_at( g[far].north + 0.0625 * ( k % 9 ), g[far].east - 0.125 * k / 4, -0.25 );
			pose.attitude = ds_quat_from_rpy( ds_v3( 0.1 * k, 0.05 * k, 0.3 * k ) );
			b[far] = drop( &s[far], grid_shape( &g[far] ), k % SHAPES, pose, 0.6 );
			sim_step( &s[far] );
		}
		int32_t count = dsb_contact_count( s[0].world );
		assert_int_equal( count, dsb_contact_count( s[1].world ) );
		for ( int32_t i = 0; i < count; ++i )
		{
			const dsb_contact *p = dsb_contacts( s[0].world ) + i, *q = dsb_contacts( s[1].world ) + i;
			ds_vec3 moved = ds_sub( q->point_a, ds_v3( g[1].north, g[1].east, 0 ) );
			assert_true( ds_length( ds_sub( p->point_a, moved ) ) < 1e-9 );
			assert_true( fabs( p->distance - q->distance ) < 1e-9 );
			assert_true( ds_length( ds_sub( p->normal, q->normal ) ) < 1e-9 );
		}
		touching += count > 0;
		if ( k % SHAPES == BOX )
		{
			sim_run( &s[1], 6 );
			assert_true( ds_length( b[1]->v.linear ) < 1e-3 );
			assert_true( fabs( b[1]->contact.force.z + b[1]->weight ) < 1e-2 * b[1]->weight );
		}
		sim_end( &s[0] );
		sim_end( &s[1] );
	}
	assert_true( touching > 50 );
}

// A body that starts below the ground, from its centre to 50 m, comes up as from below the plane, and keeps no velocity of that.
static void deep_start_comes_up( void **state )
{
	(void)state;
	const double depths[] = { 0, 0.1, 0.4, 1.5, 50 };
	for ( int kind = 0; kind < SHAPES; ++kind )
	{
		for ( int k = 0; k < 5; ++k )
		{
			grid g = plane_grid( 0, 0 );
			ds_pose pose = sim_at( 0.03, 0.02, depths[k] + 0.05 );
			sim a, b;
			sim_body *on_plane = drop( &a, plane_of( &g ), kind, pose, 0.6 );
			sim_body *on_grid = drop( &b, grid_shape( &g ), kind, pose, 0.6 );
			on_plane->weight = on_grid->weight = 0; // a velocity would stay
			double fastest = 0, worst = 0;
			for ( int i = 0; i < 400; ++i )
			{
				sim_step( &a );
				sim_step( &b );
				fastest = fmax( fastest, ds_length( on_grid->v.linear ) );
				worst = fmax( worst, distance_of( on_plane, on_grid ) );
			}
			double deepest = 0;
			for ( int32_t i = 0; i < dsb_contact_count( b.world ); ++i )
			{
				deepest = fmin( deepest, dsb_contacts( b.world )[i].distance );
			}
			double path = kind == SPHERE || kind == CAPSULE ? 1e-6 : 0.1;
			if ( !( on_grid->pose.position.z < -0.2 + 1e-6 && deepest > -1e-6 && fastest < 1e-9 ) ||
				 ( kind != HULL && worst > path ) )
			{
				fail_msg( "shape %d from %g m: at z = %.9g, %g m deep, %g m from the plane's, %g m/s", kind, depths[k],
					on_grid->pose.position.z, deepest, worst, fastest );
			}
			sim_end( &a );
			sim_end( &b );
		}
	}
}

// On rough ground, too, and with weight: all end above the ground.
static void deep_start_in_rough_ground( void **state )
{
	(void)state;
	for ( int kind = 0; kind < SHAPES; ++kind )
	{
		for ( int k = 0; k < 12; ++k )
		{
			grid g = { 0 };
			g.cell = 0.5;
			g.n = 200;
			g.height = rough_height;
			g.roughness = 0.12;
			ds_pose pose = sim_at( 0.37 * k - 2, 0.21 * k, 0.3 + 0.25 * k );
			pose.attitude = ds_quat_from_rpy( ds_v3( 0.4 * k, 0.3 * k, k ) );
			sim s;
			sim_body *b = drop( &s, grid_shape( &g ), kind, pose, 0.9 );
			sim_run( &s, 3 );
			dsb_hit hit;
			ds_vec3 p = b->pose.position;
			assert_int_equal(
				dsb_ray_test( s.world, ds_v3( p.x, p.y, -9 ), ds_v3( p.x, p.y, 9 ), b->index, &hit ), DS_OK );
			if ( !( hit.point.z > p.z && hit.point.z - p.z < 1.5 ) || ds_length( b->v.linear ) > 1 )
			{
				fail_msg( "shape %d, start %d: at z %g over ground at %g, %g m/s", kind, k, p.z, hit.point.z,
					ds_length( b->v.linear ) );
			}
			sim_end( &s );
		}
	}
}

// Of limited thickness, the ground lets go what lies below it by more than that.
static void thin_ground( void **state )
{
	(void)state;
	for ( int deep = 0; deep < 2; ++deep )
	{
		grid g = plane_grid( 0, 0 );
		dsb_surface surface = surface_of( &g );
		surface.thickness = 1;
		dsb_shape *shape;
		assert_int_equal( dsb_shape_surface( &surface, &shape ), DS_OK );
		sim s;
		sim_body *b = drop( &s, shape, BOX, sim_at( 0, 0, deep ? 1.2 : 0.9 ), 0.6 );
		sim_run( &s, 1 );
		assert_true(
			deep ? fabs( b->pose.position.z - 1.2 - 0.5 * GRAVITY ) < 1e-2 : fabs( b->pose.position.z + 0.2 ) < 1e-6 );
		sim_end( &s );
	}
}

// What is dropped over a hole or beyond the edge falls as if nothing were there; at the rim it touches.
static void holes_and_edges( void **state )
{
	(void)state;
	for ( int kind = 0; kind < SHAPES; ++kind )
	{
		const ds_vec3 places[] = { { 0, 0, -1 }, { 17, 0, -1 }, { 0, -17, -1 }, { 16, -16, -1 } };
		for ( int k = 0; k < 4; ++k )
		{
			grid g = plane_grid( 0, 0 );
			g.hole = 10; // 2.5 m each way
			sim s;
			sim_body *b = drop( &s, grid_shape( &g ), kind, sim_at( places[k].x, places[k].y, places[k].z ), 0.6 );
			sim free;
			sim_body *c = drop( &free, sim_box( ds_v3( 1e-3, 1e-3, 1e-3 ) ), kind, b->pose, 0 );
			c->pose.position.x += 1000;
			for ( int i = 0; i < 400; ++i )
			{
				sim_step( &s );
				sim_step( &free );
				assert_int_equal( dsb_contact_count( s.world ), 0 );
			}
			assert_true( b->pose.position.z == c->pose.position.z && b->pose.position.z > 10 );
			sim_end( &s );
			sim_end( &free );
		}
	}
	grid g = plane_grid( 0, 0 );
	g.hole = 10;
	sim s;
	sim_body *b = drop( &s, grid_shape( &g ), BOX, sim_at( 2.6, 0, -0.2 ), 0.6 );
	sim_run( &s, 1 );
	assert_true( fabs( b->pose.position.z + 0.2 ) < 1e-6 ); // on the rim
	sim_end( &s );
	b = drop( &s, grid_shape( &g ), BOX, sim_at( 15.1, 0, -0.2 ), 0.6 );
	sim_run( &s, 1 );
	assert_true( b->pose.position.z > 0 && ds_length( b->v.angular ) > 0.1 ); // over the edge it topples
	sim_end( &s );
}

// A heap on rough ground goes on bit for bit in a fresh world.
static void heap_start( sim *s, grid *g )
{
	memset( g, 0, sizeof *g );
	g->cell = 0.5;
	g->n = 16;
	g->height = rough_height;
	g->roughness = 0.08;
	sim_start( s, 1.0 / 200 );
	sim_add( s, grid_shape( g ), ds_pose_identity(), NULL, 0.8, 0 );
	for ( int i = 0; i < 10; ++i )
	{
		ds_mat6 mass = sim_mass( 10 + i, 15, 30 - i, 1, 1.2, 0.9 );
		ds_pose pose = sim_at( 0.4 * ( i % 3 ) - 0.4, 0.45 * ( i % 2 ), -0.55 - 0.38 * i );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0.3 * i, 0.2 * i, 0.5 * i ) );
		sim_add( s, shape_of( i % SHAPES ), pose, &mass, 0.6, 0 )->weight = 120;
	}
}

static void fresh_world_goes_on( void **state )
{
	(void)state;
	sim s;
	grid ground, other;
	heap_start( &s, &ground );
	int touching = 0;
	for ( int k = 0; k < 20; ++k )
	{
		sim_run( &s, 10 * s.dt );
		sim t;
		heap_start( &t, &other );
		sim ahead = s;
		for ( int i = 0; i < s.count; ++i )
		{
			t.body[i].pose = s.body[i].pose;
			t.body[i].v = s.body[i].v;
		}
		for ( int step = 0; step < 20; ++step )
		{
			sim_step( &ahead );
			sim_step( &t );
			touching += dsb_contact_count( t.world ) > 8;
			for ( int i = 0; i < s.count; ++i )
			{
				assert_memory_equal( &ahead.body[i].pose, &t.body[i].pose, sizeof( ds_pose ) );
				assert_memory_equal( &ahead.body[i].v, &t.body[i].v, sizeof( ds_twist ) );
			}
		}
		assert_int_equal( dsb_contact_count( s.world ), dsb_contact_count( t.world ) );
		assert_memory_equal( dsb_contacts( s.world ), dsb_contacts( t.world ),
			sizeof( dsb_contact ) * (size_t)dsb_contact_count( t.world ) );
		sim_end( &t );
	}
	assert_true( touching > 200 );
	sim_end( &s );
}

// Groups keep a body off the ground but not off the others.
static void masked_bodies_go_through( void **state )
{
	(void)state;
	grid g = plane_grid( 0, 0 );
	dsb_world *world;
	int32_t ground, body[2];
	assert_int_equal( dsb_world_create( &world ), DS_OK );
	dsb_body_def def = dsb_body_def_default();
	dsb_shape *surface = grid_shape( &g ), *box = sim_box( ds_v3( 0.5, 0.5, 0.5 ) );
	def.is_static = true;
	def.group = 2;
	assert_int_equal( dsb_body_create( world, surface, &def, &ground ), DS_OK );
	def.is_static = false;
	def.group = 1;
	def.mask = ~2u;
	def.id = 1;
	def.pose = sim_at( 0.1, 0.1, -0.3 );
	assert_int_equal( dsb_body_create( world, box, &def, &body[0] ), DS_OK );
	assert_int_equal( dsb_step( world, 0.01 ), DS_OK );
	assert_int_equal( dsb_contact_count( world ), 0 );
	def.id = 2;
	def.mask = 0xffffffffu;
	def.pose.position.z = -1.2;
	assert_int_equal( dsb_body_create( world, box, &def, &body[1] ), DS_OK );
	assert_int_equal( dsb_step( world, 0.01 ), DS_OK );
	assert_int_equal( dsb_contact_count( world ), 4 );
	for ( int i = 0; i < 4; ++i )
	{
		assert_true( dsb_contacts( world )[i].body_a == body[0] && dsb_contacts( world )[i].body_b == body[1] );
	}
	dsb_shape_release( surface );
	dsb_shape_release( box );
	assert_int_equal( g.references, 1 );
	dsb_world_destroy( world );
	assert_int_equal( g.references, 0 );
}

static void wrong_surfaces( void **state )
{
	(void)state;
	grid g = plane_grid( 0, 0 );
	dsb_surface right = surface_of( &g ), s = right;
	dsb_shape *shape;
	s.visit = NULL;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_ERROR_RANGE );
	assert_null( shape );
	s = right;
	s.cell = 0;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_ERROR_RANGE );
	s = right;
	s.resolution = -1;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_ERROR_RANGE );
	s = right;
	s.thickness = NAN;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_ERROR_RANGE );
	s = right;
	s.lower.y = INFINITY;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_ERROR_RANGE );
	s = right;
	s.upper.z = s.lower.z - 1;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_ERROR_RANGE );
	assert_int_equal( g.references, 0 );
	assert_int_equal( dsb_shape_surface( &right, &shape ), DS_OK );
	assert_false( dsb_shape_can_move( shape ) );
	ds_vec3 lower, upper;
	dsb_shape_bounds( shape, &lower, &upper );
	assert_true( lower.x == -15 && upper.y == 15 && lower.z == 0 && upper.z == INFINITY );
	dsb_world *world;
	int32_t body;
	dsb_body_def def = dsb_body_def_default();
	assert_int_equal( dsb_world_create( &world ), DS_OK );
	assert_int_equal( dsb_body_create( world, shape, &def, &body ), DS_ERROR_TYPE );
	dsb_world_destroy( world );
	assert_int_equal( g.references, 1 );
	dsb_shape_release( shape );
	assert_int_equal( g.references, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rests_as_on_a_plane ),
		cmocka_unit_test( cells_are_smooth ),
		cmocka_unit_test( far_is_as_near ),
		cmocka_unit_test( deep_start_comes_up ),
		cmocka_unit_test( deep_start_in_rough_ground ),
		cmocka_unit_test( thin_ground ),
		cmocka_unit_test( holes_and_edges ),
		cmocka_unit_test( fresh_world_goes_on ),
		cmocka_unit_test( masked_bodies_go_through ),
		cmocka_unit_test( wrong_surfaces ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
