# Drawn by `sh examples/run.sh crawler`, from the repository's root: the track over the ground, forces along and across it.
# Tracks and odometry have the same times, so their files are laid side by side.
set terminal pngcairo size 1060,760 font "sans,10"
set output "out/crawler/crawler.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
log = "out/crawler/"
both = "< paste -d, ".log."port.csv ".log."starboard.csv ".log."odometry.csv"
# columns: port from 1, starboard from 17, odometry from 33
weight = ( 6100 - 3.456*1028 )*9.80665
pull(k) = column( 10 ) + column( 26 )
held(k) = column( 11 ) + column( 27 ) + 638*column( 41 )*abs( column( 41 ) ) \
	+ weight*2*( column( 37 )*column( 39 ) - column( 40 )*column( 38 ) )

# a mean over a second
array p[10]
n = 0
mean(x) = ( n = column( 0 ) < 0.5 ? 1 : n + 1, p[n%10 + 1] = x, n < 10 ? 1/0 : sum [i=1:10] p[i]/10 )

set multiplot layout 2,2
set key top left samplen 2
set xlabel "time [s]"

set title "along the tracks, both together, means of a second"
set ylabel "N"
set xrange [0:120]
set yrange [-600:7200]
plot both using 1:(mean( pull( 0 ) )) with lines lw 2 lc rgb "#1f77b4" title "traction", \
	both using 1:(mean( held( 0 ) )) with lines lw 1.5 lc rgb "#d62728" \
	title "soil, water and weight"

set title "the same, accelerating on level ground"
set xrange [0:22]
set yrange [-200:1400]
set key top right
plot both using 1:(mean( pull( 0 ) )) with lines lw 2 lc rgb "#1f77b4" title "traction", \
	both using 1:(mean( held( 0 ) )) with lines lw 1.5 lc rgb "#d62728" title "resistance"

set title "across the tracks, means of a second"
set xrange [20:42]
set yrange [-400:400]
plot both using 1:(mean( $12 )) with lines lw 2 lc rgb "#2ca02c" title "port", \
	both using 1:(mean( $28 )) with lines lw 2 lc rgb "#ff7f0e" title "starboard"

set title "sinkage of both tracks, slip of the port track"
set xrange [0:120]
set ylabel "sinkage [cm]"
set y2label "slip"
set ytics nomirror
set y2tics
set y2range [-0.4:0.4]
set yrange [0:16]
plot log."port.csv" using 1:(100*$7) with lines lw 2 lc rgb "#1f77b4" title "port", \
	log."starboard.csv" using 1:(100*$7) with lines lw 1 lc rgb "#ff7f0e" title "starboard", \
	log."port.csv" using 1:($1 > 3 && $1 < 105 ? $5 : 1/0) axes x1y2 with lines lw 1 lc rgb "#999999" title "slip, to the right"
unset multiplot
