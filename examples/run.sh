#!/bin/sh
# Installs what is missing, builds the program deepsim, and runs examples/NAME/NAME.json (default: lander) with its log in
# out/NAME, then its variants NAME-*.json with theirs beside it. Where gnuplot is installed, examples/NAME/plot.gp draws
# out/NAME/NAME.png. What follows the name goes to `deepsim run`.
#   sh examples/run.sh
#   sh examples/run.sh rov --duration 20 --seed 3

set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=src/packaging/build.sh
. "$root/src/packaging/build.sh"

# The scenario: a folder here.
name=lander
case ${1-} in
	'') ;;
	-*) ;;
	*) name=$1; shift ;;
esac
if [ ! -f "$root/examples/$name/$name.json" ]
then
	echo "There is no examples/$name/$name.json. Scenarios:" >&2
	for file in "$root"/examples/*/*.json
	do
		folder=$(basename "$(dirname "$file")")
		[ "$folder.json" != "$(basename "$file")" ] || echo "  $folder" >&2
	done
	exit 2
fi

# The release build, which the tests use too. Once it is configured CMake looks after itself.
install_missing "$build_needs"
if ! is_configured release
then
	echo "building deepsim in build/release: a minute or so, this once" >&2
	configure release -DCMAKE_BUILD_TYPE=Release -DDEEPSIM_BUILD_TESTS=OFF
fi
build release deepsim_program

cd "$root"
mkdir -p out
for file in "examples/$name/$name.json" "examples/$name/$name"-*.json
do
	[ -f "$file" ] || continue
	log=out/$(basename "$file" .json)
	build/release/deepsim run "$file" --log "$log" "$@"
	echo "log: $root/$log" >&2
done

# The picture. Without one the logs are complete all the same.
if [ -f "examples/$name/plot.gp" ]
then
	if ! command -v gnuplot > /dev/null
	then
		echo "no picture: gnuplot is not installed (Debian: gnuplot-nox)" >&2
	elif gnuplot "examples/$name/plot.gp"
	then
		echo "plot: $root/out/$name/$name.png" >&2
	else
		echo "no picture: gnuplot could not draw these logs" >&2
	fi
fi
