//! The expected answer of a dispatcher, computed from the published schema and rule I3 without the dispatcher.

pub use jsonschema::Validator;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Value, json};

use crate::zoo::{Alias, Specimen};

/// Predicts whether a dispatcher accepts arguments for one tool.
#[derive(Debug)]
pub struct Oracle {
    /// The published schema.
    published: Validator,
    /// The published schema, with integers limited to 64 bits.
    bounded: Validator,
    /// Accepts `null` for every optional property too.
    nullable: Validator,
    /// Has every `oneOf` as `anyOf` too, because with a `null` a value can match more than one branch.
    any_branch: Validator,
    aliases: &'static [Alias],
    stricter: Option<fn(&Value) -> bool>,
}

/// The expected answer for some arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether the published schema accepts them. Every validator must agree with this.
    pub schema_accepts: bool,
    /// Whether the dispatcher must accept them.
    pub accepted: bool,
    /// Whether they are nested too deeply, so that the dispatcher must refuse them (rule I4).
    pub too_deep: bool,
    /// The arguments, with published names instead of the aliases of parameters.
    pub canonical: Value,
}

impl Oracle {
    /// Creates an oracle from the schema that the dispatcher published.
    #[must_use]
    pub fn new(specimen: &Specimen, schema: &Value) -> Self {
        let mut bounded = schema.clone();
        visit(&mut bounded, &mut |subschema| bound_integers(subschema, specimen.wide));
        let mut nullable = bounded.clone();
        visit(&mut nullable, &mut accept_null);
        let mut any_branch = nullable.clone();
        visit(&mut any_branch, &mut |subschema| {
            if let Some(branches) = subschema.as_object_mut().and_then(|keywords| keywords.remove("oneOf")) {
                match subschema.get_mut("anyOf") {
                    None => subschema["anyOf"] = branches,
                    Some(_) => subschema["allOf"] = json!([{"anyOf": branches}]),
                }
            }
        });
        Self {
            published: validator(schema),
            bounded: validator(&bounded),
            nullable: validator(&nullable),
            any_branch: validator(&any_branch),
            aliases: specimen.aliases,
            stricter: specimen.stricter.map(|(_, refuses)| refuses),
        }
    }

    /// Returns the expected answer for some arguments.
    #[must_use]
    pub fn verdict(&self, arguments: &Value) -> Verdict {
        let schema_accepts = self.published.is_valid(arguments);
        let mut canonical = arguments.clone();
        let names_are_unique = self.aliases.iter().all(|(alias, name)| rename(&mut canonical, alias, name));
        let accepts = |value: &Value| {
            self.bounded.is_valid(value)
                || self.nullable.is_valid(value)
                || self.any_branch.is_valid(value) && self.bounded.is_valid(&without_nulls(value))
        };
        let stricter = self.stricter.is_some_and(|refuses| refuses(&canonical));
        let too_deep = depth(arguments) > MAX_DEPTH;
        let accepted = names_are_unique && !too_deep && accepts(&canonical) && !stricter;
        Verdict { schema_accepts, accepted, too_deep, canonical }
    }
}

/// The maximum depth of a document that a dispatcher reads.
const MAX_DEPTH: usize = 120;

/// Returns the depth of the deepest value below the root.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(|element| 1 + depth(element)).max().unwrap_or(0),
        Value::Object(object) => object.values().map(|value| 1 + depth(value)).max().unwrap_or(0),
        _ => 0,
    }
}

/// Creates a validator as clients use it: with the dialect 2020-12, asserting formats.
///
/// # Panics
///
/// Panics if the schema is invalid.
#[must_use]
pub fn validator(schema: &Value) -> Validator {
    let options = jsonschema::draft202012::options()
        .should_validate_formats(true)
        .with_keyword("x-64-bits", |_, signed, _| Ok(Box::new(Bits { signed: *signed == true })));
    options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Renames a property of the root, if it is there. Returns `false` if the new name is taken.
pub fn rename(arguments: &mut Value, from: &str, to: &str) -> bool {
    let Value::Object(arguments) = arguments else { return true };
    let Some(value) = arguments.get(from).cloned() else { return true };
    if arguments.contains_key(to) {
        return false;
    }
    arguments.remove(from);
    arguments.insert(to.to_owned(), value);
    true
}

/// Limits integers to what their Rust type can hold, and floats to those that represent one integer only.
fn bound_integers(schema: &mut Value, wide: bool) {
    let is_integer = match &schema["type"] {
        Value::Array(names) => names.iter().any(|name| name == "integer"),
        name => name == "integer",
    };
    if is_integer {
        let signed = !wide && schema["minimum"].as_f64().is_none_or(|minimum| minimum < 0.0);
        schema["x-64-bits"] = signed.into();
    }
}

/// Accepts `null` for optional properties.
fn accept_null(schema: &mut Value) {
    let required = schema["required"].clone();
    let required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|other| other == name));
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        if !required(name) {
            *property = json!({"anyOf": [property, {"type": "null"}]});
        }
    }
}

/// Returns the value without properties that are `null`.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
        }
        _ => value.clone(),
    }
}

/// Visits every subschema, innermost first.
fn visit(schema: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    let Some(keywords) = schema.as_object_mut() else { return };
    for (keyword, held) in keywords.iter_mut() {
        match (keyword.as_str(), held) {
            ("properties" | "patternProperties" | "$defs", Value::Object(named)) => {
                named.values_mut().for_each(|schema| self::visit(schema, visit));
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                for schema in list {
                    self::visit(schema, visit);
                }
            }
            (
                "items" | "additionalProperties" | "unevaluatedProperties" | "propertyNames" | "not" | "contains",
                one,
            ) => {
                self::visit(one, visit);
            }
            _ => {}
        }
    }
    visit(schema);
}

/// A keyword that limits integers to 64 bits.
struct Bits {
    signed: bool,
}

impl<'i> Keyword<'i> for Bits {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) { Ok(()) } else { Err(ValidationError::custom("more than 64 bits")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let Value::Number(number) = instance else { return true };
        match (number.as_u64(), number.as_f64()) {
            (Some(number), _) => !self.signed || i64::try_from(number).is_ok(),
            _ if number.is_i64() => true,
            (None, Some(number)) => number.abs() <= 9_007_199_254_740_992.0,
            (None, None) => false,
        }
    }
}
