"""Checks the modules of the two crates: they import each other in one direction only, and none grows unnoticed.

    python3 .ci/modules.py            checks
    python3 .ci/modules.py --write    writes today's lines of code into ARCHITECTURE.md

A module is a file or folder directly in `src`. `ARCHITECTURE.md` gives the reasons for the exceptions, and the lines of each module of the
runtime. A module may grow by a tenth before its figure has to be changed in the same commit.
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
        ("output", "paging"),
        ("dispatcher", "export"),
    },
}

ARCHITECTURE = Path("ARCHITECTURE.md")
# `| `json` | 2,555 | …`
LINES = re.compile(r"^\| `(\w+)` \| ([\d,]+) \|", re.MULTILINE)
UNIT_TESTS = re.compile(r"#\[cfg\((?:all\()?test\b[^\n]*\]\s*mod \w+ \{.*", re.DOTALL)
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


def lines_of_code(source):
    """Returns the lines of each module that are neither blank, nor comments, nor unit tests."""
    lines = {}
    for path in source.rglob("*.rs"):
        module, *rest = path.relative_to(source).with_suffix("").parts
        if "tests" not in rest:
            code = (line.strip() for line in UNIT_TESTS.sub("", path.read_text()).splitlines())
            lines[module] = lines.get(module, 0) + sum(1 for line in code if line and not line.startswith("//"))
    return lines


def growth(source):
    """Compares the lines of each module with those in ARCHITECTURE.md, and returns what is wrong."""
    lines, text = lines_of_code(source), ARCHITECTURE.read_text()
    if "--write" in sys.argv:
        text = LINES.sub(lambda row: f"| `{row[1]}` | {lines.get(row[1], 0):,} |", text)
        ARCHITECTURE.write_text(text)
    stated = {name: int(count.replace(",", "")) for name, count in LINES.findall(text)}
    for name in sorted(stated.keys() ^ lines.keys() - {"lib", "guide"}):
        yield f"`{name}` is not both a module and a row of {ARCHITECTURE}"
    for name in stated.keys() & lines.keys():
        if lines[name] > stated[name] * 1.1:
            yield f"`{name}` has {lines[name]:,} lines, {ARCHITECTURE} says {stated[name]:,}: take something out, or change the figure"


def main():
    failed = False
    for problem in growth(Path("mcp-tool-runtime/src")):
        failed = True
        print(f"mcp-tool-runtime: {problem}")
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
