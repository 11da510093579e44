#!/usr/bin/python3
"""The person at the terminal: runs a command on a terminal of its own and answers its prompt.

person.py [--password TEXT | --touch SOCKET NAME] [--status N] [--output TEXT] -- COMMAND…

What the command shows on its terminal goes to our standard output, and so does its own standard
output, which is a pipe: a secret is in the one, a prompt in the other. Exits 1 unless the status
and the output are as given.
"""

import argparse
import fcntl
import os
import select
import subprocess
import sys
import termios
import threading
import time

import finger


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--password")
    parser.add_argument("--touch", nargs=2)
    parser.add_argument("--status", type=int, default=0)
    parser.add_argument("--output")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def start(command, terminal):
    def take_terminal():
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    return subprocess.Popen(
        command, stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, preexec_fn=take_terminal
    )


def main():
    options = arguments()
    ours, theirs = os.openpty()
    child = start(options.command, theirs)
    os.close(theirs)
    shown, written, answered = b"", b"", False
    end = time.monotonic() + 40
    sources = {ours, child.stdout.fileno()}
    while sources:
        if time.monotonic() > end:
            child.kill()
            sys.exit("person: the command did not end")
        for source in select.select(list(sources), [], [], 0.1)[0]:
            try:
                data = os.read(source, 4096)
            except OSError:  # The terminal's other side is closed.
                data = b""
            if not data:
                sources.discard(source)
            elif source == ours:
                shown += data
                sys.stdout.write(data.decode(errors="replace").replace("\r", ""))
                sys.stdout.flush()
            else:
                written += data
        if not answered and (b"password: " in shown or b"reader: " in shown):
            answered = True
            if options.password is not None:
                # A prompt drops what was typed before it; give it a moment to begin.
                time.sleep(0.3)
                os.write(ours, options.password.encode() + b"\n")
            if options.touch:
                threading.Thread(target=finger.touch, args=options.touch, daemon=True).start()
    status = child.wait()
    text = written.decode(errors="replace")
    if shown and not shown.endswith(b"\n"):
        print()
    if text:
        print(text, end="" if text.endswith("\n") else "\n")
    if status != options.status:
        sys.exit(f"person: the status is {status}, not {options.status}")
    if options.output is not None and text != options.output:
        sys.exit("person: the output is not what was stored")


if __name__ == "__main__":
    main()
