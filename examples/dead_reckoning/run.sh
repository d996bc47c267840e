# Read by examples/run.sh. The vehicle is steered by the program, so the scenario alone would not hold its course.
program dead_reckoning examples/dead_reckoning/dead_reckoning.json "$out" "$@"
echo "log: $root/$out/track.csv" >&2
