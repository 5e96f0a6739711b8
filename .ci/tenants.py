"""Drives the example server `tenants`: plays its authorization server, attackers, and clients of two tenants over HTTP, the SDK's HTTP and stdio.

Usage: tenants.py SERVER
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))
import environment

environment.in_venv()

import asyncio
import concurrent.futures
import http.client
import json
import os
import random
import re
import subprocess
import tempfile
import time
from urllib.parse import urlsplit

import attacks
import authorization
import httpx2
from authorization import FOREIGN, ISSUER, READING, WRITING, key_set
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.caching import CacheConfig, InMemoryResponseCacheStore
from mcp.client.streamable_http import streamable_http_client
from serving import free_address, message_in, served

SERVER = sys.argv[1]

def token(path: str, *caller, **claims) -> str:
    return authorization.token(ORIGIN + path, *caller, **claims)


def send(path: str, message: dict, *authorization: str, version="2025-11-25"):
    """Sends one message. Returns the status, the header WWW-Authenticate, and the body."""
    connection = http.client.HTTPConnection(urlsplit(ORIGIN).netloc, timeout=30)
    connection.putrequest("POST", path)
    body = json.dumps(message).encode()
    headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"), ("MCP-Protocol-Version", version)]
    if version == "2026-07-28":
        headers += [("Mcp-Method", message["method"]), ("Mcp-Name", message["params"].get("name", ""))]
    for name, value in [*headers, *(("Authorization", value) for value in authorization), ("Content-Length", str(len(body)))]:
        connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, response.headers.get("WWW-Authenticate", ""), text


def call(name: str, arguments=None, number=1, version="2025-11-25") -> dict:
    params = {"name": name, "arguments": arguments or {}}
    if version == "2026-07-28":
        params["_meta"] = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def check(holds: bool, what: str, *shown):
    if not holds:
        raise SystemExit(f"failed: {what}: {shown}")


def attempts():
    """Every attack gets nothing: no result, and no word of what it sent."""
    count = 0
    for what, (status, head, text), expected in attacks.attacks(ORIGIN):
        count += 1
        check(status in expected, what, status, head, text)
        check("structuredcontent" not in text.lower() and "user-of" not in text, f"no result: {what}", text)
        if status == 401:
            check("resource_metadata=" in head and not text, f"the challenge: {what}", head, text)
        check(not any(part in head for part in ("evil", "root", "\x1b")), f"nothing is repeated: {what}", head)
    check(count > 200, "the attacks", count)
    print(f"{count} attacks, none succeeded")


def metadata():
    """A client without a token finds the metadata of each resource, and a scheme in any case is accepted."""
    for path in ("/mcp", "/sdk"):
        status, challenge, _ = send(path, call("read_entries"))
        check(status == 401 and "error=" not in challenge and 'scope="ledger:read"' in challenge, "the challenge", status, challenge)
        url = re.search(r'resource_metadata="([^"]+)"', challenge)[1]
        check(url == f"{ORIGIN}/.well-known/oauth-protected-resource{path}", "the path of RFC 9728", url)
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        connection.request("GET", urlsplit(url).path)
        document = json.load(connection.getresponse())
        check(document["resource"] == ORIGIN + path and document["authorization_servers"] == [ISSUER], "the metadata", document)
        for scheme in ("bearer", "BEARER", "bEaReR"):
            status, _, text = send(path, call("read_entries"), f"{scheme} {token(path)}")
            check(status == 200 and "result" in message_in(text), f"the scheme {scheme}", status, text)
    print("each resource has its metadata where its challenge says")


def foreign_states():
    """The state of a question is of its caller: another user of the same tenant cannot answer it, and no changed state counts."""
    of = lambda path, user: f"Bearer {token(path, 'acme', 'ledger', sub=user)}"
    for path in ("/mcp", "/sdk"):
        asked = call("close_month", version="2026-07-28")
        asked["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
        status, _, text = send(path, asked, of(path, "ann"), version="2026-07-28")
        check(status == 200 and "requestState" in message_in(text)["result"], "a question", status, text)
        state, key = message_in(text)["result"]["requestState"], next(iter(message_in(text)["result"]["inputRequests"]))
        yes = {key: {"action": "accept", "content": {"confirm": True}}}
        for user, sent in (("bob", state), ("", state[:-2] + "AA"), ("ann", state[:-2]), ("ann", state + "A"), ("ann", "nonsense")):
            again = json.loads(json.dumps(asked))
            again["params"] |= {"requestState": sent, "inputResponses": yes}
            status, _, text = send(path, again, of(path, user or "ann"), version="2026-07-28")
            check(message_in(text).get("error", {}).get("code") == -32602, f"a state sent by {user} at {path}", status, text)
        again["params"]["requestState"] = state
        status, _, text = send(path, again, of(path, "ann"), version="2026-07-28")
        check("result" in message_in(text), f"the answer of the user at {path}", status, text)
    print("the state of a question is refused from another user, and if it is changed")


def missing_scopes():
    """A tool that only scopes hide: 403 with all its scopes at our endpoint, unknown at the SDK's. Broad scopes include narrow ones."""
    reader, sdk_reader = (f"Bearer {token(path)}" for path in ("/mcp", "/sdk"))
    for version in ("2025-06-18", "2025-11-25", "2026-07-28"):
        status, challenge, text = send("/mcp", call("add_entry", {"text": "x", "cents": 1}, version=version), reader, version=version)
        check(status == 403 and 'error="insufficient_scope"' in challenge, "403", status, challenge)
        check('scope="ledger:read ledger:write"' in challenge and "resource_metadata=" in challenge, "the challenge", challenge)
    hidden = send("/sdk", call("add_entry", {"text": "x", "cents": 1}), sdk_reader)
    check(message_in(hidden[2])["error"]["code"] == -32602, "unknown at the SDK's server", hidden)
    status, _, text = send("/mcp", call("read_entries"), f"Bearer {token('/mcp', scope='ledger')}")
    check("result" in message_in(text), "a broad scope", status, text)
    print("a missing scope: 403 with the scopes at /mcp, unknown at /sdk")


def foreign_tools():
    """A tool of the other tenant is the same as one that does not exist, whatever the scopes."""
    for path in ("/mcp", "/sdk"):
        for tenant, name in FOREIGN.items():
            bearer = f"Bearer {token(path, tenant, 'ledger')}"
            answers = {send(path, call(asked), bearer)[2].replace(asked, "NAME") for asked in (name, "z" * len(name))}
            check(len(answers) == 1 and "unknown tool" in next(iter(answers)), f"{name} of {tenant} at {path}", answers)
    print("tools of the other tenant: the same bytes as for tools that do not exist")


def thousand_requests():
    """Requests of both tenants, mixed: no answer has anything of the other tenant."""
    tokens = {(tenant, path): f"Bearer {token(path, tenant, 'ledger')}" for tenant in READING for path in ("/mcp", "/sdk")}
    jobs = [(random.Random(number), number) for number in range(1000)]

    def one(job):
        chance, number = job
        tenant, path = chance.choice(list(READING)), chance.choice(["/mcp", "/sdk"])
        other = next(name for name in READING if name != tenant)
        name = chance.choice(["add_entry", "read_entries", "read_entries", FOREIGN[tenant]])
        arguments = {"text": f"{tenant} {number}", "cents": 1} if name == "add_entry" else {}
        status, _, text = send(path, call(name, arguments, number), tokens[tenant, path])
        message = message_in(text)
        check(status == 200 and message["id"] == number, "an answer", status, text)
        check(other not in text, f"nothing of {other} for {tenant}", text)
        check(("error" in message) == (name == FOREIGN[tenant]), f"{name} for {tenant}", text)
        return tenant, name

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        done = list(pool.map(one, jobs))
    for tenant in READING:
        entries = message_in(send("/mcp", call("read_entries"), tokens[tenant, "/mcp"])[2])["result"]["structuredContent"]["result"]
        added = done.count((tenant, "add_entry"))
        check(len(entries) == added and all(entry["user"] == f"user-of-{tenant}" for entry in entries), "the ledger", tenant, added, len(entries))
    print(f"{len(done)} mixed requests of two tenants, none crossed")


def connect(way: str, bearer: str, requests: list, cache=None) -> Client:
    """A real client. `requests` gets the method of every request that it sends over HTTP."""
    if way == "stdio":
        command = StdioServerParameters(command=SERVER, args=[KEYS, ORIGIN, "--stdio"], env={"LEDGER_TOKEN": bearer, "PATH": os.environ["PATH"]})
        return Client(command)

    async def note(request):
        requests.append(request.headers.get("mcp-method"))

    session = httpx2.AsyncClient(headers={"Authorization": f"Bearer {bearer}"}, event_hooks={"request": [note]}, timeout=30)
    transport = streamable_http_client(ORIGIN + way, http_client=session)
    return Client(transport, **({"cache": cache} if cache else {}))


async def real_clients():
    """The Python client of each tenant lists and calls its own tools, over every way, and caches the list for itself alone."""
    for way in ("/mcp", "/sdk", "stdio"):
        for tenant in READING:
            for scope in ("ledger:read", "ledger"):
                listed = READING[tenant] | (WRITING[tenant] if scope == "ledger" or way == "/mcp" else set())
                async with connect(way, token("/mcp" if way == "stdio" else way, tenant, scope), []) as client:
                    names = {tool.name for tool in (await client.list_tools()).tools}
                    check(names == listed, f"the list of {tenant} with `{scope}` over {way}", names)
                    answer = await client.call_tool("read_entries", {})
                    check(not answer.is_error, "a call", answer)
                    try:
                        answer = await client.call_tool(FOREIGN[tenant], {})
                        check(False, "a foreign tool", answer)
                    except MCPError as error:
                        check(error.error.code == -32602, "a foreign tool", error)
    print("the Python client lists and calls the tools of its tenant over /mcp, /sdk and stdio")
    store = InMemoryResponseCacheStore()
    for way in ("/mcp", "/sdk"):
        for tenant in READING:
            requests = []
            cache = CacheConfig(store=store, partition=tenant, target_id=way, share_public=True)
            async with connect(way, token(way, tenant, "ledger"), requests, cache) as client:
                names = [{tool.name for tool in (await client.list_tools()).tools} for _ in range(3)]
                check(names == [READING[tenant] | WRITING[tenant]] * 3, "the cached list", names)
                check(requests.count("tools/list") == 1, "a list within its time to live comes from the cache", requests)
    print("clients that share a cache: one request for three lists each, and no list of another tenant")


ADDRESS = free_address()
ORIGIN = f"http://{ADDRESS}"
with tempfile.TemporaryDirectory() as folder:
    KEYS = str(Path(folder) / "keys.json")
    Path(KEYS).write_text(key_set())
    with served([SERVER, KEYS, ORIGIN, ADDRESS]):
        attempts()
        metadata()
        missing_scopes()
        foreign_tools()
        thousand_requests()
        foreign_states()
        asyncio.run(real_clients())
    for what, bad in attacks.tokens(f"{ORIGIN}/mcp").items():
        if what.startswith(("alg ", "another", "expired", "no ")) and "\0" not in bad:
            refused = subprocess.run([SERVER, KEYS, ORIGIN, "--stdio"], env={"LEDGER_TOKEN": bad}, stdin=subprocess.DEVNULL, capture_output=True)
            check(refused.returncode != 0 and not refused.stdout, f"over stdio a wrong token ends the server: {what}", refused)
            check(bad not in refused.stderr.decode(), "the token is not printed", refused)
