#include "hydro/waves_patch.h"

#include "hydro/waves_expand.h"
#include "hydro/waves_internal.h"

#include <string.h>

// Error of the velocity that is aimed at, over the root mean square of that at the surface times sqrt 2.
#define VELOCITY_TOLERANCE ( 10 * DS_WAVE_TOLERANCE )

#define SIDE ( DS_WAVE_DEGREE + 1 )

// ---- how far the polynomials have to reach -----------------------------------------------------------------------

// Phases at the centre, and bounds of what the points of the sphere see.
typedef struct reach
{
	double sine[DS_WAVES_MAX_COMPONENTS], cosine[DS_WAVES_MAX_COMPONENTS];
	double radius; // of the sphere
	double low, high; // of the elevation
	double least, greatest; // of s'
	double distance; // from the centre, in x, y, s'
	bool surface; // reaches the surface
} reach;

// Elevation over the disc: that of the tangent plane, and half the greatest curvature times the radius squared.
static void bound_elevation( const ds_waves *w, ds_vec3 center, double time, reach *r )
{
	double here = 0, north = 0, east = 0, bend = 0, most = 0;
	for ( int32_t i = 0; i < w->count; ++i )
	{
		double a = w->height[i], k = w->wavenumber[i];
		ds_wave_sincos( ds_wave_phase( w, i, center.x, center.y, time ), r->sine + i, r->cosine + i );
		here += a * r->cosine[i];
		north -= a * k * r->sine[i] * w->north[i];
		east -= a * k * r->sine[i] * w->east[i];
		bend += a * k * k;
		most += a;
	}
	double rise = sqrt( north * north + east * east ) * r->radius + 0.5 * bend * r->radius * r->radius;
	r->low = fmax( here - rise, -most );
	r->high = fmin( here + rise, most );
}

static void bound_height( const ds_waves *w, ds_vec3 center, reach *r )
{
	r->greatest = ds_wave_stretch( w->depth, w->layer, -center.z + r->radius, r->low );
	r->least = ds_wave_stretch( w->depth, w->layer, -center.z - r->radius, r->high );
	r->surface = r->greatest >= 0;
	double half = 0.5 * ( r->greatest - r->least );
	r->distance = sqrt( r->radius * r->radius + half * half );
	if ( !r->surface && !( w->depth < INFINITY ) )
	{
		r->distance = fmin( r->distance, r->radius + 0.5 * ( r->high - r->low ) );
	}
}

// ---- degree ------------------------------------------------------------------------------------------------------

// The least degree whose remainders are within the tolerances; 0 if the highest is not enough. Adds the error and the
// amplitude of what is left of the waves there.
static int32_t choose_degree( const ds_waves *w, const reach *r, int32_t highest, ds_wave_field *f )
{
	double head[DS_WAVES_MAX_COMPONENTS], level[DS_WAVES_MAX_COMPONENTS];
	double weight = 0, slope = 0, speed = 0;
	for ( int32_t i = 0; i < w->count; ++i )
	{
		double direct, unused, mirrored, k = w->wavenumber[i];
		ds_wave_profile( w, i, r->greatest, &direct, &unused );
		ds_wave_profile( w, i, r->least, &unused, &mirrored );
		double most = w->height[i] * ( direct + mirrored );
		weight += most;
		slope += k * most;
		speed += w->speed[i] * w->speed[i] * w->height[i] * w->height[i];
		head[i] = most * k * r->distance;
		level[i] = w->height[i] * k * r->radius;
	}
	f->most = weight;

	// under water the elevation only shifts the heights at which profiles are taken
	double shift = r->surface ? 1 : fmin( slope, 1 );
	for ( int32_t n = 1; n <= highest; ++n )
	{
		double head_error = 0, level_error = 0, speed_error = 0;
		for ( int32_t i = 0; i < w->count; ++i )
		{
			speed_error += w->speed[i] * head[i];
			head[i] *= w->wavenumber[i] * r->distance / ( n + 1 );
			level[i] *= w->wavenumber[i] * r->radius / ( n + 1 );
			head_error += head[i];
			level_error += level[i];
		}
		f->error = r->surface ? fmax( head_error, level_error ) : head_error + shift * level_error;
		if ( n > 1 && f->error <= DS_WAVE_TOLERANCE * w->amplitude &&
			 speed_error <= VELOCITY_TOLERANCE * sqrt( speed ) )
		{
			return n;
		}
	}
	return 0;
}

// ---- coefficients ------------------------------------------------------------------------------------------------

// A harmonic polynomial in x, y, s, with its terms x^m y^l s^q at [m][l][q].
typedef struct harmonic
{
	double term[SIDE][SIDE][SIDE];
} harmonic;

// Sums over components of the terms with q = 0 and q = 1, and of the elevation.
typedef struct roots
{
	double elevation[SIDE][SIDE];
	double head[2][SIDE][SIDE], potential[2][SIDE][SIDE];
} roots;

// Powers x^n / n!.
static void powers( double x, int32_t degree, double out[SIDE] )
{
	out[0] = 1;
	for ( int32_t n = 1; n <= degree; ++n )
	{
		out[n] = out[n - 1] * x / n;
	}
}

// Component i has the head A cos( psi + kx x + ky y ) Z( s ) and the potential (g/w) A sin( ... ) Z( s ).
static void add_component(
	const ds_waves *w, int32_t i, const reach *r, double s, int32_t degree, double share, roots *sum )
{
	double x[SIDE], y[SIDE], level[SIDE], head[2][SIDE], potential[2][SIDE], direct, mirrored;
	const double k = w->wavenumber[i], a = share * w->height[i];
	powers( k * w->north[i], degree, x );
	powers( k * w->east[i], degree, y );
	ds_wave_profile( w, i, s, &direct, &mirrored );
	const double even = a * ( direct + mirrored ), odd = a * k * ( direct - mirrored );
	const double over = w->speed[i] / k;

	// derivatives of the cosine and the sine go round in four
	const double cosines[4] = { r->cosine[i], -r->sine[i], -r->cosine[i], r->sine[i] };
	const double sines[4] = { r->sine[i], r->cosine[i], -r->sine[i], -r->cosine[i] };
	for ( int32_t n = 0; n <= degree; ++n )
	{
		level[n] = a * cosines[n & 3];
		head[0][n] = even * cosines[n & 3];
		head[1][n] = odd * cosines[n & 3];
		potential[0][n] = over * even * sines[n & 3];
		potential[1][n] = over * odd * sines[n & 3];
	}
	for ( int32_t m = 0; m <= degree; ++m )
	{
		for ( int32_t l = 0; l <= degree - m; ++l )
		{
			double t = x[m] * y[l];
			sum->elevation[m][l] += t * level[m + l];
			sum->head[0][m][l] += t * head[0][m + l];
			sum->head[1][m][l] += t * head[1][m + l];
			sum->potential[0][m][l] += t * potential[0][m + l];
			sum->potential[1][m][l] += t * potential[1][m + l];
		}
	}
}

// Where no degree reaches the tolerance and the faces cannot be parted: waves whose polynomials would leave them are left out,
// smoothly over a factor of two in length. They are shorter than the faces, over which their pressure averages out.
static double long_enough( double k, double distance, int32_t degree )
{
	// ( k r )^(n+1) / (n+1)! is 0.08 at most up to k r = ( n + 1 ) / 3.1 + 0.2, for n of 8 to 12 (Stirling's formula)
	double longest = ( degree + 1 ) / 3.1 + 0.2, x = k * distance / longest;
	x = 2 - fmin( fmax( x, 0.5 ), 1 ) * 2;
	return x * x * ( 3 - 2 * x );
}

// All terms from those with q = 0 and 1, by Laplace's equation.
static void complete( double root[2][SIDE][SIDE], int32_t degree, harmonic *h )
{
	for ( int32_t q = 0; q <= degree; ++q )
	{
		for ( int32_t m = 0; m <= degree - q; ++m )
		{
			for ( int32_t l = 0; l <= degree - q - m; ++l )
			{
				if ( q < 2 )
				{
					h->term[m][l][q] = root[q][m][l];
					continue;
				}
				double bend =
					( m + 2 ) * ( m + 1 ) * h->term[m + 2][l][q - 2] + ( l + 2 ) * ( l + 1 ) * h->term[m][l + 2][q - 2];
				h->term[m][l][q] = -bend / ( q * ( q - 1 ) );
			}
		}
	}
}

// Terms in the order of Horner's rule; the velocity is the gradient of the potential.
static void set_terms( const roots *sum, const harmonic *head, const harmonic *potential, ds_wave_field *f )
{
	int32_t n = f->degree, level = 0, whole = 0, less = 0;
	for ( int32_t m = n; m >= 0; --m )
	{
		for ( int32_t l = n - m; l >= 0; --l )
		{
			f->elevation[level++] = sum->elevation[m][l];
			for ( int32_t q = n - m - l; q >= 0; --q )
			{
				f->head[whole++] = head->term[m][l][q];
			}
			for ( int32_t q = n - 1 - m - l; q >= 0; --q, ++less )
			{
				f->velocity[0][less] = ( m + 1 ) * potential->term[m + 1][l][q];
				f->velocity[1][less] = ( l + 1 ) * potential->term[m][l + 1][q];
				f->velocity[2][less] = -( q + 1 ) * potential->term[m][l][q + 1];
			}
		}
	}
}

bool ds_waves_expand(
	const ds_waves *w, ds_vec3 center, double radius, double time, int32_t highest, bool always, ds_wave_field *field )
{
	reach r;
	r.radius = radius;
	bound_elevation( w, center, time, &r );
	bound_height( w, center, &r );
	field->low = r.low;
	field->high = r.high;
	field->depth = w->depth;
	field->layer = w->layer;
	int32_t degree = choose_degree( w, &r, highest, field );
	if ( degree == 0 && !always )
	{
		return false;
	}
	double s = 0.5 * ( r.least + r.greatest );
	field->degree = degree > 0 ? degree : highest;
	field->center = ds_v3( center.x, center.y, -s );

	roots sum;
	memset( &sum, 0, sizeof( sum ) );
	for ( int32_t i = 0; i < w->count; ++i )
	{
		double share = degree > 0 ? 1 : long_enough( w->wavenumber[i], r.distance, highest );
		if ( share > 0 )
		{
			add_component( w, i, &r, s, field->degree, share, &sum );
		}
		if ( share < 1 )
		{
			double direct, mirrored, unused;
			ds_wave_profile( w, i, r.greatest, &direct, &unused );
			ds_wave_profile( w, i, r.least, &unused, &mirrored );
			field->error += ( 1 - share ) * w->height[i] * fmax( 1, direct + mirrored );
		}
	}
	harmonic head, potential;
	complete( sum.head, field->degree, &head );
	complete( sum.potential, field->degree, &potential );
	set_terms( &sum, &head, &potential, field );
	return degree > 0;
}

// ---- patches -----------------------------------------------------------------------------------------------------

void ds_waves_patch( const ds_waves *waves, ds_vec3 center, double time, ds_wave_patch *patch )
{
	patch->waves = waves && waves->count > 0 ? waves : NULL;
	patch->center = center;
	patch->time = time;
	ds_waves_at( patch->waves, center, time, &patch->at );
}

// Polynomials of a degree in x, y and in x, y, s.
static double polynomial2( const double *term, int32_t degree, double x, double y )
{
	double sum = 0;
	for ( int32_t m = degree; m >= 0; --m )
	{
		double row = 0;
		for ( int32_t l = degree - m; l >= 0; --l )
		{
			row = row * y + *term++;
		}
		sum = sum * x + row;
	}
	return sum;
}

static double polynomial3( const double *term, int32_t degree, double x, double y, double s )
{
	double sum = 0;
	for ( int32_t m = degree; m >= 0; --m )
	{
		double row = 0;
		for ( int32_t l = degree - m; l >= 0; --l )
		{
			double column = 0;
			for ( int32_t q = degree - m - l; q >= 0; --q )
			{
				column = column * s + *term++;
			}
			row = row * y + column;
		}
		sum = sum * x + row;
	}
	return sum;
}

void ds_wave_field_at( const ds_wave_field *f, ds_vec3 position, ds_wave_point *point )
{
	memset( point, 0, sizeof( *point ) );
	double x = position.x - f->center.x, y = position.y - f->center.y;
	point->elevation = polynomial2( f->elevation, f->degree, x, y );
	point->depth = position.z + point->elevation;
	double s = ds_wave_stretch( f->depth, f->layer, -position.z, point->elevation ) + f->center.z;
	point->head = polynomial3( f->head, f->degree, x, y, s );
	point->velocity.x = polynomial3( f->velocity[0], f->degree - 1, x, y, s );
	point->velocity.y = polynomial3( f->velocity[1], f->degree - 1, x, y, s );
	point->velocity.z = polynomial3( f->velocity[2], f->degree - 1, x, y, s );
}
