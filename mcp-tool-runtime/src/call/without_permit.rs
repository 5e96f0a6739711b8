//! Takes the place of `permit` without the feature `tokio`. Then nothing limits the number of running calls.

use std::sync::Arc;

#[derive(Debug)]
pub(crate) enum Semaphore {}

pub(crate) type Permit = Semaphore;

pub(crate) async fn acquire(semaphore: &Arc<Semaphore>) -> Arc<Permit> {
    match **semaphore {}
}
