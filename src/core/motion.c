// Step 4 of a tick: the 6x6 equation of motion in the body frame, by the implicit midpoint rule.
//
//     M (nu1 - nu) / dt + s C(nu_m) nu_m = tau - sigma D (nu_m - nu_w) - R(nu_m - nu_w) - K nu_m,      nu_m = (nu + nu1) / 2
//
// nu is the velocity relative to the water (the frame that moves with it is inertial for the length of a tick), M the sum of
// rigid and added mass, C(nu) nu the Coriolis and centripetal terms of Kirchhoff's equations, D the secant of the drag at nu.
//
// - C does no work at the midpoint, so that it never changes the energy, at any rate.
// - nu_w is the twist of the water around the body in that frame: 0 where the flow is the same over the body.
// - R is damping by matrices (hydro/fossen.h), evaluated at the midpoint itself: second order, and it takes energy at any rate.
// - K = p t^T - t p^T, for a force t square to the velocity (lift, Magnus force) and p = v / |v|^2, and the same for a torque and
//   the rate: -K nu is t at nu, and K is skew, so that the force turns with the velocity within the tick and does no work at any
//   rate. What force and torque have along velocity and rate is left in tau.
// - sigma = |nu_m - nu_w| / |nu - nu_w| in the norm of D: drag is quadratic in speed, so its secant grows with speed. D is positive
//   semidefinite, hence drag takes energy at any rate, and the step is second order along the motion. Across it, where the
//   direction of the flow changes within a tick, drag is first order: no term uses what the velocity was before.
// - G, where a body touches soil: the part of the wrench that changes with the velocity at the end, - G ( nu1 - nu ).
// - s = tan(x)/x, x = |w_m| dt / 2: with it the equation's own rotation, a Cayley map, is the exact rotation by dt w_m that
//   moves the pose. A torque-free body then keeps its angular momentum in the world to rounding, and its energy too.
//
// Solved by Newton's method; a tick in which a body turns so far that it finds no solution is parted. Source of the
// equation: Fossen 2021, eq. 8.4; of the midpoint rule's invariants: Simo & Wong 1991, "Unconditionally stable algorithms for rigid body dynamics".

#include "core/world.h"

#include <math.h>
#include <string.h>

#define ITERATIONS_MAX 30
#define PARTS_MAX      4096
#define TURN_MAX       3.0 // [rad]

double ds_motion_turn_factor( double x )
{
	// beyond 1.4 rad a half tick the factor stays: the pose then turns by what the equation turns
	if ( x > 1.4 )
	{
		x = 1.4;
	}
	return x < 1e-4 ? 1 + x * x / 3 : tan( x ) / x;
}

// Derivative of the turn factor by x.
static double turn_factor_slope( double x )
{
	double t = tan( x );
	return x > 1.4 ? 0 : x < 1e-4 ? 2 * x / 3 : ( 1 + t * t - t / x ) / x;
}

// Jacobian of C(nu) nu by nu, times a factor, added to `jacobian`.
static void coriolis_jacobian( const ds_mat6 *m, const double nu[6], double factor, double jacobian[6][6] )
{
	double p[6];
	for ( int i = 0; i < 6; ++i )
	{
		p[i] = 0;
		for ( int k = 0; k < 6; ++k )
		{
			p[i] += m->m[i][k] * nu[k];
		}
	}
	const double *v = nu, *w = nu + 3;
	for ( int k = 0; k < 6; ++k )
	{
		// d( w x P ) = dw x P + w x dP;  d( w x L + v x P ) = dw x L + w x dL + dv x P + v x dP, with dP, dL column k of M
		double dp[6];
		for ( int i = 0; i < 6; ++i )
		{
			dp[i] = m->m[i][k];
		}
		double a[3] = { w[1] * dp[2] - w[2] * dp[1], w[2] * dp[0] - w[0] * dp[2], w[0] * dp[1] - w[1] * dp[0] };
		double b[3] = { w[1] * dp[5] - w[2] * dp[4] + v[1] * dp[2] - v[2] * dp[1],
			w[2] * dp[3] - w[0] * dp[5] + v[2] * dp[0] - v[0] * dp[2],
			w[0] * dp[4] - w[1] * dp[3] + v[0] * dp[1] - v[1] * dp[0] };
		int j = k % 3, next = ( j + 1 ) % 3, last = ( j + 2 ) % 3;
		if ( k < 3 )
		{
			// e_k x P
			b[next] -= p[last];
			b[last] += p[next];
		}
		else
		{
			a[next] -= p[last];
			a[last] += p[next];
			b[next] -= p[3 + last];
			b[last] += p[3 + next];
		}
		for ( int i = 0; i < 3; ++i )
		{
			jacobian[i][k] += factor * a[i];
			jacobian[3 + i][k] += factor * b[i];
		}
	}
}

// LU factors with partial pivoting, in place; false if singular.
static bool lu_factor( double a[6][6], int pivot[6] )
{
	for ( int k = 0; k < 6; ++k )
	{
		int best = k;
		for ( int i = k + 1; i < 6; ++i )
		{
			if ( fabs( a[i][k] ) > fabs( a[best][k] ) )
			{
				best = i;
			}
		}
		pivot[k] = best;
		if ( !( fabs( a[best][k] ) > 0 ) )
		{
			return false;
		}
		if ( best != k )
		{
			double row[6];
			memcpy( row, a[k], sizeof( row ) );
			memcpy( a[k], a[best], sizeof( row ) );
			memcpy( a[best], row, sizeof( row ) );
		}
		double inverse = 1 / a[k][k];
		for ( int i = k + 1; i < 6; ++i )
		{
			double f = a[i][k] * inverse;
			a[i][k] = f;
			for ( int j = k + 1; j < 6; ++j )
			{
				a[i][j] -= f * a[k][j];
			}
		}
	}
	return true;
}

static void lu_solve( double a[6][6], const int pivot[6], double x[6] )
{
	for ( int k = 0; k < 6; ++k )
	{
		double t = x[pivot[k]];
		x[pivot[k]] = x[k];
		x[k] = t;
		for ( int i = k + 1; i < 6; ++i )
		{
			x[i] -= a[i][k] * t;
		}
	}
	for ( int k = 5; k >= 0; --k )
	{
		for ( int j = k + 1; j < 6; ++j )
		{
			x[k] -= a[k][j] * x[j];
		}
		x[k] /= a[k][k];
	}
}

static double quadratic_form( const ds_mat6 *d, const double x[6], double dx[6] )
{
	double sum = 0;
	for ( int i = 0; i < 6; ++i )
	{
		dx[i] = 0;
		for ( int k = 0; k < 6; ++k )
		{
			dx[i] += d->m[i][k] * x[k];
		}
		sum += x[i] * dx[i];
	}
	return sum;
}

// One evaluation: midpoint velocity, factors and residual of the equation times dt.
typedef struct midpoint
{
	double nu[6], dnu[6]; // nu_m and D nu_m
	double s, sigma, power;
	double x; // |w_m| dt / 2
	double coriolis[6];
	double residual[6];
	double resistance[6][6]; // derivative of R
} midpoint;

// K of force and torque, a block each: -K x = t (p.x) - p (t.x).
typedef struct gyre
{
	double t[6], p[6];
	double wrench[6]; // tau and what t leaves
} gyre;

static double dot3( const double a[3], const double b[3] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// What would turn the momentum (the angular momentum) by more than TURN_MAX in the tick sets it going rather than turns it: of a
// body that hardly moves or spins it stays in tau.
static gyre find_gyre( const ds_equation *e, double dt, const double nu[6] )
{
	gyre g;
	double momentum[6];
	quadratic_form( e->mass, nu, momentum );
	for ( int block = 0; block < 6; block += 3 )
	{
		double squared = dot3( nu + block, nu + block );
		double work = dot3( e->sideways + block, nu + block );
		double push = dt * dt * dot3( e->sideways + block, e->sideways + block );
		bool turns = push < TURN_MAX * TURN_MAX * dot3( momentum + block, momentum + block );
		for ( int i = block; i < block + 3; ++i )
		{
			g.p[i] = turns && squared > 0 ? nu[i] / squared : 0;
			g.t[i] = turns && squared > 0 ? e->sideways[i] - work * g.p[i] : 0;
			g.wrench[i] = e->wrench[i] + e->sideways[i] - g.t[i];
		}
	}
	return g;
}

static void evaluate( const ds_equation *e, const gyre *g, double power0, double dt, const double nu[6],
	const double nu1[6], midpoint *m )
{
	double difference[6], momentum[6], given[6] = { 0 }, flow[6], damping[6] = { 0 };
	for ( int i = 0; i < 6; ++i )
	{
		m->nu[i] = 0.5 * ( nu[i] + nu1[i] );
		difference[i] = nu1[i] - nu[i];
		flow[i] = m->nu[i] - e->water[i];
	}
	m->x = 0.5 * dt * sqrt( m->nu[3] * m->nu[3] + m->nu[4] * m->nu[4] + m->nu[5] * m->nu[5] );
	m->s = ds_motion_turn_factor( m->x );
	quadratic_form( e->mass, difference, momentum );
	if ( e->give )
	{
		quadratic_form( e->give, difference, given );
	}
	ds_coriolis( e->mass, m->nu, m->coriolis );
	m->power = 0;
	m->sigma = 0;
	if ( e->drag )
	{
		m->power = quadratic_form( e->drag, flow, m->dnu );
		m->sigma = power0 > 0 && m->power > 0 ? sqrt( m->power / power0 ) : 0;
	}
	if ( e->damping )
	{
		ds_fossen_resistance( e->damping, flow, damping, m->resistance );
	}
	const double along_p[2] = { dot3( g->p, m->nu ), dot3( g->p + 3, m->nu + 3 ) };
	const double along_t[2] = { dot3( g->t, m->nu ), dot3( g->t + 3, m->nu + 3 ) };
	for ( int i = 0; i < 6; ++i )
	{
		double force = g->wrench[i] - m->s * m->coriolis[i] - ( e->drag ? m->sigma * m->dnu[i] : 0 );
		force += g->t[i] * along_p[i / 3] - g->p[i] * along_t[i / 3] - e->damping_share * damping[i] - given[i];
		m->residual[i] = momentum[i] - dt * force;
	}
}

// Jacobian of the residual by nu1.
static void jacobian_at( const ds_equation *e, const gyre *g, double dt, const midpoint *m, double a[6][6] )
{
	memcpy( a, e->mass->m, sizeof( e->mass->m ) );
	coriolis_jacobian( e->mass, m->nu, 0.5 * dt * m->s, a );
	if ( m->x > 0 )
	{
		// ds/dw_m = s'(x) (dt/2)^2 w_m / x
		double slope = 0.125 * dt * dt * dt * turn_factor_slope( m->x ) / m->x;
		for ( int i = 0; i < 6; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				a[i][3 + k] += slope * m->coriolis[i] * m->nu[3 + k];
			}
		}
	}
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < 6; ++k )
		{
			if ( e->drag && m->sigma > 0 )
			{
				a[i][k] += 0.5 * dt * m->sigma * ( e->drag->m[i][k] + m->dnu[i] * m->dnu[k] / m->power );
			}
			if ( e->damping )
			{
				a[i][k] += 0.5 * dt * e->damping_share * m->resistance[i][k];
			}
			if ( e->give )
			{
				a[i][k] += dt * e->give->m[i][k];
			}
			if ( i / 3 == k / 3 )
			{
				a[i][k] += 0.5 * dt * ( g->p[i] * g->t[k] - g->t[i] * g->p[k] );
			}
		}
	}
}

typedef enum solution
{
	SOLVED,
	NOT_SOLVED, // the tick is too long for the turn
	SINGULAR
} solution;

// Newton's method for one step. `power0` is the power of D at the velocity that it is the secant at.
static solution newton(
	const ds_equation *e, const gyre *g, double power0, double dt, const double nu[6], double nu1[6] )
{
	memcpy( nu1, nu, 6 * sizeof( double ) );
	double a[6][6];
	int pivot[6];
	double last = INFINITY;
	bool refresh = true;
	for ( int iteration = 0; iteration < ITERATIONS_MAX; ++iteration )
	{
		midpoint m;
		evaluate( e, g, power0, dt, nu, nu1, &m );

		// a Jacobian serves until it no longer brings the error down fast
		bool refreshed = refresh;
		if ( refresh )
		{
			jacobian_at( e, g, dt, &m, a );
			if ( !lu_factor( a, pivot ) )
			{
				return SINGULAR;
			}
		}
		double change = 0, size = 0;
		lu_solve( a, pivot, m.residual );
		for ( int i = 0; i < 6; ++i )
		{
			nu1[i] -= m.residual[i];
			change += fabs( m.residual[i] );
			size += fabs( nu1[i] );
		}

		// done when what is left is rounding, or when a new Jacobian no longer helps
		double rate = iteration > 0 ? change / last : 1;
		bool converged = rate <= 2 && change * fmax( fmin( rate, 1 ), 0.01 ) <= 1e-16 * size;
		if ( converged || ( refreshed && rate > 0.25 && change < 1e-11 * size ) )
		{
			return SOLVED;
		}
		if ( !( rate <= 2 ) )
		{
			return NOT_SOLVED;
		}
		refresh = iteration > 0 && rate > 0.1;
		last = change;
	}
	return NOT_SOLVED;
}

// Adds one step to the motion: the pose turns by what the equation turned, and moves with the mean of old and new velocity.
static void move( const double nu[6], const double nu1[6], double dt, ds_motion *motion )
{
	ds_vec3 mean = ds_v3( 0.5 * ( nu[3] + nu1[3] ), 0.5 * ( nu[4] + nu1[4] ), 0.5 * ( nu[5] + nu1[5] ) );
	ds_vec3 half = ds_scale( 0.5 * dt * ds_motion_turn_factor( 0.5 * dt * ds_length( mean ) ), mean );
	ds_quat turned = ds_quat_normalize( ds_quat_mul( motion->turn, ( ds_quat ){ 1, half.x, half.y, half.z } ) );
	ds_vec3 before = ds_rotate( motion->turn, ds_v3( nu[0], nu[1], nu[2] ) );
	ds_vec3 after = ds_rotate( turned, ds_v3( nu1[0], nu1[1], nu1[2] ) );
	motion->way = ds_mad( motion->way, 0.5 * dt, ds_add( before, after ) );
	motion->turn = turned;
}

ds_status ds_motion_solve( const ds_equation *given, double dt, const double nu[6], ds_motion *motion )
{
	ds_equation e = *given;
	double power0 = 0, flow[6], unused[6], from[6];
	if ( e.drag )
	{
		for ( int i = 0; i < 6; ++i )
		{
			flow[i] = nu[i] - e.water[i];
		}
		power0 = e.drag_power > 0 ? e.drag_power : quadratic_form( e.drag, flow, unused );
		e.drag = power0 > 0 ? e.drag : NULL;
	}
	gyre g = find_gyre( &e, dt, nu );

	// a motion that turns too far for one step takes several shorter ones, each of which keeps the invariants too
	for ( int parts = 1; parts <= PARTS_MAX; parts *= 4 )
	{
		solution found = SOLVED;
		*motion = ( ds_motion ){ .turn = ds_quat_identity() };
		memcpy( motion->nu, nu, sizeof( from ) );
		for ( int i = 0; i < parts && found == SOLVED; ++i )
		{
			memcpy( from, motion->nu, sizeof( from ) );
			found = newton( &e, &g, power0, dt / parts, from, motion->nu );
			move( from, motion->nu, dt / parts, motion );
		}
		if ( found == SINGULAR )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "the mass matrix is singular" );
		}
		if ( found == SOLVED )
		{
			return DS_OK;
		}
	}
	return ds_error( DS_ERROR_NOT_FINITE, "the motion is too fast for the rate" );
}
