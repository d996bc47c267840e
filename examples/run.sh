#!/bin/sh
# Installs what is missing, builds the program deepsim, and runs examples/NAME/NAME.json (default: lander) with its log in
# out/NAME, then its variants NAME-*.json with theirs beside it. Where gnuplot is installed, examples/NAME/plot.gp draws
# out/NAME/NAME.png. What follows the name goes to `deepsim run`. An example that is no scenario alone has examples/NAME/run.sh,
# which is read here in place of that: it may call `deepsim` and `program NAME` (examples/embed/NAME.c), and writes to $out.
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
if [ ! -f "$root/examples/$name/$name.json" ] && [ ! -f "$root/examples/$name/run.sh" ]
then
	echo "There is no example $name. There are:" >&2
	for folder in "$root"/examples/*/
	do
		folder=$(basename "$folder")
		[ ! -f "$root/examples/$folder/$folder.json" ] && [ ! -f "$root/examples/$folder/run.sh" ] || echo "  $folder" >&2
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

deepsim()
{
	build/release/deepsim "$@"
}

# program NAME ARGUMENT...: builds examples/embed/NAME.c and runs it.
program()
{
	target=example_$1
	shift
	build release "$target"
	"build/release/$target" "$@"
}

if [ -f "examples/$name/run.sh" ]
then
	out=out/$name
	mkdir -p "$out"
	# shellcheck source=/dev/null
	. "examples/$name/run.sh"
fi
for file in "examples/$name/$name.json" "examples/$name/$name"-*.json
do
	[ -f "$file" ] && [ ! -f "examples/$name/run.sh" ] || continue
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
