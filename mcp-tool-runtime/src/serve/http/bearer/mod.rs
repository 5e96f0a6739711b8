//! Checks the bearer token of every request (feature `auth`).
//!
//! [`Bearer`] is the layer, and [`service`] is the service that it returns. A [`resource`] has a path, metadata and
//! challenges. The [`verifier`] checks a token, and the [`keys`] check its signature.

mod builder;
mod keys;
mod resource;
mod service;
mod verifier;

use std::sync::Arc;

use serde_json::Value;

pub use builder::{BearerBuilder, BearerError};
pub use keys::Keys;
pub use service::{BearerBody, BearerService};
pub use verifier::InvalidToken;

use resource::Resource;
use verifier::{Failure, Reason, Source, Verifier};

pub use crate::call::claims::Claims;
use crate::listing::HasScopes;

/// A layer that lets through only requests with a valid bearer token, as the authorization specification of MCP
/// requires.
///
/// It is a `tower::Layer`. Put it around everything that needs a token: [`Endpoint`](super::Endpoint),
/// [`PlainHttp`](super::PlainHttp), [`Page`](super::Page), and the service of the official SDK.
///
/// ```
/// use axum::Router;
/// use mcp_tool_runtime::http::{Bearer, Claims, Endpoint, Keys};
/// use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
///
/// const RESOURCE: &str = "https://mcp.example.com/mcp";
///
/// /// Get the name of the user.
/// #[mcp_tool(scopes("profile"))]
/// async fn who_am_i(#[mcp_tool(extension)] claims: &Claims) -> String {
///     claims.subject().to_owned()
/// }
///
/// fn router(key_set: &[u8]) -> Result<Router, Box<dyn std::error::Error>> {
///     let dispatcher = Dispatcher::builder().tools(tools![who_am_i]).visible_by_scopes::<Claims>().build()?;
///     let endpoint = Endpoint::new(dispatcher)
///         .with_allowed_hosts(["mcp.example.com"])
///         .with_scope_challenge(Bearer::metadata_url(RESOURCE)?);
///     let bearer = Bearer::jwt(Keys::jwks(key_set)?)
///         .issuer("https://auth.example.com")
///         .resource(RESOURCE)
///         .scopes(["profile"])
///         .build()?;
///     // Routes that are added after the layer need no token.
///     Ok(Router::new().route_service("/mcp", endpoint).layer(bearer))
/// }
/// # let key_set = r#"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
/// # router(key_set.as_bytes()).unwrap();
/// ```
///
/// # What it does
///
/// - It takes the token from the header `Authorization`, and from nowhere else. It removes the header, so no tool can
///   log the token or pass it on.
/// - It checks the signature, the issuer (`iss`), the audience (`aud`), the time (`exp`, `nbf`) and the subject
///   (`sub`). A token can neither choose its algorithm nor bring its own key. A token with a critical extension
///   (`crit`) or of another type (`typ`) is refused.
/// - It attaches [`Claims`] to the request. By default, they also name the request's
///   [principal](crate::DispatcherBuilder::principal).
/// - It serves the protected resource metadata (RFC 9728) of each [resource](BearerBuilder::resource).
///
/// | status | when |
/// | --- | --- |
/// | 400 | the request has several headers `Authorization` |
/// | 401 | there is no valid token: `WWW-Authenticate` has the metadata's URL and, for a wrong token, the reason |
/// | 404 | the path belongs to no resource |
/// | 503 | the function for the keys or for the introspection returned an error |
///
/// The layer does not check scopes. The endpoint does, because each tool has its own: see
/// [`Endpoint::with_scope_challenge`](super::Endpoint::with_scope_challenge).
///
/// The reason for a refusal is one of a few fixed messages, both for the client and (with the feature `tracing`) in the
/// log. No message repeats anything that the client sent.
#[derive(Clone)]
pub struct Bearer {
    inner: Arc<Inner>,
}

struct Inner {
    verifier: Verifier,
    resources: Vec<Resource>,
    attach: Vec<Attach>,
}

/// A function that attaches claims of the author's own type. It returns `None` if a claim is missing or has another
/// type.
type Attach = fn(&Claims, &mut ::http::Extensions) -> Option<()>;

impl Bearer {
    /// Checks JSON Web Tokens with these keys.
    pub fn jwt(keys: Keys) -> BearerBuilder {
        Self::jwt_with(move |_| std::future::ready(Ok::<_, Failure>(keys.clone())))
    }

    /// Checks JSON Web Tokens with keys that a function looks up, for authorization servers that change their keys.
    ///
    /// The function gets the `kid` of the token, if it has one. No signature has been checked yet, so a stranger may
    /// have written this id. It has at most 256 visible ASCII characters. Cache the keys for a while, or else each
    /// request from a stranger becomes a request to your authorization server. If the function returns an error, the
    /// request gets status 503.
    ///
    /// ```
    /// use std::sync::{Arc, RwLock};
    ///
    /// use mcp_tool_runtime::http::{Bearer, Keys};
    ///
    /// // A task replaces the keys every hour.
    /// let current = Arc::new(RwLock::new(Keys::secret([7; 32])?));
    /// let bearer = Bearer::jwt_with(move |_kid| {
    ///     let keys = current.read().map(|keys| keys.clone()).map_err(|_| "the task has panicked");
    ///     async { keys }
    /// });
    /// let bearer = bearer.issuer("https://auth.example.com").resource("https://mcp.example.com/mcp").build()?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    pub fn jwt_with<F, E>(lookup: impl Fn(Option<String>) -> F + Send + Sync + 'static) -> BearerBuilder
    where
        F: Future<Output = Result<Keys, E>> + Send + 'static,
        E: Into<Failure>,
    {
        let lookup = move |id| -> crate::BoxFuture<'static, _> {
            let keys = lookup(id);
            Box::pin(async { keys.await.map_err(Into::into) })
        };
        BearerBuilder::new(Source::Lookup(Box::new(lookup)))
    }

    /// Checks opaque tokens with a function that returns the introspection response of the authorization server (RFC
    /// 7662).
    ///
    /// The response must have `"active": true` and a `sub`. `iss`, `aud`, `exp` and `nbf` are checked as in a JSON Web
    /// Token, except that `exp` can be missing, and so can `iss` if there is only one issuer. If the function returns
    /// an error, the request gets status 503.
    ///
    /// ```
    /// use mcp_tool_runtime::http::Bearer;
    /// use mcp_tool_runtime::json;
    ///
    /// let bearer = Bearer::introspect(async |token: String| -> Result<_, std::io::Error> {
    ///     // In your server, a request to the introspection endpoint, or to the table of the tokens that you have issued.
    ///     let is_known = token == "token-of-ann";
    ///     Ok(json!({"active": is_known, "sub": "ann", "aud": "https://mcp.example.com/mcp", "scope": "orders:read"}))
    /// });
    /// let bearer = bearer.issuer("https://auth.example.com").resource("https://mcp.example.com/mcp").build()?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    pub fn introspect<F, E>(introspect: impl Fn(String) -> F + Send + Sync + 'static) -> BearerBuilder
    where
        F: Future<Output = Result<Value, E>> + Send + 'static,
        E: Into<Failure>,
    {
        let introspect = move |token| -> crate::BoxFuture<'static, _> {
            let response = introspect(token);
            Box::pin(async { response.await.map_err(Into::into) })
        };
        BearerBuilder::new(Source::Introspection(Box::new(introspect)))
    }

    /// Returns the URL of the metadata of a resource, for
    /// [`Endpoint::with_scope_challenge`](super::Endpoint::with_scope_challenge).
    ///
    /// ```
    /// # use mcp_tool_runtime::http::Bearer;
    /// let url = Bearer::metadata_url("https://mcp.example.com/mcp")?;
    /// assert_eq!(url, "https://mcp.example.com/.well-known/oauth-protected-resource/mcp");
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If this is not the URL of a resource.
    pub fn metadata_url(resource: impl AsRef<str>) -> Result<String, BearerError> {
        resource::metadata_url(resource.as_ref())
    }

    /// Checks a token that did not come in a request, such as the token in the environment of a stdio server. The token
    /// must be for one of the resources.
    ///
    /// ```no_run
    /// use mcp_tool_runtime::http::{Bearer, Keys};
    /// use mcp_tool_runtime::{Dispatcher, stdio};
    ///
    /// # async fn run(dispatcher: Dispatcher) -> Result<(), Box<dyn std::error::Error>> {
    /// let bearer = Bearer::jwt(Keys::jwks(std::fs::read("keys.json")?)?)
    ///     .issuer("https://auth.example.com")
    ///     .resource("https://mcp.example.com/mcp")
    ///     .build()?;
    /// let claims = bearer.verify(&std::env::var("NOTES_TOKEN")?).await?;
    /// stdio::Server::new(dispatcher).with_extension(claims).serve().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the token is not valid, or cannot be checked now.
    pub async fn verify(&self, token: &str) -> Result<Claims, InvalidToken> {
        let audiences: Option<Vec<_>> = self.inner.resources.iter().map(|resource| resource.audience.clone()).collect();
        let audience = audiences.map(|audiences| audiences.concat());
        let accepted = self.inner.accept(token, audience.as_deref()).await;
        accepted.map(|(claims, _)| claims).map_err(InvalidToken)
    }
}

impl Inner {
    /// Checks a token. Returns its claims, and what to attach to the request.
    async fn accept(&self, token: &str, audience: Option<&[String]>) -> Result<(Claims, ::http::Extensions), Reason> {
        let claims = self.verifier.verify(token, audience).await?;
        let mut extensions = ::http::Extensions::new();
        for attach in &self.attach {
            attach(&claims, &mut extensions).ok_or(Reason::MissingClaim)?;
        }
        extensions.insert(claims.clone());
        Ok((claims, extensions))
    }
}

impl HasScopes for Claims {
    fn has_scope(&self, scope: &str) -> bool {
        self.scopes().iter().any(|own| own == scope)
    }
}

debug_struct!(Bearer, it =>
    issuers: it.inner.verifier.issuers,
    resources: it.inner.resources.iter().map(|resource| &resource.url).collect::<Vec<_>>(),
);
