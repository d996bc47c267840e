// libdeepsim: terrain: the surface of the seabed. Planes, grids of heights (from a raster file, or made) and triangle meshes.
//
// A terrain is immutable and reference counted; worlds, scenarios and threads may share it. One surface serves contact, rays and
// queries alike: a cell of a grid is two triangles, parted by the diagonal from its (row, column + 1) to its (row + 1, column)
// corner. World frame: north, east, z down; a terrain's z is the depth of the ground. Lengths in metres.

#ifndef DEEPSIM_TERRAIN_H
#define DEEPSIM_TERRAIN_H

#include "deepsim/field.h"
#include "deepsim/mesh.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_terrain ds_terrain;

// The ground at a place.
typedef struct ds_terrain_point
{
	double z; // [m]
	ds_vec3 normal; // unit, of the triangle there, out of the ground (z negative)
} ds_terrain_point;

// A level plane, or one that falls by `slope` [rad, in [0, 80 degrees]] towards the bearing `towards` [rad]; z = depth at north =
// east = 0. It has no edge.
DS_API ds_status ds_terrain_plane(
	double depth, double slope, double towards, const ds_hooks *hooks, ds_terrain **terrain );

// A grid of depths. Start from ds_terrain_grid_default().
typedef struct ds_terrain_grid_def
{
	uint32_t struct_size;
	double north, east; // of the sample (0, 0) [m]
	double spacing_north, spacing_east; // of rows, of columns [m], at least 1e-6
	int64_t rows, columns; // 2 or more each; row i lies at north + i spacing_north
	const double
		*z; // rows * columns depths, row by row, copied; NaN: no ground. A triangle with such a corner is a hole
} ds_terrain_grid_def;

DS_API ds_terrain_grid_def ds_terrain_grid_default( void );

// Heights are kept as 32-bit floats about their mean (rounded to a metre): to 1e-7 of how far they are from it. A sample that is no
// triangle's corner is no ground. Errors: ARGUMENT, RANGE (depths beyond 1000 km: say NaN for no ground), NOT_FINITE (infinite; no
// ground at all), LIMIT (2^31 samples or more), MEMORY.
DS_API ds_status ds_terrain_grid( const ds_terrain_grid_def *def, const ds_hooks *hooks, ds_terrain **terrain );

// Ground that is made by a formula, sampled on a grid. In a fractal every wave has its power and a random phase; it repeats over a
// length between the size and a third more. Start from ds_terrain_shape_default( kind ).
typedef enum ds_terrain_shape_kind
{
	DS_TERRAIN_SINUSOID, // depth + amplitude cos( 2 pi north / wavelength_north ) cos( 2 pi east / wavelength_east )
	DS_TERRAIN_FRACTAL, // a random surface of a power spectrum k^-(2 hurst + 2), of standard deviation `roughness`
	DS_TERRAIN_SEAMOUNT, // a fractal less height exp( -( north^2 + east^2 )/radius^2 )
	DS_TERRAIN_SHAPE_COUNT
} ds_terrain_shape_kind;

typedef struct ds_terrain_shape
{
	uint32_t struct_size;
	int32_t kind; // ds_terrain_shape_kind
	double depth; // mean z [m]
	double slope, towards; // of the mean plane [rad]
	double size[2]; // north, east: whole lengths, centred on the origin [m]; whole cells that cover them are made
	double spacing; // of samples [m]; at most 268 million of them
	double amplitude; // sinusoid [m]
	double wavelength[2]; // sinusoid: north, east [m], two spacings or more; 0 or infinite: does not vary that way
	double
		roughness; // fractal, seamount: standard deviation of the depth about the mean plane, of all samples together [m]
	double hurst; // fractal, seamount: exponent, 0 (rough) to 1 (smooth); 0.8
	double longest; // fractal, seamount: longest wavelength [m], no longer than the size; 0: as it has room
	uint64_t seed; // fractal, seamount: the same one gives the same bits on every processor
	double height; // seamount: of its top over the mean plane; below 0: a basin [m]
	double radius; // seamount: where 1/e of the height is left [m]
} ds_terrain_shape;

DS_API ds_terrain_shape ds_terrain_shape_default( ds_terrain_shape_kind kind );
DS_API ds_status ds_terrain_make( const ds_terrain_shape *shape, const ds_hooks *hooks, ds_terrain **terrain );

// Triangles at a pose; where several lie above one another, queries and contact take the uppermost, rays meet all. Triangles that
// face down are ground too; upright ones are met by rays alone. The mesh is copied. Errors: ARGUMENT, RANGE, NOT_FINITE, MEMORY.
DS_API ds_status ds_terrain_mesh( const ds_mesh *mesh, ds_pose pose, const ds_hooks *hooks, ds_terrain **terrain );

// How the numbers of a raster lie in the world.
typedef enum ds_raster_crs
{
	DS_CRS_AUTO, // what the file says; without a word: degrees where all coordinates can be such and cells are below 5, else metres
	DS_CRS_LOCAL, // metres east (x) and north (y) of the origin
	DS_CRS_GEOGRAPHIC // degrees of longitude (x) and latitude (y), WGS-84
} ds_raster_crs;

// How to read a raster. Start from ds_raster_options_default().
typedef struct ds_raster_options
{
	uint32_t struct_size;
	int32_t crs; // ds_raster_crs
	// The world's origin [rad]: geographic rasters lie about it by WGS-84 radii of curvature. Both NaN, the default: about their own
	// centre.
	double latitude, longitude;
	// `placed`: the raster's centre is put at `position` (north, east [m]), whatever the coordinates say; radii of curvature are
	// those at the centre.
	double position[2];
	bool placed;
	double cell; // spacing of pixels [m] of a file without coordinates (PNG), which lies about its own centre
	double scale, offset; // height [m] = scale * value + offset; NaN scale: the file's scale and offset, or 1
	bool depths; // values are depths, positive down; false: heights, positive up
	double nodata; // value that stands for no ground; NaN: what the file says, if anything
	int32_t band; // GDAL: 1 is the first
	char variable[64]; // GDAL: variable of a file that holds several (NetCDF); "": the first
	double window[4]; // south, west, north, east in the raster's coordinates: samples in it are read; all 0: all are
	int64_t max_cells; // larger rasters are refused; 400 million
} ds_raster_options;

DS_API ds_raster_options ds_raster_options_default( void );

// What was found in a raster.
typedef struct ds_raster_report
{
	char format[32]; // "ESRI ASCII", "PNG", or GDAL's driver
	char crs[128]; // "local", "geographic", or the name of what was reprojected
	int64_t rows, columns, holes; // samples, and those without ground
	double spacing_north, spacing_east; // [m], at the centre
	double south, west, north, east; // edges in the raster's own coordinates
	double top, bottom; // least and greatest z of the ground [m]
	double seconds;
} ds_raster_report;

// Reads ESRI ASCII grids and 16-bit (and 8-bit) greyscale PNG; GeoTIFF, NetCDF and the rest by GDAL, from the module
// raster_gdal.so, which is loaded on first use. Errors name the file and what is wrong: IO, FORMAT, RANGE, NOT_FINITE, LIMIT,
// UNSUPPORTED (no module, with how to get it). `options`, `hooks`, `report` may be NULL.
DS_API ds_status ds_terrain_load( const char *path, const ds_raster_options *options, const ds_hooks *hooks,
	ds_terrain **terrain, ds_raster_report *report );

// References are counted, atomically. Releasing NULL is nothing.
DS_API ds_terrain *ds_terrain_retain( ds_terrain *terrain );
DS_API void ds_terrain_release( ds_terrain *terrain );

// The ground at a place; false where there is none (beyond the edge, in a hole): z is NaN then, the normal straight up. Edges of
// ground are ground.
DS_API bool ds_terrain_at( const ds_terrain *terrain, double north, double east, ds_terrain_point *point );

typedef struct ds_terrain_properties
{
	bool bounded; // false: a plane
	double south, west, north, east; // edges [m]
	double top, bottom; // least and greatest z [m]
	int64_t rows, columns; // of a grid; 0
	int64_t triangles; // without holes
	double spacing_north, spacing_east;
} ds_terrain_properties;

DS_API ds_terrain_properties ds_terrain_measure( const ds_terrain *terrain );

#ifdef __cplusplus
}
#endif

#endif
