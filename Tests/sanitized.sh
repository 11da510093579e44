#!/bin/bash
# sanitized.sh COMMAND…: runs the tests where every process, whoever's it is, writes the reports of
# its sanitizer into one folder. A report fails the run, also when its test passed.
#
# Leaks are not looked for: the test runner's own would be found. Swift's backtracer is off, because
# it takes a signal for its own that a sanitizer reports.
set -uo pipefail

reports=$TMPDIR/reports
mkdir -m 1777 "$reports"
here=$(cd "$(dirname "$0")" && pwd)
export ASAN_OPTIONS="detect_leaks=0:log_path=$reports/address"
export TSAN_OPTIONS="log_path=$reports/thread:suppressions=$here/thread-suppressions.txt"
export SWIFT_BACKTRACE=enable=no

status=0
"$@" || status=$?
# What a test's hostile module does to its own worker on purpose, a crash, a thread that is left behind
# when the module is unloaded, or the use of all memory, is none of ours.
mapfile -t found < <(
  grep -rL -e 'act hostile\.c' -e 'PC is at a non-executable region' -e 'Failed to mmap' "$reports")
if [ "${#found[@]}" -gt 0 ]; then
  echo "sanitized: ${#found[@]} processes reported:" >&2
  head -n 80 "${found[@]}" >&2
  status=1
fi
exit "$status"
