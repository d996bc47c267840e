// libdeepsim: the actuator "lamp": light that goes with the vehicle. It shines along x of its mount.

#ifndef DEEPSIM_LAMP_H
#define DEEPSIM_LAMP_H

#include "deepsim/water_optics.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_beam_kind
{
	DS_BEAM_SPOT, // cosine power whose half intensity is at half of `width`
	DS_BEAM_CONE, // even up to half of `width`, with a soft edge whose middle is there
	DS_BEAM_LAMBERT, // cosine: a bare flat emitter
	DS_BEAM_ISOTROPIC, // the same in all directions
	DS_BEAM_TABLE, // `profile`
	DS_BEAM_KIND_COUNT
} ds_beam_kind;

typedef enum ds_spectrum_kind
{
	DS_SPECTRUM_LED_COOL, // white LED, some 6500 K
	DS_SPECTRUM_LED_WARM, // white LED, some 3000 K
	DS_SPECTRUM_EVEN, // the same power per nanometre from 400 to 700 nm
	DS_SPECTRUM_LINE, // one line: a laser or a coloured LED of `wavelength`
	DS_SPECTRUM_BLACKBODY, // Planck's of `temperature`: a halogen lamp
	DS_SPECTRUM_KIND_COUNT
} ds_spectrum_kind;

typedef struct ds_beam_level
{
	double angle, intensity; // from the axis [rad]; relative
} ds_beam_level;

// The config. Start from ds_lamp_config_default(): a white LED of 15 W of light in 80 degrees.
typedef struct ds_lamp_config
{
	double flux; // radiant flux at full level, 400 to 700 nm [W]
	double power; // electric, at full level [W]
	double level; // until the first command, 0 to 1
	int32_t beam; // ds_beam_kind
	double width; // full angle of the beam [rad]
	double edge; // cone: width of the soft edge, as a share of half of `width`
	ds_array profile; // table: of ds_beam_level; linear between, the first down to the axis, dark beyond the last
	double radius; // of the emitting disc [m]: near it light falls off as 1 / ( r^2 + radius^2 )
	int32_t spectrum; // ds_spectrum_kind
	double wavelength, linewidth; // line: centre, full width at half maximum [nm]
	double temperature; // black body [K]
	bool own_shadow; // its own body casts shadows of its light; false
} ds_lamp_config;

DS_API const ds_table *ds_lamp_config_table( void );
DS_API ds_lamp_config ds_lamp_config_default( void );

// What it reports.
typedef struct ds_lamp_reading
{
	double level; // of its light, 0 to 1
	double power; // electric [W]
} ds_lamp_reading;

DS_API const ds_table *ds_lamp_table( void );

#define DS_LAMP_PROFILE 1024

// A lamp, ready for use: plain data.
typedef struct ds_lamp
{
	double flux; // [W]
	double radius; // [m]
	bool own_shadow;
	double cos_limit; // no light where the cosine of the angle from the axis is below; -1: none such
	// share of the flux per steradian, at cosines of the angle from the axis cos_limit + ( 1 - cos_limit ) i / ( DS_LAMP_PROFILE - 1 );
	// its integral over the sphere is 1
	float profile[DS_LAMP_PROFILE];
	ds_lamp_config config; // `profile` left empty
} ds_lamp;

// Errors name the field. Of the config's profile nothing is kept.
DS_API ds_status ds_lamp_make( const ds_lamp_config *config, ds_lamp *lamp );

// Radiant intensity at full level in a direction at this angle from the axis [rad], in a band [W/sr].
DS_API double ds_lamp_intensity( const ds_lamp *lamp, double angle, double wavelength, double width );
// Share of the flux in a band.
DS_API double ds_lamp_spectrum( const ds_lamp *lamp, double wavelength, double width );

#ifdef __cplusplus
}
#endif

#endif
