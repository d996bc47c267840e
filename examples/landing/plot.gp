# Drawn by `sh examples/run.sh landing`, from the repository's root: the first second on the mud.
set terminal pngcairo size 1000,400 font "sans,10"
set output "out/landing/landing.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
log = "out/landing/"
set xlabel "time [s]"
set xrange [0:1]
set xtics 0.2
set key off
feet = "fore_starboard fore_port aft_starboard aft_port"
colours = "#d62728 #2ca02c #ff7f0e #9467bd"
set multiplot layout 1,3
set title "sinkage of the feet [mm]"
plot for [k=1:4] log.word( feet, k ).".csv" using 1:(1000*$12) with lines lw 2 lc rgb word( colours, k ) title word( feet, k ) noenhanced
set title "force on each foot, up [N]: all four coincide"
set yrange [0:1300]
set key on right top samplen 2 width -2
plot for [k=1:4] log.word( feet, k ).".csv" using 1:(-$5 - $8) with lines lw 2 lc rgb word( colours, k ) title word( feet, k ) noenhanced

set title "speed [m/s], acceleration [10 m/s^2], down"
set yrange [-0.6:0.6]

last = 0
rate(v) = ( a = ( v - last )*200, last = v, a )
plot log."odometry.csv" using 1:11 with lines lw 2 lc rgb "#1f77b4" title "speed", \
	log."odometry.csv" using 1:(column( 0 ) == 0 ? (last = $11, 1/0) : rate( $11 )/10) with lines lc rgb "#999999" title "acceleration"
unset multiplot
