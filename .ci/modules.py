"""Checks the layout of the crates: their modules import each other in one direction only, and the sum of their lines does not grow unnoticed.

    python3 .ci/modules.py            checks
    python3 .ci/modules.py --write    writes today's lines of code into ARCHITECTURE.md

A module is a file or folder directly in `src`. `ARCHITECTURE.md` gives the reasons for the exceptions, and has the budget: the lines of each crate
and their sum. Change these figures in the commit that needs more lines, and say there what the lines buy.
"""

import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

# For each crate, the imports that are allowed to close a cycle.
CRATES = {
    "mcp-tool-macros": set(),
    "mcp-tool-schema": set(),
    "mcp-tool-runtime": {
        ("call", "mcp"),
        ("call", "otc"),
        ("call", "ask"),
        ("output", "ask"),
    },
}
COUNTED = [*CRATES, "mcp-tool-tasks"]

ARCHITECTURE = Path("ARCHITECTURE.md")
# `| `mcp-tool-macros` | 5,000 | …`, and `| in all | 35,000 |`
BUDGET = re.compile(r"^\| (?:`([\w-]+)`|in all) \| ([\d,]+) \|", re.MULTILINE)
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
    """Counts the lines that are neither blank, nor comments, nor unit tests."""
    count = 0
    for path in source.rglob("*.rs"):
        if "tests" not in path.relative_to(source).with_suffix("").parts:
            code = (line.strip() for line in UNIT_TESTS.sub("", path.read_text()).splitlines())
            count += sum(1 for line in code if line and not line.startswith("//"))
    return count


def check_budget():
    """Compares the lines of each crate, and their sum, with ARCHITECTURE.md. Returns whether they are within the budget."""
    lines = {crate: lines_of_code(Path(crate) / "src") for crate in COUNTED}
    lines[""] = sum(lines.values())
    text = ARCHITECTURE.read_text()
    if "--write" in sys.argv:
        text = BUDGET.sub(lambda row: row[0].replace(row[2], f"{lines.get(row[1] or '', 0):,}"), text)
        ARCHITECTURE.write_text(text)
    stated = {name: int(count.replace(",", "")) for name, count in BUDGET.findall(text)}
    if stated.keys() != lines.keys() or stated[""] != sum(stated.values()) - stated[""]:
        print(f"{ARCHITECTURE} must state the lines of {', '.join(COUNTED)}, and their sum")
        return False
    print(f"{lines['']:,} lines of code, of {stated['']:,}")
    if lines[""] <= stated[""]:
        return True
    for crate in COUNTED:
        if lines[crate] > stated[crate]:
            print(f"{crate} has {lines[crate]:,} lines, and {ARCHITECTURE} says {stated[crate]:,}")
    print("Take something out, or change the figures and say in the commit what the lines buy")
    return False


def check_imports(crate, exceptions):
    """Returns whether the modules of a crate import each other in one direction, apart from the exceptions."""
    found, sound = imports(Path(crate) / "src"), True
    for module, imported in exceptions:
        if imported not in found[module]:
            sound = False
            print(f"{crate}: `{module}` does not import `{imported}`: remove the exception")
        found[module].discard(imported)
    try:
        order = list(TopologicalSorter(found).static_order())
    except CycleError as error:
        print(f"{crate}: modules that import each other: {' <- '.join(error.args[1])}")
        return False
    print(f"{crate}: {len(order)} modules, {sum(map(len, found.values()))} imports, no cycle apart from {len(exceptions)} allowed imports")
    return sound


def main():
    sound = [check_budget(), *(check_imports(crate, exceptions) for crate, exceptions in CRATES.items())]
    sys.exit(not all(sound))


main()
