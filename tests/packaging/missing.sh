#!/bin/sh
# Where no dependency is installed, configuring names all of them at once, with one line that installs them.

# shellcheck source=tests/packaging/common.sh
. "$(dirname "$0")/common.sh"
mkdir -p "$DEEPSIM_TEST_TMP/nothing"
rm -rf "$DEEPSIM_TEST_TMP/build"
if PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR="$DEEPSIM_TEST_TMP/nothing" "$DEEPSIM_CMAKE" -S "$DEEPSIM_SOURCE_DIR" \
	-B "$DEEPSIM_TEST_TMP/build" -G "$DEEPSIM_GENERATOR" -DCMAKE_DISABLE_FIND_PACKAGE_assimp=ON \
	-DCMAKE_DISABLE_FIND_PACKAGE_embree=ON -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON >"$DEEPSIM_TEST_TMP/said" 2>&1
then
	fail "configured without any dependency"
fi
for what in bullet-float64 libcjson cglm libpng yaml-0.1 expat libjpeg assimp embree TBB cmocka
do
	grep -q ": .*$what" "$DEEPSIM_TEST_TMP/said" || fail "$what is not named"
done
line="apt-get install libbullet-dev libcjson-dev libcglm-dev libpng-dev libyaml-dev libexpat1-dev libjpeg-dev libassimp-dev libembree-dev libtbb-dev libcmocka-dev"
grep -q "$line" "$DEEPSIM_TEST_TMP/said" || fail "no line '$line' in: $(cat "$DEEPSIM_TEST_TMP/said")"
