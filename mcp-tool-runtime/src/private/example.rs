//! Examples of arguments: their JSON, and the compile error for an example that is not of the parameter's type.
//!
//! The compiler checks an example if the types of both the example and the parameter are written as one known kind of JSON. Method
//! resolution decides, as in [`probe`](super::probe). The example of any other type is compared with the published schema by `build`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::PhantomData;

/// A type that serde writes as one kind of JSON.
pub trait JsonKind {
    type Kind;
}

pub struct Boolean;
pub struct Integer;
pub struct Number;
pub struct Text;
pub struct List;
pub struct Object;

macro_rules! kinds {
    ($($kind:ident: $([$($parameter:tt)*] $ty:ty),+;)+) => {$($(
        impl<$($parameter)*> JsonKind for $ty {
            type Kind = $kind;
        }
    )+)+};
}

kinds! {
    Boolean: [] bool;
    Integer: [] u8, [] u16, [] u32, [] u64, [] u128, [] usize, [] i8, [] i16, [] i32, [] i64, [] i128, [] isize;
    Number: [] f32, [] f64;
    Text: [] str, [] String, [] char, [] Path, [] PathBuf;
    List: [T] [T], [T, const N: usize] [T; N], [T] Vec<T>, [T] VecDeque<T>, [T] BTreeSet<T>, [T, S] HashSet<T, S>;
    Object: [K, V, S] HashMap<K, V, S>, [K, V] BTreeMap<K, V>, [] serde_json::Map<String, Value>;
}

macro_rules! transparent {
    ($($ty:ty)+) => {$(
        impl<T: JsonKind + ?Sized> JsonKind for $ty {
            type Kind = T::Kind;
        }
    )+};
}

transparent!(&T Box<T> Arc<T>);

impl<T: JsonKind> JsonKind for Option<T> {
    type Kind = T::Kind;
}

impl<T: JsonKind + ToOwned + ?Sized> JsonKind for Cow<'_, T> {
    type Kind = T::Kind;
}

/// A kind of JSON that is valid where another kind is expected.
pub trait FitsIn<Kind> {}

macro_rules! fits {
    ($($kind:ident in $expected:ident)+) => {$(impl FitsIn<$expected> for $kind {})+};
}

fits! {
    Boolean in Boolean
    Integer in Integer
    Integer in Number
    Number in Number
    Text in Text
    List in List
    Object in Object
}

/// A value that can be an example of an argument of type `P`.
#[diagnostic::on_unimplemented(
    message = "the example is of type `{Self}`, the parameter of type `{P}`",
    label = "not of the parameter's type",
    note = "help: write a value that a client could send for the parameter"
)]
pub trait ExampleOf<P> {
    fn json(&self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<P: JsonKind, E: Serialize + JsonKind<Kind: FitsIn<P::Kind>>> ExampleOf<P> for E {
    fn json(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

/// A value that can be written into a schema.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be an example",
    label = "does not implement `Serialize`",
    note = "help: write `#[derive(serde::Serialize)]` above the type, or write the example with `serde_json::json!`"
)]
pub trait WrittenExample {
    fn json(&self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<E: Serialize> WrittenExample for E {
    fn json(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

/// An example of type `E` of a parameter of type `P`.
pub struct Example<P, E>(PhantomData<fn() -> (P, E)>);

/// The type of a parameter that accepts every example.
pub struct AnyType;

/// An example of a known kind of JSON, of a parameter of a known kind.
pub struct KnownExample<P, E>(PhantomData<fn() -> (P, E)>);

/// Any other example.
pub struct UnknownExample<E>(PhantomData<fn() -> E>);

impl<P, E> Example<P, E> {
    pub const fn of(_: &E) -> Self {
        Self(PhantomData)
    }
}

pub trait ProbeKnownExample<P, E> {
    fn __mcp_tool_example(&self) -> KnownExample<P, E> {
        KnownExample(PhantomData)
    }
}

impl<P: JsonKind, E: JsonKind> ProbeKnownExample<P, E> for &Example<P, E> {}

pub trait ProbeUnknownExample<E> {
    fn __mcp_tool_example(&self) -> UnknownExample<E> {
        UnknownExample(PhantomData)
    }
}

impl<P, E> ProbeUnknownExample<E> for Example<P, E> {}

impl<P, E> KnownExample<P, E> {
    pub fn json(self, example: &E) -> Option<Value>
    where
        E: ExampleOf<P>,
    {
        example.json()
    }
}

impl<E> UnknownExample<E> {
    pub fn json(self, example: &E) -> Option<Value>
    where
        E: WrittenExample,
    {
        example.json()
    }
}
