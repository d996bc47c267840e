// Winding: a flood over shared edges winds each component alike; signed volumes say which components face inward.
//
// An inward component that lies in another one is a cavity, and is left as it is. An inward component that lies in no other
// one was exported inside out: it is turned, together with all that lies in it, so that its cavities stay cavities.

#include "io/mesh_internal.h"

#include <string.h>

typedef struct component
{
	int64_t start, count; // in winding.order
	int64_t flipped;
	bool twisted; // cannot be wound alike (one-sided, as a Moebius strip)
	bool turn;
	double volume, least; // signed; `least`: what rounding can make of 0
	ds_vec3 lower, upper;
} component;

typedef struct winding
{
	int32_t *order; // faces, component by component
	int32_t *part; // component of each face, -1 before it is known
	uint8_t *flip; // of each face: 1 if it is to be turned
	component *components;
	int64_t count;
} winding;

// Numbers the components and finds the faces that run against the first face of theirs. Twisted ones get a mark.
static void flood( const ds_soup *soup, const ds_edges *edges, winding *w, uint8_t *twisted )
{
	const int32_t *t = soup->triangles;
	int64_t filled = 0;
	memset( w->part, 0xFF, (size_t)soup->face_count * sizeof( *w->part ) );
	for ( int64_t seed = 0; seed < soup->face_count; ++seed )
	{
		if ( w->part[seed] >= 0 )
		{
			continue;
		}
		int32_t number = (int32_t)w->count++;
		w->part[seed] = number;
		int64_t next = filled;
		w->order[filled++] = (int32_t)seed;
		for ( ; next < filled; ++next )
		{
			int32_t f = w->order[next];
			for ( int32_t h = 3 * f; h < 3 * f + 3; ++h )
			{
				int32_t m = edges->mate[h];
				if ( m < 0 )
				{
					continue;
				}
				int32_t g = m / 3;
				bool against = ds_edge_start( t, h ) == ds_edge_start( t, m );
				uint8_t flip = w->flip[f] ^ (uint8_t)against;
				if ( w->part[g] < 0 )
				{
					w->part[g] = number;
					w->flip[g] = flip;
					w->order[filled++] = g;
				}
				else if ( w->flip[g] != flip )
				{
					twisted[w->order[next]] = 1;
				}
			}
		}
	}
}

static void corners_of( const ds_soup *soup, const winding *w, int32_t f, ds_vec3 p[3] )
{
	const int32_t *t = soup->triangles + 3 * (int64_t)f;
	p[0] = soup->vertices[t[0]];
	p[1] = soup->vertices[t[w->flip[f] ? 2 : 1]];
	p[2] = soup->vertices[t[w->flip[f] ? 1 : 2]];
}

// Signed volume and bounds of a component, about one of its own corners.
static void measure_component( const ds_soup *soup, const winding *w, component *c )
{
	ds_vec3 origin = soup->vertices[soup->triangles[3 * (int64_t)w->order[c->start]]];
	double six_volumes = 0, twice_area = 0;
	c->lower = c->upper = origin;
	for ( int64_t i = c->start; i < c->start + c->count; ++i )
	{
		ds_vec3 p[3];
		corners_of( soup, w, w->order[i], p );
		for ( int k = 0; k < 3; ++k )
		{
			ds_extend_bounds( &c->lower, &c->upper, p[k] );
			p[k] = ds_sub( p[k], origin );
		}
		ds_vec3 normal = ds_cross( ds_sub( p[1], p[0] ), ds_sub( p[2], p[0] ) );
		six_volumes += ds_dot( p[0], normal );
		twice_area += ds_length( normal );
	}
	c->volume = six_volumes / 6;
	c->least = 1e-13 * twice_area * ds_length( ds_sub( c->upper, c->lower ) );
}

static void number_components( const ds_soup *soup, winding *w, const uint8_t *twisted )
{
	for ( int64_t i = 0, number = -1; i < soup->face_count; ++i )
	{
		int32_t f = w->order[i];
		if ( w->part[f] != number )
		{
			number = w->part[f];
			w->components[number].start = i;
		}
		component *c = w->components + number;
		++c->count;
		c->flipped += w->flip[f];
		c->twisted |= twisted[f];
	}
}

// The lesser part of a component gives way; what is twisted stays as it is.
static void settle_flips( winding *w )
{
	for ( int64_t n = 0; n < w->count; ++n )
	{
		component *c = w->components + n;
		bool most = 2 * c->flipped > c->count;
		for ( int64_t i = c->start; i < c->start + c->count && ( most || c->twisted ); ++i )
		{
			uint8_t *flip = w->flip + w->order[i];
			*flip = c->twisted ? 0 : !*flip;
		}
	}
}

// How often a component's surface goes around a point: 1 or -1 inside, 0 outside. Solid angles of its faces
// (van Oosterom & Strackee 1983) over 4 pi.
static double winding_number( const ds_soup *soup, const winding *w, const component *c, ds_vec3 point )
{
	double sum = 0;
	for ( int64_t i = c->start; i < c->start + c->count; ++i )
	{
		ds_vec3 p[3];
		corners_of( soup, w, w->order[i], p );
		ds_vec3 a = ds_sub( p[0], point ), b = ds_sub( p[1], point ), d = ds_sub( p[2], point );
		double la = ds_length( a ), lb = ds_length( b ), ld = ds_length( d );
		double y = ds_dot( a, ds_cross( b, d ) );
		double x = la * lb * ld + ds_dot( a, b ) * ld + ds_dot( b, d ) * la + ds_dot( d, a ) * lb;
		sum += 2 * atan2( y, x );
	}
	return sum / ( 4 * DS_PI );
}

// Does `inner` lie in `outer`? Judged by the middles of four of its faces.
static ds_status lies_in(
	const ds_soup *soup, const winding *w, const component *inner, const component *outer, bool *inside )
{
	*inside = false;
	if ( inner == outer || inner->lower.x < outer->lower.x || inner->lower.y < outer->lower.y ||
		 inner->lower.z < outer->lower.z || inner->upper.x > outer->upper.x || inner->upper.y > outer->upper.y ||
		 inner->upper.z > outer->upper.z )
	{
		return DS_OK;
	}
	DS_TRY( ds_soup_check_time( soup ) );
	for ( int64_t k = 0; k < 4; ++k )
	{
		ds_vec3 p[3];
		corners_of( soup, w, w->order[inner->start + k * ( inner->count - 1 ) / 3], p );
		ds_vec3 middle = ds_scale( 1.0 / 3, ds_add( p[0], ds_add( p[1], p[2] ) ) );
		if ( fabs( winding_number( soup, w, outer, middle ) ) < 0.75 )
		{
			return DS_OK;
		}
	}
	*inside = true;
	return DS_OK;
}

// Marks the components that have to be turned, and counts the outermost of them.
static ds_status mark_inward( const ds_soup *soup, winding *w, int64_t *inward )
{
	*inward = 0;
	for ( int64_t n = 0; n < w->count; ++n )
	{
		component *c = w->components + n;
		bool nested = false;
		if ( n % 64 == 0 )
		{
			DS_TRY( ds_soup_check_time( soup ) );
		}
		for ( int64_t k = 0; k < w->count && c->volume < -c->least && !nested; ++k )
		{
			DS_TRY( lies_in( soup, w, c, w->components + k, &nested ) );
		}
		if ( c->volume >= -c->least || nested )
		{
			continue;
		}
		++*inward;
		c->turn = true;
		for ( int64_t k = 0; k < w->count; ++k )
		{
			bool inside;
			DS_TRY( lies_in( soup, w, w->components + k, c, &inside ) );
			w->components[k].turn |= inside;
		}
	}
	return DS_OK;
}

static ds_status turn_inward( const ds_soup *soup, winding *w )
{
	for ( int64_t n = 0; n < w->count; ++n )
	{
		measure_component( soup, w, w->components + n );
	}
	int64_t inward;
	DS_TRY( mark_inward( soup, w, &inward ) );
	if ( inward > 0 && !soup->options->repair_winding )
	{
		return ds_error( DS_ERROR_MESH_WINDING,
			"%s: the faces of %lld of %lld parts point inward; turn them, or read it with repair_winding", soup->name,
			(long long)inward, (long long)w->count );
	}
	for ( int64_t i = 0; i < soup->face_count && inward > 0; ++i )
	{
		w->flip[i] ^= (uint8_t)w->components[w->part[i]].turn;
	}
	return DS_OK;
}

static ds_status mixed_error( const ds_soup *soup, const ds_edges *edges, const char *remedy )
{
	ds_vec3 a = soup->vertices[ds_edge_start( soup->triangles, edges->mixed_example )];
	ds_vec3 b = soup->vertices[ds_edge_end( soup->triangles, edges->mixed_example )];
	return ds_error( DS_ERROR_MESH_WINDING,
		"%s: %lld edges have faces that are wound against each other, such as the one from (%g, %g, %g) to "
		"(%g, %g, %g); %s",
		soup->name, (long long)edges->mixed, a.x, a.y, a.z, b.x, b.y, b.z, remedy );
}

static ds_status orient( ds_soup *soup, const ds_edges *edges, winding *w, uint8_t *twisted )
{
	bool closed = edges->open == 0 && edges->non_manifold == 0;
	flood( soup, edges, w, twisted );
	DS_TRY( DS_NEW( soup->allocator, w->count, &w->components ) );
	number_components( soup, w, twisted );
	soup->report->components = w->count;
	bool must = soup->options->topology == DS_MESH_CLOSED;
	if ( edges->mixed > 0 && !soup->options->repair_winding )
	{
		memset( w->flip, 0, (size_t)soup->face_count );
		return must ? mixed_error( soup, edges, "wind them alike, or read it with repair_winding" ) : DS_OK;
	}
	bool any_twisted = false;
	for ( int64_t n = 0; n < w->count; ++n )
	{
		any_twisted |= w->components[n].twisted;
	}
	if ( any_twisted && must )
	{
		return mixed_error( soup, edges, "they cannot be wound alike, for the surface has one side only" );
	}
	settle_flips( w );
	return closed && !any_twisted ? turn_inward( soup, w ) : DS_OK;
}

// A face that is turned twice is not turned.
static void count_turned( ds_soup *soup, const uint8_t *flip, int64_t turned )
{
	if ( soup->turned == NULL || turned == 0 )
	{
		soup->report->faces_turned += turned;
		return;
	}
	soup->report->faces_turned = 0;
	for ( int64_t f = 0; f < soup->turned_count; ++f )
	{
		soup->turned[f] ^= flip[f];
		soup->report->faces_turned += soup->turned[f];
	}
}

ds_status ds_soup_orient( ds_soup *soup, const ds_edges *edges, int64_t *turned )
{
	*turned = 0;
	winding w = { NULL, NULL, NULL, NULL, 0 };
	uint8_t *twisted = NULL;
	const ds_allocator *allocator = soup->allocator;
	ds_status status = DS_NEW( allocator, soup->face_count, &w.order );
	status = status == DS_OK ? DS_NEW( allocator, soup->face_count, &w.part ) : status;
	status = status == DS_OK ? DS_NEW( allocator, soup->face_count, &w.flip ) : status;
	status = status == DS_OK ? DS_NEW( allocator, soup->face_count, &twisted ) : status;
	status = status == DS_OK ? orient( soup, edges, &w, twisted ) : status;
	for ( int64_t f = 0; f < soup->face_count && status == DS_OK; ++f )
	{
		if ( w.flip[f] )
		{
			int32_t *t = soup->triangles + 3 * f, second = t[1];
			t[1] = t[2];
			t[2] = second;
			++*turned;
		}
	}
	count_turned( soup, w.flip, status == DS_OK ? *turned : 0 );
	DS_FREE( allocator, w.components, w.count );
	DS_FREE( allocator, twisted, soup->face_count );
	DS_FREE( allocator, w.flip, soup->face_count );
	DS_FREE( allocator, w.part, soup->face_count );
	DS_FREE( allocator, w.order, soup->face_count );
	return status;
}
