# Drawn by `sh examples/run.sh buoy`, from the repository's root: heave of the buoy against the surface at its place. The
# elevation is what the gauge under the waterline says: gauge pressure/(rho g) less its depth.
set terminal pngcairo size 900,420 font "sans,10"
set output "out/buoy/buoy.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
both = "< paste -d, out/buoy/odometry.csv out/buoy/gauge.csv"
# down component of the arm of 0.2 m to the gauge
arm(x,y) = 0.2*( 1 - 2*(x*x + y*y) )
elevation(z,x,y,p) = p/( 1025*9.81 ) - z - arm(x,y)
set multiplot layout 1,2
set key top right
set title "a minute of the sea"
set xlabel "time [s]"
set ylabel "up [m]"
set xrange [300:360]
plot both using 1:( elevation( $4, $6, $7, $16 ) ) with lines lw 2 lc rgb "#1f77b4" title "surface", \
     both using 1:( -$4 ) with lines lw 2 dt 2 lc rgb "#d62728" title "buoy"
set title "ten minutes"
set xlabel "surface [m]"
set ylabel "buoy [m]"
set xrange [-2:2]
set yrange [-2:2]
set size ratio 1
plot both using ( elevation( $4, $6, $7, $16 ) ):( -$4 ) with dots lc rgb "#d62728" notitle, \
     x with lines lc rgb "black" notitle
unset multiplot
