# Drawn by `sh examples/run.sh ekman_transit`, from the repository's root: tracks at five depths.
set terminal pngcairo size 560,560 font "sans,10"
set output "out/ekman_transit/ekman_transit.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set size ratio -1
set key right bottom
set title "15 minutes north at 0.5 m/s through the water"
set xlabel "east [m]"
set ylabel "north [m]"
set xrange [-50:350]
set yrange [0:620]
names = "shallow middle deep interior bed"
depths = "5 25 50 150 395"
plot for [k=1:5] sprintf( "out/ekman_transit/%s/odometry.csv", word( names, k ) ) using 3:2 with lines lw 2 \
	title sprintf( "%s m deep", word( depths, k ) ), \
	"< echo 0,0; echo 0,450.5" using 1:2 with lines dt 2 lc rgb "black" title "still water"
