//! Values that a server attaches to one request.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Values attached to one request, one of each type: an authenticated user, the parts of an HTTP request.
///
/// They come from the server, never from the caller's document, and never leave it.
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
    /// Most requests bring none, and those that do not should be small.
    #[expect(clippy::box_collection, reason = "an empty one in its place is six pointers wide")]
    values: Option<Box<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
    /// The request of HTTP that brought the call; what is in its extensions counts as attached.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    request: Option<Arc<::http::request::Parts>>,
}

impl Extensions {
    /// No values.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            values: None,
            #[cfg(any(feature = "http", feature = "rmcp"))]
            request: None,
        }
    }

    /// What a request of HTTP brings.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) const fn of_request(parts: Arc<::http::request::Parts>) -> Self {
        Self { values: None, request: Some(parts) }
    }

    /// Attaches a value, in place of an earlier one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.values.get_or_insert_default().insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The value of this type, if one is attached.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let values = self.values.as_ref();
        let value = values.and_then(|values| values.get(&TypeId::of::<T>())?.downcast_ref());
        #[cfg(any(feature = "http", feature = "rmcp"))]
        let value = value.or_else(|| self.of_the_request());
        value
    }

    #[cfg(any(feature = "http", feature = "rmcp"))]
    fn of_the_request<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let parts = &**self.request.as_ref()?;
        let own: [&dyn Any; 2] = [parts, &parts.headers];
        own.into_iter().find_map(<dyn Any>::downcast_ref).or_else(|| parts.extensions.get())
    }
}

/// Says how many values there are; what they hold may be secret.
impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.values.as_ref().map_or(0, |values| values.len());
        #[cfg(any(feature = "http", feature = "rmcp"))]
        let count = count + self.request.as_ref().map_or(0, |parts| 2 + parts.extensions.len());
        f.debug_struct("Extensions").field("len", &count).finish()
    }
}
