//! Telling types apart by what they can do, never by how they are spelt.
//!
//! Each question is a method with a reserved name, on a type that stands for the one in question. The method is
//! implemented for `&&Probe`, `&Probe` and `Probe` under weaker and weaker conditions; a call through enough
//! references finds the strongest that holds. The last one holds for every type, and brings the error in our words.
//!
//! Methods without a reserved name are inherent and take `self`: nothing is looked at before those, so that no trait of
//! the author's for all types can stand in for them.

use std::collections::{BTreeMap, HashMap};

use super::{
    Arguments, Deref, DeserializeOwned, Display, FailureOfTool, IntoToolError, JsonSchema, Output, PhantomData, Schema,
    SchemaGenerator, SentOutput, Serialize, StructuredOutput, ToolError, ToolOutput,
};

/// Types that stand for another, and are nothing themselves.
macro_rules! stand_ins {
    ($($(#[$attr:meta])* $name:ident<$($ty:ident),+>)+) => {$(
        $(#[$attr])*
        pub struct $name<$($ty),+>(PhantomData<fn() -> ($($ty,)+)>);

        impl<$($ty),+> Clone for $name<$($ty),+> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($ty),+> Copy for $name<$($ty),+> {}
    )+};
}

stand_ins! {
    /// What a function returns.
    Returned<R>
    /// A `Result`, under whatever name.
    Fallible<T, E>
    /// Any other type.
    Plain<T>
    /// The value of a success.
    Success<T>
    Own<T>
    Structured<T>
    /// A value of type `V` without a schema, because of the `T` in it.
    Undescribed<T, V>
    /// A value of type `V` that cannot be a result because of the `T` in it.
    NoOutput<T, V>
    /// The error of a failure.
    Failure<E>
    AuthorsError<E>
    StandardError<E>
    PointerToError<E>
    DisplayError<E>
    NoError<E>
    /// The arguments of a tool, as one type.
    Decoded<A>
}

impl<R> Returned<R> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    pub const fn of(_: &R) -> Self {
        Self(PhantomData)
    }
}

impl<T, E> Returned<Result<T, E>> {
    pub const fn __mcp_tool_split(self) -> Fallible<T, E> {
        Fallible(PhantomData)
    }
}

pub trait PlainReturn<T>: Sized {
    fn __mcp_tool_split(self) -> Plain<T> {
        Plain(PhantomData)
    }
}

impl<T> PlainReturn<T> for Returned<T> {}

impl<T, E> Fallible<T, E> {
    pub const fn success(self) -> Success<T> {
        Success(PhantomData)
    }

    pub const fn failure(self) -> Failure<E> {
        Failure(PhantomData)
    }

    pub fn take(self, returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}

impl<T> Plain<T> {
    pub const fn success(self) -> Success<T> {
        Success(PhantomData)
    }

    pub const fn failure(self) -> Failure<Never> {
        Failure(PhantomData)
    }

    pub fn take(self, returned: T) -> Result<T, Never> {
        Ok(returned)
    }
}

/// The error of a function that has none.
pub enum Never {}

impl IntoToolError for Never {
    fn into_tool_error(self) -> ToolError {
        match self {}
    }
}

pub trait OwnOutput<T> {
    fn __mcp_tool_output(&self) -> Own<T> {
        Own(PhantomData)
    }
}

impl<T: ToolOutput> OwnOutput<T> for &&&&&Success<T> {}

pub trait SerializedOutput<T> {
    fn __mcp_tool_output(&self) -> Structured<T> {
        Structured(PhantomData)
    }
}

impl<T: Serialize + JsonSchema> SerializedOutput<T> for &&&&Success<T> {}

// A type without a schema of its own is a result when the attribute names another schema, or none.
pub trait ValueOutput<T> {
    fn __mcp_tool_output(&self) -> Undescribed<T, T> {
        Undescribed(PhantomData)
    }
}

impl<T: Serialize> ValueOutput<T> for &&Success<T> {}

// What a container lacks, its elements lack.
pub trait ElementOutput<T, V> {
    fn __mcp_tool_output(&self) -> Undescribed<T, V> {
        Undescribed(PhantomData)
    }
}

pub trait MissingElement<T, V> {
    fn __mcp_tool_output(&self) -> NoOutput<T, V> {
        NoOutput(PhantomData)
    }
}

macro_rules! containers {
    ($([$($parameter:ident),*] $container:ty)+) => {$(
        impl<$($parameter),*> ElementOutput<T, $container> for &&&Success<$container> where $container: Serialize {}

        impl<$($parameter),*> MissingElement<T, $container> for &Success<$container> {}
    )+};
}

containers! {
    [T] Option<T>
    [T] Vec<T>
    [T] Box<T>
    [T, S] HashMap<String, T, S>
    [T] BTreeMap<String, T>
}

pub trait MissingOutput<T> {
    fn __mcp_tool_output(&self) -> NoOutput<T, T> {
        NoOutput(PhantomData)
    }
}

impl<T> MissingOutput<T> for Success<T> {}

impl<T: ToolOutput> Own<T> {
    pub fn check(self) {}

    pub fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        T::schema(generator)
    }

    pub fn output(self, value: T) -> Result<Output, ToolError> {
        value.into_output()
    }
}

impl<T: Serialize + JsonSchema> Structured<T> {
    pub fn check(self) {}

    pub fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    pub fn output(self, value: T) -> Result<Output, ToolError> {
        Output::value(value)
    }
}

impl<T, V: Serialize> Undescribed<T, V> {
    pub fn check(self) {}

    pub fn schema(self, _: &mut SchemaGenerator) -> Option<Schema>
    where
        T: StructuredOutput,
    {
        None
    }

    pub fn output(self, value: V) -> Result<Output, ToolError> {
        Output::value(value)
    }
}

impl<T, V> NoOutput<T, V> {
    pub fn check(self)
    where
        T: SentOutput,
    {
    }

    pub fn schema(self, _: &mut SchemaGenerator) -> Option<Schema>
    where
        T: StructuredOutput,
    {
        None
    }

    pub fn output(self, _: V) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

pub trait ErrorForModels<E> {
    fn __mcp_tool_error(&self) -> AuthorsError<E> {
        AuthorsError(PhantomData)
    }
}

impl<E: IntoToolError> ErrorForModels<E> for &&&&Failure<E> {}

pub trait ErrorOfStd<E> {
    fn __mcp_tool_error(&self) -> StandardError<E> {
        StandardError(PhantomData)
    }
}

impl<E: std::error::Error> ErrorOfStd<E> for &&&Failure<E> {}

pub trait ErrorBehindPointer<E> {
    fn __mcp_tool_error(&self) -> PointerToError<E> {
        PointerToError(PhantomData)
    }
}

// `anyhow::Error` and `Box<dyn Error>` are no errors themselves; they lead to one.
impl<E> ErrorBehindPointer<E> for &&Failure<E>
where
    E: Display + Deref,
    E::Target: AsStdError,
{
}

pub trait ErrorOfWords<E> {
    fn __mcp_tool_error(&self) -> DisplayError<E> {
        DisplayError(PhantomData)
    }
}

impl<E: Display> ErrorOfWords<E> for &Failure<E> {}

pub trait MissingError<E> {
    fn __mcp_tool_error(&self) -> NoError<E> {
        NoError(PhantomData)
    }
}

impl<E> MissingError<E> for Failure<E> {}

/// A target that is an error, a trait object or not.
pub trait AsStdError {
    fn chain(&self) -> String;
}

macro_rules! trait_objects {
    ($($object:ty)+) => {$(
        impl AsStdError for $object {
            fn chain(&self) -> String {
                crate::tool::error::chain(self)
            }
        }
    )+};
}

trait_objects! {
    dyn std::error::Error
    dyn std::error::Error + Send
    dyn std::error::Error + Send + Sync
}

fn shown_or_masked(shown: &dyn Display, chain: String, expose: bool) -> ToolError {
    if expose { ToolError::new(shown.to_string()).with_developer_message(chain) } else { ToolError::masked(chain) }
}

impl<E: IntoToolError> AuthorsError<E> {
    pub fn check(self) {}

    pub fn error(self, error: E, _: bool) -> ToolError {
        error.into_tool_error()
    }
}

impl<E: std::error::Error> StandardError<E> {
    pub fn check(self) {}

    pub fn error(self, error: E, expose: bool) -> ToolError {
        shown_or_masked(&error, crate::tool::error::chain(&error), expose)
    }
}

impl<E> PointerToError<E>
where
    E: Display + Deref,
    E::Target: AsStdError,
{
    pub fn check(self) {}

    pub fn error(self, error: E, expose: bool) -> ToolError {
        shown_or_masked(&error, error.chain(), expose)
    }
}

impl<E: Display> DisplayError<E> {
    pub fn check(self) {}

    pub fn error(self, error: E, expose: bool) -> ToolError {
        shown_or_masked(&error, error.to_string(), expose)
    }
}

impl<E> NoError<E> {
    pub fn check(self)
    where
        E: FailureOfTool,
    {
    }

    pub fn error(self, _: E, _: bool) -> ToolError {
        ToolError::masked(String::new())
    }
}

impl<A> Decoded<A> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

pub trait DecodedArguments<A> {
    fn __mcp_tool_decode(&self, arguments: &Arguments<'_>) -> Result<A, ToolError>;
    fn __mcp_tool_schema(&self, generator: &mut SchemaGenerator) -> Schema;
}

impl<A: DeserializeOwned + JsonSchema> DecodedArguments<A> for &Decoded<A> {
    fn __mcp_tool_decode(&self, arguments: &Arguments<'_>) -> Result<A, ToolError> {
        arguments.deserialize()
    }

    fn __mcp_tool_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        A::json_schema(generator)
    }
}

/// Some argument's type is at fault, and an error at that argument says so. Were there none, nothing may be built.
pub trait UndecodedArguments<A> {
    /// Of each implementation its own, so that it is reached only where the trait is used.
    const __MCP_TOOL_REFUSED: () = panic!("the arguments of this tool can be neither read nor described");

    fn __mcp_tool_decode(&self, _: &Arguments<'_>) -> Result<A, ToolError> {
        let () = Self::__MCP_TOOL_REFUSED;
        unreachable!()
    }

    fn __mcp_tool_schema(&self, _: &mut SchemaGenerator) -> Schema {
        let () = Self::__MCP_TOOL_REFUSED;
        unreachable!()
    }
}

impl<A> UndecodedArguments<A> for Decoded<A> {}
