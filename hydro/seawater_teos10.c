// TEOS-10: sea water by the Gibbs function of IAPWS, and by the 75-term polynomial for specific volume.

#include "hydro/seawater.h"

#include <math.h>
#include <stddef.h>

#define CELSIUS_ZERO       273.15 // [K]
#define REFERENCE_SALINITY 35.16504 // absolute salinity of practical salinity 35 [g/kg]
#define SALINITY_UNIT      ( 40 * REFERENCE_SALINITY / 35 ) // S_u of IAPWS R13-08 [g/kg]
#define SALINITY_OFFSET    24 // delta S of Roquet et al. (2015), eq. (11) [g/kg]
#define TEMPERATURE_UNIT   40.0 // [K]
#define PRESSURE_UNIT      1e8 // [Pa]
#define HEAT_CAPACITY      3991.86795711963 // cp0 of the TEOS-10 manual, eq. (3.3.3) [J/(kg K)]

double ds_teos10_absolute_salinity( double salinity )
{
	return fmax( salinity, 0 ) * ( REFERENCE_SALINITY / 35 );
}

// ---- specific volume -------------------------------------------------------------------------------------------------

// Specific volume [m3/kg]: volume_terms[k][i][j] z^k y^i x^j, x = sqrt( ( SA + 24 ) / S_u ), y = CT / 40 degC, z = p / 100 MPa.
// Roquet et al. (2015), table of the 75 terms; the first index of theirs is j here.
#define VOLUME_DEGREE 6
static const double volume_terms[VOLUME_DEGREE + 1][VOLUME_DEGREE + 1][VOLUME_DEGREE + 1] = {
	{
		{ 1.0769995862e-3, -3.1038981976e-4, 6.6928067038e-4, -8.5047933937e-4, 5.8086069943e-4, -2.1092370507e-4,
			3.1932457305e-5 },
		{ -1.5649734675e-5, 3.5009599764e-5, -4.3592678561e-5, 3.4532461828e-5, -1.1959409788e-5, 1.3864594581e-6 },
		{ 2.7762106484e-5, -3.7435842344e-5, 3.5907822760e-5, -1.8698584187e-5, 3.8595339244e-6 },
		{ -1.6521159259e-5, 2.4141479483e-5, -1.4353633048e-5, 2.2863324556e-6 },
		{ 6.9111322702e-6, -8.7595873154e-6, 4.3703680598e-6 },
		{ -8.0539615540e-7, -3.3052758900e-7 },
		{ 2.0543094268e-7 },
	},
	{
		{ -6.0799143809e-5, 2.4262468747e-5, -3.4792460974e-5, 3.7470777305e-5, -1.7322218612e-5, 3.0927427253e-6 },
		{ 1.8505765429e-5, -9.5677088156e-6, 1.1100834765e-5, -9.8447117844e-6, 2.5909225260e-6 },
		{ -1.1716606853e-5, -2.3678308361e-7, 2.9283346295e-6, -4.8826139200e-7 },
		{ 7.9279656173e-6, -3.4558773655e-6, 3.1655306078e-7 },
		{ -3.4102187482e-6, 1.2956717783e-6 },
		{ 5.0736766814e-7 },
	},
	{
		{ 9.9856169219e-6, -5.8484432984e-7, -4.8122251597e-6, 4.9263106998e-6, -1.7811974727e-6 },
		{ -1.1736386731e-6, -5.5699154557e-6, 5.4620748834e-6, -1.3544185627e-6 },
		{ 2.1305028740e-6, 3.9137387080e-7, -6.5731104067e-7 },
		{ -4.6132540037e-7, 7.7618888092e-9 },
		{ -6.3352916514e-8 },
	},
	{
		{ -1.1309361437e-6, 3.6310188515e-7, 1.6746303780e-8 },
		{ -3.6527006553e-7, -2.7295696237e-7 },
		{ 2.8695905159e-7 },
	},
	{
		{ 1.0531153080e-7, -1.1147125423e-7 },
		{ 3.1454099902e-7 },
	},
	{
		{ -1.2647261286e-8 },
	},
	{
		{ 1.9613503930e-9 },
	},
};

// The polynomial and its derivative by z.
static void specific_volume(
	double absolute_salinity, double conservative_temperature, double pressure, double *volume, double *slope )
{
	double x = sqrt( ( fmax( absolute_salinity, 0 ) + SALINITY_OFFSET ) / SALINITY_UNIT );
	double y = conservative_temperature / TEMPERATURE_UNIT, z = pressure / PRESSURE_UNIT;
	double v = 0, dv = 0;
	for ( int k = VOLUME_DEGREE; k >= 0; --k )
	{
		double of_y = 0;
		for ( int i = VOLUME_DEGREE - k; i >= 0; --i )
		{
			double of_x = 0;
			for ( int j = VOLUME_DEGREE - k - i; j >= 0; --j )
			{
				of_x = of_x * x + volume_terms[k][i][j];
			}
			of_y = of_y * y + of_x;
		}
		dv = dv * z + v;
		v = v * z + of_y;
	}
	*volume = v;
	*slope = dv / PRESSURE_UNIT;
}

double ds_teos10_density( double absolute_salinity, double conservative_temperature, double pressure )
{
	double volume, slope;
	specific_volume( absolute_salinity, conservative_temperature, pressure, &volume, &slope );
	return 1 / volume;
}

double ds_teos10_sound( double absolute_salinity, double conservative_temperature, double pressure )
{
	double volume, slope;
	specific_volume( absolute_salinity, conservative_temperature, pressure, &volume, &slope );
	return volume / sqrt( -slope );
}

// ---- Gibbs function --------------------------------------------------------------------------------------------------

// Gibbs energy of water [J/kg]: water_terms[j][k] y^j z^k, y = t / 40 degC, z = p / 100 MPa. IAPWS SR7-09 (Feistel 2003).
#define WATER_DEGREE_T 7
#define WATER_DEGREE_P 6
static const double water_terms[WATER_DEGREE_T + 1][WATER_DEGREE_P + 1] = {
	{ 101.342743139674, 100015.695367145, -2544.5765420363, 284.517778446287, -33.3146754253611, 4.20263108803084,
		-0.546428511471039 },
	{ 5.90578347909402, -270.983805184062, 776.153611613101, -196.51255088122, 28.9796526294175, -2.13290083518327 },
	{ -12357.785933039, 1455.0364540468, -756.558385769359, 273.479662323528, -55.5604063817218, 4.34420671917197 },
	{ 736.741204151612, -672.50778314507, 499.360390819152, -239.545330654412, 48.8012518593872, -1.66307106208905 },
	{ -148.185936433658, 397.968445406972, -301.815380621876, 152.196371733841, -26.3748377232802 },
	{ 58.0259125842571, -194.618310617595, 120.520654902025, -55.2723052340152, 6.48190668077221 },
	{ -18.9843846514172, 63.5113936641785, -22.2897317140459, 8.17060541818112 },
	{ 3.05081646487967, -9.63108119393062 },
};

// The saline part [J/kg]: the sum of g x^i y^j z^k, x = sqrt( SA / S_u ), and of x^2 ln x ( 5812.8 + 851.2 y ). IAPWS R13-08
// (Feistel 2008), table 2.
typedef struct gibbs_term
{
	int i, j, k;
	double g;
} gibbs_term;

#define LOG_TERM   5812.81456626732
#define LOG_TERM_T 851.226734946706

static const gibbs_term saline_terms[] = {
	{ 2, 0, 0, 1416.27648484197 },
	{ 2, 0, 1, -3310.49154044839 },
	{ 2, 0, 2, 384.794152978599 },
	{ 2, 0, 3, -96.5324320107458 },
	{ 2, 0, 4, 15.8408172766824 },
	{ 2, 0, 5, -2.62480156590992 },
	{ 2, 1, 0, 168.072408311545 },
	{ 2, 1, 1, 729.116529735046 },
	{ 2, 1, 2, -343.956902961561 },
	{ 2, 1, 3, 124.687671116248 },
	{ 2, 1, 4, -31.656964386073 },
	{ 2, 1, 5, 7.04658803315449 },
	{ 2, 2, 0, 880.031352997204 },
	{ 2, 2, 1, -860.764303783977 },
	{ 2, 2, 2, 337.409530269367 },
	{ 2, 2, 3, -178.314556207638 },
	{ 2, 2, 4, 44.2040358308 },
	{ 2, 2, 5, -7.92001547211682 },
	{ 2, 3, 0, -225.267649263401 },
	{ 2, 3, 1, 694.244814133268 },
	{ 2, 3, 2, -204.889641964903 },
	{ 2, 3, 3, 113.561697840594 },
	{ 2, 3, 4, -11.1282734326413 },
	{ 2, 4, 0, 91.4260447751259 },
	{ 2, 4, 1, -297.728741987187 },
	{ 2, 4, 2, 74.726141138756 },
	{ 2, 4, 3, -36.4872919001588 },
	{ 2, 5, 0, -21.6603240875311 },
	{ 2, 6, 0, 2.13016970847183 },
	{ 3, 0, 0, -2432.14662381794 },
	{ 3, 0, 1, 199.459603073901 },
	{ 3, 0, 2, -52.2940909281335 },
	{ 3, 0, 3, 68.0444942726459 },
	{ 3, 0, 4, -3.41251932441282 },
	{ 3, 1, 0, -493.407510141682 },
	{ 3, 1, 1, -175.292041186547 },
	{ 3, 1, 2, 83.1923927801819 },
	{ 3, 1, 3, -29.483064349429 },
	{ 3, 2, 0, -43.0664675978042 },
	{ 3, 2, 1, 383.058066002476 },
	{ 3, 2, 2, -54.1917262517112 },
	{ 3, 2, 3, 25.6398487389914 },
	{ 3, 3, 0, -10.0227370861875 },
	{ 3, 3, 1, -460.319931801257 },
	{ 3, 4, 0, 0.875600661808945 },
	{ 3, 4, 1, 234.565187611355 },
	{ 4, 0, 0, 2025.80115603697 },
	{ 4, 0, 1, -54.7919133532887 },
	{ 4, 0, 2, -4.08193978912261 },
	{ 4, 0, 3, -30.1755111971161 },
	{ 4, 1, 0, 543.835333000098 },
	{ 4, 1, 1, -22.6683558512829 },
	{ 4, 2, 0, -68.5572509204491 },
	{ 4, 3, 0, 49.3667694856254 },
	{ 4, 4, 0, -17.1397577419788 },
	{ 4, 5, 0, 2.49697009569508 },
	{ 5, 0, 0, -1091.66841042967 },
	{ 5, 0, 1, 36.0284195611086 },
	{ 5, 1, 0, -196.028306689776 },
	{ 6, 0, 0, 374.60123787784 },
	{ 6, 1, 0, 36.7571622995805 },
	{ 7, 0, 0, -48.5891069025409 },
};

#define MOST_POWERS 8

// x^0 to x^7, and their first two derivatives.
typedef struct powers
{
	double of[MOST_POWERS], first[MOST_POWERS], second[MOST_POWERS];
} powers;

static powers powers_of( double x )
{
	powers p = { .of = { 1 } };
	for ( int n = 1; n < MOST_POWERS; ++n )
	{
		p.of[n] = p.of[n - 1] * x;
		p.first[n] = n * p.of[n - 1];
		p.second[n] = n * p.first[n - 1];
	}
	return p;
}

static void add_term( ds_gibbs *g, double factor, const powers *y, int j, const powers *z, int k )
{
	g->g += factor * y->of[j] * z->of[k];
	g->g_t += factor * y->first[j] * z->of[k];
	g->g_p += factor * y->of[j] * z->first[k];
	g->g_tt += factor * y->second[j] * z->of[k];
	g->g_tp += factor * y->first[j] * z->first[k];
	g->g_pp += factor * y->of[j] * z->second[k];
}

// All terms up to `degree` in pressure. At the surface degree 0 gives g, g_t and g_tt.
static ds_gibbs gibbs( double absolute_salinity, double t90, double pressure, int degree )
{
	double root = sqrt( fmax( absolute_salinity, 0 ) / SALINITY_UNIT );
	powers x = powers_of( root ), y = powers_of( t90 / TEMPERATURE_UNIT ), z = powers_of( pressure / PRESSURE_UNIT );
	ds_gibbs g = { 0 };
	for ( int j = 0; j <= WATER_DEGREE_T; ++j )
	{
		for ( int k = 0; k <= degree; ++k )
		{
			add_term( &g, water_terms[j][k], &y, j, &z, k );
		}
	}
	for ( size_t n = 0; n < sizeof( saline_terms ) / sizeof( saline_terms[0] ); ++n )
	{
		const gibbs_term *term = &saline_terms[n];
		if ( term->k <= degree )
		{
			add_term( &g, term->g * x.of[term->i], &y, term->j, &z, term->k );
		}
	}
	if ( root > 0 )
	{
		double mixing = x.of[2] * log( root );
		g.g += mixing * ( LOG_TERM + LOG_TERM_T * y.of[1] );
		g.g_t += mixing * LOG_TERM_T;
	}
	g.g_t /= TEMPERATURE_UNIT;
	g.g_p /= PRESSURE_UNIT;
	g.g_tt /= TEMPERATURE_UNIT * TEMPERATURE_UNIT;
	g.g_tp /= TEMPERATURE_UNIT * PRESSURE_UNIT;
	g.g_pp /= PRESSURE_UNIT * PRESSURE_UNIT;
	return g;
}

ds_gibbs ds_teos10_gibbs( double absolute_salinity, double t90, double pressure )
{
	return gibbs( absolute_salinity, t90, pressure, WATER_DEGREE_P );
}

double ds_teos10_conservative_temperature( double absolute_salinity, double t90, double pressure )
{
	// Newton's method for the potential temperature; entropy is almost linear in it, so four steps are at rounding error.
	double entropy = ds_teos10_gibbs( absolute_salinity, t90, pressure ).g_t, potential = t90;
	for ( int step = 0; step < 4; ++step )
	{
		ds_gibbs g = gibbs( absolute_salinity, potential, 0, 0 );
		double change = ( g.g_t - entropy ) / g.g_tt;
		potential -= change;
		if ( fabs( change ) < 1e-7 )
		{
			break;
		}
	}
	ds_gibbs g = gibbs( absolute_salinity, potential, 0, 0 );
	return ( g.g - ( CELSIUS_ZERO + potential ) * g.g_t ) / HEAT_CAPACITY;
}
