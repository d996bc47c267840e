// libdeepsim: conversion between NED/FRD (this library) and ENU/FLU (ROS REP-103). Nothing else in the library converts.

#ifndef DEEPSIM_FRAMES_H
#define DEEPSIM_FRAMES_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// World vectors: (n, e, d) <-> (e, n, u). Body vectors: (f, r, d) <-> (f, l, u). Each is its own inverse.
DS_API ds_vec3 ds_enu_from_ned( ds_vec3 v );
DS_API ds_vec3 ds_ned_from_enu( ds_vec3 v );
DS_API ds_vec3 ds_flu_from_frd( ds_vec3 v );
DS_API ds_vec3 ds_frd_from_flu( ds_vec3 v );

// Attitudes: FRD body in NED world <-> FLU body in ENU world. w is not negative.
DS_API ds_quat ds_enu_flu_from_ned_frd( ds_quat q );
DS_API ds_quat ds_ned_frd_from_enu_flu( ds_quat q );

// Whole poses.
DS_API ds_pose ds_pose_enu_from_ned( ds_pose pose );
DS_API ds_pose ds_pose_ned_from_enu( ds_pose pose );

#ifdef __cplusplus
}
#endif

#endif
