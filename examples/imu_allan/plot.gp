# Drawn by `sh examples/run.sh imu_allan`, from the repository's root: Allan deviations of gyroscopes and accelerometers.
set terminal pngcairo size 900,1040 font "sans,10"
set output "out/imu_allan/imu_allan.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set logscale xy
set format "10^{%T}"
set key opaque box lc rgb "#dddddd" samplen 2 Left reverse width -1
set multiplot layout 2,1
folder = "out/imu_allan/"
measured = "tests/fixtures/allan/adis16448.csv"
deg_h = pi / 180 / 3600
set lmargin 11
set xrange [0.005:1e4] noextend
set style fill transparent solid 0.25 noborder

set title "Nine hours at rest: gyroscopes, x; bands: 95 % confidence; dashed: by the formulas"
set ylabel "Allan deviation [rad/s]"
set yrange [2e-6:3e-2]
set key left bottom
plot folder."paper_old.csv" using 1:3:4 skip 1 with filledcurves lc rgb "#7f7f7f" notitle, \
     folder."paper_old.csv" using 1:2 skip 1 with lines lw 2 lc rgb "#7f7f7f" title "the paper's old model: white noise", \
     folder."paper_new.csv" using 1:3:4 skip 1 with filledcurves lc rgb "#1f77b4" notitle, \
     folder."paper_new.csv" using 1:2 skip 1 with lines lw 2 lc rgb "#1f77b4" title "its new model: white noise, bias instability", \
     folder."fitted.csv" using 1:3:4 skip 1 with filledcurves lc rgb "#d62728" notitle, \
     folder."fitted.csv" using 1:2 skip 1 with lines lw 2 lc rgb "#d62728" title "ADIS16448, simulated", \
     measured using 1:($2*deg_h) with points pt 6 ps 0.7 lc rgb "black" title "ADIS16448, measured", \
     folder."theory.csv" using ($1 < 0.01 ? NaN : $1):2 skip 1 with lines dt 2 lc rgb "black" notitle, \
     folder."theory.csv" using ($1 < 0.01 ? NaN : $1):3 skip 1 with lines dt 2 lc rgb "black" notitle, \
     folder."theory.csv" using 1:4 skip 1 with lines dt 2 lc rgb "black" notitle

set title "Accelerometers of the ADIS16448"
set xlabel "averaging time [s]"
set ylabel "Allan deviation [m/s^2]"
set yrange [5e-4:5e-2]
set key right top
plot folder."fitted.csv" using 1:12:13 skip 1 with filledcurves lc rgb "#d62728" notitle, \
     folder."fitted.csv" using 1:11 skip 1 with lines lw 2 lc rgb "#d62728" title "x, simulated", \
     measured using 1:5 with points pt 6 ps 0.7 lc rgb "black" title "measured", \
     folder."fitted.csv" using 1:15:16 skip 1 with filledcurves lc rgb "#2ca02c" notitle, \
     folder."fitted.csv" using 1:14 skip 1 with lines lw 2 lc rgb "#2ca02c" title "y, simulated", \
     measured using 1:6 with points pt 4 ps 0.7 lc rgb "black" title "measured", \
     folder."theory.csv" using 1:7 skip 1 with lines dt 2 lc rgb "black" notitle, \
     folder."theory.csv" using 1:8 skip 1 with lines dt 2 lc rgb "black" title "by the formulas"
unset multiplot
