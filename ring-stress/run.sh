#!/usr/bin/env bash
# Races the two ends of a ring under jcstress and looks for what must never be seen.
set -euo pipefail
[[ ${1:-} != --java || ! -d ${2:-} ]] || set -- --java "$(realpath "$2")" "${@:3}"
cd "$(dirname "$0")/.."
. scripts/lib.sh

usage() {
  cat <<'END'
Usage: ring-stress/run.sh [--java HOME] [MODE] [ARGUMENT...]

  --java HOME  the Java, 17 or later, that the tests run on; the JDK that builds by default
  MODE         a mode of jcstress: sanity, quick (the default), default or tough; each test runs in many JVMs, which takes
               minutes. Or short, which takes about half a minute: one test for each kind of access, as ./test.sh runs them
  ARGUMENT     for jcstress as it is: "-t Sleep" runs one test

The two ends race only where two processors have nothing else to do.
END
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
take_java "$@"
set -- "${REST[@]}"
need maven command -v mvn
mode=${1:-quick}
shift || true
if [[ $mode == short ]]; then
  # Commit words, counts, fences, compare-and-set, a word of two halves: what a Java implements for itself. One JVM for each test, whose
  # compiler orders by chance what it may order.
  mode=quick
  set -- -t '(InlineRecord|LargeRecord|FullSlots|Sleep|WakeOnce|SwitchedAt)Test' -sc false -iters 2 -time 500 \
    -jvmArgs '-XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP' "$@"
fi
mvn -q -B -ntp -Dstyle.color=never -Dquick -DskipTests -Pjcstress -pl ring-stress -am package
mkdir -p ring-stress/target/run
cd ring-stress/target/run
exec "$RUN_JAVA/bin/java" -cp "../classes:../../../provider/target/classes:../lib/*" org.openjdk.jcstress.Main -m "$mode" "$@"
