// The likelihood of an Allan curve and its maximum: sensors/allan_fit.h has the equations.

#include "sensors/allan_fit.h"

#include <math.h>
#include <string.h>

// ---- expectations ------------------------------------------------------------------------------------------------

static uint32_t asked_terms( const ds_allan_problem *problem )
{
	uint32_t terms = 0;
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		terms |= problem->asked[t] ? 1u << t : 0;
	}
	return terms;
}

void ds_allan_problem_markov( ds_allan_problem *problem, double markov_tau )
{
	ds_allan_basis basis = ds_allan_basis_make( problem->dt, problem->bandwidth, markov_tau, 1u << DS_ALLAN_MARKOV );
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		double unit[DS_ALLAN_TERMS];
		ds_allan_expect( &basis, &problem->estimate[j], unit );
		problem->unit[j][DS_ALLAN_MARKOV] = unit[DS_ALLAN_MARKOV];
	}
}

void ds_allan_problem_expect( ds_allan_problem *problem, double markov_tau )
{
	ds_allan_basis basis = ds_allan_basis_make( problem->dt, problem->bandwidth, markov_tau, asked_terms( problem ) );
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		ds_allan_expect( &basis, &problem->estimate[j], problem->unit[j] );
	}
	// scale: the most that a term can be without being above the curve
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		double most = INFINITY;
		for ( int32_t j = 0; j < problem->points; ++j )
		{
			most = problem->unit[j][t] > 0 ? fmin( most, problem->variance[j] / problem->unit[j][t] ) : most;
		}
		problem->scale[t] = isfinite( most ) ? most : 1;
	}
	// sigma^2 has the same scale for every time constant
	problem->scale[DS_ALLAN_MARKOV] = 0;
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		problem->scale[DS_ALLAN_MARKOV] = fmax( problem->scale[DS_ALLAN_MARKOV], problem->variance[j] );
	}
}

// A Gauss-Markov coefficient to start from, below the curve everywhere.
static double markov_start( const ds_allan_problem *problem )
{
	double least = INFINITY;
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		least = fmin( least, problem->variance[j] / problem->unit[j][DS_ALLAN_MARKOV] );
	}
	return 0.3 * least / problem->scale[DS_ALLAN_MARKOV];
}

static double expected( const ds_allan_problem *problem, int32_t j, const double p[] )
{
	double mu = 0;
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		mu += problem->asked[t] ? p[t] * problem->scale[t] * problem->unit[j][t] : 0;
	}
	return mu;
}

// ---- weights -----------------------------------------------------------------------------------------------------

static bool cholesky( double *a, int32_t n )
{
	for ( int32_t j = 0; j < n; ++j )
	{
		for ( int32_t i = j; i < n; ++i )
		{
			double sum = a[i * n + j];
			for ( int32_t k = 0; k < j; ++k )
			{
				sum -= a[i * n + k] * a[j * n + k];
			}
			if ( i == j )
			{
				if ( !( sum > 0 ) )
				{
					return false;
				}
				a[j * n + j] = sqrt( sum );
			}
			else
			{
				a[i * n + j] = sum / a[j * n + j];
			}
		}
	}
	return true;
}

static double bilinear( const double products[DS_ALLAN_PRODUCTS], const double theta[DS_ALLAN_TERMS] )
{
	double sum = 0;
	for ( int32_t s = 0; s < DS_ALLAN_PRODUCTS; ++s )
	{
		sum += theta[s / DS_ALLAN_TERMS] * theta[s % DS_ALLAN_TERMS] * products[s];
	}
	return sum;
}

bool ds_allan_problem_weigh( ds_allan_problem *problem, const double p[DS_FIT_SIZE] )
{
	double tau = problem->asked[DS_ALLAN_MARKOV] ? exp( p[DS_FIT_TAU] ) : 0, theta[DS_ALLAN_TERMS];
	if ( problem->products_tau != tau && ( problem->products_tau < 0 || tau > 0 ) )
	{
		ds_allan_basis basis = ds_allan_basis_make( problem->dt, problem->bandwidth, tau, asked_terms( problem ) );
		for ( int32_t i = 0, at = 0; i < problem->points; ++i )
		{
			for ( int32_t j = 0; j <= i; ++j )
			{
				ds_allan_covariance( &basis, &problem->estimate[j], &problem->estimate[i], problem->products[at++] );
			}
		}
		problem->products_tau = tau;
	}
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		theta[t] = problem->asked[t] ? p[t] * problem->scale[t] : 0;
	}
	int32_t n = problem->points;
	double deviation[DS_FIT_POINTS];
	for ( int32_t i = 0, at = 0; i < n; ++i )
	{
		for ( int32_t j = 0; j <= i; ++j, ++at )
		{
			double v = bilinear( problem->products[at], theta );
			if ( i == j )
			{
				double mu = expected( problem, i, p );
				problem->freedom[i] = 2 * mu * mu / v;
				deviation[i] = sqrt( v );
			}
			// what the sums over lags are accurate to keeps the matrix definite
			problem->root[i * n + j] = i == j ? 1 + 1e-6 : v / ( deviation[j] );
		}
		for ( int32_t j = 0; j < i; ++j )
		{
			problem->root[i * n + j] /= deviation[i];
		}
	}
	problem->correlated = cholesky( problem->root, n );
	return problem->correlated;
}

// x = L^-1 x
static void whiten( const ds_allan_problem *problem, double *x )
{
	int32_t n = problem->points;
	for ( int32_t i = 0; problem->correlated && i < n; ++i )
	{
		double sum = x[i];
		for ( int32_t k = 0; k < i; ++k )
		{
			sum -= problem->root[i * n + k] * x[k];
		}
		x[i] = sum / problem->root[i * n + i];
	}
}

// ---- likelihood --------------------------------------------------------------------------------------------------

// F with r (whitened), and by d log mu: the derivative of each r (not whitened).
static double likelihood(
	const ds_allan_problem *problem, const double p[], double r[], double slope[], double *square )
{
	double f = 0;
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		double mu = expected( problem, j, p );
		if ( !( mu > 0 ) )
		{
			*square = INFINITY;
			return INFINITY;
		}
		if ( problem->known_length )
		{
			double s = sqrt( 2 / ( 9 * problem->freedom[j] ) ), z = cbrt( problem->variance[j] / mu );
			r[j] = ( z - 1 + s * s ) / s;
			slope[j] = -z / ( 3 * s );
			f += 2.0 / 3 * log( mu / problem->variance[j] );
		}
		else
		{
			r[j] = log( problem->variance[j] / mu );
			slope[j] = -1;
		}
	}
	whiten( problem, r );
	*square = 0;
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		*square += r[j] * r[j];
	}
	return f + *square;
}

// Derivatives of log mu by the parameters.
static void gradients( ds_allan_problem *problem, const double p[], double d[DS_FIT_SIZE][DS_FIT_POINTS] )
{
	for ( int32_t j = 0; j < problem->points; ++j )
	{
		double mu = expected( problem, j, p );
		for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
		{
			d[t][j] = problem->asked[t] ? problem->scale[t] * problem->unit[j][t] / mu : 0;
		}
		d[DS_FIT_TAU][j] = 0;
	}
	if ( problem->asked[DS_FIT_TAU] && p[DS_ALLAN_MARKOV] > 0 )
	{
		const double step = 1e-4;
		double tau = exp( p[DS_FIT_TAU] ), up[DS_FIT_POINTS];
		ds_allan_problem_markov( problem, tau * exp( step ) );
		for ( int32_t j = 0; j < problem->points; ++j )
		{
			up[j] = problem->unit[j][DS_ALLAN_MARKOV];
		}
		ds_allan_problem_markov( problem, tau );
		for ( int32_t j = 0; j < problem->points; ++j )
		{
			d[DS_FIT_TAU][j] =
				p[DS_ALLAN_MARKOV] * d[DS_ALLAN_MARKOV][j] * ( up[j] / problem->unit[j][DS_ALLAN_MARKOV] - 1 ) / step;
		}
	}
}

// Solves a x = b for the free parameters, whose diagonal is raised by `damping`; the others get 0.
static bool solve_free( const double a[], const double b[], const bool free[], double damping, double x[] )
{
	int32_t at[DS_FIT_SIZE], n = 0;
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		x[t] = 0;
		if ( free[t] )
		{
			at[n++] = t;
		}
	}
	double l[DS_FIT_SIZE * DS_FIT_SIZE], y[DS_FIT_SIZE];
	for ( int32_t i = 0; i < n; ++i )
	{
		for ( int32_t j = 0; j < n; ++j )
		{
			l[i * n + j] = a[at[i] * DS_FIT_SIZE + at[j]] * ( i == j ? 1 + damping : 1 );
		}
	}
	if ( !cholesky( l, n ) )
	{
		return false;
	}
	for ( int32_t i = 0; i < n; ++i )
	{
		y[i] = b[at[i]];
		for ( int32_t k = 0; k < i; ++k )
		{
			y[i] -= l[i * n + k] * y[k];
		}
		y[i] /= l[i * n + i];
	}
	for ( int32_t i = n - 1; i >= 0; --i )
	{
		for ( int32_t k = i + 1; k < n; ++k )
		{
			y[i] -= l[k * n + i] * y[k];
		}
		y[i] /= l[i * n + i];
		x[at[i]] = y[i];
	}
	return true;
}

// Half the gradient of F, and half its expected second derivatives.
static void normal_equations(
	ds_allan_problem *problem, const double p[], const double r[], const double slope[], double gradient[], double h[] )
{
	double d[DS_FIT_SIZE][DS_FIT_POINTS];
	gradients( problem, p, d );
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		gradient[t] = 0;
		for ( int32_t j = 0; j < problem->points; ++j )
		{
			gradient[t] += problem->known_length ? d[t][j] / 3 : 0;
			d[t][j] *= slope[j];
		}
		whiten( problem, d[t] );
	}
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		for ( int32_t j = 0; j < problem->points; ++j )
		{
			gradient[t] += d[t][j] * r[j];
		}
		for ( int32_t s = 0; s < DS_FIT_SIZE; ++s )
		{
			double sum = 0;
			for ( int32_t j = 0; j < problem->points; ++j )
			{
				sum += d[t][j] * d[s][j];
			}
			h[t * DS_FIT_SIZE + s] = sum;
		}
	}
}

// Which parameters may move: not those at a bound that F pushes them to. Turns the gradient about.
static void find_free(
	const ds_allan_problem *problem, const bool fixed[], const ds_allan_solution *s, double gradient[], bool free[] )
{
	double low = log( problem->tau_low ), high = log( problem->tau_high );
	for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
	{
		bool bound = s->p[t] <= 0 && gradient[t] >= 0;
		if ( t == DS_FIT_TAU )
		{
			bound = !( s->p[DS_ALLAN_MARKOV] > 0 ) || ( s->p[t] <= low && gradient[t] >= 0 ) ||
					( s->p[t] >= high && gradient[t] <= 0 );
		}
		free[t] = problem->asked[t] && !fixed[t] && !bound && s->information[t * DS_FIT_SIZE + t] > 0;
		gradient[t] = -gradient[t];
	}
}

void ds_allan_minimise( ds_allan_problem *problem, const bool fixed[DS_FIT_SIZE], ds_allan_solution *s )
{
	double r[DS_FIT_POINTS], slope[DS_FIT_POINTS], gradient[DS_FIT_SIZE], damping = 1e-3;
	if ( problem->asked[DS_FIT_TAU] )
	{
		ds_allan_problem_markov( problem, exp( s->p[DS_FIT_TAU] ) );
	}
	s->f = likelihood( problem, s->p, r, slope, &s->square );
	for ( int32_t iteration = 0; iteration < 200; ++iteration )
	{
		normal_equations( problem, s->p, r, slope, gradient, s->information );
		bool free[DS_FIT_SIZE];
		find_free( problem, fixed, s, gradient, free );
		bool better = false;
		double gain = 0;
		for ( ; !better && damping < 1e12; damping *= better ? 1 : 8 )
		{
			ds_allan_solution next = *s;
			double step[DS_FIT_SIZE];
			if ( !solve_free( s->information, gradient, free, damping, step ) )
			{
				continue;
			}
			for ( int32_t t = 0; t < DS_FIT_SIZE; ++t )
			{
				next.p[t] = t < DS_ALLAN_TERMS
								? fmax( 0, s->p[t] + step[t] )
								: fmin( log( problem->tau_high ),
									  fmax( log( problem->tau_low ), s->p[t] + fmin( 1, fmax( -1, step[t] ) ) ) );
			}
			if ( problem->asked[DS_FIT_TAU] && next.p[DS_FIT_TAU] != s->p[DS_FIT_TAU] )
			{
				ds_allan_problem_markov( problem, exp( next.p[DS_FIT_TAU] ) );
			}
			double rn[DS_FIT_POINTS], sn[DS_FIT_POINTS];
			next.f = likelihood( problem, next.p, rn, sn, &next.square );
			gain = s->f - next.f;
			better = gain >= 0;
			if ( better )
			{
				*s = next;
				memcpy( r, rn, sizeof r );
				memcpy( slope, sn, sizeof slope );
			}
		}
		damping = fmax( 1e-9, damping / 10 );
		if ( !better || gain < 1e-8 )
		{
			break;
		}
	}
	if ( problem->asked[DS_FIT_TAU] )
	{
		ds_allan_problem_markov( problem, exp( s->p[DS_FIT_TAU] ) );
	}
	s->f = likelihood( problem, s->p, r, slope, &s->square );
	normal_equations( problem, s->p, r, slope, gradient, s->information );
}

// ---- the whole fit -----------------------------------------------------------------------------------------------

// Looks for the time constant: the best of those a third of a decade apart, then by all parameters together.
static void search( ds_allan_problem *problem, ds_allan_solution *best )
{
	bool fixed[DS_FIT_SIZE] = { false };
	if ( problem->asked[DS_FIT_TAU] )
	{
		ds_allan_solution start = *best;
		fixed[DS_FIT_TAU] = true;
		best->f = INFINITY;
		double low = log( problem->tau_low ), high = log( problem->tau_high );
		int32_t steps = 1 + (int32_t)( ( high - low ) / 0.7 );
		for ( int32_t i = 0; i <= steps; ++i )
		{
			ds_allan_solution s = start;
			s.p[DS_FIT_TAU] = low + ( high - low ) * i / steps;
			ds_allan_problem_markov( problem, exp( s.p[DS_FIT_TAU] ) );
			s.p[DS_ALLAN_MARKOV] = markov_start( problem );
			ds_allan_minimise( problem, fixed, &s );
			*best = s.f < best->f ? s : *best;
		}
		fixed[DS_FIT_TAU] = false;
	}
	ds_allan_minimise( problem, fixed, best );
}

void ds_allan_solve( ds_allan_problem *problem, ds_allan_solution *solution )
{
	*solution = ( ds_allan_solution ){ .p = { 0.3, 0.3, 0.3, 0.3, 0.3, 0 } };
	problem->correlated = false;
	solution->p[DS_FIT_TAU] = 0.5 * log( problem->tau_low * problem->tau_high );
	ds_allan_problem_expect( problem, exp( solution->p[DS_FIT_TAU] ) );
	search( problem, solution );
	for ( int32_t round = 0; problem->known_length && round < 4; ++round )
	{
		double before = round > 0 ? solution->f : INFINITY;
		if ( !ds_allan_problem_weigh( problem, solution->p ) )
		{
			break;
		}
		if ( round == 0 )
		{
			search( problem, solution );
		}
		else
		{
			const bool fixed[DS_FIT_SIZE] = { false };
			ds_allan_minimise( problem, fixed, solution );
		}
		if ( fabs( solution->f - before ) < 1e-3 )
		{
			break;
		}
	}
}

// ---- confidence --------------------------------------------------------------------------------------------------

double ds_allan_profile(
	ds_allan_problem *problem, const ds_allan_solution *best, int32_t t, int32_t side, double growth )
{
	bool fixed[DS_FIT_SIZE] = { false }, logarithm = t == DS_FIT_TAU;
	fixed[t] = true;
	ds_allan_solution s = *best;
	if ( side < 0 && !logarithm )
	{
		s.p[t] = 0;
		ds_allan_minimise( problem, fixed, &s );
		if ( s.f - best->f < growth || best->p[t] <= 0 )
		{
			return 0;
		}
	}
	// in the logarithm: outwards by growing steps from the best, then halving
	double end = logarithm ? log( side < 0 ? problem->tau_low : problem->tau_high ) : side * 60.0;
	double inside = logarithm ? best->p[t] : log( fmax( best->p[t], 1e-6 ) ), outside = end;
	double information = best->information[t * DS_FIT_SIZE + t] * ( logarithm ? 1 : best->p[t] * best->p[t] );
	double step = fmin( 0.5, fmax( 1e-4, sqrt( growth / fmax( information, 1e-12 ) ) ) );
	s = *best;
	for ( double x = inside + side * step; side * ( end - x ) > 0; step *= 1.6, x = inside + side * step )
	{
		s.p[t] = logarithm ? x : exp( x );
		ds_allan_minimise( problem, fixed, &s );
		if ( s.f - best->f > growth )
		{
			outside = x;
			break;
		}
		inside = x;
	}
	for ( int32_t i = 0; i < 14 && outside != end; ++i )
	{
		double x = 0.5 * ( inside + outside );
		s.p[t] = logarithm ? x : exp( x );
		ds_allan_minimise( problem, fixed, &s );
		*( s.f - best->f > growth ? &outside : &inside ) = x;
	}
	return logarithm ? outside : exp( outside );
}
