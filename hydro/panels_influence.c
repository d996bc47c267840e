// Solid angle and potential of a flat triangle.

#include "hydro/panels_internal.h"

#include "deepsim/math.h"

#include <math.h>

bool ds_panel_set( ds_panel *panel, ds_vec3 a, ds_vec3 b, ds_vec3 c )
{
	ds_vec3 twice = ds_cross( ds_sub( b, a ), ds_sub( c, a ) );
	double length = ds_length( twice );
	panel->corner[0] = a;
	panel->corner[1] = b;
	panel->corner[2] = c;
	panel->centroid = ds_scale( 1.0 / 3, ds_add( a, ds_add( b, c ) ) );
	panel->area = 0.5 * length;
	panel->root_area = sqrt( panel->area );
	if ( !( panel->area > 0 ) )
	{
		return false;
	}
	panel->normal = ds_scale( 1 / length, twice );
	return true;
}

// Van Oosterom & Strackee (1983), eq. (8).
double ds_panel_solid_angle( const ds_panel *panel, ds_vec3 point )
{
	ds_vec3 a = ds_sub( panel->corner[0], point ), b = ds_sub( panel->corner[1], point );
	ds_vec3 c = ds_sub( panel->corner[2], point );
	double la = ds_length( a ), lb = ds_length( b ), lc = ds_length( c );
	double triple = ds_dot( a, ds_cross( b, c ) );
	double base = la * lb * lc + ds_dot( a, b ) * lc + ds_dot( b, c ) * la + ds_dot( c, a ) * lb;
	return 2 * atan2( triple, base );
}

// By edges: the sum of distance in the plane to each edge times its logarithm, less the height times the solid angle.
double ds_panel_potential( const ds_panel *panel, ds_vec3 point )
{
	ds_vec3 to[3];
	double radius[3], sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		to[k] = ds_sub( panel->corner[k], point );
		radius[k] = ds_length( to[k] );
	}
	for ( int k = 0; k < 3; ++k )
	{
		int next = k == 2 ? 0 : k + 1;
		ds_vec3 edge = ds_sub( panel->corner[next], panel->corner[k] );
		double length = ds_length( edge ), round = radius[k] + radius[next];
		// a point on the edge itself gains nothing from it: the distance is 0
		if ( round - length > 1e-15 * round )
		{
			double distance = ds_dot( ds_cross( edge, panel->normal ), to[k] ) / length;
			sum += distance * log( ( round + length ) / ( round - length ) );
		}
	}
	double height = fabs( ds_dot( panel->normal, to[0] ) );
	return height > 0 ? sum - height * fabs( ds_panel_solid_angle( panel, point ) ) : sum;
}
