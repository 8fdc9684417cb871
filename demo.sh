#!/usr/bin/env bash
# Shows unmodified Netty and unmodified ZooKeeper on the JDK's provider and on ucxnio, side by side.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/lib.sh
. benchmarks/common.sh

usage() {
  cat <<'END'
Usage: ./demo.sh [--seconds N] [--verbose]

  --seconds N   measure each Netty figure for N seconds, each ZooKeeper figure for a third of it (default 3)
  --verbose     print each JVM's report of what its provider did at the end
  -h            this text
END
}

for argument in "$@"; do
  if [[ $argument == -h || $argument == --help ]]; then
    usage
    exit 0
  fi
done

find_jdk
say "JDK: $JAVA_HOME"
want libucx0 "there will be no figures over UCX" has_libucx || true
build

cat <<END

Each program runs on the JDK's provider and on ucxnio, its server and its client each in a JVM of its own on this host. What ucxnio takes is
one JAR and one flag:  -javaagent:provider/target/ucxnio.jar
A third pair, for comparison, has UCX carry the bytes instead of rings in shared memory: -Ducxnio.host=ucx.
Each pair starts and warms up alone, and what it does from its start on is measured; then all are there and take turns, three for each figure.
This machine has $(nproc) cores. Netty's two JVMs get one each, where there are two; ZooKeeper's run anywhere.

END
start=$SECONDS
status=0
bench_java org.ucxnio.bench.demo.DemoMain "$@" || status=$?
say ''
say "Took $((SECONDS - start)) s."
exit "$status"
