//! Runs a single step, for the examples in the documentation of the steps.

use serde_json::{Map, Value};

use super::{
    arguments, booleans, defaults, enums, formats, hoist, inline, merge, optional, order, prune, std_types, titles,
    tuples, unevaluated, wide_formats,
};

/// Returns the schema after one step.
///
/// # Panics
///
/// Panics if there is no step with this name.
pub(crate) fn step(name: &str, mut schema: Value) -> Value {
    let run: fn(&mut Value) = match name {
        "hoist" => hoist::hoist,
        "titles" => titles::titles,
        "std_types" => std_types::std_types,
        "durations" => wide_formats::durations,
        "wide_formats" => wide_formats::wide_formats,
        "formats" => formats::formats,
        "inline" => inline::inline,
        "optional" => optional::optional,
        "defaults" => defaults::defaults,
        "enums" => enums::enums,
        "tuples" => tuples::tuples,
        "unevaluated" => unevaluated::unevaluated,
        "arguments" => |schema| arguments::arguments(schema, false),
        "booleans" => booleans::booleans,
        "prune" => prune::prune,
        "order" => order::order,
        other => panic!("no step is named `{other}`"),
    };
    run(&mut schema);
    schema
}

/// Returns two schemas merged into one: see [`merge::merge`].
pub(crate) fn merged(site: Value, inner: Value) -> Value {
    match site {
        Value::Object(site) => merge::merge(site, inner),
        _ => merge::merge(Map::new(), inner),
    }
}
