"""Uses everything_server and asking at a terminal: help, calls, completion, progress, Ctrl-C, questions. `tests/it/cli` tests what a terminal does
not decide.

    python3 .ci/terminal.py EXAMPLES

EXAMPLES is the directory of the built examples. Completion is tried with the tab key in bash, zsh and fish.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))
import environment

environment.in_venv()

import io
import os
import re
import subprocess
import tempfile

import pexpect

# What moves the cursor or sets colours.
MOVES = r"(?:\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>(][B0]?|\x07|.\x08)*"
DELETE, ECHOED = "asking call delete --id 1", "everything_server call value_echoed"
PROGRESS, WAIT = "everything_server call test_tool_with_progress", "everything_server call wait --millis 60000"
# The command, pairs of a text and what to type when it has appeared, the exit code, what is shown, what is not, and the environment.
ON_A_TERMINAL = [
    ("everything_server", [("speaks the Model Context Protocol", "\x04")], 0, [], [], {}),
    ("everything_server call value_object", [], 0, ['{\r\n  "x": 1.5,\r\n  "y": -2.0\r\n}\r\n'], ["\x1b"], {}),
    (f"{ECHOED} --digit ten", [], 2, ["--digit: expected an integer, got a string", "\x1b["], [], {}),
    *((ECHOED, [], 2, ["error"], ["\x1b"], off) for off in ({"NO_COLOR": "1"}, {"CLICOLOR": "0"}, {"TERM": "dumb"})),
    (f"{ECHOED} --color always", [], 2, ["\x1b["], [], {"NO_COLOR": "1"}),
    (PROGRESS, [], 0, ["%", "Completed step", "Done in three steps.\r\n"], [], {}),
    (PROGRESS, [], 0, ["Done in three steps.\r\n"], ["%", "\x1b"], {"TERM": "dumb"}),
    # The tool has begun when it reports 0. The report and `^C` are wiped.
    (WAIT, [("\x1b[2K0", "\x03")], 130, ["^C\r\x1b[2K\x1b[1;31merror:\x1b[0m interrupted\r\n"], [], {}),
    (DELETE, [("[y/N] ", "y\n")], 0, ["note 1 is deleted"], [], {}),
    (DELETE, [("[y/N] ", "perhaps\n"), ("[y/N] ", "yes\n")], 0, ["note 1 is deleted"], [], {}),
    (DELETE, [("[y/N] ", "n\n")], 1, ["the user declined: Delete note 1 for good?"], [], {}),
    (DELETE, [("[y/N] ", "\x04")], 1, ["the user closed the question without an answer"], [], {}),
    (DELETE, [("[y/N] ", "\x03")], 130, [" interrupted"], [], {}),
    # What is no folder is refused at the field, which is asked again.
    ("asking call create --text Milk", [("folder", "attic\n"), ("expected one of", "work\n")], 0, ["\r\n2\r\n"], [], {}),
]
# The command in a shell, the exit code, the output, and the pattern of the error stream.
PIPED = [
    (ECHOED, 2, "", "error: .*"),
    ("everything_server call value_object", 0, '{"x":1.5,"y":-2.0}\n', ""),
    (DELETE, 1, "", "error: delete asks for your consent, and there is no terminal to answer on: .*"),
    *((f"everything_server {words} >/dev/full", 1, "", ".*No space left on device.*") for words in ("--help", "list", "completions bash", "call value_object")),
    # A reader that has gone is not an error.
    ("set -o pipefail; everything_server list --json | head -c 1 >/dev/null", 0, "", ""),
]
SHELLS = {
    "bash --norc --noprofile -i": "source <(everything_server completions bash)",
    "zsh -f -i": "autoload -U compinit; compinit -u -D; source <(everything_server completions zsh)",
    "fish --no-config -i": "everything_server completions fish | source",
}
# What is typed before the tab key, and then shown. Each word is unique after its beginning, so that one key completes it.
COMPLETED = [
    ("desc", "describe"),
    ("help desc", "help describe"),
    ("help call value_obj", "help call value_object"),
    ("call value_obj", "call value_object"),
    ("call wait --mil", "call wait --millis"),
    ("call wait --millis 3 --qui", "call wait --millis 3 --quiet"),
    ("call --output mcp value_obj", "call --output mcp value_object"),
    ("call json_schema_2020_12_tool --contactMethod ema", "--contactMethod email"),
    ("call json_schema_2020_12_tool --contactMethod=ema", "--contactMethod=email"),
    ("completions power", "completions powershell"),
    ("install claude-d", "install claude-desktop"),
    ("describe value_obj", "describe value_object"),
]


def session(words, keys, code, shown, hidden, variables, columns=80):
    # Long enough for a busy machine: a session that works never waits so long.
    terminal = pexpect.spawn(words, env=own | variables, dimensions=(24, columns), timeout=30, encoding="utf-8")
    terminal.logfile_read = io.StringIO()
    for text, typed in keys:
        terminal.expect(MOVES.join(map(re.escape, text)))
        terminal.send(typed)
    terminal.expect(pexpect.EOF)
    terminal.close()
    text = terminal.logfile_read.getvalue()
    if terminal.exitstatus != code or not all(part in text for part in shown) or any(part in text for part in hidden):
        sys.exit(f"{words} {keys} {variables}: exit code {terminal.exitstatus} instead of {code}, without {shown}, or with {hidden}: {text!r}")
    return text


with tempfile.TemporaryDirectory() as home:
    own = {"PATH": f"{Path(sys.argv[1]).resolve()}:{os.environ['PATH']}", "HOME": home, "TERM": "xterm", "LANG": "C.UTF-8"}
    for case in ON_A_TERMINAL:
        session(*case)
    page = session("everything_server call json_schema_2020_12_tool --help", [], 0, ["Usage"], [], {}, columns=60)
    if wide := [line for line in re.sub(MOVES, "", page).splitlines() if len(line) > 60 and not line.startswith("Usage")]:
        sys.exit(f"wider than the terminal: {wide}")
    for words, code, output, errors in PIPED:
        done = subprocess.run(["bash", "-c", words], env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if (done.returncode, done.stdout) != (code, output) or not re.fullmatch(errors, done.stderr, re.DOTALL) or "\x1b" in done.stderr:
            sys.exit(f"{words}: {done}")
    for shell, load in SHELLS.items():
        # The key before clears the line.
        typed = [f"{load}; echo lo''aded\n", *(f"\x15everything_server {begun}\t" for begun, _ in COMPLETED), "\x15exit 0\n"]
        steps = zip(["", "loaded", *(completed for _, completed in COMPLETED)], typed)
        session(shell, list(steps), 0, [], [], {"PS1": "ready> ", "fish_greeting": ""}, columns=200)
        print(f"{shell.split()[0]} completes commands, tools, flags and values")
print("the command line works at a terminal")
