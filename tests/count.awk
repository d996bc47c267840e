# Counts tests: cmocka's cases one by one, any other program as one. A program that failed in another way than by a case (a
# crash, a leak, a timeout) is one failed test more. Reads CTest's JUnit file, which knows the skipped programs, and then its
# LastTest.log, which has all output; prints "passed failed skipped".

function finish()
{
	if ( name == "" )
		return
	bad = run - ok - skip
	if ( run == 0 )
	{
		skip = name in left_out
		ok = good && !skip
	}
	if ( bad == 0 && !good && !( name in left_out ) )
		bad = 1
	passed += ok
	skipped += skip
	failed += bad
}

FNR == NR {
	if ( match( $0, /<testcase name="[^"]*"/ ) && /status="(notrun|disabled)"/ )
		left_out[substr( $0, RSTART + 16, RLENGTH - 17 )] = 1
	next
}
/^[0-9]+\/[0-9]+ Testing: / {
	finish()
	name = $3
	run = ok = skip = good = in_group = 0
}
/\[==========\] Running / { in_group = 1 }
/\[==========\] [0-9]+ test\(s\) run/ { in_group = 0 }
in_group && /\[ RUN      \] / { run++ }
in_group && /\[       OK \] / { ok++ }
in_group && /\[  SKIPPED \] / { skip++ }
/^Test Passed\.$/ { good = 1 }
END {
	finish()
	print passed + 0, failed + 0, skipped + 0
}
