// Places of the seabed as loops over vectors of WIDTH of them. Included by seabed_look_*.c, which define what radiance_lanes.h says and
// make one of two vectors of half as many lanes: NARROW( a, b ) of their doubles as floats, LOW_WORDS( a, b ) of the low 32 bits.
// No branch changes the numbers: every width gives the same bits.

#include "optics/radiance_lanes.h"

typedef uint32_t word __attribute__( ( vector_size( 4 * WIDTH ) ) );
// half of the lanes
typedef double half __attribute__( ( vector_size( 4 * WIDTH ) ) );
typedef uint64_t half_bits __attribute__( ( vector_size( 4 * WIDTH ) ) );
typedef float half_float __attribute__( ( vector_size( 2 * WIDTH ) ) );
typedef uint32_t half_word __attribute__( ( vector_size( 2 * WIDTH ) ) );

// All lanes, in double precision.
typedef struct wide
{
	half part[2];
} wide;

#define X_STEP 0x9E3779B1u // odd, far from short multiples of each other
#define Y_STEP 0x85EBCA77u
#define MIX    0x7FEB352Du

// Hashes by multiply and shift: 32 bits (the multipliers are those of C. Wellons 2018, "lowbias32"), and 64 bits (G. Steele et al.
// 2014, "SplitMix").
static inline word mix32( word h )
{
	h = ( h ^ h >> 16 ) * 0x7FEB352Du;
	h = ( h ^ h >> 15 ) * 0x846CA68Bu;
	return h ^ h >> 16;
}

static inline half_bits mix64( half_bits h )
{
	h = ( h ^ h >> 30 ) * UINT64_C( 0xBF58476D1CE4E5B9 );
	h = ( h ^ h >> 27 ) * UINT64_C( 0x94D049BB133111EB );
	return h ^ h >> 31;
}

// Of numbers below 2^31.
static inline vec numbers( word w )
{
	return __builtin_convertvector( (mask)w, vec );
}

// Coordinates in cells, split into the numbers of the cells, cut to 32 bits, and the places in them.
typedef struct cells
{
	word number;
	vec part;
} cells;

// A sum with 1.5 * 2^52 rounds to an integer, whose low bits are those of the sum then.
static inline cells split( wide x )
{
	const double shift = 6755399441055744.0, one = 1;
	uint64_t unit;
	memcpy( &unit, &one, sizeof( unit ) );
	half sum[2], rest[2];
	for ( int i = 0; i < 2; ++i )
	{
		sum[i] = x.part[i] + shift;
		sum[i] = sum[i] - (half)( (half_bits)( sum[i] - shift > x.part[i] ) & unit );
		rest[i] = x.part[i] - ( sum[i] - shift );
	}
	cells c = { LOW_WORDS( (half_bits)sum[0], (half_bits)sum[1] ), NARROW( rest[0], rest[1] ) };
	return c;
}

// Numbers in [-1, 1).
static inline vec at_corner( word h )
{
	return __builtin_convertvector( (mask)( ( h ^ h >> 15 ) * 0x846CA68Bu ), vec ) * ( 1.0f / 2147483648.0f );
}

// Value and slopes (a cell as the unit of length) of one octave.
static inline vec3 noise( uint32_t seed, cells x, cells y )
{
	vec tx = x.part, ty = y.part;
	word h = x.number * ( X_STEP * MIX ) + y.number * ( Y_STEP * MIX ) + seed;
	vec a = at_corner( h ), b = at_corner( h + X_STEP * MIX );
	vec c = at_corner( h + Y_STEP * MIX ), d = at_corner( h + ( X_STEP * MIX + Y_STEP * MIX ) );
	vec sx = tx * tx * ( 3 - 2 * tx ), sy = ty * ty * ( 3 - 2 * ty );
	vec low = a + sx * ( b - a ), high = c + sx * ( d - c );
	vec3 r = { low + sy * ( high - low ), 6 * tx * ( 1 - tx ) * ( ( b - a ) + sy * ( ( d - c ) - ( b - a ) ) ),
		6 * ty * ( 1 - ty ) * ( high - low ) };
	return r;
}

// How much of a detail of this size (given as 1 / size) is left when a pixel sees `footprint`: all up to a quarter of it, none from its
// whole on.
static inline vec fade( float inverse, vec footprint )
{
	return clamp( ( 1 - footprint * inverse ) * ( 4.0f / 3 ), 0, 1 );
}

// Relative brightness of the sediment, and slopes upward to the north and the east.
static inline vec sediment( const ds_seabed_plan *plan, wide north, wide east, vec footprint, vec slope[2] )
{
	vec brightness = splat( 1 );
	slope[0] = slope[1] = splat( 0 );
	for ( int k = 0; k < DS_SEABED_OCTAVES; ++k )
	{
		const ds_seabed_octave *o = plan->octaves + k;
		vec left = fade( o->inverse, footprint );
		if ( !any( left > 0 ) )
		{
			break; // those that follow are smaller
		}
		wide x, y;
		for ( int i = 0; i < 2; ++i )
		{
			half n = north.part[i], e = east.part[i];
			x.part[i] = o->cosine * n + o->sine * e + o->start[0];
			y.part[i] = o->cosine * e - o->sine * n + o->start[1];
		}
		vec3 v = noise( o->seed, split( x ), split( y ) );
		brightness = brightness + left * o->mottle * v.x;
		slope[0] = slope[0] + left * ( o->slope[0] * v.y - o->slope[1] * v.z );
		slope[1] = slope[1] + left * ( o->slope[1] * v.y + o->slope[0] * v.z );
	}
	return MAXIMUM( brightness, splat( 0.05f ) );
}

// ---- nodules -------------------------------------------------------------------------------------------------------

// The nodules of the cells that the places lie in, as far as it takes to see whether the places are near them.
typedef struct candidate
{
	vec dx, dy, radius; // from its centre along the grid, and its size [m]
	word low, high; // 64 random bits
	mask near;
} candidate;

// What a layer has at the places.
typedef struct nodule
{
	mask seen;
	vec inside; // 0 to 1, softened by the footprint
	vec normal[3]; // north, east, up
	vec brightness;
	vec height; // over the sediment [m]
	mask under; // the place itself is under it
} nodule;

// Random bits of the cells, and the places in them.
static inline void find_cells( const ds_seabed_layer *layer, wide north, wide east, candidate *c, vec *tx, vec *ty )
{
	wide x, y;
	for ( int i = 0; i < 2; ++i )
	{
		half n = north.part[i], e = east.part[i];
		x.part[i] = layer->cosine * n + layer->sine * e;
		y.part[i] = layer->cosine * e - layer->sine * n + layer->start;
	}
	cells row = split( y );
	vec shift = at_corner( row.number * Y_STEP + layer->seed );
	half_float shifts[2];
	memcpy( shifts, &shift, sizeof( shifts ) );
	for ( int i = 0; i < 2; ++i )
	{
		x.part[i] = x.part[i] + __builtin_convertvector( shifts[i], half );
	}
	cells column = split( x );
	const uint64_t seed = layer->seed * UINT64_C( 0x9E3779B97F4A7C15 );
	half_word rows[2], columns[2];
	half_bits bits[2];
	memcpy( rows, &row.number, sizeof( rows ) );
	memcpy( columns, &column.number, sizeof( columns ) );
	for ( int i = 0; i < 2; ++i )
	{
		half_bits number =
			__builtin_convertvector( columns[i], half_bits ) << 32 | __builtin_convertvector( rows[i], half_bits );
		bits[i] = mix64( number + seed );
	}
	c->low = LOW_WORDS( bits[0], bits[1] );
	c->high = LOW_WORDS( bits[0] >> 32, bits[1] >> 32 );
	*tx = column.part;
	*ty = row.part;
}

static inline candidate find_candidate( const ds_seabed_layer *layer, wide north, wide east, vec footprint )
{
	candidate c;
	vec tx, ty;
	find_cells( layer, north, east, &c, &tx, &ty );
	vec quantile = numbers( c.low >> 16 ) * ( DS_SEABED_SIZES / 65536.0f ), small, large;
	mask q = __builtin_convertvector( quantile, mask );
	GATHER_PAIRS( layer->radii, q, &small, &large );
	c.radius = small + ( quantile - __builtin_convertvector( q, vec ) ) * ( large - small );
	vec reach = c.radius * layer->stretch, room = MAXIMUM( layer->cell - 2 * reach, splat( 0 ) );
	c.dx = ( tx - 0.5f ) * layer->cell - ( numbers( c.high & 0xFFFFu ) * ( 1 / 65536.0f ) - 0.5f ) * room;
	c.dy = ( ty - 0.5f ) * layer->cell - ( numbers( c.high >> 16 ) * ( 1 / 65536.0f ) - 0.5f ) * room;
	reach = reach + 0.5f * MINIMUM( footprint, splat( layer->diameter ) );
	c.near = ( (mask)( c.low & 0xFFFFu ) < (int32_t)layer->occupied ) & ( c.dx * c.dx + c.dy * c.dy < reach * reach );
	return c;
}

// The area within r^2 + lobes r^3 cos( 3 angle ) = 1, over pi: a series, whose second term is by a fit up to 0.22.
static inline vec area_scale( vec lobes )
{
	vec square = lobes * lobes;
	return 1 + square * ( 0.75f + 2.2f * square );
}

// Their outlines there, and their shapes.
static inline nodule shape_nodule(
	const ds_seabed_plan *plan, const ds_seabed_layer *layer, const candidate *c, vec footprint )
{
	// a stretched circle with lobes, turned
	nodule r;
	word shape = mix32( c->low >> 24 | c->high << 8 );
	vec irregular = layer->irregular * numbers( shape >> 26 ) * ( 1 / 63.0f );
	vec lobes = (float)DS_NODULE_LOBES * irregular, aspect = 1 + (float)( DS_NODULE_ASPECT - 1 ) * irregular;
	vec turn[2], lobe[2];
	GATHER_PAIRS( plan->directions[0], (mask)( ( shape & 63u ) * 2u ), turn, turn + 1 );
	GATHER_PAIRS( plan->directions[0], (mask)( ( shape >> 6 & 63u ) * 2u ), lobe, lobe + 1 );
	vec scale = SQRT( area_scale( lobes ) / aspect ) / c->radius;
	vec u = ( turn[0] * c->dx + turn[1] * c->dy ) * scale, v = ( turn[0] * c->dy - turn[1] * c->dx ) * scale * aspect;
	vec f = u * u + v * v + lobes * ( lobe[0] * u * ( u * u - 3 * v * v ) + lobe[1] * v * ( 3 * u * u - v * v ) );
	f = MAXIMUM( f, splat( 0 ) );
	r.under = f < 1;
	mask blurs = footprint > 0;
	vec soft = 0.5f + ( 1 - SQRT( f ) ) * c->radius / choose( blurs, footprint, splat( 1 ) );
	r.inside = MINIMUM( choose( blurs, soft, zero_unless( r.under, splat( 1 ) ) ), splat( 1 ) );
	r.seen = c->near & ( r.inside > 0 );

	// half an ellipsoid, 0.35 diameters high from its widest part, cut where the sediment begins
	float rim2 = plan->rim * plan->rim;
	vec up = SQRT( 1 - rim2 * MINIMUM( f, splat( 1 ) ) ), flat = 0.7f * c->radius / plan->rim;
	vec gu = 2 * u + 3 * lobes * ( lobe[0] * ( u * u - v * v ) + 2 * lobe[1] * u * v );
	vec gv = 2 * v + 3 * lobes * ( lobe[1] * ( u * u - v * v ) - 2 * lobe[0] * u * v );
	gu = gu * ( 0.5f * rim2 * scale * flat );
	gv = gv * ( 0.5f * rim2 * scale * aspect * flat );
	r.height = flat * ( up - sqrtf( 1 - rim2 ) );

	// from the axes of the outline to those of the grid to north and east
	vec gx = turn[0] * gu - turn[1] * gv, gy = turn[1] * gu + turn[0] * gv;
	r.normal[0] = layer->turn[0] * gx - layer->turn[1] * gy;
	r.normal[1] = layer->turn[1] * gx + layer->turn[0] * gy;
	r.normal[2] = up;
	r.brightness = 0.75f + numbers( shape >> 12 & 255u ) * ( 0.5f / 255 );
	return r;
}

static inline mask number_of( const candidate *c )
{
	mask number = (mask)( mix32( ( c->low >> 16 | c->high << 16 ) ^ c->low << 16 ) >> 9 );
	return number - ( number == 0 );
}

// What is seen of all layers.
typedef struct cover
{
	vec free; // share of the pixel that is sediment
	vec normal[3], weight; // of nodules that are seen as such
	vec brightness; // sum of shares times brightness of nodules
	vec highest;
	mask instance;
} cover;

static inline void add_layer(
	const ds_seabed_plan *plan, const ds_seabed_layer *layer, wide north, wide east, vec footprint, cover *all )
{
	candidate c = find_candidate( layer, north, east, footprint );
	vec left = fade( layer->inverse, footprint ), share = ( 1 - left ) * layer->cover, brightness = splat( 1 );
	mask over = c.near & 0;
	if ( any( c.near ) )
	{
		// the higher one hides the other
		nodule found = shape_nodule( plan, layer, &c, zero_unless( left > 0, footprint ) );
		over = found.seen & ( found.height >= all->highest );
		vec mean = share, seen = zero_unless( found.seen, left * found.inside );
		share = mean + seen;
		mask some = found.seen & ( share > 0 );
		vec mixed = ( mean + seen * found.brightness ) / choose( some, share, splat( 1 ) );
		brightness = choose( some, mixed, brightness );
		mask shown = over & ( seen > 0 );
		for ( int k = 0; k < 3; ++k )
		{
			all->normal[k] = choose( shown, found.normal[k], all->normal[k] );
		}
		all->weight = choose( shown, seen, all->weight );
		mask under = over & found.under;
		all->instance = ( under & number_of( &c ) ) | ( ~under & all->instance );
		all->highest = choose( over, found.height, all->highest );
	}
	all->brightness = choose(
		over, all->brightness * ( 1 - share ) + brightness * share, all->brightness + all->free * brightness * share );
	all->free = all->free * ( 1 - share );
}

// Turns (north, east, up) as it is on level ground into the frame of a ground with the unit normal n: by the shortest way.
static inline vec3 lean( vec3 v, vec3 n )
{
	vec up = 1 - n.z;
	vec3 p = { v.x, v.y, -v.z };
	vec w[2] = { n.y, -n.x }; // (0, 0, -1) x n
	vec3 c = { w[1] * p.z, -w[0] * p.z, w[0] * p.y - w[1] * p.x };
	vec3 d = { w[1] * c.z, -w[0] * c.z, w[0] * c.y - w[1] * c.x };
	mask down = up < 1e-3f;
	vec share = 1 / choose( down, splat( 1 ), up );
	vec3 r = { choose( down, -p.x, p.x + c.x + d.x * share ), choose( down, p.y, p.y + c.y + d.y * share ),
		choose( down, -p.z, p.z + c.z + d.z * share ) };
	return r;
}

// What is too far, or is no number, is taken for 0.
static inline wide load_wide( const double *p )
{
	wide r;
	memcpy( &r, p, sizeof( r ) );
	for ( int i = 0; i < 2; ++i )
	{
		half_bits in = (half_bits)( ( r.part[i] > -1e8 ) & ( r.part[i] < 1e8 ) );
		r.part[i] = (half)( in & (half_bits)r.part[i] );
	}
	return r;
}

static inline void look_lanes( const ds_seabed_plan *plan, ds_seabed_places *places, int lane )
{
	wide north = load_wide( places->north + lane ), east = load_wide( places->east + lane );
	vec width = load( places->footprint + lane ), slope[2];
	width = choose( width > 0, MINIMUM( width, splat( 1e6f ) ), splat( 0 ) );
	vec brightness = sediment( plan, north, east, width, slope ), zero = splat( 0 );
	cover all = { splat( 1 ), { zero, zero, zero }, zero, zero, zero, (mask)zero };
	for ( int32_t k = 0; k < plan->layer_count; ++k )
	{
		add_layer( plan, plan->layers + k, north, east, width, &all );
	}

	vec steep = 1 - all.weight, relief = steep + 2 * all.weight;
	vec3 v = { all.weight * all.normal[0] - slope[0] * relief, all.weight * all.normal[1] - slope[1] * relief,
		steep + all.weight * all.normal[2] };
	v = times( 1 / SQRT( dot( v, v ) + 1e-20f ), v );
	vec3 up = { load( places->up[0] + lane ), load( places->up[1] + lane ), load( places->up[2] + lane ) };
	v = lean( v, up );
	store( places->normal[0] + lane, v.x );
	store( places->normal[1] + lane, v.y );
	store( places->normal[2] + lane, v.z );
	for ( int k = 0; k < 3; ++k )
	{
		vec nodules = all.brightness * (float)plan->look.nodule_color[k];
		vec color = all.free * brightness * (float)plan->look.color[k] + nodules;
		store( places->color[k] + lane, MINIMUM( color, splat( 1 ) ) );
	}
	memcpy( places->instance + lane, &all.instance, sizeof( all.instance ) );
}

static void look( const ds_seabed_plan *plan, int count, ds_seabed_places *places )
{
	for ( int lane = 0; lane < count; lane += WIDTH )
	{
		look_lanes( plan, places, lane );
	}
}
