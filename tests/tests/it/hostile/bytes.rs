//! Hostile input as bytes. Each is answered according to the rules, and the next call still works.

use std::collections::BTreeMap;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{self, LATEST, LEGACY, built, exact, now};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Nested {
    #[serde(default)]
    inner: Vec<Nested>,
}

/// Echo.
#[mcp_tool]
async fn echo(
    text: Option<String>,
    number: Option<i64>,
    ratio: Option<f64>,
    any: Option<Value>,
    nested: Option<Nested>,
    map: Option<BTreeMap<String, Value>>,
) -> Value {
    json!({"text": text, "number": number, "ratio": ratio, "any": any, "nested": nested, "map": map})
}

/// Take no arguments.
#[mcp_tool]
async fn idle() -> u8 {
    1
}

/// Calls a tool with the bytes of its arguments, and then makes another call, which must succeed.
fn answer(dispatcher: &Dispatcher, name: &str, arguments: &[u8]) -> Value {
    let params = [format!(r#"{{"name":"{name}","arguments":"#).as_bytes(), arguments, b"}"].concat();
    let result = now(dispatcher.call_json(&params, LATEST));
    let next =
        now(dispatcher.call_json(br#"{"name":"echo","arguments":{"text":"next"}}"#, LEGACY[0])).expect("a result");
    let next: Value = serde_json::from_slice(&next).expect("JSON");
    assert_eq!(next["structuredContent"]["result"]["text"], "next");
    serde_json::from_slice(&result.expect("a result")).expect("JSON")
}

/// Expects an error result and returns its text.
fn refused(arguments: impl AsRef<[u8]>) -> String {
    let result = answer(&run::serve(tools![echo, idle]), "echo", arguments.as_ref());
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none());
    let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
    assert!(text.len() < 4_000, "{text}");
    text
}

fn accepted(arguments: &str) -> Value {
    let result = answer(&run::serve(tools![echo, idle]), "echo", arguments.as_bytes());
    assert_eq!(result["isError"], false, "{result}");
    result["structuredContent"].clone()
}

#[test]
fn i4_a_duplicate_key_is_refused_at_every_depth() {
    assert_eq!(refused(r#"{"text":"a","text":"b"}"#), "invalid arguments: the key `text` appears twice");
    assert_eq!(refused(r#"{"text":"a","t\u0065xt":"b"}"#), "invalid arguments: the key `text` appears twice");
    assert_eq!(refused(r#"{"any":[0,{"b":1,"b":2}]}"#), "invalid arguments: any[1]: the key `b` appears twice");
    let many: Vec<_> = (0..1_000).map(|i| format!(r#""k{i}":0"#)).collect();
    let text = refused(format!(r#"{{"map":{{{},"k7":1}}}}"#, many.join(",")));
    assert_eq!(text, "invalid arguments: map: the key `k7` appears twice");
}

#[test]
fn i4_bytes_that_nest_too_deep_are_refused() {
    let depth = 200;
    let array = format!(r#"{{"any":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    assert!(refused(array).contains("levels of nesting"));
    let object = format!(r#"{{"nested":{}{{}}{}}}"#, r#"{"inner":["#.repeat(depth), "]}".repeat(depth));
    assert!(refused(object).contains("levels of nesting"));
    // A million levels must not overflow the stack.
    let flood = format!(r#"{{"any":{}{}}}"#, "[".repeat(500_000), "]".repeat(500_000));
    assert!(refused(flood).contains("levels of nesting"));
    let fits = format!(r#"{{"any":{}{}}}"#, "[".repeat(100), "]".repeat(100));
    assert!(accepted(&fits)["any"].is_array());
}

#[test]
fn i4_a_value_that_nests_too_deep_is_refused() {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let dispatcher = run::serve(tools![echo]);
    assert!(run::message(&dispatcher, "echo", json!({"any": deep})).contains("levels of nesting"));
    assert!(run::call(&dispatcher, "echo", json!({})).is_success());
}

#[test]
fn i4_a_number_out_of_range_is_refused() {
    let digits = "1234567890".repeat(1_000);
    for place in ["number", "ratio", "any"] {
        let text = refused(format!(r#"{{"{place}":{digits}}}"#));
        assert_eq!(text, format!("invalid arguments: {place}: expected a number that fits in 64 bits"));
    }
    assert_eq!(refused(r#"{"ratio":1e400}"#), "invalid arguments: ratio: expected a number that fits in 64 bits");
    assert_eq!(
        refused(r#"{"number":9223372036854775808}"#),
        "invalid arguments: number: expected an integer from -2^63 to 2^63-1, got another integer"
    );
    // A float with too many digits is rounded.
    assert_eq!(accepted(&format!(r#"{{"ratio":0.{digits}}}"#))["ratio"], 0.123_456_789_012_345_68);
    assert_eq!(accepted(r#"{"ratio":1e-400}"#)["ratio"], 0.0);
}

#[test]
fn i4_a_lone_surrogate_is_refused() {
    for escaped in [r#"{"text":"\ud800"}"#, r#"{"text":"\udc00\ud800"}"#, r#"{"any":{"\ud83d":1}}"#] {
        let text = refused(escaped);
        assert!(text.starts_with("invalid arguments: ") && text.contains("expected valid JSON"), "{text}");
    }
    assert_eq!(accepted(r#"{"text":"\ud83d\ude00\u0000"}"#)["text"], "\u{1F600}\u{0}");
}

#[test]
fn r8_bytes_that_are_not_utf_8_are_an_invalid_request() {
    let dispatcher = run::serve(tools![echo]);
    let params = b"{\"name\":\"echo\",\"arguments\":{\"text\":\"\xff\xfe\"}}";
    let error = now(dispatcher.call_json(params, LATEST)).expect_err("not JSON");
    assert_eq!(error.code(), -32602);
    assert!(error.to_string().starts_with("invalid request: not valid JSON"), "{error}");
    assert!(run::call(&dispatcher, "echo", json!({})).is_success());
}

#[test]
fn a_property_name_with_a_meaning_in_other_languages_is_an_ordinary_name() {
    let dispatcher = run::serve(tools![echo]);
    let arguments = serde_json::from_str(r#"{"__proto__":{"admin":true},"constructor":1}"#).expect("JSON");
    assert_eq!(run::lines(&dispatcher, "echo", arguments), ["- __proto__: not known", "- constructor: not known"]);
    assert_eq!(refused(r#"{"__proto__":{"admin":true}}"#), "invalid arguments: __proto__: not known");
    let map = r#"{"map":{"__proto__":{"a":null},"$ref":"file:///etc/passwd","":0}}"#;
    assert_eq!(accepted(map)["map"], json!({"__proto__": {"a": null}, "$ref": "file:///etc/passwd", "": 0}));
}

#[test]
fn r8_arguments_that_are_not_an_object_are_an_error_result() {
    for (arguments, kind) in [
        ("[]", "an array"),
        (r#"[{"text":"a"}]"#, "an array"),
        (r#""{}""#, "a string"),
        ("17", "an integer"),
        ("1.5", "a number"),
        ("false", "a boolean"),
    ] {
        assert_eq!(refused(arguments), format!("invalid arguments: expected an object, got {kind}"));
    }
}

#[test]
fn i2_arguments_that_are_null_are_an_empty_object() {
    for params in [r#"{"name":"idle"}"#, r#"{"name":"idle","arguments":null}"#, r#"{"name":"idle","arguments": {} }"#] {
        let result = now(run::serve(tools![idle]).call_json(params.as_bytes(), LATEST)).expect("a result");
        assert_eq!(serde_json::from_slice::<Value>(&result).expect("JSON")["structuredContent"], 1, "{params}");
    }
}

#[test]
fn i4_arguments_that_are_too_long_are_refused_unread() {
    let dispatcher = built(exact().tools(tools![echo]).max_argument_bytes(1_000));
    let invalid = format!(r#"{{"text":"{}","text":1}}"#, "x".repeat(2_000_000));
    let result = answer(&dispatcher, "echo", invalid.as_bytes());
    let bytes = invalid.len();
    assert_eq!(
        result["content"][0]["text"],
        format!("invalid arguments: expected at most 1000 bytes of JSON, got {bytes}")
    );
}

#[test]
fn i1_a_property_name_cannot_flood_or_forge_a_message() {
    let name = format!("a\\n- number: `fine`{}", "x".repeat(100_000));
    let text = refused(format!(r#"{{"{name}":1}}"#));
    assert!(text.len() < 300 && !text.contains('\n'), "{text}");
    let many: Vec<_> = (0..20_000).map(|i| format!(r#""k{i}":0"#)).collect();
    let text = refused(format!("{{{}}}", many.join(",")));
    assert!(text.lines().count() < 50, "{text}");
}

/// Builds a dispatcher without limits of length.
fn unbounded(tools: Vec<Box<dyn mcp_tool_runtime::ToolHandler>>) -> Dispatcher {
    built(exact().tools(tools).max_argument_bytes(usize::MAX).max_result_bytes(usize::MAX))
}

/// Expects a short error result and returns its text.
fn short(result: &Value) -> &str {
    assert_eq!(result["isError"], true);
    assert!(result.to_string().len() < 8_000, "an answer of {} bytes", result.to_string().len());
    result["content"][0]["text"].as_str().expect("a text")
}

#[test]
fn i4_a_flood_of_brackets_is_an_invalid_request() {
    let dispatcher = run::serve(tools![echo]);
    for flood in [
        "[".repeat(1_000_000),
        r#"{"a":"#.repeat(200_000),
        r#"{"name":"echo","arguments":"#.to_owned() + &"[".repeat(1_000_000),
    ] {
        let error = now(dispatcher.call_json(flood.as_bytes(), LATEST)).expect_err("not JSON");
        assert_eq!(error.code(), -32602);
        assert!(error.to_string().len() < 300, "{error}");
    }
    assert!(run::call(&dispatcher, "echo", json!({})).is_success());
}

/// Take a list of integers.
#[mcp_tool]
async fn listed(list: Vec<i64>, set: Option<std::collections::BTreeSet<i64>>) -> usize {
    list.len() + set.map_or(0, |set| set.len())
}

#[test]
fn i4_a_million_elements_are_accepted_or_refused_with_a_short_message() {
    let dispatcher = unbounded(tools![echo, listed]);
    let many = |element: &str| format!(r#"{{"list":[{}0]}}"#, format!("{element},").repeat(1_000_000));
    let result = answer(&dispatcher, "listed", many("7").as_bytes());
    assert_eq!(result["structuredContent"], 1_000_001);
    for (element, text) in [("true", "got a boolean"), ("null", "got null")] {
        let result = answer(&dispatcher, "listed", many(element).as_bytes());
        assert!(short(&result).contains(text), "{result}");
        assert!(short(&result).lines().count() <= 34, "{result}");
    }
    // A dispatcher with the default limit refuses the length.
    assert!(refused(many("7").replace("list", "any")).contains("bytes of JSON"));
}

#[test]
fn i4_a_hundred_thousand_unique_items_are_compared() {
    let numbers: Vec<_> = (0..100_000).map(|n| n.to_string()).collect();
    let dispatcher = unbounded(tools![echo, listed]);
    let with = |last: &str| format!(r#"{{"list":[],"set":[{},{last}]}}"#, numbers.join(","));
    assert_eq!(answer(&dispatcher, "listed", with("100000").as_bytes())["structuredContent"], 100_001);
    assert!(short(&answer(&dispatcher, "listed", with("0").as_bytes())).contains("no duplicate elements"));
}

#[test]
fn i4_many_violations_give_a_short_message() {
    let dispatcher = unbounded(tools![echo]);
    let unknown: Vec<_> = (0..100_000).map(|n| format!(r#""unknown{n}":null"#)).collect();
    let nested = format!(r#"{{"inner":[{}{{}}]}}"#, r#"{"inner":5},"#.repeat(50_000));
    let invalid = format!(r#"{{"number":"x","text":[],"nested":{nested},{}}}"#, unknown.join(","));
    let params = format!(r#"{{"name":"echo","arguments":{invalid}}}"#);
    assert!(short(&answer(&dispatcher, "echo", invalid.as_bytes())).lines().count() <= 34);
    let request = serde_json::from_str(&params).expect("a request");
    let response = run::send(&dispatcher, request);
    assert!(run::otc(&response).to_string().len() < 16_000);
    assert!(response.error().expect("an error").errors().len() <= 32);
}

#[test]
fn t6_a_pattern_matches_in_linear_time() {
    // Each takes exponential or polynomial time in a backtracking engine.
    let patterns = [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a|aa)+$",
        "^(a*)*$",
        "(x+x+)+y",
        "^(.*a){12}$",
        "^([a-zA-Z]+)*$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        r"^\d+(,\d+)*$",
        "^(?:a?){64}a{64}$",
        ".*.*.*.*=.*",
    ];
    let texts = ["a".repeat(65_535) + "!", "x".repeat(65_536), "1,".repeat(32_768), "aB".repeat(32_768) + "\n"];
    for pattern in patterns {
        let schema = json!({"type": "object", "properties": {"text": {"type": "string", "pattern": pattern}}});
        let dispatcher = built(exact().tool(run::taking("match", schema)).tools(tools![echo]));
        for text in &texts {
            let result = answer(&dispatcher, "match", json!({"text": text}).to_string().as_bytes());
            if result["isError"] == true {
                assert!(short(&result).starts_with("invalid arguments: text: expected a string that matches"));
            }
        }
    }
}

#[test]
fn i4_a_result_that_nests_too_deep_is_an_error_result() {
    /// Return a deep value.
    #[mcp_tool]
    async fn deep(levels: u32, of_objects: bool) -> Value {
        // `json!` would serialize the inner value again on each level.
        (0..levels).fold(json!(1), |inner, _| {
            if of_objects {
                Value::Object([("a".to_owned(), inner)].into_iter().collect())
            } else {
                Value::Array(vec![inner])
            }
        })
    }
    let dispatcher = unbounded(tools![echo, deep]);
    for of_objects in [false, true] {
        for levels in [127, 1_000, 2_000] {
            let arguments = json!({"levels": levels, "of_objects": of_objects}).to_string();
            let result = answer(&dispatcher, "deep", arguments.as_bytes());
            assert!(short(&result).contains("levels of nesting"), "{result}");
        }
        let fits = json!({"levels": 100, "of_objects": of_objects}).to_string();
        assert_eq!(answer(&dispatcher, "deep", fits.as_bytes())["isError"], false);
    }
}

/// One of three forms. serde tries each in order.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Form {
    Number(#[expect(dead_code)] i32),
    Object {
        #[expect(dead_code)]
        x: i32,
    },
    Text(#[expect(dead_code)] String),
}

/// Lists, objects and maps of forms. serde tries each in order.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Forms {
    List(#[expect(dead_code)] Vec<Form>),
    Object {
        #[expect(dead_code)]
        x: Vec<Form>,
        #[expect(dead_code)]
        y: Form,
    },
    Map(#[expect(dead_code)] BTreeMap<String, Form>),
}

#[test]
fn i4_a_large_document_that_matches_no_variant_is_refused_with_a_short_message() {
    /// Take forms of forms.
    #[mcp_tool]
    async fn forms(forms: Vec<Forms>) -> usize {
        forms.len()
    }
    let dispatcher = unbounded(tools![echo, forms]);
    let lists = vec!["[]"; 30_000].join(",");
    for arguments in
        [format!(r#"{{"forms":[[{lists}]]}}"#), format!(r#"{{"forms":[{}]}}"#, vec!["[[]]"; 20_000].join(","))]
    {
        let result = answer(&dispatcher, "forms", arguments.as_bytes());
        assert!(short(&result).starts_with("invalid arguments:"), "{result}");
    }
}
