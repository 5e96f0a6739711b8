"""A session at a terminal with everything_server, notes_server and asking: help, calls, completion, progress, Ctrl-C, questions.

    python3 .ci/terminal.py EXAMPLES [--show]

EXAMPLES is the directory of the built examples. The programs run on a pseudo-terminal. `--show` prints what a user would see.
Completion is tried with the tab key in bash, zsh and fish.
"""

import fcntl
import json
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
SHOW = "--show" in sys.argv
SERVER = str(EXAMPLES / "everything_server")
# Long enough for a busy machine: a session that works never waits so long.
PATIENCE = 30
CHECKS = {"sessions": 0, "checks": 0}


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, *words, columns=80, environment=None):
        CHECKS["sessions"] += 1
        self.seen, self.words = "", words
        variables = {"PATH": f"{EXAMPLES}:{os.environ['PATH']}", "HOME": HOME, "TERM": "xterm", "LANG": "C.UTF-8"} | (environment or {})
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execvpe(words[0], words, variables)

    def read(self, seconds):
        """Reads what the program has written. Returns False at the end."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError:  # Linux reports a closed terminal so
            data = b""
        self.seen += data.decode(errors="replace")
        return bool(data)

    def expect(self, pattern):
        CHECKS["checks"] += 1
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.seen):
            if not self.read(max(0, end - time.monotonic())) or time.monotonic() > end:
                sys.exit(f"{' '.join(self.words)}: {pattern!r} is not in\n{self.seen!r}")
        return self

    def type(self, keys):
        os.write(self.file, keys.encode())
        return self

    def end(self, code):
        """Waits for the end of the program, and returns what it has written."""
        CHECKS["checks"] += 1
        end = time.monotonic() + PATIENCE
        while self.read(max(0, end - time.monotonic())) and time.monotonic() < end:
            pass
        ended, status = os.waitpid(self.pid, os.WNOHANG if time.monotonic() > end else 0)
        if not ended:
            os.kill(self.pid, signal.SIGKILL)
            sys.exit(f"{' '.join(self.words)}: does not end\n{self.seen!r}")
        os.close(self.file)
        if os.waitstatus_to_exitcode(status) != code:
            sys.exit(f"{' '.join(self.words)}: exit code {os.waitstatus_to_exitcode(status)} instead of {code}\n{self.seen}")
        if SHOW:
            print(f"$ {' '.join([Path(self.words[0]).name, *self.words[1:]])}    # {code}\n{self.seen}")
        return self.seen


def piped(*words, code=0, environment=None, server=SERVER):
    """Runs a server without a terminal."""
    done = subprocess.run([server, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=os.environ | (environment or {}))
    check(done.returncode == code, f"{words}: {done}")
    return done


def check(holds, what):
    CHECKS["checks"] += 1
    if not holds:
        sys.exit(what)


def plain(text):
    """Removes the colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def calls():
    for tool in json.loads(piped("list", "--json").stdout):
        help = Terminal(SERVER, "call", tool["name"], "--help", columns=60).end(0)
        check(f"call {tool['name']}" in help and "Parameters" in help or not tool["inputSchema"].get("properties"), help)
        for line in plain(help).splitlines():
            check(len(line) <= 60 or line.startswith("Usage"), f"wider than the terminal: {line}")
            check(line == line.rstrip(), f"blanks at the end: {line!r}")
    text = Terminal(SERVER, "call", "value_object").end(0)
    check(text == '{\r\n  "x": 1.5,\r\n  "y": -2.0\r\n}\r\n', text)
    text = Terminal(SERVER, "call", "value_echoed", "--digit", "ten", "--flag", "true").end(2)
    for line in ("--digit: expected an integer, got a string", "--flag: not known; did you mean `--flags`?", "--flags: required"):
        check(line in text, text)
    check("\x1b[" in text, "no colours on a terminal")
    text = Terminal(SERVER, "call", "value_echoed", environment={"NO_COLOR": "1"}).end(2)
    check("\x1b" not in text, f"colours in spite of NO_COLOR: {text!r}")
    for variable in ({"CLICOLOR": "0"}, {"TERM": "dumb"}):
        text = Terminal(SERVER, "call", "value_echoed", environment=variable).end(2)
        check("\x1b" not in text, f"colours in spite of {variable}: {text!r}")
    text = Terminal(SERVER, "call", "--color", "always", "value_echoed", environment={"NO_COLOR": "1"}).end(2)
    check("\x1b[" in text, f"no colours in spite of --color always: {text!r}")
    done = piped("call", "value_echoed", code=2)
    check(done.stdout == "" and "\x1b" not in done.stderr, f"{done}")
    done = piped("call", "value_object")
    check((done.stdout, done.stderr) == ('{"x":1.5,"y":-2.0}\n', ""), f"{done}")
    # Each way to write says why it cannot.
    for words in ("--help", "list", "completions bash", "call value_object"):
        done = subprocess.run(["bash", "-c", f'"$0" {words} >/dev/full', SERVER], capture_output=True, text=True)
        check(done.returncode == 1 and "No space left on device" in done.stderr, f"{words}: {done}")
    # A reader that has gone is not an error.
    done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" list --json | head -c 1 >/dev/null', SERVER], capture_output=True, text=True)
    check((done.returncode, done.stderr) == (0, ""), f"{done}")


def progress():
    drawn = Terminal(SERVER, "call", "test_tool_with_progress").end(0)
    check("%" in drawn and "Completed step" in drawn and drawn.endswith("Done in three steps.\r\n"), repr(drawn))
    drawn = Terminal(SERVER, "call", "test_tool_with_progress", environment={"TERM": "dumb"}).end(0)
    check(drawn == "Done in three steps.\r\n", repr(drawn))
    done = piped("call", "--output", "text", "test_tool_with_progress")
    check((done.stdout, done.stderr) == ("Done in three steps.\n", ""), f"{done}")


def interruption():
    # The tool has begun when its spinner turns.
    began = Terminal(SERVER, "call", "wait", "--millis", "60000").expect(r"[|/\\-] 0")
    start = time.monotonic()
    text = began.type("\x03").end(130)
    check("interrupted" in text and time.monotonic() - start < 10, text)
    # The bar and `^C` are wiped.
    check(plain(text.rsplit("\x1b[2K", 1)[-1]).endswith("error: interrupted\r\n") and text.rfind("^C") < text.rfind("\x1b[2K"), repr(text))


def questions():
    asking = str(EXAMPLES / "asking")
    delete, create = ("call", "delete", "--id", "1"), ("call", "create", "--text", "Milk")
    for key, code, expected in [
        ("y\n", 0, "note 1 is deleted"),
        ("perhaps\nyes\n", 0, "note 1 is deleted"),
        ("n\n", 1, "error: the user declined: Delete note 1 for good?"),
        ("\x04", 1, "error: the user closed the question without an answer"),
        ("\x03", 130, "\nerror: interrupted"),
    ]:
        text = Terminal(asking, *delete).expect(r"Delete note 1 for good\? .*\[y/N\] $").type(key).end(code)
        check(expected in plain(text), f"{key!r}: {text}")
    # What is no folder is refused at the field, which is asked again.
    text = Terminal(asking, *create).expect("folder .*: $").type("attic\n").expect("(?s)expected one of .*: $").type("work\n").end(0)
    check(text.endswith("\r\n2\r\n"), text)
    # Nobody is asked without a terminal: the tool is told, and `--yes` answers for the consent alone.
    done = piped(*delete, code=1, server=asking)
    nobody = "error: delete asks for your consent, and there is no terminal to answer on: Delete note 1 for good?"
    check(done.stdout == "" and done.stderr.startswith(nobody) and "call --yes delete" in done.stderr, f"{done}")
    done = piped("call", "--yes", *delete[1:], server=asking)
    check((done.stdout, done.stderr) == ('"note 1 is deleted"\n', ""), f"{done}")
    done = piped(*create, server=asking)
    check((done.stdout, done.stderr) == ("2\n", ""), f"{done}")


def completion():
    tools = {
        "bash": ["bash", "--norc", "--noprofile", "-i"],
        "zsh": ["zsh", "-f", "-i"],
        "fish": ["fish", "--no-config", "-i"],
    }
    for shell, words in tools.items():
        terminal = Terminal(*words, columns=200, environment={"PS1": "ready> ", "fish_greeting": ""})
        load = {
            "bash": "source <(everything_server completions bash)",
            "zsh": "autoload -U compinit; compinit -u -D; source <(everything_server completions zsh)",
            "fish": "everything_server completions fish | source",
        }[shell]
        terminal.type(load + "; echo lo''aded\n").expect(r"\bloaded\b")
        # Each word is unique after its beginning, so that one key completes it.
        for begun, completed in [
            ("everything_server desc", "everything_server describe"),
            ("everything_server help desc", "everything_server help describe"),
            ("everything_server help call value_obj", "everything_server help call value_object"),
            ("everything_server call value_obj", "everything_server call value_object"),
            ("everything_server call wait --mil", "everything_server call wait --millis"),
            ("everything_server call wait --millis 3 --qui", "everything_server call wait --millis 3 --quiet"),
            ("everything_server call --output otc value_obj", "everything_server call --output otc value_object"),
            ("everything_server call json_schema_2020_12_tool --contactMethod ema", "--contactMethod email"),
            ("everything_server call json_schema_2020_12_tool --contactMethod=ema", "--contactMethod=email"),
            ("everything_server completions power", "everything_server completions powershell"),
            ("everything_server install claude-d", "everything_server install claude-desktop"),
            ("everything_server describe value_obj", "everything_server describe value_object"),
        ]:
            terminal.seen = ""
            terminal.type(begun + "\t")
            # The line as the shell has redrawn it; a key ends each attempt.
            end = time.monotonic() + PATIENCE
            line = ""
            while completed not in line and time.monotonic() < end:
                terminal.read(0.2)
                line = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>(][B0]?|[\x07\r]|.\x08", "", terminal.seen)
            check(completed in line, f"{shell} does not complete {begun!r}: {terminal.seen!r}")
            terminal.type("\x15")
        os.kill(terminal.pid, signal.SIGKILL)
        os.waitpid(terminal.pid, 0)
        print(f"{shell} completes commands, tools, flags and values")


def names_first():
    """Bash offers commands and tools before options are asked for with `-`."""
    for line, begun, offered, hidden in [
        ("everything_server", "", "call", "--help"),
        ("everything_server call", "", "value_object", "--output"),
        ("everything_server call", "-", "--output", "value_object"),
        ("everything_server call wait", "", "--millis", "value_object"),
    ]:
        words = line.split()
        script = (
            f"source <({SERVER} completions bash); COMP_WORDS=({line} '{begun}'); COMP_CWORD={len(words)}; "
            f"_everything_server everything_server '{begun}' {words[-1]}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
        words = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True).stdout.split()
        check(offered in words and hidden not in words, f"{line!r} {begun!r}: {words}")


def notes():
    server = str(EXAMPLES / "notes_server")
    environment = {"NOTES_KEY": "key", "NOTES_FILE": str(Path(HOME) / "notes.sqlite")}
    text = Terminal(server, "call", "notes_create", "--title", "Milk", environment=environment).end(0)
    check('"title": "Milk"' in text, text)
    saved = Path(HOME) / "charts"
    text = Terminal(server, "call", "--save", str(saved), "notes_chart", environment=environment).end(0)
    check(text == f"{saved}/image-1.png\r\n" and (saved / "image-1.png").read_bytes().startswith(b"\x89PNG"), text)
    text = Terminal(server, "call", "notes_read", "--id", "99", environment=environment).end(1)
    check("there is no note 99" in text and "search for the note to learn its id" in text, text)
    text = Terminal(server, "list", columns=40).end(0)
    check(all(len(line) <= 40 for line in text.splitlines()), text)


def serving():
    Terminal(SERVER).expect("speaks the Model Context Protocol").type("\x04").end(0)


HOME = tempfile.mkdtemp()
try:
    for part in (calls, progress, interruption, questions, completion, names_first, notes, serving):
        part()
finally:
    shutil.rmtree(HOME, ignore_errors=True)
print(f"{CHECKS['checks']} checks in {CHECKS['sessions']} sessions at a terminal, 0 failed")
