//! Checks one keyword of the outer schema against what is known about the inner values.

use serde_json::{Number, Value};

use super::canonical::HEADER;
use super::comparison::Comparison;
use super::report::Side;
use crate::lint::limits::Keywords;
use crate::schema::accepted::conjunction::{Conjunction, Schema, items};
use crate::schema::accepted::numbers::at_least;
use crate::schema::accepted::{Types, is_anything};

impl<'a> Comparison<'a> {
    /// Reports why one keyword of `schema` refuses some values that match `inner`.
    pub(super) fn keyword(
        &mut self,
        inner: &Conjunction<'a>,
        schema: &'a Schema,
        (keyword, value): (&str, &'a Value),
        path: &str,
    ) {
        let limited = if keyword == HEADER { Types::ALL } else { Types::limited_by(keyword) };
        if !inner.types().intersects(limited) {
            return;
        }
        match keyword {
            "$ref" => match value.as_str().and_then(|target| crate::schema::reference::resolve(self.outer, target)) {
                Some(target) => self.accept(inner, target, path),
                None => self.report.undecided(path, keyword),
            },
            "allOf" => items(value).for_each(|part| self.accept(inner, part, path)),
            "anyOf" => self.any_of(inner, value, path),
            "oneOf" => self.one_of(inner, value, path),
            "not" => self.not(inner, schema, value, path),
            "type" => {
                let holds = inner.types().is_within(Types::of_keyword(schema.get("type")));
                self.require(holds, inner, (keyword, value), path);
            }
            "enum" | "const" => self.values(inner, (keyword, value), path),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                self.bound(inner, (keyword, value), path);
            }
            "multipleOf" => {
                let is_whole = !inner.types().intersects(Types::FRACTION) && value == &Value::from(1);
                self.require(is_whole || inner.is_multiple_of(value), inner, (keyword, value), path);
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                self.count(inner, (keyword, value), path);
            }
            "pattern" | "format" | "uniqueItems" => {
                let are_unique = keyword == "uniqueItems" && (value != true || inner.ends_before(1));
                let holds = are_unique || inner.keyword(keyword).any(|known| known == value);
                self.require(holds, inner, (keyword, value), path);
            }
            "required" => self.required(inner, value, path),
            "properties" => {
                for (name, property) in value.as_object().into_iter().flatten() {
                    if self.strict || !is_undescribed(inner, name) {
                        self.accept_inside(&inner.property(name), property, &joined(path, name));
                    }
                }
            }
            "additionalProperties" => self.additional_properties(inner, schema, value, path),
            "propertyNames" => {
                let mut names = Conjunction::anything(self.inner);
                inner.keyword(keyword).for_each(|known| names.add(known));
                self.accept(&names, value, &joined(path, "names"));
            }
            "prefixItems" => self.prefix_items(inner, value, path),
            "items" => self.elements(inner, schema, value, path),
            HEADER => self.header(inner, value, path),
            "if" => self.require_same(inner, &["if", "then", "else"], schema, path),
            "contains" => self.require_same(inner, &["contains", "minContains", "maxContains"], schema, path),
            "unevaluatedProperties" | "unevaluatedItems" => {
                // If an inner schema were equal, `accept_all` would have returned.
                if !is_anything(value) {
                    self.report.undecided(path, keyword);
                }
            }
            other => self.require_same(inner, &[other], schema, path),
        }
    }

    /// Reports a changed keyword unless the condition holds.
    fn require(&mut self, holds: bool, inner: &Conjunction<'a>, (keyword, value): (&str, &Value), path: &str) {
        if !holds {
            self.report.changed(path, keyword, inner.keyword(keyword).next(), value);
        }
    }

    /// Reports an argument that must now be repeated in a header. The server refuses clients that do not send the header.
    fn header(&mut self, inner: &Conjunction<'a>, value: &Value, path: &str) {
        let Some(name) = value.as_str().filter(|_| self.report.side == Side::Arguments) else { return };
        if !inner.keyword(HEADER).filter_map(Value::as_str).any(|known| known.eq_ignore_ascii_case(name)) {
            let text = format!("it must be repeated in the header `Mcp-Param-{name}` now");
            self.report.push(path, &text);
        }
    }

    fn any_of(&mut self, inner: &Conjunction<'a>, value: &'a Value, path: &str) {
        if items(value).any(|variant| self.holds(|this| this.accept(inner, variant, path))) {
            return;
        }
        // If no variant accepts all values, there may be one for each type of value.
        let fits = |this: &mut Self, part: &Conjunction<'a>| {
            items(value).any(|variant| this.holds(|this| this.accept(part, variant, path)))
        };
        let parts = inner.by_kind();
        if parts.len() < 2 || !parts.iter().all(|part| fits(self, part)) {
            self.fits_none(inner, value, path);
        }
    }

    /// Reports what is wrong with the variant of the same tag, or that there is no such variant.
    fn fits_none(&mut self, inner: &Conjunction<'a>, value: &'a Value, path: &str) {
        let tags: Vec<_> =
            inner.required().into_iter().filter_map(|name| Some((name, only_value(inner, name)?))).collect();
        let has_same_tag = |variant: &&Value| {
            let variant = Conjunction::of(variant, self.outer);
            tags.iter().any(|(name, tag)| only_value(&variant, name) == Some(*tag))
        };
        let breaks = self.report.breaks.len();
        if let Some(variant) = items(value).find(has_same_tag) {
            self.accept(inner, variant, path);
        }
        if self.report.breaks.len() == breaks {
            self.report.no_variant(path, tags.first().copied());
        }
    }

    /// Checks that one variant accepts all values, and every other variant none.
    fn one_of(&mut self, inner: &Conjunction<'a>, value: &'a Value, path: &str) {
        let is_disjoint = |variant: &Value| inner.is_disjoint_from(&Conjunction::of(variant, self.outer));
        let candidates: Vec<_> = items(value).filter(|variant| !is_disjoint(variant)).collect();
        match candidates.as_slice() {
            [] => self.fits_none(inner, value, path),
            [only] => self.accept(inner, only, path),
            [..] => {
                let parts = inner.by_kind();
                if parts.len() < 2 {
                    return self.report.undecided(path, "oneOf");
                }
                for part in &parts {
                    self.one_of(part, value, path);
                }
            }
        }
    }

    fn not(&mut self, inner: &Conjunction<'a>, schema: &Schema, value: &'a Value, path: &str) {
        if is_anything(value) {
            self.report.refused(path, "it");
        } else if !inner.is_disjoint_from(&Conjunction::of(value, self.outer)) {
            self.require_same(inner, &["not"], schema, path);
        }
    }

    fn values(&mut self, inner: &Conjunction<'a>, (keyword, value): (&str, &Value), path: &str) {
        let is_listed = |known: &Value| match keyword {
            "const" => known == value,
            _ => items(value).any(|one| one == known),
        };
        let known = match inner.values() {
            Some(values) => values.into_iter().cloned().collect(),
            None if inner.types() == Types::BOOLEAN => vec![Value::Bool(false), Value::Bool(true)],
            None => return self.report.changed(path, keyword, None, value),
        };
        for refused in known.iter().filter(|known| !is_listed(known)) {
            self.report.refused(path, &refused.to_string());
        }
    }

    fn bound(&mut self, inner: &Conjunction<'a>, (keyword, value): (&str, &Value), path: &str) {
        let is_lower = keyword.ends_with("inimum");
        let is_exclusive = keyword.starts_with("exclusive");
        let [closed, open] = if is_lower { ["minimum", "exclusiveMinimum"] } else { ["maximum", "exclusiveMaximum"] };
        let known = inner.bound(closed, open, is_lower);
        let within = |number: &Number, is_open: bool| {
            value.as_number().is_some_and(|limit| {
                let (above, below) = (at_least(number, limit), at_least(limit, number));
                let reaches = if is_lower { above } else { below };
                reaches && !(is_exclusive && !is_open && above && below)
            })
        };
        let of_values =
            |values: Vec<&Value>| values.into_iter().filter_map(Value::as_number).all(|number| within(number, false));
        if !known.is_some_and(|(number, is_open)| within(number, is_open)) && !inner.values().is_some_and(of_values) {
            let number = known.map(|(number, _)| Value::Number(number.clone()));
            self.report.changed(path, keyword, number.as_ref(), value);
        }
    }

    /// Checks a limit of the number of characters, elements or properties.
    fn count(&mut self, inner: &Conjunction<'a>, (keyword, value): (&str, &Value), path: &str) {
        let (limit, is_lower) = (value.as_number(), keyword.starts_with("min"));
        let within = |number: &Number| {
            limit.is_some_and(|limit| if is_lower { at_least(number, limit) } else { at_least(limit, number) })
        };
        let length = |text: &str| Number::from(text.chars().count());
        let of_values = |values: Vec<&Value>| {
            let mut texts = values.into_iter().filter_map(Value::as_str);
            keyword.ends_with("Length") && texts.all(|text| within(&length(text)))
        };
        let holds = (is_lower && limit.is_some_and(|limit| limit.as_f64() == Some(0.0)))
            || inner.keyword(keyword).filter_map(Value::as_number).any(within)
            || (keyword == "minProperties" && within(&Number::from(inner.required().len())))
            || inner.values().is_some_and(of_values);
        self.require(holds, inner, (keyword, value), path);
    }

    fn required(&mut self, inner: &Conjunction<'a>, value: &'a Value, path: &str) {
        let (known, properties) = (inner.required(), inner.properties());
        for name in items(value).filter_map(Value::as_str).filter(|name| !known.contains(name)) {
            let is_new = !properties.contains(name);
            let sent = if is_new { "it is new and required" } else { "it was optional and is required" };
            let text = self.report.side.words(sent, "it was always there and may be missing");
            self.report.push(&joined(path, name), text);
        }
    }

    /// Checks the properties that the outer schema does not describe.
    fn additional_properties(&mut self, inner: &Conjunction<'a>, schema: &'a Schema, value: &'a Value, path: &str) {
        let described = schema.get("properties").and_then(Value::as_object);
        let is_other = |name: &&str| described.is_none_or(|described| !described.contains_key(*name));
        for name in inner.properties().into_iter().filter(is_other) {
            self.accept_inside(&inner.property(name), value, &joined(path, name));
        }
        self.accept_inside(&inner.other_properties(schema.get("patternProperties")), value, &joined(path, "*"));
    }

    fn prefix_items(&mut self, inner: &Conjunction<'a>, value: &'a Value, path: &str) {
        for (index, element) in items(value).enumerate().filter(|(index, _)| !inner.ends_before(*index)) {
            self.accept_inside(&inner.element(Some(index)), element, &format!("{path}[{index}]"));
        }
    }

    fn elements(&mut self, inner: &Conjunction<'a>, schema: &'a Schema, value: &'a Value, path: &str) {
        let first = schema.get("prefixItems").map_or(0, |described| items(described).count());
        let described = inner.prefix_length();
        for index in (first..described).filter(|index| !inner.ends_before(*index)) {
            self.accept_inside(&inner.element(Some(index)), value, &format!("{path}[{index}]"));
        }
        if !inner.ends_before(first.max(described)) {
            self.accept_inside(&inner.element(None), value, &format!("{path}[]"));
        }
    }
}

/// Returns the value of a property that can have only one value, such as the tag of a variant.
fn only_value<'a>(known: &Conjunction<'a>, name: &str) -> Option<&'a Value> {
    match known.property(name).values()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns `true` if no keyword is about a property, not even `additionalProperties`. A validator accepts such a property, but
/// clients do not send it.
fn is_undescribed(inner: &Conjunction<'_>, name: &str) -> bool {
    const KEYWORDS: Keywords = &[
        &["additionalProperties", "patternProperties", "propertyNames"],
        &["unevaluatedProperties", "dependentSchemas", "if"],
    ];
    let is_described = inner.properties().contains(name) || inner.required().contains(name) || inner.union().is_some();
    !is_described && !KEYWORDS.iter().copied().flatten().any(|keyword| inner.keyword(keyword).next().is_some())
}

/// Appends the name of a property to a path.
pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
