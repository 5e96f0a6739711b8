"""Checks that the modules of the two crates import each other in one direction only.

    python3 .ci/modules.py

A module is a file or folder directly in `src`. `ARCHITECTURE.md` gives the reasons of the exceptions.
"""

import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

# For each crate, the imports that are allowed to close a cycle.
CRATES = {
    "mcp-tool-macros": set(),
    "mcp-tool-runtime": {
        ("call", "mcp"),
        ("call", "otc"),
        ("call", "ask"),
        ("output", "ask"),
        ("mcp", "ask"),
        ("dispatcher", "export"),
    },
}

UNIT_TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", re.DOTALL)
COMMENT = re.compile(r"//.*")
# `pub use a::b::C;` and `pub use a::b::{C, D};` in lib.rs.
REEXPORT = re.compile(r"pub use (\w+)::(?:\w+::)*(?:(\w+)|\{([^}]*)\});")


def first_names(text):
    """Returns the first name of each path that starts with `crate::`."""
    names = set(re.findall(r"\bcrate::(\w+)", text))
    for group in re.finditer(r"\bcrate::\{", text):
        depth, path = 0, ""
        for char in text[group.end() :] + "}":
            depth += (char == "{") - (char == "}")
            if depth < 0 or char == "," and depth == 0:
                names.update(re.match(r"\s*(\w*)", path).groups())
                path = ""
                if depth < 0:
                    break
            else:
                path += char
    return names - {""}


def imports(source):
    """Returns the modules of a crate, each with the modules that it imports."""
    modules = {path.stem for path in source.iterdir()} - {"lib", "tests"}
    reexports = {}
    for module, name, names in REEXPORT.findall((source / "lib.rs").read_text()):
        reexports.update(dict.fromkeys([name] if name else re.findall(r"\w+", names), module))
    found = {module: set() for module in modules}
    for path in source.rglob("*.rs"):
        parts = path.relative_to(source).with_suffix("").parts
        if parts[0] not in modules or "tests" in parts:
            continue
        text = COMMENT.sub("", UNIT_TESTS.sub("", path.read_text()))
        found[parts[0]] |= {reexports.get(name, name) for name in first_names(text)} & modules - {parts[0]}
    return found


def main():
    failed = False
    for crate, exceptions in CRATES.items():
        found = imports(Path(crate) / "src")
        for module, imported in exceptions:
            if imported not in found[module]:
                failed = True
                print(f"{crate}: `{module}` does not import `{imported}`: remove the exception")
            found[module].discard(imported)
        try:
            order = list(TopologicalSorter(found).static_order())
        except CycleError as error:
            failed = True
            print(f"{crate}: modules that import each other: {' <- '.join(error.args[1])}")
        else:
            print(f"{crate}: {len(order)} modules, {sum(map(len, found.values()))} imports, no cycle apart from {len(exceptions)} allowed imports")
    sys.exit(failed)


main()
