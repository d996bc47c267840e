// libdeepsim: the sensor "contact": what the soil does to its body, or to the part of it around the mount.

#ifndef DEEPSIM_CONTACT_H
#define DEEPSIM_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

// The reading: now, at the end of a tick. Forces are the soil's on the body.
typedef struct ds_contact
{
	bool touching;
	double normal[3]; // by pressure, world axes [N]
	double shear[3]; // world axes [N]
	double normal_force; // along the ground's normals [N]
	double shear_force; // size of `shear` [N]
	double area; // projected on the ground [m2]
	double sinkage; // greatest [m]
	double mean_sinkage; // by area [m]
	double slip; // speed of what touches over the ground, by normal force [m/s]
} ds_contact;

typedef struct ds_contact_config
{
	double radius; // of the part around the mount, a foot for example [m]; 0: the whole body, running gear included
} ds_contact_config;

#endif
