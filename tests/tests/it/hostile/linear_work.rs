//! Requests that would make a naive search for violations take a long time, or fill an answer. `steps` measures the work.

use std::fmt::Write as _;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::run::{self, LATEST};

/// The longest answer to a bad request, in bytes.
const MAX_ANSWER: usize = 16 * 1_024;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its arguments matter")]
struct Item {
    #[serde(alias = "title")]
    name: String,
    #[serde(default)]
    tags: Vec<String>,
}

/// Take items.
#[mcp_tool]
async fn store(items: Vec<Item>, #[serde(alias = "label")] comment: Option<String>) -> usize {
    items.len() + comment.map_or(0, |comment| comment.len())
}

fn unlimited() -> Dispatcher {
    run::built(run::exact().tools(tools![store, choose]).max_argument_bytes(usize::MAX))
}

/// Calls a tool with the text of its arguments, in the Model Context Protocol and in Open Tool Calling. Returns the text of the error.
fn refused(dispatcher: &Dispatcher, name: &str, arguments: &str) -> String {
    let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
    let result = run::now(dispatcher.call_json(params.as_bytes(), LATEST)).expect("a result");
    assert!(result.len() < MAX_ANSWER, "{} bytes", result.len());
    let result: Value = serde_json::from_slice(&result).expect("JSON");
    assert_eq!(result["isError"], true);
    let request = serde_json::from_str(&format!(r#"{{"tool_id":"{name}","input":{arguments}}}"#)).expect("a request");
    let response = run::send(dispatcher, request);
    assert!(serde_json::to_vec(&response.to_otc()).expect("JSON").len() < MAX_ANSWER);
    assert!(response.error().expect("an error").errors().len() <= 32);
    result["content"][0]["text"].as_str().expect("a text").to_owned()
}

fn list(element: &str, count: usize) -> String {
    format!("[{}]", vec![element; count].join(","))
}

#[test]
fn i4_many_properties_under_two_of_their_names_give_a_short_answer() {
    let items = list(r#"{"name":"a","title":"b"}"#, 30_000);
    let text = refused(&unlimited(), "store", &format!(r#"{{"items":{items}}}"#));
    assert!(text.contains("items[0].title: ") && text.ends_with("\n- and more"), "{text}");
    assert_eq!(text.lines().count(), 1 + 32 + 1, "{text}");
}

#[test]
fn i4_many_unknown_properties_give_a_short_answer() {
    let mut arguments = String::from(r#"{"items":[]"#);
    for n in 0..60_000 {
        let _ = write!(arguments, r#","commen{n}":1"#);
    }
    let text = refused(&unlimited(), "store", &(arguments + "}"));
    assert!(text.contains("commen0: not known; did you mean `comment`?") && text.ends_with("- and more"), "{text}");
    assert_eq!(text.lines().count(), 1 + 32 + 1, "{text}");
}

#[test]
fn i4_an_argument_under_two_of_its_names_is_found_among_many() {
    let mut arguments = String::from(r#"{"items":[],"label":"a""#);
    for n in 0..60_000 {
        let _ = write!(arguments, r#","x{n}":1"#);
    }
    let text = refused(&unlimited(), "store", &(arguments + r#","comment":"b"}"#));
    assert!(text.contains("\n- label: the same argument as `comment`; give one of them"), "{text}");
}

/// One of several shapes.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its arguments matter")]
enum Choice {
    Leaf { value: u8 },
    List(Vec<Choice>),
    Named { choices: Vec<Choice>, note: Option<String> },
}

/// Take a choice.
#[mcp_tool]
async fn choose(choice: Choice) -> bool {
    matches!(choice, Choice::Leaf { .. })
}

#[test]
fn i4_a_violation_below_many_levels_of_a_large_document_is_reported_around_it() {
    let bulk = list(r#"{"value":1}"#, 20_000);
    let deep = |levels: usize, inner: &str| {
        format!(r#"{{"choice":{}{inner}{}}}"#, r#"{"choices":["#.repeat(levels), "]}".repeat(levels))
    };
    // A small document has the whole path.
    let text = refused(&unlimited(), "choose", &deep(40, r#"{"value":true}"#));
    assert!(text.contains(&".choices[0]".repeat(40)) && text.contains("value: expected an integer"), "{text}");
    let text = refused(&unlimited(), "choose", &deep(40, &format!(r#"{bulk},{{"value":true}}"#)));
    assert!(text.starts_with("invalid arguments: choice.choices[0].choices[0]"), "{text}");
    assert!(text.len() < 4_000, "{text}");
}

#[test]
fn i4_long_names_at_every_level_give_a_short_answer() {
    let name = "\\\"\u{202e}".repeat(1_000);
    let name = serde_json::to_string(&name).expect("JSON");
    let nested = (0..100).fold("true".to_owned(), |inner, _| format!(r"{{{name}:{inner}}}"));
    for arguments in [
        format!(r#"{{"items":{nested}}}"#),
        format!("{{{name}:{nested}}}"),
        format!(r#"{{"items":{}}}"#, list(&format!("{{{name}:1}}"), 100)),
        format!(r#"{{"items":[],{name}:1,{name}:2}}"#),
    ] {
        refused(&unlimited(), "store", &arguments);
    }
}

#[test]
fn i1_a_type_that_quotes_its_value_repeats_no_part_of_it() {
    /// A code of digits.
    #[derive(JsonSchema)]
    #[schemars(transparent)]
    struct Code(#[expect(dead_code)] Value);

    impl<'de> Deserialize<'de> for Code {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            use serde::de::Error;
            let value = Value::deserialize(deserializer)?;
            let text = value.to_string();
            let start: String = text.chars().take(40).collect();
            Err(D::Error::custom(format!("{value} starts with {start}\nand is {text:?} or {}", text.to_uppercase())))
        }
    }

    /// Take a code.
    #[mcp_tool]
    async fn unlock(code: Code) -> bool {
        drop(code);
        true
    }
    let dispatcher = run::built(run::exact().tools(tools![unlock]).max_argument_bytes(usize::MAX));
    let secret = "hunter2-correct-horse-battery";
    let many: Vec<_> = (0..70).map(|n| format!("{secret}-{n}")).collect();
    let long = secret.repeat(30_000);
    for code in [json!(secret), json!(many), json!(long), json!({"a": [secret], "b": {"c": many}}), json!([long, many])]
    {
        let text = refused(&dispatcher, "unlock", &json!({"code": code}).to_string());
        let text = text.to_lowercase();
        for part in ["hunter2-corr", "correct-hors", "battery-6", "orse-batter"] {
            assert!(!text.contains(part), "{text}");
        }
        assert!(text.contains("…") || text.contains("refused by a check of its type"), "{text}");
    }
}
