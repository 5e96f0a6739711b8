//! Values that a server attaches to a request.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use super::catch_panic::drop_quietly;

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
    values: Vec<(TypeId, Attached<dyn Any + Send + Sync>)>,
    /// The HTTP request of the call. [`get`](Self::get) searches it after the attached values.
    #[cfg(feature = "http")]
    request: Option<Arc<::http::request::Parts>>,
    /// What the SDK attached to the call. It is searched last.
    #[cfg(feature = "rmcp")]
    sdk: Option<Attached<SdkContext>>,
}

/// What the SDK attaches to a call, in one allocation. Its extensions contain the HTTP request, if there is one, and what the server has put
/// there.
#[cfg(feature = "rmcp")]
struct SdkContext {
    peer: ::rmcp::Peer<::rmcp::RoleServer>,
    extensions: ::rmcp::model::Extensions,
}

/// One attached value; `None` only while it is dropped. A panic in its `Drop` must not take the place of the call's answer.
struct Attached<T: ?Sized>(Option<Arc<T>>);

impl<T: ?Sized> Clone for Attached<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Drop for Attached<T> {
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
            #[cfg(feature = "http")]
            request: None,
            #[cfg(feature = "rmcp")]
            sdk: None,
        }
    }

    /// Creates the extensions of a call that arrived in an HTTP request.
    #[cfg(feature = "http")]
    pub(crate) fn from_http(parts: Arc<::http::request::Parts>) -> Self {
        Self { request: Some(parts), ..Self::new() }
    }

    /// Adds what the SDK attached to the call.
    #[cfg(feature = "rmcp")]
    pub(crate) fn set_sdk(&mut self, peer: ::rmcp::Peer<::rmcp::RoleServer>, extensions: ::rmcp::model::Extensions) {
        self.sdk = Some(Attached(Some(Arc::new(SdkContext { peer, extensions }))));
    }

    /// Attaches a value. It replaces an earlier value of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        let (key, value) = (TypeId::of::<T>(), Attached(Some(Arc::new(value) as Arc<dyn Any + Send + Sync>)));
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
        #[cfg(feature = "http")]
        let value = value.or_else(|| get_from_http(self.request.as_deref()?));
        #[cfg(feature = "rmcp")]
        let value = value.or_else(|| self.sdk.as_ref()?.0.as_deref()?.get());
        value
    }
}

#[cfg(feature = "rmcp")]
impl SdkContext {
    fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let own: [&dyn Any; 2] = [&self.peer, &self.extensions];
        let own = own.into_iter().find_map(<dyn Any>::downcast_ref);
        own.or_else(|| self.extensions.get()).or_else(|| get_from_http(self.extensions.get()?))
    }

    fn count(&self) -> usize {
        // The `Parts` are one of the SDK's own extensions.
        2 + self.extensions.len() + self.extensions.get().map_or(0, |parts| count_of_http(parts) - 1)
    }
}

/// Returns the number of values that [`get_from_http`] finds: the `Parts`, the `HeaderMap`, and the extensions.
#[cfg(any(feature = "http", feature = "rmcp"))]
fn count_of_http(parts: &::http::request::Parts) -> usize {
    2 + parts.extensions.len()
}

#[cfg(any(feature = "http", feature = "rmcp"))]
fn get_from_http<T: Send + Sync + 'static>(parts: &::http::request::Parts) -> Option<&T> {
    let parts_and_headers: [&dyn Any; 2] = [parts, &parts.headers];
    parts_and_headers.into_iter().find_map(<dyn Any>::downcast_ref).or_else(|| parts.extensions.get())
}

/// Shows only the number of values, because the values may be secret.
impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.values.len();
        #[cfg(feature = "http")]
        let count = count + self.request.as_deref().map_or(0, count_of_http);
        #[cfg(feature = "rmcp")]
        let count = count + self.sdk.as_ref().and_then(|sdk| sdk.0.as_deref()).map_or(0, SdkContext::count);
        f.debug_struct("Extensions").field("len", &count).finish()
    }
}
