//! Generates values that a schema usually accepts. Each keyword is handled separately, so combinations are left to chance.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::edges::{self, TEXTS};
use super::{pick, text};

/// Below this depth only required properties are generated.
const SHALLOW: usize = 5;

/// Generates values for a schema.
#[derive(Debug)]
pub struct Generator<'s> {
    root: &'s Value,
    /// Whether numbers and strings may be outside of what the schema accepts.
    wild: bool,
}

impl<'s> Generator<'s> {
    /// Creates a generator for a schema. References are resolved in the same schema.
    #[must_use]
    pub fn new(root: &'s Value) -> Self {
        Self { root, wild: false }
    }

    /// Generates a value.
    pub fn value(&self, rng: &mut Rng) -> Value {
        Self { wild: rng.u8(..4) == 0, ..*self }.of(rng, self.root, 0)
    }

    fn of(&self, rng: &mut Rng, schema: &Value, depth: usize) -> Value {
        if depth > 3 * SHALLOW {
            return Value::Null;
        }
        if let Some(target) = schema["$ref"].as_str().and_then(|target| self.root.pointer(target.strip_prefix('#')?)) {
            return self.of(rng, target, depth + 1);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            return pick(rng, values).clone();
        }
        let mut value = match schema.get("type") {
            Some(Value::String(name)) => self.of_type(rng, schema, name, depth),
            Some(Value::Array(names)) => {
                let name = pick(rng, names).as_str().unwrap_or_default();
                self.of_type(rng, schema, name, depth)
            }
            _ if schema.get("properties").is_some() => self.object(rng, schema, depth),
            _ => Value::Null,
        };
        let mut untyped = schema.get("type").is_none() && value.is_null();
        for union in ["oneOf", "anyOf"] {
            let Some(branches) = schema[union].as_array() else { continue };
            // A recursive schema must end somewhere, often with its first branch.
            let branch = if depth > SHALLOW && rng.bool() { &branches[0] } else { pick(rng, branches) };
            join(&mut value, self.of(rng, branch, depth + 1), &mut untyped);
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            join(&mut value, self.of(rng, part, depth + 1), &mut untyped);
        }
        // Branches with only a `format` rely on the `type` of the outer schema.
        if let (Value::String(_), Some(branches)) = (&value, schema["anyOf"].as_array())
            && let Some(format) = pick(rng, branches)["format"].as_str()
        {
            value = text::of_format(rng, format).into();
        }
        if untyped { any(rng, depth) } else { value }
    }

    fn of_type(&self, rng: &mut Rng, schema: &Value, kind: &str, depth: usize) -> Value {
        match kind {
            "null" => Value::Null,
            "boolean" => rng.bool().into(),
            "integer" => self.number(rng, schema, true),
            "number" => self.number(rng, schema, false),
            "string" => string(rng, schema).into(),
            "array" => self.array(rng, schema, depth),
            _ => self.object(rng, schema, depth),
        }
    }

    fn array(&self, rng: &mut Rng, schema: &Value, depth: usize) -> Value {
        let prefix = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        let min = schema["minItems"].as_u64().unwrap_or(0);
        let max = schema["maxItems"].as_u64().unwrap_or(min + 3).min(min + 3).max(min);
        let max = if depth > SHALLOW { min } else { max };
        let count = usize::try_from(rng.u64(min..=max)).unwrap_or(0).max(prefix.len());
        let element = |index: usize| prefix.get(index).unwrap_or(&schema["items"]);
        (0..count).map(|index| self.of(rng, element(index), depth + 1)).collect()
    }

    fn object(&self, rng: &mut Rng, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if required(name) || depth <= SHALLOW && rng.u8(..3) > 0 {
                object.insert(name.clone(), self.of(rng, property, depth + 1));
            }
        }
        if depth > SHALLOW {
            return object.into();
        }
        for (pattern, value) in schema["patternProperties"].as_object().into_iter().flatten() {
            for _ in 0..rng.u8(..3) {
                object.insert(text::of_pattern(rng, pattern), self.of(rng, value, depth + 1));
            }
        }
        let additional = &schema["additionalProperties"];
        if additional.is_object() && *additional != json!({"not": {}}) || *additional == true {
            for _ in 0..rng.u8(..3) {
                let key = self.of(rng, &schema["propertyNames"], depth + 1);
                let key = key.as_str().map_or_else(|| (*pick(rng, &TEXTS)).to_owned(), str::to_owned);
                object.insert(key, self.of(rng, additional, depth + 1));
            }
        }
        object.into()
    }

    fn number(&self, rng: &mut Rng, schema: &Value, integral: bool) -> Value {
        if let (Some(step), false) = (schema["multipleOf"].as_i64(), self.wild) {
            return json!(step * rng.i64(-20..20));
        }
        let bound = |names: [&str; 2]| names.iter().find_map(|name| schema[*name].as_f64());
        let min = bound(["exclusiveMinimum", "minimum"]);
        let max = bound(["exclusiveMaximum", "maximum"]);
        let near = |rng: &mut Rng, bound: f64| bound + f64::from(rng.i8(-2..=2)) * pick(rng, &[1.0, 0.5, 0.25]);
        let number = match (rng.u8(..6), min, max) {
            (0, Some(min), _) if self.wild => near(rng, min),
            (1, _, Some(max)) if self.wild => near(rng, max),
            (_, Some(min), Some(max)) if !self.wild => {
                let far = [min, max, 0.0, min.ceil(), max.floor(), (max - min).mul_add(rng.f64(), min)];
                pick(rng, &far).clamp(min, max)
            }
            _ => {
                let number = edges::number(rng);
                if self.wild || !integral {
                    return number;
                }
                let number = number.as_f64().unwrap_or_default().round().clamp(-1e18, 1e18);
                min.map_or(number, |min| number.abs().max(min))
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "any nearby integer is fine")]
        if integral && rng.u8(..8) > 0 {
            let inside = if number.round() > max.unwrap_or(f64::MAX) { number.floor() } else { number.round() };
            let inside = if inside < min.unwrap_or(f64::MIN) { inside + 1.0 } else { inside };
            edges::integer(inside as i128)
        } else if integral {
            json!(number.round())
        } else {
            json!(number)
        }
    }
}

/// Combines the values for two schemas that apply to the same value.
fn join(value: &mut Value, more: Value, untyped: &mut bool) {
    match (value, more) {
        (Value::Object(object), Value::Object(more)) => {
            for (name, value) in more {
                object.entry(name).or_insert(value);
            }
        }
        (value, more) if *untyped => {
            *value = more;
            *untyped = false;
        }
        _ => {}
    }
}

fn string(rng: &mut Rng, schema: &Value) -> String {
    if let Some(pattern) = schema["pattern"].as_str() {
        return text::of_pattern(rng, pattern);
    }
    if let Some(format) = schema["format"].as_str() {
        return text::of_format(rng, format);
    }
    let min = schema["minLength"].as_u64();
    let max = schema["maxLength"].as_u64();
    if min.is_none() && max.is_none() && rng.bool() {
        return (*pick(rng, &TEXTS)).to_owned();
    }
    text::of_length(rng, min.unwrap_or(0), max.unwrap_or(u64::MAX))
}

/// Returns any value.
pub(super) fn any(rng: &mut Rng, depth: usize) -> Value {
    match rng.u8(..if depth > SHALLOW { 5 } else { 8 }) {
        0 => Value::Null,
        1 => rng.bool().into(),
        2 => edges::number(rng),
        3 | 4 => (*pick(rng, &TEXTS)).into(),
        5 => (0..rng.u8(..3)).map(|_| any(rng, depth + 2)).collect(),
        _ => Value::Object((0..rng.u8(..3)).map(|_| ((*pick(rng, &TEXTS)).to_owned(), any(rng, depth + 2))).collect()),
    }
}
