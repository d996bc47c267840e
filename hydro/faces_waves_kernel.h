// Inside hydro/: the inner loop over faces in waves.

#ifndef DEEPSIM_HYDRO_FACES_WAVES_KERNEL_H
#define DEEPSIM_HYDRO_FACES_WAVES_KERNEL_H

#include "hydro/faces_kernel.h"
#include "hydro/waves_patch.h"

// The sea as faces see it. Where nothing is cut the sums hold the dynamic pressure alone.
typedef struct ds_wave_faces
{
	ds_wave_field *field;
	ds_vec3 north, east; // of the world, in body axes; ds_face_motion has down
	double x, y; // of the origin of the faces, north and east of the field's centre
	double depth; // of the origin of the faces below the mean surface
	ds_vec3 shear[3]; // added to the velocity, body axes: shear[0] + shear[1] d + shear[2] d^2, d = down.r
	ds_vec3 orbital; // velocity of the waves that ds_face_motion.velocity is relative to, world axes
	bool cut; // the body reaches the surface
	bool drag;
} ds_wave_faces;

// Sums besides those of ds_face_sums, where the head stands for the depth. u is the velocity of the water at a face
// relative to the reference point: the waves' less `orbital`, less the shear; body axes.
enum
{
	DS_WAVE_SUM_FLOW = 0, // 3: s u
	DS_WAVE_SUM_FLOW_MOMENT = 3, // 3: s c x u
	DS_WAVE_SUM_VOLUME = 6, // 1: depth below the instantaneous surface A n.down
	DS_WAVE_SUM_COUNT = 7
};

typedef struct ds_wave_sums
{
	ds_face_sums faces;
	double lane[DS_WAVE_SUM_COUNT][DS_FACE_LANES];
} ds_wave_sums;

// ds_faces_evaluate_waves with a given kernel instead of the one chosen at creation.
void ds_faces_evaluate_waves_by( const ds_faces *faces, const ds_faces_kernel *kernel, const ds_flow *flow,
	const ds_wave_patch *patch, ds_face_forces *out );

#endif
