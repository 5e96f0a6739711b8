//! What a dispatcher has to answer, found without it: by a validator on the published schema, and by rule I3.

pub use jsonschema::Validator;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Value, json};

use crate::zoo::{Alias, Specimen};

/// The published input schema of one tool, with what the dispatcher forgives and what it refuses besides.
#[derive(Debug)]
pub struct Judge {
    plain: Validator,
    exact: Validator,
    /// With `null` for every member that may be left out.
    nullable: Validator,
    /// The same with every `oneOf` as `anyOf`: with a `null` a value may fit a branch that it does not fit without.
    loose: Validator,
    aliases: &'static [Alias],
    stricter: Option<fn(&Value) -> bool>,
}

/// What a judge says of some arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether the schema alone admits them: what every validator has to say.
    pub admitted: bool,
    /// Whether the dispatcher has to accept them.
    pub accepted: bool,
    /// Whether they nest deeper than any schema says, so that the dispatcher has to refuse them (rule I4).
    pub too_deep: bool,
    /// The arguments with published names in place of the parameters' aliases.
    pub canonical: Value,
}

impl Judge {
    /// Judges by the schema that the dispatcher published.
    #[must_use]
    pub fn new(specimen: &Specimen, schema: &Value) -> Self {
        let mut exact = schema.clone();
        each(&mut exact, &mut |part| bound_integers(part, specimen.wide));
        let mut nullable = exact.clone();
        each(&mut nullable, &mut forgive_null);
        let mut loose = nullable.clone();
        each(&mut loose, &mut |part| {
            if let Some(branches) = part.as_object_mut().and_then(|part| part.remove("oneOf")) {
                match part.get_mut("anyOf") {
                    None => part["anyOf"] = branches,
                    Some(_) => part["allOf"] = json!([{"anyOf": branches}]),
                }
            }
        });
        Self {
            plain: validator(schema),
            exact: validator(&exact),
            nullable: validator(&nullable),
            loose: validator(&loose),
            aliases: specimen.aliases,
            stricter: specimen.stricter.map(|(_, refuses)| refuses),
        }
    }

    /// Judges arguments.
    #[must_use]
    pub fn judge(&self, arguments: &Value) -> Verdict {
        let admitted = self.plain.is_valid(arguments);
        let mut canonical = arguments.clone();
        let once = self.aliases.iter().all(|(alias, name)| rename(&mut canonical, alias, name));
        let admits = |value: &Value| {
            self.exact.is_valid(value)
                || self.nullable.is_valid(value)
                || self.loose.is_valid(value) && self.exact.is_valid(&without_nulls(value))
        };
        let stricter = self.stricter.is_some_and(|refuses| refuses(&canonical));
        let too_deep = depth(arguments) > MAX_DEPTH;
        let accepted = once && !too_deep && admits(&canonical) && !stricter;
        Verdict { admitted, accepted, too_deep, canonical }
    }
}

/// The levels of a document that a dispatcher reads.
const MAX_DEPTH: usize = 120;

/// How far below the root the deepest value stands.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(|element| 1 + depth(element)).max().unwrap_or(0),
        Value::Object(members) => members.values().map(|member| 1 + depth(member)).max().unwrap_or(0),
        _ => 0,
    }
}

/// A validator as any client has one: the dialect 2020-12, formats asserted.
///
/// # Panics
///
/// When the schema is not valid.
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

/// Where an integer is expected, one that its type cannot hold is refused, and a float that stands for several.
fn bound_integers(schema: &mut Value, wide: bool) {
    let is_integer = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "integer"),
        kind => kind == "integer",
    };
    if is_integer {
        let signed = !wide && schema["minimum"].as_f64().is_none_or(|least| least < 0.0);
        schema["x-64-bits"] = signed.into();
    }
}

fn forgive_null(schema: &mut Value) {
    let required = schema["required"].clone();
    let required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|other| other == name));
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        if !required(name) {
            *property = json!({"anyOf": [property, {"type": "null"}]});
        }
    }
}

/// Without the members that are `null`.
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

/// Visits every schema in a schema, innermost first.
fn each(schema: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    let Some(keywords) = schema.as_object_mut() else { return };
    for (keyword, held) in keywords.iter_mut() {
        match (keyword.as_str(), held) {
            ("properties" | "patternProperties" | "$defs", Value::Object(named)) => {
                named.values_mut().for_each(|schema| each(schema, visit));
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                for schema in list {
                    each(schema, visit);
                }
            }
            (
                "items" | "additionalProperties" | "unevaluatedProperties" | "propertyNames" | "not" | "contains",
                one,
            ) => {
                each(one, visit);
            }
            _ => {}
        }
    }
    visit(schema);
}

struct Bits {
    signed: bool,
}

impl<'i> Keyword<'i> for Bits {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) { Ok(()) } else { Err(ValidationError::custom("beyond 64 bits")) }
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
