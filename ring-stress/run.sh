#!/usr/bin/env bash
# Races the two ends of a ring under jcstress and looks for what must never be seen. The first argument is the mode of jcstress: sanity,
# quick, default, tough; further ones go to jcstress as they are ("-t Sleep" runs one test). Each test runs in many JVMs, in sanity
# mode as well: that takes minutes. The two ends race only where two processors have nothing else to do.
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
