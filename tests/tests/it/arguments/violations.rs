//! Checks of arguments, and the messages that a model gets about them (section 5).

use std::collections::BTreeMap;

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{call, error, lines, message, serve, value};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Filter {
    #[schemars(range(min = 1, max = 10))]
    limit: u32,
    tags: Vec<String>,
}

/// Search.
#[mcp_tool]
async fn search(
    #[schemars(length(min = 1))] location: String,
    units: Unit,
    filter: Filter,
    #[serde(default)] day: i8,
) -> Value {
    json!({"location": location, "units": units, "filter": filter, "day": day})
}

fn good() -> Value {
    json!({"location": "Paris", "units": "celsius", "filter": {"limit": 1, "tags": ["a"]}})
}

#[test]
fn i1_all_violations_are_reported_at_once_with_their_paths() {
    let arguments = json!({
        "location": "",
        "units": "confidential-kelvin",
        "filter": {"limit": 987_654, "tags": ["x", 31_337, null]},
        "day": 999,
        "loction": "confidential-place"
    });
    assert_eq!(
        lines(&serve(tools![search]), "search", arguments),
        [
            "- day: expected 127 or less",
            "- filter.limit: expected 10 or less",
            "- filter.tags[1]: expected a string, got an integer",
            "- filter.tags[2]: expected a string, got null",
            "- location: expected at least 1 character",
            "- loction: not known; did you mean `location`?",
            r#"- units: expected one of "celsius", "fahrenheit", got another string"#,
        ]
    );
}

#[test]
fn i1_missing_arguments_are_reported() {
    assert_eq!(
        lines(&serve(tools![search]), "search", json!({"filter": {"tags": "x"}})),
        [
            "- filter.limit: required, but missing",
            "- filter.tags: expected an array, got a string",
            "- location: required, but missing",
            r#"- units: required, but missing; expected one of "celsius", "fahrenheit""#,
        ]
    );
}

/// Watch a place.
#[mcp_tool]
async fn watch(
    unit: Unit,
    #[schemars(extend("oneOf" = [{"const": "daily"}, {"const": "weekly"}]))] pace: String,
    #[schemars(extend("enum" = [1, 2]))] level: u8,
    #[schemars(extend("const" = "yes"))] sure: String,
) -> Value {
    json!([unit, pace, level, sure])
}

#[test]
fn i1_a_missing_argument_with_a_list_of_values_is_told_all_of_them() {
    assert_eq!(
        lines(&serve(tools![watch]), "watch", json!({})),
        [
            "- level: required, but missing; expected one of 1, 2",
            r#"- pace: required, but missing; expected "daily" or "weekly""#,
            r#"- sure: required, but missing; expected "yes""#,
            r#"- unit: required, but missing; expected one of "celsius", "fahrenheit""#,
        ]
    );
}

#[test]
fn i1_a_value_of_another_type_for_a_list_of_values_is_one_violation() {
    let dispatcher = serve(tools![watch]);
    for (value, got) in [(json!(null), "null"), (json!(7), "an integer"), (json!([]), "an array")] {
        let arguments = json!({"unit": value, "pace": value, "level": 1, "sure": "yes"});
        assert_eq!(
            lines(&dispatcher, "watch", arguments),
            [
                format!(r#"- pace: expected "daily" or "weekly", got {got}"#),
                format!(r#"- unit: expected one of "celsius", "fahrenheit", got {got}"#),
            ]
        );
    }
    let arguments = json!({"unit": "celsius", "pace": "daily", "level": "1", "sure": 1});
    assert_eq!(
        lines(&dispatcher, "watch", arguments),
        ["- level: expected one of 1, 2, got a string", r#"- sure: expected "yes", got an integer"#]
    );
}

#[test]
fn i1_an_error_never_contains_a_value() {
    let dispatcher = serve(tools![search]);
    let secret = "hunter2-s3cr3t";
    let secrets = [json!(secret), json!([secret]), json!({secret: secret}), json!(7_190_283.25), json!(-7_190_283)];
    let mut seen = 0;
    for path in ["/location", "/units", "/filter", "/filter/limit", "/filter/tags", "/filter/tags/0", "/day"] {
        for value in &secrets {
            let mut arguments = good();
            arguments["day"] = json!(1);
            *arguments.pointer_mut(path).expect("the path exists") = value.clone();
            let response = call(&dispatcher, "search", arguments.clone());
            let Some(error) = response.error() else { continue };
            let text = format!("{error:?}");
            // The error may contain the name of a property, but not its value.
            let count = text.matches(secret).count();
            assert!(count == 0 || value.is_object() && count == 1, "{arguments}: {text}");
            assert!(!text.contains("7190283"), "{arguments}: {text}");
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
}

/// A code of three letters. Its error quotes the value in every way that Rust has.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
struct Code(String);

impl TryFrom<String> for Code {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let json = json!(text);
        if text.len() == 3 { Ok(Self(text)) } else { Err(format!("{text:?}, {json}, {text}, code{text} is too long")) }
    }
}

impl Clone for Code {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.0
    }
}

#[test]
fn i1_values_are_removed_from_the_errors_of_a_type() {
    /// Take a code.
    #[mcp_tool]
    async fn take(code: Code) -> Code {
        code
    }

    let dispatcher = serve(tools![take]);
    assert_eq!(value(&dispatcher, "take", json!({"code": "abc"})), json!("abc"));
    for secret in ["hunter2", "hun\"ter2", "hunter\n2", "hunter\u{7}\\2", "hünter²\t2", "'hunter'2"] {
        let text = message(&dispatcher, "take", json!({"code": secret}));
        assert!(text.starts_with("invalid arguments: code: ") && text.ends_with(" is too long"), "{text}");
        assert!(!text.contains("hunter") && !text.contains("hun") && !text.contains("hünter"), "{secret:?}: {text}");
    }
}

#[test]
fn i1_a_short_value_is_not_removed_from_the_words_of_a_message() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Page {
        #[schemars(with = "Value")]
        size: u8,
    }

    /// Turn.
    #[mcp_tool]
    async fn turn(page: Page) -> Page {
        page
    }

    let dispatcher = serve(tools![turn]);
    for value in ["a", "an", "string", "got", "0"] {
        assert_eq!(
            message(&dispatcher, "turn", json!({"page": {"size": value}})),
            "invalid arguments: page.size: expected an integer from 0 to 255, got a string"
        );
    }
}

#[test]
fn i2_unknown_properties_of_a_closed_type_are_refused_with_a_suggestion() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        colour: u8,
    }

    /// Paint.
    #[mcp_tool]
    async fn paint(strict: Strict, #[serde(default)] list: Vec<Strict>) -> usize {
        list.len() + usize::from(strict.colour)
    }

    let dispatcher = serve(tools![paint]);
    assert_eq!(
        lines(&dispatcher, "paint", json!({"strict": {"color": 1, "colour": 1}, "list": [{"colour": 1, "size": 2}]})),
        ["- list[0].size: not known", "- strict.color: not known; did you mean `colour`?"]
    );
}

/// serde buffers the object of a tagged enum, and its error names the property only in its text.
#[test]
fn i2_an_unknown_property_that_only_the_type_refuses_is_named() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "shape", deny_unknown_fields)]
    enum Shape {
        Circle { radius: u8 },
        Point {},
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Item {
        Shape(Shape),
    }

    /// Draw.
    #[mcp_tool]
    async fn draw(item: Item) -> Item {
        item
    }

    let dispatcher = serve(tools![draw]);
    assert_eq!(
        message(&dispatcher, "draw", json!({"item": {"kind": "Shape", "shape": "Circle", "radius": 1, "size": 2}})),
        "invalid arguments: item.size: not known; the known properties are: radius"
    );
    assert_eq!(
        message(&dispatcher, "draw", json!({"item": {"kind": "Shape", "shape": "Point", "size": 2}})),
        "invalid arguments: item.size: not known; no property is known here"
    );
}

#[test]
fn i1_a_tool_does_not_run_with_invalid_arguments() {
    /// Run.
    #[mcp_tool]
    async fn run(a: u8) {
        panic!("ran with {a}");
    }

    let error = error(&serve(tools![run]), "run", json!({"a": 256}));
    assert_eq!(error.message(), "invalid arguments: a: expected 255 or less");
    assert!(!error.can_retry());
    assert_eq!(error.developer_message(), None);
}

#[test]
fn i2_unknown_arguments_are_refused_with_a_suggestion() {
    /// Few names.
    #[mcp_tool]
    async fn few(max_results: u8, query: String) -> String {
        query.repeat(max_results.into())
    }

    let dispatcher = serve(tools![few]);
    let unknown = |name: &str| message(&dispatcher, "few", json!({"max_results": 1, "query": "", name: "x"}));
    assert_eq!(unknown("maxResults"), "invalid arguments: maxResults: not known; did you mean `max_results`?");
    assert_eq!(unknown("QUERY"), "invalid arguments: QUERY: not known; did you mean `query`?");
    assert_eq!(unknown("colour"), "invalid arguments: colour: not known");
}

#[test]
fn i2_allow_unknown_ignores_unknown_arguments() {
    /// Open.
    #[mcp_tool(allow_unknown)]
    async fn open(a: u8) -> u8 {
        a
    }

    assert_eq!(value(&serve(tools![open]), "open", json!({"a": 1, "b": 2})), json!(1));
}

#[test]
fn i3_a_float_without_fraction_is_an_integer_up_to_2_to_the_53() {
    /// Echo.
    #[mcp_tool]
    async fn echo(number: i64, tiny: Option<u8>, list: Option<Vec<u16>>) -> i64 {
        drop((tiny, list));
        number
    }

    let dispatcher = serve(tools![echo]);
    assert_eq!(value(&dispatcher, "echo", json!({"number": 3.0, "tiny": 7.0, "list": [1.0]})), json!(3));
    assert_eq!(
        value(&dispatcher, "echo", json!({"number": -9_007_199_254_740_992.0})),
        json!(-9_007_199_254_740_992_i64)
    );
    for (arguments, path) in [
        (json!({"number": 3.5}), "number: expected an integer, got a number"),
        (json!({"number": 1e17}), "number: expected an integer, got a number"),
        (json!({"number": 1, "list": [0.5]}), "list[0]: expected an integer, got a number"),
    ] {
        assert_eq!(message(&dispatcher, "echo", arguments), format!("invalid arguments: {path}"));
    }
}

#[test]
fn i3_nothing_else_is_coerced() {
    /// Strict.
    #[mcp_tool]
    async fn strict(number: i64, flag: bool, list: Vec<u8>, text: String) {
        drop((number, flag, list, text));
    }

    let arguments = json!({"number": "3", "flag": "true", "list": "[1]", "text": 5});
    assert_eq!(
        lines(&serve(tools![strict]), "strict", arguments),
        [
            "- flag: expected a boolean, got a string",
            "- list: expected an array, got a string",
            "- number: expected an integer, got a string",
            "- text: expected a string, got an integer",
        ]
    );
}

#[test]
fn i1_a_long_list_of_violations_is_cut() {
    /// Many.
    #[mcp_tool]
    async fn many(list: Vec<u8>) -> usize {
        list.len()
    }

    let text = message(&serve(tools![many]), "many", json!({"list": vec!["x"; 5_000]}));
    assert!(text.lines().count() < 50 && text.contains("list[0]: expected an integer, got a string"), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("- and ")), "{text}");
}

#[test]
fn i1_a_number_of_the_wrong_type_is_reported_once() {
    /// Set.
    #[mcp_tool]
    async fn set(level: u8, #[schemars(range(min = 5))] big: i64) -> i64 {
        big + i64::from(level)
    }

    assert_eq!(
        lines(&serve(tools![set]), "set", json!({"level": 300.5, "big": -0.5})),
        ["- big: expected an integer, got a number", "- level: expected an integer, got a number"]
    );
}

#[test]
fn i1_an_invalid_key_of_a_map_is_reported_at_the_key() {
    /// Count.
    #[mcp_tool]
    async fn count(letters: BTreeMap<char, u8>, switches: BTreeMap<bool, u8>) -> usize {
        letters.len() + switches.len()
    }

    let dispatcher = serve(tools![count]);
    let of = |letters: Value, switches: Value| {
        message(&dispatcher, "count", json!({"letters": letters, "switches": switches}))
    };
    assert_eq!(
        of(json!({"ab": 1}), json!({})),
        "invalid arguments: letters.ab: expected a property name of one character"
    );
    assert_eq!(
        of(json!({}), json!({"yes": 1})),
        "invalid arguments: switches.yes: expected a property name that is `true` or `false`"
    );
}

#[test]
fn i1_if_then_else_of_a_hand_written_schema_is_enforced() {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {"by": {"enum": ["phone", "mail"]}, "phone": {"$ref": "#/$defs/text"}, "mail": {"type": "string"}},
            "$defs": {"text": {"type": "string"}},
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["mail"]}]}],
            "if": {"properties": {"by": {"const": "phone"}}},
            "then": {"required": ["phone"]},
            "else": {"required": ["mail"]}
        })
    }

    /// Reach.
    #[mcp_tool(input_schema = schema)]
    async fn reach(#[mcp_tool(arguments)] all: Value) -> String {
        all.to_string()
    }

    let dispatcher = serve(tools![reach]);
    let of = |arguments: Value| message(&dispatcher, "reach", arguments);
    assert_eq!(of(json!({"by": "phone", "mail": "a"})), "invalid arguments: phone: required, but missing");
    assert_eq!(of(json!({"by": "mail", "phone": "1"})), "invalid arguments: mail: required, but missing");
}
