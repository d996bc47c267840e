// 6x6 inertia: rigid body, change of reference point and axes, Coriolis and centripetal terms.
//
// Order of Fossen: 3 linear, then 3 angular; nu = ( v, w ), body axes, about the reference point.
// Source: Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed. (2021), chapters 3 and 6.

#ifndef DEEPSIM_HYDRO_MASS_H
#define DEEPSIM_HYDRO_MASS_H

#include "deepsim/base.h"
#include "deepsim/types.h"

// Inertia of a rigid body about the origin: mass [kg], centre of gravity [m], inertia about the centre of gravity
// [kg m2] in the same axes. Fossen eq. (3.27).
ds_mat6 ds_mat6_rigid( double mass, ds_vec3 cg, const ds_mat3 *inertia_about_cg );

// Inertia about the origin of a matrix given about the point `from`, same axes: H^T M H with H = [ I, -S(from); 0, I ].
ds_mat6 ds_mat6_shift( const ds_mat6 *m, ds_vec3 from );

// Inertia in the parent axes of a matrix given in axes turned by `attitude` (given axes to parent axes), same point.
ds_mat6 ds_mat6_rotate( const ds_mat6 *m, ds_quat attitude );

// Sum of two matrices.
ds_mat6 ds_mat6_add( const ds_mat6 *a, const ds_mat6 *b );

// Checks that a matrix is finite, symmetric (to 1e-9 of its diagonal scale) and positive semidefinite; `what` names it
// in the error ("added mass"). With `definite` it must be positive definite.
// Errors: NOT_FINITE, RANGE; the sentence names the entry or the eigenvalue.
ds_status ds_mat6_check_spd( const ds_mat6 *m, bool definite, const char *what );

// C(nu) nu of Kirchhoff's equations, for any symmetric M (rigid, added, or both): with ( P, L ) = M nu,
// [ w x P ; w x L + v x P ]. Does no work: nu . out = 0. Fossen eq. (6.43); belongs on the left-hand side.
void ds_coriolis( const ds_mat6 *m, const double nu[6], double out[6] );

#endif
