//! The rules that decide which callers see a tool.

use std::any::type_name;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::info::{HasScopes, ToolInfo};
use super::visibility::{Visibility, VisibilityRule};
use crate::call::catch_panic::drop_quietly;
use crate::{Extensions, Labels, mcp};

type Decide = dyn Fn(&ToolInfo, &Extensions) -> Visibility + Send + Sync;

/// A rule. A caller sees a tool if no rule hides it, and can call it if all rules show it.
pub(crate) struct Rule {
    /// The type that has the scopes, for [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes).
    scopes_of: Option<&'static str>,
    decide: Box<Decide>,
}

impl Rule {
    pub(crate) fn new(rule: impl Fn(&ToolInfo, &Extensions) -> bool + Send + Sync + 'static) -> Self {
        Self { scopes_of: None, decide: Box::new(move |tool, extensions| rule(tool, extensions).into()) }
    }

    /// Creates a rule about an attached value.
    pub(crate) fn about<C: Send + Sync + 'static>(rule: impl VisibilityRule<C>) -> Self {
        let decide = move |tool: &ToolInfo, extensions: &Extensions| rule(tool, extensions.get()).into();
        Self { scopes_of: None, decide: Box::new(decide) }
    }

    /// Creates the rule that a caller needs all scopes of a tool.
    pub(crate) fn scopes_of<C: HasScopes + Send + Sync + 'static>() -> Self {
        let has_all = |tool: &ToolInfo, extensions: &Extensions| {
            let has_all = |caller: &C| tool.scopes.iter().all(|scope| caller.has_scope(scope));
            tool.scopes.is_empty() || extensions.get::<C>().is_some_and(has_all)
        };
        Self { scopes_of: Some(type_name::<C>()), ..Self::new(has_all) }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").field("scopes_of", &self.scopes_of).finish_non_exhaustive()
    }
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
}

/// A tool of a dispatcher, and who sees it.
pub(crate) struct ListedTool {
    pub(crate) info: Arc<ToolInfo>,
    /// The rules, each with what it knows about the tool.
    rules: Box<[(Arc<Rule>, Arc<ToolInfo>)]>,
}

impl ListedTool {
    pub(crate) fn new(
        tool: &mcp::Tool,
        tags: &Labels,
        scopes: &Labels,
        result_type: &'static str,
        rules: &[NamedRule],
    ) -> Self {
        let info = Arc::new(ToolInfo {
            name: tool.name.as_str().into(),
            tags: tags.clone(),
            scopes: scopes.clone(),
            annotations: tool.annotations.clone().unwrap_or_default(),
            result_type,
        });
        let known = |NamedRule { rule, prefix_length }: &NamedRule| {
            let info = if *prefix_length == 0 { Arc::clone(&info) } else { info.without_prefix(*prefix_length).into() };
            (Arc::clone(rule), info)
        };
        Self { rules: rules.iter().map(known).collect(), info }
    }

    pub(crate) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns `true` if a rule reads the scopes of this type.
    #[cfg(all(feature = "auth", feature = "lint"))]
    pub(crate) fn reads_scopes_of(&self, type_name: &str) -> bool {
        self.rules.iter().any(|(rule, _)| rule.scopes_of == Some(type_name))
    }

    /// Returns `true` if a rule checks scopes, and the number of the other rules.
    pub(crate) fn count_rules(&self) -> (bool, usize) {
        let about_scopes = self.rules.iter().filter(|(rule, _)| rule.scopes_of.is_some()).count();
        (about_scopes > 0, self.rules.len() - about_scopes)
    }

    /// Returns what the rules decide for a caller with these extensions.
    #[inline]
    pub(crate) fn visibility_to(&self, extensions: &Extensions) -> Visibility {
        if self.rules.is_empty() { Visibility::Shown } else { self.decide(extensions, false) }
    }

    /// Returns `true` if a caller with these extensions sees the tool. With `ignore_scopes`, as if the caller had all its scopes.
    pub(crate) fn is_shown_to(&self, extensions: &Extensions, ignore_scopes: bool) -> bool {
        self.decide(extensions, ignore_scopes) != Visibility::Hidden
    }

    fn decide(&self, extensions: &Extensions, ignore_scopes: bool) -> Visibility {
        let mut visibility = Visibility::Shown;
        for (rule, info) in self.rules.iter().filter(|(rule, _)| !(ignore_scopes && rule.scopes_of.is_some())) {
            match decide(rule, info, extensions) {
                Visibility::Hidden => return Visibility::Hidden,
                decided if visibility == Visibility::Shown => visibility = decided,
                _ => {}
            }
        }
        visibility
    }
}

/// Returns what a rule decides. A rule that panics hides the tool.
fn decide(rule: &Rule, tool: &ToolInfo, extensions: &Extensions) -> Visibility {
    catch_unwind(AssertUnwindSafe(|| (rule.decide)(tool, extensions))).unwrap_or_else(|payload| {
        drop_quietly(payload);
        Visibility::Hidden
    })
}

/// Returns what is wrong with the scopes of a tool that has these rules. `are_read` says that a rule of the author's reads scopes.
pub(crate) fn scope_errors(scopes: &Labels, rules: &[NamedRule], are_read: bool) -> Vec<String> {
    let mut errors: Vec<_> = scopes.iter().filter_map(|scope| scope_error(scope)).collect();
    let reads_scopes = |rule: &NamedRule| are_read || rule.rule.scopes_of.is_some();
    if let Some(scope) = scopes.first().filter(|_| !rules.iter().any(reads_scopes)) {
        errors.push(format!(
            "it has the scope `{scope}`, and no rule checks scopes: add `.visible_by_scopes::<…>()` to the builder, or \
             `.scopes_are_read()` if a rule of `.visible(…)` checks them"
        ));
    }
    errors
}

/// Returns what is wrong with a scope. OAuth allows the visible characters of ASCII without `"` and `\`, because a list of
/// scopes is written with blanks and inside quotes.
pub(crate) fn scope_error(scope: &str) -> Option<String> {
    let is_valid = !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && !br#""\"#.contains(&byte));
    (!is_valid).then(|| {
        format!("the scope `{scope}` is not valid: a scope has visible ASCII characters other than `\"` and `\\`, and no blanks")
    })
}
