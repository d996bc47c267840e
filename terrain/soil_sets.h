// Inside the library: the named soils, each number with its source. One list gives the sets (soil_sets.c) and the names that a scenario
// may use (src/io/scenario_seabed.c).

#ifndef DEEPSIM_TERRAIN_SOIL_SETS_H
#define DEEPSIM_TERRAIN_SOIL_SETS_H

#include "deepsim/math.h"
#include "deepsim/soil.h"

#define DS_SOIL_DEGREES( x ) ( ( x ) * ( DS_PI / 180 ) )

// ---- plate tests on land -------------------------------------------------------------------------------------------

// n, kc, kphi, cohesion, friction: J. Y. Wong, Theory of Ground Vehicles, 4th ed. 2008, table 2.3, as transcribed for Project
// Chrono's SCM soil; given in kN, kPa and degrees. What the table does not tell of a soil:
//   K            the transcriber's: 0.02 m for most; 0.006 m and 0.03 m for stiff and wet clay, 0.012 m for LETE sand, which agree
//                with Wong's section 2.4; 0.03 m for snow, 0.01 m for regolith
//   rebound      0.05: unloading is far steeper than loading (Wong 2008, section 2.4), so that little of the sinkage comes back
//   damping      3e4 Pa s/m: what the demonstrations of Project Chrono's SCM have for most soils; snow, far softer, a tenth
//   suction      0, and slip_sinkage 0: nothing is known
//   unit_weight  sand 0.6 solid of 2650 kg/m3 in sea water of 1025: 9560 N/m3; loam and clay hold more water. Snow of 300 kg/m3, in
//                air. Regolith of 1660 kg/m3 (Lunar Sourcebook 1991, chapter 9) at 1.62 m/s2
//   repose       of what has next to no cohesion its friction, but 20 to 35 degrees; clods of clay keep 45, snow 38
#define DS_SOIL_OF( n_, kc_kn, kphi_kn, c_kpa, phi_deg, k_m, damping_, weight_, repose_deg )                           \
	{                                                                                                                  \
		.n = ( n_ ), .kc = 1e3 * ( kc_kn ), .kphi = 1e3 * ( kphi_kn ), .cohesion = 1e3 * ( c_kpa ),                    \
		.friction = DS_SOIL_DEGREES( phi_deg ), .shear_displacement = ( k_m ), .rebound = 0.05,                        \
		.damping = ( damping_ ), .lateral = 1, .unit_weight = ( weight_ ), .repose = DS_SOIL_DEGREES( repose_deg )     \
	}
#define DS_SOIL_SAND( n_, kc_, kphi_, c_, phi_, k_, repose_ )                                                          \
	DS_SOIL_OF( n_, kc_, kphi_, c_, phi_, k_, 3e4, 9500, repose_ )
#define DS_SOIL_LOAM( n_, kc_, kphi_, c_, phi_, repose_ )                                                              \
	DS_SOIL_OF( n_, kc_, kphi_, c_, phi_, 0.02, 3e4, 8500, repose_ )
#define DS_SOIL_CLAY( n_, kc_, kphi_, c_, phi_, k_ ) DS_SOIL_OF( n_, kc_, kphi_, c_, phi_, k_, 3e4, 7500, 45 )
#define DS_SOIL_SNOW( n_, kc_, kphi_, c_, phi_ )     DS_SOIL_OF( n_, kc_, kphi_, c_, phi_, 0.03, 3e3, 2940, 38 )

#define DS_SOIL_PLATE_TESTS                                                                                            \
	"n, kc, kphi, cohesion, friction: Wong, Theory of Ground Vehicles (2008), table 2.3, as transcribed for Project "  \
	"Chrono. shear_displacement: the transcriber's choice, not in the table. "
#define DS_SOIL_ON_LAND                                                                                                \
	DS_SOIL_PLATE_TESTS                                                                                                \
	"damping: Project Chrono's demonstrations. rebound, repose and unit_weight (submerged): assumed."
#define DS_SOIL_ON_SNOW DS_SOIL_PLATE_TESTS "rebound, damping, repose and unit_weight (300 kg/m3, in air): assumed."
#define DS_SOIL_ON_MOON                                                                                                \
	DS_SOIL_PLATE_TESTS                                                                                                \
	"damping: Project Chrono's demonstrations. unit_weight: 1660 kg/m3 (Lunar Sourcebook, chapter 9) at "              \
	"1.62 m/s2. rebound and repose: assumed."

// ---- deep-sea clay -------------------------------------------------------------------------------------------------

// No plate tests of it were found in print; its numbers are derived from its strength.
//   strength  by vane, means over 51 box cores of the Clarion-Clipperton nodule field: 0.5 psi at the top, rising to 1.0 psi at 3
//             to 6 in (4.5 in here), nearly constant below (NOAA DOMES 1975). `firm` takes it as measured; `soft` a third, remoulded
//             (by a factor of up to 6: Lee 1973, NCEL TN-1296), 1.1 to 2.3 kPa as in the test beds of Reshma et al. (2015), 1 to
//             3 kPa; deep_sea_clay 0.6, about the geometric mean of both: what presses on clay also remoulds it, and vane readings
//             in very plastic clay are too high for design (Bjerrum 1972)
//   bearing   Skempton (1951), long plate: 5 s ( 1 + 0.2 z/b ), at most 7.5 s, plus z unit_weight; s the mean strength between z and
//             z + 2/3 b
//   fit       of (kc/b + kphi) z^n by least squares of the relative error over b = 0.1, 0.2, 0.5, 1 m, z = 0.01, 0.02 ... 0.3 m; it
//             leaves 7 % rms. tests/unit/test_soil.c does it again. n comes out as that of the wet clays of the table below.
//   shear     undrained: no friction; cohesion is the mean strength of the upper 0.1 m
//   K         0.006 m and 0.03 m, as stiff and wet clay below; between them their geometric mean
//   weight    1320 kg/m3, of Pacific red clay of natural humidity 1300 to 1340 (Bruevich and Kulik 1967), less sea water of 1050
//   damping   strength grows by a tenth with each tenfold rate, so by four tenths from a vane to 1 m/s: of the pressure at 0.1 m
//   suction   0, as of all named soils: who lifts off asks for it. The tension that clay bears is of the order of its cohesion
//   repose    45 degrees: walls of decimetres stand in it ( 4 s / unit_weight > 2 m ), and tracks are seen for decades
#define DS_SOIL_DEEP_SEA_CLAY( n_, kc_, kphi_, c_, k_, damping_ )                                                      \
	{                                                                                                                  \
		.n = ( n_ ), .kc = ( kc_ ), .kphi = ( kphi_ ), .cohesion = ( c_ ), .shear_displacement = ( k_ ),               \
		.rebound = 0.05, .damping = ( damping_ ), .lateral = 1, .unit_weight = 2650, .repose = DS_SOIL_DEGREES( 45 )   \
	}
#define DS_SOIL_FROM_STRENGTH( share )                                                                                 \
	"Derived, not measured: bearing capacity of a long plate (Skempton 1951) on " share                                \
	" the vane strength of Clarion-Clipperton box cores (NOAA DOMES 1975: 0.5 psi at the top, 1.0 psi from 4.5 in "    \
	"down), fitted by (kc/b + kphi) z^n for b 0.1 to 1 m and z to 0.3 m. cohesion: mean strength of the upper 0.1 m, " \
	"undrained. unit_weight: red clay of 1320 kg/m3 (Bruevich, Kulik 1967). shear_displacement, rebound, damping and " \
	"repose: assumed. It may bear a suction of the order of its cohesion: none unless asked for."

// ---- the list ------------------------------------------------------------------------------------------------------

// X( name, title, source, assumed, soil )
#define DS_SOIL_LIST( X )                                                                                              \
	X( dry_sand, "Dry sand (LLL)", DS_SOIL_ON_LAND, false, DS_SOIL_SAND( 1.1, 0.99, 1528.43, 1.04, 28, 0.02, 28 ) )    \
	X( sandy_loam, "Sandy loam, 15 % water (LLL)", DS_SOIL_ON_LAND, false,                                             \
		DS_SOIL_LOAM( 0.7, 5.27, 1515.04, 1.72, 29, 29 ) )                                                             \
	X( sandy_loam_lll_22, "Sandy loam, 22 % water (LLL)", DS_SOIL_ON_LAND, false,                                      \
		DS_SOIL_LOAM( 0.2, 2.56, 43.12, 1.38, 38, 35 ) )                                                               \
	X( sandy_loam_michigan_11, "Sandy loam, 11 % water (Michigan: Strong, Buchele)", DS_SOIL_ON_LAND, false,           \
		DS_SOIL_LOAM( 0.9, 52.53, 1127.97, 4.83, 20, 20 ) )                                                            \
	X( sandy_loam_michigan_23, "Sandy loam, 23 % water (Michigan: Strong, Buchele)", DS_SOIL_ON_LAND, false,           \
		DS_SOIL_LOAM( 0.4, 11.42, 808.96, 9.65, 35, 35 ) )                                                             \
	X( sandy_loam_hanamoto_26, "Sandy loam, 26 % water (Hanamoto)", DS_SOIL_ON_LAND, false,                            \
		DS_SOIL_LOAM( 0.3, 2.79, 141.11, 13.79, 22, 22 ) )                                                             \
	X( sandy_loam_hanamoto_32, "Sandy loam, 32 % water (Hanamoto)", DS_SOIL_ON_LAND, false,                            \
		DS_SOIL_LOAM( 0.5, 0.77, 51.91, 5.17, 11, 20 ) )                                                               \
	X( clayey_soil, "Clayey soil, 38 % water (Thailand)", DS_SOIL_ON_LAND, false,                                      \
		DS_SOIL_CLAY( 0.5, 13.19, 692.15, 4.14, 13, 0.02 ) )                                                           \
	X( clayey_soil_55, "Clayey soil, 55 % water (Thailand)", DS_SOIL_ON_LAND, false,                                   \
		DS_SOIL_CLAY( 0.7, 16.03, 1262.53, 2.07, 10, 0.02 ) )                                                          \
	X( heavy_clay_25, "Heavy clay, 25 % water (WES)", DS_SOIL_ON_LAND, false,                                          \
		DS_SOIL_CLAY( 0.13, 12.70, 1555.95, 68.95, 34, 0.006 ) )                                                       \
	X( heavy_clay_40, "Heavy clay, 40 % water (WES)", DS_SOIL_ON_LAND, false,                                          \
		DS_SOIL_CLAY( 0.11, 1.84, 103.27, 20.69, 6, 0.03 ) )                                                           \
	X( lean_clay_22, "Lean clay, 22 % water (WES)", DS_SOIL_ON_LAND, false,                                            \
		DS_SOIL_CLAY( 0.2, 16.43, 1724.69, 68.95, 20, 0.006 ) )                                                        \
	X( lean_clay_32, "Lean clay, 32 % water (WES)", DS_SOIL_ON_LAND, false,                                            \
		DS_SOIL_CLAY( 0.15, 1.52, 119.61, 13.79, 11, 0.03 ) )                                                          \
	X( lete_sand, "LETE sand (Wong)", DS_SOIL_ON_LAND, false,                                                          \
		DS_SOIL_SAND( 0.79, 102, 5301, 1.3, 31.1, 0.012, 31.1 ) )                                                      \
	X( upland_sandy_loam, "Upland sandy loam, 51 % water (Wong)", DS_SOIL_ON_LAND, false,                              \
		DS_SOIL_LOAM( 1.10, 74.6, 2080, 3.3, 33.7, 33.7 ) )                                                            \
	X( rubicon_sandy_loam, "Rubicon sandy loam, 43 % water (Wong)", DS_SOIL_ON_LAND, false,                            \
		DS_SOIL_LOAM( 0.66, 6.9, 752, 3.7, 29.8, 29.8 ) )                                                              \
	X( north_gower_clayey_loam, "North Gower clayey loam, 46 % water (Wong)", DS_SOIL_ON_LAND, false,                  \
		DS_SOIL_LOAM( 0.73, 41.6, 2471, 6.1, 26.6, 35 ) )                                                              \
	X( grenville_loam, "Grenville loam, 24 % water (Wong)", DS_SOIL_ON_LAND, false,                                    \
		DS_SOIL_LOAM( 1.01, 0.06, 5880, 3.1, 29.8, 29.8 ) )                                                            \
	X( snow, "Snow (US)", DS_SOIL_ON_SNOW, false, DS_SOIL_SNOW( 1.6, 4.37, 196.72, 1.03, 19.7 ) )                      \
	X( snow_us_harrison, "Snow (US: Harrison)", DS_SOIL_ON_SNOW, false,                                                \
		DS_SOIL_SNOW( 1.6, 2.49, 245.90, 0.62, 23.2 ) )                                                                \
	X( snow_sweden, "Snow (Sweden)", DS_SOIL_ON_SNOW, false, DS_SOIL_SNOW( 1.44, 10.55, 66.08, 6, 20.7 ) )             \
	X( lunar_regolith, "Lunar nominal soil (NASA)", DS_SOIL_ON_MOON, false,                                            \
		DS_SOIL_OF( 1.0, 1.4, 820, 0.17, 35, 0.01, 3e4, 2690, 35 ) )                                                   \
	X( dlr_mars_simulant_a, "Mars soil simulant A (DLR)", DS_SOIL_ON_LAND, false,                                      \
		DS_SOIL_SAND( 0.8, 5.79, 180, 0.3, 17.8, 0.01, 30 ) )                                                          \
	X( deep_sea_clay, "Deep-sea clay", DS_SOIL_FROM_STRENGTH( "0.6 times" ), true,                                     \
		DS_SOIL_DEEP_SEA_CLAY( 0.141, 584, 28500, 2970, 0.013, 8800 ) )                                                \
	X( deep_sea_clay_soft, "Deep-sea clay, remoulded", DS_SOIL_FROM_STRENGTH( "a third of" ), true,                    \
		DS_SOIL_DEEP_SEA_CLAY( 0.148, 327, 16300, 1650, 0.03, 4900 ) )                                                 \
	X( deep_sea_clay_firm, "Deep-sea clay, undisturbed", DS_SOIL_FROM_STRENGTH( "all of" ), true,                      \
		DS_SOIL_DEEP_SEA_CLAY( 0.137, 967, 46700, 4960, 0.006, 14500 ) )

#define DS_SOIL_NUMBER( name_, title_, source_, assumed_, soil_ ) DS_SOIL_##name_,
enum
{
	DS_SOIL_LIST( DS_SOIL_NUMBER ) DS_SOIL_COUNT
};

#endif
