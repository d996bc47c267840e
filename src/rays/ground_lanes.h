// Before and after the walk. Included by ground_*.c after ground_loop.h; needs STORE_FLOAT too.

// One direction of a ray, kept from dividing by 0: then nothing is ever reached, but for what lies where the ray starts.
typedef struct way
{
	vec d, inverse; // 0, DS_RAY_ENDLESS for 0
	mask still;
} way;

static inline way way_of( vec d )
{
	const vec zero = SPLAT( 0 );
	way w;
	w.still = LESS( MAX( d, zero - d ), SPLAT( DS_RAY_LEAST ) );
	w.d = SELECT( w.still, zero, d );
	w.inverse = SELECT( w.still, SPLAT( DS_RAY_ENDLESS ), SPLAT( 1 ) / w.d );
	return w;
}

// Cuts a ray to a slab.
static inline void slab( vec o, way w, double low, double high, vec *t0, vec *t1 )
{
	vec a = ( SPLAT( low ) - o ) * w.inverse, b = ( SPLAT( high ) - o ) * w.inverse;
	*t0 = MAX( MIN( a, b ), *t0 );
	*t1 = MIN( MAX( a, b ), *t1 );
}

// Along the last line of samples a ray that goes straight down is on the near side of it: cells are ahead of their lines.
static inline vec within( vec u, way w, double last )
{
	return SELECT( w.still, MIN( u, SPLAT( last * ( 1 - 1e-14 ) ) ), u );
}

// The rays of WIDTH lanes; which of them enter the box.
static inline uint32_t prepare_lanes(
	const ds_ray_frame *f, const ds_ray_packet *packet, int first, ds_ray_tracks *rays, ds_tree_packet *single )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), beyond = SPLAT( 1 + 2.5e-7 );
	const vec dx = LOAD( packet->direction[0] + first ), dy = LOAD( packet->direction[1] + first );
	const way wu = way_of( dx * SPLAT( f->per_north ) ), wv = way_of( dy * SPLAT( f->per_east ) );
	const way ww = way_of( LOAD( packet->direction[2] + first ) );
	vec u = ( LOAD( packet->origin[0] + first ) - SPLAT( f->north ) ) * SPLAT( f->per_north );
	vec v = ( LOAD( packet->origin[1] + first ) - SPLAT( f->east ) ) * SPLAT( f->per_east );
	vec w = LOAD( packet->origin[2] + first ) - SPLAT( f->base );
	vec t0 = zero, t1 = LOAD( packet->far + first ) * SPLAT( 1 + 1e-15 );
	slab( u, wu, f->low[0], f->high[0], &t0, &t1 );
	slab( v, wv, f->low[1], f->high[1], &t0, &t1 );
	slab( w, ww, f->low[2], f->high[2], &t0, &t1 );
	const mask enters = NOT_GREATER( t0, t1 );
	t0 = SELECT( enters, t0, zero );
	const vec far = SELECT( enters, t1, zero ) - t0;
	u = within( u + t0 * wu.d, wu, f->last[0] );
	v = within( v + t0 * wv.d, wv, f->last[1] );
	w = w + t0 * ww.d;

	STORE( rays->u + first, u );
	STORE( rays->v + first, v );
	STORE( rays->w + first, w );
	STORE( rays->du + first, wu.d );
	STORE( rays->dv + first, wv.d );
	STORE( rays->dw + first, ww.d );
	STORE( rays->iu + first, wu.inverse );
	STORE( rays->iv + first, wv.inverse );
	STORE( rays->iw + first, ww.inverse );
	STORE( rays->is + first, way_of( wu.d + wv.d ).inverse );
	STORE( rays->far + first, far );
	STORE( rays->shift + first, t0 );
	STORE( rays->triangle + first, zero - one );
	STORE( rays->gu + first, zero );
	STORE( rays->gv + first, zero );
	STORE_FLOAT( single->origin[0] + first, ( u - SPLAT( f->center[0] ) ) * SPLAT( f->spacing_north ) );
	STORE_FLOAT( single->origin[1] + first, ( v - SPLAT( f->center[1] ) ) * SPLAT( f->spacing_east ) );
	STORE_FLOAT( single->origin[2] + first, w - SPLAT( f->center[2] ) );
	STORE_FLOAT( single->direction[0] + first, dx );
	STORE_FLOAT( single->direction[1] + first, dy );
	STORE_FLOAT( single->direction[2] + first, ww.d );
	STORE_FLOAT( single->far + first, far * beyond );
	return MASK_BITS( enters );
}

// Lanes that have no rays: zeros, for the tree.
static inline void clear_lanes( int first, ds_ray_tracks *rays, ds_tree_packet *single )
{
	const vec zero = SPLAT( 0 );
	for ( int x = 0; x < 3; ++x )
	{
		STORE_FLOAT( single->origin[x] + first, zero );
		STORE_FLOAT( single->direction[x] + first, zero );
	}
	STORE_FLOAT( single->far + first, zero );
	STORE( rays->far + first, zero );
}

static void prepare(
	const ds_ray_frame *frame, const ds_ray_packet *packet, ds_ray_tracks *rays, ds_tree_packet *single )
{
	rays->tolerance = frame->tolerance;
	single->lanes = 0;
	for ( int first = 0; first < DS_RAY_LANES; first += WIDTH )
	{
		if ( packet->lanes >> first & ( ( 1u << WIDTH ) - 1 ) )
		{
			single->lanes |= (uint32_t)prepare_lanes( frame, packet, first, rays, single ) << first;
		}
		else
		{
			clear_lanes( first, rays, single );
		}
	}
	single->lanes &= packet->lanes;
}

// Plain loops, which the compiler makes vectors of.
static inline void finish_lanes(
	const ds_ray_frame *frame, const ds_ray_tracks *rays, uint32_t lanes, int count, ds_ray_packet *packet )
{
	const double per_north = frame->per_north, per_east = frame->per_east;
	alignas( 64 ) double t[DS_RAY_LANES], n[3][DS_RAY_LANES];
	for ( int k = 0; k < count; ++k )
	{
		double a = rays->gu[k] * per_north, b = rays->gv[k] * per_east, s = 1 / sqrt( 1 + ( a * a + b * b ) );
		t[k] = rays->shift[k] + rays->far[k];
		n[0][k] = a * s;
		n[1][k] = b * s;
		n[2][k] = -s;
	}
	for ( int k = 0; k < count; ++k )
	{
		if ( ( lanes >> k & 1 ) && rays->triangle[k] >= 0 && t[k] <= packet->far[k] )
		{
			packet->far[k] = t[k];
			packet->item[k] = (int64_t)rays->triangle[k];
			packet->body[k] = -1;
			packet->normal[0][k] = n[0][k];
			packet->normal[1][k] = n[1][k];
			packet->normal[2][k] = n[2][k];
		}
	}
}

static void finish( const ds_ray_frame *frame, const ds_ray_tracks *rays, uint32_t lanes, ds_ray_packet *packet )
{
	if ( lanes >> 4 )
	{
		finish_lanes( frame, rays, lanes, DS_RAY_LANES, packet );
	}
	else
	{
		finish_lanes( frame, rays, lanes, 4, packet );
	}
}
