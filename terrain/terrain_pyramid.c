// Extremes of blocks, level upon level.

#include "terrain/terrain_internal.h"

// Blocks that a query reads at most along each side.
#define READ_MOST 8

ds_status ds_pyramid_create( const ds_allocator *allocator, int64_t rows, int64_t columns, ds_pyramid *pyramid )
{
	*pyramid = ( ds_pyramid ){ .levels = 0 };
	int64_t count = 0;
	for ( int64_t r = rows, c = columns;; r = ( r + 1 ) / 2, c = ( c + 1 ) / 2 )
	{
		pyramid->rows[pyramid->levels] = r;
		pyramid->columns[pyramid->levels] = c;
		pyramid->levels += 1;
		count += r * c;
		if ( r == 1 && c == 1 )
		{
			break;
		}
	}
	DS_TRY( DS_NEW( allocator, count, &pyramid->blocks[0] ) );
	pyramid->count = (size_t)count;
	for ( int32_t i = 1; i < pyramid->levels; ++i )
	{
		pyramid->blocks[i] = pyramid->blocks[i - 1] + pyramid->rows[i - 1] * pyramid->columns[i - 1];
	}
	return DS_OK;
}

void ds_pyramid_destroy( const ds_allocator *allocator, ds_pyramid *pyramid )
{
	DS_FREE( allocator, pyramid->blocks[0], pyramid->count );
}

static ds_extremes level_bounds(
	const ds_pyramid *pyramid, int32_t level, int64_t r0, int64_t r1, int64_t c0, int64_t c1 )
{
	ds_extremes sum = ds_extremes_none();
	for ( int64_t r = r0; r <= r1; ++r )
	{
		const ds_extremes *row = pyramid->blocks[level] + r * pyramid->columns[level];
		for ( int64_t c = c0; c <= c1; ++c )
		{
			ds_extremes_add( &sum, row[c].top, row[c].bottom );
		}
	}
	return sum;
}

void ds_pyramid_build( ds_pyramid *pyramid )
{
	for ( int32_t i = 1; i < pyramid->levels; ++i )
	{
		int64_t last_row = pyramid->rows[i - 1] - 1, last_column = pyramid->columns[i - 1] - 1;
		for ( int64_t r = 0; r < pyramid->rows[i]; ++r )
		{
			for ( int64_t c = 0; c < pyramid->columns[i]; ++c )
			{
				int64_t r1 = 2 * r < last_row ? 2 * r + 1 : last_row;
				int64_t c1 = 2 * c < last_column ? 2 * c + 1 : last_column;
				pyramid->blocks[i][r * pyramid->columns[i] + c] = level_bounds( pyramid, i - 1, 2 * r, r1, 2 * c, c1 );
			}
		}
	}
}

ds_extremes ds_pyramid_bounds( const ds_pyramid *pyramid, int64_t r0, int64_t r1, int64_t c0, int64_t c1 )
{
	int32_t level = 0;
	while ( r1 - r0 >= READ_MOST || c1 - c0 >= READ_MOST )
	{
		r0 /= 2;
		r1 /= 2;
		c0 /= 2;
		c1 /= 2;
		level += 1;
	}
	return level_bounds( pyramid, level, r0, r1, c0, c1 );
}
