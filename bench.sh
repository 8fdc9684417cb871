#!/usr/bin/env bash
# Measures the JDK's provider, ucxnio and what else there is to compare side by side.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/lib.sh
. benchmarks/common.sh

usage() {
  cat <<'END'
Usage: ./bench.sh [--no-build] BENCHMARK... [OPTION...]

  ./bench.sh --list         the benchmarks, one line each
  ./bench.sh quick          a first impression, in five minutes
  ./bench.sh all            all of them, in an hour
  ./bench.sh rtt-blocking   one of them
  ./bench.sh stream plain   all whose names begin so
  ./bench.sh rtt --provider jdk,ucxnio                            these columns alone
  ./bench.sh rtt --other-provider=org.example.Provider:other.jar  another selector provider beside them
  ./bench.sh jmh            what single calls cost within one process, under JMH; --help behind it says more
  ./bench.sh --help         all options

Tables, figures (CSV) and plots (SVG, PNG) go to a directory in target/bench, unless --output names one.
The JARs are built first if sources have changed; --no-build, as the first argument, takes them as they are.
END
}

no_build=no
if [[ ${1:-} == --no-build ]]; then
  no_build=yes
  shift
fi
if [[ $# -eq 0 || $1 == -h ]]; then
  usage
  exit 0
fi

if [[ $1 == jmh ]]; then
  shift
  exec jmh/run.sh "$@"
fi

find_jdk
[[ $no_build == yes ]] || build
# UCX's tcp transport, for the benchmarks between two networks, needs a newer libucx than some systems have.
for argument in "$@"; do
  case $argument in
    all | network*) find_newer_libucx || true ;;
  esac
done
bench_java org.ucxnio.bench.launch.BenchMain "$@"
