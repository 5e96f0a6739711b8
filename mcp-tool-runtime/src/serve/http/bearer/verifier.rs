//! Checks a token: who issued it, for whom, and until when.

use std::error::Error;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::keys::Keys;
use super::refusal::Reason;
use super::token::{MAX_TOKEN_BYTES, UncheckedToken};
use crate::call::claims::{Claims, WrongType, moment};
use crate::{BoxFuture, log};

pub(super) type Failure = Box<dyn Error + Send + Sync>;
type Asynchronous<A, R> = Box<dyn Fn(A) -> BoxFuture<'static, Result<R, Failure>> + Send + Sync>;

/// Where the claims of a token come from.
pub(super) enum Source {
    /// The token is a JSON Web Token, whose keys are looked up by their id.
    Lookup(Asynchronous<Option<String>, Keys>),
    /// The token is opaque: the authorization server is asked.
    Introspection(Asynchronous<String, Value>),
}

pub(super) struct Verifier {
    pub(super) source: Source,
    /// `None` accepts any.
    pub(super) issuers: Option<Vec<String>>,
    pub(super) leeway: Duration,
    pub(super) broad_scopes: Vec<(String, Vec<String>)>,
}

impl Verifier {
    /// Checks a token. `audience` is `None` if any is accepted.
    pub(super) async fn verify(&self, token: &str, audience: Option<&[String]>) -> Result<Claims, Reason> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(Reason::Malformed);
        }
        let claims = self.read(token).await?;
        self.check(claims, audience)
    }

    async fn read(&self, token: &str) -> Result<Value, Reason> {
        match &self.source {
            Source::Lookup(lookup) => {
                let unchecked = UncheckedToken::read(token)?;
                let keys = available(lookup(unchecked.key_id.clone()).await)?;
                unchecked.claims(&keys)
            }
            Source::Introspection(introspect) => {
                let claims = available(introspect(token.to_owned()).await)?;
                if claims.get("active") == Some(&Value::Bool(true)) { Ok(claims) } else { Err(Reason::Inactive) }
            }
        }
    }

    fn check(&self, claims: Value, audience: Option<&[String]>) -> Result<Claims, Reason> {
        let is_introspected = matches!(self.source, Source::Introspection(_));
        let not_before = moment(&claims, "nbf").map_err(|WrongType| Reason::MissingClaim)?;
        let claims = Claims::from_json(claims).ok_or(Reason::MissingClaim)?;
        let now = SystemTime::now();
        match claims.expires_at() {
            // RFC 7662 does not require it: the authorization server has said that the token is active.
            None if is_introspected => {}
            None => return Err(Reason::MissingClaim),
            Some(end) if now >= end + self.leeway => return Err(Reason::Expired),
            Some(_) => {}
        }
        if not_before.is_some_and(|start| start > now + self.leeway) {
            return Err(Reason::NotYetValid);
        }
        let known = self.issuers.as_deref();
        let asked = match (known, claims.issuer()) {
            (None, _) => None,
            (Some(known), Some(issuer)) if known.iter().any(|known| known == issuer) => None,
            // RFC 7662 does not require it: the response is from the only authorization server.
            (Some([only]), None) if is_introspected => Some(only),
            (Some(_), None) => return Err(Reason::MissingClaim),
            (Some(_), Some(_)) => return Err(Reason::Issuer),
        };
        if audience.is_some_and(|accepted| !claims.audience().iter().any(|one| accepted.contains(one))) {
            return Err(Reason::Audience);
        }
        let scopes = self.with_narrow_scopes(claims.scopes());
        Ok(claims.completed(scopes, asked))
    }

    /// Adds the scopes that broad ones include, and those that these include.
    fn with_narrow_scopes(&self, scopes: &[String]) -> Vec<String> {
        let mut scopes = scopes.to_vec();
        let mut next = 0;
        while let Some(scope) = scopes.get(next) {
            let broad = self.broad_scopes.iter().filter(|(broad, _)| broad == scope);
            let narrow = broad.flat_map(|(_, narrow)| narrow).filter(|narrow| !scopes.contains(narrow));
            let narrow: Vec<_> = narrow.cloned().collect();
            scopes.extend(narrow);
            next += 1;
        }
        scopes
    }
}

/// Returns what a function of the author returned. Its error is for the operator of the server.
fn available<T>(result: Result<T, Failure>) -> Result<T, Reason> {
    result.map_err(|error| {
        log::token_unchecked(&error.to_string());
        Reason::Unavailable
    })
}
