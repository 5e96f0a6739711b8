//! Why a request is refused, in fixed words: nothing that a client sent is repeated to it or in a log.

use std::fmt;

/// Why a token is refused. The text is the same for every token: it never has a part of it.
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
    /// The keys or the introspection are not available: nothing is known about the token.
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

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.text())
    }
}

impl std::error::Error for InvalidToken {}
