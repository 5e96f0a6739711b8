//! The rules that decide which callers see a tool.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::Arc;

use super::info::{HasScopes, Labels, ToolInfo};
use crate::Extensions;
use crate::call::catch_panic::drop_quietly;

type Predicate = dyn Fn(&ToolInfo, &Extensions) -> bool + Send + Sync;

/// A rule. A tool is visible if all its rules hold.
pub(crate) enum Rule {
    /// [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible).
    Predicate(Box<Predicate>),
    /// [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes): finds the caller's scopes.
    Scopes(for<'e> fn(&'e Extensions) -> Option<&'e dyn HasScopes>),
}

/// A rule of a tool, and the name under which the rule knows the tool.
#[derive(Debug, Clone)]
pub(crate) struct NamedRule {
    pub(crate) rule: Arc<Rule>,
    /// The length in bytes of the prefixes that merging put before the name, after the rule was added.
    pub(crate) prefix_length: usize,
}

impl NamedRule {
    /// Creates a rule that sees the present name.
    pub(crate) fn new(rule: &Arc<Rule>) -> Self {
        Self { rule: Arc::clone(rule), prefix_length: 0 }
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rule, &other.rule) && self.prefix_length == other.prefix_length
    }

    /// Returns the tools with the names that the rule sees, or `None` if those are the names that clients see.
    pub(crate) fn known_tools(&self, tools: &[ToolInfo]) -> Option<Box<[ToolInfo]>> {
        let reads_names = self.prefix_length > 0 && !self.rule.is_about_scopes();
        reads_names.then(|| tools.iter().map(|tool| tool.without_prefix(self.prefix_length)).collect())
    }
}

impl Rule {
    pub(crate) fn scopes_of<C: HasScopes + Send + Sync + 'static>() -> Self {
        Self::Scopes(|extensions| extensions.get::<C>().map(|caller| caller as &dyn HasScopes))
    }

    pub(crate) fn is_about_scopes(&self) -> bool {
        matches!(self, Self::Scopes(_))
    }

    /// Returns `true` if the rule shows the tool to a caller with these extensions. A rule that panics hides the tool.
    #[inline]
    pub(crate) fn holds(&self, tool: &ToolInfo, extensions: &Extensions) -> bool {
        let mut visible = true;
        self.select(slice::from_ref(tool), extensions, slice::from_mut(&mut visible));
        visible
    }

    /// Hides the tools that the rule does not show to a caller with these extensions. `visible` has an element for each tool; the
    /// rule is not called for a tool that is hidden already.
    pub(crate) fn select(&self, tools: &[ToolInfo], extensions: &Extensions, visible: &mut [bool]) {
        match self {
            Self::Predicate(predicate) => retain(tools, visible, |tool| predicate(tool, extensions)),
            Self::Scopes(caller) => {
                // The tools of a service mostly have the same scopes.
                let mut last: Option<(&Labels, bool)> = None;
                retain(tools, visible, |tool| {
                    if tool.scopes.is_empty() {
                        return true;
                    }
                    match last {
                        Some((scopes, holds)) if tool.scopes.is_shared_with(scopes) => holds,
                        _ => {
                            let has_all =
                                |caller: &dyn HasScopes| tool.scopes.iter().all(|scope| caller.has_scope(scope));
                            let holds = caller(extensions).is_some_and(has_all);
                            last = Some((&tool.scopes, holds));
                            holds
                        }
                    }
                });
            }
        }
    }
}

/// Hides the visible tools that `shows` does not accept, and those for which it panics.
#[inline]
fn retain<'t>(tools: &'t [ToolInfo], visible: &mut [bool], mut shows: impl FnMut(&'t ToolInfo) -> bool) {
    let mut next = 0;
    while next < tools.len() {
        // One `catch_unwind` for all tools, because one for each costs as much as a short rule.
        let rest = AssertUnwindSafe(|| {
            for (tool, visible) in tools[next..].iter().zip(&mut visible[next..]) {
                next += 1;
                *visible = std::mem::take(visible) && shows(tool);
            }
        });
        if let Err(payload) = catch_unwind(rest) {
            drop_quietly(payload);
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_about_scopes() { "Rule::Scopes" } else { "Rule::Predicate" })
    }
}

/// Returns what is wrong with a scope. OAuth allows the visible characters of ASCII without `"` and `\`, because a list of
/// scopes is written with blanks and inside quotes.
pub(crate) fn scope_error(scope: &str) -> Option<String> {
    let is_valid = !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && !br#""\"#.contains(&byte));
    (!is_valid).then(|| {
        format!("the scope `{scope}` is not valid: a scope has visible ASCII characters other than `\"` and `\\`, and no blanks")
    })
}
