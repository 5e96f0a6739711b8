//! The end of a call's timeout, while its arguments are checked. No timer can strike in that time, because this work never waits.

use std::time::Instant;

use crate::ToolError;

/// Returns the time by the clock of the timeouts, which a test may have paused.
pub(crate) fn now() -> Instant {
    #[cfg(feature = "tokio")]
    return tokio::time::Instant::now().into_std();
    #[cfg(not(feature = "tokio"))]
    Instant::now()
}

/// Returns an error if the time is over: the tool must no longer start. The timeout of the call replaces this error by its own.
pub(crate) fn check(deadline: Option<Instant>) -> Result<(), ToolError> {
    match deadline {
        Some(deadline) if now() >= deadline => Err(ToolError::late()),
        _ => Ok(()),
    }
}
