//! Values that a server attaches to a request.

use std::any::{Any, TypeId, type_name};
use std::sync::{Arc, Mutex};

#[cfg(any(feature = "http", feature = "rmcp"))]
use ::http::request::Parts;
#[cfg(feature = "rmcp")]
use ::rmcp::{Peer, RoleServer, model};

use super::lock;

/// Values that a server attaches to a request, such as the authenticated user. There is at most one value of each type.
///
/// Clients can neither set nor see these values. A tool takes one as `#[mcp_tool(extension)] user: &User`. Behind an
/// HTTP server, a tool can also take the request's `http::HeaderMap`, its `http::request::Parts`, or a value from its
/// extensions. Behind the SDK, it can take a value from the `extensions` of the SDK's `RequestContext`, as rmcp's
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
    /// The attached values, in a list because there are only a few.
    values: Vec<(TypeId, Arc<dyn Any + Send + Sync>)>,
    /// The HTTP request of the call. [`get`](Self::get) searches it after the attached values.
    #[cfg(feature = "http")]
    request: Option<Arc<Parts>>,
    /// What the SDK (rmcp) attached to the call. [`get`](Self::get) searches it last.
    #[cfg(feature = "rmcp")]
    sdk: Option<Arc<SdkContext>>,
}

/// The peer and the extensions of a call that the SDK has received, in one allocation. The extensions contain the HTTP
/// request, if there is one.
#[cfg(feature = "rmcp")]
struct SdkContext {
    peer: Peer<RoleServer>,
    extensions: model::Extensions,
}

/// The names of the types that [`Extensions::get`] looked for and did not find.
#[derive(Default)]
struct Missed(Mutex<Vec<&'static str>>);

impl Extensions {
    /// Creates an empty set.
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            #[cfg(feature = "http")]
            request: None,
            #[cfg(feature = "rmcp")]
            sdk: None,
        }
    }

    /// Creates extensions in which [`get`](Self::get) finds the `Parts` of an HTTP request, its `HeaderMap`, and the
    /// values of the request's extensions.
    #[cfg(feature = "http")]
    pub(crate) fn from_http(parts: Arc<Parts>) -> Self {
        Self { request: Some(parts), ..Self::new() }
    }

    /// Attaches the context of a call that the SDK has received.
    #[cfg(feature = "rmcp")]
    pub(crate) fn set_sdk(&mut self, peer: Peer<RoleServer>, extensions: model::Extensions) {
        self.sdk = Some(Arc::new(SdkContext { peer, extensions }));
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
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let key = TypeId::of::<T>();
        let value = self.values.iter().find(|(known, _)| *known == key);
        let value = value.and_then(|(_, value)| value.downcast_ref());
        #[cfg(feature = "http")]
        let value = value.or_else(|| of_http(self.request.as_deref()?));
        #[cfg(feature = "rmcp")]
        let value = value.or_else(|| {
            let SdkContext { peer, extensions } = self.sdk.as_deref()?;
            let own: [&dyn Any; 2] = [peer, extensions];
            let own = own.into_iter().find_map(<dyn Any>::downcast_ref);
            own.or_else(|| extensions.get()).or_else(|| of_http(extensions.get()?))
        });
        if value.is_none() && !self.values.is_empty() {
            self.note_missed(type_name::<T>);
        }
        value
    }

    /// Calls `read` with empty extensions, and returns the names of the types that `read` looked for.
    pub(crate) fn read_by(read: impl FnOnce(&Self)) -> Vec<&'static str> {
        let mut extensions = Self::new();
        extensions.insert(Missed::default());
        read(&extensions);
        let missed = extensions.get::<Missed>().map(|Missed(missed)| lock(missed));
        missed.map(|mut missed| std::mem::take(&mut *missed)).unwrap_or_default()
    }

    #[cold]
    fn note_missed(&self, type_name: fn() -> &'static str) {
        let missed = self.values.iter().find_map(|(_, value)| value.downcast_ref::<Missed>());
        if let Some(Missed(missed)) = missed {
            lock(missed).push(type_name());
        }
    }
}

/// Returns a value of an HTTP request: its parts, its headers, or one of its extensions.
#[cfg(any(feature = "http", feature = "rmcp"))]
fn of_http<T: Send + Sync + 'static>(parts: &Parts) -> Option<&T> {
    let own: [&dyn Any; 2] = [parts, &parts.headers];
    own.into_iter().find_map(<dyn Any>::downcast_ref).or_else(|| parts.extensions.get())
}

debug_struct!(
    /// Shows no values, because they may be secret.
    Extensions
);
