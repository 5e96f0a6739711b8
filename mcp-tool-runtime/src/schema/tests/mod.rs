//! Checks real types: serde and the published schema accept the same values (rule T17), and the schema meets all rules.

mod arguments;
mod official_suite;
mod single_arguments;
mod types;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{check, reference, walk};

/// The arguments of a tool with one parameter.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Holder<T> {
    value: T,
}

fn input<T: JsonSchema>() -> Value {
    super::input(&mut T::json_schema, false).0
}

fn output<T: JsonSchema>() -> Value {
    super::output(&mut |generator| Some(T::json_schema(generator))).expect("the type has a schema")
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Asserts that serde and the input schema of `T` accept every value in `good` and refuse every value in `bad`, and
/// that the output schema accepts what serde writes for the good ones.
fn assert_agreement<T: Serialize + DeserializeOwned + JsonSchema>(good: &Value, bad: &Value) {
    let (input, output) = (input::<T>(), output::<T>());
    assert_rules(&input);
    assert_rules(&output);
    assert_eq!(check::input(&input, true, false), [""; 0], "{input}");
    assert_eq!(check::output(&output, false), [""; 0], "{output}");
    let (reader, writer) = (validator(&input), validator(&output));
    let instances = |list: &Value| list.as_array().expect("a list of instances").clone();
    assert!(!instances(good).is_empty() && !instances(bad).is_empty(), "a test that cannot fail");
    for instance in instances(good) {
        let read = serde_json::from_value::<T>(instance.clone()).unwrap_or_else(|error| panic!("{error}: {instance}"));
        assert!(reader.is_valid(&instance), "{instance} is refused by {input}");
        let written = serde_json::to_value(read).expect("the type can be written");
        assert!(writer.is_valid(&written), "{written} is refused by {output}");
    }
    for instance in instances(bad) {
        assert!(serde_json::from_value::<T>(instance.clone()).is_err(), "{instance} is read by serde");
        assert!(!reader.is_valid(&instance), "{instance} is accepted by {input}");
    }
}

/// Calls [`assert_agreement`] with each value as the only argument.
fn assert_value_agreement<T: Serialize + DeserializeOwned + JsonSchema>(good: &Value, bad: &Value) {
    let held = |list: &Value| -> Value {
        list.as_array().into_iter().flatten().map(|value| json!({ "value": value })).collect()
    };
    assert_agreement::<Holder<T>>(&held(good), &held(bad));
}

/// Asserts the rules that hold for every derived schema.
fn assert_rules(schema: &Value) {
    assert!(jsonschema::meta::is_valid(schema), "not valid 2020-12: {schema}");
    assert!(schema.get("$ref").is_none(), "the root is a reference: {schema}");
    let mut uses = std::collections::BTreeMap::<String, usize>::new();
    walk::visit(schema, &mut |subschema| {
        assert!(subschema.get("$schema").is_none(), "T2: {schema}");
        assert!(subschema.get("title").is_none(), "T2: {schema}");
        if let Some(target) = subschema.get("$ref").and_then(Value::as_str) {
            let name = reference::definition_name(subschema).unwrap_or_else(|| panic!("T3: {target}"));
            assert!(reference::resolve(schema, target).is_some(), "T3: {target}");
            *uses.entry(name).or_default() += 1;
        }
        let format = subschema.get("format").and_then(Value::as_str).unwrap_or("date");
        assert!(["date", "date-time", "uuid", "ipv4", "ipv6"].contains(&format), "T5: {format}");
        assert!(subschema.get("prefixItems").is_none() || subschema.get("items").is_some(), "T9: {schema}");
    });
    for name in schema.get("$defs").and_then(Value::as_object).into_iter().flat_map(|definitions| definitions.keys()) {
        assert!(uses.contains_key(name), "T3: nothing uses {name}");
    }
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (name, property) in properties {
        walk::visit(property, &mut |subschema| {
            walk::visit_children(subschema, |location, child| {
                let closes = matches!(location.keyword, "additionalProperties" | "unevaluatedProperties");
                assert!(!child.is_boolean() || closes && *child == false, "T4: {name} has a boolean at {location:?}");
            });
        });
        assert!(!property.is_boolean(), "T4: {name} is a boolean");
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Both {
    #[serde(rename(serialize = "written", deserialize = "read"))]
    value: u8,
    #[serde(default)]
    defaulted: bool,
}

#[test]
fn input_uses_the_deserialize_contract_and_output_the_serialize_contract() {
    assert_eq!(input::<Both>()["required"], json!(["read"]));
    assert_eq!(output::<Both>()["required"], json!(["written", "defaulted"]));
}

#[test]
fn a_result_without_a_schema_has_none() {
    assert_eq!(super::output(&mut |_| None), None);
}
