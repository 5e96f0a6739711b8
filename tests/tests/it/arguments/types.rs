//! What a type refuses where the schema permits everything: the message says in the words of JSON what the type expects.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::num::NonZeroU8;

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Dispatcher, Output, ToolError, ToolHandler, ToolMetadata, mcp,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::run;

/// A tool that reads its argument `v` as a `T`, and whose schema permits everything.
struct Reads<T>(PhantomData<fn() -> T>);

#[derive(Deserialize)]
struct Argument<T> {
    v: T,
}

impl<T: DeserializeOwned + Send + 'static> ToolHandler for Reads<T> {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("t", "Written by hand.", json!({ "type": "object" }))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            drop(arguments.deserialize::<Argument<T>>()?.v);
            Output::value(true)
        })
    }
}

fn reading<T: DeserializeOwned + Send + 'static>() -> Dispatcher {
    run::built(run::exact().tool(Reads::<T>(PhantomData)))
}

/// Returns what the message says about the argument.
fn refused<T: DeserializeOwned + Send + 'static>(value: &Value) -> String {
    let text = run::message(&reading::<T>(), "t", json!({ "v": value }));
    text.strip_prefix("invalid arguments: v").unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[derive(Deserialize)]
struct Point {
    #[serde(rename = "x")]
    _x: u8,
    #[serde(default, rename = "y")]
    _y: Option<u8>,
}

#[derive(Deserialize)]
struct Pair(#[allow(dead_code, reason = "only read")] u8, #[allow(dead_code, reason = "only read")] u8);

#[derive(Deserialize)]
struct Unit;

#[derive(Deserialize)]
enum Shape {
    Round { _radius: u8 },
    Wide(#[allow(dead_code, reason = "only read")] u8, #[allow(dead_code, reason = "only read")] u8),
}

#[derive(Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    One,
}

#[test]
fn i1_a_number_outside_of_a_type_is_told_its_range() {
    let half = &json!(1.5);
    assert_eq!(refused::<u8>(half), ": expected an integer from 0 to 255, got a number");
    assert_eq!(refused::<u16>(half), ": expected an integer from 0 to 65535, got a number");
    assert_eq!(refused::<u32>(half), ": expected an integer from 0 to 4294967295, got a number");
    assert_eq!(refused::<u64>(half), ": expected an integer from 0 to 2^64-1, got a number");
    assert_eq!(refused::<usize>(half), ": expected an integer from 0 to 2^64-1, got a number");
    assert_eq!(refused::<u128>(half), ": expected an integer of 0 or more, got a number");
    assert_eq!(refused::<i8>(half), ": expected an integer from -128 to 127, got a number");
    assert_eq!(refused::<i16>(half), ": expected an integer from -32768 to 32767, got a number");
    assert_eq!(refused::<i32>(half), ": expected an integer from -2147483648 to 2147483647, got a number");
    assert_eq!(refused::<i64>(half), ": expected an integer from -2^63 to 2^63-1, got a number");
    assert_eq!(refused::<isize>(half), ": expected an integer from -2^63 to 2^63-1, got a number");
    assert_eq!(refused::<i128>(half), ": expected an integer, got a number");
    assert_eq!(refused::<u8>(&json!(256)), ": expected an integer from 0 to 255, got another integer");
    assert_eq!(refused::<u8>(&json!(-1)), ": expected an integer from 0 to 255, got another integer");
    assert_eq!(refused::<NonZeroU8>(&json!(0)), ": expected a number other than 0, got another integer");
}

#[test]
fn i1_a_value_of_another_type_is_told_both_types() {
    assert_eq!(refused::<f64>(&json!("1")), ": expected a number, got a string");
    assert_eq!(refused::<Vec<f32>>(&json!([null])), "[0]: expected a number, got null");
    assert_eq!(refused::<bool>(&json!(1)), ": expected a boolean, got an integer");
    assert_eq!(refused::<String>(&json!(-1)), ": expected a string, got an integer");
    assert_eq!(refused::<char>(&json!("ab")), ": expected a string of one character, got another string");
    assert_eq!(refused::<char>(&json!(true)), ": expected a string of one character, got a boolean");
    assert_eq!(refused::<()>(&json!(1.5)), ": expected null, got a number");
    assert_eq!(refused::<Unit>(&json!([])), ": expected null, got an array");
    assert_eq!(refused::<Vec<u8>>(&json!({})), ": expected an array, got an object");
    assert_eq!(refused::<BTreeMap<String, u8>>(&json!([])), ": expected an object, got an array");
    assert_eq!(refused::<Point>(&json!("1")), ": expected an object, got a string");
    assert_eq!(refused::<Tagged>(&json!(1)), ": expected one of the published variants, got an integer");
    assert_eq!(refused::<Shape>(&json!({ "Round": 1 })), ".Round: expected an object, got an integer");
    assert!(run::call(&reading::<Tagged>(), "t", json!({ "v": { "kind": "One" } })).error().is_none());
}

#[test]
fn i1_an_array_of_another_length_is_told_so() {
    let short = ": expected an array of the right length, got 1 elements";
    assert_eq!(refused::<Pair>(&json!([1])), short);
    assert_eq!(refused::<[u8; 3]>(&json!([1])), short);
    assert_eq!(refused::<Shape>(&json!({ "Wide": [1] })), format!(".Wide{short}"));
    assert_eq!(refused::<Pair>(&json!([1, 2, 3])), ": expected fewer elements, got 3 elements");
    assert_eq!(refused::<Pair>(&json!(true)), ": expected an array of the right length, got a boolean");
}

#[test]
fn i1_an_unknown_variant_is_told_the_known_ones() {
    let expected = r#": expected one of "Round", "Wide", got another string"#;
    let text = refused::<Shape>(&json!("Square"));
    assert!(text.ends_with(expected), "{text}");
    let text = refused::<Tagged>(&json!({ "kind": "Two" }));
    assert!(text.ends_with(r#": expected "One", got another string"#), "{text}");
}
