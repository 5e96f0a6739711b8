"""Plays the authorization server of the example `tenants`: its key set, and its tokens."""

import base64
import json
import time

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ISSUER = "https://auth.example.com"
KEY, FOREIGN_KEY = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
# Tools by tenant: those that need `ledger:read` only, and those that need `ledger:write` too.
READING = {"acme": {"read_entries"}, "globex": {"read_entries", "export_lines"}}
WRITING = {"acme": {"add_entry", "close_month"}, "globex": {"add_entry"}}
# A tool of the other tenant.
FOREIGN = {"acme": "export_lines", "globex": "close_month"}


def key_set() -> str:
    public = base64.urlsafe_b64encode(KEY.public_key().public_bytes_raw()).decode().rstrip("=")
    return json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "1", "x": public}]})


def claims(resource: str, tenant="acme", scope="ledger:read", **changes) -> dict:
    now = int(time.time())
    found = {"iss": ISSUER, "aud": resource, "sub": f"user-of-{tenant}", "tenant": tenant, "scope": scope, "iat": now, "exp": now + 600}
    return {name: value for name, value in (found | changes).items() if value is not None}


def token(resource: str, tenant="acme", scope="ledger:read", key=KEY, algorithm="EdDSA", kid="1", **changes) -> str:
    return jwt.encode(claims(resource, tenant, scope, **changes), key, algorithm=algorithm, headers={"kid": kid} if kid else {})
