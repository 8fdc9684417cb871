#!/usr/bin/env bash
# UCX without Java: what ucx_perftest measures over shared memory, one process on each core.
set -euo pipefail

SERVER=''
OUTPUT=$(mktemp)

clean_up() {
  [[ -z $SERVER ]] || kill "$SERVER" 2>/dev/null || true
  rm -f "$OUTPUT"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if ! command -v ucx_perftest >/dev/null; then
  echo "raw-ucx: there is no ucx_perftest; install the package ucx-utils (apt-get install ucx-utils)"
  exit 0
fi

pin() {
  local core=$1
  shift
  if command -v taskset >/dev/null && [[ $(nproc) -gt 1 ]]; then
    exec taskset -c "$core" "$@"
  else
    exec "$@"
  fi
}

# Prints the last line of figures of test $1 with messages of $2 bytes, $3 of them: median, average and overall time
# in us; average and overall MB/s; average and overall messages/s.
figures() {
  local test=$1 size=$2 count=$3 port=$((21000 + RANDOM % 9000))
  pin 0 ucx_perftest -p "$port" >/dev/null 2>&1 &
  SERVER=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.2
    (pin 1 ucx_perftest 127.0.0.1 -p "$port" -t "$test" -s "$size" -n "$count" -f) >"$OUTPUT" 2>/dev/null && break
  done
  wait "$SERVER" || true
  SERVER=''
  awk 'NF >= 8 && $1 ~ /^[0-9]+$/ { line = $0 } END { print line }' "$OUTPUT"
}

export UCX_TLS=posix UCX_WARN_UNUSED_ENV_VARS=n UCX_RNDV_THRESH=inf

echo "UCX without Java (ucx_perftest, $UCX_TLS, eager)"
row() { printf '  %-36s %12s\n' "$1" "$2"; }
for test in tag_lat ucp_am_lat; do
  # It prints half a round trip.
  row "round trip 16 B, $test" "$(figures "$test" 16 1000000 | awk '{ printf "%.2f us", 2 * $2 }')"
done
row "one way 16 B, tag_bw" "$(figures tag_bw 16 5000000 | awk '{ printf "%.1f M/s", $8 / 1e6 }')"
# Its MB are 2^20 bytes.
row "one way 64 KiB, tag_bw" "$(figures tag_bw 65536 100000 | awk '{ printf "%.1f GB/s", $6 * 1.048576 / 1e3 }')"
row "one way 1 MiB, tag_bw" "$(figures tag_bw 1048576 10000 | awk '{ printf "%.1f GB/s", $6 * 1.048576 / 1e3 }')"
