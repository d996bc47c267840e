// What a calibration file means: members of OpenCV's FileStorage and of ROS's CameraInfo, read from a tree of texts.

#include "optics/calibration.h"

#include "base/file.h"
#include "optics/lens_internal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers -----------------------------------------------------------------------------------------------------------

// Whether a text is a decimal number as C writes it, without words, hexadecimals and spaces.
static bool is_decimal( const char *p, size_t size )
{
	const char *end = p + size;
	p += p < end && ( *p == '-' || *p == '+' );
	int digits = 0, points = 0;
	for ( ; p < end && ( ( *p >= '0' && *p <= '9' ) || ( *p == '.' && points == 0 ) ); ++p )
	{
		*( *p == '.' ? &points : &digits ) += 1;
	}
	if ( digits == 0 || p == end )
	{
		return digits > 0;
	}
	if ( *p != 'e' && *p != 'E' )
	{
		return false;
	}
	++p;
	p += p < end && ( *p == '-' || *p == '+' );
	const char *start = p;
	while ( p < end && *p >= '0' && *p <= '9' )
	{
		++p;
	}
	return p == end && p > start;
}

// A finite number, with a decimal point whatever the locale.
static bool parse_number( const char *p, size_t size, double *number )
{
	char text[128];
	const char *point = localeconv()->decimal_point;
	if ( size >= sizeof( text ) - 8 || !is_decimal( p, size ) )
	{
		return false;
	}
	size_t used = 0;
	for ( size_t i = 0; i < size; ++i )
	{
		const char *from = p[i] == '.' ? point : p + i;
		size_t length = p[i] == '.' ? strlen( point ) : 1;
		if ( used + length >= sizeof( text ) )
		{
			return false;
		}
		memcpy( text + used, from, length );
		used += length;
	}
	text[used] = '\0';
	*number = strtod( text, NULL );
	return isfinite( *number );
}

static const char blanks[] = " \t\r\n";

// The numbers of a list, of lists in a list, or of a text with spaces between; *count of them, of which `most` are kept.
static ds_status take_numbers( const ds_calibration_tree *tree, const ds_calibration_node *node, const char *name,
	double *numbers, int64_t most, int64_t *count )
{
	if ( node->kind == DS_CALIBRATION_MAP )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: expected numbers, got members", tree->name, node->line, name );
	}
	for ( const ds_calibration_node *n = node->first; n; n = n->next )
	{
		DS_TRY( take_numbers( tree, n, name, numbers, most, count ) );
	}
	int line = node->line;
	const char *p = node->text;
	while ( node->kind == DS_CALIBRATION_TEXT )
	{
		for ( ; *p && strchr( blanks, *p ); ++p )
		{
			line += *p == '\n';
		}
		size_t size = strcspn( p, blanks );
		double number = 0;
		if ( size == 0 )
		{
			break;
		}
		if ( !parse_number( p, size, &number ) )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%d: %s[%lld]: expected a finite number, got \"%.*s\"", tree->name,
				line, name, (long long)*count, (int)( size < 40 ? size : 40 ), p );
		}
		if ( *count < most )
		{
			numbers[*count] = number;
		}
		++*count;
		p += size;
	}
	return DS_OK;
}

static ds_status take_number(
	const ds_calibration_tree *tree, const ds_calibration_node *node, const char *name, double *number )
{
	int64_t count = 0;
	DS_TRY( take_numbers( tree, node, name, number, 1, &count ) );
	if ( count != 1 )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: expected one number, got %lld", tree->name, node->line, name,
			(long long)count );
	}
	return DS_OK;
}

// ---- members -----------------------------------------------------------------------------------------------------------

// Whether a key is a name of a list ("|a|b|"), which has no capitals and no underscores.
static bool is_named( const char *key, const char *names )
{
	char plain[32] = "|";
	size_t used = 1;
	for ( ; *key && used < sizeof( plain ) - 2; ++key )
	{
		if ( *key != '_' )
		{
			plain[used++] = *key >= 'A' && *key <= 'Z' ? (char)( *key - 'A' + 'a' ) : *key;
		}
	}
	plain[used++] = '|';
	return *key == '\0' && used > 2 && strchr( plain + 1, '|' ) == plain + used - 1 && strstr( names, plain );
}

// The member of one of some names; *found is NULL if there is none. Two of them are an error.
static ds_status find( const ds_calibration_tree *tree, const ds_calibration_node *map, const char *names,
	const ds_calibration_node **found )
{
	*found = NULL;
	for ( const ds_calibration_node *n = map->kind == DS_CALIBRATION_MAP ? map->first : NULL; n; n = n->next )
	{
		if ( !is_named( n->key, names ) )
		{
			continue;
		}
		if ( *found )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%d: %.64s says the same as %.64s (line %d)", tree->name, n->line,
				n->key, ( *found )->key, ( *found )->line );
		}
		*found = n;
	}
	return DS_OK;
}

// A matrix: rows, cols and data; or its numbers alone.
static ds_status take_matrix( const ds_calibration_tree *tree, const ds_calibration_node *node, double *numbers,
	int64_t most, int64_t *rows, int64_t *count )
{
	const char *name = node->key;
	*count = 0;
	*rows = 0;
	if ( node->kind != DS_CALIBRATION_MAP )
	{
		return take_numbers( tree, node, name, numbers, most, count );
	}
	const ds_calibration_node *parts[4];
	static const char *const names[] = { "|rows|", "|cols|", "|data|", "|dt|" };
	for ( int i = 0; i < 4; ++i )
	{
		DS_TRY( find( tree, node, names[i], &parts[i] ) );
		if ( parts[i] == NULL && i < 3 )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: expected a matrix with rows, cols and data", tree->name,
				node->line, name );
		}
	}
	double size[2];
	DS_TRY( take_number( tree, parts[0], "rows", &size[0] ) );
	DS_TRY( take_number( tree, parts[1], "cols", &size[1] ) );
	if ( parts[3] && parts[3]->text[strspn( parts[3]->text, " 1dfiwu" )] != 0 )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: expected elements of one number (dt: d), got \"%.20s\"",
			tree->name, parts[3]->line, name, parts[3]->text );
	}
	char place[80];
	snprintf( place, sizeof( place ), "%.60s.data", name );
	DS_TRY( take_numbers( tree, parts[2], place, numbers, most, count ) );
	if ( size[0] * size[1] != (double)*count )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: %g rows of %g columns, but %lld numbers", tree->name, node->line,
			name, size[0], size[1], (long long)*count );
	}
	*rows = *count > 0 ? (int64_t)size[0] : 0;
	return DS_OK;
}

// ---- the camera --------------------------------------------------------------------------------------------------------

static ds_status take_size( const ds_calibration_tree *tree, ds_lens *lens )
{
	static const char *const names[] = { "|imagewidth|width|", "|imageheight|height|" };
	int64_t *const sizes[] = { &lens->width, &lens->height };
	for ( int i = 0; i < 2; ++i )
	{
		const ds_calibration_node *node;
		double number;
		DS_TRY( find( tree, tree->root, names[i], &node ) );
		if ( node == NULL )
		{
			continue;
		}
		DS_TRY( take_number( tree, node, node->key, &number ) );
		if ( number != floor( number ) || number < 1 || number > 32768 )
		{
			return ds_error( DS_ERROR_RANGE, "%s:%d: %s: expected an integer in [1, 32768] px, got %g", tree->name,
				node->line, node->key, number );
		}
		*sizes[i] = (int64_t)number;
	}
	if ( ( lens->width == 0 ) != ( lens->height == 0 ) )
	{
		return ds_error(
			DS_ERROR_FORMAT, "%s: the calibration lacks image_%s", tree->name, lens->width == 0 ? "width" : "height" );
	}
	return DS_OK;
}

// fx 0 cx, 0 fy cy, 0 0 1
static ds_status take_camera( const ds_calibration_tree *tree, ds_lens *lens )
{
	const ds_calibration_node *node;
	DS_TRY( find( tree, tree->root, "|cameramatrix|k|", &node ) );
	if ( node == NULL )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the calibration lacks camera_matrix (or K)", tree->name );
	}
	double m[9];
	int64_t rows, count;
	DS_TRY( take_matrix( tree, node, m, 9, &rows, &count ) );
	if ( count != 9 || ( rows != 0 && rows != 3 ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: expected 3 rows of 3 numbers, got %lld numbers in %lld rows",
			tree->name, node->line, node->key, (long long)count, (long long)rows );
	}
	if ( m[1] != 0 )
	{
		return ds_error( DS_ERROR_UNSUPPORTED, "%s:%d: %s: lenses here have no skew: expected 0 in its place, got %g",
			tree->name, node->line, node->key, m[1] );
	}
	if ( m[3] != 0 || m[6] != 0 || m[7] != 0 || m[8] != 1 )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s:%d: %s: expected [fx, 0, cx, 0, fy, cy, 0, 0, 1], got 0s and 1s that differ", tree->name, node->line,
			node->key );
	}
	const double numbers[4] = { m[0], m[4], m[2], m[5] };
	static const char *const names[4] = { "fx", "fy", "cx", "cy" };
	for ( int i = 0; i < 4; ++i )
	{
		double least = i < 2 ? 1e-3 : -1e6;
		if ( !( numbers[i] >= least && numbers[i] <= 1e6 ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s:%d: %s: %s: expected a number in [%g, 1e6] px, got %g%s", tree->name,
				node->line, node->key, names[i], least, numbers[i],
				numbers[i] == 0 ? " (a camera that was not calibrated?)" : "" );
		}
	}
	lens->fx = m[0];
	lens->fy = m[4];
	lens->cx = m[2];
	lens->cy = m[5];
	return DS_OK;
}

// Whether a text, without spaces and quotes around it, is a word.
static bool is_word( const char *text, const char *word )
{
	text += strspn( text, " \t\r\n\"" );
	size_t length = strlen( word );
	return strncmp( text, word, length ) == 0 && text[length + strspn( text + length, " \t\r\n\"" )] == 0;
}

// Fisheye lenses are known by a word or by OpenCV's flag, never by the number of coefficients: a pinhole may have four too.
static ds_status take_model( const ds_calibration_tree *tree, ds_lens *lens )
{
	static const struct
	{
		const char *name;
		int32_t model;
	} words[] = { { "plumb_bob", DS_LENS_RECTILINEAR }, { "rational_polynomial", DS_LENS_RECTILINEAR },
		{ "equidistant", DS_LENS_FISHEYE }, { "fisheye", DS_LENS_FISHEYE } };
	const ds_calibration_node *word, *flag;
	DS_TRY( find( tree, tree->root, "|distortionmodel|cameramodel|", &word ) );
	DS_TRY( find( tree, tree->root, "|fisheyemodel|", &flag ) );
	lens->model = DS_LENS_RECTILINEAR;
	bool known = word == NULL;
	for ( size_t i = 0; word && i < sizeof( words ) / sizeof( words[0] ); ++i )
	{
		if ( word->kind == DS_CALIBRATION_TEXT && is_word( word->text, words[i].name ) )
		{
			lens->model = words[i].model;
			known = true;
		}
	}
	if ( !known )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"%s:%d: %s: expected plumb_bob, rational_polynomial (with k4 to k6 of 0), equidistant or fisheye, got "
			"\"%.40s\"",
			tree->name, word->line, word->key, word->text );
	}
	if ( flag )
	{
		double number = is_word( flag->text, "true" );
		if ( number == 0 && !is_word( flag->text, "false" ) )
		{
			DS_TRY( take_number( tree, flag, flag->key, &number ) );
		}
		if ( word && ( number != 0 ) != ( lens->model == DS_LENS_FISHEYE ) )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%d: %s says another model than %s (line %d)", tree->name, flag->line,
				flag->key, word->key, word->line );
		}
		lens->model = number != 0 ? DS_LENS_FISHEYE : lens->model;
	}
	return DS_OK;
}

// OpenCV's order: k1 k2 p1 p2 k3, k4 k5 k6 of the denominator, s1 to s4 of a thin prism, tilts.
static ds_status take_distortion( const ds_calibration_tree *tree, ds_lens *lens )
{
	static const char *const extra[] = { "k4", "k5", "k6", "s1", "s2", "s3", "s4", "tau_x", "tau_y" };
	const ds_calibration_node *node;
	DS_TRY( find( tree, tree->root, "|distortioncoefficients|distortioncoeffs|distcoeffs|distcoeff|d|", &node ) );
	if ( node == NULL )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the calibration lacks distortion_coefficients (or D)", tree->name );
	}
	double c[14] = { 0 };
	int64_t rows, count;
	DS_TRY( take_matrix( tree, node, c, 14, &rows, &count ) );
	bool fisheye = lens->model == DS_LENS_FISHEYE;
	bool good = count == 4 || ( !fisheye && ( count == 5 || count == 8 || count == 12 || count == 14 ) );
	if ( !good || ( rows > 1 && rows != count ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%d: %s: expected a row or a column of %s numbers, got %lld in %lld rows",
			tree->name, node->line, node->key, fisheye ? "4" : "4, 5, 8, 12 or 14", (long long)count, (long long)rows );
	}
	for ( int i = 5; i < 14; ++i )
	{
		if ( c[i] != 0 )
		{
			return ds_error( DS_ERROR_UNSUPPORTED,
				"%s:%d: %s[%d] (%s): lenses here have k1 k2 p1 p2 k3: expected 0, got %g (calibrate without it)",
				tree->name, node->line, node->key, i, extra[i - 5], c[i] );
		}
	}
	for ( int i = 0; i < 5; ++i )
	{
		if ( !( fabs( c[i] ) <= 1e6 ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s:%d: %s[%d]: expected a number in [-1e6, 1e6], got %g", tree->name,
				node->line, node->key, i, c[i] );
		}
	}
	static const int radial[] = { 0, 1, 4 };
	for ( int i = 0; i < ( fisheye ? 4 : 3 ); ++i )
	{
		lens->k[i] = c[fisheye ? i : radial[i]];
	}
	lens->p[0] = fisheye ? 0 : c[2];
	lens->p[1] = fisheye ? 0 : c[3];
	return DS_OK;
}

static ds_status take_all( const ds_calibration_tree *tree, ds_lens *lens )
{
	if ( tree->root == NULL || tree->root->kind != DS_CALIBRATION_MAP )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: no calibration: expected members such as camera_matrix", tree->name );
	}
	DS_TRY( take_size( tree, lens ) );
	DS_TRY( take_camera( tree, lens ) );
	DS_TRY( take_model( tree, lens ) );
	return take_distortion( tree, lens );
}

// ---- files -------------------------------------------------------------------------------------------------------------

ds_status ds_calibration_parse( const char *name, const char *bytes, size_t size, ds_lens *lens )
{
	if ( (int64_t)size > DS_CALIBRATION_MAX_BYTES )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: has %zu bytes, more than the %lld that a calibration may have", name,
			size, (long long)DS_CALIBRATION_MAX_BYTES );
	}
	size_t start = size >= 3 && memcmp( bytes, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0, at = start;
	while ( at < size && bytes[at] && strchr( blanks, bytes[at] ) )
	{
		++at;
	}
	ds_calibration_tree tree = { .name = name };
	ds_arena_init( &tree.arena, NULL );
	ds_status status = at < size && bytes[at] == '<' ? ds_calibration_parse_xml( &tree, bytes + start, size - start )
													 : ds_calibration_parse_yaml( &tree, bytes + start, size - start );
	status = status == DS_OK ? take_all( &tree, lens ) : status;
	ds_arena_free( &tree.arena );
	return status;
}

ds_status ds_calibration_read( const char *path, ds_lens *lens )
{
	uint8_t *bytes;
	int64_t size;
	DS_TRY(
		ds_file_read( path, DS_CALIBRATION_MAX_BYTES, "the ", " that a calibration may have", NULL, &bytes, &size ) );
	ds_status status = ds_calibration_parse( path, (const char *)bytes, (size_t)size, lens );
	DS_FREE( NULL, bytes, size + 1 );
	return status;
}
