# Sinkage of one plate by the number of its faces, as the source paper prints Bekker's pressure (b the side of a face) and as it is here
# (b the least width of the patch). From the repository's root, after test_soil_plates has run:
#   gnuplot -e "folder='BUILD/tests/tmp/scenario/test_soil_plates'" tests/scenario/printed_bekker.gp
set terminal pngcairo size 720,440 font "sans,11"
set output "docs/printed_bekker.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set logscale x 10
set xrange [8:20000]
set yrange [0:*]
set xlabel "faces of the box"
set ylabel "sinkage [mm]"
set key bottom left
set title "0.4 x 0.4 m plate, 20 kPa, sandy loam (Michigan, 11 %)"
file = folder . "/printed_bekker.csv"
plot file using 1:($3*1e3) skip 1 with linespoints lw 2 pt 7 lc rgb "#1f77b4" title "b: least width of the patch", \
	file using 1:($4*1e3) skip 1 with lines lw 2 lc rgb "#999999" title "(25) with b = side of a face, by hand", \
	file using 1:($2*1e3) skip 1 with points pt 7 lc rgb "#d62728" title "printed pressure"
