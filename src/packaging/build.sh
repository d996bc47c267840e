# shellcheck shell=sh disable=SC2016,SC2034,SC2154
# Shared by tests/run.sh and examples/run.sh, which set `root`, the repository: installs what is missing, configures, builds.

# One line for each dependency: Debian package | what it provides | command that succeeds where it is present.
build_needs='
cmake|CMake, 3.22 or newer|command -v cmake
g++|compilers for C17 and C++17|command -v ${CC:-cc} && command -v ${CXX:-c++}
ninja-build|Ninja (make will do)|command -v ninja || command -v make
pkg-config|pkg-config|command -v pkg-config
libbullet-dev|Bullet physics in double precision, pkg-config module bullet-float64|pkg-config --exists bullet-float64
libcjson-dev|cJSON, pkg-config module libcjson|pkg-config --exists libcjson
libcglm-dev|cglm, pkg-config module cglm|pkg-config --exists cglm
libassimp-dev|assimp, CMake package assimp|pkg-config --exists assimp
libpng-dev|libpng, pkg-config module libpng|pkg-config --exists libpng
libjpeg-dev|libjpeg, pkg-config module libjpeg|pkg-config --exists libjpeg
libyaml-dev|libyaml, pkg-config module yaml-0.1|pkg-config --exists yaml-0.1
libexpat1-dev|Expat, pkg-config module expat|pkg-config --exists expat
libembree-dev|Embree 3 or 4, ray casting|has_cmake_package embree
libtbb-dev|oneTBB, which Embree runs on|has_cmake_package TBB'
test_needs='
libcmocka-dev|cmocka, pkg-config module cmocka|pkg-config --exists cmocka
libgdal-dev|GDAL, for the module raster_gdal|pkg-config --exists gdal'
oracle_needs='
python3-scipy|SciPy for /usr/bin/python3, an oracle of the tests|has_python scipy
python3-jsonschema|jsonschema for /usr/bin/python3, an oracle of the tests|has_python jsonschema
python3-opencv|OpenCV for /usr/bin/python3, an oracle of the tests|has_python cv2
python3-gsw|GSW (TEOS-10) for /usr/bin/python3, an oracle of the tests|has_python gsw'

# The interpreter that the tests use: the system's, whose packages are the distribution's.
has_python()
{
	python=/usr/bin/python3
	[ -x "$python" ] || python=python3
	"$python" -c "import importlib.util, sys; sys.exit( importlib.util.find_spec( '$1' ) is None )"
}

# Whether a package brought a CMake file for find_package.
has_cmake_package()
{
	ls /usr/lib/cmake/$1*/$1-config.cmake /usr/lib/*/cmake/$1*/$1-config.cmake /usr/lib/cmake/$1*/$1Config.cmake \
		/usr/lib/*/cmake/$1*/$1Config.cmake 2>/dev/null | grep -q .
}

# Sets `missing` (packages) and `missing_lines` (what they provide) from such a list.
look_for_missing()
{
	missing=
	missing_lines=
	while IFS='|' read -r package provides check
	do
		[ -n "$package" ] || continue
		if ! eval "$check" >/dev/null 2>&1
		then
			missing="$missing $package"
			missing_lines="$missing_lines
  $package: $provides"
		fi
	done <<END
$1
END
}

# Installs what is missing of a list, with apt-get as root or by sudo. Where that cannot be done it says what is missing and
# goes on: CMake has the last word.
install_missing()
{
	look_for_missing "$1"
	[ -n "$missing" ] || return 0
	echo "missing:$missing_lines"
	if ! command -v apt-get >/dev/null 2>&1
	then
		echo "There is no apt-get here: please install these by the system's own means. Going on without."
		return 0
	fi
	as_root=
	if [ "$(id -u)" -ne 0 ]
	then
		as_root="sudo"
		[ -t 0 ] || as_root="sudo -n"
		if ! command -v sudo >/dev/null 2>&1
		then
			echo "Neither root nor sudo. Please run as root: apt-get install$missing"
			return 0
		fi
	fi
	# The package lists may be old or absent: they are fetched when installing without that fails.
	apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y"
	# shellcheck disable=SC2086
	if ! $apt install --no-install-recommends $missing >/dev/null 2>&1
	then
		$apt update && $apt install --no-install-recommends $missing >/dev/null ||
			echo "apt-get failed. Please install:$missing"
	fi
}

processors()
{
	nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1
}

# Runs a command: on a terminal with its output, elsewhere with the output shown only if it fails.
shown_if_failing()
{
	if [ -t 1 ]
	then
		"$@"
		return $?
	fi
	output=$("$@" 2>&1) && return 0
	code=$?
	printf '%s\n' "$output"
	return $code
}

# Whether build/FOLDER is configured, for the repository at this place.
is_configured()
{
	grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/$1/CMakeCache.txt" &&
		{ [ -f "$root/build/$1/build.ninja" ] || [ -f "$root/build/$1/Makefile" ]; }
}

# configure FOLDER OPTION...: configures build/FOLDER with CMake. What is left there of a failure, or of the repository at
# another place, is thrown away.
configure()
{
	is_configured "$1" || rm -rf "$root/build/$1"
	build_folder=$root/build/$1
	shift
	generator=
	if [ ! -d "$build_folder" ] && command -v ninja >/dev/null 2>&1
	then
		generator=-GNinja
	fi
	shown_if_failing cmake -S "$root" -B "$build_folder" $generator "$@"
}

# build FOLDER TARGET: builds one target of build/FOLDER ("all": everything).
build()
{
	shown_if_failing cmake --build "$root/build/$1" --parallel "$(processors)" --target "$2"
}
