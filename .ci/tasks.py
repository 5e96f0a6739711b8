"""Kills the workers, the fronts and the database of the example `renderer`, and checks that each task ends once, and that a tool with `once`
acts once, however often its client gives up and calls again.

    tasks.py RENDERER [--once] [--tasks N] [--down SECONDS | --suspended SECONDS] [postgres | redis | sqlite | alone | memory]…

postgres, redis, sqlite   two fronts and three workers, a worker killed or suspended every second, each front restarted twice
alone                     one process that is front and worker, on a file, killed at random moments
memory                    one front, which nobody kills

With `--once`, all calls are of the tool with `once`. With `--down`, the database stops for that time in the middle. With `--suspended`, Redis is
suspended for that time. Everybody is killed with SIGKILL. Exits with 77 if Postgres or Redis is not installed.
"""

import argparse
import collections
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))
import databases
from serving import free_address, listens, request

LEASE = 2
USERS = ["ann", "bob"]
TOOLS = ["publish", "announce", "render", "render", "render"]
CAPABILITIES = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


class Process:
    """A renderer that can be killed and started again."""

    def __init__(self, command):
        self.command, self.running = command, subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def kill(self):
        self.running.kill()
        self.running.wait()

    def restart(self):
        self.kill()
        self.__init__(self.command)


class Trial:
    def __init__(self, database, fronts, workers):
        self.database, self.random = database, random.Random(options.seed)
        self.tasks = {}  # By id: user, tool, scene, and the end, once it is seen.
        self.announced, self.events, self.problems = [], [], []
        self.is_submitting, self.has_ended = True, threading.Event()
        shared, work = [options.renderer, "--engine", database.url, "--lease", str(LEASE)], ["--work", str(options.work)]
        self.addresses = [free_address() for _ in range(fronts)]
        self.fronts = [Process([*shared, "--serve", address, *([] if workers else work)]) for address in self.addresses]
        self.workers = [Process(shared + work) for _ in range(workers)]

    def send(self, user, method, params, patience=30):
        """Returns the answer. `None` if there is none, so nobody knows whether a server got the request."""
        url = f"http://{self.random.choice(self.addresses)}/mcp"
        try:
            return request(url, method, params, CAPABILITIES, {"Authorization": f"Bearer {user}"}, patience)
        except (OSError, http.client.HTTPException):
            return None

    def submit(self, number):
        """Calls a tool until it is answered. An announcement stays the same act. Of other calls, each attempt has another scene."""
        user, tool = USERS[number % 2], TOOLS[number % 5]
        if options.once:
            # An engine in memory keeps at most 200 acts of a caller.
            user, tool = f"caller {number // 100}", "announce"
        for attempt in range(1_000):
            scene = f"{tool}-{number}" if tool == "announce" else f"{tool}-{number}-{attempt}"
            arguments = {"scene": scene} | ({"frames": 1 + number % 7, "milliseconds_per_frame": 150} if tool == "render" else {})
            # An announcement takes 0.4 s, so its client often gives up while it runs.
            patience = self.random.uniform(0.1, 1) if tool == "announce" else 30
            answer = self.send(user, "tools/call", {"name": tool, "arguments": arguments}, patience)
            result = (answer or {}).get("result", {})
            text = json.dumps(result.get("content", ""))
            if result.get("resultType") == "task":
                self.tasks[result["taskId"]] = {"id": result["taskId"], "user": user, "tool": tool, "scene": scene, "end": None}
                return
            if "outcome of" in text:
                return self.events.append(f"{tool}: outcome not known")
            if result and not result.get("isError"):
                self.announced.append(scene)
                if scene not in text:
                    self.problems.append(f"{scene} has the result of another call: {text}")
                return self.events.append(f"{tool}: {'replayed' if 'rs.mcp-tool/replayed' in result['_meta'] else 'answered at once'}")
            self.events.append(f"{tool}: {'refused' if answer else 'no answer, called again'}")
            time.sleep(0.2)
        self.problems.append(f"no server takes {tool} {number}")

    def poll(self):
        """Reads all tasks, for their owners and for strangers, until they have ended and nobody submits more."""
        while time.monotonic() < self.deadline:
            are_all = not self.is_submitting
            working = [task for task in list(self.tasks.values()) if task["end"] is None]
            if are_all and not working:
                return
            for task in self.random.sample(working, min(len(working), 20)):
                self.look(task)
                if self.random.random() < 0.2 and (answer := self.get(task, USERS[task["user"] == USERS[0]])):
                    self.events.append("looks of strangers")
                    if answer.get("error", {}).get("code") != -32602:
                        self.problems.append(f"a stranger reads {task}: {answer}")
            time.sleep(0.02)

    def get(self, task, user):
        """Returns the answer, or `None` if there is none, or if the database does not answer (-32603)."""
        answer = self.send(user, "tasks/get", {"taskId": task["id"]})
        return answer if answer and answer.get("error", {}).get("code") != -32603 else None

    def look(self, task):
        answer = self.get(task, task["user"])
        if answer and "error" in answer:
            self.problems.append(f"{task} is lost: {answer['error']}")
        elif answer and answer["result"]["status"] != "working":
            end = json.dumps({key: answer["result"].get(key) for key in ("status", "result", "error")}, sort_keys=True)
            before, task["end"] = task["end"], end
            if before not in (None, end):
                self.problems.append(f"{task} ended before: {before}")

    def disturb(self):
        """Kills and suspends workers, and restarts fronts, until all tasks have ended."""
        for second in range(1, 1_000):
            # A process that is alone seldom lives long enough to take over what the last one did.
            alone = self.random.uniform(*self.random.choices([(0.05, 1), (LEASE + 1, 2 * LEASE + 1)], [7, 3])[0])
            if self.has_ended.wait(1 if self.workers else alone) or time.monotonic() > self.deadline:
                return
            victim, is_killed = self.random.choice(self.workers or self.fronts), not self.workers or second % 4
            if is_killed:
                victim.restart()
            else:
                # It comes back when its tasks run elsewhere. If it has been killed since, nothing happens.
                victim.running.send_signal(signal.SIGSTOP)
                threading.Timer(2 * LEASE, victim.running.send_signal, [signal.SIGCONT]).start()
            self.events.append("processes killed" if is_killed else "processes suspended")
            if self.workers and second in (2, 4, 6, 8):
                self.fronts[second // 2 % 2].restart()
                self.events.append("fronts killed")
            if second == 5 and options.down:
                self.database.pause(options.down)
            if second == 5 and options.suspended:
                self.database.suspend(options.suspended)

    def run(self):
        """Submits calls amid the chaos, and waits for the ends."""
        while not all(map(listens, self.addresses)):
            time.sleep(0.1)
        for statement in self.database.audit:
            self.database.query(statement)
        start = time.monotonic()
        # Well before tasks expire.
        self.deadline = start + 480
        with ThreadPoolExecutor(8) as clients, ThreadPoolExecutor(4) as owners, ThreadPoolExecutor(1) as others:
            chaos = others.map(lambda disturb: disturb(), [self.disturb] if self.database.url != "memory" else [])
            polls = owners.map(lambda _: self.poll(), range(4))
            list(clients.map(self.submit, range(options.tasks)))
            self.is_submitting = False
            list(polls)
            ended = time.monotonic() - start
            self.has_ended.set()
            list(chaos)
        # Calls that nobody knows the ids of end as well.
        while self.database.state(self.tasks)[0] and time.monotonic() < self.deadline:
            time.sleep(0.2)
        return ended

    def check(self, acts):
        done = {scene for scene in self.announced if scene.startswith("announce")}
        for task in self.tasks.values():
            self.look(task)
            end = json.loads(task["end"] or "{}")
            text, is_unknown = json.dumps(end.get("result")), (end.get("result") or {}).get("isError")
            if end.get("status") != "completed" or (task["scene"] if not is_unknown else "outcome of") not in text:
                self.problems.append(f"{task} has no result, or that of another call")
            if task["tool"] == "publish" and not is_unknown:
                done.add(task["scene"])
            self.events.append(f"{task['tool']}: {'outcome not known' if is_unknown else 'done'}")
        unfinished, ends, recorded = self.database.state(self.tasks)
        ends, acts = collections.Counter(ends), collections.Counter(acts)
        self.events += ["acts"] * acts.total()
        for what, wrong in [
            ("not ended in the database", unfinished),
            ("ended more than once in the database", [task for task, count in ends.items() if count > 1]),
            ("not recorded", range(len(self.tasks) - len(recorded))),
            ("recorded without an end", recorded - ends.keys()),
            ("published or announced without an act", done - acts.keys()),
            ("published or announced more than once", [scene for scene, count in acts.items() if count > 1]),
        ]:
            if wrong:
                self.problems.append(f"{what}: {wrong}")


# The database, and how many fronts and workers there are.
SETTINGS = {
    "postgres": (databases.Postgres, 2, 3),
    "redis": (databases.Redis, 2, 3),
    "sqlite": (databases.File, 2, 3),
    "alone": (databases.File, 1, 0),
    "memory": (databases.Memory, 1, 0),
}


def run(name, folder):
    kind, fronts, workers = SETTINGS[name]
    os.environ["CINEMA"] = str(folder / "cinema.txt")
    database = kind(folder)
    trial = Trial(database, fronts, workers)
    try:
        seconds = trial.run()
        trial.check((folder / "cinema.txt").read_text().split())
    finally:
        for process in trial.fronts + trial.workers:
            process.kill()
        database.close()
    counts = ", ".join(f"{what} {count}" for what, count in sorted(collections.Counter(trial.events).items()))
    print(f"{name}: {len(trial.tasks)} tasks ended in {seconds:.0f} s; {counts}", flush=True)
    if trial.problems:
        sys.exit("\n".join([*trial.problems, f"{name}: {len(trial.problems)} problems"]))


parser = argparse.ArgumentParser()
parser.add_argument("renderer")
parser.add_argument("settings", nargs="*")
parser.add_argument("--once", action="store_true")
for option, default in [("tasks", 100), ("down", 0), ("suspended", 0), ("work", 10), ("seed", None)]:
    parser.add_argument(f"--{option}", type=int, default=default)
options = parser.parse_intermixed_args()
for name in options.settings or SETTINGS:
    with tempfile.TemporaryDirectory(prefix="mcp-tool-tasks-", ignore_cleanup_errors=True) as folder:
        run(name, Path(folder))
