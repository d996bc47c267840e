// What elements feel by their state: a reading between steps.

#include "deepsim/math.h"
#include "terrain/contact.h"
#include "terrain/soil_map.h"

#include <math.h>
#include <string.h>

// One element that presses; the ground's normal, and what the sums take.
static void read_element( const ds_ground *ground, const ds_elements *e, const ds_element_state *s, int32_t i,
	const ds_contact_step *step, const ds_mat3 *r, ds_contact_sums *sums )
{
	ds_vec3 place = ds_v3( e->x[i], e->y[i], e->z[i] ), n = ds_v3( e->nx[i], e->ny[i], e->nz[i] );
	ds_vec3 at = ds_add( step->pose.position, ds_mat3_mul_vec( r, place ) );
	ds_terrain_point point;
	if ( !ds_terrain_at( ground->terrain, at.x, at.y, &point ) )
	{
		return;
	}
	const ds_soil *soil = ds_soil_map_at( ground->soils, at.x, at.y );
	ds_vec3 down = ds_mat3_tmul_vec( r, ds_scale( -1, point.normal ) );
	double cosine = ds_dot( n, down ), press = s->pressure * e->area[i];
	ds_vec3 along = ds_scale( cosine, down );
	ds_vec3 way = ds_mad( along, soil->lateral, ds_sub( n, along ) );
	double limit =
		soil->cohesion * ( 1 + e->more_cohesion ) + s->pressure * tan( soil->friction ) * ( 1 + e->more_friction );
	ds_vec3 belt = e->vx ? ds_scale( e->speed, ds_v3( e->vx[i], e->vy[i], e->vz[i] ) ) : ds_v3( 0, 0, 0 );
	ds_vec3 v = ds_add( ds_add( step->velocity.linear, ds_cross( step->velocity.angular, place ) ), belt );
	ds_vec3 slide = ds_mad( v, -ds_dot( v, n ), n );
	double slip = ds_length( slide );
	ds_vec3 mobilized = ds_v3( s->shear[0], s->shear[1], s->shear[2] );
	if ( soil->printed_shear )
	{
		mobilized = ds_scale( 1 / fmax( slip, 1e-6 ), slide ); // full at any slip
	}
	double sinkage = ( at.z - point.z ) * -point.normal.z, area = e->area[i] * cosine, normal = press * cosine;

	sums->normal = ds_add( sums->normal, ds_mat3_mul_vec( r, ds_scale( -press, way ) ) );
	sums->shear = ds_add( sums->shear, ds_mat3_mul_vec( r, ds_scale( -limit * e->area[i], mobilized ) ) );
	sums->touching++;
	sums->normal_force += normal;
	sums->area += area;
	sums->mean_sinkage += area * sinkage;
	sums->slip_speed += normal * slip;
	sums->sinkage = fmax( sums->sinkage, sinkage );
}

void ds_contact_read( const ds_ground *ground, const ds_elements *elements, const ds_element_block *state,
	const ds_contact_step *step, ds_vec3 centre, double radius, ds_contact_sums *sums )
{
	memset( sums, 0, sizeof( *sums ) );
	ds_mat3 r = ds_mat3_from_quat( step->pose.attitude );
	for ( int32_t i = 0; i < elements->count; ++i )
	{
		ds_vec3 place = ds_v3( elements->x[i], elements->y[i], elements->z[i] );
		const ds_element_state s = ds_element_get( state, i );
		if ( s.pressure > 0 && ds_length( ds_sub( place, centre ) ) <= radius )
		{
			read_element( ground, elements, &s, i, step, &r, sums );
		}
	}
	sums->steps = 1;
	sums->mean_sinkage = sums->area > 0 ? sums->mean_sinkage / sums->area : 0;
	sums->slip_speed = sums->normal_force > 0 ? sums->slip_speed / sums->normal_force : 0;
}
