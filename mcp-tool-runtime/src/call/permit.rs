//! The permits of `max_concurrency`. Without the feature `tokio`, nothing limits the number of running calls.

use std::sync::Arc;

#[cfg(feature = "tokio")]
pub(crate) use tokio::sync::{OwnedSemaphorePermit as Permit, Semaphore};

#[cfg(not(feature = "tokio"))]
#[derive(Debug)]
pub(crate) enum Semaphore {}

#[cfg(not(feature = "tokio"))]
pub(crate) type Permit = Semaphore;

/// Waits until fewer than `max_concurrency` calls are running, and returns the permit for one more call.
#[cfg_attr(not(feature = "tokio"), expect(clippy::unused_async, reason = "the signature is the same"))]
pub(crate) async fn acquire(semaphore: &Arc<Semaphore>) -> Arc<Permit> {
    #[cfg(feature = "tokio")]
    match Arc::clone(semaphore).acquire_owned().await {
        Ok(permit) => Arc::new(permit),
        // Never happens, because nobody closes the semaphore.
        Err(_) => std::future::pending().await,
    }
    #[cfg(not(feature = "tokio"))]
    match **semaphore {}
}
