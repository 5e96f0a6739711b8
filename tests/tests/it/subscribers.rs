//! Two `tracing` subscribers that stay, so that tests in other threads cannot switch an event off.

use std::sync::LazyLock;

use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

/// Keeps two subscribers until the process ends. They want no event.
///
/// The first use of an event decides whether anybody wants it. While there is at most one subscriber, `tracing` asks only that
/// of the thread which uses the event, and a thread without one switches the event off for all threads. While there are two,
/// `tracing` asks all of them.
pub(crate) fn keep_two() {
    static KEPT: LazyLock<[Dispatch; 2]> = LazyLock::new(|| [(), ()].map(|()| Dispatch::new(NoSubscriber::default())));
    LazyLock::force(&KEPT);
}
