// Steps 2 and 3 of a tick for one body: the water around it at the half-step pose, and gravity, pressure, drag, lift, wind
// and the inertial forces that follow from them.

#include "core/world.h"

#include <math.h>
#include <string.h>

// The acceleration of the waves as a body feels it: the mean over its volume. Waves shorter than the body do not move it.
static void average_waves( const ds_world *world, ds_body *body, double time )
{
	ds_body_scratch *k = &body->scratch;
	ds_quat q = k->half.attitude;
	ds_vec3 axes[3] = { ds_v3( 1, 0, 0 ), ds_v3( 0, 1, 0 ), ds_v3( 0, 0, 1 ) }, spread[3];
	for ( int i = 0; i < 3; ++i )
	{
		axes[i] = ds_unrotate( q, axes[i] );
		spread[i] = ds_mat3_mul_vec( &body->spread, axes[i] );
	}
	const double moments[4] = { ds_dot( axes[0], spread[0] ), ds_dot( axes[0], spread[1] ),
		ds_dot( axes[1], spread[1] ), ds_dot( axes[2], spread[2] ) };
	ds_vec3 mean = ds_waves_mean_acceleration( world->sea->waves, k->half.position, time, moments, &k->sea.convective );
	k->sea.acceleration = ds_add( k->sea.current_acceleration, ds_add( mean, k->sea.convective ) );
}

// Pose at the half step, with the velocity of the tick's start; the water there.
void ds_forces_place( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	k->half.position = ds_mad( s->x, 0.5 * world->dt, s->v );
	k->half.attitude = ds_quat_normalize( ds_quat_mul( s->q, ds_quat_exp( ds_scale( 0.5 * world->dt, s->w ) ) ) );
	double reach = body->faces ? ds_faces_radius( body->faces ) : 1;
	double time = 1e-9 * (double)ds_world_time( world ) + 0.5 * world->dt;
	ds_sea_surround( world->sea, world->state.seed, k->half.position, reach, time, &k->sea );
	if ( world->sea->waves && ( body->has_added || body->faces || body->volume > 0 ) )
	{
		average_waves( world, body, time );
	}
	ds_vec3 v = ds_unrotate( s->q, ds_sub( s->v, k->sea.velocity ) );
	const double nu[6] = { v.x, v.y, v.z, s->w.x, s->w.y, s->w.z };
	memcpy( k->nu, nu, sizeof( nu ) );
}

// The flow around a body: the water at its reference point, and how it changes along the vertical.
static ds_flow flow_around( const ds_world *world, const ds_body *body )
{
	const ds_hydrodynamics_def *h = &body->def.hydrodynamics;
	const ds_body_scratch *k = &body->scratch;
	ds_flow flow;
	memset( &flow, 0, sizeof( flow ) );
	flow.attitude = k->half.attitude;
	flow.depth = k->half.position.z;
	flow.velocity = ds_v3( k->nu[0], k->nu[1], k->nu[2] );
	flow.rate = body->state.w;
	flow.density = k->sea.density;
	flow.gravity = world->environment.gravity;
	flow.hydrostatics = true;
	flow.drag = flow.lift = h->drag && h->model == DS_HYDRO_MESH;
	flow.density_gradient = k->sea.density_gradient;
	flow.density_curvature = k->sea.density_curvature;
	flow.shear = ds_scale( -1, ds_unrotate( k->half.attitude, k->sea.current.gradient ) );
	flow.shear_curvature = ds_scale( -1, ds_unrotate( k->half.attitude, k->sea.current.curvature ) );
	return flow;
}

// Forces on the faces of the mesh. Returns the wet share of the volume.
static double face_wrenches( ds_world *world, ds_body *body )
{
	const ds_hydrodynamics_def *h = &body->def.hydrodynamics;
	ds_body_scratch *k = &body->scratch;
	ds_body_forces *f = &body->state.forces;
	ds_flow flow = flow_around( world, body );
	ds_face_forces faces;
	if ( world->sea->waves )
	{
		ds_faces_evaluate_waves( body->faces, &flow, &k->sea.waves, &faces );
	}
	else
	{
		ds_faces_evaluate( body->faces, &flow, &faces );
	}
	k->water = faces.water;
	if ( h->buoyancy )
	{
		f->hydrostatic = faces.hydrostatic;
	}
	f->drag = faces.drag;
	f->wet_area = faces.wet_area;
	f->displaced_volume = faces.displaced_volume;
	f->centre_of_buoyancy = faces.centre_of_buoyancy;
	k->drag = faces.drag_secant;
	k->has_drag = flow.drag;
	f->lift = faces.lift;
	f->magnus = faces.magnus;
	if ( world->sea->has_wind && h->drag && faces.wet_fraction < 1 )
	{
		ds_wind_forces air;
		ds_vec3 v = ds_unrotate( k->half.attitude, body->state.v );
		ds_faces_evaluate_wind( body->faces, &flow, v, &world->sea->wind, &world->state.sea.wind,
			world->sea->waves ? &k->sea.waves : NULL, &air );
		f->wind = air.drag;
	}
	return faces.wet_fraction;
}

// Buoyancy of a body without faces, if it has a volume. Returns the wet share.
static double volume_wrench( const ds_world *world, ds_body *body, ds_vec3 down )
{
	const ds_body_scratch *k = &body->scratch;
	ds_body_forces *f = &body->state.forces;
	double share = ds_body_volume_share( body, k->half, k->sea.waves.at.elevation );
	f->displaced_volume = share * body->volume;
	f->centre_of_buoyancy = body->volume_cb;
	f->hydrostatic =
		ds_buoyancy( f->displaced_volume, body->volume_cb, down, k->sea.density, world->environment.gravity );
	return share;
}

// Damping by matrices at the start of the tick, for the record: the equation of motion evaluates its own.
static void damping_wrench( ds_body *body )
{
	const ds_body_scratch *k = &body->scratch;
	double r[6];
	ds_fossen_resistance( &body->damping, k->nu, r, NULL );
	ds_wrench *w = &body->state.forces.drag;
	w->force = ds_scale( -k->damping_share, ds_v3( r[0], r[1], r[2] ) );
	w->torque = ds_scale( -k->damping_share, ds_v3( r[3], r[4], r[5] ) );
}

// What a turning body feels on a turning Earth, W in body axes: minus r x ( 2 W x ( w x r ) + W x ( W x r ) ) over its mass, J its
// inertia about the centre of mass. With it a free body keeps its angular momentum in inertial space: a gyroscope drifts.
static ds_vec3 drift_torque( const ds_mat3 *j, ds_vec3 w, ds_vec3 earth )
{
	double trace = j->m[0][0] + j->m[1][1] + j->m[2][2];
	ds_vec3 turn = ds_mat3_mul_vec( j, earth );
	ds_vec3 torque = ds_mad( ds_scale( trace, ds_cross( w, earth ) ), -2, ds_cross( w, turn ) );
	return ds_sub( torque, ds_cross( earth, turn ) );
}

// What follows from the water's own acceleration, and from the Earth's rotation. Water that accelerates has a gradient of
// pressure, which pushes what it displaces as it would push the water (waves: in the pressure on faces already, if any, but for
// their convective acceleration, which the linear pressure lacks: - rho |u|^2 / 2), and
// drags the added mass with it. On a turning Earth both body and water have the Coriolis acceleration 2 Omega x v besides.
static void inertial_wrenches( const ds_world *world, ds_body *body, double share, double wetness )
{
	const ds_sea *sea = world->sea;
	ds_body_scratch *k = &body->scratch;
	ds_body_state *s = &body->state;
	k->water_acceleration = k->coriolis = ds_v3( 0, 0, 0 );
	if ( !sea->unsteady && !sea->waves && !sea->earth_rotation )
	{
		return;
	}
	// the velocity of the half step, as far as the water's acceleration and the Earth's rotation change it: second order, and
	// no energy from the rotation (taken at the tick's start it would feed a body 2 (Omega dt)^2 of its energy a tick)
	ds_vec3 slip = ds_mad( ds_sub( s->v, k->sea.velocity ), 0.5 * world->dt, k->sea.acceleration );
	slip = ds_mad( slip, -world->dt, ds_cross( sea->earth_rate, slip ) );
	ds_vec3 water_coriolis = ds_scale( 2, ds_cross( sea->earth_rate, k->sea.velocity ) );
	ds_vec3 body_coriolis = ds_mad( water_coriolis, 2, ds_cross( sea->earth_rate, slip ) );
	ds_vec3 water = ds_unrotate( k->half.attitude, ds_add( k->sea.acceleration, water_coriolis ) );
	ds_vec3 gradient = body->faces ? ds_add( k->sea.current_acceleration, k->sea.convective ) : k->sea.acceleration;
	ds_vec3 pushed = ds_unrotate( k->half.attitude, ds_add( gradient, water_coriolis ) );
	ds_vec3 own = ds_unrotate( k->half.attitude, body_coriolis );
	k->water_acceleration = water;
	k->coriolis = own;
	const double a[3] = { water.x - own.x, water.y - own.y, water.z - own.z }, c[3] = { own.x, own.y, own.z };
	double sum[6] = { 0 };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			sum[i] += wetness * body->added.m[i][j] * a[j] - body->rigid.m[i][j] * c[j];
		}
	}
	ds_wrench *w = &s->forces.inertial;
	w->force = ds_v3( sum[0], sum[1], sum[2] );
	w->torque = ds_v3( sum[3], sum[4], sum[5] );
	if ( sea->earth_rotation )
	{
		ds_mat3 inertia;
		for ( int i = 0; i < 9; ++i )
		{
			inertia.m[i / 3][i % 3] = body->rigid.m[3 + i / 3][3 + i % 3];
		}
		ds_vec3 earth = ds_unrotate( k->half.attitude, sea->earth_rate );
		w->torque = ds_add( w->torque, drift_torque( &inertia, s->w, earth ) );
	}
	if ( body->def.hydrodynamics.buoyancy )
	{
		ds_vec3 push = ds_scale( k->sea.density * s->forces.displaced_volume, pushed );
		w->force = ds_add( w->force, push );
		w->torque = ds_add( w->torque, ds_cross( s->forces.centre_of_buoyancy, push ) );
	}
	if ( body->entrained > 0 )
	{
		// water in the hull is pushed as the water around; the reference point is the centre of mass of both
		ds_vec3 push = ds_scale( share * body->entrained, water );
		w->force = ds_add( w->force, push );
		w->torque = ds_mad( w->torque, -body->mass / body->entrained, ds_cross( body->cg, push ) );
	}
}

// Gravity, and all that the water does.
void ds_forces_natural( ds_world *world, ds_body *body )
{
	ds_body_state *s = &body->state;
	ds_body_scratch *k = &body->scratch;
	ds_body_forces *f = &s->forces;
	memset( f, 0, sizeof( *f ) );
	ds_vec3 down = ds_unrotate( k->half.attitude, ds_v3( 0, 0, 1 ) );
	f->gravity.force = ds_scale( body->mass * world->environment.gravity, down );
	f->gravity.torque = ds_cross( body->cg, f->gravity.force );
	k->has_drag = false;
	k->water = ( ds_twist ){ { 0, 0, 0 }, { 0, 0, 0 } };
	double share = body->faces ? face_wrenches( world, body ) : volume_wrench( world, body, down );

	ds_compression yield = ds_body_compression( world, body, k->half.position.z );
	if ( yield.volume != 1 )
	{
		f->hydrostatic.force = ds_scale( yield.volume, f->hydrostatic.force );
		f->hydrostatic.torque = ds_scale( yield.volume, f->hydrostatic.torque );
		f->displaced_volume *= yield.volume;
	}

	// Added mass comes and goes with the wet share. The body keeps its kinetic energy when it does, as in an ideal fluid
	// (Lamb 1932, art. 135-136: the kinetic energy of body and fluid is a function of position and velocity alone).
	double wetness = ds_body_wet_share( body, share );
	if ( wetness > 0 )
	{
		wetness *= yield.added_mass; // given at the surface
	}
	if ( wetness != s->wetness )
	{
		ds_mat6 before = ds_body_total_mass( body, s->wetness ), after = ds_body_total_mass( body, wetness );
		double e0 = 0, e1 = 0;
		for ( int i = 0; i < 6; ++i )
		{
			for ( int j = 0; j < 6; ++j )
			{
				e0 += k->nu[i] * before.m[i][j] * k->nu[j];
				e1 += k->nu[i] * after.m[i][j] * k->nu[j];
			}
		}
		double factor = e1 > 0 ? sqrt( e0 / e1 ) : 1;
		for ( int i = 0; i < 6; ++i )
		{
			k->nu[i] *= factor;
		}
		s->wetness = wetness;
	}
	k->mass = ds_body_total_mass( body, s->wetness );
	k->damping_share = ds_body_given_share( body, share ) * ( k->sea.density / world->environment.density );
	if ( body->has_damping )
	{
		damping_wrench( body );
	}
	inertial_wrenches( world, body, share, s->wetness );
}
