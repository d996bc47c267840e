# Drawn by `sh examples/run.sh mesh_loading`, from the repository's root: how long meshes take to load, run by run.
set terminal pngcairo size 900,420 font "sans,10"
set output "out/mesh_loading/mesh_loading.png"
set datafile separator ","
file = "out/mesh_loading/mesh_loading.csv"
formats = "gltf glb obj"
names = "glTF GLB OBJ"
stats file using 5 skip 1 nooutput
runs = int( STATS_max )
set grid ytics back lt 1 lc rgb "#dddddd"
set style fill solid 0.9 noborder
set boxwidth 0.8
set yrange [0:*]
set xrange [0:3 * ( runs + 1 )]
set xtics scale 0 ( "" 0 )
do for [f = 1:3] { set xtics add ( word( names, f ) ( f - 1 ) * ( runs + 1 ) + 0.5 * ( runs + 1 ) ) }
set key top left reverse Left samplen 1
set multiplot layout 1,2
# where the bar of a run stands; the part of `what` format
at( run, f ) = ( f - 1 ) * ( runs + 1 ) + run
do for [mesh in "coarse fine"] {
	set yrange [*:*]
	stats file using ( strcol( 1 ) eq mesh ? $6 + $7 : NaN ) skip 1 name "TOP" nooutput
	stats file using ( strcol( 1 ) eq mesh ? $2 : NaN ) skip 1 nooutput
	set title sprintf( "%d triangles, %d runs, the first one not cached", int( STATS_max ), runs )
	set yrange [0:1.35 * TOP_max]
	set ylabel mesh eq "coarse" ? "time until a first ray is answered [s]" : ""
	# grey from the top down to the load, which covers the rest
	plot for [f = 1:3] file using ( at( $5, f ) ):( strcol( 1 ) eq mesh && strcol( 3 ) eq word( formats, f ) ? $6 + $7 : NaN ) skip 1 \
	         with boxes lc rgb "#9a9a9a" title f == 1 ? "scene of rays" : "", \
	     for [f = 1:3] file using ( at( $5, f ) ):( strcol( 1 ) eq mesh && strcol( 3 ) eq word( formats, f ) ? $6 : NaN ) skip 1 \
	         with boxes lc rgb "#1f77b4" title f == 1 ? "reading" : ""
}
unset multiplot
