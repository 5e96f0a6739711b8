//! What a verified token says about the caller.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The last second of the year 9999, in seconds since 1970. Later times overflow the clocks of some platforms.
const LAST_MOMENT: f64 = 253_402_300_799.0;

/// The claims of a verified token: who the caller is, and which scopes the caller has. [`Bearer`](crate::http::Bearer)
/// attaches them to the request.
///
/// A tool takes them as an extension, and [`visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes) checks
/// their scopes:
///
/// ```
/// use mcp_tool_runtime::http::Claims;
/// use mcp_tool_runtime::{Dispatcher, Extensions, json, mcp_tool, tools};
///
/// /// List the orders of the caller.
/// #[mcp_tool(scopes("orders:read"))]
/// async fn list_orders(#[mcp_tool(extension)] claims: &Claims) -> String {
///     format!("the orders of {}", claims.subject())
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![list_orders]).visible_by_scopes::<Claims>().build()?;
///
/// let mut extensions = Extensions::new();
/// extensions.insert(Claims::from_json(json!({"sub": "ann", "scope": "orders:read"})).ok_or("no claims")?);
/// assert_eq!(dispatcher.seen_by(&extensions).list().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The `Debug` output does not show the claims, because they are personal data. Cloning is cheap.
#[derive(Clone)]
pub struct Claims(Arc<Inner>);

struct Inner {
    subject: String,
    issuer: Option<String>,
    audience: Vec<String>,
    scopes: Vec<String>,
    expires_at: Option<SystemTime>,
    all: Value,
}

impl Claims {
    /// Reads claims without verifying them: for a server where another layer has authenticated the caller, or for a
    /// test. The JSON has the form of the claims in a token (RFC 9068) or of an introspection response (RFC 7662).
    ///
    /// Returns `None` if the JSON is not an object with a `sub`, or if a registered claim has the wrong type.
    ///
    /// ```
    /// use mcp_tool_runtime::{http::Claims, json};
    ///
    /// let claims = Claims::from_json(json!({"sub": "ann", "scope": "notes:read notes:write"})).unwrap();
    /// assert_eq!(claims.subject(), "ann");
    /// assert_eq!(claims.scopes(), ["notes:read", "notes:write"]);
    /// assert!(Claims::from_json(json!({"scope": "notes:read"})).is_none());
    /// ```
    pub fn from_json(claims: Value) -> Option<Self> {
        let string = |name| match claim(&claims, name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            Some(_) => Err(WrongType),
        };
        Some(Self(Arc::new(Inner {
            subject: string("sub").ok()??,
            issuer: string("iss").ok()?,
            audience: list(claim(&claims, "aud"), |text| vec![text.to_owned()])?,
            scopes: scopes(&claims)?,
            expires_at: moment(&claims, "exp").ok()?,
            all: claims,
        })))
    }

    /// Returns the issuer and the subject as a JSON array, which identifies the caller.
    pub(crate) fn principal(&self) -> String {
        serde_json::json!([self.issuer(), self.subject()]).to_string()
    }

    /// Returns the subject (`sub`): the user, or a program that calls on its own behalf. Subjects are unique within one
    /// issuer.
    pub fn subject(&self) -> &str {
        &self.0.subject
    }

    /// Returns the authorization server that issued the token (`iss`).
    pub fn issuer(&self) -> Option<&str> {
        self.0.issuer.as_deref()
    }

    /// Returns the servers that the token is for (`aud`).
    pub fn audience(&self) -> &[String] {
        &self.0.audience
    }

    /// Returns the scopes of the token (`scope`, or else `scp`), and the scopes that its
    /// [broad scopes](crate::http::BearerBuilder::broad_scope) include.
    pub fn scopes(&self) -> &[String] {
        &self.0.scopes
    }

    /// Returns when the token expires (`exp`).
    pub fn expires_at(&self) -> Option<SystemTime> {
        self.0.expires_at
    }

    /// Returns one claim. Returns `None` if the token does not have the claim, or if its value is not a `T`.
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::Claims, json};
    /// let claims = Claims::from_json(json!({"sub": "ann", "tenant": "acme", "level": 3})).unwrap();
    /// assert_eq!(claims.get::<String>("tenant").as_deref(), Some("acme"));
    /// assert_eq!(claims.get::<String>("level"), None);
    /// ```
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        T::deserialize(self.0.all.get(name)?).ok()
    }

    /// Deserializes all claims into your own type. Returns `None` if a claim is missing or has the wrong type. See
    /// [`BearerBuilder::attach`](crate::http::BearerBuilder::attach).
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::Claims, json};
    /// #[derive(serde::Deserialize)]
    /// struct Caller {
    ///     tenant: String,
    /// }
    ///
    /// let claims = Claims::from_json(json!({"sub": "ann", "tenant": "acme"})).unwrap();
    /// assert_eq!(claims.read::<Caller>().unwrap().tenant, "acme");
    /// ```
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&self.0.all).ok()
    }

    /// Sets the scopes, and also the issuer if the claims have none.
    pub(crate) fn completed(mut self, scopes: Vec<String>, issuer: Option<&String>) -> Self {
        // The claims are new, so nothing else shares them yet.
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.scopes = scopes;
            inner.issuer = inner.issuer.take().or_else(|| issuer.cloned());
        }
        self
    }
}

/// The error for a registered claim whose value is not what its specification requires.
pub(crate) struct WrongType;

/// Returns a claim, unless it is `null`: some authorization servers write `null` instead of leaving a claim out.
fn claim<'c>(claims: &'c Value, name: &str) -> Option<&'c Value> {
    claims.get(name).filter(|claim| !claim.is_null())
}

/// Reads a claim that is an array of strings, or a string that `split` divides. Returns an empty list if the claim is
/// absent, and `None` if it has any other type.
fn list(claim: Option<&Value>, split: fn(&str) -> Vec<String>) -> Option<Vec<String>> {
    match claim {
        None => Some(Vec::new()),
        Some(Value::String(text)) => Some(split(text)),
        Some(Value::Array(items)) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        Some(_) => None,
    }
}

/// Reads the scopes from `scope`, or else from `scp`. The claim is a string with spaces between the scopes or, from
/// some authorization servers, an array.
fn scopes(claims: &Value) -> Option<Vec<String>> {
    let split = |text: &str| text.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
    list(claim(claims, "scope").or_else(|| claim(claims, "scp")), split)
}

/// Reads a claim that is a time in seconds since 1970. Returns `None` if the claim is absent.
pub(crate) fn moment(claims: &Value, name: &str) -> Result<Option<SystemTime>, WrongType> {
    let Some(claim) = claim(claims, name) else { return Ok(None) };
    let seconds = claim.as_f64().filter(|seconds| (0.0..=LAST_MOMENT).contains(seconds)).ok_or(WrongType)?;
    Ok(Some(UNIX_EPOCH + Duration::from_secs_f64(seconds)))
}

debug_struct!(Claims);
