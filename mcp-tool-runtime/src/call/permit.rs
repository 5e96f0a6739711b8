//! The permits of `max_concurrency` (feature `tokio`).

use std::sync::Arc;

#[cfg(feature = "tokio")]
pub(crate) use tokio::sync::{OwnedSemaphorePermit as Permit, Semaphore};

/// Without the feature there is no semaphore.
#[cfg(not(feature = "tokio"))]
#[derive(Debug)]
pub(crate) enum Semaphore {}

#[cfg(not(feature = "tokio"))]
pub(crate) type Permit = Semaphore;

/// Waits for a permit, in the order of the calls. Dropping the permit returns it.
#[cfg(feature = "tokio")]
pub(crate) async fn acquire(semaphore: &Arc<Semaphore>) -> Arc<Permit> {
    match Arc::clone(semaphore).acquire_owned().await {
        Ok(permit) => Arc::new(permit),
        // Nobody closes the semaphore.
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(feature = "tokio"))]
pub(crate) async fn acquire(semaphore: &Arc<Semaphore>) -> Arc<Permit> {
    match **semaphore {}
}
