#include "hydro/waves.h"

#include "hydro/waves_internal.h"

#include <string.h>

// Phases of all components at a place and a time: sines and cosines.
static void find_phases( const ds_waves *w, double north, double east, double time, double *sine, double *cosine )
{
	for ( int32_t i = 0; i < w->count; ++i )
	{
		ds_wave_sincos( ds_wave_phase( w, i, north, east, time ), sine + i, cosine + i );
	}
}

double ds_waves_elevation( const ds_waves *waves, double north, double east, double time )
{
	double sum = 0;
	for ( int32_t i = 0; waves && i < waves->count; ++i )
	{
		double s, c;
		ds_wave_sincos( ds_wave_phase( waves, i, north, east, time ), &s, &c );
		sum += waves->height[i] * c;
	}
	return sum;
}

void ds_waves_at( const ds_waves *waves, ds_vec3 position, double time, ds_wave_point *point )
{
	memset( point, 0, sizeof( *point ) );
	point->depth = position.z;
	if ( waves == NULL || waves->count == 0 )
	{
		return;
	}
	double sine[DS_WAVES_MAX_COMPONENTS], cosine[DS_WAVES_MAX_COMPONENTS];
	find_phases( waves, position.x, position.y, time, sine, cosine );
	for ( int32_t i = 0; i < waves->count; ++i )
	{
		double slope = -waves->height[i] * waves->wavenumber[i] * sine[i];
		point->elevation += waves->height[i] * cosine[i];
		point->slope_north += slope * waves->north[i];
		point->slope_east += slope * waves->east[i];
	}
	point->depth = position.z + point->elevation;

	double s = ds_wave_stretch( waves->depth, waves->layer, -position.z, point->elevation );
	for ( int32_t i = 0; i < waves->count; ++i )
	{
		double direct, mirrored;
		ds_wave_profile( waves, i, s, &direct, &mirrored );
		double even = waves->height[i] * ( direct + mirrored ), odd = waves->height[i] * ( direct - mirrored );
		double speed = waves->speed[i], along = speed * even * cosine[i];
		double rise = speed * waves->omega[i], change = rise * even * sine[i];
		point->head += even * cosine[i];
		point->velocity.x += along * waves->north[i];
		point->velocity.y += along * waves->east[i];
		point->velocity.z -= speed * odd * sine[i];
		point->acceleration.x += change * waves->north[i];
		point->acceleration.y += change * waves->east[i];
		point->acceleration.z += rise * odd * cosine[i];
	}
}

ds_vec3 ds_waves_mean_acceleration(
	const ds_waves *waves, ds_vec3 position, double time, const double spread[4], ds_vec3 *convective )
{
	ds_vec3 mean = ds_v3( 0, 0, 0 );
	*convective = mean;
	if ( waves == NULL || waves->count == 0 )
	{
		return mean;
	}
	double sine[DS_WAVES_MAX_COMPONENTS], cosine[DS_WAVES_MAX_COMPONENTS], elevation = 0;
	find_phases( waves, position.x, position.y, time, sine, cosine );
	for ( int32_t i = 0; i < waves->count; ++i )
	{
		elevation += waves->height[i] * cosine[i];
	}
	double s = ds_wave_stretch( waves->depth, waves->layer, -position.z, elevation );
	ds_vec3 u = ds_v3( 0, 0, 0 ), gx = u, gy = u, gz = u; // velocity and its gradient, row by row
	for ( int32_t i = 0; i < waves->count; ++i )
	{
		double direct, mirrored, n = waves->north[i], e = waves->east[i], k = waves->wavenumber[i];
		ds_wave_profile( waves, i, s, &direct, &mirrored );
		double moment = n * n * spread[0] + 2 * n * e * spread[1] + e * e * spread[2] - spread[3];
		double share = moment > 0 ? exp( -0.5 * k * k * moment ) : 1;
		double rise = share * waves->height[i] * waves->speed[i] * waves->omega[i];
		double change = rise * ( direct + mirrored ) * sine[i];
		mean.x += change * n;
		mean.y += change * e;
		mean.z += rise * ( direct - mirrored ) * cosine[i];

		// u = a d cos psi, down -b sin psi, with da/dz = -k b, db/dz = -k a, dpsi = k d.dx
		double a = share * waves->height[i] * waves->speed[i] * ( direct + mirrored );
		double b = share * waves->height[i] * waves->speed[i] * ( direct - mirrored );
		double along = -k * a * sine[i], across = -k * b * cosine[i];
		u = ds_add( u, ds_v3( a * cosine[i] * n, a * cosine[i] * e, -b * sine[i] ) );
		gx = ds_add( gx, ds_v3( along * n * n, along * n * e, across * n ) );
		gy = ds_add( gy, ds_v3( along * n * e, along * e * e, across * e ) );
		gz = ds_add( gz, ds_v3( across * n, across * e, -along ) );
	}
	*convective = ds_v3( ds_dot( gx, u ), ds_dot( gy, u ), ds_dot( gz, u ) );
	return mean;
}

int32_t ds_waves_count( const ds_waves *waves )
{
	return waves->count;
}

ds_wave_component ds_waves_component( const ds_waves *waves, int32_t i )
{
	ds_wave_component c = { waves->height[i], waves->omega[i], waves->wavenumber[i], waves->direction[i],
		waves->phase[i] };
	return c;
}

double ds_waves_variance( const ds_waves *waves )
{
	return waves->variance;
}
