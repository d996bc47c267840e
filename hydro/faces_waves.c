#include "hydro/faces_waves.h"

#include "deepsim/math.h"
#include "hydro/faces_internal.h"
#include "hydro/faces_waves_kernel.h"
#include "hydro/waves_expand.h"

#include <string.h>

// Waves of less than this share of their amplitude at the surface are not felt.
#define NEGLIGIBLE 1e-7

// Greatest degree for the fields of more than a few blocks: making another field costs as much as taking these at the
// greatest degree of all.
#define DEGREE_OF_MANY 8
#define FEW_BLOCKS     12

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

// Radii of groups that did not fit, of many and of few blocks: tried again only slowly.
typedef struct refused
{
	double radius[2];
} refused;

// The field of a group by itself. False when it does not fit and the group can be made smaller. A high degree is worth its
// while where few faces would share a field of a lower one.
static bool expand_group( const ds_faces *f, int64_t first, int64_t count, const ds_wave_patch *patch, ds_vec3 origin,
	ds_quat attitude, refused *memory, ds_wave_field *field )
{
	ds_vec3 center;
	double radius = bound_group( f->bounds + first, count, &center ), *limit = memory->radius + ( count > FEW_BLOCKS );
	if ( count > 1 && radius >= *limit )
	{
		return false;
	}
	center = ds_add( origin, ds_rotate( attitude, center ) );
	int32_t highest = count > FEW_BLOCKS ? DEGREE_OF_MANY : DS_WAVE_DEGREE;
	bool fits = ds_waves_expand( patch->waves, center, radius, patch->time, highest, count == 1, field );
	*limit = fits ? 1.05 * *limit : radius;
	return fits || count == 1;
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
	refused memory = { { INFINITY, INFINITY } };
	int64_t count = f->block_count;
	for ( int64_t first = 0; first < f->block_count; first += count, count *= 2 )
	{
		count = count < f->block_count - first ? count : f->block_count - first;
		while ( !expand_group( f, first, count, patch, origin, flow->attitude, &memory, sea->field ) )
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

// Through the surface: pressure, and what is wet. `elevation` is that over the reference point.
static void set_surface( const ds_faces *f, const ds_flow *flow, const ds_face_motion *motion, const ds_face_totals *t,
	double volume, double elevation, ds_face_forces *out )
{
	ds_vec3 force = vector_of( t->sum + DS_SUM_PRESSURE ), moment = vector_of( t->sum + DS_SUM_PRESSURE_MOMENT );
	if ( flow->hydrostatics )
	{
		ds_faces_set_pressure( f, flow, force, moment, &out->hydrostatic );
	}
	out->wet_area = t->sum[DS_SUM_WET_AREA];
	out->wet_fraction = fmin( fmax( volume / f->mesh_volume, 0 ), 1 );
	out->displaced_volume = f->volume * out->wet_fraction;
	out->centre_of_buoyancy = f->cb;
	double lift = ds_dot( force, motion->down );
	if ( out->wet_fraction > 1e-12 && lift > 1e-12 * f->mesh_volume )
	{
		// as in still water: the moment gives the place, the square of the head its mean, hence the mean depth
		ds_vec3 level = ds_scale( 1 / lift, ds_cross( motion->down, moment ) );
		double depth = 0.5 * t->sum[DS_SUM_DEPTH_SQUARED] / lift * ( volume / lift );
		out->centre_of_buoyancy = ds_add( f->cb, ds_mad( level, depth - motion->depth - elevation, motion->down ) );
	}
}

// Under water: the dynamic pressure is added to the still water's.
static void add_pressure( const ds_faces *f, const ds_flow *flow, const ds_face_totals *t, ds_face_forces *out )
{
	if ( flow->hydrostatics )
	{
		ds_wrench w;
		ds_faces_set_pressure(
			f, flow, vector_of( t->sum + DS_SUM_PRESSURE ), vector_of( t->sum + DS_SUM_PRESSURE_MOMENT ), &w );
		out->hydrostatic.force = ds_add( out->hydrostatic.force, w.force );
		out->hydrostatic.torque = ds_add( out->hydrostatic.torque, w.torque );
	}
}

// The flow over the faces as drag sees it: minus the sum of 1/2 rho s J^T u.
static void set_drag( const ds_faces *f, const ds_flow *flow, const ds_face_totals *t,
	const double flows[DS_WAVE_SUM_COUNT], ds_face_forces *out )
{
	ds_vec3 force = ds_scale( -0.5 * flow->density, vector_of( flows + DS_WAVE_SUM_FLOW ) );
	ds_vec3 moment = ds_scale( -0.5 * flow->density, vector_of( flows + DS_WAVE_SUM_FLOW_MOMENT ) );
	moment = ds_add( moment, ds_cross( f->center, force ) );
	const double shear[6] = { force.x, force.y, force.z, moment.x, moment.y, moment.z };
	ds_faces_set_drag_in_flow( f, flow, t, shear, out );
}

// ---- evaluation --------------------------------------------------------------------------------------------------

static void set_motion( const ds_faces *f, const ds_flow *flow, ds_face_motion *m )
{
	m->per_axis = f->per_axis;
	m->form = f->form_drag;
	m->velocity = ds_add( flow->velocity, ds_cross( flow->rate, f->center ) );
	m->rate = flow->rate;
}

// The current's shear as a polynomial about the origin of the faces, at `h` below the reference point.
static void set_shear( const ds_flow *flow, double h, ds_vec3 shear[3] )
{
	shear[0] = ds_scale( h, ds_mad( flow->shear, 0.5 * h, flow->shear_curvature ) );
	shear[1] = ds_mad( flow->shear, h, flow->shear_curvature );
	shear[2] = ds_scale( 0.5, flow->shear_curvature );
}

// What waves do not change, by the still water's loops: under water pressure and lift, through the surface lift alone, at the
// depth below the surface as it is at the reference point.
static void evaluate_still( const ds_faces *f, const ds_faces_kernel *kernel, const ds_flow *flow,
	const ds_wave_patch *patch, bool cut, ds_face_forces *out )
{
	ds_flow still = *flow;
	still.drag = false;
	still.hydrostatics = flow->hydrostatics && !cut;
	still.depth += cut ? patch->at.elevation : 0;
	if ( !cut || ( flow->lift && ( f->lift != 0 || f->magnus != 0 ) ) )
	{
		ds_faces_evaluate_by( f, kernel, &still, out );
	}
}

void ds_faces_evaluate_waves_by( const ds_faces *f, const ds_faces_kernel *kernel, const ds_flow *flow,
	const ds_wave_patch *patch, ds_face_forces *out )
{
	ds_vec3 origin =
		ds_add( ds_v3( patch->center.x, patch->center.y, flow->depth ), ds_rotate( flow->attitude, f->center ) );
	int32_t highest = f->block_count > FEW_BLOCKS ? DEGREE_OF_MANY : DS_WAVE_DEGREE;
	ds_wave_field field;
	bool fits =
		patch->waves && ds_waves_expand( patch->waves, origin, f->center_radius, patch->time, highest, false, &field );
	if ( patch->waves == NULL || field.most <= NEGLIGIBLE * sqrt( 2 * ds_waves_variance( patch->waves ) ) )
	{
		ds_faces_evaluate_by( f, kernel, flow, out );
		return;
	}
	memset( out, 0, sizeof( *out ) );
	out->centre_of_buoyancy = f->cb;

	ds_face_motion motion = { .down = ds_unrotate( flow->attitude, ds_v3( 0, 0, 1 ) ) };
	double least, greatest;
	ds_faces_depth_range( f, motion.down, origin.z, &least, &greatest );
	if ( greatest + field.high <= 0 )
	{
		return;
	}
	ds_wave_faces sea = { .field = &field,
		.north = ds_unrotate( flow->attitude, ds_v3( 1, 0, 0 ) ),
		.east = ds_unrotate( flow->attitude, ds_v3( 0, 1, 0 ) ),
		.depth = origin.z,
		.orbital = patch->at.velocity,
		.cut = least + field.low < 0,
		.drag = flow->drag };
	set_motion( f, flow, &motion );
	set_shear( flow, ds_dot( motion.down, f->center ), sea.shear );
	motion.depth = origin.z;
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

	ds_face_totals t;
	double flows[DS_WAVE_SUM_COUNT];
	ds_faces_add_lanes( &sums.faces, &t );
	add_lanes( &sums, flows );
	evaluate_still( f, kernel, flow, patch, sea.cut, out );
	if ( sea.cut )
	{
		set_surface( f, flow, &motion, &t, flows[DS_WAVE_SUM_VOLUME], patch->at.elevation, out );
	}
	else
	{
		add_pressure( f, flow, &t, out );
	}
	if ( flow->drag )
	{
		set_drag( f, flow, &t, flows, out );
	}
}

void ds_faces_evaluate_waves(
	const ds_faces *faces, const ds_flow *flow, const ds_wave_patch *patch, ds_face_forces *out )
{
	ds_faces_evaluate_waves_by( faces, faces->kernel, flow, patch, out );
}
