// Patches of a mesh on the ground: connected elements that are below it, and the least width of each, clipped at the ground.
//
// Depths are those of the vertices, the greatest that the step may bring. An element belongs to a patch when it faces the ground and a
// corner of it is below; two are connected across a side of which a part is below. The outline's points are the vertices below on
// sides that only one patch element has, and the points where sides cross the ground. Those farthest in 32 directions, on the plane
// across the mean of the ground's normals, make a convex polygon; its least width is that across one of its sides. This is exact for
// outlines of a few corners, and at most 0.5 % low on round ones ( 1 - cos( pi / 32 ) ).

#include "deepsim/math.h"
#include "terrain/contact_mesh_internal.h"
#include "terrain/terrain.h"

#include <string.h>

#define DIRECTIONS 32
#define CHUNK      64

// A patch that is no wider than this counts as this wide [m].
#define LEAST_WIDTH 1e-3

#define NO_PATCH  ( -1 )
#define UNVISITED ( -2 )

// In the scratch: this, then arrays.
typedef struct head
{
	int32_t count; // of patches
	int32_t filled; // `patch` holds other numbers than -1, or nothing yet
} head;

// Views into a scratch.
typedef struct desk
{
	head *head;
	double *width; // of elements
	double *depth; // of vertices: the greatest of the step
	double *normal[3]; // of the ground, into it, body axes
	int32_t *patch; // of elements
	int32_t *queue; // elements of a patch
	int32_t *rim; // sides of a patch that its outline runs along or crosses: 4 element + side
	bool plane; // the ground is: `down` is its only normal
	ds_vec3 down;
} desk;

static size_t round_up( size_t size )
{
	return ( size + 63 ) / 64 * 64;
}

size_t ds_contact_scratch_size( const ds_contact_mesh *m )
{
	size_t elements = (size_t)m->count, vertices = (size_t)m->vertex_count;
	return 64 + round_up( elements * sizeof( double ) ) + 4 * round_up( vertices * sizeof( double ) ) +
		   2 * round_up( elements * sizeof( int32_t ) ) + round_up( 3 * elements * sizeof( int32_t ) );
}

static desk lay_out( const ds_contact_mesh *m, void *scratch )
{
	size_t elements = (size_t)m->count, vertices = (size_t)m->vertex_count;
	char *p = scratch;
	desk d;
	d.head = (head *)(void *)p;
	p += 64;
	d.width = (double *)(void *)p;
	p += round_up( elements * sizeof( double ) );
	d.depth = (double *)(void *)p;
	p += round_up( vertices * sizeof( double ) );
	for ( int i = 0; i < 3; ++i )
	{
		d.normal[i] = (double *)(void *)p;
		p += round_up( vertices * sizeof( double ) );
	}
	d.patch = (int32_t *)(void *)p;
	p += round_up( elements * sizeof( int32_t ) );
	d.queue = (int32_t *)(void *)p;
	p += round_up( elements * sizeof( int32_t ) );
	d.rim = (int32_t *)(void *)p;
	d.plane = false;
	d.down = ds_v3( 0, 0, 0 );
	return d;
}

// ---- depths ------------------------------------------------------------------------------------------------------

// A plane: the depth is linear in the place, and so is that which the step may bring.
static void sound_plane( const ds_contact_mesh *m, const ds_terrain_point *level, const ds_contact_step *step, desk *d )
{
	const ds_mat3 r = ds_mat3_from_quat( step->pose.attitude );
	const ds_vec3 down = ds_mat3_tmul_vec( &r, ds_scale( -1, level->normal ) );
	const ds_vec3 lever = ds_scale( step->dt, ds_cross( down, step->velocity.angular ) );
	const double below = ( step->pose.position.z - level->z ) * -level->normal.z;
	const double sinks = step->dt * ds_dot( down, step->velocity.linear );
	const double *x = m->vertex[0], *y = m->vertex[1], *z = m->vertex[2];
	for ( int32_t i = 0; i < m->vertex_count; ++i )
	{
		double more = lever.x * x[i] + lever.y * y[i] + lever.z * z[i] + sinks;
		d->depth[i] = down.x * x[i] + down.y * y[i] + down.z * z[i] + below + ( more > 0 ? more : 0 );
	}
	d->plane = true;
	d->down = down;
}

static void sound( const ds_contact_mesh *m, const ds_ground *ground, const ds_contact_step *step, desk *d )
{
	ds_terrain_point level;
	if ( ds_terrain_see( ground->terrain )->kind == DS_GROUND_PLANE &&
		 ds_terrain_at( ground->terrain, step->pose.position.x, step->pose.position.y, &level ) )
	{
		sound_plane( m, &level, step, d );
		return;
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
}

// ---- members -----------------------------------------------------------------------------------------------------

static double cosine_at( const ds_contact_mesh *m, const desk *d, int32_t i )
{
	if ( d->plane )
	{
		return m->nx[i] * d->down.x + m->ny[i] * d->down.y + m->nz[i] * d->down.z;
	}
	double sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		int32_t c = m->corner[i][k];
		sum += m->nx[i] * d->normal[0][c] + m->ny[i] * d->normal[1][c] + m->nz[i] * d->normal[2][c];
	}
	return sum / 3;
}

static void find_members( const ds_contact_mesh *m, desk *d )
{
	for ( int32_t i = 0; i < m->count; ++i )
	{
		const int32_t *c = m->corner[i];
		bool below = d->depth[c[0]] > 0 || d->depth[c[1]] > 0 || d->depth[c[2]] > 0;
		d->patch[i] = below && cosine_at( m, d, i ) > DS_CONTACT_LEAST_COSINE ? UNVISITED : NO_PATCH;
	}
}

// ---- outline -----------------------------------------------------------------------------------------------------

// The points of an outline that are farthest in each direction.
typedef struct outline
{
	ds_vec3 u, v; // axes of the plane
	double far[DIRECTIONS];
	double x[DIRECTIONS], y[DIRECTIONS];
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
		o->far[i] = -INFINITY;
	}
}

// cos and sin of i pi / 16
static const double compass[DIRECTIONS][2] = {
	{ 1, 0 },
	{ 0.98078528040323043, 0.19509032201612825 },
	{ 0.92387953251128674, 0.38268343236508977 },
	{ 0.83146961230254524, 0.55557023301960218 },
	{ 0.70710678118654752, 0.70710678118654752 },
	{ 0.55557023301960218, 0.83146961230254524 },
	{ 0.38268343236508977, 0.92387953251128674 },
	{ 0.19509032201612825, 0.98078528040323043 },
	{ 0, 1 },
	{ -0.19509032201612825, 0.98078528040323043 },
	{ -0.38268343236508977, 0.92387953251128674 },
	{ -0.55557023301960218, 0.83146961230254524 },
	{ -0.70710678118654752, 0.70710678118654752 },
	{ -0.83146961230254524, 0.55557023301960218 },
	{ -0.92387953251128674, 0.38268343236508977 },
	{ -0.98078528040323043, 0.19509032201612825 },
	{ -1, 0 },
	{ -0.98078528040323043, -0.19509032201612825 },
	{ -0.92387953251128674, -0.38268343236508977 },
	{ -0.83146961230254524, -0.55557023301960218 },
	{ -0.70710678118654752, -0.70710678118654752 },
	{ -0.55557023301960218, -0.83146961230254524 },
	{ -0.38268343236508977, -0.92387953251128674 },
	{ -0.19509032201612825, -0.98078528040323043 },
	{ 0, -1 },
	{ 0.19509032201612825, -0.98078528040323043 },
	{ 0.38268343236508977, -0.92387953251128674 },
	{ 0.55557023301960218, -0.83146961230254524 },
	{ 0.70710678118654752, -0.70710678118654752 },
	{ 0.83146961230254524, -0.55557023301960218 },
	{ 0.92387953251128674, -0.38268343236508977 },
	{ 0.98078528040323043, -0.19509032201612825 },
};

static void outline_add( outline *o, ds_vec3 p )
{
	double x = ds_dot( p, o->u ), y = ds_dot( p, o->v );
	for ( int i = 0; i < DIRECTIONS; ++i )
	{
		double far = x * compass[i][0] + y * compass[i][1];
		if ( far > o->far[i] )
		{
			o->far[i] = far;
			o->x[i] = x;
			o->y[i] = y;
		}
	}
}

// The farthest points, in order of direction, go round the polygon.
static double outline_width( const outline *o )
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

// All elements connected with `first`, in the queue, and the sides of their outline; the number of both.
static int32_t spread( const ds_contact_mesh *m, desk *d, int32_t first, int32_t number, int32_t *rims )
{
	int32_t count = 0;
	*rims = 0;
	d->queue[count++] = first;
	d->patch[first] = number;
	for ( int32_t at = 0; at < count; ++at )
	{
		int32_t i = d->queue[at];
		const int32_t *c = m->corner[i];
		const bool below[3] = { d->depth[c[0]] > 0, d->depth[c[1]] > 0, d->depth[c[2]] > 0 };
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
				d->rim[( *rims )++] = 4 * i + k;
			}
			if ( !edge && d->patch[other] == UNVISITED )
			{
				d->patch[other] = number;
				d->queue[count++] = other;
			}
		}
	}
	return count;
}

// The mean way into the ground under a patch.
static ds_vec3 patch_down( const ds_contact_mesh *m, const desk *d, int32_t count )
{
	ds_vec3 down = { 0, 0, 0 };
	for ( int32_t at = 0; at < count; ++at )
	{
		int32_t c = m->corner[d->queue[at]][0];
		down = ds_add( down, ds_v3( d->normal[0][c], d->normal[1][c], d->normal[2][c] ) );
	}
	return ds_scale( 1.0 / count, down );
}

static double patch_width( const ds_contact_mesh *m, const desk *d, int32_t count, int32_t rims )
{
	outline o;
	outline_start( &o, d->plane ? d->down : patch_down( m, d, count ) );
	for ( int32_t at = 0; at < rims; ++at )
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
	return outline_width( &o );
}

static void find_patches( const ds_contact_mesh *m, desk *d )
{
	for ( int32_t i = 0; i < m->count; ++i )
	{
		// elements that touch without a corner below (a bump under them) are as wide as themselves
		if ( d->patch[i] == NO_PATCH )
		{
			d->width[i] = m->width > 0 ? m->width : sqrt( m->area[i] );
		}
		if ( d->patch[i] != UNVISITED )
		{
			continue;
		}
		int32_t rims = 0, count = spread( m, d, i, d->head->count++, &rims );
		double width = m->width > 0 ? m->width : patch_width( m, d, count, rims );
		for ( int32_t k = 0; k < count; ++k )
		{
			d->width[d->queue[k]] = width;
		}
	}
}

void ds_contact_mesh_see( const ds_contact_mesh *m, const ds_ground *ground, const ds_contact_step *step, void *scratch,
	ds_elements *elements )
{
	desk d = lay_out( m, scratch );
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
		.upper = m->upper,
		.boxes = m->boxes };
	d.head->count = 0;
	if ( ds_contact_near( ground, elements, step ) )
	{
		sound( m, ground, step, &d );
		find_members( m, &d );
		find_patches( m, &d );
		d.head->filled = 2;
	}
	else if ( d.head->filled != 1 )
	{
		memset( d.patch, 0xff, (size_t)m->count * sizeof( *d.patch ) );
		d.head->filled = 1;
	}
}

const int32_t *ds_contact_mesh_patches( const ds_contact_mesh *m, const void *scratch, int32_t *count )
{
	const char *p = scratch;
	*count = ( (const head *)scratch )->count;
	p += 64 + round_up( (size_t)m->count * sizeof( double ) ) +
		 4 * round_up( (size_t)m->vertex_count * sizeof( double ) );
	return (const int32_t *)(const void *)p;
}
