# A host of its own below one folder: system bus, polkitd, fprintd with libfprint's virtual reader,
# the two helpers behind their sockets, and whorld. Sourced by demo.sh, which sets `folder`,
# `programs` and `repository`. Nothing of the machine is changed: PAM is told where its services
# are (pam_start_confdir), and the bus is named by an address.

# What others may write is not trusted, here as on a host.
umask 022

bus="unix:path=$folder/bus"
processes=()

# Ends what was started here, newest first, and removes the folder.
end_host() {
  local index
  for ((index = ${#processes[@]} - 1; index >= 0; index--)); do
    kill "${processes[index]}" 2>/dev/null || true
    wait "${processes[index]}" 2>/dev/null || true
  done
  rm -rf "$folder"
}

# start NAME COMMAND…: in a session of its own, so that Ctrl-C on the terminal does not reach it.
start() {
  local name=$1
  shift
  setsid "$@" >"$folder/$name.log" 2>&1 </dev/null &
  processes+=($!)
}

give_up() {
  echo "demo: waited in vain for $1" >&2
  tail -n 20 "$folder"/*.log >&2
  exit 1
}

# until_true WHAT COMMAND…: waits up to 10 seconds for the command to succeed.
until_true() {
  local what=$1 try
  shift
  for ((try = 0; try < 500; try++)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.02
  done
  give_up "$what"
}

until_named() {
  until_true "$1" dbus-send --bus="$bus" --print-reply --dest=org.freedesktop.DBus / \
    org.freedesktop.DBus.GetNameOwner "string:$1"
}

write_files() {
  # polkitd gives up root, and must still reach the bus.
  chmod 0755 "$folder"
  mkdir "$folder/pam.d" "$folder/prints" "$folder/bin"
  # A copy, so that prompts and record name a short path.
  cp "$programs/whorl" "$folder/bin/"
  # As they are installed: some commands are programs of their own.
  mkdir -p "$folder/libexec/whorl"
  install -m 0755 "$programs"/whorl-{keyring,lint,prompt,secret-service} "$folder/libexec/whorl/"
  cat >"$folder/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type><listen>$bus</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/>
    <allow send_type="method_call"/><allow send_type="signal"/>
    <allow send_type="method_return"/><allow send_type="error"/>
    <allow receive_type="method_call"/><allow receive_type="signal"/>
    <allow receive_type="method_return"/><allow receive_type="error"/>
  </policy>
</busconfig>
END
  cat >"$folder/whorld.conf" <<END
socket = $folder/whorl.sock
state = $folder/state
runtime = $folder/runtime
worker-socket = $folder/worker.sock
print-reader-socket = $folder/print-reader.sock
pam-directory = $folder/pam.d
prints = $folder/prints
bus-address = $bus
# The password is pam_matrix's, not the shadow database's, and there is no logind on this bus.
passcodes = pam
without-logind = allow
END
  # The finger is checked by the service that is installed; the password by a file, since the demo
  # knows no password of this machine.
  cp "$repository/pam/whorl-biometry" "$folder/pam.d/"
  local matrix
  matrix=$(echo /usr/lib/*/pam_wrapper/pam_matrix.so)
  [ -e "$matrix" ] || give_up 'pam_matrix.so (package libpam-wrapper)'
  printf '%s:%s:whorl-passcode\n' "$user" "$password" >"$folder/passwords"
  chmod 0600 "$folder/passwords"
  printf '%s required %s passdb=%s\n' auth "$matrix" "$folder/passwords" \
    account "$matrix" "$folder/passwords" >"$folder/pam.d/whorl-passcode"
}

start_host() {
  write_files
  export DBUS_SYSTEM_BUS_ADDRESS=$bus
  start bus dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile --nosyslog
  until_true 'the bus' test -S "$folder/bus"
  start polkitd /usr/lib/polkit-1/polkitd --no-debug
  until_named org.freedesktop.PolicyKit1
  start fprintd env STATE_DIRECTORY="$folder/prints" \
    FP_VIRTUAL_DEVICE_STORAGE="$folder/reader.sock" \
    FP_DRIVERS_WHITELIST=virtual_device_storage FP_DRIVERS_ALLOWLIST=virtual_device_storage \
    /usr/libexec/fprintd -t
  until_named net.reactivated.Fprint
  start worker systemd-socket-activate --accept --inetd -l "$folder/worker.sock" \
    -E DBUS_SYSTEM_BUS_ADDRESS="$bus" "$programs/whorl-pam-worker"
  start print-reader systemd-socket-activate --accept --inetd -l "$folder/print-reader.sock" \
    "$programs/whorl-print-reader"
  until_true 'the worker' test -S "$folder/worker.sock"
  until_true 'the print reader' test -S "$folder/print-reader.sock"
  start whorld "$programs/whorld" --config "$folder/whorld.conf"
  export WHORL_SOCKET=$folder/whorl.sock
  until_true whorld "$folder/bin/whorl" status
}
