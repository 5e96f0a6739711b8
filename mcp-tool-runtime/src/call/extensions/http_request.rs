//! The HTTP request of a call (feature `http`).

use std::sync::Arc;

use ::http::request::Parts;

use super::{Extensions, http_parts};

#[derive(Clone, Default)]
pub(super) struct Carried(Option<Arc<Parts>>);

impl Carried {
    pub(super) const NONE: Self = Self(None);

    pub(super) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        http_parts::get(self.0.as_deref()?)
    }

    pub(super) fn count(&self) -> usize {
        self.0.as_deref().map_or(0, http_parts::count)
    }
}

impl Extensions {
    /// Attaches an HTTP request: the parts, the headers and all extensions of the request.
    pub(crate) fn from_http(parts: Arc<Parts>) -> Self {
        Self { request: Carried(Some(parts)), ..Self::new() }
    }
}
