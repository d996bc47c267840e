// The inner loop over faces in waves: goes after faces_loop.h, whose helpers it uses.

#include "hydro/faces_waves_kernel.h"

// The sea, in all lanes.
typedef struct sea
{
	const ds_wave_field *field;
	vec3 north, east, down;
	vec3 origin; // of the faces: north and east of the field's centre; height above the mean surface
	vec center; // -s' of the field's centre
	vec depth; // of the water
	vec layer; // that stretches with the surface
} sea;

// Least of two.
static inline vec least( vec a, vec b )
{
	return SELECT( GREATER( a, b ), b, a );
}

// Place in the field of a point r of the body, with the elevation over it and its height.
typedef struct spot
{
	vec x, y, s;
	vec elevation, height;
} spot;

static inline void place( const sea *w, vec3 r, spot *p )
{
	p->x = w->origin.x + dot( w->north, r );
	p->y = w->origin.y + dot( w->east, r );
	p->height = w->origin.z - dot( w->down, r );
}

// Stretching, as ds_wave_stretch.
static inline void stretch( const sea *w, vec elevation, spot *p )
{
	p->elevation = elevation;
	const vec bottom = SPLAT( 0 ) - w->layer, bed = SPLAT( 0 ) - w->depth;
	vec reach = w->layer + elevation, tenth = SPLAT( 0.1 ) * w->layer;
	vec s = ( p->height - elevation ) * ( w->layer / SELECT( GREATER( reach, tenth ), reach, tenth ) );
	s = SELECT( GREATER( p->height, bottom ), s, p->height );
	s = SELECT( GREATER( s, bed ), s, bed );
	p->s = least( s, SPLAT( 0 ) ) + w->center;
}

// The elevation at one point; at three points at once: chains of operations that do not wait for each other.
static inline vec elevation_at( const ds_wave_field *f, const spot *a )
{
	const double *term = f->elevation;
	vec sum = SPLAT( 0 );
	for ( int32_t m = f->degree; m >= 0; --m )
	{
		vec row = SPLAT( *term++ );
		for ( int32_t l = f->degree - m; l > 0; --l )
		{
			row = row * a->y + SPLAT( *term++ );
		}
		sum = sum * a->x + row;
	}
	return sum;
}

static inline vec3 elevations_at( const ds_wave_field *f, const spot *a, const spot *b, const spot *c )
{
	const double *term = f->elevation;
	vec3 sum = { SPLAT( 0 ), SPLAT( 0 ), SPLAT( 0 ) };
	for ( int32_t m = f->degree; m >= 0; --m )
	{
		vec t = SPLAT( *term++ );
		vec3 row = { t, t, t };
		for ( int32_t l = f->degree - m; l > 0; --l )
		{
			t = SPLAT( *term++ );
			row.x = row.x * a->y + t;
			row.y = row.y * b->y + t;
			row.z = row.z * c->y + t;
		}
		sum.x = sum.x * a->x + row.x;
		sum.y = sum.y * b->x + row.y;
		sum.z = sum.z * c->x + row.z;
	}
	return sum;
}

// The head at three points at once.
static inline vec3 head_at( const ds_wave_field *f, const spot *a, const spot *b, const spot *c )
{
	const double *term = f->head;
	const vec zero = SPLAT( 0 );
	vec3 sum = { zero, zero, zero };
	for ( int32_t m = f->degree; m >= 0; --m )
	{
		vec3 row = { zero, zero, zero };
		for ( int32_t l = f->degree - m; l >= 0; --l )
		{
			vec t = SPLAT( *term++ );
			vec3 column = { t, t, t };
			for ( int32_t q = f->degree - m - l; q > 0; --q )
			{
				t = SPLAT( *term++ );
				column.x = column.x * a->s + t;
				column.y = column.y * b->s + t;
				column.z = column.z * c->s + t;
			}
			row.x = row.x * a->y + column.x;
			row.y = row.y * b->y + column.y;
			row.z = row.z * c->y + column.z;
		}
		sum.x = sum.x * a->x + row.x;
		sum.y = sum.y * b->x + row.y;
		sum.z = sum.z * c->x + row.z;
	}
	return sum;
}

// Velocity of the waves, world axes.
static inline vec3 flow_at( const ds_wave_field *f, const spot *p )
{
	const int32_t degree = f->degree - 1;
	const vec zero = SPLAT( 0 );
	vec3 sum = { zero, zero, zero };
	int32_t i = 0;
	for ( int32_t m = degree; m >= 0; --m )
	{
		vec3 row = { zero, zero, zero };
		for ( int32_t l = degree - m; l >= 0; --l )
		{
			vec3 column = { SPLAT( f->velocity[0][i] ), SPLAT( f->velocity[1][i] ), SPLAT( f->velocity[2][i] ) };
			++i;
			for ( int32_t q = degree - m - l; q > 0; --q, ++i )
			{
				column.x = column.x * p->s + SPLAT( f->velocity[0][i] );
				column.y = column.y * p->s + SPLAT( f->velocity[1][i] );
				column.z = column.z * p->s + SPLAT( f->velocity[2][i] );
			}
			row = add( scale( p->y, row ), column );
		}
		sum = add( scale( p->x, sum ), row );
	}
	return sum;
}

// Running sums of the waves' own.
typedef struct wave_sums
{
	vec3 flow, flow_moment;
	vec volume;
} wave_sums;

static inline wave_sums load_wave_sums( const ds_wave_sums *s, int lane )
{
	wave_sums r = { load3( s->lane + DS_WAVE_SUM_FLOW, lane ), load3( s->lane + DS_WAVE_SUM_FLOW_MOMENT, lane ),
		LOAD( s->lane[DS_WAVE_SUM_VOLUME] + lane ) };
	return r;
}

static inline void add_waves( const ds_face_block *b, int lane, const motion *m, const sea *w,
	const ds_wave_faces *given, const wet *part, sums *r, wave_sums *e )
{
	vec3 n = load3( b->normal, lane );
	vec area = LOAD( b->area + lane ), down = dot( m->down, n );
	r->area = r->area + area * part->weight;
	r->squared = r->squared + area * part->squared * down;
	r->pressure = mad( r->pressure, area * part->pressure, n );
	r->pressure_moment = mad( r->pressure_moment, area, cross( part->moment, n ) );

	spot p;
	place( w, part->center, &p );
	stretch( w, elevation_at( w->field, &p ), &p );
	e->volume = e->volume + area * part->weight * ( p.elevation - p.height ) * down;
	if ( !given->drag )
	{
		return;
	}
	vec3 flow = sub( flow_at( w->field, &p ), splat3( given->orbital ) );
	vec3 u = mad( mad( scale( flow.x, w->north ), flow.y, w->east ), flow.z, w->down );
	vec d = dot( m->down, part->center );
	vec3 slope = mad( splat3( given->shear[1] ), d, splat3( given->shear[2] ) );
	u = sub( u, mad( splat3( given->shear[0] ), d, slope ) );
	motion relative = *m;
	relative.velocity = sub( m->velocity, u );
	vec s, g;
	face_drag( b, lane, &relative, part->center, n, &s, &g );
	g = part->weight * g;
	s = part->weight * s;
	r->skin = mad( r->skin, g, n );
	r->skin_moment = mad( r->skin_moment, g, cross( part->center, n ) );
	add_secant( r, s, part->center );
	vec3 su = scale( s, u );
	e->flow = add( e->flow, su );
	e->flow_moment = add( e->flow_moment, cross( part->center, su ) );
}

// What of a face is wet: the head at its corners, linear between them.
static inline wet wet_part( const ds_face_block *b, const ds_edge_block *edge, int lane, const motion *m, const sea *w,
	bool surface, bool whole )
{
	const vec third = SPLAT( 1.0 / 3 );
	vec3 c = load3( b->center, lane ), e1 = load3( edge->edge1, lane ), e2 = load3( edge->edge2, lane );
	vec3 first = mad( c, SPLAT( -1.0 / 3 ), add( e1, e2 ) );
	spot p0, p1, p2;
	place( w, first, &p0 );
	place( w, add( first, e1 ), &p1 );
	place( w, add( first, e2 ), &p2 );
	vec3 elevation = elevations_at( w->field, &p0, &p1, &p2 );
	stretch( w, elevation.x, &p0 );
	stretch( w, elevation.y, &p1 );
	stretch( w, elevation.z, &p2 );
	vec3 head = head_at( w->field, &p0, &p1, &p2 );
	vec depth = third * ( head.x + head.y + head.z ), a = head.y - head.x, d = head.z - head.x;
	if ( surface )
	{
		depth = depth + ( m->depth + dot( m->down, c ) );
		a = a + dot( m->down, e1 );
		d = d + dot( m->down, e2 );
	}
	if ( whole )
	{
		return whole_face( c, e1, e2, a, d, depth );
	}
	cut k = find_cut( e1, e2, a, d, depth );
	return cut_face( c, e1, e2, a, d, depth, &k );
}

static void waves( const ds_face_block *blocks, const ds_edge_block *edges, const ds_face_bound *bounds, int64_t count,
	const ds_face_motion *given, const ds_wave_faces *faces, ds_wave_sums *total )
{
	const ds_wave_field *f = faces->field;
	motion m = splat_motion( given );
	sea w = { f, splat3( faces->north ), splat3( faces->east ), m.down,
		{ SPLAT( faces->x ), SPLAT( faces->y ), SPLAT( -faces->depth ) }, SPLAT( f->center.z ), SPLAT( f->depth ),
		SPLAT( f->layer ) };
	for ( int64_t i = 0; i < count; ++i )
	{
		// depth of the block under the mean surface
		const ds_face_bound *o = bounds + i;
		double z = faces->depth + ( given->down.x * o->x + given->down.y * o->y + given->down.z * o->z );
		if ( faces->cut && z + f->high <= -o->radius )
		{
			continue;
		}
		bool whole = !faces->cut || z + f->low >= o->radius;
		for ( int lane = 0; lane < DS_FACE_LANES; lane += WIDTH )
		{
			sums r = load_sums( &total->faces, lane );
			wave_sums e = load_wave_sums( total, lane );
			wet part = wet_part( blocks + i, edges + i, lane, &m, &w, faces->cut, whole );
			add_waves( blocks + i, lane, &m, &w, faces, &part, &r, &e );
			store_sums( &total->faces, lane, &r );
			store3( total->lane + DS_WAVE_SUM_FLOW, lane, e.flow );
			store3( total->lane + DS_WAVE_SUM_FLOW_MOMENT, lane, e.flow_moment );
			STORE( total->lane[DS_WAVE_SUM_VOLUME] + lane, e.volume );
		}
	}
}
