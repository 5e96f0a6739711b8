"""How much longer a command of a server takes than the same server that builds its dispatcher and ends.

The CPU time of whole processes, the median of interleaved rounds, so that other work on the machine disturbs all of them alike. valgrind
counts the instructions.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import build

ROUNDS = 41
# More than a server that does nothing.
LIMIT = 30
COMMANDS = {
    "nothing": ["nothing"],
    "call": ["call", "add", "--a", "2", "--b", "3"],
    "call through `Cli::command`": ["command", "call", "add", "--a", "2", "--b", "3"],
    "help of a tool": ["call", "search", "--help"],
    "list": ["list"],
    "help of `call`": ["call", "--help"],
    "completions": ["completions", "bash"],
}


def cpu(program: Path, words: list[str]) -> float:
    """Returns the CPU time of a process in milliseconds."""
    process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{words}: exit code {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def instructions(program: Path, words: list[str]) -> int:
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", program, *words]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        lines = Path(out.name).read_text().splitlines()
    return int(next(line for line in lines if line.startswith(("totals:", "summary:"))).split()[1])


def check():
    program = build(["command"])["command"]
    rounds = [{name: cpu(program, words) for name, words in COMMANDS.items()} for _ in range(ROUNDS)]
    medians = {name: statistics.median(times[name] for times in rounds) for name in COMMANDS}
    counts = {name: instructions(program, words) for name, words in COMMANDS.items()}
    print(f"A server of 150 tools, CPU time of the process, median of {ROUNDS} rounds\n")
    print("| command | ms | more than nothing | million instructions | ratio |\n| --- | --- | --- | --- | --- |")
    for name, median in medians.items():
        more, ratio = median - medians["nothing"], counts[name] / counts["nothing"]
        print(f"| {name} | {median:.1f} | {more:+.1f} | {counts[name] / 1e6:.1f} | {ratio:.2f} |")
    more = medians["call"] - medians["nothing"]
    if more >= LIMIT:
        sys.exit(f"`call` takes {more:.1f} ms more than a server that does nothing")
