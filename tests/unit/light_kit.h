// Scenes of light with numbers, and what light is by independent quadrature in double precision.

#ifndef DEEPSIM_TESTS_LIGHT_KIT_H
#define DEEPSIM_TESTS_LIGHT_KIT_H

#include "deepsim/math.h"
#include "optics/radiance_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after those that it needs
#include <cmocka.h>

#define NEAR( value, expected, tolerance ) kit_near( value, expected, tolerance, #value, __LINE__ )

static inline void kit_near( double value, double expected, double tolerance, const char *what, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "line %d: %s is %.9g, not %.9g +- %.3g", line, what, value, expected, tolerance );
	}
}

// ---- numbers by chance ---------------------------------------------------------------------------------------------

static inline double kit_uniform( uint64_t *state, double low, double high )
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return low + ( high - low ) * (double)( *state >> 11 ) * 0x1p-53;
}

// Even in the logarithm.
static inline double kit_scale( uint64_t *state, double low, double high )
{
	return exp( kit_uniform( state, log( low ), log( high ) ) );
}

static inline void kit_direction( uint64_t *state, double v[3] )
{
	double z = kit_uniform( state, -1, 1 ), a = kit_uniform( state, 0, 2 * DS_PI ), s = sqrt( 1 - z * z );
	v[0] = s * cos( a );
	v[1] = s * sin( a );
	v[2] = z;
}

// ---- phase functions, written here once more -----------------------------------------------------------------------

static inline double kit_henyey_greenstein( double g, double cosine )
{
	return ( 1 - g * g ) / ( 4 * DS_PI * pow( 1 + g * g - 2 * g * cosine, 1.5 ) );
}

// Fournier and Jonasz 1999, in the form of Mobley, Sundman and Boss 2002, eq 1 to 3.
static inline double kit_fournier_forand( double n, double mu, double angle )
{
	double nu = 0.5 * ( 3 - mu ), s = sin( 0.5 * angle );
	double d = 4 * s * s / ( 3 * ( n - 1 ) * ( n - 1 ) ), d180 = 4 / ( 3 * ( n - 1 ) * ( n - 1 ) );
	double dn = pow( d, nu ), dn180 = pow( d180, nu ), c = cos( angle );
	return ( nu * ( 1 - d ) - ( 1 - dn ) + ( d * ( 1 - dn ) - nu * ( 1 - d ) ) / ( s * s ) ) /
			   ( 4 * DS_PI * ( 1 - d ) * ( 1 - d ) * dn ) +
		   ( 1 - dn180 ) / ( 16 * DS_PI * ( d180 - 1 ) * dn180 ) * ( 3 * c * c - 1 );
}

static inline double kit_phase( const ds_phase_config *phase, double angle )
{
	switch ( phase->kind )
	{
		case DS_PHASE_HENYEY_GREENSTEIN:
			return kit_henyey_greenstein( phase->g, cos( angle ) );
		case DS_PHASE_ISOTROPIC:
			return 1 / ( 4 * DS_PI );
		case DS_PHASE_FOURNIER_FORAND:
			return kit_fournier_forand( phase->n, phase->mu, angle );
		default:
			return ds_phase_at( phase, angle ); // a table: tests of the water hold it
	}
}

static inline double kit_phase_water( double cosine )
{
	return 3 / ( 4 * DS_PI * 3.835 ) * ( 1 + 0.835 * cosine * cosine );
}

static const ds_phase_config kit_phases[] = {
	{ .kind = DS_PHASE_PETZOLD },
	{ .kind = DS_PHASE_FOURNIER_FORAND, .n = 1.1, .mu = 3.5835 },
	{ .kind = DS_PHASE_HENYEY_GREENSTEIN, .g = 0.9 },
	{ .kind = DS_PHASE_ISOTROPIC },
};

#define KIT_PHASES ( (int)( sizeof( kit_phases ) / sizeof( kit_phases[0] ) ) )

// ---- lamps ---------------------------------------------------------------------------------------------------------

typedef double kit_beam( double cosine, double parameter );

static inline double kit_even( double cosine, double parameter )
{
	(void)cosine, (void)parameter;
	return 1;
}

static inline double kit_power( double cosine, double parameter )
{
	return cosine > 0 ? pow( cosine, parameter ) : 0;
}

// A lamp of a beam, no light where the cosine is below `limit`.
static inline ds_lamp kit_lamp( kit_beam *beam, double parameter, double limit, double radius )
{
	ds_lamp lamp = { .flux = 1, .radius = radius, .cos_limit = limit };
	double sum = 0, step = ( 1 - limit ) / ( DS_LAMP_PROFILE - 1 );
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		sum += beam( limit + step * i, parameter ) * ( i % ( DS_LAMP_PROFILE - 1 ) == 0 ? 0.5 : 1 );
	}
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		lamp.profile[i] = (float)( beam( limit + step * i, parameter ) / ( 2 * DS_PI * step * sum ) );
	}
	return lamp;
}

static inline double kit_profile( const ds_lamp *lamp, double cosine )
{
	double at = ( cosine - lamp->cos_limit ) / ( 1 - lamp->cos_limit ) * ( DS_LAMP_PROFILE - 1 );
	if ( at < 0 )
	{
		return 0;
	}
	int i = at < DS_LAMP_PROFILE - 2 ? (int)at : DS_LAMP_PROFILE - 2;
	return lamp->profile[i] + ( at - i ) * ( lamp->profile[i + 1] - lamp->profile[i] );
}

// ---- scenes --------------------------------------------------------------------------------------------------------

// Three bands of clear, middling and turbid water, grey; nothing shines yet.
static inline ds_light_scene kit_scene( const ds_phase_table *phase )
{
	ds_light_scene s = {
		.bands = 3, .phase = phase, .down = { 0, 1, 0 }, .sun_direction = { 0, 1, 0 }, .depth = 1000, .steps = 12
	};
	for ( int k = 0; k < 3; ++k )
	{
		s.a[k] = 0.04f + 0.1f * (float)k;
		s.b_water[k] = 0.003f;
		s.b_particles[k] = 0.05f + 0.1f * (float)k;
		s.c[k] = s.a[k] + s.b_water[k] + s.b_particles[k];
		s.kd[k] = s.a[k] + 0.02f;
		s.reflect[k][k] = 1;
	}
	return s;
}

static inline void kit_add_lamp(
	ds_light_scene *s, const ds_lamp *lamp, const double position[3], const double axis[3] )
{
	ds_lit_lamp *lit = s->lamps + s->lamp_count++;
	lit->lamp = lamp;
	for ( int k = 0; k < 3; ++k )
	{
		lit->position[k] = (float)position[k];
		lit->axis[k] = (float)axis[k];
	}
	for ( int k = 0; k < s->bands; ++k )
	{
		lit->power[k] = (float)lamp->flux;
	}
}

// A pixel that looks along `direction` from the origin and meets a rough grey wall that faces it.
static inline void kit_pixel( ds_tile *t, int i, const double direction[3], double range )
{
	for ( int k = 0; k < 3; ++k )
	{
		t->origin[k][i] = 0;
		t->direction[k][i] = (float)direction[k];
		t->normal[k][i] = (float)-direction[k];
		t->color[k][i] = 0.5f;
	}
	t->range[i] = (float)range;
	t->metallic[i] = 0;
	t->roughness[i] = 1;
	t->sunny[i] = 1;
	for ( int k = 0; k < DS_MAX_LAMPS; ++k )
	{
		t->visible[k][i] = 1;
	}
	t->count = i + 1 > t->count ? i + 1 : t->count;
}

// ---- quadrature ----------------------------------------------------------------------------------------------------

typedef double kit_function( double s, const void *context );

static inline double kit_simpson_part( kit_function *f, const void *context, double a, double b, double fa, double fm,
	double fb, double whole, double tolerance, int depth )
{
	double m = 0.5 * ( a + b ), left = f( 0.5 * ( a + m ), context ), right = f( 0.5 * ( m + b ), context );
	double l = ( m - a ) / 6 * ( fa + 4 * left + fm ), r = ( b - m ) / 6 * ( fm + 4 * right + fb );
	double change = l + r - whole;
	if ( depth <= 0 || fabs( change ) <= 15 * tolerance )
	{
		return l + r + change / 15;
	}
	return kit_simpson_part( f, context, a, m, fa, left, fm, l, 0.5 * tolerance, depth - 1 ) +
		   kit_simpson_part( f, context, m, b, fm, right, fb, r, 0.5 * tolerance, depth - 1 );
}

// Adaptive Simpson, to a share of `relative` of the whole.
static inline double kit_integral( kit_function *f, const void *context, double a, double b, double relative )
{
	enum
	{
		PARTS = 64
	};
	double coarse[PARTS], sum = 0, step = ( b - a ) / PARTS;
	for ( int i = 0; i < PARTS; ++i )
	{
		double low = a + step * i;
		coarse[i] = step / 6 * ( f( low, context ) + 4 * f( low + 0.5 * step, context ) + f( low + step, context ) );
		sum += fabs( coarse[i] );
	}
	double total = 0;
	for ( int i = 0; i < PARTS; ++i )
	{
		double low = a + step * i, middle = low + 0.5 * step, high = low + step;
		total += kit_simpson_part( f, context, low, high, f( low, context ), f( middle, context ), f( high, context ),
			coarse[i], relative * sum / PARTS, 40 );
	}
	return total;
}

// The integrand of single scattering along a ray from the origin, in metres along it.
typedef struct kit_scatter
{
	const ds_lamp *lamp;
	const ds_phase_config *phase;
	double position[3], axis[3], direction[3];
	double c, bp, bw;
} kit_scatter;

static inline double kit_scatter_at( double s, const void *context )
{
	const kit_scatter *k = context;
	double p[3], r2 = 0, along = 0, forward = 0, d2 = 0;
	for ( int i = 0; i < 3; ++i )
	{
		p[i] = s * k->direction[i] - k->position[i];
		r2 += p[i] * p[i];
		along += p[i] * k->axis[i];
		forward -= p[i] * k->direction[i];
	}
	d2 = r2 - forward * forward;
	double r = sqrt( r2 ), radius2 = k->lamp->radius * k->lamp->radius;
	// seen from a disc: the angle is that from a point as far off the ray as the disc spreads
	double angle = atan2( sqrt( fmax( d2, 0 ) + radius2 ), forward );
	double light = kit_profile( k->lamp, along / r ) / ( r2 + radius2 ) * exp( -k->c * ( r + s ) );
	return light * ( k->bp * kit_phase( k->phase, angle ) + k->bw * kit_phase_water( cos( angle ) ) );
}

// The integral, over pieces that do not hide the peak near the lamp from Simpson.
static inline double kit_scattered( const kit_scatter *k, double range )
{
	double t = 0, r2 = 0;
	for ( int i = 0; i < 3; ++i )
	{
		t += k->position[i] * k->direction[i];
		r2 += k->position[i] * k->position[i];
	}
	double spread = sqrt( fmax( r2 - t * t, 0 ) + k->lamp->radius * k->lamp->radius ) + 1e-3;
	double edges[9] = { 0, t - 100 * spread, t - 10 * spread, t - spread, t, t + spread, t + 10 * spread,
		t + 100 * spread, range };
	double sum = 0;
	for ( int i = 0; i < 8; ++i )
	{
		double a = fmin( fmax( edges[i], 0 ), range ), b = fmin( fmax( edges[i + 1], 0 ), range );
		sum += b > a ? kit_integral( kit_scatter_at, k, a, b, 1e-5 ) : 0;
	}
	return sum;
}

#endif
