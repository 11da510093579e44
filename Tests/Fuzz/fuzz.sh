#!/usr/bin/env bash
# Runs every fuzz target, or those named, for SECONDS each: fuzz.sh PROGRAM SECONDS [TARGET…]
# With 0 seconds the corpus is replayed and no more. Targets run side by side, one on each core.
# What is found stays in .build/fuzz: new inputs in corpus/, what breaks a rule in found/.
set -euo pipefail
cd "$(dirname "$0")/../.."

program=$1 seconds=$2
shift 2
work=$PWD/.build/fuzz
corpus=$PWD/Tests/Fuzz/Corpus
# The backtracer would keep the pipe open and the input unwritten.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

# One target: its line, and status 1 when a rule was broken.
run() {
  local target=$1 log=$work/$1.log own=$work/corpus/$1 status=0
  mkdir -p "$own" "$work/found"
  local limit="-runs=0"
  [ "$seconds" = 0 ] || limit="-max_total_time=$seconds"
  timeout -k 2 $((seconds + 120)) "$program" "--target=$target" "$limit" -timeout=20 -rss_limit_mb=4096 \
    -max_len=8192 -use_value_profile=1 -artifact_prefix="$work/found/$target-" \
    "$own" "$corpus/$target" >"$log" 2>&1 || status=$?
  local last
  last=$(grep -aE '^#[0-9]+[[:space:]]+(DONE|INITED|REDUCE|NEW|pulse)' "$log" | tail -n 1)
  printf '%-22s %9s executions  %5s edges  %4s inputs\n' "$target" \
    "$(sed -n 's/^#\([0-9]*\).*/\1/p' <<<"$last")" "$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' <<<"$last")" \
    "$(sed -n 's/.* corp: \([0-9]*\).*/\1/p' <<<"$last")"
  [ "$status" = 0 ] || describe "$target" "$status" "$log" >>"$broken"
}

# What went wrong with a target: what it printed, and the input itself, since a machine that only
# shows what was printed may be gone with the file.
describe() {
  local target=$1 status=$2 log=$3 input
  echo "$target: status $status; log: $log"
  grep -aE 'Fatal error|ERROR: |SUMMARY: |timeout after' "$log" | sed 's/^/  /' || true
  input=$(sed -n "s/.*Test unit written to \(.*\)/\1/p" "$log" | tail -n 1)
  [ -n "$input" ] || return 0
  echo "  replay: SWIFT_BACKTRACE=enable=no $program --target=$target $input"
  echo "  input, $(stat -c %s "$input") bytes, gzip and base64:"
  gzip -9n <"$input" | base64 | head -n 40 | sed 's/^/    /'
}
export -f run describe
export program seconds work corpus

# Files that targets make live in memory.
TMPDIR=$(mktemp -d -p /dev/shm whorl-fuzz.XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
export broken=$TMPDIR/broken
touch "$broken"

targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <("$program")
printf '%s\n' "${targets[@]}" | xargs -P "${FUZZ_JOBS:-$(nproc)}" -I{} bash -c 'run {}'

# Said last, where a long log is read first.
[ ! -s "$broken" ] && exit
cat "$broken"
exit 1
