//! What the layer logs: fixed words, and nothing that a client sent.

use mcp_tool_runtime::http::{Bearer, Keys};
use serde_json::json;
use tracing_subscriber::layer::SubscriberExt as _;

use super::keys::{claims, ed25519, encode, sign, token, valid};
use super::{ISSUER, RESOURCE, builder, send_token, send_with};
use crate::subscribers::{self, Lines};

#[tokio::test]
async fn a_refusal_is_logged_in_fixed_words() {
    subscribers::keep_two();
    let lines = Lines::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(lines.clone()));
    let bearer = builder().build().expect("valid settings");
    let evil = "evil\n2026-11-23 INFO root logged in \u{1b}[31m \u{202e}";
    let tokens = [
        token(&json!({ "kid": evil, "typ": evil }), &json!({})),
        token(&json!({ "kid": evil }), &json!({})),
        token(&json!({ "alg": evil }), &json!({})),
        token(&json!({}), &json!({ "iss": evil, "sub": evil })),
        token(&json!({}), &json!({ "aud": evil })),
        sign(r#"{"alg":"EdDSA","kid":"1"}"#, evil, &ed25519(super::keys::ED25519), jsonwebtoken::Algorithm::EdDSA),
        format!("{}.{}.x", encode(evil), encode(claims().to_string())),
    ];
    for token in &tokens {
        assert_eq!(send_token(&bearer, token).await.status, 401);
    }
    for value in ["Bearer \"evil\"", "Bearer evil evil", "Bearer \u{202e}"] {
        assert_eq!(send_with(&bearer, "/mcp", &[value]).await.status, 401);
    }
    assert_eq!(send_token(&bearer, &valid()).await.status, 200);
    let found = std::mem::take(&mut *lines.0.lock().expect("no panic"));
    assert_eq!(found.len(), tokens.len() + 3, "{found:?}");
    for line in found {
        let start = r#"INFO message=a bearer token was refused reason="the token"#;
        let fixed = line.starts_with(start)
            || line.starts_with(r#"INFO message=a bearer token was refused reason="no known key"#);
        assert!(fixed && line.ends_with(&format!("resource={RESOURCE:?} ")), "{line}");
        assert!(!line.contains("evil") && line.is_ascii() && !line.contains('\n'), "{line}");
    }

    let broken = Bearer::jwt_with(|_| async { Err::<Keys, _>("no connection\nroot logged in \u{1b}[31m") });
    let broken = broken.issuer(ISSUER).resource(RESOURCE).build().expect("valid settings");
    assert_eq!(send_token(&broken, &valid()).await.status, 503);
    let found = lines.0.lock().expect("no panic").join("|");
    let expected =
        r"ERROR message=a bearer token could not be checked error=no connection\nroot logged in \u{1b}[31m |";
    assert!(found.starts_with(expected), "{found}");
}
