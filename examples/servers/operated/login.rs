//! The server's own login: a name and a password give a token for an hour.

use std::error::Error;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Deserialize;
use serde_json::{Value, json};

/// The users, with their scopes. A real server has them in a database, with hashes of their passwords and a limit for wrong ones.
const USERS: [(&str, &str, &str); 2] =
    [("ann", "correct horse", "reports:read reports:write"), ("bob", "battery staple", "reports:read")];

/// What a token is made of.
#[derive(Clone)]
pub(crate) struct Login {
    /// The public URL of the server, which is the issuer of its tokens.
    pub(crate) origin: Arc<str>,
    /// Signs the tokens, with HMAC-SHA-256.
    pub(crate) secret: Arc<str>,
}

impl Login {
    /// Returns the host in the public URL.
    pub(crate) fn host(&self) -> Result<String, Box<dyn Error>> {
        let origin: http::Uri = self.origin.parse()?;
        Ok(origin.host().ok_or("ORIGIN has no host")?.to_owned())
    }
}

#[derive(Deserialize)]
pub(crate) struct Credentials {
    name: String,
    password: String,
}

/// Answers `POST /login`.
pub(crate) async fn issue(
    State(login): State<Login>,
    Json(Credentials { name, password }): Json<Credentials>,
) -> Result<Json<Value>, StatusCode> {
    let user = USERS.iter().find(|(user, secret, _)| *user == name && *secret == password);
    let (subject, _, scope) = user.ok_or(StatusCode::UNAUTHORIZED)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?.as_secs();
    let claims = json!({
        "iss": &*login.origin,
        "aud": [format!("{}/mcp", login.origin), format!("{}/api", login.origin)],
        "sub": subject,
        "scope": scope,
        "exp": now + 3_600,
    });
    let key = EncodingKey::from_secret(login.secret.as_bytes());
    let token = encode(&Header::new(Algorithm::HS256), &claims, &key).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(json!({"access_token": token, "token_type": "Bearer", "expires_in": 3_600})))
}
