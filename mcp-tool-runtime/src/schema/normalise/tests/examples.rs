//! Tests the example in the documentation of each step.

use serde_json::{Map, Value};

use crate::schema::Side;
use crate::schema::normalise::*;

/// Runs a step on the schema `before`, or on the schemas `site` and `inner`.
type Run = fn(Vec<Value>) -> Value;

macro_rules! step {
    ($file:literal, $step:expr) => {{
        let run: Run = |mut schemas| {
            let step: fn(&mut Value) = $step;
            step(&mut schemas[0]);
            schemas.remove(0)
        };
        (include_str!(concat!("../", $file)), run)
    }};
}

fn merged(mut schemas: Vec<Value>) -> Value {
    let inner = schemas.remove(1);
    merge::merge(schemas[0].as_object().cloned().unwrap_or_else(Map::new), inner)
}

/// Returns the schemas of the examples in a source file. Each starts with a word such as `before`.
fn examples(source: &str) -> Vec<(&str, String)> {
    let mut examples: Vec<(&str, String)> = Vec::new();
    let blocks = source.split("/// ```text\n").skip(1).filter_map(|block| block.split("/// ```").next());
    for line in blocks.flat_map(str::lines).map(|line| line.trim_start().trim_start_matches("///")) {
        match line.strip_prefix(' ').and_then(|line| line.split_once(' ')) {
            Some((word @ ("before" | "after" | "site" | "inner"), json)) => examples.push((word, json.to_owned())),
            _ => examples.last_mut().expect("the first line has a word").1.push_str(line),
        }
    }
    examples
}

#[test]
fn the_documented_example_of_each_step_is_true() {
    let steps: [(&str, Run); 17] = [
        step!("arguments.rs", |schema| arguments::arguments(schema, false)),
        step!("booleans.rs", booleans::booleans),
        step!("comments.rs", comments::comments),
        step!("defaults.rs", defaults::defaults),
        step!("enums.rs", enums::enums),
        step!("formats.rs", |schema| formats::formats(schema, Side::Output)),
        step!("graph.rs", |schema| drop(graph::prune(schema))),
        step!("hoist.rs", hoist::hoist),
        step!("inline.rs", inline::inline),
        (include_str!("../merge.rs"), merged),
        step!("optional.rs", optional::optional),
        step!("order.rs", order::order),
        step!("own_null.rs", |schema| _ = own_null::own_null(schema)),
        step!("std_types.rs", std_types::std_types),
        step!("titles.rs", titles::titles),
        step!("tuples.rs", tuples::tuples),
        step!("unevaluated.rs", unevaluated::unevaluated),
    ];
    for (source, run) in steps {
        let mut given = Vec::new();
        let mut count = 0;
        for (word, json) in examples(source) {
            let schema: Value = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
            if word == "after" {
                assert_eq!(run(std::mem::take(&mut given)).to_string(), schema.to_string());
                count += 1;
            } else {
                given.push(schema);
            }
        }
        assert!(count > 0, "{source}");
    }
}
