// What cameras ask of a world: rays that see the seabed with its looks, and rays that only want to know whether a lamp is hidden.

#include "deepsim/deepsim.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double bench_look_rays( char *detail, size_t size );
double bench_look_shadows( char *detail, size_t size );

#define WIDTH   640
#define HEIGHT  480
#define PIXELS  ( WIDTH * HEIGHT )
#define TILE    16 // a call is a tile of 16 x 16 pixels, whose packets are 4 x 4
#define REPEATS 9

// ---- a sensor that measures itself -----------------------------------------------------------------------------------

typedef struct measured
{
	ds_look_ray *rays;
	ds_look *looks;
	bool *blocked;
	double seen, shadows; // seconds of each
	int64_t hits, hidden;
} measured;

static measured m;

static const ds_field no_fields[] = {
	DS_I64( measured, hits, "", NULL, 0, 0, "of all rays" ),
};
static const ds_table reading = DS_TABLE( "measured", "nothing", measured, no_fields );

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)model;
	layout->looks = true;
	return DS_OK;
}

// Pixel `k` in the order in which a camera asks: tiles, and packets in them.
static void pixel_of( int k, int *x, int *y )
{
	const int tile = k / ( TILE * TILE ), in = k % ( TILE * TILE ), packet = in / 16, cell = in % 16;
	*x = tile % ( WIDTH / TILE ) * TILE + packet % 4 * 4 + cell % 4;
	*y = tile / ( WIDTH / TILE ) * TILE + packet / 4 * 4 + cell / 4;
}

// 65 degrees across, 40 degrees down.
static ds_vec3 direction_of( int k )
{
	int x, y;
	pixel_of( k, &x, &y );
	const double across = 1.27 * ( x - WIDTH / 2 ) / WIDTH, below = 1.27 * ( y - HEIGHT / 2 ) / WIDTH;
	const double c = cos( 0.7 ), s = sin( 0.7 );
	return ds_v3( c - s * below, across, s + c * below );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	(void)output;
	const ds_host *host = context->host;
	const ds_vec3 eye = context->pose.position, lamp = ds_add( eye, ds_v3( 0, 1, 0 ) );
	for ( int k = 0; k < PIXELS; ++k )
	{
		m.rays[k] = ( ds_look_ray ){ eye, direction_of( k ), 60, 0, 0.002, context->body };
	}
	ds_status status = DS_OK;
	double start = bench_clock();
	for ( int k = 0; k < PIXELS && status == DS_OK; k += TILE * TILE )
	{
		status = host->look_many( context, TILE * TILE, m.rays + k, m.looks + k );
	}
	m.seen = bench_clock() - start;
	m.hits = m.hidden = 0;
	for ( int k = 0; k < PIXELS; ++k )
	{
		// from what was seen to the lamp; where nothing was, a ray of some length all the same
		const ds_look *l = m.looks + k;
		const ds_vec3 d = m.rays[k].direction;
		const double t = l->distance > 0 ? ( l->distance - 0.001 ) / ds_length( d ) : 1;
		const ds_vec3 at = ds_mad( eye, t, d );
		m.hits += l->distance > 0;
		m.rays[k].origin = at;
		m.rays[k].direction = ds_sub( lamp, at );
		m.rays[k].range = ds_length( m.rays[k].direction );
	}
	start = bench_clock();
	for ( int k = 0; k < PIXELS && status == DS_OK; k += TILE * TILE )
	{
		status = host->blocked_many( context, TILE * TILE, m.rays + k, m.blocked + k );
	}
	m.shadows = bench_clock() - start;
	for ( int k = 0; k < PIXELS; ++k )
	{
		m.hidden += m.blocked[k];
	}
	return status;
}

static const ds_type type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "bench",
	.doc = "measures itself",
	.output = &reading,
	.create = create,
	.sample = sample,
};

// ---- the world ---------------------------------------------------------------------------------------------------------

// Hills of half a metre and stones on them, samples 0.25 m apart.
static ds_status make_terrain( ds_terrain **terrain )
{
	const int64_t side = 1001;
	double *z = malloc( (size_t)( side * side ) * sizeof( *z ) );
	if ( z == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	for ( int64_t i = 0; i < side * side; ++i )
	{
		const double n = 0.25 * (double)( i / side ), e = 0.25 * (double)( i % side );
		const double stone = sin( 2.1 * n ) * cos( 1.7 * e );
		z[i] = 4000 + 0.5 * sin( 0.2 * n ) * cos( 0.3 * e ) - ( stone > 0.8 ? 2 * ( stone - 0.8 ) : 0 );
	}
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.north = def.east = -125;
	def.spacing_north = def.spacing_east = 0.25;
	def.rows = def.columns = side;
	def.z = z;
	ds_status status = ds_terrain_grid( &def, NULL, terrain );
	free( z );
	return status;
}

static ds_status make_world( ds_world **world )
{
	ds_terrain *terrain;
	ds_registry *registry;
	ds_status status = make_terrain( &terrain );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world_def def = ds_world_def_default();
	def.environment = &e;
	status = ds_registry_create( NULL, &registry );
	if ( status == DS_OK )
	{
		status = ds_registry_add( registry, &type );
		def.registry = registry;
		status = status == DS_OK ? ds_world_create( &def, world ) : status;
		ds_registry_release( registry );
	}
	ds_terrain_release( terrain );
	return status;
}

static ds_status add_eye( ds_world *world )
{
	ds_body_def body = ds_body_def_default();
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( 1, 0.5, 0.3 );
	ds_mesh *mesh;
	ds_status status = ds_mesh_make( &shape, NULL, &mesh );
	if ( status != DS_OK )
	{
		return status;
	}
	strcpy( body.name, "auv" );
	body.fixed = true;
	body.mesh = mesh;
	body.pose.position = ds_v3( 0, 0, 3995 );
	ds_sensor_def sensor = ds_sensor_def_default();
	strcpy( sensor.name, "eye" );
	strcpy( sensor.type, "bench" );
	ds_id id;
	status = ds_body_create( world, &body, &sensor.body );
	ds_mesh_release( mesh );
	return status == DS_OK ? ds_sensor_create( world, &sensor, &id ) : status;
}

static ds_status measure( double seen[REPEATS], double shadows[REPEATS] )
{
	ds_world *world;
	ds_status status = make_world( &world );
	if ( status != DS_OK )
	{
		return status;
	}
	status = add_eye( world );
	for ( int r = 0; r < REPEATS && status == DS_OK; ++r )
	{
		status = ds_world_step( world, r == 0 ? 0 : 1 );
		seen[r] = m.seen;
		shadows[r] = m.shadows;
	}
	ds_world_destroy( world );
	return status;
}

static double rate( bool shadow, char *detail, size_t size )
{
	double seen[REPEATS], shadows[REPEATS], result = NAN;
	m.rays = malloc( PIXELS * sizeof( *m.rays ) );
	m.looks = malloc( PIXELS * sizeof( *m.looks ) );
	m.blocked = malloc( PIXELS * sizeof( *m.blocked ) );
	if ( m.rays && m.looks && m.blocked && measure( seen, shadows ) == DS_OK )
	{
		result = 1e-6 * PIXELS / bench_median( shadow ? shadows : seen, REPEATS );
		snprintf( detail, size,
			"%d x %d pixels, 5 m above 2 million triangles: %lld of them see it, the lamp is hidden from %lld", WIDTH,
			HEIGHT, (long long)m.hits, (long long)m.hidden );
	}
	else
	{
		bench_fail( detail, size );
	}
	free( m.rays );
	free( m.looks );
	free( m.blocked );
	return result;
}

double bench_look_rays( char *detail, size_t size )
{
	return rate( false, detail, size );
}

double bench_look_shadows( char *detail, size_t size )
{
	return rate( true, detail, size );
}
