// Files of a frame, and what is told of it.

#include "cli/render.h"

#include "io/image.h"
#include "io/log_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- names -------------------------------------------------------------------------------------------------------

static bool ends( const char *path, const char *ending )
{
	size_t n = strlen( path ), m = strlen( ending );
	return n > m && strcmp( path + n - m, ending ) == 0;
}

const char *render_check_path( int frame, const char *path )
{
	// colour, radiance, depth, z-depth, normals, segmentation, flow
	static const bool png[RENDER_FRAMES] = { true, false, true, true, true, true, false };
	static const bool npy[RENDER_FRAMES] = { false, true, true, true, true, false, true };
	if ( ( png[frame] && ends( path, ".png" ) ) || ( npy[frame] && ends( path, ".npy" ) ) )
	{
		return NULL;
	}
	return png[frame] && npy[frame] ? "a file that ends in .png or .npy"
		   : png[frame]             ? "a file that ends in .png"
									: "a file that ends in .npy";
}

static void folder_of( const char *path, char *folder, size_t size )
{
	const char *slash = strrchr( path, '/' );
	snprintf( folder, size, "%.*s", slash ? (int)( slash - path ) + 1 : 1, slash ? path : "." );
}

// The same name in the same folder, or two names of one file.
static bool same_file( const char *a, const char *b )
{
	char folders[2][4096];
	struct stat one, other;
	folder_of( a, folders[0], sizeof( folders[0] ) );
	folder_of( b, folders[1], sizeof( folders[1] ) );
	const char *name_a = strrchr( a, '/' ), *name_b = strrchr( b, '/' );
	bool named = strcmp( name_a ? name_a + 1 : a, name_b ? name_b + 1 : b ) == 0;
	if ( named && stat( folders[0], &one ) == 0 && stat( folders[1], &other ) == 0 )
	{
		return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
	}
	return stat( a, &one ) == 0 && stat( b, &other ) == 0 && S_ISREG( one.st_mode ) && one.st_dev == other.st_dev &&
		   one.st_ino == other.st_ino;
}

static ds_status check_file( const char *path )
{
	char folder[4096];
	struct stat info;
	folder_of( path, folder, sizeof( folder ) );
	bool there = stat( path, &info ) == 0;
	if ( there && S_ISDIR( info.st_mode ) )
	{
		return ds_log_file_error( path, "open for writing", EISDIR );
	}
	// a file gets its name when it is whole: the folder is written, unless it is a device or a pipe
	const char *written = there && !S_ISREG( info.st_mode ) ? path : folder;
	return access( written, W_OK ) == 0 ? DS_OK : ds_log_file_error( path, "open for writing", errno );
}

int render_check_files( const render_options *options )
{
	for ( int i = 0; i < RENDER_FRAMES; ++i )
	{
		for ( int k = 0; options->paths[i] && k < i; ++k )
		{
			if ( options->paths[k] && same_file( options->paths[i], options->paths[k] ) )
			{
				cli_error( "render: two frames would be written to %s: expected a file for each", options->paths[i] );
				return CLI_USAGE;
			}
		}
		if ( options->paths[i] && check_file( options->paths[i] ) != DS_OK )
		{
			return cli_fail();
		}
	}
	return CLI_OK;
}

// ---- files -------------------------------------------------------------------------------------------------------

static const void *span( const render_frame *frame, ds_span at )
{
	return (const unsigned char *)frame->reading + at.offset;
}

// Millimetres in 16 bits; 0: nothing, or farther than 65.535 m.
static ds_status write_millimetres( const char *path, const ds_camera *r, const float *depth )
{
	const int64_t pixels = r->width * r->height;
	uint16_t *out = malloc( (size_t)pixels * sizeof( *out ) );
	if ( out == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory for %s", path );
	}
	for ( int64_t i = 0; i < pixels; ++i )
	{
		float mm = 1000 * depth[i] + 0.5f;
		out[i] = mm < 65536 ? (uint16_t)mm : 0;
	}
	ds_status status = ds_image_write_png( path, r->width, r->height, 1, 16, out );
	free( out );
	return status;
}

static ds_status write_normals( const char *path, const ds_camera *r, const float *normals )
{
	const int64_t count = 3 * r->width * r->height;
	uint8_t *out = malloc( (size_t)count );
	if ( out == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory for %s", path );
	}
	for ( int64_t i = 0; i < count; ++i )
	{
		out[i] = (uint8_t)fminf( 255, fmaxf( 0, 127.5f * ( normals[i] + 1 ) + 0.5f ) );
	}
	ds_status status = ds_image_write_png( path, r->width, r->height, 3, 8, out );
	free( out );
	return status;
}

static ds_status write_frame( const render_frame *frame, int kind, const char *path )
{
	const ds_camera *r = frame->reading;
	const bool png = ends( path, ".png" );
	switch ( kind )
	{
		case 0:
			return r->color8.count > 0
					   ? ds_image_write_png( path, r->width, r->height, 3, 8, span( frame, r->color8 ) )
					   : ds_image_write_png( path, r->width, r->height, 3, 16, span( frame, r->color16 ) );
		case 1:
			return ds_image_write_npy( path, r->width, r->height, 3, span( frame, r->radiance ) );
		case 2:
		case 3:
		{
			const float *depth = span( frame, kind == 2 ? r->depth : r->z_depth );
			return png ? write_millimetres( path, r, depth )
					   : ds_image_write_npy( path, r->width, r->height, 1, depth );
		}
		case 4:
			return png ? write_normals( path, r, span( frame, r->normals ) )
					   : ds_image_write_npy( path, r->width, r->height, 3, span( frame, r->normals ) );
		case 5:
			return ds_image_write_ids( path, r->width, r->height, span( frame, r->segmentation ) );
		default:
			return ds_image_write_npy( path, r->width, r->height, 2, span( frame, r->flow ) );
	}
}

// ---- words -------------------------------------------------------------------------------------------------------

static int compare( const void *a, const void *b )
{
	const float *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

// How much of the frame shows something, and how far away it is.
static void tell_depth( const render_frame *frame )
{
	const ds_camera *r = frame->reading;
	const int64_t pixels = r->width * r->height;
	float *sorted = malloc( (size_t)pixels * sizeof( *sorted ) );
	if ( sorted == NULL )
	{
		return;
	}
	memcpy( sorted, span( frame, r->depth ), (size_t)pixels * sizeof( *sorted ) );
	qsort( sorted, (size_t)pixels, sizeof( *sorted ), compare );
	int64_t seen = 0;
	while ( seen < pixels && isfinite( sorted[seen] ) )
	{
		++seen;
	}
	if ( seen == 0 )
	{
		printf( "%-12s nothing within the camera's range\n", "seen" );
	}
	else
	{
		printf( "%-12s %.1f %% of the pixels, %.3g to %.3g m away, median %.3g m\n", "seen",
			100 * (double)seen / (double)pixels, sorted[0], sorted[seen - 1], sorted[seen / 2] );
	}
	free( sorted );
}

static void tell( const render_options *o, const char *camera, const render_frame *frame )
{
	static const char *const kinds[RENDER_FRAMES] = { "colour", "radiance", "depth", "z-depth", "normals", "instances",
		"flow" };
	const ds_camera *r = frame->reading;
	printf( "%-12s %s, %lld x %lld pixels, t = %.9g s, in %.3g s\n", "camera", camera, (long long)r->width,
		(long long)r->height, (double)frame->header.time / 1e9, frame->wall_time );
	tell_depth( frame );
	if ( o->paths[0] || o->paths[1] )
	{
		printf( "%-12s %.4g s, mean %.3g of full scale\n", "exposure", r->exposure, r->mean );
	}
	for ( int i = 0; i < RENDER_FRAMES; ++i )
	{
		if ( o->paths[i] )
		{
			printf( "%-12s %s\n", kinds[i], o->paths[i] );
		}
	}
}

int render_write( const render_options *options, const char *camera, const render_frame *frame )
{
	for ( int i = 0; i < RENDER_FRAMES; ++i )
	{
		if ( options->paths[i] && write_frame( frame, i, options->paths[i] ) != DS_OK )
		{
			return cli_fail();
		}
	}
	if ( !options->quiet )
	{
		tell( options, camera, frame );
	}
	return CLI_OK;
}
