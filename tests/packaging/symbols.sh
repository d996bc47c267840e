#!/bin/sh
# The shared library exports exactly the functions that the public headers declare DS_API: nothing else leaves it, and
# nothing is declared that does not exist.

# shellcheck source=tests/packaging/common.sh
. "$(dirname "$0")/common.sh"
if [ "$DEEPSIM_TYPE" != shared ]
then
	echo "the library of this build is static"
	exit 77
fi
nm -D --defined-only "$DEEPSIM_BUILD_DIR/libdeepsim.so" | awk '{ print $3 }' | sed 's/@.*//' | LC_ALL=C sort >"$DEEPSIM_TEST_TMP/exported"

# The preprocessor leaves the marker where DS_API stood; the name is what comes before the first parenthesis.
printf '#include "deepsim/deepsim.h"\n' >"$DEEPSIM_TEST_TMP/all.c"
"$CC" -E -P -std=c11 -I"$DEEPSIM_SOURCE_DIR/include" "$DEEPSIM_TEST_TMP/all.c" | tr '\n' ' ' |
	sed 's/__attribute__ *( *( *visibility( *"default" *) *) *)/\n@/g' | grep '^@' |
	sed 's/^@[^(;]*[ *]\(ds_[a-z0-9_]*\) *[(;].*/\1/' | LC_ALL=C sort >"$DEEPSIM_TEST_TMP/declared"

count=$(wc -l <"$DEEPSIM_TEST_TMP/declared")
[ "$count" -gt 5 ] || fail "found only $count declarations"
if ! diff "$DEEPSIM_TEST_TMP/declared" "$DEEPSIM_TEST_TMP/exported" >"$DEEPSIM_TEST_TMP/difference"
then
	cat "$DEEPSIM_TEST_TMP/difference" >&2
	fail "declared in the headers (<) and exported by the library (>) differ"
fi
echo "$count functions"
