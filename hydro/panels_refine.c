// Splits large faces into several panels. The surface stays as it is, so nothing has to match along edges: the pieces of a
// panel are seen under its own solid angle.

#include "hydro/panels_internal.h"

#include "deepsim/math.h"

#include <math.h>

// Edges that differ by less are equal, so that rounding does not choose between them: a turned mesh is split alike.
#define EQUAL 1e-6

static double longest_edge( const ds_panel *panel, int *which )
{
	double longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double length = ds_length( ds_sub( panel->corner[( k + 1 ) % 3], panel->corner[k] ) );
		if ( length > longest * ( 1 + EQUAL ) )
		{
			longest = length;
			*which = k;
		}
	}
	return longest;
}

// Halves a panel at its longest edge; `other` becomes its second half. False if a half would have no area.
static bool halve( ds_panel *panel, ds_panel *other )
{
	int k = 0;
	(void)longest_edge( panel, &k );
	ds_vec3 a = panel->corner[k], b = panel->corner[( k + 1 ) % 3], c = panel->corner[( k + 2 ) % 3];
	ds_vec3 middle = ds_scale( 0.5, ds_add( a, b ) );
	ds_panel first;
	if ( !ds_panel_set( &first, a, middle, c ) || !ds_panel_set( other, middle, b, c ) )
	{
		return false;
	}
	*panel = first;
	return true;
}

int64_t ds_panels_refine( ds_panel *panels, int64_t count, int64_t capacity, int64_t least, double longest )
{
	for ( ;; )
	{
		double length = 0;
		int which = 0;
		for ( int64_t i = 0; i < count; ++i )
		{
			length = fmax( length, longest_edge( panels + i, &which ) );
		}
		if ( count >= least && length <= longest )
		{
			return count;
		}
		// all that are as long as the longest together, which keeps the symmetry of the body
		for ( int64_t i = 0, present = count; i < present; ++i )
		{
			if ( longest_edge( panels + i, &which ) >= length * ( 1 - 2 * EQUAL ) )
			{
				if ( count == capacity || !halve( panels + i, panels + count ) )
				{
					return count;
				}
				++count;
			}
		}
	}
}
