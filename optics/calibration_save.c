// Writing of calibration files. Every number is written so that it is read back to the last bit.

#include "base/text.h"
#include "deepsim/lens.h"
#include "optics/calibration_write.h"
#include "optics/lens_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A number that readers take for a real one: with a point or an exponent.
static void put_real( ds_text *text, double number )
{
	char digits[40];
	ds_print_number( digits, sizeof( digits ), number );
	ds_text_string( text, digits );
	if ( strpbrk( digits, ".e" ) == NULL )
	{
		ds_text_string( text, "." );
	}
}

static void put_numbers( ds_text *text, const ds_calibration_matrix *m, const char *between )
{
	for ( int i = 0; i < m->rows * m->columns; ++i )
	{
		ds_text_string( text, i == 0 ? "" : between );
		put_real( text, m->numbers[i] );
	}
}

void ds_calibration_put_opencv( ds_text *text, const ds_calibration_matrix *m )
{
	ds_text_format(
		text, "%s: !!opencv-matrix\n   rows: %d\n   cols: %d\n   dt: d\n   data: [ ", m->name, m->rows, m->columns );
	put_numbers( text, m, m->columns == 3 ? ",\n       " : ", " );
	ds_text_string( text, " ]\n" );
}

static void put_opencv_xml( ds_text *text, const ds_calibration_matrix *m )
{
	ds_text_format( text,
		"<%s type_id=\"opencv-matrix\">\n  <rows>%d</rows>\n  <cols>%d</cols>\n  <dt>d</dt>\n  <data>\n    ", m->name,
		m->rows, m->columns );
	put_numbers( text, m, "\n    " );
	ds_text_format( text, "</data></%s>\n", m->name );
}

void ds_calibration_put_ros( ds_text *text, const ds_calibration_matrix *m )
{
	ds_text_format( text, "%s:\n  rows: %d\n  cols: %d\n  data: [", m->name, m->rows, m->columns );
	put_numbers( text, m, ", " );
	ds_text_string( text, "]\n" );
}

ds_calibration_matrix ds_calibration_camera( const ds_lens *l, const char *name )
{
	return ( ds_calibration_matrix ){ name, 3, 3, { l->fx, 0, l->cx, 0, l->fy, l->cy, 0, 0, 1 } };
}

ds_calibration_matrix ds_calibration_distortion( const ds_lens *l, const char *name, bool column )
{
	bool fisheye = l->model == DS_LENS_FISHEYE;
	int count = fisheye ? 4 : 5;
	ds_calibration_matrix m = { name, column ? count : 1, column ? 1 : count,
		{ l->k[0], l->k[1], fisheye ? l->k[2] : l->p[0], fisheye ? l->k[3] : l->p[1], l->k[2] } };
	return m;
}

static void put_opencv( ds_text *text, const ds_lens *l, bool xml )
{
	const long long numbers[3] = { l->width, l->height, l->model == DS_LENS_FISHEYE };
	static const char *const names[3] = { "image_width", "image_height", "fisheye_model" };
	ds_calibration_matrix matrices[2] = { ds_calibration_camera( l, "camera_matrix" ),
		ds_calibration_distortion( l, "distortion_coefficients", true ) };
	ds_text_string( text, xml ? "<?xml version=\"1.0\"?>\n<opencv_storage>\n" : "%YAML:1.0\n---\n" );
	for ( int i = 0; i < 3; ++i )
	{
		if ( xml )
		{
			ds_text_format( text, "<%s>%lld</%s>\n", names[i], numbers[i], names[i] );
		}
		else
		{
			ds_text_format( text, "%s: %lld\n", names[i], numbers[i] );
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		( xml ? put_opencv_xml : ds_calibration_put_opencv )( text, &matrices[i] );
	}
	ds_text_string( text, xml ? "</opencv_storage>\n" : "" );
}

// In quotes unless it is a plain word.
static void put_name( ds_text *text, const char *name )
{
	bool plain = ( name[0] >= 'A' && name[0] <= 'Z' ) || ( name[0] >= 'a' && name[0] <= 'z' );
	for ( const char *p = name; *p; ++p )
	{
		plain &= ( *p >= 'A' && *p <= 'Z' ) || ( *p >= 'a' && *p <= 'z' ) || ( *p >= '0' && *p <= '9' ) || *p == '_';
	}
	ds_text_string( text, plain ? "" : "\"" );
	for ( const char *p = name; *p; ++p )
	{
		unsigned char c = (unsigned char)*p;
		if ( c < 0x20 || c == 0x7f )
		{
			ds_text_format( text, "\\x%02x", c );
		}
		else
		{
			ds_text_string( text, c == '"' || c == '\\' ? "\\" : "" );
			ds_text_add( text, p, 1 );
		}
	}
	ds_text_string( text, plain ? "\n" : "\"\n" );
}

void ds_calibration_put_info(
	ds_text *text, const ds_lens *l, const char *name, const double *rectification, const double *projection )
{
	ds_calibration_matrix camera = ds_calibration_camera( l, "camera_matrix" );
	ds_calibration_matrix distortion = ds_calibration_distortion( l, "distortion_coefficients", false );
	ds_calibration_matrix r = { "rectification_matrix", 3, 3, { 0 } }, p = { "projection_matrix", 3, 4, { 0 } };
	memcpy( r.numbers, rectification, 9 * sizeof( double ) );
	memcpy( p.numbers, projection, 12 * sizeof( double ) );
	ds_text_format(
		text, "image_width: %lld\nimage_height: %lld\ncamera_name: ", (long long)l->width, (long long)l->height );
	put_name( text, name && name[0] ? name : "camera" );
	ds_calibration_put_ros( text, &camera );
	ds_text_format( text, "distortion_model: %s\n", l->model == DS_LENS_FISHEYE ? "equidistant" : "plumb_bob" );
	ds_calibration_put_ros( text, &distortion );
	ds_calibration_put_ros( text, &r );
	ds_calibration_put_ros( text, &p );
}

static ds_status write_beside( const char *path, const ds_text *text, char *temporary, size_t size )
{
	struct stat info;
	if ( stat( path, &info ) == 0 && !S_ISREG( info.st_mode ) )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be written: it is no file, and would be replaced", path );
	}
	snprintf( temporary, size, "%s.%ld.tmp", path, (long)getpid() );
	FILE *file = fopen( temporary, "wb" );
	if ( file == NULL )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be written: %s", path, strerror( errno ) );
	}
	bool good = fwrite( ds_text_get( text ), 1, text->length, file ) == text->length;
	good = fclose( file ) == 0 && good;
	if ( !good || rename( temporary, path ) != 0 )
	{
		ds_status status = ds_error( DS_ERROR_IO, "%s: cannot be written: %s", path, strerror( errno ) );
		remove( temporary );
		return status;
	}
	return DS_OK;
}

ds_status ds_calibration_write( const char *path, ds_text *text )
{
	size_t size = strlen( path ) + 32;
	char *temporary;
	ds_status status = text->status;
	status = status == DS_OK ? DS_NEW( NULL, size, &temporary ) : status;
	if ( status == DS_OK )
	{
		status = write_beside( path, text, temporary, size );
		DS_FREE( NULL, temporary, size );
	}
	ds_text_clear( text );
	return status;
}

ds_status ds_lens_save( const ds_lens *lens, const char *name, ds_lens_format format, const char *path )
{
	if ( lens == NULL || path == NULL || (unsigned)format >= DS_LENS_FORMAT_COUNT )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_lens_save: lens and path must not be NULL, format one of opencv_yaml, opencv_xml and ros_yaml" );
	}
	ds_lens copy = *lens;
	DS_TRY( ds_lens_finish( &copy, path ) );
	if ( lens->model != DS_LENS_RECTILINEAR && lens->model != DS_LENS_FISHEYE )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"%s: calibration files have rectilinear and fisheye lenses, and this one is %s", path,
			lens->model == DS_LENS_EQUIRECTANGULAR ? "equirectangular" : "stereographic" );
	}
	ds_text text;
	ds_text_init( &text, NULL );
	if ( format == DS_LENS_ROS_YAML )
	{
		const double none[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
		const double projection[12] = { lens->fx, 0, lens->cx, 0, 0, lens->fy, lens->cy, 0, 0, 0, 1, 0 };
		ds_calibration_put_info( &text, lens, name, none, projection );
	}
	else
	{
		put_opencv( &text, lens, format == DS_LENS_OPENCV_XML );
	}
	return ds_calibration_write( path, &text );
}
