//! Collects the settings of a bearer layer, and checks them.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::resource::{Resource, is_url};
use super::verifier::{Source, Verifier};
use super::{Attach, Bearer, Inner};
use crate::listing::rules::scope_error;

/// The maximum leeway. The clocks of two servers differ by seconds, so more leeway would only keep expired tokens
/// valid.
const MAX_LEEWAY: Duration = Duration::from_secs(600);

/// The error for invalid settings of a [`Bearer`], or for an invalid key or URL. The text contains no keys.
///
/// ```
/// use mcp_tool_runtime::http::{Bearer, Keys};
///
/// let error = Bearer::jwt(Keys::secret([7; 32])?).resource("https://mcp.example.com/mcp").build().unwrap_err();
/// assert!(error.to_string().starts_with("no issuer is set"));
/// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BearerError(String);

impl BearerError {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

display!(BearerError, it => &it.0);

impl Error for BearerError {}

/// Collects the settings of a [`Bearer`]. [`build`](Self::build) checks them.
///
/// ```
/// use std::time::Duration;
///
/// use mcp_tool_runtime::http::{Bearer, Keys};
///
/// let bearer = Bearer::jwt(Keys::secret([7; 32])?)
///     .issuer("https://auth.example.com")
///     .resource("https://mcp.example.com/mcp")
///     .scopes(["orders:read"])
///     .leeway(Duration::from_secs(5))
///     .build()?;
///
/// // An authorization server that uses its own name for this server. Its tokens name an issuer other than its URL.
/// let bearer = Bearer::jwt(Keys::secret([7; 32])?)
///     .issuer("https://sts.example.com/")
///     .authorization_server("https://login.example.com")
///     .audience("api://orders")
///     .resource("https://mcp.example.com/mcp")
///     .build()?;
///
/// // For a server on this machine, behind a program that has checked the issuer and the audience.
/// let bearer = Bearer::jwt(Keys::secret([7; 32])?)
///     .without_issuer_check()
///     .without_audience_check()
///     .authorization_server("https://login.example.com")
///     .resource("http://localhost:8080/mcp")
///     .build()?;
/// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
/// ```
#[must_use = "a builder does nothing until `build` is called"]
pub struct BearerBuilder {
    source: Source,
    issuers: Vec<String>,
    checks_issuer: bool,
    audience: Vec<String>,
    checks_audience: bool,
    authorization_servers: Vec<String>,
    resources: Vec<(String, Option<String>)>,
    scopes: Vec<String>,
    broad_scopes: Vec<(String, Vec<String>)>,
    leeway: Duration,
    attach: Vec<Attach>,
}

impl BearerBuilder {
    pub(super) fn new(source: Source) -> Self {
        Self {
            source,
            issuers: Vec::new(),
            checks_issuer: true,
            audience: Vec::new(),
            checks_audience: true,
            authorization_servers: Vec::new(),
            resources: Vec::new(),
            scopes: Vec::new(),
            broad_scopes: Vec::new(),
            leeway: Duration::from_secs(30),
            attach: Vec::new(),
        }
    }

    /// Adds an issuer whose tokens are accepted: the `issuer` in the metadata of the authorization server, character
    /// for character.
    ///
    /// All issuers share the keys of this layer, so issuers that do not trust each other need separate layers.
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuers.push(issuer.into());
        self
    }

    /// Accepts tokens of every issuer, and tokens without an issuer. Use it only if everyone who has a key is allowed
    /// to name any issuer.
    pub fn without_issuer_check(self) -> Self {
        Self { checks_issuer: false, ..self }
    }

    /// Adds a resource: the public URL of a service behind this layer, as clients enter it. Requests to its path, and
    /// to everything below that path, need a token for this URL: by default, the claim `aud` must contain the URL.
    ///
    /// If a path belongs to several resources, the resource with the longest path decides. A path that belongs to no
    /// resource gets status 404.
    ///
    /// ```
    /// # use mcp_tool_runtime::http::{Bearer, Keys};
    /// # let bearer = Bearer::jwt(Keys::secret([7; 32])?).issuer("https://auth.example.com");
    /// // The metadata is at `/.well-known/oauth-protected-resource/mcp` and `/.well-known/oauth-protected-resource/tools`.
    /// let bearer = bearer.resource("https://mcp.example.com/mcp").resource("https://mcp.example.com/tools").build()?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    pub fn resource(mut self, url: impl Into<String>) -> Self {
        self.resources.push((url.into(), None));
        self
    }

    /// Adds a resource whose path on this server differs from the path of its URL, because a proxy rewrites paths. The
    /// proxy must pass on the path of the metadata unchanged.
    ///
    /// ```
    /// # use mcp_tool_runtime::http::{Bearer, Keys};
    /// # let bearer = Bearer::jwt(Keys::secret([7; 32])?).issuer("https://auth.example.com");
    /// let bearer = bearer.resource_at("/mcp", "https://example.com/agents/mcp").build()?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    pub fn resource_at(mut self, path: impl Into<String>, url: impl Into<String>) -> Self {
        self.resources.push((url.into(), Some(path.into())));
        self
    }

    /// Adds a value of `aud` that is accepted for every resource. Use it if the authorization server puts its own name
    /// for this server into `aud`, and not the URL. Once such a value is added, the URL of the resource is no longer
    /// accepted.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience.push(audience.into());
        self
    }

    /// Accepts tokens for every audience, and tokens without an audience. The specification of MCP forbids this,
    /// because a token that the authorization server has issued for another server is then accepted here too.
    pub fn without_audience_check(self) -> Self {
        Self { checks_audience: false, ..self }
    }

    /// Names an authorization server in the metadata, in place of the issuers. Call it only if the URL of the
    /// authorization server differs from the issuer.
    pub fn authorization_server(mut self, url: impl Into<String>) -> Self {
        self.authorization_servers.push(url.into());
        self
    }

    /// Adds scopes that a client should ask for before it knows which tools it will call: only those that every
    /// caller needs. They appear in the metadata and in the answer to a request without a valid token. This does not
    /// make them required: each tool names the scopes that it needs.
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Declares that a scope includes other scopes: a token with the broad scope also has the narrow scopes.
    ///
    /// ```
    /// # use mcp_tool_runtime::http::{Bearer, Keys};
    /// # let bearer = Bearer::jwt(Keys::secret([7; 32])?).issuer("https://auth.example.com");
    /// let bearer = bearer.broad_scope("orders", ["orders:read", "orders:write"]).resource("https://mcp.example.com/mcp").build()?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    pub fn broad_scope(
        mut self,
        broad: impl Into<String>,
        narrow: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.broad_scopes.push((broad.into(), narrow.into_iter().map(Into::into).collect()));
        self
    }

    /// Sets how far off the clock of the authorization server may be. The default is 30 seconds, and the maximum 10
    /// minutes.
    pub fn leeway(self, leeway: Duration) -> Self {
        Self { leeway, ..self }
    }

    /// Also attaches claims of your own to each request, as a value of type `T`. A token without these claims is
    /// refused.
    ///
    /// ```
    /// use mcp_tool_runtime::http::{Bearer, Keys};
    /// use mcp_tool_runtime::mcp_tool;
    ///
    /// #[derive(Clone, serde::Deserialize)]
    /// struct Caller {
    ///     tenant: String,
    /// }
    ///
    /// /// Count the orders of the caller's tenant.
    /// #[mcp_tool]
    /// async fn count_orders(#[mcp_tool(extension)] caller: &Caller) -> usize {
    ///     caller.tenant.len()
    /// }
    ///
    /// let bearer = Bearer::jwt(Keys::secret([7; 32])?)
    ///     .issuer("https://auth.example.com")
    ///     .resource("https://mcp.example.com/mcp")
    ///     .attach::<Caller>()
    ///     .build()?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    pub fn attach<T: DeserializeOwned + Clone + Send + Sync + 'static>(mut self) -> Self {
        self.attach.push(|claims, extensions| claims.read::<T>().map(|value| drop(extensions.insert(value))));
        self
    }

    /// Builds the layer.
    ///
    /// # Errors
    ///
    /// If there is no resource, no issuer or no authorization server, if a URL or a scope is not valid, or if the
    /// leeway is too long.
    pub fn build(self) -> Result<Bearer, BearerError> {
        let require = |is_met: bool, text: &str| if is_met { Ok(()) } else { Err(BearerError::new(text)) };
        require(
            !self.checks_issuer || !self.issuers.is_empty(),
            "no issuer is set: call `issuer` with the URL of the authorization server, or `without_issuer_check`",
        )?;
        require(
            !self.resources.is_empty(),
            "no resource is set: call `resource` with the public URL of the server, such as `https://mcp.example.com/mcp`",
        )?;
        let named = &self.authorization_servers;
        let authorization_servers = if named.is_empty() { &self.issuers } else { named };
        require(
            !authorization_servers.is_empty(),
            "no authorization server is set, so clients could not get a token: call `authorization_server`",
        )?;
        if let Some(other) = authorization_servers.iter().find(|url| !is_url(url)) {
            let text =
                "is not the URL of an authorization server: call `authorization_server` if the issuer is not a URL";
            return Err(BearerError::new(format!("`{}` {text}", other.escape_debug())));
        }
        let narrow = self.broad_scopes.iter().flat_map(|(broad, narrow)| narrow.iter().chain([broad]));
        if let Some(error) = self.scopes.iter().chain(narrow).find_map(|scope| scope_error(scope)) {
            return Err(BearerError::new(error));
        }
        require(
            !self.scopes.iter().any(|scope| scope == "offline_access"),
            "the scope `offline_access` is for clients: a server does not ask for it",
        )?;
        require(self.leeway <= MAX_LEEWAY, "the leeway is longer than 10 minutes")?;
        let audience = self.checks_audience.then_some(&*self.audience);
        let resources = self
            .resources
            .iter()
            .map(|(url, path)| Resource::new(url, path.as_deref(), authorization_servers, &self.scopes, audience));
        let resources = resources.collect::<Result<_, _>>()?;
        let verifier = Verifier {
            source: self.source,
            issuers: self.checks_issuer.then_some(self.issuers),
            leeway: self.leeway,
            broad_scopes: self.broad_scopes,
        };
        Ok(Bearer { inner: Arc::new(Inner { verifier, resources, attach: self.attach }) })
    }
}

debug_struct!(BearerBuilder, it => issuers: it.issuers, audience: it.audience, resources: it.resources, scopes: it.scopes);
