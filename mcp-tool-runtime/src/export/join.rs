//! Runs futures concurrently in one task.

use std::future::poll_fn;
use std::task::Poll;

use crate::BoxFuture;

/// Returns the outputs of all futures, in the order of the futures.
///
/// Each wake-up polls every future that still runs. One message of a model has only a few calls.
pub(super) async fn all<'a, T>(futures: impl IntoIterator<Item = BoxFuture<'a, T>>) -> Vec<T> {
    let mut running: Vec<_> = futures.into_iter().map(|future| (future, None)).collect();
    poll_fn(|cx| {
        for (future, output) in running.iter_mut().filter(|(_, output)| output.is_none()) {
            if let Poll::Ready(ready) = future.as_mut().poll(cx) {
                *output = Some(ready);
            }
        }
        if running.iter().any(|(_, output)| output.is_none()) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    running.into_iter().filter_map(|(_, output)| output).collect()
}
