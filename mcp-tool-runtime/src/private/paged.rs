//! The codecs of results that are sent in pages.

use super::{
    BorrowAs, JsonSchema, Output, PhantomData, Schema, SchemaGenerator, Serialize, Success, SuccessCodec, TextOfResult,
    ToolError, type_name,
};
use crate::output::value::CONTENT;
use crate::paging::page;
use crate::paging::paged::{self, Cutting};
use crate::{Cursor, Excerpt, Paged};

type_markers! {
    /// A list whose items can be sent.
    PagedList<T>
    /// A list whose items cannot be sent.
    UnsupportedList<T>
    /// An `Excerpt`.
    PagedText<T>
}

pub trait ProbePagedList<T> {
    fn __mcp_tool_output(&self) -> PagedList<T> {
        PagedList(PhantomData)
    }
}

impl<T: Serialize + JsonSchema + Send + 'static> ProbePagedList<T> for &&&&&Success<Paged<T>> {}

pub trait ProbeUnsupportedList<T> {
    fn __mcp_tool_output(&self) -> UnsupportedList<T> {
        UnsupportedList(PhantomData)
    }
}

impl<T> ProbeUnsupportedList<T> for &Success<Paged<T>> {}

pub trait ProbePagedText {
    fn __mcp_tool_output(&self) -> PagedText<Excerpt> {
        PagedText(PhantomData)
    }
}

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

// Never runs, because `check` or `with_description` does not compile. Without a bound here, that is the only error.
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

/// Tells a `Cursor` from other parameters: an inherent constant takes precedence over one of a trait.
pub struct CursorType<T>(PhantomData<fn() -> T>);

impl<K> CursorType<Cursor<K>> {
    pub const __MCP_TOOL_IS_CURSOR: bool = true;
}

pub trait ProbeNoCursor {
    const __MCP_TOOL_IS_CURSOR: bool = false;
}

impl<T> ProbeNoCursor for CursorType<T> {}

/// Tells a return type that is sent in pages from others, in the same way.
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
