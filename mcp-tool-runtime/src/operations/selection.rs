//! `Selection`: the tools that an operator serves.

use std::collections::BTreeSet;

use crate::ToolInfo;
use crate::json::violation::{quote_name, suggest};

/// Which tools of a dispatcher are served. Each condition narrows the selection, and a selection without conditions
/// keeps all tools. See [`Dispatcher::selected`](crate::Dispatcher::selected).
///
/// ```
/// use mcp_tool_runtime::operations::Selection;
///
/// let selection = Selection::new().read_only().tags(["forecast", "search"]).without(["search_archive"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "a selection does nothing until it is given to `Dispatcher::selected`"]
pub struct Selection {
    is_read_only: bool,
    tags: Option<BTreeSet<String>>,
    only: Option<BTreeSet<String>>,
    without: BTreeSet<String>,
}

impl Selection {
    /// Selects all tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps only the tools whose `read_only_hint` is `true`.
    pub fn read_only(self) -> Self {
        Self { is_read_only: true, ..self }
    }

    /// Keeps only the tools that have at least one of these tags. If you use this method again, it adds tags.
    pub fn tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags.get_or_insert_default().extend(tags.into_iter().map(Into::into));
        self
    }

    /// Keeps only the tools that have these names, or had them before (`formerly`). If you use this method again, it
    /// adds names.
    pub fn only(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.only.get_or_insert_default().extend(names.into_iter().map(Into::into));
        self
    }

    /// Leaves out the tools that have these names, or had them before (`formerly`).
    pub fn without(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.without.extend(names.into_iter().map(Into::into));
        self
    }

    /// Returns `true` if the tool is served.
    pub(crate) fn keeps(&self, tool: &ToolInfo) -> bool {
        let is_in = |names: &BTreeSet<String>| {
            names.contains(tool.name()) || tool.former_names.iter().any(|name| names.contains(name))
        };
        (!self.is_read_only || tool.annotations().read_only_hint == Some(true))
            && self.tags.as_ref().is_none_or(|tags| tool.tags().iter().any(|tag| tags.contains(&**tag)))
            && self.only.as_ref().is_none_or(is_in)
            && !is_in(&self.without)
    }

    /// Checks that each name and each tag belongs to some tool.
    pub(crate) fn check<'t>(&self, tools: impl Iterator<Item = &'t ToolInfo> + Clone) -> Result<(), SelectionError> {
        let names: BTreeSet<&str> = tools.clone().map(ToolInfo::name).collect();
        let former: BTreeSet<&str> =
            tools.clone().flat_map(|tool| tool.former_names.iter().map(|name| &**name)).collect();
        let tags: BTreeSet<&str> = tools.flat_map(|tool| tool.tags().iter().map(|tag| &**tag)).collect();
        let unknown = |what: &str, given: &String, known: &BTreeSet<&str>| {
            let meant = || suggest(given, known.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
            (!known.contains(&**given)).then(|| format!("{what} {}{}", quote_name(given), meant().unwrap_or_default()))
        };
        let wrong_tags = self.tags.iter().flatten().filter_map(|tag| unknown("no tool has the tag", tag, &tags));
        let given = self.only.iter().flatten().chain(&self.without).filter(|name| !former.contains(&***name));
        let errors: Vec<_> =
            wrong_tags.chain(given.filter_map(|name| unknown("no tool is named", name, &names))).collect();
        if errors.is_empty() { Ok(()) } else { Err(SelectionError { errors }) }
    }
}

/// The error of [`Dispatcher::selected`](crate::Dispatcher::selected): a selection names tools or tags that the server
/// does not have.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, operations::Selection, tools, Dispatcher};
///
/// /// Delete a note.
/// #[mcp_tool]
/// async fn delete_note(id: u32) {}
///
/// let dispatcher = Dispatcher::builder().tools(tools![delete_note]).build()?;
/// let error = dispatcher.selected(&Selection::new().without(["delete_notes"])).unwrap_err();
/// assert_eq!(error.to_string(), "no tool is named `delete_notes`; did you mean `delete_note`?");
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SelectionError {
    errors: Vec<String>,
}

impl SelectionError {
    /// Returns the errors: first those about tags, then those about names.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }
}

display!(SelectionError, it => &it.errors.join("\n"));

debug_by_display!(SelectionError);

impl std::error::Error for SelectionError {}
