"""The table: the cost of each workload for each contestant, compared with the floor and the targets."""

import json
import math
import statistics
import sys
from pathlib import Path

from programs import OURS, PEERS, Program, build, contestants, instructions

ROUNDS = 5
PROCESSES = 3
ROUND = 10_000_000  # ns for one contestant in one round
BY_BYTES = " by bytes"
NOT_COUNTED = {"build-1000", "build-1000-apart"}  # takes minutes under callgrind


def timed(entries: dict[str, tuple[Path, str, str]]) -> dict[str, float]:
    """Returns the CPU time of a call in ns: the median of rounds in which every entry runs. An entry has a program, a contestant and a workload.

    The addresses of a process's code and heap change its times by up to a half. So each contestant runs in several processes, one after the other.
    Two workloads of one contestant share a process.
    """
    times = {name: [] for name in entries}
    for _ in range(PROCESSES):
        running = {(path, contestant): Program(path) for path, contestant, _ in entries.values()}
        calls = {}
        for name, (path, contestant, workload) in entries.items():
            once = max(running[path, contestant].number("time", contestant, workload, 2) / 2, 1)
            calls[name] = max(1, int(ROUND / once))
            running[path, contestant].number("time", contestant, workload, calls[name])
        for _ in range(ROUNDS):
            for name, (path, contestant, workload) in entries.items():
                times[name].append(running[path, contestant].number("time", contestant, workload, calls[name]) / calls[name])
        for program in running.values():
            program.close()
    return {name: statistics.median(rounds) for name, rounds in times.items()}


def by_bytes(paths: dict[str, Path], entries: dict[str, str], workload: str) -> dict[str, tuple[Path, str, str]]:
    """Returns the calls by bytes that calls by value are compared with. Both run in the same rounds, because times change within minutes."""
    tool = workload.removeprefix("value-")
    return {} if tool == workload else {name + BY_BYTES: (paths[program], name, tool) for name, program in entries.items()}


def same(one, other) -> bool:
    """Returns whether two values are equal, except for the last bit of floats: most peers do not enable serde_json's `float_roundtrip`."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-14)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def unwrapped(value):
    """Returns the value of `{"result": value}`: the form of values that are not objects, for all versions in most peers."""
    return value["result"] if isinstance(value, dict) and value.keys() == {"result"} else value


def agree(entries: dict[str, Program], workload: str):
    """Checks that all contestants do the same work: they return the same value, or list the same number of tools."""
    if workload.startswith("build"):
        return
    answers = {contestant: program.answer(contestant, workload) for contestant, program in entries.items()}
    results = {contestant: answer.get("result", answer) for contestant, answer in answers.items()}
    values = {contestant: len(result["tools"]) if "tools" in result else unwrapped(result.get("structuredContent")) for contestant, result in results.items()}
    expected = next(iter(values.values()))
    for contestant, value in values.items():
        if value is None or not same(value, expected):
            sys.exit(f"{workload}: {contestant} returns another result: {json.dumps(answers[contestant])[:500]}")


def shown(nanoseconds: float) -> str:
    unit, size = next((unit for unit in (("ms", 1e6), ("µs", 1e3)) if nanoseconds >= unit[1]), ("ns", 1))
    return f"{nanoseconds / size:.{2 if nanoseconds < 1e4 * size / 1e3 else 1}f} {unit}"


def beside(figures: dict[str, float], contestant: str) -> str:
    return f"{figures[contestant] / figures['floor']:.2f}" if figures.get("floor") and contestant in figures else ""


# The most that each ratio may be, from what a user pays: TOOL, then (program, program below it, level, at most).
TOOLS = ["add", "row", "search", "order", "text"]
NO_AIMS = [None] * 5
RATIOS = [
    ("params to result", "checked", "floor", "", [1.6, 1.25, 1.25, 1.3, 1.0]),
    ("params to result", "checked", "rmcp", "", [0.55, 0.5, 0.5, 0.43, 0.43]),
    ("params to result, without _meta", "checked", "floor", "bare-", NO_AIMS),
    ("message to message", "checked", "floor", "message-", NO_AIMS),
    ("message to message", "checked", "rmcp", "message-", NO_AIMS),
    ("served over HTTP", "checked", "floor", "http-", [1.6, 1.3, 1.3, 1.3, 1.0]),
    ("served over HTTP", "checked", "rmcp", "http-", NO_AIMS),
    ("served over stdio", "checked", "floor", "stdio-", [1.7, 1.4, 1.4, 1.3, 0.95]),
    ("served over stdio", "checked", "rmcp", "stdio-", [0.3, None, None, 0.3, 0.5]),
] + [
    (f"carried by the SDK over {carrier}, {to}", "carried", own, level, [1.0] * 5)
    for carrier, level in (("HTTP", "http-"), ("stdio", "stdio-"))
    for own, to in (("carried-own", "to its own tools"), ("carried-own-meta", "to those with `_meta`"))
]


def table(wanted: list[str], only: list[str], is_timed: bool = True, is_counted: bool = True):
    """Prints all figures of each workload, and the ratios. Without `is_timed` it needs no quiet machine. Counting takes most of the time."""
    paths = build(only or [*OURS, *PEERS])
    found, programs = {}, {}
    for name, path in paths.items():
        for contestant, workloads in contestants(path).items():
            # Both builds of this library contain the floor; the first one is used.
            if contestant not in programs:
                # A new process for each contestant, so that the heap of one does not affect another.
                programs[contestant] = (name, Program(path))
                for workload in workloads:
                    found.setdefault(workload, {})[contestant] = programs[contestant]
    everything = {}
    for workload in (workload for workload in found if not wanted or workload in wanted):
        entries = found[workload]
        running = {contestant: program for contestant, (_, program) in entries.items()}
        agree(running, workload)
        timing = {contestant: (paths[name], contestant, workload) for contestant, (name, _) in entries.items()}
        timing |= by_bytes(paths, {contestant: name for contestant, (name, _) in entries.items()}, workload)
        time = timed(timing) if is_timed else {}
        allocations = {contestant: program.allocations(contestant, workload) for contestant, program in running.items()}
        counted = {}
        if is_counted and workload not in NOT_COUNTED:
            counted = {contestant: instructions(paths[name], contestant, workload) for contestant, (name, _) in entries.items()}
        everything[workload] = {"time": time, "allocations": allocations, "instructions": counted}
        print(f"\n{workload:<24} {'time':>10} {'× floor':>8} {'allocations':>12} {'instructions':>13} {'× floor':>8}")
        for contestant in entries:
            elapsed = shown(time[contestant]) if contestant in time else ""
            count = f"{counted[contestant]:,.0f}" if contestant in counted else ""
            print(f"  {contestant:<22} {elapsed:>10} {beside(time, contestant):>8} {allocations[contestant]:>12,.0f} {count:>13} {beside(counted, contestant):>8}", flush=True)
    if "list-1000" in everything:
        memory = {contestant: program.number("memory", contestant) for contestant, (_, program) in found["list-1000"].items() if contestant != "floor"}
        print("\nmemory per tool")
        for contestant, kept in memory.items():
            print(f"  {contestant:<22} {kept:>10,} bytes")
    for _, program in programs.values():
        program.close()
    ratios(everything, "time" if is_timed else "instructions")
    targets(everything)
    guide(everything)


# The rows of the first table in docs/guide/performance.md, and their workloads.
GUIDE = {
    "two integers in, one out": "bare-add",
    "an order of 20 items in and out": "bare-order",
    "a search: options in, 10 hits out": "bare-search",
    "64 KiB of text in and out": "bare-text",
    "two integers, with the `_meta` of 2026-07-28": "add",
    "two integers with `_meta`, from a JSON-RPC message to its response": "message-add",
    "two integers with `_meta`, from an `http::Request` to the body of its response": "http-add",
    "an order with `_meta`, from an `http::Request` to the body of its response": "http-order",
    "two integers with `_meta`, over stdio through a pipe in memory": "stdio-add",
    "an order with `_meta`, over stdio through a pipe in memory": "stdio-order",
}
GUIDE_PROGRAMS = ["checked", "rmcp"]


def rounded(nanoseconds: float) -> str:
    """Returns a time with three digits."""
    microseconds = nanoseconds / 1e3
    return f"{microseconds:.{max(0, 2 - math.floor(math.log10(microseconds)))}f} µs"


def guide(everything: dict):
    """Prints the rows of the guide, if all of their contestants were measured."""
    times = {row: everything.get(workload, {}).get("time", {}) for row, workload in GUIDE.items()}
    if all(contestant in time for time in times.values() for contestant in GUIDE_PROGRAMS):
        print("\nrows of docs/guide/performance.md\n")
        for row, time in times.items():
            print(f"| {row} | " + " | ".join(rounded(time[contestant]) for contestant in GUIDE_PROGRAMS) + " |")


def ratio(everything: dict, figure: str, workload: str, above: str, below: str):
    figures = everything.get(workload, {}).get(figure, {})
    return figures[above] / figures[below] if above in figures and below in figures else None


def ratios(everything: dict, figure: str):
    """Prints each ratio of the served way, with its target."""
    print(f"\n{'ratio of ' + figure:<72}" + "".join(f"{tool:>15}" for tool in TOOLS))

    def row(what, measured, aims):
        cells = [f"{found:.2f}" + (f" (≤ {aim})" if aim else "") if found else "" for found, aim in zip(measured, aims)]
        if any(cells):
            print(f"  {what:<70}" + "".join(f"{cell:>15}" for cell in cells))

    for what, above, below, level, aims in RATIOS:
        row(f"{what}: {above} ÷ {below}", [ratio(everything, figure, level + tool, above, below) for tool in TOOLS], aims)
    for name in OURS:
        values = []
        for tool in TOOLS:
            figures = everything.get("value-" + tool, {}).get(figure, {})
            by_value = figures.get(name)
            below = figures.get(name + BY_BYTES) or everything.get(tool, {}).get(figure, {}).get(name)
            values.append(by_value / below if by_value and below else None)
        row(f"call() and to_mcp(), to call_json: {name}", values, [1.25, 1.15, 1.15, 1.1, 0.8])


def targets(everything: dict):
    """Prints the other targets and the measured figures. Omits targets without a measurement."""
    def allocations(workload, contestant="checked"):
        return everything.get(workload, {}).get("allocations", {}).get(contestant)

    aims = [
        ("checked add, allocations", 8, allocations("add")),
        ("checked add served over HTTP, allocations", 14, allocations("http-add")),
        ("checked order, allocations, times the floor's", 1.5, ratio(everything, "allocations", "order", "checked", "floor")),
        ("build of 1,000 tools, times the sum of its parts", 1.5, ratio(everything, "time", "build-1000", "checked", "floor")),
        ("the same without a schema in common", 1.5, ratio(everything, "time", "build-1000-apart", "checked", "floor")),
    ]
    if "add" in everything and "add-1000" in everything:
        one, thousand = (everything[workload]["instructions"].get("checked", 0) for workload in ("add", "add-1000"))
        aims.append(("checked add, instructions among 1,000 tools, times those alone", 1.05, thousand / one))
    for workload, figures in ((workload, figures) for workload, figures in everything.items() if not workload.startswith("build")):
        # Peers without validation; each of them is slower with it.
        peers = {name: time for name, time in figures["time"].items() if name not in ("floor", "carried", "carried-own", "carried-own-meta", *OURS) and not name.endswith(BY_BYTES)}
        if peers and "checked" in figures["time"]:
            fastest = min(peers, key=peers.get)
            aims.append((f"checked {workload}, times {fastest}", 1.0, figures["time"]["checked"] / peers[fastest]))
    print(f"\n{'target':<64} {'at most':>8} {'measured':>9}")
    for what, most, measured in aims:
        if measured is not None:
            print(f"  {what:<62} {most:>8} {measured:>9.2f}  {'met' if measured <= most else 'MISSED'}")
