//! The traits that the type of an argument must implement, and the parts of the schema that do not come from the type:
//! whether the argument is required, its default, its header and its examples.
//!
//! Generated code requires each trait in one place only, so that a type that does not implement the trait causes only
//! one compile error. For a container, such as `Option<Vec<T>>`, method resolution finds the type to name in the error,
//! as in [`returned`](super::returned).

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::Value;

use super::{DeserializeOwned, JsonSchema, PhantomData, Schema};
use crate::arguments::parameters::is_newtype_of_option;
use crate::schema::{HEADER, remove_required};

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "help: a type parameter: write the bounds `T: serde::de::DeserializeOwned + schemars::JsonSchema`; a type of std: use another, such as `String` for `Arc<str>`",
    note = "help: a type of another crate: turn on its feature `serde`, and for its schema a feature of `schemars`: `chrono04`, `jiff02`, `uuid1`, `url2`, `rust_decimal1`, …: the module `mcp_tool_runtime::schemas` lists them",
    note = "help: a parameter that no client sends needs `#[mcp_tool(context)]`, `#[mcp_tool(state)]`, `#[mcp_tool(extension)]` or `#[mcp_tool(ask = …)]`"
)]
pub trait ToolArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {}

/// The type of a parameter without the key `ask`, if the type is spelt `Consent` or `Answer`. This library has types
/// with these names for users' answers, so the compile error suggests the key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "an answer of the user needs the key `ask`",
    note = "help: write `#[mcp_tool(ask = \"…\")]` before the parameter, with the question that the user is asked",
    note = "help: a type that the client sends: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it"
)]
pub trait UnaskedArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> UnaskedArgument for T {}

/// The type of a parameter, if the type is spelt `Nullable`. This library has a type of this name for fields, so the
/// compile error says what a parameter needs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "`Nullable` is for the key `with` of a field, and a parameter does not need it",
    note = "help: write `Option<Option<T>>`: `None` without the argument, `Some(None)` for `null`",
    note = "help: a type of your own: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it"
)]
pub trait NullableArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> NullableArgument for T {}

/// A type that an argument can have if a key of `#[schemars]` sets the schema of the argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize)]` above it; a type of another crate: turn on its feature `serde`, or name a function with `#[serde(deserialize_with = \"…\")]`"
)]
pub trait ReadArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> ReadArgument for T {}

/// A probe that finds out whether `T` is an `Option`: the inherent items below take precedence over the items of
/// [`ProbeRequired`] with the same names.
pub struct ArgumentType<T>(PhantomData<fn() -> T>);

impl<T> ArgumentType<Option<T>> {
    pub const __MCP_TOOL_IS_OPTION: bool = true;

    /// Returns `true` if `null` means something other than an absent argument, because the default is not `None`.
    #[expect(clippy::needless_pass_by_value, reason = "the other one takes a value that is no `Option`")]
    pub fn __mcp_tool_tells_null(default: Option<T>) -> bool {
        default.is_some()
    }
}

pub trait ProbeRequired<T> {
    const __MCP_TOOL_IS_OPTION: bool = false;

    fn __mcp_tool_tells_null(_: T) -> bool
    where
        T: DeserializeOwned,
    {
        !is_newtype_of_option::<T>()
    }
}

impl<T> ProbeRequired<T> for ArgumentType<T> {}

/// The type `T` of a parameter `&T`. The call owns an `Owned`, and the function borrows a `T` from it.
pub trait BorrowedArgument {
    type Owned: Borrow<Self>;

    fn borrow(owned: &Self::Owned) -> &Self {
        owned.borrow()
    }
}

impl<T> BorrowedArgument for T {
    type Owned = T;
}

impl<T> BorrowedArgument for [T] {
    type Owned = Vec<T>;
}

impl BorrowedArgument for str {
    type Owned = String;
}

impl BorrowedArgument for std::path::Path {
    type Owned = std::path::PathBuf;
}

/// Borrows the argument of a parameter `Option<&T>`.
pub fn borrow_option<T: BorrowedArgument + ?Sized>(owned: &Option<T::Owned>) -> Option<&T> {
    owned.as_ref().map(T::borrow)
}

/// A probe that finds the type that does not work as an argument: `T` itself, or an element of `T`.
pub struct ProbedArgument<T>(PhantomData<fn() -> T>);

/// The type that the compile error names, or `()` if the probed type works as an argument.
pub struct OffendingType<T>(PhantomData<fn() -> T>);

impl<T> ProbedArgument<T> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    pub fn check(&self)
    where
        T: ToolArgument,
    {
    }
}

impl<T> OffendingType<T> {
    pub fn __mcp_tool_offending_type(&self) -> Self {
        Self(PhantomData)
    }

    pub fn check(&self)
    where
        T: ToolArgument,
    {
    }
}

pub trait ProbeValidArgument {
    fn __mcp_tool_offending_type(&self) -> OffendingType<()> {
        OffendingType(PhantomData)
    }
}

impl<T: DeserializeOwned + JsonSchema> ProbeValidArgument for &&ProbedArgument<T> {}

pub trait ProbeElementArgument<T> {
    fn __mcp_tool_offending_type(&self) -> ProbedArgument<T> {
        ProbedArgument::new()
    }
}

impl<T> ProbeElementArgument<T> for &ProbedArgument<Option<T>> {}

impl<T> ProbeElementArgument<T> for &ProbedArgument<Vec<T>> {}

impl<T> ProbeElementArgument<T> for &ProbedArgument<Box<T>> {}

impl<T, S> ProbeElementArgument<T> for &ProbedArgument<HashMap<String, T, S>> {}

impl<T> ProbeElementArgument<T> for &ProbedArgument<BTreeMap<String, T>> {}

pub trait ProbeOffendingArgument<T> {
    fn __mcp_tool_offending_type(&self) -> OffendingType<T> {
        OffendingType(PhantomData)
    }
}

impl<T> ProbeOffendingArgument<T> for ProbedArgument<T> {}

/// A type whose default can stand for an absent argument.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{Self}` has no default",
    label = "does not implement `Default`",
    note = "help: derive `Default` for it, or write `#[serde(default = \"function\")]`"
)]
pub trait DefaultArgument {
    fn default_argument() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultArgument for T {
    fn default_argument() -> Self {
        Self::default()
    }
}

/// A parameter type for which the default can be a string literal.
#[diagnostic::on_unimplemented(
    message = "the default is a string literal, and `{Self}` cannot be created from one",
    label = "does not implement `From<&str>`",
    note = "help: write a value of the parameter's type"
)]
pub trait FromText {
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> T {
        T::from(text)
    }
}

/// A parameter type for which the default can have the type `D`: `D` itself, or an `Option<D>`.
#[diagnostic::on_unimplemented(
    message = "the default is of type `{D}`, the parameter of type `{Self}`",
    label = "not of the parameter's type",
    note = "help: write a value of the parameter's type, or of the type in its `Option`"
)]
pub trait FromDefault<D> {
    fn from_default(default: D) -> Self;
}

impl<T> FromDefault<T> for T {
    fn from_default(default: T) -> T {
        default
    }
}

impl<T> FromDefault<T> for Option<T> {
    fn from_default(default: T) -> Option<T> {
        Some(default)
    }
}

/// A probe that converts a default of type `T` into JSON if `T` implements `Serialize`. Method resolution finds out
/// whether it does, as in the module `returned`.
pub struct DefaultOf<T>(PhantomData<fn() -> T>);

impl<T> DefaultOf<T> {
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

pub trait ProbeSerializableDefault<T> {
    fn __mcp_tool_default_json(&self, default: &T) -> Option<Value>;
}

impl<T: Serialize> ProbeSerializableDefault<T> for &DefaultOf<T> {
    fn __mcp_tool_default_json(&self, default: &T) -> Option<Value> {
        serde_json::to_value(default).ok()
    }
}

pub trait ProbeUnserializableDefault<T> {
    fn __mcp_tool_default_json(&self, _: &T) -> Option<Value> {
        None
    }
}

impl<T> ProbeUnserializableDefault<T> for DefaultOf<T> {}

/// Publishes the default of an argument, unless it is `null`, which only says that the argument may be absent.
pub fn set_default(schema: &mut Schema, property: &str, default: Option<Value>) {
    if let (Some(property), Some(default)) =
        (property_of(schema, property), default.filter(|default| !default.is_null()))
    {
        property.insert("default".to_owned(), default);
    }
}

/// Sets the name of the header in which clients also send an argument.
pub fn set_header(schema: &mut Schema, property: &str, header: &str) {
    if let Some(property) = property_of(schema, property) {
        property.insert(HEADER.to_owned(), header.into());
    }
}

/// Returns the schema of a property as an object, so that keywords can be added. If the schema is `true`, replaces it
/// with an empty object first.
fn property_of<'s>(schema: &'s mut Schema, name: &str) -> Option<&'s mut serde_json::Map<String, Value>> {
    let property = schema.get_mut("properties")?.get_mut(name)?;
    if *property == Value::Bool(true) {
        *property = Value::Object(serde_json::Map::new());
    }
    property.as_object_mut()
}

/// A value that can be an example in a schema.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be an example",
    label = "does not implement `Serialize`",
    note = "help: write `#[derive(serde::Serialize)]` above the type, or write the example with `serde_json::json!`"
)]
pub trait ExampleValue {
    fn into_json(self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<E: Serialize> ExampleValue for E {
    /// A value that cannot be written as JSON becomes `null`, which `build` reports.
    fn into_json(self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

pub fn example<E: ExampleValue>(example: E) -> Value {
    example.into_json()
}

/// Adds an example of one argument.
pub fn add_example(schema: &mut Schema, property: &str, example: Value) {
    if let Some(property) = property_of(schema, property)
        && let Some(examples) = property.entry("examples").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
    {
        examples.push(example);
    }
}

/// Adds an example of a whole call. If a value without a name is an object, its properties are arguments. Any other
/// value without a name is left out.
pub fn add_example_call<const N: usize>(schema: &mut Schema, arguments: [(Option<&str>, Value); N]) {
    let mut call = serde_json::Map::new();
    for argument in arguments {
        match argument {
            (Some(name), value) => _ = call.insert(name.to_owned(), value),
            (None, Value::Object(properties)) => call.extend(properties),
            (None, _) => {}
        }
    }
    let examples = schema.ensure_object().entry("examples").or_insert_with(|| Value::Array(Vec::new()));
    if let Some(examples) = examples.as_array_mut() {
        examples.push(call.into());
    }
}

/// Removes a property from `required` if it is optional.
pub fn set_optional(schema: &mut Schema, property: &str, is_optional: bool) {
    if is_optional {
        remove_required(schema.ensure_object(), property);
    }
}

/// Marks whether `null` for an optional argument means something other than leaving the argument out. If it does, the
/// published schema still allows `null`.
pub fn set_own_null(schema: &mut Schema, property: &str, tells_null: bool) {
    if let Some(property) = schema.get_mut("properties").and_then(|all| all.get_mut(property)) {
        crate::schema::normalise::mark_own_null(property, tells_null);
    }
}

/// Removes `writeOnly`, which schemars sets for `skip_serializing`. The macro adds `skip_serializing` to the parameter,
/// so that schemars does not try to publish the default.
pub fn remove_write_only(schema: &mut Schema, property: &str) {
    let property = schema.get_mut("properties").and_then(|properties| properties.get_mut(property));
    if let Some(property) = property.and_then(Value::as_object_mut) {
        property.shift_remove("writeOnly");
    }
}
