"""The budget: the most instructions and allocations that each workload of this library may take.

Instructions are counted with fixed call ids and a fixed clock, so that they vary by less than 0.5 % between runs.
"""

import json
import os
import platform
import subprocess
import sys

from programs import ALIGNED, FEATURES, HERE, OURS, QUICK, ROOT, Program, build, cargo, contestants, instructions, instructions_of_tool

FILE = HERE / "budget.json"
MACHINE = "x86_64"
GROWTH = 1.05
# A build of 1,000 tools takes half a minute under callgrind, so only the table includes those workloads.
NOT_COUNTED = ["add-1000", "list-1000", "list-1000-block", "list-1000-mixed", "build-1000", "build-1000-apart"]


# Only the floor, which has no budget, needs this validator and the crates below it. With optimisation they are a fifth of the build.
UNUSED = [
    option
    for crate in ["data-encoding", "fancy-regex", "fluent-uri", "jsonschema", "jsonschema-regex", "jsonschema-value", "num-bigint", "referencing", "zerocopy"]
    for option in ("--config", f"profile.release.package.{crate}.opt-level=0")
]


# The most that a function of `on_call` may cost a call of `add` over HTTP. The one that is measured counts the calls. The
# aim is 1.03; two builds of the same code differ by up to 0.3 %.
RECORD_GROWTH = 1.033


# The most that a feature may cost a call of a tool that does not use it.
FEATURE_GROWTH = 1.005


def check_features():
    """Compares builds with the feature `ask` or `tasks` with one without. Their tools ask nothing and have no key `task`."""
    without = build(["checked"])["checked"]
    programs = build(list(FEATURES))
    grown = []
    for workload in contestants(without)["checked"]:
        if workload in NOT_COUNTED or workload.startswith(("list", "build")):
            continue
        one = instructions(without, "checked", workload)
        for feature, program in programs.items():
            other = instructions(program, "checked", workload)
            print(f"{feature:<8} {workload:<16} {one:>13,.0f} {other:>13,.0f} {other / one - 1:>+8.2%}", flush=True)
            if other > one * FEATURE_GROWTH:
                grown.append(f"{workload} with {feature}")
    if grown:
        sys.exit(f"a feature costs too much: {', '.join(grown)}")


def answer(program, tool: str):
    return json.loads(subprocess.run([program, "answer", tool], check=True, capture_output=True).stdout)


def compare(what: str, program, plain: str, tool: str, growth: float):
    """Compares the instructions of a tool with those of a plain one that gives the same result."""
    one, other = (instructions_of_tool(program, name) for name in (plain, tool))
    print(f"{what}: {one:,.0f} instructions as `{plain}`, {other:,.0f} as `{tool}`, {other / one - 1:+.1%}")
    if other > one * growth:
        sys.exit(f"{what} costs too much")


# The most that a tool with the key `task` may take that ends at once, compared with the same tool without the key.
TASK_GROWTH = 1.3


def check_quick_task():
    """Compares a call of a tool with the key `task` with one without, for a client that supports tasks."""
    program = build(list(QUICK), *UNUSED)["quick"]
    if answer(program, "plain") != answer(program, "quick"):
        sys.exit("the key `task` changes the answer")
    compare("a call that ends at once", program, "plain", "quick", TASK_GROWTH)


# The most that a page may take, compared with the same page cut by hand. Two builds of the same code differ by up to 0.3 %. Of a page of 30
# small items, the last item, which does not fit, and the cursor are a larger part. A cursor is bound to the arguments with all defaults filled
# in, and the key of the next item is compared, so that no item is lost: together 0.7 %.
PAGE_GROWTH = {"": 1.05, "_large": 1.05, "_30": 1.102}


def check_pages():
    """Compares pages that the library cuts from 10,000 items with pages of the same items."""
    program = build(["pages"], *UNUSED)["pages"]
    for size, growth in PAGE_GROWTH.items():
        plain, tool = f"whole{size}", f"paged{size}"
        by_hand, items = (answer(program, name)["structuredContent"]["items"] for name in (plain, tool))
        if items != by_hand:
            sys.exit(f"the page has {len(items)} items, not {len(by_hand)}")
        compare(f"a page of {len(items)} of 10,000 items", program, plain, tool, growth)


def check_floor():
    """Compares the bytes of the floor with those of ours."""
    command = cargo("test", "--release", "--locked", "--package", "bench-ours", "--example", "floor", *UNUSED)
    if subprocess.run(command, cwd=ROOT, env=os.environ | {"RUSTFLAGS": ALIGNED}).returncode:
        sys.exit("the floor differs from ours")


def measured(left_out: tuple[str, ...] = ()) -> dict:
    counts = platform.machine() == MACHINE
    if not counts:
        print(f"instructions are not counted: the budget is for {MACHINE}")
    figures = {}
    for name, path in build(list(OURS), *UNUSED).items():
        for workload in contestants(path)[name]:
            if workload.startswith(left_out):
                continue
            # A new process, because memory that a thread keeps from larger results would be counted too.
            program = Program(path)
            figures[f"{name} {workload}"] = figure = {"allocations": round(program.allocations(name, workload))}
            if counts and workload not in NOT_COUNTED:
                figure["instructions"] = round(instructions(path, name, workload))
            program.close()
    return figures


def check(left_out: tuple[str, ...] = ()):
    """Compares the workloads with the budget, without those whose names start with one of `left_out`."""
    budget, found = json.loads(FILE.read_text()), measured(left_out)
    budget = {work: figures for work, figures in budget.items() if not work.split()[1].startswith(left_out)}
    grown = []
    for work, figures in found.items():
        for what, figure in figures.items():
            allowed = budget.get(work, {}).get(what)
            change = f"{figure / allowed - 1:+.1%}" if allowed else "new"
            print(f"{work:<22} {what:<13} {figure:>13,} {allowed or 0:>13,} {change:>8}")
            if not allowed or figure > allowed * GROWTH:
                grown.append(f"{work}: {figure:,} {what}, {change}")
    add, recorded = (found[f"checked {workload}"].get("instructions", 0) for workload in ("http-add", "recorded-add"))
    if recorded > add * RECORD_GROWTH:
        grown.append(f"a record costs too much: {recorded / add - 1:+.2%} of `http-add`")
    if gone := budget.keys() - found.keys():
        grown.append(f"not measured any more: {', '.join(sorted(gone))}")
    if grown:
        sys.exit("over the budget:\n  " + "\n  ".join(grown) + "\nIf this is intended: python3 tests/bench/bench.py budget --write")


def write():
    FILE.write_text(json.dumps(measured(), indent=1) + "\n")
