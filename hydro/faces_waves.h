// Forces of a sea with waves on the faces of a closed mesh: faces.h on the instantaneous surface.
//
// Faces are cut where the pressure head z + dynamic head is zero, which by Wheeler's stretching is the surface; between
// the corners of a face the head is linear. Pressure is therefore hydrostatic and Froude-Krylov in one; drag acts on
// each face's velocity relative to the orbital motion at its own centroid. Faces have to be small against the waves
// that matter (an eighth of a wavelength): a longer one sees the waves at its corners alone.

#ifndef DEEPSIM_HYDRO_FACES_WAVES_H
#define DEEPSIM_HYDRO_FACES_WAVES_H

#include "hydro/faces.h"
#include "hydro/waves_patch.h"

// Evaluates forces in waves. Cannot fail and allocates nothing.
//
// The reference point is at the patch's centre, flow->depth below the mean surface. flow->velocity is relative to the
// water there, waves included (current + patch->at.velocity). Results are as of ds_faces_evaluate, with
//   hydrostatic   pressure over what is wet, waves included
//   drag          also that of the differences of the orbital velocity over the body
//   drag_secant   D, with drag = -D ( nu - water )
//   displaced_volume, wet_fraction   below the instantaneous surface
//   centre_of_buoyancy               where the vertical force of the pressure acts
// `water` (NULL: not wanted): the twist of the water around the body relative to the water at the reference point, as drag
// weighs it, body axes: zero in still water and for a body that is small against the waves.
// In flat water all results have the bits of ds_faces_evaluate, and `water` is zero.
void ds_faces_evaluate_waves(
	const ds_faces *faces, const ds_flow *flow, const ds_wave_patch *patch, ds_face_forces *out, ds_twist *water );

#endif
