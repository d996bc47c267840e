# Drawn by `sh examples/run.sh magnetic_heading`, from the repository's root: the path, and the error of both headings.
set terminal pngcairo size 1000,460 font "sans,10"
set output "out/magnetic_heading/magnetic_heading.png"
set datafile separator ","
log = "out/magnetic_heading/"
deg = 180/pi
yaw(w,x,y,z) = atan2(2*(x*y+w*z), 1-2*(y*y+z*z))
wrap(a) = atan2(sin(a), cos(a))
# an AHRS, its yaw the fourth column, and beside it the truth, its attitude in columns 26 to 29
error(name) = "< paste -d, ".log.name.".csv ".log."truth.csv"
set multiplot layout 1,2 title "Heading of an AUV by compass, 45 N, 30 W: vehicle iron, declination -9.1 degrees"
set grid lc rgb "#dddddd"
set xlabel "east [m]" offset 0,-0.5
set ylabel "north [m]"
set zlabel "depth [m]" rotate by 90
set zrange [*:*] reverse
set xtics 100
set ytics 100
set ztics 50
set xyplane relative 0.05
set view 65,35
set key off
splot log."truth.csv" using 3:2:4 with lines lw 2 lc rgb "#555555"
set key top right
set xtics auto
set ytics auto
set xlabel "time [s]"
set ylabel "heading error [degrees]"
set yrange [-5:25]
plot error("simplified") using 1:(deg*wrap($4-yaw($26,$27,$28,$29))) with lines lw 1.5 lc rgb "#d62728" title "fixed reference, iron uncalibrated", \
     error("full") using 1:(deg*wrap($4-yaw($26,$27,$28,$29))) with lines lw 1.5 lc rgb "#1f77b4" title "WMM declination, iron calibrated", \
     1 with lines dt 2 lc rgb "black" title "1 degree", -1 with lines dt 2 lc rgb "black" notitle
unset multiplot
