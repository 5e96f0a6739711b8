"""Uses everything_server, notes_server and asking at a terminal: help, calls, completion, progress, Ctrl-C, questions.

    python3 .ci/terminal.py EXAMPLES

EXAMPLES is the directory of the built examples. Completion is tried with the tab key in bash, zsh and fish.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

EXAMPLES = Path(sys.argv[1]).resolve()
SERVER, ASKING, NOTES = (str(EXAMPLES / name) for name in ("everything_server", "asking", "notes_server"))
HOME = tempfile.mkdtemp()
# Long enough for a busy machine: a session that works never waits so long.
PATIENCE = 30


def check(holds, what):
    if not holds:
        sys.exit(what)


def plain(text):
    """Removes what moves the cursor or sets colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>(][B0]?|\x07|.\x08", "", text)


def session(*words, keys=(), code=0, columns=80, **variables):
    """Runs a program on a pseudo-terminal, and returns what it writes. `keys` are pairs: a pattern, and what to type when it has appeared."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        own = {"PATH": f"{EXAMPLES}:{os.environ['PATH']}", "HOME": HOME, "TERM": "xterm", "LANG": "C.UTF-8"}
        os.execvpe(words[0], words, own | variables)
    seen, since, keys, end = b"", 0, list(keys), time.monotonic() + PATIENCE
    while True:
        if keys and re.search(keys[0][0], plain(seen[since:].decode(errors="replace"))):
            since, end = len(seen), time.monotonic() + PATIENCE
            os.write(terminal, keys.pop(0)[1].encode())
        try:
            ready = select.select([terminal], [], [], max(0, end - time.monotonic()))[0]
            data = os.read(terminal, 65536) if ready else b""
        except OSError:  # Linux reports a closed terminal so
            data = b""
        if not data:
            break
        seen += data
    if time.monotonic() > end:
        os.kill(pid, signal.SIGKILL)
    ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    text = seen.decode(errors="replace")
    check(not keys and ended == code, f"{' '.join(words)}: exit code {ended} instead of {code}, waits for {keys[:1]}\n{text!r}")
    return text


def piped(server, words, code=0):
    """Runs a server without a terminal."""
    done = subprocess.run([server, *words.split()], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    check(done.returncode == code, f"{words}: {done}")
    return done.stdout, done.stderr


NOTES_OF = {"NOTES_KEY": "key", "NOTES_FILE": f"{HOME}/notes.sqlite"}
# The server, the words, the environment, the exit code, what is shown (the whole text, or its parts), and what is not.
ON_A_TERMINAL = [
    (SERVER, "call value_object", {}, 0, '{\r\n  "x": 1.5,\r\n  "y": -2.0\r\n}\r\n', []),
    (
        SERVER, "call value_echoed --digit ten --flag true", {}, 2,
        ["--digit: expected an integer, got a string", "--flag: not known; did you mean `--flags`?", "--flags: required", "\x1b["], [],
    ),
    *((SERVER, "call value_echoed", off, 2, [], ["\x1b"]) for off in ({"NO_COLOR": "1"}, {"CLICOLOR": "0"}, {"TERM": "dumb"})),
    (SERVER, "call --color always value_echoed", {"NO_COLOR": "1"}, 2, ["\x1b["], []),
    (SERVER, "call test_tool_with_progress", {}, 0, ["%", "Completed step", "Done in three steps.\r\n"], []),
    (SERVER, "call test_tool_with_progress", {"TERM": "dumb"}, 0, "Done in three steps.\r\n", []),
    (NOTES, "call notes_create --title Milk", NOTES_OF, 0, ['"title": "Milk"'], []),
    (NOTES, "call notes_chart", NOTES_OF, 0, ["[image of type image/png, "], []),
    (NOTES, "call notes_read --id 99", NOTES_OF, 1, ["there is no note 99", "search for the note to learn its id"], []),
]
NOBODY = "error: delete asks for your consent, and there is no terminal to answer on: Delete note 1 for good?"
# The server, the words, the exit code, the output, and the start of what is on the error stream.
PIPED = [
    (SERVER, "call value_echoed", 2, "", "error: "),
    (SERVER, "call value_object", 0, '{"x":1.5,"y":-2.0}\n', None),
    (SERVER, "call --output text test_tool_with_progress", 0, "Done in three steps.\n", None),
    # Nobody is asked: the tool is told, and `--yes` answers for the consent alone.
    (ASKING, "call delete --id 1", 1, "", NOBODY),
    (ASKING, "call --yes delete --id 1", 0, '"note 1 is deleted"\n', None),
    (ASKING, "call create --text Milk", 0, "2\n", None),
]


def calls():
    # `tests/it/cli` has more widths. Here, the terminal says how wide it is.
    for server, words, columns in ((SERVER, "call json_schema_2020_12_tool --help", 60), (NOTES, "list", 40)):
        for line in plain(session(server, *words.split(), columns=columns, **NOTES_OF)).splitlines():
            check(len(line) <= columns or line.startswith("Usage"), f"wider than the terminal: {line}")
    for server, words, variables, code, shown, hidden in ON_A_TERMINAL:
        text = session(server, *words.split(), code=code, **variables)
        whole = [shown] if isinstance(shown, str) else shown
        check(all(part in text for part in whole) and (whole is shown or text == shown), f"{words}: {shown} is not in {text!r}")
        check(not any(part in text for part in hidden), f"{words} {variables}: {hidden} is in {text!r}")
    for server, words, code, output, start in PIPED:
        out, errors = piped(server, words, code)
        says = errors == "" if start is None else errors.startswith(start) and "\x1b" not in errors
        check(out == output and says, f"{words}: {out!r} {errors!r}")
    check("call --yes delete" in piped(ASKING, "call delete --id 1", 1)[1], "no word about --yes")
    # Each way to write says why it cannot.
    for words in ("--help", "list", "completions bash", "call value_object"):
        done = subprocess.run(["bash", "-c", f'"$0" {words} >/dev/full', SERVER], capture_output=True, text=True)
        check(done.returncode == 1 and "No space left on device" in done.stderr, f"{words}: {done}")
    # A reader that has gone is not an error.
    done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" list --json | head -c 1 >/dev/null', SERVER], capture_output=True, text=True)
    check((done.returncode, done.stderr) == (0, ""), f"{done}")


def keys():
    session(SERVER, keys=[("speaks the Model Context Protocol", "\x04")])
    # The tool has begun when its spinner turns. The bar and `^C` are wiped.
    text = session(SERVER, "call", "wait", "--millis", "60000", keys=[(r"[|/\\-] 0", "\x03")], code=130)
    check(plain(text.rsplit("\x1b[2K", 1)[-1]).endswith("error: interrupted\r\n") and text.rfind("^C") < text.rfind("\x1b[2K"), repr(text))
    for typed, code, expected in [
        ("y\n", 0, "note 1 is deleted"),
        ("perhaps\nyes\n", 0, "note 1 is deleted"),
        ("n\n", 1, "error: the user declined: Delete note 1 for good?"),
        ("\x04", 1, "error: the user closed the question without an answer"),
        ("\x03", 130, "\nerror: interrupted"),
    ]:
        text = session(ASKING, "call", "delete", "--id", "1", keys=[(r"Delete note 1 for good\? .*\[y/N\] $", typed)], code=code)
        check(expected in plain(text), f"{typed!r}: {text}")
    # What is no folder is refused at the field, which is asked again.
    typed = [("folder .*: $", "attic\n"), ("(?s)expected one of .*: $", "work\n")]
    text = session(ASKING, "call", "create", "--text", "Milk", keys=typed)
    check(text.endswith("\r\n2\r\n"), text)


SHELLS = {
    "bash --norc --noprofile -i": "source <(everything_server completions bash)",
    "zsh -f -i": "autoload -U compinit; compinit -u -D; source <(everything_server completions zsh)",
    "fish --no-config -i": "everything_server completions fish | source",
}
# Each word is unique after its beginning, so that one key completes it.
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


def completion():
    for shell, load in SHELLS.items():
        wait, typed = "", load + "; echo lo''aded\n"
        steps = []
        for begun, completed in [("", r"\bloaded\b"), *COMPLETED]:
            if begun:
                # The key before clears the line.
                typed = f"\x15everything_server {begun}\t"
            steps.append((wait, typed))
            wait = completed
        steps.append((wait, "\x15exit 0\n"))
        session(*shell.split(), keys=steps, columns=200, PS1="ready> ", fish_greeting="")
        print(f"{shell.split()[0]} completes commands, tools, flags and values")


try:
    for part in (calls, keys, completion):
        part()
finally:
    shutil.rmtree(HOME, ignore_errors=True)
print("the command line works at a terminal")
