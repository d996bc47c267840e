// Rays against bodies: by Bullet's answers, by analytic values, far off, in any order and number.

#include "rays_kit.h"

#include "bullet/bullet.h"

#define RANGE 100.0

// What a body is, to rays and to Bullet.
typedef struct kind
{
	const char *name;
	int32_t shape; // ds_ray_shape_kind; -1: triangles, -2: a convex solid of triangles, -3: several shapes
} kind;

static const kind kinds[] = { { "box", DS_RAY_BOX }, { "sphere", DS_RAY_SPHERE }, { "capsule", DS_RAY_CAPSULE },
	{ "cylinder", DS_RAY_CYLINDER }, { "triangles", -1 }, { "solid", -2 }, { "compound", -3 } };
#define KINDS ( (int)( sizeof( kinds ) / sizeof( *kinds ) ) )

static void make_shape( int32_t which, uint64_t *state, ds_ray_shape *shape, dsb_shape **bullet )
{
	double a = 1 + 0.5 * kit_uniform( state ), b = 1 + 0.5 * kit_uniform( state ), c = 1 + 0.5 * kit_uniform( state );
	*shape = ( ds_ray_shape ){
		.kind = which, .pose = ds_pose_identity(), .half = { a, b, c }, .radius = a, .length = 2 * b
	};
	switch ( which )
	{
		case DS_RAY_BOX:
			OK( dsb_shape_box( shape->half, bullet ) );
			break;
		case DS_RAY_SPHERE:
			OK( dsb_shape_sphere( a, bullet ) );
			break;
		case DS_RAY_CAPSULE:
			OK( dsb_shape_capsule( a, 2 * b, bullet ) );
			break;
		default:
			OK( dsb_shape_cylinder( a, 2 * b, bullet ) );
	}
}

static void make_triangles( bool solid, uint64_t *state, ds_ray_geometry **geometry, dsb_shape **bullet )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_ELLIPSOID );
	shape.semi_axes = ds_v3( 1 + 0.5 * kit_uniform( state ), 1 + 0.5 * kit_uniform( state ), 1 );
	shape.faces = solid ? 200 : 800;
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	int64_t vertices, faces;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &vertices );
	const int32_t *t = ds_mesh_triangles( mesh, &faces );
	ds_pose pose = { kit_direction( state ), kit_attitude( state ) };
	ds_ray_geometry_def def = {
		.vertices = v, .vertex_count = vertices, .triangles = t, .triangle_count = faces, .pose = pose, .solid = solid
	};
	OK( ds_ray_geometry_create( NULL, &def, geometry ) );
	dsb_shape *bare;
	OK( solid ? dsb_shape_hull( v, vertices, &bare ) : dsb_shape_mesh( v, vertices, t, faces, &bare ) );
	OK( dsb_shape_compound( &bare, &pose, 1, bullet ) );
	dsb_shape_release( bare );
	ds_mesh_release( mesh );
}

static void make_body( const kind *k, uint64_t *state, ds_ray_geometry **geometry, dsb_shape **bullet )
{
	if ( k->shape == -1 || k->shape == -2 )
	{
		make_triangles( k->shape == -2, state, geometry, bullet );
		return;
	}
	ds_ray_shape shapes[12];
	dsb_shape *children[12];
	ds_pose poses[12];
	int count = k->shape == -3 ? 12 : 1;
	for ( int i = 0; i < count; ++i )
	{
		make_shape( count > 1 ? i % 4 : k->shape, state, shapes + i, children + i );
		poses[i].position = ds_scale( count > 1 ? 2 : 0.3, kit_direction( state ) );
		poses[i].attitude = kit_attitude( state );
		shapes[i].pose = poses[i];
	}
	ds_ray_geometry_def def = { .shapes = shapes, .shape_count = count };
	OK( ds_ray_geometry_create( NULL, &def, geometry ) );
	OK( dsb_shape_compound( children, poses, count, bullet ) );
	for ( int i = 0; i < count; ++i )
	{
		dsb_shape_release( children[i] );
	}
}

// A Bullet world and a scene with the same bodies.
typedef struct pair
{
	dsb_world *world;
	ds_ray_scene *scene;
	ds_pose poses[64];
	int count;
} pair;

static pair make_pair( const kind *first, int kinds_used, int count, double reach, ds_vec3 place, uint64_t *state )
{
	pair p = { .count = count };
	ds_ray_geometry *geometries[64];
	OK( dsb_world_create( &p.world ) );
	for ( int i = 0; i < count; ++i )
	{
		dsb_shape *shape;
		make_body( first + i % kinds_used, state, geometries + i, &shape );
		dsb_body_def def = dsb_body_def_default();
		def.is_static = true;
		def.id = i;
		p.poses[i].position = ds_add( place, ds_scale( reach * kit_uniform( state ), kit_direction( state ) ) );
		p.poses[i].attitude = kit_attitude( state );
		def.pose = p.poses[i];
		int32_t index;
		OK( dsb_body_create( p.world, shape, &def, &index ) );
		assert_int_equal( index, i );
		dsb_shape_release( shape );
	}
	OK( ds_ray_scene_create( NULL, NULL, geometries, count, &p.scene ) );
	for ( int i = 0; i < count; ++i )
	{
		ds_ray_geometry_release( geometries[i] );
	}
	OK( ds_ray_scene_place( p.scene, p.poses ) );
	return p;
}

static void free_pair( pair *p )
{
	dsb_world_destroy( p->world );
	ds_ray_scene_destroy( p->scene );
}

static void compare( const pair *p, const char *name, ds_vec3 place, double reach, int rays, uint64_t *state )
{
	int hits = 0, odd = 0;
	for ( int k = 0; k < rays; ++k )
	{
		// a third starts within
		double far = k % 3 == 0 ? 0.6 : k % 3 == 1 ? 3 : 20;
		ds_vec3 origin = ds_add( place, ds_scale( far * reach * kit_uniform( state ), kit_direction( state ) ) );
		ds_vec3 aim = ds_add( place, ds_scale( reach * kit_uniform( state ), kit_direction( state ) ) );
		ds_ray ray = kit_ray( origin, ds_sub( aim, origin ), RANGE );
		ray.ignore = k % 5 == 0 ? k / 5 % p->count : -1;
		ds_ray_found f = kit_one( p->scene, ray );
		dsb_hit hit;
		ds_status status = dsb_ray_test( p->world, origin, ds_mad( origin, RANGE, ray.direction ), ray.ignore, &hit );
		double expected = status == DS_OK ? hit.fraction * RANGE : -1;
		bool same = expected < 0 ? f.distance < 0
								 : fabs( f.distance - expected ) < 1e-7 && f.body == hit.body &&
									   ds_length( ds_sub( f.normal, hit.normal ) ) < 1e-6;
		hits += expected >= 0;
		if ( !same )
		{
			// at an edge, anyone may be right: within a micrometre of it the other answer is found too
			bool near_edge = false;
			for ( int i = 0; i < 6 && !near_edge; ++i )
			{
				ds_ray moved = ray;
				double step = i % 2 ? 1e-6 : -1e-6;
				moved.origin =
					ds_add( origin, ds_v3( i / 2 == 0 ? step : 0, i / 2 == 1 ? step : 0, i / 2 == 2 ? step : 0 ) );
				ds_ray_found g = kit_one( p->scene, moved );
				near_edge = expected < 0 ? g.distance < 0
										 : g.body == hit.body && fabs( g.distance - expected ) < 1e-4 &&
											   ds_length( ds_sub( g.normal, hit.normal ) ) < 1e-4;
			}
			if ( !near_edge )
			{
				fail_msg( "%s: ray %d: %.12g of body %d, Bullet %.12g of body %d; normals %g %g %g, %g %g %g", name, k,
					f.distance, f.body, expected, status == DS_OK ? hit.body : -1, f.normal.x, f.normal.y, f.normal.z,
					hit.normal.x, hit.normal.y, hit.normal.z );
			}
			++odd;
		}
	}
	assert_true( hits > rays / 10 );
	assert_true( odd <= 1 + rays / 5000 );
}

static void test_bullet_kinds( void **state )
{
	(void)state;
	uint64_t s = 9;
	for ( int k = 0; k < KINDS; ++k )
	{
		for ( int n = 0; n < 5; ++n )
		{
			ds_vec3 place = ds_v3( n, 0, 10 );
			pair p = make_pair( kinds + k, 1, 1, 0.5, place, &s );
			compare( &p, kinds[k].name, place, 2, 10000, &s );
			free_pair( &p );
		}
	}
}

static void test_bullet_many( void **state )
{
	(void)state;
	uint64_t s = 10;
	pair p = make_pair( kinds, KINDS, 35, 12, ds_v3( 3, 4, 5 ), &s );
	compare( &p, "many", ds_v3( 3, 4, 5 ), 12, 30000, &s );
	const ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
	for ( int tick = 0; tick < 20; ++tick )
	{
		for ( int i = 0; i < p.count; ++i )
		{
			p.poses[i].position = ds_add( p.poses[i].position, ds_scale( 2, kit_direction( &s ) ) );
			p.poses[i].attitude = kit_attitude( &s );
			dsb_body_reset_pose_velocity( p.world, i, p.poses + i, &still );
		}
		OK( ds_ray_scene_place( p.scene, p.poses ) );
		compare( &p, "moved", ds_v3( 3, 4, 5 ), 12, 3000, &s );
	}
	free_pair( &p );
}

static void test_bullet_far( void **state )
{
	(void)state;
	uint64_t s = 12;
	ds_vec3 place = ds_v3( 1e6, -1e6, 6000 );
	pair p = make_pair( kinds, KINDS, 21, 8, place, &s );
	compare( &p, "far off", place, 8, 20000, &s );
	free_pair( &p );
}

// ---- analytic ------------------------------------------------------------------------------------------------------

static ds_ray_geometry *sphere( double radius )
{
	ds_ray_shape shape = { .kind = DS_RAY_SPHERE, .pose = ds_pose_identity(), .radius = radius };
	ds_ray_geometry_def def = { .shapes = &shape, .shape_count = 1 };
	ds_ray_geometry *g;
	OK( ds_ray_geometry_create( NULL, &def, &g ) );
	return g;
}

static ds_ray_geometry *box( ds_vec3 half )
{
	ds_ray_shape shape = { .kind = DS_RAY_BOX, .pose = ds_pose_identity(), .half = half };
	ds_ray_geometry_def def = { .shapes = &shape, .shape_count = 1 };
	ds_ray_geometry *g;
	OK( ds_ray_geometry_create( NULL, &def, &g ) );
	return g;
}

// A sphere at several distances, near the origin and 1000 km off: |o + t d - c| = r, the nearer root.
static void test_sphere( void **state )
{
	(void)state;
	const double places[3] = { 0, 1e6, -1e6 };
	uint64_t s = 4;
	for ( int i = 0; i < 3; ++i )
	{
		ds_ray_geometry *g = sphere( 0.75 );
		ds_ray_scene *scene;
		OK( ds_ray_scene_create( NULL, NULL, &g, 1, &scene ) );
		ds_pose pose = { { places[i], 100, 50 }, { 1, 0, 0, 0 } };
		OK( ds_ray_scene_place( scene, &pose ) );
		for ( int k = 0; k < 2000; ++k )
		{
			double away = pow( 10, 2 + 2 * kit_uniform( &s ) ); // 1 m to 10 km
			ds_vec3 o = ds_mad( pose.position, away, kit_direction( &s ) );
			ds_vec3 aim = ds_mad( pose.position, 1.5, ds_scale( kit_uniform( &s ), kit_direction( &s ) ) );
			ds_ray ray = kit_ray( o, ds_sub( aim, o ), 1e5 );
			long double m[3] = { (long double)o.x - pose.position.x, (long double)o.y - pose.position.y,
				(long double)o.z - pose.position.z };
			long double d[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
			long double a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], b = m[0] * d[0] + m[1] * d[1] + m[2] * d[2];
			long double c = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - 0.75L * 0.75L, root = b * b - a * c;
			ds_ray_found f = kit_one( scene, ray );
			if ( fabsl( root ) < 1e-6L || fabsl( c ) < 1e-9L )
			{
				continue; // touches it
			}
			if ( root < 0 || b > 0 || c < 0 )
			{
				assert_true( f.distance < 0 );
				continue;
			}
			double expected = (double)( ( -b - sqrtl( root ) ) / a );
			NEAR( f.distance, expected, 1e-7 * ( 1 + expected ) );
		}
		ds_ray_scene_destroy( scene );
		ds_ray_geometry_release( g );
	}
}

// A slender beam past a target 5 km away meets what single precision would miss.
static void test_narrow( void **state )
{
	(void)state;
	ds_ray_geometry *g[2] = { sphere( 0.01 ), sphere( 0.01 ) };
	ds_ray_scene *scene;
	OK( ds_ray_scene_create( NULL, NULL, g, 2, &scene ) );
	ds_pose poses[2] = { { { 5000, 0, 0 }, { 1, 0, 0, 0 } }, { { 5000, 0.03, 0 }, { 1, 0, 0, 0 } } };
	OK( ds_ray_scene_place( scene, poses ) );
	const struct
	{
		double east;
		int32_t body;
	} aims[] = { { 0, 0 }, { 0.0099, 0 }, { 0.0101, -1 }, { 0.0199, -1 }, { 0.0201, 1 }, { 0.03, 1 } };
	for ( int i = 0; i < 6; ++i )
	{
		ds_ray_found f = kit_one( scene, kit_ray( ds_v3( 0, 0, 0 ), ds_v3( 5000, aims[i].east, 0 ), 1e5 ) );
		assert_int_equal( f.body, aims[i].body );
		assert_true( ( f.distance > 0 ) == ( aims[i].body >= 0 ) );
	}
	ds_ray_scene_destroy( scene );
	ds_ray_geometry_release( g[0] );
	ds_ray_geometry_release( g[1] );
}

// ---- order, absence ------------------------------------------------------------------------------------------------

// Of what is equally far the ground comes first, then the lowest body, few or many.
static void test_ties( void **state )
{
	(void)state;
	for ( int many = 0; many < 2; ++many )
	{
		ds_terrain *terrain;
		OK( ds_terrain_plane( 50, 0, 0, NULL, &terrain ) );
		ds_ray_geometry *g = box( ds_v3( 1, 1, 1 ) ), *all[40] = { NULL };
		int count = many ? 40 : 5;
		ds_pose poses[40];
		for ( int i = 0; i < count; ++i )
		{
			all[i] = i == 1 ? NULL : g;
			poses[i] = ds_pose_identity();
			poses[i].position = ds_v3( 0, 0, i < 2 ? 51 : 20 );
		}
		ds_ray_scene *scene;
		OK( ds_ray_scene_create( NULL, terrain, all, count, &scene ) );
		OK( ds_ray_scene_place( scene, poses ) );
		ds_ray down = kit_ray( ds_v3( 0.1, 0.2, 0 ), ds_v3( 0, 0, 1 ), 1e3 );
		ds_ray_found f = kit_one( scene, down );
		assert_int_equal( f.body, 2 );
		assert_true( f.distance == 19 );
		down.ignore = 2;
		assert_int_equal( kit_one( scene, down ).body, 3 );
		down.origin.z = 30;
		f = kit_one( scene, down );
		assert_int_equal( f.body, -1 );
		assert_true( f.distance == 20 );
		// away with the others, from within the box that sticks in the ground: only the ground
		down.origin.z = 50.5;
		assert_true( kit_one( scene, down ).distance < 0 );
		ds_ray_scene_destroy( scene );
		ds_ray_geometry_release( g );
		ds_terrain_release( terrain );
	}
}

static void test_not_placed( void **state )
{
	(void)state;
	ds_ray_geometry *g = sphere( 1 );
	ds_ray_scene *scene;
	OK( ds_ray_scene_create( NULL, NULL, &g, 1, &scene ) );
	ds_ray ray = kit_ray( ds_v3( 0, 0, -5 ), ds_v3( 0, 0, 1 ), 100 );
	assert_true( kit_one( scene, ray ).distance < 0 );
	ds_pose pose = ds_pose_identity();
	OK( ds_ray_scene_place( scene, &pose ) );
	assert_true( kit_one( scene, ray ).distance == 4 );
	pose.position.y = NAN;
	FAILS( ds_ray_scene_place( scene, &pose ), DS_ERROR_NOT_FINITE, "pose of body 0" );
	assert_true( kit_one( scene, ray ).distance < 0 );
	ds_ray_scene_destroy( scene );
	OK( ds_ray_scene_create( NULL, NULL, NULL, 0, &scene ) ); // nothing at all
	OK( ds_ray_scene_place( scene, NULL ) );
	assert_true( kit_one( scene, ray ).distance < 0 );
	ds_ray_scene_destroy( scene );
	ds_ray_geometry_release( g );
}

// The same answers from packets of any make, after any history, and from a scene made anew at the same poses.
static void test_same_bits( void **state )
{
	(void)state;
	uint64_t s = 13;
	ds_vec3 place = ds_v3( 0, 0, 0 );
	pair p = make_pair( kinds, KINDS, 28, 8, place, &s );
	uint64_t again = 13;
	pair q = make_pair( kinds, KINDS, 28, 8, place, &again );
	ds_pose moved[64];
	for ( int i = 0; i < q.count; ++i )
	{
		moved[i].position = ds_scale( 5, kit_direction( &s ) );
		moved[i].attitude = kit_attitude( &s );
	}
	OK( ds_ray_scene_place( q.scene, moved ) );
	OK( ds_ray_scene_place( q.scene, q.poses ) );
	enum
	{
		COUNT = 5003
	};
	static ds_ray ray[COUNT];
	static ds_ray_found found[COUNT], other[COUNT];
	for ( int i = 0; i < COUNT; ++i )
	{
		ds_vec3 o = ds_scale( 20, kit_direction( &s ) );
		ray[i] = kit_ray( o, ds_sub( ds_scale( 6 * kit_uniform( &s ), kit_direction( &s ) ), o ), 30 );
	}
	ds_ray_scene_cast( p.scene, ray, COUNT, found );
	ds_ray_scene_cast( q.scene, ray + 3, COUNT - 3, other + 3 );
	for ( int i = 0; i < COUNT; ++i )
	{
		ds_ray_found one = kit_one( q.scene, ray[i] );
		assert_memory_equal( &one.distance, &found[i].distance, sizeof( double ) );
		assert_memory_equal( &one.normal, &found[i].normal, sizeof( ds_vec3 ) );
		assert_int_equal( one.body, found[i].body );
		assert_int_equal( one.primitive, found[i].primitive );
		assert_true( i < 3 || memcmp( &other[i].distance, &found[i].distance, sizeof( double ) ) == 0 );
		assert_true( i < 3 || other[i].primitive == found[i].primitive );
	}
	free_pair( &p );
	free_pair( &q );
}

// ---- errors --------------------------------------------------------------------------------------------------------

static void test_errors( void **state )
{
	(void)state;
	ds_ray_geometry *g;
	ds_ray_scene *scene;
	ds_ray_geometry_def def = { .shape_count = 0 };
	FAILS( ds_ray_geometry_create( NULL, &def, &g ), DS_ERROR_ARGUMENT, "triangles" );
	ds_ray_shape shape = { .kind = 7, .pose = ds_pose_identity() };
	def.shapes = &shape;
	def.shape_count = 1;
	FAILS( ds_ray_geometry_create( NULL, &def, &g ), DS_ERROR_RANGE, "kind 7" );
	shape.kind = DS_RAY_CAPSULE;
	shape.radius = 1;
	FAILS( ds_ray_geometry_create( NULL, &def, &g ), DS_ERROR_RANGE, "greater than 0" );
	shape.length = INFINITY;
	FAILS( ds_ray_geometry_create( NULL, &def, &g ), DS_ERROR_RANGE, "finite" );
	shape.length = 1;
	shape.pose.position.x = NAN;
	FAILS( ds_ray_geometry_create( NULL, &def, &g ), DS_ERROR_NOT_FINITE, "shape 0" );
	ds_vec3 vertices[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	int32_t triangle[3] = { 0, 1, 3 };
	ds_ray_geometry_def mesh = {
		.vertices = vertices, .vertex_count = 3, .triangles = triangle, .triangle_count = 1, .pose = ds_pose_identity()
	};
	FAILS( ds_ray_geometry_create( NULL, &mesh, &g ), DS_ERROR_RANGE, "vertex 3 of 3" );
	triangle[2] = 2;
	vertices[2].z = INFINITY;
	FAILS( ds_ray_geometry_create( NULL, &mesh, &g ), DS_ERROR_NOT_FINITE, "vertex 2" );
	FAILS( ds_ray_scene_create( NULL, NULL, NULL, 3, &scene ), DS_ERROR_ARGUMENT, "geometry" );
	ds_ray_geometry_release( NULL );
	ds_ray_scene_destroy( NULL );
}

// Fails the n-th allocation.
typedef struct failing
{
	int left, live;
} failing;

static void *fail_allocate( void *user, size_t size, size_t alignment )
{
	failing *f = user;
	if ( f->left-- <= 0 )
	{
		return NULL;
	}
	++f->live;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void fail_release( void *user, void *memory, size_t size )
{
	(void)size;
	--( (failing *)user )->live;
	free( memory );
}

static void test_out_of_memory( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	ds_ray_shape extra = { .kind = DS_RAY_SPHERE, .pose = ds_pose_identity(), .radius = 1 };
	ds_ray_geometry_def def = { .pose = ds_pose_identity(), .shapes = &extra, .shape_count = 1 };
	def.vertices = ds_mesh_vertices( mesh, &def.vertex_count );
	def.triangles = ds_mesh_triangles( mesh, &def.triangle_count );
	double z[100] = { 0 };
	ds_terrain_grid_def grid = ds_terrain_grid_default();
	grid.spacing_north = grid.spacing_east = 1;
	grid.rows = grid.columns = 10;
	grid.z = z;
	bool done = false;
	int steps = 0;
	for ( ; !done; ++steps )
	{
		failing f = { steps, 0 };
		ds_hooks hooks = { .allocator = { fail_allocate, fail_release, &f } };
		ds_terrain *terrain = NULL;
		ds_ray_geometry *g = NULL;
		ds_ray_scene *scene = NULL;
		ds_status status = ds_terrain_grid( &grid, &hooks, &terrain );
		status = status == DS_OK ? ds_ray_geometry_create( &hooks, &def, &g ) : status;
		status = status == DS_OK ? ds_ray_scene_create( &hooks, terrain, &g, 1, &scene ) : status;
		done = status == DS_OK;
		assert_true( done || status == DS_ERROR_MEMORY );
		assert_true( done || scene == NULL );
		ds_ray_scene_destroy( scene );
		ds_ray_geometry_release( g );
		ds_terrain_release( terrain );
		assert_int_equal( f.live, 0 );
	}
	assert_true( steps > 8 );
	ds_mesh_release( mesh );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_bullet_kinds ),
		cmocka_unit_test( test_bullet_many ),
		cmocka_unit_test( test_bullet_far ),
		cmocka_unit_test( test_sphere ),
		cmocka_unit_test( test_narrow ),
		cmocka_unit_test( test_ties ),
		cmocka_unit_test( test_not_placed ),
		cmocka_unit_test( test_same_bits ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_out_of_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
