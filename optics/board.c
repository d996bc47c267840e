// Calibration targets: flat plates whose front is a grid of rectangles, white and black. Squares meet in shared vertices, so that corners
// are exact and no light passes between.

#include "deepsim/math.h"
#include "optics/board_tags.h"
#include "optics/visual.h"

#include <string.h>

#define THICKNESS 0.002 // [m], or a hundredth of the shorter side if that is less
#define MODULES   8 // across a tag, with its black frame
#define GREY      0.3 // of back and edges

#define LENGTH( member, initial_, doc_ )                                                                               \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_board, member ), 1, 0, "m", initial_, 0, 100,  \
			doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                                       \
	}
#define PAINT                                                                                                          \
	DS_F64( ds_board, white, "", "0.85", 0, 1, "reflectance of white" ),                                               \
		DS_F64( ds_board, black, "", "0.04", 0, 1, "reflectance of black" )

static const ds_field checkerboard_fields[] = {
	DS_I64( ds_board, rows, "", "7", 2, 1000, "squares from top to bottom" ),
	DS_I64( ds_board, columns, "", "10", 2, 1000, "squares from left to right" ),
	LENGTH( square, "0.05", "side of a square" ),
	DS_F64( ds_board, margin, "m", "0.05", 0, 100, "white about the squares; finders need about a square's side" ),
	PAINT,
};

static const ds_field tags_fields[] = {
	DS_I64( ds_board, rows, "", "4", 1, 587, "tags from top to bottom" ),
	DS_I64( ds_board, columns, "", "6", 1, 587, "tags from left to right" ),
	LENGTH( square, "0.08", "side of a tag's black square" ),
	DS_F64( ds_board, gap, "", "0.3", 0.05, 10, "white between tags, as a share of their side; finders need 0.125" ),
	DS_F64( ds_board, margin, "m", "0.03", 0, 100, "white about the tags; finders need an eighth of a tag's side" ),
	DS_I64( ds_board, first, "", "0", 0, 586, "id of the tag at the top left; the others count on, row by row" ),
	PAINT,
};

static ds_status check_tags( const void *value )
{
	const ds_board *board = value;
	if ( board->first + board->rows * board->columns > DS_TAG36H11_COUNT )
	{
		return ds_error( DS_ERROR_RANGE, "rows: %lld x %lld tags from id %lld on are more than the %d that there are",
			(long long)board->rows, (long long)board->columns, (long long)board->first, DS_TAG36H11_COUNT );
	}
	return DS_OK;
}

static const ds_table tables[DS_BOARD_KIND_COUNT] = {
	DS_TABLE( "checkerboard", "rows x columns squares, black at the top left", ds_board, checkerboard_fields ),
	{ "tags", "rows x columns AprilTags of the family 36h11", sizeof( ds_board ), tags_fields, DS_COUNT( tags_fields ),
		check_tags, NULL, 0 },
};

const ds_table *ds_board_table( ds_board_kind kind )
{
	return (unsigned)kind < DS_BOARD_KIND_COUNT ? &tables[kind] : NULL;
}

ds_board ds_board_default( ds_board_kind kind )
{
	ds_board board;
	memset( &board, 0, sizeof( board ) );
	const ds_table *table = ds_board_table( kind );
	if ( table && ds_table_defaults( table, &board ) == DS_OK )
	{
		board.kind = (int32_t)kind;
	}
	return board;
}

static ds_status check( const ds_board *board )
{
	if ( board == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a board is missing" );
	}
	const ds_table *table = ds_board_table( (ds_board_kind)board->kind );
	if ( table == NULL )
	{
		return ds_error( DS_ERROR_RANGE, "kind of a board: there is no kind %d", (int)board->kind );
	}
	ds_status status = ds_table_check_value( table, board );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "board of kind %s: ", table->name );
}

// ---- the grid ------------------------------------------------------------------------------------------------------

// Rectangles along one side: margin, then squares or the modules of tags with gaps between, margin.
static int64_t steps_of( const ds_board *board, int64_t count )
{
	return board->kind == DS_BOARD_CHECKERBOARD ? count + 2 : count * ( MODULES + 1 ) + 1;
}

// Where line `i` of the grid lies, from the middle [m].
static double line_at( const ds_board *board, int64_t count, int64_t i )
{
	bool tags = board->kind == DS_BOARD_TAGS;
	double pitch = board->square * ( tags ? 1 + board->gap : 1 );
	double half = 0.5 * ( pitch * (double)( count - 1 ) + board->square );
	int64_t last = steps_of( board, count );
	if ( i == 0 || i == last )
	{
		return i == 0 ? -half - board->margin : half + board->margin;
	}
	if ( !tags )
	{
		return board->square * (double)( i - 1 ) - half;
	}
	int64_t tag = ( i - 1 ) / ( MODULES + 1 ), module = ( i - 1 ) % ( MODULES + 1 );
	return pitch * (double)tag + board->square * (double)module / MODULES - half;
}

// Is a module of a tag white?
static bool tag_is_white( const ds_board *board, int64_t row, int64_t column )
{
	int64_t y = row % ( MODULES + 1 ), x = column % ( MODULES + 1 ); // of a tag's modules, or of the gap after it
	if ( y == MODULES || x == MODULES )
	{
		return true;
	}
	if ( y == 0 || x == 0 || y == MODULES - 1 || x == MODULES - 1 )
	{
		return false;
	}
	int64_t id = board->first + row / ( MODULES + 1 ) * board->columns + column / ( MODULES + 1 );
	return ds_tag36h11[id] >> ( ( y - 1 ) * ( MODULES - 2 ) + x - 1 ) & 1;
}

static bool is_white( const ds_board *board, int64_t row, int64_t column, int64_t rows, int64_t columns )
{
	if ( row == 0 || column == 0 || row == rows - 1 || column == columns - 1 )
	{
		return true; // margin
	}
	return board->kind == DS_BOARD_CHECKERBOARD ? ( row + column ) % 2 == 1
												: tag_is_white( board, row - 1, column - 1 );
}

typedef struct board_work
{
	ds_visual *visual;
	int64_t faces;
} board_work;

// Two triangles of a quadrilateral whose corners go round against the clock, seen from its front.
static void add_quad( board_work *w, int64_t a, int64_t b, int64_t c, int64_t d, double color )
{
	const int64_t corners[6] = { a, b, c, a, c, d };
	for ( int k = 0; k < 6; ++k )
	{
		w->visual->triangles[3 * w->faces + k] = (int32_t)corners[k];
		float *out = w->visual->colors[3 * w->faces + k];
		out[0] = out[1] = out[2] = (float)color;
	}
	w->faces += 2;
}

static void fill( const ds_board *board, ds_visual *v, int64_t rows, int64_t columns )
{
	board_work w = { v, 0 };
	int64_t wide = columns + 1, count = wide * ( rows + 1 );
	for ( int64_t i = 0; i < count; ++i )
	{
		v->vertices[i] =
			ds_v3( 0, line_at( board, board->columns, i % wide ), line_at( board, board->rows, i / wide ) );
	}
	for ( int64_t row = 0; row < rows; ++row )
	{
		for ( int64_t column = 0; column < columns; ++column )
		{
			int64_t at = row * wide + column;
			double color = is_white( board, row, column, rows, columns ) ? board->white : board->black;
			add_quad( &w, at, at + wide, at + wide + 1, at + 1, color );
		}
	}

	// the back, and the four edges
	const int64_t front[4] = { 0, columns, count - 1, count - wide };
	ds_vec3 first = v->vertices[0];
	double shorter = -2 * ( first.y > first.z ? first.y : first.z );
	for ( int k = 0; k < 4; ++k )
	{
		v->vertices[count + k] = v->vertices[front[k]];
		v->vertices[count + k].x = THICKNESS < 0.01 * shorter ? THICKNESS : 0.01 * shorter;
	}
	add_quad( &w, count, count + 1, count + 2, count + 3, GREY );
	for ( int k = 0; k < 4; ++k )
	{
		int next = ( k + 1 ) % 4;
		add_quad( &w, front[k], front[next], count + next, count + k, GREY );
	}
}

ds_status ds_visual_board( const ds_board *board, const ds_hooks *hooks, ds_visual **visual )
{
	if ( visual == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_visual_board needs a place for the visual" );
	}
	*visual = NULL;
	DS_TRY( check( board ) );
	int64_t rows = steps_of( board, board->rows ), columns = steps_of( board, board->columns );
	ds_visual *v;
	DS_TRY( ds_visual_new( hooks, ( rows + 1 ) * ( columns + 1 ) + 4, 2 * ( rows * columns + 5 ), 1, &v ) );
	ds_material paint = { { 1, 1, 1 }, 0, 0.9 };
	v->materials[0] = ds_visual_material_of( &paint );
	ds_status status = DS_NEW( &v->allocator, 3 * v->face_count, &v->colors );
	if ( status == DS_OK )
	{
		fill( board, v, rows, columns );
		status = ds_visual_compute_normals( v, true );
	}
	if ( status != DS_OK )
	{
		ds_visual_release( v );
		return status;
	}
	*visual = v;
	return DS_OK;
}

ds_status ds_board_corner( const ds_board *board, int64_t index, ds_vec3 *corner )
{
	DS_TRY( check( board ) );
	if ( corner == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_board_corner needs a place for the corner" );
	}
	bool tags = board->kind == DS_BOARD_TAGS;
	int64_t wide = tags ? board->columns : board->columns - 1;
	int64_t count = tags ? 4 * board->rows * board->columns : wide * ( board->rows - 1 );
	if ( index < 0 || index >= count )
	{
		return ds_error(
			DS_ERROR_RANGE, "corner %lld of a board: it has %lld, from 0 on", (long long)index, (long long)count );
	}
	int64_t place = tags ? index / 4 : index, row = place / wide, column = place % wide, side = index % 4;
	int64_t row_line = tags ? row * ( MODULES + 1 ) + 1 + ( side >= 2 ? MODULES : 0 ) : row + 2;
	int64_t column_line = tags ? column * ( MODULES + 1 ) + 1 + ( side == 1 || side == 2 ? MODULES : 0 ) : column + 2;
	*corner = ds_v3( 0, line_at( board, board->columns, column_line ), line_at( board, board->rows, row_line ) );
	return DS_OK;
}
