//! Content that is returned in something else than a list of it: blocks are no values, and have no schema.

use super::{Output, PhantomData, Schema, SchemaGenerator, Success, ToolError};
use crate::{Audio, Content, EmbeddedResource, Image, ResourceLink, Text};

/// A block of content.
pub trait Block {}

macro_rules! blocks {
    ($($block:ident)+) => {$(impl Block for $block {})+};
}

blocks!(Text Image Audio ResourceLink EmbeddedResource Content);

/// A value of type `V`, which holds blocks and is no list of [`Content`].
pub struct Unlisted<V>(PhantomData<fn() -> V>);

/// What content is returned in. No type of [`Unlisted`] is.
#[diagnostic::on_unimplemented(
    message = "content in `{Self}` cannot be the result of a tool",
    label = "content is returned alone or in a `Vec<Content>`",
    note = "help: return `Vec<Content>`: `vec![text.into(), image.into()]`, and an empty one where there is nothing"
)]
pub trait ListOfContent {}

impl<V> Unlisted<V> {
    pub fn check(self)
    where
        V: ListOfContent,
    {
    }

    pub fn schema(self, _: &mut SchemaGenerator) -> Option<Schema>
    where
        V: ListOfContent,
    {
        None
    }

    pub fn output(self, _: V) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

/// Asked as in `probe.rs`, beside what can be serialised and described: a block cannot be described.
pub trait UnlistedOutput<V> {
    fn __mcp_tool_output(&self) -> Unlisted<V> {
        Unlisted(PhantomData)
    }
}

macro_rules! unlisted {
    ($([$($parameter:ident)*] $value:ty)+) => {$(
        impl<$($parameter: Block),*> UnlistedOutput<$value> for &&&&Success<$value> {}
    )+};
}

unlisted! {
    [T] Vec<T>
    [T] Option<T>
    [] Option<Vec<Content>>
    [T U] (T, U)
    [T U V] (T, U, V)
}
