//! The published schema is what the dispatcher enforces (rule T17), tested with edge values.

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{call, input, message, serve, value};

/// A number that is even.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "i64", into = "i64")]
struct Even(i64);

impl TryFrom<i64> for Even {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number % 2 == 0 { Ok(Self(number)) } else { Err(format!("{number} is odd")) }
    }
}

impl Clone for Even {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl From<Even> for i64 {
    fn from(even: Even) -> Self {
        even.0
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Mixed {
    Nothing,
    Number(i8),
    Pair { a: bool, b: Option<bool> },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Loose {
    Number(u8),
    Word(String),
    List(Vec<u8>),
}

/// Take one of each.
#[mcp_tool]
#[allow(clippy::too_many_arguments)]
async fn edges(
    tiny: Option<u8>,
    long: Option<i64>,
    letter: Option<char>,
    mixed: Option<Mixed>,
    loose: Option<Loose>,
    #[serde(default)]
    #[schemars(length(min = 1, max = 3))]
    text: Option<String>,
    #[serde(default)]
    #[schemars(range(min = 0.5, max = 2.5))]
    ratio: Option<f64>,
    flag: Option<bool>,
    pair: Option<(u8, String)>,
) {
    drop((tiny, long, letter, mixed, loose, text, ratio, flag, pair));
}

#[test]
fn t17_the_dispatcher_accepts_exactly_what_the_schema_accepts() {
    let dispatcher = serve(tools![edges]);
    let schema = input(&dispatcher, "edges");
    let published = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
    let candidates = [
        json!(-1),
        json!(0),
        json!(255),
        json!(256),
        json!(0.5),
        json!(2.5),
        json!(2.6),
        json!(3.0),
        json!(-128),
        json!(-129),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("abcd"),
        json!("é"),
        json!("nothing"),
        json!("number"),
        json!({"number": 7}),
        json!({"number": 128}),
        json!({"pair": {"a": true}}),
        json!({"pair": {"b": true}}),
        json!({"number": 1, "pair": {"a": true}}),
        json!({}),
        json!([]),
        json!([1, 2]),
        json!([1, "a"]),
        json!([256]),
        json!(["a"]),
        json!([1, "a", 2]),
        json!(true),
        json!("true"),
    ];
    let names: Vec<_> = schema["properties"].as_object().expect("properties").keys().cloned().collect();
    let mut accepted = 0;
    for name in &names {
        for candidate in &candidates {
            let arguments = json!({name.as_str(): candidate});
            let is_valid = published.is_valid(&arguments);
            let response = call(&dispatcher, "edges", arguments.clone());
            assert_eq!(response.is_success(), is_valid, "{arguments}: {:?}", response.error());
            accepted += usize::from(is_valid);
        }
    }
    assert!(accepted > names.len(), "{accepted}");
}

#[test]
fn t17_a_type_that_is_stricter_than_its_schema_reports_the_path() {
    #[derive(Deserialize, Serialize, JsonSchema)]
    struct Pairs {
        pairs: Vec<Even>,
    }

    /// Halve.
    #[mcp_tool]
    async fn halve(numbers: Pairs) -> Vec<i64> {
        numbers.pairs.into_iter().map(|Even(number)| number / 2).collect()
    }

    let dispatcher = serve(tools![halve]);
    assert_eq!(value(&dispatcher, "halve", json!({"numbers": {"pairs": [2, 8]}})), json!([1, 4]));
    // The error of the type quotes the value; the message to the model does not.
    assert_eq!(
        message(&dispatcher, "halve", json!({"numbers": {"pairs": [2, 12_347]}})),
        "invalid arguments: numbers.pairs[1]: … is odd"
    );
}

#[test]
fn t17_an_output_that_violates_its_schema_is_an_error() {
    /// A type that can hold values which its schema refuses.
    #[derive(Serialize, JsonSchema)]
    struct Reading {
        #[schemars(range(max = 100))]
        percent: u32,
    }

    /// Measure.
    #[mcp_tool]
    async fn measure(percent: u32) -> Vec<Reading> {
        vec![Reading { percent: 1 }, Reading { percent }]
    }

    let dispatcher = serve(tools![measure]);
    assert_eq!(value(&dispatcher, "measure", json!({"percent": 100}))[1]["percent"], 100);
    assert_eq!(
        message(&dispatcher, "measure", json!({"percent": 10_147})),
        "tool `measure` produced an invalid result: `[1].percent`: expected 100 or less"
    );
}

#[test]
fn t17_integers_beyond_64_bits_are_refused() {
    /// Takes a large number.
    #[mcp_tool]
    async fn large(number: u128) -> String {
        number.to_string()
    }

    let dispatcher = serve(tools![large]);
    assert_eq!(value(&dispatcher, "large", json!({"number": u64::MAX})), json!(u64::MAX.to_string()));
    let huge: Value = serde_json::from_str(r#"{"number": 340282366920938463463374607431768211455}"#).expect("JSON");
    let expected = "invalid arguments:\n- number: expected an integer, got an integer that does not fit in 64 bits\n- numbr: not known; did you mean `number`?";
    let mut more = huge.clone();
    more["numbr"] = json!(-1e300);
    assert_eq!(message(&dispatcher, "large", more.clone()).lines().count(), expected.lines().count());
    assert!(expected.lines().all(|line| message(&dispatcher, "large", more.clone()).contains(line)), "{more}");
    assert_eq!(
        message(&dispatcher, "large", huge),
        "invalid arguments: number: expected an integer, got an integer that does not fit in 64 bits"
    );
}
