#include "hydro/added_mass.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <string.h>

// ---- Lamb's ellipsoid --------------------------------------------------------------------------------------------

// Carlson's integral R_D(x, y, z) = 3/2 int_0^inf dt / ( sqrt( (t+x)(t+y) ) (t+z)^(3/2) ), by duplication and a series of
// the fifth order. Source: Carlson, Numerical computation of real or complex elliptic integrals, Numer. Algorithms 10
// (1995), algorithm for R_D; also DLMF 19.36(i).
static double carlson_rd( double x, double y, double z )
{
	double a = ( x + y + 3 * z ) / 5, sum = 0, power = 1;
	double spread = fmax( fabs( a - x ), fmax( fabs( a - y ), fabs( a - z ) ) ) * 400; // ( r / 4 )^(-1/6) for r = 1e-15
	const double a0 = a, x0 = x, y0 = y;
	while ( power * spread > fabs( a ) )
	{
		double root = sqrt( x ) * sqrt( y ) + sqrt( x ) * sqrt( z ) + sqrt( y ) * sqrt( z );
		sum += power / ( sqrt( z ) * ( z + root ) );
		power *= 0.25;
		x = 0.25 * ( x + root );
		y = 0.25 * ( y + root );
		z = 0.25 * ( z + root );
		a = 0.25 * ( a + root );
	}
	double dx = ( a0 - x0 ) * power / a, dy = ( a0 - y0 ) * power / a, dz = -( dx + dy ) / 3;
	double e2 = dx * dy - 6 * dz * dz, e3 = ( 3 * dx * dy - 8 * dz * dz ) * dz;
	double e4 = 3 * ( dx * dy - dz * dz ) * dz * dz, e5 = dx * dy * dz * dz * dz;
	double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
	return 3 * sum + power * series / ( a * sqrt( a ) );
}

// Moment about the axis across semi-axes b and c, per density and volume. Lamb art. 115, eq. (8):
// ( (b2 - c2)^2 (gamma - beta) ) / ( 2 (b2 - c2) + (b2 + c2)(beta - gamma) ) / 5. Where b and c are nearly equal, both
// differences vanish; then (beta - gamma) / (b2 - c2) is what stays, and the moment goes to zero as their square.
static double rotation( double b, double c, double beta, double gamma )
{
	double difference = ( b - c ) * ( b + c ), total = b * b + c * c;
	if ( fabs( difference ) < 1e-9 * total )
	{
		return 0;
	}
	double below = 2 * difference + total * ( beta - gamma );
	return difference * difference * ( gamma - beta ) / ( 5 * below );
}

ds_status ds_added_mass_ellipsoid( ds_vec3 semi_axes, double density, double m[6] )
{
	if ( m == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "added mass: a place for the result is needed" );
	}
	if ( !ds_finite( semi_axes ) || !isfinite( density ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "added mass: semi-axes and density must be finite" );
	}
	if ( !( semi_axes.x > 0 && semi_axes.y > 0 && semi_axes.z > 0 ) || density < 0 )
	{
		return ds_error( DS_ERROR_RANGE,
			"added mass: semi-axes (%g, %g, %g) m must be positive and the density %g kg/m3 not negative", semi_axes.x,
			semi_axes.y, semi_axes.z, density );
	}

	// alpha = abc int_0^inf dt / ( (a2 + t) Delta ) = 2/3 abc R_D( b2, c2, a2 ), and its like; free of scale
	double size = fmax( semi_axes.x, fmax( semi_axes.y, semi_axes.z ) );
	double a = semi_axes.x / size, b = semi_axes.y / size, c = semi_axes.z / size;
	double k = 2.0 / 3 * a * b * c;
	double alpha = k * carlson_rd( b * b, c * c, a * a );
	double beta = k * carlson_rd( c * c, a * a, b * b );
	double gamma = k * carlson_rd( a * a, b * b, c * c );

	double mass = density * 4 * DS_PI / 3 * semi_axes.x * semi_axes.y * semi_axes.z;
	m[0] = mass * alpha / ( 2 - alpha );
	m[1] = mass * beta / ( 2 - beta );
	m[2] = mass * gamma / ( 2 - gamma );
	m[3] = mass * size * size * rotation( b, c, beta, gamma );
	m[4] = mass * size * size * rotation( c, a, gamma, alpha );
	m[5] = mass * size * size * rotation( a, b, alpha, beta );
	return DS_OK;
}

// ---- principal axes ----------------------------------------------------------------------------------------------

// One Jacobi rotation, that makes a[p][q] zero; v gathers the rotations.
static void rotate_pair( double a[3][3], double v[3][3], int p, int q )
{
	if ( a[p][q] == 0 )
	{
		return;
	}
	double theta = ( a[q][q] - a[p][p] ) / ( 2 * a[p][q] );
	double t = ( theta >= 0 ? 1 : -1 ) / ( fabs( theta ) + sqrt( theta * theta + 1 ) );
	double c = 1 / sqrt( t * t + 1 ), s = t * c;
	for ( int k = 0; k < 3; ++k )
	{
		double x = a[k][p], y = a[k][q];
		a[k][p] = c * x - s * y;
		a[k][q] = s * x + c * y;
	}
	for ( int k = 0; k < 3; ++k )
	{
		double x = a[p][k], y = a[q][k], vx = v[k][p], vy = v[k][q];
		a[p][k] = c * x - s * y;
		a[q][k] = s * x + c * y;
		v[k][p] = c * vx - s * vy;
		v[k][q] = s * vx + c * vy;
	}
	a[p][q] = a[q][p] = 0;
}

// Unit quaternion of a rotation matrix.
static ds_quat quat_from_matrix( double r[3][3] )
{
	// the largest of w, x, y, z is found first
	double t[4] = { r[0][0] + r[1][1] + r[2][2], r[0][0] - r[1][1] - r[2][2], r[1][1] - r[0][0] - r[2][2],
		r[2][2] - r[0][0] - r[1][1] };
	int best = 0;
	for ( int i = 1; i < 4; ++i )
	{
		best = t[i] > t[best] ? i : best;
	}
	double x = r[2][1] - r[1][2], y = r[0][2] - r[2][0], z = r[1][0] - r[0][1], n = 1 + t[best];
	double xy = r[0][1] + r[1][0], xz = r[0][2] + r[2][0], yz = r[1][2] + r[2][1];
	const ds_quat q[4] = { { n, x, y, z }, { x, n, xy, xz }, { y, xy, n, yz }, { z, xz, yz, n } };
	return ds_quat_normalize( q[best] );
}

void ds_principal_axes( const ds_mat3 *symmetric, ds_vec3 *values, ds_quat *axes )
{
	double a[3][3], v[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	memcpy( a, symmetric->m, sizeof( a ) );
	for ( int sweep = 0; sweep < 30; ++sweep )
	{
		double off = fabs( a[0][1] ) + fabs( a[0][2] ) + fabs( a[1][2] );
		if ( !( off > 1e-17 * ( fabs( a[0][0] ) + fabs( a[1][1] ) + fabs( a[2][2] ) ) ) )
		{
			break;
		}
		rotate_pair( a, v, 0, 1 );
		rotate_pair( a, v, 0, 2 );
		rotate_pair( a, v, 1, 2 );
	}

	// the order of the columns with the greatest trace, signs towards the given axes, right-handed
	static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	int best = 0;
	double most = -1;
	for ( int i = 0; i < 6; ++i )
	{
		double trace = fabs( v[0][orders[i][0]] ) + fabs( v[1][orders[i][1]] ) + fabs( v[2][orders[i][2]] );
		if ( trace > most + 1e-12 )
		{
			most = trace;
			best = i;
		}
	}
	double r[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		int from = orders[best][k];
		double sign = v[k][from] < 0 ? -1 : 1;
		for ( int i = 0; i < 3; ++i )
		{
			r[i][k] = sign * v[i][from];
		}
	}
	ds_vec3 x = ds_v3( r[0][0], r[1][0], r[2][0] ), y = ds_v3( r[0][1], r[1][1], r[2][1] );
	ds_vec3 z = ds_cross( x, y );
	r[0][2] = z.x;
	r[1][2] = z.y;
	r[2][2] = z.z;
	*axes = quat_from_matrix( r );
	const int *o = orders[best];
	*values = ds_v3( a[o[0]][o[0]], a[o[1]][o[1]], a[o[2]][o[2]] );
}

// ---- equivalent ellipsoid ----------------------------------------------------------------------------------------

ds_status ds_ellipsoid_of_inertia(
	double volume, const ds_mat3 *unit_density_inertia, ds_vec3 *semi_axes, ds_quat *axes )
{
	if ( unit_density_inertia == NULL || semi_axes == NULL || axes == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ellipsoid: an inertia and places for the results are needed" );
	}
	bool finite = isfinite( volume );
	for ( int i = 0; i < 9; ++i )
	{
		finite = finite && isfinite( unit_density_inertia->m[i / 3][i % 3] );
	}
	if ( !finite )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ellipsoid: volume and inertia must be finite" );
	}

	ds_vec3 inertia;
	ds_principal_axes( unit_density_inertia, &inertia, axes );

	// second moments of volume along the axes: int x2 dV = ( I_y + I_z - I_x ) / 2 = V a2 / 5 for an ellipsoid
	double half = 0.5 * ( inertia.x + inertia.y + inertia.z );
	ds_vec3 second = ds_v3( half - inertia.x, half - inertia.y, half - inertia.z );
	if ( !( volume > 0 && second.x > 0 && second.y > 0 && second.z > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"ellipsoid: principal moments (%g, %g, %g) m5 with a volume of %g m3 are not those of a solid: each must "
			"be "
			"positive and less than the sum of the two others",
			inertia.x, inertia.y, inertia.z, volume );
	}
	ds_vec3 shape = ds_v3( sqrt( second.x ), sqrt( second.y ), sqrt( second.z ) );
	double scale = cbrt( 3 * volume / ( 4 * DS_PI ) / shape.x / shape.y / shape.z );
	*semi_axes = ds_scale( scale, shape );
	return DS_OK;
}
