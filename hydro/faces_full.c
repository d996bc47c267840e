// Evaluation with what the plain loops do not know: density and flow that change with depth, lift and Magnus force.

#include "base/base.h"
#include "deepsim/math.h"
#include "hydro/faces_internal.h"

#include <string.h>

// Water at the centre of the mesh, which is the loops' origin, and at the surface.
typedef struct water_here
{
	double density, gradient, curvature; // at the centre
	double surface, surface_gradient; // density at z = 0
} water_here;

static water_here find_water( const ds_flow *flow, double center_depth )
{
	double h = center_depth - flow->depth, up = -flow->depth;
	double g = flow->density_gradient, c = flow->density_curvature;
	water_here w = { flow->density + h * ( g + 0.5 * c * h ), g + c * h, c, flow->density + up * ( g + 0.5 * c * up ),
		g + c * up };
	return w;
}

static void set_motion(
	const ds_faces *f, const ds_flow *flow, double center_depth, const water_here *w, ds_face_motion *m )
{
	m->density[0] = w->gradient / w->density;
	m->density[1] = 0.5 * w->curvature / w->density;
	m->head[0] = 0.5 * w->surface_gradient / w->surface;
	m->head[1] = w->curvature / ( 6 * w->surface );
	m->printed_lift = f->printed_lift;
	m->printed_magnus = f->printed_magnus;
	m->lift = flow->lift ? f->lift : 0;
	if ( flow->drag || flow->lift )
	{
		double h = center_depth - flow->depth;
		ds_vec3 slope = ds_mad( flow->shear, 0.5 * h, flow->shear_curvature );
		m->velocity = ds_mad( ds_add( flow->velocity, ds_cross( flow->rate, f->center ) ), h, slope );
		m->rate = flow->rate;
		m->shear[0] = ds_mad( flow->shear, h, flow->shear_curvature );
		m->shear[1] = ds_scale( 0.5, flow->shear_curvature );
	}
}

// ---- hydrostatics ------------------------------------------------------------------------------------------------

// Pressure on a body under water: the weight of what it displaces, and its moment, from the moments of its volume.
static void set_submerged( const ds_faces *f, const ds_flow *centre, const ds_face_motion *m, ds_face_forces *out )
{
	ds_faces_set_whole( f, out );
	if ( !centre->hydrostatics )
	{
		return;
	}
	ds_vec3 down = m->down, second = ds_mat3_mul_vec( &f->second, down );
	ds_vec3 third = ds_v3( ds_dot( down, ds_mat3_mul_vec( f->third, down ) ),
		ds_dot( down, ds_mat3_mul_vec( f->third + 1, down ) ), ds_dot( down, ds_mat3_mul_vec( f->third + 2, down ) ) );
	ds_vec3 force = ds_scale( f->mesh_volume + m->density[1] * ds_dot( down, second ), down );
	ds_vec3 first = ds_mad( ds_scale( m->density[0], second ), m->density[1], third );
	ds_faces_set_pressure( f, centre, force, ds_cross( first, down ), &out->hydrostatic );
}

static void set_surface( const ds_faces *f, const ds_flow *centre, double density, const ds_face_motion *m,
	const ds_face_totals *t, ds_face_forces *out )
{
	if ( centre->hydrostatics )
	{
		ds_flow surface = *centre;
		surface.density = density;
		ds_vec3 force = ds_add( ds_faces_vector( t, DS_SUM_PRESSURE ), ds_faces_vector( t, DS_SUM_EXCESS ) );
		ds_vec3 moment =
			ds_add( ds_faces_vector( t, DS_SUM_PRESSURE_MOMENT ), ds_faces_vector( t, DS_SUM_EXCESS_MOMENT ) );
		ds_faces_set_pressure( f, &surface, force, moment, &out->hydrostatic );
	}
	ds_faces_set_wet_part( f, m->down, m->depth, t, out );
}

// ---- drag in shear -----------------------------------------------------------------------------------------------

// A solution of D x = b for a positive semidefinite D whose range b is in: elimination with pivots on the diagonal, after the
// diagonal is made 1; directions that D does not resist stay 0.
static void solve_semidefinite( double d[6][6], const double b[6], double x[6] )
{
	double a[6][7], scale[6];
	int order[6], count = 0;
	bool done[6] = { false };
	for ( int i = 0; i < 6; ++i )
	{
		scale[i] = d[i][i] > 0 ? 1 / sqrt( d[i][i] ) : 0;
		x[i] = 0;
	}
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 6; ++k )
		{
			a[i][k] = scale[i] * d[i][k] * scale[k];
		}
		a[i][6] = scale[i] * b[i];
	}
	for ( ; count < 6; ++count )
	{
		int p = -1;
		for ( int i = 0; i < 6; ++i )
		{
			if ( !done[i] && ( p < 0 || a[i][i] > a[p][p] ) )
			{
				p = i;
			}
		}
		if ( !( a[p][p] > 1e-10 ) )
		{
			break;
		}
		done[p] = true;
		order[count] = p;
		for ( int i = 0; i < 6; ++i )
		{
			double factor = done[i] ? 0 : a[i][p] / a[p][p];
			for ( int k = 0; k < 7; ++k )
			{
				a[i][k] -= factor * a[p][k];
			}
		}
	}
	for ( int n = count - 1; n >= 0; --n )
	{
		int p = order[n];
		double sum = a[p][6];
		for ( int k = n + 1; k < count; ++k )
		{
			sum -= a[p][order[k]] * x[order[k]];
		}
		x[p] = sum / a[p][p];
	}
	for ( int i = 0; i < 6; ++i )
	{
		x[i] *= scale[i];
	}
}

static void to_numbers( ds_vec3 a, ds_vec3 b, double out[6] )
{
	const double n[6] = { a.x, a.y, a.z, b.x, b.y, b.z };
	memcpy( out, n, sizeof( n ) );
}

static double multiply( double d[6][6], const double x[6], double out[6] )
{
	double form = 0;
	for ( int i = 0; i < 6; ++i )
	{
		out[i] = 0;
		for ( int k = 0; k < 6; ++k )
		{
			out[i] += d[i][k] * x[k];
		}
		form += x[i] * out[i];
	}
	return form;
}

void ds_faces_set_drag_in_flow(
	const ds_faces *f, const ds_flow *flow, const ds_face_totals *t, const double shear[6], ds_face_forces *out )
{
	const double half = 0.5 * flow->density;
	double d[6][6], nu[6], normal[6], water[6], drag[6], relative[6], isotropic[6];
	ds_faces_secant( t, f->center, half, d );
	to_numbers( flow->velocity, flow->rate, nu );
	ds_vec3 g = ds_scale( half, ds_faces_vector( t, DS_SUM_SKIN ) );
	ds_vec3 h = ds_mad( ds_cross( f->center, g ), half, ds_faces_vector( t, DS_SUM_SKIN_MOMENT ) );
	to_numbers( g, h, normal );

	// the flow that the secants see: D0 ( nu - water ) = D0 nu + shear
	double negative[6];
	for ( int i = 0; i < 6; ++i )
	{
		negative[i] = -shear[i];
	}
	solve_semidefinite( d, negative, water );
	for ( int i = 0; i < 6; ++i )
	{
		relative[i] = nu[i] - water[i];
	}
	double bound = multiply( d, relative, isotropic ), power = 0, resisted[6];
	multiply( d, nu, resisted );
	for ( int i = 0; i < 6; ++i )
	{
		drag[i] = normal[i] - resisted[i] - shear[i];
		power -= drag[i] * relative[i];
	}
	out->drag.force = ds_v3( drag[0], drag[1], drag[2] );
	out->drag.torque = ds_v3( drag[3], drag[4], drag[5] );

	if ( power > 1e-3 * bound && bound > 0 )
	{
		for ( int i = 0; i < 36; ++i )
		{
			int a = i / 6, b = i % 6;
			out->drag_secant.m[a][b] = d[a][b] - isotropic[a] * isotropic[b] / bound + drag[a] * drag[b] / power;
		}
	}
	else
	{
		double all[6], moved[6];
		for ( int i = 0; i < 6; ++i )
		{
			all[i] = -drag[i];
		}
		solve_semidefinite( d, all, moved );
		for ( int i = 0; i < 6; ++i )
		{
			water[i] = nu[i] - moved[i];
		}
		memcpy( out->drag_secant.m, d, sizeof( d ) );
	}
	out->water.linear = ds_v3( water[0], water[1], water[2] );
	out->water.angular = ds_v3( water[3], water[4], water[5] );
}

static void set_shear_drag(
	const ds_faces *f, const ds_flow *centre, const ds_face_motion *m, const ds_face_totals *t, ds_face_forces *out )
{
	const double half = 0.5 * centre->density;
	double d[6][6], shear[6];
	ds_faces_secant( t, f->center, half, d );

	// sums of s u and s c x u, by the moments of s
	ds_vec3 q = ds_faces_vector( t, DS_SUM_SECANT_SECOND ), r = ds_faces_vector( t, DS_SUM_SECANT_SECOND + 3 );
	ds_vec3 n = m->down, qn = ds_v3( q.x * n.x + r.x * n.y + r.y * n.z, r.x * n.x + q.y * n.y + r.z * n.z,
							 r.y * n.x + r.z * n.y + q.z * n.z );
	double sd = ds_dot( n, ds_faces_vector( t, DS_SUM_SECANT_FIRST ) ), sdd = ds_dot( n, qn );
	ds_vec3 force = ds_scale( half, ds_mad( ds_scale( sd, m->shear[0] ), sdd, m->shear[1] ) );
	ds_vec3 torque = ds_scale(
		half, ds_add( ds_cross( qn, m->shear[0] ), ds_cross( ds_faces_vector( t, DS_SUM_SHEAR ), m->shear[1] ) ) );

	// the reference point moves through the water at its own depth, the faces' origin through that at the centre's
	ds_vec3 offset = ds_sub( ds_sub( m->velocity, ds_cross( m->rate, f->center ) ), centre->velocity );
	double lift[6] = { offset.x, offset.y, offset.z, 0, 0, 0 }, more[6];
	multiply( d, lift, more );
	to_numbers( force, ds_add( torque, ds_cross( f->center, force ) ), shear );
	for ( int i = 0; i < 6; ++i )
	{
		shear[i] += more[i];
	}
	ds_faces_set_drag_in_flow( f, centre, t, shear, out );
}

// ---- lift and Magnus force ---------------------------------------------------------------------------------------

static ds_wrench about_reference( const ds_faces *f, ds_vec3 force, ds_vec3 moment )
{
	ds_wrench w = { force, ds_add( moment, ds_cross( f->center, force ) ) };
	return w;
}

static void set_lift(
	const ds_faces *f, double density, const ds_face_motion *m, const ds_face_totals *t, ds_face_forces *out )
{
	out->lift = about_reference( f, ds_scale( 0.5 * density, ds_faces_vector( t, DS_SUM_LIFT ) ),
		ds_scale( 0.5 * density, ds_faces_vector( t, DS_SUM_LIFT_MOMENT ) ) );
	if ( f->printed_magnus )
	{
		double k = -f->magnus * density;
		out->magnus = about_reference( f, ds_scale( k, ds_faces_vector( t, DS_SUM_MAGNUS ) ),
			ds_scale( k, ds_faces_vector( t, DS_SUM_MAGNUS_MOMENT ) ) );
		return;
	}
	double area = t->sum[DS_SUM_MAGNUS];
	if ( area > 0 )
	{
		ds_vec3 at = ds_scale( 1 / area, ds_faces_vector( t, DS_SUM_MAGNUS_MOMENT ) );
		double d = ds_dot( m->down, at );
		ds_vec3 v = ds_add( m->velocity, ds_cross( m->rate, at ) );
		v = ds_mad( v, d, ds_mad( m->shear[0], d, m->shear[1] ) );
		ds_vec3 force = ds_scale( f->magnus * density * area * f->volume / f->area, ds_cross( m->rate, v ) );
		out->magnus = about_reference( f, force, ds_cross( at, force ) );
	}
}

// ---- evaluation --------------------------------------------------------------------------------------------------

void ds_faces_evaluate_full( const ds_faces *f, const ds_faces_kernel *kernel, const ds_flow *flow, ds_face_motion *m,
	double center_depth, bool submerged, ds_face_forces *out )
{
	water_here w = find_water( flow, center_depth );
	set_motion( f, flow, center_depth, &w, m );
	ds_flow centre = *flow;
	centre.density = w.density;

	_Alignas( 64 ) ds_face_sums sums;
	memset( &sums, 0, sizeof( sums ) );
	ds_face_totals t;
	if ( submerged )
	{
		kernel->submerged_full( f->blocks, f->block_count, m, &sums );
		ds_faces_add_lanes_to( &sums, DS_SUM_FULL_COUNT, &t );
		set_submerged( f, &centre, m, out );
	}
	else
	{
		m->depth = center_depth;
		kernel->surface_full( f->blocks, f->edges, f->bounds, f->block_count, m, &sums );
		ds_faces_add_lanes_to( &sums, DS_SUM_FULL_COUNT, &t );
		set_surface( f, &centre, w.surface, m, &t, out );
	}
	if ( flow->drag )
	{
		bool shear = ds_length( flow->shear ) > 0 || ds_length( flow->shear_curvature ) > 0;
		if ( shear )
		{
			set_shear_drag( f, &centre, m, &t, out );
		}
		else
		{
			ds_faces_set_drag( f, &centre, &t, out );
		}
	}
	if ( flow->lift )
	{
		set_lift( f, w.density, m, &t, out );
	}
}
