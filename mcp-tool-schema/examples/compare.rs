//! Compares this crate with the crate `jsonschema`: on the official test suite, on time, and on hostile schemas.
//!
//!     JSON_SCHEMA_SUITE=$(python3 .ci/schema_suite.py) cargo run --release -p mcp-tool-schema --example compare
//!
//! Prints the tables of the README.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, hint};

use mcp_tool_schema::Validator;
use mcp_tool_schema::json::reader::{read_text, read_value};
use serde_json::{Value, json};

const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

fn theirs(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::options().should_validate_formats(true).offline().build(schema).ok()
}

/// Counts the cases of a folder: all, and for each crate those that are right and those whose schema is refused.
fn count(folder: &Path, uri: Option<&str>) -> [usize; 5] {
    let mut counts = [0; 5];
    let files = fs::read_dir(folder).expect("a folder of the suite").map(|entry| entry.expect("a file").path());
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let groups: Value = serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
        for group in groups.as_array().expect("groups") {
            let mut schema = group["schema"].clone();
            if let (Value::Object(schema), Some(uri)) = (&mut schema, uri) {
                schema.entry("$schema").or_insert_with(|| uri.into());
            }
            let (ours, theirs) = (Validator::compile_linear(&schema), theirs(&schema));
            for test in group["tests"].as_array().expect("tests") {
                counts[0] += 1;
                match &ours {
                    Err(_) => counts[2] += 1,
                    Ok(ours) => {
                        let found = read_value(&test["data"]).is_ok_and(|document| ours.accepts(document.root()));
                        counts[1] += usize::from(found == test["valid"]);
                    }
                }
                match &theirs {
                    None => counts[4] += 1,
                    Some(theirs) => counts[3] += usize::from(theirs.is_valid(&test["data"]) == test["valid"]),
                }
            }
        }
    }
    counts
}

fn suite(root: &Path) {
    println!("| dialect | part | cases | right | refused | right, `jsonschema` | refused, `jsonschema` |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (dialect, folder, uri) in [("2020-12", "draft2020-12", None), ("draft 7", "draft7", Some(DRAFT_7))] {
        for (part, below) in [("required", ""), ("optional", "optional"), ("formats", "optional/format")] {
            let counts = count(&root.join("tests").join(folder).join(below), uri);
            println!("| {dialect} | {part} | {} |", counts.map(|count| count.to_string()).join(" | "));
        }
    }
}

/// Returns the least time of a run, in nanoseconds.
fn time(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let (start, mut runs) = (Instant::now(), 0_u32);
        while start.elapsed() < Duration::from_millis(20) {
            run();
            runs += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(runs));
    }
    best * 1e9
}

fn order_schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["id", "customer", "items"],
        "properties": {
            "id": { "type": "string", "format": "uuid" },
            "customer": { "$ref": "#/$defs/customer" },
            "items": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/item" } },
            "note": { "type": ["string", "null"], "maxLength": 200 },
        },
        "$defs": {
            "customer": {
                "type": "object", "required": ["name", "email"],
                "properties": { "name": { "type": "string", "minLength": 1 }, "email": { "type": "string", "format": "email" } },
            },
            "item": {
                "type": "object", "additionalProperties": false, "required": ["sku", "quantity", "price"],
                "properties": {
                    "sku": { "type": "string", "pattern": "^[A-Z]{2}-\\d{4}$" },
                    "quantity": { "type": "integer", "minimum": 1, "maximum": 100 },
                    "price": { "type": "number", "exclusiveMinimum": 0 },
                    "size": { "enum": ["small", "medium", "large"] },
                    "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
                },
            },
        },
    })
}

fn order() -> Value {
    let items: Vec<_> = (0..20)
        .map(|at| json!({ "sku": format!("AB-{:04}", 1_000 + at), "quantity": 1 + at, "price": 9.5, "size": "medium", "tags": ["new", "sale"] }))
        .collect();
    let customer = json!({ "name": "Ada", "email": "ada@example.com" });
    json!({ "id": "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "customer": customer, "items": items, "note": null })
}

fn times() {
    println!("| an order of 20 items | this crate | `jsonschema` | ratio |");
    println!("| --- | --- | --- | --- |");
    let row = |what: &str, ours: f64, theirs: f64| {
        println!("| {what} | {:.1} µs | {:.1} µs | {:.2} |", ours / 1e3, theirs / 1e3, ours / theirs);
    };
    let (schema, value) = (order_schema(), order());
    let text = value.to_string();
    let wrong = text.replace("\"quantity\":7", "\"quantity\":700");
    let (ours, theirs_) = (Validator::compile_linear(&schema).expect("a schema"), theirs(&schema).expect("a schema"));
    row(
        "compile the schema",
        time(|| drop(hint::black_box(Validator::compile_linear(&schema)))),
        time(|| drop(hint::black_box(theirs(&schema)))),
    );
    row(
        "from bytes to the verdict",
        time(|| assert!(ours.accepts(read_text(&text).expect("JSON").root()))),
        time(|| assert!(theirs_.is_valid(&serde_json::from_str(&text).expect("JSON")))),
    );
    row(
        "from a `Value` to the verdict",
        time(|| assert!(ours.accepts(read_value(&value).expect("a document").root()))),
        time(|| assert!(theirs_.is_valid(&value))),
    );
    row(
        "from bytes to the message of a mistake",
        time(|| {
            let document = read_text(&wrong).expect("JSON");
            assert!(!ours.violations(document.root(), &schema)[0].to_string().is_empty());
        }),
        time(|| {
            let value = serde_json::from_str(&wrong).expect("JSON");
            assert!(theirs_.iter_errors(&value).next().is_some_and(|error| !error.to_string().is_empty()));
        }),
    );
}

fn hostile() {
    println!("| hostile schema | document | this crate | `jsonschema` |");
    println!("| --- | --- | --- | --- |");
    let once = |run: &dyn Fn() -> bool| {
        let start = Instant::now();
        let verdict = run();
        (start.elapsed(), verdict)
    };
    let row = |what: &str, document: &str, schema: &Value, value: &Value| {
        let ours = Validator::compile_linear(schema).expect("a schema");
        let theirs = theirs(schema).expect("a schema");
        let (fast, verdict) = once(&|| ours.accepts(read_value(value).expect("a document").root()));
        let (slow, other) = once(&|| theirs.is_valid(value));
        assert_eq!(verdict, other, "{what}");
        println!("| {what} | {document} | {fast:.1?} | {slow:.1?} |");
    };
    // Each branch that refuses the value has looked at the values inside it.
    let twice = json!({ "$ref": "#/$defs/list", "$defs": { "list": { "anyOf": [
        { "type": "integer" },
        { "type": "array", "items": { "$ref": "#/$defs/list" } },
        { "type": "array", "items": { "$ref": "#/$defs/list" }, "maxItems": 5 },
    ] } } });
    let value = (0..25).fold(json!("no integer"), |inner, _| json!([inner]));
    row("two branches that lead to the same schema", "25 nested arrays", &twice, &value);
    for levels in [4, 6, 8, 9] {
        let schema = (0..levels).fold(
            json!({ "properties": { "a": true } }),
            |inner, _| json!({ "anyOf": [inner.clone(), { "allOf": [inner] }], "unevaluatedProperties": false }),
        );
        let what = format!("`unevaluatedProperties` inside one another, {levels} levels");
        row(&what, "one property", &schema, &json!({ "a": 1 }));
    }
    let objects: Vec<_> = (0..4_000).map(|at| json!({ "a": at, "b": [at] })).collect();
    row("`uniqueItems`", "4,000 objects", &json!({ "uniqueItems": true }), &objects.into());
    let values: Vec<_> = (0..4_000).map(|at| json!({ "a": at })).collect();
    let given: Vec<_> = values.iter().rev().cloned().collect();
    row("an `enum` of 4,000 objects", "4,000 objects", &json!({ "items": { "enum": values } }), &given.into());
}

fn main() {
    match env::var("JSON_SCHEMA_SUITE") {
        Ok(folder) => suite(Path::new(&folder)),
        Err(_) => println!("`JSON_SCHEMA_SUITE` is not the folder of the suite, so the suite is left out"),
    }
    println!();
    times();
    println!();
    hostile();
}
