//! What becomes of an act that is stopped: a call of a tool with `once`.

use super::TaskEnd;

/// The end of an act that is stopped after its tool has begun: nobody knows what the tool has done.
pub(crate) struct IfStopped {
    has_begun: Box<dyn Fn() -> bool + Send + Sync>,
    unknown: TaskEnd,
}

impl IfStopped {
    pub(crate) fn new(has_begun: impl Fn() -> bool + Send + Sync + 'static, unknown: TaskEnd) -> Self {
        Self { has_begun: Box::new(has_begun), unknown }
    }

    /// Returns how a call ends. `end` is the end of any other call.
    pub(crate) fn apply(if_stopped: Option<Self>, end: TaskEnd) -> TaskEnd {
        match (&end, if_stopped) {
            (TaskEnd::Cancelled(_) | TaskEnd::Failed(_), Some(Self { has_begun, unknown })) if has_begun() => unknown,
            _ => end,
        }
    }
}
