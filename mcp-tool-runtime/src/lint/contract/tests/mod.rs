//! The comparison has no false negatives: if it reports no break, a validator accepts every value that it accepted before.

mod changes;
mod files;

use serde_json::{Map, Value, json};

use super::canonical;
use super::comparison::{breaks, compare};
use super::report::Side;

/// A random number generator that returns the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // The linear congruential generator of Knuth's MMIX. Its high bits are good enough here.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn schema(&mut self, depth: usize) -> Value {
        let mut schema = Map::new();
        if self.below(8) == 0 {
            return self.of(&[json!(true), json!(false), json!({}), json!({ "not": {} })]);
        }
        for _ in 0..=self.below(3) {
            let (keyword, said) = self.keyword(depth);
            schema.insert(keyword.to_owned(), said);
        }
        Value::Object(schema)
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let number = json!(self.below(4));
        let choice = self.below(if depth == 0 { 13 } else { 28 });
        let inner = |this: &mut Self| this.schema(depth.saturating_sub(1));
        match choice {
            0..=2 => ("type", self.of(&KINDS.map(Value::from))),
            3 => ("type", json!([self.of(&KINDS[..3]), self.of(&KINDS[3..])])),
            4 => ("enum", json!([self.of(&values()), self.of(&values())])),
            5 => ("const", self.of(&values())),
            6 => (self.of(&["minimum", "exclusiveMinimum"]), number),
            7 => (self.of(&["maximum", "exclusiveMaximum"]), number),
            8 => ("multipleOf", json!(self.below(3) + 1)),
            9 => (self.of(&["minLength", "maxLength", "minItems", "maxItems"]), number),
            10 => (self.of(&["minProperties", "maxProperties"]), number),
            11 => ("required", json!([self.of(&["a", "b"])])),
            12 => ("uniqueItems", json!(true)),
            13..=15 => ("properties", json!({ "a": inner(self), "b": inner(self) })),
            16 => ("properties", json!({ "a": inner(self) })),
            17 => ("additionalProperties", inner(self)),
            18 => ("items", inner(self)),
            19 => ("prefixItems", json!([inner(self)])),
            20 => ("anyOf", json!([inner(self), inner(self)])),
            21 => ("oneOf", json!([inner(self), inner(self)])),
            22 => ("allOf", json!([inner(self), inner(self)])),
            23 => ("not", inner(self)),
            24..=26 => ("$ref", json!(self.of(&TARGETS))),
            _ => (self.of(&["patternProperties", "propertyNames", "contains", "if"]), json!({ "type": "string" })),
        }
    }

    /// Returns a definition that may refer to others and to itself, only for properties and elements. A reference for the same
    /// value would be circular.
    fn definition(&mut self) -> Value {
        let mut schema = self.schema(0);
        if let Some(schema) = schema.as_object_mut().filter(|_| self.below(2) == 0) {
            let target = json!({ "$ref": self.of(&TARGETS) });
            let (keyword, said) = match self.below(4) {
                0 => ("items", target),
                1 => ("additionalProperties", target),
                2 => ("properties", json!({ "a": target })),
                _ => ("properties", json!({ "a": self.schema(0), "b": target })),
            };
            schema.insert(keyword.to_owned(), said);
        }
        schema
    }

    /// Returns a schema with definitions.
    fn document(&mut self) -> Value {
        let mut schema = self.schema(2);
        let definitions = json!({ "A": self.definition(), "B": self.definition() });
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("$defs".to_owned(), definitions);
            schema.insert("definitions".to_owned(), json!({ "C": self.definition() }));
            if schema.get("if").is_some() {
                schema.insert("then".to_owned(), json!({ "minLength": 1 }));
            }
            if let Some(patterns) = schema.get_mut("patternProperties") {
                *patterns = json!({ "^a": { "type": "string" } });
            }
        }
        schema
    }

    /// Returns the document with one keyword changed or removed.
    fn changed(&mut self, document: &Value) -> Value {
        let mut changed = document.clone();
        let mut place = &mut changed;
        let definition = self.of(&[["$defs", "A"], ["$defs", "B"], ["definitions", "C"]]);
        let mut is_definition = false;
        if place.is_object() && self.below(3) == 0 {
            let [keyword, name] = definition;
            place = &mut place[keyword][name];
            is_definition = true;
        }
        for _ in 0..self.below(3) {
            let key = self.of(&["properties", "a", "items", "additionalProperties"]);
            if place.get(key).is_some_and(Value::is_object) {
                place = &mut place[key];
                is_definition = false;
            }
        }
        let (keyword, said) = self.keyword(1);
        if let Some(place) = place.as_object_mut() {
            let keys: Vec<_> = place.keys().filter(|key| !key.starts_with(['$', 'd'])).cloned().collect();
            if self.below(3) == 0 && !keys.is_empty() {
                place.remove(&self.of(&keys));
            } else if !matches!((keyword, is_definition), ("patternProperties" | "if", _) | ("$ref", true)) {
                place.insert(keyword.to_owned(), said);
            }
        }
        changed
    }
}

const TARGETS: [&str; 3] = ["#/$defs/A", "#/$defs/B", "#/definitions/C"];

const KINDS: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// Returns small values. Some differ only in what one keyword accepts.
fn values() -> Vec<Value> {
    let mut all = vec![json!(null), json!(true), json!(false), json!(1.5), json!(0.5), json!(2.0)];
    all.extend((0..5).map(Value::from));
    all.extend(["", "a", "ab", "abcd"].map(Value::from));
    let inner: Vec<_> =
        all.iter().step_by(2).cloned().chain([json!([]), json!({}), json!({ "a": 1 }), json!([1])]).collect();
    all.extend([json!([]), json!({})]);
    for value in inner {
        all.extend([
            json!([value]),
            json!([0, value]),
            json!([value, value]),
            json!({ "a": value }),
            json!({ "b": value }),
        ]);
        all.extend([json!({ "a": value, "b": 1 }), json!({ "a": "x", "b": value }), json!({ "c": value })]);
    }
    all
}

#[test]
fn a_change_without_breaks_accepts_every_value_of_before() {
    let values = values();
    let (mut passed, mut reported) = (0, 0);
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let then = random.document();
        let now = if seed % 3 == 0 { random.document() } else { random.changed(&then) };
        let found = compare(Side::Arguments, &canonical::schema(&then), &canonical::schema(&now), true);
        let (Ok(was), Ok(is)) = (jsonschema::draft202012::new(&then), jsonschema::draft202012::new(&now)) else {
            continue;
        };
        let narrower = values.iter().find(|value| was.is_valid(value) && !is.is_valid(value));
        if found.is_empty() {
            assert_eq!(narrower, None, "seed {seed}: {then} became {now}");
            passed += 1;
        } else if narrower.is_some() {
            reported += 1;
        }
    }
    assert!(passed > 300 && reported > 300, "too few cases of one kind: {passed} passed, {reported} reported");
}

#[test]
fn an_undecided_change_is_a_break() {
    let strings = json!({ "patternProperties": { "^a": { "type": "string" } }, "additionalProperties": false });
    for (then, now) in [
        (&strings, json!({ "additionalProperties": false })),
        (&strings, json!({ "patternProperties": { "^b": { "type": "string" } }, "additionalProperties": false })),
        (&json!({ "pattern": "^a" }), json!({ "pattern": "^a*" })),
        (&json!({ "if": {}, "then": {} }), json!({ "if": { "type": "string" }, "then": { "minLength": 1 } })),
        (&json!({}), json!({ "$anchor": "a" })),
        (&json!({}), json!({ "$schema": "http://json-schema.org/draft-07/schema#" })),
        (&json!({ "type": "string" }), json!({ "oneOf": [{ "minLength": 1 }, { "type": "string" }] })),
    ] {
        assert_ne!(breaks(Side::Arguments, then, &now), [""; 0], "{then} became {now}");
    }
    for (then, now) in [
        (&strings, json!({ "patternProperties": { "^a": { "type": "string" } } })),
        (&json!({ "exclusiveMinimum": 2 }), json!({ "minimum": 2 })),
        (&json!({ "type": "integer", "minimum": 1 }), json!({ "type": "number", "exclusiveMinimum": 0.5 })),
        (&json!({ "const": "a" }), json!({ "anyOf": [{ "const": "b" }, { "const": "a" }, { "type": "null" }] })),
        (&json!({ "type": "boolean" }), json!({ "enum": [true, false] })),
    ] {
        assert_eq!(breaks(Side::Arguments, then, &now), [""; 0], "{then} became {now}");
    }
}

#[test]
fn a_reference_is_compared_by_its_target() {
    let string = [", argument `t`: `type` was \"string\" and is \"integer\""];
    let [text, number] = ["string", "integer"].map(|kind| json!({ "type": kind }));
    for (target, place) in [
        ("#/$defs/T", |kind: &Value| json!({ "$defs": { "T": kind } })),
        ("#/definitions/T", |kind| json!({ "definitions": { "T": kind } })),
        ("#/properties/z/$defs/T", |kind| json!({ "properties": { "z": { "$defs": { "T": kind } } } })),
        ("#/$defs/S", |kind| json!({ "$defs": { "S": { "$ref": "#/$defs/T" }, "T": kind } })),
    ] as [(&str, fn(&Value) -> Value); 4]
    {
        let of = |kind: &Value| {
            let mut schema = place(kind);
            schema["properties"]["t"] = json!({ "$ref": target });
            schema
        };
        assert_eq!(breaks(Side::Arguments, &of(&text), &of(&number)), string, "{target}");
        // A changed target is also found inside keywords that are not compared.
        let conditional = |kind: &Value| {
            let mut schema = of(kind);
            schema["if"] = json!({ "properties": { "t": { "$ref": target } } });
            schema["then"] = json!({ "required": ["u"] });
            schema["properties"]["t"] = json!({});
            schema
        };
        let found = breaks(Side::Arguments, &conditional(&text), &conditional(&number));
        assert!(found.iter().any(|text| text.contains("`if`")), "{target}: {found:?}");
        // A new definition that is not used changes nothing.
        let mut more = conditional(&text);
        more["$defs"]["Other"] = json!({ "type": "null" });
        assert_eq!(breaks(Side::Arguments, &conditional(&text), &more), [""; 0], "{target}");
    }
}

#[test]
fn a_circular_reference_is_a_break() {
    let circle = json!({
        "properties": { "a": { "$ref": "#/$defs/A" } },
        "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/B" }, { "type": "string" }] }, "B": { "$ref": "#/$defs/A" } }
    });
    assert_ne!(breaks(Side::Arguments, &json!({ "properties": { "a": { "type": "integer" } } }), &circle), [""; 0]);
    assert_eq!(breaks(Side::Arguments, &circle, &circle), [""; 0]);
}

#[test]
fn a_float_beyond_the_exact_integers_is_not_an_integer() {
    // A validator accepts it as an integer. A dispatcher, whose integers are exact, refuses it.
    let integer = json!({ "type": "integer" });
    assert_ne!(breaks(Side::Arguments, &json!({ "enum": [1e300] }), &integer), [""; 0]);
    assert_ne!(breaks(Side::Arguments, &json!({ "const": 9_007_199_254_740_994.0 }), &integer), [""; 0]);
    assert_eq!(breaks(Side::Arguments, &json!({ "enum": [1.0, 2] }), &integer), [""; 0]);
    assert_eq!(breaks(Side::Arguments, &json!({ "enum": [u64::MAX] }), &integer), [""; 0]);
    assert_eq!(breaks(Side::Arguments, &json!({ "enum": [1e300] }), &json!({ "type": "number" })), [""; 0]);
}

#[test]
fn a_recursive_schema_is_compared_in_bounded_steps() {
    let tree = |leaf: Value| {
        json!({
            "$ref": "#/$defs/Tree",
            "$defs": { "Tree": { "type": "object", "properties": {
                "leaf": leaf, "left": { "$ref": "#/$defs/Tree" }, "right": { "$ref": "#/$defs/Tree" }
            } } }
        })
    };
    let (then, now) = (tree(json!({ "maximum": 5 })), tree(json!({ "maximum": 9 })));
    assert_eq!(breaks(Side::Arguments, &then, &now), [""; 0]);
    assert_eq!(breaks(Side::Result, &now, &then), [", result `leaf`: `maximum` was 5 and is 9"]);
    // Nested unions in which every variant has to be compared with every other one.
    let forms: Vec<_> = (0..20)
        .map(|n| json!({ "minimum": n, "anyOf": [{ "items": { "$ref": "#/$defs/A" } }, { "maximum": n }] }))
        .collect();
    let wide = |most: u64| json!({ "anyOf": forms, "$defs": { "A": { "anyOf": forms, "maximum": most } } });
    assert_ne!(breaks(Side::Arguments, &wide(9), &wide(8)), [""; 0]);
}
