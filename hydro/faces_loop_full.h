// The full loops over faces: density and flow that change with depth, lift and Magnus force. Included after faces_loop.h, and
// compiled in the same way.

// What the full loops know besides motion, in all lanes.
typedef struct profile
{
	vec density1, density2, head1, head2, lift;
	vec3 shear1, shear2;
	bool printed_lift, printed_magnus;
} profile;

static inline profile splat_profile( const ds_face_motion *m )
{
	profile r = { SPLAT( m->density[0] ), SPLAT( m->density[1] ), SPLAT( m->head[0] ), SPLAT( m->head[1] ),
		SPLAT( m->lift ), splat3( m->shear[0] ), splat3( m->shear[1] ), m->printed_lift, m->printed_magnus };
	return r;
}

typedef struct full_sums
{
	vec3 shear, lift, lift_moment, magnus, magnus_moment, excess, excess_moment;
} full_sums;

static inline full_sums load_full_sums( const ds_face_sums *s, int lane )
{
	full_sums r;
	r.shear = load3( s->lane + DS_SUM_SHEAR, lane );
	r.lift = load3( s->lane + DS_SUM_LIFT, lane );
	r.lift_moment = load3( s->lane + DS_SUM_LIFT_MOMENT, lane );
	r.magnus = load3( s->lane + DS_SUM_MAGNUS, lane );
	r.magnus_moment = load3( s->lane + DS_SUM_MAGNUS_MOMENT, lane );
	r.excess = load3( s->lane + DS_SUM_EXCESS, lane );
	r.excess_moment = load3( s->lane + DS_SUM_EXCESS_MOMENT, lane );
	return r;
}

static inline void store_full_sums( ds_face_sums *s, int lane, const full_sums *r )
{
	store3( s->lane + DS_SUM_SHEAR, lane, r->shear );
	store3( s->lane + DS_SUM_LIFT, lane, r->lift );
	store3( s->lane + DS_SUM_LIFT_MOMENT, lane, r->lift_moment );
	store3( s->lane + DS_SUM_MAGNUS, lane, r->magnus );
	store3( s->lane + DS_SUM_MAGNUS_MOMENT, lane, r->magnus_moment );
	store3( s->lane + DS_SUM_EXCESS, lane, r->excess );
	store3( s->lane + DS_SUM_EXCESS_MOMENT, lane, r->excess_moment );
}

// ---- a face ------------------------------------------------------------------------------------------------------

// Per 1/2 rho at the origin: drag is -( s v ) + g n, lift a n + b v (printed: b n x v). `k` is density over that at the origin
// times area, printed Magnus: times speed too; `d` the depth relative to the origin.
typedef struct full_face
{
	vec3 v;
	vec s, g, a, b, k, d;
} full_face;

static inline full_face face_full(
	const ds_face_block *block, int lane, const motion *m, const profile *p, vec3 c, vec3 n )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), half = SPLAT( 0.5 );
	full_face r;
	vec d = dot( m->down, c );
	vec density = one + d * ( p->density1 + p->density2 * d );
	vec3 v = add( m->velocity, cross( m->rate, c ) );
	v = mad( v, d, mad( p->shear1, d, p->shear2 ) );

	vec normal = dot( n, v ), squared = dot( v, v );
	vec slip = SQRT( ABS( squared - normal * normal ) );
	vec friction = LOAD( block->skin + lane ) * slip;
	vec form = LOAD( block->half_form + lane );
	if ( m->per_axis )
	{
		vec3 squares = { v.x * v.x, v.y * v.y, v.z * v.z };
		form = form * ( dot( m->form, squares ) / SELECT( GREATER( squared, zero ), squared, one ) );
	}
	vec both = normal + ABS( normal );
	r.s = density * ( form * both + friction );
	r.g = density * ( friction * normal );

	// default: -( |v| max( n.v, 0 ) n - max( n.v, 0 )^2 / |v| v )
	// printed: -( 1 - |n.e| ) |v|^2 ( n x v ) / |n x v|, |n x v| being the slip: -slip |v| / ( |v| + |n.v| ) n x v
	vec speed = SQRT( squared );
	r.k = density * LOAD( block->area + lane );
	vec k = p->lift * r.k;
	if ( p->printed_lift )
	{
		vec sum = speed + ABS( normal );
		r.a = zero;
		r.b = zero - k * ( slip * speed / SELECT( GREATER( sum, zero ), sum, one ) );
	}
	else
	{
		vec windward = half * both, kw = k * windward;
		r.a = zero - kw * speed;
		r.b = kw * windward / SELECT( GREATER( squared, zero ), speed, one );
	}
	if ( p->printed_magnus )
	{
		r.k = r.k * speed;
	}
	r.v = v;
	r.d = d;
	return r;
}

static inline void add_lift_and_magnus(
	const full_face *f, const motion *m, const profile *p, vec weight, vec3 c, vec3 n, vec3 arm, full_sums *r )
{
	vec a = weight * f->a, b = weight * f->b, k = weight * f->k;
	vec3 direction = f->v;
	if ( p->printed_lift )
	{
		direction = cross( n, f->v );
	}
	r->lift = mad( mad( r->lift, a, n ), b, direction );
	r->lift_moment = mad( mad( r->lift_moment, a, arm ), b, cross( c, direction ) );
	if ( p->printed_magnus )
	{
		vec3 side = scale( k, cross( m->rate, f->v ) );
		r->magnus = add( r->magnus, side );
		r->magnus_moment = add( r->magnus_moment, cross( c, side ) );
	}
	else
	{
		r->magnus.x = r->magnus.x + k;
		r->magnus_moment = mad( r->magnus_moment, k, c );
	}
}

// ---- wholly under water ------------------------------------------------------------------------------------------

typedef struct full_run
{
	_Alignas( 64 ) double secant[RUN][WIDTH]; // s
	double skin[RUN][WIDTH]; // g
	double a[RUN][WIDTH], b[RUN][WIDTH], k[RUN][WIDTH], d[RUN][WIDTH];
	double v[RUN][3][WIDTH];
} full_run;

static inline void find_full(
	const ds_face_block *blocks, int64_t count, int lane, const motion *m, const profile *p, full_run *found )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_face_block *b = blocks + i;
		full_face f = face_full( b, lane, m, p, load3( b->center, lane ), load3( b->normal, lane ) );
		STORE( found->secant[i], f.s );
		STORE( found->skin[i], f.g );
		STORE( found->a[i], f.a );
		STORE( found->b[i], f.b );
		STORE( found->k[i], f.k );
		STORE( found->d[i], f.d );
		STORE( found->v[i][0], f.v.x );
		STORE( found->v[i][1], f.v.y );
		STORE( found->v[i][2], f.v.z );
	}
}

static inline void add_skin( const ds_face_block *blocks, int64_t count, int lane, const full_run *found, sums *total )
{
	sums r = *total;
	for ( int64_t i = 0; i < count; ++i )
	{
		vec g = LOAD( found->skin[i] );
		r.skin = mad( r.skin, g, load3( blocks[i].normal, lane ) );
		r.skin_moment = mad( r.skin_moment, g, load3( blocks[i].arm, lane ) );
	}
	*total = r;
}

static inline void add_sideways( const ds_face_block *blocks, int64_t count, int lane, const motion *m,
	const profile *p, const full_run *found, full_sums *total )
{
	full_sums r = *total;
	for ( int64_t i = 0; i < count; ++i )
	{
		full_face f;
		f.a = LOAD( found->a[i] );
		f.b = LOAD( found->b[i] );
		f.k = LOAD( found->k[i] );
		f.v.x = LOAD( found->v[i][0] );
		f.v.y = LOAD( found->v[i][1] );
		f.v.z = LOAD( found->v[i][2] );
		const ds_face_block *b = blocks + i;
		add_lift_and_magnus(
			&f, m, p, SPLAT( 1 ), load3( b->center, lane ), load3( b->normal, lane ), load3( b->arm, lane ), &r );
	}
	*total = r;
}

static inline void add_full_secants(
	const ds_face_block *blocks, int64_t count, int lane, const full_run *found, sums *total, full_sums *full )
{
	sums r = *total;
	vec3 shear = full->shear;
	for ( int64_t i = 0; i < count; ++i )
	{
		vec3 c = load3( blocks[i].center, lane );
		vec s = LOAD( found->secant[i] ), d = LOAD( found->d[i] );
		add_secant( &r, s, c );
		shear = mad( shear, s * d * d, c );
	}
	*total = r;
	full->shear = shear;
}

static void submerged_full(
	const ds_face_block *blocks, int64_t count, const ds_face_motion *given, ds_face_sums *total )
{
	motion m = splat_motion( given );
	profile p = splat_profile( given );
	for ( int64_t first = 0; first < count; first += RUN )
	{
		const ds_face_block *here = blocks + first;
		int64_t n = count - first < RUN ? count - first : RUN;
		for ( int lane = 0; lane < DS_FACE_LANES; lane += WIDTH )
		{
			full_run found;
			find_full( here, n, lane, &m, &p, &found );
			sums r = load_sums( total, lane );
			full_sums f = load_full_sums( total, lane );
			add_skin( here, n, lane, &found, &r );
			add_sideways( here, n, lane, &m, &p, &found, &f );
			add_full_secants( here, n, lane, &found, &r, &f );
			store_sums( total, lane, &r );
			store_full_sums( total, lane, &f );
		}
	}
}

// ---- through the free surface ------------------------------------------------------------------------------------

// The head that is not the depth, E = h1 z^2 + h2 z^3, over the wet part of a face: its mean and its first moment, both per
// area of the whole face and exact.
typedef struct excess
{
	vec mean;
	vec3 moment;
} excess;

// With z = depth + x, x of zero mean and y = r - c, the means over a triangle of corners x_i, y_i are
//   x^2: ( sum x_i^2 ) / 12,  x y: ( sum x_i y_i ) / 12,  x^3: x_0 x_1 x_2 / 10,
//   x^2 y: ( y_0 x_1 x_2 + x_0 y_1 x_2 + x_0 x_1 y_2 ) / 30,  x^3 y: 12/5 mean( x^2 ) mean( x y )
static inline excess whole_excess( const profile *p, vec3 c, vec3 e1, vec3 e2, vec a, vec b, vec depth )
{
	const vec third = SPLAT( 1.0 / 3 ), three = SPLAT( 3 ), k = SPLAT( 1.0 / 36 );
	vec p1 = k * ( a + a - b ), p2 = k * ( b + b - a );
	vec xx = p1 * a + p2 * b;
	vec3 xy = mad( scale( p1, e1 ), p2, e2 );
	vec x0 = SPLAT( 0 ) - third * ( a + b ), x1 = x0 + a, x2 = x0 + b;
	vec xxx = SPLAT( 0.1 ) * ( x0 * x1 * x2 );
	vec3 y0 = scale( SPLAT( -1.0 / 3 ), add( e1, e2 ) );
	vec3 xxy = scale( SPLAT( 1.0 / 30 ), mad( mad( scale( SPLAT( -6 ) * xx, y0 ), x0 * x2, e1 ), x0 * x1, e2 ) );

	vec squared = depth * depth;
	excess r;
	r.mean = p->head1 * ( squared + xx ) + p->head2 * ( depth * ( squared + three * xx ) + xxx );
	vec along = p->head1 * ( depth + depth ) + p->head2 * ( three * squared + SPLAT( 2.4 ) * xx );
	vec across = p->head1 + p->head2 * ( three * depth );
	r.moment = mad( mad( scale( r.mean, c ), along, xy ), across, xxy );
	return r;
}

static inline excess cut_excess( const profile *p, vec3 c, vec3 e1, vec3 e2, vec a, vec b, vec depth, const cut *k )
{
	// over the tip z is the apex' depth times its own coordinate of area
	const vec zero = SPLAT( 0 );
	excess whole = whole_excess( p, c, e1, e2, a, b, depth ), r;
	vec squared = k->apex * k->apex;
	vec second = k->share * ( p->head1 * squared * SPLAT( 1.0 / 6 ) );
	vec third = k->share * ( p->head2 * squared * k->apex * SPLAT( 0.1 ) );
	vec3 none = { zero, zero, zero }, apex = add( c, k->tip );
	r.mean = SELECT( k->most, whole.mean, zero ) + ( second + third );
	r.moment = mad( select3( k->most, whole.moment, none ), second, mad( apex, SPLAT( 1.0 / 5 ), k->u ) );
	r.moment = mad( r.moment, third, mad( apex, SPLAT( 1.0 / 6 ), k->u ) );
	return r;
}

static inline void add_wet_full( const ds_face_block *b, int lane, const motion *m, const profile *p, const wet *part,
	const excess *more, sums *r, full_sums *full )
{
	vec3 n = load3( b->normal, lane ), c = part->center;
	vec area = LOAD( b->area + lane ), weight = part->weight;
	r->area = r->area + area * weight;
	r->squared = r->squared + area * part->squared * dot( m->down, n );
	r->pressure = mad( r->pressure, area * part->pressure, n );
	r->pressure_moment = mad( r->pressure_moment, area, cross( part->moment, n ) );
	full->excess = mad( full->excess, area * more->mean, n );
	full->excess_moment = mad( full->excess_moment, area, cross( more->moment, n ) );

	full_face f = face_full( b, lane, m, p, c, n );
	vec g = weight * f.g, s = weight * f.s;
	vec3 arm = cross( c, n );
	r->skin = mad( r->skin, g, n );
	r->skin_moment = mad( r->skin_moment, g, arm );
	add_secant( r, s, c );
	full->shear = mad( full->shear, s * f.d * f.d, c );
	add_lift_and_magnus( &f, m, p, weight, c, n, arm, full );
}

static inline void surface_full_group( const ds_face_block *blocks, const ds_edge_block *edges, const double *depths,
	const ds_face_bound *bounds, int64_t count, int lane, const motion *m, const profile *p, sums *total,
	full_sums *full )
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
		excess more;
		if ( depths[i] >= bounds[i].radius )
		{
			part = whole_face( c, e1, e2, a, b, depth );
			more = whole_excess( p, c, e1, e2, a, b, depth );
		}
		else
		{
			cut k = find_cut( e1, e2, a, b, depth );
			part = cut_face( c, e1, e2, a, b, depth, &k );
			more = cut_excess( p, c, e1, e2, a, b, depth, &k );
		}
		add_wet_full( blocks + i, lane, m, p, &part, &more, total, full );
	}
}

static void surface_full( const ds_face_block *blocks, const ds_edge_block *edges, const ds_face_bound *bounds,
	int64_t count, const ds_face_motion *given, ds_face_sums *total )
{
	motion m = splat_motion( given );
	profile p = splat_profile( given );
	for ( int64_t first = 0; first < count; first += RUN )
	{
		int64_t n = count - first < RUN ? count - first : RUN;
		double depths[RUN];
		block_depths( bounds + first, n, given, depths );
		for ( int lane = 0; lane < DS_FACE_LANES; lane += WIDTH )
		{
			sums r = load_sums( total, lane );
			full_sums f = load_full_sums( total, lane );
			surface_full_group( blocks + first, edges + first, depths, bounds + first, n, lane, &m, &p, &r, &f );
			store_sums( total, lane, &r );
			store_full_sums( total, lane, &f );
		}
	}
}
