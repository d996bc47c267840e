// The program deepsim: what the verbs of terrain share.

#ifndef DEEPSIM_CLI_TERRAIN_H
#define DEEPSIM_CLI_TERRAIN_H

#include "cli/cli.h"
#include "deepsim/terrain.h"

// ---- options of a raster -------------------------------------------------------------------------------------------

#define RASTER_OPTIONS                                                                                                 \
	{ "--crs", "auto|local|geographic", "what coordinates are: as the file says, metres, degrees (auto)" },            \
		{ "--latitude", "DEG", "of the world's origin, north positive (the raster's centre)" },                        \
		{ "--longitude", "DEG", "of the world's origin, east positive (the raster's centre)" },                        \
		{ "--position", "N,E", "put the raster's centre there [m], whatever its coordinates" },                        \
		{ "--cell", "M", "spacing of pixels [m] of a file without coordinates (PNG)" },                                \
		{ "--scale", "X", "height = scale * value + offset (the file's, or 1)" },                                      \
		{ "--offset", "M", "see --scale (0)" }, { "--depths", NULL, "values are depths, positive down" },              \
		{ "--nodata", "X", "value that stands for no ground (the file's)" },                                           \
		{ "--band", "N", "band to read, from 1 (1; GDAL)" },                                                           \
		{ "--variable", "NAME", "variable of a file of several, as NetCDF (the first; GDAL)" },                        \
		{ "--window", "S,W,N,E", "read this part only, in the raster's coordinates" },                                 \
	{                                                                                                                  \
		"--max-cells", "N", "refuse larger rasters (400000000)"                                                        \
	}

enum
{
	RASTER_CRS,
	RASTER_LATITUDE,
	RASTER_LONGITUDE,
	RASTER_POSITION,
	RASTER_CELL,
	RASTER_SCALE,
	RASTER_OFFSET,
	RASTER_DEPTHS,
	RASTER_NODATA,
	RASTER_BAND,
	RASTER_VARIABLE,
	RASTER_WINDOW,
	RASTER_MAX_CELLS,
	RASTER_OPTION_COUNT
};

// Takes one of the options above; false if its value is wrong.
bool terrain_take_option( int option, const char *value, ds_raster_options *options );

// Reports the wrong value of one of them and returns CLI_USAGE.
int terrain_wrong_option( const cli_command *command, int option, const char *value );

// `count` numbers, separated by commas.
bool terrain_numbers( const char *text, int count, double *numbers );

int cmd_terrain_render( int argc, char **argv );

// ---- pictures ------------------------------------------------------------------------------------------------------

// Red, green and blue of 0 to 1 a pixel, rows from above.
typedef struct picture
{
	int width, height;
	float *rgb;
} picture;

typedef struct colour
{
	float r, g, b;
} colour;

// False: out of memory. All is white.
bool picture_new( picture *p, int width, int height );
void picture_free( picture *p );

// Lays a colour over a pixel; cover from 0 to 1. Beyond the edge nothing happens.
void picture_blend( picture *p, int x, int y, colour c, double cover );

// A rectangle whose edges need not be whole pixels.
void picture_rectangle( picture *p, double x0, double y0, double x1, double y1, colour c );

// Text of digits, "+-.,", the space and the letters of `picture_letters`, `size` pixels high; its baseline starts at x, y. The width.
double picture_text( picture *p, double x, double y, double size, colour c, const char *text );
double picture_text_width( double size, const char *text );

// Writes a PNG of 8 bits a channel; "-" is the standard output. A file that cannot be written whole is not left behind.
ds_status picture_save( const picture *p, const char *path );

// ---- relief --------------------------------------------------------------------------------------------------------

typedef struct relief_style
{
	double azimuth, elevation; // where the light comes from [rad]
	double exaggeration; // of heights, for the light; 0: chosen
	double contours; // step [m]; 0: none
} relief_style;

// Depths on the pixels of a map: rows from the north, NaN: no ground.
typedef struct relief
{
	int width, height;
	double pixel; // its side [m]
	float *z;
	double top, bottom; // [m]; finite: there is ground
} relief;

// Depths of a terrain on a map of a size in pixels. False: out of memory.
bool relief_sample( const ds_terrain *terrain, int width, int height, relief *r );
void relief_free( relief *r );

// The exaggeration that shows the shapes well.
double relief_exaggeration( const relief *r );

// Colour of a depth.
colour relief_colour( const relief *r, double z );

// Draws the map at a place of the picture.
void relief_draw( const relief *r, const relief_style *style, picture *p, int x, int y );

// The greatest of 1, 2, 5 times a power of ten that is not above `most`.
double relief_round( double most );

// Whether a path names a scenario rather than a raster: by its ending.
bool terrain_is_scenario( const char *path );

#endif
