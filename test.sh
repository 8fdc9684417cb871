#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/lib.sh

usage() {
  cat <<'END'
Usage: ./test.sh [--quick] [MAVEN ARGUMENT...]

  --quick   unit tests only: no real programs, no format and style checks
  -h        this text

Everything else is handed to Maven, for example  ./test.sh --quick -Dtest=ConfigTest
The whole log of the build is target/test.log.
END
}

quick=no
java_17=''
maven_args=()
for arg in "$@"; do
  case $arg in
    --quick) quick=yes ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) maven_args+=("$arg") ;;
  esac
done

find_jdk
say "JDK: $JAVA_HOME"
# Arguments choose what Maven tests; the rings' ordering is none of that.
[[ ${#maven_args[@]} -eq 0 && $quick == no ]] && stress=yes || stress=no
need maven command -v mvn
want libucx0 "tests that need UCX are skipped" has_libucx || true

if [[ $quick == yes ]]; then
  # The benchmarks are tested on the one JAR, which is made behind the tests of the provider.
  goal="package"
  maven_args+=(-Dquick -pl "ucx-backend,provider,benchmarks")
else
  goal="verify"
  want libucx-dev "struct layouts are not compared with the system's headers" has_ucx_headers || true
  want gcc "struct layouts are not compared with the system's headers" command -v gcc || true
  want libc6-dev "struct layouts are not compared with the system's headers" test -e /usr/include/stdio.h || true
  want iproute2 "the two-host tests are skipped" command -v ip || true
  want nftables "connections whose addresses the kernel translates are not tested" command -v nft || true
  want openjdk-17-jre-headless "nothing is tested on Java 17" find_java 17 || true
  if find_java 17; then
    java_17=$FOUND_JAVA
    maven_args+=("-Djava17.home=$java_17")
  fi
  if find_java_21; then
    maven_args+=("-Djava21.home=$FOUND_JAVA")
  else
    warn "No Java 21 could be downloaded: the tests on it are skipped."
  fi
  if find_newer_libucx; then
    maven_args+=("-Ducxnio.test.libucx=$NEWER_LIBUCX")
  else
    warn "No libucx >= 1.14 could be downloaded: the tests over UCX's tcp transport are skipped."
  fi
fi

mkdir -p target
rm -rf ./*/target/surefire-reports ./*/target/failsafe-reports
say "Running mvn $goal; the whole log is target/test.log"
status=0
mvn -B -ntp -fae -Dstyle.color=never "$goal" "${maven_args[@]}" 2>&1 | tee target/test.log | sed -nuEf scripts/show-progress.sed \
  || status=${PIPESTATUS[0]}

shopt -s nullglob
reports=(*/target/surefire-reports/TEST-*.xml */target/failsafe-reports/TEST-*.xml)
passed=0 failed=0 skipped=0
if [[ ${#reports[@]} -gt 0 ]]; then
  read -r passed failed skipped < <(awk -f scripts/count-tests.awk "${reports[@]}")
fi

# Shows what tests wrote whose JVM ended before they did: they have no report.
show_unfinished() {
  local output name
  for output in */target/{surefire,failsafe}-reports/*-output.txt; do
    name=${output##*/}
    name=${name%-output.txt}
    if [[ ! -e ${output%/*}/TEST-$name.xml ]]; then
      say "$name did not end. The last lines of $output:"
      tail -n 40 "$output"
    fi
  done
}

# stress JAVA VERSION: races the two ends of a ring for about half a minute, and counts that as one test.
stress() {
  local log=target/ring-stress-$2.log
  say "Racing the two ends of a ring on Java $2; the whole log is $log"
  if ring-stress/run.sh --java "$1" short >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    sed -n '/^RUN RESULTS/,/HTML report/p' "$log"
  fi
}

# Not where there is nothing to race: the build failed, and no test.
if [[ $stress == yes ]] && [[ $status -eq 0 || $failed -gt 0 ]]; then
  say ''
  stress "$JAVA_HOME" "$(jdk_major "$JAVA_HOME")"
  if [[ -n $java_17 ]]; then
    stress "$java_17" 17
  else
    skipped=$((skipped + 1))
  fi
fi

say ''
if [[ $status -ne 0 ]]; then
  show_unfinished
fi
if [[ $status -ne 0 && $failed -eq 0 ]]; then
  say "The build failed, though no test did: see target/test.log"
elif [[ $status -eq 0 && $passed -eq 0 ]]; then
  say "No test ran: see target/test.log"
  status=1
elif [[ $status -eq 0 && $failed -ne 0 ]]; then
  status=1
fi
say "$passed passed, $failed failed, $skipped skipped"
exit "$status"
