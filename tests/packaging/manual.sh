#!/bin/sh
# The man page tells of every verb and option that the program's help tells of, and of no others; and it is proper roff.

# shellcheck source=tests/packaging/common.sh
. "$(dirname "$0")/common.sh"
page=$DEEPSIM_BUILD_DIR/packaging/deepsim.1
verbs=$("$DEEPSIM_PROGRAM" --help | awk '/^verbs/ { on = 1; next } /^$/ && seen { exit } on && NF { seen = 1; print $1 }')
[ "$(echo "$verbs" | wc -l)" -ge 6 ] || fail "found in the help only the verbs $verbs"

# Words (but the page's placeholder --name) that look like long options: in the page, and in the help of the verbs.
options()
{
	tr -c 'a-zA-Z0-9_\n-' ' ' | tr ' ' '\n' | grep -E '^--[a-z][a-z_-]*$' | grep -vx -e --name | LC_ALL=C sort -u
}
for verb in $verbs
do
	grep -qi "^\.SH $verb\$" "$page" || fail "the page has no section on the verb $verb"
	"$DEEPSIM_PROGRAM" "$verb" --help
done >"$DEEPSIM_TEST_TMP/help"
for words in "" "mesh info" "mesh repair" "mesh make box" "mesh make sphere" "mesh make cylinder" "mesh make capsule" \
	"mesh make ellipsoid" "mesh make myring" "mesh added-mass" "mesh board checkerboard" "mesh board tags" \
	"current show" "current fit" "terrain info" "terrain render" \
	"imu convert" "imu presets" "imu show" "imu record" \
	"optics camera" "optics lens" "optics stereo" "optics water"
do
	# shellcheck disable=SC2086
	"$DEEPSIM_PROGRAM" $words --help >>"$DEEPSIM_TEST_TMP/help" || fail "deepsim $words --help"
done
options <"$DEEPSIM_TEST_TMP/help" >"$DEEPSIM_TEST_TMP/options_help"
sed 's/\\-/-/g; s/\\f.//g' "$page" | options >"$DEEPSIM_TEST_TMP/options_page"
if ! diff "$DEEPSIM_TEST_TMP/options_help" "$DEEPSIM_TEST_TMP/options_page" >"$DEEPSIM_TEST_TMP/difference"
then
	cat "$DEEPSIM_TEST_TMP/difference" >&2
	fail "options of the program (<) and of the page (>) differ"
fi

# groff warns on its error output.
if command -v groff >/dev/null 2>&1
then
	said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
	[ -z "$said" ] || fail "groff: $said"
fi
