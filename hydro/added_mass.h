// Added mass of ellipsoids in unbounded ideal fluid, and the ellipsoid that stands for a mesh.
//
// Source: Lamb, Hydrodynamics, 6th ed. (1932), articles 114 and 115.

#ifndef DEEPSIM_HYDRO_ADDED_MASS_H
#define DEEPSIM_HYDRO_ADDED_MASS_H

#include "deepsim/base.h"
#include "deepsim/types.h"
#include "hydro/mass.h"

// Added mass of an ellipsoid about its centre, along its own axes: m[0..2] [kg] along x, y, z, m[3..5] [kg m2] about
// them; all other entries of its 6x6 are zero. Semi-axes in metres, in any order of size; equal ones are allowed.
// Errors: ARGUMENT, NOT_FINITE, RANGE.
ds_status ds_added_mass_ellipsoid( ds_vec3 semi_axes, double density, double m[6] );

// The ellipsoid of the same volume [m3] and, up to one scale, the same principal moments as a body whose inertia at a
// density of 1 kg/m3, about its centroid, is `unit_density_inertia` [m5]. `axes` turns ellipsoid axes into those of the
// inertia; each ellipsoid axis is the one nearest to the body axis of the same name.
// Errors: ARGUMENT, NOT_FINITE, RANGE (not the inertia of a solid).
ds_status ds_ellipsoid_of_inertia(
	double volume, const ds_mat3 *unit_density_inertia, ds_vec3 *semi_axes, ds_quat *axes );

// Eigenvalues (in the order of the nearest axes) and rotation (eigenvector axes to given axes) of a symmetric matrix, by
// Jacobi's method.
void ds_principal_axes( const ds_mat3 *symmetric, ds_vec3 *values, ds_quat *axes );

#endif
