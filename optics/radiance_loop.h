// Light on a tile as loops over vectors of WIDTH pixels (radiance_lanes.h says what the including file defines).
// No branch changes the numbers: every width gives the same bits.
//
// Single scattering of a lamp's light into a ray. With D the ray's least distance from the lamp, t where that is, x = s - t:
//   L = Phi integral of f( gamma ) p( theta ) exp( -c ( r + s ) ) / ( r^2 + radius^2 ) ds
// The lamp's disc is taken as spread over D' = sqrt( D^2 + radius^2 ). With x = D' sinh v the distance is D' cosh v and
// theta = 2 atan( e^v ), the angle between the directions of propagation before and after:
//   ds / ( r^2 + radius^2 ) = dv / ( D' cosh v )
// In v, the peaks of 1 / r^2 and of p forwards are smooth (p falls as a power of theta, so exponentially in v), and Gauss-Legendre
// nodes over what is in the lamp's beam do with few.

#include "optics/radiance_lanes.h"

#define INV_PI 0.318309886f

#if defined( __clang__ )
#define UNROLL_BANDS
#else
#define UNROLL_BANDS _Pragma( "GCC unroll 3" )
#endif

// Pixels of some lanes.
typedef struct rays
{
	vec3 o, d;
	vec depth; // of the origin
	vec sink; // cosine of d with down
	vec length; // of what is in the water
} rays;

static inline rays load_rays( const ds_light_scene *scene, const ds_tile *tile, int lane )
{
	rays r;
	vec3 down = splat3( scene->down );
	r.o = ( vec3 ){ load( tile->origin[0] + lane ), load( tile->origin[1] + lane ), load( tile->origin[2] + lane ) };
	r.d = ( vec3 ){ load( tile->direction[0] + lane ), load( tile->direction[1] + lane ),
		load( tile->direction[2] + lane ) };
	r.depth = scene->depth + dot( r.o, down );
	r.sink = dot( r.d, down );

	// a ray that goes up ends at the water's surface
	vec up = zero_unless( r.sink < -1e-6f, splat( 1 ) );
	vec top = MAXIMUM( r.depth, splat( 0 ) ) / choose( up > 0, -r.sink, splat( 1 ) );
	r.length = clamp( load( tile->range + lane ), 0, 1e6f );
	r.length = choose( up > 0, MINIMUM( r.length, top ), r.length );
	return r;
}

// ---- lamps: what is scattered --------------------------------------------------------------------------------------

// A ray as a lamp sees it.
typedef struct pass
{
	vec t; // of the closest approach, along the ray
	vec d2, spread, half_spread, inverse; // D^2, D', D' / 2, 1 / D'
	vec b, m; // along the lamp's axis: of the closest point from the lamp, of the ray's direction
} pass;

static inline pass pass_by( const rays *r, const ds_light_source *lamp )
{
	pass p;
	vec3 w = sub( splat3( lamp->position ), r->o ), axis = splat3( lamp->axis );
	p.t = dot( w, r->d );
	vec3 q = sub( times( p.t, r->d ), w );
	p.d2 = dot( q, q );
	p.spread = MAXIMUM( SQRT( p.d2 + lamp->radius2 ), splat( 1e-5f ) );
	p.half_spread = 0.5f * p.spread;
	p.inverse = 1 / p.spread;
	p.b = dot( q, axis );
	p.m = dot( r->d, axis );
	return p;
}

// Pieces of a ray, as x from the closest approach.
typedef struct pieces
{
	vec from[2], to[2];
} pieces;

static inline vec cosine_at( const pass *p, vec x )
{
	return ( p->b + p->m * x ) / MAXIMUM( SQRT( p->d2 + x * x ), splat( 1e-9f ) );
}

// What is within the lamp's beam, from x = `start` to `end`. On the circle X = x / r, Y = D / r, of which a ray is the half Y > 0, the
// cosine from the axis is m X + ( b / D ) Y: light falls on an arc about the direction ( m, b / D ), which ends where that is `clip`.
static inline pieces in_beam( const pass *p, const ds_light_source *lamp, vec start, vec end )
{
	const vec everywhere = splat( 2e6f );
	vec distance = SQRT( p->d2 );
	vec beta = p->b / MAXIMUM( distance, splat( 1e-12f ) );
	vec r2 = MAXIMUM( p->m * p->m + beta * beta, splat( 1e-12f ) );

	// the greatest cosine is at an end of the ray, or where it is nearest to the axis
	vec peak = distance * p->m / MAXIMUM( beta, splat( 1e-9f ) );
	vec most = MAXIMUM( cosine_at( p, start ), cosine_at( p, end ) );
	most = choose( ( beta > 0 ) & ( peak > start ) & ( peak < end ), SQRT( r2 ), most );
	vec at = clamp( ( most - lamp->limit ) * ( lamp->scale * DS_LIGHT_CLIPS / DS_LAMP_PROFILE ), 0, DS_LIGHT_CLIPS );
	vec clip, next;
	GATHER_PAIRS( lamp->clip, __builtin_convertvector( at, mask ), &clip, &next );

	// the arc's ends, by rising x
	vec rest = r2 - clip * clip, root = SQRT( MAXIMUM( rest, splat( 0 ) ) ), inverse = 1 / r2;
	vec xa = ( p->m * clip - beta * root ) * inverse, ya = ( beta * clip + p->m * root ) * inverse;
	vec xb = ( p->m * clip + beta * root ) * inverse, yb = ( beta * clip - p->m * root ) * inverse;
	mask cut = rest > 0, in_a = cut & ( ya > 0 ), in_b = cut & ( yb > 0 );
	xa = distance * xa / MAXIMUM( ya, splat( 1e-9f ) );
	xb = distance * xb / MAXIMUM( yb, splat( 1e-9f ) );

	// without an end all is lit, or nothing is
	mask lit = in_a | in_b | ( ~cut & ( clip < 0 ) ) | ( cut & ( beta >= clip ) );
	mask two = in_a & in_b & ( xa > xb );
	pieces r;
	r.from[0] = choose( in_a & ~two, MAXIMUM( xa, start ), start );
	r.to[0] = choose( lit, choose( in_b, MINIMUM( xb, end ), end ), start );
	r.from[1] = choose( two, MAXIMUM( xa, start ), everywhere );
	r.to[1] = end;
	return r;
}

// Ends a piece where what is left is negligible; as limits of v. Empty: both the same.
static inline void limits( const ds_light_setup *setup, const rays *r, const pass *p, vec *from, vec *to )
{
	vec a = *from, b = *to;
	b = MINIMUM( b, MAXIMUM( a, splat( 0 ) ) + setup->far );
	b = MINIMUM( b, 1000 * MAXIMUM( a, p->spread ) );
	mask on = ( r->depth >= 0 ) & ( b > a );
	*from = area_sinh( a * p->inverse );
	*to = choose( on, area_sinh( b * p->inverse ), *from );
}

static inline vec profile_at( const ds_light_source *lamp, vec cosine )
{
	return look_up( lamp->profile, DS_LAMP_PROFILE - 1, ( cosine - lamp->limit ) * lamp->scale );
}

// What is the same for all points of a piece of a ray.
typedef struct course
{
	const ds_light_setup *setup;
	const ds_light_source *lamp;
	const pass *pass;
} course;

// Adds one point: e = e^v, i = e^-v.
static inline void add_point( const course *c, vec v, vec e, vec i, vec weight, const int bands, vec *sum )
{
	const ds_light_setup *setup = c->setup;
	const ds_light_source *lamp = c->lamp;
	const ds_phase_table *phase = setup->phase;
	const pass *p = c->pass;
	vec sinh2 = e - i, cosh2 = e + i, x = p->half_spread * sinh2;
	vec distance = SQRT( p->d2 + x * x );
	// 1 / r and 1 / cosh v by one division
	vec inverse = 1 / ( cosh2 * MAXIMUM( distance, splat( 1e-9f ) ) );
	vec by_r = inverse * cosh2, by_cosh2 = inverse * distance;
	vec cosine = ( p->b + p->m * x ) * by_r, turn = sinh2 * by_cosh2;
	vec way = MAXIMUM( distance + ( p->t + x ), splat( 0 ) );
	vec light = profile_at( lamp, cosine ) * by_cosh2 * weight;
	const float scale = (float)( DS_PHASE_SIZE / ( DS_PHASE_HIGH - DS_PHASE_LOW ) );
	vec at = v * scale - (float)DS_PHASE_LOW * scale;
	vec particles = light * look_up( phase->particles, DS_PHASE_SIZE, at );
	vec water = light * ( phase->water[0] + phase->water[1] * ( turn * turn ) );
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		vec b = setup->bp[k] * particles + setup->bw[k] * water;
		sum[k] = sum[k] + b * fade2( way * setup->fall[k] );
	}
}

static inline vec lit_at( const float *lit, int step )
{
	return lit ? load( lit + step * DS_TILE ) : splat( 1 );
}

static inline void scatter_piece( const ds_light_setup *setup, const pass *p, const ds_light_source *lamp, vec from,
	vec to, const float *lit, const int bands, vec *total )
{
	const course c = { setup, lamp, p };
	vec middle = 0.5f * ( from + to ), half = 0.5f * ( to - from ), sum[DS_MAX_BANDS];
	vec e = exponential_within( middle ), i = 1 / e;
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		sum[k] = splat( 0 );
	}
	// nodes lie in pairs about the middle
	for ( int a = 0, b = setup->steps - 1; a <= b; ++a, --b )
	{
		vec v = half * setup->node[a], g = exponential_within( v ), h = 1 / g;
		add_point( &c, middle + v, e * g, i * h, setup->weight[a] * lit_at( lit, a ), bands, sum );
		if ( a < b )
		{
			add_point( &c, middle - v, e * h, i * g, setup->weight[b] * lit_at( lit, b ), bands, sum );
		}
	}
	vec scale = 2 * half * p->inverse;
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		total[k] = total[k] + sum[k] * ( scale * lamp->power[k] );
	}
}

static inline void scatter_lamp( const ds_light_setup *setup, const rays *r, const ds_light_source *lamp,
	const float *lit, const int bands, vec *total )
{
	pass p = pass_by( r, lamp );
	pieces all = in_beam( &p, lamp, -p.t, r->length - p.t );
	for ( int i = 0; i < 2; ++i )
	{
		// the second piece is rare
		if ( i == 0 || any( all.from[1] < 1e6f ) )
		{
			limits( setup, r, &p, &all.from[i], &all.to[i] );
			if ( any( all.to[i] > all.from[i] ) )
			{
				scatter_piece( setup, &p, lamp, all.from[i], all.to[i], i == 0 ? lit : NULL, bands, total );
			}
		}
	}
}

// ---- daylight: what is scattered -----------------------------------------------------------------------------------

// Sun and sky fade with depth as exp( -kd z ), so that along a ray the light falls as exp( -( c + kd sink ) s ).
//
// What is scattered once would be a fourth of what there is: light that is turned by less than 90 degrees stays in the field, and is scattered
// again. The ray's radiance far out, source / ( c + kd sink ), is therefore taken without the forward scattering in c, as far as
// the direction is away from that of the light: `away` is 0 along it, where the source has its peak and all is reckoned already, 1
// across it. How fast it comes to that with the distance stays (Duntley, "Light in the sea", J. Opt. Soc. Am. 53 (1963), 214).
static inline vec again( const ds_light_setup *setup, int band, vec fall, vec away )
{
	vec rest = MAXIMUM( fall - setup->forward[band] * away, splat( 0.05f * setup->c[band] ) );
	return MAXIMUM( fall, rest ) / MAXIMUM( rest, splat( 1e-9f ) );
}

static inline void scatter_daylight( const ds_light_setup *setup, const rays *r, const int bands, vec *total )
{
	const ds_light_scene *scene = setup->scene;
	const ds_phase_table *phase = setup->phase;
	vec3 sun = splat3( scene->sun_direction );

	// 1 - cos theta is half the square of what is between the directions: the sun's is kept to its radius of 4.65 mrad in the air
	vec3 gap = along( sun, splat( 1 ), r->d );
	vec versine = clamp( 0.5f * dot( gap, gap ), 6e-6f, 2 - 6e-6f ), cosine = 1 - versine;
	vec v = 0.5f * logarithm( versine / ( 2 - versine ) );
	const float scale = (float)( DS_PHASE_SIZE / ( DS_PHASE_HIGH - DS_PHASE_LOW ) );
	vec p_sun = look_up( phase->particles, DS_PHASE_SIZE, ( v - (float)DS_PHASE_LOW ) * scale );
	vec w_sun = phase->water[0] + phase->water[1] * ( cosine * cosine );
	vec at = ( 1 - r->sink ) * ( 0.5f * DS_PHASE_SKY );
	vec p_sky = look_up( phase->particles_sky, DS_PHASE_SKY, at );
	vec w_sky = look_up( phase->water_sky, DS_PHASE_SKY, at );
	vec rise = r->depth - scene->depth;

	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		vec fall = setup->c[k] + setup->kd[k] * r->sink, y = fall * r->length;
		vec sunlight = setup->sun[k] * ( setup->bp[k] * p_sun + setup->bw[k] * w_sun );
		vec skylight = setup->sky[k] * ( setup->bp[k] * p_sky + setup->bw[k] * w_sky );
		vec source = sunlight * again( setup, k, fall, MINIMUM( versine, splat( 1 ) ) ) +
					 skylight * again( setup, k, fall, clamp( 1 + r->sink, 0, 1 ) );
		mask small = absolute( y ) < 0.05f;
		vec series = 1 - y * ( 0.5f - y * ( 1.f / 6 - y * ( 1.f / 24 ) ) );
		vec whole = ( 1 - exponential( -y ) ) / choose( small, splat( 1 ), y );
		vec length = r->length * choose( small, series, whole );
		vec light = source * exponential( rise * -setup->kd[k] ) * length;
		total[k] = total[k] + zero_unless( r->depth >= 0, light );
	}
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

// What was met.
typedef struct face
{
	vec3 point, n, to_eye;
	vec nv;
	vec metallic, alpha2;
	vec diffuse[DS_MAX_BANDS], f0[DS_MAX_BANDS], color[DS_MAX_BANDS];
	mask on;
} face;

static inline face load_face(
	const ds_light_setup *setup, const ds_tile *tile, const rays *r, int lane, const int bands )
{
	face f;
	vec range = load( tile->range + lane );
	f.on = ( range >= 0 ) & ( range < 1e6f );
	f.point = along( r->o, zero_unless( f.on, range ), r->d );
	f.n = ( vec3 ){ load( tile->normal[0] + lane ), load( tile->normal[1] + lane ), load( tile->normal[2] + lane ) };
	f.to_eye = times( splat( -1 ), r->d );
	f.nv = MAXIMUM( dot( f.n, f.to_eye ), splat( 1e-3f ) );
	f.metallic = clamp( load( tile->metallic + lane ), 0, 1 );
	vec rough = clamp( load( tile->roughness + lane ), 0.03f, 1 );
	f.alpha2 = rough * rough * rough * rough;
	vec red = load( tile->color[0] + lane ), green = load( tile->color[1] + lane ),
		blue = load( tile->color[2] + lane );
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		const float *w = setup->scene->reflect[k];
		f.color[k] = clamp( w[0] * red + w[1] * green + w[2] * blue, 0, 1 );
		f.diffuse[k] = f.color[k] * ( 1 - f.metallic );
		f.f0[k] = setup->f0 + f.metallic * ( f.color[k] - setup->f0 );
	}
	return f;
}

// BRDF of Trowbridge and Reitz's distribution, Smith's height-correlated masking and Schlick's reflectance, all but F: returns D V, where
// V = G / ( 4 nl nv ); `grazing` is ( 1 - vh )^5.
static inline vec gloss( const face *f, vec3 l, vec nl, vec *grazing )
{
	vec3 h = along( l, splat( 1 ), f->to_eye );
	vec h2 = dot( h, h ), scale = 1 / SQRT( MAXIMUM( h2, splat( 1e-12f ) ) );
	h = times( scale, h );
	vec nh = dot( f->n, h );
	// 1 - nh^2 as a square of what is across: no cancellation
	vec3 across = along( h, -nh, f->n );
	vec t = f->alpha2 * nh * nh + dot( across, across );
	vec d = INV_PI * f->alpha2 / ( t * t );
	vec rest = 1 - f->alpha2;
	vec masking = nl * SQRT( f->nv * f->nv * rest + f->alpha2 ) + f->nv * SQRT( nl * nl * rest + f->alpha2 );
	vec miss = 1 - clamp( dot( f->to_eye, h ), 0, 1 );
	vec square = miss * miss;
	*grazing = square * square * miss;
	// light from straight behind the face has no half way to the eye: smooth normals may be turned to it all the same
	return zero_unless( h2 > 1e-12f, d * 0.5f / masking );
}

// Light from one direction, `strength` times irradiance[k] on a face across it. What a face scatters as Lambert's is not there for the
// gloss, so that no more leaves than comes.
static inline void shine( const face *f, vec3 l, vec strength, const vec *irradiance, const int bands, vec *total )
{
	vec nl = MAXIMUM( dot( f->n, l ), splat( 0 ) );
	vec grazing, dv = gloss( f, l, nl, &grazing );
	mask on = ( nl > 0 ) & ( strength > 0 );
	strength = strength * nl;
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		vec fresnel = f->f0[k] + grazing * ( 1 - f->f0[k] );
		vec brdf = INV_PI * f->diffuse[k] + dv * fresnel * ( 1 - f->diffuse[k] );
		total[k] = total[k] + zero_unless( on, brdf * ( strength * irradiance[k] ) );
	}
}

static inline void shine_lamp(
	const ds_light_setup *setup, const face *f, const ds_light_source *lamp, vec visible, const int bands, vec *total )
{
	vec3 to = sub( splat3( lamp->position ), f->point );
	vec r2 = dot( to, to ), r = SQRT( r2 );
	vec3 l = times( 1 / MAXIMUM( r, splat( 1e-9f ) ), to );
	vec cosine = -dot( l, splat3( lamp->axis ) );
	vec strength = profile_at( lamp, cosine ) * visible / MAXIMUM( r2 + lamp->radius2, splat( 1e-8f ) );
	// a limit of -1 is none, whatever the rounding
	strength = zero_unless( cosine >= ( lamp->limit <= -1 ? -2 : lamp->limit ), strength );
	vec irradiance[DS_MAX_BANDS];
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		irradiance[k] = lamp->power[k] * exponential( r * -setup->c[k] );
	}
	shine( f, l, strength, irradiance, bands, total );
}

// Irradiance by the sky on a face, of that on a level one; `up`: cosine of its normal with up. In the air the sky is even. Under water it
// is within Snell's cone and fades to its rim: radiance 3/pi mu^4, mu the cosine with down, whose mean cosine of 5/6 is that of an even sky's
// refracted light. The integral is exact (a zonal radiance and a cosine: Funk and Hecke).
static inline vec sky_on( bool wet, vec up )
{
	vec open = MAXIMUM( 1 + up, splat( 0 ) );
	return wet ? open * open * open * ( 3 - up ) * 0.0625f : 0.5f * open;
}

static inline void shine_daylight( const ds_light_setup *setup, const face *f, vec sunny, const int bands, vec *total )
{
	const ds_light_scene *scene = setup->scene;
	// what stands out of the water has the light of its surface
	vec fall = dot( f->point, splat3( scene->down ) );
	if ( scene->depth >= 0 )
	{
		fall = MAXIMUM( fall, splat( -scene->depth ) );
	}
	vec open = sky_on( scene->depth >= 0, -dot( f->n, splat3( scene->down ) ) );
	vec sun[DS_MAX_BANDS];
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		vec fade = exponential( fall * -setup->kd[k] );
		sun[k] = setup->sun[k] * fade;
		total[k] = total[k] + f->color[k] * ( INV_PI * setup->sky[k] ) * fade * open;
	}
	if ( setup->is_sunny )
	{
		shine( f, times( splat( -1 ), splat3( scene->sun_direction ) ), sunny, sun, bands, total );
	}
}

// ---- a tile --------------------------------------------------------------------------------------------------------

static inline void light_lanes( const ds_light_setup *setup, ds_tile *tile, int lane, const int bands )
{
	const int64_t stride = (int64_t)setup->steps * DS_TILE;
	vec surface[DS_MAX_BANDS], scattered[DS_MAX_BANDS];
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		surface[k] = scattered[k] = splat( 0 );
	}
	rays r = load_rays( setup->scene, tile, lane );
	face f = load_face( setup, tile, &r, lane, bands );
	bool met = any( f.on );
	for ( int i = 0; i < setup->lamps; ++i )
	{
		const ds_light_source *lamp = setup->source + i;
		if ( met )
		{
			shine_lamp( setup, &f, lamp, load( tile->visible[i] + lane ), bands, surface );
		}
		if ( setup->steps > 0 )
		{
			scatter_lamp( setup, &r, lamp, tile->lit ? tile->lit + i * stride + lane : NULL, bands, scattered );
		}
	}
	if ( setup->is_light && met )
	{
		shine_daylight( setup, &f, load( tile->sunny + lane ), bands, surface );
	}
	if ( setup->is_light && setup->steps > 0 )
	{
		scatter_daylight( setup, &r, bands, scattered );
	}
	UNROLL_BANDS
	for ( int k = 0; k < bands; ++k )
	{
		store( tile->surface[k] + lane, zero_unless( f.on, surface[k] ) );
		store( tile->scattered[k] + lane, scattered[k] );
	}
}

static void light( const ds_light_setup *setup, ds_tile *tile )
{
	for ( int lane = 0; lane < tile->count; lane += WIDTH )
	{
		if ( setup->bands == 3 )
		{
			light_lanes( setup, tile, lane, 3 );
		}
		else
		{
			light_lanes( setup, tile, lane, setup->bands );
		}
	}
}

static void nodes( const ds_light_setup *setup, const ds_tile *tile, int lamp, float *distance )
{
	for ( int lane = 0; lane < tile->count; lane += WIDTH )
	{
		rays r = load_rays( setup->scene, tile, lane );
		pass p = pass_by( &r, setup->source + lamp );
		pieces all = in_beam( &p, setup->source + lamp, -p.t, r.length - p.t );
		limits( setup, &r, &p, &all.from[0], &all.to[0] );
		vec middle = 0.5f * ( all.from[0] + all.to[0] ), half = 0.5f * ( all.to[0] - all.from[0] );
		for ( int i = 0; i < setup->steps; ++i )
		{
			vec e = exponential_within( middle + half * setup->node[i] );
			vec s = MAXIMUM( p.t + p.half_spread * ( e - 1 / e ), splat( 0 ) );
			store( distance + i * DS_TILE + lane, choose( all.to[0] > all.from[0], s, splat( -1 ) ) );
		}
	}
}

static void exponentials( const float *x, float *result, int count )
{
	for ( int i = 0; i < count; i += WIDTH )
	{
		store( result + i, exponential( load( x + i ) ) );
	}
}

static void fades( const float *x, float *result, int count )
{
	for ( int i = 0; i < count; i += WIDTH )
	{
		store( result + i, fade2( load( x + i ) ) );
	}
}

static void logarithms( const float *x, float *result, int count )
{
	for ( int i = 0; i < count; i += WIDTH )
	{
		store( result + i, logarithm( load( x + i ) ) );
	}
}
