#!/usr/bin/env bash
# Measures under JMH what single calls cost within one process.
set -euo pipefail
[[ ${1:-} != --java || ! -d ${2:-} ]] || set -- --java "$(realpath "$2")" "${@:3}"
cd "$(dirname "$0")/.."
. scripts/lib.sh

usage() {
  cat <<'END'
Usage: jmh/run.sh [--java HOME] [ARGUMENT...]

  --java HOME  the Java, 17 or later, that is measured; the JDK that builds by default
  ARGUMENT     for JMH as it is: a name, "-f 3" for three forks, "-p size=16"; -lp lists benchmarks and parameters

Figures also go to target/bench/jmh.csv.
END
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
take_java "$@"
set -- "${REST[@]}"
need maven command -v mvn
mvn -q -B -ntp -Dstyle.color=never -Dquick -DskipTests -Pjmh -pl jmh -am package
mkdir -p target/bench
exec "$RUN_JAVA/bin/java" -cp "provider/target/ucxnio.jar:$(echo ucx-backend/target/ucx-backend-*-tests.jar):jmh/target/classes:jmh/target/lib/*" org.openjdk.jmh.Main \
  -rf csv -rff target/bench/jmh.csv "$@"
