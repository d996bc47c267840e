// Forces of a sea with waves on the faces of a closed mesh: faces.h on the instantaneous surface.
//
// Faces are cut where the pressure head z + dynamic head is zero, which by Wheeler's stretching is the surface; between
// the corners of a face the head is linear. Pressure is therefore hydrostatic and Froude-Krylov in one; drag acts on
// each face's velocity relative to the orbital motion at its own centroid. Faces have to be small against the waves
// that matter (an eighth of a wavelength): a longer one sees the waves at its corners alone.
// A body that is small against the shortest waves is the cheapest; a large one is taken in groups of faces, each with its own
// polynomials.

#ifndef DEEPSIM_HYDRO_FACES_WAVES_H
#define DEEPSIM_HYDRO_FACES_WAVES_H

#include "hydro/faces.h"
#include "hydro/waves_patch.h"

// Evaluates forces in waves. Cannot fail and allocates nothing.
//
// The reference point is at the patch's centre, flow->depth below the mean surface. flow->velocity is relative to the
// water there, waves included (current + patch->at.velocity). Results are as of ds_faces_evaluate, with
//   hydrostatic   pressure over what is wet, waves included; the density is that at the reference point if the body
//                 reaches the surface, else the dynamic pressure is added to the still water's
//   drag          also that of the differences of the orbital velocity over the body; drag = -D ( nu - water )
//   lift, magnus  those of still water as deep as the instantaneous surface is over the reference point
//   displaced_volume, wet_fraction   below the instantaneous surface
//   centre_of_buoyancy               where the vertical force of the pressure acts
// In flat water all results have the bits of ds_faces_evaluate.
void ds_faces_evaluate_waves(
	const ds_faces *faces, const ds_flow *flow, const ds_wave_patch *patch, ds_face_forces *out );

#endif
