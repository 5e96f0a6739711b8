//! Keys that a function looks up, and opaque tokens.

use std::sync::{Arc, Mutex};

use http::StatusCode;
use mcp_tool_runtime::http::{Bearer, BearerBuilder, Claims};
use serde_json::{Value, json};

use super::keys::{key_set, now, token, valid};
use super::{ACCEPTED, ISSUER, RESOURCE, assert_refused, send_token};

#[tokio::test]
async fn a_function_gets_the_key_id_and_returns_keys() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let bearer = Bearer::jwt_with(move |id: Option<String>| {
        log.lock().expect("no panic").push(id.clone());
        async move { if id.as_deref() == Some("broken") { Err("forged\nline \u{1b}[31m") } else { Ok(key_set()) } }
    });
    let bearer = bearer.issuer(ISSUER).resource(RESOURCE).build().expect("valid settings");
    assert_eq!(send_token(&bearer, &valid()).await.body, ACCEPTED);
    let of = |id: Value| token(&json!({ "kid": id }), &json!({}));
    let unknown = "no known key has signed the token";
    for id in [json!(null), json!("2")] {
        assert_refused(&send_token(&bearer, &of(id)).await, unknown, "another id");
    }
    // The function never sees an id that could do harm elsewhere: in a log, for example.
    for id in ["1\n", "a b", "é", "\u{202e}", &*"1".repeat(300)] {
        assert_refused(&send_token(&bearer, &of(json!(id))).await, unknown, id);
    }
    let answer = send_token(&bearer, &of(json!("broken"))).await;
    let found = (answer.status, answer.challenge.as_str(), answer.body.as_str());
    assert_eq!(found, (StatusCode::SERVICE_UNAVAILABLE, "", ""));
    let error = bearer.verify(&of(json!("broken"))).await.expect_err("no keys");
    assert_eq!(error.to_string(), "the token cannot be checked now");
    let id = |id: &str| Some(id.to_owned());
    assert_eq!(*asked.lock().expect("no panic"), [id("1"), None, id("2"), id("broken"), id("broken")]);
}

/// A layer that asks about the token `known` and gets this response.
fn introspecting(response: &Value) -> BearerBuilder {
    let response = response.clone();
    Bearer::introspect(move |token: String| {
        let response = if token == "known" { response.clone() } else { json!({ "active": false }) };
        async move { if token == "broken" { Err("no connection") } else { Ok(response) } }
    })
    .resource(RESOURCE)
}

#[tokio::test]
async fn an_opaque_token_is_what_the_authorization_server_says() {
    let full =
        json!({ "active": true, "sub": "ann", "iss": ISSUER, "aud": RESOURCE, "exp": now() + 60, "scope": "a b" });
    let bearer = introspecting(&full).issuer(ISSUER).build().expect("valid settings");
    assert_eq!(send_token(&bearer, "known").await.body, ACCEPTED);
    assert_eq!(bearer.verify("known").await.expect("active").scopes(), ["a", "b"]);
    assert_refused(&send_token(&bearer, "other").await, "the token is not active", "another token");
    assert_refused(&send_token(&bearer, &valid()).await, "the token is not active", "a JSON Web Token");
    assert_eq!(send_token(&bearer, "broken").await.status, StatusCode::SERVICE_UNAVAILABLE);

    let (audience, missing) = ("the token is for another audience", "a claim is missing, or has another type");
    for (changed, expected) in [
        (json!({ "active": false }), "the token is not active"),
        (json!({ "active": "true" }), "the token is not active"),
        (json!({ "active": 1 }), "the token is not active"),
        (json!({ "active": null }), "the token is not active"),
        (json!({ "sub": null }), missing),
        (json!({ "aud": null }), audience),
        (json!({ "aud": "https://other.example.com" }), audience),
        (json!({ "iss": "https://evil.example.com" }), "the token is from another issuer"),
        (json!({ "exp": now() - 600 }), "the token has expired"),
        (json!({ "nbf": now() + 600 }), "the token is not yet valid"),
    ] {
        let mut response = full.clone();
        response.as_object_mut().expect("an object").extend(changed.as_object().expect("an object").clone());
        let bearer = introspecting(&response).issuer(ISSUER).build().expect("valid settings");
        assert_refused(&send_token(&bearer, "known").await, expected, &changed.to_string());
    }
    for response in [json!(null), json!([]), json!("active"), json!(true), json!({})] {
        let bearer = introspecting(&response).issuer(ISSUER).build().expect("valid settings");
        assert_refused(&send_token(&bearer, "known").await, "the token is not active", &response.to_string());
    }
}

#[tokio::test]
async fn an_introspection_response_may_lack_what_rfc_7662_does_not_require() {
    let short = json!({ "active": true, "sub": "ann", "aud": RESOURCE });
    let bearer = introspecting(&short).issuer(ISSUER).build().expect("valid settings");
    let claims = bearer.verify("known").await.expect("active");
    assert_eq!((claims.issuer(), claims.expires_at()), (Some(ISSUER), None));
    // With two issuers, nothing says which of them the token is from.
    let bearer = introspecting(&short).issuer(ISSUER).issuer("https://other.example.com").build().expect("settings");
    assert_refused(&send_token(&bearer, "known").await, "a claim is missing, or has another type", "two issuers");
}

#[tokio::test]
async fn checks_can_be_left_out_by_name() {
    let bare = json!({ "active": true, "sub": "ann" });
    let bearer = introspecting(&bare).issuer(ISSUER).without_audience_check().build().expect("valid settings");
    assert_eq!(send_token(&bearer, "known").await.body, ACCEPTED);
    let bearer = introspecting(&json!({ "active": true, "sub": "ann", "aud": "api" }))
        .without_issuer_check()
        .authorization_server(ISSUER)
        .audience("api")
        .build()
        .expect("valid settings");
    assert_eq!(send_token(&bearer, "known").await.body, ACCEPTED);
    assert_eq!(bearer.verify("known").await.expect("active").issuer(), None);
}

#[test]
fn claims_without_a_token() {
    let claims = Claims::from_json(json!({ "sub": "ann", "aud": null, "exp": null })).expect("claims");
    assert_eq!((claims.subject(), claims.audience().len(), claims.scopes().len()), ("ann", 0, 0));
    for wrong in [json!(null), json!([]), json!({}), json!({ "sub": "" }), json!({ "sub": "ann", "exp": "soon" })] {
        assert!(Claims::from_json(wrong.clone()).is_none(), "{wrong}");
    }
}
