//! Values that a server attaches to a request.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use super::catch_panic::drop_quietly;

/// Values that a server attaches to a request, at most one of each type: an authenticated user, for example.
///
/// A clone shares the values. They need not be `Clone`.
///
/// Clients can neither set nor see them. A tool takes one as `#[mcp_tool(extension)] user: &User`. Behind an HTTP server,
/// a tool can also take a value from the extensions of the HTTP request, its `http::HeaderMap`, or its
/// `http::request::Parts`.
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
    values: Vec<(TypeId, Attached)>,
    /// The HTTP request of the call. [`get`](Self::get) searches it after the attached values.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    request: Option<Arc<::http::request::Parts>>,
}

/// One attached value; `None` only while it is dropped. A panic in its `Drop` must not take the place of the call's answer.
#[derive(Clone)]
struct Attached(Option<Arc<dyn Any + Send + Sync>>);

impl Drop for Attached {
    fn drop(&mut self) {
        drop_quietly(self.0.take());
    }
}

impl Extensions {
    /// Creates an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            #[cfg(any(feature = "http", feature = "rmcp"))]
            request: None,
        }
    }

    /// Creates the extensions of a call that arrived in an HTTP request.
    #[cfg(feature = "http")]
    pub(crate) const fn from_http(parts: Arc<::http::request::Parts>) -> Self {
        Self { values: Vec::new(), request: Some(parts) }
    }

    /// Adds the HTTP request that the call arrived in.
    #[cfg(feature = "rmcp")]
    pub(crate) fn set_http(&mut self, parts: Arc<::http::request::Parts>) {
        self.request = Some(parts);
    }

    /// Attaches a value. It replaces an earlier value of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        let (key, value) = (TypeId::of::<T>(), Attached(Some(Arc::new(value))));
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
        let value = value.and_then(|(_, value)| value.0.as_deref()?.downcast_ref());
        #[cfg(any(feature = "http", feature = "rmcp"))]
        let value = value.or_else(|| self.get_from_http());
        value
    }

    #[cfg(any(feature = "http", feature = "rmcp"))]
    fn get_from_http<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let parts = &**self.request.as_ref()?;
        let parts_and_headers: [&dyn Any; 2] = [parts, &parts.headers];
        parts_and_headers.into_iter().find_map(<dyn Any>::downcast_ref).or_else(|| parts.extensions.get())
    }
}

/// Shows the number of values, not the values: they may be secret.
impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.values.len();
        // The 2 are the `Parts` and the `HeaderMap`.
        #[cfg(any(feature = "http", feature = "rmcp"))]
        let count = count + self.request.as_ref().map_or(0, |parts| 2 + parts.extensions.len());
        f.debug_struct("Extensions").field("len", &count).finish()
    }
}
