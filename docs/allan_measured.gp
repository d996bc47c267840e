# The picture docs/allan_measured.png: measured Allan curves, and those of the IMU model with configs fitted to them.
# The data are what tests/long/test_allan_measured writes:
#   gnuplot -e "data='FOLDER'" docs/allan_measured.gp

if ( !exists( "data" ) ) data = "."
if ( !exists( "out" ) ) out = "docs/allan_measured.png"
set terminal pngcairo size 1500,900 font "Sans,11" background "white"
set output out
set datafile separator ","
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [4e-3:3e3]
set grid xtics ytics lc rgb "#d8d8d8"
set key top right samplen 2 spacing 1.05
set multiplot layout 2,3 margins 0.06,0.99,0.07,0.94 spacing 0.055,0.1
names = "adis16448 bmi160 xsens_mti100"
titles = "ADIS16448 BMI160 Xsens"
colours = "#c0392b #1f77b4 #2a8a3e"
do for [triad = 0:1] {
	do for [d = 1:3] {
		file = sprintf( "%s/allan_measured_%s.csv", data, word( names, d ) )
		set title word( titles, d ).( triad ? ", accelerometers" : ", gyroscopes" )
		set xlabel ( triad ? "averaging time [s]" : "" )
		set ylabel ( d == 1 ? ( triad ? "Allan deviation [m/s^2]" : "Allan deviation [rad/s]" ) : "" )
		set arrow 1 from 0.1, graph 0 to 0.1, graph 1 nohead lc rgb "#aaaaaa" dt 2
		set arrow 2 from 100, graph 0 to 100, graph 1 nohead lc rgb "#aaaaaa" dt 2
		plot for [k = 1:3] file using 1:(column( 1 + 3 * triad + k )) with points pt 6 ps 0.6 lc rgb word( colours, k ) \
				title word( "x y z", k )." measured", \
			for [k = 1:3] file using 1:(column( 7 + 3 * triad + k )) with lines lw 1.6 lc rgb word( colours, k ) \
				title word( "x y z", k )." simulated"
	}
}
unset multiplot
