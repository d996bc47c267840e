// Inside optics: what is made once of a seabed's look before places of it are asked for.
//
// Mottling and ripple: one height field of value noise (random numbers on a grid, smoothly between them), octave by octave. Its
// value gives the colour, its slope the normal.
//
// Nodules: sizes are a log-normal law cut off at 2.5 standard deviations, in up to 5 layers of a factor 1.7 each. Each
// layer is a grid of cells, turned and shifted by the seed, each row of it shifted on its own. A cell holds a nodule by chance, at a
// random place, wholly inside the cell: so each place has one candidate a layer, and the layer's cover is exactly the mean area over
// the area of a cell. Layers are independent: what is free is the product of what each leaves free.

#ifndef DEEPSIM_OPTICS_SEABED_LOOK_H
#define DEEPSIM_OPTICS_SEABED_LOOK_H

#include "deepsim/visual.h"

#include <stdalign.h>

#define DS_SEABED_OCTAVES 5
#define DS_SEABED_LAYERS  5
#define DS_SEABED_SIZES   64
#define DS_SEABED_PLACES  16

typedef struct ds_seabed_layer
{
	double cosine, sine; // of the grid's turn, over the side of a cell [1/m]
	float turn[2]; // of the grid: cosine, sine
	double start; // of the rows [cells]
	float cell; // [m]
	float cover; // share of the area under the layer's nodules
	float diameter, inverse; // mean [m], and 1 over it
	float irregular; // 0 to 1: of outlines; less where nodules are crowded
	float stretch; // longest radius over that of a circle of the same area
	uint32_t occupied; // of 65536 cells
	uint32_t seed;
	float radii[DS_SEABED_SIZES + 1]; // quantiles [m]
} ds_seabed_layer;

typedef struct ds_seabed_octave
{
	double cosine, sine; // of the grid's turn, over the side of a cell [1/m]
	double start[2]; // of the grid [cells]
	float inverse; // 1 / side of a cell [1/m]
	float mottle;
	float slope[2]; // times cosine and sine of the turn
	uint32_t seed;
} ds_seabed_octave;

typedef struct ds_seabed_plan
{
	ds_seabed_look look;
	int32_t layer_count;
	float free; // share of the area without nodules
	uint32_t seed;
	ds_seabed_octave octaves[DS_SEABED_OCTAVES];
	float rim; // radius of the outline over that of the nodule
	float directions[64][2];
	ds_seabed_layer layers[DS_SEABED_LAYERS];
} ds_seabed_plan;

void ds_seabed_plan_make( const ds_seabed_look *look, ds_seabed_plan *plan );
// Up to 16 places. Those from the count on, up to a multiple of 16, may hold anything, and are overwritten.
typedef struct ds_seabed_places
{
	alignas( 64 ) double north[DS_SEABED_PLACES], east[DS_SEABED_PLACES]; // [m]
	float up[3][DS_SEABED_PLACES]; // the ground's unit normal
	float footprint[DS_SEABED_PLACES]; // [m]
	// results, as ds_surface has them
	float normal[3][DS_SEABED_PLACES], color[3][DS_SEABED_PLACES];
	int32_t instance[DS_SEABED_PLACES];
} ds_seabed_places;

void ds_seabed_plan_look( const ds_seabed_plan *plan, int count, ds_seabed_places *places );

// Variants of different vector width, with the same bits.
typedef struct ds_seabed_kernel
{
	const char *name;
	void ( *look )( const ds_seabed_plan *plan, int count, ds_seabed_places *places );
} ds_seabed_kernel;

extern const ds_seabed_kernel ds_seabed_kernel_plain;
#if defined( __x86_64__ )
extern const ds_seabed_kernel ds_seabed_kernel_avx2, ds_seabed_kernel_avx512;
#endif

#define DS_SEABED_KERNELS 3

// Those which this processor runs, the widest first. Returns how many.
int ds_seabed_kernels( const ds_seabed_kernel *kernels[DS_SEABED_KERNELS] );

// The outline of the most irregular nodule: an ellipse of this aspect, with three lobes: r^2 + lobes r^3 cos( 3 angle ) = 1. The longest
// radius of that is at most 1 + REACH lobes.
#define DS_NODULE_ASPECT 1.3
#define DS_NODULE_LOBES  0.22
#define DS_NODULE_REACH  0.74

#endif
