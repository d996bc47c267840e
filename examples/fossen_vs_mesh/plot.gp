# Drawn by `sh examples/run.sh fossen_vs_mesh`, from the repository's root: surge speed by three models of the water.
set terminal pngcairo size 720,420 font "sans,10"
set output "out/fossen_vs_mesh/fossen_vs_mesh.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set title "BlueROV2 Heavy: 8.485 N ahead from 2 s to 20 s"
set xlabel "time [s]"
set ylabel "surge [m/s]"
set xrange [0:40]
plot "out/fossen_vs_mesh/odometry.csv" using 1:9 with lines lw 2 lc rgb "#1f77b4" title "mesh", \
     "out/fossen_vs_mesh-fossen/odometry.csv" using 1:9 with lines lw 2 lc rgb "#d62728" title "fossen", \
     "out/fossen_vs_mesh-fossen_simplified/odometry.csv" using 1:9 with lines lw 2 lc rgb "#2ca02c" title "fossen\\_simplified"
