"""Builds the contestants' programs and talks to them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "bench"

OURS = {"checked": ["--package", "bench-ours", "--bin", "checked", "--features", "validate"],
        "unchecked": ["--package", "bench-ours", "--bin", "unchecked"]}
PEERS = {"rmcp": ["--package", "bench-rmcp"],
         "tower-mcp": ["--package", "bench-tower-mcp"],
         "tower-mcp-checked": ["--package", "bench-tower-mcp", "--features", "checked"],
         "pmcp": ["--package", "bench-pmcp"]}

# Calls in one measurement under an instrument: enough that what happens once in a while is in its place.
EXACT_CALLS = {"order": 20, "search": 50, "text": 10, "list-1000": 5, "build-30": 1, "build-1000": 1, "build-1000-apart": 1}


def cargo(*arguments: str) -> list[str]:
    return ["cargo", arguments[0], "--manifest-path", str(HERE / "Cargo.toml"), "--target-dir", str(TARGET), *arguments[1:]]


# Whether a short loop lies across a boundary of 64 bytes is luck, which any change elsewhere changes: up to a third of its time.
ALIGNED = {"RUSTFLAGS": "-C llvm-args=-align-loops=64"}


def build(programs: list[str]) -> dict[str, Path]:
    """Each in a build of its own, so that none has features that another one asked for."""
    built = {}
    for program in programs:
        command = cargo("build", "--release", "--locked", "--quiet", "--message-format", "json-render-diagnostics", *(OURS | PEERS)[program])
        done = subprocess.run(command, cwd=ROOT, env=os.environ | ALIGNED, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"{program}: not built")
        messages = (json.loads(line) for line in done.stdout.splitlines())
        made = next(message["executable"] for message in messages if message.get("executable"))
        # The next build of the same package takes the place of this one.
        built[program] = Path(shutil.copy(made, TARGET / f"{program}.program"))
    return built


# A server that has run for a while keeps the memory it was given. Without this the allocator returns the top of its heap to the system
# and takes it back in some programs and not in others, on every call of `text`: twice the time, by accident.
os.environ |= {"MALLOC_MMAP_THRESHOLD_": str(1 << 26), "MALLOC_TRIM_THRESHOLD_": str(1 << 28)}


# All on one processor: another one may be shared with strangers at that moment.
PROCESSOR = {max(os.sched_getaffinity(0))}


class Program:
    """A program that is asked a line and answers with one."""

    def __init__(self, path: Path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(self.process.pid, PROCESSOR)

    def ask(self, *words) -> str:
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.path.name}: no answer to {words}")
        return answer.strip()

    def answer(self, contestant: str, workload: str):
        return json.loads(self.ask("answer", contestant, workload) or "null")

    def number(self, *words) -> int:
        return int(self.ask(*words))

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def allocations(self, contestant: str, workload: str) -> float:
        calls = EXACT_CALLS.get(workload, 100)
        return self.number("allocations", contestant, workload, calls) / calls


def contestants(path: Path) -> dict[str, list[str]]:
    """Who is in a program, each with what it can do."""
    program = Program(path)
    told = (names.split(":") for names in program.ask("names").split())
    program.close()
    return {name: workloads.split(",") for name, workloads in told}


def callgrind(program: Path, contestant: str, workload: str, out: str) -> float:
    """Instructions of one call; where they were spent is then in the file `out`."""
    calls = EXACT_CALLS.get(workload, 100)
    instrument = ["valgrind", "--tool=callgrind", "--toggle-collect=exactly_measured", f"--callgrind-out-file={out}"]
    command = [*instrument, str(program), "exact", contestant, workload, str(calls)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    lines = Path(out).read_text().splitlines()
    return int(next(line for line in lines if line.startswith("totals:")).split()[1]) / calls


def instructions(program: Path, contestant: str, workload: str) -> float:
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        return callgrind(program, contestant, workload, out.name)
