#include "optics/snow.h"

#include "base/random.h"
#include "deepsim/math.h"

#include <math.h>

#define MEAN       4.0 // particles in a cell
#define MOST       DS_COUNT( ( (ds_snow *)0 )->chance ) // in a cell: beyond 31 of a mean of 4 lie 1e-17
#define WIDEST     128 // spot [px]
#define FINEST     0.7f // a smaller one might fall between the centres of pixels [px]
#define FLAT_SLOPE 1e-6 // below it diameters are spread evenly by their logarithm

// ---- the field -----------------------------------------------------------------------------------------------------

void ds_snow_make( const ds_snow_config *config, uint64_t seed, ds_snow *snow )
{
	*snow = ( ds_snow ){ .density = config->density,
		.minimum = config->minimum,
		.slope = config->slope,
		.reflectance = config->reflectance,
		.range = config->range };
	ds_random stream = ds_random_stream( seed, "marine snow", DS_RANDOM_RESET, 0 );
	snow->key[0] = stream.key[0];
	snow->key[1] = stream.key[1];
	snow->cell = config->density > 0 ? cbrt( MEAN / config->density ) : 1;
	double term = exp( -MEAN ), sum = 0;
	for ( int n = 0; n < MOST; ++n )
	{
		sum += term;
		snow->chance[n] = sum;
		term *= MEAN / ( n + 1 );
	}
	if ( config->slope > FLAT_SLOPE )
	{
		snow->low = pow( config->maximum / config->minimum, -config->slope );
		snow->span = 1 - snow->low;
	}
	else
	{
		snow->low = log( config->maximum / config->minimum );
	}
}

// `share`: of the particles that are smaller, in [0, 1).
static double diameter_of( const ds_snow *snow, double share )
{
	if ( snow->slope > FLAT_SLOPE )
	{
		return snow->minimum * pow( snow->low + ( 1 - share ) * snow->span, -1 / snow->slope );
	}
	return snow->minimum * exp( share * snow->low );
}

// Block `draw` of a cell. Coordinates beyond 32 bits wrap: the field repeats after 2^32 cells.
static void draw_of( const ds_snow *snow, const int64_t cell[3], uint32_t draw, uint32_t out[4] )
{
	const uint32_t counter[4] = { draw, (uint32_t)cell[0], (uint32_t)cell[1], (uint32_t)cell[2] };
	ds_philox( counter, snow->key, out );
}

static int count_of( const ds_snow *snow, const int64_t cell[3] )
{
	uint32_t words[4];
	draw_of( snow, cell, 0, words );
	double share = (double)( ( (uint64_t)words[0] << 32 | words[1] ) >> 11 ) * 0x1p-53;
	int count = 0;
	while ( count < MOST - 1 && share >= snow->chance[count] )
	{
		++count;
	}
	return count;
}

// ---- what is seen --------------------------------------------------------------------------------------------------

// Extent of a cone of range 1 along an axis, from the cosine of the angle between the axis and the cone's own.
static double extent( double cosine, double half_angle )
{
	double angle = acos( fmax( -1, fmin( 1, cosine ) ) );
	return angle <= half_angle ? 1 : fmax( 0, cos( angle - half_angle ) );
}

// Box of a cone of range 1 about its apex.
static void box_of( const ds_snow_view *view, double low[3], double high[3] )
{
	const double axis[3] = { view->ahead.x, view->ahead.y, view->ahead.z };
	for ( int i = 0; i < 3; ++i )
	{
		high[i] = extent( axis[i], view->half_angle );
		low[i] = -extent( -axis[i], view->half_angle );
	}
}

// The longest that the box of a cone of range 1 gets along an axis, in whatever direction the cone points.
static double widest( double half_angle )
{
	return half_angle < 0.5 * DS_PI ? fmax( 1, 2 * sin( half_angle ) ) : 2;
}

double ds_snow_reach( const ds_snow *snow, const ds_snow_view *view, int64_t capacity )
{
	double room = (double)capacity;
	if ( !( snow->density > 0 ) || capacity < 1 )
	{
		return 0;
	}
	// n + 6 sqrt( n ) = room
	double root = sqrt( 9 + room ) - 3, expected = root * root;
	double solid = 2 * DS_PI * ( 1 - cos( view->half_angle ) );
	double range = fmin( snow->range, cbrt( 3 * expected / ( snow->density * solid ) ) );
	// a box of that edge touches one cell more than it is wide, and another one at its ends
	double edge = cbrt( 16 * room + 4096 ) - 2;
	return fmin( range, edge * snow->cell / widest( view->half_angle ) );
}

typedef struct visit
{
	const ds_snow *snow;
	const ds_snow_view *view;
	double reach, cosine; // of the half angle
	ds_snow_particle *particles;
	int64_t count, capacity;
} visit;

// Whether a sphere touches the cone, or nearly.
static bool touches( const visit *v, ds_vec3 at, double radius )
{
	double distance = ds_length( at );
	if ( distance <= radius )
	{
		return true;
	}
	if ( distance - radius > v->reach )
	{
		return false;
	}
	// the angle from the axis, less that under which the sphere is seen, is inside: cos( angle - seen ) or less than it
	double ahead = ds_dot( at, v->view->ahead ), aside = sqrt( fmax( 0, distance * distance - ahead * ahead ) );
	double sine = radius / distance, cosine = sqrt( 1 - sine * sine );
	return ahead * cosine + aside * sine >= distance * v->cosine || ahead >= distance * cosine;
}

static void take_cell( visit *v, const int64_t cell[3], ds_vec3 corner )
{
	const ds_snow *snow = v->snow;
	const ds_snow_view *view = v->view;
	int count = count_of( snow, cell );
	for ( int n = 0; n < count && v->count < v->capacity; ++n )
	{
		uint32_t words[4];
		draw_of( snow, cell, 1 + (uint32_t)n, words );
		const double step = snow->cell * 0x1p-32;
		ds_vec3 at = ds_add( corner, ds_v3( step * words[0], step * words[1], step * words[2] ) );
		double range = ds_length( at ), ahead = ds_dot( at, view->ahead );
		if ( range > v->reach || range < view->nearest || ahead < range * v->cosine )
		{
			continue;
		}
		v->particles[v->count++] =
			( ds_snow_particle ){ { (float)ds_dot( at, view->right ), (float)ds_dot( at, view->down ), (float)ahead },
				(float)range, (float)diameter_of( snow, words[3] * 0x1p-32 ), (float)snow->reflectance };
	}
}

int64_t ds_snow_visit( const ds_snow *snow, const ds_snow_view *view, int64_t capacity, ds_snow_particle *particles )
{
	visit v = { .snow = snow,
		.view = view,
		.reach = ds_snow_reach( snow, view, capacity ),
		.cosine = cos( view->half_angle ),
		.particles = particles,
		.capacity = capacity };
	ds_vec3 eye = ds_sub( view->eye, view->moved );
	if ( !( v.reach > 0 ) || !isfinite( eye.x + eye.y + eye.z ) )
	{
		return 0;
	}
	const double from[3] = { eye.x, eye.y, eye.z };
	double low[3], high[3];
	int64_t first[3], last[3];
	box_of( view, low, high );
	for ( int i = 0; i < 3; ++i )
	{
		// beyond, cells are finer than the coordinates' last bit
		if ( fabs( from[i] ) > 0x1p50 * snow->cell )
		{
			return 0;
		}
		first[i] = (int64_t)floor( ( from[i] + low[i] * v.reach ) / snow->cell );
		last[i] = (int64_t)floor( ( from[i] + high[i] * v.reach ) / snow->cell );
	}
	double half = 0.5 * snow->cell, around = sqrt( 3 ) * half;
	for ( int64_t i = first[0]; i <= last[0]; ++i )
	{
		for ( int64_t j = first[1]; j <= last[1]; ++j )
		{
			for ( int64_t k = first[2]; k <= last[2]; ++k )
			{
				const int64_t cell[3] = { i, j, k };
				ds_vec3 corner = ds_v3( (double)i * snow->cell - from[0], (double)j * snow->cell - from[1],
					(double)k * snow->cell - from[2] );
				if ( touches( &v, ds_add( corner, ds_v3( half, half, half ) ), around ) )
				{
					take_cell( &v, cell, corner );
				}
			}
		}
	}
	return v.count;
}

// ---- light ---------------------------------------------------------------------------------------------------------

void ds_snow_tile( const ds_snow_particle *particles, int32_t count, ds_tile *tile )
{
	tile->count = count;
	for ( int32_t i = 0; i < count; ++i )
	{
		const ds_snow_particle *p = particles + i;
		for ( int axis = 0; axis < 3; ++axis )
		{
			float direction = p->position[axis] / p->range;
			tile->origin[axis][i] = 0;
			tile->direction[axis][i] = direction;
			tile->normal[axis][i] = -direction;
			tile->color[axis][i] = p->reflectance;
		}
		tile->range[i] = p->range;
		tile->metallic[i] = 0;
		tile->roughness[i] = 1;
		tile->sunny[i] = 1;
		for ( int lamp = 0; lamp < DS_MAX_LAMPS; ++lamp )
		{
			tile->visible[lamp][i] = 1;
		}
	}
}

void ds_snow_take( const ds_light_scene *scene, const ds_tile *tile, int32_t i, ds_snow_spot *spot )
{
	spot->range = tile->range[i];
	for ( int32_t band = 0; band < scene->bands; ++band )
	{
		spot->radiance[band] =
			tile->surface[band][i] * expf( -scene->c[band] * tile->range[i] ) + tile->scattered[band][i];
	}
}

// ---- drawing -------------------------------------------------------------------------------------------------------

// Share of a pixel at a distance from the centre that a disc covers, roughly: its edge is a pixel soft.
static float cover_of( float radius, float distance )
{
	return fminf( 1, fmaxf( 0, radius + 0.5f - distance ) );
}

static void splat( const ds_snow_frame *frame, const ds_snow_spot *spot )
{
	float radius = 0.5f * fmaxf( spot->diameter, fmaxf( frame->blur, FINEST ) ), reach = radius + 0.5f;
	// far outside, before numbers become integers
	if ( !( spot->u > -reach - 1 && spot->u < (float)frame->width + reach && spot->v > -reach - 1 &&
			 spot->v < (float)frame->height + reach && radius <= 0.5f * WIDEST && spot->diameter > 0 ) )
	{
		return;
	}
	int left = (int)floorf( spot->u - reach ), right = (int)ceilf( spot->u + reach );
	int top = (int)floorf( spot->v - reach ), bottom = (int)ceilf( spot->v + reach );
	float sum = 0;
	for ( int y = top; y <= bottom; ++y )
	{
		for ( int x = left; x <= right; ++x )
		{
			float du = (float)x - spot->u, dv = (float)y - spot->v;
			sum += cover_of( radius, sqrtf( du * du + dv * dv ) );
		}
	}
	float share = 0.25f * (float)DS_PI * spot->diameter * spot->diameter / sum;
	for ( int y = top > 0 ? top : 0; y <= bottom && y < frame->height; ++y )
	{
		for ( int x = left > 0 ? left : 0; x <= right && x < frame->width; ++x )
		{
			int64_t at = (int64_t)y * frame->width + x;
			float du = (float)x - spot->u, dv = (float)y - spot->v;
			float weight = share * cover_of( radius, sqrtf( du * du + dv * dv ) );
			if ( !( weight > 0 ) || ( frame->range && frame->range[at] < spot->range ) )
			{
				continue;
			}
			float behind = 1 - fminf( 1, weight );
			for ( int32_t band = 0; band < frame->bands; ++band )
			{
				float *plane = frame->planes[band];
				plane[at] = behind * plane[at] + weight * spot->radiance[band];
			}
		}
	}
}

void ds_snow_splat( const ds_snow_frame *frame, const ds_snow_spot *spots, int64_t count )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		splat( frame, spots + i );
	}
}
