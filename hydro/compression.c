#include "hydro/compression.h"

#include <math.h>

double ds_compression_kappa( double gauge_pressure, double bulk_modulus )
{
	return fmax( 1 - gauge_pressure / bulk_modulus, DS_COMPRESSION_LEAST );
}

double ds_compressed_volume( double volume, double gauge_pressure, double bulk_modulus )
{
	return volume * ds_compression_kappa( gauge_pressure, bulk_modulus );
}

ds_compression ds_compression_at(
	ds_compression_kind kind, double gauge_pressure, double bulk_modulus, double density, double reference_density )
{
	ds_compression c = { 1, 1, 1, 1 };
	if ( kind == DS_COMPRESSION_NONE )
	{
		return c;
	}
	double kappa = ds_compression_kappa( gauge_pressure, bulk_modulus );
	if ( kind == DS_COMPRESSION_PRINTED )
	{
		c.added_mass = c.added_cross = c.added_inertia = kappa;
		return c;
	}
	double length = cbrt( kappa );
	c.volume = kappa;
	c.added_mass = kappa * density / reference_density;
	c.added_cross = c.added_mass * length;
	c.added_inertia = c.added_cross * length;
	return c;
}
