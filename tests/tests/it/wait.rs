//! No tests: how tests wait without depending on real time.

use std::time::Duration;

use tokio::sync::watch;

/// Waits for `future`, and fails the test after a minute: a hang becomes a failure.
///
/// Where the clock of tokio is paused, the minute is over as soon as nothing can run any more.
pub(crate) async fn within_a_minute<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("still waiting after a minute")
}

/// How many calls of a tool have started, run now, and ran at the same time at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) started: usize,
    pub(crate) running: usize,
    pub(crate) most: usize,
}

/// Counts the calls of a tool. A test waits until the counts are as it expects.
#[derive(Default)]
pub(crate) struct RunningCalls(watch::Sender<Counts>);

/// A call that counts as running until this value is dropped.
pub(crate) struct RunningCall<'a>(&'a RunningCalls);

impl RunningCalls {
    pub(crate) fn start(&self) -> RunningCall<'_> {
        self.0.send_modify(|counts| {
            counts.started += 1;
            counts.running += 1;
            counts.most = counts.most.max(counts.running);
        });
        RunningCall(self)
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.0.borrow()
    }

    pub(crate) async fn wait_until(&self, expected: impl FnMut(&Counts) -> bool) {
        let mut counts = self.0.subscribe();
        within_a_minute(counts.wait_for(expected)).await.expect("the sender is alive");
    }

    /// Waits until exactly this many calls run.
    pub(crate) async fn wait_for(&self, running: usize) {
        self.wait_until(|counts| counts.running == running).await;
    }
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|counts| counts.running -= 1);
    }
}
