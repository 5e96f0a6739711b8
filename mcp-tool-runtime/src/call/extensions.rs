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
    values: Option<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Extensions {
    /// No values.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: None }
    }

    /// Attaches a value, in place of an earlier one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.values.get_or_insert_default().insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The value of this type, if one is attached.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.values.as_ref()?.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

/// Says how many values there are; what they hold may be secret.
impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.values.as_ref().map_or(0, HashMap::len);
        f.debug_struct("Extensions").field("len", &count).finish()
    }
}
