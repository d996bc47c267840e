# Drawn by `sh examples/run.sh lander`, from the repository's root: track from above, yaw and speed against depth, with
# lift and Magnus force, without, and with both as printed (whose hundreds of turns leave the picture).
set terminal pngcairo size 960,460 font "sans,10"
set output "out/lander/lander.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
runs = "lander-plain lander lander-printed"
names = "'without lift and Magnus' 'with both' 'with both as printed'"
colours = "#1f77b4 #d62728 #999999"
file(k) = sprintf( "out/%s/odometry.csv", word( runs, k ) )
colour(k) = word( colours, k )

# degrees, unwrapped
yaw(w,x,y,z) = atan2( 2*(w*z + x*y), 1 - 2*(y*y + z*z) )*180/pi
turned = 0; last = 0
more(a) = ( d = a - last, last = a, d = d - 360*floor( (d + 180)/360 ), turned = turned + d, turned )

set multiplot layout 1,3
set key outside top center vertical maxrows 3 samplen 2
set title "track from above"
set xlabel "east [m]"
set ylabel "north [m]"
set xrange [-8:8]
set xtics 4
set yrange [-10:210]
plot for [k=1:2] file(k) using 3:2 with lines lw 2 lc rgb colour(k) title word( names, k )

set title "yaw"
set xlabel "turns"
set ylabel "depth [m]"
set xrange [-0.5:2.5]
set xtics 1
set yrange [3100:0]
plot for [k=1:2] file(k) using ( $1 == 0 ? (turned = 0, last = 0, 0) : more( yaw($5,$6,$7,$8) )/360 ):4 \
	with lines lw 2 lc rgb colour(k) title word( names, k )

set title "speed of fall, means of a minute"
set xlabel "m/s"
set xrange [0.5:0.8]
set xtics 0.1
fallen(z) = ( d = ( z - last )/60, last = z, d )
plot for [k=1:3] file(k) using ( fallen( $4 ) ):4 every 60 with lines lw 2 lc rgb colour(k) title word( names, k )
unset multiplot
