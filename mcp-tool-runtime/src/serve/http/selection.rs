//! The headers with which a client chooses some of the tools.

use std::borrow::Cow;

use ::http::HeaderMap;

use crate::listing::rules::Rule;
use crate::operations::Selection;
use crate::{Dispatcher, Extensions};

/// What the headers of a request choose.
pub(super) struct RequestedSelection(Selection);

impl RequestedSelection {
    /// Reads the headers as GitHub's server does: an empty one chooses nothing, and a name that no tool has is not an
    /// error.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let texts =
            |name: &'static str| headers.get_all(name).iter().map(|text| String::from_utf8_lossy(text.as_bytes()));
        let list = |name| {
            let names = |text: Cow<'_, str>| text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
            let mut names: Vec<_> = texts(name).flat_map(names).collect();
            names.retain(|name| !name.is_empty());
            Some(names).filter(|names| !names.is_empty())
        };
        let is_off = |text: &str| ["", "false", "f", "no", "n", "0", "off"].contains(&text);
        let mut selection = Selection::new();
        if texts("x-mcp-readonly").any(|text| !is_off(&text.trim().to_ascii_lowercase())) {
            selection = selection.read_only();
        }
        if let Some(tags) = list("x-mcp-toolsets") {
            selection = selection.tags(tags);
        }
        if let Some(names) = list("x-mcp-tools") {
            selection = selection.only(names);
        }
        Self(selection)
    }
}

/// Adds a rule that lets each request see only the tools that it has chosen.
#[track_caller]
pub(super) fn selectable(dispatcher: &Dispatcher) -> Dispatcher {
    dispatcher.with_rule(Rule::new("selectable_by_header", |tool, extensions: &Extensions| {
        extensions.get::<RequestedSelection>().is_none_or(|selection| selection.0.keeps(tool))
    }))
}
