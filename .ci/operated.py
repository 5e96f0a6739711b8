"""Drives the example server `operated`: logs in, calls over both protocols, goes over a limit, and compares the metrics and the audit log with what
the clients saw. Then it ends the server while a call runs.

Usage: operated.py SERVER
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))
import environment

environment.in_venv()

import asyncio
import collections
import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from serving import free_address

SERVER, SECRET, TITLE = sys.argv[1], "not-so-secret-" * 4, "canary-title"
# What the clients saw: the tool, the outcome and the carrier.
SEEN = collections.Counter()

ADDRESS = free_address()
ORIGIN = f"http://{ADDRESS}"


def check(holds: bool, what: str, *shown):
    if not holds:
        raise SystemExit(f"failed: {what}: {shown}")


def send(method: str, path: str, body=None, token=None, **headers):
    """Sends one request. Returns the status, the headers and the text."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=30)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    response = connection.getresponse()
    return response.status, response.headers, response.read().decode()


def login(name: str, password: str) -> str:
    status, _, text = send("POST", "/login", {"name": name, "password": password})
    check(status == 200, "the login", status, text)
    return json.loads(text)["access_token"]


def api(tool: str, arguments, token: str, outcome: str, expected: int, **headers):
    """Calls a tool over plain HTTP, and counts what the client sees."""
    status, found, text = send("POST", f"/api/{tool}", arguments, token, **headers)
    check(status == expected, f"{tool} over plain HTTP", status, text)
    SEEN[(tool, outcome, "plain_http")] += 1
    return found, text


async def real_client(ann: str, bob: str):
    """The Python client of each user lists and calls the tools of that user."""
    for token, tools in ((bob, {"list_reports", "render_report"}), (ann, {"list_reports", "render_report", "write_report"})):
        session = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30)
        async with Client(streamable_http_client(f"{ORIGIN}/mcp", http_client=session)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            check(names == tools, "the list", names)
            if "write_report" not in tools:
                try:
                    answer = await client.call_tool("write_report", {"title": TITLE})
                    check(False, "a hidden tool", answer)
                except MCPError as error:
                    check(error.error.code == -32602, "a hidden tool", error)
                # The record names it, because it is a tool of the server.
                SEEN[("write_report", "unknown_tool", "http")] += 1
                continue
            for arguments, outcome, is_error in (({"title": TITLE}, "success", False), ({"title": TITLE}, "failed", True), ({"title": ""}, "invalid_arguments", True)):
                answer = await client.call_tool("write_report", arguments)
                check(answer.is_error == is_error, f"write_report: {outcome}", answer)
                SEEN[("write_report", outcome, "http")] += 1
    print("the Python client of each user sees and calls its own tools")


def counted() -> collections.Counter:
    """Reads the metrics."""
    status, _, text = send("GET", "/metrics")
    check(status == 200, "the metrics", status, text)
    found = collections.Counter()
    for labels, value in re.findall(r"^mcp_tool_calls_total\{(.*)\} (\d+)$", text, re.MULTILINE):
        of = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        found[(of["tool"], of["outcome"], of["carrier"])] = int(value)
    return found


def drive():
    check(send("GET", "/healthz")[::2] == (200, "ok"), "the health check")
    check(send("POST", "/login", {"name": "ann", "password": "wrong"})[0] == 401, "a wrong password")
    check(send("POST", "/api/list_reports", {})[0] == 401, "a call without a token")
    ann, bob = login("ann", "correct horse"), login("bob", "battery staple")
    asyncio.run(real_client(ann, bob))
    _, text = api("list_reports", {}, bob, "success", 200)
    check(json.loads(text) == [TITLE], "the reports", text)
    status, _, text = send("POST", "/api/no_such_tool", {}, bob)
    check(status == 404, "an unknown tool", status, text)
    SEEN[("unknown", "unknown_tool", "plain_http")] += 1
    # Ten a minute for ann and this tool. Three are used.
    for number in range(7):
        api("write_report", {"title": f"{TITLE} {number}"}, ann, "success", 200)
    headers, text = api("write_report", {"title": TITLE}, ann, "limited", 429)
    check(1 <= int(headers["Retry-After"]) <= 6 and json.loads(text)["code"] == "limited", "the limit", headers, text)
    print("over the limit, plain HTTP answers 429 with Retry-After")
    headers, text = api("render_report", {"title": TITLE}, bob, "success", 202, Prefer="respond-async")
    for _ in range(100):
        status, _, text = send("GET", f"/api/{headers['Location']}", token=bob)
        if json.loads(text)["status"] != "working":
            break
        time.sleep(0.1)
    check(json.loads(text)["result"]["structuredContent"] == f"{TITLE}, by ann", "the task", text)
    print("a long call becomes a task")
    check(counted() == SEEN, "the metrics count what the clients saw", counted() - SEEN, SEEN - counted())
    print(f"{sum(SEEN.values())} calls: the metrics count what the clients saw")
    return bob


def end(server, bob: str):
    """SIGTERM while a call runs: the call ends with its result, and then the server."""
    answers = []
    call = threading.Thread(target=lambda: answers.append(api("render_report", {"title": TITLE}, bob, "success", 200)))
    call.start()
    # It takes three seconds.
    time.sleep(1)
    server.send_signal(signal.SIGTERM)
    call.join(20)
    check(len(answers) == 1 and server.wait(20) == 0, "the call ends before the server", answers, server.returncode)
    print("SIGTERM waits for the running call")


def audit(lines: list[str]):
    calls = [json.loads(line) for line in lines]
    found = collections.Counter((call["tool"] or "unknown", call["outcome"], call["carrier"]) for call in calls)
    check(found == SEEN, "the audit log has each call once", found - SEEN, SEEN - found)
    check({call["who"] for call in calls} == {"ann", "bob"}, "the audit log says who", calls)
    check(not any(TITLE in line or "horse" in line for line in lines), "no value is in the audit log")
    task = [call for call in calls if call["task_id"]]
    check(len(task) == 1 and task[0]["tool"] == "render_report", "the task", task)
    print(f"{len(calls)} lines in the audit log, and no value of a call")


with tempfile.TemporaryFile("w+") as log:
    server = subprocess.Popen([SERVER, ORIGIN, ADDRESS], env=os.environ | {"LOGIN_SECRET": SECRET}, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.PIPE, text=True)
    try:
        check("listening" in server.stderr.readline(), "the server starts")
        end(server, drive())
    finally:
        server.kill()
        server.wait()
    log.seek(0)
    audit(log.read().splitlines())
