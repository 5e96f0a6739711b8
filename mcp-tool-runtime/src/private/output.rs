//! The traits that the type of a result must implement, the support for the key `text`, and the codecs of paged
//! results.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{JsonSchema, Output, PhantomData, Schema, SchemaGenerator, Serialize, Success, ToolError, type_name};
use crate::output::tool_output::CONTENT;
use crate::paging::cut::Cutting;
use crate::paging::{page, paged};
use crate::{Cursor, Excerpt, Paged, Structured};

/// Converts the value of a success into an [`Output`].
pub trait SuccessCodec: Copy + Send {
    type Value;

    fn output(self, value: Self::Value) -> Result<Output, ToolError>;

    /// Converts the value like `output`, and sets the text that the function under the key `text` makes from the value.
    fn output_with_text<V: ?Sized, R: TextOfResult>(
        self,
        value: Self::Value,
        text: impl FnOnce(&V) -> R + Send + 'static,
    ) -> Result<Output, ToolError>
    where
        Self::Value: BorrowAs<V>,
    {
        let text = text(value.borrow_as()).into_text();
        self.output(value).map(|output| output.with_text(text))
    }

    fn schema(self, _: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn structured_type(self) -> Option<&'static str> {
        None
    }

    fn is_paged(self) -> bool {
        false
    }

    /// Returns `true` if the result may have content blocks in addition to its value.
    fn adds_content(self) -> bool {
        false
    }
}

/// A type that can be the structured value of a result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be sent as a structured value",
    note = "help: write `#[derive(serde::Serialize, schemars::JsonSchema)]` above it (schemars of version 1), or implement `mcp_tool_runtime::ToolOutput`",
    note = "help: a type parameter: write the bounds `T: serde::Serialize + schemars::JsonSchema`; a type of std: use another, such as `String` for `Arc<str>`",
    note = "help: a type of another crate: turn on its feature `serde`, and for its schema a feature of `schemars`: `chrono04`, `jiff02`, `uuid1`, `url2`, `rust_decimal1`, …: the module `mcp_tool_runtime::schemas` lists them"
)]
pub trait StructuredOutput {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> StructuredOutput for T {}

/// A type that can be the structured value of a result if `#[mcp_tool]` names another type or schema, or publishes no
/// schema. The type itself needs no schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be sent as a value",
    note = "help: write `#[derive(serde::Serialize)]` above it, or implement `mcp_tool_runtime::ToolOutput`",
    note = "help: a type of another crate: turn on its feature `serde`, or return a type of your own"
)]
pub trait SerializableOutput {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> SerializableOutput for T {}

/// A type that the key `output` can name. Its schema is published as that of the result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema to publish as the output of a tool",
    label = "does not implement `JsonSchema`",
    note = "help: write `#[derive(schemars::JsonSchema)]` above it (schemars of version 1)"
)]
pub trait DescribedOutput {
    fn describe(generator: &mut SchemaGenerator) -> Schema;
}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> DescribedOutput for T {
    fn describe(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A value that the function under the key `text` can borrow as `V`. A `String` can also be borrowed as `str`, a `Vec`
/// as a slice, and a `Structured` as its value.
#[diagnostic::on_unimplemented(
    message = "the function of `text` takes `&{V}`, and the result of the tool is `{Self}`",
    label = "not a function of the result",
    note = "help: write a function that takes `&{Self}` and returns a `String`",
    note = "help: of a `Structured<T>` it can take `&T`, of a `Paged<T>` or a `Vec<T>` `&[T]`"
)]
pub trait BorrowAs<V: ?Sized> {
    fn borrow_as(&self) -> &V;
}

#[diagnostic::do_not_recommend]
impl<T> BorrowAs<T> for T {
    fn borrow_as(&self) -> &T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> BorrowAs<[T]> for Paged<T> {
    fn borrow_as(&self) -> &[T] {
        self.items()
    }
}

// The types are listed, because an impl with the bound `Borrow<V>` would conflict with the impl for `Structured`.
macro_rules! borrowed_as {
    ($([$($parameters:tt)*] $result:ty as $borrowed:ty: |$this:ident| $borrow:expr;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameters)*> BorrowAs<$borrowed> for $result {
            fn borrow_as(&self) -> &$borrowed {
                let $this = self;
                $borrow
            }
        }
    )+};
}

borrowed_as! {
    [] String as str: |text| text;
    [] PathBuf as Path: |path| path;
    [T] Vec<T> as [T]: |list| list;
    [T, const N: usize] [T; N] as [T]: |list| list;
    [T: ?Sized] &T as T: |value| value;
    [T: ?Sized] Box<T> as T: |value| value;
    [T: ?Sized] Arc<T> as T: |value| value;
    [B: ?Sized + ToOwned] Cow<'_, B> as B: |value| value;
    [T] Structured<T> as T: |result| &result.value;
    [T] Structured<Vec<T>> as [T]: |result| &result.value;
    [] Structured<String> as str: |result| &result.value;
}

/// The return type of the function that the key `text` names.
#[diagnostic::on_unimplemented(
    message = "the function of `text` returns `{Self}`, and the text beside a result is a `String`",
    label = "does not return a `String`",
    note = "help: write a function that takes `&T` and returns a `String`"
)]
pub trait TextOfResult {
    fn into_text(self) -> String;
}

impl TextOfResult for String {
    fn into_text(self) -> String {
        self
    }
}

/// Converts the value of a success into an [`Output`], and sets the text that the function under the key `text` makes
/// from the value.
pub fn output_with_text<C: SuccessCodec, V: ?Sized, R: TextOfResult>(
    codec: C,
    value: C::Value,
    text: impl FnOnce(&V) -> R + Send + 'static,
) -> Result<Output, ToolError>
where
    C::Value: BorrowAs<V>,
{
    codec.output_with_text(value, text)
}

type_markers! {
    /// A `Paged` list whose items can be sent.
    PagedList<T>
    /// A `Paged` list whose items cannot be sent.
    UnsupportedList<T>
    /// An `Excerpt`.
    PagedText<T>
}

probes! {
    __mcp_tool_output:
    ProbePagedList<T> -> PagedList<T>
    ProbeUnsupportedList<T> -> UnsupportedList<T>
    ProbePagedText<> -> PagedText<Excerpt>
}

impl<T: Serialize + JsonSchema + Send + 'static> ProbePagedList<T> for &&&&&Success<Paged<T>> {}
impl<T> ProbeUnsupportedList<T> for &Success<Paged<T>> {}

impl ProbePagedText for &&&&&Success<Excerpt> {}

always_valid!(PagedList<T> PagedText<T>);

impl<T> UnsupportedList<T> {
    pub fn check(self) -> Self
    where
        T: PageItem,
    {
        self
    }

    pub fn described(self) -> Self
    where
        T: PageItem,
    {
        self
    }
}

/// A type that the items of a `Paged` can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an item of a `Paged`",
    label = "cannot be sent in pages",
    note = "help: write `#[derive(serde::Serialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "an item is `Send` and has no borrowed parts, since the list is cut after the function has returned"
)]
pub trait PageItem {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + 'static> PageItem for T {}

impl<T: Serialize + JsonSchema + Send + 'static> SuccessCodec for PagedList<T> {
    type Value = Paged<T>;

    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(paged::schema::<T>(generator))
    }

    fn structured_type(self) -> Option<&'static str> {
        Some(type_name::<Paged<T>>())
    }

    fn output(self, list: Paged<T>) -> Result<Output, ToolError> {
        Ok(page::unfinished(Cutting { list, text: None }))
    }

    fn output_with_text<V: ?Sized, R: TextOfResult>(
        self,
        list: Paged<T>,
        text: impl FnOnce(&V) -> R + Send + 'static,
    ) -> Result<Output, ToolError>
    where
        Paged<T>: BorrowAs<V>,
    {
        let text = move |page: &Paged<T>| text(page.borrow_as()).into_text();
        Ok(page::unfinished(Cutting { list, text: Some(Box::new(text)) }))
    }

    fn is_paged(self) -> bool {
        true
    }
}

// Never runs, because generated code first calls `check` or `described`, and that call does not compile. This impl has
// no bounds, so it adds no second error.
impl<T> SuccessCodec for UnsupportedList<T> {
    type Value = Paged<T>;

    fn output(self, _: Paged<T>) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

impl SuccessCodec for PagedText<Excerpt> {
    type Value = Excerpt;

    fn structured_type(self) -> Option<&'static str> {
        Some(CONTENT)
    }

    fn output(self, excerpt: Excerpt) -> Result<Output, ToolError> {
        Ok(page::unfinished(excerpt))
    }

    fn is_paged(self) -> bool {
        true
    }
}

/// A probe that finds out whether the type of a parameter is a `Cursor`: an inherent constant takes precedence over a
/// trait's constant of the same name.
pub struct CursorType<T>(PhantomData<fn() -> T>);

impl<K> CursorType<Cursor<K>> {
    pub const __MCP_TOOL_IS_CURSOR: bool = true;
}

pub trait ProbeNoCursor {
    const __MCP_TOOL_IS_CURSOR: bool = false;
}

impl<T> ProbeNoCursor for CursorType<T> {}

/// A probe that finds out whether a return type is sent in pages, in the same way as [`CursorType`].
pub struct PagedType<T>(PhantomData<fn() -> T>);

impl<T> PagedType<Paged<T>> {
    pub const __MCP_TOOL_IS_PAGED: bool = true;
}

impl PagedType<Excerpt> {
    pub const __MCP_TOOL_IS_PAGED: bool = true;
}

impl<T, E> PagedType<Result<Paged<T>, E>> {
    pub const __MCP_TOOL_IS_PAGED: bool = true;
}

impl<E> PagedType<Result<Excerpt, E>> {
    pub const __MCP_TOOL_IS_PAGED: bool = true;
}

pub trait ProbeNoPages {
    const __MCP_TOOL_IS_PAGED: bool = false;
}

impl<T> ProbeNoPages for PagedType<T> {}
