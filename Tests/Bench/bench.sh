#!/bin/bash
# The benchmarks: bench.sh RELEASE-FOLDER. Everything lives under one folder that goes at the end.
set -euo pipefail
release=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d /tmp/whorl-bench.XXXXXX)
cleanup() {
  for process in $(jobs -p); do kill "$process" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap cleanup EXIT
mkdir "$folder/pam.d" "$folder/prints"
# As installed: a copied file, not the one the linker left.
cp "$release"/whorl "$release"/whorld "$release"/whorl-pam-worker "$folder/"
cat > "$folder/whorld.conf" <<CONF
socket = $folder/whorl.sock
state = $folder/state
runtime = $folder/run
worker-socket = $folder/worker.sock
pam-directory = $folder/pam.d
prints = $folder/prints
bus-address = unix:path=$folder/none
passcodes = pam
without-logind = allow
CONF
systemd-socket-activate --accept --inetd -l "$folder/worker.sock" "$folder/whorl-pam-worker" \
  > "$folder/worker.log" 2>&1 &
for _ in $(seq 100); do [ -S "$folder/worker.sock" ] && break; sleep 0.02; done
taskset -c 0 "$folder/whorld" --config "$folder/whorld.conf" > "$folder/whorld.log" 2>&1 &
daemon=$!
for _ in $(seq 100); do [ -S "$folder/whorl.sock" ] && break; sleep 0.02; done
export WHORL_SOCKET=$folder/whorl.sock
printf 'thirty-two bytes of one secret!!' | "$folder/whorl" add bench --access none

others=()
if command -v systemd-creds > /dev/null; then
  # With the null key, so that no key of this machine is made or used.
  if printf x | systemd-creds encrypt --with-key=null --name=bench - "$folder/bench.cred" 2>/dev/null; then
    others+=("systemd-creds decrypt=$(command -v systemd-creds) decrypt --name=bench $folder/bench.cred -")
  fi
fi
/usr/bin/python3 "$here/bench.py" "$folder/whorl" "${ROUNDS:-400}" "$folder/raw.json" "${others[@]}"
mkdir -p "$here/../../.build/bench"
cp "$folder/raw.json" "$here/../../.build/bench/whole-process.json"
echo "resident memory of whorld: $(awk '/VmRSS/ {printf "%.1f MB", $2 / 1024}' "/proc/$daemon/status")"
