//! What the SDK attaches to a call (feature `rmcp`): its peer and its extensions. They contain the HTTP request, if there is one, and what
//! the server has put there.

use std::any::Any;
use std::sync::Arc;

use ::rmcp::{Peer, RoleServer, model};

use super::{Extensions, http_parts};

#[derive(Clone, Default)]
pub(super) struct Carried(Option<Arc<SdkContext>>);

/// In one allocation.
struct SdkContext {
    peer: Peer<RoleServer>,
    extensions: model::Extensions,
}

impl Carried {
    pub(super) const NONE: Self = Self(None);

    fn context(&self) -> Option<&SdkContext> {
        self.0.as_deref()
    }

    pub(super) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let SdkContext { peer, extensions } = self.context()?;
        let own: [&dyn Any; 2] = [peer, extensions];
        let own = own.into_iter().find_map(<dyn Any>::downcast_ref);
        own.or_else(|| extensions.get()).or_else(|| http_parts::get(extensions.get()?))
    }

    pub(super) fn count(&self) -> usize {
        let Some(SdkContext { extensions, .. }) = self.context() else { return 0 };
        // The `Parts` are one of the SDK's own extensions.
        2 + extensions.len() + extensions.get().map_or(0, |parts| http_parts::count(parts) - 1)
    }
}

impl Extensions {
    pub(crate) fn set_sdk(&mut self, peer: Peer<RoleServer>, extensions: model::Extensions) {
        self.sdk = Carried(Some(Arc::new(SdkContext { peer, extensions })));
    }
}
