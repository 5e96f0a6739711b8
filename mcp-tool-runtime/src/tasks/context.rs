//! What a stored call keeps of the extensions of its request.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Extensions;

type Save = dyn Fn(&Extensions) -> Result<Option<Value>, serde_json::Error> + Send + Sync;
type Restore = dyn Fn(Value, &mut Extensions) -> Result<(), serde_json::Error> + Send + Sync;

/// Two functions of the author.
#[derive(Clone)]
pub(crate) struct TaskContext {
    pub(crate) save: Arc<Save>,
    pub(crate) restore: Arc<Restore>,
}

impl TaskContext {
    pub(crate) fn new<T: Serialize + DeserializeOwned>(
        save: impl Fn(&Extensions) -> Option<T> + Send + Sync + 'static,
        restore: impl Fn(T, &mut Extensions) + Send + Sync + 'static,
    ) -> Self {
        Self {
            save: Arc::new(move |extensions| save(extensions).map(serde_json::to_value).transpose()),
            restore: Arc::new(move |value, extensions| {
                restore(serde_json::from_value(value)?, extensions);
                Ok(())
            }),
        }
    }
}
