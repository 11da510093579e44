#!/usr/bin/python3
"""touched.py PROGRAM TRACE: the functions and data of a static program, by their first use in a
memory trace of valgrind's lackey."""

import bisect
import subprocess
import sys

program, trace = sys.argv[1:]
symbols = subprocess.run(
    ["nm", "-n", "--defined-only", program], capture_output=True, text=True, check=True).stdout
fields = [line.split() for line in symbols.splitlines()]
table = [(int(f[0], 16), f[2]) for f in fields if len(f) == 3 and f[1] in "TtWwDdBbRrVv"]
starts = [start for start, _ in table]
used = {}
with open(trace, errors="replace") as lines:
    for line in lines:
        if line[:2] in ("I ", " L", " S", " M"):
            place = int(line[3:].split(",")[0], 16)
            if starts[0] <= place < starts[-1] + 4096:
                used[table[bisect.bisect(starts, place) - 1][1]] = None
print("\n".join(used))
