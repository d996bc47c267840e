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
	vec u0, v0, w0, du, dv, dw, iu, iv, is, eu, ev;
	vec i, j; // cell that each is in
	vec t, end; // entry of the cell; exit of the block, or the nearest hit so far
	mask on; // still under way
} course;

static inline course enter( const ds_ground_block *block, const ds_ground_rays *rays, int first, mask on )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), iw = LOAD( rays->iw + first );
	const vec i_low = SPLAT( (double)block->row ), i_high = SPLAT( (double)block->row_end );
	const vec j_low = SPLAT( (double)block->column ), j_high = SPLAT( (double)block->column_end );
	course c = { LOAD( rays->u + first ), LOAD( rays->v + first ), LOAD( rays->w + first ), LOAD( rays->du + first ),
		LOAD( rays->dv + first ), LOAD( rays->dw + first ), LOAD( rays->iu + first ), LOAD( rays->iv + first ),
		LOAD( rays->is + first ), LOAD( rays->eu + first ), LOAD( rays->ev + first ), zero, zero, zero, zero, on };

	const vec u1 = ( i_low - c.u0 ) * c.iu, u2 = ( i_high - c.u0 ) * c.iu;
	const vec v1 = ( j_low - c.v0 ) * c.iv, v2 = ( j_high - c.v0 ) * c.iv;
	const vec w1 = ( SPLAT( block->top ) - c.w0 ) * iw, w2 = ( SPLAT( block->bottom ) - c.w0 ) * iw;
	c.t = MAX( MAX( MIN( u1, u2 ) - c.eu, MIN( v1, v2 ) - c.ev ), MAX( MIN( w1, w2 ), zero ) );
	c.end = MIN( MIN( MAX( u1, u2 ) + c.eu, MAX( v1, v2 ) + c.ev ), MIN( MAX( w1, w2 ), LOAD( rays->far + first ) ) );
	const mask in_u = MASK_AND( NOT_GREATER( i_low, c.u0 ), NOT_GREATER( c.u0, i_high ) );
	const mask in_v = MASK_AND( NOT_GREATER( j_low, c.v0 ), NOT_GREATER( c.v0, j_high ) );
	c.on = MASK_AND( c.on, NOT_GREATER( c.t, c.end ) );
	c.on = MASK_AND( c.on, MASK_AND( MASK_OR( LESS( c.eu, one ), in_u ), MASK_OR( LESS( c.ev, one ), in_v ) ) );
	c.i = MIN( MAX( FLOOR( c.u0 + c.t * c.du ), i_low ), i_high - one );
	c.j = MIN( MAX( FLOOR( c.v0 + c.t * c.dv ), j_low ), j_high - one );
	return c;
}

// The planes of the two triangles of the cells, u and v from the cells' corners (i, j).
static inline void planes( const ds_ground_block *block, const course *c, vec u, vec v, plane *low, plane *high )
{
	const vec one = SPLAT( 1 ), stride = SPLAT( (double)block->stride );
	const vec at = ( c->i - SPLAT( (double)block->row ) ) * stride + ( c->j - SPLAT( (double)block->column ) );
	vec z00, z01, z10, z11;
	GATHER_PAIRS( block->z, at, &z00, &z01 );
	GATHER_PAIRS( block->z + block->stride, at, &z10, &z11 );
	low->gu = z10 - z00;
	low->gv = z01 - z00;
	low->c = c->w0 - z00 - u * low->gu - v * low->gv;
	low->m = c->dw - c->du * low->gu - c->dv * low->gv;
	high->gu = z11 - z01;
	high->gv = z11 - z10;
	high->c = c->w0 - z11 + ( one - u ) * high->gu + ( one - v ) * high->gv;
	high->m = c->dw - c->du * high->gu - c->dv * high->gv;
}

// Keeps what is nearer than the old, or as near and lower in number.
static inline void keep( ds_ground_rays *rays, int first, mask hit, vec t, vec number, plane met )
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

// One cell further.
static inline void advance( const ds_ground_block *block, ds_ground_rays *rays, int first, course *c )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), tolerance = SPLAT( rays->tolerance );
	const vec i_low = SPLAT( (double)block->row ), i_last = SPLAT( (double)( block->row_end - 1 ) );
	const vec j_low = SPLAT( (double)block->column ), j_last = SPLAT( (double)( block->column_end - 1 ) );
	const mask back_u = LESS( c->du, zero ), back_v = LESS( c->dv, zero ), a_first = NOT_GREATER( zero, c->du + c->dv );
	const vec edge_u = SELECT( back_u, zero, one ), edge_v = SELECT( back_v, zero, one );

	// the ray is in the first triangle from c->t to the diagonal, then in the second until it leaves the cell
	const vec exit_u = ( c->i + edge_u - c->u0 ) * c->iu + c->eu, exit_v = ( c->j + edge_v - c->v0 ) * c->iv + c->ev;
	const vec leave = MAX( MIN( MIN( exit_u, exit_v ), c->end ), c->t );
	const vec u = c->u0 - c->i, v = c->v0 - c->j;
	const vec middle = MAX( MIN( ( one - ( u + v ) ) * c->is, leave ), c->t );
	plane low, high;
	planes( block, c, u, v, &low, &high );
	const plane p = choose( a_first, low, high ), q = choose( a_first, high, low );
	const mask in_p = MASK_AND( LESS( c->t, middle ), crosses( p.c + p.m * c->t, p.c + p.m * middle, tolerance ) );
	const mask in_q = MASK_AND( LESS( middle, leave ), crosses( q.c + q.m * middle, q.c + q.m * leave, tolerance ) );
	const mask hit = MASK_AND( c->on, MASK_OR( in_p, in_q ) );
	if ( MASK_BITS( hit ) )
	{
		const vec t = SELECT( in_p, meet( p, c->t, middle ), meet( q, middle, leave ) );
		const mask is_a = MASK_OR( MASK_AND( in_p, a_first ), MASK_AND( MASK_NOT( in_p ), MASK_NOT( a_first ) ) );
		const vec number =
			( c->i * SPLAT( (double)( block->stride - 1 ) ) + c->j ) * SPLAT( 2 ) + SELECT( is_a, zero, one );
		keep( rays, first, hit, t, number, choose( in_p, p, q ) );
		c->on = MASK_AND( c->on, MASK_NOT( hit ) );
	}

	// on to the next cell; whoever leaves the block stays at its rim, out of the way
	c->on = MASK_AND( c->on, LESS( leave, c->end ) );
	const mask by_u = NOT_GREATER( exit_u, exit_v );
	const vec i = c->i + SELECT( by_u, edge_u + edge_u - one, zero ),
			  j = c->j + SELECT( by_u, zero, edge_v + edge_v - one );
	c->i = MIN( MAX( i, i_low ), i_last );
	c->j = MIN( MAX( j, j_low ), j_last );
	c->on = MASK_AND( c->on, MASK_AND( NOT_GREATER( i, c->i ), NOT_GREATER( c->i, i ) ) );
	c->on = MASK_AND( c->on, MASK_AND( NOT_GREATER( j, c->j ), NOT_GREATER( c->j, j ) ) );
	c->t = leave;
}

static void walk_block( const ds_ground_block *block, ds_ground_rays *rays, uint32_t lanes )
{
	// all groups of lanes go on together, so that one works while another waits
	course courses[DS_RAY_LANES / WIDTH];
	uint32_t on = 0;
	for ( int k = 0; k < DS_RAY_LANES / WIDTH; ++k )
	{
		uint32_t bits = lanes >> ( k * WIDTH ) & ( ( 1u << WIDTH ) - 1 );
		if ( bits )
		{
			courses[k] = enter( block, rays, k * WIDTH, MASK_FROM( bits ) );
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
