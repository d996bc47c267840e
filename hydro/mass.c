#include "hydro/mass.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <float.h>
#include <string.h>

static ds_mat6 multiply( const ds_mat6 *a, const ds_mat6 *b )
{
	ds_mat6 r;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			double sum = 0;
			for ( int k = 0; k < 6; ++k )
			{
				sum += a->m[i][k] * b->m[k][j];
			}
			r.m[i][j] = sum;
		}
	}
	return r;
}

// T^T M T, made exactly symmetric where M is.
static ds_mat6 congruence( const ds_mat6 *m, const ds_mat6 *t )
{
	ds_mat6 transposed;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			transposed.m[i][j] = t->m[j][i];
		}
	}
	ds_mat6 mt = multiply( m, t );
	ds_mat6 r = multiply( &transposed, &mt );
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			r.m[i][j] = r.m[j][i] = 0.5 * ( r.m[i][j] + r.m[j][i] );
		}
	}
	return r;
}

ds_mat6 ds_mat6_rigid( double mass, ds_vec3 cg, const ds_mat3 *inertia_about_cg )
{
	ds_mat6 r;
	memset( &r, 0, sizeof( r ) );
	for ( int i = 0; i < 3; ++i )
	{
		r.m[i][i] = mass;
		for ( int j = 0; j < 3; ++j )
		{
			r.m[3 + i][3 + j] = inertia_about_cg->m[i][j];
		}
	}
	return ds_mat6_shift( &r, cg );
}

ds_mat6 ds_mat6_shift( const ds_mat6 *m, ds_vec3 from )
{
	// the velocity at `from` of a body that moves with nu at the origin is v + w x from = v - S(from) w
	const ds_mat6 h = { {
		{ 1, 0, 0, 0, from.z, -from.y },
		{ 0, 1, 0, -from.z, 0, from.x },
		{ 0, 0, 1, from.y, -from.x, 0 },
		{ 0, 0, 0, 1, 0, 0 },
		{ 0, 0, 0, 0, 1, 0 },
		{ 0, 0, 0, 0, 0, 1 },
	} };
	return congruence( m, &h );
}

ds_mat6 ds_mat6_rotate( const ds_mat6 *m, ds_quat attitude )
{
	ds_mat3 r = ds_mat3_from_quat( attitude );
	ds_mat6 t;
	memset( &t, 0, sizeof( t ) );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			t.m[i][j] = t.m[3 + i][3 + j] = r.m[j][i];
		}
	}
	return congruence( m, &t );
}

ds_mat6 ds_mat6_add( const ds_mat6 *a, const ds_mat6 *b )
{
	ds_mat6 r;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			r.m[i][j] = a->m[i][j] + b->m[i][j];
		}
	}
	return r;
}

// Least eigenvalue of a symmetric matrix, by Jacobi's method.
static double least_eigenvalue( const ds_mat6 *m )
{
	double a[6][6];
	memcpy( a, m->m, sizeof( a ) );
	for ( int sweep = 0; sweep < 40; ++sweep )
	{
		double off = 0, all = 0;
		for ( int p = 0; p < 6; ++p )
		{
			for ( int q = 0; q < 6; ++q )
			{
				all += a[p][q] * a[p][q];
				off += p == q ? 0 : a[p][q] * a[p][q];
			}
		}
		if ( !( off > 1e-32 * all ) )
		{
			break;
		}
		for ( int p = 0; p < 5; ++p )
		{
			for ( int q = p + 1; q < 6; ++q )
			{
				double angle = 0.5 * atan2( 2 * a[p][q], a[q][q] - a[p][p] ), c = cos( angle ), s = sin( angle );
				for ( int k = 0; k < 6; ++k )
				{
					double x = a[k][p], y = a[k][q];
					a[k][p] = c * x - s * y;
					a[k][q] = s * x + c * y;
				}
				for ( int k = 0; k < 6; ++k )
				{
					double x = a[p][k], y = a[q][k];
					a[p][k] = c * x - s * y;
					a[q][k] = s * x + c * y;
				}
			}
		}
	}
	double least = a[0][0];
	for ( int i = 1; i < 6; ++i )
	{
		least = fmin( least, a[i][i] );
	}
	return least;
}

ds_status ds_mat6_check_spd( const ds_mat6 *m, bool definite, const char *what )
{
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			if ( !isfinite( m->m[i][j] ) )
			{
				return ds_error( DS_ERROR_NOT_FINITE, "%s: entry [%d][%d] is not finite", what, i, j );
			}
		}
	}

	// rows are scaled to a unit diagonal, so that kilograms and kg m2 count alike
	double scale[6];
	for ( int i = 0; i < 6; ++i )
	{
		double d = m->m[i][i];
		if ( d < 0 || ( definite && d <= 0 ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s: entry [%d][%d] is %g, it must %s", what, i, i, d,
				definite ? "be positive" : "not be negative" );
		}
		scale[i] = d > 0 ? 1 / sqrt( d ) : 0;
	}
	ds_mat6 unit;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			double a = m->m[i][j], b = m->m[j][i], root = sqrt( m->m[i][i] ) * sqrt( m->m[j][j] );
			if ( fabs( a - b ) > 1e-9 * fmax( root, fmax( fabs( a ), fabs( b ) ) ) )
			{
				return ds_error( DS_ERROR_RANGE, "%s: entry [%d][%d] is %g but [%d][%d] is %g, they must be equal",
					what, i, j, a, j, i, b );
			}
			if ( fabs( a ) > ( 1 + 1e-9 ) * root )
			{
				return ds_error( DS_ERROR_RANGE,
					"%s: entry [%d][%d] is %g, more than the root of the diagonal entries' product, %g: not positive "
					"semidefinite",
					what, i, j, a, root );
			}
			unit.m[i][j] = 0.5 * ( a + b ) * scale[i] * scale[j];
		}
	}
	double least = least_eigenvalue( &unit );
	if ( least < -1e-9 || ( definite && least <= 1e-14 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"%s: scaled to a unit diagonal, its least eigenvalue is %g; it must be positive %s", what, least,
			definite ? "definite" : "semidefinite" );
	}
	return DS_OK;
}

void ds_coriolis( const ds_mat6 *m, const double nu[6], double out[6] )
{
	double momentum[6];
	for ( int i = 0; i < 6; ++i )
	{
		momentum[i] = 0;
		for ( int j = 0; j < 6; ++j )
		{
			momentum[i] += m->m[i][j] * nu[j];
		}
	}
	ds_vec3 v = ds_v3( nu[0], nu[1], nu[2] ), w = ds_v3( nu[3], nu[4], nu[5] );
	ds_vec3 p = ds_v3( momentum[0], momentum[1], momentum[2] ), l = ds_v3( momentum[3], momentum[4], momentum[5] );
	ds_vec3 force = ds_cross( w, p ), torque = ds_add( ds_cross( w, l ), ds_cross( v, p ) );
	out[0] = force.x;
	out[1] = force.y;
	out[2] = force.z;
	out[3] = torque.x;
	out[4] = torque.y;
	out[5] = torque.z;
}
