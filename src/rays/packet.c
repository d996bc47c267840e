#include "rays/packet.h"

#include "deepsim/math.h"

ds_ray_bounds ds_ray_bounds_of( ds_vec3 lower, ds_vec3 upper )
{
	ds_ray_bounds b;
	b.center = ds_scale( 0.5, ds_add( lower, upper ) );
	b.margin = DS_RAY_MARGIN * ds_length( ds_sub( upper, lower ) ) + 1e-9;
	// coordinates far off the origin are coarse themselves
	b.margin += 1e-15 * ( fabs( b.center.x ) + fabs( b.center.y ) + fabs( b.center.z ) );
	ds_vec3 m = ds_v3( b.margin, b.margin, b.margin );
	b.lower = ds_sub( lower, m );
	b.upper = ds_add( upper, m );
	return b;
}

// Cuts [*t0, *t1] to where a ray lies between two planes. False: it never does.
static inline bool cut( double o, double d, double lower, double upper, double *t0, double *t1 )
{
	if ( fabs( d ) < DS_RAY_LEAST )
	{
		return o >= lower && o <= upper;
	}
	double a = ( lower - o ) / d, b = ( upper - o ) / d;
	double enter = a < b ? a : b, leave = a < b ? b : a;
	*t0 = enter > *t0 ? enter : *t0;
	*t1 = leave < *t1 ? leave : *t1;
	return *t0 <= *t1;
}

void ds_ray_approach( const ds_ray_bounds *bounds, const ds_ray_packet *from, ds_ray_packet *to )
{
	to->lanes = 0;
	to->any = from->any;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		double o[3] = { 0, 0, 0 }, d[3] = { 0, 0, 0 }, t0 = 0, t1 = 0;
		bool enters = false;
		if ( from->lanes >> k & 1 )
		{
			for ( int x = 0; x < 3; ++x )
			{
				o[x] = from->origin[x][k];
				d[x] = from->direction[x][k];
			}
			t1 = ds_ray_slack( from->far[k] );
			enters = cut( o[0], d[0], bounds->lower.x, bounds->upper.x, &t0, &t1 ) &&
					 cut( o[1], d[1], bounds->lower.y, bounds->upper.y, &t0, &t1 ) &&
					 cut( o[2], d[2], bounds->lower.z, bounds->upper.z, &t0, &t1 );
		}
		to->lanes |= (uint32_t)enters << k;
		to->shift[k] = enters ? t0 : 0;
		to->far[k] = enters ? t1 - t0 : 0;
		to->item[k] = -1;
		for ( int x = 0; x < 3; ++x )
		{
			to->origin[x][k] = enters ? o[x] + t0 * d[x] : 0;
			to->direction[x][k] = enters ? d[x] : 0;
		}
	}
}

void ds_ray_single( const ds_ray_bounds *bounds, const ds_ray_packet *packet, ds_tree_packet *single )
{
	const double c[3] = { bounds->center.x, bounds->center.y, bounds->center.z };
	single->lanes = packet->lanes;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		for ( int x = 0; x < 3; ++x )
		{
			single->origin[x][k] = (float)( packet->origin[x][k] - c[x] );
			single->direction[x][k] = (float)packet->direction[x][k];
		}
		single->far[k] = ds_ray_beyond( packet->far[k] );
	}
}

void ds_ray_item_box(
	const ds_ray_bounds *bounds, ds_vec3 item_lower, ds_vec3 item_upper, float lower[3], float upper[3] )
{
	ds_vec3 a = ds_sub( item_lower, bounds->center ), b = ds_sub( item_upper, bounds->center );
	const double low[3] = { a.x, a.y, a.z }, high[3] = { b.x, b.y, b.z };
	for ( int x = 0; x < 3; ++x )
	{
		lower[x] = (float)( low[x] - bounds->margin );
		upper[x] = (float)( high[x] + bounds->margin );
	}
}
