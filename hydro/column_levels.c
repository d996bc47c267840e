#include "hydro/column_levels.h"

#include <math.h>

void ds_cubic( double value0, double slope0, double value1, double slope1, double step, double c[4] )
{
	double secant = ( value1 - value0 ) / step;
	c[0] = value0;
	c[1] = slope0;
	c[2] = ( 3 * secant - 2 * slope0 - slope1 ) / step;
	c[3] = ( slope0 + slope1 - 2 * secant ) / ( step * step );
}

// ---- uneven levels -----------------------------------------------------------------------------------------------------

// The slope at an end, from the two steps next to it: that of the parabola, unless it would turn the curve.
static double end_slope( double step0, double step1, double secant0, double secant1 )
{
	double slope = ( ( 2 * step0 + step1 ) * secant0 - step0 * secant1 ) / ( step0 + step1 );
	if ( slope * secant0 <= 0 )
	{
		return 0;
	}
	if ( secant0 * secant1 <= 0 && fabs( slope ) > 3 * fabs( secant0 ) )
	{
		return 3 * secant0;
	}
	return slope;
}

void ds_levels_slopes( const double *depth, const double *value, int64_t count, double *slope )
{
	if ( count < 3 )
	{
		double secant = count == 2 ? ( value[1] - value[0] ) / ( depth[1] - depth[0] ) : 0;
		for ( int64_t i = 0; i < count; ++i )
		{
			slope[i] = secant;
		}
		return;
	}
	double step0 = depth[1] - depth[0], secant0 = ( value[1] - value[0] ) / step0;
	for ( int64_t i = 1; i < count - 1; ++i )
	{
		double step1 = depth[i + 1] - depth[i], secant1 = ( value[i + 1] - value[i] ) / step1;
		if ( i == 1 )
		{
			slope[0] = end_slope( step0, step1, secant0, secant1 );
		}
		double w0 = 2 * step1 + step0, w1 = step1 + 2 * step0;
		slope[i] = secant0 * secant1 > 0 ? ( w0 + w1 ) / ( w0 / secant0 + w1 / secant1 ) : 0;
		if ( i == count - 2 )
		{
			slope[count - 1] = end_slope( step1, step0, secant1, secant0 );
		}
		step0 = step1;
		secant0 = secant1;
	}
}

double ds_levels_at( const ds_levels *levels, double depth, int64_t *at )
{
	const double *z = levels->depth, *v = levels->value;
	int64_t last = levels->count - 1;
	if ( !( depth > z[0] ) )
	{
		return v[0];
	}
	if ( depth >= z[last] )
	{
		return v[last];
	}
	int64_t i = *at < last ? *at : last - 1;
	while ( i > 0 && depth < z[i] )
	{
		--i;
	}
	while ( depth >= z[i + 1] )
	{
		++i;
	}
	*at = i;
	double step = z[i + 1] - z[i], u = depth - z[i];
	if ( levels->slope == NULL )
	{
		return v[i] + ( v[i + 1] - v[i] ) * ( u / step );
	}
	double c[4];
	ds_cubic( v[i], levels->slope[i], v[i + 1], levels->slope[i + 1], step, c );
	return c[0] + u * ( c[1] + u * ( c[2] + u * c[3] ) );
}

// ---- even grid -----------------------------------------------------------------------------------------------------------

void ds_grid_slopes( const double *value, int64_t count, double step, double *slope )
{
	int64_t last = count - 1;
	for ( int64_t i = 0; i <= last; ++i )
	{
		// the ends, by parabolas, keep to the same limits with their only secant
		double below = i > 0 ? value[i] - value[i - 1] : value[1] - value[0];
		double above = i < last ? value[i + 1] - value[i] : value[last] - value[last - 1];
		double change = 0.5 * ( below + above );
		if ( i >= 2 && i <= last - 2 )
		{
			change = ( 8 * ( below + above ) - ( value[i + 2] - value[i - 2] ) ) / 12;
		}
		else if ( i == 0 && last >= 2 )
		{
			change = 1.5 * above - 0.5 * ( value[2] - value[1] );
		}
		else if ( i == last && last >= 2 )
		{
			change = 1.5 * below - 0.5 * ( value[last - 1] - value[last - 2] );
		}
		double limit = 3 * fmin( fabs( below ), fabs( above ) );
		bool turns = !( below * above > 0 ) || change * below < 0;
		slope[i] = turns ? 0 : copysign( fmin( fabs( change ), limit ), below ) / step;
	}
}
