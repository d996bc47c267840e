# Drawn by `sh examples/run.sh dead_reckoning`, from the repository's root: errors of position and heading along the way.
set terminal pngcairo size 900,760 font "sans,10"
set output "out/dead_reckoning/dead_reckoning.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set multiplot layout 2,1
file = "out/dead_reckoning/track.csv"
set lmargin 10
set xrange [0:*] noextend
set key left top
set title "10 km at 1.5 m/s: how far the estimate is from the truth"
set ylabel "horizontal error [m]"
set logscale y
set format y "10^{%T}"
set yrange [0.1:1e7]
plot file using ($2/1000):9 skip 1 with lines lw 2 lc rgb "#7f7f7f" title "gyroscopes and accelerometers alone", \
     file using ($2/1000):10 skip 1 with lines lw 2 lc rgb "#1f77b4" title "with Doppler log and pressure", \
     file using ($2/1000):11 skip 1 with lines lw 2 lc rgb "#d62728" title "and magnetometer", \
     x*10 with lines dt 2 lc rgb "black" title "1 % of the way"
unset logscale y
set format y "%g"
set yrange [*:*]
unset title
set xlabel "way [km]"
set ylabel "error of heading [degrees]"
set key left bottom
plot file using ($2/1000):12 skip 1 with lines lw 2 lc rgb "#1f77b4" title "gyroscopes alone", \
     file using ($2/1000):13 skip 1 with lines lw 2 lc rgb "#d62728" title "with magnetometer"
unset multiplot
