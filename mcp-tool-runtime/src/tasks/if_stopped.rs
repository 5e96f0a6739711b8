//! What becomes of an act that is stopped: a call of a tool with `once`.

use std::sync::Arc;

use super::TaskEnd;
use crate::call::CallState;

/// The end of an act that is stopped after its tool has begun: nobody knows what the tool has done.
pub(crate) struct IfStopped {
    state: Arc<CallState>,
    unknown: TaskEnd,
}

impl IfStopped {
    pub(crate) fn new(state: Arc<CallState>, unknown: TaskEnd) -> Self {
        Self { state, unknown }
    }

    /// Returns how a call ends. `end` is the end of any other call.
    pub(crate) fn apply(if_stopped: Option<Self>, end: TaskEnd) -> TaskEnd {
        match (&end, if_stopped) {
            (TaskEnd::Cancelled(_) | TaskEnd::Failed(_), Some(Self { state, unknown })) if state.has_begun() => unknown,
            _ => end,
        }
    }
}
