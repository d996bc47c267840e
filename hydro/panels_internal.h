// Inside hydro/panels*.c: one panel's influence, and the linear solver.

#ifndef DEEPSIM_HYDRO_PANELS_INTERNAL_H
#define DEEPSIM_HYDRO_PANELS_INTERNAL_H

#include "base/base.h"
#include "hydro/panels.h"

// A flat face with sources of one strength.
typedef struct ds_panel
{
	ds_vec3 corner[3]; // counter-clockwise seen from the water
	ds_vec3 centroid, normal; // normal: unit, into the water
	double area, root_area; // [m2], [m]
} ds_panel;

// Sets up a panel; false if the triangle has no area.
bool ds_panel_set( ds_panel *panel, ds_vec3 a, ds_vec3 b, ds_vec3 c );

// Solid angle [sr] under which a panel is seen from a point: positive from behind it (the body's side), in [-2 pi, 2 pi].
double ds_panel_solid_angle( const ds_panel *panel, ds_vec3 point );

// Integral of 1/r over a panel, seen from a point [m].
double ds_panel_potential( const ds_panel *panel, ds_vec3 point );

// Halves panels at their longest edges, the longest first, until there are `least` panels or more and no edge is longer than
// `longest` [m], or `capacity`, the room there is, is used up. Returns the new count.
int64_t ds_panels_refine( ds_panel *panels, int64_t count, int64_t capacity, int64_t least, double longest );

// Asked between pieces of work; anything but DS_OK ends it.
typedef ds_status ds_panel_pause( void *user );

// Solves A x = b by GMRES without restarts (Saad & Schultz, SIAM J. Sci. Stat. Comput. 7, 1986) down to a residual of
// `tolerance`. `columns`: n x n, column after column. Sums run in a fixed order.
// Errors: RANGE when it does not converge, MEMORY, and what `pause` returns.
ds_status ds_panels_solve( const ds_allocator *allocator, const double *columns, int64_t n, const double *b,
	double tolerance, ds_panel_pause *pause, void *user, double *x );

#endif
