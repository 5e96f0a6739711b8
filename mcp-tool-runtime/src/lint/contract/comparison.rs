//! Compares two schemas of the same arguments, answer or result.
//!
//! It reads both schemas at the same place, keyword by keyword, as `buf breaking` and `oasdiff` do, and asks the
//! [`rules`](super::rules). A change that no rule knows is reported as one that *may* break clients, with both values.
//! If nothing is reported, it is certain that one side accepts everything that the other side sends.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::schema::accepted::{Types, are_disjoint, is_anything};
use crate::schema::walk::{self, strings};
use crate::schema::{HEADER, reference};

/// The maximum number of subschemas that one comparison reads.
const MAX_STEPS: usize = 20_000;
/// The maximum depth of the subschemas that one comparison reads.
const MAX_DEPTH: usize = 200;

pub(super) type Schema = Map<String, Value>;

/// What the two schemas describe. This decides which of them says what is sent, and which says what the other side
/// expects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Clients send what the old schema describes.
    Arguments,
    /// Like [`Self::Arguments`], for the answer to a question.
    Answer,
    /// The server sends what the new schema describes.
    Result,
}

/// Returns the changes that break clients or may break them, each with its position.
pub(super) fn breaks(side: Side, then: &Value, now: &Value) -> Vec<String> {
    let (sent, expected) = if side == Side::Result { (now, then) } else { (then, now) };
    let mut comparison = Comparison {
        side,
        sent,
        expected,
        same_definitions: sent.get("$defs") == expected.get("$defs"),
        compared: HashSet::new(),
        steps: 0,
        depth: 0,
        found: Vec::new(),
    };
    if sent != expected && !(is_plain(sent) && is_plain(expected)) {
        comparison.may_break("", "schema", Some(sent), Some(expected));
    } else {
        comparison.schema(sent, expected, "");
    }
    let mut seen = HashSet::new();
    comparison.found.retain(|text| seen.insert(text.clone()));
    comparison.found
}

/// Returns `true` if all references lead to `$defs`, and no keyword such as `$id` or the `$schema` of another dialect
/// changes what a schema means.
fn is_plain(root: &Value) -> bool {
    const OTHERS: [&str; 5] = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"];
    !walk::any(root, |schema| {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        text("$schema").is_some_and(|dialect| !dialect.contains("2020-12"))
            || text("$ref").is_some_and(|target| !target.starts_with("#/$defs/"))
            || OTHERS.iter().any(|keyword| schema.get(*keyword).is_some())
    })
}

pub(super) struct Comparison<'a> {
    pub(super) side: Side,
    /// The root schema of what one side sends.
    sent: &'a Value,
    /// The root schema of what the other side expects.
    expected: &'a Value,
    /// Whether the definitions are unchanged. If so, equal schemas mean the same, even if they contain references.
    pub(super) same_definitions: bool,
    /// The addresses of each pair of schemas whose comparison has begun. A recursive schema leads to the same pair
    /// again, which is then skipped.
    compared: HashSet<(*const Value, *const Value)>,
    steps: usize,
    depth: usize,
    found: Vec<String>,
}

impl<'a> Comparison<'a> {
    pub(super) fn schema(&mut self, sent: &'a Value, expected: &'a Value, path: &str) {
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
            // The keywords next to the variants may be enough to satisfy `expected`. Otherwise, every variant must
            // satisfy it.
            (Some(of), None) => {
                if !self.holds(|this| this.keywords(sent, expected, types, path)) {
                    for variant in of {
                        self.schema(variant, expected, path);
                    }
                }
            }
            (None, None) => self.keywords(sent, expected, types, path),
        }
        self.depth -= 1;
    }

    /// Looks for a variant of the union `expected` that accepts everything that `sent` accepts. If there is none,
    /// reports what has changed.
    fn variant(&mut self, sent: &'a Value, expected: &'a Value, variants: &'a [Value], path: &str) {
        let known = follow(sent, self.sent);
        let types = Types::of(known, self.sent);
        let may_accept = |one: &&Value| {
            types.intersects(Types::of(one, self.expected)) && !have_other_tags(known, follow(one, self.expected))
        };
        let candidates: Vec<_> = variants.iter().filter(may_accept).collect();
        // A `oneOf` refuses a value that two of its variants accept. So unless its variants are disjoint, it is not
        // enough to find one variant that accepts the value.
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

    /// Returns `true` if two schemas are equal, and no changed definition can give them different meanings.
    pub(super) fn are_same(&self, sent: &Value, expected: &Value) -> bool {
        sent == expected && (self.same_definitions || !has_reference(sent))
    }

    /// Runs a comparison and returns `true` if it finds nothing. Otherwise, forgets what it found and which schemas it
    /// compared.
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

    /// Returns `received` if the schemas describe a result, which clients receive. Otherwise, returns `sent`.
    pub(super) fn words<'t>(&self, sent: &'t str, received: &'t str) -> &'t str {
        if self.side == Side::Result { received } else { sent }
    }

    /// Adds a change. `path` leads to the property or the element, such as `filter.tags[0]`. It is empty at the root.
    pub(super) fn push(&mut self, path: &str, text: &str) {
        let (whole, part) = match self.side {
            Side::Arguments => ("arguments", "argument"),
            Side::Answer => ("answer", "answer"),
            Side::Result => ("result", "result"),
        };
        let place = if path.is_empty() { whole.to_owned() } else { format!("{part} `{path}`") };
        self.found.push(format!(", {place}: {text}"));
    }

    pub(super) fn refused(&mut self, path: &str, subject: &str) {
        let change = self.words("was accepted and is refused now", "was impossible and is possible now");
        self.push(path, &format!("{subject} {change}"));
    }

    pub(super) fn changed(&mut self, path: &str, keyword: &str, sent: &Schema, expected: &Schema) {
        let text = self.texts(keyword, sent.get(keyword), expected.get(keyword));
        self.push(path, &text);
    }

    pub(super) fn may_break(&mut self, path: &str, keyword: &str, sent: Option<&Value>, expected: Option<&Value>) {
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

pub(super) const ANYTHING: &Value = &Value::Bool(true);

/// Follows references that have no keyword next to them except annotations.
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

/// Returns the variants of a union, or `None` if the schema is not a union, or has keywords besides the union, a type
/// and annotations.
fn variants(schema: &Value) -> Option<&Vec<Value>> {
    let keywords = schema.as_object()?;
    let union = ["anyOf", "oneOf"].into_iter().find(|union| keywords.contains_key(*union))?;
    let is_alone =
        |keyword: &String| keyword == union || keyword == "type" || Types::limited_by(keyword) == Types::NONE;
    keywords[union].as_array().filter(|_| keywords.keys().all(is_alone))
}

/// Returns what distinguishes a variant from others: a required property and its `const`, or else the only property, if
/// it is required.
fn tag(variant: &Value) -> Option<(&str, Option<&Value>)> {
    let of = |name: &str| variant.get("properties")?.get(name);
    let constant = strings(variant.get("required")).find_map(|name| Some((name, Some(of(name)?.get("const")?))));
    constant.or_else(|| match strings(variant.get("required")).collect::<Vec<_>>().as_slice() {
        [name] if variant["properties"].as_object()?.len() == 1 && of(name).is_some() => Some((*name, None)),
        _ => None,
    })
}

/// Returns `true` if the tags show that no value matches both variants.
fn have_other_tags(one: &Value, other: &Value) -> bool {
    match (tag(one), tag(other)) {
        (Some((name, Some(value))), Some((other, Some(expected)))) => name == other && value != expected,
        // A tag without a constant is the only property of its variant, and is required. If the first variant allows no
        // other property, it refuses every value that has the other tag.
        (Some((name, None)), Some((other, None))) => name != other && one["additionalProperties"] == false,
        _ => false,
    }
}

/// Returns `true` if there is a reference at any depth. The recursion is safe, because rule T16 limits the depth of
/// schemas.
fn has_reference(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.contains_key("$ref") || object.values().any(has_reference),
        Value::Array(elements) => elements.iter().any(has_reference),
        _ => false,
    }
}
