"""Counts the instructions that hostile arguments cost, and holds them to a constant for each byte.

    python3 tests/tests/it/hostile/work.py PROGRAM [EVERY]

PROGRAM is the test binary `it`. It runs under callgrind, which writes a total after each counted call. With EVERY only the calls of one
tool in so many are counted. Seconds would depend on the machine and on what else it does.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

# For a program without optimisation, which is what `cargo test` builds. Measured at most: 3,003.
MOST_PER_BYTE = 4_000
# What a call costs whatever its length is: 32 violations are described, with the names of all properties that are known. Measured at most:
# 4.2 million for less than 1,000 bytes.
MOST_AT_ONCE = 6_000_000
# The larger document has up to 16 times the bytes of the smaller one. Quadratic work would be 16 here. Measured at most: 2.6, for deep documents of
# an adjacently tagged enum, and 1.1 for everything else.
MOST_GROWTH = 3


def measure(program: str, every: str) -> list[tuple[str, str, int, int]]:
    with tempfile.TemporaryDirectory() as folder:
        calls, out = f"{folder}/calls", f"{folder}/callgrind.out"
        command = ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={out}", "--combine-dumps=yes",
                   "--dump-before=*before_call*", "--dump-after=*counted_call*",
                   program, "--test-threads=1", "--exact", "hostile::battery::work::i4_the_work_is_linear_in_the_bytes"]
        run = subprocess.run(command, env={**os.environ, "HOSTILE_CALLS": calls, "HOSTILE_EVERY": every}, capture_output=True, text=True, check=False)
        if run.returncode or "1 passed" not in run.stdout:
            sys.exit(f"the test failed under callgrind:\n{run.stdout}{run.stderr}")
        totals = []
        for path in glob.glob(f"{out}*"):
            with open(path, encoding="utf-8", errors="replace") as file:
                parts = file.read().split("\npart: ")[1:]
            counted = [part for part in parts if "\ndesc: Trigger: --dump-after" in part]
            totals += [int(re.search(r"^totals: (\d+)", part, re.MULTILINE)[1]) for part in counted]
        with open(calls, encoding="utf-8") as file:
            lines = [line.split() for line in file]
        if len(totals) != len(lines):
            sys.exit(f"{len(lines)} calls, but {len(totals)} totals")
        return [(name, kind, int(size), total) for (name, kind, size), total in zip(lines, totals)]


def main() -> None:
    found = measure(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1")
    small: dict[tuple[str, str], tuple[int, int]] = {}
    wrong, rates, growths = [], [], []
    for name, kind, size, total in found:
        rates.append((max(total - MOST_AT_ONCE, 0) / size, total / size, name, kind, size, total))
        if total > MOST_AT_ONCE + MOST_PER_BYTE * size:
            wrong.append(f"{name}, {kind}: {total:,} instructions for {size:,} bytes")
        if (name, kind) not in small:
            small[name, kind] = size, total
            continue
        less, before = small[name, kind]
        growth = (total / before) / (size / less)
        growths.append((growth, name, kind))
        if growth > MOST_GROWTH and total > MOST_AT_ONCE:
            wrong.append(f"{name}, {kind}: {total / before:.1f} times the instructions for {size / less:.1f} times the bytes")
    if len(found) < 500:
        sys.exit(f"only {len(found)} calls are counted")
    print(f"{len(found)} calls of {len({name for name, *_ in found})} tools, {sum(total for *_, total in found):,} instructions")
    for _, rate, name, kind, size, total in sorted(rates, reverse=True)[:5]:
        print(f"most for each byte: {rate:.0f} ({name}, {kind}: {total:,} for {size:,} bytes)")
    for growth, name, kind in sorted(growths, reverse=True)[:3]:
        print(f"most growth: {growth:.2f} times that of the bytes ({name}, {kind})")
    if wrong:
        sys.exit("\n".join(wrong))


main()
