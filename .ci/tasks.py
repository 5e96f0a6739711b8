"""Kills the workers, the fronts and the database of the example `renderer`, and checks that each task ends once.

    tasks.py RENDERER [--tasks N] [--kills N] [--down SECONDS | --suspended SECONDS] [postgres | redis | sqlite | alone]…

postgres  two fronts and three workers on Postgres, a worker killed or suspended every second, each front restarted twice
redis     the same on Redis
sqlite    the same on a file
alone     one process that is front and worker, on a file, killed at random moments

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
# Each end of a task leaves a row.
AUDIT = {
    "sqlite": """
        CREATE TABLE ends (id TEXT, outcome TEXT);
        CREATE TRIGGER ends AFTER UPDATE OF outcome ON mcp_tool_tasks WHEN NEW.outcome IS NOT OLD.outcome
        BEGIN INSERT INTO ends VALUES (NEW.id, NEW.outcome); END;""",
    "postgres": """
        CREATE TABLE ends (id TEXT, outcome TEXT);
        CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN INSERT INTO ends VALUES (NEW.id, NEW.outcome); RETURN NEW; END';
        CREATE TRIGGER ends AFTER UPDATE OF outcome ON mcp_tool_tasks FOR EACH ROW
            WHEN (NEW.outcome IS DISTINCT FROM OLD.outcome) EXECUTE FUNCTION note_end();""",
}


class Sql:
    """What the tables say."""

    def audit(self):
        self.script(AUDIT[self.kind])

    def unfinished(self):
        return int(self.query("SELECT count(*) FROM mcp_tool_tasks WHERE outcome IS NULL")[0][0])

    def ends(self):
        """The id of a task for each time that it ended."""
        return [task_id for task_id, _ in self.query("SELECT id, outcome FROM ends")]

    def recorded(self):
        return {task_id for (task_id,) in self.query("SELECT id FROM mcp_tool_tasks")}


class File(Sql):
    kind = "sqlite"

    def __init__(self, folder):
        self.path = folder / "tasks.db"
        self.url = f"sqlite:{self.path}"
        self.lock = None

    def query(self, sql):
        with sqlite3.connect(self.path, timeout=30) as connection:
            return connection.execute(sql).fetchall()

    def script(self, sql):
        with sqlite3.connect(self.path, timeout=30) as connection:
            connection.executescript(sql)

    def stop(self):
        self.lock = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
        self.lock.execute("BEGIN EXCLUSIVE")

    def start(self):
        self.lock.close()

    def close(self):
        pass


class Postgres(Sql):
    kind = "postgres"

    def __init__(self, folder):
        installed = glob.glob("/usr/lib/postgresql/*/bin/initdb")
        if not installed:
            print("Postgres is not installed")
            sys.exit(77)
        self.programs = Path(installed[-1]).parent
        # The server refuses root.
        self.user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else None
        self.folder = folder / "postgres"
        self.folder.mkdir()
        folder.chmod(0o755)
        if self.user is not None:
            os.chown(self.folder, self.user, -1)
        self.run("initdb", "-D", self.folder / "data", "-U", "tasks", "-A", "trust", "--no-sync")
        self.url = f"postgres://tasks@{str(self.folder).replace('/', '%2F')}/postgres"
        self.start()

    def command(self, program, *arguments):
        return {"args": [self.programs / program, *arguments], "user": self.user, "cwd": self.folder}

    def run(self, *command):
        return subprocess.run(**self.command(*command), check=True, capture_output=True, text=True).stdout

    def start(self):
        arguments = ["-D", self.folder / "data", "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        self.server = subprocess.Popen(**self.command("postgres", *arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run(**self.command("pg_isready", "-q", "-h", self.folder)).returncode:
            time.sleep(0.1)

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        self.server.wait()

    def query(self, sql):
        rows = self.run("psql", "-h", self.folder, "-U", "tasks", "-At", "-F", "\t", "-c", sql, "postgres").splitlines()
        return [tuple(row.split("\t")) for row in rows]

    script = query

    def close(self):
        self.stop()


class Redis:
    """A server that never rewrites its log, so that the log says what happened."""

    def __init__(self, folder):
        if not shutil.which("redis-server"):
            print("Redis is not installed")
            sys.exit(77)
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        settings = {"port": self.port, "dir": self.folder, "save": "", "appendonly": "yes", "appendfsync": "always"}
        settings["auto-aof-rewrite-percentage"] = 0
        arguments = [str(word) for name, value in settings.items() for word in (f"--{name}", value)]
        self.server = subprocess.Popen(["redis-server", *arguments], stdout=subprocess.DEVNULL)
        while self.command("PING") != ["PONG"]:
            time.sleep(0.1)

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def suspend(self, seconds):
        self.server.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.server.send_signal(signal.SIGCONT)

    def command(self, *words):
        command = ["redis-cli", "-p", str(self.port), *words]
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()

    def audit(self):
        pass

    def unfinished(self):
        return int((self.command("HGET", "mcp-tool:{mcp-tool}:unfinished", "all") or ["0"])[0] or 0)

    def ends(self):
        ids = []
        for path in sorted(self.folder.glob("appendonlydir/*.aof")):
            for command in parsed(path.read_bytes()):
                if command[0].upper() == b"HSET" and b"outcome" in command[2::2]:
                    ids.append(command[1].decode().rpartition(":")[2])
        return ids

    def recorded(self):
        return {key.rpartition(":")[2] for key in self.command("--scan", "--pattern", "mcp-tool:{mcp-tool}:task:*")}

    def close(self):
        self.server.kill()
        self.server.wait()


def parsed(log):
    """The commands in a log of Redis: arrays of strings, each with its length before it."""
    position = 0

    def number():
        nonlocal position
        end = log.index(b"\r\n", position)
        value, position = int(log[position + 1 : end]), end + 2
        return value

    while position < len(log):
        if log[position : position + 1] == b"#":
            position = log.index(b"\n", position) + 1
            continue
        words = []
        for _ in range(number()):
            length = number()
            words.append(log[position : position + length])
            position += length + 2
        yield words


class Process:
    """A renderer that can be killed and started again."""

    def __init__(self, *arguments, cinema, port=None):
        self.arguments = [str(argument) for argument in arguments]
        self.environment = {**os.environ, "CINEMA": str(cinema)}
        self.port = port
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen([options.renderer, *self.arguments], env=self.environment, stderr=subprocess.DEVNULL)

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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Unanswered(Exception):
    """Nobody knows whether the server got the request."""


def send(port, user, method, params, name):
    """Sends a request. Returns the message that answers it."""
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
    except (OSError, http.client.HTTPException) as error:
        raise Unanswered from error
    finally:
        connection.close()
    if text.startswith(("event:", "data:", ":", "id:")):
        text = [line[5:] for line in text.splitlines() if line.startswith("data:") and len(line) > 6][-1]
    return json.loads(text)


class Trial:
    def __init__(self, database, ports):
        self.database = database
        self.ports = ports
        self.random = random.Random(options.seed)
        self.lock = threading.Lock()
        self.tasks = {}  # By id: user, tool, scene, and the end, once it is seen.
        self.counts = collections.Counter()
        self.submitting = True
        self.problems = []

    def problem(self, text):
        with self.lock:
            self.problems.append(text)
        print("PROBLEM:", text, flush=True)

    def submit(self, number):
        """Calls a tool until a server takes the call. Each attempt is another scene, since nobody knows what became of the last one."""
        user = USERS[number % 2]
        for attempt in range(1_000):
            scene = f"scene-{number}-{attempt}"
            tool, arguments = "publish", {"scene": scene}
            if number % 5:
                frames = 1 + number % 7
                tool, arguments = "render", {"scene": scene, "frames": frames, "milliseconds_per_frame": 150}
            try:
                answer = send(self.port(), user, "tools/call", {"name": tool, "arguments": arguments}, tool)
            except Unanswered:
                self.count("calls without an answer")
                time.sleep(0.2)
                continue
            result = answer.get("result", {})
            if result.get("resultType") == "task":
                with self.lock:
                    self.tasks[result["taskId"]] = {"user": user, "tool": tool, "scene": scene, "end": None}
                return
            if "error" not in answer and not result.get("isError"):
                self.count("calls answered at once")
                return
            self.count("calls refused")
            time.sleep(0.2)
        self.problem(f"no server takes call {number}")

    def port(self):
        return self.random.choice(self.ports)

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def get(self, task_id, user):
        try:
            return send(self.port(), user, "tasks/get", {"taskId": task_id}, task_id)
        except Unanswered:
            return None

    def poll(self):
        """Polls all tasks, for their owners and for strangers, until they have ended and nobody submits more."""
        while True:
            with self.lock:
                open_tasks = [(task_id, task) for task_id, task in self.tasks.items() if task["end"] is None]
                if not open_tasks and not self.submitting:
                    return
            for task_id, task in self.random.sample(open_tasks, min(len(open_tasks), 20)):
                self.look(task_id, task)
                if self.random.random() < 0.2:
                    self.pry(task_id, task)
            time.sleep(0.02)
            if time.monotonic() > self.deadline:
                return

    def look(self, task_id, task):
        answer = self.get(task_id, task["user"])
        # -32603: the database does not answer.
        if answer is None or answer.get("error", {}).get("code") == -32603:
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
        stranger = next(user for user in USERS if user != task["user"])
        answer = self.get(task_id, stranger)
        if answer is None:
            return
        self.count("looks of strangers")
        if answer.get("error", {}).get("code") not in (-32602, -32603):
            self.problem(f"a stranger reads {task_id}: {answer}")

    def run(self, chaos, is_endless):
        """Submits calls while `chaos` goes on, and waits for the ends. Endless calls go on as long as it does."""
        start = time.monotonic()
        # Well before tasks expire.
        self.deadline = start + 480
        numbers = itertools.count()
        stop = threading.Event()
        disturber = threading.Thread(target=chaos, args=(stop,))

        def client():
            while True:
                with self.lock:
                    number = next(numbers)
                if is_endless and not disturber.is_alive() or not is_endless and number >= options.tasks:
                    return
                self.submit(number)
                time.sleep(0.5 if is_endless else 0)

        clients = [threading.Thread(target=client) for _ in range(4 if is_endless else 8)]
        pollers = [threading.Thread(target=self.poll) for _ in range(4)]
        for thread in [disturber, *clients, *pollers]:
            thread.start()
        for thread in clients:
            thread.join()
        self.submitting = False
        for thread in pollers:
            thread.join()
        ended = time.monotonic() - start
        stop.set()
        disturber.join()
        # Calls that nobody knows the ids of end as well.
        while self.unfinished() and time.monotonic() < self.deadline:
            time.sleep(0.2)
        return ended

    def unfinished(self):
        return self.database.unfinished()

    def check(self, cinema):
        for task_id, task in self.tasks.items():
            self.look(task_id, task)
            if task["end"] is None:
                self.problem(f"{task_id} does not end")
        if left := self.unfinished():
            self.problem(f"{left} tasks have not ended in the database")
        ends = collections.Counter(self.database.ends())
        recorded = self.database.recorded()
        if twice := [task_id for task_id, count in ends.items() if count > 1]:
            self.problem(f"{len(twice)} tasks ended more than once in the database")
        if len(recorded) < len(self.tasks) or recorded - set(ends):
            self.problem(f"{len(self.tasks)} tasks, {len(recorded)} records, {len(ends)} ends")
        shown = collections.Counter(cinema.read_text().split()) if cinema.exists() else {}
        if again := [scene for scene, count in shown.items() if count > 1]:
            self.problem(f"published more than once: {again}")
        for task in self.tasks.values():
            end = json.loads(task["end"] or "{}")
            result = end.get("result") or {}
            text = json.dumps(result.get("content", ""))
            if end.get("status") != "completed":
                self.problem(f"{task['scene']}: {end}")
            elif "outcome of" in text and result.get("isError"):
                self.counts[f"{task['tool']}: outcome not known"] += 1
            elif result.get("isError"):
                self.problem(f"{task['scene']}: {text}")
            else:
                self.counts[f"{task['tool']}: done"] += 1
                if task["scene"] not in text or task["tool"] == "publish" and not shown.get(task["scene"]):
                    self.problem(f"{task['scene']} has the result of another call: {text}")


def outage(trial):
    if options.down:
        trial.database.stop()
        time.sleep(options.down)
        trial.database.start()
        trial.counts["seconds without the database"] = options.down
    if options.suspended:
        trial.database.suspend(options.suspended)
        trial.counts["seconds with the database suspended"] = options.suspended


def many(database, cinema):
    ports = [free_port(), free_port()]
    arguments = ["--engine", database.url, "--lease", LEASE]
    fronts = [Process(*arguments, "--serve", f"127.0.0.1:{port}", cinema=cinema, port=port) for port in ports]
    wait_for(ports)
    workers = [Process(*arguments, "--work", options.work, cinema=cinema) for _ in range(3)]
    database.audit()
    trial = Trial(database, ports)

    def chaos(stop):
        second = 0
        while not stop.wait(1):
            second += 1
            worker = trial.random.choice(workers)
            if second % 4 == 0:
                # It comes back when its tasks run elsewhere.
                worker.suspend(2 * LEASE)
                trial.counts["workers suspended"] += 1
            else:
                worker.restart()
                trial.counts["workers killed"] += 1
            if second in (2, 4, 6, 8):
                fronts[second // 2 % 2].restart()
                trial.counts["fronts killed"] += 1
            if second == 5:
                outage(trial)

    return trial, chaos, [*fronts, *workers]


def alone(database, cinema):
    port = free_port()
    arguments = ["--engine", database.url, "--lease", LEASE, "--work", options.work, "--serve", f"127.0.0.1:{port}"]
    process = Process(*arguments, cinema=cinema, port=port)
    wait_for([port])
    database.audit()
    trial = Trial(database, [port])

    def chaos(_stop):
        for _ in range(options.kills):
            # Most processes do not live long enough to take over what the last one did.
            time.sleep(trial.random.uniform(*trial.random.choices([(0.05, 1), (LEASE + 1, 2 * LEASE + 1)], [7, 3])[0]))
            process.restart()
            trial.counts["processes killed"] += 1

    return trial, chaos, [process]


def wait_for(ports):
    for port in ports:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            sys.exit(f"nobody listens on port {port}")


def main():
    for name in options.settings:
        folder = Path(tempfile.mkdtemp(prefix="mcp-tool-tasks-"))
        processes, database = [], None
        try:
            database = {"postgres": Postgres, "redis": Redis}.get(name, File)(folder)
            cinema = folder / "cinema.txt"
            trial, chaos, processes = (alone if name == "alone" else many)(database, cinema)
            seconds = trial.run(chaos, is_endless=name == "alone")
            trial.check(cinema)
            counts = ", ".join(f"{what} {count}" for what, count in sorted(trial.counts.items()))
            print(f"{name}: {len(trial.tasks)} tasks ended in {seconds:.0f} s; {counts}", flush=True)
            if trial.problems:
                sys.exit(f"{name}: {len(trial.problems)} problems")
        finally:
            for process in processes:
                process.kill()
            if database:
                database.close()
            shutil.rmtree(folder, ignore_errors=True)


parser = argparse.ArgumentParser()
parser.add_argument("renderer")
parser.add_argument("settings", nargs="*", default=["postgres", "redis", "sqlite", "alone"])
parser.add_argument("--tasks", type=int, default=100)
parser.add_argument("--kills", type=int, default=20)
parser.add_argument("--down", type=float, default=0)
parser.add_argument("--suspended", type=float, default=0)
parser.add_argument("--work", type=int, default=10)
parser.add_argument("--seed", type=int, default=None)
options = parser.parse_args()
main()
