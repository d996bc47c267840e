#include "hydro/wind.h"

#include "base/base.h"
#include "base/random.h"
#include "deepsim/math.h"
#include "hydro/faces_internal.h"

#include <string.h>

#define REFERENCE_HEIGHT 10.0 // of the given velocity [m]

// ---- the wind ----------------------------------------------------------------------------------------------------

ds_wind_def ds_wind_def_default( void )
{
	// air at 15 degC and 101325 Pa: ISO 2533; z0 of a moderate sea
	ds_wind_def def = { .kind = DS_WIND_NONE, .roughness = 2e-4, .gust_time = 10, .air_density = 1.225 };
	return def;
}

static ds_status check( const ds_wind_def *d )
{
	if ( d->kind < DS_WIND_NONE || d->kind > DS_WIND_LOGARITHMIC )
	{
		return ds_error( DS_ERROR_RANGE, "wind: there is no kind %d", (int)d->kind );
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( !isfinite( d->velocity[i] ) || !isfinite( d->gust[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "wind: velocity and gust must be finite" );
		}
		if ( fabs( d->velocity[i] ) > 200 || d->gust[i] < 0 || d->gust[i] > 100 )
		{
			return ds_error( DS_ERROR_RANGE, "wind: velocity must be within 200 m/s, gust in [0, 100] m/s" );
		}
	}
	if ( !( d->roughness >= 1e-9 && d->roughness <= 1 ) )
	{
		return ds_error( DS_ERROR_RANGE, "wind: roughness must be in [1e-9, 1] m, got %g", d->roughness );
	}
	if ( !( d->gust_time >= 1e-3 && d->gust_time <= 1e6 ) )
	{
		return ds_error( DS_ERROR_RANGE, "wind: gust_time must be in [0.001, 1e6] s, got %g", d->gust_time );
	}
	if ( !( d->air_density >= 0 && d->air_density <= 100 ) )
	{
		return ds_error( DS_ERROR_RANGE, "wind: air_density must be in [0, 100] kg/m3, got %g", d->air_density );
	}
	return DS_OK;
}

ds_status ds_wind_create( const ds_wind_def *def, ds_wind *wind )
{
	memset( wind, 0, sizeof( *wind ) );
	DS_TRY( check( def ) );
	wind->def = *def;
	double level = hypot( def->velocity[0], def->velocity[1] );
	wind->along = level > 0 ? ds_v3( def->velocity[0] / level, def->velocity[1] / level, 0 ) : ds_v3( 1, 0, 0 );
	wind->across = ds_v3( -wind->along.y, wind->along.x, 0 );
	wind->log_scale = 1 / log( REFERENCE_HEIGHT / def->roughness );
	ds_random_key( (uint64_t)def->seed, "wind", wind->key );
	return DS_OK;
}

// Three normal numbers of a draw.
static void draw( const ds_wind *wind, int64_t index, double normal[3] )
{
	ds_random random;
	ds_random_start( &random, wind->key, 0, (uint64_t)index );
	for ( int i = 0; i < 3; ++i )
	{
		normal[i] = ds_random_normal( &random );
	}
}

void ds_wind_start( const ds_wind *wind, ds_wind_state *state )
{
	double normal[3];
	draw( wind, 0, normal );
	for ( int i = 0; i < 3; ++i )
	{
		state->gust[i] = wind->def.gust[i] * normal[i];
	}
	state->index = 1;
}

void ds_wind_advance( const ds_wind *wind, double dt, ds_wind_state *state )
{
	double normal[3], keep = exp( -dt / wind->def.gust_time );
	double fresh = sqrt( -expm1( -2 * dt / wind->def.gust_time ) );
	draw( wind, state->index++, normal );
	for ( int i = 0; i < 3; ++i )
	{
		state->gust[i] = keep * state->gust[i] + fresh * wind->def.gust[i] * normal[i];
	}
}

static double profile( const ds_wind *wind, double height )
{
	if ( wind->def.kind == DS_WIND_NONE || !( height > 0 ) )
	{
		return 0;
	}
	if ( wind->def.kind == DS_WIND_UNIFORM )
	{
		return 1;
	}
	return height > wind->def.roughness ? log( height / wind->def.roughness ) * wind->log_scale : 0;
}

// Mean velocity and gust, at the reference height.
static ds_vec3 reference_velocity( const ds_wind *wind, const ds_wind_state *state )
{
	ds_vec3 v = ds_v3( wind->def.velocity[0], wind->def.velocity[1], wind->def.velocity[2] + state->gust[2] );
	return ds_mad( ds_mad( v, state->gust[0], wind->along ), state->gust[1], wind->across );
}

ds_vec3 ds_wind_velocity( const ds_wind *wind, const ds_wind_state *state, double height )
{
	return ds_scale( profile( wind, height ), reference_velocity( wind, state ) );
}

ds_vec3 ds_wind_at( const ds_wind *wind, const ds_wind_state *state, ds_vec3 position )
{
	return ds_wind_velocity( wind, state, -position.z );
}

// ---- dry faces ---------------------------------------------------------------------------------------------------

// All that the faces share, in body axes. The surface near the body is a plane.
typedef struct air
{
	const ds_wind *wind;
	ds_vec3 wind10; // at the reference height
	ds_vec3 velocity, rate; // of the origin of the faces
	double height; // of the origin of the faces above the plane
	ds_vec3 up; // gradient of that height
} air;

static ds_vec3 lane3( const double ( *p )[DS_FACE_LANES], int lane )
{
	return ds_v3( p[0][lane], p[1][lane], p[2][lane] );
}

// The dry part of a triangle, with the heights `h` of its corners: its share of the area, and its centroid.
static double dry_part( const ds_vec3 corner[3], const double h[3], ds_vec3 *center )
{
	ds_vec3 polygon[4];
	int n = 0;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		if ( h[i] > 0 )
		{
			polygon[n++] = corner[i];
		}
		if ( ( h[i] > 0 ) != ( h[j] > 0 ) )
		{
			polygon[n++] = ds_mad( corner[i], h[i] / ( h[i] - h[j] ), ds_sub( corner[j], corner[i] ) );
		}
	}
	double whole = ds_length( ds_cross( ds_sub( corner[1], corner[0] ), ds_sub( corner[2], corner[0] ) ) ), sum = 0;
	*center = ds_v3( 0, 0, 0 );
	for ( int i = 2; i < n; ++i )
	{
		ds_vec3 a = ds_sub( polygon[i - 1], polygon[0] ), b = ds_sub( polygon[i], polygon[0] );
		double area = ds_length( ds_cross( a, b ) );
		ds_vec3 middle = ds_add( ds_add( polygon[0], polygon[i - 1] ), polygon[i] );
		*center = ds_mad( *center, area / 3, middle );
		sum += area;
	}
	if ( !( sum > 1e-12 * whole ) )
	{
		return 0;
	}
	*center = ds_scale( 1 / sum, *center );
	return sum / whole;
}

// Adds a face's drag per 1/2 rho, about the origin of the faces.
static void add_face(
	const ds_faces *f, const ds_face_block *b, const ds_edge_block *edge, int lane, const air *m, ds_wind_forces *sum )
{
	ds_vec3 c = lane3( b->center, lane ), e1 = lane3( edge->edge1, lane ), e2 = lane3( edge->edge2, lane );
	ds_vec3 first = ds_mad( c, -1.0 / 3, ds_add( e1, e2 ) );
	const ds_vec3 corner[3] = { first, ds_add( first, e1 ), ds_add( first, e2 ) };
	double h[3];
	for ( int i = 0; i < 3; ++i )
	{
		h[i] = m->height + ds_dot( m->up, corner[i] );
	}
	double share = dry_part( corner, h, &c );
	if ( !( share > 0 ) )
	{
		return;
	}
	ds_vec3 n = lane3( b->normal, lane ), v = ds_add( m->velocity, ds_cross( m->rate, c ) );
	v = ds_mad( v, -profile( m->wind, m->height + ds_dot( m->up, c ) ), m->wind10 );
	double normal = ds_dot( n, v ), squared = ds_dot( v, v );
	double friction = b->skin[lane] * sqrt( fabs( squared - normal * normal ) ), half = b->half_form[lane];
	if ( f->per_axis && squared > 0 )
	{
		half *= ds_dot( f->form_drag, ds_v3( v.x * v.x, v.y * v.y, v.z * v.z ) ) / squared;
	}
	double s = half * ( normal + fabs( normal ) ) + friction;
	ds_vec3 force = ds_scale( share, ds_mad( ds_scale( -s, v ), friction * normal, n ) );
	sum->drag.force = ds_add( sum->drag.force, force );
	sum->drag.torque = ds_add( sum->drag.torque, ds_cross( c, force ) );
	sum->dry_area += share * b->area[lane];
}

void ds_faces_evaluate_wind( const ds_faces *f, const ds_flow *flow, ds_vec3 velocity, const ds_wind *wind,
	const ds_wind_state *state, const ds_wave_patch *patch, ds_wind_forces *out )
{
	memset( out, 0, sizeof( *out ) );
	ds_wave_point flat = { .elevation = 0 };
	const ds_wave_point *at = patch ? &patch->at : &flat;
	air m = { .wind = wind, .rate = flow->rate };
	m.up = ds_unrotate( flow->attitude, ds_v3( -at->slope_north, -at->slope_east, -1 ) );
	m.height = -flow->depth - at->elevation + ds_dot( m.up, f->center );
	m.velocity = ds_add( velocity, ds_cross( flow->rate, f->center ) );
	m.wind10 = ds_unrotate( flow->attitude, reference_velocity( wind, state ) );
	double steep = ds_length( m.up );
	if ( m.height + steep * f->center_radius <= 0 || wind->def.kind == DS_WIND_NONE )
	{
		return;
	}
	for ( int64_t i = 0; i < f->block_count; ++i )
	{
		const ds_face_bound *o = f->bounds + i;
		if ( m.height + ds_dot( m.up, ds_v3( o->x, o->y, o->z ) ) + steep * o->radius <= 0 )
		{
			continue;
		}
		for ( int lane = 0; lane < DS_FACE_LANES; ++lane )
		{
			if ( f->blocks[i].area[lane] > 0 )
			{
				add_face( f, f->blocks + i, f->edges + i, lane, &m, out );
			}
		}
	}

	// in newtons, about the reference point
	ds_vec3 force = ds_scale( 0.5 * wind->def.air_density, out->drag.force );
	ds_vec3 torque = ds_scale( 0.5 * wind->def.air_density, out->drag.torque );
	out->drag.force = force;
	out->drag.torque = ds_add( torque, ds_cross( f->center, force ) );
}
