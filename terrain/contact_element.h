// What an element does over a step: a part of contact_loop.h, which says what the including source defines.
//
// Energy. Pressure stores E = p^2 / ( 2 k_e ) on a unit of projected area, shear V = tau_max K |u|^2 / 2 on a unit of the face's, u =
// tau / tau_max. Within the greatest |u| so far shear is elastic, u' = v_s / K, which V follows; beyond, u' = ( v_s - u |v_s| ) / K, and
// at constant tau_max V' = tau.v_s - tau_max |u|^2 |v_s|: that is taken for good. Neither store may grow by more than what is taken:
//   k_e     follows the depth only while the soil yields, and never falls so far that E grows by more than the work;
//   u       stays while tau_max grows (Wong and Reece: tau_max(x) ( 1 - exp( -j/K ) )) as far as the step's losses, of
//           sinking and of shear, pay for what V gains; what they do not pay for is taken from u. While tau_max falls u stays;
//   return  when shear gives back, it does so at no more than the strength it was wound up at.

// Shear within the elastic range is damped as by a dashpot beside its spring: the ratio of both [s]. An assumption: it gives a heavy body
// on a slope some tenth of the critical damping, and does nothing where the soil yields.
#define DS_CONTACT_SHEAR_TIME 0.01

typedef struct vec3
{
	vec x, y, z;
} vec3;

static inline vec3 load3( const double ( *in )[DS_CONTACT_BATCH], int lane )
{
	vec3 r = { LOAD( in[0] + lane ), LOAD( in[1] + lane ), LOAD( in[2] + lane ) };
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

static inline vec3 scale( vec s, vec3 a )
{
	vec3 r = { s * a.x, s * a.y, s * a.z };
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

typedef struct element
{
	// place and way
	vec3 r, n, d, e, push; // e: the way pressure acts; push: along n, of the size of n - c d
	vec3 belt, v, slide; // v: of the surface over the ground; slide: its way in the face's plane while it touches [m]
	vec area, c, per_c; // c = n.d, 0 where the face does not press; per_c: 1 / c, or 1
	vec z0, z1; // depth at the start and the end
	vec surface; // depth where the soil begins
	vec way; // of the slide [m]
	vec slip_speed;
	vec indent; // over the step [m]

	// contact
	vec touched; // 1: it was in the ground at the start
	vec during; // share of the step that it presses
	vec p0, p1; // pressure at the start and the end
	vec mean; // over the step
	vec total; // with damping
	vec slope; // of `total`, by velocity and time: d total / d( e.v dt )
	vec gap, stiffness;
	vec loss; // of sinking, on a unit of projected area [J/m2]
	vec touches; // 0 or 1

	// shear
	vec3 tau, u;
	vec shear_slope; // d tau / d( v_s dt )
	vec reached; // greatest |u|
	vec slip;

	vec passive, passive_slope; // bulldozing, on the area times `push`
} element;

#define IN( i ) LOAD( batch->in[i] + lane )

static inline void element_place( const ds_contact_batch *batch, const ds_contact_motion *motion, int lane, element *p )
{
	const vec zero = SPLAT( 0 ), dt = SPLAT( motion->dt );
	p->r = load3( batch->in + DS_CONTACT_X, lane );
	p->n = load3( batch->in + DS_CONTACT_NX, lane );
	p->d = load3( batch->in + DS_CONTACT_DX, lane );
	p->belt = load3( batch->in + DS_CONTACT_VX, lane );
	p->area = IN( DS_CONTACT_AREA );
	p->c = dot( p->n, p->d );
	vec3 belt = scale( SPLAT( motion->speed ), p->belt );
	p->v = add( add( splat3( motion->velocity ), cross( splat3( motion->rate ), p->r ) ), belt );

	vec lateral = IN( DS_CONTACT_LATERAL );
	vec3 across = add( p->n, scale( zero - p->c, p->d ) );
	p->push = scale( SQRT( dot( across, across ) ), p->n );
	p->e = add( scale( ( SPLAT( 1 ) - lateral ) * p->c, p->d ), scale( lateral, p->n ) );

	p->z0 = IN( DS_CONTACT_DEPTH );
	p->z1 = p->z0 + dot( p->v, p->d ) * dt;
	vec3 slide = add( p->v, scale( zero - dot( p->v, p->n ), p->n ) );
	p->slip_speed = SQRT( dot( slide, slide ) );
	p->slide = scale( dt, slide );
	p->way = p->slip_speed * dt;

	// a face that hardly faces the ground presses nothing
	mask faces = GREATER( p->c, SPLAT( DS_CONTACT_LEAST_COSINE ) );
	vec c = SELECT( faces, p->c, SPLAT( 1 ) );
	p->per_c = SPLAT( 1 ) / c;
	p->indent = SELECT( faces, dot( p->v, p->e ) * dt * p->per_c, zero );
	p->c = SELECT( faces, p->c, zero );
}

// ---- strength of the soil ----------------------------------------------------------------------------------------

// Pressures of the virgin curve over a way from za to zb, at its ends and as a mean over it.
typedef struct strength
{
	vec a, b, mean;
} strength;

static inline strength virgin( const ds_contact_batch *batch, int lane, vec za, vec zb )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 );
	vec n = IN( DS_CONTACT_N );
	vec k = IN( DS_CONTACT_MODULUS );
	za = most( za, zero );
	zb = most( zb, zero );
	strength s;
	if ( batch->linear )
	{
		s.a = k * za;
		s.b = k * zb;
		s.mean = SPLAT( 0.5 ) * ( s.a + s.b );
		return s;
	}
	mask straight = MASK_AND( GREATER( SPLAT( 1.0000000000000002 ), n ), GREATER( n, SPLAT( 0.9999999999999998 ) ) );
	s.a = k * SELECT( straight, za, power( za, n ) );

	// (1 + x)^n for small x by the binomial series; else by a second power, and the mean by the integral
	vec x = ( zb - za ) / most( za, SPLAT( 1e-300 ) );
	mask near = GREATER( SPLAT( 1.0 / 512 ), ABS( x ) );
	vec n1 = n - one, n2 = n - SPLAT( 2 ), n3 = n - SPLAT( 3 ), n4 = n - SPLAT( 4 );
	vec s4 = one + n4 * x * SPLAT( 0.2 ), m4 = one + n4 * x * SPLAT( 1.0 / 6 );
	vec s3 = one + n3 * x * SPLAT( 0.25 ) * s4, m3 = one + n3 * x * SPLAT( 0.2 ) * m4;
	vec s2 = one + n2 * x * SPLAT( 1.0 / 3 ) * s3, m2 = one + n2 * x * SPLAT( 0.25 ) * m3;
	vec s1 = one + n1 * x * SPLAT( 0.5 ) * s2, m1 = one + n1 * x * SPLAT( 1.0 / 3 ) * m2;
	s.b = s.a * ( one + n * x * s1 );
	s.mean = s.a * ( one + n * x * SPLAT( 0.5 ) * m1 );
	if ( ANY( GREATER( ABS( x ), SPLAT( 1.0 / 512 ) ) ) )
	{
		vec far_b = k * SELECT( straight, zb, power( zb, n ) );
		vec way = zb - za;
		vec far_mean = ( zb * far_b - za * s.a ) / ( ( n + one ) * SELECT( near, one, way ) );
		s.b = SELECT( near, s.b, far_b );
		s.mean = SELECT( near, s.mean, far_mean );
	}
	return s;
}

// Stiffness of unloading at a depth, by the virgin pressure for each metre of it.
static inline vec unloading( const ds_contact_batch *batch, int lane, vec z, vec secant )
{
	const vec zero = SPLAT( 0 ), stiffest = SPLAT( 1e9 );
	vec elastic = IN( DS_CONTACT_ELASTIC );
	vec k = least( secant * most( IN( DS_CONTACT_PER_REBOUND ), IN( DS_CONTACT_N ) ), stiffest );
	k = SELECT( GREATER( z, zero ), k, stiffest );
	return SELECT( GREATER( elastic, zero ), elastic, k );
}

// In a rut: what packed soil bears, which springs back by what it yielded elastically, and the depth where it begins to.
typedef struct packing
{
	vec depth, pressure, stiffness, top;
} packing;

static inline packing packed_soil( const ds_contact_batch *batch, int lane )
{
	const vec tiny = SPLAT( 1e-300 );
	packing p;
	p.depth = IN( DS_CONTACT_PACKED );
	p.pressure = virgin( batch, lane, p.depth, p.depth ).a;
	p.stiffness = unloading( batch, lane, p.depth, p.pressure / most( p.depth, tiny ) );
	p.top = least( p.depth - p.pressure / most( p.stiffness, tiny ), IN( DS_CONTACT_SURFACE ) );
	return p;
}

// Strength there: of loose soil above what was packed, of that, and of virgin soil below.
static inline vec marked( const ds_contact_batch *batch, int lane, const packing *p, vec z )
{
	const vec zero = SPLAT( 0 );
	vec below_surface = z - IN( DS_CONTACT_SURFACE );
	vec loose = virgin( batch, lane, below_surface, below_surface ).a;
	vec line = most( p->pressure - p->stiffness * ( p->depth - z ), zero );
	vec firm = SELECT( GREATER( p->depth, z ), line, virgin( batch, lane, z, z ).a );
	return SELECT( GREATER( z, p->top ), most( loose, firm ), zero );
}

static inline strength strength_along( const ds_contact_batch *batch, int lane, const packing *p, vec za, vec zb )
{
	if ( !batch->marked )
	{
		return virgin( batch, lane, za, zb );
	}
	strength s = { marked( batch, lane, p, za ), marked( batch, lane, p, zb ), SPLAT( 0 ) };
	vec middle = marked( batch, lane, p, SPLAT( 0.5 ) * ( za + zb ) );
	s.mean = ( s.a + s.b + SPLAT( 4 ) * middle ) * SPLAT( 1.0 / 6 );
	const strength fresh = virgin( batch, lane, za, zb );
	mask rut = GREATER( p->depth, SPLAT( 0 ) );
	s.a = SELECT( rut, s.a, fresh.a );
	s.b = SELECT( rut, s.b, fresh.b );
	s.mean = SELECT( rut, s.mean, fresh.mean );
	return s;
}

// ---- pressure ----------------------------------------------------------------------------------------------------

// Slip sinkage: the soil bears as at a depth less by what slip has dug, s J ( 1 - exp( -slip / J ) ), J = 6.5 K, and at least as at a
// fiftieth of the depth. Reece 1965 has it in proportion to slip; where it ends, and J, are from 189 tests of a wheel
// (docs/terrain-wheel.md).
static inline vec bearing_depth( const ds_contact_batch *batch, int lane, vec z, vec slip )
{
	const vec zero = SPLAT( 0 );
	vec dig = IN( DS_CONTACT_SLIP_SINKAGE );
	if ( !ANY( GREATER( dig, zero ) ) )
	{
		return z;
	}
	vec scale_of_slip = SPLAT( 6.5 ) * IN( DS_CONTACT_K );
	vec dug = dig * scale_of_slip * ( SPLAT( 1 ) - exponential( zero - slip / scale_of_slip ) );
	return SELECT( GREATER( dig, zero ), most( z - dug, least( SPLAT( 0.02 ) * z, z ) ), z );
}

// Damping and suction on top of the mean pressure. `per_indent`: 1 / |indentation|.
static inline void element_damp(
	const ds_contact_batch *batch, const ds_contact_motion *motion, int lane, vec slope, vec per_indent, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 );
	vec damping = IN( DS_CONTACT_DAMPING ), suction = IN( DS_CONTACT_SUCTION );
	vec rate = dot( p->v, p->e ), pull = zero, during = p->during;

	// suction holds on until the gap has opened to a tenth of the width
	mask sucks = MASK_AND( GREATER( zero, rate ), GREATER( suction, zero ) );
	if ( ANY( sucks ) )
	{
		vec hold = one - p->gap / ( SPLAT( 0.1 ) * IN( DS_CONTACT_WIDTH ) );
		pull = SELECT( sucks, suction * most( hold, zero ) * p->touched, zero );
		during = SELECT( sucks, one, during );
	}

	vec total = p->mean + damping * rate * during;
	mask free = GREATER( total, zero - pull );
	p->total = SELECT( free, total, zero - pull );

	// the change with the way: that of the elastic part and the damper, or the whole as a dashpot where it moves far. So a step
	// never reverses a body's speed for more than it had, and what lifts off never pulls
	vec dashpot = damping * during * SPLAT( motion->per_dt );
	vec whole = most( total * per_indent * p->per_c, zero );
	p->slope = SELECT( free, least( slope * p->per_c + dashpot, whole ), zero );
	mask loaded = GREATER( p->p0 + p->mean, zero );
	p->touches = SELECT( loaded, one, SELECT( GREATER( zero, p->total ), one, zero ) );
}

// Where an element is over a step in the ground, and what is left to press of its way there.
typedef struct way_in
{
	mask inside, stays, faces, loads;
	vec entry; // share of the way that is in the ground
	vec indent; // of it
	vec closing, closed; // of the gap: way, share
	vec press; // after the gap has closed
	vec gap; // at the start
	vec za, zb; // depths that bear: where it presses, and at the end
} way_in;

static inline way_in element_enter( const ds_contact_batch *batch, int lane, vec surface, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), tiny = SPLAT( 1e-300 );
	vec h0 = p->z0 - surface, h1 = p->z1 - surface;
	way_in w;
	w.inside = GREATER( h0, zero );
	w.stays = GREATER( h1, zero );
	w.faces = GREATER( p->c, zero );
	vec in = SELECT( w.inside, one, zero );
	w.entry = in;
	if ( ANY( GREATER( one, in ) ) )
	{
		w.entry = SELECT( w.inside, one, SELECT( w.stays, h1 / most( h1 - h0, tiny ), zero ) );
	}
	w.entry = SELECT( w.faces, w.entry, zero );
	w.gap = in * IN( DS_CONTACT_GAP );
	w.indent = p->indent * w.entry;
	w.loads = GREATER( w.indent, zero );
	w.closing = SELECT( w.loads, least( w.gap, w.indent ), zero );
	w.press = SELECT( w.loads, w.indent - w.closing, zero );
	w.closed = zero;
	if ( ANY( GREATER( w.closing, zero ) ) )
	{
		w.closed = w.closing / SELECT( w.loads, w.indent, one );
	}
	vec start = SELECT( w.inside, p->z0, surface );
	w.za = start + ( p->z1 - start ) * w.closed;

	vec slip = in * IN( DS_CONTACT_SLIP );
	p->slip = slip + p->way * w.entry;
	w.za = bearing_depth( batch, lane, w.za, slip );
	w.zb = bearing_depth( batch, lane, p->z1, p->slip );
	p->touched = SELECT( w.faces, in, zero );
	return w;
}

static inline void element_indent(
	const ds_contact_batch *batch, const ds_contact_motion *motion, int lane, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), half = SPLAT( 0.5 ), tiny = SPLAT( 1e-300 );
	packing packed = { zero, zero, zero, zero };
	if ( batch->marked )
	{
		packed = packed_soil( batch, lane );
	}
	p->surface = packed.top;
	const way_in w = element_enter( batch, lane, p->surface, p );
	const strength s = strength_along( batch, lane, &packed, w.za, w.zb );
	vec per_indent = one / most( ABS( p->indent ), tiny );

	// stiffness
	vec secant = s.b / most( w.zb, tiny );
	vec soft = unloading( batch, lane, w.zb, secant );
	if ( batch->marked )
	{
		soft = SELECT( GREATER( packed.depth, w.zb ), most( packed.stiffness, soft ), soft );
	}
	vec had = SELECT( w.inside, IN( DS_CONTACT_STIFFNESS ), zero );
	vec k = SELECT( GREATER( had, zero ), had, soft ), n = IN( DS_CONTACT_N );
	vec tangent = SELECT( GREATER( one, n ), zero, least( n * secant, SPLAT( 1e9 ) ) );
	k = SELECT( w.loads, most( k, tangent ), k );
	vec per_k = one / most( k, tiny );
	vec p0 = SELECT( w.inside, IN( DS_CONTACT_PRESSURE ), zero );
	p0 = SELECT( w.faces, least( p0, s.a ), zero );
	vec lift = p0 * per_k, stored = half * p0 * lift;

	// loading: elastic up to the virgin curve, then along it
	vec tip = p0 + k * w.press;
	mask yields = MASK_AND( w.loads, GREATER( tip, s.b ) );
	vec work = w.press * ( p0 + half * k * w.press ), p1 = tip, k1 = k;
	if ( ANY( yields ) )
	{
		vec rise = ( s.b - s.a ) / most( w.press, tiny ), short_by = s.a - p0;
		vec until = least( short_by / most( k - rise, SPLAT( 1e-6 ) * k + tiny ), w.press );
		vec along = most( s.mean * w.press - half * short_by * until, zero );
		vec backed = half * s.b * s.b / most( stored + along, tiny );
		work = SELECT( yields, along, work );
		p1 = SELECT( yields, s.b, p1 );
		k1 = SELECT( yields, most( soft, backed ), k1 );
	}
	vec mean = work * per_indent;
	vec during = w.entry * ( one - w.closed ), gap = w.gap - w.closing;

	// unloading: down to nothing, then a gap opens
	vec back = SELECT( w.loads, zero, zero - w.indent );
	mask off = GREATER( back, lift );
	vec p_back = SELECT( off, zero, p0 - k * back ), mean_back = half * ( p0 + p_back );
	vec held = SELECT( GREATER( p0, zero ), one, zero );
	if ( ANY( off ) )
	{
		vec share = lift / most( back, tiny );
		mean_back = SELECT( off, half * p0 * share, mean_back );
		held = SELECT( off, share, held );
		gap = gap + SELECT( off, back - lift, zero );
	}
	vec over = most( p_back - s.b, zero );
	p_back = p_back - over;
	mean_back = mean_back - half * over;

	p->p0 = p0;
	p->p1 = SELECT( w.stays, SELECT( w.loads, p1, p_back ), zero );
	p->mean = SELECT( w.faces, SELECT( w.loads, mean, mean_back ), zero );
	p->stiffness = k1;
	p->during = SELECT( GREATER( p->mean, zero ), SELECT( w.loads, during, held ), zero );
	vec worked = SELECT( w.loads, work, zero - mean_back * back ), left = half * p->p1 * p->p1;
	vec remains = left * per_k;
	if ( ANY( yields ) )
	{
		remains = SELECT( yields, left / most( k1, tiny ), remains );
	}
	p->loss = most( stored + worked - remains, zero );

	// while a gap stands an element that slides leaves its own mark behind: within a width it is over other ground
	p->gap = gap;
	if ( ANY( GREATER( gap, zero ) ) )
	{
		p->gap = gap / ( one + p->way / IN( DS_CONTACT_WIDTH ) );
	}
	element_damp( batch, motion, lane, SELECT( GREATER( p->mean, zero ), half * k, zero ), per_indent, p );
}

// ---- shear -------------------------------------------------------------------------------------------------------

static inline void element_shear( const ds_contact_batch *batch, const ds_contact_motion *motion, int lane, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), half = SPLAT( 0.5 ), tiny = SPLAT( 1e-300 );
	vec k = IN( DS_CONTACT_K ), per_k = IN( DS_CONTACT_PER_K ), cohesion = IN( DS_CONTACT_COHESION ),
		friction = IN( DS_CONTACT_TAN_FRICTION );
	mask held = MASK_AND( GREATER( p->touched, zero ), GREATER( p->p0, zero ) );
	vec had = SELECT( held, one, zero );
	vec3 u0 = scale( had, load3( batch->in + DS_CONTACT_UX, lane ) );
	vec before = had * ( cohesion + p->p0 * friction );
	mask presses = GREATER( p->mean, zero );
	vec pushed = p->passive * SQRT( dot( p->push, p->push ) );
	vec now = SELECT( presses, p->during * cohesion + ( p->mean + pushed ) * friction, zero );
	vec during = most( p->during, SPLAT( 1e-12 ) ), strong = now;
	if ( ANY( GREATER( SPLAT( 1 ), during ) ) )
	{
		strong = now / during;
	}

	// elastic within the greatest |u| so far, as far as the way leads there
	vec3 slide = scale( p->during, p->slide );
	vec way = p->way * p->during, all = way * per_k, spring = zero;
	vec3 s = scale( one / most( way, tiny ), slide ), from = u0;
	vec reached = had * IN( DS_CONTACT_REACHED );
	if ( ANY( GREATER( reached, zero ) ) )
	{
		vec along_s = dot( u0, s );
		vec inside = most( along_s * along_s + reached * reached - dot( u0, u0 ), zero );
		spring = least( most( SQRT( inside ) - along_s, zero ), all );
		from = add( u0, scale( spring, s ) );
	}

	// then over a straight way: u1 = u0 exp( -x ) + s ( 1 - exp( -x ) ), its mean over the way with ( 1 - exp( -x ) ) / x instead
	vec x = all - spring;
	vec b = SPLAT( 1.0 / 40320 ); // ( 1 - ( 1 - exp( -x ) ) / x ) / x
	b = SPLAT( 1.0 / 5040 ) - x * b;
	b = SPLAT( 1.0 / 720 ) - x * b;
	b = SPLAT( 1.0 / 120 ) - x * b;
	b = SPLAT( 1.0 / 24 ) - x * b;
	b = SPLAT( 1.0 / 6 ) - x * b;
	b = half - x * b;
	vec a = one - x * b;
	mask far = GREATER( x, SPLAT( 0.02 ) );
	if ( ANY( far ) )
	{
		vec safe = SELECT( far, x, one );
		vec far_a = ( one - exponential( zero - safe ) ) / safe;
		a = SELECT( far, far_a, a );
		b = SELECT( far, ( one - far_a ) / safe, b );
	}
	vec3 u1 = add( scale( one - x * a, from ), scale( a * x, s ) );
	vec3 mean = add( scale( one - x * b, from ), scale( b * x, s ) );
	vec slope = b * per_k * ( one + SQRT( dot( from, from ) ) );
	mask springs = GREATER( spring, zero );
	if ( ANY( springs ) )
	{
		vec share = SELECT( springs, spring / most( all, tiny ), zero );
		vec3 half_way = add( u0, scale( half * spring, s ) );
		mean = add( scale( share, half_way ), scale( one - share, mean ) );
		slope = SELECT( springs, half * per_k, slope );
	}
	vec size = SQRT( dot( u1, u1 ) );
	p->reached = least( most( reached, size ), one );

	mask printed = GREATER( IN( DS_CONTACT_PRINTED_SHEAR ), zero );
	if ( ANY( printed ) )
	{
		vec full = one / most( way, SPLAT( 1e-6 * motion->dt ) * during );
		mean.x = SELECT( printed, full * slide.x, mean.x );
		mean.y = SELECT( printed, full * slide.y, mean.y );
		mean.z = SELECT( printed, full * slide.z, mean.z );
		slope = SELECT( printed, full, slope );
		spring = SELECT( printed, zero, spring );
		p->reached = SELECT( printed, zero, p->reached );
		u1.x = SELECT( printed, zero, u1.x );
		u1.y = SELECT( printed, zero, u1.y );
		u1.z = SELECT( printed, zero, u1.z );
	}

	vec along = dot( mean, slide );
	strong = SELECT( GREATER( zero, along ), least( strong, before ), strong );
	now = strong * p->during;

	// damped while it is elastic
	vec drag = SPLAT( DS_CONTACT_SHEAR_TIME * motion->per_dt );
	p->tau = scale( now, add( mean, scale( drag * spring, s ) ) );
	p->shear_slope = now * p->during * ( slope + SELECT( springs, drag * per_k, zero ) );

	// what may be stored
	vec after = SELECT( GREATER( p->p1, zero ), cohesion + p->p1 * friction, zero );
	vec have = most( half * before * k * dot( u0, u0 ) + strong * along + p->loss * p->c, zero );
	vec want = half * after * k * dot( u1, u1 );
	vec keep = one;
	if ( ANY( GREATER( want, have ) ) )
	{
		keep = SELECT( GREATER( want, have ), SQRT( have / most( want, tiny ) ), one );
	}
	keep = SELECT( GREATER( p->p1, zero ), keep, zero );
	p->u = scale( keep, u1 );
}

// ---- bulldozing --------------------------------------------------------------------------------------------------

// Passive pressure of the soil (Rankine) on faces that push sideways, less what Bekker's pressure does there already. Full at any
// speed, as a dashpot below 1e-6 m/s.
static inline void element_push( const ds_contact_batch *batch, const ds_contact_motion *motion, int lane, element *p )
{
	const vec zero = SPLAT( 0 );
	p->passive = zero;
	p->passive_slope = zero;
	if ( !batch->bulldozing )
	{
		return;
	}
	vec z = SPLAT( 0.5 ) * ( p->z0 + p->z1 ) - IN( DS_CONTACT_SURFACE );
	vec strong = IN( DS_CONTACT_PASSIVE_WEIGHT ) * z + IN( DS_CONTACT_PASSIVE_COHESION );
	strong = SELECT( GREATER( z, zero ), strong, zero );
	vec more = most( strong - p->mean * IN( DS_CONTACT_LATERAL ), zero );
	vec size = SQRT( dot( p->push, p->push ) );
	vec speed = dot( p->v, p->n );
	mask pushes = MASK_AND( GREATER( speed, SPLAT( -1e-300 ) ), GREATER( size, SPLAT( 1e-6 ) ) );
	vec dashpot = more / most( speed, SPLAT( 1e-6 ) );
	p->passive = SELECT( pushes, dashpot * speed, zero );
	p->passive_slope = SELECT( pushes, dashpot / ( most( size, SPLAT( 1e-12 ) ) * SPLAT( motion->dt ) ), zero );
	p->touches = SELECT( GREATER( p->passive, zero ), SPLAT( 1 ), p->touches );
}

// ---- the state after a step --------------------------------------------------------------------------------------

static inline void element_after( int lane, const element *p, ds_contact_after *after )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 );
	mask stays = MASK_AND( GREATER( p->z1, p->surface ), GREATER( p->c, zero ) );
	vec keep = SELECT( stays, one, zero );
	STORE( after->out[DS_AFTER_PRESSURE] + lane, keep * p->p1 );
	STORE( after->out[DS_AFTER_GAP] + lane, keep * p->gap );
	STORE( after->out[DS_AFTER_STIFFNESS] + lane, keep * p->stiffness );
	STORE( after->out[DS_AFTER_UX] + lane, keep * p->u.x );
	STORE( after->out[DS_AFTER_UY] + lane, keep * p->u.y );
	STORE( after->out[DS_AFTER_UZ] + lane, keep * p->u.z );
	STORE( after->out[DS_AFTER_REACHED] + lane, keep * p->reached );
	STORE( after->out[DS_AFTER_SLIP] + lane, keep * p->slip );
	STORE( after->out[DS_AFTER_DEPTH] + lane, SELECT( GREATER( p->mean, zero ), p->z1, zero ) );
	STORE( after->out[DS_AFTER_AREA] + lane, p->area * p->c );
}
