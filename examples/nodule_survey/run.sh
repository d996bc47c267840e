# Read by examples/run.sh. A number after the name is another duration [s].
program nodule_survey examples/nodule_survey/nodule_survey.json "$out" "$@"
deepsim optics camera examples/nodule_survey/nodule_survey.json --distance 5 > "$out/camera.txt"
echo "data set: $root/$out" >&2
