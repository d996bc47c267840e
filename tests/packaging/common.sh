# shellcheck shell=sh disable=SC2034
# Shared by the packaging tests. CTest sets DEEPSIM_SOURCE_DIR, DEEPSIM_TEST_TMP, DEEPSIM_BUILD_DIR, DEEPSIM_TYPE (shared or
# static: of that build), DEEPSIM_VERSION, DEEPSIM_CMAKE, DEEPSIM_GENERATOR, CC and CXX.

set -eu

fail()
{
	echo "FAIL: $*" >&2
	exit 1
}

# Runs a command quietly; shows what it said if it fails.
quietly()
{
	if ! "$@" >"$DEEPSIM_TEST_TMP/log" 2>&1
	then
		cat "$DEEPSIM_TEST_TMP/log" >&2
		fail "$*"
	fi
}

here=$DEEPSIM_SOURCE_DIR/tests/packaging
warnings="-Wall -Wextra -Wpedantic -Werror"
