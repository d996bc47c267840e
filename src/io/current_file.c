#include "io/current_file.h"

#include "core/scenario.h"
#include "io/current_table.h"
#include "io/mesh_internal.h"
#include "io/mesh_scan.h"
#include "io/scenario_fields.h"

#include <math.h>
#include <string.h>

#define MOST_BYTES   ( 64 << 20 )
#define MOST_COLUMNS 64

// ---- currents ------------------------------------------------------------------------------------------------------

// { "currents": [...] } outside a scenario.
typedef struct block
{
	double latitude, bed;
	int32_t has_bed;
	ds_array currents;
} block;

static const ds_field bed_fields[] = { F64_FLAGS(
	"bed", DS_FIELD_EXCLUSIVE_MINIMUM, block, bed, 1, "m", "100", 0, 12000, "z of a level bed" ) };
static const ds_table bed_table = TABLE_OF( "bed", "", block, bed_fields, NULL );
static const ds_choice beds[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "no bed" },
	{ 1, DS_FORM_NUMBER, "bed", NULL, &bed_table, "z of a level bed" },
};
static const ds_field block_fields[] = {
	F64_FLAGS( "latitude", DS_FIELD_ANGLE, block, latitude, 1, "rad", "0", -90, 90, "north" ),
	VARIANT_AT( "bed", block, has_bed, beds, "null", "the bed" ),
	ARRAY_AT( "currents", block, currents, ds_current_def, &ds_current_table, "currents, which are summed" ),
};
static const ds_table block_table = TABLE_OF( "currents", "", block, block_fields, NULL );

// A current, or an array of them, wrapped as a block.
static ds_status wrap( ds_arena *arena, ds_json *root, ds_json **wrapped )
{
	bool array = root->type == DS_JSON_ARRAY;
	ds_json *list = root;
	if ( !array )
	{
		DS_TRY( ds_json_new( arena, DS_JSON_ARRAY, root, &list ) );
		DS_TRY( ds_json_add( arena, list, NULL, root ) );
	}
	DS_TRY( ds_json_new( arena, DS_JSON_OBJECT, root, wrapped ) );
	return ds_json_add( arena, *wrapped, "currents", list );
}

static ds_status read_block( ds_current_file *file, ds_json *root )
{
	block b;
	bool whole = root->type == DS_JSON_OBJECT && ds_json_find( root, "currents" );
	if ( !whole )
	{
		DS_TRY( wrap( &file->arena, root, &root ) );
	}
	DS_TRY( ds_table_read( &block_table, root, &file->arena, &b ) );
	file->defs = b.currents.data;
	file->count = b.currents.count;
	file->setting.latitude = b.latitude;
	file->setting.has_bed = b.has_bed != 0;
	file->setting.bed_depth = b.bed;
	return DS_OK;
}

// The definitions and their arrays, out of the scenario's memory.
static ds_status copy_defs( ds_current_file *file, const ds_array *currents )
{
	void *memory;
	DS_TRY( ds_arena_new( &file->arena, ( (size_t)currents->count + 1 ) * sizeof( ds_current_def ), &memory ) );
	ds_current_def *defs = memory;
	for ( int64_t i = 0; i < currents->count; ++i )
	{
		defs[i] = ( (const ds_current_def *)currents->data )[i];
		ds_array *arrays[] = { &defs[i].levels, &defs[i].constituents };
		const size_t sizes[] = { sizeof( ds_current_level ), sizeof( ds_tidal_constituent ) };
		for ( int k = 0; k < 2; ++k )
		{
			if ( arrays[k]->count > 0 )
			{
				size_t size = (size_t)arrays[k]->count * sizes[k];
				DS_TRY( ds_arena_new( &file->arena, size, &memory ) );
				memcpy( memory, arrays[k]->data, size );
				arrays[k]->data = memory;
			}
		}
	}
	file->defs = defs;
	file->count = currents->count;
	return DS_OK;
}

static ds_status read_scenario( ds_current_file *file, const char *path )
{
	ds_scenario *scenario;
	DS_TRY( ds_scenario_load( path, NULL, 0, NULL, &scenario ) );
	const ds_environment_def *e = &scenario->environment;
	ds_status status = copy_defs( file, &e->currents );
	file->setting.latitude = e->latitude;
	file->setting.has_bed = e->seabed == DS_SEABED_FLAT;
	file->setting.bed_depth = e->seabed_depth;
	file->seed = scenario->seed;
	ds_scenario_release( scenario );
	return status;
}

ds_status ds_current_file_load( const char *path, ds_current_file *file )
{
	memset( file, 0, sizeof( *file ) );
	ds_arena_init( &file->arena, NULL );
	ds_json *root;
	ds_status status = ds_json_load( &file->arena, path, &root );
	if ( status == DS_OK )
	{
		bool scenario = root->type == DS_JSON_OBJECT && ds_json_find( root, "deepsim" );
		status = scenario ? read_scenario( file, path ) : read_block( file, root );
	}
	if ( status != DS_OK )
	{
		ds_current_file_free( file );
	}
	return status;
}

void ds_current_file_free( ds_current_file *file )
{
	ds_arena_free( &file->arena );
	memset( file, 0, sizeof( *file ) );
}

// ---- profiles ------------------------------------------------------------------------------------------------------

typedef struct rows
{
	const char *name, *at, *end;
	int64_t line;
} rows;

#define FAIL( r, status, ... )                                                                                         \
	ds_error_prefix( ds_error( status, __VA_ARGS__ ), "%s:%lld: ", ( r )->name, (long long)( r )->line )

// Around a cell.
static bool is_blank( char c )
{
	return c == ' ' || c == '\t' || c == '\r' || c == '"';
}

// The cells of the next row that is neither blank nor a comment; 0 at the end, MOST_COLUMNS + 1 if there are too many.
static int next_row( rows *r, ds_token cells[MOST_COLUMNS] )
{
	while ( r->at < r->end )
	{
		const char *stop = memchr( r->at, '\n', (size_t)( r->end - r->at ) ), *at = r->at;
		stop = stop ? stop : r->end;
		r->at = stop < r->end ? stop + 1 : stop;
		r->line += 1;
		int count = 0;
		bool blank = true, comment = at < stop && ( *at == '#' || *at == '%' );
		while ( at <= stop && !comment && count <= MOST_COLUMNS )
		{
			const char *comma = memchr( at, ',', (size_t)( stop - at ) ), *end = comma ? comma : stop;
			const char *next = end + 1;
			while ( at < end && is_blank( *at ) )
			{
				++at;
			}
			while ( end > at && is_blank( end[-1] ) )
			{
				--end;
			}
			if ( count < MOST_COLUMNS )
			{
				cells[count] = ( ds_token ){ at, (size_t)( end - at ) };
			}
			blank = blank && end == at;
			++count;
			at = next;
		}
		if ( count > 0 && !blank )
		{
			return count;
		}
	}
	return 0;
}

// Whether a heading is a word, alone or before a unit. `unit` is then the unit with its brackets, which may be missing.
static bool heading_is( ds_token cell, const char *word, ds_token *unit )
{
	size_t length = strlen( word );
	bool longer = cell.size > length && cell.at[length] != 0 && strchr( "[_ (", cell.at[length] );
	if ( ( cell.size != length && !longer ) || !ds_token_is( ( ds_token ){ cell.at, length }, word ) )
	{
		return false;
	}
	*unit = ( ds_token ){ cell.at + length, cell.size - length };
	while ( unit->size > 0 && ( *unit->at == ' ' || *unit->at == '_' ) )
	{
		unit->at += 1;
		unit->size -= 1;
	}
	return true;
}

// Metres for the depth, metres a second for the flow; what is not in brackets is not a unit.
static bool unit_good( ds_token unit, bool depth )
{
	static const char *const metres[] = { "m", "metre", "metres", "meter", "meters", NULL };
	static const char *const speeds[] = { "m/s", "m s-1", "m s^-1", "m.s-1", "ms-1", NULL };
	if ( unit.size < 2 || !strchr( "[(", *unit.at ) )
	{
		return true;
	}
	ds_token inside = { unit.at + 1, unit.size - 2 };
	bool good = false;
	for ( const char *const *known = depth ? metres : speeds; *known; ++known )
	{
		good = good || ds_token_is( inside, *known );
	}
	return good && unit.at[unit.size - 1] == ( *unit.at == '[' ? ']' : ')' );
}

static ds_status find_columns( rows *r, int columns[3], int *width )
{
	static const char *const words[3][2] = { { "depth", "z" }, { "north", "v" }, { "east", "u" } };
	ds_token cells[MOST_COLUMNS];
	*width = next_row( r, cells );
	if ( *width > MOST_COLUMNS )
	{
		return FAIL( r, DS_ERROR_LIMIT, "there are more than %d columns", MOST_COLUMNS );
	}
	for ( int k = 0; k < 3; ++k )
	{
		ds_token unit = { NULL, 0 };
		columns[k] = -1;
		for ( int i = 0; i < *width && columns[k] < 0; ++i )
		{
			bool found = heading_is( cells[i], words[k][0], &unit ) || heading_is( cells[i], words[k][1], &unit );
			columns[k] = found ? i : -1;
		}
		if ( columns[k] < 0 )
		{
			return FAIL( r, DS_ERROR_NOT_FOUND,
				"there is no column \"%s\" (or \"%s\"): expected headers like depth[m],north[m/s],east[m/s]",
				words[k][0], words[k][1] );
		}
		if ( !unit_good( unit, k == 0 ) )
		{
			return FAIL( r, DS_ERROR_FORMAT, "column \"%s\" is in %.*s, expected %s", words[k][0],
				(int)fmin( (double)unit.size, 40 ), unit.at, k == 0 ? "[m]" : "[m/s]" );
		}
	}
	return DS_OK;
}

static ds_status read_levels( rows *r, ds_current_level *levels, int64_t *count )
{
	int columns[3], width, got;
	ds_token cells[MOST_COLUMNS];
	DS_TRY( find_columns( r, columns, &width ) );
	while ( ( got = next_row( r, cells ) ) > 0 )
	{
		double values[3];
		if ( got != width )
		{
			return FAIL( r, DS_ERROR_FORMAT, "the row has %d cells; the header has %d", got, width );
		}
		for ( int k = 0; k < 3; ++k )
		{
			ds_token cell = cells[columns[k]];
			if ( !ds_token_number( cell, &values[k] ) || !isfinite( values[k] ) )
			{
				return FAIL(
					r, DS_ERROR_FORMAT, "\"%.*s\" is not a number", (int)fmin( (double)cell.size, 60 ), cell.at );
			}
		}
		ds_current_level *level = &levels[( *count )++];
		*level = ( ds_current_level ){ values[0], { values[1], values[2], 0 } };
	}
	return DS_OK;
}

ds_status ds_current_levels_load(
	const ds_allocator *allocator, const char *path, ds_current_level **levels, int64_t *capacity, int64_t *count )
{
	uint8_t *bytes;
	int64_t size;
	*levels = NULL;
	*capacity = *count = 0;
	DS_TRY( ds_mesh_file_read( path, MOST_BYTES, allocator, &bytes, &size ) );
	rows r = { path, (const char *)bytes, (const char *)bytes + size, 0 };
	r.at += size >= 3 && memcmp( bytes, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0; // byte order mark
	*capacity = 2;
	for ( const char *c = r.at; c < r.end; ++c )
	{
		*capacity += *c == '\n';
	}
	ds_status status = DS_NEW( allocator, *capacity, levels );
	if ( status == DS_OK )
	{
		status = read_levels( &r, *levels, count );
	}
	if ( status != DS_OK )
	{
		DS_FREE( allocator, *levels, *capacity );
		*levels = NULL;
	}
	DS_FREE( allocator, bytes, size + 1 );
	return status;
}
