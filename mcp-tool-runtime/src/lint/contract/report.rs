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
    /// Chooses the words about values that a client sends, or about values that it receives.
    pub(super) fn words<'t>(self, sent: &'t str, received: &'t str) -> &'t str {
        if self == Self::Result { received } else { sent }
    }
}

pub(super) struct Report {
    pub(super) side: Side,
    pub(super) breaks: Vec<String>,
}

impl Report {
    /// Returns the breaks, each once.
    pub(super) fn into_breaks(mut self) -> Vec<String> {
        let mut seen = HashSet::new();
        self.breaks.retain(|text| seen.insert(text.clone()));
        self.breaks
    }

    /// Adds a break. `path` leads to the property or the element, such as `filter.tags[0]`; it is empty at the root.
    pub(super) fn push(&mut self, path: &str, text: &str) {
        let (whole, part) = match self.side {
            Side::Arguments => ("arguments", "argument"),
            Side::Answer => ("answer", "answer"),
            Side::Result => ("result", "result"),
        };
        let place = if path.is_empty() { whole.to_owned() } else { format!("{part} `{path}`") };
        self.breaks.push(format!(", {place}: {text}"));
    }

    /// A keyword has changed and is stricter.
    pub(super) fn changed(&mut self, path: &str, keyword: &str, inner: Option<&Value>, outer: &Value) {
        let (inner, outer) = (inner.map_or_else(|| "absent".to_owned(), Value::to_string), outer.to_string());
        let (then, now) = if self.side == Side::Result { (outer, inner) } else { (inner, outer) };
        self.push(path, &format!("`{keyword}` was {then} and is {now}"));
    }

    /// A subject (`it`, or a value) is accepted by the inner schema and refused by the outer one.
    pub(super) fn refused(&mut self, path: &str, subject: &str) {
        let change = self.side.words("was accepted and is refused now", "was impossible and is possible now");
        self.push(path, &format!("{subject} {change}"));
    }

    /// A variant fits no variant of the outer schema. `tag` is the property that identifies it, and its value.
    pub(super) fn no_variant(&mut self, path: &str, tag: Option<(&str, &Value)>) {
        let variant = match tag {
            Some((name, value)) => format!("the variant with `{name}` {value}"),
            None => "a variant".to_owned(),
        };
        let change = self.side.words("was accepted and fits no variant now", "is new and fits no variant of before");
        self.push(path, &format!("{variant} {change}"));
    }

    /// The comparison cannot decide what a keyword accepts.
    pub(super) fn undecided(&mut self, path: &str, keyword: &str) {
        let change = self.side.words("may accept less than before", "may promise less than before");
        self.push(path, &format!("`{keyword}` cannot be compared and {change}: review it"));
    }
}
