//! Reads and checks a token: its signature and its claims. The reason for a refusal is one of a few fixed messages, so
//! nothing that a client sent is repeated in an answer or a log.

use std::error::Error;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::keys::Keys;
use crate::call::claims::{Claims, WrongType, moment};
use crate::json::reader;
use crate::{BoxFuture, log};

pub(super) type Failure = Box<dyn Error + Send + Sync>;
type Asynchronous<A, R> = Box<dyn Fn(A) -> BoxFuture<'static, Result<R, Failure>> + Send + Sync>;

/// Where the claims of a token come from.
pub(super) enum Source {
    /// The token is a JSON Web Token. A function looks up the keys by the key id that the token names.
    Lookup(Asynchronous<Option<String>, Keys>),
    /// The token is opaque. A function asks the authorization server about it.
    Introspection(Asynchronous<String, Value>),
}

pub(super) struct Verifier {
    pub(super) source: Source,
    /// The issuers that are accepted. `None` accepts any.
    pub(super) issuers: Option<Vec<String>>,
    pub(super) leeway: Duration,
    pub(super) broad_scopes: Vec<(String, Vec<String>)>,
}

impl Verifier {
    /// Checks a token. `audience` is `None` if every audience is accepted.
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
            // RFC 7662 does not require `exp`: the authorization server has already said that the token is active.
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
            // RFC 7662 does not require `iss`. If only one issuer is accepted, that issuer has answered, so use its
            // name.
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

    /// Adds the scopes that broad scopes include, directly or through other scopes.
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

/// Returns the value of the author's function, or [`Reason::Unavailable`] if the function failed. Its error appears
/// only in the server's log.
fn available<T>(result: Result<T, Failure>) -> Result<T, Reason> {
    result.map_err(|error| {
        log::token_unchecked(&error.to_string());
        Reason::Unavailable
    })
}

/// The maximum length of a token. Servers limit headers to about this size. A longer token is refused unread.
pub(super) const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// The maximum length of a key id. It is longer than every `kid` of a real authorization server.
const MAX_KEY_ID_BYTES: usize = 256;
/// The types (`typ`) of access tokens, and of tokens that do not say what they are for. All other types have other
/// purposes, such as a logout.
const TYPES: [&str; 4] = ["at+jwt", "application/at+jwt", "jwt", "application/jwt"];

/// A token whose signature is not yet checked.
pub(super) struct UncheckedToken<'t> {
    pub(super) key_id: Option<String>,
    algorithm: String,
    /// The bytes that are signed.
    message: &'t [u8],
    claims: &'t str,
    signature: Vec<u8>,
}

impl<'t> UncheckedToken<'t> {
    pub(super) fn read(token: &'t str) -> Result<Self, Reason> {
        let [header, claims, signature] = token.splitn(4, '.').collect::<Vec<_>>()[..] else {
            return Err(Reason::Malformed);
        };
        let message = &token.as_bytes()[..header.len() + 1 + claims.len()];
        let header = read_json(header)?;
        let string = |name| match header.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Reason::Malformed),
        };
        // We support no extensions, so we must refuse every token with a critical extension (RFC 7515, section 4.1.11).
        // Refuse `b64` even without `crit`, because it can change which bytes are signed (RFC 7797).
        if header.get("crit").is_some() || header.get("b64").is_some() {
            return Err(Reason::Extension);
        }
        let is_other_type = |kind: &String| !TYPES.iter().any(|known| kind.eq_ignore_ascii_case(known));
        if string("typ")?.is_some_and(is_other_type) {
            return Err(Reason::Extension);
        }
        let key_id = string("kid")?.cloned();
        // The function that looks up keys receives the id before the signature is checked, so accept only short ids of
        // visible ASCII characters.
        let is_plain = |id: &String| id.len() <= MAX_KEY_ID_BYTES && id.bytes().all(|byte| byte.is_ascii_graphic());
        if key_id.as_ref().is_some_and(|id| !is_plain(id)) {
            return Err(Reason::UnknownKey);
        }
        let algorithm = string("alg")?.ok_or(Reason::Malformed)?.clone();
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Reason::Malformed)?;
        Ok(Self { key_id, algorithm, message, claims, signature })
    }

    /// Checks the signature, and only then reads the claims.
    pub(super) fn claims(&self, keys: &Keys) -> Result<Value, Reason> {
        if !keys.verify(self.key_id.as_deref(), &self.algorithm, self.message, &self.signature) {
            return Err(Reason::UnknownKey);
        }
        read_json(self.claims)
    }
}

/// Reads an encoded JSON object. Duplicate keys are refused, because some readers use the first value and others the
/// last.
fn read_json(encoded: &str) -> Result<Value, Reason> {
    let text = URL_SAFE_NO_PAD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or(Reason::Malformed)?;
    let document = reader::read_text(&text).map_err(|_| Reason::Malformed)?.root().to_value();
    if document.is_object() { Ok(document) } else { Err(Reason::Malformed) }
}

/// The error that says why a token is refused. Its text never contains any part of the token.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcp_tool_runtime::http::BearerError> {
/// use mcp_tool_runtime::http::{Bearer, Keys};
///
/// let bearer = Bearer::jwt(Keys::secret([7; 32])?)
///     .issuer("https://auth.example.com")
///     .resource("https://mcp.example.com/mcp")
///     .build()?;
/// let error = bearer.verify("nonsense").await.unwrap_err();
/// assert_eq!(error.to_string(), "the token is malformed");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidToken(pub(super) Reason);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Malformed,
    UnknownKey,
    Extension,
    Inactive,
    MissingClaim,
    Expired,
    NotYetValid,
    Issuer,
    Audience,
    /// The keys could not be fetched or the introspection failed: nothing is known about the token.
    Unavailable,
}

impl Reason {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Malformed => "the token is malformed",
            Self::UnknownKey => "no known key has signed the token",
            Self::Extension => "the token needs an extension that the server does not have",
            Self::Inactive => "the token is not active",
            Self::MissingClaim => "a claim is missing, or has another type",
            Self::Expired => "the token has expired",
            Self::NotYetValid => "the token is not yet valid",
            Self::Issuer => "the token is from another issuer",
            Self::Audience => "the token is for another audience",
            Self::Unavailable => "the token cannot be checked now",
        }
    }
}

display!(InvalidToken, it => it.0.text());

impl Error for InvalidToken {}
