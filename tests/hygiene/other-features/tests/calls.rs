//! Numbers and documents in calls, whatever features of `serde_json` and `jsonschema` are turned on.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_tool_runtime::{CallToolRequest, Dispatcher, ProtocolVersion, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    Whole(i64),
    Part(f64),
    Text(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    ratio: f64,
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, Value>,
}

/// Return the arguments.
#[mcp_tool]
async fn echo(
    float: f64,
    single: f32,
    integer: i64,
    large: u64,
    amounts: Vec<Amount>,
    any: Value,
    number: Number,
    flat: Flat,
) -> Value {
    json!({
        "float": float, "single": single, "integer": integer, "large": large, "amounts": amounts, "any": any, "number": number,
        "flat": flat,
    })
}

/// Return numbers.
#[mcp_tool]
async fn numbers() -> Vec<Number> {
    [json!(1.5), json!(1e300), json!(-7), json!(u64::MAX)].iter().filter_map(|value| value.as_number().cloned()).collect()
}

/// Return JSON text.
#[mcp_tool(output = Value)]
async fn raw() -> Box<RawValue> {
    RawValue::from_string(r#"{"a":[1.50,2e2]}"#.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

fn dispatcher() -> Dispatcher {
    Dispatcher::builder().tools(tools![echo, numbers, raw]).build().expect("a dispatcher")
}

const ARGUMENTS: &str = r#"{"float":1.5,"single":0.25,"integer":3.0,"large":18446744073709551615,
    "amounts":[1,2.5,1e2,"3"],"any":{"deep":[1.5,-1e-7]},"number":2.5,"flat":{"ratio":1e2,"other":0.5}}"#;

fn expected() -> Value {
    json!({
        "float": 1.5, "single": 0.25, "integer": 3, "large": u64::MAX, "amounts": [1, 2.5, 100.0, "3"],
        "any": {"deep": [1.5, -1e-7]}, "number": 2.5, "flat": {"ratio": 100.0, "other": 0.5},
    })
}

/// Compares numbers by their value: with `arbitrary_precision`, `1e2` and `100.0` are different numbers.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

#[test]
fn numbers_are_read_from_bytes_and_from_values() {
    let dispatcher = dispatcher();
    let params = format!(r#"{{"name":"echo","arguments":{ARGUMENTS}}}"#);
    let result = now(dispatcher.call_json(params.as_bytes(), ProtocolVersion::LATEST)).expect("a result");
    let result: Value = serde_json::from_slice(&result).expect("JSON");
    assert!(same(&result["structuredContent"], &expected()), "{result}");
    for request in [
        CallToolRequest::new("echo", serde_json::from_str::<Value>(ARGUMENTS).expect("JSON")),
        serde_json::from_str(&format!(r#"{{"tool_id":"echo","input":{ARGUMENTS}}}"#)).expect("a request"),
        serde_json::from_value(json!({"name": "echo", "arguments": expected()})).expect("a request"),
    ] {
        let response = now(dispatcher.call(request)).expect("a response");
        let value: Value = response.deserialize().expect("a value");
        assert!(same(&value, &expected()), "{value}");
    }
}

#[test]
fn a_number_out_of_range_is_refused_in_every_form() {
    let dispatcher = dispatcher();
    for number in ["1e400", "-1e400"] {
        let arguments = ARGUMENTS.replace("-1e-7", number);
        let params = format!(r#"{{"name":"echo","arguments":{arguments}}}"#);
        let result = now(dispatcher.call_json(params.as_bytes(), ProtocolVersion::LATEST)).expect("a result");
        let text = String::from_utf8_lossy(&result).into_owned();
        assert!(text.contains("any.deep[1]: expected a number that fits in 64 bits"), "{text}");
        // Only with `arbitrary_precision` can a value have such a number.
        if let Ok(arguments) = serde_json::from_str::<Value>(&arguments) {
            let response = now(dispatcher.call(CallToolRequest::new("echo", arguments))).expect("a response");
            let message = response.error().expect("an error").message();
            assert!(message.contains("expected a number that fits in 64 bits"), "{message}");
        }
    }
}

#[test]
fn numbers_are_written_and_checked() {
    let dispatcher = dispatcher();
    let response = now(dispatcher.call(CallToolRequest::new("numbers", json!({})))).expect("a response");
    let value: Value = response.deserialize().expect("a value");
    assert!(same(&value, &json!([1.5, 1e300, -7, u64::MAX])), "{value}");
    let response = now(dispatcher.call(CallToolRequest::new("raw", json!({})))).expect("a response");
    assert_eq!(response.value().expect("a value").get(), r#"{"a":[1.50,2e2]}"#);
}
