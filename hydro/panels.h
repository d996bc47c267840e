// Added mass of a closed triangle mesh in ideal fluid, by source panels: unbounded, under a free surface, or over a seabed.
//
// Sources: Hess & Smith, J. Ship Research 8 (1964) and Prog. Aeronautical Sci. 8 (1967): uniform sources on flat panels;
// Newman, J. Eng. Math. 20 (1986): potential of a flat panel; Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983):
// solid angle of a triangle; Lamb, Hydrodynamics, 6th ed. (1932), articles 118-121: the energy that defines added mass.
//
// Each panel holds sources of one strength. A source of panel j sends through panel i the flux of the solid angle under which
// i is seen from j's centroid; what is left of panel j's own strength goes through j itself:
//     A_j = sum_i A_i n_i.u_ij.
// So no water is lost, whatever the shape of the panels. The potential of each panel is exact. On smooth bodies the error goes
// with the area of the panels: 0.35 % of a sphere's added mass at 1280. With edges it falls more slowly: 1.5 % of a cube's.
//
// Large faces are split into panels, which costs nothing but time: they cannot take up what changes along them. Time and memory
// go with the square of the panels' number: 0.2 s for 1280, 3.3 s and 210 MB for 5120.
//
// Thin parts want panels not much wider than the part is thick; the log hook is told where they are not. (A square plate of a
// fiftieth of its width, in panels of a tenth: 7 % too much across itself.) Parts must not touch. A closed hollow inside the
// body counts as flooded: its water is carried along.

#ifndef DEEPSIM_HYDRO_PANELS_H
#define DEEPSIM_HYDRO_PANELS_H

#include "deepsim/base.h"
#include "deepsim/types.h"

// Most faces that are taken: 288 MB of matrix. (Of panels too, once faces are split.)
#define DS_PANELS_MOST 6000

// A plane that bounds the water.
typedef enum ds_panel_boundary
{
	DS_PANELS_UNBOUNDED,
	DS_PANELS_SURFACE, // free surface above: potential 0 there, the limit of fast motion (negative images)
	DS_PANELS_SEABED // rigid plane below: no flow through it (positive images)
} ds_panel_boundary;

// Start from ds_panel_options_default().
typedef struct ds_panel_options
{
	double density; // of the water [kg/m3]; 1025
	ds_vec3 about; // point that the matrix is given about, mesh axes [m]; (0, 0, 0)
	ds_panel_boundary boundary; // DS_PANELS_UNBOUNDED
	double distance; // from the mesh's origin up to the surface or down to the seabed [m]
	ds_vec3 up; // direction away from the seabed and towards the surface, mesh axes, any length; (0, 0, -1)
	int64_t least; // panels to use: large faces are split; 0: faces as they are; at most 3000; 1280
	void ( *progress )( void *user, double share ); // of the work, in [0, 1]; NULL
	bool ( *cancel )( void *user ); // asked now and then; true: DS_ERROR_CANCELLED; NULL
	void *user;
} ds_panel_options;

ds_panel_options ds_panel_options_default( void );

// Errors: NOT_FINITE, RANGE, ARGUMENT.
ds_status ds_panel_options_check( const ds_panel_options *options );

// Added mass 6x6 [kg, kg m, kg m2] about `options->about`, in the axes of the mesh (order of ds_mat6), symmetric and positive
// definite. Vertices [m]; triangles: 3 vertex indices each, counter-clockwise seen from the water. `options` and `hooks` may be
// NULL; with hooks, memory comes from their allocator and warnings go to their log.
// Errors: ARGUMENT, NOT_FINITE, RANGE (density, a plane that cuts the body, a face without area, faces too coarse for a thin
// part), LIMIT (too many faces), MESH_EMPTY, MESH_OPEN, MESH_WINDING (faces wound inward; parts that touch or overlap), MEMORY,
// CANCELLED.
ds_status ds_added_mass_panels( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles,
	int64_t face_count, const ds_panel_options *options, const ds_hooks *hooks, ds_mat6 *added_mass );

#endif
