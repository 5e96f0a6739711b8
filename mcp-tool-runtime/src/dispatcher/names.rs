//! Finds tools by their current and former names.

use std::collections::HashMap;
use std::sync::Arc;

use super::ToolEntry;
use crate::call::ResultFormat;

/// The type of a tool's handler or service, empty for a handler that is written by hand, and the method of the service.
type Origin = (&'static str, Option<&'static str>);

/// The current and former names of a dispatcher's tools, with the indices of the tools.
#[derive(Default)]
pub(super) struct Names {
    present: HashMap<Arc<str>, (usize, Origin)>,
    /// The former names, each with the index of its tool, and with the format for results of calls by that name. These
    /// results mention the current name.
    former: HashMap<Box<str>, (usize, Arc<ResultFormat>)>,
}

impl Names {
    /// Returns the index of the tool that has this name now, or had it before. For a former name, also returns the
    /// format for results.
    #[inline]
    pub(super) fn find(&self, name: &str) -> Option<(usize, Option<&Arc<ResultFormat>>)> {
        match self.present.get(name) {
            Some((index, _)) => Some((*index, None)),
            None => self.former.get(name).map(|(index, format)| (*index, Some(format))),
        }
    }

    /// Returns the names with new indices. `index` returns the new index for an old index, or `None` for a tool to
    /// leave out.
    pub(super) fn moved(&self, index: impl Fn(usize) -> Option<usize>) -> Self {
        let present = self.present.iter();
        let present = present.filter_map(|(name, (old, ty))| Some((Arc::clone(name), (index(*old)?, *ty))));
        let former = self.former.iter();
        let former =
            former.filter_map(|(name, (old, format))| Some((name.clone(), (index(*old)?, Arc::clone(format)))));
        Self { present: present.collect(), former: former.collect() }
    }

    /// Adds a tool. Returns an error if there is already a tool with this name.
    pub(super) fn add(&mut self, name: &Arc<str>, index: usize, origin: Origin) -> Option<String> {
        let (_, first) = self.present.insert(Arc::clone(name), (index, origin))?;
        Some(two_tools(name, [first, origin]))
    }

    /// Adds the former names of all tools. Returns an error for each name that is not valid, or that does not lead to
    /// exactly one tool.
    pub(super) fn add_former(&mut self, entries: &[ToolEntry]) -> Vec<String> {
        let mut errors = Vec::new();
        for (entry, former) in
            entries.iter().flat_map(|entry| entry.metadata.former_names.iter().map(move |name| (entry, name)))
        {
            let name = entry.name();
            let error = if self.present.contains_key(&**former) {
                format!("there is a tool with its former name `{former}`: a call by that name reaches only that tool")
            } else if let Some((_, other)) = self.former.get(&**former) {
                format!("its former name `{former}` is also one of `{}`: remove it from one of them", other.tool_name)
            } else if let Some(error) = name_error(former) {
                format!("its former name `{former}` is not valid: {error}")
            } else {
                let format =
                    ResultFormat { former_name: Some(former.as_str().into()), ..(*entry.shared.format).clone() };
                self.former.insert(former.as_str().into(), (entry.index, Arc::new(format)));
                continue;
            };
            errors.push(format!("tool `{name}`: {error}"));
        }
        errors
    }
}

/// Returns the error about two tools with the same name.
fn two_tools(name: &str, origins: [Origin; 2]) -> String {
    let [first, second] = origins.map(|origin| match origin {
        ("", _) => "a handler written by hand".to_owned(),
        (type_name, None) => format!("`{type_name}`"),
        (type_name, Some(method)) => format!("`{type_name}::{method}`"),
    });
    if first == second && !origins[0].0.is_empty() {
        let help = "; register one of the objects with `.service_with_prefix(…)`, or rename its tool with `.method(…)`";
        let help = origins[0].1.map_or("", |_| help);
        return format!("two tools are named `{name}`: {first} is registered twice{help}");
    }
    format!("two tools are named `{name}`: {first} and {second}; give one of them another name, or its list a prefix")
}

/// Returns an error if a tool's name is not valid (rule T11).
pub(super) fn name_error(name: &str) -> Option<String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let fits = (1..=128).contains(&name.len()) && name.bytes().all(allowed);
    (!fits).then(|| "a name has 1 to 128 of the characters A-Z a-z 0-9 _ . -".to_owned())
}
