//! What each keyword of the outer schema asks, and whether what is known of the inner values answers it.

use serde_json::{Number, Value};

use super::canonical::HEADER;
use super::conjunction::{Conjunction, Schema, is_anything, kinds, of_value, types};
use super::numbers::at_least;
use super::within::{Comparison, Side, union_of};

/// How deep two objects are looked into to find them apart.
const DEEPEST_TAG: usize = 4;

/// The kinds of values that a keyword speaks of. None of those that others speak for, or that say nothing of values.
fn concerns(keyword: &str) -> u8 {
    match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => kinds::NUMBER,
        "minLength" | "maxLength" | "pattern" | "format" => kinds::STRING,
        "minItems" | "maxItems" | "uniqueItems" | "prefixItems" | "items" | "contains" | "unevaluatedItems" => {
            kinds::ARRAY
        }
        "minProperties"
        | "maxProperties"
        | "required"
        | "properties"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => kinds::OBJECT,
        "$ref" | "allOf" | "anyOf" | "oneOf" | "not" | "if" | "type" | "enum" | "const" | HEADER => kinds::ALL,
        // `then`, `minContains` and the like, and any keyword that is not known.
        _ => 0,
    }
}

impl<'a> Comparison<'a> {
    /// Tells why one keyword refuses something of what is known of the inner values.
    pub(super) fn keyword(
        &mut self,
        inner: &Conjunction<'a>,
        schema: &'a Schema,
        (keyword, said): (&str, &'a Value),
        at: &str,
    ) {
        if inner.kinds() & concerns(keyword) == 0 {
            return;
        }
        match keyword {
            "$ref" => match said.as_str().and_then(|target| crate::schema::reference::resolve(self.outer, target)) {
                Some(target) => self.admit(inner, target, at),
                None => self.undecided(at, keyword),
            },
            "allOf" => branches(said).for_each(|part| self.admit(inner, part, at)),
            "anyOf" => self.any_of(inner, said, at),
            "oneOf" => self.one_of(inner, said, at),
            "not" => self.not(inner, schema, said, at),
            "type" => {
                let holds = inner.kinds() & !types(schema) == 0;
                self.unless(holds, inner, (keyword, said), at);
            }
            "enum" | "const" => self.values(inner, (keyword, said), at),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => self.bound(inner, (keyword, said), at),
            "multipleOf" => {
                let is_whole = inner.kinds() & kinds::FRACTION == 0 && said == &Value::from(1);
                self.unless(is_whole || inner.is_multiple_of(said), inner, (keyword, said), at);
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                self.count(inner, (keyword, said), at);
            }
            "pattern" | "format" => {
                let holds = inner.said(keyword).any(|known| known == said);
                self.unless(holds, inner, (keyword, said), at);
            }
            "uniqueItems" => {
                let holds = said != true || inner.ends_before(1) || inner.said(keyword).any(|known| known == said);
                self.unless(holds, inner, (keyword, said), at);
            }
            "required" => self.required(inner, said, at),
            "properties" => {
                let is_new = |name: &str| !self.strict && is_left_open(inner, name);
                let members: Vec<_> =
                    said.as_object().into_iter().flatten().filter(|(name, _)| !is_new(name)).collect();
                for (name, member) in members {
                    self.admit(&inner.member(name), member, &joined(at, name));
                }
            }
            "additionalProperties" => self.other_members(inner, schema, said, at),
            "propertyNames" => {
                let mut names = Conjunction::anything(self.inner);
                inner.said(keyword).for_each(|known| names.add(known));
                self.admit(&names, said, &joined(at, "names"));
            }
            "prefixItems" => self.described_elements(inner, said, at),
            "items" => self.elements(inner, schema, said, at),
            HEADER => self.header(inner, said, at),
            "if" => self.unless_said(inner, &["if", "then", "else"], schema, at),
            "contains" => self.unless_said(inner, &["contains", "minContains", "maxContains"], schema, at),
            "unevaluatedProperties" | "unevaluatedItems" => {
                // That the whole schema says the same was looked at before.
                if !is_anything(said) {
                    self.undecided(at, keyword);
                }
            }
            other => self.unless_said(inner, &[other], schema, at),
        }
    }

    fn unless(&mut self, holds: bool, inner: &Conjunction<'a>, (keyword, said): (&str, &Value), at: &str) {
        if !holds {
            self.changed(at, keyword, inner.said(keyword).next(), said);
        }
    }

    /// A header that must repeat an argument. Who does not send it is refused.
    fn header(&mut self, inner: &Conjunction<'a>, said: &Value, at: &str) {
        let Some(name) = said.as_str().filter(|_| self.side == Side::Arguments) else { return };
        if !inner.said(HEADER).filter_map(Value::as_str).any(|known| known.eq_ignore_ascii_case(name)) {
            let text = format!("it is to be repeated in the header `Mcp-Param-{name}`, which was not asked for");
            self.push(at, &text);
        }
    }

    fn any_of(&mut self, inner: &Conjunction<'a>, said: &'a Value, at: &str) {
        if !branches(said).any(|form| self.tried(|this| this.admit(inner, form, at))) {
            self.fits_none(inner, said, at);
        }
    }

    /// Tells what is wrong with the form of the same tag, if there is one.
    fn fits_none(&mut self, inner: &Conjunction<'a>, said: &'a Value, at: &str) {
        let tags: Vec<_> = inner.required().into_iter().filter_map(|name| Some((name, one(inner, name)?))).collect();
        let meant = |form: &&Value| {
            let form = Conjunction::of(form, self.outer);
            tags.iter().any(|(name, tag)| one(&form, name) == Some(*tag))
        };
        let found = self.found.len();
        if let Some(form) = branches(said).find(meant) {
            self.admit(inner, form, at);
        }
        if self.found.len() == found {
            self.no_form(at, tags.first().copied());
        }
    }

    /// One form must admit all, and no other form any.
    fn one_of(&mut self, inner: &Conjunction<'a>, said: &'a Value, at: &str) {
        let apart = |form: &Value| inner.is_apart_from(&Conjunction::of(form, self.outer), DEEPEST_TAG);
        let near: Vec<_> = branches(said).filter(|form| !apart(form)).collect();
        match near.as_slice() {
            [] => self.fits_none(inner, said, at),
            [only] => self.admit(inner, only, at),
            [..] => self.undecided(at, "oneOf"),
        }
    }

    fn not(&mut self, inner: &Conjunction<'a>, schema: &Schema, said: &'a Value, at: &str) {
        if is_anything(said) {
            self.refused(at);
        } else if !inner.is_apart_from(&Conjunction::of(said, self.outer), DEEPEST_TAG) {
            self.unless_said(inner, &["not"], schema, at);
        }
    }

    fn values(&mut self, inner: &Conjunction<'a>, (keyword, said): (&str, &Value), at: &str) {
        let listed = |value: &Value| match keyword {
            "const" => value == said,
            _ => branches(said).any(|one| one == value),
        };
        let both = || vec![Value::Bool(false), Value::Bool(true)];
        let known = match inner.values() {
            Some(values) => values.into_iter().cloned().collect(),
            None if inner.kinds() == kinds::BOOLEAN => both(),
            None => return self.changed(at, keyword, None, said),
        };
        for value in known.iter().filter(|value| !listed(value)) {
            let text = match self.side {
                Side::Arguments => format!("{value} was admitted, and is refused"),
                Side::Result => format!("{value} could not occur, and can now"),
            };
            self.push(at, &text);
        }
    }

    fn bound(&mut self, inner: &Conjunction<'a>, (keyword, said): (&str, &Value), at: &str) {
        let is_lower = keyword.ends_with("inimum");
        let is_exclusive = keyword.starts_with("exclusive");
        let [closed, open] = if is_lower { ["minimum", "exclusiveMinimum"] } else { ["maximum", "exclusiveMaximum"] };
        let known = inner.bound(closed, open, is_lower);
        let within = |number: &Number, is_open: bool| {
            said.as_number().is_some_and(|limit| {
                let (above, below) = (at_least(number, limit), at_least(limit, number));
                let reaches = if is_lower { above } else { below };
                reaches && !(is_exclusive && !is_open && above && below)
            })
        };
        let of_values = |values: Vec<&Value>| {
            values.into_iter().all(|value| match value {
                Value::Number(number) => within(number, false),
                other => of_value(other) & kinds::NUMBER == 0,
            })
        };
        if !known.is_some_and(|(number, is_open)| within(number, is_open)) && !inner.values().is_some_and(of_values) {
            let number = known.map(|(number, _)| Value::Number(number.clone()));
            self.changed(at, keyword, number.as_ref(), said);
        }
    }

    /// A number of characters, elements or members.
    fn count(&mut self, inner: &Conjunction<'a>, (keyword, said): (&str, &Value), at: &str) {
        let (limit, is_lower) = (said.as_number(), keyword.starts_with("min"));
        let within = |number: &Number| {
            limit.is_some_and(|limit| if is_lower { at_least(number, limit) } else { at_least(limit, number) })
        };
        let length = |text: &str| Number::from(text.chars().count());
        let of_values = |values: Vec<&Value>| match concerns(keyword) {
            kinds::STRING => values.into_iter().filter_map(Value::as_str).all(|text| within(&length(text))),
            _ => false,
        };
        let holds = (is_lower && limit.is_some_and(|limit| limit.as_f64() == Some(0.0)))
            || inner.said(keyword).filter_map(Value::as_number).any(within)
            || (keyword == "minProperties" && within(&Number::from(inner.required().len())))
            || inner.values().is_some_and(of_values);
        self.unless(holds, inner, (keyword, said), at);
    }

    fn required(&mut self, inner: &Conjunction<'a>, said: &'a Value, at: &str) {
        let (known, members) = (inner.required(), inner.members());
        for name in branches(said).filter_map(Value::as_str).filter(|name| !known.contains(name)) {
            let text = match self.side {
                Side::Arguments if !members.contains(name) => "it is new and required",
                Side::Arguments => "it was optional and is required",
                Side::Result => "it was always there and may be missing",
            };
            self.push(&joined(at, name), text);
        }
    }

    /// The members that the outer schema does not name.
    fn other_members(&mut self, inner: &Conjunction<'a>, schema: &'a Schema, said: &'a Value, at: &str) {
        let named = schema.get("properties").and_then(Value::as_object);
        for name in inner.members().into_iter().filter(|name| named.is_none_or(|named| !named.contains_key(*name))) {
            self.admit(&inner.member(name), said, &joined(at, name));
        }
        self.admit(&inner.other_members(schema.get("patternProperties")), said, &joined(at, "*"));
    }

    fn described_elements(&mut self, inner: &Conjunction<'a>, said: &'a Value, at: &str) {
        for (index, element) in branches(said).enumerate().filter(|(index, _)| !inner.ends_before(*index)) {
            self.admit(&inner.element(Some(index)), element, &format!("{at}[{index}]"));
        }
    }

    fn elements(&mut self, inner: &Conjunction<'a>, schema: &'a Schema, said: &'a Value, at: &str) {
        let first = schema.get("prefixItems").map_or(0, |described| branches(described).count());
        let described = inner.described_elements();
        for index in (first..described).filter(|index| !inner.ends_before(*index)) {
            self.admit(&inner.element(Some(index)), said, &format!("{at}[{index}]"));
        }
        if !inner.ends_before(first.max(described)) {
            self.admit(&inner.element(None), said, &format!("{at}[]"));
        }
    }
}

/// The value of a member that has only one.
fn one<'a>(known: &Conjunction<'a>, name: &str) -> Option<&'a Value> {
    match known.member(name).values()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// Whether nothing is said of a member, not even that there are others than the described ones. Nobody sends it then,
/// though a validator would let it pass.
fn is_left_open(inner: &Conjunction<'_>, name: &str) -> bool {
    const SAYING: [&str; 6] = [
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
        "dependentSchemas",
        "if",
    ];
    let is_said = inner.members().contains(name) || inner.required().contains(name) || union_of(inner).is_some();
    !is_said && !SAYING.iter().any(|keyword| inner.said(keyword).next().is_some())
}

/// The elements of a list of schemas or values.
pub(super) fn branches(said: &Value) -> impl Iterator<Item = &Value> {
    said.as_array().into_iter().flatten()
}

fn joined(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}
