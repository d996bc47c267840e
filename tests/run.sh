#!/bin/sh
# Installs what is missing, builds and tests:
#   build/release   all warnings are errors; labels unit, scenario, oracle (and long with --long)
#   build/sanitize  AddressSanitizer and UndefinedBehaviorSanitizer; unit and the short scenario tests
#   build/thread    ThreadSanitizer; tests of worlds in parallel threads
# The last line is "N passed, N failed[, N skipped]"; the exit code is 0 only if all was built and nothing failed.

set -u
usage()
{
	cat <<'END'
usage: sh tests/run.sh [--long] [--no-oracles] [--no-sanitizers] [-k]
  --long           also run the tests that take minutes
  --no-oracles     neither install SciPy and jsonschema nor run the tests that compare with them
  --no-sanitizers  only the release build
  -k               keep going: test the next build also when one has failed
END
}

long=false
oracles=true
sanitizers=true
keep_going=false
for option in "$@"
do
	case $option in
		--long) long=true ;;
		--no-oracles) oracles=false ;;
		--no-sanitizers) sanitizers=false ;;
		-k) keep_going=true ;;
		-h | --help) usage; exit 0 ;;
		*) usage >&2; exit 2 ;;
	esac
done

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
# shellcheck source=src/packaging/build.sh
. "$root/src/packaging/build.sh"

passed=0
failed=0
skipped=0

finish()
{
	line="$passed passed, $failed failed"
	[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
	echo "$line"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit $?
}

# run_tests FOLDER CTEST_OPTION...: runs tests of build/FOLDER and adds their counts. The log of all output stays there.
run_tests()
{
	test_folder=$root/build/$1
	shift
	log=$test_folder/Testing/Temporary/LastTest.log
	rm -f "$log" "$test_folder/junit.xml"
	(cd "$test_folder" && ctest --output-on-failure --no-tests=ignore --output-junit junit.xml \
		--parallel "$(processors)" "$@")
	code=$?
	set -- 0 0 0
	if [ -f "$log" ] && [ -f "$test_folder/junit.xml" ]
	then
		# shellcheck disable=SC2046
		set -- $(awk -f "$root/tests/count.awk" "$test_folder/junit.xml" "$log")
	fi
	passed=$((passed + $1))
	failed=$((failed + $2))
	skipped=$((skipped + $3))
	[ "$code" -eq 0 ] || [ "$2" -gt 0 ] || failed=$((failed + 1))
}

# step FOLDER TARGET CMAKE_OPTION...: configures and builds; a build that fails counts as a failed test.
step()
{
	folder=$1
	target=$2
	shift 2
	if [ "$failed" -gt 0 ] && ! $keep_going
	then
		echo "== build/$folder: left out after failures (-k goes on)"
		return 1
	fi
	start=$(date +%s)
	echo "== build/$folder: building"
	if configure "$folder" -DDEEPSIM_BUILD_TESTS=ON "$@" && build "$folder" "$target"
	then
		echo "== build/$folder: built in $(($(date +%s) - start)) s"
		return 0
	fi
	echo "== build/$folder: the build failed"
	failed=$((failed + 1))
	return 1
}

needs="$build_needs$test_needs"
if $oracles
then
	needs="$needs$oracle_needs"
fi
install_missing "$needs"

labels='unit|scenario'
if $oracles
then
	labels="$labels|oracle"
fi
if $long
then
	labels="$labels|long"
fi

if step release all -DCMAKE_BUILD_TYPE=Release -DDEEPSIM_WERROR=ON
then
	run_tests release --label-regex "^($labels)\$"
	if ! $oracles
	then
		left_out=$(cd "$root/build/release" && ctest -N --label-regex '^oracle$' | sed -n 's/^Total Tests: //p')
		echo "== --no-oracles: $left_out programs that compare with independent tools are not run"
		skipped=$((skipped + left_out))
	fi
fi

if $sanitizers
then
	# A request for too much memory must come back as an error, as it does without the sanitizer.
	# LeakSanitizer must not guess at the thread-local memory of libraries that are loaded late (Embree): a wrong guess ends it.
	ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:strict_string_checks=1:allocator_may_return_null=1:intercept_tls_get_addr=0
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
	TSAN_OPTIONS=halt_on_error=1:suppressions=$root/tests/thread_sanitizer.supp
	export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
	if step sanitize all -DCMAKE_BUILD_TYPE=Debug -DDEEPSIM_SANITIZE=address,undefined
	then
		run_tests sanitize --label-regex '^(unit|scenario)$' --label-exclude '^release_only$'
	fi
	if step thread deepsim_thread_tests -DCMAKE_BUILD_TYPE=Debug -DDEEPSIM_SANITIZE=thread
	then
		run_tests thread --label-regex '^thread$'
	fi
else
	echo "== --no-sanitizers: nothing is run under sanitizers"
fi

echo "Counted: cmocka cases, and every other test program as one; a case counts once for each build it is run in."
finish
