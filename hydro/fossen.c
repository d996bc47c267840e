#include "hydro/fossen.h"

#include "base/base.h"
#include "deepsim/math.h"
#include "hydro/mass.h"

#include <string.h>

// ---- checks ------------------------------------------------------------------------------------------------------

static ds_status check_finite( const ds_mat6 *m, const char *what )
{
	for ( int i = 0; i < 36; ++i )
	{
		if ( !isfinite( m->m[i / 6][i % 6] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "%s[%d][%d] must be finite", what, i / 6, i % 6 );
		}
	}
	return DS_OK;
}

// The parts that a diagonal and a pair of entries can spoil, for a sentence that names them.
static ds_status check_linear( const ds_mat6 *d, const char *what )
{
	DS_TRY( check_finite( d, what ) );
	ds_mat6 symmetric;
	for ( int i = 0; i < 6; ++i )
	{
		if ( d->m[i][i] < 0 )
		{
			return ds_error( DS_ERROR_RANGE, "%s[%d][%d] is %g: damping takes energy, so it must not be negative", what,
				i, i, d->m[i][i] );
		}
		for ( int k = 0; k < 6; ++k )
		{
			symmetric.m[i][k] = 0.5 * ( d->m[i][k] + d->m[k][i] );
		}
	}
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			double s = symmetric.m[i][k], most = sqrt( d->m[i][i] * d->m[k][k] );
			if ( fabs( s ) > most * ( 1 + 1e-9 ) )
			{
				return ds_error( DS_ERROR_RANGE,
					"%s adds energy: ([%d][%d] + [%d][%d])/2 is %g, at most %g in size, the root of [%d][%d] [%d][%d], "
					"takes it",
					what, i, k, k, i, s, most, i, i, k, k );
			}
		}
	}
	return ds_mat6_check_spd( &symmetric, false, what );
}

// Power that the scaled Q takes at y: sum_i y_i sum_j c_ij |y_j| y_j; and its gradient.
static double scaled_power( double c[6][6], const double y[6], double gradient[6] )
{
	double power = 0;
	memset( gradient, 0, 6 * sizeof( double ) );
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			double term = c[i][j] * fabs( y[j] );
			power += y[i] * term * y[j];
			gradient[i] += term * y[j];
			gradient[j] += 2 * y[i] * term;
		}
	}
	return power;
}

// To sum |y|^3 = 1.
static void normalize( double y[6] )
{
	double sum = 0;
	for ( int i = 0; i < 6; ++i )
	{
		sum += fabs( y[i] * y[i] * y[i] );
	}
	double k = 1 / cbrt( sum );
	for ( int i = 0; i < 6; ++i )
	{
		y[i] *= k;
	}
}

// The least power near a start, by gradient descent with halved steps.
static double descend( double c[6][6], double y[6] )
{
	double gradient[6], step = 0.2;
	normalize( y );
	double least = scaled_power( c, y, gradient );
	for ( int n = 0; n < 400 && step > 1e-9; ++n )
	{
		double trial[6], slope[6];
		for ( int i = 0; i < 6; ++i )
		{
			trial[i] = y[i] - step * gradient[i];
		}
		normalize( trial );
		double power = scaled_power( c, trial, slope );
		if ( power < least )
		{
			least = power;
			memcpy( y, trial, sizeof( trial ) );
			memcpy( gradient, slope, sizeof( slope ) );
			step *= 1.5;
		}
		else
		{
			step *= 0.5;
		}
	}
	return least;
}

// Start n of 92: all 32 patterns of signs (up to the sense of the whole), then pairs of axes, with both signs and unequal sizes.
static void start_of_search( int n, double y[6] )
{
	memset( y, 0, 6 * sizeof( double ) );
	for ( int i = 0; i < 6 && n < 32; ++i )
	{
		y[i] = n >> i & 1 ? -1 : 1;
	}
	for ( int i = 0, pair = 32; i < 6 && n >= 32; ++i )
	{
		for ( int j = 0; j < i; ++j, pair += 4 )
		{
			if ( n >= pair && n < pair + 4 )
			{
				y[i] = n & 1 ? -1 : 1;
				y[j] = n & 2 ? 0.5 : 2;
			}
		}
	}
}

static ds_status spoiled( const ds_mat6 *q, double c[6][6], const double y[6] )
{
	// the entry that gives most
	int at_i = 0, at_j = 0;
	double worst = 0;
	for ( int i = 0; i < 36; ++i )
	{
		double power = y[i / 6] * c[i / 6][i % 6] * fabs( y[i % 6] ) * y[i % 6];
		if ( power < worst )
		{
			worst = power;
			at_i = i / 6;
			at_j = i % 6;
		}
	}
	return ds_error( DS_ERROR_RANGE,
		"damping.quadratic adds energy: [%d][%d] is %g, too large for [%d][%d], %g, and [%d][%d], %g", at_i, at_j,
		q->m[at_i][at_j], at_i, at_i, q->m[at_i][at_i], at_j, at_j, q->m[at_j][at_j] );
}

static ds_status check_quadratic( const ds_mat6 *q )
{
	const char *what = "damping.quadratic";
	DS_TRY( check_finite( q, what ) );
	double c[6][6], y[6];
	bool sure = true;
	for ( int i = 0; i < 6; ++i )
	{
		if ( q->m[i][i] < 0 )
		{
			return ds_error( DS_ERROR_RANGE, "%s[%d][%d] is %g: damping takes energy, so it must not be negative", what,
				i, i, q->m[i][i] );
		}
	}
	for ( int n = 0; n < 36; ++n )
	{
		int i = n / 6, j = n % 6;
		double scale = cbrt( q->m[i][i] ) * cbrt( q->m[j][j] ) * cbrt( q->m[j][j] );
		if ( q->m[i][j] != 0 && !( scale > 0 ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s adds energy: [%d][%d] is %g, but [%d][%d] is 0", what, i, j,
				q->m[i][j], q->m[i][i] > 0 ? j : i, q->m[i][i] > 0 ? j : i );
		}
		c[i][j] = q->m[i][j] != 0 ? q->m[i][j] / scale : 0;
	}
	for ( int i = 0; i < 6; ++i )
	{
		double sum = 0;
		for ( int j = 0; j < 6; ++j )
		{
			sum += j == i ? 0 : ( fabs( c[i][j] ) + 2 * fabs( c[j][i] ) ) / 3;
		}
		sure = sure && sum <= 1;
	}
	for ( int n = 0; n < 92 && !sure; ++n )
	{
		start_of_search( n, y );
		if ( descend( c, y ) < -1e-9 )
		{
			return spoiled( q, c, y );
		}
	}
	return DS_OK;
}

ds_status ds_fossen_check( const ds_fossen *fossen )
{
	if ( !ds_finite( fossen->about ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "damping.about must be finite" );
	}
	DS_TRY( check_linear( &fossen->linear, "damping.linear" ) );
	DS_TRY( check_linear( &fossen->forward, "damping.forward" ) );
	return check_quadratic( &fossen->quadratic );
}

bool ds_fossen_is_none( const ds_fossen *fossen )
{
	for ( int i = 0; i < 36; ++i )
	{
		int a = i / 6, b = i % 6;
		if ( fossen->linear.m[a][b] != 0 || fossen->quadratic.m[a][b] != 0 || fossen->forward.m[a][b] != 0 )
		{
			return false;
		}
	}
	return true;
}

// ---- resistance --------------------------------------------------------------------------------------------------

// Twist of the point `about` from that of the reference point: ( v + w x about, w ).
static void twist_about( ds_vec3 about, const double nu[6], double out[6] )
{
	ds_vec3 v = ds_add( ds_v3( nu[0], nu[1], nu[2] ), ds_cross( ds_v3( nu[3], nu[4], nu[5] ), about ) );
	const double at[6] = { v.x, v.y, v.z, nu[3], nu[4], nu[5] };
	memcpy( out, at, sizeof( at ) );
}

// Wrench about the reference point from one about the point `about`, in place: torque + about x force.
static void wrench_from( ds_vec3 about, double w[6] )
{
	ds_vec3 torque = ds_cross( about, ds_v3( w[0], w[1], w[2] ) );
	w[3] += torque.x;
	w[4] += torque.y;
	w[5] += torque.z;
}

void ds_fossen_resistance( const ds_fossen *f, const double nu[6], double resistance[6], double derivative[6][6] )
{
	double at[6], own[6][6];
	twist_about( f->about, nu, at );
	double u = fabs( at[0] ), sense = at[0] > 0 ? 1 : at[0] < 0 ? -1 : 0;
	for ( int i = 0; i < 6; ++i )
	{
		double lift = 0;
		resistance[i] = 0;
		for ( int j = 0; j < 6; ++j )
		{
			double straight = f->linear.m[i][j] + u * f->forward.m[i][j];
			double square = f->quadratic.m[i][j] * fabs( at[j] );
			resistance[i] += ( straight + square ) * at[j];
			lift += f->forward.m[i][j] * at[j];
			own[i][j] = straight + 2 * square;
		}
		own[i][0] += sense * lift;
	}
	wrench_from( f->about, resistance );
	if ( derivative == NULL )
	{
		return;
	}
	// H^T own H: columns by the twists of unit velocities
	for ( int k = 0; k < 6; ++k )
	{
		double unit[6] = { 0 }, column[6];
		unit[k] = 1;
		twist_about( f->about, unit, at );
		for ( int i = 0; i < 6; ++i )
		{
			column[i] = 0;
			for ( int j = 0; j < 6; ++j )
			{
				column[i] += own[i][j] * at[j];
			}
		}
		wrench_from( f->about, column );
		for ( int i = 0; i < 6; ++i )
		{
			derivative[i][k] = column[i];
		}
	}
}

// ---- buoyancy ----------------------------------------------------------------------------------------------------

double ds_wet_share_of_sphere( double volume, double depth )
{
	double radius = cbrt( 0.75 / DS_PI * fabs( volume ) );
	double h = radius > 0 ? fmin( fmax( depth / radius, -1 ), 1 ) : depth > 0 ? 1 : -1;
	return 0.25 * ( 1 + h ) * ( 1 + h ) * ( 2 - h );
}

ds_wrench ds_buoyancy( double volume, ds_vec3 cb, ds_vec3 down, double density, double gravity )
{
	ds_wrench w;
	w.force = ds_scale( -density * gravity * volume, down );
	w.torque = ds_cross( cb, w.force );
	return w;
}
