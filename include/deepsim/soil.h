// libdeepsim: soil: what the seabed is made of, and how it yields. Sources: "Beyond Shallow-Water Photorealism", eq. 25-29; M. G.
// Bekker, Introduction to Terrain-Vehicle Systems, 1969; J. Y. Wong, Theory of Ground Vehicles, 4th ed. 2008, chapter 2; Z. Janosi,
// B. Hanamoto, 1961.

#ifndef DEEPSIM_SOIL_H
#define DEEPSIM_SOIL_H

#include "deepsim/field.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Parameters of a soil. Pressure under a plate of least width b, sunk by z: (kc / b + kphi) z^n (25). Shear stress after a
// displacement j: (cohesion + p tan friction) (1 - exp( -j / K )).
typedef struct ds_soil
{
	double n; // exponent of sinkage
	double kc; // [N/m^(n+1)]
	double kphi; // [N/m^(n+2)]
	double cohesion; // c [Pa]
	double friction; // angle of internal friction [rad]
	double shear_displacement; // K of Janosi and Hanamoto [m]
	double elastic; // stiffness of unloading and reloading [Pa/m]; 0: `rebound` says it
	double rebound; // without `elastic`: share of the sinkage that comes back when the load goes
	double damping; // c_d of (29): pressure for each m/s of sinking [Pa s/m]
	double suction; // most tension on lifting off [Pa]; 0: none
	double slip_sinkage; // further sinkage for each metre of the first slip, in all at most 6.5 K times it; 0: none
	double
		lateral; // share of the pressure that acts across the soil's normal on inclined faces; 1: normal to the face (Bekker's wheel)
	double unit_weight; // of the submerged soil, weight less buoyancy [N/m3]: bulldozing
	double repose; // angle of repose: steeper walls of ruts slide [rad]
	bool bulldozing; // passive pressure on faces that push sideways
	bool printed_pressure; // (25) with b = sqrt( area of the face ): the force depends on the mesh
	bool printed_shear; // (28): full strength at any slip
	bool
		printed_damping; // (29) with the velocity of (18), the water's less the face's (still water): it pushes the way a face goes
} ds_soil;

// A named set. The same names are those of a scenario's "soil".
typedef struct ds_soil_set
{
	const char *name; // "dry_sand"
	const char *title; // "Dry sand (LLL), Wong 2008 table 2.3"
	const char *source; // of each number, and what is not from there
	bool assumed; // derived by this project, not measured as a whole: say so wherever it is printed
	ds_soil soil;
} ds_soil_set;

DS_API int32_t ds_soil_count( void );
DS_API const ds_soil_set *ds_soil_at( int32_t index ); // NULL: no such index
DS_API const ds_soil_set *ds_soil_find( const char *name ); // NULL: none; ds_last_error() names the nearest

// Defaults of a custom soil: those of dry sand. One table drives JSON, schema and `deepsim describe`.
DS_API ds_soil ds_soil_default( void );
DS_API const ds_table *ds_soil_table( void );

// Checks ranges: DS_ERROR_RANGE, DS_ERROR_NOT_FINITE with the field's name. A negative kc, as fits to plates of several widths give at
// times, is refused: it would make narrow things sink without end.
DS_API ds_status ds_soil_check( const ds_soil *soil );

// Pressure [Pa] of a plate of least width b [m] sunk by z [m] (25), and the sinkage [m] under a pressure. 0 where z or the pressure
// is not positive. A width that is not positive: infinitely wide.
DS_API double ds_soil_pressure( const ds_soil *soil, double width, double sinkage );
DS_API double ds_soil_sinkage( const ds_soil *soil, double width, double pressure );

// Shear stress [Pa] under a pressure [Pa] after a displacement [m], of the displacement's sign. Tension takes from the cohesion.
DS_API double ds_soil_shear( const ds_soil *soil, double pressure, double displacement );

// Ground of another soil: where a point lies in the polygon (north, east [m]; three corners or more, either way round).
typedef struct ds_soil_patch
{
	ds_soil soil;
	ds_array polygon; // of double[2]
} ds_soil_patch;

// A raster of soils: `index` of sample (row, column) is the number of a soil in a list, 1 the first; outside the raster, and where it is
// not positive, the soil of all other ground.
typedef struct ds_soil_mask
{
	double north, east, spacing_north,
		spacing_east; // sample (0, 0) and spacing [m]: each sample is the middle of a cell
	int64_t rows, columns;
	const int16_t *index;
} ds_soil_mask;

#ifdef __cplusplus
}
#endif

#endif
