// The water column: density, pressure, temperature, salinity and speed of sound against depth, still and the same everywhere
// at one depth. A plain model, without a world; immutable after creation, and may be shared by threads.
//
// z is positive down, 0 at the mean surface. Gravity is parallel. Everything is continued above z = 0, where waves put water:
// density, temperature, salinity and sound as at z = 0, and the pressure falls on linearly (gauge pressure below 0). A query costs
// some tens of nanoseconds, whatever the model.

#ifndef DEEPSIM_HYDRO_COLUMN_H
#define DEEPSIM_HYDRO_COLUMN_H

#include "deepsim/base.h"
#include "deepsim/types.h"

// What levels may hold: depth 0 to DEEPEST [m], temperature [degC], practical salinity 0 to SALTIEST.
#define DS_COLUMN_DEEPEST  20000.0
#define DS_COLUMN_COLDEST  -5.0
#define DS_COLUMN_HOTTEST  50.0
#define DS_COLUMN_SALTIEST 50.0

typedef struct ds_water_column ds_water_column;

typedef enum ds_column_kind
{
	DS_COLUMN_UNIFORM, // rho = rho0; p = rho0 g z
	DS_COLUMN_PYCNOCLINE, // (14): rho = rho0 + drho min( z, zp ) / zp; p in closed form (15)
	DS_COLUMN_EOS80, // rho( S, T, p ) of EOS-80 (hydro/seawater.h), p integrated with it
	DS_COLUMN_TEOS10, // rho( SA, CT, p ) of TEOS-10, SA by the reference composition, CT from the in situ temperature
	DS_COLUMN_TABLE, // rho from a table over depth, p integrated; constant above the first and below the last depth
	DS_COLUMN_KIND_COUNT
} ds_column_kind;

// Between the levels of a profile or a table.
typedef enum ds_column_interpolation
{
	DS_COLUMN_MONOTONE, // cubic with monotone slopes (PCHIP: Fritsch and Butland 1984): smooth, never overshoots
	DS_COLUMN_LINEAR, // straight lines, whose corners are rounded off over one step of the grid
	DS_COLUMN_INTERPOLATION_COUNT
} ds_column_interpolation;

typedef enum ds_sound_kind
{
	DS_SOUND_CHEN_MILLERO, // Chen and Millero 1977, from pressure
	DS_SOUND_MACKENZIE, // Mackenzie 1981, from depth
	DS_SOUND_TEOS10, // of the 75-term polynomial
	DS_SOUND_KIND_COUNT
} ds_sound_kind;

// Temperature and salinity over depth. Constant above the first and below the last level.
typedef struct ds_column_profile
{
	const double *depth; // [m], not negative, rising
	const double *temperature; // in situ, ITS-90 [degC]
	const double *salinity; // practical (PSS-78)
	int64_t count; // 0: no profile
} ds_column_profile;

// Start from ds_column_def_default(). Arrays are needed during creation only.
typedef struct ds_column_def
{
	ds_column_kind kind;
	ds_column_interpolation interpolation;
	ds_sound_kind sound;

	double density; // rho0, of UNIFORM and PYCNOCLINE [kg/m3]; 1025
	double density_increase; // drho, of PYCNOCLINE [kg/m3]; NAN: 0.3 % of rho0
	double density_depth; // zp, of PYCNOCLINE [m]; 1000
	const double *table_depth, *table_density; // of TABLE [m], [kg/m3]
	int64_t table_count;

	ds_column_profile profile; // for any kind; without: the two below at all depths
	double temperature; // [degC]; 10
	double salinity; // practical; 35

	double gravity; // at the surface [m/s2]; 9.81. A caller may put ds_gravity_normal( latitude ) here
	double gravity_gradient; // increase with depth [1/s2]; 0. DS_GRAVITY_GRADIENT is the ocean's
	double surface_pressure; // absolute [Pa]; 101325

	// The grid of what is tabulated. Below it EOS80 and TEOS10 keep the density of its end, and all keep the speed of sound.
	double depth; // [m]; 12000, or the seabed's for a finer step. Deeper levels of a profile or a table deepen it
	double step; // [m]; 0: 5 m, or a half of the least distance of levels, but not below depth / 16384
} ds_column_def;

ds_column_def ds_column_def_default( void );

// Makes a column. For EOS80 and TEOS10 density and pressure are solved for together, to 1e-4 Pa. All tabulated quantities are
// cubics with continuous slopes on a uniform grid, and the pressure is the exact integral of the density's: dp/dz = rho g
// holds between nodes too.
// Errors: ARGUMENT (missing arrays), RANGE (a number outside its range; depths that do not rise, the level named),
// NOT_FINITE, MEMORY.
ds_status ds_column_create( const ds_allocator *allocator, const ds_column_def *def, ds_water_column **column );

// Gives the memory back to the allocator it came from. NULL is nothing.
void ds_column_destroy( ds_water_column *column );

// Fills density, pressure, gauge_pressure, temperature, salinity and sound_speed at depth z [m]; leaves `present` and `velocity`.
void ds_column_query( const ds_water_column *column, double z, ds_water *water );

// Density [kg/m3] alone, as the query gives it.
double ds_column_density( const ds_water_column *column, double z );

// d rho / dz [kg/m4], the derivative of what the query gives. Above the surface 0. At the lower end of a pycnocline it steps
// to 0, which is the value there.
double ds_column_density_gradient( const ds_water_column *column, double z );

// Gravity [m/s2] at depth z, for rho g V and the like; at the surface's value above it.
double ds_column_gravity( const ds_water_column *column, double z );

#endif
