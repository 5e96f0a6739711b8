//! The rules that decide which callers see a tool.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::info::{HasScopes, ToolInfo};
use crate::Extensions;

type Predicate = dyn Fn(&ToolInfo, &Extensions) -> bool + Send + Sync;

/// A rule. A tool is visible if all its rules hold.
pub(crate) enum Rule {
    /// [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible).
    Predicate(Box<Predicate>),
    /// [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes): finds the caller's scopes.
    Scopes(for<'e> fn(&'e Extensions) -> Option<&'e dyn HasScopes>),
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
            Self::Predicate(predicate) => {
                catch_unwind(AssertUnwindSafe(|| predicate(tool, extensions))).unwrap_or(false)
            }
            Self::Scopes(_) if tool.scopes.is_empty() => true,
            Self::Scopes(caller) => {
                let has_all = || {
                    let Some(caller) = caller(extensions) else { return false };
                    tool.scopes.iter().all(|scope| caller.has_scope(scope))
                };
                catch_unwind(AssertUnwindSafe(has_all)).unwrap_or(false)
            }
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
