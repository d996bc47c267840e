# Joins the pictures in `folder` into sheets with captions. Called by run.sh.
wide = 256; high = 192; text = 20; gap = 4 # of a picture, a caption, the space between pictures [px]
unset border; unset tics; unset key
set autoscale fix

# sheet NAME COLUMNS "PICTURE|CAPTION;PICTURE|CAPTION...": pictures row by row
sheets = "lenses water deep ports"
array columns[4] = [3, 4, 4, 4]
array pictures[4]
pictures[1] = "lens_original|no distortion;lens_barrel|barrel: k1 -0.3, k2 0.06;lens_pincushion|pincushion: k1 0.35;\
lens_tangential|tangential: p1 0.03, p2 0.05;lens_fisheye|fisheye, 180° in the circle;lens_panorama|equirectangular, 200° across"
pictures[2] = "jerlov_I|Jerlov I;jerlov_II|Jerlov II;jerlov_1C|Jerlov 1C;jerlov_5C|Jerlov 5C"
pictures[3] = "lamps_0.1|lamps 0.1 m from the camera;lamps_0.5|0.5 m;lamps_1.5|1.5 m;lamps_rov|the other vehicle's lamp;\
turbidity_1|turbidity 1;turbidity_4|4;turbidity_12|12;snow|marine snow;\
phase_petzold|phase: Petzold;phase_fournier_forand|Fournier-Forand;phase_henyey_greenstein|Henyey-Greenstein, g 0.924;phase_isotropic|isotropic;\
height_2_0.5|2 m above the seabed;height_5_0.5|5 m;height_9_0.5|9 m;height_9_1.5|9 m, lamps 1.5 m away"
pictures[4] = "port_none|no port;port_flat|flat port;port_dome|dome, centred;port_decentred|dome, 3 cm off to the right"

# the part of `list` between its `n`th and the next `by`
count(list, by) = strlen(list) == 0 ? 0 : 1 + (strstrt(list, by) ? count(list[strstrt(list, by) + 1:*], by) : 0)
part(list, by, n) = n > 1 ? part(list[strstrt(list, by) + 1:*], by, n - 1) : strstrt(list, by) ? list[1:strstrt(list, by) - 1] : list

do for [s = 1:4] {
	n = count(pictures[s], ";")
	rows = (n + columns[s] - 1) / columns[s]
	width = columns[s] * (wide + gap) - gap
	height = rows * (high + text + gap) - gap
	set terminal pngcairo size width,height font "sans,9"
	set output folder.word(sheets, s).".png"
	set multiplot
	do for [i = 1:n] {
		left = ((i - 1) % columns[s]) * (wide + gap)
		top = ((i - 1) / columns[s]) * (high + text + gap)
		set lmargin at screen real(left) / width
		set rmargin at screen real(left + wide) / width
		set tmargin at screen 1 - real(top) / height
		set bmargin at screen 1 - real(top + high) / height
		unset label
		set label 1 part(part(pictures[s], ";", i), "|", 2) at screen real(left + 2) / width, screen 1 - (top + high + 0.5 * text) / height
		plot folder.part(part(pictures[s], ";", i), "|", 1).".png" binary filetype=png with rgbimage
	}
	unset multiplot
	unset output
}
