// A place of the seabed: noise, and the nodules that may lie there.

#include "optics/seabed_look.h"

#include "deepsim/math.h"

#include <string.h>

#define X_STEP 0x9E3779B1u // odd, far from short multiples of each other
#define Y_STEP 0x85EBCA77u
#define MIX    0x7FEB352Du

// Hashes by multiply and shift: 32 bits (the multipliers are those of C. Wellons 2018, "lowbias32"), and 64 bits (G. Steele et al.
// 2014, "SplitMix").
static inline uint32_t mix32( uint32_t h )
{
	h = ( h ^ h >> 16 ) * 0x7FEB352Du;
	h = ( h ^ h >> 15 ) * 0x846CA68Bu;
	return h ^ h >> 16;
}

static inline uint64_t mix64( uint64_t h )
{
	h = ( h ^ h >> 30 ) * 0xBF58476D1CE4E5B9u;
	h = ( h ^ h >> 27 ) * 0x94D049BB133111EBu;
	return h ^ h >> 31;
}

// Splits a coordinate in cells into the cell's number, cut to 32 bits, and the place in it.
static inline uint32_t split( double x, float *part )
{
	int64_t cell = (int64_t)x;
	cell -= x < (double)cell;
	*part = (float)( x - (double)cell );
	return (uint32_t)cell;
}

// A number in [-1, 1).
static inline float at_corner( uint32_t h )
{
	return (float)(int32_t)( ( h ^ h >> 15 ) * 0x846CA68Bu ) * ( 1.0f / 2147483648.0f );
}

// Value and slopes (a cell as the unit of length) of one octave.
static inline void noise( uint32_t seed, double x, double y, float out[3] )
{
	float tx, ty;
	uint32_t h = split( x, &tx ) * ( X_STEP * MIX ) + split( y, &ty ) * ( Y_STEP * MIX ) + seed;
	float a = at_corner( h ), b = at_corner( h + X_STEP * MIX );
	float c = at_corner( h + Y_STEP * MIX ), d = at_corner( h + X_STEP * MIX + Y_STEP * MIX );
	float sx = tx * tx * ( 3 - 2 * tx ), sy = ty * ty * ( 3 - 2 * ty );
	float low = a + sx * ( b - a ), high = c + sx * ( d - c );
	out[0] = low + sy * ( high - low );
	out[1] = 6 * tx * ( 1 - tx ) * ( ( b - a ) + sy * ( ( d - c ) - ( b - a ) ) );
	out[2] = 6 * ty * ( 1 - ty ) * ( high - low );
}

// How much of a detail of this size (given as 1 / size) is left when a pixel sees `footprint`: all up to a quarter of it, none from its
// whole on.
static inline float fade( float inverse, float footprint )
{
	float t = ( 1 - footprint * inverse ) * ( 4.0f / 3 );
	return t < 0 ? 0 : t > 1 ? 1 : t;
}

// Relative brightness of the sediment, and slopes upward to the north and the east.
static float sediment( const ds_seabed_plan *plan, double north, double east, float footprint, float slope[2] )
{
	float brightness = 1;
	slope[0] = slope[1] = 0;
	for ( int k = 0; k < DS_SEABED_OCTAVES; ++k )
	{
		const ds_seabed_octave *o = plan->octaves + k;
		float left = fade( o->inverse, footprint ), n[3];
		if ( left <= 0 )
		{
			break; // those that follow are smaller
		}
		noise( o->seed, o->cosine * north + o->sine * east + o->start[0],
			o->cosine * east - o->sine * north + o->start[1], n );
		brightness += left * o->mottle * n[0];
		slope[0] += left * ( o->slope[0] * n[1] - o->slope[1] * n[2] );
		slope[1] += left * ( o->slope[1] * n[1] + o->slope[0] * n[2] );
	}
	return brightness > 0.05f ? brightness : 0.05f;
}

// ---- nodules -------------------------------------------------------------------------------------------------------

// The nodule of the cell that a place lies in, as far as it takes to see whether the place is near it.
typedef struct candidate
{
	float dx, dy, radius; // from its centre along the grid, and its size [m]
	uint64_t bits; // random
	bool near;
} candidate;

// What a layer has at a place.
typedef struct nodule
{
	float inside; // 0 to 1, softened by the footprint
	float normal[3]; // north, east, up
	float brightness;
	float height; // over the sediment [m]
	bool under; // the place itself is under it
} nodule;

// The area within r^2 + lobes r^3 cos( 3 angle ) = 1, over pi: a series, whose second term is by a fit up to 0.22.
static inline float area_scale( float lobes )
{
	float square = lobes * lobes;
	return 1 + square * ( 0.75f + 2.2f * square );
}

static inline candidate find_candidate( const ds_seabed_layer *layer, double north, double east, float footprint )
{
	double x = layer->cosine * north + layer->sine * east,
		   y = layer->cosine * east - layer->sine * north + layer->start;
	candidate c;
	float tx, ty;
	uint32_t row = split( y, &ty );
	x += at_corner( row * Y_STEP + layer->seed );
	uint32_t column = split( x, &tx );
	c.bits = mix64( ( (uint64_t)column << 32 | row ) + layer->seed * UINT64_C( 0x9E3779B97F4A7C15 ) );
	float quantile = (float)(int32_t)( c.bits >> 16 & 0xFFFFu ) * ( DS_SEABED_SIZES / 65536.0f );
	int32_t q = (int32_t)quantile;
	c.radius = layer->radii[q] + ( quantile - (float)q ) * ( layer->radii[q + 1] - layer->radii[q] );
	float reach = c.radius * layer->stretch, room = layer->cell - 2 * reach;
	room = room > 0 ? room : 0;
	c.dx =
		( tx - 0.5f ) * layer->cell - ( (float)(int32_t)( c.bits >> 32 & 0xFFFFu ) * ( 1 / 65536.0f ) - 0.5f ) * room;
	c.dy = ( ty - 0.5f ) * layer->cell - ( (float)(int32_t)( c.bits >> 48 ) * ( 1 / 65536.0f ) - 0.5f ) * room;
	reach += 0.5f * ( footprint < layer->diameter ? footprint : layer->diameter );
	c.near = ( ( c.bits & 0xFFFFu ) < layer->occupied ) & ( c.dx * c.dx + c.dy * c.dy < reach * reach );
	return c;
}

// Its outline there, and its shape. False if nothing of it is seen.
static bool shape_nodule(
	const ds_seabed_plan *plan, const ds_seabed_layer *layer, const candidate *c, float footprint, nodule *out )
{
	// a stretched circle with lobes, turned
	uint32_t shape = mix32( (uint32_t)( c->bits >> 24 ) );
	float irregular = layer->irregular * (float)(int32_t)( shape >> 26 ) * ( 1 / 63.0f );
	float lobes = (float)DS_NODULE_LOBES * irregular, aspect = 1 + (float)( DS_NODULE_ASPECT - 1 ) * irregular;
	const float *turn = plan->directions[shape & 63], *lobe = plan->directions[shape >> 6 & 63];
	float scale = sqrtf( area_scale( lobes ) / aspect ) / c->radius;
	float u = ( turn[0] * c->dx + turn[1] * c->dy ) * scale, v = ( turn[0] * c->dy - turn[1] * c->dx ) * scale * aspect;
	float f = u * u + v * v + lobes * ( lobe[0] * u * ( u * u - 3 * v * v ) + lobe[1] * v * ( 3 * u * u - v * v ) );
	f = f > 0 ? f : 0;
	out->under = f < 1;
	out->inside = footprint > 0 ? 0.5f + ( 1 - sqrtf( f ) ) * c->radius / footprint : f < 1 ? 1.0f : 0.0f;
	out->inside = out->inside > 1 ? 1 : out->inside;
	if ( out->inside <= 0 )
	{
		return false;
	}

	// half an ellipsoid, 0.35 diameters high from its widest part, cut where the sediment begins
	float rim2 = plan->rim * plan->rim, up = sqrtf( 1 - rim2 * ( f < 1 ? f : 1 ) ), flat = 0.7f * c->radius / plan->rim;
	float gu = 2 * u + 3 * lobes * ( lobe[0] * ( u * u - v * v ) + 2 * lobe[1] * u * v );
	float gv = 2 * v + 3 * lobes * ( lobe[1] * ( u * u - v * v ) - 2 * lobe[0] * u * v );
	gu *= 0.5f * rim2 * scale * flat;
	gv *= 0.5f * rim2 * scale * aspect * flat;
	out->height = flat * ( up - sqrtf( 1 - rim2 ) );

	// from the axes of the outline to those of the grid to north and east
	float gx = turn[0] * gu - turn[1] * gv, gy = turn[1] * gu + turn[0] * gv;
	out->normal[0] = layer->turn[0] * gx - layer->turn[1] * gy;
	out->normal[1] = layer->turn[1] * gx + layer->turn[0] * gy;
	out->normal[2] = up;
	out->brightness = 0.75f + (float)(int32_t)( shape >> 12 & 255 ) * ( 0.5f / 255 );
	return true;
}

static int32_t number_of( const candidate *c )
{
	int32_t number = (int32_t)( mix32( (uint32_t)( c->bits >> 16 ) ^ (uint32_t)( c->bits << 16 ) ) >> 9 );
	return number ? number : 1;
}

// What is seen of all layers.
typedef struct cover
{
	float free; // share of the pixel that is sediment
	float normal[3], weight; // of nodules that are seen as such
	float brightness; // sum of shares times brightness of nodules
	float highest;
	int32_t instance;
} cover;

static void add_layer(
	const ds_seabed_plan *plan, const ds_seabed_layer *layer, const candidate *c, float footprint, cover *all )
{
	float left = fade( layer->inverse, footprint ), mean = ( 1 - left ) * layer->cover;
	float share = mean, brightness = 1;
	bool over = false;
	nodule found;
	if ( c->near && shape_nodule( plan, layer, c, left > 0 ? footprint : 0, &found ) )
	{
		// the higher one hides the other
		over = found.height >= all->highest;
		float seen = left * found.inside;
		share += seen;
		brightness = share > 0 ? ( mean + seen * found.brightness ) / share : 1;
		if ( over && seen > 0 )
		{
			memcpy( all->normal, found.normal, sizeof( all->normal ) );
			all->weight = seen;
		}
		all->instance = over && found.under ? number_of( c ) : all->instance;
		all->highest = over ? found.height : all->highest;
	}
	all->brightness =
		over ? all->brightness * ( 1 - share ) + brightness * share : all->brightness + all->free * brightness * share;
	all->free *= 1 - share;
}

// Turns (north, east, up) as it is on level ground into the frame of a ground with the unit normal n: by the shortest way.
static void lean( const float v[3], ds_vec3 n, float out[3] )
{
	float nx = (float)n.x, ny = (float)n.y, nz = (float)n.z, up = 1 - nz;
	float p[3] = { v[0], v[1], -v[2] };
	if ( up < 1e-3f )
	{
		out[0] = -p[0];
		out[1] = p[1];
		out[2] = -p[2]; // upside down
		return;
	}
	float w[3] = { ny, -nx, 0 }; // (0, 0, -1) x n
	float c[3] = { w[1] * p[2], -w[0] * p[2], w[0] * p[1] - w[1] * p[0] };
	float d[3] = { w[1] * c[2], -w[0] * c[2], w[0] * c[1] - w[1] * c[0] };
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = p[k] + c[k] + d[k] / up;
	}
}

void ds_seabed_plan_at( const ds_seabed_plan *plan, double north, double east, ds_vec3 normal, double footprint,
	ds_surface *surface, int32_t *instance )
{
	const ds_seabed_look *look = &plan->look;
	north = fabs( north ) < 1e8 ? north : 0;
	east = fabs( east ) < 1e8 ? east : 0;
	float width = footprint > 0 ? footprint < 1e6 ? (float)footprint : 1e6f : 0, slope[2];
	float brightness = sediment( plan, north, east, width, slope );
	cover all = { 1, { 0, 0, 0 }, 0, 0, 0, 0 };
	candidate near[DS_SEABED_LAYERS];
	for ( int32_t k = 0; k < plan->layer_count; ++k )
	{
		near[k] = find_candidate( plan->layers + k, north, east, width );
	}
	for ( int32_t k = 0; k < plan->layer_count; ++k )
	{
		add_layer( plan, plan->layers + k, near + k, width, &all );
	}

	float steep = 1 - all.weight, v[3];
	v[0] = -slope[0] * ( steep + 2 * all.weight ) + all.weight * all.normal[0];
	v[1] = -slope[1] * ( steep + 2 * all.weight ) + all.weight * all.normal[1];
	v[2] = steep + all.weight * all.normal[2];
	float scale = 1 / sqrtf( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 1e-20f );
	v[0] *= scale;
	v[1] *= scale;
	v[2] *= scale;
	lean( v, normal, surface->normal );
	for ( int k = 0; k < 3; ++k )
	{
		float nodules = all.brightness * (float)look->nodule_color[k];
		float color = all.free * brightness * (float)look->color[k] + nodules;
		surface->color[k] = color < 1 ? color : 1;
	}
	surface->metallic = 0;
	surface->roughness = (float)look->roughness;
	*instance = all.instance;
}

void ds_seabed_look_at( const ds_seabed_look *look, double north, double east, ds_vec3 normal, double footprint,
	ds_surface *surface, int32_t *instance )
{
	// a plan is a function of the look alone: keeping this thread's last one changes no result
	static _Thread_local ds_seabed_plan plan;
	static _Thread_local bool made;
	if ( !made || memcmp( &plan.look, look, sizeof( *look ) ) != 0 )
	{
		ds_seabed_plan_make( look, &plan );
		made = true;
	}
	ds_seabed_plan_at( &plan, north, east, normal, footprint, surface, instance );
}
