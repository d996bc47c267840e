// Patches of a mesh on the ground: connected elements that are below it, and the least width of each, clipped at the ground.
//
// Depths are those of the vertices, the greatest that the step may bring. An element belongs to a patch when it faces the ground and a
// corner of it is below; two are connected across a side of which a part is below. The outline's points are the vertices below on
// sides that only one patch element has, and the points where sides cross the ground. Those farthest in 32 directions, on the plane
// across the mean of the ground's normals, make a convex polygon; its least width is that across one of its sides. This is exact for
// outlines of a few corners, and at most 0.5 % low on round ones ( 1 - cos( pi / 32 ) ).
//
// Which elements belong to which patch hangs on bits alone: which vertices are below, and which elements face the ground. While none of
// them changes, the scratch has it still, and only the widths are taken anew.

#include "deepsim/math.h"
#include "terrain/contact_kernel.h"
#include "terrain/contact_mesh_internal.h"
#include "terrain/terrain.h"

#include <string.h>

#define DIRECTIONS DS_OUTLINE_DIRECTIONS
#define CHUNK      64

// A patch that is no wider than this counts as this wide [m].
#define LEAST_WIDTH 1e-3

#define NO_PATCH  ( -1 )
#define UNVISITED ( -2 )

// In the scratch: this, then arrays.
typedef struct head
{
	int32_t count; // of patches
	int32_t filled; // 2: patches; 1: `patch` holds -1 alone; 0: nothing yet
} head;

// Where the elements of a patch end in the queue, and its outline's sides in `rim`.
typedef struct ends
{
	int32_t queue, rim;
} ends;

// Views into a scratch.
typedef struct desk
{
	head *head;
	double *width; // of elements
	double *depth; // of vertices: the greatest of the step
	double *normal[3]; // of the ground, into it, body axes
	int32_t *patch; // of elements
	int32_t *queue; // elements, patch by patch
	int32_t *rim; // sides of patches that the outline runs along or crosses: 4 element + side
	ends *ends; // of patches
	uint8_t *below, *facing; // bits of vertices, of elements
	bool plane; // the ground is: `down` is its only normal
	ds_vec3 down;
} desk;

static size_t round_up( size_t size )
{
	return ( size + 63 ) / 64 * 64;
}

// Lays out a scratch (NULL: nowhere); its size.
static size_t lay_out( const ds_contact_mesh *m, void *scratch, desk *d )
{
	const size_t elements = (size_t)m->count, vertices = (size_t)m->vertex_count;
	char *const start = scratch;
	size_t at = 64;
#define ROOM( view, count )                                                                                            \
	( d->view = start != NULL ? (void *)( start + at ) : NULL, at += round_up( ( count ) * sizeof( *d->view ) ) )
	d->head = scratch;
	ROOM( width, elements );
	ROOM( depth, vertices );
	ROOM( normal[0], vertices );
	ROOM( normal[1], vertices );
	ROOM( normal[2], vertices );
	ROOM( patch, elements );
	ROOM( queue, elements );
	ROOM( rim, 3 * elements );
	ROOM( ends, elements );
	ROOM( below, vertices / 8 + 1 );
	ROOM( facing, elements / 8 + 1 );
#undef ROOM
	d->plane = false;
	d->down = ds_v3( 0, 0, 0 );
	return at;
}

size_t ds_contact_scratch_size( const ds_contact_mesh *m )
{
	desk d;
	return lay_out( m, NULL, &d );
}

// ---- depths ------------------------------------------------------------------------------------------------------

// Whether it changed which vertices are below and which elements face the ground.
static bool sound_plane( const ds_contact_mesh *m, const ds_terrain_point *level, const ds_contact_step *step, desk *d )
{
	const ds_mat3 r = ds_mat3_from_quat( step->pose.attitude );
	const ds_vec3 down = ds_mat3_tmul_vec( &r, ds_scale( -1, level->normal ) );
	const ds_contact_sight sight = { .down = down,
		.below = ( step->pose.position.z - level->z ) * -level->normal.z,
		.lever = ds_scale( step->dt, ds_cross( down, step->velocity.angular ) ),
		.sinks = step->dt * ds_dot( down, step->velocity.linear ) };
	const ds_contact_kernel *kernel = ds_contact_fastest();
	d->plane = true;
	d->down = down;
	const bool vertices =
		kernel->vertices( &sight, m->vertex_count, m->vertex[0], m->vertex[1], m->vertex[2], d->depth, d->below );
	const bool faces = kernel->faces( &sight, m->count, m->nx, m->ny, m->nz, d->facing );
	return vertices || faces;
}

// Sets a bit; whether that changed it.
static bool mark( uint8_t *bits, int32_t i, bool on )
{
	const uint8_t bit = (uint8_t)( 1U << i % 8 );
	const bool was = bits[i / 8] & bit;
	bits[i / 8] = (uint8_t)( on ? bits[i / 8] | bit : bits[i / 8] & ~bit );
	return was != on;
}

// The same over ground of any shape: an element faces it by the mean of its corners.
static bool mark_all( const ds_contact_mesh *m, desk *d )
{
	bool changed = false;
	for ( int32_t i = 0; i < m->vertex_count; ++i )
	{
		changed |= mark( d->below, i, d->depth[i] > 0 );
	}
	for ( int32_t i = 0; i < m->count; ++i )
	{
		double sum = 0;
		for ( int k = 0; k < 3; ++k )
		{
			int32_t c = m->corner[i][k];
			sum += m->nx[i] * d->normal[0][c] + m->ny[i] * d->normal[1][c] + m->nz[i] * d->normal[2][c];
		}
		changed |= mark( d->facing, i, sum / 3 > DS_CONTACT_LEAST_COSINE );
	}
	return changed;
}

// Depths of all vertices. Whether patches are others than those of the scratch may be.
static bool sound( const ds_contact_mesh *m, const ds_ground *ground, const ds_contact_step *step, desk *d )
{
	ds_terrain_point level;
	if ( ds_terrain_see( ground->terrain )->kind == DS_GROUND_PLANE &&
		 ds_terrain_at( ground->terrain, step->pose.position.x, step->pose.position.y, &level ) )
	{
		return sound_plane( m, &level, step, d );
	}
	const ds_mat3 r = ds_mat3_from_quat( step->pose.attitude );
	const ds_vec3 o = step->pose.position;
	double x[CHUNK], y[CHUNK], z[CHUNK], ground_z[CHUNK], nx[CHUNK], ny[CHUNK], nz[CHUNK];
	for ( int32_t first = 0; first < m->vertex_count; first += CHUNK )
	{
		int32_t count = m->vertex_count - first < CHUNK ? m->vertex_count - first : CHUNK;
		const double *vx = m->vertex[0] + first, *vy = m->vertex[1] + first, *vz = m->vertex[2] + first;
		for ( int32_t i = 0; i < count; ++i )
		{
			x[i] = r.m[0][0] * vx[i] + r.m[0][1] * vy[i] + r.m[0][2] * vz[i] + o.x;
			y[i] = r.m[1][0] * vx[i] + r.m[1][1] * vy[i] + r.m[1][2] * vz[i] + o.y;
			z[i] = r.m[2][0] * vx[i] + r.m[2][1] * vy[i] + r.m[2][2] * vz[i] + o.z;
		}
		ds_terrain_at_many( ground->terrain, count, x, y, ground_z, nx, ny, nz );
		for ( int32_t i = 0; i < count; ++i )
		{
			ds_vec3 down = ds_mat3_tmul_vec( &r, ds_v3( -nx[i], -ny[i], -nz[i] ) );
			ds_vec3 v =
				ds_add( step->velocity.linear, ds_cross( step->velocity.angular, ds_v3( vx[i], vy[i], vz[i] ) ) );
			double depth = ( z[i] - ground_z[i] ) * -nz[i] + fmax( ds_dot( v, down ), 0 ) * step->dt;
			d->depth[first + i] = depth > 0 ? depth : ( depth <= 0 ? depth : -1 );
			d->normal[0][first + i] = down.x;
			d->normal[1][first + i] = down.y;
			d->normal[2][first + i] = down.z;
		}
	}
	return mark_all( m, d );
}

// ---- members -----------------------------------------------------------------------------------------------------

static bool marked( const uint8_t *bits, int32_t i )
{
	return bits[i / 8] >> i % 8 & 1;
}

static void find_members( const ds_contact_mesh *m, desk *d )
{
	for ( int32_t i = 0; i < m->count; ++i )
	{
		const int32_t *c = m->corner[i];
		bool below = marked( d->below, c[0] ) || marked( d->below, c[1] ) || marked( d->below, c[2] );
		d->patch[i] = below && marked( d->facing, i ) ? UNVISITED : NO_PATCH;
	}
}

// ---- outline -----------------------------------------------------------------------------------------------------

// An outline, its points a chunk at a time.
typedef struct outline
{
	ds_vec3 u, v; // axes of the plane
	ds_contact_outline farthest;
	int32_t count;
	double x[CHUNK], y[CHUNK];
	const ds_contact_kernel *kernel;
} outline;

static void outline_start( outline *o, ds_vec3 down )
{
	// the first axis lies square to the longest part of `down`
	double ax = fabs( down.x ), ay = fabs( down.y ), az = fabs( down.z );
	ds_vec3 other = az >= ax && az >= ay ? ds_v3( 1, 0, 0 ) : ( ay >= ax ? ds_v3( 0, 0, 1 ) : ds_v3( 0, 1, 0 ) );
	ds_vec3 u = ds_cross( down, other );
	double size = ds_length( u );
	o->u = size > 0 ? ds_scale( 1 / size, u ) : ds_v3( 1, 0, 0 );
	ds_vec3 v = ds_cross( down, o->u );
	size = ds_length( v );
	o->v = size > 0 ? ds_scale( 1 / size, v ) : ds_v3( 0, 1, 0 );
	for ( int i = 0; i < DIRECTIONS; ++i )
	{
		o->farthest.far[i] = -INFINITY;
		o->farthest.x[i] = o->farthest.y[i] = 0;
	}
	o->count = 0;
	o->kernel = ds_contact_fastest();
}

const double ds_contact_compass[2][DS_OUTLINE_DIRECTIONS] = {
	{ 1, 0.98078528040323043, 0.92387953251128674, 0.83146961230254524, 0.70710678118654752, 0.55557023301960218,
		0.38268343236508977, 0.19509032201612825, 0, -0.19509032201612825, -0.38268343236508977, -0.55557023301960218,
		-0.70710678118654752, -0.83146961230254524, -0.92387953251128674, -0.98078528040323043, -1,
		-0.98078528040323043, -0.92387953251128674, -0.83146961230254524, -0.70710678118654752, -0.55557023301960218,
		-0.38268343236508977, -0.19509032201612825, 0, 0.19509032201612825, 0.38268343236508977, 0.55557023301960218,
		0.70710678118654752, 0.83146961230254524, 0.92387953251128674, 0.98078528040323043 },
	{ 0, 0.19509032201612825, 0.38268343236508977, 0.55557023301960218, 0.70710678118654752, 0.83146961230254524,
		0.92387953251128674, 0.98078528040323043, 1, 0.98078528040323043, 0.92387953251128674, 0.83146961230254524,
		0.70710678118654752, 0.55557023301960218, 0.38268343236508977, 0.19509032201612825, 0, -0.19509032201612825,
		-0.38268343236508977, -0.55557023301960218, -0.70710678118654752, -0.83146961230254524, -0.92387953251128674,
		-0.98078528040323043, -1, -0.98078528040323043, -0.92387953251128674, -0.83146961230254524,
		-0.70710678118654752, -0.55557023301960218, -0.38268343236508977, -0.19509032201612825 }
};

static void outline_close( outline *o )
{
	o->kernel->outline( o->count, o->x, o->y, &o->farthest );
	o->count = 0;
}

static void outline_add( outline *o, ds_vec3 p )
{
	o->x[o->count] = ds_dot( p, o->u );
	o->y[o->count] = ds_dot( p, o->v );
	if ( ++o->count == CHUNK )
	{
		outline_close( o );
	}
}

// The farthest points, in order of direction, go round the polygon.
static double outline_width( const ds_contact_outline *o )
{
	double least = INFINITY;
	for ( int i = 0; i < DIRECTIONS; ++i )
	{
		int next = ( i + 1 ) % DIRECTIONS;
		double ex = o->x[next] - o->x[i], ey = o->y[next] - o->y[i], size = sqrt( ex * ex + ey * ey );
		if ( !( size > 1e-9 ) )
		{
			continue;
		}
		double across = 0;
		for ( int k = 0; k < DIRECTIONS; ++k )
		{
			across = fmax( across, fabs( ex * ( o->y[k] - o->y[i] ) - ey * ( o->x[k] - o->x[i] ) ) );
		}
		least = fmin( least, across / size );
	}
	return least < INFINITY ? fmax( least, LEAST_WIDTH ) : LEAST_WIDTH;
}

static ds_vec3 vertex_at( const ds_contact_mesh *m, int32_t i )
{
	return ds_v3( m->vertex[0][i], m->vertex[1][i], m->vertex[2][i] );
}

// ---- patches -----------------------------------------------------------------------------------------------------

// All elements connected with `first`, and the sides of their outline, at the ends of the queue and of `rim`, which move on.
static void spread( const ds_contact_mesh *m, desk *d, int32_t first, int32_t number, ends *end )
{
	int32_t at = end->queue;
	d->queue[end->queue++] = first;
	d->patch[first] = number;
	for ( ; at < end->queue; ++at )
	{
		int32_t i = d->queue[at];
		const int32_t *c = m->corner[i];
		const bool below[3] = { marked( d->below, c[0] ), marked( d->below, c[1] ), marked( d->below, c[2] ) };
		for ( int k = 0; k < 3; ++k )
		{
			int32_t other = m->across[i][k], next = k < 2 ? k + 1 : 0;
			if ( !below[k] && !below[next] )
			{
				continue;
			}
			bool edge = other < 0 || d->patch[other] == NO_PATCH;
			if ( edge || below[k] != below[next] )
			{
				d->rim[end->rim++] = 4 * i + k;
			}
			if ( !edge && d->patch[other] == UNVISITED )
			{
				d->patch[other] = number;
				d->queue[end->queue++] = other;
			}
		}
	}
}

// The mean way into the ground under a patch.
static ds_vec3 patch_down( const ds_contact_mesh *m, const desk *d, int32_t first, int32_t end )
{
	ds_vec3 down = { 0, 0, 0 };
	for ( int32_t at = first; at < end; ++at )
	{
		int32_t c = m->corner[d->queue[at]][0];
		down = ds_add( down, ds_v3( d->normal[0][c], d->normal[1][c], d->normal[2][c] ) );
	}
	return ds_scale( 1.0 / ( end - first ), down );
}

static double patch_width( const ds_contact_mesh *m, const desk *d, ends from, ends to )
{
	outline o;
	outline_start( &o, d->plane ? d->down : patch_down( m, d, from.queue, to.queue ) );
	for ( int32_t at = from.rim; at < to.rim; ++at )
	{
		int32_t i = d->rim[at] / 4, k = d->rim[at] % 4, other = m->across[i][k];
		int32_t a = m->corner[i][k], b = m->corner[i][( k + 1 ) % 3];
		double za = d->depth[a], zb = d->depth[b];
		bool edge = other < 0 || d->patch[other] == NO_PATCH;
		if ( edge && za > 0 )
		{
			outline_add( &o, vertex_at( m, a ) );
		}
		if ( edge && zb > 0 )
		{
			outline_add( &o, vertex_at( m, b ) );
		}
		if ( ( za > 0 ) != ( zb > 0 ) )
		{
			ds_vec3 p = vertex_at( m, a );
			outline_add( &o, ds_mad( p, za / ( za - zb ), ds_sub( vertex_at( m, b ), p ) ) );
		}
	}
	outline_close( &o );
	return outline_width( &o.farthest );
}

static void find_patches( const ds_contact_mesh *m, desk *d )
{
	ends end = { 0, 0 };
	d->head->count = 0;
	for ( int32_t i = 0; i < m->count; ++i )
	{
		// elements that touch without a corner below (a bump under them) are as wide as themselves
		if ( d->patch[i] == NO_PATCH )
		{
			d->width[i] = m->width > 0 ? m->width : sqrt( m->area[i] );
		}
		else if ( d->patch[i] == UNVISITED )
		{
			spread( m, d, i, d->head->count, &end );
			d->ends[d->head->count++] = end;
		}
	}
}

static void find_widths( const ds_contact_mesh *m, desk *d, bool changed )
{
	ends from = { 0, 0 };
	for ( int32_t i = 0; i < d->head->count; ++i )
	{
		const ends to = d->ends[i];
		const double width = m->width > 0 ? m->width : patch_width( m, d, from, to );
		if ( changed || width != d->width[d->queue[from.queue]] )
		{
			for ( int32_t k = from.queue; k < to.queue; ++k )
			{
				d->width[d->queue[k]] = width;
			}
		}
		from = to;
	}
}

void ds_contact_mesh_see( const ds_contact_mesh *m, const ds_ground *ground, const ds_contact_step *step, void *scratch,
	ds_elements *elements )
{
	desk d;
	lay_out( m, scratch, &d );
	*elements = ( ds_elements ){ .count = m->count,
		.x = m->x,
		.y = m->y,
		.z = m->z,
		.nx = m->nx,
		.ny = m->ny,
		.nz = m->nz,
		.area = m->area,
		.width = d.width,
		.face_area = m->face_area,
		.lower = m->lower,
		.upper = m->upper };
	if ( ds_contact_near( ground, elements, step ) )
	{
		bool changed = sound( m, ground, step, &d );
		changed |= d.head->filled != 2;
		if ( changed )
		{
			find_members( m, &d );
			find_patches( m, &d );
			d.head->filled = 2;
		}
		if ( changed || !( m->width > 0 ) )
		{
			find_widths( m, &d, changed );
		}
		return;
	}
	d.head->count = 0;
	if ( d.head->filled != 1 )
	{
		memset( d.patch, 0xff, (size_t)m->count * sizeof( *d.patch ) );
		d.head->filled = 1;
	}
}

const int32_t *ds_contact_mesh_patches( const ds_contact_mesh *m, const void *scratch, int32_t *count )
{
	desk d;
	lay_out( m, (void *)scratch, &d );
	*count = d.head->count;
	return d.patch;
}
