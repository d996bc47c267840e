// Added mass by source panels: checks, the matrix of fluxes, six motions, the energy between them.

#include "hydro/panels.h"

#include "deepsim/math.h"
#include "hydro/mass.h"
#include "hydro/panels_internal.h"

#include <math.h>

#define MOTIONS 6

// Lengths are about the body's centre, so that a body far from the mesh's origin is computed as well as one at it.
typedef struct panel_problem
{
	const ds_allocator *allocator;
	const ds_panel_options *options;
	const ds_hooks *hooks;
	int64_t n, capacity; // panels, and room for them
	ds_panel *panels;
	double *columns; // fluxes, n x n: column j is what panel j sends through each
	double *right, *source; // 6 vectors of n: normal velocities and source strengths, both times the root of the area
	ds_vec3 centre; // of the body's surface, in the mesh's frame
	double size; // root mean square distance of the surface from its centre [m]
	double area;
	double image; // strength of images: 0, -1 or 1
	ds_vec3 up; // unit
	double plane; // height of the boundary above the body's centre [m]
	double done, share; // of all work: before, and by the present piece
} panel_problem;

ds_panel_options ds_panel_options_default( void )
{
	ds_panel_options options = { 0 };
	options.density = 1025;
	options.boundary = DS_PANELS_UNBOUNDED;
	options.up = ds_v3( 0, 0, -1 );
	options.least = 1280;
	return options;
}

// ---- checks --------------------------------------------------------------------------------------------------------

static bool finite3( ds_vec3 v )
{
	return isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z );
}

ds_status ds_panel_options_check( const ds_panel_options *o )
{
	if ( !isfinite( o->density ) || !finite3( o->about ) || !isfinite( o->distance ) || !finite3( o->up ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "added mass: density, reference point, distance and direction must be finite" );
	}
	if ( !( o->density > 0 ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "added mass: the water's density is %g kg/m3, it must be positive", o->density );
	}
	if ( (int)o->boundary < 0 || o->boundary > DS_PANELS_SEABED )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "added mass: %d is no boundary: expected none, surface or seabed", (int)o->boundary );
	}
	if ( o->boundary != DS_PANELS_UNBOUNDED && !( ds_length( o->up ) > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "added mass: the direction up is (0, 0, 0), it must have a length" );
	}
	if ( o->least < 0 || o->least > DS_PANELS_MOST / 2 )
	{
		return ds_error( DS_ERROR_RANGE, "added mass: at least %lld panels are asked for, expected a number in [0, %d]",
			(long long)o->least, DS_PANELS_MOST / 2 );
	}
	return DS_OK;
}

static ds_status check_mesh(
	const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t face_count )
{
	if ( face_count > DS_PANELS_MOST )
	{
		return ds_error( DS_ERROR_LIMIT,
			"added mass: a mesh of %lld faces is too fine for panels, which take at most %d: give a coarser mesh, or "
			"use "
			"the equivalent ellipsoid",
			(long long)face_count, DS_PANELS_MOST );
	}
	if ( face_count < 1 )
	{
		return ds_error( DS_ERROR_MESH_EMPTY, "added mass: the mesh has no faces" );
	}
	for ( int64_t i = 0; i < vertex_count; ++i )
	{
		if ( !finite3( vertices[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "added mass: vertex %lld of the mesh is not finite", (long long)i );
		}
	}
	for ( int64_t i = 0; i < 3 * face_count; ++i )
	{
		if ( triangles[i] < 0 || triangles[i] >= vertex_count )
		{
			return ds_error( DS_ERROR_ARGUMENT, "added mass: face %lld names vertex %d, the mesh has %lld",
				(long long)( i / 3 ), (int)triangles[i], (long long)vertex_count );
		}
	}
	return DS_OK;
}

// ---- geometry ------------------------------------------------------------------------------------------------------

static ds_status set_panels( panel_problem *p, const ds_vec3 *vertices, const int32_t *triangles )
{
	ds_vec3 centre = vertices[triangles[0]];
	for ( int pass = 0; pass < 2; ++pass )
	{
		ds_vec3 moment = ds_v3( 0, 0, 0 );
		double area = 0, square = 0;
		for ( int64_t i = 0; i < p->n; ++i )
		{
			ds_panel *panel = p->panels + i;
			const int32_t *t = triangles + 3 * i;
			if ( !ds_panel_set( panel, ds_sub( vertices[t[0]], centre ), ds_sub( vertices[t[1]], centre ),
					 ds_sub( vertices[t[2]], centre ) ) )
			{
				return ds_error( DS_ERROR_RANGE, "added mass: face %lld of the mesh has no area", (long long)i );
			}
			moment = ds_mad( moment, panel->area, panel->centroid );
			area += panel->area;
			square += panel->area * ds_dot( panel->centroid, panel->centroid );
		}
		p->centre = centre;
		p->area = area;
		p->size = sqrt( square / area );
		centre = ds_mad( centre, 1 / area, moment );
	}
	return isfinite( p->area ) && p->size > 0
			   ? DS_OK
			   : ds_error(
					 DS_ERROR_NOT_FINITE, "added mass: the mesh is too large or too small to have a finite area" );
}

static ds_status set_boundary( panel_problem *p )
{
	const ds_panel_options *o = p->options;
	if ( o->boundary == DS_PANELS_UNBOUNDED )
	{
		return DS_OK;
	}
	bool surface = o->boundary == DS_PANELS_SURFACE;
	p->image = surface ? -1 : 1;
	p->up = ds_scale( 1 / ds_length( o->up ), o->up );
	p->plane = ( surface ? o->distance : -o->distance ) - ds_dot( p->up, p->centre );
	double clear = INFINITY;
	for ( int64_t i = 0; i < 3 * p->n; ++i )
	{
		double height = ds_dot( p->up, p->panels[i / 3].corner[i % 3] );
		clear = fmin( clear, surface ? p->plane - height : height - p->plane );
	}
	if ( !( clear > 1e-9 * p->size ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"added mass: the body reaches %.6g m through the %s, which lies %.6g m from the mesh's origin: the body "
			"must be "
			"wholly in the water",
			fmax( -clear, 0 ), surface ? "surface" : "seabed", o->distance );
	}
	return DS_OK;
}

static ds_vec3 mirrored( const panel_problem *p, ds_vec3 point )
{
	return ds_mad( point, 2 * ( p->plane - ds_dot( p->up, point ) ), p->up );
}

// Normal velocity of a panel for unit speed of motion `k`: 3 along the axes, 3 about them.
static double motion( const ds_panel *panel, int k )
{
	ds_vec3 v = k < 3 ? panel->normal : ds_cross( panel->centroid, panel->normal );
	return k % 3 == 0 ? v.x : k % 3 == 1 ? v.y : v.z;
}

// ---- the matrix ----------------------------------------------------------------------------------------------------

static ds_status report( panel_problem *p, double part )
{
	const ds_panel_options *o = p->options;
	if ( o->cancel && o->cancel( o->user ) )
	{
		return ds_error( DS_ERROR_CANCELLED, "added mass: cancelled" );
	}
	if ( o->progress )
	{
		o->progress( o->user, fmin( p->done + part * p->share, 1 ) );
	}
	return DS_OK;
}

static ds_status pause_solver( void *user )
{
	return report( (panel_problem *)user, 0 );
}

// From a panel's centroid, a closed surface wound outward fills the half space behind the panel: 2 pi.
static ds_status check_closed( int64_t face, double angle )
{
	double halves = angle / ( 2 * DS_PI ), whole = round( halves );
	if ( fabs( halves - 1 ) < 1e-6 )
	{
		return DS_OK;
	}
	if ( fabs( halves - whole ) > 1e-6 )
	{
		return ds_error( DS_ERROR_MESH_OPEN,
			"added mass: the mesh is not closed, or not wound one way (seen from panel %lld): panels need a closed "
			"mesh; "
			"`deepsim mesh repair` may help",
			(long long)face );
	}
	return ds_error( DS_ERROR_MESH_WINDING,
		whole < 0
			? "added mass: the mesh is wound inward (seen from panel %lld): its faces must be counter-clockwise seen "
			  "from the water"
			: "added mass: parts of the mesh touch or overlap (seen from panel %lld): unite "
			  "them, or use the equivalent ellipsoid",
		(long long)face );
}

// Fluxes of panel j, with its image. Rows and columns are scaled by roots of area, which makes the matrix of a round body
// nearly symmetric. `close` counts panels that another one covers more than a quarter of the view of.
static ds_status set_column( panel_problem *p, int64_t j, int64_t *close )
{
	const ds_panel *source = p->panels + j;
	double *column = p->columns + j * p->n, sum = 0, widest = 0;
	double unit = source->root_area / ( 4 * DS_PI );
	for ( int64_t i = 0; i < p->n; ++i )
	{
		double angle = i == j ? 0 : ds_panel_solid_angle( p->panels + i, source->centroid );
		column[i] = unit / p->panels[i].root_area * angle;
		sum += angle;
		widest = fmax( widest, angle );
	}
	DS_TRY( check_closed( j, sum ) );
	column[j] = 1 - sum / ( 4 * DS_PI );
	*close += widest > DS_PI;
	if ( p->image != 0 )
	{
		ds_vec3 image = mirrored( p, source->centroid );
		for ( int64_t i = 0; i < p->n; ++i )
		{
			double angle = ds_panel_solid_angle( p->panels + i, image );
			column[i] += p->image * unit / p->panels[i].root_area * angle;
		}
	}
	return DS_OK;
}

static ds_status set_matrix( panel_problem *p )
{
	int64_t close = 0;
	for ( int64_t j = 0; j < p->n; ++j )
	{
		if ( j % 64 == 0 )
		{
			DS_TRY( report( p, (double)j / (double)p->n ) );
		}
		DS_TRY( set_column( p, j, &close ) );
	}
	if ( close > 0 )
	{
		ds_logf( p->hooks, DS_LOG_WARNING,
			"added mass: %lld of %lld faces lie close behind a face that is wider than the body is thick there; what "
			"they "
			"add is uncertain: smaller faces on thin parts would settle it",
			(long long)close, (long long)p->n );
	}
	return DS_OK;
}

// ---- the solution --------------------------------------------------------------------------------------------------

static ds_status solve( panel_problem *p )
{
	for ( int k = 0; k < MOTIONS; ++k )
	{
		double *right = p->right + k * p->n, square = 0;
		for ( int64_t i = 0; i < p->n; ++i )
		{
			right[i] = p->panels[i].root_area * motion( p->panels + i, k );
			square += right[i] * right[i];
		}
		// a motion that hardly moves water, such as a sphere's turning, need not be known to twelve digits of its own
		double tolerance = fmax( 1e-12 * sqrt( square ), 1e-13 * sqrt( p->area ) * ( k < 3 ? 1 : p->size ) );
		DS_TRY( ds_panels_solve(
			p->allocator, p->columns, p->n, right, tolerance, pause_solver, p, p->source + k * p->n ) );
		p->done += p->share;
	}
	return DS_OK;
}

// Potentials at the centroids, and the momentum that they give to each motion: M_kl = -rho sum_i A_i n_l phi_k.
static ds_status sum_energy( panel_problem *p, double m[MOTIONS][MOTIONS] )
{
	for ( int64_t i = 0; i < p->n; ++i )
	{
		const ds_panel *panel = p->panels + i;
		ds_vec3 image = mirrored( p, panel->centroid );
		double phi[MOTIONS] = { 0 };
		if ( i % 64 == 0 )
		{
			DS_TRY( report( p, (double)i / (double)p->n ) );
		}
		for ( int64_t j = 0; j < p->n; ++j )
		{
			double unit = ds_panel_potential( p->panels + j, panel->centroid );
			if ( p->image != 0 )
			{
				unit += p->image * ds_panel_potential( p->panels + j, image );
			}
			unit /= 4 * DS_PI * p->panels[j].root_area;
			for ( int k = 0; k < MOTIONS; ++k )
			{
				phi[k] += unit * p->source[k * p->n + j];
			}
		}
		for ( int k = 0; k < MOTIONS * MOTIONS; ++k )
		{
			m[k / 6][k % 6] += p->options->density * panel->root_area * p->right[( k / 6 ) * p->n + i] * phi[k % 6];
		}
	}
	return DS_OK;
}

// Whether a symmetric matrix with `more` added to its diagonal has a Cholesky factor.
static bool is_definite( double m[MOTIONS][MOTIONS], double more )
{
	double l[MOTIONS][MOTIONS];
	for ( int i = 0; i < MOTIONS; ++i )
	{
		for ( int j = 0; j <= i; ++j )
		{
			double sum = m[i][j] + ( i == j ? more : 0 );
			for ( int k = 0; k < j; ++k )
			{
				sum -= l[i][k] * l[j][k];
			}
			if ( i == j && !( sum > 0 ) )
			{
				return false;
			}
			l[i][j] = i == j ? sqrt( sum ) : sum / l[j][j];
		}
	}
	return true;
}

// The matrix about the centre, symmetric and positive definite, with turning measured in lengths of the body's size. A motion
// that moves no water (a sphere's turning) may come out a little below zero: it is lifted; more than that is an error.
static ds_status settle( const panel_problem *p, double m[MOTIONS][MOTIONS], ds_mat6 *out )
{
	double unit[MOTIONS][MOTIONS], trace = 0;
	for ( int i = 0; i < MOTIONS; ++i )
	{
		for ( int j = 0; j < MOTIONS; ++j )
		{
			double length = ( i < 3 ? 1 : p->size ) * ( j < 3 ? 1 : p->size );
			unit[i][j] = 0.5 * ( m[i][j] + m[j][i] ) / length;
		}
		trace += unit[i][i];
	}
	double lift = 0;
	while ( !is_definite( unit, lift - 1e-13 * trace ) )
	{
		lift = lift > 0 ? 2 * lift : 1e-12 * trace;
		if ( !( lift < 1e-3 * trace ) )
		{
			return ds_error( DS_ERROR_RANGE, "added mass: the matrix is not positive definite: the mesh has parts much "
											 "thinner than its faces are wide; "
											 "give a mesh with smaller faces there" );
		}
	}
	for ( int i = 0; i < MOTIONS; ++i )
	{
		for ( int j = 0; j < MOTIONS; ++j )
		{
			double length = ( i < 3 ? 1 : p->size ) * ( j < 3 ? 1 : p->size );
			out->m[i][j] = length * ( unit[i][j] + ( i == j ? lift : 0 ) );
		}
	}
	return DS_OK;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static ds_status run( panel_problem *p, const ds_vec3 *vertices, const int32_t *triangles, ds_mat6 *out )
{
	double m[MOTIONS][MOTIONS] = { { 0 } };
	ds_mat6 about_centre;
	DS_TRY( DS_NEW( p->allocator, p->capacity, &p->panels ) );
	DS_TRY( set_panels( p, vertices, triangles ) );
	DS_TRY( set_boundary( p ) );
	if ( p->options->least > 0 )
	{
		p->n = ds_panels_refine( p->panels, p->n, p->capacity, p->options->least, 0.5 * p->size );
	}
	size_t n = (size_t)p->n;
	DS_TRY( DS_NEW( p->allocator, n * n, &p->columns ) );
	DS_TRY( DS_NEW( p->allocator, MOTIONS * n, &p->right ) );
	DS_TRY( DS_NEW( p->allocator, MOTIONS * n, &p->source ) );

	p->share = 0.35;
	DS_TRY( set_matrix( p ) );
	p->done = p->share;
	p->share = 0.05;
	DS_TRY( solve( p ) );
	p->share = 1 - p->done;
	DS_TRY( sum_energy( p, m ) );
	DS_TRY( settle( p, m, &about_centre ) );
	p->done = 1;
	*out = ds_mat6_shift( &about_centre, ds_sub( p->centre, p->options->about ) );
	return report( p, 0 );
}

ds_status ds_added_mass_panels( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles,
	int64_t face_count, const ds_panel_options *options, const ds_hooks *hooks, ds_mat6 *added_mass )
{
	if ( vertices == NULL || triangles == NULL || added_mass == NULL )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "added mass by panels needs vertices, triangles and a place for the result" );
	}
	ds_panel_options standard = ds_panel_options_default();
	panel_problem p = { 0 };
	p.allocator = hooks ? &hooks->allocator : NULL;
	p.options = options ? options : &standard;
	p.hooks = hooks;
	p.n = face_count;
	DS_TRY( ds_panel_options_check( p.options ) );
	DS_TRY( check_mesh( vertices, vertex_count, triangles, face_count ) );
	int64_t most = 2 * ( face_count > p.options->least ? face_count : p.options->least );
	p.capacity = p.options->least == 0 ? face_count : most < DS_PANELS_MOST ? most : DS_PANELS_MOST;
	ds_status status = run( &p, vertices, triangles, added_mass );
	size_t n = (size_t)p.n;
	DS_FREE( p.allocator, p.panels, p.capacity );
	DS_FREE( p.allocator, p.columns, n * n );
	DS_FREE( p.allocator, p.right, MOTIONS * n );
	DS_FREE( p.allocator, p.source, MOTIONS * n );
	return status;
}
