// A seabed's look: its table, and what is made of it once: noise amplitudes, layers of nodules.

#include "optics/seabed_look.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <string.h>

// Colours are estimates, as no spectra of the wet seabed were at hand: hue and value of the Munsell colours that core descriptions
// use of pelagic clay (dark yellowish brown, 10YR 4/2 to 5/4) and of ferromanganese nodules (brownish black, 5YR 2/1). Luminance
// factors of the Munsell values 4.5 and 2.25 by ASTM D1535: 0.15 and 0.038.
static const ds_field fields[] = {
	DS_F64( ds_seabed_look, color, "", "[0.19, 0.145, 0.1]", 0, 1,
		"reflectance of the sediment for red, green, blue; linear" ),
	DS_F64( ds_seabed_look, mottling, "", "0.12", 0, 0.3, "relative standard deviation of that reflectance" ),
	DS_F64( ds_seabed_look, mottling_scale, "m", "0.6", 0.01, 100,
		"size of the largest patches; the smallest are 16 times smaller" ),
	DS_ANGLE(
		ds_seabed_look, ripple, "7", 0, 30, "standard deviation of the slopes of the small relief, along each axis" ),
	DS_F64( ds_seabed_look, nodule_cover, "", "0", 0, 0.6, "share of the area under nodules" ),
	DS_F64( ds_seabed_look, nodule_size, "m", "0.04", 0.002, 1, "median diameter of nodules, seen from above" ),
	DS_F64( ds_seabed_look, nodule_spread, "", "1.4", 1, 2, "geometric standard deviation of diameters" ),
	DS_F64( ds_seabed_look, nodule_color, "", "[0.046, 0.037, 0.03]", 0, 1,
		"reflectance of nodules for red, green, blue; linear; single ones differ by up to 25 %" ),
	DS_F64(
		ds_seabed_look, nodule_burial, "", "0.55", 0.5, 0.95, "share of a nodule's height that is in the sediment" ),
	DS_F64( ds_seabed_look, roughness, "", "0.95", 0, 1, "of sediment and nodules: 0 glossy, 1 mat" ),
	DS_I64( ds_seabed_look, seed, "", "1", 0, 9007199254740991, "of all that is random in it" ),
};
static const ds_table table =
	DS_TABLE( "seabed_look", "what the seabed looks like: sediment and nodules", ds_seabed_look, fields );

const ds_table *ds_seabed_look_table( void )
{
	return &table;
}

ds_seabed_look ds_seabed_look_default( void )
{
	ds_seabed_look look;
	ds_table_defaults( &table, &look );
	return look;
}

static uint32_t mix( uint64_t x )
{
	return (uint32_t)( ds_hash_bytes( DS_HASH_START, &x, sizeof( x ) ) >> 16 );
}

// Means over a cell of value noise on a grid, of uniform numbers in [-1, 1] (variance 1/3) and weights s = 3 t^2 - 2 t^3:
// E[ s^2 + ( 1 - s )^2 ] = 26/35, E[ s'^2 ] = 6/5. So the variance is ( 26/35 )^2 / 3, and that of a slope along an axis is
// 6/5 * 2/3 * 26/35 over the side of a cell squared.
static void plan_noise( ds_seabed_plan *plan )
{
	const ds_seabed_look *look = &plan->look;
	double sum = 0, size = look->mottling_scale;
	for ( int k = 0; k < DS_SEABED_OCTAVES; ++k )
	{
		sum += pow( 0.6, 2 * k );
	}
	for ( int k = 0; k < DS_SEABED_OCTAVES; ++k, size /= 2 )
	{
		// each octave turned by 37 degrees against the one before: no grid shows
		ds_seabed_octave *o = plan->octaves + k;
		double turn = 37 * DS_PI / 180 * k, c = cos( turn ), s = sin( turn );
		o->cosine = c / size;
		o->sine = s / size;
		o->seed = mix( plan->seed + ( (uint64_t)k + 1 ) * 0x500000001u );
		o->start[0] = mix( plan->seed + ( (uint64_t)k + 1 ) * 0x700000001u ) / 4294967296.0;
		o->start[1] = mix( plan->seed + ( (uint64_t)k + 1 ) * 0x900000001u ) / 4294967296.0;
		o->inverse = (float)( 1 / size );
		o->mottle = (float)( look->mottling * pow( 0.6, k ) / sqrt( sum ) / ( 26.0 / 35 * sqrt( 1.0 / 3 ) ) );
		double slope = look->ripple / sqrt( DS_SEABED_OCTAVES ) / sqrt( 6.0 / 5 * 2 / 3 * 26 / 35 );
		o->slope[0] = (float)( slope * c );
		o->slope[1] = (float)( slope * s );
	}
}

// ---- sizes ---------------------------------------------------------------------------------------------------------

static double normal_cdf( double z )
{
	return 0.5 * erfc( -z * sqrt( 0.5 ) );
}

// By bisection: a plan is made once.
static double normal_quantile( double p )
{
	double low = -9, high = 9;
	for ( int i = 0; i < 60; ++i )
	{
		double z = 0.5 * ( low + high );
		if ( normal_cdf( z ) < p )
		{
			low = z;
		}
		else
		{
			high = z;
		}
	}
	return 0.5 * ( low + high );
}

// Classes of the law of sizes: each layer's quantiles, its share of all nodules, its mean area.
static void plan_sizes( ds_seabed_plan *plan, double share[DS_SEABED_LAYERS], double area[DS_SEABED_LAYERS] )
{
	const ds_seabed_look *look = &plan->look;
	double sigma = log( look->nodule_spread ), reach = 2.5;
	double classes = ceil( 2 * reach * sigma / log( 1.7 ) );
	int count = classes < 2 ? 2 : classes > DS_SEABED_LAYERS ? DS_SEABED_LAYERS : (int)classes;
	if ( classes > DS_SEABED_LAYERS )
	{
		reach = 0.5 * DS_SEABED_LAYERS * log( 1.7 ) / sigma;
	}
	plan->layer_count = count;
	double whole = normal_cdf( reach ) - normal_cdf( -reach );
	for ( int k = 0; k < count; ++k )
	{
		ds_seabed_layer *layer = plan->layers + k;
		double low = normal_cdf( reach * ( 2.0 * k / count - 1 ) );
		double high = normal_cdf( reach * ( 2.0 * ( k + 1 ) / count - 1 ) );
		share[k] = ( high - low ) / whole;
		double squares = 0, sum = 0;
		for ( int i = 0; i <= DS_SEABED_SIZES; ++i )
		{
			double z = normal_quantile( low + ( high - low ) * i / DS_SEABED_SIZES );
			layer->radii[i] = (float)( 0.5 * look->nodule_size * exp( sigma * z ) );
			if ( i > 0 )
			{
				// radii are drawn evenly between two quantiles
				double a = layer->radii[i - 1], b = layer->radii[i];
				squares += ( a * a + a * b + b * b ) / 3;
				sum += 0.5 * ( a + b );
			}
		}
		area[k] = DS_PI * squares / DS_SEABED_SIZES;
		layer->diameter = (float)( 2 * sum / DS_SEABED_SIZES );
	}
}

// ---- density -------------------------------------------------------------------------------------------------------

// Nodules for a square metre that leave free what is to be free.
static double density_of( const ds_seabed_plan *plan, const double *share, const double *area )
{
	double low = 0, high = 1e9;
	for ( int k = 0; k < plan->layer_count; ++k )
	{
		double most = 1 / ( share[k] * area[k] );
		high = most < high ? most : high;
	}
	for ( int i = 0; i < 60; ++i )
	{
		double density = 0.5 * ( low + high ), free = 1;
		for ( int k = 0; k < plan->layer_count; ++k )
		{
			free *= 1 - density * share[k] * area[k];
		}
		if ( 1 - free < plan->look.nodule_cover )
		{
			low = density;
		}
		else
		{
			high = density;
		}
	}
	return 0.5 * ( low + high );
}

// The grid of a layer of so much cover. Cells hold the largest nodule: first some stay empty, so that the rows do not show; where
// nodules are crowded fewer do, and then outlines become rounder.
static void plan_layer( ds_seabed_layer *layer, double area, double cover )
{
	const double most_occupied = 0.7,
				 longest = sqrt( DS_NODULE_ASPECT ) * ( 1 + DS_NODULE_REACH * DS_NODULE_LOBES ) - 1;
	double largest = 2 * (double)layer->radii[DS_SEABED_SIZES];
	double irregular = 1, cell = largest * ( 1 + longest ), occupied = cover * cell * cell / area;
	if ( occupied < most_occupied )
	{
		occupied = most_occupied;
	}
	if ( occupied > 1 )
	{
		occupied = 1;
		irregular = ( sqrt( area / cover ) / largest - 1 ) / longest;
		irregular = irregular < 0 ? 0 : irregular;
	}
	cell = sqrt( occupied * area / cover );
	layer->cell = (float)cell;
	layer->irregular = (float)irregular;
	layer->stretch = (float)( 1 + longest * irregular );
	layer->occupied = (uint32_t)( 65536 * occupied + 0.5 );
	layer->cover = (float)( area * layer->occupied / 65536 / ( cell * cell ) );
}

void ds_seabed_plan_make( const ds_seabed_look *look, ds_seabed_plan *plan )
{
	memset( plan, 0, sizeof( *plan ) );
	plan->look = *look;
	plan->seed = mix( (uint64_t)look->seed );
	plan->free = 1;
	plan_noise( plan );

	// the widest part of a nodule lies in the sediment by ( 2 burial - 1 ) of half its height
	double deep = 2 * look->nodule_burial - 1;
	plan->rim = (float)sqrt( 1 - ( deep > 0 ? deep * deep : 0 ) );
	for ( int i = 0; i < 64; ++i )
	{
		plan->directions[i][0] = (float)cos( 2 * DS_PI * i / 64 );
		plan->directions[i][1] = (float)sin( 2 * DS_PI * i / 64 );
	}
	if ( !( look->nodule_cover > 0 ) )
	{
		return;
	}
	double share[DS_SEABED_LAYERS], area[DS_SEABED_LAYERS];
	plan_sizes( plan, share, area );
	double density = density_of( plan, share, area );
	for ( int k = 0; k < plan->layer_count; ++k )
	{
		ds_seabed_layer *layer = plan->layers + k;
		plan_layer( layer, area[k], density * share[k] * area[k] );
		layer->seed = mix( plan->seed + ( (uint64_t)k + 1 ) * 0x100000000u );
		layer->start = mix( layer->seed + UINT64_C( 0x100000000 ) ) / 4294967296.0;
		double turn = 2 * DS_PI * ( mix( layer->seed ) & 0xFFFF ) / 65536;
		layer->turn[0] = (float)cos( turn );
		layer->turn[1] = (float)sin( turn );
		layer->cosine = cos( turn ) / layer->cell;
		layer->sine = sin( turn ) / layer->cell;
		layer->inverse = 1 / layer->diameter;
		plan->free *= 1 - layer->cover;
	}
}
