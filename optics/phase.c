// Phase functions of what scatters light in water. See docs/optics-water.md.

#include "optics/phase.h"

#include "deepsim/math.h"

#include <math.h>

// Both Petzold's power law and Fournier and Forand's formula grow without limit towards 0. Below this angle [rad] they are held at the mean
// of what they give there, which leaves their integrals as they are. Only things of some 5 cm diffract light into so narrow a cone.
#define CORE 1e-5

// Solid angle of the cone within CORE.
static double core_solid_angle( void )
{
	double s = sin( 0.5 * CORE );
	return 4 * DS_PI * s * s;
}

// ---- Petzold -----------------------------------------------------------------------------------------------------

// Average particle of Petzold's three turbid stations: Mobley, "Light and Water" (1994), table 3.10 [1/sr]. 21 angles from 0.1 to 10
// degrees, ten to a decade; then every 5 degrees from 15 to 180.
#define DECADES 20 // intervals from 0.1 to 10 degrees
#define STEPS   34 // intervals of 5 degrees from 10 to 180

static const double petzold[DECADES + STEPS + 1] = { 1767, 1296, 950.2, 699.1, 514, 376.4, 276.3, 218.8, 144.4, 102.2,
	71.61, 49.58, 33.95, 22.81, 15.16, 10.02, 6.58, 4.295, 2.807, 1.819, 1.153, 0.4893, 0.2444, 0.1472, 0.08609,
	0.05931, 0.0421, 0.03067, 0.02275, 0.01699, 0.01313, 0.01046, 0.008488, 0.006976, 0.005842, 0.004953, 0.004292,
	0.003782, 0.003404, 0.003116, 0.002912, 0.002797, 0.002686, 0.002571, 0.002476, 0.002377, 0.002329, 0.002313,
	0.002365, 0.002506, 0.002662, 0.002835, 0.003031, 0.003092, 0.003154 };

// The angles of the first rows [deg], as the table has them.
static const double petzold_angles[DECADES + 1] = { 0.1, 0.126, 0.158, 0.2, 0.251, 0.316, 0.398, 0.501, 0.631, 0.794, 1,
	1.259, 1.585, 1.995, 2.512, 3.162, 3.981, 5.012, 6.31, 7.943, 10 };

#define PETZOLD_SLOPE 1.346 // below 0.1 degrees: p ~ angle^-1.346 (Mobley 1994, section 3.8)

// Integral of the table with its power law over the sphere, interpolated as below: by adaptive quadrature to 1e-12. It divides the table.
#define PETZOLD_INTEGRAL 0.992877130194

static double petzold_angle( int i )
{
	return i <= DECADES ? petzold_angles[i] : 10 + 5.0 * ( i - DECADES );
}

// Linear in the logarithms of angle and p.
static double petzold_at( double angle )
{
	double degrees = angle * ( 180 / DS_PI );
	if ( angle < CORE )
	{
		// mean of angle^-s over the cone: 2 / ( 2 - s ) times its value at the rim
		double rim = petzold[0] * pow( CORE * ( 180 / DS_PI ) / petzold_angles[0], -PETZOLD_SLOPE );
		return rim * 2 / ( 2 - PETZOLD_SLOPE ) / PETZOLD_INTEGRAL;
	}
	if ( degrees < petzold_angles[0] )
	{
		return petzold[0] * pow( degrees / petzold_angles[0], -PETZOLD_SLOPE ) / PETZOLD_INTEGRAL;
	}
	int i;
	if ( degrees < 10 )
	{
		// the rows stand at tenths of a decade, to three digits
		i = (int)( 10 * log10( degrees ) + 10 );
		i = i < DECADES - 1 ? i : DECADES - 1;
		i = i > 0 ? i : 0;
		i -= i > 0 && degrees < petzold_angles[i];
		i += i < DECADES - 1 && degrees >= petzold_angles[i + 1];
	}
	else
	{
		i = DECADES + (int)( ( degrees - 10 ) / 5 );
		i = i < DECADES + STEPS - 1 ? i : DECADES + STEPS - 1;
	}
	double low = petzold_angle( i ), high = petzold_angle( i + 1 );
	double t = log( degrees / low ) / log( high / low );
	return petzold[i] * pow( petzold[i + 1] / petzold[i], t ) / PETZOLD_INTEGRAL;
}

// ---- Fournier and Forand -----------------------------------------------------------------------------------------

// The terms in braces of the formula over ( 1 - delta )^2, x = delta - 1 being small, by their binomial series:
//   nu ( 1 - delta ) - ( 1 - delta^nu )           = sum_{k>=2} C( nu, k ) x^k
//   delta ( 1 - delta^nu ) - nu ( 1 - delta )     = -sum_{k>=2} C( nu + 1, k ) x^k
static void forand_series( double nu, double x, double *f, double *g )
{
	double cf = 0.5 * nu * ( nu - 1 ), cg = 0.5 * ( nu + 1 ) * nu, power = 1;
	*f = 0;
	*g = 0;
	for ( int k = 2; k < 20; ++k )
	{
		*f += cf * power;
		*g -= cg * power;
		cf *= ( nu - k ) / ( k + 1 );
		cg *= ( nu + 1 - k ) / ( k + 1 );
		power *= x;
	}
}

// Fournier and Jonasz, "Computer-based underwater imaging analysis", Proc. SPIE 3761 (1999): the latest form of Fournier and Forand (1994),
// with nu = ( 3 - mu ) / 2 and delta = 4 sin^2( angle / 2 ) / ( 3 ( n - 1 )^2 ). Its integral over the sphere is 1 exactly.
static double fournier_forand_at( double n, double mu, double angle )
{
	const double nu = 0.5 * ( 3 - mu ), scale = 4 / ( 3 * ( n - 1 ) * ( n - 1 ) );
	// the backward term: delta at 180 degrees is `scale`; above 1 for all permitted n
	const double last = pow( scale, nu );
	const double backward = ( 1 - last ) / ( 16 * DS_PI * ( scale - 1 ) * last );
	if ( angle < CORE )
	{
		double s = sin( 0.5 * CORE ) * sin( 0.5 * CORE ), delta = scale * s, power = pow( delta, nu );
		double share = ( ( 1 - delta * power ) - ( 1 - power ) * s ) / ( ( 1 - delta ) * power ) +
					   2 * DS_PI * backward * cos( CORE ) * sin( CORE ) * sin( CORE );
		return share / core_solid_angle();
	}
	double half = sin( 0.5 * angle ), s = half * half, delta = scale * s, x = delta - 1;
	double power = pow( delta, nu ), f, g;
	if ( fabs( x ) < 0.1 )
	{
		forand_series( nu, x, &f, &g );
	}
	else
	{
		double rest = -expm1( nu * log( delta ) ); // 1 - delta^nu
		f = ( -nu * x - rest ) / ( x * x );
		g = ( delta * rest + nu * x ) / ( x * x );
	}
	double c = cos( angle );
	return ( f + g / s ) / ( 4 * DS_PI * power ) + backward * ( 3 * c * c - 1 );
}

// ---- all of them -------------------------------------------------------------------------------------------------

// Henyey and Greenstein, Astrophys. J. 93 (1941).
static double henyey_greenstein_at( double g, double angle )
{
	double s = sin( 0.5 * angle ), base = ( 1 - g ) * ( 1 - g ) + 4 * g * s * s;
	return ( 1 - g * g ) / ( 4 * DS_PI * base * sqrt( base ) );
}

double ds_phase_at( const ds_phase_config *phase, double angle )
{
	if ( isnan( angle ) )
	{
		return angle;
	}
	angle = angle < 0 ? 0 : angle > DS_PI ? DS_PI : angle;
	switch ( phase->kind )
	{
		case DS_PHASE_PETZOLD:
			return petzold_at( angle );
		case DS_PHASE_FOURNIER_FORAND:
			return fournier_forand_at( phase->n, phase->mu, angle );
		case DS_PHASE_HENYEY_GREENSTEIN:
			return henyey_greenstein_at( phase->g, angle );
		default:
			return 0.25 / DS_PI;
	}
}

double ds_phase_water_at( double angle )
{
	double c = cos( angle );
	return 3 * ( 1 + 0.835 * c * c ) / ( 4 * DS_PI * ( 3 + 0.835 ) );
}

void ds_phase_moments( const ds_phase_config *phase, double *backward, double *mean_cosine )
{
	// Simpson's rule: evenly in the logarithm of the angle from CORE to 90 degrees, evenly in the angle from there on
	enum
	{
		FRONT = 8192,
		BACK = 2048
	};
	double front = 0, back = 0;
	double cosine = ds_phase_at( phase, 0 ) * core_solid_angle();
	const double span = log( 0.5 * DS_PI / CORE );
	for ( int i = 0; i <= FRONT; ++i )
	{
		double angle = CORE * exp( span * i / FRONT ), weight = i == 0 || i == FRONT ? 1 : i % 2 ? 4 : 2;
		front += weight * angle * sin( angle ) * cos( angle ) * ds_phase_at( phase, angle );
	}
	cosine += 2 * DS_PI * front * span / ( 3 * FRONT );
	front = 0;
	for ( int i = 0; i <= BACK; ++i )
	{
		double angle = 0.5 * DS_PI * ( 1 + (double)i / BACK ), weight = i == 0 || i == BACK ? 1 : i % 2 ? 4 : 2;
		double p = weight * sin( angle ) * ds_phase_at( phase, angle );
		back += p;
		front += p * cos( angle );
	}
	const double step = 0.5 * DS_PI / ( 3 * BACK );
	*backward = 2 * DS_PI * back * step;
	*mean_cosine = cosine + 2 * DS_PI * front * step;
}
