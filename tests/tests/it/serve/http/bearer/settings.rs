//! Settings that would protect nothing do not build. Nothing prints keys, tokens or claims.

use mcp_tool_runtime::http::{Bearer, BearerError, Keys};
use serde_json::{Value, json};

use super::keys::{ED25519_PEM, ED25519_X, P256_PEM, RSA_N, key_set, token, valid};
use super::{ISSUER, RESOURCE, bearer, builder, send_token};

fn text<T>(result: Result<T, BearerError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn a_layer_without_issuer_or_resource_does_not_build() {
    let jwt = || Bearer::jwt(key_set());
    for (built, expected) in [
        (jwt().resource(RESOURCE).build(), "no issuer is set: call `issuer`"),
        (jwt().issuer(ISSUER).build(), "no resource is set: call `resource`"),
        (jwt().without_issuer_check().resource(RESOURCE).build(), "no authorization server is set"),
        (jwt().issuer("auth").resource(RESOURCE).build(), "`auth` is not the URL of an authorization server"),
        (jwt().issuer("https://a\n").resource(RESOURCE).build(), r"`https://a\n` is not the URL of an authorization"),
        (builder().scopes(["a b"]).build(), "the scope `a b` is not valid"),
        (builder().scopes(["\""]).build(), "the scope `\"` is not valid"),
        (builder().scopes(["offline_access"]).build(), "the scope `offline_access` is for clients"),
        (builder().broad_scope("a", ["b c"]).build(), "the scope `b c` is not valid"),
        (builder().leeway(std::time::Duration::from_secs(3600)).build(), "the leeway is longer than 10 minutes"),
        (builder().resource_at("mcp", "https://h/mcp").build(), "the path `mcp` of a resource does not start with"),
    ] {
        let text = text(built);
        assert!(text.starts_with(expected), "{text}");
    }
    for url in [
        "",
        "mcp",
        "/mcp",
        "mcp.example.com/mcp",
        "https://",
        "https:///mcp",
        "https://h/mcp#a",
        "https://h/mcp?a=1",
        "https://u:p@h/mcp",
        "ftp://h/mcp",
        "https://h/a b",
        "https://h/\"",
        "https://h/\r\nX: y",
        "https://é/",
    ] {
        let expected = format!("`{}` is not the URL of a resource", url.escape_debug());
        assert!(text(builder().resource(url).build()).starts_with(&expected), "{url}");
        assert!(text(Bearer::metadata_url(url)).starts_with(&expected), "{url}");
    }
}

#[test]
fn a_key_that_is_weak_or_of_another_kind_is_not_accepted() {
    let set = |key: Value| Keys::jwks(json!({ "keys": [key] }).to_string());
    let ed = json!({ "kty": "OKP", "crv": "Ed25519", "x": ED25519_X });
    let with = |name: &str, value: Value| {
        let mut key = ed.clone();
        key[name] = value;
        key
    };
    assert!(set(ed.clone()).is_ok() && set(with("alg", json!("Ed25519"))).is_ok());
    for key in [
        json!({}),
        json!("key"),
        json!({ "kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "alg": "HS256" }),
        with("alg", json!("HS256")),
        with("alg", json!("ES256")),
        with("alg", json!("none")),
        with("alg", json!("RSA-OAEP")),
        with("use", json!("enc")),
        with("key_ops", json!(["sign"])),
        with("crv", json!("X25519")),
        with("crv", json!("Ed448")),
        with("x", json!("")),
        with("x", json!("AAAA")),
        with("x", json!(format!("{ED25519_X}AAAA"))),
        with("x", json!("not base64!")),
        with("kid", json!(7)),
        json!({ "kty": "EC", "crv": "P-256", "x": ED25519_X, "y": ED25519_X }),
        json!({ "kty": "EC", "crv": "secp256k1", "x": ED25519_X, "y": ED25519_X }),
        json!({ "kty": "RSA", "n": &RSA_N[..300], "e": "AQAB" }),
        json!({ "kty": "RSA", "n": RSA_N.repeat(4), "e": "AQAB" }),
        json!({ "kty": "RSA", "n": RSA_N, "e": "AQAB", "alg": "EdDSA" }),
    ] {
        assert!(text(set(key.clone())).starts_with("the key set has no key that can check signatures"), "{key}");
    }
    // A key set may have other keys, too.
    assert!(Keys::jwks(json!({ "keys": [{ "kty": "XYZ" }, ed] }).to_string()).is_ok());
    for document in ["", "{}", "[]", r#"{"keys": {}}"#, "secret-text"] {
        assert_eq!(text(Keys::jwks(document)), "the key set is not a JSON object with an array `keys`");
    }
    let private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJuBJYHcSVGgJhMIP8tJHIaBNgd6enQZu4MJrg1n5Npz\n-----END PRIVATE KEY-----";
    for pem in ["", "secret-text", private, &ED25519_PEM.replace("MCow", "MCpw"), &P256_PEM[..100]] {
        let text = text(Keys::pem(pem));
        assert!(text.starts_with("the key is not a public key in PEM") && !text.contains("secret"), "{text}");
    }
    assert_eq!(text(Keys::secret("short")), "the secret is too short: expected at least 32 bytes");
}

#[tokio::test]
async fn debug_output_has_no_secrets() {
    let secret = "a secret of more than 32 characters";
    let keys = Keys::secret(secret).expect("a secret");
    let builder = Bearer::jwt(keys.clone()).issuer(ISSUER).resource(RESOURCE);
    let claims = bearer().verify(&valid()).await.expect("a valid token");
    let extensions = {
        let mut extensions = mcp_tool_runtime::Extensions::new();
        extensions.insert(claims.clone());
        extensions
    };
    let texts = [
        format!("{keys:?}"),
        format!("{builder:?}"),
        format!("{:?}", builder.build().expect("valid settings")),
        format!("{claims:?} {claims:#?} {extensions:?}"),
    ];
    for text in texts {
        assert!(!["secret", "ann", "acme", "notes:read"].iter().any(|part| text.contains(part)), "{text}");
    }
}

#[derive(Clone, serde::Deserialize)]
struct Caller {
    tenant: String,
}

#[tokio::test]
async fn attached_claims_are_required() {
    let bearer = builder().attach::<Caller>().build().expect("valid settings");
    assert_eq!(send_token(&bearer, &valid()).await.status, 200);
    assert_eq!(bearer.verify(&valid()).await.expect("valid").read::<Caller>().expect("a caller").tenant, "acme");
    for tenant in [json!(null), json!(7), json!(["acme"])] {
        let token = token(&json!({}), &json!({ "tenant": tenant }));
        let answer = send_token(&bearer, &token).await;
        super::assert_refused(&answer, "a claim is missing, or has another type", &tenant.to_string());
        assert!(bearer.verify(&token).await.is_err());
    }
}
