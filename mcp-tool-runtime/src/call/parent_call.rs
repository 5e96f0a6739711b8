//! The call that started another call.

use std::sync::Arc;
use std::time::Instant;

use super::state::CallState;
use super::{CallId, CallToolRequest, CallToolResponse, Extensions};
use crate::{BoxFuture, DispatchError};

/// The maximum number of calls in a chain, with the call of the client. It ends a cycle of tools before the stack overflows.
pub(crate) const MAX_DEPTH: usize = 16;

/// What a call needs to know about the call that started it.
pub(crate) struct ParentCall {
    pub(crate) call_id: CallId,
    /// The number of calls in the chain up to this one: 1 for a call that a client made.
    pub(crate) depth: usize,
    pub(crate) state: Arc<CallState>,
    pub(crate) deadline: Option<Instant>,
    /// The extensions that the transport attached. A tool that they do not show cannot be called.
    pub(crate) attached: Extensions,
}

debug_struct!(ParentCall, call => call_id: call.call_id, depth: call.depth);

/// Starts a call for another call. The dispatcher implements it, since this module does not import the dispatcher.
pub(crate) trait StartCall: Send + Sync {
    fn start_call(
        self: Arc<Self>,
        parent: Arc<ParentCall>,
        request: CallToolRequest,
    ) -> BoxFuture<'static, Result<CallToolResponse, DispatchError>>;
}
