//! `Nullable`: reads and publishes the `null` of a field as a separate value, not as absence.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Distinguishes `null` from absence in a field of the type `Option<Option<T>>` in your own struct. A missing field is
/// `None`, and `null` is `Some(None)`.
///
/// Without `with = "Nullable::<T>"`, serde reads both as `None`. A parameter of a tool needs no `Nullable`.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Nullable};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Change {
///     /// The date. `null` clears it.
///     #[serde(default, with = "Nullable::<String>")]
///     due: Option<Option<String>>,
/// }
///
/// /// Change a note.
/// #[mcp_tool]
/// async fn change_note(change: Change) -> &'static str {
///     match change.due {
///         None => "unchanged",
///         Some(None) => "cleared",
///         Some(Some(_)) => "set",
///     }
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![change_note]).build()?;
/// let request = CallToolRequest::new("change_note", json!({"change": {"due": null}}));
/// assert_eq!(dispatcher.call(request).await?.deserialize::<String>()?, "cleared");
/// # Ok(())
/// # }
/// ```
///
/// Without `default`, the field is required. With it, `T` must also implement `Serialize`. If you serialize the struct,
/// add `skip_serializing_if = "Option::is_none"`, because an absent field is otherwise written as `null`.
///
/// In a struct with a type parameter `T`, this attribute does not compile. Write
/// `#[serde(default, deserialize_with = "Nullable::<T>::deserialize")] #[schemars(with = "Nullable::<T>")]` instead.
#[derive(Debug)]
pub struct Nullable<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Nullable<T> {
    /// Reads the field. serde calls this function.
    ///
    /// # Errors
    ///
    /// What `T` refuses.
    pub fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
        present(deserializer)
    }
}

impl<T> Nullable<T> {
    /// Writes the field. serde and schemars call this function.
    ///
    /// # Errors
    ///
    /// What `T` cannot write.
    // The bound is on the value: with a bound on `T`, rustc would ask for `Serialize` on `Nullable<T>` instead of `T`.
    pub fn serialize<S: Serializer>(value: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

/// Reads a field that is `None` only if it is absent.
///
/// # Errors
///
/// What `T` refuses.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Publishes `null` before the other types, so that `null` counts as a value. schemars puts the `null` of an `Option`
/// last, where it means absence.
impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Option::<T>::json_schema(generator);
        for keyword in ["type", "anyOf"] {
            if let Some(Value::Array(null_last)) = schema.get_mut(keyword) {
                null_last.rotate_right(1);
            }
        }
        schema
    }
}
