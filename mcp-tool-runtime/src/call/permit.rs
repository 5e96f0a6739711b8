//! The permits of `max_concurrency` (feature `tokio`).

use std::sync::Arc;

pub(crate) use tokio::sync::{OwnedSemaphorePermit as Permit, Semaphore};

/// Waits for a permit.
pub(crate) async fn acquire(semaphore: &Arc<Semaphore>) -> Arc<Permit> {
    match Arc::clone(semaphore).acquire_owned().await {
        Ok(permit) => Arc::new(permit),
        // Nobody closes the semaphore.
        Err(_) => std::future::pending().await,
    }
}
