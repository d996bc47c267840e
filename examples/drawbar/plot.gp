# Drawn by `sh examples/run.sh drawbar`, from the repository's root: means over the last 4 of the 8 seconds of each slip.
set terminal pngcairo size 1000,400 font "sans,10"
set output "out/drawbar/drawbar.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
log = "out/drawbar/wheel.csv"

# a name of the slip that is the same for all readings of a step; what is not settled has none
slip(s) = int( column( 0 ) + 159 )%160 >= 80 ? floor( 1000*s + 0.5 )/1000.0 : NaN

set datafile missing NaN
set xlabel "slip"
set xrange [-0.25:0.85]
set xtics 0.2
set pointsize 0.7
set key bottom right samplen 2
set multiplot layout 1,3
set title "forces [N]"
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb "#666666"
plot log using (slip( $5 )):10 smooth unique with linespoints lw 2 pt 7 lc rgb "#999999" title "traction by shear", \
	"" using (slip( $5 )):11 smooth unique with linespoints lw 2 pt 7 lc rgb "#d62728" title "resistance by pressure", \
	"" using (slip( $5 )):9 smooth unique with linespoints lw 2 pt 7 lc rgb "#1f77b4" title "drawbar pull"
set title "sinkage [mm]"
unset arrow 1
set yrange [30:70]
plot log using (slip( $5 )):(1000*$7) smooth unique with linespoints lw 2 pt 7 lc rgb "#8c6d46" notitle
set title "power of the motor, pull times speed [W]"
set yrange [-60:260]
set key top left
plot log using (slip( $5 )):14 smooth unique with linespoints lw 2 pt 7 lc rgb "#2ca02c" title "motor", \
	"" using (slip( $5 )):($9*$4) smooth unique with linespoints lw 2 pt 7 lc rgb "#1f77b4" title "pull"
unset multiplot
