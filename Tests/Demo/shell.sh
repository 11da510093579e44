# An interactive shell on the demo's host. Sourced by demo.sh.

cat >"$folder/environment" <<END
export PATH='$folder/bin':\$PATH
export WHORL_SOCKET='$WHORL_SOCKET' DBUS_SYSTEM_BUS_ADDRESS='$bus'
END
cat >"$folder/bin/touch-finger" <<END
#!/bin/sh
# Touches the reader with the finger of NAME, as soon as a program listens to it.
[ \$# = 1 ] || { echo 'usage: touch-finger NAME' >&2; exit 2; }
PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 '$here/finger.py' touch '$folder/reader.sock' "\$1"
END
cat >"$folder/bin/enroll-finger" <<END
#!/bin/sh
# Enrolls the finger of NAME under fprintd's name FINGER, as left-thumb.
[ \$# = 2 ] || { echo 'usage: enroll-finger FINGER NAME' >&2; exit 2; }
PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 '$here/finger.py' enroll '$folder/reader.sock' "\$@"
END
chmod 0755 "$folder/bin/touch-finger" "$folder/bin/enroll-finger"
cat >"$folder/shellrc" <<END
[ -f ~/.bashrc ] && . ~/.bashrc
. '$folder/environment'
. <(whorl completions bash)
PS1='whorl-demo:\w\\$ '
END

cat <<END

This shell talks to a Whorl of its own. Anna's right index finger is enrolled; the password is
$password. Leaving the shell ends and removes all of it. Try:

  printf %s hunter2 | whorl add mail          a secret that needs a finger or the password
  whorl read mail                             type $password, or touch from another terminal:
  touch-finger anna                           (or before it, in the background: touch-finger anna &)
  touch-finger bob                            a finger that is not enrolled
  printf %s k | whorl add --access biometryCurrentSet key
  enroll-finger left-thumb bob                invalidates it: whorl read key; whorl show key
  whorl run --with mail=PASSWORD -- sh -c 'echo "\${#PASSWORD} bytes"'
  whorl status; whorl list; whorl log; whorl help

Another terminal joins with:  . $folder/environment

END
bash --rcfile "$folder/shellrc" -i || true
