# Drawn by `sh examples/run.sh coriolis`, from the repository's root: offset to the right against distance.
set terminal pngcairo size 720,420 font "sans,10"
set output "out/coriolis/coriolis.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set key left top
set title "Coasting north at 45 N on a turning Earth"
set xlabel "distance north [m]"
set ylabel "offset east [m]"
set xrange [0:1000]
set yrange [-10:110]
f = 2*7.292115e-5*sin(pi/4)
plot "out/coriolis/odometry_slow.csv" using 2:3 with lines lw 2 lc rgb "#1f77b4" title "0.5 m/s", \
     "out/coriolis/odometry.csv" using 2:3 with lines lw 2 lc rgb "#d62728" title "1 m/s", \
     "out/coriolis/odometry_fast.csv" using 2:3 with lines lw 2 lc rgb "#2ca02c" title "2 m/s", \
     f*x*x/2/0.5 with points pt 6 lc rgb "#555555" title "f x^2/2v", \
     f*x*x/2 with points pt 6 lc rgb "#555555" notitle, \
     f*x*x/2/2 with points pt 6 lc rgb "#555555" notitle, \
     0 with lines dt 2 lc rgb "black" title "Earth rotation off"
