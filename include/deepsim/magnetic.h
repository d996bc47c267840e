// libdeepsim: the magnetic field of a world: the Earth's, and what magnets and currents add to it. Plain functions over plain
// structs; a world's whole field is ds_magnetic_field_at (deepsim/query.h). World axes, SI: tesla, ampere, metre.

#ifndef DEEPSIM_MAGNETIC_H
#define DEEPSIM_MAGNETIC_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// A magnet, or a thing of steel seen from afar: a uniformly magnetised ball. Outside it is a dipole,
// B = mu0/(4 pi) ( 3 (m.u) u - m ) / r^3; inside the field is uniform, mu0/(2 pi) m / radius^3 (Jackson, Classical Electrodynamics, 5.10).
typedef struct ds_magnetic_dipole
{
	double position[3]; // [m]
	double moment[3]; // [A m2]
	double radius; // of the ball [m]; 0.1
} ds_magnetic_dipole;

// A straight cable that carries a current from one point to the other, by the law of Biot and Savart. Within `radius` of its axis the
// current is spread evenly: the field falls to 0 towards the axis.
typedef struct ds_magnetic_cable
{
	double from[3], to[3]; // [m]; not the same point
	double current; // [A]; of an alternating one the amplitude
	double frequency; // of an alternating current [Hz]; 0: direct
	double phase; // of the cosine at time 0 [rad]
	double radius; // [m]; 0.05
	bool infinite; // the line goes on past both points
} ds_magnetic_cable;

// The field of one at a point [T], in the axes and from the origin that its members are in.
DS_API ds_vec3 ds_magnetic_dipole_at( const ds_magnetic_dipole *dipole, ds_vec3 position );
DS_API ds_vec3 ds_magnetic_cable_at( const ds_magnetic_cable *cable, ds_vec3 position, double time );

// What the Earth's part of a world's field is.
typedef enum ds_earth_field_kind
{
	DS_EARTH_FIELD_ABSENT, // no magnetic field in this world: to ask for it is an error
	DS_EARTH_FIELD_NONE, // the Earth has none, magnets and cables do
	DS_EARTH_FIELD_UNIFORM, // `field`
	DS_EARTH_FIELD_WMM2025, // at the place and date of the world (deepsim/geomagnetic.h)
	DS_EARTH_FIELD_IGRF14
} ds_earth_field_kind;

// A member of ds_environment_def, whose default is WMM2025 alone. The world copies the arrays.
typedef struct ds_magnetic_def
{
	int32_t earth; // ds_earth_field_kind
	double field[3]; // of DS_EARTH_FIELD_UNIFORM: north, east, down [T]
	ds_array dipoles; // of ds_magnetic_dipole, world axes
	ds_array cables; // of ds_magnetic_cable, world axes
} ds_magnetic_def;

#ifdef __cplusplus
}
#endif

#endif
