//! What is logged. Two `tracing` subscribers stay, so that tests in other threads cannot switch an event off.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, LazyLock, Mutex};

use tracing::field::{Field, Visit};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

/// Keeps two subscribers until the process ends. They want no event.
///
/// The first use of an event decides whether anybody wants it. While there is at most one subscriber, `tracing` asks only that
/// of the thread which uses the event, and a thread without one switches the event off for all threads. While there are two,
/// `tracing` asks all of them.
pub(crate) fn keep_two() {
    static KEPT: LazyLock<[Dispatch; 2]> = LazyLock::new(|| [(), ()].map(|()| Dispatch::new(NoSubscriber::default())));
    LazyLock::force(&KEPT);
}

/// Keeps each event as a line.
#[derive(Clone, Default)]
pub(crate) struct Lines(pub(crate) Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }
}

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut line = Line(format!("{} ", event.metadata().level()));
        event.record(&mut line);
        self.0.lock().expect("no panic").push(line.0);
    }
}
