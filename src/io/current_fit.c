#include "io/current_fit.h"

#include "deepsim/math.h"
#include "hydro/ekman_complex.h"

#include <math.h>
#include <string.h>

#define THINNEST    1.0 // layer [m]
#define GRID        40 // values of each depth at first
#define LAST_STEP   1e-7 // of the search, of the logarithm of a depth
#define MOST_STEPS  20000
#define MOST_LEVELS 100000

typedef struct problem
{
	const ds_current_level *levels;
	int64_t count;
	double depth; // of the water
	double f, density;
	bool stress_given;
	ds_complex stress;
	double low, high; // logarithms of layer depths
} problem;

// What fits best for two layer depths.
typedef struct trial
{
	double surface_layer, bed_layer;
	ds_complex interior, surface; // as in ds_ekman
	double square; // sum of squared errors
} trial;

static ds_ekman make_ekman( const problem *p, const trial *t )
{
	ds_ekman e;
	e.sign = p->f < 0 ? -1 : 1;
	e.coriolis = fabs( p->f );
	e.surface_layer = t->surface_layer;
	e.bed_layer = t->bed_layer;
	e.interior = t->interior;
	e.surface = t->surface;
	return e;
}

static ds_complex conjugate( ds_complex a )
{
	return cx( a.re, -a.im );
}

static double square_of( ds_complex a )
{
	return a.re * a.re + a.im * a.im;
}

static ds_complex measured( const ds_current_level *level )
{
	return cx( level->velocity[0], level->velocity[1] );
}

// V0 e^{i theta} e^{i s pi/4} of a stress, and back.
static ds_complex surface_scale( const problem *p, double layer )
{
	return cx_scale( DS_PI / ( p->density * fabs( p->f ) * layer ), cx( 1, p->f < 0 ? -1 : 1 ) );
}

static void measure( const problem *p, trial *t )
{
	ds_ekman e = make_ekman( p, t );
	ds_ekman_column column = ds_ekman_solve( &e, p->depth );
	t->square = 0;
	for ( int64_t i = 0; i < p->count; ++i )
	{
		ds_complex w = ds_ekman_at( &e, &column, p->levels[i].depth, NULL );
		t->square += square_of( cx_sub( w, measured( &p->levels[i] ) ) );
	}
}

// Solves for interior flow and stress, in which the flow is linear.
static trial solve( const problem *p, double log_surface, double log_bed )
{
	const ds_complex zero = { 0, 0 }, one = { 1, 0 };
	trial t = { exp( log_surface ), exp( log_bed ), one, zero, 0 };
	ds_ekman interior = make_ekman( p, &t );
	t.interior = zero;
	t.surface = one;
	ds_ekman surface = make_ekman( p, &t );
	ds_ekman_column of_interior = ds_ekman_solve( &interior, p->depth ),
					of_surface = ds_ekman_solve( &surface, p->depth );
	t.surface = p->stress_given ? cx_mul( surface_scale( p, t.surface_layer ), p->stress ) : zero;

	// normal equations of two complex unknowns
	double aa = 0, bb = 0;
	ds_complex ab = zero, aw = zero, bw = zero;
	for ( int64_t i = 0; i < p->count; ++i )
	{
		double z = p->levels[i].depth;
		ds_complex a = ds_ekman_at( &interior, &of_interior, z, NULL ),
				   b = ds_ekman_at( &surface, &of_surface, z, NULL );
		ds_complex w = cx_sub( measured( &p->levels[i] ), cx_mul( b, t.surface ) );
		aa += square_of( a );
		bb += square_of( b );
		ab = cx_add( ab, cx_mul( conjugate( a ), b ) );
		aw = cx_add( aw, cx_mul( conjugate( a ), w ) );
		bw = cx_add( bw, cx_mul( conjugate( b ), w ) );
	}
	double determinant = aa * bb - square_of( ab );
	if ( !p->stress_given && determinant > 1e-12 * aa * bb )
	{
		t.interior = cx_scale( 1 / determinant, cx_sub( cx_scale( bb, aw ), cx_mul( ab, bw ) ) );
		t.surface = cx_scale( 1 / determinant, cx_sub( cx_scale( aa, bw ), cx_mul( conjugate( ab ), aw ) ) );
	}
	else if ( aa > 0 )
	{
		t.interior = cx_scale( 1 / aa, aw );
	}
	measure( p, &t );
	return t;
}

static trial search_grid( const problem *p )
{
	trial best = solve( p, p->low, p->low );
	for ( int i = 0; i < GRID; ++i )
	{
		for ( int k = 0; k < GRID; ++k )
		{
			double step = ( p->high - p->low ) / ( GRID - 1 );
			trial t = solve( p, p->low + i * step, p->low + k * step );
			best = t.square < best.square ? t : best;
		}
	}
	return best;
}

// Moves to the best of the eight neighbours while one is better, then halves the step.
static trial search_pattern( const problem *p, trial best )
{
	double step = ( p->high - p->low ) / ( GRID - 1 );
	for ( int n = 0; step > LAST_STEP && n < MOST_STEPS; ++n )
	{
		trial next = best;
		for ( int k = 0; k < 9; ++k )
		{
			double x = log( best.surface_layer ) + ( k % 3 - 1 ) * step;
			double y = log( best.bed_layer ) + ( k / 3 - 1 ) * step;
			trial t = solve( p, fmin( fmax( x, p->low ), p->high ), fmin( fmax( y, p->low ), p->high ) );
			next = t.square < next.square ? t : next;
		}
		step *= next.square < best.square ? 1 : 0.5;
		best = next;
	}
	return best;
}

// ---- report --------------------------------------------------------------------------------------------------------

static void add_error( ds_current_fit_layer *layer, double square )
{
	layer->levels += 1;
	layer->rmse += square;
}

static void end_layer( ds_current_fit_layer *layer )
{
	layer->rmse = layer->levels > 0 ? sqrt( layer->rmse / (double)layer->levels ) : 0;
}

static void report( const problem *p, const trial *best, ds_current_fit *fit )
{
	ds_ekman e = make_ekman( p, best );
	ds_ekman_column column = ds_ekman_solve( &e, p->depth );
	ds_complex mean = { 0, 0 };
	for ( int64_t i = 0; i < p->count; ++i )
	{
		mean = cx_add( mean, cx_scale( 1 / (double)p->count, measured( &p->levels[i] ) ) );
	}
	double of_mean = 0;
	for ( int64_t i = 0; i < p->count; ++i )
	{
		double z = p->levels[i].depth;
		ds_complex w = measured( &p->levels[i] );
		double square = square_of( cx_sub( ds_ekman_at( &e, &column, z, NULL ), w ) );
		of_mean += square_of( cx_sub( w, mean ) );
		add_error( &fit->all, square );
		add_error( z <= best->surface_layer          ? &fit->surface
				   : z >= p->depth - best->bed_layer ? &fit->bed
													 : &fit->interior,
			square );
	}
	fit->rmse_of_mean = sqrt( of_mean / (double)p->count );
	end_layer( &fit->all );
	end_layer( &fit->surface );
	end_layer( &fit->interior );
	end_layer( &fit->bed );
	const double near = 1e-3;
	double surface = log( best->surface_layer ), bed = log( best->bed_layer );
	fit->surface_bounded = surface < p->low + near || surface > p->high - near;
	fit->bed_bounded = bed < p->low + near || bed > p->high - near;
}

static void put_current(
	const problem *p, const trial *best, const ds_current_fit_setting *setting, ds_current_fit *fit )
{
	ds_current_def *d = &fit->current;
	ds_complex stress = cx_div( best->surface, surface_scale( p, best->surface_layer ) );
	*d = setting->wind ? *setting->wind : ds_current_def_default( DS_CURRENT_EKMAN );
	d->kind = DS_CURRENT_EKMAN;
	d->velocity[0] = best->interior.re;
	d->velocity[1] = best->interior.im;
	d->velocity[2] = 0;
	d->surface_layer = best->surface_layer;
	d->bed_layer = best->bed_layer;
	d->latitude_source = d->bed_source = DS_CURRENT_OF_DEF;
	d->latitude = setting->latitude;
	d->bed_depth = p->depth;
	d->water_density = p->density;
	if ( setting->wind == NULL )
	{
		d->stress_kind = DS_STRESS_GIVEN;
		d->stress[0] = stress.re;
		d->stress[1] = stress.im;
	}
	fit->stress[0] = stress.re;
	fit->stress[1] = stress.im;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static ds_status check_levels( const ds_current_level *levels, int64_t count, const ds_current_fit_setting *setting )
{
	if ( levels == NULL || count < 4 )
	{
		return ds_error( DS_ERROR_RANGE, "a fit of a current needs 4 levels or more, got %lld", (long long)count );
	}
	if ( count > MOST_LEVELS )
	{
		return ds_error( DS_ERROR_LIMIT, "a fit of a current takes at most %d levels, got %lld: leave some out",
			MOST_LEVELS, (long long)count );
	}
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_current_level *l = &levels[i];
		if ( !isfinite( l->depth ) || !isfinite( l->velocity[0] ) || !isfinite( l->velocity[1] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "level %lld of the profile is not finite", (long long)i );
		}
		if ( l->depth < 0 || ( i > 0 && !( l->depth > levels[i - 1].depth ) ) )
		{
			return ds_error( DS_ERROR_RANGE, "depths must increase from 0 or more on: level %lld is at %g m",
				(long long)i, l->depth );
		}
	}
	double deepest = levels[count - 1].depth;
	if ( setting->bed_depth != 0 && !( setting->bed_depth >= deepest && isfinite( setting->bed_depth ) ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "the bed at %g m lies above the deepest level, at %g m", setting->bed_depth, deepest );
	}
	if ( !( fabs( setting->latitude ) <= 0.5 * DS_PI + 1e-9 ) || !( setting->water_density >= 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "a fit needs a latitude within +-90 degrees and a density of the water" );
	}
	return DS_OK;
}

ds_status ds_current_fit_levels(
	const ds_current_level *levels, int64_t count, const ds_current_fit_setting *setting, ds_current_fit *fit )
{
	memset( fit, 0, sizeof( *fit ) );
	DS_TRY( check_levels( levels, count, setting ) );
	double deepest = levels[count - 1].depth, step = deepest - levels[count - 2].depth, stress[2] = { 0, 0 };
	problem p = { .levels = levels, .count = count };
	p.depth = setting->bed_depth > 0 ? setting->bed_depth : deepest + 0.5 * step;
	p.f = ds_coriolis_parameter( setting->latitude );
	p.density = setting->water_density > 0 ? setting->water_density : 1026;
	p.stress_given = setting->wind != NULL;
	if ( setting->wind )
	{
		ds_ekman_stress( setting->wind, stress );
	}
	p.stress = cx( stress[0], stress[1] );
	p.high = log( fmax( 0.5 * p.depth, 2 * THINNEST ) );
	p.low = log( THINNEST );
	trial best = search_pattern( &p, search_grid( &p ) );
	report( &p, &best, fit );
	put_current( &p, &best, setting, fit );
	return DS_OK;
}
