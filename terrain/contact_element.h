// What an element does over a step: a part of contact_loop.h, which says what the including source defines.
//
// `lean`, a constant wherever these are called: what ds_contact_run says of the soil holds, so that its code falls away.
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

ALWAYS vec3 load3( const double ( *from )[DS_CONTACT_BATCH], int lane )
{
	vec3 r = { LOAD( from[0] + lane ), LOAD( from[1] + lane ), LOAD( from[2] + lane ) };
	return r;
}

ALWAYS vec3 splat3( ds_vec3 v )
{
	vec3 r = { SPLAT( v.x ), SPLAT( v.y ), SPLAT( v.z ) };
	return r;
}

ALWAYS vec3 add( vec3 a, vec3 b )
{
	vec3 r = { a.x + b.x, a.y + b.y, a.z + b.z };
	return r;
}

ALWAYS vec3 scale( vec s, vec3 a )
{
	vec3 r = { s * a.x, s * a.y, s * a.z };
	return r;
}

ALWAYS vec dot( vec3 a, vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

ALWAYS vec3 select3( mask m, vec3 a, vec b )
{
	vec3 r = { SELECT( m, a.x, b ), SELECT( m, a.y, b ), SELECT( m, a.z, b ) };
	return r;
}

ALWAYS vec3 cross( vec3 a, vec3 b )
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
	vec indent, per_indent; // over the step [m]; 1 / its size
	vec per_along; // 1 / | way along e |

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
	vec per_depth, power; // as of the state

	vec passive, passive_slope; // bulldozing, on the area times `push`
} element;

// What is known of it.
typedef struct given
{
	vec3 r, n, d, belt, u;
	vec3 v; // of its surface over the ground
	vec area, depth, width, modulus, packed, surface;
	vec pressure, gap, stiffness, reached, slip, per_depth, power;
	bool linear, marked, bulldozing; // as a batch has them
	const double *soil; // in numbers for each lane; lean: one for all
} given;

#define SOIL( i ) ( lean ? SPLAT( in->soil[i] ) : LOAD( in->soil + DS_CONTACT_BATCH * ( i ) ) )

ALWAYS void element_place( const given *in, const ds_contact_motion *motion, const bool lean, element *p )
{
	const vec zero = SPLAT( 0 ), dt = SPLAT( motion->dt );
	p->r = in->r;
	p->n = in->n;
	p->d = in->d;
	p->area = in->area;
	p->c = dot( p->n, p->d );
	p->belt = in->belt;
	p->v = in->v;
	p->e = p->n;
	if ( !lean )
	{
		vec lateral = SOIL( DS_CONTACT_LATERAL );
		vec3 across = add( p->n, scale( zero - p->c, p->d ) );
		p->push = scale( SQRT( dot( across, across ) ), p->n );
		p->e = add( scale( ( SPLAT( 1 ) - lateral ) * p->c, p->d ), scale( lateral, p->n ) );
	}

	p->z0 = in->depth;
	p->z1 = p->z0 + dot( p->v, p->d ) * dt;
	vec3 slide = add( p->v, scale( zero - dot( p->v, p->n ), p->n ) );
	p->slip_speed = SQRT( dot( slide, slide ) );
	p->slide = scale( dt, slide );
	p->way = p->slip_speed * dt;

	// a face that hardly faces the ground presses nothing
	mask faces = GREATER( p->c, SPLAT( DS_CONTACT_LEAST_COSINE ) );
	vec c = SELECT( faces, p->c, SPLAT( 1 ) ), along = dot( p->v, p->e ) * dt;
	p->per_c = SPLAT( 1 ) / c;
	p->per_along = SPLAT( 1 ) / most( ABS( along ), SPLAT( 1e-150 ) );
	p->per_indent = c * p->per_along;
	p->indent = SELECT( faces, along * p->per_c, zero );
	p->c = SELECT( faces, p->c, zero );
}

// ---- strength of the soil ----------------------------------------------------------------------------------------

// Pressures of the virgin curve over a way from za to zb, at its ends and as a mean over it.
typedef struct strength
{
	vec a, b, mean;
	vec per_depth, power; // of a depth that was raised to n
} strength;

ALWAYS strength virgin( const given *in, const bool lean, vec za, vec zb )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 );
	vec n = SOIL( DS_CONTACT_N );
	vec k = in->modulus;
	za = most( za, zero );
	zb = most( zb, zero );
	strength s;
	s.per_depth = s.power = zero;
	if ( in->linear )
	{
		s.a = k * za;
		s.b = k * zb;
		s.mean = SPLAT( 0.5 ) * ( s.a + s.b );
		return s;
	}
	mask straight = MASK_AND( GREATER( SPLAT( 1.0000000000000002 ), n ), GREATER( n, SPLAT( 0.9999999999999998 ) ) );
	vec raised = SELECT( straight, za, power( za, n ) ), from = za;
	s.a = k * raised;

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
		vec raised_b = SELECT( straight, zb, power( zb, n ) ), far_b = k * raised_b;
		vec way = zb - za;
		vec far_mean = ( zb * far_b - za * s.a ) / ( ( n + one ) * SELECT( near, one, way ) );
		s.b = SELECT( near, s.b, far_b );
		s.mean = SELECT( near, s.mean, far_mean );
		raised = SELECT( near, raised, raised_b );
		from = SELECT( near, from, zb );
	}
	mask any = GREATER( from, SPLAT( 1e-100 ) );
	s.per_depth = SELECT( any, one / SELECT( any, from, one ), zero );
	s.power = SELECT( any, raised, zero );
	return s;
}

// As `virgin`, by the binomial series about the depth that the state knows where that is near by.
ALWAYS strength virgin_near( const given *in, const bool lean, vec za, vec zb )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), near = SPLAT( 1.0 / 512 );
	if ( in->linear )
	{
		return virgin( in, lean, za, zb );
	}
	vec n1 = SOIL( DS_CONTACT_N ), n2 = SOIL( DS_CONTACT_N2 ), n3 = SOIL( DS_CONTACT_N3 ), n4 = SOIL( DS_CONTACT_N4 );
	vec m1 = SOIL( DS_CONTACT_M1 ), m2 = SOIL( DS_CONTACT_M2 ), m3 = SOIL( DS_CONTACT_M3 ), m4 = SOIL( DS_CONTACT_M4 );
	vec a = most( za, zero ) * in->per_depth - one, b = most( zb, zero ) * in->per_depth - one;
	vec k = in->modulus * in->power;
	strength s;
	vec a2 = a * a, b2 = b * b;
	s.a = k + k * ( ( n1 * a + n2 * a2 ) + a2 * ( n3 * a + n4 * a2 ) );
	s.b = k + k * ( ( n1 * b + n2 * b2 ) + b2 * ( n3 * b + n4 * b2 ) );
	// the mean of x^m over the way is the sum of a^i b^j, i + j = m, by m + 1
	vec sum = a + b, product = a * b, two = sum * sum - product, three = sum * ( two - product );
	vec four = sum * three - product * two;
	s.mean = k + k * ( ( m1 * sum + m2 * two ) + ( m3 * three + m4 * four ) );
	s.per_depth = in->per_depth;
	s.power = in->power;
	mask far = GREATER( most( ABS( a ), ABS( b ) ), near );
	if ( ANY( far ) )
	{
		const strength fresh = virgin( in, lean, za, zb );
		s.a = SELECT( far, fresh.a, s.a );
		s.b = SELECT( far, fresh.b, s.b );
		s.mean = SELECT( far, fresh.mean, s.mean );
		s.per_depth = SELECT( far, fresh.per_depth, s.per_depth );
		s.power = SELECT( far, fresh.power, s.power );
	}
	return s;
}

// Stiffness of unloading at a depth, by the virgin pressure for each metre of it.
ALWAYS vec unloading( const given *in, const bool lean, vec z, vec secant )
{
	const vec zero = SPLAT( 0 ), stiffest = SPLAT( 1e9 );
	vec elastic = SOIL( DS_CONTACT_ELASTIC );
	vec k = least( secant * most( SOIL( DS_CONTACT_PER_REBOUND ), SOIL( DS_CONTACT_N ) ), stiffest );
	k = SELECT( GREATER( z, zero ), k, stiffest );
	return SELECT( GREATER( elastic, zero ), elastic, k );
}

// In a rut: what packed soil bears, which springs back by what it yielded elastically, and the depth where it begins to.
typedef struct packing
{
	vec depth, pressure, stiffness, top;
} packing;

ALWAYS packing packed_soil( const given *in, const bool lean )
{
	const vec tiny = SPLAT( 1e-300 );
	packing p;
	p.depth = in->packed;
	p.pressure = virgin( in, lean, p.depth, p.depth ).a;
	p.stiffness = unloading( in, lean, p.depth, p.pressure / most( p.depth, tiny ) );
	p.top = least( p.depth - p.pressure / most( p.stiffness, tiny ), in->surface );
	return p;
}

// Strength there: of loose soil above what was packed, of that, and of virgin soil below.
ALWAYS vec marked( const given *in, const bool lean, const packing *p, vec z )
{
	const vec zero = SPLAT( 0 );
	vec below_surface = z - in->surface;
	vec loose = virgin( in, lean, below_surface, below_surface ).a;
	vec line = most( p->pressure - p->stiffness * ( p->depth - z ), zero );
	vec firm = SELECT( GREATER( p->depth, z ), line, virgin( in, lean, z, z ).a );
	return SELECT( GREATER( z, p->top ), most( loose, firm ), zero );
}

ALWAYS strength strength_along( const given *in, const bool lean, const packing *p, vec za, vec zb )
{
	const strength fresh = virgin_near( in, lean, za, zb );
	if ( lean || !in->marked )
	{
		return fresh;
	}
	strength s = fresh;
	s.a = marked( in, lean, p, za );
	s.b = marked( in, lean, p, zb );
	vec middle = marked( in, lean, p, SPLAT( 0.5 ) * ( za + zb ) );
	s.mean = ( s.a + s.b + SPLAT( 4 ) * middle ) * SPLAT( 1.0 / 6 );
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
ALWAYS vec bearing_depth( const given *in, const bool lean, vec z, vec slip )
{
	const vec zero = SPLAT( 0 );
	if ( lean )
	{
		return z;
	}
	vec dig = SOIL( DS_CONTACT_SLIP_SINKAGE );
	if ( !ANY( GREATER( dig, zero ) ) )
	{
		return z;
	}
	vec scale_of_slip = SPLAT( 6.5 ) * SOIL( DS_CONTACT_K );
	vec dug = dig * scale_of_slip * ( SPLAT( 1 ) - exponential( zero - slip / scale_of_slip ) );
	return SELECT( GREATER( dig, zero ), most( z - dug, least( SPLAT( 0.02 ) * z, z ) ), z );
}

// Damping and suction on top of the mean pressure.
ALWAYS void element_damp( const given *in, const ds_contact_motion *motion, const bool lean, vec slope, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 );
	vec damping = SOIL( DS_CONTACT_DAMPING ), suction = lean ? zero : SOIL( DS_CONTACT_SUCTION );
	vec rate = dot( p->v, p->e ), pull = zero, during = p->during;

	// suction holds on until the gap has opened to a tenth of the width
	mask sucks = MASK_AND( GREATER( zero, rate ), GREATER( suction, zero ) );
	if ( !lean && ANY( sucks ) )
	{
		vec hold = one - p->gap / ( SPLAT( 0.1 ) * in->width );
		pull = SELECT( sucks, suction * most( hold, zero ) * p->touched, zero );
		during = SELECT( sucks, one, during );
	}

	vec total = p->mean + damping * rate * during;
	mask free = GREATER( total, zero - pull );
	p->total = SELECT( free, total, zero - pull );
	mask printed = GREATER( zero, damping ); // pushes onward, and pulls
	if ( !lean && ANY( printed ) )
	{
		p->total = SELECT( printed, total, p->total );
	}

	// the change with the way: that of the elastic part and the damper, or the whole as a dashpot where it moves far. So a step
	// never reverses a body's speed for more than it had, and what lifts off never pulls
	vec dashpot = damping * during * SPLAT( motion->per_dt );
	vec whole = most( total * p->per_along, zero );
	p->slope = SELECT( free, least( slope * p->per_c + most( dashpot, zero ), whole ), zero );
	mask loaded = GREATER( p->p0 + p->mean, zero );
	p->touches = SELECT( loaded, one, SELECT( GREATER( zero, p->total ), one, zero ) );
}

// Where an element is over a step in the ground, and what is left to press of its way there.
typedef struct way_in
{
	mask inside, stays, faces, loads;
	vec entry; // share of the way that is in the ground
	vec indent; // of it
	vec closing; // of the gap: way
	vec during; // share of the way after that
	vec press; // after the gap has closed
	vec gap; // at the start
	vec za, zb; // depths that bear: where it presses, and at the end
} way_in;

ALWAYS way_in element_enter( const given *in, const bool lean, vec surface, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), tiny = SPLAT( 1e-300 );
	vec h0 = p->z0 - surface, h1 = p->z1 - surface;
	way_in w;
	w.inside = GREATER( h0, zero );
	w.stays = GREATER( h1, zero );
	w.faces = GREATER( p->c, zero );
	vec was = SELECT( w.inside, one, zero );
	w.entry = was;
	if ( ANY( GREATER( one, was ) ) )
	{
		w.entry = SELECT( w.inside, one, SELECT( w.stays, h1 / most( h1 - h0, tiny ), zero ) );
	}
	w.entry = SELECT( w.faces, w.entry, zero );
	w.gap = SELECT( w.inside, in->gap, zero );
	w.indent = p->indent;
	vec slip = SELECT( w.inside, in->slip, zero );
	p->slip = slip + p->way;
	if ( ANY( GREATER( one, w.entry ) ) )
	{
		w.indent = p->indent * w.entry;
		p->slip = slip + p->way * w.entry;
	}
	w.loads = GREATER( w.indent, zero );
	w.closing = SELECT( w.loads, least( w.gap, w.indent ), zero );
	w.press = SELECT( w.loads, w.indent - w.closing, zero );
	w.during = w.entry;
	w.za = SELECT( w.inside, p->z0, surface );
	mask closes = GREATER( w.closing, zero );
	if ( ANY( closes ) )
	{
		vec closed = SELECT( closes, w.closing / SELECT( w.loads, w.indent, one ), zero );
		w.during = w.entry * ( one - closed );
		w.za = SELECT( closes, w.za + ( p->z1 - w.za ) * closed, w.za );
	}

	w.za = bearing_depth( in, lean, w.za, slip );
	w.zb = bearing_depth( in, lean, p->z1, p->slip );
	p->touched = SELECT( w.faces, was, zero );
	return w;
}

ALWAYS void element_indent( const given *in, const ds_contact_motion *motion, const bool lean, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), half = SPLAT( 0.5 ), tiny = SPLAT( 1e-300 );
	packing packed = { zero, zero, zero, zero };
	if ( !lean && in->marked )
	{
		packed = packed_soil( in, lean );
	}
	p->surface = packed.top;
	const way_in w = element_enter( in, lean, p->surface, p );
	const strength s = strength_along( in, lean, &packed, w.za, w.zb );
	p->per_depth = s.per_depth;
	p->power = s.power;

	// stiffness
	vec secant = s.b / most( w.zb, tiny );
	vec soft = unloading( in, lean, w.zb, secant );
	if ( !lean && in->marked )
	{
		soft = SELECT( GREATER( packed.depth, w.zb ), most( packed.stiffness, soft ), soft );
	}
	vec had = SELECT( w.inside, in->stiffness, zero );
	vec k = SELECT( GREATER( had, zero ), had, soft ), n = SOIL( DS_CONTACT_N );
	vec tangent = SELECT( GREATER( one, n ), zero, least( n * secant, SPLAT( 1e9 ) ) );
	k = SELECT( w.loads, most( k, tangent ), k );
	vec per_k = one / most( k, tiny );
	vec p0 = SELECT( w.inside, in->pressure, zero );
	p0 = SELECT( w.faces, least( p0, s.a ), zero );
	vec lift = p0 * per_k, stored = half * p0 * lift;

	// loading: elastic up to the virgin curve, then along it
	vec tip = p0 + k * w.press;
	mask yields = MASK_AND( w.loads, GREATER( tip, s.b ) );
	vec work = w.press * ( p0 + half * k * w.press ), p1 = tip, k1 = k, yielded = zero;
	if ( ANY( yields ) )
	{
		vec short_by = s.a - p0, most_rise = k * w.press;
		vec slower = most( most_rise - ( s.b - s.a ), SPLAT( 1e-6 ) * most_rise + tiny );
		vec until = least( short_by * w.press / slower, w.press );
		vec along = most( s.mean * w.press - half * short_by * until, zero );
		vec energy = stored + along, left = half * s.b * s.b;
		k1 = SELECT( yields, most( soft, left / most( energy, tiny ) ), k1 );
		yielded = least( left / most( soft, tiny ), energy ); // left / k1
		work = SELECT( yields, along, work );
		p1 = SELECT( yields, s.b, p1 );
	}
	vec mean = work * p->per_indent;
	vec gap = w.gap - w.closing;

	// unloading: down to nothing, then a gap opens
	vec back = SELECT( w.loads, zero, zero - w.indent );
	mask off = GREATER( k * back, p0 );
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
	p->during = SELECT( GREATER( p->mean, zero ), SELECT( w.loads, w.during, held ), zero );
	vec worked = SELECT( w.loads, work, zero - mean_back * back ), left = half * p->p1 * p->p1;
	vec remains = SELECT( yields, SELECT( w.stays, yielded, zero ), left * per_k );
	p->loss = most( stored + worked - remains, zero );

	// while a gap stands an element that slides leaves its own mark behind: within a width it is over other ground
	p->gap = gap;
	if ( ANY( GREATER( gap, zero ) ) )
	{
		p->gap = gap / ( one + p->way / in->width );
	}
	element_damp( in, motion, lean, SELECT( GREATER( p->mean, zero ), half * k, zero ), p );
}

// ---- shear -------------------------------------------------------------------------------------------------------

ALWAYS void element_shear( const given *in, const ds_contact_motion *motion, const bool lean, element *p )
{
	const vec zero = SPLAT( 0 ), one = SPLAT( 1 ), half = SPLAT( 0.5 ), tiny = SPLAT( 1e-300 );
	vec k = SOIL( DS_CONTACT_K ), per_k = SOIL( DS_CONTACT_PER_K ), cohesion = SOIL( DS_CONTACT_COHESION ),
		friction = SOIL( DS_CONTACT_TAN_FRICTION );
	mask held = MASK_AND( GREATER( p->touched, zero ), GREATER( p->p0, zero ) );
	vec3 u0 = select3( held, in->u, zero );
	vec before = SELECT( held, cohesion + p->p0 * friction, zero ), u0_u0 = dot( u0, u0 );
	mask presses = GREATER( p->mean, zero );
	vec pressed = p->mean;
	if ( !lean && in->bulldozing )
	{
		pressed = pressed + p->passive * SQRT( dot( p->push, p->push ) );
	}
	vec now = SELECT( presses, p->during * cohesion + pressed * friction, zero );
	vec during = most( p->during, SPLAT( 1e-12 ) ), strong = now;
	vec3 slide = p->slide;
	vec way = p->way;
	if ( ANY( GREATER( SPLAT( 1 ), during ) ) )
	{
		strong = now / during;
		slide = scale( p->during, slide );
		way = way * p->during;
	}

	// elastic within the greatest |u| so far, as far as the way leads there; what rounding leaves is no way
	vec all = way * per_k, spring = zero, per_way = one / most( way, tiny );
	vec3 s = scale( per_way, slide ), from = u0;
	vec reached = SELECT( held, in->reached, zero ), from_from = u0_u0;
	mask springs = GREATER( zero, one );
	if ( ANY( GREATER( reached, zero ) ) )
	{
		vec along_s = dot( u0, s );
		vec inside = most( along_s * along_s + ( reached * reached - u0_u0 ), zero );
		spring = least( most( SQRT( inside ) - along_s, zero ), all );
		springs = GREATER( spring, SPLAT( 1e-12 ) );
		spring = SELECT( springs, spring, zero );
		if ( ANY( springs ) )
		{
			from.x = SELECT( springs, u0.x + spring * s.x, u0.x );
			from.y = SELECT( springs, u0.y + spring * s.y, u0.y );
			from.z = SELECT( springs, u0.z + spring * s.z, u0.z );
			from_from = SELECT( springs, dot( from, from ), u0_u0 );
		}
	}

	// then over a straight way: u1 = u0 exp( -x ) + s ( 1 - exp( -x ) ), its mean over the way with ( 1 - exp( -x ) ) / x instead
	vec x = all - spring;
	// ( 1 - ( 1 - exp( -x ) ) / x ) / x, in pairs, so that few steps wait for one another
	vec x2 = x * x, b0 = half - SPLAT( 1.0 / 6 ) * x, b1 = SPLAT( 1.0 / 24 ) - SPLAT( 1.0 / 120 ) * x;
	vec b2 = SPLAT( 1.0 / 720 ) - SPLAT( 1.0 / 5040 ) * x + SPLAT( 1.0 / 40320 ) * x2;
	vec b = b0 + x2 * ( b1 + x2 * b2 );
	vec a = one - x * b;
	mask far = GREATER( x, SPLAT( 0.02 ) );
	if ( ANY( far ) )
	{
		vec safe = SELECT( far, x, one );
		vec far_a = ( one - exponential( zero - safe ) ) / safe;
		a = SELECT( far, far_a, a );
		b = SELECT( far, ( one - far_a ) / safe, b );
	}
	vec3 change = { s.x - from.x, s.y - from.y, s.z - from.z };
	vec3 u1 = add( from, scale( a * x, change ) ), mean = add( from, scale( b * x, change ) );
	vec slope = b * per_k * ( one + SQRT( from_from ) );
	if ( ANY( springs ) )
	{
		vec share = SELECT( springs, spring * k * per_way, zero );
		vec3 half_way = add( u0, scale( half * spring, s ) );
		mean = add( scale( share, half_way ), scale( one - share, mean ) );
		slope = SELECT( springs, half * per_k, slope );
	}
	vec size = SQRT( dot( u1, u1 ) );
	p->reached = least( most( reached, size ), one );

	mask printed = GREATER( lean ? zero : SOIL( DS_CONTACT_PRINTED_SHEAR ), zero );
	if ( !lean && ANY( printed ) )
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
	p->tau = scale( now, mean );
	if ( ANY( springs ) )
	{
		vec drag = SPLAT( DS_CONTACT_SHEAR_TIME * motion->per_dt );
		p->tau = scale( now, add( mean, scale( drag * spring, s ) ) );
		slope = slope + SELECT( springs, drag * per_k, zero );
	}
	p->shear_slope = now * p->during * slope;

	// what may be stored
	vec after = SELECT( GREATER( p->p1, zero ), cohesion + p->p1 * friction, zero ), half_k = half * k;
	vec have = most( half_k * before * u0_u0 + strong * along + p->loss * p->c, zero );
	vec want = half_k * after * dot( u1, u1 );
	mask too_much = GREATER( want, have );
	p->u = u1;
	if ( ANY( too_much ) )
	{
		p->u = scale( SELECT( too_much, SQRT( have / most( want, tiny ) ), one ), u1 );
	}
	p->u = select3( GREATER( p->p1, zero ), p->u, zero );
}

// ---- bulldozing --------------------------------------------------------------------------------------------------

// Passive pressure of the soil (Rankine) on faces that push sideways, less what Bekker's pressure does there already. Full at any
// speed, as a dashpot below 1e-6 m/s.
ALWAYS void element_push( const given *in, const ds_contact_motion *motion, const bool lean, element *p )
{
	const vec zero = SPLAT( 0 );
	p->passive = zero;
	p->passive_slope = zero;
	if ( lean || !in->bulldozing )
	{
		return;
	}
	vec z = SPLAT( 0.5 ) * ( p->z0 + p->z1 ) - in->surface;
	vec strong = SOIL( DS_CONTACT_PASSIVE_WEIGHT ) * z + SOIL( DS_CONTACT_PASSIVE_COHESION );
	strong = SELECT( GREATER( z, zero ), strong, zero );
	vec more = most( strong - p->mean * SOIL( DS_CONTACT_LATERAL ), zero );
	vec size = SQRT( dot( p->push, p->push ) );
	vec speed = dot( p->v, p->n );
	mask pushes = MASK_AND( GREATER( speed, SPLAT( -1e-300 ) ), GREATER( size, SPLAT( 1e-6 ) ) );
	vec dashpot = more / most( speed, SPLAT( 1e-6 ) );
	p->passive = SELECT( pushes, dashpot * speed, zero );
	p->passive_slope = SELECT( pushes, dashpot / ( most( size, SPLAT( 1e-12 ) ) * SPLAT( motion->dt ) ), zero );
	p->touches = SELECT( GREATER( p->passive, zero ), SPLAT( 1 ), p->touches );
}

// ---- the state after a step --------------------------------------------------------------------------------------

ALWAYS void element_after( int lane, const element *p, ds_contact_after *after )
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
	STORE( after->out[DS_AFTER_PER_DEPTH] + lane, keep * p->per_depth );
	STORE( after->out[DS_AFTER_POWER] + lane, keep * p->power );
	STORE( after->out[DS_AFTER_DEPTH] + lane, SELECT( GREATER( p->mean, zero ), p->z1, zero ) );
	STORE( after->out[DS_AFTER_AREA] + lane, p->area * p->c );
}
