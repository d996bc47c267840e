// Damping by matrices, as in Fossen's vector form, and the buoyancy of a volume: what a vehicle with identified coefficients
// needs besides its inertia (hydro/mass.h has M_RB, M_A and C(nu) nu).
//
// A plain model, without a world. nu = ( velocity, rate ) of the body relative to the water, body axes. SI units.
// The water resists the motion of the point `about` with
//
//     R(nu)_i = sum_j ( D_ij + |u| F_ij ) nu_j + sum_j Q_ij |nu_j| nu_j
//
// D linear, Q quadratic, F the damping that grows with the forward speed u: lift of the hull and of fixed fins at small angles of
// attack, Y_uv u v and the like, which Fossen writes into D for one speed of service. Q acts element by element on |nu_j| nu_j,
// the convention of published sets; a full Q resists by columns. Entries are positive where derivatives (X_u, X_|u|u) are negative.
//
// Sources: Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed. (2021), chapters 6.4 and 8.1; Prestero,
// Verification of a Six-Degree of Freedom Simulation Model for the REMUS AUV, MIT (2001), for the terms with u.

#ifndef DEEPSIM_HYDRO_FOSSEN_H
#define DEEPSIM_HYDRO_FOSSEN_H

#include "deepsim/base.h"
#include "deepsim/types.h"

// Plain data, immutable in use. Zeroed: no damping.
typedef struct ds_fossen
{
	ds_mat6 linear; // D [N s/m, N s, N m s]
	ds_mat6 quadratic; // Q [N s2/m2, N s2, N m s2]
	ds_mat6 forward; // F [N s2/m2, N s2, N m s2/rad]: times |u|
	ds_vec3 about; // the point that they are given about, relative to the reference point [m]
} ds_fossen;

// Checks that the entries are finite and that no motion gains energy from the damping: nu^T R(nu) >= 0 for all nu, for each
// matrix by itself. The sentence names the matrix, as "damping.quadratic", and the entry.
// D and F: the symmetric part is positive semidefinite. Q: the sum of nu_i Q_ij |nu_j| nu_j is not negative; surely so where
// its scaled entries c_ij = Q_ij / ( Q_ii Q_jj^2 )^(1/3) add up to no more than sum_j ( |c_ij| + 2 |c_ji| ) / 3 <= 1 in every i
// (Young's inequality), else by a search for the least value from 92 starts.
// Errors: NOT_FINITE, RANGE.
ds_status ds_fossen_check( const ds_fossen *fossen );

// True if all matrices are zero.
bool ds_fossen_is_none( const ds_fossen *fossen );

// R(nu) about the reference point, and (not NULL) its derivative by nu.
//
// R is taken at the midpoint velocity by the implicit step (src/core/motion.c), with this derivative in Newton's method: then
// it never gives energy, at any rate, and needs no secant.
void ds_fossen_resistance( const ds_fossen *fossen, const double nu[6], double resistance[6], double derivative[6][6] );

// Share of a sphere of a volume [m3] that is under water when its centre is at a depth [m]: for bodies without a mesh.
double ds_wet_share_of_sphere( double volume, double depth );

// Buoyancy of a volume [m3] at the point `cb` [m], body axes, about the reference point. `down` is world z in body axes.
ds_wrench ds_buoyancy( double volume, ds_vec3 cb, ds_vec3 down, double density, double gravity );

#endif
