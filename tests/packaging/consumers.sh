#!/bin/sh
# Installs the library (first argument: shared or static), moves the installed tree to a path with a space in it, and builds and
# runs one C11 and one C++17 program against it, by find_package and by pkg-config.

# shellcheck source=tests/packaging/common.sh
. "$(dirname "$0")/common.sh"
kind=$1
prefix="$DEEPSIM_TEST_TMP/moved prefix"

# The tests' own build if it is of this kind, else one of its own, kept for the next run.
build=$DEEPSIM_BUILD_DIR
if [ "$kind" != "$DEEPSIM_TYPE" ]
then
	build=$DEEPSIM_TEST_TMP/build
	shared=OFF
	[ "$kind" = static ] || shared=ON
	embree=$(sed -n 's/^DEEPSIM_EMBREE:BOOL=//p' "$DEEPSIM_BUILD_DIR/CMakeCache.txt")
	quietly "$DEEPSIM_CMAKE" -S "$DEEPSIM_SOURCE_DIR" -B "$build" -G "$DEEPSIM_GENERATOR" -DDEEPSIM_SHARED=$shared \
		-DDEEPSIM_EMBREE="$embree" \
		-DDEEPSIM_BUILD_PROGRAM=OFF -DDEEPSIM_BUILD_TESTS=OFF -DDEEPSIM_BUILD_EXAMPLES=OFF
	quietly "$DEEPSIM_CMAKE" --build "$build" --parallel 2
fi
rm -rf "$prefix" "$DEEPSIM_TEST_TMP/prefix"
quietly "$DEEPSIM_CMAKE" --install "$build" --prefix "$DEEPSIM_TEST_TMP/prefix"
mv "$DEEPSIM_TEST_TMP/prefix" "$prefix"
libdir=$(dirname "$(find "$prefix" -name pkgconfig -type d)")

# What must be there, and of the other kind what must not.
[ -f "$prefix/include/deepsim/deepsim.h" ] || fail "no deepsim/deepsim.h in the installed tree"
soname=$(echo "$DEEPSIM_VERSION" | cut -d. -f1,2)
if [ "$kind" = shared ]
then
	readelf -d "$libdir/libdeepsim.so" | grep -q "SONAME.*\[libdeepsim\.so\.$soname\]" || fail "SONAME is not libdeepsim.so.$soname"
	[ ! -e "$libdir/libdeepsim.a" ] || fail "a static library in the shared tree"
else
	[ -f "$libdir/libdeepsim.a" ] || fail "no static library"
	[ ! -e "$libdir/libdeepsim.so" ] || fail "a shared library in the static tree"
fi
if grep -rIl -e "$DEEPSIM_SOURCE_DIR" -e "$DEEPSIM_BUILD_DIR" "$prefix"
then
	fail "installed files name the source or the build folder"
fi

# The installed program runs from where it was moved to.
if [ -x "$prefix/bin/deepsim" ]
then
	"$prefix/bin/deepsim" --version | grep -q "$DEEPSIM_VERSION" || fail "deepsim --version does not print $DEEPSIM_VERSION"
	[ -f "$prefix/share/man/man1/deepsim.1" ] || fail "no man page"
fi

# Modules come with it, and are found in the moved tree: by the program, and by the shared library.
if [ -f "$DEEPSIM_BUILD_DIR/lib/deepsim/raster_gdal.so" ] || [ -f "$libdir/deepsim/raster_gdal.so" ]
then
	grid=$DEEPSIM_TEST_TMP/grass.txt
	printf 'north: 20\nsouth: 0\neast: 20\nwest: 0\nrows: 2\ncols: 2\n1 2\n3 4\n' >"$grid"
	mv "$libdir/deepsim" "$libdir/deepsim.away"
	if [ -x "$prefix/bin/deepsim" ] && "$prefix/bin/deepsim" terrain info "$grid" >/dev/null 2>&1
	then
		fail "the installed program uses a module of elsewhere"
	fi
	mv "$libdir/deepsim.away" "$libdir/deepsim"
	[ ! -x "$prefix/bin/deepsim" ] || quietly "$prefix/bin/deepsim" terrain info "$grid"
	if [ "$kind" = shared ]
	then
		cat >"$DEEPSIM_TEST_TMP/load.c" <<-END
			#include <deepsim/deepsim.h>
			#include <deepsim/terrain.h>
			#include <stdio.h>
			int main( int argc, char **argv )
			{
				ds_terrain *terrain;
				ds_status status = ds_terrain_load( argv[argc - 1], NULL, NULL, &terrain, NULL );
				ds_terrain_release( terrain );
				puts( status == DS_OK ? "" : ds_last_error() );
				return (int)status;
			}
		END
		"$CC" -std=c11 -I"$prefix/include" "$DEEPSIM_TEST_TMP/load.c" -o "$DEEPSIM_TEST_TMP/load" -L"$libdir" -ldeepsim
		LD_LIBRARY_PATH=$libdir quietly "$DEEPSIM_TEST_TMP/load" "$grid"
	fi
fi

# By find_package. Another minor version is another interface: it must be refused.
for language in C CXX
do
	file=$here/consumer.c
	[ $language = C ] || file=$here/consumer.cpp
	out=$DEEPSIM_TEST_TMP/find_package_$language
	rm -rf "$out"
	quietly "$DEEPSIM_CMAKE" -S "$here/find_package" -B "$out" -G "$DEEPSIM_GENERATOR" -DCMAKE_PREFIX_PATH="$prefix" \
		-DCONSUMER_LANGUAGE=$language -DCONSUMER_FILE="$file" -DCONSUMER_VERSION="$DEEPSIM_VERSION"
	quietly "$DEEPSIM_CMAKE" --build "$out"
	"$out/consumer" || fail "find_package, $language: the program failed"
done
if "$DEEPSIM_CMAKE" -S "$here/find_package" -B "$DEEPSIM_TEST_TMP/find_package_other" -G "$DEEPSIM_GENERATOR" \
	-DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_LANGUAGE=C -DCONSUMER_FILE="$here/consumer.c" -DCONSUMER_VERSION=0.999 \
	>/dev/null 2>&1
then
	fail "find_package( deepsim 0.999 ) is satisfied by $DEEPSIM_VERSION"
fi

# By pkg-config. Its answer is quoted for a shell, hence eval.
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion deepsim)" = "$DEEPSIM_VERSION" ] || fail "pkg-config does not give version $DEEPSIM_VERSION"
static=
[ "$kind" = shared ] || static=--static
flags=$(pkg-config $static --cflags --libs deepsim)
eval "\"\$CC\" -std=c11 $warnings \"\$here/consumer.c\" -o \"\$DEEPSIM_TEST_TMP/consumer_c\" $flags -lm"
eval "\"\$CXX\" -std=c++17 $warnings \"\$here/consumer.cpp\" -o \"\$DEEPSIM_TEST_TMP/consumer_cpp\" $flags"
for program in consumer_c consumer_cpp
do
	LD_LIBRARY_PATH=$libdir "$DEEPSIM_TEST_TMP/$program" || fail "pkg-config, $program: the program failed"
	if [ "$kind" = static ] && readelf -d "$DEEPSIM_TEST_TMP/$program" | grep -q 'NEEDED.*libdeepsim'
	then
		fail "$program is not linked statically"
	fi
done
