// Surfaces of revolution around x: a profile from the nose (greatest x) to the tail, made of pieces, in rings of vertices.
//
// Rings are aligned, so that every quadrilateral between two of them is flat and its diagonal does not matter. Their
// vertices lie on the true surface: the mesh has a little less volume than it, in proportion 1 - (2 pi^2 / 3) / segments^2.

#include "io/mesh_make.h"

// A curve (x, r) for t from 0 to 1, in the direction of the tail.
typedef void curve_fn( const ds_mesh_shape *shape, double t, double *x, double *r );

#define MOST_PIECES 5

typedef struct profile
{
	const ds_mesh_shape *shape;
	curve_fn *pieces[MOST_PIECES];
	double lengths[MOST_PIECES]; // along the curve [m]
	int32_t bands[MOST_PIECES]; // rows of faces
	int count;
	double radius; // greatest [m]
} profile;

// ---- cylinder and capsule

static void cylinder_front( const ds_mesh_shape *s, double t, double *x, double *r )
{
	*x = 0.5 * s->length;
	*r = t * s->radius;
}

static void cylinder_side( const ds_mesh_shape *s, double t, double *x, double *r )
{
	*x = ( 0.5 - t ) * s->length;
	*r = s->radius;
}

static void cylinder_back( const ds_mesh_shape *s, double t, double *x, double *r )
{
	*x = -0.5 * s->length;
	*r = ( 1 - t ) * s->radius;
}

static void capsule_front( const ds_mesh_shape *s, double t, double *x, double *r )
{
	*x = 0.5 * s->length + s->radius * cos( 0.5 * DS_PI * t );
	*r = s->radius * sin( 0.5 * DS_PI * t );
}

static void capsule_back( const ds_mesh_shape *s, double t, double *x, double *r )
{
	*x = -0.5 * s->length - s->radius * sin( 0.5 * DS_PI * t );
	*r = s->radius * cos( 0.5 * DS_PI * t );
}

// ---- Myring hull: Myring 1976, "A theoretical study of body drag in subcritical axisymmetric flow", in the form of
// Prestero 2001 with cut tips; xi runs from the cut tip of the nose.

static double myring_length( const ds_mesh_shape *s )
{
	return s->nose - s->nose_offset + s->middle + s->tail - s->tail_offset;
}

// r = d/2 [1 - ((xi + a_offset - a) / a)^2]^(1/n)
static void myring_nose( const ds_mesh_shape *s, double t, double *x, double *r )
{
	double length = s->nose - s->nose_offset;
	double xi = length * ( 1 - cos( 0.5 * DS_PI * t ) );
	double q = ( xi - length ) / s->nose;
	*x = 0.5 * myring_length( s ) - xi;
	*r = 0.5 * s->diameter * pow( fmax( 1 - q * q, 0 ), 1 / s->exponent );
}

static void myring_middle( const ds_mesh_shape *s, double t, double *x, double *r )
{
	*x = 0.5 * myring_length( s ) - ( s->nose - s->nose_offset ) - t * s->middle;
	*r = 0.5 * s->diameter;
}

// r = d/2 - [3 d / (2 c^2) - tan(theta) / c] (xi - l_f)^2 + [d / c^3 - tan(theta) / c^2] (xi - l_f)^3
static void myring_tail( const ds_mesh_shape *s, double t, double *x, double *r )
{
	double c = s->tail, d = s->diameter, slope = tan( s->tail_angle );
	double z = t * ( c - s->tail_offset );
	*x = 0.5 * myring_length( s ) - ( s->nose - s->nose_offset ) - s->middle - z;
	*r = 0.5 * d - ( 1.5 * d / ( c * c ) - slope / c ) * z * z + ( d / ( c * c * c ) - slope / ( c * c ) ) * z * z * z;
}

static void myring_front( const ds_mesh_shape *s, double t, double *x, double *r )
{
	myring_nose( s, 0, x, r );
	*r *= t;
}

static void myring_back( const ds_mesh_shape *s, double t, double *x, double *r )
{
	myring_tail( s, 1, x, r );
	*r *= 1 - t;
}

// ---- profiles

static void add_piece( profile *p, curve_fn *curve )
{
	p->pieces[p->count++] = curve;
}

static void choose_pieces( profile *p )
{
	const ds_mesh_shape *s = p->shape;
	if ( s->kind == DS_MESH_CYLINDER )
	{
		add_piece( p, cylinder_front );
		add_piece( p, cylinder_side );
		add_piece( p, cylinder_back );
		return;
	}
	bool capsule = s->kind == DS_MESH_CAPSULE;
	if ( !capsule && s->nose_offset > 0 )
	{
		add_piece( p, myring_front );
	}
	add_piece( p, capsule ? capsule_front : myring_nose );
	if ( ( capsule ? s->length : s->middle ) > 0 )
	{
		add_piece( p, capsule ? cylinder_side : myring_middle );
	}
	add_piece( p, capsule ? capsule_back : myring_tail );
	if ( !capsule && s->tail_offset > 0 )
	{
		add_piece( p, myring_back );
	}
}

#define SAMPLES 256

// Lengths of the pieces; a profile that touches the axis inside is an error.
static ds_status measure_pieces( profile *p, const char *name )
{
	for ( int i = 0; i < p->count; ++i )
	{
		double x0, r0, x1, r1;
		p->pieces[i]( p->shape, 0, &x0, &r0 );
		for ( int k = 1; k <= SAMPLES; ++k, x0 = x1, r0 = r1 )
		{
			p->pieces[i]( p->shape, (double)k / SAMPLES, &x1, &r1 );
			bool end = i == p->count - 1 && k == SAMPLES;
			if ( !end && !( r1 > 0 ) )
			{
				return ds_error( DS_ERROR_RANGE,
					"%s: the radius falls to %g m at x = %g m, before the tip: change tail, tail_angle or diameter",
					name, r1, x1 );
			}
			p->lengths[i] += sqrt( ( x1 - x0 ) * ( x1 - x0 ) + ( r1 - r0 ) * ( r1 - r0 ) );
			p->radius = fmax( p->radius, r1 );
		}
	}
	return DS_OK;
}

// Rows of faces about as long as the widest are wide. The first and the last row end in a point and have half as many faces.
static int64_t choose_bands( profile *p, int64_t segments, int64_t faces )
{
	double width = 2 * DS_PI * p->radius / (double)segments;
	int64_t most = faces / ( 2 * segments ) + 1, rows = 0;
	for ( int i = 0; i < p->count; ++i )
	{
		double wanted = floor( p->lengths[i] / width + 0.5 );
		p->bands[i] = (int32_t)( wanted < 1 ? 1 : wanted > (double)most ? (double)most : wanted );
		rows += p->bands[i];
	}
	return 2 * segments * ( rows - 1 );
}

// The multiple of four whose number of faces is nearest to the wanted one.
static int64_t choose_segments( profile *p, int64_t faces )
{
	int64_t segments = 4, made = choose_bands( p, segments, faces ), before = made;
	while ( made < faces )
	{
		before = made;
		segments += 4;
		made = choose_bands( p, segments, faces );
	}
	if ( segments > 4 && faces - before < made - faces )
	{
		segments -= 4;
	}
	choose_bands( p, segments, faces );
	return segments;
}

static ds_status add_ring( ds_soup *soup, double x, double r, int64_t segments )
{
	for ( int64_t j = 0; j < segments; ++j )
	{
		double angle = 2 * DS_PI * (double)j / (double)segments;
		DS_TRY( ds_soup_add_vertex( soup, ds_v3( x, r * cos( angle ), r * sin( angle ) ) ) );
	}
	return DS_OK;
}

// All rings of the profile; the poles are rings of equal vertices, which welding makes one.
static ds_status add_rings( ds_soup *soup, const profile *p, int64_t segments )
{
	double x, r;
	p->pieces[0]( p->shape, 0, &x, &r );
	DS_TRY( add_ring( soup, x, 0, segments ) );
	for ( int i = 0; i < p->count; ++i )
	{
		for ( int32_t k = 1; k <= p->bands[i]; ++k )
		{
			bool pole = i == p->count - 1 && k == p->bands[i];
			p->pieces[i]( p->shape, (double)k / p->bands[i], &x, &r );
			DS_TRY( add_ring( soup, x, pole ? 0 : r, segments ) );
		}
	}
	return DS_OK;
}

ds_status ds_make_lathe( ds_soup *soup, const ds_mesh_shape *shape )
{
	profile p = { shape, { NULL }, { 0 }, { 0 }, 0, 0 };
	choose_pieces( &p );
	DS_TRY( measure_pieces( &p, soup->name ) );
	int64_t segments = choose_segments( &p, shape->faces );
	DS_TRY( add_rings( soup, &p, segments ) );
	int64_t rings = soup->vertex_count / segments;
	for ( int64_t i = 0; i + 1 < rings; ++i )
	{
		for ( int64_t j = 0; j < segments; ++j )
		{
			int32_t a = (int32_t)( i * segments + j ), c = (int32_t)( i * segments + ( j + 1 ) % segments );
			int32_t b = a + (int32_t)segments, d = c + (int32_t)segments;
			if ( i + 2 < rings )
			{
				DS_TRY( ds_soup_add_triangle( soup, a, b, d ) );
			}
			if ( i > 0 )
			{
				DS_TRY( ds_soup_add_triangle( soup, a, d, c ) );
			}
		}
	}
	return DS_OK;
}
