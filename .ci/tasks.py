"""Kills the workers, the fronts and the database of the example `renderer`, and checks that each task ends once, and that a tool with `once`
acts once, however often its client calls again.

    tasks.py RENDERER [--tasks N] [--kills N] [--down SECONDS | --suspended SECONDS] [postgres | redis | sqlite | alone]…

postgres, redis, sqlite   two fronts and three workers, a worker killed or suspended every second, each front restarted twice
alone                     one process that is front and worker, on a file, killed at random moments

With `--down`, the database stops for that time in the middle. With `--suspended`, Redis is suspended for that time. Everybody is killed with
SIGKILL. Exits with 77 if Postgres or Redis is not installed.
"""

import argparse
import collections
import glob
import http.client
import itertools
import json
import os
import pwd
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LEASE = 2
USERS = ["ann", "bob"]
VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
    "io.modelcontextprotocol/clientInfo": {"name": "tasks.py", "version": "1"},
}
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class File:
    # Each end of a task leaves a row.
    audit = """
        CREATE TABLE ends (id TEXT, outcome TEXT);
        CREATE TRIGGER ends AFTER UPDATE OF outcome ON mcp_tool_tasks WHEN NEW.outcome IS NOT OLD.outcome
        BEGIN INSERT INTO ends VALUES (NEW.id, NEW.outcome); END;"""

    def __init__(self, folder):
        self.path = folder / "tasks.db"
        self.url = f"sqlite:{self.path}"

    def connect(self):
        return sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)

    def query(self, sql):
        return [word for (word,) in self.connect().execute(sql)]

    def script(self, sql):
        self.connect().executescript(sql)

    def stop(self):
        self.lock = self.connect()
        self.lock.execute("BEGIN EXCLUSIVE")

    def start(self):
        self.lock.close()

    def close(self):
        pass

    def unfinished(self):
        return int(self.query("SELECT count(*) FROM mcp_tool_tasks WHERE outcome IS NULL")[0])

    def ends(self):
        """The id of a task for each time that it ended."""
        return self.query("SELECT id FROM ends")

    def recorded(self):
        return set(self.query("SELECT id FROM mcp_tool_tasks"))


class Postgres(File):
    audit = """
        CREATE TABLE ends (id TEXT, outcome TEXT);
        CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN INSERT INTO ends VALUES (NEW.id, NEW.outcome); RETURN NEW; END';
        CREATE TRIGGER ends AFTER UPDATE OF outcome ON mcp_tool_tasks FOR EACH ROW
            WHEN (NEW.outcome IS DISTINCT FROM OLD.outcome) EXECUTE FUNCTION note_end();"""

    def __init__(self, folder):
        self.programs = Path(needed(glob.glob("/usr/lib/postgresql/*/bin"), "Postgres")[-1])
        # The server refuses root.
        user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else os.getuid()
        self.folder = folder / "postgres"
        self.folder.mkdir()
        folder.chmod(0o755)
        os.chown(self.folder, user, -1)
        self.options = {"user": user, "cwd": self.folder}
        self.run("initdb", "-D", "data", "-U", "tasks", "-A", "trust", "--no-sync")
        self.url = f"postgres://tasks@{str(self.folder).replace('/', '%2F')}/postgres"
        self.start()

    def run(self, program, *arguments):
        command = [self.programs / program, *arguments]
        return subprocess.run(command, **self.options, check=True, capture_output=True, text=True).stdout

    def start(self):
        arguments = ["-D", "data", "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        self.server = subprocess.Popen([self.programs / "postgres", *arguments], **self.options, **QUIET)
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", self.folder]).returncode:
            time.sleep(0.1)

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        self.server.wait()

    close = stop

    def query(self, sql):
        return self.run("psql", "-h", self.folder, "-U", "tasks", "-At", "-c", sql, "postgres").splitlines()

    script = query


class Redis(File):
    """A server that never rewrites its log, so that the log says what happened."""

    audit = ""

    def __init__(self, folder):
        needed(shutil.which("redis-server"), "Redis")
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        settings = "--save '' --appendonly yes --appendfsync always --auto-aof-rewrite-percentage 0"
        self.server = subprocess.Popen(f"exec redis-server --port {self.port} {settings}", shell=True, cwd=self.folder, **QUIET)
        while self.query("PING") != ["PONG"]:
            time.sleep(0.1)

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def close(self):
        self.server.kill()
        self.server.wait()

    def query(self, command):
        words = ["redis-cli", "-p", str(self.port), *command.split()]
        return subprocess.run(words, capture_output=True, text=True).stdout.splitlines()

    def script(self, _):
        pass

    def unfinished(self):
        return int((self.query("HGET mcp-tool:{mcp-tool}:unfinished all") or ["0"])[0] or 0)

    def ends(self):
        logs = b"".join(path.read_bytes() for path in sorted(self.folder.glob("appendonlydir/*.aof")))
        return [task.decode() for task in re.findall(rb"}:task:(\w+)\r\n\$7\r\noutcome\r\n", logs)]

    def recorded(self):
        return {key.rpartition(":")[2] for key in self.query("--scan --pattern mcp-tool:{mcp-tool}:task:*")}


def needed(program, name):
    if not program:
        print(f"{name} is not installed")
        sys.exit(77)
    return program


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Process:
    """A renderer that can be killed and started again."""

    def __init__(self, *arguments):
        self.arguments = [options.renderer, *map(str, arguments)]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.arguments, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.kill()
        self.start()

    def suspend(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        # If it has been killed since, nothing happens.
        threading.Timer(seconds, self.process.send_signal, [signal.SIGCONT]).start()


def send(port, user, method, params, name):
    """Sends a request. Returns the message that answers it, or `None` if nobody knows whether the server got the request."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}})
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": method,
        "Mcp-Name": name,
        "Authorization": f"Bearer {user}",
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", "/mcp", body, headers)
        text = connection.getresponse().read().decode()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    if text.startswith(("event:", "data:", ":", "id:")):
        text = [line[5:] for line in text.splitlines() if line.startswith("data:") and len(line) > 6][-1]
    return json.loads(text)


class Trial:
    def __init__(self, database, fronts, workers):
        """Each front and worker is a list of options."""
        self.database = database
        self.random = random.Random(options.seed)
        self.lock = threading.Lock()
        self.tasks = {}  # By id: user, tool, scene, and the end, once it is seen.
        self.announced = []
        self.counts = collections.Counter()
        self.is_submitting = True
        self.problems = 0
        self.ports = [free_port() for _ in fronts]
        shared = ["--engine", database.url, "--lease", LEASE]
        self.fronts = [Process(*shared, "--serve", f"127.0.0.1:{port}", *more) for port, more in zip(self.ports, fronts)]
        self.workers = [Process(*shared, *more) for more in workers]

    def problem(self, text):
        self.problems += 1
        print("PROBLEM:", text, flush=True)

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def submit(self, number):
        """Calls a tool until a server takes the call. Each attempt is another scene, since nobody knows what became of the last one."""
        user = USERS[number % 2]
        if number % 5 == 1:
            return self.announce(f"announcement-{number}", user)
        for attempt in range(1_000):
            scene = f"scene-{number}-{attempt}"
            tool, arguments = "publish", {"scene": scene}
            if number % 5:
                tool, arguments = "render", {"scene": scene, "frames": 1 + number % 7, "milliseconds_per_frame": 150}
            answer = send(self.random.choice(self.ports), user, "tools/call", {"name": tool, "arguments": arguments}, tool)
            result = (answer or {}).get("result", {})
            if result.get("resultType") == "task":
                with self.lock:
                    self.tasks[result["taskId"]] = {"user": user, "tool": tool, "scene": scene, "end": None}
                return
            if result and not result.get("isError"):
                return self.count("calls answered at once")
            self.count("calls refused" if answer else "calls without an answer")
            time.sleep(0.2)
        self.problem(f"no server takes call {number}")

    def announce(self, scene, user):
        """Calls a tool with `once` until there is an answer. The same call is the same act, whoever was killed meanwhile."""
        for _ in range(1_000):
            answer = send(self.random.choice(self.ports), user, "tools/call", {"name": "announce", "arguments": {"scene": scene}}, "announce")
            result = (answer or {}).get("result", {})
            text = json.dumps(result.get("content", ""))
            if "outcome of" in text:
                return self.count("announce: outcome not known")
            if result and not result.get("isError"):
                self.announced.append(scene)
                is_replayed = "rs.mcp-tool/replayed" in result["_meta"]
                self.count("announce: replayed" if is_replayed else "announce: done")
                if scene not in text:
                    self.problem(f"{scene} has the result of another call: {text}")
                return
            self.count("announcements repeated")
            time.sleep(0.2)
        self.problem(f"no server takes {scene}")

    def poll(self):
        """Polls all tasks, for their owners and for strangers, until they have ended and nobody submits more."""
        while time.monotonic() < self.deadline:
            with self.lock:
                open_tasks = [(task_id, task) for task_id, task in self.tasks.items() if task["end"] is None]
                if not open_tasks and not self.is_submitting:
                    return
            for task_id, task in self.random.sample(open_tasks, min(len(open_tasks), 20)):
                self.look(task_id, task)
                if self.random.random() < 0.2:
                    self.pry(task_id, task)
            time.sleep(0.02)

    def get(self, task_id, user):
        """Returns the answer, or `None` if there is none, or if the database does not answer (-32603)."""
        answer = send(self.random.choice(self.ports), user, "tasks/get", {"taskId": task_id}, task_id)
        return None if answer is None or answer.get("error", {}).get("code") == -32603 else answer

    def look(self, task_id, task):
        answer = self.get(task_id, task["user"])
        if answer is None:
            return
        if "error" in answer:
            return self.problem(f"{task_id} is lost: {answer['error']}")
        result = answer["result"]
        if result["status"] != "working":
            end = json.dumps({key: result.get(key) for key in ("status", "result", "error")}, sort_keys=True)
            with self.lock:
                before, task["end"] = task["end"], end
            if before not in (None, end):
                self.problem(f"{task_id} ended twice: {before} and {end}")

    def pry(self, task_id, task):
        answer = self.get(task_id, next(user for user in USERS if user != task["user"]))
        if answer is None:
            return
        self.count("looks of strangers")
        if answer.get("error", {}).get("code") != -32602:
            self.problem(f"a stranger reads {task_id}: {answer}")

    def disturb(self):
        """Kills and suspends workers, and restarts fronts, until all tasks have ended."""
        second = 0
        while not self.has_ended.wait(1):
            second += 1
            worker = self.random.choice(self.workers)
            if second % 4 == 0:
                # It comes back when its tasks run elsewhere.
                worker.suspend(2 * LEASE)
                self.count("workers suspended")
            else:
                worker.restart()
                self.count("workers killed")
            if second in (2, 4, 6, 8):
                self.fronts[second // 2 % 2].restart()
                self.count("fronts killed")
            if second == 5 and options.down:
                self.database.stop()
                time.sleep(options.down)
                self.database.start()
            if second == 5 and options.suspended:
                self.database.server.send_signal(signal.SIGSTOP)
                time.sleep(options.suspended)
                self.database.server.send_signal(signal.SIGCONT)

    def disturb_one(self):
        for _ in range(options.kills):
            # Most processes do not live long enough to take over what the last one did.
            time.sleep(self.random.uniform(*self.random.choices([(0.05, 1), (LEASE + 1, 2 * LEASE + 1)], [7, 3])[0]))
            self.fronts[0].restart()
            self.count("processes killed")

    def run(self):
        """Submits calls amid the chaos, and waits for the ends. With one process, the calls go on as long as the chaos does."""
        for port in self.ports:
            while socket.socket().connect_ex(("127.0.0.1", port)):
                time.sleep(0.1)
        self.database.script(self.database.audit)
        start = time.monotonic()
        # Well before tasks expire.
        self.deadline = start + 480
        self.has_ended = threading.Event()
        numbers = itertools.count()
        is_endless = not self.workers
        disturber = threading.Thread(target=self.disturb_one if is_endless else self.disturb)

        def client():
            # The next number is one step of the interpreter, so no two clients get the same.
            for number in numbers:
                if not disturber.is_alive() if is_endless else number >= options.tasks:
                    return
                self.submit(number)
                time.sleep(0.5 * is_endless)

        clients = [threading.Thread(target=client) for _ in range(4 if is_endless else 8)]
        pollers = [threading.Thread(target=self.poll) for _ in range(4)]
        for thread in [disturber, *clients, *pollers]:
            thread.start()
        for thread in clients:
            thread.join()
        self.is_submitting = False
        for thread in pollers:
            thread.join()
        ended = time.monotonic() - start
        self.has_ended.set()
        disturber.join()
        # Calls that nobody knows the ids of end as well.
        while self.database.unfinished() and time.monotonic() < self.deadline:
            time.sleep(0.2)
        return ended

    def check(self, cinema):
        for task_id, task in self.tasks.items():
            self.look(task_id, task)
            if task["end"] is None:
                self.problem(f"{task_id} does not end")
        ends, recorded = collections.Counter(self.database.ends()), self.database.recorded()
        shown = collections.Counter(cinema.read_text().split() if cinema.exists() else [])
        for what, wrong in [
            ("not ended in the database", range(self.database.unfinished())),
            ("ended more than once in the database", [task_id for task_id, count in ends.items() if count > 1]),
            ("not recorded", range(len(self.tasks) - len(recorded))),
            ("recorded without an end", recorded - set(ends)),
            ("announced without an act", [scene for scene in self.announced if not shown[scene]]),
            ("published or announced more than once", [scene for scene, count in shown.items() if count > 1]),
        ]:
            if wrong:
                self.problem(f"{what}: {wrong}")
        for task in self.tasks.values():
            end = json.loads(task["end"] or "{}")
            result = end.get("result") or {}
            text = json.dumps(result.get("content", ""))
            if end.get("status") != "completed" or result.get("isError") and "outcome of" not in text:
                self.problem(f"{task['scene']}: {end}")
            elif result.get("isError"):
                self.counts[f"{task['tool']}: outcome not known"] += 1
            else:
                self.counts[f"{task['tool']}: done"] += 1
                if task["scene"] not in text or task["tool"] == "publish" and not shown[task["scene"]]:
                    self.problem(f"{task['scene']} has the result of another call: {text}")


def main():
    for name in options.settings:
        folder = Path(tempfile.mkdtemp(prefix="mcp-tool-tasks-"))
        cinema = folder / "cinema.txt"
        os.environ["CINEMA"] = str(cinema)
        database = {"postgres": Postgres, "redis": Redis}.get(name, File)(folder)
        work = ["--work", options.work]
        trial = Trial(database, [work], []) if name == "alone" else Trial(database, [[], []], [work] * 3)
        try:
            seconds = trial.run()
            trial.check(cinema)
        finally:
            for process in [*trial.fronts, *trial.workers]:
                process.kill()
            database.close()
            shutil.rmtree(folder, ignore_errors=True)
        counts = ", ".join(f"{what} {count}" for what, count in sorted(trial.counts.items()))
        print(f"{name}: {len(trial.tasks)} tasks ended in {seconds:.0f} s; {counts}", flush=True)
        if trial.problems:
            sys.exit(f"{name}: {trial.problems} problems")


parser = argparse.ArgumentParser()
parser.add_argument("renderer")
parser.add_argument("settings", nargs="*", default=["postgres", "redis", "sqlite", "alone"])
for option, default in [("tasks", 100), ("kills", 20), ("down", 0), ("suspended", 0), ("work", 10), ("seed", None)]:
    parser.add_argument(f"--{option}", type=int, default=default)
options = parser.parse_args()
main()
