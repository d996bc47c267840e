#include "hydro/ekman.h"

#include "deepsim/math.h"
#include "hydro/ekman_complex.h"

#include <math.h>

#define EARTH_RATE    7.292115e-5 // of rotation [rad/s], WGS-84 (NIMA TR8350.2)
#define LEAST_DEGREES 2.0 // of latitude, for f
#define FAR_DECAYS    40.0 // exp( -40 ) is 4e-18

// ---- forcing -------------------------------------------------------------------------------------------------------

double ds_coriolis_parameter( double latitude )
{
	double least = 2 * EARTH_RATE * sin( LEAST_DEGREES * DS_PI / 180 );
	double f = 2 * EARTH_RATE * sin( latitude );
	return f < 0 ? fmin( f, -least ) : fmax( f, least );
}

// Drag coefficient of the sea surface over the wind at 10 m. To 19.5 m/s the means of bins of the open-sea measurements
// of Edson et al. (2013), J. Phys. Oceanogr. 43, as tabulated with the data of Curcic and Haus (2020), Geophys. Res.
// Lett. 47, e2020GL087647 (their bins above hold 15 samples or less); at 25 m/s the level of 2.6e-3 at which it saturates
// there. Straight lines between, constant outside.
static double tabulated_drag( double speed )
{
	static const double table[][2] = { { 1.8921, 0.9069 }, { 2.6203, 0.9472 }, { 3.5161, 0.9288 }, { 4.4853, 0.9745 },
		{ 5.4761, 1.0082 }, { 6.5257, 1.0621 }, { 7.4542, 1.1340 }, { 8.4837, 1.1976 }, { 9.4730, 1.2884 },
		{ 10.4907, 1.3741 }, { 11.4794, 1.4611 }, { 12.4745, 1.5433 }, { 13.4575, 1.6213 }, { 14.3837, 1.7043 },
		{ 15.5213, 1.7927 }, { 16.3923, 1.8991 }, { 17.4704, 2.0482 }, { 18.4561, 2.2753 }, { 19.4553, 2.2762 },
		{ 25.0, 2.6 } };
	int last = (int)( sizeof( table ) / sizeof( table[0] ) ) - 1;
	if ( speed <= table[0][0] )
	{
		return 1e-3 * table[0][1];
	}
	for ( int i = 0; i < last; ++i )
	{
		if ( speed < table[i + 1][0] )
		{
			double t = ( speed - table[i][0] ) / ( table[i + 1][0] - table[i][0] );
			return 1e-3 * ( table[i][1] + t * ( table[i + 1][1] - table[i][1] ) );
		}
	}
	return 1e-3 * table[last][1];
}

double ds_wind_drag( int32_t law, double constant, double wind_speed )
{
	switch ( law )
	{
		case DS_DRAG_LINEAR:
			return wind_speed < 20.2 ? 0.79e-3 + 0.08e-3 * wind_speed : 2.423e-3;
		case DS_DRAG_CONSTANT:
			return constant;
		default:
			return tabulated_drag( wind_speed );
	}
}

void ds_ekman_stress( const ds_current_def *def, double stress[2] )
{
	if ( def->stress_kind == DS_STRESS_GIVEN )
	{
		stress[0] = def->stress[0];
		stress[1] = def->stress[1];
		return;
	}
	double drag = ds_wind_drag( def->drag_law, def->drag_coefficient, def->wind_speed );
	double magnitude = def->air_density * drag * def->wind_speed * def->wind_speed;
	stress[0] = magnitude * cos( def->wind_direction );
	stress[1] = magnitude * sin( def->wind_direction );
}

// ---- solution ------------------------------------------------------------------------------------------------------

ds_ekman ds_ekman_make( const ds_current_def *def, double latitude )
{
	double f = ds_coriolis_parameter( latitude ), stress[2];
	ds_ekman e;
	e.sign = f < 0 ? -1 : 1;
	e.coriolis = fabs( f );
	e.surface_layer = def->surface_layer;
	e.bed_layer = def->bed_layer;
	e.interior = cx( def->velocity[0], def->velocity[1] );
	// V0 e^{i theta} e^{i s pi/4}, and sqrt(2) e^{i s pi/4} is 1 + i s
	ds_ekman_stress( def, stress );
	double scale = DS_PI / ( def->water_density * e.coriolis * e.surface_layer );
	e.surface = cx_scale( scale, cx_mul( cx( stress[0], stress[1] ), cx( 1, e.sign ) ) );
	return e;
}

// e^{-(1-is) x}
static inline ds_complex spiral( double x, double sign )
{
	double decay = exp( -x );
	return cx( decay * cos( x ), sign * decay * sin( x ) );
}

ds_ekman_column ds_ekman_solve( const ds_ekman *ekman, double depth )
{
	ds_complex zero = { 0, 0 }, g = ekman->interior, v = ekman->surface;
	ds_ekman_column column = { depth, INFINITY, v, zero, zero, zero, zero };
	if ( depth == INFINITY )
	{
		return column;
	}
	if ( !( depth > 0 ) )
	{
		column.depth = column.interface = 0;
		column.a = zero;
		return column;
	}

	// With the interface at H D / ( D + D_b ) both layers have the same decay e = e^{-(1-is) pi H/( D + D_b )}. The
	// conditions are, in the order surface, bed, W, A W' (whose factors A k are as D to D_b, r = D_b/D):
	//   a - b e = v,   c e + d = -g,   a e + b = c + d e,   b - a e = r ( d e - c )
	double both = ekman->surface_layer + ekman->bed_layer, r = ekman->bed_layer / ekman->surface_layer;
	ds_complex e = spiral( DS_PI * depth / both, ekman->sign ), e2 = cx_mul( e, e );
	ds_complex p = cx_add( cx( 1, 0 ), e2 ), q = cx_sub( cx( 1, 0 ), e2 );
	ds_complex sum = cx_add( g, v ), top = cx_add( cx_mul( cx_sub( v, cx_scale( r, g ) ), p ), cx_mul( sum, q ) );
	ds_complex bottom = cx_add( cx_mul( q, q ), cx_scale( r, cx_mul( p, p ) ) );
	column.decay = e;
	column.interface = depth * ekman->surface_layer / both;
	column.c = cx_div( cx_mul( e, top ), bottom );
	column.b = cx_div( cx_sub( cx_mul( column.c, q ), cx_mul( sum, e ) ), p );
	column.a = cx_add( v, cx_mul( column.b, e ) );
	column.d = cx_scale( -1, cx_add( g, cx_mul( column.c, e ) ) );
	return column;
}

// a e^{-k x} + b e^{-k ( length - x )}, k = ( 1 - is ) pi / layer, and its derivative by x over -k. `whole` is
// e^{-k length}, so that one exponential serves both parts.
static inline ds_complex layer_flow( ds_complex a, ds_complex b, ds_complex whole, double x, double length,
	double layer, double sign, ds_complex *slope )
{
	double rate = DS_PI / layer;
	ds_complex down = cx( 0, 0 ), up = cx( 0, 0 );
	if ( rate * x < FAR_DECAYS )
	{
		ds_complex turn = spiral( rate * x, sign );
		down = cx_mul( a, turn );
		if ( rate * ( length - x ) < FAR_DECAYS )
		{
			up = cx_mul( b, cx_div( whole, turn ) );
		}
	}
	else if ( rate * ( length - x ) < FAR_DECAYS )
	{
		up = cx_mul( b, spiral( rate * ( length - x ), sign ) );
	}
	*slope = cx_sub( down, up );
	return cx_add( down, up );
}

ds_complex ds_ekman_at( const ds_ekman *ekman, const ds_ekman_column *column, double z, ds_complex *gradient )
{
	ds_complex slope = { 0, 0 }, flow;
	double layer = ekman->surface_layer;
	bool at_bed = !( z < column->depth );
	z = at_bed ? column->depth : z > 0 ? z : 0;
	if ( !( column->depth > 0 ) )
	{
		flow = cx( 0, 0 );
	}
	else if ( z <= column->interface )
	{
		flow = layer_flow( column->a, column->b, column->decay, z, column->interface, layer, ekman->sign, &slope );
		flow = cx_add( ekman->interior, flow );
	}
	else
	{
		layer = ekman->bed_layer;
		flow = layer_flow( column->c, column->d, column->decay, z - column->interface,
			column->depth - column->interface, layer, ekman->sign, &slope );
		flow = at_bed ? cx( 0, 0 ) : cx_add( ekman->interior, flow );
	}
	if ( gradient )
	{
		*gradient = cx_scale( -DS_PI / layer, cx_mul( cx( 1, -ekman->sign ), slope ) );
	}
	return flow;
}
