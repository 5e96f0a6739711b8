//! Asks the client questions over a connection that the official SDK serves (feature `ask`).

use std::sync::Arc;

use ::rmcp::model::{
    CancelledNotificationParam, ClientResult, CustomRequest, ElicitationAction, RequestId, ServerRequest,
};
use ::rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use ::rmcp::{Peer, RoleServer};
use serde_json::Value;

use crate::ask::admits_forms;
use crate::ask::session::AttachedAsker;
use crate::{Asker, BoxFuture, ClientInfo, ProtocolVersion, Question, Reply};

/// Sends questions as requests to the SDK's peer. Servers send requests only in protocol versions before 2026-07-28.
struct PeerAsker {
    peer: Peer<RoleServer>,
    version: ProtocolVersion,
}

/// Creates the asker for a client. Returns `None` if the version is 2026-07-28 or later, or if the client does not support forms.
pub(super) fn asker(context: &RequestContext<RoleServer>, version: ProtocolVersion) -> Option<AttachedAsker> {
    let info = context.peer.peer_info().filter(|_| version.is_legacy())?;
    let capabilities = serde_json::to_value(&info.capabilities).ok()?;
    if !admits_forms(&capabilities) {
        return None;
    }
    let client = ClientInfo::new(&*info.client_info.name, &*info.client_info.version);
    let asker = PeerAsker { peer: context.peer.clone(), version };
    Some(AttachedAsker { asker: Arc::new(asker), client: Some(Arc::new(client)) })
}

impl Asker for PeerAsker {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            let Some(params) = question.params(self.version) else { return Reply::Unavailable };
            // A custom request sends the form's schema as it is. The SDK's `ElicitRequest` would need it in the SDK's own schema type.
            let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
            let sent = self.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
            let response = match sent {
                Ok(handle) => {
                    let mut guard = CancelRequestOnDrop { peer: &self.peer, id: Some(handle.id.clone()) };
                    let response = handle.await_response().await;
                    guard.id = None;
                    response
                }
                Err(error) => Err(error),
            };
            match response {
                Ok(ClientResult::ElicitResult(result)) => match result.action {
                    // The content of a form is an object. Anything else becomes `null`, which means an empty form.
                    ElicitationAction::Accept => {
                        Reply::Accept(result.content.filter(Value::is_object).unwrap_or_default())
                    }
                    ElicitationAction::Decline => Reply::Decline,
                    // `Cancel`, and any action that a later version of the SDK adds.
                    _ => Reply::Cancel,
                },
                // The client has left before its user has answered.
                Err(ServiceError::TransportClosed) => Reply::Cancel,
                // The request failed, or the client sent the result of another request.
                Ok(_) | Err(_) => Reply::Unavailable,
            }
        })
    }
}

/// Cancels the request for an answer when it is dropped, unless `id` is `None`.
struct CancelRequestOnDrop<'a> {
    peer: &'a Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for CancelRequestOnDrop<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let (peer, reason) = (self.peer.clone(), "the call has ended".to_owned());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // Fails only if the connection is closed.
                let _ = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason))).await;
            });
        }
    }
}
