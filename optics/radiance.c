// Light on a tile: what is worked out once for it, and the choice of the kernel.

#include "optics/radiance.h"

#include "deepsim/math.h"
#include "optics/pure_water.h"
#include "optics/radiance_kernel.h"

#include <math.h>

// Refractive index of what dielectrics are made of (glTF 2.0's default).
#define DIELECTRIC_INDEX 1.5

int ds_light_kernels( const ds_light_kernel *kernels[DS_LIGHT_KERNELS] )
{
	int count = 0;
#if defined( __x86_64__ )
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		kernels[count++] = &ds_light_kernel_avx512;
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_light_kernel_avx2;
	}
#endif
	kernels[count++] = &ds_light_kernel_plain;
	return count;
}

// Nodes and weights of Gauss-Legendre's rule, by Newton's method on the polynomial.
static void gauss_legendre( int n, float *node, float *weight )
{
	for ( int i = 0; i < ( n + 1 ) / 2; ++i )
	{
		double x = cos( DS_PI * ( i + 0.75 ) / ( n + 0.5 ) ), slope = 1;
		for ( int k = 0; k < 4; ++k )
		{
			double p = x, before = 1;
			for ( int j = 2; j <= n; ++j )
			{
				double next = ( ( 2 * j - 1 ) * x * p - ( j - 1 ) * before ) / j;
				before = p;
				p = next;
			}
			slope = n * ( x * p - before ) / ( x * x - 1 );
			x -= p / slope;
		}
		double w = 2 / ( ( 1 - x * x ) * slope * slope );
		node[i] = (float)-x;
		node[n - 1 - i] = (float)x;
		weight[i] = weight[n - 1 - i] = (float)w;
	}
}

// Where next to nothing shines: below 1e-3 of the most up to a cosine. By blocks of the profile, each with its neighbours' ends.
static void make_clips( const ds_lamp *lamp, float *clip )
{
	enum
	{
		BLOCK = DS_LAMP_PROFILE / DS_LIGHT_CLIPS
	};
	float most[DS_LIGHT_CLIPS];
	for ( int i = 0; i < DS_LIGHT_CLIPS; ++i )
	{
		const float *p = lamp->profile + i * BLOCK;
		float m = p[0];
		for ( int j = 1; j <= BLOCK && i * BLOCK + j < DS_LAMP_PROFILE; ++j )
		{
			m = p[j] > m ? p[j] : m;
		}
		most[i] = m;
	}
	float high = 0;
	int first = 0;
	for ( int i = 0; i <= DS_LIGHT_CLIPS; ++i )
	{
		int block = i < DS_LIGHT_CLIPS ? i : DS_LIGHT_CLIPS - 1;
		high = most[block] > high ? most[block] : high;
		while ( first < block && most[first] < 1e-3f * high )
		{
			++first;
		}
		double cosine = lamp->cos_limit + ( 1 - lamp->cos_limit ) * first * BLOCK / ( DS_LAMP_PROFILE - 1 );
		clip[i] = cosine <= -1 ? -2 : (float)cosine;
	}
}

static void make_source( const ds_lit_lamp *lit, int bands, ds_light_source *source )
{
	const ds_lamp *lamp = lit->lamp;
	for ( int k = 0; k < 3; ++k )
	{
		source->position[k] = lit->position[k];
		source->axis[k] = lit->axis[k];
	}
	for ( int k = 0; k < bands; ++k )
	{
		source->power[k] = lit->power[k];
	}
	source->radius2 = (float)( lamp->radius * lamp->radius );
	source->limit = (float)lamp->cos_limit;
	source->scale = (float)( ( DS_LAMP_PROFILE - 1 ) / fmax( 1 - lamp->cos_limit, 1e-9 ) );
	source->profile = lamp->profile;
	make_clips( lamp, source->clip );
}

void ds_light_setup_make( const ds_light_scene *scene, ds_light_setup *setup )
{
	const bool wet = scene->depth >= 0;
	double least = INFINITY;
	setup->scene = scene;
	setup->phase = scene->phase;
	setup->bands = scene->bands;
	setup->lamps = scene->lamp_count;
	setup->steps = !wet || scene->phase == NULL ? 0 : scene->steps < DS_MAX_STEPS ? scene->steps : DS_MAX_STEPS;
	setup->is_sunny = setup->is_light = false;
	double sinking = scene->sun_direction[0] * scene->down[0] + scene->sun_direction[1] * scene->down[1] +
					 scene->sun_direction[2] * scene->down[2];
	for ( int k = 0; k < scene->bands; ++k )
	{
		setup->c[k] = wet ? scene->c[k] : 0;
		setup->fall[k] = -1.44269504f * setup->c[k];
		setup->bp[k] = wet ? scene->b_particles[k] : 0;
		setup->bw[k] = wet ? scene->b_water[k] : 0;
		setup->kd[k] = wet ? scene->kd[k] : 0;
		setup->forward[k] = setup->phase ? setup->bp[k] * setup->phase->forward + 0.5f * setup->bw[k] : 0;
		setup->sun[k] = sinking > 1e-3 ? (float)( scene->sun[k] / sinking ) : 0;
		setup->sky[k] = scene->sky[k];
		setup->is_sunny = setup->is_sunny || setup->sun[k] > 0;
		setup->is_light = setup->is_light || setup->sun[k] > 0 || setup->sky[k] > 0;
		least = fmin( least, setup->c[k] );
	}
	setup->far = (float)fmin( 4.5 / fmax( least, 1e-6 ), 1e6 );

	// normal reflectance (Fresnel) of the face between the medium and a dielectric
	double index = DIELECTRIC_INDEX / ( wet ? DS_WATER_INDEX : 1 ), f = ( index - 1 ) / ( index + 1 );
	setup->f0 = (float)( f * f );
	gauss_legendre( setup->steps, setup->node, setup->weight );
	for ( int i = 0; i < scene->lamp_count; ++i )
	{
		make_source( scene->lamps + i, scene->bands, setup->source + i );
	}
}

void ds_tile_light( const ds_light_scene *scene, ds_tile *tile )
{
	const ds_light_kernel *kernels[DS_LIGHT_KERNELS];
	ds_light_kernels( kernels );
	ds_light_setup setup;
	ds_light_setup_make( scene, &setup );
	kernels[0]->light( &setup, tile );
}

void ds_tile_nodes( const ds_light_scene *scene, const ds_tile *tile, int32_t lamp, float *distance )
{
	const ds_light_kernel *kernels[DS_LIGHT_KERNELS];
	ds_light_kernels( kernels );
	ds_light_setup setup;
	ds_light_setup_make( scene, &setup );
	kernels[0]->nodes( &setup, tile, lamp, distance );
}
