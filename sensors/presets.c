// Real instruments. Where a source gives a bound of accuracy, it is taken as two standard deviations of a bias that a run draws;
// a typical stability is taken as a steady drift of that rate. What a source does not say stays at its default, which is no error.

#include "sensors/presets.h"

// Blue Robotics Bar30 (README of bluerobotics/bar30-pressure-sensor): 50 mbar from 0 to 6 bar. TE Connectivity, data sheet
// MS5837-30BA: 0 to 30 bar, resolution 0.2 mbar, taken as white noise.
#define BAR30 "{ \"noise\": 20, \"turn_on\": 2500, \"minimum\": 0, \"maximum\": 3e6, \"full_scale\": 3e6 }"

// Sea-Bird, SBE 19plus V2 manual, revision 006, page 11. Strain gauge: 0.1 % of full scale, 0.1 % of full scale a year, resolution
// 0.002 % of full scale. Digiquartz: 0.02 %, 0.02 % a year, 0.0025 %. A range of 3500 m is taken as 35 MPa, 7000 m as 70 MPa.
#define STRAIN                                                                                                         \
	"{ \"turn_on\": 17500, \"ageing\": 1.109e-3, \"resolution\": 700, \"maximum\": 3.5e7, \"full_scale\": 3.5e7 }"
#define QUARTZ                                                                                                         \
	"{ \"turn_on\": 7000, \"ageing\": 4.436e-4, \"resolution\": 1750, \"maximum\": 7e7, \"full_scale\": 7e7 }"

const ds_preset ds_pressure_presets[DS_PRESSURE_PRESETS] = {
	{ "bar30", BAR30, "Blue Robotics Bar30 (MS5837-30BA), 30 bar: its README, TE Connectivity's data sheet" },
	{ "digiquartz_7000m", QUARTZ, "Digiquartz of an SBE 19plus V2, 7000 m: manual, revision 006, page 11" },
	{ "strain_gauge_3500m", STRAIN, "strain gauge of an SBE 19plus V2, 3500 m: manual, revision 006, page 11" },
};

// The same page: temperature -5 to 35 degC, 0.005 degC, 0.0002 degC a month, resolution 0.0001 degC; conductivity 0 to 9 S/m,
// 0.0005 S/m, 0.0003 S/m a month, resolution 0.00005 S/m. Heat of the cell: alpha 0.04, 1/beta 8 s, which the processing tools
// have as default for the SBE 19plus (documentation of the R package gapctd, function ctm_par_a).
#define SBE19( gauge )                                                                                                 \
	"{ \"conductivity\": { \"turn_on\": 0.00025, \"drift\": 1.141e-10, \"resolution\": 0.00005, \"maximum\": 9 }, "    \
	"\"temperature\": { \"turn_on\": 0.0025, \"drift\": 7.605e-11, \"resolution\": 0.0001, \"minimum\": -5, "          \
	"\"maximum\": 35 }, "                                                                                              \
	"\"cell_alpha\": 0.04, \"cell_tau\": 8, \"pressure\": " gauge " }"

const ds_preset ds_ctd_presets[DS_CTD_PRESETS] = {
	{ "sbe19plus_v2", SBE19( STRAIN ),
		"Sea-Bird SBE 19plus V2, strain gauge of 3500 m: manual, revision 006, page 11" },
	{ "sbe19plus_v2_quartz", SBE19( QUARTZ ), "Sea-Bird SBE 19plus V2, Digiquartz of 7000 m: the same page" },
};

// u-blox M8 (specifications of the MAX-M8Q GNSS HAT): 2.5 m CEP with GPS and GLONASS, which is 2.12 m an axis; cold start 26 s, hot
// start 1 s; 0.05 m/s. Not stated, and guesses: the height (twice the horizontal error), the start after a long dive (as a cold one), and
// how long errors last (the default).
const ds_preset ds_gnss_presets[DS_GNSS_PRESETS] = {
	{ "u_blox_m8",
		"{ \"horizontal_sigma\": 2.12, \"vertical_sigma\": 4.25, \"horizontal_velocity_noise\": 0.05, "
		"\"vertical_velocity_noise\": 0.05, \"cold_start\": 26, \"warm_start\": 26, \"reacquisition\": 1 }",
		"u-blox M8, GPS and GLONASS: specifications of the MAX-M8Q HAT; vertical error and warm start are guesses" },
};
