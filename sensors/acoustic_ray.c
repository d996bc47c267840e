// The direct ray between two points of water whose speed of sound changes with depth alone.

#include "deepsim/acoustic.h"
#include "deepsim/math.h"

#include <math.h>

// Beyond this a layer's arc is taken for straight: log1p( y ) / y to the last bit.
#define SMALL 1e-5

static double speed_at( const ds_sound_profile *profile, double z )
{
	const double *d = profile->z, *c = profile->speed;
	int32_t last = profile->count - 1;
	if ( !( z > d[0] ) )
	{
		return c[0];
	}
	if ( z >= d[last] )
	{
		return c[last];
	}
	int32_t low = 0, high = last;
	while ( high - low > 1 )
	{
		int32_t middle = ( low + high ) / 2;
		*( d[middle] <= z ? &low : &high ) = middle;
	}
	return c[low] + ( c[high] - c[low] ) * ( z - d[low] ) / ( d[high] - d[low] );
}

// The layers between two depths: the next one below `z`, which ends at a level of the profile or at `bottom`.
static double layer_end( const ds_sound_profile *profile, double z, double bottom, int32_t *level )
{
	while ( *level < profile->count && profile->z[*level] <= z )
	{
		++*level;
	}
	return *level < profile->count && profile->z[*level] < bottom ? profile->z[*level] : bottom;
}

// log( 1 + y ) / y
static double log_ratio( double y )
{
	return fabs( y ) < SMALL ? 1 - y * ( 0.5 - y / 3 ) : log1p( y ) / y;
}

typedef struct ray
{
	double across, slope; // horizontal way [m], and its derivative by the ray parameter
	double time; // [s]
} ray;

// A ray of parameter p = cos( angle ) / c [s/m] from `top` down to `bottom`: p c < 1 in between.
static ray shoot( const ds_sound_profile *profile, double top, double bottom, double p )
{
	ray r = { 0, 0, 0 };
	int32_t level = 0;
	double z = top, c = speed_at( profile, top ), s = sqrt( fmax( 0, 1 - p * p * c * c ) );
	while ( z < bottom )
	{
		double end = layer_end( profile, z, bottom, &level ), d = end - z;
		double next = speed_at( profile, end ), sine = sqrt( fmax( 0, 1 - p * p * next * next ) );
		double sum = s + sine, both = c + next;
		r.across += p * d * both / sum;
		r.slope += d * both / sum + p * p * d * both * ( c * c / s + next * next / sine ) / ( sum * sum );
		double q = ( 1 + s + c * p * p * both / sum ) / ( c * ( 1 + sine ) );
		r.time += d * q * log_ratio( ( next - c ) * q );
		z = end;
		c = next;
		s = sine;
	}
	return r;
}

// Mean slowness down a column, and the greatest speed in it.
static void survey( const ds_sound_profile *profile, double top, double bottom, double *slowness, double *fastest )
{
	int32_t level = 0;
	double z = top, c = speed_at( profile, top ), sum = 0;
	*fastest = c;
	while ( z < bottom )
	{
		double end = layer_end( profile, z, bottom, &level ), next = speed_at( profile, end );
		sum += ( end - z ) / c * log_ratio( ( next - c ) / c );
		*fastest = fmax( *fastest, next );
		z = end;
		c = next;
	}
	*slowness = bottom > top ? sum / ( bottom - top ) : 1 / c;
}

// The parameter of the ray that goes `across`: its way grows with the parameter, and without a turn it has an end. False: too far.
static bool aim( const ds_sound_profile *profile, double top, double bottom, double across, double fastest, double *p )
{
	double low = 0, high = ( 1 - 1e-12 ) / fastest;
	if ( !( shoot( profile, top, bottom, high ).across > across ) )
	{
		return false;
	}
	double x = across / hypot( across, bottom - top ) / fastest;
	for ( int i = 0; i < 100; ++i )
	{
		ray r = shoot( profile, top, bottom, x );
		double miss = r.across - across;
		if ( fabs( miss ) <= 1e-13 * across )
		{
			break;
		}
		*( miss > 0 ? &high : &low ) = x;
		double next = x - miss / r.slope;
		next = next > low && next < high ? next : 0.5 * ( low + high );
		bool there = fabs( next - x ) <= 1e-15 * x;
		x = next;
		if ( there )
		{
			break;
		}
	}
	*p = x;
	return true;
}

static ds_status check( const ds_sound_profile *profile, ds_vec3 a, ds_vec3 b )
{
	if ( profile == NULL || profile->count < 1 || profile->z == NULL || profile->speed == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_sound_path_find needs a profile of at least one level" );
	}
	if ( !ds_finite( a ) || !ds_finite( b ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ds_sound_path_find: the ends must be finite" );
	}
	for ( int32_t i = 0; i < profile->count; ++i )
	{
		bool rises = i == 0 || profile->z[i] > profile->z[i - 1];
		if ( !isfinite( profile->z[i] ) || !rises || !( profile->speed[i] > 0 ) || !isfinite( profile->speed[i] ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"ds_sound_path_find: level %d of the profile must lie below the one before, with a speed above 0; got "
				"%g "
				"m, %g m/s",
				i, profile->z[i], profile->speed[i] );
		}
	}
	return DS_OK;
}

ds_status ds_sound_path_find( const ds_sound_profile *profile, ds_vec3 a, ds_vec3 b, ds_sound_path *path )
{
	ds_status status = check( profile, a, b );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_vec3 way = ds_sub( b, a );
	double top = fmin( a.z, b.z ), bottom = fmax( a.z, b.z ), across = hypot( way.x, way.y ), slowness, fastest, p;
	survey( profile, top, bottom, &slowness, &fastest );
	path->distance = ds_length( way );
	path->straight_time = path->distance * slowness;
	path->time = path->straight_time;
	path->straight = path->distance > 0 ? ds_scale( 1 / path->distance, way ) : ds_v3( 0, 0, 1 );
	path->direction = path->straight;
	path->bent = false;
	if ( !( bottom > top ) || !aim( profile, top, bottom, across, fastest, &p ) )
	{
		return DS_OK;
	}
	path->bent = true;
	path->time = shoot( profile, top, bottom, p ).time;
	double level = p * speed_at( profile, a.z ), plunge = sqrt( fmax( 0, 1 - level * level ) );
	double k = across > 0 ? level / across : 0;
	path->direction = ds_v3( k * way.x, k * way.y, way.z > 0 ? plunge : -plunge );
	return DS_OK;
}
