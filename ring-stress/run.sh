#!/usr/bin/env bash
# Races the two ends of a ring under jcstress and looks for what must never be seen. The first argument is jcstress's mode: sanity
# (seconds), quick (a minute), default, tough; further ones go to jcstress as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

find_jdk
need maven command -v mvn
mode=${1:-quick}
shift || true
mvn -q -B -ntp -Dstyle.color=never -Dquick -DskipTests -Pjcstress -pl ring-stress -am package
mkdir -p ring-stress/target/run
cd ring-stress/target/run
exec "$JAVA_HOME/bin/java" -cp "../classes:../../../provider/target/classes:../lib/*" org.openjdk.jcstress.Main -m "$mode" "$@"
