// Daylight under water.

#include "optics/pure_water.h"
#include "optics/water_optics.h"
#include "optics/water_table.h"

#include "deepsim/math.h"

// ---- options -----------------------------------------------------------------------------------------------------

static const ds_field day_fields[] = {
	DS_F64( ds_sky_def, irradiance, "W/m2", "400", 0, 2000, "on a level plane at the surface, 400 to 700 nm" ),
	DS_F64( ds_sky_def, diffuse, "", "0.2", 0, 1, "share of it that comes from the whole sky; 1: overcast" ),
	DS_ANGLE( ds_sky_def, elevation, "60", 0, 90, "of the sun above the horizon" ),
	DS_ANGLE( ds_sky_def, azimuth, "0", -360, 360, "where the sun stands, from north over east" ),
};
static const ds_table day_table = DS_TABLE( "sky", "", ds_sky_def, day_fields );
static const ds_choice skies[] = {
	{ 0, DS_FORM_OBJECT, "day", NULL, &day_table, "sun and sky" },
	{ 1, DS_FORM_NULL, "dark", NULL, NULL, "no daylight at all" },
};
static const ds_field sky_fields[] = { { "", DS_FIELD_VARIANT, 0, offsetof( ds_sky_def, dark ), 1, 0, "", "{}", 0, 0,
	"daylight", NULL, skies, DS_COUNT( skies ), DS_ELEMENT_NONE } };
const ds_table ds_sky_options = DS_TABLE( "sky", "daylight above the water", ds_sky_def, sky_fields );

const ds_table *ds_sky_table( void )
{
	return &ds_sky_options;
}

ds_sky_def ds_sky_def_default( void )
{
	ds_sky_def def;
	ds_table_defaults( &ds_sky_options, &def );
	return def;
}

// ---- the spectrum ------------------------------------------------------------------------------------------------

// ASTM G173-03, global on a tilted plane, air mass 1.5: means over 10 nm from 400 to 700 nm [W/(m2 nm)].
#define SPECTRUM 30
static const double spectrum[SPECTRUM] = { 1.1547, 1.2012, 1.1878, 1.1998, 1.434, 1.5444, 1.5586, 1.5794, 1.5296,
	1.5685, 1.5417, 1.4913, 1.5304, 1.5483, 1.5271, 1.5273, 1.5062, 1.4848, 1.4909, 1.4535, 1.4748, 1.4548, 1.4189,
	1.4327, 1.4195, 1.3608, 1.4072, 1.4047, 1.2771, 1.2733 };

// Share of daylight between two wavelengths [nm], of all between 400 and 700.
static double spectrum_share( double low, double high )
{
	double sum = 0, total = 0;
	for ( int i = 0; i < SPECTRUM; ++i )
	{
		double from = 400 + 10 * i, overlap = fmin( high, from + 10 ) - fmax( low, from );
		sum += overlap > 0 ? overlap * spectrum[i] : 0;
		total += 10 * spectrum[i];
	}
	return sum / total;
}

// ---- the surface -------------------------------------------------------------------------------------------------

// Part of unpolarised light that goes through a flat surface into the water, at a zenith angle in the air with this cosine (Fresnel).
static double transmitted( double cosine, double cosine_water )
{
	const double n = DS_WATER_INDEX;
	double s = ( cosine - n * cosine_water ) / ( cosine + n * cosine_water );
	double p = ( n * cosine - cosine_water ) / ( n * cosine + cosine_water );
	return 1 - 0.5 * ( s * s + p * p );
}

// The same of light from an evenly bright sky: the mean of the above, by cosine and solid angle.
#define SKY_TRANSMITTED 0.932

// The sun's zenith angle in air [rad] for which its light goes as steeply under water as the mean of an even sky's: mean cosine 0.84.
#define SKY_ZENITH 0.813

// ---- down the water ----------------------------------------------------------------------------------------------

// Integrals from the surface to a depth.
typedef struct fading
{
	double sun, sky; // of the diffuse attenuation of the sun's and the sky's light
	double scattered; // of b ( 1 - mean cosine ): what leaves the forward direction
} fading;

typedef struct column
{
	const ds_water_optics *optics;
	ds_spectral spectral;
	double zenith; // of the sun, in the air [rad]
} column;

static void add( const column *c, double factor, double length, fading *sum )
{
	ds_iop iop = ds_water_iop( c->optics, &c->spectral, factor );
	sum->sun += length * ds_diffuse_attenuation( iop.a, iop.bb, c->zenith );
	sum->sky += length * ds_diffuse_attenuation( iop.a, iop.bb, SKY_ZENITH );
	sum->scattered += length * ( iop.b_water + iop.b_particles * ( 1 - c->optics->forward ) );
}

// From `top` to `bottom`, between which the factor is linear: Gauss and Legendre, five points.
static void add_piece( const column *c, double top, double bottom, fading *sum )
{
	static const double nodes[5] = { 0.04691007703066802, 0.23076534494715845, 0.5, 0.76923465505284155,
		0.95308992296933198 };
	static const double weights[5] = { 0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
		0.23931433524968324, 0.11846344252809454 };
	for ( int i = 0; i < 5; ++i )
	{
		double factor = ds_water_factor( c->optics, top + nodes[i] * ( bottom - top ) );
		add( c, factor, weights[i] * ( bottom - top ), sum );
	}
}

static fading fade( const column *c, double depth )
{
	fading sum = { 0, 0, 0 };
	const ds_array *profile = &c->optics->def.profile;
	const ds_turbidity_level *levels = profile->data;
	if ( profile->count == 0 )
	{
		add( c, ds_water_factor( c->optics, 0 ), depth, &sum );
		return sum;
	}
	double top = 0;
	for ( int64_t i = 0; i < profile->count && top < depth; ++i )
	{
		double bottom = fmin( levels[i].depth, depth );
		if ( bottom > top )
		{
			add_piece( c, top, bottom, &sum );
			top = bottom;
		}
	}
	if ( top < depth )
	{
		add( c, ds_water_factor( c->optics, depth ), depth - top, &sum );
	}
	return sum;
}

ds_daylight ds_daylight_at(
	const ds_sky_def *sky, const ds_water_optics *optics, double depth, double wavelength, double width )
{
	ds_daylight light = { { 0, 0, 1 }, 0, 0 };
	if ( sky->dark )
	{
		return light;
	}
	const bool wet = optics && depth >= 0;
	const double zenith = 0.5 * DS_PI - sky->elevation;
	const double sine = sin( zenith ) / ( wet ? DS_WATER_INDEX : 1 ), cosine = sqrt( fmax( 1 - sine * sine, 0 ) );
	light.direction = ds_v3( -sine * cos( sky->azimuth ), -sine * sin( sky->azimuth ), cosine );
	if ( !( width > 0 ) )
	{
		return light;
	}
	const int32_t count = ds_band_samples( width );
	const double step = width / count, low = wavelength - 0.5 * width;
	const double through = wet ? transmitted( fmax( cos( zenith ), 0 ), cosine ) : 1;
	for ( int32_t i = 0; i < count; ++i )
	{
		double all = sky->irradiance * spectrum_share( low + i * step, low + ( i + 1 ) * step );
		double sun = all * ( 1 - sky->diffuse ) * through, whole = all * sky->diffuse;
		if ( wet )
		{
			column c = { optics, ds_water_spectral( optics, low + ( i + 0.5 ) * step ), zenith };
			fading f = fade( &c, depth );
			double straight = exp( -f.scattered / cosine );
			sun *= exp( -f.sun );
			whole = whole * SKY_TRANSMITTED * exp( -f.sky ) + sun * ( 1 - straight );
			sun *= straight;
		}
		light.sun += sun;
		light.sky += whole;
	}
	return light;
}
