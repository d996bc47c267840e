// The walk of rays with a short way over a grid: each lane goes through its own blocks, with no tree. Included by ground_*.c after
// ground_loop.h. In a block all is as in walk_block, so what is met is the same to the bit.

#define BLOCK ( (double)DS_RAY_BLOCK )
// By so much the blocks that a ray is looked for in are larger than they are [cells]: above all rounding of its places.
#define BRIM 1e-5

// Rays on their way from block to block: row by row of blocks, in each through the columns that the ray touches there.
typedef struct tour
{
	vec u0, v0, du, dv, iu;
	mask back_u, back_v;
	vec step_u, step_v; // 1 or -1
	vec last_row, last_column; // of blocks
	vec row, row_last, column, column_last; // block that each is in, those that each ends with
} tour;

// Blocks of a row or column that [a, b] or [b, a] touches.
static inline void blocks_between( vec a, vec b, vec last, vec *low, vec *high )
{
	const vec zero = SPLAT( 0 ), brim = SPLAT( BRIM ), per = SPLAT( 1 / BLOCK );
	*low = MIN( MAX( FLOOR( ( MIN( a, b ) - brim ) * per ), zero ), last );
	*high = MIN( MAX( FLOOR( ( MAX( a, b ) + brim ) * per ), zero ), last );
}

// The first and the last column of the row, within `far`.
static inline void enter_row( const tour *r, vec row, vec far, vec *column, vec *column_last )
{
	const vec zero = SPLAT( 0 );
	const vec u = row * SPLAT( BLOCK ) - r->u0;
	const vec a = ( u - SPLAT( BRIM ) ) * r->iu, b = ( u + SPLAT( BLOCK + BRIM ) ) * r->iu;
	const vec from = MIN( MAX( MIN( a, b ), zero ), far ), to = MIN( MAX( MAX( a, b ), zero ), far );
	vec low, high;
	blocks_between( r->v0 + from * r->dv, r->v0 + to * r->dv, r->last_column, &low, &high );
	*column = SELECT( r->back_v, high, low );
	*column_last = SELECT( r->back_v, low, high );
}

// `count`: of the blocks that each may have to look at.
static inline tour start_tour( const ds_ray_grid *grid, const ds_ray_tracks *rays, int first, vec *count )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), far = LOAD( rays->far + first );
	tour r;
	r.u0 = LOAD( rays->u + first );
	r.v0 = LOAD( rays->v + first );
	r.du = LOAD( rays->du + first );
	r.dv = LOAD( rays->dv + first );
	r.iu = LOAD( rays->iu + first );
	r.back_u = LESS( r.du, zero );
	r.back_v = LESS( r.dv, zero );
	r.step_u = SELECT( r.back_u, zero - one, one );
	r.step_v = SELECT( r.back_v, zero - one, one );
	r.last_row = SPLAT( grid->block_rows - 1 );
	r.last_column = SPLAT( grid->block_columns - 1 );
	vec row_low, row_high, column_low, column_high;
	blocks_between( r.u0, r.u0 + far * r.du, r.last_row, &row_low, &row_high );
	blocks_between( r.v0, r.v0 + far * r.dv, r.last_column, &column_low, &column_high );
	*count = ( row_high - row_low ) + ( column_high - column_low ) + one;
	r.row = SELECT( r.back_u, row_high, row_low );
	r.row_last = SELECT( r.back_u, row_low, row_high );
	enter_row( &r, r.row, far, &r.column, &r.column_last );
	return r;
}

static inline bounds bounds_at( const ds_ray_grid *grid, vec row, vec column )
{
	const vec block = SPLAT( BLOCK ), margin = SPLAT( grid->margin );
	bounds b;
	vec top, bottom;
	GATHER_PAIRS( grid->extremes, ( row * SPLAT( grid->block_columns ) + column ) * SPLAT( 2 ), &top, &bottom );
	b.i_low = row * block;
	b.i_high = MIN( b.i_low + block, SPLAT( grid->all.row_end ) );
	b.j_low = column * block;
	b.j_high = MIN( b.j_low + block, SPLAT( grid->all.column_end ) );
	b.top = top - margin;
	b.bottom = bottom + margin;
	return b;
}

// On to the next block; who has no further one, or has met something before it, stops.
static inline mask next_block( const ds_ray_tracks *rays, int first, tour *r, mask on )
{
	const vec zero = SPLAT( 0 ), far = LOAD( rays->far + first );
	const mask row_ends =
		MASK_AND( NOT_GREATER( r->column, r->column_last ), NOT_GREATER( r->column_last, r->column ) );
	const mask rows_end = MASK_AND( NOT_GREATER( r->row, r->row_last ), NOT_GREATER( r->row_last, r->row ) );
	on = MASK_AND( on, MASK_NOT( MASK_AND( row_ends, rows_end ) ) );
	const mask turns = MASK_AND( on, row_ends );
	r->column = r->column + SELECT( MASK_AND( on, MASK_NOT( row_ends ) ), r->step_v, zero );
	if ( MASK_BITS( turns ) )
	{
		vec column, column_last;
		r->row = r->row + SELECT( turns, r->step_u, zero );
		enter_row( r, r->row, far, &column, &column_last );
		r->column = SELECT( turns, column, r->column );
		r->column_last = SELECT( turns, column_last, r->column_last );
	}
	// where the ray enters the next block by u, less a brim
	const vec edge = ( r->row + SELECT( r->back_u, SPLAT( 1 ), zero ) ) * SPLAT( BLOCK ) - r->step_u * SPLAT( BRIM );
	return MASK_AND( on, NOT_GREATER( ( edge - r->u0 ) * r->iu, far ) );
}

// A group of lanes: where it is, and which of it are in the block at hand or come to further ones.
typedef struct traveller
{
	tour tour;
	course course;
	mask on;
} traveller;

static inline void enter_block( const ds_ray_grid *grid, ds_ray_tracks *rays, int first, traveller *t )
{
	const bounds b = bounds_at( grid, t->tour.row, t->tour.column );
	t->course = enter( &b, rays, first, t->on );
}

// One step of a group. False: it is at its end.
static inline bool go_on( const ds_ray_grid *grid, ds_ray_tracks *rays, int first, traveller *t )
{
	if ( MASK_BITS( t->course.on ) )
	{
		advance( &grid->all, rays, first, &t->course );
		return true;
	}
	t->on = next_block( rays, first, &t->tour, t->on );
	if ( MASK_BITS( t->on ) == 0 )
	{
		return false;
	}
	enter_block( grid, rays, first, t );
	return true;
}

// Returns which lanes go.
static inline uint32_t set_out(
	const ds_ray_grid *grid, ds_ray_tracks *rays, int first, uint32_t bits, int most, traveller *t )
{
	vec count;
	t->tour = start_tour( grid, rays, first, &count );
	t->on = MASK_AND( MASK_FROM( bits ), NOT_GREATER( count, SPLAT( most ) ) );
	enter_block( grid, rays, first, t );
	return (uint32_t)MASK_BITS( t->on );
}

static uint32_t walk_short( const ds_ray_grid *grid, ds_ray_tracks *rays, uint32_t lanes, int most )
{
	if ( lanes >> WIDTH == 0 )
	{
		traveller alone;
		const uint32_t on = set_out( grid, rays, 0, lanes, most, &alone );
		while ( MASK_BITS( alone.on ) )
		{
			while ( MASK_BITS( alone.course.on ) )
			{
				advance( &grid->all, rays, 0, &alone.course );
			}
			alone.on = next_block( rays, 0, &alone.tour, alone.on );
			if ( MASK_BITS( alone.on ) )
			{
				enter_block( grid, rays, 0, &alone );
			}
		}
		return on;
	}
	// all groups of lanes go on together, so that one works while another waits
	traveller all[DS_RAY_LANES / WIDTH];
	uint32_t done = 0, groups = 0;
	for ( int k = 0; k < DS_RAY_LANES / WIDTH; ++k )
	{
		const uint32_t bits = lanes >> ( k * WIDTH ) & ( ( 1u << WIDTH ) - 1 );
		const uint32_t on = bits ? set_out( grid, rays, k * WIDTH, bits, most, all + k ) : 0;
		done |= on << ( k * WIDTH );
		groups |= (uint32_t)( on != 0 ) << k;
	}
	while ( groups )
	{
		for ( uint32_t left = groups; left; left &= left - 1 )
		{
			const int k = __builtin_ctz( left );
			groups &= ~( (uint32_t)!go_on( grid, rays, k * WIDTH, all + k ) << k );
		}
	}
	return done;
}
