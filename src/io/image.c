#include "io/image.h"

#include "base/base.h"
#include "io/log_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_SIZE 4200

// ---- reading -------------------------------------------------------------------------------------------------------

ds_status ds_image_allocate(
	const char *name, const char *format, int64_t max_pixels, const ds_allocator *allocator, ds_image *image )
{
	if ( image->width > max_pixels / image->height )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: the %s has %lld x %lld pixels: at most %lld are read", name, format,
			(long long)image->width, (long long)image->height, (long long)max_pixels );
	}
	image->size = (size_t)image->width * (size_t)image->height * (size_t)image->channels * (size_t)( image->bits / 8 );
	return ds_memory_new( allocator, image->size, 1, &image->pixels );
}

ds_status ds_image_decode( const char *name, const uint8_t *bytes, int64_t size, int64_t max_pixels,
	const ds_allocator *allocator, ds_image *image )
{
	static const uint8_t png[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	static const uint8_t jpeg[3] = { 0xff, 0xd8, 0xff };
	*image = ( ds_image ){ 0 };
	ds_status status;
	if ( size >= (int64_t)sizeof( png ) && memcmp( bytes, png, sizeof( png ) ) == 0 )
	{
		status = ds_png_decode( name, bytes, size, max_pixels, allocator, image );
	}
	else if ( size >= (int64_t)sizeof( jpeg ) && memcmp( bytes, jpeg, sizeof( jpeg ) ) == 0 )
	{
		status = ds_jpeg_decode( name, bytes, size, max_pixels, allocator, image );
	}
	else
	{
		return ds_error( DS_ERROR_FORMAT, "%s: this is neither a PNG nor a JPEG, by its first bytes", name );
	}
	if ( status != DS_OK )
	{
		ds_image_free( allocator, image );
	}
	return status;
}

void ds_image_free( const ds_allocator *allocator, ds_image *image )
{
	ds_memory_free( allocator, image->pixels, image->size, 1 );
	*image = ( ds_image ){ 0 };
}

// ---- writing -------------------------------------------------------------------------------------------------------

typedef bool put_file( const void *source, FILE *file, int *fault );

// A file gets its name when it is whole; devices and pipes are written as they are.
static ds_status write_whole( const char *path, put_file *put, const void *source )
{
	struct stat info;
	bool direct = stat( path, &info ) == 0 && !S_ISREG( info.st_mode );
	char name[PATH_SIZE];
	int length = snprintf( name, sizeof( name ), "%s%s", path, direct ? "" : ".part" );
	if ( length < 0 || (size_t)length >= sizeof( name ) )
	{
		return ds_log_file_error( path, "write", ENAMETOOLONG );
	}
	FILE *file = ds_log_file_stream( name );
	if ( file == NULL )
	{
		return ds_log_file_error( path, "open for writing", errno );
	}
	int fault = 0;
	bool done = put( source, file, &fault );
	errno = 0;
	if ( ( fclose( file ) != 0 || ( done && !direct && rename( name, path ) != 0 ) ) && done )
	{
		fault = errno;
		done = false;
	}
	if ( !done && !direct )
	{
		(void)remove( name );
	}
	return done ? DS_OK : ds_log_file_error( path, "write", fault );
}

static bool put_png( const void *source, FILE *file, int *fault )
{
	return ds_png_put( source, file, fault );
}

static ds_status check_size( const char *path, int64_t width, int64_t height )
{
	if ( width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"%s: an image must have from 1 x 1 to 2147483647 pixels a side, got %lld x %lld", path, (long long)width,
			(long long)height );
	}
	return DS_OK;
}

ds_status ds_image_write_png(
	const char *path, int64_t width, int64_t height, int32_t channels, int32_t bits, const void *pixels )
{
	DS_TRY( check_size( path, width, height ) );
	if ( ( channels != 1 && channels != 3 ) || ( bits != 8 && bits != 16 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s: a PNG is written of 1 or 3 channels of 8 or 16 bits, not of %d of %d",
			path, (int)channels, (int)bits );
	}
	ds_png_source source = { width, height, channels, bits, pixels, NULL };
	return write_whole( path, put_png, &source );
}

ds_status ds_image_write_ids( const char *path, int64_t width, int64_t height, const int32_t *ids )
{
	DS_TRY( check_size( path, width, height ) );
	ds_png_source source = { width, height, 3, 8, NULL, ids };
	return write_whole( path, put_png, &source );
}

// NumPy's format, version 1.0: a magic string, the header's length, a Python dictionary padded to a multiple of 64, the elements
// (NumPy Enhancement Proposal 1).
#define NPY_HEADER 128

typedef struct npy
{
	uint8_t header[NPY_HEADER];
	const float *pixels;
	size_t count;
} npy;

static bool put_npy( const void *source, FILE *file, int *fault )
{
	const npy *n = source;
	errno = 0;
	bool done = fwrite( n->header, 1, NPY_HEADER, file ) == NPY_HEADER &&
				fwrite( n->pixels, sizeof( float ), n->count, file ) == n->count && fflush( file ) == 0;
	*fault = errno;
	return done;
}

ds_status ds_image_write_npy( const char *path, int64_t width, int64_t height, int32_t channels, const float *pixels )
{
	DS_TRY( check_size( path, width, height ) );
	if ( channels < 1 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s: an image must have channels, got %d", path, (int)channels );
	}
	const uint16_t one = 1;
	uint8_t first;
	memcpy( &first, &one, 1 );
	char third[32] = "";
	if ( channels > 1 )
	{
		snprintf( third, sizeof( third ), ", %d", (int)channels );
	}
	npy n = { { 0 }, pixels, (size_t)width * (size_t)height * (size_t)channels };
	char text[NPY_HEADER];
	int length = snprintf( text, sizeof( text ), "{'descr': '%cf4', 'fortran_order': False, 'shape': (%lld, %lld%s), }",
		first == 1 ? '<' : '>', (long long)height, (long long)width, third );
	static const uint8_t magic[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, NPY_HEADER - 10, 0 };
	memset( n.header, ' ', sizeof( n.header ) );
	memcpy( n.header, magic, sizeof( magic ) );
	memcpy( n.header + sizeof( magic ), text, (size_t)length ); // at most 90 characters
	n.header[NPY_HEADER - 1] = '\n';
	return write_whole( path, put_npy, &n );
}
