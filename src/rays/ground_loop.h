// The walk of rays through a block, for a vector of WIDTH lanes. Included by ground_*.c, which define
//   vec, mask, WIDTH, LOAD, STORE, SPLAT, FLOOR, MIN, MAX (the second where either is NaN), SELECT( mask, yes, no ), LESS, NOT_GREATER
//   (ordered), MASK_AND, MASK_OR, MASK_NOT, MASK_BITS, MASK_FROM( bits ), GATHER( float *, vec of indices )

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

static void walk( const ds_ground_block *block, ds_ground_rays *rays, int first, mask on )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), tolerance = SPLAT( rays->tolerance );
	const vec u0 = LOAD( rays->u + first ), v0 = LOAD( rays->v + first ), w0 = LOAD( rays->w + first );
	const vec du = LOAD( rays->du + first ), dv = LOAD( rays->dv + first ), dw = LOAD( rays->dw + first );
	const vec iu = LOAD( rays->iu + first ), iv = LOAD( rays->iv + first ), is = LOAD( rays->is + first );
	const vec eu = LOAD( rays->eu + first ), ev = LOAD( rays->ev + first );
	const vec i_low = SPLAT( (double)block->row ), i_high = SPLAT( (double)block->row_end );
	const vec j_low = SPLAT( (double)block->column ), j_high = SPLAT( (double)block->column_end );

	// the part of the ray over the block
	vec a = ( i_low - u0 ) * iu, b = ( i_high - u0 ) * iu, c = ( j_low - v0 ) * iv, d = ( j_high - v0 ) * iv;
	const vec iw = LOAD( rays->iw + first );
	vec g = ( SPLAT( block->top ) - w0 ) * iw, h = ( SPLAT( block->bottom ) - w0 ) * iw;
	vec t_a = MAX( MAX( MIN( a, b ) - eu, MIN( c, d ) - ev ), MAX( MIN( g, h ), zero ) );
	vec far = LOAD( rays->far + first );
	const vec t_out = MIN( MIN( MAX( a, b ) + eu, MAX( c, d ) + ev ), MIN( MAX( g, h ), far ) );
	on = MASK_AND( on, NOT_GREATER( t_a, t_out ) );
	on = MASK_AND( on, MASK_OR( LESS( eu, one ), MASK_AND( NOT_GREATER( i_low, u0 ), NOT_GREATER( u0, i_high ) ) ) );
	on = MASK_AND( on, MASK_OR( LESS( ev, one ), MASK_AND( NOT_GREATER( j_low, v0 ), NOT_GREATER( v0, j_high ) ) ) );

	vec i = MIN( MAX( FLOOR( u0 + t_a * du ), i_low ), i_high - one );
	vec j = MIN( MAX( FLOOR( v0 + t_a * dv ), j_low ), j_high - one );
	const mask back_u = LESS( du, zero ), back_v = LESS( dv, zero ), a_first = NOT_GREATER( zero, du + dv );
	const vec step_u = SELECT( back_u, zero - one, one ), step_v = SELECT( back_v, zero - one, one );
	const vec edge_u = SELECT( back_u, zero, one ), edge_v = SELECT( back_v, zero, one );
	const vec stride = SPLAT( (double)block->stride ), corner = i_low * stride + j_low;
	const vec cells = stride - one;

	while ( MASK_BITS( on ) )
	{
		const vec exit_u = ( i + edge_u - u0 ) * iu + eu, exit_v = ( j + edge_v - v0 ) * iv + ev;
		const vec t_b = MAX( MIN( MIN( exit_u, exit_v ), t_out ), t_a );
		const vec u = u0 - i, v = v0 - j;
		const vec t_d = MAX( MIN( ( one - ( u + v ) ) * is, t_b ), t_a );

		const vec at = i * stride + j - corner;
		const vec z00 = GATHER( block->z, at ), z01 = GATHER( block->z + 1, at );
		const vec z10 = GATHER( block->z + block->stride, at ), z11 = GATHER( block->z + block->stride + 1, at );
		plane low, high;
		low.gu = z10 - z00;
		low.gv = z01 - z00;
		low.c = w0 - z00 - u * low.gu - v * low.gv;
		low.m = dw - du * low.gu - dv * low.gv;
		high.gu = z11 - z01;
		high.gv = z11 - z10;
		high.c = w0 - z11 + ( one - u ) * high.gu + ( one - v ) * high.gv;
		high.m = dw - du * high.gu - dv * high.gv;
		const plane p = choose( a_first, low, high ), q = choose( a_first, high, low );

		const mask in_p = MASK_AND( LESS( t_a, t_d ), crosses( p.c + p.m * t_a, p.c + p.m * t_d, tolerance ) );
		const mask in_q = MASK_AND( LESS( t_d, t_b ), crosses( q.c + q.m * t_d, q.c + q.m * t_b, tolerance ) );
		const mask hit = MASK_AND( on, MASK_OR( in_p, in_q ) );
		if ( MASK_BITS( hit ) )
		{
			const plane met = choose( in_p, p, q );
			const vec t = SELECT( in_p, meet( p, t_a, t_d ), meet( q, t_d, t_b ) );
			const mask is_a = MASK_OR( MASK_AND( in_p, a_first ), MASK_AND( MASK_NOT( in_p ), MASK_NOT( a_first ) ) );
			const vec number = ( i * cells + j ) * SPLAT( 2 ) + SELECT( is_a, zero, one );
			const vec old = LOAD( rays->triangle + first );
			const mask same = MASK_AND( NOT_GREATER( t, far ), NOT_GREATER( far, t ) );
			const mask first_here = MASK_OR( LESS( old, zero ), LESS( number, old ) );
			const mask better = MASK_AND( hit, MASK_OR( LESS( t, far ), MASK_AND( same, first_here ) ) );
			far = SELECT( better, t, far );
			STORE( rays->far + first, far );
			STORE( rays->triangle + first, SELECT( better, number, old ) );
			STORE( rays->gu + first, SELECT( better, met.gu, LOAD( rays->gu + first ) ) );
			STORE( rays->gv + first, SELECT( better, met.gv, LOAD( rays->gv + first ) ) );
			on = MASK_AND( on, MASK_NOT( hit ) );
		}

		// on to the next cell
		on = MASK_AND( on, LESS( t_b, t_out ) );
		const mask by_u = NOT_GREATER( exit_u, exit_v );
		i = SELECT( MASK_AND( on, by_u ), i + step_u, i );
		j = SELECT( MASK_AND( on, MASK_NOT( by_u ) ), j + step_v, j );
		on = MASK_AND( on, MASK_AND( NOT_GREATER( i_low, i ), LESS( i, i_high ) ) );
		on = MASK_AND( on, MASK_AND( NOT_GREATER( j_low, j ), LESS( j, j_high ) ) );
		i = MIN( MAX( i, i_low ), i_high - one );
		j = MIN( MAX( j, j_low ), j_high - one );
		t_a = t_b;
	}
}

static void walk_block( const ds_ground_block *block, ds_ground_rays *rays, uint32_t lanes )
{
	for ( int first = 0; first < DS_RAY_LANES; first += WIDTH )
	{
		uint32_t bits = lanes >> first & ( ( 1u << WIDTH ) - 1 );
		if ( bits )
		{
			walk( block, rays, first, MASK_FROM( bits ) );
		}
	}
}
