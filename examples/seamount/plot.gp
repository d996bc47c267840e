# Drawn by `sh examples/run.sh seamount`, from the repository's root: depth of the vehicle plus what its altimeter says, against
# the mountain's formula; the difference is the roughness of the ground and the noise of the altimeter. Below, the probe's fall.
set terminal pngcairo size 1000,760 font "sans,10"
set output "out/seamount/seamount.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
log = "out/seamount/"
sounding = "< paste -d, ".log."odometry.csv ".log."altimeter.csv"
ground(n) = 2000 - 500*exp( -(n/1500)**2 )
set multiplot
set lmargin 10
set rmargin 3

set size 1,0.56
set origin 0,0.44
set key top left samplen 2
set xlabel "north [m]"
set ylabel "depth [m]"
set xrange [-2600:2600]
set yrange [2050:1120]
set title "profile under the vehicle's track"
plot ground( x ) with filledcurves y=2050 fs solid 0.25 noborder lc rgb "#8c6d46" title "2000 - 500 exp( -(n/1500)^2 )", \
	sounding using 2:(column( 16 ) > 0 ? $4 + 0.1 + column( 17 ) : 1/0) with lines lw 1.5 lc rgb "#1f77b4" title "depth + altimeter", \
	log."odometry.csv" using 2:4 with lines lw 2 dt 2 lc rgb "#d62728" title "vehicle"

set size 0.5,0.44
set origin 0,0
set title "ground by the soundings over the formula: roughness, and noise"
set yrange [-25:25]
set xtics 1000
unset key
set ylabel "height [m]"
plot sounding using 2:(ground( $2 ) - $4 - 0.1 - column( 17 )) with lines lc rgb "#1f77b4"

set origin 0.5,0
set title "the probe falls for 35 minutes and stands on the flank"
set xrange [0:36]
set xtics auto
set yrange [1700:0]
set xlabel "time [min]"
set ylabel "depth [m]"
plot log."probe/odometry.csv" using ($1/60):4 with lines lw 2 lc rgb "#2ca02c"
unset multiplot
