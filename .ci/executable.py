"""Prints the path of a test binary.

    executable.py MESSAGES NAME

MESSAGES is a file with what `cargo test --message-format json` prints. NAME is the name of a test, or of a library for its unit tests.
"""

import json
import sys
from pathlib import Path

messages = map(json.loads, Path(sys.argv[1]).read_text().splitlines())
built = [message for message in messages if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]]
found = [message["executable"] for message in built if message["target"]["name"] == sys.argv[2]]
if len(found) != 1:
    sys.exit(f"{len(found)} test binaries are called {sys.argv[2]}")
print(found[0])
