// The walk of rays through a block, for a vector of WIDTH lanes. Included by ground_*.c, which define
//   vec, mask, WIDTH, LOAD, STORE, SPLAT, FLOOR, MIN, MAX (the second where either is NaN), SELECT( mask, yes, no ), LESS, NOT_GREATER
//   (ordered), MASK_AND, MASK_OR, MASK_NOT, MASK_BITS, MASK_FROM( bits ), GATHER_PAIRS( float *, vec of indices, vec *, vec * )

typedef struct plane
{
	vec c, m; // f = c + m t
	vec gu, gv;
} plane;

static inline mask crosses( vec f0, vec f1, vec tolerance )
{
	return MASK_AND( NOT_GREATER( MIN( f0, f1 ), tolerance ), NOT_GREATER( SPLAT( 0 ) - tolerance, MAX( f0, f1 ) ) );
}

static inline plane choose( mask m, plane a, plane b )
{
	plane r = { SELECT( m, a.c, b.c ), SELECT( m, a.m, b.m ), SELECT( m, a.gu, b.gu ), SELECT( m, a.gv, b.gv ) };
	return r;
}

// Where the plane is met, within an interval.
static inline vec meet( plane p, vec from, vec to )
{
	return MIN( MAX( ( SPLAT( 0 ) - p.c ) / p.m, from ), to );
}

// Rays on their way through a block.
typedef struct course
{
	vec u0, v0, w0, du, dv, dw, iu, iv, is;
	vec step_u, step_v; // 1 or -1
	vec edge_u, edge_v; // side of a cell by which each leaves it: 1 or 0
	mask a_first; // triangle A comes before B
	vec i, j; // cell that each is in
	vec t, end; // entry of the cell; exit of the block, or the nearest hit so far
	mask on; // still under way
} course;

// The block of each lane.
typedef struct bounds
{
	vec i_low, i_high, j_low, j_high; // cells [low, high)
	vec top, bottom;
} bounds;

static inline course enter( const bounds *b, const ds_ray_tracks *rays, int first, mask on )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), iw = LOAD( rays->iw + first );
	const vec i_low = b->i_low, i_high = b->i_high, j_low = b->j_low, j_high = b->j_high;
	course c;
	c.u0 = LOAD( rays->u + first );
	c.v0 = LOAD( rays->v + first );
	c.w0 = LOAD( rays->w + first );
	c.du = LOAD( rays->du + first );
	c.dv = LOAD( rays->dv + first );
	c.dw = LOAD( rays->dw + first );
	c.iu = LOAD( rays->iu + first );
	c.iv = LOAD( rays->iv + first );
	c.is = LOAD( rays->is + first );
	const mask back_u = LESS( c.du, zero ), back_v = LESS( c.dv, zero );
	c.step_u = SELECT( back_u, zero - one, one );
	c.step_v = SELECT( back_v, zero - one, one );
	c.edge_u = SELECT( back_u, zero, one );
	c.edge_v = SELECT( back_v, zero, one );
	c.a_first = NOT_GREATER( zero, c.du + c.dv );

	const vec u1 = ( i_low - c.u0 ) * c.iu, u2 = ( i_high - c.u0 ) * c.iu;
	const vec v1 = ( j_low - c.v0 ) * c.iv, v2 = ( j_high - c.v0 ) * c.iv;
	const vec w1 = ( b->top - c.w0 ) * iw, w2 = ( b->bottom - c.w0 ) * iw;
	c.t = MAX( MAX( MIN( u1, u2 ), MIN( v1, v2 ) ), MAX( MIN( w1, w2 ), zero ) );
	c.end = MIN( MIN( MAX( u1, u2 ), MAX( v1, v2 ) ), MIN( MAX( w1, w2 ), LOAD( rays->far + first ) ) );
	c.on = MASK_AND( on, NOT_GREATER( c.t, c.end ) );
	c.i = MIN( MAX( FLOOR( c.u0 + c.t * c.du ), i_low ), i_high - one );
	c.j = MIN( MAX( FLOOR( c.v0 + c.t * c.dv ), j_low ), j_high - one );
	return c;
}

// Heights of the corners of the cells.
typedef struct corners
{
	vec z00, z01, z10, z11;
} corners;

static inline corners corners_of( const ds_ray_block *block, const course *c )
{
	const vec stride = SPLAT( block->stride );
	const vec at = ( c->i - SPLAT( block->row ) ) * stride + ( c->j - SPLAT( block->column ) );
	corners z;
	GATHER_PAIRS( block->z, at, &z.z00, &z.z01 );
	GATHER_PAIRS( block->z_next, at, &z.z10, &z.z11 );
	return z;
}

// Where a ray may meet the ground of its cell before it leaves, by heights alone. A corner that is none spoils one triangle only: the
// order of the operands keeps the other's.
static inline mask near_ground( const corners *z, const course *c, vec leave, vec tolerance )
{
	const vec top = MIN( z->z11, MIN( z->z00, MIN( z->z01, z->z10 ) ) );
	const vec bottom = MAX( z->z11, MAX( z->z00, MAX( z->z01, z->z10 ) ) );
	const vec w1 = c->w0 + c->t * c->dw, w2 = c->w0 + leave * c->dw;
	return MASK_AND( NOT_GREATER( top - tolerance, MAX( w1, w2 ) ), NOT_GREATER( MIN( w1, w2 ), bottom + tolerance ) );
}

// The planes of the two triangles, u and v from the cells' corners (i, j).
static inline void planes( const corners *z, const course *c, vec u, vec v, plane *low, plane *high )
{
	const vec one = SPLAT( 1 );
	low->gu = z->z10 - z->z00;
	low->gv = z->z01 - z->z00;
	low->c = c->w0 - z->z00 - u * low->gu - v * low->gv;
	low->m = c->dw - c->du * low->gu - c->dv * low->gv;
	high->gu = z->z11 - z->z01;
	high->gv = z->z11 - z->z10;
	high->c = c->w0 - z->z11 + ( one - u ) * high->gu + ( one - v ) * high->gv;
	high->m = c->dw - c->du * high->gu - c->dv * high->gv;
}

// Keeps what is nearer than the old, or as near and lower in number.
static inline void keep( ds_ray_tracks *rays, int first, mask hit, vec t, vec number, plane met )
{
	const vec old = LOAD( rays->triangle + first ), far = LOAD( rays->far + first );
	const mask same = MASK_AND( NOT_GREATER( t, far ), NOT_GREATER( far, t ) );
	const mask lower = MASK_OR( LESS( old, SPLAT( 0 ) ), LESS( number, old ) );
	const mask better = MASK_AND( hit, MASK_OR( LESS( t, far ), MASK_AND( same, lower ) ) );
	STORE( rays->far + first, SELECT( better, t, far ) );
	STORE( rays->triangle + first, SELECT( better, number, old ) );
	STORE( rays->gu + first, SELECT( better, met.gu, LOAD( rays->gu + first ) ) );
	STORE( rays->gv + first, SELECT( better, met.gv, LOAD( rays->gv + first ) ) );
}

// Meets what there is to be met in the cells; who has met something, stops. The ray is in the first triangle from c->t to the diagonal,
// then in the second until it leaves.
static inline void meet_cell(
	const ds_ray_block *block, ds_ray_tracks *rays, int first, course *c, const corners *z, vec leave )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), tolerance = SPLAT( rays->tolerance );
	const vec u = c->u0 - c->i, v = c->v0 - c->j;
	const vec middle = MAX( MIN( ( one - ( u + v ) ) * c->is, leave ), c->t );
	const mask a_first = c->a_first;
	plane low, high;
	planes( z, c, u, v, &low, &high );
	const plane p = choose( a_first, low, high ), q = choose( a_first, high, low );
	const mask in_p = MASK_AND( LESS( c->t, middle ), crosses( p.c + p.m * c->t, p.c + p.m * middle, tolerance ) );
	const mask in_q = MASK_AND( LESS( middle, leave ), crosses( q.c + q.m * middle, q.c + q.m * leave, tolerance ) );
	const mask hit = MASK_AND( c->on, MASK_OR( in_p, in_q ) );
	if ( MASK_BITS( hit ) )
	{
		const vec t = SELECT( in_p, meet( p, c->t, middle ), meet( q, middle, leave ) );
		const mask is_a = MASK_OR( MASK_AND( in_p, a_first ), MASK_AND( MASK_NOT( in_p ), MASK_NOT( a_first ) ) );
		const vec cell = c->i * SPLAT( block->stride - 1 ) + c->j;
		keep( rays, first, hit, t, cell * SPLAT( 2 ) + SELECT( is_a, zero, one ), choose( in_p, p, q ) );
		c->on = MASK_AND( c->on, MASK_NOT( hit ) );
	}
}

// One cell further. Left as a call it would keep all that is known of the rays in memory.
__attribute__( ( always_inline ) ) static inline void advance(
	const ds_ray_block *block, ds_ray_tracks *rays, int first, course *c )
{
	const vec zero = SPLAT( 0 );
	const vec exit_u = ( c->i + c->edge_u - c->u0 ) * c->iu, exit_v = ( c->j + c->edge_v - c->v0 ) * c->iv;
	const vec leave = MAX( MIN( MIN( exit_u, exit_v ), c->end ), c->t );
	const corners z = corners_of( block, c );
	if ( MASK_BITS( MASK_AND( c->on, near_ground( &z, c, leave, SPLAT( rays->tolerance ) ) ) ) )
	{
		meet_cell( block, rays, first, c, &z, leave );
	}

	// who leaves the block is at its end, to the bit, and stays in its last cell
	c->on = MASK_AND( c->on, LESS( leave, c->end ) );
	const mask by_u = NOT_GREATER( exit_u, exit_v );
	c->i = c->i + SELECT( MASK_AND( c->on, by_u ), c->step_u, zero );
	c->j = c->j + SELECT( MASK_AND( c->on, MASK_NOT( by_u ) ), c->step_v, zero );
	c->t = leave;
}

static void walk_block( const ds_ray_block *block, ds_ray_tracks *rays, uint32_t lanes )
{
	// all groups of lanes go on together, so that one works while another waits
	course courses[DS_RAY_LANES / WIDTH];
	const bounds b = { SPLAT( block->row ), SPLAT( block->row_end ), SPLAT( block->column ), SPLAT( block->column_end ),
		SPLAT( block->top ), SPLAT( block->bottom ) };
	uint32_t on = 0;
	for ( int k = 0; k < DS_RAY_LANES / WIDTH; ++k )
	{
		uint32_t bits = lanes >> ( k * WIDTH ) & ( ( 1u << WIDTH ) - 1 );
		if ( bits )
		{
			courses[k] = enter( &b, rays, k * WIDTH, MASK_FROM( bits ) );
			on |= (uint32_t)( MASK_BITS( courses[k].on ) != 0 ) << k;
		}
	}
	while ( on )
	{
		for ( uint32_t left = on; left; left &= left - 1 )
		{
			int k = __builtin_ctz( left );
			advance( block, rays, k * WIDTH, courses + k );
			on &= ~( (uint32_t)( MASK_BITS( courses[k].on ) == 0 ) << k );
		}
	}
}
