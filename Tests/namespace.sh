#!/bin/bash
# namespace.sh COMMAND…: runs the tests where they may change what belongs to the machine.
#
# The command gets mounts and process numbers of its own: an /etc that forgets, with an account the
# tests may log in to (tester, password sesame); an empty /run; and a temporary folder in memory,
# TMPDIR. What it started ends with it, however it ends. Where the kernel forbids this, the tests
# that need it are skipped and named at the end; WHORL_REQUIRE_ALL refuses instead.
set -euo pipefail

# What others may write is not trusted, here as on a host.
umask 022

apart=(unshare --mount --propagation private --pid --fork --kill-child --mount-proc)

if [ "${1:-}" = inside ]; then
  shift
  mount -t tmpfs -o mode=755 whorl-tests "$TMPDIR"
  mkdir "$TMPDIR/upper" "$TMPDIR/work"
  mount -t overlay -o "lowerdir=/etc,upperdir=$TMPDIR/upper,workdir=$TMPDIR/work" whorl-tests /etc
  mount -t tmpfs -o mode=755 whorl-tests /run
  mkdir -p /run/dbus /run/user /run/systemd/{journal,seats,sessions,users,machines}
  useradd --uid 4242 --no-create-home --home-dir /nonexistent tester
  printf 'tester:sesame\n' | chpasswd -c SHA512
  [ $# = 0 ] || WHORL_TEST_NAMESPACE=1 "$@"
  exit
fi

TMPDIR=$(mktemp -d /tmp/whorl.XXXXXX)
export TMPDIR
trap 'rm -rf --one-file-system "$TMPDIR"' EXIT

if reason=$("${apart[@]}" "$0" inside 2>&1); then
  "${apart[@]}" "$0" inside "$@"
  exit
fi

echo "namespace: this machine allows none of its own to the tests: $reason" >&2
[ -z "${WHORL_REQUIRE_ALL:-}" ] || exit 1
log=$TMPDIR/log
status=0
"$@" 2>&1 | tee "$log" || status=$?
echo "namespace: $(grep -c 'skipped' "$log" || true) tests that need one were not run:"
grep 'skipped' "$log" || true
exit "$status"
