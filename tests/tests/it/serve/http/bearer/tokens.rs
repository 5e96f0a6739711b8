//! Which JSON Web Tokens are accepted.

use jsonwebtoken::{Algorithm, EncodingKey};
use mcp_tool_runtime::http::{Bearer, Claims, Keys};
use serde_json::{Value, json};

use super::keys::{
    ED25519, ED25519_PEM, ED25519_X, FOREIGN_ED25519, P256, P256_PEM, P384, P384_PEM, PS256_TOKEN, RS256_TOKEN, RSA_N,
    RSA_PEM, claims, ed25519, elliptic_curve, encode, header, now, sign, token, valid,
};
use super::{ACCEPTED, ISSUER, RESOURCE, assert_refused, bearer, builder, send_token};

const MALFORMED: &str = "the token is malformed";
const UNKNOWN_KEY: &str = "no known key has signed the token";
const EXTENSION: &str = "the token needs an extension that the server does not have";
const MISSING: &str = "a claim is missing, or has another type";

fn with(keys: Keys) -> Bearer {
    Bearer::jwt(keys).issuer(ISSUER).resource(RESOURCE).build().expect("valid settings")
}

/// RFC 9864 gives `EdDSA` with this curve a name of its own.
#[tokio::test]
async fn ed25519_is_eddsa_and_the_algorithm_of_no_other_key() {
    let set = |key: Value| Keys::jwks(json!({ "keys": [key] }).to_string());
    let own = set(json!({ "kty": "OKP", "crv": "Ed25519", "alg": "Ed25519", "x": ED25519_X })).expect("a key");
    for name in ["EdDSA", "Ed25519"] {
        let header = json!({ "alg": name }).to_string();
        let token = sign(&header, &claims().to_string(), &ed25519(ED25519), Algorithm::EdDSA);
        assert_eq!(send_token(&with(own.clone()), &token).await.body, ACCEPTED, "{name}");
    }
    set(json!({ "kty": "RSA", "alg": "Ed25519", "n": RSA_N, "e": "AQAB" })).expect_err("a key for RSA");
}

#[tokio::test]
async fn every_algorithm_is_checked_with_its_own_kind_of_key() {
    let secret = [9; 32];
    let signed = |algorithm: &str, key: &EncodingKey| {
        let header = json!({ "alg": algorithm }).to_string();
        sign(&header, &claims().to_string(), key, algorithm.parse().expect("an algorithm"))
    };
    let rsa = |algorithm: &str| {
        let key = json!({ "kty": "RSA", "alg": algorithm, "n": RSA_N, "e": "AQAB" });
        Keys::jwks(json!({ "keys": [key] }).to_string())
    };
    let tokens = [
        signed("EdDSA", &ed25519(ED25519)),
        signed("ES256", &elliptic_curve(P256)),
        signed("ES384", &elliptic_curve(P384)),
        RS256_TOKEN.to_owned(),
        PS256_TOKEN.to_owned(),
        signed("HS256", &EncodingKey::from_secret(&secret)),
        signed("HS384", &EncodingKey::from_secret(&secret)),
        // Signed with another algorithm than the header names.
        sign(r#"{"alg":"HS384"}"#, &claims().to_string(), &EncodingKey::from_secret(&secret), Algorithm::HS256),
        signed("HS256", &EncodingKey::from_secret(RSA_PEM.as_bytes())),
        signed("HS256", &EncodingKey::from_secret(ED25519_PEM.as_bytes())),
    ];
    // For each key, the only token that it accepts.
    let keys = [
        (Keys::pem(ED25519_PEM), 0),
        (Keys::pem(P256_PEM), 1),
        (Keys::pem(P384_PEM), 2),
        (Keys::pem(RSA_PEM), 3),
        (rsa("RS256"), 3),
        (rsa("PS256"), 4),
        (Keys::secret(secret), 5),
    ];
    for (number, (key, own)) in keys.into_iter().enumerate() {
        let bearer = with(key.expect("a key"));
        for (at, token) in tokens.iter().enumerate() {
            let answer = send_token(&bearer, token).await;
            if at == own {
                assert_eq!(answer.body, ACCEPTED, "key {number}, token {at}");
            } else {
                assert_refused(&answer, UNKNOWN_KEY, &format!("key {number}, token {at}"));
            }
        }
    }
}

#[tokio::test]
async fn a_token_chooses_neither_its_algorithm_nor_its_key() {
    let foreign = ed25519(FOREIGN_ED25519);
    let foreign_header = |extra: &Value| {
        let mut header = header();
        header.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        sign(&header.to_string(), &claims().to_string(), &foreign, Algorithm::EdDSA)
    };
    let unsigned = |algorithm: &str| {
        format!("{}.{}.", encode(json!({ "alg": algorithm, "kid": "1" }).to_string()), encode(claims().to_string()))
    };
    for algorithm in ["none", "None", "NONE", "nOnE", "", "EdDSA", "HS256"] {
        assert_refused(&send_token(&bearer(), &unsigned(algorithm)).await, UNKNOWN_KEY, algorithm);
    }
    let own_key = json!({ "kty": "OKP", "crv": "Ed25519", "x": ED25519_X });
    for extra in [
        json!({}),
        json!({ "jwk": own_key }),
        json!({ "jku": "https://evil.example.com/keys" }),
        json!({ "x5u": "https://evil.example.com/key" }),
        json!({ "kid": "2" }),
        json!({ "kid": null, "key": "1" }),
    ] {
        let token = foreign_header(&extra);
        let answer = send_token(&bearer(), &token).await;
        assert!(answer.challenge.contains("invalid_token") && answer.body.is_empty(), "{extra}: {answer:?}");
    }
    for secret in [ED25519_X.as_bytes(), ED25519_PEM.as_bytes(), b"", &[0; 32]] {
        let token = sign(
            r#"{"alg":"HS256","kid":"1"}"#,
            &claims().to_string(),
            &EncodingKey::from_secret(secret),
            Algorithm::HS256,
        );
        assert_refused(&send_token(&bearer(), &token).await, UNKNOWN_KEY, "a public key as a secret");
    }
}

#[tokio::test]
async fn a_key_id_must_be_that_of_the_key() {
    for id in ["", "2", "1 ", "11", "01", "../1", "1' OR '1'='1", "1\0", "1\n", "é", "/dev/null"] {
        assert_refused(&send_token(&bearer(), &token(&json!({ "kid": id }), &json!({}))).await, UNKNOWN_KEY, id);
    }
    assert_refused(&send_token(&bearer(), &token(&json!({ "kid": null }), &json!({}))).await, UNKNOWN_KEY, "none");
    for id in [json!(1), json!(["1"]), json!({ "1": 1 }), json!(true)] {
        assert_refused(&send_token(&bearer(), &token(&json!({ "kid": id }), &json!({}))).await, MALFORMED, "a type");
    }
    // A key without an id is for every token.
    for id in [json!(null), json!("1"), json!("2")] {
        let bearer = with(Keys::pem(ED25519_PEM).expect("a key"));
        assert_eq!(send_token(&bearer, &token(&json!({ "kid": id }), &json!({}))).await.body, ACCEPTED);
    }
}

#[tokio::test]
async fn critical_extensions_and_other_types_of_tokens_are_refused() {
    for change in [
        json!({ "crit": ["exp"], "exp": 1 }),
        json!({ "crit": [] }),
        json!({ "crit": "b64" }),
        json!({ "b64": false, "crit": ["b64"] }),
        json!({ "b64": true }),
        json!({ "typ": "logout+jwt" }),
        json!({ "typ": "dpop+jwt" }),
        json!({ "typ": "JWE" }),
    ] {
        assert_refused(&send_token(&bearer(), &token(&change, &json!({}))).await, EXTENSION, &change.to_string());
    }
    for kind in [json!(null), json!("JWT"), json!("jwt"), json!("at+jwt"), json!("application/at+JWT")] {
        assert_eq!(send_token(&bearer(), &token(&json!({ "typ": kind }), &json!({}))).await.body, ACCEPTED, "{kind}");
    }
}

#[tokio::test]
async fn claims_decide() {
    let accepted = [
        json!({ "aud": [RESOURCE] }),
        json!({ "aud": ["https://other.example.com", RESOURCE] }),
        json!({ "nbf": now() - 5 }),
        json!({ "nbf": now() + 20 }),
        json!({ "exp": now() - 10 }),
        json!({ "exp": 253_402_300_799_u64 }),
        json!({ "iat": "nonsense" }),
        json!({ "scope": null, "scp": ["notes:read"] }),
    ];
    for change in accepted {
        let answer = send_token(&bearer(), &token(&json!({}), &change)).await;
        assert_eq!(answer.body, ACCEPTED, "{change}: {answer:?}");
    }
    let (expired, early) = ("the token has expired", "the token is not yet valid");
    let (issuer, audience) = ("the token is from another issuer", "the token is for another audience");
    let refused = [
        (json!({ "exp": now() - 60 }), expired),
        (json!({ "exp": 0 }), expired),
        (json!({ "nbf": now() + 120 }), early),
        (json!({ "iss": "https://evil.example.com" }), issuer),
        (json!({ "iss": format!("{ISSUER}/") }), issuer),
        (json!({ "iss": ISSUER.to_uppercase() }), issuer),
        (json!({ "iss": format!("{ISSUER}.evil.example.com") }), issuer),
        (json!({ "aud": "https://mcp.example.com" }), audience),
        (json!({ "aud": format!("{RESOURCE}/") }), audience),
        (json!({ "aud": "https://mcp.example.com/mcp2" }), audience),
        (json!({ "aud": [] }), audience),
        (json!({ "aud": null }), audience),
        (json!({ "aud": "*" }), audience),
        (json!({ "exp": null }), MISSING),
        (json!({ "exp": (now() + 600).to_string() }), MISSING),
        (json!({ "exp": -1 }), MISSING),
        (json!({ "exp": 1e300 }), MISSING),
        (json!({ "exp": [now() + 600] }), MISSING),
        (json!({ "nbf": "0" }), MISSING),
        (json!({ "iss": null }), MISSING),
        (json!({ "iss": [ISSUER] }), MISSING),
        (json!({ "iss": "" }), MISSING),
        (json!({ "sub": null }), MISSING),
        (json!({ "sub": "" }), MISSING),
        (json!({ "sub": 7 }), MISSING),
        (json!({ "sub": ["ann"] }), MISSING),
        (json!({ "aud": { "0": RESOURCE } }), MISSING),
        (json!({ "aud": [RESOURCE, 7] }), MISSING),
        (json!({ "scope": 7 }), MISSING),
        (json!({ "scope": ["notes:read", 7] }), MISSING),
    ];
    for (change, expected) in refused {
        assert_refused(&send_token(&bearer(), &token(&json!({}), &change)).await, expected, &change.to_string());
    }
}

#[tokio::test]
async fn a_text_that_is_not_one_token_is_malformed() {
    let key = ed25519(ED25519);
    let signed = |header: &str, claims: &str| sign(header, claims, &key, Algorithm::EdDSA);
    let (header, claims) = (header().to_string(), claims().to_string());
    let token = signed(&header, &claims);
    let [first, second, third] = [0, 1, 2].map(|part| token.split('.').nth(part).expect("a part"));
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let malformed = [
        "nonsense".to_owned(),
        ".".to_owned(),
        "..".to_owned(),
        "....".to_owned(),
        format!("{first}.{second}"),
        format!("{token}.{third}"),
        format!("{token}."),
        format!(".{second}.{third}"),
        format!("{token}="),
        format!("{first}=.{second}.{third}"),
        token.replace('-', "+").replace('_', "/") + "/",
        signed("7", &claims),
        signed("[]", &claims),
        signed("null", &claims),
        signed("{}", &claims),
        signed(r#"{"alg":"#, &claims),
        signed(r#"{"alg":7}"#, &claims),
        signed(&format!("{header} {header}"), &claims),
        signed(r#"{"alg":"EdDSA","kid":"1","kid":"2"}"#, &claims),
        signed(r#"{"alg":"HS256","alg":"EdDSA","kid":"1"}"#, &claims),
        signed(&deep, &claims),
        signed(&header, "7"),
        signed(&header, "[]"),
        signed(&header, "\"\""),
        signed(&header, &claims.replacen('{', r#"{"sub":"root","#, 1)),
        signed(&header, &claims.replacen('{', &format!(r#"{{"tenant":{deep},"#), 1)),
        signed(&header, &format!("{claims}{claims}")),
        encode("x".repeat(12_000)),
    ];
    for token in malformed {
        assert_refused(&send_token(&bearer(), &token).await, MALFORMED, &token);
    }
    let not_text = format!("{}.{}.", encode(&header), encode([0xff, 0xfe]));
    assert_refused(&send_token(&bearer(), &not_text).await, UNKNOWN_KEY, "the signature is checked first");
}

#[tokio::test]
async fn no_other_text_of_a_valid_token_is_accepted() {
    let (token, bearer) = (valid(), bearer());
    for at in (0..token.len()).step_by(3) {
        let mut bytes = token.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).expect("ASCII");
        assert_eq!(send_token(&bearer, &changed).await.status, 401, "character {at}");
        assert_eq!(send_token(&bearer, &token[..at]).await.status, 401, "the first {at} characters");
    }
    assert_eq!(send_token(&bearer, &token).await.status, 200);
}

#[tokio::test]
async fn claims_are_what_the_token_says() {
    let bearer =
        builder().broad_scope("notes", ["notes:read"]).broad_scope("all", ["notes"]).build().expect("settings");
    let claims = |scope: &str| {
        let (bearer, token) = (bearer.clone(), token(&json!({}), &json!({ "scope": scope, "level": 3 })));
        async move { bearer.verify(&token).await.expect("a valid token") }
    };
    let found: Claims = claims("a  b").await;
    assert_eq!((found.subject(), found.issuer(), found.audience()), ("ann", Some(ISSUER), &[RESOURCE.to_owned()][..]));
    assert_eq!(found.scopes(), ["a", "b"]);
    assert!(found.expires_at().is_some_and(|end| end > std::time::SystemTime::now()));
    assert_eq!(
        (found.get::<u8>("level"), found.get::<String>("level"), found.get::<u8>("none")),
        (Some(3), None, None)
    );
    assert_eq!(claims("notes").await.scopes(), ["notes", "notes:read"]);
    assert_eq!(claims("all").await.scopes(), ["all", "notes", "notes:read"]);
    assert_eq!(claims("notes:write").await.scopes(), ["notes:write"]);
}
