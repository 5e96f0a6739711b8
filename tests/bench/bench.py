"""Measures what a call costs.

Usage: bench.py table [--only PROGRAM]… [WORKLOAD]…     everything, or these programs and workloads
       bench.py count [--only PROGRAM]… [WORKLOAD]…     the same without times: needs no quiet machine
       bench.py goals                                  the ratios that the library aims at, with their aims, in about five minutes
       bench.py guide                                  the rows of docs/guide/performance.md alone
       bench.py floor                                  whether the floor writes the same bytes as ours
       bench.py budget [--few | --write]               ours against budget.json, without calls that share their way with others, or that file anew
       bench.py features                               what the features `ask` and `tasks` cost tools that do not use them, in instructions
       bench.py tasks                                  what the key `task` costs a call that ends at once, in instructions
       bench.py pages                                  what it costs to cut a page of 10,000 items, in instructions
       bench.py builds                                 what link-time and profile-guided optimisation gain
       bench.py startup                                what a command takes on a server of 150 tools
       bench.py profile PROGRAM CONTESTANT WORKLOAD    the functions that most instructions are spent in
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter

import budget
import builds
import goals
import startup
from programs import build, callgrind
from table import GUIDE, GUIDE_PROGRAMS, table


def spent(out: str, inclusive: bool) -> Counter:
    """Returns instructions by function. Inlined code counts for the function that it was inlined into."""
    options = ["--auto=no", "--threshold=100", f"--inclusive={'yes' if inclusive else 'no'}"]
    told = subprocess.run(["callgrind_annotate", *options, out], capture_output=True, text=True, check=True)
    functions = Counter()
    for row in told.stdout.splitlines():
        # 55,800 ( 6.10%)  path/of/file.rs:function'2 [object]
        if read := re.match(r" *([\d,]+) \([ \d.]+%\)  (?:\S*?\.\w+|\?+):(.*?)('\d+)?(?: \[\S*\])?$", row):
            count, function, inner = int(read[1].replace(",", "")), read[2], read[3]
            if not inclusive:
                functions[function] += count
            elif not inner:  # the outer call of a recursion includes the inner calls
                functions[function] = max(functions[function], count)
    return functions


def profile(program: str, contestant: str, workload: str):
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        each = callgrind(build([program])[program], contestant, workload, out.name)
        alone, called = spent(out.name, False), spent(out.name, True)
    total = alone.total()
    for title, functions in (("in a function itself", alone), ("with all that the function calls", called)):
        print(f"\n{each:,.0f} instructions a call, {title}")
        on_the_way = sum(count >= 0.995 * total for count in functions.values())
        for function, count in functions.most_common()[on_the_way : on_the_way + 40]:
            print(f"{count / total:>6.1%} {each * count / total:>10,.0f}  {function[:150]}")


def main():
    match sys.argv[1:]:
        case ["table" | "count" as what, *rest]:
            programs = [at + 1 for at, word in enumerate(rest) if word == "--only"]
            only = [rest[at] for at in programs]
            wanted = [word for at, word in enumerate(rest) if word != "--only" and at not in programs]
            table(wanted, only, is_timed=what == "table")
        case ["goals"]:
            goals.goals(lambda out: spent(out, inclusive=True))
        case ["guide"]:
            table(list(GUIDE.values()), GUIDE_PROGRAMS)
        case ["features"]:
            budget.check_features()
        case ["tasks"]:
            budget.check_quick_task()
        case ["pages"]:
            budget.check_pages()
        case ["floor"]:
            budget.check_floor()
        case ["budget"]:
            budget.check()
        case ["budget", "--few"]:
            budget.check(left_out=("bare-", "message-", "stdio-"))
        case ["budget", "--write"]:
            budget.write()
        case ["builds"]:
            builds.compare()
        case ["startup"]:
            startup.check()
        case ["profile", program, contestant, workload]:
            profile(program, contestant, workload)
        case _:
            sys.exit(__doc__)


main()
