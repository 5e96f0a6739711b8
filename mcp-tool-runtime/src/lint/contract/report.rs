//! The breaks that a comparison has found, as texts.

use std::collections::HashSet;

use serde_json::Value;

/// What the compared schemas describe. It decides in which direction a change breaks clients.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The new schema must accept what the old one accepted.
    Arguments,
    /// The same, for the answer to a question.
    Answer,
    /// The old schema must accept what the new one accepts.
    Result,
}

impl Side {
    /// Returns `true` for values that a client sends.
    pub(super) fn is_sent(self) -> bool {
        self != Self::Result
    }
}

pub(super) struct Report {
    pub(super) side: Side,
    breaks: Vec<String>,
}

impl Report {
    pub(super) fn new(side: Side) -> Self {
        Self { side, breaks: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.breaks.len()
    }

    /// Removes the newest breaks.
    pub(super) fn truncate(&mut self, len: usize) {
        self.breaks.truncate(len);
    }

    /// Returns the breaks, each once.
    pub(super) fn into_breaks(mut self) -> Vec<String> {
        let mut seen = HashSet::new();
        self.breaks.retain(|text| seen.insert(text.clone()));
        self.breaks
    }

    /// Adds a break. `path` leads to the property or the element, such as `filter.tags[0]`; it is empty at the root.
    pub(super) fn push(&mut self, path: &str, text: &str) {
        let place = match (self.side, path.is_empty()) {
            (Side::Arguments, true) => ", arguments".to_owned(),
            (Side::Arguments, false) => format!(", argument `{path}`"),
            (Side::Answer, true) => ", answer".to_owned(),
            (Side::Answer, false) => format!(", answer `{path}`"),
            (Side::Result, true) => ", result".to_owned(),
            (Side::Result, false) => format!(", result `{path}`"),
        };
        self.breaks.push(format!("{place}: {text}"));
    }

    /// A keyword has changed and is stricter.
    pub(super) fn changed(&mut self, path: &str, keyword: &str, inner: Option<&Value>, outer: &Value) {
        let (inner, outer) = (inner.map_or_else(|| "absent".to_owned(), Value::to_string), outer.to_string());
        let (then, now) = if self.side.is_sent() { (inner, outer) } else { (outer, inner) };
        self.push(path, &format!("`{keyword}` was {then} and is {now}"));
    }

    /// A subject (`it`, or a value) is accepted by the inner schema and refused by the outer one.
    pub(super) fn refused(&mut self, path: &str, subject: &str) {
        let change = match self.side {
            Side::Arguments | Side::Answer => "was accepted and is refused now",
            Side::Result => "was impossible and is possible now",
        };
        self.push(path, &format!("{subject} {change}"));
    }

    /// A variant fits no variant of the outer schema. `tag` is the property that identifies it, and its value.
    pub(super) fn no_variant(&mut self, path: &str, tag: Option<(&str, &Value)>) {
        let variant = match tag {
            Some((name, value)) => format!("the variant with `{name}` {value}"),
            None => "a variant".to_owned(),
        };
        let change = match self.side {
            Side::Arguments | Side::Answer => "was accepted and fits no variant now",
            Side::Result => "is new and fits no variant of before",
        };
        self.push(path, &format!("{variant} {change}"));
    }

    /// The comparison cannot decide what a keyword accepts.
    pub(super) fn undecided(&mut self, path: &str, keyword: &str) {
        let change = match self.side {
            Side::Arguments | Side::Answer => "may accept less than before",
            Side::Result => "may promise less than before",
        };
        self.push(path, &format!("`{keyword}` cannot be compared and {change}: review it"));
    }
}
