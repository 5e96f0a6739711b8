//! The rules that say which changes of a keyword break clients.
//!
//! A rule knows its keyword, and in which direction the keyword can change without breaking clients. The method
//! `keywords` is the table of the rules.

use std::sync::LazyLock;

use serde_json::Value;

use super::comparison::{ANYTHING, Comparison, Schema, Side};
use crate::schema::HEADER;
use crate::schema::accepted::{Types, is_anything};
use crate::schema::walk::strings;

impl<'a> Comparison<'a> {
    /// Compares all keywords, each by its own rule. Each keyword of `expected` must accept what is sent.
    pub(super) fn keywords(&mut self, sent: &'a Value, expected: &'a Value, types: Types, path: &str) {
        static NO_KEYWORDS: LazyLock<Schema> = LazyLock::new(Schema::new);
        let (Some(keywords), sent) = (expected.as_object(), sent.as_object().unwrap_or(&NO_KEYWORDS)) else {
            return self.refused(path, "it");
        };
        if !types.intersects(Types::of_keyword(keywords.get("type"))) {
            return self.changed(path, "type", sent, keywords);
        }
        self.removed_properties(sent, keywords, path);
        for (keyword, value) in keywords {
            if keyword != HEADER && !types.intersects(Types::limited_by(keyword)) {
                continue;
            }
            match keyword.as_str() {
                "type" => {
                    if !types.is_within(Types::of_keyword(Some(value))) {
                        self.changed(path, keyword, sent, keywords);
                    }
                }
                "enum" | "const" => self.values(sent, keywords, keyword, types, path),
                "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                    self.bound(sent, keywords, keyword, |known| at_least(known, value), path);
                }
                "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                    self.bound(sent, keywords, keyword, |known| at_least(value, known), path);
                }
                "required" => self.required(sent, value, path),
                "properties" => {
                    for (name, property) in value.as_object().into_iter().flatten() {
                        if let Some(known) = property_of(sent, name) {
                            self.schema(known, property, &joined(path, name));
                        }
                    }
                }
                "patternProperties" => {
                    for (pattern, schema) in value.as_object().into_iter().flatten() {
                        let known = sent.get(keyword).and_then(|patterns| patterns.get(pattern)).unwrap_or(ANYTHING);
                        self.schema(known, schema, &joined(path, &format!("/{pattern}/")));
                    }
                }
                "additionalProperties" => self.additional_properties(sent, keywords, value, path),
                "items" | "prefixItems" => self.elements(sent, keywords, keyword, path),
                HEADER => self.header(sent, value, path),
                // What these keywords accept also depends on other keywords of the schema, and one of those may have
                // changed.
                "if" | "contains" | "unevaluatedProperties" | "unevaluatedItems" => {
                    self.may_break(path, "schema", Some(&sent.clone().into()), Some(expected));
                }
                "uniqueItems" if *value == false => {}
                other => self.same(sent, keywords, other, path),
            }
        }
    }

    /// Compares a keyword for which there is no other rule. Its value must not change.
    fn same(&mut self, sent: &'a Schema, expected: &'a Schema, keyword: &str, path: &str) {
        let value = &expected[keyword];
        let is_same = |known: &Value| match keyword {
            "$ref" => known == value && self.same_definitions,
            _ => self.are_same(known, value),
        };
        match sent.get(keyword) {
            None => self.changed(path, keyword, sent, expected),
            Some(known) if is_same(known) => {}
            known => self.may_break(path, keyword, known, Some(value)),
        }
    }

    fn values(&mut self, sent: &Schema, expected: &Schema, keyword: &str, types: Types, path: &str) {
        let values = |schema: &Schema, keyword| match (keyword, schema.get(keyword)?) {
            ("const", only) => Some(vec![only.clone()]),
            (_, listed) => listed.as_array().cloned(),
        };
        let known = match values(sent, "const").or_else(|| values(sent, "enum")) {
            Some(values) => values,
            None if types == Types::NULL => vec![Value::Null],
            None if types == Types::BOOLEAN => vec![false.into(), true.into()],
            None => return self.changed(path, keyword, sent, expected),
        };
        let accepted = values(expected, keyword).unwrap_or_default();
        for refused in known.iter().filter(|known| !accepted.contains(known)) {
            self.refused(path, &refused.to_string());
        }
    }

    fn bound(
        &mut self,
        sent: &Schema,
        expected: &Schema,
        keyword: &str,
        is_within: impl Fn(&Value) -> bool,
        path: &str,
    ) {
        let exclusive = match keyword {
            "minimum" => "exclusiveMinimum",
            "maximum" => "exclusiveMaximum",
            other => other,
        };
        if ![keyword, exclusive].into_iter().filter_map(|keyword| sent.get(keyword)).any(is_within) {
            self.changed(path, keyword, sent, expected);
        }
    }

    fn required(&mut self, sent: &Schema, value: &Value, path: &str) {
        let known: Vec<_> = strings(sent.get("required")).collect();
        for name in strings(Some(value)).filter(|name| !known.contains(name)) {
            let is_new = sent.get("properties").and_then(|properties| properties.get(name)).is_none();
            let demanded = if is_new { "it is new and required" } else { "it was optional and is required" };
            self.push(&joined(path, name), self.words(demanded, "it was always there and may be missing"));
        }
    }

    /// Reports properties that the old schema describes and the new schema does not mention: the server would ignore
    /// such an argument, and a client would miss that part of a result.
    fn removed_properties(&mut self, sent: &Schema, expected: &Schema, path: &str) {
        let (then, now) = if self.side == Side::Result { (expected, sent) } else { (sent, expected) };
        // A client gets a new form with each question, so it never fills in a property that is gone.
        if self.side == Side::Answer || !is_open(now) {
            return;
        }
        for (name, _) in removed(then, now, "properties") {
            // In a result, the loss of a required property is already reported as its absence from `required`.
            if self.side == Side::Arguments || strings(then.get("required")).all(|required| required != name) {
                let text =
                    self.words("it was taken, and would be ignored now", "it was described, and is not any more");
                self.push(&joined(path, name), text);
            }
        }
    }

    /// Compares the properties and patterns that `sent` lists and `expected` does not, and the additional properties of
    /// `sent`. All of them must match `value`, the schema under `additionalProperties` in `expected`.
    fn additional_properties(&mut self, sent: &'a Schema, expected: &'a Schema, value: &'a Value, path: &str) {
        for (name, known) in removed(sent, expected, "properties") {
            self.schema(known, value, &joined(path, name));
        }
        for (pattern, known) in removed(sent, expected, "patternProperties") {
            self.schema(known, value, &joined(path, &format!("/{pattern}/")));
        }
        self.schema(sent.get("additionalProperties").unwrap_or(ANYTHING), value, &joined(path, "*"));
    }

    fn elements(&mut self, sent: &'a Schema, expected: &'a Schema, keyword: &str, path: &str) {
        let first =
            |schema: &'a Schema| schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let (known, first) = (first(sent), first(expected));
        if known.len() != first.len() {
            self.may_break(path, "prefixItems", sent.get("prefixItems"), expected.get("prefixItems"));
        } else if keyword == "items" {
            self.schema(sent.get(keyword).unwrap_or(ANYTHING), &expected[keyword], &format!("{path}[]"));
        } else {
            for (index, (known, element)) in known.iter().zip(first).enumerate() {
                self.schema(known, element, &format!("{path}[{index}]"));
            }
        }
    }

    /// Compares the headers of an argument. The server refuses calls without the header of an argument, and existing
    /// clients do not send a new header.
    fn header(&mut self, sent: &Schema, value: &Value, path: &str) {
        let Some(name) = value.as_str().filter(|_| self.side == Side::Arguments) else { return };
        let known = sent.get(HEADER).and_then(Value::as_str);
        if !known.is_some_and(|known| known.eq_ignore_ascii_case(name)) {
            self.push(path, &format!("it must be repeated in the header `Mcp-Param-{name}` now"));
        }
    }
}

/// Returns the schema of a property that may be sent, or `None` if no keyword describes the property. Clients do not
/// send such a property, so a later version may add it with any schema.
fn property_of<'a>(schema: &'a Schema, name: &str) -> Option<&'a Value> {
    const SILENT: [&str; 5] = ["type", "properties", "required", "minProperties", "maxProperties"];
    let own = schema.get("properties").and_then(|properties| properties.get(name));
    if let Some(known) =
        own.or_else(|| schema.get("additionalProperties").filter(|_| !schema.contains_key("patternProperties")))
    {
        return Some(known);
    }
    let is_silent = |keyword: &String| SILENT.contains(&keyword.as_str()) || Types::limited_by(keyword) == Types::NONE;
    let is_described =
        strings(schema.get("required")).any(|required| required == name) || !schema.keys().all(is_silent);
    is_described.then_some(ANYTHING)
}

/// Returns `true` if a schema accepts properties that it does not describe, and puts no condition on them.
fn is_open(schema: &Schema) -> bool {
    const OTHERS: [&str; 3] = ["patternProperties", "unevaluatedProperties", "propertyNames"];
    schema.get("additionalProperties").is_none_or(is_anything)
        && !OTHERS.iter().any(|other| schema.contains_key(*other))
}

/// Returns the entries under `keyword`, such as `properties`, that `from` has and `other` does not have.
fn removed<'a>(from: &'a Schema, other: &'a Schema, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let others = other.get(keyword).and_then(Value::as_object);
    let all = from.get(keyword).and_then(Value::as_object).into_iter().flatten();
    all.filter(move |(name, _)| others.is_none_or(|others| !others.contains_key(*name)))
}

/// Returns `true` if `a` is certainly at least as large as `b`.
fn at_least(a: &Value, b: &Value) -> bool {
    let integer = |value: &Value| value.as_number().and_then(serde_json::Number::as_i128);
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a >= b,
        // Converting an integer beyond 2^53 to a float rounds it. Rounding may make `a` and `b` equal, but never swaps
        // their order, so a strict `>` is still right.
        _ => a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a > b),
    }
}

/// Appends the name of a property to a path.
fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
