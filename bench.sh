#!/usr/bin/env bash
# Measures the JDK's provider, ucxnio with rings and ucxnio over UCX side by side.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/lib.sh
. benchmarks/common.sh

usage() {
  cat <<'END'
Usage: ./bench.sh [--no-build] BENCHMARK... [OPTION...]

  ./bench.sh --list         the benchmarks, one line each
  ./bench.sh all            all of them
  ./bench.sh rtt-blocking   one of them
  ./bench.sh stream plain   all whose names begin so
  ./bench.sh raw-ucx        UCX without Java, for comparison (ucx_perftest of the package ucx-utils)
  ./bench.sh rtt --provider jdk,ucxnio    without ucxnio over UCX messages
  ./bench.sh --help         all options

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

raw=no
arguments=()
for argument in "$@"; do
  case $argument in
    raw-ucx) raw=yes ;;
    all)
      raw=yes
      arguments+=("$argument")
      ;;
    *) arguments+=("$argument") ;;
  esac
done

status=0
if [[ ${#arguments[@]} -gt 0 ]]; then
  find_jdk
  [[ $no_build == yes ]] || build
  bench_java org.ucxnio.bench.launch.BenchMain "${arguments[@]}" || status=$?
fi
if [[ $raw == yes ]]; then
  supervised bash benchmarks/raw-ucx.sh || status=$?
elif [[ ${arguments[0]} == --list ]]; then
  printf '%-20s %s\n' raw-ucx 'UCX without Java, for comparison'
fi
exit "$status"
