// The loops over places on a grid; included once for each kind of registers.

#include "terrain/terrain_at.h"

static void slopes( const ds_lattice *lattice, int64_t count, const double *north, const double *east, double *z,
	double *slope_north, double *slope_east )
{
	const ds_lattice g = *lattice; // a copy: what is written cannot change it
	// three loops, of which the first and the last run in wide registers
	double u[DS_TERRAIN_BATCH], v[DS_TERRAIN_BATCH];
	int32_t cell[DS_TERRAIN_BATCH];
	for ( int64_t k = 0; k < count; ++k )
	{
		ds_place p = ds_lattice_find( &g, north[k], east[k] );
		u[k] = p.u;
		v[k] = p.v;
		cell[k] = (int32_t)( p.i * (double)g.columns + p.j ); // exact, and faster than whole numbers
	}
	for ( int64_t k = 0; k < count; ++k )
	{
		ds_rises r = ds_lattice_rises( &g, cell[k], u[k] + v[k] > 1 );
		z[k] = r.corner;
		slope_north[k] = r.north;
		slope_east[k] = r.east;
	}
	for ( int64_t k = 0; k < count; ++k )
	{
		double height = z[k] + ( u[k] * slope_north[k] + ( v[k] - 1 ) * slope_east[k] );
		z[k] = ds_lattice_inside( &g, north[k], east[k] ) ? g.base + height : NAN;
		slope_north[k] *= g.per_north;
		slope_east[k] *= g.per_east;
	}
}

static void normals( int64_t count, const double *z, double *x, double *y, double *down )
{
	for ( int64_t k = 0; k < count; ++k )
	{
		double sn = z[k] == z[k] ? x[k] : 0, se = z[k] == z[k] ? y[k] : 0;
		double s = 1 / sqrt( 1 + ( sn * sn + se * se ) );
		x[k] = s * sn;
		y[k] = s * se;
		down[k] = -s;
	}
}
