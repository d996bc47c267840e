// libdeepsim: waves on the sea surface, as a sum of linear (Airy) components.
//
// World axes north-east-down. Directions are where waves go to, from north towards east. SI units, radians.

#ifndef DEEPSIM_WAVES_H
#define DEEPSIM_WAVES_H

#include "deepsim/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_waves_kind
{
	DS_WAVES_NONE, // flat water
	DS_WAVES_REGULAR, // one component
	DS_WAVES_JONSWAP, // wind sea that grows: Hasselmann et al. 1973
	DS_WAVES_PIERSON_MOSKOWITZ // fully grown wind sea: Pierson and Moskowitz 1964, as a function of Hs and Tp
} ds_waves_kind;

// Start from ds_waves_def_default(): flat deep water.
typedef struct ds_waves_def
{
	int32_t kind; // ds_waves_kind
	double height; // regular: from trough to crest; else the significant height Hs [m]
	double period; // regular: its own; else that of the spectrum's peak, Tp [s]
	double direction; // mean direction, towards [rad]
	double phase; // regular: at the origin at time 0; 0 is a crest [rad]
	double peak_enhancement; // JONSWAP: gamma, 1 to 10
	double spreading; // s of the directional spreading cos^2s( ( theta - direction ) / 2 ); 0: long-crested, none
	int64_t components; // of an irregular sea, 1 to DS_WAVES_MAX_COMPONENTS
	int64_t seed; // of phases, frequencies and directions of an irregular sea
	double depth; // of the water, for the dispersion; 0: deep [m]
	double gravity; // [m/s2]
} ds_waves_def;

#define DS_WAVES_MAX_COMPONENTS 512

DS_API ds_waves_def ds_waves_def_default( void );

#ifdef __cplusplus
}
#endif

#endif
