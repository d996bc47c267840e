// Properties of sea water at a point: density by EOS-80 and TEOS-10, and the speed of sound.
//
// Pure functions of salinity, temperature and gauge pressure (above one atmosphere) in Pa. Practical salinity (PSS-78) has no
// unit, absolute salinity is in g/kg. Temperatures are in degC and in situ unless said: "t90" on the ITS-90 scale of today's
// instruments, "t68" on the older IPTS-68, for which EOS-80 and the equations for sound were fitted. Nothing is checked: outside
// the range of its data a polynomial gives numbers without meaning, and negative salinities are taken as 0.

#ifndef DEEPSIM_HYDRO_SEAWATER_H
#define DEEPSIM_HYDRO_SEAWATER_H

// t68 of t90: a factor of 1.00024 (Saunders 1990, as UNESCO's routines are used since).
double ds_t68_of_t90( double t90 );

// Density [kg/m3] by EOS-80: UNESCO technical paper 38 (Millero and Poisson 1981) at the surface and UNESCO 44 (Millero et al.
// 1980) for the secant bulk modulus. Salinity 0 to 42, t68 -2 to 40 degC, pressure 0 to 100 MPa.
double ds_eos80_density( double salinity, double t68, double pressure );

// Speed of sound [m/s] by Chen and Millero (J. Acoust. Soc. Am. 62 (1977) 1129), as printed in UNESCO 44. The same range.
double ds_sound_chen_millero( double salinity, double t68, double pressure );

// Speed of sound [m/s] by Mackenzie (J. Acoust. Soc. Am. 70 (1981) 807), from depth [m] instead of pressure. Temperature
// -2 to 30 degC, salinity 25 to 40, depth 0 to 8000 m; standard error 0.07 m/s.
double ds_sound_mackenzie( double salinity, double t68, double depth );

// Absolute salinity [g/kg] of practical salinity for the reference composition, 35.16504/35 (Millero et al. 2008). The regional
// anomaly (up to 0.02 g/kg in the open ocean, 0.015 kg/m3) is left out, as it needs position and an atlas.
double ds_teos10_absolute_salinity( double salinity );

// Conservative temperature [degC] of t90, by the Gibbs function of IAPWS (releases R13-08 and SR7-09, as TEOS-10 uses it):
// the potential temperature of equal entropy at the surface, then its enthalpy over cp0 = 3991.86795711963 J/(kg K).
double ds_teos10_conservative_temperature( double absolute_salinity, double t90, double pressure );

// Density [kg/m3] by the 75-term polynomial for specific volume in conservative temperature: Roquet et al., Ocean Modelling 90
// (2015) 29, the form which the TEOS-10 toolboxes use.
double ds_teos10_density( double absolute_salinity, double conservative_temperature, double pressure );

// Speed of sound [m/s] of that polynomial, c = v / sqrt( -dv/dp ) at constant salinity and conservative temperature.
double ds_teos10_sound( double absolute_salinity, double conservative_temperature, double pressure );

// Gibbs energy of sea water [J/kg] and derivatives by temperature [K] and pressure [Pa] (IAPWS R13-08): g_p is the specific
// volume, -g_t the entropy.
typedef struct ds_gibbs
{
	double g, g_t, g_p, g_tt, g_tp, g_pp;
} ds_gibbs;

ds_gibbs ds_teos10_gibbs( double absolute_salinity, double t90, double pressure );

#endif
