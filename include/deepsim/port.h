// libdeepsim: ports: what a camera in a housing looks through. Rays bend at air, glass and water by Snell's law, so that a flat port
// has no single centre of projection: every pixel's ray in the water has its own origin.
//
// Optical axes as in lens.h: x right, y down, z ahead, from the centre of projection of the lens.

#ifndef DEEPSIM_PORT_H
#define DEEPSIM_PORT_H

#include "deepsim/lens.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_port_kind
{
	DS_PORT_NONE, // no housing: rays start at the centre of projection, and do not bend
	DS_PORT_FLAT, // distance, thickness, tilt
	DS_PORT_DOME, // radius, thickness, decentring
	DS_PORT_KIND_COUNT
} ds_port_kind;

typedef enum ds_glass
{
	DS_GLASS_BK7, // Schott N-BK7, Sellmeier
	DS_GLASS_SILICA, // fused silica: Malitson 1965
	DS_GLASS_SAPPHIRE, // ordinary ray: Malitson 1962
	DS_GLASS_ACRYLIC, // PMMA
	DS_GLASS_GIVEN, // `glass_index`
	DS_GLASS_COUNT
} ds_glass;

// "port" of a camera. Start from ds_port_config_default(): none.
typedef struct ds_port_config
{
	int32_t kind; // ds_port_kind
	int32_t glass; // ds_glass
	double glass_index; // DS_GLASS_GIVEN; relative to air, as data sheets give it
	double thickness; // of the glass [m]
	double distance; // flat: from the centre of projection to the inner face, along its normal [m]
	double tilt[2]; // flat: of the normal about x, then about y [rad]
	double radius; // dome: of the inner face [m]
	double decentring[3]; // dome: of its centre from the centre of projection [m]
	double wavelength; // in vacuum, that rays are bent for [nm]
	double salinity, temperature; // of the water outside, that rays are bent for [PSU, degC]
	// of the water outside above the atmosphere's, that rays are bent for [Pa]: at 4000 m (40.6e6) images are 0.45 % larger than at the
	// surface
	double pressure;
} ds_port_config;

// A port, ready for use: plain data.
typedef struct ds_port
{
	int32_t kind;
	double air, glass, water; // refractive indices, relative to vacuum; `water`: of what is outside
	ds_vec3 normal; // flat: unit, away from the camera
	double distance, thickness; // [m]
	ds_vec3 center; // dome
	double inner, outer; // dome: radii [m]
} ds_port;

DS_API const ds_table *ds_port_config_table( void );
DS_API ds_port_config ds_port_config_default( void );

// Refractive indices, relative to air as they are measured (times ds_refractive_index_air: to vacuum). `wavelength` in vacuum [nm];
// beyond a formula's range the formula is followed, but no farther than to 200 and 900 nm.
//
// Of sea water at 1 atm: Quan and Fry 1995, their equation, for `salinity` 0 to 35 PSU, `temperature` 0 to 30 degC, 400 to 700 nm.
DS_API double ds_refractive_index_seawater( double salinity, double temperature, double wavelength );
// What `pressure` above the atmosphere's [Pa] adds to it, 1.5e-4 each MPa: Millard and Seaver 1990, for 0 to 43 PSU, 0 to 30 degC, 500 to
// 700 nm, to 110 MPa (to 8e-5).
DS_API double ds_refractive_index_pressure( double salinity, double temperature, double wavelength, double pressure );
// Of glass at 1 atm and 20 to 24 degC; NaN for DS_GLASS_GIVEN.
DS_API double ds_refractive_index_glass( ds_glass glass, double wavelength );
// Of dry air at 15 degC and 1 atm, relative to vacuum: Ciddor 1996.
DS_API double ds_refractive_index_air( double wavelength );

// The port with its indices; `wet`: water of the config's salinity, temperature and pressure outside, else air. Errors: RANGE,
// NOT_FINITE, of the config's options by their names.
DS_API ds_status ds_port_make( const ds_port_config *config, bool wet, ds_port *port );

// The ray outside of the port (origin on its outer face, unit direction) of a direction inside. `transmitted`: share of unpolarised light
// that passes both faces (Fresnel); may be NULL. DS_ERROR_RANGE: it misses the port, or is totally reflected.
DS_API ds_status ds_port_ray(
	const ds_port *port, ds_vec3 inside, ds_vec3 *origin, ds_vec3 *direction, double *transmitted );

// The direction inside, unit, in which a point outside is seen. DS_ERROR_RANGE: it cannot be seen through the port.
DS_API ds_status ds_port_see( const ds_port *port, ds_vec3 point, ds_vec3 *inside );

// The pixel at which a point [m, optical axes] is seen through port and lens. DS_ERROR_RANGE: nowhere.
DS_API ds_status ds_port_project( const ds_lens *lens, const ds_port *port, ds_vec3 point, double pixel[2] );

// How far what is seen through a port is from a pinhole image: the rectilinear (or fisheye) lens with its own distortion that fits best to
// points at `distance` [m], and what remains there and at other distances.
typedef struct ds_pinhole_fit
{
	ds_lens lens; // in the water: its focal length is some 1.33 times the one in air behind a flat port
	double rms, worst; // at `distance` [px]
	double near_distance, far_distance; // half and four times `distance` [m]
	double near_worst, far_worst; // there [px]
} ds_pinhole_fit;

DS_API ds_status ds_port_fit_pinhole( const ds_lens *lens, const ds_port *port, double distance, ds_pinhole_fit *fit );

#ifdef __cplusplus
}
#endif

#endif
