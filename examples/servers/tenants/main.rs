//! A server for two tenants. Each caller proves who it is with a token, and sees only its own tools and its own entries.
//!
//! - `tenants KEYS ORIGIN [ADDRESS]` serves over HTTP: at `/mcp` with the endpoint of this crate, at `/sdk` with the
//!   official SDK. `KEYS` is the file with the public keys of the authorization server (a JSON Web Key Set). `ORIGIN` is the
//!   public URL of this server without a path. A token is for `ORIGIN/mcp` or for `ORIGIN/sdk`.
//! - `LEDGER_TOKEN=… tenants KEYS ORIGIN --stdio` serves over stdio. There the token is in the environment, as the
//!   specification wants it.
//!
//! `.ci/tenants.py` is a script that plays the authorization server, the clients of both tenants, and attackers.

mod http;
mod ledger;

use std::error::Error;

use ledger::Caller;
use mcp_tool_runtime::http::{Bearer, BearerError, Claims, Keys};
use mcp_tool_runtime::{BuildError, Dispatcher, stdio};

/// The authorization server whose tokens are accepted.
const ISSUER: &str = "https://auth.example.com";

/// Checks tokens. A token must name a tenant.
fn bearer(keys: Keys, origin: &str) -> Result<Bearer, BearerError> {
    Bearer::jwt(keys)
        .issuer(ISSUER)
        .resource(format!("{origin}/mcp"))
        .resource(format!("{origin}/sdk"))
        // More scopes are asked for when a tool needs them.
        .scopes(["ledger:read"])
        .broad_scope("ledger", ["ledger:read", "ledger:write"])
        .attach::<Caller>()
        .build()
}

/// Builds the dispatcher. These rules are all there is about who sees and calls what.
fn dispatcher() -> Result<Dispatcher, BuildError> {
    Dispatcher::builder()
        .service(ledger::Ledger::default())
        .visible_by_scopes::<Claims>()
        .visible(|tool, extensions| {
            // Without a checked token there is nothing to see. A tag `tenant:…` keeps a tool to that tenant.
            let Some(caller) = extensions.get::<Caller>() else { return false };
            let mut tenants = tool.tags().iter().filter_map(|tag| tag.strip_prefix("tenant:")).peekable();
            tenants.peek().is_none() || tenants.any(|tenant| tenant == caller.tenant)
        })
        .info("ledger", "1.0.0")
        .build()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [keys, origin, rest @ ..] = arguments.as_slice() else {
        return Err("usage: tenants KEYS ORIGIN [ADDRESS | --stdio]".into());
    };
    let bearer = bearer(Keys::jwks(std::fs::read(keys)?)?, origin)?;
    match rest.first().map_or("127.0.0.1:8000", String::as_str) {
        "--stdio" => {
            let claims = bearer.verify(&std::env::var("LEDGER_TOKEN")?).await?;
            let caller: Caller = claims.read().ok_or("the token names no tenant")?;
            stdio::Server::new(dispatcher()?).with_extension(claims).with_extension(caller).serve().await?;
        }
        address => http::serve(dispatcher()?, bearer, origin, address).await?,
    }
    Ok(())
}
