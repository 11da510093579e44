#!/bin/bash
# packages.sh PACKAGE…: installs the Debian packages that are not there, and says which.
set -euo pipefail

missing=()
for package in "$@"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} = 0 ]; then
  echo "packages: all $# are there"
  exit 0
fi

fail() {
  echo "packages: $1. Install these by hand: ${missing[*]}" >&2
  exit 1
}
command -v apt-get >/dev/null || fail 'this is no Debian system'
[ "$(id -u)" = 0 ] || fail 'installing needs root'

echo "packages: $(($# - ${#missing[@]})) of $# are there; installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
get() { apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }
# Lists that are old or not there at all are the usual reason of a first failure.
get 2>/dev/null || { apt-get update -qq && get; } || fail 'apt-get failed'
echo "packages: installed ${missing[*]}"
