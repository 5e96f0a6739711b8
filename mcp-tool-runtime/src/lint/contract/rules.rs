//! The rules that decide which change of a schema breaks clients.
//!
//! Two schemas are compared at the same place, keyword by keyword, as `buf breaking` and `oasdiff` do. A rule knows a keyword and the
//! direction in which it may change. A change that no rule knows *may* break clients, and its text has both values. Silence is a
//! promise: if nothing is reported, one side accepts all that the other one sends.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::canonical::HEADER;
use crate::schema::accepted::{Types, are_disjoint, is_anything};
use crate::schema::{reference, walk};

/// The largest number of comparisons of two schemas for one tool, and the largest number of nested ones.
const MAX_STEPS: usize = 20_000;
const MAX_DEPTH: usize = 200;

/// Keywords that change what a reference means. A schema with one of them must not change.
const UNSUPPORTED: [&str; 5] = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"];

type Schema = Map<String, Value>;

/// What a schema describes, which decides who sends and who expects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Clients send what the old schema describes.
    Arguments,
    /// The same, for the answer to a question.
    Answer,
    /// The server sends what the new schema describes.
    Result,
}

/// Returns the changes that break clients, or may, each with its position.
pub(super) fn breaks(side: Side, then: &Value, now: &Value) -> Vec<String> {
    if then == now {
        return Vec::new();
    }
    let (sent, expected) = if side == Side::Result { (now, then) } else { (then, now) };
    let is_unsupported = has_unsupported(sent) || has_unsupported(expected);
    let has_own_references = [sent, expected].into_iter().all(|root| leads_to_definitions(root));
    let mut comparison = Comparison {
        side,
        sent,
        expected,
        same_definitions: has_own_references && sent.get("$defs") == expected.get("$defs"),
        compared: HashSet::new(),
        steps: 0,
        depth: 0,
        found: Vec::new(),
    };
    if is_unsupported {
        comparison.may_break("", "schema", Some(sent), Some(expected));
    } else {
        comparison.schema(sent, expected, "");
    }
    let mut seen = HashSet::new();
    comparison.found.retain(|text| seen.insert(text.clone()));
    comparison.found
}

fn has_unsupported(root: &Value) -> bool {
    let mut found = false;
    walk::visit(root, &mut |schema| {
        let dialect = schema.get("$schema").and_then(Value::as_str);
        found |= dialect.is_some_and(|dialect| !dialect.contains("2020-12"));
        found |= UNSUPPORTED.iter().any(|keyword| schema.get(*keyword).is_some());
    });
    found
}

/// Returns `true` if all references lead to `$defs`.
fn leads_to_definitions(root: &Value) -> bool {
    let mut all = true;
    walk::visit(root, &mut |schema| {
        let target = schema.get("$ref").and_then(Value::as_str);
        all &= target.is_none_or(|target| target.starts_with("#/$defs/"));
    });
    all
}

struct Comparison<'a> {
    side: Side,
    /// The root of the schemas of what one side sends.
    sent: &'a Value,
    /// The root of the schemas of what the other side expects.
    expected: &'a Value,
    /// The definitions did not change, so a text with references means what it meant.
    same_definitions: bool,
    /// The pairs of schemas, by their addresses, that were compared or still are. A recursive schema leads to them again.
    compared: HashSet<(*const Value, *const Value)>,
    steps: usize,
    depth: usize,
    found: Vec<String>,
}

impl<'a> Comparison<'a> {
    fn schema(&mut self, sent: &'a Value, expected: &'a Value, path: &str) {
        let (sent, expected) = (follow(sent, self.sent), follow(expected, self.expected));
        let types = Types::of(sent, self.sent);
        if types == Types::NONE || is_anything(expected) || self.are_same(sent, expected) {
            return;
        }
        self.steps += 1;
        if self.steps > MAX_STEPS || self.depth == MAX_DEPTH {
            return self.may_break(path, "schema", Some(sent), Some(expected));
        }
        if !self.compared.insert((sent, expected)) {
            return;
        }
        self.depth += 1;
        match (variants(sent), variants(expected)) {
            (_, Some(_)) if !types.is_within(Types::of_keyword(expected.get("type"))) => {
                self.may_break(path, "schema", Some(sent), Some(expected));
            }
            (Some(sent), Some(of)) => sent.iter().for_each(|variant| self.variant(variant, expected, of, path)),
            (None, Some(of)) => self.variant(sent, expected, of, path),
            // The keywords beside the variants may already say what is expected.
            (Some(of), None) => {
                if !self.holds(|this| this.keywords(sent, expected, types, path)) {
                    of.iter().for_each(|variant| self.schema(variant, expected, path));
                }
            }
            (None, None) => self.keywords(sent, expected, types, path),
        }
        self.depth -= 1;
    }

    /// Looks for a variant of the union `expected` that accepts all that is sent.
    fn variant(&mut self, sent: &'a Value, expected: &'a Value, variants: &'a [Value], path: &str) {
        let known = follow(sent, self.sent);
        let types = Types::of(known, self.sent);
        let may_accept = |one: &&Value| {
            types.intersects(Types::of(one, self.expected)) && !have_other_tags(known, follow(one, self.expected))
        };
        let candidates: Vec<_> = variants.iter().filter(may_accept).collect();
        // A `oneOf` refuses a value that two of its variants accept.
        let is_exclusive = expected.get("oneOf").is_some() && !are_disjoint(variants, self.expected);
        match candidates.as_slice() {
            _ if types == Types::NONE => {}
            [] => {
                let subject = match tag(known) {
                    Some((name, Some(value))) => format!("the variant with `{name}` {value}"),
                    Some((name, None)) => format!("the variant `{name}`"),
                    None => format!("`{known}`"),
                };
                let change = self.words("was accepted and fits no variant now", "is new and fits no variant of before");
                self.push(path, &format!("{subject} {change}"));
            }
            [only] if !is_exclusive => self.schema(sent, only, path),
            several => {
                if is_exclusive || !several.iter().any(|one| self.holds(|this| this.schema(sent, one, path))) {
                    self.may_break(path, "schema", Some(sent), Some(expected));
                }
            }
        }
    }

    /// The table of the rules. Each keyword of `expected` must accept what is sent.
    fn keywords(&mut self, sent: &'a Value, expected: &'a Value, types: Types, path: &str) {
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
                "unevaluatedProperties" | "unevaluatedItems" => self.unevaluated(sent, keywords, value, path),
                "if" => self.same(sent, keywords, &["if", "then", "else"], path),
                "contains" => self.same(sent, keywords, &["contains", "minContains", "maxContains"], path),
                other => self.same(sent, keywords, &[other], path),
            }
        }
    }

    /// Without a rule of their own, keywords must be the same.
    fn same(&mut self, sent: &'a Schema, expected: &'a Schema, group: &[&str], path: &str) {
        let keyword = group[0];
        let is_same = |keyword: &&str| match (sent.get(*keyword), expected.get(*keyword)) {
            (Some(known), Some(value)) => self.are_same(known, value),
            (known, value) => known == value,
        };
        if keyword == "uniqueItems" && expected[keyword] == false || group.iter().all(is_same) {
            return;
        }
        if !sent.contains_key(keyword) {
            self.changed(path, keyword, sent, expected);
        } else if group.len() == 1 {
            self.may_break(path, keyword, sent.get(keyword), expected.get(keyword));
        } else {
            let part = |schema: &Schema| {
                let keywords =
                    group.iter().filter_map(|keyword| Some(((*keyword).to_owned(), schema.get(*keyword)?.clone())));
                keywords.collect::<Value>()
            };
            self.may_break(path, "schema", Some(&part(sent)), Some(&part(expected)));
        }
    }

    fn values(&mut self, sent: &Schema, expected: &Schema, keyword: &str, types: Types, path: &str) {
        let values = |schema: &Schema| match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
            (Some(only), _) => Some(vec![only.clone()]),
            (None, listed) => listed.cloned(),
        };
        let known = match values(sent) {
            Some(values) => values,
            None if types == Types::NULL => vec![Value::Null],
            None if types == Types::BOOLEAN => vec![false.into(), true.into()],
            None => return self.changed(path, keyword, sent, expected),
        };
        let accepted = values(expected).unwrap_or_default();
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

    /// Reports properties that only the old schema describes, if the new one says nothing about such properties: an argument
    /// would be ignored, and a client would not find a part of a result.
    fn removed_properties(&mut self, sent: &Schema, expected: &Schema, path: &str) {
        let (then, now) = if self.side == Side::Result { (expected, sent) } else { (sent, expected) };
        // A client gets the form with each question, so it does not fill in what is gone.
        if self.side == Side::Answer || !is_open(now) {
            return;
        }
        for (name, _) in properties(then).filter(|(name, _)| properties(now).all(|(known, _)| known != *name)) {
            // Its absence from `required` is reported too.
            if self.side == Side::Arguments || strings(then.get("required")).all(|required| required != name) {
                let text =
                    self.words("it was taken, and would be ignored now", "it was described, and is not any more");
                self.push(&joined(path, name), text);
            }
        }
    }

    /// Checks the properties that the other side does not describe by name.
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

    /// These keywords depend on all others of the schema. Only properties may be added beside them.
    fn unevaluated(&mut self, sent: &'a Schema, expected: &'a Schema, value: &'a Value, path: &str) {
        let rest = |schema: &Schema| {
            let keywords = schema.iter().filter(|(keyword, _)| !matches!(keyword.as_str(), "properties" | "required"));
            keywords.map(|(keyword, value)| (keyword.clone(), value.clone())).collect::<Value>()
        };
        if is_anything(value) {
            return;
        }
        let (known, now) = (rest(sent), rest(expected));
        if !self.are_same(&known, &now) {
            return self.may_break(path, "schema", Some(&known), Some(&now));
        }
        for (name, known) in removed(sent, expected, "properties") {
            self.schema(known, value, &joined(path, name));
        }
    }

    /// The server refuses calls without the header of an argument, and existing clients do not send a new one.
    fn header(&mut self, sent: &Schema, value: &Value, path: &str) {
        let Some(name) = value.as_str().filter(|_| self.side == Side::Arguments) else { return };
        let known = sent.get(HEADER).and_then(Value::as_str);
        if !known.is_some_and(|known| known.eq_ignore_ascii_case(name)) {
            self.push(path, &format!("it must be repeated in the header `Mcp-Param-{name}` now"));
        }
    }

    /// Returns `true` if two equal texts mean the same.
    fn are_same(&self, sent: &Value, expected: &Value) -> bool {
        sent == expected && (self.same_definitions || !has_reference(sent))
    }

    /// Runs a comparison and returns `true` if it finds nothing. Otherwise, it is as if it had not run.
    fn holds(&mut self, compare: impl FnOnce(&mut Self)) -> bool {
        let (found, compared) = (self.found.len(), self.compared.clone());
        compare(self);
        let holds = self.found.len() == found;
        if !holds {
            self.found.truncate(found);
            self.compared = compared;
        }
        holds
    }

    /// Chooses the words about what clients send, or about what they receive.
    fn words<'t>(&self, sent: &'t str, received: &'t str) -> &'t str {
        if self.side == Side::Result { received } else { sent }
    }

    /// Adds a change. `path` leads to the property or the element, such as `filter.tags[0]`. It is empty at the root.
    fn push(&mut self, path: &str, text: &str) {
        let (whole, part) = match self.side {
            Side::Arguments => ("arguments", "argument"),
            Side::Answer => ("answer", "answer"),
            Side::Result => ("result", "result"),
        };
        let place = if path.is_empty() { whole.to_owned() } else { format!("{part} `{path}`") };
        self.found.push(format!(", {place}: {text}"));
    }

    fn refused(&mut self, path: &str, subject: &str) {
        let change = self.words("was accepted and is refused now", "was impossible and is possible now");
        self.push(path, &format!("{subject} {change}"));
    }

    fn changed(&mut self, path: &str, keyword: &str, sent: &Schema, expected: &Schema) {
        let text = self.texts(keyword, sent.get(keyword), expected.get(keyword));
        self.push(path, &text);
    }

    fn may_break(&mut self, path: &str, keyword: &str, sent: Option<&Value>, expected: Option<&Value>) {
        let text = if sent == expected {
            format!("a definition that `{keyword}` refers to has changed")
        } else {
            self.texts(keyword, sent, expected)
        };
        self.push(path, &format!("{text}, which may break clients"));
    }

    fn texts(&self, keyword: &str, sent: Option<&Value>, expected: Option<&Value>) -> String {
        let (then, now) = if self.side == Side::Result { (expected, sent) } else { (sent, expected) };
        let [then, now] = [then, now].map(|value| value.map_or_else(|| "absent".to_owned(), Value::to_string));
        format!("`{keyword}` was {then} and is {now}")
    }
}

const ANYTHING: &Value = &Value::Bool(true);

/// Follows references that have no other keyword beside them.
fn follow<'a>(mut schema: &'a Value, root: &'a Value) -> &'a Value {
    const MAX_HOPS: usize = 16;
    for _ in 0..MAX_HOPS {
        let keywords = schema.as_object().into_iter().flatten();
        let mut limiting =
            keywords.filter(|(keyword, _)| Types::limited_by(keyword) != Types::NONE || *keyword == HEADER);
        let (Some(("$ref", Value::String(target))), None) =
            (limiting.next().map(|(keyword, value)| (keyword.as_str(), value)), limiting.next())
        else {
            break;
        };
        let Some(next) = reference::resolve(root, target) else { break };
        schema = next;
    }
    schema
}

/// Returns the variants of a schema that is a union, and says nothing else but a type.
fn variants(schema: &Value) -> Option<&Vec<Value>> {
    let keywords = schema.as_object()?;
    let union = ["anyOf", "oneOf"].into_iter().find(|union| keywords.contains_key(*union))?;
    let is_alone =
        |keyword: &String| keyword == union || keyword == "type" || Types::limited_by(keyword) == Types::NONE;
    keywords[union].as_array().filter(|_| keywords.keys().all(is_alone))
}

/// Returns what tells a variant from others: a required property with only one value, or the only property.
fn tag(variant: &Value) -> Option<(&str, Option<&Value>)> {
    let of = |name: &str| variant.get("properties")?.get(name);
    let constant = strings(variant.get("required")).find_map(|name| Some((name, Some(of(name)?.get("const")?))));
    constant.or_else(|| match strings(variant.get("required")).collect::<Vec<_>>().as_slice() {
        [name] if variant["properties"].as_object()?.len() == 1 && of(name).is_some() => Some((*name, None)),
        _ => None,
    })
}

/// Returns `true` if no value is of both variants, because of their tags.
fn have_other_tags(one: &Value, other: &Value) -> bool {
    match (tag(one), tag(other)) {
        (Some((name, Some(value))), Some((other, Some(expected)))) => name == other && value != expected,
        // The only property of a variant without others.
        (Some((name, None)), Some((other, None))) => name != other && one["additionalProperties"] == false,
        _ => false,
    }
}

/// Returns what is known about a property that is sent. Clients do not send properties that no keyword describes, so a new property
/// may mean anything.
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

/// Returns `true` if a schema accepts properties that it does not describe, and says nothing about them.
fn is_open(schema: &Schema) -> bool {
    const OTHERS: [&str; 3] = ["patternProperties", "unevaluatedProperties", "propertyNames"];
    schema.get("additionalProperties").is_none_or(is_anything)
        && !OTHERS.iter().any(|other| schema.contains_key(*other))
}

fn properties(schema: &Schema) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// Returns the entries of a keyword that only the first schema has.
fn removed<'a>(from: &'a Schema, other: &'a Schema, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let others = other.get(keyword).and_then(Value::as_object);
    let all = from.get(keyword).and_then(Value::as_object).into_iter().flatten();
    all.filter(move |(name, _)| others.is_none_or(|others| !others.contains_key(*name)))
}

fn strings(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns `true` if there is a reference at any depth. It is recursive, since rule T16 limits the depth of schemas.
fn has_reference(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.contains_key("$ref") || object.values().any(has_reference),
        Value::Array(elements) => elements.iter().any(has_reference),
        _ => false,
    }
}

/// Compares two numbers exactly. Returns `false` if it cannot tell.
fn at_least(a: &Value, b: &Value) -> bool {
    let integer = |value: &Value| value.as_number().and_then(serde_json::Number::as_i128);
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a >= b,
        // An integer beyond 2^53 is rounded, but not past the float that it is compared with.
        _ => a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a > b),
    }
}

/// Appends the name of a property to a path.
fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
