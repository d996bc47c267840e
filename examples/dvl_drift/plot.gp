# Drawn by `sh examples/run.sh dvl_drift`, from the repository's root: what two DVLs at rest add up to, and what was expected.
set terminal pngcairo size 720,460 font "sans,10"
set output "out/dvl_drift/dvl_drift.png"
set datafile separator ","
set grid back lt 1 lc rgb "#dddddd"
set key left top
set title "Two DVLs stand still for three hours: dead-reckoned position"
set xlabel "time [h]"
set ylabel "drift [m]"
set xrange [0:3]
set yrange [-3.2:3.2]
white(h) = 0.02*sqrt(0.1*3600*h)
both(h) = sqrt(white(h)**2 + 2.39e-6**2*(3600*h)**3/3)
plot "+" using 1:(-both($1)):(both($1)) with filledcurves fc rgb "#f7d9d9" title "one deviation, with the walk", \
     "+" using 1:(-white($1)):(white($1)) with filledcurves fc rgb "#c6dcef" title "one deviation, white noise alone", \
     (a=0, "out/dvl_drift/white.csv") using ($1/3600):(a=a+0.1*$6) skip 1 with lines lc rgb "#1f77b4" title "white noise: north, east", \
     (b=0, "out/dvl_drift/white.csv") using ($1/3600):(b=b+0.1*$7) skip 1 with lines lc rgb "#1f77b4" notitle, \
     (c=0, "out/dvl_drift/walk.csv") using ($1/3600):(c=c+0.1*$6) skip 1 with lines lc rgb "#d62728" title "with a bias walk: north, east", \
     (d=0, "out/dvl_drift/walk.csv") using ($1/3600):(d=d+0.1*$7) skip 1 with lines lc rgb "#d62728" notitle
