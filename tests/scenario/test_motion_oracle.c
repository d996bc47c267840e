// Motion against references of this file's own: Runge-Kutta solutions of Fossen's equations, linear theory of ships,
// Coulomb friction, the laws of impact. Orders of convergence are tested, for a wrong term does not converge at all.

#include "../unit/world_kit.h"

#define RHO 1025.0
#define G   9.81

// ---- six degrees of freedom ------------------------------------------------------------------------------------------

// A neutral body in a current that a constant wrench pushes, about the body's origin (Fossen 2021, eq. 8.4). State: position,
// quaternion, velocity of the origin in body axes, rates.
typedef struct plant
{
	double rigid[6][6], added[6][6], inverse[6][6];
	double mass, cg[3], buoyancy, cb[3], wrench[6];
	double current[3];
} plant;

static void cross3( const double a[3], const double b[3], double out[3] )
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static void times6( double m[6][6], const double x[6], double out[6] )
{
	for ( int i = 0; i < 6; ++i )
	{
		out[i] = 0;
		for ( int k = 0; k < 6; ++k )
		{
			out[i] += m[i][k] * x[k];
		}
	}
}

// Gauss and Jordan, for a positive definite matrix.
static void invert6( double m[6][6], double out[6][6] )
{
	double a[6][12];
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 6; ++k )
		{
			a[i][k] = m[i][k];
			a[i][6 + k] = i == k;
		}
	}
	for ( int p = 0; p < 6; ++p )
	{
		double pivot = a[p][p];
		for ( int k = 0; k < 12; ++k )
		{
			a[p][k] /= pivot;
		}
		for ( int i = 0; i < 6; ++i )
		{
			double f = a[i][p];
			for ( int k = 0; k < 12 && i != p; ++k )
			{
				a[i][k] -= f * a[p][k];
			}
		}
	}
	for ( int i = 0; i < 6; ++i )
	{
		memcpy( out[i], a[i] + 6, 6 * sizeof( double ) );
	}
}

// M_RB of Fossen 2021, eq. 3.44: mass, centre of gravity, inertia about it.
static void rigid_matrix( double m, const double r[3], const double inertia[9], double out[6][6] )
{
	const double s[3][3] = { { 0, -r[2], r[1] }, { r[2], 0, -r[0] }, { -r[1], r[0], 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double ss = s[i][0] * s[0][k] + s[i][1] * s[1][k] + s[i][2] * s[2][k];
			out[i][k] = i == k ? m : 0;
			out[i][3 + k] = -m * s[i][k];
			out[3 + i][k] = m * s[i][k];
			out[3 + i][3 + k] = inertia[3 * i + k] - m * ss;
		}
	}
}

// C(nu) nu: ( w x P, w x L + v x P ), with momenta P and L.
static void add_coriolis( double m[6][6], const double nu[6], double sign, double out[6] )
{
	double p[6], a[3], b[3], c[3];
	times6( m, nu, p );
	cross3( nu + 3, p, a );
	cross3( nu + 3, p + 3, b );
	cross3( nu, p, c );
	for ( int i = 0; i < 3; ++i )
	{
		out[i] += sign * a[i];
		out[3 + i] += sign * ( b[i] + c[i] );
	}
}

// Rotation matrix of a quaternion that may be slightly off unit length.
static void matrix_of( const double q[4], double r[3][3] )
{
	double n = 2 / ( q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] );
	double w = q[0], x = q[1], y = q[2], z = q[3];
	const double m[3][3] = { { 1 - n * ( y * y + z * z ), n * ( x * y - w * z ), n * ( x * z + w * y ) },
		{ n * ( x * y + w * z ), 1 - n * ( x * x + z * z ), n * ( y * z - w * x ) },
		{ n * ( x * z - w * y ), n * ( y * z + w * x ), 1 - n * ( x * x + y * y ) } };
	memcpy( r, m, sizeof( m ) );
}

static void plant_rate( plant *p, const double y[13], double out[13] )
{
	const double *q = y + 3, *nu = y + 7, *w = y + 10;
	double r[3][3], flow[3], tau[6], relative[6], drift[6] = { 0 }, added[6];
	matrix_of( q, r );
	for ( int i = 0; i < 3; ++i )
	{
		flow[i] = r[0][i] * p->current[0] + r[1][i] * p->current[1] + r[2][i] * p->current[2];
		relative[i] = nu[i] - flow[i];
		relative[3 + i] = nu[3 + i];
	}

	// weight and buoyancy along the third row of R
	double weight[3], lift[3], moment[3];
	memcpy( tau, p->wrench, sizeof( tau ) );
	for ( int i = 0; i < 3; ++i )
	{
		weight[i] = p->mass * G * r[2][i];
		lift[i] = -p->buoyancy * r[2][i];
		tau[i] += weight[i] + lift[i];
	}
	cross3( p->cg, weight, moment );
	tau[3] += moment[0];
	tau[4] += moment[1];
	tau[5] += moment[2];
	cross3( p->cb, lift, moment );
	tau[3] += moment[0];
	tau[4] += moment[1];
	tau[5] += moment[2];

	// M_RB dnu + C_RB(nu) nu + M_A (dnu - dnu_c) + C_A(nu_r) nu_r = tau, dnu_c = ( -w x v_c, 0 )
	cross3( flow, w, drift );
	times6( p->added, drift, added );
	for ( int i = 0; i < 6; ++i )
	{
		tau[i] += added[i];
	}
	add_coriolis( p->rigid, nu, -1, tau );
	add_coriolis( p->added, relative, -1, tau );
	times6( p->inverse, tau, out + 7 );
	for ( int i = 0; i < 3; ++i )
	{
		out[i] = r[i][0] * nu[0] + r[i][1] * nu[1] + r[i][2] * nu[2];
	}
	out[3] = -0.5 * ( q[1] * w[0] + q[2] * w[1] + q[3] * w[2] );
	out[4] = 0.5 * ( q[0] * w[0] + q[2] * w[2] - q[3] * w[1] );
	out[5] = 0.5 * ( q[0] * w[1] + q[3] * w[0] - q[1] * w[2] );
	out[6] = 0.5 * ( q[0] * w[2] + q[1] * w[1] - q[2] * w[0] );
}

// The classical Runge-Kutta method.
static void plant_run( plant *p, double y[13], double duration, int steps )
{
	double h = duration / steps, k[4][13], at[13];
	static const double part[4] = { 0, 0.5, 0.5, 1 };
	for ( int n = 0; n < steps; ++n )
	{
		for ( int stage = 0; stage < 4; ++stage )
		{
			for ( int i = 0; i < 13; ++i )
			{
				at[i] = y[i] + ( stage ? h * part[stage] * k[stage - 1][i] : 0 );
			}
			plant_rate( p, at, k[stage] );
		}
		for ( int i = 0; i < 13; ++i )
		{
			y[i] += h / 6 * ( k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i] );
		}
	}
}

// Full 6x6 added mass about a point of its own; centres of gravity, buoyancy and mesh all apart.
static ds_body_def plant_body( const ds_mesh *mesh, ds_vec3 rpy, plant *p )
{
	static const double a[6] = { 9, 35, 28, 0.5, 3.5, 4.5 };
	static const double inertia[9] = { 1.2, 0.1, -0.05, 0.1, 2.6, 0.2, -0.05, 0.2, 2.9 };
	ds_body_def def = kit_hull( "hull", mesh, 40 );
	ds_hydrodynamics_def *h = &def.hydrodynamics;
	def.inertia_kind = DS_INERTIA_FULL;
	memcpy( def.inertia_full, inertia, sizeof( inertia ) );
	const double cg[3] = { 0.03, -0.02, 0.05 }, cb[3] = { 0.01, 0.01, -0.03 }, about[3] = { 0.1, 0.05, -0.04 };
	memcpy( def.cg, cg, sizeof( cg ) );
	memcpy( h->cb, cb, sizeof( cb ) );
	memcpy( h->added_mass_about, about, sizeof( about ) );
	h->has_cb = true;
	h->volume_kind = DS_VOLUME_GIVEN;
	h->volume = 40.2 / RHO;
	h->added_mass_kind = DS_ADDED_MASS_MATRIX;
	double given[6][6] = { { 0 } };
	for ( int i = 0; i < 6; ++i )
	{
		given[i][i] = a[i];
	}
	given[1][5] = given[5][1] = 2;
	given[2][4] = given[4][2] = -1.5;
	given[0][4] = given[4][0] = 0.8;
	given[0][1] = given[1][0] = 1.1;
	memcpy( h->added_mass_matrix, given, sizeof( given ) );
	def.pose = ( ds_pose ){ ds_v3( 0, 0, 100 ), ds_quat_from_rpy( rpy ) };
	def.velocity.linear = ds_v3( 0.5, 0.2, -0.1 );
	def.velocity.angular = ds_v3( 0.2, -0.4, 0.3 );

	// the same about the origin: the body's velocity at `about` is v + w x about
	memset( p, 0, sizeof( *p ) );
	rigid_matrix( 40, cg, inertia, p->rigid );
	double h6[6][6] = { { 0 } }, total[6][6];
	for ( int i = 0; i < 6; ++i )
	{
		h6[i][i] = 1;
	}
	h6[0][4] = about[2];
	h6[0][5] = -about[1];
	h6[1][3] = -about[2];
	h6[1][5] = about[0];
	h6[2][3] = about[1];
	h6[2][4] = -about[0];
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 6; ++k )
		{
			for ( int m = 0; m < 6; ++m )
			{
				for ( int n = 0; n < 6; ++n )
				{
					p->added[i][k] += h6[m][i] * given[m][n] * h6[n][k];
				}
			}
			total[i][k] = p->rigid[i][k] + p->added[i][k];
		}
	}
	invert6( total, p->inverse );
	p->mass = 40;
	p->buoyancy = 40.2 * G;
	memcpy( p->cg, cg, sizeof( cg ) );
	memcpy( p->cb, cb, sizeof( cb ) );
	const double wrench[6] = { 6, 1, -0.5, 0.3, -0.2, 0.4 };
	memcpy( p->wrench, wrench, sizeof( wrench ) );
	return def;
}

// How far the library is from the reference after some seconds: position, attitude, velocities.
static void plant_error( ds_vec3 rpy, double rate, double duration, double error[3] )
{
	ds_mesh *mesh = kit_box( 0.9, 0.3, 0.25 );
	plant p;
	ds_body_def def = plant_body( mesh, rpy, &p );
	ds_environment_def e = ds_environment_def_default();
	ds_current_def current = { .kind = DS_CURRENT_UNIFORM, .velocity = { 0.4, -0.3, 0.1 } };
	memcpy( p.current, current.velocity, sizeof( p.current ) );
	e.currents = ( ds_array ){ &current, 1 };
	ds_quat q = def.pose.attitude;
	ds_vec3 v = ds_unrotate( q, def.velocity.linear ), w = ds_unrotate( q, def.velocity.angular );
	double y[13] = { 0, 0, 100, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z }, r[3][3];
	plant_run( &p, y, duration, (int)( 1000 * duration ) );
	matrix_of( y + 3, r );

	ds_world *world = kit_world( rate, &e );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	const ds_wrench push = { { p.wrench[0], p.wrench[1], p.wrench[2] }, { p.wrench[3], p.wrench[4], p.wrench[5] } };
	for ( int64_t i = 0; i < ds_world_ticks( world, duration ); ++i )
	{
		OK( ds_body_apply_wrench_body( world, id, push, ds_v3( 0, 0, 0 ) ) );
		OK( ds_world_step( world, 1 ) );
	}
	ds_body_motion m = kit_motion( world, id );
	error[0] = ds_length( ds_sub( m.pose.position, ds_v3( y[0], y[1], y[2] ) ) );
	ds_mat3 got = ds_mat3_from_quat( m.pose.attitude );
	error[1] = 0;
	for ( int i = 0; i < 9; ++i )
	{
		error[1] = fmax( error[1], fabs( got.m[i / 3][i % 3] - r[i / 3][i % 3] ) );
	}
	error[2] = ds_length( ds_sub( m.velocity_body.linear, ds_v3( y[7], y[8], y[9] ) ) ) +
			   ds_length( ds_sub( m.velocity_body.angular, ds_v3( y[10], y[11], y[12] ) ) );
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

static void test_six_degrees_of_freedom( void **state )
{
	(void)state;
	// the second and third start at, and pass through, the attitudes where angles of roll and yaw mean nothing
	const ds_vec3 starts[] = { { 0.3, -0.2, 1 }, { 0.1, 0.5 * DS_PI, 0.7 }, { 3, -1.57, 0 } };
	for ( int k = 0; k < 3; ++k )
	{
		double coarse[3], fine[3];
		plant_error( starts[k], 200, 10, coarse );
		plant_error( starts[k], 400, 10, fine );
		NEAR( coarse[0], 0, 3e-4 );
		NEAR( coarse[1], 0, 2e-3 );
		NEAR( coarse[2], 0, 5e-3 );
		for ( int i = 0; i < 3; ++i )
		{
			NEAR( coarse[i] / fine[i], 4, 0.1 );
		}
	}
}

// ---- the frame of a body ---------------------------------------------------------------------------------------------

// The pose after a few seconds of a hull whose body frame is turned and shifted by `frame`: all that is given in it is too.
static ds_pose moved_in_frame( const ds_mesh *mesh, ds_pose frame )
{
	// frame: of the mesh in the body. The same hull, in the same place, whatever it is.
	ds_body_def def = kit_hull( "hull", mesh, 30 );
	ds_hydrodynamics_def *h = &def.hydrodynamics;
	h->drag = true;
	h->added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	h->entrained_mass = 8;
	ds_vec3 cg = ds_pose_point( frame, ds_v3( 0.03, 0.02, 0.04 ) ),
			cb = ds_pose_point( frame, ds_v3( 0.01, 0, -0.02 ) );
	def.cg[0] = cg.x;
	def.cg[1] = cg.y;
	def.cg[2] = cg.z;
	h->has_cb = true;
	h->cb[0] = cb.x;
	h->cb[1] = cb.y;
	h->cb[2] = cb.z;
	h->volume_kind = DS_VOLUME_GIVEN;
	h->volume = 0.031;
	def.mesh_pose = frame;
	ds_quat back = ds_quat_conjugate( frame.attitude );
	ds_pose inverse = { ds_rotate( back, ds_scale( -1, frame.position ) ), back };
	ds_pose start = { ds_v3( 1, 2, 0.5 ), ds_quat_from_rpy( ds_v3( 0.4, 0.9, -2 ) ) };
	def.pose = ds_pose_mul( start, inverse );
	def.velocity.angular = ds_v3( 0.5, -1, 2 );
	def.velocity.linear =
		ds_add( ds_v3( 1, 0.5, 0.3 ), ds_cross( def.velocity.angular, ds_sub( def.pose.position, start.position ) ) );
	ds_world *world = kit_world( 100, NULL );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, 300 ) );
	ds_pose end = ds_pose_mul( kit_motion( world, id ).pose, frame );
	ds_world_destroy( world );
	return end;
}

static void test_the_frame_of_a_body_means_nothing( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 0.9, 0.4, 0.2 );
	ds_pose plain = moved_in_frame( mesh, ds_pose_identity() );
	const ds_vec3 turns[] = { { 0, 0, 0 }, { 0.5 * DS_PI, 0, 0 }, { 0.3, -1.2, 2.5 } };
	for ( int k = 0; k < 3; ++k )
	{
		ds_pose frame = { ds_v3( 0.5, -2, 1 ), ds_quat_from_rpy( turns[k] ) };
		ds_pose other = moved_in_frame( mesh, frame );
		NEAR3( other.position, plain.position, 1e-9 );
		NEAR3(
			ds_quat_log( ds_quat_mul( ds_quat_conjugate( plain.attitude ), other.attitude ) ), ds_v3( 0, 0, 0 ), 1e-9 );
	}
	ds_mesh_release( mesh );
}

// ---- tumbling at any rate --------------------------------------------------------------------------------------------

static void test_tumbling_in_few_ticks_a_turn( void **state )
{
	(void)state;
	// up to 1.4 radians in a tick: momentum in the world and energy stay to rounding
	const double turns[] = { 0.02, 0.2, 0.7, 1.4 };
	for ( int k = 0; k < 4; ++k )
	{
		ds_environment_def e = kit_vacuum( 0 );
		ds_world *world = kit_world( 50, &e );
		ds_body_def def = kit_point( "top", 10, 1, 2, 2.9 );
		def.cg[0] = 0.3;
		double spin = turns[k] * 50 / sqrt( 3 );
		def.velocity.angular = ds_v3( spin, spin, spin );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		double energy, now;
		OK( ds_body_kinetic_energy( world, id, &energy ) );
		OK( ds_world_step( world, 3000 ) );
		OK( ds_body_kinetic_energy( world, id, &now ) );
		NEAR( now / energy, 1, 1e-11 );
		ds_body_motion m = kit_motion( world, id );
		ds_vec3 w = m.velocity_body.angular, momentum = ds_rotate( m.pose.attitude, ds_v3( w.x, 2 * w.y, 2.9 * w.z ) );
		NEAR3( momentum, ds_v3( spin, 2 * spin, 2.9 * spin ), 1e-11 * spin );
		ds_world_destroy( world );
	}
}

// ---- at the surface --------------------------------------------------------------------------------------------------

// Small angles about the waterline: periods of roll and pitch from the metacentric heights, cg under the origin.
static void test_roll_and_pitch_periods( void **state )
{
	(void)state;
	const double l = 1.6, b = 1.0, h = 0.5, mass = 300, draft = mass / ( RHO * l * b ), low = 0.02;
	for ( int pitch = 0; pitch < 2; ++pitch )
	{
		ds_mesh *box = kit_box( l, b, h );
		ds_body_def def = kit_hull( "box", box, mass );
		def.inertia_kind = DS_INERTIA_DIAGONAL;
		def.inertia_diagonal[0] = 30;
		def.inertia_diagonal[1] = 60;
		def.inertia_diagonal[2] = 80;
		def.cg[2] = low;
		const double tilt = 0.002;
		def.pose.attitude = ds_quat_from_rpy( pitch ? ds_v3( 0, tilt, 0 ) : ds_v3( tilt, 0, 0 ) );
		def.pose.position.z = draft - 0.5 * h;
		ds_world *world = kit_world( 400, NULL );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );

		// GM = KB + BM - KG; small turns go about the centre of gravity, since roll and heave do not couple
		double side = pitch ? l : b, bm = ( pitch ? b : l ) * side * side * side / 12 / ( mass / RHO );
		double gm = 0.5 * draft + bm - ( 0.5 * h - low );
		double period = 2 * DS_PI * sqrt( def.inertia_diagonal[pitch] / ( mass * G * gm ) );
		double last = tilt, first = -1, up = -1, t = 0;
		int count = 0;
		for ( int i = 0; i < 400 * 30; ++i )
		{
			OK( ds_world_step( world, 1 ) );
			ds_vec3 rpy = kit_motion( world, id ).rpy;
			double angle = pitch ? rpy.y : rpy.x;
			t += 0.0025;
			if ( last < 0 && angle >= 0 )
			{
				up = t - 0.0025 * angle / ( angle - last );
				first = first < 0 ? up : first;
				++count;
			}
			last = angle;
		}
		NEAR( ( up - first ) / ( count - 1 ), period, 0.001 * period );
		ds_world_destroy( world );
		ds_mesh_release( box );
	}
}

// Where a light ball is some time after it was let fall from the air, and the energy it has there, with its added mass.
static double fall( double rate, double duration, bool added )
{
	ds_mesh *ball = kit_sphere( 0.3, 1280 );
	ds_body_def def = kit_hull( "ball", ball, 70 );
	def.hydrodynamics.added_mass_kind = added ? DS_ADDED_MASS_ELLIPSOID : DS_ADDED_MASS_NONE;
	def.pose.position.z = -1;
	ds_world *world = kit_world( rate, NULL );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, ds_world_ticks( world, duration ) ) );
	double depth = kit_motion( world, id ).depth;
	ds_world_destroy( world );
	ds_mesh_release( ball );
	return depth;
}

static void test_falling_through_the_surface_converges( void **state )
{
	(void)state;
	for ( int added = 0; added < 2; ++added )
	{
		for ( int k = 0; k < 2; ++k )
		{
			double duration = k ? 0.9 : 0.55, exact = fall( 6400, duration, added );
			double e100 = fabs( fall( 100, duration, added ) - exact ),
				   e400 = fabs( fall( 400, duration, added ) - exact );
			NEAR( e100, 0, 1e-3 );
			assert_true( e400 < e100 / 8 ); // sixteen times less at second order
		}
	}
}

// A ball that falls, dives and jumps comes back up to where it was let go, at any rate, and never higher.
static void test_diving_makes_no_energy( void **state )
{
	(void)state;
	const double rates[] = { 50, 200, 1000 };
	for ( int k = 0; k < 3; ++k )
	{
		ds_mesh *ball = kit_sphere( 0.3, 1280 );
		ds_body_def def = kit_hull( "ball", ball, 70 );
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
		def.pose.position.z = -1;
		ds_world *world = kit_world( rates[k], NULL );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		double highest = 0;
		for ( int i = 0; i < 20 * rates[k]; ++i )
		{
			OK( ds_world_step( world, 1 ) );
			ds_body_motion m = kit_motion( world, id );
			if ( m.depth < -0.31 )
			{
				double energy;
				OK( ds_body_kinetic_energy( world, id, &energy ) );
				highest = fmax( highest, energy / ( 70 * G ) - m.depth );
			}
		}
		NEAR( highest, 1, 1e-4 );
		ds_world_destroy( world );
		ds_mesh_release( ball );
	}
}

// ---- extra mass ------------------------------------------------------------------------------------------------------

#define EXTRA 3.0
static const ds_vec3 extra_place = { 0.2, 0.1, -0.3 };

static ds_status ballast_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	*model = NULL;
	return DS_OK;
}

static ds_status ballast_effort( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	(void)context;
	effort->mass = EXTRA;
	effort->mass_position = extra_place;
	return DS_OK;
}

static const ds_type ballast = { DS_ABI_VERSION, sizeof( ds_type ), DS_FORCE, "ballast", "A mass.", NULL, NULL,
	ballast_create, NULL, NULL, NULL, NULL, ballast_effort };

// A body with an extra mass moves as the body of both does.
static double extra_mass_error( double rate )
{
	ds_environment_def e = kit_vacuum( G );
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &ballast ) );
	ds_world_def settings = ds_world_def_default();
	settings.rate = rate;
	settings.environment = &e;
	settings.registry = registry;
	ds_world *world;
	OK( ds_world_create( &settings, &world ) );
	ds_registry_release( registry );

	ds_body_def def = kit_point( "a", 10, 0.8, 1.1, 1.4 );
	def.cg[0] = 0.05;
	def.cg[1] = -0.03;
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, 0.2, 0.1 ) );
	def.velocity = ( ds_twist ){ { 1, 2, -5 }, { 1, -2, 1.5 } };
	ds_id a, b, force;
	OK( ds_body_create( world, &def, &a ) );
	ds_actuator_def mount = ds_actuator_def_default();
	snprintf( mount.name, sizeof( mount.name ), "ballast" );
	snprintf( mount.type, sizeof( mount.type ), "ballast" );
	mount.body = a;
	mount.mount = ( ds_pose ){ ds_v3( 0.4, -0.2, 0.1 ), ds_quat_from_rpy( ds_v3( 0.5, -1.1, 2.2 ) ) };
	OK( ds_force_create( world, &mount, &force ) );

	// both: centre, and inertia about it by the parallel axes' theorem
	ds_vec3 cg = ds_v3( 0.05, -0.03, 0 ), p = ds_pose_point( mount.mount, extra_place );
	ds_vec3 c = ds_scale( 1 / ( 10 + EXTRA ), ds_add( ds_scale( 10, cg ), ds_scale( EXTRA, p ) ) );
	double inertia[9] = { 0.8, 0, 0, 0, 1.1, 0, 0, 0, 1.4 };
	for ( int k = 0; k < 2; ++k )
	{
		ds_vec3 d = ds_sub( k ? p : cg, c );
		const double m = k ? EXTRA : 10, r[3] = { d.x, d.y, d.z };
		for ( int i = 0; i < 9; ++i )
		{
			inertia[i] += m * ( ( i % 4 == 0 ? ds_dot( d, d ) : 0 ) - r[i / 3] * r[i % 3] );
		}
	}
	snprintf( def.name, sizeof( def.name ), "b" );
	def.mass = 10 + EXTRA;
	def.inertia_kind = DS_INERTIA_FULL;
	memcpy( def.inertia_full, inertia, sizeof( inertia ) );
	def.cg[0] = c.x;
	def.cg[1] = c.y;
	def.cg[2] = c.z;
	OK( ds_body_create( world, &def, &b ) );
	OK( ds_world_step( world, ds_world_ticks( world, 5 ) ) );
	ds_body_motion x = kit_motion( world, a ), y = kit_motion( world, b );
	NEAR3( x.rpy, y.rpy, 1e-9 );
	ds_world_destroy( world );
	return ds_length( ds_sub( x.pose.position, y.pose.position ) );
}

static void test_extra_mass_is_a_part_of_the_body( void **state )
{
	(void)state;
	double coarse = extra_mass_error( 200 ), fine = extra_mass_error( 400 );
	NEAR( coarse, 0, 1e-5 );
	NEAR( coarse / fine, 4, 0.5 );
}

// ---- contact ---------------------------------------------------------------------------------------------------------

static ds_environment_def sea( double depth, double friction, double restitution )
{
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = depth;
	e.seabed_friction = friction;
	e.seabed_restitution = restitution;
	return e;
}

// A plate slides over the ground, askew to its axes, with anisotropic added mass: friction mu N against the velocity, on a
// mass that is a tensor. Reference by small Euler steps.
static void test_sliding_with_anisotropic_added_mass( void **state )
{
	(void)state;
	const double yaw = 0.5, mu = 0.4, mass = 300, ax = 350, ay = 600, duration = 0.3;
	double c = cos( yaw ), s = sin( yaw ), vx = 1.5, vy = 0;
	double m11 = c * c * ax + s * s * ay, m22 = s * s * ax + c * c * ay, m12 = c * s * ( ax - ay );
	double weight = ( mass - RHO * 0.12 ) * G;
	for ( int i = 0; i < 30000; ++i )
	{
		double speed = hypot( vx, vy ), fx = -mu * weight * vx / speed, fy = -mu * weight * vy / speed;
		double det = m11 * m22 - m12 * m12, h = duration / 30000;
		vx += h * ( m22 * fx - m12 * fy ) / det;
		vy += h * ( m11 * fy - m12 * fx ) / det;
	}
	ds_mesh *plate = kit_box( 1, 0.6, 0.2 );
	ds_body_def def = kit_hull( "plate", plate, mass );
	def.collision = DS_COLLISION_HULL;
	def.friction = 1;
	def.pose = ( ds_pose ){ ds_v3( 0, 0, 9.9 ), ds_quat_from_rpy( ds_v3( 0, 0, yaw ) ) };
	def.velocity.linear = ds_v3( 1.5, 0, 0 );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
	// so much about z that the Munk moment does not turn it
	const double added[6] = { ax - mass, ay - mass, 500, 30, 30, 1e7 };
	memcpy( def.hydrodynamics.added_mass, added, sizeof( added ) );
	ds_environment_def e = sea( 10, mu, 0 );
	ds_world *world = kit_world( 200, &e );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, ds_world_ticks( world, duration ) ) );
	ds_body_motion m = kit_motion( world, id );
	ds_body_forces f;
	OK( ds_body_forces_get( world, id, &f ) );
	NEAR( m.velocity_world.linear.x, vx, 1e-3 );
	NEAR( m.velocity_world.linear.y, vy, 1e-3 );
	NEAR( m.depth, 9.9, 1e-4 );
	NEAR( f.contact.force.z, -weight, 1e-3 * weight );
	NEAR( hypot( f.contact.force.x, f.contact.force.y ), mu * weight, 1e-3 * weight );
	OK( ds_world_step( world, 1000 ) );
	NEAR3( kit_motion( world, id ).velocity_world.linear, ds_v3( 0, 0, 0 ), 1e-9 );
	ds_world_destroy( world );
	ds_mesh_release( plate );
}

// Newton's law of impact with the masses that move: body and added mass along the line of centres.
static void test_impact_of_bodies_with_added_mass( void **state )
{
	(void)state;
	const double mass[2] = { 128, 500 }, added[2] = { 100, 900 }, v[2] = { 0.8, -0.3 }, e = 0.5;
	ds_environment_def environment = ds_environment_def_default();
	environment.gravity = 0;
	ds_world *world = kit_world( 200, &environment );
	ds_mesh *box = kit_box( 0.5, 0.5, 0.5 );
	ds_id id[2];
	for ( int k = 0; k < 2; ++k )
	{
		ds_body_def def = kit_hull( k ? "b" : "a", box, mass[k] );
		def.collision = DS_COLLISION_HULL;
		def.friction = 0;
		def.restitution = e;
		def.pose.position = ds_v3( k, 0, 50 );
		def.velocity.linear.x = v[k];
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
		for ( int i = 0; i < 6; ++i )
		{
			def.hydrodynamics.added_mass[i] = i < 3 ? added[k] : 5;
		}
		OK( ds_body_create( world, &def, id + k ) );
	}
	OK( ds_world_step( world, 400 ) );
	double a = mass[0] + added[0], b = mass[1] + added[1], common = ( a * v[0] + b * v[1] ) / ( a + b );
	double parting = e * ( v[0] - v[1] );
	NEAR( kit_motion( world, id[0] ).velocity_world.linear.x, common - parting * b / ( a + b ), 1e-6 );
	NEAR( kit_motion( world, id[1] ).velocity_world.linear.x, common + parting * a / ( a + b ), 1e-6 );
	ds_world_destroy( world );
	ds_mesh_release( box );
}

// ---- symmetry --------------------------------------------------------------------------------------------------------

// What is symmetric stays where it is for an hour.
static void test_an_hour_without_drift( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 1, 0.4 ), *ball = kit_sphere( 0.3, 320 );
	ds_world *world = kit_world( 50, NULL );
	ds_body_def def = kit_hull( "box", box, 200 );
	def.hydrodynamics.drag = true;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.cg[2] = 0.05;
	def.pose = ( ds_pose ){ ds_v3( 0, 0, -0.05 ), ds_quat_from_rpy( ds_v3( 0, 0, 0.3 ) ) };
	ds_id floats, sinks;
	OK( ds_body_create( world, &def, &floats ) );
	ds_body_def heavy = kit_hull( "ball", ball, 130 );
	heavy.hydrodynamics = def.hydrodynamics;
	heavy.pose.position = ds_v3( 10, 0, 1 );
	heavy.cg[2] = 0.02;
	OK( ds_body_create( world, &heavy, &sinks ) );
	OK( ds_world_step( world, 50 * 3600 ) );
	ds_body_motion m = kit_motion( world, floats );
	NEAR( hypot( m.pose.position.x, m.pose.position.y ), 0, 1e-9 );
	NEAR3( m.rpy, ds_v3( 0, 0, 0.3 ), 1e-9 );
	NEAR3( m.velocity_world.angular, ds_v3( 0, 0, 0 ), 1e-9 );
	m = kit_motion( world, sinks );
	NEAR( hypot( m.pose.position.x - 10, m.pose.position.y ), 0, 1e-6 );
	NEAR3( m.rpy, ds_v3( 0, 0, 0 ), 1e-9 );
	ds_world_destroy( world );
	ds_mesh_release( box );
	ds_mesh_release( ball );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_six_degrees_of_freedom ),
		cmocka_unit_test( test_the_frame_of_a_body_means_nothing ),
		cmocka_unit_test( test_tumbling_in_few_ticks_a_turn ),
		cmocka_unit_test( test_roll_and_pitch_periods ),
		cmocka_unit_test( test_falling_through_the_surface_converges ),
		cmocka_unit_test( test_diving_makes_no_energy ),
		cmocka_unit_test( test_extra_mass_is_a_part_of_the_body ),
		cmocka_unit_test( test_sliding_with_anisotropic_added_mass ),
		cmocka_unit_test( test_impact_of_bodies_with_added_mass ),
		cmocka_unit_test( test_an_hour_without_drift ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
