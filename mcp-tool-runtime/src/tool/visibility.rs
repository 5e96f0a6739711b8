//! The rules that decide which callers see a tool.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::info::{HasScopes, Labels, ToolInfo};
use super::selection::Selection;
use crate::Extensions;
use crate::call::catch_panic::drop_quietly;

/// A function of the author's that decides about tools.
pub(crate) trait Predicate: Send + Sync {
    /// Returns `true` if the function shows the tool.
    fn shows(&self, tool: &ToolInfo, extensions: &Extensions) -> bool;

    /// Removes the tools that the function does not show. `start` is the position of the first of `tools` in the selection.
    fn select(&self, tools: &[ToolInfo], extensions: &Extensions, visible: &mut Selection, start: usize);
}

/// The loop over the tools of a list is here, and not outside of the trait object, so that the function is inlined into it.
///
/// The list of the benchmark `list-1000-block` takes 2.9 µs more than a copy of its bytes, which takes 8 µs. With a call for each tool,
/// and one `bool` instead of one bit in a [`Selection`], it took 4.4 µs more. To measure it again, run
/// `python3 tests/bench/bench.py table --only checked list-1000-block`.
impl<F: Fn(&ToolInfo, &Extensions) -> bool + Send + Sync> Predicate for F {
    fn shows(&self, tool: &ToolInfo, extensions: &Extensions) -> bool {
        catch_unwind(AssertUnwindSafe(|| self(tool, extensions))).unwrap_or_else(|payload| {
            drop_quietly(payload);
            false
        })
    }

    fn select(&self, tools: &[ToolInfo], extensions: &Extensions, visible: &mut Selection, start: usize) {
        retain(tools, visible, start, |tool| self(tool, extensions));
    }
}

/// Finds the scopes of a caller.
type FindScopes = for<'e> fn(&'e Extensions) -> Option<&'e dyn HasScopes>;

/// A rule. A tool is visible if all its rules hold.
pub(crate) enum Rule {
    /// [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible).
    Predicate(Box<dyn Predicate>),
    /// [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes): finds the caller's scopes.
    Scopes(FindScopes),
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
        match self {
            Self::Predicate(predicate) => predicate.shows(tool, extensions),
            Self::Scopes(caller) => {
                let scopes = |tool: &ToolInfo, extensions: &Extensions| has_all(*caller, tool, extensions);
                scopes.shows(tool, extensions)
            }
        }
    }

    /// Removes the tools that the rule does not show to a caller with these extensions. `start` is the position of the first of
    /// `tools` in the selection. The rule is not called for a tool that is not selected.
    pub(crate) fn select(&self, tools: &[ToolInfo], extensions: &Extensions, visible: &mut Selection, start: usize) {
        match self {
            Self::Predicate(predicate) => predicate.select(tools, extensions, visible, start),
            Self::Scopes(caller) => {
                // The tools of a service mostly have the same scopes.
                let mut last: Option<(&Labels, bool)> = None;
                retain(tools, visible, start, |tool| match last {
                    Some((scopes, holds)) if tool.scopes.is_shared_with(scopes) => holds,
                    _ => {
                        let holds = has_all(*caller, tool, extensions);
                        last = Some((&tool.scopes, holds));
                        holds
                    }
                });
            }
        }
    }
}

/// Returns `true` if the caller has all scopes of the tool.
fn has_all(caller: FindScopes, tool: &ToolInfo, extensions: &Extensions) -> bool {
    let has_all = |caller: &dyn HasScopes| tool.scopes.iter().all(|scope| caller.has_scope(scope));
    tool.scopes.is_empty() || caller(extensions).is_some_and(has_all)
}

/// Removes the selected tools that `shows` does not accept, and those for which it panics.
#[inline]
fn retain<'t>(
    tools: &'t [ToolInfo],
    visible: &mut Selection,
    start: usize,
    mut shows: impl FnMut(&'t ToolInfo) -> bool,
) {
    visible.retain(start..start + tools.len(), |positions, asked| {
        let tools = &tools[positions.start - start..positions.end - start];
        let (mut next, mut answers) = (0, 0);
        while next < tools.len() {
            // One `catch_unwind` for many tools, because one for each costs as much as a short rule.
            let rest = AssertUnwindSafe(|| {
                let mut found = answers;
                for (at, tool) in tools.iter().enumerate().skip(next) {
                    // If the rule panics, it hides this tool, and goes on with the next.
                    (next, answers) = (at + 1, found);
                    found |= u64::from(asked >> at & 1 == 1 && shows(tool)) << at;
                }
                answers = found;
            });
            if let Err(payload) = catch_unwind(rest) {
                drop_quietly(payload);
            }
        }
        answers
    });
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
