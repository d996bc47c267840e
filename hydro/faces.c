#include "hydro/faces.h"

#include "base/base.h"
#include "deepsim/math.h"
#include "hydro/faces_internal.h"

#include <string.h>

void ds_faces_add_lanes_to( const ds_face_sums *sums, int count, ds_face_totals *out )
{
	for ( int i = 0; i < count; ++i )
	{
		const double *l = sums->lane[i];
		out->sum[i] = ( ( l[0] + l[4] ) + ( l[2] + l[6] ) ) + ( ( l[1] + l[5] ) + ( l[3] + l[7] ) );
	}
}

void ds_faces_add_lanes( const ds_face_sums *sums, ds_face_totals *out )
{
	ds_faces_add_lanes_to( sums, DS_SUM_COUNT, out );
}

// ---- hydrostatics ------------------------------------------------------------------------------------------------

void ds_faces_depth_range( const ds_faces *f, ds_vec3 down, double center_depth, double *least, double *greatest )
{
	double box = fabs( down.x ) * f->box_half.x + fabs( down.y ) * f->box_half.y + fabs( down.z ) * f->box_half.z;
	double box_depth = center_depth + ds_dot( down, f->box_center );
	*least = fmax( box_depth - box, center_depth - f->center_radius );
	*greatest = fmin( box_depth + box, center_depth + f->center_radius );
}

void ds_faces_set_pressure( const ds_faces *f, const ds_flow *flow, ds_vec3 force, ds_vec3 moment, ds_wrench *out )
{
	double k = -flow->density * flow->gravity * f->volume_scale;
	out->force = ds_scale( k, force );
	out->torque = ds_add( ds_scale( k, moment ), ds_cross( f->cb, out->force ) );
}

void ds_faces_set_whole( const ds_faces *f, ds_face_forces *out )
{
	out->wet_area = f->area;
	out->displaced_volume = f->volume;
	out->centre_of_buoyancy = f->cb;
	out->wet_fraction = 1;
}

static void set_submerged(
	const ds_faces *f, const ds_flow *flow, ds_vec3 down, const ds_face_totals *t, ds_face_forces *out )
{
	ds_faces_set_whole( f, out );
	if ( flow->hydrostatics )
	{
		ds_vec3 moment =
			ds_add( ds_faces_vector( t, DS_SUM_PRESSURE_MOMENT ), ds_mat3_mul_vec( &f->pressure_moment, down ) );
		ds_faces_set_pressure( f, flow, ds_faces_vector( t, DS_SUM_PRESSURE ), moment, &out->hydrostatic );
	}
}

void ds_faces_set_wet_part(
	const ds_faces *f, ds_vec3 down, double center_depth, const ds_face_totals *t, ds_face_forces *out )
{
	// the vertical force is the wet volume, its moment the horizontal place of the centre, and the pressure's square its
	// depth: all by the divergence theorem, for the wet part closed by the surface, where the pressure is zero
	ds_vec3 force = ds_faces_vector( t, DS_SUM_PRESSURE ), moment = ds_faces_vector( t, DS_SUM_PRESSURE_MOMENT );
	out->wet_area = t->sum[DS_SUM_WET_AREA];
	double wet = fmax( ds_dot( force, down ), 0 );
	out->wet_fraction = fmin( wet / f->mesh_volume, 1 );
	out->displaced_volume = f->volume * out->wet_fraction;
	out->centre_of_buoyancy = f->cb;
	if ( out->wet_fraction > 1e-12 )
	{
		ds_vec3 level = ds_scale( 1 / wet, ds_cross( down, moment ) );
		double depth = 0.5 * t->sum[DS_SUM_DEPTH_SQUARED] / wet;
		ds_vec3 offset = ds_mad( level, depth - center_depth, down );
		out->centre_of_buoyancy = ds_add( f->cb, offset );
	}
}

static void set_surface( const ds_faces *f, const ds_flow *flow, ds_vec3 down, double center_depth,
	const ds_face_totals *t, ds_face_forces *out )
{
	if ( flow->hydrostatics )
	{
		ds_faces_set_pressure( f, flow, ds_faces_vector( t, DS_SUM_PRESSURE ),
			ds_faces_vector( t, DS_SUM_PRESSURE_MOMENT ), &out->hydrostatic );
	}
	ds_faces_set_wet_part( f, down, center_depth, t, out );
}

// ---- drag --------------------------------------------------------------------------------------------------------

void ds_faces_secant( const ds_face_totals *t, ds_vec3 origin, double scale, double d[6][6] )
{
	double s = scale * t->sum[DS_SUM_SECANT];
	ds_vec3 f = ds_scale( scale, ds_faces_vector( t, DS_SUM_SECANT_FIRST ) );
	ds_vec3 q = ds_scale( scale, ds_faces_vector( t, DS_SUM_SECANT_SECOND ) );
	ds_vec3 r = ds_scale( scale, ds_faces_vector( t, DS_SUM_SECANT_SECOND + 3 ) );

	// second moments, then the first, about the reference point
	double xx = q.x + 2 * f.x * origin.x + s * origin.x * origin.x;
	double yy = q.y + 2 * f.y * origin.y + s * origin.y * origin.y;
	double zz = q.z + 2 * f.z * origin.z + s * origin.z * origin.z;
	double xy = r.x + f.x * origin.y + f.y * origin.x + s * origin.x * origin.y;
	double xz = r.y + f.x * origin.z + f.z * origin.x + s * origin.x * origin.z;
	double yz = r.z + f.y * origin.z + f.z * origin.y + s * origin.y * origin.z;
	f = ds_mad( f, s, origin );

	const double full[6][6] = {
		{ s, 0, 0, 0, f.z, -f.y },
		{ 0, s, 0, -f.z, 0, f.x },
		{ 0, 0, s, f.y, -f.x, 0 },
		{ 0, -f.z, f.y, yy + zz, -xy, -xz },
		{ f.z, 0, -f.x, -xy, xx + zz, -yz },
		{ -f.y, f.x, 0, -xz, -yz, xx + yy },
	};
	memcpy( d, full, sizeof( full ) );
}

void ds_faces_set_drag( const ds_faces *f, const ds_flow *flow, const ds_face_totals *t, ds_face_forces *out )
{
	const double half = 0.5 * flow->density;
	double d[6][6];
	ds_faces_secant( t, f->center, half, d );

	// force = -D0 nu + the part of the skin secant along the normals, which skin drag does not have
	ds_vec3 g = ds_scale( half, ds_faces_vector( t, DS_SUM_SKIN ) );
	ds_vec3 h = ds_mad( ds_cross( f->center, g ), half, ds_faces_vector( t, DS_SUM_SKIN_MOMENT ) );
	const double nu[6] = { flow->velocity.x, flow->velocity.y, flow->velocity.z, flow->rate.x, flow->rate.y,
		flow->rate.z };
	const double normal[6] = { g.x, g.y, g.z, h.x, h.y, h.z };
	double isotropic[6], drag[6], bound = 0, power = 0;
	for ( int i = 0; i < 6; ++i )
	{
		isotropic[i] = 0;
		for ( int j = 0; j < 6; ++j )
		{
			isotropic[i] += d[i][j] * nu[j];
		}
		drag[i] = normal[i] - isotropic[i];
		bound += isotropic[i] * nu[i];
		power -= drag[i] * nu[i];
	}
	out->drag.force = ds_v3( drag[0], drag[1], drag[2] );
	out->drag.torque = ds_v3( drag[3], drag[4], drag[5] );

	// no power above rounding: there is no drag to be damped
	if ( !( bound > 0 ) )
	{
		return;
	}
	double gain = power > 1e-12 * bound ? 1 / power : 0;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			out->drag_secant.m[i][j] = d[i][j] - isotropic[i] * isotropic[j] / bound + drag[i] * drag[j] * gain;
		}
	}
}

// ---- evaluation --------------------------------------------------------------------------------------------------

static bool is_zero( ds_vec3 v )
{
	return v.x == 0 && v.y == 0 && v.z == 0;
}

// Whether there is more than uniform water, pressure and drag.
static bool needs_full( const ds_faces *f, const ds_flow *flow )
{
	bool sideways = flow->lift && ( f->lift != 0 || f->magnus != 0 );
	bool layered = flow->density_gradient != 0 || flow->density_curvature != 0;
	return sideways || layered || !is_zero( flow->shear ) || !is_zero( flow->shear_curvature );
}

void ds_faces_evaluate_by( const ds_faces *f, const ds_faces_kernel *kernel, const ds_flow *flow, ds_face_forces *out )
{
	memset( out, 0, sizeof( *out ) );
	out->centre_of_buoyancy = f->cb;

	ds_face_motion motion = { .per_axis = f->per_axis, .form = f->form_drag };
	motion.down = ds_unrotate( flow->attitude, ds_v3( 0, 0, 1 ) );
	if ( flow->drag )
	{
		motion.velocity = ds_add( flow->velocity, ds_cross( flow->rate, f->center ) );
		motion.rate = flow->rate;
	}

	double center_depth = flow->depth + ds_dot( motion.down, f->center ), least, greatest;
	ds_faces_depth_range( f, motion.down, center_depth, &least, &greatest );
	if ( greatest <= 0 )
	{
		return;
	}

	if ( needs_full( f, flow ) )
	{
		ds_faces_evaluate_full( f, kernel, flow, &motion, center_depth, least >= 0, out );
		return;
	}
	_Alignas( 64 ) ds_face_sums sums;
	memset( sums.lane, 0, DS_SUM_COUNT * sizeof( sums.lane[0] ) );
	ds_face_totals t;
	if ( least >= 0 )
	{
		// a constant pressure over a closed surface adds nothing: depth counts from the centre, which keeps 3000 m exact
		kernel->submerged( f->blocks, f->block_count, &motion, &sums );
		ds_faces_add_lanes( &sums, &t );
		set_submerged( f, flow, motion.down, &t, out );
	}
	else
	{
		motion.depth = center_depth;
		kernel->surface( f->blocks, f->edges, f->bounds, f->block_count, &motion, &sums );
		ds_faces_add_lanes( &sums, &t );
		set_surface( f, flow, motion.down, center_depth, &t, out );
	}
	if ( flow->drag )
	{
		ds_faces_set_drag( f, flow, &t, out );
	}
}

void ds_faces_evaluate( const ds_faces *faces, const ds_flow *flow, ds_face_forces *out )
{
	ds_faces_evaluate_by( faces, faces->kernel, flow, out );
}

double ds_faces_volume( const ds_faces *faces )
{
	return faces->volume;
}

ds_vec3 ds_faces_cb( const ds_faces *faces )
{
	return faces->cb;
}

double ds_faces_radius( const ds_faces *faces )
{
	return faces->radius;
}
