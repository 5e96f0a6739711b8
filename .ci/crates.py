"""Checks that a build stays small: reads the messages of `cargo build --message-format json` from standard input.

Usage: crates.py EXAMPLE
"""

import json
import sys

# The first command of a newcomer must not build the dependencies of the servers and the tests.
HEAVY = {"axum", "rmcp", "rusqlite", "libsqlite3-sys", "tiny-skia"}
LIMIT = 100

artifacts = [message for line in sys.stdin if (message := json.loads(line))["reason"] == "compiler-artifact"]
# A package id ends in path#name@version, or in path/name#version.
names = {id.split("#")[1].split("@")[0] if "@" in id else id.split("#")[0].rsplit("/", 1)[-1] for id in (a["package_id"] for a in artifacts)}
if heavy := sorted(HEAVY & names):
    sys.exit(f"{sys.argv[1]}: builds {', '.join(heavy)}")
if not artifacts or len(names) > LIMIT:
    sys.exit(f"{sys.argv[1]}: builds {len(names)} crates, not 1 to {LIMIT}")
print(f"{sys.argv[1]}: builds {len(names)} crates")
