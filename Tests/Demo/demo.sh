#!/bin/bash
# demo.sh PROGRAMS [shell]: the main job of Whorl for real, with PAM and fprintd, below one
# temporary folder. Exits 1 when a step does not go as it says. With `shell`, the same host and a
# shell on it.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(cd "$1" && pwd)
mode=${2:-steps}
here=$repository/Tests/Demo
user=root
password=sesame

if [ "$(id -u)" != 0 ]; then
  echo 'demo: whorld, fprintd and a private system bus need root' >&2
  exit 1
fi

folder=$(mktemp -d /tmp/whorl-demo.XXXXXX)
# shellcheck source=Tests/Demo/host.sh
. "$here/host.sh"
trap end_host EXIT
trap 'exit 130' HUP INT TERM

python() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$@"; }
enroll() { python "$here/finger.py" enroll "$folder/reader.sock" "$@"; }

say() { printf '\n%s\n' "$*"; }

# run STATUS COMMAND…: shows the command, and stops unless it exits with the status.
run() {
  local expected=$1 status=0
  shift
  echo "  \$ $*"
  "$@" 2>&1 | sed 's/^/    /' || status=${PIPESTATUS[0]}
  if [ "$status" != "$expected" ]; then
    echo "demo: the status is $status, not $expected" >&2
    exit 1
  fi
}

# at_terminal OPTIONS… -- COMMAND…: the same at a terminal, with a person who answers.
at_terminal() {
  local options=()
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  echo "  \$ $*"
  if ! python "$here/person.py" "${options[@]}" -- "$@" 2>&1 | sed 's/^/    /'; then
    echo 'demo: this did not go as it should' >&2
    exit 1
  fi
}

start_host
export PATH=$folder/bin:$PATH
enroll right-index-finger anna

if [ "$mode" = shell ]; then
  . "$here/shell.sh"
  exit
fi

began=$(date +%s%N)
token='s3cret-token'
key='deploy-key'

say 'Anna stores a secret. To read it, somebody must prove to be there: by finger or password.'
echo "  \$ printf %s … | whorl add --access userPresence github/token"
printf %s "$token" | whorl add --access userPresence github/token

say 'Without a person it does not open (36).'
run 36 whorl read --no-interaction github/token

say 'She reads it, and types her password.'
at_terminal --password "$password" --output "$token" -- whorl read github/token

say 'She reads it again, and touches the reader.'
at_terminal --touch "$folder/reader.sock" anna --output "$token" -- whorl read github/token

say 'A second secret opens only by the fingerprints that are enrolled now.'
echo "  \$ printf %s … | whorl add --access biometryCurrentSet server/deploy"
printf %s "$key" | whorl add --access biometryCurrentSet server/deploy
at_terminal --touch "$folder/reader.sock" anna --output "$key" -- whorl read server/deploy

say 'Somebody enrolls another finger.'
echo '  $ enroll-finger left-thumb mallory'
enroll left-thumb mallory
run 0 whorl status

say 'The second secret does not open any more (93), not even by the old finger.'
at_terminal --status 93 -- whorl read server/deploy
run 0 whorl show server/deploy
if ! whorl show server/deploy | grep -q 'invalidated: left thumb enrolled'; then
  echo 'demo: “whorl show” does not name the cause' >&2
  exit 1
fi

say 'The first asked for presence only, so it still opens.'
at_terminal --touch "$folder/reader.sock" anna --output "$token" -- whorl read github/token

say 'All of it is in the record.'
run 0 whorl log

printf '\nEvery step went as told, in %d.%d s.\n' \
  $((($(date +%s%N) - began) / 1000000000)) $((($(date +%s%N) - began) / 100000000 % 10))
echo '“make demo-shell” leaves you a shell to try your own commands.'
