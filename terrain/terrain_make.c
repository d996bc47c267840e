// Ground that is made by a formula.

#include "terrain/terrain_fractal.h"
#include "terrain/terrain_internal.h"

#include <string.h>

#define STEEPEST ( 80 * DS_PI / 180 )

// Samples that are made, at most: a gigabyte. More is rather a slip of the spacing than a wish.
#define MOST_SAMPLES INT64_C( 268500000 )

ds_terrain_shape ds_terrain_shape_default( ds_terrain_shape_kind kind )
{
	ds_terrain_shape shape = { .struct_size = sizeof( shape ),
		.kind = (int32_t)kind,
		.size = { 1000, 1000 },
		.spacing = 1,
		.amplitude = 1,
		.wavelength = { 50, 50 },
		.roughness = 1,
		.hurst = 0.8,
		.height = 100,
		.radius = 100 };
	return shape;
}

static ds_status check_common( const ds_terrain_shape *s )
{
	const double numbers[] = { s->depth, s->slope, s->towards, s->size[0], s->size[1], s->spacing };
	static const char *const names[] = { "depth", "slope", "towards", "size", "size", "spacing" };
	for ( int k = 0; k < DS_COUNT( numbers ); ++k )
	{
		if ( !isfinite( numbers[k] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "made ground: %s must be finite, got %g", names[k], numbers[k] );
		}
	}
	if ( s->slope < 0 || s->slope > STEEPEST * ( 1 + 1e-12 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"made ground: slope must lie in [0, %g] rad (80 degrees), got %g: turn `towards` for the other way",
			STEEPEST, s->slope );
	}
	if ( !( s->size[0] > 0 && s->size[1] > 0 && s->spacing > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "made ground: size and spacing must be greater than 0, got %g x %g m and %g m",
			s->size[0], s->size[1], s->spacing );
	}
	if ( !( s->size[0] / s->spacing < 2e9 && s->size[1] / s->spacing < 2e9 ) )
	{
		return ds_error( DS_ERROR_LIMIT, "made ground: %g x %g m at a spacing of %g m are too many samples", s->size[0],
			s->size[1], s->spacing );
	}
	return DS_OK;
}

static bool varies( double wavelength )
{
	return wavelength > 0 && !isinf( wavelength );
}

static ds_status check_sinusoid( const ds_terrain_shape *s )
{
	if ( !isfinite( s->amplitude ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "made ground: amplitude must be finite, got %g", s->amplitude );
	}
	for ( int k = 0; k < 2; ++k )
	{
		double w = s->wavelength[k];
		if ( !( w >= 0 ) || ( varies( w ) && w < 2 * s->spacing ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"made ground: wavelength[%d] must be two spacings (%g m) or more, or 0 or infinite for none, got %g m",
				k, 2 * s->spacing, w );
		}
	}
	return DS_OK;
}

static ds_status check_fractal( const ds_terrain_shape *s )
{
	double size = fmax( s->size[0], s->size[1] );
	if ( !isfinite( s->roughness ) || s->roughness < 0 )
	{
		return ds_error(
			DS_ERROR_RANGE, "made ground: roughness must be finite and not negative, got %g m", s->roughness );
	}
	if ( !( s->hurst >= 0 && s->hurst <= 1 ) )
	{
		return ds_error( DS_ERROR_RANGE, "made ground: hurst must lie in [0, 1], got %g", s->hurst );
	}
	if ( !( s->longest == 0 || ( s->longest >= 2 * s->spacing && s->longest <= size ) ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"made ground: longest must lie between two spacings (%g m) and the size (%g m), or be 0 for the size, got "
			"%g m",
			2 * s->spacing, size, s->longest );
	}
	return DS_OK;
}

static ds_status check_seamount( const ds_terrain_shape *s )
{
	if ( !isfinite( s->height ) || !isfinite( s->radius ) || !( s->radius > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"made ground: height must be finite and radius finite and greater than 0, got %g m and %g m", s->height,
			s->radius );
	}
	return check_fractal( s );
}

static ds_status check_shape( const ds_terrain_shape *s )
{
	DS_TRY( check_common( s ) );
	switch ( s->kind )
	{
		case DS_TERRAIN_SINUSOID:
			return check_sinusoid( s );
		case DS_TERRAIN_FRACTAL:
			return check_fractal( s );
		default:
			return check_seamount( s );
	}
}

// ---- filling -------------------------------------------------------------------------------------------------------

static void fill_sinusoid( const ds_terrain_shape *s, ds_terrain *t )
{
	const ds_terrain_view *v = &t->view;
	double kn = varies( s->wavelength[0] ) ? 2 * DS_PI / s->wavelength[0] : 0;
	double ke = varies( s->wavelength[1] ) ? 2 * DS_PI / s->wavelength[1] : 0;
	// the first row waits for the cosines along the others
	for ( int64_t j = 0; j < v->columns; ++j )
	{
		t->z[j] = (float)cos( ke * ( v->east + (double)j * v->spacing_east ) );
	}
	for ( int64_t i = v->rows - 1; i >= 0; --i )
	{
		double rise = s->amplitude * cos( kn * ( v->north + (double)i * v->spacing_north ) );
		for ( int64_t j = 0; j < v->columns; ++j )
		{
			t->z[i * v->columns + j] = (float)( rise * (double)t->z[j] );
		}
	}
}

static ds_status fill_fractal( const ds_terrain_shape *s, ds_terrain *t )
{
	int64_t count = t->view.rows * t->view.columns;
	if ( s->roughness == 0 )
	{
		memset( t->z, 0, (size_t)count * sizeof( *t->z ) );
		return DS_OK;
	}
	const ds_fractal fractal = { t->view.rows, t->view.columns, s->hurst,
		s->longest > 0 ? s->longest / s->spacing : INFINITY, s->seed };
	DS_TRY( ds_fractal_make( &t->allocator, &fractal, t->z ) );
	for ( int64_t k = 0; k < count; ++k )
	{
		t->z[k] = (float)( s->roughness * (double)t->z[k] );
	}
	return DS_OK;
}

// exp( -x ), x >= 0, the same bits on every processor. Beyond 80 nothing of a mountain is left.
static double decay( double x )
{
	return x < 80 ? ds_fourier_power( 2.718281828459045, -x ) : 0;
}

static ds_status fill_seamount( const ds_terrain_shape *s, ds_terrain *t )
{
	const ds_terrain_view *v = &t->view;
	DS_TRY( fill_fractal( s, t ) );
	for ( int64_t i = 0; i < v->rows; ++i )
	{
		double north = ( v->north + (double)i * v->spacing_north ) / s->radius;
		double row = s->height * decay( north * north );
		for ( int64_t j = 0; j < v->columns; ++j )
		{
			double east = ( v->east + (double)j * v->spacing_east ) / s->radius;
			float *z = &t->z[i * v->columns + j];
			*z = (float)( (double)*z - row * decay( east * east ) );
		}
	}
	return DS_OK;
}

static ds_status fill( const ds_terrain_shape *s, ds_terrain *t )
{
	switch ( s->kind )
	{
		case DS_TERRAIN_SINUSOID:
			fill_sinusoid( s, t );
			return DS_OK;
		case DS_TERRAIN_FRACTAL:
			return fill_fractal( s, t );
		default:
			return fill_seamount( s, t );
	}
}

static void tilt( const ds_terrain_shape *s, ds_terrain *t )
{
	const ds_terrain_view *v = &t->view;
	double north = tan( s->slope ) * cos( s->towards ), east = tan( s->slope ) * sin( s->towards );
	for ( int64_t i = 0; i < v->rows && s->slope > 0; ++i )
	{
		double row = north * ( v->north + (double)i * v->spacing_north );
		for ( int64_t j = 0; j < v->columns; ++j )
		{
			float *z = &t->z[i * v->columns + j];
			*z = (float)( (double)*z + ( row + east * ( v->east + (double)j * v->spacing_east ) ) );
		}
	}
}

static ds_status finish( ds_terrain *t )
{
	DS_TRY( ds_terrain_grid_finish( t ) );
	if ( !( t->properties.top >= -DS_TERRAIN_DEEPEST && t->properties.bottom <= DS_TERRAIN_DEEPEST ) )
	{
		return ds_error( DS_ERROR_RANGE, "made ground must lie within +-%g m of depth, got %g to %g m",
			DS_TERRAIN_DEEPEST, t->properties.top, t->properties.bottom );
	}
	return DS_OK;
}

ds_status ds_terrain_make( const ds_terrain_shape *shape, const ds_hooks *hooks, ds_terrain **terrain )
{
	if ( shape == NULL || terrain == NULL || shape->struct_size != sizeof( *shape ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "made ground must come from ds_terrain_shape_default()" );
	}
	*terrain = NULL;
	if ( shape->kind < 0 || shape->kind >= DS_TERRAIN_SHAPE_COUNT )
	{
		return ds_error( DS_ERROR_ARGUMENT, "made ground: there is no kind %d", (int)shape->kind );
	}
	DS_TRY( check_shape( shape ) );
	// whole cells that cover the size, about the origin
	int64_t cells[2];
	for ( int k = 0; k < 2; ++k )
	{
		cells[k] = (int64_t)fmax( 1, ceil( shape->size[k] / shape->spacing - 1e-9 ) );
	}
	if ( ( cells[0] + 1 ) * ( cells[1] + 1 ) > MOST_SAMPLES )
	{
		return ds_error( DS_ERROR_LIMIT,
			"made ground holds at most %lld samples; %g x %g m at a spacing of %g m would be %lld x %lld: take a "
			"larger spacing",
			(long long)MOST_SAMPLES, shape->size[0], shape->size[1], shape->spacing, (long long)cells[0] + 1,
			(long long)cells[1] + 1 );
	}
	const ds_grid_frame frame = { -0.5 * (double)cells[0] * shape->spacing, -0.5 * (double)cells[1] * shape->spacing,
		shape->spacing, shape->spacing, cells[0] + 1, cells[1] + 1 };
	ds_terrain *t;
	DS_TRY( ds_terrain_grid_new( hooks, &frame, shape->depth, &t ) );
	ds_status status = fill( shape, t );
	if ( status == DS_OK )
	{
		tilt( shape, t );
		status = finish( t );
	}
	if ( status != DS_OK )
	{
		ds_terrain_release( t );
		return status;
	}
	*terrain = t;
	return DS_OK;
}
