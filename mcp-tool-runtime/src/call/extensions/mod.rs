//! Values that a server attaches to a request.

#[cfg(any(feature = "http", feature = "rmcp"))]
mod http_parts;
#[cfg(feature = "http")]
mod http_request;
#[cfg(not(feature = "http"))]
#[path = "nothing.rs"]
mod http_request;
#[cfg(feature = "rmcp")]
mod sdk_context;
#[cfg(not(feature = "rmcp"))]
#[path = "nothing.rs"]
mod sdk_context;

use std::any::{Any, TypeId};
use std::sync::Arc;

/// Values that a server attaches to a request, such as the authenticated user. There is at most one value of each type.
///
/// Clients can neither set nor see these values. A tool takes one as `#[mcp_tool(extension)] user: &User`. Behind an HTTP server,
/// a tool can also take a value from the extensions of the HTTP request, its `http::HeaderMap`, or its
/// `http::request::Parts`. Behind the SDK, it can take a value from the `extensions` of the SDK's `RequestContext`, as rmcp's
/// `Extension<T>` does.
///
/// Clones share the values, which do not have to implement `Clone`.
///
/// ```
/// use mcp_tool_runtime::Extensions;
///
/// struct User(&'static str);
///
/// let mut extensions = Extensions::new();
/// extensions.insert(User("ann"));
/// assert_eq!(extensions.get::<User>().map(|user| user.0), Some("ann"));
/// assert!(extensions.get::<u8>().is_none());
/// ```
#[derive(Clone, Default)]
pub struct Extensions {
    /// A list, because there are only a few.
    values: Vec<(TypeId, Arc<dyn Any + Send + Sync>)>,
    /// The HTTP request of the call. [`get`](Self::get) searches it after the attached values.
    request: http_request::Carried,
    /// What the SDK attached to the call. It is searched last.
    sdk: sdk_context::Carried,
}

impl Extensions {
    /// Creates an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: Vec::new(), request: http_request::Carried::NONE, sdk: sdk_context::Carried::NONE }
    }

    /// Attaches a value. It replaces an earlier value of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        let (key, value) = (TypeId::of::<T>(), Arc::new(value));
        match self.values.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value,
            None => self.values.push((key, value)),
        }
    }

    /// Returns the value of this type, if there is one.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let key = TypeId::of::<T>();
        let value = self.values.iter().find(|(known, _)| *known == key);
        let value = value.and_then(|(_, value)| value.downcast_ref());
        value.or_else(|| self.request.get()).or_else(|| self.sdk.get())
    }
}

debug_struct!(
    /// Shows only the number of values, because the values may be secret.
    Extensions, all => len: all.values.len() + all.request.count() + all.sdk.count()
);
