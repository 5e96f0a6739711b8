"""All ratios that the library aims at, in one run of about five minutes after the first build. It needs a quiet machine.

`table` prints the ratios of the calls. This module adds the parts that are no workload: the check of an order, the memory of an open call,
and the build.
"""

import subprocess
import sys
import tempfile

from programs import ROOT, build, callgrind, counted
from table import TOOLS, table

PROGRAMS = ["checked", "rmcp", "carried"]
LEVELS = ["", "value-", "http-", "stdio-"]
CALLS = 20

BYTES_OF_OPEN_CALL = 4_096
CHECK_RATIO = 0.8


def check(inclusive_of) -> float:
    """Returns the instructions of the checks of an order and its result, to those of the crate `jsonschema` on their values.

    `inclusive_of` returns the instructions of each function in a profile, with what it calls.
    """
    paths = build(["checked", "parts"])
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        call = callgrind(paths["checked"], "checked", "order", out.name)
        functions = inclusive_of(out.name)
        checker = next(name for name in functions if name.endswith("Checker>::accepts_keywords"))
        ours = call * functions[checker] / max(functions.values())
        theirs = counted(paths["parts"], ["exact", "check"], CALLS, out.name)
    return ours / theirs


def goals(inclusive_of):
    # A program that cannot be built ends the run before it has measured anything.
    parts = build([*PROGRAMS, "parts"])["parts"]
    table([level + tool for level in LEVELS for tool in TOOLS], PROGRAMS, is_counted=False)
    opened = subprocess.run([parts, "open"], check=True, capture_output=True, text=True).stdout
    print(f"\n{'part':<72} {'measured':>9} {'at most':>9}")
    for line in opened.splitlines():
        carrier, size = line.split()
        print(f"  {'bytes of an open call over ' + carrier:<70} {int(size):>9,} {BYTES_OF_OPEN_CALL:>9,}")
    print(f"  {'check of an order and its result, instructions ÷ `jsonschema`':<70} {check(inclusive_of):>9.2f} {CHECK_RATIO:>9}")
    print("\nbuild: a stdio server at most 0.7 of the cold build of rmcp's, and at most 2.7 MiB", flush=True)
    cost = [sys.executable, ROOT / "tests" / "cost" / "cost.py", "--programs", "--only", ", a stdio server"]
    subprocess.run(cost, check=True)
