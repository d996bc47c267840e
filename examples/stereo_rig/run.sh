# Read by examples/run.sh: pairs of pictures of a board, the true calibration, and what OpenCV makes of the pictures where there is
# python3 with cv2. What follows the name, --set PATH=VALUE, goes to `deepsim render` and `deepsim optics stereo`.
scenario=examples/stereo_rig/stereo_rig.json

# pair NUMBER AHEAD RIGHT DEPTH ROLL PITCH YAW OPTION...: where the board is [m], and its attitude [deg]
pair()
{
	number=$1
	pose="{\"position\":[$2,$3,$4],\"rpy_deg\":[$5,$6,$7]}"
	shift 7
	deepsim render "$scenario" --quiet --camera left --threads 2 -o "$out/left_$number.png" --z-depth "$out/left_$number.npy" \
		--set sensors.left.config.depth=true --set "bodies.board.pose=$pose" "$@"
	deepsim render "$scenario" --quiet --camera right --threads 2 -o "$out/right_$number.png" \
		--set "bodies.board.pose=$pose" "$@"
}

pair 01 0.95 0 1000 0 0 0 "$@"
pair 02 0.85 -0.08 1000.04 5 25 10 "$@"
pair 03 0.85 0.08 999.96 -5 -25 -10 "$@"
pair 04 0.95 0.08 1000.08 10 20 -25 "$@"
pair 05 0.95 -0.08 999.92 -15 -20 25 "$@"
pair 06 0.8 0.02 1000 3 0 32 "$@"
pair 07 0.8 0 1000.02 -3 0 -32 "$@"
pair 08 1 0.16 999.88 20 30 15 "$@"
pair 09 1 -0.16 1000.12 -20 -30 -15 "$@"
pair 10 1.05 -0.18 999.87 0 15 20 "$@"
pair 11 1.05 0.18 1000.13 0 -15 -20 "$@"
pair 12 1.2 0.05 1000 30 10 5 "$@"

deepsim optics stereo "$scenario" left right -o "$out/stereo.yaml" --ros "$out/left.yaml" "$out/right.yaml" "$@"
# the distribution's interpreter, whose packages are the distribution's, or the first in the path
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if "$python" -c 'import cv2' 2> /dev/null
then
	"$python" examples/stereo_rig/calibrate.py "$out"
else
	echo "pictures: $root/$out; not calibrated: $python has no cv2 (Debian: python3-opencv)" >&2
fi
