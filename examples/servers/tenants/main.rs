//! A server for two tenants. Each caller proves who it is with a token, and sees only its own tools and its own entries.
//!
//! - `tenants KEYS RESOURCE [ADDRESS]` serves over HTTP: at `/mcp` with the endpoint of this crate, at `/sdk` with the
//!   official SDK. `KEYS` is the file with the public keys of the authorization server (a JSON Web Key Set). `RESOURCE` is the
//!   public URL of this server, the audience of its tokens.
//! - `LEDGER_TOKEN=… tenants KEYS RESOURCE --stdio` serves over stdio. There the token is in the environment, as the
//!   specification wants it.
//!
//! `.ci/tenants.py` is a script that plays the authorization server, and the clients of both tenants.

mod http;
mod ledger;
mod token;

use std::error::Error;

use mcp_tool_runtime::{BuildError, Dispatcher, stdio};
use token::{Claims, Verifier};

/// Builds the dispatcher. These rules are all there is about who sees and calls what.
fn dispatcher() -> Result<Dispatcher, BuildError> {
    Dispatcher::builder()
        .service(ledger::Ledger::default())
        .visible_by_scopes::<Claims>()
        .visible(|tool, extensions| {
            // Without a checked token there is nothing to see. A tag `tenant:…` keeps a tool to that tenant.
            let Some(claims) = extensions.get::<Claims>() else { return false };
            let mut tenants = tool.tags().iter().filter_map(|tag| tag.strip_prefix("tenant:")).peekable();
            tenants.peek().is_none() || tenants.any(|tenant| tenant == claims.tenant)
        })
        .info("ledger", "1.0.0")
        .build()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [keys, resource, rest @ ..] = arguments.as_slice() else {
        return Err("usage: tenants KEYS RESOURCE [ADDRESS | --stdio]".into());
    };
    let verifier = Verifier::new(&std::fs::read(keys)?, resource)?;
    match rest.first().map_or("127.0.0.1:8000", String::as_str) {
        "--stdio" => {
            let claims = verifier.verify(&std::env::var("LEDGER_TOKEN")?)?;
            stdio::Server::new(dispatcher()?).with_extension(claims).serve().await?;
        }
        address => http::serve(dispatcher()?, verifier, resource, address).await?,
    }
    Ok(())
}
