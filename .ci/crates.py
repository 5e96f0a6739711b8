"""Checks that a build stays small: reads what `cargo tree --prefix none` prints from standard input.

Usage: crates.py EXAMPLE
"""

import sys

# The first command of a newcomer must not build the dependencies of the servers and the tests.
HEAVY = {"axum", "rmcp", "rusqlite", "libsqlite3-sys", "tiny-skia"}
LIMIT = 100

names = {line.split()[0] for line in sys.stdin if line.strip()}
if heavy := sorted(HEAVY & names):
    sys.exit(f"{sys.argv[1]}: builds {', '.join(heavy)}")
if not 1 < len(names) <= LIMIT:
    sys.exit(f"{sys.argv[1]}: builds {len(names)} crates, not 2 to {LIMIT}")
print(f"{sys.argv[1]}: builds {len(names)} crates")
