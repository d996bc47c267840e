#include "sensors/geomagnetic.h"

#include "deepsim/math.h"

#include <stdio.h>
#include <string.h>

#define REFERENCE_RADIUS 6371200.0 // a of the expansion [m]
#define TOP              DS_GEOMAGNETIC_MAX_DEGREE
#define TERMS            ( TOP * ( TOP + 2 ) )

// WGS-84 (NIMA TR8350.2): semi-major axis [m], first eccentricity squared.
#define WGS84_A  6378137.0
#define WGS84_F  ( 1 / 298.257223563 )
#define WGS84_E2 ( WGS84_F * ( 2 - WGS84_F ) )

#define TESLA 1e-9 // a nanotesla

// Where the models hold, and the WMM's zones (Chulliat et al. 2025).
#define LOWEST         -1e3
#define HIGHEST        850e3
#define BLACKOUT_LIMIT 2000e-9
#define CAUTION_LIMIT  6000e-9

const ds_geomagnetic_model *ds_geomagnetic_wmm2025( void )
{
	return &ds_geomagnetic_wmm2025_model;
}

const ds_geomagnetic_model *ds_geomagnetic_igrf14( void )
{
	return &ds_geomagnetic_igrf14_model;
}

const ds_geomagnetic_model *ds_geomagnetic_find( const char *name )
{
	return name == NULL                     ? NULL
		   : strcmp( name, "wmm2025" ) == 0 ? &ds_geomagnetic_wmm2025_model
		   : strcmp( name, "igrf14" ) == 0  ? &ds_geomagnetic_igrf14_model
											: NULL;
}

// ---- coefficients of a date --------------------------------------------------------------------------------------

typedef struct gauss
{
	double value[TERMS], rate[TERMS]; // [nT], [nT/year]
} gauss;

static void coefficients_of( const ds_geomagnetic_model *model, double year, gauss *out )
{
	int32_t terms = model->degree * ( model->degree + 2 ), last = model->epoch_count - 1, epoch = 0;
	while ( epoch < last && year >= model->epochs[epoch + 1] )
	{
		++epoch;
	}
	// past the last epoch the slope is that before it, unless the model has its own
	epoch = epoch == last && last > 0 && model->rates == NULL ? last - 1 : epoch;
	double since = year - model->epochs[epoch];
	const double *row = model->coefficients + (ptrdiff_t)epoch * terms;
	if ( epoch < last )
	{
		double per_year = 1 / ( model->epochs[epoch + 1] - model->epochs[epoch] );
		for ( int32_t i = 0; i < terms; ++i )
		{
			out->rate[i] = ( row[terms + i] - row[i] ) * per_year;
			out->value[i] = row[i] + since * out->rate[i];
		}
		return;
	}
	for ( int32_t i = 0; i < terms; ++i )
	{
		out->rate[i] = model->rates ? model->rates[i] : 0;
		out->value[i] = row[i] + since * out->rate[i];
	}
}

// ---- the expansion -----------------------------------------------------------------------------------------------

// Schmidt semi-normalised functions of cos(theta), by order and degree: P, dP/dtheta and m P / sin(theta).
typedef struct legendre
{
	double value[TOP + 1][TOP + 1], slope[TOP + 1][TOP + 1], across[TOP + 1][TOP + 1];
} legendre;

// Orders above 0 run in Q = P / sin(theta), which is finite at the poles, and so are dP/dtheta = n cos(theta) Q_n - sqrt(n^2 - m^2) Q_(n-1)
// and, of order 0, dP_n/dtheta = -sqrt(n (n + 1) / 2) sin(theta) Q_n^1.
static void legendre_at( int32_t degree, double sin_theta, double cos_theta, legendre *out )
{
	double diagonal = 1; // Q_m^m = sqrt( 1 - 1 / 2m ) sin(theta) Q_(m-1)^(m-1)
	for ( int32_t m = 1; m <= degree; ++m )
	{
		double below = 0, q = diagonal, root_below = 0; // Q_(n-1), Q_n, sqrt( (n-1)^2 - m^2 )
		for ( int32_t n = m; n <= degree; ++n )
		{
			double root = sqrt( (double)( n * n - m * m ) );
			if ( n > m )
			{
				double next = ( ( 2 * n - 1 ) * cos_theta * q - root_below * below ) / root;
				below = q;
				q = next;
			}
			out->value[m][n] = q * sin_theta;
			out->slope[m][n] = n * cos_theta * q - root * below;
			out->across[m][n] = m * q;
			root_below = root;
		}
		diagonal *= sin_theta * sqrt( 1 - 1 / ( 2.0 * m + 2 ) );
	}
	double below = 0, p = 1;
	for ( int32_t n = 1; n <= degree; ++n )
	{
		double next = ( ( 2 * n - 1 ) * cos_theta * p - ( n - 1 ) * below ) / n;
		below = p;
		p = next;
		out->value[0][n] = p;
		out->slope[0][n] = -sqrt( 0.5 * n * ( n + 1 ) ) * out->value[1][n];
		out->across[0][n] = 0;
	}
}

typedef struct sums
{
	ds_vec3 field, rate; // north, east, down of the geocentric place [nT], [nT/year]
} sums;

// `ratio` is a / r.
static void expand( const gauss *c, int32_t degree, const legendre *l, double longitude, double ratio, sums *out )
{
	double weight[TOP + 1]; // ( a / r )^( n + 2 )
	weight[0] = ratio * ratio;
	for ( int32_t n = 1; n <= degree; ++n )
	{
		weight[n] = weight[n - 1] * ratio;
	}
	ds_vec3 b = ds_v3( 0, 0, 0 ), r = b;
	double cos_1 = cos( longitude ), sin_1 = sin( longitude ), cos_m = 1, sin_m = 0;
	for ( int32_t m = 0; m <= degree; ++m )
	{
		for ( int32_t n = m > 0 ? m : 1; n <= degree; ++n )
		{
			int32_t g = n * n - 1 + ( m > 0 ? 2 * m - 1 : 0 ), h = g + ( m > 0 ); // h of order 0 is multiplied by sin 0
			double north = weight[n] * l->slope[m][n], east = weight[n] * l->across[m][n];
			double down = -( n + 1 ) * weight[n] * l->value[m][n];
			double even = c->value[g] * cos_m + c->value[h] * sin_m, odd = c->value[g] * sin_m - c->value[h] * cos_m;
			b = ds_v3( b.x + north * even, b.y + east * odd, b.z + down * even );
			even = c->rate[g] * cos_m + c->rate[h] * sin_m;
			odd = c->rate[g] * sin_m - c->rate[h] * cos_m;
			r = ds_v3( r.x + north * even, r.y + east * odd, r.z + down * even );
		}
		double next = cos_m * cos_1 - sin_m * sin_1;
		sin_m = sin_m * cos_1 + cos_m * sin_1;
		cos_m = next;
	}
	out->field = b;
	out->rate = r;
}

// ---- elements ----------------------------------------------------------------------------------------------------

static void elements( ds_geomagnetic *f )
{
	ds_vec3 b = f->field, r = f->field_rate;
	f->horizontal = hypot( b.x, b.y );
	f->total = hypot( f->horizontal, b.z );
	f->declination = atan2( b.y, b.x );
	f->inclination = atan2( b.z, f->horizontal );
	double h = f->horizontal;
	f->horizontal_rate = h > 0 ? ( b.x * r.x + b.y * r.y ) / h : 0;
	f->declination_rate = h > 0 ? ( b.x * r.y - b.y * r.x ) / ( h * h ) : 0;
	f->total_rate = f->total > 0 ? ds_dot( b, r ) / f->total : 0;
	f->inclination_rate = f->total > 0 ? ( h * r.z - b.z * f->horizontal_rate ) / ( f->total * f->total ) : 0;
}

static uint32_t warnings_of( const ds_geomagnetic_model *model, double horizontal, double height, double year )
{
	uint32_t warnings = year < model->first_year || year > model->last_year ? DS_GEOMAGNETIC_DATE : 0;
	warnings |= height < LOWEST || height > HIGHEST ? DS_GEOMAGNETIC_ALTITUDE : 0;
	return warnings | ( horizontal < BLACKOUT_LIMIT    ? DS_GEOMAGNETIC_BLACKOUT
						  : horizontal < CAUTION_LIMIT ? DS_GEOMAGNETIC_CAUTION
													   : 0 );
}

static ds_status check(
	const ds_geomagnetic_model *model, double latitude, double longitude, double height, double year )
{
	if ( model == NULL || model->degree < 1 || model->degree > TOP || model->epoch_count < 1 || model->epochs == NULL ||
		 model->coefficients == NULL )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "ds_geomagnetic_at needs a model of degree 1 to %d and room for the field", TOP );
	}
	if ( !isfinite( latitude ) || !isfinite( longitude ) || !isfinite( height ) || !isfinite( year ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "ds_geomagnetic_at: latitude, longitude, height and year must be finite" );
	}
	if ( fabs( latitude ) > 0.5 * DS_PI + 1e-9 )
	{
		return ds_error( DS_ERROR_RANGE, "the latitude must lie in [-90, 90] degrees, got %g", latitude * 180 / DS_PI );
	}
	if ( height < -1e6 || height > 1e8 )
	{
		return ds_error( DS_ERROR_RANGE, "the height above the ellipsoid must lie in [-1e6, 1e8] m, got %g", height );
	}
	if ( year < 1000 || year > 3000 )
	{
		return ds_error( DS_ERROR_RANGE, "the year must lie in [1000, 3000], got %g", year );
	}
	return DS_OK;
}

ds_status ds_geomagnetic_at( const ds_geomagnetic_model *model, double latitude, double longitude, double height,
	double year, ds_geomagnetic *field )
{
	if ( field == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_geomagnetic_at needs room for the field" );
	}
	*field = ( ds_geomagnetic ){ 0 };
	ds_status status = check( model, latitude, longitude, height, year );
	if ( status != DS_OK )
	{
		return status;
	}
	// geodetic to geocentric, in the plane of the meridian
	double s = sin( latitude ), c = fabs( latitude ) < 0.5 * DS_PI ? cos( latitude ) : 0;
	double across = WGS84_A / sqrt( 1 - WGS84_E2 * s * s );
	double p = ( across + height ) * c, z = ( across * ( 1 - WGS84_E2 ) + height ) * s, r = hypot( p, z );
	double sin_theta = p / r, cos_theta = z / r;

	gauss coefficients;
	legendre functions;
	sums geocentric;
	coefficients_of( model, year, &coefficients );
	legendre_at( model->degree, sin_theta, cos_theta, &functions );
	expand( &coefficients, model->degree, &functions, longitude, REFERENCE_RADIUS / r, &geocentric );

	// by the angle from geodetic to geocentric north, phi' - phi
	double sin_psi = cos_theta * c - sin_theta * s, cos_psi = sin_theta * c + cos_theta * s;
	ds_vec3 b = ds_scale( TESLA, geocentric.field ), rate = ds_scale( TESLA, geocentric.rate );
	field->field = ds_v3( b.x * cos_psi - b.z * sin_psi, b.y, b.x * sin_psi + b.z * cos_psi );
	field->field_rate = ds_v3( rate.x * cos_psi - rate.z * sin_psi, rate.y, rate.x * sin_psi + rate.z * cos_psi );
	elements( field );
	field->warnings = warnings_of( model, field->horizontal, height, year );
	return DS_OK;
}

void ds_geomagnetic_warning( const ds_geomagnetic_model *model, const ds_geomagnetic *field, char *text, size_t size )
{
	char years[96];
	snprintf( years, sizeof( years ), "the date is outside the years %g to %g of %s, which is extrapolated",
		model->first_year, model->last_year, model->name );
	const struct
	{
		uint32_t bit;
		const char *text;
	} all[] = {
		{ DS_GEOMAGNETIC_DATE, years },
		{ DS_GEOMAGNETIC_ALTITUDE, "the place is outside -1 to 850 km of altitude, for which the model is made" },
		{ DS_GEOMAGNETIC_BLACKOUT,
			"blackout zone: the horizontal field is below 2000 nT, a compass does not tell north" },
		{ DS_GEOMAGNETIC_CAUTION, "caution zone: the horizontal field is below 6000 nT, a compass may be wrong" },
	};
	text[0] = 0;
	for ( size_t i = 0, at = 0; i < sizeof( all ) / sizeof( all[0] ); ++i )
	{
		if ( ( field->warnings & all[i].bit ) && at < size )
		{
			at += (size_t)snprintf( text + at, size - at, "%s%s", at > 0 ? "; " : "", all[i].text );
		}
	}
}
