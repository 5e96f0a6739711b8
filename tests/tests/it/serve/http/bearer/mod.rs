//! `http::Bearer`: which requests reach the service behind it, and what the others get.

mod keys;
mod logs;
mod mounted;
mod settings;
mod sources;
mod tokens;

use std::convert::Infallible;
use std::future::ready;

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::http::{Bearer, BearerBuilder, Claims};
use tower::{Layer as _, ServiceExt as _, service_fn};

use keys::{key_set, valid};

const ISSUER: &str = "https://auth.example.com";
const RESOURCE: &str = "https://mcp.example.com/mcp";
const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

fn builder() -> BearerBuilder {
    Bearer::jwt(key_set()).issuer(ISSUER).resource(RESOURCE)
}

fn bearer() -> Bearer {
    builder().build().expect("valid settings")
}

/// What a client gets.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    challenge: String,
    headers: HeaderMap,
    body: String,
}

/// Sends a request to a service behind the layer. The service answers with the subject of the caller, and with whether it saw a token.
async fn send(bearer: &Bearer, request: Request<String>) -> Answer {
    let service = service_fn(|request: Request<String>| {
        let subject = request.extensions().get::<Claims>().map(|claims| claims.subject().to_owned());
        let token = request.headers().contains_key(AUTHORIZATION);
        ready(Ok::<_, Infallible>(Response::new(Full::from(format!("{subject:?} {token}")))))
    });
    let response = bearer.layer(service).oneshot(request).await.expect("infallible");
    let (parts, body) = response.into_parts();
    let challenge = parts.headers.get(WWW_AUTHENTICATE).map_or("", |value| value.to_str().expect("ASCII")).to_owned();
    let body = body.collect().await.expect("a body").to_bytes();
    let body = String::from_utf8(body.to_vec()).expect("text");
    Answer { status: parts.status, challenge, headers: parts.headers, body }
}

/// Sends a request with these values of the header `Authorization`.
async fn send_with(bearer: &Bearer, path: &str, values: &[&str]) -> Answer {
    let request = Request::post(path).header("host", "mcp.example.com");
    let request = values.iter().fold(request, |request, value| request.header(AUTHORIZATION, value.as_bytes()));
    send(bearer, request.body(String::new()).expect("a request")).await
}

async fn send_token(bearer: &Bearer, token: &str) -> Answer {
    send_with(bearer, "/mcp", &[&format!("Bearer {token}")]).await
}

/// The body of an answer to a request that reached the service.
const ACCEPTED: &str = r#"Some("ann") false"#;

#[track_caller]
fn assert_refused(answer: &Answer, expected: &str, what: &str) {
    let challenge =
        format!(r#"Bearer error="invalid_token", error_description="{expected}", resource_metadata="{METADATA}""#);
    let Answer { status, challenge: found, body, .. } = answer;
    let expected = (StatusCode::UNAUTHORIZED, challenge.as_str(), "");
    assert_eq!((*status, found.as_str(), body.as_str()), expected, "{what}");
}

#[tokio::test]
async fn a_valid_token_becomes_claims_and_the_header_is_removed() {
    let answer = send_token(&bearer(), &valid()).await;
    assert_eq!((answer.status, answer.body.as_str()), (StatusCode::OK, ACCEPTED), "{answer:?}");
    for scheme in ["bearer", "BEARER", "bEaReR", "Bearer  ", "Bearer   "] {
        let answer = send_with(&bearer(), "/mcp", &[&format!("{scheme} {}", valid())]).await;
        assert_eq!(answer.body, ACCEPTED, "{scheme}");
    }
}

#[tokio::test]
async fn a_request_without_a_bearer_token_gets_a_challenge_without_an_error() {
    let bearer = builder().scopes(["notes:read", "notes:write"]).build().expect("valid settings");
    for values in [&[][..], &["Basic dXNlcjpwYXNz"], &["DPoP abc"], &["Bearerabc"], &[""]] {
        let answer = send_with(&bearer, "/mcp", values).await;
        let expected = format!(r#"Bearer scope="notes:read notes:write", resource_metadata="{METADATA}""#);
        assert_eq!((answer.status, answer.challenge), (StatusCode::UNAUTHORIZED, expected), "{values:?}");
        assert_eq!(answer.body, "");
    }
}

#[tokio::test]
async fn two_headers_are_refused_even_with_two_valid_tokens() {
    let token = format!("Bearer {}", valid());
    for values in [[&*token, &*token], [&*token, "Basic x"], ["Basic x", &*token], ["", &*token]] {
        let answer = send_with(&bearer(), "/mcp", &values).await;
        let expected = format!(
            r#"Bearer error="invalid_request", error_description="the header Authorization is sent twice", resource_metadata="{METADATA}""#
        );
        assert_eq!((answer.status, answer.challenge), (StatusCode::BAD_REQUEST, expected));
        assert_eq!(answer.body, "");
    }
}

#[tokio::test]
async fn a_header_that_has_no_token_of_rfc_6750_is_refused() {
    let token = valid();
    let values = [
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        "Bearer =".to_owned(),
        format!("Bearer {token}, Bearer {token}"),
        format!("Bearer {token} {token}"),
        format!("Bearer \t{token}"),
        format!("Bearer \"{token}\""),
        format!("Bearer {token}é"),
        format!("Bearer {}", "a".repeat(20_000)),
    ];
    for value in values {
        assert_refused(&send_with(&bearer(), "/mcp", &[&value]).await, "the token is malformed", &value);
    }
}

#[tokio::test]
async fn a_token_in_the_address_is_ignored() {
    for path in [format!("/mcp?access_token={}", valid()), format!("/mcp?authorization=Bearer%20{}", valid())] {
        let answer = send_with(&bearer(), &path, &[]).await;
        assert_eq!((answer.status, answer.body.as_str()), (StatusCode::UNAUTHORIZED, ""));
    }
}
