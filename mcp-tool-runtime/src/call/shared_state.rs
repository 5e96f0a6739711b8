//! What the calls of a tool share: the states that are registered with the builder, and the labels of the tool.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The states that are registered with the builder, at most one of each type.
#[derive(Default)]
pub struct States {
    values: HashMap<TypeId, State>,
}

struct State {
    type_name: &'static str,
    /// The id of the type `Arc<T>`, for a value of type `T`. A value that was added in an `Arc` can be requested
    /// without the `Arc`, so a `T` and an `Arc<T>` cannot both be added.
    shared_id: TypeId,
    value: Box<dyn Any + Send + Sync>,
}

impl States {
    /// Adds a value. Returns an error if another value can be requested as the same type.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> Result<(), String> {
        let (id, shared_id) = (TypeId::of::<T>(), TypeId::of::<Arc<T>>());
        let state = State { type_name: type_name::<T>(), shared_id, value: Box::new(value) };
        let error = self.rival(id, &state).map(|rival| match (rival.type_name, state.type_name) {
            (one, other) if one == other => format!("two states have the type `{one}`"),
            (one, other) => format!("two states answer one type: `{one}` and `{other}`; register one of them"),
        });
        self.values.insert(id, state);
        error.map_or(Ok(()), Err)
    }

    /// Returns a value that can be requested as the same type as `state`: a value of the same type, an `Arc` of that
    /// type, or, if `state` is an `Arc`, a value of the type inside it.
    fn rival(&self, id: TypeId, state: &State) -> Option<&State> {
        let inner = || self.values.values().find(|known| known.shared_id == id);
        self.values.get(&id).or_else(|| self.values.get(&state.shared_id)).or_else(inner)
    }

    /// Returns the value of this type. It may have been registered inside an `Arc`.
    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let direct = || self.values.get(&TypeId::of::<T>())?.value.downcast_ref::<T>();
        let shared = || Some(&**self.values.get(&TypeId::of::<Arc<T>>())?.value.downcast_ref::<Arc<T>>()?);
        direct().or_else(shared)
    }

    /// Lists the types of the values, for the end of an error message: `; registered are …`, or nothing.
    pub(crate) fn registered(&self) -> String {
        let mut names: Vec<_> = self.values.values().map(|state| format!("`{}`", state.type_name)).collect();
        names.sort();
        if names.is_empty() { String::new() } else { format!("; registered are {}", names.join(", ")) }
    }

    /// Adds the values of another set. Returns an error for each pair of values that can be requested as the same type,
    /// unless both values are the same `Arc` of a type in `needs`.
    pub(crate) fn merge(&mut self, other: Self, needs: &[&Need<Self>]) -> Vec<String> {
        let is_same = |id| needs.iter().any(|need| (need.shared_id)() == id && (need.is_same)(self, &other));
        let error = |(id, state): (&TypeId, &State)| match (self.rival(*id, state)?.type_name, state.type_name) {
            _ if is_same(*id) => None,
            (one, other) if one == other => {
                Some(format!("two merged builders have a state of the type `{one}`; share one in an `Arc`"))
            }
            (one, other) => Some(format!(
                "two merged builders have states that answer one type: `{one}` and `{other}`; share one in an `Arc`"
            )),
        };
        let mut errors: Vec<_> = other.values.iter().filter_map(error).collect();
        errors.sort();
        self.values.extend(other.values);
        errors
    }
}

debug_struct!(States, states => len: states.values.len());

/// A value that a tool needs from the registered states or from the extensions of a request.
#[derive(Clone, Copy)]
pub struct Need<R> {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) is_met: fn(&R) -> bool,
    /// Returns the id of the type `Arc<T>`, for a needed value of type `T`.
    shared_id: fn() -> TypeId,
    /// Returns `true` if the two sets of values contain the same `Arc` of the needed type.
    is_same: fn(&R, &R) -> bool,
}

impl Need<States> {
    /// Returns a `Need` that is met by a state of this type.
    pub const fn state<T: Send + Sync + 'static>() -> Self {
        Self {
            type_name: type_name::<T>,
            is_met: |states| states.get::<T>().is_some(),
            shared_id: TypeId::of::<Arc<T>>,
            is_same: |one, other| match (one.get::<Arc<T>>(), other.get::<Arc<T>>()) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                _ => false,
            },
        }
    }
}

impl Need<crate::Extensions> {
    /// Returns a `Need` that is met by an extension of this type.
    pub const fn extension<T: Send + Sync + 'static>() -> Self {
        Self {
            type_name: type_name::<T>,
            is_met: |extensions| extensions.get::<T>().is_some(),
            shared_id: TypeId::of::<Arc<T>>,
            is_same: |_, _| false,
        }
    }
}

impl<R> fmt::Debug for Need<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Need").field(&(self.type_name)()).finish()
    }
}

/// The tags or the scopes of a tool: a list of strings without duplicates, in the order in which they were written.
///
/// ```
/// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
/// # /// Place an order.
/// # #[mcp_tool(tags("trade", "beta"))]
/// # async fn place_order(share: String) -> String {
/// #     share
/// # }
/// # Dispatcher::builder().tools(tools![place_order]).visible(|tool, _| {
/// let tags = tool.tags();
/// assert!(tags.contains("beta"));
/// assert_eq!(tags.join(" "), "trade beta");
/// assert!(tags.iter().any(|tag| tag == "trade"));
/// # true
/// # }).build()?.seen_by(&Extensions::new());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Labels(Arc<[String]>);

impl Labels {
    /// Returns `true` if this label is in the list.
    pub fn contains(&self, label: impl AsRef<str>) -> bool {
        self.0.iter().any(|known| known == label.as_ref())
    }

    /// Adds a label, unless it is in the list.
    pub(crate) fn add(&mut self, label: impl Into<String>) {
        let label = label.into();
        if !self.contains(&label) {
            self.0 = self.0.iter().cloned().chain([label]).collect();
        }
    }
}

impl Deref for Labels {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<'l> IntoIterator for &'l Labels {
    type Item = &'l String;
    type IntoIter = std::slice::Iter<'l, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'l> FromIterator<&'l str> for Labels {
    fn from_iter<I: IntoIterator<Item = &'l str>>(labels: I) -> Self {
        let mut list = Self::default();
        labels.into_iter().for_each(|label| list.add(label));
        list
    }
}
