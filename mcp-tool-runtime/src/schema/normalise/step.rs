//! One step alone, for the examples in the documentation of each.

use serde_json::{Map, Value};

use super::{
    booleans, closing, defaults, enums, formats, hoist, inline, merge, optional, order, prune, standard, titles, tuples,
};

/// A schema after one step.
///
/// # Panics
///
/// When there is no such step.
pub(crate) fn step(name: &str, mut schema: Value) -> Value {
    let run: fn(&mut Value) = match name {
        "hoist" => hoist::hoist,
        "standard" => standard::standard,
        "titles" => titles::titles,
        "formats" => formats::formats,
        "inline" => inline::inline,
        "optional" => optional::optional,
        "defaults" => defaults::defaults,
        "enums" => enums::enums,
        "tuples" => tuples::tuples,
        "plain" => closing::plain,
        "arguments" => |schema| closing::arguments(schema, false),
        "booleans" => booleans::booleans,
        "prune" => prune::prune,
        "order" => order::order,
        other => panic!("no step is called `{other}`"),
    };
    run(&mut schema);
    schema
}

/// Two schemas as one: see [`merge::merge`].
pub(crate) fn merged(site: Value, inner: Value) -> Value {
    match site {
        Value::Object(site) => merge::merge(site, inner),
        _ => merge::merge(Map::new(), inner),
    }
}
