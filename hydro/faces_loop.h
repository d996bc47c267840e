// The inner loop over faces, written once and compiled for several instruction sets: a source that includes this file
// defines WIDTH (lanes handled at a time), the types `vec` and `mask`, LOAD, STORE, SPLAT, SQRT, ABS, GREATER, SELECT,
// MASK_AND, MASK_OR and MASK_XOR. Vectors add, subtract, multiply and divide by the plain operators. No operation may be
// contracted (-ffp-contract=off).
//
// Faces are taken in runs of blocks that stay in the first-level cache, while the lanes are gone through in groups and
// the work in passes that each need few registers.

#define RUN 16 // blocks

typedef struct vec3
{
	vec x, y, z;
} vec3;

// The part of a face that is wet: sums over it, divided by the area of the whole face.
typedef struct wet
{
	vec weight; // wet area
	vec3 center; // its centroid
	vec pressure; // depth
	vec3 moment; // depth r
	vec squared; // depth^2
} wet;

static inline vec3 load3( const double ( *p )[DS_FACE_LANES], int lane )
{
	vec3 r = { LOAD( p[0] + lane ), LOAD( p[1] + lane ), LOAD( p[2] + lane ) };
	return r;
}

static inline vec3 splat3( ds_vec3 v )
{
	vec3 r = { SPLAT( v.x ), SPLAT( v.y ), SPLAT( v.z ) };
	return r;
}

static inline vec3 add( vec3 a, vec3 b )
{
	vec3 r = { a.x + b.x, a.y + b.y, a.z + b.z };
	return r;
}

static inline vec3 sub( vec3 a, vec3 b )
{
	vec3 r = { a.x - b.x, a.y - b.y, a.z - b.z };
	return r;
}

static inline vec dot( vec3 a, vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 cross( vec3 a, vec3 b )
{
	vec3 r = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
	return r;
}

// a + s b
static inline vec3 mad( vec3 a, vec s, vec3 b )
{
	vec3 r = { a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
	return r;
}

static inline vec3 scale( vec s, vec3 b )
{
	vec3 r = { s * b.x, s * b.y, s * b.z };
	return r;
}

static inline vec3 select3( mask m, vec3 a, vec3 b )
{
	vec3 r = { SELECT( m, a.x, b.x ), SELECT( m, a.y, b.y ), SELECT( m, a.z, b.z ) };
	return r;
}

// Motion, in all lanes.
typedef struct motion
{
	vec3 velocity, rate, down, form;
	vec depth;
	bool per_axis;
} motion;

static inline motion splat_motion( const ds_face_motion *m )
{
	motion r = { splat3( m->velocity ), splat3( m->rate ), splat3( m->down ), splat3( m->form ), SPLAT( m->depth ),
		m->per_axis };
	return r;
}

// Running sums of some lanes, in registers.
typedef struct sums
{
	vec3 pressure, pressure_moment, skin, skin_moment;
	vec secant;
	vec3 first, second, mixed;
	vec squared, area;
} sums;

static inline sums load_sums( const ds_face_sums *s, int lane )
{
	sums r;
	r.pressure = load3( s->lane + DS_SUM_PRESSURE, lane );
	r.pressure_moment = load3( s->lane + DS_SUM_PRESSURE_MOMENT, lane );
	r.skin = load3( s->lane + DS_SUM_SKIN, lane );
	r.skin_moment = load3( s->lane + DS_SUM_SKIN_MOMENT, lane );
	r.secant = LOAD( s->lane[DS_SUM_SECANT] + lane );
	r.first = load3( s->lane + DS_SUM_SECANT_FIRST, lane );
	r.second = load3( s->lane + DS_SUM_SECANT_SECOND, lane );
	r.mixed = load3( s->lane + DS_SUM_SECANT_SECOND + 3, lane );
	r.squared = LOAD( s->lane[DS_SUM_DEPTH_SQUARED] + lane );
	r.area = LOAD( s->lane[DS_SUM_WET_AREA] + lane );
	return r;
}

static inline void store3( double ( *p )[DS_FACE_LANES], int lane, vec3 v )
{
	STORE( p[0] + lane, v.x );
	STORE( p[1] + lane, v.y );
	STORE( p[2] + lane, v.z );
}

static inline void store_sums( ds_face_sums *s, int lane, const sums *r )
{
	store3( s->lane + DS_SUM_PRESSURE, lane, r->pressure );
	store3( s->lane + DS_SUM_PRESSURE_MOMENT, lane, r->pressure_moment );
	store3( s->lane + DS_SUM_SKIN, lane, r->skin );
	store3( s->lane + DS_SUM_SKIN_MOMENT, lane, r->skin_moment );
	STORE( s->lane[DS_SUM_SECANT] + lane, r->secant );
	store3( s->lane + DS_SUM_SECANT_FIRST, lane, r->first );
	store3( s->lane + DS_SUM_SECANT_SECOND, lane, r->second );
	store3( s->lane + DS_SUM_SECANT_SECOND + 3, lane, r->mixed );
	STORE( s->lane[DS_SUM_DEPTH_SQUARED] + lane, r->squared );
	STORE( s->lane[DS_SUM_WET_AREA] + lane, r->area );
}

// Drag of faces at the centroids c, per 1/2 rho: -( s v ) + g n.
static inline void face_drag( const ds_face_block *b, int lane, const motion *m, vec3 c, vec3 n, vec *s, vec *g )
{
	vec3 v = add( m->velocity, cross( m->rate, c ) );
	vec normal = dot( n, v ), squared = dot( v, v );
	vec slip = SQRT( ABS( squared - normal * normal ) );
	vec friction = LOAD( b->skin + lane ) * slip;
	vec half = LOAD( b->half_form + lane );
	if ( m->per_axis )
	{
		vec3 squares = { v.x * v.x, v.y * v.y, v.z * v.z };
		half = half * ( dot( m->form, squares ) / SELECT( GREATER( squared, SPLAT( 0 ) ), squared, SPLAT( 1 ) ) );
	}
	*s = half * ( normal + ABS( normal ) ) + friction;
	*g = friction * normal;
}

static inline void add_secant( sums *r, vec s, vec3 c )
{
	vec3 sc = scale( s, c );
	r->secant = r->secant + s;
	r->first = add( r->first, sc );
	r->second.x = r->second.x + sc.x * c.x;
	r->second.y = r->second.y + sc.y * c.y;
	r->second.z = r->second.z + sc.z * c.z;
	r->mixed.x = r->mixed.x + sc.x * c.y;
	r->mixed.y = r->mixed.y + sc.x * c.z;
	r->mixed.z = r->mixed.z + sc.y * c.z;
}

// ---- wholly under water ------------------------------------------------------------------------------------------

// What the first pass finds for the next ones.
typedef struct run
{
	_Alignas( 64 ) double pressure[RUN][WIDTH]; // depth A
	double secant[RUN][WIDTH]; // s
	double skin[RUN][WIDTH]; // g
} run;

static inline void find_forces( const ds_face_block *blocks, int64_t count, int lane, const motion *m, run *found )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_face_block *b = blocks + i;
		vec3 c = load3( b->center, lane ), n = load3( b->normal, lane );
		vec s, g;
		face_drag( b, lane, m, c, n, &s, &g );
		STORE( found->pressure[i], LOAD( b->area + lane ) * ( m->depth + dot( m->down, c ) ) );
		STORE( found->secant[i], s );
		STORE( found->skin[i], g );
	}
}

static inline void add_normal( const ds_face_block *blocks, int64_t count, int lane, const run *found, sums *total )
{
	sums r = *total;
	for ( int64_t i = 0; i < count; ++i )
	{
		vec3 n = load3( blocks[i].normal, lane ), arm = load3( blocks[i].arm, lane );
		vec p = LOAD( found->pressure[i] ), g = LOAD( found->skin[i] );
		r.pressure = mad( r.pressure, p, n );
		r.pressure_moment = mad( r.pressure_moment, p, arm );
		r.skin = mad( r.skin, g, n );
		r.skin_moment = mad( r.skin_moment, g, arm );
	}
	*total = r;
}

static inline void add_secants( const ds_face_block *blocks, int64_t count, int lane, const run *found, sums *total )
{
	sums r = *total;
	for ( int64_t i = 0; i < count; ++i )
	{
		add_secant( &r, LOAD( found->secant[i] ), load3( blocks[i].center, lane ) );
	}
	*total = r;
}

static void submerged( const ds_face_block *blocks, int64_t count, const ds_face_motion *given, ds_face_sums *total )
{
	motion m = splat_motion( given );
	for ( int64_t first = 0; first < count; first += RUN )
	{
		int64_t n = count - first < RUN ? count - first : RUN;
		for ( int lane = 0; lane < DS_FACE_LANES; lane += WIDTH )
		{
			run found;
			find_forces( blocks + first, n, lane, &m, &found );
			sums r = load_sums( total, lane );
			add_normal( blocks + first, n, lane, &found, &r );
			add_secants( blocks + first, n, lane, &found, &r );
			store_sums( total, lane, &r );
		}
	}
}

// ---- through the free surface ------------------------------------------------------------------------------------

// Means over whole faces. `a`, `b` are the edges' rises in depth, `depth` that of the centroid.
static inline wet whole_face( vec3 c, vec3 e1, vec3 e2, vec a, vec b, vec depth )
{
	// mean of (depth - depth_c)(r - c) = ( (2a - b) e1 + (2b - a) e2 ) / 36
	const vec k = SPLAT( 1.0 / 36 );
	vec p = k * ( a + a - b ), q = k * ( b + b - a );
	wet r;
	r.weight = SPLAT( 1 );
	r.center = c;
	r.pressure = depth;
	r.moment = mad( mad( scale( depth, c ), p, e1 ), q, e2 );
	r.squared = depth * depth + ( p * a + q * b );
	return r;
}

// How a face is cut. A cut face has one vertex, the apex, on its own side: its tip is the small triangle between the apex and
// the cut, and what is wet is the tip, or the whole without the tip.
typedef struct cut
{
	mask most; // two or more vertices are wet
	vec apex; // depth of the apex
	vec3 tip, u; // the apex relative to the centroid; the two cuts relative to the apex, added
	vec share; // area of the tip over that of the face; negative where it is dry; 0 without a cut
} cut;

static inline cut find_cut( vec3 e1, vec3 e2, vec a, vec b, vec depth )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), third = SPLAT( 1.0 / 3 );
	vec d0 = depth - third * ( a + b ), d1 = d0 + a, d2 = d0 + b;
	mask w0 = GREATER( d0, zero ), w1 = GREATER( d1, zero ), w2 = GREATER( d2, zero );
	mask x01 = MASK_XOR( w0, w1 ), x12 = MASK_XOR( w1, w2 ), x02 = MASK_XOR( w0, w2 );
	mask is1 = MASK_AND( x01, x12 ), is2 = MASK_AND( x02, x12 ), is_cut = MASK_OR( x01, x12 );
	cut r;
	r.most = MASK_OR( MASK_AND( w0, w1 ), MASK_AND( w2, MASK_OR( w0, w1 ) ) );

	// edges from the apex, depths of the apex and of the two others, apex relative to the centroid
	vec3 back1 = scale( SPLAT( -1 ), e1 ), back2 = scale( SPLAT( -1 ), e2 );
	vec3 p = select3( is1, sub( e2, e1 ), select3( is2, back2, e1 ) );
	vec3 q = select3( is1, back1, select3( is2, sub( e1, e2 ), e2 ) );
	r.apex = SELECT( is1, d1, SELECT( is2, d2, d0 ) );
	vec dp = SELECT( is1, d2, SELECT( is2, d0, d1 ) );
	vec dq = SELECT( is1, d0, SELECT( is2, d1, d2 ) );
	r.tip = scale( SPLAT( -1.0 / 3 ), add( p, q ) );

	// the tip: cuts at the fractions s and t of the edges; area s t
	vec s = r.apex / SELECT( is_cut, r.apex - dp, one ), t = r.apex / SELECT( is_cut, r.apex - dq, one );
	r.u = mad( scale( s, p ), t, q );
	vec sign = SELECT( is_cut, SELECT( r.most, SPLAT( -1 ), one ), zero );
	r.share = sign * ( s * t );
	return r;
}

// The wet part of faces that may be cut.
static inline wet cut_face( vec3 c, vec3 e1, vec3 e2, vec a, vec b, vec depth, const cut *k )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), third = SPLAT( 1.0 / 3 );
	vec pressure = k->share * ( third * k->apex );

	// the whole where most vertices are wet, plus or minus the tip
	wet full = whole_face( c, e1, e2, a, b, depth );
	wet r;
	r.weight = SELECT( k->most, one, zero ) + k->share;
	r.pressure = SELECT( k->most, full.pressure, zero ) + pressure;
	r.squared = SELECT( k->most, full.squared, zero ) + pressure * ( SPLAT( 0.5 ) * k->apex );
	vec3 at = mad( add( c, k->tip ), SPLAT( 0.25 ), k->u );
	vec3 none = { zero, zero, zero };
	r.moment = mad( select3( k->most, full.moment, none ), pressure, at );

	// centroid; that of the whole face where next to nothing is wet
	vec floor = SPLAT( 1e-12 );
	vec lever = k->share / SELECT( GREATER( r.weight, floor ), r.weight, one );
	r.center = mad( c, lever, mad( k->tip, third, k->u ) );
	r.weight = ABS( r.weight );
	return r;
}

static inline void add_wet( const ds_face_block *b, int lane, const motion *m, const wet *part, sums *r )
{
	vec3 n = load3( b->normal, lane );
	vec area = LOAD( b->area + lane );
	r->area = r->area + area * part->weight;
	r->squared = r->squared + area * part->squared * dot( m->down, n );
	r->pressure = mad( r->pressure, area * part->pressure, n );
	r->pressure_moment = mad( r->pressure_moment, area, cross( part->moment, n ) );

	vec s, g;
	face_drag( b, lane, m, part->center, n, &s, &g );
	g = part->weight * g;
	r->skin = mad( r->skin, g, n );
	r->skin_moment = mad( r->skin_moment, g, cross( part->center, n ) );
	add_secant( r, part->weight * s, part->center );
}

static inline void surface_group( const ds_face_block *blocks, const ds_edge_block *edges, const double *depths,
	const ds_face_bound *bounds, int64_t count, int lane, const motion *m, sums *total )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( depths[i] <= -bounds[i].radius )
		{
			continue;
		}
		vec3 c = load3( blocks[i].center, lane );
		vec3 e1 = load3( edges[i].edge1, lane ), e2 = load3( edges[i].edge2, lane );
		vec depth = m->depth + dot( m->down, c );
		vec a = dot( m->down, e1 ), b = dot( m->down, e2 );
		wet part;
		if ( depths[i] >= bounds[i].radius )
		{
			part = whole_face( c, e1, e2, a, b, depth );
		}
		else
		{
			cut k = find_cut( e1, e2, a, b, depth );
			part = cut_face( c, e1, e2, a, b, depth, &k );
		}
		add_wet( blocks + i, lane, m, &part, total );
	}
}

// Depths of the middles of blocks.
static inline void block_depths(
	const ds_face_bound *bounds, int64_t count, const ds_face_motion *given, double depths[RUN] )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_face_bound *o = bounds + i;
		depths[i] = given->depth + ( given->down.x * o->x + given->down.y * o->y + given->down.z * o->z );
	}
}

static void surface( const ds_face_block *blocks, const ds_edge_block *edges, const ds_face_bound *bounds,
	int64_t count, const ds_face_motion *given, ds_face_sums *total )
{
	motion m = splat_motion( given );
	for ( int64_t first = 0; first < count; first += RUN )
	{
		int64_t n = count - first < RUN ? count - first : RUN;
		double depths[RUN];
		block_depths( bounds + first, n, given, depths );
		for ( int lane = 0; lane < DS_FACE_LANES; lane += WIDTH )
		{
			sums r = load_sums( total, lane );
			surface_group( blocks + first, edges + first, depths, bounds + first, n, lane, &m, &r );
			store_sums( total, lane, &r );
		}
	}
}
