#!/bin/sh
# Every public header compiles alone, as C11 and as C++17, without a warning.

# shellcheck source=tests/packaging/common.sh disable=SC2086
. "$(dirname "$0")/common.sh"
for header in "$DEEPSIM_SOURCE_DIR"/include/deepsim/*.h
do
	name=$(basename "$header")
	printf '#include "deepsim/%s"\n' "$name" >"$DEEPSIM_TEST_TMP/alone.c"
	cp "$DEEPSIM_TEST_TMP/alone.c" "$DEEPSIM_TEST_TMP/alone.cpp"
	"$CC" -std=c11 $warnings -Wshadow -Wconversion -Wstrict-prototypes -I"$DEEPSIM_SOURCE_DIR/include" -fsyntax-only \
		"$DEEPSIM_TEST_TMP/alone.c" || fail "$name alone, as C11"
	"$CXX" -std=c++17 $warnings -Wshadow -Wconversion -I"$DEEPSIM_SOURCE_DIR/include" -fsyntax-only \
		"$DEEPSIM_TEST_TMP/alone.cpp" || fail "$name alone, as C++17"
	grep -q "#include \"deepsim/$name\"" "$DEEPSIM_SOURCE_DIR/include/deepsim/deepsim.h" || [ "$name" = deepsim.h ] ||
		fail "deepsim.h does not include $name"
done
