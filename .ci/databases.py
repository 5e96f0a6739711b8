"""The databases of the trials in tasks.py. Each is started in a folder, and knows which tasks have ended, and how often."""

import glob
import os
import pwd
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from serving import free_address

IDS = "SELECT id FROM mcp_tool_tasks"


def needed(program, name):
    if not program:
        print(f"{name} is not installed")
        sys.exit(77)
    return program


class Memory:
    """No database: the tasks are in the memory of their front."""

    url, audit = "memory", []

    def __init__(self, _):
        pass

    def close(self):
        pass

    def state(self, tasks):
        """Returns the ids of the unfinished tasks, the id of a task for each time that it ended, and the ids of all tasks."""
        return [], list(tasks), set(tasks)


class File(Memory):
    # Each end of a task leaves a row.
    audit = ["CREATE TABLE ends (id TEXT)", """CREATE TRIGGER ends AFTER UPDATE OF outcome ON mcp_tool_tasks
        WHEN NEW.outcome IS NOT OLD.outcome BEGIN INSERT INTO ends VALUES (NEW.id); END"""]

    def __init__(self, folder):
        self.path = folder / "tasks.db"
        self.url = f"sqlite:{self.path}"

    def connect(self):
        return sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)

    def query(self, sql):
        return [word for (word,) in self.connect().execute(sql)]

    def stop(self):
        self.lock = self.connect()
        self.lock.execute("BEGIN EXCLUSIVE")

    def start(self):
        self.lock.close()

    def pause(self, seconds):
        self.stop()
        time.sleep(seconds)
        self.start()

    def state(self, _):
        return self.query(f"{IDS} WHERE outcome IS NULL"), self.query("SELECT id FROM ends"), set(self.query(IDS))


class Postgres(File):
    audit = ["CREATE TABLE ends (id TEXT)", """CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO ends VALUES (NEW.id); RETURN NEW; END'""", """CREATE TRIGGER ends AFTER UPDATE OF outcome ON mcp_tool_tasks
        FOR EACH ROW WHEN (NEW.outcome IS DISTINCT FROM OLD.outcome) EXECUTE FUNCTION note_end()"""]

    def __init__(self, folder):
        self.programs = Path(needed(glob.glob("/usr/lib/postgresql/*/bin"), "Postgres")[-1])
        # The server refuses root.
        self.user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else os.getuid()
        self.folder = folder / "postgres"
        self.folder.mkdir()
        folder.chmod(0o755)
        os.chown(self.folder, self.user, -1)
        self.run("initdb", "-D", "data", "-U", "tasks", "-A", "trust", "--no-sync")
        self.url = f"postgres://tasks@{str(self.folder).replace('/', '%2F')}/postgres"
        self.start()

    def run(self, program, *arguments):
        command = [self.programs / program, *arguments]
        return subprocess.run(command, user=self.user, cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True).stdout

    def start(self):
        self.run("pg_ctl", "-D", "data", "-l", "log", "-o", f"-k {self.folder} -c listen_addresses= -c fsync=off", "-w", "start")

    def stop(self):
        self.run("pg_ctl", "-D", "data", "-m", "fast", "stop")

    close = stop

    def query(self, sql):
        return self.run("psql", "-h", self.folder, "-U", "tasks", "-At", "-c", sql, "postgres").splitlines()


class Redis(File):
    """A server that never rewrites its log, so that the log says what happened."""

    audit = []

    def __init__(self, folder):
        needed(shutil.which("redis-server"), "Redis")
        self.folder, self.port = folder, free_address().rpartition(":")[2]
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        settings = "--save '' --appendonly yes --appendfsync always --auto-aof-rewrite-percentage 0"
        command = f"exec redis-server --port {self.port} {settings}"
        self.server = subprocess.Popen(command, shell=True, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.query("PING") != ["PONG"]:
            time.sleep(0.1)

    def stop(self, number=signal.SIGTERM):
        self.server.send_signal(number)
        self.server.wait()

    def suspend(self, seconds):
        self.server.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.server.send_signal(signal.SIGCONT)

    def close(self):
        self.stop(signal.SIGKILL)

    def query(self, command):
        return subprocess.run(["redis-cli", "-p", self.port, *command.split()], capture_output=True, text=True).stdout.splitlines()

    def state(self, _):
        unfinished = int((self.query("HGET mcp-tool:{mcp-tool}:unfinished all") or ["0"])[0] or 0)
        log = b"".join(path.read_bytes() for path in sorted(self.folder.glob("appendonlydir/*.aof")))
        ends = [task.decode() for task in re.findall(rb"}:task:(\w+)\r\n\$7\r\noutcome\r\n", log)]
        return range(unfinished), ends, {key.rpartition(":")[2] for key in self.query("--scan --pattern mcp-tool:{mcp-tool}:task:*")}
