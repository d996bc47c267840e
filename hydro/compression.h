// Compression of a hull by the pressure of the water: displaced volume and added mass (equations 16 and 17 of the source paper,
// corrected).

#ifndef DEEPSIM_HYDRO_COMPRESSION_H
#define DEEPSIM_HYDRO_COMPRESSION_H

// A hull keeps at least this share of its volume: a linear law would take it below nothing at p = K.
#define DS_COMPRESSION_LEAST 0.01

typedef enum ds_compression_kind
{
	DS_COMPRESSION_NONE, // all factors 1
	DS_COMPRESSION_HULL, // K is the hull's: V = kappa V0; added mass follows volume, arms and density
	DS_COMPRESSION_PRINTED // (16, 17) as printed: kappa on added mass and added inertia alone, V and rho do not count
} ds_compression_kind;

// Factors on what holds at the surface.
typedef struct ds_compression
{
	double volume; // of displaced volume
	double added_mass; // of the 3x3 block force by acceleration, which goes with length^3
	double added_cross; // of the 3x3 blocks between, length^4
	double added_inertia; // of the 3x3 block torque by angular acceleration, length^5
} ds_compression;

// kappa = 1 - p/K (16), for a gauge pressure [Pa] and a bulk modulus K > 0 [Pa], which may be INFINITY. Never below
// DS_COMPRESSION_LEAST. 0.98625 at 30.25 MPa for K 2.2 GPa.
double ds_compression_kappa( double gauge_pressure, double bulk_modulus );

// Displaced volume [m3]: V0 kappa.
double ds_compressed_volume( double volume, double gauge_pressure, double bulk_modulus );

// Factors by `kind`, for water of density `density` where the added mass was worked out for `reference_density`. The volume's
// share of buoyancy is kappa; rho of the place is the caller's to apply there.
ds_compression ds_compression_at(
	ds_compression_kind kind, double gauge_pressure, double bulk_modulus, double density, double reference_density );

#endif
