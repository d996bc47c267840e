// `deepsim render`: what its sources share.

#ifndef DEEPSIM_CLI_RENDER_H
#define DEEPSIM_CLI_RENDER_H

#include "cli/run.h"
#include "core/scenario.h"

// Frames that can be written, in this order: colour, radiance, depth, z-depth, normals, segmentation, flow.
#define RENDER_FRAMES 7

#define RENDER_CHANGES 64 // of the scenario, besides those of the command line
#define RENDER_TEXT    192

typedef struct render_options
{
	const char *file, *camera;
	double time, stamp; // wanted; of the frame [s]
	const char *paths[RENDER_FRAMES]; // NULL: not wanted
	uint64_t size[2]; // 0: the scenario's
	int32_t threads; // 0: the scenario's
	bool quiet;
	const char **overrides; // "path=value"
	int32_t override_count;
	const char **plugins;
	int32_t plugin_count;
	char ( *changes )[RENDER_TEXT];
	int32_t change_count;
} render_options;

typedef struct render_frame
{
	ds_sample_header header;
	ds_camera *reading; // whole, with its spans
	size_t size;
	double wall_time; // that it took to get there [s]
} render_frame;

// What is expected of a frame's file name; NULL: it is good.
const char *render_check_path( int frame, const char *path );

// Whether the files can be written, before hours of a run are spent on them: a folder that is there, no file twice. An exit code.
int render_check_files( const render_options *options );

// Writes the files, and tells of them and of the frame. An exit code.
int render_write( const render_options *options, const char *camera, const render_frame *frame );

#endif
