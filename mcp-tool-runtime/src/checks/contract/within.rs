//! Whether one schema admits nothing that another one refuses.
//!
//! The answer is never a wrong yes: what is not understood, or takes too long to find out, is a break.

use std::collections::HashSet;

use serde_json::Value;

use super::conjunction::{Conjunction, Schema, is_anything};
use super::keywords::branches;
use super::references;

/// What the schemas are of, which decides in which direction a change breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// What was admitted must be admitted now.
    Arguments,
    /// What is admitted now must have been admitted then.
    Result,
}

/// How many comparisons of two schemas one tool may take.
const MOST_STEPS: usize = 20_000;

/// How many comparisons may stand inside each other.
const DEEPEST: usize = 200;

/// Keywords by which a reference would mean something else elsewhere.
const FOREIGN: [&str; 6] = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "dependencies"];

/// Why not every value of `inner` is one of `outer`: where, and what changed. Members that neither schema speaks of are
/// left out of account.
pub(super) fn breaks(side: Side, inner: &Value, outer: &Value) -> Vec<String> {
    compare(side, inner, outer, false)
}

/// [`breaks`], with a word on `strict`: whether what is not described may be sent all the same.
pub(super) fn compare(side: Side, inner: &Value, outer: &Value, strict: bool) -> Vec<String> {
    if inner == outer {
        return Vec::new();
    }
    let mut comparison = Comparison {
        side,
        strict,
        inner,
        outer,
        differing: references::differing(inner, outer),
        assumed: HashSet::new(),
        steps: 0,
        depth: 0,
        found: Vec::new(),
    };
    match [inner, outer].into_iter().find_map(foreign) {
        Some(keyword) => comparison.undecided("", &keyword),
        None => comparison.admit(&Conjunction::of(inner, inner), outer, ""),
    }
    let mut told = HashSet::new();
    comparison.found.retain(|text| told.insert(text.clone()));
    comparison.found
}

/// What of a schema is not understood at all.
fn foreign(schema: &Value) -> Option<String> {
    let mut found = None;
    crate::schema::walk::visit(schema, &mut |part| {
        let keyword = FOREIGN.into_iter().find(|keyword| part.get(*keyword).is_some());
        let dialect = part.get("$schema").and_then(Value::as_str);
        let dialect = dialect.filter(|dialect| !dialect.contains("2020-12")).map(|_| "$schema");
        let list = part.get("items").filter(|items| items.is_array()).map(|_| "items");
        let reference = part.get("$ref").and_then(Value::as_str).filter(|target| !target.starts_with("#/"));
        let reference = reference.map(|_| "$ref");
        if let Some(keyword) = keyword.or(dialect).or(list).or(reference) {
            found = Some(keyword.to_owned());
        }
    });
    found.or_else(|| references::go_in_circles(schema).then(|| "$ref".to_owned()))
}

pub(super) struct Comparison<'a> {
    pub(super) side: Side,
    pub(super) strict: bool,
    pub(super) inner: &'a Value,
    pub(super) outer: &'a Value,
    /// The references that do not say the same on both sides.
    differing: HashSet<&'a str>,
    /// What is being compared, or has been: by the addresses of the schemas. Met again, it holds: by then the question
    /// is of a smaller value.
    assumed: HashSet<(Vec<usize>, usize)>,
    steps: usize,
    depth: usize,
    pub(super) found: Vec<String>,
}

impl<'a> Comparison<'a> {
    /// Tells why `outer` refuses something of what is known of the inner values.
    pub(super) fn admit(&mut self, inner: &Conjunction<'a>, outer: &'a Value, at: &str) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.depth > DEEPEST {
            return self.undecided(at, "schema");
        }
        if inner.is_never || is_anything(outer) || !self.assumed.insert((addresses(inner), address(outer))) {
            return;
        }
        // As a whole, and if that is not enough, one form after the other.
        self.depth += 1;
        match union_of(inner) {
            None => self.admit_whole(inner, outer, at),
            Some(forms) => {
                if !self.tried(|this| this.admit_whole(inner, outer, at)) {
                    for form in forms {
                        let mut one = inner.clone();
                        one.add(form);
                        self.admit(&one, outer, at);
                    }
                }
            }
        }
        self.depth -= 1;
    }

    fn admit_whole(&mut self, inner: &Conjunction<'a>, outer: &'a Value, at: &str) {
        let Value::Object(schema) = outer else {
            return if outer == &Value::Bool(false) { self.refused(at) } else { self.undecided(at, "schema") };
        };
        if inner.parts.iter().any(|part| self.is_same_schema(part, schema)) {
            return;
        }
        for (keyword, said) in schema {
            self.keyword(inner, schema, (keyword, said), at);
        }
    }

    /// Runs a comparison that may fail, and forgets it if it does.
    pub(super) fn tried(&mut self, compare: impl FnOnce(&mut Self)) -> bool {
        let (found, assumed) = (self.found.len(), self.assumed.clone());
        compare(self);
        let holds = self.found.len() == found;
        if !holds {
            self.found.truncate(found);
            self.assumed = assumed;
        }
        holds
    }

    pub(super) fn unless_said(&mut self, inner: &Conjunction<'a>, keywords: &[&str], schema: &Schema, at: &str) {
        if !self.is_said(inner, keywords, schema) {
            self.undecided(at, keywords[0]);
        }
    }

    /// Whether a part of the inner schema says the same with these keywords.
    pub(super) fn is_said(&self, inner: &Conjunction<'a>, keywords: &[&str], schema: &Schema) -> bool {
        let says = |part: &&Schema| keywords.iter().all(|keyword| part.get(*keyword) == schema.get(*keyword));
        let mut said = keywords.iter().filter_map(|keyword| schema.get(*keyword));
        inner.parts.iter().any(says) && !said.any(|said| self.differs(references::below(said)))
    }

    fn is_same_schema(&self, part: &Schema, schema: &Schema) -> bool {
        part == schema && !self.differs(references::of(schema))
    }

    fn differs(&self, references: Vec<&str>) -> bool {
        references.into_iter().any(|reference| self.differing.contains(reference))
    }

    pub(super) fn no_form(&mut self, at: &str, tag: Option<(&str, &Value)>) {
        let which = match tag {
            Some((name, value)) => format!("the form with `{name}` {value}"),
            None => "a form".to_owned(),
        };
        let text = match self.side {
            Side::Arguments => format!("{which} was admitted, and fits none of the forms that are"),
            Side::Result => format!("{which} is new, and fits none of the forms that there were"),
        };
        self.push(at, &text);
    }

    pub(super) fn refused(&mut self, at: &str) {
        self.push(
            at,
            match self.side {
                Side::Arguments => "it was admitted, and is refused",
                Side::Result => "it could not occur, and can now",
            },
        );
    }

    pub(super) fn undecided(&mut self, at: &str, keyword: &str) {
        self.push(
            at,
            &match self.side {
                Side::Arguments => format!("`{keyword}` is not understood, and may admit less than it did: review it"),
                Side::Result => format!("`{keyword}` is not understood, and may promise less than it did: review it"),
            },
        );
    }

    pub(super) fn changed(&mut self, at: &str, keyword: &str, inner: Option<&Value>, outer: &Value) {
        let (inner, outer) = (inner.map_or_else(|| "absent".to_owned(), Value::to_string), outer.to_string());
        let (then, now) = if self.side == Side::Arguments { (inner, outer) } else { (outer, inner) };
        self.push(at, &format!("`{keyword}` was {then} and is {now}"));
    }

    pub(super) fn push(&mut self, at: &str, text: &str) {
        let place = match (self.side, at.is_empty()) {
            (Side::Arguments, true) => ", arguments".to_owned(),
            (Side::Arguments, false) => format!(", argument `{at}`"),
            (Side::Result, true) => ", result".to_owned(),
            (Side::Result, false) => format!(", result `{at}`"),
        };
        self.found.push(format!("{place}: {text}"));
    }
}

/// The forms of the first union among the parts that says anything, and of which none is a part already.
pub(super) fn union_of<'a>(inner: &Conjunction<'a>) -> Option<Vec<&'a Value>> {
    let unions =
        inner.parts.iter().flat_map(|part| ["anyOf", "oneOf"].into_iter().filter_map(|keyword| part.get(keyword)));
    unions.filter(|forms| forms.is_array()).find_map(|forms| {
        let says = branches(forms).all(|form| form.as_object().is_some_and(|form| !inner.has(form)) || form == false);
        says.then(|| branches(forms).collect())
    })
}

fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

fn addresses(inner: &Conjunction<'_>) -> Vec<usize> {
    let mut all: Vec<_> = inner.parts.iter().map(|part| std::ptr::from_ref(*part).addr()).collect();
    all.sort_unstable();
    all
}
