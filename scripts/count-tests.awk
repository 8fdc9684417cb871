# Reads surefire and failsafe reports and prints: passed failed skipped.
/<testsuite / && !seen[FILENAME]++ {
  tests += number("tests"); failed += number("failures") + number("errors"); skipped += number("skipped")
}
END { printf "%d %d %d\n", tests - failed - skipped, failed, skipped }

function number(name) {
  return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0
}
