# Read by examples/run.sh: pictures of one small scene into out/camera_gallery, and sheets of them where there is gnuplot. What follows
# the name goes to `deepsim render`.
scenarios=examples/camera_gallery
camera=sensors.camera.config

# picture NAME SCENARIO OPTION...: the camera's picture, after two more from which its exposure settles
picture()
{
	picture=$1 scenario=$2
	shift 2
	deepsim render "$scenarios/$scenario.json" --quiet --time 0.05 --threads 2 -o "$out/$picture.png" "$@"
}

# Lenses.
lens()
{
	lens=$1
	shift
	picture "lens_$lens" shallow "$@"
}
lens original "$@"
lens barrel --set "$camera.lens.k=[-0.3,0.06,0,0]" "$@"
lens pincushion --set "$camera.lens.k=[0.35,0,0,0]" "$@"
lens tangential --set "$camera.lens.p=[0.03,0.05]" "$@"
lens fisheye --set "$camera.lens.model=fisheye" --set "$camera.lens.fov_deg=240" --set "$camera.lens.vignetting=0.25" "$@"
lens panorama --set "$camera.lens.model=equirectangular" --set "$camera.lens.fov_deg=200" "$@"

# Water by Jerlov, under the sun.
for type in I II 1C 5C
do
	picture "jerlov_$type" shallow --set "environment.water.optics.type=$type" "$@"
done

# Lamps at both sides, turned in to what lies 4.5 m ahead.
lamps()
{
	lamps=$1 apart=$2 turned=$3
	shift 3
	picture "$lamps" deep --set "actuators.port.mount={\"position\":[0,-$apart,0],\"rpy_deg\":[0,0,$turned]}" \
		--set "actuators.starboard.mount={\"position\":[0,$apart,0],\"rpy_deg\":[0,0,-$turned]}" "$@"
}
lamps lamps_0.1 0.1 1.3 "$@"
lamps lamps_0.5 0.5 6.3 "$@"
lamps lamps_1.5 1.5 18.4 "$@"

# The lamp of the vehicle that is in view alone, with the shadows of things in its beam.
picture lamps_rov deep --set actuators.port.config.level=0 --set actuators.starboard.config.level=0 \
	--set actuators.rov_lamp.config.level=1 --set environment.water.optics.turbidity=2 --set "$camera.beam_shadows=true" \
	--set "$camera.backscatter_steps=24" "$@"

# Turbidity: a factor of all that is not pure water.
for turbidity in 1 4 12
do
	picture "turbidity_$turbidity" deep --set "environment.water.optics.turbidity=$turbidity" "$@"
done

picture snow deep --set "$camera.snow={\"density\":1500,\"range\":6}" "$@"

# Phase functions, with lamps beside the camera: light comes straight back.
for phase in petzold fournier_forand henyey_greenstein isotropic
do
	lamps "phase_$phase" 0.1 1.3 --set "environment.water.optics.phase=$phase" "$@"
done

# Height above the seabed, looking down.
height()
{
	height=$1 apart=$2 turned=$3
	shift 3
	lamps "height_${height}_$apart" "$apart" "$turned" \
		--set "bodies.rig.pose={\"position\":[1.8,0,$((4000 - height))],\"rpy_deg\":[0,-70,0]}" "$@"
}
height 2 0.5 6.3 "$@"
height 5 0.5 6.3 "$@"
height 9 0.5 6.3 "$@"
height 9 1.5 9.5 "$@"

# Windows of the housing, a board in view.
port()
{
	port=$1
	shift
	picture "port_$port" port "$@"
}
port none "$@"
port flat --set "$camera.port.kind=flat" "$@"
port dome --set "$camera.port.kind=dome" "$@"
port decentred --set "$camera.port.kind=dome" --set "$camera.port.decentring=[0.03,0,0]" "$@"

if command -v gnuplot > /dev/null
then
	gnuplot -e "folder='$out/'" "$scenarios/sheets.gp"
	echo "pictures: $root/$out; sheets of them: lenses.png, water.png, deep.png, ports.png" >&2
else
	echo "pictures: $root/$out; no sheets of them: gnuplot is not installed (Debian: gnuplot-nox)" >&2
fi
