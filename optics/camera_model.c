// A camera's model: lens, ports, rays, the layout of its readings; memory for frames that are made at once.

#include "optics/camera.h"

#include "deepsim/math.h"

#include <stdatomic.h>
#include <string.h>

// Blocks of scratch that nobody uses. Each slot is taken and filled by one exchange, so that clones in threads need no lock.
typedef struct spare_list
{
	_Atomic( ds_camera_scratch * ) slots[DS_CAMERA_SPARE];
} spare_list;

static ds_status no_memory( const ds_host *host )
{
	return host->error( DS_ERROR_MEMORY, "out of memory for a camera's rays and frames" );
}

// ---- scratch -----------------------------------------------------------------------------------------------------

#define ALIGN( size ) ( ( ( size ) + 63 ) / 64 * 64 )

// Cuts the next piece off a block; only counts where there is none.
static void *cut( unsigned char *block, size_t *at, size_t size )
{
	void *piece = block ? block + *at : NULL;
	*at += ALIGN( size );
	return piece;
}

// Where things lie in a block (NULL: none yet); its size.
static size_t arrange( const ds_camera_model *m, unsigned char *block, ds_camera_scratch *s )
{
	const ds_camera_config *c = &m->config;
	const size_t pixels = (size_t)m->width * (size_t)m->height, plane = pixels * sizeof( float );
	size_t at = ALIGN( sizeof( *s ) );
	const int bands = m->pictures ? c->lit ? m->bands.count : 3 : 0;
	for ( int b = 0; b < bands; ++b )
	{
		s->total[b] = cut( block, &at, plane );
		if ( m->snowy )
		{
			s->image[b] = cut( block, &at, plane );
		}
		if ( m->blurred )
		{
			s->surface[b] = cut( block, &at, plane );
			s->out[b] = cut( block, &at, plane );
			s->forward[b] = cut( block, &at, (size_t)ds_forward_scratch( m->width, m->height ) * sizeof( float ) );
		}
	}
	if ( m->blurred || m->snowy )
	{
		s->range = cut( block, &at, plane );
	}
	if ( m->snowy )
	{
		s->particles = cut( block, &at, DS_CAMERA_PARTICLES * sizeof( *s->particles ) );
		s->spots = cut( block, &at, DS_CAMERA_PARTICLES * sizeof( *s->spots ) );
	}
	for ( int i = 0; i < 3 && c->lit && m->pictures; ++i )
	{
		s->channel[i] = cut( block, &at, plane );
	}
	s->means = cut( block, &at, 3 * sizeof( double ) * (size_t)m->height );
	return at;
}

static ds_camera_scratch *make_scratch( const ds_camera_model *m )
{
	ds_camera_scratch measure;
	memset( &measure, 0, sizeof( measure ) );
	const size_t size = arrange( m, NULL, &measure ) + 64;
	unsigned char *block = m->host->allocate( m->host, size );
	if ( block == NULL )
	{
		return NULL;
	}
	// the header lies at the start of the block; planes are aligned to lines of the cache
	ds_camera_scratch *s = (ds_camera_scratch *)(void *)block;
	memset( s, 0, sizeof( *s ) );
	const size_t shift = ( 64 - (size_t)( (uintptr_t)block % 64 ) ) % 64;
	arrange( m, block + shift, s );
	s->size = size;
	return s;
}

ds_camera_scratch *ds_camera_scratch_take( const ds_camera_model *model )
{
	spare_list *list = model->spare;
	for ( int i = 0; i < DS_CAMERA_SPARE; ++i )
	{
		ds_camera_scratch *s = atomic_exchange( &list->slots[i], NULL );
		if ( s )
		{
			return s;
		}
	}
	return make_scratch( model );
}

void ds_camera_scratch_give( const ds_camera_model *model, ds_camera_scratch *scratch )
{
	spare_list *list = model->spare;
	for ( int i = 0; scratch && i < DS_CAMERA_SPARE; ++i )
	{
		ds_camera_scratch *none = NULL;
		if ( atomic_compare_exchange_strong( &list->slots[i], &none, scratch ) )
		{
			return;
		}
	}
	if ( scratch )
	{
		model->host->release( model->host, scratch, scratch->size );
	}
}

// ---- rays --------------------------------------------------------------------------------------------------------

static size_t tile_count( const ds_camera_model *m )
{
	return (size_t)m->columns * (size_t)m->rows;
}

static bool make_table(
	const ds_camera_model *m, ds_camera_side *side, double du, double dv, ds_ray_table *table, float *light )
{
	table->tiles = m->host->allocate( m->host, tile_count( m ) * sizeof( *table->tiles ) );
	if ( side->bends )
	{
		table->origins = m->host->allocate( m->host, tile_count( m ) * sizeof( *table->origins ) );
	}
	if ( table->tiles == NULL || ( side->bends && table->origins == NULL ) )
	{
		return false;
	}
	ds_ray_table_fill( &m->lens, side->bends ? &side->port : NULL, du, dv, table, light );
	int64_t count = 0;
	for ( size_t t = 0; t < tile_count( m ); ++t )
	{
		count += table->tiles[t].count;
	}
	side->whole = side->whole && count == (int64_t)m->width * m->height;
	return true;
}

static void free_table( const ds_camera_model *m, ds_ray_table *table )
{
	if ( table->tiles )
	{
		m->host->release( m->host, table->tiles, tile_count( m ) * sizeof( *table->tiles ) );
	}
	if ( table->origins )
	{
		m->host->release( m->host, table->origins, tile_count( m ) * sizeof( *table->origins ) );
	}
}

// The greatest angle of a ray from the axis, and a little more.
static double widest( const ds_camera_model *m, const ds_ray_table *table )
{
	double least = 1;
	for ( size_t t = 0; t < tile_count( m ); ++t )
	{
		for ( int32_t k = 0; k < table->tiles[t].count; ++k )
		{
			least = fmin( least, table->tiles[t].direction[2][k] );
		}
	}
	return fmin( acos( fmax( -1, least ) ) + 0.02, DS_PI );
}

static ds_status make_side( ds_camera_model *m, ds_camera_side *side )
{
	const size_t pixels = (size_t)m->width * (size_t)m->height;
	side->light = m->host->allocate( m->host, pixels * sizeof( *side->light ) );
	side->whole = true;
	if ( side->light == NULL || !make_table( m, side, 0, 0, &side->center, side->light ) )
	{
		return no_memory( m->host );
	}
	const int64_t n = m->config.supersampling;
	side->sub[0] = side->center;
	for ( int64_t i = 0; n > 1 && m->pictures && i < n * n; ++i )
	{
		double du = ( (double)( i % n ) + 0.5 ) / (double)n - 0.5, dv = ( (double)( i / n ) + 0.5 ) / (double)n - 0.5;
		memset( side->sub + i, 0, sizeof( *side->sub ) );
		if ( !make_table( m, side, du, dv, side->sub + i, NULL ) )
		{
			return no_memory( m->host );
		}
	}
	side->focal = ds_camera_focal( &m->lens, side->bends ? &side->port : NULL );
	side->half_angle = widest( m, &side->center );
	return DS_OK;
}

// ---- life --------------------------------------------------------------------------------------------------------

// Between blue, green and red the weights of a colour change along straight lines; they add up to 1, so that no band reflects more than
// the brightest of the three.
static void set_bands( ds_camera_model *m )
{
	const ds_bands rgb = ds_bands_rgb();
	for ( int b = 0; b < m->bands.count; ++b )
	{
		double x = m->bands.wavelength[b];
		float *w = m->reflect[b];
		w[0] = w[1] = w[2] = 0;
		if ( x <= rgb.wavelength[0] || x >= rgb.wavelength[2] )
		{
			w[x <= rgb.wavelength[0] ? 2 : 0] = 1;
			continue;
		}
		int low = x < rgb.wavelength[1] ? 0 : 1;
		double share = ( x - rgb.wavelength[low] ) / ( rgb.wavelength[low + 1] - rgb.wavelength[low] );
		w[2 - low] = (float)( 1 - share );
		w[1 - low] = (float)share;
	}
}

static ds_span place( size_t *at, bool wanted, size_t pixels, size_t per_pixel, size_t size )
{
	if ( !wanted )
	{
		return ( ds_span ){ 0, 0 };
	}
	*at = ( *at + 15 ) / 16 * 16;
	ds_span span = { (int64_t)*at, (int64_t)( pixels * per_pixel ) };
	*at += pixels * per_pixel * size;
	return span;
}

static void lay_out( ds_camera_model *m )
{
	const ds_camera_config *c = &m->config;
	const size_t pixels = (size_t)m->width * (size_t)m->height;
	size_t at = sizeof( ds_camera );
	m->spans.width = m->width;
	m->spans.height = m->height;
	m->spans.color8 = place( &at, c->color && c->sensor.bits == 8, pixels, 3, sizeof( uint8_t ) );
	m->spans.color16 = place( &at, c->color && c->sensor.bits != 8, pixels, 3, sizeof( uint16_t ) );
	m->spans.radiance = place( &at, c->radiance, pixels, 3, sizeof( float ) );
	m->spans.depth = place( &at, c->depth, pixels, 1, sizeof( float ) );
	m->spans.z_depth = place( &at, c->depth, pixels, 1, sizeof( float ) );
	m->spans.normals = place( &at, c->normals, pixels, 3, sizeof( float ) );
	m->spans.segmentation = place( &at, c->segmentation, pixels, 1, sizeof( int32_t ) );
	m->spans.flow = place( &at, c->flow, pixels, 2, sizeof( float ) );
	m->output_size = ( at + 15 ) / 16 * 16;
}

// What rays and a frame in the making take is known before any of it is: without that, a machine runs out of memory halfway.
static ds_status check_memory( const ds_camera_model *m )
{
	ds_camera_scratch measure;
	memset( &measure, 0, sizeof( measure ) );
	const bool port = m->config.port.kind != DS_PORT_NONE;
	const double tables = ( m->subpixels > 1 ? m->subpixels : 0 ) + 1.0;
	const double tile = sizeof( ds_ray_tile ) + ( port ? sizeof( ds_ray_origins ) : 0 );
	const double rays = tables * (double)tile_count( m ) * tile + sizeof( float ) * (double)m->width * m->height;
	const double need = ( ( port ? 2 : 1 ) * rays + (double)arrange( m, NULL, &measure ) ) * 0x1p-30;
	return need <= DS_CAMERA_MEMORY
			   ? DS_OK
			   : m->host->error( DS_ERROR_LIMIT,
					 "lens: %d x %d pixels need %.3g GiB of memory with these options, must not be more than %g: "
					 "take fewer pixels, a lower supersampling or fewer bands",
					 (int)m->width, (int)m->height, need, DS_CAMERA_MEMORY );
}

// All that may fail; what was made is freed by the caller.
static ds_status build( ds_camera_model *m )
{
	const ds_camera_config *c = &m->config;
	ds_status status = ds_lens_make( &c->lens, &m->lens );
	if ( status != DS_OK )
	{
		return status;
	}
	if ( (double)m->lens.width * (double)m->lens.height > DS_CAMERA_PIXELS )
	{
		return m->host->error( DS_ERROR_RANGE, "lens: %lld x %lld pixels, must not be more than %d in all",
			(long long)m->lens.width, (long long)m->lens.height, DS_CAMERA_PIXELS );
	}
	m->width = (int32_t)m->lens.width;
	m->height = (int32_t)m->lens.height;
	m->columns = ( m->width + DS_CAMERA_SIDE - 1 ) / DS_CAMERA_SIDE;
	m->rows = ( m->height + DS_CAMERA_SIDE - 1 ) / DS_CAMERA_SIDE;
	m->pictures = c->color || c->radiance;
	m->geometry = c->depth || c->normals || c->segmentation || c->flow;
	m->blurred = m->pictures && c->lit && c->forward_scatter;
	m->snowy = m->pictures && c->lit && c->snow.density > 0;
	ds_snow_make( &c->snow, (uint64_t)c->snow.seed, &m->snow );
	m->flat = c->sensor;
	m->flat.exposure = m->flat.gain = m->flat.full_well = 1;
	m->flat.auto_exposure = m->flat.shot_noise = false;
	m->flat.read_noise = m->flat.dark_current = m->flat.black_level = 0;
	m->flat.white = DS_WHITE_NONE;
	m->subpixels = m->pictures ? (int32_t)( c->supersampling * c->supersampling ) : 1;
	m->bands = ds_bands_rgb();
	if ( c->bands != 3 && ( status = ds_bands_even( (int32_t)c->bands, 400, 700, &m->bands ) ) != DS_OK )
	{
		return status;
	}
	status = check_memory( m );
	if ( status != DS_OK )
	{
		return status;
	}
	set_bands( m );
	ds_image_sensor_factors( &c->sensor, &m->bands, m->factors );
	lay_out( m );
	m->sides = c->port.kind == DS_PORT_NONE ? 1 : 2;
	for ( int i = 0; i < m->sides; ++i )
	{
		ds_camera_side *side = m->side + i;
		side->bends = c->port.kind != DS_PORT_NONE;
		status = ds_port_make( &c->port, i == 0, &side->port );
		status = status == DS_OK ? make_side( m, side ) : status;
		if ( status != DS_OK )
		{
			return status;
		}
	}
	ds_camera_scratch *scratch = ds_camera_scratch_take( m );
	ds_camera_scratch_give( m, scratch );
	return scratch ? DS_OK : no_memory( m->host );
}

ds_status ds_camera_model_create( const ds_host *host, const ds_camera_config *config, ds_camera_model **model )
{
	*model = NULL;
	ds_camera_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return no_memory( host );
	}
	memset( m, 0, sizeof( *m ) );
	m->host = host;
	m->config = *config;
	spare_list *list = host->allocate( host, sizeof( *list ) );
	m->spare = list;
	for ( int i = 0; list && i < DS_CAMERA_SPARE; ++i )
	{
		atomic_init( &list->slots[i], NULL );
	}
	ds_status status = list ? build( m ) : no_memory( host );
	if ( status != DS_OK )
	{
		ds_camera_model_destroy( m );
		return status;
	}
	*model = m;
	return DS_OK;
}

void ds_camera_model_destroy( ds_camera_model *model )
{
	const ds_host *host = model->host;
	spare_list *list = model->spare;
	for ( int i = 0; list && i < DS_CAMERA_SPARE; ++i )
	{
		ds_camera_scratch *s = atomic_load( &list->slots[i] );
		if ( s )
		{
			host->release( host, s, s->size );
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		ds_camera_side *side = model->side + i;
		if ( side->light )
		{
			host->release( host, side->light, (size_t)model->width * (size_t)model->height * sizeof( *side->light ) );
		}
		free_table( model, &side->center );
		for ( int k = 0; k < DS_CAMERA_SUBPIXELS * DS_CAMERA_SUBPIXELS; ++k )
		{
			if ( side->sub[k].tiles != side->center.tiles )
			{
				free_table( model, side->sub + k );
			}
		}
	}
	if ( list )
	{
		host->release( host, list, sizeof( *list ) );
	}
	host->release( host, model, sizeof( *model ) );
}

double ds_camera_delay( const ds_camera_config *config )
{
	const ds_image_sensor_config *s = &config->sensor;
	double longest = s->auto_exposure ? fmax( s->auto_limits[1], s->exposure ) : s->exposure;
	return 0.5 * longest + 0.5 * s->readout;
}
