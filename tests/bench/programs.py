"""Builds the programs of the contestants and communicates with them."""

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

OURS = {"checked": ["--package", "bench-ours", "--bin", "checked"]}
FEATURES = {feature: ["--package", "bench-ours", "--bin", "checked", "--features", feature] for feature in ("ask", "tasks")}
PAGES = {"pages": ["--package", "bench-ours", "--bin", "pages"]}
QUICK = {"quick": ["--package", "bench-ours", "--bin", "tasks", "--features", "tasks"]}
PARTS = {"parts": ["--package", "bench-ours", "--bin", "parts"]}
COMMAND = {"command": ["--package", "bench-ours", "--bin", "command", "--features", "cli"]}
PEERS = {"rmcp": ["--package", "bench-rmcp"],
         "carried": ["--package", "bench-carried"],
         "tower-mcp": ["--package", "bench-tower-mcp"],
         "tower-mcp-checked": ["--package", "bench-tower-mcp", "--features", "checked"],
         "pmcp": ["--package", "bench-pmcp"]}

# Calls in one measurement under callgrind: enough to include the share of rare work.
EXACT_CALLS = {"order": 20, "search": 50, "row": 50, "text": 10, "list-1000": 5, "list-1000-block": 5, "list-1000-mixed": 5, "build-30": 1, "build-1000": 1, "build-1000-apart": 1}


def exact_calls(workload: str) -> int:
    return EXACT_CALLS.get(workload) or EXACT_CALLS.get(workload.rpartition("-")[2], 100)


def cargo(*arguments: str, target: Path = TARGET) -> list[str]:
    return ["cargo", arguments[0], "--manifest-path", str(HERE / "Cargo.toml"), "--target-dir", str(target), *arguments[1:]]


# Unrelated changes can move a short loop across a boundary of 64 bytes, which changes its time by up to a third.
ALIGNED = "-C llvm-args=-align-loops=64"


def build(programs: list[str], *options: str, target: Path = TARGET, flags: str = "") -> dict[str, Path]:
    """Builds each program separately, so that cargo does not unify their features. `flags` are more flags for rustc."""
    built = {}
    for program in programs:
        command = cargo("build", "--release", "--locked", "--quiet", "--message-format", "json-render-diagnostics", *(OURS | FEATURES | PAGES | QUICK | PARTS | COMMAND | PEERS)[program], *options, target=target)
        done = subprocess.run(command, cwd=ROOT, env=os.environ | {"RUSTFLAGS": f"{ALIGNED} {flags}".strip()}, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"{program}: not built")
        messages = (json.loads(line) for line in done.stdout.splitlines())
        made = next(message["executable"] for message in messages if message.get("executable"))
        # The next build of the same package overwrites this program.
        built[program] = Path(shutil.copy(made, target / f"{program}.program"))
    return built


# A server that has run for a while keeps its memory. Without this setting the allocator of some programs returns the top of the heap to
# the system and requests it again on every call of `text`, which doubles the time.
os.environ |= {"MALLOC_MMAP_THRESHOLD_": str(1 << 26), "MALLOC_TRIM_THRESHOLD_": str(1 << 28)}


# All programs run on the same processor: other processors may be shared with other work.
PROCESSOR = {max(os.sched_getaffinity(0))}


class Program:
    """A running program that answers each line with one line."""

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
        calls = exact_calls(workload)
        return self.number("allocations", contestant, workload, calls) / calls


def contestants(path: Path) -> dict[str, list[str]]:
    """Returns the contestants of a program with their workloads."""
    program = Program(path)
    told = (names.split(":") for names in program.ask("names").split())
    program.close()
    return {name: workloads.split(",") for name, workloads in told}


def callgrind(program: Path, contestant: str, workload: str, out: str) -> float:
    """Returns the instructions of one call, and writes the profile to the file `out`."""
    return counted(program, ["exact", contestant, workload], exact_calls(workload), out)


def counted(program: Path, words: list[str], calls: int, out: str) -> float:
    instrument = ["valgrind", "--tool=callgrind", "--toggle-collect=exactly_measured", f"--callgrind-out-file={out}"]
    command = [*instrument, str(program), *words, str(calls)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    lines = Path(out).read_text().splitlines()
    return int(next(line for line in lines if line.startswith("totals:")).split()[1]) / calls


def instructions(program: Path, contestant: str, workload: str) -> float:
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        return callgrind(program, contestant, workload, out.name)


def instructions_of_tool(program: Path, tool: str) -> float:
    """Counts a call of one tool of a program that has no workloads."""
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        return counted(program, ["exact", tool], 20, out.name)
