#!/bin/sh
# Inside another project the library comes alone: no options, other targets, tests or changed flags. A program of that
# project is built and run.

# shellcheck source=tests/packaging/common.sh
. "$(dirname "$0")/common.sh"
out=$DEEPSIM_TEST_TMP/build
quietly "$DEEPSIM_CMAKE" -S "$here/subproject" -B "$out" -G "$DEEPSIM_GENERATOR" -DCMAKE_BUILD_TYPE=Debug \
	-DDEEPSIM_TREE="$DEEPSIM_SOURCE_DIR" -DCONSUMER_FILE="$here/consumer.cpp"
quietly "$DEEPSIM_CMAKE" --build "$out" --parallel 2
"$out/consumer" || fail "the program failed"
rm -rf "$DEEPSIM_TEST_TMP/prefix"
quietly "$DEEPSIM_CMAKE" --install "$out" --prefix "$DEEPSIM_TEST_TMP/prefix"
[ -z "$(find "$DEEPSIM_TEST_TMP/prefix" -type f 2>/dev/null)" ] || fail "the outer project installs files of the library"
