//! State: values that are registered with the builder and that tools share.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The registered values, one of each type.
#[derive(Default)]
pub struct States {
    values: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl States {
    /// Adds a value. Returns `false` if there was one of the same type.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> bool {
        self.values.insert(TypeId::of::<T>(), Box::new(value)).is_none()
    }

    /// Returns the value of this type. It may have been registered inside an `Arc`.
    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let direct = || self.values.get(&TypeId::of::<T>())?.downcast_ref::<T>();
        let shared = || Some(&**self.values.get(&TypeId::of::<Arc<T>>())?.downcast_ref::<Arc<T>>()?);
        direct().or_else(shared)
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States").field("len", &self.values.len()).finish()
    }
}

/// A value that a tool needs, among the states or among the extensions of a request.
#[derive(Clone, Copy)]
pub struct Need<R> {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) is_met: fn(&R) -> bool,
}

impl Need<States> {
    /// The tool needs a state of this type.
    #[must_use]
    pub const fn state<T: Send + Sync + 'static>() -> Self {
        Self { type_name: type_name::<T>, is_met: |states| states.get::<T>().is_some() }
    }
}

impl Need<crate::Extensions> {
    /// The tool needs an extension of this type.
    #[must_use]
    pub const fn extension<T: Send + Sync + 'static>() -> Self {
        Self { type_name: type_name::<T>, is_met: |extensions| extensions.get::<T>().is_some() }
    }
}

impl<R> fmt::Debug for Need<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Need").field(&(self.type_name)()).finish()
    }
}
