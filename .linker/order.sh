#!/bin/bash
# order.sh PROGRAMS >.linker/order: what the programs run and touch for a start and a read, by first
# use, for the linker to put together (Package.swift). As root, with valgrind, from a release build.
# To be run again when a later list makes a difference in `make bench`; an old one does no harm.
set -euo pipefail
programs=$(cd "$1" && pwd)
folder=$(mktemp -d /tmp/whorl-order.XXXXXX)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/pam.d" "$folder/prints"
cat >"$folder/whorld.conf" <<END
socket = $folder/whorl.sock
state = $folder/state
runtime = $folder/runtime
worker-socket = $folder/worker.sock
print-reader-socket = $folder/reader.sock
pam-directory = $folder/pam.d
prints = $folder/prints
bus-address = unix:path=$folder/bus
without-logind = allow
END
# As the units have it. Without, a program starts once more, out of valgrind's sight.
export LD_BIND_NOW=1
functions=(valgrind --tool=callgrind --demangle=no)
until_there() { for _ in $(seq 1000); do [ -S "$1" ] && return; sleep 0.05; done; exit 1; }

dbus-daemon --session --nofork --address="unix:path=$folder/bus" 2>/dev/null &
until_there "$folder/bus"
systemd-socket-activate --accept --inetd -l "$folder/worker.sock" \
  "$programs/whorl-pam-worker" 2>/dev/null &
until_there "$folder/worker.sock"
"${functions[@]}" --callgrind-out-file="$folder/trace.whorld" \
  "$programs/whorld" --config "$folder/whorld.conf" >/dev/null 2>&1 &
daemon=$!
until_there "$folder/whorl.sock"
export WHORL_SOCKET=$folder/whorl.sock
"$programs/whorl" status >/dev/null
printf secret | "$programs/whorl" add order --access none
"$programs/whorl" read order >/dev/null
valgrind --tool=lackey --trace-mem=yes --log-file="$folder/trace.whorl" \
  "$programs/whorl" read order >/dev/null
# What is no request is answered too, after all that a start takes.
printf '\0\0\0\1\377' | "${functions[@]}" --callgrind-out-file="$folder/trace.worker" \
  "$programs/whorl-pam-worker" >/dev/null 2>&1
# It does not see SIGTERM under valgrind.
callgrind_control --dump "$daemon" >/dev/null
kill -KILL "$daemon"
{
  python3 "$(dirname "$0")/touched.py" "$programs/whorl" "$folder/trace.whorl"
  sed -n "s/^c\{0,1\}fn=([0-9]*) //p" "$folder"/trace.worker* "$folder"/trace.whorld* |
    sed "s/'[0-9]*$//" | grep -Fx -f <(
      nm --defined-only "$programs/whorld" "$programs/whorl-pam-worker" | cut -d ' ' -f 3)
} | awk '!seen[$0]++'
