#!/usr/bin/python3
"""Whole processes against /bin/true, interleaved on one CPU: medians of the ratios of each round.

bench.py WHORL ROUNDS OUT NAME... : WHORL_SOCKET names the daemon; raw seconds go to OUT as JSON.
"""
import json
import os
import statistics
import subprocess
import sys
import time

whorl, rounds, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
os.sched_setaffinity(0, {0})
variants = {
    "/bin/true": ["/bin/true"],
    "whorl read": [whorl, "read", "bench"],
}
for line in sys.argv[4:]:
    name, command = line.split("=", 1)
    variants[name] = command.split(" ")

raw = {name: [] for name in variants}
for _ in range(rounds):
    for name, command in variants.items():
        start = time.perf_counter()
        process = os.posix_spawn(
            command[0], command, os.environ,
            file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
        _, status = os.waitpid(process, 0)
        raw[name].append(time.perf_counter() - start)
        if status != 0:
            sys.exit(f"{name} ended with {os.waitstatus_to_exitcode(status)}")

with open(out, "w") as file:
    json.dump({"seconds": raw}, file)
base = raw["/bin/true"]
print(f"{'whole process':24} {'median ms':>10} {'x /bin/true':>12}   ({rounds} rounds, one CPU)")
for name, values in raw.items():
    ratio = statistics.median(value / true for value, true in zip(values, base))
    print(f"{name:24} {statistics.median(values) * 1000:10.2f} {ratio:12.2f}")
