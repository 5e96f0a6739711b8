use serde_json::{Value, json};

use super::*;
use crate::json::path::Step;
use crate::json::reader;
use crate::schema::validate::checker::ROOT;
use crate::schema::validate::memo::{LargeFloats, Memo};
use crate::schema::validate::{CompiledSchema, compile, descend, messages};

/// The number of names that an item requires.
const REQUIRED: usize = 50;

fn item() -> Value {
    json!({ "type": "object", "required": (0..REQUIRED).map(|n| format!("r{n}")).collect::<Vec<_>>() })
}

fn lists_of(item: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "array", "items": item } })
}

/// Returns the address of the first key of each path.
fn first_keys(errors: &[Error<'_>]) -> Vec<*const u8> {
    let first = |error: &Error<'_>| match error.path.steps() {
        [Step::Key(key), ..] => key.as_ptr(),
        _ => unreachable!("a path that starts with a key"),
    };
    let mut keys: Vec<_> = errors.iter().map(first).collect();
    keys.dedup();
    keys
}

#[test]
fn the_search_ends_at_the_limit_and_the_errors_share_their_keys() {
    let checker = compile::compile(&lists_of(&item())).expect("a schema");
    let value = json!({ "k".repeat(1_000): vec![json!({}); 490] });
    let document = reader::read_value(&value).expect("a document");
    let errors =
        Collector::new(&checker, Memo::of_search(document.root())).collect(ROOT, document.root(), &Path::default());
    assert_eq!(errors.kept.len(), MAX_ERRORS);
    // The item in which the limit is reached is the last one that is looked at.
    assert!(errors.count < MAX_ERRORS + REQUIRED, "{}", errors.count);
    assert_eq!(first_keys(&errors.kept).len(), 1);
}

#[test]
fn the_errors_of_a_branch_are_counted_beyond_the_limit() {
    let schema = json!({ "anyOf": [lists_of(&item()), { "type": "null" }] });
    let checker = compile::compile(&schema).expect("a schema");
    let value = json!({ "k".repeat(1_000): vec![json!({}); 490] });
    let document = reader::read_value(&value).expect("a document");
    let errors =
        Collector::new(&checker, Memo::of_search(document.root())).collect(ROOT, document.root(), &Path::default());
    let [Error { kind: ErrorKind::Union { likely: Some(likely), .. }, .. }] = &errors.kept[..] else {
        panic!("{errors:?}");
    };
    assert_eq!(likely.len(), MAX_ERRORS);
    assert_eq!(first_keys(likely).len(), 1);
    let violations = messages::violations(&errors, &schema);
    assert_eq!(violations.len(), MAX_FOUND);
    assert!(violations[32].path.to_string().ends_with("[0].r32"), "{}", violations[32].path);
}

#[test]
fn the_branch_with_fewer_errors_beyond_the_limit_is_chosen() {
    let other = json!({ "type": "object", "required": (1..REQUIRED).map(|n| format!("s{n}")).collect::<Vec<_>>() });
    let schema = json!({ "anyOf": [lists_of(&item()), lists_of(&other), lists_of(&item())] });
    let checker = compile::compile(&schema).expect("a schema");
    let value = json!({ "key": vec![json!({}); 490] });
    let document = reader::read_value(&value).expect("a document");
    let errors =
        Collector::new(&checker, Memo::of_search(document.root())).collect(ROOT, document.root(), &Path::default());
    let violations = messages::violations(&errors, &schema);
    assert_eq!(violations[0].path.to_string(), "key[0].s1");
}

#[test]
fn the_names_of_an_object_are_kept_up_to_the_limit() {
    let schema = json!({ "type": "object", "propertyNames": { "pattern": "^[a-z]+$" } });
    let checker = compile::compile(&schema).expect("a schema");
    let value: Value = (0..400).map(|n| (n.to_string(), json!(0))).collect();
    let document = reader::read_value(&value).expect("a document");
    let errors =
        Collector::new(&checker, Memo::of_search(document.root())).collect(ROOT, document.root(), &Path::default());
    assert_eq!((errors.kept.len(), errors.count), (MAX_ERRORS, MAX_ERRORS));
    let closed = json!({ "type": "object", "additionalProperties": false });
    let checker = compile::compile(&closed).expect("a schema");
    let errors =
        Collector::new(&checker, Memo::of_search(document.root())).collect(ROOT, document.root(), &Path::default());
    let [Error { kind: ErrorKind::Unknown { names, .. }, .. }] = &errors.kept[..] else { panic!("{errors:?}") };
    assert_eq!(names.len(), MAX_FOUND);
}

#[test]
fn both_searches_list_the_same_violations() {
    let item = json!({ "type": "object", "required": ["a"], "properties": { "b": { "type": "integer" } } });
    let schema = lists_of(&item);
    let compiled = CompiledSchema::new(&schema).expect("a schema");
    let item = |n: usize| [json!({ "a": 1 }), json!({ "b": "x" }), json!({ "a": 1, "b": n })][n % 3].clone();
    let value = json!({ "key": (0..60).map(item).collect::<Vec<_>>() });
    let document = reader::read_value(&value).expect("a document");
    let found = compiled.violations(document.root(), &schema);
    assert_eq!(found.len(), MAX_FOUND);
    assert_eq!(found, descend::violations(&compiled.checker, &schema, document.root(), LargeFloats::Inexact));
    assert_eq!(found[32].path.to_string(), "key[49].a");
}

/// Returns the violations that the search finds, as `path: message`, and whether it was exhausted.
fn search(schema: &Value, value: &Value) -> (Vec<String>, bool) {
    let checker = compile::compile(schema).expect("a schema");
    let document = reader::read_value(value).expect("a document");
    let mut collector = Collector::new(&checker, Memo::of_search(document.root()));
    let errors = collector.collect(ROOT, document.root(), &Path::default());
    let found = messages::violations(&errors, schema);
    (found.iter().map(|found| format!("{}: {}", found.path, found.message)).collect(), collector.is_exhausted())
}

#[test]
fn each_keyword_has_its_own_message() {
    for (property, value, message) in [
        (json!({ "uniqueItems": true }), json!([1, 1]), "a: expected no duplicate elements"),
        (
            json!({ "contains": { "type": "integer" } }),
            json!(["x"]),
            "a: expected at least one element that matches `contains`",
        ),
        (json!({ "prefixItems": [{}], "unevaluatedItems": false }), json!([1, 2]), "a: too many elements"),
        (json!({ "minProperties": 2 }), json!({}), "a: expected at least 2 properties"),
        (json!({ "maxProperties": 1 }), json!({ "b": 1, "c": 2 }), "a: expected at most 1 property"),
        (json!({ "dependentRequired": { "b": ["c"], "d": ["e"] } }), json!({ "b": 1 }), "a.c: required, but missing"),
        (
            json!({ "dependentSchemas": { "b": { "required": ["c"] }, "d": { "required": ["e"] } } }),
            json!({ "b": 1 }),
            "a.c: required, but missing",
        ),
    ] {
        let (found, _) = search(&json!({ "properties": { "a": property } }), &json!({ "a": value }));
        assert_eq!(found, [message], "{property}");
    }
}

#[test]
fn a_value_that_is_not_the_constant_of_a_branch_excludes_it_at_the_top_and_one_step_below() {
    let value = json!({ "t": { "u": 3 } });
    let at = |depth: usize, schema: Value| {
        ["u", "t"][2 - depth..].iter().fold(schema, |schema, name| json!({ "properties": { *name: schema } }))
    };
    let is_excluded = |branch: Value| {
        // Unless it is excluded, the first branch is nearer, because it lacks no property.
        let (found, _) = search(&json!({ "anyOf": [branch, { "required": ["x"] }] }), &value);
        assert_eq!(found.len(), 1, "{found:?}");
        found == ["x: required, but missing"]
    };
    let (one, several) = (json!({ "enum": [1] }), json!({ "enum": [1, 2] }));
    for (schema, excludes) in
        [(json!({ "const": 1 }), [true, true, false]), (one, [true, true, false]), (several, [true, false, false])]
    {
        for (depth, expected) in excludes.into_iter().enumerate() {
            assert_eq!(is_excluded(at(depth, schema.clone())), expected, "{schema} at depth {depth}");
        }
    }
}

#[test]
fn a_branch_with_all_properties_is_nearer_than_one_with_fewer_errors() {
    let least = json!({ "minimum": 5 });
    let branches = json!([{ "required": ["x"] }, { "properties": { "t": least, "u": least } }]);
    let (found, _) = search(&json!({ "anyOf": branches }), &json!({ "t": 1, "u": 1 }));
    assert_eq!(found, ["t: expected 5 or more", "u: expected 5 or more"]);
}

#[test]
fn the_names_beyond_the_limit_count_for_the_choice_of_a_branch() {
    let any = json!({ "propertyNames": { "pattern": "^[a-z]+$" } });
    let long = json!({ "propertyNames": { "maxLength": 2 } });
    let value: Value = (0..400).map(|n| (n.to_string(), json!(0))).collect();
    for branches in [json!([any, long]), json!([long, any])] {
        let (found, _) = search(&json!({ "anyOf": branches }), &value);
        assert_eq!(found.len(), MAX_FOUND);
        assert!(found[0].ends_with("the name is not allowed: expected at most 2 characters"), "{}", found[0]);
    }
}

#[test]
fn the_errors_inside_unions_count_towards_the_limit() {
    let schema = json!({ "items": { "anyOf": [{ "required": ["x", "y"] }, { "type": "null" }] } });
    let checker = compile::compile(&schema).expect("a schema");
    let value = json!(vec![json!({}); 490]);
    let document = reader::read_value(&value).expect("a document");
    let errors =
        Collector::new(&checker, Memo::of_search(document.root())).collect(ROOT, document.root(), &Path::default());
    // Each union has an error of its own, and the two of its likely branch.
    assert_eq!((errors.kept.len(), errors.weight), (MAX_ERRORS / 3, MAX_ERRORS));
}

/// A union whose first branch is meant.
fn or_null(branch: &Value) -> Value {
    json!({ "anyOf": [branch, { "type": "null" }] })
}

#[test]
fn the_other_search_takes_over_when_the_steps_are_used_up() {
    let all: Vec<_> = (0..200).map(|n| json!({ "required": [format!("r{n}")] })).collect();
    let schema = or_null(&json!({ "type": "array", "items": { "allOf": all } }));
    let value = json!(vec![json!({}); 490]);
    assert!(search(&schema, &value).1);
    let compiled = CompiledSchema::new(&schema).expect("a schema");
    let document = reader::read_value(&value).expect("a document");
    let found = compiled.violations(document.root(), &schema);
    assert_eq!(found, descend::violations(&compiled.checker, &schema, document.root(), LargeFloats::Inexact));
    assert_eq!((found.len(), found[32].path.to_string()), (MAX_FOUND, "[0].r32".to_owned()));
}

#[test]
fn the_names_of_an_object_share_the_steps() {
    let all = vec![json!({ "pattern": "^[a-z]+$" }); 200];
    let schema = or_null(&json!({ "type": "object", "propertyNames": { "allOf": all } }));
    let names = |count: usize| -> Value { (0..count).map(|n| (n.to_string(), json!(0))).collect() };
    assert!(!search(&schema, &names(200)).1);
    assert!(search(&schema, &names(400)).1);
}

#[test]
fn the_branches_of_a_union_beyond_the_limit_are_not_searched() {
    let alike = vec![json!({ "required": ["x"] }); 160];
    let schema = or_null(&json!({ "type": "array", "items": { "anyOf": alike } }));
    let (found, is_exhausted) = search(&schema, &json!(vec![json!({}); 490]));
    assert_eq!(found.len(), MAX_FOUND);
    assert!(!is_exhausted);
}
