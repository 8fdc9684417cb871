# shellcheck shell=bash
# Helpers of demo.sh and bench.sh, on top of scripts/lib.sh. To be sourced by bash in the root of the repository.

PROVIDER_JAR=$PWD/provider/target/ucxnio.jar
BENCH_JAR=$PWD/benchmarks/target/benchmarks.jar
PROGRAMS=$PWD/benchmarks/target/programs
BUILD_LOG=target/build.log
BUILD_STAMP=target/build.stamp

child=''
terminal=false
[[ ! -t 2 ]] || terminal=true

stop_child() {
  [[ -n $child ]] || return 0
  kill "$child" 2>/dev/null || true
  wait "$child" 2>/dev/null || true
  child=''
}

# Ends what was started, whatever way the script ends; further commands may be added to clean_up.
clean_up() { stop_child; }
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a program and returns its exit status. In the background and waited for, so that a signal is handled at once.
supervised() {
  local status=0
  "$@" &
  child=$!
  wait "$child" || status=$?
  child=''
  return "$status"
}

# Whether the JARs are there and nothing that they are made of has changed since build made them.
is_built() {
  [[ -e $PROVIDER_JAR && -e $BENCH_JAR && -d benchmarks/target/lib && -d $PROGRAMS && -e $BUILD_STAMP ]] || return 1
  [[ -z $(find pom.xml {ucx-backend,provider,benchmarks}/{pom.xml,src/main} -newer "$BUILD_STAMP" -print -quit) ]]
}

# Shows what Maven is at, from its log, until process $1 has ended.
show_build() {
  local pid=$1 start=$SECONDS module='' last=''
  while kill -0 "$pid" 2>/dev/null; do
    module=$(sed -nE 's/^\[INFO\] Building (ucxnio[^ ]*( [^ ]+)*) +[0-9].*/\1/p' "$BUILD_LOG" | tail -n 1)
    if [[ $terminal == true ]]; then
      printf '\r\033[KBuilding, %d s: %s' "$((SECONDS - start))" "$module" >&2
    elif [[ $module != "$last" ]]; then
      warn "Building: $module"
    fi
    last=$module
    sleep 0.3
  done
  [[ $terminal == false ]] || printf '\r\033[K' >&2
}

# Builds the provider and the benchmarks, without tests, if sources have changed.
build() {
  local status=0
  ! is_built || return 0
  need maven command -v mvn
  mkdir -p target
  # Of the moment before: what changes during the build may have come too late for it.
  touch "$BUILD_STAMP.new"
  mvn -B -ntp -Dstyle.color=never -Dquick -DskipTests -pl provider,benchmarks -am package >"$BUILD_LOG" 2>&1 &
  child=$!
  show_build "$child"
  wait "$child" || status=$?
  child=''
  if [[ $status -ne 0 ]]; then
    grep -E '^\[ERROR\]' "$BUILD_LOG" | head -n 20 >&2 || tail -n 20 "$BUILD_LOG" >&2
    die "The build failed; the whole log is $BUILD_LOG"
  fi
  mv "$BUILD_STAMP.new" "$BUILD_STAMP"
}

# Runs main class $1 of the benchmarks with the arguments that follow.
bench_java() {
  local main=$1
  shift
  supervised "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m \
    "-Dbench.provider.jar=$PROVIDER_JAR" "-Dbench.programs=$PROGRAMS" "-Dbench.terminal=$terminal" \
    "-Dbench.libucx=${NEWER_LIBUCX:-}" \
    -cp "$BENCH_JAR:$PWD/benchmarks/target/lib/*" "$main" "$@"
}
