//! Keys that are for these tests only, and tokens that never expire.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey};
use mcp_tool_runtime::http::Keys;
use serde_json::{Value, json};

use super::{ISSUER, RESOURCE};

/// A private key, as the others in DER.
pub(super) const ED25519: &str = "\
MC4CAQAwBQYDK2VwBCIEIJuBJYHcSVGgJhMIP8tJHIaBNgd6enQZu4MJrg1n5Npz";
/// A key that no server knows.
pub(super) const FOREIGN_ED25519: &str = "\
MC4CAQAwBQYDK2VwBCIEIO1s4DE28rUCEPCDGEZxCa2fkn8wsl21w2JbNNYdVLFw";
/// A private key.
pub(super) const P256: &str = "\
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjgoQND+YMKt8UryL2eMwVkPRVucUXI78MgqfzSqTb+ShRANCAAQToRjcb+w9Ub\
qYfPtYc8vJg/S9nMyPJk4zIW798IUo+ity3h5kc6ZhqVim5zh9swlZR9MYzreyIUCdItalpheG";
/// A private key.
pub(super) const P384: &str = "\
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAiGaqSAhHGxbbXb6tF3gkp+EDyb5ZKQgSQEUXWfmTsDeX2m8GOr5hO9yCqSqudBL\
6hZANiAARhzDfHGcood2cuLrTZIojMuLO9ednh9Yin9qfnyNf85/q1pTZfayq+NQFiwKdKKjjfS8FwndaE/aeY9Tm8K0vv2QDQF8BLtAXNCeW0\
cRwsKhbIj2CrtAknoONYRbSq+bc=";
pub(super) const ED25519_PEM: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAVtxZ4U4dKFxx3JFhrpPFEAQUriJWfQQMV7axmmSli6w=
-----END PUBLIC KEY-----";
pub(super) const P256_PEM: &str = "-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEE6EY3G/sPVG6mHz7WHPLyYP0vZzM
jyZOMyFu/fCFKPorct4eZHOmYalYpuc4fbMJWUfTGM63siFAnSLWpaYXhg==
-----END PUBLIC KEY-----";
pub(super) const P384_PEM: &str = "-----BEGIN PUBLIC KEY-----
MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEYcw3xxnKKHdnLi602SKIzLizvXnZ4fWI
p/an58jX/Of6taU2X2sqvjUBYsCnSio430vBcJ3WhP2nmPU5vCtL79kA0BfAS7QF
zQnltHEcLCoWyI9gq7QJJ6DjWEW0qvm3
-----END PUBLIC KEY-----";
pub(super) const RSA_PEM: &str = "-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArEHluymKdgRg7UKRpKw1
t38Lc7ci6z+Wz2uIDz/1eU8A6ptsNk34G81Mhi5J6WYgu2uLpJgPbbyJJ+ZnbbuP
b3YeZoPRCa4IH8cVJQ7Dfvla2nJ5Kiy49j70vZB9VBZ4R2W7r4zgV5Iy/GEY6cEL
WVJms7fB1iHPCjQlv4kyGs+FR0RO7YjjZEhX4CngAs6ekXHmPJ7XUtbEncZh0veB
oiEnA9nPOMPeuacH5zluLlhsbtRTPxNmpxXvgsd4J7sWaIuXZpZQo86NeaEec5bY
ZtWDGJiY+i0EknHYqtEpttyg/LRbWKvRvOe5F/kf/DqOTSbiWZH1BrB6r19RyJEu
CwIDAQAB
-----END PUBLIC KEY-----";
/// The public key of `ED25519` in a key set.
pub(super) const ED25519_X: &str = "VtxZ4U4dKFxx3JFhrpPFEAQUriJWfQQMV7axmmSli6w";
/// The modulus of `RSA_PEM`.
pub(super) const RSA_N: &str = "\
rEHluymKdgRg7UKRpKw1t38Lc7ci6z-Wz2uIDz_1eU8A6ptsNk34G81Mhi5J6WYgu2uLpJgPbbyJJ-ZnbbuPb3YeZoPRCa4IH8cVJQ7Dfvla2n\
J5Kiy49j70vZB9VBZ4R2W7r4zgV5Iy_GEY6cELWVJms7fB1iHPCjQlv4kyGs-FR0RO7YjjZEhX4CngAs6ekXHmPJ7XUtbEncZh0veBoiEnA9nP\
OMPeuacH5zluLlhsbtRTPxNmpxXvgsd4J7sWaIuXZpZQo86NeaEec5bYZtWDGJiY-i0EknHYqtEpttyg_LRbWKvRvOe5F_kf_DqOTSbiWZH1Br\
B6r19RyJEuCw";
/// A token of the RSA key.
pub(super) const RS256_TOKEN: &str = "\
eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2F1dGguZXhhbXBsZS5jb20iLCJhdWQiOiJodHRwczovL21jcC5leGFtcGxlLmNvbS9tY\
3AiLCJzdWIiOiJhbm4iLCJleHAiOjI1MzQwMjMwMDc5OX0.X5dePKIQyzVNSIlYnGtTE6m-BJ64MR28FcqiiOt7IcMOpMp1ifMmJxhWRoSMHA6\
rjoRCe_FfxvBVPuyxa4eT5u8PN0DymnaPqtBdzQTz_Mg7esHU0vzE52MHYkFG-uwVtYBEIhNmKs8dTgbszBJBvUCCN95-n2tq1XVkz1Tok-0Rz\
wVkDlBj4C-wlrrlhNZgUxjscv04TOSfU9L8oWltI0oE4ZgpJPUgl4JLzXofO0IeBqQKNMdWm7Sthavt9Fc2XaV0MKdUHm3e9GIpFcttYGwA4CP\
wvPvi-DWKPLRjqFQwo_jwMbhFzjBzMKEYG2BFReWviHAhruAnqK27AEMJyw";
/// A token of the RSA key.
pub(super) const PS256_TOKEN: &str = "\
eyJhbGciOiJQUzI1NiJ9.eyJpc3MiOiJodHRwczovL2F1dGguZXhhbXBsZS5jb20iLCJhdWQiOiJodHRwczovL21jcC5leGFtcGxlLmNvbS9tY\
3AiLCJzdWIiOiJhbm4iLCJleHAiOjI1MzQwMjMwMDc5OX0.WMowarD4yI8_QohoGD0aQ5XwX3FBLqC6hWuKs5RCpE0Ss17jhsMySOgELWvp1aQ\
UDdLfGe3qLYuZY7Z4Fgtqwmqoy5M4WOdPTkDOHPBstCnQzBkU2bu9W1TFoMgLoHAoXbdRlYDgnYq_wpTC16QFl2r-eQcx4wKOpIiEMkTL9akQg\
55pVodyaBA3bD4iDf8RDhHlz-z55UIH2rCfRWpzUcRNm69_AmsuXkabnOtwm2Puedr1DUGvaDRLXPWexaRFlgag_S503Dwm3boVUKPksLQcSXN\
3zVloWijjbu2dtAs0KOx36bMdRJXZeUWtYqTppPaTHjsEzcwy7mPqhIXXpA";

pub(super) fn ed25519(der: &str) -> EncodingKey {
    EncodingKey::from_ed_der(&STANDARD.decode(der).expect("base64"))
}

pub(super) fn elliptic_curve(der: &str) -> EncodingKey {
    EncodingKey::from_ec_der(&STANDARD.decode(der).expect("base64"))
}

/// The key set of the tests: one key with the id `1`.
pub(super) fn key_set() -> Keys {
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "1", "alg": "EdDSA", "use": "sig", "x": ED25519_X });
    Keys::jwks(json!({ "keys": [key] }).to_string()).expect("a key set")
}

pub(super) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Signs any header and any claims.
pub(super) fn sign(header: &str, claims: &str, key: &EncodingKey, algorithm: Algorithm) -> String {
    let message = format!("{}.{}", encode(header), encode(claims));
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), key, algorithm).expect("a signature");
    format!("{message}.{signature}")
}

pub(super) fn now() -> u64 {
    jsonwebtoken::get_current_timestamp()
}

pub(super) fn header() -> Value {
    json!({ "alg": "EdDSA", "kid": "1", "typ": "at+jwt" })
}

pub(super) fn claims() -> Value {
    let expiry = now() + 3600;
    json!({ "iss": ISSUER, "aud": RESOURCE, "sub": "ann", "scope": "notes:read", "tenant": "acme", "exp": expiry })
}

/// Returns a token of the known key with other header fields and claims. `null` removes one.
pub(super) fn token(header_changes: &Value, claim_changes: &Value) -> String {
    let changed = |mut object: Value, changes: &Value| {
        for (name, value) in changes.as_object().expect("an object") {
            object[name] = value.clone();
        }
        object.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        object.to_string()
    };
    let (header, claims) = (changed(header(), header_changes), changed(claims(), claim_changes));
    sign(&header, &claims, &ed25519(ED25519), Algorithm::EdDSA)
}

pub(super) fn valid() -> String {
    token(&json!({}), &json!({}))
}
