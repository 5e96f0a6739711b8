//! Counts the nodes that checks and searches for errors enter: their number is linear in the document times the schema.

use serde_json::{Map, Value, json};

use crate::Validator;
use crate::json::reader;
use crate::validate::memo::STEPS;

/// Creates a definition of a chain from its index and a reference to the next one.
type Link = fn(usize, Value) -> Value;

/// Returns whether the schema accepts the document, and how many steps the check took.
fn check(schema: &Value, document: &Value) -> (bool, usize) {
    let compiled = Validator::compile_linear(schema).expect("it compiles");
    let document = reader::read_value(document).expect("a document");
    STEPS.set(0);
    (compiled.accepts(document.root()), STEPS.get())
}

/// Returns the number of violations, and how many steps the check and the search for them took.
fn search(schema: &Value, document: &Value) -> (usize, usize) {
    let compiled = Validator::compile_linear(schema).expect("it compiles");
    let document = reader::read_value(document).expect("a document");
    STEPS.set(0);
    (compiled.violations(document.root(), schema).len(), STEPS.get())
}

/// Returns a chain of definitions, each of which applies the next one.
fn chain(levels: usize, last: &Value, link: impl Fn(usize, Value) -> Value) -> Map<String, Value> {
    let link = |at: usize| (format!("d{at}"), link(at, json!({"$ref": format!("#/$defs/d{}", at + 1)})));
    (0..levels).map(link).chain([(format!("d{levels}"), last.clone())]).collect()
}

/// Returns an object that has the properties of all levels.
fn properties(levels: usize) -> Value {
    (0..levels).map(|at| (format!("p{at}"), json!(at))).collect()
}

/// Checks that twice the levels take about twice the steps.
fn is_linear(name: &str, steps: impl Fn(usize) -> usize) {
    let (half, whole) = (steps(15), steps(30));
    assert!(whole < 3 * half, "{name}: {half} steps, and {whole} for twice the levels");
}

#[test]
fn unevaluated_properties_of_nested_compositions_take_linear_time() {
    let own = |at: usize| json!({format!("p{at}"): {"type": "integer"}});
    let links: [(&str, Link); 5] = [
        ("twice", |at, next| json!({"allOf": [next, next], "properties": {format!("p{at}"): {}}})),
        ("any", |at, next| json!({"anyOf": [next, {"allOf": [next]}], "properties": {format!("p{at}"): {}}})),
        ("condition", |at, next| json!({"if": next, "then": next, "properties": {format!("p{at}"): {}}})),
        (
            "closed",
            |at, next| json!({"allOf": [next, next], "properties": {format!("p{at}"): {}}, "unevaluatedProperties": {}}),
        ),
        (
            "dependent",
            |at, next| json!({"dependentSchemas": {"p0": next, "p1": next}, "properties": {format!("p{at}"): {}}}),
        ),
    ];
    for (name, link) in links {
        is_linear(name, |levels| {
            let definitions = chain(levels, &json!({"type": "object"}), link);
            let schema = json!({"$ref": "#/$defs/d0", "unevaluatedProperties": false, "$defs": definitions});
            let mut document = properties(levels);
            let (is_valid, steps) = check(&schema, &document);
            assert!(is_valid, "{name}");
            document["other"] = json!(1);
            let expected = name == "closed";
            assert_eq!(check(&schema, &document).0, expected, "{name}");
            steps
        });
    }
    // Without references, 60 levels deep.
    let nested = |levels: usize| {
        (0..levels).fold(
            json!({"type": "object"}),
            |inner, at| json!({"allOf": [inner], "properties": own(at), "unevaluatedProperties": {"type": "integer"}}),
        )
    };
    let (is_valid, steps) = check(&nested(60), &properties(60));
    assert!(is_valid && steps < 60 * 60 * 5, "{steps}");
    let (_, half) = check(&nested(30), &properties(60));
    assert!(steps < 3 * half, "{half} {steps}");
}

#[test]
fn what_a_definition_evaluates_is_remembered_where_one_subschema_refers_to_it_twice() {
    let twice = |at, next: Value| {
        let next = &next["$ref"];
        json!({"$ref": next, "$dynamicRef": next, "properties": {format!("p{at}"): {}}})
    };
    let steps = |levels: usize| {
        let definitions = chain(levels, &json!({"type": "object"}), twice);
        let schema = json!({"$ref": "#/$defs/d0", "unevaluatedProperties": false, "$defs": definitions});
        let (is_valid, steps) = check(&schema, &properties(levels));
        assert!(is_valid);
        steps
    };
    let (half, whole) = (steps(8), steps(16));
    assert!(whole < 3 * half, "{half} steps, and {whole} for twice the levels");
}

#[test]
fn unevaluated_items_of_nested_compositions_take_linear_time() {
    let link = |_, next: Value| json!({"anyOf": [next, {"type": "array", "contains": next}], "contains": {"allOf": [next, {"const": 1}]}});
    is_linear("contains", |levels| {
        let definitions = chain(levels, &json!({"not": {"type": "string"}}), link);
        let schema = json!({"$ref": "#/$defs/d0", "unevaluatedItems": false, "$defs": definitions});
        let (is_valid, steps) = check(&schema, &json!([1, 1, 1, 1]));
        assert!(is_valid);
        assert!(!check(&schema, &json!([1, 1, "text", 1])).0);
        steps
    });
}

#[test]
fn a_document_of_twice_the_size_takes_twice_the_steps() {
    let link = |_: usize, next: Value| json!({"oneOf": [next, {"const": 1}], "unevaluatedProperties": next});
    let definitions = chain(10, &json!({"items": {"$ref": "#/$defs/d0"}}), link);
    let schema = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let steps = |size: usize| check(&schema, &json!(vec![json!([{"a": {"b": []}}, 2, "c"]); size])).1;
    let (half, whole) = (steps(200), steps(400));
    assert!(whole < 5 * half / 2, "{half} {whole}");
}

#[test]
fn the_search_for_errors_in_unions_inside_unions_takes_a_multiple_of_the_check() {
    // Each level has two branches that are alike, and a third one that is excluded by a property.
    let nested = |levels: usize| {
        (0..levels).fold(json!({"type": "object", "required": ["gone"]}), |inner, _| {
            let branch = |more: &str| json!({"properties": {"a": inner}, "required": ["a", more]});
            json!({"anyOf": [branch("x"), branch("y"), {"required": ["no"]}]})
        })
    };
    for levels in [2, 4, 6, 8] {
        let schema = nested(levels);
        let document = (0..levels).fold(json!({}), |inner, _| json!({"a": inner, "b": [1, 2, 3]}));
        let (_, steps) = check(&schema, &document);
        let (violations, searched) = search(&schema, &document);
        assert!((1..40).contains(&violations), "{violations}");
        assert!(searched < 4 * steps, "{levels}: {steps} steps of the check, {searched} of the search");
    }
}

#[test]
fn the_search_for_errors_ends_where_many_ways_lead_to_a_value() {
    let links: [Link; 3] = [
        |_, next| json!({"allOf": [next, next]}),
        |_, next| json!({"anyOf": [next, next]}),
        |_, next| json!({"oneOf": [{"allOf": [next, next]}, {"not": {}}]}),
    ];
    for link in links {
        for (last, beside) in [
            (json!({"type": "object", "required": ["x", "y"]}), json!({})),
            (json!({"minProperties": 2}), json!({})),
            (json!({"type": "object"}), json!({"not": {}})),
        ] {
            let mut schema = json!({"properties": {"a": {"$ref": "#/$defs/d0"}, "b": beside}});
            schema["$defs"] = chain(40, &last, link).into();
            for value in [json!({}), json!("text"), json!([1])] {
                for size in [0, 600] {
                    let document = json!({"a": value, "b": vec![1; size]});
                    let (violations, steps) = search(&schema, &document);
                    assert_eq!(violations == 0, check(&schema, &document).0, "{schema} {document}");
                    assert!(steps < 1_000_000, "{steps} for {schema}");
                }
            }
        }
    }
}
