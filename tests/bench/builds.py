"""What other builds of the same program gain: link-time optimisation, and optimisation guided by a profile of the calls that are measured.

Profile-guided optimisation needs `rustup component add llvm-tools`.
"""

import subprocess
import sys
from pathlib import Path

from programs import TARGET, Program, build
from table import timed

WORKLOADS = ["add", "row", "search", "order", "text", "http-add", "http-row", "stdio-add", "stdio-row"]
PROFILED_CALLS = 300
LINK_TIME = ["--config", 'profile.release.lto="fat"', "--config", "profile.release.codegen-units=1"]


def merge(folder: Path) -> Path:
    """Merges the profiles in a folder into one file for rustc."""
    toolchain = Path(subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True).stdout.strip())
    tool = next(toolchain.glob("lib/rustlib/*/bin/llvm-profdata"), None)
    if tool is None:
        sys.exit("run `rustup component add llvm-tools` first")
    merged = folder / "merged.profdata"
    subprocess.run([tool, "merge", "-o", merged, *folder.glob("*.profraw")], check=True)
    return merged


def guided() -> Path:
    """Builds the program with a profile of the workloads, both of this library and of the floor."""
    # Always the same folder: with another path in the flags, cargo would compile everything again.
    target = TARGET / "guided"
    profile = target / "profile"
    recorder = build(["checked"], target=target / "recorder", flags=f"-C profile-generate={profile}")["checked"]
    # The macros and build scripts have recorded profiles too.
    for left in profile.glob("*.profraw"):
        left.unlink()
    program = Program(recorder)
    for workload in WORKLOADS:
        for contestant in ("checked", "floor"):
            program.number("time", contestant, workload, PROFILED_CALLS)
    program.close()
    return build(["checked"], target=target, flags=f"-C profile-use={merge(profile)}")["checked"]


def compare():
    programs = {
        "default": build(["checked"])["checked"],
        "link-time": build(["checked"], *LINK_TIME, target=TARGET / "link-time")["checked"],
        "guided": guided(),
    }
    print(f"{'':<12} {'saved by':>10} {'saved by':>10}   {'time, to the floor of the same build':>40}")
    print(f"{'workload':<12} {'link-time':>10} {'guided':>10}   {'default':>14} {'link-time':>12} {'guided':>12}")
    for workload in WORKLOADS:
        entries = {(name, contestant): (path, contestant, workload) for name, path in programs.items() for contestant in ("checked", "floor")}
        times = timed(entries)
        saved = [1 - times[name, "checked"] / times["default", "checked"] for name in ("link-time", "guided")]
        ratios = [times[name, "checked"] / times[name, "floor"] for name in programs]
        print(f"{workload:<12} {saved[0]:>10.0%} {saved[1]:>10.0%}   {ratios[0]:>14.2f} {ratios[1]:>12.2f} {ratios[2]:>12.2f}", flush=True)
