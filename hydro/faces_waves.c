#include "hydro/faces_waves.h"

#include "deepsim/math.h"
#include "hydro/faces_internal.h"
#include "hydro/faces_waves_kernel.h"
#include "hydro/waves_expand.h"

#include <string.h>

// Waves of less than this share of their amplitude at the surface are not felt.
#define NEGLIGIBLE 1e-7

// ---- groups of faces ---------------------------------------------------------------------------------------------

// A sphere around the faces of some blocks, about the origin of the faces.
static double bound_group( const ds_face_bound *bounds, int64_t count, ds_vec3 *center )
{
	ds_vec3 low = ds_v3( INFINITY, INFINITY, INFINITY ), high = ds_v3( -INFINITY, -INFINITY, -INFINITY );
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_face_bound *b = bounds + i;
		low =
			ds_v3( fmin( low.x, b->x - b->radius ), fmin( low.y, b->y - b->radius ), fmin( low.z, b->z - b->radius ) );
		high = ds_v3(
			fmax( high.x, b->x + b->radius ), fmax( high.y, b->y + b->radius ), fmax( high.z, b->z + b->radius ) );
	}
	*center = ds_scale( 0.5, ds_add( low, high ) );
	double radius = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_face_bound *b = bounds + i;
		radius = fmax( radius, ds_length( ds_sub( ds_v3( b->x, b->y, b->z ), *center ) ) + b->radius );
	}
	return radius;
}

// The field of a group by itself. False when it does not fit and the group can be made smaller.
static bool expand_group( const ds_faces *f, int64_t first, int64_t count, const ds_wave_patch *patch, ds_vec3 origin,
	ds_quat attitude, ds_wave_field *field )
{
	ds_vec3 center;
	double radius = bound_group( f->bounds + first, count, &center );
	center = ds_add( origin, ds_rotate( attitude, center ) );
	return ds_waves_expand( patch->waves, center, radius, patch->time, count == 1, field ) || count == 1;
}

// Sums over faces by one field.
static void sum_field( const ds_faces *f, int64_t first, int64_t count, const ds_faces_kernel *kernel,
	const ds_face_motion *motion, ds_vec3 origin, ds_wave_faces *sea, ds_wave_sums *sums )
{
	sea->x = origin.x - sea->field->center.x;
	sea->y = origin.y - sea->field->center.y;
	kernel->waves( f->blocks + first, f->edges + first, f->bounds + first, count, motion, sea, sums );
}

// Sums over all faces, in groups that are small enough for a polynomial each. `origin` is that of the faces, in the world.
static void sum_groups( const ds_faces *f, const ds_faces_kernel *kernel, const ds_face_motion *motion,
	const ds_flow *flow, const ds_wave_patch *patch, ds_vec3 origin, ds_wave_faces *sea, ds_wave_sums *sums )
{
	int64_t count = f->block_count;
	for ( int64_t first = 0; first < f->block_count; first += count, count *= 2 )
	{
		count = count < f->block_count - first ? count : f->block_count - first;
		while ( !expand_group( f, first, count, patch, origin, flow->attitude, sea->field ) )
		{
			count = ( count + 1 ) / 2;
		}
		sum_field( f, first, count, kernel, motion, origin, sea, sums );
	}
}

// ---- results -----------------------------------------------------------------------------------------------------

static ds_vec3 vector_of( const double *sum )
{
	return ds_v3( sum[0], sum[1], sum[2] );
}

static void add_lanes( const ds_wave_sums *sums, double flow[DS_WAVE_SUM_COUNT] )
{
	for ( int i = 0; i < DS_WAVE_SUM_COUNT; ++i )
	{
		const double *l = sums->lane[i];
		flow[i] = ( ( l[0] + l[4] ) + ( l[2] + l[6] ) ) + ( ( l[1] + l[5] ) + ( l[3] + l[7] ) );
	}
}

static void set_pressure( const ds_faces *f, const ds_flow *flow, const ds_face_motion *motion, bool cut,
	const ds_face_totals *t, double volume, ds_face_forces *out )
{
	ds_vec3 force = vector_of( t->sum + DS_SUM_PRESSURE ), moment = vector_of( t->sum + DS_SUM_PRESSURE_MOMENT );
	if ( flow->hydrostatics )
	{
		ds_faces_set_pressure( f, flow, force, moment, &out->hydrostatic );
	}
	out->wet_area = t->sum[DS_SUM_WET_AREA];
	out->wet_fraction = cut ? fmin( fmax( volume / f->mesh_volume, 0 ), 1 ) : 1;
	out->displaced_volume = f->volume * out->wet_fraction;
	double lift = ds_dot( force, motion->down );
	if ( cut && out->wet_fraction > 1e-12 && lift > 1e-12 * f->mesh_volume )
	{
		// as in still water: the moment gives the place, the square of the head the mean depth
		ds_vec3 level = ds_scale( 1 / lift, ds_cross( motion->down, moment ) );
		double depth = 0.5 * t->sum[DS_SUM_DEPTH_SQUARED] / lift;
		out->centre_of_buoyancy = ds_add( f->cb, ds_mad( level, depth - motion->depth, motion->down ) );
	}
}

// Solves A x = b for a symmetric positive semidefinite A whose range holds b: Cholesky's method, which skips the columns
// that depend on those before.
static void solve_semidefinite( const double a[6][6], const double b[6], double x[6] )
{
	double l[6][6] = { { 0 } }, y[6];
	for ( int j = 0; j < 6; ++j )
	{
		double pivot = a[j][j];
		for ( int k = 0; k < j; ++k )
		{
			pivot -= l[j][k] * l[j][k];
		}
		y[j] = 0;
		if ( !( pivot > 1e-10 * a[j][j] ) )
		{
			continue;
		}
		l[j][j] = sqrt( pivot );
		y[j] = b[j];
		for ( int k = 0; k < j; ++k )
		{
			y[j] -= l[j][k] * y[k];
		}
		y[j] /= l[j][j];
		for ( int i = j + 1; i < 6; ++i )
		{
			l[i][j] = a[i][j];
			for ( int k = 0; k < j; ++k )
			{
				l[i][j] -= l[i][k] * l[j][k];
			}
			l[i][j] /= l[j][j];
		}
	}
	for ( int j = 5; j >= 0; --j )
	{
		x[j] = 0;
		if ( l[j][j] > 0 )
		{
			x[j] = y[j];
			for ( int i = j + 1; i < 6; ++i )
			{
				x[j] -= l[i][j] * x[i];
			}
			x[j] /= l[j][j];
		}
	}
}

// The twist of the water with D0 water = sum of s J^T u: drag is then that of the velocity relative to it.
static ds_twist mean_twist( const ds_faces *f, const ds_face_totals *t, const double *flow )
{
	double d[6][6], x[6];
	ds_faces_secant( t, f->center, 1, d );
	ds_vec3 linear = vector_of( flow + DS_WAVE_SUM_FLOW );
	ds_vec3 angular = ds_add( vector_of( flow + DS_WAVE_SUM_FLOW_MOMENT ), ds_cross( f->center, linear ) );
	const double b[6] = { linear.x, linear.y, linear.z, angular.x, angular.y, angular.z };
	solve_semidefinite( (const double( * )[6])d, b, x );
	ds_twist twist = { { x[0], x[1], x[2] }, { x[3], x[4], x[5] } };
	return twist;
}

static void set_results( const ds_faces *f, const ds_flow *flow, const ds_face_motion *motion, bool cut,
	const ds_wave_sums *sums, ds_face_forces *out, ds_twist *water )
{
	ds_face_totals t;
	double extra[DS_WAVE_SUM_COUNT];
	ds_faces_add_lanes( &sums->faces, &t );
	add_lanes( sums, extra );
	set_pressure( f, flow, motion, cut, &t, extra[DS_WAVE_SUM_VOLUME], out );
	if ( flow->drag )
	{
		*water = mean_twist( f, &t, extra );
		ds_flow relative = *flow;
		relative.velocity = ds_sub( flow->velocity, water->linear );
		relative.rate = ds_sub( flow->rate, water->angular );
		ds_faces_set_drag( f, &relative, &t, out );
	}
}

// ---- evaluation --------------------------------------------------------------------------------------------------

void ds_faces_evaluate_waves_by( const ds_faces *f, const ds_faces_kernel *kernel, const ds_flow *flow,
	const ds_wave_patch *patch, ds_face_forces *out, ds_twist *water )
{
	memset( water, 0, sizeof( *water ) );
	memset( out, 0, sizeof( *out ) );
	out->centre_of_buoyancy = f->cb;
	ds_vec3 origin =
		ds_add( ds_v3( patch->center.x, patch->center.y, flow->depth ), ds_rotate( flow->attitude, f->center ) );
	ds_wave_field field;
	bool fits = patch->waves && ds_waves_expand( patch->waves, origin, f->center_radius, patch->time, false, &field );
	if ( patch->waves == NULL || field.most <= NEGLIGIBLE * sqrt( 2 * ds_waves_variance( patch->waves ) ) )
	{
		ds_faces_evaluate_by( f, kernel, flow, out );
		return;
	}

	ds_face_motion motion = { .per_axis = f->per_axis, .form = f->form_drag };
	motion.down = ds_unrotate( flow->attitude, ds_v3( 0, 0, 1 ) );
	motion.velocity = ds_add( flow->velocity, ds_cross( flow->rate, f->center ) );
	motion.rate = flow->rate;
	double least, greatest;
	ds_faces_depth_range( f, motion.down, origin.z, &least, &greatest );
	if ( greatest + field.high <= 0 )
	{
		return;
	}

	// under water a constant pressure adds nothing: depth counts from the centre
	ds_wave_faces sea = { .field = &field,
		.north = ds_unrotate( flow->attitude, ds_v3( 1, 0, 0 ) ),
		.east = ds_unrotate( flow->attitude, ds_v3( 0, 1, 0 ) ),
		.depth = origin.z,
		.orbital = patch->at.velocity,
		.deep = !( field.depth < INFINITY ),
		.cut = least + field.low < 0,
		.drag = flow->drag };
	motion.depth = sea.cut ? origin.z : 0;
	_Alignas( 64 ) ds_wave_sums sums;
	memset( &sums, 0, sizeof( sums ) );
	if ( fits )
	{
		sum_field( f, 0, f->block_count, kernel, &motion, origin, &sea, &sums );
	}
	else
	{
		sum_groups( f, kernel, &motion, flow, patch, origin, &sea, &sums );
	}
	set_results( f, flow, &motion, sea.cut, &sums, out, water );
}

void ds_faces_evaluate_waves(
	const ds_faces *faces, const ds_flow *flow, const ds_wave_patch *patch, ds_face_forces *out, ds_twist *water )
{
	ds_twist unwanted;
	ds_faces_evaluate_waves_by( faces, faces->kernel, flow, patch, out, water ? water : &unwanted );
}
