// Inside the library: the fields of a soil, for its own table and for those that have a soil inside another struct.

#ifndef DEEPSIM_TERRAIN_SOIL_FIELDS_H
#define DEEPSIM_TERRAIN_SOIL_FIELDS_H

#include "deepsim/field.h"
#include "deepsim/soil.h"

#include <stddef.h>

#define DS_SOIL_NUMBER_FIELD( at_, member, flags_, unit_, initial_, minimum_, maximum_, doc_ )                         \
	{                                                                                                                  \
#member, DS_FIELD_F64, flags_, ( at_ ) + offsetof( ds_soil, member ), 1, 0, unit_, initial_, minimum_,         \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
#define DS_SOIL_BOOL_FIELD( at_, member, doc_ )                                                                        \
	{                                                                                                                  \
#member, DS_FIELD_BOOL, 0, ( at_ ) + offsetof( ds_soil, member ), 1, 0, "", "false", 0, 1, doc_, NULL, NULL,   \
			0, DS_ELEMENT_NONE                                                                                         \
	}

// `at_`: offset of the soil in its struct. Defaults are those of dry sand (soil_sets.h).
#define DS_SOIL_FIELDS( at_ )                                                                                          \
	DS_SOIL_NUMBER_FIELD( at_, n, DS_FIELD_EXCLUSIVE_MINIMUM, "", "1.1", 0, 3, "exponent of sinkage" ),                \
		DS_SOIL_NUMBER_FIELD( at_, kc, 0, "N/m^(n+1)", "990", 0, 1e12, "cohesive modulus of sinkage" ),                \
		DS_SOIL_NUMBER_FIELD( at_, kphi, 0, "N/m^(n+2)", "1528430", 0, 1e12, "frictional modulus of sinkage" ),        \
		DS_SOIL_NUMBER_FIELD( at_, cohesion, 0, "Pa", "1040", 0, 1e6, "shear strength without pressure" ),             \
		DS_SOIL_NUMBER_FIELD( at_, friction, DS_FIELD_ANGLE, "rad", "28", 0, 60, "angle of internal friction" ),       \
		DS_SOIL_NUMBER_FIELD( at_, shear_displacement, 0, "m", "0.02", 1e-5, 1, "K of Janosi and Hanamoto" ),          \
		DS_SOIL_NUMBER_FIELD(                                                                                          \
			at_, elastic, 0, "Pa/m", "0", 0, 1e12, "stiffness of unloading and reloading; 0: `rebound` says it" ),     \
		DS_SOIL_NUMBER_FIELD(                                                                                          \
			at_, rebound, 0, "", "0.05", 0.001, 0.9, "share of the sinkage that comes back without load" ),            \
		DS_SOIL_NUMBER_FIELD( at_, damping, 0, "Pa s/m", "30000", 0, 1e9, "pressure for each m/s of sinking" ),        \
		DS_SOIL_NUMBER_FIELD( at_, suction, 0, "Pa", "0", 0, 1e7, "most tension on lifting off" ),                     \
		DS_SOIL_NUMBER_FIELD( at_, slip_sinkage, 0, "", "0", 0, 1, "further sinkage for each metre of slip" ),         \
		DS_SOIL_NUMBER_FIELD(                                                                                          \
			at_, lateral, 0, "", "1", 0, 1, "share of the pressure that acts across the soil's normal" ),              \
		DS_SOIL_NUMBER_FIELD( at_, unit_weight, 0, "N/m3", "9500", 0, 1e5, "weight less buoyancy" ),                   \
		DS_SOIL_NUMBER_FIELD(                                                                                          \
			at_, repose, DS_FIELD_ANGLE, "rad", "28", 0, 89, "angle of repose: steeper walls of ruts slide" ),         \
		DS_SOIL_BOOL_FIELD( at_, bulldozing, "passive pressure on faces that push sideways" ),                         \
		DS_SOIL_BOOL_FIELD( at_, printed_pressure, "width of sinkage: the square root of each face's area (25)" ),     \
		DS_SOIL_BOOL_FIELD( at_, printed_shear, "full shear strength at any slip (28)" ),                              \
		DS_SOIL_BOOL_FIELD(                                                                                            \
			at_, printed_damping, "damping by the flow's velocity (29, 18): it pushes onward, and may pull" )

#endif
