// Bands of wavelength.

#include "optics/pure_water.h"

#include "base/base.h"
#include "deepsim/water_optics.h"

#include <math.h>

ds_bands ds_bands_rgb( void )
{
	// about the dominant wavelengths of sRGB's primaries, 464, 549 and 611 nm (IEC 61966-2-1, against D65), and as wide as leaves each
	// wavelength to one of them: an object of one of the primaries' colours is then seen by one band
	return ( ds_bands ){ 3, { 465, 550, 610 }, { 70, 60, 60 } };
}

ds_status ds_bands_even( int32_t count, double low, double high, ds_bands *bands )
{
	if ( bands == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_bands_even: bands must not be NULL" );
	}
	*bands = ( ds_bands ){ 0 };
	if ( count < 1 || count > DS_MAX_BANDS )
	{
		return ds_error( DS_ERROR_RANGE, "bands: expected a count in [1, %d], got %d", DS_MAX_BANDS, count );
	}
	if ( !( low >= DS_LIGHT_LOW && low < high && high <= DS_LIGHT_HIGH ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"bands: expected %g <= low < high <= %g nm (what the tables of water span), got %g and %g", DS_LIGHT_LOW,
			DS_LIGHT_HIGH, low, high );
	}
	bands->count = count;
	for ( int32_t i = 0; i < count; ++i )
	{
		bands->width[i] = ( high - low ) / count;
		bands->wavelength[i] = low + ( i + 0.5 ) * bands->width[i];
	}
	return DS_OK;
}
