//! Which changes break clients, and what is said about contract files.

use serde_json::{Map, Value, json};

use super::comparison::{Side, breaks};
use super::lock::{Lock, canonical};

use Verdict::{Breaks, Fine, MayBreak};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Fine,
    Breaks,
    MayBreak,
}

fn found(side: Side, then: &Value, now: &Value) -> Vec<String> {
    breaks(side, &canonical(then), &canonical(now))
}

fn verdict(side: Side, then: &Value, now: &Value) -> Verdict {
    let found = found(side, then, now);
    match found.iter().all(|text| text.ends_with(", which may break clients")) {
        _ if found.is_empty() => Fine,
        true => MayBreak,
        false => Breaks,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn closed(properties: Value, required: &[&str]) -> Value {
    with(object(properties, required), "additionalProperties", json!(false))
}

fn with(mut schema: Value, keyword: &str, value: Value) -> Value {
    schema[keyword] = value;
    schema
}

/// A variant of an enum with a tag.
fn tagged(tag: &str, mut properties: Value, required: &[&str]) -> Value {
    properties["kind"] = json!({ "type": "string", "const": tag });
    object(properties, &[&["kind"], required].concat())
}

/// A variant of an enum without a tag attribute.
#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn named(name: &str, content: Value) -> Value {
    closed(json!({ name: content }), &[name])
}

#[test]
fn each_change_has_its_verdict() {
    let (text, integer, number) =
        (json!({ "type": "string" }), json!({ "type": "integer" }), json!({ "type": "number" }));
    let a = |schema: &Value| object(json!({ "a": schema }), &["a"]);
    let list = |schema: &Value| json!({ "type": "array", "items": schema });
    let letters = |letters: &[&str]| json!({ "type": "string", "enum": letters });
    let circle = || tagged("circle", json!({ "radius": number }), &["radius"]);
    let square = || tagged("square", json!({ "side": number }), &["side"]);
    let either = |variants: &[Value]| json!({ "oneOf": variants });
    let tree = |leaf: &Value| {
        with(
            object(json!({ "root": { "$ref": "#/$defs/Tree" } }), &[]),
            "$defs",
            json!({ "Tree": object(json!({ "leaf": leaf, "kids": list(&json!({ "$ref": "#/$defs/Tree" })) }), &[]) }),
        )
    };
    let beside = |properties: Value| with(object(properties, &[]), "oneOf", json!([circle(), square()]));
    let pair = |second: &Value| json!({ "type": "array", "prefixItems": [text, second], "minItems": 2, "maxItems": 2 });
    #[rustfmt::skip]
    let changes = [
        // the change, then, now, the verdict for arguments, and the verdict for results
        ("nothing", a(&text), a(&text), Fine, Fine),
        ("an optional property is added", object(json!({}), &[]), object(json!({ "a": text }), &[]), Fine, Fine),
        ("a required property is added", object(json!({}), &[]), a(&text), Breaks, Fine),
        ("a property becomes required", object(json!({ "a": text }), &[]), a(&text), Breaks, Fine),
        ("a property becomes optional", a(&text), object(json!({ "a": text }), &[]), Fine, Breaks),
        ("an optional property is removed", object(json!({ "a": text }), &[]), object(json!({}), &[]), Breaks, Breaks),
        ("a required property is removed", a(&text), object(json!({}), &[]), Breaks, Breaks),
        ("a property of a closed object is removed", closed(json!({ "a": text }), &[]), closed(json!({}), &[]), Breaks, Fine),
        ("a property is added to a closed object", closed(json!({}), &[]), closed(json!({ "a": text }), &[]), Fine, Breaks),
        ("a property is renamed", a(&text), object(json!({ "b": text }), &["b"]), Breaks, Breaks),
        ("an object is closed", a(&text), closed(json!({ "a": text }), &["a"]), Breaks, Fine),
        ("an object is opened", closed(json!({ "a": text }), &["a"]), a(&text), Fine, Breaks),
        ("another type", a(&text), a(&integer), Breaks, Breaks),
        ("a wider type", a(&integer), a(&number), Fine, Breaks),
        ("a narrower type", a(&number), a(&integer), Breaks, Fine),
        ("any type", a(&text), a(&json!({})), Fine, Breaks),
        ("a value becomes a list", a(&text), a(&list(&text)), Breaks, Breaks),
        ("null is added", a(&text), a(&json!({ "type": ["string", "null"] })), Fine, Breaks),
        ("null is removed", a(&json!({ "type": ["string", "null"] })), a(&text), Breaks, Fine),
        ("null is added to an object", a(&circle()), a(&json!({ "anyOf": [circle(), { "type": "null" }] })), Fine, Breaks),
        ("an enum gets a value", letters(&["a"]), letters(&["a", "b"]), Fine, Breaks),
        ("an enum loses a value", letters(&["a", "b"]), letters(&["a"]), Breaks, Fine),
        ("an enum becomes any text", letters(&["a", "b"]), text.clone(), Fine, Breaks),
        ("the values of an enum are documented", letters(&["a", "b"]), either(&[json!({ "const": "a", "description": "A." }), json!({ "const": "b" })]), Fine, Fine),
        ("a boolean becomes an enum", json!({ "type": "boolean" }), json!({ "enum": [true, false] }), Fine, Fine),
        ("a lower minimum", json!({ "type": "integer", "minimum": 2 }), json!({ "type": "integer", "minimum": 1.0 }), Fine, Breaks),
        ("a higher minimum", json!({ "type": "integer", "minimum": 1 }), json!({ "type": "integer", "minimum": 2 }), Breaks, Fine),
        ("a minimum that includes the bound", json!({ "exclusiveMinimum": 2 }), json!({ "minimum": 2 }), Fine, Breaks),
        ("a minimum beyond the exact floats", json!({ "minimum": 9_007_199_254_740_995_u64 }), json!({ "minimum": 9_007_199_254_740_996.0 }), Breaks, Breaks),
        ("a shorter maximum", json!({ "type": "string", "maxLength": 9 }), json!({ "type": "string", "maxLength": 5 }), Breaks, Fine),
        ("no maximum", json!({ "type": "string", "maxLength": 9 }), text.clone(), Fine, Breaks),
        ("a new pattern", text.clone(), json!({ "type": "string", "pattern": "^a" }), Breaks, Fine),
        ("another pattern", json!({ "type": "string", "pattern": "^a" }), json!({ "type": "string", "pattern": "^a*" }), MayBreak, MayBreak),
        ("another format", json!({ "type": "string", "format": "uri" }), json!({ "type": "string", "format": "email" }), MayBreak, MayBreak),
        ("a list becomes a set", list(&text), with(list(&text), "uniqueItems", json!(true)), Breaks, Fine),
        ("a list has wider elements", list(&integer), list(&number), Fine, Breaks),
        ("a wider element of a tuple", pair(&integer), pair(&number), Fine, Breaks),
        ("a longer tuple", pair(&integer), json!({ "type": "array", "prefixItems": [text, integer, text], "minItems": 2, "maxItems": 3 }), MayBreak, Breaks),
        ("a map has wider values", json!({ "additionalProperties": integer }), json!({ "additionalProperties": number }), Fine, Breaks),
        ("a map by numbers has wider values", json!({ "patternProperties": { "^[0-9]+$": integer } }), json!({ "patternProperties": { "^[0-9]+$": number } }), Fine, Breaks),
        ("a property of a map gets another type", json!({ "additionalProperties": integer }), json!({ "properties": { "a": text }, "additionalProperties": integer }), Breaks, Breaks),
        ("a variant is added", either(&[circle()]), either(&[circle(), square()]), Fine, Breaks),
        ("a variant is removed", either(&[circle(), square()]), either(&[circle()]), Breaks, Fine),
        ("a variant gets an optional property", either(&[circle(), square()]), either(&[circle(), tagged("square", json!({ "side": number, "turned": text }), &["side"])]), Fine, Fine),
        ("a variant gets a required property", either(&[circle(), square()]), either(&[circle(), tagged("square", json!({ "side": number, "turned": text }), &["side", "turned"])]), Breaks, Fine),
        ("a variant loses a property", either(&[circle(), square()]), either(&[circle(), tagged("square", json!({}), &[])]), Breaks, Breaks),
        ("a named variant is added", either(&[named("A", text.clone())]), either(&[named("A", text.clone()), named("B", text.clone())]), Fine, Breaks),
        ("a named variant is wider", either(&[named("A", integer.clone()), text.clone()]), either(&[named("A", number.clone()), text.clone()]), Fine, Breaks),
        ("a type is added to a union", json!({ "anyOf": [text, circle()] }), json!({ "anyOf": [text, circle(), number] }), Fine, Breaks),
        ("variants that may overlap", text.clone(), json!({ "oneOf": [text, { "minLength": 3 }] }), MayBreak, Breaks),
        ("a property is added beside a union", beside(json!({})), beside(json!({ "name": text })), Breaks, Fine),
        ("a wider property beside a union", beside(json!({ "name": integer })), beside(json!({ "name": number })), Fine, Breaks),
        ("a type inside a recursive one is wider", tree(&integer), tree(&number), Fine, Breaks),
        ("a type moves to the definitions", a(&circle()), with(a(&json!({ "$ref": "#/$defs/C" })), "$defs", json!({ "C": circle() })), Fine, Fine),
        ("a definition beside other keywords changes", with(a(&json!({ "$ref": "#/$defs/T", "minLength": 1 })), "$defs", json!({ "T": text })), with(a(&json!({ "$ref": "#/$defs/T", "minLength": 1 })), "$defs", json!({ "T": { "type": "string", "maxLength": 3 } })), MayBreak, MayBreak),
        ("a list of values beside a constant", json!({ "const": "a" }), json!({ "const": "a", "enum": ["b"] }), Breaks, Fine),
        ("another condition", json!({ "if": { "required": ["a"] }, "then": { "required": ["b"] } }), json!({ "if": { "required": ["a"] }, "then": { "required": ["c"] } }), MayBreak, MayBreak),
        ("another header", with(text.clone(), "x-mcp-header", json!("Zone")), with(text.clone(), "x-mcp-header", json!("Region")), Breaks, Fine),
        ("other annotations", a(&text), with(a(&json!({ "type": "string", "default": "a", "description": "A." })), "title", json!("T")), Fine, Fine),
        ("another draft", a(&text), with(a(&text), "$schema", json!("http://json-schema.org/draft-07/schema#")), MayBreak, MayBreak),
    ];
    let mut wrong = Vec::new();
    for (name, then, now, arguments, results) in changes {
        for (side, expected) in [(Side::Arguments, arguments), (Side::Result, results)] {
            if verdict(side, &then, &now) != expected {
                wrong.push(format!("{name}: expected {expected:?}, got {:?}", found(side, &then, &now)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_change_without_a_rule_is_reported_with_both_texts() {
    let of = |pattern: &str| json!({ "properties": { "a": { "type": "string", "pattern": pattern } } });
    assert_eq!(
        found(Side::Arguments, &of("^a"), &of("^b")),
        [r#", argument `a`: `pattern` was "^a" and is "^b", which may break clients"#]
    );
    // The schema accepts the same values, but the comparison cannot see that.
    let union = json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] });
    assert_eq!(
        found(Side::Arguments, &json!({ "type": ["string", "integer"] }), &union),
        [
            r#", arguments: `schema` was {"type":["integer","string"]} and is {"anyOf":[{"type":"string"},{"type":"integer"}]}, which may break clients"#
        ]
    );
}

#[test]
fn large_and_deep_schemas_are_compared_in_bounded_steps() {
    let nested =
        |depth: usize, kind: &str| (0..depth).fold(json!({ "type": kind }), |inner, _| json!({ "items": inner }));
    assert_eq!(verdict(Side::Arguments, &nested(199, "integer"), &nested(199, "number")), Fine);
    assert_eq!(verdict(Side::Arguments, &nested(200, "integer"), &nested(200, "number")), MayBreak);
    let chain = |most: u64| {
        let next = |number: usize| json!({ "$ref": format!("#/$defs/d{number}") });
        let link = |number: usize| (format!("d{number}"), json!({ "anyOf": [next(number + 1), next(number + 1)] }));
        let mut definitions: Map<_, _> = (0..40).map(link).collect();
        definitions.insert("d40".to_owned(), json!({ "maximum": most }));
        json!({ "$ref": "#/$defs/d0", "$defs": definitions })
    };
    assert_eq!(verdict(Side::Arguments, &chain(5), &chain(9)), Fine);
    assert_ne!(verdict(Side::Arguments, &chain(9), &chain(5)), Fine);
}

fn parsed(tools: &Value) -> Lock {
    Lock::parse(&json!({ "contract": 1, "tools": tools }).to_string()).expect("a contract")
}

#[test]
fn tools_that_are_not_an_object_are_no_contract() {
    let error = Lock::parse(r#"{ "contract": 1, "tools": [] }"#).expect_err("no contract");
    assert!(error.contains("invalid type: sequence, expected a map"), "{error}");
}

#[test]
fn the_choices_of_a_question_may_get_titles() {
    let asking = |choices: Value| {
        let schema = json!({ "type": "object", "properties": { "size": choices }, "required": ["size"] });
        let question = json!({ "kind": "answer", "required": true, "schema": schema });
        parsed(&json!({ "order": { "arguments": { "type": "object" }, "questions": { "size": question } } }))
    };
    let plain = asking(json!({ "type": "string", "enum": ["s", "m"] }));
    let choice = |value: &str, title: &str| json!({ "const": value, "title": title });
    let titled = asking(json!({ "type": "string", "oneOf": [choice("s", "Small"), choice("m", "Medium")] }));
    assert_eq!(plain.breaks(&titled), [""; 0]);
    assert_eq!(titled.breaks(&plain), [""; 0]);
    let fewer = asking(json!({ "type": "string", "oneOf": [choice("s", "Small")] }));
    assert_eq!(titled.breaks(&fewer).len(), 1);
}
