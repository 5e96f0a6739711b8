"""Puts load on HTTP endpoints.

    cargo build --release --workspace --example everything_server --example sockets
    python3 tests/load/load.py target/release/examples [SECONDS]

First both endpoints of everything_server, one after the other: the library's own and the official SDK's. 64 connections call ten tools in turn, some of
which fail or panic (mixed.lua). Every request must be answered with a result, three of ten with an error, and the memory of the server must not grow.

Then the tool `add`, served by the library, by the library with a function of `on_call`, and by hand with axum and serde_json in two ways (add.lua).
They take turns, and the figure is the CPU time of the server for each request.

The load generator is wrk. Prints the figures and their ratios.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
from pathlib import Path

import debian

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients"))
from serving import served

CONNECTIONS = 64
WAYS = {"slim": "--http", "rmcp": "--rmcp-http"}
# The memory that the allocator keeps varies between runs.
SLACK = 8 * 1024


def resident(process: int) -> int:
    """Returns the resident memory in KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1])


def cpu(process: int) -> float:
    """Returns the CPU time that a process has taken, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def loaded(address: str, seconds: int, script: str = "mixed.lua") -> dict:
    wrk, environment = debian.program("wrk")
    script = str(Path(__file__).with_name(script))
    command = [wrk, "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{seconds}s", "--timeout", "10s"]
    run = subprocess.run([*command, "--script", script, address], env=environment, capture_output=True, text=True)
    report = re.search(r"^REPORT (.*)$", run.stdout, re.MULTILINE)
    if report is None:
        sys.exit(f"no report from wrk: {run.stdout} {run.stderr}")
    return json.loads(report[1])


def sampled(address: str, process: int, seconds: int) -> dict:
    """Returns the report, with the memory at the start of the load, after a tenth of the time, and at the end."""
    samples, over = [resident(process)], threading.Event()

    def sample():
        while not over.wait(min(1, seconds / 20)):
            samples.append(resident(process))

    sampler = threading.Thread(target=sample)
    sampler.start()
    report = loaded(address, seconds)
    over.set()
    sampler.join()
    warm = samples[len(samples) // 10 + 1 :]
    return report | {"idle": samples[0], "warm": max(warm[: len(warm) // 3]), "end": max(warm[-len(warm) // 3 :])}


def errors(way: str, report: dict) -> list[str]:
    found = []
    if bad := report["others"] + report["failed"]:
        found.append(f"{way}: {bad} requests without a result")
    share = report["errors"] / max(1, report["results"] + report["errors"])
    if abs(share - 0.3) > 0.01:
        found.append(f"{way}: {share:.3f} of the results are errors, not 0.3")
    if report["end"] > report["warm"] + SLACK:
        found.append(f"{way}: memory grows from {report['warm']} to {report['end']} KiB")
    return found


def sockets(program: Path, rounds: int) -> list[str]:
    """Compares the CPU time of a call with that of handlers written by hand, over rounds in which they take turns.

    Whatever else the machine does makes a call dearer and never cheaper, so the least time counts.
    """
    times, found = {"ours": [], "recorded": [], "by-hand": [], "typed": []}, []
    for _ in range(rounds):
        for way in times:
            with served([program, way], code=-signal.SIGTERM) as (address, process):
                os.sched_setaffinity(process, {max(os.sched_getaffinity(0))})
                loaded(address, 1, "add.lua")
                before = cpu(process)
                report = loaded(address, 1, "add.lua")
                times[way].append((cpu(process) - before) / max(1, report["results"]) * 1e6)
            if report["others"] or not report["results"]:
                found.append(f"{way}: {report}")
    least = {way: min(taken) for way, taken in times.items()}
    for way, taken in least.items():
        print(f"add, {way}: {taken:.1f} µs of CPU time for a request, {taken / least['ours']:.2f} of ours")
    return found


def main():
    examples, seconds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 30
    server = examples / "everything_server"
    found, rates = [], {}
    for way, option in WAYS.items():
        with served([server, option, "127.0.0.1:0"]) as (address, process):
            report = sampled(address, process, seconds)
        rates[way] = report["requests"] / report["seconds"]
        print(
            f"{way}: {report['requests']} requests in {report['seconds']:.0f} s, {rates[way]:.0f} a second, "
            f"p50 {report['p50'] / 1000:.2f} ms, p99 {report['p99'] / 1000:.2f} ms; "
            f"{report['results']} values, {report['errors']} errors, {report['others'] + report['failed']} failed; "
            f"memory {report['idle']} KiB idle, {report['warm']} warm, {report['end']} at the end",
            flush=True,
        )
        found += errors(way, report)
    print(f"ratio: {rates['slim'] / rates['rmcp']:.2f}")
    found += sockets(examples / "sockets", rounds=max(1, seconds // 2))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
