"""Attacks on the example `tenants`: tokens that prove nothing, requests that hide a token, and paths, hosts and states of others.

`.ci/tenants.py` runs them. None may succeed.
"""

import base64
import hashlib
import hmac
import json
import socket
import time
from urllib.parse import urlsplit

from authorization import FOREIGN_KEY, ISSUER, KEY, claims, token

WAYS = ("/mcp", "/sdk")
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read_entries", "arguments": {}}}
PUBLIC = KEY.public_key().public_bytes_raw()


def encode(data: bytes | str) -> str:
    data = data if isinstance(data, bytes) else data.encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def signed(header: str, body: str, key=KEY) -> str:
    """A token of any header and any claims. `key` signs, or is a secret for HMAC, or None for no signature."""
    message = f"{encode(header)}.{encode(body)}"
    if key is None:
        return f"{message}."
    signature = hmac.digest(key, message.encode(), hashlib.sha256) if isinstance(key, bytes) else key.sign(message.encode())
    return f"{message}.{encode(signature)}"


def tokens(resource: str) -> dict[str, str]:
    """Tokens that are not valid for the resource, by what is wrong with them."""
    now = int(time.time())
    good = claims(resource)
    body = json.dumps(good)

    def headed(key=KEY, **changes):
        header = {"alg": "EdDSA", "kid": "1", "typ": "JWT"} | changes
        return signed(json.dumps({name: value for name, value in header.items() if value is not None}), body, key)

    def claimed(**changes):
        return token(resource, **changes)

    other = resource.replace("/mcp", "/other").replace("/sdk", "/mcp")
    valid = token(resource)
    first, second, third = valid.split(".")
    root = json.dumps(good | {"sub": "root"})
    public_key = {"kty": "OKP", "crv": "Ed25519", "x": encode(FOREIGN_KEY.public_key().public_bytes_raw())}
    found = {
        # The algorithm.
        **{f"alg {name!r}": headed(None, alg=name) for name in ("none", "None", "NONE", "nOnE", "", "null", "EdDSA", "HS256")},
        "alg none with a signature": headed(alg="none"),
        "no alg": headed(alg=None),
        "alg of another type": headed(alg=7),
        "alg in a list": headed(alg=["EdDSA"]),
        "alg in lower case": headed(alg="eddsa"),
        "the public key as a secret, raw": headed(PUBLIC, alg="HS256"),
        "the public key as a secret, encoded": headed(encode(PUBLIC).encode(), alg="HS256"),
        "an empty secret": headed(b"", alg="HS256"),
        "another name for the algorithm": headed(alg="RS256"),
        # The key.
        "another key": token(resource, key=FOREIGN_KEY),
        "a key in the token": headed(FOREIGN_KEY, jwk=public_key),
        "the address of a key": headed(FOREIGN_KEY, jku="https://evil.example.com/keys"),
        "a certificate in the token": headed(FOREIGN_KEY, x5c=[base64.b64encode(PUBLIC).decode()]),
        "the address of a certificate": headed(FOREIGN_KEY, x5u="https://evil.example.com/key"),
        "no key id": headed(kid=None),
        **{f"key id {kid!r}": headed(kid=kid) for kid in ("", "2", "1 ", "../../dev/null", "1' OR '1'='1", "1\x00", "1\n", "é", "1" * 5000, 1, ["1"], {"1": 1})},
        # The header.
        "a critical extension": headed(crit=["exp"], exp=now + 600),
        "an empty list of critical extensions": headed(crit=[]),
        "an unencoded payload": headed(crit=["b64"], b64=False),
        "a token for a logout": headed(typ="logout+jwt"),
        "two key ids": signed('{"alg":"EdDSA","kid":"2","kid":"1"}', body),
        "two algorithms": signed('{"alg":"none","kid":"1","alg":"EdDSA"}', body),
        "a header that is no object": signed('["EdDSA"]', body),
        "a header that is not JSON": signed("alg: EdDSA", body),
        # The claims.
        "another audience": claimed(aud="https://other.example.com/mcp"),
        "the other resource of this server": claimed(aud=other),
        "the audience without its path": claimed(aud=resource.rsplit("/", 1)[0]),
        "the audience with a slash": claimed(aud=f"{resource}/"),
        "the audience as a prefix": claimed(aud=f"{resource}.evil.example.com"),
        "no audience": claimed(aud=None),
        "an empty list of audiences": claimed(aud=[]),
        "any audience": signed('{"alg":"EdDSA","kid":"1"}', json.dumps(good | {"aud": "*"})),
        "another issuer": claimed(iss="https://evil.example.com"),
        "the issuer with a slash": claimed(iss=f"{ISSUER}/"),
        "a list of issuers": signed('{"alg":"EdDSA","kid":"1"}', json.dumps(good | {"iss": [ISSUER]})),
        "no issuer": claimed(iss=None),
        "expired": claimed(exp=now - 60),
        "expired in 1970": claimed(exp=0),
        "no end": claimed(exp=None),
        "an end as text": signed('{"alg":"EdDSA","kid":"1"}', json.dumps(good | {"exp": str(now + 600)})),
        "an end beyond all clocks": signed('{"alg":"EdDSA","kid":"1"}', body.replace(f'"exp": {good["exp"]}', '"exp": 1e300')),
        "an end that is not a number": signed('{"alg":"EdDSA","kid":"1"}', body.replace(f'"exp": {good["exp"]}', '"exp": NaN')),
        "an end before 1970": claimed(exp=-1),
        "not yet valid": claimed(nbf=now + 600),
        "a begin as text": claimed(nbf="soon"),
        "a begin with a fraction": claimed(nbf=now + 600.5),
        "no subject": claimed(sub=None),
        "an empty subject": claimed(sub=""),
        "no tenant": claimed(tenant=None),
        "a list of tenants": claimed(tenant=["acme", "globex"]),
        "two subjects": signed('{"alg":"EdDSA","kid":"1"}', body.replace("{", '{"sub": "root", ', 1)),
        "two tenants": signed('{"alg":"EdDSA","kid":"1"}', body.replace("{", '{"tenant": "globex", ', 1)),
        "claims that are no object": signed('{"alg":"EdDSA","kid":"1"}', f"[{body}]"),
        "claims that are not JSON": signed('{"alg":"EdDSA","kid":"1"}', body + "}"),
        "deep claims": signed('{"alg":"EdDSA","kid":"1"}', "[" * 3000 + "]" * 3000),
        # The form.
        "not a token": "nonsense",
        "one part": first,
        "two parts": f"{first}.{second}",
        "four parts": f"{valid}.{third}",
        "five parts": f"{valid}.{first}.{third}",
        "no signature": f"{first}.{second}.",
        "a token inside a token": signed('{"alg":"EdDSA","kid":"1","cty":"JWT"}', json.dumps(valid)),
        "a compressed token": signed('{"alg":"EdDSA","kid":"1","zip":"DEF"}', body, FOREIGN_KEY),
        "the signature of another token": f"{first}.{second}.{token(resource, 'globex').split('.')[2]}",
        "the claims of another token": f"{first}.{token(resource, 'globex').split('.')[1]}.{third}",
        "the other alphabet of base64": valid.replace("-", "+").replace("_", "/") + "+",
        "a byte order mark": signed('\ufeff{"alg":"EdDSA","kid":"1"}', body),
        "another payload with the old signature": f"{first}.{encode(root)}.{third}",
        "a truncated signature": valid[:-4],
        "padding": f"{valid}==",
        "a blank inside": f"{first}. {second}.{third}",
        "a huge token": "a" * 30_000,
        "a token with a huge claim": claimed(padding="x" * 20_000),
    }
    return found


def raw(origin: str, head: str | bytes, body: bytes = b"") -> tuple[int, str, str]:
    """Sends bytes that no client library would send. Returns the status, the header lines in lower case, and the body."""
    host = urlsplit(origin)
    with socket.create_connection((host.hostname, host.port), timeout=30) as connection:
        head = head if isinstance(head, bytes) else head.encode("latin-1")
        connection.sendall(head + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    head, _, text = answer.decode("latin-1").partition("\r\n\r\n")
    return int(head.split(" ", 2)[1]), head.lower(), text


def post(origin: str, path: str, *lines: str, host: str | None = None, message=CALL, method="POST"):
    """Sends a message with these header lines."""
    hosts = [f"Host: {host or urlsplit(origin).netloc}"]
    fixed = ["Content-Type: application/json", "Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-11-25"]
    head = "".join(f"{line}\r\n" for line in [f"{method} {path} HTTP/1.1", *hosts, *fixed, *lines])
    return raw(origin, head, json.dumps(message).encode())


def attacks(origin: str):
    """Yields each attack: what it is, what the server answered, and the statuses that are a defence."""
    for way in WAYS:
        resource = origin + way
        for what, bad in tokens(resource).items():
            yield f"{what} at {way}", post(origin, way, f"Authorization: Bearer {bad}"), {401, 431}
        good = token(resource)
        other = token(resource, "globex")
        # The header.
        for what, lines in {
            "no token": [],
            "another scheme": [f"Authorization: Basic {good}"],
            "a scheme that only starts like it": [f"Authorization: Bearers {good}"],
            "no scheme": [f"Authorization: {good}"],
            "no blank": [f"Authorization: Bearer{good}"],
            "a tab": [f"Authorization: Bearer\t{good}"],
            "quotes": [f'Authorization: Bearer "{good}"'],
            "two tokens in one header": [f"Authorization: Bearer {good}, Bearer {other}"],
            "the name of another header": [f"X-Authorization: Bearer {good}"],
            "a proxy's header": [f"Proxy-Authorization: Bearer {good}"],
            "a header with an underscore": [f"Author_ization: Bearer {good}"],
            "headers of a proxy": [f"X-Original-Authorization: Bearer {good}", "X-Forwarded-User: root", "X-Tenant: acme"],
            "a session of nobody": ["Mcp-Session-Id: 0"],
            "a cookie": [f"Cookie: access_token={good}; Authorization=Bearer {good}"],
        }.items():
            yield f"{what} at {way}", post(origin, way, *lines), {401}
        for what, lines in {
            "two tokens of one caller": [f"Authorization: Bearer {good}"] * 2,
            "two tokens of two callers": [f"Authorization: Bearer {good}", f"authorization: bearer {other}"],
            "a bad token after a good one": [f"Authorization: Bearer {good}", "Authorization: Bearer x"],
            "a password after a token": [f"Authorization: Bearer {good}", "Authorization: Basic dXNlcjpwYXNz"],
        }.items():
            yield f"{what} at {way}", post(origin, way, *lines), {400}
        for name in ("access_token", "token", "authorization", "Authorization"):
            yield f"a token in the address as {name} at {way}", post(origin, f"{way}?{name}={good}"), {401}
        # Lines that a log could take for its own.
        for what, value in {
            "a line feed": "Bearer x\n2026 INFO ann logged in",
            "a carriage return": "Bearer x\rX-User: root",
            "a null": "Bearer x\x00y",
            "an escape": "Bearer \x1b[2J\x1b[31mroot",
            "a delete": "Bearer x\x7f",
            "bytes that are not ASCII": "Bearer \xe2\x80\xaeroot",
        }.items():
            yield f"{what} in the header at {way}", post(origin, way, f"Authorization: {value}"), {400, 401}
        # Another site, with a token.
        bearer = f"Authorization: Bearer {good}"
        for host in ("evil.example.com", "evil.example.com:80", "127.0.0.1.evil.example.com", "localhost.evil.example.com"):
            yield f"the host {host} at {way}", post(origin, way, bearer, host=host), {403}
        netloc = urlsplit(origin).netloc
        for host in (f"user@{netloc}", f"evil.example.com@{netloc}", f"user:word@{netloc}", f"@{netloc}", f"{netloc}.", f"{netloc}x", "127.0.0.1:", "[127.0.0.1]", f"{netloc}@evil.example.com", f"{netloc}, evil.example.com", f"{netloc}/", "127.0.0.1:+80"):
            yield f"the host {host} at {way}", post(origin, way, bearer, host=host), {400, 403}
        yield f"two hosts at {way}", post(origin, way, bearer, f"Host: {urlsplit(origin).netloc}", host="evil.example.com"), {400, 403}
        for site in ("https://evil.example.com", "null", f"{origin}.evil.example.com", "http://127.0.0.1:1", "file://"):
            yield f"the origin {site} at {way}", post(origin, way, bearer, f"Origin: {site}"), {403}
        # Tasks, and who the caller says to be.
        for method in ("tasks/get", "tasks/cancel", "tasks/update", "tasks/list", "tasks/result"):
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"taskId": "0" * 32}}
            yield f"{method} without a token at {way}", post(origin, way, message=message), {401}
        for what, meta in {
            "another tenant": {"tenant": "globex"},
            "another subject": {"sub": "root", "scope": "ledger"},
            "another token": {"authorization": f"Bearer {other}"},
        }.items():
            message = CALL | {"params": {"name": "export_lines", "arguments": {}, "_meta": meta}}
            yield f"{what} in the metadata at {way}", post(origin, way, bearer, message=message), {200, 400}
        for what, head in {
            "two lengths": f"Content-Length: 5\r\n{bearer}\r\n",
            "a length and chunks": "Transfer-Encoding: chunked\r\n",
            "a folded header": f"Authorization: Bearer\r\n  {good}\r\n",
        }.items():
            start = f"POST {way} HTTP/1.1\r\nHost: {urlsplit(origin).netloc}\r\nContent-Type: application/json\r\n"
            yield f"{what} at {way}", raw(origin, start + head, json.dumps(CALL).encode()), {400, 401}
        for method in ("GET", "PUT", "DELETE", "OPTIONS"):
            yield f"{method} without a token at {way}", post(origin, way, method=method), {401}
    # The paths: a token for one resource at the other, and names that a router could take for a resource.
    mcp, sdk = (f"Authorization: Bearer {token(origin + way)}" for way in WAYS)
    yield "the token of /mcp at /sdk", post(origin, "/sdk", mcp), {401}
    yield "the token of /sdk at /mcp", post(origin, "/mcp", sdk), {401}
    for path in ("/sdk/../mcp", "/sdk/..%2fmcp", "/sdk/%2e%2e/mcp", "/sdk//mcp"):
        yield f"the token of /mcp at {path}", post(origin, path, mcp), {401}
    for path in ("/", "//mcp", "/MCP", "/%6dcp", "/mcp2", "/.well-known", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp/", "/.well-known/oauth-protected-resource/other", "/.well-known/oauth-protected-resource/../../mcp"):
        yield f"the path {path}", post(origin, path, mcp), {400, 404}
    for way in WAYS:
        yield f"a call to the metadata of {way}", post(origin, f"/.well-known/oauth-protected-resource{way}", mcp), {405}
