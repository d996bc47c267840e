// IMUs by name. Values are in SI; beside each stands the figure of its source, in the source's unit. What a source does not give is 0.
//
// A figure called a random walk is N. One called a noise density is taken as N too, as users do; where it is that of a one-sided
// spectrum, N is smaller by sqrt(2). A bias instability is taken as B of IEEE 952, unless the source says that it read the lowest point
// of the Allan deviation: then B is that over 0.664.

#include "sensors/imu_presets.h"

// clang-format off
const ds_preset ds_imu_presets[DS_IMU_PRESET_COUNT] = {
	// "Beyond Shallow-Water Photorealism", Fig 3. Its floor of about 3e-5 rad/s is the end of the slope: N / sqrt(T / 10), T = 9 h.
	{ "paper_old",
		"{\"gyro\": {\"N\": 0.0016}}", // 1.6e-3 rad/s/sqrt(Hz)
		"Source paper 1, Fig 3, the old model: white gyroscope noise alone; the paper gives no number for accelerometers" },
	// "Beyond Shallow-Water Photorealism", Fig 3, which reads "BI 1e-5 to 1e-6" [rad/s]: B is the geometric mean, below the white noise for 9 h.
	{ "paper_new",
		"{\"gyro\": {\"N\": 0.0005, " // 5e-4 rad/s/sqrt(Hz)
		"\"B\": 3.162e-6}}", // 3.162e-6 rad/s (sqrt( 1e-5 x 1e-6 ))
		"Source paper 1, Fig 3, the new model: gyroscopes; the paper gives no number for accelerometers" },
	// Satellite Navigation 1:2 (2020), doi 10.1186/s43020-019-0001-5: "commercial grade"; gnss-ins-sim (Aceinna), imu_model.py: "low accuracy".
	{ "generic_consumer",
		"{\"gyro\": {\"N\": 0.000872665, " // 3 deg/sqrt(h) (El-Sheimy and Youssef 2020, Table 1: "several deg/sqrt(h)")
		"\"B\": 4.84814e-5, " // 10 deg/h (gnss-ins-sim, "low accuracy")
		"\"turn_on\": 0.00174533}, " // 0.1 deg/s (El-Sheimy and Youssef 2020, Table 1, drift)
		"\"accel\": {\"N\": 0.00225553, " // 230 ug/sqrt(Hz) (ICM-20948 data sheet DS-000189 rev. 1.3, Table 2)
		"\"B\": 0.0002, " // 2e-4 m/s2 (gnss-ins-sim, "low accuracy")
		"\"turn_on\": 0.196133}}", // 20 mg (BMI088 data sheet BST-BMI088-DS000 rev. 1.9, zero-g offset)
		"Generic: orders of magnitude of consumer MEMS, of no unit in particular" },
	// Figures of SBG Ellipse2 in a table of the journal NAVIGATION (navi.ion.org/highwire/markup/10540), which calls it "industrial grade".
	{ "generic_industrial",
		"{\"gyro\": {\"N\": 4.36332e-5, " // 0.15 deg/sqrt(h)
		"\"B\": 3.3937e-5, " // 7 deg/h
		"\"turn_on\": 0.00033937}, " // 70 deg/h
		"\"accel\": {\"N\": 0.00055, " // 0.033 m/s/sqrt(h)
		"\"B\": 0.000137293, " // 0.014 mg
		"\"turn_on\": 0.00137293}}", // 0.14 mg
		"Generic: orders of magnitude of industrial MEMS, of no unit in particular" },
	// Satellite Navigation 1:2 (2020), doi 10.1186/s43020-019-0001-5, Table 1: "tactical grade", the better ends of its ranges.
	{ "generic_tactical",
		"{\"gyro\": {\"N\": 1.45444e-5, " // 0.05 deg/sqrt(h) (El-Sheimy and Youssef 2020, Table 1)
		"\"B\": 4.84814e-6, " // 1 deg/h (El-Sheimy and Youssef 2020, Table 1, drift)
		"\"turn_on\": 4.84814e-6}, " // 1 deg/h (El-Sheimy and Youssef 2020, Table 1, drift)
		"\"accel\": {\"N\": 0.0003302, " // 0.065 ft/s/sqrt(h) (HG1700, below)
		"\"B\": 0.000490333, " // 0.05 mg (STIM300, below)
		"\"turn_on\": 0.00980665}}", // 1 mg (El-Sheimy and Youssef 2020, Table 1)
		"Generic: orders of magnitude of the tactical grade, of no unit in particular" },
	// Satellite Navigation 1:2 (2020), doi 10.1186/s43020-019-0001-5, Table 1: "navigation grade"; gnss-ins-sim, "high accuracy".
	{ "generic_navigation",
		"{\"gyro\": {\"N\": 5.81776e-7, " // 0.002 deg/sqrt(h) (El-Sheimy and Youssef 2020, Table 1; gnss-ins-sim)
		"\"B\": 1.69685e-8, " // 0.0035 deg/h (HG9900, below)
		"\"turn_on\": 4.84814e-8}, " // 0.01 deg/h (El-Sheimy and Youssef 2020, Table 1)
		"\"accel\": {\"N\": 4.16667e-7, " // 2.5e-5 m/s/sqrt(h) (gnss-ins-sim)
		"\"B\": 3.6e-6, " // 3.6e-6 m/s2 (gnss-ins-sim)
		"\"turn_on\": 0.000245166}}", // 25 ug (HG9900, below)
		"Generic: orders of magnitude of the navigation grade, of no unit in particular" },
	// microsoft/AirSim, AirLib/include/sensors/imu/ImuSimpleParams.hpp, after D. R. Greenheck, "Design and Characterization of a Low Cost MEMS
	// IMU Cluster for Precision Navigation", Marquette University 2009.
	{ "mpu6000",
		"{\"gyro\": {\"N\": 8.72665e-5, " // 0.30 deg/sqrt(h)
		"\"B\": 2.23014e-5}, " // 4.6 deg/h
		"\"accel\": {\"N\": 0.0023536, " // 0.24 mg/sqrt(Hz)
		"\"B\": 0.000353039}}", // 36 ug
		"InvenSense MPU-6000, consumer MEMS: Greenheck 2009, section 2.2, as AirSim quotes it" },
	// Data sheet BST-BMI088-DS000 rev. 1.9 (2024), as quoted in public driver notes and scripts. Coefficients are +- there.
	{ "bmi088",
		"{\"gyro\": {\"N\": 0.000244346, " // 0.014 deg/s/sqrt(Hz)
		"\"temperature_coefficient\": 0.000261799, " // 0.015 deg/s/K
		"\"range\": 34.9066, " // 2000 deg/s
		"\"resolution\": 0.00106526}, " // 16.384 LSB/(deg/s)
		"\"accel\": {\"N\": [0.00156906, 0.00156906, 0.00186326], " // 160, 160, 190 ug/sqrt(Hz)
		"\"temperature_coefficient\": 0.00196133, " // 0.2 mg/K
		"\"range\": 235.36, " // 24 g
		"\"resolution\": 0.00718436}}", // 1365 LSB/g
		"Bosch BMI088, consumer MEMS, at 2000 deg/s and 24 g: data sheet; it has no bias instability" },
	// Data sheet, as quoted in a public script ("Datasheet values (ADIS16448)"). It has rate noise density 0.0135 deg/s/sqrt(Hz) and 0.23 mg/sqrt(Hz)
	// too: one-sided spectra, larger than the random walks by up to sqrt(2).
	{ "adis16448",
		"{\"gyro\": {\"N\": 0.000191986}, " // 0.66 deg/sqrt(h)
		"\"accel\": {\"N\": 0.00183333}}", // 0.11 m/s/sqrt(h)
		"Analog Devices ADIS16448, industrial MEMS: white noise of the data sheet; for its drift see rotors_adis16448" },
	// ethz-asl/rotors_simulator, rotors_description/urdf/component_snippets.xacro. Its "random walk" k drives a process of correlation time tau:
	// sigma = k sqrt( tau / 2 ), with k = 3.8785e-5 rad/s2/sqrt(Hz) and 6e-3 m/s3/sqrt(Hz).
	{ "rotors_adis16448",
		"{\"gyro\": {\"N\": 0.0003394, " // 3.394e-4 rad/s/sqrt(Hz)
		"\"markov_sigma\": 0.000867259, " // 3.8785e-5 rad/s x sqrt( 1000 / 2 )
		"\"markov_tau\": 1000, " // 1000 s
		"\"turn_on\": 0.0087}, " // 0.0087 rad/s
		"\"accel\": {\"N\": 0.004, " // 4e-3 m/s2/sqrt(Hz)
		"\"markov_sigma\": 0.0734847, " // 6e-3 m/s2 x sqrt( 300 / 2 )
		"\"markov_tau\": 300, " // 300 s
		"\"turn_on\": 0.196}}", // 0.196 m/s2
		"ADIS16448 as the simulators RotorS and uuv_simulator have it: white noise, Gauss-Markov drift, turn-on bias" },
	// Table "Characteristics of IMU Xsens MTI-1 sensors", doi 10.2478/tar-2023-0022. Bandwidth of accelerometers: 324 Hz, z 262 Hz.
	{ "mti1",
		"{\"gyro\": {\"N\": 0.000122173, " // 0.007 deg/s/sqrt(Hz)
		"\"B\": 4.84814e-5, " // 10 deg/h
		"\"bandwidth\": 255, " // 255 Hz
		"\"range\": 34.9066}, " // 2000 deg/s
		"\"accel\": {\"N\": 0.0011768, " // 120 ug/sqrt(Hz)
		"\"B\": 0.000294199, " // 0.03 mg
		"\"bandwidth\": 324, " // 324 Hz
		"\"range\": 156.906}}", // 16 g
		"Xsens MTi-1 series, industrial MEMS: Trans. Aerospace Research 2023, doi 10.2478/tar-2023-0022" },
	// JorgeDFR/3d_lidar_slam_benchmark_at_iilab, docs/content/dataset/sensors/imu/index.md. (Its bias of 8 is in deg/h; of accelerometers 10 to 15 ug.)
	{ "mti630",
		"{\"gyro\": {\"N\": 0.000122173, " // 0.007 deg/s/sqrt(Hz)
		"\"B\": 3.87851e-5}, " // 8 deg/h
		"\"accel\": {\"N\": 0.000588399, " // 60 ug/sqrt(Hz)
		"\"B\": 0.0001471}}", // 15 ug
		"Xsens MTi-630, industrial MEMS: table in the documents of the iilab LiDAR SLAM benchmark" },
	// Data sheet and VectorNav support, as quoted in a public Kalibr file of IMU noise.
	{ "vn100",
		"{\"gyro\": {\"N\": 6.10865e-5}, " // 0.0035 deg/s/sqrt(Hz)
		"\"accel\": {\"N\": 0.00137293, " // 0.14 mg/sqrt(Hz)
		"\"K\": 5e-5}}", // 5e-5 m/s3/sqrt(Hz)
		"VectorNav VN-100, industrial MEMS: data sheet, and K of accelerometers from its support; no bias instability" },
	// Aceinna/docs_openrtk, 300ZA/imu-sensors.rst: upper limits ("< 6 deg/h").
	{ "openrtk330",
		"{\"gyro\": {\"N\": 8.72665e-5, " // 0.3 deg/sqrt(h)
		"\"B\": 2.90888e-5, " // 6 deg/h
		"\"range\": 6.98132}, " // 400 deg/s
		"\"accel\": {\"N\": 0.000833333, " // 0.05 m/s/sqrt(h)
		"\"B\": 0.000196133, " // 20 ug
		"\"range\": 78.4532}}", // 8 g
		"Aceinna OpenRTK330LI, industrial MEMS: limits of its data sheet" },
	// Data sheet ADIS16460 rev. B (2017), Table 1, typical. Its rate noise density, 0.004 deg/s/sqrt(Hz), is sqrt(2) times the random walk of y and z:
	// a one-sided spectrum. B: Analog Devices go by the definition of IEEE 952 (ez.analog.com, question 88987). Coefficients are +- there.
	{ "adis16460",
		"{\"gyro\": {\"N\": [3.49066e-5, 4.9451e-5, 4.9451e-5], " // 0.12, 0.17, 0.17 deg/sqrt(h)
		"\"B\": 3.87851e-5, " // 8 deg/h
		"\"turn_on\": 0.00872665, " // 0.5 deg/s (bias repeatability)
		"\"temperature_coefficient\": 0.000122173, " // 0.007 deg/s/K
		"\"bandwidth\": 375, " // 375 Hz
		"\"range\": 1.74533, " // 100 deg/s
		"\"resolution\": 8.72665e-5}, " // 0.005 deg/s/LSB
		"\"accel\": {\"N\": 0.0015, " // 0.09 m/s/sqrt(h)
		"\"B\": 0.00196133, " // 0.2 mg
		"\"turn_on\": 0.1471, " // 15 mg (bias repeatability)
		"\"temperature_coefficient\": 0.000490333, " // 0.05 mg/K
		"\"bandwidth\": 350, " // 350 Hz
		"\"range\": 49.0332, " // 5 g
		"\"resolution\": 0.00245166}}", // 0.25 mg/LSB
		"Analog Devices ADIS16460, industrial MEMS: data sheet rev. B, Table 1" },
	// docs.inertialsense.com/user-manual/imx/performance/allan_deviation. B is "the minimum Allan deviation divided by 0.664".
	{ "imx6",
		"{\"gyro\": {\"N\": 2.90888e-5, " // 0.10 deg/sqrt(h)
		"\"B\": 7.27221e-6}, " // 1.5 deg/h
		"\"accel\": {\"N\": 0.000216667, " // 0.013 m/s/sqrt(h)
		"\"B\": 2.74586e-5}}", // 2.8 ug
		"Inertial Sense IMX-6, tactical MEMS: its performance page, 24 h at rest" },
	// Data sheet TS1524 rev. 9, as NavToolkit (is4s) quotes it for stim300_model. Sensonor read bias instability at the lowest point of the curve
	// (sensonor.com, FAQ): B is that over 0.664.
	{ "stim300",
		"{\"gyro\": {\"N\": 4.36332e-5, " // 0.15 deg/sqrt(h)
		"\"B\": 3.65071e-6, " // 0.5 deg/h / 0.664
		"\"range\": 6.98132}, " // 400 deg/s
		"\"accel\": {\"N\": 0.001, " // 0.06 m/s/sqrt(h)
		"\"B\": 0.000738453, " // 0.05 mg / 0.664
		"\"turn_on\": 0.00735499, " // 0.75 mg (bias on/off)
		"\"range\": 98.0665}}", // 10 g
		"Sensonor STIM300 with 10 g accelerometers, tactical MEMS: data sheet TS1524" },
	// Brochure N61-1619-000-001, higher-end versions, as NavToolkit (is4s) quotes it for hg1700_model: 1 sigma biases, random walks at most.
	{ "hg1700",
		"{\"gyro\": {\"N\": 3.6361e-5, " // 0.125 deg/sqrt(h)
		"\"turn_on\": 4.84814e-6}, " // 1 deg/h
		"\"accel\": {\"N\": 0.0003302, " // 0.065 ft/s/sqrt(h)
		"\"turn_on\": 0.00980665}}", // 1 mg
		"Honeywell HG1700, tactical ring laser: brochure N61-1619; it lists no bias instability" },
	// Brochure N61-1638-000-000, as NavToolkit (is4s) quotes it for hg9900_model: 1 sigma biases, random walk at most.
	{ "hg9900",
		"{\"gyro\": {\"N\": 5.81776e-7, " // 0.002 deg/sqrt(h)
		"\"turn_on\": 1.69685e-8}, " // 0.0035 deg/h
		"\"accel\": {\"turn_on\": 0.000245166}}", // 25 ug
		"Honeywell HG9900, navigation-grade ring laser: brochure N61-1638; it lists no accelerometer noise" },
};
// clang-format on
