#!/bin/bash
# halves.sh BUNDLE: runs the tests of a built bundle in two halves at once, as one of them mostly
# waits: for limits to end, for programs to start and for devices to write. Each has a namespace of
# its own (namespace.sh). The second's output comes when both are over.
set -euo pipefail

# About half of the time.
first='^(ClientAttackTests|DependentTests|DesktopTests|HostAttackTests|MemoryTests)\.'
log=$(mktemp)
trap 'rm -f "$log"' EXIT

half() { Tests/namespace.sh "$1" --testing-library swift-testing --no-parallel "${@:2}"; }

half "$1" --skip "$first" >"$log" 2>&1 &
status=0
half "$1" --filter "$first" || status=$?
wait $! || status=$?
cat "$log"
exit "$status"
