# Drawn by `sh examples/run.sh nodule_survey`, from the repository's root: the mosaic with the camera's track, and one frame of it.
set terminal pngcairo size 960,800 font "sans,9"
set output "out/nodule_survey/nodule_survey.png"
folder = "out/nodule_survey/"
frame = 7
set datafile separator ","
unset key
set multiplot
set size ratio -1

# the map's head is "P6", columns, rows, 255: 17 bytes; a cell is 1 cm, the north-western one comes first
set lmargin at screen 0.06
set rmargin at screen 0.62
set tmargin at screen 0.95
set bmargin at screen 0.06
set title "mosaic of all frames, and the camera's track"
set xlabel "east [m]"
set ylabel "north [m]"
set xrange [-6:6]
set yrange [-8.5:8.5]
plot folder."mosaic.ppm" binary skip=17 array=(1200,1700) format="%uchar%uchar%uchar" dx=0.01 dy=0.01 origin=(-5.995,-8.495) \
         flipy using 1:2:3 with rgbimage, \
     folder."coverage.csv" using 2:1 skip 1 with linespoints lc rgb "#ffd24a" lw 1.5 pt 7 ps 0.6
unset xlabel
unset ylabel
unset tics

set lmargin at screen 0.64
set rmargin at screen 0.94
set xrange [-0.5:639.5]
set yrange [-0.5:479.5]
set tmargin at screen 0.95
set bmargin at screen 0.68
set title sprintf( "frame %d: colour", frame )
plot sprintf( "%scamera/%d.color8.png", folder, frame ) binary filetype=png using 1:2:3 with rgbimage
set tmargin at screen 0.64
set bmargin at screen 0.37
set title "depth along the rays [m]"
set colorbox user origin screen 0.945, screen 0.37 size screen 0.012, screen 0.27
set cbtics
plot sprintf( "%scamera/%d.depth.npy", folder, frame ) binary skip=128 array=(640,480) format="%float32" flipy using 1 with image
unset colorbox
set tmargin at screen 0.33
set bmargin at screen 0.06
set title "instances: nodules and sediment"
plot sprintf( "%scamera/%d.segmentation.png", folder, frame ) binary filetype=png using 1:2:3 with rgbimage
unset multiplot
