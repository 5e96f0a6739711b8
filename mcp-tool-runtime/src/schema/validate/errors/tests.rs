use serde_json::{Value, json};

use super::*;
use crate::document::path::Step;
use crate::document::reader;
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
